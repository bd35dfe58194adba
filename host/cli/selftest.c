/* omniroll selftest: also where a device fails, JSON has every row. */
#include "cli.h"

omr_status cli_selftest(const cli_arguments *arguments, omr_error *error) {
  char *json;
  if (!arguments->json) return omr_selftest_device(arguments->device, stdout, error);
  return cli_print_text(&json, omr_selftest_json(arguments->device, &json, error));
}
