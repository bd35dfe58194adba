/* Rates of decay that bound the step. Friction decays slip at a rate of at most lambda_max(D J_t
 * M^-1 J_t^T), where D is the loads times the largest slopes of the law over the slip; constraints
 * decay the remaining slip at the rate gamma; heave swings on the springs of penalty contact, and
 * heave, pitch and roll swing on the springs of compliant contact; a small model gives its fastest
 * rate. */
#include "stability_rates.h"

#include "../../kernels/layout.h"
#include "../../kernels/scalar_math.h"
#include "../../kernels/small/small_layout.h"
#include "../model/fold.h"
#include "../model/loads.h"
#include "law_slopes.h"
#include "stability_compliant.h"
#include <math.h>

enum { POWER_STEPS = 60 };

#define PARAM(id) params[(size_t)(id)*OMR_PAD]
#define WHEEL(i, id) PARAM(OMR_PARAM_COLUMN(i, id))

/* Limit of the method's stability on the negative real axis: |R(-x)| <= 1 up to here. RK4: the root
 * of x^3 - 4 x^2 + 12 x = 24; the second-order methods and Euler: 2. Rosenbrock is L-stable for
 * friction and Heun's method for the rest. */
static double real_limit(omr_method method) {
  return method == OMR_METHOD_RK4 ? 2.785293563405282 : 2;
}

/* ---- slopes of the laws */

/* Largest friction coefficient that wheel i meets on the ground of this instance. */
static double peak_friction(const int *settings, const double *params, int i) {
  double own = WHEEL(i, W_FRICTION), peak = own;
  if (settings[K_GROUND] == OMR_GROUND_DIP) peak = own * fmax(1, PARAM(P_GROUND_BASE));
  if (settings[K_GROUND] == OMR_GROUND_STEP)
    peak = own * (PARAM(P_GROUND_BASE) + fabs(PARAM(P_GROUND_GAIN)));
  for (int patch = 0; patch < OMR_PATCHES; patch++) {
    if (settings[K_PATCH_0 + patch] == OMR_PATCH_NONE) continue;
    peak = fmax(peak, PARAM(P_PATCH0_FRICTION + patch * (P_PATCH1_X - P_PATCH0_X)));
  }
  return peak;
}

/* Largest slopes of the force per load over the slip. Relaxed constraints give mu tanh(k_F rho/3)
 * tanh(v/v_ref), whose slope is at most mu/v_ref, at large demand rho. */
static omr_law_slopes steepest(const int *settings, const double *params, int i) {
  double wheel[W_COUNT], peak = peak_friction(settings, params, i);
  if (settings[K_LAW] == OMR_LAW_RELAXED && settings[K_WEIGHTS] != OMR_WEIGHTS_TANH) {
    const double slope = peak * WHEEL(i, W_INV_REFERENCE);
    return (omr_law_slopes){.x = slope, .y = slope, .cosine = 1};
  }
  for (int j = 0; j < W_COUNT; j++) wheel[j] = WHEEL(i, j);
  const bool bare = omr_wheel_is_bare((omr_wheel_kind)settings[K_KIND_0 + i]);
  return omr_friction_slopes(settings, settings[bare ? K_TYRE_LAW : K_LAW], wheel, peak);
}

/* ---- contacts at the start */

/* A contact of the vehicle with its roller at some angle. */
typedef struct contact_rows {
  double row[2][3];  /* slip Jacobian, rows i and k, with respect to (yaw rate, wheel rate, spin) */
  double x, z;       /* contact point, body axes */
  double ii, ik, kk; /* square root of load times slopes */
} contact_rows;

/* Contact of wheel i with its roller at `side` (-1, 0, 1) times alpha (kernels/geometry.h). A disc
 * is a roller as large as the wheel at 0, with its axis on the floor: no height, no spin. */
