#include "forward.h"

#include "outliers.h"
#include "sensors.h"
#include "summary.h"

#include "../../kernels/scalar_math.h"
#include "../campaign/integrate.h"
#include "../study/derived.h"
#include "../support/phase.h"
#include "../support/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limit of the numbers of trajectories held at a time. */
#define MOST_HELD 2e7

/* ---- the runs */

static omr_status take_measured(omr_forward_run *run, omr_error *error) {
  const omr_measured *measured = &run->study->measured;
  for (size_t s = 0; s < measured->samples; s++) run->data += omr_summary_count(measured, s);
  double *value = run->value = calloc(run->data, sizeof *run->value);
  double *work = malloc(measured->instants * sizeof *work);
  for (size_t s = 0; value && work && s < measured->samples; s++) {
    omr_summary_of(measured, s, measured->value, work, value);
    value += omr_summary_count(measured, s);
  }
  const bool made = value && work;
  free(work);
  return made ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

/* A trajectory has only the samples of the study's contact, drives and floor. */
static omr_status check_samples(const omr_study *study, omr_error *error) {
  for (size_t s = 0; s < study->measured.samples; s++) {
    const omr_measured_sample *sample = &study->measured.sample[s];
    const int of_wheel = sample->index - OMR_VS_COUNT;
    if (of_wheel < 0 ? omr_has_vehicle_sample(study, sample->index)
                     : omr_has_wheel_sample(study, of_wheel))
      continue;
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: data.measured[%zu]: the study has no \"%s\" (%s); leave it out, or write "
                    "the part of the study that has it",
                    study->name, s, sample->name,
                    omr_measured_info(study->frame, sample->index).meaning);
  }
  return OMR_OK;
}

/* Adds a run, the study read with `count` assignments. */
static omr_status add_run(omr_forward *forward, const omr_study *study, const char *const *set,
                          size_t count, omr_error *error) {
  omr_forward_run *run = &forward->run[forward->runs++];
  omr_status status = omr_study_parse(study->text, study->name, set, count, &run->study, error);
  if (status != OMR_OK) return status;
  run->compared = omr_study_compared(run->study);
  status = check_samples(run->study, error);
  if (status == OMR_OK) status = take_measured(run, error);
  forward->data += run->data;
  return status;
}

/* Reads the study once for each run of this kind. */
static omr_status add_runs(omr_forward *forward, const omr_study *study, bool held_out,
                           const char *interval, omr_error *error) {
  const omr_measured *measured = &study->measured;
  forward->run = calloc(measured->runs + 1, sizeof *forward->run);
  if (!forward->run) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = OMR_OK;
  for (size_t r = 0; status == OMR_OK && r < measured->runs; r++) {
    if (measured->run[r].held_out != held_out) continue;

    /* Assignments choose the run and its interval. */
    char assignment[40];
    snprintf(assignment, sizeof assignment, "data.run=%zu", r);
    const char *const set[] = {assignment, interval};
    forward->run[forward->runs].number = r;
    status = add_run(forward, study, set, interval ? 2 : 1, error);
  }

  if (status != OMR_OK) omr_forward_free(forward);
  return status;
}

omr_status omr_forward_make(const omr_study *study, const omr_coordinates *layout, bool held_out,
                            omr_forward *forward, omr_error *error) {
  *forward = (omr_forward){.layout = layout};
  return add_runs(forward, study, held_out, NULL, error);
}

omr_status omr_forward_make_finer(const omr_study *study, const omr_coordinates *layout,
                                  size_t split, omr_forward *forward, omr_error *error) {
  char interval[64];
  snprintf(interval, sizeof interval, "data.interval=%.17g",
           study->measured.interval / (double)split);
  *forward = (omr_forward){.layout = layout};
  return add_runs(forward, study, false, interval, error);
}

omr_status omr_forward_plan(const omr_study *study, const omr_coordinates *layout,
                            const char *const *set, size_t count, omr_forward *forward,
                            omr_error *error) {
  *forward = (omr_forward){.run = calloc(1, sizeof *forward->run), .layout = layout};
  if (!forward->run) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status = add_run(forward, study, set, count, error);
  if (status != OMR_OK) omr_forward_free(forward);
  return status;
}

void omr_forward_free(omr_forward *forward) {
  for (size_t r = 0; r < forward->runs; r++) {
    omr_study_destroy(forward->run[r].study);
    free(forward->run[r].value);
  }
  free(forward->run);
  *forward = (omr_forward){0};
}

