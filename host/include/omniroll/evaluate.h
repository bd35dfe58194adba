/* Candidates for a design under uncertainty: their objectives and constraints. Conventions of
 * ownership, threads and NULL: base.h. */
#ifndef OMNIROLL_EVALUATE_H
#define OMNIROLL_EVALUATE_H

#include <omniroll/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A study whose candidates are evaluated, any number of times. One thread at a time may use it. */
typedef struct omr_evaluator omr_evaluator;
/* Candidates with what their vehicles show of objectives and constraints. */
typedef struct omr_evaluation omr_evaluation;

/* Reads and checks a study with "objectives" or "constraints" whose design is of type candidates.
 * Its rows are kept; words may be among them. text NULL: that of the file `path`, which otherwise
 * appears in messages; overrides as for omr_study_load. The caller destroys *evaluator. */
OMR_API omr_status omr_evaluator_create(const char *path, const char *text,
                                        const char *const *overrides, size_t count,
                                        omr_evaluator **evaluator, omr_error *error);
/* NULL is allowed. Its evaluations may outlive it. */
OMR_API void omr_evaluator_destroy(omr_evaluator *evaluator);
/* A JSON object: "variables" (objects of "path", "unit", "low", "high" in SI units, "whole", and
 * "words" where it is one of several), "objectives" and "constraints" (objects of "name", "unit",
 * "text"; "maximize"; "limit", "above"), "per_candidate" vehicles, "seed". The caller destroys
 * *json. */
OMR_API omr_status omr_evaluator_about_json(const omr_evaluator *evaluator, char **json,
                                            omr_error *error);

typedef struct omr_evaluate_options {
  size_t size;
  /* Candidates in place of the study's: [count][variables] values in SI units of design.variables
   * in their order; of words and listed values their number, from 0 on. NULL: none. */
  const double *values;
  size_t count;
  const char *file;     /* likewise, a CSV file: a header of paths, then a row each; NULL: none */
  size_t per_candidate; /* vehicles of each; 0: the study's design.per_cell */
  const char *const *settings; /* overrides of this evaluation: "design.seed=7",
                                  "integrator.tolerance=1e-5"; NULL: none */
  size_t setting_count;
  size_t reference;   /* 1 + the candidate from which differences are; 0: the best one */
  const char *output; /* file of the result, which omr_run_file makes; NULL: in memory. Candidates
                         with other words have files of their own: result.h5, result.2.h5 */
  omr_file_options run;
} omr_evaluate_options;
#define OMR_EVALUATE_OPTIONS_INIT                                                                  \
  { .size = sizeof(omr_evaluate_options), .run = OMR_FILE_OPTIONS_INIT }

/* Runs the candidates. One whose values make no vehicle, or whose vehicles fail, is a row of the
 * evaluation with the reason. Values, intervals and differences are the same bits on every backend,
 * with any number of threads. *evaluation, which the caller destroys, is NULL where shards of other
 * processes are missing. */
OMR_API omr_status omr_evaluator_run(const omr_evaluator *evaluator,
                                     const omr_evaluate_options *options,
                                     omr_evaluation **evaluation, omr_error *error);
/* The same of finished files of such studies, paths[count], whose candidates follow each other. */
OMR_API omr_status omr_evaluate_results(const char *const *paths, size_t count,
                                        omr_evaluation **evaluation, omr_error *error);
/* NULL is allowed. */
OMR_API void omr_evaluation_destroy(omr_evaluation *evaluation);

/* Number of candidates. */
OMR_API size_t omr_evaluation_candidates(const omr_evaluation *evaluation);
/* The best candidates with their values, in at most 25 lines of 80 columns; `all`: every one. */
OMR_API omr_status omr_evaluation_print(const omr_evaluation *evaluation, bool all, FILE *out,
                                        omr_error *error);
/* A JSON object: "paths"; "objectives" and "constraints" as omr_evaluator_about_json; arrays with
 * an element for each candidate: "rows" (values of the paths), "status" ("" or why it has no
 * value), "draws", "failed" (share), "feasible", "holds" (how probable it is that all constraints
 * hold), "front" (no feasible one is better in every objective); arrays of such arrays, one for
 * each objective: "values", "low", "high", "step", "best" (number of the best candidate, or null),
 * "difference", "difference_low", "difference_high" (from the best one, of the same draws), and for
 * each constraint "constraint_values", "constraint_low", "constraint_high", "margins",
 * "constraint_holds"; "integrating" and "seconds" of wall time. null: not known. The caller
 * destroys *json. */
OMR_API omr_status omr_evaluation_json(const omr_evaluation *evaluation, char **json,
                                       omr_error *error);

/* One of the arrays of omr_evaluation_json by its name, row by row; true and false are 1 and 0,
 * what is not known is NaN. `numbers` has room for [candidates], or times the objectives or
 * constraints. False: there is no such array. */
OMR_API bool omr_evaluation_numbers(const omr_evaluation *evaluation, const char *name,
                                    double *numbers);
/* "" or why a candidate has no value, or which of its vehicles failed. Belongs to the evaluation;
 * NULL past the last. */
OMR_API const char *omr_evaluation_status(const omr_evaluation *evaluation, size_t candidate);
/* Wall time of all of it, s, and of it the time spent integrating (NULL: not asked). */
OMR_API double omr_evaluation_seconds(const omr_evaluation *evaluation, double *integrating);

#ifdef __cplusplus
}
#endif
#endif
