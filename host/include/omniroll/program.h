/* What the program omniroll does for the library in a process of its own, and asks of it before it
 * works; not for callers. */
#ifndef OMNIROLL_PROGRAM_H
#define OMNIROLL_PROGRAM_H

#include <omniroll/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The program's main says that this process is the program, whatever its file is called: others are
 * started from it. Before any other call, in one thread. */
OMR_API void omr_own_program_runs(void);

/* Reads a table in HDF5 and writes it, or the error, to `out`, as the library reads it from the
 * process `omniroll read-table FILE`. Limits the time and the core file of its process. False where
 * it cannot be written. One thread at a time. */
OMR_API bool omr_table_answer(const char *path, FILE *out);

/* Reads what HDF5 may crash on of a result, as the process `omniroll read-result FILE`, by whose
 * end the library knows. Limits the time and the core file of its process, and takes its handlers
 * of crashes away. */
OMR_API void omr_result_answer(const char *path);

/* The result that HDF5 was last given to read in this thread, "" for none; for a handler of
 * crashes. The text lasts as long as the thread. */
OMR_API const char *omr_result_last_read(void);

/* True where HDF5 could not close what it had open, or there is no memory to find out: what it does
 * when a process ends crashes then, and takes the exit code with it. A process without other users
 * of HDF5. */
OMR_API bool omr_files_left_open(void);

/* Kills a compiler that still works for a run of this process, and takes its folder away, as exit()
 * does; before _exit(), which does not. Nothing is compiled any more. */
OMR_API void omr_stop_compiling(void);

/* OMR_ERR_USAGE where a file at `path` would replace one that the study reads, also by what
 * overrides named. */
OMR_API omr_status omr_study_check_output(const omr_study *study, const char *path,
                                          omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
