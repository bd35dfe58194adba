/* Runs a study with known answers on every backend, device and precision. */
#include "selftest.h"

#include "../engine/backend.h"
#include "../engine/peak.h"
#include "../result/result.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Discs and rollers are written out, so no change of a default moves the answers. Seven vehicles
 * over friction and inclination, with two rows, an off-centre mass, bearing friction and ramped
 * torques; each wheel exchanges rollers several times. */
static const char study_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": 10, \"yaw_inertia\": "
    "0.7, \"center_of_mass\": {\"x\": 0.02, \"height\": 0.17, \"z\": -0.03}}, \"layout\": "
    "{\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.3}, \"wheel\": {\"radius\": 0.1, "
    "\"rollers\": 6, \"row_distance\": 0.04, \"slip_speed\": 0.1, \"disc\": {\"mass\": 0.3, "
    "\"axial_inertia\": 2e-4, \"diametral_inertia\": 1.2e-4}, \"roller\": {\"density\": 4000, "
    "\"bearing\": 1e-4}}, \"wheels\": [{\"initial\": {\"rate\": 7}, \"drive\": {\"type\": "
    "\"tanh\", \"torque\": 0.6}}, {\"initial\": {\"rate\": -5}},{\"initial\": {\"rate\": 6}, "
    "\"drive\": {\"type\": \"sine\", \"torque\": 0.4}}], \"initial\": {\"vx\": 0.3, \"vz\": -0.2, "
    "\"yaw_rate\": 1.5}}, \"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.1, 0.5]}, "
    "{\"path\": \"wheel.inclination\", \"uniform\": [0, 0.7]}], \"design\": {\"type\": "
    "\"monte_carlo\", \"instances\": 7, \"seed\": \"7\"}, \"integrator\": {\"step\": 1e-4, "
    "\"duration\": 1}}";

/* Answers of instances 0 and 6 by the scalar double build, whose equations the test suite checks
 * against tests/data/accelerations.json; with and without bearing friction. */
enum { ANSWERS = 8, VARIANTS = 2 };
typedef struct answer {
  const char *column;
  size_t instance;
  double value;
} answer;
static const struct {
  const char *override;
  answer answers[ANSWERS];
} variants[VARIANTS] = {
    {"parameters.wheel.roller.bearing=1e-4",
     {
         {"final_x", 0, 0.08425994442299312},
         {"final_z", 0, -0.14455301935118162},
         {"final_yaw", 0, 0.5190845516995055},
         {"dissipated_energy", 0, 1.6127932408446661},
         {"final_x", 6, 0.09693748976525189},
         {"final_z", 6, -0.15513365843626217},
         {"final_yaw", 6, 0.5263394934119046},
         {"exchanges", 6, 4},
     }},
    {"parameters.wheel.roller.bearing=0",
     {
         {"final_x", 0, 0.09570760082890557},
         {"final_z", 0, -0.1619676323307081},
         {"final_yaw", 0, 0.5203858321134582},
         {"dissipated_energy", 0, 1.2883082497698868},
         {"final_x", 6, 0.10821882775115516},
         {"final_z", 6, -0.1713644901062016},
         {"final_yaw", 6, 0.5278890183595782},
         {"exchanges", 6, 4},
     }},
};

static double column_value(const omr_result *r, const char *name, size_t instance) {
  for (size_t c = 0; c < r->column_count; c++) {
    if (!strcmp(r->columns[c].name, name)) return r->columns[c].values[instance];
  }
  return (double)NAN;
}

/* Largest difference to the answers, relative to values of order one; *same: all bits agree. */
static double compare(const omr_result *r, const answer answers[ANSWERS], bool *same) {
  double largest = 0;
  for (int i = 0; i < ANSWERS; i++) {
    double value = column_value(r, answers[i].column, answers[i].instance);
    double difference = fabs(value - answers[i].value) / fmax(1, fabs(answers[i].value));
    if (value != answers[i].value) *same = false;
    if (!(difference <= largest)) largest = isnan(difference) ? HUGE_VAL : difference;
  }
  return largest;
}

/* Runs one variant with these engine settings and updates the largest difference to its answers. */
static omr_status run_variant(int variant, const char *const engine[3], double *difference,
                              bool *same, omr_error *error) {
  const char *const overrides[] = {engine[0], engine[1], engine[2], variants[variant].override};
  omr_study *study = NULL;
  omr_result *result = NULL;
  omr_status status = omr_study_parse(study_text, "selftest", overrides, 4, &study, error);
  if (status == OMR_OK) status = omr_run(study, NULL, &result, error);
  if (status == OMR_OK)
    *difference = fmax(*difference, compare(result, variants[variant].answers, same));
  omr_result_destroy(result);
  omr_study_destroy(study);
  return status;
}

