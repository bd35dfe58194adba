#include "expression_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 4096 };

/* Characters before a place, not bytes. */
static int characters(const char *text, const char *at) {
  int count = 0;
  for (; text < at; text++) count += ((unsigned char)*text & 0xc0U) != 0x80U;
  return count;
}

bool omr_parser_refuse(omr_parser *p, const char *at, const char *format, ...) {
  char sentence[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  if (p->status != OMR_OK) return false;
  if (*at)
    p->status = omr_fail(p->error, OMR_ERR_STUDY, "\"%.200s\", at character %d: %s", p->text,
                         characters(p->text, at) + 1, sentence);
  else
    p->status = omr_fail(p->error, OMR_ERR_STUDY, "\"%.200s\", at the end: %s", p->text, sentence);
  return false;
}

bool omr_parser_fail_memory(omr_parser *p) {
  if (p->status == OMR_OK)
    p->status = omr_fail(p->error, OMR_ERR_MEMORY, "out of memory while reading a criterion");
  return false;
}

void omr_parser_skip(omr_parser *p) {
  p->at += strspn(p->at, " \t\n");
}

/* Reads the sign if it stands here. */
bool omr_parser_take(omr_parser *p, const char *sign) {
  omr_parser_skip(p);
  if (strncmp(p->at, sign, strlen(sign)) != 0) return false;
  p->at += strlen(sign);
  return true;
}

bool omr_parser_append(omr_parser *p, omr_expression_node node, omr_part *out) {
  if (p->expression->count >= MOST_NODES)
    return omr_parser_refuse(p, p->at, "the criterion is too long");
  if (!omr_expression_append(p->expression, node)) return omr_parser_fail_memory(p);
  out->node = p->expression->count - 1;
  return true;
}
