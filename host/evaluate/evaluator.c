/* A study whose candidates are evaluated: their table, a study for each group, and its run. */
#include "evaluator.h"
#include "../campaign/integrate.h"
#include "../campaign/into_file.h"
#include "../engine/forewarn.h"
#include "../include/omniroll/evaluate.h"
#include "../study/derived.h"
#include "../study/grammar/parse.h"
#include "../support/input.h"
#include "evaluation.h"

#include <stdlib.h>
#include <string.h>

/* READING */

/* A design's own rows, taken out of the text before the rest is read, since words may be among
 * them. */
typedef struct rows_taken {
  omr_json json;
  const cJSON *paths, *rows, *file;
} rows_taken;

static omr_status take_rows(const char *text, size_t length, const char *name,
                            const char *const *overrides, size_t count, rows_taken *taken,
                            omr_error *error) {
  omr_status status = omr_json_parse(&taken->json, text, length, name, error);
  for (int choice = 1; choice >= 0; choice--) {
    for (size_t i = 0; i < count && status == OMR_OK; i++)
      if (omr_is_choice(overrides[i]) == (choice == 1))
        status = omr_json_set(&taken->json, overrides[i], error);
    if (status == OMR_OK && choice) status = omr_take_variant(&taken->json, error);
  }
  const cJSON *design = status == OMR_OK ? omr_json_get(taken->json.root, "design") : NULL;
  taken->paths = omr_json_get(design, "paths");
  taken->rows = omr_json_get(design, "rows");
  taken->file = omr_json_get(design, "file");
  return status;
}

static bool is_of_candidates(const rows_taken *taken) {
  const char *type =
      cJSON_GetStringValue(omr_json_get(omr_json_get(taken->json.root, "design"), "type"));
  return type && strcmp(type, omr_design_kinds[OMR_DESIGN_CANDIDATES].name) == 0;
}

/* The study without its rows. */
static omr_status read_base(const char *text, const char *name, const char *const *overrides,
                            size_t count, const rows_taken *taken, omr_study **study,
                            omr_error *error) {
  const char **all = calloc(count + 3, sizeof *all);
  if (!all) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < count; i++) all[i] = overrides[i];
  if (is_of_candidates(taken)) {
    if (taken->paths) all[count++] = "design.paths=null";
    if (taken->rows) all[count++] = "design.rows=null";
    if (taken->file) all[count++] = "design.file=null";
  }
  const omr_status status = omr_study_parse(text, name, all, count, study, error);
  free(all);
  return status;
}

static omr_status read_table(omr_evaluator *e, const rows_taken *taken, omr_error *error) {
  if (!taken->file) return omr_table_of_rows(e->study, taken->paths, taken->rows, &e->given, error);
  const char *file = cJSON_GetStringValue(taken->file);
  char *path = file ? omr_beside_study(e->study->name, file) : NULL;
  if (!path)
    return omr_fail(error, OMR_ERR_STUDY, "%s: design.file: expected the name of a CSV file",
                    e->study->name);
  const omr_status status = omr_table_of_file(e->study, path, &e->given, error);
  free(path);
  return status;
}

static omr_status check_goals(const omr_study *study, omr_error *error) {
  if (study->design.type != OMR_DESIGN_CANDIDATES)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: has a design of type %s; evaluate and optimize need \"design\": "
                    "{\"type\": \"candidates\", \"variables\": [...]}",
                    study->name, omr_design_kinds[study->design.type].name);
  if (study->goals.count) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: says nothing of what is good; add \"objectives\": {\"shaking\": "
                  "{\"minimize\": \"mean(vibration_rms)\"}}",
                  study->name);
}

static omr_status create(const char *text, size_t length, const char *name,
                         const char *const *overrides, size_t count, omr_evaluator *e,
                         omr_error *error) {
  rows_taken taken = {0};
  omr_status status = take_rows(text, length, name, overrides, count, &taken, error);
  if (status == OMR_OK) status = read_base(text, name, overrides, count, &taken, &e->study, error);
  if (status == OMR_OK) status = check_goals(e->study, error);
  if (status == OMR_OK) status = read_table(e, &taken, error);
  omr_json_free(&taken.json);
  return status;
}

