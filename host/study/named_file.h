/* Columns of a CSV file that the study names: found by their names, so that a log of a robot or a
 * map can be taken as it is. */
#ifndef OMR_STUDY_NAMED_FILE_H
#define OMR_STUDY_NAMED_FILE_H

#include "columns.h"
#include "parse.h"

enum { OMR_NAMED_COLUMNS = 4 };

/* A column that the file is to give. */
typedef struct omr_wanted {
  const char *name, *unit;
  const cJSON *place;  /* who says which column; NULL: nobody, it is the one of this name */
  const char *column;  /* its name */
  const char *written; /* unit that the study gives; NULL: none */
  double factor;
  omr_framing turn;
  const omr_named_column *found;
} omr_wanted;

/* A file being taken over. The caller sets what stands before `file`, and wants columns; then
 * omr_named_file_read, omr_named_file_take for each column, and omr_named_file_free whatever came
 * of it. */
typedef struct omr_named_file {
  omr_reader *reader;
  const cJSON *item;   /* the object with "file", "columns" and "hash" */
  const char *what;    /* in messages: "a table that is replayed" */
  const char *example; /* a file name in quotes */
  const cJSON *file;
  char *path;
  omr_wanted wanted[OMR_NAMED_COLUMNS];
  size_t count;
  omr_columns columns;
} omr_named_file;

/* One more column, of this name unless the study says another one; its numbers are turned into the
 * frame of the kernels. */
void omr_named_file_want(omr_named_file *file, const char *name, const char *unit,
                         omr_framing turn);

/* What the study says of file and columns. */
omr_status omr_named_file_keys(omr_named_file *file);

/* Reads the file, checks its hash or notes it in the study. Not for studies that are kept with
 * their result (reader->values_file), which are looked at without their files. */
omr_status omr_named_file_read(omr_named_file *file);

/* Copies a column, in SI, into every `stride`-th place of to[rows]. */
omr_status omr_named_file_take(omr_named_file *file, omr_wanted *wanted, double *to, size_t stride);

/* Who says which column it is: the place of a mistake in it. */
const cJSON *omr_wanted_place(const omr_named_file *file, const omr_wanted *wanted);

void omr_named_file_free(omr_named_file *file);

#endif
