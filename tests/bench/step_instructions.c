/* Counts how often every instruction of a lane object is executed per step: with the processor's trap flag set, a signal handler
 * sees each of them. That is exact, needs no hardware counters and no permission, and serves instruction sets that simulators do
 * not know. tests/bench/instructions.sh makes a table of it.
 *
 *   step_instructions STUDY ISA KIND PRECISION STEPS [--set path=value ...]  > "address count" lines and "#" lines
 *   step_instructions --plain ...                                            the call alone, for valgrind
 *
 * One pack of the study's first instances does a few steps, then two calls of `advance` are stepped through from the same state,
 * of 1 and of 1 + STEPS steps. Their difference is free of loading and storing the pack. Addresses are those of the program's
 * file. Linux on x86-64; elsewhere exit code 77. */
#define _GNU_SOURCE /* the names of registers */
#include "host/bench/count.h"
#include "host/model/prepare.h"
#include "kernels/layout.h"
#include "lane_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X(isa, kind, precision, wheels, law)                                                                                     \
  extern const omr_lane_object omr_lane_object_##isa##_##kind##_##precision##_##wheels##_##law;
OMR_LANE_OBJECTS(X)
#undef X

static const omr_lane_object *const objects[] = {
#define X(isa, kind, precision, wheels, law) &omr_lane_object_##isa##_##kind##_##precision##_##wheels##_##law,
    OMR_LANE_OBJECTS(X)
#undef X
};

/* Steps before the traced ones: the motion has begun. */
enum { WARM_STEPS = 16 };

/* A pack and everything its integration needs. */
typedef struct pack {
  const omr_lane_object *object;
  omr_run_settings settings;
  omr_batch batch;
  void *params, *state, *spins, *tables, *state0, *spins0; /* in the object's precision */
  size_t state_bytes, spin_bytes;
} pack;

static void stop(const char *message) {
  fprintf(stderr, "step_instructions: %s\n", message);
  exit(1);
}

static void *narrowed(const double *from, size_t count, int single) {
  void *to = omr_aligned_calloc(count + OMR_PAD, sizeof(double));
  if (!to) stop("out of memory");
  for (size_t i = 0; i < count; i++) {
    if (single)
      ((float *)to)[i] = (float)from[i];
    else
      ((double *)to)[i] = from[i];
  }
  return to;
}

static const omr_lane_object *find_object(const omr_run_settings *settings, const char *isa, const char *kind, int single) {
  const int constrained = settings->integers[K_LAW] >= OMR_LAW_ROLLING, wheels = settings->integers[K_WHEELS];
  const omr_lane_object *any = NULL;
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
    const omr_lane_object *o = objects[i];
    if (strcmp(o->isa, isa) || strcmp(o->kind, kind) || (o->single != 0) != single) continue;
    if ((o->constrained != 0) != constrained) continue;
    if (o->wheels == wheels) return o;
    if (o->wheels == 0) any = o;
  }
  if (!any) stop("no such lane object in this build");
  return any;
}

/* The first instances of the study, as many as the pack has lanes; those that make no vehicle wait. */
static void fill(pack *p, const omr_study *study) {
  omr_run_settings *s = &p->settings;
  if (!omr_batch_make(s, OMR_PAD, &p->batch)) stop("out of memory");
  for (size_t slot = 0; slot < OMR_PAD; slot++) {
    omr_values values;
    char reason[400];
    omr_study_values(study, omr_study_row(study, slot % omr_study_rows(study)), &values, NULL);
    omr_prepare_instance(study, s, &values, &p->batch, slot, reason, sizeof reason);
  }
  const int single = p->object->single;
  const size_t states = (size_t)s->state_columns * OMR_PAD, spins = (size_t)s->spin_columns * OMR_PAD;
  p->params = narrowed(p->batch.params, (size_t)s->param_columns * OMR_PAD, single);
  p->state = narrowed(p->batch.state, states, single);
  p->spins = narrowed(p->batch.spins, spins, single);
  p->tables = narrowed(s->tables, s->table_count, single);
  p->state_bytes = states * sizeof(double);
  p->spin_bytes = spins * sizeof(double);
  p->state0 = narrowed(p->batch.state, states, 0);
  p->spins0 = narrowed(p->batch.spins, spins, 0);
}

static void advance_to(const pack *p, double until) {
  p->object->advance(p->params, p->state, p->spins, p->tables, p->settings.integers, p->settings.step, until, OMR_PAD, 0);
}

static void rewind_to_start(pack *p) {
  memcpy(p->state, p->state0, p->state_bytes);
  memcpy(p->spins, p->spins0, p->spin_bytes);
}

static void warm_up(pack *p) {
  advance_to(p, WARM_STEPS);
  memcpy(p->state0, p->state, p->state_bytes);
  memcpy(p->spins0, p->spins, p->spin_bytes);
}

