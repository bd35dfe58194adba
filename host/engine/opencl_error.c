/* Names of OpenCL errors, and what a user can do about them. */
#include "opencl.h"

#include "../lanes/kernel_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Errors of OpenCL 1.2 and of the loader. */
#define CL_ERRORS(X)                                                                               \
  X(CL_DEVICE_NOT_FOUND)                                                                           \
  X(CL_DEVICE_NOT_AVAILABLE)                                                                       \
  X(CL_COMPILER_NOT_AVAILABLE)                                                                     \
  X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                              \
  X(CL_OUT_OF_RESOURCES)                                                                           \
  X(CL_OUT_OF_HOST_MEMORY)                                                                         \
  X(CL_PROFILING_INFO_NOT_AVAILABLE)                                                               \
  X(CL_MEM_COPY_OVERLAP)                                                                           \
  X(CL_IMAGE_FORMAT_MISMATCH)                                                                      \
  X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                                                                 \
  X(CL_BUILD_PROGRAM_FAILURE)                                                                      \
  X(CL_MAP_FAILURE)                                                                                \
  X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                                               \
  X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                                  \
  X(CL_COMPILE_PROGRAM_FAILURE)                                                                    \
  X(CL_LINKER_NOT_AVAILABLE)                                                                       \
  X(CL_LINK_PROGRAM_FAILURE)                                                                       \
  X(CL_DEVICE_PARTITION_FAILED)                                                                    \
  X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)                                                              \
  X(CL_INVALID_VALUE)                                                                              \
  X(CL_INVALID_DEVICE_TYPE)                                                                        \
  X(CL_INVALID_PLATFORM)                                                                           \
  X(CL_INVALID_DEVICE)                                                                             \
  X(CL_INVALID_CONTEXT)                                                                            \
  X(CL_INVALID_QUEUE_PROPERTIES)                                                                   \
  X(CL_INVALID_COMMAND_QUEUE)                                                                      \
  X(CL_INVALID_HOST_PTR)                                                                           \
  X(CL_INVALID_MEM_OBJECT)                                                                         \
  X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)                                                            \
  X(CL_INVALID_IMAGE_SIZE)                                                                         \
  X(CL_INVALID_SAMPLER)                                                                            \
  X(CL_INVALID_BINARY)                                                                             \
  X(CL_INVALID_BUILD_OPTIONS)                                                                      \
  X(CL_INVALID_PROGRAM)                                                                            \
  X(CL_INVALID_PROGRAM_EXECUTABLE)                                                                 \
  X(CL_INVALID_KERNEL_NAME)                                                                        \
  X(CL_INVALID_KERNEL_DEFINITION)                                                                  \
  X(CL_INVALID_KERNEL)                                                                             \
  X(CL_INVALID_ARG_INDEX)                                                                          \
  X(CL_INVALID_ARG_VALUE)                                                                          \
  X(CL_INVALID_ARG_SIZE)                                                                           \
  X(CL_INVALID_KERNEL_ARGS)                                                                        \
  X(CL_INVALID_WORK_DIMENSION)                                                                     \
  X(CL_INVALID_WORK_GROUP_SIZE)                                                                    \
  X(CL_INVALID_WORK_ITEM_SIZE)                                                                     \
  X(CL_INVALID_GLOBAL_OFFSET)                                                                      \
  X(CL_INVALID_EVENT_WAIT_LIST)                                                                    \
  X(CL_INVALID_EVENT)                                                                              \
  X(CL_INVALID_OPERATION)                                                                          \
  X(CL_INVALID_GL_OBJECT)                                                                          \
  X(CL_INVALID_BUFFER_SIZE)                                                                        \
  X(CL_INVALID_MIP_LEVEL)                                                                          \
  X(CL_INVALID_GLOBAL_WORK_SIZE)                                                                   \
  X(CL_INVALID_PROPERTY)                                                                           \
  X(CL_INVALID_IMAGE_DESCRIPTOR)                                                                   \
  X(CL_INVALID_COMPILER_OPTIONS)                                                                   \
  X(CL_INVALID_LINKER_OPTIONS)                                                                     \
  X(CL_INVALID_DEVICE_PARTITION_COUNT)                                                             \
  X(CL_PLATFORM_NOT_FOUND_KHR)

const char *omr_cl_error_name(cl_int code) {
  switch (code) {
#define X(id)                                                                                      \
  case id: return #id;
    CL_ERRORS(X)
#undef X
  default: return "unknown OpenCL error";
  }
}

static const char *remedy(cl_int code) {
  switch (code) {
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_RESOURCES:
  case CL_OUT_OF_HOST_MEMORY:
  case CL_INVALID_BUFFER_SIZE:
    return "the device may be short of memory or used by others: run again with a smaller engine "
           "\"chunk\", on another \"device\", or with backend openmp";
  default:
    return "the device cannot be used further in this process: run again, check the driver, or use "
           "another \"device\" or backend openmp";
  }
}

omr_status omr_cl_fail(omr_error *error, const char *call, cl_int code, const char *device) {
  return omr_fail(error, OMR_ERR_DEVICE, "OpenCL: %s%s%s failed: %s (%d); %s", call,
                  device ? " on " : "", device ? device : "", omr_cl_error_name(code), (int)code,
                  remedy(code));
}

/* Makes the folders above the file and writes as much as a kernel takes; false with errno. */
static bool can_write(char *path) {
  static const char some[1 << 20];
  /* A file of the size of a kernel, since a disk may be full. */
  const int file = omr_cache_make_above(path) ? mkstemp(path) : -1;
  if (file < 0) return false;
  const bool written = omr_cache_write(file, some, sizeof some);

  /* The cause must survive the clean-up. */
  const int cause = errno;
  unlink(path);
  close(file);
  errno = cause;

  return written;
}

void omr_cl_pocl_cache(char why[OMR_CL_CACHE]) {
  const char *own = getenv("POCL_CACHE_DIR"), *cache = getenv("XDG_CACHE_HOME"),
             *home = getenv("HOME");
  char path[OMR_CL_CACHE - 128];
  why[0] = '\0';
  if (own)
    snprintf(path, sizeof path, "%s/omniroll-XXXXXX", own);
  else if (cache)
    snprintf(path, sizeof path, "%s/pocl/kcache/omniroll-XXXXXX", cache);
  else
    snprintf(path, sizeof path, "%s/.cache/pocl/kcache/omniroll-XXXXXX", home ? home : "");
  if (can_write(path)) return;
  const int cause = errno;
  snprintf(why, OMR_CL_CACHE,
           "PoCL cannot write its cache %.*s (%s): set POCL_CACHE_DIR to a folder that can be "
           "written, or make room; else ",
           (int)(strrchr(path, '/') - path), path, strerror(cause));
}

void omr_cl_log(FILE *log, const char *format, ...) {
  if (!log) return;
  va_list arguments;
  va_start(arguments, format);
  fputs("opencl: ", log);
  vfprintf(log, format, arguments);
  fputc('\n', log);
  va_end(arguments);
}
