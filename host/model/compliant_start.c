/* Start of a vehicle on compliant contact: at rest on its springs unless the study gives a height
 * (appendix/springs.md#springs). */
#include "compliant.h"

#include "../../kernels/scalar_math.h"
#include "triple.h"
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100, UNKNOWNS = 3 };
#define AT_REST 1e-9  /* residual force over the weight that counts as rest */
#define SETTLED 1e-14 /* residual at the level of rounding */
#define MOST_TILT 0.5 /* rad: no vehicle stands so on its wheels */

/* The system whose rest is sought: the wheels' columns and the places of their active rollers. */
typedef struct rest_of {
  int wheels;
  bool hertz;
  bool sprung, locked; /* wheels on springs; locked in their places, their preload is sought */
  bool line;           /* its wheels stand on one line, about which it can tip over */
  double gravity;
  double lift[3]; /* the direction against gravity, level axes along the heading */
  omr_floor floor;
  double x, z, yaw;            /* where it stands */
  double weight, com[3], size; /* N, m, mean distance of the wheels from the centre of mass, m */
  double w[OMR_MAX_WHEELS][W_COUNT], q[OMR_MAX_WHEELS], row[OMR_MAX_WHEELS];
} rest_of;

/* Energy of weight and springs, its first derivatives, and the springs' part of the second, by
 * height, size pitch and size roll. */
typedef struct valley {
  double energy, slope[UNKNOWNS], bend[UNKNOWNS][UNKNOWNS];
} valley;

/* A direction of level axes in body axes, and its derivatives by pitch and roll. */
typedef struct direction {
  double is[3], by_pitch[3], by_roll[3];
} direction;

static direction turn_with(const omr_attitude *at, const double level[3]) {
  direction d;
  double st, ct, sp, cp;
  omr_math_sincos(at->pitch, &st, &ct);
  omr_math_sincos(at->roll, &sp, &cp);
  const double x = level[0] * ct + level[1] * st, y = level[1] * ct - level[0] * st;
  omr_in_body(at, level, d.is);
  d.by_pitch[0] = y;
  d.by_pitch[1] = -x * cp;
  d.by_pitch[2] = x * sp;
  d.by_roll[0] = 0;
  d.by_roll[1] = level[2] * cp - y * sp;
  d.by_roll[2] = -(level[2] * sp) - y * cp;
  return d;
}

/* Force and slope of the springs at a wheel's three contacts, raised by `travel`. */
static omr_spring spring_of_wheel(const rest_of *r, int i, const omr_deep_point three[3],
                                  double travel, double up) {
  omr_spring all = {0, 0, 0};
  for (int j = 0; j < 3; j++) {
    const omr_spring s =
        omr_spring_at(r->w[i][W_CONTACT_STIFFNESS], r->hertz, three[j].depth - travel * up);
    all.force += s.force;
    all.slope += s.slope;
  }
  return all;
}

/* Weight of a wheel, N, along the floor's normal; `up` and `lift`: the normal's and gravity's
 * components along the body's vertical. */
static double unsprung_weight(const rest_of *r, int i, double up, double lift) {
  return r->w[i][W_UNSPRUNG] * r->gravity * (lift / up);
}

/* Travel of a sprung wheel between its contacts and its spring; *share: the share of a small motion
 * of the platform that its spring takes up. */
static double travel_of(const rest_of *r, int i, const omr_deep_point three[3], double up,
                        double lift, double *share) {
  const double *w = r->w[i];
  double travel = 0;
  *share = 0;
  if (!r->sprung || r->locked) return 0;
  for (int n = 0; n < MOST_STEPS; n++) {
    const omr_spring s = spring_of_wheel(r, i, three, travel, up);
    const double left = (s.force - unsprung_weight(r, i, up, lift)) * up - w[W_PRELOAD] -
                        w[W_SUSPENSION_STIFFNESS] * travel;
    const double slope = s.slope * up * up + w[W_SUSPENSION_STIFFNESS];
    *share = s.slope * up * up / slope;
    travel += left / slope;
    if (fabs(left) <= SETTLED * r->weight) break;
  }
  return travel;
}

