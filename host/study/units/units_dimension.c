#include "units_dimension.h"
#include "units_parse.h"

#include <string.h>

static const char *const symbols[OMR_DIMENSION_POWERS] = {"kg",  "m",  "s",   "A",    "K",
                                                          "mol", "cd", "rad", "cycle"};

static const ut_visitor visitor;

static void add_power(omr_unit_facts *facts, const char *symbol, int power) {
  for (int i = 0; symbol && i < OMR_DIMENSION_CYCLE; i++) {
    if (strcmp(symbol, symbols[i]) != 0) continue;
    const int sum = facts->dimension.power[i] + 2 * power;
    facts->known = facts->known && sum >= -100 && sum <= 100;
    facts->dimension.power[i] = (signed char)sum;
    return;
  }
  facts->known = false;
}

static ut_status visit_product(const ut_unit *unit, int count, const ut_unit *const *basic,
                               const int *powers, void *facts) {
  (void)unit;
  for (int i = 0; i < count; i++) add_power(facts, ut_get_symbol(basic[i], UT_ASCII), powers[i]);
  return UT_SUCCESS;
}

static ut_status visit_basic(const ut_unit *unit, void *facts) {
  const int one = 1;
  return visit_product(unit, 1, &unit, &one, facts);
}

static ut_status visit_galilean(const ut_unit *unit, double scale, const ut_unit *underlying,
                                double offset, void *facts) {
  (void)unit, (void)scale;
  if (offset != 0.0) ((omr_unit_facts *)facts)->linear = false;
  return ut_accept_visitor(underlying, &visitor, facts);
}

static ut_status visit_time_stamp(const ut_unit *unit, const ut_unit *time, double origin,
                                  void *facts) {
  (void)unit, (void)time, (void)origin;
  ((omr_unit_facts *)facts)->linear = false;
  return UT_SUCCESS;
}

static ut_status visit_logarithm(const ut_unit *unit, double base, const ut_unit *reference,
                                 void *facts) {
  (void)unit, (void)base, (void)reference;
  ((omr_unit_facts *)facts)->linear = false;
  return UT_SUCCESS;
}

static const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, visit_time_stamp,
                                   visit_logarithm};

omr_unit_facts omr_unit_inspect(const ut_unit *unit) {
  omr_unit_facts facts = {.linear = true, .known = true};
  if (ut_accept_visitor(unit, &visitor, &facts) != UT_SUCCESS) facts.linear = false;
  return facts;
}

static bool dimension_of(const char *unit, omr_dimension *dimension, omr_text *message) {
  omr_unit_expression expression = {0};
  ut_system *system = omr_unit_system(message);
  if (!system || !omr_unit_parse_si(system, unit, &expression, message)) return false;
  omr_unit_facts facts = omr_unit_inspect(expression.unit);
  const bool good = facts.linear && facts.known;
  if (!good) omr_text_print(message, "units with an offset or a logarithm are not converted here");
  if (expression.frequency) facts.dimension.power[OMR_DIMENSION_CYCLE] = 2;
  ut_free(expression.unit);
  *dimension = facts.dimension;
  return good;
}

bool omr_unit_dimension(const char *unit, omr_dimension *dimension, char **message) {
  omr_text sentence = {0};
  const omr_unit_turn turn = omr_unit_turn_take();
  const bool good = dimension_of(unit, dimension, &sentence);
  omr_unit_turn_give(turn);
  if (good || sentence.failed) omr_text_free(&sentence);
  *message = sentence.data;
  return good;
}

bool omr_dimension_times(omr_dimension left, omr_dimension right, int sign,
                         omr_dimension *product) {
  bool good = true;
  for (int i = 0; i < OMR_DIMENSION_POWERS; i++) {
    const int sum = left.power[i] + sign * right.power[i];
    good = good && sum >= -100 && sum <= 100;
    product->power[i] = (signed char)sum;
  }
  return good;
}

bool omr_dimension_root(omr_dimension of, omr_dimension *root) {
  bool good = true;
  for (int i = 0; i < OMR_DIMENSION_POWERS; i++) {
    good = good && of.power[i] % 2 == 0;
    root->power[i] = (signed char)(of.power[i] / 2);
  }
  return good;
}

bool omr_dimension_equal(omr_dimension a, omr_dimension b, bool angles_too) {
  for (int i = 0; i < OMR_DIMENSION_POWERS; i++)
    if (a.power[i] != b.power[i] && (angles_too || i != OMR_DIMENSION_RADIAN)) return false;
  return true;
}

void omr_dimension_print(omr_dimension dimension, char *text, size_t size) {
  text[0] = '\0';
  for (int i = 0; i < OMR_DIMENSION_POWERS; i++) {
    const int power = dimension.power[i];
    if (power == 0) continue;
    omr_print_more(text, size, "%s%s", *text ? " " : "", symbols[i]);
    if (power % 2)
      omr_print_more(text, size, "^(%d/2)", power);
    else if (power != 2)
      omr_print_more(text, size, "%d", power / 2);
  }
  if (!*text) snprintf(text, size, "1");
}
