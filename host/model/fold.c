/* Folded parameters: constants of the equations of motion of one instance
 * (appendix/vehicle.md#motion).
 */
#include "compliant.h"
#include "floor.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/draws.h"
#include "../study/grammar/parse.h"
#include "../study/tables/replay.h"
#include <math.h>
#include <string.h>

#define NO_LIMIT 1e30   /* a torque no drive reaches, finite in single precision */
#define SHARP 1e30      /* inverse width of a sharp edge */
#define MOST_PASSES 1e6 /* of an instance per second, with controlled steps and no budget */

typedef struct column_writer {
  double *columns;
  const omr_batch *batch;
  size_t slot;
} column_writer;

static void put(const column_writer *w, int column, double value) {
  *omr_at(w->columns, w->batch, w->slot, column) = value;
}

static void fold_drive(const omr_study *study, const double *v, int i, double place[W_COUNT]) {
  omr_drive kind = study->drives.law[i];
  place[W_TORQUE] = v[omr_drive_amount(study, i)];
  /* Columns that depend on the kind of drive. */
  if (kind == OMR_DRIVE_TANH) place[W_DRIVE_1] = 1 / v[OMR_WP_RAMP_TIME];
  if (kind == OMR_DRIVE_SINE) {
    place[W_DRIVE_1] = v[OMR_WP_FREQUENCY];
    place[W_DRIVE_2] = v[OMR_WP_PHASE] / (2 * PI);
  }

  if (omr_is_replay(kind)) {
    place[W_DRIVE_1] = 1 / v[OMR_WP_REPLAY_SCALE];
    place[W_DRIVE_2] = -v[OMR_WP_REPLAY_OFFSET] / v[OMR_WP_REPLAY_SCALE];
  }
  /* The largest torque or voltage that is replayed; stability_rates.c uses it. */
  if (omr_replays_effort(kind)) place[W_TORQUE] = study->drives.replay[i].largest;
  if (kind == OMR_DRIVE_RATE) place[W_DRIVE_1] = v[OMR_WP_HELD_RATE];
  if (omr_is_rated(kind)) { /* the drive fixes the rate of the wheel */
    place[W_DRIVE_3] = 1 / place[W_INV_INERTIA];
    place[W_INV_INERTIA] = place[W_MOMENTUM_RATIO] = 0;
  }

  /* Gains and target of a controller. */
  if (omr_is_controller(kind)) {
    place[W_DRIVE_1] = v[OMR_WP_SPEED];
    place[W_DRIVE_2] = v[OMR_WP_KP];
    place[W_DRIVE_3] = v[OMR_WP_KI] * study->drives.period;
  }

  /* Limits by controller, motor and gear. */
  place[W_TORQUE_LIMIT] = isnan(v[OMR_WP_TORQUE_LIMIT]) ? NO_LIMIT : v[OMR_WP_TORQUE_LIMIT];
  if (study->drives.by[i] != OMR_BY_TORQUE) omr_fold_motor(study, v, i, place);
  double gear = fabs(v[OMR_WP_GEAR_RATIO]);
  bool line = !isnan(v[OMR_WP_STALL_TORQUE]);
  place[W_STALL] = line ? gear * v[OMR_WP_STALL_TORQUE] : NO_LIMIT;
  place[W_STALL_SLOPE] = line ? place[W_STALL] * gear / v[OMR_WP_NO_LOAD_SPEED] : 0;
}

void omr_ideal_rates(const omr_stand *at, double tan_psi, double rate[3]) {
  const double s = at->sine, c = at->cosine, inv = -1 / at->radius;
  const double across = at->x * s + at->z * c, along = at->x * c - at->z * s;
  rate[0] = inv * (c + tan_psi * s);
  rate[1] = inv * (tan_psi * c - s);
  rate[2] = inv * (across - tan_psi * along);
}

