/* What is done where a device's driver does not promise IEEE rounding, and the probe that looks
 * whether a promise is kept. */
#define _GNU_SOURCE
#include "engine/opencl.h"
#include "selftest/selftest.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE                                                                                      \
  (CL_FP_FMA | CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN |                             \
   CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)

static omr_cl_device made_device(cl_device_fp_config single, cl_device_fp_config whole) {
  return (omr_cl_device){
      .name = "made", .has_double = true, .single_config = single, .double_config = whole};
}

/* What is logged of a device with these flags in single precision. */
static char *said(cl_device_fp_config config, omr_numerics numerics) {
  const omr_cl_device device = made_device(config, WHOLE);
  char *text = NULL;
  size_t size;
  FILE *log = open_memstream(&text, &size);
  omr_cl_say_rounding(&device, true, numerics, log);
  fclose(log);
  return text;
}

static void expect_said(cl_device_fp_config lacking, const char *part) {
  char *text = said(WHOLE & ~lacking, OMR_NUMERICS_EXACT);
  cr_expect_not_null(strstr(text, part), "'%s' is not in: %s", part, text);
  char *end = strchr(text, '\n');
  cr_expect(end && end[1] == '\0', "one line: %s", text);
  free(text);
}

Test(opencl_rounding, what_a_device_lacks_is_said) {
  expect_said(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
              "made has no correctly rounded division and square root in single precision");
  expect_said(CL_FP_DENORM, "below the smallest normal one");
  expect_said(CL_FP_ROUND_TO_NEAREST, "rounding to the nearest number");
  expect_said(
      CL_FP_DENORM | CL_FP_INF_NAN,
      "below the smallest normal one, infinity and NaN in single precision: bits may differ");
  expect_said(CL_FP_FMA, "no fused multiply-add in single precision: it is emulated");
  char *text = said(WHOLE, OMR_NUMERICS_EXACT);
  cr_expect_str_eq(text, "");
  free(text);
  text = said(CL_FP_FMA, OMR_NUMERICS_FAST); /* they promise no bits */
  cr_expect_str_eq(text, "");
  free(text);
}

