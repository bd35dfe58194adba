#include "own_object.h"

#include "../../kernels/layout.h"
#include "../lanes/compiled.h"
#include "../result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Core seconds. Compiling takes 2 to 4 of them on most machines and saves a quarter of the rest; a
 * search of the cache takes a hundredth. */
#define PAYS 15.0
#define WORTH_A_LOOK 0.4
enum { EVERY_SAMPLE = 64 };

struct omr_own_object {
  omr_own_wish wish;
  struct omr_run_record *record;
  omr_compiled *compiled;
  omr_pack_check *check; /* NULL: fast numerics, which have no reference bits */
  const omr_lane_object *now;
  omr_compile_mode mode;
  double left; /* core seconds */
  omr_watch *watch;
  bool fast, sought, told, wrong;
  size_t launches, samples;
};

static void note_kernels(omr_own_object *own) {
  snprintf(own->record->kernels, sizeof own->record->kernels, "compiled for the run (%.80s)",
           omr_compiled_told(own->compiled));
}

/* No object of this build has fast numerics: they are compiled before anything runs. */
static omr_status open_fast(omr_own_object *own, omr_error *error) {
  /* A user who forbids compiling cannot have fast numerics. */
  const char *refused =
      "engine.numerics \"fast\" is compiled for the run by the system's compiler, and ";
  if (own->mode == OMR_COMPILE_NEVER)
    return omr_fail(
        error, OMR_ERR_DEVICE,
        "%sengine.compile is \"never\"; leave one of them out, or use \"backend\": \"opencl\"",
        refused);

  /* The run waits for the compiler. */
  omr_compiled_seek(own->compiled, OMR_COMPILED_INSIST);
  omr_compiled_wait(own->compiled, NULL, NULL);
  own->now = omr_compiled_object(own->compiled);
  if (!own->now)
    return omr_fail(error, OMR_ERR_DEVICE,
                    "%s%s; mend that, use \"backend\": \"opencl\", or numerics \"exact\"", refused,
                    omr_compiled_told(own->compiled));

  note_kernels(own);
  return OMR_OK;
}

omr_status omr_own_object_open(const omr_own_wish *wish, struct omr_run_record *record,
                               omr_own_object **own, omr_error *error) {
  const bool fast = wish->options->numerics == OMR_NUMERICS_FAST;
  const omr_compile_want want = {.settings = wish->settings->integers,
                                 .isa = wish->general->isa,
                                 .lanes = wish->general->lanes,
                                 .single = wish->general->single,
                                 .fast = fast};

  *own = NULL;
  if (wish->options->compile == OMR_COMPILE_NEVER && !fast) return OMR_OK;

  /* The object shares the wish, except for options that do not live long enough. */
  omr_own_object *o = calloc(1, sizeof *o);
  if (!o) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  o->wish = *wish;
  o->wish.options = NULL; /* the options do not live as long */
  o->record = record;
  o->fast = fast;
  o->mode = wish->options->compile;
  o->now = wish->general;
  o->compiled = omr_compiled_of(&want);

  /* Exact numerics are checked against the general object; fast ones are compiled now. */
  omr_status status = OMR_OK;
  if (o->compiled && !fast)
    o->check = omr_pack_check_make(wish->settings, wish->general, wish->threads);
  if (!o->compiled || (!fast && !o->check))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  else if (fast)
    status = open_fast(o, error);

  /* An object that cannot be used is closed here. */
  if (status == OMR_OK)
    *own = o;
  else
    omr_own_object_close(o);
  return status;
}

void omr_own_object_close(omr_own_object *own) {
  if (!own) return;
  omr_pack_check_free(own->check);
  free(own);
}

void omr_own_object_expect(omr_own_object *own, double seconds, omr_watch *watch) {
  if (!own) return;
  own->left = seconds * own->wish.threads;
  own->watch = watch;
}

const omr_lane_object *omr_own_object_now(const omr_own_object *own) {
  return own->now;
}

static bool go_on(void *user) {
  const omr_own_object *own = user;
  return !own->watch || !own->watch->go_on || own->watch->go_on(own->watch->user);
}

/* Searches the cache first, and compiles where the remaining work, or the same work in many short
 * runs, pays for it. */
