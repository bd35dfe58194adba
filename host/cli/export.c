/* omniroll export: a result file as CSV or JSON. */
#include "cli.h"

#include <string.h>
#include <strings.h>

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

/* A file of another kind than its name says would be found late. */
static omr_status check_kind(const char *name, const char *result, omr_error *error) {
  static const char *const kinds[] = {"parquet", "zarr"};
  const char *end = strrchr(name, '.');
  for (size_t i = 0; end && i < sizeof kinds / sizeof *kinds; i++)
    if (strcasecmp(end + 1, kinds[i]) == 0)
      return omr_fail(error, OMR_ERR_USAGE,
                      "%s: omniroll export writes CSV and JSON; Python writes %s: python3 -c "
                      "'import omniroll; omniroll.open(\"%s\").omniroll.to_%s(\"%s\")', or choose "
                      "a name that ends in .csv",
                      name, kinds[i], result, kinds[i], name);
  return OMR_OK;
}

omr_status cli_export(const cli_arguments *arguments, omr_error *error) {
  omr_output *output;
  if (!arguments->output) return print_table(arguments, stdout, error);
  omr_status status = check_kind(arguments->output, arguments->operand, error);
  if (status == OMR_OK) status = omr_check_output(arguments->output, arguments->operand, error);
  if (status == OMR_OK) status = omr_output_open(arguments->output, &output, error);
  if (status != OMR_OK) return status;
  status = print_table(arguments, omr_output_stream(output), error);
  if (status == OMR_OK) return omr_output_finish(output, error);
  omr_output_discard(output);
  return status;
}
