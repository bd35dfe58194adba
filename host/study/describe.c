#include "../model/small.h"
#include "../result/result.h"
#include "distributions.h"
#include "parse.h"

#include <math.h>
#include <string.h>

enum { PAGE = 110, MAX_COLUMNS = 5, GAP = 2, CELL = 64, WIDE = 160 };

/* Rows of short cells and a last column of text that wraps. Filled twice: once to measure, once to print. */
typedef struct table {
  FILE *out;   /* NULL while measuring */
  int columns; /* short ones */
  int width[MAX_COLUMNS];
} table;

static void print_text(FILE *out, int indent, const char *text) {
  const size_t room = (size_t)(indent < PAGE - 30 ? PAGE - indent : 30);
  while (strlen(text) > room) {
    size_t cut = room;
    while (cut > 0 && text[cut] != ' ') cut--;
    if (cut == 0) cut = room;
    fprintf(out, "%.*s\n%*s", (int)cut, text, indent, "");
    text += cut;
    while (*text == ' ') text++;
  }
  fprintf(out, "%s\n", text);
}

static void add_row(table *t, const char *const *cells, const char *text) {
  int indent = GAP;
  if (t->out) fprintf(t->out, "%*s", GAP, "");
  for (int c = 0; c < t->columns; c++) {
    const int length = (int)strlen(cells[c]);
    if (!t->out && length > t->width[c]) t->width[c] = length;
    if (t->out) fprintf(t->out, "%-*s", t->width[c] + GAP, cells[c]);
    indent += t->width[c] + GAP;
  }
  if (t->out) print_text(t->out, indent, text);
}

typedef void fill_fn(table *t, omr_model model);

static void print_table(FILE *out, const char *heading, int columns, fill_fn *fill, omr_model model) {
  table t = {.columns = columns};
  fprintf(out, "\n%s\n\n", heading);
  fill(&t, model);
  t.out = out;
  fill(&t, model);
}

static void print_bounds(char *text, const omr_parameter *parameter) {
  const bool open = parameter->flags & OMR_P_OPEN_LOW;
  if (isinf(parameter->low))
    snprintf(text, CELL, "any");
  else if (isinf(parameter->high))
    snprintf(text, CELL, "%s %.6g", open ? ">" : ">=", parameter->low);
  else
    snprintf(text, CELL, "%.6g .. %.6g", parameter->low, parameter->high);
}

static void add_parameter(table *t, const omr_parameter *parameter, omr_model model) {
  char standard[CELL], bounds[CELL];
  if (!omr_parameter_belongs(parameter, model)) return;
  if (isnan(parameter->standard))
    snprintf(standard, sizeof standard, "-");
  else
    snprintf(standard, sizeof standard, "%.6g", parameter->standard);
  print_bounds(bounds, parameter);
  const char *cells[] = {parameter->path, parameter->unit, standard, bounds};
  add_row(t, cells, parameter->meaning);
}

static const char *const parameter_heads[] = {"parameter", "unit", "default", "bounds"};

static void fill_vehicle(table *t, omr_model model) {
  add_row(t, parameter_heads, "meaning");
  for (int i = 0; i < OMR_VP_COUNT; i++) add_parameter(t, &omr_vehicle_parameters[i], model);
}

static void fill_wheel(table *t, omr_model model) {
  add_row(t, parameter_heads, "meaning");
  for (int i = 0; i < OMR_WP_COUNT; i++) add_parameter(t, &omr_wheel_parameters[i], model);
}

static void fill_words(table *t, omr_model model) {
  const char *period[] = {"controller_period", "time, s"}, *overlap[] = {"overlap", "refuse, allow"};
  const char *wheels[] = {"wheels", "[{...}, ...]"};
  add_row(t, wheels, "one object per wheel with what differs from \"wheel\"; {} where nothing does");
  add_row(t, overlap, "what to do with rollers that run into each other; refuse is the default");
  add_row(t, period,
          "sampling time of the controllers, a whole multiple of the step; default 1 ms where steps fit into it, else "
          "the step");
  if (model == OMR_MODEL_WHEEL) return;
  if (model == OMR_MODEL_DISC_VEHICLE) {
    const char *normal[] = {"contact.normal", "rigid, penalty"};
    add_row(t, normal,
            "rigid (default): loads by the exact load transfer of omni_vehicle; penalty: a spring and a damper below each wheel, "
            "the platform moves up and down but does not tilt");
    const char *saturation[] = {"contact.saturation", "whole, components"};
    add_row(t, saturation,
            "regularized_coulomb: whole (default): friction saturates by the whole slip, as in source 4; components: each "
            "direction of friction by the slip along it, so that a painted roller that rolls keeps its grip along its axis");
  }
  const char *type[] = {"layout.type", "ring, rectangle, explicit"}, *count[] = {"layout.wheels", "3 .. 8"};
  const char *mecanum[] = {"layout.mecanum", "true, false"};
  add_row(t, type,
          "ring (default): wheels evenly around the body origin, axles radial; rectangle: front-left, front-right, "
          "rear-left, rear-right, axis angle 0; explicit: each wheel gives x, z and axis_angle in \"wheels\"");
  add_row(t, count, "ring layout: number of wheels, default 3");
  add_row(t, mecanum, "rectangle layout: multiplies the wheels' inclinations, varied ones too, by + - - +; default false");
}