/* Ideal kinematics of the nominal wheel (appendix/drives.md#drives). */
static void fold_kinematics(const omr_wheel_body *w, double place[W_COUNT]) {
  omr_stand at = {.x = w->nominal_a, .z = w->nominal_b, .radius = w->nominal_radius};
  omr_math_sincos(w->nominal_delta, &at.sine, &at.cosine);
  omr_ideal_rates(&at, w->roller.sin_psi / w->roller.cos_psi, &place[W_IDEAL_X]);
  place[W_NOMINAL_RADIUS] = w->nominal_radius;
}

/* Regularised law: W_FRICTION is the larger coefficient, to which the ground's friction relates. */
static void fold_regularized(const double *v, double place[W_COUNT]) {
  double s, c, mu = v[OMR_WP_FRICTION];
  place[W_LATERAL] = isnan(v[OMR_WP_LATERAL_FRICTION]) ? mu : v[OMR_WP_LATERAL_FRICTION];
  place[W_LONGITUDINAL] =
      isnan(v[OMR_WP_LONGITUDINAL_FRICTION]) ? mu : v[OMR_WP_LONGITUDINAL_FRICTION];
  place[W_FRICTION] = fmax(place[W_LATERAL], place[W_LONGITUDINAL]);
  place[W_INV_FRICTION] = place[W_FRICTION] > 0 ? 1 / place[W_FRICTION] : 0;
  omr_math_sincos(v[OMR_WP_FRICTION_ANGLE], &s, &c);
  place[W_FRICTION_COS] = c;
  place[W_FRICTION_SIN] = s;
}

static void fold_patch(const double *p, double v[P_COUNT], int patch) {
  const double *from = p + patch * (OMR_VP_PATCH1_X - OMR_VP_PATCH0_X);
  double *to = v + patch * (P_PATCH1_X - P_PATCH0_X), s, c;
  to[P_PATCH0_X] = from[OMR_VP_PATCH0_X];
  to[P_PATCH0_Z] = from[OMR_VP_PATCH0_Z];
  omr_math_sincos(from[OMR_VP_PATCH0_YAW], &s, &c);
  to[P_PATCH0_COS] = c;
  to[P_PATCH0_SIN] = s;
  to[P_PATCH0_HALF_LENGTH] = from[OMR_VP_PATCH0_LENGTH] / 2;
  to[P_PATCH0_HALF_WIDTH] = from[OMR_VP_PATCH0_WIDTH] / 2;
  to[P_PATCH0_FRICTION] = from[OMR_VP_PATCH0_FRICTION];
}

/* Half of the smallest side of a rectangle: a wheel that moves this far between two looks cannot
 * miss it. */
static double patch_reach(const omr_study *study, const double v[P_COUNT]) {
  double reach = NO_LIMIT;
  for (int patch = 0; patch < OMR_PATCHES; patch++) {
    const double *at = v + patch * (P_PATCH1_X - P_PATCH0_X);
    if (study->floor.patch[patch] == OMR_PATCH_RECTANGLE)
      reach = fmin(reach, fmin(at[P_PATCH0_HALF_LENGTH], at[P_PATCH0_HALF_WIDTH]));
  }
  return reach;
}

/* Friction in time is base + gain tanh^4 (dip, source 5, eq. 24) or base + gain tanh (step, eq. 26
 * as in appendix/drives.md#drives).
 */
static void fold_ground(const omr_study *study, const double *p, double v[P_COUNT]) {
  double factor = p[OMR_VP_GROUND_FACTOR];
  bool step = study->floor.kind == OMR_GROUND_STEP;
  v[P_GROUND_TIME] = p[OMR_VP_GROUND_TIME];
  v[P_GROUND_INV_WIDTH] = 1 / p[OMR_VP_GROUND_WIDTH];
  v[P_GROUND_BASE] = step ? (1 + factor) / 2 : factor;
  v[P_GROUND_GAIN] = step ? -(1 - factor) / 2 : 1 - factor;
  v[P_GROUND_INV_EDGE] = p[OMR_VP_GROUND_EDGE] > 0 ? 1 / p[OMR_VP_GROUND_EDGE] : SHARP;
  for (int patch = 0; patch < OMR_PATCHES; patch++) fold_patch(p, v, patch);
  v[P_PATCH_REACH] = patch_reach(study, v);
}

