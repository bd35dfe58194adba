/* The part of `describe --json` besides the tables: the classes of rows, by which programs that
 * read results tell a sample from a grid, or friction from a constraint, without lists of their
 * own. */
#include "describe_classes.h"

#include <ctype.h>

typedef struct list {
  cJSON *rows;
  bool failed;
} list;

/* A word of a row's class, as it is written in the .def file, in small letters. */
static bool add_word(cJSON *row, const char *name, const char *value) {
  char small[64];
  size_t i = 0;
  for (; value[i] && i + 1 < sizeof small; i++) small[i] = (char)tolower((unsigned char)value[i]);
  small[i] = '\0';
  return cJSON_AddStringToObject(row, name, small);
}

static cJSON *add_row(list *l, const char *name) {
  cJSON *row = cJSON_CreateObject();
  if (!row || !cJSON_AddStringToObject(row, "name", name) || !cJSON_AddItemToArray(l->rows, row)) {
    cJSON_Delete(row);
    l->failed = true;
    return NULL;
  }
  return row;
}

static void add_class(list *l, const char *name, const char *class) {
  cJSON *row = add_row(l, name);
  if (row && !add_word(row, "class", class)) l->failed = true;
}

static void add_method(list *l, const char *name, const char *steps, const char *form) {
  cJSON *row = add_row(l, name);
  if (row && (!add_word(row, "steps", steps) || !add_word(row, "form", form))) l->failed = true;
}

static bool add_designs(cJSON *to) {
  list l = {cJSON_AddArrayToObject(to, "designs"), false};
#define X(id, name, word, class, count, meaning) add_class(&l, word, #class);
#include "../lists/designs.def"
#undef X
  return l.rows && !l.failed;
}

static bool add_laws(cJSON *to) {
  list l = {cJSON_AddArrayToObject(to, "laws"), false};
#define X(id, name, word, class, exchanges, uses, meaning) add_class(&l, word, #class);
#include "../lists/laws.def"
#undef X
  return l.rows && !l.failed;
}

static bool add_methods(cJSON *to) {
  list l = {cJSON_AddArrayToObject(to, "methods"), false};
#define X(id, word, steps, form, meaning) add_method(&l, word, #steps, #form);
#include "../lists/methods.def"
#undef X
  return l.rows && !l.failed;
}

/* The words of omr_status, whose numbers are the exit codes of the program. */
static bool add_errors(cJSON *to) {
  list l = {cJSON_AddArrayToObject(to, "errors"), false};
  const char *name;
  for (int code = 0; (name = omr_status_name(code)); code++) {
    cJSON *row = add_row(&l, name);
    if (row && !cJSON_AddNumberToObject(row, "code", code)) l.failed = true;
  }
  return l.rows && !l.failed;
}

bool omr_add_classes(cJSON *to) {
  cJSON *classes = cJSON_AddObjectToObject(to, "classes");
  return classes && add_designs(classes) && add_laws(classes) && add_methods(classes) &&
         add_errors(classes);
}
