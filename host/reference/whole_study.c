#include "whole_study.h"

#include "engine/failure_limit.h"
#include "ensemble.h"
#include "model/prepare.h"
#include "result_row.h"
#include "study/formulas.h"
#include "support/team.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct sweep {
  omr_integrator as; /* first */
  omr_part whole;
  const omr_run_options *options;
  omr_run_record record;
  omr_run_settings settings;
  omr_batch *batches; /* [threads], room for one instance each */
  int threads;
  char warning[OMR_TEAM_WARNING]; /* of fewer threads than wanted */
  double work_done, work_total;   /* omr_study_work of instances */
  omp_lock_t progress, results;   /* of work_done and the caller's function; of a part's rows */
  omr_refined *carry;             /* rows that the next part carries; NULL: none */
  atomic_bool stopped;            /* set by any thread; rows that have not begun check it */
} sweep;

static sweep *sweep_of(const omr_integrator *integrator) {
  return (sweep *)(uintptr_t)integrator;
}

/* A running part. */
typedef struct part_run {
  sweep *w;
  const omr_part *part;
  omr_result *result;
  omr_reference_options how;
  omr_status status; /* the first error that ends the run */
  omr_error error;
  size_t first_invalid, unfinished; /* unfinished: how many the integration gave up */
  char why[512];                    /* of the first unfinished one */
  size_t first_unfinished;
} part_run;

/* Progress of an instance. */
typedef struct row_clock {
  part_run *run;
  double time;  /* s */
  bool carried; /* it is not one of the run's own: the bar stands */
} row_clock;

/* PROGRESS */

static void count(row_clock *c, double time, double duration) {
  sweep *w = c->run->w;
  if (!c->carried)
    w->work_done += (time - c->time) / duration * omr_study_work(c->run->part->study);
  c->time = time;
}

static bool on_time(void *user, double time, double duration) {
  row_clock *c = user;
  sweep *w = c->run->w;
  bool go;
  omp_set_lock(&w->progress);
  count(c, time, duration);
  const omr_run_options *o = w->options;
  if (!w->stopped && o && o->progress)
    w->stopped = !o->progress(o->progress_user, w->work_done, w->work_total);
  go = !w->stopped;
  omp_unset_lock(&w->progress);
  return go;
}

static void finish_clock(row_clock *c, double duration) {
  omp_set_lock(&c->run->w->progress);
  count(c, duration, duration);
  omp_unset_lock(&c->run->w->progress);
}

/* ROWS */

static void keep_error(part_run *r, omr_status status, const omr_error *error) {
  omp_set_lock(&r->w->results);
  if (r->status == OMR_OK) {
    r->status = status;
    r->error = *error;
    r->w->stopped = true;
  }
  omp_unset_lock(&r->w->results);
}

static void note_invalid(part_run *r, size_t instance, const char *reason) {
  omp_set_lock(&r->w->results);
  omr_result_note_invalid(r->result, &r->first_invalid, instance, reason);
  omp_unset_lock(&r->w->results);
}

/* Notes an instance that CVODE could not finish, say: its end is data. */
static void note_unfinished(part_run *r, size_t row, const row_clock *c, const omr_error *error) {
  const size_t instance = omr_part_row(r->part, row);
  r->result->status[row] = OMR_INSTANCE_DIVERGED;
  r->result->status_time[row] = c->time;
  omp_set_lock(&r->w->results);
  r->unfinished++;
  if (instance < r->first_unfinished) {
    r->first_unfinished = instance;
    snprintf(r->why, sizeof r->why, "%.500s", error->message);
  }
  omp_unset_lock(&r->w->results);
}

/* A small model integrates other columns than it samples; common ones have the same id. */
static double small_quantity(const omr_small_list *small, const char *id, const double *last) {
  for (int j = 0; j < small->samples; j++)
    if (strcmp(small->sample_ids[j], id) == 0) return last[j];
  return (double)NAN;
}

