/* Inside of the general contact, private to host/reference/contact/body_contact*.c. */
#ifndef OMR_BODY_CONTACT_INSIDE_H
#define OMR_BODY_CONTACT_INSIDE_H

#include "../multibody/rated.h"
#include "body_contact.h"

/* Nearest points of both surfaces and the normal from A to B, each with its rate. NaN if there are
 * none. */
typedef struct omr_contact_track {
  omr_rated a, b, n;
} omr_contact_track;

/* body_contact_shape.c. The frame of a shape: its centre, its axes, the velocities of the body
 * there. The frames below are frames of shapes. */
omr_frame omr_shape_frame(const omr_shape *s, const omr_frame *body);
/* The point of the shape that is lowest along the unit vector n, on the part `zone`. */
omr_rated omr_shape_lowest(const omr_shape *s, int zone, const omr_frame *f, omr_rated n);
/* The part of the shape that is lowest along n, and its margin: not positive where another part is
 * lower. */
int omr_shape_zone(const omr_shape *s, const omr_frame *f, omr_vec n);
double omr_shape_zone_margin(const omr_shape *s, int zone, const omr_frame *f, omr_vec n);
/* The point of the surface nearest to c, and the outward normal there; false: the kind has none in
 * closed form. */
bool omr_shape_foot(const omr_shape *s, const omr_frame *f, omr_rated c, omr_rated *n,
                    omr_rated *foot);
/* The surface for equations (5) of source 1; look is NULL if the kind has none. */
omr_surface omr_shape_surface(const omr_shape *s);

/* body_contact_track.c. Nearest points in the present frames; moves contact->near. */
omr_contact_track omr_contact_follow(omr_body_contact *contact, const omr_frame *a,
                                     const omr_frame *b);
omr_contact_place omr_contact_place_of(const omr_body_contact *contact, const omr_frame *a,
                                       const omr_frame *b);
/* Margin of the zones of both shapes, and the zones that hold now. */
double omr_contact_zone_margin(const omr_body_contact *contact, const omr_frame *a,
                               const omr_frame *b);
bool omr_contact_settle_zones(omr_body_contact *contact, const omr_frame *a, const omr_frame *b);

/* body_contact.c. */
static inline bool omr_contact_is_rigid(const omr_body_contact *c) {
  return c->law.normal != OMR_NORMAL_COMPLIANT;
}
static inline bool omr_contact_is_dry(const omr_body_contact *c) {
  return c->law.tangential >= OMR_TANGENTIAL_REGULARIZED;
}
static inline bool omr_contact_is_set_valued(const omr_body_contact *c) {
  return c->law.tangential == OMR_TANGENTIAL_COULOMB;
}
static inline bool omr_contact_has_slip_speed(const omr_body_contact *c) {
  return omr_contact_is_dry(c) && !omr_contact_is_set_valued(c);
}
/* True if no slip is a condition. */
static inline bool omr_contact_has_stick_rows(const omr_body_contact *c) {
  return c->law.tangential == OMR_TANGENTIAL_ROLLS ||
         (omr_contact_is_set_valued(c) && c->slip == OMR_SLIP_STICKS);
}
static inline double omr_contact_stick_speed(const omr_body_contact *c) {
  return c->law.stick_speed > 0 ? c->law.stick_speed : 1e-4;
}
static inline double omr_contact_rest_speed(const omr_contact_law *law) {
  return law->rest_speed > 0 ? law->rest_speed : 1e-5;
}
static inline omr_vec omr_contact_tangent(const omr_contact_place *p) {
  return omr_axpy(p->slip, -omr_dot(p->slip, p->n), p->n);
}
/* The compliant force before it is cut off at 0. */
double omr_contact_push(const omr_contact_law *law, const omr_contact_place *p);
/* Load and tangential reaction of the last evaluation. */
double omr_contact_load(const omr_mb *mb, const omr_body_contact *c, const omr_contact_place *p);
omr_vec omr_contact_reaction(const omr_mb *mb, const omr_body_contact *c,
                             const omr_contact_place *p);

/* m and m/s: bodies that are nearer, and part no faster, touch. */
#define OMR_CONTACT_TOUCH 1e-9

/* body_contact_impact.c. The contacts of the group that touch and approach collide, together with
 * all closed ones. */
omr_status omr_contact_collide(omr_contact_group *group, omr_error *error);
/* The small impact that ends the remaining slip of contacts that stick from now on. */
omr_status omr_contact_lock(omr_contact_group *group, omr_error *error);

/* body_contact_slip.c. Slip starts in a direction that is kept; slip state of a contact that has
 * just closed or collided. */
void omr_contact_keep_direction(omr_body_contact *c, const omr_frame *a, omr_vec direction);
void omr_contact_settle_slip(omr_body_contact *c, const omr_contact_place *p, const omr_frame *a);

#endif
