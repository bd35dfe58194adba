/* The roller of a wheel that is in contact, and the exchange of rollers
 * (appendix/rollers.md#contact-point, appendix/rollers.md#exchange). */
#include "../contact/friction.h"
#include "omni.h"

static void activate(omr_omni_wheel *w, omr_mb *mb, int roller) {
  if (w->soft) {
    w->active = roller;
    return;
  }
  omr_roller_contact_switch(mb, &w->contact[w->active], false);
  w->active = roller;
  omr_roller_contact_switch(mb, &w->contact[roller], true);
}

omr_omni_touching omr_omni_touch(const omr_roller_contact *c, const omr_mb *mb) {
  omr_roller_point p = omr_roller_contact_point(mb, c);
  omr_vec v = omr_roller_contact_felt(mb, c, &p, omr_roller_contact_velocity(mb, c, &p));
  const omr_frame *roller = &mb->frame[c->base.b];
  omr_omni_touching now = {omr_add(roller->r, p.d), v.x * v.x + v.z * v.z};
  if (!(c->friction->contour > 0)) return now;
  const double speed = omr_friction_speed(c->friction, sqrt(now.slip_square), roller->w.y);
  now.slip_square = speed * speed;
  return now;
}

/* Sets the discrete states of the contact from the present state. */
static void judge(omr_omni_wheel *w, const omr_mb *mb) {
  omr_omni_touching now = omr_omni_touch(omr_omni_active(w), mb);
  w->friction.slides = now.slip_square > w->friction.slip_speed * w->friction.slip_speed;
  omr_ground_judge(&w->place_on_ground, now.place);
}

/* J = round(chi n/2 pi); exactly on an edge the direction of rotation decides. Roller (-J) mod n is
 * at q = chi - 2 alpha J. */
static int first_contact(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb) {
  if (omr_omni_is_disc(w)) return 0;
  double chi = omr_omni_wheel_angle(omni, w, mb), rate = omr_omni_wheel_rate(w, mb);
  double index = rint(chi / (2 * w->alpha)), q = chi - 2 * w->alpha * index,
         edge = w->alpha * (1 - 1e-12);
  if (rate > 0 && q >= edge) index++;
  if (rate < 0 && q <= -edge) index--;
  return (int)(-index - w->rollers * floor(-index / w->rollers));
}

void omr_omni_find_contacts(omr_omni *omni, omr_mb *mb) {
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    activate(w, mb, first_contact(omni, w, mb));
    w->margin = OMR_EDGE_MARGIN;
  }
}

void omr_omni_take(omr_omni_wheel *w, omr_mb *mb, int roller) {
  activate(w, mb, roller);
  judge(w, mb);
}

void omr_omni_judge_contacts(omr_omni *omni, const omr_mb *mb) {
  for (int i = 0; i < omni->wheels; i++) judge(&omni->wheel[i], mb);
}

/* Number of the step that contains a time; times of events are accurate to much less than a
 * billionth of a step. */
double omr_omni_step_of(const omr_omni *omni, double t) {
  return floor(t / omr_study_tick(omni->study) + 1e-9);
}

bool omr_omni_has_impacts(const omr_omni *omni) {
  return omni->study->contact.law == OMR_LAW_ROLLING && omni->study->contact.impact;
}

/* The wheel angle grows and the roller behind follows. Under relaxed constraints, and constraints
 * without impacts, two exchanges in opposite directions within a step hold the wheel to the end of
 * the step. */
void omr_omni_exchange(omr_omni *omni, omr_omni_wheel *w, omr_mb *mb, int direction) {
  double step = omr_omni_step_of(omni, mb->time);
  if (!omr_omni_may_rest(omni) && !omr_omni_has_impacts(omni) && w->last_step == step &&
      w->last == -direction)
    w->held = true;
  w->last = direction;
  w->last_step = step;
  if (omr_omni_may_rest(omni)) w->margin = 0;
  omr_omni_take(w, mb, (w->active + w->rollers - direction) % w->rollers);
  omni->exchanges++;
}
