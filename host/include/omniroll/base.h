/* The common part of the library: version, statuses, errors, texts, files.
 *
 * Units are SI, angles in radians. Objects are made and destroyed by the functions of their type;
 * strings and arrays that an accessor returns belong to their object and last as long as it does.
 * An object that a function gives in a pointer to a pointer belongs to the caller, and is NULL
 * where the function fails. A pointer may be NULL only where the function says so; a destroyer
 * takes NULL. An omr_error may always be NULL.
 *
 * Threads: every function may run in several threads at the same time, on different objects or on
 * objects that it takes as const. Only one thread at a time changes or destroys an object.
 * Functions that are different say so. The thread that runs the work calls the callback. Global
 * libraries are locked: the library calls UDUNITS and HDF5 one thread at a time, whatever build of
 * them there is. Conditions lie outside: where the caller uses HDF5 or UDUNITS itself (h5py does)
 * in other threads, HDF5 has to be built thread-safe, as Debian's is, and UDUNITS never is; and no
 * thread changes the environment meanwhile.
 *
 * Forks: a child may call every function, and runs with threads of its own, also where the parent
 * has run or other threads of it run at the fork. Files that the parent has open are not the
 * child's: HDF5's writes to them when the child ends are dropped. OpenCL that the parent has used
 * is OMR_ERR_DEVICE in the child, whose message names spawn; "auto" takes openmp there.
 *
 * Limits: a run tries the threads that it wants, takes fewer where the system gives fewer, and
 * warns of it. The library cannot return where its libraries end the process: when OpenMP's runtime
 * is refused a thread after the trial ("libgomp: Thread creation failed"), when memory runs out in
 * that runtime or within drivers of OpenCL, and when memory that was there at the call (it is
 * tried) runs out within UDUNITS or HDF5. UDUNITS and HDF5 then end the process by a signal, for
 * which the library sets no handler, or HDF5 calls exit, and a line on standard error says so. A
 * caller that must outlive these runs studies in a process of its own. */
#ifndef OMNIROLL_BASE_H
#define OMNIROLL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers; omr_version gives the library's. */
#define OMR_VERSION_MAJOR 0
#define OMR_VERSION_MINOR 1
#define OMR_VERSION_PATCH 0

/* On every public function. The library hides all others. */
#if defined(__GNUC__)
#define OMR_API __attribute__((visibility("default")))
#define OMR_FORMAT(f, a) __attribute__((format(printf, f, a)))
#else
#define OMR_API
#define OMR_FORMAT(f, a)
#endif

/* Options are structs that begin with their size, so that a library knows the caller's from its
 * own. They are made by their macro, such as OMR_RUN_OPTIONS_INIT, which leaves every choice at
 * its default; a size that the library does not know is OMR_ERR_USAGE. NULL in the place of options
 * means the defaults. */

/* The number that functions return for the name of a column, quantity or the like that does not
 * exist. */
#define OMR_NONE ((size_t)-1)

/* The numbers are also the exit codes of the program. */
typedef enum omr_status {
  OMR_OK = 0,
  OMR_ERR_INTERNAL = 1,
  OMR_ERR_USAGE = 2,  /* command line or call */
  OMR_ERR_STUDY = 3,  /* the study file */
  OMR_ERR_DEVICE = 4, /* backend, device, driver */
  OMR_ERR_IO = 5,     /* files */
  OMR_ERR_MEMORY = 6,
  OMR_ERR_INTERRUPTED = 7, /* stopped by the caller; no result is written */
  OMR_ERR_SELFTEST = 8,    /* a device gives wrong numbers */
  OMR_ERR_DIFFERS = 9,     /* compare: a difference from the reference exceeds the tolerance */
  OMR_ERR_FAILURES = 10,   /* more instances failed than the study allows */
  OMR_ERR_INACCURATE = 11, /* strict: the step's error is larger than integrator.accept allows */
  OMR_ERR_NEGATIVE = 12    /* calibrate: the answer is not to be trusted */
} omr_status;

