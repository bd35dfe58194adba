/* Runs a study: chunks of instances, in each a batch with and one without trajectories, advanced in
 * slices of bounded time. */
#include "../result/balance.h"
#include "backend.h"

#include "../../kernels/layout.h"
#include "../model/prepare.h"
#include "../result/refined.h"
#include "../support/phase.h"
#include "block.h"
#include "forewarn.h"
#include "judge.h"
#include "reduce.h"
#include "retry.h"
#include "run.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Memory for the columns of one batch; large enough that slices and launches cost nothing. A thread
 * of the processor needs less: the first touch of a page costs as much as integrating some steps.
 */
#define BATCH_BYTES ((size_t)96 << 20)
#define THREAD_BYTES ((size_t)16 << 20)

struct omr_engine {
  omr_part whole;         /* that the engine was opened for */
  omr_part part;          /* that runs */
  const omr_study *study; /* part.study */
  const omr_run_options *options;
  omr_run_record record; /* of the backend; what a part took is counted in its own result */
  const omr_backend_ops *ops;
  omr_backend *backend;
  omr_run_settings settings;
  omr_batch batch;
  omr_refined *carry; /* what the next batch carries; NULL: nothing */
  size_t carried;  /* slots that it takes in the batch that runs, before those of rows: the longest
                      first */
  size_t *index;   /* row of the result of each slot: the instance, unless instances are chosen */
  double *energy;  /* initial kinetic energy of each slot */
  double *drawn;   /* varied values of each slot */
  double *samples; /* sample columns of the batch */
  char **reasons;  /* why each slot makes no vehicle; NULL where it does */
  omr_retry *retry;
  size_t slots, capacity; /* of a batch; of them for rows */
  omr_batch *blocks;      /* [threads] */
  int threads;
  double work_done, work_total; /* omr_study_work of all instances */
  double slice;                 /* steps per launch, nominal ones where steps are controlled */
  omr_result *result;
  size_t first_invalid;
  char warnings[OMR_WARNINGS]; /* of the whole study, for the results of its parts */
};

static size_t column_count(const omr_engine *r) {
  const omr_run_settings *s = &r->settings;
  return (size_t)(s->param_columns + s->state_columns + s->spin_columns + s->sample_columns) +
         r->study->variation_count;
}

static size_t batch_bytes(const omr_engine *r) {
  const size_t threads = r->threads > 2 ? (size_t)r->threads : 2;
  const bool small = r->ops == &omr_openmp_backend && threads < BATCH_BYTES / THREAD_BYTES;
  return small ? threads * THREAD_BYTES : BATCH_BYTES;
}

/* Slots per batch: as many as memory, the device and 32-bit indices in the kernels allow, in whole
 * packs. `carried` of the device's go to instances with shorter steps. */
static size_t choose_capacity(const omr_engine *r, size_t carried) {
  const omr_run_settings *s = &r->settings;
  size_t slots = batch_bytes(r) / (sizeof(double) * column_count(r));
  size_t most_columns = (size_t)s->state_columns;
  if ((size_t)s->param_columns > most_columns) most_columns = (size_t)s->param_columns;
  if ((size_t)s->spin_columns > most_columns) most_columns = (size_t)s->spin_columns;
  size_t index_range = (size_t)INT32_MAX / most_columns;
  if (slots > index_range) slots = index_range;
  size_t device = r->ops->capacity(r->backend), left = device > carried ? device - carried : 1;
  if (slots > left) slots = left;
  if (r->study->engine.chunk && slots > r->study->engine.chunk) slots = r->study->engine.chunk;
  if (slots > r->whole.rows) slots = r->whole.rows;
  return (slots + OMR_PAD - 1) / OMR_PAD * OMR_PAD;
}

