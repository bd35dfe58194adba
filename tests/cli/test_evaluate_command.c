/* omniroll evaluate: the numbers are those of a run, by every way to them; candidates that are no
 * vehicle are told, and leave the others as they are. */
#include "evaluated.h"

static void start_up(void) {
  set_up();
  write_file("s.json", CANDIDATE_STUDY);
}

TestSuite(evaluate, .init = start_up, .fini = tear_down, .timeout = 120);

enum { DRAWS = 8, CANDIDATES = 3 };

/* NUMBERS */

static int by_size(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

typedef struct moments {
  double mean, deviation, quantile, smallest; /* quantile 0.3 of 8: between the 3rd and the 4th */
} moments;

static moments moments_of(const double *x) {
  moments m = {0};
  double sorted[DRAWS];
  for (int k = 0; k < DRAWS; k++) m.mean += x[k] / DRAWS;
  for (int k = 0; k < DRAWS; k++) m.deviation += (x[k] - m.mean) * (x[k] - m.mean) / (DRAWS - 1);
  m.deviation = sqrt(m.deviation);
  memcpy(sorted, x, sizeof sorted);
  qsort(sorted, DRAWS, sizeof *sorted, by_size);
  m.smallest = sorted[0];
  m.quantile = sorted[2] + 0.1 * (sorted[3] - sorted[2]); /* 0.3 * 7 = 2.1 */
  return m;
}

/* The columns of the run's file that the goals read, by candidate. */
static void read_columns(double (*shaking)[DRAWS], double (*way)[DRAWS], double (*slip)[DRAWS]) {
  expect(OMNIROLL("export", "r.h5", "--columns", "vibration_rms,path_length,max_slip"), OMR_OK);
  const char *line = strchr(last.out, '\n');
  for (int k = 0; k < CANDIDATES * DRAWS; k++) {
    cr_assert(line && line[1], "line %d", k);
    cr_assert_eq(sscanf(line, "%*d,%lf,%lf,%lf", &shaking[k / DRAWS][k % DRAWS],
                        &way[k / DRAWS][k % DRAWS], &slip[k / DRAWS][k % DRAWS]),
                 3);
    line = strchr(line + 1, '\n');
  }
}

/* Values of a plain `run` of the same study, put together here. t of 7 degrees of freedom is
 * 2.364624 (Abramowitz and Stegun, table 26.10). */
Test(evaluate, values_are_those_of_the_vehicles_of_a_run) {
  double shaking[CANDIDATES][DRAWS], way[CANDIDATES][DRAWS], slip[CANDIDATES][DRAWS];
  expect(OMNIROLL("run", "s.json", "-o", "r.h5", "-q"), OMR_OK);
  read_columns(shaking, way, slip);
  cJSON *e = EVALUATED("s.json");
  const int best = (int)number_at(e, "best", 0, -1);
  cr_assert(best >= 0 && best < CANDIDATES);
  for (int i = 0; i < CANDIDATES; i++) {
    const moments m = moments_of(shaking[i]), w = moments_of(way[i]);
    int slips = 0;
    for (int k = 0; k < DRAWS; k++) slips += slip[i][k] > 0.03;
    cr_expect_float_eq(number_at(e, "values", i, 0), m.mean, 1e-12);
    cr_expect_float_eq(number_at(e, "high", i, 0) - m.mean, 2.364624 * m.deviation / sqrt(DRAWS),
                       1e-6 * m.deviation);
    cr_expect_float_eq(number_at(e, "values", i, 1), w.quantile + 0.1 * w.smallest, 1e-12);
    cr_expect_eq(number_at(e, "constraint_values", i, 0), slips / (double)DRAWS);
    cr_expect_float_eq(number_at(e, "constraint_values", i, 1), m.deviation / m.mean, 1e-12);
    cr_expect_float_eq(number_at(e, "margins", i, 0), 0.6 - slips / (double)DRAWS, 1e-12);
    cr_expect_eq(number_at(e, "feasible", i, -1),
                 slips <= 0.6 * DRAWS && m.deviation < 0.8 * m.mean);
    cr_expect_float_eq(
        number_at(e, "holds", i, -1),
        number_at(e, "constraint_holds", i, 0) * number_at(e, "constraint_holds", i, 1), 1e-12);

    /* By pairs of the same draws. */
    double apart[DRAWS];
    for (int k = 0; k < DRAWS; k++) apart[k] = shaking[i][k] - shaking[best][k];
    const moments d = moments_of(apart);
    cr_expect_float_eq(number_at(e, "difference", i, 0), d.mean, 1e-12);
    cr_expect_float_eq(number_at(e, "difference_high", i, 0),
                       d.mean + 2.364624 * d.deviation / sqrt(DRAWS), 1e-6 * m.mean);
    cr_expect_leq(d.mean, i == best ? 0.0 : HUGE_VAL);
    cr_expect(i == best || number_at(e, "feasible", i, -1) == 0 || d.mean > 0);
  }
  cJSON_Delete(e);
}

/* The study's own vehicle, where it has no rows; and a candidate that draws nothing. */
Test(evaluate, one_vehicle_has_values_without_intervals) {
  cJSON *e = EVALUATED("s.json", "--set", "vary=[]", "--set",
                       "design={\"type\": \"candidates\", \"paths\": [\"wheel.rollers\"], "
                       "\"rows\": [[9], [12]]}");
  cr_expect_eq(number_at(e, "draws", 0, -1), 1);
  for (int i = 0; i < 2; i++) {
    cr_expect_eq(number_at(e, "low", i, 0), number_at(e, "values", i, 0));
    cr_expect_eq(number_at(e, "high", i, 0), number_at(e, "values", i, 0));
  }
  cJSON_Delete(e);
  cJSON *own = EVALUATED("s.json", "--set", "design.rows=null", "--set", "design.paths=null"),
        *row = EVALUATED("s.json", ROWS_OF("[\"wheel.rollers\"]", "[[9]]"));
  cr_expect_eq(cJSON_GetArraySize(member(own, "rows")), 1);
  expect_candidate(own, 0, row, 0);
  cJSON_Delete(own);
  cJSON_Delete(row);
}

/* BITS */

Test(evaluate, every_backend_and_any_number_of_threads_give_the_same) {
  cJSON *one = EVALUATED("s.json", "--threads", "1");
  static const char *const others[][2] = {{"engine.threads=2", "engine.chunk=5"},
                                          {"engine.backend=scalar", "engine.threads=1"},
                                          {"engine.lanes=4", "engine.compile=never"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    cJSON *other = EVALUATED("s.json", "--set", others[i][0], "--set", others[i][1]);
    expect_same_evaluation(others[i][0], one, other, NULL);
    cJSON_Delete(other);
  }
  const bool tried = !short_form();
  if (tried && EVALUATE("s.json", "--backend", "opencl")->code == OMR_ERR_DEVICE) {
    skip_part("no OpenCL device");
  } else if (tried) {
    cJSON *device = evaluation_of(&last);
    expect_same_evaluation("opencl", one, device, NULL);
    cJSON_Delete(device);
  }
  cJSON_Delete(one);
}

/* CANDIDATES THAT ARE NO VEHICLE */

#define GOOD_ROWS "[6, \"45 deg\"], [9, \"45 deg\"], [12, \"30 deg\"]"

/* 9.5 rollers are refused with the study's row; 40 of them run into each other. */
Test(evaluate, what_is_no_vehicle_is_told_and_harms_no_neighbour) {
  cJSON *good = EVALUATED("s.json"),
        *e =
            EVALUATED("s.json", "--set",
                      "design.rows=[[9.5, \"45 deg\"], [6, \"45 deg\"], [40, \"45 deg\"], [9, \"45 "
                      "deg\"], [9, \"200 deg\"], [12, \"30 deg\"]]");
  expect(&last, OMR_OK);
  static const int kept[] = {1, 3, 5};
  for (int i = 0; i < CANDIDATES; i++) {
    expect_candidate(good, i, e, kept[i]);
    for (int o = 0; o < 2; o++) {
      cr_expect_eq(number_at(good, "difference", i, o), number_at(e, "difference", kept[i], o));
      cr_expect_eq(number_at(good, "difference_low", i, 0),
                   number_at(e, "difference_low", kept[i], 0));
    }
  }
  expect_text(status_at(e, 0), "refused: rollers is 9.5; it must be a whole number");
  expect_text(status_at(e, 2), "all failed: invalid_parameters (wheels[0]: neighbouring rollers");
  expect_text(status_at(e, 4), "refused: ");
  expect_text(status_at(e, 4), "inclination");
  for (int i = 0; i < 6; i += 2) {
    cr_expect(isnan(number_at(e, "values", i, 0)) && number_at(e, "feasible", i, -1) == 0);
    cr_expect(number_at(e, "front", i, -1) == 0 && isnan(number_at(e, "difference", i, 0)));
  }
  cr_expect_eq(number_at(e, "draws", 0, -1), 0);
  cr_expect_eq(number_at(e, "failed", 2, -1), 1);
  cJSON_Delete(e);
  cJSON_Delete(good);
}

/* People read the same reasons. */
Test(evaluate, the_screen_tells_the_reasons) {
  expect(OMNIROLL("evaluate", "s.json", "-q", "--set",
                  "design.rows=[[9.5, \"45 deg\"], [9, \"45 deg\"], [40, \"45 deg\"]]"),
         OMR_OK);
  expect_text(last.out, "3 candidates of 8 vehicles");
  expect_text(last.out, "1 refused, 1 without a value");
  expect_text(last.out, "0 refused: rollers is 9.5");
  expect_text(last.out, "2 all failed: invalid_parameters (wheels[0]: neighbouring rollers");
}

Test(evaluate, where_every_vehicle_fails_each_has_its_reason_and_none_is_best) {
  cJSON *e = EVALUATED("s.json", "--set", "design.rows=[[40, \"45 deg\"], [50, \"45 deg\"]]");
  cr_expect(isnan(number_at(e, "best", 0, -1)) && isnan(number_at(e, "best", 1, -1)));
  for (int i = 0; i < 2; i++) {
    expect_text(status_at(e, i), "all failed: invalid_parameters");
    cr_expect(isnan(number_at(e, "difference", i, 0)));
  }
  cJSON_Delete(e);
  e = EVALUATED("s.json", "--set", "design.rows=[[9.5, \"45 deg\"], [2, \"45 deg\"]]");
  for (int i = 0; i < 2; i++) expect_text(status_at(e, i), "refused: rollers is ");
  cJSON_Delete(e);
}

/* A vehicle that leaves the floor fails; the share that may is statistics.failed_limit. */
Test(evaluate, a_share_of_failures_makes_a_candidate_infeasible) {
  cJSON *e = EVALUATED("s.json", "--set",
                       "vary[1]={\"path\": \"platform.center_of_mass.height\", "
                       "\"uniform\": [\"10 cm\", \"4 m\"]}");
  cr_expect_gt(number_at(e, "failed", 0, -1), 0);
  cr_expect_lt(number_at(e, "failed", 0, -1), 1);
  cr_expect(number_at(e, "feasible", 0, -1) == 0);
  expect_text(status_at(e, 0), " of 8 failed: ");
  expect_text(status_at(e, 0), "lifted");
  cr_expect(isfinite(number_at(e, "values", 0, 0)));
  cJSON_Delete(e);
}

/* WORDS */

#define LAWS(a, b, rows)                                                                           \
  ROWS_OF("[\"contact.law\", \"layout.type\", \"wheel.rollers\"]",                                 \
          "[[\"" a "\", \"rectangle\", 9], [\"" b "\", \"rectangle\", 9], [\"" a                   \
          "\", \"rectangle\", 6], [\"" b "\", \"rectangle\", 6]" rows "]")
#define SATURATED "saturated_coulomb"
#define REGULARIZED "regularized_coulomb"

/* Each is what the study is with these words. */
Test(evaluate, candidates_may_have_words_of_their_own) {
  cJSON *e = EVALUATED("s.json", LAWS(SATURATED, REGULARIZED, "")),
        *one = EVALUATED("s.json", ROWS_OF("[\"wheel.rollers\"]", "[[9], [6]]"), "--set",
                         "parameters.contact.law=" SATURATED),
        *other = EVALUATED("s.json", ROWS_OF("[\"wheel.rollers\"]", "[[9], [6]]"), "--set",
                           "parameters.contact.law=" REGULARIZED);
  for (int i = 0; i < 2; i++) {
    expect_candidate(one, i, e, 2 * i);
    expect_candidate(other, i, e, 2 * i + 1);
  }
  cr_expect_neq(number_at(e, "values", 0, 0), number_at(e, "values", 1, 0));

  /* The differences are of the same draws: an interval of the pairs, not of two samples. */
  const double apart = number_at(e, "difference_high", 0, 0) - number_at(e, "difference", 0, 0);
  cr_expect(apart == 0 || apart < number_at(e, "high", 0, 0) - number_at(e, "values", 0, 0));
  cJSON_Delete(e);
  cJSON_Delete(one);
  cJSON_Delete(other);
}

Test(evaluate, words_that_do_not_go_together_refuse_their_candidates_alone) {
  cJSON *good = EVALUATED("s.json", LAWS(SATURATED, REGULARIZED, "")),
        *e = EVALUATED("s.json", LAWS(SATURATED, REGULARIZED,
                                      ", [\"no_such_law\", \"rectangle\", 9], "
                                      "[\"" SATURATED "\", \"ring\", 9]"));
  for (int i = 0; i < 4; i++) expect_candidate(good, i, e, i);
  expect_text(status_at(e, 4), "refused: ");
  expect_text(status_at(e, 4), "no_such_law");
  expect_text(status_at(e, 5), "refused: ");
  cJSON_Delete(e);
  cJSON_Delete(good);
}

/* FILES OF CANDIDATES */

Test(evaluate, candidates_of_a_file_take_the_place_of_the_rows) {
  write_file("c.csv", "wheel.rollers,wheel.inclination [deg]\n6,45\n9,45\n12,30\n");
  cJSON *one = EVALUATED("s.json"), *other = EVALUATED("s.json", "--candidates", "c.csv"),
        *named = EVALUATED("s.json", "--set", "design.rows=null", "--set", "design.paths=null",
                           "--set", "design.file=c.csv");
  expect_same_evaluation("--candidates", one, other, "rows");
  expect_same_evaluation("design.file", one, named, "rows");
  cJSON_Delete(other);
  cJSON_Delete(named);
  cJSON_Delete(one);
  write_file("w.csv",
             "contact.law,layout.type,wheel.rollers\n" SATURATED ",rectangle,9\n" REGULARIZED
             ",rectangle,9\n" SATURATED ",rectangle,6\n" REGULARIZED ",rectangle,6\n");
  one = EVALUATED("s.json", LAWS(SATURATED, REGULARIZED, ""));
  other = EVALUATED("s.json", "--candidates", "w.csv");
  expect_same_evaluation("words of a file", one, other, NULL);
  cJSON_Delete(one);
  cJSON_Delete(other);
}

Test(evaluate, a_file_that_is_no_table_is_refused_with_its_line) {
  static const char *const texts[][2] = {
      {"wheel.rollers,wheel.inclination [deg]\n6,45\n9\n", "c.csv:3: has 1 fields"},
      {"wheel.rollers\n", "has a header but no rows"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    write_file("c.csv", texts[i][0]);
    expect(EVALUATE("s.json", "--candidates", "c.csv"), OMR_ERR_STUDY);
    expect_text(last.err, texts[i][1]);
    cr_expect_str_eq(last.out, "");
  }
  write_file("c.csv", "wheel.rolers\n6\n");
  cJSON *e = EVALUATED("s.json", "--candidates", "c.csv");
  expect_text(status_at(e, 0), "did you mean \"wheel.rollers\"?");
  cJSON_Delete(e);
  expect(EVALUATE("s.json", "--candidates", "none.csv"), OMR_ERR_IO);
  expect(EVALUATE("s.json", "--candidates", "."), OMR_ERR_IO);
  expect_text(last.err, "is no plain file");
}

/* THE SCREEN */

static size_t widest_line(const char *text, size_t *lines) {
  size_t widest = 0;
  *lines = 0;
  for (; *text; text += strcspn(text, "\n"), text += *text != '\0') {
    size_t width = 0;
    for (const char *c = text; *c && *c != '\n'; c++) width += (*c & 0xc0) != 0x80;
    widest = width > widest ? width : widest;
    ++*lines;
  }
  return widest;
}

/* 30 candidates, long names, five goals, and reasons: 25 lines of 80 columns. */
Test(evaluate, a_screen_has_25_lines_of_80_columns) {
  char *text = NULL;
  size_t size = 0, lines;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "design.rows=[[9.5, 0.7], [40, 0.7]");
  for (int i = 0; i < 28; i++) fprintf(out, ", [%d, %.3f]", 6 + i % 6, 0.6 + 0.01 * i);
  fprintf(out, "]");
  fclose(out);
  expect(OMNIROLL("evaluate", "s.json", "-q", "--set", text, "--set",
                  "objectives.a_name_of_an_objective_that_is_as_long_as_it_may={\"maximize\": "
                  "\"quantile(final_z, 5 %) - 2 * deviation(final_z)\"}",
                  "--set", "constraints.one_more=largest(max_deviation) < 10 cm", "--set",
                  "design.per_cell=2"),
         OMR_OK);
  cr_expect_leq(widest_line(last.out, &lines), 80u, "%s", last.out);
  cr_expect_leq(lines, 25u, "%zu lines: %s", lines, last.out);
  expect_text(last.out, "22 more candidates: --verbose, --json");
  expect_text(last.out, "holds");
  expect(OMNIROLL("evaluate", "s.json", "-v", "--set", text, "--set", "design.per_cell=2"), OMR_OK);
  widest_line(last.out, &lines);
  cr_expect_gt(lines, 32u);
  free(text);
}

/* "~" stands beside candidates whose difference from the best one may be chance. */
Test(evaluate, a_candidate_like_the_best_is_marked) {
  expect(OMNIROLL("evaluate", "s.json", "-q", "--set", "constraints=null", "--set",
                  "design.rows=[[9, \"45 deg\"], [9, \"45.0001 deg\"], [5, \"45 deg\"]]"),
         OMR_OK);
  expect_text(last.out, " best ");
  const char *mark = strstr(last.out, " ~ ");
  cr_expect(mark && !strstr(mark + 1, "\n  2 ~"), "%s", last.out);
  cr_expect_null(strstr(last.out, "\n  2 ~"));
}

/* The interval is of the confidence that the study asks for. */
Test(evaluate, the_confidence_of_the_study_is_told) {
  cJSON *e = EVALUATED("s.json"),
        *wide = EVALUATED("s.json", "--set", "statistics.confidence=0.99");
  /* t of 7 degrees: 3.499483 for 0.99, 2.364624 for 0.95 */
  for (int i = 0; i < CANDIDATES; i++)
    cr_expect_float_eq((number_at(wide, "high", i, 0) - number_at(wide, "values", i, 0)) /
                           (number_at(e, "high", i, 0) - number_at(e, "values", i, 0)),
                       3.499483 / 2.364624, 1e-5);
  cJSON_Delete(e);
  cJSON_Delete(wide);
  expect(OMNIROLL("evaluate", "s.json", "-q", "--set", "statistics.confidence=0.99"), OMR_OK);
  expect_text(last.out, "99 % intervals");
  expect(OMNIROLL("evaluate", "s.json", "-q"), OMR_OK);
  expect_text(last.out, "95 % intervals");
}

/* USE */

Test(evaluate, what_it_cannot_evaluate_is_refused_with_a_remedy) {
  expect(EVALUATE("short.json"), OMR_ERR_STUDY);
  expect_text(last.err, "\"type\": \"candidates\"");
  expect(EVALUATE("s.json", "--set", "objectives=null", "--set", "constraints=null"),
         OMR_ERR_STUDY);
  expect_text(last.err, "add \"objectives\"");
  expect(EVALUATE("s.json", "short.json"), OMR_ERR_USAGE);
  expect_text(last.err, "one study, or results");
  expect(EVALUATE("none.json"), OMR_ERR_IO);
  write_file("found.json", "{\"format\": \"omniroll optimum 1\", \"best\": {}}");
  expect(EVALUATE("found.json"), OMR_ERR_STUDY);
  expect_text(last.err, "and no study");
  expect(EVALUATE("s.json", "--set", "constraints.failed=\"mean(max_slip) < 1 m/s\""),
         OMR_ERR_STUDY);
  expect_text(last.err, "choose another name");
  expect(OMNIROLL("run", "short.json", "-o", "short.h5", "-q"), OMR_OK);
  expect(EVALUATE("short.h5"), OMR_ERR_STUDY);
  expect_text(last.err, "\"type\": \"candidates\"");
  cr_expect_str_eq(last.out, "");
}

Test(evaluate, the_remedies_of_its_refusals_are_taken) {
  expect(EVALUATE("short.json", "--set",
                  "design={\"type\": \"candidates\", \"variables\": [{\"path\": \"wheel.rollers\", "
                  "\"integer\": [5, 16]}]}",
                  "--set", "objectives={\"shaking\": {\"minimize\": \"mean(vibration_rms)\"}}"),
         OMR_OK);
}
