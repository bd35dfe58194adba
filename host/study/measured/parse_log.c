/* Columns of a measured log: found by their names, so that the log of a robot can be taken as it
 * is. */
#include "log.h"

#include "../../support/input.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const cJSON *place_of(const omr_log *t, const omr_log_column *w) {
  return w->place ? w->place : t->file;
}

void omr_log_want(omr_log *log, const char *name, const char *unit, omr_framing turn) {
  log->wanted[log->count++] =
      (omr_log_column){.name = name, .unit = unit, .column = name, .factor = 1, .turn = turn};
}

void omr_log_free(omr_log *log) {
  omr_columns_free(&log->columns);
  free(log->path);
}

/* ---- the study's settings */

static omr_status read_column_object(omr_reader *reader, const cJSON *item, omr_log_column *w) {
  const cJSON *column, *unit, *factor;
  OMR_TRY(omr_read_keys(reader, item, OMR_SECTION_REPLAY_COLUMN, w));
  column = omr_json_get(item, "column");
  if (!cJSON_IsString(column))
    return OMR_MISTAKEN(reader, column, OMR_MISTAKE_TYPE,
                        "expected the name of a column in the file's header");
  w->column = column->valuestring;
  unit = omr_json_get(item, "unit");
  if (unit && !cJSON_IsString(unit))
    return OMR_MISTAKEN(reader, unit, OMR_MISTAKE_TYPE, "expected a unit in quotes, such as \"%s\"",
                        w->unit);
  if (unit) w->written = unit->valuestring;
  factor = omr_json_get(item, "factor");
  if (factor) OMR_TRY(omr_read_quantity(reader, factor, "1", &w->factor));
  if (factor && !(fabs(w->factor) > 0))
    return OMR_MISTAKEN(reader, factor, OMR_MISTAKE_RANGE, "a factor must not be 0");
  return OMR_OK;
}

omr_status omr_log_read_column(omr_log *log, const cJSON *item, omr_log_column *w) {
  w->place = item;
  if (cJSON_IsString(item)) {
    w->column = item->valuestring;
    return OMR_OK;
  }
  if (cJSON_IsObject(item)) return read_column_object(log->reader, item, w);
  return OMR_MISTAKEN(log->reader, item, OMR_MISTAKE_TYPE,
                      "expected a column's name, or {\"column\": ..., \"unit\": ...}");
}

/* A wheel's rate may be given by a column of its angle, in its place. */
static omr_status choose_angle(omr_log *log, const cJSON *columns) {
  const cJSON *angle = log->angle.name ? omr_json_get(columns, log->angle.name) : NULL;
  if (!angle) return OMR_OK;
  if (omr_json_get(columns, log->wanted[1].name))
    return OMR_REFUSE(log->reader, angle,
                      "the wheel's %s is given beside it; one of the two columns says all",
                      log->wanted[1].name);
  log->wanted[1] = log->angle;
  log->by_angle = true;
  return OMR_OK;
}

static omr_status read_columns(omr_log *log) {
  omr_reader *reader = log->reader;
  const cJSON *object;
  const char *names[OMR_LOG_COLUMNS + 1];
  size_t count = log->count;
  for (size_t i = 0; i < log->count; i++) names[i] = log->wanted[i].name;
  if (log->angle.name) names[count++] = log->angle.name;
  OMR_TRY(omr_read_object(reader, log->item, "columns", &object));
  if (!object) return OMR_OK;
  OMR_TRY(omr_json_check_keys(&reader->json, object, names, count, reader->error));
  OMR_TRY(choose_angle(log, object));
  for (size_t i = 0; i < log->count; i++) {
    const cJSON *item = omr_json_get(object, log->wanted[i].name);
    if (item) OMR_TRY(omr_log_read_column(log, item, &log->wanted[i]));
  }
  return OMR_OK;
}

omr_status omr_log_read_names(omr_log *log, const char *example) {
  omr_reader *reader = log->reader;
  if (!log->file) OMR_TRY(omr_require(reader, log->item, "file", example, &log->file));
  if (!cJSON_IsString(log->file) || !*log->file->valuestring)
    return OMR_MISTAKEN(reader, log->file, OMR_MISTAKE_TYPE, "expected the name of a CSV file");
  return read_columns(log);
}

/* ---- the file */

static omr_status check_file(const omr_log *t) {
  struct stat found;
  if (stat(t->path, &found) != 0)
    return errno == ENOENT ? omr_fail_no_table(t->reader, t->file, t->path)
                           : OMR_REFUSE(t->reader, t->file, "cannot read \"%.200s\": %s", t->path,
                                        strerror(errno));
  if (!S_ISREG(found.st_mode))
    return OMR_REFUSE(t->reader, t->file, "\"%.200s\" is %s; %s is a CSV file", t->path,
                      S_ISDIR(found.st_mode) ? "a folder" : "no file", t->what);
  if (found.st_size > (off_t)OMR_LOG_BYTES)
    return OMR_REFUSE(t->reader, t->file,
                      "\"%.200s\" has %.0f MB; %s may have %zu MB at most: "
                      "thin it, or leave columns out",
                      t->path, (double)found.st_size / (1 << 20), t->what, OMR_LOG_BYTES >> 20);
  return OMR_OK;
}

