/* Lists the OpenCL devices and chooses the one for a run. */
#include "../support/turn.h"
#include "opencl.h"

#include "../support/tree.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NO_PLATFORM                                                                                \
  "no OpenCL platform found: install an ICD such as pocl-opencl-icd or the GPU vendor's driver, "  \
  "or use backend openmp"

/* Drivers pad names with spaces. */
static void trim(char *text) {
  size_t lead = strspn(text, " ");
  memmove(text, text + lead, strlen(text) - lead + 1);
  size_t length = strlen(text);
  while (length && text[length - 1] == ' ') text[--length] = '\0';
}

/* Text of a device or platform, cut to `size`. Drivers refuse a query with too little room, so the
 * query takes all of it. */
static void device_text(cl_device_id id, cl_device_info what, char *text, size_t size) {
  char all[1024] = "";
  if (clGetDeviceInfo(id, what, sizeof all - 1, all, NULL)) strcpy(all, "unknown");
  trim(all);
  snprintf(text, size, "%s", all);
}

static void platform_text(cl_platform_id id, cl_platform_info what, char *text, size_t size) {
  char all[1024] = "";
  if (clGetPlatformInfo(id, what, sizeof all - 1, all, NULL)) strcpy(all, "unknown");
  trim(all);
  snprintf(text, size, "%s", all);
}

static cl_uint device_uint(cl_device_id id, cl_device_info what) {
  cl_uint value = 0;
  return clGetDeviceInfo(id, what, sizeof value, &value, NULL) ? 0 : value;
}

static cl_ulong device_ulong(cl_device_id id, cl_device_info what) {
  cl_ulong value = 0;
  return clGetDeviceInfo(id, what, sizeof value, &value, NULL) ? 0 : value;
}

static bool has_extension(cl_device_id id, const char *name) {
  size_t size = 0;
  if (clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) || !size) return false;
  char *all = calloc(size + 1, 1);
  bool found =
      all && !clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, size, all, NULL) && strstr(all, name);
  free(all);
  return found;
}

/* Some drivers report native width 0 and only a preferred one. */
static cl_uint vector_width(cl_device_id id, cl_device_info native, cl_device_info preferred) {
  cl_uint width = device_uint(id, native);
  if (!width) width = device_uint(id, preferred);
  return width ? width : 1;
}

/* Work-items that a device runs together. 32 where the driver does not say: a warp, or whole
 * threads of Intel's GPUs. */
