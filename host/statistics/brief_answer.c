/* The answer of a run in few tables: the designs of a nested study, its criteria, or the ranges of
 * some observables; and the parameters that go with them. */
#include "brief_parts.h"
#include "outcome.h"
#include "sensitivity_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLANKS = 2, HEAD = 1, NOTE = 1, MOST_CELLS = 14, LINKED = 3 };

/* SHARES */

/* "3.12 %"; a share below 1 is never printed as 100 %. */
static void print_share(double share, char text[32]) {
  if (isnan(share)) {
    snprintf(text, 32, "no value");
    return;
  }
  int digits = 3;
  do {
    snprintf(text, 32, "%.*g", digits, 100 * share);
  } while (share < 1 && strtod(text, NULL) >= 100 && ++digits < 12);
  strcat(text, " %");
}

static void print_interval(const omr_statistics *s, const omr_criterion_counts *c, char text[72]) {
  const omr_bounds b =
      omr_probability_bounds(s->interval, c->met, c->met + c->not_met, s->confidence);
  text[0] = '\0';
  if (s->spread_only || isnan(b.low)) return;
  snprintf(text, 72, "%.3g to %.3g %%", 100 * b.low, 100 * b.high);
}

static void interval_heading(const omr_statistics *s, char text[32]) {
  text[0] = '\0';
  if (!s->spread_only) snprintf(text, 32, "%.6g %% interval", 100 * s->confidence);
}

/* DESIGNS */

static double share_of(const omr_statistics *s, size_t cell) {
  return omr_probability_of(&s->cells.criteria[cell * s->criterion_count]);
}

/* qsort takes no context, so a share carries the number of its cell. */
typedef struct ranked {
  double share;
  size_t cell;
} ranked;

static int by_share(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (isnan(x->share) || isnan(y->share)) {
    if (isnan(x->share) != isnan(y->share)) return isnan(x->share) ? 1 : -1;
  } else if (x->share != y->share) {
    return x->share < y->share ? -1 : 1;
  }
  return (x->cell > y->cell) - (x->cell < y->cell);
}

/* Chooses all cells in their order, or, where they are too many, the ones with the smallest and
 * largest shares; without criteria the first cells. */
static bool choose_cells(const omr_statistics *s, size_t most, size_t *chosen) {
  const size_t count = s->cells.count;
  for (size_t i = 0; i < most; i++) chosen[i] = i;
  if (count <= most || s->criterion_count == 0) return true;
  ranked *all = malloc(count * sizeof *all);
  if (!all) return false;
  size_t valued = 0;
  for (size_t i = 0; i < count; i++) {
    all[i] = (ranked){share_of(s, i), i};
    valued += isnan(all[i].share) ? 0 : 1;
  }
  qsort(all, count, sizeof *all, by_share); /* cells without a value come last */
  const size_t first = (most + 1) / 2, of = valued > most ? valued : count;
  for (size_t i = 0; i < most; i++) chosen[i] = all[i < first ? i : of - (most - i)].cell;
  free(all);
  return true;
}

static bool any_failed(const omr_statistics *s) {
  return s->by_status[OMR_INSTANCE_OK] < s->rows;
}

static void cell_headings(const omr_statistics *s, const size_t *means, size_t count,
                          omr_sheet *sheet) {
  char text[32];
  size_t column = 0;
  for (size_t d = 0; d < s->cells.design_count; d++)
    omr_sheet_add(sheet, 0, column++, "%s", s->quantities[s->cells.design[d]].name);
  if (any_failed(s)) omr_sheet_add(sheet, 0, column++, "ok");
  for (size_t i = 0; i < s->criterion_count; i++)
    omr_sheet_add(sheet, 0, column++, "%s", s->criteria[i].name);
  interval_heading(s, text);
  if (s->criterion_count == 1 && *text) omr_sheet_add(sheet, 0, column++, "%s", text);
  for (size_t i = 0; i < count; i++)
    omr_sheet_add(sheet, 0, column++, "%s", s->quantities[means[i]].name);
}

