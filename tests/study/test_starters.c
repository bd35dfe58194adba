/* Every starter study of `omniroll new`: it is valid and without advice, its comments come from the
 * lists, and it runs, for a short time here (tests/long/starters.sh runs all of them whole). */
#include "../../host/engine/run.h"
#include "../../host/study/starters/starter.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_error error;

typedef void work(const omr_starter_kind *kind, const omr_starter_machine *machine,
                  const char *text);

/* With every machine that the kind takes. */
static void for_all(work *work) {
  for (size_t k = 0; k < omr_starter_kind_count; k++) {
    for (size_t m = 0; m < omr_starter_machine_count; m++) {
      const omr_starter_kind *kind = &omr_starter_kinds[k], *found_kind;
      const omr_starter_machine *machine = &omr_starter_machines[m], *found;
      omr_text text = {0};
      if (kind->machine && strcmp(kind->machine, machine->name) != 0) continue;
      cr_assert_eq(omr_starter_find(kind->name, machine->name, &found_kind, &found, &error), OMR_OK,
                   "%s", error.message);
      cr_assert(found_kind == kind && found == machine);
      cr_assert_eq(omr_starter_write(kind, machine, NULL, 0, &text, &error), OMR_OK, "%s",
                   error.message);
      work(kind, machine, text.data);
      omr_text_free(&text);
    }
  }
}

