#include "several.h"
#include "../result/balance.h"
#include "../result/slice.h"
#include "../study/derived.h"
#include "run.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOK_MS = 50 };

typedef struct team team;

/* A device, and what it does of the present part. */
typedef struct member {
  team *team;
  char number[16];
  omr_engine_options engine;
  omr_study study; /* on this device */
  omr_run_options options;
  omr_integrator *integrator; /* NULL: given up */
  double rows, seconds;       /* of all its runs */
  double done;                /* as its progress counts */
  omr_cut cut;
  omr_result *result;
  omr_status status;
  omr_error error;
  pthread_t thread;
} member;

struct team {
  omr_integrator as;
  const omr_run_options *options; /* the caller's; NULL: none */
  member *members;
  size_t count, runs;
  omr_refined *carry;
  omr_run_record record;
  double work_total, lost; /* lost: done for a run that failed */
  pthread_mutex_t lock;    /* of the members' progress and of the rest */
  pthread_cond_t ended;
  size_t running; /* threads */
  bool stop;      /* they are to end: the caller wants it, or one has failed */
};

static team *team_of(const omr_integrator *integrator) {
  return (team *)(uintptr_t)integrator;
}

/* ---- progress */

static double done_of(const team *t) {
  double done = -t->lost;
  for (size_t i = 0; i < t->count; i++) done += t->members[i].done;
  return done;
}

static bool report(const team *t, double done) {
  const omr_run_options *o = t->options;
  return !o || !o->progress || o->progress(o->progress_user, done, t->work_total);
}

/* A device's progress. While threads work, the thread that waits for them tells the caller. */
static bool on_progress(void *user, double done, double total) {
  (void)total;
  member *m = user;
  team *t = m->team;
  pthread_mutex_lock(&t->lock);
  m->done = done;
  const bool alone = t->running == 0, go_on = !t->stop;
  const double all = done_of(t);
  pthread_mutex_unlock(&t->lock);
  return go_on && (!alone || report(t, all));
}

/* ---- opening */

static omr_status open_member(team *t, const omr_part *part, size_t i, omr_error *error) {
  member *m = &t->members[i];
  const int given = part->study->engine.threads, all = given > 0 ? given : omp_get_max_threads();
  m->team = t;
  m->engine = part->study->engine;
  m->engine.backend = OMR_BACKEND_OPENCL;
  m->engine.device = m->number;
  m->engine.devices = NULL;
  m->engine.threads = all / (int)t->count > 0 ? all / (int)t->count : 1;
  m->study = omr_study_on(part->study, &m->engine);
  m->options = (omr_run_options){.size = sizeof m->options,
                                 .progress = on_progress,
                                 .progress_user = m,
                                 .log = i == 0 && t->options ? t->options->log : NULL};
  omr_part own = *part;
  own.study = &m->study;
  return omr_engine_integrator.open(&own, &m->options, &m->integrator, error);
}

/* The first one's record, with the names of all, their threads, and the time to build them. */
static void sum_records(team *t) {
  omr_run_record *r = &t->record;
  bool alike = true;
  size_t left = 0;
  r->threads = 0;
  r->build_seconds = 0;

  /* add up */
  for (size_t i = 0; i < t->count; i++) {
    const omr_run_record *own = omr_integrator_record(t->members[i].integrator);
    if (left++ == 0) *r = *own, r->threads = 0, r->build_seconds = 0;
    alike = alike && strcmp(own->device, r->device) == 0;
    r->threads += own->threads;
    r->build_seconds += own->build_seconds;
    if (strcmp(own->rounding, "correct") != 0)
      memcpy(r->rounding, own->rounding, sizeof r->rounding);
  }

  /* "2 of NAME", or their names */
  char device[sizeof r->device] = "";
  int length = alike ? snprintf(device, sizeof device, "%zu of %.200s", left, r->device) : 0;
  for (size_t i = 0; !alike && i < t->count && length < (int)sizeof device; i++)
    length += snprintf(device + length, sizeof device - (size_t)length, "%s%s", i ? "; " : "",
                       omr_integrator_record(t->members[i].integrator)->device);
  memcpy(r->device, device, sizeof device);
}

