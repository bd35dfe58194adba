/* Instances by their numbers: "0,3,7-9". */
#include "instance_list.h"

#include <ctype.h>
#include <stdlib.h>

static omr_status fail_list(const char *option, const char *list, omr_error *error) {
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s %s: expected numbers and ranges of instances, such as 0,3,7-9", option, list);
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

static omr_status add_range(const char *option, size_t first, size_t last, const omr_study *study,
                            size_t **chosen, size_t *count, omr_error *error) {
  if (last >= study->instances)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: there is no instance %zu: %s has %zu, counted from 0", option, last,
                    study->name, study->instances);
  if (!omr_grow(chosen, *count + last - first + 1, sizeof **chosen))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances", last - first + 1);
  for (size_t k = first; k <= last; k++) (*chosen)[(*count)++] = k;
  return OMR_OK;
}

static omr_status read_list(const char *option, const char *list, const omr_study *study,
                            size_t **chosen, size_t *count, omr_error *error) {
  for (const char *at = list;; at++) {
    size_t first, last;
    if (!read_number(&at, &first)) return fail_list(option, list, error);
    last = first;
    if (*at == '-') {
      at++;
      if (!read_number(&at, &last) || last < first) return fail_list(option, list, error);
    }
    omr_status status = add_range(option, first, last, study, chosen, count, error);
    if (status != OMR_OK) return status;
    if (*at == 0) return OMR_OK;
    if (*at != ',') return fail_list(option, list, error);
  }
}

omr_status omr_instances_read(const char *option, const char *list, const omr_study *study,
                              size_t **chosen, size_t *count, omr_error *error) {
  *chosen = NULL;
  *count = 0;
  omr_status status = read_list(option, list, study, chosen, count, error);
  if (status != OMR_OK) {
    free(*chosen);
    *chosen = NULL;
    return status;
  }
  *count = omr_sort_once(*chosen, *count);
  return OMR_OK;
}
