#include "../study/distributions.h"
#include "../study/json.h"
#include "../study/parse.h"
#include "describe_classes.h"
#include "describe_keys.h"
#include "describe_kinds.h"
#include "describe_listing.h"
#include "describe_system.h"
#include "failures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef void fill_fn(omr_listing *t, omr_model model);

static const char *const parameter_heads[] = {"parameter", "unit", "default", "bounds"};

static void fill_vehicle(omr_listing *t, omr_model model) {
  omr_listing_heads(t, parameter_heads);
  for (int i = 0; i < OMR_VP_COUNT; i++) omr_listing_parameter(t, false, i, model);
}

static void fill_wheel(omr_listing *t, omr_model model) {
  omr_listing_heads(t, parameter_heads);
  for (int i = 0; i < OMR_WP_COUNT; i++) omr_listing_parameter(t, true, i, model);
}

static void add_word(omr_listing *t, const char *name, const char *values, const char *meaning) {
  const char *cells[] = {name, values};
  omr_listing_row(t, cells, meaning);
}

static void fill_words(omr_listing *t, omr_model model) {
#define X(path, values, models, meaning)                                                           \
  if (omr_parameter_belongs(&(omr_parameter){.flags = models}, model))                             \
    add_word(t, path, values, omr_framed_word(t->frame, path, meaning));
#include "../lists/words_omni.def"
#undef X
}

static void fill_law_words(omr_listing *t, omr_model model) {
  (void)model;
#define X(key, values, laws, text)                                                                 \
  if (strcmp(key, "weights") != 0)                                                                 \
    add_word(t, key, values, text);                                                                \
  else                                                                                             \
    for (int i = 0; i < OMR_WEIGHTS_KINDS; i++)                                                    \
      add_word(t, i ? "" : key, omr_weights_kinds[i].name, omr_weights_kinds[i].meaning);
#include "../lists/words_law.def"
#undef X
}

static void fill_spins(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_SPINS_KINDS; i++)
    omr_listing_row(t, &omr_spins_kinds[i].name, omr_spins_kinds[i].meaning);
}

static void fill_methods(omr_listing *t, omr_model model) {
  for (int i = 0; omr_model_is_own(model) && i < 2; i++) /* the reference's */
    omr_listing_row(t, &omr_own_methods[i], omr_own_method_meanings[i]);
  if (omr_model_is_own(model)) return;
  for (int i = 0; i < OMR_METHOD_KINDS; i++) {
    const omr_method method = (omr_method)i;
    if (omr_small_list_of(model) && (!omr_is_explicit(method) || omr_is_pair(method))) continue;
    omr_listing_row(t, &omr_method_kinds[i].name, omr_method_kinds[i].meaning);
  }
}

static void fill_stabilities(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_STABILITY_KINDS; i++)
    omr_listing_row(t, &omr_stability_kinds[i].name, omr_stability_kinds[i].meaning);
}

static void fill_backends(omr_listing *t, omr_model model) {
  for (int i = 0; i < OMR_BACKEND_KINDS; i++)
    if (i == OMR_BACKEND_REFERENCE || !omr_model_is_own(model))
      omr_listing_row(t, &omr_backend_kinds[i].name, omr_backend_kinds[i].meaning);
}

static void fill_failures(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_FAILURE_KINDS; i++)
    omr_listing_row(t, &omr_failure_kinds[i].name, omr_failure_kinds[i].meaning);
}

static void add_quantity(omr_listing *t, const char *name, const char *unit, const char *meaning) {
  const char *cells[] = {name, unit};
  omr_listing_row(t, cells, meaning);
}

static void add_sample(omr_listing *t, omr_framing turn, omr_sample_info as_listed) {
  const omr_sample_info info = omr_framed_sample(turn, as_listed);
  add_quantity(t, info.name, info.unit, info.meaning);
}

static void fill_vehicle_samples(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_VS_COUNT; i++)
    add_sample(t, omr_vehicle_sample_turn(t->frame, i), omr_vehicle_samples[i]);
}

static void fill_wheel_samples(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_WS_COUNT; i++)
    add_sample(t, omr_wheel_sample_turn(t->frame, i), omr_wheel_samples[i]);
}

static void fill_observables(omr_listing *t, omr_model model) {
  const char *heads[] = {"observable", "unit", "default"};
  omr_listing_heads(t, heads);
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    const omr_observable o = omr_framed_observable(t->frame, i);
    const bool sprung = o.group & OMR_OF_COMPLIANT && omr_has_platform(model);
    const char *cells[] = {o.name, o.unit,
                           o.group & OMR_ON_DEMAND ? "if named"
                           : sprung                ? "compliant"
                                                   : "on"};
    if (omr_observable_fits(i, model, -1)) omr_listing_row(t, cells, o.meaning);
  }
}

