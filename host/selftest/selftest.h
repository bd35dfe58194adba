/* The self-test: one row per check, and the printing of rows. */
#ifndef OMR_SELFTEST_H
#define OMR_SELFTEST_H

#include "../engine/probe_cases.h"
#include "../support/support.h"

typedef enum omr_selftest_check {
  OMR_CHECK_ANSWER,  /* runs with known answers */
  OMR_CHECK_ROUNDING /* cases that are hard to round, on OpenCL devices */
} omr_selftest_check;

typedef struct omr_selftest_row {
  omr_selftest_check check;
  char backend[8], device[64];
  bool single;
  bool ran; /* otherwise only `why` is filled */
  bool passed;
  /* known answers */
  int runs, values;             /* how many were compared */
  double difference, tolerance; /* largest difference, relative to values of order one */
  bool same_bits;
  /* rounding */
  omr_probe probe;
  char why[1024];
} omr_selftest_row;

typedef void omr_selftest_sink(void *user, const omr_selftest_row *row);

/* Gives each row to the sink as soon as it is known. device: NULL or the only device to test.
 * *no_opencl: OpenCL was requested and has no device. OMR_ERR_SELFTEST where a row did not pass,
 * OMR_ERR_DEVICE where the device is missing. */
omr_status omr_selftest_rows(const char *device, omr_selftest_sink *sink, void *user,
                             bool *no_opencl, omr_error *error);

void omr_selftest_print_row(FILE *out, const omr_selftest_row *row);

struct cJSON;
/* NULL when out of memory. The caller deletes it. */
struct cJSON *omr_selftest_row_json(const omr_selftest_row *row);

/* Number of the one OpenCL device that `wanted` names: "platform:device", or part of a name of
 * device or platform (opencl_devices.c). OMR_ERR_DEVICE with the list where none or several match.
 */
omr_status omr_opencl_number(const char *wanted, char number[16], omr_error *error);

#endif
