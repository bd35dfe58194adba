#include "short_form.h"

#include <string.h>

enum { WIDTH = 80, KNOWN = 40 };

#define WARNING "warning: "

static bool begins(const char *line, size_t length, const char *with) {
  const size_t count = strlen(with);
  return length > count && strncmp(line, with, count) == 0;
}

bool cli_is_withheld(const char *line, size_t length) {
  static const char *const words[] = {WARNING, "auto: ", "openmp: ", "scalar: ", "opencl: "};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (begins(line, length, words[i])) return true;
  return false;
}

/* The next line of a text, without its end; *at moves behind it. NULL at the end. */
static const char *next_line(const char **at, size_t *length) {
  const char *line = *at;
  if (!line || !*line) return NULL;
  *length = strcspn(line, "\n");
  *at = line + *length + (line[*length] == '\n');
  return line;
}

/* Breaks a line whose first characters are a label, under which nothing else stands. */
static void print_wrapped(const char *line, size_t length, size_t label, FILE *out) {
  const int indent = label ? (int)label : 2;
  size_t column = label < length ? label : 0;
  fwrite(line, 1, column, out);
  for (size_t at = column, word; at < length; at += word) {
    for (word = 0; at + word < length && !strchr(" \n", line[at + word]);) word++;
    const bool first = column == 0 || (label && at == label);
    if (!first && column + 1 + word > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = (size_t)indent;
    } else if (!first) {
      fputc(' ', out);
      column++;
    }
    fwrite(line + at, 1, word, out);
    column += word;
    word += at + word < length;
  }
  fputc('\n', out);
}

void cli_print_wrapped(const char *line, size_t length, FILE *out) {
  print_wrapped(line, length, 0, out);
}

void cli_print_labelled(const char *text, size_t label, FILE *out) {
  const char *at = text, *line;
  size_t length;
  while ((line = next_line(&at, &length)))
    if (length > WIDTH)
      print_wrapped(line, length, begins(line, length, WARNING) ? 0 : label, out);
    else
      fprintf(out, "%.*s\n", (int)length, line);
}

bool cli_print_first_warning(const cli_text *held, FILE *out) {
  const char *at = held->data, *line;
  size_t length;
  while ((line = next_line(&at, &length))) {
    if (!begins(line, length, WARNING)) continue;
    size_t end = length;
    if (end > WIDTH)
      for (end = WIDTH - 4; end > 0 && line[end] != ' ';) end--;
    fprintf(out, "%.*s%s\n", (int)end, line, end < length ? " ..." : "");
    return true;
  }
  return false;
}

/* The summary breaks lines behind the words compared here; where it has more warnings than it
 * shows, it counts this one. */
static bool has(const char *summary, const char *line, size_t length) {
  char words[KNOWN + 1];
  const size_t skipped = strlen(WARNING), left = length - skipped;
  snprintf(words, sizeof words, "%.*s", (int)(left < KNOWN ? left : KNOWN), line + skipped);
  return strstr(summary, words) || strstr(summary, " more: omniroll analyze -v");
}

void cli_print_held(const cli_text *held, const char *summary, bool failed, FILE *out) {
  const char *at = held->data, *line;
  size_t length;
  while ((line = next_line(&at, &length))) {
    const bool warning = begins(line, length, WARNING);
    if (!failed && (!warning || (summary && has(summary, line, length)))) continue;
    fprintf(out, "%.*s\n", (int)length, line);
  }
}

void cli_print_lines(const char *text, int most, FILE *out) {
  const char *at = text, *line;
  size_t length;
  int count = 0, more = 0;
  while ((line = next_line(&at, &length))) {
    if (count++ < most)
      fprintf(out, "%.*s\n", (int)length, line);
    else
      more++;
  }
  if (more) fprintf(out, "  and %d more (--verbose)\n", more);
}
