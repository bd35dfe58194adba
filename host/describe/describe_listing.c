#include "describe_listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TEXT: least width of the text. The last short cell wraps, at LEAST width, to leave room for it.
 */
enum { PAGE = 110, GAP = 2, CELL = 64, TEXT = 30, NARROW = 20, LEAST = 12 };

void omr_page_add(omr_page *page, cJSON *to, const char *name, cJSON *value) {
  if (value && (name ? cJSON_AddItemToObject(to, name, value) : cJSON_AddItemToArray(to, value)))
    return;
  cJSON_Delete(value);
  page->failed = true;
}

static cJSON *add_object(omr_listing *t) {
  cJSON *row = cJSON_CreateObject();
  omr_page_add(t->page, t->rows, NULL, row);
  return t->page->failed ? NULL : row;
}

/* A name that is empty is that above it. */
static void add_json_row(omr_listing *t, const char *const *cells, const char *text) {
  const int above = cJSON_GetArraySize(t->rows) - 1;
  cJSON *row = add_object(t);
  for (int c = 0; row && c < t->columns; c++) {
    const cJSON *same = c > 0 || *cells[c]
                            ? NULL
                            : cJSON_GetObjectItem(cJSON_GetArrayItem(t->rows, above), t->names[c]);
    omr_page_add(t->page, row, t->names[c],
                 same ? cJSON_Duplicate(same, true) : cJSON_CreateString(cells[c]));
  }
  if (row) omr_page_add(t->page, row, "meaning", cJSON_CreateString(text));
}

/* How much of the text stands on a line of so many characters. */
static size_t piece_of(const char *text, size_t room) {
  size_t cut = room;
  if (strlen(text) <= room) return strlen(text);
  while (cut > 0 && text[cut] != ' ') cut--;
  return cut ? cut : room;
}

static const char *behind(const char *text, size_t piece) {
  text += piece;
  while (*text == ' ') text++;
  return text;
}

/* The last short cell and the text side by side, each over as many lines as it takes. */
static void print_ends(FILE *out, int indent, int width, const char *cell, const char *text) {
  const int left = indent + width + GAP;
  const size_t room = (size_t)(left < PAGE - NARROW ? PAGE - left : NARROW);
  for (bool first = true; first || *cell || *text; first = false) {
    const size_t of_cell = piece_of(cell, (size_t)width), of_text = piece_of(text, room);
    if (!first) fprintf(out, "%*s", indent, "");
    if (of_text || first)
      fprintf(out, "%-*.*s%*s%.*s\n", width, (int)of_cell, cell, GAP, "", (int)of_text, text);
    else
      fprintf(out, "%.*s\n", (int)of_cell, cell);
    cell = behind(cell, of_cell);
    text = behind(text, of_text);
  }
}

static void measure(omr_listing *t, const char *const *cells) {
  for (int c = 0; c < t->columns; c++) {
    const int length = (int)strlen(cells[c]);
    if (length > t->width[c]) t->width[c] = length;
  }
}

void omr_listing_row(omr_listing *t, const char *const *cells, const char *text) {
  const int last = t->columns - 1;
  int indent = GAP;

  /* A page of JSON needs no widths. */
  if (t->page) {
    add_json_row(t, cells, text);
    return;
  }

  /* The first pass only measures the columns. */
  if (!t->out) {
    measure(t, cells);
    return;
  }

  /* All cells but the last one are padded to the widths. */
  fprintf(t->out, "%*s", GAP, "");
  for (int c = 0; c < last; c++) {
    fprintf(t->out, "%-*s", t->width[c] + GAP, cells[c]);
    indent += t->width[c] + GAP;
  }

  /* The last cell and the text share the rest of the page. */
  const int most = PAGE - TEXT - GAP - indent;
  const int width = t->width[last] <= most ? t->width[last] : most < LEAST ? LEAST : most;
  print_ends(t->out, indent, width, cells[last], text);
}

void omr_listing_heads(omr_listing *t, const char *const *heads) {
  if (!t->page) omr_listing_row(t, heads, "meaning");
}

static void print_bounds(char *text, const omr_parameter *parameter) {
  const bool open = parameter->flags & OMR_P_OPEN_LOW;
  if (isinf(parameter->low))
    snprintf(text, CELL, "any");
  else if (isinf(parameter->high))
    snprintf(text, CELL, "%s %.6g", open ? ">" : ">=", parameter->low);
  else
    snprintf(text, CELL, "%.6g .. %.6g", parameter->low, parameter->high);
}

/* A number; null where there is none. */
static void add_number(omr_listing *t, cJSON *row, const char *name, double value) {
  omr_page_add(t->page, row, name,
               isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void add_json_parameter(omr_listing *t, const omr_parameter *parameter) {
  cJSON *row = add_object(t);
  if (!row) return;
  omr_page_add(t->page, row, "name", cJSON_CreateString(parameter->path));
  omr_page_add(t->page, row, "unit", cJSON_CreateString(parameter->unit));
  add_number(t, row, "default", parameter->standard);
  add_number(t, row, "low", parameter->low);
  add_number(t, row, "high", parameter->high);
  omr_page_add(t->page, row, "low_open", cJSON_CreateBool(parameter->flags & OMR_P_OPEN_LOW));
  omr_page_add(t->page, row, "integer", cJSON_CreateBool(parameter->flags & OMR_P_INTEGER));
  omr_page_add(t->page, row, "meaning", cJSON_CreateString(parameter->meaning));
}

void omr_listing_parameter(omr_listing *t, bool per_wheel, int index, omr_model model) {
  const omr_parameter row = omr_framed_parameter(t->frame, per_wheel, index), *parameter = &row;
  char standard[CELL], bounds[CELL];
  if (!omr_parameter_belongs(parameter, model)) return;
  if (t->page) {
    add_json_parameter(t, parameter);
    return;
  }
  if (isnan(parameter->standard))
    snprintf(standard, sizeof standard, "-");
  else
    snprintf(standard, sizeof standard, "%.6g", parameter->standard);
  print_bounds(bounds, parameter);
  const char *cells[] = {parameter->path, parameter->unit, standard, bounds};
  omr_listing_row(t, cells, parameter->meaning);
}
