/* Manoeuvres of a vehicle: families of commanded velocities with some numbers each, from rest to
 * rest within limits of speed and acceleration. Axes are the study's. The same bits on every
 * machine. */
#ifndef OMR_MANOEUVRE_H
#define OMR_MANOEUVRE_H

#include "../study/measured/measured.h"

enum { OMR_MANOEUVRE_NUMBERS = 25, OMR_MANOEUVRE_COLUMNS = 4 };

typedef struct omr_manoeuvre {
  omr_manoeuvre_family family;
  double number[OMR_MANOEUVRE_NUMBERS]; /* from 0 to 1 each */
} omr_manoeuvre;

extern const char *const omr_manoeuvre_words[OMR_MANOEUVRE_FAMILIES];
extern const size_t omr_manoeuvre_numbers[OMR_MANOEUVRE_FAMILIES]; /* how many it has */

/* Straight ahead at full speed, with which others are compared. */
omr_manoeuvre omr_manoeuvre_ahead(void);

/* Rows of a command's table: one every 0.05 s, 41 at least and 1001 at most. */
size_t omr_manoeuvre_rows(const omr_manoeuvre_limits *limits);
/* table [rows][4]: time from 0 to the duration, forward velocity, velocity aside and yaw rate,
 * straight lines between the rows. The velocity is never longer than the speed and never changes
 * faster than by the acceleration, nor the yaw rate; both are 0 in the first row and, where the
 * duration is long enough to brake, in the last. */
void omr_manoeuvre_lay(const omr_manoeuvre *manoeuvre, const omr_manoeuvre_limits *limits,
                       double *table);
/* In words; aside: the study's name of that velocity. The caller frees it; NULL: out of memory. */
char *omr_manoeuvre_told(const omr_manoeuvre *manoeuvre, const omr_manoeuvre_limits *limits,
                         const char *aside);

#endif
