/* Motions of snakeboard: the equations of Lewis et al., exact circles, symmetries, the gaits of
 * source 3, energy, the order of the method, where the model ends. The right-hand side alone:
 * test_snakeboard.c. */
#include "shared/motion.h"

#define BOARD "{\"model\": \"snakeboard\", \"engine\": {\"backend\": \"openmp\"}, "
#define RUN "\"integrator\": {\"step\": \"2 ms\", \"duration\": \"20 s\"}"

static void expect_near(const char *what, double value, double expected, double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance, "%s is %.15g, not %.15g", what, value, expected);
}

/* ---- the idealised model */

/* Masses with J_c + J_r + 2 J_w = m l^2, which the literature assumes. J_w = rod_inertia + 2
 * diametral_inertia, m = m_c + m_r. */
#define LEWIS_L 0.3
#define LEWIS_MASS 3.0
#define LEWIS_ROTOR 0.09
#define LEWIS_WHEELS 0.0012
#define LEWIS_COUPLER (LEWIS_MASS * LEWIS_L * LEWIS_L - LEWIS_ROTOR - 2 * LEWIS_WHEELS)

static const double gait[3][3] = {
    {0.5, 2, 0.4}, {-0.5, 2, 0.4}, {1.1, 3, -0.2}}; /* front, rear, rotor */

/* q = (x, z, theta, p): J. Ostrowski, A. Lewis, R. Murray, J. Burdick (1994), in the form of A.
 * Bloch, P. Krishnaprasad, J. Marsden, R. Murray, Nonholonomic mechanical systems with symmetry
 * (1996), section 8.4, for phi = phi_f = -phi_b, psi the rotor's angle:
 *
 *   p' = 2 J_r cos^2 phi phi' psi' - p phi' tan phi
 *   u = p/(2 m l) - J_r/(m l) sin phi cos phi psi',  w = 0
 *   theta' = p tan phi/(2 m l^2) - J_r/(m l^2) sin^2 phi psi'
 *
 * with p for the direction (2 l cos^2 phi, 0, sin 2 phi). */
static void lewis_rates(double t, const double q[4], double dq[4]) {
  double phi = gait[0][0] * sin(gait[0][1] * t + gait[0][2]),
         dphi = gait[0][0] * gait[0][1] * cos(gait[0][1] * t + gait[0][2]);
  double dpsi = gait[2][0] * gait[2][1] * cos(gait[2][1] * t + gait[2][2]), m = LEWIS_MASS,
         l = LEWIS_L;
  double u = q[3] / (2 * m * l) - LEWIS_ROTOR / (m * l) * sin(phi) * cos(phi) * dpsi;
  dq[0] = u * cos(q[2]);
  dq[1] = -u * sin(q[2]);
  dq[2] = q[3] * tan(phi) / (2 * m * l * l) - LEWIS_ROTOR / (m * l * l) * pow(sin(phi), 2) * dpsi;
  dq[3] = 2 * LEWIS_ROTOR * pow(cos(phi), 2) * dphi * dpsi - q[3] * dphi * tan(phi);
}

/* By the classical Runge-Kutta method from rest of the coupler: p = sin 2 phi J_r psi'. */
static void lewis_motion(double duration, int steps, double q[4]) {
  static const double ends[] = {0, 0.5, 0.5, 1}, weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double h = duration / steps;
  q[0] = q[1] = q[2] = 0;
  q[3] = sin(2 * gait[0][0] * sin(gait[0][2])) * LEWIS_ROTOR * gait[2][0] * gait[2][1] *
         cos(gait[2][2]);
  for (int k = 0; k < steps; k++) {
    double at[4], rate[4] = {0}, sum[4] = {0};
    for (int s = 0; s < 4; s++) {
      for (int j = 0; j < 4; j++) at[j] = q[j] + ends[s] * h * rate[j];
      lewis_rates((k + ends[s]) * h, at, rate);
      for (int j = 0; j < 4; j++) sum[j] += weights[s] * h * rate[j];
    }
    for (int j = 0; j < 4; j++) q[j] += sum[j];
  }
}

