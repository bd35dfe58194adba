/* Results side by side on the screen, and as JSON. */
#include "../../study/json/json.h"
#include "../brief_parts.h"
#include "../number.h"
#include "side_by_side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 64, INDENT = 4, GAP = 2, ENDS = 4, LEAST_GROUPS = 1, LIMITS = 8 };

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";

/* NUMBERS */

/* "0.0191 (0.0178 to 0.0203)", "+3.1 % (1.2 to 7.8)". */
static void print_number(const omr_asked *asked, double value, omr_bounds bounds, bool sign,
                         char text[CELL]) {
  const double factor = asked->of_criterion ? 100 : 1;
  const omr_bounds ends = {factor * bounds.low, factor * bounds.high};
  char number[CELL / 2], interval[CELL / 2];
  omr_number_print(number, sizeof number, factor * value, omr_half_of(ends));
  omr_interval_print(interval, sizeof interval, ends);
  snprintf(text, CELL, "%s%.20s%s%s%.28s%s", sign && value > 0 ? "+" : "", number,
           asked->of_criterion && !isnan(value) ? " %" : "", *interval ? " (" : "", interval,
           *interval ? ")" : "");
}

/* Whether chance and the step may have made all of the difference. */
static bool is_alike(const omr_side_value *v) {
  const double step = v->step > 0 ? v->step : 0;
  return v->apart.low - step <= 0 && v->apart.high + step >= 0;
}

static void print_difference(const omr_asked *asked, const omr_side_value *v, char text[CELL]) {
  print_number(asked, v->difference, v->apart, true, text);
  if (is_alike(v)) strncat(text, " ~", CELL - strlen(text) - 1);
}

static const omr_side_value *value_at(const omr_sides *s, size_t asked, size_t side) {
  return &s->value[asked * s->count + side];
}

static bool any_alike(const omr_sides *s, size_t groups) {
  for (size_t a = 0; a < groups; a++)
    for (size_t i = 1; i < s->count; i++)
      if (is_alike(value_at(s, a, i))) return true;
  return false;
}

/* THE TABLE */

typedef struct widths {
  int name, value, difference;
} widths;

static void widen(int *width, const char *text) {
  if ((int)strlen(text) > *width) *width = (int)strlen(text);
}

static widths measure(const omr_sides *s, size_t groups) {
  widths w = {0};
  char text[CELL];
  for (size_t i = 0; i < s->count; i++) widen(&w.name, s->side[i].name);
  for (size_t a = 0; a < groups; a++) {
    for (size_t i = 0; i < s->count; i++) {
      print_number(&s->asked[a], value_at(s, a, i)->value, value_at(s, a, i)->bounds, false, text);
      widen(&w.value, text);
      if (i == 0) continue;
      print_difference(&s->asked[a], value_at(s, a, i), text);
      widen(&w.difference, text);
    }
  }

  /* Long names give way. */
  const int room = OMR_BRIEF_WIDTH - INDENT - w.value - w.difference - 2 * GAP;
  if (w.name > room) w.name = room;
  return w;
}

/* An asked item: its name and unit, and below them a line for each result that there is room for.
 */
static void add_group(const omr_sides *s, size_t a, size_t lines, widths w, omr_text *to) {
  const omr_asked *asked = &s->asked[a];
  char head[CELL + 40], value[CELL], difference[CELL];
  const bool pure = strcmp(asked->unit, "1") == 0;
  snprintf(head, sizeof head, "%s%s%s%s", asked->of_criterion ? "share with " : "", asked->name,
           pure ? "" : ", ", pure ? "" : asked->unit);
  const int column = INDENT + w.name + w.value + GAP;
  const int left = OMR_BRIEF_WIDTH - column - GAP - (int)strlen("less ");
  omr_text_print(to, "  %-*s%*sless %.*s\n", column - GAP, head, GAP, "", left > 0 ? left : 0,
                 s->side[0].name);

  const size_t shown = s->count > lines ? lines - 1 : s->count;
  for (size_t i = 0; i < shown; i++) {
    const omr_side_value *v = value_at(s, a, i);
    print_number(asked, v->value, v->bounds, false, value);
    if (i) print_difference(asked, v, difference);
    omr_text_print(to, "%*s%-*.*s%*s%-*s", INDENT, "", w.name, w.name, s->side[i].name, GAP, "",
                   i ? w.value : 0, value);
    if (i) omr_text_print(to, "%*s%s", GAP, "", difference);
    omr_text_print(to, "\n");
  }
  if (shown < s->count) omr_text_print(to, "%*sand %zu more\n", INDENT, "", s->count - shown);
}