static omr_status allocate_batch(omr_engine *r, omr_error *error) {
  const omr_run_settings *s = &r->settings;
  r->threads = r->study->engine.threads > 0 ? r->study->engine.threads : omp_get_max_threads();
  const omr_step_sample sample = omr_step_sample_of(r->study);
  const size_t carried = (sample.count * (size_t)sample.levels + OMR_PAD - 1) / OMR_PAD * OMR_PAD;
  r->capacity = choose_capacity(r, carried);
  const size_t n = r->slots = r->capacity + carried;
  bool made = omr_batch_room(s, n, &r->batch);
  r->samples = omr_aligned_room((size_t)s->sample_columns * n, sizeof(double));
  r->index = calloc(n, sizeof *r->index);
  r->energy = calloc(n, sizeof *r->energy);
  r->reasons = calloc(n, sizeof *r->reasons);
  r->drawn = calloc(n * r->study->variation_count + 1, sizeof *r->drawn);
  r->blocks = calloc((size_t)r->threads, sizeof *r->blocks);
  for (int t = 0; made && r->blocks && t < r->threads; t++)
    made = omr_batch_make(s, OMR_BLOCK, &r->blocks[t]);
  if (!made || !r->blocks || !r->samples || !r->index || !r->energy || !r->reasons || !r->drawn) {
    return omr_fail(
        error, OMR_ERR_MEMORY,
        "out of memory for %zu instances at a time; set engine.chunk to a smaller number", n);
  }
  return OMR_OK;
}

static void forget_reasons(omr_engine *r) {
  for (size_t slot = 0; r->reasons && slot < r->slots; slot++) {
    free(r->reasons[slot]);
    r->reasons[slot] = NULL;
  }
}

static void free_batch(omr_engine *r) {
  forget_reasons(r);
  free(r->reasons);
  omr_batch_free(&r->batch);
  for (int t = 0; r->blocks && t < r->threads; t++) omr_batch_free(&r->blocks[t]);
  free(r->blocks);
  free(r->drawn);
  free(r->samples);
  free(r->index);
  free(r->energy);
}

static void note_invalid(omr_engine *r, size_t instance, const char *reason) {
#pragma omp critical(omr_note_invalid)
  if (instance < r->first_invalid) {
    r->first_invalid = instance;
    snprintf(r->result->first_invalid, sizeof r->result->first_invalid, "instance %zu: %s",
             instance, reason);
  }
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
}

/* Level and place of a slot that is carried. */
static int level_of(const omr_engine *r, size_t slot) {
  return r->carry->sample.levels - (int)(slot / r->carry->sample.count);
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
    omr_prepare_refined(r->study, &r->settings, block, at, level_of(r, slot));
  r->energy[slot] = omr_kinetic_energy(&r->settings, block, at);
}

