/* From the parameter values of an instance to the columns that the kernels integrate. All in
 * double, by the kernels' own math functions, so that every backend starts from the same numbers.
 */
#ifndef OMR_PREPARE_H
#define OMR_PREPARE_H

#include "batch.h"

/* Uniform settings of a study's runs. The caller frees with omr_settings_free. */
omr_status omr_settings_make(const omr_study *study, omr_run_settings *settings, omr_error *error);

/* Fills slot `slot` of the batch for the given values. Returns false with a reason where they make
 * no vehicle: then the slot's status is OMR_INSTANCE_INVALID and it will not be integrated.
 * Thread-safe for different slots. */
bool omr_prepare_instance(const omr_study *study, const omr_run_settings *settings,
                          const omr_values *values, omr_batch *batch, size_t slot, char *reason,
                          size_t reason_size);

/* Has a prepared slot integrate as omr_study_refined says of the level (0, 1 or 2): with shorter
 * steps, or a smaller tolerance.
 */
void omr_prepare_refined(const omr_study *study, const omr_run_settings *settings, omr_batch *batch,
                         size_t slot, int level);

/* Copies slot `from` to slot `to` as padding that never runs. */
void omr_prepare_padding(const omr_run_settings *settings, omr_batch *batch, size_t from,
                         size_t to);

/* Kinetic energy [J] of an instance from its columns (PHYSICS.md#4-masses-what-is-integrated); with
 * penalty and compliant contact the energy of weight and springs too. */
double omr_kinetic_energy(const omr_run_settings *settings, const omr_batch *batch, size_t slot);

/* Total wheel angle and yaw are q + 2 alpha J and yaw + turns. */
double omr_total_yaw(const omr_batch *batch, size_t slot);

#endif
