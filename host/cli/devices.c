/* omniroll devices: the devices that runs could use. */
#include "cli.h"

omr_status cli_devices(const cli_arguments *arguments, omr_error *error) {
  char *json;
  if (!arguments->json) return omr_print_devices(stdout, error);
  return cli_print_text(&json, omr_devices_json(&json, error));
}