/* Largest load that the external force adds, N. */
static double largest_push_down(const omr_study *study, const double *p) {
  const double force = p[OMR_VP_EXTERNAL_Y], factor = p[OMR_VP_EXTERNAL_FACTOR];
  double most = 0;
  if (study->external.kind == OMR_EXTERNAL_CONSTANT) most = -force;
  if (study->external.kind == OMR_EXTERNAL_SINE) most = fabs(force);
  for (size_t r = 0; study->external.kind == OMR_EXTERNAL_TABLE && r < study->external.table.rows;
       r++)
    most = fmax(most, -factor * study->external.table.value[6 * r + 1]);
  return fmax(most, 0);
}

/* External force and torque; the kernels take moments about the centre of mass, or on the testbench
 * about the wheel's centre. */
static void fold_external(const omr_study *study, const double *p, const omr_vehicle_body *body,
                          double v[P_COUNT]) {
  const bool vehicle = omr_has_platform(study->model);
  const double base = vehicle ? v[P_HEIGHT] : body->wheel[0].roller.radius,
               standard = vehicle ? p[OMR_VP_COM_HEIGHT] : base;
  const double height = isnan(p[OMR_VP_EXTERNAL_HEIGHT]) ? standard : p[OMR_VP_EXTERNAL_HEIGHT];
  v[P_EXTERNAL_X] = p[OMR_VP_EXTERNAL_X];
  v[P_EXTERNAL_Y] = p[OMR_VP_EXTERNAL_Y];
  v[P_EXTERNAL_Z] = p[OMR_VP_EXTERNAL_Z];
  v[P_EXTERNAL_TURN_X] = p[OMR_VP_EXTERNAL_TURN_X];
  v[P_EXTERNAL_TURN_Y] = p[OMR_VP_EXTERNAL_TURN_Y];
  v[P_EXTERNAL_TURN_Z] = p[OMR_VP_EXTERNAL_TURN_Z];
  v[P_EXTERNAL_FACTOR] = p[OMR_VP_EXTERNAL_FACTOR];
  v[P_EXTERNAL_FREQUENCY] = p[OMR_VP_EXTERNAL_FREQUENCY];
  v[P_EXTERNAL_PHASE] = p[OMR_VP_EXTERNAL_PHASE] / (2 * PI);
  v[P_EXTERNAL_ARM] = height - base;
  v[P_EXTERNAL_DOWN] = largest_push_down(study, p);
}

/* Controlled steps always have a limit, far above any sensible number: an instance whose steps
 * collapse must end. */
double omr_pass_limit(const omr_study *study, int substeps) {
  if (!omr_controls_steps(study))
    return __builtin_floor(study->time.budget * (double)study->time.steps * substeps);
  return study->time.budget > 0 ? __builtin_floor(study->time.budget)
                                : __builtin_floor(MOST_PASSES * (1 + study->time.duration));
}

/* Columns of a bare wheel and its fork that differ from the columns of rollers, and of a wheel of
 * given load (appendix/vehicle.md#kinds). */
