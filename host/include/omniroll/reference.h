/* The second computation in maximal coordinates, comparisons with it, and the cost of accuracy.
 * Builds without SUNDIALS refuse it with OMR_ERR_STUDY or OMR_ERR_DEVICE and say so. Conventions of
 * ownership, threads and NULL: base.h. */
#ifndef OMNIROLL_REFERENCE_H
#define OMNIROLL_REFERENCE_H

#include <omniroll/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The instances that are taken from a study, and how the reference integrates them. */
typedef struct omr_reference_choice {
  const char *instances; /* numbers and ranges, "0,3,7-9"; NULL: see `sample` */
  size_t sample;    /* so many, spread evenly from the first to the last; 0: the traced ones, or
                       instance 0 */
  double tolerance; /* relative, of the integrator; 0: its default */
  bool bdf;         /* BDF and Newton instead of Adams */
} omr_reference_choice;

/* Whether the values of a study of the model multibody make systems: assembles its instances, at
 * most 32, evenly from the first to the last, and integrates none. OMR_ERR_STUDY with the reason
 * where none of them can be assembled. *lines are the freedoms, the redundancies, and the number of
 * instances that make no system; NULL for other models, and where the reference was not built. The
 * caller destroys *lines. */
OMR_API omr_status omr_study_assembly(const omr_study *study, char **lines, omr_error *error);

/* Chosen instances as multibody systems. */
typedef struct omr_multibody omr_multibody;
typedef struct omr_multibody_options {
  size_t size;
  omr_reference_choice choice;
  omr_progress_fn *progress; /* counts simulated seconds */
  void *progress_user;
} omr_multibody_options;
#define OMR_MULTIBODY_OPTIONS_INIT                                                                 \
  { .size = sizeof(omr_multibody_options) }

/* Integrates them. The study has to outlive *multibody, which the caller destroys. */
OMR_API omr_status omr_multibody_create(const omr_study *study,
                                        const omr_multibody_options *options,
                                        omr_multibody **multibody, omr_error *error);
/* Integrates the instances of `first` once more, at a tolerance ten times smaller, or ten times
 * larger where double precision carries no smaller one: the difference between both is the error of
 * `first`'s integration, or more than that. options: as for `first`. */
OMR_API omr_status omr_multibody_again(const omr_multibody *first,
                                       const omr_multibody_options *options,
                                       omr_multibody **multibody, omr_error *error);
/* The relative tolerance that it was integrated with. */
OMR_API double omr_multibody_tolerance(const omr_multibody *multibody);
/* NULL is allowed. Its result goes with it. */
OMR_API void omr_multibody_destroy(omr_multibody *multibody);
/* The tables of `omniroll reference`. */
OMR_API void omr_multibody_print(const omr_multibody *multibody, FILE *out);
/* The same as a JSON object. The caller destroys *json. */
OMR_API omr_status omr_multibody_json(const omr_multibody *multibody, char **json,
                                      omr_error *error);
/* A result like a run's, with a trajectory of each instance; it belongs to the multibody. */
OMR_API const omr_result *omr_multibody_result(const omr_multibody *multibody);

/* Chosen instances on the reference and on every backend and precision, at the study's step and at
 * half of it. */
typedef struct omr_comparison omr_comparison;
typedef struct omr_compare_options {
  size_t size;
  omr_reference_choice choice;
  double tolerance;                    /* relative difference that is allowed; negative: 1e-6 */
  double tolerance_single;             /* the same in single precision; negative: not judged */
  omr_progress_fn *progress;           /* of a run of the engine: counts instance-steps */
  omr_progress_fn *reference_progress; /* counts simulated seconds of the reference */
  void *progress_user;                 /* of both */
  FILE *log;                           /* warnings; NULL for none */
} omr_compare_options;
#define OMR_COMPARE_OPTIONS_INIT                                                                   \
  { .size = sizeof(omr_compare_options), .tolerance = -1, .tolerance_single = -1 }

/* Differences are no error: see omr_comparison_differs. The study has to outlive *comparison, which
 * the caller destroys. */
OMR_API omr_status omr_comparison_create(const omr_study *study, const omr_compare_options *options,
                                         omr_comparison **comparison, omr_error *error);
/* NULL is allowed. */
OMR_API void omr_comparison_destroy(omr_comparison *comparison);
/* Whether a run of the engine differs from the reference beyond step error and tolerance, so that
 * they are not known to agree; the verdict says whether all of it may be the reference's own error.
 */
OMR_API bool omr_comparison_differs(const omr_comparison *comparison);
/* Writes the last line of the table into text[size]: "agree within ...", "DIFFER: ..." or "NOT
 * DECIDED: ...". */
OMR_API void omr_comparison_verdict(const omr_comparison *comparison, char *text, size_t size);
/* The tables of `omniroll compare`, and with --json. */
OMR_API void omr_comparison_print(const omr_comparison *comparison, FILE *out);
/* The same as a JSON object. */
OMR_API omr_status omr_comparison_print_json(const omr_comparison *comparison, FILE *out,
                                             omr_error *error);
/* All of this in one call: the JSON object of some instances ("0,3,7-9"; NULL: the traced ones, or
 * instance 0) with a tolerance (negative: 1e-6). progress (NULL: none) hears of every piece of
 * work, of the engine and of the reference, each counted by itself. The caller destroys *json. */
OMR_API omr_status omr_study_compare_json(const omr_study *study, const char *instances,
                                          double tolerance, omr_progress_fn *progress, void *user,
                                          char **json, omr_error *error);
/* Both trajectories of every instance as HDF5. */
OMR_API omr_status omr_comparison_write(const omr_comparison *comparison, const char *path,
                                        omr_error *error);

/* The cost of accuracy: some instances by every method, with a ladder of steps or tolerances. */
typedef struct omr_converge omr_converge;
typedef struct omr_converge_options {
  size_t size;
  omr_reference_choice choice; /* without instances and sample: as a run takes them for its step
                                  error; tolerance and bdf are of a truth by the reference */
  bool reference;              /* the truth is the reference's */
  double budget;               /* s of wall time, about; 0: 60 */
  bool one_precision;          /* the study's only; otherwise both */
  const char *observables; /* the observables that the caller will show, separated by commas, which
                              are checked; NULL: none */
  omr_progress_fn *progress; /* counts seconds of the budget */
  void *progress_user;
} omr_converge_options;
#define OMR_CONVERGE_OPTIONS_INIT                                                                  \
  { .size = sizeof(omr_converge_options) }

/* Runs and judges. The study has to outlive *converge, which the caller destroys. */
OMR_API omr_status omr_converge_create(const omr_study *study, const omr_converge_options *options,
                                       omr_converge **converge, omr_error *error);
/* NULL is allowed. */
OMR_API void omr_converge_destroy(omr_converge *converge);
/* The table, of the observables in `list` (NULL: the demanded ones, or the usual ones). */
OMR_API void omr_converge_print(const omr_converge *converge, const char *list, FILE *out);
/* All of it as a JSON object. The caller destroys *json. */
OMR_API omr_status omr_converge_json(const omr_converge *converge, char **json, omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
