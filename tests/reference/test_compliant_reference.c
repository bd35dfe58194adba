/* Vehicles on compliant contacts in the reference: rest, small swings about it, flight, the balance
 * of energy, and what they come to where the springs are stiff. */
#include "assembled.h"
#include "compliant_vehicle.h"

#include "host/reference/multibody/multibody.h"
#include "host/reference/vehicle/omni_compliant.h"

/* The vehicle of motion.h: a ring of three wheels on six rollers each. */
enum { WHEELS = 3, ROLLERS = 6 };
static const double radius = 0.1, center = 0.0822, ring = 0.3, platform_mass = 10,
                    wheel_mass = 1.2 + ROLLERS * 0.11, gravity = 9.81, com_height = 0.17;

static double mass_of_all(void) {
  return platform_mass + WHEELS * wheel_mass;
}

#define AT_REST                                                                                    \
  "parameters.initial.vx=0", "parameters.initial.vz=0", "parameters.initial.yaw_rate=0",           \
      "parameters.wheel.inclination=0"
#define SYMMETRIC "parameters.platform.center_of_mass.x=0", "parameters.platform.center_of_mass.z=0"

static omr_study *resting_study(const char *const *overrides) {
  omr_study *study = compliant_study(vehicle_text, overrides);
  for (int i = 0; i < study->wheels; i++) study->base.wheel[i][OMR_WP_RATE] = 0;
  return study;
}

static void set_wheels(omr_study *study, int parameter, double value) {
  for (int i = 0; i < study->wheels; i++) study->base.wheel[i][parameter] = value;
}

/* ---- rest */

/* At rest nothing accelerates; loads are those of the lever about the ring's middle, but for the
 * tilt of what stands on springs. */
static double difference_of_loads(double stiffness) {
  omr_study *study = resting_study((const char *const[]){AT_REST, NULL});
  set_wheels(study, OMR_WP_STIFFNESS, stiffness);
  assembled a;
  assemble_instance(study, &a);
  double *s = sample_instance(&a, WHEELS), worst = 0, sum = 0;
  const omr_omni *omni = a.reference.self;
  const omr_omni_motion m = omr_omni_free_motion(omni, a.reference.mb);
  cr_expect_lt(fabs(m.vertical) + fabs(m.turn_pitch) + fabs(m.turn_roll), 1e-9,
               "accelerates by %.3g m/s2, %.3g and %.3g rad/s2", m.vertical, m.turn_pitch,
               m.turn_roll);
  const double weight = mass_of_all() * gravity, part = platform_mass / mass_of_all();
  for (int i = 0; i < WHEELS; i++) {
    const double load = wheel_samples(s, i)[OMR_WS_LOAD],
                 lever = part * (0.02 * omni->wheel[i].place - 0.03 * omni->wheel[i].side);
    worst = fmax(worst, fabs(load / (weight / WHEELS * (1 + 2 * lever / (ring * ring))) - 1));
    sum += load;
  }
  cr_expect_float_eq(sum / weight, 1, 1e-9); /* sags of 0.2 um in places of 0.1 m */
  free(s);
  release_instance(&a);
  omr_study_destroy(study);
  return worst;
}

Test(compliant_reference, shares_its_weight_as_levers_say) {
  const double soft = difference_of_loads(1e5), stiff = difference_of_loads(1e8);
  cr_log_info("loads differ by %.2g and %.2g", soft, stiff);
  cr_expect_lt(soft, 1e-3);
  cr_expect_lt(stiff, 1e-6);
}

static void compare_sag(bool hertz, double stiffness, double expected) {
  omr_study *study = resting_study((const char *const[]){AT_REST, SYMMETRIC, NULL});
  study->contact.hertz = hertz;
  set_wheels(study, hertz ? OMR_WP_HERTZ_STIFFNESS : OMR_WP_STIFFNESS, stiffness);
  assembled a;
  assemble_instance(study, &a);
  double *s = sample_instance(&a, WHEELS);
  cr_expect_float_eq(s[OMR_VS_HEIGHT] / expected, 1, 1e-12, "height %.12g m instead of %.12g",
                     s[OMR_VS_HEIGHT], expected);
  free(s);
  release_instance(&a);
  omr_study_destroy(study);
}

