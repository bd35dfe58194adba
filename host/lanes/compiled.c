/* The process's list of objects compiled for runs, and the thread that compiles one. */
#define _GNU_SOURCE /* secure_getenv */
#include "compiled.h"

#include "../support/support.h"
#include "compile_folder.h"
#include "kernel_cache.h"
#include "shipped.h"
#include <omniroll/program.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { FAILED_SECONDS = 600 }; /* time after which a failed compiler is tried again */

struct omr_compiled {
  omr_compiled *next;
  omr_compile_want want; /* its settings are not kept */
  char *text;
  char text_hash[33];
  omr_compiled_state state;
  omr_compiled_wish wish; /* the wish given to the thread */
  time_t asked;           /* time of the first request of this process; 0: none yet */
  int alone;              /* the lock of its key while this process holds it; -1 otherwise */
  double looked;          /* last look for the object of another process */
  double missed;
  void *handle;
  const omr_lane_object *object;
  char *subject; /* the part of the key that describes the object */
  char *key;     /* key in the cache, with the compiler; NULL: not known yet */
  char told[512], unkept[256];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static omr_compiled *list;
static atomic_bool leaving; /* the process ends: compiled objects are no longer wanted */
static atomic_int working;

/* ---- the process's list */

static bool is_going_on(const omr_compiled *c) {
  return c->state == OMR_COMPILED_SOUGHT || c->state == OMR_COMPILED_MAKING;
}

/* Forks wait until the list is unchanged and unlocked. */
static void before_fork(void) {
  pthread_mutex_lock(&lock);
}
static void after_fork(void) {
  pthread_mutex_unlock(&lock);
}
/* The child has no compiling thread, and must neither hold a lock for its parent nor wait for one.
 */
static void after_fork_in_child(void) {
  atomic_store(&working, 0);
  changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER; /* the parent's threads waited there */
  for (omr_compiled *c = list; c; c = c->next) {
    if (is_going_on(c) || c->state == OMR_COMPILED_AWAITED) c->state = OMR_COMPILED_IDLE;
    if (c->alone >= 0) close(c->alone);
    c->alone = -1;
    c->missed = 0; /* otherwise every child would compile */
  }
  pthread_mutex_unlock(&lock);
}
static void watch_forks(void) {
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void omr_stop_compiling(void) {
  atomic_store(&leaving, true);
  for (int i = 0; i < 500 && atomic_load(&working); i++) {
    const struct timespec pause = {.tv_nsec = 10000000};
    nanosleep(&pause, NULL);
  }
}
static __attribute__((destructor)) void leave(void) {
  omr_stop_compiling();
}

static omr_compiled *make_entry(const omr_compile_want *want) {
  omr_compiled *c = calloc(1, sizeof *c);
  omr_text text = {0};
  if (c) omr_compiled_text(want, &text);
  if (!c || text.failed) {
    omr_text_free(&text);
    free(c);
    return NULL;
  }
  c->want = *want;
  c->want.settings = NULL;
  c->alone = -1;
  c->text = text.data;
  omr_hash_hex(text.data, text.length, c->text_hash);
  return c;
}

omr_compiled *omr_compiled_of(const omr_compile_want *want) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  omr_compiled *made = make_entry(want), *c;
  if (!made) return NULL;
  pthread_mutex_lock(&lock);
  for (c = list; c; c = c->next) {
    if (!strcmp(c->text_hash, made->text_hash)) break;
  }
  if (!c) {
    made->next = list;
    list = c = made;
    made = NULL;
  }
  pthread_mutex_unlock(&lock);
  if (made) free(made->text);
  free(made);
  return c;
}

static void set_state(omr_compiled *c, omr_compiled_state state) {
  pthread_mutex_lock(&lock);
  c->state = state;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void fail(omr_compiled *c, const char *why) {
  snprintf(c->told, sizeof c->told, "%s", why);
  set_state(c, OMR_COMPILED_FAILED);
}

/* ---- loading */

/* Loads the object from the open folder, so that nobody can put another file in its place. Its name
 * is the hash of its text, so two objects never share a name, which the dynamic linker would take
 * for one object. */
static bool load(omr_compiled *c, int folder, const char *name, char why[320]) {
  /* /proc names the folder that is open, wherever its path leads by now. */
  char path[128];
  snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
  c->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const omr_lane_object *object = c->handle ? dlsym(c->handle, "omr_compiled_object") : NULL;
  const char *error = object ? NULL : dlerror();

  /* The object must be of the requested kind. */
  if (object && object->lanes == c->want.lanes && (object->single != 0) == c->want.single) {
    c->object = object;
    return true;
  }

  /* A folder mounted noexec is the usual reason. */
  struct statvfs system;
  if (!c->handle && fstatvfs(folder, &system) == 0 && (system.f_flag & ST_NOEXEC))
    snprintf(why, 320,
             "the folder it was compiled in is mounted noexec; name another one in XDG_CACHE_HOME, "
             "or in TMPDIR where nothing is kept");
  else
    snprintf(why, 320, "what was compiled cannot be loaded: %.200s",
             error ? error : "it is another object");
  return false;
}

/* Takes the object from the cache; false with "" where the cache has none. */
static bool take_kept(omr_compiled *c, const omr_compiler *compiler, int folder, char why[320]) {
  char name[64], mistrust[256];
  why[0] = '\0';
  const int file = omr_cache_open(folder, OMR_CACHE_OBJECT, c->key, name, mistrust);
  if (file < 0) {
    snprintf(why, 320, "%s", mistrust);
    return false;
  }
  close(file);
  if (!load(c, folder, name, why)) return false;
  snprintf(c->told, sizeof c->told, "%s, kept", compiler->name);
  return true;
}

/* Takes an object by any compiler, from a folder of objects compiled ahead, or from the cache where
 * there is no compiler. */
static bool take_any(omr_compiled *c, int folder, const uid_t owners[2], const char *how,
                     char why[320]) {
  char name[64], by[64];
  const int file = omr_cache_open_any(folder, OMR_CACHE_OBJECT, c->subject, owners, name, by);
  if (file < 0) return false;
  close(file);
  if (!load(c, folder, name, why)) return false;
  snprintf(c->told, sizeof c->told, "%s, %s", by, how);
  return true;
}

/* ---- known failures */

/* Reads a note that another run left: its time, the time for which it holds, and the reason. A
 * caller that insists only believes an older reason if the bits were wrong. */
static bool read_note(const omr_compiled *c, int folder, char why[320]) {
  /* The note, unless it is missing or malformed. */
  char name[64];
  size_t length;
  const time_t now = time(NULL);
  omr_cache_name(c->key, OMR_COMPILE_FAILED, name);
  char *note = omr_cache_read_own(folder, name, &length);
  if (!note) return false;
  long long written = 0, seconds = 0;
  int at = 0;

  /* Time, duration and reason, in one line. */
  const bool read =
      length < 4096 &&
      (note[length] = '\0', sscanf(note, "%lld %lld %n", &written, &seconds, &at)) == 2 && at;

  /* Wrong bits count for long, a failed compiler for minutes. */
  const bool holds = read && now < written + seconds &&
                     (c->wish != OMR_COMPILED_INSIST || seconds == OMR_COMPILE_WRONG_SECONDS ||
                      written >= (long long)c->asked);
  if (holds && seconds == OMR_COMPILE_WRONG_SECONDS)
    snprintf(why, 320, "%.300s", note + at);
  else if (holds && written < (long long)c->asked)
    snprintf(why, 320, "%.220s (%lld min ago; \"omniroll warm\" tries again)", note + at,
             ((long long)now - written) / 60);
  else if (holds)
    snprintf(why, 320, "%.300s", note + at);

  free(note);
  return holds;
}

static void write_note(const omr_compiled *c, int folder, long seconds, const char *why) {
  char name[64], text[512];
  omr_cache_name(c->key, OMR_COMPILE_FAILED, name);
  snprintf(text, sizeof text, "%lld %ld %.400s", (long long)time(NULL), seconds, why);
  omr_compile_write(folder, name, text, strlen(text));
}

/* ---- making */

static omr_compile_flags flags_of(const omr_compiled *c) {
  return (omr_compile_flags){.isa = c->want.isa, .fast = c->want.fast, .scalar = c->want.counting};
}

/* Writes the object's text to a file; the counting routines have a file of their own, which the
 * compiler must not inline. */
static bool compile_in(omr_compiled *c, const omr_compiler *compiler,
                       const omr_compile_place *place, bool *stopped, char why[320]) {
  const omr_compile_flags flags = flags_of(c);
  const char *files[4] = {"kernel.c"};
  if (!omr_compile_write(place->folder, "kernel.c", c->text, strlen(c->text)) ||
      (c->want.counting && !omr_compile_write_counting(place->folder, files))) {
    snprintf(why, 320, "%.200s: %s", place->path, strerror(errno));
    return false;
  }
  return omr_compile(compiler, &flags, place->path, files, "object.so", &leaving, stopped, why);
}

/* Stores the compiled object in the cache and loads it from there; if it cannot be stored, loads it
 * from the folder in which it was compiled. */
static bool keep_and_load(omr_compiled *c, const omr_compile_place *place, int folder,
                          char why[320]) {
  /* Only a complete object goes into the cache. */
  size_t length;
  char name[64];
  char *object = omr_cache_read_own(place->folder, "object.so", &length);
  const bool whole = object && omr_compile_is_whole(object, length);
  const bool kept =
      whole && folder >= 0 &&
      omr_cache_put(folder, OMR_CACHE_OBJECT, c->key, (unsigned char *)object, length);

  /* The object is loaded from wherever it lies now. */
  bool good = false;
  omr_cache_entry_name(c->key, OMR_CACHE_OBJECT, name);
  if (!whole) {
    snprintf(why, 320, "the compiler left no whole object; name another one in OMNIROLL_CC");
  } else if (kept) {
    good = load(c, folder, name, why);
    if (!good) unlinkat(folder, name, 0);
  } else {
    if (folder >= 0) snprintf(c->unkept, sizeof c->unkept, "%s", strerror(errno));
    good = renameat(place->folder, "object.so", place->folder, name) == 0 &&
           load(c, place->folder, name, why);
  }

  free(object);
  return good;
}

static void make(omr_compiled *c, const omr_compiler *compiler, int folder) {
  omr_compile_place place;
  char why[320] = "";
  bool stopped = false;
  const double start = omr_seconds();

  /* Other threads see that the object is being made, in a folder of its own. */
  set_state(c, OMR_COMPILED_MAKING);
  if (!omr_compile_place_make(folder, &place, why)) {
    fail(c, why);
    return;
  }

  /* Compile, store and load, then clean up. */
  const bool good =
      compile_in(c, compiler, &place, &stopped, why) && keep_and_load(c, &place, folder, why);
  omr_compile_place_remove(&place);

  /* A failure is noted for other processes, unless this one was stopped. */
  if (good) {
    snprintf(c->told, sizeof c->told, "%s, %.1f s", compiler->name, omr_seconds() - start);
    set_state(c, OMR_COMPILED_READY);
  } else {
    if (folder >= 0 && !stopped) write_note(c, folder, FAILED_SECONDS, why);
    fail(c, why);
  }
}

/* The subject of the key: everything that the object's numbers depend on, and the kind of
 * processor, since x86-64 and Arm both have a set named baseline. */
static bool make_subject(omr_compiled *c) {
  omr_text text = {0};
  if (c->subject) return true;
  omr_text_print(&text, "omniroll %s\ntext %s\nset %s of %s, numerics %s\n", omr_version(),
                 c->text_hash, c->want.isa, OMR_PROCESSOR, c->want.fast ? "fast" : "exact");
  if (text.failed) omr_text_free(&text);
  c->subject = text.data;
  return c->subject;
}

/* The key of the object: its subject, its compiler and the flags. */
static bool make_key(omr_compiled *c, const omr_compiler *compiler) {
  const omr_compile_flags flags = flags_of(c);
  char told[512];
  omr_text key = {0};
  if (c->key) return true;
  omr_compile_flags_text(compiler->clang, &flags, told);
  omr_text_print(&key, "%sby %s\nflags %s\nfingerprint %s\n", c->subject, compiler->name, told,
                 compiler->fingerprint);
  if (key.failed) omr_text_free(&key);
  c->key = key.data;
  return c->key;
}

/* Takes the lock of the key if there is a cache; false: another process holds it. A fork in between
 * would leave it to a child that does not know about it. */
static bool be_alone(omr_compiled *c, int folder) {
  pthread_mutex_lock(&lock);
  c->alone = folder >= 0 ? omr_compile_lock(folder, c->key) : -1;
  const bool others = folder >= 0 && c->alone < 0 && errno == EWOULDBLOCK;
  pthread_mutex_unlock(&lock);
  return !others;
}

static void be_one_of_many(omr_compiled *c, int folder) {
  pthread_mutex_lock(&lock);
  if (c->alone >= 0) omr_compile_unlock(folder, c->key, c->alone);
  c->alone = -1;
  pthread_mutex_unlock(&lock);
}

/* Finds the object in the cache, or compiles it if that is wanted and no other process does. */
static void find_or_make(omr_compiled *c, const omr_compiler *compiler, int folder) {
  /* The cache has the object, or a reason for having none. */
  char why[320];
  if (folder >= 0 && take_kept(c, compiler, folder, why)) {
    set_state(c, OMR_COMPILED_READY);
    return;
  }
  if (folder >= 0 && read_note(c, folder, why)) {
    fail(c, why);
    return;
  }

  /* Without a wish to compile, or while another process compiles, nothing happens here. */
  if (c->wish == OMR_COMPILED_KEPT) {
    set_state(c, OMR_COMPILED_IDLE);
    return;
  }
  if (!be_alone(c, folder)) {
    set_state(c, OMR_COMPILED_AWAITED);
    return;
  }

  /* The lock's former holder may have made the object meanwhile, or failed. */
  if (c->alone >= 0 && take_kept(c, compiler, folder, why))
    set_state(c, OMR_COMPILED_READY);
  else if (c->alone >= 0 && read_note(c, folder, why))
    fail(c, why);
  else
    make(c, compiler, folder);

  be_one_of_many(c, folder);
}

/* Without a compiler only an object left in the cache can serve. */
static void find_left(omr_compiled *c, const char *why_none) {
  const uid_t own[2] = {geteuid(), geteuid()};
  char why[320];
  const int folder = omr_cache_folder(false, c->unkept);
  c->unkept[0] = '\0'; /* there is nothing to store */
  const bool found = folder >= 0 && take_any(c, folder, own, "kept", why);
  if (folder >= 0) close(folder);
  if (found)
    set_state(c, OMR_COMPILED_READY);
  else
    fail(c, why_none);
}

/* Finds an object that was compiled ahead; true also where it should exist and does not. */
static bool find_shipped(omr_compiled *c) {
  char why[320];
  uid_t owners[2];
  const int folder = omr_shipped_folder(owners, why);
  const bool found = folder >= 0 && take_any(c, folder, owners, "compiled ahead", why);
  if (folder >= 0) close(folder);
  if (found)
    set_state(c, OMR_COMPILED_READY);
  else if (*why)
    fail(c, why);
  return found || *why;
}

static void *work(void *given) {
  /* Ahead, by an earlier run, or by the compiler, in this order. */
  omr_compiled *c = given;
  omr_compiler compiler;
  char why[320];
  if (!make_subject(c)) {
    fail(c, "out of memory");
  } else if (find_shipped(c)) {
    /* An object compiled ahead needs no compiler. */
  } else if (!omr_compiler_find(&compiler, &leaving, why)) {
    find_left(c, why);
  } else if (!make_key(c, &compiler)) {
    fail(c, "out of memory");
  } else {
    const int folder = omr_cache_folder(c->wish != OMR_COMPILED_KEPT, c->unkept);
    find_or_make(c, &compiler, folder);
    if (folder >= 0) close(folder);
  }

  atomic_fetch_sub(&working, 1);
  return NULL;
}

/* Starts the thread with the caller's signals blocked. */
static bool start_thread(omr_compiled *c) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  if (pthread_attr_init(&attributes)) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  atomic_fetch_add(&working, 1);
  const bool started = pthread_create(&thread, &attributes, work, c) == 0;
  if (!started) atomic_fetch_sub(&working, 1);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return started;
}

void omr_compiled_seek(omr_compiled *c, omr_compiled_wish wish) {
  pthread_mutex_lock(&lock);
  const bool ended = c->state == OMR_COMPILED_READY || c->state == OMR_COMPILED_FAILED ||
                     c->state == OMR_COMPILED_WRONG;
  const bool starts = !ended && !is_going_on(c);
  if (starts) {
    c->state = OMR_COMPILED_SOUGHT;
    c->wish = wish;
    if (!c->asked) c->asked = time(NULL);
    c->looked = omr_seconds();
  }
  pthread_mutex_unlock(&lock);
  if (starts && !start_thread(c)) fail(c, "the system gives no thread for the compiler");
}

omr_compiled_state omr_compiled_look(omr_compiled *c) {
  pthread_mutex_lock(&lock);
  const omr_compiled_state state = c->state;
  const bool again = state == OMR_COMPILED_AWAITED && omr_seconds() - c->looked > 0.25;
  pthread_mutex_unlock(&lock);
  if (again) omr_compiled_seek(c, c->wish);
  return state;
}

omr_compiled_state omr_compiled_wait(omr_compiled *c, bool (*go_on)(void *user), void *user) {
  for (;;) {
    omr_compiled_look(c);
    pthread_mutex_lock(&lock);
    const omr_compiled_state now = c->state;
    const bool waits = is_going_on(c) || now == OMR_COMPILED_AWAITED;
    if (waits) {
      struct timespec until;
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_nsec += 50000000;
      until.tv_sec += until.tv_nsec / 1000000000;
      until.tv_nsec %= 1000000000;
      pthread_cond_timedwait(&changed, &lock, &until);
    }
    pthread_mutex_unlock(&lock);
    if (!waits || (go_on && !go_on(user))) return now;
  }
}

const omr_lane_object *omr_compiled_object(const omr_compiled *c) {
  pthread_mutex_lock(&lock);
  const omr_lane_object *object = c->state == OMR_COMPILED_READY ? c->object : NULL;
  pthread_mutex_unlock(&lock);
  return object;
}

void *omr_compiled_symbol(const omr_compiled *c, const char *name) {
  return omr_compiled_object(c) ? dlsym(c->handle, name) : NULL;
}

const char *omr_compiled_told(const omr_compiled *c) {
  return c->told;
}

const char *omr_compiled_unkept(const omr_compiled *c) {
  return c->unkept;
}

void omr_compiled_reject(omr_compiled *c, const char *why) {
  char name[64], mistrust[256];
  pthread_mutex_lock(&lock);
  const bool first = c->state != OMR_COMPILED_WRONG;
  c->state = OMR_COMPILED_WRONG;
  if (first) snprintf(c->told, sizeof c->told, "%.500s", why);
  pthread_mutex_unlock(&lock);

  /* The cache must not give it to a later process. */
  if (!first) return;
  const int folder = omr_cache_folder(false, mistrust);
  if (folder < 0) return;
  omr_cache_entry_name(c->subject, OMR_CACHE_OBJECT, name);
  unlinkat(folder, name, 0);
  if (c->key) write_note(c, folder, OMR_COMPILE_WRONG_SECONDS, why); /* for the maker here */
  close(folder);
}

double omr_compiled_missed(omr_compiled *c, double more) {
  pthread_mutex_lock(&lock);
  const double missed = c->missed += more;
  pthread_mutex_unlock(&lock);
  return missed;
}

void omr_compiled_tell(const omr_compiled *c, FILE *log) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  const bool ready = omr_compiled_object(c);
  if (!log || (ready && !c->unkept[0]) || atomic_flag_test_and_set(&told)) return;
  if (ready)
    fprintf(log, "openmp: what is compiled for this run is not kept for the next: %s\n", c->unkept);
  else
    fprintf(log,
            "openmp: nothing is compiled for this run, which goes on with a general object: %s\n",
            c->told);
}