static void log_members(const team *t) {
  FILE *log = t->options ? t->options->log : NULL;
  if (!log) return;
  fprintf(log, "opencl: %zu device%s share%s the run:", t->count, t->count == 1 ? "" : "s",
          t->count == 1 ? "s" : "");
  for (size_t i = 0; i < t->count; i++)
    fprintf(log, "%s %s %s", i ? ";" : "", t->members[i].number,
            omr_integrator_record(t->members[i].integrator)->device);
  fprintf(log, "\n");
}

static void close_team(omr_integrator *integrator) {
  team *t = team_of(integrator);
  for (size_t i = 0; i < t->count; i++) omr_integrator_close(t->members[i].integrator);
  pthread_mutex_destroy(&t->lock);
  pthread_cond_destroy(&t->ended);
  free(t->members);
  free(t);
}

static omr_status open_team(const omr_part *part, const omr_run_options *options,
                            omr_integrator **integrator, omr_error *error) {
  const omr_engine_options *engine = &part->study->engine;
  omr_device_numbers numbers;
  *integrator = NULL;
  omr_status status = omr_opencl_numbers(engine->devices, engine->precision, &numbers, error);
  if (status != OMR_OK) return status;

  /* The members, one after the other: equal devices find the first one's kernels in the cache. */
  team *t = calloc(1, sizeof *t);
  pthread_condattr_t monotonic; /* a clock that is set does not stop the reports */
  if (t) t->members = calloc(numbers.count, sizeof *t->members);
  if (!t || !t->members) {
    free(t);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  t->as.ops = &omr_several_integrator;
  t->options = options;
  t->count = part->rows && part->rows < numbers.count ? part->rows : numbers.count;
  t->work_total = (double)part->rows * omr_study_work(part->study);
  pthread_mutex_init(&t->lock, NULL);
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&t->ended, &monotonic);
  pthread_condattr_destroy(&monotonic);
  for (size_t i = 0; status == OMR_OK && i < t->count; i++) {
    memcpy(t->members[i].number, numbers.number[i], sizeof numbers.number[i]);
    status = open_member(t, part, i, error);
  }
  if (status != OMR_OK) {
    close_team(&t->as);
    return status;
  }
  sum_records(t);
  log_members(t);
  *integrator = &t->as;
  return OMR_OK;
}

/* ---- a run */

/* What a device is expected to do in a second; the mean of the others where it has not run yet. */
static double speed_of(const team *t, const member *m) {
  double rows = 0, seconds = 0;
  if (!m->integrator) return 0;
  if (m->seconds > 0 && m->rows > 0) return m->rows / m->seconds;
  for (size_t i = 0; i < t->count; i++) {
    if (!t->members[i].integrator) continue;
    rows += t->members[i].rows;
    seconds += t->members[i].seconds;
  }
  return seconds > 0 && rows > 0 ? rows / seconds : 1;
}

/* Cuts the part among the members: neighbouring rows for each, as many as its speed asks for. */
static omr_status cut_rows(team *t, const omr_part *part, omr_error *error) {
  double all = 0, before = 0;
  size_t first = 0;
  omr_status status = OMR_OK;
  for (size_t i = 0; i < t->count; i++) all += speed_of(t, &t->members[i]);
  for (size_t i = 0; status == OMR_OK && i < t->count; i++) {
    member *m = &t->members[i];
    before += speed_of(t, m);
    size_t last = (size_t)floor((double)part->rows * (before / all) + 0.5);
    if (last > part->rows || i + 1 == t->count) last = part->rows;
    m->cut = (omr_cut){0};
    if (!m->integrator || last <= first) continue;
    status = omr_cut_make(part, first, last, &m->cut, error);
    first = last;
  }
  return status;
}