Test(compliant_reference, sags_by_its_weight_over_the_springs) {
  const double share = mass_of_all() * gravity / WHEELS;
  compare_sag(false, 2e5, -share / 2e5);
  compare_sag(true, 3e7, -pow(share / 3e7, 2.0 / 3));
}

/* ---- small swings without friction and damping, about rest */

/* Largest difference from amplitude cos(omega t), over the amplitude. */
static double difference_from_cosine(const omr_study *study, int sample, double rest,
                                     double amplitude, double omega) {
  omr_reference_run run = integrate_reference(study);
  double worst = 0;
  for (size_t n = 0; n < run.times; n++) {
    const double found = run.samples[n * (size_t)run.columns + (size_t)sample] - rest;
    worst = fmax(worst, fabs(found / amplitude - cos(omega * run.time[n])));
  }
  cr_expect_eq(run.status, 0);
  omr_reference_run_free(&run);
  return worst;
}

#define SWINGS AT_REST, SYMMETRIC, TRACED, "integrator.duration=0.2 s"

static void compare_heave(bool hertz) {
  const double amplitude = hertz ? 1e-8 : 1e-6, share = mass_of_all() * gravity / WHEELS;
  omr_study *study = resting_study((const char *const[]){SWINGS, NULL});
  study->contact.hertz = hertz;
  set_wheels(study, OMR_WP_DAMPING_RATIO, 0);
  const double sag = hertz ? pow(share / 3e7, 2.0 / 3) : share / 4e5;
  study->base.vehicle[OMR_VP_INITIAL_HEIGHT] = amplitude - sag;
  const double omega = sqrt((hertz ? 1.5 : 1) * gravity / sag);
  const double found = difference_from_cosine(study, OMR_VS_HEIGHT, -sag, amplitude, omega);
  cr_log_info("heave at %.4g Hz: %.2g of the amplitude", omega / 2 / M_PI, found);
  cr_expect_lt(found, hertz ? 1e-4 : 1e-5);
  omr_study_destroy(study);
}

Test(compliant_reference, heaves_with_the_frequency_of_its_sag) {
  compare_heave(false);
  compare_heave(true);
}

/* Height of the centre of mass of the whole vehicle. */
static double height_of_all(void) {
  return (platform_mass * com_height + WHEELS * wheel_mass * radius) / mass_of_all();
}

/* Inertia about the centre of mass across the vertical: wheels and rollers that turn freely about
 * their axes have none about those. */
static double tilting_inertia(double of_platform) {
  const double up = height_of_all(),
               diametral = 0.0035 + ROLLERS * (0.5 * 0.11 * center * center + 0.5 * 7e-5);
  return of_platform + platform_mass * (com_height - up) * (com_height - up) +
         WHEELS * (wheel_mass * (radius - up) * (radius - up) + 0.5 * diametral +
                   0.5 * wheel_mass * ring * ring);
}

/* A tilt turns each wheel about its axle, which leaves the distance R of centre and floor, and
 * about its direction of travel, which lowers it as its rollers' axes are R1 from it. */
static double tilting_stiffness(double stiffness) {
  const double weight = mass_of_all() * gravity;
  return WHEELS * stiffness * 0.5 * ring * ring +
         weight * (radius - height_of_all() - 0.5 * center);
}

static void compare_tilt(int parameter, int sample, double inertia) {
  const double amplitude = 1e-7;
  omr_study *study = resting_study((const char *const[]){SWINGS, NULL});
  set_wheels(study, OMR_WP_DAMPING_RATIO, 0);
  study->base.vehicle[parameter] = amplitude;
  study->base.vehicle[OMR_VP_PLATFORM_ROLL_INERTIA] = 0.3;
  study->base.vehicle[OMR_VP_PLATFORM_PITCH_INERTIA] = 0.4;
  const double omega = sqrt(tilting_stiffness(4e5) / tilting_inertia(inertia));
  const double found = difference_from_cosine(study, sample, 0, amplitude, omega);
  cr_log_info("tilt at %.4g Hz: %.2g of the amplitude", omega / 2 / M_PI, found);
  cr_expect_lt(found, 1e-5);
  omr_study_destroy(study);
}

