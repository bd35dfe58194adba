#include "summed_rows.h"

#include "../result/balance.h"
#include "../result/slice.h"
#include "../study/chunk_rows.h"
#include "integrate.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PIECE = 1 << 18 };

/* Rows that run at a time: what the device holds, and whole blocks of the sums. */
static size_t piece_rows(const omr_integrator *integrator, const omr_study *study) {
  const size_t block = omr_partial_block(study), usual = omr_piece_rows(study);
  size_t rows = omr_integrator_capacity(integrator);
  if (rows > MOST_PIECE) rows = MOST_PIECE;
  if (rows < usual) rows = usual;
  return rows < block ? block : rows / block * block;
}

/* A result for rows with these numbers, none of them filled in. */
static omr_status make_rows(const omr_part *whole, const size_t *chosen, size_t count,
                            omr_result **result, omr_error *error) {
  omr_part kept = *whole;
  const size_t first = count ? chosen[0] : 0, last = count ? chosen[count - 1] + 1 : 0;
  const size_t from = omr_part_traced_from(whole, first), to = omr_part_traced_from(whole, last);
  size_t *traced = malloc((to - from + 1) * sizeof *traced), traces = 0;
  if (!traced) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = from, k = 0; i < to; i++) {
    while (k < count && chosen[k] < whole->traced[i]) k++;
    if (k < count && chosen[k] == whole->traced[i]) traced[traces++] = whole->traced[i];
  }
  kept.chosen = chosen;
  kept.rows = count;
  kept.traced = traced;
  kept.traced_count = traces;
  const omr_status status = omr_result_make(&kept, result, error);
  free(traced);
  return status;
}

/* The same of the rows that the part first .. last-1 keeps. */
static omr_status make_kept(const omr_part *whole, size_t first, size_t last, bool more,
                            omr_result **result, omr_error *error) {
  size_t *chosen = NULL, count = 0;
  omr_status status = omr_rows_kept(whole->study, first, last, more, &chosen, &count, error);
  if (status == OMR_OK) status = make_rows(whole, chosen, count, result, error);
  free(chosen);
  return status;
}

static void copy_row(omr_result *to, size_t row, const omr_result *from, size_t k) {
  for (size_t c = 0; c < to->column_count; c++)
    to->columns[c].values[row] = from->columns[c].values[k];
  to->status[row] = from->status[k];
  to->status_time[row] = from->status_time[k];
  if (from->row_steps) to->row_steps[row] = from->row_steps[k];
  if (from->row_balance) to->row_balance[row] = from->row_balance[k];
  if (to->retries && from->retries) to->retries[row] = from->retries[k];
}

static void copy_trajectory(omr_result *to, size_t place, const omr_result *from, size_t at) {
  for (size_t i = 0; i < omr_result_series_count(from); i++) {
    const omr_series source = omr_result_series(from, i), series = omr_result_series(to, i);
    const size_t size = omr_result_series_size(from, source);
    if (*source.values && *series.values)
      memcpy(*series.values + place * size, *source.values + at * size, size * sizeof(double));
  }
}

/* Why the first invalid instance was refused. */
static void take_invalid(omr_result *to, const omr_result *from) {
  unsigned long long own, other;
  if (sscanf(from->first_invalid, "instance %llu:", &other) != 1) return;
  if (sscanf(to->first_invalid, "instance %llu:", &own) == 1 && own <= other) return;
  memcpy(to->first_invalid, from->first_invalid, sizeof to->first_invalid);
}

/* Parts of a run mostly warn of the same. */
static void take_warnings(omr_result *to, const char *lines) {
  char line[OMR_WARNINGS];
  for (; *lines; lines += strspn(lines, "\n")) {
    const size_t length = strcspn(lines, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, lines);
    if (!strstr(to->warnings, line)) omr_add_warnings(to->warnings, line);
    lines += length;
  }
}

/* Copies the rows of a part that `to` keeps, with their trajectories and failures. */
static bool keep_rows(omr_result *to, const omr_result *from) {
  bool good = true;
  if (from->instances == 0) return true;

  /* rows, both in the order of their numbers */
  size_t row = omr_numbers_before(to->numbers, to->instances, sizeof *to->numbers,
                                  omr_result_instance(from, 0));
  for (size_t k = 0; k < from->instances && row < to->instances; k++) {
    const uint64_t number = omr_result_instance(from, k);
    while (row < to->instances && to->numbers[row] < number) row++;
    if (row == to->instances || to->numbers[row] != number) continue;
    copy_row(to, row, from, k);
    good = good && omr_failures_join_between(&to->failures, &from->failures, number, number);
  }

  /* trajectories, and what is said about the run */
  for (size_t at = 0; at < from->traced_count; at++) {
    const size_t own =
        omr_number_place(to->traced, to->traced_count, sizeof *to->traced, from->traced[at]);
    if (own < to->traced_count) copy_trajectory(to, own, from, at);
  }
  take_invalid(to, from);
  take_warnings(to, from->warnings);

  return good;
}

static omr_status run_pieces(omr_integrator *integrator, const omr_part *whole, size_t first,
                             size_t last, omr_result *to, omr_error *error) {
  const size_t rows = piece_rows(integrator, whole->study);
  omr_partial *sums = NULL;
  omr_status status = omr_partial_make(whole->study, to, &sums, error);
  for (size_t at = first; status == OMR_OK && at < last; at += rows) {
    omr_result *piece = NULL;
    status =
        omr_run_rows(integrator, whole, at, last - at < rows ? last : at + rows, &piece, error);
    if (status != OMR_OK) break;

    /* add its rows up and keep some */
    const double start = omr_seconds();
    status = omr_partial_add(sums, piece, error);
    if (status == OMR_OK && !keep_rows(to, piece))
      status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for failed instances");
    omr_record_join(&to->record, &piece->record, at == first);
    to->record.statistics_seconds += omr_seconds() - start;
    omr_result_destroy(piece);
  }
  if (status == OMR_OK) status = omr_partial_pack(sums, &to->partial, &to->partial_bytes, error);
  omr_partial_free(sums);
  return status;
}

