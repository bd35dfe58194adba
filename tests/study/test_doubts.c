/* What is legal in a study and hardly meant (host/lists/doubts.def): each kind has a study that
 * raises it, and one next to it, on the other side of the limit, that does not. */
#include "../../host/model/doubts.h"

#include "refusals.h"

static omr_study *read(const char *text) {
  omr_study *study;
  omr_error error = {0};
  char *json = double_quoted(text);
  cr_assert_eq(omr_study_parse(json, "s.json", NULL, 0, &study, &error), OMR_OK, "%s: %s", text,
               error.message);
  free(json);
  return study;
}

/* Whether the nominal vehicle raises a doubt of this kind, whose text has these words. */
static bool raises(const char *text, omr_doubt_kind kind, const char *words) {
  omr_study *study = read(text);
  omr_scene scene;
  omr_doubts doubts;
  char reason[400];
  bool found = false;
  cr_assert(omr_scene_make(study, OMR_NONE, &scene, reason, sizeof reason), "%s: %s", text, reason);
  omr_doubts_find(&scene, &doubts);
  for (int i = 0; i < doubts.count; i++) {
    if (doubts.list[i].kind != kind) continue;
    found = true;
    if (words)
      cr_expect_not_null(strstr(doubts.list[i].text, words), "\"%s\" is not in: %s", words,
                         doubts.list[i].text);
  }
  omr_study_destroy(study);
  return found;
}

static void expect_limit(omr_doubt_kind kind, const char *raised, const char *words,
                         const char *silent) {
  cr_expect(raises(raised, kind, words), "no doubt of kind %s: %s", omr_doubt_words[kind], raised);
  cr_expect(!raises(silent, kind, NULL), "a doubt of kind %s: %s", omr_doubt_words[kind], silent);
}

#define BODY "'drive': {'type': 'body'}"
#define MECANUM(layout, wheel, more)                                                               \
  V("'layout': {'type': 'rectangle', 'mecanum': true" layout                                       \
    "}, 'wheel': {'inclination': '45 deg', 'tip_radius': '8 mm', 'rollers': 9" wheel "}" more,     \
    "")

/* Wheels in line touch where they are a diameter apart, 2 * 10 cm. */
Test(doubts, wheels_that_overlap) {
  expect_limit(OMR_DOUBT_OVERLAP, MECANUM(", 'half_length': 0.0995", "", ""), "wheels 0 and 2",
               MECANUM(", 'half_length': 0.1005", "", ""));
}

/* Three wheels at the distance r from the middle are sqrt(3) r apart: 19.9 cm and 20.1 cm. */
Test(doubts, a_wheel_larger_than_the_vehicle) {
  expect_limit(OMR_DOUBT_SIZE, V("'layout': {'radius': 0.115}", ""), "exceeds the platform",
               V("'layout': {'radius': 0.116}", ""));
}

Test(doubts, a_centre_of_mass_outside_the_polygon) {
#define LOADED(x)                                                                                  \
  MECANUM(", 'half_length': 0.2", ", 'disc': {'mass': 0}, 'roller': {'density': 1}",               \
          ", 'platform': {'mass': 100, 'yaw_inertia': 4, 'center_of_mass': {'x': " x "}}")
  expect_limit(OMR_DOUBT_BALANCE, LOADED("0.201"), "outside the support polygon", LOADED("0.199"));
}

/* Metres that look like millimetres: larger than any wheel of a vehicle. */
Test(doubts, a_length_in_another_unit) {
  expect_limit(OMR_DOUBT_LENGTH, V("'layout': {'radius': 15}, 'wheel': {'radius': 2.1}", ""),
               "write \"2.1 mm\"", V("'layout': {'radius': 15}, 'wheel': {'radius': 1.9}", ""));
  expect_limit(OMR_DOUBT_LENGTH, V("'layout': {'radius': 250}", ""), "write \"250 mm\"",
               V("'layout': {'radius': 19}", ""));
  expect_limit(OMR_DOUBT_LENGTH, V("'wheel': {'radius': 9e-4}", ""), "less than a millimetre",
               V("'wheel': {'radius': 1.1e-3}", ""));
}

