/* The kernel dialect and its elementary functions as scalar C, in single precision. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define OMR_LANES 1
#define OMR_SINGLE 1
#define SUITE scalar_single
#define SUITE_INIT NULL
#include "compat_claims.inc"
#include "math_claims.inc"