static void seek(omr_own_object *own) {
  const bool always = own->mode == OMR_COMPILE_ALWAYS,
             pays = own->left >= PAYS || omr_compiled_missed(own->compiled, 0) >= PAYS;
  if (!always && !pays && (own->sought || own->left < WORTH_A_LOOK)) return;
  own->sought = true;
  omr_compiled_seek(own->compiled, always ? OMR_COMPILED_INSIST
                                   : pays ? OMR_COMPILED_MADE
                                          : OMR_COMPILED_KEPT);
}

/* Takes the compiled object if it has the bits of the general one on every stored pack. */
static void take(omr_own_object *own) {
  const omr_lane_object *object = omr_compiled_object(own->compiled);
  if (!object) return;
  own->now = object;
  omr_pack_check_kept(own->check, object, own->wish.tables);
  if (omr_own_object_judge(own, NULL) == OMR_OK) note_kernels(own);
}

const omr_lane_object *omr_own_object_next(omr_own_object *own) {
  /* A run takes one object, and its first launch is general unless the user always compiles. */
  if (own->fast || own->wrong || own->now != own->wish.general) return own->now;
  if (own->launches++ == 0 && own->mode != OMR_COMPILE_ALWAYS) return own->now;

  /* Search the cache or start the compiler where that pays. */
  omr_compiled_state state = omr_compiled_look(own->compiled);
  if (state == OMR_COMPILED_IDLE) {
    seek(own);
    state = omr_compiled_look(own->compiled);
  }
  /* A run with one thread has no spare core for a compiler, so it waits; the first launch shows
   * whether the cache has the object. */
  const bool going = state == OMR_COMPILED_SOUGHT || state == OMR_COMPILED_MAKING;
  const bool waits =
      own->mode == OMR_COMPILE_ALWAYS ? own->launches > 1 : going && own->wish.threads == 1;
  if (waits) state = omr_compiled_wait(own->compiled, go_on, own);

  /* A finished object is checked, and the outcome is logged once. */
  if (state == OMR_COMPILED_READY && own->launches > 1) take(own);
  /* A discarded object has already been reported. */
  if (state == OMR_COMPILED_FAILED || (state == OMR_COMPILED_READY && own->launches > 1)) {
    if (!own->told) omr_compiled_tell(own->compiled, own->wish.log);
    own->told = true;
  }

  return own->now;
}

int omr_own_object_threads(const omr_own_object *own, int granted) {
  if (!own || granted < 2 || own->now != own->wish.general) return granted;
  return omr_compiled_look(own->compiled) == OMR_COMPILED_MAKING ? granted - 1 : granted;
}

omr_pack_check *omr_own_object_begin(omr_own_object *own, int packs) {
  if (!own || !own->check || own->wrong) return NULL;
  const bool compiled = own->now != own->wish.general;
  if (!compiled && own->sought && omr_compiled_look(own->compiled) == OMR_COMPILED_FAILED)
    return NULL;
  omr_pack_check_begin(own->check, packs, compiled);
  return own->check;
}

void omr_own_object_spent(omr_own_object *own, double core_seconds) {
  if (own && own->now == own->wish.general) omr_compiled_missed(own->compiled, core_seconds);
}

/* Reports the difference in the log and in the error. */
static omr_status discard(omr_own_object *own, const char *difference, omr_error *error) {
  char why[512];
  snprintf(why, sizeof why,
           "what %.100s made for this study gave other bits than the general object: %s",
           omr_compiled_told(own->compiled), difference);

  /* Later launches use the general object again. */
  omr_compiled_reject(own->compiled, why);
  own->wrong = true;
  own->now = own->wish.general;
  snprintf(own->record->kernels, sizeof own->record->kernels, "general");

  if (own->wish.log)
    fprintf(own->wish.log,
            "openmp: %s; it is discarded, and what it has computed is computed again\n", why);
  return omr_fail(error, OMR_ERR_SELFTEST,
                  "%s; it is discarded: run again, with the general object", why);
}

omr_status omr_own_object_judge(omr_own_object *own, omr_error *error) {
  char why[256];
  if (!own || !own->check || own->wrong || own->now == own->wish.general) return OMR_OK;
  return omr_pack_check_good(own->check, why) ? OMR_OK : discard(own, why, error);
}

