/* Forces and accelerations of vehicles on compliant contacts in random states, of the kernels and
 * of the reference, which finds its contacts by another way: on a level floor, on a slope, on
 * bristles and on floors with heights. */
#include "assembled.h"
#include "compliant_vehicle.h"
#include "multibody_random.h"

#include <unistd.h>

static char map_path[64];

enum { WHEELS = 3, STATES = 40, COLUMNS = OMR_VS_COUNT + WHEELS * OMR_WS_COUNT };

static double one_of(uint64_t *s, double size) {
  return random_vec(s, size).x;
}

/* A state in which most wheels press on the floor: tilts of 3 mm at the wheels. */
static void set_state(omr_study *study, uint64_t *s) {
  double *v = study->base.vehicle;
  v[OMR_VP_INITIAL_HEIGHT] = -2e-3 + one_of(s, 1e-3);
  v[OMR_VP_INITIAL_PITCH] = one_of(s, 0.006);
  v[OMR_VP_INITIAL_ROLL] = one_of(s, 0.006);
  v[OMR_VP_INITIAL_X] = one_of(s, 3);
  v[OMR_VP_INITIAL_Z] = one_of(s, 3);
  v[OMR_VP_INITIAL_YAW] = one_of(s, 3);
  v[OMR_VP_INITIAL_VX] = one_of(s, 0.5);
  v[OMR_VP_INITIAL_VZ] = one_of(s, 0.5);
  v[OMR_VP_INITIAL_YAW_RATE] = one_of(s, 1);
  v[OMR_VP_INITIAL_HEAVE_RATE] = one_of(s, 0.1);
  v[OMR_VP_INITIAL_PITCH_RATE] = one_of(s, 0.3);
  v[OMR_VP_INITIAL_ROLL_RATE] = one_of(s, 0.3);
  for (int i = 0; i < WHEELS; i++) {
    study->base.wheel[i][OMR_WP_RATE] = one_of(s, 6);
    study->base.wheel[i][OMR_WP_ANGLE] = one_of(s, 3);
  }
}

/* Samples of the kernels at the start. */
static void sample_kernels(const omr_study *study, double samples[COLUMNS]) {
  omr_error error = {0};
  omr_result *r = NULL;
  omr_run(study, NULL, &r, &error);
  cr_assert_not_null(r, "%s", error.message);
  for (int j = 0; j < OMR_VS_COUNT; j++)
    samples[j] = r->vehicle_samples[j] ? r->vehicle_samples[j][0] : (double)NAN;
  for (int i = 0; i < WHEELS; i++)
    for (int j = 0; j < OMR_WS_COUNT; j++)
      samples[OMR_VS_COUNT + i * OMR_WS_COUNT + j] =
          r->wheel_samples[j] ? r->wheel_samples[j][i] : (double)NAN;
  omr_result_destroy(r);
}

#define START_TRACED "output={\"trajectories\": {\"instances\": [0], \"interval\": \"1 us\"}}"

/* Largest difference of all samples, each over the largest size that it has in all states, which of
 * travels is but rounding. */
static void compare_states(const char *what, const char *const *overrides, double within) {
  const char *all[MOST_OVERRIDES] = {"parameters.wheel.friction=0.4", START_TRACED,
                                     "integrator.step=1 us",          "integrator.duration=1 us",
                                     "integrator.step_error=off",     "engine.backend=scalar"};
  int count = 6, loaded = 0;
  for (; *overrides; overrides++) all[count++] = *overrides;
  omr_study *study = compliant_study(vehicle_text, all);
  double found[COLUMNS], most[COLUMNS] = {0}, apart[COLUMNS] = {0}, worst = 0;
  uint64_t seed = 20261126;
  for (int n = 0; n < STATES; n++) {
    assembled a;
    set_state(study, &seed);
    assemble_instance(study, &a);
    double *expected = sample_instance(&a, WHEELS);
    sample_kernels(study, found);
    for (int j = 0; j < COLUMNS; j++) {
      if (isnan(expected[j]) || isnan(found[j])) continue;
      most[j] = fmax(most[j], fabs(expected[j]));
      apart[j] = fmax(apart[j], fabs(found[j] - expected[j]));
    }
    for (int i = 0; i < WHEELS; i++) loaded += wheel_samples(expected, i)[OMR_WS_LOAD] > 0;
    free(expected);
    release_instance(&a);
  }
  omr_study_destroy(study);
  for (int j = 0; j < COLUMNS; j++) worst = fmax(worst, apart[j] / fmax(most[j], 1e-6));
  cr_log_info("%s: %.2g apart, %d wheels loaded", what, worst, loaded);
  cr_expect_gt(loaded, STATES);
  cr_expect_lt(worst, within, "%s: %.3g", what, worst);
}

Test(compliant_states, on_a_level_floor) {
  compare_states("level", (const char *const[]){NULL}, 1e-11);
}

#define BRISTLES                                                                                   \
  "parameters.contact={\"normal\": \"compliant\", \"law\": \"bristle\"}",                          \
      "parameters.wheel.slip_speed=null",                                                          \
      "parameters.wheel.contact={\"static_ratio\": 1.4, "                                          \
      "\"stribeck_speed\": 0.3, \"bristle_viscous\": 0.05}"

