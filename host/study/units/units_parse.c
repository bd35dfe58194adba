#include "units_parse.h"

#include "../../support/support.h"

#include <stdlib.h>
#include <string.h>

/* The memory that UDUNITS may need, generously: the database takes less than 2 MiB. */
enum { ROOM_OF_DATABASE = 8 << 20, ROOM_OF_TEXT = 1 << 20 };
enum { DEEPEST = 16, LONGEST_WORD = 40 };

static ut_system *the_system;

static void free_system(void) {
  ut_free_system(the_system);
  the_system = NULL;
}

ut_system *omr_unit_system(omr_text *message) {
  /* UDUNITS needs memory that it does not check itself. */
  if (!omr_room(the_system ? ROOM_OF_TEXT : ROOM_OF_DATABASE)) {
    message->failed = true;
    return NULL;
  }
  if (the_system) return the_system;

  /* The database is read once for the whole process. */
  ut_set_error_message_handler(ut_ignore); /* it prints to stderr otherwise */
  char place[4096];
  const char *database = omr_unit_database(place, sizeof place);
  the_system = ut_read_xml(database);
  if (the_system) {
    atexit(free_system);
    return the_system;
  }

  /* The message names the file that cannot be read. */
  ut_status status;
  const char *path = ut_get_path_xml(database, &status);
  omr_text_print(message,
                 "cannot read the unit database of UDUNITS-2, %.200s: install the package "
                 "libudunits2-data, or let the environment "
                 "variable UDUNITS2_XML_PATH name udunits2.xml",
                 path ? path : "udunits2.xml");
  return NULL;
}

/* Words that UDUNITS does not know or reads differently (its mph is a milliphot, its oz a volume);
 * an exponent belongs to the last unit. */
static const struct {
  const char *word, *units;
} words[] = {
    {"deg", "arc_degree"},
    {"degs", "arc_degree"},
    {"\u00ba", "arc_degree"}, /* ordinal indicator, next to the degree sign on keyboards */
    {"rads", "radian"},
    {"rev", "revolution"},
    {"revs", "revolution"},
    {"RPM", "rpm"},
    {"sec", "second"},
    {"secs", "second"},
    {"in", "inch"},
    {"oz", "0.0625*pound"}, /* UDUNITS rounds its ounces and its slug to seven digits */
    {"ozf", "0.0625*lbf"},
    {"slug", "lbf.s2/ft"},
    {"gn", "standard_free_fall"},
    {"g0", "standard_free_fall"},
    {"mps", "m s-1"},
    {"kph", "km h-1"},
    {"kmh", "km h-1"},
    {"mph", "mile h-1"},
    {"Nm", "N m"},
    {"kNm", "kN m"},
    {"mNm", "mN m"},
    {"uNm", "uN m"},
    {"\u00b5Nm", "uN m"},
    {"Ncm", "N cm"},
    {"Nmm", "N mm"},
    {"Nms", "N m s"},
    {"mNms", "mN m s"},
    {"Ns", "N s"},
    {"kgm", "kg m"},
    {"kgcm", "kg cm"},
    {"kgmm", "kg mm"},
    {"gcm", "g cm"},
    {"gmm", "g mm"},
};

typedef struct parser {
  ut_system *system;
  const char *at;
  int depth;
  bool frequency;
  omr_text *message;
} parser;

/* Ends the message's sentence; no unit. */
#define REFUSE(p, ...) (omr_text_print((p)->message, __VA_ARGS__), (ut_unit *)NULL)

static ut_unit *parse_product(parser *p);

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' ||
         (unsigned char)c >= 0x80;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Bytes of the first of `list` (zero-separated, ended by an empty one) that `at` starts with. */
static size_t starts_with_one_of(const char *at, const char *list) {
  for (; *list; list += strlen(list) + 1)
    if (strncmp(at, list, strlen(list)) == 0) return strlen(list);
  return 0;
}

static size_t space_length(const char *at) {
  return starts_with_one_of(at, " \0\t\0\u00a0\0\u2009\0\u202f\0");
}

static size_t times_length(const char *at) {
  return starts_with_one_of(at, "*\0\u00b7\0\u22c5\0\u2219\0\u00d7\0");
}

static void skip_space(parser *p) {
  size_t length;
  while ((length = space_length(p->at)) > 0) p->at += length;
}

