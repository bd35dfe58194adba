#include "step_ladder.h"

#include "../engine/run.h"
#include "../statistics/margin.h"
#include "../study/derived.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAFE 0.9 /* of the accepted error: the aim between two steps */
/* Rungs of tolerances: each an eighth of the one before, of parts of a whole that leaves room
 * above. */
enum { EIGHTH = 8, WHOLE = 1 << 18 };

/* The outcome at a step: the step in parts of the common time, or of a tolerance, its passes, and
 * for each entry of accept and instance the observable's value, or the truth of the criterion. */
typedef struct found {
  uint64_t parts;
  double passes; /* of an instance in a second */
  double *value; /* [accept][instance]; NaN: none */
} found;

typedef struct climb {
  const omr_study *study;
  omr_study some; /* the study on the engine that runs some instances */
  uint64_t common;
  uint64_t by; /* from rung to rung: 2, or EIGHTH */
  double deadline;
  size_t instance[OMR_STEP_SAMPLE_MOST], instances, entries;
  omr_margin *margins; /* [entries], of criteria */
  size_t count;
  found found[OMR_LADDER_RUNGS]; /* the longest step first */
} climb;

static bool in_time(void *user, double done, double total) {
  const climb *c = user;
  (void)done;
  (void)total;
  return omr_seconds() < c->deadline;
}

/* RUNNING */

static omr_status read_values(const climb *c, const omr_result *result, double *value,
                              omr_error *error) {
  double *row = calloc(result->column_count + 2, sizeof *row);
  if (!row) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* Criteria read a whole row. */
  for (size_t k = 0; k < result->instances; k++) {
    for (size_t column = 0; column < result->column_count; column++)
      row[column] = result->columns[column].values[k];

    /* Keep the truth of a criterion, or the value of an observable. */
    for (size_t e = 0; e < c->entries; e++) {
      const omr_accept *accept = &c->study->step_error.accept[e];
      double *to = &value[e * c->instances + k];
      if (accept->of_criterion) {
        const int truth = omr_margin_truth(&c->margins[e], row, result->status[k]);
        *to = truth < 0 ? (double)NAN : truth;
      } else {
        *to = result->status[k] == OMR_INSTANCE_OK && isfinite(row[accept->index])
                  ? row[accept->index]
                  : (double)NAN;
      }
    }
  }

  free(row);
  return OMR_OK;
}

static size_t place_of(const climb *c, uint64_t parts) {
  size_t at = 0;
  while (at < c->count && c->found[at].parts < parts) at++;
  return at;
}

/* Runs the instances with so many steps to the common time, unless this was done.
 * OMR_ERR_INTERRUPTED where time is up. */
static omr_status run(climb *c, uint64_t parts, omr_error *error) {
  const size_t at = place_of(c, parts);
  if (at < c->count && c->found[at].parts == parts) return OMR_OK;
  if (c->count == OMR_LADDER_RUNGS || omr_seconds() >= c->deadline) return OMR_ERR_INTERRUPTED;

  /* A step that the numerics cannot resolve ends the search. */
  const omr_study study = omr_study_with_steps(&c->some, parts, c->common);
  if (study.time.tolerance > OMR_MOST_TOLERANCE ||
      !omr_study_resolves(&study, study.engine.precision, 0))
    return OMR_ERR_INTERRUPTED;
  if (omr_controls_steps(&study) && study.time.tolerance < omr_least_tolerance(study.model))
    return OMR_ERR_INTERRUPTED;

  /* Run the instances and keep their values. */
  const omr_part part = omr_part_choose(&study, c->instance, c->instances);
  const omr_run_options options = {.size = sizeof options, .progress = in_time, .progress_user = c};
  omr_result *result = NULL;
  double *value = calloc(c->entries * c->instances + 1, sizeof *value);
  omr_status status = value ? omr_engine_run_alone(&part, &options, &result, error)
                            : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) status = read_values(c, result, value, error);
  const double passes = status == OMR_OK ? result->record.instance_steps /
                                               ((double)c->instances * study.time.duration)
                                         : 0;
  omr_result_destroy(result);

  if (status != OMR_OK) {
    free(value);
    return status;
  }

  /* The rungs stay in order. */
  memmove(&c->found[at + 1], &c->found[at], (c->count - at) * sizeof *c->found);
  c->found[at] = (found){parts, passes, value};
  c->count++;
  return OMR_OK;
}

/* JUDGING */

/* Whether an instance has a value of the entry at every step. */
static bool has_values(const climb *c, size_t entry, size_t k) {
  for (size_t i = 0; i < c->count; i++)
    if (isnan(c->found[i].value[entry * c->instances + k])) return false;
  return true;
}

/* Mean over the instances of the values at one step less the values at another (steps >= count: 0);
 * sizes: of the sizes of the differences. */
