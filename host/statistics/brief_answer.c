/* The answer of a run in few tables, from the rows of answer.h: the designs with what is asked, one
 * row for all instances, or the values of one; where a criterion changes; and the parameters that
 * go with it. */
#include "answer.h"
#include "brief_parts.h"
#include "number.h"
#include "outcome.h"
#include "sensitivity_table.h"
#include "step_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLANKS = 2, HEAD = 1, NOTES = 3, MOST_DESIGNS = 14, MOST_VALUES = 12, LINKED = 3, TOLD = 3 };
enum { TEXT = OMR_SHEET_CELL };

static bool is_pure(const char *unit) {
  return strcmp(unit, "1") == 0;
}

static bool any_failed(const omr_statistics *s) {
  return s->by_status[OMR_INSTANCE_OK] < s->rows;
}

/* A sheet on the heap, which is too large for the stack of a thread. */
static omr_sheet *new_sheet(omr_text *to) {
  omr_sheet *sheet = calloc(1, sizeof *sheet);
  to->failed = to->failed || !sheet;
  return sheet;
}

/* VALUES */

/* "75.9 %"; a share below 1 is never printed as 100 %, nor one above 0 as 0 %. */
static void print_share(double share, double half, char text[TEXT]) {
  double left = share > 0 && share < 1 ? fmin(share, 1 - share) : half;
  if (isnan(half) || half > left) half = fmin(left, 0.01);
  omr_number_print(text, TEXT - 2, 100 * share, 100 * half);
  if (!isnan(share)) strcat(text, " %");
}

/* Whether a reader who goes by the interval, or without one by the value, has to know of the step's
 * error: beyond half of the half interval, or a hundredth of the value, and beyond 1e-9 in SI
 * units, which is what rounding leaves of zero. */
static bool step_matters(double step, double value, double half) {
  return !isnan(value) && step > fmax(half > 0 ? 0.5 * half : 1e-2 * fabs(value), 1e-9);
}

static bool value_needs_step(const omr_answer *a, size_t row, size_t i) {
  const omr_answer_value *v = omr_answer_at(a, row, i);
  return step_matters(v->step, v->value, omr_half_of(v->bounds));
}

/* The step's error of what is asked, the same for all rows; "" where it matters to none of them. */
static void print_step(const omr_answer *a, size_t i, char text[TEXT]) {
  bool matters = false;
  for (size_t r = 0; r < a->row_count; r++) matters = matters || value_needs_step(a, r, i);
  const bool share = a->asked[i].of_criterion;
  *text = '\0';
  if (matters)
    snprintf(text, TEXT, "%.2g%s", (share ? 100 : 1) * omr_answer_at(a, 0, i)->step,
             share ? " %" : "");
}

/* What is asked of a design: "75.9 % (68.5 to 83.1)", "yes", "0.356", and its mark. */
static void print_value(const omr_answer *a, const omr_asked *asked, const omr_answer_value *v,
                        char text[TEXT]) {
  char value[TEXT], interval[TEXT];
  const double factor = asked->of_criterion ? 100 : 1, half = omr_half_of(v->bounds);
  const bool truth = asked->of_criterion && a->rows == OMR_ANSWER_INSTANCES;
  static const char *const marks[] = {
      [OMR_MARK_NONE] = "", [OMR_MARK_BEST] = " *", [OMR_MARK_AS_GOOD] = " ~"};
  const omr_bounds bounds = {factor * v->bounds.low, factor * v->bounds.high};
  if (isnan(v->value))
    snprintf(value, sizeof value, "no value");
  else if (truth)
    snprintf(value, sizeof value, "%s", v->value > 0.5 ? "yes" : "no");
  else if (asked->of_criterion)
    print_share(v->value, half, value);
  else
    omr_number_print(value, sizeof value, v->value, half > 0 ? fmax(half, v->step) : v->step);
  omr_interval_print(interval, sizeof interval, bounds);
  snprintf(text, TEXT, "%.24s%s%.32s%s%s", value, *interval ? " (" : "", interval,
           *interval ? ")" : "", marks[v->mark]);
}

