/* Measures the peak of an OpenCL device with kernels/peak.cl, a program of its own. */
#include "opencl.h"
#include "peak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRY_SECONDS 1e-3 /* of a try, shorter than a time slice of other work; the best counts */
#define LEAST_TRIES 8
#define GPU_GROUP 256
#define GPU_ITEMS 2048 /* per compute unit, which holds this many at a time */
#define CPU_ITEMS 16   /* so that no core idles long at the end */
#define LEAST_BYTES ((cl_ulong)256 << 20)

extern const char omr_peak_source[];
extern const unsigned long omr_peak_source_length;

typedef struct peak_run {
  omr_cl_device device;
  bool single;
  int lanes, chains, operations; /* operations: per lane and round */
  size_t group, items, value;    /* value: bytes */
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel fma, size, copy;
  cl_mem from, to;
  size_t bytes; /* of each */
} peak_run;

static omr_status failed(const peak_run *r, const char *call, cl_int code, omr_error *error) {
  return code ? omr_cl_fail(error, call, code, r->device.name) : OMR_OK;
}

static void close_run(peak_run *r) {
  if (r->from) clReleaseMemObject(r->from);
  if (r->to) clReleaseMemObject(r->to);
  if (r->fma) clReleaseKernel(r->fma);
  if (r->size) clReleaseKernel(r->size);
  if (r->copy) clReleaseKernel(r->copy);
  if (r->program) clReleaseProgram(r->program);
  if (r->queue) clReleaseCommandQueue(r->queue);
  if (r->context) clReleaseContext(r->context);
}

/* Packs of a CPU have its native width, as in a run. */
static int native_lanes(const omr_cl_device *d, bool single) {
  const cl_uint native = single ? d->width_float : d->width_double;
  int lanes = 1;
  if (!(d->type & CL_DEVICE_TYPE_CPU)) return 1;
  while (lanes < 16 && (cl_uint)lanes * 2 <= native) lanes *= 2;
  return lanes;
}

static void choose_sizes(peak_run *r) {
  const omr_cl_device *d = &r->device;
  const bool cpu = (d->type & CL_DEVICE_TYPE_CPU) != 0;
  const size_t units = d->units ? d->units : 1;
  r->value = r->single ? sizeof(float) : sizeof(double);
  r->lanes = native_lanes(d, r->single);
  r->group = cpu ? 1 : GPU_GROUP;
  r->items = cpu ? units * CPU_ITEMS : units * GPU_ITEMS;
  cl_ulong bytes = LEAST_BYTES;
  if (bytes > d->largest_allocation) bytes = d->largest_allocation;
  if (bytes > d->memory / 8) bytes = d->memory / 8;
  const cl_ulong whole = (cl_ulong)(r->value * (size_t)r->lanes * GPU_GROUP);
  r->bytes = (size_t)(bytes / whole * whole);
}

static cl_int make_kernels(peak_run *r, const char **call) {
  cl_int code;
  const char *source = omr_peak_source;
  const size_t length = omr_peak_source_length;
  char options[128];
  snprintf(options, sizeof options, "-cl-std=CL1.2 -DOMR_LANES=%d -DOMR_SINGLE=%d", r->lanes,
           r->single);
  *call = "clCreateProgramWithSource(peak)";
  r->program = clCreateProgramWithSource(r->context, 1, &source, &length, &code);
  if (code) return code;
  *call = "clBuildProgram(peak)";
  code = clBuildProgram(r->program, 1, &r->device.id, options, NULL, NULL);
  if (code) return code;
  *call = "clCreateKernel(peak)";
  r->fma = clCreateKernel(r->program, "omr_peak", &code);
  if (!code) r->size = clCreateKernel(r->program, "omr_peak_size", &code);
  if (!code) r->copy = clCreateKernel(r->program, "omr_copy", &code);
  return code;
}

