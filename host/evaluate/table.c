#include "table.h"

#include "../study/grammar/parse.h"
#include "../study/tables/columns.h"
#include "../support/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_status fail_memory(omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for candidates");
}

void omr_table_free(omr_candidate_table *table) {
  for (size_t i = 0; table->refused && i < table->count; i++) free(table->refused[i]);
  free(table->refused);
  free(table->group);
  cJSON_Delete(table->paths);
  cJSON_Delete(table->rows);
  *table = (omr_candidate_table){0};
}

static const char *path_at(const omr_candidate_table *table, size_t column) {
  return cJSON_GetStringValue(cJSON_GetArrayItem(table->paths, (int)column));
}

bool omr_table_is_word(const omr_candidate_table *table, size_t column) {
  const char *path = path_at(table, column);
  return path && omr_is_word_path(path);
}

/* GROUPS */

/* The words of a row, which name its group. */
static bool words_of(const omr_candidate_table *table, const cJSON *row, omr_text *words) {
  const cJSON *cell = row->child;
  for (size_t c = 0; cell && c < table->columns; c++, cell = cell->next)
    if (omr_table_is_word(table, c))
      omr_text_print(words, "%s\n", cJSON_IsString(cell) ? cell->valuestring : "");
  return !words->failed;
}

/* Numbers the groups in the order in which they come. */
static bool find_groups(omr_candidate_table *table) {
  omr_text *known = calloc(table->count + 1, sizeof *known);
  bool good = known != NULL;
  const cJSON *row = table->rows->child;

  /* A row joins the group that has its words, or begins one. */
  for (size_t i = 0; good && i < table->count; i++, row = row->next) {
    omr_text words = {0};
    size_t g = 0;
    good = words_of(table, row, &words);
    const char *mine = words.data ? words.data : "";
    while (good && g < table->groups && strcmp(known[g].data ? known[g].data : "", mine) != 0) g++;
    table->group[i] = g;
    if (g < table->groups)
      omr_text_free(&words);
    else
      known[table->groups++] = words;
  }
  for (size_t g = 0; known && g < table->groups; g++) omr_text_free(&known[g]);
  free(known);
  return good;
}

static omr_status check_rows(omr_candidate_table *table, omr_error *error) {
  const cJSON *row = table->rows->child;
  for (size_t i = 0; i < table->count; i++, row = row->next)
    if (!cJSON_IsArray(row) || (size_t)cJSON_GetArraySize(row) != table->columns)
      return omr_fail(error, OMR_ERR_STUDY,
                      "candidate %zu has %d values, and there are %zu paths; give one for each", i,
                      cJSON_GetArraySize(row), table->columns);
  return OMR_OK;
}

bool omr_table_count(omr_candidate_table *table) {
  table->count = (size_t)cJSON_GetArraySize(table->rows);
  table->columns = (size_t)cJSON_GetArraySize(table->paths);
  table->refused = calloc(table->count + 1, sizeof(char *));
  table->group = calloc(table->count + 1, sizeof *table->group);
  return table->refused && table->group;
}

static omr_status complete(omr_candidate_table *table, omr_error *error) {
  if (!omr_tree_whole(table->paths) || !omr_tree_whole(table->rows)) return fail_memory(error);
  if (!omr_table_count(table)) return fail_memory(error);
  if (table->count == 0) return omr_fail(error, OMR_ERR_STUDY, "there are no candidates");
  const omr_status status = check_rows(table, error);
  if (status != OMR_OK) return status;
  return find_groups(table) ? OMR_OK : fail_memory(error);
}

/* SOURCES */

static void add_variable_paths(const omr_study *study, cJSON *paths) {
  for (size_t v = 0; v < study->candidates.variable_count; v++)
    omr_tree_append(paths, cJSON_CreateString(study->candidates.variables[v].path));
}

/* A value of a variable as a study writes it; one that is none of its words stays a number, which
 * is refused with its row. */
static cJSON *item_of(const omr_candidate_variable *variable, double value) {
  const size_t place = value >= 0 && value < 0x1p31 ? (size_t)value : SIZE_MAX;
  if (!variable->words) return cJSON_CreateNumber(value);
  if (place >= variable->word_count || (double)place != value) return cJSON_CreateNumber(value);
  char *end;
  const char *word = variable->words[place];
  const double number = omr_strtod(word, &end);
  return end != word && !*end ? cJSON_CreateNumber(number) : cJSON_CreateString(word);
}