static void fold_kind(const omr_study *study, const double *v, int i, const omr_wheel_body *w,
                      double place[W_COUNT]) {
  const double limit = v[OMR_WP_STEER_LIMIT];
  if (study->kind[i] == OMR_WHEEL_TRACKING) place[W_TRACKED_LOAD] = v[OMR_WP_TRACKING_PRELOAD];
  if (!omr_kind_uses(&omr_law_kinds[omr_wheel_law(study, i)], OMR_WP_ROLLING_FRICTION))
    place[W_ROLLING_FRICTION] = 0;
  if (!omr_wheel_is_bare(study->kind[i])) return;
  if (omr_law_is_tyre(study->contact.tyre_law)) omr_fold_tyre(v, place);
  place[W_SHIFT] = place[W_ROLLER_INERTIA] = place[W_INV_ROLLER_INERTIA] = place[W_DECAY] = 0;
  place[W_ROLLER_BEARING] = place[W_DRY_TORQUE] = 0;
  place[W_COS_PITCH] = 1;
  place[W_SIN_PITCH] = 0;
  if (!omr_wheel_swivels(study->kind[i])) return;
  place[W_TRAIL] = w->trail;
  place[W_ROLLER_INERTIA] = w->mass.axial;
  place[W_INV_ROLLER_INERTIA] = 1 / w->mass.axial;
  place[W_ROLLER_BEARING] = v[OMR_WP_SWIVEL_BEARING];
  place[W_STEER_STIFFNESS] = v[OMR_WP_STEER_STIFFNESS];
  place[W_STEER_DAMPING] = v[OMR_WP_STEER_DAMPING];
  place[W_STEER_LIMIT] = isnan(limit) ? NO_LIMIT : limit;
  place[W_STEER_TORQUE] = v[OMR_WP_STEER_TORQUE];
  place[W_STEER_ANGLE] = v[OMR_WP_STEER_ANGLE];
  place[W_STEER_X] = w->nominal_a;
  place[W_STEER_Z] = w->nominal_b;
}

static void fold_wheel(const omr_study *study, const double *v, int i, const omr_wheel_body *w,
                       double place[W_COUNT]) {
  const omr_roller *r = &w->roller;
  double s, c;
  /* Place of the wheel and shape of its rollers. */
  place[W_COS] = w->cos_delta;
  place[W_SIN] = w->sin_delta;
  place[W_A] = w->a;
  place[W_B] = w->b;
  place[W_ALONG] = w->a * w->cos_delta - w->b * w->sin_delta;
  place[W_ACROSS] = w->a * w->sin_delta + w->b * w->cos_delta;
  place[W_RADIUS] = r->radius;
  place[W_CENTER] = r->center;
  place[W_SHIFT] = r->center * r->sin_psi / r->cos_psi;
  place[W_COS_PSI] = r->cos_psi;
  place[W_SIN_PSI] = r->sin_psi;
  place[W_ALPHA] = r->alpha;
  omr_math_sincos(2 * r->alpha, &s, &c);
  place[W_COS_PITCH] = c;
  place[W_SIN_PITCH] = s;

  place[W_ROLLERS] = r->rollers;

/* Parameters that the kernels take as they are, then the laws of friction. */
#define X(...)
#define KERNEL(id, ...) place[W_##id] = v[OMR_WP_##id];
#include "lists/parameters/wheel.def"
#undef KERNEL
#undef X

  /* Laws of friction, in the form that the kernels use. */
  place[W_STICTION_GAIN] = v[OMR_WP_STICTION_GAIN] / 3;
  place[W_FRICTION_GAIN] = v[OMR_WP_FRICTION_GAIN] / 3;
  place[W_INV_SLIP_SPEED] = 1 / v[OMR_WP_SLIP_SPEED];
  place[W_INV_REFERENCE] = 1 / v[OMR_WP_REFERENCE_SPEED];
  if (omr_wheel_law(study, i) == OMR_LAW_REGULARIZED) fold_regularized(v, place);

  /* Inertia of wheel, rotor and rollers. */
  double gear = v[OMR_WP_GEAR_RATIO], rotor = v[OMR_WP_ROTOR_INERTIA];
  place[W_INV_INERTIA] = 1 / (w->axial_inertia + gear * gear * rotor);
  place[W_MOMENTUM] = w->axial_inertia + gear * rotor;
  place[W_MOMENTUM_RATIO] = place[W_MOMENTUM] * place[W_INV_INERTIA];
  place[W_ROLLER_INERTIA] = w->mass.axial;
  place[W_INV_ROLLER_INERTIA] =
      w->mass.axial > 0 ? 1 / w->mass.axial : 0; /* massless rollers have no spin */
  place[W_DECAY] = w->mass.axial > 0 ? v[OMR_WP_ROLLER_BEARING] / w->mass.axial : 0;

  /* Drive, ideal kinematics, and the differences of a disc. */
  fold_drive(study, v, i, place);
  fold_kinematics(w, place);
  if (study->model == OMR_MODEL_DISC_VEHICLE) omr_fold_disc(study, v, place);
  fold_kind(study, v, i, w, place);
}

