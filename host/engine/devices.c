#include "backend.h"

omr_status omr_print_devices(FILE *out, omr_error *error) {
  (void)error;
  omr_openmp_print_devices(out);
  omr_opencl_print_devices(out);
  return OMR_OK;
}
