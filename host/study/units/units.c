#include "units.h"
#include "../json/json_scan.h"
#include "units_parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of lists/units.def. */
typedef struct kind {
  const char *unit, *what, *remedy, *example;
  bool per_angle;
} kind;

static const kind kinds[] = {
#define X(unit, what, remedy, example, per_angle, ...) {unit, what, remedy, example, per_angle},
#include "../../lists/units.def"
#undef X
};

typedef struct conversion {
  const char *text, *unit;
  ut_system *system;
  omr_unit_expression from, to;
  omr_text *message;
} conversion;

static bool same_unit(ut_system *system, const ut_unit *unit, const char *text) {
  omr_text ignored = {0};
  omr_unit_expression other;
  bool same =
      omr_unit_parse_si(system, text, &other, &ignored) && ut_compare(unit, other.unit) == 0;
  if (other.unit) ut_free(other.unit);
  omr_text_free(&ignored);
  return same;
}

static kind find_kind(const conversion *c) {
  for (size_t i = 0; c->to.unit && i < sizeof kinds / sizeof *kinds; i++)
    if (same_unit(c->system, c->to.unit, kinds[i].unit)) return kinds[i];
  return (kind){c->unit, "a quantity of this kind", c->unit, NULL, false};
}

/* The message starts with the text it is about, shortened. */
static void quote(omr_text *message, const char *text) {
  size_t length = strlen(text), shown = length <= 60 ? length : 60;
  while (shown < length && shown > 0 && ((unsigned char)text[shown] & 0xc0U) == 0x80U) shown--;
  omr_text_print(message, "\"%.*s%s\": ", (int)shown, text, shown < length ? "..." : "");
}

/* Adds to the message; false. */
#define REFUSE(c, ...) (omr_text_print((c)->message, __VA_ARGS__), false)

static bool refuse_kind(const conversion *c) {
  const kind k = find_kind(c);
  return REFUSE(c, "%s is expected: write %s", k.what, k.remedy);
}

/* UDUNITS converts reciprocals (s to Hz) too; only a dimensionless quotient counts. */
static bool same_dimension(const ut_unit *from, const ut_unit *to) {
  ut_unit *quotient = ut_divide(from, to);
  bool same = quotient && ut_is_dimensionless(quotient);
  if (quotient) ut_free(quotient);
  return same;
}

static bool linear_factor(const ut_unit *from, const ut_unit *to, double *factor) {
  cv_converter *converter = ut_get_converter((ut_unit *)from, (ut_unit *)to);
  if (!converter) return false;
  *factor = cv_convert_double(converter, 1.0);
  double zero = cv_convert_double(converter, 0.0), two = cv_convert_double(converter, 2.0);
  cv_free(converter);
  return zero == 0.0 && isfinite(*factor) && *factor > 0.0 &&
         fabs(two - 2.0 * *factor) <= 1e-15 * two;
}

/* The exponent of the radian, which UDUNITS drops when it converts. */
static int radians(const ut_unit *unit) {
  return omr_unit_inspect(unit).dimension.power[OMR_DIMENSION_RADIAN] / 2;
}

/* Angles are numbers to UDUNITS; a study must not mix them up. */
static bool check_angles(const conversion *c, double factor) {
  const int from = radians(c->from.unit), to = radians(c->to.unit);
  bool plain_angle = ut_is_dimensionless(c->to.unit);

  /* A frequency counts turns and fits no other unit by itself. */
  if (c->from.frequency && !c->to.frequency) {
    if (to == 1) return REFUSE(c, "Hz counts turns: write 2 pi times it in rad/s, or use rpm");
    return REFUSE(c, "Hz does not say whether turns or radians: write %s", find_kind(c).remedy);
  }
  if (from == to) return true;

  /* An angle per time fits no frequency. */
  if (c->to.frequency)
    return REFUSE(c, "rad/s and rpm count angle, a frequency counts periods: write Hz (1 rpm is "
                     "1/60 Hz, 1 rad/s is 1/(2 pi) Hz)");

  /* A number of turns and an angle differ by 2 pi. */
  if (to == 1 && from == 0 && !plain_angle) {
    if (factor == 1.0) return true;
    return REFUSE(c, "turns or radians? Write rpm, rad/s or deg/s");
  }

  /* The rest depends on the kind of the quantity. */
  kind k = find_kind(c);
  if (to == 0 && from == -1 && k.per_angle) return true;
  if (to == 0 && plain_angle) return REFUSE(c, "an angle is no pure number: write %s", k.remedy);
  return refuse_kind(c);
}

/* number * factor; where the factor is a fraction of small integers (cm, km/h, inch, kg cm2),
 * rounded as that fraction is, so that "35 cm" is 0.35 and not the neighbour that 35 * 0.01 gives.
 */
static double scale(double number, double factor) {
  enum { LARGEST_DENOMINATOR = 5000 };
  const double near = 1e-15; /* UDUNITS' factors carry some roundings */
  double inverse = rint(1.0 / factor);
  if (inverse >= 1.0 && inverse < 1e15 && fabs(factor * inverse - 1.0) <= near)
    return number / inverse;
  for (int q = 1; q <= LARGEST_DENOMINATOR && factor * q < 1e6; q++) {
    double p = rint(factor * q);
    if (p >= 1.0 && fabs(factor * q - p) <= near * p) return number * p / q;
  }
  return number * factor;
}

