/* Lane objects that are compiled for one run: the kernel text with the run's settings as constants,
 * made by the system's compiler while the run goes on with a general object, kept in the cache, and
 * the same for every run of the process that has these settings. */
#ifndef OMR_COMPILED_H
#define OMR_COMPILED_H

#include "../support/support.h"
#include "compiler.h"
#include "lanes.h"

typedef struct omr_compiled omr_compiled;

/* What is to be compiled. `settings` are those of the run, K_COUNT values. */
typedef struct omr_compile_want {
  const int *settings;
  const char *isa;
  int lanes;
  bool single, fast, counting;
} omr_compile_want;

typedef enum omr_compiled_state {
  OMR_COMPILED_IDLE,    /* nobody has asked for it, or the cache has none and it did not pay */
  OMR_COMPILED_SOUGHT,  /* the cache is looked at */
  OMR_COMPILED_MAKING,  /* this process compiles */
  OMR_COMPILED_AWAITED, /* another process of this machine compiles the same */
  OMR_COMPILED_READY,
  OMR_COMPILED_FAILED, /* there is none, and will be none in this process */
  OMR_COMPILED_WRONG   /* it gave other bits than the general object */
} omr_compiled_state;

/* The process's entry for these settings, made where it is new; NULL when out of memory. It is
 * never freed, and what it has loaded is never unloaded: another thread may be in it. Thread-safe,
 * as all that follows. */
omr_compiled *omr_compiled_of(const omr_compile_want *want);

typedef enum omr_compiled_wish {
  OMR_COMPILED_KEPT,  /* what the cache has */
  OMR_COMPILED_MADE,  /* else compile it, unless that has failed in the last minutes */
  OMR_COMPILED_INSIST /* compile it also where it failed before this process asked */
} omr_compiled_wish;

/* Looks for the object in the cache or has it compiled, in a thread of its own; does nothing while
 * that goes on, or once it has ended for good. After a fork the child begins anew. */
void omr_compiled_seek(omr_compiled *compiled, omr_compiled_wish wish);
/* What has become of it. A process that waits for another one looks again here. */
omr_compiled_state omr_compiled_look(omr_compiled *compiled);
/* Waits until nothing is going on for it any more; go_on (NULL allowed) is asked meanwhile, and
 * false ends the waiting, not the work. */
omr_compiled_state omr_compiled_wait(omr_compiled *compiled, bool (*go_on)(void *user), void *user);

/* The object, once it is ready; NULL before. */
const omr_lane_object *omr_compiled_object(const omr_compiled *compiled);
/* What else it exports; NULL: nothing of this name. */
void *omr_compiled_symbol(const omr_compiled *compiled, const char *name);
/* "gcc 12.2.0, 2.9 s" or "gcc 12.2.0, kept"; why there is none where it has failed. */
const char *omr_compiled_told(const omr_compiled *compiled);
/* Why it is not kept for the next process; "" where it is, or the cache is switched off. */
const char *omr_compiled_unkept(const omr_compiled *compiled);
/* Gave other bits: nobody uses it any more, here or in a later process; `why` is kept with it. */
void omr_compiled_reject(omr_compiled *compiled, const char *why);

/* Core seconds that runs of this process have spent in the general object for want of this one, to
 * which `more` are added: work that comes again and again in short runs pays as well as a long
 * run. */
double omr_compiled_missed(omr_compiled *compiled, double more);

/* Says once in a process why nothing is compiled, or is not kept. */
void omr_compiled_tell(const omr_compiled *compiled, FILE *log);

/* The C text of an object, whole; the caller frees it. */
void omr_compiled_text(const omr_compile_want *want, omr_text *text);

#endif