/* The instance of a slot, into place `at` of a block. */
static void prepare_slot(omr_engine *r, size_t slot, omr_batch *block, size_t at) {
  if (slot < r->carried) {
    prepare_carried(r, slot, block, at);
    return;
  }
  const omr_study *study = r->study;
  omr_values values;
  char reason[400] = "";
  double *row = r->drawn + slot * study->variation_count;
  const size_t instance = omr_part_row(&r->part, r->index[slot]);
  omr_part_values(&r->part, instance, &values, row);
  for (size_t j = 0; j < study->variation_count; j++)
    r->result->columns[j].values[r->index[slot]] = row[j];
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

/* Fills the batch with what is carried and the instances of r->index[r->carried .. count). */
static void prepare_batch(omr_engine *r, size_t count) {
  double start = omr_seconds();
  forget_reasons(r);
  omr_phase("prepare");
  r->batch.count = count;
  r->batch.stride = (count + OMR_PAD - 1) / OMR_PAD * OMR_PAD;
#pragma omp parallel for schedule(static) num_threads(r->threads)
  for (size_t first = 0; first < count; first += OMR_BLOCK) {
    omr_batch *block = &r->blocks[omp_get_thread_num()];
    block->count = count - first < OMR_BLOCK ? count - first : OMR_BLOCK;
    for (size_t at = 0; at < block->count; at++) prepare_slot(r, first + at, block, at);
    omr_block_put(&r->settings, block, &r->batch, first);
  }
  for (size_t slot = count; slot < r->batch.stride; slot++)
    omr_prepare_padding(&r->settings, &r->batch, count - 1, slot);
  r->result->record.prepare_seconds += omr_seconds() - start;
}

static bool report_progress(const omr_engine *r, double batch_work) {
  const omr_run_options *o = r->options;
  return !o || !o->progress ||
         o->progress(o->progress_user, r->work_done + batch_work, r->work_total);
}

/* What a step is on the clock of the backend: 1, or where steps are controlled, which count in
 * seconds, a nominal one. */
static double clock_unit(const omr_engine *r) {
  return r->settings.controlled ? r->whole.study->duration / (double)r->whole.study->steps : 1;
}

/* Where the part that runs ends on it. */
static double clock_end(const omr_engine *r) {
  return r->settings.controlled ? r->study->duration : (double)r->study->steps;
}

/* Advances from `from` to `to` on the clock in launches of about launch_seconds; the time alone
 * decides where they are cut, the results do not depend on it. */
static omr_status advance_to(omr_engine *r, double from, double to, omr_error *error) {
  const double wanted =
                   r->study->engine.launch_seconds > 0 ? r->study->engine.launch_seconds : 0.25,
               unit = clock_unit(r);
  for (double at = from; at < to;) {
    double next = r->slice * unit < to - at ? at + r->slice * unit : to;
    double start = omr_seconds();
    omr_phase("integrate");
    omr_status status = r->ops->advance(r->backend, next, error);
    if (status != OMR_OK) return status;
    double took = fmax(omr_seconds() - start, 1e-6), done = (next - at) / unit;
    double fitting = done * wanted / took;
    r->slice = fmax(1, floor(fmin(fitting, 4 * fmax(r->slice, done))));
    at = next;
    if (!report_progress(r, at * (double)(r->batch.count - r->carried))) {
      return omr_fail(error, OMR_ERR_INTERRUPTED, "stopped; no result was written");
    }
  }
  return OMR_OK;
}

static omr_status keep_samples(omr_engine *r, size_t sample, omr_error *error) {
  const double at = r->settings.controlled ? r->result->sample_time[sample]
                                           : (double)(sample * r->study->trace_stride);
  omr_status status = r->ops->sample(r->backend, at, r->samples, error);
  if (status != OMR_OK) return status;
  omr_result *result = r->result;
  size_t wheels = (size_t)result->wheels, stride = r->batch.stride;
  for (size_t slot = r->carried; slot < r->batch.count; slot++) {
    size_t row = traced_position(&r->part, r->index[slot]) * result->sample_count + sample;
    const double *from = r->samples + slot;
    for (int j = 0; j < result->small_sample_count; j++)
      result->small_samples[j][row] = from[(size_t)j * stride];
    if (result->small_sample_count) continue;
    for (int j = 0; j < OMR_VS_COUNT; j++) {
      if (result->vehicle_samples[j]) result->vehicle_samples[j][row] = from[(size_t)j * stride];
    }
    for (size_t i = 0; i < wheels; i++) {
      for (size_t j = 0; j < OMR_WS_COUNT; j++) {
        if (!result->wheel_samples[j]) continue;
        double value = from[((size_t)OMR_VS_COUNT + i * OMR_WS_COUNT + j) * stride];
        if (j == OMR_WS_EDGE_SHARE && value >= 2)
          value = (double)NAN; /* stands on one roller (kernels/edge.h) */
        result->wheel_samples[j][row * wheels + i] = value;
      }
    }
  }
  return OMR_OK;
}

/* Samples after an instance's end are no data. */
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

/* Lists an instance that failed. Of the reasons more than the first are never kept. */
static bool keep_failure(omr_engine *r, size_t slot, int status, double end, size_t *reasons) {
  double state[OMR_FAILURE_QUANTITIES * (1 + OMR_MAX_WHEELS)];
  const bool invalid = status == OMR_INSTANCE_INVALID,
             explained = invalid && (*reasons)++ < OMR_FAILURE_REASONS;
  if (!invalid) omr_last_state(&r->result->failures, &r->settings, &r->batch, slot, state);
  return omr_failures_add(&r->result->failures, omr_part_row(&r->part, r->index[slot]), status, end,
                          invalid ? NULL : state, explained ? r->reasons[slot] : NULL);
}

static void keep_slot(omr_engine *r, size_t slot) {
  omr_result *result = r->result;
  const size_t instance = r->index[slot]; /* its row */
  double observables[OMR_OBS_COUNT];
  omr_reduce(r->study, &r->settings, &r->batch, slot, r->energy[slot], observables);
  size_t column = result->parameter_count;
  for (int j = 0; j < OMR_OBS_COUNT; j++) {
    if (omr_study_observes(r->study, j))
      result->columns[column++].values[instance] = observables[j];
  }
  result->status[instance] =
      (int8_t)r->batch.state[(size_t)r->settings.status_column * r->batch.stride + slot];
  result->status_time[instance] = omr_end_time(&r->settings, &r->batch, slot);
  if (result->status[instance] == OMR_INSTANCE_OK)
    result->row_balance[instance] = observables[OMR_OBS_ENERGY_ERROR];
  result->row_steps[instance] =
      r->batch.state[(size_t)r->settings.count_column * r->batch.stride + slot];
}

/* Status and observables of the slots that were carried, and the steps that they took. */
static double keep_carried(omr_engine *r) {
  double steps = 0;
  for (size_t slot = 0; slot < r->carried; slot++) {
    const double *state = r->batch.state + slot;
    double observables[OMR_OBS_COUNT],
        *row = omr_refined_row(r->carry, level_of(r, slot), place_of(r, slot));
    omr_reduce(r->study, &r->settings, &r->batch, slot, r->energy[slot], observables);
    for (size_t v = 0; v < r->study->variation_count; v++)
      *row++ = r->drawn[slot * r->study->variation_count + v];
    for (int j = 0; j < OMR_OBS_COUNT; j++)
      if (omr_study_observes(r->study, j)) *row++ = omr_refined_value(observables[j]);
    *omr_refined_status(r->carry, level_of(r, slot), place_of(r, slot)) =
        (int8_t)state[(size_t)r->settings.status_column * r->batch.stride];
    steps += state[(size_t)r->settings.count_column * r->batch.stride];
  }
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
  for (size_t slot = r->carried; slot < r->batch.count; slot++) {
    const size_t instance = r->index[slot];
    const int status = result->status[instance];
    const double end = result->status_time[instance];
    result->record.instance_steps += result->row_steps[instance];
    omr_balance_take(&result->record, result->row_balance[instance]);
    if (traced && status != OMR_INSTANCE_OK)
      blank_samples(r, instance, end, status == OMR_INSTANCE_INVALID);
    if (status != OMR_INSTANCE_OK && !keep_failure(r, slot, status, end, &reasons))
      return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the states of %zu failed instances",
                      result->failures.count);
  }
  return OMR_OK;
}

