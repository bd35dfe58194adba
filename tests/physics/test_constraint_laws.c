/* The kernels' right-hand side under the laws that are constraints
 * (appendix/laws.md#rolling, appendix/laws.md#relaxed)
 * against the dense second computation at random machines: one to eight wheels, one row and two,
 * bearings with and without friction. */
#include "shared/constrained.h"

enum { MACHINES = 300 };

enum { PLATFORM, YAW, WHEEL, SPIN, LOAD, FORCE, SLIP, DEMAND, WEIGHTING, LOST, QUANTITIES };
static const char *const names[QUANTITIES] = {"acceleration",
                                              "yaw acceleration",
                                              "wheel acceleration",
                                              "spin acceleration",
                                              "load",
                                              "force",
                                              "slip",
                                              "demand",
                                              "weight",
                                              "dissipation"};

/* Powers of the floor's forces and of all bearings, taken out of the motion: -F.v + sum beta_a
 * chi'^2 + sum beta_r phi'^2. */
static double dissipation(const dense_vehicle *d, const dense_motion *r) {
  const machine *m = &d->machine;
  double lost = 0;
  for (int k = 0; k < d->rows; k++) lost -= r->multiplier[k] * dense_dot(d->size, d->a[k], d->u);
  for (int i = 0; i < m->wheels; i++) {
    const machine_wheel *w = &m->wheel[i];
    lost += m->axle_bearing * w->rate * w->rate;
    for (int j = 0; j < m->rollers; j++) {
      const double q = w->angle + 2 * M_PI * j / m->rollers,
                   roll = dense_roller_rate(m, i, q, &w->spin[j], m->omega, w->rate);
      lost += m->roller_bearing * roll * roll;
    }
  }
  return lost;
}

static double demand_of(double demand) {
  return demand < 1e6 ? demand : 1e6; /* a wheel without load demands without end */
}

static void compare_wheel(const fleet *f, const evaluation *e, const dense_vehicle *d,
                          const dense_motion *r, int i, const contact_law *law, scaled *c) {
  const machine *m = &d->machine;
  compare(&c[WHEEL], e->rate.y[Y_RATE(i)], r->acceleration[3 + i]);
  compare(&c[LOAD], e->o.load[i], r->load[i]);
  compare(&c[FORCE], e->o.unit_i[i], r->force[i][0]);
  compare(&c[FORCE], e->o.unit_k[i], r->force[i][1]);
  if (!is_massless(law)) {
    for (int j = 0; j < m->rollers; j++)
      compare(&c[SPIN], spin_acceleration(f, e, i, j, m->wheel[i].spin[j]),
              r->spin_acceleration[i][j]);
    compare(&c[SLIP], e->o.slip_i[i], dense_dot(d->size, d->a[2 * i], d->u));
    compare(&c[SLIP], e->o.slip_k[i], dense_dot(d->size, d->a[2 * i + 1], d->u));
    compare(&c[SLIP], sqrt(e->o.slip2[i]), hypot(e->o.slip_i[i], e->o.slip_k[i]));
  } else {
    const double size = hypot(d->direction[i][0], d->direction[i][1]);
    compare(&c[SLIP], sqrt(e->o.slip2[i]), fabs(dense_dot(d->size, d->a[i], d->u)) / size);
  }
  if (law->law != OMR_LAW_RELAXED) return;
  c[DEMAND].worst =
      larger(c[DEMAND].worst, demand_of(e->o.demand[i]) / demand_of(r->demand[i]) - 1);
  compare(&c[WEIGHTING], e->o.weight[i], r->stiction[i] * r->stiction[i]);
}

static void compare_motion(const fleet *f, const evaluation *e, const dense_vehicle *d,
                           const dense_motion *r, const contact_law *law, scaled *c) {
  cr_expect(r->solved);
  cr_expect(e->o.solvable);
  compare(&c[PLATFORM], e->rate.y[Y_VX], r->acceleration[0]);
  compare(&c[PLATFORM], e->rate.y[Y_VZ], r->acceleration[1]);
  compare(&c[YAW], e->rate.y[Y_OMEGA], r->acceleration[2]);
  for (int i = 0; i < d->machine.wheels; i++) compare_wheel(f, e, d, r, i, law, c);
  compare(&c[LOST], e->rate.y[Y_DISSIPATED], dissipation(d, r));
  for (int q = 0; q < QUANTITIES; q++) {
    const double relative = settle(&c[q], 1);
    if (relative > 1e-9)
      cr_log_info("%s: %.3g with %d wheels, %d rollers", names[q], relative, d->machine.wheels,
                  d->machine.rollers);
  }
}

