/* Backends and precisions of a comparison: all that this machine has, unless the study or the
 * command line names one. */
#include "compare.h"

#include "engine/backend.h"
#include "engine/peak.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 64 };

static void add_run(omr_comparison *c, const omr_engine_options *engine, omr_backend_kind backend,
                    const char *device, omr_precision precision, double tolerance) {
  if (c->run_count == MOST_RUNS) return;
  omr_compared_run *run = &c->runs[c->run_count++];
  run->engine = *engine;
  run->engine.backend = backend;
  run->engine.precision = precision;
  run->engine.device = NULL;
  if (device) {
    snprintf(run->device, sizeof run->device, "%s", device);
    run->engine.device = run->device;
  }
  run->same_as = -1;
  run->tolerance = tolerance;
  snprintf(run->name, sizeof run->name, "%s%s%s %s", omr_backend_kinds[backend].name,
           device ? " " : "", device ? device : "", precision == OMR_DOUBLE ? "double" : "single");
}

/* True if a device named without a backend is an instruction set of the processor. */
static bool names_isa(const char *device) {
  const char *isa;
  for (size_t i = 0; (isa = omr_openmp_isa(i)); i++)
    if (strcmp(isa, device) == 0) return true;
  return false;
}

static bool backend_wanted(const omr_engine_options *engine, omr_backend_kind backend) {
  if (engine->backend != OMR_BACKEND_AUTO) return engine->backend == backend;
  if (!engine->device) return true;
  return names_isa(engine->device) == (backend != OMR_BACKEND_OPENCL);
}

static void add_opencl(omr_comparison *c, const omr_engine_options *engine, omr_precision precision,
                       double tolerance) {
  omr_opencl_info info;
  if (engine->device || engine->backend == OMR_BACKEND_OPENCL) {
    /* named: then a missing device is an error */
    add_run(c, engine, OMR_BACKEND_OPENCL, engine->device, precision, tolerance);
    return;
  }
  for (size_t i = 0; omr_opencl_describe(i, &info); i++)
    if (info.has_double || precision == OMR_SINGLE_PRECISION)
      add_run(c, engine, OMR_BACKEND_OPENCL, info.number, precision, tolerance);
}

omr_status omr_compare_runs_make(const omr_study *study, const omr_compare_request *options,
                                 omr_comparison *c, omr_error *error) {
  /* models that the reference integrates by itself have no second integrator */
  if (omr_model_is_own(study->model))
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: %s runs on the reference alone, so that there is nothing to compare it "
                    "with; omniroll reference --reference-tolerance shows its own error",
                    study->name, omr_model_names[study->model]);

  if (study->engine.backend == OMR_BACKEND_REFERENCE)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: the reference is what the others are compared with; take another backend, "
                    "or auto for all of them: --backend auto",
                    study->name);

  const omr_engine_options *engine = &study->engine;
  c->runs = omr_pool_take(&c->memory, MOST_RUNS, sizeof *c->runs);
  if (!c->runs)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the runs of a comparison");

  /* every backend in both precisions, as far as the study leaves them open */
  for (int single = 0; single < 2; single++) {
    const omr_precision precision = single ? OMR_SINGLE_PRECISION : OMR_DOUBLE;
    const double tolerance = single ? options->tolerance_single : options->tolerance;
    if (engine->precision_given && engine->precision != precision) continue;

    if (backend_wanted(engine, OMR_BACKEND_OPENMP))
      add_run(c, engine, OMR_BACKEND_OPENMP, engine->device, precision, tolerance);
    const bool scalar =
        backend_wanted(engine, OMR_BACKEND_SCALAR) && engine->numerics == OMR_NUMERICS_EXACT;
    if (scalar) add_run(c, engine, OMR_BACKEND_SCALAR, engine->device, precision, tolerance);
    if (backend_wanted(engine, OMR_BACKEND_OPENCL)) add_opencl(c, engine, precision, tolerance);
  }

  return OMR_OK;
}
