/* Internals of the OpenCL backend: devices, programs, cache, errors. Private to host/engine and its
 * tests. */
#ifndef OMR_OPENCL_H
#define OMR_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "../lanes/kernel_cache.h"
#include "../lanes/kernel_text.h"
#include "backend.h"
#include "probe_cases.h"

#include <string.h>

/* ---- opencl_error.c */

/* "CL_BUILD_PROGRAM_FAILURE"; "unknown OpenCL error" for numbers of no known name. */
const char *omr_cl_error_name(cl_int code);
/* Gives "PoCL cannot write its cache ..., else " where its folder is not writable, which PoCL does
 * not report; "" otherwise. */
enum { OMR_CL_CACHE = 512 };
void omr_cl_pocl_cache(char why[OMR_CL_CACHE]);
/* Whether a platform of this name is PoCL. */
static inline bool omr_cl_is_pocl(const char *platform) {
  return strcmp(platform, "Portable Computing Language") == 0;
}
/* OMR_ERR_DEVICE with the call, the error's name and number, the device (NULL: none yet) and a
 * remedy. */
omr_status omr_cl_fail(omr_error *error, const char *call, cl_int code, const char *device);
/* One line to the log, "opencl: " before it; log may be NULL. */
void omr_cl_log(FILE *log, const char *format, ...) OMR_PRINTF(2, 3);

/* ---- opencl_devices.c */

typedef struct omr_cl_device {
  cl_platform_id platform;
  cl_device_id id;
  int platform_number, device_number;
  cl_device_type type;
  char name[128], driver[64], version[256], platform_name[128], platform_version[256];
  bool has_double, unified_memory;
  bool soft_double;     /* double precision is there, but computed by software */
  bool takes_registers; /* cl_nv_compiler_options: a limit of registers, and a log of those used */
  cl_device_fp_config single_config,
      double_config;                        /* CL_FP_...; 0 where there is no double precision */
  cl_uint units, width_double, width_float; /* widths of the native vectors */
  cl_ulong memory, largest_allocation;      /* bytes */
  cl_ulong largest_constant;                /* bytes of constant memory; 0: unknown */
  size_t warp, largest_group;               /* work-items: that run together, of a work-group */
} omr_cl_device;

/* Whether a device that shows double precision computes it by software. */
bool omr_cl_emulates_double(const omr_cl_device *device);
/* Every device of every platform; free(*devices). OMR_ERR_DEVICE with remedy where there is no
 * platform or no device. */
omr_status omr_cl_devices(omr_cl_device **devices, size_t *count, omr_error *error);
/* The first GPU, else accelerator, else CPU; a device that claims to be all of them comes last.
 * Devices without the precision count only where none has it. count > 0. */
const omr_cl_device *omr_cl_best(const omr_cl_device *devices, size_t count,
                                 omr_precision precision);
/* Of the *of devices that are as good as the best one the one at `place`, which goes round. */
const omr_cl_device *omr_cl_for_rank(const omr_cl_device *devices, size_t count,
                                     const omr_cl_device *best, size_t place, size_t *of);
/* The one device that `wanted` names: "platform:device", part of its name, or part of its
 * platform's name where no device has such a name. OMR_ERR_DEVICE with the list where none or
 * several match. */
omr_status omr_cl_find(const char *wanted, const omr_cl_device *devices, size_t count,
                       const omr_cl_device **chosen, omr_error *error);
/* The device that `wanted` names, as omr_cl_find; NULL: the best one for the precision, or of
 * several as good ones the one of this process's local rank (lists/launchers.def). Logs the choice
 * where the name did not fix it. */
omr_status omr_cl_choose(const char *wanted, omr_precision precision, FILE *log,
                         omr_cl_device *device, omr_error *error);

/* ---- opencl_program.c */

/* Build options of the program: precision, lanes, size of a work-group, numerics and every uniform
 * setting as a macro. */
void omr_cl_build_options(const omr_cl_device *device, const omr_run_settings *settings,
                          omr_precision precision, omr_numerics numerics, int lanes, size_t group,
                          omr_text *options);
/* The embedded kernels built for the device, from the cache where it has them (*cached). The caller
 * releases *program. */
omr_status omr_cl_build(cl_context context, const omr_cl_device *device, const char *options,
                        FILE *log, cl_program *program, bool *cached, omr_error *error);
/* Stores the built program in the cache. A folder that cannot be written only costs a line in the
 * log. */
void omr_cl_keep(cl_program program, const omr_cl_device *device, const char *options, FILE *log);

/* ---- opencl_resources.c */

struct omr_run_record;

/* Bytes of constants in the kernels' text, of its largest build; run tables lie in global memory.
 */
enum { OMR_CL_CONSTANTS = 4096 };

/* Refuses a limit of registers where the driver takes none. */
omr_status omr_cl_check_registers(const omr_cl_device *device, int max_registers, omr_error *error);
/* Adds build options for a log of registers and spills and for the limit (0: none), where the
 * driver has them. */
void omr_cl_register_options(const omr_cl_device *device, int max_registers, omr_text *options);
/* Registers of a kernel and bytes of its spill stores, from the build log of NVIDIA's compiler; -1
 * where the log lacks them. */
void omr_cl_read_log(const char *log, const char *kernel, int *registers, int *spill_bytes);
/* Fills the record's registers, spill_bytes and private_bytes, -1 where they are unknown. */
void omr_cl_resources(cl_program program, cl_kernel advance, const omr_cl_device *device,
                      struct omr_run_record *record);
/* Refuses double precision by software unless the study allows it. */
omr_status omr_cl_check_double(const omr_cl_device *device, bool allowed, omr_error *error);
/* Refuses tables of a run beyond the largest buffer, and a device without room for the constants.
 */
omr_status omr_cl_check_tables(const omr_cl_device *device, size_t bytes, omr_error *error);
/* The size of all work-groups, which is compiled in. wanted: engine.work_group; 0: chosen. */
omr_status omr_cl_choose_group(const omr_cl_device *device, int wanted, size_t *group,
                               omr_error *error);
/* Refuses a size beyond what the finished kernels can run. */
omr_status omr_cl_check_group(const omr_cl_device *device, cl_kernel const kernels[2], size_t group,
                              omr_error *error);

/* ---- opencl_rounding.c */

/* Whether every operation is rounded as IEEE 754 demands, so that exact numerics give the bits of
 * the CPU. */
bool omr_cl_rounds(const omr_cl_device *device, bool single);
/* Logs which parts of that the device lacks, and whether it lacks fused multiply-add. */
void omr_cl_say_rounding(const omr_cl_device *device, bool single, omr_numerics numerics,
                         FILE *log);
/* Build options of the numerics. */
void omr_cl_numerics_options(const omr_cl_device *device, bool single, omr_numerics numerics,
                             omr_text *options);

/* ---- opencl_probe.c */

/* The device and the host compute cases that are hard to round (probe_cases.h); options: further
 * build options. */
omr_status omr_cl_probe_arithmetic(const omr_cl_device *device, bool single, const char *options,
                                   omr_probe *probe, omr_error *error);

/* ---- opencl.c */

/* Whether the kernels came from the cache. */
bool omr_opencl_from_cache(const omr_backend *backend);

#endif
