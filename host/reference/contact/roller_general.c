/* General contact tracking (source 1, section 3) of a roller and the floor. */
#include "roller_contact.h"

static omr_contact_points points_of(const double *y) {
  return (omr_contact_points){{y[0], y[1], y[2]}, {y[3], y[4], y[5]}, y[6], y[7]};
}

static void put_points(const omr_contact_points *x, double *y) {
  const double values[OMR_GENERAL_STATES] = {x->a.x, x->a.y, x->a.z,    x->b.x,
                                             x->b.y, x->b.z, x->lambda, x->mu};
  for (int i = 0; i < OMR_GENERAL_STATES; i++) y[i] = values[i];
}

void omr_roller_general_start(const omr_mb *mb, const omr_roller_contact *c,
                              double states[OMR_GENERAL_STATES]) {
  const omr_surface floor = omr_plane_surface(omr_vec_of(0, 1, 0));
  const omr_frame *roller = &mb->frame[c->base.b];
  /* straight below the roller's centre, where its profile is a circle of radius R */
  omr_vec below = omr_sub(roller->r, omr_vec_of(0, c->radius - c->center, 0));
  omr_contact_points x = {{below.x, 0, below.z}, below, -1, 0};
  if (!omr_nearest_points((omr_surface_pair){&floor, &c->surface}, &mb->frame[0], roller, &x, NULL))
    x.a = x.b = omr_vec_of((double)NAN, (double)NAN, (double)NAN);
  put_points(&x, states);
}

void omr_roller_general_point(const omr_mb *mb, const omr_roller_contact *c, const double *states,
                              omr_roller_point *point, double *rate) {
  const omr_surface floor = omr_plane_surface(omr_vec_of(0, 1, 0));
  const omr_frame *roller = &mb->frame[c->base.b];
  omr_contact_points x = points_of(states), change;
  if (!omr_nearest_rates((omr_surface_pair){&floor, &c->surface}, &mb->frame[0], roller, &x,
                         &change))
    change.b = omr_vec_of((double)NAN, (double)NAN, (double)NAN);
  point->d = omr_sub(x.b, roller->r);
  point->d_rate = omr_sub(change.b, roller->v);
  if (rate) put_points(&change, rate);
}