/* The three contacts of wheel i at its travel. */
static void contacts_of(const rest_of *r, int i, const omr_attitude *at, double travel,
                        omr_deep_point three[3]) {
  const omr_stance stance = {*at, r->x, r->z, r->yaw};
  omr_deepest_on_floor(&r->floor, &stance, r->w[i], r->q[i], r->row[i], travel, three);
}

/* Rates of the gap below a contact by height, pitch and roll (the latter two times size). The point
 * is the deepest one, so its motion along the roller does not change the height. */
static void gap_rates(const rest_of *r, const omr_attitude *at, const direction *floor,
                      const omr_deep_point *point, double g[UNKNOWNS]) {
  direction normal = *floor;
  if (r->floor.bits & FLOOR_PROFILE) {
    const double world[3] = {-point->slope[0], 1, -point->slope[1]};
    double level[3];
    omr_to_level(r->yaw, world, level);
    normal = turn_with(at, level);
  }
  g[0] = 1;
  g[1] = omr_dot3(normal.by_pitch, point->place) / r->size;
  g[2] = omr_dot3(normal.by_roll, point->place) / r->size;
}

static valley look(const rest_of *r, const omr_attitude *at) {
  /* Energy and slopes of the weight. */
  static const double normal[3] = {0, 1, 0};
  const direction floor = turn_with(at, normal), lift = turn_with(at, r->lift);
  const double *up = floor.is;
  valley v = {
      .energy = r->weight * (r->lift[1] * at->height + omr_dot3(lift.is, r->com) - r->com[1]),
      .slope = {r->weight * r->lift[1], r->weight * omr_dot3(lift.by_pitch, r->com) / r->size,
                r->weight * omr_dot3(lift.by_roll, r->com) / r->size}};

  /* A sprung wheel finds its place between contacts and spring first. */
  for (int i = 0; i < r->wheels; i++) {
    omr_deep_point three[3];
    double given_way;
    contacts_of(r, i, at, 0, three);
    const double travel = travel_of(r, i, three, up[1], lift.is[1], &given_way);
    const double raised = r->w[i][W_UNSPRUNG] * r->gravity * travel;

    /* A wheel on its spring stores energy of weight and spring. */
    if (travel != 0) {
      contacts_of(r, i, at, travel, three);
      v.energy += raised * lift.is[1] +
                  travel * (r->w[i][W_PRELOAD] + 0.5 * r->w[i][W_SUSPENSION_STIFFNESS] * travel);
      v.slope[1] += raised * lift.by_pitch[1] / r->size;
      v.slope[2] += raised * lift.by_roll[1] / r->size;
    }

    /* Each contact adds its spring. */
    for (int j = 0; j < 3; j++) {
      const omr_spring s = omr_spring_at(r->w[i][W_CONTACT_STIFFNESS], r->hertz, three[j].depth);
      double g[UNKNOWNS];
      gap_rates(r, at, &floor, &three[j], g);
      v.energy += s.energy;
      for (int a = 0; a < UNKNOWNS; a++) {
        v.slope[a] -= s.force * g[a];
        for (int b = 0; b < UNKNOWNS; b++) v.bend[a][b] += (1 - given_way) * s.slope * g[a] * g[b];
      }
    }
  }

  return v;
}

static double size_of(const double a[UNKNOWNS]) {
  return __builtin_sqrt(omr_dot3(a, a));
}

/* Solves (bend + lift) step = -slope by Cholesky's factor; false where the matrix is not definite.
 */
