/* The built-in models, written out as systems of a study's own (studies/multibody): the same
 * motion. What the two runs differ by is the integration of two systems with other states beside
 * (the built-in models integrate work and paths of their own, which takes part in the choice of
 * steps): ten to a thousand times the tolerance that every step keeps, relative to the range of a
 * number. */
#include <criterion/criterion.h>

#include "host/reference/reference.h"

#include <math.h>
#include <omniroll/omniroll.h>
#include <string.h>

typedef struct both {
  omr_study *study[2];
  omr_multibody *run[2];
  const omr_result *result[2];
} both;

/* `set` (NULL: nothing): an override of the first study, or of both where it begins with
 * "integrator". */
static both run_both(const char *own, const char *built_in, double tolerance, const char *set) {
  both b = {0};
  const char *files[] = {own, built_in};
  for (int i = 0; i < 2; i++) {
    omr_error error = {0};
    const omr_multibody_options options = {.size = sizeof options,
                                           .choice = {.tolerance = tolerance}};
    const size_t count = set && (i == 0 || strncmp(set, "integrator", 10) == 0) ? 1 : 0;
    cr_assert_eq(omr_study_load(files[i], &set, count, &b.study[i], &error), OMR_OK, "%s",
                 error.message);
    cr_assert_eq(omr_multibody_create(b.study[i], &options, &b.run[i], &error), OMR_OK, "%s",
                 error.message);
    b.result[i] = omr_multibody_result(b.run[i]);
  }
  return b;
}

static void end(both *b) {
  for (int i = 0; i < 2; i++) {
    omr_multibody_destroy(b->run[i]);
    omr_study_destroy(b->study[i]);
  }
}

static const double *samples_of(const omr_result *result, const char *name, size_t *samples,
                                size_t *wheels) {
  const size_t quantity = omr_result_find_quantity(result, name);
  cr_assert_neq(quantity, OMR_NONE, "no sample %s", name);
  return omr_result_trajectory(result, quantity, samples, wheels);
}

/* Largest difference of a sample and that of the built-in model over its range, or its size where
 * it does not change; of "rate_2" wheel 2 of "rate". */
static double difference(const both *b, const char *name) {
  char base[64];
  const char *digit = strpbrk(name, "012");
  size_t samples, others, one, wheels;
  snprintf(base, sizeof base, "%.*s", digit ? (int)(digit - name) - 1 : 63, name);
  const double *own = samples_of(b->result[0], name, &samples, &one),
               *given = samples_of(b->result[1], base, &others, &wheels);
  const size_t wheel = digit ? (size_t)(*digit - '0') : 0;
  double largest = 0, low = HUGE_VAL, high = -HUGE_VAL;
  cr_assert_eq(samples, others);
  cr_assert_gt(samples, 100);
  for (size_t s = 0; s < samples; s++) {
    const double value = given[s * wheels + wheel];
    cr_assert(isfinite(own[s]) && isfinite(value), "%s has no value", name);
    largest = fmax(largest, fabs(own[s] - value));
    low = fmin(low, value);
    high = fmax(high, value);
  }
  const double range = high - low, size = fmax(fabs(low), fabs(high));
  cr_assert_gt(size, 0, "%s does not move", name);
  return largest / (range > 1e-6 * size ? range : size);
}

static void agree(const both *b, const char *const *names, double within) {
  for (; *names; names++)
    cr_expect_leq(difference(b, *names), within, "%s differs by %.3g of its range", *names,
                  difference(b, *names));
}

#define MULTIBODY "studies/multibody/"
#define PAIR(name) MULTIBODY name ".json", MULTIBODY name "_built_in.json"

/* 2 s, torques on all wheels, 20 exchanges. At 1e-12 the runs err by up to 5e-9 of the range at
 * the sample behind an exchange, held against runs at 1e-13. */
Test(graph_models, the_omni_vehicle_3x4_moves_as_the_built_in_one) {
  both b = run_both(PAIR("omni_vehicle_3x4"), 1e-13, NULL);
  agree(&b,
        (const char *const[]){"x", "z", "yaw_rate", "wheel_angle_0", "wheel_angle_1",
                              "wheel_angle_2", "wheel_rate_0", "wheel_rate_1", "wheel_rate_2",
                              NULL},
        1e-9);
  agree(&b, (const char *const[]){"normal_load_0", "yaw_acceleration", NULL}, 1e-8);
  end(&b);
}

