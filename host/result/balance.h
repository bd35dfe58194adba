/* The balance of energy, checked at the end of every run: energy_error of each instance that
 * reached its end, stored or not. */
#ifndef OMNIROLL_RESULT_BALANCE_H
#define OMNIROLL_RESULT_BALANCE_H

#include "result.h"

/* An energy_error above this is a warning. */
#define OMR_BALANCE_LIMIT 1e-2
/* The beginning of the warning. */
#define OMR_BALANCE_WARNING "energy balance: "

/* Takes the energy_error of an instance into the record; NaN: the instance has none. */
void omr_balance_take(omr_run_record *record, double energy_error);
/* Adds the counts of a part. */
void omr_balance_join(omr_run_record *total, const omr_run_record *part);
/* The record of several parts of a run: names, times and counts; first: there is no part yet. */
void omr_record_join(omr_run_record *total, const omr_run_record *part, bool first);
/* Writes a line with the remedy if an instance exceeds the limit, else ""; thread-safe. */
void omr_balance_warn(const omr_study *study, const omr_run_record *record, char *warning,
                      size_t size);

#endif
