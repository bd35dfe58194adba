/* Several mistakes of a study are told at once, each with its place; and what follows from a
 * mistake is not told. */
#include "study/study.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static omr_status read_text(const char *text, omr_error *error) {
  omr_study *study = NULL;
  const omr_status status = omr_study_parse(text, "s.json", NULL, 0, &study, error);
  omr_study_destroy(study);
  return status;
}

static void expect_mistake(const omr_error *error, size_t i, const char *code, int line,
                           const char *pointer) {
  cr_assert_lt(i, omr_error_count(error), "%s", error->message);
  cr_expect_str_eq(omr_error_code(error, i), code);
  cr_expect_str_eq(omr_error_path(error, i), "s.json");
  cr_expect_eq(omr_error_line(error, i), line, "%s: line %d", pointer, omr_error_line(error, i));
  cr_expect_str_eq(omr_error_pointer(error, i), pointer);
  cr_expect_gt(strlen(omr_error_text(error, i)), 5);
}

Test(mistakes, all_are_told_in_the_order_of_lines) {
  omr_error error = {0};
  cr_expect_eq(read_text("{\"model\": \"omni_vehicle\",\n"
                         " \"parameters\": {\"wheel\": {\"frction\": 0.3,\n"
                         "   \"radius\": \"3 kg\"}},\n"
                         " \"output\": {\"trajectories\": {\"instances\": [-1, 0, -3], "
                         "\"interval\": \"1 ms\"}},\n"
                         " \"integrator\": {\"step\": -1, \"duration\": 1, \"metod\": \"rk4\"}}\n",
                         &error),
               OMR_ERR_STUDY);
  cr_assert_eq(omr_error_count(&error), 6, "%s", error.message);
  expect_mistake(&error, 0, "unknown_key", 2, "/parameters/wheel/frction");
  expect_mistake(&error, 1, "unit", 3, "/parameters/wheel/radius");
  expect_mistake(&error, 2, "out_of_range", 4, "/output/trajectories/instances/0");
  expect_mistake(&error, 3, "out_of_range", 4, "/output/trajectories/instances/2");
  expect_mistake(&error, 4, "unknown_key", 5, "/integrator/metod");
  expect_mistake(&error, 5, "out_of_range", 5, "/integrator/step");
  size_t lines = 1;
  for (const char *c = error.message; *c; c++) lines += *c == '\n';
  cr_expect_eq(lines, 6);
  cr_expect_eq(strncmp(error.message, "s.json:2: parameters.wheel.frction: unknown key", 46), 0);
  cr_expect_null(omr_error_code(&error, 6));
  cr_expect_null(omr_error_text(&error, 6));
}

/* In each section some, of which none hides another. */
Test(mistakes, of_all_sections_are_told_in_one_go) {
  static const struct {
    const char *code, *pointer;
    int line;
  } wrong[] = {{"unknown_key", "/parameters/wheel/frction", 2},
               {"unit", "/parameters/wheel/radius", 2},
               {"out_of_range", "/parameters/wheel/rollers", 2},
               {"unknown_word", "/vary/0/path", 3},
               {"out_of_range", "/vary/1/uniform", 4},
               {"wrong_type", "/vary/2/normal", 5},
               {"out_of_range", "/design/instances", 6},
               {"out_of_range", "/design/seed", 6},
               {"missing", "/integrator", 7},
               {"unknown_word", "/output/observables/0", 8},
               {"unknown_word", "/output/trajectories/instances/1", 9},
               {"unknown_word", "/output/trajectories/instances/2", 9},
               {"out_of_range", "/output/trajectories/interval", 9},
               {"out_of_range", "/statistics/quantiles/1", 10},
               {"wrong_type", "/engine/threads", 11}};
  enum { COUNT = sizeof wrong / sizeof *wrong };
  omr_error error = {0};
  cr_expect_eq(
      read_text("{\"model\": \"omni_vehicle\", \"parameters\": {\n"
                "  \"wheel\": {\"frction\": 0.3, \"radius\": \"3 kg\", \"rollers\": 2.5}},\n"
                " \"vary\": [{\"path\": \"wheel.frction\", \"normal\": [0.5, 0.1]},\n"
                "  {\"path\": \"platform.mass\", \"uniform\": [12, 10]},\n"
                "  {\"path\": \"wheel.radius\", \"normal\": [0.5]}],\n"
                " \"design\": {\"type\": \"monte_carlo\", \"instances\": 0, \"seed\": -1},\n"
                " \"integrator\": {\"duration\": 1},\n"
                " \"output\": {\"observables\": [\"path_lenght\"],\n"
                "  \"trajectories\": {\"instances\": [0, \"nominl\", \"extremes of x\"], "
                "\"interval\": 0}},\n"
                " \"statistics\": {\"quantiles\": [0.5, 2]},\n"
                " \"engine\": {\"threads\": \"many\"}}",
                &error),
      OMR_ERR_STUDY);
  cr_assert_eq(omr_error_count(&error), COUNT, "%s", error.message);
  for (size_t i = 0; i < COUNT; i++)
    expect_mistake(&error, i, wrong[i].code, wrong[i].line, wrong[i].pointer);
}

