/* Law 4 by the general form of source 5, eq. 17 with the X of eq. 18 and N = W, against the closed
 * form J^T F that the engine uses (tests/physics/shared/dense_vehicle.h) and against the recorded
 * states. Demands and fully constrained loads come from the general form too, the final loads in f
 * from the record, so that it shares no solution with what it is compared with. */
#include "tests/physics/shared/dense_vehicle.h"
#include "tests/physics/shared/recorded_relaxed.h"
#include "weighted.h"

enum { DROPPED_STATE = 41 }; /* the only one with weights of exactly 0 */

typedef struct general {
  dense_vehicle dense;
  matrix a, at, m, q, b; /* A, A^T, M, Q, b = -dA/dt u - gamma A u */
} general;

static general make_general(const machine *m, double baumgarte) {
  general g = {.dense = dense_assemble(m)};
  const dense_vehicle *d = &g.dense;
  g.a = zeros(d->rows, d->size);
  g.m = zeros(d->size, d->size);
  g.q = zeros(d->size, 1);
  g.b = zeros(d->rows, 1);
  for (int i = 0; i < d->size; i++) {
    g.q.at[i] = d->applied[i];
    for (int j = 0; j < d->size; j++) g.m.at[i * d->size + j] = d->mass[i][j];
  }
  for (int r = 0; r < d->rows; r++) {
    g.b.at[r] = -d->rate[r] - baumgarte * dense_dot(d->size, d->a[r], d->u);
    for (int j = 0; j < d->size; j++) g.a.at[r * d->size + j] = d->a[r][j];
  }
  g.at = transposed(g.a);
  return g;
}

/* No weight is small enough to be left out but 0 itself, and rows count however they differ in
 * scale. */
static matrix relaxed_inverse(const general *g, const double *w) {
  matrix n = diagonal(g->a.rows, w), x = zeros(g->a.columns, g->a.rows);
  omr_constraints c = constraints(&g->a, &n, &g->m);
  c.rank_tolerance = c.weight_tolerance = 0;
  omr_error error = {0};
  cr_assert_eq(omr_relaxed_inverse(&c, x.at, &error), OMR_OK, "%s", error.message);
  return x;
}

/* The multipliers of a force in the span of A^T. */
static matrix multipliers(const general *g, matrix force) {
  return product(pseudo_inverse(g->at, NULL), force);
}

/* Weights and friction from demands; the loads of the friction are given. */
static void judge(const general *g, const recorded_relaxed *r, double *demand, double *w,
                  matrix *f) {
  const machine *m = &r->machine;
  double ones[DENSE_SIZE], load[OMR_MAX_WHEELS];
  for (int k = 0; k < g->a.rows; k++) ones[k] = 1;
  motion full =
      constrained_motion(g->a, relaxed_inverse(g, ones), g->m, g->q, zeros(g->a.columns, 1), g->b);
  matrix lambda = multipliers(g, full.ideal), slip = zeros(g->a.columns, 1);
  cr_assert(dense_loads(&g->dense, full.acceleration.at, NULL, load));
  memcpy(slip.at, g->dense.u, sizeof(double) * (size_t)g->a.columns);
  slip = product(g->a, slip);
  for (int i = 0; i < m->wheels; i++) {
    demand[i] = hypot(lambda.at[2 * i], lambda.at[2 * i + 1]) / (m->friction * fmax(load[i], 1e-9));
    const double s = 1 - pow(tanh(r->k_s * demand[i] / 3), 2),
                 speed = hypot(slip.at[2 * i], slip.at[2 * i + 1]);
    const double size =
        m->friction * r->wheel[i].load * tanh(r->k_f * demand[i] / 3) * tanh(speed / r->v_ref);
    for (int c = 0; c < 2; c++) {
      w[2 * i + c] = s * s;
      f->at[2 * i + c] = -size * slip.at[2 * i + c] / speed;
    }
  }
}

typedef struct disagreement {
  double closed, recorded, load, demand;
} disagreement;

static matrix recorded_acceleration(const general *g, const recorded_relaxed *r) {
  const int wheels = r->machine.wheels;
  matrix u = zeros(g->a.columns, 1);
  u.at[0] = r->ax;
  u.at[1] = r->az;
  u.at[2] = r->yaw_acceleration;
  for (int i = 0; i < wheels; i++) {
    u.at[3 + i] = r->wheel[i].acceleration;
    u.at[3 + wheels + i] = r->wheel[i].spin_acceleration[g->dense.contact[i].active];
  }
  return u;
}

static matrix accelerations_of(const general *g, const dense_motion *r) {
  matrix u = zeros(g->a.columns, 1);
  memcpy(u.at, r->acceleration, sizeof(double) * (size_t)g->a.columns);
  return u;
}

