#include "parse.h"
#include "../../support/input.h"
#include "rules.h"

#include "../formulas.h"
#include "../system/graph.h"
#include "../tables/height_map.h"
#include "../tables/replay.h"

#include <stdlib.h>
#include <string.h>

static omr_status check_description(omr_reader *reader, const cJSON *root) {
  const cJSON *item = omr_json_get(root, "description"), *line;
  if (!item || cJSON_IsString(item)) return OMR_OK;
  if (!cJSON_IsArray(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected text in quotes or a list of lines");
  cJSON_ArrayForEach(line, item) {
    if (!cJSON_IsString(line))
      return OMR_MISTAKEN(reader, line, OMR_MISTAKE_TYPE, "expected a line of text in quotes");
  }
  return OMR_OK;
}

static omr_status read_model(omr_reader *reader, const cJSON *root) {
  int model = OMR_MODEL_VEHICLE;
  OMR_TRY(omr_read_word(reader, omr_json_get(root, "model"), omr_model_names, OMR_MODELS, &model));
  reader->study->model = (omr_model)model;
  return OMR_OK;
}

static omr_status read_frame(omr_reader *reader, const cJSON *root) {
  const char *names[OMR_FRAMES];
  int frame = OMR_FRAME_Y_UP;
  for (int f = 0; f < OMR_FRAMES; f++) names[f] = omr_frame_list[f].name;
  OMR_TRY(omr_read_choice(reader, root, "frame", names, OMR_FRAMES, &frame));
  reader->study->frame = (omr_frame_kind)frame;
  if (frame == OMR_FRAME_Y_UP || !omr_model_is_own(reader->study->model)) return OMR_OK;
  return OMR_REFUSE(reader, omr_json_get(root, "frame"),
                    "the axes of a %s study are those that its own numbers are written in, and no "
                    "frame turns them; leave \"frame\" out, or write \"%s\"",
                    omr_model_names[reader->study->model], omr_frame_list[OMR_FRAME_Y_UP].name);
}

/* Only models that are made of a "system" take one. */
static omr_status check_system(omr_reader *reader, const cJSON *root) {
  const cJSON *system = omr_json_get(root, "system");
  const omr_model model = reader->study->model;
  if (!system || omr_model_is_own(model)) return OMR_OK;
  return OMR_REFUSE(reader, system,
                    "the model %s has no \"system\": that belongs to \"model\": \"%s\"; leave "
                    "\"system\" out, or choose that model",
                    omr_model_names[model], omr_model_names[OMR_MODEL_MULTIBODY]);
}

static omr_status keep_text(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  study->name = strdup(reader->json.name);
  if (!study->title) study->title = strdup("");
  study->text = omr_json_print(root);
  if (!study->name || !study->title || !study->text) return omr_fail_memory(reader);
  omr_hash_hex(study->text, strlen(study->text), study->hash);
  return OMR_OK;
}

/* Its other members would be mistakes as well. */
static omr_status refuse_optimum(omr_reader *reader) {
  const cJSON *format = omr_json_get(reader->json.root, "format");
  if (!cJSON_IsString(format) || strncmp(format->valuestring, "omniroll optimum", 16) != 0)
    return OMR_OK;
  return OMR_REFUSE(reader, format,
                    "this is what omniroll optimize found, and no study; the best candidates are "
                    "studies beside it, FILE.1.json the winner, and omniroll report shows it");
}

static omr_status read_study(omr_reader *reader) {
  const cJSON *root = reader->json.root;
  if (!cJSON_IsObject(root))
    return OMR_REFUSE(reader, root, "a study is an object: {\"model\": ...}");

  /* The model and the frame decide which names the rest of the study may use. */
  OMR_TRY(omr_read_keys(reader, root, OMR_SECTION_STUDY, reader->study));
  OMR_TRY(check_description(reader, root));
  OMR_TRY(read_model(reader, root));
  OMR_TRY(check_system(reader, root));
  OMR_TRY(read_frame(reader, root));
  OMR_TRY(omr_replace_wheel_names(reader, reader->json.root));

  /* Measured data may set the times of the run, so both are read before the parameters. */
  OMR_TRY(omr_read_data(reader, root));
  OMR_TRY(omr_read_integrator(reader, root));
  OMR_TRY(omr_check_data(reader, root));
  OMR_TRY(omr_model_is_own(reader->study->model) ? omr_read_graph(reader, root)
                                                 : omr_read_parameters(reader, root));
  OMR_TRY(omr_check_measured_wheels(reader, root));
  OMR_TRY(omr_check_method(reader, root));

  /* Checks of the physics follow the variations, because a varied value counts as well. */
  OMR_TRY(omr_read_variations(reader, root));
  OMR_TRY(omr_check_rows(reader));
  OMR_TRY(omr_check_graph(reader, root));
  OMR_TRY(omr_check_stage(reader, OMR_RULES_BEARINGS));
  OMR_TRY(omr_check_stage(reader, OMR_RULES_DRY));
  OMR_TRY(omr_check_yaw_loss(reader));
  OMR_TRY(omr_check_compliant(reader));

  /* The design combines the variations to instances. */
  OMR_TRY(omr_read_design(reader, root));
  OMR_TRY(omr_check_calibrate(reader, root));
  OMR_TRY(omr_check_replays(reader));
  OMR_TRY(omr_check_motion(reader));

  /* Output and statistics name quantities of the model that is now known. */
  OMR_TRY(omr_read_output(reader, root));
  OMR_TRY(omr_read_statistics(reader, root));
  OMR_TRY(omr_read_objectives(reader, root));
  OMR_TRY(omr_read_stop(reader, root));
  OMR_TRY(omr_read_step_error(reader, root));
  OMR_TRY(omr_read_engine(reader, root));
  OMR_TRY(omr_check_stage(reader, OMR_RULES_CURRENTS));
  OMR_TRY(omr_check_budget(reader, root));
  OMR_TRY(omr_read_made_of(reader, root));

  return keep_text(reader, root);
}

/* From the beginning, into a study of its own. */
static omr_status read_again(omr_reader *reader) {
  const omr_reader kept = *reader;
  omr_study_destroy(reader->study);
  *reader = (omr_reader){.json = kept.json,
                         .study = calloc(1, sizeof *reader->study),
                         .error = kept.error,
                         .values_file = kept.values_file,
                         .as_written = kept.as_written};
  return reader->study ? read_study(reader) : omr_fail_memory(reader);
}

static size_t instances_as_written(const omr_reader *reader) {
  omr_study *written = NULL;
  omr_error *own = calloc(1, sizeof *own);
  size_t count = 0;
  if (own &&
      omr_study_parse(reader->json.text, reader->json.name, NULL, 0, &written, own) == OMR_OK)
    count = written->instances;
  omr_study_destroy(written);
  free(own);
  return count;
}

/* One assignment of --set. */
static omr_status set(omr_json *json, const char *assignment, omr_error *error) {
  cJSON *before = omr_own_parameters(json);
  omr_status status = omr_json_set(json, assignment, error);
  if (status == OMR_OK && before) status = omr_refuse_lost_unit(json, before, assignment, error);
  cJSON_Delete(before);
  return status;
}

static omr_status parse(const char *text, size_t length, const char *name,
                        const char *const *overrides, size_t count, const char *values_file,
                        omr_study **study, omr_error *error) {
  omr_reader reader = {.error = error,
                       .study = calloc(1, sizeof **study),
                       .values_file = values_file,
                       .as_written = count ? instances_as_written : NULL};

  /* A text in another format than JSON is refused with the name of its format. */
  omr_status status = reader.study ? OMR_OK
                                   : omr_fail(error, OMR_ERR_MEMORY,
                                              "%s: out of memory while reading the study", name);
  if (status == OMR_OK) status = omr_refuse_other_format(text, length, name, error);
  if (status == OMR_OK) status = omr_json_parse(&reader.json, text, length, name, error);

  /* Assignments change the text that is read: first those that choose a variant, so that the others
   * count for each. */
  for (size_t i = 0; i < count && status == OMR_OK; i++)
    if (omr_is_choice(overrides[i])) status = omr_json_set(&reader.json, overrides[i], error);
  if (status == OMR_OK) status = omr_take_variant(&reader.json, error);
  for (size_t i = 0; i < count && status == OMR_OK; i++)
    if (!omr_is_choice(overrides[i])) status = set(&reader.json, overrides[i], error);

  /* A study with a mistake is read again without it, to find the others. */
  if (status == OMR_OK) status = refuse_optimum(&reader);
  if (status == OMR_OK) {
    status = read_study(&reader);
    if (status == OMR_ERR_STUDY && error) omr_find_more_mistakes(&reader, read_again);
  }

  /* The caller takes the study. */
  omr_json_free(&reader.json);
  if (status == OMR_OK)
    *study = reader.study;
  else
    omr_study_destroy(reader.study);
  return status;
}

omr_status omr_study_parse(const char *text, const char *name, const char *const *overrides,
                           size_t count, omr_study **study, omr_error *error) {
  return omr_study_parse_kept(text, name, overrides, count, NULL, study, error);
}

omr_status omr_study_parse_kept(const char *text, const char *name, const char *const *overrides,
                                size_t count, const char *result_path, omr_study **study,
                                omr_error *error) {
  *study = NULL;
  return parse(text, strlen(text), name, overrides, count, result_path, study, error);
}

omr_status omr_study_load(const char *path, const char *const *overrides, size_t count,
                          omr_study **study, omr_error *error) {
  char *text;
  size_t length;
  *study = NULL;
  OMR_TRY(omr_check_study_file(path, error));
  OMR_TRY(omr_read_study_file(path, &text, &length, error));
  const omr_status status = parse(text, length, path, overrides, count, NULL, study, error);
  free(text);
  return status;
}

static void free_table(omr_table *table) {
  free(table->time);
  free(table->value);
}

static void free_variations(omr_study *study) {
  for (size_t v = 0; v < study->variation_count; v++) {
    free(study->variations[v].path);
    free(study->variations[v].column);
    free(study->variations[v].values);
    free(study->variations[v].cumulative);
  }
  free(study->variations);
}

static void free_sample(omr_sampling *sample) {
  free(sample->directions);
  free(sample->bases);
  free(sample->strata);
  free(sample->factor);
  free(sample->criterion);
}

void omr_study_destroy(omr_study *study) {
  if (!study) return;

  /* Tables and logs of the inputs. */
  for (int wheel = 0; wheel < OMR_MAX_WHEELS; wheel++) free_table(&study->drives.table[wheel]);
  for (int wheel = 0; wheel < OMR_MAX_WHEELS; wheel++)
    omr_replay_free(&study->drives.replay[wheel]);
  omr_replay_free(&study->command.replay);
  omr_height_map_free(&study->floor.map);
  free_table(&study->command.table);
  free_table(&study->external.table);

  /* The variations, the graph and the design. */
  free_variations(study);
  omr_graph_destroy(study->graph);
  free_sample(&study->sample);
  free(study->design.table);
  omr_candidates_free(&study->candidates);

  /* Settings of the run and of its results. */
  free(study->spin_values);
  omr_formulas_free(study->formulas, study->formula_count);
  free(study->ask);
  free(study->traces.instances);
  free(study->traces.extremes);
  free(study->log_note);
  free(study->traces.note);
  free(study->made_of.study);
  free(study->made_of.instances);
  free(study->engine.device);
  free(study->engine.devices);
  omr_measured_free(&study->measured);
  omr_statistics_settings_free(&study->statistics);
  omr_goals_free(&study->goals);
  free(study->step_error.accept);

  /* Texts, and the study itself. */
  free(study->name);
  free(study->title);
  free(study->text);
  free(study);
}

const char *omr_study_name(const omr_study *study) {
  return study->name;
}

double omr_study_tolerance(const omr_study *study) {
  return study->time.tolerance;
}

bool omr_study_measures_step_error(const omr_study *study) {
  return !study->step_error.off;
}

size_t omr_study_instances(const omr_study *study) {
  return study->instances;
}

const char *omr_study_title(const omr_study *study) {
  return study->title;
}