static void fill_statuses(omr_listing *t, omr_model model) {
  (void)model;
#define X(id, code, name, meaning) add_quantity(t, #code, name, meaning);
#include "../lists/statuses.def"
#undef X
}

static void add_meaning(omr_listing *t, const char *word, const char *meaning) {
  omr_listing_row(t, &word, meaning);
}

static void fill_mistakes(omr_listing *t, omr_model model) {
  (void)model;
#define X(id, word, meaning) add_meaning(t, word, meaning);
#include "../lists/mistakes.def"
#undef X
}

static void fill_doubts(omr_listing *t, omr_model model) {
  (void)model;
#define X(id, word, meaning) add_meaning(t, word, meaning);
#include "../lists/doubts.def"
#undef X
}

/* As a study of the model without more words has them. */
static void fill_last_states(omr_listing *t, omr_model model) {
  const omr_study study = {.model = model,
                           .frame = t->frame,
                           .wheels = 1,
                           .budget = model != OMR_MODEL_DISC_VEHICLE,
                           .penalty = model == OMR_MODEL_DISC_VEHICLE};
  omr_failures failures;
  if (omr_failures_make(&study, &failures, NULL) != OMR_OK) return;
  for (size_t j = 0; j < failures.vehicle_count; j++)
    add_quantity(t, failures.vehicle[j].name, failures.vehicle[j].unit,
                 failures.vehicle[j].meaning);
  for (size_t j = 0; j < failures.wheel_count; j++)
    add_quantity(t, failures.wheel[j].name, failures.wheel[j].unit, failures.wheel[j].meaning);
}

static void fill_draws(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_DRAWS; i++) {
    const char *cells[] = {omr_draw_kinds[i].name, omr_draw_kinds[i].form};
    omr_listing_row(t, cells, omr_draw_kinds[i].meaning);
  }
}

static void fill_designs(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_DESIGNS; i++)
    if (!omr_design_is_given((omr_design)i))
      omr_listing_row(t, &omr_design_kinds[i].name, omr_design_kinds[i].meaning);
}

static void fill_statistics(omr_listing *t, omr_model model) {
  (void)model;
#define X(id, key, standard, meaning) add_quantity(t, key, standard, meaning);
#include "../lists/keys_statistics.def"
#undef X
}

static void fill_stop(omr_listing *t, omr_model model) {
  (void)model;
#define X(id, key, standard, meaning) add_quantity(t, key, standard, meaning);
#include "../lists/keys_stop.def"
#undef X
}

static void fill_shapes(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_SHAPE_COUNT; i++)
    add_sample(t, omr_wheel_shape_turn(t->frame, i), omr_wheel_shapes[i]);
}

static void fill_drifts(omr_listing *t, omr_model model) {
  (void)model;
  for (int i = 0; i < OMR_DRIFT_COUNT; i++)
    add_sample(t, omr_drift_turn(t->frame, i), omr_drift_samples[i]);
}

static void fill_small_words(omr_listing *t, omr_model model) {
  const omr_small_list *small = omr_small_list_of(model);
  const char *heads[] = {"word", "values"};
  omr_listing_heads(t, heads);
  for (int w = 0; w < small->words; w++) {
    for (int i = 0; i < omr_word_choices(&small->word_list[w]); i++) {
      const omr_small_choice *choice = &small->word_list[w].choices[i];
      const char *cells[] = {i ? "" : small->word_list[w].path, choice->name};
      omr_listing_row(t, cells, choice->meaning);
    }
  }
}

/* What a study of a model without lists names itself. */
static void fill_own(omr_listing *t, omr_model model) {
  const char *heads[] = {"place", "form"};
  if (!omr_model_is_own(model)) return;
  omr_listing_heads(t, heads);
#define X(id, place, form, meaning) add_word(t, place, form, meaning);
#include "../lists/keys_own.def"
#undef X
}

static void fill_small_samples(omr_listing *t, omr_model model) {
  const omr_small_list *small = omr_small_list_of(model);
  for (int i = 0; i < small->samples; i++)
    add_sample(t, omr_small_sample_turn(t->frame, model, small->sample_ids[i]),
               small->sample_list[i]);
}

