/* The machine: its devices, whether they give the right numbers, and how fast it is. Conventions of
 * ownership, threads and NULL: base.h. */
#ifndef OMNIROLL_MACHINE_H
#define OMNIROLL_MACHINE_H

#include <omniroll/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The devices that runs could use, one line each. */
OMR_API omr_status omr_print_devices(FILE *out, omr_error *error);
/* {"devices": [{"backend", "device", ...}, ...], "opencl_problem"}. The caller destroys *json. */
OMR_API omr_status omr_devices_json(char **json, omr_error *error);

/* Known answer on every backend, device and precision; OMR_ERR_SELFTEST where one is wrong. */
OMR_API omr_status omr_selftest(FILE *out, omr_error *error);
/* The same on one of them: an instruction set, or "platform:device" of OpenCL (NULL: all).
 * OMR_ERR_DEVICE where it is not here. */
OMR_API omr_status omr_selftest_device(const char *device, FILE *out, omr_error *error);
/* {"numerics", "passed", "opencl_problem", "checks": [...]}, there too with OMR_ERR_SELFTEST; NULL
 * with any other error. The caller destroys *json. */
OMR_API omr_status omr_selftest_json(const char *device, char **json, omr_error *error);

/* The speed of this machine, held against the limits of its hardware. */
typedef struct omr_bench omr_bench;
typedef struct omr_bench_options {
  size_t size;
  const char *sections;      /* names separated by commas; NULL: all */
  const char *backend;       /* "openmp", "scalar", "opencl"; NULL or "auto": all of them in section
                                backends, elsewhere a GPU or openmp */
  const char *device;        /* an instruction set, or an OpenCL device; NULL: any */
  const char *precision;     /* "double", "single"; NULL: both in sections backends and threads */
  int threads;               /* 0: all */
  size_t instances;          /* of a row that does not vary them; 0: chosen to fill the device */
  int rounds;                /* 0: chosen */
  double seconds;            /* integrating time of a row over all rounds; 0: chosen */
  bool quick;                /* fewer rows, shorter */
  omr_progress_fn *progress; /* counts measurements */
  void *progress_user;
} omr_bench_options;
#define OMR_BENCH_OPTIONS_INIT                                                                     \
  { .size = sizeof(omr_bench_options) }

/* OMR_ERR_USAGE where these options are wrong, before anything is measured. */
OMR_API omr_status omr_bench_check(const omr_bench_options *options, omr_error *error);
/* Measures. A row that cannot be measured says so; errors are wrong options, a lack of memory, and
 * an interruption. The caller destroys *bench. */
OMR_API omr_status omr_bench_create(const omr_bench_options *options, omr_bench **bench,
                                    omr_error *error);
/* NULL is allowed. */
OMR_API void omr_bench_destroy(omr_bench *bench);
/* The tables of `omniroll bench`. */
OMR_API void omr_bench_print(const omr_bench *bench, FILE *out);
/* Into the file; "-" or NULL: standard output. */
OMR_API omr_status omr_bench_write_json(const omr_bench *bench, const char *path, omr_error *error);
/* The same as one table, a line for each row. */
OMR_API omr_status omr_bench_write_csv(const omr_bench *bench, const char *path, omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
