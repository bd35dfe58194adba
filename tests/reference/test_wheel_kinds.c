/* Kinds of wheels in maximal coordinates: closed forms of vehicles with plain wheels, casters,
 * swerve wheels and tracking wheels. */
#include "against_engine.h"
#include "assembled.h"

static const char *const robot = "tests/reference/wheels_differential.json",
                         *const swerve = "tests/reference/wheels_swerve.json",
                         *const tracking = "tests/reference/wheels_tracking.json",
                         *const every_kind = "tests/reference/wheels_every_kind.json";

static const double *wheel_at(const omr_reference_run *run, size_t time, int wheel) {
  return wheel_samples(run->samples + time * (size_t)run->columns, wheel);
}

static const double *vehicle_at(const omr_reference_run *run, size_t time) {
  return run->samples + time * (size_t)run->columns;
}

static omr_study *load(const char *path, const char *const *overrides) {
  omr_error error = {0};
  omr_study *study = NULL;
  size_t count = 0;
  while (overrides[count]) count++;
  cr_assert_eq(omr_study_load(path, overrides, count, &study, &error), OMR_OK, "%s", error.message);
  return study;
}

static omr_reference_run run_of(const char *path, const char *const *overrides) {
  omr_study *study = load(path, overrides);
  omr_reference_run run = integrate_reference(study);
  cr_assert_eq(run.status, OMR_INSTANCE_OK, "status %d at %g s", run.status, run.end);
  omr_study_destroy(study);
  return run;
}

/* Rolling wheels at (0, z) turn at -(vx + omega z)/R: omega = R/(2 b) (chi'_left - chi'_right), and
 * the origin, on their axle, does not move sideways. Wheels creep by v_s F/(mu N), which is below
 * v_s/10 here. */
Test(wheel_kinds, differential_drive_turns_about_its_axle) {
  const double b = 0.2, radius = 0.08, creep = 0.05 / 10;
  omr_reference_run run = run_of(robot, OVERRIDES("title=x"));
  const size_t last = run.times - 1;
  const double *v = vehicle_at(&run, last), left = wheel_at(&run, last, 0)[OMR_WS_RATE],
               right = wheel_at(&run, last, 1)[OMR_WS_RATE];
  for (int i = 0; i < 2; i++) {
    const double *w = wheel_at(&run, last, i);
    cr_expect_lt(hypot(w[OMR_WS_FORCE_I], w[OMR_WS_FORCE_K]), 0.8 * w[OMR_WS_LOAD] / 10);
  }
  cr_expect_float_eq(left, -5, 1e-2, "%g", left);
  cr_expect_float_eq(right, -8, 1e-2, "%g", right);
  cr_expect_gt(v[OMR_VS_YAW_RATE], 0.5, "the right wheel is faster: it turns left");
  cr_expect_float_eq(v[OMR_VS_YAW_RATE], radius / (2 * b) * (left - right), creep / b);
  cr_expect_float_eq(v[OMR_VS_VX], -radius * (left + right) / 2, creep);
  cr_expect_float_eq(v[OMR_VS_VZ], 0, creep);
  for (size_t s = 0; s < run.times; s++) {
    cr_expect(isnan(wheel_at(&run, s, 0)[OMR_WS_SPIN]) &&
              isnan(wheel_at(&run, s, 0)[OMR_WS_STEER]));
    cr_expect(isnan(wheel_at(&run, s, 2)[OMR_WS_ANGLE]) &&
              !isnan(wheel_at(&run, s, 2)[OMR_WS_STEER]));
  }
  /* odometry knows the rates, and that these wheels do not slip along their axles */
  cr_expect_lt(run.observables[OMR_OBS_ODOMETRY_ERROR], 0.05);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ODOMETRY_YAW_ERROR]), 0.05);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-8);
  report_run("differential drive", &run);
  omr_reference_run_free(&run);
}

/* On a circle of radius rho of its axis a caster's axle points at the centre: the angle between its
 * rolling direction and the axis's velocity has the sine trail/rho. It gets there as
 * exp(-way/trail), here e^-19, and needs no force there: what is left is the integration's error
 * and what the drives still change. */