static void print_uses(char *text, const omr_kind *kind, const omr_parameter *list) {
  size_t length = 0;
  text[0] = 0;
  for (const int *used = kind->uses; *used >= 0 && length < WIDE; used++) {
    const char *dot = strrchr(list[*used].path, '.');
    length += (size_t)snprintf(text + length, WIDE - length, "%s%s", length ? ", " : "", dot ? dot + 1 : list[*used].path);
  }
}

static void add_kinds(table *t, const omr_kind *kinds, int count, const omr_parameter *list) {
  const char *heads[] = {"type", "uses"};
  add_row(t, heads, "meaning");
  for (int i = 0; i < count; i++) {
    char uses[WIDE];
    print_uses(uses, &kinds[i], list);
    const char *cells[] = {kinds[i].name, uses};
    add_row(t, cells, kinds[i].meaning);
  }
}

static void fill_laws(table *t, omr_model model) {
  (void)model;
  const char *heads[] = {"law"};
  add_row(t, heads, "meaning");
  for (int i = 0; i < OMR_LAW_KINDS; i++) {
    char uses[WIDE], text[2 * WIDE + CELL];
    print_uses(uses, &omr_law_kinds[i], omr_wheel_parameters);
    snprintf(text, sizeof text, "%s; uses %s", omr_law_kinds[i].meaning, uses);
    add_row(t, &omr_law_kinds[i].name, text);
  }
}

static void fill_law_words(table *t, omr_model model) {
  (void)model;
  const char *zone[] = {"zone", "quadratic, linear"}, *impact[] = {"impact", "true, false"};
  const char *passive[] = {"passive", "true, false"};
  const char *relaxation[] = {"relaxation", "coupled, contact_wise"};
  add_row(t, zone, "regularized_coulomb: friction below slip_speed; quadratic is the default");
  for (int i = 0; i < OMR_WEIGHTS_KINDS; i++) {
    const char *weights[] = {i ? "" : "weights", omr_weights_kinds[i].name};
    add_row(t, weights, omr_weights_kinds[i].meaning);
  }
  add_row(t, relaxation,
          "udwadia_kalaba: with the cross terms of G^-1 W between the wheels (default), or each contact by itself");
  add_row(t, passive,
          "udwadia_kalaba: a contact force that would do work on the slip loses its part along it; default false, as published");
  add_row(t, impact, "ideal_rolling and massless rollers: tangential impact at the start and at roller exchanges; default true");
}

static void fill_drives(table *t, omr_model model) {
  /* body is the last kind and needs a vehicle */
  add_kinds(t, omr_drive_kinds, omr_has_platform(model) ? OMR_DRIVE_KINDS : OMR_DRIVE_BODY, omr_wheel_parameters);
}

static void fill_commands(table *t, omr_model model) {
  (void)model;
  add_kinds(t, omr_command_kinds, OMR_COMMAND_KINDS, omr_vehicle_parameters);
}

static void fill_grounds(table *t, omr_model model) {
  (void)model;
  add_kinds(t, omr_ground_kinds, OMR_GROUND_KINDS, omr_vehicle_parameters);
}

static void fill_patches(table *t, omr_model model) {
  (void)model;
  add_kinds(t, omr_patch_kinds + 1, OMR_PATCH_KINDS - 1, omr_vehicle_parameters);
}

static void fill_spins(table *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_SPINS_KINDS; i++) add_row(t, &omr_spins_kinds[i].name, omr_spins_kinds[i].meaning);
}

