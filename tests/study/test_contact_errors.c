/* Mistakes in the contact of a study: words and parameters of its laws. */
#include "refusals.h"

#define LAW(text) "'contact': {'law': 'regularized_coulomb'}, 'wheel': {" text "}"
#define NAMED_LAW(law) "'contact': {'law': '" law "'}"

Test(contact_errors, contact_tracking_is_one_of_four_words) {
  EXPECT_REFUSED(
      {V("'contact': {'tracking': 'implict'}", ""),
       {"s.json:3: parameters.contact.tracking", "did you mean \"implicit\"?", "\"explicit\""}},
      {V("'contact': {'tracking': true}", ""), {"expected one of \"explicit\", \"implicit\""}},
      {V("'contact': {'tracking': 4}", ""),
       {"contact.tracking is 4; it must be at least 0 and at most 3"}},
      {V("'contact': {'tracking': 0.5}", ""), {"must be a whole number"}},
      {V("'wheel': {'contact': {'tracking': 1}}", ""), {"parameters.wheel.contact.tracking"}},
      {V("'contact': {'law': 'classical_rollers', 'tracking': 'implicit'}", ""),
       {"parameters.contact.tracking", "no contact to track"}},
      {V("", VARY("{'path': 'contact.tracking',\n'values': ['explicit', 'vectors']}")),
       {"s.json:5: vary[0].values[1]"}},
      {V("", VARY("{'path': 'contact.tracking', 'uniform': ['explicit', 'implicit']}") RANDOM),
       {"list its \"values\" instead"}},
      {V("'contact': {'law': 'classical_rollers'}",
         VARY("{'path': 'contact.tracking', 'values': [0, 1]}")),
       {"no contact to track"}});
}

/* Numbers of other laws may stand in a study, so that it runs under each law. */
Test(contact_errors, what_another_law_uses_cannot_be_varied_and_its_words_are_refused) {
  EXPECT_REFUSED(
      {V("", VARY("{'path': 'wheel.contact.rolling_friction', 'values': [0.1]}")),
       {"vary[0].path", "the law saturated_coulomb does not use \"contact.rolling_friction\"",
        "choose another"}},
      {V("'contact': {'zone': 'linear'}", ""), {"\"zone\" belongs to the law regularized_coulomb"}},
      {V(LAW("'contact': {'lateral_friction': 0.1, 'longitudinal_friction': 0.2}"),
         VARY("{'path': 'wheel.friction', 'values': [0]}")),
       {"vary[0]", "wheel 0 has \"lateral_friction\" and \"longitudinal_friction\"",
        "vary these"}});
}

Test(contact_errors, words_of_contact_belong_to_their_laws) {
  EXPECT_REFUSED(
      {V("'contact': 3", ""), {"s.json:3: parameters.contact: expected an object"}},
      {V("'contact': {'law': 'coulomb'}", ""),
       {"parameters.contact.law", "\"saturated_coulomb\"", "\"classical_rollers\""}},
      {V("'contact': {'law': 'ideal_roling'}", ""), {"did you mean \"ideal_rolling\"?"}},
      {V("'contact': {'law': 4}", ""), {"parameters.contact.law"}},
      {V("'contact': {'lwa': 'ideal_rolling'}", ""),
       {"parameters.contact.lwa", "did you mean \"law\"?"}},
      {V("'contact': {'zone': 'linear'}", ""),
       {"s.json:3: parameters.contact.zone",
        "belongs to the law regularized_coulomb; here it is saturated_coulomb"}},
      {V("'contact': {'law': 'ideal_rolling',\n'zone': 'linear'}", ""),
       {"s.json:4: parameters.contact.zone", "regularized_coulomb; here it is ideal_rolling"}},
      {V("'contact': {'law': 'regularized_coulomb', 'zone': 'cubic'}", ""),
       {"contact.zone", "\"quadratic\", \"linear\""}},
      {V("'contact': {'weights': 'fixed'}", ""),
       {"\"weights\" belongs to the law udwadia_kalaba; here it is saturated_coulomb"}},
      {V("'contact': {'law': 'ideal_rolling', 'weights': 'tanh'}", ""),
       {"udwadia_kalaba; here it is ideal_rolling"}},
      {V("'contact': {'law': 'udwadia_kalaba', 'weights': 'given'}", ""),
       {"\"demand\", \"tanh\", \"fixed\""}},
      {V("'contact': {'law': 'massless_rollers', 'relaxation': 'coupled'}", ""),
       {"\"relaxation\" belongs to the law udwadia_kalaba; here it is massless_rollers"}},
      {V("'contact': {'law': 'udwadia_kalaba', 'relaxation': 'free'}", ""),
       {"\"coupled\", \"contact_wise\""}},
      {V("'contact': {'law': 'classical_rollers', 'passive': true}", ""),
       {"\"passive\" belongs to the law udwadia_kalaba; here it is classical_rollers"}},
      {V("'contact': {'law': 'udwadia_kalaba', 'passive': 1}", ""),
       {"contact.passive", "expected true or false"}},
      {V("'contact': {'impact': true}", ""),
       {"\"impact\" belongs to the law ideal_rolling, massless_rollers or classical_rollers; here "
        "it is "
        "saturated_coulomb"}},
      {V("'contact': {'law': 'udwadia_kalaba', 'impact': false}", ""),
       {"\"impact\" belongs", "here it is udwadia_kalaba"}},
      {V("'contact': {'law': 'ideal_rolling', 'impact': 'yes'}", ""),
       {"contact.impact", "expected true or false"}},
      {W("'contact': {'law': 'regularized_coulomb', 'impact': true}", ""),
       {"here it is regularized_coulomb"}});
}