/* Where a criterion changes, for each robot: of shares of a grid that is the answer. At most the
 * first place of each, on at most so many lines. */
static void add_limits(const omr_sides *s, size_t lines, omr_text *to) {
  char text[400];
  for (size_t i = 0; i < s->count; i++) {
    const omr_answer *answer = s->side[i].statistics->answer;
    omr_text limit = {0};
    if (!answer->threshold_count) continue;
    omr_threshold_tell(s->side[i].statistics, &answer->thresholds[0], text, sizeof text);
    omr_text_print(&limit, "%s: %s", s->side[i].name, text);
    if (answer->threshold_count > 1)
      omr_text_print(&limit, "; %zu more", answer->threshold_count - 1);
    omr_text shown = {0};
    if (limit.data) omr_wrap(&shown, &(omr_wrapping){"", 2, OMR_BRIEF_WIDTH, 2}, limit.data);
    const size_t taken = shown.data ? omr_count_lines(&shown) : 0;
    if (taken && taken <= lines) omr_text_add(to, shown.data, shown.length);
    lines -= taken < lines ? taken : lines;
    omr_text_free(&shown);
    omr_text_free(&limit);
  }
}

/* AROUND IT */

/* Whether all names are the same; the first of them. */
static const char *common_title(const omr_sides *s) {
  const char *title = omr_study_title(s->side[0].study);
  for (size_t i = 1; i < s->count; i++)
    if (strcmp(omr_study_title(s->side[i].study), title) != 0) title = "";
  return *title ? title : omr_study_name(s->side[0].study);
}

static void add_head(const omr_sides *s, omr_text *to) {
  omr_wrap(to, &(omr_wrapping){"", 0, OMR_BRIEF_WIDTH, 2}, common_title(s));
  omr_text counts = {0};
  for (size_t i = 0; i < s->count; i++) {
    const omr_statistics *one = s->side[i].statistics;
    const unsigned long long failed = one->rows - one->by_status[OMR_INSTANCE_OK];
    omr_text_print(&counts, "%s%s %zu", i ? ", " : "", s->side[i].name, one->rows);
    if (failed) omr_text_print(&counts, " (%llu failed, left out)", failed);
  }
  omr_wrap_text(to, &(omr_wrapping){"instances", OMR_BRIEF_INDENT, OMR_BRIEF_WIDTH, 3}, &counts);
  omr_text_print(to, "\n");
}

/* What the numbers are, and what stands behind the differences. */
static void add_notes(const omr_sides *s, size_t groups, omr_text *to) {
  const omr_statistics *first = s->side[0].statistics;
  omr_text note = {0};
  bool paired = false;
  omr_text_print(&note, "means over the instances");
  if (!isnan(value_at(s, 0, 0)->bounds.low))
    omr_text_print(&note, ", %.6g %% intervals", 100 * first->confidence);
  for (size_t i = 1; i < s->count; i++) {
    paired |= !s->side[i].unpaired[0];
    if (s->side[i].unpaired[0])
      omr_text_print(&note, "; %s and %s are two samples: %s", s->side[i].name, s->side[0].name,
                     s->side[i].unpaired);
  }
  if (paired) omr_text_print(&note, "; differences are of pairs that met the same draws");
  if (any_alike(s, groups)) omr_text_print(&note, "; ~ not to be told from %s", s->side[0].name);
  if (groups < s->asked_count)
    omr_text_print(&note, "; %zu more without room", s->asked_count - groups);
  if (s->unlike.length)
    omr_text_print(&note, "; not the same criterion in all of them: %s", s->unlike.data);
  if (s->left_out.length) omr_text_print(&note, "; not in all of them: %s", s->left_out.data);
  omr_wrap_text(to, &(omr_wrapping){"", 2, OMR_BRIEF_WIDTH, ENDS}, &note);
}

/* "r.{omni3,mecanum4}.h5", which shells read as r.omni3.h5 r.mecanum4.h5; nothing where the paths
 * differ in more than the names. */
static void add_braces(const omr_sides *s, omr_text *to) {
  const char *first = s->side[0].path, *name = strstr(first, s->side[0].name);
  omr_text path = {0};
  for (const char *next = name; next; next = strstr(name + 1, s->side[0].name)) name = next;
  const int before = name ? (int)(name - first) : 0;
  const char *after = name ? name + strlen(s->side[0].name) : "";
  bool alike = name && strspn(first, plain) == strlen(first);
  omr_text_print(to, "%.*s{", before, first);
  for (size_t i = 0; i < s->count && alike; i++, path = (omr_text){0}) {
    omr_text_print(&path, "%.*s%s%s", before, first, s->side[i].name, after);
    alike = path.data && strcmp(path.data, s->side[i].path) == 0;
    omr_text_print(to, "%s%s", i ? "," : "", s->side[i].name);
    omr_text_free(&path);
  }
  omr_text_print(to, "}%s", after);
  if (!alike) to->length = 0;
}