/* DESIGNS */

/* qsort takes no context, so a value carries the number of its row. */
typedef struct ranked {
  double value;
  size_t row;
} ranked;

static int by_value(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (isnan(x->value) != isnan(y->value)) return isnan(x->value) ? 1 : -1;
  if (!isnan(x->value) && x->value != y->value) return x->value < y->value ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  return (x->row > y->row) - (x->row < y->row);
}

/* Chooses all rows, or, where they are too many, those with the smallest and largest values of what
 * is asked first; in the order of the design. NULL when out of memory. */
static ranked *choose_rows(const omr_answer *a, size_t most) {
  ranked *rows = calloc(a->row_count + 1, sizeof *rows);
  size_t valued = 0;
  for (size_t r = 0; rows && r < a->row_count; r++) {
    rows[r] = (ranked){a->asked_count ? omr_answer_at(a, r, 0)->value : (double)NAN, r};
    valued += isnan(rows[r].value) ? 0 : 1;
  }
  if (!rows || a->row_count <= most) return rows;

  qsort(rows, a->row_count, sizeof *rows, by_value); /* rows without a value come last */
  const size_t first = (most + 1) / 2, of = valued > most ? valued : a->row_count;
  memmove(rows + first, rows + of - (most - first), (most - first) * sizeof *rows);
  qsort(rows, most, sizeof *rows, by_row);
  return rows;
}

/* Puts a heading into the last of the rows for it; a long name is broken at a '_' into both. */
static void add_heading(omr_sheet *sheet, size_t rows, size_t column, const char *name) {
  const size_t length = strlen(name);
  size_t cut = 0;
  for (size_t i = 1; rows > 1 && length > 10 && i < length; i++)
    if (name[i - 1] == '_' &&
        (!cut || labs(2 * (long)i - (long)length) <= labs(2 * (long)cut - (long)length)))
      cut = i;
  if (rows > 1) omr_sheet_add(sheet, 0, column, "%.*s", (int)cut, name);
  omr_sheet_add(sheet, rows - 1, column, "%s", name + cut);
}

/* How the parameters of a design are named: on one line, on two, or by the number of the design
 * alone, where they would take all the room. */
typedef enum layout { ONE_LINE = 1, TWO_LINES, NUMBERED } layout;

static size_t heads_of(layout layout) {
  return layout == ONE_LINE ? 1 : 2;
}

/* Columns before what is asked. */
static size_t columns_before(const omr_statistics *s, layout layout) {
  return (layout == NUMBERED ? 1 : s->answer->design_count) + any_failed(s);
}

static void add_headings(const omr_statistics *s, layout layout, omr_sheet *sheet) {
  const omr_answer *a = s->answer;
  const size_t rows = heads_of(layout);
  size_t column = 0;
  for (size_t d = 0; d < a->design_count && layout < NUMBERED; d++)
    add_heading(sheet, rows, column++, s->quantities[a->design[d]].name);
  if (layout == NUMBERED)
    add_heading(sheet, rows, column++, a->rows == OMR_ANSWER_CELLS ? "cell" : "instance");
  if (any_failed(s)) add_heading(sheet, rows, column++, "ok");
  for (size_t i = 0; i < a->asked_count; i++) add_heading(sheet, rows, column++, a->asked[i].name);
}