omr_status omr_evaluator_create(const char *path, const char *text, const char *const *overrides,
                                size_t count, omr_evaluator **evaluator, omr_error *error) {
  omr_evaluator *e = calloc(1, sizeof *e);
  char *read = NULL;
  size_t length = text ? strlen(text) : 0;
  *evaluator = NULL;
  omr_status status = e ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK && !text) status = omr_check_study_file(path, error);
  if (status == OMR_OK && !text) status = omr_read_study_file(path, &read, &length, error);
  if (status == OMR_OK)
    status = create(text ? text : read, length, path, overrides, count, e, error);
  free(read);
  if (status == OMR_OK)
    *evaluator = e;
  else
    omr_evaluator_destroy(e);
  return status;
}

void omr_evaluator_destroy(omr_evaluator *e) {
  if (!e) return;
  omr_table_free(&e->given);
  omr_study_destroy(e->study);
  free(e);
}

/* STUDIES OF THE GROUPS */

/* The candidate that is the k-th row of a group. */
static size_t candidate_of(const omr_candidate_table *table, size_t group, size_t k) {
  for (size_t i = 0; i < table->count; i++)
    if (table->group[i] == group && !table->refused[i] && k-- == 0) return i;
  return SIZE_MAX;
}

static bool any_left(const omr_candidate_table *table, size_t group) {
  return candidate_of(table, group, 0) != SIZE_MAX;
}

/* Takes candidates out whose own values are mistakes; false: the mistakes are others. */
static bool refuse_rows(omr_candidate_table *table, size_t group, const omr_error *found) {
  static const char rows[] = "/design/rows/";
  size_t hit[OMR_MISTAKES];
  bool any = false;
  for (size_t m = 0; m < omr_error_count(found); m++) {
    const char *pointer = omr_error_pointer(found, m);
    hit[m] = SIZE_MAX;
    if (strncmp(pointer, rows, sizeof rows - 1) == 0)
      hit[m] = candidate_of(table, group, (size_t)strtoull(pointer + sizeof rows - 1, NULL, 10));
  }
  for (size_t m = 0; m < omr_error_count(found); m++) {
    if (hit[m] == SIZE_MAX || table->refused[hit[m]]) continue;
    table->refused[hit[m]] = strdup(omr_error_text(found, m));
    any = any || table->refused[hit[m]];
  }
  return any;
}

static omr_status parse_group(const omr_evaluator *e, const omr_evaluate_options *o,
                              const omr_candidate_table *table, size_t group, size_t only,
                              omr_study **study, omr_error *error) {
  omr_text texts[OMR_TABLE_OVERRIDES] = {{0}};
  size_t count = 0, all = 0;
  char per_cell[60];
  const char **overrides = calloc(o->setting_count + OMR_TABLE_OVERRIDES + 1, sizeof *overrides);
  omr_status status = overrides ? omr_table_overrides(table, group, only, texts, &count, error)
                                : omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* The caller's settings come first, then the number of draws, then the candidates' values. */
  for (size_t i = 0; status == OMR_OK && i < o->setting_count; i++)
    overrides[all++] = o->settings[i];
  if (o->per_candidate && e->study->sample.points != o->per_candidate) {
    snprintf(per_cell, sizeof per_cell, "design.per_cell=%zu", o->per_candidate);
    overrides[all++] = per_cell;
  }
  for (size_t i = 0; status == OMR_OK && i < count; i++) overrides[all++] = texts[i].data;

  if (status == OMR_OK)
    status = omr_study_parse(e->study->text, e->study->name, overrides, all, study, error);
  for (size_t i = 0; i < OMR_TABLE_OVERRIDES; i++) omr_text_free(&texts[i]);
  free(overrides);
  return status;
}

/* A mistake that is not in a row, such as an odd number of rollers in two rows, is looked for in
 * each candidate alone. */
static omr_status refuse_alone(const omr_evaluator *e, const omr_evaluate_options *o,
                               omr_candidate_table *table, size_t group, omr_error *found) {
  omr_status status = OMR_OK;
  for (size_t i = 0; status == OMR_OK && i < table->count; i++) {
    omr_study *alone = NULL;
    if (table->group[i] != group || table->refused[i]) continue;
    *found = (omr_error){0};
    status = parse_group(e, o, table, group, i, &alone, found);
    omr_study_destroy(alone);
    if (status != OMR_ERR_STUDY) continue;
    const char *why = omr_error_text(found, 0);
    table->refused[i] = strndup(why, strcspn(why, "\n"));
    status = table->refused[i] ? OMR_OK : OMR_ERR_MEMORY;
  }
  return status;
}