/* Padding after the last instance is sampled too, and has the same bits. */
static bool samples_agree(const omr_own_object *own, const omr_sample_launch *l,
                          bool *out_of_memory) {
  const omr_lane_object *o = own->wish.general;
  const omr_run_settings *s = own->wish.settings;
  const size_t size = o->single ? sizeof(float) : sizeof(double),
               count = (size_t)s->sample_columns * (size_t)l->stride;
  char *again = omr_aligned_calloc(count, size);
  *out_of_memory = !again;
  if (!again) return true;

  /* The general object samples the same packs. */
  for (int pack = 0; pack < l->packs; pack++)
    o->sample(l->params, l->state, own->wish.tables, s->integers, s->step, again, l->stride,
              pack * o->lanes);

  /* Bits must agree, but one NaN is as good as another. */
  bool agree = true;
  for (size_t i = 0; agree && i < count; i++) {
    const char *a = again + i * size, *b = (const char *)l->samples + i * size;
    if (!memcmp(a, b, size)) continue;
    const bool nan =
        o->single
            ? isnan(*(const float *)(const void *)a) && isnan(*(const float *)(const void *)b)
            : isnan(*(const double *)(const void *)a) && isnan(*(const double *)(const void *)b);
    agree = nan;
  }

  free(again);
  return agree;
}

omr_status omr_own_object_sampled(omr_own_object *own, const omr_sample_launch *launch,
                                  omr_error *error) {
  bool out_of_memory;
  if (!own || !own->check || own->wrong || own->now == own->wish.general) return OMR_OK;
  if (own->samples++ % EVERY_SAMPLE) return OMR_OK;
  if (samples_agree(own, launch, &out_of_memory))
    return out_of_memory ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;
  return discard(own, "a sample of a trajectory", error);
}

bool omr_own_object_was_wrong(const omr_own_object *own) {
  return own && own->wrong;
}

omr_status omr_own_object_warm(omr_own_object *own, omr_watch *watch, char told[256],
                               omr_error *error) {
  if (!own) {
    snprintf(told, 256, "nothing to compile: the study takes general kernels alone");
    return OMR_OK;
  }

  /* Compile, or find the object in the cache. */
  own->watch = watch;
  omr_compiled_seek(own->compiled, OMR_COMPILED_INSIST);
  const omr_compiled_state state = omr_compiled_wait(own->compiled, go_on, own);
  if (state != OMR_COMPILED_READY && !go_on(own))
    return omr_fail(error, OMR_ERR_INTERRUPTED, "stopped; nothing was compiled");

  /* A compiled object that could not be stored is reported with the reason. */
  const char *unkept = state == OMR_COMPILED_READY ? omr_compiled_unkept(own->compiled) : "";
  snprintf(told, 256, "%.120s%s%.120s", omr_compiled_told(own->compiled),
           *unkept ? ", not kept: " : "", unkept);
  return state == OMR_COMPILED_READY
             ? OMR_OK
             : omr_fail(error, OMR_ERR_DEVICE, "nothing could be compiled: %s", told);
}

bool omr_own_object_foretell(const omr_engine_options *options, double core_seconds,
                             char told[256]) {
  omr_compiler compiler;
  char why[320];
  const bool pays = options->compile == OMR_COMPILE_ALWAYS || core_seconds >= PAYS;

  if (options->compile == OMR_COMPILE_NEVER)
    snprintf(told, 256, "general, since engine.compile is \"never\"");
  else if (!pays)
    snprintf(told, 256, "general; compiling for the run pays from %g core seconds on", PAYS);
  else if (omr_compiler_find(&compiler, NULL, why))
    snprintf(told, 256, "compiled for the run by %s", compiler.name);
  else
    snprintf(told, 256, "general, unless compiled ahead, since nothing can be compiled: %.170s",
             why);

  return !strncmp(told, "compiled", 8);
}

bool omr_own_object_has_compiler(void) {
  omr_compiler compiler;
  char why[320];
  return omr_compiler_find(&compiler, NULL, why);
}

void omr_own_object_print_compiler(FILE *out) {
  omr_compiler compiler;
  char why[320];
  if (omr_compiler_find(&compiler, NULL, why))
    fprintf(out, "openmp  compiles long runs and fast numerics by %s (%s)\n", compiler.path,
            compiler.name);
  else
    fprintf(out, "openmp  compiles nothing for long runs, and has no fast numerics: %s\n", why);
}
