/* Present state of an omni vehicle or wheel that motion and motors read. */
#include "omni_compliant.h"

double omr_omni_wheel_rate(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb) {
  const omr_frame *wheel = omr_mb_frame(mb, w->body), *platform = omr_mb_frame(mb, omni->platform);
  return omr_dot(omr_sub(wheel->w, platform->w), omr_times(&wheel->t, omr_vec_of(0, 0, 1)));
}

double omr_omni_energy(const omr_omni *omni, const omr_mb *mb) {
  return omr_mb_kinetic(mb) + omr_mb_potential(mb) + omr_omni_spring_energy(omni, mb);
}

double omr_omni_load_of(const omr_omni_wheel *w, const omr_mb *mb) {
  if (w->soft) return omr_omni_compliant_contact(w, mb).load;
  double load = omr_mb_multiplier(mb, &omr_omni_active(w)->base, 0);
  return w->edge ? load + omr_mb_multiplier(mb, &w->contact[w->second].base, 0) : load;
}

bool omr_omni_may_rest(const omr_omni *omni) {
  return omr_law_is_friction(omni->study->contact.law) &&
         omni->study->model != OMR_MODEL_DISC_VEHICLE && !omni->compliant;
}

double omr_omni_share(const omr_omni_wheel *w, const omr_mb *mb) {
  double one = omr_mb_multiplier(mb, &w->contact[w->active].base, 0);
  double two = omr_mb_multiplier(mb, &w->contact[w->second].base, 0);
  return two / (one + two);
}

bool omr_omni_any_held(const omr_omni *omni) {
  for (int i = 0; i < omni->wheels; i++) {
    if (omni->wheel[i].held) return true;
  }
  return false;
}
