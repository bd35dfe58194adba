/* The right-hand side of rolling_disc against source 4 written out by itself: rotation matrices,
 * the rim searched for its lowest point, matrices of friction, numerical derivatives of what it
 * samples. Motions: test_rolling_motion.c. */
#include "host/engine/run.h"
#include "host/model/small.h"
#include "host/result/result.h"
#include "shared/kernel.h"
#include "shared/motion.h"
#include "shared/vectors.h"

/* One call of the right-hand side. */
typedef struct disc {
  omr_study study;
  double v[OMR_VP_COUNT];
  double p[DISC_P_COUNT], y[DISC_Y_COUNT], dy[DISC_Y_COUNT], out[DISC_S_COUNT];
  int c[K_COUNT];
} disc;

static uint64_t seed;

static void evaluate(disc *d) {
  rolling_disc_rates(d->c, d->p, d->y, 0, d->dy, d->out);
  rolling_disc_complete(d->out);
}

static void prepare(disc *d) {
  double e[DISC_E_COUNT];
  char reason[200] = "";
  d->study.options[0] = d->c[K_OPTION_0];
  memset(d->y, 0, sizeof d->y);
  cr_assert(omr_rolling_disc.prepare(&d->study, d->v, d->p, d->y, e, reason, sizeof reason), "%s",
            reason);
}

/* A disc somewhere in contact, with every parameter different from its default. */
static void make_disc(disc *d, int number) {
  memset(d, 0, sizeof *d);
  seed = 1000 + 77 * (uint64_t)number;
  for (int i = 0; i < OMR_VP_COUNT; i++) d->v[i] = omr_vehicle_parameters[i].standard;
  d->c[K_MODEL] = SMALL_ROLLING_DISC;
  d->c[K_OPTION_0] = number % 2 ? DISC_ZONE_LINEAR : DISC_ZONE_QUADRATIC;
  d->v[OMR_VP_UK_MASS] = draw(&seed, 1, 3);
  d->v[OMR_VP_UK_RADIUS] = draw(&seed, 0.2, 0.6);
  d->v[OMR_VP_DISC_AXIAL_INERTIA] = draw(&seed, 0.1, 0.2);
  d->v[OMR_VP_DISC_DIAMETRAL_INERTIA] = draw(&seed, 0.1, 0.2);
  d->v[OMR_VP_PLANE_SLOPE] = draw(&seed, 0, 0.7);
  d->v[OMR_VP_PLANE_DIRECTION] = draw(&seed, -3, 3);
  d->v[OMR_VP_DISC_STIFFNESS] = 3e4;
  d->v[OMR_VP_DISC_DAMPING] = 40;
  d->v[OMR_VP_DISC_LATERAL] = 0.2;
  d->v[OMR_VP_DISC_LONGITUDINAL] = 0.7;
  d->v[OMR_VP_DISC_LATERAL_VISCOUS] = 0.3;
  d->v[OMR_VP_DISC_LONGITUDINAL_VISCOUS] = 0.11;
  d->v[OMR_VP_DISC_FRICTION_ANGLE] = draw(&seed, -2, 2);
  d->v[OMR_VP_DISC_SLIP_SPEED] = number % 3 ? 3 : 0.1; /* within the zone and beyond it */
  d->v[OMR_VP_DISC_ROLLING] = 0.21;
  prepare(d);
  for (int j = 0; j < 4; j++) d->y[DISC_Y_QW + j] = draw(&seed, -1, 1);
  for (int j = 0; j < 3; j++) d->y[DISC_Y_VX + j] = draw(&seed, -1, 1);
  for (int j = 0; j < 3; j++) d->y[DISC_Y_LX + j] = draw(&seed, -0.5, 0.5);
  double norm = 0;
  for (int j = 0; j < 4; j++) norm += d->y[DISC_Y_QW + j] * d->y[DISC_Y_QW + j];
  for (int j = 0; j < 4; j++) d->y[DISC_Y_QW + j] /= sqrt(norm);
  evaluate(d);
  d->y[DISC_Y_Y] -= d->out[DISC_S_GAP] + 2e-3; /* 2 mm deep */
  evaluate(d);
}