/* n times the determinant of the scatter of the contacts that share the weight: det(B B^T) at q =
 * 0. It vanishes for collinear contacts. */
static double load_determinant(const omr_study *study, const omr_vehicle_body *body,
                               double *relative) {
  double n = 0, mx = 0, mz = 0, xx = 0, zz = 0, xz = 0;
  for (int i = 0; i < body->wheels; i++) n += study->kind[i] != OMR_WHEEL_TRACKING;
  for (int i = 0; i < body->wheels; i++) {
    if (study->kind[i] == OMR_WHEEL_TRACKING) continue;
    mx += body->wheel[i].a / n;
    mz += body->wheel[i].b / n;
  }
  for (int i = 0; i < body->wheels; i++) {
    if (study->kind[i] == OMR_WHEEL_TRACKING) continue;
    double x = body->wheel[i].a - mx, z = body->wheel[i].b - mz;
    xx += x * x;
    zz += z * z;
    xz += x * z;
  }
  double det = xx * zz - xz * xz;
  *relative = det / ((xx + zz) * (xx + zz));
  return n * det;
}

/* The loop that follows a path (kernels/time/follow.h). */
static void fold_way(const omr_study *study, const double *p, double v[P_COUNT]) {
  const double period = study->command.way.period, ahead = p[OMR_VP_COMMAND_LOOK_AHEAD],
               turn = p[OMR_VP_COMMAND_HEADING_GAIN];
  v[P_WAY_SPEED] = p[OMR_VP_COMMAND_SPEED];
  v[P_WAY_STEP] = p[OMR_VP_COMMAND_ACCELERATION] * period;
  v[P_WAY_BRAKE] = 2 * p[OMR_VP_COMMAND_ACCELERATION];
  v[P_WAY_AHEAD] = isnan(ahead) ? 0 : ahead;
  v[P_WAY_GAIN] = p[OMR_VP_COMMAND_GAIN];
  v[P_WAY_INTEGRAL] = p[OMR_VP_COMMAND_INTEGRAL] * period;
  v[P_WAY_TURN] = isnan(turn) ? 4 * p[OMR_VP_COMMAND_GAIN] : turn;
}

/* What is between the command and the wheels' controllers (kernels/time/heading.h). */
static void fold_outer_loops(const omr_study *study, const double *p, double v[P_COUNT]) {
  const double own = study->drives.period, period = study->command.hold.period;
  v[P_ASKED_MOST] = isnan(p[OMR_VP_ASKED_RATE]) ? NO_LIMIT : p[OMR_VP_ASKED_RATE];
  v[P_ASKED_STEP] =
      isnan(p[OMR_VP_ASKED_ACCELERATION]) ? NO_LIMIT : p[OMR_VP_ASKED_ACCELERATION] * own;
  if (study->command.kind == OMR_COMMAND_PATH) fold_way(study, p, v);
  if (!study->command.hold.given) return;
  v[P_HOLD_GAIN] = p[OMR_VP_HOLD_GAIN];
  v[P_HOLD_INTEGRAL] = p[OMR_VP_HOLD_INTEGRAL] * period;
  v[P_HOLD_RATE] = p[OMR_VP_HOLD_RATE] / period;
  v[P_HOLD_PERIOD] = own;
  v[P_GYRO_SCALE] = p[OMR_VP_GYRO_SCALE];
  v[P_GYRO_BIAS] = p[OMR_VP_GYRO_BIAS] * period;
  v[P_GYRO_NOISE] = p[OMR_VP_GYRO_NOISE] * period;

  /* The nominal vehicle has no number, and so no seed of its own. */
  const uint64_t seed = isnan(p[OMR_VP_GYRO_SEED]) ? 0 : (uint64_t)p[OMR_VP_GYRO_SEED];
  _Static_assert((int)GYRO_PURPOSE == (int)OMR_FOR_GYRO, "the kernels draw as the host does");
  v[P_GYRO_KEY_LOW] = (double)(seed & 0xffffff);
  v[P_GYRO_KEY_HIGH] = (double)(seed >> 24);
}

