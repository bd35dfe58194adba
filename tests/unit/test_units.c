/* Quantities with units. Expected values follow from the definitions of the units (SI brochure;
 * inch, pound and nautical mile by the international agreement of 1959; standard gravity 9.80665
 * m/s2), written as expressions. */
#define _GNU_SOURCE
#include "study/units/units.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct accepted {
  const char *text, *unit;
  double value;
} accepted;

static void check_accepted(const accepted *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double value = -1;
    char *message;
    bool good = omr_unit_convert(cases[i].text, cases[i].unit, &value, &message);
    cr_expect(good, "\"%s\" as %s: %s", cases[i].text, cases[i].unit, message ? message : "");
    cr_expect_null(message);
    double bound = 4e-16 * fabs(cases[i].value);
    cr_expect(fabs(value - cases[i].value) <= bound, "\"%s\" as %s gave %.17g, not %.17g",
              cases[i].text, cases[i].unit, value, cases[i].value);
    free(message);
  }
}

#define CHECK_ACCEPTED(cases) check_accepted(cases, sizeof(cases) / sizeof *(cases))

Test(units, angles) {
  const accepted cases[] = {
      {"45 deg", "rad", pi / 4},      {"45deg", "rad", pi / 4},      {"  45  deg  ", "rad", pi / 4},
      {"90 degree", "rad", pi / 2},   {"90 degrees", "rad", pi / 2}, {"90\u00b0", "rad", pi / 2},
      {"90 \u00b0", "rad", pi / 2},   {"-30 deg", "rad", -pi / 6},   {"+30 deg", "rad", pi / 6},
      {"0.5 rad", "rad", 0.5},        {"20 mrad", "rad", 0.02},      {"1 rev", "rad", 2 * pi},
      {"0.25 turn", "rad", pi / 2},   {"2 turns", "rad", 4 * pi},    {"2 pi rad", "rad", 2 * pi},
      {"30 arcmin", "rad", pi / 360},
  };
  CHECK_ACCEPTED(cases);
}

Test(units, rates) {
  const accepted cases[] = {
      {"250 rpm", "rad s-1", 26.17993877991494}, /* 250 * 2 pi / 60 */
      {"250 rpm", "rad/s", 26.17993877991494},
      {"60 RPM", "rad s-1", 2 * pi},
      {"60 rev/min", "rad s-1", 2 * pi},
      {"1 rev/s", "rad s-1", 2 * pi},
      {"10 rad/s", "rad s-1", 10},
      {"10 rad s-1", "rad s-1", 10},
      {"10 rad s^-1", "rad s-1", 10},
      {"10 rad*s^-1", "rad s-1", 10},
      {"10 rad\u00b7s\u207b\u00b9", "rad s-1", 10},
      {"180 deg/s", "rad s-1", pi},
      {"180 \u00b0/s", "rad s-1", pi},
      {"6 deg per s", "rad s-1", pi / 30},
      {"600 mrad/s", "rad s-1", 0.6},
      {"60 rad/min", "rad s-1", 1},
      {"5 1/s", "rad s-1", 5},
      {"5 s-1", "rad s-1", 5},
      {"5/s", "rad s-1", 5},
      {"10 rad/s^2", "rad s-2", 10},
      {"10 rad/s/s", "rad s-2", 10},
      {"2 Hz", "Hz", 2},
      {"2 kHz", "Hz", 2000},
      {"2 hertz", "Hz", 2},
      {"3 1/s", "Hz", 3},
      {"120 1/min", "Hz", 2},
  };
  CHECK_ACCEPTED(cases);
}

Test(units, lengths_times_and_speeds) {
  const accepted cases[] = {
      {"30 cm", "m", 0.3},
      {"0.5 m", "m", 0.5},
      {".5 m", "m", 0.5},
      {"5. m", "m", 5},
      {"1e-3 m", "m", 1e-3},
      {"1E3mm", "m", 1},
      {"2 meters", "m", 2},
      {"5 um", "m", 5e-6},
      {"5 \u00b5m", "m", 5e-6},
      {"5 \u03bcm", "m", 5e-6},
      {"2 inch", "m", 0.0508},
      {"2 in", "m", 0.0508},
      {"2 inches", "m", 0.0508},
      {"1 ft", "m", 0.3048},
      {"1 mil", "m", 25.4e-6},
      {"5\u00a0cm", "m", 0.05},
      {"2 ms", "s", 0.002},
      {"1.5 min", "s", 90},
      {"2 h", "s", 7200},
      {"2 hours", "s", 7200},
      {"100 us", "s", 1e-4},
      {"3 sec", "s", 3},
      {"3 seconds", "s", 3},
      {"1 m/s", "m s-1", 1},
      {"20 cm/s", "m s-1", 0.2},
      {"36 km/h", "m s-1", 10},
      {"36 kph", "m s-1", 10},
      {"36 kmh", "m s-1", 10},
      {"1 mph", "m s-1", 0.44704},
      {"3 knots", "m s-1", 3 * 1852.0 / 3600.0},
      {"9.81 m/s^2", "m s-2", 9.81},
      {"9.81 m/s2", "m s-2", 9.81},
      {"9.81 m/s\u00b2", "m s-2", 9.81},
      {"9.81 m s-2", "m s-2", 9.81},
      {"9.81 m s**-2", "m s-2", 9.81},
      {"9.81 N/kg", "m s-2", 9.81},
      {"1 g", "m s-2", 9.80665},
      {"2 gn", "m s-2", 19.6133},
      {"2 g0", "m s-2", 19.6133},
  };
  CHECK_ACCEPTED(cases);
}

