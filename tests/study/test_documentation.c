/* The pages of docs/ and README.md against the program: every member of the program's own lists
 * has its row in the tables, which studies/generate.py writes, the examples are read by the
 * program's reader. tests/analysis/test_documentation.py compares whole tables, runs the commands,
 * and follows the links. Runs from the root of the project. */
#include "../../host/model/small.h"
#include "../../host/result/result.h"
#include "../../host/study/designs/distributions.h"
#include "../../host/study/grammar/parse.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define STUDIES "the pages of docs/"
/* Reference first: a heading that two pages have is that page's. */
static const char *const patterns[] = {"docs/reference/*.md", "studies/*.md",    "README.md",
                                       "docs/*.md",           "docs/[!r]*/*.md", "docs/*/*/*.md"};
enum { ROW = 1024 };

static char *read_text(const char *path) {
  char *text;
  size_t length;
  omr_error error = {0};
  cr_assert_eq(omr_read_file(path, &text, &length, &error), OMR_OK,
               "%s (tests run from the root of the project)", error.message);
  return text;
}

/* The paths of all pages; the caller gives them to globfree. */
static glob_t find_pages(void) {
  glob_t found = {0};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    const int code = glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &found);
    cr_assert(code == 0 || code == GLOB_NOMATCH, "%s cannot be read", patterns[i]);
  }
  cr_assert_gt(found.gl_pathc, 10, "tests run from the root of the project");
  return found;
}

/* All pages, one after the other; malloc'ed. */
static char *read_pages(void) {
  omr_text all = {0};
  glob_t pages = find_pages();
  for (size_t i = 0; i < pages.gl_pathc; i++) {
    char *text = read_text(pages.gl_pathv[i]);
    omr_text_print(&all, "%s", text);
    free(text);
  }
  globfree(&pages);
  cr_assert(all.data && !all.failed);
  return all.data;
}

/* The text from each line `heading` to the next heading of any level; malloc'ed. */
static char *section(const char *text, const char *heading) {
  char line[128];
  omr_text all = {0};
  snprintf(line, sizeof line, "\n%s\n", heading);
  for (const char *start = text; (start = strstr(start, line));) {
    start += strlen(line);
    const char *end = strstr(start, "\n#");
    omr_text_print(&all, "%.*s\n", end ? (int)(end - start) : (int)strlen(start), start);
  }
  cr_assert_not_null(all.data, STUDIES " has no heading \"%s\"", heading);
  return all.data;
}

static void expect_row(const char *text, const char *heading, const char *row) {
  char line[ROW + 2];
  snprintf(line, sizeof line, "\n%s\n", row);
  cr_expect_not_null(strstr(text, line), STUDIES ", \"%s\": this row is missing or differs:\n%s",
                     heading, row);
}

/* A row that starts with these cells and ends with that meaning; between may stand what models it
 * is of. */
static void expect_row_of_models(const char *part, const char *heading, const char *start,
                                 const char *meaning) {
  char text[ROW];
  snprintf(text, sizeof text, "\n%s", start);
  const char *found = strstr(part, text), *end = found ? strchr(found + 1, '\n') : NULL;
  snprintf(text, sizeof text, " | %s |", meaning);
  const size_t length = strlen(text);
  cr_expect(end && end - found > (ptrdiff_t)length && strncmp(end - length, text, length) == 0,
            STUDIES ", \"%s\": this row is missing or differs:\n%s ... %s |", heading, start,
            meaning);
}

/* As `omniroll describe` prints them. */
static void print_bounds(char *text, size_t size, const omr_parameter *parameter) {
  const char *above = parameter->flags & OMR_P_OPEN_LOW ? ">" : ">=";
  if (isinf(parameter->low))
    snprintf(text, size, "any");
  else if (isinf(parameter->high))
    snprintf(text, size, "%s %.6g", above, parameter->low);
  else
    snprintf(text, size, "%.6g .. %.6g", parameter->low, parameter->high);
}

