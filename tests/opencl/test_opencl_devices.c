/* Which device a run takes of those that several drivers show, and by which names. Devices are made
 * up after those of Oclgrind, PoCL and rusticl; none is needed. */
#include "engine/opencl.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVERYTHING                                                                                 \
  (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_DEFAULT)

enum { SIMULATOR, LLVMPIPE, POCL, CPU_DEVICES, GPU = CPU_DEVICES, ALL };

static const omr_cl_device devices[ALL] = {
    {.platform_number = 0,
     .type = EVERYTHING,
     .name = "Oclgrind Simulator",
     .platform_name = "Oclgrind",
     .has_double = true},
    {.platform_number = 1,
     .type = CL_DEVICE_TYPE_CPU,
     .name = "llvmpipe (LLVM 15.0.6, 256 bits)",
     .platform_name = "rusticl"},
    {.platform_number = 2,
     .type = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT,
     .name = "pthread-AMD EPYC",
     .platform_name = "Portable Computing Language",
     .has_double = true},
    {.platform_number = 3,
     .type = CL_DEVICE_TYPE_GPU,
     .name = "A GPU without double",
     .platform_name = "A vendor"},
};

static void expect_best(size_t count, omr_precision precision, int expected) {
  cr_expect_eq(omr_cl_best(devices, count, precision) - devices, expected);
}

Test(opencl_devices, a_simulator_is_no_gpu_and_comes_last) {
  expect_best(CPU_DEVICES, OMR_SINGLE_PRECISION, LLVMPIPE);
  expect_best(1, OMR_DOUBLE, SIMULATOR);
}

Test(opencl_devices, one_that_has_the_precision_is_taken_where_there_is_one) {
  expect_best(CPU_DEVICES, OMR_DOUBLE, POCL);
  expect_best(ALL, OMR_DOUBLE, POCL);
  expect_best(ALL, OMR_SINGLE_PRECISION, GPU);
  cr_expect_eq(omr_cl_best(devices + LLVMPIPE, 1, OMR_DOUBLE), devices + LLVMPIPE,
               "the refusal of the run names it");
}

/* Two cards and the graphics of the processor, of one vendor; the first card by another driver too.
 */
Test(opencl_devices, places_go_round_among_those_that_are_as_good) {
  static const omr_cl_device node[] = {
      {.platform_number = 0, .device_number = 0, .type = CL_DEVICE_TYPE_GPU, .has_double = true},
      {.platform_number = 0, .device_number = 1, .type = CL_DEVICE_TYPE_GPU},
      {.platform_number = 0, .device_number = 2, .type = CL_DEVICE_TYPE_GPU, .has_double = true},
      {.platform_number = 1, .device_number = 0, .type = CL_DEVICE_TYPE_GPU, .has_double = true},
      {.platform_number = 2, .device_number = 0, .type = CL_DEVICE_TYPE_CPU, .has_double = true}};
  static const size_t expected[] = {0, 2, 0, 2};
  for (size_t place = 0; place < 4; place++) {
    size_t of;
    const omr_cl_device *taken = omr_cl_for_rank(node, 5, node, place, &of);
    cr_expect_eq(of, 2);
    cr_expect_eq((size_t)(taken - node), expected[place], "%zu", place);
  }
}

static void expect_found(const char *wanted, int expected) {
  const omr_cl_device *chosen;
  omr_error error = {0};
  cr_assert_eq(omr_cl_find(wanted, devices, ALL, &chosen, &error), OMR_OK, "%s", error.message);
  cr_expect_eq(chosen - devices, expected, "%s", wanted);
}

static void expect_refused(const char *wanted, const char *reason) {
  const omr_cl_device *chosen;
  omr_error error = {0};
  cr_assert_eq(omr_cl_find(wanted, devices, ALL, &chosen, &error), OMR_ERR_DEVICE);
  cr_expect(strstr(error.message, reason) && strstr(error.message, "1:0 llvmpipe"), "%s",
            error.message);
}

Test(opencl_devices, are_found_by_numbers_names_and_names_of_their_platforms) {
  expect_found("2:0", POCL);
  expect_found("LLVMpipe", LLVMPIPE);
  expect_found("rusticl", LLVMPIPE);
  expect_found("portable computing", POCL);
  expect_found("oclgrind", SIMULATOR);
  expect_refused("0:1", "is not here");
  expect_refused("no such", "is not here");
  expect_refused("p", "is part of more than one name");
}

/* By the flag of the standard, or on Intel's GPUs by what asks for it. */
Test(opencl_devices, double_precision_by_software_is_noticed) {
  omr_cl_device gpu = {.type = CL_DEVICE_TYPE_GPU,
                       .has_double = true,
                       .double_config = CL_FP_FMA,
                       .platform_name = "Intel(R) OpenCL Graphics"};
  cr_expect_not(omr_cl_emulates_double(&gpu));
  gpu.double_config |= CL_FP_SOFT_FLOAT;
  cr_expect(omr_cl_emulates_double(&gpu));
  gpu.double_config = CL_FP_FMA;
  setenv("NEO_FP64_EMULATION", "1", 1);
  cr_expect(omr_cl_emulates_double(&gpu));
  gpu.has_double = false;
  cr_expect_not(omr_cl_emulates_double(&gpu));
  const omr_cl_device other = {
      .type = CL_DEVICE_TYPE_GPU, .has_double = true, .platform_name = "A vendor"};
  cr_expect_not(omr_cl_emulates_double(&other));
  unsetenv("NEO_FP64_EMULATION");
  const omr_cl_device both[] = {
      {.type = CL_DEVICE_TYPE_GPU, .has_double = true, .soft_double = true},
      {.type = CL_DEVICE_TYPE_CPU, .has_double = true}};
  cr_expect_eq(omr_cl_best(both, 2, OMR_DOUBLE), both + 1);
  cr_expect_eq(omr_cl_best(both, 2, OMR_SINGLE_PRECISION), both);
}

/* PoCL shows no device, or builds without a word, where its cache cannot be written. */
Test(opencl_devices, a_cache_of_pocl_that_cannot_be_written_is_told) {
  char why[OMR_CL_CACHE], folder[] = "/tmp/omniroll-pocl-XXXXXX";
  cr_assert_not_null(mkdtemp(folder));
  setenv("POCL_CACHE_DIR", folder, 1);
  omr_cl_pocl_cache(why);
  cr_expect_str_empty(why);
  cr_expect_eq(rmdir(folder), 0, "nothing is left in it");
  setenv("POCL_CACHE_DIR", "/proc/version", 1);
  omr_cl_pocl_cache(why);
  cr_expect_not_null(strstr(why, "cannot write its cache /proc/version (Not a directory): set "
                                 "POCL_CACHE_DIR"),
                     "%s", why);
}
