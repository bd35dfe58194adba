#define _GNU_SOURCE /* sysconf's _SC_PHYS_PAGES */
#include "forecast.h"
#include "../statistics/statistics.h"
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { TRIAL_INSTANCES = 512, LEAST_STEPS = 16 };

#define FILE_BYTES 65536.0    /* what an HDF5 file has besides its datasets ... */
#define DATASET_BYTES 2048.0  /* ... and a dataset besides its values */
#define BUFFER_BYTES 524288.0 /* HDF5's buffer of a compressed dataset */

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
  return bytes > 65536 ? fmin(bytes, BUFFER_BYTES) : 0;
}

/* Datasets, values per trajectory, and HDF5's buffers for them, as a result has them. */
static omr_status count_series(const omr_study *study, size_t *datasets, double *values, double *buffers, omr_error *error) {
  static const size_t none;
  omr_study empty = *study;
  omr_result *like = NULL;
  empty.chosen = &none;
  empty.chosen_count = 0;
  if (study->traced_count) empty.traced_count = 1;
  omr_status status = omr_result_make(&empty, &like, error);
  *datasets = 0;
  *values = *buffers = 0;
  for (size_t i = 0; status == OMR_OK && study->traced_count && i < omr_result_series_count(like); i++) {
    const omr_series series = omr_result_series(like, i);
    if (!*series.values) continue;
    ++*datasets;
    const double size = (double)omr_result_series_size(like, series);
    *values += size;
    *buffers += buffer_bytes(8 * size * (double)study->traced_count);
  }
  omr_result_destroy(like);
  return status;
}

static size_t columns_of(const omr_study *study) {
  size_t columns = study->variation_count;
  for (int i = 0; i < OMR_OBS_COUNT; i++) columns += study->observables >> i & 1;
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
  if (study->sample.strata) bytes += 4.0 * (double)study->sample.dimensions * (double)study->sample.points;
  return bytes;
}

static omr_status count_bytes(omr_forecast *f, omr_error *error) {
  const omr_study *study = f->study;
  size_t series;
  double buffers;
  omr_status status = count_series(study, &series, &f->values_per_trace, &buffers, error);
  if (status != OMR_OK) return status;
  const double columns = (double)columns_of(study), row = 8 * columns + 8 + 1 + 8, datasets = columns + 3 + (double)series;
  const double trace = 8 * (f->values_per_trace + 1), overhead = FILE_BYTES + DATASET_BYTES * datasets;
  const double chunk_rows = (double)(f->chunk_rows < f->rows ? f->chunk_rows : f->rows);
  const double values = (double)f->rows * row + (double)f->traced * trace;
  const double text = (double)strlen(study->text);
  f->result_bytes = values + overhead + text;
  f->parts_bytes = values + (double)f->chunks * (overhead + text);
  f->memory.chunks = 2 * (chunk_rows * row + (double)most_traced(study, f->chunk_rows) * trace);
  f->memory.writer = (columns + 2) * buffer_bytes(8 * (double)f->rows) + buffer_bytes((double)f->rows) + buffers;
  f->memory.statistics = 8 * (double)(f->rows < OMR_STATISTICS_MEMORY ? f->rows : OMR_STATISTICS_MEMORY);
  f->memory.study = study_bytes(study);
  return OMR_OK;
}

static omr_status count_work(omr_forecast *f, omr_error *error) {
  const omr_study *study = f->study;
  omr_plan *plan;
  omr_status status = omr_plan_make(study, &plan, error);
  if (status != OMR_OK) return status;
  f->rows = omr_study_rows(study);
  if (study->design == OMR_DESIGN_NESTED) {
    f->per_cell = study->sample.points;
    f->cells = study->instances / study->sample.points;
  }
  f->steps = (double)f->rows * (double)study->steps;
  f->chunk_rows = plan->chunk_rows;
  f->chunks = plan->chunks;
  f->at_most = plan->ops->take != NULL;
  f->traced = study->traced_count;
  omr_plan_close(plan);
  return count_bytes(f, error);
}

/* Instances spread over the study, ascending. */
static size_t *spread(const omr_study *study, size_t count) {
  const size_t rows = omr_study_rows(study);
  size_t *chosen = calloc(count + 1, sizeof *chosen);
  for (size_t j = 0; chosen && j < count; j++)
    chosen[j] = omr_study_row(study, count > 1 ? (size_t)((double)j * (double)(rows - 1) / (double)(count - 1)) : 0);
  return chosen;
}

/* Trajectories go along where most instances have one; a few would count too much among few instances. */
static size_t trace_some(const omr_study *study, const size_t *chosen, size_t count, size_t *traced) {
  size_t found = 0, at = 0;
  if (10 * study->traced_count < omr_study_rows(study)) return 0;
  for (size_t j = 0; j < count; j++) {
    while (at < study->traced_count && study->traced[at] < chosen[j]) at++;
    if (at < study->traced_count && study->traced[at] == chosen[j]) traced[found++] = chosen[j];
  }
  return found;
}

static omr_status try_steps(omr_forecast *f, omr_engine *engine, const omr_study *part, omr_error *error) {
  omr_result *result;
  const double start = omr_seconds();
  omr_status status = omr_engine_run(engine, part, &result, error);
  if (status != OMR_OK) return status;
  omr_forecast_trial *t = &f->trial;
  t->steps = part->steps;
  t->seconds = fmax(omr_seconds() - start, 1e-6);
  t->prepare = result->record.prepare_seconds / (double)t->instances;
  const double run = fmax(t->seconds - result->record.prepare_seconds, 1e-6);
  t->rate = (double)t->instances * (double)t->steps / run;
  omr_result_destroy(result);
  return OMR_OK;
}

