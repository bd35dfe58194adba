/* General contact tracking (source 1, section 3): the nearest points of the outer surfaces of two
 * bodies, from equations (5) by Newton's method, and their velocities from the linear equations
 * (8). */
#ifndef OMR_SURFACE_H
#define OMR_SURFACE_H

#include "../multibody/multibody.h"

/* f(r) = 0 in body axes from the centre of mass, f > 0 outside: value, gradient and Hesse matrix at
 * r. */
typedef struct omr_surface omr_surface;
struct omr_surface {
  void (*look)(const omr_surface *surface, omr_vec r, double *f, omr_vec *gradient, omr_mat *hesse);
  /* of the shapes below; other shapes may have a struct that begins with omr_surface */
  omr_vec normal; /* plane through the centre of mass: outward normal */
  omr_vec axes;   /* ellipsoid: half axes */
  double radius, center, sin_psi, cos_psi, edge; /* roller: R, R1, psi, largest |q| */
};

omr_surface omr_plane_surface(omr_vec normal);
omr_surface omr_ellipsoid_surface(omr_vec half_axes);
/* A roller of an omni wheel about the body's x axis: sqrt(y^2 + z^2) = P(x), the envelope of
 * appendix/rollers.md#contact-point, up to the contact angle `edge` (a little more than
 * alpha). For psi = 0 it is the spindle of source 2, equation (3.1). */
omr_surface omr_roller_surface(double radius, double center, double psi, double edge);
/* P, P', P'' at x. */
void omr_roller_generatrix(const omr_surface *roller, double x, double *p, double *slope,
                           double *curvature);

/* The unknowns of (5), or their rates. Inertial axes. */
typedef struct omr_contact_points {
  omr_vec a, b;      /* P_A, P_B, m */
  double lambda, mu; /* mu > 0: the bodies are apart */
} omr_contact_points;

typedef struct omr_surface_pair {
  const omr_surface *a, *b;
} omr_surface_pair;

/* Solves (5) from the guess in *x; *iterations (NULL allowed). False if Newton's method does not
 * converge. */
bool omr_nearest_points(omr_surface_pair surfaces, const omr_frame *a, const omr_frame *b,
                        omr_contact_points *x, int *iterations);
/* Solves (8) at *x. False if the equations are singular. */
bool omr_nearest_rates(omr_surface_pair surfaces, const omr_frame *a, const omr_frame *b,
                       const omr_contact_points *x, omr_contact_points *rate);

#endif
