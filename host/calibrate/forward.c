#include "forward.h"

#include "../../kernels/scalar_math.h"
#include "../campaign/integrate.h"
#include "../study/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most numbers of trajectories that are held at a time. */
#define MOST_HELD 2e7

/* ---- the runs */

/* The first instant of poses that begin at 0 says nothing. */
static size_t first_instant(const omr_measured *measured) {
  return measured->world ? 0 : 1;
}

static size_t data_of(const omr_measured *measured) {
  return measured->samples * (measured->instants - first_instant(measured));
}

static omr_status make_run(const char *text, const char *name, size_t number, omr_forward_run *run,
                           omr_error *error) {
  char assignment[40];
  snprintf(assignment, sizeof assignment, "data.run=%zu", number);
  const char *const set[] = {assignment};
  run->number = number;
  const omr_status status = omr_study_parse(text, name, set, 1, &run->study, error);
  if (status != OMR_OK) return status;
  run->compared = omr_study_compared(run->study);
  run->data = data_of(&run->study->measured);
  return OMR_OK;
}

omr_status omr_forward_make(const char *text, const char *name, const omr_study *study,
                            const omr_coordinates *layout, bool held_out, omr_forward *forward,
                            omr_error *error) {
  const omr_measured *measured = &study->measured;
  *forward = (omr_forward){.run = calloc(measured->runs + 1, sizeof *forward->run),
                           .layout = layout,
                           .held_out = held_out};
  if (!forward->run) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = OMR_OK;
  for (size_t r = 0; status == OMR_OK && r < measured->runs; r++) {
    if (measured->run[r].held_out != held_out) continue;
    omr_forward_run *run = &forward->run[forward->runs];
    status = make_run(text, name, r, run, error);
    if (status != OMR_OK) break;
    forward->runs++;
    forward->data += run->data;
  }
  if (status != OMR_OK) omr_forward_free(forward);
  return status;
}

void omr_forward_free(omr_forward *forward) {
  for (size_t r = 0; r < forward->runs; r++) omr_study_destroy(forward->run[r].study);
  free(forward->run);
  *forward = (omr_forward){0};
}

/* ---- what a member leaves */

/* An Ornstein-Uhlenbeck process forgets by exp(-interval/time) from instant to instant; what is
 * new is independent. */
double omr_forward_keeps(const omr_measured *measured, size_t s) {
  const double time = measured->sample[s].correlation_time;
  return time > 0 ? omr_math_exp(-measured->interval / time) : 0;
}

static void compare_sample(const omr_measured *measured, size_t s, const double *given,
                           double *residual, double *off) {
  const size_t first = first_instant(measured);
  const double keep = omr_forward_keeps(measured, s), noise = measured->sample[s].noise;
  const double fresh = 1 / (noise * sqrt(1 - keep * keep));
  const double *value = measured->value + s * measured->instants;
  double before = 0;
  for (size_t i = first; i < measured->instants; i++) {
    const double here = value[i] - given[i];
    residual[i - first] = i == 0 ? here / noise : (here - keep * before) * fresh;
    if (off) off[i - first] = here;
    before = here;
  }
}

/* The trajectory at `place` among those of the result. */
static void compare_member(const omr_study *study, const omr_result *result, size_t place,
                           double *residual, double *off) {
  const omr_measured *measured = &study->measured;
  const size_t each = measured->instants - first_instant(measured);
  for (size_t s = 0; s < measured->samples; s++) {
    const double *given = result->vehicle_samples[measured->sample[s].index];
    compare_sample(measured, s, given + place * result->sample_count, residual + s * each,
                   off ? off + s * each : NULL);
  }
}

static bool is_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Members first .. last-1 through one run. `at` is where its numbers begin in those of a member. */
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
    if (forward->held_out)
      omr_coordinates_in_other(layout, member, j, forward->run[s->run].number, to);
    else
      omr_coordinates_in_run(layout, member, s->run, to);
  }
}

static omr_status run_stretch(omr_forward *forward, const omr_forward_run *run,
                              const omr_run_options *options, const stretch *s, omr_error *error) {
  const size_t count = s->last - s->first;
  size_t *chosen = calloc(count + 1, sizeof *chosen);
  double *known = calloc(count * forward->layout->drawn, sizeof *known);
  if (!chosen || !known) {
    free(chosen);
    free(known);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  for (size_t k = 0; k < count; k++) chosen[k] = k;
  take_coordinates(forward, s, known);
  const omr_study study = omr_study_of_members(&run->compared, count);
  omr_part part = omr_part_traced(&study, chosen, count);
  part.known = known;
  part.known_count = count;
  omr_integrator *integrator = NULL;
  omr_result *result = NULL;
  omr_status status = omr_integrator_open(&part, options, &integrator, error);
  if (status == OMR_OK) status = omr_integrator_run(integrator, &part, &result, error);
  for (size_t k = 0; status == OMR_OK && k < count; k++) {
    double *residual = s->residuals + (s->first + k) * forward->data + s->at;
    double *off = s->errors ? s->errors + (s->first + k) * forward->data + s->at : NULL;
    compare_member(run->study, result, k, residual, off);
    if (result->status[k] != OMR_INSTANCE_OK || !is_finite(residual, run->data))
      s->good[s->first + k] = false;
  }
  if (result) forward->steps += result->record.instance_steps;
  omr_result_destroy(result);
  omr_integrator_close(integrator);
  free(chosen);
  free(known);
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

void omr_forward_given(const omr_forward *forward, const double *off, double *given) {
  for (size_t r = 0; r < forward->runs; r++) {
    const omr_measured *m = &forward->run[r].study->measured;
    const size_t first = first_instant(m);
    for (size_t s = 0; s < m->samples; s++)
      for (size_t i = first; i < m->instants; i++)
        *given++ = m->value[s * m->instants + i] - *off++;
  }
}

void omr_forward_take(omr_forward *forward, const double *values) {
  for (size_t r = 0; r < forward->runs; r++) {
    omr_measured *m = &forward->run[r].study->measured;
    const size_t first = first_instant(m);
    for (size_t s = 0; s < m->samples; s++)
      for (size_t i = first; i < m->instants; i++) m->value[s * m->instants + i] = *values++;
  }
}
