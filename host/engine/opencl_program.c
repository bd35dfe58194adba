/* The kernels' program: build options, cache key, build. */
#include "opencl.h"

#include "../../kernels/layout.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void omr_cl_build_options(const omr_cl_device *device, const omr_run_settings *settings,
                          omr_precision precision, omr_numerics numerics, int lanes, size_t group,
                          omr_text *options) {
  bool single = precision == OMR_SINGLE_PRECISION;
  omr_text_print(options, "-cl-std=CL1.2 -DOMR_LANES=%d -DOMR_SINGLE=%d -DOMR_GROUP=%zu", lanes,
                 single, group);
  omr_cl_numerics_options(device, single, numerics, options);
#define X(id, meaning) omr_text_print(options, " -DK_VALUE_" #id "=%d", settings->integers[K_##id]);
  OMR_SETTINGS(X)
#undef X
}

/* The key covers everything that the binary depends on. */
static void cache_key(const omr_cl_device *d, const char *options, omr_text *key) {
  char hash[33];
  omr_hash_hex(omr_kernel_source, omr_kernel_source_length, hash);
  omr_text_print(
      key, "omniroll %s\nsource %s\noptions %s\nplatform %s | %s\ndevice %s | %s\ndriver %s\n",
      omr_version(), hash, options, d->platform_name, d->platform_version, d->name, d->version,
      d->driver);
}

/* Fails with the build log; a log too long for the message goes to the log file. */
static omr_status build_failed(cl_program program, const omr_cl_device *d, cl_int code, FILE *log,
                               omr_error *error) {
  size_t size = 0;
  char cache[OMR_CL_CACHE] = "";
  if (omr_cl_is_pocl(d->platform_name)) omr_cl_pocl_cache(cache);
  clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *text = calloc(size + 1, 1);
  if (text && size) clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, size, text, NULL);
  const char *shown = text && *text ? text : "(empty)";
  if (strlen(shown) > 3000) omr_cl_log(log, "build log of %s:\n%s", d->name, shown);
  omr_fail(error, OMR_ERR_DEVICE,
           "OpenCL: clBuildProgram on %s failed: %s (%d); %supdate the driver (%s), or use another "
           "\"device\" or backend openmp; build log:\n%.3000s",
           d->name, omr_cl_error_name(code), (int)code, cache, d->driver, shown);
  free(text);
  return OMR_ERR_DEVICE;
}

/* Says it once: every program reports the same folder. */
static void say_once(FILE *log, const char *why) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (why[0] && log && !atomic_flag_test_and_set(&said))
    omr_cl_log(log, "kernel cache not used: %s", why);
}

/* The program in the cache; NULL where there is none or the driver refuses it. */
static cl_program from_cache(cl_context context, const omr_cl_device *d, const char *options,
                             const char *key, FILE *log) {
  size_t length;
  char why[256];
  unsigned char *binary = omr_cache_load(key, &length, why);
  say_once(log, why);
  if (!binary) return NULL;

  /* A driver may refuse a binary now or when it is built. */
  const unsigned char *binaries = binary;
  cl_int code, accepted = CL_SUCCESS;
  cl_program program =
      clCreateProgramWithBinary(context, 1, &d->id, &length, &binaries, &accepted, &code);
  free(binary);
  if (code) return NULL;

  /* The binary must build and contain kernels. */
  cl_uint kernels = 0;
  if (accepted || clBuildProgram(program, 1, &d->id, options, NULL, NULL) ||
      clCreateKernelsInProgram(program, 0, NULL, &kernels) || !kernels) {
    clReleaseProgram(program);
    return NULL;
  }
  return program;
}

static omr_status from_source(cl_context context, const omr_cl_device *d, const char *options,
                              FILE *log, cl_program *program, omr_error *error) {
  cl_int code;
  const char *source = omr_kernel_source;
  size_t length = omr_kernel_source_length;
  *program = clCreateProgramWithSource(context, 1, &source, &length, &code);
  if (code) return omr_cl_fail(error, "clCreateProgramWithSource", code, d->name);
  code = clBuildProgram(*program, 1, &d->id, options, NULL, NULL);
  if (!code) return OMR_OK;
  build_failed(*program, d, code, log, error);
  clReleaseProgram(*program);
  *program = NULL;
  return OMR_ERR_DEVICE;
}

omr_status omr_cl_build(cl_context context, const omr_cl_device *device, const char *options,
                        FILE *log, cl_program *program, bool *cached, omr_error *error) {
  omr_text key = {0};
  cache_key(device, options, &key);
  if (key.failed) {
    omr_text_free(&key);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory while the OpenCL kernels are built");
  }
  *program = from_cache(context, device, options, key.data, log);
  *cached = *program != NULL;
  omr_text_free(&key);
  return *cached ? OMR_OK : from_source(context, device, options, log, program, error);
}

/* malloc'ed, or NULL where the driver gives no binary. */
static unsigned char *program_binary(cl_program program, size_t *length) {
  *length = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *length, length, NULL) || !*length)
    return NULL;
  unsigned char *binary = malloc(*length);
  if (binary && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL)) {
    free(binary);
    binary = NULL;
  }
  return binary;
}

/* The cache comes first: some drivers compile again for the binary. */
void omr_cl_keep(cl_program program, const omr_cl_device *device, const char *options, FILE *log) {
  if (omr_cache_off()) return;
  omr_text key = {0};
  char why[256] = "the driver gives no binary";
  size_t length;
  cache_key(device, options, &key);
  unsigned char *binary = program_binary(program, &length);
  if (key.failed || !binary || !omr_cache_store(key.data, binary, length, why)) {
    omr_cl_log(log, "kernels not kept for the next run: %s", why);
  }
  free(binary);
  omr_text_free(&key);
}