static contact_rows rows_at(const double *params, int i, int side) {
  /* Geometry of the roller: height h of its axis, offset of the contact along it. A bare wheel has
   * no edge; its fork stands in the place of a roller. */
  double sine, cosine;
  omr_math_sincos(WHEEL(i, W_ALPHA) < NO_EDGE ? side * WHEEL(i, W_ALPHA) : 0, &sine, &cosine);
  double h = WHEEL(i, W_RADIUS) - WHEEL(i, W_CENTER) / cosine, s = WHEEL(i, W_SIN_PSI),
         c = WHEEL(i, W_COS_PSI);
  double offset = WHEEL(i, W_SHIFT) * sine / cosine, up = c * sine, along = c * cosine;

  /* Slip by the roller's spin, then by yaw and wheel rate about the contact. */
  contact_rows r;
  r.row[0][2] = h * s;
  r.row[1][2] = -h * along;
  r.row[0][0] = WHEEL(i, W_ACROSS) - offset - r.row[0][2] * up;
  r.row[1][0] = -WHEEL(i, W_ALONG) - r.row[1][2] * up;
  r.row[0][1] = WHEEL(i, W_RADIUS) - r.row[0][2] * s;
  r.row[1][1] = -r.row[1][2] * s;

  /* The contact point in body axes. */
  r.x = WHEEL(i, W_A) - offset * WHEEL(i, W_SIN);
  r.z = WHEEL(i, W_B) - offset * WHEEL(i, W_COS);
  r.ii = r.ik = r.kk = 0;
  return r;
}

/* The weight plus the largest load that an external force adds. */
#define CARRIED (PARAM(P_WEIGHT) + PARAM(P_EXTERNAL_DOWN))

/* Loads at rest. Penalty contact heaves without tilting: its wheels share the weight in proportion
 * to their stiffness. */
static void static_loads(const int *settings, const double *params, int wheels,
                         const contact_rows *contacts, double *loads) {
  double stiffness = 0;
  loads[0] = CARRIED;
  if (wheels == 1) return;
  if (!settings[K_PENALTY]) {
    double place[OMR_MAX_WHEELS][2], shared[OMR_MAX_WHEELS];
    double carried[3] = {CARRIED, CARRIED * PARAM(P_COM_X), CARRIED * PARAM(P_COM_Z)};
    int count = 0;
    for (int i = 0; i < wheels; i++) {
      const bool tracked = settings[K_KIND_0 + i] == OMR_WHEEL_TRACKING;
      const double at[3] = {1, contacts[i].x, contacts[i].z};
      loads[i] = WHEEL(i, W_TRACKED_LOAD);
      for (int r = 0; r < 3 && tracked; r++) carried[r] -= loads[i] * at[r];
      if (tracked) continue;
      place[count][0] = at[1];
      place[count++][1] = at[2];
    }
    omr_plane_loads((const double(*)[2])place, count, carried, shared);
    for (int i = wheels - 1; i >= 0; i--)
      if (settings[K_KIND_0 + i] != OMR_WHEEL_TRACKING) loads[i] = shared[--count];
    return;
  }
  for (int i = 0; i < wheels; i++) stiffness += WHEEL(i, W_STIFFNESS);
  for (int i = 0; i < wheels; i++) loads[i] = CARRIED * WHEEL(i, W_STIFFNESS) / stiffness;
}

/* D^1/2 of wheel i: friction per slip in the two directions of the law. */
static void weigh(const int *settings, const double *params, int i, double load, contact_rows *r) {
  const omr_law_slopes slopes = steepest(settings, params, i);
  const double s = slopes.sine, c = slopes.cosine;
  const double x = sqrt(fmax(load, 0) * slopes.x), y = sqrt(fmax(load, 0) * slopes.y);
  r->ii = x * s * s + y * c * c;
  r->ik = (x - y) * s * c;
  r->kk = x * c * c + y * s * s;
}

/* ---- the fastest decay of slip */

/* Force and moment of a contact for an input along its rows, weighed. */
static void push(const contact_rows *k, const double *in, double *a, double *b) {
  *a = k->ii * in[0] + k->ik * in[1];
  *b = k->ik * in[0] + k->kk * in[1];
}

