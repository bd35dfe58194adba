/* Motions on compliant contacts (appendix/springs.md#springs) against closed forms: rest, free
 * heave, pitch and roll, a bounce; rollers that nothing turns keep their spins over exchanges. */
#include "result/result.h"
#include "shared/motion.h"

static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\", \"damper\": \"kelvin_voigt\"},"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.4, \"roll_inertia\": 0.2, \"pitch_inertia\": "
    "0.3, \"center_of_mass\": {\"height\": 0.16}},"
    "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.25, \"half_width\": 0.2},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"center_distance\": 0.088, \"friction\": 0,"
    "\"contact\": {\"stiffness\": 1e5, \"damping\": 0},"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"50 us\", \"duration\": \"0.2 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}}";

/* The vehicle of the text: masses, and height of the whole centre of mass. */
static const double stiffness = 1e5, half_length = 0.25, half_width = 0.2, radius = 0.1;
static const double wheel_mass = 1.2 + 8 * 0.11, gravity = 9.81;
static const double mass = 10 + 4 * (1.2 + 8 * 0.11);
/* J_dd of a wheel (appendix/vehicle.md#masses, psi = 0) */
static const double diametral = 0.0035 + 8 * (0.5 * 0.11 * 0.088 * 0.088 + 0.5 * 7e-5);

static double centre_height(void) {
  return (10 * 0.16 + 4 * wheel_mass * radius) / mass;
}

/* Static sag: a wheel carries a quarter. */
static double sag(void) {
  return mass * gravity / (4 * stiffness);
}

static const double *samples_of(const omr_result *r, int quantity) {
  cr_assert_not_null(r->vehicle_samples[quantity]);
  return r->vehicle_samples[quantity];
}

/* Largest difference of a sampled quantity from `at + swing e^(-decay t) (cos omega t + decay/omega
 * sin omega t)`, over the swing. */
static double differs(const omr_result *r, int quantity, double at, double swing, double omega,
                      double decay) {
  const double *samples = samples_of(r, quantity);
  double worst = 0;
  for (size_t n = 0; n < r->sample_count; n++) {
    const double t = 0.01 * (double)n;
    const double expected =
        at + swing * exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t));
    worst = fmax(worst, fabs(samples[n] - expected) / fabs(swing));
  }
  return worst;
}

Test(compliant_motion, a_vehicle_at_rest_stays_at_its_static_sag) {
  omr_result *r = run_study(text, OVERRIDES("parameters.platform.center_of_mass.x=0.05"));
  const double *height = samples_of(r, OMR_VS_HEIGHT), *pitch = samples_of(r, OMR_VS_PITCH);
  /* loads of front and rear pairs by the lever: the tilt is their difference over the wheelbase */
  const double shift = 0.05 * 10 / mass, weight = mass * gravity;
  const double front = weight * (half_length + shift) / (4 * half_length);
  const double rear = weight / 2 - front;
  const double tilt = -(front - rear) / stiffness / (2 * half_length);
  for (size_t n = 0; n < r->sample_count; n++) {
    cr_expect_float_eq(height[n], -sag(), 1e-3 * sag());
    cr_expect_float_eq(height[n], height[0], 1e-15);
    cr_expect_float_eq(pitch[n], tilt, 2e-3 * fabs(tilt)); /* tilting moves the contacts */
  }
  cr_expect_float_eq(value_of(r, "vertical_vibration_rms", 0), 0, 1e-9);
  cr_expect_float_eq(value_of(r, "min_load", 0), rear, 2e-3 * rear);
  omr_result_destroy(r);
}

/* M y'' = -4 k y - 4 D y': linear as long as no wheel lifts, and exact. */
Test(compliant_motion, heave_is_that_of_a_damped_oscillator) {
  const double ratio = 0.15, omega0 = sqrt(4 * stiffness / mass), swing = 2e-4;
  char damping[80], height[80];
  snprintf(damping, sizeof damping, "parameters.wheel.contact.damping=%.17g",
           2 * ratio * omega0 * mass / 4);
  snprintf(height, sizeof height, "parameters.initial.height=%.17g", -sag() + swing);
  omr_result *r = run_study(text, OVERRIDES(damping, height));
  const double worst =
      differs(r, OMR_VS_HEIGHT, -sag(), swing, omega0 * sqrt(1 - ratio * ratio), ratio * omega0);
  cr_log_info("heave: %.2g of its swing off", worst);
  cr_expect_lt(worst, 1e-8);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-10);
  omr_result_destroy(r);
}

