/* Finds the compiler and runs it. */
#define _GNU_SOURCE /* secure_getenv */
#include "compiler.h"

#include "../support/support.h"
#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAST_GCC = 11, LEAST_CLANG = 12, MOST_FLAGS = 24, MOST_TOLD = 1 << 16 };
#define QUESTION_SECONDS 10.0
#define STANDARD_PATH "/usr/local/bin:/usr/bin:/bin"

static const char *search_path(void) {
  const char *path = secure_getenv("PATH");
  return path && *path ? path : STANDARD_PATH;
}

static bool is_program(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* Finds a program; a name without a slash is searched on the path, without its relative folders. */
static bool find_program(const char *name, char path[512]) {
  if (strchr(name, '/')) return snprintf(path, 512, "%s", name) < 512 && is_program(path);
  for (const char *from = search_path(); *from;) {
    const size_t length = strcspn(from, ":");
    if (*from == '/' && snprintf(path, 512, "%.*s/%s", (int)length, from, name) < 512 &&
        is_program(path))
      return true;
    from += length + (from[length] == ':');
  }
  return false;
}

/* Most seconds of one call of the compiler: 120, or OMNIROLL_COMPILE_SECONDS. */
static double compile_seconds(void) {
  const char *text = secure_getenv("OMNIROLL_COMPILE_SECONDS");
  const double seconds = text ? omr_strtod(text, NULL) : 0;
  return seconds > 0 ? seconds : 120;
}

/* The compiler's environment is only the path, on which it may find its assembler and linker, and a
 * folder for temporary files. */
typedef struct surroundings {
  char path[4096], temporary[600];
  const char *list[4];
} surroundings;

static const char *const *make_surroundings(surroundings *s, const char *folder) {
  snprintf(s->path, sizeof s->path, "PATH=%s", search_path());
  snprintf(s->temporary, sizeof s->temporary, "TMPDIR=%s", folder ? folder : "");
  s->list[0] = s->path;
  s->list[1] = "LC_ALL=C";
  s->list[2] = folder ? s->temporary : NULL;
  s->list[3] = NULL;
  return s->list;
}

/* ---- finding it */

/* The value of a predefined macro, "" if there is none. */
static void macro(const char *told, const char *name, char value[128]) {
  char line[64];
  snprintf(line, sizeof line, "#define %s ", name);
  const char *at = strstr(told, line);
  value[0] = '\0';
  if (at) snprintf(value, 128, "%.*s", (int)strcspn(at + strlen(line), "\n"), at + strlen(line));
}

static int whole_macro(const char *told, const char *name) {
  char value[128];
  macro(told, name, value);
  return atoi(value);
}

/* Judges a compiler by its predefined macros. */
static bool judge(const char *told, omr_compiler *c, char why[320]) {
  const int clang = whole_macro(told, "__clang_major__"), gcc = whole_macro(told, "__GNUC__");
  if (gcc && !whole_macro(told, OMR_PROCESSOR)) {
    snprintf(why, 320, "%.200s compiles for another processor", c->path);
    return false;
  }
  c->clang = clang > 0;
  snprintf(c->name, sizeof c->name, "%s %d.%d.%d", clang ? "clang" : "gcc", clang ? clang : gcc,
           whole_macro(told, clang ? "__clang_minor__" : "__GNUC_MINOR__"),
           whole_macro(told, clang ? "__clang_patchlevel__" : "__GNUC_PATCHLEVEL__"));
  if (clang ? clang >= LEAST_CLANG : gcc >= LEAST_GCC) return true;
  snprintf(why, 320, "%.160s is %s; it takes gcc from %d or clang from %d on", c->path,
           gcc ? c->name : "neither gcc nor clang", LEAST_GCC, LEAST_CLANG);
  return false;
}

static bool ask(omr_compiler *c, const atomic_bool *stop, char why[320]) {
  /* The compiler prints its predefined macros. */
  const char *const argv[] = {c->path, "-dM", "-E", "-x", "c", "/dev/null", NULL};
  surroundings s;
  char *told = malloc(MOST_TOLD);
  if (!told) {
    snprintf(why, 320, "out of memory");
    return false;
  }
  const omr_child_end end =
      omr_child_run(argv, make_surroundings(&s, NULL), QUESTION_SECONDS, stop, told, MOST_TOLD);

  /* The answer must be complete and name a compiler that this program accepts. */
  bool good = end.started && !end.timed_out && !end.stopped && (!end.known || end.status == 0);
  if (!end.started)
    snprintf(why, 320, "%.200s: %s", c->path, strerror(end.error));
  else if (!good)
    snprintf(why, 320, "%.160s %s; it takes gcc or clang", c->path,
             end.timed_out ? "does not say what it is" : "fails when it is asked what it is");
  good = good && judge(told, c, why);

  /* The fingerprint covers the path and every macro. */
  omr_text all = {0};
  omr_text_print(&all, "%s\n%s", c->path, told);
  free(told);
  if (good && !all.failed) omr_hash_hex(all.data, all.length, c->fingerprint);
  omr_text_free(&all);
  return good;
}

static bool find(omr_compiler *c, const atomic_bool *stop, char why[320]) {
  const char *wanted = secure_getenv("OMNIROLL_CC");
  if (wanted && *wanted) {
    if (find_program(wanted, c->path)) return ask(c, stop, why);
    snprintf(why, 320, "OMNIROLL_CC names no program: %.200s", wanted);
    return false;
  }
  if (find_program(OMR_CC, c->path) && ask(c, stop, why)) return true;
  if (find_program("cc", c->path)) return ask(c, stop, why);
  snprintf(why, 320,
           "there is no C compiler; install gcc or clang (apt-get install gcc "
           "libc6-dev), or name one in OMNIROLL_CC");
  return false;
}

typedef struct answer {
  omr_compiler compiler;
  char why[320];
  bool there;
} answer;

/* There is no lock, since a fork would leave it locked in the child: two threads may both search.
 */
bool omr_compiler_find(omr_compiler *compiler, const atomic_bool *stop, char why[320]) {
  /* The first answer of any thread is the process's. */
  static _Atomic(answer *) known;
  answer *a = atomic_load(&known), *made = a ? NULL : calloc(1, sizeof *made);
  if (!a && !made) {
    snprintf(why, 320, "out of memory");
    return false;
  }

  /* This thread searches; another one may have finished first. */
  if (made) {
    made->there = find(&made->compiler, stop, made->why);
    if (atomic_compare_exchange_strong(&known, &a, made))
      a = made;
    else
      free(made);
  }

  *compiler = a->compiler;
  snprintf(why, 320, "%s", a->why);
  return a->there;
}

/* ---- running it */

/* Contraction is off so that every compiler gives the same bits; the other two let plain loops of
 * sqrt and rint become vector instructions and change no result. Fast numerics contract, and
 * divisions by the same number share its reciprocal; sums keep their order, since compensated ones
 * need it, and NaN and infinity stay, since they reveal diverged instances. */
static size_t list_flags(bool clang, const omr_compile_flags *f, const char *list[MOST_FLAGS]) {
  /* Flags that decide the bits. */
  size_t n = 0;
  list[n++] = "-std=gnu17";
  list[n++] = "-O2";
  list[n++] = "-w";
  list[n++] = "-fPIC";
  list[n++] = "-fvisibility=hidden";
  list[n++] = "-fno-math-errno";
  list[n++] = "-fno-trapping-math";
  list[n++] = f->fast ? "-ffp-contract=fast" : "-ffp-contract=off";
  if (f->fast) list[n++] = "-freciprocal-math";
  if (f->fast) list[n++] = "-fno-signed-zeros";

  /* Instructions of one wheel fill the waiting times of another. */
  if (!clang && !f->scalar) list[n++] = "-fschedule-insns";
  if (!clang && !f->scalar) list[n++] = "-fsched-pressure";
  if (f->scalar) list[n++] = "-fno-tree-slp-vectorize";

  /* The instruction set. */
  if (!strcmp(f->isa, "avx512")) {
    list[n++] = "-march=x86-64-v4";
    list[n++] = "-mprefer-vector-width=512";
  } else if (!strcmp(f->isa, "avx2")) {
    list[n++] = "-march=x86-64-v3";
  }

  return n;
}

void omr_compile_flags_text(bool clang, const omr_compile_flags *flags, char text[512]) {
  const char *list[MOST_FLAGS];
  const size_t count = list_flags(clang, flags, list);
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < count && used < 512; i++)
    used += (size_t)snprintf(text + used, 512 - used, "%s%s", i ? " " : "", list[i]);
}