Test(contact_errors, parameters_of_the_laws_keep_their_bounds) {
  EXPECT_REFUSED(
      {V("'wheel': {'contact': {'baumgarte': -1}}", ""),
       {"contact.baumgarte is -1 s-1; it must be at least 0"}},
      {V("'wheel': {'contact': {'stiction_gain': -1}}", ""), {"it must be at least 0"}},
      {V("'wheel': {'contact': {'friction_gain': -1}}", ""), {"it must be at least 0"}},
      {V("'wheel': {'contact': {'reference_speed': 0}}", ""),
       {"contact.reference_speed is 0 m s-1; it must be above 0"}},
      {V("'wheel': {'contact': {'weight': 1.1}}", ""),
       {"contact.weight is 1.1; it must be at least 0 and at most 1"}},
      {V("'wheels': [{}, {'contact': {'weight': -0.1}}, {}]", ""),
       {"wheels[1].contact.weight", "at least 0 and at most 1"}},
      {V("'wheel': {'contact': {'baumgart': 1}}", ""), {"did you mean \"baumgarte\"?"}},
      {V(NAMED_LAW("udwadia_kalaba"),
         RANDOM VARY("{'path': 'wheel.contact.weight', 'uniform': [0, 2]}")),
       {"s.json:5: vary[0]", "with weights of kind demand \"contact.weight\" has no effect"}},
      {V("'contact': {'law': 'udwadia_kalaba', 'weights': 'fixed'}",
         VARY("{'path': 'wheel.contact.weight', 'values': [0, 2]}")),
       {"vary[0].values[1]", "at most 1"}});
}

#define VARIED(path) VARY("{'path': '" path "', 'values': [1]}")
#define RELAXED(weights) "'contact': {'law': 'udwadia_kalaba', 'weights': '" weights "'}"

