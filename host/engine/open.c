/* Opens and closes an engine: its backend, the memory of a batch, the second runs of failed
 * instances; and presents the engine as an integrator to campaigns. */
#include "state.h"

#include "../../kernels/layout.h"
#include "../lanes/kernel_cache.h"
#include "../model/prepare.h"
#include "../support/team.h"
#include "block.h"
#include "forewarn.h"

#include <stdlib.h>
#include <string.h>

/* Memory for the columns of one batch; large enough that slices and launches cost nothing. A thread
 * of the processor needs less: the first touch of a page costs as much as integrating some steps.
 */
#define BATCH_BYTES ((size_t)96 << 20)
#define THREAD_BYTES ((size_t)16 << 20)

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

/* Slots per batch: as many whole packs as memory, the device and 32-bit indices in the kernels
 * allow. The device's slots include `carried` ones for instances with shorter steps. */
static size_t choose_capacity(const omr_engine *r, size_t carried) {
  const omr_run_settings *s = &r->settings;
  size_t slots = r->stepped ? SIZE_MAX : batch_bytes(r) / (sizeof(double) * column_count(r));
  size_t most_columns = (size_t)s->state_columns;
  if ((size_t)s->param_columns > most_columns) most_columns = (size_t)s->param_columns;
  if ((size_t)s->spin_columns > most_columns) most_columns = (size_t)s->spin_columns;
  size_t index_range = (size_t)INT32_MAX / most_columns;
  if (slots > index_range) slots = index_range;
  size_t device = r->ops->capacity(r->backend), left = device > carried ? device - carried : 1;
  if (slots > left) slots = left;
  if (r->stepped) return slots / OMR_PAD * OMR_PAD;
  if (r->study->engine.chunk && slots > r->study->engine.chunk) slots = r->study->engine.chunk;
  if (slots > r->whole.rows) slots = r->whole.rows;
  return (slots + OMR_PAD - 1) / OMR_PAD * OMR_PAD;
}

/* Takes the threads that the process is granted; everything later uses this number. */
static void take_threads(omr_engine *r, omr_engine_options *chosen, FILE *log) {
  char warning[OMR_TEAM_WARNING];
  chosen->threads = r->threads = omr_team_of_run(chosen->threads, warning);
  omr_add_warnings(r->warnings, warning);
  omr_log_warnings(log, warning);
}

/* Slots of a stepped batch, which is never cut. */
static omr_status take_all_slots(omr_engine *r, omr_error *error) {
  const size_t rows = r->whole.rows, padded = (rows + OMR_PAD - 1) / OMR_PAD * OMR_PAD,
               most = choose_capacity(r, 0);
  if (padded > most)
    return omr_fail(error, OMR_ERR_USAGE,
                    "a batch of %zu instances: %s holds at most %zu of this study's at a time; "
                    "open several batches",
                    rows, r->record.device, most);
  r->capacity = r->slots = padded;
  return OMR_OK;
}

static void take_slots(omr_engine *r) {
  /* Slots for rows, and for instances that are carried with shorter steps. */
  const omr_step_sample sample = omr_step_sample_of(r->study);
  const size_t carried = (sample.count * (size_t)sample.levels + OMR_PAD - 1) / OMR_PAD * OMR_PAD;
  r->capacity = choose_capacity(r, carried);
  r->slots = r->capacity + carried;
}

static omr_status allocate_batch(omr_engine *r, omr_error *error) {
  const omr_run_settings *s = &r->settings;
  if (!r->stepped) take_slots(r);
  const omr_status status = r->stepped ? take_all_slots(r, error) : OMR_OK;
  if (status != OMR_OK) return status;
  const size_t n = r->slots;

  /* Columns of the batch and one entry per slot. */
  bool made = omr_batch_room(s, n, &r->batch);
  r->samples = omr_aligned_room((size_t)s->sample_columns * n, sizeof(double));
  r->index = calloc(n, sizeof *r->index);
  r->energy = calloc(n, sizeof *r->energy);
  r->reasons = calloc(n, sizeof *r->reasons);
  r->drawn = calloc(n * r->study->variation_count + 1, sizeof *r->drawn);

  /* Every thread prepares instances in a block of its own. */
  r->blocks = calloc((size_t)r->threads, sizeof *r->blocks);
  for (int t = 0; made && r->blocks && t < r->threads; t++)
    made = omr_batch_make(s, OMR_BLOCK, &r->blocks[t]);

  /* The remedy is a smaller batch. */
  if (!made || !r->blocks || !r->samples || !r->index || !r->energy || !r->reasons || !r->drawn) {
    return omr_fail(
        error, OMR_ERR_MEMORY,
        "out of memory for %zu instances at a time; set engine.chunk to a smaller number", n);
  }

  return OMR_OK;
}

