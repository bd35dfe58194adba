/* disc_vehicle gives the same bits whatever computes it: penalty and compliant contact with
 * components, and rigid contact with the whole slip. */
#include "tests/parity/parity.h"

#define STUDY "tests/parity/discs.json"

/* Penalty contact as the file has it, or rigid contact: heave has no place there. */
static const char *const rigid = "parameters.contact={\"saturation\": \"whole\"}";
static const char *const no_springs = "parameters.wheel.contact={}";

static const char *const compliant =
    "parameters.contact={\"normal\": \"compliant\", \"damper\": \"kelvin_voigt\", \"saturation\": "
    "\"components\"}";

typedef enum normal { PENALTY, RIGID, COMPLIANT, NORMALS } normal;

static omr_result *run_discs(normal contact, const engine *e, const char *precision) {
  overrides o;
  engine with = *e;
  with.precision = precision;
  set_overrides(&o, &with);
  const char *list[16];
  for (size_t i = 0; i < o.count; i++) list[i] = o.list[i];
  if (contact == COMPLIANT) list[o.count++] = compliant;
  if (contact == RIGID) {
    list[o.count++] = rigid;
    list[o.count++] = no_springs;
    list[o.count++] = "vary=[{\"path\": \"wheel.friction\", \"uniform\": [0.1, 0.6]},"
                      "{\"path\": \"wheel.initial.rate\", \"uniform\": [-40, 40], \"each\": true}]";
  }
  omr_study *study = NULL;
  omr_result *result = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_study_load(STUDY, list, o.count, &study, &error), OMR_OK, "%s", error.message);
  const omr_status status = omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  return result;
}

static void expect_same(normal contact, const char *precision, const engine *engines,
                        size_t count) {
  static const engine reference = {.backend = "openmp", .threads = 1};
  omr_result *expected = run_discs(contact, &reference, precision);
  for (size_t i = 0; i < count; i++) {
    omr_result *result = run_discs(contact, &engines[i], precision);
    if (!result) continue;
    const size_t differences = compare_results(engine_name(&engines[i]), expected, result);
    cr_expect_eq(differences, 0, "%s, contact %d, %s: %zu values differ", engine_name(&engines[i]),
                 (int)contact, precision, differences);
    omr_result_destroy(result);
  }
  omr_result_destroy(expected);
}

Test(discs, processors_give_the_same_bits) {
  static const engine engines[] = {{.backend = "openmp", .device = "avx512", .threads = 2},
                                   {.backend = "openmp", .device = "avx2"},
                                   {.backend = "openmp", .device = "baseline"},
                                   {.backend = "scalar", .device = "avx2"},
                                   {.backend = "scalar", .device = "baseline"}};
  for (int variant = 0; variant < 2 * NORMALS; variant++)
    expect_same((normal)(variant / 2), variant % 2 ? "single" : "double", engines,
                sizeof engines / sizeof *engines);
}

/* Each combination builds its kernels anew, which takes a while. */
Test(discs, opencl_gives_the_bits_of_openmp) {
  static const engine one = {.backend = "opencl", .lanes = 1},
                      eight = {.backend = "opencl", .lanes = 8};
  expect_same(RIGID, "double", &eight, 1);
  if (short_form()) return; /* parity/methods has penalty contact on OpenCL */
  expect_same(PENALTY, "double", &one, 1);
  expect_same(PENALTY, "single", &eight, 1);
  expect_same(COMPLIANT, "double", &eight, 1);
}

Test(discs, the_study_bounces_and_turns_wheels_over) {
  static const engine reference = {.backend = "openmp",
                                   .other = "output.trajectories.instances=all"};
  omr_result *r = run_discs(PENALTY, &reference, "double");
  size_t air = 0, over = 0;
  for (size_t k = 0; k < r->instances; k++) {
    cr_expect_eq(r->status[k], OMR_INSTANCE_OK);
    for (size_t s = 0; s < r->sample_count; s++) {
      const size_t cell = k * r->sample_count + s;
      air += r->vehicle_samples[OMR_VS_HEIGHT][cell] > 0;
      over += fabs(r->wheel_samples[OMR_WS_ANGLE][4 * cell]) > 4;
    }
  }
  cr_expect_gt(air, 10);
  cr_expect_gt(over, 10);
  omr_result_destroy(r);
}
