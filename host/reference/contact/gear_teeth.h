/* Two involute spur gears that mesh from outside, on bodies A and B that turn about parallel
 * axes. All pairs of teeth push along the line of action, the common tangent of both base
 * circles; the pressure angle follows from the centre distance, cos(alpha) = (r_A + r_B)/d with
 * the base radii.
 *
 * With the angles phi of the bodies and theta of the line of centres about the axis of A, the
 * approach of the flanks that push when A turns forwards is
 *
 *   x = r_A (phi_A - theta) + r_B (phi_B - theta) - (r_A + r_B) (inv(alpha) - inv(alpha_start)),
 *
 * inv(a) = tan(a) - a. It is the transmission error, m along the line of action: positive if A
 * is ahead. The carrier of both axes needs joints of its own; it may turn. */
#ifndef OMR_GEAR_TEETH_H
#define OMR_GEAR_TEETH_H

#include "../multibody/multibody.h"

typedef struct omr_gear_shape {
  int teeth_a, teeth_b;
  double base_a;       /* base radius of A, m; B has base_a teeth_b/teeth_a */
  double tip_a, tip_b; /* tip radii, m: contact ends there */
} omr_gear_shape;

/* Standard teeth: module in m, pressure angle of the tool in rad, addendum in modules (1). */
omr_gear_shape omr_standard_teeth(double module, double angle, double addendum, int teeth_a,
                                  int teeth_b);
/* Pairs in contact on average at a centre distance; NaN if base circles overlap. */
double omr_contact_ratio(const omr_gear_shape *shape, double distance);

/* Deviation of a profile, m along the line of action, positive if material is missing; its first
 * and second derivative by s. Compliant teeth: s is the place of contact of A's tooth `tooth` (0 to
 * teeth_a - 1) from the pitch point, growing towards A's tip; flank is 1 if A drives forwards, -1
 * for the other flanks. Rigid teeth: s is the whole length that has rolled off, tooth is -1, and
 * the derivatives must be continuous. */
typedef void omr_tooth_deviation(void *self, int flank, int tooth, double s, double *e,
                                 double *slope, double *curvature);

/* amplitude sin(2 pi s/length + phase), for `self` of omr_sine_deviation. */
typedef struct omr_sine_teeth {
  double amplitude, length, phase;
} omr_sine_teeth;
void omr_sine_deviation(void *self, int flank, int tooth, double s, double *e, double *slope,
                        double *curvature);

/* rigid: one condition, x = deviation, which also pulls (no backlash). Otherwise each pair of teeth
 * on the path of contact pushes with k y + c y', y = x - deviation, while that and y are above
 * 0. */
typedef struct omr_gear_teeth {
  omr_mb_constraint base;
  omr_gear_shape shape;
  bool rigid;
  double stiffness, damping;      /* of a pair, N/m, N s/m */
  double backlash;                /* m along the line of action, at the start's centre distance */
  double phase;                   /* place s of pair 0 at the start, m */
  omr_tooth_deviation *deviation; /* NULL: none */
  void *deviation_self;
  /* set by omr_gear_mesh */
  omr_vec axis, point_a, point_b;
  double involute; /* inv(alpha_start) */
} omr_gear_teeth;

typedef struct omr_teeth_place {
  int a, b;
  omr_vec axis;             /* axes of A */
  omr_vec point_a, point_b; /* centres of the gears, from the centres of mass */
} omr_teeth_place;

/* Adds the mesh. The caller sets the members up to deviation_self before; the bodies are in place,
 * touching without load. OMR_ERR_USAGE if the shape has no contact there. Own states: phi_A, phi_B,
 * theta. Multiplier of rigid teeth: the force on B, N. */
omr_status omr_gear_mesh(omr_mb *mb, omr_gear_teeth *teeth, const char *name, omr_teeth_place place,
                         omr_error *error);

/* State of a mesh in the state set last. */
typedef struct omr_mesh_state {
  double error, rate;   /* x and x', m, m/s */
  double angle;         /* pressure angle, rad */
  double roll;          /* r_A (phi_A - theta), m */
  int pairs;            /* of teeth that push (compliant) */
  double force;         /* on B along the line of action, of forward flanks less the others, N */
  double energy, power; /* of the teeth as springs, J; lost in their dampers, W (compliant) */
} omr_mesh_state;
omr_mesh_state omr_mesh_look(const omr_mb *mb, const omr_gear_teeth *teeth);

#endif
