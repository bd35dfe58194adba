/* Dimensions of units, for expressions whose terms must fit together. */
#ifndef OMR_STUDY_UNITS_DIMENSION_H
#define OMR_STUDY_UNITS_DIMENSION_H

#include "../../support/support.h"

enum { OMR_DIMENSION_RADIAN = 7, OMR_DIMENSION_CYCLE = 8, OMR_DIMENSION_POWERS = 9 };

/* Twice the exponents (a square root halves them) of kg, m, s, A, K, mol, cd, of the radian, and of
 * the period that Hz counts: UDUNITS takes Hz for 1/s, which mixed up with rad/s is wrong by 2 pi.
 */
typedef struct omr_dimension {
  signed char power[OMR_DIMENSION_POWERS];
} omr_dimension;

/* Of a unit as the parameter lists or a person write it ("1", "m s-1", "km/h"). On failure *message
 * is a malloc'ed sentence without the unit's name, or NULL without memory. */
bool omr_unit_dimension(const char *unit, omr_dimension *dimension, char **message);

/* left * right^sign, sign 1 or -1; false where an exponent leaves its range. */
bool omr_dimension_times(omr_dimension left, omr_dimension right, int sign, omr_dimension *product);
/* Square root; false where an exponent would be no half. */
bool omr_dimension_root(omr_dimension of, omr_dimension *root);
bool omr_dimension_equal(omr_dimension a, omr_dimension b, bool angles_too);
/* In SI base units, "kg m s-2"; "1" for none. */
void omr_dimension_print(omr_dimension dimension, char *text, size_t size);

#endif
