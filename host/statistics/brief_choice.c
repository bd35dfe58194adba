/* Chooses the observables that the short summary shows. */
#include "answer.h"
#include "brief_parts.h"

#include <math.h>

size_t omr_brief_choose(const omr_brief *brief, size_t most, size_t *shown, size_t *of) {
  const omr_statistics *s = brief->statistics;
  size_t count = 0;
  *of = 0;
  for (size_t q = s->parameter_count; q < s->quantity_count; q++)
    *of += s->rows == 1 ? isfinite(s->quantities[q].first) != 0 : s->quantities[q].moments.used > 0;
  for (size_t i = 0; s->answer && i < s->answer->asked_count && count < most; i++)
    if (!s->answer->asked[i].of_criterion) shown[count++] = s->answer->asked[i].index;
  return count;
}
