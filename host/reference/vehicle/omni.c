/* Omni vehicle and testbench wheel as models of the reference. */
#include "omni_compliant.h"

static const char *refuse(const omr_study *study) {
  if (study->contact.penalty)
    return "the reference has discs on a rigid floor or on compliant contact; leave out "
           "\"contact\": {\"normal\": \"penalty\"}, or give \"compliant\"";
  if (study->contact.components)
    return "the reference has the regularised law of discs by the whole slip; leave out "
           "\"contact\": {\"saturation\": \"components\"}";
  if (!omr_law_is_massless(study->contact.law)) return NULL;
  return "the reference is made of bodies with mass, and massless rollers are none; to come near "
         "them, give ideal_rolling a small roller.mass, axial_inertia and diametral_inertia";
}

static bool refuse_values(const omr_omni *omni, omr_reason *why) {
  for (int i = 0; i < omni->study->wheels; i++) {
    if (omni->values.wheel[i][OMR_WP_ROTOR_INERTIA] == 0) continue;
    return !omr_refuse(
        why, "wheels[%d].motor.rotor_inertia: the reference has no rotors; set it to 0", i);
  }
  return false;
}

static bool build(omr_omni *omni, omr_reference *reference, omr_reason *why) {
  omr_mb *mb = reference->mb;
  if (refuse_values(omni, why) || !omr_omni_build(omni, mb, why)) return false;

  omr_omni_find_contacts(omni, mb);
  if (!omr_omni_start_rolling(omni, mb, why)) return false;

  /* start from the discrete states of the contacts */
  if (omni->compliant) {
    omr_omni_compliant_begin(omni, mb);
    reference->paced = true;
  } else {
    omr_omni_judge_contacts(omni, mb);
    omr_omni_choose_loads(omni, mb);
    omr_omni_relax(omni, mb);
  }

  omr_omni_add_quadratures(omni, mb);
  omr_omni_set_switches(omni, &reference->switches);
  if (omni->follow.odometry && !omni->odometry.known)
    return omr_refuse(why, "the wheels that odometry reads do not determine the motion, so that "
                           "the loop of the path has no pose");

  /* the balances, slides and extremes begin here */
  omr_omni_start_grip(omni);
  omni->initial_energy = omr_omni_energy(omni, mb);
  omni->initial_kinetic = omr_mb_kinetic(mb);
  omni->extremes = (omr_omni_extremes){.least_load = HUGE_VAL,
                                       .most_load = -HUGE_VAL,
                                       .weight = 1,
                                       .power = -HUGE_VAL,
                                       .least_bus = HUGE_VAL,
                                       .least_upright = 1};

  return true;
}

static bool assemble(const omr_study *study, const omr_values *values, omr_reference *reference,
                     omr_reason *why) {
  const omr_vec gravity = omr_scale(-values->vehicle[OMR_VP_GRAVITY], omr_terrain_up(values));
  omr_omni *omni = omr_reference_open(reference, sizeof *omni, gravity, why);
  if (!omni) return false;

  omni->study = study;
  omni->compliant = study->contact.compliant;
  omni->values = *values;
  omni->reference = reference;
  return build(omni, reference, why);
}

const omr_reference_model omr_reference_omni = {refuse, assemble, omr_omni_sample, omr_omni_observe,
                                                omr_omni_reduce};
