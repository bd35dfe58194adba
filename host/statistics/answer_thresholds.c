/* Where a criterion or an asked value changes along one ordered parameter. */
#include "answer.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THRESHOLDS = 1024 };
#define FLAT 0.1 /* of the other row's size */

typedef struct search {
  const omr_statistics *s;
  const double *margins;
  omr_answer *a;
  size_t along;  /* the parameter that goes up, among the design's */
  size_t *order; /* [row_count] rows by the other parameters, then by this one */
  size_t room;
} search;

static double at(const omr_answer *a, size_t row, size_t d) {
  return a->designs[row * a->design_count + d];
}

/* Words of a study are numbers among the values, but have no order. */
static bool is_ordered(const omr_study *study, size_t quantity) {
  const omr_variation *v = &study->variations[quantity];
  return v->sensed || v->per_wheel || v->index != OMR_VP_TRACKING;
}

static size_t levels_of(const omr_answer *a, size_t d) {
  size_t count = 0;
  for (size_t r = 0; r < a->row_count; r++) {
    size_t before = 0;
    while (before < r && at(a, before, d) != at(a, r, d)) before++;
    count += before == r;
  }
  return count;
}

/* The ordered parameter with the most values; design_count where there is none. */
static size_t choose_along(const omr_study *study, const omr_answer *a) {
  size_t most = 1, along = a->design_count;
  for (size_t d = 0; d < a->design_count; d++) {
    const size_t levels = is_ordered(study, a->design[d]) ? levels_of(a, d) : 0;
    if (levels > most) most = levels, along = d;
  }
  return along;
}

static int compare_others(const search *f, size_t x, size_t y) {
  for (size_t d = 0; d < f->a->design_count; d++)
    if (d != f->along && at(f->a, x, d) != at(f->a, y, d))
      return at(f->a, x, d) < at(f->a, y, d) ? -1 : 1;
  return 0;
}

static bool comes_after(const search *f, size_t x, size_t y) {
  const int others = compare_others(f, x, y);
  const double a = at(f->a, x, f->along), b = at(f->a, y, f->along);
  return others > 0 || (others == 0 && a > b);
}