static bool convert_number(conversion *c, double number, double *value) {
  double factor;
  if (!omr_unit_inspect(c->from.unit).linear)
    return REFUSE(c, "units with an offset or a logarithm are not converted here");
  if (!same_dimension(c->from.unit, c->to.unit) ||
      !linear_factor(c->from.unit, c->to.unit, &factor))
    return refuse_kind(c);
  if (!check_angles(c, factor)) return false;
  double converted = scale(number, factor);
  if (!isfinite(converted)) return REFUSE(c, "the number is too large in %s", c->unit);
  *value = converted;
  return true;
}

/* The single letter g is the gram, and standard gravity where an acceleration is needed. */
static const char *spell(const conversion *c, const char *unit) {
  bool g = unit[0] == 'g' && strspn(unit + 1, " ") == strlen(unit + 1);
  return g && same_unit(c->system, c->to.unit, "m s-2") ? "gn" : unit;
}

static bool convert_with_unit(conversion *c, double number, const char *unit, double *value) {
  if (!omr_unit_parse(c->system, spell(c, unit), &c->from, c->message)) {
    kind k = find_kind(c);
    return REFUSE(c, " (%s takes %s)", k.what, k.remedy);
  }
  bool good = convert_number(c, number, value);
  ut_free(c->from.unit);
  return good;
}

static bool convert_without_unit(conversion *c, double number, double *value) {
  if (same_unit(c->system, c->to.unit, "1")) {
    *value = number;
    return true;
  }
  kind k = find_kind(c);
  if (!k.example) return REFUSE(c, "give the unit (%s), or a JSON number, which is SI", c->unit);
  return REFUSE(c, "give the unit, e.g. \"%s\", or a JSON number, which is SI (%s)", k.example,
                c->unit);
}

static size_t digits_at(const char *text) {
  return strspn(text, "0123456789");
}

size_t omr_number_length(const char *text) {
  size_t whole = digits_at(text), length = whole, fraction = 0;
  if (text[length] == '.') {
    fraction = digits_at(text + length + 1);
    length += 1 + fraction;
  }
  if (whole + fraction == 0) return 0;
  if (text[length] == 'e' || text[length] == 'E') {
    const size_t sign = text[length + 1] == '+' || text[length + 1] == '-',
                 digits = digits_at(text + length + 1 + sign);
    if (digits > 0) length += 1 + sign + digits;
  }
  return length;
}

size_t omr_signed_length(const char *text) {
  const size_t sign = *text == '+' || *text == '-', length = omr_number_length(text + sign);
  return length ? sign + length : 0;
}

static bool read_number(const conversion *c, const char *text, size_t length, double *number) {
  char digits[128];
  if (length == 0) {
    if (strncmp(text, "\u2212", strlen("\u2212")) == 0)
      return REFUSE(c, "the minus sign is the hyphen \"-\"");
    kind k = find_kind(c);
    return REFUSE(c, "a number is expected%s%s%s", k.example ? ", such as \"" : "",
                  k.example ? k.example : "", k.example ? "\"" : "");
  }
  if (strncmp(text + length - 1, "0x", 2) == 0) return REFUSE(c, "the number has to be decimal");
  if (length >= sizeof digits) return REFUSE(c, "a number of %zu characters is too long", length);
  memcpy(digits, text, length);
  digits[length] = '\0';
  *number = omr_strtod(digits, NULL);
  if (!isfinite(*number)) return REFUSE(c, "the number is too large (a double ends at 1.8e308)");
  if (text[length] == ',') return REFUSE(c, "the decimal sign is a point, and thousands have none");
  return true;
}

static bool convert_text(conversion *c, double *value) {
  double number = 0.0;
  const char *text = c->text + strspn(c->text, " \t");
  size_t length = omr_signed_length(text);
  if (!read_number(c, text, length, &number)) return false;
  const char *unit = text + length + strspn(text + length, " \t");
  return *unit ? convert_with_unit(c, number, unit, value) : convert_without_unit(c, number, value);
}

static bool convert(conversion *c, double *value) {
  if (omr_utf8_check(c->text, strlen(c->text)) < strlen(c->text))
    return REFUSE(c, "a text with a unit has to be UTF-8");
  quote(c->message, c->text);
  c->system = omr_unit_system(c->message);
  if (!c->system || !omr_unit_parse_si(c->system, c->unit, &c->to, c->message)) return false;
  bool good = convert_text(c, value);
  ut_free(c->to.unit);
  return good;
}

bool omr_unit_convert(const char *text, const char *unit, double *value, char **message) {
  omr_text sentence = {0};
  conversion c = {.text = text, .unit = unit, .message = &sentence};
  const omr_unit_turn turn = omr_unit_turn_take();
  const bool good = convert(&c, value);
  omr_unit_turn_give(turn);
  if (good || sentence.failed) omr_text_free(&sentence);
  *message = sentence.data;
  return good;
}

static omr_status fail_type(const omr_json *json, const cJSON *item, const char *unit,
                            omr_error *error) {
  const char *example = NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].unit, unit) == 0) example = kinds[i].example;
  return omr_json_mistake(json, item, OMR_MISTAKE_TYPE, error,
                          "expected a number (SI: %s) or a text with number and unit%s%s%s", unit,
                          example ? ", such as \"" : "", example ? example : "",
                          example ? "\"" : "");
}

omr_status omr_json_quantity(const omr_json *json, const cJSON *item, const char *unit,
                             double *value, omr_error *error) {
  if (cJSON_IsNumber(item)) {
    *value = item->valuedouble;
    return OMR_OK;
  }
  if (!cJSON_IsString(item)) return fail_type(json, item, unit, error);
  char *message;
  if (omr_unit_convert(item->valuestring, unit, value, &message)) return OMR_OK;
  if (!message) return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", json->name);
  omr_status status = omr_json_mistake(json, item, OMR_MISTAKE_UNIT, error, "%s", message);
  free(message);
  return status;
}
