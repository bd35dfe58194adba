#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t omr_checks_awaited(const char *line) {
  size_t check;
  const int found =
      sscanf(line, "chunk %*u rows %*u %*u bytes %*u xxh3 %*32[0-9a-f] at %*u check %zu", &check);
  return found == 1 ? check : 0;
}

static bool add(omr_checks *checks, size_t check) {
  if (checks->count == checks->room) {
    const size_t room = 2 * checks->room + 16;
    size_t *grown = realloc(checks->good, room * sizeof *grown);
    if (!grown) return false;
    checks->good = grown;
    checks->room = room;
  }
  checks->good[checks->count++] = check;
  return true;
}

bool omr_checks_note(omr_checks *checks, const char *line) {
  size_t check = omr_checks_awaited(line);
  const bool good = check == 0 && sscanf(line, "check %zu good", &check) == 1;
  if (check > checks->highest) checks->highest = check;
  return !good || add(checks, check);
}

bool omr_checks_cover(const omr_checks *checks, size_t check) {
  if (check == 0) return true;
  for (size_t i = checks->count; i-- > 0;)
    if (checks->good[i] == check) return true;
  return false;
}

void omr_checks_free(omr_checks *checks) {
  free(checks->good);
  *checks = (omr_checks){0};
}
