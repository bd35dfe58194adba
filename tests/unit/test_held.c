/* Rows that stay in memory and the others behind them are read as if they lay in one place; chunks
 * that are kept are given back once. */
#include "../../host/campaign/chunks_in_memory.h"
#include "../../host/result/first_rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 3 };
static const omr_sample_info info[COLUMNS] = {{"a", "m", ""}, {"b", "1", ""}, {"c", "s", ""}};

/* A number that tells row and column. */
static double value_of(size_t column, size_t row) {
  return 1000 * (double)column + (double)row;
}

static omr_result *rows_of(size_t first, size_t count) {
  omr_result *r = calloc(1, sizeof *r);
  r->instances = count;
  r->column_count = COLUMNS;
  r->columns = calloc(COLUMNS, sizeof *r->columns);
  r->status = malloc(count);
  r->status_time = malloc(count * sizeof *r->status_time);
  for (size_t c = 0; c < COLUMNS; c++) {
    r->columns[c].values = malloc(count * sizeof(double));
    for (size_t k = 0; k < count; k++) r->columns[c].values[k] = value_of(c, first + k);
  }
  for (size_t k = 0; k < count; k++) {
    r->status[k] = (int8_t)((first + k) % 5);
    r->status_time[k] = 0.5 * (double)(first + k);
  }
  return r;
}

static size_t least_read; /* the first row that was read behind the held ones */
static int closed;

static omr_status read_rest(omr_source *source, size_t column, size_t first, size_t count,
                            double *values, omr_error *error) {
  (void)source;
  if (first < least_read) least_read = first;
  for (size_t k = 0; k < count; k++) values[k] = value_of(column, first + k);
  return first + count <= ROWS ? OMR_OK : omr_fail(error, OMR_ERR_INTERNAL, "no such rows");
}

static omr_status status_rest(omr_source *source, size_t first, size_t count, int8_t *codes,
                              double *times, omr_error *error) {
  (void)source;
  (void)error;
  for (size_t k = 0; k < count; k++) {
    if (codes) codes[k] = (int8_t)((first + k) % 5);
    if (times) times[k] = 0.5 * (double)(first + k);
  }
  return OMR_OK;
}

static void close_rest(omr_source *source) {
  (void)source;
  closed++;
}

static const omr_source_ops rest_ops = {read_rest, status_rest, close_rest, NULL, NULL};

static omr_source rest_source(void) {
  return (omr_source){&rest_ops, ROWS, COLUMNS, 1, info, NULL};
}

/* Every run of rows, within a part, over the ends of parts and over that of the held ones. */
Test(held, rows_are_read_as_from_one_place) {
  omr_held held = {0};
  omr_source rest = rest_source(), *source;
  omr_held_add(&held, rows_of(0, 7));
  omr_held_add(&held, rows_of(7, 1));
  omr_held_add(&held, rows_of(8, 12));
  cr_assert_eq(held.rows, 20);
  cr_assert_eq(omr_source_of_held(&held, &rest, &source, NULL), OMR_OK);
  cr_expect_eq(source->rows, ROWS);
  cr_expect_eq(source->parameters, 1);
  least_read = SIZE_MAX;
  for (size_t first = 0; first < ROWS; first++) {
    for (size_t count = 1; first + count <= ROWS; count++) {
      double values[COLUMNS][ROWS], room[COLUMNS][ROWS], times[ROWS], one[ROWS];
      const double *at[COLUMNS];
      int8_t codes[ROWS];
      cr_assert_eq(omr_source_read_columns(source, 0, COLUMNS, first, count, values[0], ROWS, NULL),
                   OMR_OK);
      cr_assert_eq(omr_source_columns(source, (omr_table_block){1, 2, first, count}, room[1], ROWS,
                                      at + 1, NULL),
                   OMR_OK);
      cr_assert_eq(source->ops->read(source, 0, first, count, one, NULL), OMR_OK);
      cr_assert_eq(source->ops->status(source, first, count, codes, times, NULL), OMR_OK);
      const bool within =
          first + count <= 7 || (first == 7 && count == 1) || (first >= 8 && first + count <= 20);
      cr_expect_eq(at[1] == room[1], !within, "rows %zu to %zu", first, first + count);
      cr_expect_eq(source->ops->at(source, 2, first, count) != NULL, within);
      for (size_t k = 0; k < count; k++) {
        cr_assert_eq(values[0][k], value_of(0, first + k));
        cr_assert_eq(one[k], value_of(0, first + k));
        cr_assert_eq(values[2][k], value_of(2, first + k));
        cr_assert_eq(at[1][k], value_of(1, first + k));
        cr_assert_eq(at[2][k], value_of(2, first + k));
        cr_assert_eq(codes[k], (int)((first + k) % 5));
        cr_assert_eq(times[k], 0.5 * (double)(first + k));
      }
    }
  }
  cr_expect_eq(least_read, 20, "what is held is read nowhere else");
  cr_expect_eq(omr_source_read_columns(source, 2, 2, 0, 1, &(double){0}, 1, NULL),
               OMR_ERR_INTERNAL);
  omr_source_close(source);
  cr_expect_eq(closed, 1);
  omr_held_free(&held);
}

/* What has no room ends the rows that are held: those after it would not follow. */
Test(held, rows_are_held_from_the_first_on_and_as_far_as_there_is_room) {
  omr_held held = {0};
  omr_result *large = calloc(1, sizeof *large);
  large->instances = OMR_HELD_BYTES;
  omr_held_add(&held, rows_of(0, 7));
  omr_held_add(&held, large);
  omr_held_add(&held, rows_of(20, 7));
  cr_expect_eq(held.rows, 7);
  cr_expect_eq(held.count, 1);
  omr_held_free(&held);
  omr_source rest = rest_source(), *source;
  cr_assert_eq(omr_source_of_held(&held, &rest, &source, NULL), OMR_OK);
  cr_expect_eq(source, &rest, "nothing is held");
}

Test(held, kept_chunks_are_given_back_once_and_the_last_in_any_case) {
  omr_kept kept = {0};
  omr_result *const small[] = {rows_of(0, 4), rows_of(8, 4)}, *large[2];
  for (int i = 0; i < 2; i++) {
    large[i] = calloc(1, sizeof *large[i]);
    large[i]->instances = OMR_HELD_BYTES;
  }
  omr_kept_add(&kept, 2, small[0]);
  omr_kept_add(&kept, 3, large[0]);
  omr_kept_add(&kept, 5, small[1]);
  omr_kept_add(&kept, 9, large[1]);
  cr_expect_null(omr_kept_take(&kept, 0));
  cr_expect_null(omr_kept_take(&kept, 3), "had no room when the next one came");
  cr_expect_null(omr_kept_take(&kept, 4));
  cr_expect_eq(omr_kept_take(&kept, 5), small[1]);
  cr_expect_null(omr_kept_take(&kept, 5));
  cr_expect_eq(omr_kept_take(&kept, 9), large[1]);
  cr_expect_null(omr_kept_take(&kept, 9));
  omr_result_destroy(small[1]);
  omr_result_destroy(large[1]);
  omr_kept_free(&kept);
}
