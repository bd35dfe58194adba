/* The part of `describe --json` besides the tables: the classes of rows, by which programs that
 * read results tell a sample from a grid, or friction from a constraint, without lists of their
 * own. */
#include "describe_page.h"

#include "../support/support.h"

#include <ctype.h>

/* A word of a row's class, as it is written in the .def file, in small letters. */
static void add_word(cJSON *row, const char *name, const char *value) {
  char small[64];
  size_t i = 0;
  for (; value[i] && i + 1 < sizeof small; i++) small[i] = (char)tolower((unsigned char)value[i]);
  small[i] = '\0';
  omr_tree_text(row, name, small);
}

static cJSON *add_row(cJSON *rows, const char *name) {
  cJSON *row = omr_tree_row(rows);
  omr_tree_text(row, "name", name);
  return row;
}

void omr_add_classes(cJSON *to) {
  cJSON *classes = omr_tree_object(to, "classes"), *rows = omr_tree_list(classes, "designs"), *row;
#define X(id, name, word, class, count, meaning) add_word(add_row(rows, word), "class", #class);
#include "../lists/designs.def"
#undef X

  rows = omr_tree_list(classes, "laws");
#define X(id, name, word, class, exchanges, uses, meaning)                                         \
  add_word(add_row(rows, word), "class", #class);
#include "../lists/laws.def"
#undef X

  rows = omr_tree_list(classes, "methods");
#define X(id, word, steps, form, meaning)                                                          \
  row = add_row(rows, word);                                                                       \
  add_word(row, "steps", #steps);                                                                  \
  add_word(row, "form", #form);
#include "../lists/methods.def"
#undef X

  /* The words of omr_status, whose numbers are the exit codes of the program. */
  const char *name;
  rows = omr_tree_list(classes, "errors");
  for (int code = 0; (name = omr_status_name(code)); code++)
    omr_tree_number(add_row(rows, name), "code", code);
}
