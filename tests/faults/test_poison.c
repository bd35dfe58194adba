/* One bad instance never harms its neighbours: a study is run as it is and with a share of its
 * instances poisoned; those left healthy must come out with the same bits. The poison is gravity:
 * absurd values make instances diverge, lift their wheels or never end a step, at the start or in
 * the middle of the run; some values are no parameters at all. */
#include "tests/parity/parity.h"

enum { INSTANCES = 231, LEVELS = 100 };

#define NO_NUMBER ((double)NAN)
static const double poison[] = {NO_NUMBER, 1e5, -1, 1e6, 1e300, 1e8, HUGE_VAL, 1e30, 2e5};
enum { POISONS = sizeof poison / sizeof *poison };

#define STUDY                                                                                      \
  "{\"model\": \"omni_vehicle\", \"parameters\": {"                                                \
  " \"layout\": {\"type\": \"ring\", \"wheels\": 3}, \"overlap\": \"allow\","                      \
  " \"wheel\": {\"radius\": \"8 cm\", \"tip_radius\": \"1 cm\", \"slip_speed\": \"20 cm/s\", "     \
  "\"initial\": {\"rate\": -40},"                                                                  \
  "   \"roller\": {\"density\": 4000}, \"drive\": {\"type\": \"tanh\", \"torque\": -0.4}},"        \
  " \"initial\": {\"yaw_rate\": 10}},"                                                             \
  " \"design\": {\"type\": \"monte_carlo\", \"instances\": 231, \"seed\": \"3\"},"                 \
  " \"integrator\": {\"step\": \"0.5 ms\", \"duration\": \"0.2 s\"},"                              \
  " \"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"10 ms\"}},"            \
  " \"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.2, 0.5], \"each\": true},"           \
  "   {\"path\": \"wheel.inclination\", \"uniform\": [0, \"45 deg\"], \"each\": true},"            \
  "   {\"path\": \"wheel.rollers\", \"values\": [4, 6, 8, 12], \"each\": true}, {\"path\": "       \
  "\"gravity\", \"values\": ["

/* The study with the first `percent` of the 100 levels of gravity poisoned; each instance draws one
 * of them. */
static omr_study *make_study(int percent, const engine *e) {
  omr_text text = {0};
  overrides o;
  omr_study *study;
  omr_error error = {.message = ""};
  omr_text_print(&text, "%s", STUDY);
  for (int level = 0; level < LEVELS; level++) omr_text_print(&text, "%s9.81", level ? ", " : "");
  omr_text_print(&text, "]}]}");
  set_overrides(&o, e);
  cr_assert_eq(omr_study_parse(text.data, "poison.json", o.list, o.count, &study, &error), OMR_OK,
               "%s", error.message);
  omr_text_free(&text);
  /* set here, since the reader refuses what is no parameter */
  omr_variation *gravity = &study->variations[study->variation_count - 1];
  for (int level = 0; level < percent; level++) gravity->values[level] = poison[level % POISONS];
  return study;
}

static omr_result *run_poisoned(int percent, const engine *e) {
  omr_study *study = make_study(percent, e);
  omr_result *result;
  omr_error error = {.message = ""};
  omr_status status = omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  return result;
}

/* Values of instance k in which a and b differ. */
static size_t compare_instance(const omr_result *a, const omr_result *b, size_t k) {
  size_t differences = a->status[k] != b->status[k], samples = a->sample_count,
         wheels = (size_t)a->wheels;
  differences += !same_bits(a->status_time[k], b->status_time[k]);
  for (size_t c = 0; c < a->column_count; c++)
    differences += !same_bits(a->columns[c].values[k], b->columns[c].values[k]);
  for (int j = 0; j < OMR_VS_COUNT; j++) {
    for (size_t s = k * samples; a->vehicle_samples[j] && s < (k + 1) * samples; s++) {
      differences += !same_bits(a->vehicle_samples[j][s], b->vehicle_samples[j][s]);
    }
  }
  for (int j = 0; j < OMR_WS_COUNT; j++) {
    for (size_t s = k * samples * wheels; a->wheel_samples[j] && s < (k + 1) * samples * wheels;
         s++) {
      differences += !same_bits(a->wheel_samples[j][s], b->wheel_samples[j][s]);
    }
  }
  return differences;
}

static bool is_poisoned(const omr_result *r, size_t k) {
  return r->columns[r->parameter_count - 1].values[k] != 9.81;
}

static void check_share(const omr_result *clean, int percent, const engine *e) {
  omr_result *r = run_poisoned(percent, e);
  size_t poisoned = 0, failed = 0, harmed = 0;
  for (size_t k = 0; k < r->instances; k++) {
    poisoned += is_poisoned(r, k);
    failed += r->status[k] != OMR_INSTANCE_OK;
    harmed += !is_poisoned(r, k) && compare_instance(clean, r, k) > 0;
  }
  double share = 100.0 * (double)poisoned / (double)r->instances;
  cr_expect(poisoned > 0 && fabs(share - percent) < 8, "%g %% are poisoned, not about %d %%", share,
            percent);
  cr_expect(poisoned < r->instances, "no instance is healthy");
  cr_expect(2 * failed > poisoned, "of %zu poisoned instances only %zu fail", poisoned, failed);
  cr_expect_eq(harmed, 0, "%s, %d %%: %zu healthy instances are not what they are without poison",
               engine_name(e), percent, harmed);
  omr_result_destroy(r);
}

