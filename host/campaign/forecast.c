#define _GNU_SOURCE /* open_memstream */
#include "forecast.h"
#include "../engine/own_object.h"
#include "../model/doubts.h"
#include "../study/chunk_rows.h"
#include "../study/derived.h"
#include "integrate.h"
#include "plan.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { TRIAL_INSTANCES = 512, LEAST_STEPS = 16 };

#define SECONDS 2.0 /* by default */
#define LADDER 2    /* budgets: the time to find the step that an accuracy needs */

static void warn(omr_forecast *f, const char *format, ...) OMR_PRINTF(2, 3);
static void warn(omr_forecast *f, const char *format, ...) {
  va_list list;
  if (f->warning_count == OMR_FORECAST_WARNINGS) return;
  va_start(list, format);
  vsnprintf(f->warnings[f->warning_count++], sizeof f->warnings[0], format, list);
  va_end(list);
}

static omr_status count_work(omr_forecast *f, omr_error *error) {
  const omr_study *study = f->study;
  omr_plan *plan;
  omr_status status = omr_plan_make(study, &plan, error);
  if (status != OMR_OK) return status;
  status = omr_needs_count(study, plan, &f->needs, error);
  f->in_order = plan->ops->take != NULL;
  omr_plan_close(plan);
  if (status != OMR_OK) return status;
  f->work = (double)f->needs.rows * omr_study_work(study);
  f->sample = omr_step_sample_of(study);
  f->refined_work =
      omr_step_sample_cost(study, &f->sample) * (double)study->instances * omr_study_work(study);
  return OMR_OK;
}

/* Instances that run together: a chunk, or as many chunks as the device takes and trajectories
 * leave room for. */
static void count_together(omr_forecast *f, const omr_integrator *integrator) {
  const omr_study *study = f->study;
  size_t together = f->needs.chunk_rows;
  if (!study->engine.chunk && !f->needs.at_most) {
    const size_t capacity = omr_integrator_capacity(integrator),
                 bytes = omr_trajectory_bytes(study);
    const size_t room =
        bytes && OMR_TRAJECTORY_BYTES / bytes < capacity ? OMR_TRAJECTORY_BYTES / bytes : capacity;
    if (together < room) together = room;
  }
  omr_needs_together(study, together, &f->needs);
}

/* Instances spread over the study, ascending. */
static size_t *spread(const omr_study *study, size_t count) {
  const size_t last = study->instances - 1;
  size_t *chosen = calloc(count + 1, sizeof *chosen);
  for (size_t j = 0; chosen && j < count; j++)
    chosen[j] = count > 1 ? (size_t)((double)j * (double)last / (double)(count - 1)) : 0;
  return chosen;
}

/* Trajectories are part of a trial where most instances have one; a few would count too much among
 * few instances. */
static size_t trace_some(const omr_study *study, const size_t *chosen, size_t count,
                         size_t *traced) {
  size_t found = 0, at = 0;
  if (10 * study->traces.count < study->instances) return 0;
  for (size_t j = 0; j < count; j++) {
    while (at < study->traces.count && study->traces.instances[at] < chosen[j]) at++;
    if (at < study->traces.count && study->traces.instances[at] == chosen[j])
      traced[found++] = chosen[j];
  }
  return found;
}

/* Runs the part and keeps its times. */
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

/* More and more steps, then more instances, until a trial is long enough to count or is the whole
 * study. */
static omr_status run_trials(omr_forecast *f, omr_integrator *integrator, double budget,
                             omr_error *error) {
  const size_t capacity = omr_integrator_capacity(integrator), rows = f->study->instances,
               most = rows < capacity ? rows : capacity;

  /* A device is filled from the beginning, threads are not. */
  const bool opencl = strcmp(f->engine.backend, "opencl") == 0;
  size_t count = opencl || most < TRIAL_INSTANCES ? most : TRIAL_INSTANCES;
  uint64_t steps = f->study->time.steps < LEAST_STEPS ? f->study->time.steps : LEAST_STEPS;
  const double start = omr_seconds();

  /* Trials grow while the budget lasts. */
  for (;;) {
    omr_status status = try_part(f, integrator, count, steps, error);
    const double left = budget - (omr_seconds() - start), took = f->trial.seconds;
    if (status != OMR_OK || took > 0.3 * budget || left < 2 * took) return status;

    /* Grow in steps first, then in instances. */
    const double longer = fmin(0.5 * left / took, 16);
    if (steps < f->study->time.steps)
      steps =
          (uint64_t)fmin(floor((double)steps * fmax(longer, 1)) + 1, (double)f->study->time.steps);
    else if (count < most)
      count = (size_t)fmin(floor((double)count * fmax(longer, 1)) + 1, (double)most);
    else
      return OMR_OK;
  }
}

static omr_status measure_with(omr_forecast *f, omr_compile_mode compile, double budget,
                               omr_error *error) {
  const omr_study unwarned = omr_study_unwarned(f->study); /* the forecast warns in its own place */
  omr_engine_options engine = f->study->engine;
  omr_integrator *integrator;
  engine.compile = compile;
  const omr_study study = omr_study_on(&unwarned, &engine);
  const omr_part whole = omr_part_of(&study);

  /* Open the engine and note its memory. */
  omr_status status = omr_integrator_open(&whole, NULL, &integrator, error);
  if (status != OMR_OK) return status;
  f->engine = *omr_integrator_record(integrator);
  f->needs.memory.engine = omr_integrator_bytes(integrator);
  if (strcmp(f->engine.backend, "opencl") == 0) f->needs.memory.device = f->needs.memory.engine;
  count_together(f, integrator);

  /* Measure, and scale up to the whole study. */
  status = run_trials(f, integrator, budget, error);
  omr_integrator_close(integrator);
  const double later = (double)omr_study_runs_later(f->study) * omr_study_work(f->study);
  f->rows_seconds = f->trial.prepare * (double)f->needs.rows + f->work / f->trial.rate;
  f->again_seconds = (f->refined_work + later) / f->trial.rate;
  f->seconds = f->engine.build_seconds + f->rows_seconds + f->again_seconds;
  return status;
}