/* An area of contact beside a roller of 10 mm radius in its middle. */
Test(doubts, a_contour_as_wide_as_the_roller) {
#define PRESSED(contour)                                                                           \
  V("'overlap': 'allow', 'wheel': {'radius': 0.05, 'center_distance': 0.04, 'contact': "           \
    "{'contour_radius': " contour "}}",                                                            \
    "")
  expect_limit(OMR_DOUBT_LENGTH, PRESSED("5.1e-3"), "half of the 1 cm", PRESSED("4.9e-3"));
  expect_limit(OMR_DOUBT_LENGTH, PRESSED("6e-3"), "half of the 1 cm",
               V("'wheel': {'kind': 'plain', 'contact': {'contour_radius': 6e-3}}", ""));
}

Test(doubts, an_angle_in_degrees) {
  expect_limit(OMR_DOUBT_ANGLE, V("'layout': {'first_angle': 6.3}", ""), "write \"6.3 deg\"",
               V("'layout': {'first_angle': 6.28}", ""));
}

/* A box about the wheels, 2 (17.3 + 10) cm by 2 (20 + 10) cm by 40 cm, of 23000 kg/m3: 3015 kg. */
Test(doubts, a_mass_in_grams) {
#define HEAVY(mass) V("'platform': {'mass': " mass ", 'yaw_inertia': 100}", "")
  expect_limit(OMR_DOUBT_MASS, HEAVY("3100"), "write \"3100 g\"", HEAVY("2900"));
  expect_limit(OMR_DOUBT_MASS, V("'wheel': {'roller': {'density': 1.2}}", ""), "g/cm3",
               V("'wheel': {'roller': {'density': 21}}", ""));
}

/* The wheels reach 30 cm from the middle: radii of gyration up to 60 cm and from 1.5 cm on. */
Test(doubts, an_inertia_of_another_vehicle) {
#define TURNING(inertia) V("'platform': {'mass': 10, 'yaw_inertia': " inertia "}", "")
  expect_limit(OMR_DOUBT_INERTIA, TURNING("3.7"), "radius of gyration", TURNING("3.5"));
  expect_limit(OMR_DOUBT_INERTIA, TURNING("2.2e-3"), "radius of gyration", TURNING("2.3e-3"));
}

/* 0.5 m/s forward turns wheels of 10 cm by 5 rad/s. */
Test(doubts, a_speed_beyond_the_motor) {
#define MOTOR(speed)                                                                               \
  MECANUM("", ", 'motor': {'stall_torque': 1, 'no_load_speed': " speed "}, " BODY,                 \
          ", 'command': {'type': 'constant', 'vx': 0.5}")
  expect_limit(OMR_DOUBT_SPEED, MOTOR("4.9"), "its motor reaches 4.9 rad/s", MOTOR("5.1"));
}

/* The same by duty: 10 k_e is 1 V s, so that the motor makes the supply's voltage itself at as many
 * rad/s. */
Test(doubts, a_speed_beyond_the_supply) {
#define SUPPLIED(voltage)                                                                          \
  MECANUM("",                                                                                      \
          ", 'motor': {'resistance': 1, 'torque_constant': 0.1, 'gear_ratio': 10}, 'drive': "      \
          "{'type': 'body', 'by': 'duty'}",                                                        \
          ", 'supply': {'voltage': " voltage "}, 'command': {'type': 'constant', 'vx': 0.5}")
  expect_limit(OMR_DOUBT_SPEED, SUPPLIED("4.9"), "supply.voltage over its constant",
               SUPPLIED("5.1"));
}

/* A tenth more than there is, is made up for: 1.1 * 0.3 * 9.81 m/s2 * cos 45 deg = 2.29 m/s2 of
 * grip, since rollers push along their axes alone, and a ramp of tanh has 0.7616 / ramp_time on
 * average. */
Test(doubts, an_acceleration_beyond_the_floor) {
#define RAMP(time)                                                                                 \
  MECANUM("", ", " BODY, ", 'command': {'type': 'tanh', 'vx': 1, 'ramp_time': " time "}")
  expect_limit(OMR_DOUBT_EFFORT, RAMP("0.33"), "the wheels slide", RAMP("0.34"));
}

