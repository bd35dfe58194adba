/* Contact of a roller of an omni wheel, or of a disc, with the floor by a spring and a damper: a
 * force element, one object per roller. Its load follows from the depth of the roller below the
 * floor, a plane or a terrain over it (appendix/reference.md#bodies). The
 * roller may lie in any way.
 *
 * A support function describes the roller: H(c) is the distance of its centre from the plane
 * that touches it and whose normal has the component c along the roller's axis. */
#ifndef OMR_COMPLIANT_CONTACT_H
#define OMR_COMPLIANT_CONTACT_H

#include "../multibody/multibody.h"
#include "bristle.h"
#include "dry.h"
#include "friction.h"
#include "ground.h"
#include "terrain.h"

/* Profile of the rollers of a wheel, and their spring and damper. A disc is all end: a rim of its
 * radius about its own axle. */
typedef struct omr_compliant_law {
  double radius, center; /* R, R1 of the wheel, m */
  double cos_psi;        /* psi: inclination of the roller */
  double end;       /* component c of the normal where the profile ends; below -1: no profile */
  double fillet;    /* radius that rounds the ends, m */
  double undersize; /* distance along the normal by which the surface lies inside, m */
  double rim, rim_place; /* radius of the fillet's centre circle and its place along the axis, m */
  double sag;            /* depth over that of the floor, by a preload, m */
  double stiffness;      /* N/m or N/m^1.5 */
  double exponent;       /* 1 or 1.5 */
  bool kelvin_voigt;     /* load k d^p + damping d' instead of k d^p (1 + damping d') */
  double damping;        /* N s/m or s/m */
} omr_compliant_law;

/* Discrete states of a contact, changed by events. */
typedef struct omr_compliant_state {
  bool touches; /* reaches below the floor */
  bool slack;   /* touches, but the damper would pull: no load */
  int end;      /* +-1: the floor's normal is beyond the profile's end along +-e; 0: it is not */
} omr_compliant_state;

typedef struct omr_compliant_contact {
  omr_mb_constraint base; /* A is the floor, B the roller, whose x axis is e, or the wheel */
  int wheel;              /* body of the wheel, whose z axis is k */
  const omr_compliant_law *law;
  const omr_terrain *terrain;
  const omr_bristle *bristle; /* NULL: a law of friction without states */
  /* Dry friction of the wheel's bearings under this contact in the state set last; NULL: none. Body
   * A is then the wheel. */
  omr_dry_contact (*dry)(const void *self, const omr_mb *mb, double load);
  const void *dry_self;
  omr_compliant_state state;
  omr_friction friction; /* with its own zone */
  omr_ground_place place;
} omr_compliant_contact;

/* A contact in the state set last, with its forces as if it carried without the others. */
typedef struct omr_compliant_press {
  omr_vec d;               /* deepest point from the roller's centre */
  omr_vec n;               /* normal of the floor there */
  omr_vec i, k;            /* directions of the wheel along the floor: n x k, and n to its left */
  omr_vec velocity;        /* of the roller's material point there */
  double depth, deepens;   /* vertical, m; along n, m/s */
  double spring, load;     /* along n, N: of the spring, of the whole contact */
  double slip_i, slip_k;   /* m/s */
  double force_i, force_k; /* friction on the roller, N */
  double coefficient;      /* of friction under it */
  omr_level bends;         /* rate of the bristles, m/s */
} omr_compliant_press;

/* Completes rim and rim_place. */
void omr_compliant_complete(omr_compliant_law *law);
/* H(c) and, if not NULL, its derivative. end: touching part of the surface, as in
 * omr_compliant_state. */
double omr_compliant_support(const omr_compliant_law *law, double c, int end, double *slope);
/* The touching point of a roller with this centre and its axis along e; end: as there, OMR_ANY_END:
 * any. */
enum { OMR_ANY_END = 2 };
omr_terrain_touch omr_compliant_meet(const omr_compliant_law *law, const omr_terrain *terrain,
                                     omr_vec centre, omr_vec e, int end);
/* The part of the surface that touches a plane whose normal has that component. */
int omr_compliant_end_of(const omr_compliant_law *law, double c);

/* Adds a contact; law, terrain, bristle, friction and place are set by the caller. */
void omr_compliant_add(omr_mb *mb, omr_compliant_contact *contact, const char *name, int wheel,
                       int roller);
/* Depth of the roller below the floor, whatever its discrete states, m. */
double omr_compliant_depth(const omr_mb *mb, const omr_compliant_contact *contact);
/* Component of the floor's normal along the roller's axis at the touching point of its state. */
double omr_compliant_along(const omr_mb *mb, const omr_compliant_contact *contact);
/* True if its discrete states give it a load. */
bool omr_compliant_carries(const omr_compliant_contact *contact);
omr_compliant_press omr_compliant_at(const omr_mb *mb, const omr_compliant_contact *contact);
/* Energy in the spring, J. */
double omr_compliant_stored(const omr_mb *mb, const omr_compliant_contact *contact);
/* Force of the contact, N. */
omr_vec omr_compliant_force(const omr_compliant_press *press);
/* Power lost, W: friction on the slip, and the part of the load beyond the spring's force. */
double omr_compliant_lost(const omr_compliant_press *press);

/* Positive while the damper does not pull. spring: force of the spring without damper, N. */
double omr_compliant_margin(const omr_compliant_law *law, double spring, double deepens);

#endif
