/* Contact of two bodies by any two of the shapes below: geometry, law of the normal force, law
 * of friction, and switches. One object is one contact; a group puts all contacts of a system
 * together for omr_mb_switches.
 *
 * Geometry. The contact has a point of A, a point of B and the common normal n, a unit vector
 * from the material of A to the material of B; the gap is n.(P_B - P_A), below 0 where the
 * bodies overlap. All of it comes with its exact time derivative (rated.h). Forces on both
 * bodies act at P_B; the slip is the velocity of B's material point there less the velocity of
 * A's.
 *
 * Conditions, with d_A and d_B from the centres of mass to P_B, s the slip (source 1, section
 * 5.1; appendix/reference.md#general-contacts):
 *   normal      d/dt (n.s) = 0      n.(a + e x d + w x d')_B - the same of A + n'.s = 0
 *   rolling     d/dt s = 0 across n
 * SI units; inertial axes unless stated otherwise. */
#ifndef OMR_BODY_CONTACT_H
#define OMR_BODY_CONTACT_H

#include "../multibody/integrate.h"
#include "../multibody/multibody.h"
#include "surface.h"

typedef enum omr_shape_kind {
  OMR_SHAPE_PLANE,     /* through `at`; y points out of the material */
  OMR_SHAPE_SPHERE,    /* radius */
  OMR_SHAPE_ELLIPSOID, /* half axes along x, y, z */
  OMR_SHAPE_DISC,      /* only the edge: circle of a radius about z */
  OMR_SHAPE_TORUS,    /* radius of the circle about z, radius of the tube: a disc with round edge */
  OMR_SHAPE_CYLINDER, /* radius about z, length. On a plane it touches with the edge of its lower
                       * end; with other shapes by its side, as if without ends. Where the side lies
                       * flat on a plane, one point cannot carry it (a rigid contact stops the run):
                       * give the body two contacts with the edges of its ends (omr_shape_end). */
  OMR_SHAPE_ROLLER,   /* roller of an omni wheel about x: wheel's R, R1, psi, largest contact angle;
                       * on a plane its ends are edges of circles */
  OMR_SHAPE_KINDS
} omr_shape_kind;

enum { OMR_SHAPE_SIZES = 4 };

typedef struct omr_shape {
  omr_shape_kind kind;
  omr_vec at;   /* centre, or point of the plane: body axes, from the centre of mass */
  omr_mat axes; /* shape axes to body axes, a rotation */
  double size[OMR_SHAPE_SIZES]; /* in the order above; m, psi and the angle in rad */
  bool hollow;                  /* the material is outside: a bowl, a bore, the groove of a race */
} omr_shape;

/* The edge of one end of a cylinder (end 1: towards z, -1: away from it), as a disc. */
omr_shape omr_shape_end(const omr_shape *cylinder, int end);
/* The reason in words why the pair has no contact, or NULL: unknown pairs, sizes that are not
 * positive. */
const char *omr_shape_pair_refuse(const omr_shape *a, const omr_shape *b);

typedef enum omr_contact_normal {
  OMR_NORMAL_HELD, /* rigid in both directions: the bodies never part, and the load may pull */
  OMR_NORMAL_UNILATERAL, /* rigid, Signorini: opens where the load would pull, closes by an impact
                          */
  OMR_NORMAL_COMPLIANT   /* k gap^p with damping, never below 0 */
} omr_contact_normal;

typedef enum omr_contact_tangential {
  OMR_TANGENTIAL_NONE,        /* smooth */
  OMR_TANGENTIAL_ROLLS,       /* no slip, whatever force that needs */
  OMR_TANGENTIAL_REGULARIZED, /* Coulomb, below the slip speed linear or quadratic: section 8 */
  OMR_TANGENTIAL_SATURATED,   /* Coulomb, below the slip speed linear */
  OMR_TANGENTIAL_COULOMB      /* set-valued: sticks inside the cone, slides on it */
} omr_contact_tangential;

/* A value of 0 means absent, unless a default is given. */
typedef struct omr_contact_law {
  omr_contact_normal normal;
  omr_contact_tangential tangential;
  double baumgarte; /* rigid parts: rate b of gap'' + 2 b gap' + b^2 gap = 0, s' + b s = 0; 1/s */

  double restitution; /* unilateral: Newton's e, 0 to 1 */
  double rest_speed;  /* a slower rebound does not happen: 0 means 1e-5 m/s */

  double stiffness, exponent; /* compliant: k, N/m^p; p, where 0 means 1 */
  double damping; /* N = k d^p + damping d', N s/m; with hunt_crossley k d^p (1 + damping
                     d'), s/m, for the depth d */
  bool hunt_crossley;

  double friction;    /* mu */
  double slip_speed;  /* regularized, saturated: v_s, m/s */
  bool linear_zone;   /* regularized */
  double stick_speed; /* Coulomb: a slower slip keeps its direction to its end; 0 means 1e-4 m/s */
  double viscous;     /* force -c s along the tangent plane without regard to the load, N s/m */
  double rolling;     /* resistance to rolling: torque of that length times the load, m */
  double spinning;    /* resistance to spinning about the normal, m */
  double turn_speed;  /* w_s of both: torque ~ w/sqrt(w^2 + w_s^2); 0 means 1e-3 rad/s */
} omr_contact_law;