/* Without rollers' mass: 100 kg and four discs of 1e-3 kg m2 / (10 cm)2, so 100.4 kg by 0.7616
 * m/s2, pushed by 4 torque / 10 cm: 1.91 N m for all of it, 1.74 N m for 1/1.1. */
Test(doubts, an_acceleration_beyond_the_motors) {
#define PUSHED(torque)                                                                             \
  MECANUM("",                                                                                      \
          ", 'disc': {'mass': 0}, 'roller': {'density': 1e-3}, 'drive': {'type': 'body', "         \
          "'torque_limit': " torque "}",                                                           \
          ", 'platform': {'mass': 100, 'yaw_inertia': 4}, 'command': {'type': 'tanh', 'vx': 1, "   \
          "'ramp_time': 1}")
  expect_limit(OMR_DOUBT_EFFORT, PUSHED("1.72"), "the vehicle lags", PUSHED("1.76"));
}

Test(doubts, a_command_that_nothing_follows) {
#define FOLLOWED(wheel, more) MECANUM("", wheel, ", 'command': {'type': 'constant', 'vx': 1}" more)
  expect_limit(OMR_DOUBT_GAIN, FOLLOWED("", ""), "no wheel has a drive",
               FOLLOWED("", ", 'initial': {'vx': 1}"));
  expect_limit(OMR_DOUBT_GAIN, FOLLOWED(", 'drive': {'type': 'body', 'kp': 1e-4, 'ki': 0}", ""),
               "raise drive.kp", FOLLOWED(", 'drive': {'type': 'body', 'kp': 1, 'ki': 0}", ""));
}

/* An axis of the ring of three, within 0.6 deg. */
Test(doubts, a_ring_whose_forward_is_no_axis_of_symmetry) {
#define RING(angle, vz)                                                                            \
  V("'layout': {'first_angle': " angle "}, 'wheel': {" BODY                                        \
    "}, 'command': {'type': 'constant', 'vx': 0.5, 'vz': " vz "}",                                 \
    "")
  expect_limit(OMR_DOUBT_ASKEW, RING("0", "0"), "layout.first_angle \"30 deg\"",
               RING("'30 deg'", "0"));
  expect_limit(OMR_DOUBT_ASKEW, RING("'29 deg'", "0"), NULL, RING("'29.5 deg'", "0"));
  /* who drives aside on purpose has a ring whose forward is an axis */
  cr_expect(!raises(RING("'30 deg'", "0.2"), OMR_DOUBT_ASKEW, NULL));
}

Test(doubts, wheels_that_cannot_drive_every_way) {
#define LEANING(layout)                                                                            \
  V("'layout': {'type': 'rectangle'" layout                                                        \
    "}, 'wheel': {'inclination': '45 deg', 'tip_radius': '8 mm', 'rollers': 9, " BODY              \
    "}, 'command': {'type': 'constant', 'vx': 0.5}",                                               \
    "")
  expect_limit(OMR_DOUBT_RANK, LEANING(""), "\"mecanum\": true", LEANING(", 'mecanum': true"));

  /* four tyres drive no way but forward, four that are steered drive every way */
#define TYRES(kind)                                                                                \
  V("'layout': {'type': 'rectangle'}, 'wheel': {'kind': '" kind "', " BODY                         \
    "}, 'command': {'type': 'constant', 'vz': 0.5}",                                               \
    "")
  expect_limit(OMR_DOUBT_RANK, TYRES("plain"), "sideways", TYRES("swerve"));

  /* an axle 20 cm ahead of the origin rolls straight on where vz = yaw rate * 20 cm */
#define AHEAD(vz)                                                                                  \
  V("'layout': {'type': 'explicit'}, 'wheel': {'kind': 'plain', " BODY                             \
    "}, 'wheels': [{'x': 0.2, 'z': -0.2}, {'x': 0.2, 'z': 0.2}, {'x': -0.2, 'z': 0, "              \
    "'drive': {'type': 'rate'}}], "                                                                \
    "'command': {'type': 'constant', 'vx': 0.5, 'yaw_rate': 1, 'vz': " vz "}",                     \
    "")
  expect_limit(OMR_DOUBT_RANK, AHEAD("-0.2"), "sideways", AHEAD("0.2"));

  /* a path that is followed without a yaw rate asks for every direction */
#define ALONG(motion)                                                                              \
  V("'layout': {'type': 'rectangle'}, 'wheel': {'kind': 'plain', " BODY                            \
    "}, 'command': {'type': 'path', 'motion': '" motion                                            \
    "', 'points': [[0, 0], [1, 0]], 'look_ahead': 0.3, 'period': 0.01}",                           \
    "")
  expect_limit(OMR_DOUBT_RANK, ALONG("translate"), "sideways", ALONG("turn"));
}