static omr_result *run_lewis(const char *scale) {
  char text[2000];
  snprintf(
      text, sizeof text,
      BOARD
      "\"parameters\": {\"coupler\": {\"mass\": 1, \"yaw_inertia\": %.17g, \"half_length\": %.17g},"
      "\"rotor\": {\"mass\": 2, \"yaw_inertia\": %.17g}, \"wheelset\": {\"rod_inertia\": 0.0002, "
      "\"diametral_inertia\": 0.0005},"
      "\"gait\": {\"front\": {\"amplitude\": %g, \"frequency\": %g, \"phase\": %g}, \"rear\": "
      "{\"amplitude\": %g,"
      "\"frequency\": %g, \"phase\": %g}, \"rotor\": {\"amplitude\": %g, \"frequency\": %g, "
      "\"phase\": %g}}, \"scale\": %s}," RUN "}",
      LEWIS_COUPLER, LEWIS_L, LEWIS_ROTOR, gait[0][0], gait[0][1], gait[0][2], gait[1][0],
      gait[1][1], gait[1][2], gait[2][0], gait[2][1], gait[2][2], scale);
  return run_study(text, NULL);
}

/* Source 3: "small enough, 1e-7 for our simulations, the motions compared become practically
 * indistinguishable". */
Test(snakeboard_motion, small_scale_is_the_model_of_lewis_and_others) {
  static const char *const scales[] = {"0", "1e-7", "1"}, *const columns[] = {"final_x", "final_z",
                                                                              "final_yaw"};
  double q[4], error[3] = {0};
  lewis_motion(20, 20000, q);
  for (int i = 0; i < 3; i++) {
    omr_result *r = run_lewis(scales[i]);
    for (int j = 0; j < 3; j++) error[i] = fmax(error[i], fabs(value_of(r, columns[j], 0) - q[j]));
    omr_result_destroy(r);
  }
  cr_expect_lt(error[0], 1e-9, "scale 0: %g", error[0]);
  cr_expect_lt(error[1], 1e-6, "scale 1e-7: %g", error[1]);
  cr_expect_gt(error[1], 100 * error[0], "the scale is without effect");
  cr_expect_gt(error[2], 0.05, "scale 1: %g", error[2]);
}

/* ---- exact motions */

/* Wheelsets held at +-0.3 rad, no gait: the board coasts on a circle of radius l/tan(0.3) about the
 * meeting point of its axles. The forces along the axles turn all masses: lambda = r^2 (M rho/(2
 * cos) + m_s l/sin). The left turn's right wheels are faster.
 */
Test(snakeboard_motion, a_coasting_board_goes_in_a_circle) {
  static const char text[] =
      BOARD "\"parameters\": {\"gait\": {\"front\": {\"amplitude\": 0.3, \"frequency\": 0, "
            "\"phase\": \"90 deg\"},"
            "\"rear\": {\"amplitude\": -0.3, \"frequency\": 0, \"phase\": \"90 deg\"}, \"rotor\": "
            "{\"amplitude\": 0}},"
            "\"initial\": {\"x\": 1, \"z\": -2, \"yaw\": 0.5, \"vx\": 0.7}}," RUN "}";
  omr_result *r = run_study(text, NULL);
  double rho = 0.2 / tan(0.3), rate = 0.7 / rho, yaw = 0.5 + 20 * rate;
  /* defaults: M = 4 kg, m_s = 1 kg */
  double force = rate * rate * (4 * rho / (2 * cos(0.3)) + 1 * 0.2 / sin(0.3));
  expect_near("x", value_of(r, "final_x", 0), 1 + rho * (sin(yaw) - sin(0.5)), 1e-10);
  expect_near("z", value_of(r, "final_z", 0), -2 + rho * (cos(yaw) - cos(0.5)), 1e-10);
  expect_near("yaw", value_of(r, "final_yaw", 0), yaw, 1e-12);
  expect_near("vx", value_of(r, "final_vx", 0), 0.7, 1e-14);
  expect_near("path", value_of(r, "path_length", 0), 14, 1e-11);
  expect_near("force", value_of(r, "max_lateral_force", 0), force, 1e-12 * force);
  expect_near("torque", value_of(r, "max_servo_torque", 0), 0, 1e-14);
  expect_near("distance", value_of(r, "distance", 0), 2 * rho * fabs(sin(10 * rate)), 1e-10);
  expect_near("speed", value_of(r, "max_speed", 0), 0.7, 1e-14);
  /* 4 kg and two wheelsets of 1 kg + 2 I_a/R^2 at l/sin(0.3); yaw inertia 0.03 + 0.07 + 2 J_e, J_e
   * with the spin of the wheels */
  double spun = 4e-4 / 0.0025, steered = 5e-4 + 4e-4 + 2 * 0.0036 * (0.3 + spun);
  double energy = 0.5 * rate * rate *
                  (4 * rho * rho + 2 * (1 + 2 * spun) * pow(0.2 / sin(0.3), 2) + 0.1 + 2 * steered);
  expect_near("energy", value_of(r, "kinetic_energy", 0), energy, 1e-13);
  omr_result_destroy(r);
}