static void fill_frames(omr_listing *t, omr_model model) {
  if (omr_model_is_own(model)) return; /* its axes are the study's */
  for (int f = 0; f < OMR_FRAMES; f++)
    omr_listing_row(t, &omr_frame_list[f].name, omr_frame_list[f].meaning);
}

/* A quantity that another frame than the first turns: its name in the first one, and here. */
static void add_turn(omr_listing *t, omr_frame_kind frame, const char *of, const char *name,
                     omr_framing turn) {
  const char *cells[] = {omr_frame_list[frame].name, of, name, turn.name ? turn.name : name,
                         turn.how & OMR_TURN_NEGATED ? "-" : "+"};
  if (turn.how & (OMR_TURN_NEGATED | OMR_TURN_RENAMED))
    omr_listing_row(t, cells, turn.meaning ? turn.meaning : "");
}

static void add_vehicle_turns(omr_listing *t, omr_frame_kind frame) {
  for (int i = 0; i < OMR_VS_COUNT; i++)
    add_turn(t, frame, "sample", omr_vehicle_samples[i].name, omr_vehicle_sample_turn(frame, i));
  for (int i = 0; i < OMR_WS_COUNT; i++)
    add_turn(t, frame, "wheel sample", omr_wheel_samples[i].name, omr_wheel_sample_turn(frame, i));
  for (int i = 0; i < OMR_SHAPE_COUNT; i++)
    add_turn(t, frame, "wheel shape", omr_wheel_shapes[i].name, omr_wheel_shape_turn(frame, i));
}

static void add_turns(omr_listing *t, omr_model model, omr_frame_kind frame) {
  const omr_small_list *small = omr_small_list_of(model);
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (omr_parameter_belongs(&omr_vehicle_parameters[i], model))
      add_turn(t, frame, "parameter", omr_vehicle_parameters[i].path,
               omr_parameter_turn(frame, false, i));
  for (int i = 0; i < OMR_WP_COUNT; i++)
    if (omr_parameter_belongs(&omr_wheel_parameters[i], model))
      add_turn(t, frame, "of wheels", omr_wheel_parameters[i].path,
               omr_parameter_turn(frame, true, i));
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_observable_fits(i, model, -1))
      add_turn(t, frame, "observable", omr_observables[i].name, omr_observable_turn(frame, i));
  for (int i = 0; small && i < small->samples; i++)
    add_turn(t, frame, "sample", small->sample_list[i].name,
             omr_small_sample_turn(frame, model, small->sample_ids[i]));
  if (!small) add_vehicle_turns(t, frame);
}

static void fill_turns(omr_listing *t, omr_model model) {
  const char *heads[] = {"in", "what", "y_up", "here", "sign"};
  omr_listing_heads(t, heads);
  for (int f = 0; f < OMR_FRAMES; f++) add_turns(t, model, (omr_frame_kind)f);
}

