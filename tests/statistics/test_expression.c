/* Criteria as text: what they mean, three-valued logic, units, margins, and where they are wrong.
 */
#include "../../host/study/expression/expression.h"
#include "../../host/study/expression/expression_units.h"
#include "../../host/study/study.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Columns: platform_mass [kg] 0, wheel0_friction 1, max_deviation [m] 2, final_yaw [rad] 3,
 * max_slip [m s-1] 4, vibration_peak [m s-2] 5, final_yaw_rate [rad s-1] 6; status 7. Not stored:
 * all other observables. */
static const char study_text[] =
    "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": 1e-4, \"duration\": 1},"
    "\"vary\": [{\"path\": \"platform.mass\", \"uniform\": [1, 2]}, {\"path\": "
    "\"wheels[0].friction\", \"uniform\": [0.1, 1]}],"
    "\"design\": {\"type\": \"monte_carlo\", \"instances\": 10},"
    "\"parameters\": {\"command\": {\"type\": \"constant\", \"vx\": 1}},"
    "\"output\": {\"observables\": [\"max_deviation\", \"final_yaw\", \"max_slip\", "
    "\"vibration_peak\", \"final_yaw_rate\"]}}";
enum { MASS, FRICTION, YAW_RATE, DEVIATION, PEAK, SLIP, YAW, STATUS };

static omr_names names;
static size_t place[8]; /* of the columns above */