static void expect_close(const char *what, int number, double value, double expected,
                         double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance * fmax(1, fabs(expected)),
               "%s of disc %d is %.15g, not %.15g", what, number, value, expected);
}

/* Columns of the rotation matrix of a unit quaternion. */
static void matrix_of(const double *q, double a[3][3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) a[k][i] = m[i][k];
}

/* What source 4 makes of a disc, from the rim instead of its formulas for w2 and w3. */
typedef struct expected {
  double w1[3], w2[3], lat[3], r[3], omega[3], slip[3], force[3], torque[3], load;
} expected;

/* omega from the body axes: L/I along each. */
static void turn_of(const disc *d, double a[3][3], double omega[3]) {
  const double inertia[3] = {d->v[OMR_VP_DISC_DIAMETRAL_INERTIA],
                             d->v[OMR_VP_DISC_DIAMETRAL_INERTIA], d->v[OMR_VP_DISC_AXIAL_INERTIA]};
  memset(omega, 0, 3 * sizeof *omega);
  for (int k = 0; k < 3; k++) {
    double about = 0;
    for (int i = 0; i < 3; i++) about += a[k][i] * d->y[DISC_Y_LX + i];
    for (int i = 0; i < 3; i++) omega[i] += a[k][i] * about / inertia[k];
  }
}