static void check_engine(const engine *e) {
  omr_result *clean = run_poisoned(0, e);
  if (!clean) cr_skip_test("%s is not here", e->backend);
  for (size_t k = 0; k < clean->instances; k++) cr_assert_eq(clean->status[k], OMR_INSTANCE_OK);
  check_share(clean, 1, e);
  check_share(clean, 50, e);
  check_share(clean, 99, e);
  omr_result_destroy(clean);
}

Test(poison, healthy_instances_keep_their_bits_beside_bad_ones_in_lanes) {
  check_engine(&(engine){.backend = "openmp", .threads = 2});
  check_engine(&(engine){.backend = "openmp", .threads = 1, .chunk = 16, .launch_seconds = "1e-4"});
  check_engine(&(engine){.backend = "openmp", .precision = "single"});
}

Test(poison, healthy_instances_keep_their_bits_beside_bad_ones_in_scalar_code) {
  check_engine(&(engine){.backend = "scalar"});
}

Test(poison, healthy_instances_keep_their_bits_beside_bad_ones_on_an_opencl_device) {
  check_engine(&(engine){.backend = "opencl"});
}

Test(poison, every_way_to_fail_is_told_apart) {
  omr_result *r = run_poisoned(99, &(engine){.backend = "openmp"});
  size_t counts[OMR_INSTANCE_STATUS_COUNT] = {0}, late = 0;
  for (size_t k = 0; k < r->instances; k++) {
    counts[r->status[k]]++;
    double g = r->columns[r->parameter_count - 1].values[k];
    bool no_parameter = !(g > 0) || isinf(g);
    cr_expect_eq(r->status[k] == OMR_INSTANCE_INVALID, no_parameter, "gravity %g: %s", g,
                 omr_instance_status_name(r->status[k]));
    late += r->status[k] != OMR_INSTANCE_OK && r->status_time[k] > 0.005;
  }
  cr_expect_gt(counts[OMR_INSTANCE_DIVERGED], 0);
  cr_expect_gt(counts[OMR_INSTANCE_LIFTED], 0);
  cr_expect_gt(counts[OMR_INSTANCE_CROWDED], 0);
  cr_expect_gt(late, 0, "all fail at the start");
  omr_result_destroy(r);
}

Test(poison, an_invalid_instance_has_no_observables_and_its_reason_is_kept) {
  omr_result *r = run_poisoned(50, &(engine){.backend = "openmp"});
  size_t first = 0;
  while (r->status[first] != OMR_INSTANCE_INVALID) first++;
  char start[32];
  snprintf(start, sizeof start, "instance %zu: gravity = ", first);
  cr_expect_eq(strncmp(r->first_invalid, start, strlen(start)), 0,
               "\"%s\" does not start with \"%s\"", r->first_invalid, start);
  cr_expect(strstr(r->first_invalid, "outside its bounds"));
  for (size_t c = r->parameter_count; c < r->column_count; c++)
    cr_expect(isnan(r->columns[c].values[first]));
  for (size_t s = 0; s < r->sample_count; s++)
    cr_expect(isnan(r->vehicle_samples[OMR_VS_X][first * r->sample_count + s]));
  omr_result_destroy(r);
}

Test(poison, a_failed_instance_has_a_trajectory_up_to_its_end_and_none_after) {
  omr_result *r = run_poisoned(99, &(engine){.backend = "openmp"});
  for (size_t k = 0; k < r->instances; k++) {
    if (r->status[k] == OMR_INSTANCE_OK || r->status[k] == OMR_INSTANCE_INVALID) continue;
    for (size_t s = 0; s < r->sample_count; s++) {
      bool after = r->sample_time[s] > r->status_time[k];
      double x = r->vehicle_samples[OMR_VS_X][k * r->sample_count + s];
      cr_expect_eq(isnan(x) != 0, after, "instance %zu, which ended at %g s, has x = %g at %g s", k,
                   r->status_time[k], x, r->sample_time[s]);
    }
  }
  omr_result_destroy(r);
}

static void expect_all_invalid(const engine *e) {
  char text[8192] = "";
  omr_study *study = make_study(LEVELS, e);
  omr_variation *gravity = &study->variations[study->variation_count - 1];
  for (int level = 0; level < LEVELS; level++) gravity->values[level] = level % 2 ? -1 : NO_NUMBER;
  omr_result *r;
  omr_error error = {.message = ""};
  omr_status status = omr_run(study, NULL, &r, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return;
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  for (size_t k = 0; k < r->instances; k++) cr_expect_eq(r->status[k], OMR_INSTANCE_INVALID);
  cr_expect_eq(r->record.instance_steps, 0);
  FILE *out = fmemopen(text, sizeof text, "w");
  omr_print_summary(r, out);
  fclose(out);
  cr_expect(strstr(text, "231: 0 ok, 231 failed"), "%s", text);
  cr_expect(strstr(text, "invalid_parameters") && strstr(text, "instance 0: gravity"), "%s", text);
  cr_expect(strstr(text, "No instance reached the end"), "%s", text);
  omr_result_destroy(r);
}

Test(poison, a_study_of_invalid_instances_alone_ends_well_and_says_so) {
  expect_all_invalid(&(engine){.backend = "openmp"});
  expect_all_invalid(&(engine){.backend = "opencl"});
}