static void *work(void *user) {
  member *m = user;
  team *t = m->team;
  const double start = omr_seconds();
  m->status = omr_integrator_run(m->integrator, &m->cut.part, &m->result, &m->error);
  if (m->status == OMR_OK) {
    m->rows += (double)m->cut.part.rows;
    m->seconds += omr_seconds() - start;
  }
  pthread_mutex_lock(&t->lock);
  if (m->status != OMR_OK) t->stop = true;
  t->running--;
  pthread_cond_signal(&t->ended);
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

/* Reports to the caller until the last thread has ended. */
static void wait_for_all(team *t) {
  pthread_mutex_lock(&t->lock);
  while (t->running) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&t->ended, &t->lock, &until);
    const double done = done_of(t);
    pthread_mutex_unlock(&t->lock);
    const bool go_on = report(t, done);
    pthread_mutex_lock(&t->lock);
    if (!go_on) t->stop = true;
  }
  pthread_mutex_unlock(&t->lock);
}

/* Every member that has rows works on them in a thread of its own. */
static void run_members(team *t) {
  bool apart[OMR_MOST_DEVICES] = {false};
  t->running = 1; /* this thread, until all others are there */

  /* begin all of them */
  for (size_t i = 0; i < t->count; i++) {
    member *m = &t->members[i];
    m->status = OMR_OK;
    m->result = NULL;
    m->error = (omr_error){0};
    if (!m->integrator || !m->cut.part.rows) continue;
    pthread_mutex_lock(&t->lock);
    t->running++;
    pthread_mutex_unlock(&t->lock);
    apart[i] = pthread_create(&m->thread, NULL, work, m) == 0;
    if (!apart[i]) work(m); /* the system gives no thread: one after the other */
  }

  /* wait for them */
  pthread_mutex_lock(&t->lock);
  t->running--;
  pthread_mutex_unlock(&t->lock);
  wait_for_all(t);
  for (size_t i = 0; i < t->count; i++)
    if (apart[i]) pthread_join(t->members[i].thread, NULL);
  t->stop = false;
}

/* The failure that made the others end, else a stop. */
static omr_status find_failure(const team *t, omr_error *error) {
  const member *worst = NULL;
  for (size_t i = 0; i < t->count; i++) {
    const member *m = &t->members[i];
    if (m->status == OMR_OK) continue;
    if (!worst || (worst->status == OMR_ERR_INTERRUPTED && m->status != OMR_ERR_INTERRUPTED))
      worst = m;
  }
  if (!worst) return OMR_OK;
  if (error) *error = worst->error;
  return worst->status;
}

/* Devices work side by side: of their times the longest counts. */
static void add_times(omr_run_record *total, const omr_run_record *own) {
  total->prepare_seconds = fmax(total->prepare_seconds, own->prepare_seconds);
  total->kernel_seconds = fmax(total->kernel_seconds, own->kernel_seconds);
  total->transfer_seconds = fmax(total->transfer_seconds, own->transfer_seconds);
  total->work_group = own->work_group;
}

static omr_status join_results(team *t, const omr_part *part, omr_result **result,
                               omr_error *error) {
  size_t row = 0, traced = 0;
  omr_status status = omr_result_make(part, result, error);
  if (status != OMR_OK) return status;
  omr_run_record *r = &(*result)->record, times = {0};
  *r = t->record;
  r->build_seconds = r->prepare_seconds = r->kernel_seconds = r->transfer_seconds = 0;
  for (size_t i = 0; i < t->count; i++) {
    const omr_result *own = t->members[i].result;
    if (!own) continue;
    if (!omr_result_put(*result, row, traced, own))
      return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu rows of the result",
                      part->rows);
    add_times(&times, &own->record);
    row += own->instances;
    traced += own->traced_count;
  }
  add_times(r, &times);
  r->prepare_seconds = times.prepare_seconds;
  omr_result_drop_rare(*result);
  return OMR_OK;
}

static omr_status run_once(team *t, const omr_part *part, omr_result **result, omr_error *error) {
  const double start = omr_seconds(), before = done_of(t);

  /* The first device that is left carries what runs with shorter steps. */
  size_t first = 0;
  while (!t->members[first].integrator) first++;
  if (t->carry) omr_integrator_carry(t->members[first].integrator, t->carry);
  omr_status status = cut_rows(t, part, error);
  if (status == OMR_OK) {
    run_members(t);
    status = find_failure(t, error);
  }
  if (status == OMR_OK) status = join_results(t, part, result, error);
  if (status == OMR_OK) (*result)->record.wall_seconds = omr_seconds() - start;

  /* What was done for a run that failed does not count. */
  if (status != OMR_OK) {
    t->lost += done_of(t) - before;
    (void)report(t, before);
  } else {
    t->carry = NULL;
  }
  for (size_t i = 0; i < t->count; i++) {
    omr_cut_free(&t->members[i].cut);
    t->members[i].cut = (omr_cut){0};
    omr_result_destroy(t->members[i].result);
    t->members[i].result = NULL;
  }

  return status;
}

