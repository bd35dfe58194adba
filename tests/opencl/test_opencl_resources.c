/* Registers and spills from a build log, build options, sizes of work-groups. The log is what
 * ptxas 13.0 prints of these kernels; the sizes follow from the rule in
 * host/engine/opencl_resources.c. No device needed. */
#include "engine/opencl.h"

#include <criterion/criterion.h>
#include <string.h>

static const char build_log[] =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'omr_sample' for 'sm_90'\n"
    "ptxas info    : Function properties for omr_sample\n"
    "    3928 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
    "ptxas info    : Used 128 registers, used 0 barriers, 3928 bytes cumulative stack size\n"
    "ptxas info    : Compiling entry function 'omr_advance' for 'sm_90'\n"
    "ptxas info    : Function properties for omr_advance\n"
    "    5072 bytes stack frame, 460 bytes spill stores, 548 bytes spill loads\n"
    "ptxas info    : Used 255 registers, used 0 barriers, 5072 bytes cumulative stack size\n";

static void expect_log(const char *log, const char *kernel, int registers, int spill_bytes) {
  int r, s;
  omr_cl_read_log(log, kernel, &r, &s);
  cr_expect_eq(r, registers, "%s: %d registers", kernel, r);
  cr_expect_eq(s, spill_bytes, "%s: %d bytes", kernel, s);
}

Test(opencl_resources, are_read_from_the_log_of_the_right_kernel) {
  expect_log(build_log, "omr_advance", 255, 460);
  expect_log(build_log, "omr_sample", 128, 8);
  expect_log(build_log, "omr_other", -1, -1);
  expect_log("", "omr_advance", -1, -1);
  expect_log("Compiling entry function 'omr_advance' for 'sm_90'\n", "omr_advance", -1, -1);
  /* what stands at the next kernel is not this one's */
  expect_log("entry function 'omr_advance'\nentry function 'omr_sample'\n 16 bytes spill "
             "stores\nUsed 40 registers\n",
             "omr_advance", -1, -1);
}

static void expect_options(bool takes_registers, int max_registers, const char *expected) {
  const omr_cl_device device = {.takes_registers = takes_registers};
  omr_text options = {0};
  omr_text_print(&options, "-x");
  omr_cl_register_options(&device, max_registers, &options);
  cr_expect_str_eq(options.data, expected);
  omr_text_free(&options);
}

Test(opencl_resources, options_are_given_where_the_driver_has_them) {
  expect_options(false, 0, "-x");
  expect_options(true, 0, "-x -cl-nv-verbose");
  expect_options(true, 168, "-x -cl-nv-verbose -cl-nv-maxrregcount=168");
}

Test(opencl_resources, a_limit_that_the_driver_does_not_take_is_refused) {
  const omr_cl_device without = {.name = "made"}, with = {.name = "made", .takes_registers = true};
  omr_error error = {0};
  cr_expect_eq(omr_cl_check_registers(&without, 0, &error), OMR_OK);
  cr_expect_eq(omr_cl_check_registers(&with, 128, &error), OMR_OK);
  cr_expect_eq(omr_cl_check_registers(&without, 128, &error), OMR_ERR_DEVICE);
  cr_expect(
      strstr(error.message, "engine.max_registers is 128, but the driver of made takes no limit"),
      "%s", error.message);
}

Test(opencl_resources, work_groups_grow_only_where_every_unit_is_full) {
  omr_cl_groups gpu = {.multiple = 32, .largest = 256, .units = 132};
  cr_expect_eq(omr_cl_group_size(&gpu, 1), 32u);
  cr_expect_eq(omr_cl_group_size(&gpu, 64 * 32 * 132 - 1),
               32u); /* 32 groups of 64 on each unit are one pack short */
  cr_expect_eq(omr_cl_group_size(&gpu, 64 * 32 * 132), 64u);
  cr_expect_eq(omr_cl_group_size(&gpu, 128 * 32 * 132), 128u);
  cr_expect_eq(omr_cl_group_size(&gpu, 10000000), 128u);
  gpu.largest = 64;
  cr_expect_eq(omr_cl_group_size(&gpu, 10000000), 64u);
  gpu.wanted = 48;
  cr_expect_eq(omr_cl_group_size(&gpu, 10000000), 48u);
  const omr_cl_groups processor = {.multiple = 8, .largest = 4096, .units = 2, .processor = true};
  cr_expect_eq(omr_cl_group_size(&processor, 10000000), 1u);
}