static double mean_difference(const climb *c, size_t entry, size_t one, size_t other, bool sizes) {
  double sum = 0, n = 0;
  for (size_t k = 0; k < c->instances; k++) {
    if (!has_values(c, entry, k)) continue;
    const size_t at = entry * c->instances + k;
    const double d = c->found[one].value[at] - (other < c->count ? c->found[other].value[at] : 0);
    sum += sizes ? fabs(d) : d;
    n += 1;
  }
  return n > 0 ? sum / n : (double)NAN;
}

/* The step with the part 1/by of the parts of the shortest; c->count where it was not run. */
static size_t coarser(const climb *c, uint64_t by) {
  const uint64_t parts = c->found[c->count - 1].parts;
  const size_t at = place_of(c, parts / by);
  return parts % by == 0 && c->found[at].parts == parts / by ? at : c->count;
}

/* The remainder beyond the shortest step, in units of the difference between the two shortest,
 * where each step is half of the one before. */
static double tail_of(const climb *c, size_t entry) {
  const size_t last = c->count - 1, half = coarser(c, c->by), quarter = coarser(c, c->by * c->by);
  const double most = 1 / (sqrt((double)c->by) - 1); /* as step_estimate.h has it: of order 1/2 */
  if (half == c->count || quarter == c->count) return sqrt(1 + most) - 1;
  const double ratio = mean_difference(c, entry, half, last, false) /
                       mean_difference(c, entry, quarter, half, false);
  return ratio > 0 && ratio < 1 ? fmin(ratio / (1 - ratio), most) : ratio >= 1 ? most : 0;
}

/* Error of an entry at a step over the accepted error. */
static double error_of(const climb *c, size_t entry, size_t i) {
  const omr_accept *accept = &c->study->step_error.accept[entry];
  const size_t last = c->count - 1;
  if (accept->of_criterion) return mean_difference(c, entry, i, last, true) / accept->most;
  const size_t half = coarser(c, c->by);
  const double tail =
      half < c->count ? tail_of(c, entry) * mean_difference(c, entry, half, last, false) : 0;
  const double most =
      accept->most *
      (accept->relative ? fabs(mean_difference(c, entry, last, c->count, false)) : 1);
  return fabs(mean_difference(c, entry, i, last, false) + tail) / most;
}

/* The step, or tolerance, of one part. */
static double unit_of(const climb *c) {
  return (omr_controls_steps(c->study) ? c->study->time.tolerance : c->study->time.step) *
         (double)c->common;
}

static omr_rung judge(const climb *c, size_t i) {
  omr_rung rung = {.step = unit_of(c) / (double)c->found[i].parts,
                   .passes = c->found[i].passes,
                   .worst = (double)NAN};
  for (size_t e = 0; e < c->entries; e++) {
    const double error = error_of(c, e, i);
    if (isnan(error) || error <= rung.worst) continue;
    rung.worst = error;
    rung.worst_of = e;
  }
  return rung;
}

/* SEARCHING */

/* Shorter and shorter steps, until one is accepted whose error a shorter one shows, and a third
 * gives the order. */
static omr_status climb_down(climb *c, omr_error *error) {
  omr_status status = run(c, c->common, error);
  for (uint64_t parts = c->by * c->common; status == OMR_OK; parts *= c->by) {
    status = run(c, parts, error);
    if (status == OMR_OK && c->count >= 3 && judge(c, c->count - 2).worst <= 1) break;
  }
  return status;
}

/* Longer and longer steps, as long as they are accepted. */
static omr_status climb_up(climb *c, omr_error *error) {
  omr_status status = OMR_OK;
  while (status == OMR_OK && c->count >= 2 && judge(c, 0).worst <= 1 && c->found[0].parts > 1)
    status = run(c, (c->found[0].parts + c->by - 1) / c->by, error);
  return status;
}

/* Between the longest accepted step and the next one, which is not accepted, where the power law
 * through both meets the aim. */
static omr_status look_between(climb *c, omr_error *error) {
  size_t i = 0;
  while (i < c->count && !(judge(c, i).worst <= 1)) i++;
  if (i == 0 || i == c->count) return OMR_OK;
  const double above = judge(c, i - 1).worst, below = judge(c, i).worst;
  const double from = (double)c->found[i - 1].parts, to = (double)c->found[i].parts;
  if (!(above > below) || !(below > 0) || !isfinite(above)) return OMR_OK;
  const double order = log(above / below) / log(to / from);
  const uint64_t parts = (uint64_t)ceil(from * pow(above / SAFE, 1 / order));
  return parts > c->found[i - 1].parts && parts < c->found[i].parts ? run(c, parts, error) : OMR_OK;
}