static void add_design(const omr_statistics *s, size_t row, size_t at, layout layout,
                       omr_sheet *sheet) {
  const omr_answer *a = s->answer;
  const uint64_t *ended = a->by_status + row * OMR_INSTANCE_STATUS_COUNT;
  char text[TEXT];
  size_t column = 0;

  /* the design, and how its instances ended where not all did well */
  for (size_t d = 0; d < a->design_count && layout < NUMBERED; d++) {
    const double value = a->designs[row * a->design_count + d];
    omr_sheet_add(sheet, at, column++, fabs(value) < 1e4 ? "%.4g" : "%.7g", value);
  }
  if (layout == NUMBERED)
    omr_sheet_add(sheet, at, column++, "%llu", (unsigned long long)a->number[row]);
  if (any_failed(s))
    omr_sheet_add(sheet, at, column++, "%llu", (unsigned long long)ended[OMR_INSTANCE_OK]);

  for (size_t i = 0; i < a->asked_count; i++) {
    print_value(a, &a->asked[i], omr_answer_at(a, row, i), text);
    omr_sheet_add(sheet, at, column++, "%s", text);
  }
}

/* A last row with the step's error of each column. */
static void add_step_row(const omr_statistics *s, size_t at, layout layout, omr_sheet *sheet) {
  const omr_answer *a = s->answer;
  char text[TEXT];
  omr_sheet_add(sheet, at, 0, "step error");
  for (size_t i = 0; i < a->asked_count; i++) {
    print_step(a, i, text);
    omr_sheet_add(sheet, at, columns_before(s, layout) + i, "%s", text);
  }
}

static bool any_step_matters(const omr_answer *a) {
  char text[TEXT] = "";
  for (size_t i = 0; i < a->asked_count && !*text; i++) print_step(a, i, text);
  return *text != '\0';
}

static void add_note(omr_text *to, const char *format, ...) OMR_PRINTF(2, 3);
static void add_note(omr_text *to, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  omr_text_print(to, "%s%s", to->length ? "; " : "", text);
}

static void add_unit(omr_text *to, const char *what, const char *name, const char *unit) {
  if (*what || !is_pure(unit))
    add_note(to, "%s%s%s%s", what, name, is_pure(unit) ? "" : " in ", is_pure(unit) ? "" : unit);
}

static bool has_mark(const omr_answer *a, size_t columns, omr_mark mark) {
  for (size_t r = 0; r < a->row_count; r++)
    for (size_t i = 0; i < columns; i++)
      if (omr_answer_at(a, r, i)->mark == mark) return true;
  return false;
}

/* The note below the table explains its numbers: "shakes: share with vibration_rms > 0.4 m/s2". */
static void add_design_note(const omr_statistics *s, layout layout, size_t shown, size_t columns,
                            omr_text *to) {
  const omr_answer *a = s->answer;
  const size_t before = columns_before(s, layout), asked = columns > before ? columns - before : 0;
  const bool single = a->rows == OMR_ANSWER_INSTANCES;
  omr_text text = {0};

  /* which designs are shown, and units of their parameters */
  if (shown < a->of && a->asked_count)
    add_note(&text, "%zu of %zu designs, smallest and largest %s", shown, a->of, a->asked[0].name);
  for (size_t d = 0; d < a->design_count && layout < NUMBERED; d++)
    add_unit(&text, "", s->quantities[a->design[d]].name, s->quantities[a->design[d]].unit);

  /* what the columns are */
  for (size_t i = 0; i < asked && i < a->asked_count; i++)
    if (a->asked[i].of_criterion)
      add_note(&text, "%s: %s%s", a->asked[i].name, single ? "" : "share with ",
               a->asked[i].meaning);
    else
      add_unit(&text, single ? "" : "mean ", a->asked[i].name, a->asked[i].unit);
  if (!s->spread_only && !single) add_note(&text, "%.6g %% intervals", 100 * s->confidence);
  if (has_mark(a, asked, OMR_MARK_BEST))
    add_note(&text,
             has_mark(a, asked, OMR_MARK_AS_GOOD) ? "* best, ~ not to be told from it" : "* best");
  if (asked < a->asked_count) add_note(&text, "%zu more without room", a->asked_count - asked);

  omr_wrap_text(to, &(omr_wrapping){"", 2, OMR_BRIEF_WIDTH, NOTES}, &text);
}

