/* OpenMP backend: lane objects on the processor's cores. With OMR_BACKEND_SCALAR it is the scalar
 * yardstick. */
#include "backend.h"

#include "../../kernels/layout.h"
#include "../result/result.h"
#include "../support/team.h"
#include "../support/tree.h"
#include "lanes.h"
#include <cjson/cJSON.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const char fast_remedy[] = "use numerics \"exact\" or backend opencl";

/* Instruction sets from the widest. */
static const char *const instruction_sets[] = {"avx512", "avx2", "baseline"};
enum { SET_COUNT = sizeof instruction_sets / sizeof *instruction_sets };

typedef struct openmp_backend {
  const omr_lane_object *object;
  const omr_run_settings *settings;
  omr_run_record *record;
  int threads;
  const omr_batch *batch;
  void *params, *state, *spins, *tables,
      *samples;                  /* in the object's precision; the batch's own arrays in double */
  void *state_copy, *spins_copy; /* of controlled steps: what goes on to a sample */
} openmp_backend;

static bool processor_has(const char *isa) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!strcmp(isa, "avx512")) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma");
  }
  if (!strcmp(isa, "avx2")) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
  }
#endif
  return !strcmp(isa, "baseline");
}

/* What a lane object is made for. */
typedef struct purpose {
  const char *kind;
  bool single, constrained, compliant, controlled;
  int wheels;
  const int *settings; /* of the run; NULL: any object will do */
} purpose;

/* The object that is made for the most of the purpose: the plain case, then the number of wheels.
 * All give the same bits. */
static const omr_lane_object *find_object(const char *isa, const purpose *wanted) {
  const omr_lane_object *best = NULL;
  int best_fit = -1;
  const omr_lane_object *o;
  for (size_t i = 0; (o = omr_lane_object_at(i)); i++) {
    if (strcmp(o->isa, isa) || strcmp(o->kind, wanted->kind) || (o->single != 0) != wanted->single)
      continue;
    if ((o->constrained != 0) != wanted->constrained || (o->controlled != 0) != wanted->controlled)
      continue;
    if ((o->compliant != 0) != wanted->compliant) continue;
    if (o->plain && (!wanted->settings || !omr_plain_suits(o, wanted->settings))) continue;
    if (o->wheels && o->wheels != wanted->wheels) continue;
    int fit = 2 * o->plain + (o->wheels != 0);
    if (fit > best_fit) best = o;
    if (fit > best_fit) best_fit = fit;
  }
  return best;
}

static bool built(const char *isa) {
  const omr_lane_object *o;
  for (size_t i = 0; (o = omr_lane_object_at(i)); i++) {
    if (!strcmp(o->isa, isa)) return true;
  }
  return false;
}

static const char *kind_of(const omr_engine_options *options) {
  if (options->backend == OMR_BACKEND_SCALAR) return "scalar";
  return options->numerics == OMR_NUMERICS_FAST ? "fast" : "lanes";
}

static bool built_fast(const char *isa) {
  const omr_lane_object *o;
  for (size_t i = 0; (o = omr_lane_object_at(i)); i++) {
    if (o->fast && (!isa || !strcmp(o->isa, isa))) return true;
  }
  return false;
}

/* Why there is no object: fast numerics are never replaced by exact ones. */
static omr_status no_object(const omr_engine_options *options, omr_error *error) {
  const char *device = options->device ? options->device : "";
  const bool fast = options->numerics == OMR_NUMERICS_FAST;
  if (fast && !built_fast(NULL))
    return omr_fail(error, OMR_ERR_DEVICE,
                    "engine.numerics \"fast\": this omniroll was built without fast numerics for "
                    "the openmp backend "
                    "(OMNIROLL_LANE_FAST=OFF); %s",
                    fast_remedy);
  if (fast && (!*device || (built(device) && processor_has(device))))
    return omr_fail(error, OMR_ERR_DEVICE,
                    "engine.numerics \"fast\": there are none for the instruction set %s; %s",
                    *device ? device : "of this processor",
                    *device ? "leave out \"device\", or use numerics \"exact\"" : fast_remedy);
  return omr_fail(error, OMR_ERR_DEVICE,
                  "engine.device \"%s\": this processor or this build has no such instruction set; "
                  "the openmp and scalar backends "
                  "know avx512, avx2 and baseline (`omniroll devices` lists what runs here)",
                  device);
}

