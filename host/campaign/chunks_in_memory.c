#include "chunks_in_memory.h"

#include "../result/first_rows.h"

#include <stdlib.h>

static bool grow(omr_kept *kept) {
  return omr_grow(&kept->results, kept->count + 1, sizeof(omr_result *)) &&
         omr_grow(&kept->numbers, kept->count + 1, sizeof *kept->numbers);
}

void omr_kept_add(omr_kept *kept, size_t number, omr_result *result) {
  const size_t bytes = omr_result_row_bytes(result) + omr_result_series_bytes(result);
  omr_result_destroy(kept->last);
  kept->last = NULL;
  /* Sums are not kept: memory of a run without rows is the same whatever its length. */
  if (!result->partial && kept->bytes + bytes <= OMR_HELD_BYTES && grow(kept)) {
    kept->bytes += bytes;
    kept->results[kept->count] = result;
    kept->numbers[kept->count++] = number;
  } else {
    kept->last = result;
    kept->last_number = number;
  }
}

omr_result *omr_kept_take(omr_kept *kept, size_t number) {
  omr_result *taken = NULL;
  if (kept->last && kept->last_number == number) {
    taken = kept->last;
    kept->last = NULL;
  }
  const size_t found = omr_number_place(kept->numbers, kept->count, sizeof number, number);
  if (taken || found == kept->count) return taken;
  omr_result **place = &kept->results[found];
  taken = *place;
  *place = NULL;
  return taken;
}

void omr_kept_free(omr_kept *kept) {
  omr_result_destroy(kept->last);
  for (size_t i = 0; i < kept->count; i++) omr_result_destroy(kept->results[i]);
  free(kept->results);
  free(kept->numbers);
  *kept = (omr_kept){0};
}
