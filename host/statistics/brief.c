#include "answer.h"
#include "brief_parts.h"
#include "step_error.h"

#include <math.h>
#include <string.h>

enum { MOST_FAILURES = 3, MOST_WARNINGS = 3, LEAST = 8 }; /* LEAST: lines of the answer */
#define LONG 9.0 /* s: a program tells a warning while such a run lasts (host/cli/file_runs.c) */

static void brief_line(const char *label, const char *text, int most, omr_text *to) {
  omr_wrap(to, &(omr_wrapping){label, OMR_BRIEF_INDENT, OMR_BRIEF_WIDTH, most}, text);
}

static void add_title(const omr_brief *b, omr_text *to) {
  const char *title = b->head->study_title, *name = b->head->study_name ? b->head->study_name : "";
  omr_wrap(to, &(omr_wrapping){"", 0, OMR_BRIEF_WIDTH, 2}, title && *title ? title : name);
}

/* HOW THEY ENDED */

static void add_failure(const omr_brief *b, int status, omr_text *to) {
  const omr_statistics *s = b->statistics;
  const bool invalid = status == OMR_INSTANCE_INVALID;
  char text[700];
  int length = snprintf(text, sizeof text, "%llu %s (%.3g %%)",
                        (unsigned long long)s->by_status[status], omr_instance_status_name(status),
                        100.0 * (double)s->by_status[status] / (double)s->rows);
  if (!invalid)
    snprintf(text + length, sizeof text - (size_t)length, ", earliest at %.4g s",
             s->earliest[status]);
  else if (b->head->first_invalid[0])
    snprintf(text + length, sizeof text - (size_t)length, ": %s", b->head->first_invalid);
  brief_line("", text, invalid ? 2 : 1, to);
}

/* Lists the failures, the most frequent first. */
static void add_failures(const omr_brief *b, omr_text *to) {
  const uint64_t *count = b->statistics->by_status;
  bool told[OMR_INSTANCE_STATUS_COUNT] = {false};
  for (int line = 0; line < MOST_FAILURES; line++) {
    int next = 0;
    for (int status = 1; status < OMR_INSTANCE_STATUS_COUNT; status++)
      if (!told[status] && count[status] && (!next || count[status] > count[next])) next = status;
    if (!next) return;
    told[next] = true;
    add_failure(b, next, to);
  }
  unsigned long long rest = 0;
  for (int status = 1; status < OMR_INSTANCE_STATUS_COUNT; status++)
    if (!told[status]) rest += count[status];
  char text[64];
  snprintf(text, sizeof text, "%llu in other ways", rest);
  if (rest) brief_line("", text, 1, to);
}

static void add_counts(const omr_brief *b, omr_text *to) {
  const omr_statistics *s = b->statistics;
  const omr_run_record *record = &b->head->record;
  const unsigned long long ok = s->by_status[OMR_INSTANCE_OK], failed = s->rows - ok;
  char text[200];
  snprintf(text, sizeof text, "%zu: %llu ok, %llu failed%s", s->rows, ok, failed,
           !failed        ? ""
           : s->rows == 1 ? " (the values below are those at its end)"
                          : " (left out below)");
  brief_line("instances", text, 2, to);

  /* rows that are not kept */
  if (s->no_rows) {
    snprintf(text, sizeof text,
             "%zu kept%s; omniroll analyze -v names the instances of the extremes", s->kept,
             s->spread_only && s->cells.count == 0 ? ", so that designs are not compared" : "");
    brief_line("rows", text, 2, to);
  }

  /* failures, and what became of retries */
  add_failures(b, to);
  if (!(record->retried > 0)) return;
  snprintf(text, sizeof text,
           "%.0f run again with half the step, of which %.0f then reached the end", record->retried,
           record->recovered);
  brief_line("retries", text, 2, to);
}

/* Lists the varied parameters where no table of designs shows them, in at most two lines. */
static void add_varied(const omr_brief *b, omr_text *to) {
  enum { ROOM = 2 * (OMR_BRIEF_WIDTH - OMR_BRIEF_INDENT) - 30 };
  const omr_statistics *s = b->statistics;
  omr_text text = {0};
  if (s->rows == 1 || s->parameter_count == 0) return;
  size_t q = 0;
  for (; q < s->parameter_count; q++) {
    const omr_quantity *quantity = &s->quantities[q];
    const bool pure = strcmp(quantity->unit, "1") == 0;
    char one[300];
    snprintf(one, sizeof one, "%s %.3g to %.3g%s%s", quantity->name, quantity->least,
             quantity->most, pure ? "" : " ", pure ? "" : quantity->unit);
    if (q && text.length + strlen(one) > ROOM) break;
    omr_text_print(&text, "%s%s", q ? ", " : "", one);
  }
  if (q < s->parameter_count) omr_text_print(&text, ", and %zu more", s->parameter_count - q);
  if (text.data) brief_line("varied", text.data, 2, to);
  omr_text_free(&text);
}

/* WHAT IS DOUBTFUL */

static void add_step_error(const omr_brief *b, omr_text *to) {
  size_t shown[OMR_BRIEF_SHOWN], of;
  char text[600];
  const size_t count = omr_brief_choose(b, OMR_BRIEF_SHOWN, shown, &of);
  omr_step_error_tell(b->statistics, shown, count, text, sizeof text);
  if (text[0]) brief_line("step", text, 3, to);
}