static cl_int make_run(peak_run *r, const char **call) {
  cl_int code;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              (cl_context_properties)r->device.platform, 0};
  *call = "clCreateContext";
  r->context = clCreateContext(properties, 1, &r->device.id, NULL, NULL, &code);
  if (code) return code;
  *call = "clCreateCommandQueue";
  r->queue = clCreateCommandQueue(r->context, r->device.id, CL_QUEUE_PROFILING_ENABLE, &code);
  if (code) return code;
  *call = "clCreateBuffer(peak)";
  r->from = clCreateBuffer(r->context, CL_MEM_READ_WRITE, r->bytes, NULL, &code);
  if (!code) r->to = clCreateBuffer(r->context, CL_MEM_READ_WRITE, r->bytes, NULL, &code);
  return code ? code : make_kernels(r, call);
}

/* Runs a kernel to its end and measures its time on the device. */
static cl_int time_kernel(peak_run *r, cl_kernel kernel, size_t items, size_t group,
                          double *seconds) {
  cl_event event = NULL;
  cl_ulong start = 0, end = 0;
  const double before = omr_seconds();
  cl_int code = clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &items, &group, 0, NULL, &event);
  if (!code) code = clFinish(r->queue);
  *seconds = omr_seconds() - before;
  if (!code &&
      !clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) &&
      !clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) &&
      end > start)
    *seconds = 1e-9 * (double)(end - start);
  *seconds = fmax(*seconds, 1e-9);
  if (event) clReleaseEvent(event);
  return code;
}

static cl_int set_value(const peak_run *r, cl_uint index, double value) {
  const float narrow = (float)value;
  return clSetKernelArg(r->fma, index, r->value,
                        r->single ? (const void *)&narrow : (const void *)&value);
}

static cl_int time_rounds(peak_run *r, int rounds, double *seconds) {
  cl_int code = set_value(r, 0, 1e-3);
  if (!code) code = set_value(r, 1, 0.5);
  if (!code) code = set_value(r, 2, 0.5);
  if (!code) code = clSetKernelArg(r->fma, 3, sizeof(cl_int), &(cl_int){rounds});
  if (!code) code = clSetKernelArg(r->fma, 4, sizeof r->to, &r->to);
  return code ? code : time_kernel(r, r->fma, r->items, r->group, seconds);
}

/* Checks that every chain's sum has reached its limit, so no operation was skipped. */
static cl_int check_sums(peak_run *r, bool *right) {
  const size_t count = r->items * (size_t)r->lanes;
  void *sums = calloc(count, r->value);
  cl_int code =
      sums ? clEnqueueReadBuffer(r->queue, r->to, CL_TRUE, 0, count * r->value, sums, 0, NULL, NULL)
           : CL_OUT_OF_HOST_MEMORY;
  *right = !code;
  for (size_t i = 0; !code && i < count; i++) {
    const double sum = r->single ? (double)((float *)sums)[i] : ((double *)sums)[i];
    *right = *right && fabs(sum - r->chains) < 1e-3;
  }
  free(sums);
  return code;
}

static cl_int read_size(peak_run *r) {
  cl_int size[2] = {0};
  double seconds;
  cl_int code = clSetKernelArg(r->size, 0, sizeof r->to, &r->to);
  if (!code) code = time_kernel(r, r->size, 1, 1, &seconds);
  if (!code)
    code = clEnqueueReadBuffer(r->queue, r->to, CL_TRUE, 0, sizeof size, size, 0, NULL, NULL);
  r->chains = size[0];
  r->operations = size[1];
  return code;
}

/* The shortest of at least LEAST_TRIES rounds, for the given seconds. */
static cl_int best_rounds(peak_run *r, int rounds, double seconds, double *best) {
  const double end = omr_seconds() + seconds;
  double took = 0;
  cl_int code = CL_SUCCESS;
  *best = HUGE_VAL;
  for (int i = 0; !code && (i < LEAST_TRIES || omr_seconds() < end); i++) {
    code = time_rounds(r, rounds, &took);
    *best = fmin(*best, took);
  }
  return code;
}

