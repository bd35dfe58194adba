/* The dense second computation of the laws (dense_vehicle.h) against the recorded states, by
 * identities and in exact cases. */
#include "shared/dense_vehicle.h"
#include "shared/recorded_relaxed.h"

enum { MACHINES = 120 };

/* Largest difference of a quantity over states, relative to its largest magnitude in the state, and
 * to 1 where that is less. */
typedef struct scaled {
  double difference, magnitude, worst;
} scaled;

static void compare(scaled *c, double got, double expected) {
  c->difference = larger(c->difference, got - expected);
  c->magnitude = fmax(c->magnitude, fabs(expected));
}

static void settle(scaled *c) {
  c->worst = larger(c->worst, c->difference / fmax(1, c->magnitude));
  c->difference = c->magnitude = 0;
}

static void expect_below(const scaled *c, double tolerance, const char *what) {
  cr_log_info("%s: largest relative difference %.2g", what, c->worst);
  cr_expect_lt(c->worst, tolerance, "%s differs by %.3g", what, c->worst);
}

/* ---- against the recorded states */

enum { BODY, YAW, WHEEL, SPIN, LOAD, FORCE, SLIP, DEMAND, STICTION, QUANTITIES };
static const char *const names[QUANTITIES] = {"acceleration",
                                              "yaw acceleration",
                                              "wheel acceleration",
                                              "spin acceleration",
                                              "load",
                                              "force",
                                              "slip",
                                              "demand",
                                              "stiction"};

static void expect_all(const scaled *c, double tolerance) {
  for (int q = 0; q < QUANTITIES; q++) expect_below(&c[q], tolerance, names[q]);
}

/* The recorded forces of law 1 give the recorded accelerations through M, A and Q, and these the
 * recorded loads. */
Test(dense_vehicle, moves_under_the_recorded_friction_as_recorded) {
  recorded *all = read_recorded();
  scaled c[QUANTITIES] = {{0}};
  for (int k = 0; k < RECORDED_STATES; k++) {
    const recorded *r = &all[k];
    dense_vehicle d = dense_assemble(&r->machine);
    dense_system s = dense_make_system(&d);
    double f[DENSE_SIZE] = {0}, load[OMR_MAX_WHEELS];
    const int wheels = r->machine.wheels;
    for (int row = 0; row < d.rows; row++) f[row] = r->wheel[row / 2].force[row % 2];
    dense_push(&d, &s, f, s.free);
    cr_expect(s.solved && dense_loads(&d, s.free, NULL, load));
    compare(&c[BODY], s.free[0], r->ax);
    compare(&c[BODY], s.free[1], r->az);
    compare(&c[YAW], s.free[2], r->yaw_acceleration);
    for (int i = 0; i < wheels; i++) {
      cr_expect_eq(d.contact[i].active, r->wheel[i].active);
      compare(&c[WHEEL], s.free[3 + i], r->wheel[i].acceleration);
      compare(&c[SPIN], s.free[3 + wheels + i], r->wheel[i].spin_acceleration[d.contact[i].active]);
      compare(&c[LOAD], load[i], r->wheel[i].load);
      for (int a = 0; a < 2; a++)
        compare(&c[SLIP], dense_dot(d.size, d.a[2 * i + a], d.u), r->wheel[i].slip[a]);
    }
    for (int q = 0; q < QUANTITIES; q++) settle(&c[q]);
  }
  expect_all(c, 1e-11);
  free(all);
}

static dense_relaxation published(const recorded_relaxed *r) {
  return (dense_relaxation){
      .k_s = r->k_s, .k_f = r->k_f, .v_ref = r->v_ref, .baumgarte = r->baumgarte};
}

static void compare_wheel(scaled *c, const recorded_relaxed *r, const dense_motion *got, int i) {
  compare(&c[WHEEL], got->acceleration[3 + i], r->wheel[i].acceleration);
  compare(&c[LOAD], got->load[i], r->wheel[i].load);
  compare(&c[DEMAND], got->demand[i], r->wheel[i].demand);
  compare(&c[STICTION], got->stiction[i], r->wheel[i].stiction);
  for (int a = 0; a < 2; a++) compare(&c[FORCE], got->force[i][a], r->wheel[i].force[a]);
  for (int j = 0; j < r->machine.rollers; j++)
    compare(&c[SPIN], got->spin_acceleration[i][j], r->wheel[i].spin_acceleration[j]);
}

