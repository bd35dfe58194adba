/* The OpenCL backend without physics: what goes in and comes out, device choice, cache, errors.
 * Instances are stopped (their status is not OK), so that every value must come back as it went in.
 * What the kernels compute is tested elsewhere. */
#define _GNU_SOURCE
#include "engine/opencl.h"

#include "../../kernels/layout.h"
#include "result/result.h"
#include "tests/skip.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHEELS = 3, ROLLERS = 4, COUNT = 37, STRIDE = 48 };

static char home[64];

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)info, (void)type, (void)where;
  return remove(path);
}

/* Our cache is empty, and switched on where a test is about it; PoCL keeps its own all the same, so
 * that it compiles each program once for all tests, and once more where its binary is asked for. */
static void setup(void) {
  strcpy(home, "/tmp/omniroll-test-XXXXXX");
  cr_assert_not_null(mkdtemp(home));
  setenv("XDG_CACHE_HOME", home, 1);
}

static void teardown(void) {
  nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

TestSuite(opencl_backend, .init = setup, .fini = teardown);

/* Skipping leaves without the suite's fini. */
static void skip(const char *reason) {
  teardown();
  cr_skip_test("%s", reason);
}

static void need_device(void) {
  omr_cl_device *devices;
  size_t count;
  omr_error error = {0};
  omr_status status = omr_cl_devices(&devices, &count, &error);
  free(devices);
  if (status) skip(error.message);
}

typedef struct fixture {
  int integers[K_COUNT];
  double tables[4];
  omr_run_settings settings;
  omr_engine_options options;
  omr_run_record record;
  omr_error error;
  char log[16384];
  omr_backend *backend;
} fixture;

static void prepare(fixture *f) {
  memset(f, 0, sizeof *f);
  f->integers[K_WHEELS] = WHEELS;
  f->integers[K_MAX_ROLLERS] = ROLLERS;
  f->settings = (omr_run_settings){.integers = f->integers,
                                   .tables = f->tables,
                                   .table_count = 4,
                                   .step = 0.001,
                                   .param_columns = OMR_PARAM_COUNT(WHEELS),
                                   .state_columns = OMR_STATE_COUNT(WHEELS),
                                   .spin_columns = WHEELS * ROLLERS,
                                   .sample_columns = OMR_VS_COUNT + WHEELS * OMR_WS_COUNT};
  f->options = (omr_engine_options){.backend = OMR_BACKEND_OPENCL, .lanes = 1};
}

static omr_status open_backend(fixture *f) {
  FILE *log = fmemopen(f->log, sizeof f->log, "w");
  omr_status status =
      omr_opencl_backend.open(&f->options, &f->settings, &f->record, log, &f->backend, &f->error);
  fclose(log);
  return status;
}

static void close_backend(fixture *f) {
  omr_opencl_backend.close(f->backend);
  f->backend = NULL;
}

static double *columns(int count) {
  return calloc((size_t)count * STRIDE, sizeof(double));
}

static omr_batch stopped_batch(const fixture *f) {
  omr_batch b = {.count = COUNT, .stride = STRIDE};
  b.params = columns(f->settings.param_columns);
  b.state = columns(f->settings.state_columns);
  b.spins = columns(f->settings.spin_columns);
  for (int i = 0; i < f->settings.state_columns * STRIDE; i++) b.state[i] = 0.1 * i;
  for (int i = 0; i < f->settings.spin_columns * STRIDE; i++) b.spins[i] = -0.3 * i;
  for (int i = 0; i < STRIDE; i++) b.state[S_STATUS * STRIDE + i] = 2.0;
  return b;
}

static void free_batch(omr_batch *b) {
  free(b->params);
  free(b->state);
  free(b->spins);
}

/* Loads, runs 5 steps, fetches into cleared columns and compares with what went in, rounded where
 * `single`. */
static void round_trip(fixture *f, bool single) {
  omr_batch b = stopped_batch(f), back = stopped_batch(f);
  int values = f->settings.state_columns * STRIDE, spins = f->settings.spin_columns * STRIDE;
  memset(back.state, 0, (size_t)values * sizeof(double));
  memset(back.spins, 0, (size_t)spins * sizeof(double));
  cr_assert(omr_opencl_backend.load(f->backend, &b, &f->error) == OMR_OK, "%s", f->error.message);
  cr_assert(omr_opencl_backend.advance(f->backend, 5, &f->error) == OMR_OK, "%s", f->error.message);
  cr_assert(omr_opencl_backend.fetch(f->backend, &back, &f->error) == OMR_OK, "%s",
            f->error.message);
  for (int i = 0; i < values; i++) {
    cr_assert(back.state[i] == (single ? (double)(float)b.state[i] : b.state[i]), "state column %d",
              i / STRIDE);
  }
  for (int i = 0; i < spins; i++) {
    cr_assert(back.spins[i] == (single ? (double)(float)b.spins[i] : b.spins[i]), "spin column %d",
              i / STRIDE);
  }
  free_batch(&b);
  free_batch(&back);
}

static void check_width(int lanes, bool single) {
  static fixture f;
  prepare(&f);
  f.options.lanes = lanes;
  f.options.precision = single ? OMR_SINGLE_PRECISION : OMR_DOUBLE;
  omr_status status = open_backend(&f);
  if (status && !single && strstr(f.error.message, "cl_khr_fp64")) return;
  cr_assert(status == OMR_OK, "%s", f.error.message);
  cr_assert(f.record.lanes == lanes);
  cr_assert_str_eq(f.record.backend, "opencl");
  cr_assert_str_eq(f.record.precision, single ? "single" : "double");
  round_trip(&f, single);
  cr_assert(f.record.build_seconds > 0 && f.record.transfer_seconds > 0 &&
            f.record.kernel_seconds > 0);
  double *samples = columns(f.settings.sample_columns);
  cr_assert(omr_opencl_backend.sample(f.backend, 0, samples, &f.error) == OMR_OK, "%s",
            f.error.message);
  for (int i = 0; i < STRIDE; i++) {
    double x = 0.1 * (S_X * STRIDE + i);
    cr_assert(samples[OMR_VS_X * STRIDE + i] == (single ? (double)(float)x : x),
              "sampled x of instance %d", i);
  }
  free(samples);
  close_backend(&f);
}

Test(opencl_backend,
     gives_stopped_instances_back_bit_for_bit_in_every_precision_and_from_one_lane_to_sixteen) {
  need_device();
  check_width(8, false);
  check_width(1, true);
  if (short_form()) return; /* tests/parity has other widths */
  check_width(1, false);
  check_width(4, true);
  check_width(16, true);
}

/* Whether a run works and took its kernels from the cache. */
static bool cached_run(fixture *f) {
  prepare(f);
  f->options.precision = OMR_SINGLE_PRECISION;
  cr_assert(open_backend(f) == OMR_OK, "%s", f->error.message);
  bool cached = omr_opencl_from_cache(f->backend);
  round_trip(f, true);
  close_backend(f);
  return cached;
}

static char entry[128];

static int find_entry(const char *path, const struct stat *info, int type, struct FTW *where) {
  (void)info, (void)type, (void)where;
  if (strstr(path, ".clbin")) snprintf(entry, sizeof entry, "%s", path);
  return 0;
}

/* Changes one byte of the entry at `at`, from its end where negative. */
static void flip(long at) {
  FILE *file = fopen(entry, "r+b");
  cr_assert(file);
  fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
  int byte = fgetc(file);
  fseek(file, -1, SEEK_CUR);
  fputc(byte ^ 4, file);
  fclose(file);
}

/* A whole entry under the same key whose payload no driver takes. */
static void store_nonsense(void) {
  char *file, why[256];
  size_t length;
  enum { END = 56 };   /* bytes behind the key, which stands behind the payload */
  uint32_t key_length; /* 12 bytes into them */
  cr_assert(omr_read_file(entry, &file, &length, NULL) == OMR_OK);
  memcpy(&key_length, file + length - END + 12, sizeof key_length);
  file[length - END] = '\0';
  cr_assert(omr_cache_store(file + length - END - key_length,
                            (const unsigned char *)"no binary of any driver", 23, why));
  free(file);
}

Test(opencl_backend, uses_whole_cache_entries_and_rebuilds_all_others) {
  need_device();
  static fixture f;
  struct stat info;
  unsetenv("OMNIROLL_CACHE");
  cr_assert(!cached_run(&f), "the cache is empty");
  nftw(home, find_entry, 16, FTW_PHYS);
  if (!entry[0]) skip("the driver gives no kernel binaries");
  cr_assert(cached_run(&f));
  flip(-100);
  cr_assert(!cached_run(&f), "key changed");
  cr_assert(cached_run(&f), "written anew");
  flip(60);
  cr_assert(!cached_run(&f), "payload changed");
  cr_assert(cached_run(&f), "written anew");
  cr_assert(stat(entry, &info) == 0 && truncate(entry, info.st_size / 2) == 0);
  cr_assert(!cached_run(&f), "cut");
  cr_assert(cached_run(&f), "written anew");
  store_nonsense();
  cr_assert(!cached_run(&f), "refused by the driver");
  cr_assert(cached_run(&f), "written anew");
  setenv("OMNIROLL_CACHE", "0", 1);
  cr_assert(!cached_run(&f), "switched off");
}

Test(opencl_backend, runs_where_the_cache_cannot_be_written_and_says_so) {
  need_device();
  static fixture f;
  char file[128];
  snprintf(file, sizeof file, "%s/file", home);
  fclose(fopen(file, "w"));
  setenv("XDG_CACHE_HOME", file, 1);
  unsetenv("OMNIROLL_CACHE");
  cr_assert(!cached_run(&f));
  cr_assert(strstr(f.log, "kernels not kept for the next run") && strstr(f.log, "Not a directory"),
            "%s", f.log);
}

Test(opencl_backend, lists_the_devices_where_the_one_asked_for_is_not_here) {
  need_device();
  static fixture f;
  const char *wanted[] = {"no such device", "63:63", "0:0x"};
  omr_cl_device *devices;
  size_t count;
  cr_assert(omr_cl_devices(&devices, &count, NULL) == OMR_OK);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    prepare(&f);
    f.options.device = (char *)wanted[i];
    cr_assert(open_backend(&f) == OMR_ERR_DEVICE, "%s", wanted[i]);
    cr_assert(!f.backend);
    cr_assert(strstr(f.error.message, wanted[i]) && strstr(f.error.message, devices[0].name), "%s",
              f.error.message);
  }
  free(devices);
}

