/* Folded parameters of compliant contact (appendix/springs.md#springs). */
#include "compliant.h"

#include "../../kernels/scalar_math.h"
#include <math.h>

/* Adds a body of inertia `along` about its axle and `across` about all other axes, and of a mass at
 * r from the centre of mass. */
static void add_body(double inertia[3][3], double mass, const double r[3], double across,
                     double along, const double axle[3]) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++)
      inertia[a][b] += (along - across) * axle[a] * axle[b] - mass * r[a] * r[b];
    inertia[a][a] += across + mass * square;
  }
}

/* Inverse of a symmetric positive definite matrix; false for any other. */
static bool invert(const double a[3][3], double inverse[3][3]) {
  const double first = a[0][0], second = a[0][0] * a[1][1] - a[0][1] * a[0][1];
  /* The cofactors give inverse and determinant. */
  double cofactor[3][3];
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      cofactor[r][c] = a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1];
    }
  }

  /* A matrix that is nearly singular, or not positive definite, has no inverse here. */
  const double det = a[0][0] * cofactor[0][0] + a[0][1] * cofactor[0][1] + a[0][2] * cofactor[0][2];
  const double size = a[0][0] + a[1][1] + a[2][2];
  if (!(first > 1e-12 * size) || !(second > 1e-12 * size * size) ||
      !(det > 1e-12 * size * size * size))
    return false;

  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) inverse[r][c] = cofactor[r][c] / det;
  return true;
}

/* Writes the six columns xx, xy, xz, yy, yz, zz. */
static void put(double *columns, const double a[3][3]) {
  columns[0] = a[0][0];
  columns[1] = a[0][1];
  columns[2] = a[0][2];
  columns[3] = a[1][1];
  columns[4] = a[1][2];
  columns[5] = a[2][2];
}

static bool fold_inertia(const double *p, const omr_vehicle_body *body, double v[P_COUNT],
                         double w[][W_COUNT], char *reason, size_t size) {
  /* The platform and its wheels about the common centre of mass. */
  const double yaw = p[OMR_VP_PLATFORM_YAW_INERTIA], roll = p[OMR_VP_PLATFORM_ROLL_INERTIA],
               pitch = p[OMR_VP_PLATFORM_PITCH_INERTIA], none[3] = {0, 0, 0},
               upright[3] = {0, 1, 0};
  const double com[3] = {v[P_COM_X], v[P_HEIGHT], v[P_COM_Z]};
  const double platform[3] = {p[OMR_VP_COM_X] - com[0], p[OMR_VP_COM_HEIGHT] - com[1],
                              p[OMR_VP_COM_Z] - com[2]};
  double inertia[3][3] = {{0}}, turning[3][3], inverse[3][3];

  /* The platform's inertia, and each wheel's as a body of revolution. */
  add_body(inertia, p[OMR_VP_PLATFORM_MASS], platform, 0, 0, none);
  inertia[0][0] += isnan(roll) ? 0.5 * yaw : roll;
  inertia[1][1] += yaw;
  inertia[2][2] += isnan(pitch) ? 0.5 * yaw : pitch;
  for (int i = 0; i < body->wheels; i++) {
    const omr_wheel_body *wheel = &body->wheel[i];
    const double place[3] = {wheel->a - com[0], wheel->roller.radius - com[1], wheel->b - com[2]},
                 axle[3] = {wheel->sin_delta, 0, wheel->cos_delta};
    if (wheel->swivels) { /* the kernels add what depends on the axle's direction */
      add_body(inertia, wheel->total_mass, place, wheel->level, 0, upright);
      w[i][W_FORK_SPREAD] = wheel->spread;
      continue;
    }
    add_body(inertia, wheel->total_mass, place, wheel->yaw_inertia, wheel->axial_inertia, axle);
  }

  /* Wheels and rotors that turn freely about their axles do not resist the platform there. */
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) turning[r][c] = inertia[r][c];
  for (int i = 0; i < body->wheels; i++) {
    const double axle[3] = {w[i][W_SIN], 0, w[i][W_COS]};
    const double own = w[i][W_MOMENTUM] * w[i][W_MOMENTUM] * w[i][W_INV_INERTIA];
    if (body->wheel[i].swivels) { /* the least, whatever its axle's direction */
      const double least = fmin(w[i][W_FORK_SPREAD] - own, 0);
      add_body(turning, 0, none, least, 0, upright);
      continue;
    }
    add_body(turning, 0, none, 0, -own, axle);
  }

  /* A platform whose inertia is less than its wheels' has no inverse. */
  put(&v[P_J_XX], inertia);
  if (!invert(turning, inverse))
    return omr_deny(
        reason, size,
        "the platform has too little inertia about some axis for its wheels and rotors; give "
        "platform.roll_inertia and platform.pitch_inertia, in which the rotors count");

  put(&v[P_TURN_XX], inverse);
  return true;
}

