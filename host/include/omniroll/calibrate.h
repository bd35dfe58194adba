/* Calibration: parameters of a study from measured runs. Conventions of ownership, threads and
 * NULL: base.h. */
#ifndef OMNIROLL_CALIBRATE_H
#define OMNIROLL_CALIBRATE_H

#include <omniroll/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A study that has been held against its measured runs ("data"). */
typedef struct omr_calibrate omr_calibrate;

typedef struct omr_calibrate_options {
  size_t size;
  omr_progress_fn *progress; /* counts rounds of the ensemble, as far as they are known */
  void *progress_user;
} omr_calibrate_options;
#define OMR_CALIBRATE_OPTIONS_INIT                                                                 \
  { .size = sizeof(omr_calibrate_options) }

/* Fits the varied parameters, whose distributions are the prior, to the runs of "data" that are
 * used to fit, and predicts the others. The study has to outlive *calibrate, which the caller
 * destroys. */
OMR_API omr_status omr_calibrate_create(const omr_study *study,
                                        const omr_calibrate_options *options,
                                        omr_calibrate **calibrate, omr_error *error);
/* NULL is allowed. */
OMR_API void omr_calibrate_destroy(omr_calibrate *calibrate);
/* What came out, as a table. */
OMR_API void omr_calibrate_print(const omr_calibrate *calibrate, FILE *out);
/* The members' parameters as CSV, a row each: the table of another study. */
OMR_API omr_status omr_calibrate_write(const omr_calibrate *calibrate, const char *path,
                                       omr_error *error);
/* All of it as a JSON object. The caller destroys *json. */
OMR_API omr_status omr_calibrate_json(const omr_calibrate *calibrate, char **json,
                                      omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
