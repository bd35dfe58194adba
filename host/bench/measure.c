/* Measures cases: all cases of a section stay open and take turns, so that other work of the
 * machine falls on all of them. */
#include "cases.h"

#include "../../kernels/layout.h"
#include "../model/prepare.h"
#include "../study/derived.h"
#include "../study/grammar/reader.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIAL_STEPS = 16, MOST_STEPS = 10000000, LEAST_STEPS = 16 };
#define CPU_TRIAL 4096
#define GPU_TRIAL 65536
#define LONG_WALL                                                                                  \
  2.0 /* s besides integrating (preparing a million instances) after which a case has its one      \
         round */
#define MOST_FAILURES                                                                              \
  0.01 /* share of instances that may fail: lanes that stand still would count as slow ones */

typedef struct entry {
  const bench_case *what;
  omr_bench_row *row;
  bench_progress *progress;
  omr_study *study;
  omr_engine *engine;
  omr_run_options options;
  size_t *chosen; /* of the trial */
  bench_poses poses;
  double launches;
  double worst, column_bytes; /* parameters, and state twice, of an instance */
  uint64_t steps;
  int rounds; /* done */
  bool stopped;
} entry;

static bool tell(bench_progress *p, double add) {
  const omr_bench_request *o = p->options;
  p->done += add;
  return !o->progress || o->progress(o->progress_user, p->done, p->total);
}

/* Called after each launch. */
static bool count_launch(void *user, double done, double total) {
  entry *e = user;
  (void)done, (void)total;
  e->launches++;
  if (!tell(e->progress, 0)) e->stopped = true;
  return !e->stopped;
}

static void keep_error(entry *e, const omr_error *error) {
  snprintf(e->row->error, sizeof e->row->error, "%.399s", error->message);
}

/* ---- the description of a row */

omr_bench_row bench_row_unknown(omr_bench_section section) {
  omr_bench_row r = {.section = section, .registers = -1, .spill_bytes = -1, .private_bytes = -1};
  r.steps = r.seconds = r.spread = r.steps_per_second = r.operations_per_step = r.flops =
      r.peak_flops = r.fraction_of_peak = r.bytes_per_step = r.build_seconds = r.transfer_seconds =
          r.ratio = r.deviation = (double)NAN;
  return r;
}

static void describe_case(const bench_case *c, omr_bench_row *r) {
  *r = bench_row_unknown(c->section);
  snprintf(r->name, sizeof r->name, "%s", c->name);
  snprintf(r->backend, sizeof r->backend, "%s", omr_bench_backends[c->backend]);
  snprintf(r->numerics, sizeof r->numerics, "%s", c->fast ? "fast" : "exact");
  snprintf(r->precision, sizeof r->precision, "%s", omr_bench_precisions[c->precision]);
  if (c->backend != OMR_BACKEND_OPENCL) {
    snprintf(r->isa, sizeof r->isa, "%s", c->device);
    r->threads = c->threads;
  }
}

static void describe_study(const omr_study *s, omr_bench_row *r) {
  snprintf(r->model, sizeof r->model, "%s", omr_model_names[s->model]);
  snprintf(r->law, sizeof r->law, "%s", omr_law_kinds[s->contact.law].name);
  snprintf(r->method, sizeof r->method, "%s", omr_method_kinds[s->time.method].name);
  snprintf(r->exchange, sizeof r->exchange, "%s", s->time.split ? "split" : "straddle");
  r->wheels = s->wheels;
  r->rollers = (int)s->base.wheel[0][OMR_WP_ROLLERS];
  r->instances = s->instances;
}

static void describe_engine(const omr_engine *engine, omr_bench_row *r) {
  const omr_run_record *record = omr_engine_record(engine);
  r->lanes = record->lanes;
  r->threads = record->threads;
  if (strcmp(r->backend, "opencl") != 0) return; /* nothing is built, nothing is transferred */
  r->build_seconds = record->build_seconds;
  r->registers = record->registers;
  r->spill_bytes = record->spill_bytes;
  r->private_bytes = record->private_bytes;
  snprintf(r->device, sizeof r->device, "%s", record->device);
}

/* ---- opening */