static motion general_motion(const general *g, const recorded_relaxed *r, disagreement *d,
                             double *w) {
  double demand[OMR_MAX_WHEELS], load[OMR_MAX_WHEELS];
  matrix f = zeros(g->a.rows, 1);
  judge(g, r, demand, w, &f);
  motion got = constrained_motion(g->a, relaxed_inverse(g, w), g->m, g->q, product(g->at, f), g->b);
  cr_assert(dense_loads(&g->dense, got.acceleration.at, NULL, load));
  for (int i = 0; i < r->machine.wheels; i++) {
    d->load = larger(d->load, (load[i] - r->wheel[i].load) / fmax(1, fabs(r->wheel[i].load)));
    d->demand = larger(d->demand, (demand[i] - r->wheel[i].demand) / fmax(1, r->wheel[i].demand));
  }
  return got;
}

Test(general_form, moves_every_recorded_state_as_the_closed_form_does) {
  recorded_relaxed *all = read_recorded_relaxed();
  disagreement worst = {0};
  double smallest = 1;
  for (int k = 0; k < RECORDED_STATES; k++) {
    if (k == DROPPED_STATE) continue;
    const recorded_relaxed *r = &all[k];
    general g = make_general(&r->machine, r->baumgarte);
    double w[DENSE_SIZE];
    motion got = general_motion(&g, r, &worst, w);
    dense_relaxation x = {
        .k_s = r->k_s, .k_f = r->k_f, .v_ref = r->v_ref, .baumgarte = r->baumgarte};
    dense_motion closed = dense_relaxed(&g.dense, &x);
    matrix expected = accelerations_of(&g, &closed), force = zeros(g.a.rows, 1);
    memcpy(force.at, closed.multiplier, sizeof(double) * (size_t)g.a.rows);
    worst.closed = larger(worst.closed, distance(got.acceleration, expected));
    worst.closed =
        larger(worst.closed, distance(combined(got.ideal, 1, got.non_ideal), product(g.at, force)));
    worst.recorded =
        larger(worst.recorded, distance(got.acceleration, recorded_acceleration(&g, r)));
    for (int i = 0; i < g.a.rows; i++) smallest = fmin(smallest, w[i]);
  }
  cr_log_info("weights down to %.2g; largest differences: closed form %.2g, recorded accelerations "
              "%.2g, loads %.2g, demands %.2g",
              smallest, worst.closed, worst.recorded, worst.load, worst.demand);
  cr_expect_lt(worst.closed, 1e-9);
  cr_expect_lt(worst.recorded, 1e-9);
  cr_expect_lt(worst.load, 1e-9);
  cr_expect_lt(worst.demand, 1e-9);
  free(all);
}

/* State 41 has two weights of exactly 0. There eq. 18 takes the contacts' rows out: their ideal
 * force vanishes, and so do the cross terms that the recorded closed form
 * (appendix/laws.md#relaxed) keeps. The smallest weight that is not 0 gives the recorded
 * motion. */
Test(general_form, differs_from_the_closed_form_where_a_weight_is_zero) {
  recorded_relaxed *all = read_recorded_relaxed();
  const recorded_relaxed *r = &all[DROPPED_STATE];
  general g = make_general(&r->machine, r->baumgarte);
  disagreement d = {0};
  double w[DENSE_SIZE];
  motion dropped = general_motion(&g, r, &d, w);
  matrix force = multipliers(&g, dropped.ideal), expected = recorded_acceleration(&g, r);
  int zeros_found = 0;
  for (int k = 0; k < g.a.rows; k++) {
    if (w[k] != 0) continue;
    zeros_found++;
    cr_expect_lt(fabs(force.at[k]), 1e-9 * largest(force), "row %d is pushed by %g N", k,
                 force.at[k]);
  }
  cr_expect_eq(zeros_found, 4);
  cr_log_info("accelerations differ by %.2g of the largest",
              distance(dropped.acceleration, expected));
  cr_expect_gt(distance(dropped.acceleration, expected), 1e-3);
  double demand[OMR_MAX_WHEELS];
  matrix f = zeros(g.a.rows, 1);
  judge(&g, r, demand, w, &f);
  for (int k = 0; k < g.a.rows; k++) w[k] = fmax(w[k], 1e-20);
  motion kept = constrained_motion(g.a, relaxed_inverse(&g, w), g.m, g.q, product(g.at, f), g.b);
  cr_log_info("with weights of 1e-20 for 0 by %.2g", distance(kept.acceleration, expected));
  cr_expect_lt(distance(kept.acceleration, expected), 1e-9);
  free(all);
}

/* A rank tolerance on the weights moves the jump to the tolerance: states with smaller weights
 * leave the record, others do not.
 */
Test(general_form, jumps_where_a_weight_falls_below_the_rank_tolerance) {
  recorded_relaxed *all = read_recorded_relaxed();
  int dropped = 0;
  for (int k = 0; k < RECORDED_STATES; k++) {
    const recorded_relaxed *r = &all[k];
    general g = make_general(&r->machine, r->baumgarte);
    double demand[OMR_MAX_WHEELS], w[DENSE_SIZE], least = 1;
    matrix f = zeros(g.a.rows, 1);
    judge(&g, r, demand, w, &f);
    for (int i = 0; i < g.a.rows; i++) least = fmin(least, w[i]);
    matrix x = relaxed(g.a, diagonal(g.a.rows, w), g.m);
    motion got = constrained_motion(g.a, x, g.m, g.q, product(g.at, f), g.b);
    const double off = distance(got.acceleration, recorded_acceleration(&g, r));
    if (least > 1e-11) {
      cr_expect_lt(off, 1e-9, "state %d, least weight %g: %g", k, least, off);
    } else {
      cr_log_info("state %d, least weight %.2g: accelerations differ by %.2g of the largest", k,
                  least, off);
      cr_expect_gt(off, 1e-4, "state %d, least weight %g: %g", k, least, off);
      dropped++;
    }
  }
  cr_expect_geq(dropped, 2);
  free(all);
}