/* The paths one after the other, in short where they are longer than a line. */
static void add_next(const omr_sides *s, omr_text *to) {
  omr_text paths = {0}, braces = {0};
  const size_t shown = s->weighed ? 1 : s->count, room = OMR_BRIEF_WIDTH - OMR_BRIEF_INDENT - 16;
  for (size_t i = 0; i < shown; i++) {
    if (i) omr_text_print(&paths, " ");
    omr_brief_quote(s->side[i].path, &paths);
  }
  if (shown > 1 && paths.length > room) add_braces(s, &braces);
  omr_text_print(to, "  next      omniroll %s ", s->weighed ? "analyze" : "report");
  const omr_text *taken = braces.length ? &braces : &paths;
  omr_text_add(to, taken->data ? taken->data : "", taken->length);
  omr_text_print(to, "\n");
  omr_text_free(&paths);
  omr_text_free(&braces);
}

void omr_sides_print(const omr_sides *s, FILE *out) {
  omr_text head = {0}, limits = {0}, end = {0};
  add_head(s, &head);
  if (!s->weighed) add_limits(s, LIMITS, &limits);

  /* The groups that the other lines leave room for. */
  size_t groups = s->asked_count;
  const size_t room =
      OMR_BRIEF_LINES - omr_count_lines(&head) - omr_count_lines(&limits) - ENDS - 1;
  if (s->weighed) {
    omr_text_print(&end,
                   "  the design %s has no instances that count alike, so that their means\n"
                   "  say nothing; each result says what it found\n",
                   omr_design_kinds[s->weighed->study->design.type].name);
    groups = 0;
  } else if (groups == 0) {
    omr_text_print(&end, "  nothing that is asked is in all of them\n");
  } else {
    const size_t most = room / (s->count + 1);
    if (groups > most) groups = most > LEAST_GROUPS ? most : LEAST_GROUPS;
    add_notes(s, groups, &end);
  }
  add_next(s, &end);
  const widths w = measure(s, groups);
  for (size_t a = 0; a < groups; a++) add_group(s, a, room - 1, w, &head);

  if (head.failed || limits.failed || end.failed)
    fprintf(out, "out of memory for the table; omniroll report sets the results side by side\n");
  else
    fprintf(out, "%s%s%s", head.data, limits.data ? limits.data : "", end.data);
  omr_text_free(&head);
  omr_text_free(&limits);
  omr_text_free(&end);
}

/* JSON */

static void add_row(const omr_sides *s, size_t a, size_t i, cJSON *rows) {
  const omr_side_value *v = value_at(s, a, i);
  cJSON *row = omr_tree_row(rows);
  omr_tree_text(row, "name", s->asked[a].name);
  omr_tree_text(row, "unit", s->asked[a].unit);
  omr_tree_bool(row, "criterion", s->asked[a].of_criterion);
  omr_tree_text(row, "variant", s->side[i].name);
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"value", v->value},
                 {"low", v->bounds.low},
                 {"high", v->bounds.high},
                 {"difference", v->difference},
                 {"difference_low", v->apart.low},
                 {"difference_high", v->apart.high}};
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
    omr_tree_number(row, numbers[n].name, numbers[n].value);
  omr_tree_bool(row, "paired", i > 0 && !s->side[i].unpaired[0]);
}

omr_status omr_sides_print_json(const omr_sides *s, FILE *out, omr_error *error) {
  cJSON *root = cJSON_CreateObject();
  char *text = NULL;
  omr_tree_text(root, "first", s->side[0].name);
  omr_tree_number(root, "confidence", s->side[0].statistics->confidence);
  cJSON *unpaired = omr_tree_object(root, "unpaired"), *rows = omr_tree_list(root, "rows");
  for (size_t i = 1; i < s->count; i++)
    if (s->side[i].unpaired[0]) omr_tree_text(unpaired, s->side[i].name, s->side[i].unpaired);
  for (size_t a = 0; a < s->asked_count; a++)
    for (size_t i = 0; i < s->count; i++) add_row(s, a, i, rows);
  const omr_status status = omr_json_give(root, &text, error);
  if (status == OMR_OK) fprintf(out, "%s\n", text);
  free(text);
  return status;
}
