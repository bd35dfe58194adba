/* The chunks of this process: existing ones are checked, the others are computed. */
#include "../study/chunk_rows.h"
#include "campaign.h"

#include "../support/phase.h"
#include "folder.h"
#include "integrate.h"
#include "shard.h"
#include "summed_rows.h"

#include <stdlib.h>
#include <string.h>

enum { WHY = 512 };

/* Chunk i by the plan's part(); *end where there is none. */
static omr_status find_chunk(const omr_campaign *c, size_t i, omr_chunk_expected *chunk, bool *end,
                             omr_error *error) {
  *chunk = (omr_chunk_expected){.whole = &c->plan->whole,
                                .precision = c->manifest.precision,
                                .numerics = c->manifest.numerics,
                                .number = i};
  return c->plan->ops->part(c->plan, i, &chunk->first, &chunk->last, end, error);
}

bool omr_campaign_stopped(const omr_campaign *c) {
  const omr_run_options *o = &c->options->run;
  return o->progress && !o->progress(o->progress_user, c->work_there + c->work_done, c->work_total);
}

static bool on_progress(void *user, double done, double total) {
  omr_campaign *c = user;
  (void)total; /* of the whole study: this process may have a part */
  c->work_done = done;
  return !omr_campaign_stopped(c);
}

/* The integrator has just checked its device. */
static omr_status note_good(omr_campaign *c, omr_error *error) {
  c->checked_at = omr_seconds();
  return omr_journal_good(&c->journal, error);
}

static omr_status name_check(size_t finished, omr_status status, omr_error *error) {
  const omr_error cause = *error;
  return omr_fail(error, status, "%.3000s; it was at a check of the device, after %zu chunks",
                  cause.message, finished);
}

/* Checks the device. Nothing may be on its way to the journal. */
static omr_status check_device(omr_campaign *c, omr_error *error) {
  if (!c->integrator || !omr_integrator_checks(c->integrator)) return OMR_OK;
  omr_status status = omr_integrator_check(c->integrator, error);
  if (status == OMR_OK) return note_good(c, error);
  if (status == OMR_ERR_DEVICE) name_check(omr_journal_finished(&c->journal), status, error);
  const size_t doubted = omr_journal_doubt(&c->journal);
  if (doubted && c->log)
    fprintf(c->log, "%zu chunks since the last good check of the device do not count\n", doubted);
  return status;
}

static omr_status check_now_and_then(omr_campaign *c, omr_error *error) {
  const double since = omr_seconds() - c->checked_at;
  return since < c->study.engine.check_seconds ? OMR_OK : check_device(c, error);
}

/* Chunks since the last check count after this one, however the work ended, unless the device is
 * known to be wrong. */
static omr_status check_at_end(omr_campaign *c, omr_status status, omr_error *error) {
  omr_error own = {0};
  if (status == OMR_ERR_SELFTEST) return status;
  const omr_status checked = check_device(c, &own);
  const bool tells = status == OMR_OK || checked == OMR_ERR_SELFTEST;
  if (checked != OMR_OK && tells) *error = own;
  return checked != OMR_OK && tells ? checked : status;
}

static omr_status open_engine(omr_campaign *c, omr_error *error) {
  if (c->integrator) return OMR_OK;
  const double start = omr_seconds();
  c->run = (omr_run_options){
      .size = sizeof(omr_run_options), .progress = on_progress, .progress_user = c, .log = c->log};
  c->grouping = (omr_grouping){.chunks = 1};
  omr_status status = omr_integrator_open(&c->plan->whole, &c->run, &c->integrator, error);
  c->engine_seconds = omr_seconds() - start;
  if (status == OMR_OK && c->shards == 1)
    omr_integrator_carry(c->integrator, &c->refined); /* else the assembling process runs them */
  if (status == OMR_OK && omr_integrator_checks(c->integrator)) status = note_good(c, error);
  return status;
}

static omr_status name_chunk(const omr_chunk_expected *chunks, omr_status status,
                             omr_error *error) {
  const omr_error cause = *error;
  return omr_fail(error, status, "%.3000s; it was at chunk %zu", cause.message, chunks[0].number);
}

