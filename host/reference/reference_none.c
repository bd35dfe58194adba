/* Replacements of the reference if SUNDIALS or LAPACKE is missing. */
#include "reference.h"

const omr_reference_model *omr_reference_model_of(omr_model model) {
  (void)model;
  return NULL;
}

omr_status omr_reference_integrate(const omr_part *part, size_t k,
                                   const omr_reference_options *options, omr_reference_run *run,
                                   omr_error *error) {
  (void)part, (void)k, (void)options, (void)run;
  return omr_fail(error, OMR_ERR_DEVICE,
                  "this build has no reference: it needs SUNDIALS and LAPACKE; in the folder of "
                  "the sources, \"bash studies/first.sh\" brings both and builds again");
}

void omr_reference_run_free(omr_reference_run *run) {
  (void)run;
}

void omr_reference_close(omr_reference *reference) {
  (void)reference;
}
