/* Whether the device still computes what the processor does: some instances of the study, for a
 * short time, by the kernels that the run uses and by the scalar build. */
#ifndef OMR_DEVICE_CHECK_H
#define OMR_DEVICE_CHECK_H

#include "backend.h"
#include "integrator.h"

typedef struct omr_device_check omr_device_check;

/* Has the scalar build integrate some instances of `whole`, spread over it, for some milliseconds;
 * what it comes to is what the device has to come to. settings and record stay the caller's and
 * must outlive the check. The caller closes. */
omr_status omr_device_check_open(const omr_part *whole, const omr_engine_options *options,
                                 const omr_run_settings *settings, const omr_run_record *record,
                                 omr_device_check **check, omr_error *error);
void omr_device_check_close(omr_device_check *check); /* NULL-safe */

/* Has the backend, whose batch is lost, integrate the same, on every unit of the device at once,
 * and compares. Bits have to agree where the device rounds as IEEE 754 asks, motions to
 * omr_selftest_tolerance elsewhere. OMR_ERR_SELFTEST with device, instance, quantity and both
 * values where they do not; OMR_ERR_DEVICE where the device fails. */
omr_status omr_device_check_run(omr_device_check *check, const omr_backend_ops *ops,
                                omr_backend *backend, omr_error *error);
/* How many were good so far. */
size_t omr_device_checks(const omr_device_check *check);

#endif