Test(compliant_reference, pitches_and_rolls_with_the_frequency_of_its_stiffness_and_inertia) {
  compare_tilt(OMR_VP_INITIAL_PITCH, OMR_VS_PITCH, 0.4);
  compare_tilt(OMR_VP_INITIAL_ROLL, OMR_VS_ROLL, 0.3);
}

/* Damping ratio: the amplitude falls by exp(-zeta omega t), and the frequency with it. */
Test(compliant_reference, heave_dies_out_by_the_damping_ratio) {
  const double share = mass_of_all() * gravity / WHEELS, sag = share / 4e5, zeta = 0.1,
               omega = sqrt(gravity / sag), damped = omega * sqrt(1 - zeta * zeta);
  for (int voigt = 0; voigt < 2; voigt++) {
    const double amplitude = 1e-8;
    omr_study *study = resting_study((const char *const[]){SWINGS, NULL});
    study->contact.kelvin_voigt = voigt;
    set_wheels(study, OMR_WP_DAMPING_RATIO, zeta);
    study->base.vehicle[OMR_VP_INITIAL_HEIGHT] = amplitude - sag;
    omr_reference_run run = integrate_reference(study);
    double worst = 0;
    for (size_t n = 0; n < run.times; n++) {
      const double t = run.time[n], found = run.samples[n * (size_t)run.columns + OMR_VS_HEIGHT];
      const double expected =
          exp(-zeta * omega * t) * (cos(damped * t) + zeta * omega / damped * sin(damped * t));
      worst = fmax(worst, fabs((found + sag) / amplitude - expected));
    }
    cr_log_info("damped heave: %.2g of the amplitude", worst);
    cr_expect_lt(worst, 2e-5);
    omr_reference_run_free(&run);
    omr_study_destroy(study);
  }
}

/* ---- flight */

Test(compliant_reference, falls_freely_and_comes_back_as_high) {
  omr_study *study = resting_study(
      (const char *const[]){AT_REST, SYMMETRIC, TRACED, "parameters.initial.height=0.002",
                            "integrator.duration=0.07 s", "integrator.step=0.1 ms", NULL});
  set_wheels(study, OMR_WP_DAMPING_RATIO, 0);
  omr_reference_run run = integrate_reference(study);
  const double fall = sqrt(2 * 0.002 / gravity), height = 0.002;
  double top = 0;
  for (size_t n = 0; n < run.times; n++) {
    const double *s = run.samples + n * (size_t)run.columns, t = run.time[n];
    if (t < fall) {
      cr_expect_float_eq(s[OMR_VS_HEIGHT], height - 0.5 * gravity * t * t, 1e-12);
      cr_expect_eq(wheel_samples(s, 0)[OMR_WS_LOAD], 0);
    }
    /* what it would rise to */
    if (s[OMR_VS_HEIGHT] > 0 && s[OMR_VS_VY] > 0)
      top = fmax(top, s[OMR_VS_HEIGHT] + s[OMR_VS_VY] * s[OMR_VS_VY] / (2 * gravity));
  }
  cr_expect_float_eq(top, height, 1e-9, "rises to %.12g m", top);
  /* on the springs m d'' = m g - 3 k d from d' = g fall on, until d is 0 again */
  const double omega = sqrt(WHEELS * 4e5 / mass_of_all()),
               stand = 2 / omega * (M_PI - atan(omega * fall));
  cr_expect_eq(run.observables[OMR_OBS_WHEEL_LIFTINGS], WHEELS);
  cr_expect_float_eq(run.observables[OMR_OBS_FEW_WHEELS_TIME], 0.07 - stand, 1e-9,
                     "%.12g s in the air", run.observables[OMR_OBS_FEW_WHEELS_TIME]);
  cr_expect_float_eq(run.observables[OMR_OBS_VERTICAL_PEAK], hypot(gravity, gravity * fall * omega),
                     1e-3);
  /* the tolerance, 1e-12 of places of 0.2 m, on springs of 1.2e6 N/m: 1e-9 m/s of the rebound */
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-7, "energy %.3g",
               run.observables[OMR_OBS_ENERGY_ERROR]);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}