/* One superscript digit: its value and bytes, or 0 bytes. */
static size_t superscript(const char *at, int *digit) {
  static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  for (*digit = 0; *digit < 10; (*digit)++)
    if (strncmp(at, digits[*digit], strlen(digits[*digit])) == 0) return strlen(digits[*digit]);
  return 0;
}

static bool parse_superscript(parser *p, int *exponent) {
  int digit;
  size_t minus = starts_with_one_of(p->at, "\u207b\0");
  size_t length = superscript(p->at + minus, &digit);
  if (length == 0) return false;
  *exponent = minus ? -digit : digit;
  p->at += minus + length;
  return true;
}

/* Reads an exponent if there is one (1 otherwise). */
static bool parse_exponent(parser *p, int *exponent) {
  *exponent = 1;

  /* The exponent is raised, or written after a power sign, or after nothing. */
  if (!parse_superscript(p, exponent)) {
    size_t power = starts_with_one_of(p->at, "^\0**\0");
    const char *digits = p->at + power;
    size_t minus = starts_with_one_of(digits, "-\0\u2212\0");
    if (is_digit(digits[minus])) {
      *exponent = digits[minus] - '0';
      if (minus) *exponent = -*exponent;
      p->at = digits + minus + 1;
    } else if (power) {
      omr_text_print(p->message, "a whole number is missing after \"%.*s\"", (int)power, p->at);
      return false;
    }
  }

  /* One digit has to be all of it. */
  int digit;
  if (*exponent != 0 && !is_digit(*p->at) && superscript(p->at, &digit) == 0) return true;
  omr_text_print(p->message, "exponents go from -9 to 9, without 0");
  return false;
}

static bool is_frequency(const char *word) {
  static const char *const endings[] = {"Hz", "hertz", "Bq", "becquerel"};
  size_t length = strlen(word);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t tail = strlen(endings[i]);
    if (length >= tail && strcmp(word + length - tail, endings[i]) == 0) return true;
  }
  return false;
}

/* left * right^exponent; takes both. */
static ut_unit *times(ut_unit *left, ut_unit *right, int exponent) {
  ut_unit *raised = right && exponent != 1 ? ut_raise(right, exponent) : NULL;
  if (raised) {
    ut_free(right);
    right = raised;
  }
  bool good = right && (exponent == 1 || raised);
  if (good && !left) return right;
  ut_unit *product = good ? ut_multiply(left, right) : NULL;
  if (left) ut_free(left);
  if (right) ut_free(right);
  return product;
}

static const char *expand(const char *word) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i].word) == 0) return words[i].units;
  return word;
}

/* Units such as "N m" or "km h-1" from the table above: UDUNITS reads them itself; the exponent
 * goes to the last one. */
static ut_unit *lookup(parser *p, const char *word, int exponent) {
  char first[LONGEST_WORD];
  const char *units = expand(word), *last = strrchr(units, ' ');
  if (!last) return times(NULL, ut_parse(p->system, units, UT_UTF8), exponent);
  snprintf(first, sizeof first, "%.*s", (int)(last - units), units);
  ut_unit *left = ut_parse(p->system, first, UT_UTF8);
  return left ? times(left, ut_parse(p->system, last + 1, UT_UTF8), exponent) : NULL;
}

static bool copy_word(parser *p, char word[LONGEST_WORD]) {
  size_t length = 0;
  while (is_letter(*p->at) && length + 1 < LONGEST_WORD) {
    int digit;
    if (times_length(p->at) || space_length(p->at) || superscript(p->at, &digit) ||
        starts_with_one_of(p->at, "\u207b\0\u2212\0"))
      break;
    word[length++] = *p->at++;
  }
  word[length] = '\0';
  if (strcmp(word, "g") == 0 && p->at[0] == '0' && !is_digit(p->at[1])) {
    strcpy(word, "g0");
    p->at++;
  }
  return length > 0 && length + 1 < LONGEST_WORD;
}

static ut_unit *parse_word(parser *p) {
  char word[LONGEST_WORD];
  int exponent;
  if (!copy_word(p, word)) return REFUSE(p, "the unit is not readable");
  if (!parse_exponent(p, &exponent)) return NULL;
  ut_unit *unit = lookup(p, word, exponent);
  if (!unit) omr_text_print(p->message, "unknown unit \"%s\"", word);
  p->frequency = p->frequency || is_frequency(word);
  return unit;
}

