#include "columns.h"

#include "../../support/own_program.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* THE PROCESS */

/* The error for the signal or exit code of a process that gave no whole answer. */
static omr_status fail_answer(const char *path, int how, omr_error *error) {
  const int number = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
  if (number == SIGXCPU || number == SIGKILL)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: HDF5 did not come to an end with this file: it is damaged; write it "
                    "anew, or give the table as CSV",
                    path);
  if (number)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: HDF5 crashed (%s) while it read this file: it is damaged; write it anew, "
                    "or give the table as CSV",
                    path, strsignal(number));
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: the process that reads tables in HDF5 gave no table: OMNIROLL_PROGRAM has "
                  "to name the program omniroll of this version; or give the table as CSV",
                  path);
}

/* THE ANSWER */

static bool get(FILE *from, void *bytes, size_t count) {
  return count == 0 || fread(bytes, 1, count, from) == count;
}

static bool get_number(FILE *from, uint64_t most, uint64_t *number) {
  return get(from, number, sizeof *number) && *number <= most;
}

static bool get_word(FILE *from, const char *word) {
  char found[32];
  const size_t length = strlen(word);
  return length <= sizeof found && get(from, found, length) && memcmp(found, word, length) == 0;
}

/* text[OMR_TABLE_TEXT + 1] */
static bool get_text(FILE *from, char *text) {
  uint64_t length;
  if (!get_number(from, OMR_TABLE_TEXT, &length) || !get(from, text, (size_t)length)) return false;
  text[length] = 0;
  return strlen(text) == length;
}

static bool get_column(FILE *from, omr_columns *columns, bool *memory) {
  char text[OMR_TABLE_TEXT + 1];
  if (!get_text(from, text)) return false;
  *memory = omr_columns_add(columns, text, strlen(text));
  if (!*memory || !get_text(from, text)) return false;
  omr_named_column *column = &columns->column[columns->count - 1];
  column->unit = *text ? strdup(text) : NULL;
  column->values = malloc((columns->rows + 1) * sizeof *column->values);
  *memory = column->values && (!*text || column->unit);
  return *memory && get(from, column->values, columns->rows * sizeof *column->values);
}

static bool get_columns(FILE *from, omr_columns *columns, bool *memory) {
  uint64_t count, rows;
  char frame[OMR_TABLE_TEXT + 1];
  if (!get_number(from, OMR_TABLE_COLUMNS, &count) || count == 0 ||
      !get_number(from, OMR_TABLE_BYTES / sizeof(double) / count, &rows) || !get_text(from, frame))
    return false;
  columns->rows = (size_t)rows;
  snprintf(columns->frame, sizeof columns->frame, "%.15s", frame);
  for (uint64_t c = 0; c < count; c++)
    if (!get_column(from, columns, memory)) return false;
  return true;
}

/* Whether the answer is whole; *status and the error come from it. */
static bool get_answer(FILE *from, omr_columns *columns, omr_status *status, omr_error *error) {
  uint64_t said;
  bool memory = true, whole = false;
  char text[OMR_TABLE_TEXT + 1];
  if (!get_word(from, OMR_TABLE_BEGIN) || !get_number(from, OMR_ERR_INACCURATE, &said))
    return false;
  if (said == OMR_OK)
    whole = get_columns(from, columns, &memory);
  else
    whole = get_text(from, text);
  if (!memory) {
    *status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
    return true;
  }
  if (!whole || !get_word(from, OMR_TABLE_END)) return false;
  *status = said == OMR_OK ? OMR_OK : omr_fail(error, (omr_status)said, "%s", text);
  return true;
}

omr_status omr_columns_ask_hdf5(omr_columns *columns, const char *path, omr_error *error) {
  char program[PATH_MAX];
  pid_t child;
  FILE *answer;
  omr_status status = OMR_OK;

  /* The program has to be found and started. */
  if (!omr_own_program(program))
    return omr_fail(error, OMR_ERR_IO,
                    "%s: tables in HDF5 are read by the program omniroll in a process of its own, "
                    "and it is not found beside the library: install omniroll whole, name the "
                    "program in OMNIROLL_PROGRAM, or give the table as CSV",
                    path);
  const int cause = omr_own_spawn(program, "read-table", path, &child, &answer);
  if (cause)
    return omr_fail(error, OMR_ERR_IO,
                    "%s: tables in HDF5 are read by a process of their own, and %s cannot be "
                    "started: %s; or give the table as CSV",
                    path, program, strerror(cause));

  /* The answer is read until its end, and the process is waited for in any case. */
  const bool whole = answer && get_answer(answer, columns, &status, error);
  if (answer) fclose(answer); /* one that writes on ends by it */
  const int how = omr_own_wait(child);
  return whole ? status : fail_answer(path, how, error);
}
