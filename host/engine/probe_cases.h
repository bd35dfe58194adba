/* Cases that are hard to round: quotients, roots, sums of products and whole numbers, to test the
 * arithmetic of a device. */
#ifndef OMR_PROBE_CASES_H
#define OMR_PROBE_CASES_H

#include <stdbool.h>
#include <stddef.h>

enum {
  OMR_PROBE_DIVIDE,
  OMR_PROBE_SQRT,
  OMR_PROBE_FMA,
  OMR_PROBE_SUM, /* product and sum, each rounded: a compiler may fuse them */
  OMR_PROBE_RINT,
  OMR_PROBE_SPECIAL, /* NaN, infinity and -0, which relaxed arithmetic does not know */
  OMR_PROBE_OPERATIONS
};
enum { OMR_PROBE_CASES = 2048 }; /* of each operation */

/* One case: x / y, sqrt(x), x y + z fused and not, rint(x), x + 0 or what x is. In single precision
 * every value is a float. */
typedef struct omr_probe_case {
  double x, y, z;
} omr_probe_case;

omr_probe_case omr_probe_case_of(int operation, int number, bool single);
/* The correctly rounded result of the operation. */
double omr_probe_answer(int operation, const omr_probe_case *c, bool single);

/* A device's results for the cases. */
typedef struct omr_probe {
  bool claims; /* its driver says that it rounds correctly */
  size_t wrong[OMR_PROBE_OPERATIONS];
  char first[OMR_PROBE_OPERATIONS][160]; /* the first wrong result of each */
} omr_probe;

extern const char *const omr_probe_names[OMR_PROBE_OPERATIONS];
size_t omr_probe_wrong(const omr_probe *probe);
/* Whether the device keeps its driver's promise. */
bool omr_probe_good(const omr_probe *probe);

#endif