Test(wheel_kinds, a_caster_trails_at_the_angle_of_its_circle) {
  omr_reference_run run = run_of(robot, OVERRIDES("title=x"));
  const double *v = vehicle_at(&run, run.times - 1), trail = 0.04;
  const double vx = v[OMR_VS_VX], vz = v[OMR_VS_VZ] + 0.3 * v[OMR_VS_YAW_RATE],
               rho = hypot(vx, vz) / v[OMR_VS_YAW_RATE],
               behind = atan2(-vz, vx) - wheel_at(&run, run.times - 1, 2)[OMR_WS_STEER];
  cr_log_info("sine %.12g, trail over radius %.12g", sin(behind), trail / rho);
  cr_expect_float_eq(sin(behind), trail / rho, 1e-6);
  omr_reference_run_free(&run);
}

/* Behind an axis that is drawn straight on, delta' = -(v/trail) sin delta: tan(delta/2) falls as
 * exp(-way/trail). Slip along the axle adds slip/trail to delta', and to the logarithm of
 * tan(delta/2) its integral over sin delta; a light wheel creeps by little. */
Test(wheel_kinds, a_caster_falls_in_behind_by_its_trail) {
  const double trail = 0.04, start = 1.2, v = 0.3;
  char wheel[128];
  snprintf(
      wheel, sizeof wheel,
      "parameters.wheels[2].initial={\"steer\": %.17g, \"steer_rate\": %.17g, \"rate\": %.17g}",
      start, -v / trail * sin(start), -v / 0.03 * cos(start));
  omr_reference_run run =
      run_of(robot, OVERRIDES(wheel, "parameters.wheel.drive={\"type\": \"none\"}",
                              "parameters.wheels[0].drive={\"type\": \"none\"}",
                              "parameters.wheels[1].drive={\"type\": \"none\"}",
                              "parameters.initial={\"vx\": 0.3}",
                              "parameters.wheels[0].initial={\"rate\": -3.75}",
                              "parameters.wheels[1].initial={\"rate\": -3.75}",
                              "parameters.wheel.slip_speed=0.02",
                              "parameters.platform.yaw_inertia=1e3", "integrator.duration=0.3"));
  double slipped = 0, most = 0;
  for (size_t s = 1; s < run.times; s++) {
    const double *w = wheel_at(&run, s, 2), delta = w[OMR_WS_STEER],
                 way = vehicle_at(&run, s)[OMR_VS_X];
    const double slip = fmax(fabs(w[OMR_WS_SLIP_K]), fabs(wheel_at(&run, s - 1, 2)[OMR_WS_SLIP_K]));
    slipped += 0.02 * slip / (trail * sin(delta));
    const double off = log(tan(delta / 2) / tan(start / 2)) + way / trail;
    most = fmax(most, fabs(off));
    cr_expect_lt(fabs(off), 1.5 * slipped + 1e-4, "%g, creep %g", off, slipped);
  }
  cr_log_info("logarithm off by %.2g, by creep %.2g at most", most, slipped);
  cr_expect_lt(slipped, 0.02);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-8);
  omr_reference_run_free(&run);
}

/* Without friction on the floor a fork and the rest of the vehicle turn against each other: their
 * common centre of mass is on the axis, so that the bearing slows the steering rate down as
 * exp(-b t/J), 1/J = 1/J_s + 1/J_rest. */
