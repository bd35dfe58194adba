#include "device_check.h"

#include "../../kernels/layout.h"
#include "../model/prepare.h"
#include "../result/failures.h"
#include "../result/result.h"
#include "block.h"
#include "reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LOOKED_AT = 4,    /* instances; a block holds a whole number of them */
  CANDIDATES = 16,  /* searched for those that make vehicles */
  FIRST_STEPS = 16, /* doubled until the scalar build needs LEAST_SECONDS */
  MOST_SLOTS = 8192 /* of the device's batch */
};
#define LEAST_SECONDS 2e-3

/* Slot `slot` of `given`, and of every block of the device's batch, holds instance slot %
 * LOOKED_AT. */
struct omr_device_check {
  const omr_run_settings *settings;
  const omr_run_record *record; /* of the device */
  size_t instance[LOOKED_AT];
  omr_batch given, expected; /* initial state, and final state by the scalar build; OMR_PAD slots */
  omr_batch batch;           /* the device's */
  omr_failures quantities;   /* the named quantities, without any failure */
  size_t slots;              /* of the device's batch, at most */
  double until, time;        /* end of the check, on the clock and in s */
  bool single;
  double tolerance; /* 0: bits must agree */
  size_t good;
};

void omr_device_check_close(omr_device_check *check) {
  if (!check) return;
  omr_batch_free(&check->given);
  omr_batch_free(&check->expected);
  omr_batch_free(&check->batch);
  omr_failures_free(&check->quantities);
  free(check);
}

size_t omr_device_checks(const omr_device_check *check) {
  return check ? check->good : 0;
}

/* ---- the expected state */

/* The j-th candidate; the first four already spread over the whole part. */
static size_t candidate(const omr_part *whole, size_t j) {
  const size_t place = j * 5 % CANDIDATES;
  return omr_part_row(whole,
                      (size_t)((double)place * (double)(whole->rows - 1) / (CANDIDATES - 1)));
}

static bool prepare(const omr_device_check *c, const omr_part *whole, size_t instance, size_t slot,
                    omr_batch *batch) {
  omr_values values;
  char reason[400];
  omr_part_values(whole, instance, &values, NULL);
  return omr_prepare_instance(whole->study, c->settings, &values, batch, slot, reason,
                              sizeof reason);
}

/* Picks instances that make vehicles as far as there are any: the others never run. */
static void choose(omr_device_check *c, const omr_part *whole) {
  size_t chosen = 0;
  for (size_t j = 0; j < CANDIDATES && chosen < LOOKED_AT; j++) {
    const size_t instance = candidate(whole, j);
    const bool needed = CANDIDATES - j <= LOOKED_AT - chosen;
    if (prepare(c, whole, instance, chosen, &c->given) || needed) c->instance[chosen++] = instance;
  }
  for (size_t slot = 0; slot < OMR_PAD; slot++)
    prepare(c, whole, c->instance[slot % LOOKED_AT], slot, &c->given);
  c->given.count = c->given.stride = OMR_PAD;
}

static void copy_start(const omr_device_check *c) {
  omr_block_put(c->settings, &c->given, (omr_batch *)&c->expected, 0);
  for (size_t slot = LOOKED_AT; slot < OMR_PAD; slot++)
    omr_prepare_padding(c->settings, (omr_batch *)&c->expected, LOOKED_AT - 1, slot);
}

/* Doubles the time until the scalar build has worked long enough, or until the run ends. */
static omr_status integrate(omr_device_check *c, const omr_study *study, omr_backend *scalar,
                            omr_error *error) {
  const omr_backend_ops *ops = &omr_openmp_backend;
  const bool controlled = c->settings->controlled;
  const double unit = controlled ? study->time.duration / (double)study->time.steps : 1,
               end = controlled ? study->time.duration : (double)study->time.steps,
               start = omr_seconds();
  omr_status status = ops->load(scalar, &c->expected, error);
  for (double until = FIRST_STEPS * unit; status == OMR_OK; until *= 2) {
    c->until = fmin(until, end);
    status = ops->advance(scalar, c->until, error);
    if (c->until >= end || omr_seconds() - start > LEAST_SECONDS) break;
  }
  c->time = c->until * study->time.duration / end;
  return status == OMR_OK ? ops->fetch(scalar, &c->expected, error) : status;
}

