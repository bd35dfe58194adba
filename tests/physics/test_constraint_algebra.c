/* The parts that the constraint laws are made of (kernels/laws/constraint.h): the system G lambda =
 * r, tangential impacts, the change of the rows; and the balances that their forces have to meet.
 */
#include "shared/bodies.h"
#include "shared/constrained.h"

enum { MACHINES = 200, SIDE = 2 * OMR_MAX_WHEELS };

static const omr_law rolling_and_massless[3] = {OMR_LAW_ROLLING, OMR_LAW_MASSLESS,
                                                OMR_LAW_CLASSICAL};

static constraints rows_of(const fleet *f, const evaluation *e, const contact_law *law) {
  const int *c = f->settings.integers;
  constraints s;
  clear_rows(e->p.v, &s);
  for (int i = 0; i < c[K_WHEELS]; i++) {
    contact k = law_contact(e->p.v, e->p.w[i], c, e->at.y[Y_Q(i)], e->held.row[i]);
    add_rows(e->p.v, e->p.w[i], is_massless(law), &k, &s.rows[i], &s);
  }
  finish_rows(&s);
  return s;
}

/* ---- G lambda = r */

static double worst_return(const fleet *f, const evaluation *e, const constraints *s,
                           const contact_pairs *force) {
  const int *c = f->settings.integers;
  contact_pairs slip, back;
  apply_rows(&e->p, c, s, force, &slip);
  solve_rows(&e->p, c, s, &slip, &back);
  scaled difference = {0};
  for (int i = 0; i < c[K_WHEELS]; i++) {
    compare(&difference, back.i[i], force->i[i]);
    compare(&difference, back.k[i], force->k[i]);
  }
  return settle(&difference, 1e-300);
}

/* Any forces; of massless rollers, forces along d. The condition of G costs two or three digits. */
Test(constraint_algebra, solving_undoes_applying) {
  uint64_t seed = 71;
  double worst = 0;
  for (int n = 0; n < 3 * MACHINES; n++) {
    contact_law law = random_law(&seed, rolling_and_massless[n % 3]);
    machine m = machine_for(&seed, &law);
    evaluation e;
    fleet f = evaluate_under(&m, &law, &e);
    constraints s = rows_of(&f, &e, &law);
    contact_pairs force;
    for (int i = 0; i < m.wheels; i++) {
      force.i[i] = draw(&seed, -10, 10);
      force.k[i] = draw(&seed, -10, 10);
      if (!is_massless(&law)) continue;
      double d_i, d_k;
      massless_direction(e.p.w[i], &s.rows[i].k, &d_i, &d_k);
      force.k[i] = force.i[i] * d_k;
      force.i[i] = force.i[i] * d_i;
    }
    worst = larger(worst, worst_return(&f, &e, &s, &force));
    free_fleet(&f);
  }
  cr_log_info("largest relative difference %.2g", worst);
  cr_expect_lt(worst, 1e-11);
}

/* Column by column. */
static void apply_to_units(const fleet *f, const evaluation *e, const constraints *s,
                           double g[SIDE][SIDE]) {
  const int wheels = f->settings.integers[K_WHEELS];
  for (int column = 0; column < 2 * wheels; column++) {
    contact_pairs unit = {{0}, {0}}, slip;
    (column % 2 ? unit.k : unit.i)[column / 2] = 1;
    apply_rows(&e->p, f->settings.integers, s, &unit, &slip);
    for (int row = 0; row < 2 * wheels; row++)
      g[row][column] = (row % 2 ? slip.k : slip.i)[row / 2];
  }
}

/* Smallest pivot of its Cholesky decomposition in long double, relative to the diagonal; below 0
 * where there is none. */
static double smallest_pivot(int n, double g[SIDE][SIDE]) {
  long double l[SIDE][SIDE] = {{0}};
  double least = 1;
  for (int j = 0; j < n; j++) {
    long double rest = (long double)g[j][j];
    for (int k = 0; k < j; k++) rest -= l[j][k] * l[j][k];
    least = fmin(least, (double)rest / g[j][j]);
    if (rest <= 0) return -1;
    l[j][j] = sqrtl(rest);
    for (int i = j + 1; i < n; i++) {
      long double sum = (long double)g[i][j];
      for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      l[i][j] = sum / l[j][j];
    }
  }
  return least;
}