/* A long run has kernels of its own: they are compiled, which the run then need not do, and
 * measured. */
static omr_status measure(omr_forecast *f, double budget, omr_error *error) {
  const bool fast = f->study->engine.numerics == OMR_NUMERICS_FAST;
  omr_status status =
      measure_with(f, fast ? f->study->engine.compile : OMR_COMPILE_NEVER, budget, error);
  if (status != OMR_OK || fast || strcmp(f->engine.backend, "openmp") != 0) return status;
  const bool own =
      omr_own_object_foretell(&f->study->engine, f->seconds * f->engine.threads, f->kernels);
  FILE *nowhere = own ? fopen("/dev/null", "w") : NULL;
  const bool made = nowhere && omr_warm(f->study, NULL, NULL, NULL, nowhere, NULL) == OMR_OK;
  if (nowhere) fclose(nowhere);
  if (made) return measure_with(f, OMR_COMPILE_ALWAYS, budget, error);
  if (own)
    snprintf(f->kernels, sizeof f->kernels, "general, since what was tried does not compile");
  return OMR_OK;
}

static void warn_of_engine(omr_forecast *f, int shards) {
  if (f->study->time.step > f->largest_step)
    warn(f,
         "the step of %.3g s is too long for instance %zu, which needs %.3g s: shorten "
         "integrator.step",
         f->study->time.step, f->stiff_instance, f->largest_step);
  if (f->invalid)
    warn(f, "%zu of %zu instances looked at make no vehicle and will not run; %.350s", f->invalid,
         f->looked_at, f->invalid_reason);
  if (shards < 2 || f->needs.chunks >= (size_t)shards) return;
  const size_t chunk = omr_chunk_for(f->study, (size_t)shards);
  char remedy[80] = "take fewer of them";
  if (chunk) snprintf(remedy, sizeof remedy, "set engine.chunk to %zu or less", chunk);
  warn(f, "%zu chunk%s cannot be shared among %d processes: %s", f->needs.chunks,
       f->needs.chunks == 1 ? "" : "s", shards, remedy);
}

static void warn_of_step(omr_forecast *f) {
  const omr_ladder *l = &f->ladder;
  const bool controlled = omr_controls_steps(f->study);
  const double step = controlled ? f->study->time.tolerance : f->study->time.step;
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

static void warn_of_vehicle(omr_forecast *f) {
  char lines[OMR_WARNINGS];
  omr_judge_vehicle(f->study, lines, sizeof lines);
  for (const char *line = lines; *line; line += strspn(line, "\n")) {
    const size_t length = strcspn(line, "\n");
    warn(f, "%.*s", (int)length, line);
    line += length;
  }
}

/* `run` refuses to exceed the whole of either; estimates are upper bounds. */
static void warn_of_memory(omr_forecast *f, double needed, double memory) {
  const omr_needs_bytes *m = &f->needs.memory;
  if (!(memory > 0) || needed <= 0.9 * memory) return;
  if (m->study + m->statistics > m->chunks)
    warn(f,
         "the run may need %.3g GB of memory and this machine has %.3g GB: ask for fewer instances",
         1e-9 * needed, 1e-9 * memory);
  else
    warn(f,
         "the run may need %.3g GB of memory and this machine has %.3g GB: set engine.chunk to a "
         "smaller number than %zu",
         1e-9 * needed, 1e-9 * memory, f->needs.chunk_rows);
}

static void warn_of_room(omr_forecast *f) {
  const double disk = f->needs.result_bytes + f->needs.parts_bytes;
  if (f->needs.result_bytes > f->needs.free_bytes)
    warn(f,
         "the result may need %.3g GB and %s has %.3g GB free, without which run refuses to begin: "
         "choose another folder, or fewer instances, observables or trajectories",
         1e-9 * f->needs.result_bytes, f->needs.folder, 1e-9 * f->needs.free_bytes);
  else if (disk > f->needs.free_bytes)
    warn(f,
         "result and chunks together may need %.3g GB and %s has %.3g GB free, without which run "
         "refuses to begin: choose another folder",
         1e-9 * disk, f->needs.folder, 1e-9 * f->needs.free_bytes);
  warn_of_memory(f, omr_needs_memory(&f->needs.memory), omr_machine_memory());
}

/* `budget`: s to run some instances, about. */
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
  omr_needs_look_at_disk(output, &f->needs);
  warn_of_engine(f, shards);
  warn_of_step(f);
  warn_of_vehicle(f);
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

omr_status omr_study_plan_json(const omr_study *study, const char *output, double seconds,
                               char **json, omr_error *error) {
  const omr_forecast_options options = {
      .size = sizeof options, .output = output, .seconds = seconds};
  omr_forecast *forecast = NULL;
  size_t size;
  *json = NULL;
  const omr_status status = omr_forecast_create(study, &options, &forecast, error);
  if (status != OMR_OK) return status;
  FILE *out = open_memstream(json, &size);
  if (out) omr_forecast_print_json(forecast, out);
  omr_forecast_destroy(forecast);
  if (out && fclose(out) == 0) return OMR_OK;
  free(*json);
  *json = NULL;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

void omr_forecast_tasks(omr_forecast *forecast, int tasks) {
  forecast->tasks = tasks;
}

void omr_forecast_destroy(omr_forecast *forecast) {
  free(forecast);
}