static void add_designs(const omr_statistics *s, size_t lines, omr_text *to) {
  const omr_answer *a = s->answer;
  const size_t steps = any_step_matters(a) ? 1 : 0, others = HEAD + NOTES + steps,
               room = lines > others + 1 ? lines - others : 1,
               most = room < MOST_DESIGNS ? room : MOST_DESIGNS,
               shown = a->row_count < most ? a->row_count : most;
  ranked *rows = choose_rows(a, most);
  omr_sheet *sheet = new_sheet(to);
  to->failed = to->failed || !rows;

  /* where the names are too long for the screen, they are broken into two lines or left out */
  for (layout layout = ONE_LINE; layout <= NUMBERED && !to->failed; layout++) {
    const size_t heads = heads_of(layout),
                 count = heads == 2 && shown == most && shown > 1 ? shown - 1 : shown;
    omr_text table = {0};
    *sheet = (omr_sheet){0};
    add_headings(s, layout, sheet);
    for (size_t r = 0; r < count; r++) add_design(s, rows[r].row, heads + r, layout, sheet);
    if (steps) add_step_row(s, heads + count, layout, sheet);
    if (layout == ONE_LINE && omr_sheet_width(sheet) > OMR_BRIEF_WIDTH) continue;
    const size_t columns = omr_sheet_print(sheet, OMR_BRIEF_WIDTH, &table);
    const bool answers = columns > columns_before(s, layout) || layout == NUMBERED;
    if (answers && table.data) omr_text_add(to, table.data, table.length);
    if (answers) add_design_note(s, layout, count, columns, to);
    to->failed = to->failed || table.failed;
    omr_text_free(&table);
    if (answers) break;
  }
  free(rows);
  free(sheet);
}

/* ALL INSTANCES TOGETHER */

/* Adds the text of each criterion as far as there is room. */
static void add_texts(const omr_answer *a, size_t rows, size_t column, omr_sheet *sheet) {
  const int left = OMR_BRIEF_WIDTH - omr_sheet_width(sheet) - 2;
  const size_t room = left < TEXT ? (size_t)left : TEXT - 1;
  if (left < 12) return;
  for (size_t i = 0; i < rows; i++) {
    const char *text = a->asked[i].meaning;
    const bool fits = strlen(text) <= room;
    omr_sheet_add(sheet, i + 1, column, "%.*s%s", (int)(fits ? room : room - 4), text,
                  fits ? "" : " ...");
  }
}

static void add_criteria(const omr_statistics *s, size_t lines, omr_text *to) {
  const omr_answer *a = s->answer;
  const size_t most = lines > HEAD + 1 ? lines - HEAD - 1 : 1,
               rows = s->criterion_count < most ? s->criterion_count : most;
  omr_sheet *sheet = new_sheet(to);
  char text[TEXT];
  if (!sheet) return;

  /* headings, with the interval if there is one */
  const char *const heads[] = {"criterion", "met by", "share"};
  for (size_t i = 0; i < 3; i++) omr_sheet_add(sheet, 0, i, "%s", heads[i]);
  if (!s->spread_only) omr_sheet_add(sheet, 0, 3, "%.6g %% interval", 100 * s->confidence);
  sheet->left[0] = sheet->left[s->spread_only ? 3 : 4] = true;

  /* a row for each criterion that fits */
  for (size_t i = 0; i < rows; i++) {
    const omr_criterion_counts *c = &s->criteria[i].counts;
    const omr_bounds b =
        omr_probability_bounds(s->interval, c->met, c->met + c->not_met, s->confidence);
    omr_sheet_add(sheet, i + 1, 0, "%s", s->criteria[i].name);
    omr_sheet_add(sheet, i + 1, 1, "%llu of %llu", (unsigned long long)c->met,
                  (unsigned long long)(c->met + c->not_met));
    print_share(omr_probability_of(c), s->spread_only ? (double)NAN : omr_half_of(b), text);
    omr_sheet_add(sheet, i + 1, 2, "%s", text);
    if (s->spread_only) continue;
    omr_interval_print(text, sizeof text, (omr_bounds){100 * b.low, 100 * b.high});
    omr_sheet_add(sheet, i + 1, 3, "%s%s", text, *text ? " %" : "");
  }
  add_texts(a, rows, s->spread_only ? 3 : 4, sheet);
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
  omr_wrap_text(to, &(omr_wrapping){"", 2, OMR_BRIEF_WIDTH, 2}, &text);
}