static void check_machine(const machine *m, const contact_law *law, scaled *c) {
  evaluation e;
  fleet f = evaluate_under(m, law, &e);
  dense_vehicle d = dense_under(m, law);
  dense_motion r = dense_solution(&d, law);
  compare_motion(&f, &e, &d, &r, law, c);
  free_fleet(&f);
}

static void expect_all(const scaled *c) {
  for (int q = 0; q < QUANTITIES; q++) expect_below(&c[q], 1e-9, names[q]);
}

Test(constraint_laws, ideal_rolling_is_the_dense_solution) {
  uint64_t seed = 61;
  scaled c[QUANTITIES] = {{0}};
  for (int n = 0; n < MACHINES; n++) {
    contact_law law = random_law(&seed, OMR_LAW_ROLLING);
    machine m = machine_for(&seed, &law);
    check_machine(&m, &law, c);
  }
  expect_all(c);
}

/* The rollers' mass in the study counts as zero on both sides. */
Test(constraint_laws, massless_rollers_are_the_dense_solution_with_and_without_phase) {
  uint64_t seed = 62;
  scaled c[QUANTITIES] = {{0}};
  for (int n = 0; n < MACHINES; n++) {
    contact_law law = random_law(&seed, n % 2 ? OMR_LAW_CLASSICAL : OMR_LAW_MASSLESS);
    machine m = machine_for(&seed, &law);
    check_machine(&m, &law, c);
  }
  expect_all(c);
}

Test(constraint_laws, relaxed_rolling_is_the_dense_solution_for_all_weights_and_relaxations) {
  uint64_t seed = 64;
  for (int weights = 0; weights < 3; weights++) {
    for (int contact_wise = 0; contact_wise < 2; contact_wise++) {
      scaled c[QUANTITIES] = {{0}};
      for (int n = 0; n < MACHINES / 2; n++) {
        contact_law law = random_law(&seed, OMR_LAW_RELAXED);
        law.weights = (omr_weights)weights;
        law.contact_wise = contact_wise;
        machine m = machine_for(&seed, &law);
        check_machine(&m, &law, c);
      }
      cr_log_info("weights %d, contact-wise %d", weights, contact_wise);
      expect_all(c);
    }
  }
}

/* Weights that are not diagonal: kappa from -1 to 1, 0 on some wheels, exactly 1 on others. */
Test(constraint_laws, coupled_weights_are_the_dense_solution_for_all_weights_and_relaxations) {
  uint64_t seed = 66;
  for (int weights = 0; weights < 3; weights++) {
    for (int contact_wise = 0; contact_wise < 2; contact_wise++) {
      scaled c[QUANTITIES] = {{0}};
      for (int n = 0; n < MACHINES / 2; n++) {
        contact_law law = random_law(&seed, OMR_LAW_RELAXED);
        law.weights = (omr_weights)weights;
        law.contact_wise = contact_wise;
        for (int i = 0; i < OMR_MAX_WHEELS; i++)
          law.coupling[i] = i % 3 == 1 ? 0 : i % 3 == 2 ? 1 : draw(&seed, -1, 1);
        machine m = machine_for(&seed, &law);
        check_machine(&m, &law, c);
      }
      cr_log_info("weights %d, contact-wise %d", weights, contact_wise);
      expect_all(c);
    }
  }
}

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

/* Gentle motions, where the demand is moderate and weights are neither 0 nor 1, and friction has
 * next to no direction. */
