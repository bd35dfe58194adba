/* Present state of a vehicle on compliant contacts
 * (appendix/reference.md#bodies). */
#include "omni_compliant.h"
#include "model/roller.h"

#include <math.h>

/* Damping of an oscillator of the weight `share` on the spring at rest: stiffness p N/d there,
 * critical damping 2 sqrt(stiffness N/g). */
static double damping_by_ratio(const omr_compliant_law *law, double ratio, double share,
                               double gravity) {
  if (!(share > 0)) return 0;
  const double sag = pow(share / law->stiffness, 1 / law->exponent);
  const double slope = law->exponent * share / sag;
  const double damping = 2 * ratio * sqrt(slope * share / gravity);
  return law->kelvin_voigt ? damping : damping / share;
}

/* Spring and damper of the weight that the wheel bears
 * (appendix/reference.md#bodies). */
omr_compliant_law omr_omni_spring(const omr_omni *omni, int wheel, const omr_roller *shape) {
  const omr_study *study = omni->study;
  const double *v = omni->values.wheel[wheel], preload = v[OMR_WP_TRACKING_PRELOAD];
  const bool tracks = study->kind[wheel] == OMR_WHEEL_TRACKING;
  const double share = tracks ? preload : omni->weight / study->wheels;

  /* shape of the rollers and stiffness of the spring */
  omr_compliant_law law = {.radius = shape->radius,
                           .center = shape->center,
                           .cos_psi = cos(shape->inclination),
                           .end = cos(shape->inclination) * sin(shape->end),
                           .fillet = v[OMR_WP_FILLET],
                           .undersize = v[OMR_WP_UNDERSIZE],
                           .stiffness =
                               v[study->contact.hertz ? OMR_WP_HERTZ_STIFFNESS : OMR_WP_STIFFNESS],
                           .exponent = study->contact.hertz ? 1.5 : 1,
                           .kelvin_voigt = study->contact.kelvin_voigt};
  if (tracks) law.stiffness = v[OMR_WP_TRACKING_STIFFNESS];
  if (tracks) law.sag = preload / law.stiffness;

  /* damping as given, or by the ratio */
  const double given = v[study->contact.kelvin_voigt ? OMR_WP_DAMPING : OMR_WP_DISSIPATION];
  law.damping = isnan(given) ? damping_by_ratio(&law, v[OMR_WP_DAMPING_RATIO], share,
                                                omni->values.vehicle[OMR_VP_GRAVITY])
                             : given;

  if (omr_omni_is_bare(study, wheel)) {
    law.end = -2;
    if (study->model == OMR_MODEL_VEHICLE) law.fillet = law.undersize = 0;
  }
  omr_compliant_complete(&law);
  return law;
}

bool omr_omni_is_loaded(const omr_omni_wheel *w) {
  for (int j = 0; j < w->rollers; j++)
    if (w->soft[j].state.touches && !w->soft[j].state.slack) return true;
  return false;
}

omr_omni_contact omr_omni_compliant_contact(const omr_omni_wheel *w, const omr_mb *mb) {
  omr_omni_contact sum = {.friction = w->friction.coefficient};
  double most = 0;
  for (int j = 0; j < w->rollers; j++) {
    if (!w->soft[j].state.touches || w->soft[j].state.slack) continue;
    const omr_compliant_press p = omr_compliant_at(mb, &w->soft[j]);
    sum.load += p.load;
    sum.force_i += p.force_i;
    sum.force_k += p.force_k;
    sum.most_slip = fmax(sum.most_slip, p.slip_i * p.slip_i + p.slip_k * p.slip_k);
    if (p.load <= most) continue;
    most = p.load;
    sum.velocity = p.velocity;
    sum.slip_i = p.slip_i;
    sum.slip_k = p.slip_k;
    sum.friction = p.coefficient;
    sum.point.d = p.d;
    sum.body = w->soft[j].base.b;
  }
  return sum;
}

double omr_omni_compliant_lost(const omr_omni_wheel *w, const omr_mb *mb) {
  double lost = 0;
  for (int j = 0; j < w->rollers; j++) {
    if (!w->soft[j].state.touches) continue;
    const omr_compliant_press p = omr_compliant_at(mb, &w->soft[j]);
    lost += omr_compliant_lost(&p);
  }
  return lost;
}