static void start(void) {
  static const char *const columns[] = {"platform_mass", "wheel0_friction", "final_yaw_rate",
                                        "max_deviation", "vibration_peak",  "max_slip",
                                        "final_yaw"};
  omr_study *study;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(study_text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  omr_names_of_study(study, &names);
  for (int i = 0; i < 7; i++) place[i] = omr_names_find(&names, columns[i])->column;
  place[STATUS] = names.columns;
  cr_assert_eq(names.columns, 7);
  omr_study_destroy(study);
}

static void end(void) {
  omr_names_free(&names);
}

TestSuite(expression, .init = start, .fini = end);

static omr_expression *parsed(const char *text) {
  omr_expression *expression;
  omr_error error = {0};
  cr_assert_eq(omr_expression_parse(text, &names, &expression, &error), OMR_OK, "%s: %s", text,
               error.message);
  return expression;
}

/* Sound values; tests change one. */
static void values(double *v) {
  static const double sound[] = {1.5, 0.4, 2.0, 0.03, 12.0, 0.2, 0.5, 0};
  for (int i = 0; i < 8; i++) v[place[i]] = sound[i];
}

static int truth_of(const char *text, const double *v) {
  omr_expression *e = parsed(text);
  cr_assert(e->truth, "%s", text);
  const int truth = omr_expression_truth(e, v);
  omr_expression_destroy(e);
  return truth;
}

static double value_of(const char *text, const double *v) {
  omr_expression *e = parsed(text);
  cr_assert(!e->truth, "%s", text);
  const double value = omr_expression_value(e, v);
  omr_expression_destroy(e);
  return value;
}

static double margin_of(const char *text, const double *v) {
  omr_expression *e = parsed(text);
  const double margin = omr_expression_margin(e, v);
  omr_expression_destroy(e);
  return margin;
}

Test(expression, ranks_of_operators_are_the_usual_ones) {
  double v[8];
  values(v);
  cr_expect_eq(value_of("1 + 2 * 3", v), 7);
  cr_expect_eq(value_of("(1 + 2) * 3", v), 9);
  cr_expect_eq(value_of("8 / 4 / 2", v), 1);
  cr_expect_eq(value_of("8 - 4 - 2", v), 2);
  cr_expect_eq(value_of("-2 * -3 - -1", v), 7);
  cr_expect_eq(value_of("max(1, 5, 3) - min(4, 2)", v), 3);
  cr_expect_eq(value_of("sqrt(abs(-16))", v), 4);
  cr_expect_eq(value_of("1e3 + .5 + 2.", v), 1002.5);
  cr_expect_eq(truth_of("1 > 2 || 2 > 1 && 3 > 2", v), 1);
  cr_expect_eq(truth_of("(2 > 1 || 2 > 1) && 3 < 2", v), 0);
  cr_expect_eq(truth_of("2 > 1 || 2 > 1 && 3 < 2", v), 1);
  cr_expect_eq(truth_of("!1 > 2", v), 1, "! is weaker than a comparison");
  cr_expect_eq(truth_of("!(1 > 2) && !!(2 > 1)", v), 1);
  cr_expect_eq(truth_of("1 <= 1 && 1 >= 1 && 1 == 1 && !(1 != 1) && !(1 < 1) && !(1 > 1)", v), 1);
}

/* Against the functions of C, which the compiler may have evaluated to the last bit, and
 * identities. */
Test(expression, functions_are_those_of_mathematics) {
  double v[8];
  values(v);
  cr_expect_float_eq(value_of("sin(0.7)", v), sin(0.7), 2e-16);
  cr_expect_float_eq(value_of("tan(0.7) / tanh(0.7)", v), tan(0.7) / tanh(0.7), 1e-15);
  cr_expect_eq(value_of("atan2(-1 m, -1 m)", v), atan2(-1, -1));
  cr_expect_eq(value_of("asin(1) + acos(1) + atan(0)", v), asin(1));
  cr_expect_eq(value_of("log(exp(2.5))", v), 2.5);
  cr_expect_eq(value_of("sign(-3 m) + sign(0) + 3 * sign(5 kg)", v), 2);
  cr_expect_float_eq(value_of("cos(60 deg)", v), 0.5, 1e-15);
  cr_expect_float_eq(value_of("sin(pi)", v), 0, 1e-15);
  cr_expect_eq(truth_of("cos(final_yaw) * 2 > 1", v), truth_of("cos(final_yaw) > 0.5", v));
}

Test(expression, a_parameter_goes_by_path_or_column) {
  double v[8];
  values(v);
  cr_expect_eq(value_of("platform.mass", v), 1.5);
  cr_expect_eq(value_of("platform_mass", v), 1.5);
  cr_expect_eq(value_of("wheels[0].friction", v), 0.4);
  cr_expect_eq(value_of("wheel0_friction*2", v), 0.8);
}

/* "5 cm" is exactly what 0.05 is. */
Test(expression, numbers_carry_units) {
  double v[8];
  values(v);
  cr_expect_eq(value_of("5 cm", v), 0.05);
  cr_expect_eq(value_of("3.6 km/h", v), 1.0);
  cr_expect_eq(value_of("5 %", v), 0.05);
  cr_expect_float_eq(value_of("180 deg", v), 3.141592653589793, 1e-15);
  cr_expect_float_eq(value_of("60 rpm", v), 2 * 3.141592653589793, 1e-14);
  cr_expect_eq(value_of("2 N m", v), 2);
  cr_expect_eq(value_of("3 N m/(rad/s)", v), 3);
  cr_expect_eq(value_of("20 g cm2", v), 20e-7);
  cr_expect_eq(value_of("9 m/s2 + 1 m s-2", v), 10);
  cr_expect_eq(value_of("10 cm / 2", v), 0.05);
  cr_expect_eq(value_of("6 m / (1 + 2)", v), 2);
  cr_expect_eq(value_of("2 m * platform.mass", v), 3, "a name ends a unit");
  cr_expect_eq(value_of("1 m - 1 cm", v), 0.99);
  cr_expect_eq(truth_of("max_deviation > 2 cm", v), 1);
  cr_expect_eq(truth_of("max_deviation > 0.05", v), 0, "a bare number is SI");
  cr_expect_eq(truth_of("vibration_peak > 1 g", v), 1, "9.80665 m/s2");
  cr_expect_eq(truth_of("vibration_peak > 1.3 g", v), 0, "12.75 m/s2");
  cr_expect_eq(truth_of("platform.mass > 1400 g", v), 1, "a gram where a mass is");
  cr_expect_eq(truth_of("final_yaw > 28 deg && final_yaw < 29 deg", v), 1,
               "0.5 rad is 28.65 degrees");
  cr_expect_eq(truth_of("max_slip / max_deviation > 60 rpm", v), 1,
               "0.2/0.03 = 6.67 > 6.28 rad/s: a quotient may be an angle");
  cr_expect_eq(truth_of("sqrt(max_slip * max_slip) >= 20 cm/s", v), 1);
  cr_expect_eq(truth_of("max(max_deviation, 4 cm) == 4 cm", v), 1);
}

/* Kleene's tables of and, or, not; unknown by a missing value. */
Test(expression, a_missing_value_makes_three_values) {
  double v[8];
  values(v);
  v[place[DEVIATION]] = (double)NAN;
  const char *const word[] = {"0 > 1", "max_deviation > 1", "1 > 0"}; /* false, unknown, true */
  static const int and[3][3] = {{0, 0, 0}, {0, -1, -1}, {0, -1, 1}};
  static const int or [3][3] = {{0, -1, 1}, {-1, -1, 1}, {1, 1, 1}};
  static const int sign[3] = {-1, 0, 1};
  char text[100];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      snprintf(text, sizeof text, "%s && %s", word[i], word[j]);
      cr_expect_eq(truth_of(text, v), and[i][j], "%s", text);
      const double both = margin_of(text, v);
      cr_expect((and[i][j] < 0 && isnan(both)) || both == sign[2 * and[i][j]], "%s: %g", text,
                both);
      snprintf(text, sizeof text, "%s || %s", word[i], word[j]);
      cr_expect_eq(truth_of(text, v), or [i][j], "%s", text);
      const double either = margin_of(text, v);
      cr_expect((or [i][j] < 0 && isnan(either)) || either == sign[2 * or [i][j]], "%s: %g", text,
                either);
    }
  }
  cr_expect_eq(truth_of("!(max_deviation > 1)", v), -1);
  cr_expect_eq(truth_of("max(max_deviation, 2) > 1", v), -1);
  cr_expect_eq(truth_of("max_deviation != max_deviation", v), -1);
  cr_expect_eq(truth_of("max_slip > sqrt(0 - max_slip * max_slip)", v), -1,
               "an operation without a result");
  cr_expect_eq(truth_of("1 / (max_slip - 0.2) > 1", v), -1);
  v[place[SLIP]] = HUGE_VAL;
  cr_expect_eq(truth_of("max_slip > 1", v), -1, "what is not finite is missing");
}

