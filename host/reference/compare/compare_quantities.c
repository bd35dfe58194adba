/* The compared quantities, and one backend's runs against the reference, quantity by quantity. */
#include "compare.h"

#include "model/small.h"
#include "study/tables/replay.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An exchange moves the contact to another place: slip, forces and all loads jump; velocities jump
 * if the law has impacts. */
static omr_abrupt abrupt_of(const omr_study *study, omr_quantity_place place, int index) {
  const bool impacts = !omr_law_is_friction(study->contact.law) && study->contact.impact;

  /* the vehicle: velocities by impacts, accelerations and loads always */
  if (place == OMR_Q_VEHICLE) {
    if (index == OMR_VS_VX || index == OMR_VS_VZ || index == OMR_VS_YAW_RATE)
      return impacts ? OMR_ABRUPT_VEHICLE : OMR_ABRUPT_NEVER;
    if (index == OMR_VS_SERVO || index == OMR_VS_AX || index == OMR_VS_AZ ||
        index == OMR_VS_YAW_ACCELERATION)
      return OMR_ABRUPT_VEHICLE;
  }

  if (place != OMR_Q_WHEEL) return OMR_ABRUPT_NEVER;
  switch (index) {
  case OMR_WS_ANGLE: return OMR_ABRUPT_NEVER;
  case OMR_WS_TORQUE: /* a drive with a prescribed rate bears the torque of the contact */
    return omr_study_is_rated(study) ? OMR_ABRUPT_VEHICLE : OMR_ABRUPT_NEVER;
  case OMR_WS_RATE: return impacts ? OMR_ABRUPT_VEHICLE : OMR_ABRUPT_NEVER;
  case OMR_WS_CONTACT_ANGLE:
  case OMR_WS_FRICTION: return OMR_ABRUPT_WHEEL;
  case OMR_WS_SPIN:
  case OMR_WS_SLIP_I:
  case OMR_WS_SLIP_K: return impacts ? OMR_ABRUPT_VEHICLE : OMR_ABRUPT_WHEEL;
  default: return OMR_ABRUPT_VEHICLE;
  }
}

static void add(omr_comparison *c, omr_quantity_place place, int index, const char *name,
                const char *unit) {
  c->quantities[c->quantity_count++] =
      (omr_quantity){place, index, name, unit, abrupt_of(&c->study[0], place, index)};
}

/* True if all results have the samples of a wheel; edge_holds shows if some lack a rare series. */
static bool all_have(const omr_comparison *c, int index) {
  bool all = c->reference.result->wheel_samples[index] != NULL;
  for (size_t i = 0; i < c->run_count; i++) {
    for (int half = 0; half < 2 && !c->runs[i].skipped[0]; half++)
      all = all && c->runs[i].results[half]->wheel_samples[index];
  }
  return all;
}

/* Lists samples in the order of their lists, then the study's observables. Rollers are compared
 * separately. */
omr_status omr_compare_quantities_make(omr_comparison *c, omr_error *error) {
  const omr_result *r = c->reference.result;
  const size_t most = (size_t)r->small_sample_count + OMR_VS_COUNT + OMR_WS_COUNT + r->column_count;
  c->quantities = omr_pool_take(&c->memory, most, sizeof *c->quantities);
  if (!c->quantities) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for a comparison");
  for (int j = 0; j < r->small_sample_count; j++)
    add(c, OMR_Q_SMALL, j, r->small_info[j].name, r->small_info[j].unit);
  for (int j = 0; j < OMR_VS_COUNT; j++)
    if (r->vehicle_samples[j])
      add(c, OMR_Q_VEHICLE, j, omr_result_vehicle_sample(r, j).name, omr_vehicle_samples[j].unit);
  for (int j = 0; j < OMR_WS_COUNT; j++)
    if (j != OMR_WS_ROLLER && all_have(c, j))
      add(c, OMR_Q_WHEEL, j, omr_result_wheel_sample(r, j).name, omr_wheel_samples[j].unit);
  for (size_t j = r->parameter_count; j < r->column_count; j++)
    add(c, OMR_Q_OBSERVABLE, (int)j, r->columns[j].name, r->columns[j].unit);
  return OMR_OK;
}

