/* Initial state: the rollers on the floor and the spins of all rollers. */
#include "compliant.h"

#include "../../kernels/scalar_math.h"
#include <math.h>

#define FIRST_PASS 1e-3 /* s: longest first pass of controlled steps */

/* Spin of the contact roller for least slip; it is exact along the direction in which the roller
 * can roll. */
static bool rolling_spin(const omr_wheel_body *w, const double *p, double q, double row,
                         double rate, double locked, double *spin) {
  double s, c, vx = p[OMR_VP_INITIAL_VX], vz = p[OMR_VP_INITIAL_VZ],
               omega = p[OMR_VP_INITIAL_YAW_RATE];
  const omr_roller *r = &w->roller;
  omr_math_sincos(q, &s, &c);
  double h = r->radius - r->center / c, offset = r->center * s / c * r->sin_psi / r->cos_psi - row;
  double across = w->a * w->sin_delta + w->b * w->cos_delta,
         along = w->a * w->cos_delta - w->b * w->sin_delta;
  double vi = w->cos_delta * vx - w->sin_delta * vz + omega * (across - offset) + r->radius * rate;
  double vk = w->sin_delta * vx + w->cos_delta * vz - omega * along;
  double di = h * r->sin_psi, dk = -h * r->cos_psi * c,
         length2 = di * di + dk * dk; /* slip per phi' */
  if (!(h > 1e-6 * r->radius)) return false;
  *spin = locked - (vi * di + vk * dk) / length2;
  return true;
}

/* Sines and cosines of q + 2 alpha (j - active) over the rollers j of a wheel. Each thread keeps
 * the last ones: most wheels have the same rollers and start in the same position. */
typedef struct turned {
  double q, alpha, sine[OMR_MAX_ROLLERS], cosine[OMR_MAX_ROLLERS];
  int active, rollers;
} turned;

static _Thread_local turned last_turned, last_idle;

static const turned *turn_rollers(turned *t, const omr_roller *r, double q, int active) {
  if (t->q == q && t->alpha == r->alpha && t->active == active && t->rollers == r->rollers)
    return t;
  for (int j = 0; j < r->rollers; j++)
    omr_math_sincos(q + 2 * r->alpha * (j - active), &t->sine[j], &t->cosine[j]);
  t->q = q;
  t->alpha = r->alpha;
  t->active = active;
  t->rollers = r->rollers;
  return t;
}

/* A wheel at the start. */
typedef struct starting_wheel {
  const omr_wheel_body *body;
  int number, active; /* numbers of the wheel and of the roller in contact */
  double q, row;      /* position of that roller */
  double rate;
} starting_wheel;

/* Writes the spins of a wheel's rollers into spin[]. False where the roller in contact cannot roll,
 * since it stands on its pointed tip. */
static bool set_spins(const omr_study *study, const omr_values *values, const starting_wheel *at,
                      double *spin) {
  const double *p = values->vehicle;
  double omega = p[OMR_VP_INITIAL_YAW_RATE];
  const omr_roller *r = &at->body->roller;
  const turned *t =
      study->spins == OMR_SPINS_VALUES ? NULL : turn_rollers(&last_turned, r, at->q, at->active);
  for (int j = 0; j < r->rollers; j++) {
    if (t)
      spin[j] = omega * r->cos_psi * t->sine[j] + at->rate * r->sin_psi; /* phi' = 0 */
    else
      spin[j] = study->spin_values[at->number * OMR_MAX_ROLLERS + j];
  }
  double *active = &spin[at->active];
  return study->spins != OMR_SPINS_ROLLING ||
         rolling_spin(at->body, p, at->q, at->row, at->rate, *active, active);
}

/* Number of the roller before (-1) or after (1) the active one. */
static int neighbour(const starting_wheel *at, int side) {
  const int n = at->body->roller.rollers;
  return (at->active + side + n) % n;
}

/* The same on compliant contact, where the platform turns about all axes and several rollers carry
 * load. */
static bool set_compliant_spins(const omr_study *study, const omr_start *start,
                                const omr_batch *batch, size_t slot, const starting_wheel *at,
                                double *spin) {
  const omr_roller *r = &at->body->roller;
  double w[W_COUNT];
  for (int j = 0; j < r->rollers; j++) {
    const double q = at->q + 2 * r->alpha * (j - at->active);
    spin[j] = study->spins == OMR_SPINS_VALUES
                  ? study->spin_values[at->number * OMR_MAX_ROLLERS + j]
                  : omr_carried_spin(at->body, start, q, at->rate);
  }
  if (study->spins != OMR_SPINS_ROLLING) return true;
  for (int j = 0; j < W_COUNT; j++)
    w[j] = *omr_at(batch->params, batch, slot, OMR_PARAM_COLUMN(at->number, j));
  double *const spins[3] = {&spin[at->active], &spin[neighbour(at, -1)], &spin[neighbour(at, 1)]};
  return omr_roll_rollers(w, start, at->q, at->row, at->rate, spins);
}

