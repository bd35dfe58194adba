/* Counts the operations of a study's first steps. */
#include "count.h"

#include "../../kernels/layout.h"
#include "../lanes/compiled.h"
#include "../model/prepare.h"
#include "../study/derived.h"
#include "../study/json/json.h"
#include "../support/support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counted instances, the most steps of each, and the most instances tried, some of which may be no
 * vehicles. */
enum { COUNTED_INSTANCES = 4, COUNTED_STEPS = 256, MOST_TRIES = 64 };

omr_status omr_count_open(const int *settings, bool single, omr_counter *counter,
                          omr_error *error) {
  const omr_compile_want want = {
      .settings = settings, .isa = "baseline", .lanes = 1, .single = single, .counting = true};
  omr_compiled *compiled = omr_compiled_of(&want);
  *counter = (omr_counter){0};
  if (!compiled) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_compiled_seek(compiled, OMR_COMPILED_INSIST);
  omr_compiled_wait(compiled, NULL, NULL);
  counter->object = omr_compiled_object(compiled);
  *(void **)&counter->take = omr_compiled_symbol(compiled, "omr_take_counts");
  if (counter->object && counter->object->advance && counter->take) return OMR_OK;
  return omr_fail(error, OMR_ERR_DEVICE,
                  "operations are not counted: the kernels are compiled for it, and %s",
                  counter->object ? "this processor has no binary128 that is made of calls (x86-64 "
                                    "and 64-bit Arm have)"
                                  : omr_compiled_told(compiled));
}

static bool is_single(const omr_study *study) {
  return study->engine.precision == OMR_SINGLE_PRECISION;
}

double omr_useful_operations(const omr_operations *o) {
  return o->add + o->multiply + 2 * o->fma + o->divide + o->sqrt;
}

/* Fills the batch with up to COUNTED_INSTANCES instances, spread over the study; returns their
 * number. */
static size_t prepare_some(const omr_study *study, const omr_run_settings *settings,
                           omr_batch *batch, char *reason, size_t size) {
  const size_t rows = study->instances, tries = rows < MOST_TRIES ? rows : MOST_TRIES;
  const size_t wanted = rows < COUNTED_INSTANCES ? rows : COUNTED_INSTANCES;
  size_t made = 0;

  /* Start with the evenly spread instances and go on with their neighbours. */
  for (size_t k = 0; k < tries && made < wanted; k++) {
    const size_t row = (k % wanted * (rows / wanted) + k / wanted) % rows;
    omr_values values;
    omr_study_values(study, row, &values, NULL);

    if (omr_prepare_instance(study, settings, &values, batch, made, reason, size)) made++;
  }
  return made;
}

static void divide_counts(omr_operations *o, double steps) {
#define X(member) o->member /= steps;
  OMR_OPERATIONS(X)
#undef X
  o->steps = steps;
}

static void advance_all(const omr_counter *counter, const omr_run_settings *s, double until,
                        const omr_batch *batch, const omr_lane_buffers *buffers) {
  for (int slot = 0; slot < (int)batch->count; slot++)
    counter->object->advance(buffers, s->controlled ? s->end : s->step, until, slot);
}

static void widen(const float *from, size_t count, double *to) {
  for (size_t i = 0; i < count; i++) to[i] = (double)from[i];
}

static omr_status count_single(const omr_counter *counter, const omr_run_settings *s, double until,
                               omr_batch *batch, omr_error *error) {
  const size_t states = (size_t)s->state_columns * batch->stride,
               spin_count = (size_t)s->spin_columns * batch->stride;

  /* Copies of the batch in single precision. */
  float *params = omr_narrowed(batch->params, (size_t)s->param_columns * batch->stride);
  float *state = omr_narrowed(batch->state, states),
        *spins = omr_narrowed(batch->spins, spin_count);
  float *tables = omr_narrowed(s->tables, s->table_count);
  const omr_lane_buffers buffers = {params, state, spins, tables, s->integers, (int)batch->stride};
  const bool made = params && state && spins && tables;

  /* Run the copies and carry their motion back. */
  if (made) {
    advance_all(counter, s, until, batch, &buffers);
    widen(state, states, batch->state);
    widen(spins, spin_count, batch->spins);
  }

  free(params);
  free(state);
  free(spins);
  free(tables);
  return made ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

omr_status omr_count_batch(const omr_counter *counter, const omr_run_settings *settings,
                           double until, omr_batch *batch, omr_error *error) {
  if (counter->object->single) return count_single(counter, settings, until, batch, error);
  const omr_lane_buffers buffers = {batch->params,    batch->state,       batch->spins,
                                    settings->tables, settings->integers, (int)batch->stride};
  advance_all(counter, settings, until, batch, &buffers);
  return OMR_OK;
}

/* The end of the counted part of the motion, on the backend's clock. */
static double counted_until(const omr_study *study) {
  if (omr_controls_steps(study))
    return fmin(study->time.duration, COUNTED_STEPS * OMR_NOMINAL_STEP);
  return study->time.steps < COUNTED_STEPS ? (double)study->time.steps : COUNTED_STEPS;
}

/* Counts some instances of the study, in the precision of its engine. */
static omr_status count_some(const omr_study *study, const omr_run_settings *settings,
                             omr_batch *batch, omr_operations *per_step, omr_error *error) {
  omr_counter counter;
  omr_status status = omr_count_open(settings->integers, is_single(study), &counter, error);
  if (status != OMR_OK) return status;

  /* At least one instance has to make a vehicle. */
  char reason[400] = "";
  batch->count = prepare_some(study, settings, batch, reason, sizeof reason);
  if (!batch->count)
    return omr_fail(error, OMR_ERR_STUDY, "%s: no instance to count operations of: %s", study->name,
                    reason);

  /* Count the first steps of the motion from zero. */
  omr_operations rejected;
  double steps = 0;
  counter.take(NULL);
  status = omr_count_batch(&counter, settings, counted_until(study), batch, error);
  if (status != OMR_OK) return status;
  for (size_t slot = 0; slot < batch->count; slot++)
    steps += batch->state[(size_t)settings->count_column * batch->stride + slot];

  /* Where an error estimate chooses the steps, rejected passes cost as much as others. */
  *per_step = counter.take(&rejected);
  if (settings->controlled) omr_operations_add(per_step, &rejected);

  if (!(steps > 0))
    return omr_fail(error, OMR_ERR_STUDY, "%s: no instance got through its first step",
                    study->name);
  divide_counts(per_step, steps);
  return OMR_OK;
}

omr_status omr_count_operations(const omr_study *study, omr_operations *per_step,
                                omr_error *error) {
  omr_run_settings settings;
  omr_batch batch = {0};
  memset(per_step, 0, sizeof *per_step);
  omr_status status = omr_settings_make(study, &settings, error);
  if (status == OMR_OK && !omr_batch_make(&settings, OMR_PAD, &batch))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) status = count_some(study, &settings, &batch, per_step, error);
  omr_batch_free(&batch);
  omr_settings_free(&settings);
  return status;
}

omr_status omr_study_operations_json(const omr_study *study, char **json, omr_error *error) {
  omr_operations o;
  *json = NULL;
  const omr_status status = omr_count_operations(study, &o, error);
  if (status != OMR_OK) return status;

  /* The useful operations come first. */
  cJSON *root = cJSON_CreateObject();
  omr_tree_number(root, "useful", omr_useful_operations(&o));
#define X(member) omr_tree_number(root, #member, o.member);
  OMR_OPERATIONS(X)
  X(steps)
#undef X
  return omr_json_give(root, json, error);
}
