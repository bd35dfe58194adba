#include "support.h"

#include <string.h>

enum { LONGEST = 128 };

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Optimal string alignment: insertions, deletions, replacements and swaps of neighbours count one
 * each. Three rows of the table are enough. Both lengths are at most LONGEST. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb) {
  /* The row before the last serves swaps. */
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= nb; j++) last[j] = j;

  /* Each row from the two before it. */
  for (size_t i = 1; i <= na; i++) {
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      char x = lower(a[i - 1]), y = lower(b[j - 1]);
      size_t best = smaller(smaller(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
        best = smaller(best, before[j - 2] + 1);
      row[j] = best;
    }

    /* The rows change places for the next character. */
    size_t *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }

  return last[nb];
}

const char *omr_nearest(const char *word, const char *const *candidates, size_t count) {
  const char *nearest = NULL;
  size_t least = LONGEST, length = strlen(word);
  if (length > LONGEST) return NULL;
  for (size_t i = 0; i < count; i++) {
    size_t other = strlen(candidates[i]);
    if (other > LONGEST) continue;
    size_t longest = length > other ? length : other;
    size_t limit = smaller(1 + longest / 4, 4);
    size_t d = distance(word, length, candidates[i], other);
    if (d <= limit && d < longest && d < least) {
      nearest = candidates[i];
      least = d;
    }
  }
  return nearest;
}
