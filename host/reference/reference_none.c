/* In the place of the reference where SUNDIALS or LAPACKE is missing. */
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

/* Says so, since validate would otherwise seem to have looked. */
omr_status omr_study_assembly(const omr_study *study, char **lines, omr_error *error) {
  omr_text text = {0};
  *lines = NULL;
  if (!omr_model_is_own(study->model)) return OMR_OK;
  omr_text_print(&text, "assembly   not looked at: this build has no reference, which needs "
                        "SUNDIALS and LAPACKE\n");
  if (text.failed) {
    omr_text_free(&text);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  *lines = text.data;
  return OMR_OK;
}
