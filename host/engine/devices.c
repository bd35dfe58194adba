#include "backend.h"

#include "../study/json/json.h"

omr_status omr_print_devices(FILE *out, omr_error *error) {
  (void)error;
  omr_openmp_print_devices(out);
  omr_opencl_print_devices(out);
  return OMR_OK;
}

static cJSON *devices_tree(void) {
  cJSON *root = cJSON_CreateObject(), *devices = omr_tree_list(root, "devices");
  omr_error none = {0};
  omr_openmp_list_devices(devices);
  omr_opencl_list_devices(devices, &none);
  omr_tree_add(root, "opencl_problem",
               none.message[0] ? cJSON_CreateString(none.message) : cJSON_CreateNull());
  return root;
}

omr_status omr_devices_json(char **json, omr_error *error) {
  return omr_json_give(devices_tree(), json, error);
}