/* A result for each of the chunks. */
static omr_status compute(omr_campaign *c, const omr_chunk_expected *chunks, size_t count,
                          omr_result **results, omr_error *error) {
  const bool first = !c->integrator;
  omr_status status = open_engine(c, error);
  if (status != OMR_OK) return status;
  const double start = omr_seconds(), before = c->work_done;
  status = c->study.rows.summed ? omr_run_summed(c->integrator, chunks->whole, chunks->first,
                                                 chunks->last, results, error)
                                : omr_group_run(c->integrator, chunks, count, results, error);
  if (status == OMR_ERR_DEVICE) return name_chunk(chunks, status, error);
  if (status != OMR_OK) return status;
  omr_grouping_learn(&c->grouping, count, c->work_done - before, omr_seconds() - start);
  if (first) {
    results[0]->record.build_seconds = omr_integrator_record(c->integrator)->build_seconds;
    results[0]->record.wall_seconds += c->engine_seconds;
  }
  omr_times_add(&c->times, &results[0]->record); /* the others' times are in it */
  return OMR_OK;
}

/* STORING */

/* Stores a chunk: its file, and after that its line in the journal. */
static omr_status store_chunk(const omr_parts *parts, omr_journal *journal,
                              const omr_chunk_expected *chunk, const omr_result *result,
                              omr_error *error) {
  omr_chunk stored;
  const omr_status status = omr_chunk_store(parts, chunk, result, &stored, error);
  return status == OMR_OK ? omr_journal_add(journal, chunk->number, &stored, error) : status;
}

static void *store_all(void *user) {
  omr_storing *s = user;
  s->status = OMR_OK;
  for (size_t i = 0; i < s->count && s->status == OMR_OK; i++)
    s->status = store_chunk(s->parts, s->journal, &s->chunks[i], s->results[i], &s->error);
  return NULL;
}

/* Takes over the results; the last group has to be finished. */
static void begin_storing(omr_storing *s, const omr_parts *parts, omr_journal *journal,
                          const omr_chunk_expected *chunks, size_t count, omr_result **results) {
  s->parts = parts;
  s->journal = journal;
  s->count = count;
  s->error = (omr_error){0};
  memcpy(s->chunks, chunks, count * sizeof *chunks);
  memcpy(s->results, results, count * sizeof(omr_result *));
  s->apart = pthread_create(&s->thread, NULL, store_all, s) == 0;
  if (!s->apart) store_all(s);
}

/* Waits. The group's results go to `kept` where it could be stored. */
static omr_status end_storing(omr_storing *s, omr_kept *kept, omr_error *error) {
  if (s->count == 0) return OMR_OK;
  if (s->apart) pthread_join(s->thread, NULL);
  for (size_t i = 0; i < s->count; i++) {
    if (s->status == OMR_OK)
      omr_kept_add(kept, s->chunks[i].number, s->results[i]);
    else
      omr_result_destroy(s->results[i]);
  }
  if (s->status != OMR_OK && error) *error = s->error;
  s->count = 0;
  return s->status;
}

static omr_status store(omr_campaign *c, const omr_chunk_expected *chunk, const omr_result *result,
                        omr_error *error) {
  const double start = omr_seconds();
  const omr_status status = store_chunk(&c->parts, &c->journal, chunk, result, error);
  c->times.write += omr_seconds() - start;
  return status;
}

static void tell_damage(omr_campaign *c, size_t number, const char *why) {
  if (c->log)
    fprintf(c->log, "chunk %zu in %s is computed again: %s\n", number, c->parts.path, why);
  omr_journal_forget(&c->journal, number);
}

/* Waits until the group before is stored. */
static omr_status finish_storing(omr_campaign *c, omr_error *error) {
  const double start = omr_seconds();
  const omr_status status = end_storing(&c->storing, &c->kept, error);
  c->times.write += omr_seconds() - start;
  return status;
}

/* The most instances of chunks that run together: the device's capacity, and the room that their
 * trajectories leave. A study that gives engine.chunk wants no more at a time. */
