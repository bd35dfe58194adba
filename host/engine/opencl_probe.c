/* Probes the rounding of a device: it computes cases that are hard to round with the build options
 * of a run, and the host computes the same. */
#include "opencl.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = OMR_PROBE_CASES * OMR_PROBE_OPERATIONS };

/* Tests of the probe may set DIVIDE, FMA, SUM and SPECIAL to something else. */
static const char probe_text[] =
    "#if OMR_SINGLE\n"
    "typedef float value;\n"
    "#else\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "typedef double value;\n"
    "#endif\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#ifndef DIVIDE\n"
    "#define DIVIDE(x,y) ((x)/(y))\n"
    "#endif\n"
    "#ifndef FMA\n"
    "#define FMA(x,y,z) fma(x,y,z)\n"
    "#endif\n"
    "#ifndef SUM\n"
    "#define SUM(x,y,z) ((x)*(y)+(z))\n"
    "#endif\n"
    "#ifndef SPECIAL\n"
    "#define SPECIAL(x) ((x) - (x) == 0 ? (x) + (value)0 : (x) == (x) ? 5 : 7)\n"
    "#endif\n"
    "__kernel void omr_probe(__global const value *c, __global value *answer, int cases) {\n"
    "  int i = (int)get_global_id(0), operation = i / cases;\n"
    "  value x = c[3 * i], y = c[3 * i + 1], z = c[3 * i + 2];\n"
    "  if (operation == 0) answer[i] = DIVIDE(x, y);\n"
    "  else if (operation == 1) answer[i] = sqrt(x);\n"
    "  else if (operation == 2) answer[i] = FMA(x, y, z);\n"
    "  else if (operation == 3) answer[i] = SUM(x, y, z);\n"
    "  else if (operation == 4) answer[i] = rint(x);\n"
    "  else answer[i] = SPECIAL(x);\n"
    "}\n";

typedef struct work {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  cl_mem cases, answers;
  bool single;
  size_t value;            /* bytes */
  omr_probe_case *numbers; /* [VALUES] */
  void *narrow, *given;    /* cases and answers in the device's precision */
} work;

static void put(void *values, size_t i, double value, bool single) {
  if (single)
    ((float *)values)[i] = (float)value;
  else
    ((double *)values)[i] = value;
}

static bool make_cases(work *w) {
  w->numbers = calloc(VALUES, sizeof *w->numbers);
  w->narrow = calloc(VALUES, 3 * w->value);
  w->given = calloc(VALUES, w->value);
  if (!w->numbers || !w->narrow || !w->given) return false;
  for (size_t i = 0; i < VALUES; i++) {
    const omr_probe_case c =
        omr_probe_case_of((int)(i / OMR_PROBE_CASES), (int)(i % OMR_PROBE_CASES), w->single);
    w->numbers[i] = c;
    put(w->narrow, 3 * i, c.x, w->single);
    put(w->narrow, 3 * i + 1, c.y, w->single);
    put(w->narrow, 3 * i + 2, c.z, w->single);
  }
  return true;
}

static cl_int build(work *w, const omr_cl_device *d, const char *options) {
  cl_int code;
  const char *source = probe_text;
  const size_t length = sizeof probe_text - 1;
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)d->platform, 0};
  w->context = clCreateContext(properties, 1, &d->id, NULL, NULL, &code);
  if (!code) w->queue = clCreateCommandQueue(w->context, d->id, 0, &code);
  if (!code) w->program = clCreateProgramWithSource(w->context, 1, &source, &length, &code);
  if (!code) code = clBuildProgram(w->program, 1, &d->id, options, NULL, NULL);
  if (!code) w->kernel = clCreateKernel(w->program, "omr_probe", &code);
  return code;
}

static cl_int compute(work *w) {
  cl_int code;
  const cl_int cases = OMR_PROBE_CASES;
  const size_t global = VALUES;
  w->cases = clCreateBuffer(w->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                            VALUES * 3 * w->value, w->narrow, &code);
  if (!code)
    w->answers = clCreateBuffer(w->context, CL_MEM_WRITE_ONLY, VALUES * w->value, NULL, &code);
  if (!code) code = clSetKernelArg(w->kernel, 0, sizeof w->cases, &w->cases);
  if (!code) code = clSetKernelArg(w->kernel, 1, sizeof w->answers, &w->answers);
  if (!code) code = clSetKernelArg(w->kernel, 2, sizeof cases, &cases);
  if (!code)
    code = clEnqueueNDRangeKernel(w->queue, w->kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  if (!code)
    code = clEnqueueReadBuffer(w->queue, w->answers, CL_TRUE, 0, VALUES * w->value, w->given, 0,
                               NULL, NULL);
  return code;
}

static void judge(const work *w, omr_probe *probe) {
  for (size_t i = 0; i < VALUES; i++) {
    const int operation = (int)(i / OMR_PROBE_CASES);
    const omr_probe_case *c = &w->numbers[i];
    const double expected = omr_probe_answer(operation, c, w->single);
    const double given = w->single ? (double)((float *)w->given)[i] : ((double *)w->given)[i];
    if (memcmp(&given, &expected, sizeof given) == 0) continue;
    if (probe->wrong[operation]++ == 0)
      snprintf(probe->first[operation], sizeof probe->first[operation],
               "of %a, %a, %a it makes %a instead of %a", c->x, c->y, c->z, given, expected);
  }
}

static void release(work *w) {
  if (w->cases) clReleaseMemObject(w->cases);
  if (w->answers) clReleaseMemObject(w->answers);
  if (w->kernel) clReleaseKernel(w->kernel);
  if (w->program) clReleaseProgram(w->program);
  if (w->queue) clReleaseCommandQueue(w->queue);
  if (w->context) clReleaseContext(w->context);
  free(w->numbers);
  free(w->narrow);
  free(w->given);
}

omr_status omr_cl_probe_arithmetic(const omr_cl_device *device, bool single, const char *options,
                                   omr_probe *probe, omr_error *error) {
  work w = {.single = single, .value = single ? sizeof(float) : sizeof(double)};
  omr_text all = {0};
  *probe = (omr_probe){.claims = omr_cl_rounds(device, single)};

  /* The probe is built with the options of exact numerics. */
  omr_text_print(&all, "-cl-std=CL1.2 -DOMR_SINGLE=%d", single);
  omr_cl_numerics_options(device, single, OMR_NUMERICS_EXACT, &all);
  omr_text_print(&all, " %s", options);
  const bool made = make_cases(&w) && !all.failed;

  /* The device computes the cases; its answers are compared with the host's. */
  omr_status status = made
                          ? OMR_OK
                          : omr_fail(error, OMR_ERR_MEMORY,
                                     "out of memory while the arithmetic of a device is looked at");
  if (status == OMR_OK) {
    cl_int code = build(&w, device, all.data);
    if (!code) code = compute(&w);
    if (code) status = omr_cl_fail(error, "the probe of its arithmetic", code, device->name);
  }

  if (status == OMR_OK) judge(&w, probe);

  omr_text_free(&all);
  release(&w);
  return status;
}

omr_status omr_opencl_probe(const char *number, bool single, omr_probe *probe, omr_error *error) {
  omr_cl_device device;
  const omr_status status = omr_cl_choose(number, OMR_SINGLE_PRECISION, NULL, &device, error);
  return status == OMR_OK ? omr_cl_probe_arithmetic(&device, single, "", probe, error) : status;
}