static omr_study *read_study(const char *text, const char *name, const char *const *overrides,
                             size_t count) {
  omr_study *study;
  cr_assert_eq(omr_study_parse(text, name, overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static void expect_sound(const omr_starter_kind *kind, const omr_starter_machine *machine,
                         const char *text) {
  size_t looked_at, invalid;
  char reason[512] = "", advice[OMR_WARNINGS];
  omr_study *study = read_study(text, kind->name, NULL, 0);
  cr_expect_eq(omr_study_check(study, &looked_at, &invalid, reason, sizeof reason, &error), OMR_OK,
               "%s", error.message);
  cr_expect_eq(invalid, 0, "%s %s: %s", kind->name, machine->name, reason);
  cr_expect_eq(omr_judge_stability(study, advice, sizeof advice, &error), OMR_OK);
  cr_expect_str_empty(advice, "%s %s: %s", kind->name, machine->name, advice);
  cr_expect_eq(study->model, machine->model);
  omr_study_destroy(study);
}

Test(starters, all_are_valid_without_a_warning) {
  for_all(expect_sound);
}

/* What is wide is cut by editors and pages. */
static void expect_narrow(const omr_starter_kind *kind, const omr_starter_machine *machine,
                          const char *text) {
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    cr_expect_leq(strcspn(line, "\n"), 130, "%s %s: %.*s", kind->name, machine->name,
                  (int)strcspn(line, "\n"), line);
}

Test(starters, lines_are_no_longer_than_a_page) {
  for_all(expect_narrow);
}

/* A tenth of the time and few instances: what fails then fails in the whole. Overrides are ordered
 * as the kinds that know them.
 */
static void expect_runs(const omr_starter_kind *kind, const omr_starter_machine *machine,
                        const char *text) {
  char duration[64];
  omr_result *result;
  static const char key[] = "\"duration\": \"";
  const double whole = strtod(strstr(text, key) + strlen(key), NULL);
  snprintf(duration, sizeof duration, "integrator.duration=%.17g",
           whole / (machine->model == OMR_MODEL_SNAKEBOARD ? 2 : 10));
  const char *few = strcmp(kind->name, "monte_carlo") == 0   ? "design.instances=16"
                    : strcmp(kind->name, "sensitivity") == 0 ? "design.groups=4"
                    : strcmp(kind->name, "nested") == 0      ? "design.per_cell=4"
                    : strcmp(kind->name, "rare") == 0        ? "design.instances=100"
                                                             : NULL;
  const char *const overrides[] = {duration, "engine.backend=openmp", few};
  if (strcmp(kind->name, "rare") == 0 && machine != omr_starter_machines)
    return;                                     /* its levels take long; one is enough here */
  if (omr_model_is_own(machine->model)) return; /* by the reference: tests/cli/test_new.c */
  omr_study *study = read_study(text, kind->name, overrides, few ? 3 : 2);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s %s: %s", kind->name,
               machine->name, error.message);
  const int8_t *status = omr_result_status(result);
  for (size_t i = 0; i < omr_result_instances(result); i++)
    cr_expect_eq(status[i], 0, "%s %s: instance %zu: %s", kind->name, machine->name, i,
                 omr_instance_status_name(status[i]));
  for (size_t c = 0; c < omr_result_columns(result); c++)
    for (size_t i = 0; i < omr_result_instances(result); i++)
      cr_expect(isfinite(omr_result_column(result, c)[i]), "%s %s: %s of instance %zu", kind->name,
                machine->name, omr_result_column_name(result, c), i);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

Test(starters, all_run_without_a_failed_instance_or_a_missing_value, .timeout = 120) {
  for_all(expect_runs);
}

/* The line of a member, without what stands before it. */
static const char *line_of(const char *text, const char *member) {
  const char *line = strstr(text, member);
  cr_assert_not_null(line, "%s", member);
  return line;
}

/* Unit, bound, default and meaning of the list, not of the starter. */
Test(starters, comments_are_those_of_the_lists) {
  omr_text text = {0};
  const omr_starter_kind *kind;
  const omr_starter_machine *machine;
  cr_assert_eq(omr_starter_find("monte_carlo", NULL, &kind, &machine, &error), OMR_OK);
  cr_assert_eq(omr_starter_write(kind, machine, NULL, 0, &text, &error), OMR_OK, "%s",
               error.message);
  const omr_parameter *p = &omr_wheel_parameters[OMR_WP_FRICTION];
  char expected[512];
  snprintf(expected, sizeof expected, "// [%s, >= %g, default %g] %s\n", p->unit, p->low,
           p->standard, p->meaning);
  cr_expect_not_null(strstr(text.data, expected), "%s", expected);
  const char *line = line_of(text.data, "\"slip_speed\"");
  cr_expect_not_null(strstr(line, "[m s-1, > 0, default 0.05]"));
  omr_text_free(&text);
}

Test(starters, what_is_not_there_is_refused_with_what_is) {
  const omr_starter_kind *kind;
  const omr_starter_machine *machine;
  cr_expect_eq(omr_starter_find("montecarlo", NULL, &kind, &machine, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message, "did you mean \"monte_carlo\"?"), "%s", error.message);
  cr_expect_eq(omr_starter_find("anything", NULL, &kind, &machine, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message, "single, sweep"), "%s", error.message);
  cr_expect_eq(omr_starter_find("omni_wheel", NULL, &kind, &machine, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message, "omniroll new --model omni_wheel"), "%s", error.message);
  cr_expect_eq(omr_starter_find("sweep", "omni_vehicel", &kind, &machine, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message, "did you mean \"omni_vehicle\"?"), "%s", error.message);
  cr_expect_eq(omr_starter_find("testbench", "wheelset", &kind, &machine, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message, "omniroll new single --model wheelset"), "%s",
                     error.message);
}

/* A parameter without a row would have no comment, and a member that the machine lacks no value. */
Test(starters, a_parameter_that_no_list_has_is_an_error) {
  static const char wheel[] = "{\n  \"parameters\": {\n    \"wheel\": {\"no_such\": 1}\n  }\n}\n";
  const omr_starter_kind kind = {
      .name = "k", .question = "", .text = "{\n  \"parameters\": \"$parameters\"\n}\n"};
  const omr_starter_kind other = {
      .name = "o", .question = "", .text = "{\n  \"rows\": \"$rows\"\n}\n"};
  omr_starter_machine machine = omr_starter_machines[0];
  omr_text text = {0};
  machine.text = wheel;
  cr_expect_eq(omr_starter_write(&kind, &machine, NULL, 0, &text, &error), OMR_ERR_INTERNAL);
  cr_expect_not_null(strstr(error.message, "wheel.no_such"), "%s", error.message);
  cr_expect_eq(omr_starter_write(&other, &machine, NULL, 0, &text, &error), OMR_ERR_INTERNAL);
  cr_expect_not_null(strstr(error.message, "$rows"), "%s", error.message);
  omr_text_free(&text);
}