static size_t group_rows(const omr_campaign *c) {
  if (c->study.engine.chunk || !c->integrator) return 0;
  const size_t capacity = omr_integrator_capacity(c->integrator),
               bytes = omr_trajectory_bytes(&c->study);
  const size_t room = bytes ? OMR_TRAJECTORY_BYTES / bytes : capacity;
  return room < capacity ? room : capacity;
}

/* From *number on, the next chunks that this process has to compute, as many as run together; none
 * at the end of the study. */
static omr_status next_group(const omr_campaign *c, size_t *number, omr_chunk_expected *chunks,
                             size_t *count, omr_error *error) {
  const size_t most_rows = group_rows(c),
               most = c->integrator && !c->study.rows.summed ? c->grouping.chunks : 1;
  size_t rows = 0;
  for (*count = 0; *count < most; ++*number) {
    omr_chunk_expected *chunk = &chunks[*count];
    bool end = false;
    if (omr_shard_has(c->shard, c->shards, *number) && !omr_journal_has(&c->journal, *number)) {
      const omr_status status = find_chunk(c, *number, chunk, &end, error);
      if (status != OMR_OK) return status;
      rows += chunk->last - chunk->first;
      if (end || (*count && rows > most_rows)) break;
      ++*count;
    } else if (*number >= c->plan->chunks) {
      break;
    }
  }
  return OMR_OK;
}

/* A group is stored while the next one is computed; the journal says in advance which group that
 * is. */
static omr_status work_in_any_order(omr_campaign *c, omr_error *error) {
  omr_chunk_expected chunks[OMR_MOST_GROUPED];
  omr_result *results[OMR_MOST_GROUPED];
  size_t number = 0, count;

  /* Find the first group. */
  omr_status status = next_group(c, &number, chunks, &count, error);
  while (status == OMR_OK && count) {
    /* Compute it while the group before is stored. */
    omr_error computing = {0};
    status = compute(c, chunks, count, results, &computing);
    omr_status stored = finish_storing(c, error);
    if (status == OMR_OK && stored == OMR_OK) stored = check_now_and_then(c, error);

    /* A failure of either ends the work. */
    if (status == OMR_OK && stored != OMR_OK)
      for (size_t i = 0; i < count; i++) omr_result_destroy(results[i]);
    if (stored != OMR_OK) return stored;
    if (status != OMR_OK) {
      *error = computing;
      return status;
    }

    /* Begin to store it, and go on with the next group. */
    omr_chunk_expected next[OMR_MOST_GROUPED];
    size_t next_count = 0;
    status = next_group(c, &number, next, &next_count, error);
    begin_storing(&c->storing, &c->parts, &c->journal, chunks, count, results);
    memcpy(chunks, next, next_count * sizeof *next);
    count = next_count;
  }

  /* The last group is still on its way. */
  omr_error storing = {0};
  const omr_status stored = finish_storing(c, &storing);
  if (status == OMR_OK && stored != OMR_OK) *error = storing;
  return status == OMR_OK ? stored : status;
}

/* Reads a chunk that is there; *result is NULL where it has to be computed. */
static void read_back(omr_campaign *c, const omr_chunk_expected *chunk, omr_result **result) {
  char why[WHY];
  *result = NULL;
  if (!omr_journal_has(&c->journal, chunk->number)) return;
  *result = omr_chunk_load(&c->parts, chunk, &c->journal.chunks[chunk->number], why, sizeof why);
  if (*result)
    c->work_there += (double)(chunk->last - chunk->first) * omr_study_work(&c->study);
  else
    tell_damage(c, chunk->number, why);
}

/* Adds the chunks that follow the first and run together with it, where the plan knows their rows.
 */
static omr_status look_ahead(const omr_campaign *c, omr_chunk_expected *chunks, size_t *count,
                             omr_error *error) {
  const size_t most_rows = group_rows(c),
               most = c->plan->ahead && c->integrator ? c->grouping.chunks : 1;
  size_t rows = chunks[0].last - chunks[0].first;
  for (*count = 1; *count < most; ++*count) {
    const size_t number = chunks[0].number + *count;
    bool end = false;
    if (omr_journal_has(&c->journal, number)) break;
    const omr_status status = find_chunk(c, number, &chunks[*count], &end, error);
    if (status != OMR_OK) return status;
    rows += chunks[*count].last - chunks[*count].first;
    if (end || rows > most_rows) break;
  }
  return OMR_OK;
}

