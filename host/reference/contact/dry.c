#include "dry.h"

#include <math.h>

static const omr_vec up = {0, 1, 0};

omr_dry omr_dry_of(const double *v, double share) {
  const double reference = v[OMR_WP_DRY_REFERENCE_LOAD];
  return (omr_dry){.roller = {.torque = v[OMR_WP_DRY_TORQUE],
                              .pin = v[OMR_WP_DRY_FRICTION] * v[OMR_WP_DRY_PIN_RADIUS],
                              .end = v[OMR_WP_DRY_END_FRICTION] * v[OMR_WP_DRY_END_RADIUS],
                              .ratio = v[OMR_WP_DRY_STATIC_RATIO],
                              .stribeck = v[OMR_WP_DRY_STRIBECK_RATE],
                              .smooth = v[OMR_WP_DRY_SMOOTHING_RATE]},
                   .axle = {.torque = v[OMR_WP_AXLE_TORQUE],
                            .pin = v[OMR_WP_AXLE_FRICTION] * v[OMR_WP_AXLE_PIN_RADIUS],
                            .ratio = v[OMR_WP_AXLE_STATIC_RATIO],
                            .stribeck = v[OMR_WP_AXLE_STRIBECK_RATE],
                            .smooth = v[OMR_WP_AXLE_SMOOTHING_RATE]},
                   .arm = v[OMR_WP_ROLLING_RESISTANCE],
                   .smooth = v[OMR_WP_ROLLING_SMOOTHING],
                   .drills = v[OMR_WP_CONTOUR_RADIUS] > 0,
                   .exponent = v[OMR_WP_DRY_EXPONENT],
                   .reference = isnan(reference) ? share : reference};
}

bool omr_dry_is_there(const omr_dry *d) {
  return d->roller.torque > 0 || d->roller.pin > 0 || d->roller.end > 0 || d->axle.pin > 0 ||
         d->arm > 0 || d->drills;
}

/* Friction rises with the rate, and falls from static to kinetic friction beyond it (Stribeck). */
static double direction(const omr_dry_bearing *b, double rate) {
  const double far = rate / b->stribeck;
  return rate / hypot(rate, b->smooth) * (1 + (b->ratio - 1) / (1 + far * far));
}

double omr_dry_axle_torque(const omr_dry *d, double by_load, double rate) {
  return (d->axle.torque + by_load) * direction(&d->axle, rate);
}

/* Axes and turning of the bodies. */
typedef struct bearings {
  omr_vec e, k;      /* axes of roller and axle */
  double roll, rate; /* rates of roller in wheel, of wheel in platform */
  omr_vec over;      /* angular velocity of the roller along the floor */
} bearings;

/* n: the floor's normal. */
static bearings look(const omr_frame *wheel, const omr_frame *roller, const omr_frame *platform,
                     omr_vec n) {
  bearings s = {.e = omr_times(&roller->t, omr_vec_of(1, 0, 0)),
                .k = omr_times(&wheel->t, omr_vec_of(0, 0, 1)),
                .over = omr_axpy(roller->w, -omr_dot(roller->w, n), n)};
  s.roll = omr_dot(omr_sub(roller->w, wheel->w), s.e);
  s.rate = omr_dot(omr_sub(wheel->w, platform->w), s.k);
  return s;
}

/* Parts of a force along an axis and across it. */
static double across(omr_vec force, omr_vec axis) {
  return omr_norm(omr_axpy(force, -omr_dot(force, axis), axis));
}

/* Torques against the rates under a force on the roller. */
static double roller_torque(const omr_dry_contact *c, const bearings *s, omr_vec force) {
  const omr_dry_bearing *b = &c->dry->roller;
  return c->factor * (b->pin * across(force, s->e) + b->end * fabs(omr_dot(force, s->e))) *
         direction(b, s->roll);
}

double omr_dry_axle_load(const omr_dry_contact *c, omr_vec force, omr_vec k) {
  return c->factor * c->dry->axle.pin * across(force, k);
}

static double axle_torque(const omr_dry_contact *c, const bearings *s, omr_vec force) {
  return omr_dry_axle_load(c, force, s->k) * direction(&c->dry->axle, s->rate);
}

static double fixed_torque(const omr_dry_contact *c, const bearings *s) {
  return c->carries * c->dry->roller.torque * direction(&c->dry->roller, s->roll);
}

static omr_vec rolling_moment(const omr_dry_contact *c, const bearings *s, double load) {
  const double speed = hypot(omr_norm(s->over), c->dry->smooth);
  return omr_scale(-c->factor * load * c->dry->arm / speed, s->over);
}

void omr_dry_add(const omr_dry_contact *c, const omr_mb_view *view, omr_mb_effect *out) {
  omr_mb_row *row = &out->row[0];
  const int wheel = c->disc ? 1 : 0; /* side of the wheel */
  const bearings s = look(wheel ? view->b : view->a, view->b, &view->mb->frame[c->platform], up);
  const omr_vec force = row->force[1];
  const omr_vec roller = omr_scale(roller_torque(c, &s, force), s.e),
                axle = omr_scale(axle_torque(c, &s, force), s.k),
                fixed = omr_scale(fixed_torque(c, &s), s.e);
  row->torque[1] =
      omr_add(omr_sub(row->torque[1], roller), rolling_moment(c, &s, omr_dot(force, up)));
  row->torque[wheel] = omr_add(row->torque[wheel], omr_sub(roller, axle));
  row->torque[2] = omr_add(row->torque[2], axle);
  out->torque[1] = omr_sub(out->torque[1], fixed);
  out->torque[wheel] = omr_add(out->torque[wheel], fixed);
}

void omr_dry_brake(const omr_dry_contact *c, const omr_mb_view *view, omr_vec force, omr_vec n,
                   omr_mb_effect *out) {
  const bearings s = look(view->a, view->b, &view->mb->frame[c->platform], n);
  const omr_vec roller = omr_scale(roller_torque(c, &s, force) + fixed_torque(c, &s), s.e);
  out->torque[1] =
      omr_add(omr_sub(out->torque[1], roller), rolling_moment(c, &s, omr_dot(force, n)));
  out->torque[0] = omr_add(out->torque[0], roller);
}

omr_dry_power omr_dry_lost(const omr_dry_contact *c, const omr_mb *mb, int wheel, int roller,
                           omr_vec force, omr_vec n) {
  const bearings s = look(&mb->frame[wheel], &mb->frame[roller], &mb->frame[c->platform], n);
  return (omr_dry_power){.roller = (roller_torque(c, &s, force) + fixed_torque(c, &s)) * s.roll,
                         .axle = axle_torque(c, &s, force) * s.rate,
                         .rolling = -omr_dot(rolling_moment(c, &s, omr_dot(force, n)), s.over)};
}