Test(constraint_algebra, rows_make_the_dense_matrix_symmetric_and_positive_definite) {
  uint64_t seed = 72;
  scaled same = {0}, symmetry = {0};
  double least = 1;
  for (int n = 0; n < MACHINES; n++) {
    contact_law law = random_law(&seed, OMR_LAW_ROLLING);
    machine m = machine_for(&seed, &law);
    evaluation e;
    fleet f = evaluate_under(&m, &law, &e);
    constraints s = rows_of(&f, &e, &law);
    dense_vehicle d = dense_assemble(&m);
    dense_system dense = dense_make_system(&d);
    double g[SIDE][SIDE];
    apply_to_units(&f, &e, &s, g);
    for (int r = 0; r < d.rows; r++) {
      for (int c = 0; c < d.rows; c++) {
        compare(&same, g[r][c], dense.g[r][c]);
        compare(&symmetry, g[r][c], g[c][r]);
      }
    }
    settle(&same, 1e-300);
    settle(&symmetry, 1e-300);
    least = fmin(least, smallest_pivot(d.rows, g));
    free_fleet(&f);
  }
  expect_below(&same, 1e-13, "G");
  expect_below(&symmetry, 1e-15, "transposed G");
  cr_log_info("smallest pivot %.2g of the diagonal", least);
  cr_expect_gt(least, 0);
}

/* M u' - A^T F = Q, A u' = b as one system, up to five wheels: x = (u', F). Elimination in G would
 * lose digits where its entries of 1/I_a drown the others. */
static void solve_whole(const dense_vehicle *d, double x[DENSE_SIZE]) {
  dense_matrix whole = {{0}};
  memset(x, 0, DENSE_SIZE * sizeof *x);
  for (int j = 0; j < d->size; j++) {
    x[j] = d->applied[j];
    for (int k = 0; k < d->size; k++) whole[j][k] = d->mass[j][k];
    for (int r = 0; r < d->rows; r++) {
      whole[j][d->size + r] = -d->a[r][j];
      whole[d->size + r][j] = d->a[r][j];
    }
  }
  for (int r = 0; r < d->rows; r++) x[d->size + r] = -d->rate[r];
  cr_assert(dense_solve(d->size + d->rows, whole, x));
}

/* Rollers with a millionth of their mass cost no digits of accelerations and forces. Their own
 * spins, I_a s' = F dv/ds, do lose some: the two parts of the right side are of the order of h |F|
 * and all but cancel, so that an error of F comes out h/I_a times as large; dv/ds and the sum add
 * roundings of F, eight at most. */
Test(constraint_algebra, light_rollers_cost_digits_of_their_own_spin_alone) {
  uint64_t seed = 73;
  scaled c[2] = {{0}};
  double spin = 0;
  for (int n = 0; n < MACHINES; n++) {
    contact_law law = random_law(&seed, OMR_LAW_ROLLING);
    machine m = machine_for(&seed, &law);
    if (m.wheels > 5) continue;
    m.roller_bearing = 0;
    m.roller_mass *= 1e-6;
    m.roller_axial *= 1e-6;
    m.roller_diametral *= 1e-6;
    evaluation e;
    fleet f = evaluate_under(&m, &law, &e);
    dense_vehicle d = dense_under(&m, &law);
    double x[DENSE_SIZE];
    solve_whole(&d, x);
    compare(&c[0], e.rate.y[Y_VX], x[0]);
    compare(&c[0], e.rate.y[Y_VZ], x[1]);
    compare(&c[0], e.rate.y[Y_OMEGA], x[2]);
    for (int i = 0; i < m.wheels; i++) {
      compare(&c[0], e.rate.y[Y_RATE(i)], x[3 + i]);
      compare(&c[1], e.o.unit_i[i], x[d.size + 2 * i]);
      compare(&c[1], e.o.unit_k[i], x[d.size + 2 * i + 1]);
    }
    for (int i = 0; i < m.wheels; i++) {
      const double *force = &x[d.size + 2 * i], rounding = 0x1p-53 * hypot(force[0], force[1]);
      const double off = hypot(e.o.unit_i[i] - force[0], e.o.unit_k[i] - force[1]) + 8 * rounding;
      const double error = e.rate.y[Y_SPIN(i)] - x[3 + m.wheels + i];
      spin = larger(spin, error * m.roller_axial / (d.contact[i].height * off));
    }
    for (int q = 0; q < 2; q++) settle(&c[q], 1);
    free_fleet(&f);
  }
  expect_below(&c[0], 1e-12, "accelerations with light rollers");
  expect_below(&c[1], 1e-12, "forces with light rollers");
  cr_log_info("spin accelerations differ by %.2f of what their forces' errors explain", spin);
  cr_expect_lt(spin, 1);
}

