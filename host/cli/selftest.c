/* omniroll selftest: also where a device fails, JSON has every row. */
#include "engine/selftest.h"
#include "cli.h"
#include <cjson/cJSON.h>

static omr_status print_json(const char *device, omr_error *error) {
  cJSON *root;
  omr_error ignored;
  const omr_status status = omr_selftest_json(device, &root, error);
  if (status == OMR_OK) return cli_print_json(root, error);
  if (root) cli_print_json(root, &ignored);
  return status;
}

omr_status cli_selftest(const cli_arguments *arguments, omr_error *error) {
  return arguments->json ? print_json(arguments->device, error)
                         : omr_selftest_device(arguments->device, stdout, error);
}