/* A number that is none cannot stand in a study. */
static void refuse_absent(const omr_study *study, const double *values, omr_candidate_table *t) {
  const size_t columns = study->candidates.variable_count;
  for (size_t i = 0; i < t->count * columns; i++) {
    const omr_candidate_variable *variable = &study->candidates.variables[i % columns];
    const bool word = !variable->words || (values[i] >= 0 && values[i] <= variable->high &&
                                           values[i] == floor(values[i]));
    if (t->refused[i / columns] || (isfinite(values[i]) && word)) continue;
    char text[200];
    snprintf(text, sizeof text, "%.100s: %.9g is no value%s", variable->path, values[i],
             word ? "" : ", whose words are numbered from 0 on");
    t->refused[i / columns] = strdup(text);
  }
}

omr_status omr_table_of_values(const omr_study *study, const double *values, size_t count,
                               omr_candidate_table *table, omr_error *error) {
  const size_t columns = study->candidates.variable_count;
  *table = (omr_candidate_table){.paths = cJSON_CreateArray(), .rows = cJSON_CreateArray()};
  if (columns == 0)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: names no variables, whose values candidates could have; list them in "
                    "design.variables",
                    study->name);

  /* Values that are not finite are refused below, so that rows hold a number in each place. */
  add_variable_paths(study, table->paths);
  for (size_t i = 0; i < count; i++) {
    cJSON *row = cJSON_CreateArray();
    for (size_t v = 0; v < columns; v++) {
      const double value = values[i * columns + v];
      omr_tree_append(row, item_of(&study->candidates.variables[v], isfinite(value) ? value : 0));
    }
    omr_tree_append(table->rows, row);
  }
  const omr_status status = complete(table, error);
  if (status == OMR_OK) refuse_absent(study, values, table);
  return status;
}

omr_status omr_table_of_file(const omr_study *study, const char *path, omr_candidate_table *table,
                             omr_error *error) {
  char *bytes = NULL;
  size_t length = 0;
  *table = (omr_candidate_table){.paths = cJSON_CreateArray(), .rows = cJSON_CreateArray()};
  const omr_input_kind kind = omr_input_kind_of(path);
  if (kind == OMR_INPUT_FOLDER || kind == OMR_INPUT_PARTS || kind == OMR_INPUT_SPECIAL)
    return omr_fail(error, OMR_ERR_IO, "%s: is no plain file; give a CSV file of candidates", path);
  omr_status status = omr_read_file(path, &bytes, &length, error);
  if (status == OMR_OK)
    status = omr_columns_as_rows(path, bytes, length, table->paths, table->rows, error);
  free(bytes);

  /* Names of a result's columns become paths. */
  const omr_reader reader = {.study = (omr_study *)study};
  cJSON *name;
  if (status == OMR_OK) {
    cJSON_ArrayForEach(name, table->paths) {
      char full[240];
      omr_path_of_column(&reader, name->valuestring, full, sizeof full);
      if (strcmp(full, name->valuestring) != 0) cJSON_SetValuestring(name, full);
    }
  }
  return status == OMR_OK ? complete(table, error) : status;
}

omr_status omr_table_of_rows(const omr_study *study, const cJSON *paths, const cJSON *rows,
                             omr_candidate_table *table, omr_error *error) {
  *table =
      (omr_candidate_table){.paths = paths ? cJSON_Duplicate(paths, true) : cJSON_CreateArray(),
                            .rows = rows ? cJSON_Duplicate(rows, true) : cJSON_CreateArray()};
  if (rows && !paths) add_variable_paths(study, table->paths);
  if (!rows) omr_tree_append(table->rows, cJSON_CreateArray());
  return complete(table, error);
}

const char *omr_table_word_at(const cJSON *root, const char *path) {
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(root, "parameters");
  while (at && *path) {
    char name[60];
    const size_t length = strcspn(path, ".");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    at = cJSON_GetObjectItemCaseSensitive(at, name);
    path += length + (path[length] == '.');
  }
  return cJSON_GetStringValue(at);
}

/* Whether every group has a word there, and not all the same. A path may have a row for each of
 * several models. */
