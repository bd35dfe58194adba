/* Batches that the caller steps (include/omniroll/batch.h): opened, reset and integrated. A vehicle
 * has the same columns as in a run, and UNTIL, the step up to which it goes, so that vehicles that
 * were reset start at their own time 0. */
#include "stepped.h"

#include "../../kernels/layout.h"
#include "../model/prepare.h"
#include "../model/small.h"

#include <math.h>
#include <omniroll/batch.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE 1e-6 /* how far from a whole number of steps a time may be, steps */
#define MOST_SINGLE 0x1p24
#define MOST_DOUBLE 0x1p40 /* with passes and substeps, far below 2^53 */

/* A call that fails halfway leaves vehicles at different instants. */
static omr_status halfway(omr_stepped_batch *b, omr_status status) {
  b->broken |= status != OMR_OK;
  return status;
}

static omr_status check_study(const omr_study *study, omr_error *error) {
  if (!study->wheels)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: a batch steps vehicles, omni wheels and disc vehicles, and the model %s "
                    "is none of them",
                    study->name, omr_model_names[study->model]);
  if (omr_controls_steps(study))
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: a batch takes fixed steps, so that inputs change between two of them: "
                    "give integrator.step in place of integrator.tolerance",
                    study->name);
  if (study->time.budget > 0)
    return omr_fail(
        error, OMR_ERR_USAGE,
        "%s: integrator.budget counts the passes of a run, and a batch has no end: leave it out",
        study->name);
  if (study->on_failure == OMR_FAILURE_RETRY)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: a batch does not run failed vehicles again with shorter steps: say "
                    "integrator.on_failure \"record\"",
                    study->name);
  return OMR_OK;
}

/* Prepares a vehicle at its start; one that cannot be made has the status INVALID. */
static void prepare(omr_stepped_batch *b, size_t slot, size_t instance) {
  omr_engine *r = b->engine;
  omr_values values;
  char reason[400];
  size_t at;
  omr_batch block = omr_batch_block(&r->settings, &r->batch, slot, &at);
  r->index[slot] = instance;
  omr_part_values(&r->part, instance, &values, r->drawn + slot * r->study->variation_count);
  omr_prepare_instance(r->study, &r->settings, &values, &block, at, reason, sizeof reason);
  r->energy[slot] = omr_kinetic_energy(&r->settings, &block, at);
  *omr_stepped_state(b, S_UNTIL, slot) = 0;
}

static omr_status reset_all(omr_stepped_batch *b, const size_t *instances, omr_error *error) {
  omr_engine *r = b->engine;
#pragma omp parallel for schedule(static) num_threads(r->threads)
  for (size_t slot = 0; slot < b->count; slot++)
    prepare(b, slot, instances ? instances[slot] : r->index[slot]);
  size_t from, at;
  omr_batch last = omr_batch_block(&r->settings, &r->batch, b->count - 1, &from);
  for (size_t slot = b->count; slot < r->batch.stride; slot++) {
    omr_batch_block(&r->settings, &r->batch, slot, &at);
    omr_prepare_padding(&r->settings, &last, from, at);
  }
  b->longest = 0;
  return halfway(b, r->ops->load(r->backend, &r->batch, error));
}

omr_status omr_batch_reset(omr_stepped_batch *b, const size_t *slots, const size_t *instances,
                           size_t count, omr_error *error) {
  omr_engine *r = b->engine;
  omr_status status = omr_stepped_usable(b, error);
  if (status != OMR_OK) return status;

  /* Numbers are checked before anything changes. */
  if (!slots) count = b->count;
  for (size_t i = 0; i < count; i++) {
    if (slots && slots[i] >= b->count)
      return omr_fail(error, OMR_ERR_USAGE, "slots[%zu] is %zu; the batch has %zu vehicles", i,
                      slots[i], b->count);
    if (instances && instances[i] >= r->study->instances)
      return omr_fail(error, OMR_ERR_USAGE,
                      "instances[%zu] is %zu; the study has %zu: enlarge design.instances", i,
                      instances[i], r->study->instances);
  }
  if (!slots) return reset_all(b, instances, error);
  if (!count) return OMR_OK;

  /* The others keep the state that the device has. */
  status = r->ops->fetch(r->backend, &r->batch, error);
  for (size_t i = 0; status == OMR_OK && i < count; i++)
    prepare(b, slots[i], instances ? instances[i] : r->index[slots[i]]);
  if (status == OMR_OK)
    status = r->ops->renew ? r->ops->renew(r->backend, &r->batch, slots, count, error)
                           : r->ops->load(r->backend, &r->batch, error);
  return halfway(b, status);
}

