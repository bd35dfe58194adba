/* A direction of the parameters in words. */
#ifndef OMR_DIRECTION_H
#define OMR_DIRECTION_H

#include <stddef.h>

/* "a + b - c" for a unit vector [dimensions]: its parts, largest first, down to a quarter of the
 * largest. name: the name of a coordinate. The caller frees the result; NULL: out of
 * memory. */
char *omr_direction_told(const double *direction, size_t dimensions,
                         const char *(*name)(const void *who, size_t dimension), const void *who);

#endif
