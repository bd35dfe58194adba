/* The C compiler that makes objects for single runs. */
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
  char fingerprint[33]; /* hash of its path and of all its predefined macros */
} omr_compiler;

/* Finds the compiler that OMNIROLL_CC names (ignored when set-user-id), or the one that built this
 * program, or cc on the path. It must be gcc from 11 on or clang from 12 on, for this processor.
 * The search happens once per process, or until *stop (NULL allowed) is set; false with the reason
 * and the remedy in `why`. Thread-safe, and safe with forks. */
bool omr_compiler_find(omr_compiler *compiler, const atomic_bool *stop, char why[320]);

/* Options of one object. */
typedef struct omr_compile_flags {
  const char *isa; /* "avx512", "avx2", "baseline" */
  bool fast;       /* numerics: contraction, reciprocals */
  bool scalar;     /* packs of one: no vectors of neighbouring scalars */
} omr_compile_flags;

/* Compiles and links the C files of `folder`, NULL-terminated, to `target` there, without a shell
 * and without other flags or environment variables. False with the reason in `why`; *stopped:
 * because *stop was set. */
bool omr_compile(const omr_compiler *compiler, const omr_compile_flags *flags, const char *folder,
                 const char *const files[], const char *target, const atomic_bool *stop,
                 bool *stopped, char why[320]);
/* Every flag, separated by blanks, for a key. */
void omr_compile_flags_text(bool clang, const omr_compile_flags *flags, char text[512]);

#endif