/* Reads the study of a group; candidates with mistakes are left out. *study is NULL where none is
 * left. */
static omr_status read_group(const omr_evaluator *e, const omr_evaluate_options *o,
                             omr_candidate_table *table, size_t group, omr_study **study,
                             omr_error *error) {
  omr_error *found = calloc(1, sizeof *found), *first = calloc(1, sizeof *first);
  omr_status status = found && first ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  bool looked = false;
  *study = NULL;
  while (status == OMR_OK && any_left(table, group)) {
    *first = (omr_error){0};
    status = parse_group(e, o, table, group, SIZE_MAX, study, first);
    if (status != OMR_ERR_STUDY) break;

    /* The base was read without a mistake, so that a candidate has it. */
    status = OMR_OK;
    if (refuse_rows(table, group, first)) continue;
    if (!looked) status = refuse_alone(e, o, table, group, found);
    if (looked) status = OMR_ERR_STUDY;
    looked = true;
  }
  if (status != OMR_OK) omr_fail(error, status, "%s", first->message);
  free(found);
  free(first);
  return status;
}

/* RUNS */

/* Candidates are compared by their rows. */
static omr_status refuse_summed(const char *where, omr_error *error) {
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s: output.rows: candidates are compared vehicle by vehicle, by rows that are "
                  "not kept; leave \"rows\" out, or evaluate in memory, without -o",
                  where);
}

static omr_status open_file(omr_candidate_group *group, const char *path, omr_error *error) {
  omr_study *kept = NULL;
  omr_status status = omr_result_file_open_rows(path, &group->file, error);
  if (status == OMR_OK) status = omr_source_open(path, &group->source, error);
  if (status == OMR_OK)
    status = omr_statistics_of_file(path, omr_result_file_head(group->file), group->source, &kept,
                                    &group->statistics, error);
  if (status != OMR_OK) return status;
  omr_study_destroy(group->study);
  group->study = kept;
  status = kept->rows.summed ? refuse_summed(path, error) : check_goals(kept, error);
  if (status != OMR_OK) return status;
  if (group->statistics->step_error) group->refined = &group->statistics->step_error->refined;
  const omr_result *head = omr_result_file_head(group->file);
  group->integrating = head->record.kernel_seconds;
  group->draws = kept->sample.points;
  group->cells = kept->instances / kept->sample.points;
  return omr_goal_set_make(kept, group->source->info, group->source->columns, &group->set, error);
}

/* Where nobody reads the doubts they are not looked for, unless one would refuse the study. */
static omr_status find_doubts(const omr_study *study, FILE *log, omr_error *error) {
  const bool wanted = log || study->time.stability == OMR_STABILITY_REFUSE;
  return wanted ? omr_check_study(study, log, error) : OMR_OK;
}

/* The vehicles of a group up to `draws`; the first of them open it. */
static omr_status run_in_memory(omr_candidate_group *group, size_t draws,
                                const omr_file_options *options, omr_error *error) {
  const omr_study *study = group->study;
  const bool first = group->draws == 0,
             measured = !study->step_error.off && !options->run.no_step_error;
  group->running = omr_study_doubted(study);
  group->cells = study->instances / study->sample.points;
  omr_status status = first ? find_doubts(&group->running, options->run.log, error) : OMR_OK;
  if (status == OMR_OK) status = omr_group_extend(group, draws, measured, &options->run, error);
  if (status != OMR_OK || !first) return status;
  return omr_goal_set_make(study, group->source->info, group->source->columns, &group->set, error);
}

/* result.h5, result.2.h5. */
static bool name_file(const char *output, size_t group, omr_text *path) {
  const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
  const size_t stem = dot ? (size_t)(dot - output) : strlen(output);
  omr_text_add(path, output, stem);
  if (group) omr_text_print(path, ".%zu", group + 1);
  omr_text_print(path, "%s", dot ? dot : "");
  return !path->failed;
}

