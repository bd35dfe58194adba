/* Reads rows or row groups in blocks. */
#include "sensitivity_table.h"

#include <math.h>
#include <stdlib.h>

omr_status omr_groups_open(omr_groups *groups, omr_source *source, size_t rows, size_t block_rows,
                           omr_error *error) {
  *groups = (omr_groups){.source = source, .rows = rows, .count = source->rows / rows};
  groups->block = rows < block_rows ? block_rows / rows : 1;
  omr_pool *memory = &groups->memory;
  groups->status = omr_pool_take(memory, groups->block * rows, sizeof *groups->status);
  groups->group_status = omr_pool_take(memory, groups->block, sizeof *groups->group_status);
  groups->values = omr_pool_take(memory, groups->block * rows, sizeof *groups->values);
  if (!memory->failed) return OMR_OK;
  omr_groups_close(groups);
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the sensitivities");
}

void omr_groups_close(omr_groups *groups) {
  omr_pool_free(&groups->memory);
  *groups = (omr_groups){0};
}

void omr_groups_judge(omr_groups *groups) {
  for (size_t g = 0; g < groups->here; g++) {
    const int8_t *status = groups->status + g * groups->rows;
    size_t row = 0;
    while (row + 1 < groups->rows && status[row] == OMR_INSTANCE_OK) row++;
    groups->group_status[g] = status[row];
  }
}

void omr_groups_count(const omr_groups *groups, uint64_t *ok,
                      uint64_t failed[OMR_INSTANCE_STATUS_COUNT]) {
  for (size_t g = 0; g < groups->here; g++) {
    const int8_t code = groups->group_status[g];
    if (code == OMR_INSTANCE_OK)
      ++*ok;
    else if (code > 0 && code < OMR_INSTANCE_STATUS_COUNT)
      failed[code]++;
  }
}

omr_status omr_groups_block(omr_groups *groups, size_t first, bool *more, omr_error *error) {
  const size_t left = groups->count - first;
  groups->first = first;
  groups->here = left < groups->block ? left : groups->block;
  *more = groups->here > 0;
  if (!*more) return OMR_OK;
  const omr_status status =
      groups->source->ops->status(groups->source, first * groups->rows, groups->here * groups->rows,
                                  groups->status, NULL, error);
  if (status == OMR_OK) omr_groups_judge(groups);
  return status;
}

omr_status omr_groups_values(omr_groups *groups, size_t column, bool every, omr_error *error) {
  groups->every = every;
  return groups->source->ops->read(groups->source, column, groups->first * groups->rows,
                                   groups->here * groups->rows, groups->values, error);
}

const double *omr_groups_get(const omr_groups *groups, size_t g) {
  const double *values = groups->values + g * groups->rows;
  if (groups->group_status[g] != OMR_INSTANCE_OK && !groups->every) return NULL;
  for (size_t row = 0; row < groups->rows; row++)
    if (!isfinite(values[row])) return NULL;
  return values;
}
