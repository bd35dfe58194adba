#include "opencl_wait.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOM = 128, LOOK_MS = 50 };
#define PATIENCE 2.0 /* s: after this a call is overdue if the caller wants to stop */

struct omr_cl_worker {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wanted, done;
  omr_cl_call *call; /* NULL: none */
  _Alignas(16) unsigned char user[ROOM];
  cl_int code;
  bool returned, ends;
};

static void *work(void *user) {
  omr_cl_worker *w = user;
  pthread_mutex_lock(&w->lock);
  for (;;) {
    while (!w->call && !w->ends) pthread_cond_wait(&w->wanted, &w->lock);
    if (w->ends) break;
    omr_cl_call *call = w->call;
    pthread_mutex_unlock(&w->lock);
    const cl_int code = call(w->user);
    pthread_mutex_lock(&w->lock);
    w->code = code;
    w->call = NULL;
    w->returned = true;
    pthread_cond_signal(&w->done);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* Starts the thread with all signals blocked: they go to the caller's threads. */
static bool start(omr_cl_worker *w) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&w->thread, NULL, work, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

omr_cl_worker *omr_cl_worker_open(void) {
  omr_cl_worker *w = calloc(1, sizeof *w);
  pthread_condattr_t monotonic;
  if (!w) return NULL;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->wanted, NULL);
  pthread_cond_init(&w->done, &monotonic);
  pthread_condattr_destroy(&monotonic);
  if (start(w)) return w;
  free(w);
  return NULL;
}

void omr_cl_worker_close(omr_cl_worker *w) {
  if (!w) return;
  pthread_mutex_lock(&w->lock);
  w->ends = true;
  pthread_cond_signal(&w->wanted);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  pthread_mutex_destroy(&w->lock);
  pthread_cond_destroy(&w->wanted);
  pthread_cond_destroy(&w->done);
  free(w);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_a_while(omr_cl_worker *w) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += LOOK_MS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  pthread_cond_timedwait(&w->done, &w->lock, &until);
}

/* The caller's wish is read late, since the engine reads it between calls anyway. */
static omr_cl_waited judge(const omr_watch *watch, double seconds) {
  if (seconds > watch->seconds) return OMR_CL_HANGS;
  const bool long_enough = seconds > PATIENCE + 3 * watch->expected;
  if (long_enough && watch->go_on && !watch->go_on(watch->user)) return OMR_CL_STOPPED;
  return OMR_CL_RETURNED;
}

omr_cl_waited omr_cl_wait(omr_cl_worker *w, omr_cl_call *call, const void *user, size_t size,
                          const omr_watch *watch, cl_int *code) {
  unsigned char own[ROOM];
  if (!w || size > ROOM) {
    memcpy(own, user, size < ROOM ? size : ROOM);
    *code = call(size > ROOM ? (void *)(uintptr_t)user : own);
    return OMR_CL_RETURNED;
  }

  /* The worker takes over a copy of the arguments. */
  const double start = now();
  omr_cl_waited waited = OMR_CL_RETURNED;
  pthread_mutex_lock(&w->lock);
  memcpy(w->user, user, size);
  w->returned = false;
  w->call = call;
  pthread_cond_signal(&w->wanted);

  /* Look at the clock from time to time while the call runs. */
  while (!w->returned && waited == OMR_CL_RETURNED) {
    if (!watch) {
      pthread_cond_wait(&w->done, &w->lock);
      continue;
    }
    wait_a_while(w);
    if (w->returned) break;
    pthread_mutex_unlock(&w->lock);
    if (watch->waits) watch->waits(watch->user);
    waited = judge(watch, now() - start);
    pthread_mutex_lock(&w->lock);
  }

  /* A call that returned at the last moment counts as returned. */
  if (w->returned) waited = OMR_CL_RETURNED;
  *code = w->code;
  pthread_mutex_unlock(&w->lock);
  return waited;
}
