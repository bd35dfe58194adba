/* A contact's point moves with the platform in all six degrees of freedom, with its wheel and with
 * its roller. The rates are the largest eigenvalues of R M^-1 R^T, where the rows R are these
 * velocities times the square root of the slope of the force along them. */
#include "stability_compliant.h"

#include "../model/compliant.h"
#include "../model/triple.h"
#include <math.h>

enum { POWER_STEPS = 60, MOST_ROWS = 2 * OMR_MAX_WHEELS };

#define PARAM(id) params[(size_t)(id)*OMR_PAD]
#define WHEEL(i, id) PARAM(OMR_PARAM_COLUMN(i, id))

/* Velocity of a point along a direction, as a linear form of the vehicle's velocities. */
typedef struct velocity_row {
  int wheel;
  double origin[3], turn[3], rate, spin;
} velocity_row;

static const double upright[3] = {0, 1, 0};

/* Whether a wheel is on a fork, which turns about the upright as a roller about its axis. */
static bool is_forked(const double *params, int i) {
  return WHEEL(i, W_ROLLERS) < 2 && WHEEL(i, W_INV_ROLLER_INERTIA) > 0;
}

static velocity_row row_along(const double *params, int i, const omr_deep_point *at,
                              const double direction[3]) {
  const bool forked = is_forked(params, i);
  const double trail = forked ? WHEEL(i, W_TRAIL) : 0, *axis = forked ? upright : at->axis;
  const double axle[3] = {WHEEL(i, W_SIN), 0, WHEEL(i, W_COS)},
               pivot[3] = {WHEEL(i, W_A), WHEEL(i, W_RADIUS), WHEEL(i, W_B)},
               center[3] = {pivot[0] - trail * axle[2], pivot[1], pivot[2] + trail * axle[0]};
  double arm[3], away[3], turned[3], swing[3];
  velocity_row r = {.wheel = i};

  /* Velocities by a turn about the axle and about the axis of the roller or fork. */
  for (int j = 0; j < 3; j++) {
    arm[j] = at->place[j] - center[j];
    away[j] = at->place[j] - pivot[j];
  }
  omr_cross3(axle, arm, turned);
  omr_cross3(axis, forked ? away : upright, swing);

  /* Components along the direction; a turn of the platform or the wheel also turns the roller. */
  omr_cross3(at->place, direction, r.turn);
  r.spin = (forked ? 1 : at->lever) * omr_dot3(swing, direction);
  r.rate = omr_dot3(turned, direction) - omr_dot3(axis, axle) * r.spin;
  for (int j = 0; j < 3; j++) {
    r.origin[j] = direction[j];
    r.turn[j] -= axis[j] * r.spin;
  }
  return r;
}

static velocity_row added(const velocity_row *a, double by_a, const velocity_row *b, double by_b) {
  velocity_row r = {.wheel = a->wheel,
                    .rate = by_a * a->rate + by_b * b->rate,
                    .spin = by_a * a->spin + by_b * b->spin};
  for (int j = 0; j < 3; j++) {
    r.origin[j] = by_a * a->origin[j] + by_b * b->origin[j];
    r.turn[j] = by_a * a->turn[j] + by_b * b->turn[j];
  }
  return r;
}

/* out = R M^-1 R^T in. */
static void apply(const double *params, const velocity_row *rows, int count, const double *in,
                  double *out) {
  const double com[3] = {PARAM(P_COM_X), PARAM(P_HEIGHT), PARAM(P_COM_Z)};
  double force[3] = {0}, moment[3] = {0}, rate[OMR_MAX_WHEELS] = {0}, spin[OMR_MAX_WHEELS] = {0},
         travel[OMR_MAX_WHEELS] = {0}, shift[3], turned[3];

  /* Forces and moments of the rows, summed for the platform and for each wheel. */
  for (int r = 0; r < count; r++) {
    for (int j = 0; j < 3; j++) {
      force[j] += in[r] * rows[r].origin[j];
      moment[j] += in[r] * rows[r].turn[j];
    }
    rate[rows[r].wheel] += in[r] * rows[r].rate;
    spin[rows[r].wheel] += in[r] * rows[r].spin;
    travel[rows[r].wheel] += in[r] * rows[r].origin[1];
  }

  /* The moment about the centre of mass, without the share that turns the wheels. */
  omr_cross3(com, force, shift);
  for (int j = 0; j < 3; j++) moment[j] -= shift[j];
  for (int i = 0; i < OMR_MAX_WHEELS; i++) {
    if (rate[i] == 0) continue; /* also for wheels that do not exist */
    moment[0] -= WHEEL(i, W_MOMENTUM_RATIO) * rate[i] * WHEEL(i, W_SIN);
    moment[2] -= WHEEL(i, W_MOMENTUM_RATIO) * rate[i] * WHEEL(i, W_COS);
  }

  /* Accelerations of the platform. */
  turned[0] =
      PARAM(P_TURN_XX) * moment[0] + PARAM(P_TURN_XY) * moment[1] + PARAM(P_TURN_XZ) * moment[2];
  turned[1] =
      PARAM(P_TURN_XY) * moment[0] + PARAM(P_TURN_YY) * moment[1] + PARAM(P_TURN_YZ) * moment[2];
  turned[2] =
      PARAM(P_TURN_XZ) * moment[0] + PARAM(P_TURN_YZ) * moment[1] + PARAM(P_TURN_ZZ) * moment[2];
  omr_cross3(turned, com, shift);
  for (int j = 0; j < 3; j++) force[j] = force[j] * PARAM(P_INV_MASS) - shift[j];

  /* Accelerations along the rows, with wheel and roller. */
  for (int r = 0; r < count; r++) {
    const int i = rows[r].wheel;
    const double axle = turned[0] * WHEEL(i, W_SIN) + turned[2] * WHEEL(i, W_COS);
    out[r] =
        omr_dot3(rows[r].origin, force) + omr_dot3(rows[r].turn, turned) +
        rows[r].rate * (WHEEL(i, W_INV_INERTIA) * rate[i] - WHEEL(i, W_MOMENTUM_RATIO) * axle) +
        rows[r].spin * WHEEL(i, W_INV_ROLLER_INERTIA) * spin[i];
    /* A sprung wheel yields by its own mass. The body then moves less, which is left out: the
     * result is an upper bound. Columns of a vehicle without springs are 0. */
    if (WHEEL(i, W_SUSPENSION_STIFFNESS) > 0)
      out[r] += rows[r].origin[1] * travel[i] / WHEEL(i, W_UNSPRUNG);
  }
}

