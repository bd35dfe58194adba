#include "compliant_contact.h"

static const omr_vec up = {0, 1, 0};

/* The profile's own support function, from what it is made for: on an upright wheel the roller at
 * angle q has its centre at the height R - R1 cos q and its axis at the component
 * c = cos psi sin q of the vertical, whatever q. */
static double envelope(const omr_compliant_law *law, double c, double *slope) {
  const double s = c / law->cos_psi, cosine = sqrt(1 - s * s);
  *slope = law->center * s / (law->cos_psi * cosine);
  return law->radius - law->center * cosine;
}

/* A support function H(c) of a body of revolution has its touching circle at the place
 * c H + (1 - c^2) H' along the axis, with the radius sqrt(1 - c^2) (H - c H'). */
void omr_compliant_complete(omr_compliant_law *law) {
  double slope, height = envelope(law, law->end, &slope) - law->fillet;
  const double c = law->end, across = sqrt(1 - c * c);
  law->rim_place = c * height + across * across * slope;
  law->rim = across * (height - c * slope);
}

int omr_compliant_end_of(const omr_compliant_law *law, double c) {
  return c > law->end ? 1 : c < -law->end ? -1 : 0;
}

/* Beyond the end it is that of a circle; a distance along the normal adds to it
 * (PHYSICS.md#13-the-reference-in-maximal-coordinates). */
double omr_compliant_support(const omr_compliant_law *law, double c, int end, double *slope) {
  double derivative, height;
  if (end == 0) {
    height = envelope(law, c, &derivative) - law->undersize;
  } else {
    const double across = sqrt(1 - c * c);
    height = end * law->rim_place * c + law->rim * across + law->fillet - law->undersize;
    derivative = end * law->rim_place - law->rim * c / across;
  }
  if (slope) *slope = derivative;
  return height;
}

static omr_vec axis_of(const omr_mb *mb, const omr_compliant_contact *c) {
  return omr_times(&omr_mb_frame(mb, c->base.b)->t, omr_vec_of(1, 0, 0));
}

double omr_compliant_along(const omr_mb *mb, const omr_compliant_contact *c) {
  return axis_of(mb, c).y;
}

double omr_compliant_depth(const omr_mb *mb, const omr_compliant_contact *c) {
  const double along = omr_compliant_along(mb, c);
  return omr_compliant_support(c->law, along, omr_compliant_end_of(c->law, along), NULL) -
         omr_mb_frame(mb, c->base.b)->r.y;
}

static double spring_force(const omr_compliant_law *law, double depth) {
  return depth > 0 ? law->stiffness * pow(depth, law->exponent) : 0;
}

/* By spring and damper (PHYSICS.md#13-the-reference-in-maximal-coordinates). */
double omr_compliant_load(const omr_compliant_law *law, double depth, double deepens) {
  const double spring = spring_force(law, depth);
  return law->kelvin_voigt ? spring + law->damping * deepens
                           : spring * (1 + law->damping * deepens);
}

double omr_compliant_margin(const omr_compliant_law *law, double depth, double deepens) {
  return law->kelvin_voigt ? omr_compliant_load(law, depth, deepens) : 1 + law->damping * deepens;
}

/* The deepest point is the gradient of the support function
 * (PHYSICS.md#13-the-reference-in-maximal-coordinates). */
omr_compliant_press omr_compliant_at(const omr_mb *mb, const omr_compliant_contact *c) {
  const omr_frame *roller = omr_mb_frame(mb, c->base.b);
  const omr_vec e = axis_of(mb, c),
                axle = omr_times(&omr_mb_frame(mb, c->wheel)->t, omr_vec_of(0, 0, 1));
  const int end = c->state.touches ? c->state.end : omr_compliant_end_of(c->law, e.y);
  double slope;
  const double height = omr_compliant_support(c->law, e.y, end, &slope);
  omr_compliant_press p = {.i = omr_unit(omr_cross(up, axle)), .depth = height - roller->r.y};
  p.k = omr_cross(p.i, up);
  p.d = omr_neg(omr_axpy(omr_scale(height - slope * e.y, up), slope, e));
  p.velocity = omr_point_velocity(roller, p.d);
  p.deepens = -omr_dot(p.velocity, up);
  p.slip_i = omr_dot(p.velocity, p.i);
  p.slip_k = omr_dot(p.velocity, p.k);
  p.coefficient = omr_friction_coefficient(&c->friction, omr_mb_time(mb), omr_add(roller->r, p.d));
  if (!c->state.touches) return p;
  p.spring = spring_force(c->law, p.depth);
  if (c->state.slack) return p;
  p.load = omr_compliant_load(c->law, p.depth, p.deepens);
  const omr_slipping slip = {.v = omr_axpy(p.velocity, p.deepens, up), .i = p.i, .k = p.k};
  const omr_vec force = omr_scale(p.load, omr_friction_force(&c->friction, p.coefficient, &slip));
  p.force_i = omr_dot(force, p.i);
  p.force_k = omr_dot(force, p.k);
  return p;
}

double omr_compliant_stored(const omr_mb *mb, const omr_compliant_contact *c) {
  if (!c->state.touches) return 0;
  const omr_compliant_press p = omr_compliant_at(mb, c);
  return p.spring * p.depth / (c->law->exponent + 1);
}

double omr_compliant_lost(const omr_compliant_press *p) {
  return (p->load - p->spring) * p->deepens - (p->force_i * p->slip_i + p->force_k * p->slip_k);
}

/* Wrench of the load and its friction (PHYSICS.md#13-the-reference-in-maximal-coordinates). */
static void contact_effect(const omr_mb_constraint *base, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const omr_compliant_contact *c = (const omr_compliant_contact *)base;
  if (!c->state.touches) return;
  const omr_compliant_press p = omr_compliant_at(view->mb, c);
  out->force[1] = omr_axpy(omr_axpy(omr_scale(p.load, up), p.force_i, p.i), p.force_k, p.k);
  out->torque[1] = omr_cross(p.d, out->force[1]);
}

static const omr_mb_kind contact_kind = {"compliant roller contact", 0, contact_effect, NULL,
                                         false};

void omr_compliant_add(omr_mb *mb, omr_compliant_contact *c, const char *name, int wheel,
                       int roller) {
  c->base = (omr_mb_constraint){.kind = &contact_kind, .a = 0, .b = roller};
  c->wheel = wheel;
  snprintf(c->base.name, OMR_MB_NAME, "%s", name);
  omr_mb_add_constraint(mb, &c->base);
}