static bool solve(const valley *v, double lift, double step[UNKNOWNS]) {
  /* The factor. */
  double l[UNKNOWNS][UNKNOWNS] = {{0}};
  for (int j = 0; j < UNKNOWNS; j++) {
    for (int i = j; i < UNKNOWNS; i++) {
      double sum = v->bend[i][j] + (i == j ? lift : 0);
      for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 1e-14 * (v->bend[j][j] + lift))) return false;
      l[i][j] = i == j ? __builtin_sqrt(sum) : sum / l[j][j];
    }
  }

  /* Forward, then backward substitution. */
  for (int i = 0; i < UNKNOWNS; i++) {
    step[i] = -v->slope[i];
    for (int k = 0; k < i; k++) step[i] -= l[i][k] * step[k];
    step[i] /= l[i][i];
  }

  for (int i = UNKNOWNS - 1; i >= 0; i--) {
    for (int k = i + 1; k < UNKNOWNS; k++) step[i] -= l[k][i] * step[k];
    step[i] /= l[i][i];
  }

  return true;
}

/* The equations, with a column for the right side; false where they are singular. */
static bool eliminate(double m[UNKNOWNS][UNKNOWNS + 1], double x[UNKNOWNS]) {
  for (int j = 0; j < UNKNOWNS; j++) {
    int pivot = j;
    for (int i = j + 1; i < UNKNOWNS; i++)
      if (fabs(m[i][j]) > fabs(m[pivot][j])) pivot = i;
    for (int k = 0; k <= UNKNOWNS; k++) {
      const double kept = m[j][k];
      m[j][k] = m[pivot][k];
      m[pivot][k] = kept;
    }
    if (m[j][j] == 0) return false;
    for (int i = j + 1; i < UNKNOWNS; i++)
      for (int k = UNKNOWNS; k >= j; k--) m[i][k] -= m[i][j] / m[j][j] * m[j][k];
  }
  for (int j = UNKNOWNS - 1; j >= 0; j--) {
    x[j] = m[j][UNKNOWNS];
    for (int k = j + 1; k < UNKNOWNS; k++) x[j] -= m[j][k] * x[k];
    x[j] /= m[j][j];
  }
  return true;
}

static omr_attitude moved(const rest_of *r, const omr_attitude *at, int unknown, double by) {
  omr_attitude to = *at;
  if (unknown == 0) to.height += by;
  if (unknown == 1) to.pitch += by / r->size;
  if (unknown == 2) to.roll += by / r->size;
  return to;
}

/* The height at which the springs carry the weight. */
static void sink(const rest_of *r, omr_attitude *at) {
  double low = at->height - r->w[0][W_RADIUS], high = at->height + r->w[0][W_RADIUS];
  for (int n = 0; n < MOST_STEPS; n++) {
    at->height = 0.5 * (low + high);
    *(look(r, at).slope[0] > 0 ? &high : &low) = at->height;
  }
}

/* Wheels on one line balance the vehicle where the slopes of the energy are 0, on a hill of it as
 * in a valley: Newton's method on the slopes, with their differences for second derivatives. */
static bool find_balance(const rest_of *r, omr_attitude *at) {
  const double reach = 1e-6 * r->size;
  sink(r, at);
  for (int n = 0; n < MOST_STEPS; n++) {
    const valley here = look(r, at);
    double m[UNKNOWNS][UNKNOWNS + 1], step[UNKNOWNS];
    if (size_of(here.slope) <= 1e-3 * AT_REST * r->weight) break;
    for (int b = 0; b < UNKNOWNS; b++) {
      const omr_attitude up = moved(r, at, b, reach), down = moved(r, at, b, -reach);
      const valley above = look(r, &up), below = look(r, &down);
      for (int a = 0; a < UNKNOWNS; a++) m[a][b] = (above.slope[a] - below.slope[a]) / (2 * reach);
      m[b][UNKNOWNS] = -here.slope[b];
    }
    if (!eliminate(m, step)) return false;
    const double length = size_of(step), most = 0.1 * r->size,
                 part = length > most ? most / length : 1;
    for (int b = 0; b < UNKNOWNS; b++) *at = moved(r, at, b, part * step[b]);
  }
  return size_of(look(r, at).slope) <= AT_REST * r->weight && fabs(at->pitch) < MOST_TILT &&
         fabs(at->roll) < MOST_TILT;
}

