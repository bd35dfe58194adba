#include "backend.h"

#include <cjson/cJSON.h>

omr_status omr_print_devices(FILE *out, omr_error *error) {
  (void)error;
  omr_openmp_print_devices(out);
  omr_opencl_print_devices(out);
  return OMR_OK;
}

cJSON *omr_devices_json(void) {
  cJSON *root = cJSON_CreateObject(), *devices = cJSON_AddArrayToObject(root, "devices");
  omr_error none = {0};
  omr_openmp_list_devices(devices);
  omr_opencl_list_devices(devices, &none);
  cJSON_AddItemToObject(root, "opencl_problem",
                        none.message[0] ? cJSON_CreateString(none.message) : cJSON_CreateNull());
  return root;
}