/* Advances from sample to sample, and to the end. */
static omr_status run_traced(omr_engine *r, omr_error *error) {
  double at = 0;
  omr_status status = keep_samples(r, 0, error);
  for (size_t s = 1; status == OMR_OK && s < r->result->sample_count; s++) {
    const double next =
        r->settings.controlled ? r->result->sample_time[s] : (double)(s * r->study->trace_stride);
    status = advance_to(r, at, next, error);
    at = next;
    if (status == OMR_OK) status = keep_samples(r, s, error);
  }
  return status == OMR_OK ? advance_to(r, at, clock_end(r), error) : status;
}

/* The batch of r->batch.count slots. */
static omr_status integrate(omr_engine *r, bool traced, omr_error *error) {
  omr_status status = r->ops->load(r->backend, &r->batch, error);
  if (status == OMR_OK)
    status = traced ? run_traced(r, error) : advance_to(r, 0, clock_end(r), error);
  return status == OMR_OK ? r->ops->fetch(r->backend, &r->batch, error) : status;
}

/* The rows of r->index[r->carried .. slots), and what is carried before them. */
static omr_status run_batch(omr_engine *r, size_t slots, bool traced, omr_error *error) {
  const size_t rows = slots - r->carried;
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

/* The rows first .. last-1, those with and those without a trajectory in batches of their own. */
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

static const omr_backend_ops *choose_backend(omr_engine_options *engine, FILE *log) {
  if (engine->backend == OMR_BACKEND_AUTO) {
    /* a processor is faster through OpenMP than through its OpenCL driver */
    bool gpu = omr_opencl_has_gpu(engine->precision);
    engine->backend = gpu ? OMR_BACKEND_OPENCL : OMR_BACKEND_OPENMP;
    if (log)
      fprintf(log, "auto: chose backend %s\n", gpu ? "opencl, since there is a GPU" : "openmp");
  }
  return engine->backend == OMR_BACKEND_OPENCL ? &omr_opencl_backend : &omr_openmp_backend;
}

/* Every row of r->part, in batches of the engine's capacity. */
static omr_status run_rows(omr_engine *r, omr_error *error) {
  const size_t rows = r->part.rows;
  omr_status status = OMR_OK;
  r->first_invalid = SIZE_MAX;
  for (size_t first = 0; status == OMR_OK && first < rows; first += r->capacity) {
    size_t last = first + r->capacity;
    if (last > rows) last = rows;
    status = run_chunk(r, first, last, error);
    if (status == OMR_OK && r->study->on_failure == OMR_FAILURE_ABORT)
      status = omr_check_none_failed(&r->part, r->result, first, last, error);
  }
  if (status == OMR_OK && r->study->on_failure == OMR_FAILURE_RETRY)
    status = omr_retry_run(r->retry, &r->part, r->result, error);
  if (status == OMR_OK && !omr_failures_sort(&r->result->failures))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu failed instances",
                      r->result->failures.count);
  return status;
}

