/* Counted operations: the counting build of the kernel text has the bits of the others, and counts
 * what is in the text. */
#include "host/bench/count.h"
#include "host/engine/backend.h"
#include "host/model/prepare.h"
#include "host/result/result.h"
#include "kernels/layout.h"
#include "tests/skip.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { INSTANCES = 3, STEPS = 300 };
#define SECONDS 0.1 /* where steps are controlled, whose clock counts them */

static omr_study *load_study(const char *path, const char *override, bool single) {
  omr_study *study;
  omr_error error = {.message = ""};
  const char *list[] = {"engine.backend=scalar",
                        single ? "engine.precision=single" : "engine.precision=double", override};
  const omr_status status = omr_study_load(path, list, override ? 3 : 2, &study, &error);
  cr_assert_eq(status, OMR_OK, "%s %s: %s", path, override ? override : "", error.message);
  return study;
}

static omr_batch prepare(const omr_study *study, const omr_run_settings *settings) {
  omr_batch batch;
  char reason[400];
  cr_assert(omr_batch_make(settings, OMR_PAD, &batch));
  batch.count = study->instances < INSTANCES ? study->instances : INSTANCES;
  for (size_t slot = 0; slot < batch.count; slot++) {
    omr_values values;
    omr_study_values(study, slot * (study->instances / batch.count), &values, NULL);
    omr_prepare_instance(study, settings, &values, &batch, slot, reason,
                         sizeof reason); /* or it never runs, here as there */
  }
  for (size_t slot = batch.count; slot < OMR_PAD; slot++)
    omr_prepare_padding(settings, &batch, 0, slot);
  return batch;
}

static void run_scalar(const omr_study *study, const omr_run_settings *settings, omr_batch *batch) {
  omr_run_record record = {0};
  omr_backend *backend;
  omr_error error = {.message = ""};
  cr_assert_eq(omr_openmp_backend.open(&study->engine, settings, &record, NULL, &backend, &error),
               OMR_OK, "%s", error.message);
  cr_assert_eq(omr_openmp_backend.load(backend, batch, &error), OMR_OK);
  cr_assert_eq(omr_openmp_backend.advance(backend, settings->controlled ? SECONDS : STEPS, &error),
               OMR_OK);
  cr_assert_eq(omr_openmp_backend.fetch(backend, batch, &error), OMR_OK);
  omr_openmp_backend.close(backend);
}

static void run_counting(const omr_run_settings *settings, bool single, omr_batch *batch) {
  omr_error error = {.message = ""};
  omr_counter counter;
  cr_assert_eq(omr_count_open(settings->integers, single, &counter, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(
      omr_count_batch(&counter, settings, settings->controlled ? SECONDS : STEPS, batch, &error),
      OMR_OK, "%s", error.message);
}

static size_t differences(const double *a, const double *b, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    found += memcmp(a + i, b + i, sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]));
  return found;
}

/* *exchanges: the roller exchanges of the run. */
static void compare_bits(const char *path, const char *override, bool single, double *exchanges) {
  omr_study *study = load_study(path, override, single);
  omr_run_settings settings;
  omr_error error = {.message = ""};
  cr_assert_eq(omr_settings_make(study, &settings, &error), OMR_OK, "%s", error.message);
  omr_batch expected = prepare(study, &settings), counted = prepare(study, &settings);
  run_scalar(study, &settings, &expected);
  run_counting(&settings, single, &counted);
  const size_t states = (size_t)settings.state_columns * OMR_PAD,
               spins = (size_t)settings.spin_columns * OMR_PAD;
  cr_expect_eq(differences(expected.state, counted.state, states), 0, "%s %s", path,
               override ? override : "");
  cr_expect_eq(differences(expected.spins, counted.spins, spins), 0, "%s %s", path,
               override ? override : "");
  double steps = 0;
  *exchanges = 0;
  for (size_t slot = 0; slot < expected.count; slot++) {
    steps += expected.state[(size_t)settings.step_column * OMR_PAD + slot];
    if (study->wheels) *exchanges += expected.state[(size_t)S_EXCHANGES * OMR_PAD + slot];
  }
  cr_expect_gt(steps, 0, "%s", path);
  omr_batch_free(&expected);
  omr_batch_free(&counted);
  omr_settings_free(&settings);
  omr_study_destroy(study);
}

/* Every law, contact, method, number of wheels and small model: what runs is compared, whatever the
 * instances do. */