/* Columns of the vehicle that do not depend on its masses. */
static void fold_settings(const omr_study *study, const double *p, double v[P_COUNT]) {
  /* Command and its ramp, or the times of a replay. */
  v[P_COMMAND_VX] = p[OMR_VP_COMMAND_VX];
  v[P_COMMAND_VZ] = p[OMR_VP_COMMAND_VZ];
  v[P_COMMAND_YAW_RATE] = p[OMR_VP_COMMAND_YAW_RATE];
  v[P_COMMAND_INV_RAMP] = 1 / p[OMR_VP_COMMAND_RAMP_TIME];
  if (study->command.kind == OMR_COMMAND_REPLAY) {
    v[P_COMMAND_INV_RAMP] = 1 / p[OMR_VP_COMMAND_SCALE];
    v[P_COMMAND_SHIFT] = -p[OMR_VP_COMMAND_OFFSET] / p[OMR_VP_COMMAND_SCALE];
  }

  fold_outer_loops(study, p, v);

  /* Loss of yaw, tracking, supply and steps. */
  v[P_YAW_LOSS_X] = p[OMR_VP_YAW_LOSS_FORWARD];
  v[P_YAW_LOSS_Z] = p[OMR_VP_YAW_LOSS_SIDEWAYS];
  v[P_YAW_LOSS_FADE] = p[OMR_VP_YAW_LOSS_CURVATURE] * p[OMR_VP_YAW_LOSS_CURVATURE];
  v[P_TRACKING] = p[OMR_VP_TRACKING];
  v[P_SUPPLY_VOLTAGE] = isnan(p[OMR_VP_SUPPLY_VOLTAGE]) ? 0 : p[OMR_VP_SUPPLY_VOLTAGE];
  v[P_SUPPLY_RESISTANCE] = p[OMR_VP_SUPPLY_RESISTANCE];
  v[P_STEPS] = (double)study->time.steps; /* with fixed steps */
  v[P_PASS_LIMIT] = omr_pass_limit(study, 1);
}

/* Masses and inertias of the whole vehicle, and the columns that it has once
 * (appendix/vehicle.md#masses). */
static bool fold_vehicle(const omr_study *study, const omr_values *values,
                         const omr_vehicle_body *body, double v[P_COUNT], char *reason,
                         size_t size) {
  const double *p = values->vehicle;
  /* First and second moments of platform and wheels. */
  bool vehicle = omr_has_platform(study->model);
  double mp = vehicle ? p[OMR_VP_PLATFORM_MASS] : 0, cx = vehicle ? p[OMR_VP_COM_X] : 0,
         cz = vehicle ? p[OMR_VP_COM_Z] : 0;
  double height = vehicle ? p[OMR_VP_COM_HEIGHT] : 0;
  double mass = mp, mx = mp * cx, mz = mp * cz, h1 = mp * height, h2x = h1 * cx, h2z = h1 * cz;
  double yaw = (vehicle ? p[OMR_VP_PLATFORM_YAW_INERTIA] : 0) + mp * (cx * cx + cz * cz);
  for (int i = 0; i < body->wheels; i++) {
    const omr_wheel_body *w = &body->wheel[i];
    double m = w->total_mass, lifted = m * w->roller.radius;
    mass += m;
    mx += m * w->a;
    mz += m * w->b;
    h1 += lifted;
    h2x += lifted * w->a;
    h2z += lifted * w->b;
    yaw += w->yaw_inertia + m * (w->a * w->a + w->b * w->b);
  }

  /* The centre of mass; mass and yaw inertia must be positive. */
  double x = mx / mass, z = mz / mass, yaw_com = yaw - mass * (x * x + z * z);
  if (!(mass > 0) || !(yaw_com > 0))
    return omr_deny(reason, size, "the vehicle has no %s", mass > 0 ? "yaw inertia" : "mass");

  /* Columns of mass, weight and centre of mass. */
  v[P_INV_MASS] = 1 / mass;
  v[P_MASS] = mass;
  v[P_WEIGHT] = mass * p[OMR_VP_GRAVITY];
  v[P_COM_X] = x;
  v[P_COM_Z] = z;
  v[P_INV_YAW] = 1 / yaw_com;
  v[P_HEIGHT] = h1 / mass;
  v[P_TILT_X] = h2x - h1 * x;
  v[P_TILT_Z] = h2z - h1 * z;

  /* On rigid contact a platform needs contacts that span a plane. */
  v[P_DET_MIN] = 0;
  if (vehicle && !study->contact.compliant) {
    double relative;
    v[P_DET_MIN] = 1e-6 * load_determinant(study, body, &relative);
    if (!(relative > 1e-10)) {
      bool tracks = false;
      for (int i = 0; i < body->wheels; i++) tracks |= study->kind[i] == OMR_WHEEL_TRACKING;
      return omr_deny(
          reason, size,
          "parameters.%s: the contacts of the wheels that carry the platform stand on one line, "
          "and it would fall over%s; place a wheel beside that line, such as a caster, or use "
          "\"contact\": {\"normal\": \"compliant\"}, on which it may tip over",
          study->layout == OMR_LAYOUT_EXPLICIT ? "wheels" : "layout",
          tracks ? " (tracking wheels carry their preload alone)" : "");
    }
  }

  /* Settings, ground and external force. */
  fold_settings(study, p, v);
  fold_ground(study, p, v);
  fold_external(study, p, body, v);
  return true;
}