/* Where the instances that are run again stand in the run as a whole: its bar waits. */
static bool wait_for_retry(void *user, double done, double total) {
  (void)done;
  (void)total;
  return report_progress(user, 0);
}

static omr_status open_retry(omr_engine *r, const omr_engine_options *chosen, omr_error *error) {
  if (r->whole.study->on_failure != OMR_FAILURE_RETRY) return OMR_OK;
  static const omr_retry_engine engine = {omr_engine_open, omr_engine_run, omr_engine_record,
                                          omr_engine_close};
  return omr_retry_open(&engine, r->whole.study, chosen->backend,
                        (omr_run_options){.size = sizeof(omr_run_options),
                                          .progress = wait_for_retry,
                                          .progress_user = r},
                        &r->retry, error);
}

/* A study of one instance has nothing to run where that makes no vehicle; a step may be too long.
 */
static omr_status check(omr_engine *r, FILE *log, omr_error *error) {
  const omr_study *study = r->whole.study;
  omr_status status = OMR_OK;
  if (study->instances == 1) {
    size_t looked_at, invalid;
    char reason[512];
    status = omr_study_check(study, &looked_at, &invalid, reason, sizeof reason, error);
  }
  if (status == OMR_OK) status = omr_judge_study(study, r->warnings, error);
  if (status == OMR_OK) omr_log_warnings(log, r->warnings);
  return status;
}

