/* The engine: a backend that stays open while parts of one study run on it; and functions of other
 * files of host/engine. */
#ifndef OMR_RUN_H
#define OMR_RUN_H

#include "backend.h"
#include "integrator.h"

typedef struct omr_engine omr_engine;

/* Whether engine.backend is OpenCL, or "auto" takes it. */
bool omr_engine_takes_opencl(const omr_engine_options *engine);

/* The engine as an integrator. */
extern const omr_integrator_ops omr_engine_integrator;

/* Checks the part's study, opens its backend and takes the memory of a batch of its rows. study and
 * options (NULL allowed) stay the caller's and must outlive the engine; the part itself is copied.
 * Progress counts from here to the end of the part. Close with omr_engine_close. */
omr_status omr_engine_open(const omr_part *part, const omr_run_options *options,
                           omr_engine **engine, omr_error *error);
/* The same for a batch that a caller steps (stepped.h): one of all rows, with the setting STEPPED.
 * OMR_ERR_USAGE where the device does not hold them at a time. */
omr_status omr_engine_open_stepped(const omr_part *part, const omr_run_options *options,
                                   omr_engine **engine, omr_error *error);
void omr_engine_close(omr_engine *engine); /* NULL-safe */

/* The next batch carries the instances of `refined` with shorter steps and reports them by
 * omr_refined_done; their work counts with the batch's part. omr_refined_make chose them for the
 * engine's study, which leaves room for them; `refined` must live as long. */
void omr_engine_carry(omr_engine *engine, omr_refined *refined);
/* Runs them now in a batch of their own, or does nothing where none are waiting. Their work is
 * added to record (NULL allowed). */
omr_status omr_engine_run_carried(omr_engine *engine, omr_run_record *record, omr_error *error);

/* Runs all or some of the rows that the engine was opened for: one result with a row per instance
 * of the part, owned by the caller. part->study is the engine's study, or one that ends sooner. The
 * record counts the work of this part; omr_engine_record has the time to build. */
omr_status omr_engine_run(omr_engine *engine, const omr_part *part, omr_result **result,
                          omr_error *error);

/* Opens an engine for the part, runs all of it, and closes the engine. The caller owns the result,
 * whose record has the time to build too. */
omr_status omr_engine_run_alone(const omr_part *part, const omr_run_options *options,
                                omr_result **result, omr_error *error);

/* Number of instances that the device works on at a time. */
size_t omr_engine_capacity(const omr_engine *engine);

/* Whether an object that was compiled for the study was found to give other bits, and is discarded
 * (own_object.h): parts that ran before are not to be believed, those that run from now on are. The
 * part in which it is found is computed again, if it is the engine's first; OMR_ERR_SELFTEST
 * otherwise. */
bool omr_engine_doubted(const omr_engine *engine);

/* Backend, device and time to build. */
const omr_run_record *omr_engine_record(const omr_engine *engine);

/* Stores the geometry of an instance's wheels and rollers at `position` among the traced instances.
 */
void omr_result_keep_shapes(omr_result *result, size_t position, const omr_batch *batch,
                            size_t slot, const omr_values *values);

/* Prepares instances spread over the study (at most 256, *looked_at) and counts those whose values
 * make no vehicle; `reason` describes the first. A study of one such instance is OMR_ERR_STUDY,
 * since nothing can run. */
omr_status omr_study_check(const omr_study *study, size_t *looked_at, size_t *invalid, char *reason,
                           size_t size, omr_error *error);

/* Largest step for which the study's method is stable, s, from static loads, over at most 64
 * instances spread over the study; *instance is the one that needs it. Infinite where nothing
 * bounds it. */
double omr_largest_step(const omr_study *study, size_t *instance);

/* Where the method cannot be stable with the study's step (explanation/steps.md#methods),
 * integrator.stability decides: writes a line into `warnings` (otherwise ""), fails, or stays
 * quiet. */
omr_status omr_judge_stability(const omr_study *study, char *warnings, size_t size,
                               omr_error *error);
/* The remedy for instances that failed where the method cannot be stable with the study's step, or
 * with the passes that its budget allows; false where it can. */
bool omr_step_remedy(const omr_study *study, char *text, size_t size);

#endif