/* w = 1 */
Test(general_form, of_rolling_is_law_3) {
  recorded_relaxed *all = read_recorded_relaxed();
  double worst = 0;
  for (int k = 0; k < RECORDED_STATES; k++) {
    general g = make_general(&all[k].machine, 50);
    dense_motion rolling = dense_rolling(&g.dense, 50);
    matrix expected = accelerations_of(&g, &rolling),
           x = weighted(g.a, diagonal(g.a.rows, NULL), g.m);
    motion got = constrained_motion(g.a, x, g.m, g.q, zeros(g.a.columns, 1), g.b);
    worst = larger(worst, distance(got.acceleration, expected));
    cr_expect_eq(rank_of(g.a), g.a.rows);
  }
  cr_log_info("largest difference %.2g", worst);
  cr_expect_lt(worst, 1e-9);
  free(all);
}

/* Up to eight wheels, one row of rollers or two, any inclination; weights that the closed form is
 * given, or saturating ones. */
Test(general_form, moves_any_machine_as_the_closed_form_does) {
  uint64_t seed = 5;
  double worst = 0;
  for (int k = 0; k < 120; k++) {
    machine m = random_machine(&seed);
    general g = make_general(&m, 40);
    dense_relaxation x = {.weights = k % 2 ? DENSE_GIVEN : DENSE_SATURATION,
                          .k_f = 1,
                          .v_ref = 0.02,
                          .baumgarte = 40};
    for (int i = 0; i < m.wheels; i++) x.given[i] = draw(&seed, 1e-3, 1);
    dense_motion closed = dense_relaxed(&g.dense, &x);
    double w[DENSE_SIZE];
    matrix f = zeros(g.a.rows, 1);
    for (int i = 0; i < m.wheels; i++) {
      dense_friction(&g.dense, &x, closed.demand[i], i, f.at);
      for (int c = 0; c < 2; c++) {
        f.at[2 * i + c] *= closed.load[i];
        w[2 * i + c] = closed.stiction[i] * closed.stiction[i];
      }
    }
    motion got = constrained_motion(g.a, relaxed_inverse(&g, w), g.m, g.q, product(g.at, f), g.b);
    worst = larger(worst, distance(got.acceleration, accelerations_of(&g, &closed)));
  }
  cr_log_info("largest difference %.2g", worst);
  cr_expect_lt(worst, 1e-9);
}

/* N that is not diagonal: eq. 18 through the eigenvectors of the whole N against the closed form
 * with blocks. */
Test(general_form, moves_any_machine_with_coupled_weights_as_the_closed_form_does) {
  uint64_t seed = 6;
  double worst = 0, off = 0;
  for (int k = 0; k < 120; k++) {
    machine m = random_machine(&seed);
    general g = make_general(&m, 40);
    dense_relaxation x = {.weights = DENSE_GIVEN, .k_f = 1, .v_ref = 0.02, .baumgarte = 40};
    matrix n = zeros(g.a.rows, g.a.rows), inverse = zeros(g.a.columns, g.a.rows);
    for (int i = 0; i < m.wheels; i++) {
      const int at = 2 * i * (g.a.rows + 1);
      const double w = x.given[i] = draw(&seed, 1e-3, 1);
      x.coupling[i] = draw(&seed, -1, 1);
      n.at[at] = n.at[at + g.a.rows + 1] = w;
      n.at[at + 1] = n.at[at + g.a.rows] = x.coupling[i] * w * (1 - w);
      off = larger(off, n.at[at + 1]);
    }
    dense_motion closed = dense_relaxed(&g.dense, &x);
    matrix f = zeros(g.a.rows, 1);
    for (int i = 0; i < m.wheels; i++) {
      dense_friction(&g.dense, &x, closed.demand[i], i, f.at);
      for (int c = 0; c < 2; c++) f.at[2 * i + c] *= closed.load[i];
    }
    omr_constraints c = constraints(&g.a, &n, &g.m);
    c.rank_tolerance = c.weight_tolerance = 0;
    omr_error error = {0};
    cr_assert_eq(omr_relaxed_inverse(&c, inverse.at, &error), OMR_OK, "%s", error.message);
    motion got = constrained_motion(g.a, inverse, g.m, g.q, product(g.at, f), g.b);
    worst = larger(worst, distance(got.acceleration, accelerations_of(&g, &closed)));
  }
  cr_log_info("largest difference %.2g, with entries up to %.2g off the diagonal", worst, off);
  cr_expect_lt(worst, 1e-9);
}