static size_t count_warnings(const char *warnings) {
  size_t count = 0;
  for (const char *start = warnings; *start; start += strcspn(start, "\n")) {
    start += strspn(start, "\n");
    count += *start != '\0';
  }
  return count;
}

/* Prints so many warnings: the fewer there are, the more of each, if there is room. */
static void add_warnings(const omr_brief *b, size_t most, bool room, omr_text *to) {
  char text[OMR_WARNINGS];
  const size_t count = count_warnings(b->head->warnings);
  size_t told = 0;
  for (const char *start = b->head->warnings; *start && told < most; told++) {
    const size_t length = strcspn(start, "\n");
    snprintf(text, sizeof text, "%.*s", (int)length, start);
    brief_line("warning", text, room && count < 3 ? 6 / (int)count : 2, to);
    start += length;
    start += strspn(start, "\n");
  }
  if (count <= most) return;
  snprintf(text, sizeof text, "%zu more: omniroll analyze -v", count - most);
  brief_line("", text, 1, to);
}

/* WHERE IT IS */

void omr_brief_quote(const char *path, omr_text *to) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-./+,:=@%";
  if (strspn(path, plain) == strlen(path)) {
    omr_text_add(to, path, strlen(path));
    return;
  }
  omr_text_add(to, "'", 1);
  for (const char *c = path; *c; c++) omr_text_print(to, *c == '\'' ? "'\\''" : "%c", *c);
  omr_text_add(to, "'", 1);
}

static void add_next(const omr_brief *b, omr_text *to) {
  static const char *const commands[][2] = {{"report", "a page with figures"},
                                            {"analyze -v", "all numbers and warnings"}};
  for (size_t i = 0; i < 2; i++) {
    const size_t start = to->length;
    omr_text_print(to, "  %-10somniroll %s ", i ? "" : "next", commands[i][0]);
    omr_brief_quote(b->path, to);
    const size_t width = to->length - start, more = strlen(commands[i][1]) + 4;
    omr_text_print(to, width + more > OMR_BRIEF_WIDTH ? "\n" : "   %s\n", commands[i][1]);
  }
}

static void add_time(const omr_brief *b, omr_text *to) {
  const omr_run_record *run = &b->head->record;
  const bool fast = strcmp(run->numerics, "fast") == 0,
             rounds = !fast && strcmp(run->rounding, "device") == 0;
  char text[600];
  int length = snprintf(text, sizeof text, "%.3g s", b->seconds);
  if (b->seconds > 0 && b->integrating > 0)
    length += snprintf(text + length, sizeof text - (size_t)length, ", %.0f %% integrating",
                       100 * b->integrating / b->seconds);
  snprintf(text + length, sizeof text - (size_t)length, ", on %s (%s)%s%s%s%s", run->backend,
           run->device, strncmp(run->kernels, "compiled", 8) == 0 ? ", compiled" : "",
           strcmp(run->precision, "single") == 0 ? ", single precision" : "",
           fast ? ", numerics fast" : "",
           rounds ? ", division and square root as the device rounds them" : "");
  brief_line("time", text, 3, to);
}

static void add_end(const omr_brief *b, size_t warnings, bool room, omr_text *to) {
  add_step_error(b, to);
  add_warnings(b, warnings, room, to);
  omr_text_print(to, "%s %s\n", b->there ? "result in" : "result written to", b->path);
  add_time(b, to);
  add_next(b, to);
}

/* Lines that remain next to two texts; a long run has already printed one warning line. */
static size_t room_beside(const omr_brief *b, const omr_text *one, const omr_text *other) {
  const size_t taken = omr_count_lines(one) + omr_count_lines(other) +
                       (b->seconds > LONG && b->head->warnings[0] ? 1 : 0);
  return taken < OMR_BRIEF_LINES ? OMR_BRIEF_LINES - taken : 0;
}

/* Prints start, answer and end. The answer takes the lines that the rest leaves; the warnings take
 * the lines that the answer leaves. */
void omr_brief_print(const omr_brief *brief, FILE *out) {
  omr_text start = {0}, end = {0}, whole = {0};

  /* the start and the shortest end decide how much room the answer has, and this how many warnings
   * are shown */
  add_title(brief, &start);
  add_counts(brief, &start);
  if (!omr_brief_lists_designs(brief->statistics)) add_varied(brief, &start);
  size_t warnings = MOST_WARNINGS, room = 0;
  for (; warnings > 0; warnings--) {
    omr_text_free(&end);
    end = (omr_text){0};
    add_end(brief, warnings, false, &end);
    room = room_beside(brief, &start, &end);
    if (room >= LEAST || warnings == 1) break;
  }
  omr_brief_answer(brief, room > LEAST ? room : LEAST, &start);

  /* take the end with all warnings if it still fits */
  add_end(brief, warnings, true, &whole);
  const bool fits = omr_count_lines(&whole) <= room_beside(brief, &start, &(omr_text){0});

  if (start.failed || whole.failed || end.failed)
    fprintf(out,
            "result written to %s; out of memory for its summary: omniroll analyze prints it\n",
            brief->path);
  else
    fprintf(out, "%s%s", start.data, fits ? whole.data : end.data);

  omr_text_free(&start);
  omr_text_free(&whole);
  omr_text_free(&end);
}
