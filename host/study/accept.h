/* Entries of integrator.accept in words. */
#ifndef OMR_ACCEPT_H
#define OMR_ACCEPT_H

#include "study.h"

/* "vibration_rms", "fail.slides"; the observable's unit, "1" for shares. */
void omr_accept_name(const omr_study *study, const omr_accept *accept, char *name, size_t size);
const char *omr_accept_unit(const omr_study *study, const omr_accept *accept);

/* "vibration_rms to 2 %", "min_load to 1 N (2 % of a criterion's threshold)" */
void omr_accept_text(const omr_study *study, const omr_accept *accept, char *text, size_t size);

/* The number of the observable of a column of the result; -1: it is a varied parameter, or none. */
int omr_observable_of_column(const omr_study *study, size_t column);

#endif
