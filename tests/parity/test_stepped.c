/* A batch that the caller steps gives the bits of a run with the same inputs, whatever the backend,
 * the lengths of its steps, and the order in which vehicles are reset. */
#include "tests/parity/parity.h"

#include <omniroll/batch.h>

/* What all parts of a test use. */
typedef struct stepping_case {
  omr_study *study;
  omr_result *run;
  omr_stepped_batch *batch;
  size_t first, width; /* observables among the run's columns */
  double *seen;
} stepping_case;

/* False where this machine has no such engine. */
static bool open_case(stepping_case *c, const char *path, const engine *e) {
  omr_error error = {.message = ""};
  *c = (stepping_case){.run = run_study(path, e)};
  if (!c->run) return false;
  c->study = load_study(path, e);
  cr_assert_eq(omr_batch_open(c->study, NULL, &c->batch, &error), OMR_OK, "%s", error.message);

  /* Every observable of the run. */
  const char *names[OMR_OBS_COUNT];
  c->first = c->run->parameter_count;
  c->width = c->run->column_count - c->first;
  for (size_t j = 0; j < c->width; j++) names[j] = c->run->columns[c->first + j].name;
  cr_assert_eq(omr_batch_observe(c->batch, names, c->width, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_batch_width(c->batch), c->width);
  c->seen = calloc(c->run->instances * c->width, sizeof *c->seen);
  return true;
}

static void close_case(stepping_case *c) {
  omr_batch_close(c->batch);
  omr_study_destroy(c->study);
  omr_result_destroy(c->run);
  free(c->seen);
}

static void step(omr_stepped_batch *batch, size_t steps) {
  omr_error error = {.message = ""};
  cr_assert_eq(omr_batch_step(batch, (double)steps * omr_batch_step_length(batch), &error), OMR_OK,
               "%s", error.message);
}

/* Vehicle `slot` against an instance of the run. */
static void hold_slot(const stepping_case *c, const char *label, size_t slot, size_t instance) {
  signed char status[256];
  omr_error error;
  cr_assert_eq(omr_batch_status(c->batch, status, &error), OMR_OK);
  cr_expect_eq(status[slot], c->run->status[instance], "%s: status of vehicle %zu", label, slot);
  for (size_t j = 0; !status[slot] && j < c->width; j++) {
    const omr_column *column = &c->run->columns[c->first + j];
    const double seen = c->seen[slot * c->width + j], expected = column->values[instance];
    cr_expect(same_bits(seen, expected), "%s: %s of vehicle %zu is %.17g, in the run %.17g", label,
              column->name, slot, seen, expected);
  }
}

static void read_all(stepping_case *c) {
  omr_error error = {.message = ""};
  cr_assert_eq(omr_batch_read(c->batch, c->seen, &error), OMR_OK, "%s", error.message);
}

static size_t steps_of(const stepping_case *c) {
  return (size_t)c->study->time.steps;
}

/* Steps to the end in parts of all lengths, and compares all that the run observes. */
static void check_whole(const char *path, engine e) {
  stepping_case c;
  if (!open_case(&c, path, &e)) return;
  size_t left = steps_of(&c), part = 1;
  while (left) {
    const size_t steps = part < left ? part : left;
    step(c.batch, steps);
    left -= steps;
    part = part * 3 + 1;
  }
  read_all(&c);
  for (size_t i = 0; i < c.run->instances; i++) hold_slot(&c, path, i, i);
  close_case(&c);
}

static const char *const runs[] = {"tests/parity/four_wheels.json", "tests/parity/loops.json",
                                   "tests/parity/brushed.json",     "tests/parity/compliant.json",
                                   "tests/parity/kinds.json",       "tests/parity/edges.json",
                                   "tests/parity/bearing.json",     "tests/parity/held_rates.json",
                                   "tests/parity/one_wheel.json",   "tests/parity/path.json"};
enum { RUNS = sizeof runs / sizeof *runs };

Test(stepped, is_the_run_on_processors, .timeout = 300) {
  for (int i = 0; i < RUNS; i++) {
    check_whole(runs[i], (engine){.backend = "openmp", .threads = 2});
    check_whole(runs[i], (engine){.backend = "openmp", .precision = "single"});
    check_whole(runs[i], (engine){.backend = "scalar"});
  }
}

Test(stepped, is_the_run_on_opencl, .timeout = 900) {
  for (int i = 0; i < (short_form() ? 1 : RUNS); i++)
    check_whole(runs[i], (engine){.backend = "opencl", .lanes = 4});
  if (short_form()) return;
  check_whole(runs[0], (engine){.backend = "opencl", .lanes = 8, .precision = "single"});
}

Test(stepped, is_the_run_when_compiled_for_it, .timeout = 600) {
  for (int i = 0; i < (short_form() ? 2 : RUNS); i++)
    check_whole(runs[i], (engine){.backend = "openmp", .other = "engine.compile=always"});
}

/* Vehicles that are reset on their way become other instances at instants of their own. */
static void check_resets(const char *path, engine e) {
  stepping_case c;
  omr_error error = {.message = ""};
  if (!open_case(&c, path, &e)) return;
  const size_t count = c.run->instances, whole = steps_of(&c), half = whole / 2;
  const size_t slots[] = {3, count - 1, 0}, instances[] = {7, 2, 11};

  /* Three of them start half a run later than the others. */
  step(c.batch, half);
  cr_assert_eq(omr_batch_reset(c.batch, slots, instances, 3, &error), OMR_OK, "%s", error.message);
  step(c.batch, whole - half);
  read_all(&c);
  for (size_t i = 1; i < count - 1; i++)
    if (i != 3) hold_slot(&c, path, i, i);
  step(c.batch, half);
  read_all(&c);
  for (int j = 0; j < 3; j++) hold_slot(&c, path, slots[j], instances[j]);

  /* All of them start anew. */
  cr_assert_eq(omr_batch_reset(c.batch, NULL, NULL, 0, &error), OMR_OK, "%s", error.message);
  step(c.batch, whole);
  read_all(&c);
  for (size_t i = 1; i < count - 1; i++) hold_slot(&c, path, i, i == 3 ? 7 : i);

  /* All are one instance, whose parameters they share, until three become others. */
  const size_t ones[64] = {0};
  cr_assert_eq(omr_batch_reset(c.batch, NULL, ones, 0, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_batch_reset(c.batch, slots, instances, 3, &error), OMR_OK, "%s", error.message);
  step(c.batch, whole);
  read_all(&c);
  for (size_t i = 1; i < count - 1; i++) hold_slot(&c, path, i, i == 3 ? 7 : 0);
  hold_slot(&c, path, 0, 11);
  hold_slot(&c, path, count - 1, 2);
  close_case(&c);
}

Test(stepped, vehicles_are_reset_alone, .timeout = 300) {
  check_resets("tests/parity/four_wheels.json", (engine){.backend = "openmp"});
  check_resets("tests/parity/loops.json", (engine){.backend = "openmp", .precision = "single"});
  check_resets("tests/parity/four_wheels.json", (engine){.backend = "opencl", .lanes = 4});
}

/* Samples are those of the trajectory. */
static void check_samples(const char *path, engine e) {
  stepping_case c;
  omr_error error = {.message = ""};
  const bool ros = e.other && strstr(e.other, "ros");
  const char *const names[] = {
      "x",           ros ? "y" : "z", "yaw",    "vx",          ros ? "vy" : "vz", "yaw_rate",
      "wheel_angle", "wheel_rate",    "slip_i", "normal_load", "torque"};
  enum { VEHICLE = 6, ALL = sizeof names / sizeof *names };
  if (!open_case(&c, path, &e)) return;
  cr_assert_eq(omr_batch_observe(c.batch, names, ALL, &error), OMR_OK, "%s", error.message);
  const size_t wheels = omr_batch_wheels(c.batch), width = VEHICLE + (ALL - VEHICLE) * wheels,
               stride = c.study->traces.stride;
  cr_assert_eq(omr_batch_width(c.batch), width);
  double *seen = calloc(c.run->instances * width, sizeof *seen);

  static const int vehicle[] = {OMR_VS_X,  OMR_VS_Z,  OMR_VS_YAW,
                                OMR_VS_VX, OMR_VS_VZ, OMR_VS_YAW_RATE},
                   wheel[] = {OMR_WS_ANGLE, OMR_WS_RATE, OMR_WS_SLIP_I, OMR_WS_LOAD, OMR_WS_TORQUE};
  for (size_t s = 0; s < c.run->sample_count; s++) {
    if (s) step(c.batch, stride);
    cr_assert_eq(omr_batch_read(c.batch, seen, &error), OMR_OK, "%s", error.message);
    for (size_t t = 0; t < c.run->traced_count; t++) {
      const double *own = seen + c.run->traced[t] * width;
      const size_t row = t * c.run->sample_count + s;
      for (int j = 0; j < VEHICLE; j++)
        cr_expect(same_bits(own[j], c.run->vehicle_samples[vehicle[j]][row]), "%s at sample %zu",
                  names[j], s);
      for (size_t j = 0; j < (ALL - VEHICLE) * wheels; j++)
        cr_expect(same_bits(own[VEHICLE + j],
                            c.run->wheel_samples[wheel[j / wheels]][row * wheels + j % wheels]),
                  "%s at sample %zu", names[VEHICLE + j / wheels], s);
    }
  }
  free(seen);
  close_case(&c);
}

Test(stepped, samples_are_those_of_trajectories, .timeout = 300) {
  check_samples("tests/parity/four_wheels.json", (engine){.backend = "openmp"});
  check_samples("tests/parity/four_wheels.json",
                (engine){.backend = "openmp", .precision = "single"});
  check_samples("tests/parity/four_wheels.json",
                (engine){.backend = "openmp",
                         .other = "frame=ros",
                         .more = "output.observables=[\"exchanges\"]"});
  if (!short_form())
    check_samples("tests/parity/brushed.json", (engine){.backend = "opencl", .lanes = 4});
}

#define STEPPED "tests/parity/stepped.json"
#define HELD "tests/parity/held.json"

static const double held[8][5] = {{-0.5, 0.25, 0.5, 0, 0},      {-1, 0.5, 0.5, 0.25, 0},
                                  {-1, -0.75, 0.75, 0.25, 0.5}, {0.5, -0.75, 0.125, -0.5, 0.5},
                                  {1.5, 1.25, 0, 0, -1},        {1.5, 1.25, 0.5, 0, -1},
                                  {-2, 0, 0.5, 0.5, 0},         {0, -2, -0.25, 0.5, 2}};

/* The number of an input by its path. */
static size_t input_named(const omr_stepped_batch *batch, const char *path) {
  size_t i = 0;
  while (omr_batch_input(batch, i) && strcmp(omr_batch_input(batch, i), path) != 0) i++;
  cr_assert_not_null(omr_batch_input(batch, i), "%s", path);
  return i;
}

/* The run takes torques and command from rows of a file that hold until the next. */
static void check_inputs(engine e) {
  stepping_case c;
  omr_error error = {.message = ""};
  if (!open_case(&c, STEPPED, &e)) return;
  omr_result_destroy(c.run);
  c.run = run_study(HELD, &e);
  const size_t inputs[] = {input_named(c.batch, "wheels[0].drive.torque"),
                           input_named(c.batch, "wheels[1].drive.torque"),
                           input_named(c.batch, "command.vx"), input_named(c.batch, "command.vz"),
                           input_named(c.batch, "command.yaw_rate")};
  double *values = calloc(c.run->instances * 5, sizeof *values);
  for (int row = 0; row < 8; row++) {
    for (size_t i = 0; i < c.run->instances * 5; i++) values[i] = held[row][i % 5];
    cr_assert_eq(omr_batch_set(c.batch, inputs, 5, values, &error), OMR_OK, "%s", error.message);
    step(c.batch, 96);
  }
  free(values);
  read_all(&c);
  for (size_t i = 0; i < c.run->instances; i++) hold_slot(&c, "inputs", i, i);
  close_case(&c);
}

Test(stepped, inputs_that_change_are_those_of_a_run_that_holds_rows, .timeout = 300) {
  check_inputs((engine){.backend = "openmp"});
  check_inputs((engine){.backend = "scalar", .precision = "single"});
  check_inputs((engine){.backend = "opencl", .lanes = 4});
}

/* Every vehicle has an input of its own: the run varies it. */
Test(stepped, each_vehicle_has_its_input) {
  stepping_case c;
  omr_error error = {.message = ""};
  cr_assert(open_case(
      &c, STEPPED,
      &(engine){.backend = "openmp",
                .other = "vary=[{\"path\": \"wheels[0].drive.torque\", \"uniform\": [-1, 1]}]"}));
  const size_t input = input_named(c.batch, "wheels[0].drive.torque"), count = c.run->instances;
  const double *torques = c.run->columns[0].values;
  double *values = calloc(count, sizeof *values);
  for (size_t i = 0; i < count; i++) values[i] = torques[count - 1 - i];

  /* Others go on as they are, and no input is set where one of them is wrong. */
  size_t instances[64];
  values[5] = (double)NAN;
  cr_expect_eq(omr_batch_set(c.batch, &input, 1, values, &error), OMR_ERR_USAGE);
  cr_expect_str_eq(error.message,
                   "wheels[0].drive.torque of vehicle 5 is nan, and has to be a finite "
                   "number from -inf to inf; no input was set");
  step(c.batch, 96);
  values[5] = torques[count - 6];
  for (size_t i = 0; i < count; i++) instances[i] = i;
  cr_assert_eq(omr_batch_reset(c.batch, NULL, instances, 0, &error), OMR_OK);
  for (size_t i = 0; i < count; i++) values[i] = torques[i];
  cr_assert_eq(omr_batch_set(c.batch, &input, 1, values, &error), OMR_OK, "%s", error.message);
  step(c.batch, steps_of(&c));
  read_all(&c);
  for (size_t i = 0; i < count; i++) hold_slot(&c, "own inputs", i, i);
  free(values);
  close_case(&c);
}

static void refuse(const char *path, const char *other, const char *message) {
  engine e = {.backend = "openmp", .other = other};
  omr_study *study = load_study(path, &e);
  omr_stepped_batch *batch;
  omr_error error = {.message = ""};
  cr_expect_eq(omr_batch_open(study, NULL, &batch, &error), OMR_ERR_USAGE, "%s", path);
  cr_expect_null(batch);
  cr_expect(strstr(error.message, message), "%s", error.message);
  omr_study_destroy(study);
}

Test(stepped, studies_without_vehicle_or_fixed_steps_are_refused) {
  refuse("tests/parity/uk_wheel.json", NULL, "is none of them");
  refuse(STEPPED, "integrator={\"tolerance\": 0.01, \"duration\": 0.375}",
         "give integrator.step in place of integrator.tolerance");
  refuse(STEPPED, "integrator.budget=2", "leave it out");
  refuse(STEPPED, "integrator.on_failure=retry_half_step", "say integrator.on_failure \"record\"");
}

Test(stepped, wrong_calls_change_nothing) {
  stepping_case c;
  omr_error error = {.message = ""};
  cr_assert(open_case(&c, STEPPED, &(engine){.backend = "openmp"}));
  const char *wrong = "final_x_";
  const size_t slot = 21, instance = 40, input = 11;
  const double value = 0;

  cr_expect_eq(omr_batch_step(c.batch, 1e-3, &error), OMR_ERR_USAGE);
  cr_expect_str_eq(error.message, "0.001 s is no whole number of steps of 0.00048828125 s; the "
                                  "nearest is 0.0009765625 s");
  cr_expect_eq(omr_batch_step(c.batch, HUGE_VAL, &error), OMR_ERR_USAGE);
  cr_expect_eq(omr_batch_step(c.batch, 1e300, &error), OMR_ERR_USAGE);
  cr_expect_eq(omr_batch_observe(c.batch, &wrong, 1, &error), OMR_ERR_USAGE);
  cr_expect_eq(omr_batch_reset(c.batch, &slot, NULL, 1, &error), OMR_ERR_USAGE);
  cr_expect_str_eq(error.message, "slots[0] is 21; the batch has 21 vehicles");
  cr_expect_eq(omr_batch_reset(c.batch, NULL, &instance, 0, &error), OMR_ERR_USAGE);
  cr_expect_eq(omr_batch_set(c.batch, &input, 1, &value, &error), OMR_ERR_USAGE);
  cr_expect_str_eq(error.message, "inputs[0] is 11; the batch has 11 inputs");

  step(c.batch, steps_of(&c));
  read_all(&c);
  for (size_t i = 0; i < c.run->instances; i++) hold_slot(&c, "after refusals", i, i);
  close_case(&c);
}

/* A vehicle that cannot be made has no values, and starts as another instance. */
Test(stepped, a_failed_vehicle_leaves_its_neighbours_alone) {
  stepping_case c;
  omr_error error = {.message = ""};
  cr_assert(open_case(&c, STEPPED,
                      &(engine){.backend = "openmp",
                                .other = "vary=[{\"path\": \"wheel.tip_radius\", \"uniform\": "
                                         "[\"1 cm\", \"9 cm\"]}]"}));
  size_t failed = 0, good = 0;
  for (size_t i = 0; i < c.run->instances; i++) *(c.run->status[i] ? &failed : &good) = i;
  cr_assert(c.run->status[failed] && !c.run->status[good]);
  step(c.batch, steps_of(&c));
  read_all(&c);
  for (size_t i = 0; i < c.run->instances; i++) hold_slot(&c, "with failures", i, i);
  cr_expect(isnan(c.seen[failed * c.width]));

  cr_assert_eq(omr_batch_reset(c.batch, &failed, &good, 1, &error), OMR_OK, "%s", error.message);
  step(c.batch, steps_of(&c));
  read_all(&c);
  hold_slot(&c, "reset after a failure", failed, good);
  close_case(&c);
}