static omr_status measure_fma(peak_run *r, double seconds, omr_peak *peak, omr_error *error) {
  int rounds = 64;
  bool right = true;
  double best = 0;
  cl_int code = read_size(r);
  while (!code && !(code = best_rounds(r, rounds, 0, &best)) && best < TRY_SECONDS &&
         rounds < 1 << 26)
    rounds *= 2;
  if (!code) code = best_rounds(r, rounds, seconds, &best);
  if (!code) code = check_sums(r, &right);
  if (code) return failed(r, "omr_peak", code, error);
  if (!right)
    return omr_fail(error, OMR_ERR_SELFTEST,
                    "OpenCL: %s: the chains of fused multiply-adds do not reach their limit",
                    r->device.name);
  peak->fma_flops = (double)r->operations * r->lanes * (double)r->items * rounds / best;
  return OMR_OK;
}

static omr_status measure_copy(peak_run *r, double seconds, omr_peak *peak, omr_error *error) {
  const size_t items = r->bytes / (r->value * (size_t)r->lanes);
  const size_t group = GPU_GROUP; /* on a CPU too: a pack is little work here */
  const cl_uchar zero = 0;
  double took = 0, best = HUGE_VAL;
  cl_int code = clEnqueueFillBuffer(r->queue, r->from, &zero, 1, 0, r->bytes, 0, NULL, NULL);
  if (!code) code = clSetKernelArg(r->copy, 0, sizeof r->from, &r->from);
  if (!code) code = clSetKernelArg(r->copy, 1, sizeof r->to, &r->to);
  if (!code) code = time_kernel(r, r->copy, items, group, &took); /* touches the pages */
  const double end = omr_seconds() + seconds;
  do {
    if (!code) code = time_kernel(r, r->copy, items, group, &took);
    best = fmin(best, took);
  } while (!code && omr_seconds() < end);
  if (code) return failed(r, "omr_copy", code, error);
  peak->copy_bytes = 2 * (double)r->bytes / best;
  return OMR_OK;
}

omr_status omr_opencl_peak(const char *device, omr_precision precision, double seconds, bool copy,
                           omr_peak *peak, omr_error *error) {
  peak_run run = {.single = precision == OMR_SINGLE_PRECISION};
  const char *call = "";
  *peak = (omr_peak){0};

  /* The device must have the precision. */
  omr_status status = omr_cl_choose(device, precision, NULL, &run.device, error);
  if (status != OMR_OK) return status;
  const omr_cl_device *d = &run.device;
  if (!run.single && !d->has_double)
    return omr_fail(error, OMR_ERR_DEVICE, "OpenCL device %s has no double precision", d->name);

  /* Both measurements share the context and the buffers. */
  choose_sizes(&run);
  const cl_int code = make_run(&run, &call);
  status = failed(&run, call, code, error);
  if (status == OMR_OK) status = measure_fma(&run, seconds, peak, error);
  if (status == OMR_OK && copy) status = measure_copy(&run, seconds, peak, error);

  /* The record names device and size of the measurement. */
  snprintf(peak->device, sizeof peak->device, "%s (%.60s, driver %.40s)", d->name, d->platform_name,
           d->driver);
  peak->lanes = run.lanes;
  peak->threads = (int)d->units;

  close_run(&run);
  return status;
}

bool omr_opencl_describe(size_t i, omr_opencl_info *info) {
  omr_cl_device *devices;
  size_t count;
  if (omr_cl_devices(&devices, &count, NULL) != OMR_OK) return false;
  const bool found = i < count;
  if (found) {
    const omr_cl_device *d = &devices[i];
    *info = (omr_opencl_info){.cpu = (d->type & CL_DEVICE_TYPE_CPU) != 0,
                              .has_double = d->has_double,
                              .units = (int)d->units};
    info->lanes[0] = native_lanes(d, false);
    info->lanes[1] = native_lanes(d, true);
    snprintf(info->number, sizeof info->number, "%d:%d", d->platform_number, d->device_number);
    snprintf(info->name, sizeof info->name, "%s", d->name);
  }
  free(devices);
  return found;
}