/* Newton's method with the springs' part of the second derivatives; where wheels hang in the air a
 * lift regularises the rest (Levenberg and Marquardt). */
static bool find_rest(const rest_of *r, omr_attitude *at) {
  if (r->line) return find_balance(r, at);
  /* The lift starts at 0 and grows only where a step fails. */
  const double stiff = r->weight / (1e-4 * r->size);
  double lift = 0;
  valley here = look(r, at);
  for (int n = 0; n < MOST_STEPS && size_of(here.slope) > SETTLED * r->weight; n++) {
    double step[UNKNOWNS];

    if (solve(&here, lift, step)) {
      const double length = size_of(step), most = 0.05 * r->size,
                   part = length > most ? most / length : 1;
      const omr_attitude next = {at->height + part * step[0], at->pitch + part * step[1] / r->size,
                                 at->roll + part * step[2] / r->size};
      const valley there = look(r, &next);
      /* Near the rest, energies are equal within rounding. */
      if (there.energy < here.energy || size_of(there.slope) < 0.5 * size_of(here.slope)) {
        *at = next;
        here = there;
        lift *= 0.1;
        if (lift < 1e-6 * stiff) lift = 0;
        continue;
      }
      if (size_of(here.slope) < 1e-3 * AT_REST * r->weight) break;
    }

    /* A failed step is repeated with more lift. */
    lift = lift > 0 ? 10 * lift : 1e-3 * stiff;
    if (lift > 1e9 * stiff) break;
  }

  /* A rest needs balance and an upright vehicle. */
  return size_of(here.slope) <= AT_REST * r->weight && fabs(at->pitch) < MOST_TILT &&
         fabs(at->roll) < MOST_TILT;
}

#define PARAM(id) batch->params[(size_t)(id)*batch->stride + slot]

/* Whether the wheels that share the weight stand on one line. */
static bool on_a_line(const omr_study *study, const omr_vehicle_body *body) {
  double n = 0, mx = 0, mz = 0, xx = 0, zz = 0, xz = 0;
  for (int i = 0; i < body->wheels; i++) {
    if (study->kind[i] == OMR_WHEEL_TRACKING) continue;
    const double x = body->wheel[i].a, z = body->wheel[i].b;
    n++;
    mx += x;
    mz += z;
    xx += x * x;
    zz += z * z;
    xz += x * z;
  }
  xx -= mx * mx / n;
  zz -= mz * mz / n;
  xz -= mx * mz / n;
  return !(xx * zz - xz * xz > 1e-10 * (xx + zz) * (xx + zz));
}

static void describe(const omr_study *study, const omr_values *values, const omr_vehicle_body *body,
                     const omr_batch *batch, size_t slot, rest_of *r) {
  /* Weight and centre of mass. */
  *r = (rest_of){.wheels = body->wheels,
                 .hertz = study->contact.hertz,
                 .sprung = study->contact.suspension,
                 .line = on_a_line(study, body),
                 .gravity = values->vehicle[OMR_VP_GRAVITY],
                 .weight = PARAM(P_WEIGHT),
                 .com = {PARAM(P_COM_X), PARAM(P_HEIGHT), PARAM(P_COM_Z)}};

  /* Place, heading and floor. */
  double square = 0, up[3];
  omr_floor_up(values, up);
  r->x = values->vehicle[OMR_VP_INITIAL_X];
  r->z = values->vehicle[OMR_VP_INITIAL_Z];
  r->yaw = values->vehicle[OMR_VP_INITIAL_YAW];
  omr_floor_make(study, values, &r->floor);
  omr_to_level(r->yaw, up, r->lift);

  /* Each wheel with the roller below it; their distances set the scale of angles. */
  for (int i = 0; i < body->wheels; i++) {
    double index;
    const omr_wheel_body *w = &body->wheel[i];
    for (int j = 0; j < W_COUNT; j++) r->w[i][j] = PARAM(OMR_PARAM_COLUMN(i, j));
    omr_turn_fork(study->kind[i], values->wheel[i][OMR_WP_STEER], r->w[i]);
    r->locked = r->locked || (r->sprung && isnan(r->w[i][W_PRELOAD]));
    omr_roller_below(values->wheel[i][OMR_WP_ANGLE], values->wheel[i][OMR_WP_RATE], w->roller.alpha,
                     &index, &r->q[i]);
    r->row[i] = omr_roller_row(&w->roller, omr_roller_active(&w->roller, index));
    const double x = w->a - r->com[0], z = w->b - r->com[2];
    square += x * x + z * z;
  }

  r->size = __builtin_sqrt(square / body->wheels);
}

