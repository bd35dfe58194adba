/* Sums of two parts of a study. Every operation is exact, or takes the smaller of two, so that the
 * order changes nothing. */
#include "partial.h"

#include <math.h>

static bool join_column(omr_partial_column *to, const omr_partial_column *from) {
  to->used += from->used;
  to->without_value += from->without_value;
  omr_take_extreme(from->min, from->min_at, false, &to->min, &to->min_at);
  omr_take_extreme(from->max, from->max_at, true, &to->max, &to->max_at);
  to->least = omr_lower(to->least, from->least);
  to->most = omr_higher(to->most, from->most);
  if (isnan(to->first)) to->first = from->first;
  omr_exact_join(&to->sum, &from->sum);
  omr_exact_join(&to->squares, &from->squares);
  return omr_sketch_join(&to->sketch, &from->sketch);
}

static void join_counts(omr_criterion_counts *to, const omr_criterion_counts *from) {
  to->met += from->met;
  to->not_met += from->not_met;
  to->unknown += from->unknown;
  to->left_out += from->left_out;
}

static bool join_cells(omr_partial *to, const omr_partial *from) {
  const omr_statistics *frame = to->frame;
  const omr_cells *own = &frame->cells, *other = &from->frame->cells;
  for (size_t i = 0; i < own->count * OMR_INSTANCE_STATUS_COUNT; i++)
    own->by_status[i] += other->by_status[i];
  for (size_t i = 0; i < own->count * frame->criterion_count; i++)
    join_counts(&own->criteria[i], &other->criteria[i]);
  for (size_t i = 0; i < own->count * own->design_count; i++)
    if (isnan(own->values[i])) own->values[i] = other->values[i];
  for (size_t i = 0; i < own->count * frame->quantity_count; i++)
    if (!join_column(&to->cell_columns[i], &from->cell_columns[i])) return false;
  return true;
}

static bool join_batches(omr_partial *to, const omr_partial *from) {
  for (size_t i = 0; from->batches && i < from->quantities * OMR_SOBOL_BATCHES; i++) {
    const omr_partial_batch *b = &from->batches[i];
    if (!b->each) continue;
    omr_partial_batch *own =
        omr_partial_open_batch(to, i / OMR_SOBOL_BATCHES, i % OMR_SOBOL_BATCHES);
    if (!own) return false;
    own->groups += b->groups;
    own->low = omr_lower(own->low, b->low);
    own->high = omr_higher(own->high, b->high);
    omr_exact_join(&own->sum, &b->sum);
    omr_exact_join(&own->squares, &b->squares);
    for (size_t j = 0; j < 3 * to->parameters; j++)
      omr_exact_join(&own->each[j / 3][j % 3], &b->each[j / 3][j % 3]);
  }

  return true;
}

static void join_measure(omr_partial *to, const omr_partial *from) {
  to->groups += from->groups;
  to->groups_ok += from->groups_ok;
  for (int code = 0; code < OMR_INSTANCE_STATUS_COUNT; code++)
    to->groups_failed[code] += from->groups_failed[code];

  /* row groups */
  for (size_t q = 0; q < to->quantities; q++) {
    to->group_used[q] += from->group_used[q];
    to->group_low[q] = omr_lower(to->group_low[q], from->group_low[q]);
    to->group_high[q] = omr_higher(to->group_high[q], from->group_high[q]);
  }

  /* correlations or elementary effects */
  for (size_t i = 0; to->terms && i < 3 * to->quantities * to->parameters; i++)
    omr_exact_join(&to->terms[i / 3].each[i % 3], &from->terms[i / 3].each[i % 3]);
}

static void join_failed(uint64_t *to, const uint64_t *from) {
  uint64_t joined[OMR_FAILED_NUMBERS];
  int a = 0, b = 0;
  for (int i = 0; i < OMR_FAILED_NUMBERS; i++) joined[i] = to[a] <= from[b] ? to[a++] : from[b++];
  for (int i = 0; i < OMR_FAILED_NUMBERS; i++) to[i] = joined[i];
}

omr_status omr_partial_join(omr_partial *to, const omr_partial *from, omr_error *error) {
  omr_statistics *frame = to->frame;
  const omr_statistics *other = from->frame;
  bool good = true;
  to->rows += from->rows;
  for (int code = 0; code < OMR_INSTANCE_STATUS_COUNT; code++) {
    frame->by_status[code] += other->by_status[code];
    frame->earliest[code] = fmin(frame->earliest[code], other->earliest[code]);
    join_failed(frame->failed[code], other->failed[code]);
  }

  /* criteria, columns and the rest */
  for (size_t c = 0; c < frame->criterion_count; c++)
    join_counts(&frame->criteria[c].counts, &other->criteria[c].counts);
  for (size_t c = 0; good && c < frame->quantity_count; c++)
    good = join_column(&to->columns[c], &from->columns[c]);
  join_measure(to, from);
  good = good && join_cells(to, from) && join_batches(to, from);
  return good ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for sums");
}
