/* sliding_block on the reference (source 5, section 1; appendix/small.md#models): one body on a
 * plane that is a constraint, so that its multiplier is the normal load. The law set_valued sticks
 * by a constraint along the pull and slips by friction on that multiplier; root finding tells when.
 * The axes lie in the plane, so a slope inclines gravity. Of kernels/ it shares the list of samples
 * and words alone. */
#include "kernels/small/small_layout.h"
#include "model/small.h"
#include "reference.h"
#include "result/result.h"

#include <stddef.h>
#include <string.h>

enum { Q_WORK, Q_LOST, Q_STUCK, QUADRATURES };

static const omr_vec ahead = {1, 0, 0}, normal = {0, 1, 0};

typedef struct block {
  omr_mb_constraint ground, pull;
  const omr_study *study;
  double values[OMR_VP_COUNT];
  int body, law;
  double mu, mu_static, load; /* load: of the weight, for laws that ask for it beforehand */
  int direction;              /* of slip under set_valued; 0 sticks */
  double first, onset, period, slips, rest, start_energy;
  double most_speed, most_slip, most_traction, stopped;
} block;

static const block *of_ground(const omr_mb_constraint *c) {
  return (const block *)(const void *)c;
}

static const block *of_pull(const omr_mb_constraint *c) {
  return (const block *)(const void *)((const char *)c - offsetof(block, pull));
}

/* ---- forces */

static double pull_at(const block *b, double t) {
  const double force = b->values[OMR_VP_BLOCK_FORCE];
  switch (b->study->options[1]) {
  case BLOCK_PULL_RAMP: return force + b->values[OMR_VP_BLOCK_PULL_RATE] * t;
  case BLOCK_PULL_SINE: return force * sin(b->values[OMR_VP_BLOCK_FREQUENCY] * t);
  default: return force;
  }
}

static double slip_of(const block *b, const omr_frame *f) {
  return omr_dot(f->v, ahead) - b->values[OMR_VP_BLOCK_BELT];
}

/* All that the contact has to balance along the plane. */
static double applied_at(const block *b, const omr_frame *f, double t) {
  const double weight = b->values[OMR_VP_UK_MASS] * b->values[OMR_VP_GRAVITY];
  return pull_at(b, t) - b->values[OMR_VP_BLOCK_STIFFNESS] * f->r.x -
         weight * sin(b->values[OMR_VP_PLANE_SLOPE]);
}

static double smooth_force(const block *b, double applied, double slip) {
  const double limit = b->mu * b->load;
  if (b->law == BLOCK_LAW_SATURATED) return fmax(-limit, fmin(limit, applied));
  if (b->law == BLOCK_LAW_REGULARIZED)
    return limit * tanh(slip / b->values[OMR_VP_DISC_SLIP_SPEED]);
  return limit * tanh(applied / limit);
}

static void ground_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const block *b = of_ground(c);
  const omr_vec zero = {0, 0, 0};
  out->rows = 1;
  omr_mb_point_row(&out->row[0], normal, zero, zero, 0);
  if (b->law != BLOCK_LAW_SET_VALUED) {
    const double applied = applied_at(b, view->b, view->t);
    out->force[1] = omr_scale(-smooth_force(b, applied, slip_of(b, view->b)), ahead);
    out->force[0] = omr_neg(out->force[1]);
  } else if (b->direction == 0) {
    out->rows = 2;
    omr_mb_point_row(&out->row[1], ahead, zero, zero, 0);
  } else { /* friction is proportional to the load */
    out->row[0].force[1] = omr_axpy(out->row[0].force[1], -b->direction * b->mu, ahead);
    out->row[0].force[0] = omr_axpy(out->row[0].force[0], b->direction * b->mu, ahead);
  }
}

static omr_mb_drift ground_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  (void)c;
  return (omr_mb_drift){fabs(omr_dot(view->b->r, normal)), fabs(omr_dot(view->b->v, normal))};
}

static void pull_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const block *b = of_pull(c);
  const double spring = -b->values[OMR_VP_BLOCK_STIFFNESS] * view->b->r.x;
  out->force[1] = omr_scale(pull_at(b, view->t) + spring, ahead);
  out->force[0] = omr_neg(out->force[1]);
}

static const omr_mb_kind ground_kind = {"dry friction", 0, ground_effect, ground_drift, true};
static const omr_mb_kind pull_kind = {"pull and spring", 0, pull_effect, NULL, false};

