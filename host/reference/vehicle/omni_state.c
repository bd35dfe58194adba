/* Present state of an omni vehicle or wheel that motion and motors read. */
#include "omni_compliant.h"

double omr_omni_wheel_rate(const omr_omni_wheel *w, const omr_mb *mb) {
  /* relative to the platform or its own fork, in which the axle is; to the base on the testbench */
  const omr_frame *wheel = &mb->frame[w->body], *holder = &mb->frame[w->axle.base.a];
  return omr_dot(omr_sub(wheel->w, holder->w), omr_times(&wheel->t, omr_vec_of(0, 0, 1)));
}

double omr_omni_energy(const omr_omni *omni, const omr_mb *mb) {
  return omr_mb_kinetic(mb) + omr_mb_potential(mb) + omr_omni_spring_energy(omni, mb);
}

double omr_omni_load_of(const omr_omni_wheel *w, const omr_mb *mb) {
  if (w->soft) return omr_omni_compliant_contact(w, mb).load;
  double load = omr_roller_contact_load(mb, omr_omni_active(w));
  return w->edge ? load + omr_roller_contact_load(mb, &w->contact[w->second]) : load;
}

int omr_omni_carriers(const omr_omni *omni, int wheel[OMR_MAX_WHEELS]) {
  int count = 0;
  for (int i = 0; i < omni->wheels; i++)
    if (!omni->wheel[i].tracks) wheel[count++] = i;
  return count;
}

bool omr_omni_may_rest(const omr_omni *omni) {
  return omr_law_is_friction(omni->study->contact.law) &&
         omni->study->model != OMR_MODEL_DISC_VEHICLE && !omni->compliant;
}

double omr_omni_share(const omr_omni_wheel *w, const omr_mb *mb) {
  double one = omr_roller_contact_load(mb, &w->contact[w->active]);
  double two = omr_roller_contact_load(mb, &w->contact[w->second]);
  return two / (one + two);
}

bool omr_omni_any_held(const omr_omni *omni) {
  for (int i = 0; i < omni->wheels; i++) {
    if (omni->wheel[i].held) return true;
  }
  return false;
}