/* D^1/2 of wheel i: friction per slip in the law's two directions. */
static void apply(const double *params, int wheels, const contact_rows *contacts, const double *in,
                  double *out) {
  double fx = 0, fz = 0, torque = 0, a, b;
  /* Forces and moment on the platform. */
  for (int i = 0; i < wheels; i++) {
    const contact_rows *k = &contacts[i];
    push(k, in + 2 * i, &a, &b);
    fx += a * WHEEL(i, W_COS) + b * WHEEL(i, W_SIN);
    fz += b * WHEEL(i, W_COS) - a * WHEEL(i, W_SIN);
    torque += a * k->row[0][0] + b * k->row[1][0];
  }

  /* Accelerations of the centre of the body axes. */
  double yaw = PARAM(P_INV_YAW) * (torque - PARAM(P_COM_Z) * fx + PARAM(P_COM_X) * fz);
  double ax = fx * PARAM(P_INV_MASS) - yaw * PARAM(P_COM_Z),
         az = fz * PARAM(P_INV_MASS) + yaw * PARAM(P_COM_X);

  /* Slip accelerations of the contacts, weighed again. */
  for (int i = 0; i < wheels; i++) {
    const contact_rows *k = &contacts[i];
    push(k, in + 2 * i, &a, &b);
    double rate = WHEEL(i, W_INV_INERTIA) * (a * k->row[0][1] + b * k->row[1][1]);
    double spin = WHEEL(i, W_INV_ROLLER_INERTIA) * (a * k->row[0][2] + b * k->row[1][2]);
    double along = ax * WHEEL(i, W_COS) - az * WHEEL(i, W_SIN),
           across = ax * WHEEL(i, W_SIN) + az * WHEEL(i, W_COS);

    /* The acceleration of the contact along both directions. */
    const double slip[2] = {along + yaw * k->row[0][0] + rate * k->row[0][1] + spin * k->row[0][2],
                            across + yaw * k->row[1][0] + rate * k->row[1][1] +
                                spin * k->row[1][2]};
    push(k, slip, &out[2 * i], &out[2 * i + 1]);
  }
}

/* Largest eigenvalue by power iteration, 1/s. */
static double largest_eigenvalue(const double *params, int wheels, const contact_rows *contacts) {
  double x[2 * OMR_MAX_WHEELS], y[2 * OMR_MAX_WHEELS], rate = 0;
  for (int j = 0; j < 2 * wheels; j++) x[j] = 1 + 0.1 * j;
  for (int step = 0; step < POWER_STEPS; step++) {
    double norm2 = 0;
    apply(params, wheels, contacts, x, y);
    for (int j = 0; j < 2 * wheels; j++) norm2 += y[j] * y[j];
    rate = sqrt(norm2);
    if (!(rate > 0)) return 0;
    for (int j = 0; j < 2 * wheels; j++) x[j] = y[j] / rate;
  }
  return rate;
}

/* The same for a platform that also tilts. */
static double tilting_rate(const double *params, int wheels, int side,
                           const contact_rows *contacts) {
  omr_slip_root roots[OMR_MAX_WHEELS];
  for (int i = 0; i < wheels; i++)
    roots[i] = (omr_slip_root){contacts[i].ii, contacts[i].ik, contacts[i].kk};
  return omr_compliant_slip_rate(params, wheels, side, roots);
}

/* The fastest decay with the rollers in the middle or at either edge; discs have no edges. */
static double friction_rate(const int *settings, const double *params) {
  const int wheels = settings[K_WHEELS], sides = settings[K_CONTACT] ? 0 : 1;
  double fastest = 0;
  /* Loads and slopes depend on the position of the contacts. */
  for (int side = -sides; side <= sides; side++) {
    contact_rows contacts[OMR_MAX_WHEELS];
    double loads[OMR_MAX_WHEELS];
    for (int i = 0; i < wheels; i++) contacts[i] = rows_at(params, i, side);
    static_loads(settings, params, wheels, contacts, loads);
    for (int i = 0; i < wheels; i++) weigh(settings, params, i, loads[i], &contacts[i]);
    fastest = fmax(fastest, settings[K_COMPLIANT] ? tilting_rate(params, wheels, side, contacts)
                                                  : largest_eigenvalue(params, wheels, contacts));
  }
  /* At the start of a turn the loss of yaw grows with the yaw rate by this slope. */
  if (settings[K_YAW_LOSS])
    fastest *=
        1 + (fabs(PARAM(P_YAW_LOSS_X)) + fabs(PARAM(P_YAW_LOSS_Z))) / sqrt(PARAM(P_YAW_LOSS_FADE));
  return fastest;
}