static omr_status choose_object(const omr_engine_options *options, const int *settings, FILE *log,
                                const omr_lane_object **object, omr_error *error) {
  const char *kind = kind_of(options);
  const purpose wanted = {.kind = kind,
                          .single = options->precision == OMR_SINGLE_PRECISION,
                          .constrained = settings[K_CONSTRAINED],
                          .compliant = settings[K_COMPLIANT] != 0,
                          .controlled = settings[K_CONTROLLED] != 0,
                          .wheels = settings[K_WHEELS],
                          .settings = settings};
  *object = NULL;
  for (int i = 0; i < SET_COUNT && !*object; i++) {
    const char *isa = instruction_sets[i];
    if (options->device && strcmp(options->device, isa)) continue;
    if (built(isa) && processor_has(isa)) *object = find_object(isa, &wanted);
  }
  if (!*object) return no_object(options, error);
  if (!options->device && log)
    fprintf(log, "%s: chose instruction set %s\n", !strcmp(kind, "scalar") ? kind : "openmp",
            (*object)->isa);
#if defined(__x86_64__)
  if (log && !strcmp((*object)->isa, "baseline")) {
    fprintf(log, "baseline: no fused multiply-add on this instruction set; it is emulated, for "
                 "correctness only, and slow\n");
  }
#endif
  return OMR_OK;
}

static omr_status openmp_open(const omr_engine_options *options, const omr_run_settings *settings,
                              omr_run_record *record, FILE *log, omr_backend **backend,
                              omr_error *error) {
  const omr_lane_object *object;
  omr_status status = choose_object(options, settings->integers, log, &object, error);
  if (status != OMR_OK) return status;
  openmp_backend *b = calloc(1, sizeof *b);
  if (!b) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  b->object = object;
  b->settings = settings;
  b->record = record;
  b->threads = options->threads > 0 ? options->threads : omr_team_usual();
  size_t size = object->single ? sizeof(float) : sizeof(double);
  b->tables = calloc(settings->table_count + 1, size);
  if (!b->tables) {
    free(b);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  for (size_t i = 0; i < settings->table_count; i++) {
    if (object->single)
      ((float *)b->tables)[i] = (float)settings->tables[i];
    else
      ((double *)b->tables)[i] = settings->tables[i];
  }
  snprintf(record->backend, sizeof record->backend, "%s",
           options->backend == OMR_BACKEND_SCALAR ? "scalar" : "openmp");
  snprintf(record->device, sizeof record->device, "%s, %d thread%s", object->isa, b->threads,
           b->threads == 1 ? "" : "s");
  snprintf(record->precision, sizeof record->precision, "%s", object->single ? "single" : "double");
  snprintf(record->numerics, sizeof record->numerics, "%s", omr_numerics_name(options->numerics));
  snprintf(record->rounding, sizeof record->rounding, "%s", object->fast ? "device" : "correct");
  record->lanes = object->lanes;
  record->threads = b->threads;
  *backend = (omr_backend *)b;
  return OMR_OK;
}

static size_t openmp_capacity(const omr_backend *backend) {
  (void)backend;
  return SIZE_MAX / 2; /* the engine bounds the batch by memory and by the index range */
}

/* Frees the single-precision copies. */
static void release_arrays(openmp_backend *b) {
  if (b->object->single) {
    free(b->params);
    free(b->state);
    free(b->spins);
  }
  free(b->samples);
  free(b->state_copy);
  free(b->spins_copy);
  b->params = b->state = b->spins = b->samples = b->state_copy = b->spins_copy = NULL;
}

static omr_status openmp_load(omr_backend *backend, const omr_batch *batch, omr_error *error) {
  openmp_backend *b = (openmp_backend *)backend;
  const omr_run_settings *s = b->settings;
  release_arrays(b);
  b->batch = batch;
  if (!b->object->single) {
    b->params = batch->params;
    b->state = batch->state;
    b->spins = batch->spins;
    return OMR_OK;
  }
  b->params = omr_narrowed(batch->params, (size_t)s->param_columns * batch->stride);
  b->state = omr_narrowed(batch->state, (size_t)s->state_columns * batch->stride);
  b->spins = omr_narrowed(batch->spins, (size_t)s->spin_columns * batch->stride);
  if (!b->params || !b->state || !b->spins)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory; set engine.chunk to a smaller number");
  return OMR_OK;
}

/* Packs of the batch; none of padding alone. */
static int pack_count(const openmp_backend *b) {
  return ((int)b->batch->count + b->object->lanes - 1) / b->object->lanes;
}

/* Advances state and spins, the batch's own or a copy; step: of the kernels (kernels/entry.h,
 * advance_pack). */
static void advance_packs(openmp_backend *b, void *state, void *spins, double step, double until) {
  const omr_lane_object *o = b->object;
  const omr_lane_buffers buffers = {
      b->params, state, spins, b->tables, b->settings->integers, (int)b->batch->stride};
  const int packs = pack_count(b), threads = b->threads < packs ? b->threads : packs;
  double start = omr_seconds();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int pack = 0; pack < packs; pack++) o->advance(&buffers, step, until, pack * o->lanes);
  b->record->kernel_seconds += omr_seconds() - start;
}

