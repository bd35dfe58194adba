/* omniroll describe of a part of a model: its groups, the rows of some names, and a search through
 * all models; and the overview of help. Every screen keeps to 80 columns. */
#include "program.h"

#include <cjson/cJSON.h>

TestSuite(describe, .init = set_up, .fini = tear_down);

enum { COLUMNS = 80, OVERVIEW = 69, HELP = 43 };

/* Lines of a text, none of them too wide. */
static size_t lines_of(const char *text) {
  size_t lines = 0;
  for (; *text; text += strcspn(text, "\n"), text += *text == '\n', lines++)
    cr_expect_leq(strcspn(text, "\n"), COLUMNS, "%.*s", (int)strcspn(text, "\n"), text);
  return lines;
}

/* Lines that begin with two spaces and the word. */
static size_t rows_of(const char *text, const char *word) {
  char begin[64];
  size_t rows = 0;
  snprintf(begin, sizeof begin, "\n  %s", word);
  for (; (text = strstr(text, begin)); text++) rows++;
  return rows;
}

Test(describe, a_name_prints_its_rows_alone) {
  const outcome *o = OMNIROLL("describe", "omni_vehicle", "motor");
  expect(o, OMR_OK);
  lines_of(o->out);
  cr_expect_eq(rows_of(o->out, "motor."), 13, "%s", o->out);
  cr_expect_eq(rows_of(o->out, "motor_"), 2);
  cr_expect_eq(rows_of(o->out, "wheel.motor."), 1, "its data sheet, and no rules: %s", o->out);
  expect_text(o->out, "motor.stall_torque");
  cr_expect_null(strstr(o->out, "platform.mass"));
}

Test(describe, rules_between_keys_are_a_group) {
  expect_text(OMNIROLL("describe", "omni_vehicle", "rules")->out, "wheel.motor.emf_constant");
}

/* A path, a column of a result, a group and a key, each with no other rows. */
Test(describe, names_are_paths_columns_groups_and_keys) {
  const outcome *o =
      OMNIROLL("describe", "omni_vehicle", "wheel.friction", "wheel_inclination", "law", "seed");
  expect(o, OMR_OK);
  expect_text(o->out, "\n  friction ");
  expect_text(o->out, "\n  inclination ");
  expect_text(o->out, "\n  saturated_coulomb ");
  expect_text(o->out, "\n  seed ");
  cr_expect_null(strstr(o->out, "motor"));
  cr_expect_null(strstr(o->out, "\n  friction_rate"));
}

Test(describe, rows_are_in_the_words_of_the_frame) {
  expect_text(OMNIROLL("describe", "omni_vehicle", "final", "--frame", "ros")->out, "final_y");
  cr_expect_null(strstr(last.out, "final_z"));
}

Test(describe, a_name_that_nothing_has_is_refused_with_the_nearest) {
  expect(OMNIROLL("describe", "omni_vehicle", "frictoin"), OMR_ERR_USAGE);
  expect_text(last.err, "did you mean \"friction\"?");
  expect(OMNIROLL("describe", "omni_vehicle", "motor", "paylod"), OMR_ERR_USAGE);
  expect_text(last.err, "did you mean \"payload\"?");
  cr_expect_str_eq(last.out, "");
  expect(OMNIROLL("describe"), OMR_ERR_USAGE);
  expect_text(last.err, "--search TEXT");
  expect(OMNIROLL("describe", "omni_vehicle", "motor", "--all"), OMR_ERR_USAGE);
}

Test(describe, without_a_name_a_model_is_an_overview) {
  for (size_t i = 0; omr_model_name(i); i++) {
    const outcome *o = OMNIROLL("describe", omr_model_name(i));
    expect(o, OMR_OK);
    const size_t lines = lines_of(o->out);
    cr_expect_leq(lines, OVERVIEW, "%s: %zu lines", omr_model_name(i), lines);
    expect_text(o->out, "sections");
    lines_of(OMNIROLL("describe", omr_model_name(i), "--all")->out);
    cr_expect_gt(lines_of(last.out), 300);
  }
}

Test(describe, a_search_looks_in_all_models_names_and_meanings) {
  const outcome *o = OMNIROLL("describe", "--search", "battery");
  expect(o, OMR_OK);
  lines_of(o->out);
  expect_text(o->out, "supply.voltage");
  expect_text(OMNIROLL("describe", "--search", "half_track")->out, "wheelset");
  expect_text(OMNIROLL("describe", "omni_vehicle", "--search", "winding")->out, "motor_heat");
  o = OMNIROLL("describe", "--search", "grip");
  const char *own = strstr(o->out, "\n  lost_grip_time "),
             *synonym = strstr(o->out, "\n  friction ");
  cr_expect(own && synonym && own < synonym, "names with the word come first: %s", o->out);
  expect(OMNIROLL("describe", "--search", "zeppelin"), OMR_ERR_USAGE);
  expect(OMNIROLL("describe", "omni_vehicle", "motor", "--search", "x"), OMR_ERR_USAGE);
  cJSON *root = cJSON_Parse(OMNIROLL("describe", "--search", "half_track", "--json")->out);
  const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "rows"), 0);
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(row, "name")), "half_track");
  cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(row, "models")), 1);
  cJSON_Delete(root);
}

/* Each name on the right of the list is one of some model. */
Test(describe, every_synonym_finds_the_names_that_stand_for_it) {
  static const struct {
    const char *word, *names;
  } synonyms[] = {
#define X(word, names) {word, names},
#include "lists/synonyms.def"
#undef X
  };
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
    char names[200];
    expect(OMNIROLL("describe", "--search", synonyms[i].word), OMR_OK);
    snprintf(names, sizeof names, "%s", synonyms[i].names);
    for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", ")) {
      bool found = false;
      for (size_t m = 0; !found && omr_model_name(m); m++)
        found = OMNIROLL("describe", omr_model_name(m), name)->code == OMR_OK;
      cr_expect(found, "%s: no model has \"%s\"", synonyms[i].word, name);
    }
  }
}

/* JSON has the members of the whole description, and the chosen rows alone. */
Test(describe, json_of_a_name_has_the_shape_of_the_whole) {
  cJSON *whole = cJSON_Parse(OMNIROLL("describe", "omni_vehicle", "--json")->out);
  cJSON *part = cJSON_Parse(OMNIROLL("describe", "omni_vehicle", "motor", "--json")->out);
  const cJSON *member;
  cJSON_ArrayForEach(member, whole)
      cr_expect_not_null(cJSON_GetObjectItem(part, member->string), "%s", member->string);
  cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(part, "wheel_parameters")), 13);
  cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(part, "parameters")), 0);
  cJSON_Delete(whole);
  cJSON_Delete(part);
}

Test(describe, help_is_a_screen_of_groups) {
  const outcome *o = OMNIROLL("help");
  static const char *const groups[] = {"Begin", "Run", "Look", "Check", "Machine"};
  const char *at = o->out;
  expect(o, OMR_OK);
  cr_expect_leq(lines_of(o->out), HELP);
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    char heading[16];
    snprintf(heading, sizeof heading, "\n%s\n", groups[i]);
    at = strstr(at, heading);
    cr_assert_not_null(at, "%s", groups[i]);
  }
}
