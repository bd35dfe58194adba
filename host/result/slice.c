#include "slice.h"
#include "balance.h"

#include <stdlib.h>
#include <string.h>

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(
    sizeof(omr_result) == 24312 && sizeof(omr_run_record) == 584,
    "omr_result_slice has to copy what is new in a result; then write the new size here");
#endif

/* Copies elements first .. first+count-1 of `size` bytes each; NULL stays NULL. *done becomes false
 * if memory runs out. */
static void *copy(const void *from, size_t first, size_t count, size_t size, bool *done) {
  if (!from || !*done) return NULL;
  void *to = malloc(count * size + 1);
  if (to) memcpy(to, (const char *)from + first * size, count * size);
  *done = to != NULL;
  return to;
}

/* Copies the trajectories at places first .. first+count-1 among the traced ones. */
static bool copy_samples(omr_result *to, const omr_result *from, size_t first, size_t count) {
  bool done = true;
  to->traced_count = count;
  if (count == 0) return true;
  to->sample_count = from->sample_count;
  to->traced = copy(from->traced, first, count, sizeof *to->traced, &done);
  to->sample_time = copy(from->sample_time, 0, from->sample_count, sizeof(double), &done);
  if (!omr_result_take_small_list(to, from->small_info, from->small_sample_count)) return false;
  for (size_t i = 0; i < omr_result_series_count(from); i++) {
    const omr_series source = omr_result_series(from, i), series = omr_result_series(to, i);
    const size_t bytes = omr_result_series_size(from, source) * sizeof(double);
    *(double **)series.values = copy(*source.values, first, count, bytes, &done);
  }
  return done;
}

static bool copy_rows(omr_result *to, const omr_result *from, size_t first, size_t count) {
  bool done = true;
  to->numbers = copy(from->numbers, first, count, sizeof *to->numbers, &done);
  to->status = copy(from->status, first, count, sizeof *to->status, &done);
  to->status_time = copy(from->status_time, first, count, sizeof(double), &done);
  to->retries = copy(from->retries, first, count, sizeof *to->retries, &done);
  to->row_steps = copy(from->row_steps, first, count, sizeof(double), &done);
  to->row_balance = copy(from->row_balance, first, count, sizeof(double), &done);
  for (size_t c = 0; done && c < to->column_count; c++)
    memcpy(to->columns[c].values, from->columns[c].values + first,
           count * sizeof *to->columns[c].values);
  return done;
}

/* Place of the first traced instance that does not come before `number`. */
static size_t traced_from(const omr_result *result, uint64_t number) {
  return omr_numbers_before(result->traced, result->traced_count, sizeof *result->traced, number);
}

static void share_record(omr_result *to, const omr_result *from, size_t first) {
  to->record = from->record;
  to->record.instance_steps = 0;
  to->record.retried = to->record.recovered = 0;
  to->record.unbalanced = to->record.energy_error = 0;
  for (size_t k = 0; k < to->instances; k++) {
    const bool again = to->retries && to->retries[k] > 0;
    to->record.instance_steps += to->row_steps[k];
    omr_balance_take(&to->record, to->row_balance[k]);
    to->record.retried += again;
    to->record.recovered += again && to->status[k] == OMR_INSTANCE_OK;
  }
  if (first == 0) return;
  to->record.build_seconds = to->record.prepare_seconds = to->record.transfer_seconds = 0;
  to->record.kernel_seconds = to->record.wall_seconds = 0;
}

/* Keeps "instance 7: why" if the slice has that row. */
static void take_invalid(omr_result *to, const omr_result *from) {
  unsigned long long number;
  if (to->instances == 0 || sscanf(from->first_invalid, "instance %llu:", &number) != 1) return;
  if (number >= to->numbers[0] && number <= to->numbers[to->instances - 1])
    memcpy(to->first_invalid, from->first_invalid, sizeof to->first_invalid);
}

static bool take_failures(omr_result *to, const omr_result *from) {
  if (to->instances == 0) return true;
  return omr_failures_join_between(&to->failures, &from->failures, to->numbers[0],
                                   to->numbers[to->instances - 1]);
}

omr_status omr_result_slice(const omr_result *result, size_t first, size_t count,
                            omr_result **slice, omr_error *error) {
  omr_result *r = *slice = calloc(1, sizeof *r);
  if (!r) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* trajectories of the rows are neighbours, since both ascend */
  const size_t from = count ? traced_from(result, result->numbers[first]) : 0;
  const size_t to = count ? traced_from(result, result->numbers[first + count - 1] + 1) : 0;

  if (omr_result_take_head(r, result, count) && copy_rows(r, result, first, count) &&
      copy_samples(r, result, from, to - from) && take_failures(r, result)) {
    share_record(r, result, first);
    take_invalid(r, result);
    return OMR_OK;
  }

  omr_result_destroy(r);
  *slice = NULL;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu rows of the result", count);
}
