/* omniroll evaluate: candidates of a study with their objectives and constraints. */
#include "file_runs.h"

#include <string.h>

static omr_status print(const cli_arguments *arguments, const omr_evaluation *evaluation,
                        omr_error *error) {
  char *text;
  if (!arguments->json) return omr_evaluation_print(evaluation, arguments->verbose, stdout, error);
  return cli_print_text(&text, omr_evaluation_json(evaluation, &text, error));
}

static bool is_result(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

static omr_status evaluate_results(const cli_arguments *arguments, omr_error *error) {
  omr_evaluation *evaluation = NULL;
  const char *ignored = arguments->candidates       ? "--candidates"
                        : arguments->output         ? "-o"
                        : arguments->override_count ? "--set and its short forms"
                                                    : NULL;
  if (ignored)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s is a result, which is evaluated as it was run, without %s; give the study "
                    "for another run",
                    arguments->operand, ignored);
  omr_status status = omr_evaluate_results((const char *const *)arguments->operands,
                                           arguments->operand_count, &evaluation, error);
  if (status == OMR_OK) status = print(arguments, evaluation, error);
  omr_evaluation_destroy(evaluation);
  return status;
}

static omr_status run(const cli_arguments *arguments, const omr_evaluator *evaluator,
                      omr_error *error) {
  cli_long work;
  cli_arguments untold = *arguments; /* the evaluation takes the place of each run's summary */
  untold.untold = true;
  untold.json = false;
  omr_evaluation *evaluation = NULL;
  omr_status status = cli_long_begin(&work, &untold, NULL, error);
  if (status != OMR_OK) return status;
  omr_evaluate_options options = OMR_EVALUATE_OPTIONS_INIT;
  options.file = arguments->candidates;
  options.output = arguments->output;
  options.run = work.options;
  status = omr_evaluator_run(evaluator, &options, &evaluation, error);
  status = cli_long_end(&work, &untold, arguments->output ? arguments->output : "", status, error);
  if (status == OMR_OK && evaluation) status = print(arguments, evaluation, error);
  if (status == OMR_OK && !evaluation)
    puts(arguments->json
             ? "{\"complete\": false}"
             : "this shard is done; the one that finishes the last part prints the evaluation");
  omr_evaluation_destroy(evaluation);
  return status;
}

omr_status cli_evaluate(const cli_arguments *arguments, omr_error *error) {
  omr_evaluator *evaluator = NULL;
  if (is_result(arguments->operand)) return evaluate_results(arguments, error);
  if (arguments->operand_count > 1)
    return omr_fail(error, OMR_ERR_USAGE, "evaluate takes one study, or results: %s is a study",
                    arguments->operand);
  omr_status status = cli_check_output(arguments, error);
  if (status == OMR_OK)
    status =
        omr_evaluator_create(arguments->operand, NULL, (const char *const *)arguments->overrides,
                             arguments->override_count, &evaluator, error);
  if (status == OMR_OK) status = run(arguments, evaluator, error);
  omr_evaluator_destroy(evaluator);
  return status;
}
