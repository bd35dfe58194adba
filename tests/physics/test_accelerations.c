/* The kernel's right-hand side at the 64 recorded states (recorded.h), built from study texts.
 * Differences are relative to the scale of each quantity in the state: its largest magnitude there,
 * and 1 where all are smaller. */
#include "host/engine/backend.h"
#include "host/lanes/lanes.h"
#include "host/result/result.h"

#include "shared/kernel.h"
#include "shared/relax_slot.h"

#define TOLERANCE 1e-9

/* One quantity over a state: its largest difference and magnitude. */
typedef struct comparison {
  double difference, scale;
} comparison;

static void compare(comparison *c, double got, double expected) {
  c->difference = larger(c->difference, got - expected);
  c->scale = fmax(c->scale, fabs(expected));
}

/* Largest relative difference of a quantity over all states, and where. */
typedef struct worst {
  double difference;
  int state;
} worst;

static void settle(worst *w, const comparison *c, int state) {
  double relative = c->difference / c->scale;
  if (relative <= w->difference) return;
  w->difference = relative;
  w->state = state;
}

static void report(const worst *w, const char *what, double tolerance) {
  cr_log_info("%s: largest relative difference %.2g, in state %d", what, w->difference, w->state);
  cr_expect_lt(w->difference, tolerance, "%s differs by %.3g in state %d", what, w->difference,
               w->state);
}

typedef void check_state(const recorded *r, const fleet *f, const evaluation *e, comparison *c);

static void over_all_states(const char *what, check_state *check) {
  recorded *r = read_recorded();
  worst w = {0};
  for (int k = 0; k < RECORDED_STATES; k++) {
    evaluation e;
    fleet f = evaluate_machine(&r[k].machine, &e);
    comparison c = {0, 1};
    check(&r[k], &f, &e, &c);
    settle(&w, &c, k);
    free_fleet(&f);
  }
  report(&w, what, TOLERANCE);
  free(r);
}

static void check_body(const recorded *r, const fleet *f, const evaluation *e, comparison *c) {
  (void)f;
  compare(c, e->rate.y[Y_VX], r->ax);
  compare(c, e->rate.y[Y_VZ], r->az);
}

static void check_yaw(const recorded *r, const fleet *f, const evaluation *e, comparison *c) {
  (void)f;
  compare(c, e->rate.y[Y_OMEGA], r->yaw_acceleration);
}

static void check_wheels(const recorded *r, const fleet *f, const evaluation *e, comparison *c) {
  (void)f;
  for (int i = 0; i < r->machine.wheels; i++)
    compare(c, e->rate.y[Y_RATE(i)], r->wheel[i].acceleration);
}

static void check_active_spins(const recorded *r, const fleet *f, const evaluation *e,
                               comparison *c) {
  (void)f;
  for (int i = 0; i < r->machine.wheels; i++) {
    compare(c, e->rate.y[Y_SPIN(i)], r->wheel[i].spin_acceleration[r->wheel[i].active]);
  }
}

static void check_idle_spins(const recorded *r, const fleet *f, const evaluation *e,
                             comparison *c) {
  for (int i = 0; i < r->machine.wheels; i++) {
    for (int j = 0; j < r->machine.rollers; j++) {
      if (j == r->wheel[i].active) continue;
      compare(c, spin_acceleration(f, e, i, j, r->machine.wheel[i].spin[j]),
              r->wheel[i].spin_acceleration[j]);
    }
  }
}

static void check_loads(const recorded *r, const fleet *f, const evaluation *e, comparison *c) {
  (void)f;
  for (int i = 0; i < r->machine.wheels; i++) compare(c, e->o.load[i], r->wheel[i].load);
}

static void check_forces(const recorded *r, const fleet *f, const evaluation *e, comparison *c) {
  (void)f;
  for (int i = 0; i < r->machine.wheels; i++) {
    compare(c, e->o.load[i] * e->o.unit_i[i], r->wheel[i].force[0]);
    compare(c, e->o.load[i] * e->o.unit_k[i], r->wheel[i].force[1]);
  }
}

static void check_slip(const recorded *r, const fleet *f, const evaluation *e, comparison *c) {
  (void)f;
  for (int i = 0; i < r->machine.wheels; i++) {
    compare(c, e->o.slip_i[i], r->wheel[i].slip[0]);
    compare(c, e->o.slip_k[i], r->wheel[i].slip[1]);
  }
}

static void check_contact_angle(const recorded *r, const fleet *f, const evaluation *e,
                                comparison *c) {
  (void)f;
  for (int i = 0; i < r->machine.wheels; i++) {
    cr_expect_eq(e->ts[i][T_ACTIVE], r->wheel[i].active);
    compare(c, e->at.y[Y_Q(i)], r->wheel[i].contact_angle);
  }
}