static void expect_single(const char *text, const char *code, const char *pointer) {
  omr_error error = {0};
  cr_expect_eq(read_text(text, &error), OMR_ERR_STUDY);
  cr_expect_eq(omr_error_count(&error), 1, "%s", error.message);
  cr_expect_str_eq(omr_error_code(&error, 0), code, "%s", error.message);
  cr_expect_str_eq(omr_error_pointer(&error, 0), pointer, "%s", error.message);
}

#define INTEGRATOR "\"integrator\": {\"step\": 0.001, \"duration\": 1}"

/* A study that stops at 5000 instances, more than an example of "instances" has. */
#define STOPPING(design)                                                                           \
  "{\"model\": \"omni_wheel\", \"design\": " design ", \"vary\": [{\"path\": "                     \
  "\"wheel.friction\", \"uniform\": [0.1, 0.2]}], \"statistics\": {\"fail\": \"max_slip > 1\", "   \
  "\"stop\": {\"quantity\": \"fail\", \"width\": 0.1, \"instances\": 5000}}, " INTEGRATOR "}"

/* Each of these texts has one mistake, from which a reader that went on blindly would make more. */
Test(mistakes, what_follows_from_a_mistake_is_not_told) {
  expect_single("{\"model\": \"omni_vehicel\", \"parameters\": {\"slope\": 1}, " INTEGRATOR "}",
                "unknown_word", "/model");
  expect_single("{\"model\": \"omni_wheel\", \"integrator\": {\"stepp\": 0.001, \"duration\": 1}}",
                "unknown_key", "/integrator/stepp");
  expect_single("{\"model\": \"omni_wheel\", \"integratr\": {\"step\": 0.001, \"duration\": 1}}",
                "unknown_key", "/integratr");
  expect_single("{\"model\": \"omni_wheel\", \"parameters\": {\"wheel\": {\"drive\": "
                "{\"type\": \"torqe_table\", \"table\": [[0, 0], [1, 2]]}}}, " INTEGRATOR "}",
                "unknown_word", "/parameters/wheel/drive/type");
  expect_single("{\"model\": \"omni_wheel\", \"vary\": [{\"path\": \"wheel.frction\", "
                "\"values\": [1, 2]}], " INTEGRATOR "}",
                "unknown_word", "/vary/0/path");
  expect_single("{\"model\": \"omni_wheel\", \"design\": {\"type\": \"sobl\", \"instances\": 8}, "
                "\"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.1, 0.2]}], " INTEGRATOR
                "}",
                "unknown_word", "/design/type");
  expect_single("{\"model\": \"omni_wheel\"}", "missing", "");
  expect_single(STOPPING("{\"type\": \"monte_carlo\", \"instances\": -5}"), "out_of_range",
                "/design/instances");
  expect_single(STOPPING("{\"type\": \"monte_carlo\", \"instancse\": 9000}"), "unknown_key",
                "/design/instancse");
}

Test(mistakes, a_value_of_set_has_no_line_and_no_file) {
  static const char *const overrides[] = {"parameters.a/b~c=1", "engine.threads=-2"};
  omr_study *study = NULL;
  omr_error error = {0};
  cr_expect_eq(omr_study_parse("{\"model\": \"omni_wheel\", " INTEGRATOR "}", "s.json", overrides,
                               2, &study, &error),
               OMR_ERR_STUDY);
  cr_assert_eq(omr_error_count(&error), 2, "%s", error.message);
  cr_expect_str_eq(omr_error_pointer(&error, 0), "/parameters/a~1b~0c");
  cr_expect_str_eq(omr_error_pointer(&error, 1), "/engine/threads");
  for (size_t i = 0; i < 2; i++) {
    cr_expect_eq(omr_error_line(&error, i), 0);
    cr_expect_str_eq(omr_error_path(&error, i), "");
  }
}

/* More than the list has room for: the message says how many are left. */
Test(mistakes, there_may_be_more_than_the_list_has_room_for) {
  char text[2048] = "{\"model\": \"omni_wheel\", " INTEGRATOR;
  omr_error error = {0};
  for (int i = 0; i < 20; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), ",\n\"wrong%d\": 1", i);
  strcat(text, "}");
  cr_expect_eq(read_text(text, &error), OMR_ERR_STUDY);
  cr_expect_eq(omr_error_count(&error), OMR_MISTAKES);
  cr_expect_not_null(strstr(error.message, "and 4 more, which"), "%s", error.message);
}

Test(mistakes, an_error_without_a_list_is_one_mistake) {
  omr_error error = {0};
  cr_expect_eq(omr_error_count(&error), 0);
  cr_expect_null(omr_error_code(&error, 0));
  omr_fail(&error, OMR_ERR_DEVICE, "no such device");
  cr_assert_eq(omr_error_count(&error), 1);
  cr_expect_str_eq(omr_error_code(&error, 0), "device");
  cr_expect_str_eq(omr_error_path(&error, 0), "");
  cr_expect_str_eq(omr_error_text(&error, 0), "no such device");
  omr_study *study = NULL;
  cr_expect_eq(omr_study_load("nowhere/s.json", NULL, 0, &study, &error), OMR_ERR_IO);
  cr_assert_eq(omr_error_count(&error), 1);
  cr_expect_str_eq(omr_error_path(&error, 0), "nowhere/s.json");
}