bool omr_fold_parameters(const omr_study *study, const omr_values *values,
                         const omr_vehicle_body *body, omr_batch *batch, size_t slot, char *reason,
                         size_t size) {
  double v[P_COUNT] = {0}, w[OMR_MAX_WHEELS][W_COUNT];
  omr_floor floor;
  memset(w, 0, (size_t)body->wheels * sizeof *w);
  /* Vehicle and wheels. */
  if (!omr_replay_lasts(study, values, reason, size)) return false;
  if (!fold_vehicle(study, values, body, v, reason, size)) return false;
  for (int i = 0; i < body->wheels; i++) {
    fold_wheel(study, values->wheel[i], i, &body->wheel[i], w[i]);
    omr_fold_dry(values->wheel[i], v[P_WEIGHT] / body->wheels, w[i]);
    if (omr_wheel_is_bare(study->kind[i])) w[i][W_DRY_PIN] = w[i][W_DRY_END] = 0;
    if (omr_wheel_law(study, i) != OMR_LAW_REGULARIZED ||
        study->floor.kind == OMR_GROUND_CONSTANT || w[i][W_FRICTION] > 0)
      continue;
    return omr_deny(reason, size, "wheel %d has no friction that the ground could change", i);
  }

  /* Compliant contact, odometry and limits need the folded wheels. */
  if (study->contact.compliant && !omr_fold_compliant(study, values, body, v, w, reason, size))
    return false;
  if (body->wheels >= 2) omr_fold_odometry(study, values->vehicle, body, w, v);
  if (study->command.way.odometry && isnan(w[0][W_ODO_X])) {
    snprintf(
        reason, size,
        "the wheels that odometry reads do not determine the motion, so that the loop of the path "
        "has no pose; give odometry other wheels or a gyro, or the command the pose \"true\"");
    return false;
  }
  omr_fold_limits(study, values, body->wheels, w, v);

  /* Columns of the vehicle, of each wheel, of the floor. */
  column_writer to = {batch->params, batch, slot};
  for (int j = 0; j < P_COUNT; j++) put(&to, j, v[j]);
  for (int i = 0; i < body->wheels; i++)
    for (int j = 0; j < W_COUNT; j++) put(&to, OMR_PARAM_COLUMN(i, j), w[i][j]);

  /* The floor comes behind the wheels. */
  if (!omr_floor_columns(study)) return true;
  omr_floor_make(study, values, &floor);
  for (int j = 0; j < omr_floor_columns(study); j++)
    put(&to, OMR_FLOOR_COLUMN(body->wheels, j), floor.columns[j]);
  return true;
}
