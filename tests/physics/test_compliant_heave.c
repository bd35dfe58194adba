/* Vertical motion in step with the exchanges, and what loads of wheels do
 * (appendix/observables.md#observables), of a vehicle that an external sine shakes in its steady
 * state: exact amplitudes of a driven oscillator. A fifth wheel that hangs in the air turns at the
 * sine's frequency over its roller count, so that the exchanges are known and excite nothing. */
#include "result/result.h"
#include "shared/motion.h"

#define PI 3.14159265358979323846
#define CORNER(x, z) "{\"x\": " #x ", \"z\": " #z ", \"axis_angle\": 0}"

static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\", \"damper\": \"kelvin_voigt\"},"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.4, \"roll_inertia\": 0.2, \"pitch_inertia\": "
    "0.3, \"center_of_mass\": {\"height\": 0.16}}, \"layout\": {\"type\": \"explicit\"},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"center_distance\": 0.088, \"friction\": 0,"
    "\"contact\": {\"stiffness\": 1e5, \"damping\": 0},"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}},"
    "\"wheels\": [" CORNER(0.25, 0.2) "," CORNER(0.25, -0.2) "," CORNER(-0.25, 0.2) "," CORNER(
        -0.25,
        -0.2) ",{\"x\": 0, \"z\": 0, \"axis_angle\": 0, \"roller\": {\"undersize\": "
              "0.005}}]},"
              "\"integrator\": {\"step\": \"50 us\", \"duration\": \"0.2 s\"}, \"engine\": "
              "{\"backend\": \"openmp\"}, \"output\": {\"observables\": "
              "[\"vertical_vibration_exchange\", \"height_exchange\", "
              "\"pitch_vibration_exchange\", "
              "\"roll_vibration_exchange\", \"vertical_vibration_peak\", \"pitch_vibration_peak\", "
              "\"roll_vibration_peak\", \"vertical_vibration_rms\", \"load_mean\", "
              "\"load_deviation\", "
              "\"dynamic_load_coefficient\", \"light_load_share\", \"wheel0_load_mean\", "
              "\"wheel3_load_deviation\", \"wheel4_load_mean\"]}}";

/* The vehicle of the text: masses, height of the whole centre of mass, static sag. */
static const double stiffness = 1e5, half_length = 0.25, half_width = 0.2, radius = 0.1;
static const double wheel_mass = 1.2 + 8 * 0.11, gravity = 9.81, mass = 10 + 5 * (1.2 + 8 * 0.11);
/* J_dd of a wheel (appendix/vehicle.md#masses, psi = 0) */
static const double diametral = 0.0035 + 8 * (0.5 * 0.11 * 0.088 * 0.088 + 0.5 * 7e-5);
/* Of the sine: eight periods a run, 500 steps each */
static const double omega = 2 * PI * 40;

static double centre_height(void) {
  return (10 * 0.16 + 5 * wheel_mass * radius) / mass;
}

static double sag(void) {
  return mass * gravity / (4 * stiffness);
}

/* Runs with a sine of `what` (a member of "external") at 40 Hz and the start given: the steady
 * state of a swing A sin(omega t) begins in its middle, with the rate A omega. A platform that
 * turns about the fifth wheel's axle leaves the wheel behind: its mean rate is that of the start
 * and `turns`. */
static omr_result *shaken(const char *what, const char *start, double rate, double turns,
                          const char *more) {
  char external[160], begin[80], height[80], wheel[80];
  snprintf(external, sizeof external,
           "parameters.external={\"type\": \"sine\", \"frequency\": 40, %s}", what);
  snprintf(begin, sizeof begin, "parameters.initial.%s=%.17g", start, rate);
  snprintf(height, sizeof height, "parameters.initial.height=%.17g", -sag());
  snprintf(wheel, sizeof wheel, "parameters.wheels[4].initial.rate=%.17g", omega / 8 - turns);
  return run_study(text, OVERRIDES(external, height, begin, wheel, more));
}

static void expect(const omr_result *r, const char *name, double expected, double share) {
  const double found = value_of(r, name, 0);
  cr_log_info("%s: %.12g, closed form %.12g", name, found, expected);
  cr_expect_float_eq(found, expected, share * fabs(expected));
}