/* ---- dry friction */

/* Largest slope of a bearing's torque over its rate, N m s, which is at rest. */
static double bearing_slope(double torque, double rise, double inv_smoothing) {
  return torque * (1 + rise) * inv_smoothing;
}

/* The load after its exponent. */
static double bent(const double *params, int i, double load) {
  const double power = WHEEL(i, W_DRY_POWER), ratio = fmax(load * WHEEL(i, W_DRY_INV_LOAD), 1e-30);
  return power == 0 ? load : load * omr_math_exp(power * omr_math_log(ratio));
}

/* An upper bound of the rate at which dry friction of wheel i stops its bearings. Each bearing has
 * the least inertia that it can have by itself, and the friction at the floor adds at most the sum
 * (Weyl). */
static double dry_rate_of(const int *settings, const double *params, int i, double load) {
  const double peak = peak_friction(settings, params, i), force = load * sqrt(1 + peak * peak),
               s = WHEEL(i, W_SIN_PSI);

  /* Slopes of the roller's bearings, of the axle and of rolling friction, at rest. */
  const double roller = bearing_slope(WHEEL(i, W_DRY_TORQUE) +
                                          force * sqrt(WHEEL(i, W_DRY_PIN) * WHEEL(i, W_DRY_PIN) +
                                                       WHEEL(i, W_DRY_END) * WHEEL(i, W_DRY_END)),
                                      WHEEL(i, W_DRY_RISE), WHEEL(i, W_DRY_INV_SMOOTHING));
  const double axle = bearing_slope(WHEEL(i, W_AXLE_TORQUE) + force * WHEEL(i, W_AXLE_PIN),
                                    WHEEL(i, W_AXLE_RISE), WHEEL(i, W_AXLE_INV_SMOOTHING));
  const double rolling = load * WHEEL(i, W_ROLLING_ARM) / WHEEL(i, W_ROLLING_SMOOTHING);
  /* The slope of drilling friction at rest; it turns roller and wheel by the vertical part of the
   * roller's axis. */
  const double drilling = 0.4 * peak * load * WHEEL(i, W_CONTOUR_RADIUS) *
                          WHEEL(i, W_CONTOUR_RADIUS) / WHEEL(i, W_SLIP_SPEED);
  const double up = sin(WHEEL(i, W_ALPHA)), up2 = (1 - s * s) * up * up;

  return drilling * (PARAM(P_INV_YAW) +
                     up2 * (WHEEL(i, W_INV_ROLLER_INERTIA) + s * s * WHEEL(i, W_INV_INERTIA))) +
         (roller + rolling) * WHEEL(i, W_INV_ROLLER_INERTIA) +
         (s * s * roller + rolling + axle) * WHEEL(i, W_INV_INERTIA) + roller * PARAM(P_INV_YAW);
}

/* An upper bound of the rate at which viscous bearings stop rollers and wheels, 1/s. No method has
 * them in its matrix (kernels/steps/rosenbrock.h), and idle rollers become unstable at steps above
 * the inverse: passes with a tolerance end there (kernels/time/controlled.h). */
static double bearing_rate(const int *settings, const double *params) {
  double fastest = 0;
  for (int i = 0; settings[K_BEARING] && i < settings[K_WHEELS]; i++) {
    const double s = WHEEL(i, W_SIN_PSI),
                 inverse = s * s * WHEEL(i, W_INV_INERTIA) + PARAM(P_INV_YAW);
    fastest = fmax(fastest, WHEEL(i, W_DECAY) * (1 + inverse * WHEEL(i, W_ROLLER_INERTIA)));
  }
  return fastest;
}

