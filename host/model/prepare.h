/* Turns the parameter values of an instance into the columns that the kernels integrate, all in
 * double and by the kernels' own math functions, so that every backend starts from the same
 * numbers. */
#ifndef OMR_PREPARE_H
#define OMR_PREPARE_H

#include "batch.h"

/* Uniform settings of a study's runs. The caller frees with omr_settings_free. */
omr_status omr_settings_make(const omr_study *study, omr_run_settings *settings, omr_error *error);

/* Fills slot `slot` of the batch from the given values. Returns false with a reason where they make
 * no vehicle: the slot's status is then OMR_INSTANCE_INVALID and it will not be integrated.
 * Thread-safe for different slots. */
bool omr_prepare_instance(const omr_study *study, const omr_run_settings *settings,
                          const omr_values *values, omr_batch *batch, size_t slot, char *reason,
                          size_t reason_size);

/* Makes a prepared slot integrate as omr_study_refined defines for the level (0, 1 or 2): with
 * shorter steps, or a smaller tolerance. */
void omr_prepare_refined(const omr_study *study, const omr_run_settings *settings, omr_batch *batch,
                         size_t slot, int level);

/* Copies slot `from` to slot `to` as padding that never runs. */
void omr_prepare_padding(const omr_run_settings *settings, omr_batch *batch, size_t from,
                         size_t to);

/* Kinetic energy [J] of an instance from its columns (appendix/vehicle.md#masses), with
 * the energy of weight and springs on penalty and compliant contact. */
double omr_kinetic_energy(const omr_run_settings *settings, const omr_batch *batch, size_t slot);

/* Total yaw, yaw + turns; the total wheel angle is q + 2 alpha J. */
double omr_total_yaw(const omr_batch *batch, size_t slot);

#endif