double omr_omni_spring_energy(const omr_omni *omni, const omr_mb *mb) {
  double energy = 0;
  for (int i = 0; i < omni->wheels && omni->compliant; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const omr_omni_suspension *s = &omni->suspension[i];
    for (int j = 0; j < w->rollers; j++) energy += omr_compliant_stored(mb, &w->soft[j]);
    double travel, rate;
    if (!(s->stiffness > 0)) continue;
    omr_joint_travel(mb, omr_omni_track(w), &travel, &rate);
    energy += travel * (s->preload + s->stiffness * travel / 2);
  }
  return energy;
}

double omr_omni_suspension_power(const omr_omni *omni, const omr_mb *mb) {
  double power = 0, travel, rate;
  for (int i = 0; i < omni->wheels; i++) {
    if (!(omni->suspension[i].stiffness > 0)) continue;
    omr_joint_travel(mb, omr_omni_track(&omni->wheel[i]), &travel, &rate);
    power += omni->suspension[i].damping * rate * rate;
  }
  return power;
}

/* Heading, pitch and roll turn one after the other about the vertical, the platform's own axis to
 * the right and its own axis forward, which is (cos pitch cos yaw, sin pitch, -cos pitch sin yaw)
 * (appendix/reference.md#bodies). */
omr_omni_motion omr_omni_free_motion(const omr_omni *omni, const omr_mb *mb) {
  const omr_frame *f = &mb->frame[omni->platform];
  const omr_acceleration *a = &mb->acceleration[omni->platform];

  /* axes of the body, and the body origin from the centre of mass */
  const omr_vec x = omr_times(&f->t, omr_vec_of(1, 0, 0)),
                y = omr_times(&f->t, omr_vec_of(0, 1, 0)),
                z = omr_times(&f->t, omr_vec_of(0, 0, 1)), d = omr_neg(omr_times(&f->t, omni->com));

  /* motion of the origin */
  const omr_vec r = omr_add(f->r, d), v = omr_point_velocity(f, d), turning = omr_cross(f->w, x);
  const omr_vec moved = omr_add(omr_add(a->a, omr_cross(a->e, d)), omr_centripetal(f, d));

  return (omr_omni_motion){.x = r.x,
                           .z = r.z,
                           .vx = omr_dot(v, x),
                           .vz = omr_dot(v, z),
                           .yaw_rate = omr_dot(f->w, y),
                           .ax = omr_dot(moved, x),
                           .az = omr_dot(moved, z),
                           .yaw_acceleration = omr_dot(a->e, y),
                           .speed = hypot(v.x, v.z),
                           .heading_rate =
                               (x.z * turning.x - x.x * turning.z) / (x.x * x.x + x.z * x.z),
                           .height = r.y,
                           .vy = omr_dot(v, y),
                           .pitch = atan2(x.y, hypot(x.x, x.z)),
                           .roll = atan2(-z.y, y.y),
                           .upright = y.y,
                           .vertical = moved.y,
                           .turn_roll = omr_dot(a->e, x),
                           .turn_pitch = omr_dot(a->e, z)};
}

/* Ends the run if a fourth roller of a wheel would reach the floor, a disc is in it to its centre,
 * or the platform has tipped over by 60 degrees. */
void omr_omni_compliant_check(const omr_omni *omni) {
  const omr_mb *mb = omni->reference->mb;
  if (!(omr_omni_free_motion(omni, mb).upright > 0.5))
    omni->reference->failed = OMR_INSTANCE_OUTSIDE;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const bool one = omr_omni_is_disc(w) || w->tracks;
    const double most = w->radius * (one ? 1 : 1 - cos(2 * w->alpha)) + w->spring.sag;
    for (int j = 0; j < w->rollers; j++)
      if (w->soft[j].state.touches && omr_compliant_depth(mb, &w->soft[j]) > most)
        omni->reference->failed = OMR_INSTANCE_OUTSIDE;
  }
}

void omr_omni_vertical_rates(const omr_omni *omni, const omr_mb *mb, const omr_omni_motion *m,
                             double *rate) {
  int loaded = 0;
  for (int i = 0; i < omni->wheels; i++) loaded += omr_omni_is_loaded(&omni->wheel[i]);
  rate[OMR_OMNI_VERTICAL_SUM] = m->vertical;
  rate[OMR_OMNI_VERTICAL_SQUARE] = m->vertical * m->vertical;
  rate[OMR_OMNI_PITCH_SQUARE] = m->turn_pitch * m->turn_pitch;
  rate[OMR_OMNI_ROLL_SQUARE] = m->turn_roll * m->turn_roll;
  rate[OMR_OMNI_FEW_TIME] = loaded < 3 && loaded < omni->wheels;
  rate[OMR_OMNI_SUSPENSION_LOSS] = omr_omni_suspension_power(omni, mb);
}
