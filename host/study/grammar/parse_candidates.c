/* The candidates of a design of that type: the parameters in which they differ, their rows, and the
 * points of a posterior that each of them takes. Rows of a file and points of a posterior come into
 * the study's tree, so that a study kept with its result needs no file. */
#include "../../support/input.h"
#include "../tables/columns.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

void omr_candidates_free(omr_candidates *candidates) {
  for (size_t i = 0; i < candidates->variable_count; i++) {
    omr_candidate_variable *variable = &candidates->variables[i];
    for (size_t w = 0; w < variable->word_count; w++) free(variable->words[w]);
    free(variable->words);
    free(variable->path);
  }
  free(candidates->variables);
  *candidates = (omr_candidates){0};
}

static cJSON *open_design(const omr_reader *reader) {
  return cJSON_GetObjectItemCaseSensitive(reader->json.root, "design");
}

/* VARIABLES */

static omr_status read_words(omr_reader *reader, const cJSON *values, const omr_target *target,
                             omr_candidate_variable *variable) {
  const cJSON *item;
  OMR_TRY(omr_require_array(reader, values, 2, "values or words"));
  variable->words = calloc((size_t)cJSON_GetArraySize(values), sizeof *variable->words);
  if (!variable->words) return omr_fail_memory(reader);
  cJSON_ArrayForEach(item, values) {
    double value;
    if (target) {
      OMR_TRY(omr_read_target(reader, item, *target, omr_target_unit(reader, *target), &value));
      OMR_TRY(omr_require_bounds(reader, item, *target, value));
    } else if (!cJSON_IsString(item)) {
      return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected a word in quotes");
    }
    char *text = cJSON_IsString(item) ? strdup(item->valuestring) : cJSON_PrintUnformatted(item);
    if (!text) return omr_fail_memory(reader);
    variable->words[variable->word_count++] = text;
  }
  variable->whole = true;
  variable->high = (double)variable->word_count - 1;
  return OMR_OK;
}

static omr_status read_end(omr_reader *reader, const cJSON *item, omr_target target, bool whole,
                           double *end) {
  if (whole) OMR_TRY(omr_read_whole(reader, item, -0x1p53, 0x1p53, end));
  if (!whole) OMR_TRY(omr_read_target(reader, item, target, omr_target_unit(reader, target), end));
  return omr_require_bounds(reader, item, target, *end);
}

static omr_status read_range(omr_reader *reader, const cJSON *range, omr_target target,
                             omr_candidate_variable *variable) {
  if (!cJSON_IsArray(range) || cJSON_GetArraySize(range) != 2)
    return OMR_MISTAKEN(reader, range, OMR_MISTAKE_TYPE, "expected [low, high]");
  if (!variable->whole && omr_target_parameter(target)->flags & OMR_P_INTEGER)
    return OMR_REFUSE(reader, range, "%s is a whole number; write \"integer\" for \"between\"",
                      variable->path);
  OMR_TRY(read_end(reader, range->child, target, variable->whole, &variable->low));
  OMR_TRY(read_end(reader, range->child->next, target, variable->whole, &variable->high));
  if (variable->low < variable->high) return OMR_OK;
  return OMR_REFUSE(reader, range, "%.9g is not below %.9g; write [low, high]", variable->low,
                    variable->high);
}

/* What "vary" draws is not to be chosen as well. */
static omr_status require_unvaried(omr_reader *reader, const cJSON *path, omr_target target) {
  const omr_study *study = reader->study;
  for (size_t i = 0; i < study->variation_count; i++) {
    const omr_variation *v = &study->variations[i];
    if (v->per_wheel != target.per_wheel || v->index != target.index) continue;
    if (v->wheel == target.wheel || v->wheel < 0 || target.wheel < 0)
      return OMR_REFUSE(reader, path, "\"vary\" has \"%s\" already; leave one of them out",
                        v->path);
  }
  return OMR_OK;
}