static const char *const studies[][2] = {
    {"studies/first.json", NULL},
    {"tests/parity/parity.json", NULL},
    {"tests/parity/parity.json", "integrator.method=midpoint"},
    {"tests/parity/parity.json", "integrator.method=heun"},
    {"tests/parity/parity.json", "integrator.method=semi_implicit_euler"},
    {"tests/parity/parity.json", "integrator.method=rosenbrock"},
    {"tests/parity/parity.json", "integrator={\"tolerance\": 1e-3, \"duration\": 1}"},
    {"tests/parity/laws.json", "integrator={\"tolerance\": 1e-3, \"duration\": 1}"},
    {"tests/parity/wheelset.json", "integrator={\"tolerance\": 1e-3, \"duration\": 1}"},
    {"tests/parity/bearing.json", NULL},
    {"tests/parity/laws.json", NULL},
    {"tests/parity/laws.json", "parameters.contact.law=udwadia_kalaba"},
    {"tests/parity/laws.json", "parameters.contact.law=massless_rollers"},
    {"tests/parity/one_wheel.json", NULL},
    {"tests/parity/four_wheels.json", NULL},
    {"tests/parity/five_wheels.json", NULL},
    {"tests/parity/discs.json", NULL},
    {"tests/parity/tracking.json", NULL},
    {"tests/parity/patches.json", NULL},
    {"tests/parity/uk_wheel.json", NULL},
    {"tests/parity/snakeboard.json", NULL},
    {"tests/parity/wheelset.json", NULL},
    {"tests/parity/sliding_block.json", NULL},
    {"tests/parity/elastic_wheel.json", NULL},
    {"tests/parity/disc_rolling.json", NULL},
    {"tests/parity/disc_zone.json", NULL},
    {"tests/parity/disc_exudyn.json", NULL},
};

/* Each is compiled; the short form takes in double precision one of fixed steps, one of controlled
 * ones under another law, and a small model, in single precision the first of them and a small
 * model. */
static bool is_short(size_t i, bool single) {
  return i == 1 || (i == 7 && !single) || !strcmp(studies[i][0], "tests/parity/sliding_block.json");
}

static void compare_all(bool single) {
  const bool few = short_form();
  double all = 0;
  for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
    double exchanges;
    if (few && !is_short(i, single)) continue;
    compare_bits(studies[i][0], studies[i][1], single, &exchanges);
    all += exchanges;
  }
  cr_expect_gt(all, few ? 10 : 100, "%g exchanges are compared too", all);
}

Test(count, changes_no_bit) {
  compare_all(false);
}

Test(count, changes_no_bit_in_single_precision) {
  compare_all(true);
}

#if defined(__SIZEOF_FLOAT128__)
/* What counts takes the compiler's routines for itself alone: elsewhere in a program binary128 has
 * its 113 bits, after such an object was loaded too. */
Test(count, leaves_binary128_alone) {
  omr_study *study = load_study("tests/parity/one_wheel.json", "integrator.duration=0.1", false);
  omr_operations counted;
  omr_error error = {.message = ""};
  cr_assert_eq(omr_count_operations(study, &counted, &error), OMR_OK, "%s", error.message);
  omr_study_destroy(study);
  volatile __float128 one = 1, small = (__float128)0x1p-100, third = 3;
  cr_expect(one + small > one && (one + small) - one == small);
  cr_expect(one / third != (__float128)(double)(one / third));
}
#endif

/* The text of single precision has shorter polynomials and else the same operations: divisions and
 * roots are not in them. */
Test(count, single_precision_has_a_text_of_its_own) {
  omr_operations counts[2];
  for (int single = 0; single < 2; single++) {
    omr_study *study = load_study("studies/first.json", "integrator.duration=0.05", single);
    omr_error error = {.message = ""};
    cr_assert_eq(omr_count_operations(study, &counts[single], &error), OMR_OK, "%s", error.message);
    omr_study_destroy(study);
  }
  cr_expect_eq(counts[1].divide, counts[0].divide);
  cr_expect_eq(counts[1].sqrt, counts[0].sqrt);
  cr_expect_lt(counts[1].fma, counts[0].fma);
}

Test(count, useful_operations_of_a_short_study) {
  omr_study *study = load_study("tests/parity/one_wheel.json", "integrator.duration=0.1", false);
  omr_operations o;
  omr_error error = {.message = ""};
  const omr_operations none = {0};
  cr_expect_eq(omr_count_operations(study, &o, &error), OMR_OK, "%s", error.message);
  cr_expect_gt(omr_useful_operations(&o), 1000);
  cr_expect_eq(omr_useful_operations(&o), o.add + o.multiply + 2 * o.fma + o.divide + o.sqrt);
  cr_expect_eq(omr_useful_operations(&none), 0);
  omr_study_destroy(study);
}

static double useful_of(const char *path, const char *override) {
  omr_study *study = load_study(path, override, false);
  omr_operations o;
  omr_error error = {.message = ""};
  const omr_status status = omr_count_operations(study, &o, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE) cr_skip("%s", error.message);
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  return omr_useful_operations(&o);
}

/* A pass of ros34pw2 has four stages where rosenbrock has two, and as many solves; its error
 * estimate comes on top. */
Test(count, passes_of_controlled_steps_are_counted_by_their_own_text) {
  if (short_form()) return; /* the bits above are those of a controlled study too */
  const double fixed = useful_of("tests/bench/yardstick.json", NULL);
  const double controlled =
      useful_of("tests/bench/yardstick.json", "integrator={\"tolerance\": 1e-2, \"duration\": 2}");
  cr_expect(controlled > 1.3 * fixed && controlled < 4 * fixed, "%g and %g", controlled, fixed);
}
