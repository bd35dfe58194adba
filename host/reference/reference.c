/* Runs one instance of a study on its reference model. */
#include "reference.h"

#include "result/result.h"
#include "study/own_names.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int sample_columns(const omr_study *study) {
  return omr_small_list_of(study->model) ? omr_study_small_samples(study)
                                         : OMR_VS_COUNT + study->wheels * OMR_WS_COUNT;
}

/* The times of looks at a run: steps, or parts of about a millisecond of the interval of
 * samples. */
typedef struct ticks {
  const omr_study *study;
  uint64_t last, stride; /* of the last; from sample to sample */
} ticks;

static ticks ticks_of(const omr_study *study, int finer) {
  if (!omr_controls_steps(study))
    return (ticks){study, study->time.steps,
                   study->traces.stride ? study->traces.stride : study->time.steps};
  const double interval =
      study->traces.interval > 0 ? study->traces.interval : study->time.duration;
  const double stride = fmax(ceil(interval / omr_study_tick(study)), 1) * (finer > 1 ? finer : 1);
  return (ticks){study, (uint64_t)ceil(study->time.duration / interval * stride * (1 - 1e-12)),
                 (uint64_t)stride};
}

static double tick_time(const ticks *t, uint64_t k) {
  if (!omr_controls_steps(t->study)) return (double)k * t->study->time.step;
  const double interval =
      t->study->traces.interval > 0 ? t->study->traces.interval : t->study->time.duration;
  return k >= t->last ? t->study->time.duration : (double)k * interval / (double)t->stride;
}

static omr_status make_run(const omr_study *study, omr_reference_run *run, omr_error *error) {
  const ticks at = ticks_of(study, 1);

  memset(run, 0, sizeof *run);
  run->columns = sample_columns(study);
  run->times = (size_t)(at.last / at.stride) + 1;

  size_t count = run->times * (size_t)run->columns;
  run->time = omr_pool_take(&run->memory, run->times, sizeof *run->time);
  run->samples = omr_pool_take(&run->memory, count, sizeof *run->samples);
  run->drift_time =
      omr_pool_take(&run->memory, OMR_DRIFT_COUNT * run->times, sizeof *run->drift_time);
  if (run->memory.failed) {
    omr_fail(error, OMR_ERR_MEMORY, "out of memory for a trajectory of %zu samples", run->times);
    omr_reference_run_free(run);
    return OMR_ERR_MEMORY;
  }

  /* nothing is sampled yet */
  for (size_t s = 0; s < run->times; s++) {
    run->time[s] = tick_time(&at, s * at.stride);
    for (size_t d = 0; d < OMR_DRIFT_COUNT; d++)
      run->drift_time[OMR_DRIFT_COUNT * s + d] = (double)NAN;
  }

  for (size_t j = 0; j < count; j++) run->samples[j] = (double)NAN;
  for (int j = 0; j < OMR_OBS_COUNT; j++) run->observables[j] = (double)NAN;
  return OMR_OK;
}

void omr_reference_run_free(omr_reference_run *run) {
  omr_pool_free(&run->memory);
  free(run->notes);
  memset(run, 0, sizeof *run);
}

/* Largest violation of all constraints now, and of the contacts only; also taken into their
 * maxima. */
static void note_drift(omr_mb *mb, double now[OMR_DRIFT_COUNT]) {
  now[OMR_DRIFT_POSITION] = now[OMR_DRIFT_VELOCITY] = now[OMR_DRIFT_CONTACT] = 0;
  for (int i = 0; i < mb->constraints; i++) {
    omr_mb_constraint *c = mb->constraint[i];
    const omr_mb_drift drift = omr_mb_drift_of(mb, c);
    const double position = fabs(drift.position), velocity = fabs(drift.velocity);
    now[OMR_DRIFT_POSITION] = fmax(now[OMR_DRIFT_POSITION], position);
    now[OMR_DRIFT_VELOCITY] = fmax(now[OMR_DRIFT_VELOCITY], velocity);
    if (c->kind->contact) now[OMR_DRIFT_CONTACT] = fmax(now[OMR_DRIFT_CONTACT], position);
    c->max_position = fmax(c->max_position, position);
    c->max_velocity = fmax(c->max_velocity, velocity);
  }
}

/* Constraints by class, the worst of each. */
static void collect_drift(const omr_mb *mb, omr_reference_run *run) {
  for (int i = 0; i < mb->constraints; i++) {
    const omr_mb_constraint *c = mb->constraint[i];
    if (!c->kind->drift) continue;

    /* the class of the constraint, or a new one */
    int at = 0;
    while (at < run->drift_count && strcmp(run->drift[at].kind, c->kind->name) != 0) at++;
    if (at == OMR_REFERENCE_KINDS) continue;

    omr_reference_drift *d = &run->drift[at];
    if (at == run->drift_count) {
      snprintf(d->kind, sizeof d->kind, "%s", c->kind->name);
      run->drift_count++;
    }

    /* the worst constraint of the class */
    d->count++;
    if (d->count == 1 || c->max_position > d->position) {
      d->position = c->max_position;
      snprintf(d->worst, sizeof d->worst, "%s", c->name);
    }
    d->velocity = fmax(d->velocity, c->max_velocity);
  }
}

/* Keeps the state in which a run ended early, unless memory or the system of equations fails. */
static void keep_last(const omr_reference_model *model, omr_reference *r, omr_reference_run *run) {
  if (omr_mb_evaluate(r->mb, NULL, NULL) != OMR_OK) return;
  run->last = omr_pool_take(&run->memory, (size_t)run->columns, sizeof *run->last);
  if (run->last) model->sample(r, run->last);
}