static omr_status expect(omr_device_check *c, const omr_study *study,
                         const omr_engine_options *options, omr_error *error) {
  const omr_engine_options scalar = {.backend = OMR_BACKEND_SCALAR,
                                     .precision = options->precision,
                                     .numerics = OMR_NUMERICS_EXACT,
                                     .threads = 1};
  omr_run_record record = {0};
  omr_backend *backend = NULL;
  copy_start(c);
  omr_status status = omr_openmp_backend.open(&scalar, c->settings, &record, NULL, &backend, error);
  if (status == OMR_OK) status = integrate(c, study, backend, error);
  omr_openmp_backend.close(backend);
  return status;
}

/* Enough slots to keep every unit of the device busy. */
static size_t slots_of(const omr_run_record *record) {
  const size_t packs = (size_t)(record->work_group > 0 ? record->work_group : 1) *
                       (size_t)(record->threads > 0 ? record->threads : 1);
  size_t slots = packs * (size_t)(record->lanes > 0 ? record->lanes : 1);
  if (slots > MOST_SLOTS) slots = MOST_SLOTS;
  return (slots + OMR_PAD - 1) / OMR_PAD * OMR_PAD;
}

omr_status omr_device_check_open(const omr_part *whole, const omr_engine_options *options,
                                 const omr_run_settings *settings, const omr_run_record *record,
                                 omr_device_check **check, omr_error *error) {
  omr_device_check *c = *check = calloc(1, sizeof *c);
  if (!c) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  c->settings = settings;
  c->record = record;
  c->single = options->precision == OMR_SINGLE_PRECISION;

  /* Devices that round in their own way are compared with a tolerance. */
  if (strcmp(record->rounding, "correct") != 0) c->tolerance = omr_selftest_tolerance(c->single);
  c->slots = slots_of(record);
  omr_status status = omr_failures_make(whole->study, &c->quantities, error);
  if (status != OMR_OK) return status;

  /* The chosen instances, their end by the scalar build, and the device's batch. */
  if (!omr_batch_make(settings, OMR_PAD, &c->given) ||
      !omr_batch_make(settings, OMR_PAD, &c->expected) ||
      !omr_batch_make(settings, c->slots, &c->batch))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the check of the device");
  c->expected.count = LOOKED_AT;
  c->expected.stride = OMR_PAD;

  choose(c, whole);
  return expect(c, whole->study, options, error);
}

/* ---- the device's state */

typedef struct difference {
  size_t slot;
  char name[80];
  double device, scalar;
} difference;

static bool differ(const omr_device_check *c, double device, double scalar) {
  if (isnan(device) && isnan(scalar)) return false;
  if (c->tolerance > 0) return !(fabs(device - scalar) <= c->tolerance * fmax(1, fabs(scalar)));
  return memcmp(&device, &scalar, sizeof device) != 0;
}

/* Selects the named quantities that vary smoothly: a device that rounds in its own way may exchange
 * a roller a step later. */
static bool is_compared(const omr_device_check *c, const omr_failure_quantity *q, bool of_wheel) {
  if (c->tolerance == 0) return true;
  return of_wheel ? q->source == OMR_WS_RATE : strcmp(q->unit, "1") != 0;
}