/* Spring, damper and profile of a wheel; share: weight over the number of wheels, N. */
static void fold_contact(const omr_study *study, int i, const double *values, const omr_roller *r,
                         double share, double gravity, double place[W_COUNT]) {
  const bool tracked = study->kind[i] == OMR_WHEEL_TRACKING;
  const double k = tracked                ? values[OMR_WP_TRACKING_STIFFNESS]
                   : study->contact.hertz ? values[OMR_WP_HERTZ_STIFFNESS]
                                          : values[OMR_WP_STIFFNESS];
  const double ratio = values[OMR_WP_DAMPING_RATIO], mass = share / gravity;
  /* slope of the spring under its share of the load */
  const double slope =
      study->contact.hertz ? 1.5 * k * omr_math_exp(omr_math_log(share / k) / 3) : k;

  /* Spring and damper of the contact, from a ratio or as given. */
  place[W_CONTACT_STIFFNESS] = k;
  place[W_CROSSLEY] = isnan(values[OMR_WP_DISSIPATION])
                          ? 2 * ratio * __builtin_sqrt(slope * mass) / share
                          : values[OMR_WP_DISSIPATION];
  place[W_CONTACT_DAMPING] = isnan(values[OMR_WP_DAMPING])
                                 ? 2 * ratio * __builtin_sqrt(slope * mass)
                                 : values[OMR_WP_DAMPING];

  /* Suspension. */
  if (study->contact.suspension) {
    place[W_SUSPENSION_STIFFNESS] = values[OMR_WP_SUSPENSION_STIFFNESS];
    place[W_SUSPENSION_DAMPING] = values[OMR_WP_SUSPENSION_DAMPING];
    place[W_PRELOAD] = values[OMR_WP_SUSPENSION_PRELOAD]; /* NaN: by rest (compliant_start.c) */
  }

  /* The end of the roller, and the largest sag. */
  place[W_SIN_END] = r->sin_end;
  place[W_INV_COS_PSI] = 1 / r->cos_psi;
  place[W_SAG_LIMIT] = r->radius * (1 - place[W_COS_PITCH]);
  if (study->model == OMR_MODEL_DISC_VEHICLE || omr_wheel_is_bare(study->kind[i]))
    omr_fold_compliant_disc(place);

  /* A soft spring stands on one roller, however far it gives way. */
  if (!tracked) return;
  place[W_TRACKED_SAG] = values[OMR_WP_TRACKING_PRELOAD] / k;
  place[W_SAG_LIMIT] = place[W_RADIUS] + place[W_TRACKED_SAG];
}

/* More than any friction coefficient that the wheel can meet. */
static double much_friction(const omr_study *study, const double v[P_COUNT], double own) {
  double most = own;
  if (study->floor.kind == OMR_GROUND_DIP || study->floor.kind == OMR_GROUND_STEP)
    most = own * (1 + fabs(v[P_GROUND_BASE]) + fabs(v[P_GROUND_GAIN]));
  for (int patch = 0; patch < OMR_PATCHES; patch++)
    most = fmax(most, v[P_PATCH0_FRICTION + patch * (P_PATCH1_X - P_PATCH0_X)]);
  return most;
}

/* Bristles of a wheel's rollers (appendix/laws.md#friction). */
static void fold_bristles(const omr_study *study, const double *values, const double v[P_COUNT],
                          double gravity, double place[W_COUNT]) {
  /* Deflections this many times the largest show too long a step (kernels/laws/bristle.h). */
  enum { BEYOND = 10 };
  const double stiffness = values[OMR_WP_BRISTLE_STIFFNESS], ratio = values[OMR_WP_STATIC_RATIO];
  const double damping =
      isnan(values[OMR_WP_BRISTLE_DAMPING])
          ? 2 * values[OMR_WP_BRISTLE_DAMPING_RATIO] * __builtin_sqrt(stiffness / gravity)
          : values[OMR_WP_BRISTLE_DAMPING];
  const double most = BEYOND * ratio * much_friction(study, v, place[W_FRICTION]) / stiffness;
  place[W_BRISTLE_STIFFNESS] = stiffness;
  place[W_BRISTLE_DAMPING] = damping;
  place[W_BRISTLE_RETURN] = stiffness / damping;
  place[W_BRISTLE_VISCOUS] = values[OMR_WP_BRISTLE_VISCOUS];
  place[W_STATIC_RISE] = ratio - 1;
  place[W_INV_STRIBECK] = 1 / values[OMR_WP_STRIBECK_SPEED];
  place[W_BRISTLE_MOST2] = most * most;
}