/* The first line of a compiler's output that says error, or else the first line. */
static void first_error(const char *printed, char line[160]) {
  const char *at = strstr(printed, "error");
  while (at && at > printed && at[-1] != '\n') at--;
  if (!at) at = printed;
  char shown[160];
  const size_t length = strcspn(at, "\n");
  omr_show(shown, sizeof shown, at, length < 150 ? length : 150);
  snprintf(line, 160, "%s", shown);
}

bool omr_compile(const omr_compiler *compiler, const omr_compile_flags *flags, const char *folder,
                 const char *const files[], const char *target, const atomic_bool *stop,
                 bool *stopped, char why[320]) {
  enum { MOST_FILES = 4 };
  const char *argv[MOST_FLAGS + MOST_FILES + 8];
  char paths[MOST_FILES][600], output[600], printed[8192], line[160];
  surroundings s;
  size_t n = 0;

  /* The command line: flags, target, sources. */
  argv[n++] = compiler->path;
  n += list_flags(compiler->clang, flags, argv + n);
  argv[n++] = "-shared";
  argv[n++] = "-o";
  snprintf(output, sizeof output, "%s/%s", folder, target);
  argv[n++] = output;
  for (size_t i = 0; i < MOST_FILES && files[i]; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/%s", folder, files[i]);
    argv[n++] = paths[i];
  }

  argv[n++] = "-lm";
  argv[n] = NULL;
  const omr_child_end end = omr_child_run(argv, make_surroundings(&s, folder), compile_seconds(),
                                          stop, printed, sizeof printed);
  *stopped = end.stopped;
  if (end.started && !end.timed_out && !end.stopped && (!end.known || end.status == 0)) return true;

  /* The reason is the compiler's own, if it gave one. */
  first_error(printed, line);
  if (!end.started)
    snprintf(why, 320, "%.200s: %s", compiler->path, strerror(end.error));
  else if (end.timed_out)
    snprintf(why, 320, "%.200s took more than %g s and was stopped", compiler->path,
             compile_seconds());
  else if (WIFSIGNALED(end.status))
    snprintf(why, 320, "%.120s was ended by signal %d", compiler->path, WTERMSIG(end.status));
  else
    snprintf(why, 320, "%.120s failed%s%s", compiler->path, *line ? ": " : "", line);
  return false;
}