/* The fastest of the wheels under their loads at rest, 1/s. */
static double dry_rate(const int *settings, const double *params) {
  const int wheels = settings[K_WHEELS];
  contact_rows contacts[OMR_MAX_WHEELS] = {0};
  double loads[OMR_MAX_WHEELS], fastest = 0;
  if (!settings[K_DRY]) return 0;
  for (int i = 0; i < wheels; i++) contacts[i] = rows_at(params, i, 0);
  static_loads(settings, params, wheels, contacts, loads);
  for (int i = 0; i < wheels; i++)
    fastest = fmax(fastest, dry_rate_of(settings, params, i, bent(params, i, fmax(loads[i], 0))));
  return fastest;
}

/* Fastest decay of slip by the stabilisation of the constraints (Baumgarte), 1/s. */
static double constraint_rate(const int *settings, const double *params) {
  double fastest = 0;
  for (int i = 0; settings[K_CONSTRAINED] && i < settings[K_WHEELS]; i++)
    fastest = fmax(fastest, WHEEL(i, W_BAUMGARTE));
  return fastest;
}

/* ---- swings */

/* Longest step for a swing on springs and dampers, M y'' + d y' + k y = 0 with k and d divided by
 * M. Semi-implicit Euler: |lambda| < 1 for lambda^2 - (2 - h d - h^2 k) lambda + 1 - h d = 0. The
 * methods of order 2 let an undamped swing grow by h^4 k^2/8 per step; they damp it below h sqrt(k)
 * = 2 zeta^(1/3) (|R| = 1 to leading order, zeta = d/(2 sqrt(k))), with a hundredth counted as
 * damped. */
static double swing_step(omr_method method, double k, double d) {
  if (!(k > 0) && !(d > 0)) return (double)INFINITY;
  const double half = 0.5 * d, radicand = half * half - k;
  if (method == OMR_METHOD_EULER) return 2 / (half + sqrt(half * half + k));
  if (radicand > 0) return real_limit(method) / (half + sqrt(radicand));
  if (method == OMR_METHOD_RK4) return real_limit(method) / sqrt(k);
  return 2 * cbrt(fmax(half / sqrt(k), 0.01)) / sqrt(k);
}

/* Longest step for heave; on compliant contact k and d belong to the stiffest motion of the
 * platform, which only the matrix of spring pairs includes (kernels/compliant/spring_matrix.h). */
static double heave_step(omr_method method, const int *settings, const double *params) {
  double k = 0, d = 0;
  if (settings[K_COMPLIANT] && method == OMR_METHOD_ROSENBROCK) return (double)INFINITY;
  if (settings[K_COMPLIANT]) omr_compliant_swing(settings, params, &k, &d);
  for (int i = 0; settings[K_PENALTY] && i < settings[K_WHEELS]; i++) {
    k += WHEEL(i, W_STIFFNESS) * PARAM(P_INV_MASS);
    d += WHEEL(i, W_DAMPING) * PARAM(P_INV_MASS);
  }
  return swing_step(method, k, d);
}

/* Longest step for the forks of wheels that swivel: the servo is a spring and a damper between fork
 * and platform, and no method has them in its matrix. */
static double fork_step(omr_method method, const int *settings, const double *params) {
  double step = (double)INFINITY;
  if (method == OMR_METHOD_ROSENBROCK) method = OMR_METHOD_HEUN;
  for (int i = 0; i < settings[K_WHEELS]; i++) {
    if (!omr_wheel_swivels((omr_wheel_kind)settings[K_KIND_0 + i])) continue;
    const bool steered = settings[K_KIND_0 + i] == OMR_WHEEL_SWERVE;
    const double mobility = WHEEL(i, W_INV_ROLLER_INERTIA) + PARAM(P_INV_YAW),
                 k = steered ? WHEEL(i, W_STEER_STIFFNESS) : 0,
                 d = WHEEL(i, W_ROLLER_BEARING) + (steered ? WHEEL(i, W_STEER_DAMPING) : 0);
    step = fmin(step, swing_step(method, mobility * k, mobility * d));
  }
  return step;
}

/* ---- bristles */

/* Smallest friction coefficient that wheel i meets on the ground of this instance, but at least a
 * twentieth of the peak, so that a patch of near ice does not count. */