/* Largest load on a wheel that carries `mass` when the vehicle lands on all wheels at a speed, N,
 * integrated until the wheel moves up again. It only serves the check of the step, so a per cent of
 * error does not matter. */
static double landing_load(const omr_study *study, const double place[W_COUNT], double mass,
                           double gravity, double speed) {
  enum { MOST_STEPS = 1000 };
  /* The step resolves the spring at its largest slope. */
  const double k = place[W_CONTACT_STIFFNESS], share = mass * gravity;
  /* Depth at which Hertz's spring would stop the mass without damper: its slope is largest there.
   */
  const double deepest = omr_math_exp(0.4 * omr_math_log(mass * speed * speed / (0.8 * k)));
  const double slope = study->contact.hertz ? omr_spring_at(k, true, deepest).slope : k;
  const double step = 0.02 * __builtin_sqrt(mass / slope);

  /* The fall into spring and damper. */
  double depth = 0, rate = speed, most = share;
  for (int n = 0; n < MOST_STEPS && rate > 0; n++) {
    const double spring = omr_spring_at(k, study->contact.hertz, depth).force;
    const double load = study->contact.kelvin_voigt ? spring + place[W_CONTACT_DAMPING] * rate
                                                    : spring * (1 + place[W_CROSSLEY] * rate);
    most = fmax(most, load);
    rate += step * (gravity - load / mass);
    depth += step * rate;
  }

  return most;
}

/* Adds the load of a landing from the initial height, or at the initial rate, beyond the weight. */
static void fold_landing(const omr_study *study, const double *p, int wheels, double w[][W_COUNT],
                         double v[P_COUNT]) {
  const double gravity = p[OMR_VP_GRAVITY], rate = p[OMR_VP_INITIAL_HEAVE_RATE],
               height = isnan(p[OMR_VP_INITIAL_HEIGHT]) ? 0 : p[OMR_VP_INITIAL_HEIGHT];
  const double square = rate * rate + 2 * gravity * fmax(height, 0), share = v[P_WEIGHT] / wheels;
  double most = 0;
  if (!(square > 0)) return;
  for (int i = 0; i < wheels; i++)
    most = fmax(most, landing_load(study, w[i], share / gravity, gravity, __builtin_sqrt(square)));
  v[P_EXTERNAL_DOWN] += wheels * (most - share);
}

/* appendix/springs.md#springs */
bool omr_fold_compliant(const omr_study *study, const omr_values *values,
                        const omr_vehicle_body *body, double v[P_COUNT], double w[][W_COUNT],
                        char *reason, size_t size) {
  /* The roughness needs a band of waves. */
  const double *p = values->vehicle;
  if (p[OMR_VP_FLOOR_DEGREE] > 0 && !(p[OMR_VP_FLOOR_SHORTEST] < p[OMR_VP_FLOOR_LONGEST])) {
    const double longest = p[OMR_VP_FLOOR_LONGEST], shortest = p[OMR_VP_FLOOR_SHORTEST];
    const int digits = omr_digits_apart(longest, shortest, 9);
    return omr_deny(reason, size,
                    "the waves of the floor's roughness end at %.*g m, where the shortest one has "
                    "%.*g m; floor.roughness.longest must be more than floor.roughness.shortest",
                    digits, longest, digits, shortest);
  }

  /* Contacts, bristles and the load of a landing, then the inertias. */
  const double share = v[P_WEIGHT] / body->wheels, gravity = values->vehicle[OMR_VP_GRAVITY];
  for (int i = 0; i < body->wheels; i++) w[i][W_UNSPRUNG] = body->wheel[i].total_mass;
  for (int i = 0; i < body->wheels; i++) {
    const double *own = values->wheel[i];
    const bool tracked = study->kind[i] == OMR_WHEEL_TRACKING;
    fold_contact(study, i, own, &body->wheel[i].roller,
                 tracked ? own[OMR_WP_TRACKING_PRELOAD] : share, gravity, w[i]);
  }
  for (int i = 0; omr_law_is_bristle(study->contact.law) && i < body->wheels; i++)
    fold_bristles(study, values->wheel[i], v, gravity, w[i]);

  fold_landing(study, values->vehicle, body->wheels, w, v);
  return fold_inertia(values->vehicle, body, v, w, reason, size);
}
