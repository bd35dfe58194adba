#include "describe_listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TEXT: least width of a text beside the cells; a narrower one stands below them, at BELOW. */
enum { PAGE = 80, GAP = 2, TEXT = 30, BELOW = 6, LEAST = 12, CELL = 24 };

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

/* Prints a text from a column on, over as many lines as it takes, without the end of the last. */
static void print_text(FILE *out, const char *text, int indent) {
  const size_t room = (size_t)(indent < PAGE - LEAST ? PAGE - indent : LEAST);
  for (bool first = true; first || *text; first = false) {
    const size_t piece = piece_of(text, room);
    if (!first) fprintf(out, "\n%*s", indent, "");
    fprintf(out, "%.*s", (int)piece, text);
    text = behind(text, piece);
  }
}

void omr_listing_text(FILE *out, const char *text, int indent) {
  fprintf(out, "%*s", indent, "");
  print_text(out, text, indent);
  fputc('\n', out);
}

static void measure(omr_listing *t, const char *const *cells) {
  for (int c = 0; c < t->columns; c++) {
    const int length = (int)strlen(cells[c]);
    if (length > t->width[c]) t->width[c] = length;
  }
}

static void put_row(omr_listing *t, const char *const *cells, const char *text) {
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

  /* The last cell and the text stand on the same line if there is room, otherwise below. */
  const int beside = indent + t->width[last] + GAP;
  if (beside + TEXT <= PAGE) {
    fprintf(t->out, "%-*s", t->width[last] + GAP, cells[last]);
    print_text(t->out, text, beside);
  } else {
    const bool room = indent + (t->width[last] < CELL ? t->width[last] : CELL) <= PAGE;
    if (!room && *cells[last]) fprintf(t->out, "\n%*s", BELOW, "");
    print_text(t->out, cells[last], room ? indent : BELOW);
    fprintf(t->out, "\n%*s", BELOW, "");
    print_text(t->out, text, BELOW);
  }
  fputc('\n', t->out);
}

/* Whether a choice takes a row. A row without a name of its own gets that of the row above, if
 * this is not shown. row: the cells to print. */
static bool is_chosen(omr_listing *t, const char *const *cells, const char *text,
                      const char **row) {
  const char *texts[OMR_LISTING_COLUMNS + 1];
  for (int c = 0; c < t->columns; c++) texts[c] = row[c] = cells[c];
  texts[t->columns] = text;

  /* remember the last name in the first column */
  if (*cells[0]) {
    snprintf(t->above, sizeof t->above, "%s", cells[0]);
    t->above_shown = false;
  } else {
    row[0] = t->above;
  }

  const bool taken =
      t->whole || omr_choice_takes(t->choice, t->name_column == 1 ? row[0] : NULL,
                                   row[t->name_column], texts, (size_t)t->columns + 1);
  if (t->above_shown) row[0] = cells[0];
  t->above_shown = t->above_shown || taken;
  return taken;
}

void omr_listing_row(omr_listing *t, const char *const *cells, const char *text) {
  const char *row[OMR_LISTING_COLUMNS];
  if (!t->choice)
    put_row(t, cells, text);
  else if (is_chosen(t, cells, text, row))
    put_row(t, row, text);
}

void omr_listing_heads(omr_listing *t, const char *const *heads) {
  if (!t->page) put_row(t, heads, "meaning");
}

static void print_bounds(char *text, size_t size, const omr_parameter *parameter) {
  const bool open = parameter->flags & OMR_P_OPEN_LOW;
  if (isinf(parameter->low))
    snprintf(text, size, "any");
  else if (isinf(parameter->high))
    snprintf(text, size, "%s %.6g", open ? ">" : ">=", parameter->low);
  else
    snprintf(text, size, "%.6g .. %.6g", parameter->low, parameter->high);
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
  char standard[64], bounds[64];
  if (!omr_parameter_belongs(parameter, model)) return;
  if (t->page) {
    const char *texts[] = {parameter->meaning};
    if (t->choice && !t->whole && !omr_choice_takes(t->choice, NULL, parameter->path, texts, 1))
      return;
    add_json_parameter(t, parameter);
    return;
  }
  if (isnan(parameter->standard))
    snprintf(standard, sizeof standard, "-");
  else
    snprintf(standard, sizeof standard, "%.6g", parameter->standard);
  print_bounds(bounds, sizeof bounds, parameter);
  const char *cells[] = {parameter->path, parameter->unit, standard, bounds};
  omr_listing_row(t, cells, parameter->meaning);
}