/* Rollers on top that form an O: columns of sizes 1, 1 and |a - b|/sqrt(a^2 + b^2), a ratio of 1/5
 * at a = 4/3 b. The remedy is the X, where it is a + b. */
Test(doubts, wheels_that_hardly_turn_the_vehicle) {
#define MOUNTED(inclination, half_length)                                                          \
  V("'layout': {'type': 'rectangle', 'mecanum': true, 'half_width': 0.3, "                         \
    "'half_length': " half_length "}, 'wheel': {'inclination': '" inclination                      \
    "', 'tip_radius': '8 mm', "                                                                    \
    "'rollers': 9, " BODY "}, 'command': {'type': 'constant', 'vx': 0.5}",                         \
    "")
  expect_limit(OMR_DOUBT_RANK, MOUNTED("-45 deg", "0.399"),
               "hardly turn the vehicle: with inclinations of -45, +45, +45, -45 deg their "
               "Jacobian has a condition number of 5.04",
               MOUNTED("-45 deg", "0.401"));
  expect_limit(OMR_DOUBT_RANK, MOUNTED("-45 deg", "0.3"), "cannot turn the vehicle",
               MOUNTED("45 deg", "0.3"));
  expect_limit(OMR_DOUBT_RANK, MOUNTED("-45 deg", "0.33"),
               "turn the inclinations round, to the other sign, which makes the condition number "
               "1.41",
               MOUNTED("45 deg", "0.33"));
}

/* Weight 3 g on three wheels that weigh next to nothing: 9.81 N each; thickness of the rollers
 * 0.1 (1 - cos(pi/6)) m = 13.4 mm. */
#define SPRUNG(contact, words)                                                                     \
  V("'contact': {'normal': 'compliant'" words                                                      \
    "}, 'platform': {'mass': 3}, 'wheel': {'contact': {" contact "}, " LIGHT "}",                  \
    "")
#define LIGHT                                                                                      \
  "'disc': {'mass': 0}, 'roller': {'mass': 1e-6, 'axial_inertia': 1e-9, "                          \
  "'diametral_inertia': 1e-9}"
Test(doubts, springs_that_give_way_too_far) {
  /* a tenth of 13.3975 mm under 9.81 N: 7322 N/m */
  expect_limit(OMR_DOUBT_SAG, SPRUNG("'stiffness': 7.3e3", ""), "raise contact.stiffness",
               SPRUNG("'stiffness': 7.35e3", ""));
  /* the same sag by Hertz: k = 9.81/0.00133975^1.5 = 2.0005e5 */
  expect_limit(OMR_DOUBT_SAG, SPRUNG("'hertz_stiffness': 1.99e5", ", 'spring': 'hertz'"),
               "raise contact.hertz_stiffness",
               SPRUNG("'hertz_stiffness': 2.01e5", ", 'spring': 'hertz'"));
}

Test(doubts, springs_that_are_damped_until_they_creep) {
  expect_limit(OMR_DOUBT_DAMPING, SPRUNG("'damping_ratio': 1.01", ""),
               "lower contact.damping_ratio", SPRUNG("'damping_ratio': 0.99", ""));
  /* ratio 1: c = 2/sqrt(g d) with d = 9.81/4e5 m: 128.95 s/m; D = 2 sqrt(k m) with m = 1 kg: 1265
   */
  expect_limit(OMR_DOUBT_DAMPING, SPRUNG("'dissipation': 130", ""), "lower contact.dissipation",
               SPRUNG("'dissipation': 128", ""));
  expect_limit(OMR_DOUBT_DAMPING, SPRUNG("'damping': 1270", ", 'damper': 'kelvin_voigt'"),
               "lower contact.damping", SPRUNG("'damping': 1260", ", 'damper': 'kelvin_voigt'"));
}