static omr_status read_variable(omr_reader *reader, const cJSON *entry,
                                omr_candidate_variable *variable) {
  static const char *const ways[] = {"between", "integer", "values"};
  const cJSON *way = NULL;
  int count = 0;
  if (!cJSON_IsObject(entry))
    return OMR_REFUSE(reader, entry,
                      "expected an object: {\"path\": \"wheel.radius\", \"between\": [...]}");
  OMR_TRY(omr_read_keys(reader, entry, OMR_SECTION_VARIABLE, NULL));
  for (int i = 0; i < 3; i++) {
    const cJSON *item = omr_json_get(entry, ways[i]);
    if (item) way = item, count++;
  }
  if (count != 1)
    return OMR_REFUSE(reader, entry,
                      "a variable has one of \"between\": [low, high], \"integer\": [low, high] "
                      "and \"values\": [...]");

  /* A path with a word takes words alone. */
  const cJSON *path = omr_json_get(entry, "path");
  omr_target target;
  variable->path = strdup(path->valuestring);
  if (!variable->path) return omr_fail_memory(reader);
  const bool word = omr_is_word_path(path->valuestring), values = way->string[0] == 'v';
  if (word && !values)
    return OMR_REFUSE(reader, way, "\"%s\" takes a word; give \"values\": [\"...\", \"...\"]",
                      path->valuestring);
  if (word) return read_words(reader, way, NULL, variable);
  OMR_TRY(omr_find_target(reader, path, path->valuestring, &target));
  OMR_TRY(require_unvaried(reader, path, target));
  snprintf(variable->unit, sizeof variable->unit, "%s", omr_target_unit(reader, target));
  variable->whole = way->string[0] == 'i';
  return values ? read_words(reader, way, &target, variable)
                : read_range(reader, way, target, variable);
}

static omr_status read_variables(omr_reader *reader, const cJSON *list) {
  omr_candidates *candidates = &reader->study->candidates;
  const cJSON *entry;
  if (!list) return OMR_OK;
  OMR_TRY(omr_require_array(reader, list, 1, "variables"));
  candidates->variables = calloc((size_t)cJSON_GetArraySize(list), sizeof *candidates->variables);
  if (!candidates->variables) return omr_fail_memory(reader);
  cJSON_ArrayForEach(entry, list) {
    OMR_TRY(read_variable(reader, entry, &candidates->variables[candidates->variable_count++]));
    const omr_candidate_variable *last = &candidates->variables[candidates->variable_count - 1];
    for (const omr_candidate_variable *v = candidates->variables; v < last; v++)
      if (strcmp(v->path, last->path) == 0)
        return OMR_REFUSE(reader, entry, "\"%s\" is a variable already", last->path);
  }
  return OMR_OK;
}

/* ROWS */

/* The rows of a CSV file take the place of its name. */
static omr_status take_file(omr_reader *reader, const cJSON *item) {
  cJSON *design = open_design(reader);
  char *bytes = NULL, *path;
  size_t length = 0;
  omr_error found = {0};
  if (omr_json_get(design, "rows"))
    return OMR_REFUSE(reader, item, "\"rows\" are there already; leave one of them out");
  if (!(path = omr_beside_study(reader->json.name, item->valuestring)))
    return omr_fail_memory(reader);

  /* Only a plain file is read. */
  omr_status status = omr_require_plain_table(reader, item, path);
  if (status == OMR_OK && omr_read_file(path, &bytes, &length, &found) != OMR_OK)
    status = OMR_REFUSE(reader, item, "%s", found.message);
  cJSON *paths = cJSON_CreateArray(), *rows = cJSON_CreateArray();
  if (status == OMR_OK && omr_columns_as_rows(path, bytes, length, paths, rows, &found) != OMR_OK)
    status = OMR_REFUSE(reader, item, "%s", found.message);
  free(bytes);
  free(path);
  if (status != OMR_OK) {
    cJSON_Delete(paths);
    cJSON_Delete(rows);
    return status;
  }

  /* Names of a result's columns become paths. */
  cJSON *name;
  cJSON_ArrayForEach(name, paths) {
    char full[240];
    omr_path_of_column(reader, name->valuestring, full, sizeof full);
    if (strcmp(full, name->valuestring) != 0) cJSON_SetValuestring(name, full);
  }
  cJSON *old = cJSON_GetObjectItemCaseSensitive(design, "paths");
  const bool dropped = omr_json_drop(&reader->json, design, (cJSON *)item) &&
                       (!old || omr_json_drop(&reader->json, design, old));
  omr_tree_add(design, "paths", paths);
  omr_tree_add(design, "rows", rows);
  return dropped && omr_tree_whole(design) ? OMR_OK : omr_fail_memory(reader);
}