Test(units, masses_torques_and_inertias) {
  const accepted cases[] = {
      {"500 g", "kg", 0.5},
      {"1 t", "kg", 1000},
      {"1 lb", "kg", 0.45359237},
      {"16 oz", "kg", 0.45359237},
      {"0.3 N m", "N m", 0.3},
      {"0.3 Nm", "N m", 0.3},
      {"0.3 N*m", "N m", 0.3},
      {"0.3 N.m", "N m", 0.3},
      {"0.3 N-m", "N m", 0.3},
      {"0.3 N\u00b7m", "N m", 0.3},
      {"0.3 N\u22c5m", "N m", 0.3},
      {"300 mNm", "N m", 0.3},
      {"300 mN m", "N m", 0.3},
      {"300 uNm", "N m", 3e-4},
      {"300 \u00b5Nm", "N m", 3e-4},
      {"30 Ncm", "N m", 0.3},
      {"300 Nmm", "N m", 0.3},
      {"2 kNm", "N m", 2000},
      {"1 kgf cm", "N m", 0.0980665},
      {"16 ozf in", "N m", 4.4482216152605 * 0.0254},
      {"1 lbf ft", "N m", 4.4482216152605 * 0.3048},
      {"2 N m/rad", "N m", 2},
      {"0.01 N m s", "N m s", 0.01},
      {"0.01 Nms", "N m s", 0.01},
      {"0.01 N*m*s", "N m s", 0.01},
      {"0.01 N m s/rad", "N m s", 0.01},
      {"0.01 Nm/(rad/s)", "N m s", 0.01},
      {"0.01 N m/(rad/s)", "N m s", 0.01},
      {"0.01 (N m)/(rad/s)", "N m s", 0.01},
      {"1 Nm/rpm", "N m s", 30 / pi},
      {"10 mNm s", "N m s", 0.01},
      {"0.02 kg m2", "kg m2", 0.02},
      {"0.02 kgm2", "kg m2", 0.02},
      {"0.02 kg m^2", "kg m2", 0.02},
      {"0.02 kgm^2", "kg m2", 0.02},
      {"0.02 kg*m**2", "kg m2", 0.02},
      {"0.02 kg\u00b7m\u00b2", "kg m2", 0.02},
      {"200 kg cm^2", "kg m2", 0.02},
      {"20 g cm2", "kg m2", 2e-6},
      {"20 gcm2", "kg m2", 2e-6},
      {"20 g\u00b7cm\u00b2", "kg m2", 2e-6},
      {"3 kg mm2", "kg m2", 3e-6},
      {"1 N m/(rad/s^2)", "kg m2", 1},
      {"1.2 g/cm3", "kg m-3", 1200},
      {"1200 kg/m^3", "kg m-3", 1200},
      {"1200 kg m-3", "kg m-3", 1200},
      {"5 N", "N", 5},
      {"5 N s/m", "N s m-1", 5},
      {"1 slug", "kg", 4.4482216152605 / 0.3048},
  };
  CHECK_ACCEPTED(cases);
}

Test(units, pure_numbers) {
  const accepted cases[] = {
      {"0.5", "1", 0.5},        {" -2e3 ", "1", -2000}, {"10 %", "1", 0.1},  {"10%", "1", 0.1},
      {"10 percent", "1", 0.1}, {"3 mm/m", "1", 0.003}, {"5 m/(m)", "1", 5},
  };
  CHECK_ACCEPTED(cases);
}

/* 35 * 0.01 is 0.35000000000000003: decimal prefixes must give what the decimal number in JSON
 * gives. */
