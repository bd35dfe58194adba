/* Dry friction of an omni vehicle's wheels: the part that depends on loads that it changes itself,
 * and the losses of all bearings (appendix/bearings.md#bearings). The multibody
 * system is linear in the loads; an exponent of the load, and the division of the load between two
 * rollers of a wheel, are found by solving it again. */
#include "omni.h"

#include <math.h>

/* The second roller's part of the wheel's time: its part of the load, each load taken in the plane
 * of equal springs over all contacts. */
static double part_of_second(const omr_omni_wheel *w, const omr_mb *mb) {
  const double one = omr_roller_contact_load(mb, &w->contact[w->active]),
               two = w->ratio * omr_roller_contact_load(mb, &w->contact[w->second]);
  return two / (one + two);
}

static void take(double *value, double found, double *moved) {
  *moved = fmax(*moved, fabs(found - *value) / (1 + fabs(*value)));
  *value = found;
}

/* True if dry friction has to be found: always with an exponent of the load, and with constant
 * friction of rollers while the wheel rests on two. */
static bool is_open(const omr_omni_wheel *w) {
  return w->brakes && (w->dry.exponent != 1 || (w->edge && w->dry.roller.torque > 0));
}

bool omr_omni_dry_is_open(omr_omni *omni) {
  bool open = false;
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    if (w->edge == 0) w->contact[w->active].dry.carries = 1;
    open = open || is_open(w);
  }
  return open;
}

void omr_omni_settle_dry(omr_omni *omni, const omr_mb *mb, double *moved) {
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    if (!is_open(w)) continue;
    const double load = omr_omni_load_of(w, mb), part = w->edge ? part_of_second(w, mb) : 0,
                 factor = load > 0 ? pow(load / w->dry.reference, w->dry.exponent - 1) : 0;
    for (int n = 0; n < (w->edge ? 2 : 1); n++) {
      omr_dry_contact *c = &w->contact[n == 0 ? w->active : w->second].dry;
      take(&c->carries, n == 0 ? 1 - part : part, moved);
      take(&c->factor, factor, moved);
    }
  }
}

static omr_dry_power lost_by(const omr_omni_wheel *w, const omr_mb *mb, int roller) {
  const omr_vec force = omr_mb_wrench(mb, &w->contact[roller].base, 1).force;
  const omr_vec up = {0, 1, 0};
  omr_dry_power all =
      omr_dry_lost(&w->contact[roller].dry, mb, w->body, w->first_roller + roller, force, up);
  double rate;
  const double moment = omr_roller_drilling(mb, &w->contact[roller], &rate);
  all.rolling -= moment * force.y * rate;
  return all;
}

static void add_power(omr_dry_power one, omr_dry_power *all) {
  all->roller += one.roller;
  all->axle += one.axle;
  all->rolling += one.rolling;
}

/* ---- on compliant contacts, whose loads follow from the state */

static double soft_load(const omr_omni_wheel *w, const omr_mb *mb) {
  double load = 0;
  for (int j = 0; j < w->rollers; j++)
    if (omr_compliant_carries(&w->soft[j])) load += omr_compliant_at(mb, &w->soft[j]).load;
  return load;
}

omr_dry_contact omr_omni_soft_dry(const void *self, const omr_mb *mb, double load) {
  const omr_omni_wheel *w = self;
  const double all = soft_load(w, mb);
  return (omr_dry_contact){.dry = &w->dry,
                           .platform = w->axle.base.a,
                           .carries = all > 0 ? load / all : 0,
                           .factor =
                               all > 0 ? pow(all / w->dry.reference, w->dry.exponent - 1) : 0};
}

double omr_omni_soft_axle(const void *self) {
  const omr_omni_wheel *w = self;
  const omr_mb *mb = w->drive.mb;
  const omr_vec k = omr_times(&mb->frame[w->body].t, omr_vec_of(0, 0, 1));
  double torque = 0;
  for (int j = 0; j < w->rollers; j++) {
    if (!omr_compliant_carries(&w->soft[j])) continue;
    const omr_compliant_press p = omr_compliant_at(mb, &w->soft[j]);
    const omr_dry_contact dry = omr_omni_soft_dry(w, mb, p.load);
    torque += omr_dry_axle_load(&dry, omr_compliant_force(&p), k);
  }
  return torque;
}

static void add_soft(const omr_omni_wheel *w, const omr_mb *mb, omr_dry_power *all) {
  for (int j = 0; w->brakes && j < w->rollers; j++) {
    if (!omr_compliant_carries(&w->soft[j])) continue;
    const omr_compliant_press p = omr_compliant_at(mb, &w->soft[j]);
    const omr_dry_contact dry = omr_omni_soft_dry(w, mb, p.load);
    add_power(omr_dry_lost(&dry, mb, w->body, w->first_roller + j, omr_compliant_force(&p), p.n),
              all);
  }
}

omr_dry_power omr_omni_dry_power(const omr_omni_wheel *w, const omr_mb *mb) {
  const double rate = omr_omni_wheel_rate(w, mb);
  omr_dry_power all = {.axle = omr_dry_axle_torque(&w->dry, 0, rate) * rate};
  if (w->soft) add_soft(w, mb, &all);
  for (int n = 0; !w->soft && w->brakes && n < (w->edge ? 2 : 1); n++)
    add_power(lost_by(w, mb, n == 0 ? w->active : w->second), &all);
  return all;
}

double omr_omni_roller_power(const omr_omni_wheel *w, const omr_mb *mb) {
  const omr_frame *wheel = &mb->frame[w->body];
  double lost = omr_omni_dry_power(w, mb).roller;
  for (int j = 0; j < w->rollers && w->roller_bearing > 0; j++) {
    const omr_frame *roller = &mb->frame[w->first_roller + j];
    double turn = omr_dot(omr_sub(roller->w, wheel->w), omr_times(&roller->t, omr_vec_of(1, 0, 0)));
    lost += w->roller_bearing * turn * turn;
  }
  return lost;
}

double omr_omni_bearing_power(const omr_omni_wheel *w, const omr_mb *mb) {
  const double rate = omr_omni_wheel_rate(w, mb);
  return w->axle_bearing * rate * rate + omr_omni_dry_power(w, mb).axle +
         omr_omni_roller_power(w, mb) + omr_omni_fork_loss(w, mb);
}
