#include "remeasure.h"

#include "../study/derived.h"
#include "integrate.h"

bool omr_bar_at_end(void *user, double done, double total) {
  const omr_run_options *options = user;
  (void)done;
  return !options->progress || options->progress(options->progress_user, total, total);
}

bool omr_study_elsewhere(const omr_study *study, omr_study *elsewhere) {
  const omr_engine_options *e = &study->engine;
  const omr_engine_options there = {.backend = OMR_BACKEND_OPENMP,
                                    .precision = e->precision,
                                    .threads = e->threads,
                                    .launch_seconds = e->launch_seconds};
  if (e->backend == OMR_BACKEND_OPENMP || e->backend == OMR_BACKEND_REFERENCE ||
      e->numerics != OMR_NUMERICS_EXACT)
    return false;
  *elsewhere = omr_study_on(study, &there);
  return true;
}

/* Opens the integrator for the study, or, where its device is gone, for the study on the processor,
 * which `elsewhere` keeps. */
static omr_status open_integrator(const omr_study *study, const omr_run_options *options, FILE *log,
                                  omr_study *elsewhere, omr_integrator **integrator,
                                  omr_error *error) {
  omr_error own = {0};
  omr_part whole = omr_part_of(study);
  omr_status status = omr_integrator_open(&whole, options, integrator, &own);
  const bool moves = status == OMR_ERR_DEVICE && omr_study_elsewhere(study, elsewhere);
  if (status == OMR_OK || !moves)
    return status == OMR_OK ? OMR_OK : omr_fail(error, status, "%s", own.message);
  if (log)
    fprintf(log, "step error: measured on openmp, which gives the same bits, since here %.900s\n",
            own.message);
  whole.study = elsewhere;
  return omr_integrator_open(&whole, options, integrator, error);
}

omr_status omr_remeasure(const omr_study *study, const omr_run_options *options,
                         omr_refined *refined, omr_run_record *record, omr_error *error) {
  const omr_run_options own_options = {
      .size = sizeof own_options, .progress = omr_bar_at_end, .progress_user = (void *)options};
  omr_integrator *integrator = NULL;
  const omr_study unjudged = omr_study_unjudged(study), alone = omr_study_measured(&unjudged, true);
  omr_study elsewhere;
  if (refined->sample.count == 0 || omr_refined_done(refined)) return OMR_OK;
  omr_status status =
      open_integrator(&alone, &own_options, options->log, &elsewhere, &integrator, error);
  if (status != OMR_OK) return status;
  omr_integrator_carry(integrator, refined);
  status = omr_integrator_run_carried(integrator, record, error);
  if (status == OMR_OK) status = omr_integrator_check(integrator, error);
  record->build_seconds += omr_integrator_record(integrator)->build_seconds;
  omr_integrator_close(integrator);
  return status;
}