Test(wheel_kinds, a_fork_slows_down_by_its_inertia) {
  const double trail = 0.04, ahead = trail, bearing = 2e-4,
               own = 1e-4 + 0.2 * ahead * ahead + 6e-5 + 0.2 * trail * trail;
  omr_reference_run run = run_of(
      robot,
      OVERRIDES("parameters.wheel.friction=0", "parameters.wheel.drive={\"type\": \"none\"}",
                "parameters.wheels[0].drive={\"type\": \"none\"}",
                "parameters.wheels[1].drive={\"type\": \"none\"}",
                "parameters.wheels[2].swivel.bearing=2e-4",
                "parameters.wheels[2].initial={\"steer_rate\": 3}", "integrator.duration=1"));
  /* the others: platform, two wheels and the mass on the swivel axis, about their centre of mass */
  const double mass[] = {10, 0.4, 0.4, 0.4}, x[] = {-0.08, 0, 0, -0.3}, z[] = {0.01, -0.2, 0.2, 0};
  double all = 0, cx = 0, cz = 0, rest = 0.3 + 2 * 6e-4;
  for (int i = 0; i < 4; i++) {
    all += mass[i];
    cx += mass[i] * x[i];
    cz += mass[i] * z[i];
    rest += mass[i] * (x[i] * x[i] + z[i] * z[i]);
  }
  rest -= (cx * cx + cz * cz) / all;
  const double decay = bearing * (1 / own + 1 / rest),
               steer = wheel_at(&run, run.times - 1, 2)[OMR_WS_STEER];
  cr_expect_float_eq(steer, 3 / decay * (1 - exp(-decay)), 1e-9, "%.12g", steer);
  /* the vehicle turns back by its share */
  cr_expect_float_eq(vehicle_at(&run, run.times - 1)[OMR_VS_YAW_RATE],
                     3 * own / (own + rest) * (1 - exp(-decay)), 1e-10);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-9);
  omr_reference_run_free(&run);
}

/* All wheels roll where the command sends them, forwards or backwards, whichever is nearer: within
 * a quarter turn of where they started; the velocity is the commanded one within the creep. */
Test(wheel_kinds, swerve_wheels_turn_to_the_command) {
  omr_reference_run run = run_of(swerve, OVERRIDES("title=x"));
  const double *v = vehicle_at(&run, run.times - 1);
  for (int i = 0; i < 3; i++) {
    const double axis = 0.3 + 2 * M_PI * i / 3, x = 0.25 * sin(axis), z = 0.25 * cos(axis),
                 vx = -0.4 + 0.6 * z, vz = 0.3 - 0.6 * x, wanted = atan2(-vz, vx) - axis;
    const double *w = wheel_at(&run, run.times - 1, i), d = axis + w[OMR_WS_STEER];
    cr_expect_float_eq(remainder(w[OMR_WS_STEER] - wanted, M_PI), 0, 2e-3, "wheel %d: %g, %g", i,
                       w[OMR_WS_STEER], wanted);
    cr_expect_leq(fabs(w[OMR_WS_STEER]), M_PI / 2 + 2e-3);
    cr_expect_float_eq(w[OMR_WS_RATE], -(vx * cos(d) - vz * sin(d)) / 0.05, 1e-2);
  }
  cr_expect_float_eq(v[OMR_VS_VX], -0.4, 0.01);
  cr_expect_float_eq(v[OMR_VS_VZ], 0.3, 0.01);
  cr_expect_float_eq(v[OMR_VS_YAW_RATE], 0.6, 0.04);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-8);
  report_run("swerve", &run);
  omr_reference_run_free(&run);

  /* without a velocity they hold the angle that they have been given, and do not turn */
  run = run_of(swerve, OVERRIDES("parameters.command={\"type\": \"constant\"}",
                                 "parameters.wheel.steer.angle=0.4",
                                 "parameters.wheel.steer.damping=0.2", "integrator.duration=0.5"));
  for (int i = 0; i < 3; i++) {
    cr_expect_float_eq(wheel_at(&run, run.times - 1, i)[OMR_WS_STEER], 0.4, 1e-3);
    cr_expect_float_eq(wheel_at(&run, run.times - 1, i)[OMR_WS_RATE], 0, 1e-2);
  }
  omr_reference_run_free(&run);
}

/* Without friction on the floor a servo swings its fork, of the inertia J_s, against the rest, here
 * so heavy that it stands: c/J_s = w0^2, d/(2 J_s) = decay. Its limit makes the first way a
 * parabola. */
