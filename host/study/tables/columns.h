/* Tables of numbers from files: named columns of one length. */
#ifndef OMR_STUDY_COLUMNS_H
#define OMR_STUDY_COLUMNS_H

#include "../../support/support.h"
#include "../../support/tree.h"

typedef struct omr_named_column {
  char *name;
  char *unit;       /* as the file gives it; NULL: none */
  double *values;   /* NAN where there is text */
  char *text;       /* the first field, cut, that is no number; NULL: all are numbers */
  size_t text_line; /* of that field */
  bool numbers;     /* some field is a number, or begins as one with a unit */
  size_t number;    /* in the file's header, from 1 */
} omr_named_column;

/* Zero-initialise; omr_columns_free also after a failure. */
typedef struct omr_columns {
  omr_named_column *column;
  size_t count, rows;
  char frame[16]; /* of the names and values, where the file tells; else "" */
  size_t *line;   /* of each row in the text; NULL for HDF5 */
} omr_columns;

/* CSV of `length` bytes, with a zero after them: a header of names, each with its unit in brackets
 * ("wheel.inclination [deg]"), then rows of fields, which may be in double quotes; lines that are
 * empty or start with # are passed over. A column "instance" has to count from 0 and is left out.
 * Errors begin with file and line. Fields that are no numbers are no error, since nothing may use
 * their column: omr_columns_check. */
omr_status omr_columns_read_csv(omr_columns *columns, const char *path, const char *text,
                                size_t length, omr_error *error);

/* The same text as a study writes it: the names, and the rows with their fields: numbers, numbers
 * with the unit of their column, "12 deg", and other text. A column "instance" is left out. */
omr_status omr_columns_as_rows(const char *path, const char *text, size_t length, cJSON *paths,
                               cJSON *rows, omr_error *error);

/* Refuses a column with text, by file, line and field. */
omr_status omr_columns_check(const omr_named_column *column, const char *path, omr_error *error);

/* HDF5: the one-dimensional datasets of numbers in the group /instances, or at the root, with the
 * attribute "units"; where some have the attribute role = "parameter", as in a result of this
 * program, only they count. */
omr_status omr_columns_read_hdf5(omr_columns *columns, const char *path, omr_error *error);

/* For whoever wants this column: OMR_ERR_STUDY, with both numbers, where another one has its name.
 */
omr_status omr_columns_only(const omr_columns *columns, const omr_named_column *column,
                            const char *path, omr_error *error);

/* Appends an empty column; false when out of memory. */
bool omr_columns_add(omr_columns *columns, const char *name, size_t length);
void omr_columns_free(omr_columns *columns);

/* Tables in HDF5 that others made, read by a process of their own (support/own_program.h):
 * `omniroll read-table FILE`, which is not for users. */

/* As omr_columns_read_hdf5, by the program. Without one the table is refused. */
omr_status omr_columns_ask_hdf5(omr_columns *columns, const char *path, omr_error *error);

/* The other side is omr_table_answer (omniroll/program.h), in table_answer.c. */

/* The beginning, the end and the limits of an answer. */
#define OMR_TABLE_BEGIN "omniroll table 1\n"
#define OMR_TABLE_END "end of table\n"
enum { OMR_TABLE_COLUMNS = 65536, OMR_TABLE_TEXT = 4096 };
#define OMR_TABLE_BYTES ((uint64_t)8 << 30) /* of all values */

#endif