/* Keys of the tables as JSON, and of their cells but the last one, "meaning". */
static const struct section {
  fill_fn *fill;
  const char *key, *names[5];
} sections[] = {
    {omr_fill_section_keys, "sections", {"name", "unit", "default", "values"}},
    {fill_frames, "frames", {"name"}},
    {fill_turns, "frame_turns", {"frame", "of", "name", "here", "sign"}},
    {fill_vehicle, "parameters", {"name"}},
    {fill_wheel, "wheel_parameters", {"name"}},
    {fill_words, "words", {"name", "values"}},
    {fill_small_words, "words", {"name", "values"}},
    {fill_own, "own_names", {"name", "form"}},
    {omr_fill_system_keys, "system_keys", {"of", "name", "form"}},
    {omr_fill_system_kinds, "system_kinds", {"of", "name", "source"}},
    {omr_fill_system_edges, "system_edges", {"of", "name", "unit", "default"}},
    {omr_fill_system_quantities, "system_quantities", {"name", "unit", "in_forces"}},
    {omr_fill_functions, "functions", {"name"}},
    {omr_fill_laws, "laws", {"name"}},
    {fill_law_words, "law_words", {"name", "values"}},
    {omr_fill_drives, "drives", {"name", "uses"}},
    {omr_fill_commands, "commands", {"name", "uses"}},
    {omr_fill_replay_keys, "replay_keys", {"of", "name", "default", "values"}},
    {omr_fill_externals, "externals", {"name", "uses"}},
    {omr_fill_grounds, "grounds", {"name", "uses"}},
    {omr_fill_patches, "patches", {"name", "uses"}},
    {fill_spins, "spins", {"name"}},
    {omr_fill_vary_keys, "vary_keys", {"name", "unit", "default", "values"}},
    {fill_draws, "draws", {"name", "form"}},
    {fill_designs, "designs", {"name"}},
    {omr_fill_design_keys, "design_keys", {"name", "unit", "default", "values"}},
    {omr_fill_data_keys, "data_keys", {"of", "name", "unit", "default", "values"}},
    {omr_fill_calibrate_keys, "calibrate_keys", {"name", "unit", "default", "values"}},
    {omr_fill_excite_keys, "excite_keys", {"name", "unit", "default", "values"}},
    {omr_fill_manoeuvres, "manoeuvres", {"name"}},
    {omr_fill_integrator_keys, "integrator_keys", {"name", "unit", "default", "values"}},
    {fill_methods, "methods", {"name"}},
    {fill_stabilities, "stability", {"name"}},
    {fill_failures, "on_failure", {"name"}},
    {omr_fill_output_keys, "output_keys", {"name", "unit", "default", "values"}},
    {omr_fill_trajectories_keys, "trajectories_keys", {"name", "unit", "default", "values"}},
    {fill_observables, "observables", {"name", "unit", "default"}},
    {fill_vehicle_samples, "samples", {"name", "unit"}},
    {fill_small_samples, "samples", {"name", "unit"}},
    {fill_wheel_samples, "wheel_samples", {"name", "unit"}},
    {fill_shapes, "wheel_shapes", {"name", "unit"}},
    {fill_drifts, "reference_samples", {"name", "unit"}},
    {fill_backends, "backends", {"name"}},
    {omr_fill_engine_keys, "engine_keys", {"name", "unit", "default", "values"}},
    {fill_statistics, "statistics", {"name", "default"}},
    {fill_stop, "stop", {"name", "default"}},
    {fill_statuses, "statuses", {"code", "name"}},
    {fill_mistakes, "mistakes", {"name"}},
    {fill_doubts, "doubts", {"name"}},
    {fill_last_states, "last_states", {"name", "unit"}},
};

static void add_json_table(omr_page *page, int columns, fill_fn *fill, omr_model model) {
  omr_listing t = {.columns = columns, .page = page, .frame = page->frame};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    if (sections[i].fill != fill) continue;
    cJSON *rows = cJSON_CreateArray();
    omr_page_add(page, page->json, sections[i].key, rows);
    t.rows = rows;
    t.names = sections[i].names;
    if (!page->failed) fill(&t, model);
    return;
  }
  page->failed = true; /* a table without a key: the tests ask for every model */
}

/* As a list of its names says; a line of heads is no row. */
static bool has_rows(omr_page *page, int columns, fill_fn *fill, omr_model model) {
  cJSON *rows = cJSON_CreateArray();
  omr_page counted = {.frame = page->frame, .json = rows};
  const char *const names[OMR_LISTING_COLUMNS] = {"1", "2", "3", "4", "5"};
  omr_listing t = {
      .columns = columns, .frame = page->frame, .page = &counted, .rows = rows, .names = names};
  if (rows) fill(&t, model);
  const bool some = cJSON_GetArraySize(rows) > 0;
  cJSON_Delete(rows);
  page->failed |= !rows || counted.failed;
  return some;
}

static void print_table(omr_page *page, const char *heading, int columns, fill_fn *fill,
                        omr_model model) {
  omr_listing t = {.columns = columns, .frame = page->frame};
  if (page->json) {
    add_json_table(page, columns, fill, model);
    return;
  }
  if (!has_rows(page, columns, fill, model)) return;
  fprintf(page->out, "\n%s\n\n", heading);
  fill(&t, model);
  t.out = page->out;
  fill(&t, model);
}

static void print_head(omr_page *page, omr_model model, const char *meaning) {
  if (page->json) {
    omr_page_add(page, page->json, "model", cJSON_CreateString(omr_model_names[model]));
    omr_page_add(page, page->json, "meaning", cJSON_CreateString(meaning));
    omr_page_add(page, page->json, "frame", cJSON_CreateString(omr_frame_list[page->frame].name));
    return;
  }
  fprintf(page->out, "%s: %s\n", omr_model_names[model], meaning);
  fprintf(page->out, "A number is SI, text may carry a unit: \"45 deg\", \"0.2 ms\", \"30 cm\".\n");
  if (page->frame != OMR_FRAME_Y_UP)
    fprintf(page->out, "Names, signs and meanings of the frame %s.\n",
            omr_frame_list[page->frame].name);
}

