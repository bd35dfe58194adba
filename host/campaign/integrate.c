#include "integrate.h"

#include "../engine/run.h"
#include "../reference/whole_study.h"

omr_status omr_integrator_open(const omr_part *part, const omr_run_options *options,
                               omr_integrator **integrator, omr_error *error) {
  const bool reference = part->study->engine.backend == OMR_BACKEND_REFERENCE;
  const omr_integrator_ops *ops = reference ? &omr_reference_integrator : &omr_engine_integrator;
  return ops->open(part, options, integrator, error);
}
