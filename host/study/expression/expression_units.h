/* Units in expressions. Private to expression_*.c. */
#ifndef OMR_STATISTICS_EXPRESSION_UNITS_H
#define OMR_STATISTICS_EXPRESSION_UNITS_H

#include "../units/units_dimension.h"
#include "criterion_names.h"

/* The unit in which a number is measured. */
typedef struct omr_measure {
  omr_dimension dimension;
  bool bare;     /* made of numbers without units only: takes the unit of the other operand */
  bool product;  /* a product or quotient of quantities: an angle may have come into it by an arc
                    over a radius */
  char unit[64]; /* for messages */
} omr_measure;

/* Bytes of the unit after a number, 0 if there is none: "m/s2", "N m", "%". Names of the list and
 * functions end it, so that "5 m * friction" is a product. */
size_t omr_measure_unit_length(const char *text, const omr_names *names);
/* Whether a name that is no unit starts here: of the list, or of a function. */
bool omr_measure_known(const char *text, const omr_names *names);
/* Whether "/NAME" stands here, right behind a unit, with a name that is a unit too: "5 m/s" where a
 * parameter is called s. *length: of the name. */
bool omr_measure_is_ambiguous(const char *text, const omr_names *names, int *length);

/* The number of `digits` bytes at text with the unit of `length` bytes: SI value and measure. On
 * failure *message is malloc'ed, or NULL without memory. */
bool omr_measure_quantity(const char *text, size_t digits, const char *unit, size_t length,
                          double *value, omr_measure *measure, char **message);
/* The SI base unit in which the value of the measure is, as units.h takes it: "kg m s-2", "Hz"; "1"
 * for none. */
void omr_measure_si(const omr_measure *measure, char *text, size_t size);
bool omr_measure_of_unit(const char *unit, omr_measure *measure, char **message);

/* The unit of a sum, a smaller one, or a comparison; false where they do not fit. */
bool omr_measure_join(const omr_measure *left, const omr_measure *right, omr_measure *joined);
/* Of a product (sign 1) or quotient (-1), and of a square root. */
bool omr_measure_times(const omr_measure *left, const omr_measure *right, int sign,
                       omr_measure *product);
bool omr_measure_root(const omr_measure *of, omr_measure *root);
/* Whether it is an angle or a pure number, as sin and exp take it. */
bool omr_measure_is_angle(const omr_measure *of);

/* Bytes of an identifier with its dots and [numbers], 0 if there is none. */
size_t omr_identifier_length(const char *text);

#endif