/* Samples of one instance; *count receives their number. */
static const double *series(const omr_result *r, const omr_quantity *q, size_t row, size_t *count) {
  const size_t wheels = q->place == OMR_Q_WHEEL ? (size_t)r->wheels : 1;
  const double *values = q->place == OMR_Q_SMALL     ? r->small_samples[q->index]
                         : q->place == OMR_Q_VEHICLE ? r->vehicle_samples[q->index]
                                                     : r->wheel_samples[q->index];
  *count = r->sample_count * wheels;
  return values + row * *count;
}

/* Largest size among the reference's samples of this unit. */
static double size_of_unit(const omr_comparison *c, const char *unit, size_t row) {
  double size = 0;
  for (size_t i = 0; i < c->quantity_count; i++) {
    const omr_quantity *q = &c->quantities[i];
    size_t count;
    if (q->place == OMR_Q_OBSERVABLE || strcmp(q->unit, unit) != 0) continue;
    const double *values = series(c->reference.result, q, row, &count);
    const omr_extent extent = omr_extent_of(values, count);
    size = fmax(size, fmax(extent.size, omr_extent_range(extent)));
  }
  return size;
}

/* Size of a unit by other units: by the duration for ways, velocities and accelerations, by forces
 * and lengths for torques and energies. */
static double size_by_others(const omr_comparison *c, const char *unit, size_t row) {
  const double duration = c->study[0].time.duration;
  static const char *const rates[][2] = {
      {"m s-1", "m"}, {"m s-2", "m s-1"}, {"rad s-1", "rad"}, {"rad s-2", "rad s-1"}};
  double size = 0;
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    if (strcmp(unit, rates[i][0]) == 0)
      size = fmax(size, size_of_unit(c, rates[i][1], row) / duration);
    if (strcmp(unit, rates[i][1]) == 0)
      size = fmax(size, size_of_unit(c, rates[i][0], row) * duration);
  }
  if (size > 0) return size;
  if (strcmp(unit, "N m") == 0 || strcmp(unit, "J") == 0)
    return size_of_unit(c, "N", row) * size_of_unit(c, "m", row);
  return 0;
}

/* If everything of a unit is rounding compared to its size by other units, that size counts. */
static double size_of_kin(const omr_comparison *c, const char *unit, size_t row) {
  const double own = size_of_unit(c, unit, row), others = size_by_others(c, unit, row);
  return own < OMR_SCALE_TINY * others ? others : own;
}

/* An observable has no range over time: its scale is its own size and the size of its kin, samples
 * and observables (energies). */
static omr_measure observable_scale(const omr_comparison *c, const omr_quantity *q, size_t row) {
  const omr_result *r = c->reference.result;
  const double own = fabs(r->columns[q->index].values[row]);
  const bool number = strcmp(q->unit, "1") == 0;
  double kin = number ? 1 : size_of_unit(c, q->unit, row);
  for (size_t j = r->parameter_count; j < r->column_count && !number; j++) {
    const double value = fabs(r->columns[j].values[row]);
    if (isfinite(value) && strcmp(r->columns[j].unit, q->unit) == 0) kin = fmax(kin, value);
  }
  const double others = number ? 0 : size_by_others(c, q->unit, row);
  if (kin < OMR_SCALE_TINY * others) kin = others;
  if (own > 0 && own >= kin) return (omr_measure){own, OMR_SCALE_RANGE};
  return omr_measure_of(0, kin);
}

typedef struct masks {
  unsigned char *wheel, *vehicle,
      *all; /* [times * wheels], [times], and the vehicle's for every wheel */
} masks;

/* One pair of results to compare: a is taken as right. */
typedef struct pair {
  const omr_result *a, *b;
  masks masks;
  double until;
} pair;

static bool rests(const omr_result *r, size_t at) {
  return r->wheel_samples[OMR_WS_EDGE_SHARE] && !isnan(r->wheel_samples[OMR_WS_EDGE_SHARE][at]);
}