/* What the contact exerts on the block: F_c against the pull, and the load. */
static omr_vec contact_of(const block *b, const omr_mb *mb) {
  const omr_vec force = omr_mb_wrench(mb, &b->ground, 1).force;
  return omr_vec_of(-force.x, force.y, 0);
}

/* ---- switches of the law set_valued */

static void switch_values(void *self, const omr_mb *mb, double *g) {
  const block *b = self;
  const omr_frame *f = &mb->frame[b->body];
  g[0] = b->direction ? b->direction * slip_of(b, f)
                      : b->mu_static * b->load - fabs(applied_at(b, f, mb->time));
}

static omr_status switch_happens(void *self, omr_mb *mb, int which, omr_error *error) {
  block *b = self;
  const omr_frame *f = &mb->frame[b->body];
  const double t = mb->time, applied = applied_at(b, f, t);
  const bool torn = b->direction == 0 || fabs(applied) > b->mu_static * b->load;
  (void)which, (void)error;
  if (b->direction)
    omr_mb_set_velocity(mb, b->body, omr_scale(b->values[OMR_VP_BLOCK_BELT], ahead), f->w);
  if (!torn) {
    b->direction = 0;
    b->rest = t;
    return OMR_OK;
  }
  b->direction = applied > 0 ? 1 : -1;
  if (b->first < 0) b->first = t;
  if (b->onset >= 0) b->period = t - b->onset;
  b->onset = t;
  b->slips++;
  return OMR_OK;
}

/* ---- the model */

static bool slips(const block *b, double applied, double slip) {
  if (b->law == BLOCK_LAW_SET_VALUED) return b->direction != 0;
  if (b->law == BLOCK_LAW_REGULARIZED) return fabs(slip) > b->values[OMR_VP_DISC_SLIP_SPEED];
  return fabs(applied) > b->mu * b->load;
}

static void quadratures(void *self, const omr_mb *mb, double *rate) {
  const block *b = self;
  const omr_frame *f = &mb->frame[b->body];
  const double contact = contact_of(b, mb).x, t = mb->time, slip = slip_of(b, f);
  rate[Q_WORK] = pull_at(b, t) * f->v.x - contact * b->values[OMR_VP_BLOCK_BELT];
  rate[Q_LOST] = contact * slip;
  rate[Q_STUCK] = slips(b, applied_at(b, f, t), slip) ? 0 : 1;
}

static double energy_of(const block *b, const omr_mb *mb) {
  const double x = mb->frame[b->body].r.x;
  return omr_mb_kinetic(mb) + omr_mb_potential(mb) +
         0.5 * b->values[OMR_VP_BLOCK_STIFFNESS] * x * x;
}

/* Slips at the start where it moves on its ground, or is torn off at once. */
static void start(block *b, const omr_frame *f) {
  const double slip = slip_of(b, f), applied = applied_at(b, f, 0);
  b->first = b->onset = b->period = b->rest = b->stopped = -1;
  if (b->law != BLOCK_LAW_SET_VALUED) return;
  if (slip != 0) b->direction = slip > 0 ? 1 : -1;
  if (slip == 0 && fabs(applied) > b->mu_static * b->load) {
    b->direction = applied > 0 ? 1 : -1;
    b->onset = 0;
  }
  if (b->direction == 0) return;
  b->first = 0;
  b->slips = 1;
}

static void build(block *b, omr_mb *mb) {
  static const double upright[4] = {1, 0, 0, 0};
  const double *v = b->values, m = v[OMR_VP_UK_MASS];
  b->body = omr_mb_add_body(mb, "block", m, omr_vec_of(m, m, m));
  omr_mb_place(mb, b->body, omr_vec_of(v[OMR_VP_INITIAL_X], 0, 0), upright,
               omr_scale(v[OMR_VP_UK_SPEED], ahead), omr_vec_of(0, 0, 0));
  b->ground.b = b->pull.b = b->body;
  omr_mb_add_constraint(mb, &b->ground, &ground_kind, "ground");
  omr_mb_add_constraint(mb, &b->pull, &pull_kind, "pull");
  omr_mb_add_quadratures(mb, QUADRATURES, quadratures, b);
}