Test(wheel_kinds, a_servo_swings_its_fork) {
  const double inertia = 0.02 + 6e-4, start = 0.5, w0 = sqrt(20 / inertia),
               decay = (0.1 + 1e-3) / (2 * inertia), w = sqrt(w0 * w0 - decay * decay), t = 0.2;
  const char *const heavy[] = {"parameters.wheel.friction=0",
                               "parameters.platform.yaw_inertia=1e9",
                               "parameters.command={\"type\": \"none\"}",
                               "parameters.wheel.drive={\"type\": \"none\"}",
                               "parameters.wheel.swivel={\"mass\": 0.3, \"inertia\": 0.02}",
                               "parameters.wheel.steer={\"angle\": 0.5, \"damping\": 0.1}",
                               "integrator.duration=0.2",
                               NULL,
                               NULL};
  omr_reference_run run = run_of(swerve, heavy);
  const double swing = cos(w * t) + decay / w * sin(w * t);
  cr_expect_float_eq(wheel_at(&run, run.times - 1, 0)[OMR_WS_STEER],
                     start * (1 - exp(-decay * t) * swing), 1e-8);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-8);
  omr_reference_run_free(&run);

  /* a torque at its limit, and the constant one besides */
  const char *limited[9];
  memcpy(limited, heavy, sizeof heavy);
  limited[5] = "parameters.wheel.steer={\"angle\": 50, \"damping\": 0, \"torque_limit\": 0.1, "
               "\"torque\": -0.02}";
  limited[7] = "parameters.wheel.swivel.bearing=0";
  run = run_of(swerve, limited);
  cr_expect_float_eq(wheel_at(&run, run.times - 1, 1)[OMR_WS_STEER], 0.08 * t * t / (2 * inertia),
                     1e-9);
  omr_reference_run_free(&run);
}

/* The wheel's load is its preload, whatever moves; all loads together are the weight; and the loads
 * of the four others are a plane over them, whose diagonals have the same sum where the contacts
 * are below the wheels' centres, at rest. */
Test(wheel_kinds, tracking_wheels_carry_their_preload) {
  const double weight = 9.81 * (10 + 6 * (0.4 + 6 * 0.05));
  omr_reference_run run = run_of(tracking, OVERRIDES("title=x"));
  for (size_t s = 0; s < run.times; s++) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += wheel_at(&run, s, i)[OMR_WS_LOAD];
    cr_expect_float_eq(wheel_at(&run, s, 4)[OMR_WS_LOAD], 13, 1e-12);
    cr_expect_float_eq(wheel_at(&run, s, 5)[OMR_WS_LOAD], 7, 1e-12);
    cr_expect_float_eq(sum, weight, 1e-8, "%.12g instead of %.12g", sum, weight);
  }
  cr_expect_gt(run.observables[OMR_OBS_EXCHANGES], 3);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-8);
  report_run("tracking", &run);
  omr_reference_run_free(&run);

  run = run_of(tracking, OVERRIDES("parameters.initial={}", "parameters.wheel.friction=0",
                                   "parameters.wheels[5].initial={}", "integrator.duration=0.02"));
  double load[4], moment_x = 0, moment_z = 0;
  static const double x[] = {0.2, 0.2, -0.2, -0.2, 0.05, -0.35},
                      z[] = {-0.15, 0.15, -0.15, 0.15, 0.04, 0};
  for (int i = 0; i < 6; i++) {
    const double one = wheel_at(&run, 0, i)[OMR_WS_LOAD];
    if (i < 4) load[i] = one;
    moment_x += one * x[i];
    moment_z += one * z[i];
  }
  /* hand statics: moments of the weights about the origin */
  cr_expect_float_eq(moment_x, 9.81 * (10 * 0.02 + 0.7 * (0.05 - 0.35)), 1e-9);
  cr_expect_float_eq(moment_z, 9.81 * (10 * -0.03 + 0.7 * 0.04), 1e-9);
  cr_expect_float_eq(load[0] + load[3], load[1] + load[2], 1e-9);
  omr_reference_run_free(&run);
}

/* The testbench's wheel that rests on two rollers (test_omni_reference.c), as a tracking wheel in
 * the middle of a platform that spins on the spot: the rollers share the preload so that the wheel
 * does not turn. */