static void cell_row(const omr_statistics *s, size_t cell, const size_t *means, size_t count,
                     size_t row, omr_sheet *sheet) {
  const omr_cells *c = &s->cells;
  char text[72];
  size_t column = 0;

  /* values of the design's parameters */
  for (size_t d = 0; d < c->design_count; d++)
    omr_sheet_add(sheet, row, column++, "%.6g", c->values[cell * c->design_count + d]);

  /* instances that ended well, where not all did */
  if (any_failed(s))
    omr_sheet_add(sheet, row, column++, "%llu",
                  (unsigned long long)c->by_status[cell * OMR_INSTANCE_STATUS_COUNT]);

  /* share of each criterion; a single criterion has room for its interval too */
  for (size_t i = 0; i < s->criterion_count; i++) {
    print_share(omr_probability_of(&c->criteria[cell * s->criterion_count + i]), text);
    omr_sheet_add(sheet, row, column++, "%s", text);
  }
  if (s->criterion_count == 1 && !s->spread_only) {
    print_interval(s, &c->criteria[cell], text);
    omr_sheet_add(sheet, row, column++, "%s", text);
  }

  /* means of the observables, where any instance has a value */
  for (size_t i = 0; i < count; i++) {
    const omr_moments *m = &c->moments[cell * s->quantity_count + means[i]];
    if (m->used)
      omr_sheet_add(sheet, row, column++, "%.5g", m->mean);
    else
      omr_sheet_add(sheet, row, column++, "no value");
  }
}

static void add_unit(omr_text *to, const char *what, const omr_quantity *quantity) {
  if (*what || strcmp(quantity->unit, "1") != 0)
    omr_text_print(to, "%s%s%s%s%s", to->length ? "; " : "", what, quantity->name,
                   strcmp(quantity->unit, "1") == 0 ? "" : " in ",
                   strcmp(quantity->unit, "1") == 0 ? "" : quantity->unit);
}

/* The note below the table explains its numbers: "share that shakes (vibration_rms > 0.4 m/s2);
 * means". */
static void cell_note(const omr_statistics *s, size_t shown, size_t columns, const size_t *means,
                      omr_text *to) {
  const size_t design = s->cells.design_count + any_failed(s),
               interval = s->criterion_count == 1 && !s->spread_only;
  omr_text text = {0};

  /* name the design's parameters, and say so if only some designs are shown */
  for (size_t d = 0; d < s->cells.design_count; d++)
    add_unit(&text, "", &s->quantities[s->cells.design[d]]);
  if (shown < s->cells.count)
    omr_text_print(&text, "%s%zu of %zu designs%s%s", text.length ? "; " : "", shown,
                   s->cells.count, s->criterion_count ? ", smallest and largest " : "",
                   s->criterion_count ? s->criteria[0].name : "");

  /* explain the columns of criteria and means */
  for (size_t i = 0; i < s->criterion_count && i < columns - design; i++)
    omr_text_print(&text, "%s%s: share with %s", text.length ? "; " : "", s->criteria[i].name,
                   s->criteria[i].text);
  for (size_t i = design + s->criterion_count + interval; i < columns; i++)
    add_unit(&text, "mean ", &s->quantities[means[i - design - s->criterion_count - interval]]);

  if (columns < design + s->criterion_count)
    omr_text_print(&text, "; %zu more criteria have no room",
                   design + s->criterion_count - columns);
  if (text.data) omr_wrap(to, &(omr_wrapping){"", 2, OMR_BRIEF_WIDTH, 3}, text.data);
  omr_text_free(&text);
}

static void add_cells(const omr_brief *b, size_t lines, omr_text *to) {
  static const omr_sheet empty;
  const omr_statistics *s = b->statistics;
  size_t means[OMR_BRIEF_SHOWN], of, chosen[MOST_CELLS];
  const size_t room = lines > HEAD + 3 * NOTE ? lines - HEAD - 3 * NOTE : 1,
               most = room < MOST_CELLS ? room : MOST_CELLS,
               rows = s->cells.count < most ? s->cells.count : most,
               count = omr_brief_choose(b, s->criterion_count ? 2 : LINKED, means, &of);

  /* choose cells and observables that fit into the lines */
  omr_sheet *sheet = malloc(sizeof *sheet);
  if (!sheet || !choose_cells(s, rows, chosen)) {
    to->failed = true;
    free(sheet);
    return;
  }

  /* fill the table, print it and explain its columns */
  *sheet = empty;
  cell_headings(s, means, count, sheet);
  for (size_t i = 0; i < rows; i++) cell_row(s, chosen[i], means, count, i + 1, sheet);
  const size_t columns = omr_sheet_print(sheet, OMR_BRIEF_WIDTH, to);
  cell_note(s, rows, columns, means, to);
  free(sheet);
}

/* CRITERIA */

static void criterion_row(const omr_statistics *s, size_t number, omr_sheet *sheet) {
  const omr_criterion *criterion = &s->criteria[number];
  const omr_criterion_counts *c = &criterion->counts;
  const size_t row = number + 1;
  char text[72];
  size_t column = 0;
  omr_sheet_add(sheet, row, column++, "%s", criterion->name);
  omr_sheet_add(sheet, row, column++, "%llu of %llu", (unsigned long long)c->met,
                (unsigned long long)(c->met + c->not_met));
  print_share(omr_probability_of(c), text);
  omr_sheet_add(sheet, row, column++, "%s", text);
  print_interval(s, c, text);
  if (!s->spread_only) omr_sheet_add(sheet, row, column++, "%s", text);
}

