/* Tasks of the program omniroll for the library in a process of its own, and its calls before and
 * after its work; not for callers. */
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

/* Reads the parts of a result on which HDF5 may crash, as the process `omniroll read-result FILE`,
 * by whose end the library knows. Limits the time and the core file of its process, and takes its
 * handlers of crashes away. */
OMR_API void omr_result_answer(const char *path);

/* The result that HDF5 was last given to read in this thread, "" for none; for a handler of
 * crashes. The text lasts as long as the thread. */
OMR_API const char *omr_result_last_read(void);

/* True where HDF5 could not close its open objects, or there is no memory to find out: HDF5 crashes
 * then when the process ends, and takes the exit code with it. For a process without other users of
 * HDF5. */
OMR_API bool omr_files_left_open(void);

/* Kills a compiler that still works for a run of this process, and takes its folder away, as exit()
 * does; to be called before _exit(), which does not. Nothing is compiled any more. */
OMR_API void omr_stop_compiling(void);

/* OMR_ERR_USAGE where a file at `path` would replace one that the study reads, also one that
 * overrides name. */
OMR_API omr_status omr_study_check_output(const omr_study *study, const char *path,
                                          omr_error *error);

/* OMR_ERR_IO where `path` is a file that a run of the study would not replace. */
OMR_API omr_status omr_study_check_place(const omr_study *study, const char *path,
                                         omr_error *error);

#ifdef __cplusplus
}
#endif
#endif
