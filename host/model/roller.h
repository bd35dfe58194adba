/* Shape and mass of a roller (appendix/rollers.md#contact-point). */
#ifndef OMR_ROLLER_H
#define OMR_ROLLER_H

#include <stdbool.h>

/* Shape of the rollers of one wheel; the caller fills radius .. coverage, and omr_roller_shape
 * completes it. */
typedef struct omr_roller {
  double radius;       /* R, m */
  int rollers;         /* n */
  double inclination;  /* psi, rad */
  double row_distance; /* w, m */
  double coverage;     /* share of the angle pi/n that the profile covers; 0: all of it, as 1 */
  double alpha;        /* pi/n */
  double center;       /* R1, m */
  double end;          /* a_r = coverage pi/n: contact angle where the profile ends, rad */
  double cos_alpha, sin_alpha, cos_end, sin_end, cos_psi, sin_psi;
} omr_roller;

/* Completes the shape from the tip radius, or from R1 where center_distance is a number. Returns
 * NULL, or a static sentence saying why there is no such roller. */
const char *omr_roller_shape(omr_roller *roller, double tip_radius, double center_distance);

/* Contact index J and contact angle q of a wheel at the angle chi, whose rate decides on an edge.
 */
void omr_roller_below(double chi, double rate, double alpha, double *index, double *q);
/* Number of the roller in contact, and axial displacement of the row of a roller [m]. */
int omr_roller_active(const omr_roller *roller, double index);
double omr_roller_row(const omr_roller *roller, int number);

/* Axial position and radius of the profile at contact angle q, |q| <= end [m]: m + h sin q cos
 * psi and h sqrt(1 - sin^2 q cos^2 psi). */
void omr_roller_profile(const omr_roller *roller, double q, double *axial, double *radius);

/* Depth by which neighbouring rollers overlap [m]; <= 0: they do not. Where it is below `enough`
 * any value below that, which takes less time. */
double omr_roller_overlap(const omr_roller *roller, double enough);

typedef struct omr_roller_mass {
  double mass, axial, diametral; /* kg, kg m2, kg m2 */
} omr_roller_mass;

/* Mass and inertias of a body of revolution with that profile, density rho, and a bore of the given
 * radius along the axis. */
omr_roller_mass omr_roller_integrate(const omr_roller *roller, double density, double bore);

#endif