/* Adds the text of each criterion as far as there is room. */
static void add_texts(const omr_statistics *s, size_t rows, size_t column, omr_sheet *sheet) {
  const int left = OMR_BRIEF_WIDTH - omr_sheet_width(sheet) - 2;
  const size_t room = left < OMR_SHEET_CELL ? (size_t)left : OMR_SHEET_CELL - 1;
  if (left < 12) return;
  for (size_t i = 0; i < rows; i++) {
    const char *text = s->criteria[i].text;
    const bool fits = strlen(text) <= room;
    omr_sheet_add(sheet, i + 1, column, "%.*s%s", (int)(fits ? room : room - 4), text,
                  fits ? "" : " ...");
  }
}

static void add_criteria(const omr_statistics *s, size_t lines, omr_text *to) {
  static const char *const headings[] = {"criterion", "met by", "share"};
  const size_t most = lines > HEAD + NOTE ? lines - HEAD - NOTE : 1,
               rows = s->criterion_count < most ? s->criterion_count : most;
  char text[64];

  omr_sheet *sheet = calloc(1, sizeof *sheet);
  to->failed = to->failed || !sheet;
  if (!sheet) return;

  /* headings, with the interval if there is one */
  size_t column = 0;
  for (; column < 3; column++) omr_sheet_add(sheet, 0, column, "%s", headings[column]);
  interval_heading(s, text);
  if (*text) omr_sheet_add(sheet, 0, column++, "%s", text);
  sheet->left[0] = sheet->left[column] = true;

  /* a row for each criterion that fits */
  for (size_t i = 0; i < rows; i++) criterion_row(s, i, sheet);
  add_texts(s, rows, column, sheet);
  omr_sheet_print(sheet, OMR_BRIEF_WIDTH, to);
  free(sheet);

  if (rows < s->criterion_count)
    omr_text_print(to, "  and %zu more criteria\n", s->criterion_count - rows);
}

/* Prints "shakes: 3 unknown, 12 failed left out", which an answer must not hide. */
static void add_left_out(const omr_statistics *s, omr_text *to) {
  omr_text text = {0};
  for (size_t i = 0; i < s->criterion_count; i++) {
    const omr_criterion_counts *c = &s->criteria[i].counts;
    if (c->unknown + c->left_out == 0) continue;
    omr_text_print(&text, "%s%s:", text.length ? "; " : "", s->criteria[i].name);
    if (c->unknown) omr_text_print(&text, " %llu unknown", (unsigned long long)c->unknown);
    if (c->left_out)
      omr_text_print(&text, "%s %llu failed left out", c->unknown ? "," : "",
                     (unsigned long long)c->left_out);
  }
  if (text.data) omr_wrap(to, &(omr_wrapping){"", 2, OMR_BRIEF_WIDTH, 2}, text.data);
  omr_text_free(&text);
}

/* RANGES */

static bool is_correlated(const omr_statistics *s) {
  return s->sensitivity && s->sensitivity->measure == OMR_MEASURE_CORRELATION;
}

static void range_row(const omr_quantity *quantity, size_t row, omr_sheet *sheet) {
  const omr_moments *m = &quantity->moments;
  const double values[] = {m->min, m->mean, m->max};
  omr_sheet_add(sheet, row, 0, "%s", quantity->name);
  omr_sheet_add(sheet, row, 1, "%s", strcmp(quantity->unit, "1") == 0 ? "" : quantity->unit);
  for (size_t i = 0; i < 3; i++) {
    if (m->used)
      omr_sheet_add(sheet, row, 2 + i, "%.5g", values[i]);
    else
      omr_sheet_add(sheet, row, 2 + i, "no value");
  }
}

static void add_ranges(const omr_brief *b, size_t lines, omr_text *to) {
  static const char *const headings[] = {"observable", "unit", "min", "mean", "max"};
  const omr_statistics *s = b->statistics;
  const size_t room = lines > HEAD + NOTE ? lines - HEAD - NOTE : 1,
               most = room < OMR_BRIEF_SHOWN ? room : OMR_BRIEF_SHOWN;
  size_t shown[OMR_BRIEF_SHOWN], of;
  const uint64_t ok = s->by_status[OMR_INSTANCE_OK];
  uint64_t least = ok;

  omr_sheet *sheet = calloc(1, sizeof *sheet);
  to->failed = to->failed || !sheet;
  if (!sheet) return;
  const size_t count = omr_brief_choose(b, most, shown, &of);

  /* a row for each observable; remember the one that the fewest instances have */
  for (size_t i = 0; i < 5; i++) omr_sheet_add(sheet, 0, i, "%s", headings[i]);
  sheet->left[0] = sheet->left[1] = true;
  for (size_t i = 0; i < count; i++) {
    const omr_quantity *quantity = &s->quantities[shown[i]];
    range_row(quantity, i + 1, sheet);
    if (quantity->moments.used < least) least = quantity->moments.used;
  }

  omr_sheet_print(sheet, OMR_BRIEF_WIDTH, to);
  free(sheet);

  if (least < ok)
    omr_text_print(to, "  some have a value in %llu of %llu alone\n", (unsigned long long)least,
                   (unsigned long long)ok);
}