/* ---- impact */

static void velocities_of(const evaluation *e, int wheels, double u[DENSE_SIZE]) {
  u[0] = e->at.y[Y_VX];
  u[1] = e->at.y[Y_VZ];
  u[2] = e->at.y[Y_OMEGA];
  for (int i = 0; i < wheels; i++) {
    u[3 + i] = e->at.y[Y_RATE(i)];
    u[3 + wheels + i] = e->at.y[Y_SPIN(i)];
  }
}

static double energy_of(const dense_vehicle *d, const double *u) {
  double sum = 0;
  for (int j = 0; j < d->size; j++) sum += 0.5 * u[j] * dense_dot(d->size, d->mass[j], u);
  return sum;
}

typedef struct impact_check {
  scaled velocity, slip, loss, drop, host_drop;
} impact_check;

static void check_impact(const machine *m, const contact_law *law, impact_check *x) {
  evaluation e;
  fleet f = evaluate_under(m, law, &e);
  dense_vehicle d = is_massless(law) ? dense_assemble_massless(m, law->law == OMR_LAW_CLASSICAL)
                                     : dense_assemble(m);
  double before[DENSE_SIZE] = {0}, after[DENSE_SIZE] = {0}, expected[DENSE_SIZE];
  const double dense_loss = dense_impact(&d, expected),
               host_before = omr_kinetic_energy(&f.settings, &f.batch, 0);
  velocities_of(&e, m->wheels, before);
  evaluation old = e;
  const double loss = impact(&e.p, f.settings.integers, &e.held, 1, e.at.y);
  velocities_of(&e, m->wheels, after);
  store_state(f.batch.state, f.settings.integers, (int)f.batch.stride, &e.at, e.v, e.ts);
  for (int j = 0; j < d.size; j++) compare(&x->velocity, after[j], expected[j]);
  for (int r = 0; r < d.rows; r++) compare(&x->slip, dense_dot(d.size, d.a[r], after), 0);
  compare(&x->loss, loss, dense_loss);
  compare(&x->drop, energy_of(&d, before) - energy_of(&d, after), loss);
  compare(&x->host_drop, host_before - omr_kinetic_energy(&f.settings, &f.batch, 0), loss);
  settle(&x->velocity, 1);
  settle(&x->slip, 1);
  settle(&x->loss, 1e-3);
  settle(&x->drop, energy_of(&d, before));
  settle(&x->host_drop, energy_of(&d, before));
  for (int j = 0; j < Y_COMPENSATED; j++)
    cr_expect_eq(e.at.y[j], old.at.y[j], "an impact moves nothing");
  motion spared = old.at;
  cr_expect_eq(impact(&old.p, f.settings.integers, &old.held, 0, spared.y), 0);
  cr_expect_eq(memcmp(spared.y, old.at.y, sizeof spared.y), 0,
               "a lane that is not hit keeps its bits");
  free_fleet(&f);
}

Test(constraint_algebra, impacts_end_slip_and_cost_the_kinetic_energy_they_return) {
  uint64_t seed = 74;
  impact_check x = {.velocity = {0}};
  for (int n = 0; n < 3 * MACHINES; n++) {
    contact_law law = random_law(&seed, rolling_and_massless[n % 3]);
    machine m = machine_for(&seed, &law);
    check_impact(&m, &law, &x);
  }
  expect_below(&x.velocity, 1e-10, "velocities after the impact");
  expect_below(&x.slip, 1e-12, "slip after the impact");
  expect_below(&x.loss, 1e-10, "energy lost");
  expect_below(&x.drop, 1e-12, "drop of kinetic energy");
  expect_below(&x.host_drop, 1e-12, "drop of the engine's kinetic energy");
}

/* ---- change of the rows */

/* Turned so that every wheel stands at a contact angle well inside its roller. */
static machine inside_rollers(uint64_t *seed, const contact_law *law) {
  machine m = machine_for(seed, law);
  for (int i = 0; i < m.wheels; i++)
    m.wheel[i].angle =
        draw_whole(seed, -9, 9) * 2 * M_PI / m.rollers + draw(seed, -0.9, 0.9) * M_PI / m.rollers;
  return m;
}