/* Of models with wheels and of each small model, between its own headings. */
static void expect_parameter(const char *part, const char *heading, const omr_parameter *p) {
  char standard[64] = "-", bounds[64], row[ROW];
  if (!isnan(p->standard)) snprintf(standard, sizeof standard, "%.6g", p->standard);
  print_bounds(bounds, sizeof bounds, p);
  snprintf(row, sizeof row, "| `%s` | %s | %s | %s |", p->path, p->unit, standard, bounds);
  expect_row_of_models(part, heading, row, p->meaning);
}

static void expect_parameters(const char *heading, const omr_parameter *list, int count,
                              const omr_model *models, int of) {
  char *text = read_pages(), *part = section(text, heading);
  for (int i = 0; i < count; i++) {
    bool belongs = false;
    for (int m = 0; m < of; m++) belongs = belongs || omr_parameter_belongs(&list[i], models[m]);
    if (belongs) expect_parameter(part, heading, &list[i]);
  }
  free(part);
  free(text);
}

Test(documentation, every_parameter_has_its_row_with_unit_default_and_bounds) {
  static const omr_model wheels[] = {OMR_MODEL_VEHICLE, OMR_MODEL_DISC_VEHICLE, OMR_MODEL_WHEEL};
  expect_parameters("### Vehicle parameters", omr_vehicle_parameters, OMR_VP_COUNT, wheels, 3);
  expect_parameters("### Wheel parameters", omr_wheel_parameters, OMR_WP_COUNT, wheels, 3);
  for (int m = 0; m < OMR_MODELS; m++) {
    const omr_model model = (omr_model)m;
    char heading[64];
    snprintf(heading, sizeof heading, "## %s", omr_model_names[m]);
    if (omr_small_model_of(model))
      expect_parameters(heading, omr_vehicle_parameters, OMR_VP_COUNT, &model, 1);
  }
}

/* The last part of a path; a component of the external force or torque goes by its vector. */
static void use_of(const char *path, char *name, size_t size) {
  static const char external[] = "external.";
  const bool vector = strncmp(path, external, strlen(external)) == 0;
  const char *dot = strrchr(path, '.'), *from = vector ? path + strlen(external)
                                                : dot  ? dot + 1
                                                       : path;
  snprintf(name, size, "%.*s", (int)(vector ? strcspn(from, ".") : strlen(from)), from);
}

static void expect_kinds(const char *heading, const omr_kind *kinds, int count,
                         const omr_parameter *list) {
  char *text = read_pages(), *part = section(text, heading);
  for (int i = 0; i < count; i++) {
    omr_text row = {0};
    omr_text_print(&row, "| `%s` |", kinds[i].name);
    for (const int *used = kinds[i].uses; *used >= 0; used++) {
      char name[80], last[80] = "";
      use_of(list[*used].path, name, sizeof name);
      if (used != kinds[i].uses) use_of(list[used[-1]].path, last, sizeof last);
      if (strcmp(name, last) == 0) continue; /* of one vector */
      omr_text_print(&row, "%s`%s`", used == kinds[i].uses ? " " : ", ", name);
    }
    omr_text_print(&row, " | %s |", kinds[i].meaning);
    cr_assert_not(row.failed);
    expect_row(part, heading, row.data);
    omr_text_free(&row);
  }
  free(part);
  free(text);
}

Test(documentation, every_drive_and_every_command_has_its_row) {
  expect_kinds("## Drives", omr_drive_kinds, OMR_DRIVE_KINDS, omr_wheel_parameters);
  expect_kinds("## Commands", omr_command_kinds, OMR_COMMAND_KINDS, omr_vehicle_parameters);
}

Test(documentation, every_law_of_contact_has_its_row) {
  expect_kinds("### Laws of contact", omr_law_kinds, OMR_LAW_KINDS, omr_wheel_parameters);
  char *text = read_pages(), *part = section(text, "### Laws of contact"), row[ROW];
  for (int i = 0; i < OMR_WEIGHTS_KINDS; i++) {
    snprintf(row, sizeof row, "| `weights` | %s | %s |", omr_weights_kinds[i].name,
             omr_weights_kinds[i].meaning);
    expect_row(part, "### Laws of contact", row);
  }
  free(part);
  free(text);
}

