#include "remeasure.h"

/* The bar stands at its end; a stop is still asked for. */
static bool at_end(void *user, double done, double total) {
  const omr_run_options *options = user;
  (void)done;
  return !options->progress || options->progress(options->progress_user, total, total);
}

static omr_status open_engine(omr_study *study, const omr_run_options *options, FILE *log,
                              omr_engine **engine, omr_error *error) {
  omr_error own = {OMR_OK, ""};
  const omr_engine_options *e = &study->engine;
  omr_status status = omr_engine_open(study, options, engine, &own);
  const bool elsewhere = status == OMR_ERR_DEVICE && e->backend != OMR_BACKEND_OPENMP &&
                         e->numerics == OMR_NUMERICS_EXACT;
  if (status == OMR_OK || !elsewhere)
    return status == OMR_OK ? OMR_OK : omr_fail(error, status, "%s", own.message);
  if (log)
    fprintf(log, "step error: measured on openmp, which gives the same bits, since here %.900s\n",
            own.message);
  study->engine = (omr_engine_options){.backend = OMR_BACKEND_OPENMP,
                                       .precision = e->precision,
                                       .threads = e->threads,
                                       .launch_seconds = e->launch_seconds};
  return omr_engine_open(study, options, engine, error);
}

omr_status omr_remeasure(const omr_study *study, const omr_run_options *options,
                         omr_refined *refined, omr_run_record *record, omr_error *error) {
  const omr_run_options engine_options = {
      .size = sizeof engine_options, .progress = at_end, .progress_user = (void *)options};
  omr_engine *engine = NULL;
  omr_study alone = *study;
  if (refined->sample.count == 0 || omr_refined_done(refined)) return OMR_OK;
  alone.stability = OMR_STABILITY_IGNORE; /* was judged with the run */
  alone.on_failure = OMR_FAILURE_RECORD;
  omr_status status = open_engine(&alone, &engine_options, options->log, &engine, error);
  if (status != OMR_OK) return status;
  omr_engine_carry(engine, refined);
  status = omr_engine_run_carried(engine, record, error);
  record->build_seconds += omr_engine_record(engine)->build_seconds;
  omr_engine_close(engine);
  return status;
}
