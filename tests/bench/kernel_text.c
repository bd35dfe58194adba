/* The kernels as an OpenCL driver gets them, for compilers at hand (devices.py,
 * ../opencl/single_precision.py):
 *   kernel_text                                           the embedded text
 *   kernel_text STUDY double|single LANES [PATH=VALUE...] the build options of the study's runs on
 * a GPU */
#include "../../host/engine/opencl.h"
#include "../../host/model/prepare.h"
#include "../../host/study/study.h"

#include <stdlib.h>
#include <string.h>

static int fail(const omr_error *error) {
  fprintf(stderr, "kernel_text: %s\n", error->message);
  return 1;
}

int main(int argc, char **argv) {
  if (argc == 1)
    return fwrite(omr_kernel_source, 1, omr_kernel_source_length, stdout) !=
           omr_kernel_source_length;
  if (argc < 4) {
    fprintf(stderr, "usage: kernel_text [STUDY double|single LANES [PATH=VALUE...]]\n");
    return 2;
  }
  omr_error error = {0};
  omr_study *study = NULL;
  if (omr_study_load(argv[1], (const char *const *)argv + 4, (size_t)argc - 4, &study, &error))
    return fail(&error);
  omr_run_settings settings;
  if (omr_settings_make(study, &settings, &error)) return fail(&error);
  omr_cl_device device = {.type = CL_DEVICE_TYPE_GPU, .has_double = true};
  omr_text options = {0};
  omr_precision precision = strcmp(argv[2], "single") ? OMR_DOUBLE : OMR_SINGLE_PRECISION;
  omr_cl_build_options(&device, &settings, precision, OMR_NUMERICS_EXACT, atoi(argv[3]), 32,
                       &options);
  puts(options.data);
  omr_text_free(&options);
  omr_settings_free(&settings);
  omr_study_destroy(study);
  return 0;
}