/* ---- the balance of energy: driven with friction, bearings, exchanges, landing on a tilted side
 */

static void balance(const char *what, omr_study *study, long least_liftings) {
  omr_reference_run run = integrate_reference(study);
  const double *o = run.observables;
  report_run(what, &run);
  cr_log_info("%s: energy %.2g of the largest; %g exchanges, %g liftings, %g J lost", what,
              o[OMR_OBS_ENERGY_ERROR], o[OMR_OBS_EXCHANGES], o[OMR_OBS_WHEEL_LIFTINGS],
              o[OMR_OBS_DISSIPATED_ENERGY]);
  cr_expect_eq(run.status, 0);
  /* the tolerance by the springs; found 2e-9; 6e-8, 1e-8 and 3e-10 at 1e-10, 1e-11 and 1e-13 */
  cr_expect_lt(fabs(o[OMR_OBS_ENERGY_ERROR]), 1e-7);
  cr_expect_geq(o[OMR_OBS_EXCHANGES], 6);
  cr_expect_geq(o[OMR_OBS_WHEEL_LIFTINGS], (double)least_liftings);
  cr_expect_gt(o[OMR_OBS_DISSIPATED_ENERGY], 0);
  omr_reference_run_free(&run);
}

#define LANDS                                                                                      \
  "parameters.initial.height=0.003", "parameters.initial.pitch=0.005",                             \
      "parameters.initial.roll=-0.004", "parameters.wheel.friction=0.15",                          \
      "parameters.wheel.roller.bearing=2e-5", "parameters.wheel.axle_bearing=1e-3",                \
      "parameters.wheel.drive={\"type\": \"constant\", \"torque\": 0.9}",                          \
      "integrator.duration=0.2 s"

Test(compliant_reference, energy_is_balanced_over_exchanges_and_landings) {
  omr_study *study = compliant_study(vehicle_text, (const char *const[]){LANDS, NULL});
  set_wheels(study, OMR_WP_RATE, 12);
  balance("linear, Hunt-Crossley", study, WHEELS);
  study->contact.kelvin_voigt = true;
  balance("linear, Kelvin-Voigt", study, WHEELS);
  study->contact.hertz = true;
  set_wheels(study, OMR_WP_COVERAGE, 0.9);
  set_wheels(study, OMR_WP_FILLET, 0.003);
  set_wheels(study, OMR_WP_UNDERSIZE, 1e-4);
  balance("Hertz, Kelvin-Voigt, gaps", study, WHEELS);
  omr_study_destroy(study);
}

/* ---- stiff springs against a rigid floor: the pose of a vehicle that drives */

#define DRIVES                                                                                     \
  SYMMETRIC, "parameters.wheel.friction=0.5", "parameters.wheel.inclination=0",                    \
      "parameters.platform.center_of_mass.height=0.1", "parameters.wheel.center_distance=0.08",    \
      "integrator.duration=0.25 s"

static double distance_to_rigid(double stiffness, const omr_reference_run *rigid) {
  omr_study *study = compliant_study(vehicle_text, (const char *const[]){DRIVES, NULL});
  set_wheels(study, OMR_WP_STIFFNESS, stiffness);
  omr_reference_run run = integrate_reference(study);
  const double *o = run.observables, *r = rigid->observables;
  const double apart =
      hypot(o[OMR_OBS_FINAL_X] - r[OMR_OBS_FINAL_X], o[OMR_OBS_FINAL_Z] - r[OMR_OBS_FINAL_Z]);
  cr_log_info("%.0e N/m: %.3g m apart after %g and %g exchanges", stiffness, apart,
              o[OMR_OBS_EXCHANGES], r[OMR_OBS_EXCHANGES]);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
  return apart;
}

