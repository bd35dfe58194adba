/* The kernel dialect on packs of 2 doubles, in the compiler's portable vectors unless flags say
 * otherwise. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define OMR_LANES 2
#define OMR_SINGLE 0
#define SUITE lanes_double
#define SUITE_INIT NULL
#include "compat_claims.inc"
#include "math_claims.inc"
