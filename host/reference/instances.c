/* Which instances of a study the reference runs one by one. */
#include "ensemble.h"

#include <stdlib.h>
#include <string.h>

omr_status omr_instances_spread(const omr_study *study, size_t wanted, size_t **chosen,
                                size_t *count, omr_error *error) {
  *chosen = NULL;
  if (wanted < 1 || wanted > study->instances)
    return omr_fail(error, OMR_ERR_USAGE, "--sample %zu: %s has %zu instances", wanted, study->name,
                    study->instances);
  *chosen = malloc(wanted * sizeof **chosen);
  if (!*chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances", wanted);
  *count = wanted;
  const size_t last = study->instances - 1;
  for (size_t i = 0; i < wanted; i++)
    (*chosen)[i] =
        wanted == 1 ? 0 : (size_t)((double)i * (double)last / (double)(wanted - 1) + 0.5);
  return OMR_OK;
}

omr_status omr_instances_default(const omr_study *study, size_t **chosen, size_t *count,
                                 omr_error *error) {
  *count = study->traces.count ? study->traces.count : 1;
  *chosen = calloc(*count, sizeof **chosen);
  if (!*chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances", *count);
  if (study->traces.count) memcpy(*chosen, study->traces.instances, *count * sizeof **chosen);
  return OMR_OK;
}
