/* Where a motion meets an edge of its roller: foreseen from the last pass, found in a rejected one;
 * launches. */
#include "shared/kernel.h"

#include "host/include/omniroll/omniroll.h"

/* One instance of a study, integrated by the kernel text in scalar double. */
typedef struct rig {
  omr_study *study;
  omr_run_settings settings;
  omr_batch batch;
} rig;

static rig set_up(const char *text) {
  rig r = {0};
  omr_error error;
  omr_values values;
  char reason[400] = "";
  cr_assert_eq(omr_study_parse(text, "test", NULL, 0, &r.study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_settings_make(r.study, &r.settings, &error), OMR_OK, "%s", error.message);
  cr_assert(omr_batch_make(&r.settings, OMR_PAD, &r.batch));
  omr_study_values(r.study, 0, &values, NULL);
  cr_assert(omr_prepare_instance(r.study, &r.settings, &values, &r.batch, 0, reason, sizeof reason),
            "%s", reason);
  return r;
}

static void tear_down(rig *r) {
  omr_batch_free(&r->batch);
  omr_settings_free(&r->settings);
  omr_study_destroy(r->study);
}

static void go_to(rig *r, double until) {
  const omr_batch *b = &r->batch;
  const launch_buffers buffers = {
      b->params, b->state, b->spins, r->settings.tables, r->settings.integers, (int)b->stride};
  advance_pack(buffers, r->settings.step, until, 0);
}

static double state_of(const rig *r, int column) {
  return r->batch.state[(size_t)column * r->batch.stride];
}

/* Polynomials of degree 3 are continued without an error of their own: from what they are at -1 and
 * 0 the root behind 0 follows. The rounds gain the digits of the curvature, here 1/300 of the rate
 * at most, so that four of them (rate, three rounds) leave about 300^-4 = 1e-10 of the root. */
Test(crossings, a_cubic_is_continued_to_its_root) {
  static const double roots[] = {1e-6, 0.01, 0.3, 0.7, 1, 2.5}, rates[] = {1e-3, -0.02};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    for (size_t j = 0; j < 2; j++) {
      const double a1 = rates[j], a2 = a1 / 900, a3 = -a1 / 3000, x = roots[i];
      const double a0 = -((a3 * x + a2) * x + a1) * x; /* p(x) = 0 */
      const double before = a0 - a1 + a2 - a3, rate_before = a1 - 2 * a2 + 3 * a3;
      const double got = continued_crossing(a0, a1, a0 - before, a1 - rate_before);
      cr_expect_lt(fabs(got - x), 1e-9 * x, "root %g, rate %g: %.17g", x, a1, got);
    }
  }
}

/* Away from the edge, or at rest: no root ahead. */
Test(crossings, no_root_ahead_is_no_fraction_of_a_step) {
  cr_expect_not(continued_crossing(-0.1, -0.01, -0.01, 0) > 0);
  cr_expect_not(continued_crossing(-0.1, 0, 0, 0) < 1e300);
}

#define SPIN(rate)                                                                                 \
  "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\", \"wheel\": "               \
  "{\"friction\": 0.02, \"rollers\": 32, "                                                         \
  "\"initial\": "                                                                                  \
  "{\"rate\": " rate "}}}, \"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"2 s\", "         \
  "\"budget\": 256, \"stability\": \"ignore\"}}"

/* A smooth motion foresees every exchange: a step has one pass and one more for each of its
 * exchanges. Only the first step of a run has no pass before it. Rates of both signs, below and
 * above one exchange per step (2 pi/32 per 0.1 ms are 1963 rad/s): there the second exchange of a
 * step is found by going too far. */
Test(crossings, of_a_smooth_motion_are_foreseen) {
  static const char *const texts[] = {SPIN("25"), SPIN("-140"), SPIN("700")};
  for (int i = 0; i < 3; i++) {
    rig r = set_up(texts[i]);
    go_to(&r, 2000);
    cr_expect_eq(state_of(&r, S_STATUS), 0);
    const double exchanges = state_of(&r, S_EXCHANGES), more = state_of(&r, S_PASSES) - 2000;
    cr_expect_gt(exchanges, 20, "%g exchanges", exchanges);
    cr_expect(more >= exchanges && more <= exchanges + 2,
              "%s: %g passes more than steps for %g exchanges", texts[i], more, exchanges);
    tear_down(&r);
  }
}

/* What is foreseen at the end of a launch is used in the next: the state after 400 steps has the
 * same bits in launches of any length. */
Test(crossings, launches_leave_no_trace) {
  static const char vehicle[] = "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": "
                                "\"allow\", \"layout\": {\"type\": \"ring\", \"wheels\": 3,"
                                "\"radius\": 0.2}, \"wheel\": {\"friction\": 0.05, \"rollers\": "
                                "24, \"slip_speed\": \"1 cm/s\", \"initial\": {\"rate\": "
                                "60}, \"drive\": "
                                "{\"type\": "
                                "\"constant\", \"torque\": -0.2}}}, \"integrator\": {\"step\": "
                                "\"0.5 ms\", \"duration\": \"0.2 s\"}}";
  rig whole = set_up(vehicle);
  go_to(&whole, 400);
  cr_assert_gt(state_of(&whole, S_EXCHANGES), 50);
  static const int lengths[] = {1, 7, 113};
  for (int i = 0; i < 3; i++) {
    rig parts = set_up(vehicle);
    int foreseen = 0;
    for (int until = lengths[i]; until < 400; until += lengths[i]) {
      go_to(&parts, until);
      foreseen += state_of(&parts, S_CUT) > 0;
    }
    go_to(&parts, 400);
    if (lengths[i] == 1) cr_expect_gt(foreseen, 20, "%d", foreseen);
    for (int column = 0; column < whole.settings.state_columns; column++) {
      const double a = state_of(&whole, column), b = state_of(&parts, column);
      cr_expect_eq(memcmp(&a, &b, sizeof a), 0, "launches of %d: column %d is %.17g, not %.17g",
                   lengths[i], column, b, a);
    }
    tear_down(&parts);
  }
  tear_down(&whole);
}