static omr_status run_to_file(omr_candidate_group *group, const omr_evaluate_options *o,
                              size_t number, bool *there, omr_error *error) {
  omr_text path = {0};
  omr_file_outcome outcome = {0};
  if (group->study->rows.summed) return refuse_summed(group->study->name, error);
  omr_status status = name_file(o->output, number, &path)
                          ? omr_run_file(group->study, path.data, &o->run, &outcome, error)
                          : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const bool failed_rows = status == OMR_ERR_FAILURES && outcome.complete;
  *there = outcome.complete;
  if ((status == OMR_OK || failed_rows) && outcome.complete)
    status = open_file(group, path.data, error);
  omr_text_free(&path);
  return status;
}

/* EVALUATIONS */

static bool copy_goals(const omr_goals *from, omr_goals *to) {
  to->list = calloc(from->count + 1, sizeof *to->list);
  if (!to->list) return false;
  for (size_t g = 0; g < from->count; g++) {
    to->list[g] = from->list[g];
    to->list[g].name = strdup(from->list[g].name);
    to->list[g].text = strdup(from->list[g].text);
    to->count++;
    if (!to->list[g].name || !to->list[g].text) return false;
  }
  to->objectives = from->objectives;
  return true;
}

static omr_status begin(const omr_study *study, omr_evaluation *made, omr_error *error) {
  made->name = strdup(study->name);
  made->failed_limit = study->statistics.failed_limit_given ? study->statistics.failed_limit : 0;
  if (!made->groups) made->groups = calloc(made->table.groups + 1, sizeof *made->groups);
  made->group_count = made->table.groups;
  return made->name && made->groups && copy_goals(&study->goals, &made->goals)
             ? OMR_OK
             : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

/* Reads the study of every group, so that a mistake costs nothing. */
static omr_status read_groups(const omr_evaluator *e, const omr_evaluate_options *o,
                              omr_evaluation *made, omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t g = 0; status == OMR_OK && g < made->group_count; g++)
    status = read_group(e, o, &made->table, g, &made->groups[g].study, error);
  return status;
}

/* Runs the groups up to so many vehicles of each candidate; *enough: as statistics.stop asks. */
static omr_status extend_groups(const omr_evaluate_options *o, omr_evaluation *made, size_t draws,
                                bool look, bool *enough, omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t g = 0; status == OMR_OK && g < made->group_count; g++) {
    omr_candidate_group *group = &made->groups[g];
    if (!group->study) continue;
    status = run_in_memory(group, draws, &o->run, error);
    if (status == OMR_OK && look) status = omr_group_is_narrow(group, enough, error);
  }
  return status;
}

/* All groups have as many vehicles of each candidate, so that candidates of all are pairs. Where a
 * rule says when there are enough, they double until then. *draws: how many there are. */
static omr_status run_groups_in_memory(const omr_evaluate_options *o, omr_evaluation *made,
                                       size_t *draws, omr_error *error) {
  const omr_study *study = NULL;
  const double start = omr_seconds();
  for (size_t g = 0; g < made->group_count && !study; g++) study = made->groups[g].study;
  if (!study) return OMR_OK;

  const omr_stop_settings *stop = &study->statistics.stop;
  const size_t most = study->sample.points;
  size_t next = stop->of_goal && stop->at_least < most ? stop->at_least : most;
  for (;;) {
    bool enough = true;
    const omr_status status = extend_groups(o, made, next, next < most, &enough, error);
    *draws = next;
    const bool late = stop->wall_time > 0 && omr_seconds() - start >= stop->wall_time;
    if (status != OMR_OK || enough || late) return status;
    next = next > most / 2 ? most : 2 * next;
  }
}

static omr_status run_groups_to_files(const omr_evaluate_options *o, omr_evaluation *made,
                                      bool *there, omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t g = 0; status == OMR_OK && g < made->group_count; g++) {
    bool whole = true;
    if (!made->groups[g].study) continue;
    status = run_to_file(&made->groups[g], o, g, &whole, error);
    *there = *there && whole;
  }
  return status;
}