/* Bristles are straight at the start: their damping and the viscous part push. */
Test(compliant_states, on_bristles) {
  compare_states("bristles", (const char *const[]){BRISTLES, NULL}, 1e-11);
}

/* The constant torque of a roller's bearing goes by its part of the wheel's load. */
#define DRY_ROLLERS                                                                                \
  "parameters.wheel.roller.dry={\"torque\": 0.003, \"friction\": 0.2, \"pin_radius\": 0.002, "     \
  "\"end_friction\": 0.15, \"end_radius\": 0.003, \"static_ratio\": 1.3}"
#define DRY_AXLES                                                                                  \
  "parameters.wheel.axle_dry={\"torque\": 0.02, \"friction\": 0.1, \"radius\": 0.004}"

Test(compliant_states, with_dry_friction) {
  compare_states("dry friction, rolling resistance",
                 (const char *const[]){DRY_ROLLERS, DRY_AXLES,
                                       "parameters.wheel.roller.rolling_resistance=0.0004", NULL},
                 1e-11);
  compare_states("dry friction by a power of the load, on a slope",
                 (const char *const[]){DRY_ROLLERS, DRY_AXLES,
                                       "parameters.wheel.dry_load.exponent=0.8",
                                       "parameters.floor={\"slope\": \"9 deg\"}", NULL},
                 1e-11);
}

#define SLOPE "parameters.floor={\"slope\": \"9 deg\", \"slope_direction\": \"40 deg\"}"

Test(compliant_states, on_a_slope) {
  compare_states("slope", (const char *const[]){SLOPE, NULL}, 1e-11);
  compare_states("slope, bristles", (const char *const[]){SLOPE, BRISTLES, NULL}, 1e-11);
}

/* The preloads are those of a rest, which both find by Newton's method to 1e-13 m of springs of
 * 4e5 N/m. */
Test(compliant_states, on_a_slope_with_suspensions) {
  compare_states("slope, suspension",
                 (const char *const[]){SLOPE,
                                       "parameters.wheel.suspension={\"stiffness\": 2e4, "
                                       "\"damping\": 60, \"mass\": 0.3}",
                                       NULL},
                 1e-9);
}

/* ---- floors with heights: the kernels find the deepest point in two looks at the floor, between
 * which they take it as curved and no more */

#define WAVE                                                                                       \
  "parameters.floor={\"slope\": \"5 deg\", \"wave\": {\"amplitude\": \"3 mm\", \"length\": "       \
  "\"40 cm\", \"direction\": \"25 deg\", \"phase\": \"1 rad\"}}"
#define STEP                                                                                       \
  "parameters.floor={\"step\": {\"height\": \"2 mm\", \"place\": \"10 cm\", \"ramp\": \"15 cm\", " \
  "\"direction\": \"50 deg\", \"width\": \"20 cm\"}}"
#define ROUGH                                                                                      \
  "parameters.floor={\"roughness\": {\"degree\": 16e-6, \"shortest\": \"25 cm\", \"seed\": 7}}"

Test(compliant_states, on_a_wave) {
  compare_states("wave", (const char *const[]){WAVE, NULL}, 1e-7);
  compare_states("wave, bristles", (const char *const[]){WAVE, BRISTLES, NULL}, 1e-7);
}

Test(compliant_states, over_a_sill) {
  compare_states("sill", (const char *const[]){STEP, NULL}, 1e-6);
}

Test(compliant_states, on_a_rough_floor) {
  compare_states("rough", (const char *const[]){ROUGH, NULL}, 1e-7);
}

/* ---- maps, of which the reference has a reading of its own */

static void remove_map(void) {
  unlink(map_path);
}

/* Nodes 20 cm apart over the places of the states; no two cells alike. */
static void write_map(void) {
  snprintf(map_path, sizeof map_path, "/tmp/omniroll-map-XXXXXX");
  FILE *out = fdopen(mkstemp(map_path), "w");
  cr_assert_not_null(out);
  fputs("x [m],z [m],height [mm]\n", out);
  for (int n = 0; n < 51 * 51; n++)
    fprintf(out, "%.17g,%.17g,%.17g\n", -5 + 0.2 * (n % 51), -5 + 0.2 * (n / 51),
            2 * sin(1.7 * n) + n % 51 * 0.2);
  fclose(out);
}

static void compare_on_map(const char *word, double within) {
  char floor[256];
  snprintf(floor, sizeof floor,
           "parameters.floor={\"map\": {\"file\": \"%s\", \"interpolation\": \"%s\", \"x\": 0.31, "
           "\"direction\": \"35 deg\", \"offset\": \"-1 mm\", \"scale\": 0.8}}",
           map_path, word);
  compare_states(word, (const char *const[]){floor, NULL}, within);
}

Test(compliant_states, on_a_smooth_map, .fini = remove_map) {
  write_map();
  compare_on_map("cubic", 1e-9);
}