/* 0.05 m/s2 of the dampers (tests/physics/test_coast_down.c) are a twentieth of four axles'
 * 4 beta 20^2/(m v) at beta = 9.3e-3 N m s and 15 kg; without bearings 2.5 % of 1 m/s in 0.5 s is
 * nothing to tell, 7.5 % in 1.5 s is. */
#define COASTS(bearing, duration)                                                                  \
  "{'model': 'omni_vehicle', 'parameters': {'contact': {'normal': 'compliant'}, 'layout': "        \
  "{'type': 'rectangle', 'half_length': 0.2, 'half_width': 0.2}, 'platform': {'mass': 13}, "       \
  "'wheel': {'radius': 0.05, 'rollers': 10, 'inclination': 0, 'friction': 0.6, "                   \
  "'axle_bearing': " bearing                                                                       \
  ", 'contact': {'stiffness': 5e4}}, 'initial': {'vx': 1}}, 'integrator': {'step': "               \
  "'20 us', 'duration': " duration "}}"
Test(doubts, dampers_that_slow_a_vehicle_as_its_axles_do) {
  expect_limit(OMR_DOUBT_RESISTANCE, COASTS("9e-3", "0.5"), "take it off the friction of the axles",
               COASTS("9.6e-3", "0.5"));
  expect_limit(OMR_DOUBT_RESISTANCE, COASTS("0", "1.5"), "lower contact.damping_ratio",
               COASTS("0", "0.5"));
}

/* Wheels of 0.1 m, on a wave of 0.1 m: as round as they are at an amplitude of 10 (0.1/2 pi)^2 m =
 * 2.533 mm; a ramp of 0.1 m at a height of 10 0.1^2/6 m = 16.67 mm. A step of 0.1 ms covers a tenth
 * of a wave of 1 mm at 1 m/s. */
#define ON_FLOOR(floor, more)                                                                      \
  V("'contact': {'normal': 'compliant'}, 'floor': {" floor                                         \
    "}, 'wheel': {'contact': {'stiffness': 1e5}}" more,                                            \
    "")
Test(doubts, floors_that_one_point_of_a_roller_cannot_tell) {
  expect_limit(OMR_DOUBT_FLOOR, ON_FLOOR("'wave': {'length': 0.1, 'amplitude': 2.54e-3}", ""),
               "more than one place",
               ON_FLOOR("'wave': {'length': 0.1, 'amplitude': 2.52e-3}", ""));
  expect_limit(OMR_DOUBT_FLOOR, ON_FLOOR("'step': {'ramp': 0.1, 'height': 16.8e-3}", ""),
               "floor.step.ramp", ON_FLOOR("'step': {'ramp': 0.1, 'height': 16.5e-3}", ""));
  expect_limit(
      OMR_DOUBT_FLOOR,
      ON_FLOOR("'wave': {'length': 1e-3, 'amplitude': 1e-8}", ", 'initial': {'vx': 1.01}"),
      "shorten integrator.step",
      ON_FLOOR("'wave': {'length': 1e-3, 'amplitude': 1e-8}", ", 'initial': {'vx': 0.99}"));
}

/* A ridge of nodes 0.1 m apart, 1 m high by a scale of 1: the cubic bends by 5/(0.1 m)^2 on it, as
 * round as the wheels at 20 mm. Its edges bend by 2/0.1 m; R (20 h/m)^2/2 is a tenth of the sag of
 * 0.398 mm (39.8 N on 100 kN/m) at a height of 1.411 mm. */
#define ON_RIDGE(word, scale)                                                                      \
  ON_FLOOR("'map': {'file': 'tests/data/ridge.csv', 'interpolation': '" word                       \
           "', 'x': 5, 'scale': " scale "}",                                                       \
           "")
