/* Quantities: a JSON number is SI, a string is "<number> <unit>" converted by UDUNITS-2. */
#ifndef OMR_STUDY_UNITS_H
#define OMR_STUDY_UNITS_H

#include "../json/json.h"

/* Converts text such as "45 deg", "30 cm", "250 rpm", "2 ms", "0.3 N m", "10 %" to the SI unit
 * `unit` (as written in the parameter lists: "m", "rad", "rad/s", "N m", "N m s", "kg m2", "1" for
 * a pure number, ...). A conversion counts only when the quotient of the two units is
 * dimensionless. deg, rpm, rev, Nm and the like that UDUNITS does not know or reads differently are
 * mapped. Refused with a remedy: Hz for rad/s, % for an angle, a missing unit for a dimensional
 * quantity. On failure *message is a malloc'ed sentence, otherwise NULL. */
bool omr_unit_convert(const char *text, const char *unit, double *value, char **message);

/* Length of the decimal number at the start of a text, 0 if there is none; with a sign before it.
 * strtod would also read "0x1p3", "inf" and "nan". */
size_t omr_number_length(const char *text);
size_t omr_signed_length(const char *text);

/* Item (number or string with unit) as an SI value, with place in errors. */
omr_status omr_json_quantity(const omr_json *json, const cJSON *item, const char *unit,
                             double *value, omr_error *error);

#endif