static omr_status openmp_advance(omr_backend *backend, double until, omr_error *error) {
  (void)error;
  openmp_backend *b = (openmp_backend *)backend;
  const omr_run_settings *s = b->settings;
  advance_packs(b, b->state, b->spins, s->controlled ? s->end : s->step, until);
  return OMR_OK;
}

/* A copy of the state that has gone on to `at`, where the motion ends for it. */
static omr_status copy_state(openmp_backend *b, double at, omr_error *error) {
  const omr_run_settings *s = b->settings;
  const size_t size = b->object->single ? sizeof(float) : sizeof(double);
  const size_t states = (size_t)s->state_columns * b->batch->stride,
               spins = (size_t)s->spin_columns * b->batch->stride;
  if (!b->state_copy) b->state_copy = omr_aligned_room(states, size);
  if (!b->spins_copy) b->spins_copy = omr_aligned_room(spins, size);
  if (!b->state_copy || !b->spins_copy)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory; set engine.chunk to a smaller number");
  memcpy(b->state_copy, b->state, states * size);
  memcpy(b->spins_copy, b->spins, spins * size);
  advance_packs(b, b->state_copy, b->spins_copy, at, at);
  return OMR_OK;
}

static omr_status openmp_sample(omr_backend *backend, double at, double *samples,
                                omr_error *error) {
  openmp_backend *b = (openmp_backend *)backend;
  const omr_run_settings *s = b->settings;
  const omr_lane_object *o = b->object;
  const int stride = (int)b->batch->stride, packs = pack_count(b);
  size_t count = (size_t)s->sample_columns * b->batch->stride;
  if (!b->samples)
    b->samples = omr_aligned_calloc(count, o->single ? sizeof(float) : sizeof(double));
  if (!b->samples)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory; set engine.chunk to a smaller number");
  if (s->controlled) {
    const omr_status status = copy_state(b, at, error);
    if (status != OMR_OK) return status;
  }
  const void *state = s->controlled ? b->state_copy : b->state;
  for (int pack = 0; pack < packs; pack++)
    o->sample(b->params, state, b->tables, s->integers, s->step, b->samples, stride,
              pack * o->lanes);
  for (size_t i = 0; i < count; i++)
    samples[i] = o->single ? (double)((float *)b->samples)[i] : ((double *)b->samples)[i];
  return OMR_OK;
}

