/* omniroll read-table: a table in HDF5 on its way to the process that needs it. */
#include "columns.h"

#include <omniroll/program.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SECONDS = 300 }; /* of the processor: a damaged file may make HDF5 go round in circles */

static bool put(FILE *out, const void *bytes, size_t count) {
  return count == 0 || fwrite(bytes, 1, count, out) == count;
}

static bool put_number(FILE *out, uint64_t number) {
  return put(out, &number, sizeof number);
}

static bool put_text(FILE *out, const char *text) {
  const size_t length = text ? strnlen(text, OMR_TABLE_TEXT) : 0;
  return put_number(out, length) && put(out, text, length);
}

static bool put_columns(FILE *out, const omr_columns *columns) {
  bool good = put_number(out, columns->count) && put_number(out, columns->rows) &&
              put_text(out, columns->frame);
  for (size_t c = 0; good && c < columns->count; c++) {
    const omr_named_column *column = &columns->column[c];
    good = put_text(out, column->name) && put_text(out, column->unit) &&
           put(out, column->values, columns->rows * sizeof *column->values);
  }
  return good;
}

bool omr_table_answer(const char *path, FILE *out) {
  const struct rlimit seconds = {SECONDS, SECONDS}, none = {0, 0};
  omr_columns columns = {0};
  omr_error error = {0};
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_CORE, &none);
  const omr_status status = omr_columns_read_hdf5(&columns, path, &error);
  bool good = put(out, OMR_TABLE_BEGIN, strlen(OMR_TABLE_BEGIN)) && put_number(out, status);
  if (status == OMR_OK)
    good = good && put_columns(out, &columns);
  else
    good = good && put_text(out, error.message);
  good = good && put(out, OMR_TABLE_END, strlen(OMR_TABLE_END)) && fflush(out) == 0;
  omr_columns_free(&columns);
  return good;
}