static ut_unit *parse_brackets(parser *p) {
  int exponent;

  /* Brackets inside brackets are bounded, since each one takes stack. */
  if (++p->depth > DEEPEST) return REFUSE(p, "too many brackets in the unit");

  /* The inside is a product of its own. */
  p->at++;
  ut_unit *unit = parse_product(p);
  p->depth--;
  if (unit && *p->at != ')') {
    omr_text_print(p->message, "\")\" is missing in the unit");
    ut_free(unit);
    return NULL;
  }

  /* The exponent after the bracket holds for all of it. */
  if (!unit) return NULL;
  p->at++;
  if (parse_exponent(p, &exponent)) return times(NULL, unit, exponent);
  ut_free(unit);
  return NULL;
}

static ut_unit *parse_factor(parser *p) {
  /* A factor is a bracket, a word, or the 1 of a reciprocal. */
  if (*p->at == '(') return parse_brackets(p);
  if (is_letter(*p->at)) return parse_word(p);
  if (p->at[0] == '1' && p->at[1 + strspn(p->at + 1, " ")] == '/') {
    p->at++;
    return ut_get_dimensionless_unit_one(p->system);
  }

  /* Everything else is a mistake with its own message. */
  if (*p->at == '\0') return REFUSE(p, "a unit is missing at the end");
  if (*p->at == ')') return REFUSE(p, "a unit is missing before \")\"");
  if (is_digit(*p->at))
    return REFUSE(p, "only one number is allowed, found the second one \"%.*s\"",
                  (int)strspn(p->at, "0123456789"), p->at);
  if (*p->at == ',') return REFUSE(p, "the decimal sign is a point");
  return REFUSE(p, "unexpected \"%c\" in the unit", *p->at);
}

/* Exponent that the operator at p->at gives the next factor: 1 or -1; 0 if there is none (factors
 * may follow each other). */
static int parse_operator(parser *p) {
  skip_space(p);
  int sign = 1;
  size_t length = times_length(p->at);
  if (length == 0 && (*p->at == '.' || *p->at == '-') && is_letter(p->at[1])) length = 1;
  bool per = strncmp(p->at, "per", 3) == 0 && space_length(p->at + 3) > 0;
  if (*p->at == '/' || per) {
    sign = -1;
    length = per ? 3 : 1;
  }
  p->at += length;
  skip_space(p);
  return length ? sign : 0;
}

static ut_unit *parse_product(parser *p) {
  ut_unit *product = NULL;
  skip_space(p);

  /* A product may begin with the sign of a quotient. */
  int sign = 0;
  if (*p->at == '/') { /* "/s" */
    sign = parse_operator(p);
    product = ut_get_dimensionless_unit_one(p->system);
  }

  /* Each turn multiplies or divides by one factor. */
  do {
    ut_unit *factor = parse_factor(p);
    if (!factor) {
      if (product) ut_free(product);
      return NULL;
    }
    product = times(product, factor, sign < 0 ? -1 : 1);
    if (!product) return REFUSE(p, "the unit is out of range");
    sign = parse_operator(p);
  } while (sign != 0 || (*p->at && *p->at != ')'));
  return product;
}

bool omr_unit_parse(ut_system *system, const char *text, omr_unit_expression *expression,
                    omr_text *message) {
  parser p = {.system = system, .at = text, .message = message};
  ut_unit *unit = parse_product(&p);
  if (unit && *p.at == ')') {
    omr_text_print(message, "\")\" without \"(\" in the unit");
    ut_free(unit);
    unit = NULL;
  }
  *expression = (omr_unit_expression){.unit = unit, .frequency = p.frequency};
  return unit != NULL;
}

bool omr_unit_parse_si(ut_system *system, const char *unit, omr_unit_expression *expression,
                       omr_text *message) {
  return omr_unit_parse(system, strcmp(unit, "1") == 0 ? "m/m" : unit, expression, message);
}

omr_unit_turn omr_unit_turn_take(void) {
  omr_unit_turn turn = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  turn.before = uselocale(turn.own);
  omr_turn_take(OMR_TURN_UNITS);
  return turn;
}

void omr_unit_turn_give(omr_unit_turn turn) {
  omr_turn_give(OMR_TURN_UNITS);
  uselocale(turn.before);
  freelocale(turn.own);
}
