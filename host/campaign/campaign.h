/* One process's work on the folder of an unfinished result. */
#ifndef OMR_CAMPAIGN_H
#define OMR_CAMPAIGN_H

#include "../engine/run.h"
#include "assemble.h"
#include "chunk.h"
#include "chunk_journal.h"
#include "chunks_in_memory.h"
#include "group.h"
#include "lock.h"
#include "manifest.h"
#include "plan.h"

#include <pthread.h>

/* Chunks that were computed together, stored by a thread of their own while the next ones are
 * computed. One group is on its way at a time, so that files and lines of the journal come in the
 * same order as without the thread, and memory holds one group more. Nothing else may use HDF5 or
 * the journal meanwhile. */
typedef struct omr_storing {
  pthread_t thread;
  bool apart; /* a thread is at work */
  const omr_parts *parts;
  omr_journal *journal;
  omr_chunk_expected chunks[OMR_MOST_GROUPED];
  omr_result *results[OMR_MOST_GROUPED]; /* owned */
  size_t count;
  omr_status status;
  omr_error error;
} omr_storing;

typedef struct omr_campaign {
  const omr_file_options *options;
  FILE *log; /* NULL: none */
  char *path;
  omr_parts parts;   /* the folder, open once it was entered */
  int shard, shards; /* 1 of 1: everything */
  bool parts_only;   /* another call puts the result together */
  bool made;         /* this process made the manifest */
  omr_manifest manifest;
  omr_journal journal;
  omr_locks locks;
  omr_study *own;  /* resume: read from the manifest */
  omr_study study; /* with the manifest's text */
  omr_plan *plan;
  omr_run_options run;        /* for the integrator */
  omr_integrator *integrator; /* NULL until there is something to compute */
  omr_grouping grouping;
  double checked_at; /* when its device was last found right */
  double engine_seconds, work_there, work_done,
      work_total; /* omr_study_work of instances; there: before this process */
  omr_kept kept;
  omr_storing storing; /* the group computed last, on its way to the disk */
  omr_refined refined; /* runs for the step error */
  omr_times times;
} omr_campaign;

/* campaign_folder.c: enters the folder with its locks, manifest and journal; *there where the
 * result is there already. */
omr_status omr_campaign_enter(omr_campaign *c, const omr_study *study, bool *there,
                              omr_error *error);

/* campaign_chunks.c: completes the chunks of this process; *count is the number that the study has.
 */
omr_status omr_campaign_work(omr_campaign *c, size_t *count, omr_error *error);
/* An omr_fetch: from memory, from its file, or, where that is damaged, computed again. `user` is
 * the campaign. */
omr_status omr_campaign_fetch(void *user, size_t i, omr_result **result, omr_error *error);

/* Names the chunks that there are not, "2, 5 (shard 3/3) and 7 more", as far as there is room; ""
 * where none is missing. shards: 1 where they are not known. */
void omr_name_missing(bool (*has)(const void *user, size_t chunk), const void *user, size_t count,
                      int shards, char *text, size_t size);

bool omr_campaign_stopped(const omr_campaign *c);

#endif