static double least_friction(const int *settings, const double *params, int i) {
  const double own = WHEEL(i, W_FRICTION), ice = 0.05 * peak_friction(settings, params, i);
  const double base = PARAM(P_GROUND_BASE), gain = PARAM(P_GROUND_GAIN);
  double least = own;
  if (settings[K_GROUND] == OMR_GROUND_DIP) least = own * fmin(base, base + gain);
  if (settings[K_GROUND] == OMR_GROUND_STEP) least = own * (base - fabs(gain));
  for (int patch = 0; patch < OMR_PATCHES; patch++) {
    if (settings[K_PATCH_0 + patch] == OMR_PATCH_NONE) continue;
    least = fmin(least, PARAM(P_PATCH0_FRICTION + patch * (P_PATCH1_X - P_PATCH0_X)));
  }
  return fmax(least, ice);
}

/* Largest eigenvalue of the slips where the resistance of each contact is its load times `column`.
 */
static double slips_by(const int *settings, const double *params, int side, int column) {
  const int wheels = settings[K_WHEELS];
  contact_rows contacts[OMR_MAX_WHEELS] = {{.x = 0}};
  double loads[OMR_MAX_WHEELS];
  omr_slip_root roots[OMR_MAX_WHEELS];
  for (int i = 0; i < wheels; i++) contacts[i] = rows_at(params, i, side);
  static_loads(settings, params, wheels, contacts, loads);
  for (int i = 0; i < wheels; i++) {
    const double root = sqrt(fmax(loads[i], 0) * WHEEL(i, column));
    roots[i] = (omr_slip_root){root, 0, root};
  }
  return omr_compliant_slip_rate(params, wheels, side, roots);
}

/* Longest step for bristles. Contacts that stick swing on their bristles, and semi-implicit Euler
 * does not treat the deflection as a position; in contacts that slip it decays at the rate sigma_0
 * |v|/g plus the rest of the damping. damped: largest decay of slip by the bristles' damping in
 * contacts that stick (appendix/laws.md#friction). */
static double bristle_step(omr_method method, const int *settings, const double *params,
                           double damped) {
  double step = (double)INFINITY;
  if (settings[K_LAW] != OMR_LAW_BRISTLE || method == OMR_METHOD_ROSENBROCK) return step;
  /* Contacts that stick. */
  for (int side = -1; side <= 1; side++) {
    const double k = slips_by(settings, params, side, W_BRISTLE_STIFFNESS),
                 d = slips_by(settings, params, side, W_BRISTLE_DAMPING);
    const bool swings = method == OMR_METHOD_EULER && 0.25 * d * d < k;
    step = fmin(step, swings ? d / k : swing_step(method, k, d));
  }

  /* Contacts that slip. */
  for (int i = 0; i < settings[K_WHEELS]; i++) {
    const double g = least_friction(settings, params, i), v = WHEEL(i, W_BRISTLE_SPEED);
    if (!(g > 0)) continue; /* without friction nothing slides on bristles */
    const double slides = WHEEL(i, W_BRISTLE_STIFFNESS) * v / g,
                 resists = damped * g / (g + WHEEL(i, W_BRISTLE_DAMPING) * v);
    step = fmin(step, real_limit(method) / (slides + resists));
  }

  return step;
}

/* ---- inertia that a controller moves */

enum { SLIPS = 2 * OMR_MAX_WHEELS };

/* The slips that a law of constraints forbids, as a projection: both slips of every contact, or for
 * rollers without mass only the slip that does not turn the roller. */
static void forbid(const double *params, int i, contact_rows *r) {
  const double x = r->row[0][2], y = r->row[1][2], square = x * x + y * y;
  const bool massless = !(WHEEL(i, W_INV_ROLLER_INERTIA) > 0) && square > 0;
  r->ii = massless ? y * y / square : 1;
  r->ik = massless ? -x * y / square : 0;
  r->kk = massless ? x * x / square : 1;
}

/* Solves k x = b. k is symmetric and positive semidefinite, a billionth of its trace makes it
 * definite, and its Cholesky factor replaces it; factored: k is the factor already. */
