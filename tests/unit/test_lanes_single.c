/* The kernel dialect on packs of 4 floats, in the compiler's portable vectors unless flags say
 * otherwise. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define OMR_LANES 4
#define OMR_SINGLE 1
#define SUITE lanes_single
#define SUITE_INIT NULL
#include "compat_claims.inc"
#include "math_claims.inc"
