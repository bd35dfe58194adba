#include "describe_listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TEXT: least width of a text beside the cells; a narrower one stands below them, at BELOW. */
enum { PAGE = 80, GAP = 2, TEXT = 30, BELOW = 6, LEAST = 12, CELL = 24 };

/* A name that is empty is that above it. */
static void add_json_row(omr_listing *t, const char *const *cells, const char *text) {
  const int above = cJSON_GetArraySize(t->rows) - 1;
  cJSON *row = omr_tree_row(t->rows);
  for (int c = 0; c < t->columns; c++) {
    const cJSON *same = c > 0 || *cells[c]
                            ? NULL
                            : cJSON_GetObjectItem(cJSON_GetArrayItem(t->rows, above), t->names[c]);
    omr_tree_text(row, t->names[c], same ? same->valuestring : cells[c]);
  }
  omr_tree_text(row, "meaning", text);
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
  if (t->rows) {
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
  if (t->choice && !is_chosen(t, cells, text, row)) return;
  put_row(t, t->choice ? row : cells, text);
  t->count++;
}

void omr_listing_heads(omr_listing *t, const char *const *heads) {
  if (!t->rows) put_row(t, heads, "meaning");
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

static void add_json_parameter(omr_listing *t, const omr_parameter *parameter) {
  cJSON *row = omr_tree_row(t->rows);
  omr_tree_text(row, "name", parameter->path);
  omr_tree_text(row, "unit", parameter->unit);
  omr_tree_number(row, "default", parameter->standard);
  omr_tree_number(row, "low", parameter->low);
  omr_tree_number(row, "high", parameter->high);
  omr_tree_bool(row, "low_open", parameter->flags & OMR_P_OPEN_LOW);
  omr_tree_bool(row, "integer", parameter->flags & OMR_P_INTEGER);
  omr_tree_text(row, "meaning", parameter->meaning);
}

void omr_listing_parameter(omr_listing *t, bool per_wheel, int index) {
  const omr_parameter row = omr_framed_parameter(t->frame, per_wheel, index), *parameter = &row;
  char standard[64], bounds[64];
  if (!omr_parameter_belongs(parameter, t->model)) return;
  if (t->rows) {
    const bool all = !t->choice || t->whole;
    if (all || omr_choice_takes(t->choice, NULL, parameter->path, &parameter->meaning, 1))
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