/* By the ratio of the study: the same damper, as the weight over the number of wheels on a spring k
 * has that of the whole on four. */
Test(compliant_motion, the_damping_ratio_gives_that_damper) {
  const double omega0 = sqrt(4 * stiffness / mass), swing = 2e-4;
  char height[80];
  snprintf(height, sizeof height, "parameters.initial.height=%.17g", -sag() + swing);
  omr_result *r = run_study(text, OVERRIDES("parameters.wheel.contact.damping=null",
                                            "parameters.wheel.contact.damping_ratio=0.15", height));
  cr_expect_lt(
      differs(r, OMR_VS_HEIGHT, -sag(), swing, omega0 * sqrt(1 - 0.15 * 0.15), 0.15 * omega0),
      1e-8);
  omr_result_destroy(r);
}

/* Small pitch about the centre of mass, which no friction moves: stiffness k sum a^2 + W (R - h)
 * from springs, gravity and the round wheels; the wheels themselves do not turn. */
Test(compliant_motion, pitch_has_the_frequency_of_its_springs) {
  const double h = centre_height(),
               inertia = 0.3 + 10 * (0.16 - h) * (0.16 - h) +
                         4 * wheel_mass * (half_length * half_length + (radius - h) * (radius - h));
  const double spring = 4 * stiffness * half_length * half_length + mass * gravity * (radius - h);
  char height[80];
  snprintf(height, sizeof height, "parameters.initial.height=%.17g", -sag());
  omr_result *r = run_study(text, OVERRIDES(height, "parameters.initial.pitch=1e-5"));
  const double worst = differs(r, OMR_VS_PITCH, 0, 1e-5, sqrt(spring / inertia), 0);
  cr_log_info("pitch: %.2g of its swing off", worst);
  cr_expect_lt(worst, 1e-7);
  omr_result_destroy(r);
}

/* Small roll likewise; a straight wheel leans on the round of its roller, of radius R - R1. */
Test(compliant_motion, roll_has_the_frequency_of_its_springs) {
  const double h = centre_height(), round = radius - 0.088;
  const double inertia =
      0.2 + 10 * (0.16 - h) * (0.16 - h) +
      4 * (wheel_mass * (half_width * half_width + (radius - h) * (radius - h)) + diametral);
  const double spring = 4 * stiffness * half_width * half_width + mass * gravity * (round - h);
  char height[80];
  snprintf(height, sizeof height, "parameters.initial.height=%.17g", -sag());
  omr_result *r = run_study(text, OVERRIDES(height, "parameters.initial.roll=1e-5"));
  const double worst = differs(r, OMR_VS_ROLL, 0, 1e-5, sqrt(spring / inertia), 0);
  cr_log_info("roll: %.2g of its swing off", worst);
  cr_expect_lt(worst, 1e-7);
  omr_result_destroy(r);
}

/* Hunt and Crossley without weight: v dv/(1 + c v) = -k d dd/m, so that in and out at depth 0
 * c v_in - ln(1 + c v_in) = -c v_out - ln(1 - c v_out), whatever k and m. */
static double rebound(double c, double in) {
  const double wanted = c * in - log(1 + c * in);
  double low = 0, high = fmin(in, 1 / c);
  for (int n = 0; n < 200; n++) {
    const double out = 0.5 * (low + high);
    if (-c * out - log(1 - c * out) < wanted)
      low = out;
    else
      high = out;
  }
  return low;
}

