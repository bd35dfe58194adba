#include "balance.h"
#include "slice.h"

#include <string.h>

bool omr_result_put(omr_result *whole, size_t row, size_t traced, const omr_result *part) {
  /* Columns and states of the rows. */
  for (size_t c = 0; c < part->column_count; c++)
    memcpy(whole->columns[c].values + row, part->columns[c].values,
           part->instances * sizeof(double));
  memcpy(whole->status + row, part->status, part->instances * sizeof *part->status);
  memcpy(whole->status_time + row, part->status_time, part->instances * sizeof *part->status_time);
  if (part->retries)
    memcpy(whole->retries + row, part->retries, part->instances * sizeof *part->retries);
  if (part->row_steps) {
    memcpy(whole->row_steps + row, part->row_steps, part->instances * sizeof(double));
    memcpy(whole->row_balance + row, part->row_balance, part->instances * sizeof(double));
  }

  /* Trajectories follow the ones that are there. */
  for (size_t i = 0; part->traced_count > 0 && i < omr_result_series_count(part); i++) {
    const omr_series from = omr_result_series(part, i), to = omr_result_series(whole, i);
    const size_t size = omr_result_series_size(part, from);
    if (*from.values && *to.values)
      memcpy(*to.values + traced * size, *from.values, part->traced_count * size * sizeof(double));
  }

  /* Join the records and the warnings. */
  omr_run_record *total = &whole->record;
  total->prepare_seconds += part->record.prepare_seconds;
  total->instance_steps += part->record.instance_steps;
  total->refined_steps += part->record.refined_steps;
  total->retried += part->record.retried;
  total->recovered += part->record.recovered;
  omr_balance_join(total, &part->record);
  memcpy(whole->warnings, part->warnings, sizeof whole->warnings);
  if (!whole->first_invalid[0])
    memcpy(whole->first_invalid, part->first_invalid, sizeof whole->first_invalid);
  return omr_failures_join(&whole->failures, &part->failures);
}
