/* Runs a part of a study in chunks of instances. Each chunk has a batch with and one without
 * trajectories, which advance in slices of bounded time. */
#include "state.h"

#include "../../kernels/layout.h"
#include "../model/prepare.h"
#include "../result/balance.h"
#include "../study/formulas.h"
#include "../support/phase.h"
#include "block.h"
#include "failure_limit.h"
#include "reduce.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define HANG_FACTOR 30    /* multiple of the expected duration of a launch */
#define STEPPED_SECONDS 1 /* for which a stepped batch is taken to go on; nobody knows its end */

void omr_engine_forget_reasons(omr_engine *r) {
  for (size_t slot = 0; r->reasons && slot < r->slots; slot++) {
    free(r->reasons[slot]);
    r->reasons[slot] = NULL;
  }
}

static void note_invalid(omr_engine *r, size_t instance, const char *reason) {
  omp_set_lock(&r->lock);
  omr_result_note_invalid(r->result, &r->first_invalid, instance, reason);
  omp_unset_lock(&r->lock);
}

/* Position of a row's instance among the traced ones. */
static size_t traced_position(const omr_part *part, size_t row) {
  return omr_part_traced_from(part, omr_part_row(part, row));
}

static bool is_traced(const omr_part *part, size_t row) {
  const size_t at = traced_position(part, row);
  return at < part->traced_count && part->traced[at] == omr_part_row(part, row);
}

void omr_result_keep_shapes(omr_result *result, size_t position, const omr_batch *batch,
                            size_t slot, const omr_values *values) {
  const size_t wheels = (size_t)result->wheels, stride = batch->stride, row = position * wheels;
  for (size_t i = 0; i < wheels; i++) {
    const double *params = batch->params + slot + (size_t)OMR_PARAM_COLUMN((int)i, 0) * stride;
    result->wheel_shapes[OMR_SHAPE_RADIUS][row + i] = params[W_RADIUS * stride];
    result->wheel_shapes[OMR_SHAPE_CENTER][row + i] = params[W_CENTER * stride];
    result->wheel_shapes[OMR_SHAPE_ROLLERS][row + i] = params[W_ROLLERS * stride];
    result->wheel_shapes[OMR_SHAPE_X][row + i] = params[W_A * stride];
    result->wheel_shapes[OMR_SHAPE_Z][row + i] = params[W_B * stride];
    result->wheel_shapes[OMR_SHAPE_AXIS_X][row + i] = params[W_SIN * stride];
    result->wheel_shapes[OMR_SHAPE_AXIS_Z][row + i] = params[W_COS * stride];
    result->wheel_shapes[OMR_SHAPE_INCLINATION][row + i] = values->wheel[i][OMR_WP_INCLINATION];
    result->wheel_shapes[OMR_SHAPE_ROW_DISTANCE][row + i] = values->wheel[i][OMR_WP_ROW_DISTANCE];
  }
  for (int j = 0; result->frame != OMR_FRAME_Y_UP && j < OMR_SHAPE_COUNT; j++)
    omr_turn_values(omr_wheel_shape_turn(result->frame, j), result->wheel_shapes[j] + row, wheels);
}

/* Level of a carried slot. */
static int level_of(const omr_engine *r, size_t slot) {
  return r->carry->sample.levels - (int)(slot / r->carry->sample.count);
}
/* The refinement at that level, in halvings of the step or tenths of the tolerance. */
static int refinement_of(const omr_engine *r, size_t slot) {
  const int decades = r->carry->sample.decades;
  return level_of(r, slot) * (decades ? decades : 1);
}
static size_t place_of(const omr_engine *r, size_t slot) {
  return slot % r->carry->sample.count;
}

static void prepare_carried(omr_engine *r, size_t slot, omr_batch *block, size_t at) {
  omr_values values;
  char reason[400] = "";
  omr_part_values(&r->part, r->carry->instance[place_of(r, slot)], &values,
                  r->drawn + slot * r->study->variation_count);
  if (omr_prepare_instance(r->study, &r->settings, &values, block, at, reason, sizeof reason))
    omr_prepare_refined(r->study, &r->settings, block, at, refinement_of(r, slot));
  r->energy[slot] = omr_kinetic_energy(&r->settings, block, at);
}

