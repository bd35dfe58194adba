/* Studies of single vehicles, made of a study: its text with the design replaced by a list of rows,
 * so that whoever reads the result, or goes on with the run, reads a study like any other. */
#include "grammar/reader.h"
#include "instance_list.h"
#include "nominal.h"
#include "part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1000 }; /* of a trajectory, about, where the study has no interval of its own */

/* Rows of values, and the instances that they come from. */
typedef struct rows {
  const omr_study *study;
  const double *value; /* [count][variation_count] */
  size_t count;
  const size_t *instances; /* [count]; NULL: nominal */
} rows;

/* Whether each instance has noise of its own from its number, which it would lose with that. */
static bool draws_noise(const omr_study *study) {
  const double *base = study->base.vehicle;
  return study->command.hold.given && isnan(base[OMR_VP_GYRO_SEED]) &&
         !omr_varies(study, false, OMR_VP_GYRO_SEED) &&
         (base[OMR_VP_GYRO_NOISE] > 0 || omr_varies(study, false, OMR_VP_GYRO_NOISE));
}

static cJSON *path_list(const omr_study *study) {
  cJSON *list = cJSON_CreateArray();
  for (size_t v = 0; v < study->variation_count; v++)
    omr_tree_append(list, cJSON_CreateString(study->variations[v].path));
  if (draws_noise(study))
    omr_tree_append(list, cJSON_CreateString(omr_vehicle_parameters[OMR_VP_GYRO_SEED].path));
  return list;
}

static cJSON *row_list(const rows *r) {
  const size_t columns = r->study->variation_count;
  cJSON *list = cJSON_CreateArray();
  for (size_t k = 0; k < r->count; k++) {
    cJSON *row = cJSON_CreateArray();
    for (size_t v = 0; v < columns; v++)
      omr_tree_append(row, cJSON_CreateNumber(r->value[k * columns + v]));
    if (draws_noise(r->study))
      omr_tree_append(
          row, cJSON_CreateNumber(r->instances ? omr_gyro_seed(r->study, r->instances[k]) : 0));
    omr_tree_append(list, row);
  }
  return list;
}

/* A study without varied parameters has one instance without a design. */
static void replace_design(cJSON *root, const rows *r) {
  cJSON_DeleteItemFromObjectCaseSensitive(root, "vary");
  cJSON_DeleteItemFromObjectCaseSensitive(root, "design");
  if (r->study->variation_count == 0 && !draws_noise(r->study)) return;
  cJSON *design = omr_tree_object(root, "design");
  omr_tree_text(design, "type", "list");
  omr_tree_add(design, "paths", path_list(r->study));
  omr_tree_add(design, "rows", row_list(r));
}

/* Rules that end a run early belong to the design. */
static void drop_stop(cJSON *root) {
  cJSON *statistics = cJSON_GetObjectItemCaseSensitive(root, "statistics");
  if (statistics) cJSON_DeleteItemFromObjectCaseSensitive(statistics, "stop");
}

/* The study's own interval; without one whole steps that make about SAMPLES of the duration. */
static double chosen_interval(const omr_study *study) {
  if (study->traces.interval > 0) return study->traces.interval;
  if (omr_controls_steps(study)) return study->time.duration / SAMPLES;
  return (double)((study->time.steps + SAMPLES - 1) / SAMPLES) * study->time.step;
}

/* "0.01" is a number, as in a study. */
static void add_interval(cJSON *trajectories, const omr_study *study, const char *trace) {
  char *end = NULL;
  const double number = omr_strtod(trace, &end);
  if (!*trace)
    omr_tree_number(trajectories, "interval", chosen_interval(study));
  else if (end != trace && !*end)
    omr_tree_number(trajectories, "interval", number);
  else
    omr_tree_text(trajectories, "interval", trace);
}

static void replace_trajectories(cJSON *root, const omr_study *study, const char *trace) {
  cJSON *output = cJSON_GetObjectItemCaseSensitive(root, "output");
  if (output) cJSON_DeleteItemFromObjectCaseSensitive(output, "trajectories");
  if (output) cJSON_DeleteItemFromObjectCaseSensitive(output, "rows");
  if (!trace) return;
  if (!output) output = omr_tree_object(root, "output");
  cJSON *trajectories = omr_tree_object(output, "trajectories");
  omr_tree_text(trajectories, "instances", "all");
  add_interval(trajectories, study, trace);
}

