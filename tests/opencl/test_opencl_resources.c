/* Registers and spills from a build log, build options, the size of work-groups, what a device has
 * to have. The log is what ptxas 13.0 prints of these kernels. No device needed. */
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

static void expect_group(const omr_cl_device *device, int wanted, size_t expected) {
  size_t group;
  omr_error error = {0};
  const omr_status status = omr_cl_choose_group(device, wanted, &group, &error);
  cr_expect_eq(status, expected ? OMR_OK : OMR_ERR_DEVICE);
  if (expected)
    cr_expect_eq(group, expected, "%zu", group);
  else
    cr_expect(strstr(error.message, "engine.work_group is") && strstr(error.message, "at most"),
              "%s", error.message);
}

Test(opencl_resources, a_work_group_is_a_warp_on_a_gpu_and_one_pack_on_a_processor) {
  const omr_cl_device nvidia = {.type = CL_DEVICE_TYPE_GPU, .warp = 32, .largest_group = 1024},
                      amd = {.type = CL_DEVICE_TYPE_GPU, .warp = 64, .largest_group = 256},
                      processor = {.type = CL_DEVICE_TYPE_CPU, .warp = 32, .largest_group = 4096},
                      small = {.type = CL_DEVICE_TYPE_GPU, .warp = 32, .largest_group = 8};
  expect_group(&nvidia, 0, 32);
  expect_group(&amd, 0, 64);
  expect_group(&processor, 0, 1);
  expect_group(&small, 0, 8);
  expect_group(&nvidia, 48, 48);
  expect_group(&amd, 257, 0);
}

static void expect_double(bool soft, bool allowed, omr_status expected) {
  const omr_cl_device device = {.name = "made", .has_double = true, .soft_double = soft};
  omr_error error = {0};
  cr_expect_eq(omr_cl_check_double(&device, allowed, &error), expected);
  if (expected) {
    cr_expect(strstr(error.message, "made computes double precision by software"));
    cr_expect(strstr(error.message, "\"emulated_double\": \"allow\""), "%s", error.message);
  }
}

Test(opencl_resources, double_precision_by_software_is_refused_unless_allowed) {
  expect_double(false, false, OMR_OK);
  expect_double(true, true, OMR_OK);
  expect_double(true, false, OMR_ERR_DEVICE);
}

static void expect_tables(cl_ulong allocation, cl_ulong constant, size_t bytes, const char *why) {
  const omr_cl_device device = {
      .name = "made", .largest_allocation = allocation, .largest_constant = constant};
  omr_error error = {0};
  cr_expect_eq(omr_cl_check_tables(&device, bytes, &error), why ? OMR_ERR_DEVICE : OMR_OK);
  if (why) cr_expect(strstr(error.message, why), "%s", error.message);
}

Test(opencl_resources, tables_have_to_fit_the_device) {
  expect_tables(1 << 20, 65536, 1 << 20, NULL);
  expect_tables(1 << 20, 0, 8, NULL); /* its driver does not say */
  expect_tables(1 << 20, 65536, (1 << 20) + 8,
                "have 1048584 bytes, but a buffer of made holds 1048576: give them fewer rows");
  expect_tables(1 << 20, 1024, 8, "made has 1024 bytes of constant memory");
}
