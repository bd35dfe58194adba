#include "turn.h"

#include <pthread.h>

static pthread_mutex_t mutexes[OMR_TURNS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

/* How often this thread has each. Not counted by recursive mutexes: the child of a fork cannot give
 * those back, since its thread has another number than that of the parent which took them. */
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

/* Without memory there are no handlers, and turns work all the same. */
static void watch_forks(void) {
  (void)pthread_atfork(take_all, give_all, give_all_in_child);
}

static void begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
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
