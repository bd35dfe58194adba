/* integrator.budget, on_failure and retries, statistics.failed_limit, and the list of failed
 * instances. What a row has to be is computed by runs that know nothing of these words: with the
 * step halved in the study, or from counts of exchanges. */
#include "engine/run.h"
#include "model/small.h"
#include "result/reader.h"
#include "tests/parity/parity.h"

#include <hdf5_hl.h>
#include <unistd.h>

/* A wheel on the bench, braked by its axle with a rate of axle_bearing/J: from a rate of 2.785/step
 * on, rk4 is unstable and the wheel speeds up without bound. Steps are whole: parts of them, up to
 * where rollers take over, would be stable again. Five levels of the step separate these bearings.
 */
static const char braked[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\", \"wheel\": {\"radius\": "
    "\"8 cm\","
    " \"tip_radius\": \"1 cm\", \"slip_speed\": \"20 cm/s\", \"friction\": 0.3, \"initial\": "
    "{\"rate\": 2},"
    " \"roller\": {\"density\": 4000},"
    " \"drive\": {\"type\": \"speed\", \"speed\": 3, \"kp\": 0.2, \"ki\": 0.1}},"
    " \"controller_period\": \"2 ms\"},"
    "\"vary\": [{\"path\": \"wheel.axle_bearing\","
    " \"values\": [0, 9000, 100, 500, 1000, 2000, 4000, 5, 450, 40, 60, 80]}],"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"60 ms\", \"exchange\": \"straddle\"},"
    "\"output\": {\"trajectories\": {\"instances\": [1, 2, 4, 5, 9], \"interval\": \"10 ms\"}}}";

/* Vehicles under gravity that lifts wheels, overflows, or has no value; friction makes some of them
 * exchange often. */
static const char mixed[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"layout\": {\"type\": \"ring\", \"wheels\": "
    "3}, \"overlap\": \"allow\","
    " \"wheel\": {\"radius\": \"8 cm\", \"tip_radius\": \"1 cm\", \"slip_speed\": \"20 cm/s\", "
    "\"initial\": {\"rate\": -40},"
    "   \"roller\": {\"density\": 4000}, \"drive\": {\"type\": \"tanh\", \"torque\": -0.4}}, "
    "\"initial\": {\"yaw_rate\": 10}},"
    "\"vary\": [{\"path\": \"wheel.friction\", \"linspace\": [0.2, 0.5, 10]},"
    " {\"path\": \"gravity\", \"values\": [9.81, 1e5, 1e6, 1e7, 1e30]}],"
    "\"integrator\": {\"step\": \"0.5 ms\", \"duration\": \"0.2 s\", \"stability\": \"ignore\"},"
    "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"10 ms\"}}}";

static omr_error error;

static omr_study *parse(const char *text, const engine *e, const char *const *more) {
  overrides o;
  const char *list[16];
  size_t count = 0;
  omr_study *study;
  set_overrides(&o, e);
  for (; count < o.count; count++) list[count] = o.list[count];
  for (; more && *more; more++) list[count++] = *more;
  cr_assert_eq(omr_study_parse(text, "failures.json", list, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

/* NULL where this machine lacks the engine. */
static omr_result *run(const char *text, const engine *e, const char *const *more) {
  omr_study *study = parse(text, e, more);
  omr_result *result;
  error.message[0] = 0;
  const omr_status status = omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s: %s", engine_name(e), error.message);
  return result;
}

#define WITH(...) ((const char *const[]){__VA_ARGS__, NULL})

static size_t compare_failures(const omr_failures *a, const omr_failures *b) {
  const size_t width = omr_failures_width(a);
  size_t differences = 0;
  cr_assert_eq(a->count, b->count, "%zu and %zu failures", a->count, b->count);
  cr_assert_eq(width, omr_failures_width(b));
  for (size_t i = 0; i < a->count; i++) {
    differences += a->instance[i] != b->instance[i] || a->status[i] != b->status[i] ||
                   !same_bits(a->time[i], b->time[i]);
    for (size_t j = 0; j < width; j++)
      differences += !same_bits(a->state[i * width + j], b->state[i * width + j]);
  }
  cr_assert_eq(a->reason_count, b->reason_count);
  for (size_t i = 0; i < a->reason_count; i++) {
    differences += a->reasons[i].instance != b->reasons[i].instance ||
                   strcmp(a->reasons[i].text, b->reasons[i].text) != 0;
  }
  return differences;
}

static size_t compare_all(const char *label, const omr_result *a, const omr_result *b) {
  size_t differences = compare_results(label, a, b) + compare_failures(&a->failures, &b->failures);
  cr_assert_eq(a->retries == NULL, b->retries == NULL);
  return differences + (a->retries && memcmp(a->retries, b->retries, a->instances) != 0);
}

static const double *column(const omr_result *r, const char *name) {
  for (size_t c = 0; c < r->column_count; c++) {
    if (!strcmp(r->columns[c].name, name)) return r->columns[c].values;
  }
  cr_assert_fail("no column %s", name);
  return NULL;
}

/* A number of the last state of failure i; wheel -1: of the vehicle. */
static double last(const omr_failures *f, size_t i, const char *name, int wheel) {
  const double *state = f->state + i * omr_failures_width(f);
  for (size_t j = 0; wheel < 0 && j < f->vehicle_count; j++) {
    if (!strcmp(f->vehicle[j].name, name)) return state[j];
  }
  for (size_t j = 0; wheel >= 0 && j < f->wheel_count; j++) {
    if (!strcmp(f->wheel[j].name, name))
      return state[f->vehicle_count + j * f->wheels + (size_t)wheel];
  }
  cr_assert_fail("no quantity %s", name);
  return (double)NAN;
}

static const engine engines[] = {{.backend = "openmp"},
                                 {.backend = "openmp", .chunk = 16, .launch_seconds = "1e-3"},
                                 {.backend = "openmp", .device = "baseline", .threads = 1},
                                 {.backend = "scalar"},
                                 {.backend = "opencl"}};
enum { PROCESSORS = 4, ENGINES };

/* The same study on the first `count` engines: rows, trajectories, failures and retries have the
 * same bits. Returns the first result. */
static omr_result *run_everywhere(const char *text, int count, const char *const *more) {
  omr_result *first = run(text, &engines[0], more);
  for (int i = 1; i < count; i++) {
    omr_result *other = run(text, &engines[i], more);
    if (other)
      cr_expect_eq(compare_all(engine_name(&engines[i]), first, other), 0, "%s",
                   engine_name(&engines[i]));
    omr_result_destroy(other);
  }
  return first;
}

/* One wheel without friction: its exchanges are foreseen, a step with one takes a pass to the edge
 * and one for the rest, so n exchanges are n passes more than steps (kernels/time/clocks.h). */
Test(failures, a_budget_counts_the_passes_of_an_instance_alone, .timeout = 120) {
  static const char spun[] =
      "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\", \"wheel\": "
      "{\"friction\": 0}},"
      "\"vary\": [{\"path\": \"wheel.initial.rate\", \"linspace\": [0, 30, 37]}],"
      "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"0.3 s\", \"budget\": 1.0014, "
      "\"stability\": \"ignore\"}}";
  const double steps = 3000, limit = 3004;
  omr_result *r = run_everywhere(spun, PROCESSORS, NULL),
             *free_run = run(spun, &engines[0], WITH("integrator.budget=256"));
  size_t ended = 0;
  for (size_t k = 0; k < r->instances; k++) {
    const double wanted = steps + column(free_run, "exchanges")[k];
    cr_expect_eq(free_run->status[k], OMR_INSTANCE_OK);
    cr_expect_eq(r->status[k], wanted > limit ? OMR_INSTANCE_SPENT : OMR_INSTANCE_OK,
                 "instance %zu: %g passes are needed", k, wanted);
    if (r->status[k] == OMR_INSTANCE_OK) continue;
    const size_t i = ended++;
    cr_assert_eq(r->failures.instance[i], k);
    cr_expect_eq(last(&r->failures, i, "passes", -1), limit);
    /* whole steps done; an exchange of the step that was cut has one of its passes */
    const double done = floor(r->status_time[k] / 1e-4 + 1e-6),
                 left = limit - done - column(r, "exchanges")[k];
    cr_expect(left >= 0 && left <= 1, "instance %zu: %g passes for %g steps and %g exchanges", k,
              limit, done, column(r, "exchanges")[k]);
  }
  cr_expect(ended > 5 && ended < r->instances - 5, "%zu of %zu", ended, r->instances);
  cr_expect_eq(r->failures.count, ended);
  omr_result_destroy(r);
  omr_result_destroy(free_run);
}

Test(failures, a_budget_that_suffices_changes_no_bit) {
  omr_result *without = run(mixed, &engines[0], NULL),
             *with = run(mixed, &engines[0], WITH("integrator.budget=256"));
  cr_expect_eq(compare_results("budget 256", without, with), 0);
  omr_result_destroy(without);
  omr_result_destroy(with);
}

Test(failures, a_budget_in_single_precision_is_the_same_everywhere) {
  omr_result *wide = run(mixed, &(engine){.precision = "single"}, WITH("integrator.budget=2"));
  omr_result *scalar = run(mixed, &(engine){.backend = "scalar", .precision = "single"},
                           WITH("integrator.budget=2"));
  size_t spent = 0;
  for (size_t k = 0; k < wide->instances; k++) spent += wide->status[k] == OMR_INSTANCE_SPENT;
  cr_expect_gt(spent, 0);
  cr_expect_eq(compare_all("single", wide, scalar), 0);
  omr_result_destroy(wide);
  omr_result_destroy(scalar);
}

static bool is_numerical(int status) {
  return status == OMR_INSTANCE_DIVERGED || status == OMR_INSTANCE_CROWDED;
}

/* Row k of a and of b, and its trajectory where it is traced (the same instances in both). */
static size_t compare_row(const omr_result *a, const omr_result *b, size_t k) {
  size_t differences =
      a->status[k] != b->status[k] || !same_bits(a->status_time[k], b->status_time[k]);
  for (size_t c = 0; c < a->column_count; c++)
    differences += !same_bits(a->columns[c].values[k], b->columns[c].values[k]);
  for (size_t t = 0; t < a->traced_count; t++) {
    if (a->traced[t] != k) continue;
    const size_t samples = a->sample_count, of_wheels = samples * (size_t)a->wheels;
    for (int j = 0; j < OMR_VS_COUNT; j++)
      for (size_t s = t * samples; a->vehicle_samples[j] && s < (t + 1) * samples; s++)
        differences += !same_bits(a->vehicle_samples[j][s], b->vehicle_samples[j][s]);
    for (int j = 0; j < OMR_WS_COUNT; j++)
      for (size_t s = t * of_wheels; a->wheel_samples[j] && s < (t + 1) * of_wheels; s++)
        differences += !same_bits(a->wheel_samples[j][s], b->wheel_samples[j][s]);
  }
  return differences;
}

/* The row of an instance is that of the first halving of the step with which it does not fail, else
 * of the last. */
Test(failures, a_retried_row_is_that_of_a_study_with_half_the_step, .timeout = 120) {
  enum { RETRIES = 3 };
  static const char *const steps[] = {"integrator.step=1e-3", "integrator.step=0.5e-3",
                                      "integrator.step=0.25e-3", "integrator.step=0.125e-3"};
  omr_result *r = run_everywhere(
      braked, PROCESSORS, WITH("integrator.on_failure=retry_half_step", "integrator.retries=3"));
  omr_result *level[RETRIES + 1];
  size_t of_level[RETRIES + 1] = {0}, failed = 0, retried = 0, recovered = 0;
  for (int l = 0; l <= RETRIES; l++) level[l] = run(braked, &engines[0], WITH(steps[l]));
  for (size_t k = 0; k < r->instances; k++) {
    int l = 0;
    while (l < RETRIES && is_numerical(level[l]->status[k])) l++;
    of_level[l]++;
    retried += l > 0;
    recovered += l > 0 && level[l]->status[k] == OMR_INSTANCE_OK;
    cr_expect_eq(r->retries[k], l, "instance %zu: %d", k, r->retries[k]);
    cr_expect_eq(compare_row(level[l], r, k), 0, "instance %zu differs from the run with %s", k,
                 steps[l]);
    if (r->status[k] == OMR_INSTANCE_OK) continue;
    cr_assert_lt(failed, r->failures.count);
    cr_expect_eq(r->failures.instance[failed], k);
    cr_expect_eq(r->failures.time[failed++], r->status_time[k]);
  }
  for (int l = 0; l <= RETRIES; l++) cr_expect_gt(of_level[l], 0, "none has %d retries", l);
  cr_expect_eq(r->failures.count, failed);
  cr_expect_gt(failed, 0);
  cr_expect_eq(r->record.retried, (double)retried);
  cr_expect_eq(r->record.recovered, (double)recovered);
  for (int l = 0; l <= RETRIES; l++) omr_result_destroy(level[l]);
  omr_result_destroy(r);
}

/* Vehicles that slide for 50 ms, which depends on the tolerance, until a torque tears them apart,
 * but for the two of little weight in it. */
static const char bursting[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"layout\": {\"type\": \"ring\", \"wheels\": "
    "3}, \"overlap\": \"allow\","
    " \"wheel\": {\"radius\": \"8 cm\", \"tip_radius\": \"1 cm\", \"slip_speed\": \"1 cm/s\", "
    "\"initial\": {\"rate\": -4},"
    "   \"roller\": {\"density\": 4000},"
    "   \"drive\": {\"type\": \"table\", \"table\": [[0, 0], [0.05, 0.1], [0.0501, 1e160]]}},"
    "  \"initial\": {\"yaw_rate\": 1, \"vx\": 0.4}},"
    "\"vary\": [{\"path\": \"wheel.drive.torque\", \"values\": [1, 2, 0, 1, -1, 0.5, 1e-160]},"
    " {\"path\": \"wheel.friction\", \"linspace\": [0.2, 0.5, 3]}],"
    "\"integrator\": {\"tolerance\": 1e-2, \"duration\": \"0.1 s\", \"budget\": 20000},"
    "\"output\": {\"trajectories\": {\"instances\": [0, 1, 5, 8, 20], \"interval\": \"10 ms\"}}}";

/* With a tolerance it is a tenth of it, and a tenth of that. */
Test(failures, a_retried_row_is_that_of_a_study_with_a_tenth_of_the_tolerance, .timeout = 120) {
  static const char *const tolerances[] = {"integrator.tolerance=1e-2", "integrator.tolerance=1e-3",
                                           "integrator.tolerance=1e-4"};
  for (int retries = 1; retries <= 2; retries++) {
    const char *most = retries == 1 ? "integrator.retries=1" : "integrator.retries=2";
    omr_result *r =
        run_everywhere(bursting, PROCESSORS, WITH("integrator.on_failure=retry_half_step", most));
    omr_result *first = run(bursting, &engines[0], NULL),
               *last = run(bursting, &engines[0], WITH(tolerances[retries]));
    size_t again = 0;
    for (size_t k = 0; k < r->instances; k++) {
      const bool retried = first->status[k] == OMR_INSTANCE_DIVERGED;
      again += retried;
      cr_expect_eq(r->retries[k], retried ? retries : 0, "instance %zu: %d", k, r->retries[k]);
      cr_expect_eq(compare_row(retried ? last : first, r, k), 0, "instance %zu is not of %s", k,
                   tolerances[retried ? retries : 0]);
      cr_expect_gt(compare_row(retried ? first : last, r, k), 0,
                   "instance %zu does not depend on the tolerance", k);
    }
    cr_expect_eq(again, 15, "%zu", again);
    omr_result_destroy(first);
    omr_result_destroy(last);
    omr_result_destroy(r);
  }
}

/* The budget of controlled steps is a number of passes, rejected ones included: the least that
 * suffices is that which the instance takes, and one less ends it. */
Test(failures, a_budget_of_controlled_steps_counts_their_passes) {
  static const char alone[] = "{\"model\": \"omni_vehicle\", \"parameters\": {\"layout\": "
                              "{\"type\": \"ring\", \"wheels\": 3}, \"overlap\": \"allow\","
                              " \"wheel\": {\"slip_speed\": \"1 cm/s\", \"initial\": {\"rate\": "
                              "-9}}, \"initial\": {\"yaw_rate\": 3}},"
                              "\"integrator\": {\"tolerance\": 1e-3, \"duration\": \"0.5 s\"}}";
  size_t enough = 1u << 20, few = 1;
  while (enough - few > 1) {
    const size_t middle = (enough + few) / 2;
    char budget[48];
    snprintf(budget, sizeof budget, "integrator.budget=%zu", middle);
    omr_result *r = run(alone, &engines[0], WITH(budget));
    if (r->status[0] == OMR_INSTANCE_SPENT) {
      few = middle;
      cr_expect_eq(last(&r->failures, 0, "passes", -1), (double)middle);
    } else {
      enough = middle;
    }
    omr_result_destroy(r);
  }
  omr_result *r = run(alone, &engines[0], NULL);
  cr_expect_eq(r->record.instance_steps, (double)enough, "%g passes, and %zu suffice",
               r->record.instance_steps, enough);
  cr_expect_gt((double)enough, 2 * column(r, "exchanges")[0]);
  omr_result_destroy(r);
}

/* Answers about the vehicle, and instances that spent their budget, are not asked again. */
Test(failures, what_is_no_matter_of_numerics_is_not_retried) {
  const char *const frictions = "vary[0]={\"path\":\"wheel.friction\",\"values\":[0.3, 5, 30]}",
                    *const gravities = "vary[1].values=[9.81, 1e3, 1e5, 1e6, 1e7, 1e30]";
  omr_result *r = run(
      mixed, &engines[0],
      WITH("integrator.on_failure=retry_half_step", "integrator.budget=2", frictions, gravities));
  omr_result *once = run(mixed, &engines[0], WITH("integrator.budget=2", frictions, gravities));
  size_t kinds[OMR_INSTANCE_STATUS_COUNT] = {0};
  for (size_t k = 0; k < r->instances; k++) {
    kinds[once->status[k]]++;
    cr_expect_eq(r->retries[k], is_numerical(once->status[k]));
  }
  cr_expect_gt(kinds[OMR_INSTANCE_SPENT], 0);
  cr_expect_gt(kinds[OMR_INSTANCE_OUTSIDE], 0);
  cr_expect_gt(kinds[OMR_INSTANCE_LIFTED], 0);
  cr_expect_gt(kinds[OMR_INSTANCE_DIVERGED], 0);
  omr_result_destroy(r);
  omr_result_destroy(once);
}

Test(failures, the_last_good_state_is_that_of_the_observables) {
  omr_result *r = run_everywhere(
      mixed, ENGINES, WITH("integrator.budget=2", "integrator.on_failure=retry_half_step"));
  cr_assert_gt(r->failures.count, 20);
  for (size_t i = 0; i < r->failures.count; i++) {
    const size_t k = r->failures.instance[i];
    cr_expect(i == 0 || k > r->failures.instance[i - 1]);
    cr_expect_eq(r->failures.status[i], r->status[k]);
    cr_expect_neq(r->status[k], OMR_INSTANCE_OK);
    cr_expect_eq(r->failures.time[i], r->status_time[k]);
    cr_expect_eq(last(&r->failures, i, "x", -1), column(r, "final_x")[k]);
    cr_expect_eq(last(&r->failures, i, "z", -1), column(r, "final_z")[k]);
    cr_expect_eq(last(&r->failures, i, "yaw", -1), column(r, "final_yaw")[k]);
    cr_expect_eq(last(&r->failures, i, "yaw_rate", -1), column(r, "final_yaw_rate")[k]);
    cr_expect(isfinite(last(&r->failures, i, "wheel_rate", 2)));
    if (r->status_time[k] == 0)
      cr_expect_eq(last(&r->failures, i, "wheel_rate", 1), -40); /* its initial state */
  }
  omr_result_destroy(r);
}

/* A disc of radius 1e9 m lifts, one of 1e300 m leaves no number; see test_small_poison.c. */
Test(failures, a_small_model_keeps_what_it_integrates) {
  static const char text[] =
      "{\"model\": \"wheelset\", \"parameters\": {\"plane\": {\"slope\": 0.05, \"direction\": 0.5},"
      " \"initial\": {\"yaw_rate\": 0.5}}, \"vary\": [{\"path\": \"radius\", \"values\": [0.2, "
      "1e9, 1e300]}],"
      "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"0.5 s\"}}";
  omr_result *r = run(text, &engines[0], NULL);
  cr_assert_eq(r->failures.count, 2);
  cr_expect_eq(r->failures.wheels, 0);
  for (size_t i = 0; i < 2; i++) {
    cr_expect_eq(r->failures.instance[i], i + 1);
    cr_expect_eq(last(&r->failures, i, "x", -1), column(r, "final_x")[i + 1]);
    cr_expect_eq(last(&r->failures, i, "yaw_rate", -1), column(r, "final_yaw_rate")[i + 1]);
    cr_expect_eq(last(&r->failures, i, "path", -1), column(r, "path_length")[i + 1]);
  }
  omr_result_destroy(r);
}

#define NEGATIVE                                                                                   \
  "{\"model\": \"omni_vehicle\", \"vary\": [{\"path\": \"platform.mass\", \"normal\": [0, 10]}],"  \
  "\"design\": {\"type\": \"monte_carlo\", \"instances\": 300}, \"integrator\": {\"step\": \"1 "   \
  "ms\", \"duration\": \"5 ms\","                                                                  \
  " \"stability\": \"ignore\"}, \"output\": {\"trajectories\": {\"instances\": [290, 295], "       \
  "\"interval\": \"1 ms\"}}}"

/* Half of the masses are negative. */
Test(failures, the_first_hundred_reasons_are_kept_whatever_the_batches) {
  omr_result *whole = run(NEGATIVE, &engines[0], NULL), *parts = run(NEGATIVE, &engines[1], NULL);
  cr_expect_eq(compare_failures(&whole->failures, &parts->failures), 0);
  cr_assert_eq(whole->failures.reason_count, OMR_FAILURE_REASONS);
  size_t found = 0;
  for (size_t k = 0; found < OMR_FAILURE_REASONS; k++) {
    if (whole->status[k] != OMR_INSTANCE_INVALID) continue;
    cr_expect_eq(whole->failures.reasons[found].instance, k);
    cr_expect(strstr(whole->failures.reasons[found++].text, "platform.mass"));
  }
  for (size_t i = 0; i < whole->failures.count; i++)
    cr_expect(isnan(last(&whole->failures, i, "x", -1)));
  omr_result_destroy(whole);
  omr_result_destroy(parts);
}

static void expect_abort(const char *text, const engine *e, const char *const *more,
                         const char *const *parts) {
  omr_study *study = parse(text, e, more);
  omr_result *result;
  cr_expect_eq(omr_run(study, NULL, &result, &error), OMR_ERR_FAILURES);
  cr_expect_null(result);
  for (; *parts; parts++)
    cr_expect(strstr(error.message, *parts), "\"%s\" is not in: %s", *parts, error.message);
  omr_study_destroy(study);
}

Test(failures, abort_names_the_first_failed_instance_its_values_and_what_to_do) {
  for (int i = 0; i < 2; i++)
    expect_abort(mixed, &engines[i],
                 WITH("integrator.on_failure=abort", "vary[1].values=[9.81, 1e7]"),
                 WITH("failures.json: instance 3 ended as wheel_lifted at 0 s",
                      "wheel_friction = 0.233333333", "gravity = 10000000 m s-2", "\"record\"",
                      "narrow the range of what is varied"));
  expect_abort(
      braked, &engines[0], WITH("integrator.on_failure=abort"),
      WITH("instance 1 ended as diverged", "wheel_axle_bearing = 9000 N m s", "retry_half_step"));
}

Test(failures, abort_does_not_stop_a_run_without_failures) {
  omr_result *r = run(braked, &engines[0],
                      WITH("integrator.on_failure=abort", "vary[0].values=[0, 5]",
                           "output.trajectories={\"instances\": [0], \"interval\": 0.01}"));
  omr_result_destroy(r);
}

Test(failures, a_share_above_the_limit_is_told_by_status) {
  omr_result *r = run(mixed, &engines[0], NULL); /* 19 of 50 fail */
  omr_study *allowed = parse(mixed, &engines[0], WITH("statistics.failed_limit=0.38"));
  omr_study *refused = parse(mixed, &engines[0], WITH("statistics.failed_limit=0.37")),
            *unlimited = parse(mixed, &engines[0], NULL);
  cr_assert_eq(r->failures.count, 19);
  cr_expect_eq(omr_result_check_failures(unlimited, r, &error), OMR_OK);
  cr_expect_eq(omr_result_check_failures(allowed, r, &error), OMR_OK, "%s", error.message);
  cr_expect_eq(omr_result_check_failures(refused, r, &error), OMR_ERR_FAILURES);
  const char *parts[] = {"19 of 50 instances failed (38 %)", "allows (37 %)", "diverged 14 (28 %)",
                         "wheel_lifted 5 (10 %)", "group failures"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    cr_expect(strstr(error.message, parts[i]), "%s", error.message);
  omr_study_destroy(allowed);
  omr_study_destroy(refused);
  omr_study_destroy(unlimited);
  omr_result_destroy(r);
}

/* What the file holds, read back by HDF5 itself. */
Test(failures, the_file_has_the_failed_rows_with_units_and_scales) {
  char path[] = "/tmp/omniroll-failures-XXXXXX";
  const int descriptor = mkstemp(path);
  cr_assert_geq(descriptor, 0);
  close(descriptor);
  omr_result *r =
      run(mixed, &engines[0], WITH("integrator.on_failure=retry_half_step", "integrator.budget=2"));
  cr_assert_eq(omr_result_write(r, path, &error), OMR_OK, "%s", error.message);
  const size_t count = r->failures.count, wheels = 3;
  double *values = malloc(count * wheels * sizeof *values);
  int8_t *retries = malloc(r->instances);
  int retried = 0, recovered = 0;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(H5LTread_dataset_double(file, "/failures/wheel_rate", values), 0);
  for (size_t i = 0; i < count * wheels; i++)
    cr_expect(
        same_bits(values[i], last(&r->failures, i / wheels, "wheel_rate", (int)(i % wheels))));
  cr_assert_geq(H5LTread_dataset_double(file, "/failures/passes", values), 0);
  for (size_t i = 0; i < count; i++) cr_expect_eq(values[i], last(&r->failures, i, "passes", -1));
  hid_t dataset = H5Dopen2(file, "/failures/wheel_rate", H5P_DEFAULT);
  cr_expect_eq(H5DSget_num_scales(dataset, 0), 1);
  cr_expect_eq(H5DSget_num_scales(dataset, 1), 1);
  cr_expect_gt(H5Aexists(dataset, "long_name"), 0);
  cr_expect_gt(H5Aexists(dataset, "units"), 0);
  H5Dclose(dataset);
  cr_assert_geq(H5LTread_dataset(file, "/instances/retries", H5T_NATIVE_INT8, retries), 0);
  cr_expect_arr_eq(retries, r->retries, r->instances);
  cr_expect_geq(H5LTget_attribute_int(file, "/", "retried_instances", &retried), 0);
  cr_expect_geq(H5LTget_attribute_int(file, "/", "recovered_instances", &recovered), 0);
  cr_expect_eq(retried, (int)r->record.retried);
  cr_expect_eq(recovered, (int)r->record.recovered);
  cr_expect_gt(retried, 0);
  H5Fclose(file);
  free(values);
  free(retries);
  unlink(path);
  omr_result_destroy(r);
}

/* A run in a folder of chunks, put together from their files, and read back whole or in blocks: the
 * list of failures, with its reasons, and the retries are those of the run in memory. */
Test(failures, chunks_files_and_blocks_have_the_failures_of_the_run_in_memory) {
  char folder[] = "/tmp/omniroll-failures-XXXXXX", path[64];
  cr_assert_not_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  const char *const *words = WITH("integrator.on_failure=retry_half_step", "integrator.budget=2",
                                  "engine.chunk=7", "vary[1].values=[9.81, 1e5, 1e30, 1e6, 1e8]");
  omr_study *study = parse(mixed, &engines[0], words);
  study->variations[0].values[4] = -1; /* no friction coefficient: 5 of the 50 are invalid */
  omr_result *memory, *file;
  omr_file_outcome outcome;
  cr_assert_eq(omr_run(study, NULL, &memory, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_run_file(study, path, NULL, &outcome, &error), OMR_OK, "%s", error.message);
  cr_expect_eq(outcome.chunks, 8);
  cr_assert_eq(memory->failures.reason_count, 5);
  cr_assert_eq(omr_result_open(path, &file, &error), OMR_OK, "%s", error.message);
  cr_expect_eq(compare_all("file", memory, file), 0);
  cr_expect_eq(file->record.retried, memory->record.retried);
  cr_expect_eq(file->record.recovered, memory->record.recovered);
  for (size_t j = 0; j < memory->failures.vehicle_count; j++) {
    cr_expect_str_eq(file->failures.vehicle[j].name, memory->failures.vehicle[j].name);
    cr_expect_str_eq(file->failures.vehicle[j].unit, memory->failures.vehicle[j].unit);
  }
  omr_failures joined = {0};
  omr_result_file *blocks;
  cr_assert_eq(omr_result_file_open(path, &blocks, &error), OMR_OK, "%s", error.message);
  for (size_t first = 0; first < 50; first += 9) {
    omr_result *block;
    cr_assert_eq(
        omr_result_file_read(blocks, first, first + 9 < 50 ? 9 : 50 - first, &block, &error),
        OMR_OK);
    cr_expect(omr_failures_join(&joined, &block->failures));
    omr_result_destroy(block);
  }
  omr_result_file_close(blocks);
  cr_expect_eq(compare_failures(&memory->failures, &joined), 0);
  omr_failures_free(&joined);
  omr_result_destroy(memory);
  omr_result_destroy(file);
  omr_study_destroy(study);
  unlink(path);
  cr_expect_eq(rmdir(folder), 0);
}

/* What a failed instance of a small model keeps is what its own list says that it integrates: how
 * many quantities, and one that no other model has in that place. */
Test(failures, every_model_names_the_state_that_it_keeps) {
  static const struct {
    int count, at;
    const char *name;
  } kept[OMR_MODELS] = {
      [OMR_MODEL_VEHICLE] = {6, 5, "yaw_rate"},      [OMR_MODEL_WHEEL] = {6, 5, "yaw_rate"},
      [OMR_MODEL_DISC_VEHICLE] = {6, 5, "yaw_rate"}, [OMR_MODEL_UK_WHEEL] = {6, 2, "angle"},
      [OMR_MODEL_ROLLING_DISC] = {16, 3, "qw"},      [OMR_MODEL_WHEELSET] = {12, 6, "rod_angle"},
      [OMR_MODEL_SNAKEBOARD] = {11, 3, "momentum"},  [OMR_MODEL_SLIDING_BLOCK] = {11, 4, "stuck"},
      [OMR_MODEL_ELASTIC_WHEEL] = {8, 6, "twist"}};
  for (int m = 0; m < OMR_MODELS; m++) {
    const omr_study study = {.model = (omr_model)m, .wheels = 1};
    omr_failures f;
    cr_assert_eq(omr_failures_make(&study, &f, &error), OMR_OK, "%s", error.message);
    cr_expect_eq(f.vehicle_count, (size_t)kept[m].count, "%s: %zu", omr_model_names[m],
                 f.vehicle_count);
    if (omr_model_is_own(study.model)) continue; /* what its study names: test_own_study.c */
    cr_expect_str_eq(f.vehicle[kept[m].at].name, kept[m].name, "%s", omr_model_names[m]);
    cr_expect_str_eq(f.vehicle[0].name, "x", "%s", omr_model_names[m]);
    cr_expect_eq(f.wheel_count > 0, omr_small_model_of(study.model) == NULL);
  }
}

/* A model without a list would keep the columns of another one. */
Test(failures, an_unknown_model_is_an_error) {
  const omr_study study = {.model = (omr_model)OMR_MODELS};
  const omr_part part = omr_part_of(&study);
  omr_failures f;
  omr_result *result = NULL;
  cr_expect_eq(omr_failures_make(&study, &f, &error), OMR_ERR_INTERNAL);
  cr_expect_eq(omr_failures_width(&f), 0);
  cr_expect_not_null(strstr(error.message, "model number 10 has no list of the state"), "%s",
                     error.message);
  cr_expect_eq(omr_result_make(&part, &result, &error), OMR_ERR_INTERNAL);
  omr_result_destroy(result);
}