/* Ends of the range with three digits of its width, the mean with those of its interval. */
static void add_range(const omr_statistics *s, const omr_quantity *quantity, size_t row,
                      omr_sheet *sheet) {
  const omr_moments *m = &quantity->moments;
  const double width = 0.1 * (m->max - m->min), values[] = {m->min, m->mean, m->max};
  const omr_bounds mean = omr_mean_bounds(m, s->confidence);
  const double half = s->spread_only || m->used < 2 ? width : omr_half_of(mean);
  char text[TEXT];
  omr_sheet_add(sheet, row, 0, "%s", quantity->name);
  omr_sheet_add(sheet, row, 1, "%s", is_pure(quantity->unit) ? "" : quantity->unit);
  for (size_t i = 0; i < 3; i++) {
    omr_number_print(text, sizeof text, values[i], i == 1 ? half : width);
    omr_sheet_add(sheet, row, 2 + i, "%s", text);
  }

  const bool interval = !s->spread_only && m->used > 1;
  if (interval) omr_interval_print(text, sizeof text, mean);
  if (interval) omr_sheet_add(sheet, row, 5, "%s", text);

  /* the step's error of the mean */
  const omr_step_quantity *step = omr_step_quantity_of(s, (size_t)(quantity - s->quantities));
  const double error = step && step->used ? fabs(step->mean.error) : (double)NAN;
  if (!step_matters(error, m->mean, interval ? half : (double)NAN)) return;
  omr_sheet_add(sheet, 0, s->spread_only ? 5 : 6, "step error");
  omr_sheet_add(sheet, row, s->spread_only ? 5 : 6, "%.2g", error);
}

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

static void add_ranges(const omr_brief *b, size_t lines, omr_text *to) {
  const omr_statistics *s = b->statistics;
  const size_t room = lines > HEAD + 1 ? lines - HEAD - 1 : 1,
               most = room < OMR_BRIEF_SHOWN ? room : OMR_BRIEF_SHOWN;
  const uint64_t ok = s->by_status[OMR_INSTANCE_OK];
  size_t shown[OMR_BRIEF_SHOWN], of, row = 0;
  uint64_t least = ok;
  omr_sheet *sheet = new_sheet(to);
  if (!sheet) return;

  /* a row for each observable that has values; remember the one that the fewest instances have */
  static const char *const heads[] = {"observable", "unit", "min", "mean", "max"};
  const size_t count = omr_brief_choose(b, most, shown, &of);
  for (size_t i = 0; i < 5; i++) omr_sheet_add(sheet, 0, i, "%s", heads[i]);
  if (!s->spread_only) omr_sheet_add(sheet, 0, 5, "mean within (%.6g %%)", 100 * s->confidence);
  sheet->left[0] = sheet->left[1] = true;
  for (size_t i = 0; i < count; i++) {
    const omr_quantity *quantity = &s->quantities[shown[i]];
    if (quantity->moments.used == 0) continue;
    add_range(s, quantity, ++row, sheet);
    if (quantity->moments.used < least) least = quantity->moments.used;
  }
  if (row) omr_sheet_print(sheet, OMR_BRIEF_WIDTH, to);
  free(sheet);

  if (least < ok)
    omr_text_print(to, "  some have a value in %llu of %llu alone\n", (unsigned long long)least,
                   (unsigned long long)ok);
}