/* Writes the columns of the rollers' spins and sums up the spins that are no states of the wheel.
 */
static void put_spins(const omr_study *study, const omr_run_settings *settings,
                      const starting_wheel *at, const double *spin, omr_batch *batch, size_t slot,
                      double t[T_COUNT]) {
  /* On compliant contact the neighbours carry load too. */
  const omr_roller *r = &at->body->roller;
  const bool neighbours = study->contact.compliant && r->rollers > 1;
  const int before = neighbours ? neighbour(at, -1) : -1,
            after = neighbours ? neighbour(at, 1) : -1;
  const turned *idle = turn_rollers(&last_idle, r, 0, at->active);

  /* Rollers that carry load are states of the wheel. */
  t[T_SPIN] = spin[at->active];
  if (neighbours) {
    t[T_BEFORE] = spin[before];
    t[T_AFTER] = spin[after];
  }

  /* All others enter the sums of the idle rollers. */
  for (int j = 0; j < r->rollers; j++) {
    *omr_spin_at(settings, batch, slot, at->number * settings->integers[K_MAX_ROLLERS] + j) =
        spin[j];
    if (j == at->active || j == before || j == after) continue;
    t[T_IDLE_COS] += spin[j] * idle->cosine[j];
    t[T_IDLE_SIN] += spin[j] * idle->sine[j];
    t[T_IDLE_SUM] += spin[j];
    t[T_IDLE_SQUARE] += spin[j] * spin[j];
  }
}

/* What a bare wheel has in the place of its only roller's spin: the fork's rate, or 0. start: the
 * start on compliant contact. */
static double fork_rate(const omr_study *study, const omr_values *values, const omr_start *start,
                        int wheel) {
  if (!omr_wheel_swivels(study->kind[wheel])) return 0;
  const double platform =
      study->contact.compliant ? start->rate[1] : values->vehicle[OMR_VP_INITIAL_YAW_RATE];
  return platform + values->wheel[wheel][OMR_WP_STEER_RATE];
}

/* Returns false as set_spins does. start: the start on compliant contact. */
static bool set_wheel(const omr_study *study, const omr_run_settings *settings,
                      const omr_values *values, const omr_wheel_body *w, int i,
                      const omr_start *start, omr_batch *batch, size_t slot) {
  /* The roller below the axle, and the spins. */
  double index, t[T_COUNT] = {0}, spin[OMR_MAX_ROLLERS];
  starting_wheel at = {.body = w, .number = i, .rate = values->wheel[i][OMR_WP_RATE]};
  omr_roller_below(values->wheel[i][OMR_WP_ANGLE], at.rate, w->roller.alpha, &index, &at.q);
  if (omr_wheel_swivels(study->kind[i])) at.q = values->wheel[i][OMR_WP_STEER];
  at.active = omr_roller_active(&w->roller, index);
  at.row = omr_roller_row(&w->roller, at.active);
  if (omr_wheel_is_bare(study->kind[i]))
    spin[0] = fork_rate(study, values, start, i);
  else if (!(study->contact.compliant ? set_compliant_spins(study, start, batch, slot, &at, spin)
                                      : set_spins(study, values, &at, spin)))
    return false;

  /* The wheel's columns of the state. */
  t[T_Q] = at.q;
  t[T_RATE] = t[T_ASKED] = at.rate;
  t[T_ACTIVE] = at.active;
  t[T_INDEX] = index;
  t[T_ROW] = at.row;
  t[T_GRIP_INDEX] = index;
  t[T_STEER] = values->wheel[i][OMR_WP_STEER_ANGLE];
  const double grip = values->wheel[i][OMR_WP_GRIP_SPEED];
  t[T_GRIP_SPEED] = isnan(grip) ? values->wheel[i][OMR_WP_SLIP_SPEED] : grip;
  if (study->contact.suspension) t[T_TRAVEL] = start->travel[i];

  /* Spins of all rollers, then the columns of the wheel. */
  put_spins(study, settings, &at, spin, batch, slot, t);
  for (int j = 0; j < T_COUNT; j++)
    *omr_at(batch->state, batch, slot, OMR_STATE_COLUMN(i, j)) = t[j];
  return true;
}