/* State of the contact in the tangent plane; discrete. */
typedef enum omr_contact_slip {
  OMR_SLIP_SLIDES, /* friction against the slip; regularized, saturated: beyond the slip speed */
  OMR_SLIP_STICKS, /* no slip; regularized, saturated: below the slip speed */
  OMR_SLIP_STARTS  /* Coulomb, slower than stick_speed: friction against the kept direction */
} omr_contact_slip;

/* Rows that a contact has in an impact. */
typedef enum omr_contact_strike {
  OMR_STRIKE_NONE,
  OMR_STRIKE_FREE,
  OMR_STRIKE_STICKS,
  OMR_STRIKE_SLIDES
} omr_contact_strike;

typedef struct omr_body_contact {
  omr_mb_constraint base;
  omr_shape shape[2]; /* of A and B */
  omr_contact_law law;
  /* discrete states, changed by events only */
  bool closed;   /* in contact */
  bool released; /* compliant: force cut off at 0; held: the load pulls */
  omr_contact_slip slip;
  omr_vec along; /* kept direction of the slip: body axes of A */
  double floor;  /* m: an open contact closes when its gap falls below this */
  int zone[2];   /* touching part of a shape: end of a cylinder or roller */
  long impacts;  /* impacts of this contact so far */
  /* of the present impact */
  omr_contact_strike strike;
  omr_vec strike_along;
  double strike_rebound; /* velocity along n afterwards, m/s */
  /* the nearest points of two curved bodies found last; Newton's method starts there */
  omr_contact_points near;
  bool tracked;
} omr_body_contact;

/* Adds the contact between bodies a and b of mb, with shapes and law set by the caller. It is
 * closed or open by its gap, so the bodies must be in place. The object must outlive the system.
 * OMR_ERR_USAGE if the pair is refused or the law is incomplete. */
omr_status omr_body_contact_add(omr_mb *mb, omr_body_contact *contact, const char *name, int a,
                                int b, omr_error *error);

/* Geometry of the contact in the state set last. */
typedef struct omr_contact_place {
  omr_vec n, n_rate;      /* from A to B; its rate */
  omr_vec point_a, point; /* on the surface of A, on that of B, from the origin */
  omr_vec trail_a, trail; /* their velocities over space */
  omr_vec arm[2];         /* from the centres of mass to `point` */
  omr_vec slip;           /* of B's material point at `point` relative to A's, with its part
                             along n */
  double gap, gap_rate;   /* m, m/s */
} omr_contact_place;

omr_contact_place omr_body_contact_place(const omr_mb *mb, const omr_body_contact *contact);

/* Place, forces and energies. Forces are from the last evaluation, which must have been made in the
 * state set last. */
typedef struct omr_contact_sight {
  omr_contact_place place;
  bool closed, sticks; /* without slip as a condition, or below the slip speed */
  double load;         /* on B along n, N; below 0: a held contact pulls */
  omr_vec friction;   /* on B, along the tangent plane: friction, viscous friction or reaction, N */
  omr_vec resistance; /* torque on B against rolling and spinning, N m */
  omr_vec tangent;    /* slip along the tangent plane, m/s */
  double spring;      /* energy, J */
  double dissipated;  /* power of friction, resistance and damping, W */
} omr_contact_sight;

omr_contact_sight omr_body_contact_look(const omr_mb *mb, const omr_body_contact *contact);

/* All general contacts of a system. The caller sets mb, contact and count, and frees its own
 * arrays. */
typedef struct omr_contact_group {
  omr_mb *mb;
  omr_body_contact **contact;
  int count;
  double lost;  /* kinetic energy lost in impacts so far, J */
  long impacts; /* so far */
} omr_contact_group;

enum { OMR_CONTACT_EVENTS = 5 }; /* event functions of one contact */

/* The parts of omr_mb_switches with the group as `self`: OMR_CONTACT_EVENTS for each contact, in
 * their order. A caller with further switches passes `which` less their number. */
void omr_contact_values(void *group, const omr_mb *mb, double *g);
omr_status omr_contact_happen(void *group, omr_mb *mb, int which, omr_error *error);
/* Settles all discrete states, at the start and wherever the caller has changed states or
 * velocities. Unilateral contacts that touch and approach collide, together with all others. A
 * unilateral contact whose bodies overlap at the start is held at that gap: see place.gap of a
 * look. */
omr_status omr_contact_begin(void *group, omr_mb *mb, omr_error *error);

#endif
