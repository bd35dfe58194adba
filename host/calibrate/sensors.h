/* Clocks and sensors of a member's run. At its instant T, counted from the run's start in the log,
 * the log has for the model's sample q(t)
 *   gain q((T - time_offset)/clock_scale) + bias.
 * A cubic passes through the model's samples, with the model's velocities as slopes of coordinates,
 * else by Catmull and Rom; before the first and after the last sample the run goes on as it is
 * there (a study whose duration is longer than the measured run has samples after it). So measured
 * values stay as they are whatever the clock: a log that is read between its rows would be less
 * noisy there, and draw clocks to such instants. Poses from the start of a run are seen from the
 * model's pose at the log's first instant, or with start_error from the pose that was measured
 * there. */
#ifndef OMR_SENSORS_H
#define OMR_SENSORS_H

#include "../result/result.h"
#include "coordinates.h"

/* Readings [samples][instants] of the trajectory at `place` among the result's. */
void omr_sensors_tell(const omr_study *study, const omr_result *result, size_t place,
                      const omr_sensed *sensed, double *told);

#endif