Test(compliant_reference, drives_as_on_a_rigid_floor_where_springs_are_stiff) {
  omr_study *study = study_of(vehicle_text, (const char *const[]){DRIVES, NULL});
  omr_reference_run rigid = integrate_reference(study);
  const double way = hypot(rigid.observables[OMR_OBS_FINAL_X], rigid.observables[OMR_OBS_FINAL_Z]);
  const double soft = distance_to_rigid(1e5, &rigid), middle = distance_to_rigid(1e6, &rigid),
               stiff = distance_to_rigid(1e7, &rigid);
  cr_log_info("of a way of %.3g m", way);
  cr_expect_lt(middle, soft);
  cr_expect_lt(stiff, middle);
  cr_expect_lt(stiff, 1e-2 * way);
  omr_reference_run_free(&rigid);
  omr_study_destroy(study);
}

/* ---- wheels on springs */

#define SPRUNG "parameters.wheel.suspension={\"stiffness\": 2e4, \"damping\": 0, \"mass\": 0.3}"

/* The heavier of two masses over each other swings on the springs in series, the lighter one
 * between them: the roots of det(K - omega^2 M) = 0. */
Test(compliant_reference, wheels_on_springs_heave_as_two_masses) {
  omr_study *study = resting_study((const char *const[]){SWINGS, SPRUNG, NULL});
  set_wheels(study, OMR_WP_DAMPING_RATIO, 0);
  const double unsprung = wheel_mass + 0.3, soft = 2e4, hard = 4e5, body = platform_mass / WHEELS;
  const double weight = (body + unsprung) * gravity, amplitude = 1e-6;
  study->base.vehicle[OMR_VP_INITIAL_HEIGHT] = -weight / hard + amplitude;
  const double a = body * unsprung, b = body * (soft + hard) + unsprung * soft, c = soft * hard,
               root = sqrt(b * b - 4 * a * c), slow = sqrt((b - root) / (2 * a)),
               fast = sqrt((b + root) / (2 * a));
  /* y of the body, z of the wheel: the start y = z = amplitude in modes (1, r) */
  const double rs = 1 - body * slow * slow / soft, rf = 1 - body * fast * fast / soft,
               part = (1 - rf) / (rs - rf);
  omr_reference_run run = integrate_reference(study);
  double worst = 0;
  for (size_t n = 0; n < run.times; n++) {
    const double found = run.samples[n * (size_t)run.columns + OMR_VS_HEIGHT], t = run.time[n];
    const double expected = part * cos(slow * t) + (1 - part) * cos(fast * t);
    worst = fmax(worst, fabs((found + weight / hard) / amplitude - expected));
  }
  cr_log_info("two masses at %.4g and %.4g Hz: %.2g of the amplitude", slow / 2 / M_PI,
              fast / 2 / M_PI, worst);
  cr_expect_lt(worst, 1e-5);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}

/* With preloads of its own the vehicle rests where nothing accelerates. */
Test(compliant_reference, rests_on_wheels_on_springs) {
  omr_study *study = resting_study(
      (const char *const[]){AT_REST, SPRUNG, "parameters.wheel.suspension.preload=30", NULL});
  assembled a;
  assemble_instance(study, &a);
  double *s = sample_instance(&a, WHEELS);
  const omr_omni_motion m = omr_omni_free_motion(a.reference.self, a.reference.mb);
  cr_expect_lt(fabs(m.vertical) + fabs(m.turn_pitch) + fabs(m.turn_roll), 1e-8);
  cr_log_info("travels %g, %g and %g m", wheel_samples(s, 0)[OMR_WS_TRAVEL],
              wheel_samples(s, 1)[OMR_WS_TRAVEL], wheel_samples(s, 2)[OMR_WS_TRAVEL]);
  for (int i = 0; i < WHEELS; i++) { /* level but for a thousandth */
    const double *w = wheel_samples(s, i), unsprung = (wheel_mass + 0.3) * gravity;
    cr_expect_float_eq(w[OMR_WS_LOAD] - unsprung, 30 + 2e4 * w[OMR_WS_TRAVEL], 1e-3);
  }
  free(s);
  release_instance(&a);
  omr_study_destroy(study);
}