static void fill_methods(table *t, omr_model model) {
  const int count = omr_small_model_of(model) ? OMR_METHOD_HEUN + 1 : OMR_METHOD_KINDS;
  for (int i = 0; i < count; i++) add_row(t, &omr_method_kinds[i].name, omr_method_kinds[i].meaning);
}

static void fill_stabilities(table *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_STABILITY_KINDS; i++) add_row(t, &omr_stability_kinds[i].name, omr_stability_kinds[i].meaning);
}

static void fill_failures(table *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_FAILURE_KINDS; i++) add_row(t, &omr_failure_kinds[i].name, omr_failure_kinds[i].meaning);
}

static void add_quantity(table *t, const char *name, const char *unit, const char *meaning) {
  const char *cells[] = {name, unit};
  add_row(t, cells, meaning);
}

static void fill_vehicle_samples(table *t, omr_model model) {
  (void)model;
#define X(id, name, unit, meaning) add_quantity(t, name, unit, meaning);
  OMR_VEHICLE_SAMPLES(X)
#undef X
}

static void fill_wheel_samples(table *t, omr_model model) {
  (void)model;
#define X(id, name, unit, meaning) add_quantity(t, name, unit, meaning);
  OMR_WHEEL_SAMPLES(X)
#undef X
}

static void fill_observables(table *t, omr_model model) {
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_flags_fit(omr_observables[i].group, model))
      add_quantity(t, omr_observables[i].name, omr_observables[i].unit, omr_observables[i].meaning);
}

static void fill_statuses(table *t, omr_model model) {
  (void)model;
#define X(id, code, name, meaning) add_quantity(t, #code, name, meaning);
  OMR_INSTANCE_STATUSES(X)
#undef X
}

/* As a study of the model without more words has them. */
static void fill_last_states(table *t, omr_model model) {
  const omr_study study = {
      .model = model, .wheels = 1, .budget = model != OMR_MODEL_DISC_VEHICLE, .penalty = model == OMR_MODEL_DISC_VEHICLE};
  omr_failures failures;
  omr_failures_make(&study, &failures);
  for (size_t j = 0; j < failures.vehicle_count; j++)
    add_quantity(t, failures.vehicle[j].name, failures.vehicle[j].unit, failures.vehicle[j].meaning);
  for (size_t j = 0; j < failures.wheel_count; j++)
    add_quantity(t, failures.wheel[j].name, failures.wheel[j].unit, failures.wheel[j].meaning);
}

static void fill_draws(table *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_DRAWS; i++) {
    const char *cells[] = {omr_draw_kinds[i].name, omr_draw_kinds[i].form};
    add_row(t, cells, omr_draw_kinds[i].meaning);
  }
}

static void fill_designs(table *t, omr_model model) {
  (void)model;
  for (int i = OMR_DESIGN_GRID; i < OMR_DESIGNS; i++) add_row(t, &omr_design_kinds[i].name, omr_design_kinds[i].meaning);
}

static void fill_statistics(table *t, omr_model model) {
  (void)model;
#define X(id, key, standard, meaning) add_quantity(t, key, standard, meaning);
  OMR_STATISTICS_KEYS(X)
#undef X
}

static void fill_stop(table *t, omr_model model) {
  (void)model;
#define X(id, key, standard, meaning) add_quantity(t, key, standard, meaning);
  OMR_STOP_KEYS(X)
#undef X
}

static void print_variation(FILE *out, omr_model model) {
  print_table(out, "Values of a varied parameter: vary", 2, fill_draws, model);
  print_table(out, "Designs: design.type", 1, fill_designs, model);
}

static void fill_small_words(table *t, omr_model model) {
  const omr_small_model *small = omr_small_model_of(model);
  const char *heads[] = {"word", "values"};
  add_row(t, heads, "meaning");
  for (int w = 0; w < small->words; w++) {
    for (int i = 0; i < small->word_list[w].count; i++) {
      const omr_small_choice *choice = &small->word_list[w].choices[i];
      const char *cells[] = {i ? "" : small->word_list[w].path, choice->name};
      add_row(t, cells, choice->meaning);
    }
  }
}

static void fill_small_samples(table *t, omr_model model) {
  const omr_small_model *small = omr_small_model_of(model);
  for (int i = 0; i < small->samples; i++)
    add_quantity(t, small->sample_list[i].name, small->sample_list[i].unit, small->sample_list[i].meaning);
}

