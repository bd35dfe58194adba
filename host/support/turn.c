#include "turn.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutexes[OMR_TURNS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

/* How often this thread holds each lock. Recursive mutexes cannot count that: a forked child cannot
 * release them, since its thread has another number than the parent's thread that took them. */
static _Thread_local unsigned held[OMR_TURNS];
static unsigned forks;

static void take_all(void) {
  for (int i = 0; i < OMR_TURNS; i++) omr_turn_take((omr_turn)i);
}

static void give_all(void) {
  for (int i = OMR_TURNS; i-- > 0;) omr_turn_give((omr_turn)i);
}

static void give_all_in_child(void) {
  forks++;
  give_all();
}

/* Only write is safe here: memory is gone, and another thread may hold the lock of stderr. */
static void tell_end(void) {
  static const char *const said[OMR_TURNS] = {
#define ENDED(library)                                                                             \
  "omniroll: " library " ended this process, probably since memory ran out; results and chunks "   \
  "that are on the disk are kept\n"
      [OMR_TURN_UNITS] = ENDED("UDUNITS"),
      [OMR_TURN_FILES] = ENDED("HDF5"),
#undef ENDED
  };
  for (int i = OMR_TURNS; i-- > 0;) { /* the inner lock first */
    if (!held[i]) continue;
    (void)!write(STDERR_FILENO, said[i], strlen(said[i]));
    return;
  }
}

/* Without memory the handlers are missing, and the locks work all the same. If the library is
 * unloaded, the C library calls its atexit functions then, outside any lock, and never again. */
static void watch(void) {
  (void)pthread_atfork(take_all, give_all, give_all_in_child);
  (void)atexit(tell_end);
}

static void begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch);
}

void omr_turn_take(omr_turn turn) {
  begin();
  if (held[turn]++ == 0) pthread_mutex_lock(&mutexes[turn]);
}

void omr_turn_give(omr_turn turn) {
  if (--held[turn] == 0) pthread_mutex_unlock(&mutexes[turn]);
}

unsigned omr_forks(void) {
  begin();
  return forks;
}