Test(dense_vehicle, under_the_relaxed_law_moves_as_recorded) {
  recorded_relaxed *all = read_recorded_relaxed();
  scaled c[QUANTITIES] = {{0}};
  for (int k = 0; k < RECORDED_STATES; k++) {
    const recorded_relaxed *r = &all[k];
    dense_vehicle d = dense_assemble(&r->machine);
    dense_relaxation x = published(r);
    dense_motion got = dense_relaxed(&d, &x);
    cr_expect(got.solved);
    compare(&c[BODY], got.acceleration[0], r->ax);
    compare(&c[BODY], got.acceleration[1], r->az);
    compare(&c[YAW], got.acceleration[2], r->yaw_acceleration);
    for (int i = 0; i < r->machine.wheels; i++) compare_wheel(c, r, &got, i);
    for (int q = 0; q < QUANTITIES; q++) {
      if (c[q].difference > 1e-9 * fmax(1, c[q].magnitude))
        cr_log_info("state %d: %s %.3g", k, names[q], c[q].difference);
      settle(&c[q]);
    }
  }
  expect_all(c, 1e-9);
  free(all);
}

/* ---- identities */

/* The machine a time dt later at constant velocities. */
static machine moved(const machine *m, double dt) {
  machine later = *m;
  for (int i = 0; i < m->wheels; i++) later.wheel[i].angle += dt * m->wheel[i].rate;
  return later;
}

/* Turned so that every wheel stands at a contact angle well inside its roller. */
static machine inside_rollers(uint64_t *seed) {
  machine m = random_machine(seed);
  for (int i = 0; i < m.wheels; i++)
    m.wheel[i].angle =
        draw_whole(seed, -9, 9) * 2 * M_PI / m.rollers + draw(seed, -0.9, 0.9) * M_PI / m.rollers;
  return m;
}

/* Central difference of fourth order, its error of the order of 1e-9. */
Test(dense_vehicle, rows_change_as_their_numerical_derivative_says) {
  uint64_t seed = 41;
  scaled c = {0};
  const double dt = 1e-4, weight[4] = {1, -8, 8, -1};
  for (int n = 0; n < MACHINES; n++) {
    machine m = inside_rollers(&seed);
    dense_vehicle d = dense_assemble(&m);
    double numerical[DENSE_SIZE] = {0};
    for (int k = 0; k < 4; k++) {
      machine other = moved(&m, dt * (k < 2 ? k - 2 : k - 1));
      dense_vehicle at = dense_assemble(&other);
      for (int r = 0; r < d.rows; r++)
        numerical[r] += weight[k] / (12 * dt) * dense_dot(d.size, at.a[r], d.u);
    }
    for (int r = 0; r < d.rows; r++) compare(&c, d.rate[r], numerical[r]);
    settle(&c);
  }
  expect_below(&c, 1e-8, "dA/dt u");
}

static double constraint_error(const dense_vehicle *d, const dense_motion *r, double baumgarte) {
  double worst = 0;
  for (int k = 0; k < d->rows; k++) {
    const double b = -d->rate[k] - baumgarte * dense_dot(d->size, d->a[k], d->u);
    worst = larger(worst, (dense_dot(d->size, d->a[k], r->acceleration) - b) / fmax(1, fabs(b)));
  }
  return worst;
}

/* M u' - Q - A^T F. */
static double momentum_error(const dense_vehicle *d, const dense_motion *r) {
  double worst = 0;
  for (int j = 0; j < d->size; j++) {
    double sum = dense_dot(d->size, d->mass[j], r->acceleration) - d->applied[j],
           scale_of = fabs(d->applied[j]);
    for (int k = 0; k < d->rows; k++) {
      sum -= d->a[k][j] * r->multiplier[k];
      scale_of = fmax(scale_of, fabs(d->a[k][j] * r->multiplier[k]));
    }
    worst = larger(worst, sum / fmax(1, scale_of));
  }
  return worst;
}

Test(dense_vehicle, rolls_with_its_constraints_and_momenta_met) {
  uint64_t seed = 42;
  double constraint = 0, momentum = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    dense_vehicle two = dense_assemble(&m), one = dense_assemble_massless(&m, n % 2);
    dense_motion rolling = dense_rolling(&two, 30), massless = dense_rolling(&one, 30);
    cr_expect(rolling.solved && massless.solved);
    constraint = larger(constraint, constraint_error(&two, &rolling, 30));
    constraint = larger(constraint, constraint_error(&one, &massless, 30));
    momentum = larger(momentum, momentum_error(&two, &rolling));
    momentum = larger(momentum, momentum_error(&one, &massless));
  }
  cr_log_info("largest errors: constraints %.2g, momenta %.2g", constraint, momentum);
  cr_expect_lt(constraint, 1e-10);
  cr_expect_lt(momentum, 1e-10);
}