/* Prepares the instance of a slot at place `at` of a block. */
static void prepare_slot(omr_engine *r, size_t slot, omr_batch *block, size_t at) {
  if (slot < r->carried) {
    prepare_carried(r, slot, block, at);
    return;
  }

  /* The varied values become columns of the result. */
  const omr_study *study = r->study;
  omr_values values;
  char reason[400] = "";
  double *row = r->drawn + slot * study->variation_count;
  const size_t instance = omr_part_row(&r->part, r->index[slot]);
  omr_part_values(&r->part, instance, &values, row);
  for (size_t j = 0; j < study->variation_count; j++)
    r->result->columns[j].values[r->index[slot]] = row[j];

  /* The geometry of traced instances is stored; an invalid instance gives its reason. */
  if (omr_prepare_instance(study, &r->settings, &values, block, at, reason, sizeof reason)) {
    if (is_traced(&r->part, r->index[slot]))
      omr_result_keep_shapes(r->result, traced_position(&r->part, r->index[slot]), block, at,
                             &values);
  } else {
    note_invalid(r, instance, reason);
    r->reasons[slot] = strdup(reason);
  }

  r->energy[slot] = omr_kinetic_energy(&r->settings, block, at);
}

/* Fills the batch with the carried instances and the instances of r->index[r->carried .. count). */
static void prepare_batch(omr_engine *r, size_t count) {
  double start = omr_seconds();
  /* The batch holds whole packs. */
  omr_engine_forget_reasons(r);
  omr_phase("prepare");
  r->batch.count = count;
  r->batch.stride = (count + OMR_PAD - 1) / OMR_PAD * OMR_PAD;
  r->batch.blocked = r->ops->blocked;
#pragma omp parallel for schedule(static) num_threads(r->threads)
  for (size_t first = 0; first < count; first += OMR_BLOCK) {
    omr_batch *block = &r->blocks[omp_get_thread_num()];
    block->count = count - first < OMR_BLOCK ? count - first : OMR_BLOCK;
    for (size_t at = 0; at < block->count; at++) prepare_slot(r, first + at, block, at);
    omr_block_put(&r->settings, block, &r->batch, first);
  }

  /* Padding repeats the last instance, with a status that keeps it from running. */
  size_t last;
  omr_batch with_last = omr_batch_block(&r->settings, &r->batch, count - 1, &last);
  for (size_t slot = count; slot < r->batch.stride; slot++)
    omr_prepare_padding(&r->settings, &with_last, last, last + 1 + slot - count);

  r->result->record.prepare_seconds += omr_seconds() - start;
}

bool omr_engine_report(const omr_engine *r, double batch_work) {
  const omr_run_options *o = r->options;
  return !o || !o->progress ||
         o->progress(o->progress_user, r->work_done + batch_work, r->work_total);
}

bool omr_engine_goes_on(void *user) {
  const omr_engine *r = user;
  return omr_engine_report(r, r->reported);
}

/* Limits the time of a launch with so many steps. */
static void set_watch(omr_engine *r, double steps) {
  const double least = r->study->engine.hang_seconds > 0 ? r->study->engine.hang_seconds : 60;
  r->watch.expected = steps * r->step_seconds;
  r->watch.seconds = fmax(least, HANG_FACTOR * r->watch.expected);
}

/* A step on the backend's clock: 1, or with controlled steps, whose clock runs in seconds, a
 * nominal step. */
static double clock_unit(const omr_engine *r) {
  return r->settings.controlled ? r->whole.study->time.duration / (double)r->whole.study->time.steps
                                : 1;
}

/* End of the present part on that clock. */
static double clock_end(const omr_engine *r) {
  return r->settings.controlled ? r->study->time.duration : (double)r->study->time.steps;
}