static void print_small(FILE *out, omr_model model) {
  fprintf(out, "%s: %s\n", omr_model_names[model], omr_small_model_of(model)->meaning);
  fprintf(out, "A number is SI, text may carry a unit: \"45 deg\", \"0.2 ms\", \"30 cm\".\n");
  print_table(out, "Parameters", 4, fill_vehicle, model);
  print_table(out, "Words among the parameters", 2, fill_small_words, model);
  print_variation(out, model);
  print_table(out, "Methods: integrator.method", 1, fill_methods, model);
  print_table(out, "Steps too long to be stable: integrator.stability", 1, fill_stabilities, model);
  print_table(out, "Instances that fail: integrator.on_failure", 1, fill_failures, model);
  print_table(out, "Observables: one value per instance", 2, fill_observables, model);
  print_table(out, "Trajectories", 2, fill_small_samples, model);
  print_table(out, "Statistics of the instances: statistics", 2, fill_statistics, model);
  print_table(out, "When a run has enough instances: statistics.stop", 2, fill_stop, model);
  print_table(out, "Status of an instance", 2, fill_statuses, model);
  print_table(out, "Last good state of those that failed: group failures of the result", 2, fill_last_states, model);
}

static void print_all(FILE *out, omr_model model) {
  static const char *const about[OMR_MODELS] = {
      [OMR_MODEL_VEHICLE] = "a platform on 3 to 8 omni or mecanum wheels with explicit rollers",
      [OMR_MODEL_WHEEL] = "one wheel with explicit rollers on a test bench that keeps it upright",
      [OMR_MODEL_DISC_VEHICLE] = ("a platform on 3 to 8 discs with the rollers' direction painted on them: the usual "
                                  "simplification of omni and mecanum wheels")};
  fprintf(out, "%s: %s\n", omr_model_names[model], about[model]);
  fprintf(out, "A number is SI, text may carry a unit: \"45 deg\", \"0.2 ms\", \"30 cm\".\n");
  print_table(out, "Parameters", 4, fill_vehicle, model);
  print_table(out, "Parameters of the wheels: \"wheel\" for all, \"wheels\" for each (varied as wheel.X and wheels[0].X)", 4,
              fill_wheel, model);
  print_table(out, "Words among the parameters", 2, fill_words, model);
  print_table(out, "Laws of contact: contact.law", 1, fill_laws, model);
  print_table(out, "Words of the laws, in contact", 2, fill_law_words, model);
  print_table(out, "Drives: wheel.drive.type", 2, fill_drives, model);
  if (omr_has_platform(model)) print_table(out, "Commands: command.type", 2, fill_commands, model);
  print_table(out, "Ground: ground.type", 2, fill_grounds, model);
  print_table(out, "Patches of the ground: ground.patch0.shape to ground.patch3.shape", 2, fill_patches, model);
  if (model != OMR_MODEL_DISC_VEHICLE) print_table(out, "Rollers at the start: initial.spins", 1, fill_spins, model);
  print_variation(out, model);
  print_table(out, "Methods: integrator.method", 1, fill_methods, model);
  print_table(out, "Steps too long to be stable: integrator.stability", 1, fill_stabilities, model);
  print_table(out, "Instances that fail: integrator.on_failure", 1, fill_failures, model);
  print_table(out, "Observables: one value per instance", 2, fill_observables, model);
  print_table(out, "Trajectories: the vehicle", 2, fill_vehicle_samples, model);
  print_table(out, "Trajectories: each wheel", 2, fill_wheel_samples, model);
  print_table(out, "Statistics of the instances: statistics", 2, fill_statistics, model);
  print_table(out, "When a run has enough instances: statistics.stop", 2, fill_stop, model);
  print_table(out, "Status of an instance", 2, fill_statuses, model);
  print_table(out, "Last good state of those that failed: group failures of the result", 2, fill_last_states, model);
}

omr_status omr_describe(const char *model, FILE *out, omr_error *error) {
  for (int i = 0; i < OMR_MODELS; i++) {
    if (strcmp(model, omr_model_names[i]) != 0) continue;
    if (omr_small_model_of((omr_model)i))
      print_small(out, (omr_model)i);
    else
      print_all(out, (omr_model)i);
    return ferror(out) ? omr_fail(error, OMR_ERR_IO, "cannot write the description of %s", model) : OMR_OK;
  }
  char names[160] = "";
  for (size_t i = 0, length = 0; i < OMR_MODELS && length < sizeof names; i++)
    length += (size_t)snprintf(names + length, sizeof names - length, "%s\"%s\"", i ? ", " : "", omr_model_names[i]);
  return omr_fail(error, OMR_ERR_USAGE, "unknown model \"%s\"; there is: %s", model, names);
}