/* Computes chunks as far as the plan still wants them. */
static omr_status compute_in_order(omr_campaign *c, omr_chunk_expected *chunks, size_t *taken,
                                   omr_error *error) {
  omr_result *results[OMR_MOST_GROUPED] = {NULL};
  size_t count = 0;
  bool end = false;
  *taken = 0;

  /* Run them together. */
  omr_status status = look_ahead(c, chunks, &count, error);
  if (status == OMR_OK) status = compute(c, chunks, count, results, error);
  if (status != OMR_OK) return status;

  /* Store them one after another; the plan may end before the last. */
  for (size_t i = 0; i < count; i++) {
    if (status == OMR_OK && i && !end)
      status = find_chunk(c, chunks[i].number, &chunks[i], &end, error);
    if (status == OMR_OK && !end) status = store(c, &chunks[i], results[i], error);
    if (status != OMR_OK || end) {
      omr_result_destroy(results[i]);
      continue;
    }

    /* The plan learns from each result. */
    omr_kept_add(&c->kept, chunks[i].number, results[i]);
    status = c->plan->ops->take(c->plan, chunks[i].number, results[i], error);
    ++*taken;
  }
  return status;
}

static omr_status work_in_order(omr_campaign *c, size_t *count, omr_error *error) {
  omr_chunk_expected chunks[OMR_MOST_GROUPED];
  omr_result *result;
  for (*count = 0;;) {
    size_t taken = 1;
    bool end = false;
    omr_status status = find_chunk(c, *count, &chunks[0], &end, error);
    if (status != OMR_OK || end) return status;

    /* Read the chunk back, or compute it with its followers. */
    read_back(c, &chunks[0], &result);
    if (result) {
      omr_kept_add(&c->kept, *count, result);
      status = c->plan->ops->take(c->plan, *count, result, error);
    } else {
      status = compute_in_order(c, chunks, &taken, error);
    }

    /* Only a device that is right goes on. */
    if (status == OMR_OK) status = check_now_and_then(c, error);
    if (status != OMR_OK) return status;
    *count += taken;
  }
}

/* Sums up the work of this process's chunks, and of the finished ones, whose files are checked. */
static omr_status look(omr_campaign *c, size_t *finished, omr_error *error) {
  char why[WHY];
  bool end = false;
  *finished = 0;
  for (size_t i = 0;; i++) {
    /* Take the plan's chunks that belong to this process. */
    omr_chunk_expected chunk;
    const omr_status status = find_chunk(c, i, &chunk, &end, error);
    if (status != OMR_OK) return status;
    if (end) break;
    if (!omr_shard_has(c->shard, c->shards, i)) continue;

    /* All of them are work. */
    const double work = (double)(chunk.last - chunk.first) * omr_study_work(&c->study);
    c->work_total += work;

    /* A finished one counts if its file is right. */
    if (!omr_journal_has(&c->journal, i)) continue;
    if (!omr_chunk_check(&c->parts, &chunk, &c->journal.chunks[i], why, sizeof why)) {
      tell_damage(c, i, why);
      continue;
    }
    c->work_there += work;
    ++*finished;
  }

  return OMR_OK;
}

/* Finds the work that there is, and what of it is done. */
static omr_status find_work(omr_campaign *c, bool ordered, size_t *finished, omr_error *error) {
  *finished = omr_journal_finished(&c->journal);
  c->work_total = 0;
  if (!ordered) return look(c, finished, error);
  c->work_total = (double)c->plan->whole.rows * omr_study_work(&c->study);
  return OMR_OK;
}

/* Begins anew after chunks of this process were forgotten: without their copies in memory, the runs
 * for the step error, and the plan's use of them. */