/* Estimated from the last launch; 0 before the first. */
static double seconds_left(const omr_engine *r) {
  if (r->stepped) return STEPPED_SECONDS;
  const double each = r->step_seconds / fmax(1, (double)r->batch.count);
  return each * fmax(0, r->work_total - r->work_done - r->reported);
}

omr_status omr_engine_advance(omr_engine *r, double from, double to, omr_error *error) {
  /* A processor that steps a large batch brings it from memory in every launch, and has no limit of
   * its own for one. */
  const bool whole = r->stepped && r->ops == &omr_openmp_backend;
  const double given = r->study->engine.launch_seconds, unit = clock_unit(r),
               wanted = whole       ? HUGE_VAL
                        : given > 0 ? given
                                    : 0.25;
  for (double at = from; at < to;) {
    /* One launch under the watch. */
    double next = r->slice * unit < to - at ? at + r->slice * unit : to;
    double start = omr_seconds();
    omr_phase("integrate");
    set_watch(r, (next - at) / unit);
    if (r->ops->expect) r->ops->expect(r->backend, seconds_left(r), &r->watch);
    omr_status status = r->ops->advance(r->backend, next, error);
    if (status != OMR_OK) return status;

    /* The next launch takes as many steps as fit into the time that is wanted. */
    double took = fmax(omr_seconds() - start, 1e-6), done = (next - at) / unit;
    double fitting = done * wanted / took;
    r->step_seconds = took / done;
    r->slice = fmax(1, floor(fmin(fitting, 4 * fmax(r->slice, done))));
    at = next;

    /* The caller may stop between launches. */
    r->reported = at * (double)(r->batch.count - r->carried);
    if (!omr_engine_report(r, r->reported)) {
      return omr_fail(error, OMR_ERR_INTERRUPTED, "stopped; no result was written");
    }
  }

  return OMR_OK;
}

static omr_status keep_samples(omr_engine *r, size_t sample, omr_error *error) {
  /* The backend samples all slots at the same time. */
  const double at = r->settings.controlled ? r->result->sample_time[sample]
                                           : (double)(sample * r->study->traces.stride);
  omr_status status = r->ops->sample(r->backend, at, r->samples, error);
  if (status != OMR_OK) return status;

  /* Each slot's values go to the place of its trajectory. */
  omr_result *result = r->result;
  size_t wheels = (size_t)result->wheels, stride = r->batch.blocked ? OMR_PAD : r->batch.stride;
  for (size_t slot = r->carried; slot < r->batch.count; slot++) {
    size_t row = traced_position(&r->part, r->index[slot]) * result->sample_count + sample;
    const double *from =
        r->samples + omr_batch_place(&r->batch, r->settings.sample_columns, 0, slot);
    for (int j = 0; j < result->small_sample_count; j++)
      result->small_samples[j][row] = from[(size_t)j * stride];

    /* Vehicles have columns of the platform and of each wheel. */
    if (result->small_sample_count) continue;
    for (int j = 0; j < OMR_VS_COUNT; j++) {
      if (result->vehicle_samples[j]) result->vehicle_samples[j][row] = from[(size_t)j * stride];
    }
    for (size_t i = 0; i < wheels; i++) {
      for (size_t j = 0; j < OMR_WS_COUNT; j++) {
        if (!result->wheel_samples[j]) continue;
        double value = from[((size_t)OMR_VS_COUNT + i * OMR_WS_COUNT + j) * stride];
        if (j == OMR_WS_EDGE_SHARE && value >= 2)
          value = (double)NAN; /* the wheel stands on one roller (kernels/edges/edge.h) */
        if (!omr_wheel_has_sample(r->study, (int)i, (int)j)) value = (double)NAN;
        result->wheel_samples[j][row * wheels + i] = value;
      }
    }
  }

  return OMR_OK;
}