/* Axles at right angles to the coupler: the rotor moves nothing, and the board keeps its velocity.
 * Then the rotor alone has energy, J_r psi'^2/2, and its servo's torque is J_r psi''. */
Test(snakeboard_motion, straight_wheels_let_the_rotor_swing_in_vain) {
  static const char text[] = BOARD
      "\"parameters\": {\"gait\": {\"front\": {\"amplitude\": 0}, \"rear\": {\"amplitude\": 0},"
      "\"rotor\": {\"amplitude\": 0.8, \"frequency\": 5}}, \"initial\": {\"vx\": -0.4}}," RUN "}";
  omr_result *r = run_study(text, NULL);
  expect_near("x", value_of(r, "final_x", 0), -8, 1e-12);
  expect_near("yaw", value_of(r, "final_yaw", 0), 0, 0x1p-1000);
  expect_near("torque", value_of(r, "max_servo_torque", 0), 0.07 * 0.8 * 25, 1e-5);
  expect_near("work", value_of(r, "drive_work", 0), 0.035 * 16 * (pow(cos(100), 2) - 1), 1e-10);
  omr_result_destroy(r);
}

/* ---- symmetries */

#define SWINGS                                                                                     \
  "\"parameters\": {\"gait\": {\"front\": {\"amplitude\": 0.5, \"frequency\": 2, \"phase\": 0.3}," \
  "\"rear\": {\"amplitude\": -0.7, \"frequency\": 3, \"phase\": 1}, \"rotor\": {\"amplitude\": "   \
  "1.1, \"frequency\": 2.5}},"                                                                     \
  "\"initial\": {\"vx\": 0.2}},"

Test(snakeboard_motion, opposite_angles_give_the_mirror_image) {
  omr_result *r = run_study(BOARD SWINGS RUN "}", NULL);
  omr_result *m =
      run_study(BOARD SWINGS RUN "}", OVERRIDES("parameters.gait.front.amplitude=-0.5",
                                                "parameters.gait.rear.amplitude=0.7",
                                                "parameters.gait.rotor.amplitude=-1.1"));
  cr_expect_eq(value_of(r, "final_x", 0), value_of(m, "final_x", 0));
  cr_expect_eq(value_of(r, "final_z", 0), -value_of(m, "final_z", 0));
  cr_expect_eq(value_of(r, "final_yaw", 0), -value_of(m, "final_yaw", 0));
  omr_result_destroy(r);
  omr_result_destroy(m);
}

Test(snakeboard_motion, opposite_wheelsets_are_the_rear_one_with_minus_the_front_angle) {
  omr_result *r = run_study(BOARD SWINGS RUN "}", OVERRIDES("parameters.gait.rear.amplitude=-0.5",
                                                            "parameters.gait.rear.frequency=2",
                                                            "parameters.gait.rear.phase=0.3"));
  omr_result *o = run_study(
      BOARD
      "\"parameters\": {\"gait\": {\"wheelsets\": \"opposite\", \"front\": {\"amplitude\": 0.5,"
      "\"frequency\": 2, \"phase\": 0.3}, \"rotor\": {\"amplitude\": 1.1, \"frequency\": 2.5}},"
      "\"initial\": {\"vx\": 0.2}}," RUN "}",
      NULL);
  static const char *const columns[] = {"final_x", "final_z", "final_yaw", "drive_work",
                                        "max_lateral_force"};
  for (int i = 0; i < 5; i++)
    cr_expect_eq(value_of(r, columns[i], 0), value_of(o, columns[i], 0), "%s", columns[i]);
  omr_result_destroy(r);
  omr_result_destroy(o);
}

