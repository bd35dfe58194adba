/* Batches of vehicles that the caller steps, with inputs of its own: for controllers and learners.
 * Conventions of ownership, threads and NULL: base.h. One input, two values of each vehicle:
 *
 *     const size_t input = 0;
 *     const char *const names[] = {"x", "yaw"};
 *     omr_batch_open(study, NULL, &batch, &error);
 *     omr_batch_observe(batch, names, 2, &error);
 *     omr_batch_set(batch, &input, 1, torques, &error);
 *     omr_batch_step(batch, 0.01, &error);
 *     omr_batch_read(batch, seen, &error);
 *     omr_batch_close(batch);
 */
#ifndef OMNIROLL_BATCH_H
#define OMNIROLL_BATCH_H

#include <omniroll/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vehicles of a study at instants of their own. One thread at a time may use it. */
typedef struct omr_stepped_batch omr_stepped_batch;

typedef struct omr_batch_options {
  size_t size;
  size_t count; /* vehicles; 0: the study's instances */
  FILE *log;    /* as that of omr_run_options */
} omr_batch_options;
#define OMR_BATCH_OPTIONS_INIT                                                                     \
  { .size = sizeof(omr_batch_options) }

/* Opens a batch on the backend, device and precision of the study's section engine, with every
 * vehicle at its start: vehicle i has the values of instance i modulo the study's instances, the
 * same bits as in a run. The study's duration does not end it. The study has to outlive the batch,
 * which the caller closes. OMR_ERR_USAGE for a study without a vehicle, with a tolerance in place
 * of fixed steps, with a budget or repeated failures (integrator), or of more vehicles than the
 * device holds. */
OMR_API omr_status omr_batch_open(const omr_study *study, const omr_batch_options *options,
                                  omr_stepped_batch **batch, omr_error *error);
/* NULL is allowed. */
OMR_API void omr_batch_close(omr_stepped_batch *batch);

/* Number of vehicles. */
OMR_API size_t omr_batch_count(const omr_stepped_batch *batch);
/* Length of a step, s. */
OMR_API double omr_batch_step_length(const omr_stepped_batch *batch);
/* Number of wheels of a vehicle. */
OMR_API size_t omr_batch_wheels(const omr_stepped_batch *batch);
/* Backend and device, "openmp, avx2, 2 threads". Belongs to the batch. */
OMR_API const char *omr_batch_device(const omr_stepped_batch *batch);

/* The i-th input: its path, as in `vary` ("wheels[0].drive.torque", "command.vx"); NULL past the
 * last. The study chooses them: torque, voltage or duty of wheels with the drive "constant", the
 * rate of "speed" and of "rate", the velocities of a command of type "constant", force and torque
 * of a constant external load. Belongs to the batch. */
OMR_API const char *omr_batch_input(const omr_stepped_batch *batch, size_t input);
/* Its unit, "N m"; NULL past the last. Static text. */
OMR_API const char *omr_batch_input_unit(const omr_stepped_batch *batch, size_t input);

/* Puts vehicles slots[count] (NULL: all of them) to their start, as instances[count] of the study
 * (NULL: those that they are), with the inputs of the study. Others go on undisturbed. */
OMR_API omr_status omr_batch_reset(omr_stepped_batch *batch, const size_t *slots,
                                   const size_t *instances, size_t count, omr_error *error);
/* Sets inputs[input_count] of every vehicle, values[omr_batch_count][input_count] in the study's
 * frame and SI units. They hold until they are set again. A wheel of the drive "rate" turns at it
 * at once: no work is counted for that jump, so that energy_error loses its meaning. OMR_ERR_USAGE,
 * with nothing set, for a value that is not finite or outside the bounds of its parameter. */
OMR_API omr_status omr_batch_set(omr_stepped_batch *batch, const size_t *inputs, size_t input_count,
                                 const double *values, omr_error *error);
/* Integrates every vehicle for `seconds` more, a whole number of steps. A vehicle that fails stays
 * where it is, and its neighbours go on (omr_batch_status). OMR_ERR_SELFTEST where compiled kernels
 * were found wrong: nothing of this batch since its last reset is to be believed. */
OMR_API omr_status omr_batch_step(omr_stepped_batch *batch, double seconds, omr_error *error);

/* Chooses what omr_batch_read gives: samples of trajectories ("x", "yaw_rate", "wheel_rate", one
 * value for each wheel), and observables that the study keeps ("drive_work"), which count from the
 * vehicle's start. Extremes ("max_slip") have looked at the starts of passes up to now, and at the
 * end of the study's duration once, as a run does: there alone they are a run's bits. */
OMR_API omr_status omr_batch_observe(omr_stepped_batch *batch, const char *const *names,
                                     size_t count, omr_error *error);
/* Values that they are in all, for each vehicle. */
OMR_API size_t omr_batch_width(const omr_stepped_batch *batch);
/* The unit of a sample or observable; NULL for another name. Belongs to the study. */
OMR_API const char *omr_batch_unit(const omr_stepped_batch *batch, const char *name);
/* Reads them into values[omr_batch_count][omr_batch_width], in the study's frame and SI units. NaN
 * for vehicles that have failed, and where there is no value. */
OMR_API omr_status omr_batch_read(omr_stepped_batch *batch, double *values, omr_error *error);

/* status[omr_batch_count]: 0 while a vehicle goes on, else why it failed, as in the column `status`
 * of results. */
OMR_API omr_status omr_batch_status(omr_stepped_batch *batch, signed char *status,
                                    omr_error *error);
/* seconds[omr_batch_count] since each vehicle's start. */
OMR_API void omr_batch_times(const omr_stepped_batch *batch, double *seconds);
/* instances[omr_batch_count] of the study that the vehicles are. */
OMR_API void omr_batch_instances(const omr_stepped_batch *batch, size_t *instances);

#ifdef __cplusplus
}
#endif
#endif