/* The engine counts whole turns separately, the reference does not. */
static double small_turns(const omr_small_list *small, const char *id, const double *last) {
  const double yaw = small_quantity(small, "YAW", last), turns = rint(yaw / (2 * M_PI));
  if (strcmp(id, "TURNS") == 0) return turns;
  return strcmp(id, "YAW") == 0 ? yaw - 2 * M_PI * turns : small_quantity(small, id, last);
}

static void last_small_state(const omr_small_list *small, const omr_failures *f, const double *last,
                             double *state) {
  bool turns = false;
  for (size_t j = 0; j < f->vehicle_count; j++)
    turns = turns || strcmp(f->vehicle[j].id, "TURNS") == 0;
  for (size_t j = 0; j < f->vehicle_count; j++) {
    const char *id = f->vehicle[j].id;
    state[j] = !last   ? (double)NAN
               : turns ? small_turns(small, id, last)
                       : small_quantity(small, id, last);
  }
}

/* The quantities of the failures' list from the last samples of a run. */
static void last_state(const omr_study *study, const omr_failures *f, const double *last,
                       double *state) {
  const omr_small_list *small = omr_small_list_of(study->model);

  /* a study's own system keeps its first samples */
  if (omr_model_is_own(study->model)) {
    for (size_t j = 0; j < f->vehicle_count; j++)
      state[j] = last ? last[f->vehicle[j].source] : (double)NAN;
    return;
  }

  if (small) {
    last_small_state(small, f, last, state);
    return;
  }

  /* quantities of the vehicle, then of the wheels; NaN if the run never began */
  for (size_t j = 0; j < f->vehicle_count; j++) {
    const int source = f->vehicle[j].source;
    *state++ = last && source >= 0 ? last[source] : (double)NAN;
  }

  for (size_t j = 0; j < f->wheel_count; j++) {
    for (size_t i = 0; i < f->wheels; i++) {
      const int source = f->wheel[j].source;
      *state++ = last && source >= 0 ? last[OMR_VS_COUNT + i * OMR_WS_COUNT + (size_t)source]
                                     : (double)NAN;
    }
  }
}

static void list_failure(part_run *r, size_t row, const double *last, const char *reason) {
  double state[OMR_FAILURE_QUANTITIES * (1 + OMR_MAX_WHEELS)];
  omr_result *result = r->result;
  const int status = result->status[row];
  bool listed;
  last_state(r->part->study, &result->failures, last, state);
  omp_set_lock(&r->w->results);
  listed = omr_failures_add(&result->failures, omr_part_row(r->part, row), status,
                            result->status_time[row], status == OMR_INSTANCE_INVALID ? NULL : state,
                            reason);
  omp_unset_lock(&r->w->results);
  if (listed) return;
  omr_error error;
  omr_fail(&error, OMR_ERR_MEMORY, "out of memory for the states of failed instances");
  keep_error(r, OMR_ERR_MEMORY, &error);
}

/* The reason in an error that begins with study and instance, which a list of failures shows
 * anyway. */
static const char *reason_in(const char *message, const omr_study *study, size_t instance) {
  char place[512];
  const int length = snprintf(place, sizeof place, "%s: instance %zu: ", study->name, instance);
  const bool told =
      length > 0 && (size_t)length < sizeof place && strncmp(message, place, (size_t)length) == 0;
  return told ? message + length : message;
}