Test(doubts, maps_that_one_point_of_a_roller_cannot_tell) {
  expect_limit(OMR_DOUBT_FLOOR, ON_RIDGE("cubic", "0.0201"), "more than one place",
               ON_RIDGE("cubic", "0.0199"));
  expect_limit(OMR_DOUBT_FLOOR, ON_RIDGE("linear", "1.42e-3"), "edges of up to 0.028 rad",
               ON_RIDGE("linear", "1.40e-3"));
}

#define ASKS(law)                                                                                  \
  V("'contact': {'law': '" law "'}, 'overlap': 'allow', 'wheel': {'tip_radius': '8 mm'}",          \
    ", 'output': {'observables': ['lost_grip_time']}")
Test(doubts, lost_grip_of_contacts_that_cannot_slide) {
  expect_limit(OMR_DOUBT_GRIP, ASKS("ideal_rolling"), "will have no value", ASKS("udwadia_kalaba"));
}

/* A wheel sees the velocity of its centre in its plane: wheels in parallel do not see motion
 * across, and wheels whose planes meet in a place no turn about it. */
Test(doubts, odometry_that_does_not_see_every_motion) {
#define PLACED(wheels, odometry)                                                                   \
  V("'layout': {'type': 'explicit'}, 'platform': {'center_of_mass': {'height': 0.02}}, 'wheels': " \
    "[" wheels "], 'odometry': {" odometry "}",                                                    \
    "")
#define AT(x, z, angle) "{'x': " x ", 'z': " z ", 'axis_angle': '" angle " deg'}"
#define PARALLEL                                                                                   \
  AT("0.2", "-0.1", "0")                                                                           \
  ", " AT("0.2", "0.1", "0") ", " AT("-0.2", "0.1", "0") ", " AT("-0.2", "-0.1", "90")
  expect_limit(OMR_DOUBT_ODOMETRY, PLACED(PARALLEL, "'wheels': [0, 1, 2]"),
               "do not see motion sideways, so", PLACED(PARALLEL, "'wheels': [0, 1, 3]"));
  expect_limit(OMR_DOUBT_ODOMETRY, PLACED(PARALLEL, "'wheels': [0, 1], 'gyro': {}"),
               "do not see motion sideways, so", PLACED(PARALLEL, "'wheels': [0, 3], 'gyro': {}"));
#define SLANTED AT("0.2", "-0.1", "30") ", " AT("0.2", "0.1", "30") ", " AT("-0.2", "0.1", "30")
  expect_limit(OMR_DOUBT_ODOMETRY, PLACED(SLANTED, "'wheels': [0, 1, 2]"),
               "do not see motion at 60 deg to the right of forward, so", V("", ""));
  /* Three wheels whose planes meet in (0.1, 0.05). */
#define MEETING AT("0.2", "0.05", "0") ", " AT("-0.1", "0.05", "0") ", " AT("0.1", "-0.2", "90")
  expect_limit(OMR_DOUBT_ODOMETRY, PLACED(MEETING, "'wheels': [0, 1, 2]"),
               "do not see a turn about the place x = 10 cm, z = 5 cm of the vehicle, so",
               PLACED(MEETING, "'wheels': [0, 1, 2], 'gyro': {}"));
  expect_limit(OMR_DOUBT_ODOMETRY, V("", ", 'output': {'observables': ['encoder_slip']}"),
               "no wheel has a controller",
               V("'wheel': {'drive': {'type': 'speed', 'speed': 1, 'kp': 1}}",
                 ", 'output': {'observables': ['encoder_slip']}"));
  expect_limit(
      OMR_DOUBT_ODOMETRY, V("", ", 'output': {'observables': ['max_tracking_slip']}"),
      "parameters.odometry.wheels",
      V("'odometry': {'wheels': [0, 1, 2]}", ", 'output': {'observables': ['max_tracking_slip']}"));
}

/* Four driven wheels in the corners of a square and one without a drive in the middle of its front,
 * nearly without masses. The plane over the loads of five has N = M g (0.2 - 0.2 c + (5 c - 0.2) x)
 * / 0.96, c the place of the centre of mass: (0.16 + 0.8 c)/0.96 at the fifth wheel, a tenth at c =
 * -8 cm. Springs settle what each carries, and a caster is needed, whatever it carries. */
