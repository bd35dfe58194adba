#include "integrate.h"

#include "../engine/run.h"
#include "../engine/several.h"
#include "../reference/whole_study.h"

omr_status omr_integrator_open(const omr_part *part, const omr_run_options *options,
                               omr_integrator **integrator, omr_error *error) {
  const omr_engine_options *engine = &part->study->engine;
  const bool several = engine->devices && omr_engine_takes_opencl(engine);
  const omr_integrator_ops *ops = engine->backend == OMR_BACKEND_REFERENCE
                                      ? &omr_reference_integrator
                                  : several ? &omr_several_integrator
                                            : &omr_engine_integrator;
  return ops->open(part, options, integrator, error);
}

static omr_status run_once(const omr_part *part, const omr_run_options *options,
                           omr_refined *refined, omr_result **result, bool *again,
                           omr_error *error) {
  omr_integrator *integrator = NULL;
  omr_status status = omr_integrator_open(part, options, &integrator, error);
  if (status == OMR_OK && refined && !omr_refined_done(refined))
    omr_integrator_carry(integrator, refined);
  if (status == OMR_OK) status = omr_integrator_run(integrator, part, result, error);
  if (status == OMR_OK) status = omr_integrator_check(integrator, error);
  if (status == OMR_OK && refined) omr_refined_note(refined, *result);
  *again = status == OMR_ERR_SELFTEST && omr_integrator_doubted(integrator);
  omr_integrator_close(integrator);
  return status;
}

omr_status omr_run_part(const omr_part *part, const omr_run_options *options, omr_refined *refined,
                        omr_result **result, omr_error *error) {
  omr_status status;
  bool again;
  *result = NULL;

  /* An object that gave other bits is discarded, and its work done again. */
  do {
    omr_result_destroy(*result);
    *result = NULL;
    status = run_once(part, options, refined, result, &again, error);
  } while (again);
  if (status == OMR_OK) return OMR_OK;
  omr_result_destroy(*result);
  *result = NULL;
  return status;
}

omr_status omr_run_rows(omr_integrator *integrator, const omr_part *whole, size_t first,
                        size_t last, omr_result **result, omr_error *error) {
  omr_cut cut;
  omr_status status = omr_cut_make(whole, first, last, &cut, error);
  if (status != OMR_OK) return status;
  status = omr_integrator_run(integrator, &cut.part, result, error);
  omr_cut_free(&cut);
  return status;
}
