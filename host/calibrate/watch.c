/* Stops a calibration where the caller wants it: between its rounds, and within them through the
 * engine. */
#include "calibrate.h"

/* Repetitions run side by side; a thread that comes during a call takes the last answer. */
static bool asks(void *user, double done, double total) {
  calibrate_watch *watch = user;
  (void)done;
  (void)total;
  if (!atomic_flag_test_and_set(&watch->asking)) {
    if (!watch->progress(watch->user, watch->done, watch->total))
      atomic_store(&watch->stopped, true);
    atomic_flag_clear(&watch->asking);
  }
  return !atomic_load(&watch->stopped);
}

omr_run_options calibrate_watched(calibrate_watch *watch) {
  return (omr_run_options){.size = sizeof(omr_run_options),
                           .progress = watch->progress ? asks : NULL,
                           .progress_user = watch};
}

omr_status calibrate_interrupted(const calibrate_how *how, omr_status status, omr_error *error) {
  if (status != OMR_ERR_INTERRUPTED) return status;
  if (how->kept)
    return omr_fail(error, OMR_ERR_INTERRUPTED,
                    "interrupted; %s keeps what is done, and the same command goes on", how->kept);
  return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; nothing is kept%s",
                  how->remedy ? how->remedy : "");
}

omr_status calibrate_tell(const calibrate_how *how, double done, double total, omr_error *error) {
  calibrate_watch *watch = how->watch;
  if (!watch || !watch->progress) return OMR_OK;
  watch->done = done;
  watch->total = total;
  if (watch->progress(watch->user, done, total)) return OMR_OK;
  return calibrate_interrupted(how, OMR_ERR_INTERRUPTED, error);
}
