/* Breaks text into lines of a width, and prints tables whose columns are as wide as needed. */
#ifndef OMR_WRAP_H
#define OMR_WRAP_H

#include "../support/support.h"

/* How to break a text between words: after "  LABEL", with further lines below the first. */
typedef struct omr_wrapping {
  const char *label;
  int indent, width;
  int most; /* lines; a longer text ends in "..."; 0: any number */
} omr_wrapping;

/* Appends the text as lines. A word longer than a line, such as a path, stays whole. */
void omr_wrap(omr_text *to, const omr_wrapping *how, const char *text);
/* The same of a text that is freed; nothing where nothing was added to it. */
void omr_wrap_text(omr_text *to, const omr_wrapping *how, omr_text *text);
size_t omr_count_lines(const omr_text *text);

enum { OMR_SHEET_COLUMNS = 8, OMR_SHEET_ROWS = 24, OMR_SHEET_CELL = 72 };

/* A table; row 0 has the headings. Zero-initialise. */
typedef struct omr_sheet {
  size_t rows, columns;
  bool left[OMR_SHEET_COLUMNS]; /* numbers stand to the right */
  char cell[OMR_SHEET_ROWS][OMR_SHEET_COLUMNS][OMR_SHEET_CELL];
} omr_sheet;

/* Fills the next cell of a row, from left to right; cells beyond the table are left out. */
void omr_sheet_add(omr_sheet *sheet, size_t row, size_t column, const char *format, ...)
    OMR_PRINTF(4, 5);
/* Columns of a terminal that the table takes. */
int omr_sheet_width(const omr_sheet *sheet);
/* Appends the table, indented by two, with as many columns as fit into the width, at least one;
 * returns how many. */
size_t omr_sheet_print(const omr_sheet *sheet, int width, omr_text *to);

#endif