static bool differs(const omr_candidate_table *table, cJSON *const *roots, const char *path) {
  const cJSON *there;
  cJSON_ArrayForEach(there, table->paths) if (strcmp(there->valuestring, path) == 0) return false;
  const char *first = omr_table_word_at(roots[0], path);
  bool same = true;
  for (size_t g = 0; g < table->groups; g++) {
    const char *word = omr_table_word_at(roots[g], path);
    if (!first || !word) return false;
    same = same && strcmp(first, word) == 0;
  }
  return !same;
}

static void add_word_column(omr_candidate_table *table, cJSON *const *roots, const char *path) {
  cJSON *row = table->rows->child;
  omr_tree_append(table->paths, cJSON_CreateString(path));
  for (size_t i = 0; i < table->count; i++, row = row->next)
    omr_tree_append(row, cJSON_CreateString(omr_table_word_at(roots[table->group[i]], path)));
  table->columns++;
}

bool omr_table_add_words(omr_candidate_table *table, const char *const *texts) {
  const omr_key_list *words = &omr_key_lists[OMR_SECTION_WORDS];
  cJSON **roots = calloc(table->groups + 1, sizeof *roots);
  if (!roots) return false;
  for (size_t g = 0; g < table->groups; g++) roots[g] = cJSON_Parse(texts[g]);
  for (int w = 0; w < words->count; w++)
    if (differs(table, roots, words->keys[w].name))
      add_word_column(table, roots, words->keys[w].name);
  for (size_t g = 0; g < table->groups; g++) cJSON_Delete(roots[g]);
  free(roots);
  return omr_tree_whole(table->paths) && omr_tree_whole(table->rows);
}

/* OVERRIDES */

/* A tree as the value of an assignment. */
static bool assign(omr_text *text, const char *path, cJSON *value) {
  char *printed = omr_tree_whole(value) ? cJSON_PrintUnformatted(value) : NULL;
  if (printed) omr_text_print(text, "%s=%s", path, printed);
  const bool good = printed && !text->failed;
  free(printed);
  cJSON_Delete(value);
  return good;
}

/* Numbers with all their digits: cJSON prints 15 where they read back the same, else 17. */
static cJSON *numeric_row(const omr_candidate_table *table, const cJSON *row) {
  cJSON *made = cJSON_CreateArray();
  const cJSON *cell = row->child;
  for (size_t c = 0; cell && c < table->columns; c++, cell = cell->next)
    if (!omr_table_is_word(table, c)) omr_tree_append(made, cJSON_Duplicate(cell, true));
  return made;
}

omr_status omr_table_overrides(const omr_candidate_table *table, size_t group, size_t only,
                               omr_text *texts, size_t *count, omr_error *error) {
  cJSON *paths = cJSON_CreateArray(), *rows = cJSON_CreateArray();
  const cJSON *row = table->rows->child, *first = NULL;
  *count = 0;

  /* The numbers of the group's candidates are rows of the design. */
  for (size_t i = 0; i < table->count; i++, row = row->next) {
    if (table->group[i] != group || table->refused[i]) continue;
    if (only != SIZE_MAX && i != only) continue;
    if (!first) first = row;
    omr_tree_append(rows, numeric_row(table, row));
  }

  /* Their words, which they share, are parameters of the study. */
  bool good = true;
  for (size_t c = 0; first && c < table->columns; c++) {
    const char *path = path_at(table, c);
    const cJSON *cell = cJSON_GetArrayItem(first, (int)c);
    if (!omr_table_is_word(table, c)) {
      omr_tree_append(paths, cJSON_CreateString(path));
    } else if (*count < OMR_TABLE_OVERRIDES - 2) {
      char full[300];
      snprintf(full, sizeof full, "parameters.%.240s", path);
      good = good && assign(&texts[(*count)++], full, cJSON_Duplicate(cell, true));
    }
  }

  /* Without columns of numbers all candidates of the group are one vehicle. */
  if (cJSON_GetArraySize(paths) > 0) {
    good = good && assign(&texts[(*count)++], "design.paths", paths) &&
           assign(&texts[(*count)++], "design.rows", rows);
  } else {
    cJSON_Delete(paths);
    cJSON_Delete(rows);
  }
  return good ? OMR_OK : fail_memory(error);
}
