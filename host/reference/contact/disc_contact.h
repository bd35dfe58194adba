/* Contact of a disc (body B, by the circle of radius R in its plane) with a plane of body A, in
 * two classes: rolling without slip, the Disc_on_Base of source 3, section 3.1; and the penalty
 * contact of source 4 with regularised friction.
 *
 * Directions as in source 4: w1 the disc's axis, n the plane's normal, w2 = w1 x n/|w1 x n|, w3
 * = w1 x w2 from the centre to the contact point C, w_lat = n x w2. They do not exist for a disc
 * parallel to the plane. */
#ifndef OMR_DISC_CONTACT_H
#define OMR_DISC_CONTACT_H

#include "../multibody/multibody.h"
#include "tyre.h"

/* Places of disc and plane: the plane in the axes of A, from its centre of mass; the disc in the
 * axes of B. */
typedef struct omr_disc_place {
  int a, b;
  omr_vec point, normal;
  omr_vec center, axis;
  double radius;
} omr_disc_place;

/* The law of source 4; friction along w_lat and w2 unless `angle` turns these directions. */
typedef struct omr_disc_law {
  double stiffness, damping;    /* k_c, N/m; d_c, N s/m */
  double lateral, longitudinal; /* mu_x, mu_y */
  double lateral_viscous;       /* d_x, s/m */
  double longitudinal_viscous;  /* d_y, s/m */
  double angle, slip_speed;     /* alpha_t, rad; v_mu, m/s */
  double rolling;    /* mu_r, s/m: the force -mu_r N v at the centre, v along the plane */
  bool linear_zone;  /* phi = v/v_mu up to v_mu */
  bool no_pull;      /* normal force never below 0 */
  bool grip_by_size; /* friction by |N|, as Exudyn's code has it */
} omr_disc_law;

/* Parts of the law within which right-hand sides are smooth: only events change them. */
enum { OMR_DISC_TOUCHES, OMR_DISC_SLIDES, OMR_DISC_RELEASED, OMR_DISC_SWITCHES };

typedef struct omr_disc_contact {
  omr_mb_constraint base;
  omr_disc_place place;
  omr_disc_law law;           /* penalty */
  omr_tyre tyre;              /* penalty: in place of the law's friction */
  bool on[OMR_DISC_SWITCHES]; /* penalty: in contact; slip beyond v_mu; normal force below 0, if the
                                 law uses it */
} omr_disc_contact;

/* Rolling without slip, bilateral: multipliers 0, 1, 2 are the forces on the disc along n, w_lat,
 * w2. At the start the contact point of the disc must be on the plane and at rest against it. */
void omr_disc_on_base(omr_mb *mb, omr_disc_contact *contact, const char *name,
                      omr_disc_place place);
/* Adds a penalty contact. Bodies must be in place: the state at the start decides the parts of the
 * law. */
void omr_disc_penalty(omr_mb *mb, omr_disc_contact *contact, const char *name, omr_disc_place place,
                      omr_disc_law law);
/* Gives a penalty contact a tyre in place of dry friction. */
void omr_disc_put_tyre(const omr_mb *mb, omr_disc_contact *contact, omr_tyre tyre);

/* Kinematics of the contact in a state. Inertial axes. */
typedef struct omr_disc_frame {
  omr_vec w1, w2, w3, lat, n;
  double sine;          /* of the angle between disc and plane, |w1 x n| */
  omr_vec center;       /* from the origin */
  omr_vec point;        /* C, from the origin */
  omr_vec arm_a, arm_b; /* from the centres of mass to C */
  double gap;           /* height of C over the plane */
  omr_vec slip;         /* velocity of B's point at C relative to A's */
  omr_vec trail;        /* velocity of C, which is not a material point */
  omr_vec trail_on;     /* the same relative to A's point there */
} omr_disc_frame;

omr_disc_frame omr_disc_look(const omr_mb *mb, const omr_disc_contact *contact);

/* Force on the disc at C in the last evaluation: along n, w_lat, w2. */
omr_vec omr_disc_force(const omr_mb *mb, const omr_disc_contact *contact);

/* Spring energy of a penalty contact, J. */
double omr_disc_spring(const omr_mb *mb, const omr_disc_contact *contact);

/* Penalty contact: values of its OMR_DISC_SWITCHES event functions (omr_mb_switches), and the
 * effect of event `which`. */
void omr_disc_events(const omr_mb *mb, const omr_disc_contact *contact, double *g);
void omr_disc_switch(omr_disc_contact *contact, int which);

#endif