static void expect_same_motion(const dense_vehicle *d, const dense_motion *a, const dense_motion *b,
                               scaled c[3]) {
  cr_expect(a->solved && b->solved);
  for (int j = 0; j < d->size; j++) compare(&c[0], a->acceleration[j], b->acceleration[j]);
  for (int i = 0; i < d->machine.wheels; i++) {
    compare(&c[1], a->load[i], b->load[i]);
    for (int k = 0; k < 2; k++) compare(&c[2], a->force[i][k], b->force[i][k]);
  }
  for (int q = 0; q < 3; q++) settle(&c[q]);
}

/* w = 1 is rolling, w = 0 leaves the friction f alone, and where all weights are the same, cross
 * terms cancel. */
Test(dense_vehicle, relaxed_law_has_rolling_and_friction_as_its_ends) {
  uint64_t seed = 43;
  scaled rolls[3] = {{0}}, same[3] = {{0}}, free_law = {0};
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    dense_vehicle d = dense_assemble(&m);
    dense_relaxation x = {
        .weights = DENSE_GIVEN, .k_s = 1, .k_f = 1, .v_ref = 0.02, .baumgarte = 40};
    for (int i = 0; i < m.wheels; i++) x.given[i] = 1;
    dense_motion rolling = dense_rolling(&d, 40), relaxed = dense_relaxed(&d, &x);
    expect_same_motion(&d, &relaxed, &rolling, rolls);
    const double w = draw(&seed, 0.1, 0.9);
    for (int i = 0; i < m.wheels; i++) x.given[i] = w;
    dense_motion crossed = dense_relaxed(&d, &x);
    x.contact_wise = true;
    dense_motion contact_wise = dense_relaxed(&d, &x);
    expect_same_motion(&d, &contact_wise, &crossed, same);
    x.contact_wise = false;
    for (int i = 0; i < m.wheels; i++) x.given[i] = 0;
    relaxed = dense_relaxed(&d, &x);
    for (int i = 0; i < m.wheels; i++) {
      double v[2];
      dense_slip(&m, i, &d.contact[i], d.u, v);
      const double speed = hypot(v[0], v[1]);
      const double size =
          m.friction * relaxed.load[i] * tanh(relaxed.demand[i] / 3) * tanh(speed / 0.02);
      for (int k = 0; k < 2; k++) compare(&free_law, relaxed.force[i][k], -size * v[k] / speed);
    }
    settle(&free_law);
  }
  for (int q = 0; q < 3; q++) {
    expect_below(&rolls[q], 1e-9, "weights of 1 against rolling");
    expect_below(&same[q], 1e-9, "equal weights against contact-wise");
  }
  expect_below(&free_law, 1e-9, "weights of 0 against friction");
}

/* Contact-wise with saturating weights: |F| = mu N tanh(|lambda|/(mu N)), eq. 1 of source 5, with N
 * of the constrained solve; on the testbench, where weights cannot differ, with cross terms as
 * well. */
Test(dense_vehicle, saturating_weights_are_equation_1) {
  uint64_t seed = 44;
  scaled c = {0};
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    dense_vehicle d = dense_assemble(&m);
    dense_relaxation x = {.weights = DENSE_SATURATION,
                          .baumgarte = 40,
                          .frictionless = true,
                          .contact_wise = m.wheels > 1};
    dense_motion full = dense_rolling(&d, 40), r = dense_relaxed(&d, &x);
    for (int i = 0; i < m.wheels; i++) {
      const double traction = hypot(full.force[i][0], full.force[i][1]),
                   limit = m.friction * fmax(full.load[i], 1e-9);
      compare(&c, hypot(r.force[i][0], r.force[i][1]), limit * tanh(traction / limit));
    }
    settle(&c);
  }
  expect_below(&c, 1e-11, "force");
}

static double kinetic_energy(const dense_vehicle *d, const double *u) {
  double sum = 0;
  for (int j = 0; j < d->size; j++) sum += 0.5 * u[j] * dense_dot(d->size, d->mass[j], u);
  return sum;
}

