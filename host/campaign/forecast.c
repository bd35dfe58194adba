#define _GNU_SOURCE /* sysconf's _SC_PHYS_PAGES */
#include "forecast.h"
#include "../result/held.h"
#include "../statistics/correlation.h"
#include "../statistics/statistics.h"
#include "../study/chunk_rows.h"
#include "../study/refine.h"
#include "integrate.h"
#include "plan.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { TRIAL_INSTANCES = 512, LEAST_STEPS = 16 };

#define SECONDS 2.0 /* by default */
#define LADDER 2    /* budgets: time for the step that an accuracy needs */

#define FILE_BYTES 24576.0     /* what an HDF5 file has besides its datasets ... */
#define DATASET_BYTES 2048.0   /* ... and a dataset besides its values */
#define LARGE_BYTES 65536.0    /* a dataset above is compressed */
#define PACKED_BYTES 1114112.0 /* what a column is packed in (hdf5_chunks.c) */
#define BUFFER_BYTES 524288.0  /* HDF5's buffer of a compressed dataset */

static void warn(omr_forecast *f, const char *format, ...) OMR_PRINTF(2, 3);
static void warn(omr_forecast *f, const char *format, ...) {
  va_list list;
  if (f->warning_count == OMR_FORECAST_WARNINGS) return;
  va_start(list, format);
  vsnprintf(f->warnings[f->warning_count++], sizeof f->warnings[0], format, list);
  va_end(list);
}

/* HDF5's buffer of a dataset: a chunk, where it is large enough to have chunks. */
static double buffer_bytes(double bytes) {
  return bytes > LARGE_BYTES ? fmin(bytes, BUFFER_BYTES) : 0;
}

/* Datasets, values per trajectory, and HDF5's buffers for them, as a result has them. */
static omr_status count_series(const omr_study *study, size_t *datasets, double *values,
                               double *buffers, omr_error *error) {
  omr_part empty = omr_part_of(study);
  omr_result *like = NULL;
  empty.rows = 0;
  if (study->traced_count) empty.traced_count = 1;
  omr_status status = omr_result_make(&empty, &like, error);
  *datasets = 0;
  *values = *buffers = 0;
  for (size_t i = 0; status == OMR_OK && study->traced_count && i < omr_result_series_count(like);
       i++) {
    const omr_series series = omr_result_series(like, i);
    if (!*series.values || series.rare) continue;
    ++*datasets;
    const double size = (double)omr_result_series_size(like, series);
    *values += size;
    *buffers += buffer_bytes(8 * size * (double)study->traced_count);
  }
  omr_result_destroy(like);
  return status;
}

static size_t columns_of(const omr_study *study) {
  size_t columns = study->variation_count + omr_observables_in(&study->observables);
  return columns;
}

/* Largest number of trajectories in one chunk. */
static size_t most_traced(const omr_study *study, size_t rows) {
  size_t most = 0, count = 0;
  for (size_t i = 0; i < study->traced_count; i++) {
    count = i && study->traced[i] / rows == study->traced[i - 1] / rows ? count + 1 : 1;
    if (count > most) most = count;
  }
  return most;
}

static double study_bytes(const omr_study *study) {
  double bytes = (double)strlen(study->text) + 8.0 * (double)study->traced_count;
  for (size_t v = 0; v < study->variation_count; v++) {
    const bool listed = study->design == OMR_DESIGN_LIST || study->design == OMR_DESIGN_TABLE;
    bytes += 8.0 * (double)(listed ? study->instances : study->variations[v].levels);
  }
  if (study->sample.strata)
    bytes += 4.0 * (double)study->sample.dimensions * (double)study->sample.points;
  return bytes;
}

/* Of the group /statistics: for each quantity, and where the design is nested for each cell,
 * moments, quantiles and histogram. */
static double statistics_bytes(const omr_forecast *f, double columns) {
  const omr_statistics_settings *s = &f->study->statistics;
  const double spread = (double)s->quantile_count + 2 * (double)s->bins + 20;
  return 8 * (double)(f->cells + 1) *
         (columns * spread + 8 * (double)s->criterion_count + OMR_INSTANCE_STATUS_COUNT + columns);
}

/* While they are computed: rows that are held, a block of the others; then quantiles of the columns
 * that fit, or ranks. */
