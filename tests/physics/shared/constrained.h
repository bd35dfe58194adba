/* The kernels' laws that are constraints at one state, and the dense second computation
 * (dense_vehicle.h) of the same. The laws come in through the study, as a user gives them. */
#ifndef TESTS_CONSTRAINED_H
#define TESTS_CONSTRAINED_H

#define OMR_CONSTRAINED 1
#include "dense_vehicle.h"
#include "kernel.h"

typedef struct contact_law {
  omr_law law;
  omr_weights weights;
  bool contact_wise, passive;
  double baumgarte[OMR_MAX_WHEELS], weight[OMR_MAX_WHEELS];
  double gains[OMR_MAX_WHEELS][4]; /* k_s, k_F, v_ref, mu */
  double coupling[OMR_MAX_WHEELS]; /* of the weights */
} contact_law;

static inline bool is_massless(const contact_law *law) {
  return law->law == OMR_LAW_MASSLESS || law->law == OMR_LAW_CLASSICAL;
}

/* ---- the law's way into the engine */

enum { WHEEL_WORDS = 7, OVERRIDE_COUNT = 1 + WHEEL_WORDS * OMR_MAX_WHEELS };
typedef char override_text[160];

static inline size_t write_law(const contact_law *law, int wheels, override_text *to) {
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb",
                                     "ideal_rolling",     "udwadia_kalaba",
                                     "massless_rollers",  "classical_rollers"};
  static const char *const weights[] = {"demand", "tanh", "fixed"}, *const relaxations[] = {
                                                                        "coupled", "contact_wise"};
  size_t n = 0;
  if (law->law == OMR_LAW_RELAXED)
    snprintf(to[n++], sizeof *to,
             "parameters.contact={\"law\": \"%s\", \"weights\": \"%s\", \"relaxation\": \"%s\", "
             "\"passive\": %s}",
             laws[law->law], weights[law->weights], relaxations[law->contact_wise],
             law->passive ? "true" : "false");
  else
    snprintf(to[n++], sizeof *to, "parameters.contact.law=%s", laws[law->law]);
  for (int i = 0; i < wheels; i++) {
    const double value[WHEEL_WORDS] = {law->baumgarte[i], law->weight[i],   law->gains[i][0],
                                       law->gains[i][1],  law->gains[i][2], law->gains[i][3],
                                       law->coupling[i]};
    static const char *const word[WHEEL_WORDS] = {
        "contact.baumgarte",      "contact.weight",          "contact.stiction_gain",
        "contact.friction_gain",  "contact.reference_speed", "friction",
        "contact.weight_coupling"};
    char where[32] = "wheel";
    if (wheels > 1) snprintf(where, sizeof where, "wheels[%d]", i);
    for (int k = 0; k < WHEEL_WORDS; k++)
      snprintf(to[n++], sizeof *to, "parameters.%s.%s=%.17g", where, word[k], value[k]);
  }
  return n;
}

static inline omr_study *read_machine_under(const machine *m, const contact_law *law) {
  override_text texts[OVERRIDE_COUNT];
  const char *overrides[OVERRIDE_COUNT];
  const size_t count = write_law(law, m->wheels, texts);
  for (size_t k = 0; k < count; k++) overrides[k] = texts[k];
  omr_text text = machine_text(m, MACHINE_TIMES);
  omr_study *study;
  omr_error error = {0};
  const omr_status status =
      omr_study_parse(text.data, "machine.json", overrides, count, &study, &error);
  cr_assert_eq(status, OMR_OK, "%s\n%s", error.message, text.data);
  omr_text_free(&text);
  return study;
}

static inline fleet evaluate_under(const machine *m, const contact_law *law, evaluation *e) {
  omr_study *study = read_machine_under(m, law);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  omr_study_destroy(study);
  load_slot(&f, 0, e);
  derive(&f, e);
  return f;
}

/* ---- the law's way into the dense computation */

/* Baumgarte rates that differ from wheel to wheel: -gamma A u stands beside -dA/dt u, so it can
 * enter with it; the laws are then called with a rate of 0. */
static inline dense_vehicle dense_under(const machine *m, const contact_law *law) {
  dense_vehicle d = is_massless(law) ? dense_assemble_massless(m, law->law == OMR_LAW_CLASSICAL)
                                     : dense_assemble(m);
  for (int r = 0; r < d.rows; r++)
    d.rate[r] += law->baumgarte[d.wheel_of[r]] * dense_dot(d.size, d.a[r], d.u);
  return d;
}

static inline dense_motion dense_solution(dense_vehicle *d, const contact_law *law) {
  static const dense_weights weights[] = {DENSE_PUBLISHED, DENSE_SATURATION, DENSE_GIVEN};
  if (law->law != OMR_LAW_RELAXED) return dense_rolling(d, 0);
  dense_relaxation x = {.weights = weights[law->weights],
                        .own = law->gains,
                        .frictionless = law->weights == OMR_WEIGHTS_TANH,
                        .contact_wise = law->contact_wise};
  memcpy(x.given, law->weight, sizeof x.given);
  memcpy(x.coupling, law->coupling, sizeof x.coupling);
  return dense_relaxed(d, &x);
}

/* ---- random laws */

/* Rates of 0 on a third of the wheels. Weights of exactly 0 and 1 among those between. */
static inline contact_law random_law(uint64_t *s, omr_law law) {
  contact_law to = {
      .law = law, .weights = (omr_weights)draw_whole(s, 0, 2), .contact_wise = draw(s, 0, 1) < 0.5};
  for (int i = 0; i < OMR_MAX_WHEELS; i++) {
    const int kind = draw_whole(s, 0, 3);
    to.baumgarte[i] = draw(s, 0, 1) < 0.3 ? 0 : draw(s, 1, 200);
    to.weight[i] = kind == 0 ? 0 : kind == 1 ? 1 : draw(s, 0, 1);
    to.gains[i][0] = draw(s, 0.1, 3);
    to.gains[i][1] = draw(s, 0.1, 3);
    to.gains[i][2] = draw(s, 0.001, 1);
    to.gains[i][3] = draw(s, 0.05, 0.8);
  }
  return to;
}

/* A machine for the law: massless rollers take no bearing friction. */
static inline machine machine_for(uint64_t *s, const contact_law *law) {
  machine m = random_machine(s);
  if (is_massless(law)) m.roller_bearing = 0;
  return m;
}

/* ---- comparison */

/* Largest difference of a quantity relative to its largest magnitude in the state, and to `least`
 * where that is less. */
typedef struct scaled {
  double difference, magnitude, worst;
} scaled;

static inline void compare(scaled *c, double got, double expected) {
  c->difference = larger(c->difference, got - expected);
  c->magnitude = fmax(c->magnitude, fabs(expected));
}

static inline double settle(scaled *c, double least) {
  const double relative = c->difference / fmax(least, c->magnitude);
  c->worst = larger(c->worst, relative);
  c->difference = c->magnitude = 0;
  return relative;
}

static inline void expect_below(const scaled *c, double tolerance, const char *what) {
  cr_log_info("%s: largest relative difference %.2g", what, c->worst);
  cr_expect_lt(c->worst, tolerance, "%s differs by %.3g", what, c->worst);
}

#endif
