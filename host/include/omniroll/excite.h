/* Manoeuvres: the run to drive, so that it gives most information on the unknown parameters.
 * Conventions of ownership, threads and NULL: base.h. */
#ifndef OMNIROLL_EXCITE_H
#define OMNIROLL_EXCITE_H

#include <omniroll/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Manoeuvres that have been tried. */
typedef struct omr_excite omr_excite;

typedef struct omr_excite_options {
  size_t size;
  omr_progress_fn *progress; /* counts manoeuvres */
  void *progress_user;
} omr_excite_options;
#define OMR_EXCITE_OPTIONS_INIT                                                                    \
  { .size = sizeof(omr_excite_options) }

/* Tries manoeuvres within the limits of the study's section "excite" and refines the best. The
 * study has a section "data" without runs and wheels that follow a command; it has to outlive
 * *excite, which the caller destroys. */
OMR_API omr_status omr_excite_create(const omr_study *study, const omr_excite_options *options,
                                     omr_excite **excite, omr_error *error);
/* NULL is allowed. */
OMR_API void omr_excite_destroy(omr_excite *excite);
/* The best manoeuvre, next to others, with the information that a run of it gives. */
OMR_API void omr_excite_print(const omr_excite *excite, FILE *out);
/* The same as a JSON object, with the command's table. The caller destroys *json. */
OMR_API omr_status omr_excite_json(const omr_excite *excite, char **json, omr_error *error);
/* The best manoeuvre as CSV: a command that a study replays ("type": "replay"). */
OMR_API omr_status omr_excite_write(const omr_excite *excite, const char *path, omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