Test(dense_vehicle, impact_ends_slip_and_loses_what_its_formula_says) {
  uint64_t seed = 45;
  double slip = 0;
  scaled loss = {0};
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    dense_vehicle both[2] = {dense_assemble(&m), dense_assemble_massless(&m, n % 2)};
    for (int k = 0; k < 2; k++) {
      double after[DENSE_SIZE];
      const double lost = dense_impact(&both[k], after);
      cr_expect_geq(lost, 0);
      for (int r = 0; r < both[k].rows; r++)
        slip = larger(slip, dense_dot(both[k].size, both[k].a[r], after));
      compare(&loss, kinetic_energy(&both[k], both[k].u) - kinetic_energy(&both[k], after), lost);
      settle(&loss);
    }
  }
  cr_log_info("largest slip left %.2g m/s", slip);
  cr_expect_lt(slip, 1e-12);
  expect_below(&loss, 1e-11, "energy lost");
}

/* ---- massless rollers */

/* The machine with velocities that meet its rolling constraints. */
static machine rolling_state(const machine *m) {
  machine rolls = *m;
  dense_vehicle d = dense_assemble(m);
  double after[DENSE_SIZE];
  dense_impact(&d, after);
  rolls.vx = after[0];
  rolls.vz = after[1];
  rolls.omega = after[2];
  for (int i = 0; i < m->wheels; i++) {
    rolls.wheel[i].rate = after[3 + i];
    rolls.wheel[i].spin[d.contact[i].active] = after[3 + m->wheels + i];
  }
  return rolls;
}

static double distance_to_massless(const machine *m, double part) {
  machine light = *m;
  light.roller_bearing = 0;
  light.roller_mass *= part;
  light.roller_axial *= part;
  light.roller_diametral *= part;
  light = rolling_state(&light);
  dense_vehicle d = dense_assemble(&light);
  dense_motion rolling = dense_rolling(&d, 0), limit = dense_massless(&light, false, 0);
  cr_expect(rolling.solved && limit.solved);
  scaled c[3] = {{0}};
  for (int j = 0; j < 3 + m->wheels; j++)
    compare(&c[0], rolling.acceleration[j], limit.acceleration[j]);
  for (int i = 0; i < m->wheels; i++) {
    compare(&c[1], rolling.load[i], limit.load[i]);
    for (int k = 0; k < 2; k++) compare(&c[2], rolling.force[i][k], limit.force[i][k]);
  }
  double worst = 0;
  for (int q = 0; q < 3; q++) {
    settle(&c[q]);
    worst = fmax(worst, c[q].worst);
  }
  return worst;
}

/* Accelerations, loads and forces, with the first power of the rollers' mass; lighter rollers drown
 * in the rounding of 1/I_a. */
Test(dense_vehicle, with_vanishing_rollers_rolls_as_with_massless_ones) {
  uint64_t seed = 46;
  double largest = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    const double coarse = distance_to_massless(&m, 1e-4), fine = distance_to_massless(&m, 1e-5);
    largest = fmax(largest, fine);
    cr_expect_lt(fabs(log(coarse / fine) / log(10) - 1), 0.02, "machine %d: %g, then %g", n, coarse,
                 fine);
  }
  cr_log_info("largest distance at 1e-5 of the rollers: %.2g", largest);
}

/* Three wheels on a ring, equal torques, from rest: chi' = -rho omega/R, so (J_O + 3 J rho^2/R^2)
 * omega' = -3 tau rho/R. */
Test(dense_vehicle, of_classical_wheels_starts_to_spin_as_by_hand) {
  uint64_t seed = 47;
  machine m = random_machine(&seed);
  m.wheels = 3;
  m.platform_mass = 9;
  m.platform_inertia = 0.4;
  m.com_x = m.com_z = m.vx = m.vz = m.omega = m.axle_bearing = 0;
  for (int i = 0; i < 3; i++) {
    const double delta = 2 * M_PI * i / 3;
    m.wheel[i] = (machine_wheel){
        .a = 0.3 * sin(delta), .b = 0.3 * cos(delta), .delta = delta, .torque = 0.7};
  }
  const double yaw = 0.4 + 3 * (m.disc_diametral + m.disc_mass * 0.09);
  const double expected =
      -3 * 0.7 * 0.3 / m.radius / (yaw + 3 * m.disc_axial * 0.09 / (m.radius * m.radius));
  dense_motion r = dense_massless(&m, true, 0);
  cr_expect_float_eq(r.acceleration[2], expected, 1e-12 * fabs(expected));
  cr_expect_float_eq(r.acceleration[0], 0, 1e-12);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(r.acceleration[3 + i], -0.3 / m.radius * expected, 1e-11 * fabs(expected));
}