static void cross_product(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot_product(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* T D T^T e phi N of the source, T = [[cos, sin], [-sin, cos]]. */
static void friction_of(const disc *d, double load, const double v[2], double out[2]) {
  double c = cos(d->v[OMR_VP_DISC_FRICTION_ANGLE]), s = sin(d->v[OMR_VP_DISC_FRICTION_ANGLE]),
         speed = hypot(v[0], v[1]);
  const double t[2][2] = {{c, s}, {-s, c}};
  const double diagonal[2] = {d->v[OMR_VP_DISC_LATERAL] + d->v[OMR_VP_DISC_LATERAL_VISCOUS] * speed,
                              d->v[OMR_VP_DISC_LONGITUDINAL] +
                                  d->v[OMR_VP_DISC_LONGITUDINAL_VISCOUS] * speed};
  double x = speed / d->v[OMR_VP_DISC_SLIP_SPEED], phi = x > 1 ? 1
                                                         : d->c[K_OPTION_0] == DISC_ZONE_LINEAR
                                                             ? x
                                                             : (2 - x) * x;
  for (int i = 0; i < 2; i++) {
    out[i] = 0;
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        out[i] -= t[i][j] * diagonal[j] * t[k][j] * v[k] / speed * phi * load;
  }
}

static void expect_from(const disc *d, expected *e) {
  double a[3][3], velocity[3];
  matrix_of(d->y + DISC_Y_QW, a);
  turn_of(d, a, e->omega);
  double radius = d->v[OMR_VP_UK_RADIUS], steep = hypot(a[0][1], a[1][1]);
  for (int i = 0; i < 3; i++) {
    e->w1[i] = -a[2][i];
    e->r[i] = -radius * (a[0][1] * a[0][i] + a[1][1] * a[1][i]) /
              steep; /* point of the rim a0 cos + a1 sin that lies lowest */
  }
  const double n[3] = {0, 1, 0};
  cross_product(e->w1, n, e->w2);
  for (int i = 0; i < 3; i++) e->w2[i] /= steep;
  cross_product(n, e->w2, e->lat);
  cross_product(e->omega, e->r, velocity);
  for (int i = 0; i < 3; i++) e->slip[i] = velocity[i] + d->y[DISC_Y_VX + i];
  double gap = d->y[DISC_Y_Y] + e->r[1];
  e->load =
      gap < 0 ? -(d->v[OMR_VP_DISC_STIFFNESS] * gap + d->v[OMR_VP_DISC_DAMPING] * e->slip[1]) : 0;
  double v[2] = {dot_product(e->slip, e->lat), dot_product(e->slip, e->w2)}, f[2];
  friction_of(d, e->load, v, f);
  for (int i = 0; i < 3; i++) e->force[i] = f[0] * e->lat[i] + f[1] * e->w2[i] + e->load * n[i];
  cross_product(e->r, e->force, e->torque);
}

Test(rolling_disc, geometry_and_forces_are_those_of_source_4_at_any_orientation) {
  static disc d;
  for (int number = 0; number < 40; number++) {
    expected e;
    make_disc(&d, number);
    expect_from(&d, &e);
    double slope = d.v[OMR_VP_PLANE_SLOPE], down = d.v[OMR_VP_PLANE_DIRECTION];
    const double gravity[3] = {9.81 * sin(slope) * cos(down), -9.81 * cos(slope),
                               -9.81 * sin(slope) * sin(down)};
    double lowest = 1;
    for (int k = 0; k < 1000; k++) { /* no point of the rim lies lower */
      double a[3][3], angle = 2 * 3.14159265358979 * k / 1000;
      matrix_of(d.y + DISC_Y_QW, a);
      lowest = fmin(lowest, d.y[DISC_Y_Y] + d.v[OMR_VP_UK_RADIUS] *
                                                (a[0][1] * cos(angle) + a[1][1] * sin(angle)));
    }
    cr_expect(lowest >= -2.0000001e-3 && lowest < -1.98e-3, "disc %d: %g", number, lowest);
    expect_close("gap", number, d.out[DISC_S_GAP], -2e-3, 1e-14);
    expect_close("p_C x", number, d.out[DISC_S_CONTACT_X], d.y[DISC_Y_X] + e.r[0], 1e-13);
    expect_close("p_C z", number, d.out[DISC_S_CONTACT_Z], d.y[DISC_Y_Z] + e.r[2], 1e-13);
    expect_close("N", number, d.out[DISC_S_LOAD], e.load, 1e-11);
    expect_close("lateral slip", number, d.out[DISC_S_SLIP_LAT], dot_product(e.slip, e.lat), 1e-12);
    expect_close("longitudinal slip", number, d.out[DISC_S_SLIP_LONG], dot_product(e.slip, e.w2),
                 1e-12);
    expect_close("lateral force", number, d.out[DISC_S_FORCE_LAT], dot_product(e.force, e.lat),
                 1e-11);
    expect_close("longitudinal force", number, d.out[DISC_S_FORCE_LONG], dot_product(e.force, e.w2),
                 1e-11);
    expect_close("spin", number, d.out[DISC_S_SPIN], dot_product(e.omega, e.w1), 1e-12);
    for (int i = 0; i < 3; i++) {
      double drag = i == 1 ? 0 : 0.21 * e.load * d.y[DISC_Y_VX + i];
      expect_close("w1", number, d.out[DISC_S_AXIS_X + i], e.w1[i], 1e-14);
      expect_close("omega", number, d.out[DISC_S_RATE_X + i], e.omega[i], 1e-13);
      expect_close("m v'", number, d.v[OMR_VP_UK_MASS] * (d.dy[DISC_Y_VX + i] - gravity[i]),
                   e.force[i] - drag, 1e-11);
      expect_close("L'", number, d.dy[DISC_Y_LX + i], e.torque[i], 1e-11);
    }
  }
}

/* The same a little later or earlier, along the derivatives. */
static disc moved(const disc *d, double by) {
  disc m = *d;
  for (int j = 0; j < DISC_Y_COUNT; j++) m.y[j] += by * d->dy[j];
  evaluate(&m);
  return m;
}

static double angle_between(double a, double b) {
  return remainder(a - b, 2 * 3.14159265358979323846);
}

/* Central differences over 2 us: third derivatives leave about 1e-8. */
Test(rolling_disc, what_is_called_a_rate_is_the_derivative) {
  static disc d, a, b;
  const double h = 1e-6;
  for (int number = 0; number < 40; number++) {
    double m[3][3], before[3][3], after[3][3], turned[3];
    make_disc(&d, number);
    a = moved(&d, -h);
    b = moved(&d, h);
    matrix_of(d.y + DISC_Y_QW, m);
    matrix_of(a.y + DISC_Y_QW, before);
    matrix_of(b.y + DISC_Y_QW, after);
    for (int k = 0; k < 3; k++) { /* q' = 1/2 omega q turns every body axis with omega */
      cross_product(d.out + DISC_S_RATE_X, m[k], turned);
      for (int i = 0; i < 3; i++)
        expect_close("body axis", number, (after[k][i] - before[k][i]) / (2 * h), turned[i], 1e-8);
    }
    expect_close("trail x", number, d.out[DISC_S_TRAIL_X],
                 (b.out[DISC_S_CONTACT_X] - a.out[DISC_S_CONTACT_X]) / (2 * h), 1e-7);
    expect_close("trail z", number, d.out[DISC_S_TRAIL_Z],
                 (b.out[DISC_S_CONTACT_Z] - a.out[DISC_S_CONTACT_Z]) / (2 * h), 1e-7);
    expect_close("tilt'", number, d.out[DISC_S_TILT_RATE],
                 (b.out[DISC_S_TILT] - a.out[DISC_S_TILT]) / (2 * h), 1e-7);
    double turn = angle_between(b.out[DISC_S_HEADING], a.out[DISC_S_HEADING]) / (2 * h);
    expect_close("heading'", number, d.out[DISC_S_PRECESSION], turn, 1e-7);
    double gained =
        (omr_rolling_disc.energy(d.p, b.y) - omr_rolling_disc.energy(d.p, a.y)) / (2 * h);
    expect_close("power", number, gained, -d.dy[DISC_Y_LOST], 1e-6);
    expect_close("energy", number, d.out[DISC_S_ENERGY], omr_rolling_disc.energy(d.p, d.y), 1e-13);
    cr_expect_gt(d.dy[DISC_Y_LOST], 0);
  }
}

/* Heading, tilt and their rates set the disc off as described: w2 goes to (cos, 0, -sin), rolling
 * leaves no slip. */
Test(rolling_disc, the_initial_motion_is_the_one_asked_for) {
  static disc d;
  for (int number = 0; number < 12; number++) {
    make_disc(&d, number);
    double heading = -3 + 0.5 * number, tilt = 0.2 + 0.22 * number, spin = 3 - number,
           precession = 1.5, tilt_rate = 0.7;
    d.v[OMR_VP_DISC_HEADING] = heading;
    d.v[OMR_VP_DISC_TILT] = tilt;
    d.v[OMR_VP_DISC_SPIN] = spin;
    d.v[OMR_VP_DISC_PRECESSION] = precession;
    d.v[OMR_VP_DISC_TILT_RATE] = tilt_rate;
    prepare(&d);
    evaluate(&d);
    expected e;
    expect_from(&d, &e);
    expect_close("heading", number, d.out[DISC_S_HEADING], heading, 2e-15);
    expect_close("tilt", number, d.out[DISC_S_TILT], tilt, 2e-15);
    expect_close("spin", number, d.out[DISC_S_SPIN], spin, 1e-13);
    expect_close("precession", number, d.out[DISC_S_PRECESSION], precession, 1e-13);
    expect_close("tilt'", number, d.out[DISC_S_TILT_RATE], tilt_rate, 1e-13);
    expect_close("w2 x", number, e.w2[0], cos(heading), 1e-14);
    expect_close("w2 z", number, e.w2[2], -sin(heading), 1e-14);
    for (int i = 0; i < 3; i++) expect_close("slip", number, e.slip[i], 0, 1e-14);
    expect_close("N", number, d.out[DISC_S_LOAD],
                 d.v[OMR_VP_UK_MASS] * 9.81 * cos(d.v[OMR_VP_PLANE_SLOPE]), 1e-10);
  }
}

Test(rolling_disc, contact_ends_with_the_gap_and_pulls_only_where_it_may) {
  static disc d;
  make_disc(&d, 4);
  double gap = -1e-4, rate = 1; /* damping outweighs the spring: 3 N against 40 N */
  d.c[K_OPTION_1] = DISC_PULL_ALLOWED;
  cr_expect_lt(fabs(rolling_disc_load(d.c, d.p, gap, rate) + 37), 1e-12);
  d.c[K_OPTION_1] = DISC_PULL_NONE;
  cr_expect_eq(rolling_disc_load(d.c, d.p, gap, rate), 0);
  cr_expect_lt(fabs(rolling_disc_load(d.c, d.p, gap, -rate) - 43), 1e-12);
  cr_expect_eq(rolling_disc_load(d.c, d.p, 0, -rate), 0);
  cr_expect_eq(rolling_disc_load(d.c, d.p, 1e-9, -rate), 0);
}

/* What Exudyn 1.13.6 gives as ForceLocal of an ObjectConnectorRollingDiscPenalty with 10 kN/m, 200
 * N s/m, dry friction 0.3 and 0.5, viscous friction 0.2 and 0.1, friction angle 0.4, zone 0.05 m/s,
 * on a disc 1 mm deep: lateral, longitudinal, normal force.
 */
typedef struct recorded_force {
  double lat, lon, rise, force[3];
} recorded_force;

static const recorded_force exudyn_forces[] = {
    {0.1, -0.2, 0.6, {-12.014484028042228, 45.60872718530845, -109.99999999999999}}, /* pulls */
    {0.01, -0.02, 0.6, {-6.579302975727549, 29.841880479697764, -109.99999999999999}},
    {0.1, -0.2, -0.1, {-3.276677462193335, 12.4387437778114, 30.000000000000007}},
    {-0.01, -0.02, -0.1, {4.437828146829385, 9.460431071187598, 30.000000000000007}},
};

static void set_recorded(disc *d) {
  make_disc(d, 4);
  d->v[OMR_VP_DISC_STIFFNESS] = 1e4;
  d->v[OMR_VP_DISC_DAMPING] = 200;
  d->v[OMR_VP_DISC_LATERAL] = 0.3;
  d->v[OMR_VP_DISC_LONGITUDINAL] = 0.5;
  d->v[OMR_VP_DISC_LATERAL_VISCOUS] = 0.2;
  d->v[OMR_VP_DISC_LONGITUDINAL_VISCOUS] = 0.1;
  d->v[OMR_VP_DISC_FRICTION_ANGLE] = 0.4;
  d->v[OMR_VP_DISC_SLIP_SPEED] = 0.05;
  d->c[K_OPTION_0] = DISC_ZONE_QUADRATIC;
  prepare(d);
}

Test(rolling_disc, forces_are_those_that_exudyn_gives) {
  static disc d;
  set_recorded(&d);
  for (int number = 0; number < 4; number++) {
    const recorded_force *r = &exudyn_forces[number];
    for (int word = DISC_PULL_ALLOWED; word <= DISC_PULL_EXUDYN; word++) {
      double lat, lon,
          sign = word == DISC_PULL_ALLOWED && r->force[2] < 0
                     ? -1
                     : 1; /* as printed, friction drives where N < 0 */
      d.c[K_OPTION_1] = word;
      if (word == DISC_PULL_NONE) continue;
      double load = rolling_disc_load(d.c, d.p, -1e-3, r->rise);
      rolling_disc_friction(d.p, rolling_disc_grip(d.c, load), r->lat, r->lon, &lat, &lon);
      expect_close("normal force", number, load, r->force[2], 1e-14);
      expect_close("lateral force", number, lat, sign * r->force[0], 1e-14);
      expect_close("longitudinal force", number, lon, sign * r->force[1], 1e-14);
    }
  }
}

/* A disc that its damper pulls at: friction and rolling friction of the right-hand side go by |N|
 * and take energy. */
Test(rolling_disc, a_pulled_disc_is_braked_as_in_exudyns_code_and_driven_as_printed) {
  static disc d;
  for (int word = DISC_PULL_ALLOWED; word <= DISC_PULL_EXUDYN; word += DISC_PULL_EXUDYN) {
    make_disc(&d, 4);
    d.v[OMR_VP_PLANE_SLOPE] = 0;
    d.c[K_OPTION_1] = word;
    prepare(&d);
    d.y[DISC_Y_Y] -= 1e-3;
    d.y[DISC_Y_VX] = 1;
    d.y[DISC_Y_VY] = 3;
    evaluate(&d);
    double power = d.out[DISC_S_FORCE_LAT] * d.out[DISC_S_SLIP_LAT] +
                   d.out[DISC_S_FORCE_LONG] * d.out[DISC_S_SLIP_LONG];
    double along =
        d.v[OMR_VP_UK_MASS] * d.dy[DISC_Y_VX]; /* friction and the drag of mu_r = 0.21 along x */
    double fx =
        along + 0.21 * (word == DISC_PULL_EXUDYN ? -1 : 1) * d.out[DISC_S_LOAD] * d.y[DISC_Y_VX];
    double fz = d.v[OMR_VP_UK_MASS] * d.dy[DISC_Y_VZ] +
                0.21 * (word == DISC_PULL_EXUDYN ? -1 : 1) * d.out[DISC_S_LOAD] * d.y[DISC_Y_VZ];
    cr_assert_lt(d.out[DISC_S_LOAD], -10);
    cr_expect(word == DISC_PULL_EXUDYN ? power < 0 : power > 0, "power %g", power);
    expect_close("force", word, hypot(fx, fz),
                 hypot(d.out[DISC_S_FORCE_LAT], d.out[DISC_S_FORCE_LONG]), 1e-11);
  }
}

Test(rolling_disc, angles_are_those_of_the_c_library) {
  for (int k = -4000; k <= 4000; k++) {
    double angle = 3.14159265358979 * k / 4000, size = 0.3 + 0.001 * (k & 1023),
           s = size * sin(angle), c = size * cos(angle);
    cr_expect_lt(fabs(atan2_real(s, c) - atan2(s, c)), 6e-16, "%g", angle);
  }
  cr_expect_eq(atan2_real(0, 0), 0);
  cr_expect_eq(atan2_real(0, 2), 0);
  cr_expect_eq(atan2_real(1e-300, 2), 5e-301);
}

/* The rate that the check of the step works with bounds the decays of the contact at rest:
 * eigenvalues of the slip's and the gap's own response, from differences of the right-hand side. */
Test(rolling_disc, the_fastest_rate_bounds_contact_and_friction) {
  static disc d;
  make_disc(&d, 4);
  d.v[OMR_VP_PLANE_SLOPE] = d.v[OMR_VP_DISC_TILT_RATE] = d.v[OMR_VP_DISC_ROLLING] = 0;
  d.v[OMR_VP_DISC_SLIP_SPEED] = 0.01;
  prepare(&d);
  double rate = omr_rolling_disc.fastest_rate(d.p), slip[2] = {0, 0};
  evaluate(&d);
  for (int side = 0; side < 2;
       side++) { /* a push along x moves the contact point with 1/m + R^2/I_a */
    disc m = d;
    m.y[DISC_Y_VX] += side ? 1e-7 : -1e-7;
    evaluate(&m);
    slip[side] =
        m.dy[DISC_Y_VX] + d.v[OMR_VP_UK_RADIUS] * m.dy[DISC_Y_LZ] / d.v[OMR_VP_DISC_AXIAL_INERTIA];
  }
  double decay = -(slip[1] - slip[0]) / 2e-7;
  cr_expect(decay > 100 && rate >= decay && rate < 10 * decay, "decay %g, rate %g", decay, rate);
  d.v[OMR_VP_DISC_STIFFNESS] = 1e9;
  prepare(&d);
  cr_expect_geq(omr_rolling_disc.fastest_rate(d.p), sqrt(1e9 / d.v[OMR_VP_UK_MASS]));
}

/* A reader of results sees both by name: a sample must not be called like a column of a varied
 * parameter. */
Test(rolling_disc, no_sample_has_the_name_of_a_parameter) {
  for (int j = 0; j < OMR_VP_COUNT; j++) {
    char name[64];
    if (!(omr_vehicle_parameters[j].flags & OMR_FOR_ROLLING_DISC)) continue;
    snprintf(name, sizeof name, "%s", omr_vehicle_parameters[j].path);
    for (char *c = name; *c; c++) *c = *c == '.' ? '_' : *c;
    for (int i = 0; i < DISC_S_COUNT; i++)
      cr_expect_str_neq(name, omr_rolling_disc.list->sample_list[i].name);
  }
}
