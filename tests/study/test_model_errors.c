/* Broken studies of discs and of the small models: what the omni models have and they do not. */
#include "refusals.h"

#define DISC(parameters, sections)                                                                 \
  "{'model': 'rolling_disc',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"

Test(model_errors, a_rolling_disc_has_contact_and_friction_of_its_own) {
  EXPECT_REFUSED(
      {DISC("'layout': {}", ""), {"rolling_disc has no \"layout\"", "describe rolling_disc"}},
      {DISC("'friction': 0.3", ""), {"parameters.friction: expected an object"}},
      {DISC("'friction': {'zone': 'cubic'}", ""),
       {"parameters.friction.zone", "\"quadratic\", \"linear\""}},
      {DISC("'friction': {'slip_speed': 0}", ""),
       {"friction.slip_speed is 0 m s-1; it must be above 0"}},
      {DISC("'friction': {'latral': 0.1}", ""), {"did you mean \"lateral\"?"}},
      {DISC("'ground': {'pull': true}", ""),
       {"parameters.ground.pull", "\"allowed\", \"none\", \"exudyn\""}},
      {DISC("'ground': {'stiffness': '0 N/m'}", ""), {"ground.stiffness is 0"}},
      {DISC("'ground': {'upper': 0.9}", ""), {"parameters.ground.upper"}},
      {DISC("'plane': {'slope': '91 deg'}", ""), {"parameters.plane.slope"}},
      {DISC("'initial': {'tilt': '181 deg'}", ""), {"parameters.initial.tilt"}},
      {DISC("'initial': {'velocity': 3}", ""), {"parameters.initial.velocity: expected an object"}},
      {DISC("'inertia': 1", ""), {"parameters.inertia"}},
      {DISC("", VARY("{'path': 'drive.torque', 'values': [1]}")),
       {"the model of this study is rolling_disc"}});
}

/* A disc that rolls has no use for what makes up a contact, nor for a velocity of its own. */
Test(model_errors, a_disc_that_rolls_has_no_contact_to_describe) {
  EXPECT_REFUSED({DISC("'contact': {}", ""), {"parameters.contact", "\"penalty\", \"rolling\""}},
                 {DISC("'contact': 'rolling', 'ground': {'stiffness': 1e5}", ""),
                  {"ground.stiffness\" has no effect: \"contact\" is \"rolling\" here, and "
                   "\"penalty\" uses it"}},
                 {DISC("'contact': 'rolling', 'friction': {'lateral': 0.4}", ""),
                  {"friction.lateral\" has no effect"}},
                 {DISC("'contact': 'rolling', 'friction': {'zone': 'linear'}", ""),
                  {"parameters.friction.zone", "\"friction.zone\" has no effect: \"contact\" is "
                                               "\"rolling\" here, and \"penalty\" uses it"}},
                 {DISC("'contact': 'rolling', 'ground': {'pull': 'allowed'}", ""),
                  {"\"ground.pull\" has no effect"}},
                 {DISC("'contact': 'rolling', 'initial': {'height': 1}", ""),
                  {"\"initial.height\" has no effect"}},
                 {DISC("'contact': 'rolling', 'initial': {'velocity': {'x': 1}}", ""),
                  {"\"initial.velocity.x\" has no effect"}},
                 {DISC("'contact': 'rolling'", VARY("{'path': 'friction.rolling', 'values': [1]}")),
                  {"\"friction.rolling\" has no effect"}});
}