/* ---- a member's residuals */

/* An Ornstein-Uhlenbeck process forgets by exp(-interval/time) from instant to instant; its new
 * part is independent. */
double omr_forward_keeps(const omr_measured *measured, size_t s) {
  const double time = measured->sample[s].correlation_time;
  return time > 0 ? omr_math_exp(-measured->interval / time) : 0;
}

/* value: the measured values; off: the readings of the model's sensor, which become the
 * differences; before: the noise of the instant before the first, which the pose at the start has.
 */
static void compare_sample(const omr_measured *measured, size_t s, const double *value,
                           double before, double *residual, double *off) {
  const size_t count = omr_summary_count(measured, s);
  const bool alone = omr_summary_starts_alone(measured, s);
  const double keep = omr_forward_keeps(measured, s), noise = measured->sample[s].noise;
  const double fresh = 1 / (noise * sqrt(1 - keep * keep));
  for (size_t i = 0; i < count; i++) {
    const double here = off[i] = value[i] - off[i];
    residual[i] = i == 0 && alone ? here / noise : (here - keep * before) * fresh;
    before = here;
  }
}

/* Readings [samples][instants] of one member; work [instants]. */
static void compare_member(const omr_forward_run *run, const omr_sensed *sensed, const double *told,
                           double *work, double *residual, double *off) {
  const omr_measured *measured = &run->study->measured;
  for (size_t s = 0, at = 0; s < measured->samples; s++) {
    omr_summary_of(measured, s, told, work, off + at);
    compare_sample(measured, s, run->value + at, sensed->value[OMR_UNKNOWN_START_ERROR][s],
                   residual + at, off + at);
    at += omr_summary_count(measured, s);
  }
}

static bool is_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Members first .. last-1 through one run. `at`: the beginning of its numbers among a member's. */
typedef struct stretch {
  const double *coordinates;
  size_t first, last, at, run; /* run: in the forward's list */
  double *residuals, *errors;
  bool *good;
} stretch;

static void take_coordinates(const omr_forward *forward, const stretch *s, double *known) {
  const omr_coordinates *layout = forward->layout;
  const size_t all = omr_coordinates_all(layout);
  for (size_t j = s->first; j < s->last; j++) {
    const double *member = s->coordinates + j * all;
    double *to = known + (j - s->first) * layout->drawn;
    omr_coordinates_in_run(layout, member, j, forward->run[s->run].number, to);
  }
}

/* Member k of the stretch. The readings have room for [samples + 1][instants] and for the numbers
 * that the run adds. */
static void compare_result(const omr_forward *forward, const omr_result *result, const stretch *s,
                           size_t k, double *told) {
  const omr_forward_run *run = &forward->run[s->run];
  const size_t number = s->first + k, at = number * forward->data + s->at;
  const double *member = s->coordinates + number * omr_coordinates_all(forward->layout);
  double *residual = s->residuals + at;
  omr_sensed sensed;

  /* The member's clocks and sensors in this run. */
  omr_coordinates_sense(forward->layout, member, number, run->number, &sensed);
  omr_sensors_tell(run->study, result, k, &sensed, told);

  /* Compare their readings with the measured values. */
  const size_t instants = run->study->measured.instants;
  double *work = told + run->study->measured.samples * instants, *off = work + instants;
  compare_member(run, &sensed, told, work, residual, off);
  if (s->errors) memcpy(s->errors + at, off, run->data * sizeof *off);

  /* A run that failed, or is not finite, spoils the member. */
  if (result->status[k] != OMR_INSTANCE_OK || omr_phase_fails("member", number) ||
      !is_finite(residual, run->data))
    s->good[number] = false;
}