Test(opencl_backend, finds_a_device_by_number_silently_and_by_any_case_of_its_name_with_a_line) {
  need_device();
  omr_cl_device *devices, chosen;
  size_t count;
  char number[32], name[128], log[1024] = "";
  omr_error error = {0};
  cr_assert(omr_cl_devices(&devices, &count, NULL) == OMR_OK);
  FILE *out = fmemopen(log, sizeof log, "w");
  snprintf(number, sizeof number, "%d:%d", devices[0].platform_number, devices[0].device_number);
  cr_assert(omr_cl_choose(number, OMR_DOUBLE, out, &chosen, &error) == OMR_OK, "%s", error.message);
  cr_assert(chosen.id == devices[0].id);
  fflush(out);
  cr_assert_str_eq(log, "");
  if (count == 1) {
    snprintf(name, sizeof name, "%s", devices[0].name + 1);
    for (char *c = name; *c; c++) *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    cr_assert(omr_cl_choose(name, OMR_DOUBLE, out, &chosen, &error) == OMR_OK, "%s", error.message);
    fflush(out);
    cr_assert(strstr(log, "opencl: chose device") && strstr(log, devices[0].name), "%s", log);
  }
  fclose(out);
  free(devices);
}

Test(opencl_backend, names_the_remedy_where_there_is_no_platform) {
  static fixture f;
  char text[1024] = "";
  const char *message = "no OpenCL platform found: install an ICD such as pocl-opencl-icd or the "
                        "GPU vendor's driver, or use "
                        "backend openmp";
  setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
  prepare(&f);
  cr_assert(open_backend(&f) == OMR_ERR_DEVICE);
  cr_assert_str_eq(f.error.message, message);
  FILE *out = fmemopen(text, sizeof text, "w");
  omr_opencl_print_devices(out);
  fclose(out);
  cr_assert(strstr(text, message), "%s", text);
  close_backend(&f);
}

