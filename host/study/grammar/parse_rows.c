/* Designs whose instances are listed: rows in the study, or a table in a file. Each column becomes
 * a variation with a value per instance. */
#include "../../support/input.h"
#include "../designs/draws.h"
#include "../tables/columns.h"
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_type(const cJSON *root, const char *wanted) {
  const char *type = cJSON_GetStringValue(omr_json_get(omr_json_get(root, "design"), "type"));
  return type && strcmp(type, wanted) == 0;
}

bool omr_has_rows(const cJSON *root) {
  return has_type(root, "list") || has_type(root, "table") || has_type(root, "posterior");
}

/* A row of a study of single vehicles (made_of) may lie where a distribution without ends has drawn
 * it: beyond the bounds, where it makes no vehicle. */
static omr_status read_cell(omr_reader *reader, const cJSON *cell, const omr_variation *variation,
                            double *value) {
  const omr_target target = omr_target_of(variation);
  if (!omr_json_get(reader->json.root, "made_of") ||
      omr_target_parameter(target)->flags & OMR_P_INTEGER)
    return omr_read_level(reader, cell, variation, value);
  return omr_read_target(reader, cell, target, omr_target_unit(reader, target), value);
}

omr_status omr_read_listed_rows(omr_reader *reader, const cJSON *paths, const cJSON *rows,
                                omr_listed listed, size_t *count) {
  const cJSON *path, *row;
  OMR_TRY(omr_require_array(reader, paths, 1, "paths"));
  OMR_TRY(omr_require_array(reader, rows, 1, "rows"));

  /* Each path becomes a variation with a value for each row. */
  omr_study *study = reader->study;
  const size_t first = study->variation_count;
  *count = (size_t)cJSON_GetArraySize(rows);
  cJSON_ArrayForEach(path, paths) {
    omr_target target;
    omr_variation *variation;
    if (!cJSON_IsString(path))
      return OMR_REFUSE(reader, path, "expected a path such as \"wheel.friction\"");
    OMR_TRY(omr_find_target(reader, path, path->valuestring, &target));
    OMR_TRY(omr_add_variation(reader, path, path->valuestring, target, false, &variation));
    OMR_TRY(omr_allocate_levels(reader, variation, *count));
    variation->listed = listed;
  }

  /* Each row holds one value for each path. */
  size_t k = 0;
  cJSON_ArrayForEach(row, rows) {
    const size_t columns = study->variation_count - first;
    if (!cJSON_IsArray(row) || (size_t)cJSON_GetArraySize(row) != columns)
      return OMR_REFUSE(reader, row, "expected a row of %zu values, one for each path", columns);
    const cJSON *cell = row->child;
    for (size_t v = first; v < study->variation_count; v++, cell = cell->next)
      OMR_TRY(read_cell(reader, cell, &study->variations[v], &study->variations[v].values[k]));
    k++;
  }
  return OMR_OK;
}

static omr_status read_list(omr_reader *reader, const cJSON *design) {
  const cJSON *paths, *rows;
  OMR_TRY(omr_require(reader, design, "paths", "[\"wheel.friction\", \"platform.mass\"]", &paths));
  OMR_TRY(omr_require(reader, design, "rows", "[[0.3, \"20 kg\"], [0.4, \"25 kg\"]]", &rows));
  return omr_read_listed_rows(reader, paths, rows, OMR_NOT_LISTED, &reader->study->instances);
}

/* Whether the name of a result's column ("wheel0_friction") is this prefix with this path. */
static bool is_column(const char *name, const char *prefix, const char *path) {
  const size_t length = strlen(prefix);
  if (strncmp(name, prefix, length) != 0) return false;
  name += length;
  for (; *name && *path; name++, path++)
    if (*name != (*path == '.' ? '_' : *path)) return false;
  return !*name && !*path;
}

