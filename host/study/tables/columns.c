#define _GNU_SOURCE /* memrchr */
#include "columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool omr_columns_add(omr_columns *columns, const char *name, size_t length) {
  if (!omr_grow(&columns->column, columns->count + 1, sizeof *columns->column)) return false;
  omr_named_column *last = &columns->column[columns->count++];
  *last = (omr_named_column){.name = strndup(name, length), .number = columns->count};
  return last->name != NULL;
}

static void free_column(omr_named_column *column) {
  free(column->name);
  free(column->unit);
  free(column->values);
  free(column->text);
}

void omr_columns_free(omr_columns *columns) {
  for (size_t c = 0; c < columns->count; c++) free_column(&columns->column[c]);
  free(columns->column);
  free(columns->line);
  *columns = (omr_columns){0};
}

omr_status omr_columns_only(const omr_columns *columns, const omr_named_column *column,
                            const char *path, omr_error *error) {
  for (const omr_named_column *other = columns->column; other < columns->column + columns->count;
       other++) {
    if (other == column || strcmp(other->name, column->name) != 0) continue;
    const bool after = other->number > column->number;
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: columns %zu and %zu are both \"%.60s\"; give one of them another name, or "
                    "leave it out",
                    path, after ? column->number : other->number,
                    after ? other->number : column->number, column->name);
  }
  return OMR_OK;
}

/* The text being read. */
typedef struct csv {
  const char *path, *at;
  size_t line, capacity;
  omr_columns *columns;
  omr_error *error;
} csv;

static omr_status fail_memory(const csv *c) {
  return omr_fail(c->error, OMR_ERR_MEMORY, "%s: out of memory", c->path);
}

/* The next line with something in it, without its end; false at the end of the text. */
static bool next_line(csv *c, const char **start, const char **end) {
  while (*c->at) {
    *start = c->at + strspn(c->at, " \t");
    const size_t length = strcspn(c->at, "\n");
    *end = c->at + length;
    c->at = *end + (**end == '\n');
    c->line++;
    while (*end > *start && strchr(" \t\r", (*end)[-1])) --*end;
    if (*end > *start && **start != '#') return true;
  }
  return false;
}

/* The next field of a line, without blanks and quotes around it, but as it stands where something
 * follows the quotes or they do not close, which makes no number; moves *at beyond the comma, or to
 * NULL after the last. */
static void next_field(const char **at, const char *end, const char **field, size_t *length) {
  const char *start = *at, *close = NULL;

  /* The field begins after blanks, with a quote or without. */
  while (start < end && strchr(" \t", *start)) start++;
  const bool quoted = start < end && *start == '"';
  if (quoted) {
    close = start + 1; /* a doubled quote is of the text */
    while (close < end && (*close != '"' || (close + 1 < end && close[1] == '"')))
      close += *close == '"' ? 2 : 1;
    if (close >= end) close = NULL;
  }

  /* It ends before the next comma outside of quotes. */
  const char *from = close    ? close
                     : quoted ? end
                              : start,
             *comma = memchr(from, ',', (size_t)(end - from)), *stop = comma ? comma : end;

  /* Blanks and quotes around it are no part of it. */
  while (stop > start && strchr(" \t", stop[-1])) stop--;
  const bool whole = close && stop == close + 1;
  *field = start + whole;
  *length = (size_t)(stop - start) - (whole ? 2 : 0);
  *at = comma ? comma + 1 : NULL;
}

/* "wheel.inclination [deg]" */
static bool add_heading(omr_columns *columns, const char *field, size_t length) {
  const char *bracket =
      length > 0 && field[length - 1] == ']' ? memrchr(field, '[', length) : NULL; /* of no wheel */
  size_t name = bracket ? (size_t)(bracket - field) : length;
  while (name > 0 && strchr(" \t", field[name - 1])) name--;
  if (!omr_columns_add(columns, field, name)) return false;
  if (!bracket) return true;
  const size_t unit = (size_t)(field + length - 1 - (bracket + 1));
  omr_named_column *last = &columns->column[columns->count - 1];
  last->unit = strndup(bracket + 1, unit);
  return last->unit != NULL;
}