/* Without paths the columns are the variables. */
static omr_status name_columns(omr_reader *reader) {
  const omr_candidates *candidates = &reader->study->candidates;
  if (candidates->variable_count == 0)
    return omr_json_missing(&reader->json, reader->design ? reader->design : open_design(reader),
                            "paths", "[\"wheel.rollers\", \"wheel.inclination\"]", reader->error);
  cJSON *paths = omr_tree_list(open_design(reader), "paths");
  for (size_t i = 0; i < candidates->variable_count; i++)
    omr_tree_append(paths, cJSON_CreateString(candidates->variables[i].path));
  return omr_tree_whole(paths) ? OMR_OK : omr_fail_memory(reader);
}

static omr_status refuse_words(omr_reader *reader, const cJSON *paths) {
  const cJSON *path;
  cJSON_ArrayForEach(path, paths) {
    if (cJSON_IsString(path) && omr_is_word_path(path->valuestring))
      return OMR_REFUSE(reader, path,
                        "\"%s\" is a word, and one run has one of each; `omniroll evaluate` runs "
                        "candidates with different words",
                        path->valuestring);
  }
  return OMR_OK;
}

static omr_status read_candidate_rows(omr_reader *reader) {
  omr_candidates *candidates = &reader->study->candidates;
  const cJSON *design = open_design(reader), *file = omr_json_get(design, "file");
  candidates->count = 1;
  if (file) OMR_TRY(take_file(reader, file));
  const cJSON *rows = omr_json_get(design, "rows");
  if (!rows && omr_json_get(design, "paths"))
    return omr_json_missing(&reader->json, design, "rows", "[[9, \"45 deg\"]]", reader->error);
  if (!rows) return OMR_OK;
  if (!omr_json_get(design, "paths")) OMR_TRY(name_columns(reader));
  const cJSON *paths = omr_json_get(design, "paths");
  OMR_TRY(refuse_words(reader, paths));
  return omr_read_listed_rows(reader, paths, rows, OMR_LISTED_BY_CELL, &candidates->count);
}

/* POINTS OF A POSTERIOR */

/* The points that were drawn take the place of the file's name. */
static omr_status keep_points(omr_reader *reader, size_t first) {
  const omr_study *study = reader->study;
  cJSON *design = open_design(reader), *points = omr_tree_object(design, "points"),
        *paths = omr_tree_list(points, "paths"), *rows = omr_tree_list(points, "rows");
  for (size_t v = first; v < study->variation_count; v++)
    omr_tree_append(paths, cJSON_CreateString(study->variations[v].path));
  for (size_t k = 0; k < study->candidates.points; k++) {
    cJSON *row = cJSON_CreateArray();
    for (size_t v = first; v < study->variation_count; v++)
      omr_tree_append(row, cJSON_CreateNumber(study->variations[v].values[k]));
    omr_tree_append(rows, row);
  }
  cJSON *name = cJSON_GetObjectItemCaseSensitive(design, "posterior");
  return omr_tree_whole(points) && omr_json_drop(&reader->json, design, name)
             ? OMR_OK
             : omr_fail_memory(reader);
}

static omr_status read_points(omr_reader *reader) {
  const cJSON *design = open_design(reader), *posterior = omr_json_get(design, "posterior"),
              *points = omr_json_get(design, "points");
  const size_t first = reader->study->variation_count;
  size_t *count = &reader->study->candidates.points;
  if (posterior && points)
    return OMR_REFUSE(reader, points, "\"posterior\" gives the points; leave one of them out");
  if (posterior) {
    OMR_TRY(omr_read_listed_file(reader, posterior, true, OMR_LISTED_BY_POINT, count));
    return keep_points(reader, first);
  }
  if (!points) return OMR_OK;
  const cJSON *paths = omr_json_get(points, "paths"), *rows = omr_json_get(points, "rows");
  if (!paths || !rows)
    return OMR_REFUSE(reader, points, "expected an object with \"paths\" and \"rows\"");
  return omr_read_listed_rows(reader, paths, rows, OMR_LISTED_BY_POINT, count);
}

omr_status omr_read_candidates(omr_reader *reader, const cJSON *root) {
  const cJSON *design = omr_json_get(root, "design");
  const char *type = cJSON_GetStringValue(omr_json_get(design, "type"));
  if (!type || strcmp(type, omr_design_kinds[OMR_DESIGN_CANDIDATES].name) != 0) return OMR_OK;
  OMR_TRY(read_variables(reader, omr_json_get(design, "variables")));
  OMR_TRY(read_candidate_rows(reader));
  return read_points(reader);
}
