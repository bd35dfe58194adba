/* The beginning of slipping or sticking in a contact. */
#include "body_contact_inside.h"

#define STILL 1e-9 /* m/s: a smaller slip counts as none when a contact closes */

void omr_contact_keep_direction(omr_body_contact *c, const omr_frame *a, omr_vec direction) {
  c->slip = OMR_SLIP_STARTS;
  c->along = omr_transposed_times(&a->t, omr_unit(direction));
}

void omr_contact_settle_slip(omr_body_contact *c, const omr_contact_place *p, const omr_frame *a) {
  if (!omr_contact_is_dry(c)) return;
  omr_vec s = omr_contact_tangent(p);
  double speed = omr_norm(s);
  if (omr_contact_has_slip_speed(c)) {
    c->slip = speed > c->law.slip_speed ? OMR_SLIP_SLIDES : OMR_SLIP_STICKS;
    return;
  }
  c->slip = speed <= STILL ? OMR_SLIP_STICKS : OMR_SLIP_SLIDES;
  if (speed > STILL && speed < omr_contact_stick_speed(c)) omr_contact_keep_direction(c, a, s);
}