static omr_status read_header(csv *c) {
  const char *start, *end, *field;
  size_t length;
  if (strncmp(c->at, "\xef\xbb\xbf", 3) == 0)
    c->at += 3; /* some programs write a byte order mark */
  if (!next_line(c, &start, &end))
    return omr_fail(c->error, OMR_ERR_STUDY, "%s: is empty; a table starts with a header", c->path);
  if (!memchr(start, ',', (size_t)(end - start)) && memchr(start, ';', (size_t)(end - start)))
    return omr_fail(c->error, OMR_ERR_STUDY, "%s:%zu: fields are parted by commas, not semicolons",
                    c->path, c->line);
  for (const char *at = start; at;) {
    next_field(&at, end, &field, &length);
    if (length == 0)
      return omr_fail(c->error, OMR_ERR_STUDY, "%s:%zu: column %zu has no name", c->path, c->line,
                      c->columns->count + 1);
    if (!add_heading(c->columns, field, length)) return fail_memory(c);
  }
  return OMR_OK;
}

static omr_status fail_fields(const csv *c, size_t fields) {
  return omr_fail(c->error, OMR_ERR_STUDY, "%s:%zu: has %zu fields; the header has %zu", c->path,
                  c->line, fields, c->columns->count);
}

static omr_status fail_rows(const csv *c) {
  return omr_fail(c->error, OMR_ERR_STUDY, "%s: has a header but no rows", c->path);
}

static bool grow(csv *c) {
  if (c->columns->rows < c->capacity) return true;
  c->capacity = c->capacity ? 2 * c->capacity : 64;
  bool good = omr_grow(&c->columns->line, c->capacity, sizeof(size_t));
  for (size_t i = 0; good && i < c->columns->count; i++)
    good = omr_grow(&c->columns->column[i].values, c->capacity, sizeof(double));
  return good;
}

/* strtod would also read "0x10" and "nan(7)". Gaps pass, for a reader that wants the column. */
static bool is_decimal(const char *text) {
  const char *word = text + (*text == '-' || *text == '+');
  return !text[strspn(text, "+-.0123456789eE")] || strcasecmp(word, "nan") == 0 ||
         strcasecmp(word, "inf") == 0 || strcasecmp(word, "infinity") == 0;
}

/* "20 kg" is a number whose unit belongs elsewhere; "INFO", "12:30" and "2026-05-01" are none. */
static bool begins_as_number(const char *text, const char *end) {
  return strchr("+-.0123456789", *text) && end > text && !(*end && strchr("-:/.", *end));
}

/* False when out of memory. */
static bool read_cell(const csv *c, omr_named_column *column, const char *field, size_t length) {
  char text[64], *end = text;
  const size_t shown = length < sizeof text ? length : sizeof text - 1;
  double *value = &column->values[c->columns->rows];
  memcpy(text, field, shown);
  text[shown] = 0;
  *value = omr_strtod(text, &end);
  const bool number = length == shown && end > text && !*end && is_decimal(text);
  column->numbers = column->numbers || number || begins_as_number(text, end);
  if (number) return true;
  *value = (double)NAN;
  if (column->text) return true;
  column->text_line = c->line;
  column->text = strdup(text);
  return column->text != NULL;
}

omr_status omr_columns_check(const omr_named_column *column, const char *path, omr_error *error) {
  if (!column->text) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s:%zu: column \"%s\": \"%s\" is no number (units belong into the header)", path,
                  column->text_line, column->name, column->text);
}

static omr_status read_row(csv *c, const char *start, const char *end) {
  const char *field;
  size_t length, column = 0;
  if (!grow(c)) return fail_memory(c);
  for (const char *at = start; at; column++) {
    next_field(&at, end, &field, &length);
    if (column >= c->columns->count) continue;
    if (!read_cell(c, &c->columns->column[column], field, length)) return fail_memory(c);
  }
  if (column != c->columns->count) return fail_fields(c, column);
  c->columns->line[c->columns->rows++] = c->line;
  return OMR_OK;
}