/* Front for rear is the same board looking backwards: it goes the other way, turned by half a turn.
 */
Test(snakeboard_motion, front_and_rear_change_places) {
  omr_result *r = run_study(BOARD SWINGS RUN "}", NULL);
  omr_result *m =
      run_study(BOARD SWINGS RUN "}",
                OVERRIDES("parameters.gait.front.amplitude=-0.7",
                          "parameters.gait.front.frequency=3", "parameters.gait.front.phase=1",
                          "parameters.gait.rear.amplitude=0.5", "parameters.gait.rear.frequency=2",
                          "parameters.gait.rear.phase=0.3", "parameters.initial.vx=-0.2"));
  expect_near("x", value_of(m, "final_x", 0), -value_of(r, "final_x", 0), 1e-12);
  expect_near("z", value_of(m, "final_z", 0), -value_of(r, "final_z", 0), 1e-12);
  expect_near("yaw", value_of(m, "final_yaw", 0), value_of(r, "final_yaw", 0), 1e-12);
  expect_near("work", value_of(m, "drive_work", 0), value_of(r, "drive_work", 0), 1e-12);
  omr_result_destroy(r);
  omr_result_destroy(m);
}

/* sin(omega (t - T) + beta) backwards in time: omega' = -omega, beta' = beta + omega T, the start
 * with the velocity of the end.
 */
Test(snakeboard_motion, the_motion_runs_back) {
  omr_result *r = run_study(BOARD SWINGS RUN "}", NULL);
  char x[64], z[64], yaw[64], vx[64];
  snprintf(x, sizeof x, "parameters.initial.x=%.17g", value_of(r, "final_x", 0));
  snprintf(z, sizeof z, "parameters.initial.z=%.17g", value_of(r, "final_z", 0));
  snprintf(yaw, sizeof yaw, "parameters.initial.yaw=%.17g", value_of(r, "final_yaw", 0));
  snprintf(vx, sizeof vx, "parameters.initial.vx=%.17g", -value_of(r, "final_vx", 0));
  omr_result *back =
      run_study(BOARD SWINGS RUN "}",
                OVERRIDES(x, z, yaw, vx, "parameters.gait.front.frequency=-2",
                          "parameters.gait.front.phase=40.3", "parameters.gait.rear.frequency=-3",
                          "parameters.gait.rear.phase=61", "parameters.gait.rotor.frequency=-2.5",
                          "parameters.gait.rotor.phase=50"));
  cr_expect_gt(value_of(r, "path_length", 0), 2);
  expect_near("x", value_of(back, "final_x", 0), 0, 1e-8);
  expect_near("z", value_of(back, "final_z", 0), 0, 1e-8);
  expect_near("yaw", value_of(back, "final_yaw", 0), 0, 1e-8);
  expect_near("vx", value_of(back, "final_vx", 0), -0.2, 1e-8);
  expect_near("work", value_of(back, "drive_work", 0), -value_of(r, "drive_work", 0), 1e-8);
  omr_result_destroy(r);
  omr_result_destroy(back);
}

/* ---- gaits of source 3 */

static omr_result *run_gait(double front, double rotor, const char *phase, const char *duration) {
  char text[1000];
  snprintf(text, sizeof text,
           BOARD "\"parameters\": {\"gait\": {\"front\": {\"amplitude\": 0.5, \"frequency\": %g, "
                 "\"phase\": %s},"
                 "\"rear\": {\"amplitude\": -0.5, \"frequency\": %g, \"phase\": %s}, \"rotor\": "
                 "{\"frequency\": %g, \"phase\": %s}}},"
                 "\"integrator\": {\"step\": \"2 ms\", \"duration\": \"%s s\"}}",
           front, phase, front, phase, rotor, phase, duration);
  return run_study(text, NULL);
}

