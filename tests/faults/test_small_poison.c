/* As test_poison.c, for the small models: absurd values of some instances leave the bits of the
 * others alone. */
#include "tests/parity/parity.h"

static const char text[] =
    "{\"model\": \"uk_wheel\", \"parameters\": {\"ground\": {\"type\": \"dip\", \"time\": 0.5}},"
    "\"vary\": [{\"path\": \"drive.torque\", \"linspace\": [10, 200, 13]},"
    "{\"path\": \"resistance.rolling\", \"values\": [1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7]}],"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"1 s\"},"
    "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"0.1 s\"}}}";

static const char disc_text[] =
    "{\"model\": \"rolling_disc\", \"parameters\": {\"initial\": {\"tilt\": 1, \"spin\": 5}},"
    "\"vary\": [{\"path\": \"initial.precession\", \"linspace\": [-4, 4, 13]},"
    "{\"path\": \"friction.rolling\", \"values\": [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]}],"
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"0.5 s\"},"
    "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"50 ms\"}}}";

/* A radius of 1e9 m lifts a wheel, one of 1e300 m leaves no number. */
static const char wheelset_text[] =
    "{\"model\": \"wheelset\", \"parameters\": {\"plane\": {\"slope\": 0.05, \"direction\": 0.5}},"
    "\"vary\": [{\"path\": \"initial.yaw_rate\", \"linspace\": [0.2, 1, 13]},"
    "{\"path\": \"radius\", \"values\": [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]}],"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"0.5 s\"},"
    "\"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"50 ms\"}}}";

static const double poison[] = {(double)NAN, 1e9, -1, HUGE_VAL, 1e300};
enum { POISONS = sizeof poison / sizeof *poison, LEVELS = 7 };

static omr_result *run(const char *study_text, const engine *e, bool poisoned) {
  overrides o;
  omr_study *study;
  omr_result *result;
  omr_error error = {.message = ""};
  set_overrides(&o, e);
  cr_assert_eq(omr_study_parse(study_text, "poison.json", o.list, o.count, &study, &error), OMR_OK,
               "%s", error.message);
  for (int i = 0; poisoned && i < POISONS; i++)
    study->variations[1].values[i + 1] = poison[i]; /* the reader refuses these */
  omr_status status = omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  return result;
}

static void check(const char *study_text, const engine *e) {
  omr_result *clean = run(study_text, e, false), *bad = run(study_text, e, true);
  if (!clean) cr_skip_test("%s is not here", e->backend);
  size_t invalid = 0, ended = 0, samples = clean->sample_count;
  for (size_t k = 0; k < clean->instances; k++) {
    cr_expect_eq(clean->status[k], OMR_INSTANCE_OK);
    bool healthy = k % LEVELS == 0 || k % LEVELS == LEVELS - 1;
    invalid += bad->status[k] == OMR_INSTANCE_INVALID;
    ended += bad->status[k] == OMR_INSTANCE_DIVERGED || bad->status[k] == OMR_INSTANCE_LIFTED;
    if (!healthy) {
      cr_expect_neq(bad->status[k], OMR_INSTANCE_OK, "instance %zu", k);
      continue;
    }
    size_t differences = bad->status[k] != OMR_INSTANCE_OK;
    for (size_t c = 0; c < clean->column_count; c++)
      differences += !same_bits(clean->columns[c].values[k], bad->columns[c].values[k]);
    for (int j = 0; j < clean->small_sample_count; j++)
      for (size_t s = k * samples; s < (k + 1) * samples; s++)
        differences += !same_bits(clean->small_samples[j][s], bad->small_samples[j][s]);
    cr_expect_eq(differences, 0, "%s: instance %zu is harmed", engine_name(e), k);
  }
  cr_expect_eq(invalid, 39, "%zu",
               invalid); /* NaN, negative, infinite: 3 of the 7 levels, 13 torques */
  cr_expect_eq(ended, 26, "%zu", ended);
  /* samples after the end of an instance are no data */
  cr_expect(isnan(bad->small_samples[0][2 * samples + samples - 1]) &&
            !isnan(clean->small_samples[0][3 * samples - 1]));
  omr_result_destroy(clean);
  omr_result_destroy(bad);
}

Test(small_poison, healthy_instances_keep_their_bits_beside_bad_ones) {
  check(text, &(engine){.backend = "openmp"});
  check(text, &(engine){.backend = "openmp", .precision = "single", .chunk = 16});
  check(text, &(engine){.backend = "scalar"});
}

Test(small_poison, healthy_instances_keep_their_bits_beside_bad_ones_on_an_opencl_device) {
  check(text, &(engine){.backend = "opencl"});
}

Test(small_poison, healthy_discs_keep_their_bits_beside_bad_ones) {
  check(disc_text, &(engine){.backend = "openmp"});
  check(disc_text, &(engine){.backend = "openmp", .precision = "single", .chunk = 16});
  check(disc_text, &(engine){.backend = "scalar"});
}

Test(small_poison, healthy_discs_keep_their_bits_beside_bad_ones_on_an_opencl_device) {
  check(disc_text, &(engine){.backend = "opencl"});
}

Test(small_poison, healthy_wheelsets_keep_their_bits_beside_bad_ones) {
  check(wheelset_text, &(engine){.backend = "openmp"});
  check(wheelset_text, &(engine){.backend = "openmp", .precision = "single", .chunk = 16});
  check(wheelset_text, &(engine){.backend = "scalar"});
}

Test(small_poison, healthy_wheelsets_keep_their_bits_beside_bad_ones_on_an_opencl_device) {
  check(wheelset_text, &(engine){.backend = "opencl"});
}