Test(compliant_heave, a_driven_heave_has_its_amplitude_in_step_with_the_exchanges) {
  const double force = 30, swing = force / (4 * stiffness - mass * omega * omega);
  omr_result *r = shaken("\"force\": {\"y\": 30}", "heave_rate", swing * omega, 0, NULL);
  expect(r, "height_exchange", fabs(swing), 1e-7);
  expect(r, "vertical_vibration_exchange", omega * omega * fabs(swing), 1e-7);
  expect(r, "vertical_vibration_peak", omega * omega * fabs(swing), 1e-7);
  expect(r, "vertical_vibration_rms", omega * omega * fabs(swing) / sqrt(2), 1e-7);
  cr_expect_lt(value_of(r, "pitch_vibration_exchange", 0), 1e-9);
  cr_expect_lt(value_of(r, "roll_vibration_exchange", 0), 1e-9);
  /* each of the four carries a quarter, k (sag - y); the fifth nothing, all the time */
  const double load = mass * gravity / 4, deviation = stiffness * fabs(swing) / sqrt(2);
  expect(r, "wheel0_load_mean", load, 1e-9);
  expect(r, "load_mean", 4 * load / 5, 1e-9);
  expect(r, "load_deviation", deviation, 1e-7);
  expect(r, "wheel3_load_deviation", deviation, 1e-7);
  expect(r, "dynamic_load_coefficient", deviation / load, 1e-7);
  cr_expect_float_eq(value_of(r, "wheel4_load_mean", 0), 0, 1e-9);
  expect(r, "light_load_share", 1, 1e-12);
  omr_result_destroy(r);
}

/* Pitch does not turn the wheels, whose axles are across: stiffness and inertia of
 * compliant_motion::pitch_has_the_frequency_of_its_springs, the fifth wheel with them. */
Test(compliant_heave, a_driven_pitch_has_its_amplitude_in_step_with_the_exchanges) {
  const double h = centre_height(), up = (radius - h) * (radius - h);
  const double inertia = 0.3 + 10 * (0.16 - h) * (0.16 - h) +
                         4 * wheel_mass * (half_length * half_length + up) + wheel_mass * up;
  const double spring = 4 * stiffness * half_length * half_length + mass * gravity * (radius - h);
  const double swing = 0.2 / (spring - inertia * omega * omega);
  omr_result *r =
      shaken("\"torque\": {\"z\": 0.2}", "pitch_rate", swing * omega, swing * omega, NULL);
  expect(r, "pitch_vibration_exchange", omega * omega * fabs(swing), 1e-6);
  expect(r, "pitch_vibration_peak", omega * omega * fabs(swing), 1e-6);
  cr_expect_lt(value_of(r, "roll_vibration_exchange", 0), 1e-9);
  omr_result_destroy(r);
}

/* Roll likewise; the fifth wheel's axle is along it, so that it does not act as a gyroscope. */
Test(compliant_heave, a_driven_roll_has_its_amplitude_in_step_with_the_exchanges) {
  const double h = centre_height(), round = radius - 0.088, up = (radius - h) * (radius - h);
  const double inertia = 0.2 + 10 * (0.16 - h) * (0.16 - h) +
                         4 * (wheel_mass * (half_width * half_width + up) + diametral) +
                         wheel_mass * up;
  const double spring = 4 * stiffness * half_width * half_width + mass * gravity * (round - h);
  const double swing = 0.2 / (spring - inertia * omega * omega);
  omr_result *r = shaken("\"torque\": {\"x\": 0.2}", "roll_rate", swing * omega, swing * omega,
                         "parameters.wheels[4].axis_angle=90 deg");
  expect(r, "roll_vibration_exchange", omega * omega * fabs(swing), 1e-6);
  expect(r, "roll_vibration_peak", omega * omega * fabs(swing), 1e-6);
  cr_expect_lt(value_of(r, "pitch_vibration_exchange", 0), 1e-9);
  omr_result_destroy(r);
}

/* Four wheels at rest: the load k (sag - A sin) of each is below a tenth of an
 * even share while the sine is above x. */
Test(compliant_heave, wheels_are_light_for_a_part_of_each_period) {
  const double whole = 10 + 4 * wheel_mass, down = whole * gravity / (4 * stiffness);
  const double swing = -0.97 * down, force = swing * (4 * stiffness - whole * omega * omega);
  char external[160], rate[80], height[80];
  snprintf(external, sizeof external,
           "parameters.external={\"type\": \"sine\", \"frequency\": 40, \"force\": {\"y\": %.17g}}",
           force);
  snprintf(rate, sizeof rate, "parameters.initial.heave_rate=%.17g", swing * omega);
  snprintf(height, sizeof height, "parameters.initial.height=%.17g", -down);
  omr_result *r = run_study(
      text, OVERRIDES("parameters.wheels=null", "parameters.layout={\"type\": \"rectangle\"}",
                      "output.observables=[\"light_load_share\", \"load_deviation\"]", external,
                      height, rate));
  expect(r, "light_load_share", acos(0.9 / 0.97) / PI, 2.0 / (500 * 0.12));
  expect(r, "load_deviation", stiffness * fabs(swing) / sqrt(2), 1e-6);
  omr_result_destroy(r);
}