Test(units, decimal_prefixes_round_as_the_decimal_number_does) {
  for (int i = 1; i <= 999; i++) {
    char text[32], metres[32], *message;
    double value = -1;
    snprintf(text, sizeof text, "%d mm", i);
    snprintf(metres, sizeof metres, "0.%03d", i);
    cr_assert(omr_unit_convert(text, "m", &value, &message));
    cr_assert_eq(value, strtod(metres, NULL), "%s", text);
  }
}

typedef struct refused {
  const char *text, *unit, *fragment;
} refused;

static void check_refused(const refused *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double value = -7;
    char *message = NULL;
    bool good = omr_unit_convert(cases[i].text, cases[i].unit, &value, &message);
    cr_expect_not(good, "\"%s\" as %s gave %g", cases[i].text, cases[i].unit, value);
    cr_expect_eq(value, -7, "\"%s\" as %s touched the value", cases[i].text, cases[i].unit);
    cr_expect(message && strstr(message, cases[i].fragment), "\"%s\" as %s: no \"%s\" in: %s",
              cases[i].text, cases[i].unit, cases[i].fragment, message ? message : "(nothing)");
    cr_expect(message && strlen(cases[i].text) < 60 ? strstr(message, cases[i].text) != NULL : true,
              "text not quoted: %s", message);
    free(message);
  }
}

#define CHECK_REFUSED(cases) check_refused(cases, sizeof(cases) / sizeof *(cases))

Test(units, other_dimensions_are_refused_with_a_remedy) {
  const refused cases[] = {
      {"30 m", "rad", "an angle is expected: write deg or rad"},
      {"10 %", "rad", "write deg or rad"},
      {"1 m/m", "rad", "write deg or rad"},
      {"2 pi", "rad", "write deg or rad"},
      {"45 deg", "m", "a length is expected: write m, cm or mm"},
      {"1 m rad", "m", "write m, cm or mm"},
      {"1 m/rad", "m", "write m, cm or mm"},
      {"1 N m", "N m s", "N m/(rad/s)"},
      {"1 N m s", "N m", "a torque is expected"},
      {"1 N", "N m", "a torque is expected"},
      {"1 N m rad", "N m", "a torque is expected"},
      {"1 kg m", "kg m2", "a moment of inertia"},
      {"1 nm", "N m", "a torque is expected"},
      {"1 oz in", "N m", "a torque is expected"},
      {"1 g", "m", "a length is expected"},
      {"9.8 m/s", "m s-2", "an acceleration is expected"},
      {"2 s", "Hz", "a frequency is expected"}, /* UDUNITS itself converts reciprocals */
      {"2 Hz", "s", "a time is expected"},
      {"2 s/m", "m s-1", "a speed is expected"},
      {"5 kg", "N s m-1", "N s m-1"},
      {"1 dBm", "1", "logarithm"},
      {"20 degC", "K", "offset"},
      {"20 \u00b0C", "1", "offset"},
  };
  CHECK_REFUSED(cases);
}

Test(units, turns_and_radians_are_not_mixed_up) {
  const refused cases[] = {
      {"5 Hz", "rad s-1", "Hz counts turns: write 2 pi times it in rad/s, or use rpm"},
      {"5 kHz", "rad s-1", "Hz counts turns"},
      {"5 Bq", "rad s-1", "Hz counts turns"},
      {"3000 1/min", "rad s-1", "turns or radians? Write rpm"},
      {"3000 min-1", "rad s-1", "turns or radians? Write rpm"},
      {"5 rad/s", "Hz", "1 rad/s is 1/(2 pi) Hz"},
      {"60 rpm", "Hz", "1 rpm is 1/60 Hz"},
      {"1 rev/s", "Hz", "write Hz"},
      {"1 N m/Hz", "N m s", "Hz does not say"},
      {"45 deg", "1", "an angle is no pure number"},
      {"1 rad", "1", "an angle is no pure number"},
      {"1 sr", "rad", "write deg or rad"},
  };
  CHECK_REFUSED(cases);
}

Test(units, missing_units_are_asked_for) {
  const refused cases[] = {
      {"0.5", "m", "give the unit, e.g. \"0.5 m\", or a JSON number, which is SI"},
      {"0.5", "rad", "e.g. \"45 deg\""},
      {"0.5", "N m s", "e.g. \"0.01 N m s\""},
      {"0.5 ", "N s m-1", "give the unit (N s m-1)"},
  };
  CHECK_REFUSED(cases);
}