static void print_sections(omr_page *page, omr_model model) {
  print_table(page, "Sections of a study", 4, omr_fill_section_keys, model);
  print_table(page, "Axes and signs: frame", 1, fill_frames, model);
  print_table(page, "What a frame names otherwise, or counts the other way", 5, fill_turns, model);
}

static void print_integrator(omr_page *page, omr_model model) {
  print_table(page, "Keys of integrator", 4, omr_fill_integrator_keys, model);
  print_table(page, "Methods: integrator.method", 1, fill_methods, model);
  print_table(page, "Steps too long to be stable: integrator.stability", 1, fill_stabilities,
              model);
  print_table(page, "Instances that fail: integrator.on_failure", 1, fill_failures, model);
  print_table(page, "Keys of output", 4, omr_fill_output_keys, model);
  print_table(page, "Keys of output.trajectories", 4, omr_fill_trajectories_keys, model);
}

/* What is the same for every model, from the end of a run on. */
static void print_outcome(omr_page *page, omr_model model) {
  print_table(page, "In a file of omniroll reference besides", 2, fill_drifts, model);
  print_table(page, "Statistics of the instances: statistics", 2, fill_statistics, model);
  print_table(page, "When a run has enough instances: statistics.stop", 2, fill_stop, model);
  print_table(page, "Keys of engine", 4, omr_fill_engine_keys, model);
  print_table(page, "Where a study runs: engine.backend", 1, fill_backends, model);
  print_table(page, "Status of an instance", 2, fill_statuses, model);
  print_table(page, "Mistakes in a study file: codes of validate --json", 1, fill_mistakes, model);
  print_table(page, "Last good state of those that failed: group failures of the result", 2,
              fill_last_states, model);
}

static void print_variation(omr_page *page, omr_model model) {
  print_table(page, "Keys of an entry of vary", 4, omr_fill_vary_keys, model);
  print_table(page, "Values of a varied parameter: vary", 2, fill_draws, model);
  print_table(page, "Designs: design.type", 1, fill_designs, model);
  print_table(page, "Keys of design", 4, omr_fill_design_keys, model);
  print_table(page, "Measured runs: data", 5, omr_fill_data_keys, model);
  print_table(page, "How parameters are fitted to them: calibrate", 4, omr_fill_calibrate_keys,
              model);
  print_table(page, "How a manoeuvre is looked for: excite", 4, omr_fill_excite_keys, model);
  print_table(page, "Families of manoeuvres: excite.families", 1, omr_fill_manoeuvres, model);
}

static void print_system(omr_page *page, omr_model model) {
  print_table(page, "Names of the study's own", 2, fill_own, model);
  print_table(page, "Multibody systems: keys of system, classes, groups and bodies", 3,
              omr_fill_system_keys, model);
  print_table(page, "Kinds of constraints, contacts, forces, shapes and measures", 3,
              omr_fill_system_kinds, model);
  print_table(page, "Their keys, besides the kind and \"between\": [A, B]", 4,
              omr_fill_system_edges, model);
  print_table(page, "Numbers of the moving system in expressions", 3, omr_fill_system_quantities,
              model);
  print_table(page, "Functions in expressions", 1, omr_fill_functions, model);
}

static void print_small(omr_page *page, omr_model model) {
  print_head(page, model, omr_model_meanings[model]);
  print_sections(page, model);
  print_table(page, "Parameters", 4, fill_vehicle, model);
  print_table(page, "Words among the parameters", 2, fill_small_words, model);
  if (omr_model_is_own(model)) print_system(page, model);
  print_variation(page, model);
  print_integrator(page, model);
  print_table(page, "Observables: one value per instance", 3, fill_observables, model);
  print_table(page, "Trajectories", 2, fill_small_samples, model);
  print_outcome(page, model);
}

