/* omniroll devices: what runs could use. */
#include "cli.h"
#include "engine/backend.h"

omr_status cli_devices(const cli_arguments *arguments, omr_error *error) {
  return arguments->json ? cli_print_json(omr_devices_json(), error)
                         : omr_print_devices(stdout, error);
}
