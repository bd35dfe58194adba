/* Loaded before the OpenCL loader (LD_PRELOAD), makes a device that works one that does not: from
 * the launch OMNIROLL_SHIM_LAUNCH on (counted from 1) it gives wrong numbers, fails, or
 * hangs, as OMNIROLL_SHIM_FAULT says. Wrong numbers are right but for the last bit. How many
 * launches a run takes depends on the machine's speed: OMNIROLL_SHIM_AFTER names a file that has to
 * be there. OMNIROLL_SHIM_DEVICE: only the device that is launched as the first (0) or a later one,
 * by its own launches. OMNIROLL_SHIM_QUEUE: launches wait in the queue until there are so many;
 * without it the process ends where more than two wait. OMNIROLL_SHIM_COMPILER: seconds that the
 * compiler takes longer. OMNIROLL_SHIM_SOFT=1: double precision is computed by software, the driver
 * says. */
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

enum { DEVICES = 8 };
static _Atomic(cl_device_id) seen[DEVICES]; /* in the order of their first launches */

static bool is_meant(cl_command_queue queue) {
  const char *wanted = getenv("OMNIROLL_SHIM_DEVICE");
  cl_device_id device = NULL;
  if (!wanted) return true;
  __typeof__(clGetCommandQueueInfo) *call;
  *(void **)&call = next("clGetCommandQueueInfo");
  if (call(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL)) return false;
  for (int i = 0; i < DEVICES; i++) {
    cl_device_id none = NULL;
    atomic_compare_exchange_strong(&seen[i], &none, device);
    if (seen[i] == device) return i == atoi(wanted);
  }
  return false;
}

enum { MOST_QUEUED = 2 };

static atomic_int launches;
static _Atomic(cl_command_queue) queues[DEVICES];
static atomic_int waiting[DEVICES]; /* launches of each queue */

static atomic_int *queued_of(cl_command_queue queue) {
  for (int i = 0; i < DEVICES; i++) {
    cl_command_queue none = NULL;
    atomic_compare_exchange_strong(&queues[i], &none, queue);
    if (queues[i] == queue) return &waiting[i];
  }
  return &waiting[0]; /* of more queues, which come one after the other */
}

static int number(const char *name) {
  const char *value = getenv(name);
  return value ? atoi(value) : 0;
}

static bool is_faulty(const char *fault, cl_command_queue queue) {
  if (!is_meant(queue)) return false;
  const char *wanted = getenv("OMNIROLL_SHIM_FAULT"), *from = getenv("OMNIROLL_SHIM_LAUNCH");
  const char *after = getenv("OMNIROLL_SHIM_AFTER");
  return wanted && from && strcmp(wanted, fault) == 0 && launches >= atoi(from) &&
         (!after || access(after, F_OK) == 0);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *events, cl_event *event) {
  if (is_meant(queue)) launches++;
  if (is_faulty("fails", queue)) return CL_OUT_OF_RESOURCES;
  if (++*queued_of(queue) > MOST_QUEUED && !number("OMNIROLL_SHIM_QUEUE")) abort();
  __typeof__(clEnqueueNDRangeKernel) *call;
  *(void **)&call = next("clEnqueueNDRangeKernel");
  return call(queue, kernel, dimensions, offset, global, local, count, events, event);
}

cl_int clFinish(cl_command_queue queue) {
  while (is_faulty("hangs", queue)) pause();
  if (*queued_of(queue) < number("OMNIROLL_SHIM_QUEUE")) return CL_SUCCESS;
  *queued_of(queue) = 0;
  __typeof__(clFinish) *call;
  *(void **)&call = next("clFinish");
  return call(queue);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *to, cl_uint count, const cl_event *events,
                           cl_event *event) {
  while (is_faulty("hangs in reading", queue)) pause();
  if (blocking) *queued_of(queue) = 0;
  __typeof__(clEnqueueReadBuffer) *call;
  *(void **)&call = next("clEnqueueReadBuffer");
  const cl_int code = call(queue, buffer, blocking, offset, size, to, count, events, event);
  unsigned char *bytes = to;
  const bool wrong = is_faulty("wrong", queue);
  for (size_t at = 0; wrong && at + 8 <= size; at += 8)
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