omr_status omr_log_read_file(omr_log *t) {
  omr_error found = {0};
  char *bytes = NULL;
  size_t length = 0;

  /* The path is relative to the study's folder. */
  t->path = omr_beside_study(t->reader->json.name, t->file->valuestring);
  if (!t->path) return omr_fail_memory(t->reader);
  OMR_TRY(check_file(t));

  /* The bytes of the file become columns; HDF5 shows by its first bytes. */
  omr_status status = omr_read_file(t->path, &bytes, &length, &found);
  if (status == OMR_OK && length > 4 && memcmp(bytes, "\x89HDF", 4) == 0)
    status = omr_fail(&found, OMR_ERR_STUDY, "%s: is HDF5; %s is CSV", t->path, t->what);
  else if (status == OMR_OK)
    status = omr_columns_read_csv(&t->columns, t->path, bytes, length, &found);

  /* A mistake in the file is one of the study that names it. */
  if (status == OMR_ERR_MEMORY)
    status = omr_fail_memory(t->reader);
  else if (status != OMR_OK)
    status = OMR_REFUSE(t->reader, t->file, "%s", found.message);
  else if (!t->shared)
    status = omr_check_table_hash(t->reader, t->item, t->path, bytes, length);
  free(bytes);
  return status;
}

static const omr_named_column *find_column(const omr_columns *columns, const char *name) {
  for (size_t c = 0; c < columns->count; c++)
    if (strcmp(columns->column[c].name, name) == 0) return &columns->column[c];
  return NULL;
}

/* A column that is not there: the nearest name, and which there are. */
static omr_status fail_no_column(const omr_log *t, const omr_log_column *w) {
  const char *names[32];
  omr_text listed = {0};
  size_t count = 0;
  for (; count < t->columns.count && count < sizeof names / sizeof *names; count++) {
    names[count] = t->columns.column[count].name;
    omr_text_print(&listed, "%s\"%.40s\"", count ? ", " : "", names[count]);
  }
  const char *nearest = omr_nearest(w->column, names, count);
  const omr_status status = OMR_REFUSE(
      t->reader, place_of(t, w), "%s has no column \"%.60s\" for the %s%s%s%s; it has %.600s%s",
      t->path, w->column, w->name, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
      nearest ? "\"?" : "", listed.data ? listed.data : "none",
      t->columns.count > count ? ", ..." : "");
  omr_text_free(&listed);
  return status;
}

/* SI per number of the column: by the header's unit, else the study's. */
static omr_status unit_factor(const omr_log *t, const omr_log_column *w, double *factor) {
  const char *unit = w->found->unit ? w->found->unit : w->written;
  char text[320], *message = NULL;
  *factor = 1;
  if (w->found->unit && w->written && strcmp(w->found->unit, w->written) != 0)
    return OMR_REFUSE(t->reader, w->place,
                      "the header of %s says that \"%s\" is in %.40s, and here it is in %.40s; "
                      "leave \"unit\" out",
                      t->path, w->column, w->found->unit, w->written);
  if (!unit || strcmp(unit, w->unit) == 0) return OMR_OK;
  snprintf(text, sizeof text, "1 %.300s", unit);
  if (omr_unit_convert(text, w->unit, factor, &message)) return OMR_OK;
  if (!message) return omr_fail_memory(t->reader);
  const omr_status status =
      OMR_REFUSE(t->reader, place_of(t, w), "the unit of column \"%.60s\" of %s, the %s: %s",
                 w->column, t->path, w->name, message);
  free(message);
  return status;
}

/* Copies a column into every `stride`-th place. */
omr_status omr_log_take(const omr_log *t, omr_log_column *w, double *to, size_t stride) {
  double factor;

  /* The column has to exist once, and hold numbers. */
  w->found = find_column(&t->columns, w->column);
  omr_error wrong = {0};
  if (!w->found) return fail_no_column(t, w);
  if (omr_columns_only(&t->columns, w->found, t->path, &wrong) != OMR_OK ||
      omr_columns_check(w->found, t->path, &wrong) != OMR_OK)
    return OMR_REFUSE(t->reader, place_of(t, w), "%s", wrong.message);

  /* Each value is converted to SI and turned to the study's frame. */
  OMR_TRY(unit_factor(t, w, &factor));
  for (size_t row = 0; row < t->columns.rows; row++) {
    const double value = w->found->values[row] * factor * w->factor;
    if (!isfinite(value))
      return OMR_REFUSE(t->reader, place_of(t, w),
                        "%s:%zu: column \"%.60s\" has %.9g, which is no value; leave the row out, "
                        "or fill the gap",
                        t->path, t->columns.line[row], w->column, w->found->values[row]);
    to[row * stride] = omr_turned(w->turn, value);
  }
  return OMR_OK;
}

omr_status omr_log_check_times(const omr_log *t, const double *time) {
  for (size_t row = 1; row < t->columns.rows; row++)
    if (!(time[row] > time[row - 1])) {
      const int digits = omr_digits_apart(time[row], time[row - 1], 9);
      return OMR_REFUSE(t->reader, place_of(t, &t->wanted[0]),
                        "%s:%zu: time %.*g s does not come after %.*g s; times must rise", t->path,
                        t->columns.line[row], digits, time[row], digits, time[row - 1]);
    }
  return OMR_OK;
}