static void free_batch(omr_engine *r) {
  omr_engine_forget_reasons(r);
  free(r->reasons);
  omr_batch_free(&r->batch);
  for (int t = 0; r->blocks && t < r->threads; t++) omr_batch_free(&r->blocks[t]);
  free(r->blocks);
  free(r->drawn);
  free(r->samples);
  free(r->index);
  free(r->energy);
}

bool omr_engine_takes_opencl(const omr_engine_options *engine) {
  if (engine->backend != OMR_BACKEND_AUTO) return engine->backend == OMR_BACKEND_OPENCL;
  const bool named =
      engine->devices && strcmp(engine->devices, "all") != 0; /* as OpenCL names them */
  return named || omr_opencl_has_gpu(engine->precision);
}

static const omr_backend_ops *choose_backend(omr_engine_options *engine, FILE *log) {
  if (engine->backend == OMR_BACKEND_AUTO) {
    /* a processor is faster through OpenMP than through its OpenCL driver */
    bool gpu = omr_engine_takes_opencl(engine);
    engine->backend = gpu ? OMR_BACKEND_OPENCL : OMR_BACKEND_OPENMP;
    if (log)
      fprintf(log, "auto: chose backend %s\n", gpu ? "opencl, since there is a GPU" : "openmp");
  }
  return engine->backend == OMR_BACKEND_OPENCL ? &omr_opencl_backend : &omr_openmp_backend;
}

/* Reports the place of repeated instances in the whole run: its progress waits. */
static bool wait_for_retry(void *user, double done, double total) {
  (void)done;
  (void)total;
  return omr_engine_report(user, 0);
}

static omr_status open_retry(omr_engine *r, const omr_engine_options *chosen, omr_error *error) {
  if (r->whole.study->on_failure != OMR_FAILURE_RETRY) return OMR_OK;
  return omr_retry_open(&omr_engine_integrator, r->whole.study, chosen->backend,
                        (omr_run_options){.size = sizeof(omr_run_options),
                                          .progress = wait_for_retry,
                                          .progress_user = r},
                        &r->retry, error);
}

/* A study of one instance fails here if that instance makes no vehicle; a step may be too long. */
static omr_status check(omr_engine *r, FILE *log, omr_error *error) {
  const omr_study *study = r->whole.study;
  omr_status status = OMR_OK;
  if (study->doubted) return OMR_OK;
  if (study->instances == 1) {
    size_t looked_at, invalid;
    char reason[512];
    status = omr_study_check(study, &looked_at, &invalid, reason, sizeof reason, error);
  }
  if (status == OMR_OK) status = omr_judge_study(study, r->warnings, error);
  if (status == OMR_OK) omr_log_warnings(log, r->warnings);
  return status;
}

/* Compares some instances on the device with the scalar build (device_check.h), as opening does;
 * OMR_ERR_SELFTEST: nothing that it computed since the last such check is to be believed. Does
 * nothing where the processor integrates. */
static omr_status engine_check(omr_engine *r, omr_error *error) {
  if (!r->check) return OMR_OK;
  const omr_run_record before = r->record; /* a check's time is no part of the run */
  const omr_status status = omr_device_check_run(r->check, r->ops, r->backend, error);
  r->record.kernel_seconds = before.kernel_seconds;
  r->record.transfer_seconds = before.transfer_seconds;
  r->record.device_checks = (double)omr_device_checks(r->check);
  return status;
}

/* How many of these checks were good, the one of opening among them; 0: none is made. */
static size_t engine_checks(const omr_engine *engine) {
  return omr_device_checks(engine->check);
}

/* A device must pass the check before its results are used, and so must fast numerics. Exact
 * numerics on the processor would be checked against themselves (host/DESIGN.md). */