/* The design takes rows by their place, so a column that numbers them has to agree. */
static omr_status take_instances(csv *c) {
  omr_columns *columns = c->columns;
  for (size_t i = 0; i < columns->count; i++) {
    if (strcmp(columns->column[i].name, "instance") != 0) continue;

    /* The column of numbers stands once and holds numbers only. */
    const omr_status once = omr_columns_only(columns, &columns->column[i], c->path, c->error);
    if (once != OMR_OK) return once;
    if (columns->column[i].text) return omr_columns_check(&columns->column[i], c->path, c->error);

    /* Its numbers have to agree with the places of the rows. */
    for (size_t row = 0; row < columns->rows; row++)
      if (columns->column[i].values[row] != (double)row)
        return omr_fail(
            c->error, OMR_ERR_STUDY,
            "%s:%zu: instance %.9g stands where %zu is due; rows count from 0 without a gap",
            c->path, columns->line[row], columns->column[i].values[row], row);

    /* The column has done its work and leaves the table. */
    free_column(&columns->column[i]);
    columns->count--;
    memmove(&columns->column[i], &columns->column[i + 1],
            (columns->count - i) * sizeof *columns->column);
    break;
  }
  return OMR_OK;
}

/* A logger that lost its power leaves zeros at the end: a text would end at the first of them, and
 * a cut log pass for a whole one. */
static omr_status check_zeros(const csv *c, size_t length) {
  const char *zero = memchr(c->at, 0, length);
  size_t line = 1;
  if (!zero) return OMR_OK;
  for (const char *at = c->at; (at = memchr(at, '\n', (size_t)(zero - at))); at++) line++;
  if (line == 1)
    return omr_fail(c->error, OMR_ERR_STUDY,
                    "%s:1: has a zero byte, so it is no text in UTF-8: save it as CSV in UTF-8",
                    c->path);
  return omr_fail(c->error, OMR_ERR_STUDY,
                  "%s:%zu: has a zero byte, as a file has that was cut off while it was written: "
                  "head -n %zu prints the lines before it",
                  c->path, line, line - 1);
}

/* A field as a study writes it: a number, with its column's unit, or text. */
static cJSON *item_of(const char *field, size_t length, const char *unit) {
  char *text = strndup(field, length), *end = text;
  const double value = text ? omr_strtod(text, &end) : 0;
  const bool number = text && end > text && !*end && is_decimal(text) && isfinite(value);
  cJSON *item = NULL;
  if (number && !unit) {
    item = cJSON_CreateNumber(value);
  } else if (number) {
    omr_text with = {0};
    omr_text_print(&with, "%s %s", text, unit);
    item = with.failed ? NULL : cJSON_CreateString(with.data);
    omr_text_free(&with);
  } else if (text) {
    item = cJSON_CreateString(text);
  }
  free(text);
  return item;
}

omr_status omr_columns_as_rows(const char *path, const char *text, size_t length, cJSON *paths,
                               cJSON *rows, omr_error *error) {
  omr_columns columns = {0};
  csv c = {path, text, 0, 0, &columns, error};
  const char *start, *end, *field;
  size_t bytes;
  omr_status status = check_zeros(&c, length);
  if (status == OMR_OK) status = read_header(&c);
  for (size_t i = 0; status == OMR_OK && i < columns.count; i++)
    if (strcmp(columns.column[i].name, "instance") != 0)
      omr_tree_append(paths, cJSON_CreateString(columns.column[i].name));

  /* Each line is a row of fields, as many as the header has. */
  while (status == OMR_OK && next_line(&c, &start, &end)) {
    cJSON *row = cJSON_CreateArray();
    size_t column = 0;
    for (const char *at = start; at; column++) {
      next_field(&at, end, &field, &bytes);
      if (column < columns.count && strcmp(columns.column[column].name, "instance") != 0)
        omr_tree_append(row, item_of(field, bytes, columns.column[column].unit));
    }
    omr_tree_append(rows, row);
    if (column != columns.count) status = fail_fields(&c, column);
  }
  if (status == OMR_OK && !cJSON_GetArraySize(rows)) status = fail_rows(&c);
  if (status == OMR_OK && !(omr_tree_whole(paths) && omr_tree_whole(rows)))
    status = fail_memory(&c);
  omr_columns_free(&columns);
  return status;
}

omr_status omr_columns_read_csv(omr_columns *columns, const char *path, const char *text,
                                size_t length, omr_error *error) {
  csv c = {path, text, 0, 0, columns, error};
  const char *start, *end;
  omr_status status = check_zeros(&c, length);
  if (status == OMR_OK) status = read_header(&c);
  while (status == OMR_OK && next_line(&c, &start, &end)) status = read_row(&c, start, end);
  if (status == OMR_OK && columns->rows == 0) return fail_rows(&c);
  return status == OMR_OK ? take_instances(&c) : status;
}