/* "instances 0, 3 and 5 more" */
static void name_rows(const rows *r, omr_text *text) {
  enum { LISTED = 8 };
  if (!r->instances) {
    omr_text_print(text, "nominal");
    return;
  }
  omr_text_print(text, r->count == 1 ? "instance " : "instances ");
  for (size_t k = 0; k < r->count && k < LISTED; k++)
    omr_text_print(text, "%s%zu", k ? ", " : "", r->instances[k]);
  if (r->count > LISTED) omr_text_print(text, " and %zu more", r->count - LISTED);
}

static bool replace_title(cJSON *root, const rows *r) {
  omr_text title = {0};
  const char *given = r->study->title;
  if (*given) omr_text_print(&title, "%s (", given);
  name_rows(r, &title);
  if (*given) omr_text_print(&title, ")");
  cJSON_DeleteItemFromObjectCaseSensitive(root, "title");
  if (!title.failed) omr_tree_text(root, "title", title.data);
  const bool made = !title.failed;
  omr_text_free(&title);
  return made;
}

static bool say_nominal(cJSON *of, const omr_study *study) {
  cJSON *nominal = omr_tree_object(of, "nominal");
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    double value;
    omr_nominal_source source;
    if (!omr_nominal_value(study, variation, &value, &source)) return false;
    omr_tree_text(nominal, variation->path, omr_nominal_words(variation, source));
  }
  return true;
}

static bool say_made_of(cJSON *root, const rows *r) {
  cJSON_DeleteItemFromObjectCaseSensitive(root, "made_of");
  cJSON *of = omr_tree_object(root, "made_of");
  omr_tree_text(of, "study", r->study->name);
  omr_tree_text(of, "hash", r->study->hash);
  if (!r->instances) return say_nominal(of, r->study);
  cJSON *list = omr_tree_list(of, "instances");
  for (size_t k = 0; k < r->count; k++)
    omr_tree_append(list, cJSON_CreateNumber((double)r->instances[k]));
  return true;
}

/* NULL when out of memory. */
static char *made_text(const rows *r, const char *trace) {
  cJSON *root = cJSON_Parse(r->study->text);
  char *text = NULL;
  if (root) {
    replace_design(root, r);
    drop_stop(root);
    replace_trajectories(root, r->study, trace);
    if (replace_title(root, r) && say_made_of(root, r)) text = omr_json_print(root);
  }
  cJSON_Delete(root);
  return text;
}

/* Lines of the made text are no lines of the user's, so messages leave them out. */
static omr_status fail_made(const rows *r, const char *trace, const omr_error *found,
                            omr_error *error) {
  const char *text = omr_error_text(found, 0), *at = omr_error_pointer(found, 0);
  omr_text who = {0};
  if (found->status != OMR_ERR_STUDY || !text || !at)
    return omr_fail(error, found->status, "%s", found->message);
  if (trace && strcmp(at, "/output/trajectories/interval") == 0)
    return omr_fail(error, OMR_ERR_USAGE, "the time between samples, \"%s\": %s", trace, text);
  name_rows(r, &who);
  omr_fail(error, OMR_ERR_STUDY, "%s: %s: %s: %s", r->study->name, who.data ? who.data : "", at,
           text);
  omr_text_free(&who);
  return OMR_ERR_STUDY;
}

static omr_status make(const rows *r, const char *trace, omr_study **made, omr_error *error) {
  char *text = made_text(r, trace);
  omr_error *found = calloc(1, sizeof *found);
  omr_status status = OMR_ERR_MEMORY;
  if (text && found) status = omr_study_parse(text, r->study->name, NULL, 0, made, found);
  if (status == OMR_ERR_MEMORY)
    omr_fail(error, status, "out of memory");
  else if (status != OMR_OK)
    status = fail_made(r, trace, found, error);
  free(found);
  free(text);
  return status;
}

