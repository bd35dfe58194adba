#include "part.h"

#include <stdlib.h>

/* Place of the first traced instance from `instance` on. */
static size_t traced_from(const omr_study *study, size_t instance) {
  size_t low = 0, high = study->traced_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (study->traced[middle] < instance)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

omr_status omr_part_make(const omr_study *study, size_t first, size_t last, omr_part *part, omr_error *error) {
  const size_t count = last - first;
  part->study = *study;
  part->chosen = calloc(count + 1, sizeof *part->chosen);
  if (!part->chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for a part of %zu instances", count);
  for (size_t row = 0; row < count; row++) part->chosen[row] = omr_study_row(study, first + row);
  part->study.chosen = part->chosen;
  part->study.chosen_count = count;
  if (study->traced_count && count) {
    const size_t from = traced_from(study, part->chosen[0]), to = traced_from(study, part->chosen[count - 1] + 1);
    part->study.traced = study->traced + from;
    part->study.traced_count = to - from;
  }
  return OMR_OK;
}

void omr_part_free(omr_part *part) {
  free(part->chosen);
  part->chosen = NULL;
}
