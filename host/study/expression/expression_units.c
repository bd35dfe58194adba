#include "expression_units.h"
#include "../units/units.h"

#include <stdlib.h>
#include <string.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Units have signs of their own: percent, degree, micro. */
static bool starts_unit(char c) {
  return is_letter(c) || c == '%' || (unsigned char)c >= 0x80;
}

static size_t bracket_length(const char *text) {
  size_t length = 1;
  while (is_digit(text[length])) length++;
  return length > 1 && text[length] == ']' ? length + 1 : 0;
}

size_t omr_identifier_length(const char *text) {
  size_t length = 0;
  if (!is_letter(*text)) return 0;
  for (;;) {
    if (is_letter(text[length]) || is_digit(text[length]) ||
        (text[length] == '.' && is_letter(text[length + 1])))
      length++;
    else if (text[length] == '[' && bracket_length(text + length) > 0)
      length += bracket_length(text + length);
    else
      return length;
  }
}

bool omr_measure_known(const char *text, const omr_names *names) {
  static const char *const words[] = {"and", "or", "not"};
  char column[160];
  const size_t length = omr_identifier_length(text);
  if (length == 0) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) /* these have a message of their own */
    if (length == strlen(words[i]) && strncmp(text, words[i], length) == 0) return true;
  if (text[length + strspn(text + length, " \t")] == '(')
    return true; /* no unit has a bracket right after a word */
  omr_names_column(text, length, column, sizeof column);
  return omr_names_find(names, column) != NULL;
}

/* A word of a unit with its exponent. */
static size_t word_length(const char *text) {
  size_t length = 0;
  while (starts_unit(text[length])) length++;
  const char *at = text + length;
  if (*at == '^')
    at++;
  else if (strncmp(at, "**", 2) == 0)
    at += 2;
  at += *at == '-' && is_digit(at[1]);
  if (!is_digit(*at)) return length;
  while (is_digit(*at)) at++;
  return (size_t)(at - text);
}

/* Whether a unit stands here rather than a name: right behind a number no name can stand, so that a
 * parameter called "m" leaves "5 m" a length. */
static bool is_unit(const char *text, const omr_names *names) {
  char word[64];
  omr_dimension dimension;
  char *message = NULL;
  if (!omr_measure_known(text, names)) return true;
  const size_t length = word_length(text), name = omr_identifier_length(text);
  if (length < name || length >= sizeof word || text[name + strspn(text + name, " \t")] == '(')
    return false;
  snprintf(word, sizeof word, "%.*s", (int)length, text);
  const bool unit = omr_unit_dimension(word, &dimension, &message);
  free(message);
  return unit;
}

bool omr_measure_is_ambiguous(const char *text, const omr_names *names, int *length) {
  char word[64];
  omr_dimension dimension;
  char *message = NULL;
  const size_t name = *text == '/' ? omr_identifier_length(text + 1) : 0;
  *length = (int)name;
  if (name == 0 || name >= sizeof word || text[1 + name + strspn(text + 1 + name, " \t")] == '(' ||
      !omr_measure_known(text + 1, names))
    return false;
  snprintf(word, sizeof word, "%.*s", (int)name, text + 1);
  const bool unit = omr_unit_dimension(word, &dimension, &message);
  free(message);
  return unit;
}

/* "(rad/s)" after a slash; its end is the bracket's. */
static size_t group_length(const char *text, const omr_names *names) {
  if (*text != '(') return 0; /* at the text's end there is nothing behind it */
  const char *inside = text + 1 + strspn(text + 1, " \t");
  if (!starts_unit(*inside) || omr_measure_known(inside, names)) return 0;
  const size_t length = strcspn(text, ")");
  return text[length] ? length + 1 : 0;
}

/* Length of the text after a unit that may belong to it, with the space or sign before it. */
static size_t further_length(const char *text, const omr_names *names) {
  const size_t space = strspn(text, " \t"), sign = text[space] == '/' || text[space] == '*';
  const char *at = text + space + sign;
  at += strspn(at, " \t");
  if (space + sign == 0) return 0;
  const size_t group = text[space] == '/' ? group_length(at, names) : 0;
  if (group > 0) return (size_t)(at - text) + group;
  if (!starts_unit(*at)) return 0;
  if (sign ? omr_measure_known(at, names) : !is_unit(at, names)) return 0;
  return (size_t)(at - text) + word_length(at);
}

size_t omr_measure_unit_length(const char *text, const omr_names *names) {
  if (!starts_unit(*text) || !is_unit(text, names)) return 0;
  size_t length = word_length(text), further;
  while ((further = further_length(text + length, names)) > 0) length += further;
  return length;
}

void omr_measure_si(const omr_measure *measure, char *text, size_t size) {
  omr_dimension dimension = measure->dimension;
  const bool cycle = dimension.power[OMR_DIMENSION_CYCLE] != 0;
  dimension.power[OMR_DIMENSION_CYCLE] = 0;
  if (cycle) dimension.power[2] = (signed char)(dimension.power[2] + 2); /* s-1 becomes Hz */
  omr_dimension_print(dimension, text, size);
  if (!cycle) return;
  const size_t length = strcmp(text, "1") == 0 ? 0 : strlen(text);
  snprintf(text + length, size - length, "%sHz", length ? " " : "");
}

bool omr_measure_of_unit(const char *unit, omr_measure *measure, char **message) {
  *measure = (omr_measure){0};
  snprintf(measure->unit, sizeof measure->unit, "%.63s", unit);
  return omr_unit_dimension(unit, &measure->dimension, message);
}

bool omr_measure_quantity(const char *text, size_t digits, const char *unit, size_t length,
                          double *value, omr_measure *measure, char **message) {
  char quantity[160], si[64];
  *message = NULL;
  if (length == 0) {
    *measure = (omr_measure){.bare = true};
    *value = omr_strtod(text, NULL);
    return true;
  }
  if (digits + length + 2 > sizeof quantity) {
    *message = strdup("the number with its unit is too long");
    return false;
  }
  snprintf(quantity, sizeof quantity, "%.*s", (int)length, unit);
  if (!omr_measure_of_unit(quantity, measure, message)) return false;
  omr_measure_si(measure, si, sizeof si);
  snprintf(quantity, sizeof quantity, "%.*s %.*s", (int)digits, text, (int)length, unit);
  return omr_unit_convert(quantity, si, value, message);
}

bool omr_measure_join(const omr_measure *left, const omr_measure *right, omr_measure *joined) {
  *joined = left->bare ? *right : *left;
  if (left->bare || right->bare) return true;
  joined->product = left->product || right->product;
  return omr_dimension_equal(left->dimension, right->dimension, !joined->product);
}

bool omr_measure_times(const omr_measure *left, const omr_measure *right, int sign,
                       omr_measure *product) {
  *product = *left;
  if (right->bare) return true;
  product->bare = false;
  product->product = left->product || right->product || !left->bare;
  const bool good =
      omr_dimension_times(left->dimension, right->dimension, sign, &product->dimension);
  omr_dimension_print(product->dimension, product->unit, sizeof product->unit);
  return good;
}

bool omr_measure_is_angle(const omr_measure *of) {
  static const omr_dimension none = {{0}};
  return of->bare || omr_dimension_equal(of->dimension, none, false);
}

bool omr_measure_root(const omr_measure *of, omr_measure *root) {
  *root = *of;
  if (of->bare) return true;
  const bool good = omr_dimension_root(of->dimension, &root->dimension);
  omr_dimension_print(root->dimension, root->unit, sizeof root->unit);
  return good;
}