omr_status omr_batch_open(const omr_study *study, const omr_batch_options *options,
                          omr_stepped_batch **batch, omr_error *error) {
  const omr_batch_options usual = OMR_BATCH_OPTIONS_INIT;
  *batch = NULL;
  omr_status status =
      options ? omr_check_size(options->size, sizeof usual, "omr_batch_options", error) : OMR_OK;
  if (status == OMR_OK) status = check_study(study, error);
  if (status != OMR_OK) return status;
  if (!options) options = &usual;

  /* The engine has a slot for each vehicle. */
  omr_stepped_batch *b = calloc(1, sizeof *b);
  if (!b) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  b->count = options->count ? options->count : study->instances;
  b->options = (omr_run_options){.size = sizeof(omr_run_options), .log = options->log};
  omr_part part = omr_part_of(study);
  part.rows = b->count;
  part.traced_count = 0;
  status = omr_engine_open_stepped(&part, &b->options, &b->engine, error);

  /* Every vehicle at its start. */
  if (status == OMR_OK) {
    omr_engine *r = b->engine;
    r->batch.count = b->count;
    r->batch.stride = r->slots;
    r->batch.blocked = r->batch.revisited = r->ops->blocked;
    snprintf(b->device, sizeof b->device, "%s, %s", r->record.backend, r->record.device);
    for (size_t slot = 0; slot < b->count; slot++) r->index[slot] = slot % study->instances;
    omr_stepped_find_inputs(b);
    status = reset_all(b, NULL, error);
  }

  if (status == OMR_OK)
    *batch = b;
  else
    omr_batch_close(b);
  return status;
}

void omr_batch_close(omr_stepped_batch *b) {
  if (!b) return;
  omr_engine_close(b->engine);
  free(b->seen);
  free(b);
}

omr_status omr_batch_step(omr_stepped_batch *b, double seconds, omr_error *error) {
  omr_engine *r = b->engine;
  omr_status status = omr_stepped_usable(b, error);
  if (status != OMR_OK) return status;

  /* Inputs change between two steps. */
  const double length = r->settings.step, steps = rint(seconds / length);
  if (!(steps >= 1) || !(fabs(seconds / length - steps) <= WHOLE))
    return omr_fail(error, OMR_ERR_USAGE,
                    "%.9g s is no whole number of steps of %.9g s; the nearest is %.9g s", seconds,
                    length, length * fmax(1, isfinite(steps) ? steps : 1));
  const bool single = r->study->engine.precision == OMR_SINGLE_PRECISION;
  const double most = single ? MOST_SINGLE : MOST_DOUBLE;
  double furthest = 0;
  for (size_t slot = 0; slot < b->count; slot++)
    furthest = fmax(furthest, *omr_stepped_state(b, S_UNTIL, slot));
  if (furthest + steps > most)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%.9g steps since a vehicle's start are more than the %.9g that this precision "
                    "counts: reset the vehicles, or take fewer",
                    furthest + steps, most);

  /* Vehicles that were reset are at other instants. */
  const int until = S_UNTIL;
  const omr_columns moved = {.states = &until, .state_count = 1};
  for (size_t slot = 0; slot < b->count; slot++) *omr_stepped_state(b, S_UNTIL, slot) += steps;
  status = r->ops->put(r->backend, &r->batch, &moved, error);
  if (status == OMR_OK) status = omr_engine_advance(r, b->longest, b->longest + steps, error);
  b->longest += steps;
  return halfway(b, status);
}

size_t omr_batch_count(const omr_stepped_batch *b) {
  return b->count;
}

double omr_batch_step_length(const omr_stepped_batch *b) {
  return b->engine->settings.step;
}

size_t omr_batch_wheels(const omr_stepped_batch *b) {
  return (size_t)b->engine->study->wheels;
}

const char *omr_batch_device(const omr_stepped_batch *b) {
  return b->device;
}

void omr_batch_times(const omr_stepped_batch *b, double *seconds) {
  for (size_t slot = 0; slot < b->count; slot++)
    seconds[slot] = *omr_stepped_state(b, S_UNTIL, slot) * b->engine->settings.step;
}

void omr_batch_instances(const omr_stepped_batch *b, size_t *instances) {
  memcpy(instances, b->engine->index, b->count * sizeof *instances);
}