static void run_row(part_run *r, size_t row) {
  omr_result *result = r->result;
  const omr_study *study = r->part->study;
  omr_batch *batch = &r->w->batches[omp_get_thread_num()];
  const size_t instance = omr_part_row(r->part, row);
  row_clock clock = {.run = r};
  omr_reference_options how = r->how;
  omr_reference_run run = {0};
  omr_error error = {0};
  char reason[400] = "";
  how.progress_user = &clock;

  /* values that make no machine are an invalid instance */
  if (!omr_reference_prepare(r->part, &r->w->settings, batch, result, row, reason, sizeof reason)) {
    note_invalid(r, instance, reason);
    list_failure(r, row, NULL, reason);
    finish_clock(&clock, study->time.duration);
    return;
  }
  const omr_status status = omr_reference_integrate(r->part, instance, &how, &run, &error);

  /* only a stop or a lack of memory ends the whole run */
  if (status == OMR_ERR_INTERRUPTED || status == OMR_ERR_MEMORY) {
    keep_error(r, status, &error);
    return;
  }

  if (status == OMR_OK) {
    omr_reference_keep(r->part, result, row, &run);
    result->row_steps[row] = (double)run.counts.steps;
  } else if (status == OMR_ERR_STUDY) { /* values that make a machine on the engine only */
    result->status[row] = OMR_INSTANCE_INVALID;
    snprintf(reason, sizeof reason, "%.399s", reason_in(error.message, study, instance));
    note_invalid(r, instance, reason);
  } else {
    note_unfinished(r, row, &clock, &error);
  }

  if (result->status[row] != OMR_INSTANCE_OK)
    list_failure(r, row, run.last, *reason ? reason : NULL);
  finish_clock(&clock, study->time.duration);
  omr_reference_run_free(&run);
}

/* ROWS THAT ARE TAKEN AGAIN, for the step error */

#define FINER                                                                                      \
  4 /* looks to one of the run: it gives the error of quantities that only looks can see */

/* Options of a refined run. Conditions and extremes of a study with a tolerance are looked at about
 * every millisecond; with fixed steps at the steps, and then the tolerance is the reference's
 * own. */
static omr_reference_options how_again(const omr_study *refined, const part_run *r) {
  omr_reference_options how = r->how;
  how.tolerance = omr_controls_steps(refined)
                      ? omr_reference_tolerance(refined, (omr_mb_tolerance){0})
                      : omr_reference_beside(r->how.tolerance);
  how.finer = FINER;
  return how;
}

static void run_again(part_run *r, size_t slot, double *steps) {
  omr_refined *refined = r->w->carry;
  const size_t place = slot % refined->sample.count, instance = refined->instance[place];
  const int level = 1 + (int)(slot / refined->sample.count), decades = refined->sample.decades;
  const omr_study study = omr_study_refined(r->part->study, level * (decades ? decades : 1));

  /* the same instance with shorter steps or a smaller tolerance */
  omr_part part = *r->part;
  omr_values values;
  omr_reference_run run = {0};
  omr_error error = {0};
  row_clock clock = {.run = r, .carried = true};
  omr_reference_options how = how_again(&study, r);
  double *row = omr_refined_row(refined, level, place);
  int8_t *state = omr_refined_status(refined, level, place);

  part.study = &study;
  how.progress_user = &clock;
  omr_part_values(&part, instance, &values, row);

  const omr_status status = omr_reference_integrate(&part, instance, &how, &run, &error);
  if (status == OMR_ERR_INTERRUPTED || status == OMR_ERR_MEMORY) {
    keep_error(r, status, &error);
    return;
  }

  /* a failure of this run is data of its row */
  *state = status == OMR_OK          ? (int8_t)run.status
           : status == OMR_ERR_STUDY ? OMR_INSTANCE_INVALID
                                     : OMR_INSTANCE_DIVERGED;
  omr_turn_observables(study.frame, run.observables);
  omr_formulas_add(&study, row, run.observables);
  row += study.variation_count;

  for (int j = 0; status == OMR_OK && j < OMR_OBS_COUNT; j++)
    if (omr_study_observes(&study, j)) *row++ = omr_refined_value(run.observables[j]);

  *steps = (double)run.counts.steps;
  omr_reference_run_free(&run);
}

/* WHAT A RESULT SAYS OF ITSELF */