static void expect_words(const char *heading, const omr_kind *kinds, int count) {
  char *text = read_pages(), *part = section(text, heading), row[ROW];
  for (int i = 0; i < count; i++) {
    snprintf(row, sizeof row, "| `%s` | %s |", kinds[i].name, kinds[i].meaning);
    expect_row(part, heading, row);
  }
  free(part);
  free(text);
}

Test(documentation, every_ground_and_every_shape_of_a_patch_has_its_row) {
  expect_kinds("### Ground", omr_ground_kinds, OMR_GROUND_KINDS, omr_vehicle_parameters);
  expect_kinds("### Ground", omr_patch_kinds + 1, OMR_PATCH_KINDS - 1, omr_vehicle_parameters);
}

Test(documentation, every_kind_of_external_force_has_its_row) {
  expect_kinds("### External force and torque", omr_external_kinds, OMR_EXTERNAL_KINDS,
               omr_vehicle_parameters);
}

Test(documentation, every_distribution_and_every_design_has_its_row) {
  char *text = read_pages(), *part = section(text, "### Values"), row[ROW];
  for (int i = 0; i < OMR_DRAWS; i++) {
    snprintf(row, sizeof row, "| `%s` | `%s` | %s |", omr_draw_kinds[i].name,
             omr_draw_kinds[i].form, omr_draw_kinds[i].meaning);
    expect_row(part, "### Values", row);
  }
  free(part);
  free(text);
  expect_words("### Designs", omr_design_kinds + OMR_DESIGN_GRID, OMR_DESIGNS - OMR_DESIGN_GRID);
}

static void expect_keys(const char *heading, omr_section section_of_keys) {
  const omr_key_list *list = &omr_key_lists[section_of_keys];
  char *text = read_pages(), *part = section(text, heading), row[ROW];
  for (int k = 0; k < list->count; k++) {
    snprintf(row, sizeof row, "| `%s` | %s | %s |", list->keys[k].name, list->keys[k].standard,
             list->keys[k].meaning);
    expect_row(part, heading, row);
  }
  free(part);
  free(text);
}

Test(documentation, every_key_of_the_statistics_has_its_row) {
  expect_keys("## Statistics", OMR_SECTION_STATISTICS);
  expect_keys("### Stopping", OMR_SECTION_STOP);
}

Test(documentation, every_method_and_every_word_for_long_steps_has_its_row) {
  expect_words("### Methods", omr_method_kinds, OMR_METHOD_KINDS);
  expect_words("### Choosing the step", omr_stability_kinds, OMR_STABILITY_KINDS);
  expect_words("### Instances that fail", omr_failure_kinds, OMR_FAILURE_KINDS);
}

static void expect_quantities(const char *part, const omr_failure_quantity *list, size_t count,
                              const char *dimensions) {
  char row[ROW];
  for (size_t i = 0; i < count; i++) {
    snprintf(row, sizeof row, "| `%s` | %s | %s |", list[i].name, list[i].unit, dimensions);
    expect_row_of_models(part, "### Status of an instance", row, list[i].meaning);
  }
}

Test(documentation, every_quantity_of_a_last_good_state_has_its_row) {
  char *text = read_pages(), *part = section(text, "### Status of an instance");
  const omr_study study = {
      .model = OMR_MODEL_VEHICLE, .wheels = 3, .time.budget = 4, .contact.penalty = true};
  omr_failures failures;
  cr_assert_eq(omr_failures_make(&study, &failures, NULL), OMR_OK);
  expect_quantities(part, failures.vehicle, failures.vehicle_count, "instance");
  expect_quantities(part, failures.wheel, failures.wheel_count, "instance, wheel");
  cr_expect_eq(failures.vehicle_count, 8);
  cr_expect_eq(failures.wheel_count, 5);
  free(part);
  free(text);
}