static omr_status look_at_settings(entry *e, omr_error *error) {
  omr_run_settings settings;
  omr_status status = omr_settings_make(e->study, &settings, error);
  if (status != OMR_OK) return status;
  const double value = e->what->precision == OMR_SINGLE_PRECISION ? sizeof(float) : sizeof(double);
  e->column_bytes = value * (settings.param_columns + 2 * settings.state_columns);
  e->row->observers = settings.integers[K_OBSERVERS] != 0;
  omr_settings_free(&settings);
  return OMR_OK;
}

/* A row measures the kernels that a long run has; a quick look takes the kernels at hand. */
static void choose_kernels(entry *e) {
  omr_engine_options *engine = &e->study->engine;
  if (engine->backend != OMR_BACKEND_OPENMP || engine->numerics != OMR_NUMERICS_EXACT) return;
  engine->compile = e->progress->options->quick ? OMR_COMPILE_NEVER : OMR_COMPILE_ALWAYS;
}

static omr_status open_entry(entry *e, omr_error *error) {
  const char *overrides[BENCH_OVERRIDES];
  for (int i = 0; i < e->what->override_count; i++) overrides[i] = e->what->overrides[i];
  omr_status status = omr_study_parse(bench_study, "bench", overrides,
                                      (size_t)e->what->override_count, &e->study, error);
  if (status != OMR_OK) return status;
  describe_study(e->study, e->row);
  choose_kernels(e);
  status = look_at_settings(e, error);
  e->options = (omr_run_options){
      .size = sizeof(omr_run_options), .progress = count_launch, .progress_user = e};
  const omr_part whole = omr_part_of(e->study);
  if (status == OMR_OK) status = omr_engine_open(&whole, &e->options, &e->engine, error);
  if (status == OMR_OK) describe_engine(e->engine, e->row);
  if (status == OMR_OK)
    e->row->operations_per_step = bench_operations_of(e->progress->operations, e->what, e->study);
  return status;
}

static void close_entry(entry *e) {
  omr_engine_close(e->engine);
  omr_study_destroy(e->study);
  free(e->chosen);
}

/* ---- running */

typedef struct round_result {
  double steps, seconds, transfer, other; /* other: the rest of the wall time */
} round_result;

static omr_status run_once(entry *e, const omr_part *part, round_result *out, omr_error *error) {
  omr_result *result = NULL;
  omr_status status = omr_engine_run(e->engine, part, &result, error);
  if (status != OMR_OK) return status;
  const omr_run_record *record = &result->record;
  snprintf(e->row->kernels, sizeof e->row->kernels, "%s", record->kernels);
  out->steps = record->instance_steps;
  out->seconds = record->kernel_seconds;
  out->transfer = record->transfer_seconds;
  out->other = record->wall_seconds - record->kernel_seconds;
  const double failed = (double)result->failures.count, rows = (double)part->rows;
  omr_result_destroy(result);
  if (failed > MOST_FAILURES * rows)
    return omr_fail(error, OMR_ERR_FAILURES,
                    "%.0f of %.0f instances failed, so that this says nothing", failed, rows);
  if (!(out->steps > 0) || !(out->seconds > 0))
    return omr_fail(error, OMR_ERR_INTERNAL, "nothing was integrated");
  return OMR_OK;
}

/* Runs the first instances, with more steps each time, until the time is long enough to choose the
 * steps of a round. */
static omr_status try_out(entry *e, double seconds, omr_error *error) {
  const size_t most = e->what->backend == OMR_BACKEND_OPENCL ? GPU_TRIAL : CPU_TRIAL;
  const size_t count = e->study->instances < most ? e->study->instances : most;
  omr_study sooner = omr_study_sooner(e->study, TRIAL_STEPS);
  round_result r = {0};
  omr_status status = OMR_OK;
  e->chosen = calloc(count, sizeof *e->chosen);
  if (!e->chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < count; i++) e->chosen[i] = i;
  const omr_part part = omr_part_choose(&sooner, e->chosen, count);
  for (; status == OMR_OK && sooner.time.steps < MOST_STEPS;
       sooner = omr_study_sooner(e->study, 8 * sooner.time.steps)) {
    status = run_once(e, &part, &r, error);
    if (r.seconds > seconds / 16) break;
  }
  const double steps = r.steps / r.seconds * seconds / (double)e->study->instances;
  e->steps = (uint64_t)fmin(fmax(steps, LEAST_STEPS), MOST_STEPS);
  return status;
}