/* ONE INSTANCE */

/* What a study asks is shown with the reason where it has no value; other rows are left out. */
static void add_values(const omr_statistics *s, size_t lines, omr_text *to) {
  const omr_answer *a = s->answer;
  const size_t room = lines > HEAD + 1 ? lines - HEAD - 1 : 1,
               most = room < MOST_VALUES ? room : MOST_VALUES;
  size_t row = 0, left = 0;
  omr_sheet *sheet = new_sheet(to);
  if (!sheet) return;

  static const char *const heads[] = {"observable", "value", "unit"};
  for (size_t i = 0; i < 3; i++) omr_sheet_add(sheet, 0, i, "%s", heads[i]);
  sheet->left[0] = sheet->left[2] = true;
  for (size_t i = 0; i < a->asked_count; i++) {
    const omr_asked *asked = &a->asked[i];
    char text[TEXT];
    const double value =
        asked->of_criterion ? omr_answer_at(a, 0, i)->value : s->quantities[asked->index].first;
    if (isnan(value) && !a->given) continue;
    if (row == most) {
      left++;
      continue;
    }

    /* the value at the end, also of an instance that failed */
    omr_answer_value v = *omr_answer_at(a, 0, i);
    v.value = value;
    print_value(a, asked, &v, text);
    omr_sheet_add(sheet, ++row, 0, "%s", asked->name);
    omr_sheet_add(sheet, row, 1, "%s", text);
    if (value_needs_step(a, 0, i)) {
      print_step(a, i, text);
      omr_sheet_add(sheet, 0, 3, "step error");
      omr_sheet_add(sheet, row, 3, "%s", text);
    }
    if (isnan(value))
      omr_answer_absent(s, 0, i, text, sizeof text);
    else
      snprintf(text, sizeof text, "%s",
               asked->of_criterion    ? asked->meaning
               : is_pure(asked->unit) ? ""
                                      : asked->unit);
    omr_sheet_add(sheet, row, 2, "%.40s", text);
  }
  if (row) omr_sheet_print(sheet, OMR_BRIEF_WIDTH, to);
  free(sheet);
  if (left) omr_text_print(to, "  and %zu more observables\n", left);
}

/* THE BEST, WHERE IT CHANGES, AND WHAT IT GOES WITH */

/* Prints the design with the best value of each asked observable, where not all designs are
 * listed: "largest path_length: 3.249 m at wheel_friction 0.6". */
static void add_best(const omr_statistics *s, size_t lines, omr_text *to) {
  const omr_answer *a = s->answer;
  static const char *const words[] = {[OMR_BEST_SMALLER] = "smallest",
                                      [OMR_BEST_LARGER] = "largest",
                                      [OMR_BEST_TARGET] = "nearest"};
  size_t told = 0;
  for (size_t i = 0; i < a->asked_count && told < TOLD && 2 * (told + 1) <= lines; i++) {
    const omr_asked *asked = &a->asked[i];
    size_t best = a->row_count, good = 0;
    omr_text line = {0};
    char text[TEXT];
    for (size_t r = 0; r < a->row_count; r++) {
      const omr_mark mark = omr_answer_at(a, r, i)->mark;
      if (mark == OMR_MARK_BEST) best = r;
      good += mark == OMR_MARK_AS_GOOD;
    }
    if (asked->of_criterion || asked->best == OMR_BEST_NONE || best == a->row_count) continue;
    omr_number_print(text, sizeof text, omr_answer_at(a, best, i)->value,
                     omr_answer_at(a, best, i)->step);
    omr_text_print(&line, "%s %s: %s%s%s", words[asked->best], asked->name, text,
                   is_pure(asked->unit) ? "" : " ", is_pure(asked->unit) ? "" : asked->unit);
    for (size_t d = 0; d < a->design_count; d++) {
      const omr_quantity *parameter = &s->quantities[a->design[d]];
      omr_text_print(&line, "%s%s %.4g%s%s", d ? ", " : " at ", parameter->name,
                     a->designs[best * a->design_count + d], is_pure(parameter->unit) ? "" : " ",
                     is_pure(parameter->unit) ? "" : parameter->unit);
    }
    if (good) omr_text_print(&line, "; %zu more are not to be told from it", good);
    omr_wrap_text(to, &(omr_wrapping){"", 2, OMR_BRIEF_WIDTH, 2}, &line);
    told++;
  }
}