static bool assemble(const omr_study *study, const omr_values *values, omr_reference *r,
                     omr_reason *why) {
  const double *v = values->vehicle, slope = v[OMR_VP_PLANE_SLOPE], g = v[OMR_VP_GRAVITY];
  block *b = omr_reference_open(r, sizeof *b, omr_vec_of(-g * sin(slope), -g * cos(slope), 0), why);
  if (!b) return false;

  memcpy(b->values, v, sizeof b->values);
  b->study = study;
  b->law = study->options[0];
  b->mu = v[OMR_VP_BLOCK_FRICTION];
  b->mu_static = isnan(v[OMR_VP_BLOCK_STATIC]) ? b->mu : v[OMR_VP_BLOCK_STATIC];
  b->load = v[OMR_VP_UK_MASS] * g * cos(slope);
  build(b, r->mb);
  if (r->mb->failed) return true;
  start(b, &r->mb->frame[b->body]);
  b->start_energy = energy_of(b, r->mb);
  if (b->law == BLOCK_LAW_SET_VALUED)
    r->switches =
        (omr_mb_switches){.self = b, .count = 1, .values = switch_values, .happen = switch_happens};
  return true;
}

static void sample(const omr_reference *r, double *out) {
  const block *b = r->self;
  const omr_frame *f = &r->mb->frame[b->body];
  const double t = r->mb->time, applied = applied_at(b, f, t);
  const omr_vec contact = contact_of(b, r->mb);
  out[BLOCK_S_X] = f->r.x;
  out[BLOCK_S_V] = f->v.x;
  out[BLOCK_S_SLIP] = slip_of(b, f);
  out[BLOCK_S_PULL] = pull_at(b, t);
  out[BLOCK_S_SPRING] = -b->values[OMR_VP_BLOCK_STIFFNESS] * f->r.x;
  out[BLOCK_S_APPLIED] = applied;
  out[BLOCK_S_CONTACT] = contact.x;
  out[BLOCK_S_DEMAND] = applied / (b->mu * contact.y);
  out[BLOCK_S_RATIO] = contact.x / (b->mu * contact.y);
  out[BLOCK_S_LOAD] = contact.y;
  out[BLOCK_S_SLIPPING] = slips(b, applied, out[BLOCK_S_SLIP]) ? 1 : 0;
}

static void observe(omr_reference *r) {
  block *b = r->self;
  double now[sliding_block_samples];
  const double t = r->mb->time;
  sample(r, now);
  const double slip = fabs(now[BLOCK_S_SLIP]);
  b->most_speed = fmax(b->most_speed, fabs(now[BLOCK_S_V]));
  b->most_slip = fmax(b->most_slip, slip);
  b->most_traction = fmax(b->most_traction, fabs(now[BLOCK_S_RATIO]));
  if (b->law == BLOCK_LAW_SET_VALUED) return;
  if (now[BLOCK_S_SLIPPING] > 0 && b->first < 0) b->first = t;
  const bool slow = b->most_slip > 0 && slip <= 0.01 * b->most_slip;
  if (!slow) b->stopped = -1;
  if (slow && b->stopped < 0) b->stopped = t;
}

static void reduce(const omr_reference *r, double *o) {
  const block *b = r->self;
  const omr_frame *f = &r->mb->frame[b->body];
  const double *q = omr_mb_quadratures(r->mb), final = energy_of(b, r->mb);
  const bool exact = b->law == BLOCK_LAW_SET_VALUED;
  const double stop = !exact ? b->stopped : b->direction == 0 ? b->rest : -1;
  o[OMR_OBS_FINAL_X] = f->r.x;
  o[OMR_OBS_FINAL_VX] = f->v.x;
  omr_reduce_pulled(&(omr_pulled){b->values[OMR_VP_UK_MASS], b->start_energy, final, q[Q_LOST],
                                  q[Q_WORK], b->most_speed, b->most_slip, b->most_traction},
                    o);
  o[OMR_OBS_STUCK_SHARE] = q[Q_STUCK] / r->mb->time;
  if (b->first >= 0) o[OMR_OBS_FIRST_SLIP] = b->first;
  if (stop >= 0) o[OMR_OBS_STOP_TIME] = stop;
  if (exact) o[OMR_OBS_SLIPS] = b->slips;
  if (exact && b->period >= 0) o[OMR_OBS_STICK_SLIP_PERIOD] = b->period;
}

const omr_reference_model omr_reference_block = {
    .assemble = assemble, .sample = sample, .observe = observe, .reduce = reduce};