/* More and more steps, until a trial is long enough to count or is the whole duration. */
static omr_status try_longer(omr_forecast *f, omr_engine *engine, omr_study *part, double budget, omr_error *error) {
  const uint64_t all = f->study->steps;
  const double start = omr_seconds();
  part->steps = all < LEAST_STEPS ? all : LEAST_STEPS;
  for (;;) {
    omr_status status = try_steps(f, engine, part, error);
    const double left = budget - (omr_seconds() - start);
    if (status != OMR_OK || part->steps == all || f->trial.seconds > 0.3 * budget || left < 2 * f->trial.seconds) return status;
    const double longer = fmin(0.5 * left / f->trial.seconds, 16), next = floor((double)part->steps * longer);
    if (next <= (double)part->steps) return OMR_OK;
    part->steps = next < (double)all ? (uint64_t)next : all;
  }
}

static omr_status run_trial(omr_forecast *f, omr_engine *engine, double budget, omr_error *error) {
  omr_study part = *f->study;
  size_t count = strcmp(f->engine.backend, "opencl") == 0 ? omr_engine_capacity(engine) : TRIAL_INSTANCES;
  if (count > f->rows) count = f->rows;
  size_t *chosen = spread(f->study, count), *traced = calloc(count + 1, sizeof *traced);
  omr_status status = chosen && traced ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) {
    part.chosen = chosen;
    part.chosen_count = f->trial.instances = count;
    part.traced = traced;
    part.traced_count = trace_some(f->study, chosen, count, traced);
    status = try_longer(f, engine, &part, budget, error);
  }
  free(chosen);
  free(traced);
  return status;
}

static omr_status measure(omr_forecast *f, double budget, omr_error *error) {
  omr_study study = *f->study;
  omr_engine *engine;
  study.stability = OMR_STABILITY_IGNORE; /* said here, in its place */
  study.engine.chunk = f->chunk_rows;     /* as the run has it */
  omr_status status = omr_engine_open(&study, NULL, &engine, error);
  if (status != OMR_OK) return status;
  f->engine = *omr_engine_record(engine);
  f->memory.engine = omr_engine_bytes(engine);
  if (strcmp(f->engine.backend, "opencl") == 0) f->memory.device = f->memory.engine;
  status = run_trial(f, engine, budget, error);
  omr_engine_close(engine);
  f->seconds = f->engine.build_seconds + f->trial.prepare * (double)f->rows + f->steps / f->trial.rate;
  return status;
}

static void look_at_disk(omr_forecast *f, const char *output) {
  struct statvfs disk;
  const char *slash = output ? strrchr(output, '/') : NULL;
  snprintf(f->folder, sizeof f->folder, "%.*s", slash ? (slash == output ? 1 : (int)(slash - output)) : 1, slash ? output : ".");
  f->free_bytes = statvfs(f->folder, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : (double)NAN;
}

double omr_forecast_memory_total(const omr_forecast_memory *m) {
  return m->engine + m->chunks + m->writer + m->statistics + m->study;
}

static void warn_of_engine(omr_forecast *f, int shards) {
  if (f->study->step > f->largest_step)
    warn(f, "the step of %.3g s is too long for instance %zu, which needs %.3g s: shorten integrator.step", f->study->step,
         f->stiff_instance, f->largest_step);
  if (f->invalid)
    warn(f, "%zu of %zu instances looked at make no vehicle and will not run; %.350s", f->invalid, f->looked_at,
         f->invalid_reason);
  if (shards > 1 && f->chunks < (size_t)shards)
    warn(f, "%zu chunk%s cannot be shared among %d processes: set engine.chunk to %zu or less", f->chunks,
         f->chunks == 1 ? "" : "s", shards, f->rows / (size_t)shards ? f->rows / (size_t)shards : 1);
}

static void warn_of_room(omr_forecast *f) {
  const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  const double disk = f->result_bytes + f->parts_bytes, needed = omr_forecast_memory_total(&f->memory);
  if (f->result_bytes > f->free_bytes)
    warn(f, "the result may need %.3g GB and %s has %.3g GB free: choose another folder, or fewer observables or trajectories",
         1e-9 * f->result_bytes, f->folder, 1e-9 * f->free_bytes);
  else if (disk > f->free_bytes)
    warn(f, "result and chunks together may need %.3g GB and %s has %.3g GB free: choose another folder", 1e-9 * disk, f->folder,
         1e-9 * f->free_bytes);
  if (memory > 0 && needed > 0.9 * memory)
    warn(f, "the run may need %.3g GB of memory and this machine has %.3g GB: set engine.chunk to a smaller number than %zu",
         1e-9 * needed, 1e-9 * memory, f->chunk_rows);
}

omr_status omr_forecast_make(const omr_study *study, const char *output, int shards, double budget, omr_forecast *f,
                             omr_error *error) {
  *f = (omr_forecast){.study = study};
  omr_status status = omr_study_check(study, &f->looked_at, &f->invalid, f->invalid_reason, sizeof f->invalid_reason, error);
  if (status == OMR_OK) status = count_work(f, error);
  if (status == OMR_OK) status = measure(f, budget, error);
  if (status != OMR_OK) return status;
  f->largest_step = omr_largest_step(study, &f->stiff_instance);
  look_at_disk(f, output);
  warn_of_engine(f, shards);
  warn_of_room(f);
  return OMR_OK;
}