static const double nodes[4] = {-2, -1, 1, 2},
                    node_weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};

/* What the constraint of wheel i is made of: its slip along i and k, of massless rollers the row
 * along d, not divided by |d|. */
static void rows_at(const evaluation *e, const int *c, int massless, int i, double q,
                    double row[2]) {
  const double *y = e->at.y, *w = e->p.w[i];
  contact k = law_contact(e->p.v, w, c, q, e->held.row[i]);
  contact_slip(&k, w, y[Y_VX], y[Y_VZ], turning_of(y, i), &row[0], &row[1]);
  if (!massless) return;
  row[0] = k.axis_along * row[0] + w[W_SIN_PSI] * row[1];
  row[1] = 0;
}

static void drift_of(const evaluation *e, const int *c, const contact_law *law, int i,
                     double drift[2]) {
  const double *y = e->at.y, *w = e->p.w[i];
  contact k = law_contact(e->p.v, w, c, y[Y_Q(i)], e->held.row[i]);
  if (!is_massless(law)) {
    rolling_drift(w, &k, y[Y_OMEGA], y[Y_RATE(i)], y[Y_SPIN(i)], &drift[0], &drift[1]);
    return;
  }
  double d_i, d_k, along, across;
  massless_drift(w, &k, law->law == OMR_LAW_CLASSICAL, y[Y_OMEGA], y[Y_RATE(i)], e->o.slip_i[i],
                 &along, &across);
  massless_direction(w, &k, &d_i, &d_k);
  drift[0] = (d_i * along + d_k * across) * hypot(k.axis_along, w[W_SIN_PSI]);
  drift[1] = 0;
}

/* Differences of fourth order of the rows as the wheels turn on at constant velocities. */
Test(constraint_algebra, drift_is_the_numerical_derivative_of_the_rows) {
  uint64_t seed = 75;
  const double dt = 1e-4;
  scaled c[3] = {{0}};
  for (int n = 0; n < 3 * MACHINES; n++) {
    contact_law law = random_law(&seed, rolling_and_massless[n % 3]);
    machine m = inside_rollers(&seed, &law);
    evaluation e;
    fleet f = evaluate_under(&m, &law, &e);
    for (int i = 0; i < m.wheels; i++) {
      double drift[2], numerical[2] = {0}, row[2];
      drift_of(&e, f.settings.integers, &law, i, drift);
      for (int k = 0; k < 4; k++) {
        rows_at(&e, f.settings.integers, is_massless(&law), i,
                e.at.y[Y_Q(i)] + nodes[k] * dt * e.at.y[Y_RATE(i)], row);
        for (int a = 0; a < 2; a++) numerical[a] += node_weight[k] / dt * row[a];
      }
      for (int a = 0; a < 2; a++) compare(&c[n % 3], drift[a], numerical[a]);
    }
    settle(&c[n % 3], 1);
    free_fleet(&f);
  }
  expect_below(&c[0], 1e-8, "drift of rolling rows");
  expect_below(&c[1], 1e-8, "drift of massless rows");
  expect_below(&c[2], 1e-8, "drift of classical rows");
}

/* The machine on the tangent of its motion: rates of all coordinates and velocities as the kernel
 * gives them. */
static machine moved(const machine *m, const fleet *f, const evaluation *e, double dt) {
  machine to = *m;
  const double *d = e->rate.y;
  vec v = world_of(m, m->vx, 0, m->vz);
  to.x += dt * v.x;
  to.z += dt * v.z;
  to.yaw += dt * m->omega;
  to.vx += dt * d[Y_VX];
  to.vz += dt * d[Y_VZ];
  to.omega += dt * d[Y_OMEGA];
  for (int i = 0; i < m->wheels; i++) {
    to.wheel[i].angle += dt * m->wheel[i].rate;
    to.wheel[i].rate += dt * d[Y_RATE(i)];
    for (int j = 0; j < m->rollers; j++)
      to.wheel[i].spin[j] += dt * spin_acceleration(f, e, i, j, m->wheel[i].spin[j]);
  }
  return to;
}

/* Along the motion the slip falls at the Baumgarte rate of its wheel: dv/dt = -gamma v, of massless
 * rollers for the row along d. The slip is that of the dense computation. */
