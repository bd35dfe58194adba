#include "verified.h"

#include <stdlib.h>
#include <string.h>

static void add(omr_verified *found, omr_finding **list, size_t *count, const char *where,
                const char *what) {
  omr_finding *grown = realloc(*list, (*count + 1) * sizeof *grown);
  if (grown) *list = grown;
  const omr_finding one = {strdup(where), strdup(what)};
  if (grown && one.where && one.what) {
    grown[(*count)++] = one;
    return;
  }
  found->failed = true;
  free(one.where);
  free(one.what);
}

void omr_verified_problem(omr_verified *found, const char *where, const char *what) {
  add(found, &found->problems, &found->problem_count, where, what);
}

void omr_verified_note(omr_verified *found, const char *where, const char *what) {
  add(found, &found->notes, &found->note_count, where, what);
}

static void free_list(omr_finding *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(list[i].where);
    free(list[i].what);
  }
  free(list);
}

void omr_verified_free(omr_verified *found) {
  free_list(found->problems, found->problem_count);
  free_list(found->notes, found->note_count);
  *found = (omr_verified){0};
}
