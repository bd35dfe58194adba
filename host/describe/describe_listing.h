/* Tables of a description: rows of short cells and a text, printed or as JSON. */
#ifndef OMR_DESCRIBE_LISTING_H
#define OMR_DESCRIBE_LISTING_H

#include "../study/grammar/parse.h"
#include "../support/tree.h"
#include "describe_choice.h"

#include <stdbool.h>
#include <stdio.h>

enum { OMR_LISTING_COLUMNS = 5 };

/* Where the tables go: text, or members of a JSON object, which is marked where memory ran out
 * (support/tree.h). */
typedef struct omr_page {
  FILE *out;
  omr_frame_kind frame;         /* in whose words the tables are */
  cJSON *json;                  /* NULL: text */
  const omr_row_choice *choice; /* NULL: all rows */
} omr_page;

/* Rows of short cells and a last column of text that wraps. Filled twice: once to measure, once to
 * print; as JSON once. */
typedef struct omr_listing {
  FILE *out; /* NULL while measuring */
  omr_model model;
  omr_frame_kind frame;
  int count;   /* of rows so far, lines of heads left out */
  int columns; /* short ones */
  int width[OMR_LISTING_COLUMNS];
  cJSON *rows;                  /* NULL: text */
  const char *const *names;     /* of the cells, as JSON */
  const omr_row_choice *choice; /* NULL: all rows */
  bool whole;                   /* the choice has taken the table */
  int name_column;              /* of the row's name */
  char above[64]; /* the last name in the first column, and whether its row is shown */
  bool above_shown;
} omr_listing;

/* t->columns cells, and the text; as JSON a cell that is empty is that above it. */
void omr_listing_row(omr_listing *t, const char *const *cells, const char *text);
/* The line over a table that has one. */
void omr_listing_heads(omr_listing *t, const char *const *heads);
/* Prints a text that wraps, from a column on. */
void omr_listing_text(FILE *out, const char *text, int indent);
/* A row of name, unit, default and bounds; none where the model has no such parameter. */
void omr_listing_parameter(omr_listing *t, bool per_wheel, int index);

#endif
