/* A run without a file: like a run into a file, but without a folder. */
#include "../engine/failure_limit.h"
#include "../statistics/brief.h"
#include "../statistics/step_error.h"
#include "into_file.h"
#include "needs.h"

omr_status omr_check_strict(const omr_study *study, const omr_file_options *options,
                            omr_error *error) {
  if (!options->strict || !study->step_error.off) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s: --strict asks for the error of the step, which integrator.step_error "
                  "\"off\" does not measure; leave one of them out",
                  study->name);
}

static omr_status check_needs(const omr_study *study, omr_error *error) {
  omr_plan *plan = NULL;
  omr_needs needs;
  omr_status status = omr_plan_make(study, &plan, error);
  if (status == OMR_OK) status = omr_needs_count(study, plan, &needs, error);
  if (status == OMR_OK) status = omr_needs_check_all_in_memory(&needs, error);
  omr_plan_close(plan);
  return status;
}

omr_status omr_judge(const omr_study *study, const omr_statistics *statistics, bool strict,
                     omr_error *error) {
  const omr_status status =
      omr_check_failures(study, statistics->by_status, statistics->rows, error);
  return status == OMR_OK && strict ? omr_step_error_check(study, statistics, error) : status;
}

omr_status omr_campaign_run_in_memory(const omr_study *study, const omr_file_options *options,
                                      omr_result **result, omr_error *error) {
  *result = NULL;
  omr_status status = options->oversize ? OMR_OK : check_needs(study, error);
  if (status == OMR_OK) status = omr_check_strict(study, options, error);
  if (status == OMR_OK) status = omr_run(study, &options->run, result, error);
  if (status != OMR_OK) return status;
  if (options->summary) omr_summary_print(*result, (*result)->statistics, options->summary);
  return omr_judge(study, (*result)->statistics, options->strict, error);
}