omr_status omr_run_summed(omr_integrator *integrator, const omr_part *whole, size_t first,
                          size_t last, omr_result **result, omr_error *error) {
  omr_status status = make_kept(whole, first, last, true, result, error);
  if (status == OMR_OK) status = run_pieces(integrator, whole, first, last, *result, error);
  if (status == OMR_OK) return OMR_OK;
  omr_result_destroy(*result);
  *result = NULL;
  return status;
}

/* PARTS */

/* The numbers of the rows that the chunks keep. */
static omr_status list_rows(const omr_part *whole, const omr_covered *covered, bool more,
                            size_t **chosen, size_t *count, omr_error *error) {
  omr_status status = OMR_OK;
  *chosen = NULL;
  *count = 0;
  for (size_t i = 0; status == OMR_OK && i < covered->count; i++) {
    size_t *own = NULL, more_rows = 0;
    const size_t first = i * covered->rows,
                 last = i + 1 == covered->count ? whole->rows : first + covered->rows;
    if (covered->there && !covered->there[i]) continue;
    status = omr_rows_kept(whole->study, first, last, more, &own, &more_rows, error);
    if (status != OMR_OK) break;
    if (omr_grow(chosen, *count + more_rows + 1, sizeof **chosen)) {
      memcpy(*chosen + *count, own, more_rows * sizeof *own);
      *count += more_rows;
    } else {
      status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for the list of rows");
    }
    free(own);
  }
  return status;
}

omr_status omr_gathered_make(const omr_part *whole, const omr_covered *covered, bool more,
                             omr_gathered *g, omr_error *error) {
  size_t *chosen = NULL, count = 0;
  *g = (omr_gathered){0};
  omr_status status = list_rows(whole, covered, more, &chosen, &count, error);
  if (status == OMR_OK) status = make_rows(whole, chosen, count, &g->rows, error);
  if (status == OMR_OK) status = omr_partial_make(whole->study, g->rows, &g->partial, error);
  free(chosen);
  return status;
}

omr_status omr_gathered_add(omr_gathered *g, const omr_result *part, omr_error *error) {
  omr_partial *sums = NULL;
  omr_status status = omr_partial_of(g->partial->study, part, &sums, error);
  if (status == OMR_OK) status = omr_partial_join(g->partial, sums, error);
  omr_partial_free(sums);
  if (status != OMR_OK) return status;
  omr_record_join(&g->rows->record, &part->record, !g->begun);
  g->begun = true;
  return keep_rows(g->rows, part) && omr_failures_sort(&g->rows->failures)
             ? OMR_OK
             : omr_fail(error, OMR_ERR_MEMORY, "out of memory for failed instances");
}

/* The numbers of both lists, ascending, each once. */
static size_t *unite(const omr_result *a, const omr_result *b, size_t *count) {
  size_t *numbers = malloc((a->instances + b->instances + 1) * sizeof *numbers), i = 0, j = 0;
  *count = 0;
  while (numbers && (i < a->instances || j < b->instances)) {
    const size_t x = i < a->instances ? omr_result_instance(a, i) : SIZE_MAX,
                 y = j < b->instances ? omr_result_instance(b, j) : SIZE_MAX;
    numbers[(*count)++] = x < y ? x : y;
    i += x <= y;
    j += y <= x;
  }
  return numbers;
}

omr_status omr_gathered_add_again(omr_gathered *g, const omr_part *whole, const omr_result *again,
                                  omr_error *error) {
  omr_result *rows = NULL;
  size_t count, *numbers = unite(g->rows, again, &count);
  omr_status status = numbers ? make_rows(whole, numbers, count, &rows, error)
                              : omr_fail(error, OMR_ERR_MEMORY, "out of memory for the rows");
  free(numbers);
  if (status != OMR_OK) return status;

  /* what the run had to say is that of all rows, not of those that ran again */
  if (!keep_rows(rows, again))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for failed instances");
  rows->warnings[0] = '\0';
  if (status == OMR_OK && !keep_rows(rows, g->rows))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for failed instances");
  rows->record = g->rows->record;
  if (status == OMR_OK) status = omr_result_add_traces(rows, again, error);
  omr_result_destroy(g->rows);
  g->rows = rows;

  return status;
}

omr_status omr_gathered_pack(omr_gathered *g, omr_error *error) {
  free(g->rows->partial);
  g->rows->partial = NULL;
  return omr_partial_pack(g->partial, &g->rows->partial, &g->rows->partial_bytes, error);
}

void omr_gathered_free(omr_gathered *g) {
  omr_result_destroy(g->rows);
  omr_partial_free(g->partial);
  *g = (omr_gathered){0};
}

omr_status omr_keep_file_rows(const omr_part *whole, omr_result **result, omr_error *error) {
  omr_result *all = *result, *kept = NULL;
  omr_status status = make_kept(whole, 0, whole->rows, false, &kept, error);
  if (status != OMR_OK) return status;
  if (!keep_rows(kept, all)) {
    omr_result_destroy(kept);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for failed instances");
  }
  kept->record = all->record;
  kept->partial = all->partial;
  kept->partial_bytes = all->partial_bytes;
  all->partial = NULL;
  omr_result_destroy(all);
  *result = kept;

  return OMR_OK;
}
