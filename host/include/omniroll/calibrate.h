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
  bool check; /* no fit: whether the prior predicts the data, and their information */
  omr_progress_fn *progress; /* counts rounds of the ensemble, as far as they are known */
  void *progress_user;
  /* A file, FILE.journal by custom, that keeps results as they are computed: after a kill the same
   * call goes on, to the same bits, also with another backend or number of threads. The file goes
   * once the outcome is written. NULL: nothing is kept. */
  const char *journal;
  bool restart;         /* forget the journal's content, also another study's */
  bool foreign_journal; /* it may belong to another user, who controls its content */
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
/* OMR_ERR_NEGATIVE where the answer is not to be trusted, with the findings that say so. */
OMR_API omr_status omr_calibrate_verdict(const omr_calibrate *calibrate, omr_error *error);
/* The outcome: the verdict, then tables. */
OMR_API void omr_calibrate_print(const omr_calibrate *calibrate, FILE *out);
/* The points' parameters, for a study with the design "posterior": as CSV, a row each, where the
 * name ends in .csv, otherwise as an HDF5 file that has the measured and predicted values too. The
 * journal then goes. */
OMR_API omr_status omr_calibrate_write(const omr_calibrate *calibrate, const char *path,
                                       omr_error *error);
/* All of it as a JSON object. The caller destroys *json. */
OMR_API omr_status omr_calibrate_json(const omr_calibrate *calibrate, char **json,
                                      omr_error *error);

typedef struct omr_sbc omr_sbc;

/* The fit repeated on runs that are made, with noise, from draws of the prior (simulation-based
 * calibration): whether its intervals contain the truth as often as they claim. Made runs have the
 * instants and inputs of the fitted ones. The study has to outlive *sbc, which the caller destroys.
 */
OMR_API omr_status omr_sbc_create(const omr_study *study, size_t repetitions,
                                  const omr_calibrate_options *options, omr_sbc **sbc,
                                  omr_error *error);
/* NULL is allowed. */
OMR_API void omr_sbc_destroy(omr_sbc *sbc);
/* The verdict, and for each unknown how often the truth was inside, with its ranks. */
OMR_API void omr_sbc_print(const omr_sbc *sbc, FILE *out);
/* The same as a JSON object. The caller destroys *json. */
OMR_API omr_status omr_sbc_json(const omr_sbc *sbc, char **json, omr_error *error);
/* That object as a file; the journal then goes. */
OMR_API omr_status omr_sbc_write(const omr_sbc *sbc, const char *path, omr_error *error);
/* OMR_ERR_NEGATIVE where the intervals do not contain the truth as often as they claim. */
OMR_API omr_status omr_sbc_verdict(const omr_sbc *sbc, omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