static omr_status open_check(omr_engine *r, const omr_engine_options *chosen, omr_error *error) {
  if (r->ops != &omr_opencl_backend && chosen->numerics == OMR_NUMERICS_EXACT) return OMR_OK;
  const double start = omr_seconds();
  r->watch = (omr_watch){.seconds = chosen->hang_seconds, .go_on = omr_engine_goes_on, .user = r};
  if (r->ops->watch && chosen->hang_seconds > 0) r->ops->watch(r->backend, &r->watch);
  omr_status status =
      omr_device_check_open(&r->whole, chosen, &r->settings, &r->record, &r->check, error);
  if (status == OMR_OK) status = engine_check(r, error);
  r->record.build_seconds += omr_seconds() - start;
  return status;
}

static omr_status open_engine(const omr_part *part, const omr_run_options *options, bool stepped,
                              omr_engine **engine, omr_error *error) {
  /* Studies that need another integrator are refused. */
  const omr_study *study = part->study;
  FILE *log = options ? options->log : NULL;
  omr_engine_options chosen = study->engine;
  *engine = NULL;
  if (omr_model_is_own(study->model))
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: this needs kernels, and %s has none: the reference alone integrates it, "
                    "with an error control of its own; omniroll run and omniroll reference run it",
                    study->name, omr_model_names[study->model]);
  if (chosen.backend == OMR_BACKEND_REFERENCE)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: the backend \"reference\" is for runs of the study; this needs another "
                    "one: --backend openmp",
                    study->name);

  /* The engine's own state, before any part runs. */
  omr_engine *r = *engine = calloc(1, sizeof *r);
  if (!r) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omp_init_lock(&r->lock);
  r->whole = *part;
  r->whole.known = NULL; /* the coordinates come with each part */
  omr_engine_turn_to(r, &r->whole);
  r->as.ops = &omr_engine_integrator;
  r->options = options;
  r->stepped = stepped;
  r->slice = 64;
  r->record.registers = r->record.spill_bytes = r->record.private_bytes = -1;
  r->watch = (omr_watch){.go_on = omr_engine_goes_on, .user = r};
  r->work_total = (double)part->rows * omr_study_work(study);

  /* Study, threads, settings and backend, in this order. */
  omr_status status = check(r, log, error);
  if (status == OMR_OK) take_threads(r, &chosen, log);
  if (status == OMR_OK) status = omr_settings_make(study, &r->settings, error);
  if (status == OMR_OK) {
    if (stepped) r->settings.integers[K_STEPPED] = 1;
    r->ops = choose_backend(&chosen, log);
    status = r->ops->open(&chosen, &r->settings, &r->record, log, &r->backend, error);
  }

  /* Memory and checks need the open backend. */
  if (status == OMR_OK) status = allocate_batch(r, error);
  if (status == OMR_OK) status = open_check(r, &chosen, error);
  if (status == OMR_OK && !stepped) status = open_retry(r, &chosen, error);
  if (status == OMR_OK) return OMR_OK;

  omr_engine_close(r);
  *engine = NULL;
  return status;
}

omr_status omr_engine_open(const omr_part *part, const omr_run_options *options,
                           omr_engine **engine, omr_error *error) {
  return open_engine(part, options, false, engine, error);
}

omr_status omr_engine_open_stepped(const omr_part *part, const omr_run_options *options,
                                   omr_engine **engine, omr_error *error) {
  return open_engine(part, options, true, engine, error);
}

/* The caller of omr_warm, as the watch knows it. */
typedef struct warming {
  omr_progress_fn *progress;
  void *user;
} warming;

static bool goes_on_warming(void *user) {
  const warming *w = user;
  return !w->progress || w->progress(w->user, 0, 1);
}

omr_status omr_warm(const omr_study *study, FILE *log, omr_progress_fn *progress, void *user,
                    FILE *out, omr_error *error) {
  warming caller = {progress, user};
  omr_watch watch = {.go_on = goes_on_warming, .user = &caller};
  omr_engine_options chosen = study->engine;
  omr_run_settings settings;
  omr_run_record record = {0};
  omr_backend *backend = NULL;
  char told[256] = "built, and kept";

  /* Without a cache, or without kernels, nothing can be prepared. */
  if (omr_cache_off())
    return omr_fail(error, OMR_ERR_USAGE,
                    "OMNIROLL_CACHE=0: nothing that is compiled would be kept; unset it");
  if (omr_model_is_own(study->model) || chosen.backend == OMR_BACKEND_REFERENCE)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "%s: the reference integrates this study, and it has no kernels that could be compiled",
        study->name);

  /* The backend compiles as it would for a run. */
  omr_status status = omr_settings_make(study, &settings, error);
  if (status != OMR_OK) return status;
  const omr_backend_ops *ops = choose_backend(&chosen, log);
  status = ops->open(&chosen, &settings, &record, log, &backend, error);
  if (status == OMR_OK && ops->warm) status = ops->warm(backend, &watch, told, error);
  if (status == OMR_OK) fprintf(out, "%s, %s: %s\n", record.backend, record.device, told);

  ops->close(backend);
  omr_settings_free(&settings);
  return status;
}