static double compute_bytes(const omr_forecast *f, double columns) {
  const double rows = (double)f->rows, parameters = (double)f->study->variation_count;
  const double spread = 24 * fmin(rows * fmin(columns, 16), OMR_STATISTICS_MEMORY);
  const int desks = omr_rank_desks(f->rows);
  const double ranks =
      fmin(rows, OMR_RANK_ROWS) * (56 * desks + 4 * parameters) + 8 * fmin(rows, 65536) * desks;
  const double held = fmin(rows * f->row_bytes, (double)OMR_HELD_BYTES);
  return held + 8 * 65536 * (columns + parameters) + fmax(spread, ranks);
}

static omr_status count_bytes(omr_forecast *f, omr_error *error) {
  const omr_study *study = f->study;
  size_t series;
  double buffers;
  omr_status status = count_series(study, &series, &f->values_per_trace, &buffers, error);
  if (status != OMR_OK) return status;
  const double columns = (double)columns_of(study), datasets = columns + 3 + (double)series;
  const double row = f->row_bytes = 8 * columns + 8 + 1 + 8,
               trace = f->trace_bytes = 8 * (f->values_per_trace + 1);
  const double overhead = FILE_BYTES + DATASET_BYTES * datasets;
  const double values = (double)f->rows * row + (double)f->traced * trace;
  const double text = (double)strlen(study->text);
  const double statistics = statistics_bytes(f, columns);
  f->result_bytes = values + overhead + text + statistics + 40 * DATASET_BYTES;
  f->parts_bytes = values + (double)f->chunks * (overhead + text);
  f->memory.writer = FILE_BYTES + (columns + 2) * buffer_bytes(8 * (double)f->rows) +
                     buffer_bytes((double)f->rows) + buffers;
  if (8 * (double)f->rows > LARGE_BYTES)
    f->memory.writer += PACKED_BYTES * fmin(16, 4 * omp_get_max_threads());
  f->memory.statistics = statistics + compute_bytes(f, columns);
  f->memory.study = study_bytes(study);
  return OMR_OK;
}

static omr_status count_work(omr_forecast *f, omr_error *error) {
  const omr_study *study = f->study;
  omr_plan *plan;
  omr_status status = omr_plan_make(study, &plan, error);
  if (status != OMR_OK) return status;
  f->rows = plan->whole.rows;
  if (study->design == OMR_DESIGN_NESTED) {
    f->per_cell = study->sample.points;
    f->cells = study->instances / study->sample.points;
  }
  f->work = (double)f->rows * omr_study_work(study);
  f->sample = omr_step_sample_of(study);
  f->refined_work =
      omr_step_sample_cost(study, &f->sample) * (double)study->instances * omr_study_work(study);
  f->chunk_rows = plan->chunk_rows;
  f->chunks = plan->chunks;
  f->at_most = plan->ops->take != NULL;
  f->traced = study->traced_count;
  omr_plan_close(plan);
  return count_bytes(f, error);
}

/* Instances that run together: a chunk, or as many chunks as the device takes and trajectories
 * leave room for. */
static void count_together(omr_forecast *f, const omr_integrator *integrator) {
  const omr_study *study = f->study;
  size_t together = f->chunk_rows;
  if (!study->engine.chunk && !f->at_most) {
    const size_t capacity = omr_integrator_capacity(integrator),
                 bytes = omr_trajectory_bytes(study);
    const size_t room =
        bytes && OMR_TRAJECTORY_BYTES / bytes < capacity ? OMR_TRAJECTORY_BYTES / bytes : capacity;
    if (together < room) together = room;
  }
  if (together > f->rows) together = f->rows;
  f->memory.chunks =
      3 * ((double)together * f->row_bytes + (double)most_traced(study, together) * f->trace_bytes);
}

/* Instances spread over the study, ascending. */
static size_t *spread(const omr_study *study, size_t count) {
  const size_t last = study->instances - 1;
  size_t *chosen = calloc(count + 1, sizeof *chosen);
  for (size_t j = 0; chosen && j < count; j++)
    chosen[j] = count > 1 ? (size_t)((double)j * (double)last / (double)(count - 1)) : 0;
  return chosen;
}

/* Trajectories go along where most instances have one; a few would count too much among few
 * instances. */
