/* Counts how often every instruction is executed per step of a pack: with the processor's trap flag
 * set, a signal handler sees each of them. That is exact, needs no hardware counters and no
 * permission, and serves instruction sets that simulators do not know. tests/bench/instructions.sh
 * makes a table of it.
 *
 *   step_instructions STUDY STEPS [path=value ...]  > "address count" lines and "#" lines
 *   step_instructions --plain ...                   the same run without the flag, for valgrind
 *
 * The study's engine (openmp or scalar) chooses the lane object as in every run, with
 * engine.compile "always" one that is compiled for it, and integrates one pack of the study's first
 * instances on one thread. After a few steps it is stepped through twice from the same state, for 1
 * and for 1 + STEPS steps: their difference is free of what starts and ends a call. Addresses are
 * those of the program's file, or of the compiled object's. Linux on x86-64; elsewhere exit code
 * 77.
 */
#define _GNU_SOURCE /* the names of registers, dladdr */
#include "host/bench/count.h"
#include "host/engine/backend.h"
#include "host/lanes/compiled.h"
#include "host/model/prepare.h"
#include "host/result/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps before the traced ones: the motion has begun. */
enum { WARM_STEPS = 16 };

/* A pack, its engine, and the state from which both calls start. */
typedef struct pack {
  omr_run_settings settings;
  omr_run_record record;
  omr_backend *backend;
  omr_batch batch;
  size_t states, spins;
  double *state, *spin;
} pack;

static void stop(const char *message) {
  fprintf(stderr, "step_instructions: %s\n", message);
  exit(1);
}

static void check(omr_status status, const omr_error *error) {
  if (status != OMR_OK) stop(error->message);
}

static double *copy(const double *from, size_t count) {
  double *to = malloc((count + 1) * sizeof *to);
  if (!to) stop("out of memory");
  if (count) memcpy(to, from, count * sizeof *to);
  return to;
}

/* As many of the study's first instances as the pack has lanes; those that make no vehicle wait. */
static void fill(pack *p, const omr_study *study) {
  if (!omr_batch_make(&p->settings, OMR_PAD, &p->batch)) stop("out of memory");
  for (size_t slot = 0; slot < OMR_PAD; slot++) {
    omr_values values;
    char reason[400];
    omr_study_values(study, slot % study->instances, &values, NULL);
    omr_prepare_instance(study, &p->settings, &values, &p->batch, slot, reason, sizeof reason);
  }
  p->batch.count = (size_t)p->record.lanes;
  p->states = (size_t)p->settings.state_columns * OMR_PAD;
  p->spins = (size_t)p->settings.spin_columns * OMR_PAD;
}

static void keep_state(pack *p) {
  omr_error error = {.message = ""};
  check(omr_openmp_backend.fetch(p->backend, &p->batch, &error), &error);
  p->state = copy(p->batch.state, p->states);
  p->spin = copy(p->batch.spins, p->spins);
}

static void rewind_to_start(pack *p) {
  omr_error error = {.message = ""};
  memcpy(p->batch.state, p->state, p->states * sizeof *p->state);
  if (p->spins) memcpy(p->batch.spins, p->spin, p->spins * sizeof *p->spin);
  check(omr_openmp_backend.load(p->backend, &p->batch, &error), &error);
}

static void advance_to(const pack *p, double until) {
  omr_error error = {.message = ""};
  check(omr_openmp_backend.advance(p->backend, until, &error), &error);
}

static void open_pack(pack *p, const omr_study *study) {
  omr_error error = {.message = ""};
  check(omr_settings_make(study, &p->settings, &error), &error);
  check(
      omr_openmp_backend.open(&study->engine, &p->settings, &p->record, NULL, &p->backend, &error),
      &error);
  fill(p, study);
  check(omr_openmp_backend.load(p->backend, &p->batch, &error), &error);
  for (int steps = 1; steps <= WARM_STEPS; steps++) advance_to(p, steps); /* the first: general */
  keep_state(p);
}

/* Instance-steps that the pack has done. */
static double steps_done(pack *p) {
  omr_error error = {.message = ""};
  double done = 0;
  check(omr_openmp_backend.fetch(p->backend, &p->batch, &error), &error);
  for (size_t lane = 0; lane < p->batch.count; lane++)
    done += p->batch.state[(size_t)p->settings.step_column * OMR_PAD + lane];
  return done;
}

static void print_operations(const omr_study *study, const pack *p, double steps,
                             double instance_steps) {
  omr_operations o;
  omr_error error = {.message = ""};
  printf("# pack_steps %g\n# instance_steps %g\n# lanes %d\n", steps, instance_steps,
         p->record.lanes);
  if (omr_count_operations(study, &o, &error) != OMR_OK) return;
  printf("# counted add %.6g mul %.6g fma %.6g div %.6g sqrt %.6g compare %.6g minmax %.6g select "
         "%.6g round %.6g sign %.6g\n",
         o.add, o.multiply, o.fma, o.divide, o.sqrt, o.compare, o.minmax, o.select, o.round,
         o.sign);
  printf("# useful %.6g\n", omr_useful_operations(&o));
}