Test(documentation, the_words_for_the_rollers_at_the_start_are_explained) {
  char *text = read_pages(), *part = section(text, "### Initial state"), row[ROW];
  for (int i = 0; i < OMR_SPINS_VALUES; i++) {
    snprintf(row, sizeof row, "| `%s` | %s |", omr_spins_kinds[i].name, omr_spins_kinds[i].meaning);
    expect_row(part, "### Initial state", row);
  }
  free(part);
  free(text);
}

Test(documentation, every_observable_has_its_row_with_unit_and_when_it_is_kept) {
  char *text = read_pages(), row[ROW];
  for (int m = 0; m < OMR_MODELS; m++) {
    char heading[64] = "### Observables";
    if (omr_small_model_of((omr_model)m))
      snprintf(heading, sizeof heading, "## %s", omr_model_names[m]);
    char *part = section(text, heading);
    for (int i = 0; i < OMR_OBS_COUNT; i++) {
      const omr_observable *o = &omr_observables[i];
      const bool springs = o->group & OMR_OF_COMPLIANT && omr_has_platform((omr_model)m);
      snprintf(row, sizeof row, "| `%s` | %s | %s |", o->name, o->unit,
               o->group & OMR_ON_DEMAND ? "if named"
               : springs                ? "compliant"
                                        : "on");
      if (omr_observable_fits(i, (omr_model)m, -1))
        expect_row_of_models(part, heading, row, o->meaning);
    }
    free(part);
  }
  free(text);
}

Test(documentation, every_sample_of_a_trajectory_has_its_row_with_unit) {
  const char *heading = "### Trajectories";
  char *text = read_pages(), *part = section(text, heading);
#define X(id, name, unit, meaning)                                                                 \
  expect_row(part, heading, "| `" name "` | " unit " | instance, time | " meaning " |");
#include "host/lists/samples/vehicle.def"
#undef X
#define X(id, name, unit, meaning)                                                                 \
  expect_row(part, heading, "| `" name "` | " unit " | instance, time, wheel | " meaning " |");
#include "host/lists/samples/wheel.def"
#undef X
#define X(id, name, unit, meaning)                                                                 \
  expect_row(part, heading, "| `" name "` | " unit " | instance, wheel | " meaning " |");
#include "host/lists/shapes_wheel.def"
#undef X
  free(part);
  free(text);
}

Test(documentation, what_the_reference_adds_has_its_row) {
  static const omr_sample_info drifts[] = {
#define X(id, name, unit, meaning) {name, unit, meaning},
#include "host/lists/samples/drift.def"
#undef X
  };
  char *text = read_pages(), *part = section(text, "## Result file"), row[ROW];
  for (int i = 0; i < OMR_DRIFT_COUNT; i++) {
    snprintf(row, sizeof row, "| `%s` | %s | instance, time | %s |", drifts[i].name, drifts[i].unit,
             drifts[i].meaning);
    expect_row(part, "## Result file", row);
  }
  free(part);
  free(text);
}

Test(documentation, every_sample_and_every_word_of_a_small_model_has_its_row) {
  char *text = read_pages(), row[ROW];
  for (int m = 0; m < OMR_MODELS; m++) {
    const omr_small_list *model = omr_small_list_of((omr_model)m);
    char heading[64];
    if (!model) continue;
    snprintf(heading, sizeof heading, "## %s", omr_model_names[m]);
    char *part = section(text, heading);
    for (int i = 0; i < model->samples; i++) {
      const omr_sample_info *s = &model->sample_list[i];
      snprintf(row, sizeof row, "| `%s` | %s | %s |", s->name, s->unit, s->meaning);
      expect_row(part, heading, row);
    }
    for (int w = 0; w < model->words; w++) {
      for (int i = 0; i < omr_word_choices(&model->word_list[w]); i++) {
        const omr_small_choice *c = &model->word_list[w].choices[i];
        snprintf(row, sizeof row, "| `%s` | `%s` | %s |", model->word_list[w].path, c->name,
                 c->meaning);
        expect_row(part, heading, row);
      }
    }
    free(part);
  }
  free(text);
}

