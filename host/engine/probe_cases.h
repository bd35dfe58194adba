/* Numbers whose quotients, roots, fused sums and rounded values are hard to round: for the
 * arithmetic of a device. */
#ifndef OMR_PROBE_CASES_H
#define OMR_PROBE_CASES_H

#include <stdbool.h>
#include <stddef.h>

enum { OMR_PROBE_DIVIDE, OMR_PROBE_SQRT, OMR_PROBE_FMA, OMR_PROBE_RINT, OMR_PROBE_OPERATIONS };
enum { OMR_PROBE_CASES = 2048 }; /* of each operation */

/* One case: x / y, sqrt(x), x y + z, rint(x). In single precision every value is a float. */
typedef struct omr_probe_case {
  double x, y, z;
} omr_probe_case;

omr_probe_case omr_probe_case_of(int operation, int number, bool single);
/* What the operation gives where it is rounded correctly. */
double omr_probe_answer(int operation, const omr_probe_case *c, bool single);

/* What a device made of the cases. */
typedef struct omr_probe {
  bool claims; /* its driver says that it rounds correctly */
  size_t wrong[OMR_PROBE_OPERATIONS];
  char first[OMR_PROBE_OPERATIONS][160]; /* the first wrong result of each */
} omr_probe;

extern const char *const omr_probe_names[OMR_PROBE_OPERATIONS];
size_t omr_probe_wrong(const omr_probe *probe);
/* The device does what its driver says. */
bool omr_probe_good(const omr_probe *probe);

#endif
