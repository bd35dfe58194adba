/* The work of a task (task.c); options and outcome are never NULL. omniroll/run.h documents the
 * rest. */
#ifndef OMR_INTO_FILE_H
#define OMR_INTO_FILE_H

#include "../support/support.h"

/* study NULL: goes on with the unfinished run. parts_only: the chunks of the options' shard alone;
 * nothing is put together, also where none is missing. */
omr_status omr_campaign_run(const omr_study *study, const char *path, bool parts_only,
                            const omr_file_options *options, omr_file_outcome *outcome,
                            omr_error *error);
omr_status omr_campaign_run_in_memory(const omr_study *study, const omr_file_options *options,
                                      omr_result **result, omr_error *error);
omr_status omr_campaign_merge(const char *const *folders, size_t count, const char *path,
                              const omr_file_options *options, omr_file_outcome *outcome,
                              omr_error *error);

/* Judges a result by the study's limits; the result is there in any case. */
struct omr_statistics;
omr_status omr_judge(const omr_study *study, const struct omr_statistics *statistics, bool strict,
                     omr_error *error);
/* Refuses to be strict about a step error that the study turns off. */
omr_status omr_check_strict(const omr_study *study, const omr_file_options *options,
                            omr_error *error);

#endif
