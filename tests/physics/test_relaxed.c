/* The kernels' right-hand side under relaxed Udwadia-Kalaba constraints against the 64 states of
 * tests/data/accelerations.json, an independent program's (appendix/laws.md#relaxed). */
#define OMR_CONSTRAINED 1
#include "shared/kernel.h"
#include "shared/relax_slot.h"

#define TOLERANCE 1e-9

typedef struct difference {
  double worst; /* relative to the largest of its kind in the state */
  int state;
} difference;

static void note(difference *d, double error, double scale, int state) {
  double relative = error / fmax(scale, 1e-300);
  if (!(relative <= d->worst)) *d = (difference){isnan(relative) ? HUGE_VAL : relative, state};
}

static void expect(const difference *d, const char *what) {
  cr_log_info("%s: %.1e in state %d", what, d->worst, d->state);
  cr_expect_lt(d->worst, TOLERANCE, "%s differs by %.3g in state %d", what, d->worst, d->state);
}

static fleet evaluate(const recorded *r, evaluation *e) {
  omr_study *study = read_machine(&r->machine);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  omr_study_destroy(study);
  relax_slot(&f, 0, r);
  load_slot(&f, 0, e);
  derive(&f, e);
  return f;
}

enum { PLATFORM, WHEEL, SPIN, LOAD, FORCE, DEMAND, WEIGHT, KINDS };

static void compare_state(const recorded *r, const evaluation *e, int state, difference d[KINDS]) {
  double platform = fmax(fmax(fabs(r->ax), fabs(r->az)), fabs(r->yaw_acceleration)), wheel = 0,
         spin = 0, load = 0, force = 0;
  for (int i = 0; i < r->machine.wheels; i++) {
    const recorded_wheel *w = &r->wheel[i];
    wheel = fmax(wheel, fabs(w->acceleration));
    spin = fmax(spin, fabs(w->spin_acceleration[w->active]));
    load = fmax(load, fabs(w->load));
    force = fmax(force, hypot(w->force[0], w->force[1]));
  }
  note(&d[PLATFORM], fabs(e->rate.y[Y_VX] - r->ax), platform, state);
  note(&d[PLATFORM], fabs(e->rate.y[Y_VZ] - r->az), platform, state);
  note(&d[PLATFORM], fabs(e->rate.y[Y_OMEGA] - r->yaw_acceleration), platform, state);
  for (int i = 0; i < r->machine.wheels; i++) {
    const recorded_wheel *w = &r->wheel[i];
    note(&d[WHEEL], fabs(e->rate.y[Y_RATE(i)] - w->acceleration), wheel, state);
    note(&d[SPIN], fabs(e->rate.y[Y_SPIN(i)] - w->spin_acceleration[w->active]), spin, state);
    note(&d[LOAD], fabs(e->o.load[i] - w->load), load, state);
    note(&d[FORCE], hypot(e->o.unit_i[i] - w->force[0], e->o.unit_k[i] - w->force[1]), force,
         state);
    note(&d[DEMAND], fabs(e->o.demand[i] - w->demand), w->demand, state);
    note(&d[WEIGHT], fabs(e->o.weight[i] - w->stiction * w->stiction), 1, state);
  }
}

Test(relaxed, accelerations_loads_and_forces_are_the_recorded_ones) {
  static const char *const what[KINDS] = {"platform acceleration",
                                          "wheel acceleration",
                                          "spin acceleration",
                                          "normal load",
                                          "force",
                                          "demand",
                                          "weight"};
  recorded *r = read_recorded_of("relaxed_udwadia_kalaba");
  difference d[KINDS] = {{0}};
  for (int k = 0; k < RECORDED_STATES; k++) {
    evaluation e;
    fleet f = evaluate(&r[k], &e);
    compare_state(&r[k], &e, k, d);
    free_fleet(&f);
  }
  for (int q = 0; q < KINDS; q++) expect(&d[q], what[q]);
  free(r);
}