void omr_path_of_column(const omr_reader *reader, const char *name, char *path, size_t size) {
  const omr_frame_kind frame = reader->study->frame;
  snprintf(path, size, "%.200s", name);

  /* Names with a dot are paths already; other names may be columns of a result. */
  if (strchr(name, '.')) return;
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (omr_study_has_parameter(reader->study, false, i) &&
        is_column(name, "", omr_study_path(reader->study, false, i))) {
      snprintf(path, size, "%.100s", omr_study_path(reader->study, false, i));
      return;
    }

  /* Columns of wheels start with the number of the wheel, or with none for all wheels. */
  for (int i = 0; i < OMR_WP_COUNT; i++) {
    if (is_column(name, "wheel_", omr_wheel_path(frame, i)))
      snprintf(path, size, "wheel.%.100s", omr_wheel_path(frame, i));
    for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
      char prefix[16];
      snprintf(prefix, sizeof prefix, "wheel%d_", wheel % OMR_MAX_WHEELS);
      if (is_column(name, prefix, omr_wheel_path(frame, i)))
        snprintf(path, size, "wheels[%d].%.100s", wheel, omr_wheel_path(frame, i));
    }
  }
}

/* A table being taken over: errors name the study's place first, then the file's. */
typedef struct table {
  omr_reader *reader;
  const cJSON *item; /* design.file */
  char *path;
  omr_columns columns;
  size_t instances;
  size_t *row; /* [instances] of the file, drawn; NULL: instance k has row k */
  omr_listed listed;
} table;

static size_t row_of(const table *t, size_t k) {
  return t->row ? t->row[k] : k;
}

/* Repeats the error that a check of the study made, with the column and line it is about. */
static omr_status fail_in(const table *t, const omr_error *found, const omr_named_column *column,
                          size_t row) {
  if (found->status != OMR_ERR_STUDY)
    return omr_fail(t->reader->error, found->status, "%s", found->message);
  if (row == SIZE_MAX)
    return omr_fail(t->reader->error, OMR_ERR_STUDY, "%.3500s (column \"%.200s\" of %.200s)",
                    found->message, column->name, t->path);
  return omr_fail(t->reader->error, OMR_ERR_STUDY, "%.3500s (column \"%.200s\", %.200s%s%zu)",
                  found->message, column->name, t->path, t->columns.line ? ":" : ", row ",
                  t->columns.line ? t->columns.line[row] : row);
}

static omr_status unit_factor(const table *t, const omr_named_column *column, omr_target target,
                              omr_error *error, double *factor) {
  const char *unit = omr_target_unit(t->reader, target),
             *listed = omr_study_parameter(t->reader->study, target.per_wheel, target.index).unit;
  char text[320], *message = NULL;
  *factor = 1;
  if (!column->unit || strcmp(column->unit, unit) == 0 || strcmp(column->unit, listed) == 0)
    return OMR_OK;
  snprintf(text, sizeof text, "1 %s", column->unit);
  if (omr_unit_convert(text, unit, factor, &message)) return OMR_OK;
  if (!message) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status =
      omr_json_fail(&t->reader->json, t->item, error, "the unit: %s", message);
  free(message);
  return status;
}

static omr_status take_values(const table *t, const omr_named_column *column,
                              omr_variation *variation) {
  const omr_target target = omr_target_of(variation);
  omr_error found = {0};
  omr_reader reader = *t->reader; /* whose errors come here */
  reader.error = &found;
  double factor;

  /* A column may have a unit of its own. */
  if (unit_factor(t, column, target, &found, &factor) != OMR_OK)
    return fail_in(t, &found, column, SIZE_MAX);

  /* Every row gives a value within the bounds of the parameter. */
  OMR_TRY(omr_allocate_levels(t->reader, variation, t->instances));
  for (size_t k = 0; k < t->instances; k++) {
    const double value = column->values[row_of(t, k)];
    variation->values[k] = factor == 1 ? value : factor * value;
    const bool finite = isfinite(variation->values[k]);
    if (!finite)
      omr_json_fail(&reader.json, t->item, &found, "%.9g is no value", variation->values[k]);
    if (!finite || omr_require_bounds(&reader, t->item, target, variation->values[k]) != OMR_OK)
      return fail_in(t, &found, column, row_of(t, k));
  }
  return OMR_OK;
}

