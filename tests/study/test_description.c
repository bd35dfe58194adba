/* What `omniroll describe` lists of a model: its parameters, observables and rules between keys,
 * which are those of host/lists. */
#include "../../host/lists/observables.h"
#include "../../host/model/small.h"
#include "../../host/study/grammar/parse.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *description_of(const char *model) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  cr_assert_eq(omr_describe(model, out, NULL), OMR_OK);
  fclose(out);
  return text;
}

/* A row of the description starts with two spaces and the name. */
static void expect_named(const char *text, const char *model, const omr_parameter *parameter,
                         bool wanted) {
  char row[80];
  snprintf(row, sizeof row, "\n  %s ", parameter->path);
  cr_expect_eq(strstr(text, row) != NULL, wanted, "%s, %s", model, parameter->path);
}

/* A model whose study gives the names lists none. */
static void expect_none_listed(omr_model model) {
  char *json = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_describe_json(omr_model_names[model], &json, &error), OMR_OK);
  cr_expect_not_null(strstr(json, "\"parameters\": []"));
  cr_expect_not_null(strstr(json, "\"observables\": []"));
  cr_expect_not_null(strstr(json, "\"samples\": []"));
  free(json);
}

/* A row of the table of rules: one side, the rule, the other side, where they do not fit on the
 * next line. */
static void expect_rule(const char *model, const char *name, const char *rule, const char *other) {
  char *text = description_of(model), start[96], line[240] = "";
  const char *table = strstr(text, "\nRules between keys\n");
  snprintf(start, sizeof start, "\n  %s  ", name);
  const char *row = table ? strstr(table, start) : NULL;
  size_t length = row ? 1 + strcspn(row + 1, "\n") : 0;
  if (row && strncmp(row + length, "\n      ", 7) == 0)
    length += 1 + strcspn(row + length + 1, "\n");
  if (row) snprintf(line, sizeof line, "%.*s", (int)length, row);
  cr_expect(strstr(line, rule) && strstr(line, other), "%s: %s %s %s: \"%s\"", model, name, rule,
            other, line);
  free(text);
}

Test(description, lists_the_rules_between_keys) {
  expect_rule("omni_vehicle", "wheel.motor.emf_constant", "needs", "wheel.motor.resistance");
  expect_rule("omni_vehicle", "wheel.tip_radius", "not with", "wheel.center_distance");
  expect_rule("omni_vehicle", "layout.radius", "only with", "layout.type: ring");
  expect_rule("omni_vehicle", "wheel.roller.dry.friction", "above 0, needs",
              "wheel.roller.dry.pin_radius");
  expect_rule("disc_vehicle", "overlap", "only with", "wheel.rollers");
  expect_rule("wheelset", "engine.work_group", "only with", "engine.backend: opencl");
}

Test(description, names_every_parameter_and_observable_of_the_model) {
  for (int model = 0; model < OMR_MODELS; model++) {
    if (omr_model_is_own((omr_model)model)) {
      expect_none_listed((omr_model)model);
      continue;
    }
    char *text = description_of(omr_model_names[model]);
    const bool small = omr_small_model_of((omr_model)model) != NULL;
    for (int i = 0; i < OMR_VP_COUNT; i++) {
      const omr_parameter *p = &omr_vehicle_parameters[i];
      if (omr_parameter_belongs(p, (omr_model)model))
        expect_named(text, omr_model_names[model], p, true);
    }
    for (int i = 0; i < OMR_WP_COUNT; i++) {
      const omr_parameter *p = &omr_wheel_parameters[i];
      if (strchr(p->path, '.') && !small)
        expect_named(text, omr_model_names[model], p, omr_parameter_belongs(p, (omr_model)model));
    }
    for (int i = 0; i < OMR_OBS_COUNT; i++) {
      char name[80];
      if (!*omr_observables[i].name) continue; /* a place that a study names: of no model */
      snprintf(name, sizeof name, "\n  %s ", omr_observables[i].name);
      cr_expect_eq(strstr(text, name) != NULL, omr_observable_fits(i, (omr_model)model, -1),
                   "%s of %s", name, omr_model_names[model]);
    }
    free(text);
  }
  const omr_parameter *mass = &omr_vehicle_parameters[OMR_VP_PLATFORM_MASS],
                      *stiff = &omr_wheel_parameters[OMR_WP_STIFFNESS];
  cr_expect(omr_parameter_belongs(mass, OMR_MODEL_DISC_VEHICLE) &&
            !omr_parameter_belongs(mass, OMR_MODEL_WHEEL));
  cr_expect(omr_parameter_belongs(stiff, OMR_MODEL_DISC_VEHICLE) &&
            omr_parameter_belongs(stiff, OMR_MODEL_VEHICLE) &&
            !omr_parameter_belongs(stiff, OMR_MODEL_WHEEL));
}

Test(description, keeps_to_the_page) {
  char *text = description_of("omni_vehicle");
  for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
    cr_expect_leq(end - line, 112, "%.*s", (int)(end - line), line);
  free(text);
}

Test(description, an_unknown_model_is_answered_with_the_known_ones) {
  omr_error error;
  cr_assert_eq(omr_describe("omni_bus", stdout, &error), OMR_ERR_USAGE);
  cr_assert_not_null(strstr(error.message, "\"omni_vehicle\", \"omni_wheel\""));
}