Test(opencl_rounding, decides_whether_bits_are_those_of_the_processor) {
  const cl_device_fp_config flags[] = {CL_FP_DENORM, CL_FP_ROUND_TO_NEAREST, CL_FP_INF_NAN};
  omr_cl_device device =
      made_device(WHOLE, WHOLE & ~(cl_device_fp_config)CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
  cr_expect(omr_cl_rounds(&device, true));
  cr_expect(omr_cl_rounds(&device, false),
            "in double precision there is no flag for division and square root");
  for (int i = 0; i < 3; i++) {
    device = made_device(WHOLE & ~flags[i], WHOLE & ~flags[i]);
    cr_expect(!omr_cl_rounds(&device, true) && !omr_cl_rounds(&device, false));
  }
  device = made_device(WHOLE & ~(cl_device_fp_config)CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, WHOLE);
  cr_expect(!omr_cl_rounds(&device, true) && omr_cl_rounds(&device, false));
  device = made_device(WHOLE & ~(cl_device_fp_config)CL_FP_FMA, WHOLE);
  cr_expect(omr_cl_rounds(&device, true), "emulated fused operations have the same bits");
}

static bool option_given(cl_device_fp_config config, bool single, omr_numerics numerics,
                         const char *option) {
  const omr_cl_device device = made_device(config, WHOLE);
  omr_text options = {0};
  omr_text_print(&options, " ");
  omr_cl_numerics_options(&device, single, numerics, &options);
  const bool given = strstr(options.data, option) != NULL;
  omr_text_free(&options);
  return given;
}

/* The option is an error on devices that lack the flag, and in double precision it has no meaning.
 */
Test(opencl_rounding, is_asked_for_where_the_device_can) {
  static const char rounded[] = "-cl-fp32-correctly-rounded-divide-sqrt";
  cr_expect(option_given(WHOLE, true, OMR_NUMERICS_EXACT, rounded));
  cr_expect(!option_given(WHOLE, false, OMR_NUMERICS_EXACT, rounded));
  cr_expect(!option_given(WHOLE, true, OMR_NUMERICS_FAST, rounded));
  cr_expect(!option_given(CL_FP_DENORM, true, OMR_NUMERICS_EXACT, rounded));
  cr_expect(option_given(WHOLE, true, OMR_NUMERICS_FAST, "-cl-denorms-are-zero"));
  cr_expect(!option_given(WHOLE, false, OMR_NUMERICS_FAST, "-cl-denorms-are-zero"));
  static const char *const never[] = {
      "unsafe", "finite", "relaxed"}; /* sums need their order, diverged instances their NaN */
  for (int i = 0; i < 3; i++) cr_expect(!option_given(WHOLE, true, OMR_NUMERICS_FAST, never[i]));
}

/* ---- the cases: what is nearly right is wrong in many of them */

static double nearly(int operation, const omr_probe_case *c, bool single) {
  const float x = (float)c->x, y = (float)c->y, z = (float)c->z;
  switch (operation) {
  case OMR_PROBE_DIVIDE: return single ? (double)(x * (1 / y)) : c->x * (1 / c->y);
  case OMR_PROBE_SQRT: return single ? (double)(x * (1 / sqrtf(x))) : c->x * (1 / sqrt(c->x));
  case OMR_PROBE_SUM: return single ? (double)fmaf(x, y, z) : fma(c->x, c->y, c->z);
  case OMR_PROBE_FMA: {
    const volatile float narrow = x * y;
    const volatile double wide = c->x * c->y;
    return single ? (double)(narrow + z) : wide + c->z;
  }
  case OMR_PROBE_SPECIAL: return isnan(c->x) || isinf(c->x) ? 0 : c->x;
  default: return single ? (double)floorf(x + 0.5f) : floor(c->x + 0.5);
  }
}

Test(probe_cases, tell_what_is_nearly_right) {
  for (int operation = 0; operation < OMR_PROBE_OPERATIONS; operation++) {
    for (int single = 0; single < 2; single++) {
      int wrong = 0;
      for (int i = 0; i < OMR_PROBE_CASES; i++) {
        const omr_probe_case c = omr_probe_case_of(operation, i, single);
        const double other = nearly(operation, &c, single),
                     right = omr_probe_answer(operation, &c, single);
        wrong += memcmp(&other, &right, sizeof right) != 0;
      }
      cr_expect_gt(wrong, OMR_PROBE_CASES / 8, "operation %d, single %d: %d", operation, single,
                   wrong);
    }
  }
}

/* Quotients and roots of single precision, taken in double: half of the cases are within 2^-16 of a
 * middle between two neighbours, where an answer that is off by as little comes out wrong. */
Test(probe_cases, lie_beside_the_middle_of_two_numbers) {
  for (int operation = OMR_PROBE_DIVIDE; operation <= OMR_PROBE_SQRT; operation++) {
    int near = 0, above = 0;
    for (int i = 0; i < OMR_PROBE_CASES; i++) {
      const omr_probe_case c = omr_probe_case_of(operation, i, true);
      const double value = operation == OMR_PROBE_DIVIDE ? c.x / c.y : sqrt(c.x);
      int exponent;
      const double places = frexp(value, &exponent) * 0x1p24, beside = places - floor(places) - 0.5;
      near += fabs(beside) < 0x1p-12;
      above += fabs(beside) < 0x1p-12 && beside > 0;
    }
    cr_expect_geq(near, OMR_PROBE_CASES / 2, "operation %d: %d", operation, near);
    cr_expect(above > near / 4 && above < 3 * near / 4, "operation %d: %d of %d lie above",
              operation, above, near);
  }
}

Test(probe_cases, reach_below_the_smallest_normal_number) {
  for (int single = 0; single < 2; single++) {
    const double smallest = single ? 0x1p-126 : 0x1p-1022;
    for (int operation = 0; operation < OMR_PROBE_FMA + 1; operation++) {
      int tiny = 0;
      for (int i = 0; i < OMR_PROBE_CASES; i++) {
        const omr_probe_case c = omr_probe_case_of(operation, i, single);
        const double answer = omr_probe_answer(operation, &c, single);
        tiny += (answer != 0 && fabs(answer) < smallest) || fabs(c.x) < smallest;
      }
      cr_expect_gt(tiny, OMR_PROBE_CASES / 8, "operation %d, single %d: %d", operation, single,
                   tiny);
    }
  }
}

/* ---- on a device */

static bool any_device(omr_cl_device *device) {
  omr_cl_device *devices;
  size_t count;
  omr_error error;
  if (omr_cl_devices(&devices, &count, &error) != OMR_OK) return false;
  *device = devices[0];
  free(devices);
  return device->has_double;
}

/* The line of the self-test. */
static char *printed(const omr_probe *probe, bool expected) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  const omr_selftest_row row = {
      .check = OMR_CHECK_ROUNDING, .ran = true, .passed = omr_probe_good(probe), .probe = *probe};
  cr_expect_eq(row.passed, expected);
  omr_selftest_print_row(out, &row);
  fclose(out);
  return text;
}