static void solve_slips(double k[SLIPS][SLIPS], int count, const double *b, double *x,
                        bool factored) {
  /* Cholesky factorisation. */
  double trace = 0;
  for (int j = 0; j < count; j++) trace += k[j][j];
  for (int j = 0; !factored && j < count; j++) {
    k[j][j] += 1e-9 * trace;
    for (int l = 0; l < j; l++) k[j][j] -= k[j][l] * k[j][l];
    k[j][j] = sqrt(k[j][j]);
    for (int r = j + 1; r < count; r++) {
      for (int l = 0; l < j; l++) k[r][j] -= k[r][l] * k[j][l];
      k[r][j] /= k[j][j];
    }
  }

  /* Forward, then backward substitution. */
  for (int j = 0; j < count; j++) {
    x[j] = b[j];
    for (int l = 0; l < j; l++) x[j] -= k[j][l] * x[l];
    x[j] /= k[j][j];
  }

  for (int j = count - 1; j >= 0; j--) {
    for (int r = j + 1; r < count; r++) x[j] -= k[r][j] * x[r];
    x[j] /= k[j][j];
  }
}

/* Largest eigenvalue of the wheels' accelerations over torques, 1/(kg m^2), where the constraints
 * hold: the matrix is B (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1) B^T, B the wheel rates. */
static double mobility(const double *params, int wheels, const contact_rows *contacts) {
  double k[SLIPS][SLIPS], unit[SLIPS] = {0}, column[SLIPS], x[OMR_MAX_WHEELS], largest = 0;
  const int count = 2 * wheels;
  /* J M^-1 J^T, column by column. */
  for (int j = 0; j < count; j++) {
    unit[j] = 1;
    apply(params, wheels, contacts, unit, column);
    unit[j] = 0;
    for (int r = 0; r < count; r++) k[r][j] = column[r];
  }

  /* Power iteration. */
  for (int i = 0; i < wheels; i++) x[i] = 1 + 0.3 * i;
  for (int step = 0; step < POWER_STEPS; step++) {
    double slip[SLIPS], force[SLIPS], norm2 = 0, y[OMR_MAX_WHEELS];
    for (int i = 0; i < wheels; i++) {
      const double rate = WHEEL(i, W_INV_INERTIA) * x[i];
      const double own[2] = {rate * contacts[i].row[0][1], rate * contacts[i].row[1][1]};
      push(&contacts[i], own, &slip[2 * i], &slip[2 * i + 1]);
    }

    /* The constraint forces that keep the slips at zero. */
    solve_slips(k, count, slip, force, step > 0);
    for (int i = 0; i < wheels; i++) {
      double a, b;
      push(&contacts[i], force + 2 * i, &a, &b);
      y[i] =
          WHEEL(i, W_INV_INERTIA) * (x[i] - a * contacts[i].row[0][1] - b * contacts[i].row[1][1]);
      norm2 += y[i] * y[i];
    }

    /* Normalisation for the next round. */
    largest = sqrt(norm2);
    for (int i = 0; i < wheels && largest > 0; i++) x[i] = y[i] / largest;
  }

  return largest;
}

/* Least inertia that a wheel's drive can feel (appendix/drives.md#drives). */
double omr_least_inertia(const int *settings, const double *params, int wheel) {
  const int wheels = settings[K_WHEELS], sides = settings[K_CONTACT] ? 0 : 1;
  double most = 0;
  if (!settings[K_CONSTRAINED] || settings[K_LAW] == OMR_LAW_RELAXED)
    return 1 / WHEEL(wheel, W_INV_INERTIA);
  for (int side = -sides; side <= sides; side++) {
    contact_rows contacts[OMR_MAX_WHEELS];
    for (int i = 0; i < wheels; i++) {
      contacts[i] = rows_at(params, i, side);
      forbid(params, i, &contacts[i]);
    }
    most = fmax(most, mobility(params, wheels, contacts));
  }
  return 1 / most;
}

/* ---- motors */

/* Slopes of a motor's torque over the wheel rate, divided by the inertia that it turns, 1/s. */
typedef struct motor_slopes {
  double own;      /* of the back-EMF, if the current follows at once */
  double friction; /* of motor and gear */
} motor_slopes;