/* Beyond the shortest step the error goes on as between the two before it. */
static double extrapolate(const climb *c) {
  const omr_rung one = judge(c, c->count - 2), last = judge(c, c->count - 1);
  if (!(one.worst > last.worst) || !isfinite(one.worst)) return (double)NAN;
  const double order = fmax(0.5, log(one.worst / last.worst) / log(one.step / last.step));
  const double parts = ceil(unit_of(c) / last.step * pow(last.worst / SAFE, 1 / order));
  return unit_of(c) / parts;
}

static void conclude(const climb *c, omr_ladder *ladder) {
  size_t accepted = 0;
  ladder->count = c->count;
  for (size_t i = 0; i < c->count; i++) ladder->rung[i] = judge(c, i);
  while (accepted < c->count && !(ladder->rung[accepted].worst <= 1)) accepted++;
  ladder->extrapolated = accepted == c->count;
  ladder->needed = ladder->extrapolated ? extrapolate(c) : ladder->rung[accepted].step;
  ladder->needed_passes = ladder->extrapolated ? (double)NAN : ladder->rung[accepted].passes;
  ladder->passes = c->found[place_of(c, c->common)].passes;
}

/* OPENING */

/* A few instances run sooner on the processor, where its bits are the device's. */
static omr_study on_processor(const omr_study *study) {
  omr_engine_options engine = study->engine;
  if (engine.numerics != OMR_NUMERICS_EXACT) return *study;
  if (engine.backend == OMR_BACKEND_OPENCL) engine.device = NULL;
  engine.backend = OMR_BACKEND_OPENMP;
  return omr_study_on(study, &engine);
}

static omr_status open_climb(const omr_study *study, double budget, climb *c, omr_error *error) {
  const omr_step_sample sample = omr_step_sample_of(study);
  const bool controlled = omr_controls_steps(study);
  *c = (climb){.study = study,
               .common = controlled ? WHOLE : omr_study_common_steps(study),
               .by = controlled ? EIGHTH : 2,
               .deadline = omr_seconds() + budget};

  /* Choose instances of the step error's sample. */
  c->entries = study->step_error.accept_count;
  c->instances = sample.count < OMR_LADDER_INSTANCES ? sample.count : OMR_LADDER_INSTANCES;
  for (size_t i = 0; i < c->instances; i++)
    c->instance[i] = sample.row[i * sample.count / c->instances];

  /* The accuracy of a criterion is the truth of its margin. */
  c->some = on_processor(study);
  c->margins = calloc(c->entries + 1, sizeof *c->margins);
  if (!c->margins) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  omr_status status = OMR_OK;
  for (size_t e = 0; status == OMR_OK && e < c->entries; e++)
    if (study->step_error.accept[e].of_criterion)
      status = omr_margin_make(study, study->step_error.accept[e].index, &c->margins[e], error);
  return status;
}

static void close_climb(climb *c) {
  for (size_t i = 0; i < c->count; i++) free(c->found[i].value);
  for (size_t e = 0; c->margins && e < c->entries; e++) omr_margin_free(&c->margins[e]);
  free(c->margins);
}

static void say(omr_ladder *ladder, const char *why) {
  snprintf(ladder->why_not, sizeof ladder->why_not, "%.*s", (int)sizeof ladder->why_not - 1, why);
}

omr_status omr_ladder_climb(const omr_study *study, double budget, omr_ladder *ladder,
                            omr_error *error) {
  climb c;
  omr_error own = {0};
  *ladder = (omr_ladder){.needed = (double)NAN};

  /* Some studies have no ladder. */
  if (study->engine.backend == OMR_BACKEND_REFERENCE)
    say(ladder, "the reference takes steps of its own, by its tolerance");
  else if (study->step_error.off)
    say(ladder, "integrator.step_error is \"off\"");
  else if (study->step_error.accept_count == 0)
    say(ladder, "no accuracy is asked for: name one in integrator.accept, {\"OBSERVABLE\": \"2 "
                "%\"}, or give a criterion a threshold");
  if (ladder->why_not[0]) return OMR_OK;

  /* Search while the time lasts. */
  omr_status status = open_climb(study, budget, &c, &own);
  if (status == OMR_OK) status = climb_down(&c, &own);
  if (status == OMR_OK) status = climb_up(&c, &own);
  if (status == OMR_OK) status = look_between(&c, &own);
  ladder->instances = c.instances;

  /* Two rungs give an answer, even if time is up. */
  if (c.count >= 2)
    conclude(&c, ladder);
  else if (status == OMR_ERR_INTERRUPTED)
    say(ladder, "a run of a few instances takes too long for it: run the study, whose result tells "
                "the step error");
  else if (status != OMR_OK)
    say(ladder, own.message);

  close_climb(&c);
  return status == OMR_ERR_MEMORY ? omr_fail(error, status, "%s", own.message) : OMR_OK;
}
