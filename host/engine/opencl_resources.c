/* Resources of a kernel on a device: build options that limit them, figures from the build log and
 * the driver, and the size of the work-groups for a launch. */
#include "opencl.h"

#include "../result/result.h"
#include <stdlib.h>
#include <string.h>

#define GROUPS_OF_A_UNIT 32 /* most work-groups that a compute unit of a GPU holds at a time */
#define LARGEST_GROUP 128

omr_status omr_cl_check_registers(const omr_cl_device *device, int max_registers,
                                  omr_error *error) {
  if (!max_registers || device->takes_registers) return OMR_OK;
  return omr_fail(error, OMR_ERR_DEVICE,
                  "engine.max_registers is %d, but the driver of %s takes no limit of registers "
                  "(no cl_nv_compiler_options): leave "
                  "it out",
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

static size_t kernel_size(cl_kernel kernel, const omr_cl_device *device,
                          cl_kernel_work_group_info what) {
  size_t value = 0;
  if (clGetKernelWorkGroupInfo(kernel, device->id, what, sizeof value, &value, NULL) || !value)
    return 1;
  return value;
}

omr_status omr_cl_check_group(const omr_cl_device *device, cl_kernel const kernels[2], int wanted,
                              omr_cl_groups *groups, omr_error *error) {
  const size_t first = kernel_size(kernels[0], device, CL_KERNEL_WORK_GROUP_SIZE);
  const size_t second = kernel_size(kernels[1], device, CL_KERNEL_WORK_GROUP_SIZE);
  *groups = (omr_cl_groups){
      .wanted = (size_t)wanted, .largest = first < second ? first : second, .units = device->units};
  groups->multiple = kernel_size(kernels[0], device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  if (groups->multiple > groups->largest) groups->multiple = groups->largest;
  groups->processor = (device->type & CL_DEVICE_TYPE_CPU) != 0;
  if (groups->wanted <= groups->largest) return OMR_OK;
  return omr_fail(
      error, OMR_ERR_DEVICE,
      "engine.work_group is %d, but %s runs at most %zu of these kernels in a work-group", wanted,
      device->name, groups->largest);
}

/* On a processor one pack is work enough: measured with PoCL 3.1, a group costs 0.2 us (2 % of a
 * launch of 0.25 s with 50 000 packs), groups of 4 or 8 were no faster, and groups of 64 left cores
 * idle and took 3 times as long with one lane. The size must not change there either: PoCL compiles
 * again for each. On a GPU registers limit a compute unit, not groups, so one multiple (a warp, 32
 * packs) spreads few instances over most units; groups grow only where every unit has its full
 * number of them anyway. */
size_t omr_cl_group_size(const omr_cl_groups *groups, size_t packs) {
  if (groups->wanted) return groups->wanted;
  if (groups->processor) return 1;
  size_t group = groups->multiple;
  while (2 * group <= LARGEST_GROUP && 2 * group <= groups->largest &&
         packs / (2 * group) >= GROUPS_OF_A_UNIT * groups->units)
    group *= 2;
  return group;
}