/* Instance-steps that a call to `until` does from the kept state, over all lanes. */
static double steps_to(pack *p, double until) {
  double before = 0, after = 0;
  for (int pass = 0; pass < 2; pass++) {
    rewind_to_start(p);
    if (pass) advance_to(p, until);
    for (int lane = 0; lane < p->object->lanes; lane++) {
      const size_t at = (size_t)p->settings.step_column * OMR_PAD + (size_t)lane;
      *(pass ? &after : &before) += p->object->single ? (double)((float *)p->state)[at] : ((double *)p->state)[at];
    }
  }
  rewind_to_start(p);
  return after - before;
}

static void print_operations(const omr_study *study, const pack *p, double steps) {
  omr_operations o;
  omr_error error = {.message = ""};
  printf("# pack_steps %g\n# instance_steps %g\n# lanes %d\n", steps,
         steps_to((pack *)p, WARM_STEPS + 1 + steps) - steps_to((pack *)p, WARM_STEPS + 1), p->object->lanes);
  if (omr_count_operations(study, &o, &error) != OMR_OK) return;
  printf("# counted add %.6g mul %.6g fma %.6g div %.6g sqrt %.6g compare %.6g minmax %.6g select %.6g round %.6g sign %.6g\n",
         o.add, o.multiply, o.fma, o.divide, o.sqrt, o.compare, o.minmax, o.select, o.round, o.sign);
  printf("# useful %.6g\n", omr_useful_operations(&o));
}

#if defined(__linux__) && defined(__x86_64__)
#include <signal.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100

extern const char __executable_start, etext;

/* What the handler works on: it is called before every instruction while the processor's trap flag is set. */
static struct {
  unsigned long long entry, home, base, size; /* home: where the call returns to, 0 until it has begun */
  long *counts, outside, sign;
} tracer;

static void on_trap(int number, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const unsigned long long at = (unsigned long long)registers[REG_RIP];
  (void)number;
  (void)info;
  if (!tracer.home) {
    if (at != tracer.entry) return;
    tracer.home = *(const unsigned long long *)registers[REG_RSP];
  }
  if (at == tracer.home) {
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    tracer.home = 0;
  } else if (at - tracer.base < tracer.size) {
    tracer.counts[at - tracer.base] += tracer.sign;
  } else {
    tracer.outside += tracer.sign;
  }
}

/* Steps through a call of the object's advance and adds `sign` for each of its instructions. */
static void step_through(pack *p, double until, long sign) {
  rewind_to_start(p);
  tracer.sign = sign;
  tracer.entry = (unsigned long long)p->object->advance;
  __asm__ volatile("leaq -128(%%rsp), %%rsp\n\tpushfq\n\torq %0, (%%rsp)\n\tpopfq\n\tleaq 128(%%rsp), %%rsp" ::"i"(TRAP_FLAG)
                   : "memory", "cc");
  advance_to(p, until);
}

static int run(const omr_study *study, pack *p, double steps) {
  static char handler_stack[1 << 16];
  const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  print_operations(study, p, steps);
  tracer.base = (unsigned long long)&__executable_start;
  tracer.size = (unsigned long long)&etext - tracer.base;
  tracer.counts = calloc(tracer.size, sizeof *tracer.counts);
  if (!tracer.counts) stop("out of memory");
  if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGTRAP, &action, NULL) != 0) stop("no handler for SIGTRAP");
  step_through(p, WARM_STEPS + 1, -1);
  step_through(p, WARM_STEPS + 1 + steps, 1);
  printf("# outside %ld\n", tracer.outside);
  for (size_t i = 0; i < tracer.size; i++) {
    if (tracer.counts[i]) printf("%zx %ld\n", i, tracer.counts[i]);
  }
  free(tracer.counts);
  return 0;
}
#else
static int run(const omr_study *study, pack *p, double steps) {
  print_operations(study, p, steps);
  fprintf(stderr, "step_instructions: single stepping is written for Linux on x86-64\n");
  return 77;
}
#endif

int main(int argc, char **argv) {
  const int plain = argc > 1 && !strcmp(argv[1], "--plain");
  char **a = argv + 1 + plain;
  const int given = argc - 1 - plain;
  if (given < 5) stop("usage: step_instructions [--plain] STUDY ISA KIND PRECISION STEPS [path=value ...]");
  omr_study *study;
  omr_error error = {.message = ""};
  pack p = {0};
  if (omr_study_load(a[0], (const char *const *)(a + 5), (size_t)(given - 5), &study, &error) != OMR_OK) stop(error.message);
  if (omr_settings_make(study, &p.settings, &error) != OMR_OK) stop(error.message);
  const double steps = atof(a[4]);
  p.object = find_object(&p.settings, a[1], a[2], !strcmp(a[3], "single"));
  fill(&p, study);
  warm_up(&p);
  int code = 0;
  if (plain)
    advance_to(&p, WARM_STEPS + 1 + steps);
  else
    code = run(study, &p, steps);
  return code;
}