/* A run into files takes the number of vehicles that a run in memory has found to be enough. */
static omr_status read_grown(const omr_evaluator *e, const omr_evaluate_options *o, size_t draws,
                             omr_evaluation *made, omr_error *error) {
  omr_evaluate_options grown = *o;
  const char **settings = calloc(o->setting_count + 1, sizeof *settings);
  if (!settings) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < o->setting_count; i++) settings[i] = o->settings[i];
  settings[o->setting_count] = "statistics.stop=null";
  grown.settings = settings;
  grown.setting_count++;
  grown.per_candidate = draws;

  for (size_t g = 0; g < made->group_count; g++) omr_group_free(&made->groups[g]);
  memset(made->groups, 0, made->group_count * sizeof *made->groups);
  if (o->run.run.log) fprintf(o->run.run.log, "stop: each candidate has %zu vehicles\n", draws);
  const omr_status status = read_groups(e, &grown, made, error);
  free(settings);
  return status;
}

static omr_status run_all(const omr_evaluator *e, const omr_evaluate_options *o,
                          omr_evaluation *made, bool *there, omr_error *error) {
  size_t draws = 0;
  const bool grows = e->study->statistics.stop.of_goal;
  omr_status status = read_groups(e, o, made, error);
  if (status == OMR_OK && (grows || !o->output))
    status = run_groups_in_memory(o, made, &draws, error);
  if (status == OMR_OK && grows && o->output && draws)
    status = read_grown(e, o, draws, made, error);
  if (status == OMR_OK && o->output) status = run_groups_to_files(o, made, there, error);
  for (size_t g = 0; g < made->group_count; g++) made->integrating += made->groups[g].integrating;
  return status;
}

static omr_status make_table(const omr_evaluator *e, const omr_evaluate_options *o,
                             omr_candidate_table *table, omr_error *error) {
  if (o->values) return omr_table_of_values(e->study, o->values, o->count, table, error);
  if (o->file) return omr_table_of_file(e->study, o->file, table, error);
  const bool rows = cJSON_GetArraySize(e->given.paths) > 0;
  return omr_table_of_rows(e->study, rows ? e->given.paths : NULL, rows ? e->given.rows : NULL,
                           table, error);
}

omr_status omr_evaluator_run(const omr_evaluator *e, const omr_evaluate_options *options,
                             omr_evaluation **evaluation, omr_error *error) {
  static const omr_evaluate_options none = OMR_EVALUATE_OPTIONS_INIT;
  const omr_evaluate_options *o = options ? options : &none;
  const double start = omr_seconds();
  bool there = true;
  *evaluation = NULL;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_evaluate_options", error);
  if (status != OMR_OK) return status;

  /* Candidates become studies, which run; then their goals are judged. */
  omr_evaluation *made = calloc(1, sizeof *made);
  if (!made) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  status = make_table(e, o, &made->table, error);
  if (status == OMR_OK) status = begin(e->study, made, error);
  made->reference = o->reference;
  if (status == OMR_OK) status = run_all(e, o, made, &there, error);
  if (status == OMR_OK && there) status = omr_evaluation_fill(made, error);
  made->seconds = omr_seconds() - start;
  if (status == OMR_OK && there)
    *evaluation = made;
  else
    omr_evaluation_destroy(made);
  return status;
}

/* The words that a study gives to its variables, in its text; NULL without memory. */
static cJSON *words_of(const omr_study *study, bool paths) {
  cJSON *list = cJSON_CreateArray(), *root = cJSON_Parse(study->text);
  for (size_t v = 0; v < study->candidates.variable_count; v++) {
    const char *path = study->candidates.variables[v].path;
    if (!omr_is_word_path(path)) continue;
    const char *word = omr_table_word_at(root, path);
    omr_tree_append(list, cJSON_CreateString(paths ? path : word ? word : ""));
  }
  cJSON_Delete(root);
  return list;
}

/* The candidates of a finished study: numbers first, then words. */
static bool add_rows(const omr_study *study, size_t group, cJSON *paths, cJSON *rows) {
  const size_t cells = study->instances / study->sample.points;

  /* The first file names the parameters. */
  for (size_t v = 0; group == 0 && v < study->variation_count; v++)
    if (study->variations[v].listed == OMR_LISTED_BY_CELL)
      omr_tree_append(paths, cJSON_CreateString(study->variations[v].path));
  cJSON *names = words_of(study, true), *words = words_of(study, false), *item;
  if (group == 0)
    cJSON_ArrayForEach(item, names) omr_tree_append(paths, cJSON_Duplicate(item, true));

  /* A cell is a row of its numbers and the file's words. */
  for (size_t cell = 0; cell < cells; cell++) {
    cJSON *row = cJSON_CreateArray();
    for (size_t v = 0; v < study->variation_count; v++)
      if (study->variations[v].listed == OMR_LISTED_BY_CELL)
        omr_tree_append(row, cJSON_CreateNumber(study->variations[v].values[cell]));
    cJSON_ArrayForEach(item, words) omr_tree_append(row, cJSON_Duplicate(item, true));
    omr_tree_append(rows, row);
  }
  cJSON_Delete(names);
  cJSON_Delete(words);
  return omr_tree_whole(paths) && omr_tree_whole(rows);
}

