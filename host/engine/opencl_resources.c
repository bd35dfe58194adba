/* Resources of a kernel on a device: what the device has to have, build options, figures from the
 * build log and the driver, and the size of the work-groups. */
#include "opencl.h"

#include "../result/result.h"
#include <stdlib.h>
#include <string.h>

omr_status omr_cl_check_registers(const omr_cl_device *device, int max_registers,
                                  omr_error *error) {
  if (!max_registers || device->takes_registers) return OMR_OK;
  return omr_fail(error, OMR_ERR_DEVICE,
                  "engine.max_registers is %d, but the driver of %s takes no limit of registers "
                  "(no cl_nv_compiler_options): leave it out",
                  max_registers, device->name);
}

void omr_cl_register_options(const omr_cl_device *device, int max_registers, omr_text *options) {
  if (!device->takes_registers) return;
  omr_text_print(options, " -cl-nv-verbose");
  if (max_registers) omr_text_print(options, " -cl-nv-maxrregcount=%d", max_registers);
}

/* The number before the first `words` in the text up to `end`, -1 where there is none. */
static int number_before(const char *text, const char *end, const char *words) {
  const char *at = strstr(text, words);
  if (!at || at > end) return -1;
  while (at > text && at[-1] == ' ') at--;
  const char *last = at;
  while (at > text && at[-1] >= '0' && at[-1] <= '9') at--;
  return at < last ? atoi(at) : -1;
}

static int number_after(const char *text, const char *end, const char *word) {
  const char *at = strstr(text, word);
  return at && at < end ? atoi(at + strlen(word)) : -1;
}

void omr_cl_read_log(const char *log, const char *kernel, int *registers, int *spill_bytes) {
  char entry[128];
  *registers = *spill_bytes = -1;
  snprintf(entry, sizeof entry, "entry function '%s'", kernel);
  const char *from = strstr(log, entry);
  if (!from) return;
  const char *next = strstr(from + strlen(entry), "entry function '"),
             *end = next ? next : log + strlen(log);
  *registers = number_after(from, end, "Used ");
  *spill_bytes = number_before(from, end, "bytes spill stores");
}

/* Private memory on a processor is its stack, and drivers report nothing useful about it. */
static int private_bytes(cl_kernel kernel, const omr_cl_device *device) {
  cl_ulong bytes;
  if (device->type & CL_DEVICE_TYPE_CPU) return -1;
  if (clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes,
                               NULL))
    return -1;
  return (int)bytes;
}

void omr_cl_resources(cl_program program, cl_kernel advance, const omr_cl_device *device,
                      omr_run_record *record) {
  size_t size = 0;
  record->registers = record->spill_bytes = -1;
  record->private_bytes = private_bytes(advance, device);
  if (!device->takes_registers) return;
  clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = calloc(size + 1, 1);
  if (log && size &&
      !clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL))
    omr_cl_read_log(log, "omr_advance", &record->registers, &record->spill_bytes);
  free(log);
}

omr_status omr_cl_check_double(const omr_cl_device *device, bool allowed, omr_error *error) {
  if (!device->soft_double || allowed) return OMR_OK;
  return omr_fail(error, OMR_ERR_DEVICE,
                  "%s computes double precision by software, which is slow and has given wrong "
                  "numbers: set \"precision\": \"single\", choose another \"device\" or backend "
                  "openmp, or set \"emulated_double\": \"allow\" and look at omniroll selftest",
                  device->name);
}

omr_status omr_cl_check_tables(const omr_cl_device *device, size_t bytes, omr_error *error) {
  if (bytes > device->largest_allocation)
    return omr_fail(
        error, OMR_ERR_DEVICE,
        "the tables of this run (replays, commands, paths, heights of the floor) have %zu bytes, "
        "but a buffer of %s holds %llu: give them fewer rows, or use backend openmp",
        bytes, device->name, (unsigned long long)device->largest_allocation);
  if (device->largest_constant && device->largest_constant < OMR_CL_CONSTANTS)
    return omr_fail(error, OMR_ERR_DEVICE,
                    "%s has %llu bytes of constant memory, but the kernels may need %d: choose "
                    "another \"device\" or backend openmp",
                    device->name, (unsigned long long)device->largest_constant, OMR_CL_CONSTANTS);
  return OMR_OK;
}

static omr_status refuse_group(const omr_cl_device *device, const char *what, size_t group,
                               size_t largest, omr_error *error) {
  return omr_fail(error, OMR_ERR_DEVICE,
                  "engine.work_group is %zu, but %s runs at most %zu of %s in a work-group: set it "
                  "to that or less",
                  group, device->name, largest, what);
}

/* On a processor one pack is work enough: measured with PoCL 3.1, a group costs 0.2 us (2 % of a
 * launch of 0.25 s with 50 000 packs), groups of 4 or 8 were no faster, and groups of 64 left cores
 * idle and took 3 times as long with one lane. On a GPU registers limit a compute unit, not groups,
 * so that one warp a group spreads few instances over most units. */
omr_status omr_cl_choose_group(const omr_cl_device *device, int wanted, size_t *group,
                               omr_error *error) {
  *group = (size_t)wanted;
  if (wanted && *group > device->largest_group)
    return refuse_group(device, "all work-items", *group, device->largest_group, error);
  if (!wanted) *group = device->type & CL_DEVICE_TYPE_CPU ? 1 : device->warp;
  if (*group > device->largest_group) *group = device->largest_group;
  return OMR_OK;
}

omr_status omr_cl_check_group(const omr_cl_device *device, cl_kernel const kernels[2], size_t group,
                              omr_error *error) {
  for (int i = 0; i < 2; i++) {
    size_t largest = 0;
    if (!clGetKernelWorkGroupInfo(kernels[i], device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof largest,
                                  &largest, NULL) &&
        largest && group > largest)
      return refuse_group(device, "these kernels", group, largest, error);
  }
  return OMR_OK;
}
