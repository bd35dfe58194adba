/* Doubts about a log that can be read: times without a unit that look like milliseconds, and holes.
 * Each is a line of the study's log_note, once, however many readers the file has. */
#include "log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between rows from which on they are taken for another unit; a table of fewer rows is a
 * program of somebody's hand. A row is missing where the next is this many intervals away. */
static const double slow = 1, far = 3;
enum { FEW_ROWS = 20 };

omr_status omr_log_note(const omr_log *log, const char *line) {
  omr_study *study = log->reader->study;
  omr_text text = {0};
  if (study->log_note && strstr(study->log_note, line)) return OMR_OK;
  omr_text_print(&text, "%s%s%s", study->log_note ? study->log_note : "",
                 study->log_note ? "\n" : "", line);
  free(study->log_note);
  study->log_note = text.data;
  return text.failed ? omr_fail_memory(log->reader) : OMR_OK;
}

/* The median distance of the rows; NaN: out of memory. */
static double usual_distance(const double *times, size_t rows) {
  double *apart = calloc(rows, sizeof *apart);
  if (!apart) return (double)NAN;
  for (size_t row = 1; row < rows; row++) apart[row - 1] = times[row] - times[row - 1];
  qsort(apart, rows - 1, sizeof *apart, omr_by_value);
  const double usual = apart[(rows - 1) / 2];
  free(apart);
  return usual;
}

/* "t_s" says it too. */
static bool says_unit(const omr_log_column *time) {
  const char *end = strrchr(time->column, '_');
  return time->found->unit || time->written || time->factor != 1 || (end && !strcmp(end, "_s"));
}

omr_status omr_log_doubt_unit(const omr_log *log, const double *times) {
  const size_t rows = log->columns.rows;
  const omr_log_column *time = &log->wanted[0];
  char line[700];
  if (rows < FEW_ROWS || says_unit(time)) return OMR_OK;
  const double usual = usual_distance(times, rows);
  if (isnan(usual)) return omr_fail_memory(log->reader);
  if (usual < slow) return OMR_OK;
  const char *unit = usual < 2e3 ? "ms" : usual < 2e6 ? "us" : "ns";
  snprintf(line, sizeof line,
           "log: the times of %.200s, column \"%.60s\", have no unit and are read as seconds: rows "
           "are %.4g s apart, and the log lasts %.4g s; if they are %s, write {\"column\": "
           "\"%.60s\", \"unit\": \"%s\"} in place of its name, otherwise \"unit\": \"s\"",
           log->path, time->column, usual, times[rows - 1] - times[0], unit, time->column, unit);
  return omr_log_note(log, line);
}

omr_status omr_log_doubt_holes(const omr_log *log, const double *times, double start, double end,
                               double interval) {
  const size_t rows = log->columns.rows;
  const double usual = usual_distance(times, rows), most = far * fmax(usual, interval);
  size_t holes = 0, largest = 1;
  char line[500];

  /* Each long pause between two rows within the run is a hole. */
  if (isnan(usual)) return omr_fail_memory(log->reader);
  for (size_t row = 1; row < rows; row++) {
    if (times[row] <= start || times[row - 1] >= end || times[row] - times[row - 1] <= most)
      continue;
    if (holes++ == 0 || times[row] - times[row - 1] > times[largest] - times[largest - 1])
      largest = row;
  }

  /* One line reports all holes, with the place of the longest. */
  if (holes == 0) return OMR_OK;
  snprintf(line, sizeof line,
           "log: %.200s has %zu hole%s, the longest of %.3g s from line %zu on, %.4g s after the "
           "run's start; straight lines fill %s, also of what is replayed: end or start the run "
           "there (\"end\", \"start\"), or make two of it",
           log->path, holes, holes == 1 ? "" : "s", times[largest] - times[largest - 1],
           log->columns.line[largest - 1], times[largest - 1] - start, holes == 1 ? "it" : "them");
  return omr_log_note(log, line);
}