/* The best round counts: other work of the machine makes rounds longer, never shorter. */
static void keep_round(entry *e, const round_result *r) {
  omr_bench_row *row = e->row;
  const double rate = r->steps / r->seconds;
  const double slots = (double)omr_engine_capacity(e->engine),
               batches = ceil((double)e->study->instances / slots);
  e->rounds++;
  e->worst = e->rounds == 1 ? rate : fmin(e->worst, rate);
  if (e->rounds > 1 && rate <= row->steps_per_second) return;
  row->steps = r->steps;
  row->seconds = r->seconds;
  row->steps_per_second = rate;
  if (e->what->backend == OMR_BACKEND_OPENCL) row->transfer_seconds = r->transfer;
  row->bytes_per_step =
      e->launches / batches * (double)e->study->instances * e->column_bytes / r->steps;
}

/* Where the trial met other work, rounds would stay too short. */
static void lengthen(entry *e, double took, double seconds) {
  if (took < seconds / 2)
    e->steps = (uint64_t)fmin((double)e->steps * fmin(seconds / took, 16), MOST_STEPS);
}

static omr_status run_round(entry *e, double seconds, omr_error *error) {
  const omr_study sooner = omr_study_sooner(e->study, e->steps);
  round_result r;
  const omr_part part = omr_part_of(&sooner);
  e->launches = 0;
  omr_status status = run_once(e, &part, &r, error);
  if (status != OMR_OK) return status;
  keep_round(e, &r);
  lengthen(e, r.seconds, seconds);
  if (r.other > LONG_WALL) e->steps = 0; /* enough */
  return OMR_OK;
}

/* ---- all of them */

/* Whether the rows of a section are to have the same motion, up to rounding. */
static bool compares_motion(omr_bench_section section) {
  return section == OMR_BENCH_BACKENDS || section == OMR_BENCH_NUMERICS;
}

/* Compares with the first row that was measured. */
static void find_deviations(entry *entries, size_t count) {
  const entry *reference = NULL;
  for (size_t i = 0; i < count; i++) {
    entry *e = &entries[i];
    if (*e->row->error || !e->poses.count) continue;
    if (!reference) reference = e;
    e->row->deviation = bench_poses_deviation(&e->poses, &reference->poses);
  }
}

/* Errors stay in their row, except an interruption. */
static omr_status settle(entry *e, omr_status status, omr_error *error) {
  if (e->stopped) return omr_fail(error, OMR_ERR_INTERRUPTED, "stopped");
  if (status != OMR_OK) keep_error(e, error);
  return tell(e->progress, 1) ? OMR_OK : omr_fail(error, OMR_ERR_INTERRUPTED, "stopped");
}

static omr_status open_all(entry *entries, size_t count, double seconds, omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t i = 0; i < count && status == OMR_OK; i++) {
    entry *e = &entries[i];
    omr_status opened = open_entry(e, error);
    if (opened == OMR_OK) opened = try_out(e, seconds, error);
    if (opened == OMR_OK && compares_motion(e->what->section))
      opened = bench_poses_run(e->engine, e->study, &e->poses, error);
    status = settle(e, opened, error);
  }
  return status;
}

static void finish(entry *e) {
  if (e->rounds > 1) e->row->spread = e->row->steps_per_second / e->worst;
}

omr_status bench_measure(const omr_bench_request *options, const bench_case *cases, size_t count,
                         omr_bench_row *rows, bench_progress *progress, omr_error *error) {
  entry *entries = calloc(count + 1, sizeof *entries);
  if (!entries) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const double seconds = options->seconds / options->rounds;

  /* Rows describe their case even if it cannot be measured. */
  for (size_t i = 0; i < count; i++) {
    entries[i] = (entry){.what = &cases[i], .row = &rows[i], .progress = progress};
    describe_case(&cases[i], &rows[i]);
  }

  /* Open all cases, then give each of them a round in turn. */
  omr_status status = open_all(entries, count, seconds, error);
  for (int round = 0; round < options->rounds && status == OMR_OK; round++) {
    for (size_t i = 0; i < count && status == OMR_OK; i++) {
      entry *e = &entries[i];
      const bool runs = !*e->row->error && e->steps;
      status = settle(e, runs ? run_round(e, seconds, error) : OMR_OK, error);
    }
  }

  /* Compare the motions before the cases close. */
  find_deviations(entries, count);
  for (size_t i = 0; i < count; i++) {
    finish(&entries[i]);
    close_entry(&entries[i]);
  }

  free(entries);
  return status;
}