Test(wheel_kinds, a_tracking_wheel_rests_on_two_rollers) {
  omr_reference_run run = run_of(
      tracking,
      OVERRIDES("parameters.initial={\"yaw_rate\": 3}", "parameters.wheel.friction=0",
                "parameters.platform.center_of_mass={\"height\": 0.1}",
                "parameters.wheels[5]={\"kind\": \"tracking\", \"x\": 0, \"z\": 0, \"axis_angle\": "
                "0, \"inclination\": 0.4, \"rollers\": 5, \"center_distance\": "
                "0.080901699437494742, \"friction\": 0.3, \"slip_speed\": 0.02, \"tracking\": "
                "{\"preload\": 17}, \"initial\": {\"angle\": 0.62831853071795865}}",
                "parameters.wheels[4]={\"x\": 0, \"z\": 0.3, \"axis_angle\": 0}",
                "parameters.platform.center_of_mass.z=-0.021", "integrator.duration=0.2"));
  size_t rests = 0;
  for (size_t s = 1; s < run.times; s++) {
    const double *w = wheel_at(&run, s, 5);
    cr_expect_float_eq(w[OMR_WS_LOAD], 17, 1e-12);
    if (isnan(w[OMR_WS_EDGE_SHARE])) continue;
    rests++;
    cr_expect(w[OMR_WS_EDGE_SHARE] > 0 && w[OMR_WS_EDGE_SHARE] < 1);
    cr_expect_float_eq(w[OMR_WS_ACCELERATION], 0, 1e-8);
    cr_expect_float_eq(w[OMR_WS_RATE], 0, 1e-8);
  }
  cr_expect_gt(rests, 2, "%zu samples at rest", rests);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-8);
  omr_reference_run_free(&run);
}

/* With losses in the bearings of rollers, wheels and forks, by a power of the loads. */
Test(wheel_kinds, energy_is_balanced_with_every_kind) {
  static const char *const more[] = {
      "parameters.contact.law=regularized_coulomb",
      "parameters.wheel.contact={\"contour_radius\": 0.004, \"rolling_friction\": 0.01}"};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    omr_reference_run run = run_of(every_kind, OVERRIDES(more[i]));
    double sum = 0;
    for (int w = 0; w < 5; w++) sum += wheel_at(&run, run.times - 1, w)[OMR_WS_LOAD];
    cr_log_info("%s: energy off by %.2g", more[i], run.observables[OMR_OBS_ENERGY_ERROR]);
    cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-8, "%s: %g", more[i],
                 run.observables[OMR_OBS_ENERGY_ERROR]);
    cr_expect_gt(sum, 100);
    report_run(more[i], &run);
    omr_reference_run_free(&run);
  }
}

/* Wheels without rollers turn as J chi'' = R F_i + torque - losses: viscous and dry friction of the
 * axle, the latter by the force in the wheel's plane, and rolling resistance by the load. */
Test(wheel_kinds, bare_wheels_lose_torque_by_their_loads) {
  omr_reference_run run =
      run_of(every_kind, OVERRIDES("parameters.wheel.dry_load.exponent=1",
                                   "parameters.wheel.roller.rolling_resistance=0.002"));
  double most = 0;
  for (size_t s = 0; s < run.times; s++) {
    for (int i = 1; i < 4; i++) {
      const double *w = wheel_at(&run, s, i), rate = w[OMR_WS_RATE], load = w[OMR_WS_LOAD];
      const double axle = 0.01 + 0.1 * 0.004 * hypot(load, w[OMR_WS_FORCE_I]);
      const double lost =
          1e-3 * rate + axle * rate / hypot(rate, 1) + 0.002 * load * rate / hypot(rate, 5);
      const double turns = (0.06 * w[OMR_WS_FORCE_I] + w[OMR_WS_TORQUE] - lost) / 1e-3;
      note(&most, w[OMR_WS_ACCELERATION], turns);
    }
  }
  cr_expect_lt(most, 1e-9, "%g", most);
  cr_expect_lt(fabs(run.observables[OMR_OBS_ENERGY_ERROR]), 1e-8);
  omr_reference_run_free(&run);
}

/* A wheel that spins slides until its slip has come down to the slip speed, and all of that counts:
 * it has no roller to spin up. */