/* Sorts the rows by insertion from gaps that shrink (Shell 1959), since qsort takes no context. */
static void sort_rows(search *f) {
  const size_t count = f->a->row_count;
  for (size_t r = 0; r < count; r++) f->order[r] = r;
  for (size_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (size_t i = gap; i < count; i++) {
      const size_t row = f->order[i];
      size_t j = i;
      for (; j >= gap && comes_after(f, f->order[j - gap], row); j -= gap)
        f->order[j] = f->order[j - gap];
      f->order[j] = row;
    }
}

/* CROSSINGS */

typedef enum curve { VALUE, LOW, HIGH } curve;

/* How far a row is above the level that is crossed: of single instances the margin of the
 * criterion where it is known. */
static double above(const search *f, size_t row, size_t asked, curve which) {
  const omr_asked *item = &f->a->asked[asked];
  const omr_answer_value *value = omr_answer_at(f->a, row, asked);
  const double level = item->of_criterion ? 0.5 : item->target,
               margin = f->margins[row * f->a->asked_count + asked];
  if (which == LOW) return value->bounds.low - level;
  if (which == HIGH) return value->bounds.high - level;
  if (item->of_criterion && isfinite(margin) && margin != 0 && !isnan(value->value) &&
      (margin > 0) == (value->value > level))
    return margin;
  return value->value - level;
}

/* Crossings of a curve in the rows order[first .. end): how many, and the place of the first. */
static size_t count_crossings(const search *f, size_t first, size_t end, size_t asked, curve which,
                              size_t *place) {
  size_t count = 0;
  for (size_t i = first; i + 1 < end; i++) {
    const double here = above(f, f->order[i], asked, which),
                 next = above(f, f->order[i + 1], asked, which);
    if (isnan(here) || isnan(next)) return 0;
    if ((here > 0) == (next > 0)) continue;
    if (count++ == 0) *place = i;
  }
  return count;
}

/* Where a line through both rows is 0; where one is nearly 0 beside the other, as below a limit of
 * friction and beyond it, no line leads from one to the other, and the middle is as good as any. */
static double crossing(const search *f, size_t place, size_t asked, curve which) {
  const double x = at(f->a, f->order[place], f->along), y = at(f->a, f->order[place + 1], f->along),
               here = above(f, f->order[place], asked, which),
               next = above(f, f->order[place + 1], asked, which);
  const double least = fmin(fabs(here), fabs(next)), most = fmax(fabs(here), fabs(next));
  return least < FLAT * most ? (x + y) / 2 : x + (y - x) * (here / (here - next));
}

/* Of shares: the designs next to the crossing whose intervals leave out one half, or the ends of
 * what was run. Between two designs a share may jump anywhere, whatever a line between them says.
 */
static omr_bounds bounds_of_share(const search *f, size_t first, size_t end, size_t place,
                                  size_t asked) {
  const bool rising = above(f, f->order[place + 1], asked, VALUE) > 0;
  size_t below = place, beyond = place + 1;
  while (below > first && !(rising ? above(f, f->order[below], asked, HIGH) < 0
                                   : above(f, f->order[below], asked, LOW) > 0))
    below--;
  while (beyond + 1 < end && !(rising ? above(f, f->order[beyond], asked, LOW) > 0
                                      : above(f, f->order[beyond], asked, HIGH) < 0))
    beyond++;
  return (omr_bounds){at(f->a, f->order[below], f->along), at(f->a, f->order[beyond], f->along)};
}

/* The ends of an interval cross on either side of the value; where one of them does not, the
 * values that were run end first. */
static omr_bounds bounds_of(const search *f, size_t first, size_t end, size_t place, size_t asked) {
  const double from = at(f->a, f->order[first], f->along),
               to = at(f->a, f->order[end - 1], f->along),
               middle = crossing(f, place, asked, VALUE);
  const bool rising = above(f, f->order[place + 1], asked, VALUE) > 0;
  omr_bounds b = {at(f->a, f->order[place], f->along), at(f->a, f->order[place + 1], f->along)};
  if (isnan(omr_answer_at(f->a, f->order[place], asked)->bounds.low)) return b;
  if (f->a->asked[asked].of_criterion) return bounds_of_share(f, first, end, place, asked);
  size_t low, high;
  const size_t lows = count_crossings(f, first, end, asked, LOW, &low),
               highs = count_crossings(f, first, end, asked, HIGH, &high);
  const double x = lows == 1 ? crossing(f, low, asked, LOW)
                   : rising  ? to
                             : from,
               y = highs == 1 ? crossing(f, high, asked, HIGH)
                   : rising   ? from
                              : to;
  b.low = fmin(middle, fmin(x, y));
  b.high = fmax(middle, fmax(x, y));
  return b;
}

static bool add(search *f, size_t first, size_t end, size_t asked) {
  omr_answer *a = f->a;
  size_t place;
  if (a->threshold_count == MOST_THRESHOLDS ||
      count_crossings(f, first, end, asked, VALUE, &place) != 1)
    return true;
  if (a->threshold_count == f->room) {
    f->room = f->room ? 2 * f->room : 16;
    omr_threshold *grown = realloc(a->thresholds, f->room * sizeof *grown);
    if (!grown) return false;
    a->thresholds = grown;
  }
  a->thresholds[a->threshold_count++] =
      (omr_threshold){.asked = asked,
                      .along = f->along,
                      .row = f->order[place],
                      .at = crossing(f, place, asked, VALUE),
                      .bounds = bounds_of(f, first, end, place, asked),
                      .rising = above(f, f->order[place + 1], asked, VALUE) > 0};
  return true;
}

bool omr_answer_find_thresholds(const omr_study *study, const omr_statistics *s,
                                const double *margins, omr_answer *a) {
  search f = {.s = s, .margins = margins, .a = a, .along = choose_along(study, a)};
  if (f.along == a->design_count) return true;
  f.order = malloc(a->row_count * sizeof *f.order);
  if (!f.order) return false;
  sort_rows(&f);

  /* groups of rows in which all other parameters are the same */
  bool good = true;
  for (size_t first = 0, end; good && first < a->row_count; first = end) {
    for (end = first + 1; end < a->row_count; end++)
      if (compare_others(&f, f.order[first], f.order[end]) != 0) break;
    for (size_t i = 0; good && i < a->asked_count; i++)
      if (a->asked[i].of_criterion || a->asked[i].best == OMR_BEST_TARGET)
        good = add(&f, first, end, i);
  }
  free(f.order);
  return good;
}

/* IN WORDS */

/* " kg", "" of a pure number. */
static void add_unit(omr_text *to, const char *unit) {
  if (strcmp(unit, "1") != 0) omr_text_print(to, " %s", unit);
}

void omr_threshold_tell(const omr_statistics *s, const omr_threshold *t, char *text, size_t size) {
  const omr_answer *a = s->answer;
  const omr_asked *asked = &a->asked[t->asked];
  const omr_quantity *along = &s->quantities[a->design[t->along]];
  omr_text to = {0};
  char value[32];
  omr_number_print(value, sizeof value, t->at, omr_half_of(t->bounds));

  /* what changes, and where */
  omr_text_print(&to, "%s ", asked->name);
  if (!asked->of_criterion) {
    omr_text_print(&to, "%s %.4g", t->rising ? "reaches" : "falls below", asked->target);
    add_unit(&to, asked->unit);
    omr_text_print(&to, " at %s %s", along->name, value);
    add_unit(&to, along->unit);
  } else {
    if (a->rows == OMR_ANSWER_CELLS) omr_text_print(&to, "in half of the instances ");
    omr_text_print(&to, "%s %s %s", t->rising ? "from" : "up to", along->name, value);
    add_unit(&to, along->unit);
    if (t->rising) omr_text_print(&to, " on");
  }
  char interval[72];
  omr_interval_print(interval, sizeof interval, t->bounds);
  if (*interval) omr_text_print(&to, " (%s)", interval);

  /* the other parameters of the design */
  size_t others = 0;
  for (size_t d = 0; d < a->design_count; d++) {
    if (d == t->along) continue;
    const omr_quantity *other = &s->quantities[a->design[d]];
    omr_text_print(&to, "%s%s %.4g", others++ ? ", " : " at ", other->name, at(a, t->row, d));
    add_unit(&to, other->unit);
  }
  snprintf(text, size, "%s", to.data && !to.failed ? to.data : "");
  omr_text_free(&to);
}