/* Columns of a platform that heaves, pitches and rolls. */
static void set_platform(const omr_start *start, double v[S_COUNT]) {
  double up[3];
  omr_up_of(&start->attitude, up);
  v[S_HEIGHT] = start->attitude.height;
  v[S_PITCH] = start->attitude.pitch;
  v[S_ROLL] = start->attitude.roll;
  v[S_VX] = start->velocity[0];
  v[S_VY] = start->velocity[1];
  v[S_VZ] = start->velocity[2];
  v[S_ROLL_RATE] = start->rate[0];
  v[S_YAW_RATE] = start->rate[1];
  v[S_PITCH_RATE] = start->rate[2];
  v[S_LOADED] = start->loaded;
  v[S_MIN_UP] = up[1];
}

/* Extremes start beyond any value. */
static void set_extremes(double v[S_COUNT]) {
  v[S_MIN_WEIGHT] = 1;
  v[S_MIN_LOAD] = HUGE_VAL;
  v[S_MAX_LOAD] = v[S_PEAK_POWER] = -HUGE_VAL;
  v[S_SUPPLY_LEAST] = HUGE_VAL;
#define X(...)
#define COLUMN(...)
#define KEPT(id, quantity, columns, start, ...)                                                    \
  for (int j = 0; j < columns; j++) v[S_KEPT_##id + j] = start;
#include "../lists/observables.def"
#undef KEPT
#undef COLUMN
#undef X
  v[S_LAST_LEAST] = v[S_LEFT_LEAST] = 1e30; /* no step was made yet (kernels/looks.h) */
  v[S_LAST_MOST] = v[S_LEFT_MOST] = v[S_LEFT_SERVO2] = v[S_LEFT_SQUARE] = -1e30;
  v[S_GROWTH_LEAST] = v[S_GROWTH_MOST] = 1e35;
}

bool omr_set_initial(const omr_study *study, const omr_run_settings *settings,
                     const omr_values *values, const omr_vehicle_body *body, omr_batch *batch,
                     size_t slot, char *reason, size_t size) {
  /* On compliant contact the vehicle finds its rest first. */
  const double *p = values->vehicle;
  double v[S_COUNT] = {0};
  omr_start start = {.loaded = 0};
  if (study->contact.compliant &&
      !omr_compliant_start(study, values, body, batch, slot, &start, reason, size))
    return false;

  /* Pose and velocity; command and odometry start from the same pose. */
  v[S_X] = v[S_COMMAND_X] = v[S_ODO_X] = p[OMR_VP_INITIAL_X];
  v[S_Z] = v[S_COMMAND_Z] = v[S_ODO_Z] = p[OMR_VP_INITIAL_Z];
  v[S_COMMAND_YAW] = v[S_ODO_YAW] = p[OMR_VP_INITIAL_YAW];
  v[S_TURNS] = __builtin_rint(p[OMR_VP_INITIAL_YAW] / (2 * PI));
  v[S_YAW] = p[OMR_VP_INITIAL_YAW] - 2 * PI * v[S_TURNS];
  v[S_HOLD_YAW] = v[S_YAW];
  v[S_HOLD_TURNS] = v[S_TURNS];
  v[S_WAY_TIME] = -1;
  v[S_VX] = p[OMR_VP_INITIAL_VX];
  v[S_VZ] = p[OMR_VP_INITIAL_VZ];
  v[S_YAW_RATE] = p[OMR_VP_INITIAL_YAW_RATE];
  if (study->contact.compliant) set_platform(&start, v);

  set_extremes(v);
  v[S_SUBSTEPS] = 1;
  v[S_UNTIL] = 1e30; /* finite in single precision */

  /* The first pass is short, and counts as one after a jump of the motion. */
  v[S_TOLERANCE] = study->time.tolerance;
  v[S_NEXT] =
      -fmin(FIRST_PASS, study->time.duration); /* negative: after a jump (kernels/time/pace.h) */
  v[S_EVENT] = -1;                             /* not begun (kernels/time/controlled.h) */

  /* The columns of the vehicle, then the wheels. */
  for (int j = 0; j < S_COUNT; j++) *omr_at(batch->state, batch, slot, j) = v[j];
  for (int i = 0; i < body->wheels; i++) {
    if (set_wheel(study, settings, values, &body->wheel[i], i, &start, batch, slot)) continue;
    return omr_deny(reason, size,
                    "wheels[%d]: the wheel starts on the pointed tip of a roller, which cannot "
                    "roll; change initial.angle",
                    i);
  }

  /* Discs on penalty contact heave. */
  if (study->model == OMR_MODEL_DISC_VEHICLE) omr_set_heave(study, values, batch, slot);
  return true;
}