static bool spares(omr_integrator *integrator) {
  team *t = team_of(integrator);
  FILE *log = t->options ? t->options->log : NULL;
  size_t lost = 0, left = 0;
  for (size_t i = 0; i < t->count; i++)
    left += t->members[i].integrator && !omr_is_of_device(t->members[i].status);
  for (size_t i = 0; left && i < t->count; i++) {
    member *m = &t->members[i];
    if (!m->integrator || !omr_is_of_device(m->status)) continue;
    if (log)
      fprintf(log, "warning: device %s is given up, and %zu other%s go%s on: %.400s\n", m->number,
              left, left == 1 ? "" : "s", left == 1 ? "es" : "", m->error.message);
    omr_integrator_close(m->integrator);
    m->integrator = NULL;
    lost++;
  }
  return lost > 0;
}

static omr_status run_team(omr_integrator *integrator, const omr_part *part, omr_result **result,
                           omr_error *error) {
  team *t = team_of(integrator);
  *result = NULL;
  omr_status status = run_once(t, part, result, error);

  /* Nothing that ran before is in doubt. */
  while (omr_is_of_device(status) && t->runs == 0 && spares(integrator)) {
    omr_result_destroy(*result);
    *result = NULL;
    status = run_once(t, part, result, error);
  }
  if (status != OMR_OK) {
    omr_result_destroy(*result);
    *result = NULL;
  }
  t->runs += status == OMR_OK;
  return status;
}

/* ---- the rest of an integrator */

static void carry(omr_integrator *integrator, omr_refined *refined) {
  team_of(integrator)->carry = refined;
}

static omr_status run_carried(omr_integrator *integrator, omr_run_record *record,
                              omr_error *error) {
  team *t = team_of(integrator);
  omr_status status = OMR_OK;
  for (size_t i = 0; i < t->count; i++) {
    omr_integrator *own = t->members[i].integrator;
    if (!own) continue;
    if (t->carry) omr_integrator_carry(own, t->carry);
    status = omr_integrator_run_carried(own, record, error);
    t->carry = NULL;
    break;
  }
  return status;
}

static size_t capacity(const omr_integrator *integrator) {
  const team *t = team_of(integrator);
  size_t all = 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->members[i].integrator) all += omr_integrator_capacity(t->members[i].integrator);
  return all;
}

static double bytes(const omr_integrator *integrator) {
  const team *t = team_of(integrator);
  double all = 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->members[i].integrator) all += omr_integrator_bytes(t->members[i].integrator);
  return all;
}

static const omr_run_record *record(const omr_integrator *integrator) {
  return &team_of(integrator)->record;
}

/* Each of the devices, but one that has just failed. */
static omr_status check(omr_integrator *integrator, omr_error *error) {
  team *t = team_of(integrator);
  omr_status status = OMR_OK;
  for (size_t i = 0; i < t->count; i++) {
    member *m = &t->members[i];
    if (!m->integrator) continue;
    if (!omr_is_of_device(m->status)) m->status = omr_integrator_check(m->integrator, &m->error);
    if (m->status == OMR_OK || status != OMR_OK) continue;
    status = m->status;
    if (error) *error = m->error;
  }
  return status;
}

static size_t checks(const omr_integrator *integrator) {
  const team *t = team_of(integrator);
  size_t fewest = SIZE_MAX;
  for (size_t i = 0; i < t->count; i++) {
    const size_t own =
        t->members[i].integrator ? omr_integrator_checks(t->members[i].integrator) : SIZE_MAX;
    if (own < fewest) fewest = own;
  }
  return fewest;
}

const omr_integrator_ops omr_several_integrator = {open_team,   close_team, run_team, carry,
                                                   run_carried, capacity,   bytes,    record,
                                                   check,       checks,     NULL,     spares};