/* Runs the study with these engine settings: both variants on openmp, the first one elsewhere,
 * since one program runs both. */
static omr_status run_variants(omr_selftest_row *row, omr_error *error) {
  char set_backend[64], set_device[128], set_precision[64];
  snprintf(set_backend, sizeof set_backend, "engine.backend=%s", row->backend);
  snprintf(set_device, sizeof set_device, "engine.device=\"%s\"", row->device);
  snprintf(set_precision, sizeof set_precision, "engine.precision=%s",
           row->single ? "single" : "double");
  const char *const engine[] = {set_backend, set_device, set_precision};
  omr_status status = OMR_OK;
  row->runs = strcmp(row->backend, "openmp") ? 1 : VARIANTS;
  row->values = row->runs * ANSWERS;
  row->same_bits = true;
  for (int variant = 0; status == OMR_OK && variant < row->runs; variant++) {
    status = run_variant(variant, engine, &row->difference, &row->same_bits, error);
  }
  return status;
}

typedef struct test {
  const char *wanted; /* device; NULL: all */
  omr_selftest_sink *sink;
  void *user;
  size_t devices;
  int failed;
} test;

static omr_selftest_row begin_row(omr_selftest_check check, const char *backend, const char *device,
                                  bool single) {
  omr_selftest_row row = {.check = check, .single = single};
  snprintf(row.backend, sizeof row.backend, "%s", backend);
  snprintf(row.device, sizeof row.device, "%s", device);
  return row;
}

static void give_row(test *t, omr_selftest_row *row, omr_status status, const omr_error *error) {
  row->ran = status == OMR_OK;
  if (!row->ran) row->passed = false;
  if (!row->ran) snprintf(row->why, sizeof row->why, "%.1000s", error->message);
  t->failed += !row->passed;
  t->sink(t->user, row);
}

static void test_answers(test *t, const char *backend, const char *device, bool single) {
  omr_error error = {0};
  omr_selftest_row row = begin_row(OMR_CHECK_ANSWER, backend, device, single);
  const omr_status status = run_variants(&row, &error);
  row.tolerance = omr_selftest_tolerance(single);
  row.passed = row.difference < row.tolerance;
  give_row(t, &row, status, &error);
}

static void test_rounding(test *t, const char *device, bool single) {
  omr_error error = {0};
  omr_selftest_row row = begin_row(OMR_CHECK_ROUNDING, "opencl", device, single);
  const omr_status status = omr_opencl_probe(device, single, &row.probe, &error);
  row.passed = omr_probe_good(&row.probe);
  give_row(t, &row, status, &error);
}

static bool is_wanted(test *t, const char *device) {
  const bool is = !t->wanted || strcmp(t->wanted, device) == 0;
  t->devices += is;
  return is;
}

static bool is_isa(const char *device) {
  const char *isa;
  for (size_t i = 0; (isa = omr_openmp_isa(i)); i++) {
    if (!strcmp(isa, device)) return true;
  }
  return false;
}

static void test_processor(test *t) {
  const char *isa;
  for (size_t i = 0; (isa = omr_openmp_isa(i)); i++) {
    if (!omr_openmp_runs(isa) || !is_wanted(t, isa)) continue;
    for (int single = 0; single < 2; single++) {
      test_answers(t, "openmp", isa, single);
      if (omr_scalar_runs(isa)) test_answers(t, "scalar", isa, single);
    }
  }
}

/* Returns the number of OpenCL devices. */
static size_t test_opencl(test *t) {
  omr_opencl_info info;
  size_t i = 0;
  for (; omr_opencl_describe(i, &info); i++) {
    if (!is_wanted(t, info.number)) continue;
    for (int single = !info.has_double; single < 2; single++) {
      test_rounding(t, info.number, single);
      test_answers(t, "opencl", info.number, single);
    }
  }
  return i;
}

omr_status omr_selftest_rows(const char *device, omr_selftest_sink *sink, void *user,
                             bool *no_opencl, omr_error *error) {
  char number[16];
  *no_opencl = false;
  /* A name of an OpenCL device becomes its number. */
  if (device && !is_isa(device)) {
    const omr_status status = omr_opencl_number(device, number, error);
    if (status != OMR_OK) return status;
    device = number;
  }

  /* Every device of every backend, unless one is named. */
  test t = {.wanted = device, .sink = sink, .user = user};
  test_processor(&t);
  *no_opencl = test_opencl(&t) == 0 && !device;
  if (t.devices == 0 && device)
    return omr_fail(error, OMR_ERR_DEVICE,
                    "device \"%s\" does not run here; `omniroll devices` lists what does", device);

  /* One failed row fails the test. */
  if (t.failed == 0) return OMR_OK;
  return omr_fail(
      error, OMR_ERR_SELFTEST,
      "%d of the runs above gave wrong numbers: do not trust that device; update its driver",
      t.failed);
}
