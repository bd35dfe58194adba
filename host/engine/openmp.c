/* The OpenMP backend runs lane objects on the processor's cores; with OMR_BACKEND_SCALAR it is the
 * scalar yardstick. A run begins with a general object, and own_object.h may replace it by one
 * compiled for the run. */
#include "backend.h"

#include "../../kernels/layout.h"
#include "../lanes/lanes.h"
#include "../result/result.h"
#include "../support/team.h"
#include "../support/tree.h"
#include "blocked_batch.h"
#include "own_object.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Instruction sets, widest first. */
static const char *const instruction_sets[] = {"avx512", "avx2", "baseline"};
#define ALONE_SECONDS 2e-3
enum { ALONE_PACKS = 512 };
enum { CHUNK = 16 }; /* blocks of a batch that a thread takes at a time */
enum { SET_COUNT = sizeof instruction_sets / sizeof *instruction_sets };

typedef struct openmp_backend {
  const omr_lane_object *object; /* the object that advances */
  omr_own_object *own;           /* NULL: this run only uses the general object */
  const omr_run_settings *settings;
  omr_run_record *record;
  int threads;
  const omr_batch *batch;
  void *params, *state, *spins, *tables,
      *samples;                  /* in the object's precision; the batch's own arrays in double */
  void *state_copy, *spins_copy; /* with controlled steps: the copy that is sampled */
  omr_blocked_batch *blocks;     /* of a blocked batch; else NULL */
  double pack_seconds;           /* of a pack in a launch by one thread; 0: there was none yet */
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

/* The purpose of a general object. */
typedef struct purpose {
  const char *kind;
  bool single, constrained, compliant, mixed, controlled;
} purpose;

static const omr_lane_object *find_object(const char *isa, const purpose *wanted) {
  const omr_lane_object *o;
  for (size_t i = 0; (o = omr_lane_object_at(i)); i++) {
    if (strcmp(o->isa, isa) || strcmp(o->kind, wanted->kind)) continue;
    if ((o->single != 0) == wanted->single && (o->constrained != 0) == wanted->constrained &&
        (o->compliant != 0) == wanted->compliant && (o->mixed != 0) == wanted->mixed &&
        (o->controlled != 0) == wanted->controlled)
      return o;
  }
  return NULL;
}

static bool built(const char *isa) {
  const omr_lane_object *o;
  for (size_t i = 0; (o = omr_lane_object_at(i)); i++) {
    if (!strcmp(o->isa, isa)) return true;
  }
  return false;
}

/* Fast numerics take the lanes of a general object until one is compiled for them. */
static omr_status choose_object(const omr_engine_options *options, const int *settings, FILE *log,
                                const omr_lane_object **object, omr_error *error) {
  const bool scalar = options->backend == OMR_BACKEND_SCALAR;
  const char *kind = scalar ? "scalar" : "lanes", *backend = scalar ? "scalar" : "openmp";
  const purpose wanted = {.kind = kind,
                          .single = options->precision == OMR_SINGLE_PRECISION,
                          .constrained = settings[K_CONSTRAINED],
                          .compliant = settings[K_COMPLIANT] != 0,
                          .mixed = settings[K_KINDS] != 0 && !settings[K_COMPLIANT],
                          .controlled = settings[K_CONTROLLED] != 0};

  *object = NULL;

  /* The widest instruction set that processor and build have. */
  for (int i = 0; i < SET_COUNT && !*object; i++) {
    const char *isa = instruction_sets[i];
    if (options->device && strcmp(options->device, isa)) continue;
    if (built(isa) && processor_has(isa)) *object = find_object(isa, &wanted);
  }

  /* No instruction set here has such an object: is it one at all? */
  bool known = !options->device;
  for (int i = 0; i < SET_COUNT && !known; i++)
    known = strcmp(options->device, instruction_sets[i]) == 0;
  if (!*object && !known)
    return omr_fail(
        error, OMR_ERR_DEVICE,
        "engine.device \"%s\": the backend %s has the instruction sets avx512, avx2 and baseline. "
        "A device of OpenCL needs the backend opencl, which auto takes where there is a GPU: if "
        "this is one, its driver may be missing (clinfo); `omniroll devices` lists what is here",
        options->device, backend);
  if (!*object)
    return omr_fail(error, OMR_ERR_DEVICE,
                    "engine.device \"%s\": this processor or this build has no such instruction "
                    "set for the backend %s; `omniroll devices` lists what runs here, and "
                    "-DOMNIROLL_LANE_SETS=all builds avx512, avx2 and baseline",
                    options->device ? options->device : "", backend);

  /* The log names the choice and its cost. */
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

/* Tables in the object's precision. */
static void *make_tables(const omr_run_settings *settings, bool single) {
  void *tables = calloc(settings->table_count + 1, single ? sizeof(float) : sizeof(double));
  for (size_t i = 0; tables && i < settings->table_count; i++) {
    if (single)
      ((float *)tables)[i] = (float)settings->tables[i];
    else
      ((double *)tables)[i] = settings->tables[i];
  }
  return tables;
}

static void fill_record(const openmp_backend *b, const omr_engine_options *options) {
  omr_run_record *record = b->record;
  const bool fast = options->numerics == OMR_NUMERICS_FAST;

  /* Names of backend, device and arithmetic. */
  snprintf(record->backend, sizeof record->backend, "%s",
           options->backend == OMR_BACKEND_SCALAR ? "scalar" : "openmp");
  snprintf(record->device, sizeof record->device, "%s, %d thread%s", b->object->isa, b->threads,
           b->threads == 1 ? "" : "s");
  snprintf(record->precision, sizeof record->precision, "%s",
           b->object->single ? "single" : "double");
  snprintf(record->numerics, sizeof record->numerics, "%s", omr_numerics_name(options->numerics));
  snprintf(record->rounding, sizeof record->rounding, "%s", fast ? "device" : "correct");
  snprintf(record->kernels, sizeof record->kernels, "general");

  record->lanes = b->object->lanes;
  record->threads = b->threads;
}

static void openmp_close(omr_backend *backend);

static omr_status openmp_open(const omr_engine_options *options, const omr_run_settings *settings,
                              omr_run_record *record, FILE *log, omr_backend **backend,
                              omr_error *error) {
  const omr_lane_object *object;
  /* The general object of the run, with its tables. */
  omr_status status = choose_object(options, settings->integers, log, &object, error);
  if (status != OMR_OK) return status;
  openmp_backend *b = calloc(1, sizeof *b);
  if (!b) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  b->object = object;
  b->settings = settings;
  b->record = record;
  b->threads = options->threads > 0 ? options->threads : omr_team_usual();
  b->tables = make_tables(settings, object->single);
  if (!b->tables) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) fill_record(b, options);

  /* The object of the run's own may already be in the cache. */
  if (status == OMR_OK && options->backend != OMR_BACKEND_SCALAR) {
    const omr_own_wish wish = {.options = options,
                               .settings = settings,
                               .general = object,
                               .tables = b->tables,
                               .threads = b->threads,
                               .log = log};
    status = omr_own_object_open(&wish, record, &b->own, error);
  }

  if (status == OMR_OK && b->own) b->object = omr_own_object_now(b->own);

  /* A backend that failed to open is closed here. */
  if (status == OMR_OK)
    *backend = (omr_backend *)b;
  else
    openmp_close((omr_backend *)b);
  return status;
}

static size_t openmp_capacity(const omr_backend *backend) {
  (void)backend;
  return SIZE_MAX / 2; /* the engine limits the batch by memory and index range */
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
  omr_blocked_batch_free(b->blocks);
  b->blocks = NULL;
  b->params = b->state = b->spins = b->samples = b->state_copy = b->spins_copy = NULL;
}

static omr_status no_memory(omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory; set engine.chunk to a smaller number");
}

/* In double the kernels work on the batch's own arrays. */
static bool take_arrays(openmp_backend *b, const omr_batch *batch) {
  const omr_run_settings *s = b->settings;
  if (!b->object->single) {
    b->params = batch->params;
    b->state = batch->state;
    b->spins = batch->spins;
    return true;
  }
  b->params = omr_narrowed(batch->params, (size_t)s->param_columns * batch->stride);
  b->state = omr_narrowed(batch->state, (size_t)s->state_columns * batch->stride);
  b->spins = omr_narrowed(batch->spins, (size_t)s->spin_columns * batch->stride);
  return b->params && b->state && b->spins;
}

static omr_status openmp_load(omr_backend *backend, const omr_batch *batch, omr_error *error) {
  openmp_backend *b = (openmp_backend *)backend;
  release_arrays(b);
  b->batch = batch;
  if (!take_arrays(b, batch)) return no_memory(error);
  if (!batch->revisited) return OMR_OK;
  b->blocks =
      omr_blocked_batch_make(b->settings, b->params, batch->stride, b->object->single, b->threads);
  return b->blocks ? OMR_OK : no_memory(error);
}

/* Packs of the batch, without packs of padding only. */
static int pack_count(const openmp_backend *b) {
  return ((int)b->batch->count + b->object->lanes - 1) / b->object->lanes;
}

/* Packs whose columns lie together. */
static int block_packs(const openmp_backend *b) {
  return b->batch->blocked ? OMR_PAD / b->object->lanes : pack_count(b);
}

static const void *shifted(const openmp_backend *b, const void *array, int columns, size_t slot) {
  return (const char *)array +
         slot * (size_t)columns * (b->object->single ? sizeof(float) : sizeof(double));
}

/* A launch with the buffers of a pack's block. */
static omr_launch launch_of(const openmp_backend *b, const omr_launch *whole, int pack) {
  omr_launch own = *whole;
  if (!b->batch->blocked) return own;
  const omr_run_settings *s = b->settings;
  own.origin = pack - pack % block_packs(b);
  const size_t slot = (size_t)own.origin * (size_t)b->object->lanes;
  own.buffers.params = shifted(b, whole->buffers.params, s->param_columns, slot);
  own.buffers.state = (void *)(uintptr_t)shifted(b, whole->buffers.state, s->state_columns, slot);
  own.buffers.spins = (void *)(uintptr_t)shifted(b, whole->buffers.spins, s->spin_columns, slot);
  own.buffers.stride = OMR_PAD;
  return own;
}

/* The parameters of a pack of a blocked batch; its first pack asks for the next block. */
static const void *params_of(const openmp_backend *b, const void *state, int pack, int packs) {
  const int each = block_packs(b), thread = omp_get_thread_num();
  if (pack % each == 0 && pack + each < packs)
    omr_blocked_batch_ahead(b->blocks, state, (size_t)(pack / each + 1));
  return omr_blocked_batch_params(b->blocks, (size_t)(pack / each), thread);
}

/* Whether one thread makes a launch of a stepped batch: it needs less than ALONE_SECONDS for it, as
 * the last launch that it made alone shows. It makes the first launch of a small batch alone. On a
 * busy machine, waiting for a second thread takes longer than such a launch. */
static bool is_short(const openmp_backend *b, int packs) {
  if (!b->batch->revisited) return false;
  return b->pack_seconds > 0 ? b->pack_seconds * packs < ALONE_SECONDS : packs <= ALONE_PACKS;
}

/* Advances state and spins, either the batch's own or a copy; step: as the kernels take it
 * (kernels/entry.h, advance_pack). */
static void advance_packs(openmp_backend *b, void *state, void *spins, double step, double until) {
  const omr_run_settings *s = b->settings;
  const omr_launch launch = {
      .object = b->object,
      .buffers = {b->params, state, spins, b->tables, s->integers, (int)b->batch->stride},
      .step = step,
      .until = until};

  /* Threads for the kernels: a compiler may take one. */
  const int packs = pack_count(b), each = block_packs(b),
            most = is_short(b, packs) ? 1 : omr_own_object_threads(b->own, b->threads),
            threads = most < packs ? most : packs, chunk = b->batch->revisited ? CHUNK * each : 1;
  omr_pack_check *check = omr_own_object_begin(b->own, packs);
  if (b->blocks) omr_blocked_batch_begin(b->blocks, state);
  const double start = omr_seconds();
  const clock_t cores = clock();
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
  for (int pack = 0; pack < packs; pack++) {
    omr_launch own = launch_of(b, &launch, pack);
    if (b->blocks) own.buffers.params = params_of(b, state, pack, packs);
    if (check && (!b->batch->revisited || omr_pack_check_looks(check, pack)))
      omr_pack_check_advance(check, &own, pack, omp_get_thread_num());
    else
      own.object->advance(&own.buffers, own.step, until, (pack - own.origin) * own.object->lanes);
  }

  /* Core seconds in the general object count towards compiling. */
  const double took = omr_seconds() - start;
  b->record->kernel_seconds += took;
  /* If others use the machine as well, the process gets less than the full time. */
  const double spent = fmin(took * threads, (double)(clock() - cores) / CLOCKS_PER_SEC);
  if (threads == 1) b->pack_seconds = spent / packs;
  omr_own_object_spent(b->own, spent);
}

static omr_status openmp_advance(omr_backend *backend, double until, omr_error *error) {
  openmp_backend *b = (openmp_backend *)backend;
  const omr_run_settings *s = b->settings;
  b->object = b->own ? omr_own_object_next(b->own) : b->object;
  advance_packs(b, b->state, b->spins, s->controlled ? s->end : s->step, until);
  return omr_own_object_judge(b->own, error);
}

/* Advances a copy of the state to `at`, where its motion ends. */
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
  return omr_own_object_judge(b->own, error);
}

