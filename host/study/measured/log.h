/* Columns of a CSV file, such as a measured log, that a study names: for replayed drives and
 * commands (parse_replay.c), maps of the floor's heights (parse_map.c) and measured runs
 * (parse_data.c). */
#ifndef OMR_STUDY_LOG_H
#define OMR_STUDY_LOG_H

#include "../grammar/parse.h"
#include "../tables/columns.h"

/* Most bytes of a log, and columns that are taken of it. */
#define OMR_LOG_BYTES ((size_t)256 << 20)
enum { OMR_LOG_COLUMNS = 32 };

/* A column that is wanted. */
typedef struct omr_log_column {
  const char *name, *unit; /* its meaning, and its unit in SI */
  const cJSON *place;      /* who says which column; NULL: nobody, it is the one of this name */
  const char *column;      /* its name */
  const char *written;     /* unit that the study gives; NULL: none */
  double factor;
  omr_framing turn;
  const omr_named_column *found;
} omr_log_column;

/* A log that is read. Zero-initialise but for reader, item, file and its title; omr_log_free also
 * after a failure. */
typedef struct omr_log {
  omr_reader *reader;
  const cJSON *item; /* the object that names the file, and keeps the hash of its bytes */
  const cJSON *file;
  bool shared;      /* another object keeps the hash */
  const char *what; /* as messages call it: "a table that is replayed" */
  char *path;
  omr_log_column wanted[OMR_LOG_COLUMNS];
  size_t count;
  omr_log_column angle; /* that may be given in place of the second one, a rate; no name: none */
  bool by_angle;        /* and is */
  omr_columns columns;
} omr_log;

/* Appends a column that is wanted, under its own name unless the study says otherwise. */
void omr_log_want(omr_log *log, const char *name, const char *unit, omr_framing turn);
/* A column as the study gives it: its name, or {"column": ..., "unit": ..., "factor": ...}. */
omr_status omr_log_read_column(omr_log *log, const cJSON *item, omr_log_column *column);
/* "file", such as `example`, unless it is known, and "columns" of the log's object; all columns
 * have been wanted. */
omr_status omr_log_read_names(omr_log *log, const char *example);
/* Reads the file, and compares or keeps its hash. */
omr_status omr_log_read_file(omr_log *log);
/* Copies a column, in SI and the kernels' frame, into every `stride`-th place of to[rows]. */
omr_status omr_log_take(const omr_log *log, omr_log_column *column, double *to, size_t stride);
/* Refuses times[columns.rows] that do not rise. */
omr_status omr_log_check_times(const omr_log *log, const double *times);
/* Adds a line to the study's log_note, once. */
omr_status omr_log_note(const omr_log *log, const char *line);
/* Notes a doubt about times[columns.rows] that rise: seconds that look like milliseconds. */
omr_status omr_log_doubt_unit(const omr_log *log, const double *times);
/* Notes rows from `start` to `end` that are farther apart than three intervals, where most are not.
 */
omr_status omr_log_doubt_holes(const omr_log *log, const double *times, double start, double end,
                               double interval);
void omr_log_free(omr_log *log);

/* parse_compared.c: "measured" of the section "data"; wants the columns. */
omr_status omr_read_samples(omr_reader *reader, omr_log *log, const cJSON *data);

/* unwrap.c: angles whose sensor starts again after a whole turn. */

/* Takes whole periods off the steps of value[rows], so that none is longer than half of one. */
void omr_unwrap(double *value, size_t rows, double period);

/* The signs that a column of a sensor wraps at a period. */
typedef struct omr_wraps {
  bool within;    /* all values lie within one period */
  bool turns;     /* they rise and fall: one that only rises or falls has not wrapped for certain */
  size_t jumps;   /* steps of more than half a period */
  size_t moves;   /* other steps that are none of 0 */
  size_t first;   /* row that the first jump leads to */
  size_t coarse;  /* row that the longest step leads to, whole periods taken off */
  double longest; /* that step's size */
} omr_wraps;
omr_wraps omr_wraps_of(const double *value, size_t rows, double period);

/* The first row to which a step of more than `least` leads that is four times as long as both its
 * neighbours and goes the other way; 0: none. */
size_t omr_lone_jump(const double *value, size_t rows, double least);

#endif