Test(compliant_motion, a_bounce_has_the_restitution_of_hunt_and_crossley) {
  omr_result *r = run_study(
      text, OVERRIDES("parameters.contact.damper=hunt_crossley", "parameters.gravity=1e-9",
                      "parameters.wheel.contact.damping=null",
                      "parameters.wheel.contact.dissipation=1.5", "parameters.initial.height=1e-4",
                      "parameters.initial.heave_rate=-0.3", "integrator.step=10 us"));
  const double out = samples_of(r, OMR_VS_VY)[r->sample_count - 1];
  cr_log_info("restitution %.6f, closed form %.6f", out / 0.3, rebound(1.5, 0.3) / 0.3);
  cr_expect_float_eq(out, rebound(1.5, 0.3), 1e-7);
  cr_expect_eq(value_of(r, "wheel_liftings", 0), 4);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-7);
  omr_result_destroy(r);
}

/* Every roller has a spin of its own, and nothing turns it: over exchanges in both directions the
 * one in contact has the spin that it began with, and energy stays. */
Test(compliant_motion, rollers_keep_their_spins_over_exchanges) {
  const char *spins =
      "parameters.initial.spins=[[1,2,3,4,5,6,7,8],[11,12,13,14,15,16,17,18],[21,22,23,24,25,26,27,"
      "28],[31,32,33,34,35,36,37,38]]";
  omr_result *r = run_study(text, OVERRIDES(spins, "parameters.wheels[0].initial.rate=40",
                                            "parameters.wheels[1].initial.rate=-40",
                                            "parameters.wheels[2].initial.rate=25",
                                            "parameters.wheels[3].initial.rate=-30",
                                            "integrator.duration=0.5 s"));
  for (size_t n = 0; n < r->sample_count; n++) {
    for (int i = 0; i < 4; i++) {
      const size_t at = n * 4 + (size_t)i;
      const double roller = r->wheel_samples[OMR_WS_ROLLER][at];
      cr_expect_float_eq(r->wheel_samples[OMR_WS_SPIN][at], 10 * i + 1 + roller, 1e-12);
    }
  }
  cr_expect_gt(value_of(r, "exchanges", 0), 80);
  cr_log_info("energy %.2g", value_of(r, "energy_error", 0));
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-7);
  omr_result_destroy(r);
}

/* Rolls to the right for half a second, on one roller a wheel and against the friction of its
 * bearings, and returns how far; stiffness 0: on rigid contacts. */
static double rolls_sideways(double stiff) {
  char springs[120];
  snprintf(springs, sizeof springs,
           "parameters.wheel.contact={\"stiffness\": %.17g, \"damping_ratio\": 0.5}", stiff);
  omr_result *r = run_study(
      text, OVERRIDES(stiff > 0 ? "parameters.contact={\"normal\": \"compliant\"}"
                                : "parameters.contact={\"law\": \"saturated_coulomb\"}",
                      stiff > 0 ? springs : "parameters.wheel.contact=null",
                      "parameters.platform.roll_inertia=null",
                      "parameters.platform.pitch_inertia=null", "parameters.wheel.friction=0.5",
                      "parameters.wheel.slip_speed=0.1", "parameters.wheel.roller.bearing=2e-4",
                      "parameters.initial={\"vz\": 0.5, \"spins\": \"rolling\"}",
                      "integrator.step=20 us", "integrator.duration=0.5 s"));
  const double way = value_of(r, "final_z", 0);
  cr_expect_eq(value_of(r, "exchanges", 0), 0);
  omr_result_destroy(r);
  return way;
}

/* Where no roller is exchanged the springs tilt the platform by its deceleration over k, and what
 * is left of the difference is in proportion: ten times for ten times, to a hundredth. */
Test(compliant_motion, without_exchanges_tends_to_the_rigid_contact_as_one_over_the_stiffness) {
  const double rigid = rolls_sideways(0);
  double before = 0;
  for (double stiff = 1e5; stiff < 2e7; stiff *= 10) {
    const double off = (rolls_sideways(stiff) - rigid) / rigid;
    cr_log_info("%.0e N/m: %.3g of the way off", stiff, off);
    if (before != 0) cr_expect_float_eq(before / off, 10, 0.1);
    before = off;
  }
  cr_expect_lt(fabs(before), 1e-7);
}
