/* omniroll evaluate with files: killed, in shards, evaluated again, and what the other commands
 * make of such a result. */
#include "campaign.h"
#include "tests/cli/evaluated.h"

static void start_up(void) {
  set_up_campaign();
  write_file("s.json", CANDIDATE_STUDY);
}

TestSuite(evaluate_files, .init = start_up, .fini = tear_down, .timeout = 120);

/* 24 vehicles in chunks of 5, so that candidates are cut. */
#define CHUNKED "--set", "engine.chunk=5"
#define WORDS                                                                                      \
  ROWS_OF("[\"contact.law\", \"wheel.rollers\"]",                                                  \
          "[[\"saturated_coulomb\", 9], [\"regularized_coulomb\", 9], [\"saturated_coulomb\", "    \
          "6], [\"regularized_coulomb\", 12]]")

static cJSON *evaluated_again(const char *first, const char *second) {
  return second ? EVALUATED(first, second) : EVALUATED(first);
}

Test(evaluate_files, a_file_has_the_evaluation_of_a_run_in_memory) {
  cJSON *memory = EVALUATED("s.json"), *file = EVALUATED("s.json", "-o", "r.h5", CHUNKED);
  expect_same_evaluation("-o", memory, file, NULL);
  cJSON *again = evaluated_again("r.h5", NULL), *there = EVALUATED("s.json", "-o", "r.h5", CHUNKED);
  expect_same_evaluation("the result", memory, again, "rows");
  expect_same_evaluation("a result that is there", memory, there, NULL);

  /* The rows of a result are numbers of SI units. */
  const cJSON *row = cJSON_GetArrayItem(member(again, "rows"), 2);
  cr_expect_eq(cJSON_GetArrayItem(row, 0)->valuedouble, 12);
  cr_expect_float_eq(cJSON_GetArrayItem(row, 1)->valuedouble, atan(1) * 2 / 3, 1e-15);
  cJSON_Delete(memory);
  cJSON_Delete(file);
  cJSON_Delete(again);
  cJSON_Delete(there);
}

static int killed(const char *failpoint) {
  set_failpoint(failpoint);
  const int code = EVALUATE("s.json", "-o", "r.h5", CHUNKED)->code;
  set_failpoint(NULL);
  return code;
}

Test(evaluate_files, a_killed_evaluation_goes_on) {
  cJSON *whole = EVALUATED("s.json");
  cr_assert_eq(killed("chunk:2"), -1);
  cr_assert(exists("r.h5.parts"));
  cJSON *resumed = EVALUATED("s.json", "-o", "r.h5", CHUNKED);
  expect_same_evaluation("resumed", whole, resumed, NULL);
  cr_expect(!exists("r.h5.parts"));
  cJSON_Delete(resumed);

  /* `resume` completes the file as well. */
  cr_assert_eq(unlink("r.h5"), 0);
  cr_assert_eq(killed("chunk:3"), -1);
  expect(OMNIROLL("resume", "r.h5"), OMR_OK);
  resumed = evaluated_again("r.h5", NULL);
  expect_same_evaluation("resume", whole, resumed, "rows");
  cJSON_Delete(resumed);
  cJSON_Delete(whole);
}

/* Other words are other files, each in shards. */
Test(evaluate_files, shards_make_the_same_evaluation) {
  cJSON *whole = EVALUATED("s.json", WORDS);
  expect(OMNIROLL("evaluate", "s.json", "-q", "-o", "r.h5", CHUNKED, WORDS, "--shard", "1/2"),
         OMR_OK);
  expect_text(last.out, "this shard is done");
  expect(EVALUATE("s.json", "-o", "r.h5", CHUNKED, WORDS, "--shard", "1/2"), OMR_OK);
  cJSON *unfinished = cJSON_Parse(last.out);
  cr_assert_not_null(unfinished, "%s", last.out);
  cr_expect(cJSON_IsFalse(member(unfinished, "complete")));
  cJSON_Delete(unfinished);
  cJSON *last_one = EVALUATED("s.json", "-o", "r.h5", CHUNKED, WORDS, "--shard", "2/2");
  expect_same_evaluation("shards", whole, last_one, NULL);
  cr_expect(exists("r.h5") && exists("r.2.h5"));
  cJSON_Delete(last_one);
  cJSON_Delete(whole);
}