/* Prints the values of a single instance. */
static void add_values(const omr_brief *b, size_t lines, omr_text *to) {
  const omr_statistics *s = b->statistics;
  enum { MOST = 12 };
  size_t shown[MOST], of;
  const size_t most = lines > HEAD + NOTE ? lines - HEAD - NOTE : 1,
               count = omr_brief_choose(b, most < MOST ? most : MOST, shown, &of);

  omr_sheet *sheet = calloc(1, sizeof *sheet);
  to->failed = to->failed || !sheet;
  if (!sheet) return;

  /* headings */
  omr_sheet_add(sheet, 0, 0, "observable");
  omr_sheet_add(sheet, 0, 1, "value");
  omr_sheet_add(sheet, 0, 2, "unit");
  sheet->left[0] = sheet->left[2] = true;

  /* a row for each observable */
  for (size_t i = 0; i < count; i++) {
    const omr_quantity *quantity = &s->quantities[shown[i]];
    omr_sheet_add(sheet, i + 1, 0, "%s", quantity->name);
    if (isnan(quantity->first))
      omr_sheet_add(sheet, i + 1, 1, "no value");
    else
      omr_sheet_add(sheet, i + 1, 1, "%.6g", quantity->first);
    omr_sheet_add(sheet, i + 1, 2, "%s", strcmp(quantity->unit, "1") == 0 ? "" : quantity->unit);
  }

  omr_sheet_print(sheet, OMR_BRIEF_WIDTH, to);
  free(sheet);
  if (of > count) omr_text_print(to, "  and %zu more observables\n", of - count);
}

/* WHAT IT GOES WITH */

static void add_links(const omr_brief *b, size_t lines, omr_text *to) {
  const omr_statistics *s = b->statistics;
  const omr_sensitivity *with = s->sensitivity;
  if (!with || with->measure == OMR_MEASURE_NONE || lines < HEAD + 1) return;
  const size_t asked = is_correlated(s) ? LINKED : OMR_BRIEF_SHOWN, room = lines - HEAD;
  size_t shown[OMR_BRIEF_SHOWN], of, found = 0;
  const size_t count = omr_brief_choose(b, room < asked ? room : asked, shown, &of);
  for (size_t i = 0; i < count; i++) {
    char text[OMR_BRIEF_WIDTH];
    const char *name = s->quantities[shown[i]].name;
    omr_sensitivity_tell(with, name, sizeof text - 4 - strlen(name), text);
    if (!text[0]) continue;
    if (found++ == 0) omr_text_print(to, "  %s\n", omr_sensitivity_heading(with));
    omr_text_print(to, "  %s: %s\n", name, text);
  }
}

/* Lines that are left for the next of several tables. */
static size_t left(const omr_text *to, size_t before, size_t lines) {
  const size_t taken = omr_count_lines(to) - before;
  return taken < lines ? lines - taken : 0;
}

static void add_many(const omr_brief *b, size_t lines, omr_text *to) {
  const omr_statistics *s = b->statistics;
  const size_t before = omr_count_lines(to);
  const bool measured =
      s->sensitivity && s->sensitivity->measure != OMR_MEASURE_NONE && !is_correlated(s);
  omr_outcome_tell(s->outcome, to);
  if (omr_outcome_is_rare(s->outcome)) return;
  if (s->cells.count) {
    add_cells(b, left(to, before, lines), to);
  } else {
    if (s->criterion_count) add_criteria(s, left(to, before, lines), to);
    if (!measured && left(to, before, lines) > HEAD + 1) add_ranges(b, left(to, before, lines), to);
  }
  add_left_out(s, to);
  add_links(b, left(to, before, lines), to);
}

void omr_brief_answer(const omr_brief *b, size_t lines, omr_text *to) {
  const omr_statistics *s = b->statistics;
  if (s->rows > 1 && s->by_status[OMR_INSTANCE_OK] == 0 && s->criterion_count == 0) return;
  omr_text_add(to, "\n", 1);
  if (s->rows == 1)
    add_values(b, lines - BLANKS, to);
  else
    add_many(b, lines - BLANKS, to);
  omr_text_add(to, "\n", 1);
}
