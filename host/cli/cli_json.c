/* The output of --json: one JSON value on standard output and nothing else. */
#define _GNU_SOURCE /* fopencookie */
#include "cli.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bit of cJSON's type that cJSON does not use. */
enum { BROKEN = 1 << 20 };

void cli_add(cJSON *to, const char *name, cJSON *item) {
  if (to && item && (name ? cJSON_AddItemToObject(to, name, item) : cJSON_AddItemToArray(to, item)))
    return;
  cJSON_Delete(item);
  if (to) to->type |= BROKEN;
}

void cli_add_text(cJSON *to, const char *name, const char *text) {
  cli_add(to, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

static bool is_whole(const cJSON *root) {
  if (!root || (root->type & BROKEN)) return false;
  for (const cJSON *child = root->child; child; child = child->next)
    if (!is_whole(child)) return false;
  return true;
}

omr_status cli_print_json(cJSON *root, omr_error *error) {
  char *json = is_whole(root) ? cJSON_PrintUnformatted(root) : NULL, *text = NULL;
  cJSON_Delete(root);
  if (!json) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status = omr_json_format(json, &text, error);
  free(json);
  return cli_print_text(&text, status);
}

omr_status cli_print_text(char **text, omr_status status) {
  if (*text) fputs(*text, stdout);
  omr_text_destroy(*text);
  return status;
}

/* A table in CSV on its way to JSON, line by line, so that memory does not grow with it. */
typedef struct table {
  FILE *out;
  cli_text line;
  size_t lines;
} table;

static void put_string(FILE *out, const char *text, size_t length) {
  fputc('"', out);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"' || text[i] == '\\') fputc('\\', out);
    fputc(text[i], out);
  }
  fputc('"', out);
}

static bool is_word(const char *field, size_t length) {
  static const char *const counted[] = {"instance", "time"};
  for (size_t i = 0; i < 2; i++)
    if (strlen(counted[i]) == length && strncmp(field, counted[i], length) == 0) return false;
  return length == strlen("status") && strncmp(field, "status", length) == 0;
}

/* "name [unit]"; a column of words has no unit. */
static void put_column(table *t, const char *field, size_t length, bool first) {
  const char *bracket = memchr(field, '[', length);
  const size_t name = bracket ? (size_t)(bracket - field) - 1 : length;
  fprintf(t->out, "%s\n    {\"name\": ", first ? "" : ",");
  put_string(t->out, field, name);
  fputs(", \"unit\": ", t->out);
  if (is_word(field, name))
    fputs("null", t->out);
  else if (bracket)
    put_string(t->out, bracket + 1, length - name - 3);
  else
    put_string(t->out, "1", 1);
  fputc('}', t->out);
}

static void put_value(table *t, const char *field, size_t length, bool first) {
  char *end;
  const double value = cli_strtod(field, &end);
  if (!first) fputs(", ", t->out);
  if (length == 0)
    fputs("null", t->out);
  else if (end != field + length)
    put_string(t->out, field, length);
  else if (!isfinite(value))
    fputs("null", t->out);
  else
    fwrite(field, 1, length, t->out);
}

static void put_line(table *t) {
  const char *field = t->line.data;
  fputs(t->lines == 0 ? "{\n  \"columns\": [" : t->lines == 1 ? "\n    [" : ",\n    [", t->out);
  for (bool first = true;; first = false) {
    const size_t length = strcspn(field, ",");
    if (t->lines == 0)
      put_column(t, field, length, first);
    else
      put_value(t, field, length, first);
    field += length;
    if (!*field) break;
    field++;
  }
  fputs(t->lines == 0 ? "\n  ],\n  \"rows\": [" : "]", t->out);
  t->lines++;
  t->line.length = 0;
}

static ssize_t take_bytes(void *cookie, const char *bytes, size_t count) {
  table *t = cookie;
  for (size_t done = 0; done < count;) {
    const char *end = memchr(bytes + done, '\n', count - done);
    const size_t length = end ? (size_t)(end - bytes) - done : count - done;
    cli_text_add(&t->line, bytes + done, length);
    if (t->line.failed) return 0;
    if (end) put_line(t);
    done += length + (end != NULL);
  }
  return ferror(t->out) ? 0 : (ssize_t)count;
}

static int end_table(void *cookie) {
  table *t = cookie;
  if (t->lines) fputs("\n  ]\n}\n", t->out);
  cli_text_free(&t->line);
  free(t);
  return 0;
}

FILE *cli_table_to_json(FILE *out) {
  table *t = calloc(1, sizeof *t);
  FILE *stream =
      t ? fopencookie(t, "w", (cookie_io_functions_t){.write = take_bytes, .close = end_table})
        : NULL;
  if (t) t->out = out;
  if (!stream) free(t);
  return stream;
}