Test(opencl_backend, refuses_lane_counts_that_are_no_pack) {
  need_device();
  static fixture f;
  const int lanes[] = {-1, 3, 32};
  for (int i = 0; i < 3; i++) {
    prepare(&f);
    f.options.lanes = lanes[i];
    f.options.precision = OMR_SINGLE_PRECISION;
    cr_assert(open_backend(&f) == OMR_ERR_DEVICE);
    cr_assert(strstr(f.error.message, "1, 2, 4, 8 or 16"), "%s", f.error.message);
  }
}

Test(opencl_backend, holds_no_more_than_the_device_and_says_so) {
  setenv("POCL_MEMORY_LIMIT", "1", 1); /* GiB; other drivers do not read it */
  need_device();
  static fixture f;
  prepare(&f);
  f.options.precision = OMR_SINGLE_PRECISION;
  cr_assert(open_backend(&f) == OMR_OK, "%s", f.error.message);
  omr_cl_device device;
  cr_assert(omr_cl_choose(NULL, OMR_SINGLE_PRECISION, NULL, &device, NULL) == OMR_OK);
  size_t capacity = omr_opencl_backend.capacity(f.backend);
  cr_assert(capacity > 0 && capacity % OMR_PAD == 0);
  cr_assert(capacity * OMR_STATE_COUNT(WHEELS) * sizeof(float) <= device.largest_allocation);
  cr_assert(capacity * (OMR_STATE_COUNT(WHEELS) + OMR_PARAM_COUNT(WHEELS)) * sizeof(float) <=
            device.memory);
  omr_batch b = stopped_batch(&f);
  b.count = b.stride = capacity + OMR_PAD;
  cr_assert(omr_opencl_backend.load(f.backend, &b, &f.error) == OMR_ERR_DEVICE);
  cr_assert(strstr(f.error.message, "chunk"), "%s", f.error.message);
  round_trip(&f, true);
  free_batch(&b);
  close_backend(&f);
}

