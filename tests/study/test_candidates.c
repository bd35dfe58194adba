/* Designs of candidates: each has the sample that a nested design of the same numbers has, whether
 * its rows stand in the study or in a file; points of a posterior are the same for each. */
#include "read_study.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST = 12, PER_CELL = 16, CANDIDATES = 3 };

static char folder[64];

static void set_up(void) {
  snprintf(folder, sizeof folder, "/tmp/omniroll-candidates-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert_eq(system(command), 0);
}

TestSuite(candidates, .init = set_up, .fini = tear_down);

static void write_text(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  cr_assert_eq(fclose(file), 0);
}

/* The value of a varied parameter in instance k. */
static double value_at(const omr_study *study, size_t k, const char *path) {
  omr_values values;
  double row[MOST];
  cr_assert_leq(study->variation_count, (size_t)MOST);
  omr_study_values(study, k, &values, row);
  for (size_t v = 0; v < study->variation_count; v++)
    if (strcmp(study->variations[v].path, path) == 0) return row[v];
  cr_assert(false, "%s is not varied", path);
  return 0;
}

static bool same_bits(double x, double y) {
  return memcmp(&x, &y, sizeof x) == 0;
}

#define DRAWN                                                                                      \
  "{'path': 'wheel.friction', 'beta': [2, 3, 0.1, 0.6]}, {'path': 'platform.mass', 'normal': "     \
  "['20 kg', '2 kg']}, {'path': 'wheel.error.radius', 'uniform': ['-0.2 mm', '0.2 mm'], 'each': "  \
  "true}"
#define ROWS "'paths': ['wheel.inclination'], 'rows': [[0], ['20 deg'], [0.7]]"
/* Behind the others, since Monte Carlo draws by the place in "vary". */
#define LEVELS ", {'path': 'wheel.inclination', 'values': [0, '20 deg', 0.7]}"
static const char *const drawn_paths[] = {"wheel.friction", "platform.mass",
                                          "wheels[0].error.radius", "wheels[2].error.radius"};

static omr_study *with_design(const char *levels, const char *design, const char *rest) {
  char text[2048];
  snprintf(text, sizeof text,
           "{'model': 'omni_vehicle', " TIMES ", 'vary': [" DRAWN "%s], 'design': {%s, %s}}",
           levels, design, rest);
  return read_study(text);
}

Test(candidates, each_has_the_sample_of_a_nested_design) {
  static const char *const samples[] = {"sobol", "latin_hypercube", "monte_carlo", "halton"};
  static const char *const common[] = {"true", "false"};
  for (int s = 0; s < 4; s++)
    for (int c = 0; c < 2; c++) {
      char rest[200];
      snprintf(rest, sizeof rest,
               "'sample': '%s', 'per_cell': 16, 'seed': 5, 'common_random_numbers': %s", samples[s],
               common[c]);
      omr_study *one = with_design("", "'type': 'candidates', " ROWS, rest),
                *other = with_design(LEVELS, "'type': 'nested'", rest);
      cr_assert_eq(one->instances, (size_t)CANDIDATES * PER_CELL);
      cr_assert_eq(other->instances, one->instances);
      for (size_t k = 0; k < one->instances; k++) {
        cr_expect(same_bits(value_at(one, k, "wheel.inclination"),
                            value_at(other, k, "wheel.inclination")),
                  "%s, %zu", samples[s], k);
        for (int p = 0; p < 4; p++) {
          const double value = value_at(one, k, drawn_paths[p]);
          cr_expect(same_bits(value, value_at(other, k, drawn_paths[p])), "%s, common %s, %zu: %s",
                    samples[s], common[c], k, drawn_paths[p]);
          cr_expect_eq(same_bits(value, value_at(one, k % PER_CELL, drawn_paths[p])),
                       c == 0 || k < PER_CELL, "%s, common %s, %zu", samples[s], common[c], k);
        }
      }
      omr_study_destroy(one);
      omr_study_destroy(other);
    }
}

/* The correlation joins the drawn parameters, whichever are listed. */
Test(candidates, their_sample_may_be_correlated) {
  static const char rest[] = "'sample': 'sobol', 'per_cell': 16, 'seed': 5, 'correlation': "
                             "[{'paths': ['wheel.friction', 'platform.mass'], 'rank': 0.7}]";
  omr_study *one = with_design("", "'type': 'candidates', " ROWS, rest),
            *other = with_design(LEVELS, "'type': 'nested'", rest);
  for (size_t k = 0; k < one->instances; k++)
    for (int p = 0; p < 4; p++)
      cr_expect(same_bits(value_at(one, k, drawn_paths[p]), value_at(other, k, drawn_paths[p])));
  omr_study_destroy(one);
  omr_study_destroy(other);
}

#define SAMPLE "'sample': 'sobol', 'per_cell': 4, 'seed': 2"
#define V_VARY(design)                                                                             \
  V("'layout': {'type': 'rectangle', 'mecanum': true}",                                            \
    ", 'vary': [{'path': 'platform.mass', 'normal': ['20 kg', '2 kg']}], 'design': {'type': "      \
    "'candidates', " SAMPLE ", " design "}")

static void expect_alike(omr_study *one, omr_study *other) {
  cr_assert_eq(one->instances, other->instances);
  static const char *const paths[] = {"wheel.rollers", "wheel.inclination", "wheel.friction",
                                      "platform.mass"};
  for (size_t k = 0; k < one->instances; k++)
    for (int p = 0; p < 4; p++)
      cr_expect(same_bits(value_at(one, k, paths[p]), value_at(other, k, paths[p])), "%zu %s", k,
                paths[p]);
}

/* 12 deg of a header are "12 deg" of a row; quotes, blanks, and names of a result's columns. */
Test(candidates, rows_of_a_file_are_those_of_the_study) {
  write_text("rows.csv", "instance,wheel.rollers,wheel0_inclination [deg],\"wheel.friction\"\r\n"
                         "0,9,45,0.5\r\n1, 12 ,30,5e-1\n2,7,\"45\",0.25\n");
  omr_study *inline_rows = read_study(
      V_VARY("'paths': ['wheel.rollers', 'wheels[0].inclination', 'wheel.friction'], 'rows': "
             "[[9, '45 deg', 0.5], [12, '30 deg', 0.5], [7, '45 deg', 0.25]]"));
  omr_study *file = read_study(V_VARY("'file': 'rows.csv'"));
  cr_assert_eq(inline_rows->instances, file->instances);
  for (size_t k = 0; k < file->instances; k++)
    for (size_t v = 0; v < file->variation_count; v++) {
      const char *path = file->variations[v].path;
      cr_expect(same_bits(value_at(file, k, path), value_at(inline_rows, k, path)), "%zu %s", k,
                path);
    }

  /* What is kept with a result has the rows, and needs no file. */
  cr_assert_eq(unlink("rows.csv"), 0);
  omr_error error = {0};
  omr_study *again = NULL;
  cr_assert_eq(omr_study_parse(file->text, "s.json", NULL, 0, &again, &error), OMR_OK, "%s",
               error.message);
  cr_expect_str_eq(again->text, file->text);
  cr_expect_str_eq(again->hash, file->hash);
  omr_study_destroy(again);
  omr_study_destroy(file);
  omr_study_destroy(inline_rows);
}

/* Without paths the columns are the variables; without rows the study's vehicle is the one. */
Test(candidates, rows_are_of_the_variables_where_no_paths_are_given) {
#define VARIABLES                                                                                  \
  "'variables': [{'path': 'wheel.rollers', 'integer': [5, 14]}, {'path': 'wheel.inclination', "    \
  "'between': ['25 deg', '65 deg']}, {'path': 'wheel.friction', 'values': [0.25, '50 %']}]"
  omr_study *one = read_study(V_VARY(VARIABLES ", 'rows': [[9, '45 deg', 0.5]]")),
            *other = read_study(V_VARY("'paths': ['wheel.rollers', 'wheel.inclination', "
                                       "'wheel.friction'], 'rows': [[9, '45 deg', 0.5]]")),
            *base = read_study(V_VARY(VARIABLES));
  expect_alike(one, other);
  cr_expect_eq(base->instances, 4u);
  cr_expect_eq(base->candidates.count, 1u);
  cr_expect_eq(base->variation_count, 1u);

  /* What may be of them: bounds in SI units; of listed values their number. */
  const omr_candidate_variable *v = base->candidates.variables;
  cr_assert_eq(base->candidates.variable_count, 3u);
  cr_expect(v[0].whole && v[0].low == 5 && v[0].high == 14 && !v[0].words);
  cr_expect(!v[1].whole && strcmp(v[1].unit, "rad") == 0);
  cr_expect_float_eq(v[1].low, 25 * atan(1) / 45, 1e-15);
  cr_expect_float_eq(v[1].high, 65 * atan(1) / 45, 1e-15);
  cr_expect(v[2].whole && v[2].low == 0 && v[2].high == 1 && v[2].word_count == 2);
  cr_expect_str_eq(v[2].words[0], "0.25");
  cr_expect_str_eq(v[2].words[1], "50 %");
  omr_study_destroy(one);
  omr_study_destroy(other);
  omr_study_destroy(base);
}

Test(candidates, of_words_are_variables_too) {
  omr_study *study = read_study(
      V("", ", 'design': {'type': 'candidates', 'variables': [{'path': 'contact.law', 'values': "
            "['saturated_coulomb', 'regularized_coulomb']}, {'path': 'wheel.friction', 'between': "
            "[0.1, 0.5]}]}"));
  const omr_candidate_variable *v = study->candidates.variables;
  cr_expect(v[0].whole && v[0].low == 0 && v[0].high == 1);
  cr_expect_str_eq(v[0].words[1], "regularized_coulomb");
  cr_expect_eq(study->instances, 1u);
  omr_study_destroy(study);
}

/* Rows of a file of omniroll calibrate: mass 10 + r and friction 0.1 + r/100 in row r. */
#define POSTERIOR "'posterior': 'points.csv', 'per_cell': 8, 'seed': 4"

static void write_points(void) {
  omr_text text = {0};
  omr_text_print(&text, "platform.mass,wheel.friction\n");
  for (int r = 0; r < 50; r++) omr_text_print(&text, "%d,%.2f\n", 10 + r, 0.1 + r / 100.0);
  write_text("points.csv", text.data);
  omr_text_free(&text);
}

static omr_study *with_posterior(const char *more) {
  char text[1024];
  snprintf(text, sizeof text,
           "{'model': 'omni_vehicle', " TIMES ", 'design': {'type': 'candidates', 'paths': "
           "['wheel.inclination'], 'rows': [[0], [0.2], [0.4]], " POSTERIOR "%s",
           more);
  return read_study(text);
}

static void expect_points(const omr_study *study) {
  bool several = false;
  cr_assert_eq(study->instances, 24u);
  for (size_t k = 0; k < study->instances; k++) {
    const double mass = value_at(study, k, "platform.mass"),
                 friction = value_at(study, k, "wheel.friction");
    cr_expect_eq(mass, floor(mass));
    cr_expect_float_eq(friction, 0.1 + (mass - 10) / 100, 1e-12, "%zu: not of one row", k);
    cr_expect_eq(value_at(study, k, "wheel.inclination"), (double)(k / 8) * 0.2);
    cr_expect_eq(mass, value_at(study, k % 8, "platform.mass"));
    several = several || mass != value_at(study, 0, "platform.mass");
  }
  cr_expect(several);
}

Test(candidates, points_of_a_posterior_are_the_same_for_each) {
  write_points();
  omr_study *study = with_posterior("}}"), *other;
  expect_points(study);

  /* The study that a result keeps has the points. */
  cr_assert_eq(unlink("points.csv"), 0);
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(study->text, "s.json", NULL, 0, &other, &error), OMR_OK, "%s",
               error.message);
  expect_points(other);
  for (size_t k = 0; k < 24; k++)
    cr_expect(
        same_bits(value_at(study, k, "wheel.friction"), value_at(other, k, "wheel.friction")));
  omr_study_destroy(other);
  omr_study_destroy(study);
}

/* What is drawn beside the points has the sample of the design without them. */
Test(candidates, a_sample_may_stand_beside_a_posterior) {
#define BESIDE ", 'sample': 'sobol'}, 'vary': [{'path': 'gravity', 'uniform': [9, 10]}]}"
  write_points();
  omr_study *study = with_posterior(BESIDE),
            *alone = read_study("{'model': 'omni_vehicle', " TIMES
                                ", 'design': {'type': 'sobol', 'instances': 8, 'seed': 4}, "
                                "'vary': [{'path': 'gravity', 'uniform': [9, 10]}]}");
  expect_points(study);
  for (size_t k = 0; k < study->instances; k++)
    cr_expect(same_bits(value_at(study, k, "gravity"), value_at(alone, k % 8, "gravity")));
  omr_study_destroy(study);
  omr_study_destroy(alone);
}