/* Ground at rest has no motion, and each law of friction its own numbers. */
Test(model_errors, a_disc_has_what_its_ground_and_its_law_use) {
  EXPECT_REFUSED(
      {DISC("'ground': {'turn': {'rate': 1}}", ""),
       {"parameters.ground.turn.rate", "\"ground.turn.rate\" has no effect: \"ground.motion\" is "
                                       "\"rest\" here, and \"given\" uses it"}},
      {DISC("'ground': {'motion': 'moving'}", ""),
       {"parameters.ground.motion", "\"rest\", \"given\""}},
      {DISC("'ground': {'motion': 'given', 'turn': {'ramp': -1}}", ""), {"ground.turn.ramp is -1"}},
      {DISC("", VARY("{'path': 'ground.x.amplitude', 'values': [1]}")),
       {"\"ground.x.amplitude\" has no effect"}},
      {DISC("'tyre': {'friction': 0.8}", ""),
       {"\"tyre.friction\" has no effect: \"friction.law\" is \"coulomb\" here, and \"brush\" or "
        "\"magic_formula\" uses it"}},
      {DISC("'friction': {'law': 'brush', 'lateral': 0.4}", ""),
       {"\"friction.lateral\" has no effect: \"friction.law\" is \"brush\" here"}},
      {DISC("'friction': {'law': 'brush'}, 'tyre': {'shape': 1.3}", ""),
       {"\"tyre.shape\" has no effect"}},
      {DISC("'friction': {'law': 'brush', 'zone': 'linear'}", ""),
       {"\"friction.zone\" has no effect: \"friction.law\" is \"brush\" here, and \"coulomb\" "
        "uses it"}},
      {DISC("'friction': {'law': 'magic_formula'}, 'tyre': {'low_speed': 0}", ""),
       {"tyre.low_speed is 0 m s-1; it must be above 0"}},
      {DISC("'contact': 'rolling', 'friction': {'law': 'brush'}", ""),
       {"\"friction.law\" has no effect: \"contact\" is \"rolling\" here"}});
}

#define U(parameters, sections)                                                                    \
  "{'model': 'uk_wheel',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"

Test(model_errors, a_small_model_has_sections_and_words_of_its_own) {
  EXPECT_REFUSED(
      {U("'wheel': {'radius': 0.1}", ""),
       {"s.json:3: parameters.wheel", "uk_wheel has no \"wheel\"", "describe uk_wheel"}},
      {U("'wheels': [{}]", ""), {"uk_wheel has no \"wheels\""}},
      {U("'layout': {}", ""), {"uk_wheel has no \"layout\""}},
      {U("'contact': {}", ""), {"uk_wheel has no \"contact\""}},
      {U("'command': {}", ""), {"uk_wheel has no \"command\""}},
      {U("'initial': {'vx': 1}", ""), {"parameters.initial.vx"}},
      {U("'masss': 1", ""), {"did you mean \"mass\"?"}},
      {U("'mass': 0", ""), {"mass is 0 kg; it must be above 0"}},
      {U("'ground': 3", ""), {"parameters.ground: expected an object"}},
      {U("'ground': {'type': 'ice'}", ""),
       {"parameters.ground.type", "\"constant\", \"dip\", \"step\""}},
      {U("'friction': 0.3", ""), {"parameters.friction", "\"published\", \"physical\""}},
      {U("'ground': {'width': 1}", ""),
       {"parameters.ground.width", "\"ground.width\" has no effect: \"ground.type\" is "
                                   "\"constant\" here, and \"dip\" uses it"}},
      {U("'ground': {'lower': 0.2}", ""), {"\"dip\" or \"step\" uses it"}},
      {U("'drive': {'type': 'constant', 'rate': 1}", ""), {"\"drive.rate\" has no effect"}},
      {U("", VARY("{'path': 'ground.rate', 'values': [1]}")),
       {"vary[0].path", "\"ground.rate\" has no effect"}},
      {U("", VARY("{'path': 'wheel.friction', 'values': [1]}")),
       {"\"friction\" is a parameter of omni_vehicle, omni_wheel", "of this study is uk_wheel"}},
      {U("", VARY("{'path': 'wheels[0].friction', 'values': [1]}")),
       {"the model of this study is uk_wheel"}},
      {U("", VARY("{'path': 'platform.mass', 'values': [1]}")),
       {"is a parameter of omni_vehicle, disc_vehicle; the model of this study is uk"}},
      {V("", VARY("{'path': 'inertia', 'values': [1]}")),
       {"\"inertia\" is a parameter of uk_wheel, elastic_wheel; the model of this study is omni"}},
      {V("'inertia': 1", ""), {"parameters.inertia"}},
      {U("", ",\n'output': {'observables': ['exchanges']}"),
       {"\"exchanges\" is an observable of other models"}},
      {U("", ",\n'output': {'observables': ['motor_work']}"),
       {"\"motor_work\" is an observable of other models"}},
      {U("", ",\n'output': {'observables': ['wheel0_torque_rms']}"),
       {"is an observable of other models"}},
      {V("", ",\n'output': {'observables': ['stop_time']}"),
       {"\"stop_time\" is an observable of other models"}},
      {"{'model': 'uk_wheel',\n'integrator': {'step': 1e-4, 'duration': 1, 'exchange': 'split'}}",
       {"s.json:2: integrator.exchange", "uk_wheel has no rollers to exchange"}});
}