Test(wheel_kinds, slides_of_bare_wheels_count_from_the_start) {
  omr_reference_run run =
      run_of(robot, OVERRIDES("parameters.wheel.drive={\"type\": \"none\"}",
                              "parameters.wheels[0].drive={\"type\": \"none\"}",
                              "parameters.wheels[1].drive={\"type\": \"none\"}",
                              "parameters.wheels[0].initial={\"rate\": -20}",
                              "output.trajectories.interval=\"1 ms\"", "integrator.duration=0.2"));
  size_t s = 0;
  while (s < run.times &&
         hypot(wheel_at(&run, s, 0)[OMR_WS_SLIP_I], wheel_at(&run, s, 0)[OMR_WS_SLIP_K]) > 0.05)
    s++;
  cr_expect(s > 5 && s < run.times - 5, "%zu", s);
  cr_expect_float_eq(run.observables[OMR_OBS_WHEEL0_LOST_GRIP_TIME], run.time[s] - 5e-4, 5.1e-4);
  cr_expect_eq(run.observables[OMR_OBS_WHEEL0_LOST_GRIP_TIME + 1], 0);
  omr_reference_run_free(&run);
}

/* Plain wheels are the discs of a disc_vehicle that has no painted rollers: the law regularised by
 * the slip, the same friction along and across. Odometry, which differs, is integrated with the
 * motion and chooses other steps: a slip of 1e-11 m/s is a force of 1e-9 N. */
Test(wheel_kinds, plain_wheels_are_discs_with_the_same_friction_both_ways) {
  static const char *const contacts[] = {
      "parameters.contact={\"law\": \"regularized_coulomb\"}",
      "parameters.contact={\"law\": \"regularized_coulomb\", \"normal\": \"compliant\"}"};
  for (size_t n = 0; n < 2; n++) {
    const char *const shared[] = {
        contacts[n],
        "parameters.layout={\"type\": \"rectangle\"}",
        "parameters.wheels=[{\"initial\": {\"rate\": -9}}, {}, {\"drive\": {\"torque\": 2}}, "
        "{\"error\": {\"axis_angle\": 0.05}}]",
        "parameters.wheel.drive={\"type\": \"sine\", \"torque\": 1}",
        "parameters.initial={\"vx\": 0.7, \"vz\": 0.2, \"yaw_rate\": 1}",
        "integrator.duration=0.5",
        "parameters.wheel.slip_speed=0.3",
        NULL,
        NULL,
        NULL};
    const char *plain[10], *discs[10];
    memcpy(plain, shared, sizeof shared);
    memcpy(discs, shared, sizeof shared);
    plain[7] = "parameters.wheel.kind=plain";
    discs[7] = "model=disc_vehicle";
    discs[8] = "parameters.wheel.contact.lateral_friction=0.8";
    omr_reference_run one = run_of(robot, plain), two = run_of(robot, discs);
    const double off = trajectory_difference(&one, two.samples, two.times);
    cr_log_info("%s: off by %.2g", contacts[n], off);
    cr_expect_lt(off, 1e-7, "%s: %g", contacts[n], off);
    for (int j = 0; j < OMR_OBS_COUNT; j++)
      if (!isnan(one.observables[j]) && !isnan(two.observables[j]))
        cr_expect_float_eq(one.observables[j], two.observables[j],
                           1e-8 * (1 + fabs(two.observables[j])), "%s: %.12g, %.12g",
                           omr_observables[j].name, one.observables[j], two.observables[j]);
    omr_reference_run_free(&one);
    omr_reference_run_free(&two);
  }
}

/* What the reference refuses says so, with a remedy. */
Test(wheel_kinds, too_few_wheels_are_refused) {
  static const struct {
    const char *override, *reason;
  } cases[] = {
      {"parameters.wheels[2]={\"kind\": \"tracking\", \"x\": -0.3, \"z\": 0, \"axis_angle\": 0}",
       "not on one line"},
      {"parameters.wheels[2].x=0", "not on one line"},
      {"parameters.wheels[2].swivel.inertia=0", "small value"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_refused(load(robot, OVERRIDES(cases[i].override)), cases[i].reason);
}