/* RANDOM MISTAKES IN READY STUDIES */

typedef struct wrong {
  const char *section, *key, *value; /* value: JSON; NULL: the member is taken away */
  const char *code;
} wrong;

/* Two of one section and key exclude each other. */
static const wrong wrongs[] = {
    {"integrator", "duration", "\"3 kg\"", "unit"},
    {"integrator", "duration", "true", "wrong_type"},
    {"integrator", "duration", "-1", "out_of_range"},
    {"integrator", "stability", "\"nonsense\"", "unknown_word"},
    {"integrator", "misspelt", "1", "unknown_key"},
    {"engine", "threads", "-3", "out_of_range"},
    {"engine", "chunk", "\"many\"", "wrong_type"},
    {"engine", "enigne", "1", "unknown_key"},
    {"parameters", "parametres", "1", "unknown_key"}, /* multibody: a name of its own */
    {"system", "misspelt", "1", "unknown_key"},       /* multibody alone */
    {"output", "misspelt", "{}", "unknown_key"},
    {"statistics", "misspelt", "[1]", "unknown_key"},
};
enum { WRONGS = sizeof wrongs / sizeof *wrongs, MOST = 3 };
#ifdef __SANITIZE_ADDRESS__ /* a round takes ten times as long; other builds make them all */
enum { ROUNDS = 4 };
#else
enum { ROUNDS = 12 };
#endif

static void make_wrong(cJSON *root, const wrong *w) {
  cJSON *section = cJSON_GetObjectItemCaseSensitive(root, w->section);
  if (!section) section = cJSON_AddObjectToObject(root, w->section);
  cJSON_DeleteItemFromObjectCaseSensitive(section, w->key);
  cJSON_AddItemToObject(section, w->key, cJSON_Parse(w->value));
}

static bool is_wrong_there(const cJSON *root, const wrong *w) {
  const cJSON *model = cJSON_GetObjectItemCaseSensitive(root, "model");
  const bool own = model && strcmp(model->valuestring, "multibody") == 0;
  return strcmp(w->section, own ? "parameters" : "system") != 0;
}

static bool is_told(const omr_error *error, const wrong *w) {
  char pointer[128];
  snprintf(pointer, sizeof pointer, "/%s/%s", w->section, w->key);
  for (size_t i = 0; i < omr_error_count(error); i++)
    if (strcmp(omr_error_pointer(error, i), pointer) == 0 &&
        strcmp(omr_error_code(error, i), w->code) == 0)
      return true;
  return false;
}

/* A linear congruential generator, so that all machines make the same mistakes. */
static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static void try_study(const char *path, const char *text, unsigned *state) {
  const wrong *made[MOST];
  const size_t wanted = 2 + next(state) % (MOST - 1);
  cJSON *root = cJSON_Parse(text);
  size_t count = 0;
  if (!root) return; /* with comments */
  while (count < wanted) {
    const wrong *w = &wrongs[next(state) % WRONGS];
    bool there = !is_wrong_there(root, w);
    for (size_t i = 0; i < count; i++)
      there |= strcmp(made[i]->section, w->section) == 0 && strcmp(made[i]->key, w->key) == 0;
    if (!there) make_wrong(root, made[count++] = w);
  }
  char *broken = cJSON_Print(root);
  omr_study *study = NULL;
  omr_error error = {0};
  cr_expect_eq(omr_study_parse(broken, path, NULL, 0, &study, &error), OMR_ERR_STUDY, "%s", path);
  cr_expect_eq(omr_error_count(&error), count, "%s, %zu mistakes made: %s", path, count,
               error.message);
  for (size_t i = 0; i < count; i++)
    cr_expect(is_told(&error, made[i]), "%s: %s.%s is not told of: %s", path, made[i]->section,
              made[i]->key, error.message);
  omr_study_destroy(study);
  cJSON_free(broken);
  cJSON_Delete(root);
}

Test(mistakes, random_ones_in_ready_studies_are_all_told_and_nothing_else, .timeout = 120) {
  DIR *folder = opendir("studies");
  unsigned state = 20261123, studies = 0;
  cr_assert_not_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    const char *dot = strrchr(entry->d_name, '.');
    char path[300], *text;
    size_t length;
    if (!dot || strcmp(dot, ".json") != 0) continue;
    snprintf(path, sizeof path, "studies/%s", entry->d_name);
    cr_assert_eq(omr_read_file(path, &text, &length, NULL), OMR_OK);
    for (int round = 0; round < ROUNDS; round++) try_study(path, text, &state);
    free(text);
    studies++;
  }
  closedir(folder);
  cr_expect_gt(studies, 30);
}