#if defined(__linux__) && defined(__x86_64__)
#include <dlfcn.h>
#include <elf.h>
#include <signal.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100
/* Below the stack's red zone. */
#define CHANGE_FLAGS(operation, mask)                                                              \
  __asm__ volatile("leaq -128(%%rsp), %%rsp\n\tpushfq\n\t" operation                               \
                   " %0, (%%rsp)\n\tpopfq\n\tleaq 128(%%rsp), %%rsp" ::"i"(mask)                   \
                   : "memory", "cc")

extern const char __executable_start, etext;

/* What the handler works on: it is called before every instruction while the trap flag is set. */
static struct {
  unsigned long long home, base,
      size;                 /* home: where the lane object's call returns to; 0 outside of it */
  unsigned long long entry; /* of a compiled object; 0: those of the program */
  long *counts, outside, sign;
} tracer;

/* Whether a lane object's integration begins here. */
static int is_entry(unsigned long long at) {
  const omr_lane_object *object;
  if (tracer.entry) return at == tracer.entry;
  for (size_t i = 0; (object = omr_lane_object_at(i)); i++)
    if (at == (unsigned long long)object->advance) return 1;
  return 0;
}

/* Where what is looked at lies: the program, or the object that was compiled for the study. */
static void find_code(const omr_study *study, const pack *p) {
  const omr_lane_object *object;
  const bool single = study->engine.precision == OMR_SINGLE_PRECISION;
  char isa[16];
  snprintf(isa, sizeof isa, "%.*s", (int)strcspn(p->record.device, ","), p->record.device);
  const omr_compile_want want = {
      .settings = p->settings.integers, .isa = isa, .lanes = p->record.lanes, .single = single};
  Dl_info place;
  tracer.base = (unsigned long long)&__executable_start;
  tracer.size = (unsigned long long)&etext - tracer.base;
  if (!strstr(p->record.kernels, "compiled")) return;
  object = omr_compiled_object(omr_compiled_of(&want));
  if (!object) stop("the object that was compiled is not found");
  tracer.entry = (unsigned long long)object->advance;
  if (!dladdr((const void *)object->advance, &place)) stop("the object's place is not known");
  printf("# code %s\n", strrchr(place.dli_fname, '/') + 1);
  tracer.base = (unsigned long long)place.dli_fbase;
  const Elf64_Ehdr *head = place.dli_fbase;
  const Elf64_Phdr *parts = (const void *)((const char *)place.dli_fbase + head->e_phoff);
  for (tracer.size = 0; tracer.size == 0; parts++)
    if (parts->p_type == PT_LOAD && parts->p_flags & PF_X)
      tracer.size = parts->p_vaddr + parts->p_memsz;
}

static void on_trap(int number, siginfo_t *info, void *context) {
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const unsigned long long at = (unsigned long long)registers[REG_RIP];
  (void)number;
  (void)info;
  if (!tracer.home && is_entry(at)) tracer.home = *(const unsigned long long *)registers[REG_RSP];
  if (at == tracer.home) tracer.home = 0;
  if (!tracer.home) return; /* the engine's own */
  if (at - tracer.base < tracer.size)
    tracer.counts[at - tracer.base] += tracer.sign;
  else
    tracer.outside += tracer.sign;
}

/* Steps through the integration and adds `sign` for each of its instructions; returns the
 * instance-steps. */
static double step_through(pack *p, double until, long sign) {
  rewind_to_start(p);
  tracer.sign = sign;
  CHANGE_FLAGS("orq", TRAP_FLAG);
  advance_to(p, until);
  CHANGE_FLAGS("andq", ~TRAP_FLAG);
  return steps_done(p);
}

static int run(const omr_study *study, pack *p, double steps) {
  static char handler_stack[1 << 16];
  const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  find_code(study, p);
  tracer.counts = calloc(tracer.size, sizeof *tracer.counts);
  if (!tracer.counts) stop("out of memory");
  if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGTRAP, &action, NULL) != 0)
    stop("no handler for SIGTRAP");
  const double one = step_through(p, WARM_STEPS + 1, -1),
               all = step_through(p, WARM_STEPS + 1 + steps, 1);
  print_operations(study, p, steps, all - one);
  printf("# outside %ld\n", tracer.outside);
  for (size_t i = 0; i < tracer.size; i++) {
    if (tracer.counts[i]) printf("%zx %ld\n", i, tracer.counts[i]);
  }
  free(tracer.counts);
  return 0;
}
#else
static int run(const omr_study *study, pack *p, double steps) {
  print_operations(study, p, steps, steps);
  fprintf(stderr, "step_instructions: written for Linux on x86-64\n");
  return 77;
}
#endif

int main(int argc, char **argv) {
  const int plain = argc > 1 && !strcmp(argv[1], "--plain");
  char **a = argv + 1 + plain;
  const int given = argc - 1 - plain;
  if (given < 2) stop("usage: step_instructions [--plain] STUDY STEPS [path=value ...]");
  omr_study *study;
  omr_error error = {.message = ""};
  pack p = {0};
  const double steps = atof(a[1]);
  check(omr_study_load(a[0], (const char *const *)(a + 2), (size_t)(given - 2), &study, &error),
        &error);
  open_pack(&p, study);
  rewind_to_start(&p);
  int code = 0;
  if (plain)
    advance_to(&p, WARM_STEPS + 1 + steps);
  else
    code = run(study, &p, steps);
  return code;
}