Test(expression, the_status_is_a_word) {
  double v[8];
  values(v);
  cr_expect_eq(truth_of("status == ok", v), 1);
  cr_expect_eq(truth_of("status != ok", v), 0);
  v[place[STATUS]] = OMR_INSTANCE_LIFTED;
  cr_expect_eq(truth_of("status == wheel_lifted || max_deviation > 1", v), 1);
  cr_expect_eq(truth_of("status == ok && max_deviation > 1 cm", v), 0);
  cr_expect_eq(margin_of("status == wheel_lifted", v), HUGE_VAL);
  cr_expect_eq(margin_of("status == ok", v), -HUGE_VAL);
  omr_expression *with = parsed("!(status == ok)"), *without = parsed("max_slip > 1");
  cr_expect(with->status && !without->status);
  cr_expect_eq(with->column_count, 0);
  omr_expression_destroy(with);
  omr_expression_destroy(without);
}

Test(expression, a_margin_is_the_way_to_the_limit) {
  double v[8];
  values(v);
  cr_expect_eq(margin_of("max_deviation > 1 cm", v), 0.03 - 0.01);
  cr_expect_eq(margin_of("max_deviation < 1 cm", v), 0.01 - 0.03);
  cr_expect_eq(margin_of("max_deviation >= 5 cm", v), 0.03 - 0.05);
  cr_expect_eq(margin_of("!(max_deviation >= 5 cm)", v), 0.05 - 0.03);
  cr_expect_eq(margin_of("max_deviation == 5 cm", v), -(0.05 - 0.03));
  cr_expect_eq(margin_of("max_deviation != 5 cm", v), 0.05 - 0.03);
  cr_expect_eq(margin_of("max_deviation > 1 cm && max_deviation < 4 cm", v), 0.04 - 0.03);
  cr_expect_eq(margin_of("max_deviation > 1 cm || max_deviation < 4 cm", v), 0.03 - 0.01);
}

Test(expression, a_criterion_may_stand_in_another) {
  double v[8];
  values(v);
  omr_expression *corridor = parsed("max_deviation > 2 cm"),
                 *fallen = parsed("status == wheel_lifted");
  omr_names_add_criterion(&names, "corridor", corridor);
  omr_names_add_criterion(&names, "fallen", fallen);
  omr_expression *any = parsed("max_slip > 1 && final_yaw > 1 || (corridor && !fallen)");
  cr_expect_eq(omr_expression_truth(any, v), 1);
  v[place[DEVIATION]] = 0.01;
  cr_expect_eq(omr_expression_truth(any, v), 0);
  v[place[DEVIATION]] = (double)NAN;
  cr_expect_eq(omr_expression_truth(any, v), -1);
  cr_expect(any->status);
  cr_expect_eq(any->column_count, 3);
  for (size_t i = 1; i < any->column_count; i++) cr_expect_lt(any->columns[i - 1], any->columns[i]);
  omr_expression_destroy(corridor); /* the whole is a copy */
  omr_expression_destroy(fallen);
  v[place[DEVIATION]] = 0.03;
  cr_expect_eq(omr_expression_truth(any, v), 1);
  omr_expression_destroy(any);
}

typedef struct refusal {
  const char *text, *expected[3];
} refusal;