static omr_status open_results(const char *const *paths, size_t count, omr_evaluation *made,
                               omr_error *error) {
  omr_candidate_table *table = &made->table;
  table->paths = cJSON_CreateArray();
  table->rows = cJSON_CreateArray();
  made->groups = calloc(count + 1, sizeof *made->groups);
  omr_status status =
      made->groups ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");

  /* Each file is a group, which brings its candidates. */
  for (size_t g = 0; status == OMR_OK && g < count; g++) {
    omr_candidate_group *group = &made->groups[g];
    made->group_count = g + 1;
    status = open_file(group, paths[g], error);
    if (status != OMR_OK) return status;
    made->integrating += group->integrating;
    if (!add_rows(group->study, g, table->paths, table->rows))
      return omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
  }
  if (status != OMR_OK) return status;

  /* A candidate's group is the file that it comes from. */
  table->groups = count;
  if (!omr_table_count(table))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
  for (size_t g = 0, i = 0; g < count; g++)
    for (size_t cell = 0; cell < made->groups[g].cells; cell++) table->group[i++] = g;
  return OMR_OK;
}

static bool has_paths(const omr_study *study, const cJSON *path) {
  for (size_t v = 0; v < study->variation_count; v++) {
    if (study->variations[v].listed != OMR_LISTED_BY_CELL) continue;
    if (!path || strcmp(study->variations[v].path, path->valuestring) != 0) return false;
    path = path->next;
  }
  return !path;
}

/* The same goals by name and text, whose values are compared, of the same parameters. */
static omr_status check_alike(const omr_evaluation *made, const char *const *paths,
                              omr_error *error) {
  for (size_t g = 1; g < made->group_count; g++) {
    const omr_goals *one = &made->groups[0].study->goals, *other = &made->groups[g].study->goals;
    bool alike = one->count == other->count;
    for (size_t i = 0; alike && i < one->count; i++)
      alike = strcmp(one->list[i].name, other->list[i].name) == 0 &&
              strcmp(one->list[i].text, other->list[i].text) == 0;

    /* Other goals, or goals of other parameters, cannot be compared. */
    if (!alike)
      return omr_fail(error, OMR_ERR_USAGE,
                      "%s: has other objectives or constraints than %s; evaluate each for itself",
                      paths[g], paths[0]);
    if (!has_paths(made->groups[g].study, made->table.paths->child))
      return omr_fail(error, OMR_ERR_USAGE,
                      "%s: its candidates differ in other parameters than those of %s; evaluate "
                      "each for itself",
                      paths[g], paths[0]);
  }
  return OMR_OK;
}

/* Files of other words are told apart by them. */
static omr_status add_words(omr_evaluation *made, omr_error *error) {
  const char **texts = calloc(made->group_count + 1, sizeof *texts);
  for (size_t g = 0; texts && g < made->group_count; g++) texts[g] = made->groups[g].study->text;
  const bool good = texts && omr_table_add_words(&made->table, texts);
  free(texts);
  return good ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
}

omr_status omr_evaluate_results(const char *const *paths, size_t count, omr_evaluation **evaluation,
                                omr_error *error) {
  const double start = omr_seconds();
  *evaluation = NULL;
  omr_evaluation *made = calloc(1, sizeof *made);
  if (!made) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = open_results(paths, count, made, error);
  if (status == OMR_OK) status = check_alike(made, paths, error);
  if (status == OMR_OK) status = add_words(made, error);
  if (status == OMR_OK) status = begin(made->groups[0].study, made, error);
  if (status == OMR_OK) status = omr_evaluation_fill(made, error);
  made->seconds = omr_seconds() - start;
  if (status == OMR_OK)
    *evaluation = made;
  else
    omr_evaluation_destroy(made);
  return status;
}