static size_t warp_of(const omr_cl_device *d) {
  cl_uint warp = 0;
  if (has_extension(d->id, "cl_nv_device_attribute_query"))
    warp = device_uint(d->id, CL_DEVICE_WARP_SIZE_NV);
  if (has_extension(d->id, "cl_amd_device_attribute_query"))
    warp = device_uint(d->id, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
  return warp ? warp : 32;
}

static bool is_set(const char *name) {
  const char *value = getenv(name);
  return value && atoi(value) == 1;
}

/* The standard has a flag for it. Intel's driver shows double precision on GPUs without it where
 * one of these variables asks for emulation, some versions of it without the flag. */
bool omr_cl_emulates_double(const omr_cl_device *d) {
  if (!d->has_double) return false;
  if (d->double_config & CL_FP_SOFT_FLOAT) return true;
  return (d->type & CL_DEVICE_TYPE_GPU) && strstr(d->platform_name, "Intel") &&
         (is_set("NEO_FP64_EMULATION") || is_set("OverrideDefaultFP64Settings") ||
          is_set("IGC_EnableDPEmulation"));
}

static void describe(omr_cl_device *d) {
  /* Names and versions of device, driver and platform. */
  device_text(d->id, CL_DEVICE_NAME, d->name, sizeof d->name);
  device_text(d->id, CL_DRIVER_VERSION, d->driver, sizeof d->driver);
  device_text(d->id, CL_DEVICE_VERSION, d->version, sizeof d->version);
  platform_text(d->platform, CL_PLATFORM_NAME, d->platform_name, sizeof d->platform_name);
  platform_text(d->platform, CL_PLATFORM_VERSION, d->platform_version, sizeof d->platform_version);

  /* Capabilities and units. */
  if (clGetDeviceInfo(d->id, CL_DEVICE_TYPE, sizeof d->type, &d->type, NULL)) d->type = 0;
  d->has_double = has_extension(d->id, "cl_khr_fp64");
  d->takes_registers = has_extension(d->id, "cl_nv_compiler_options");
  d->unified_memory = device_uint(d->id, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
  d->units = device_uint(d->id, CL_DEVICE_MAX_COMPUTE_UNITS);

  /* Widths of vectors and sizes of memory. */
  d->width_double = vector_width(d->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
                                 CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE);
  d->width_float = vector_width(d->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT,
                                CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT);
  d->memory = device_ulong(d->id, CL_DEVICE_GLOBAL_MEM_SIZE);
  d->largest_allocation = device_ulong(d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  d->largest_constant = device_ulong(d->id, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  if (clGetDeviceInfo(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof d->largest_group,
                      &d->largest_group, NULL))
    d->largest_group = 1;
  d->warp = warp_of(d);

  /* Rounding of the arithmetic. */
  d->single_config = device_ulong(d->id, CL_DEVICE_SINGLE_FP_CONFIG);
  d->double_config = d->has_double ? device_ulong(d->id, CL_DEVICE_DOUBLE_FP_CONFIG) : 0;
  d->soft_double = omr_cl_emulates_double(d);
}

enum { NO_MEMORY = 1 }; /* positive, unlike the codes of OpenCL: this program lacks memory */

/* Appends the devices of one platform. */
static cl_int add_platform(cl_platform_id platform, int number, omr_cl_device **devices,
                           size_t *count) {
  /* A platform without devices is no error. */
  cl_uint found = 0;
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &found);
  if (code == CL_DEVICE_NOT_FOUND || (!code && !found)) return CL_SUCCESS;
  if (code) return code;

  /* The list grows by the devices of this platform. */
  cl_device_id *ids = calloc(found, sizeof *ids);
  omr_cl_device *more = realloc(*devices, (*count + found) * sizeof *more);
  if (more) *devices = more;
  if (!ids || !more) {
    free(ids);
    return NO_MEMORY;
  }

  /* The devices of the platform, described by their driver. */
  code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, found, ids, NULL);
  for (cl_uint i = 0; !code && i < found; i++) {
    omr_cl_device *d = &more[(*count)++];
    *d = (omr_cl_device){
        .platform = platform, .id = ids[i], .platform_number = number, .device_number = (int)i};
    describe(d);
  }

  free(ids);
  return code;
}

/* A driver keeps threads and memory for a device; a forked child has neither and would wait for
 * them forever. */
static omr_status check_fork(omr_error *error) {
  static atomic_uint user; /* number of forks before the first process that used OpenCL, plus one;
                              0: none has used it */
  const unsigned here = omr_forks() + 1;
  unsigned before = 0;
  if (atomic_compare_exchange_strong(&user, &before, here) || before == here) return OMR_OK;
  return omr_fail(error, OMR_ERR_DEVICE,
                  "OpenCL: this process was forked from one that had used OpenCL, whose drivers do "
                  "not survive a fork: start it by spawn or forkserver (in Python "
                  "multiprocessing.get_context(\"spawn\")), or use backend openmp");
}

/* Names the platforms, since some need a setting: rusticl shows a device only on request. */
static omr_status no_device(const cl_platform_id *platforms, cl_uint found, omr_error *error) {
  omr_text names = {0};
  char cache[OMR_CL_CACHE] = "";
  bool rusticl = false;
  /* The remedy depends on the platforms that are installed. */
  for (cl_uint p = 0; p < found; p++) {
    char name[128];
    platform_text(platforms[p], CL_PLATFORM_NAME, name, sizeof name);
    omr_text_print(&names, "%s%s", p ? ", " : "", name);
    rusticl |= strcmp(name, "rusticl") == 0;
    if (omr_cl_is_pocl(name)) omr_cl_pocl_cache(cache);
  }

  /* The message names platforms and remedies. */
  omr_fail(error, OMR_ERR_DEVICE,
           "no OpenCL device found (platforms: %s): %sinstall the device's driver or "
           "pocl-opencl-icd, check that this user may open it, or use backend openmp%s",
           names.data ? names.data : "", cache,
           rusticl ? "; rusticl shows a device where RUSTICL_ENABLE names its driver "
                     "(RUSTICL_ENABLE=llvmpipe: the processor) and libclc is installed"
                   : "");

  omr_text_free(&names);

  return OMR_ERR_DEVICE;
}

omr_status omr_cl_devices(omr_cl_device **devices, size_t *count, omr_error *error) {
  cl_platform_id platforms[64];
  cl_uint found = 0;
  *devices = NULL;
  *count = 0;

  /* OpenCL does not survive a fork. */
  const omr_status forked = check_fork(error);
  if (forked != OMR_OK) return forked;
  cl_int code = clGetPlatformIDs(64, platforms, &found);
  if (code == CL_PLATFORM_NOT_FOUND_KHR || (!code && !found))
    return omr_fail(error, OMR_ERR_DEVICE, NO_PLATFORM);
  if (code) return omr_cl_fail(error, "clGetPlatformIDs", code, NULL);
  if (found > 64) found = 64;

  /* One platform that fails must not hide the devices of the others. */
  cl_int broken = CL_SUCCESS;
  for (cl_uint p = 0; p < found && broken != NO_MEMORY; p++) {
    code = add_platform(platforms[p], (int)p, devices, count);
    if (code) broken = code;
  }

  /* Without any device the caller gets the most specific reason. */
  if (*count && broken != NO_MEMORY) return OMR_OK;
  free(*devices);
  *devices = NULL;
  *count = 0;
  if (broken == NO_MEMORY)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory while the devices of OpenCL are listed");
  if (broken) return omr_cl_fail(error, "clGetDeviceIDs", broken, NULL);
  return no_device(platforms, found, error);
}

/* A device that also claims to be a processor is one: a simulator (Oclgrind) claims to be
 * everything. */
static bool is_gpu(const omr_cl_device *d) {
  return (d->type & CL_DEVICE_TYPE_GPU) && !(d->type & CL_DEVICE_TYPE_CPU);
}

static const char *type_name(const omr_cl_device *d) {
  if (is_gpu(d)) return "GPU";
  if (d->type & CL_DEVICE_TYPE_CPU) return "CPU";
  if (d->type & CL_DEVICE_TYPE_ACCELERATOR) return "accelerator";
  return "other";
}

/* Higher is better; a processor that also claims to be a GPU ranks below real processors. */
static int rank(const omr_cl_device *d) {
  if (is_gpu(d)) return 4;
  if (d->type & CL_DEVICE_TYPE_CPU) return d->type & CL_DEVICE_TYPE_GPU ? 1 : 2;
  return d->type & CL_DEVICE_TYPE_ACCELERATOR ? 3 : 0;
}

/* The first device of the highest rank, among those with the precision if there are any. */
const omr_cl_device *omr_cl_best(const omr_cl_device *devices, size_t count,
                                 omr_precision precision) {
  const omr_cl_device *chosen = NULL;
  for (int any = precision == OMR_SINGLE_PRECISION; !chosen && any < 2; any++) {
    for (size_t i = 0; i < count; i++) {
      if (!any && (!devices[i].has_double || devices[i].soft_double)) continue;
      if (!chosen || rank(&devices[i]) > rank(chosen)) chosen = &devices[i];
    }
  }
  return chosen;
}

/* Whether a device is as good as the best one: of its kind, from the same driver, since another
 * driver may show the same device again. */
static bool is_as_good(const omr_cl_device *d, const omr_cl_device *best) {
  return rank(d) == rank(best) && d->platform_number == best->platform_number &&
         (d->has_double || !best->has_double);
}

const omr_cl_device *omr_cl_for_rank(const omr_cl_device *devices, size_t count,
                                     const omr_cl_device *best, size_t place, size_t *of) {
  const omr_cl_device *found = best;
  *of = 0;
  for (size_t i = 0; i < count; i++) *of += is_as_good(&devices[i], best);
  for (size_t i = 0, at = 0; *of && i < count; i++)
    if (is_as_good(&devices[i], best) && at++ == place % *of) found = &devices[i];
  return found;
}

/* The number of this process among those of its node, by its launcher. */
static bool find_local_rank(const char **variable, size_t *local) {
  static const char *const names[] = {
#define LOCAL(variable) variable,
#include "../lists/launchers.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *text = getenv(names[i]);
    char *end = NULL;
    const unsigned long number =
        text && isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
    if (!end || *end) continue;
    *variable = names[i];
    *local = number;
    return true;
  }
  return false;
}

static bool contains(const char *text, const char *part) {
  for (; *text; text++) {
    size_t i = 0;
    while (part[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) i++;
    if (!part[i]) return true;
  }
  return false;
}

static omr_status refuse(const char *wanted, const char *reason, const omr_cl_device *devices,
                         size_t count, omr_error *error) {
  omr_text list = {0};
  for (size_t i = 0; i < count; i++) {
    const omr_cl_device *d = &devices[i];
    omr_text_print(&list, "\n  %d:%d %s (%s)", d->platform_number, d->device_number, d->name,
                   d->platform_name);
  }
  omr_fail(error, OMR_ERR_DEVICE,
           "OpenCL device \"%s\" %s; set \"device\" to a number or a part of one name of:%s",
           wanted, reason, list.data ? list.data : "");
  omr_text_free(&list);
  return OMR_ERR_DEVICE;
}

/* Parses "P:D" and nothing else. */
static bool parse_number(const char *wanted, int *platform, int *device) {
  int end = 0;
  return isdigit((unsigned char)wanted[0]) &&
         sscanf(wanted, "%6d:%6d%n", platform, device, &end) == 2 && !wanted[end];
}

/* The ways to name a device, in the order in which they are tried. */
typedef enum naming { BY_NUMBER, BY_DEVICE, BY_PLATFORM, NAMINGS } naming;

static bool is_named(const omr_cl_device *d, const char *wanted, naming how) {
  int platform, device;
  if (how == BY_DEVICE) return contains(d->name, wanted);
  if (how == BY_PLATFORM) return contains(d->platform_name, wanted);
  return parse_number(wanted, &platform, &device) && d->platform_number == platform &&
         d->device_number == device;
}

omr_status omr_cl_find(const char *wanted, const omr_cl_device *devices, size_t count,
                       const omr_cl_device **chosen, omr_error *error) {
  int platform, device;
  const bool numbered = parse_number(wanted, &platform, &device);
  *chosen = NULL;
  for (naming how = BY_NUMBER; how < (numbered ? BY_DEVICE : NAMINGS); how++) {
    for (size_t i = 0; i < count; i++) {
      if (!is_named(&devices[i], wanted, how)) continue;
      if (*chosen) return refuse(wanted, "is part of more than one name", devices, count, error);
      *chosen = &devices[i];
    }
    if (*chosen) return OMR_OK;
  }
  const bool gpu = is_gpu(omr_cl_best(devices, count, OMR_SINGLE_PRECISION));
  return refuse(wanted,
                gpu ? "is not here"
                    : "is not here, nor is any other GPU (its driver may be missing: clinfo)",
                devices, count, error);
}

/* The best device, or of several as good ones the one that the process's place on its node gives.
 */
static const omr_cl_device *choose_unnamed(const omr_cl_device *devices, size_t count,
                                           omr_precision precision, FILE *log) {
  const omr_cl_device *best = omr_cl_best(devices, count, precision);
  const char *variable;
  size_t local, of;
  if (!find_local_rank(&variable, &local)) return best;
  const omr_cl_device *chosen = omr_cl_for_rank(devices, count, best, local, &of);
  if (of > 1)
    omr_cl_log(log, "%s=%zu takes number %zu of %zu devices", variable, local, local % of, of);
  return chosen;
}

omr_status omr_cl_choose(const char *wanted, omr_precision precision, FILE *log,
                         omr_cl_device *device, omr_error *error) {
  omr_cl_device *devices;
  size_t count;
  const omr_cl_device *chosen;
  omr_status status = omr_cl_devices(&devices, &count, error);
  if (status) return status;
  if (wanted)
    status = omr_cl_find(wanted, devices, count, &chosen, error);
  else
    chosen = choose_unnamed(devices, count, precision, log);
  if (!status) {
    *device = *chosen;
    int platform, number;
    if (!wanted || !parse_number(wanted, &platform, &number)) {
      omr_cl_log(log, "chose device %d:%d %s (%s)", chosen->platform_number, chosen->device_number,
                 chosen->name, chosen->platform_name);
    }
  }
  free(devices);
  return status;
}

static void number_of(const omr_cl_device *d, char number[16]) {
  snprintf(number, 16, "%d:%d", d->platform_number, d->device_number);
}

/* Adds the device that the first `length` characters of `names` name. */
static omr_status add_named(const char *names, size_t length, const omr_cl_device *devices,
                            size_t count, omr_device_numbers *numbers, omr_error *error) {
  char name[128];
  const omr_cl_device *found;
  snprintf(name, sizeof name, "%.*s", (int)length, names);
  omr_status status = omr_cl_find(name, devices, count, &found, error);
  if (status != OMR_OK) return status;
  if (numbers->count == OMR_MOST_DEVICES)
    return omr_fail(error, OMR_ERR_DEVICE, "%d devices share a run at most", OMR_MOST_DEVICES);
  number_of(found, numbers->number[numbers->count]);
  for (size_t i = 0; i < numbers->count; i++)
    if (strcmp(numbers->number[i], numbers->number[numbers->count]) == 0)
      return omr_fail(error, OMR_ERR_DEVICE, "the devices \"%s\" name %s twice", names,
                      numbers->number[i]);
  numbers->count++;
  return OMR_OK;
}

omr_status omr_opencl_numbers(const char *wanted, omr_precision precision,
                              omr_device_numbers *numbers, omr_error *error) {
  omr_cl_device *devices;
  size_t count;
  numbers->count = 0;
  omr_status status = omr_cl_devices(&devices, &count, error);
  if (status != OMR_OK) return status;
  if (strcmp(wanted, "all") == 0) {
    const omr_cl_device *best = omr_cl_best(devices, count, precision);
    for (size_t i = 0; i < count && numbers->count < OMR_MOST_DEVICES; i++)
      if (is_as_good(&devices[i], best)) number_of(&devices[i], numbers->number[numbers->count++]);
  } else {
    for (const char *at = wanted; status == OMR_OK && at; at = *at ? at + 1 : NULL) {
      const size_t length = strcspn(at += strspn(at, " "), ",");
      status = add_named(at, length, devices, count, numbers, error);
      at += length;
    }
  }
  free(devices);
  return status;
}

static int wider(int width, const char *text) {
  int length = (int)strlen(text);
  return length > width ? length : width;
}

bool omr_opencl_has_gpu(omr_precision precision) {
  omr_cl_device *devices;
  size_t count;
  bool found = false;
  if (omr_cl_devices(&devices, &count, NULL) != OMR_OK) return false;
  for (size_t i = 0; i < count; i++) {
    const omr_cl_device *d = &devices[i];
    found |= is_gpu(d) && ((d->has_double && !d->soft_double) || precision == OMR_SINGLE_PRECISION);
  }
  free(devices);
  return found;
}

omr_status omr_opencl_number(const char *wanted, char number[16], omr_error *error) {
  omr_cl_device device;
  const omr_status status = omr_cl_choose(wanted, OMR_SINGLE_PRECISION, NULL, &device, error);
  if (status == OMR_OK) snprintf(number, 16, "%d:%d", device.platform_number, device.device_number);
  return status;
}

/* Tells where the bits equal the CPU's, according to the driver. */
static const char *rounding_name(const omr_cl_device *d) {
  const bool whole = d->has_double && omr_cl_rounds(d, false), half = omr_cl_rounds(d, true);
  if (!d->has_double) return half ? "correct" : "the device's own";
  if (whole == half) return whole ? "correct" : "the device's own";
  return whole ? "correct in double, the device's own in single"
               : "correct in single, the device's own in double";
}

void omr_opencl_print_devices(FILE *out) {
  omr_cl_device *devices;
  size_t count;
  omr_error error = {0};
  if (omr_cl_devices(&devices, &count, &error)) {
    fprintf(out, "opencl  %s\n", error.message);
    return;
  }

  /* Columns are as wide as their longest entry. */
  int name = 0, platform = 0, driver = 0;
  for (size_t i = 0; i < count; i++) {
    name = wider(name, devices[i].name);
    platform = wider(platform, devices[i].platform_name);
    driver = wider(driver, devices[i].driver);
  }

  /* One line per device. */
  for (size_t i = 0; i < count; i++) {
    const omr_cl_device *d = &devices[i];
    fprintf(out,
            "opencl  %d:%d  %-11s  %-*s  %-*s  driver %-*s  %4u compute units  %7.1f GiB  double "
            "%-3s  native widths %u/%u  rounding %s\n",
            d->platform_number, d->device_number, type_name(d), name, d->name, platform,
            d->platform_name, driver, d->driver, d->units,
            (double)d->memory / (1024.0 * 1024.0 * 1024.0),
            d->soft_double  ? "emulated"
            : d->has_double ? "yes"
                            : "no",
            d->width_double, d->width_float, rounding_name(d));
  }

  free(devices);
}

static void add_object(cJSON *devices, const omr_cl_device *d) {
  cJSON *row = omr_tree_row(devices);
  char number[32];
  snprintf(number, sizeof number, "%d:%d", d->platform_number, d->device_number);
  omr_tree_text(row, "backend", "opencl");
  omr_tree_text(row, "device", number);
  omr_tree_text(row, "type", type_name(d));
  omr_tree_text(row, "name", d->name);
  omr_tree_text(row, "platform", d->platform_name);
  omr_tree_text(row, "driver", d->driver);
  omr_tree_number(row, "compute_units", d->units);
  omr_tree_number(row, "memory_bytes", (double)d->memory);
  omr_tree_bool(row, "has_double", d->has_double);
  omr_tree_number(row, "native_width_double", d->width_double);
  omr_tree_number(row, "native_width_single", d->width_float);
  omr_tree_text(row, "rounding", rounding_name(d));
}

void omr_opencl_list_devices(cJSON *rows, omr_error *why) {
  omr_cl_device *devices;
  size_t count;
  if (omr_cl_devices(&devices, &count, why) != OMR_OK) return;
  for (size_t i = 0; i < count; i++) add_object(rows, &devices[i]);
  free(devices);
}
