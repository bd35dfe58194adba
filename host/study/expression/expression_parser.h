/* Reading an expression: the place in its text, and the parts that are made. Private to
 * expression_parse*.c and expression_names.c. Every function returns false at a mistake, which the
 * parser then holds. */
#ifndef OMR_STUDY_EXPRESSION_PARSER_H
#define OMR_STUDY_EXPRESSION_PARSER_H

#include "expression_nodes.h"
#include "expression_units.h"

/* A part that has been read: its last node, its unit and its type. */
typedef struct omr_part {
  size_t node;
  bool truth;
  omr_measure measure;
  bool gram; /* a number of grams written "g", which is standard gravity where an acceleration is
                needed */
} omr_part;

typedef struct omr_parser {
  const char *text, *at;
  const omr_names *names;
  omr_expression *expression;
  omr_error *error;
  int depth;
  omr_status status; /* of the first failure */
} omr_parser;

/* Refuses the text at a place; the first mistake counts. */
bool omr_parser_refuse(omr_parser *p, const char *at, const char *format, ...) OMR_PRINTF(3, 4);
bool omr_parser_fail_memory(omr_parser *p);
void omr_parser_skip(omr_parser *p); /* blanks */
/* Reads the sign if it stands here. */
bool omr_parser_take(omr_parser *p, const char *sign);
/* Appends a node, of which *out becomes the part. */
bool omr_parser_append(omr_parser *p, omr_expression_node node, omr_part *out);

/* expression_names.c: reads a number with its unit; reads a name of a column, a criterion, a status
 * or pi. */
bool omr_parse_number(omr_parser *p, size_t digits, omr_part *out);
bool omr_parse_name(omr_parser *p, size_t length, omr_part *out);

#endif