Test(doubts, passive_wheels_that_carry) {
#define DRIVEN(x, z) "{'x': " x ", 'z': " z ", 'axis_angle': 0}, "
#define PASSIVE(x)                                                                                 \
  "{'x': " x ", 'z': 0, 'axis_angle': 0, 'radius': '2 cm', 'rollers': 12, 'row_distance': "        \
  "'8 mm', 'drive': {'type': 'none'}}"
#define FIVE DRIVEN("0.2", "0.2") DRIVEN("0.2", "-0.2") DRIVEN("-0.2", "0.2") DRIVEN("-0.2", "-0.2")
#define STANDING(wheels, x, more)                                                                  \
  V("'layout': {'type': 'explicit'}, 'platform': {'mass': 100, 'yaw_inertia': 4, "                 \
    "'center_of_mass': {'x': " x "}}, " more "'wheel': {'disc': {'mass': 0}, 'roller': "           \
    "{'density': 21}, 'drive': {'type': 'constant', 'torque': 0}}, 'wheels': [" wheels "]",        \
    "")
  expect_limit(OMR_DOUBT_PASSIVE, STANDING(FIVE PASSIVE("0.2"), "-0.078", ""),
               "1 wheel without a drive carries 10.", STANDING(FIVE PASSIVE("0.2"), "-0.082", ""));
  cr_expect(!raises(STANDING(FIVE PASSIVE("0.2"), "0", "'contact': {'normal': 'compliant'}, "),
                    OMR_DOUBT_PASSIVE, NULL));
  cr_expect(!raises(STANDING(DRIVEN("0.2", "0.2") DRIVEN("0.2", "-0.2") PASSIVE("-0.2"), "0", ""),
                    OMR_DOUBT_PASSIVE, NULL));
  /* a third wheel that turns at a rate drives, one that is locked slides */
#define REST(rate) "{'x': -0.2, 'z': 0.1, 'drive': {'type': 'rate', 'rate': " rate "}}, "
#define THREE(rate) DRIVEN("0.2", "0.2") DRIVEN("0.2", "-0.2") REST(rate) PASSIVE("-0.2")
  expect_limit(OMR_DOUBT_PASSIVE, STANDING(THREE("1"), "0.1", ""), "1 wheel without a drive",
               STANDING(THREE("0"), "0.1", ""));
}

/* A wheel of 0.1 m slides where it turns by more than the slip speed of 0.05 m/s over that. The
 * remedy is the one of the message. */
Test(doubts, wheels_that_turn_where_the_vehicle_stands) {
#define TURNS(rate, initial) V("'wheel': {'drive': {'type': 'rate', 'rate': " rate "}}" initial, "")
  expect_limit(OMR_DOUBT_START, TURNS("0.51", ""), "\"initial\": \"rolling\" starts it",
               TURNS("0.49", ""));
  cr_expect(!raises(TURNS("0.51", ", 'initial': 'rolling'"), OMR_DOUBT_START, NULL));
  cr_expect(!raises(TURNS("0.51", ", 'initial': {'yaw_rate': 0.1}"), OMR_DOUBT_START, NULL));
}

/* Of four mecanum wheels the rates (e, e, -e, -e) belong to no motion. With 1 rad/s forward the
 * part is e/sqrt(1 + e^2): a tenth at e = 0.1005. */
Test(doubts, rates_at_the_start_that_disagree) {
#define RATED(rate) "{'drive': {'type': 'rate', 'rate': " rate "}}"
#define DISAGREE(more, less)                                                                       \
  MECANUM("", "",                                                                                  \
          ", 'initial': 'rolling', 'wheels': [" RATED(more) ", " RATED(more) ", " RATED(           \
              less) ", " RATED(less) "]")
  expect_limit(OMR_DOUBT_START, DISAGREE("-1.101", "-0.899"), "10 % of the wheels' rates",
               DISAGREE("-1.1", "-0.9"));
}

/* No kind without a test above. */
Test(doubts, are_all_tried) {
  cr_expect_eq(OMR_DOUBT_KINDS, 20,
               "a new kind of doubt needs a study that raises it, and one "
               "next to it that does not");
}
