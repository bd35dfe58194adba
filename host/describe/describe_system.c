#include "describe_page.h"

#include "../study/system/graph.h"
#include <string.h>

void omr_fill_system_keys(omr_listing *t) {
  const char *of = "";
#define X(where, key, form, meaning)                                                               \
  {                                                                                                \
    const char *place = *where ? where : "system";                                                 \
    const char *cells[] = {strcmp(of, place) == 0 ? "" : place, key, form};                        \
    of = place;                                                                                    \
    omr_listing_row(t, cells, meaning);                                                            \
  }
#include "../lists/keys/system.def"
#undef X
}

void omr_fill_system_kinds(omr_listing *t) {
  for (int k = 0; k < OMR_GRAPH_KINDS; k++) {
    const omr_graph_kind_row *row = &omr_graph_kind_rows[k];
    const bool first = k == 0 || row->class != omr_graph_kind_rows[k - 1].class;
    const char *cells[] = {first ? omr_graph_sections[row->class] : "", row->word, row->source};
    omr_listing_row(t, cells, row->meaning);
  }
}

static const char *form_of(const omr_graph_key_row *row) {
  switch (row->type) {
  case OMR_GRAPH_NUMBER: return "number";
  case OMR_GRAPH_VECTOR: return "three numbers";
  case OMR_GRAPH_LAW: return "expression";
  case OMR_GRAPH_LAWS: return "three expressions";
  case OMR_GRAPH_BODY: return "body";
  case OMR_GRAPH_MOTIONS: return "expressions of t";
  default: return row->unit;
  }
}

void omr_fill_system_edges(omr_listing *t) {
  for (int k = 0; k < OMR_GRAPH_KEYS; k++) {
    const omr_graph_key_row *row = &omr_graph_key_rows[k];
    const bool first = k == 0 || row->class != omr_graph_key_rows[k - 1].class,
               words = row->type == OMR_GRAPH_WORD, all = strcmp(row->kinds, "*") == 0;
    char text[640];
    const char *cells[] = {first ? omr_graph_sections[row->class] : "", row->name,
                           words ? "" : row->unit, row->standard ? row->standard : "required"};
    snprintf(text, sizeof text, "%s%s: %s%s%s", words ? "one of " : "", form_of(row), row->meaning,
             all ? "" : "; of ", all ? "" : row->kinds);
    const size_t length = strlen(text);
    if (length && text[length - 1] == ' ') text[length - 1] = '\0';
    omr_listing_row(t, cells, text);
  }
}

void omr_fill_system_quantities(omr_listing *t) {
  static const char *const forms[] = {[OMR_GRAPH_OF_SYSTEM] = "",
                                      [OMR_GRAPH_OF_BODY] = "BODY.",
                                      [OMR_GRAPH_OF_CONSTRAINT] = "CONSTRAINT.",
                                      [OMR_GRAPH_OF_CONTACT] = "CONTACT."};
  char name[64];
  for (int q = 0; q < OMR_GRAPH_QUANTITIES; q++) {
    const omr_graph_quantity_row *row = &omr_graph_quantity_rows[q];
    const char *cells[] = {name, row->unit, row->level == OMR_GRAPH_DYNAMIC ? "no" : "yes"};
    snprintf(name, sizeof name, "%s%s", forms[row->owner], row->name);
    omr_listing_row(t, cells, row->meaning);
  }
}

void omr_fill_functions(omr_listing *t) {
  enum { ONE, PURE, TWO, ANY };
  static const char *const takes[] = {"(x)", "(x)", "(y, x)", "(x, y, ...)"};
  char name[32];
  const char *cells[] = {name};
#define X(word, operation, arguments, result, meaning)                                             \
  snprintf(name, sizeof name, "%s%s", word, takes[arguments]);                                     \
  omr_listing_row(t, cells, meaning);
#include "../lists/functions.def"
#undef X
}
