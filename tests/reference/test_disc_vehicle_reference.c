/* Vehicles on discs in maximal coordinates against the engine. */
#include "against_engine.h"
#include "tests/skip.h"

/* Smooth motions: RK4 with steps of 0.01 ms, whose error is far below what is asserted. */

static const char disc_text[] =
    "{\"model\": \"disc_vehicle\", \"engine\": {\"backend\": \"openmp\"}, \"parameters\": "
    "{\"platform\": {\"mass\": 12, \"yaw_inertia\": 0.4, \"center_of_mass\": {\"x\": 0.01, "
    "\"height\": 0.12, \"z\": -0.02}}, \"layout\": {\"type\": \"rectangle\", \"half_length\": 0.2, "
    "\"half_width\": 0.15}, \"contact\": {\"law\": \"brush\"}, \"wheel\": {\"radius\": 0.1, "
    "\"friction\": 0.7, \"inclination\": 0.5, \"contact\": {\"rolling_friction\": 0.02}, \"tyre\": "
    "{\"lateral_stiffness\": 9, \"low_speed\": 0.3}, \"axle_bearing\": 0.002, \"drive\": "
    "{\"type\": "
    "\"sine\", \"torque\": 2}}, \"wheels\": [{\"initial\": {\"rate\": -20}}, {\"initial\": "
    "{\"rate\": -5}}, {\"initial\": {\"rate\": -25}}, {\"initial\": {\"rate\": 3}}], "
    "\"initial\": {\"vx\": 2, \"vz\": 0.5, \"yaw_rate\": 1}}, \"integrator\": {\"step\": \"0.1 "
    "ms\", "
    "\"duration\": \"0.5 s\"}, \"output\": {\"trajectories\": {\"instances\": [0], \"interval\": "
    "\"10 ms\"}}}";

/* Largest difference of all samples, each over 1 + the largest size of its column. */
static double difference_of_ranges(const omr_reference_run *run, const double *expected) {
  double largest = 0;
  for (int c = 0; c < run->columns; c++) {
    double size = 1, off = 0;
    for (size_t s = 0; s < run->times; s++) {
      const size_t at = s * (size_t)run->columns + (size_t)c;
      if (isnan(run->samples[at]) || isnan(expected[at])) continue;
      size = fmax(size, 1 + fabs(expected[at]));
      off = fmax(off, fabs(run->samples[at] - expected[at]));
    }
    largest = fmax(largest, off / size);
  }
  return largest;
}

static void compare_discs(const char *what, const char *const *overrides) {
  omr_study *study = study_of(disc_text, overrides);
  omr_reference_run run = integrate_reference(study);
  const char *all[MOST_OVERRIDES + 2] = {"integrator.step=\"0.01 ms\""};
  size_t times;
  for (int i = 0; overrides[i]; i++) all[i + 1] = overrides[i];
  cr_assert_eq(run.status, OMR_INSTANCE_OK, "%s: %d", what, run.status);
  double *expected = engine_trajectory(disc_text, all, &times, study->wheels);
  cr_assert_eq(times, run.times);
  const double off = difference_of_ranges(&run, expected);
  report_run(what, &run);
  cr_log_info("%s: largest difference %.2g of the range", what, off);
  cr_expect_lt(off, 1e-8, "%s: %.2g", what, off);
  free(expected);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}

/* Slips on both sides of s = 1, on ground whose friction changes, with a force from outside. */
Test(disc_vehicle_reference, vehicles_on_tyres) {
  compare_discs("brush", OVERRIDES("title=x"));
  compare_discs("magic formula",
                OVERRIDES("parameters.contact.law=magic_formula", "parameters.wheel.tyre.shape=1.6",
                          "parameters.wheel.tyre.curvature=-0.5"));
  compare_discs("brush on a dip",
                OVERRIDES("parameters.ground={\"type\": \"dip\", \"time\": 0.2}"));
  if (short_form()) return; /* omni_reference has forces from outside and three wheels */
  compare_discs("brush and wind",
                OVERRIDES("parameters.external={\"type\": \"constant\", \"force\": {\"x\": -5, "
                          "\"z\": 10}, \"height\": 0.3}"));
  compare_discs(
      "three wheels",
      OVERRIDES("parameters.layout={\"type\": \"ring\", \"wheels\": 3}",
                "parameters.wheels=[{}, {\"tyre\": {\"longitudinal_stiffness\": 8}}, {}]"));
}

/* Heave, pitch and roll on springs under the wheels, and on a suspension besides: every law. */
#define ON_SPRINGS(law, rest)                                                                      \
  "parameters.contact={\"normal\": \"compliant\", \"law\": \"" law "\"" rest "}",                  \
      "parameters.wheel.contact={\"stiffness\": 4e4, \"damping_ratio\": 0.2}",                     \
      "parameters.platform.roll_inertia=0.2", "parameters.platform.pitch_inertia=0.25"

Test(disc_vehicle_reference, vehicles_on_springs) {
  compare_discs("brush on springs", OVERRIDES(ON_SPRINGS("brush", "")));
  compare_discs("magic formula on Kelvin and Voigt's",
                OVERRIDES(ON_SPRINGS("magic_formula", ", \"damper\": \"kelvin_voigt\"")));
  compare_discs("brush on a suspension, uphill",
                OVERRIDES(ON_SPRINGS("brush", ""), "parameters.floor.slope=0.1",
                          "parameters.wheel.suspension={\"stiffness\": 5e3, \"damping\": 40, "
                          "\"mass\": 0.2}"));
}

/* Painted rollers under the laws by the slip velocity: what the engine's step leaves at the slip
 * speed's kink is of its second order. */
Test(disc_vehicle_reference, vehicles_on_painted_discs) {
  static const char *const laws[] = {
      "parameters.contact={\"law\": \"saturated_coulomb\"}",
      "parameters.contact={\"law\": \"regularized_coulomb\"}",
      "parameters.contact={\"law\": \"regularized_coulomb\", \"zone\": \"linear\"}"};
  const size_t count = short_form() ? 1 : sizeof laws / sizeof *laws;
  for (size_t i = 0; i < count; i++) {
    const char *const *overrides =
        OVERRIDES(laws[i], "parameters.wheel.slip_speed=0.3", "parameters.wheel.rollers=8");
    omr_study *study = study_of(disc_text, overrides);
    omr_reference_run run = integrate_reference(study);
    double whole =
        engine_difference(&run, disc_text, overrides, study->wheels, "integrator.step=\"0.04 ms\"");
    double half =
        engine_difference(&run, disc_text, overrides, study->wheels, "integrator.step=\"0.01 ms\"");
    cr_log_info("%s: %.2g at h, %.2g at h/2", laws[i], whole, half);
    cr_expect_lt(half, fmax(whole / 2, 1e-8), "%s: %.2g, %.2g", laws[i], whole, half);
    cr_expect_lt(half, 1e-6, "%s: %.2g", laws[i], half);
    omr_reference_run_free(&run);
    omr_study_destroy(study);
  }
}

Test(disc_vehicle_reference, discs_on_springs_and_by_components_are_refused_with_a_remedy) {
  static const struct {
    const char *contact, *reason;
  } cases[] = {{"parameters.contact={\"normal\": \"penalty\"}", "rigid floor"},
               {"parameters.contact={\"law\": \"regularized_coulomb\", \"saturation\": "
                "\"components\"}",
                "whole slip"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_refused(study_of(disc_text, OVERRIDES(cases[i].contact)), cases[i].reason);
}