static size_t trace_some(const omr_study *study, const size_t *chosen, size_t count,
                         size_t *traced) {
  size_t found = 0, at = 0;
  if (10 * study->traced_count < study->instances) return 0;
  for (size_t j = 0; j < count; j++) {
    while (at < study->traced_count && study->traced[at] < chosen[j]) at++;
    if (at < study->traced_count && study->traced[at] == chosen[j]) traced[found++] = chosen[j];
  }
  return found;
}

/* Runs the part and keeps what it took. */
static omr_status run_part(omr_forecast *f, omr_integrator *integrator, const omr_part *part,
                           omr_error *error) {
  omr_result *result;
  const double start = omr_seconds();
  omr_status status = omr_integrator_run(integrator, part, &result, error);
  if (status != OMR_OK) return status;
  omr_forecast_trial *t = &f->trial;
  t->instances = part->rows;
  t->work = omr_study_work(part->study);
  t->seconds = fmax(omr_seconds() - start, 1e-6);
  t->prepare = result->record.prepare_seconds / (double)t->instances;
  const double run = fmax(t->seconds - result->record.prepare_seconds, 1e-6);
  t->rate = (double)t->instances * t->work / run;
  omr_result_destroy(result);
  return OMR_OK;
}

static omr_status try_part(omr_forecast *f, omr_integrator *integrator, size_t count,
                           uint64_t steps, omr_error *error) {
  const omr_study sooner = omr_study_sooner(f->study, steps);
  size_t *chosen = spread(f->study, count), *traced = calloc(count + 1, sizeof *traced);
  omr_status status = chosen && traced ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) {
    omr_part part = omr_part_choose(&sooner, chosen, count);
    part.traced = traced;
    part.traced_count = trace_some(f->study, chosen, count, traced);
    status = run_part(f, integrator, &part, error);
  }
  free(chosen);
  free(traced);
  return status;
}

/* More and more steps, then more instances, until a trial is long enough to count or is all that
 * there is. */
static omr_status run_trials(omr_forecast *f, omr_integrator *integrator, double budget,
                             omr_error *error) {
  const size_t capacity = omr_integrator_capacity(integrator), rows = f->study->instances,
               most = rows < capacity ? rows : capacity;
  const bool opencl = strcmp(f->engine.backend, "opencl") == 0;
  size_t count = opencl || most < TRIAL_INSTANCES ? most : TRIAL_INSTANCES;
  uint64_t steps = f->study->steps < LEAST_STEPS ? f->study->steps : LEAST_STEPS;
  const double start = omr_seconds();
  for (;;) {
    omr_status status = try_part(f, integrator, count, steps, error);
    const double left = budget - (omr_seconds() - start), took = f->trial.seconds;
    if (status != OMR_OK || took > 0.3 * budget || left < 2 * took) return status;
    const double longer = fmin(0.5 * left / took, 16);
    if (steps < f->study->steps)
      steps = (uint64_t)fmin(floor((double)steps * fmax(longer, 1)) + 1, (double)f->study->steps);
    else if (count < most)
      count = (size_t)fmin(floor((double)count * fmax(longer, 1)) + 1, (double)most);
    else
      return OMR_OK;
  }
}

static omr_status measure(omr_forecast *f, double budget, omr_error *error) {
  const omr_study study = omr_study_unwarned(f->study); /* it is said here, in its place */
  omr_integrator *integrator;
  const omr_part whole = omr_part_of(&study);
  omr_status status = omr_integrator_open(&whole, NULL, &integrator, error);
  if (status != OMR_OK) return status;
  f->engine = *omr_integrator_record(integrator);
  f->memory.engine = omr_integrator_bytes(integrator);
  if (strcmp(f->engine.backend, "opencl") == 0) f->memory.device = f->memory.engine;
  count_together(f, integrator);
  status = run_trials(f, integrator, budget, error);
  omr_integrator_close(integrator);
  f->seconds = f->engine.build_seconds + f->trial.prepare * (double)f->rows +
               (f->work + f->refined_work) / f->trial.rate;
  return status;
}