static void add_thresholds(const omr_statistics *s, size_t lines, omr_text *to) {
  const omr_answer *a = s->answer;
  char text[600];
  size_t told = 0;
  for (; told < a->threshold_count && told < TOLD && 2 * (told + 1) <= lines; told++) {
    omr_threshold_tell(s, &a->thresholds[told], text, sizeof text);
    omr_wrap(to, &(omr_wrapping){"", 2, OMR_BRIEF_WIDTH, 2}, text);
  }
  if (told && told < a->threshold_count)
    omr_text_print(to, "  and %zu more of these: omniroll analyze --json\n",
                   a->threshold_count - told);
}

static bool is_correlated(const omr_statistics *s) {
  return s->sensitivity && s->sensitivity->measure == OMR_MEASURE_CORRELATION;
}

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
    char heading[OMR_BRIEF_WIDTH];
    omr_sensitivity_heading(with, sizeof heading, heading);
    if (found++ == 0) omr_text_print(to, "  %s\n", heading);
    omr_text_print(to, "  %s: %s\n", name, text);
  }
}

/* Lines that are left for the next of several tables. */
static size_t left(const omr_text *to, size_t before, size_t lines) {
  const size_t taken = omr_count_lines(to) - before;
  return taken < lines ? lines - taken : 0;
}

bool omr_brief_lists_designs(const omr_statistics *s) {
  const omr_answer *a = s->answer;
  return a && s->rows > 1 && a->asked_count &&
         (a->rows == OMR_ANSWER_CELLS ||
          (a->rows == OMR_ANSWER_INSTANCES && s->rows <= MOST_DESIGNS && a->of == s->rows));
}

static void add_many(const omr_brief *b, size_t lines, omr_text *to) {
  const omr_statistics *s = b->statistics;
  const size_t before = omr_count_lines(to);
  const bool designs = omr_brief_lists_designs(s),
             measured =
                 s->sensitivity && s->sensitivity->measure != OMR_MEASURE_NONE && !is_correlated(s);
  omr_outcome_tell(s->outcome, to);
  if (omr_outcome_is_rare(s->outcome)) return;

  /* the designs, or all instances together */
  if (designs) {
    add_designs(s, left(to, before, lines), to);
  } else {
    if (s->criterion_count) add_criteria(s, left(to, before, lines), to);
    if (!measured && left(to, before, lines) > HEAD + 1) add_ranges(b, left(to, before, lines), to);
  }

  add_left_out(s, to);
  if (!designs) add_best(s, left(to, before, lines), to);
  add_thresholds(s, left(to, before, lines), to);
  if (s->answer->rows != OMR_ANSWER_INSTANCES || !designs)
    add_links(b, left(to, before, lines), to);
}

void omr_brief_answer(const omr_brief *b, size_t lines, omr_text *to) {
  const omr_statistics *s = b->statistics;
  if (!s->answer) return;
  if (s->rows > 1 && s->by_status[OMR_INSTANCE_OK] == 0 && s->criterion_count == 0) return;
  omr_text_add(to, "\n", 1);
  if (s->rows == 1)
    add_values(s, lines - BLANKS, to);
  else
    add_many(b, lines - BLANKS, to);
  omr_text_add(to, "\n", 1);
}
