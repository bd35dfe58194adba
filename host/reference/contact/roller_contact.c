#include "roller_contact.h"
#include "friction.h"

#include <string.h>

static const omr_vec up = {0, 1, 0};

/* Directions of wheel and roller that every tracking needs, with time derivatives. The plane of the
 * row is the roller's: with two rows it does not pass the wheel's centre. */
typedef struct directions {
  omr_vec k, k_rate;     /* wheel axis */
  omr_vec e, e_rate;     /* roller axis */
  omr_vec rho, rho_rate; /* unit vector from the roller's centre to the wheel axis */
} directions;

static directions look(const omr_roller_contact *c, const omr_frame *wheel,
                       const omr_frame *roller) {
  directions s;
  s.k = omr_times(&wheel->t, omr_vec_of(0, 0, 1));
  s.k_rate = omr_cross(wheel->w, s.k);
  s.e = omr_times(&roller->t, omr_vec_of(1, 0, 0));
  s.e_rate = omr_cross(roller->w, s.e);
  omr_vec u = omr_axpy(omr_sub(wheel->r, roller->r), c->shift, s.k);
  omr_vec u_rate = omr_axpy(omr_sub(wheel->v, roller->v), c->shift, s.k_rate);
  double inverse = 1 / omr_norm(u);
  s.rho = omr_scale(inverse, u);
  s.rho_rate = omr_scale(inverse, omr_axpy(u_rate, -omr_dot(s.rho, u_rate), s.rho));
  return s;
}

/* cos q = rho.j, sin q = (j x rho).k, and their derivatives. */
typedef struct contact_angle {
  double cosine, sine, cosine_rate, sine_rate;
} contact_angle;

static contact_angle angle_of(const directions *s) {
  omr_vec across = omr_cross(up, s->rho);
  return (contact_angle){.cosine = omr_dot(s->rho, up),
                         .sine = omr_dot(across, s->k),
                         .cosine_rate = omr_dot(s->rho_rate, up),
                         .sine_rate = omr_dot(omr_cross(up, s->rho_rate), s->k) +
                                      omr_dot(across, s->k_rate)};
}

/* Source 1, section 5.2: d = -m e - h j with m = R1 tan q/cos psi and h = R - R1/cos q. */
static void track_explicitly(const omr_roller_contact *c, const directions *s,
                             omr_roller_point *p) {
  contact_angle q = angle_of(s);
  double inverse = 1 / q.cosine, inverse_rate = -q.cosine_rate * inverse * inverse,
         scale = c->center / c->cos_psi;
  double m = scale * q.sine * inverse,
         m_rate = scale * (q.sine_rate * inverse + q.sine * inverse_rate);
  double h = c->radius - c->center * inverse, h_rate = -c->center * inverse_rate;
  p->d = omr_neg(omr_axpy(omr_scale(m, s->e), h, up));
  p->d_rate = omr_neg(omr_axpy(omr_axpy(omr_scale(m_rate, s->e), m, s->e_rate), h_rate, up));
}

/* Source 1, section 5.1: d = R1 rho - R j + mu k with mu such that d is in the vertical plane
 * through the roller's axis, whose normal is k2 = e x j/|e x j|. */
static void track_implicitly(const omr_roller_contact *c, const directions *s,
                             omr_roller_point *p) {
  omr_vec across = omr_cross(s->e, up), across_rate = omr_cross(s->e_rate, up);
  double inverse = 1 / omr_norm(across);
  omr_vec k2 = omr_scale(inverse, across);
  omr_vec k2_rate = omr_scale(inverse, omr_axpy(across_rate, -omr_dot(k2, across_rate), k2));
  omr_vec in_plane = omr_axpy(omr_scale(c->radius, up), -c->center, s->rho); /* R j - R1 rho */
  double below = omr_dot(s->k, k2);
  double mu = omr_dot(in_plane, k2) / below;
  double mu_rate = (omr_dot(in_plane, k2_rate) - c->center * omr_dot(s->rho_rate, k2) -
                    mu * (omr_dot(s->k_rate, k2) + omr_dot(s->k, k2_rate))) /
                   below;
  p->d = omr_axpy(omr_neg(in_plane), mu, s->k);
  p->d_rate = omr_axpy(omr_axpy(omr_scale(c->center, s->rho_rate), mu_rate, s->k), mu, s->k_rate);
}