/* Masks samples at which a wheel rests on two rollers in only one of the results, because it
 * bounced a little longer in the other: forces and accelerations belong to one roller there and are
 * the mean of two here. */
static void mask_rests(pair *p, size_t times, size_t wheels, size_t at) {
  for (size_t s = 0; s < times; s++) {
    for (size_t i = 0; i < wheels; i++) {
      const size_t one = s * wheels + i;
      if (rests(p->a, at + one) == rests(p->b, at + one)) continue;
      p->masks.wheel[one] = p->masks.vehicle[s] = 1;
    }
  }
}

static void compare_rollers(const omr_comparison *c, pair *p, size_t row,
                            omr_roller_mismatch *found) {
  const omr_result *a = p->a, *b = p->b;
  const size_t times = a->sample_count, wheels = (size_t)a->wheels, at = row * times * wheels;

  if (!wheels || !a->wheel_samples[OMR_WS_ROLLER]) return;
  /* a difference of wheel angles may move a contact beyond its edge by this angle; an exchange may
   * be a step late */
  const double slack = 1e-5, step = omr_study_tick(&c->study[0]);

  const omr_roller_series series = {
      .roller = {a->wheel_samples[OMR_WS_ROLLER] + at, b->wheel_samples[OMR_WS_ROLLER] + at},
      .angle = {a->wheel_samples[OMR_WS_CONTACT_ANGLE] + at,
                b->wheel_samples[OMR_WS_CONTACT_ANGLE] + at},
      .rate = a->wheel_samples[OMR_WS_RATE] + at,
      .time = a->sample_time,
      .times = times,
      .wheels = (int)wheels};

  /* mask wheels with different rollers, and everything when any wheel has one */
  *found = omr_rollers_compare(&series, step, slack, p->masks.wheel, p->masks.vehicle);
  mask_rests(p, times, wheels, at);
  for (size_t s = 0; s < times; s++) memset(p->masks.all + s * wheels, p->masks.vehicle[s], wheels);
}

static const unsigned char *mask_of(const pair *p, const omr_quantity *q) {
  if (q->abrupt == OMR_ABRUPT_NEVER || !p->a->wheels || !p->a->wheel_samples[OMR_WS_ROLLER])
    return NULL;
  if (q->place == OMR_Q_VEHICLE) return p->masks.vehicle;
  return q->abrupt == OMR_ABRUPT_WHEEL ? p->masks.wheel : p->masks.all;
}

static omr_difference difference(const pair *p, const omr_quantity *q, size_t row) {
  size_t count;
  if (q->place == OMR_Q_OBSERVABLE)
    return omr_difference_of(&p->a->columns[q->index].values[row],
                             &p->b->columns[q->index].values[row], &p->a->status_time[row], 1, 1,
                             NULL, HUGE_VAL);
  const double *a = series(p->a, q, row, &count), *b = series(p->b, q, row, &count);
  return omr_difference_of(a, b, p->a->sample_time, p->a->sample_count,
                           q->place == OMR_Q_WHEEL ? p->a->wheels : 1, mask_of(p, q), p->until);
}

static bool reference_has(const omr_comparison *c, const omr_quantity *q, size_t row) {
  size_t count;
  const omr_result *r = c->reference.result;
  if (q->place == OMR_Q_OBSERVABLE) return isfinite(r->columns[q->index].values[row]);
  const double *values = series(r, q, row, &count);
  return omr_extent_of(values, count).count > 0;
}

static omr_measure scale_of(const omr_comparison *c, const omr_quantity *q, size_t row) {
  size_t count;
  if (q->place == OMR_Q_OBSERVABLE) return observable_scale(c, q, row);
  const double *values = series(c->reference.result, q, row, &count);
  return omr_measure_of(omr_extent_range(omr_extent_of(values, count)),
                        size_of_kin(c, q->unit, row));
}

/* What is left of the difference without the allowed multiple of the step error. */
static double beyond_step(const omr_compared *d, double allowed) {
  return d->model.largest - allowed * (d->step.compared ? d->step.largest : 0);
}

