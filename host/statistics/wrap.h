/* Text in lines of a width, and tables whose columns are as wide as they have to be. */
#ifndef OMR_WRAP_H
#define OMR_WRAP_H

#include "../support/support.h"

/* How a text is broken between its words: behind "  LABEL", further lines below the first. */
typedef struct omr_wrapping {
  const char *label;
  int indent, width;
  int most; /* lines; what does not fit ends in "..."; 0: any number */
} omr_wrapping;

/* Appends the text as lines. A word that is longer than a line, as a path, keeps its length. */
void omr_wrap(omr_text *to, const omr_wrapping *how, const char *text);
size_t omr_count_lines(const omr_text *text);

enum { OMR_SHEET_COLUMNS = 8, OMR_SHEET_ROWS = 24, OMR_SHEET_CELL = 72 };

/* A table; row 0 has the headings. Zero-initialise. */
typedef struct omr_sheet {
  size_t rows, columns;
  bool left[OMR_SHEET_COLUMNS]; /* numbers stand to the right */
  char cell[OMR_SHEET_ROWS][OMR_SHEET_COLUMNS][OMR_SHEET_CELL];
} omr_sheet;

/* Fills the next cell of a row, from left to right; what is beyond the table is left out. */
void omr_sheet_add(omr_sheet *sheet, size_t row, size_t column, const char *format, ...)
    OMR_PRINTF(4, 5);
/* Columns of a terminal that it takes. */
int omr_sheet_width(const omr_sheet *sheet);
/* Appends it, indented by two, with as many columns as fit into the width, one at least; returns
 * how many. */
size_t omr_sheet_print(const omr_sheet *sheet, int width, omr_text *to);

#endif