/* Sets the motion: the study gives velocities along the heading, level, and turns about the
 * vertical and the body's own axes. */
static void set_motion(const double *p, omr_start *start) {
  double st, ct, sp, cp, up[3];
  const double x = p[OMR_VP_INITIAL_VX], y = p[OMR_VP_INITIAL_HEAVE_RATE], z = p[OMR_VP_INITIAL_VZ],
               yaw = p[OMR_VP_INITIAL_YAW_RATE];
  omr_math_sincos(start->attitude.pitch, &st, &ct);
  omr_math_sincos(start->attitude.roll, &sp, &cp);
  omr_up_of(&start->attitude, up);
  const double nose = ct * x + st * y, top = ct * y - st * x;
  start->velocity[0] = nose;
  start->velocity[1] = cp * top + sp * z;
  start->velocity[2] = cp * z - sp * top;
  start->rate[0] = p[OMR_VP_INITIAL_ROLL_RATE] + yaw * up[0];
  start->rate[1] = yaw * up[1];
  start->rate[2] = p[OMR_VP_INITIAL_PITCH_RATE] + yaw * up[2];
}

/* Travels of the wheels, which are their rest values if the vehicle starts at rest and 0 otherwise,
 * and the set of wheels on the floor. */
static void look_at_wheels(const rest_of *r, const omr_attitude *rest, bool rests,
                           omr_start *start) {
  double resting[3], lift[3];
  omr_up_of(rest, resting);
  omr_in_body(rest, r->lift, lift);
  for (int i = 0; i < r->wheels; i++) {
    omr_deep_point three[3];
    double share;
    contacts_of(r, i, rest, 0, three);
    start->travel[i] = rests ? travel_of(r, i, three, resting[1], lift[1], &share) : 0;
    contacts_of(r, i, &start->attitude, start->travel[i], three);
    if (three[0].depth > 0 || three[1].depth > 0 || three[2].depth > 0) start->loaded |= 1 << i;
  }
}

/* Preloads each spring without a given preload with its load at rest, the wheel in its place, or
 * with the wheel's share of the weight where there is no rest. */
static void preload_springs(rest_of *r, const omr_attitude *at, bool rests, omr_batch *batch,
                            size_t slot) {
  double up[3], lift[3];
  omr_up_of(at, up);
  omr_in_body(at, r->lift, lift);
  for (int i = 0; i < r->wheels; i++) {
    omr_deep_point three[3];
    contacts_of(r, i, at, 0, three);
    const double load =
        rests ? spring_of_wheel(r, i, three, 0, up[1]).force : r->weight / r->wheels;
    if (isnan(r->w[i][W_PRELOAD]))
      r->w[i][W_PRELOAD] = (load - unsprung_weight(r, i, up[1], lift[1])) * up[1];
    *omr_at(batch->params, batch, slot, OMR_PARAM_COLUMN(i, W_PRELOAD)) = r->w[i][W_PRELOAD];
  }
  r->locked = false;
}

