/* Stands in for the OpenCL backend in builds without the OpenCL headers, and reports that. */
#include "backend.h"
#include "peak.h"

#define REMEDY                                                                                     \
  "this build has no OpenCL backend: install ocl-icd-opencl-dev and opencl-headers and build "     \
  "again, or use backend openmp"

static omr_status none_open(const omr_engine_options *options, const omr_run_settings *settings,
                            struct omr_run_record *record, FILE *log, omr_backend **backend,
                            omr_error *error) {
  (void)options, (void)settings, (void)record, (void)log;
  *backend = NULL;
  return omr_fail(error, OMR_ERR_DEVICE, REMEDY);
}

static void none_close(omr_backend *backend) {
  (void)backend;
}

/* The rest is for a backend that opened. */
const omr_backend_ops omr_opencl_backend = {
    .name = "opencl",
    .open = none_open,
    .close = none_close,
};

bool omr_opencl_has_gpu(omr_precision precision) {
  (void)precision;
  return false;
}

omr_status omr_opencl_number(const char *wanted, char number[16], omr_error *error) {
  (void)wanted, (void)number;
  return omr_fail(error, OMR_ERR_DEVICE, REMEDY);
}

omr_status omr_opencl_numbers(const char *wanted, omr_precision precision,
                              omr_device_numbers *numbers, omr_error *error) {
  (void)wanted, (void)precision;
  numbers->count = 0;
  return omr_fail(error, OMR_ERR_DEVICE, REMEDY);
}

omr_status omr_opencl_probe(const char *number, bool single, struct omr_probe *probe,
                            omr_error *error) {
  (void)number, (void)single, (void)probe;
  return omr_fail(error, OMR_ERR_DEVICE, REMEDY);
}

void omr_opencl_print_devices(FILE *out) {
  fprintf(out, "opencl  %s\n", REMEDY);
}

omr_status omr_opencl_peak(const char *device, omr_precision precision, double seconds, bool copy,
                           omr_peak *peak, omr_error *error) {
  (void)device, (void)precision, (void)seconds, (void)copy;
  *peak = (omr_peak){0};
  return omr_fail(error, OMR_ERR_DEVICE, REMEDY);
}

bool omr_opencl_describe(size_t i, omr_opencl_info *info) {
  (void)i, (void)info;
  return false;
}

void omr_opencl_list_devices(struct cJSON *devices, omr_error *why) {
  (void)devices;
  omr_fail(why, OMR_ERR_DEVICE, REMEDY);
}