Test(constraint_laws, relaxed_rolling_without_slip_is_the_dense_solution) {
  uint64_t seed = 65;
  scaled c[QUANTITIES] = {{0}};
  int between = 0;
  for (int n = 0; n < MACHINES; n++) {
    contact_law law = random_law(&seed, OMR_LAW_RELAXED);
    law.weights = OMR_WEIGHTS_DEMAND;
    machine m = machine_for(&seed, &law);
    m = rolling_state(&m);
    for (int i = 0; i < m.wheels; i++) law.gains[i][2] = 0.1;
    evaluation e;
    fleet f = evaluate_under(&m, &law, &e);
    dense_vehicle d = dense_under(&m, &law);
    dense_motion r = dense_solution(&d, &law);
    compare_motion(&f, &e, &d, &r, &law, c);
    for (int i = 0; i < m.wheels; i++) between += e.o.weight[i] > 0.01 && e.o.weight[i] < 0.99;
    free_fleet(&f);
  }
  cr_log_info("%d weights between 0.01 and 0.99", between);
  cr_expect_gt(between, MACHINES / 2);
  expect_all(c);
}

/* At rest on the floor the slip is exactly zero: friction has no direction, and nothing is divided
 * by it. */
Test(constraint_laws, relaxed_rolling_at_rest_has_no_friction) {
  uint64_t seed = 66;
  scaled c[QUANTITIES] = {{0}};
  for (int n = 0; n < 60; n++) {
    contact_law law = random_law(&seed, OMR_LAW_RELAXED);
    machine m = machine_for(&seed, &law);
    m.vx = m.vz = m.omega = 0;
    for (int i = 0; i < m.wheels; i++) {
      m.wheel[i].rate = 0;
      for (int j = 0; j < m.rollers; j++) m.wheel[i].spin[j] = 0;
    }
    check_machine(&m, &law, c);
  }
  expect_all(c);
}

/* mu = 0: the demand is without end, so that weights vanish and, with them, all forces; fixed
 * weights know no demand. */
Test(constraint_laws, relaxed_rolling_on_ice_is_free_motion_unless_weights_are_fixed) {
  uint64_t seed = 67;
  scaled c[QUANTITIES] = {{0}};
  for (int n = 0; n < 90; n++) {
    contact_law law = random_law(&seed, OMR_LAW_RELAXED);
    machine m = machine_for(&seed, &law);
    for (int i = 0; i < m.wheels; i++) law.gains[i][3] = 0;
    evaluation e;
    fleet f = evaluate_under(&m, &law, &e);
    dense_vehicle d = dense_under(&m, &law);
    dense_motion r = dense_solution(&d, &law);
    compare_motion(&f, &e, &d, &r, &law, c);
    for (int i = 0; i < m.wheels && law.weights != OMR_WEIGHTS_FIXED; i++)
      cr_expect_lt(hypot(e.o.unit_i[i], e.o.unit_k[i]), 1e-150);
    free_fleet(&f);
  }
  expect_all(c);
}

/* Beyond the paper: forces that would work on the slip lose their part along it; loads are those of
 * the forces that are left. */
Test(constraint_laws, passive_forces_are_the_dense_ones_without_their_work) {
  uint64_t seed = 68;
  scaled c[QUANTITIES] = {{0}};
  int cut = 0;
  for (int n = 0; n < MACHINES; n++) {
    contact_law law = random_law(&seed, OMR_LAW_RELAXED);
    law.passive = true;
    machine m = machine_for(&seed, &law);
    evaluation e;
    fleet f = evaluate_under(&m, &law, &e);
    dense_vehicle d = dense_under(&m, &law);
    dense_system s = dense_make_system(&d);
    dense_motion r = dense_solution(&d, &law);
    for (int i = 0; i < m.wheels; i++) {
      const double vi = dense_dot(d.size, d.a[2 * i], d.u),
                   vk = dense_dot(d.size, d.a[2 * i + 1], d.u);
      const double excess =
          fmax(0, r.multiplier[2 * i] * vi + r.multiplier[2 * i + 1] * vk) / (vi * vi + vk * vk);
      r.multiplier[2 * i] -= excess * vi;
      r.multiplier[2 * i + 1] -= excess * vk;
      cut += excess > 0;
    }
    memcpy(r.acceleration, s.free, sizeof r.acceleration);
    dense_push(&d, &s, r.multiplier, r.acceleration);
    cr_expect(dense_loads(&d, r.acceleration, NULL, r.load));
    memset(r.force, 0, sizeof r.force);
    dense_finish(&d, &r);
    compare_motion(&f, &e, &d, &r, &law, c);
    free_fleet(&f);
  }
  cr_log_info("%d forces cut", cut);
  cr_expect_gt(cut, MACHINES / 4);
  expect_all(c);
}