static omr_probe probe_of(const omr_cl_device *device, bool single, const char *options) {
  omr_probe probe;
  omr_error error = {0};
  cr_assert_eq(omr_cl_probe_arithmetic(device, single, options, &probe, &error), OMR_OK, "%s",
               error.message);
  return probe;
}

/* A compiler that fuses product and sum, and one that flushes tiny numbers to zero. */
Test(opencl_probe, finds_contraction_and_flushing) {
  omr_cl_device device;
  if (!any_device(&device)) cr_skip_test("no OpenCL device with double precision here");
  for (int single = 0; single < 2; single++) {
    const omr_probe fuses = probe_of(&device, single, "-DSUM(x,y,z)=fma((x),(y),(z))");
    cr_expect_gt(fuses.wrong[OMR_PROBE_SUM], OMR_PROBE_CASES / 8u);
    cr_expect_eq(omr_probe_wrong(&fuses), fuses.wrong[OMR_PROBE_SUM]);
    if (!omr_cl_is_pocl(device.platform_name)) continue;
    const omr_probe flushes = probe_of(&device, single, "-cl-denorms-are-zero");
    cr_expect_gt(flushes.wrong[OMR_PROBE_DIVIDE], OMR_PROBE_CASES / 8u);
    cr_expect_not(omr_probe_good(&flushes));
    /* The text forbids to fuse, whatever the options allow. */
    const omr_probe relaxed = probe_of(&device, single, "-cl-mad-enable -cl-fast-relaxed-math");
    cr_expect_eq(relaxed.wrong[OMR_PROBE_SUM], 0u);
    const omr_probe finite = probe_of(&device, single, "-DSPECIAL(x)=((x)-(x)+(x))");
    cr_expect_gt(finite.wrong[OMR_PROBE_SPECIAL], OMR_PROBE_CASES / 8u);
  }
}

/* A device that multiplies by the reciprocal and does not fuse, made by build options. */
Test(opencl_probe, finds_a_device_that_does_not_round_as_it_says) {
  omr_cl_device device;
  omr_probe probe;
  omr_error error = {0};
  if (!any_device(&device)) cr_skip_test("no OpenCL device with double precision here");
  const omr_status status = omr_cl_probe_arithmetic(
      &device, false, "-DDIVIDE(x,y)=((x)*(1/(y))) -DFMA(x,y,z)=((x)*(y)+(z))", &probe, &error);
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  cr_expect_gt(probe.wrong[OMR_PROBE_DIVIDE], OMR_PROBE_CASES / 8u);
  cr_expect_gt(probe.wrong[OMR_PROBE_FMA], OMR_PROBE_CASES / 8u);
  cr_expect_eq(probe.wrong[OMR_PROBE_RINT], 0u);
  char *text = printed(&probe, false);
  cr_expect(strstr(text, "FAILED") && strstr(text, "division: ") &&
                strstr(text, "fused multiply-add: "),
            "%s", text);
  free(text);
  device.double_config = 0; /* says nothing of the kind */
  cr_expect(probe.claims && !omr_cl_rounds(&device, false));
  probe.claims = false;
  text = printed(&probe, true);
  cr_expect(strstr(text, "ok") && strstr(text, "as the driver says"), "%s", text);
  free(text);
}