/* What runs from now on. */
static void turn_to(omr_engine *r, const omr_part *part) {
  r->part = *part;
  r->study = part->study;
}

omr_status omr_engine_open(const omr_part *part, const omr_run_options *options,
                           omr_engine **engine, omr_error *error) {
  const omr_study *study = part->study;
  FILE *log = options ? options->log : NULL;
  omr_engine_options chosen = study->engine;
  omr_engine *r = *engine = calloc(1, sizeof *r);
  if (!r) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  r->whole = *part;
  r->whole.known = NULL; /* coordinates are those of the parts to come */
  turn_to(r, &r->whole);
  r->options = options;
  r->slice = 64;
  r->record.registers = r->record.spill_bytes = r->record.private_bytes = -1;
  r->work_total = (double)part->rows * omr_study_work(study);
  omr_status status = check(r, log, error);
  if (status == OMR_OK) status = omr_settings_make(study, &r->settings, error);
  if (status == OMR_OK) {
    r->ops = choose_backend(&chosen, log);
    status = r->ops->open(&chosen, &r->settings, &r->record, log, &r->backend, error);
  }
  if (status == OMR_OK) status = allocate_batch(r, error);
  if (status == OMR_OK) status = open_retry(r, &chosen, error);
  if (status == OMR_OK) return OMR_OK;
  omr_engine_close(r);
  *engine = NULL;
  return status;
}

void omr_engine_close(omr_engine *engine) {
  if (!engine) return;
  omr_retry_close(engine->retry);
  if (engine->ops) engine->ops->close(engine->backend);
  free_batch(engine);
  omr_settings_free(&engine->settings);
  free(engine);
}

void omr_engine_carry(omr_engine *engine, omr_refined *refined) {
  engine->carry = refined->sample.count && !omr_refined_done(refined) ? refined : NULL;
}

/* A batch without rows, whose result would be empty. */
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

size_t omr_engine_capacity(const omr_engine *engine) {
  return engine->capacity;
}

double omr_engine_bytes(const omr_engine *engine) {
  return (double)engine->slots * sizeof(double) *
         (double)(column_count(engine) + 2); /* and index and energy of a slot */
}

const omr_run_record *omr_engine_record(const omr_engine *engine) {
  return &engine->record;
}

omr_status omr_engine_run(omr_engine *engine, const omr_part *part, omr_result **result,
                          omr_error *error) {
  const double start = omr_seconds();
  *result = NULL;
  omr_status status = omr_result_make(part, &engine->result, error);
  if (status == OMR_OK) {
    omr_run_record *record = &engine->result->record;
    const omr_run_record before = engine->record; /* the backend counts on from part to part */
    turn_to(engine, part);
    *record = engine->record;
    memcpy(engine->result->warnings, engine->warnings, sizeof engine->warnings);
    record->build_seconds = record->kernel_seconds = record->transfer_seconds = 0;
    status = run_rows(engine, error); /* adds what instances run again took */
    omr_result_drop_rare(engine->result);
    turn_to(engine, &engine->whole);
    record->kernel_seconds += engine->record.kernel_seconds - before.kernel_seconds;
    record->transfer_seconds += engine->record.transfer_seconds - before.transfer_seconds;
    record->wall_seconds = omr_seconds() - start;
  }
  if (status == OMR_OK)
    *result = engine->result;
  else
    omr_result_destroy(engine->result);
  engine->result = NULL;
  return status;
}

omr_status omr_engine_run_alone(const omr_part *part, const omr_run_options *options,
                                omr_result **result, omr_error *error) {
  omr_engine *engine = NULL;
  *result = NULL;
  omr_status status = omr_engine_open(part, options, &engine, error);
  if (status == OMR_OK) status = omr_engine_run(engine, part, result, error);
  if (status == OMR_OK) (*result)->record.build_seconds += omr_engine_record(engine)->build_seconds;
  omr_engine_close(engine);
  return status;
}
