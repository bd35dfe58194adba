/* The kernel dialect as scalar C, in double precision. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define OMR_LANES 1
#define OMR_SINGLE 0
#define SUITE compat
#define SUITE_INIT NULL
#include "compat_claims.inc"
