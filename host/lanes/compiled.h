/* Lane objects compiled for one run: the kernel text with the run's settings as constants. The
 * system's compiler makes them while the run goes on with a general object; the cache stores them,
 * and all runs of the process with these settings share them. */
#ifndef OMR_COMPILED_H
#define OMR_COMPILED_H

#include "../support/support.h"
#include "compiler.h"
#include "lanes.h"

typedef struct omr_compiled omr_compiled;

/* The object to compile. `settings` are the run's, K_COUNT values. */
typedef struct omr_compile_want {
  const int *settings;
  const char *isa;
  int lanes;
  bool single, fast, counting;
} omr_compile_want;

typedef enum omr_compiled_state {
  OMR_COMPILED_IDLE,    /* not requested yet, or not in the cache and not worth compiling */
  OMR_COMPILED_SOUGHT,  /* the cache is being searched */
  OMR_COMPILED_MAKING,  /* this process compiles */
  OMR_COMPILED_AWAITED, /* another process of this machine compiles the same */
  OMR_COMPILED_READY,
  OMR_COMPILED_FAILED, /* there will be no object in this process */
  OMR_COMPILED_WRONG   /* it gave other bits than the general object */
} omr_compiled_state;

/* The process's entry for these settings, made if it is new; NULL when out of memory. Entries are
 * never freed and their objects never unloaded, since another thread may be running in them.
 * Thread-safe, as are the functions below. */
omr_compiled *omr_compiled_of(const omr_compile_want *want);

typedef enum omr_compiled_wish {
  OMR_COMPILED_KEPT,  /* only take it from the cache */
  OMR_COMPILED_MADE,  /* otherwise compile it, unless that failed in the last minutes */
  OMR_COMPILED_INSIST /* compile it even where it failed before this process's request */
} omr_compiled_wish;

/* Searches the cache for the object or compiles it, in a thread of its own; does nothing while that
 * goes on, or once it has ended for good. After a fork the child starts again. */
void omr_compiled_seek(omr_compiled *compiled, omr_compiled_wish wish);
/* The present state. A process that waits for another one looks again here. */
omr_compiled_state omr_compiled_look(omr_compiled *compiled);
/* Waits until no work on it is going on; go_on (NULL allowed) is called meanwhile, and false ends
 * the wait, not the work. */
omr_compiled_state omr_compiled_wait(omr_compiled *compiled, bool (*go_on)(void *user), void *user);

/* The object, once it is ready; NULL before. */
const omr_lane_object *omr_compiled_object(const omr_compiled *compiled);
/* Another symbol that it exports; NULL: it has none of this name. */
void *omr_compiled_symbol(const omr_compiled *compiled, const char *name);
/* "gcc 12.2.0, 2.9 s" or "gcc 12.2.0, kept"; the reason where it has failed. */
const char *omr_compiled_told(const omr_compiled *compiled);
/* Why it is not stored for the next process; "" where it is, or the cache is switched off. */
const char *omr_compiled_unkept(const omr_compiled *compiled);
/* Rejects an object that gave other bits: no run uses it any more, here or in a later process, and
 * `why` is stored with it. */
void omr_compiled_reject(omr_compiled *compiled, const char *why);

/* Core seconds that runs of this process have spent in the general object for lack of this one,
 * after adding `more`: work repeated in many short runs pays as well as one long run. */
double omr_compiled_missed(omr_compiled *compiled, double more);

/* Logs once per process why nothing is compiled, or why it is not stored. */
void omr_compiled_tell(const omr_compiled *compiled, FILE *log);

/* The complete C text of an object; the caller frees it. */
void omr_compiled_text(const omr_compile_want *want, omr_text *text);

#endif