/* The number of mistakes that an error lists; the message counts the others. */
enum { OMR_MISTAKES = 16, OMR_MISTAKE_TEXTS = 8192 };

/* A mistake: read by omr_error_code and its neighbours. The numbers are places in texts. */
typedef struct omr_mistake {
  const char *code;
  int line;
  unsigned short path, pointer, shown, text;
} omr_mistake;

/* The error of a call. A study can have several mistakes: the message has a line for each, as the
 * program prints them, and the list has their places. Callers that look only at `status` and
 * `message` need nothing else. The functions that receive it fill it; {0} is an empty one. */
typedef struct omr_error {
  omr_status status;
  char message[4096];
  unsigned short count, used, more; /* of mistakes, of texts, and of mistakes beyond the list */
  omr_mistake mistake[OMR_MISTAKES];
  char texts[OMR_MISTAKE_TEXTS];
} omr_error;

/* "0.1.0". Static text. */
OMR_API const char *omr_version(void);
/* Compiler, flags that decide the bits, and instruction sets of this build, one line. Static text.
 */
OMR_API const char *omr_build_info(void);
/* 2. Raised where a function of these headers changes its arguments or its meaning; a new function
 * does not raise it. */
OMR_API int omr_interface_version(void);

/* The word for a status: "ok", "internal", "usage", "study", "device", "io", "memory",
 * "interrupted", "selftest", "differs", "failures", "inaccurate", "negative"; NULL for any other
 * number. Static text. */
OMR_API const char *omr_status_name(int status);

/* Errors by functions, for callers that do not know the layout of a struct. An empty error; NULL
 * when out of memory. The caller destroys it. */
OMR_API omr_error *omr_error_create(void);
/* NULL is allowed. */
OMR_API void omr_error_destroy(omr_error *error);
/* OMR_OK for an error without a failure. */
OMR_API omr_status omr_error_status(const omr_error *error);
/* "" for an error without a failure. Belongs to the error, until the next call that receives it. */
OMR_API const char *omr_error_message(const omr_error *error);
/* The number of mistakes that the error lists: 0 without a failure, 1 for most failures. */
OMR_API size_t omr_error_count(const omr_error *error);
/* The kind of the i-th mistake, as a word: for a study file one of lists/mistakes.def
 * ("unknown_key", "unit", ...; `omniroll describe` lists them), for other errors the word of the
 * status. Static text; NULL past the last. */
OMR_API const char *omr_error_code(const omr_error *error, size_t i);
/* The file of the mistake, as it was given; "" where there is none, or it is not known. Belongs to
 * the error; NULL past the last. */
OMR_API const char *omr_error_path(const omr_error *error, size_t i);
/* Its line in that file, from 1; 0 where it has none, as values of overrides. */
OMR_API int omr_error_line(const omr_error *error, size_t i);
/* The wrong value as a JSON pointer (RFC 6901), "/vary/1/path"; for a missing member the object
 * that lacks it; "" for the whole file, or where there is none. Belongs to the error; NULL past the
 * last. */
OMR_API const char *omr_error_pointer(const omr_error *error, size_t i);
/* The mistake and its remedy, without the place. Belongs to the error; NULL past the last. */
OMR_API const char *omr_error_text(const omr_error *error, size_t i);
/* The list as JSON: [{"code", "path", "line", "pointer", "message"}, ...], the members as above,
 * null where there is none. The caller destroys *json. */
OMR_API omr_status omr_error_json(const omr_error *mistakes, char **json, omr_error *error);
/* Fills *error as the library's functions do and returns `status`; a message that is too long is
 * cut between two characters. The arguments may point into the old message. For programs that
 * report errors of their own in the same way. */
OMR_API omr_status omr_fail(omr_error *error, omr_status status, const char *format, ...)
    OMR_FORMAT(3, 4);