Test(documentation, every_status_has_its_row_with_code) {
  const char *heading = "### Status of an instance";
  char *text = read_pages(), *part = section(text, heading);
#define X(id, code, name, meaning)                                                                 \
  expect_row(part, heading, "| " #code " | `" name "` | " meaning " |");
#include "host/lists/statuses.def"
#undef X
  free(part);
  free(text);
}

/* A block of JSON stands as it is ("study") or is a part of one: members of "parameters"
 * ("parameters") or of the study
 * ("sections"). */
static char *whole_study(const char *kind, const char *block) {
  static const char head[] =
      "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": \"1 ms\", \"duration\": \"1 s\"}, ";
  omr_text study = {0};
  if (strcmp(kind, "study") == 0)
    omr_text_print(&study, "%s", block);
  else if (strcmp(kind, "parameters") == 0)
    omr_text_print(&study, "%s\"parameters\": {%s}}", head, block);
  else if (strcmp(kind, "sections") == 0)
    omr_text_print(&study, "%s%s}", head, block);
  return study.data;
}

static void expect_readable(const char *path, int line, const char *kind, const char *block) {
  if (strcmp(kind, "recipe") == 0) return; /* structure/recipes reads it */
  char *text = whole_study(kind, block);
  cr_expect_not_null(text,
                     "%s:%d: a block of JSON is marked \"json study\", \"json parameters\" or "
                     "\"json sections\", not \"json %s\"",
                     path, line, kind);
  if (!text) return;
  char *names = NULL, *at = NULL;
  omr_study_variants("studies/example.json", text, NULL, 0, &names, NULL);
  char *name = names ? strtok_r(names, "\n", &at) : NULL;

  /* Tables that an example names lie in studies/; each of its variants is read. */
  do {
    omr_study *study = NULL;
    omr_error error = {0};
    char choice[80];
    snprintf(choice, sizeof choice, "variant=%s", name ? name : "");
    cr_expect_eq(omr_study_parse(text, "studies/example.json", (const char *const[]){choice},
                                 name != NULL, &study, &error),
                 OMR_OK, "the example after %s:%d: %s", path, line, error.message);
    omr_study_destroy(study);
  } while (name && (name = strtok_r(NULL, "\n", &at)));
  free(names);
  free(text);
}

/* Reads every ```json block of a file; returns how many there are. */
static int read_examples(const char *path) {
  static const char fence[] = "\n```json";
  char *text = read_text(path);
  int count = 0;
  for (char *at = text, *end; (at = strstr(at, fence)); at = end) {
    int line = 2;
    for (const char *c = text; c < at; c++) line += *c == '\n';
    char *kind = at + strlen(fence), *block = strchr(kind, '\n');
    cr_assert_not_null(block);
    end = strstr(block, "\n```");
    cr_assert_not_null(end, "%s:%d: the block does not end", path, line);
    *block = *end = '\0';
    expect_readable(path, line, kind + strspn(kind, " "), block + 1);
    count++;
    end++;
  }
  free(text);
  return count;
}

Test(documentation, every_example_is_read_by_the_program) {
  int count = 0;
  glob_t pages = find_pages();
  for (size_t i = 0; i < pages.gl_pathc; i++) count += read_examples(pages.gl_pathv[i]);
  globfree(&pages);
  cr_expect_gt(count, 5, "the examples of " STUDIES " are not found");
}

Test(documentation, every_ready_study_has_a_section_and_is_sound) {
  char *text = read_pages(), path[512];
  DIR *folder = opendir("studies");
  cr_assert_not_null(folder);
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(folder));) {
    const size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
    count++;
    snprintf(path, sizeof path, "studies/%s", entry->d_name);
    cr_expect_not_null(strstr(text, path), STUDIES " do not speak of %s", path);
    omr_study *study = NULL;
    omr_error error = {0};
    cr_expect_eq(omr_study_load(path, NULL, 0, &study, &error), OMR_OK, "%s", error.message);
    omr_study_destroy(study);
  }
  closedir(folder);
  cr_expect_gt(count, 0);
  free(text);
}
