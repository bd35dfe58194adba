#include "part.h"

#include <stdlib.h>

omr_part omr_part_of(const omr_study *study) {
  return (omr_part){.study = study,
                    .rows = study->instances,
                    .traced = study->traces.instances,
                    .traced_count = study->traces.count};
}

omr_part omr_part_choose(const omr_study *study, const size_t *chosen, size_t count) {
  return (omr_part){.study = study, .chosen = chosen, .rows = count};
}

omr_part omr_part_traced(const omr_study *study, const size_t *chosen, size_t count) {
  omr_part part = omr_part_choose(study, chosen, count);
  part.traced = chosen;
  part.traced_count = count;
  return part;
}

size_t omr_part_traced_from(const omr_part *part, size_t instance) {
  return omr_numbers_before(part->traced, part->traced_count, sizeof *part->traced, instance);
}

static omr_status fail_memory(size_t rows, omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for a part of %zu instances", rows);
}

omr_status omr_cut_make(const omr_part *from, size_t first, size_t last, omr_cut *cut,
                        omr_error *error) {
  const size_t count = last - first;
  *cut = (omr_cut){.part = *from, .chosen = calloc(count + 1, sizeof *cut->chosen)};
  if (!cut->chosen) return fail_memory(count, error);
  for (size_t row = 0; row < count; row++) cut->chosen[row] = omr_part_row(from, first + row);
  cut->part.chosen = cut->chosen;
  cut->part.rows = count;
  if (from->traced_count && count) {
    const size_t begin = omr_part_traced_from(from, cut->chosen[0]),
                 end = omr_part_traced_from(from, cut->chosen[count - 1] + 1);
    cut->part.traced = from->traced + begin;
    cut->part.traced_count = end - begin;
  }
  return OMR_OK;
}

omr_status omr_cut_join(const omr_part *from, const size_t *firsts, const size_t *lasts,
                        size_t ranges, omr_cut *cut, omr_error *error) {
  /* The cut has room for the rows of all ranges and for all trajectories. */
  size_t rows = 0, row = 0, traced = 0;
  for (size_t i = 0; i < ranges; i++) rows += lasts[i] - firsts[i];
  *cut = (omr_cut){*from, calloc(rows + 1, sizeof *cut->chosen),
                   calloc(from->traced_count + 1, sizeof *cut->traced)};
  if (!cut->chosen || !cut->traced) {
    omr_cut_free(cut);
    return fail_memory(rows, error);
  }

  /* Each range adds its rows, and the trajectories among them. */
  for (size_t i = 0; i < ranges; i++) {
    for (size_t k = firsts[i]; k < lasts[i]; k++) cut->chosen[row++] = omr_part_row(from, k);
    if (lasts[i] == firsts[i]) continue;
    const size_t end = omr_part_traced_from(from, cut->chosen[row - 1] + 1);
    for (size_t t = omr_part_traced_from(from, omr_part_row(from, firsts[i])); t < end; t++)
      cut->traced[traced++] = from->traced[t];
  }

  /* The part borrows the lists from the cut. */
  cut->part.chosen = cut->chosen;
  cut->part.rows = rows;
  cut->part.traced = cut->traced;
  cut->part.traced_count = traced;
  return OMR_OK;
}

void omr_cut_free(omr_cut *cut) {
  free(cut->chosen);
  free(cut->traced);
  *cut = (omr_cut){0};
}
