/* Rounding of a device as its driver reports it, and the build options that demand it.
 * opencl_probe.c tests the driver's report. */
#include "opencl.h"

typedef struct lack {
  cl_device_fp_config flag;
  const char *meaning;
} lack;

/* In single precision OpenCL demands only rounding to nearest of these. */
static const lack lacks[] = {
    {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "correctly rounded division and square root"},
    {CL_FP_DENORM, "numbers below the smallest normal one"},
    {CL_FP_ROUND_TO_NEAREST, "rounding to the nearest number"},
    {CL_FP_INF_NAN, "infinity and NaN"},
};

/* In double precision division and square root are always correctly rounded, and no flag says so.
 */
static cl_device_fp_config config_of(const omr_cl_device *device, bool single) {
  return single ? device->single_config
                : device->double_config | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
}

bool omr_cl_rounds(const omr_cl_device *device, bool single) {
  const cl_device_fp_config config = config_of(device, single);
  for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
    if (!(config & lacks[i].flag)) return false;
  return true;
}

static void list_lacks(const omr_cl_device *device, bool single, omr_text *text) {
  const cl_device_fp_config config = config_of(device, single);
  for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
    if (!(config & lacks[i].flag))
      omr_text_print(text, "%s%s", text->length ? ", " : "", lacks[i].meaning);
}

void omr_cl_say_rounding(const omr_cl_device *device, bool single, omr_numerics numerics,
                         FILE *log) {
  const char *precision = single ? "single" : "double";
  omr_text text = {0};
  list_lacks(device, single, &text);
  if (numerics == OMR_NUMERICS_EXACT && text.length)
    omr_cl_log(log,
               "%s has no %s in %s precision: bits may differ from the CPU's (recorded as rounding "
               "\"device\")",
               device->name, text.data, precision);
  if (!(config_of(device, single) & CL_FP_FMA))
    omr_cl_log(log,
               "%s has no fused multiply-add in %s precision: it is emulated, with the same bits, "
               "and slow",
               device->name, precision);
  omr_text_free(&text);
}

/* Fast numerics: the compiler may contract, the device divides and takes roots in its own way, tiny
 * numbers are 0 in single precision. -cl-unsafe-math-optimizations is left out, since it would undo
 * the compensation of sums, and so is -cl-finite-math-only, which would let diverged instances
 * pass. */
void omr_cl_numerics_options(const omr_cl_device *device, bool single, omr_numerics numerics,
                             omr_text *options) {
  if (numerics == OMR_NUMERICS_FAST) {
    omr_text_print(options, " -DOMR_FAST=1 -cl-mad-enable -cl-no-signed-zeros%s",
                   single ? " -cl-denorms-are-zero" : "");
  } else if (single && (device->single_config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)) {
    omr_text_print(options, " -cl-fp32-correctly-rounded-divide-sqrt");
  }
}
