/* Loaded before the OpenCL loader (LD_PRELOAD), makes a device that works one that does not: from
 * the launch OMNIROLL_SHIM_LAUNCH on (counted from 1) it gives wrong numbers, or hangs, as
 * OMNIROLL_SHIM_FAULT says. Wrong numbers are right but for the last bit. How many launches a run
 * takes depends on the machine's speed: OMNIROLL_SHIM_AFTER names a file that has to be there.
 * OMNIROLL_SHIM_QUEUE: launches wait in the queue until there are so many; without it the process
 * ends where more than two wait. OMNIROLL_SHIM_COMPILER: seconds that the compiler takes longer.
 * OMNIROLL_SHIM_SOFT=1: double precision is computed by software, the driver says. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_QUEUED = 2 };

static atomic_int launches, queued;

static int number(const char *name) {
  const char *value = getenv(name);
  return value ? atoi(value) : 0;
}

static bool is_faulty(const char *fault) {
  const char *wanted = getenv("OMNIROLL_SHIM_FAULT"), *from = getenv("OMNIROLL_SHIM_LAUNCH");
  const char *after = getenv("OMNIROLL_SHIM_AFTER");
  return wanted && from && strcmp(wanted, fault) == 0 && launches >= atoi(from) &&
         (!after || access(after, F_OK) == 0);
}

/* Python loads libomniroll, and with it the loader, out of the sight of RTLD_NEXT. */
static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    void *loader = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (loader) function = dlsym(loader, name);
  }
  if (!function) abort();
  return function;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *events, cl_event *event) {
  launches++;
  if (++queued > MOST_QUEUED && !number("OMNIROLL_SHIM_QUEUE")) abort();
  __typeof__(clEnqueueNDRangeKernel) *call;
  *(void **)&call = next("clEnqueueNDRangeKernel");
  return call(queue, kernel, dimensions, offset, global, local, count, events, event);
}

cl_int clFinish(cl_command_queue queue) {
  while (is_faulty("hangs")) pause();
  if (queued < number("OMNIROLL_SHIM_QUEUE")) return CL_SUCCESS;
  queued = 0;
  __typeof__(clFinish) *call;
  *(void **)&call = next("clFinish");
  return call(queue);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *to, cl_uint count, const cl_event *events,
                           cl_event *event) {
  while (is_faulty("hangs in reading")) pause();
  if (blocking) queued = 0;
  __typeof__(clEnqueueReadBuffer) *call;
  *(void **)&call = next("clEnqueueReadBuffer");
  const cl_int code = call(queue, buffer, blocking, offset, size, to, count, events, event);
  unsigned char *bytes = to;
  for (size_t at = 0; is_faulty("wrong") && at + 8 <= size; at += 8)
    if (bytes[at + 6] || bytes[at + 7])
      bytes[at] ^= 1; /* of a double, which may have these 8 bytes */
  return code;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *told)(cl_program, void *),
                      void *user) {
  sleep((unsigned)number("OMNIROLL_SHIM_COMPILER"));
  __typeof__(clBuildProgram) *call;
  *(void **)&call = next("clBuildProgram");
  return call(program, count, devices, options, told, user);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *to,
                       size_t *needed) {
  __typeof__(clGetDeviceInfo) *call;
  *(void **)&call = next("clGetDeviceInfo");
  const cl_int code = call(device, what, size, to, needed);
  if (!code && to && what == CL_DEVICE_DOUBLE_FP_CONFIG && number("OMNIROLL_SHIM_SOFT"))
    *(cl_device_fp_config *)to |= CL_FP_SOFT_FLOAT;
  return code;
}