/* Candidates 0 and 2 have the words of the first file, 1 and 3 those of the second. */
Test(evaluate_files, files_of_other_words_are_evaluated_together) {
  cJSON *whole = EVALUATED("s.json", WORDS, "-o", "r.h5"),
        *again = evaluated_again("r.h5", "r.2.h5");
  static const int place[] = {0, 2, 1, 3};
  for (int i = 0; i < 4; i++) {
    expect_candidate(whole, place[i], again, i);
    for (int o = 0; o < 2; o++)
      cr_expect_eq(number_at(whole, "difference", place[i], o),
                   number_at(again, "difference", i, o));
    cr_expect_eq(number_at(whole, "difference_low", place[i], 0),
                 number_at(again, "difference_low", i, 0));
  }
  cr_expect_eq(number_at(whole, "best", 0, -1), place[(int)number_at(again, "best", 0, -1)]);

  /* Their words tell the files apart. */
  cr_expect_eq(cJSON_GetArraySize(member(again, "paths")), 2);
  cr_expect_str_eq(cJSON_GetArrayItem(member(again, "paths"), 1)->valuestring, "contact.law");
  for (int i = 0; i < 4; i++)
    cr_expect_str_eq(
        cJSON_GetArrayItem(cJSON_GetArrayItem(member(again, "rows"), i), 1)->valuestring,
        cJSON_GetArrayItem(cJSON_GetArrayItem(member(whole, "rows"), place[i]), 0)->valuestring);
  cJSON_Delete(whole);
  cJSON_Delete(again);
}

Test(evaluate_files, files_of_other_goals_or_candidates_are_not_mixed) {
  expect(EVALUATE("s.json", "-o", "a.h5"), OMR_OK);
  expect(EVALUATE("s.json", "-o", "b.h5", "--set", "constraints.slips=null"), OMR_OK);
  expect(EVALUATE("s.json", "-o", "c.h5", ROWS_OF("[\"wheel.radius\"]", "[[0.1]]")), OMR_OK);
  expect(EVALUATE("a.h5", "b.h5"), OMR_ERR_USAGE);
  expect_text(last.err, "b.h5: has other objectives or constraints than a.h5");
  expect(EVALUATE("a.h5", "c.h5"), OMR_ERR_USAGE);
  expect_text(last.err, "c.h5: ");
  expect(EVALUATE("a.h5", "--set", "integrator.duration=3"), OMR_ERR_USAGE); /* nothing runs */
  expect_text(last.err, "give the study for another run");
}

/* A row that is refused is in no file; one whose vehicles fail is. */
Test(evaluate_files, candidates_that_are_no_vehicle_are_told_of_a_file_too) {
#define BAD "--set", "design.rows=[[9.5, \"45 deg\"], [40, \"45 deg\"], [9, \"45 deg\"]]"
  cJSON *memory = EVALUATED("s.json", BAD), *file = EVALUATED("s.json", BAD, "-o", "r.h5");
  expect_same_evaluation("-o", memory, file, NULL);
  cJSON *again = evaluated_again("r.h5", NULL);
  cr_expect_eq(cJSON_GetArraySize(member(again, "rows")), 2);
  expect_candidate(memory, 1, again, 0);
  expect_candidate(memory, 2, again, 1);
  cJSON_Delete(memory);
  cJSON_Delete(file);
  cJSON_Delete(again);
}

/* The file is a result as others, and its study one. */
Test(evaluate_files, other_commands_take_the_study_and_its_result) {
  expect(OMNIROLL("validate", "s.json"), OMR_OK);
  expect_text(last.out, "24");
  expect(OMNIROLL("plan", "s.json"), OMR_OK);
  expect_text(last.out, "24");
  expect(OMNIROLL("sample", "s.json"), OMR_OK);
  expect_text(last.out, "wheel.rollers");
  size_t lines = 0;
  for (const char *c = last.out; *c; c++) lines += *c == '\n';
  cr_expect_eq(lines, 25u, "%s", last.out);
  expect(EVALUATE("s.json", "-o", "r.h5"), OMR_OK);
  expect(OMNIROLL("verify", "r.h5"), OMR_OK);
  expect(OMNIROLL("export", "r.h5"), OMR_OK);
  expect_text(last.out, "platform_mass [kg]");
  expect(OMNIROLL("analyze", "r.h5"), OMR_OK);
  expect(OMNIROLL("report", "r.h5", "-o", "r.html"), OMR_OK);
  static char page[1 << 22];
  FILE *file = fopen("r.html", "r");
  cr_assert_not_null(file);
  page[fread(page, 1, sizeof page - 1, file)] = 0;
  fclose(file);
  cr_expect_not_null(strstr(page, "</html>"));
  cr_expect_not_null(strstr(page, "8 draws each, the same for every design"));
  cr_expect_not_null(strstr(page, "3 candidates over <code>wheel.rollers</code> (6, 9 and 12)"));
}
