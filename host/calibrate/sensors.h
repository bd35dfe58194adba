/* What clocks and sensors make of a member's run. The model's sample q(t) is told by the log at its
 * instant T, counted from the run's start in the log, as
 *   gain q((T - time_offset)/clock_scale) + bias.
 * Between the model's samples a cubic goes through them, of coordinates with the model's velocities
 * as slopes, else by Catmull and Rom; before the first and after the last the run goes on as it is
 * there (a study whose duration is longer than the measured
 * run has samples after it). So what was measured stays what it is whatever the clock: a log that
 * is read between its rows would be less noisy there, and draw clocks to where it is. Poses from
 * the start of a run are seen from where the model is at the log's first instant, or where
 * start_error says that its pose was measured wrong there, from that. */
#ifndef OMR_SENSORS_H
#define OMR_SENSORS_H

#include "../result/result.h"
#include "coordinates.h"

/* told [samples][instants] of the trajectory at `place` among those of the result. */
void omr_sensors_tell(const omr_study *study, const omr_result *result, size_t place,
                      const omr_sensed *sensed, double *told);

#endif