static omr_status take_column(const table *t, const omr_named_column *column) {
  omr_error found = {0};
  omr_reader reader = *t->reader;
  omr_target target;
  omr_variation *variation;
  char path[240];
  if (omr_columns_only(&t->columns, column, t->path, &found) != OMR_OK)
    return OMR_REFUSE(t->reader, t->item, "%s", found.message);
  omr_path_of_column(t->reader, column->name, path, sizeof path);
  reader.error = &found;
  const omr_status known = omr_find_target(&reader, t->item, path, &target);
  if (known == OMR_ERR_STUDY && column->text && !column->numbers) return OMR_OK; /* remarks */
  if (known == OMR_OK && omr_columns_check(column, t->path, &found) != OMR_OK)
    return OMR_REFUSE(t->reader, t->item, "%s", found.message);
  if (known != OMR_OK ||
      omr_add_variation(&reader, t->item, path, target, false, &variation) != OMR_OK)
    return fail_in(t, &found, column, SIZE_MAX);
  variation->listed = t->listed;
  return take_values(t, column, variation);
}

/* Names that both frames have may have the other sign in one of them. */
static omr_status check_frame(const table *t) {
  const char *here = omr_frame_list[t->reader->study->frame].name;
  if (!t->columns.frame[0] || strcmp(t->columns.frame, here) == 0) return OMR_OK;
  return OMR_REFUSE(t->reader, t->item,
                    "%.200s is in the frame %s, and this study is in the frame %s; make the table "
                    "of a study in the same frame",
                    t->path, t->columns.frame, here);
}

static omr_status take_columns(table *t) {
  for (size_t c = 0; c < t->columns.count; c++) OMR_TRY(take_column(t, &t->columns.column[c]));
  return OMR_OK;
}

/* From the result of the study that had the table. */
static omr_status take_result(table *t) {
  omr_status status = omr_columns_read_hdf5(&t->columns, t->path, t->reader->error);
  t->instances = t->columns.rows;
  return status == OMR_OK ? take_columns(t) : status;
}

/* Each instance takes a row, any of them with the same chance: points of a posterior are equally
 * likely, and one may come several times. */
static omr_status draw_rows(table *t, const cJSON *design) {
  omr_reader *reader = t->reader;
  const cJSON *item;
  double instances;
  OMR_TRY(omr_require(reader, design, t->listed ? "per_cell" : "instances", "1000", &item));
  OMR_TRY(omr_read_whole(reader, item, 1, 0x1p32, &instances));
  OMR_TRY(omr_read_seed(reader, design));
  if (t->columns.rows == 0) return OMR_REFUSE(reader, t->item, "%s has no points", t->path);
  t->instances = (size_t)instances;
  t->row = calloc(t->instances, sizeof *t->row);
  if (!t->row) return omr_fail_memory(reader);
  for (size_t k = 0; k < t->instances; k++) {
    uint64_t bits[2];
    omr_draw_for(OMR_FOR_POSTERIOR, reader->study->design.seed, k, 0, bits);
    t->row[k] = (size_t)(omr_draw_unit(bits[0]) * (double)t->columns.rows);
  }
  return OMR_OK;
}

/* A pipe would be waited for, for ever. */
omr_status omr_require_plain_table(omr_reader *reader, const cJSON *item, const char *path) {
  const omr_input_kind kind = omr_input_kind_of(path);
  const bool folder = kind == OMR_INPUT_FOLDER || kind == OMR_INPUT_PARTS;
  if (!folder && kind != OMR_INPUT_SPECIAL) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "\"%.200s\" is %s; a table of designs is a plain file, CSV or HDF5: name that, "
                    "or copy it into one",
                    path, folder ? "a folder" : "a pipe, a socket or a device");
}