/* The point straight below the centre of an upright disc stays there. */
static omr_roller_point below(const omr_roller_contact *c, const omr_frame *wheel) {
  omr_vec k = omr_times(&wheel->t, omr_vec_of(0, 0, 1)), k_rate = omr_cross(wheel->w, k);
  return (omr_roller_point){.i = omr_cross(up, k),
                            .k = k,
                            .i_rate = omr_cross(up, k_rate),
                            .k_rate = k_rate,
                            .d = omr_scale(-c->radius, up),
                            .d_rate = {0, 0, 0}};
}

omr_roller_point omr_roller_contact_point(const omr_mb *mb, const omr_roller_contact *c) {
  if (c->disc) return below(c, &mb->frame[c->wheel]);

  directions s = look(c, &mb->frame[c->wheel], &mb->frame[c->base.b]);
  omr_roller_point p = {.i = omr_cross(up, s.k),
                        .k = s.k,
                        .i_rate = omr_cross(up, s.k_rate),
                        .k_rate = s.k_rate,
                        .d = {0, 0, 0}};

  /* the point by the study's way of tracking */
  switch (c->tracking) {
  case OMR_TRACKING_EXPLICIT: track_explicitly(c, &s, &p); break;
  case OMR_TRACKING_IMPLICIT: track_implicitly(c, &s, &p); break;
  case OMR_TRACKING_GENERAL: {
    double states[OMR_GENERAL_STATES];
    omr_roller_general_start(mb, c, states);
    omr_roller_general_point(mb, c, states, &p, NULL);
    break;
  }
  case OMR_TRACKING_DIFFERENTIAL:
    omr_roller_general_point(mb, c, omr_mb_own(mb, &c->base), &p, NULL);
    break;
  case OMR_TRACKING_KINDS: break;
  }

  return p;
}

double omr_roller_angle(const omr_mb *mb, const omr_roller_contact *c, double *rate) {
  directions s = look(c, &mb->frame[c->wheel], &mb->frame[c->base.b]);
  contact_angle q = angle_of(&s);
  if (rate)
    *rate =
        (q.cosine * q.sine_rate - q.sine * q.cosine_rate) / (q.cosine * q.cosine + q.sine * q.sine);
  return atan2(q.sine, q.cosine);
}

omr_vec omr_roller_contact_velocity(const omr_mb *mb, const omr_roller_contact *c,
                                    const omr_roller_point *p) {
  return omr_point_velocity(&mb->frame[c->base.b], p->d);
}

void omr_roller_contact_slip(const omr_mb *mb, const omr_roller_contact *c, double slip[2],
                             double rate[2]) {
  const omr_roller_point p = omr_roller_contact_point(mb, c);
  const omr_frame *roller = &mb->frame[c->base.b];
  const omr_acceleration *a = &mb->acceleration[c->base.b];
  omr_vec v = omr_point_velocity(roller, p.d);
  omr_vec v_rate = omr_add(a->a, omr_add(omr_cross(a->e, p.d), omr_cross(roller->w, p.d_rate)));
  slip[0] = omr_dot(v, p.i);
  slip[1] = omr_dot(v, p.k);
  rate[0] = omr_dot(v_rate, p.i) + omr_dot(v, p.i_rate);
  rate[1] = omr_dot(v_rate, p.k) + omr_dot(v, p.k_rate);
}

/* Condition on the component of v_P along n, d/dt (v_P.n) = value: n.(a_B + e_B x d + w_B x d') +
 * n'.v_P = value. Not w x (w x d): P is the contact point, which moves over the body. */
static void point_row(const omr_frame *roller, const omr_roller_point *p, omr_vec v, omr_vec n,
                      omr_vec n_rate, double value, omr_mb_row *row) {
  row->move[1] = row->force[1] = n;
  row->turn[1] = row->torque[1] = omr_cross(p->d, n);
  row->rhs = value - omr_dot(omr_cross(roller->w, p->d_rate), n) - omr_dot(n_rate, v);
}

