/* Checks that the device still computes the results of the processor: it integrates some instances
 * of the study for a short time with the kernels of the run, and the scalar build integrates the
 * same. */
#ifndef OMR_DEVICE_CHECK_H
#define OMR_DEVICE_CHECK_H

#include "backend.h"
#include "integrator.h"

typedef struct omr_device_check omr_device_check;

/* The scalar build integrates some instances of `whole`, spread over it, for some milliseconds; the
 * device must reach the same state. settings and record stay the caller's and must outlive the
 * check. The caller closes. */
omr_status omr_device_check_open(const omr_part *whole, const omr_engine_options *options,
                                 const omr_run_settings *settings, const omr_run_record *record,
                                 omr_device_check **check, omr_error *error);
void omr_device_check_close(omr_device_check *check); /* NULL-safe */

/* The backend, whose batch is lost, integrates the same instances on every unit of the device at
 * once, and the results are compared. Bits must agree where the device rounds as IEEE 754 demands,
 * motions to omr_selftest_tolerance elsewhere. OMR_ERR_SELFTEST with device, instance, quantity and
 * both values where they do not; OMR_ERR_DEVICE where the device fails. */
omr_status omr_device_check_run(omr_device_check *check, const omr_backend_ops *ops,
                                omr_backend *backend, omr_error *error);
/* Number of checks passed so far. */
size_t omr_device_checks(const omr_device_check *check);

#endif
