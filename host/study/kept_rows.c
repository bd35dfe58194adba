#include "chunk_rows.h"

#include "designs/draws.h"
#include "designs/row_groups.h"
#include "step_sample.h"

#include <stdlib.h>

enum { BLOCK = 1024 };

size_t omr_partial_block(const omr_study *study) {
  const size_t rows = omr_group_rows(study);
  return rows * ((BLOCK + rows - 1) / rows);
}

/* The first instance of part number `part` of the sample: part * instances / sample, which fits
 * into 64 bits in this form. */
static size_t part_begin(const omr_study *study, size_t part) {
  const size_t n = study->rows.sample, each = study->instances / n, rest = study->instances % n;
  return part * each + part * rest / n;
}

/* The part that an instance belongs to. */
static size_t part_of(const omr_study *study, size_t instance) {
  const size_t n = study->rows.sample, guess = instance / (study->instances / n + 1);
  size_t low = guess < n ? guess : n - 1, high = n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (part_begin(study, middle) <= instance)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static size_t member_of(const omr_study *study, size_t part) {
  const size_t begin = part_begin(study, part), end = part_begin(study, part + 1);
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_ROWS, study->design.seed, part, 0, bits);
  return begin + (size_t)(bits[0] % (end - begin));
}

typedef struct list {
  size_t *instances, count, room;
  bool failed;
} list;

static void add(list *l, size_t instance) {
  if (l->count == l->room) {
    l->room = l->room ? 2 * l->room : 64;
    l->failed = !omr_grow(&l->instances, l->room, sizeof instance) || l->failed;
  }
  if (!l->failed) l->instances[l->count++] = instance;
}

static void add_sample(const omr_study *study, size_t first, size_t last, list *l) {
  const size_t n = study->rows.sample < study->instances ? study->rows.sample : study->instances;
  if (n == 0 || first >= last) return;
  if (n == study->instances) {
    for (size_t k = first; k < last; k++) add(l, k);
    return;
  }
  size_t part = part_of(study, first);
  for (; part < n && part_begin(study, part) < last; part++) {
    const size_t member = member_of(study, part);
    if (member >= first && member < last) add(l, member);
  }
}

/* Hands the instances over, each once. */
static omr_status finish(list *l, size_t **instances, size_t *count, omr_error *error) {
  *count = omr_sort_once(l->instances, l->count);
  if (!l->instances) l->instances = malloc(sizeof *l->instances);
  *instances = l->instances;
  if (l->instances && !l->failed) return OMR_OK;
  free(l->instances);
  *instances = NULL;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the list of rows");
}

omr_status omr_rows_sampled(const omr_study *study, size_t **instances, size_t *count,
                            omr_error *error) {
  list l = {0};
  add_sample(study, 0, study->instances, &l);
  return finish(&l, instances, count, error);
}

omr_status omr_rows_kept(const omr_study *study, size_t first, size_t last, bool more,
                         size_t **instances, size_t *count, omr_error *error) {
  list l = {0};
  add_sample(study, first, last, &l);
  for (size_t i = 0; i < study->traces.count; i++) {
    const size_t traced = study->traces.instances[i];
    if (traced >= first && traced < last) add(&l, traced);
  }
  const omr_step_sample again = more ? omr_step_sample_of(study) : (omr_step_sample){0};
  for (size_t i = 0; i < again.count; i++)
    if (again.row[i] >= first && again.row[i] < last) add(&l, again.row[i]);
  return finish(&l, instances, count, error);
}