Test(units, unreadable_text_is_refused_with_the_reason) {
  const refused cases[] = {
      {"", "m", "a number is expected"},
      {"m", "m", "a number is expected, such as \"0.5 m\""},
      {"abc", "rad", "a number is expected"},
      {"inf m", "m", "a number is expected"},
      {"nan m", "m", "a number is expected"},
      {"-", "1", "a number is expected"},
      {". m", "m", "a number is expected"},
      {"\u22125 deg", "rad", "the minus sign is the hyphen"},
      {"0,5 m", "m", "the decimal sign is a point"},
      {"1,000 m", "m", "the decimal sign is a point"},
      {"0x10 m", "m", "decimal"},
      {"1e999 m", "m", "too large"},
      {"1e308 km", "m", "too large"},
      {"5 \u00b5", "m", "unknown unit"},
      {"5 foo", "rad", "unknown unit \"foo\" (an angle takes deg or rad)"},
      {"5 e3 m", "m", "a length is expected"}, /* e is the elementary charge */
      {"1 2 m", "m", "only one number"},
      {"5 10 m", "m", "only one number"},
      {"5 m 2", "m", "only one number"},
      {"5 m^", "m", "whole number is missing after \"^\""},
      {"5 m^0.5", "m", "without 0"},
      {"5 m0", "m", "without 0"},
      {"5 m22", "m", "from -9 to 9"},
      {"5 m/", "m", "a unit is missing at the end"},
      {"5 m*", "m", "a unit is missing at the end"},
      {"5 m//s", "m", "unexpected \"/\""},
      {"5 (m", "m", "\")\" is missing"},
      {"5 m)", "m", "\")\" without \"(\""},
      {"5 ()", "m", "a unit is missing before \")\""},
      {"5 ((((((((((((((((((m))))))))))))))))))", "m", "too many brackets"},
      {"5 m @ 3", "m", "unexpected \"@\""},
      {"5 K since 3", "m", "unknown unit \"since\""},
      {"5 m -2", "m", "unexpected \"-\""},
      {"5 "
       "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
       "m", "not readable"},
      {"5 \u20ac", "m", "unknown unit \"\u20ac\""},
      {"5 1", "m", "only one number"},
  };
  CHECK_REFUSED(cases);
}

/* UDUNITS takes the byte 0xff as the end of its text. */
Test(units, bytes_that_are_no_utf8_are_refused) {
  double value;
  char *message;
  cr_assert_not(omr_unit_convert("5 m\xff", "m", &value, &message));
  cr_assert_str_eq(message, "a text with a unit has to be UTF-8");
  free(message);
}

Test(units, a_comma_locale_changes_nothing) {
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
    cr_skip_test("no locale with a decimal comma");
  const accepted cases[] = {{"0.25 m", "m", 0.25}, {"2.5 in", "m", 0.0635}};
  CHECK_ACCEPTED(cases);
}

Test(units, a_missing_unit_database_names_the_package) {
  setenv("UDUNITS2_XML_PATH", "/nowhere/udunits2.xml", 1);
  const refused cases[] = {
      {"5 m", "m", "/nowhere/udunits2.xml: install the package libudunits2-data"}};
  CHECK_REFUSED(cases);
  unsetenv("UDUNITS2_XML_PATH");
  const accepted after[] = {{"5 m", "m", 5}};
  CHECK_ACCEPTED(after);
}

Test(units, json_numbers_are_si_and_errors_have_a_place) {
  static const char text[] = "{\"a\": 2.5,\n \"b\": \"50 cm\",\n \"c\": \"50 kg\",\n \"d\": true}";
  omr_json json;
  omr_error error;
  cr_assert_eq(omr_json_parse(&json, text, strlen(text), "s.json", &error), OMR_OK);
  double value;
  cr_expect_eq(omr_json_quantity(&json, omr_json_get(json.root, "a"), "m", &value, &error), OMR_OK);
  cr_expect_eq(value, 2.5);
  cr_expect_eq(omr_json_quantity(&json, omr_json_get(json.root, "b"), "m", &value, &error), OMR_OK);
  cr_expect_eq(value, 0.5);
  cr_expect_eq(omr_json_quantity(&json, omr_json_get(json.root, "c"), "m", &value, &error),
               OMR_ERR_STUDY);
  cr_expect_str_eq(error.message,
                   "s.json:3: c: \"50 kg\": a length is expected: write m, cm or mm");
  cr_expect_eq(omr_json_quantity(&json, omr_json_get(json.root, "d"), "m", &value, &error),
               OMR_ERR_STUDY);
  cr_expect_str_eq(
      error.message,
      "s.json:4: d: expected a number (SI: m) or a text with number and unit, such as \"0.5 m\"");
  omr_json_free(&json);
}