omr_vec omr_roller_contact_felt(const omr_mb *mb, const omr_roller_contact *c,
                                const omr_roller_point *p, omr_vec v) {
  const omr_yaw_loss *loss = c->yaw_loss;
  if (!loss) return v;
  /* the platform's velocity at the body origin, forward and sideways */
  const omr_frame *f = &mb->frame[loss->platform];
  const omr_vec back = omr_neg(omr_times(&f->t, loss->com)), at = omr_point_velocity(f, back),
                ahead = omr_times(&f->t, omr_vec_of(1, 0, 0));
  const double vx = omr_dot(at, ahead), vz = omr_dot(at, omr_cross(ahead, up)), omega = f->w.y;
  const double turns = hypot(omega, loss->curvature * hypot(vx, vz));
  if (!(turns > 0)) return v;
  /* it turns the contact's place about the body origin */
  const double lost = (loss->forward * fabs(vx) + loss->sideways * fabs(vz)) * omega / turns;
  const omr_vec place = omr_add(mb->frame[c->base.b].r, p->d),
                arm = omr_sub(place, omr_add(f->r, back));
  return omr_axpy(v, lost, omr_cross(up, arm));
}

static omr_slipping slipping_of(const omr_mb *mb, const omr_roller_contact *c,
                                const omr_roller_point *p, omr_vec v) {
  const omr_frame *wheel = &mb->frame[c->wheel];
  v = omr_roller_contact_felt(mb, c, p, v);
  return (omr_slipping){.v = omr_axpy(v, -omr_dot(v, up), up),
                        .i = p->i,
                        .k = p->k,
                        .rolling = c->radius * omr_dot(wheel->w, p->k),
                        .drilling = omr_dot(mb->frame[c->base.b].w, up)};
}

/* Drilling friction, with the factor that an exponent of the load gives to forces by the load. */
static double drilling_of(const omr_roller_contact *c, double coefficient,
                          const omr_slipping *slip) {
  if (!(c->friction->contour > 0)) return 0;
  return (c->dry.dry ? c->dry.factor : 1) * omr_friction_drilling(c->friction, coefficient, slip);
}

double omr_roller_drilling(const omr_mb *mb, const omr_roller_contact *c, double *rate) {
  const omr_roller_point p = omr_roller_contact_point(mb, c);
  const omr_slipping slip = slipping_of(mb, c, &p, omr_roller_contact_velocity(mb, c, &p));
  const omr_vec place = omr_add(mb->frame[c->base.b].r, p.d);
  *rate = slip.drilling;
  return drilling_of(c, omr_friction_coefficient(c->friction, mb->time, place), &slip);
}

/* Friction is proportional to the load: it joins the wrench of one unit of load. */
static void add_friction(const omr_roller_contact *c, const omr_mb_view *view,
                         const omr_roller_point *p, omr_vec v, omr_mb_row *normal) {
  const omr_friction *f = c->friction;
  double coefficient = omr_friction_coefficient(f, view->t, omr_add(view->b->r, p->d));
  const omr_frame *wheel = &view->mb->frame[c->wheel];
  const omr_slipping slip = slipping_of(view->mb, c, p, v);
  omr_vec force = omr_friction_force(f, coefficient, &slip);
  normal->force[1] = omr_add(normal->force[1], force);
  normal->torque[1] = omr_add(normal->torque[1], omr_cross(p->d, force));
  normal->torque[1] = omr_axpy(normal->torque[1], drilling_of(c, coefficient, &slip), up);
  if (f->rolling > 0) { /* -mu_r V at the wheel's centre: on body A, or on the disc */
    omr_vec *at = &normal->force[c->disc ? 1 : 0];
    *at = omr_axpy(*at, -f->rolling, omr_axpy(wheel->v, -omr_dot(wheel->v, up), up));
  }
}

static void add_given(const omr_roller_contact *c, const omr_roller_point *p, omr_mb_effect *out) {
  omr_vec force = omr_axpy(omr_scale(c->given[0], p->i), c->given[1], p->k);
  omr_vec per_load = omr_axpy(omr_scale(c->per_load[0], p->i), c->per_load[1], p->k);
  out->force[1] = force;
  out->torque[1] = omr_cross(p->d, force);
  out->row[0].force[1] = omr_add(out->row[0].force[1], per_load);
  out->row[0].torque[1] = omr_add(out->row[0].torque[1], omr_cross(p->d, per_load));
}

/* Condition that the wheel, body A, keeps its rate about its axis k, which is across every other
 * part of its angular velocity. */
static void stand_still(const omr_roller_contact *c, const omr_mb_view *view, omr_mb_row *row) {
  row->move[1] = row->turn[1] = omr_vec_of(0, 0, 0);
  row->turn[0] = omr_times(&view->mb->frame[c->wheel].t, omr_vec_of(0, 0, 1));
  row->rhs = 0;
}

double omr_roller_contact_load(const omr_mb *mb, const omr_roller_contact *c) {
  if (c->pressed) return c->touches ? c->press : 0;
  return omr_mb_multiplier(mb, &c->base, 0);
}