static bool named_differ(const omr_device_check *c, size_t slot, difference *d) {
  double device[OMR_FAILURE_QUANTITIES * (1 + OMR_MAX_WHEELS)],
      scalar[OMR_FAILURE_QUANTITIES * (1 + OMR_MAX_WHEELS)];
  const omr_failures *f = &c->quantities;
  omr_last_state(f, c->settings, &c->batch, slot, device);
  /* Both states as named quantities. */
  omr_last_state(f, c->settings, &c->expected, slot % LOOKED_AT, scalar);
  for (size_t j = 0; j < omr_failures_width(f); j++) {
    const bool of_wheel = j >= f->vehicle_count;
    const size_t k = of_wheel ? j - f->vehicle_count : j;
    const omr_failure_quantity *q = of_wheel ? &f->wheel[k / f->wheels] : &f->vehicle[k];
    if (!is_compared(c, q, of_wheel) || !differ(c, device[j], scalar[j])) continue;
    /* Reports the first quantity that differs, under its name. */
    *d = (difference){.slot = slot, .device = device[j], .scalar = scalar[j]};

    /* The name of the quantity, and of its wheel. */
    if (of_wheel)
      snprintf(d->name, sizeof d->name, "%.48s of wheel %zu", q->name, k % f->wheels);
    else
      snprintf(d->name, sizeof d->name, "%.48s", q->name);
    return true;
  }

  return false;
}

static bool columns_differ(const omr_device_check *c, size_t slot, difference *d) {
  const omr_run_settings *s = c->settings;
  const size_t at = slot % LOOKED_AT, in_block = slot % OMR_PAD, block = slot - in_block;
  /* Positions and rates, column by column. */
  for (int column = 0; column < s->state_columns; column++) {
    d->device = c->batch.state[(size_t)column * c->batch.stride + slot];
    d->scalar = c->expected.state[(size_t)column * c->expected.stride + at];
    snprintf(d->name, sizeof d->name, "column %d of the state", column);
    if (differ(c, d->device, d->scalar)) return true;
  }

  /* Spins of idle rollers, which are stored in blocks. */
  for (int column = 0; column < s->spin_columns; column++) {
    const size_t row = (size_t)column * OMR_PAD;
    d->device = c->batch.spins[block * (size_t)s->spin_columns + row + in_block];
    d->scalar = c->expected.spins[row + at];
    snprintf(d->name, sizeof d->name, "spin %d of an idle roller", column);
    if (differ(c, d->device, d->scalar)) return true;
  }

  return false;
}

static omr_status compare(const omr_device_check *c, omr_error *error) {
  difference d = {0};
  bool wrong = false;
  for (size_t slot = 0; slot < c->batch.count && !wrong; slot++) {
    d.slot = slot;
    wrong = named_differ(c, slot, &d) || (c->tolerance == 0 && columns_differ(c, slot, &d));
  }
  if (!wrong) return OMR_OK;
  return omr_fail(error, OMR_ERR_SELFTEST,
                  "the device %s gives wrong numbers: %s of instance %zu after %.6g s is %.17g "
                  "there and %.17g by the scalar build on the processor (check %zu of this run). "
                  "What it computed since the check before is not believed. Try `omniroll "
                  "selftest`, update its driver, look at its cooling and memory, or use another "
                  "\"device\" or --backend openmp",
                  c->record->device, d.name, c->instance[d.slot % LOOKED_AT], c->time, d.device,
                  d.scalar, c->good + 1);
}

omr_status omr_device_check_run(omr_device_check *c, const omr_backend_ops *ops,
                                omr_backend *backend, omr_error *error) {
  const size_t most = ops->capacity(backend);
  c->batch.count = c->batch.stride = c->slots < most || most < OMR_PAD ? c->slots : most;
  for (size_t first = 0; first < c->batch.count; first += OMR_PAD)
    omr_block_put(c->settings, &c->given, &c->batch, first);
  omr_status status = ops->load(backend, &c->batch, error);
  if (status == OMR_OK) status = ops->advance(backend, c->until, error);
  if (status == OMR_OK) status = ops->fetch(backend, &c->batch, error);
  if (status == OMR_OK) status = compare(c, error);
  c->good += status == OMR_OK;
  return status;
}