#define S(parameters, sections)                                                                    \
  "{'model': 'wheelset',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"

Test(model_errors, a_wheelset_has_two_wheels_of_its_own_and_joints) {
  EXPECT_REFUSED(
      {S("'wheel': {'radius': 0.1}", ""),
       {"s.json:3: parameters.wheel", "wheelset has no \"wheel\""}},
      {S("'half_track': 0", ""), {"half_track is 0 m; it must be above 0"}},
      {S("'left_wheel': {'masss': 1}", ""),
       {"parameters.left_wheel.masss", "did you mean \"mass\"?"}},
      {S("'joints': 'soft'", ""), {"parameters.joints", "\"rigid\", \"compliant\""}},
      {S("'joint': {'stiffness': '10 N/m'}", ""),
       {"parameters.joint.stiffness", "\"joint.stiffness\" has no effect: \"joints\" is \"rigid\" "
                                      "here, and \"compliant\" uses it"}},
      {S("", VARY("{'path': 'joint.damping', 'values': [1]}")),
       {"vary[0].path", "\"joint.damping\" has no effect", "\"compliant\" uses it"}},
      {S("'drive': {'torque': 3}", ""), {"parameters.drive.torque"}},
      {S("'drive': {'reaction': 'frame'}", ""), {"parameters.drive.reaction", "\"none\", \"rod\""}},
      {S("'initial': {'vz': 1}", ""), {"parameters.initial.vz"}},
      {U("", VARY("{'path': 'half_track', 'values': [1]}")),
       {"\"half_track\" is a parameter of wheelset"}});
}

#define PENALTY "'contact': {'normal': 'penalty'}"

Test(model_errors, a_disc_vehicle_refuses_what_it_would_ignore) {
  EXPECT_REFUSED({D("'wheel': {'tip_radius': 0.01}", ""),
                  {"s.json:3: parameters.wheel.tip_radius", "a disc has no rollers",
                   "give \"rollers\" and they are computed"}},
                 {D("'wheel': {'roller': {'density': 1000}}", ""),
                  {"parameters.wheel.roller.density", "a disc has no rollers"}},
                 {D("'wheels': [{'rollers': 8}, {'row_distance': 0.02}, {}]", ""),
                  {"parameters.wheels[1].row_distance", "no rollers"}},
                 {D("'wheel': {'rollers': 8, 'roller': {'bearing': 1e-6}}", ""),
                  {"\"roller.bearing\" is a parameter of omni_vehicle, omni_wheel; the model of "
                   "this study is disc_vehicle"}},
                 {D("'overlap': 'allow'", ""), {"parameters.overlap", "a disc has no rollers"}},
                 {"{'model': 'disc_vehicle',\n'integrator': {'step': 1e-4, 'duration': 1, "
                  "'exchange': 'split'}}",
                  {"s.json:2: integrator.exchange", "a disc_vehicle has no roller exchanges"}},
                 {D("'initial': {'spins': 'rolling'}", ""),
                  {"parameters.initial.spins", "a disc_vehicle has no rollers that turn"}},
                 {D("", VARY("{'path': 'wheel.rollers', 'values': [6, 8]}")),
                  {"vary[0].path", "a disc has no rollers"}},
                 {D("", VARY("{'path': 'wheel.roller.density', 'values': [1e3, 2e3]}")),
                  {"vary[0].path", "a disc has no rollers"}});
}