static omr_status begin_anew(omr_campaign *c, size_t forgotten, bool ordered, omr_error *error) {
  if (c->log && forgotten)
    fprintf(c->log, "%zu chunks that it has computed do not count\n", forgotten);
  omr_kept_free(&c->kept);
  omr_refined_free(&c->refined);
  if (ordered) {
    omr_plan_close(c->plan);
    c->plan = NULL;
  }
  omr_status status = ordered ? omr_plan_make(&c->study, &c->plan, error) : OMR_OK;
  if (status == OMR_OK) status = omr_refined_make(&c->study, &c->refined, error);
  if (status == OMR_OK && c->shards == 1) omr_integrator_carry(c->integrator, &c->refined);
  return status;
}

/* Forgets the results of this process, computed by an object that gave other bits since. */
static omr_status forget_own(omr_campaign *c, bool ordered, omr_error *error) {
  c->work_done = 0;
  return begin_anew(c, omr_journal_forget_own(&c->journal), ordered, error);
}

/* Goes on without a device that failed. Nobody can tell which chunks it has computed since the last
 * good check. */
static omr_status leave_device(omr_campaign *c, bool ordered, omr_error *error) {
  size_t finished;
  const omr_status status = begin_anew(c, omr_journal_doubt(&c->journal), ordered, error);
  c->work_there = -c->work_done; /* whose count goes on */
  return status == OMR_OK ? find_work(c, ordered, &finished, error) : status;
}

static omr_status work(omr_campaign *c, bool ordered, size_t *count, omr_error *error) {
  return ordered ? work_in_order(c, count, error) : work_in_any_order(c, error);
}

omr_status omr_campaign_work(omr_campaign *c, size_t *count, omr_error *error) {
  const bool ordered = c->plan->ops->take != NULL;
  size_t finished;

  /* Find the work that is there. */
  omr_status status = find_work(c, ordered, &finished, error);
  if (status == OMR_OK && finished && c->log)
    fprintf(c->log, "%s: goes on after %zu of %zu chunks\n", c->parts.path, finished,
            (c->plan->chunks + (size_t)(c->shards - c->shard)) / (size_t)c->shards);

  if (status == OMR_OK && omr_campaign_stopped(c))
    status = omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted");
  omr_phase("work");
  *count = c->plan->chunks;
  if (status != OMR_OK) return status;

  /* Work, and once more where the object is doubted and replaced. */
  status = work(c, ordered, count, error);
  if (status == OMR_ERR_SELFTEST && omr_integrator_doubted(c->integrator)) {
    status = forget_own(c, ordered, error);
    if (status == OMR_OK) status = work(c, ordered, count, error);
  }

  /* The device has to be right at the end; of several the others go on after one that is not. */
  status = check_at_end(c, status, error);
  while (omr_is_of_device(status) && omr_integrator_spares(c->integrator)) {
    status = leave_device(c, ordered, error);
    if (status == OMR_OK) status = work(c, ordered, count, error);
    status = check_at_end(c, status, error);
  }
  omr_integrator_close(c->integrator); /* the next steps need its memory */
  c->integrator = NULL;
  return status;
}

omr_status omr_campaign_fetch(void *user, size_t i, omr_result **result, omr_error *error) {
  omr_campaign *c = user;
  omr_chunk_expected chunk;
  char why[WHY];
  bool end;

  /* From memory. */
  *result = omr_kept_take(&c->kept, i);
  if (*result) return OMR_OK;
  if (i && omr_campaign_stopped(c)) return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted");

  /* From its file. */
  omr_status status = find_chunk(c, i, &chunk, &end, error);
  if (status != OMR_OK) return status;
  *result = omr_chunk_load(&c->parts, &chunk, &c->journal.chunks[i], why, sizeof why);
  if (*result) return OMR_OK;

  /* Computed again, unless the plan depended on it. */
  if (c->plan->ops->take)
    return omr_fail(error, OMR_ERR_IO, "chunk %zu in %s was damaged while the study ran: %s", i,
                    c->parts.path, why);
  tell_damage(c, i, why);
  status = compute(c, &chunk, 1, result, error);
  if (status == OMR_OK) status = store(c, &chunk, *result, error);
  if (status == OMR_OK) status = check_device(c, error);
  if (status == OMR_OK) return OMR_OK;

  omr_result_destroy(*result);
  *result = NULL;
  return status;
}