static omr_status take_sample(const omr_reference_model *model, omr_reference *r,
                              omr_reference_run *run, size_t s, omr_error *error) {
  omr_status status = omr_mb_evaluate(r->mb, NULL, error);
  if (status != OMR_OK) return status;
  model->sample(r, run->samples + s * (size_t)run->columns);
  note_drift(r->mb, run->drift_time + OMR_DRIFT_COUNT * s);
  return OMR_OK;
}

/* Looks per step of CVODE, and most steps of the study from look to look: parabolas between them
 * give the extremes, and both steps are short compared with the motion. */
#define LOOKS_IN_A_STEP 8
#define STEPS_TO_A_LOOK 4

/* The next tick to look at: every step start if extremes are observed, or as many as the
 * integration's own steps require; otherwise every sample. */
static uint64_t next_look(const ticks *at, const omr_reference *r, const omr_mb_integrator *g,
                          bool extremes, uint64_t k) {
  const uint64_t sample = k / at->stride * at->stride + at->stride;
  uint64_t next = extremes ? k + 1 : sample;
  const double apart = extremes && r->paced && k > 0 ? omr_mb_pace(g) / LOOKS_IN_A_STEP : 0;
  while (next < sample && next < k + STEPS_TO_A_LOOK &&
         tick_time(at, next + 1) - tick_time(at, k) <= apart)
    next++;
  return next < at->last ? next : at->last;
}

static omr_status integrate(const omr_study *study, const omr_reference_model *model,
                            const omr_reference_options *options, omr_reference *r,
                            omr_mb_integrator *g, omr_reference_run *run, omr_error *error) {
  const ticks at = ticks_of(study, options->finer);
  const uint64_t stride = at.stride;
  const bool looks = options->extremes && model->observe;
  omr_status status = OMR_OK;

  /* look at samples and, for extremes, in between */
  for (uint64_t k = 0; status == OMR_OK; k = next_look(&at, r, g, looks, k)) {
    double t = tick_time(&at, k);
    if (k > 0) status = omr_mb_advance(g, t, error);
    if (status != OMR_OK || r->failed) break;
    if (k % stride == 0) status = take_sample(model, r, run, (size_t)(k / stride), error);

    if (status == OMR_OK && looks) {
      if (k % stride != 0) status = omr_mb_evaluate(r->mb, NULL, error);
      if (status == OMR_OK) model->observe(r);
    }

    if (k >= at.last || r->failed) break;
    if (options->progress && !options->progress(options->progress_user, t, study->time.duration))
      return omr_fail(error, OMR_ERR_INTERRUPTED, "stopped");
  }

  run->end = r->mb->time;
  run->status = r->failed;
  if (r->failed) keep_last(model, r, run);
  /* a model may end a run from an event or a sample; then the error is data */
  return r->failed ? OMR_OK : status;
}

typedef struct watched {
  const omr_reference_options *options;
  double duration, reached;
} watched;

/* Progress between samples too: with many rollers one sample may take hours. Steps that are
 * repeated do not go back. */
static bool on_time(void *user, double time) {
  watched *w = user;
  w->reached = fmax(w->reached, time);
  return !w->options->progress ||
         w->options->progress(w->options->progress_user, w->reached, w->duration);
}

static omr_status run_assembled(const omr_study *study, const omr_reference_model *model,
                                const omr_reference_options *options, omr_reference *r,
                                omr_reference_run *run, omr_error *error) {
  omr_mb_integrator *g = NULL;

  omr_mb_tolerance tolerance = options->tolerance;
  if (study->time.stiff) tolerance.method = OMR_MB_BDF;
  omr_status status = omr_mb_integrator_create(r->mb, &tolerance, &r->switches, &g, error);
  if (status == OMR_OK) status = make_run(study, run, error);

  /* integrate, then read the observables and the size of the system */
  if (status == OMR_OK) {
    watched watched = {options, study->time.duration, 0};
    omr_mb_watch(g, on_time, &watched);
    status = integrate(study, model, options, r, g, run, error);

    if (status == OMR_OK) {
      model->reduce(r, run->observables);
      collect_drift(r->mb, run);
      run->bodies = r->mb->bodies;
      run->states = r->mb->states;
      run->constraints = r->mb->constraints;
      run->rows = r->mb->rows;
      run->redundant = r->mb->solver.redundant;
      run->counts = omr_mb_count(g);
    } else {
      omr_reference_run_free(run);
    }
  }

  omr_mb_integrator_destroy(g);
  return status;
}

omr_status omr_reference_integrate(const omr_part *part, size_t k,
                                   const omr_reference_options *options, omr_reference_run *run,
                                   omr_error *error) {
  const omr_study *study = part->study;
  const omr_reference_model *model = omr_reference_model_of(study->model);

  /* the study must have a reference */
  if (!model)
    return omr_fail(error, OMR_ERR_STUDY, "%s: model %s has no reference", study->name,
                    omr_model_names[study->model]);
  const char *never = model->refuse ? model->refuse(study) : NULL;
  if (never) return omr_fail(error, OMR_ERR_STUDY, "%s: %s", study->name, never);
  omr_values values;

  /* its values must make a machine */
  omr_part_values(part, k, &values, NULL);
  omr_reference r = {0};
  omr_reason why = {""};
  if (!model->assemble(study, &values, &r, &why)) {
    omr_reference_close(&r);
    return omr_fail(error, OMR_ERR_STUDY, "%s: instance %zu: %s", study->name, k, why.text);
  }

  omr_status status = run_assembled(study, model, options, &r, run, error);
  if (status == OMR_OK) {
    run->notes = r.notes.data;
    r.notes = (omr_text){0};
  }
  omr_reference_close(&r);
  return status;
}
