/* The rows of tests/cli/mistakes.txt: read, run, compared. */
#ifndef OMR_TESTS_MISTAKE_ROWS_H
#define OMR_TESTS_MISTAKE_ROWS_H

#include "program.h"

#include <ctype.h>

typedef struct row {
  char name[256], run[512], place[256], cause[256], next[256], study[8192];
  int code;
} row;

static char list_text[TEXT], base_study[4096];

/* Before the test goes to a folder of its own. */
static inline void read_rows(void) {
  read_file("tests/cli/mistakes.txt", list_text);
  cr_assert_lt(strlen(list_text), (size_t)TEXT - 1);
}

/* The next line, without its end; NULL at the end of the text. */
static inline char *next_line(char **at) {
  char *line = *at;
  if (!*line) return NULL;
  char *end = strchr(line, '\n');
  *at = end ? end + 1 : line + strlen(line);
  if (end) *end = '\0';
  return line;
}

/* "\n" becomes a line end, "\\" a backslash. */
static inline void unescape(char *text) {
  char *to = text;
  for (; *text; text++) {
    const bool escape = text[0] == '\\' && text[1];
    if (escape) text++;
    *to++ = escape && *text == 'n' ? '\n' : *text;
  }
  *to = '\0';
}

static inline void change(row *r, char *words) {
  char changed[sizeof r->study], *arrow = strstr(words, " => ");
  cr_assert_not_null(arrow, "%s", words);
  *arrow = '\0';
  char *put = arrow + 4;
  unescape(words);
  unescape(put);
  char *found = strstr(r->study, words);
  cr_assert_not_null(found, "%s: the study has no %s", r->name, words);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(found - r->study), r->study, put,
           found + strlen(words));
  strcpy(r->study, changed);
}

/* Blanks part arguments; single quotes keep them together, as in a shell. */
static inline const outcome *run_words(char *words) {
  const char *arguments[MAX_ARGUMENTS] = {NULL};
  int count = 0;
  while (*words && count < MAX_ARGUMENTS - 1) {
    const bool quoted = *words == '\'';
    const char end = quoted ? '\'' : ' ';
    words += quoted;
    arguments[count++] = words;
    while (*words && *words != end) words++;
    if (*words) *words++ = '\0';
    while (*words == ' ') words++;
  }
  return finish(start("/dev/null", arguments));
}

static inline void check_row(row *r) {
  char run[sizeof r->run];
  strcpy(run, r->run);
  write_file("m.json", r->study);
  const outcome *o = run_words(run);
  cr_expect_eq(o->code, r->code, "%s (%s): exit code %d, not %d: %s", r->name, r->run, o->code,
               r->code, o->err);
  const char *const words[] = {"omniroll: ", r->place, r->cause, r->next};
  for (int i = 0; i < 4; i++)
    cr_expect_not_null(strstr(o->err, words[i]), "%s (%s): \"%s\" is not in: %s", r->name, r->run,
                       words[i], o->err);
  if (*r->place)
    cr_expect_eq(strncmp(o->err + strlen("omniroll: "), r->place, strlen(r->place)), 0,
                 "%s: the place comes first: %s", r->name, o->err);
  cr_expect_null(strchr(o->err, '\033'), "%s: no colour in a pipe: %s", r->name, o->err);
  int lines = 0;
  for (const char *c = o->err; *c; c++) lines += *c == '\n';
  cr_expect_leq(lines, 3, "%s: %s", r->name, o->err);
  cr_expect(!exists("x.h5") && !exists("x.h5.parts"), "%s leaves a result", r->name);
}

/* One line of a row; true when it is the row's last. */
static inline bool take_line(row *r, char *line) {
  if (strncmp(line, "with ", 5) == 0) change(r, line + 5);
  if (strncmp(line, "text ", 5) == 0) snprintf(r->study, sizeof r->study, "%s", line + 5);
  if (strncmp(line, "text ", 5) == 0) unescape(r->study);
  if (strncmp(line, "run ", 4) == 0) snprintf(r->run, sizeof r->run, "%s", line + 4);
  if (strncmp(line, "cause ", 6) == 0) snprintf(r->cause, sizeof r->cause, "%s", line + 6);
  if (strncmp(line, "code ", 5) == 0) {
    char *place;
    r->code = (int)strtol(line + 5, &place, 10);
    snprintf(r->place, sizeof r->place, "%s", place + strspn(place, " "));
  }
  if (strncmp(line, "next ", 5) != 0) return false;
  snprintf(r->next, sizeof r->next, "%s", line + 5);
  return true;
}

/* The study that the rows change, at the beginning of the file. */
static inline char *read_base(void) {
  char *at = strstr(list_text, "\nstudy\n");
  cr_assert_not_null(at);
  at += strlen("\nstudy\n");
  char *end = strstr(at, "\n\n");
  cr_assert_not_null(end);
  snprintf(base_study, sizeof base_study, "%.*s\n", (int)(end - at), at);
  return end;
}

/* A row takes ten times as long under the sanitizers: their short form looks at every third. */
static inline bool is_passed_over(int number) {
#ifdef __SANITIZE_ADDRESS__
  return number % 3 && short_form();
#else
  (void)number;
  return false;
#endif
}

/* What a row passed over costs no process: its study is read, and the answer put together, here. */
static inline void read_alone(const row *r) {
  omr_study *study = NULL;
  omr_error error = {0};
  write_file("m.json", r->study);
  omr_study_load("m.json", NULL, 0, &study, &error);
  omr_study_destroy(study);
}

/* Runs the rows of a section; returns how many it has. */
static inline int check_section(const char *section) {
  static row r;
  bool inside = false, begun = false;
  int count = 0;
  char *at = read_base(), *line;
  while ((line = next_line(&at))) {
    if (strncmp(line, "section ", 8) == 0) inside = strcmp(line + 8, section) == 0;
    if (!inside) continue;
    if (strncmp(line, "= ", 2) == 0) {
      r = (row){0};
      snprintf(r.name, sizeof r.name, "%s", line + 2);
      strcpy(r.study, base_study);
      begun = true;
    } else if (begun && take_line(&r, line)) {
      if (is_passed_over(count))
        read_alone(&r);
      else
        check_row(&r);
      begun = false;
      count++;
    }
  }
  return count;
}

#endif
