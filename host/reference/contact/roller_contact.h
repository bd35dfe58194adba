/* Contact of a roller of an omni wheel, or of a wheel that is a disc, with the floor: the
 * unilateral constraint of sources 1 and 2, one object per roller. Body A is the floor (the base,
 * plane y = 0), body B the roller; the object also knows the wheel that carries the roller. The
 * model switches it (source 1, 5.1): in contact it is the condition that the velocity of the
 * roller's material point at the contact stays without vertical component, with the normal load N
 * as multiplier; otherwise it is nothing, N = 0. */
#ifndef OMR_ROLLER_CONTACT_H
#define OMR_ROLLER_CONTACT_H

#include "../multibody/multibody.h"
#include "dry.h"
#include "friction.h"
#include "surface.h"

/* How a contact is tracked (lists/trackings.def): source 1, section 5.2, formulas of the contact
 * angle; section 5.1, vectors only; section 3, nearest points of two surfaces, equations (5) by
 * Newton's method; the same in differential form, equations (8): the points are states. */

/* The tangential part of the contact. */
typedef enum omr_rolling {
  OMR_CONTACT_SLIDES,  /* friction, a part of the normal load's wrench */
  OMR_CONTACT_ROLLS,   /* no slip: two more conditions, multipliers 1 and 2 are F_i and F_k */
  OMR_CONTACT_RELAXED, /* the same with given rates of the slip */
  OMR_CONTACT_GIVEN    /* given forces */
} omr_rolling;

/* The loss of yaw (appendix/laws.md#friction), of a platform whose centre of mass is at `com`
 * from the body origin, body axes. */
typedef struct omr_yaw_loss {
  int platform;                        /* body */
  omr_vec com;                         /* m */
  double forward, sideways, curvature; /* rad/m */
} omr_yaw_loss;

typedef struct omr_roller_contact {
  omr_mb_constraint base; /* B is the roller */
  int wheel;              /* body of the wheel; its z axis is k, the roller's x axis is e */
  double radius, center;  /* R, R1 of the wheel, m */
  double cos_psi;         /* psi: inclination of the roller */
  bool disc;              /* the wheel itself, B, is a disc on the floor */
  double shift;           /* two rows: displacement of the roller along k, m */
  omr_tracking tracking;
  omr_surface surface; /* general tracking: the roller's own */
  bool touches;        /* state "contact" or "no contact" */
  bool stills; /* touches while another roller of its wheel does: see omr_roller_contact_second */
  bool pushes_wheel; /* rolling friction or bearing friction acts on the wheel, body A then */
  bool pressed;      /* its load is given, and its height is no condition of its own */
  double press;      /* that load, N */
  omr_rolling rolling;
  double baumgarte;             /* rolls: rate at which slip decays, 1/s */
  double slip_rate[2];          /* relaxed: d/dt of the slip along (i, k), m/s2 */
  double given[2], per_load[2]; /* given: force along (i, k), N; in addition per unit of load */
  const omr_friction *friction; /* slides; shared by the rollers of a wheel */
  omr_dry_contact dry;          /* dry friction of its bearings, if dry.dry is not NULL */
  const omr_yaw_loss *yaw_loss; /* NULL: none */
} omr_roller_contact;

/* Directions of the wheel and the contact point. */
typedef struct omr_roller_point {
  omr_vec i, k, i_rate, k_rate; /* wheel axis k, i = j x k; time derivatives */
  omr_vec d, d_rate;            /* contact point from the roller's centre; it moves over the body */
} omr_roller_point;

/* Adds a contact of the filled object's geometry; tracking, touches ... may be set before or after.
 * The floor is body A; with rolling friction, whose force acts at the wheel's centre, the wheel
 * takes its place. */
void omr_roller_contact_add(omr_mb *mb, omr_roller_contact *contact, const char *name, int wheel,
                            int roller);

/* Switches to "contact" or "no contact", in the state set last. */
void omr_roller_contact_switch(omr_mb *mb, omr_roller_contact *contact, bool touches);

/* Makes a contact that touches the second one of its wheel, which already stands on another roller,
 * or ends that. The heights of both depend on each other, so the condition of the second one's load
 * is that the wheel does not turn about its axle. */
void omr_roller_contact_second(omr_mb *mb, omr_roller_contact *contact, bool second);

/* Angle q of the roller from straight down, and its rate if not NULL, in the state set last. */
double omr_roller_angle(const omr_mb *mb, const omr_roller_contact *contact, double *rate);
/* Contact point of the tracking, in the state set last. */
omr_roller_point omr_roller_contact_point(const omr_mb *mb, const omr_roller_contact *contact);
/* Velocity v of a contact as its friction feels it: as if the platform also turned by the yaw that
 * it loses. */
omr_vec omr_roller_contact_felt(const omr_mb *mb, const omr_roller_contact *contact,
                                const omr_roller_point *p, omr_vec v);
/* Load of the last evaluation, N. */
double omr_roller_contact_load(const omr_mb *mb, const omr_roller_contact *contact);
/* Velocity of the roller's material point there. */
omr_vec omr_roller_contact_velocity(const omr_mb *mb, const omr_roller_contact *contact,
                                    const omr_roller_point *point);

/* Moment of drilling friction about the vertical on the roller per unit of its load, m; *rate: its
 * angular velocity about the vertical, rad/s. */
double omr_roller_drilling(const omr_mb *mb, const omr_roller_contact *contact, double *rate);

/* Slip along (i, k) and, by the last evaluation, its rate. */
void omr_roller_contact_slip(const omr_mb *mb, const omr_roller_contact *contact, double slip[2],
                             double rate[2]);

/* roller_general.c: general tracking of the roller's surface and the floor. States: P_A, P_B,
 * lambda, mu. */
enum { OMR_GENERAL_STATES = 8 };
/* The states of a contact in the present pose from equations (5); NaN if Newton's method fails. */
void omr_roller_general_start(const omr_mb *mb, const omr_roller_contact *contact,
                              double states[OMR_GENERAL_STATES]);
/* Contact point d, d' from the states, and the states' rates by equations (8) if `rate` is not
 * NULL. */
void omr_roller_general_point(const omr_mb *mb, const omr_roller_contact *contact,
                              const double *states, omr_roller_point *point, double *rate);

#endif