/* A value on one side only is a difference; for an observable only if the engine lacks it. */
static bool judge(const omr_compared *d, double tolerance, double allowed) {
  if (isinf(tolerance)) return false;
  if (d->model.one_sided) return true;
  if (!d->model.compared) return false;
  return !(beyond_step(d, allowed) <= tolerance * d->scale.value);
}

/* True if the reference's own error may explain the whole difference. */
static bool own_error_may_be_all(const omr_compared *d, double tolerance, double allowed) {
  if (d->model.one_sided) return d->own.one_sided > 0;
  if (!d->own.compared) return false;
  return beyond_step(d, allowed) - OMR_COMPARE_OWN * d->own.largest <= tolerance * d->scale.value;
}

/* Keeps the largest of a kind of differences of a run, relative to its scale. */
static void note_largest(const omr_difference *d, const omr_quantity *q, double scale,
                         double *largest, const omr_quantity **worst) {
  const double size = d->largest / scale;
  if (!d->compared || (*worst && !(size > *largest))) return;
  *worst = q;
  *largest = size;
}

/* At an edge that attracts from both sides a wheel bounces until a bounce is shorter than a step:
 * the number of bounces says nothing about the model, and the step error meanwhile is erratic. */
static bool is_held(const omr_compared_instance *k) {
  return k->holds[0] > 0 || k->holds[1] > 0;
}

static bool counts_exchanges(const omr_quantity *q) {
  return q->place == OMR_Q_OBSERVABLE &&
         (strcmp(q->name, omr_observables[OMR_OBS_EXCHANGES].name) == 0 ||
          strcmp(q->name, omr_observables[OMR_OBS_EDGE_HOLDS].name) == 0);
}

static void compare_quantity(const omr_comparison *c, omr_compared_run *run,
                             const pair pairs[OMR_PAIRS], size_t row, size_t number) {
  const omr_quantity *q = &c->quantities[number];
  omr_compared *d = &run->instances[row].quantities[number];

  /* only quantities that the reference has are judged */
  if (!reference_has(c, q, row)) return;
  d->there = true;
  d->scale = scale_of(c, q, row);
  if (q->place == OMR_Q_OBSERVABLE) {
    d->reference = c->reference.result->columns[q->index].values[row];
    for (int half = 0; half < 2; half++)
      d->fast[half] = run->results[half]->columns[q->index].values[row];
  }

  /* the differences of all pairs */
  d->whole = difference(&pairs[OMR_PAIR_WHOLE], q, row);
  d->step = difference(&pairs[OMR_PAIR_STEP], q, row);
  d->model = difference(&pairs[OMR_PAIR_MODEL], q, row);
  d->own = difference(&pairs[OMR_PAIR_OWN], q, row);

  /* a wheel at rest on an edge leaves counts of exchanges open */
  const bool held = is_held(&run->instances[row]);
  if (held && counts_exchanges(q)) return;

  /* beyond the step error and the tolerance it differs */
  const double allowed = held ? OMR_COMPARE_HELD : OMR_COMPARE_STEP, scale = d->scale.value;
  d->differs = judge(d, run->tolerance, allowed);
  d->limited = d->differs && own_error_may_be_all(d, run->tolerance, allowed);
  run->differs |= d->differs;
  run->limited &= !d->differs || d->limited;

  note_largest(&d->model, q, scale, &run->largest_model, &run->worst_model);
  note_largest(&d->step, q, scale, &run->largest_step, &run->worst_step);
  note_largest(&d->own, q, scale, &run->largest_own, &run->worst_own);
}

static double edge_holds(const omr_result *r, size_t row) {
  for (size_t j = r->parameter_count; j < r->column_count; j++)
    if (strcmp(r->columns[j].name, omr_observables[OMR_OBS_EDGE_HOLDS].name) == 0)
      return r->columns[j].values[row];
  return (double)NAN;
}

