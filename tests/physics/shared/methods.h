/* Final states of runs, the methods of integration with their orders, and vehicles with stiff
 * friction; for the tests of methods.
 */
#ifndef OMR_TESTS_METHODS_H
#define OMR_TESTS_METHODS_H

#include "kernel.h"
#include "motion.h"

enum { STATES = 6 };
static const char *const state_names[STATES] = {"final_x",  "final_z",  "final_yaw",
                                                "final_vx", "final_vz", "final_yaw_rate"};

static inline void final_state(const char *text, const char *const *overrides, double state[STATES],
                               double *exchanges) {
  omr_result *r = run_study(text, overrides);
  cr_assert_eq(omr_result_status(r)[0], 0, "ended as %s",
               omr_instance_status_name(omr_result_status(r)[0]));
  for (int i = 0; i < STATES; i++) state[i] = value_of(r, state_names[i], 0);
  if (exchanges) *exchanges = value_of(r, "exchanges", 0);
  omr_result_destroy(r);
}

static inline double difference(const double *a, const double *b, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++) largest = larger(largest, a[i] - b[i]);
  return largest;
}

typedef struct method_case {
  const char *method;
  double order; /* of the literature: rosenbrock.h, integrate.h */
} method_case;

static const method_case methods[] = {{"integrator.method=rk4", 4},
                                      {"integrator.method=midpoint", 2},
                                      {"integrator.method=heun", 2},
                                      {"integrator.method=semi_implicit_euler", 1},
                                      {"integrator.method=rosenbrock", 2}};
enum { METHODS = sizeof methods / sizeof *methods };

/* The textbook vehicle and wheel of these tests: eight cut rollers of 1200 kg/m3, mu 0.5, v_s = 1
 * mm/s, driven by sines. */
#define STIFF_WHEEL                                                                                \
  "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"tip_radius\": 0.008, \"friction\": 0.5, "        \
  "\"slip_speed\": \"1 mm/s\","
#define SINE(torque)                                                                               \
  "{\"drive\": {\"type\": \"sine\", \"torque\": " #torque ", \"frequency\": 0.4, \"phase\": 0.5}}"
#define STIFF_END                                                                                  \
  "}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}, \"engine\": {\"backend\": "     \
  "\"openmp\"}}"
#define STIFF_PLATFORM                                                                             \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\", \"platform\": "          \
  "{\"mass\": 12, \"yaw_inertia\": 0.4,"                                                           \
  "\"center_of_mass\": {\"x\": 0.02, \"z\": 0.01, \"height\": 0.12}}," STIFF_WHEEL

static const char stiff_three[] =
    STIFF_PLATFORM "\"roller\": {\"density\": 1200}}, \"layout\": {\"type\": \"ring\", \"wheels\": "
                   "3, \"radius\": 0.25},"
                   "\"wheels\": [" SINE(0.6) "," SINE(-0.3) "," SINE(0.5) "]" STIFF_END;
static const char stiff_four[] = STIFF_PLATFORM
    "\"roller\": {\"density\": 1200}}, \"layout\": {\"type\": \"rectangle\", \"mecanum\": true},"
    "\"wheels\": [" SINE(-0.6) "," SINE(-0.3) "," SINE(-0.5) "," SINE(-0.2) "]" STIFF_END;
static const char stiff_wheel[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\"," STIFF_WHEEL
    "\"roller\": {\"density\": 1200}, \"drive\": {\"type\": \"sine\", \"torque\": 0.02, "
    "\"frequency\": 0.4, \"phase\": 0.5}},"
    "\"initial\": {\"vx\": 0.3, \"vz\": 0.1, \"yaw_rate\": 0.4}" STIFF_END;

static const char stiff_discs[] =
    "{\"model\": \"disc_vehicle\", \"parameters\": {\"overlap\": \"allow\", \"platform\": "
    "{\"mass\": 12, \"yaw_inertia\": 0.4,"
    "\"center_of_mass\": {\"x\": 0.02, \"z\": 0.01, \"height\": 0.12}}," STIFF_WHEEL
    "\"inclination\": 0.7, \"roller\": {\"density\": 1200}}, \"layout\": {\"type\": \"rectangle\", "
    "\"mecanum\": true},"
    "\"wheels\": [" SINE(-0.6) "," SINE(-0.3) "," SINE(-0.5) "," SINE(-0.2) "]" STIFF_END;

#endif