static double largest_eigenvalue(const double *params, const velocity_row *rows, int count) {
  double x[MOST_ROWS], y[MOST_ROWS], largest = 0;
  for (int j = 0; j < count; j++) x[j] = 1 + 0.1 * j;
  for (int step = 0; step < POWER_STEPS; step++) {
    double norm2 = 0;
    apply(params, rows, count, x, y);
    for (int j = 0; j < count; j++) norm2 += y[j] * y[j];
    largest = sqrt(norm2);
    if (!(largest > 0)) return 0;
    for (int j = 0; j < count; j++) x[j] = y[j] / largest;
  }
  return largest;
}

/* Deepest points of the active roller at angle q and of its two neighbours. */
static void points_of(const double *params, int i, double q, omr_deep_point three[3]) {
  double w[W_COUNT];
  for (int j = 0; j < W_COUNT; j++) w[j] = WHEEL(i, j);
  if (is_forked(params, i)) omr_turn_fork(OMR_WHEEL_CASTER, 0, w);
  omr_deepest_three(w, q, 0, upright, 0, three);
}

double omr_compliant_slip_rate(const double *params, int wheels, int side,
                               const omr_slip_root *roots) {
  velocity_row rows[MOST_ROWS];
  for (int i = 0; i < wheels; i++) {
    const double along[3] = {WHEEL(i, W_COS), 0, -WHEEL(i, W_SIN)},
                 across[3] = {WHEEL(i, W_SIN), 0, WHEEL(i, W_COS)};
    omr_deep_point three[3];
    points_of(params, i, WHEEL(i, W_ALPHA) < NO_EDGE ? side * WHEEL(i, W_ALPHA) : 0, three);
    const velocity_row one = row_along(params, i, &three[0], along),
                       two = row_along(params, i, &three[0], across);
    rows[2 * i] = added(&one, roots[i].ii, &two, roots[i].ik);
    rows[2 * i + 1] = added(&one, roots[i].ik, &two, roots[i].kk);
  }
  return largest_eigenvalue(params, rows, 2 * wheels);
}

/* Slope of a contact's spring [N/m], and damping [N s/m], under a load. */
static void contact_slopes(const int *settings, const double *params, int i, double load,
                           double *stiffness, double *damping) {
  const double k = WHEEL(i, W_CONTACT_STIFFNESS);
  *stiffness = settings[K_HERTZ] ? 1.5 * k * cbrt(load / k) : k;
  *damping = settings[K_KELVIN_VOIGT] ? WHEEL(i, W_CONTACT_DAMPING) : WHEEL(i, W_CROSSLEY) * load;
}

/* Swing with `contacts` rollers, 1 or 2, below each wheel. */
static void swing_on(const int *settings, const double *params, int contacts, double *stiffness,
                     double *damping) {
  /* Everything stands on `count` contacts, at up to twice the weight or at a landing's load. */
  const int wheels = settings[K_WHEELS], count = contacts * wheels;
  const double weight = PARAM(P_WEIGHT),
               load = (weight + fmax(weight, PARAM(P_EXTERNAL_DOWN))) / count;
  velocity_row stiff[MOST_ROWS], damped[MOST_ROWS];

  for (int i = 0; i < wheels; i++) {
    double k, d;
    omr_deep_point three[3];
    contact_slopes(settings, params, i, load, &k, &d);
    points_of(params, i, contacts > 1 && WHEEL(i, W_ALPHA) < NO_EDGE ? WHEEL(i, W_ALPHA) : 0,
              three);
    for (int c = 0; c < contacts; c++) { /* at the edge the second roller is the one before */
      const velocity_row down = row_along(params, i, &three[c], upright);
      stiff[contacts * i + c] = added(&down, sqrt(k), &down, 0);
      damped[contacts * i + c] = added(&down, sqrt(d), &down, 0);
    }
  }

  /* Springs and dampers bound the step separately. */
  *stiffness = fmax(*stiffness, largest_eigenvalue(params, stiff, count));
  *damping = fmax(*damping, largest_eigenvalue(params, damped, count));
}

void omr_compliant_swing(const int *settings, const double *params, double *stiffness,
                         double *damping) {
  *stiffness = *damping = 0;
  const int most = settings[K_CONTACT] ? 1 : 2; /* a disc has no second roller */
  for (int contacts = 1; contacts <= most; contacts++)
    swing_on(settings, params, contacts, stiffness, damping);
}