/* Upper bounds of the law in kernels/motor.h, with the current at rest under the full voltage. */
static motor_slopes slopes_of(const int *settings, const double *params, int i) {
  const double pull = fabs(WHEEL(i, W_PULL)), conductance = WHEEL(i, W_CONDUCTANCE);
  const double voltage =
      settings[K_BY_0 + i] == OMR_BY_DUTY ? PARAM(P_SUPPLY_VOLTAGE) : WHEEL(i, W_TORQUE_LIMIT);
  const double current = fmin(voltage * conductance, WHEEL(i, W_CURRENT_LIMIT));
  const double back = WHEEL(i, W_BACK_PART), part = fmax(WHEEL(i, W_FORWARD_PART), back);
  const double own = pull * fabs(WHEEL(i, W_EMF)) * conductance,
               friction = WHEEL(i, W_IDLE_TORQUE) * WHEEL(i, W_TURN_GAIN);
  const double rest = (1 + back) * friction + pull * current * part * WHEEL(i, W_TURN_GAIN);
  const double inertia = omr_least_inertia(settings, params, i);
  return (motor_slopes){(1 + back) * own / inertia, rest / inertia};
}

/* Fastest decay of a wheel's rate by its motor, 1/s; winding_step handles currents that are states.
 * The linearly implicit method has these decays in its matrix
 * (appendix/drives.md#drives). */
static double motor_rate(const int *settings, const double *params) {
  double fastest = 0;
  for (int i = 0; settings[K_MOTOR] && i < settings[K_WHEELS]; i++) {
    if (settings[K_BY_0 + i] == OMR_BY_TORQUE) continue;
    const motor_slopes slopes = slopes_of(settings, params, i);
    const bool lags = settings[K_INDUCTANCE] && WHEEL(i, W_FOLLOW) > 0;
    fastest = fmax(fastest, slopes.friction + (lags ? 0 : slopes.own));
  }
  return fastest;
}

/* Longest step for winding and wheel of a motor with inductance: i' = -(R/L)(i + k_e w/R), w' = k_t
 * i/J - s w, which is y'' + (R/L + s) y' + (R/L)(own + s) y = 0. braked: the other decay s of wheel
 * rates, 1/s. Both are velocities to semi-implicit Euler (appendix/drives.md#drives).
 */
static double winding_step(omr_method method, const int *settings, const double *params,
                           double braked) {
  double step = (double)INFINITY;
  for (int i = 0; settings[K_INDUCTANCE] && i < settings[K_WHEELS]; i++) {
    const double follow = WHEEL(i, W_FOLLOW);
    if (!(follow > 0)) continue;
    const double own = slopes_of(settings, params, i).own, d = follow + braked,
                 k = follow * (own + braked);
    const bool euler = method == OMR_METHOD_EULER, swings = 0.25 * d * d < k;
    const double longest =
        euler && !swings ? 2 / (0.5 * d + sqrt(0.25 * d * d - k)) : swing_step(method, k, d);
    step = fmin(step, euler && swings ? d / k : longest);
  }
  return step;
}

/* ---- the step as a whole */

static double small_rate(const omr_small_model *model, const double *params) {
  double p[SMALL_MAX_PARAMS];
  for (int j = 0; j < model->params; j++) p[j] = PARAM(j);
  return model->fastest_rate(p);
}

double omr_stable_step(omr_method method, const omr_small_model *small, const int *settings,
                       const double *params) {
  const double limit = real_limit(method);
  if (small) return limit / small_rate(small, params);
  const double bearings = bearing_rate(settings, params);
  double rate = constraint_rate(settings, params), slip = 0, braked = bearings;
  if (method != OMR_METHOD_ROSENBROCK) {
    slip = friction_rate(settings, params);
    const double more = dry_rate(settings, params) + motor_rate(settings, params) + bearings;
    braked = slip + more;
    rate = fmax(rate, slip) + more;
  }
  const double springs =
      fmin(fmin(heave_step(method, settings, params), fork_step(method, settings, params)),
           bristle_step(method, settings, params, slip));
  return fmin(fmin(fmin(limit / rate, 1 / bearings), springs),
              winding_step(method, settings, params, braked));
}
