/* Laws of contact: what the reader makes of their words and parameters. */
#include "read_study.h"

Test(laws_reading, contact_is_saturated_coulomb_unless_given) {
  omr_study *study = read_study(V("", ""));
  cr_expect_eq(study->contact.law, OMR_LAW_COULOMB);
  cr_expect_not(study->contact.linear_zone);
  cr_expect_eq(study->contact.weights, OMR_WEIGHTS_DEMAND);
  cr_expect_not(study->contact.contact_wise);
  cr_expect_not(study->contact.passive);
  cr_expect(study->contact.impact);
  omr_study_destroy(study);
}

Test(laws_reading, every_law_has_its_word) {
  static const char *const words[] = {"saturated_coulomb", "regularized_coulomb",
                                      "ideal_rolling",     "udwadia_kalaba",
                                      "massless_rollers",  "classical_rollers"};
  for (int law = OMR_LAW_COULOMB; law <= OMR_LAW_CLASSICAL; law++) {
    char set[80];
    snprintf(set, sizeof set, "parameters.contact.law=%s", words[law]);
    const char *overrides[] = {set};
    omr_study *vehicle = read_with(V("", ""), overrides, 1),
              *wheel = read_with(W("", ""), overrides, 1);
    cr_expect_eq(vehicle->contact.law, (omr_law)law, "%s", words[law]);
    cr_expect_eq(wheel->contact.law, (omr_law)law, "%s", words[law]);
    cr_expect(vehicle->contact.impact);
    omr_study_destroy(vehicle);
    omr_study_destroy(wheel);
  }
}

Test(laws_reading, every_word_of_a_law_is_kept) {
  omr_study *study =
      read_study(V("'contact': {'law': 'regularized_coulomb', 'zone': 'linear'}", ""));
  cr_expect(study->contact.linear_zone);
  omr_study_destroy(study);
  study = read_study(V("'contact': {'law': 'regularized_coulomb', 'zone': 'quadratic'}", ""));
  cr_expect_not(study->contact.linear_zone);
  omr_study_destroy(study);
  study = read_study(V("'contact': {'law': 'udwadia_kalaba', 'weights': 'tanh', 'relaxation': "
                       "'contact_wise', 'passive': true}",
                       ""));
  cr_expect_eq(study->contact.weights, OMR_WEIGHTS_TANH);
  cr_expect(study->contact.contact_wise);
  cr_expect(study->contact.passive);
  omr_study_destroy(study);
  study = read_study(V("'contact': {'law': 'udwadia_kalaba', 'weights': 'demand', 'relaxation': "
                       "'coupled', 'passive': false}",
                       ""));
  cr_expect_eq(study->contact.weights, OMR_WEIGHTS_DEMAND);
  cr_expect_not(study->contact.contact_wise);
  cr_expect_not(study->contact.passive);
  omr_study_destroy(study);
  static const char *const impacts[3] = {
      V("'contact': {'law': 'ideal_rolling', 'impact': false}", ""),
      V("'contact': {'law': 'massless_rollers', 'impact': false}", ""),
      V("'contact': {'law': 'classical_rollers', 'impact': false}", "")};
  for (int i = 0; i < 3; i++) {
    study = read_study(impacts[i]);
    cr_expect_not(study->contact.impact);
    omr_study_destroy(study);
  }
}

Test(laws_reading, laws_have_their_parameters_wheel_by_wheel) {
  omr_study *study = read_study(V("'contact': {'law': 'udwadia_kalaba', 'weights': 'fixed'}, "
                                  "'wheel': {'contact': {'baumgarte': "
                                  "'20 1/s', 'stiction_gain': 2, 'friction_gain': 3, "
                                  "'reference_speed': '5 cm/s', 'weight': '25 %'}}, "
                                  "'wheels': [{}, {'contact': {'weight': 1, 'baumgarte': 0}}, {}]",
                                  ""));
  cr_expect_eq(study->contact.weights, OMR_WEIGHTS_FIXED);
  cr_expect_float_eq(WHEEL(study, 0, BAUMGARTE), 20, 1e-14);
  cr_expect_eq(WHEEL(study, 0, STICTION_GAIN), 2);
  cr_expect_eq(WHEEL(study, 0, FRICTION_GAIN), 3);
  cr_expect_float_eq(WHEEL(study, 0, REFERENCE_SPEED), 0.05, 1e-16);
  cr_expect_float_eq(WHEEL(study, 0, WEIGHT), 0.25, 1e-16);
  cr_expect_eq(WHEEL(study, 1, BAUMGARTE), 0);
  cr_expect_eq(WHEEL(study, 1, WEIGHT), 1);
  cr_expect_eq(WHEEL(study, 1, STICTION_GAIN), 2);
  cr_expect_float_eq(WHEEL(study, 2, WEIGHT), 0.25, 1e-16);
  omr_study_destroy(study);
}

/* A study may carry the parameters of other laws, so that it can be run under each. */
Test(laws_reading, what_a_law_uses_may_be_varied_and_foreign_parameters_may_stand) {
  static const struct {
    const char *law, *path;
  } cases[] = {{"{'law': 'saturated_coulomb'}", "wheel.slip_speed"},
               {"{'law': 'regularized_coulomb'}", "wheel.contact.lateral_friction"},
               {"{'law': 'ideal_rolling'}", "wheel.contact.baumgarte"},
               {"{'law': 'massless_rollers'}", "wheels[1].contact.baumgarte"},
               {"{'law': 'classical_rollers'}", "wheel.friction"},
               {"{'law': 'udwadia_kalaba'}", "wheel.contact.baumgarte"},
               {"{'law': 'udwadia_kalaba'}", "wheel.contact.stiction_gain"},
               {"{'law': 'udwadia_kalaba'}", "wheel.contact.friction_gain"},
               {"{'law': 'udwadia_kalaba'}", "wheel.contact.reference_speed"},
               {"{'law': 'udwadia_kalaba', 'weights': 'tanh'}", "wheel.contact.baumgarte"},
               {"{'law': 'udwadia_kalaba', 'weights': 'fixed'}", "wheel.contact.friction_gain"},
               {"{'law': 'udwadia_kalaba', 'weights': 'fixed'}", "wheel.contact.reference_speed"},
               {"{'law': 'udwadia_kalaba', 'weights': 'fixed'}", "wheels[2].contact.weight"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    snprintf(text, sizeof text,
             V("'contact': %s, 'wheel': {'slip_speed': 0.1, 'contact': {'weight': 0.5, "
               "'rolling_friction': 0.1}}",
               ", 'vary': [{'path': '%s', 'values': [0.5, 1]}]"),
             cases[i].law, cases[i].path);
    omr_study *study = read_study(text);
    cr_expect_eq(study->instances, 2u, "%s", cases[i].path);
    omr_study_destroy(study);
  }
}