static omr_status run_stretch(omr_forward *forward, const omr_forward_run *run,
                              const omr_run_options *options, const stretch *s, omr_error *error) {
  const size_t count = s->last - s->first;
  const omr_measured *measured = &run->study->measured;
  const size_t readings = (measured->samples + 1) * measured->instants + run->data;
  omr_pool memory = {0};
  size_t *chosen = omr_pool_take(&memory, count, sizeof *chosen);
  double *known = omr_pool_take(&memory, count * forward->layout->drawn, sizeof *known);
  double *told = omr_pool_take(&memory, readings, sizeof *told);
  if (memory.failed) {
    omr_pool_free(&memory);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }

  /* The members of the stretch run at once, at their coordinates. */
  for (size_t k = 0; k < count; k++) chosen[k] = k;
  take_coordinates(forward, s, known);
  const omr_study study = omr_study_of_members(&run->compared, count);
  omr_part part = omr_part_traced(&study, chosen, count);
  part.known = known;
  part.known_count = count;

  /* Integrate, and compare each result. */
  omr_integrator *integrator = NULL;
  omr_result *result = NULL;
  omr_status status = omr_integrator_open(&part, options, &integrator, error);
  if (status == OMR_OK) status = omr_integrator_run(integrator, &part, &result, error);
  for (size_t k = 0; status == OMR_OK && k < count; k++)
    compare_result(forward, result, s, k, told);

  if (result) forward->steps += result->record.instance_steps;
  omr_result_destroy(result);
  omr_integrator_close(integrator);
  omr_pool_free(&memory);
  return status;
}

/* Members whose trajectories are held at a time. */
static size_t at_a_time(const omr_forward_run *run) {
  const double each = (double)run->study->measured.instants *
                      (OMR_VS_COUNT + OMR_WS_COUNT * (double)run->study->wheels);
  return (size_t)fmax(MOST_HELD / each, 16);
}

omr_status omr_forward_run_members(omr_forward *forward, const double *coordinates, size_t members,
                                   const omr_run_options *options, double *residuals,
                                   double *errors, bool *good, omr_error *error) {
  omr_status status = OMR_OK;
  size_t at = 0;
  for (size_t j = 0; j < members; j++) good[j] = true;
  for (size_t r = 0; r < forward->runs; r++) {
    const omr_forward_run *run = &forward->run[r];
    const size_t most = at_a_time(run);
    for (size_t first = 0; status == OMR_OK && first < members; first += most) {
      const size_t last = first + most < members ? first + most : members;
      const stretch s = {coordinates, first, last, at, r, residuals, errors, good};
      status = run_stretch(forward, run, options, &s, error);
    }
    if (status != OMR_OK) return status;
    at += run->data;
  }
  return OMR_OK;
}

/* ---- measured values */

bool omr_forward_next(const omr_forward *forward, omr_forward_series *s) {
  s->at += s->count;
  if (s->measured && ++s->sample == s->measured->samples) {
    s->run++;
    s->sample = 0;
  }
  if (s->run == forward->runs) return false;
  const omr_forward_run *run = &forward->run[s->run];
  s->value = s->sample > 0 ? s->value + s->count : run->value;
  s->measured = &run->study->measured;
  s->count = omr_summary_count(s->measured, s->sample);
  return true;
}

void omr_forward_given(const omr_forward *forward, const double *off, double *given) {
  for (size_t r = 0; r < forward->runs; r++)
    for (size_t i = 0; i < forward->run[r].data; i++) *given++ = forward->run[r].value[i] - *off++;
}

void omr_forward_thin(const omr_forward *finer, size_t split, const double *numbers,
                      const omr_forward *forward, double *thin) {
  omr_forward_series from = {0};
  for (omr_forward_series s = {0};
       omr_forward_next(forward, &s) && omr_forward_next(finer, &from);) {
    const bool end = s.measured->sample[s.sample].compared == OMR_COMPARE_END;
    const size_t first = s.measured->instants - s.count;
    for (size_t i = 0; i < s.count; i++)
      thin[s.at + i] = numbers[from.at + (end ? 0 : (i + first) * split - first)];
  }
}

void omr_forward_take(omr_forward *forward, const double *values) {
  for (size_t r = 0; r < forward->runs; r++) {
    memcpy(forward->run[r].value, values, forward->run[r].data * sizeof *values);
    values += forward->run[r].data;
  }
}

static void change(const omr_forward *forward, size_t members, double *residuals,
                   double (*made_of)(double share, double residual)) {
  for (size_t j = 0; j < members; j++, residuals += forward->data)
    for (omr_forward_series s = {0}; omr_forward_next(forward, &s);) {
      const double share = s.measured->sample[s.sample].outliers;
      for (size_t i = s.at; share > 0 && i < s.at + s.count; i++)
        residuals[i] = made_of(share, residuals[i]);
    }
}

void omr_forward_score(const omr_forward *forward, size_t members, double *residuals) {
  change(forward, members, residuals, omr_outliers_score);
}

void omr_forward_clip(const omr_forward *forward, size_t members, double *residuals) {
  change(forward, members, residuals, omr_outliers_clip);
}
