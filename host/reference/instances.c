/* Which instances of a study are taken alone. */
#include "ensemble.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static omr_status fail_list(const char *list, omr_error *error) {
  return omr_fail(error, OMR_ERR_USAGE,
                  "--instances %s: expected numbers and ranges of instances, such as 0,3,7-9",
                  list);
}

/* A whole number at *at, which moves behind it. */
static bool read_number(const char **at, size_t *number) {
  char *end;
  if (!isdigit((unsigned char)**at)) return false;
  unsigned long long value = strtoull(*at, &end, 10);
  if (end - *at > 18) return false;
  *number = (size_t)value;
  *at = end;
  return true;
}

static int by_number(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

static omr_status add_range(size_t first, size_t last, const omr_study *study, size_t **chosen,
                            size_t *count, omr_error *error) {
  if (last >= study->instances)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--instances: there is no instance %zu: %s has %zu, counted from 0", last,
                    study->name, study->instances);
  size_t *grown = realloc(*chosen, (*count + last - first + 1) * sizeof *grown);
  if (!grown)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances", last - first + 1);
  *chosen = grown;
  for (size_t k = first; k <= last; k++) grown[(*count)++] = k;
  return OMR_OK;
}

static omr_status read_list(const char *list, const omr_study *study, size_t **chosen,
                            size_t *count, omr_error *error) {
  for (const char *at = list;; at++) {
    size_t first, last;
    if (!read_number(&at, &first)) return fail_list(list, error);
    last = first;
    if (*at == '-') {
      at++;
      if (!read_number(&at, &last) || last < first) return fail_list(list, error);
    }
    omr_status status = add_range(first, last, study, chosen, count, error);
    if (status != OMR_OK) return status;
    if (*at == 0) return OMR_OK;
    if (*at != ',') return fail_list(list, error);
  }
}

omr_status omr_instances_read(const char *list, const omr_study *study, size_t **chosen,
                              size_t *count, omr_error *error) {
  *chosen = NULL;
  *count = 0;
  omr_status status = read_list(list, study, chosen, count, error);
  if (status != OMR_OK) {
    free(*chosen);
    *chosen = NULL;
    return status;
  }
  size_t kept = 0;
  qsort(*chosen, *count, sizeof **chosen, by_number);
  for (size_t i = 0; i < *count; i++)
    if (i == 0 || (*chosen)[i] != (*chosen)[i - 1]) (*chosen)[kept++] = (*chosen)[i];
  *count = kept;
  return OMR_OK;
}

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
  *count = study->traced_count ? study->traced_count : 1;
  *chosen = calloc(*count, sizeof **chosen);
  if (!*chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances", *count);
  if (study->traced_count) memcpy(*chosen, study->traced, *count * sizeof **chosen);
  return OMR_OK;
}
