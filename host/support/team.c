#define _GNU_SOURCE /* pthread_atfork */
#include "team.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local int had = 1; /* most threads that this one has had at once, including itself */

#ifndef __clang__
/* libgomp keeps the threads of the last section waiting for the next one. The child of a fork has
 * none of them and would wait for them forever, so the thread that forks ends its own threads
 * before; the next section makes them again, in parent and child. (LLVM's runtime does so itself.)
 */
static bool kept; /* threads cannot end within a section */
static bool alone;

static void before_fork(void) {
  kept = had > 1 && omp_pause_resource(omp_pause_hard, omp_get_initial_device()) != 0;
  had = 1;
}

static void in_child(void) {
  alone = alone || kept;
}

static void watch_forks(void) {
  (void)pthread_atfork(before_fork, NULL, in_child);
}

/* False where a section of several threads would never end. */
static bool may_have_more(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  return !alone;
}
#else
static bool may_have_more(void) {
  return true;
}
#endif

/* A thread that waits until all of them exist. */
static void *wait_for_all(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

static int try_out(int wanted) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t *threads = malloc((size_t)wanted * sizeof *threads);
  int made = 1;
  pthread_mutex_lock(&gate);
  while (threads && made < wanted && pthread_create(&threads[made], NULL, wait_for_all, &gate) == 0)
    made++;
  pthread_mutex_unlock(&gate);
  for (int i = 1; i < made; i++) pthread_join(threads[i], NULL);
  free(threads);
  return made;
}

int omr_team(int wanted) {
  if (wanted <= 1 || !may_have_more()) return 1;
  if (wanted > had && !omp_in_parallel()) {
    const int made = try_out(wanted);
    if (made > had) had = made;
    return made;
  }
  return wanted;
}

int omr_team_of_run(int wanted, char *warning) {
  if (wanted <= 0) wanted = omp_get_max_threads();
  const int got = omr_team(wanted);
  warning[0] = '\0';
  if (got < wanted)
    snprintf(warning, OMR_TEAM_WARNING,
             "%d thread%s instead of %d: " OMR_TEAM_FEWER " (look at ulimit -u, at limits "
             "on tasks of its service or container, and at its memory)",
             got, got == 1 ? "" : "s", wanted);
  return got;
}

int omr_team_usual(void) {
  return omr_team(omp_get_max_threads());
}