static omr_status openmp_sample(omr_backend *backend, double at, double *samples,
                                omr_error *error) {
  openmp_backend *b = (openmp_backend *)backend;
  const omr_run_settings *s = b->settings;
  const omr_lane_object *o = b->object;
  const int packs = pack_count(b);
  size_t count = (size_t)s->sample_columns * b->batch->stride;
  /* Room for the samples, in the object's precision. */
  if (!b->samples)
    b->samples = omr_aligned_calloc(count, o->single ? sizeof(float) : sizeof(double));
  if (!b->samples)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory; set engine.chunk to a smaller number");

  /* With controlled steps a copy of the state goes on to the sample. */
  if (s->controlled) {
    const omr_status status = copy_state(b, at, error);
    if (status != OMR_OK) return status;
  }
  void *state = s->controlled ? b->state_copy : b->state;
  const omr_launch whole = {
      .object = o,
      .buffers = {b->params, state, b->spins, b->tables, s->integers, (int)b->batch->stride}};

  /* Every pack is sampled, in the object's precision. */
#pragma omp parallel for schedule(static) num_threads(b->threads) if (count >= OMR_MANY)
  for (int pack = 0; pack < packs; pack++) {
    const omr_launch own = launch_of(b, &whole, pack);
    const size_t slot = (size_t)own.origin * (size_t)o->lanes;
    o->sample(own.buffers.params, own.buffers.state, b->tables, s->integers, s->step,
              (void *)(uintptr_t)shifted(b, b->samples, s->sample_columns, slot),
              own.buffers.stride, (pack - own.origin) * o->lanes);
  }

  /* A compiled object's samples are compared now and then, those of a block. */
  const omr_sample_launch launch = {b->params, state, b->samples,
                                    launch_of(b, &whole, 0).buffers.stride,
                                    block_packs(b) < packs ? block_packs(b) : packs};
  const omr_status status = omr_own_object_sampled(b->own, &launch, error);
  if (status != OMR_OK) return status;

  /* The caller takes samples in double. */
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

static void narrow_place(void *to, const double *from, size_t at) {
  ((float *)to)[at] = (float)from[at];
}

static omr_status openmp_put(omr_backend *backend, const omr_batch *batch,
                             const omr_columns *columns, omr_error *error) {
  (void)error;
  openmp_backend *b = (openmp_backend *)backend;
  const omr_run_settings *s = b->settings;
  for (size_t j = 0; b->blocks && j < columns->param_count; j++)
    omr_blocked_batch_vary(b->blocks, columns->params[j]);
  for (size_t slot = 0; b->object->single && slot < batch->stride; slot++) {
    for (size_t j = 0; j < columns->param_count; j++)
      narrow_place(b->params, batch->params,
                   omr_batch_place(batch, s->param_columns, columns->params[j], slot));
    for (size_t j = 0; j < columns->state_count; j++)
      narrow_place(b->state, batch->state,
                   omr_batch_place(batch, s->state_columns, columns->states[j], slot));
  }
  return OMR_OK;
}

static omr_status openmp_renew(omr_backend *backend, const omr_batch *batch, const size_t *slots,
                               size_t count, omr_error *error) {
  openmp_backend *b = (openmp_backend *)backend;
  if (b->object->single || !b->blocks) return openmp_load(backend, batch, error);
  for (size_t i = 0; i < count; i++) omr_blocked_batch_renew(b->blocks, slots[i]);
  return OMR_OK;
}

static omr_status openmp_get(omr_backend *backend, omr_batch *batch, const omr_columns *columns,
                             omr_error *error) {
  (void)error;
  const openmp_backend *b = (openmp_backend *)backend;
  if (!b->object->single) return OMR_OK;
  for (size_t slot = 0; slot < batch->stride; slot++) {
    for (size_t j = 0; j < columns->state_count; j++) {
      const size_t at =
          omr_batch_place(batch, b->settings->state_columns, columns->states[j], slot);
      batch->state[at] = (double)((const float *)b->state)[at];
    }
  }
  return OMR_OK;
}

static void openmp_close(omr_backend *backend) {
  openmp_backend *b = (openmp_backend *)backend;
  if (!b) return;
  release_arrays(b);
  omr_own_object_close(b->own);
  free(b->tables);
  free(b);
}

static void openmp_expect(omr_backend *backend, double seconds, omr_watch *watch) {
  omr_own_object_expect(((openmp_backend *)backend)->own, seconds, watch);
}

static bool openmp_doubted(const omr_backend *backend) {
  return omr_own_object_was_wrong(((const openmp_backend *)backend)->own);
}

static omr_status openmp_warm(omr_backend *backend, omr_watch *watch, char told[256],
                              omr_error *error) {
  return omr_own_object_warm(((openmp_backend *)backend)->own, watch, told, error);
}

const omr_backend_ops omr_openmp_backend = {
    .name = "openmp",
    .blocked = true,
    .open = openmp_open,
    .capacity = openmp_capacity,
    .load = openmp_load,
    .advance = openmp_advance,
    .sample = openmp_sample,
    .fetch = openmp_fetch,
    .put = openmp_put,
    .renew = openmp_renew,
    .get = openmp_get,
    .close = openmp_close,
    .watch = NULL,
    .expect = openmp_expect,
    .doubted = openmp_doubted,
    .warm = openmp_warm,
};

bool omr_openmp_runs(const char *isa) {
  return built(isa) && processor_has(isa);
}

bool omr_scalar_runs(const char *isa) {
  return processor_has(isa) && find_object(isa, &(purpose){.kind = "scalar"});
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
    const purpose in_double = {.kind = "lanes"}, in_single = {.kind = "lanes", .single = true};
    const omr_lane_object *d = find_object(isa, &in_double), *s = find_object(isa, &in_single);
    if (!d || !s) continue;
    fprintf(out, "openmp  %-9s %s, %d lanes in double, %d in single, up to %d threads\n", isa,
            processor_has(isa) ? "runs here" : "not on this processor", d->lanes, s->lanes,
            omp_get_max_threads());
  }
  omr_own_object_print_compiler(out);
}

void omr_openmp_list_devices(cJSON *devices) {
  for (int i = 0; i < SET_COUNT; i++) {
    const char *isa = instruction_sets[i];
    const purpose in_double = {.kind = "lanes"}, in_single = {.kind = "lanes", .single = true};
    const omr_lane_object *d = find_object(isa, &in_double), *s = find_object(isa, &in_single);
    if (!d || !s) continue;
    cJSON *row = omr_tree_row(devices);
    omr_tree_text(row, "backend", "openmp");
    omr_tree_text(row, "device", isa);
    omr_tree_bool(row, "runs_here", processor_has(isa));
    omr_tree_number(row, "lanes_double", d->lanes);
    omr_tree_number(row, "lanes_single", s->lanes);
    omr_tree_number(row, "threads", omp_get_max_threads());
    omr_tree_bool(row, "fast_numerics", omr_own_object_has_compiler());
  }
}