/* 1 : 1 : 1 goes forward, 1 : 1 : 2 turns about its midpoint, 2 : 2 : 3 goes sideways; over nearly
 * whole cycles. */
Test(snakeboard_motion, the_three_gaits_drive_turn_and_park) {
  omr_result *drive = run_gait(2, 2, "1.5707963267948966", "18.85"),
             *turn = run_gait(2, 4, "0", "62.832"), *park = run_gait(2, 3, "0", "62.832");
  cr_expect_gt(fabs(value_of(drive, "final_x", 0)), 2);
  cr_expect_lt(fabs(value_of(drive, "final_z", 0)), 0.2 * fabs(value_of(drive, "final_x", 0)));
  cr_expect_lt(fabs(value_of(drive, "final_yaw", 0)), 0.1);
  cr_expect_gt(fabs(value_of(turn, "final_yaw", 0)), 5);
  cr_expect_lt(value_of(turn, "distance", 0), 0.01 * value_of(turn, "path_length", 0));
  cr_expect_gt(fabs(value_of(park, "final_z", 0)), 0.2);
  cr_expect_lt(fabs(value_of(park, "final_x", 0)), 0.01 * fabs(value_of(park, "final_z", 0)));
  cr_expect_lt(fabs(value_of(park, "final_yaw", 0)), 0.01);
  omr_result_destroy(drive);
  omr_result_destroy(turn);
  omr_result_destroy(park);
}

/* ---- numbers */

/* Momentum and work are integrals of functions of time, which the method's last two stages leave to
 * Simpson's rule: their errors on swings fall faster than the pose's, which has order 4. */
Test(snakeboard_motion, work_of_the_servos_is_the_energy_and_the_method_has_order_4) {
  static const char *const steps[] = {"integrator.step=40 ms", "integrator.step=20 ms",
                                      "integrator.step=1 ms"};
  static const char *const columns[] = {"final_x", "final_z", "final_yaw"};
  omr_result *r[3];
  for (int i = 0; i < 3; i++) r[i] = run_study(BOARD SWINGS RUN "}", OVERRIDES(steps[i]));
  for (int j = 0; j < 3; j++) {
    double fine = value_of(r[2], columns[j], 0), one = value_of(r[0], columns[j], 0) - fine,
           two = value_of(r[1], columns[j], 0) - fine;
    cr_expect(one / two > 14 && one / two < 18, "%s: errors %g and %g", columns[j], one, two);
  }
  double one = value_of(r[0], "energy_error", 0), two = value_of(r[1], "energy_error", 0);
  cr_expect_gt(one / two, 14, "energy: errors %g and %g", one, two);
  cr_expect_lt(fabs(value_of(r[2], "energy_error", 0)), 1e-11);
  for (int i = 0; i < 3; i++) omr_result_destroy(r[i]);
}

/* Both angles reach 90 deg at omega t = 1.0297: there the axles do not hold the board. cos^2 +
 * cos^2 falls below 0.01 where the angle is within asin(0.0707...) of 90 deg. */
Test(snakeboard_motion, the_model_ends_where_both_axles_lie_along_the_coupler) {
  static const char text[] = BOARD "\"parameters\": {\"gait\": {\"front\": {\"amplitude\": 1.8}, "
                                   "\"rear\": {\"amplitude\": -1.8}}}," RUN "}";
  omr_result *r = run_study(text, NULL);
  cr_expect_str_eq(omr_instance_status_name(omr_result_status(r)[0]), "outside_model");
  double end = asin((1.5707963267948966 - asin(sqrt(0.005))) / 1.8);
  double last = omr_result_status_time(r)[0];
  cr_expect(last >= end - 1e-9 && last < end + 0.002 + 1e-9, "ended at %g, not %g", last, end);
  omr_result_destroy(r);
  r = run_study(text, OVERRIDES("parameters.gait.rear.amplitude=1.2")); /* one axle is enough */
  cr_expect_str_eq(omr_instance_status_name(omr_result_status(r)[0]), "ok");
  omr_result_destroy(r);
}
