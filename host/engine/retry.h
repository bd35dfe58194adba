/* integrator.on_failure "retry_half_step": instances that failed for a numerical reason run
 * again with half the step.
 *
 * Each instance by itself decides whether it runs again and with which result: chunks and backends
 * do not matter, and rows that did not fail are not touched. */
#ifndef OMR_RETRY_H
#define OMR_RETRY_H

#include "integrator.h"

typedef struct omr_retry omr_retry;

/* by: the integrator of the repeated instances. study and by must outlive it. Integrators are
 * opened when an instance first needs them. Close with omr_retry_close. */
omr_status omr_retry_open(const omr_integrator_ops *by, const omr_study *study,
                          omr_backend_kind backend, omr_run_options options, omr_retry **retry,
                          omr_error *error);
void omr_retry_close(omr_retry *retry); /* NULL-safe */

/* Repeats the numerically failed instances of a finished part, up to part->study->retries times,
 * and replaces their rows, trajectories and failures. part and result as in omr_engine_run. */
omr_status omr_retry_run(omr_retry *retry, const omr_part *part, omr_result *result,
                         omr_error *error);

#endif