Test(constraint_algebra, slip_decays_at_the_baumgarte_rate_of_its_wheel) {
  uint64_t seed = 76;
  const double dt = 1e-5;
  scaled c[3] = {{0}};
  for (int n = 0; n < 3 * MACHINES; n++) {
    contact_law law = random_law(&seed, rolling_and_massless[n % 3]);
    machine m = inside_rollers(&seed, &law);
    evaluation e;
    fleet f = evaluate_under(&m, &law, &e);
    double rate[DENSE_SIZE] = {0};
    dense_vehicle now = {.rows = 0};
    for (int k = 0; k <= 4; k++) {
      machine at = moved(&m, &f, &e, k < 4 ? nodes[k] * dt : 0);
      now = is_massless(&law) ? dense_assemble_massless(&at, law.law == OMR_LAW_CLASSICAL)
                              : dense_assemble(&at);
      for (int r = 0; r < now.rows && k < 4; r++)
        rate[r] += node_weight[k] / dt * dense_dot(now.size, now.a[r], now.u);
    }
    for (int r = 0; r < now.rows; r++)
      compare(&c[n % 3], rate[r],
              -law.baumgarte[now.wheel_of[r]] * dense_dot(now.size, now.a[r], now.u));
    settle(&c[n % 3], 1);
    free_fleet(&f);
  }
  expect_below(&c[0], 1e-8, "decay of slip");
  expect_below(&c[1], 1e-8, "decay of slip on massless rollers");
  expect_below(&c[2], 1e-8, "decay of slip on classical rollers");
}

/* ---- the testbench's balance of moments */

/* Rate of the angular momentum of disc and rollers, one by one, about the place where the wheel's
 * centre is now. */
static vec momentum_rate(const machine *m, const fleet *f, const evaluation *e) {
  const double dt = 1e-5;
  vec sum = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    machine at = moved(m, f, e, nodes[k] * dt);
    momenta now = {.energy = 0};
    count_wheel(&now, &at, 0, wheel_centre(m, 0));
    sum = add(sum, scale(node_weight[k] / dt, now.angular));
  }
  return sum;
}

static machine testbench(uint64_t *seed, const contact_law *law) {
  for (;;) {
    machine m = inside_rollers(seed, law);
    if (m.wheels > 1) continue;
    if (is_massless(law))
      m.roller_mass = m.roller_axial = m.roller_diametral =
          1e-300; /* above 0, as a study demands */
    return m;
  }
}

/* The floor's force at the contact, the drive's torque less the axle's friction along k, and the
 * servo torque along l = k x j together are what turns the wheel: along k, along i (which gives the
 * servo torque) and upwards. */
Test(constraint_algebra, servo_torque_balances_the_testbench_under_every_constraint_law) {
  uint64_t seed = 77;
  static const char *const axes[3] = {"moment along k", "moment along i", "moment upwards"};
  for (int l = OMR_LAW_ROLLING; l <= OMR_LAW_CLASSICAL; l++) {
    scaled c[3] = {{0}}, load = {0};
    for (int n = 0; n < MACHINES / 2; n++) {
      contact_law law = random_law(&seed, (omr_law)l);
      machine m = testbench(&seed, &law);
      evaluation e;
      fleet f = evaluate_under(&m, &law, &e);
      vec k = wheel_axis(&m, 0), i = wheel_forward(&m, 0), centre = wheel_centre(&m, 0);
      vec contact_at_floor =
          l == OMR_LAW_CLASSICAL ? sub(centre, scale(m.radius, UP)) : contact_point(&m, 0);
      vec floor =
          add(add(scale(e.o.unit_i[0], i), scale(e.o.unit_k[0], k)), scale(e.o.load[0], UP));
      vec moment = cross(sub(contact_at_floor, centre), floor);
      moment = add(moment, scale(m.wheel[0].torque - m.axle_bearing * m.wheel[0].rate, k));
      moment = add(moment, scale(e.o.servo, cross(k, UP)));
      vec rate = momentum_rate(&m, &f, &e);
      compare(&c[0], dot(rate, k), dot(moment, k));
      compare(&c[1], dot(rate, i), dot(moment, i));
      compare(&c[2], rate.y, moment.y);
      for (int a = 0; a < 3; a++) settle(&c[a], fmax(1, length(floor) * m.radius));
      compare(&load, e.o.load[0], total_mass(&m) * m.gravity);
      settle(&load, 1);
      free_fleet(&f);
    }
    for (int a = 0; a < 3; a++) expect_below(&c[a], 1e-8, axes[a]);
    expect_below(&load, 1e-14, "load");
  }
}
