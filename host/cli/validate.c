/* omniroll validate: what a study would run. */
#include "cli.h"
#include "engine/run.h"
#include "model/small.h"
#include "study/parse.h"

static const char *design_name(const omr_study *study) {
  switch (study->design) {
  case OMR_DESIGN_GRID: return "grid";
  case OMR_DESIGN_MONTE_CARLO: return "monte_carlo";
  case OMR_DESIGN_SINGLE: break;
  }
  return "single";
}

static void print_plan(const omr_study *study, FILE *out) {
  fprintf(out, "%s: valid\n", study->name);
  fprintf(out, "title      %s\n", omr_study_title(study));
  fprintf(out, "model      %s", omr_model_names[study->model]);
  if (study->wheels > 1) fprintf(out, ", %d wheels", study->wheels);
  fprintf(out, "\n");
  if (!omr_small_model_of(study->model)) fprintf(out, "contact    %s\n", omr_law_kinds[study->law].name);
  fprintf(out, "method     %s\n", omr_method_kinds[study->method].name);
  fprintf(out, "instances  %zu (%s)\n", omr_study_instances(study), design_name(study));
  for (size_t i = 0; i < study->variation_count; i++)
    fprintf(out, "%-11s%s\n", i == 0 ? "varied" : "", study->variations[i].path);
  fprintf(out, "steps      %llu of %g s = %g s, %.4g instance-steps\n", (unsigned long long)study->steps, study->step,
          study->duration, (double)study->steps * (double)study->instances);
  if (study->traced_count)
    fprintf(out, "traced     %zu instances, every %llu steps\n", study->traced_count, (unsigned long long)study->trace_stride);
}

omr_status cli_validate(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  omr_status status =
      omr_study_load(arguments->operand, (const char *const *)arguments->overrides, arguments->override_count, &study, error);
  size_t looked_at = 0, invalid = 0;
  char reason[512];
  if (status == OMR_OK) status = omr_study_check(study, &looked_at, &invalid, reason, sizeof reason, error);
  if (status == OMR_OK) {
    print_plan(study, stdout);
    if (invalid)
      printf("invalid    %zu of %zu instances looked at make no vehicle and will not run; %s\n", invalid, looked_at, reason);
    status = omr_check_stability(study, stdout, error);
  }
  omr_study_destroy(study);
  return status;
}
