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

omr_status omr_part_make(const omr_study *study, size_t first, size_t last, omr_part *part,
                         omr_error *error) {
  const size_t count = last - first;
  part->study = *study;
  part->traced = NULL;
  part->chosen = calloc(count + 1, sizeof *part->chosen);
  if (!part->chosen)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for a part of %zu instances", count);
  for (size_t row = 0; row < count; row++) part->chosen[row] = omr_study_row(study, first + row);
  part->study.chosen = part->chosen;
  part->study.chosen_count = count;
  if (study->traced_count && count) {
    const size_t from = traced_from(study, part->chosen[0]),
                 to = traced_from(study, part->chosen[count - 1] + 1);
    part->study.traced = study->traced + from;
    part->study.traced_count = to - from;
  }
  return OMR_OK;
}

omr_status omr_part_join(const omr_study *study, const size_t *firsts, const size_t *lasts,
                         size_t ranges, omr_part *part, omr_error *error) {
  size_t rows = 0, row = 0, traced = 0;
  for (size_t i = 0; i < ranges; i++) rows += lasts[i] - firsts[i];
  *part = (omr_part){*study, calloc(rows + 1, sizeof *part->chosen),
                     calloc(study->traced_count + 1, sizeof *part->traced)};
  if (!part->chosen || !part->traced) {
    omr_part_free(part);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for a part of %zu instances", rows);
  }
  for (size_t i = 0; i < ranges; i++) {
    for (size_t k = firsts[i]; k < lasts[i]; k++) part->chosen[row++] = omr_study_row(study, k);
    if (lasts[i] == firsts[i]) continue;
    const size_t end = traced_from(study, part->chosen[row - 1] + 1);
    for (size_t t = traced_from(study, omr_study_row(study, firsts[i])); t < end; t++)
      part->traced[traced++] = study->traced[t];
  }
  part->study.chosen = part->chosen;
  part->study.chosen_count = rows;
  part->study.traced = part->traced;
  part->study.traced_count = traced;
  return OMR_OK;
}

void omr_part_free(omr_part *part) {
  free(part->chosen);
  free(part->traced);
  part->traced = NULL;
  part->chosen = NULL;
}