Test(compliant_reference, energy_is_balanced_on_wheels_on_springs) {
  omr_study *study = compliant_study(
      vehicle_text,
      (const char *const[]){
          LANDS, "parameters.wheel.suspension={\"stiffness\": 2e4, \"damping\": 60}", NULL});
  set_wheels(study, OMR_WP_RATE, 12);
  balance("suspension", study, 1);
  omr_study_destroy(study);
}

/* ---- branches taken out body by body, against the whole system: masses and conditions all
 * together, or the conditions */

typedef enum way { TOGETHER, CONDITIONS } way;

static void compare_solutions(omr_study *study, way way, double tolerance) {
  assembled a;
  assemble_instance(study, &a);
  omr_mb *mb = a.reference.mb;
  cr_assert_eq(omr_mb_evaluate(mb, NULL, NULL), OMR_OK);
  const int states = mb->states, rows = mb->rows, left = mb->solver.size;
  double *rate = malloc(2 * (size_t)(states + rows) * sizeof *rate), *whole = rate + states + rows;
  double worst = 0, most = 0;
  for (int second = 0; second < 2; second++) {
    double *to = second ? whole : rate;
    mb->solver.light = second && way == TOGETHER;
    mb->solver.whole = second && way == CONDITIONS;
    cr_assert_eq(omr_mb_evaluate(mb, to, NULL), OMR_OK);
    memcpy(to + states, mb->multiplier, (size_t)rows * sizeof *to);
  }
  for (int n = 0; n < states + rows; n++) {
    most = fmax(most, fabs(whole[n]));
    worst = fmax(worst, fabs(rate[n] - whole[n]) / (1 + fabs(whole[n])));
  }
  cr_log_info("%d of %d rows left: %.2g, rates and forces to %.3g", left, rows, worst, most);
  cr_expect_gt(most, 10);
  cr_expect_lt(worst, tolerance);
  free(rate);
  release_instance(&a);
  omr_study_destroy(study);
}

#define TUMBLES                                                                                    \
  "parameters.initial.height=-0.0004", "parameters.initial.pitch=0.004",                           \
      "parameters.initial.pitch_rate=0.7", "parameters.initial.roll_rate=-0.4",                    \
      "parameters.wheel.roller.bearing=2e-5"

Test(compliant_reference, finds_body_by_body_what_the_whole_system_says) {
  compare_solutions(compliant_study(vehicle_text, (const char *const[]){TUMBLES, NULL}), TOGETHER,
                    1e-11);
  compare_solutions(compliant_study(vehicle_text, (const char *const[]){TUMBLES, SPRUNG, NULL}),
                    TOGETHER, 1e-11);
}

/* Rigid contacts close loops: the rollers in the air alone are taken out. Three wheels, a wheel of
 * nine rollers on its testbench, and four wheels whose loads are chosen. */
Test(compliant_reference, finds_without_rollers_in_the_air_what_the_whole_system_says) {
  static const char *const files[] = {"studies/first.json", "studies/testbench.json",
                                      "studies/mecanum_square.json"};
  for (int i = 0; i < 3; i++) {
    omr_study *study;
    omr_error error = {0};
    const char *turning[] = {i == 1 ? "parameters.wheel.rollers=9"
                                    : "parameters.wheel.initial.rate=20"};
    cr_assert_eq(omr_study_load(files[i], turning, 1, &study, &error), OMR_OK, "%s", error.message);
    compare_solutions(study, CONDITIONS, 1e-11);
  }
}