/* The engine checks loads at the ends of steps, the reference finds the time itself. */
static void compare_status(const omr_comparison *c, const omr_compared_run *run, size_t row,
                           omr_compared_instance *k) {
  const omr_result *results[4] = {c->reference.result, run->results[0], run->results[1],
                                  c->again.result};
  for (int i = 0; i < 4; i++) {
    k->status[i] = results[i]->status[row];
    k->end[i] = results[i]->status_time[row];
  }
  const double slack = isinf(run->tolerance) ? 0 : run->tolerance * c->study[0].time.duration;
  const double near = 2 * omr_study_tick(&c->study[0]) + fabs(k->end[1] - k->end[2]) + slack;
  /* if the runs at h and h/2 end differently, neither end says anything about the model */
  const bool known = k->status[0] == k->status[1] || k->status[0] == k->status[2];
  k->status_differs =
      !known || !(fmin(fabs(k->end[0] - k->end[1]), fabs(k->end[0] - k->end[2])) <= near);
  if (k->status[0] == OMR_INSTANCE_INVALID)
    k->status_differs = k->status[2] != OMR_INSTANCE_INVALID;
}

/* Ends and rollers in which the two integrations of the reference differ, too, are not the
 * engine's. */
static void judge_ends_and_rollers(omr_compared_run *run, const omr_compared_instance *k) {
  if (isinf(run->tolerance)) return;
  const bool rollers =
      k->rollers[OMR_PAIR_MODEL].unexplained > 0 && k->rollers[OMR_PAIR_STEP].unexplained == 0;
  run->differs |= k->status_differs || rollers;
  if (k->status_differs && k->status[3] == k->status[0]) run->limited = false;
  if (rollers && k->rollers[OMR_PAIR_OWN].unexplained == 0) run->limited = false;
}

static void compare_instance(omr_comparison *c, omr_compared_run *run, pair pairs[OMR_PAIRS],
                             size_t row) {
  omr_compared_instance *k = &run->instances[row];
  k->instance = c->instances[row];
  compare_status(c, run, row, k);
  for (int half = 0; half < 2; half++) k->holds[half] = edge_holds(run->results[half], row);
  if (k->status[0] == OMR_INSTANCE_INVALID) {
    judge_ends_and_rollers(run, k);
    return;
  }
  const double near = 2 * omr_study_tick(&c->study[0]);
  for (int i = 0; i < OMR_PAIRS; i++) {
    const double end = i == OMR_PAIR_OWN ? k->end[3] : fmin(k->end[1], k->end[2]);
    pairs[i].until = fmin(k->end[0], end) - near;
    compare_rollers(c, &pairs[i], row, &k->rollers[i]);
  }
  judge_ends_and_rollers(run, k);
  for (size_t i = 0; i < c->quantity_count; i++) compare_quantity(c, run, pairs, row, i);
}

omr_status omr_compare_run(omr_comparison *c, omr_compared_run *run, omr_error *error) {
  const omr_result *reference = c->reference.result;
  const size_t times = reference->sample_count,
               cells = times * (size_t)(reference->wheels ? reference->wheels : 1);
  unsigned char *memory = omr_pool_take(&c->memory, OMR_PAIRS * (2 * cells + times), 1);
  omr_compared *quantities =
      omr_pool_take(&c->memory, c->count * c->quantity_count, sizeof *quantities);
  run->instances = omr_pool_take(&c->memory, c->count, sizeof *run->instances);
  if (c->memory.failed)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the comparison of %zu instances",
                    c->count);

  /* the four pairs, each with masks of its own in one block */
  pair pairs[OMR_PAIRS] = {[OMR_PAIR_WHOLE] = {.a = reference, .b = run->results[0]},
                           [OMR_PAIR_STEP] = {.a = run->results[1], .b = run->results[0]},
                           [OMR_PAIR_MODEL] = {.a = reference, .b = run->results[1]},
                           [OMR_PAIR_OWN] = {.a = reference, .b = c->again.result}};
  for (size_t i = 0; i < OMR_PAIRS; i++) {
    unsigned char *at = memory + i * (2 * cells + times);
    pairs[i].masks = (masks){at, at + cells, at + cells + times};
  }

  /* compare all instances */
  run->limited = true;
  for (size_t row = 0; row < c->count; row++) {
    run->instances[row].quantities = quantities + row * c->quantity_count;
    compare_instance(c, run, pairs, row);
  }
  run->limited &= run->differs;
  return OMR_OK;
}