static omr_status openmp_fetch(omr_backend *backend, omr_batch *batch, omr_error *error) {
  (void)error;
  openmp_backend *b = (openmp_backend *)backend;
  if (!b->object->single) return OMR_OK;
  size_t states = (size_t)b->settings->state_columns * batch->stride,
         spins = (size_t)b->settings->spin_columns * batch->stride;
#pragma omp parallel for schedule(static) num_threads(b->threads) if (states >= OMR_MANY)
  for (size_t i = 0; i < states; i++) batch->state[i] = (double)((float *)b->state)[i];
#pragma omp parallel for schedule(static) num_threads(b->threads) if (spins >= OMR_MANY)
  for (size_t i = 0; i < spins; i++) batch->spins[i] = (double)((float *)b->spins)[i];
  return OMR_OK;
}

static void openmp_close(omr_backend *backend) {
  openmp_backend *b = (openmp_backend *)backend;
  if (!b) return;
  release_arrays(b);
  free(b->tables);
  free(b);
}

const omr_backend_ops omr_openmp_backend = {
    .name = "openmp",
    .open = openmp_open,
    .capacity = openmp_capacity,
    .load = openmp_load,
    .advance = openmp_advance,
    .sample = openmp_sample,
    .fetch = openmp_fetch,
    .close = openmp_close,
    .watch = NULL,
};

bool omr_openmp_runs(const char *isa) {
  return built(isa) && processor_has(isa);
}

const omr_lane_object *omr_lane_object_with_peak(const char *isa, bool single) {
  const omr_lane_object *o;
  for (size_t i = 0; (o = omr_lane_object_at(i)); i++) {
    if (o->peak && !strcmp(o->isa, isa) && !strcmp(o->kind, "lanes") && (o->single != 0) == single)
      return o;
  }
  return NULL;
}

const char *omr_openmp_isa(size_t i) {
  return i < SET_COUNT ? instruction_sets[i] : NULL;
}

void omr_openmp_print_devices(FILE *out) {
  for (int i = 0; i < SET_COUNT; i++) {
    const char *isa = instruction_sets[i];
    const purpose in_double = {.kind = "lanes", .wheels = 3},
                  in_single = {.kind = "lanes", .wheels = 3, .single = true};
    const omr_lane_object *d = find_object(isa, &in_double), *s = find_object(isa, &in_single);
    if (!d || !s) continue;
    fprintf(
        out,
        "openmp  %-9s %s, %d lanes in double, %d in single, up to %d threads; numerics exact%s\n",
        isa, processor_has(isa) ? "runs here" : "not on this processor", d->lanes, s->lanes,
        omp_get_max_threads(), built_fast(isa) ? ", fast" : " only");
  }
}

void omr_openmp_list_devices(cJSON *devices) {
  for (int i = 0; i < SET_COUNT; i++) {
    const char *isa = instruction_sets[i];
    const purpose in_double = {.kind = "lanes", .wheels = 3},
                  in_single = {.kind = "lanes", .wheels = 3, .single = true};
    const omr_lane_object *d = find_object(isa, &in_double), *s = find_object(isa, &in_single);
    if (!d || !s) continue;
    cJSON *row = omr_tree_row(devices);
    omr_tree_text(row, "backend", "openmp");
    omr_tree_text(row, "device", isa);
    omr_tree_bool(row, "runs_here", processor_has(isa));
    omr_tree_number(row, "lanes_double", d->lanes);
    omr_tree_number(row, "lanes_single", s->lanes);
    omr_tree_number(row, "threads", omp_get_max_threads());
    omr_tree_bool(row, "fast_numerics", built_fast(isa));
  }
}
