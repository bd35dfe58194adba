/* Tables of thousands of rows from files, which drives and commands replay: the pieces between
 * their rows, and where an instance stands in them. */
#ifndef OMR_STUDY_REPLAY_H
#define OMR_STUDY_REPLAY_H

#include "../study.h"

/* Factors of the powers 0 to 3 of the time since the row. */
enum { OMR_REPLAY_TERMS = 4 };

/* Most rows of a table. */
#define OMR_REPLAY_ROWS 1000000

/* Fills replay->terms from its table: each row held, straight lines, or the cubic spline with
 * continuous first and second derivatives whose first two and last two pieces are one cubic each
 * (not-a-knot; a parabola through three rows, a line through two). False when out of memory. */
bool omr_replay_fit(omr_replay *replay);
/* Makes each column its derivative by time: a spline becomes parabolas with a continuous slope. */
void omr_replay_differentiate(omr_replay *replay);
void omr_replay_free(omr_replay *replay);

/* The last row, of those that have a next one, that begins no later than the table's time. */
size_t omr_replay_row(const omr_replay *replay, double time);

/* Value of a column at the table's time `time`, constant before the first and after the last row;
 * *slope (or NULL): its derivative by that time, in the row in which `within` lies where `time` is
 * an end of it. */
double omr_replay_value(const omr_replay *replay, size_t column, double time, double within,
                        double *slope);

/* The table's time at the run's time t. */
static inline double omr_replay_time(double offset, double scale, double t) {
  return (t - offset) / scale;
}

/* Start values from an instance's replays: wheels whose rate is prescribed start with it. */
void omr_replay_start(const omr_study *study, omr_values *values);

/* Whether the tables of the instance reach from the start of the run to its end; else the reason.
 */
bool omr_replay_lasts(const omr_study *study, const omr_values *values, char *reason, size_t size);

/* Whether some wheel's rate is prescribed. */
bool omr_study_is_rated(const omr_study *study);

#endif