static void look_at_disk(omr_forecast *f, const char *output) {
  struct statvfs disk;
  const char *slash = output ? strrchr(output, '/') : NULL;
  snprintf(f->folder, sizeof f->folder, "%.*s",
           slash ? (slash == output ? 1 : (int)(slash - output)) : 1, slash ? output : ".");
  f->free_bytes =
      statvfs(f->folder, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : (double)NAN;
}

double omr_forecast_memory_total(const omr_forecast_memory *m) {
  return m->engine + m->chunks + m->writer + m->statistics + m->study;
}

static void warn_of_engine(omr_forecast *f, int shards) {
  if (f->study->step > f->largest_step)
    warn(f,
         "the step of %.3g s is too long for instance %zu, which needs %.3g s: shorten "
         "integrator.step",
         f->study->step, f->stiff_instance, f->largest_step);
  if (f->invalid)
    warn(f, "%zu of %zu instances looked at make no vehicle and will not run; %.350s", f->invalid,
         f->looked_at, f->invalid_reason);
  if (shards > 1 && f->chunks < (size_t)shards)
    warn(f, "%zu chunk%s cannot be shared among %d processes: set engine.chunk to %zu or less",
         f->chunks, f->chunks == 1 ? "" : "s", shards,
         f->rows / (size_t)shards ? f->rows / (size_t)shards : 1);
}

static void warn_of_step(omr_forecast *f) {
  const omr_ladder *l = &f->ladder;
  const bool controlled = f->study->tolerance > 0;
  const double step = controlled ? f->study->tolerance : f->study->step;
  if (!l->count || !(l->needed < 0.999 * step)) return;
  if (controlled)
    warn(f,
         "the tolerance of %.3g is too large for the accuracy that is accepted, which needs "
         "%s%.3g: lower integrator.tolerance",
         step, l->extrapolated ? "about " : "", l->needed);
  else
    warn(f,
         "the step of %.3g s is too long for the accuracy that is accepted, which needs %s%.3g s: "
         "shorten integrator.step",
         step, l->extrapolated ? "about " : "", l->needed);
}

static void warn_of_room(omr_forecast *f) {
  const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  const double disk = f->result_bytes + f->parts_bytes,
               needed = omr_forecast_memory_total(&f->memory);
  if (f->result_bytes > f->free_bytes)
    warn(f,
         "the result may need %.3g GB and %s has %.3g GB free: choose another folder, or fewer "
         "observables or trajectories",
         1e-9 * f->result_bytes, f->folder, 1e-9 * f->free_bytes);
  else if (disk > f->free_bytes)
    warn(f,
         "result and chunks together may need %.3g GB and %s has %.3g GB free: choose another "
         "folder",
         1e-9 * disk, f->folder, 1e-9 * f->free_bytes);
  if (memory > 0 && needed > 0.9 * memory)
    warn(f,
         "the run may need %.3g GB of memory and this machine has %.3g GB: set engine.chunk to a "
         "smaller number than %zu",
         1e-9 * needed, 1e-9 * memory, f->chunk_rows);
}

/* `budget`: s to run some instances for, about. */
static omr_status make(const omr_study *study, const char *output, int shards, double budget,
                       omr_forecast *f, omr_error *error) {
  *f = (omr_forecast){.study = study};
  omr_status status = omr_study_check(study, &f->looked_at, &f->invalid, f->invalid_reason,
                                      sizeof f->invalid_reason, error);
  if (status == OMR_OK) status = count_work(f, error);
  if (status == OMR_OK) status = measure(f, budget, error);
  if (status == OMR_OK) status = omr_ladder_climb(study, LADDER * budget, &f->ladder, error);
  if (status != OMR_OK) return status;
  f->largest_step = omr_largest_step(study, &f->stiff_instance);
  look_at_disk(f, output);
  warn_of_engine(f, shards);
  warn_of_step(f);
  warn_of_room(f);
  return OMR_OK;
}

omr_status omr_forecast_create(const omr_study *study, const omr_forecast_options *options,
                               omr_forecast **forecast, omr_error *error) {
  static const omr_forecast_options none = OMR_FORECAST_OPTIONS_INIT;
  const omr_forecast_options *o = options ? options : &none;
  *forecast = NULL;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_forecast_options", error);
  if (status != OMR_OK) return status;
  omr_forecast *f = malloc(sizeof *f);
  if (!f) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  status = make(study, o->output, o->shards, o->seconds > 0 ? o->seconds : SECONDS, f, error);
  if (status == OMR_OK)
    *forecast = f;
  else
    free(f);
  return status;
}

void omr_forecast_destroy(omr_forecast *forecast) {
  free(forecast);
}
