/* The study's engine.backend chooses the integrator. */
#ifndef OMR_CAMPAIGN_INTEGRATE_H
#define OMR_CAMPAIGN_INTEGRATE_H

#include "../engine/integrator.h"

/* Opens the reference where the part's study names it, otherwise the engine, on several devices
 * where engine.devices names them. Close with
 * omr_integrator_close. */
omr_status omr_integrator_open(const omr_part *part, const omr_run_options *options,
                               omr_integrator **integrator, omr_error *error);

/* The rows of a part in memory, alone: without statistics and named trajectories. Instances that
 * `refined` (NULL: none) has not run yet ride along, and its rows of the part are noted. The caller
 * destroys *result. */
omr_status omr_run_part(const omr_part *part, const omr_run_options *options, omr_refined *refined,
                        omr_result **result, omr_error *error);

/* The rows first .. last-1 of a part by an open integrator. The caller destroys *result. */
omr_status omr_run_rows(omr_integrator *integrator, const omr_part *whole, size_t first,
                        size_t last, omr_result **result, omr_error *error);

#endif
