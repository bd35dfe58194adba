/* omniroll export: a result file as CSV or JSON. */
#include "result/export.h"
#include "cli.h"
#include "support/replace.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static omr_status print_csv(const cli_arguments *arguments, FILE *out, omr_error *error) {
  return arguments->trajectories
             ? omr_export_trajectories(arguments->operand, arguments->columns, out, error)
             : omr_export_instances(arguments->operand, arguments->columns, out, error);
}

static omr_status print_table(const cli_arguments *arguments, FILE *out, omr_error *error) {
  if (!arguments->json) return print_csv(arguments, out, error);
  FILE *json = cli_table_to_json(out);
  if (!json) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = print_csv(arguments, json, error);
  fclose(json);
  return status;
}

/* Into a copy of the descriptor, since closing the stream closes it. */
static omr_status print_to(const cli_arguments *arguments, const omr_replace *file,
                           omr_error *error) {
  const int copy = dup(file->descriptor);
  FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
  if (!out) {
    if (copy >= 0) close(copy);
    return omr_replace_fail(file, errno, error);
  }
  omr_status status = print_table(arguments, out, error);
  if (fclose(out) != 0 && status == OMR_OK) status = omr_replace_fail(file, errno, error);
  return status;
}

omr_status cli_export(const cli_arguments *arguments, omr_error *error) {
  omr_replace file;
  if (!arguments->output) return print_table(arguments, stdout, error);
  omr_status status = omr_check_output(arguments->output, arguments->operand, error);
  if (status == OMR_OK) status = omr_replace_open(&file, arguments->output, error);
  if (status != OMR_OK) return status;
  status = print_to(arguments, &file, error);
  if (status == OMR_OK) return omr_replace_finish(&file, error);
  omr_replace_discard(&file);
  return status;
}