/* The same numbers are no accident of samples that hardly move: 1 % of friction shows. */
Test(graph_models, another_friction_is_another_motion) {
  both b = run_both(PAIR("omni_wheel"), 0, "parameters.friction=0.303");
  cr_expect_gt(difference(&b, "x"), 1e-4, "x differs by %.3g", difference(&b, "x"));
  end(&b);
}

Test(graph_models, the_wheel_on_its_testbench) {
  both b = run_both(PAIR("omni_wheel"), 1e-12, NULL);
  agree(&b, (const char *const[]){"x", "z", "yaw_rate", "wheel_rate", "normal_load", NULL}, 1e-9);
  end(&b);
}

/* Its centre rises and falls by but 5 cm, while it goes round for 10 s. */
Test(graph_models, the_disc_that_rolls) {
  both b = run_both(PAIR("rolling_disc"), 1e-13, NULL);
  agree(&b,
        (const char *const[]){"x", "y", "z", "vx", "vy", "vz", "axis_x", "axis_y", "axis_z", "spin",
                              "contact_x", "contact_z", "normal_force", NULL},
        1e-9);
  end(&b);
}

/* A contact of 1e5 N/m and a slip speed of 5 mm/s: forces follow a micrometre and a micrometre per
 * second, so that 1e-12 m of integration are 1e-7 N. */
Test(graph_models, the_disc_on_an_elastic_floor) {
  both b = run_both(PAIR("elastic_disc"), 1e-13, NULL);
  agree(&b,
        (const char *const[]){"x", "y", "z", "vx", "vy", "vz", "axis_x", "axis_y", "axis_z", "spin",
                              "contact_x", "contact_z", NULL},
        1e-9);
  agree(&b, (const char *const[]){"normal_force", "gap", NULL}, 1e-7);
  end(&b);
}

/* Dampers of 5000 N s/m along the axle make loads of 2 N follow slides of 1e-11 m/s. */
Test(graph_models, the_wheelset_with_springs) {
  both b = run_both(PAIR("wheelset"), 0, "integrator.duration=2.1 s");
  agree(&b,
        (const char *const[]){"x", "z", "forward_velocity", "left_rate", "right_rate", "left_x",
                              "left_z", "right_x", "right_z", NULL},
        1e-9);
  agree(&b, (const char *const[]){"yaw_rate", "left_load", "right_load", NULL}, 1e-6);
  end(&b);
}

/* The forces along the axle are redundant: the least are taken in both. The rod turns freely with
 * 2e-4 kg m2, and what the integration leaves of its axis turns it: at 1e-14 by less than 1e-9 of
 * the rates of the wheels. */
Test(graph_models, the_wheelset_with_revolute_joints) {
  both b = run_both(PAIR("wheelset_rigid"), 1e-14, NULL);
  agree(&b,
        (const char *const[]){"x", "z", "forward_velocity", "left_rate", "right_rate", "left_load",
                              "right_load", "left_x", "left_z", "right_x", "right_z", "energy",
                              "yaw_rate", NULL},
        1e-9);
  size_t samples, wheels;
  const double *own = samples_of(b.result[0], "rod_rate", &samples, &wheels),
               *given = samples_of(b.result[1], "rod_rate", &samples, &wheels),
               *wheel = samples_of(b.result[1], "left_rate", &samples, &wheels);
  double apart = 0, size = 0;
  for (size_t s = 0; s < samples; s++) {
    apart = fmax(apart, fabs(own[s] - given[s]));
    size = fmax(size, fabs(wheel[s]));
  }
  cr_expect_lt(apart, 1e-9 * size, "the rates of the rods are %g rad/s apart", apart);
  end(&b);
}

Test(graph_models, the_snakeboard_in_gait_drive) {
  both b = run_both(PAIR("snakeboard"), 0, "integrator.duration=5.1 s");
  agree(&b,
        (const char *const[]){"x", "z", "yaw", "yaw_rate", "front_angle", "rear_angle",
                              "rotor_angle", "front_speed", "front_left_rate", "front_right_rate",
                              "rear_left_rate", "rear_right_rate", "front_torque", "rear_torque",
                              "rotor_torque", "energy", NULL},
        1e-9);
  end(&b);
}