/* The wrench of a given load, in place of the condition. */
static void press(const omr_roller_contact *c, omr_mb_effect *out) {
  const omr_mb_row *row = &out->row[0];
  for (int s = 0; s < OMR_MB_SIDES; s++) {
    out->force[s] = omr_axpy(out->force[s], c->press, row->force[s]);
    out->torque[s] = omr_axpy(out->torque[s], c->press, row->torque[s]);
  }
  out->rows = 0;
}

/* Rows and wrench of a roller on the floor (appendix/reference.md#bodies). */
static void contact_effect(const omr_mb_constraint *base, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const omr_roller_contact *c = (const omr_roller_contact *)base;

  if (c->tracking == OMR_TRACKING_DIFFERENTIAL)
    memset(out->rate, 0, OMR_GENERAL_STATES * sizeof *out->rate);
  if (!c->touches) return;

  omr_roller_point p = omr_roller_contact_point(view->mb, c);
  if (c->tracking == OMR_TRACKING_DIFFERENTIAL)
    omr_roller_general_point(view->mb, c, view->own, &p, out->rate);
  omr_vec v = omr_point_velocity(view->b, p.d);

  /* the height stays, and the load is its multiplier */
  out->rows = 1;
  point_row(view->b, &p, v, up, omr_vec_of(0, 0, 0), 0, &out->row[0]);
  if (c->stills) stand_still(c, view, &out->row[0]);

  /* friction joins the wrench of one unit of load */
  if (c->rolling == OMR_CONTACT_SLIDES) add_friction(c, view, &p, v, &out->row[0]);
  if (c->dry.dry) omr_dry_add(&c->dry, view, out);
  if (c->rolling == OMR_CONTACT_GIVEN) add_given(c, &p, out);
  if (c->pressed) press(c, out);
  if (c->rolling == OMR_CONTACT_SLIDES || c->rolling == OMR_CONTACT_GIVEN) return;
  bool rolls = c->rolling == OMR_CONTACT_ROLLS;

  /* ideal and relaxed rolling have two more conditions */
  out->rows = 3;
  point_row(view->b, &p, v, p.i, p.i_rate,
            rolls ? -c->baumgarte * omr_dot(v, p.i) : c->slip_rate[0], &out->row[1]);
  point_row(view->b, &p, v, p.k, p.k_rate,
            rolls ? -c->baumgarte * omr_dot(v, p.k) : c->slip_rate[1], &out->row[2]);
}

/* Height of the contact point over the floor and its velocity. */
static omr_mb_drift contact_drift(const omr_mb_constraint *base, const omr_mb_view *view) {
  const omr_roller_contact *c = (const omr_roller_contact *)base;
  if (!c->touches) return (omr_mb_drift){0, 0};
  omr_roller_point p = omr_roller_contact_point(view->mb, c);
  return (omr_mb_drift){omr_dot(omr_add(view->b->r, p.d), up),
                        omr_dot(omr_point_velocity(view->b, p.d), up)};
}

static const omr_mb_kind contact_kind = {"roller contact", 0, contact_effect, contact_drift, true};
static const omr_mb_kind tracked_kind = {"roller contact", OMR_GENERAL_STATES, contact_effect,
                                         contact_drift, true};

void omr_roller_contact_switch(omr_mb *mb, omr_roller_contact *c, bool touches) {
  c->touches = touches;
  if (touches && c->tracking == OMR_TRACKING_DIFFERENTIAL)
    omr_roller_general_start(mb, c, omr_mb_own(mb, &c->base));
}

void omr_roller_contact_second(omr_mb *mb, omr_roller_contact *c, bool second) {
  (void)mb;
  c->stills = second;
  c->base.a = second || c->pushes_wheel ? c->wheel : 0;
}

void omr_roller_contact_add(omr_mb *mb, omr_roller_contact *c, const char *name, int wheel,
                            int roller) {
  c->pushes_wheel = !c->disc && ((c->friction && c->friction->rolling > 0) || c->dry.dry);
  c->base = (omr_mb_constraint){
      .a = c->pushes_wheel ? wheel : 0, .b = roller, .carrier = c->dry.dry ? c->dry.platform : 0};
  c->wheel = wheel;
  const bool tracked = c->tracking == OMR_TRACKING_DIFFERENTIAL;
  omr_mb_add_constraint(mb, &c->base, tracked ? &tracked_kind : &contact_kind, name);
}
