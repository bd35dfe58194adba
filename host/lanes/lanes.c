/* One general lane object: compiled once per instruction set, kind, precision, kind of law and of
 * steps (cmake/lanes.cmake sets OMR_ISA, OMR_KIND, OMR_LANES, OMR_SINGLE, OMR_CONSTRAINED,
 * OMR_COMPLIANT, OMR_MIXED, OMR_CONTROLLED and OMR_LAW_NAME). */
#include "lanes.h"

#if defined(__GNUC__) && !defined(__clang__)
/* gcc does not see that two loops over the same number of wheels, or under the same settings, fill
 * and read the same entries. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "../../kernels/all.cl"
#include "lane_object.h"
