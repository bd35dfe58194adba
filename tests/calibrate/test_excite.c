/* The search for a manoeuvre: what it may ask for, the criterion against its closed form, a
 * parameter that turning alone shows, and the command that is written. */
#include "calibrate/excite.h"

#include "study/designs/draws.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 4096 };
static char folder[64];

static void set_up(void) {
  snprintf(folder, sizeof folder, "/tmp/omniroll-excite-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert_eq(system(command), 0);
}

TestSuite(excite, .init = set_up, .fini = tear_down, .timeout = 240);

/* ---- limits */

static void expect_within(const omr_manoeuvre *m, const omr_manoeuvre_limits *l) {
  const size_t rows = omr_manoeuvre_rows(l);
  const double each = l->duration / (double)(rows - 1), slack = 1 + 1e-9;
  double *table = calloc(rows * OMR_MANOEUVRE_COLUMNS, sizeof *table);
  cr_assert_not_null(table);
  omr_manoeuvre_lay(m, l, table);
  const double *last_row = table + (rows - 1) * OMR_MANOEUVRE_COLUMNS;
  for (int column = 1; column < OMR_MANOEUVRE_COLUMNS; column++) {
    cr_expect_eq(table[column], 0);
    cr_expect_eq(last_row[column], 0, "family %d", m->family);
  }
  cr_expect_eq(table[0], 0);
  cr_expect_eq(last_row[0], l->duration);
  for (size_t k = 0; k < rows; k++) {
    const double *row = table + k * OMR_MANOEUVRE_COLUMNS, *before = row - OMR_MANOEUVRE_COLUMNS;
    cr_expect_leq(hypot(row[1], row[2]), l->speed);
    cr_expect_leq(fabs(row[3]), l->yaw_rate);
    if (k == 0) continue;
    cr_expect_gt(row[0], before[0]);
    cr_expect_leq(hypot(row[1] - before[1], row[2] - before[2]), l->acceleration * each * slack);
    cr_expect_leq(fabs(row[3] - before[3]), l->yaw_acceleration * each * slack);
  }
  free(table);
}

Test(excite, manoeuvres_begin_and_end_at_rest_within_the_limits) {
  static const omr_manoeuvre_limits limits[] = {
      {10, 0.5, 1.5, 1, 3}, {4, 2, 0.3, 100, 100}, {80, 0.1, 6, 0.05, 2}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    for (int f = 0; f < OMR_MANOEUVRE_FAMILIES; f++)
      for (uint64_t k = 0; k < 20; k++) {
        omr_manoeuvre m = {.family = (omr_manoeuvre_family)f};
        for (uint32_t n = 0; n < OMR_MANOEUVRE_NUMBERS; n++) {
          uint64_t bits[2];
          omr_draw_bits(1, k, n, bits);
          m.number[n] = k == 0 ? n % 2 : omr_draw_unit(bits[0]);
        }
        expect_within(&m, &limits[i]);
      }
}

/* ---- searches */

/* Three wheels that follow a command, with ' for ". */
static omr_study *study_of(const char *sections) {
  char text[TEXT];
  omr_study *study;
  omr_error error = {0};
  snprintf(text, sizeof text,
           "{'model': 'omni_vehicle', 'parameters': {'platform': {'mass': 6, 'yaw_inertia': 0.08, "
           "'center_of_mass': {'height': 0.06}}, 'layout': {'type': 'ring', 'wheels': 3, 'radius': "
           "0.15}, 'wheel': {'radius': 0.05, 'rollers': 12, 'row_distance': 0.02, 'tip_radius': "
           "0.005, 'drive': {'type': 'body', 'kp': 0.5, 'ki': 5}}, 'command': {'type': "
           "'constant'}}, 'integrator': {'step': 0.001, 'duration': 1}, 'design': {'type': "
           "'monte_carlo', 'instances': 1}, %s}",
           sections);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static omr_excite *search_of(const omr_study *study) {
  omr_excite *e;
  omr_error error = {0};
  cr_assert_eq(omr_excite_create(study, NULL, &e, &error), OMR_OK, "%s", error.message);
  return e;
}

/* Where it starts, of deviation d, moves a vehicle as a whole: dx/du = d at every instant, whatever
 * it drives. With a noise s that keeps k from instant to instant, S^T S of n instants is d^2/s^2 (1
 * + (n - 1) (1 - k)^2/(1 - k^2)). */
Test(excite, the_criterion_of_a_known_sensitivity) {
  omr_study *study = study_of(
      "'data': {'measured': [{'sample': 'x', 'noise': 0.004, 'correlation_time': 0.2}], "
      "'interval': 0.05, 'origin': 'world'}, 'vary': [{'path': 'initial.x', 'normal': [0, 0.01]}], "
      "'excite': {'speed': 0.5, 'yaw_rate': 2, 'acceleration': 3, 'yaw_acceleration': 12, 'tries': "
      "6, 'draws': 2, 'rounds': 1}, 'engine': {'backend': 'scalar', 'precision': 'double'}");
  const double k = exp(-0.05 / 0.2), square = 6.25 * (1 + 20 * (1 - k) / (1 + k));
  omr_excite *e = search_of(study);
  cr_assert_eq(e->count, 14);
  for (size_t i = 0; i < e->count; i++) {
    cr_expect_float_eq(e->tried[i].criterion, log(1 + square), 1e-9, "%zu: %.17g, not %.17g", i,
                       e->tried[i].criterion, log(1 + square));
    cr_expect_float_eq(e->tried[i].left[0], 1 / (1 + square), 1e-9);
    cr_expect_eq(e->tried[i].failed, 0);
  }
  cr_expect_float_eq(e->singular[0], sqrt(square), 1e-8);
  omr_excite_destroy(e);
  omr_study_destroy(study);
}

#define TURNED(BACKEND)                                                                            \
  "'data': {'measured': [{'sample': 'x', 'noise': 0.003}, {'sample': 'z', 'noise': 0.003}, "       \
  "{'sample': 'yaw', 'noise': 0.005}], 'interval': 0.05}, 'vary': [{'path': "                      \
  "'platform.yaw_inertia', 'normal': [0.08, 0.02]}], 'excite': {'speed': 0.5, 'yaw_rate': 2, "     \
  "'acceleration': 3, 'yaw_acceleration': 12, 'tries': 12, 'draws': 2, 'rounds': 1, 'seed': 5}, "  \
  "'engine': {'precision': 'double', " BACKEND "}"

static double most_yaw(const omr_excite *e) {
  const size_t rows = omr_manoeuvre_rows(&e->limits);
  double *table = calloc(rows * OMR_MANOEUVRE_COLUMNS, sizeof *table), most = 0;
  cr_assert_not_null(table);
  omr_manoeuvre_lay(&e->tried[e->best].manoeuvre, &e->limits, table);
  for (size_t k = 0; k < rows; k++) most = fmax(most, fabs(table[k * OMR_MANOEUVRE_COLUMNS + 3]));
  free(table);
  return most;
}

/* The inertia about the upright axis is told by what turns, and by nothing else of a vehicle that
 * is the same to both sides. */
Test(excite, a_parameter_that_turning_shows_is_turned_for) {
  omr_study *study = study_of(TURNED("'backend': 'scalar'"));
  omr_excite *e = search_of(study);
  const double best = e->tried[e->best].criterion;
  cr_expect_gt(most_yaw(e), 1);
  cr_expect_gt(best, 3, "%g", best);
  cr_expect_lt(e->ahead.criterion, 0.2 * best, "straight ahead: %g", e->ahead.criterion);
  cr_expect_geq(best, e->tried[e->median].criterion);
  cr_expect_geq(e->tried[e->median].criterion, e->tried[e->worst].criterion);
  for (size_t k = 0; k < e->count; k++) cr_expect_leq(e->tried[k].criterion, best);
  omr_excite_destroy(e);
  omr_study_destroy(study);
}

Test(excite, tells_the_same_bits_on_one_thread_and_on_two) {
  omr_study *one = study_of(TURNED("'backend': 'openmp', 'threads': 1")),
            *two = study_of(TURNED("'backend': 'openmp', 'threads': 2"));
  omr_excite *a = search_of(one), *b = search_of(two);
  for (size_t k = 0; k < a->count; k++) {
    cr_expect_eq(a->tried[k].criterion, b->tried[k].criterion, "%zu", k);
    cr_expect_eq(memcmp(&a->tried[k].manoeuvre, &b->tried[k].manoeuvre, sizeof(omr_manoeuvre)), 0);
  }
  omr_excite_destroy(a);
  omr_excite_destroy(b);
  omr_study_destroy(one);
  omr_study_destroy(two);
}

/* ---- the file */

static void residuals_of(const omr_excite *e, const char *command, double *residuals) {
  const omr_run_options options = {.size = sizeof options};
  const double median = 0;
  omr_forward forward;
  omr_error error = {0};
  bool good;
  cr_assert_eq(omr_forward_plan(e->study, &e->layout, &command, 1, &forward, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(forward.data, 60);
  cr_assert_eq(
      omr_forward_run_members(&forward, &median, 1, &options, residuals, NULL, &good, &error),
      OMR_OK);
  cr_assert(good);
  omr_forward_free(&forward);
}

/* A study that replays the file drives what was tried. */
Test(excite, the_file_is_a_command_to_replay) {
  static char command[1 << 17];
  double tried[60], replayed[60], largest = 0;
  char *json;
  omr_error error = {0};
  omr_study *study = study_of(TURNED("'backend': 'scalar'"));
  omr_excite *e = search_of(study);
  cr_assert_eq(omr_excite_write(e, "m.csv", &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_excite_json(e, &json, &error), OMR_OK, "%s", error.message);
  const char *start = strstr(json, "\"command\":");
  cr_assert_not_null(start);
  snprintf(command, sizeof command, "parameters.command=%s", start + strlen("\"command\":"));
  *strrchr(command, '}') = 0; /* that of the whole */
  residuals_of(e, command, tried);
  residuals_of(e, "parameters.command={\"type\": \"replay\", \"replay\": {\"file\": \"m.csv\"}}",
               replayed);
  for (size_t k = 0; k < 60; k++) {
    cr_expect_float_eq(replayed[k], tried[k], 1e-6, "%zu: %g, not %g", k, replayed[k], tried[k]);
    largest = fmax(largest, fabs(tried[k]));
  }
  cr_expect_gt(largest, 10); /* in units of the noise: it does move */
  omr_text_destroy(json);
  omr_excite_destroy(e);
  omr_study_destroy(study);
}