/* Removes samples after an instance's end. */
static void blank_samples(omr_engine *r, size_t instance_row, double end, bool never_ran) {
  omr_result *result = r->result;
  size_t wheels = (size_t)result->wheels, position = traced_position(&r->part, instance_row);
  for (size_t s = 0; s < result->sample_count; s++) {
    if (!never_ran && result->sample_time[s] <= end) continue;
    size_t row = position * result->sample_count + s;

    for (int j = 0; j < result->small_sample_count; j++)
      result->small_samples[j][row] = (double)NAN;
    for (int j = 0; j < OMR_VS_COUNT; j++) {
      if (result->vehicle_samples[j]) result->vehicle_samples[j][row] = (double)NAN;
    }
    for (int j = 0; j < OMR_WS_COUNT; j++) {
      if (!result->wheel_samples[j]) continue;
      for (size_t i = 0; i < wheels; i++) result->wheel_samples[j][row * wheels + i] = (double)NAN;
    }
  }
}

/* Lists a failed instance. Only the first few reasons are kept, as many as the list will show. */
static bool keep_failure(omr_engine *r, size_t slot, int status, double end, size_t *reasons) {
  double state[OMR_FAILURE_QUANTITIES * (1 + OMR_MAX_WHEELS)];
  const bool invalid = status == OMR_INSTANCE_INVALID,
             explained = invalid && (*reasons)++ < OMR_FAILURE_REASONS;
  size_t at;
  const omr_batch block = omr_batch_block(&r->settings, &r->batch, slot, &at);
  if (!invalid) omr_last_state(&r->result->failures, &r->settings, &block, at, state);
  return omr_failures_add(&r->result->failures, omr_part_row(&r->part, r->index[slot]), status, end,
                          invalid ? NULL : state, explained ? r->reasons[slot] : NULL);
}

static void keep_slot(omr_engine *r, size_t slot) {
  omr_result *result = r->result;
  const size_t instance = r->index[slot]; /* its row */
  size_t at;
  const omr_batch block = omr_batch_block(&r->settings, &r->batch, slot, &at);
  double observables[OMR_OBS_COUNT];
  /* Observables, as far as the study observes them. */
  omr_reduce(r->study, &r->settings, &block, at, r->energy[slot], observables);
  omr_formulas_add(r->study, r->drawn + slot * r->study->variation_count, observables);

  size_t column = result->parameter_count;
  for (int j = 0; j < OMR_OBS_COUNT; j++) {
    if (omr_study_observes(r->study, j))
      result->columns[column++].values[instance] = observables[j];
  }

  /* Status, end, balance and number of steps. */
  result->status[instance] =
      (int8_t)block.state[(size_t)r->settings.status_column * block.stride + at];
  result->status_time[instance] = omr_end_time(&r->settings, &block, at);
  if (result->status[instance] == OMR_INSTANCE_OK)
    result->row_balance[instance] = observables[OMR_OBS_ENERGY_ERROR];
  result->row_steps[instance] = block.state[(size_t)r->settings.count_column * block.stride + at];
}

/* Stores status and observables of the carried slots and returns their steps. */
static double keep_carried(omr_engine *r) {
  double steps = 0;
  for (size_t slot = 0; slot < r->carried; slot++) {
    size_t at;
    const omr_batch block = omr_batch_block(&r->settings, &r->batch, slot, &at);
    const double *state = block.state + at;
    double observables[OMR_OBS_COUNT],
        *row = omr_refined_row(r->carry, level_of(r, slot), place_of(r, slot));

    /* Varied values and observables form a row of the refined instances. */
    omr_reduce(r->study, &r->settings, &block, at, r->energy[slot], observables);
    omr_formulas_add(r->study, r->drawn + slot * r->study->variation_count, observables);
    for (size_t v = 0; v < r->study->variation_count; v++)
      *row++ = r->drawn[slot * r->study->variation_count + v];
    for (int j = 0; j < OMR_OBS_COUNT; j++)
      if (omr_study_observes(r->study, j)) *row++ = omr_refined_value(observables[j]);

    /* Status, and the cost in steps. */
    *omr_refined_status(r->carry, level_of(r, slot), place_of(r, slot)) =
        (int8_t)state[(size_t)r->settings.status_column * block.stride];
    steps += state[(size_t)r->settings.count_column * block.stride];
  }

  /* Each instance is carried only once. */
  if (r->carried) r->carry = NULL;
  r->carried = 0;
  return steps;
}

