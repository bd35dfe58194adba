#include "wrap.h"

#include <string.h>

/* Columns that bytes take on a terminal: every character counts as one column. */
static int width_of(const char *text, size_t length) {
  int width = 0;
  for (size_t i = 0; i < length; i++) width += ((unsigned char)text[i] & 0xc0U) != 0x80U;
  return width;
}

/* Bytes of the words that fit into so many columns; at least the first word. */
static size_t words_that_fit(const char *text, int room) {
  size_t fits = strcspn(text, " ");
  for (size_t end = fits; text[end];) {
    end += 1 + strcspn(text + end + 1, " ");
    if (width_of(text, end) > room) break;
    fits = end;
  }
  return fits;
}

/* Appends the last line allowed: unchanged if the text ends there, otherwise with an ellipsis. */
static void add_last(omr_text *to, const char *text, int room) {
  const size_t fits = words_that_fit(text, room);
  if (!text[fits])
    omr_text_print(to, "%s\n", text);
  else
    omr_text_print(to, "%.*s ...\n", (int)words_that_fit(text, room - 4), text);
}

void omr_wrap(omr_text *to, const omr_wrapping *how, const char *text) {
  const int room = how->width - how->indent;
  if (*how->label)
    omr_text_print(to, "  %-*s", how->indent - 2, how->label);
  else
    omr_text_print(to, "%*s", how->indent, "");
  if (!*text) omr_text_add(to, "\n", 1);
  for (int line = 1; *text; line++) {
    if (line == how->most) {
      add_last(to, text, room);
      return;
    }
    const size_t fits = words_that_fit(text, room);
    omr_text_print(to, "%.*s\n", (int)fits, text);
    text += fits + strspn(text + fits, " ");
    if (*text) omr_text_print(to, "%*s", how->indent, "");
  }
}

void omr_wrap_text(omr_text *to, const omr_wrapping *how, omr_text *text) {
  if (text->data) omr_wrap(to, how, text->data);
  omr_text_free(text);
}

size_t omr_count_lines(const omr_text *text) {
  size_t lines = 0;
  for (size_t i = 0; i < text->length; i++) lines += text->data[i] == '\n';
  return lines;
}

void omr_sheet_add(omr_sheet *sheet, size_t row, size_t column, const char *format, ...) {
  va_list args;
  if (row >= OMR_SHEET_ROWS || column >= OMR_SHEET_COLUMNS) return;
  va_start(args, format);
  vsnprintf(sheet->cell[row][column], OMR_SHEET_CELL, format, args);
  va_end(args);
  if (row >= sheet->rows) sheet->rows = row + 1;
  if (column >= sheet->columns) sheet->columns = column + 1;
}

static int column_width(const omr_sheet *sheet, size_t column) {
  int widest = 0;
  for (size_t r = 0; r < sheet->rows; r++) {
    const char *cell = sheet->cell[r][column];
    const int width = width_of(cell, strlen(cell));
    if (width > widest) widest = width;
  }
  return widest;
}

int omr_sheet_width(const omr_sheet *sheet) {
  int width = 0;
  for (size_t c = 0; c < sheet->columns; c++) width += 2 + column_width(sheet, c);
  return width;
}

static void print_row(const omr_sheet *sheet, size_t row, const int *width, size_t columns,
                      omr_text *to) {
  size_t last = columns;
  while (last > 1 && !sheet->cell[row][last - 1][0]) last--;
  for (size_t c = 0; c < last; c++) {
    const char *cell = sheet->cell[row][c];
    const int blank = width[c] - width_of(cell, strlen(cell));
    const bool left = sheet->left[c];
    omr_text_print(to, "  %*s%s%*s", left ? 0 : blank, "", cell, left && c + 1 < last ? blank : 0,
                   "");
  }
  omr_text_add(to, "\n", 1);
}

size_t omr_sheet_print(const omr_sheet *sheet, int width, omr_text *to) {
  int widths[OMR_SHEET_COLUMNS], whole = 0;
  size_t columns = 0;
  for (; columns < sheet->columns; columns++) {
    widths[columns] = column_width(sheet, columns);
    whole += 2 + widths[columns];
    if (columns && whole > width) break;
  }
  for (size_t r = 0; r < sheet->rows; r++) print_row(sheet, r, widths, columns, to);
  return columns;
}