Test(expression, what_is_wrong_is_said_with_its_place) {
  static const refusal cases[] = {
      {"", {"is empty"}},
      {"max_slip >", {"at the end: something is missing"}},
      {"max_deviaton > 5 cm", {"at character 1", "did you mean \"max_deviation\"?"}},
      {"max_slip > 1 && max_load > 5 N",
       {"at character 17", "\"max_load\" is an observable that the study does not store",
        "output.observables"}},
      {"gravity > 5 m/s2", {"at character 1", "does not vary: write its value"}},
      {"platfrm.mass > 1", {"did you mean \"platform_mass\"?"}},
      {"xyzzy > 1", {"unknown name \"xyzzy\": there are the observables"}},
      {"max_deviation > 5 kg", {"at character 17", "\"m\" and one in \"kg\""}},
      {"max_deviation + max_slip > 1", {"at character 17", "do not go together"}},
      {"final_yaw > 5 %", {"\"rad\" and one in \"%\""}},
      {"final_yaw_rate > 2 Hz", {"\"rad s-1\" and one in \"Hz\""}},
      {"max_deviation > 5 cmm", {"at character 17", "unknown unit \"cmm\""}},
      {"max_deviation > 5 degC", {"units with an offset"}},
      {"max_deviation > 1e999", {"too large"}},
      {"max_deviation = 1", {"at character 15", "write =="}},
      {"1 < max_slip < 2", {"at character 14", "write a < b && b < c"}},
      {"max_slip > 1 and max_slip < 2", {"write && for \"and\""}},
      {"max_slip > 1 or max_slip < 2", {"write || for \"or\""}},
      {"not max_slip > 1", {"write ! for"}},
      {"max_slip > 1 & max_slip < 2", {"at character 14: write &&"}},
      {"max_slip && max_slip > 1", {"at character 1: a condition is expected"}},
      {"(max_slip > 1) + 1 > 2", {"at character 1: a number is expected"}},
      {"max(max_slip > 1, 2) > 1", {"\")\" is missing"}},
      {"(max_slip > 1", {"at the end: \")\" is missing"}},
      {"max_slip > 1)", {"\")\" without \"(\""}},
      {"max_slip max_slip > 1", {"at character 10: an operator is missing"}},
      {"2 max_slip > 1", {"at character 3: an operator is missing"}},
      {"max_slip ** 2 > 1", {"no powers"}},
      {"sine(max_slip) > 1", {"there is no function \"sine\"", "tanh"}},
      {"sin(max_slip) > 1", {"at character 5", "an angle or a pure number", "\"m s-1\""}},
      {"atan2(max_slip) > 1", {"needs its two arguments"}},
      {"atan2(max_slip, max_deviation) > 1", {"do not go together"}},
      {"cos(final_yaw) > 1 m", {"do not go together"}},
      {"min(max_slip) > 1", {"at least two"}},
      {"sqrt(max_slip, 1) > 1", {"one argument"}},
      {"status > 1", {"status == ok"}},
      {"status == lifted", {"a status is one of: ok wheel_lifted"}},
      {"status == wheel_lfted", {"did you mean \"wheel_lifted\"?"}},
      {"diverged", {"write status == diverged"}},
      {"max_slip > \u00e4", {"at character 12"}},
      {"\u00e4", {"at character 1: a name"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    omr_expression *expression;
    omr_error error = {0};
    cr_expect_eq(omr_expression_parse(cases[i].text, &names, &expression, &error), OMR_ERR_STUDY,
                 "accepted: %s", cases[i].text);
    cr_expect_null(expression);
    for (int f = 0; f < 3 && cases[i].expected[f]; f++)
      cr_expect_not_null(strstr(error.message, cases[i].expected[f]), "\"%s\" is not in: %s",
                         cases[i].expected[f], error.message);
  }
}

Test(expression, nesting_has_an_end) {
  char text[4000];
  static const char *const opening[] = {"(", "!", "-", "abs("};
  for (int i = 0; i < 4; i++) {
    omr_expression *expression;
    omr_error error = {0};
    text[0] = '\0';
    for (int n = 0; n < 900; n++) strcat(text, opening[i]);
    cr_expect_eq(omr_expression_parse(text, &names, &expression, &error), OMR_ERR_STUDY);
    cr_expect_not_null(strstr(error.message, "too deeply nested"), "%s", error.message + 900);
  }
}

/* Texts that end right before a page that nobody may read: what looks behind them dies, in every
 * build. */
Test(expression, nothing_reads_behind_the_end_of_the_text) {
  static const char *const texts[] = {
      "2 m/", "2 m/ ", "2 m*",  "2 m/(",     "2 m/( ", "2 m^",   "2 m**",
      "2 m-", "2 m^-", "1 == ", "max_slip[", "abs(",   "2 m/(s", "!"};
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *room = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  cr_assert_neq(room, MAP_FAILED);
  cr_assert_eq(mprotect(room + page, page, PROT_NONE), 0);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const size_t length = strlen(texts[i]) + 1;
    char *text = memcpy(room + page - length, texts[i], length);
    omr_expression *expression = NULL;
    omr_error error = {0};
    cr_expect_eq(omr_expression_parse(text, &names, &expression, &error), OMR_ERR_STUDY, "%s",
                 text);
    omr_expression_destroy(expression);
    for (const char *at = text; *at; at++) omr_measure_unit_length(at, &names);
  }
  munmap(room, 2 * page);
}