/* Stores status and observables of every slot of a row. */
static omr_status keep_results(omr_engine *r, bool traced, omr_error *error) {
  omr_result *result = r->result;
  size_t reasons = 0;
#pragma omp parallel for schedule(static) num_threads(r->threads)
  for (size_t slot = r->carried; slot < r->batch.count; slot++) keep_slot(r, slot);

  /* Totals and failures are collected in the order of the slots. */
  for (size_t slot = r->carried; slot < r->batch.count; slot++) {
    const size_t instance = r->index[slot];
    const int status = result->status[instance];
    const double end = result->status_time[instance];
    result->record.instance_steps += result->row_steps[instance];
    omr_balance_take(&result->record, result->row_balance[instance]);
    if (traced) omr_result_turn_samples(result, traced_position(&r->part, instance));
    if (traced && status != OMR_INSTANCE_OK)
      blank_samples(r, instance, end, status == OMR_INSTANCE_INVALID);
    if (status != OMR_INSTANCE_OK && !keep_failure(r, slot, status, end, &reasons))
      return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the states of %zu failed instances",
                      result->failures.count);
  }

  return OMR_OK;
}

/* Advances from sample to sample, and then to the end. */
static omr_status run_traced(omr_engine *r, omr_error *error) {
  double at = 0;
  omr_status status = keep_samples(r, 0, error);
  for (size_t s = 1; status == OMR_OK && s < r->result->sample_count; s++) {
    const double next =
        r->settings.controlled ? r->result->sample_time[s] : (double)(s * r->study->traces.stride);
    status = omr_engine_advance(r, at, next, error);
    at = next;
    if (status == OMR_OK) status = keep_samples(r, s, error);
  }
  return status == OMR_OK ? omr_engine_advance(r, at, clock_end(r), error) : status;
}

/* Integrates the batch of r->batch.count slots. */
static omr_status integrate(omr_engine *r, bool traced, omr_error *error) {
  omr_status status = r->ops->load(r->backend, &r->batch, error);
  if (status == OMR_OK)
    status = traced ? run_traced(r, error) : omr_engine_advance(r, 0, clock_end(r), error);
  return status == OMR_OK ? r->ops->fetch(r->backend, &r->batch, error) : status;
}

/* Runs the rows of r->index[r->carried .. slots) and the carried instances before them. */
static omr_status run_batch(omr_engine *r, size_t slots, bool traced, omr_error *error) {
  const size_t rows = slots - r->carried;
  r->reported = 0;
  prepare_batch(r, slots);
  omr_status status = integrate(r, traced, error);
  if (status == OMR_OK) status = keep_results(r, traced, error);
  if (status != OMR_OK) return status;
  r->result->record.refined_steps += keep_carried(r);
  r->work_done += (double)rows * omr_study_work(r->study);
  return OMR_OK;
}

static void load_carried(omr_engine *r) {
  r->carried = r->carry ? omr_refined_slots(r->carry) : 0;
}

/* Runs rows first .. last-1; rows with and without a trajectory have batches of their own. */
static omr_status run_chunk(omr_engine *r, size_t first, size_t last, omr_error *error) {
  for (int traced = 0; traced < 2; traced++) {
    load_carried(r);
    size_t slots = r->carried;
    for (size_t k = first; k < last; k++) {
      if (is_traced(&r->part, k) == (traced != 0)) r->index[slots++] = k;
    }
    if (slots == r->carried) continue;
    omr_status status = run_batch(r, slots, traced != 0, error);
    if (status != OMR_OK) return status;
  }
  return OMR_OK;
}

