/* Dry friction in the bearings of rollers and axles, and rolling resistance of rollers on the floor
 * (appendix/bearings.md#bearings). The part proportional to the load joins the
 * wrench of one unit of the contact's load, from which the forces in the bearings follow. */
#ifndef OMR_REFERENCE_DRY_H
#define OMR_REFERENCE_DRY_H

#include "../multibody/multibody.h"
#include "study/study.h"

/* Friction of a bearing: torque (constant + arm force) S(rate). */
typedef struct omr_dry_bearing {
  double torque;                  /* N m */
  double pin, end;                /* coefficient times radius: across the axis, along it; m */
  double ratio, stribeck, smooth; /* static over kinetic; rad/s */
} omr_dry_bearing;

typedef struct omr_dry {
  omr_dry_bearing roller, axle;
  double arm, smooth;         /* rolling resistance: m, rad/s */
  double exponent, reference; /* of the load: p, N_ref in N */
  bool drills;                /* the contact has drilling friction (friction.h) */
} omr_dry;

/* Dry friction at the contact of one roller. */
typedef struct omr_dry_contact {
  const omr_dry *dry;
  int platform;   /* body on which the axle turns; 0: the base */
  double factor;  /* (N/N_ref)^(p - 1) */
  double carries; /* part of the wheel's load, 1 if the wheel stands on this roller only */
  bool disc;      /* the wheel itself, body B, is on the floor */
} omr_dry_contact;

/* Dry friction of a wheel with the parameters `values` (OMR_WP_), which carries about `share`
 * newton. */
omr_dry omr_dry_of(const double *values, double share);
bool omr_dry_is_there(const omr_dry *dry);
/* Torque of the axle's bearing, N m, against the wheel rate; by_load: its part by the forces on the
 * wheel before the direction, 0 if the rows of a contact have it. */
double omr_dry_axle_torque(const omr_dry *dry, double by_load, double rate);
/* That part for the force of one contact, k the axle's direction, N m. */
double omr_dry_axle_load(const omr_dry_contact *c, omr_vec force, omr_vec k);
/* For a load that is not a multiplier: adds the torques on wheel (A) and roller (B) under `force`
 * at a contact with the normal n, without the axle's. */
void omr_dry_brake(const omr_dry_contact *c, const omr_mb_view *view, omr_vec force, omr_vec n,
                   omr_mb_effect *out);
/* Adds to a contact's effect, whose first row has the contact force of one unit of load: body A is
 * the wheel (z: its axis), body B the roller (x: its axis), the carrier the platform. */
void omr_dry_add(const omr_dry_contact *c, const omr_mb_view *view, omr_mb_effect *out);

/* Power lost in the last evaluation, W. */
typedef struct omr_dry_power {
  double roller, axle, rolling; /* without the axle's constant torque */
} omr_dry_power;
/* force: of the floor, whose normal is n, on the roller, including its load, N; mb, wheel, roller:
 * the bodies. */
omr_dry_power omr_dry_lost(const omr_dry_contact *c, const omr_mb *mb, int wheel, int roller,
                           omr_vec force, omr_vec n);

#endif