omr_status omr_study_nominal(const omr_study *study, const char *trace, omr_study **made,
                             omr_error *error) {
  rows r = {.study = study, .count = 1};
  *made = NULL;
  double *value = calloc(study->variation_count + 1, sizeof *value);
  bool known = value;
  for (size_t v = 0; known && v < study->variation_count; v++) {
    omr_nominal_source source;
    known = omr_nominal_value(study, &study->variations[v], &value[v], &source);
  }
  r.value = value;
  const omr_status status =
      known ? make(&r, trace, made, error) : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(value);
  return status;
}

omr_status omr_study_of_values(const omr_study *study, const size_t *instances,
                               const double *values, size_t count, const char *trace,
                               omr_study **made, omr_error *error) {
  const rows r = {study, values, count, instances};
  *made = NULL;
  return make(&r, trace, made, error);
}

/* The points of later levels of a subset simulation are known only once the levels before them were
 * run. */
static omr_status check_instances(const omr_study *study, const size_t *instances, size_t count,
                                  omr_error *error) {
  if (study->design.type == OMR_DESIGN_SUBSET && instances[count - 1] >= study->sample.points)
    return omr_fail(error, OMR_ERR_USAGE,
                    "instance %zu belongs to a later level of a subset simulation, which follows "
                    "from the results of those before; name one of the first %zu, or have the "
                    "whole run trace it (output.trajectories)",
                    instances[count - 1], study->sample.points);
  if (count > 1 && study->variation_count == 0 && !draws_noise(study))
    return omr_fail(error, OMR_ERR_USAGE,
                    "the study varies nothing, so all its instances are alike; name one");
  return OMR_OK;
}

static omr_status make_instances(rows *r, const char *trace, omr_study **made, omr_error *error) {
  const size_t columns = r->study->variation_count;
  OMR_TRY(check_instances(r->study, r->instances, r->count, error));
  double *value = calloc(r->count * columns + 1, sizeof *value);
  if (!value) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances", r->count);
  for (size_t k = 0; k < r->count; k++) {
    omr_values values;
    omr_study_values(r->study, r->instances[k], &values, value + k * columns);
  }
  r->value = value;
  const omr_status status = make(r, trace, made, error);
  free(value);
  return status;
}

omr_status omr_study_of_instances(const omr_study *study, const char *list, const char *trace,
                                  omr_study **made, omr_error *error) {
  size_t *chosen = NULL;
  rows r = {.study = study};
  *made = NULL;
  OMR_TRY(omr_instances_read("--instance", list, study, &chosen, &r.count, error));
  r.instances = chosen;
  const omr_status status = make_instances(&r, trace, made, error);
  free(chosen);
  return status;
}

const char *omr_study_made_of(const omr_study *study) {
  return study->made_of.study;
}

/* Where the text of the study says the value of its v-th parameter is from; NULL: it does not. */
static const char *source_of(const cJSON *root, const omr_study *study, size_t v) {
  return cJSON_GetStringValue(omr_json_get(omr_json_get(omr_json_get(root, "made_of"), "nominal"),
                                           study->variations[v].path));
}

static void print_row(const omr_study *study, const cJSON *root, size_t k, FILE *out) {
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    const char *from = source_of(root, study, v),
               *unit = omr_study_parameter(study, variation->per_wheel, variation->index).unit;
    const bool pure = strcmp(unit, "1") == 0;
    fprintf(out, "  %-28s %.9g%s%s%s%s\n", variation->path, variation->values[k], pure ? "" : " ",
            pure ? "" : unit, from ? "   " : "", from ? from : "");
  }
}

void omr_study_made_of_print(const omr_study *study, FILE *out) {
  const omr_made_of *of = &study->made_of;
  if (!of->study) return;
  cJSON *root = cJSON_Parse(study->text);
  if (of->nominal) fprintf(out, "the nominal vehicle of %s\n", of->study);
  for (size_t k = 0; k < study->instances; k++) {
    if (!of->nominal) fprintf(out, "instance %zu of %s\n", of->instances[k], of->study);
    print_row(study, root, k, out);
  }
  if (study->variation_count == 0) fprintf(out, "  nothing is varied\n");
  cJSON_Delete(root);
}