/* Runs every row of r->part, in batches of the engine's capacity. */
static omr_status run_rows(omr_engine *r, omr_error *error) {
  const size_t rows = r->part.rows;
  omr_status status = OMR_OK;
  r->first_invalid = SIZE_MAX;

  /* A study may stop at the first failure. */
  for (size_t first = 0; status == OMR_OK && first < rows; first += r->capacity) {
    size_t last = first + r->capacity;
    if (last > rows) last = rows;
    status = run_chunk(r, first, last, error);
    if (status == OMR_OK && r->study->on_failure == OMR_FAILURE_ABORT)
      status = omr_check_none_failed(&r->part, r->result, first, last, error);
  }

  /* Failed instances are repeated once all rows have run. */
  if (status == OMR_OK && r->study->on_failure == OMR_FAILURE_RETRY)
    status = omr_retry_run(r->retry, &r->part, r->result, error);
  if (status == OMR_OK && !omr_failures_sort(&r->result->failures))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu failed instances",
                      r->result->failures.count);
  return status;
}

void omr_engine_carry(omr_engine *engine, omr_refined *refined) {
  engine->carry = refined->sample.count && !omr_refined_done(refined) ? refined : NULL;
}

/* Runs a batch without rows, whose result would be empty. */
omr_status omr_engine_run_carried(omr_engine *engine, omr_run_record *record, omr_error *error) {
  omr_result none = {0};
  const omr_run_record before = engine->record;
  load_carried(engine);
  if (engine->carried == 0) return OMR_OK;
  engine->result = &none;
  const omr_status status = run_batch(engine, engine->carried, false, error);
  engine->result = NULL;
  if (!record) return status;
  record->refined_steps += none.record.refined_steps;
  record->prepare_seconds += none.record.prepare_seconds;
  record->kernel_seconds += engine->record.kernel_seconds - before.kernel_seconds;
  record->transfer_seconds += engine->record.transfer_seconds - before.transfer_seconds;
  return status;
}

/* Makes `part` the one that runs. */
void omr_engine_turn_to(omr_engine *r, const omr_part *part) {
  r->part = *part;
  r->study = part->study;
}

static omr_status run_part(omr_engine *engine, const omr_part *part, omr_result **result,
                           omr_error *error) {
  const double start = omr_seconds();
  *result = NULL;
  omr_status status = omr_result_make(part, &engine->result, error);

  /* The result's record counts the work of this part only. */
  if (status == OMR_OK) {
    omr_run_record *record = &engine->result->record;
    const omr_run_record before = engine->record; /* the backend counts through all parts */
    omr_engine_turn_to(engine, part);
    *record = engine->record;
    memcpy(engine->result->warnings, engine->warnings, sizeof engine->warnings);
    record->build_seconds = record->kernel_seconds = record->transfer_seconds = 0;

    /* Run the rows; rare series without any value are dropped. */
    status = run_rows(engine, error); /* adds the work of repeated instances */
    omr_result_drop_rare(engine->result);
    omr_engine_turn_to(engine, &engine->whole);
    record->kernel_seconds += engine->record.kernel_seconds - before.kernel_seconds;
    record->transfer_seconds += engine->record.transfer_seconds - before.transfer_seconds;
    memcpy(record->kernels, engine->record.kernels, sizeof record->kernels); /* now chosen */
    record->wall_seconds = omr_seconds() - start;
  }

  /* A part that failed has no result. */
  if (status == OMR_OK)
    *result = engine->result;
  else
    omr_result_destroy(engine->result);
  engine->result = NULL;
  return status;
}

bool omr_engine_doubted(const omr_engine *engine) {
  return engine->ops->doubted && engine->ops->doubted(engine->backend);
}

/* Where a compiled object gave other bits, its work is computed again with the general one. */
omr_status omr_engine_run(omr_engine *engine, const omr_part *part, omr_result **result,
                          omr_error *error) {
  const double before = engine->work_done;
  const bool doubted = omr_engine_doubted(engine);
  omr_status status = run_part(engine, part, result, error);
  if (status == OMR_ERR_SELFTEST && !doubted && omr_engine_doubted(engine) && !engine->parts) {
    engine->work_done = before;
    status = run_part(engine, part, result, error);
  }
  engine->parts += status == OMR_OK;
  return status;
}