static void warn_of_unfinished(const part_run *r) {
  char text[OMR_WARNINGS];
  if (r->unfinished == 0) return;
  snprintf(text, sizeof text,
           "%zu instance%s counted as diverged, since the reference could not integrate %s to the "
           "end; instance %zu: %s",
           r->unfinished, r->unfinished == 1 ? " is" : "s are", r->unfinished == 1 ? "it" : "them",
           r->first_unfinished, r->why);
  omr_add_warnings(r->result->warnings, text);
}

static void sum_up(part_run *r, double seconds) {
  omr_run_record *record = &r->result->record;
  for (size_t k = 0; k < r->result->instances; k++)
    record->instance_steps += r->result->row_steps[k];
  record->kernel_seconds = record->wall_seconds = seconds;
  r->w->record.kernel_seconds += seconds;
  warn_of_unfinished(r);
  omr_result_drop_rare(r->result);
}

/* THE INTEGRATOR */

/* Runs the rows of the part, and the carried ones, on all threads; *steps: steps of the carried
 * ones. */
static omr_status run_all(part_run *r, size_t rows, double *steps, omr_error *error) {
  sweep *w = r->w;
  const size_t slots = rows + (w->carry ? omr_refined_slots(w->carry) : 0);

  double carried = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads) reduction(+ : carried)

  for (size_t slot = 0; slot < slots; slot++) {
    double took = 0;

    if (w->stopped) continue;
    if (slot < rows)
      run_row(r, slot);
    else
      run_again(r, slot - rows, &took);
    carried += took; /* whole numbers: the order does not matter */
  }

  /* the first error ends the part */
  if (r->status == OMR_ERR_INTERRUPTED || (r->status == OMR_OK && w->stopped))
    return omr_fail(error, OMR_ERR_INTERRUPTED, "stopped; no result was written");
  if (r->status != OMR_OK) return omr_fail(error, r->status, "%s", r->error.message);

  *steps += carried;
  w->carry = NULL;
  return OMR_OK;
}

static omr_status run_rows(part_run *r, omr_error *error) {
  const omr_study *study = r->part->study;
  const double start = omr_seconds();
  const size_t rows = r->part->rows;
  const omr_status status = run_all(r, rows, &r->result->record.refined_steps, error);
  if (status != OMR_OK) return status;
  sum_up(r, omr_seconds() - start);
  if (!omr_failures_sort(&r->result->failures))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu failed instances",
                    r->result->failures.count);
  return study->on_failure == OMR_FAILURE_ABORT
             ? omr_check_none_failed(r->part, r->result, 0, rows, error)
             : OMR_OK;
}

static part_run run_of(sweep *w, const omr_part *part) {
  w->stopped = false;
  return (part_run){
      .w = w,
      .part = part,
      .how = {.tolerance = omr_reference_tolerance(part->study, (omr_mb_tolerance){0}),
              .extremes = omr_reference_wants_steps(part->study),
              .progress = on_time},
      .first_invalid = SIZE_MAX,
      .first_unfinished = SIZE_MAX};
}

static void carry(omr_integrator *integrator, omr_refined *refined) {
  sweep_of(integrator)->carry =
      refined->sample.count && !omr_refined_done(refined) ? refined : NULL;
}

static omr_status run_carried(omr_integrator *integrator, omr_run_record *record,
                              omr_error *error) {
  sweep *w = sweep_of(integrator);
  part_run r = run_of(w, &w->whole);
  const double start = omr_seconds();
  const omr_status status = run_all(&r, 0, &record->refined_steps, error);
  record->kernel_seconds += omr_seconds() - start;
  return status;
}

static omr_status run_part(omr_integrator *integrator, const omr_part *part, omr_result **result,
                           omr_error *error) {
  sweep *w = sweep_of(integrator);
  part_run r = run_of(w, part);
  *result = NULL;
  omr_status status = omr_result_make(part, &r.result, error);
  if (status == OMR_OK) {
    r.result->record = w->record;
    r.result->record.kernel_seconds = 0;
    omr_add_warnings(r.result->warnings, w->warning);
    if (part->study->traces.note) omr_add_warnings(r.result->warnings, part->study->traces.note);
    status = run_rows(&r, error);
  }
  if (status == OMR_OK)
    *result = r.result;
  else
    omr_result_destroy(r.result);
  return status;
}

