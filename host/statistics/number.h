/* Numbers in text with as many digits as their uncertainty leaves. */
#ifndef OMR_STATISTICS_NUMBER_H
#define OMR_STATISTICS_NUMBER_H

#include "intervals.h"

#include <stddef.h>
#include <stdio.h>

/* Writes a value whose last digit is the second one of its uncertainty, with at most five digits;
 * without an uncertainty (NaN or 0) with four. Whole numbers have no zeros behind the point; "0"
 * where the uncertainty swallows the value. */
void omr_number_print(char *text, size_t size, double value, double uncertainty);

/* Writes the ends of an interval, "68.5 to 83.1"; nothing where they are not known. */
void omr_interval_print(char *text, size_t size, omr_bounds bounds);

/* Half of the interval; NaN where it is not known. */
double omr_half_of(omr_bounds bounds);

/* Prints a number for JSON, which has no NaN: null. 17 digits read back to the same bits. */
void omr_print_number(FILE *out, double value);

/* Prints a member of an object after `lead`, its number likewise. */
void omr_print_member(FILE *out, const char *lead, const char *key, double value);

#endif
