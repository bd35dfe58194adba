/* A result file as CSV. Read in blocks, so that memory does not grow with the rows. Numbers have
 * the digits that bring back the same bits; a value that is not there is an empty field. */
#ifndef OMR_EXPORT_H
#define OMR_EXPORT_H

#include "../support/support.h"

/* One line per instance: its number, the columns with their units in brackets, status as a word,
 * status_time. `columns`: names parted by commas, in the order wanted (after the instance); NULL:
 * all. */
omr_status omr_export_instances(const char *path, const char *columns, FILE *out, omr_error *error);

/* One line per traced instance and time until its end: instance, time, samples; those of wheel i as
 * name_i. */
omr_status omr_export_trajectories(const char *path, const char *columns, FILE *out,
                                   omr_error *error);

#endif