static void close_sweep(omr_integrator *integrator) {
  sweep *w = sweep_of(integrator);
  for (int t = 0; w->batches && t < w->threads; t++) omr_batch_free(&w->batches[t]);
  free(w->batches);
  omr_settings_free(&w->settings);
  omp_destroy_lock(&w->progress);
  omp_destroy_lock(&w->results);
  free(w);
}

/* As on the engine: a study of one instance has nothing to run if its values make no machine. */
static omr_status check_one(sweep *w, omr_error *error) {
  const omr_study *study = w->whole.study;
  omr_values values;
  char reason[400];
  if (study->instances != 1) return OMR_OK;
  omr_study_values(study, 0, &values, NULL);
  if (values.vehicle[OMR_VP_TRACKING] > 1)
    values.vehicle[OMR_VP_TRACKING] = 0; /* not the engine's */
  if (omr_prepare_instance(study, &w->settings, &values, w->batches, 0, reason, sizeof reason))
    return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY, "%s: %s", study->name, reason);
}

static omr_status make_batches(sweep *w, omr_error *error) {
  bool made = (w->batches = calloc((size_t)w->threads, sizeof *w->batches));
  for (int t = 0; made && t < w->threads; t++) {
    made = omr_batch_make(&w->settings, OMR_PAD, &w->batches[t]);
    w->batches[t].count = 1;
    w->batches[t].stride = OMR_PAD;
  }
  return made ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for the reference");
}

static omr_status open_sweep(const omr_part *part, const omr_run_options *options,
                             omr_integrator **integrator, omr_error *error) {
  const omr_study *study = part->study;
  sweep *w = calloc(1, sizeof *w);
  *integrator = NULL;
  if (!w) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* nothing is open yet, so that closing is safe at any time */
  omp_init_lock(&w->progress);
  omp_init_lock(&w->results);
  w->as.ops = &omr_reference_integrator;
  w->whole = *part;
  w->options = options;

  /* threads, and the work that progress is measured by */
  w->threads = omr_team_of_run(study->engine.threads, w->warning);
  omr_log_warnings(options ? options->log : NULL, w->warning);
  if (study->traces.note) omr_log_warnings(options ? options->log : NULL, study->traces.note);
  w->work_total = (double)part->rows * omr_study_work(study);

  omr_reference_name(&w->record);
  snprintf(w->record.numerics, sizeof w->record.numerics, "%s", omr_study_numerics(study));
  w->record.threads = w->threads;
  w->record.registers = w->record.spill_bytes = w->record.private_bytes = -1;

  /* the study must have a reference, and at least one machine */
  omr_status status = omr_ensemble_check(study, error);
  if (status == OMR_OK) status = omr_reference_settings(study, &w->settings, error);
  if (status == OMR_OK) status = make_batches(w, error);
  if (status == OMR_OK) status = check_one(w, error);

  if (status == OMR_OK)
    *integrator = &w->as;
  else
    close_sweep(&w->as);
  return status;
}

static size_t capacity(const omr_integrator *integrator) {
  return (size_t)sweep_of(integrator)->threads;
}

/* Measured as the resident size of the program: 1 to 3 MB more with four wheels of 8 to 20
 * rollers. */
static double bytes(const omr_integrator *integrator) {
  return 4e6 * (double)capacity(integrator);
}

static const omr_run_record *record(const omr_integrator *integrator) {
  return &sweep_of(integrator)->record;
}

const omr_integrator_ops omr_reference_integrator = {open_sweep,  close_sweep, run_part, carry,
                                                     run_carried, capacity,    bytes,    record,
                                                     NULL,        NULL,        NULL,     NULL};