static void print_all(omr_page *page, omr_model model) {
  print_head(page, model, omr_model_meanings[model]);
  print_sections(page, model);
  print_table(page, "Parameters", 4, fill_vehicle, model);
  print_table(page,
              "Parameters of the wheels: \"wheel\" for all, \"wheels\" for each (varied as wheel.X "
              "and wheels[0].X)",
              4, fill_wheel, model);
  print_table(page, "Words among the parameters", 2, fill_words, model);
  print_table(page, "Laws of contact: contact.law", 1, omr_fill_laws, model);
  print_table(page, "Words of the laws, in contact", 2, fill_law_words, model);
  print_table(page, "Drives: wheel.drive.type", 2, omr_fill_drives, model);
  if (omr_has_platform(model))
    print_table(page, "Commands: command.type", 2, omr_fill_commands, model);
  print_table(page, "Measured inputs: replay", 4, omr_fill_replay_keys, model);
  print_table(page, "External force and torque: external.type", 2, omr_fill_externals, model);
  print_table(page, "Ground: ground.type", 2, omr_fill_grounds, model);
  print_table(page, "Patches of the ground: ground.patch0.shape to ground.patch3.shape", 2,
              omr_fill_patches, model);
  if (model != OMR_MODEL_DISC_VEHICLE)
    print_table(page, "Rollers at the start: initial.spins", 1, fill_spins, model);
  print_variation(page, model);
  print_integrator(page, model);
  print_table(page, "Observables: one value per instance", 3, fill_observables, model);
  print_table(page, "Trajectories: the vehicle", 2, fill_vehicle_samples, model);
  print_table(page, "Trajectories: each wheel", 2, fill_wheel_samples, model);
  print_table(page, "What each wheel of a traced instance is", 2, fill_shapes, model);
  print_table(page, "What is legal and hardly meant: warnings of show and validate", 1, fill_doubts,
              model);
  print_outcome(page, model);
}

static omr_status find_model(const char *model, omr_model *found, omr_error *error) {
  for (int i = 0; i < OMR_MODELS; i++) {
    if (strcmp(model, omr_model_names[i]) != 0) continue;
    *found = (omr_model)i;
    return OMR_OK;
  }
  const char *nearest = omr_nearest(model, omr_model_names, OMR_MODELS);
  if (nearest)
    return omr_fail(error, OMR_ERR_USAGE, "unknown model \"%s\"; did you mean \"%s\"?", model,
                    nearest);
  char names[160] = "";
  for (size_t i = 0, length = 0; i < OMR_MODELS && length < sizeof names; i++)
    length += (size_t)snprintf(names + length, sizeof names - length, "%s\"%s\"", i ? ", " : "",
                               omr_model_names[i]);
  return omr_fail(error, OMR_ERR_USAGE, "unknown model \"%s\"; there is: %s", model, names);
}

static void print_model(omr_page *page, omr_model model) {
  if (omr_small_list_of(model))
    print_small(page, model);
  else
    print_all(page, model);
}

static omr_status find_frame(const char *frame, omr_frame_kind *found, omr_error *error) {
  const char *names[OMR_FRAMES];
  char list[OMR_FRAMES * 16] = "";
  *found = OMR_FRAME_Y_UP;
  for (int f = 0; f < OMR_FRAMES; f++) {
    names[f] = omr_frame_list[f].name;
    if (frame && strcmp(frame, names[f]) == 0) *found = (omr_frame_kind)f;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s\"%s\"", f ? ", " : "", names[f]);
  }
  if (!frame || strcmp(frame, names[*found]) == 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE, "unknown frame \"%s\"; there is: %s", frame, list);
}

omr_status omr_describe_in(const char *model, const char *frame, FILE *out, omr_error *error) {
  omr_page page = {.out = out};
  omr_model found = OMR_MODEL_VEHICLE;
  omr_status status = find_model(model, &found, error);
  if (status == OMR_OK) status = find_frame(frame, &page.frame, error);
  if (status != OMR_OK) return status;
  print_model(&page, found);
  if (page.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  return ferror(out) ? omr_fail(error, OMR_ERR_IO, "cannot write the description of %s", model)
                     : OMR_OK;
}

omr_status omr_describe_json_in(const char *model, const char *frame, char **json,
                                omr_error *error) {
  omr_page page = {0};
  omr_model found = OMR_MODEL_VEHICLE;
  *json = NULL;
  omr_status status = find_model(model, &found, error);
  if (status == OMR_OK) status = find_frame(frame, &page.frame, error);
  if (status != OMR_OK) return status;
  page.json = cJSON_CreateObject();
  if (page.json) print_model(&page, found);
  if (page.json && !omr_add_classes(page.json)) page.failed = true;
  if (page.json && !page.failed) *json = omr_json_print(page.json);
  cJSON_Delete(page.json);
  return *json ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

omr_status omr_describe(const char *model, FILE *out, omr_error *error) {
  return omr_describe_in(model, NULL, out, error);
}

omr_status omr_describe_json(const char *model, char **json, omr_error *error) {
  return omr_describe_json_in(model, NULL, json, error);
}

const char *omr_model_name(size_t index) {
  return index < OMR_MODELS ? omr_model_names[index] : NULL;
}
