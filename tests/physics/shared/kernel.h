/* The kernel text in scalar double for any number of wheels, called by hand: right-hand side of one
 * instance. */
#ifndef TESTS_KERNEL_H
#define TESTS_KERNEL_H

#include "machine.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* as in host/lanes/lanes.c */
#endif
#define OMR_LANES 1
#define OMR_SINGLE 0
#include "kernels/all.cl"

/* What the kernel makes of an instance: parameters, state, derivatives, contact quantities. */
typedef struct evaluation {
  parameters p;
  motion at, rate;
  held_state held;
  outputs o;
  double v[S_COUNT], ts[WHEELS_MAX][T_COUNT];
} evaluation;

/* Reads the columns of a slot. */
static inline void load_slot(const fleet *f, size_t slot, evaluation *e) {
  const omr_batch *b = &f->batch;
  load_parameters(b->params + slot, f->settings.tables, f->settings.integers, (int)b->stride,
                  &e->p);
  load_state(b->state + slot, f->settings.integers, (int)b->stride, &e->at, e->v, e->ts);
  for (int i = 0; i < WHEELS_MAX; i++) {
    e->held.row[i] = e->ts[i][T_ROW];
    e->held.torque[i] = 0;
  }
}

/* Right-hand side at time t. */
static inline void derive_at(const fleet *f, double t, evaluation *e) {
  instant now;
  clear_motion(&e->rate);
  set_instant(&e->p, f->settings.integers, &e->held, t, &now);
  right_hand_side(&e->p, f->settings.integers, &now, e->at.idle, e->at.y, 1, &e->rate, &e->o);
}

static inline void derive(const fleet *f, evaluation *e) {
  derive_at(f, 0, e);
}

/* A fleet of one with its evaluation. */
static inline fleet evaluate_machine(const machine *m, evaluation *e) {
  omr_study *study = read_machine(m);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  omr_study_destroy(study);
  load_slot(&f, 0, e);
  derive(&f, e);
  return f;
}

/* Acceleration of roller j's axial spin by the closed form that the kernel integrates: the active
 * one is in the state; an idle one is its decaying part plus cos psi (A cos + B sin of 2 pi (j -
 * active)/n) + sin psi D (kernels/layout.h). `spin` is its spin. */
static inline double spin_acceleration(const fleet *f, const evaluation *e, int i, int j,
                                       double spin) {
  const double *w = e->p.w[i], *idle = e->at.idle[i], *d_idle = e->rate.idle[i];
  if (j == (int)e->ts[i][T_ACTIVE]) return e->rate.y[Y_SPIN(i)];
  if (!f->settings.integers[K_BEARING]) return 0;
  double angle = 2 * w[W_ALPHA] * (j - e->ts[i][T_ACTIVE]), c = w[W_COS_PSI] * cos(angle),
         s = w[W_COS_PSI] * sin(angle);
  double decaying =
      spin - c * idle[BEARING_A] - s * idle[BEARING_B] - w[W_SIN_PSI] * idle[BEARING_D];
  return -w[W_DECAY] * decaying + c * d_idle[BEARING_A] + s * d_idle[BEARING_B] +
         w[W_SIN_PSI] * d_idle[BEARING_D];
}

#endif