void omr_engine_close(omr_engine *engine) {
  if (!engine) return;
  if (engine->watch.abandoned) { /* a thread that never returned may still write there */
    engine->check = NULL;
    engine->batch = (omr_batch){0};
    engine->samples = NULL;
  }
  omr_device_check_close(engine->check);
  omr_retry_close(engine->retry);
  if (engine->ops) engine->ops->close(engine->backend);
  free_batch(engine);
  omr_settings_free(&engine->settings);
  omp_destroy_lock(&engine->lock);
  free(engine);
}

size_t omr_engine_capacity(const omr_engine *engine) {
  return engine->capacity;
}

/* Memory that they take on the host; a device holds the same again. */
static double engine_bytes(const omr_engine *engine) {
  return (double)engine->slots * sizeof(double) *
         (double)(column_count(engine) + 2); /* plus index and energy of a slot */
}

const omr_run_record *omr_engine_record(const omr_engine *engine) {
  return &engine->record;
}

omr_status omr_engine_run_alone(const omr_part *part, const omr_run_options *options,
                                omr_result **result, omr_error *error) {
  omr_engine *engine = NULL;
  *result = NULL;
  omr_status status = omr_engine_open(part, options, &engine, error);
  if (status == OMR_OK) status = omr_engine_run(engine, part, result, error);
  if (status == OMR_OK) status = engine_check(engine, error);
  if (status == OMR_OK) {
    (*result)->record.build_seconds += omr_engine_record(engine)->build_seconds;
    (*result)->record.device_checks = (double)engine_checks(engine);
  } else {
    omr_result_destroy(*result);
    *result = NULL;
  }
  omr_engine_close(engine);
  return status;
}

/* THE ENGINE AS AN INTEGRATOR */

/* The integrator is the first member of an engine. */
static omr_engine *engine_of(const omr_integrator *integrator) {
  return (omr_engine *)(uintptr_t)integrator;
}

static omr_status open_as(const omr_part *part, const omr_run_options *options,
                          omr_integrator **integrator, omr_error *error) {
  omr_engine *engine;
  const omr_status status = omr_engine_open(part, options, &engine, error);
  *integrator = status == OMR_OK ? &engine->as : NULL;
  return status;
}

static void close_as(omr_integrator *integrator) {
  omr_engine_close(engine_of(integrator));
}

static omr_status run_as(omr_integrator *integrator, const omr_part *part, omr_result **result,
                         omr_error *error) {
  return omr_engine_run(engine_of(integrator), part, result, error);
}

static void carry_as(omr_integrator *integrator, omr_refined *refined) {
  omr_engine_carry(engine_of(integrator), refined);
}

static omr_status run_carried_as(omr_integrator *integrator, omr_run_record *record,
                                 omr_error *error) {
  return omr_engine_run_carried(engine_of(integrator), record, error);
}

static size_t capacity_as(const omr_integrator *integrator) {
  return omr_engine_capacity(engine_of(integrator));
}

static double bytes_as(const omr_integrator *integrator) {
  return engine_bytes(engine_of(integrator));
}

static const omr_run_record *record_as(const omr_integrator *integrator) {
  return omr_engine_record(engine_of(integrator));
}

static omr_status check_as(omr_integrator *integrator, omr_error *error) {
  return engine_check(engine_of(integrator), error);
}

static size_t checks_as(const omr_integrator *integrator) {
  return engine_checks(engine_of(integrator));
}

static bool doubted_as(const omr_integrator *integrator) {
  return omr_engine_doubted((const omr_engine *)(uintptr_t)integrator);
}

const omr_integrator_ops omr_engine_integrator = {
    open_as,  close_as,  run_as,   carry_as,  run_carried_as, capacity_as,
    bytes_as, record_as, check_as, checks_as, doubted_as,     NULL};