Test(model_errors, laws_and_words_of_contact_belong_to_their_models) {
  EXPECT_REFUSED({D("'contact': {'law': 'ideal_rolling'}", ""),
                  {"s.json:3: parameters.contact.law", "constrains rollers",
                   "\"regularized_coulomb\" or \"saturated_coulomb\""}},
                 {D("'contact': {'law': 'massless_rollers'}", ""),
                  {"parameters.contact.law", "the law massless_rollers"}},
                 {D("'contact': {'law': 'saturated_coulomb', 'saturation': 'components'}", ""),
                  {"parameters.contact.saturation",
                   "belongs to the law regularized_coulomb; here it is saturated_coulomb"}},
                 {D("'contact': {'normal': 'soft'}", ""),
                  {"parameters.contact.normal", "\"rigid\", \"penalty\""}},
                 {V("'contact': {'normal': 'penalty'}", ""),
                  {"parameters.contact.normal", "that of disc_vehicle", "\"compliant\""}},
                 {W("'contact': {'normal': 'compliant'}", ""),
                  {"parameters.contact.normal", "a word of omni_vehicle and disc_vehicle"}},
                 {D("'contact': {'normal': 'penalty', 'spring': 'hertz'}", ""),
                  {"parameters.contact.spring", "and here the contact is penalty"}},
                 {W("'contact': {'spring': 'hertz'}", ""),
                  {"parameters.contact.spring", "a word of omni_vehicle and disc_vehicle with"}},
                 {W("'contact': {'saturation': 'whole'}", ""),
                  {"parameters.contact.saturation", "a word of disc_vehicle", "omni_wheel"}},
                 {V("'wheel': {'contact': {'stiffness': 1e4}}", ""),
                  {"\"contact.stiffness\" belongs to compliant contact"}},
                 {W("'wheel': {'contact': {'stiffness': 1e4}}", ""),
                  {"\"contact.stiffness\" is a parameter of omni_vehicle, disc_vehicle"}});
}

Test(model_errors, heave_needs_penalty_contact) {
  EXPECT_REFUSED({D("'wheel': {'contact': {'stiffness': 1e4}}", ""),
                  {"parameters.wheel.contact.stiffness", "belongs to penalty contact"}},
                 {D("'initial': {'height': 0.01}", ""),
                  {"parameters.initial.height", "\"contact\": {\"normal\": \"penalty\"}"}},
                 {D("", VARY("{'path': 'initial.heave_rate', 'values': [0, 1]}")),
                  {"vary[0].path", "belongs to penalty contact"}},
                 {D(PENALTY ", 'wheel': {'contact': {'stiffness': 0}}", ""),
                  {"contact.stiffness is 0 N m-1; it must be above 0"}});
}

#define BOARD(parameters, sections)                                                                \
  "{'model': 'snakeboard',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"

Test(model_errors, a_snakeboard_has_gaits_and_no_wheels_of_the_omni_models) {
  EXPECT_REFUSED(
      {BOARD("'wheel': {'radius': 0.1}", ""),
       {"snakeboard has no \"wheel\"", "describe snakeboard"}},
      {BOARD("'gait': {'front': {'amplitud': 0.1}}", ""), {"did you mean \"amplitude\"?"}},
      {BOARD("'gait': {'front': {'frequency': '2 Hz'}}", ""), {"parameters.gait.front.frequency"}},
      {BOARD("'gait': {'wheelsets': 'parallel'}", ""),
       {"parameters.gait.wheelsets", "\"free\", \"opposite\""}},
      {BOARD("'gait': {'wheelsets': 'opposite', 'rear': {'phase': 1}}", ""),
       {"parameters.gait.rear.phase",
        "\"gait.rear.phase\" has no effect: \"gait.wheelsets\" is \"opposite\" here",
        "\"free\" uses it"}},
      {BOARD("'gait': {'wheelsets': 'opposite'}",
             VARY("{'path': 'gait.rear.amplitude', 'values': [0.1]}")),
       {"vary[0].path", "has no effect"}},
      {BOARD("'joints': 'soft'", ""), {"parameters.joints", "\"rigid\", \"compliant\""}},
      {BOARD("'joint': {'damping': 10}", ""),
       {"\"joint.damping\" has no effect: \"joints\" is \"rigid\" here"}},
      {BOARD("'coupler': {'half_length': 0}", ""),
       {"coupler.half_length is 0 m; it must be above 0"}},
      {BOARD("'scale': -1", ""), {"scale is -1"}},
      {BOARD("'initial': {'vz': 1}", ""), {"parameters.initial.vz"}});
}

