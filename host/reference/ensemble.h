/* Chosen instances of a study on the reference, as a result like a run's: analysis and comparison
 * read both alike. */
#ifndef OMR_ENSEMBLE_H
#define OMR_ENSEMBLE_H

#include "reference.h"
#include "result/result.h"

/* omr_reference_integrate, or its replacement in a test. */
typedef omr_status omr_reference_source(const omr_part *part, size_t k,
                                        const omr_reference_options *options,
                                        omr_reference_run *run, omr_error *error);

typedef struct omr_ensemble_options {
  omr_mb_tolerance tolerance;
  bool every_step; /* look at loads and extremes at every step, for any observables */
  omr_reference_source *integrate; /* NULL: omr_reference_integrate */
  omr_progress_fn *progress;       /* done and total are simulated seconds; NULL allowed */
  void *progress_user;
} omr_ensemble_options;

typedef struct omr_ensemble {
  size_t count;
  omr_reference_run *runs; /* [count]; without times if the values make no machine */
  double *seconds;         /* [count], wall time */
  omr_result *result;
} omr_ensemble;

/* `wanted` instances spread evenly from the first to the last; *chosen is malloc'ed. */
omr_status omr_instances_spread(const omr_study *study, size_t wanted, size_t **chosen,
                                size_t *count, omr_error *error);
/* The traced instances, or instance 0. */
omr_status omr_instances_default(const omr_study *study, size_t **chosen, size_t *count,
                                 omr_error *error);

/* Integrates. `part`: instances that each have a trajectory (omr_part_traced), of a study with a
 * time between samples (omr_study_sampled). Instances whose values make no machine get the status
 * for it; if there is no other, that is OMR_ERR_STUDY. */
omr_status omr_ensemble_run(const omr_part *part, const omr_ensemble_options *options,
                            omr_ensemble *ensemble, omr_error *error);
void omr_ensemble_free(omr_ensemble *ensemble);

/* The reason why the study, or this build, has no reference; OMR_OK if it has one. */
omr_status omr_ensemble_check(const omr_study *study, omr_error *error);

/* Tables of `omniroll reference`. */
void omr_ensemble_print(const omr_part *part, const omr_ensemble *ensemble, FILE *out);
/* The same as a JSON object, which the caller deletes; NULL when out of memory. */
struct cJSON;
struct cJSON *omr_ensemble_json(const omr_part *part, const omr_ensemble *ensemble);
/* Adds a run: its end (null if nothing ran), size of the system, work and drift. */
void omr_reference_run_json(const omr_reference_run *run, struct cJSON *to);

/* Number of the row's last sample before its end. */
size_t omr_last_sample(const omr_result *result, size_t row);
/* Gives the values there of each sample that has any; one, or one for each wheel. */
typedef void omr_take_state(void *to, omr_sample_info info, const double *values, size_t count);
void omr_final_states(const omr_result *result, size_t row, omr_take_state *take, void *to);

/* Instances that the caller of the library chooses, and their integration by the reference. */

/* The instances of a choice, ascending; *chosen is malloc'ed. */
omr_status omr_chosen_find(const omr_reference_choice *choice, const omr_study *study,
                           size_t **chosen, size_t *count, omr_error *error);
omr_mb_tolerance omr_chosen_tolerance(const omr_reference_choice *choice);

#endif