/* appendix/springs.md#springs */
bool omr_compliant_start(const omr_study *study, const omr_values *values,
                         const omr_vehicle_body *body, omr_batch *batch, size_t slot,
                         omr_start *start, char *reason, size_t size) {
  const double *p = values->vehicle, height = p[OMR_VP_INITIAL_HEIGHT];
  rest_of r;

  /* Open preloads follow from the rest with the wheels in their places. */
  describe(study, values, body, batch, slot, &r);
  omr_attitude rest = {omr_floor_at(&r.floor, r.x, r.z).height, 0, 0};
  if (r.locked) {
    const bool rests = find_rest(&r, &rest);
    preload_springs(&r, &rest, rests, batch, slot);
  }

  /* Without a height the vehicle starts at rest. */
  if (isnan(height) && !find_rest(&r, &rest))
    return omr_deny(reason, size,
                    "the vehicle has no rest on its wheels, from which it would start: its centre "
                    "of mass stands outside of them, or the springs are too soft; move it, take "
                    "stiffer springs, or give initial.height%s",
                    r.line ? ", at which it starts with initial.pitch and initial.roll" : "");

  /* The study's attitude and motion come on top. */
  *start = (omr_start){.attitude = rest};
  if (!isnan(height)) start->attitude = (omr_attitude){height, 0, 0};

  /* Pitch and roll that the study gives add to the rest. */
  start->attitude.pitch += p[OMR_VP_INITIAL_PITCH];
  start->attitude.roll += p[OMR_VP_INITIAL_ROLL];
  set_motion(p, start);
  look_at_wheels(&r, &rest, isnan(height), start);
  return true;
}

double omr_carried_spin(const omr_wheel_body *w, const omr_start *start, double q, double rate) {
  const omr_roller *r = &w->roller;
  const double *turn = start->rate;
  double s, c;
  omr_math_sincos(q, &s, &c);
  const double ahead = turn[0] * w->cos_delta - turn[2] * w->sin_delta,
               axle = turn[0] * w->sin_delta + turn[2] * w->cos_delta;
  return r->cos_psi * (c * ahead + s * turn[1]) + r->sin_psi * (axle + rate);
}

/* Reduces the slip of the contact point by the roller's spin, which moves the point about its axis,
 * level. */
static bool least_slip(const double w[W_COUNT], const omr_start *start, const double up[3],
                       const omr_deep_point *point, double rate, double *spin) {
  const double center[3] = {w[W_A], w[W_RADIUS], w[W_B]}, axle[3] = {w[W_SIN], 0, w[W_COS]};
  double arm[3], slip[3], turned[3], per_spin[3];
  for (int j = 0; j < 3; j++) arm[j] = point->place[j] - center[j];
  omr_cross3(start->rate, point->place, slip);
  omr_cross3(axle, arm, turned);
  omr_cross3(point->axis, up, per_spin);
  for (int j = 0; j < 3; j++) {
    slip[j] += start->velocity[j] + rate * turned[j];
    per_spin[j] *= point->lever;
  }
  const double square = omr_dot3(per_spin, per_spin);
  if (!(square > 1e-12 * w[W_RADIUS] * w[W_RADIUS])) return false;
  *spin -= omr_dot3(slip, per_spin) / square;
  return true;
}

bool omr_roll_rollers(const double w[W_COUNT], const omr_start *start, double q, double row,
                      double rate, double *const spins[3]) {
  omr_deep_point three[3];
  double up[3];
  omr_up_of(&start->attitude, up);
  omr_deepest_three(w, q, row, up, start->attitude.height, three);
  for (int j = 0; j < 3; j++) {
    if (j > 0 && !(three[j].depth > 0)) continue;
    if (!least_slip(w, start, up, &three[j], rate, spins[j]) && j == 0) return false;
  }
  return true;
}
