/* Preloaded: pthread_create lets at most OMNIROLL_TEST_THREADS threads live at a time beside the
 * first, and fails as under the limits of a user or a container, which do not hold for root. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int create_function(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*work)(void *), void *user);

typedef struct started {
  void *(*work)(void *);
  void *user;
} started;

static atomic_int alive;

static void end(void *unused) {
  (void)unused;
  atomic_fetch_sub(&alive, 1);
}

static void *begin(void *user) {
  const started own = *(started *)user;
  void *given;
  free(user);
  pthread_cleanup_push(end, NULL);
  given = own.work(own.user);
  pthread_cleanup_pop(1);
  return given;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                   void *user) {
  create_function *create = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
  const char *most = getenv("OMNIROLL_TEST_THREADS");
  started *own = malloc(sizeof *own);
  if (!own) return EAGAIN;
  *own = (started){work, user};
  if (atomic_fetch_add(&alive, 1) >= (most ? atoi(most) : 0)) {
    end(NULL);
    free(own);
    return EAGAIN;
  }
  const int failed = create(thread, attributes, begin, own);
  if (failed) {
    end(NULL);
    free(own);
  }
  return failed;
}