static omr_status take_table(table *t, const cJSON *design, bool drawn) {
  omr_error found = {0};
  const omr_reader *reader = t->reader;
  char *bytes = NULL;
  size_t length = 0;

  /* Only a plain file is read; its first bytes tell HDF5 from CSV. */
  OMR_TRY(omr_require_plain_table(t->reader, t->item, t->path));
  omr_status status = omr_read_file(t->path, &bytes, &length, &found);
  if (status == OMR_OK && length > 4 && memcmp(bytes, "\x89HDF", 4) == 0)
    status = omr_columns_ask_hdf5(&t->columns, t->path, &found);
  else if (status == OMR_OK)
    status = omr_columns_read_csv(&t->columns, t->path, bytes, length, &found);

  /* Errors of the file become errors at the study's place that names it. */
  if (status != OMR_OK && status != OMR_ERR_MEMORY && access(t->path, F_OK) != 0)
    status = omr_fail_no_table(t->reader, t->item, t->path);
  else if (status != OMR_OK && status != OMR_ERR_MEMORY)
    status = OMR_REFUSE(reader, t->item, "%s", found.message);
  else if (status != OMR_OK)
    status = omr_fail_memory(t->reader);
  else if (!t->listed)
    status = omr_check_table_hash(t->reader, design, t->path, bytes, length);
  free(bytes);

  /* A posterior draws from the rows; every other table is taken row by row. */
  if (status == OMR_OK) status = check_frame(t);
  if (status != OMR_OK) return status;
  t->instances = t->columns.rows;
  if (drawn) OMR_TRY(draw_rows(t, design));
  return take_columns(t);
}

static omr_status take_name(table *t) {
  if (!cJSON_IsString(t->item) || !*t->item->valuestring)
    return OMR_REFUSE(t->reader, t->item, "expected the name of a CSV or HDF5 file");
  t->path = t->reader->values_file && !t->listed
                ? strdup(t->reader->values_file)
                : omr_beside_study(t->reader->json.name, t->item->valuestring);
  return t->path ? OMR_OK : omr_fail_memory(t->reader);
}

static void free_table(table *t) {
  omr_columns_free(&t->columns);
  free(t->row);
}

static omr_status read_table(omr_reader *reader, const cJSON *design) {
  table t = {.reader = reader};
  OMR_TRY(omr_require(reader, design, "file", "\"designs.csv\"", &t.item));
  OMR_TRY(take_name(&t));
  reader->study->design.table = t.path;
  const omr_status status = reader->values_file
                                ? take_result(&t)
                                : take_table(&t, design, has_type(reader->json.root, "posterior"));
  reader->study->instances = t.instances;
  free_table(&t);
  return status;
}

omr_status omr_read_listed_file(omr_reader *reader, const cJSON *item, bool drawn,
                                omr_listed listed, size_t *count) {
  table t = {.reader = reader, .item = item, .listed = listed};
  OMR_TRY(take_name(&t));
  const omr_status status =
      take_table(&t, cJSON_GetObjectItemCaseSensitive(reader->json.root, "design"), drawn);
  *count = t.instances;
  free_table(&t);
  free(t.path);
  return status;
}

omr_status omr_read_rows(omr_reader *reader, const cJSON *root) {
  const cJSON *design = omr_json_get(root, "design"), *vary = omr_json_get(root, "vary");
  if (vary && cJSON_GetArraySize(vary) > 0)
    return OMR_REFUSE(reader, vary,
                      "a design of type %s names what it varies itself; leave \"vary\" out, or "
                      "choose another design",
                      omr_json_get(design, "type")->valuestring);
  return has_type(root, "list") ? read_list(reader, design) : read_table(reader, design);
}