Test(contact_errors, what_the_law_does_not_use_cannot_be_varied) {
  EXPECT_REFUSED(
      {V("", VARIED("wheel.contact.baumgarte")),
       {"s.json:4: vary[0]", "the law saturated_coulomb does not use \"contact.baumgarte\"",
        "\"contact\": {\"law\": ...}"}},
      {V("", VARIED("wheels[1].contact.rolling_friction")),
       {"saturated_coulomb does not use \"contact.rolling_friction\""}},
      {V(NAMED_LAW("regularized_coulomb"), VARIED("wheel.contact.weight")),
       {"regularized_coulomb does not use \"contact.weight\""}},
      {V(NAMED_LAW("ideal_rolling"), VARIED("wheel.slip_speed")),
       {"the law ideal_rolling does not use \"slip_speed\""}},
      {V(NAMED_LAW("ideal_rolling"), VARIED("wheel.contact.stiction_gain")),
       {"ideal_rolling does not use \"contact.stiction_gain\""}},
      {V(NAMED_LAW("udwadia_kalaba"), VARIED("wheel.slip_speed")),
       {"udwadia_kalaba does not use \"slip_speed\""}},
      {V(NAMED_LAW("udwadia_kalaba"), VARIED("wheel.contact.lateral_viscous")),
       {"does not use \"contact.lateral_viscous\""}},
      {V(NAMED_LAW("massless_rollers"), VARIED("wheel.contact.friction_gain")),
       {"massless_rollers does not use"}},
      {W(NAMED_LAW("classical_rollers"), VARIED("wheel.contact.reference_speed")),
       {"classical_rollers does not use"}},
      {V(NAMED_LAW("udwadia_kalaba"), VARIED("wheel.contact.weight")),
       {"with weights of kind demand \"contact.weight\" has no effect"}},
      {V(RELAXED("tanh"), VARIED("wheel.contact.weight")),
       {"with weights of kind tanh \"contact.weight\" has no effect"}},
      {V(RELAXED("tanh"), VARIED("wheel.contact.stiction_gain")),
       {"kind tanh \"contact.stiction_gain\" has no effect"}},
      {V(RELAXED("tanh"), VARIED("wheel.contact.friction_gain")),
       {"kind tanh \"contact.friction_gain\" has no effect"}},
      {V(RELAXED("tanh"), VARIED("wheel.contact.reference_speed")),
       {"kind tanh \"contact.reference_speed\" has no effect"}},
      {V(RELAXED("fixed"), VARIED("wheels[0].contact.stiction_gain")),
       {"kind fixed \"contact.stiction_gain\" has no effect"}});
}

#define BEARING "'wheel': {'roller': {'bearing': 1e-4}}"

Test(contact_errors, massless_rollers_have_no_mass_to_vary) {
  EXPECT_REFUSED(
      {V(NAMED_LAW("massless_rollers"), VARIED("wheel.roller.density")),
       {"s.json:4: vary[0]",
        "under the law massless_rollers rollers have no mass, so \"roller.density\" has no effect",
        "explicit rollers"}},
      {V(NAMED_LAW("massless_rollers"), VARIED("wheels[1].roller.bore")),
       {"\"roller.bore\" has no effect"}},
      {V(NAMED_LAW("classical_rollers"), VARIED("wheel.roller.mass")),
       {"law classical_rollers", "\"roller.mass\" has no effect"}},
      {V(NAMED_LAW("classical_rollers"), VARIED("wheel.roller.axial_inertia")),
       {"\"roller.axial_inertia\" has no effect"}},
      {W(NAMED_LAW("massless_rollers"), VARIED("wheel.roller.diametral_inertia")),
       {"\"roller.diametral_inertia\" has no effect"}});
}

Test(contact_errors, massless_rollers_have_no_bearing_friction) {
  EXPECT_REFUSED(
      {V(NAMED_LAW("massless_rollers") ",\n" BEARING, ""),
       {"s.json:4: parameters.wheel.roller.bearing",
        "rollers without mass have no bearing friction", "choose a law with explicit rollers"}},
      {W(NAMED_LAW("classical_rollers") ", " BEARING, ""),
       {"parameters.wheel.roller.bearing", "have no bearing friction"}},
      {V(NAMED_LAW(
             "massless_rollers") ", 'wheels': [{}, {}, {'roller': {'bearing': '1e-4 N m s'}}]",
         ""),
       {"parameters.wheels[2].roller.bearing", "have no bearing friction"}},
      {V(NAMED_LAW("massless_rollers"),
         VARY("{'path': 'wheel.roller.bearing', 'values': [0, 1e-4]}")),
       {"s.json:4: vary",
        "\"wheel.roller.bearing\" is varied, but rollers without mass have no bearing friction"}},
      {V(NAMED_LAW("classical_rollers"),
         RANDOM VARY("{'path': 'wheels[1].roller.bearing', 'uniform': [0, 1e-4]}")),
       {"\"wheels[1].roller.bearing\" is varied"}});
}
