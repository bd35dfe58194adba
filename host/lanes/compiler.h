/* The C compiler that makes objects for one run. */
#ifndef OMR_COMPILER_H
#define OMR_COMPILER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The macro that compilers for this processor predefine. */
#if defined(__x86_64__)
#define OMR_PROCESSOR "__x86_64__"
#elif defined(__aarch64__)
#define OMR_PROCESSOR "__aarch64__"
#else
#define OMR_PROCESSOR "__STDC__"
#endif

typedef struct omr_compiler {
  char path[512];
  char name[64]; /* "gcc 12.2.0" */
  bool clang;
  char fingerprint[33]; /* of its path and of every macro that it predefines */
} omr_compiler;

/* The compiler that OMNIROLL_CC names (ignored when set-user-id), else the one that this program
 * was built with, else cc on the path. It has to be gcc from 11 or clang from 12 on, for this
 * processor. It is asked once in a process, or until *stop (NULL allowed) is set; false with the
 * reason, and what to do, in `why`. Thread-safe, and safe with forks. */
bool omr_compiler_find(omr_compiler *compiler, const atomic_bool *stop, char why[320]);

/* Options of one object. */
typedef struct omr_compile_flags {
  const char *isa; /* "avx512", "avx2", "baseline" */
  bool fast;       /* numerics: contraction, reciprocals */
  bool scalar;     /* packs of one: no vectors of what happens to stand side by side */
} omr_compile_flags;

/* Compiles and links the C files of `folder`, NULL-terminated, to `target` there: no shell, no flag
 * and no variable of the environment but these. False with the reason in `why`; *stopped: since
 * *stop was set. It may take 120 s, or OMNIROLL_COMPILE_SECONDS. */
bool omr_compile(const omr_compiler *compiler, const omr_compile_flags *flags, const char *folder,
                 const char *const files[], const char *target, const atomic_bool *stop,
                 bool *stopped, char why[320]);
/* Every flag, parted by blanks; for a key. */
void omr_compile_flags_text(bool clang, const omr_compile_flags *flags, char text[512]);

#endif