Test(accelerations, of_the_body_are_those_recorded) {
  over_all_states("acceleration", check_body);
}
Test(accelerations, of_the_yaw_are_those_recorded) {
  over_all_states("yaw acceleration", check_yaw);
}
Test(accelerations, of_the_wheels_are_those_recorded) {
  over_all_states("wheel acceleration", check_wheels);
}
Test(accelerations, of_the_active_rollers_are_those_recorded) {
  over_all_states("spin acceleration of the active rollers", check_active_spins);
}
Test(accelerations, of_the_idle_rollers_follow_from_the_closed_form) {
  over_all_states("spin acceleration of the idle rollers", check_idle_spins);
}
Test(accelerations, come_with_the_recorded_normal_loads) {
  over_all_states("normal load", check_loads);
}
Test(accelerations, come_with_the_recorded_contact_forces) {
  over_all_states("contact force", check_forces);
}
Test(accelerations, come_with_the_recorded_slip) {
  over_all_states("slip", check_slip);
}
Test(accelerations, start_on_the_recorded_roller_and_contact_angle) {
  over_all_states("contact angle", check_contact_angle);
}

/* The same spins told apart otherwise: some A, B and D, the decaying parts less them. */
static void shift_particular_solution(const recorded *r, evaluation *e, uint64_t *seed) {
  for (int i = 0; i < r->machine.wheels; i++) {
    const double *w = e->p.w[i];
    double *idle = e->at.idle[i], part[3];
    for (int c = 0; c < 3; c++) part[c] = idle[BEARING_A + c] = draw(seed, -5, 5);
    idle[IDLE_COS] = idle[IDLE_SIN] = idle[IDLE_SUM] = idle[IDLE_SQUARE] = 0;
    for (int j = 0; j < r->machine.rollers; j++) {
      if (j == r->wheel[i].active) continue;
      double angle = 2 * M_PI * (j - r->wheel[i].active) / r->machine.rollers, c = cos(angle),
             s = sin(angle);
      double d = r->machine.wheel[i].spin[j] - w[W_COS_PSI] * (part[0] * c + part[1] * s) -
                 w[W_SIN_PSI] * part[2];
      idle[IDLE_COS] += d * c;
      idle[IDLE_SIN] += d * s;
      idle[IDLE_SUM] += d;
      idle[IDLE_SQUARE] += d * d;
    }
  }
}

/* Loss in the bearings of a state's rollers and axles, from the spins themselves. */
static double bearing_loss(const machine *m) {
  double loss = 0;
  for (int i = 0; i < m->wheels; i++) {
    const machine_wheel *w = &m->wheel[i];
    loss += m->axle_bearing * w->rate * w->rate;
    for (int j = 0; j < m->rollers; j++) {
      double q = w->angle + 2 * M_PI * j / m->rollers;
      double rate = w->spin[j] - m->omega * cos(w->psi) * sin(q) - w->rate * sin(w->psi);
      loss += m->roller_bearing * rate * rate;
    }
  }
  return loss;
}

/* The kernel's dissipation less that of the contacts. */
static double bearing_dissipation(const evaluation *e, int wheels) {
  double loss = e->rate.y[Y_DISSIPATED];
  for (int i = 0; i < wheels; i++) {
    loss += e->o.load[i] * (e->o.unit_i[i] * e->o.slip_i[i] + e->o.unit_k[i] * e->o.slip_k[i]);
  }
  return loss;
}

Test(accelerations, do_not_depend_on_how_spins_split_into_particular_and_decaying_part) {
  recorded *r = read_recorded();
  uint64_t seed = 3;
  worst all = {0}, idle = {0}, lost = {0};
  for (int k = 0; k < RECORDED_STATES; k++) {
    if (r[k].machine.roller_bearing == 0) continue;
    evaluation e;
    fleet f = evaluate_machine(&r[k].machine, &e);
    double before[Y_COUNT];
    memcpy(before, e.rate.y, sizeof before);
    shift_particular_solution(&r[k], &e, &seed);
    derive(&f, &e);
    comparison spins = {0, 1}, loss = {0, 1};
    for (int j = 0; j < Y_COUNT; j++) {
      comparison c = {0, 1};
      compare(&c, e.rate.y[j], before[j]);
      settle(&all, &c, k);
    }
    check_idle_spins(&r[k], &f, &e, &spins);
    compare(&loss, bearing_dissipation(&e, r[k].machine.wheels), bearing_loss(&r[k].machine));
    settle(&idle, &spins, k);
    settle(&lost, &loss, k);
    free_fleet(&f);
  }
  report(&all, "right-hand side", TOLERANCE);
  report(&idle, "spin acceleration of the idle rollers", TOLERANCE);
  report(&lost, "bearing loss", TOLERANCE);
  free(r);
}

/* ---- lane objects */

/* States 8 g + b, 8 g + b + 2, ... have the same numbers of wheels and rollers, and bearing
 * friction where b is 1. */
enum { GROUPS = RECORDED_STATES / 8, IN_GROUP = 4, SLOTS = OMR_PAD };

static int state_of_slot(int group, int bearing, int slot) {
  return 8 * group + bearing + 2 * (slot % IN_GROUP);
}

