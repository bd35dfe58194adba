#include "support.h"

#include <string.h>

enum { LONGEST = 128 };

/* Dots, dashes and blanks part the words of a name as underscores do. */
static char plain(char c) {
  if (c == '.' || c == '-' || c == ' ') return '_';
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
      char x = plain(a[i - 1]), y = plain(b[j - 1]);
      size_t best = smaller(smaller(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == plain(b[j - 2]) && y == plain(a[i - 2]))
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

static size_t part_length(const char *at) {
  size_t length = 0;
  while (at[length] && plain(at[length]) != '_') length++;
  return length;
}

/* How many of the words of `name` equal the word at `part`. */
static size_t parts_like(const char *name, const char *part, size_t length) {
  size_t found = 0;
  for (const char *at = name;; at++) {
    const size_t own = part_length(at);
    size_t same = 0;
    while (same < own && same < length && plain(at[same]) == plain(part[same])) same++;
    found += own == length && same == length;
    at += own;
    if (!*at) return found;
  }
}

bool omr_same_words(const char *a, const char *b) {
  if (strlen(a) != strlen(b)) return false;
  for (const char *at = a;; at++) {
    const size_t length = part_length(at);
    if (length == 0 || parts_like(a, at, length) != parts_like(b, at, length)) return false;
    at += length;
    if (!*at) return true;
  }
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
    if (d > 1 && omr_same_words(word, candidates[i])) d = 1;
    if (d <= limit && d < longest && d < least) {
      nearest = candidates[i];
      least = d;
    }
  }
  return nearest;
}