Test(opencl_backend, stops_counting_steps_in_single_precision_where_float_does) {
  need_device();
  static fixture f;
  prepare(&f);
  f.options.precision = OMR_SINGLE_PRECISION;
  cr_assert(open_backend(&f) == OMR_OK, "%s", f.error.message);
  omr_batch b = stopped_batch(&f);
  cr_assert(omr_opencl_backend.load(f.backend, &b, &f.error) == OMR_OK);
  cr_assert(omr_opencl_backend.advance(f.backend, 16777216, &f.error) == OMR_OK, "%s",
            f.error.message);
  cr_assert(omr_opencl_backend.advance(f.backend, 16777217, &f.error) == OMR_ERR_DEVICE);
  cr_assert(strstr(f.error.message, "\"precision\": \"double\""), "%s", f.error.message);
  free_batch(&b);
  close_backend(&f);
}

Test(opencl_backend, builds_with_every_setting_as_a_macro_and_nothing_that_relaxes_arithmetic) {
  static fixture f;
  omr_text options = {0};
  omr_cl_device device = {.single_config = CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT};
  prepare(&f);
  f.integers[K_ROWS_7] = 11;
  omr_cl_build_options(&device, &f.settings, OMR_SINGLE_PRECISION, OMR_NUMERICS_EXACT, 8, 1,
                       &options);
#define X(id, meaning) cr_assert(strstr(options.data, " -DK_VALUE_" #id "="), #id);
  OMR_SETTINGS(X)
#undef X
  cr_assert(strstr(options.data, "-cl-std=CL1.2 -DOMR_LANES=8 -DOMR_SINGLE=1 -DOMR_GROUP=1 "
                                 "-cl-fp32-correctly-rounded-divide-sqrt"));
  cr_assert(strstr(options.data, "-DK_VALUE_WHEELS=3 ") &&
            strstr(options.data, "-DK_VALUE_ROWS_7=11"));
  cr_assert(!strstr(options.data, "fast"));
  cr_assert(!strstr(options.data, "denorm"));
  omr_text_free(&options);
}
