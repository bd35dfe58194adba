/* The models of source 5 in maximal coordinates (host/reference/sliding_block.c and uk_wheel.c)
 * against the reduced equations that the ensembles run: the sliding block, the rolling wheel and
 * that with an elastic rim, state by state and over whole motions with their events. */
#include "host/model/small.h"
#include "host/result/result.h"
#include "reference/reference.h"
#include "tests/physics/shared/kernel.h"
#include "tests/physics/shared/motion.h"

#include <criterion/logging.h>

enum { SAMPLES = SMALL_MAX_SAMPLES };

typedef struct drawn {
  int parameter;
  double low, high;
} drawn;

/* Samples of the reference in a random initial state of the model, and of the kernels. */
static double check_states(const omr_small_model *model, int words, const drawn *draws,
                           size_t count, uint64_t seed) {
  const omr_reference_model *reference = omr_reference_model_of(model->list->model);
  double worst = 0;
  for (int k = 0; k < 120; k++) {
    omr_study study = {.model = model->list->model};
    int c[K_COUNT] = {[K_MODEL] = model->list->number};
    for (int i = 0; i < words; i++)
      c[K_OPTION_0 + i] = study.options[i] = k % omr_word_choices(&model->list->word_list[i]);
    omr_values values;
    double *v = values.vehicle, p[SMALL_MAX_PARAMS], y[SMALL_MAX_MOTION] = {0},
           e[SMALL_MAX_EXTREMES] = {0}, dy[SMALL_MAX_MOTION], out[SAMPLES], full[SAMPLES];
    for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
    for (size_t i = 0; i < count; i++)
      v[draws[i].parameter] = draw(&seed, draws[i].low, draws[i].high);
    omr_reason why;
    cr_assert(model->prepare(&study, v, p, y, e, why.text, sizeof why.text), "%s", why.text);
    small_rates(c, p, y, 0, dy, out);
    omr_reference r = {0};
    omr_error error = {.message = ""};
    cr_assert(reference->assemble(&study, &values, &r, &why), "%s", why.text);
    cr_assert_eq(omr_mb_complete(r.mb, &error), OMR_OK, "%s", error.message);
    cr_assert_eq(omr_mb_evaluate(r.mb, NULL, &error), OMR_OK, "%s", error.message);
    reference->sample(&r, full);
    for (int j = 0; j < model->list->samples; j++) {
      const double size = fmax(1, fabs(out[j]));
      worst = larger(worst, (full[j] - out[j]) / size);
      cr_expect_lt(fabs(full[j] - out[j]), 1e-11 * size, "state %d, %s: %.15g, not %.15g", k,
                   model->list->sample_list[j].name, full[j], out[j]);
    }
    omr_reference_close(&r);
  }
  return worst;
}

Test(block_reference, every_state_of_the_block_is_that_of_a_body_on_a_plane) {
  static const drawn draws[] = {{OMR_VP_GRAVITY, 1, 20},          {OMR_VP_UK_MASS, 0.5, 5},
                                {OMR_VP_PLANE_SLOPE, 0, 1.2},     {OMR_VP_BLOCK_FRICTION, 0.1, 0.9},
                                {OMR_VP_BLOCK_STATIC, 0.9, 1.2},  {OMR_VP_BLOCK_FORCE, -40, 40},
                                {OMR_VP_BLOCK_STIFFNESS, 0, 100}, {OMR_VP_BLOCK_BELT, -1, 1},
                                {OMR_VP_INITIAL_X, -1, 1},        {OMR_VP_UK_SPEED, -1, 1},
                                {OMR_VP_DISC_SLIP_SPEED, 0.1, 1}};
  cr_log_info("largest difference %.2g",
              check_states(&omr_sliding_block, 2, draws, sizeof draws / sizeof *draws, 3));
}

#define WHEEL_DRAWS                                                                                \
  {OMR_VP_GRAVITY, 5, 15}, {OMR_VP_UK_MASS, 5, 40}, {OMR_VP_UK_RADIUS, 0.1, 0.6},                  \
      {OMR_VP_UK_INERTIA, 0.3, 3}, {OMR_VP_UK_SPEED, -5, 5}, {OMR_VP_UK_RATE, -20, 20},            \
      {OMR_VP_DRIVE_TORQUE, -90, 90}, {OMR_VP_BRAKE_TORQUE, 0, 60}, {OMR_VP_BRAKE_TIME, -1, 1},    \
      {OMR_VP_BRAKE_GAIN, 0.01, 1}, {OMR_VP_UK_GROUND_TIME, -1, 1},                                \
      {OMR_VP_UK_STICTION_GAIN, 0, 2}, {                                                           \
    OMR_VP_UK_FRICTION_GAIN, 0, 2                                                                  \
  }

/* The contact force by eq. 17 with the X of eq. 18, through singular values. */
Test(block_reference, every_state_of_the_wheel_is_that_of_the_general_form) {
  static const drawn draws[] = {WHEEL_DRAWS};
  cr_log_info("largest difference %.2g",
              check_states(&omr_uk_wheel, 4, draws, sizeof draws / sizeof *draws, 4));
}

Test(block_reference, every_state_of_the_elastic_wheel_is_that_of_hub_and_tread) {
  static const drawn draws[] = {WHEEL_DRAWS,
                                {OMR_VP_RIM_SHARE, 0.1, 0.9},
                                {OMR_VP_RIM_STIFFNESS, 10, 1000},
                                {OMR_VP_RIM_DAMPING, 0, 20},
                                {OMR_VP_RIM_TWIST, -0.2, 0.2}};
  cr_log_info("largest difference %.2g",
              check_states(&omr_elastic_wheel, 4, draws, sizeof draws / sizeof *draws, 5));
}