#define BLOCK(parameters, sections)                                                                \
  "{'model': 'sliding_block',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"

Test(model_errors, a_block_has_one_law_with_its_own_parameters) {
  EXPECT_REFUSED(
      {BLOCK("'wheel': {'radius': 0.1}", ""),
       {"sliding_block has no \"wheel\"", "describe sliding_block"}},
      {BLOCK("'law': 'coulomb'", ""),
       {"parameters.law", "\"tanh\", \"saturated\", \"regularized\", \"set_valued\""}},
      {BLOCK("'friction': {'static': 0.5}", ""),
       {"parameters.friction.static", "\"friction.static\" has no effect: \"law\" is \"tanh\" here",
        "\"set_valued\" uses it"}},
      {BLOCK("'friction': {'slip_speed': 0.5}", ""),
       {"\"friction.slip_speed\" has no effect", "\"regularized\" uses it"}},
      {BLOCK("'plane': {'direction': 1}", ""), {"plane.direction"}},
      {BLOCK("'pull': {'type': 'sine', 'rate': '1 N/s'}", ""),
       {"\"pull.rate\" has no effect: \"pull.type\" is \"sine\" here", "\"ramp\" uses it"}},
      {BLOCK("'pull': {'force': '3 kg'}", ""), {"parameters.pull.force", "a force"}},
      {BLOCK("'pull': {'type': 'ramp', 'rate': '3 N'}", ""), {"parameters.pull.rate", "N/s"}},
      {BLOCK("", VARY("{'path': 'friction.static', 'values': [0.4]}")),
       {"vary[0].path", "has no effect"}});
}

#define ELASTIC(parameters, sections)                                                              \
  "{'model': 'elastic_wheel',\n" INTEGRATOR "'parameters': {" parameters "}" sections "}"

Test(model_errors, an_elastic_wheel_has_a_rim_besides_what_uk_wheel_has) {
  EXPECT_REFUSED(
      {ELASTIC("'rim': {'share': 0}", ""), {"rim.share is 0; it must be above 0"}},
      {ELASTIC("'rim': {'stiffness': 0}", ""), {"rim.stiffness is 0 N m; it must be above 0"}},
      {ELASTIC("'rim': {'stiffnes': 1}", ""), {"did you mean \"stiffness\"?"}},
      {ELASTIC("'ground': {'lower': 0.1}", ""),
       {"\"ground.lower\" has no effect: \"ground.type\" is \"constant\" here"}},
      {"{'model': 'uk_wheel',\n" INTEGRATOR "'parameters': {'rim': {'stiffness': 100}}}",
       {"parameters.rim"}});
}

Test(model_errors, the_ensembles_leave_general_tracking_to_the_reference) {
  static const char *const texts[] = {
      W("'contact': {'tracking': 'general'}", ""), V("'contact': {'tracking': 3}", ""),
      W("", VARY("{'path': 'contact.tracking', 'values': ['explicit', 'general_differential']}"))};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    omr_study *study;
    omr_result *result;
    omr_error error = {0};
    char *text = double_quoted(texts[i]);
    cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
                 error.message);
    cr_expect_eq(omr_run(study, NULL, &result, &error), OMR_ERR_STUDY);
    cr_expect_not_null(strstr(error.message, "omniroll reference"), "%s", error.message);
    omr_study_destroy(study);
    free(text);
  }
}