/* A stream on which others' texts may be printed where a terminal shows them: text written to it
 * goes to `out` with control characters, characters that turn the direction of text and bytes that
 * are no UTF-8 as \x1b or \u202e; line ends and tabs pass. The caller closes it with fclose, which
 * leaves `out` open. NULL when out of memory. One thread at a time. */
OMR_API FILE *omr_shown_stream(FILE *out);

/* Frees a text that a function has given to its caller; NULL is allowed. */
OMR_API void omr_text_destroy(char *text);
/* The candidate nearest to `word` by edit distance; NULL if none is near enough to be a
 * misspelling. One of `candidates[count]`. Case counts for nothing, nor does the sign between two
 * words of a name (wheel.friction, wheel_friction); words in another order (power_peak, peak_power)
 * are as near as one wrong letter. */
OMR_API const char *omr_nearest(const char *word, const char *const *candidates, size_t count);
/* A JSON text laid out as the library's own: two blanks for each level, the shortest numbers that
 * read back equal, a line end at the end. The caller destroys *text. OMR_ERR_STUDY where it is not
 * JSON. */
OMR_API omr_status omr_json_format(const char *json, char **text, omr_error *error);

/* Called between kernel launches, or pieces of other work, from the thread that runs it; the
 * function or option that takes it says which unit is counted. Returning false stops the work with
 * OMR_ERR_INTERRUPTED. */
typedef bool omr_progress_fn(void *user, double done, double total);

/* The kinds of paths. */
typedef enum omr_input_kind {
  OMR_INPUT_MISSING, /* errno says why */
  OMR_INPUT_FOLDER,
  OMR_INPUT_PARTS, /* a folder of an unfinished run */
  OMR_INPUT_HDF5,
  OMR_INPUT_JSON,    /* text that begins with an object */
  OMR_INPUT_OTHER,   /* another file */
  OMR_INPUT_SPECIAL, /* a pipe, a socket or a device: never opened to find out */
} omr_input_kind;

/* Looks at the beginning of a file. Sets errno. */
OMR_API omr_input_kind omr_input_kind_of(const char *path);
/* Writes the path of a file that may be meant into meant[size]: "nowhere/s.json" for "nowhere/s" or
 * "nowhere/t.json"; "" where there is none. */
OMR_API void omr_find_meant(const char *path, const char *ending, char *meant, size_t size);
/* Writes the path of the first of a kind in a folder, by the alphabet, into found[size]; false
 * where there is none. */
OMR_API bool omr_first_of_kind(const char *folder, omr_input_kind kind, char *found, size_t size);
/* Refuses a path that is surely no study: nothing, a folder, a result. The message names it and the
 * remedy. "-" is a study, from standard input. */
OMR_API omr_status omr_check_study_file(const char *path, omr_error *error);
/* Refuses a path that would fail or do harm after a long run: a folder, no folder, no permission,
 * or the file of the study (NULL: of none) in the place of the result. */
OMR_API omr_status omr_check_output(const char *path, const char *study, omr_error *error);
/* OMR_OK where this build reads and writes result files; otherwise the message says how to get one
 * that does. */
OMR_API omr_status omr_result_files(omr_error *error);

/* A file that takes its place whole or not at all: written under a temporary name in the same
 * folder, synced and renamed. */
typedef struct omr_output omr_output;

/* The caller ends it with omr_output_finish or omr_output_discard, which free it. */
OMR_API omr_status omr_output_open(const char *path, omr_output **output, omr_error *error);
/* To write to; it belongs to the output and is closed with it. */
OMR_API FILE *omr_output_stream(omr_output *output);
/* The file takes its place. Where that fails, or a write has failed before, the earlier file stays.
 */
OMR_API omr_status omr_output_finish(omr_output *output, omr_error *error);
/* The file is forgotten; NULL is allowed. */
OMR_API void omr_output_discard(omr_output *output);

#ifdef __cplusplus
}
#endif
#endif