/* ---- motions */

/* Largest differences of the kinematic samples over a whole run, and of all observables. */
static void check_motion(const char *text, const char *const *overrides, double allowed) {
  omr_reference_run run;
  omr_error error = {.message = ""};
  omr_study *study = NULL;
  size_t count = 0;
  while (overrides && overrides[count]) count++;
  cr_assert_eq(omr_study_parse(text, "test", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  const omr_small_list *list = omr_small_list_of(study->model);
  const omr_reference_options options = {.tolerance = {.relative = 1e-13, .absolute = 1e-14},
                                         .extremes = true};
  cr_assert_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, &run, &error),
               OMR_OK, "%s", error.message);
  omr_result *r = run_study(text, overrides);
  double worst = 0;
  for (size_t s = 0; s < run.times; s++) {
    for (int j = 0; j < list->samples; j++) {
      const double value = run.samples[s * (size_t)list->samples + (size_t)j];
      const double size = fmax(1, fabs(value));
      worst = larger(worst, (value - r->small_samples[j][s]) / size);
      cr_expect_lt(fabs(value - r->small_samples[j][s]), allowed * size,
                   "%s at sample %zu: %.15g, not %.15g", list->sample_list[j].name, s, value,
                   r->small_samples[j][s]);
    }
  }
  for (size_t i = 0; i < omr_result_columns(r); i++) {
    for (int j = 0; j < OMR_OBS_COUNT; j++) {
      if (strcmp(omr_result_column_name(r, i), omr_observables[j].name) != 0) continue;
      const double value = omr_result_column(r, i)[0];
      cr_expect_eq(isnan(value), isnan(run.observables[j]), "%s", omr_observables[j].name);
      if (!isnan(value))
        cr_expect_lt(fabs(run.observables[j] - value), allowed * fmax(1, fabs(value)),
                     "%s: %.15g, not %.15g", omr_observables[j].name, run.observables[j], value);
    }
  }
  cr_log_info("largest difference %.2g; %ld steps, %ld events", worst, run.counts.steps,
              run.counts.events);
  omr_reference_run_free(&run);
  omr_result_destroy(r);
  omr_study_destroy(study);
}

#define RUN(step, duration)                                                                        \
  "\"integrator\": {\"step\": \"" step "\", \"duration\": " duration                               \
  "}, \"engine\": {\"backend\": \"scalar\"}, \"output\": {\"trajectories\": {\"instances\": [0], " \
  "\"interval\": \"7 ms\"}}}"

/* A sine, a spring, a belt and a slope together: nine times it sticks or lets go. */
Test(block_reference, the_block_sticks_and_slips_when_root_finding_says) {
  static const char text[] =
      "{\"model\": \"sliding_block\", \"parameters\": {\"mass\": 2, \"law\": \"set_valued\", "
      "\"friction\": {\"kinetic\": 0.2, \"static\": 0.3}, \"spring\": {\"stiffness\": 120}, "
      "\"belt\": {\"speed\": 0.13}, \"plane\": {\"slope\": 0.1}, \"pull\": {\"type\": \"sine\", "
      "\"force\": 3, \"frequency\": 2.7}, \"initial\": {\"x\": 0.1}}, " RUN("0.2 ms", "7");
  check_motion(text, NULL, 1e-8);
}

Test(block_reference, the_block_moves_as_a_body_under_the_other_laws) {
  static const char text[] =
      "{\"model\": \"sliding_block\", \"parameters\": {\"mass\": 2, \"friction\": {\"kinetic\": "
      "0.3}, \"pull\": {\"type\": \"sine\", \"force\": 9, \"frequency\": 3}, \"spring\": "
      "{\"stiffness\": 20}}, "
      "\"output\": {\"observables\": [\"final_x\", \"final_vx\", \"dissipated_energy\", "
      "\"drive_work\", \"max_speed\"], \"trajectories\": {\"instances\": [0], "
      "\"interval\": \"7 ms\"}}, \"integrator\": {\"step\": \"0.2 ms\", \"duration\": 2.1}, "
      "\"engine\": {\"backend\": \"scalar\"}}";
  check_motion(text, OVERRIDES("parameters.law=tanh"), 1e-8);
  check_motion(text, OVERRIDES("parameters.law=regularized", "parameters.friction.slip_speed=0.1"),
               1e-8);
  check_motion(text, OVERRIDES("parameters.law=saturated"), 1e-7); /* kinks within steps: h^2 */
}

Test(block_reference, both_wheels_start_slip_and_brake_as_the_general_form_says) {
#define WHEEL(model, rim)                                                                          \
  "{\"model\": \"" model "\", \"parameters\": {\"friction\": \"physical\", \"demand\": \"sum\", "  \
  "\"drive\": {\"torque\": 60, \"rate\": 5}, \"brake\": {\"torque\": 50, \"time\": 2, \"gain\": "  \
  "0.5}, \"ground\": {\"type\": \"dip\", \"time\": 1, \"width\": 0.5}" rim                         \
  "}, " RUN("0.1 ms", "3.5")
  check_motion(WHEEL("uk_wheel", ""), NULL, 1e-8);
  check_motion(WHEEL("elastic_wheel", ", \"rim\": {\"stiffness\": 500, \"damping\": 1}"), NULL,
               1e-8);
}