static fleet make_group(const recorded *r, int group, int bearing, int constrained) {
  fleet f = {0};
  for (int slot = 0; slot < SLOTS; slot++) {
    omr_study *study = read_machine(&r[state_of_slot(group, bearing, slot)].machine);
    if (slot == 0) f = make_fleet(study, SLOTS);
    prepare_slot(&f, study, (size_t)slot);
    if (constrained) relax_slot(&f, (size_t)slot, &r[state_of_slot(group, bearing, slot)]);
    omr_study_destroy(study);
  }
  return f;
}

static void *narrowed(const omr_lane_object *o, const double *from, size_t count) {
  if (!o->single) return (void *)from;
  float *to = omr_aligned_calloc(count, sizeof *to);
  cr_assert(to);
  for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
  return to;
}

/* All packs of the group through one lane object; sample columns in double. */
static void sample_group(const omr_lane_object *o, const fleet *f, double *samples) {
  size_t count = (size_t)f->settings.sample_columns * SLOTS;
  void *params = narrowed(o, f->batch.params, (size_t)f->settings.param_columns * SLOTS);
  void *state = narrowed(o, f->batch.state, (size_t)f->settings.state_columns * SLOTS);
  void *out = omr_aligned_calloc(count, sizeof(double));
  double tables[1] = {0};
  cr_assert(out);
  for (int first = 0; first < SLOTS; first += o->lanes) {
    o->sample(params, state, tables, f->settings.integers, f->settings.step, out, SLOTS, first);
  }
  for (size_t i = 0; i < count; i++)
    samples[i] = o->single ? (double)((float *)out)[i] : ((double *)out)[i];
  free(out);
  if (o->single) {
    free(params);
    free(state);
  }
}

/* Slip, normal load and force of one slot. */
static void compare_samples(const recorded *r, const double *samples, int slot, comparison c[3]) {
  for (int i = 0; i < r->machine.wheels; i++) {
    const double *w = samples + (OMR_VS_COUNT + i * OMR_WS_COUNT) * SLOTS + slot;
    compare(&c[0], w[OMR_WS_SLIP_I * SLOTS], r->wheel[i].slip[0]);
    compare(&c[0], w[OMR_WS_SLIP_K * SLOTS], r->wheel[i].slip[1]);
    compare(&c[1], w[OMR_WS_LOAD * SLOTS], r->wheel[i].load);
    compare(&c[2], w[OMR_WS_FORCE_I * SLOTS], r->wheel[i].force[0]);
    compare(&c[2], w[OMR_WS_FORCE_K * SLOTS], r->wheel[i].force[1]);
  }
}

/* Samples of every state by every lane object of that precision and kind of law that runs here.
 * Returns how many there were. */
static int over_all_objects(int single, int constrained, double tolerance) {
  static const char *const quantities[3] = {"slip", "normal load", "force"};
  recorded *r = read_recorded_of(constrained ? "relaxed_udwadia_kalaba" : "saturated_coulomb");
  double *samples =
      calloc((size_t)(OMR_VS_COUNT + OMR_MAX_WHEELS * OMR_WS_COUNT) * SLOTS, sizeof *samples);
  cr_assert(samples);
  int used = 0;
  const omr_lane_object *o;
  for (size_t n = 0; (o = omr_lane_object_at(n)); n++) {
    if (o->single != single || o->constrained != constrained || !omr_openmp_runs(o->isa)) continue;
    if (o->compliant) continue; /* the states stand on rigid contacts */
    worst w[3] = {{0}};
    for (int g = 0; g < 2 * GROUPS; g++) {
      fleet f = make_group(r, g / 2, g % 2, constrained);
      sample_group(o, &f, samples);
      for (int slot = 0; slot < SLOTS; slot++) {
        int state = state_of_slot(g / 2, g % 2, slot);
        comparison c[3] = {{0, 1}, {0, 1}, {0, 1}};
        compare_samples(&r[state], samples, slot, c);
        for (int q = 0; q < 3; q++) settle(&w[q], &c[q], state);
      }
      free_fleet(&f);
    }
    for (int q = 0; q < 3; q++) {
      char what[96];
      snprintf(what, sizeof what, "%s by %s %s %s", quantities[q], o->isa, o->kind,
               single ? "single" : "double");
      report(&w[q], what, tolerance);
    }
    used++;
  }
  free(samples);
  free(r);
  return used;
}

Test(accelerations, every_lane_object_in_double_gives_the_recorded_contacts) {
  cr_expect_gt(over_all_objects(0, 0, TOLERANCE), 0);
}

/* Rounding of the state to 24 bits shifts slip by some 1e-6 m/s and, below slip_speed, the friction
 * with it. */
Test(accelerations, every_lane_object_in_single_gives_the_recorded_contacts_to_its_precision) {
  cr_expect_gt(over_all_objects(1, 0, 5e-5), 0);
}

/* The kernels' and the recorded program's solutions of G lambda = r differ by rounding times the
 * condition of G. */
Test(accelerations, every_lane_object_in_double_gives_the_recorded_contacts_of_relaxed_rolling) {
  cr_expect_gt(over_all_objects(0, 1, 1e-9), 0);
}
