/* Reading study text: what is accepted, and what each mistake is called. The grammar is RFC 8259.
 */
#define _GNU_SOURCE
#include "study/json/json.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static omr_status parse(omr_json *json, const char *text, omr_error *error) {
  return omr_json_parse(json, text, strlen(text), "study.json", error);
}

static void must_parse(omr_json *json, const char *text) {
  omr_error error = {0};
  cr_assert_eq(parse(json, text, &error), OMR_OK, "%s", error.message);
}

typedef struct refused {
  const char *text, *message; /* the whole message, without "study.json:" */
} refused;

static void check_refused(const refused *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    omr_json json;
    omr_error error = {0};
    cr_expect_eq(parse(&json, cases[i].text, &error), OMR_ERR_STUDY, "accepted: %s", cases[i].text);
    cr_expect(strncmp(error.message, "study.json:", 11) == 0 &&
                  strcmp(error.message + 11, cases[i].message) == 0,
              "text:     %s\nmessage:  %s\nexpected: %s", cases[i].text, error.message,
              cases[i].message);
    omr_json_free(&json);
  }
}

#define CHECK_REFUSED(cases) check_refused(cases, sizeof(cases) / sizeof *(cases))

Test(json, valid_text_is_accepted) {
  static const char *const texts[] = {
      "{}",
      " [] ",
      "0",
      "-0",
      "[1, 2.5, -3e-5, 4E+2, 0.0, 1e308]",
      "\"\"",
      "true",
      "[null, false]",
      "{\"a\": {\"b\": [1, {\"c\": \"\\u00b5\\ud83d\\ude00\\n\\\"\\\\\\/\"}]}}",
      "{\"\u00b5\": \"\u00b0 \U0001f600\"}",
      "{\"a\":1}\r\n",
      "// first\n{\"a\": /* one */ 1, // two\n \"b\": \"// no comment /* here */\"}/**/",
      "{\"a\": 1, \"A\": 2}",
      "[123456789012345678901234567890123456789012345678901234567890123]",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    omr_json json;
    omr_error error = {0};
    cr_expect_eq(parse(&json, texts[i], &error), OMR_OK, "%s: %s", texts[i], error.message);
    omr_json_free(&json);
  }
}

Test(json, numbers_that_json_does_not_allow_are_refused) {
  const refused cases[] = {
      {"{\"integrator\":\n {\"step\": 01}}",
       "2:11: integrator.step: number 01 is not allowed in JSON (leading zero)"},
      {"[-01]", "1:2: [0]: number -01 is not allowed in JSON (leading zero)"},
      {"[1.]", "1:2: [0]: number 1. is not allowed in JSON (write a digit after the point)"},
      {"[1.e5]", "1:2: [0]: number 1.e5 is not allowed in JSON (write a digit after the point)"},
      {"[.5]", "1:2: [0]: number .5 is not allowed in JSON (write a digit before the point)"},
      {"[-.5]", "1:2: [0]: number -.5 is not allowed in JSON (write a digit before the point)"},
      {"[+1]", "1:2: [0]: number +1 is not allowed in JSON (remove the +)"},
      {"[-]", "1:2: [0]: number - is not allowed in JSON (a digit is missing after the minus)"},
      {"[1e]", "1:2: [0]: number 1e is not allowed in JSON (digits are missing in the exponent)"},
      {"[1e+]", "1:2: [0]: number 1e+ is not allowed in JSON (digits are missing in the exponent)"},
      {"[0x10]", "1:2: [0]: number 0x10 is not allowed in JSON (write it in decimal)"},
      {"[1.2.3]",
       "1:2: [0]: number 1.2.3 is not allowed in JSON (write digits, one point, one exponent)"},
      {"[45deg]", "1:2: [0]: number 45deg is not allowed in JSON (a quantity with a unit is a "
                  "string such as \"45 deg\")"},
      {"[1e999]", "1:2: [0]: number 1e999 is too large (a double ends at 1.8e308)"},
      {"[-1e309]", "1:2: [0]: number -1e309 is too large (a double ends at 1.8e308)"},
      {"[1234567890123456789012345678901234567890123456789012345678901234]",
       "1:2: [0]: number of 64 characters: at most 63 are read"},
      {"[NaN]", "1:2: [0]: NaN is not allowed in JSON (no JSON number: leave the member out, or "
                "write a number)"},
      {"[Infinity]", "1:2: [0]: Infinity is not allowed in JSON (no JSON number: leave the member "
                     "out, or write a number)"},
      {"[-Infinity]", "1:2: [0]: number -Infinity is not allowed in JSON (no JSON number: leave "
                      "the member out, or write a number)"},
  };
  CHECK_REFUSED(cases);
}

Test(json, syntax_errors_say_what_is_missing) {
  const refused cases[] = {
      {"", "1:1: there is nothing to read: the text is empty"},
      {"// only a comment\n", "2:1: there is nothing to read: the text is empty"},
      {"{\"a\": 1\n \"b\": 2}", "2:2: missing comma before \"b\""},
      {"[1 2]", "1:4: missing comma before \"2\""},
      {"[1 [2]]", "1:4: missing comma before \"[\""},
      {"{\"a\": 0.5 m}",
       "1:11: missing comma before \"m\" (a quantity with a unit is a string such as \"0.5 m\")"},
      {"{\"a\" 1}", "1:6: a: missing colon before \"1\""},
      {"{\"a\" = 1}", "1:6: a: write : between key and value, not ="},
      {"{\"a\": 1,}", "1:8: comma before \"}\": remove it, or a value is missing after it"},
      {"[1,\n]", "1:3: comma before \"]\": remove it, or a value is missing after it"},
      {"[1,,2]", "1:4: [1]: a value is missing before \",\""},
      {"{\"a\": }", "1:7: a: a value is missing before \"}\""},
      {"{a: 1}", "1:2: missing quotes: a key is written \"a\""},
      {"{'a': 1}", "1:2: keys and strings take double quotes (\"), not single ones"},
      {"{\"a\": 'b'}", "1:7: a: strings take double quotes (\"), not single ones"},
      {"{\"a\": ring}", "1:7: a: missing quotes: text is written \"ring\""},
      {"{\"a\": True}", "1:7: a: True is not allowed in JSON (write true)"},
      {"{\"a\": None}", "1:7: a: None is not allowed in JSON (write null)"},
      {"{\"a\": \"b\n}",
       "1:7: a: missing quote: the string that starts here does not end on its line"},
      {"{\"a: 1\n}", "1:2: missing quote: the string that starts here does not end on its line"},
      {"{\"a\": \"b",
       "1:7: a: unexpected end of file inside the string that starts here: missing quote"},
      {"\"b\\", "1:3: unexpected end of file inside a string: missing quote"},
      {"{\"a\": 1,\n \"b\": [1,\n 2\n",
       "4:1: b: unexpected end of file inside the array that starts at line 2: missing \"]\""},
      {"{\n\"a\": {\"b\": 1}\n",
       "3:1: unexpected end of file inside the object that starts at line 1: missing \"}\""},
      {"{\"a\":",
       "1:6: a: unexpected end of file inside the object that starts at line 1: missing \"}\""},
      {"{\"a\"",
       "1:5: a: unexpected end of file inside the object that starts at line 1: missing \"}\""},
      {"{\"a\": [1, 2}",
       "1:12: a: \"}\" cannot close the array that starts at line 1: expected \"]\""},
      {"{\"a\": 1]", "1:8: \"]\" cannot close the object that starts at line 1: expected \"}\""},
      {"{} {}", "1:4: unexpected \"{\" after the end of the JSON text"},
      {"{}\n}", "2:1: unexpected \"}\" after the end of the JSON text"},
      {"{} end", "1:4: unexpected \"end\" after the end of the JSON text"},
      {"{\"a\": 1} # x", "1:10: unexpected \"#\" after the end of the JSON text"},
      {"{\"a\": 1, # x\n\"b\": 2}", "1:10: a comment starts with //, not with #"},
      {"{\"a\": 1 # x\n}", "1:9: a comment starts with //, not with #"},
      {"{\"a\": 1 /* no end\n}", "1:9: the comment that starts here has no end: missing */"},
      {"{\"a\": 1 / 2}",
       "1:9: a study does not calculate: write the value, such as 0.5 or \"45 deg\""},
      {"{1: 2}", "1:2: missing quotes: a key is written \"1\""},
      {"{,}", "1:2: unexpected \",\": expected a key in double quotes"},
      {"{\"a\": 1;}", "1:8: members are separated by commas, not by \";\""},
      {"{\"a\": (1)}", "1:7: a: unexpected \"(\": expected a value"},
      {"[\f1]", "1:2: [0]: unexpected control character 0x0c: expected a value"},
  };
  CHECK_REFUSED(cases);
}

Test(json, strings_are_checked) {
  const refused cases[] = {
      {"[\"a\tb\"]", "1:4: [0]: control character 0x09 inside a string: write \\u0009"},
      {"[\"C:\\dir\"]", "1:5: [0]: a backslash before \"dir\" means nothing in JSON: write "
                        "\"\\\\\" for a backslash"},
      {"[\"\\u12g4\"]", "1:7: [0]: \\u needs four hexadecimal digits"},
      {"[\"\\u0000\"]", "1:3: [0]: \\u0000 is not allowed in a string"},
      {"[\"\\ud83d\"]", "1:3: [0]: \\ud83d is the first half of a character without the second"},
      {"[\"\\ud83d\\u0041\"]",
       "1:3: [0]: \\ud83d is the first half of a character without the second"},
      {"[\"\\ude00\"]", "1:3: [0]: \\ude00 is the second half of a character without the first"},
      {"[\"a\\\nb\"]",
       "1:4: [0]: a backslash at the end of a line does not continue a string: missing quote"},
  };
  CHECK_REFUSED(cases);
}

Test(json, bytes_that_are_no_utf8_are_refused) {
  const refused cases[] = {
      {"\xef\xbb\xbf{}",
       "1:1: the file starts with a byte order mark: save it as UTF-8 without BOM"},
      {"\xff\xfe{", "1:1: the file is UTF-16: save it as UTF-8 without BOM"},
      {"[\"\xb5m\"]", "1:3: byte 0xb5 is no UTF-8: save the file as UTF-8"},
      {"[\"\xc0\xaf\"]", "1:3: byte 0xc0 is no UTF-8: save the file as UTF-8"},     /* overlong */
      {"[\"\xe0\x80\xaf\"]", "1:3: byte 0xe0 is no UTF-8: save the file as UTF-8"}, /* overlong */
      {"[\"\xf0\x80\x80\xaf\"]",
       "1:3: byte 0xf0 is no UTF-8: save the file as UTF-8"},                       /* overlong */
      {"[\"\xed\xa0\x80\"]", "1:3: byte 0xed is no UTF-8: save the file as UTF-8"}, /* surrogate */
      {"[\"\xf4\x90\x80\x80\"]",
       "1:3: byte 0xf4 is no UTF-8: save the file as UTF-8"}, /* beyond U+10FFFF */
      {"[\"\xe2\x82\"]", "1:3: byte 0xe2 is no UTF-8: save the file as UTF-8"}, /* cut */
      {"// \xfc\n{}", "1:4: byte 0xfc is no UTF-8: save the file as UTF-8"},
  };
  CHECK_REFUSED(cases);
}

Test(json, zero_bytes_are_refused) {
  omr_json json;
  omr_error error;
  cr_assert_eq(omr_json_parse(&json, "{}\0{}", 5, "study.json", &error), OMR_ERR_STUDY);
  cr_assert_str_eq(error.message, "study.json:1:3: zero byte: this is no text file in UTF-8");
  omr_json_free(&json);
}

Test(json, duplicate_keys_are_refused) {
  const refused cases[] = {
      {"{\"a\": 1,\n \"b\": 2,\n \"a\": 3}",
       "3:2: a: duplicate key \"a\" (first on line 1): remove one"},
      {"{\"a\": 1, \"\\u0061\": 3}", "1:10: a: duplicate key \"a\" (first on line 1): remove one"},
      {"{\"w\": [{}, {\"x\": 1,\n\"x\": 1}]}",
       "2:1: w[1].x: duplicate key \"x\" (first on line 1): remove one"},
  };
  CHECK_REFUSED(cases);
}

Test(json, columns_count_characters_also_behind_comments) {
  const refused cases[] = {
      {"{\"\u00b5\": 01}", "1:7: \u00b5: number 01 is not allowed in JSON (leading zero)"},
      {"{/* \u00b5\u00b5 */ \"a\": 01}",
       "1:16: a: number 01 is not allowed in JSON (leading zero)"},
  };
  CHECK_REFUSED(cases);
}

Test(json, nesting_is_limited_to_64_levels) {
  char text[200];
  memset(text, '[', 100);
  memset(text + 64, ']', 64);
  text[128] = '\0';
  omr_json json;
  must_parse(&json, text);
  omr_json_free(&json);
  memset(text, '[', 65);
  memset(text + 65, ']', 65);
  text[130] = '\0';
  omr_error error;
  cr_assert_eq(parse(&json, text, &error), OMR_ERR_STUDY);
  cr_assert(strstr(error.message, "study.json:1:65: [0][0]") &&
                strstr(error.message, "nested deeper than 64 levels"),
            "%s", error.message);
  omr_json_free(&json);
}

static const char study[] = "{\n"
                            "  // a comment\n"
                            "  \"integrator\": {\"step\": 1e-4,\n"
                            "    \"end\": \"2 s\"},\n"
                            "  \"vary\": [{\"path\": \"wheel.friction\"},\n"
                            "           {\"path\":\n"
                            "              \"platform.mass\", \"values\": [1, 2]}]\n"
                            "}\n";

Test(json, items_know_their_line_and_path) {
  omr_json json;
  must_parse(&json, study);
  char path[64];
  const cJSON *vary = omr_json_get(json.root, "vary");
  const cJSON *second = cJSON_GetArrayItem(vary, 1), *values = omr_json_get(second, "values");
  const struct {
    const cJSON *item;
    int line;
    const char *path;
  } cases[] = {
      {json.root, 1, ""},
      {omr_json_get(omr_json_get(json.root, "integrator"), "end"), 4, "integrator.end"},
      {vary, 5, "vary"},
      {cJSON_GetArrayItem(vary, 0), 5, "vary[0]"},
      {omr_json_get(second, "path"), 6, "vary[1].path"},
      {cJSON_GetArrayItem(values, 1), 7, "vary[1].values[1]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cr_expect_eq(omr_json_line(&json, cases[i].item), cases[i].line, "%s", cases[i].path);
    cr_expect_str_eq(omr_json_path(&json, cases[i].item, path, sizeof path), cases[i].path);
  }
  char small[6];
  cr_expect_str_eq(omr_json_path(&json, values, small, sizeof small), "vary[");
  omr_error error;
  cr_expect_eq(omr_json_fail(&json, values, &error, "%d is too %s", 2, "few"), OMR_ERR_STUDY);
  cr_expect_str_eq(error.message, "study.json:7: vary[1].values: 2 is too few");
  omr_json_fail(&json, json.root, &error, "\"model\" is missing");
  cr_expect_str_eq(error.message, "study.json:1: \"model\" is missing");
  omr_json_free(&json);
}

Test(json, get_finds_exact_names_only) {
  omr_json json;
  must_parse(&json, "{\"Step\": 1, \"list\": [1]}");
  cr_expect_null(omr_json_get(json.root, "step"));
  cr_expect_not_null(omr_json_get(json.root, "Step"));
  cr_expect_null(omr_json_get(omr_json_get(json.root, "list"), "step"));
  cr_expect_null(omr_json_get(NULL, "step"));
  omr_json_free(&json);
}

Test(json, unknown_keys_name_the_one_that_was_meant) {
  static const char *const known[] = {"friction", "radius", "rollers"};
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"{\"radius\": 1,\n\"frcition\": 2}",
       "study.json:2: frcition: unknown key \"frcition\" - did you mean \"friction\"?"},
      {"{\"Friction\": 2}", "study.json:1: Friction: unknown key \"Friction\" - upper and lower "
                            "case count: write \"friction\""},
      {"{\"colour\": 2}",
       "study.json:1: colour: unknown key \"colour\" - known here: friction, radius, rollers"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    omr_json json;
    omr_error error = {0};
    must_parse(&json, cases[i].text);
    cr_expect_eq(omr_json_check_keys(&json, json.root, known, 3, &error), OMR_ERR_STUDY);
    cr_expect_str_eq(error.message, cases[i].message);
    omr_json_free(&json);
  }
  omr_json json;
  must_parse(&json, "{\"rollers\": 8, \"radius\": 1}");
  cr_expect_eq(omr_json_check_keys(&json, json.root, known, 3, NULL), OMR_OK);
  omr_json_free(&json);
}

static void check_set(const char *text, const char *assignment, const char *expected) {
  omr_json json;
  omr_error error = {0};
  must_parse(&json, text);
  cr_expect_eq(omr_json_set(&json, assignment, &error), OMR_OK, "%s: %s", assignment,
               error.message);
  char *printed = cJSON_PrintUnformatted(json.root);
  cr_expect_str_eq(printed, expected, "%s gave %s", assignment, printed);
  cJSON_free(printed);
  omr_json_free(&json);
}

Test(json, set_replaces_and_adds) {
  const char *text = "{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":3}";
  check_set(text, "d=4", "{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":4}");
  check_set(text, "a.b[1].c=5", "{\"a\":{\"b\":[1,{\"c\":5}]},\"d\":3}");
  check_set(text, "a.b[2].c=5", "{\"a\":{\"b\":[1,{\"c\":2},{\"c\":5}]},\"d\":3}");
  check_set(text, "a.b[0]=[true, null]", "{\"a\":{\"b\":[[true,null],{\"c\":2}]},\"d\":3}");
  check_set(text, "a={\"x\": 1}", "{\"a\":{\"x\":1},\"d\":3}");
  check_set(text, "e.f.g=1", "{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":3,\"e\":{\"f\":{\"g\":1}}}");
  check_set(text, "e[0].g=1", "{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":3,\"e\":[{\"g\":1}]}");
  check_set("[1,2]", "[1]=5", "[1,5]");
}

Test(json, set_takes_bare_words_as_text) {
  check_set("{}", "a=0.5 m", "{\"a\":\"0.5 m\"}");
  check_set("{}", " a = ring ", "{\"a\":\"ring\"}");
  check_set("{}", "a=b=c", "{\"a\":\"b=c\"}");
  check_set("{}", "a=\"12\"", "{\"a\":\"12\"}");
  check_set("{}", "a=12", "{\"a\":12}");
  check_set("{}", "a=\"\"", "{\"a\":\"\"}");
  check_set("{}", "a=C:\\dir", "{\"a\":\"C:\\\\dir\"}");
  check_set("{}", "a=1e999", "{\"a\":\"1e999\"}");
}

Test(json, set_refuses_what_it_cannot_place) {
  static const struct {
    const char *assignment, *fragment;
  } cases[] = {
      {"a.b", "write it as path=value"},
      {"=5", "a name is missing in the path"},
      {"a..b=5", "a name is missing in the path"},
      {"a.=5", "a name is missing in the path"},
      {"a[x]=5", "\"x\" in a list that is not there yet"},
      {"a[*]=5", "an index is written [0], [1], ..., or as the name of a wheel"},
      {"list[x]=5", "nothing in the list is called \"x\"; give one its \"name\""},
      {"a[=5", "an index is written"},
      {"a[-1]=5", "an index is written"},
      {"a[99999999999999999999]=5", "an index is written"},
      {"a]=5", "\"]\" without \"[\""},
      {"a[0]b=5", "a point is missing after \"]\""},
      {"list[3]=5", "index 3 is beyond the end of list, which has 2 (so [2] adds one)"},
      {"fresh[1]=5", "index 1 in an array that is not there yet"},
      {"number.x=5", "number is a number, not an object"},
      {"list.x=5", "list is an array, not an object"},
      {"object[0]=5", "object is an object, not an array"},
      {"nothing.x=5", "nothing is null, not an object"},
      {"[0]=5", "the study is an object, not an array"},
      {"number=", "the value after = is missing"},
      {"number={\"a\": 01}",
       "--set number:1:7: a: number 01 is not allowed in JSON (leading zero)"},
      {"number=[1, 2", "unexpected end of file inside the array"},
      {"number={\"a\":1,\"a\":2}", "duplicate key \"a\""},
      {"number=\"open", "missing quote"},
      {"number=\xff", "no UTF-8"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    omr_json json;
    omr_error error = {0};
    must_parse(&json, "{\"number\":1,\"list\":[1,2],\"object\":{},\"nothing\":null}");
    cr_expect_eq(omr_json_set(&json, cases[i].assignment, &error), OMR_ERR_STUDY, "accepted %s",
                 cases[i].assignment);
    cr_expect(strstr(error.message, cases[i].fragment), "%s: no \"%s\" in: %s", cases[i].assignment,
              cases[i].fragment, error.message);
    char *printed = cJSON_PrintUnformatted(json.root);
    cr_expect_str_eq(printed, "{\"number\":1,\"list\":[1,2],\"object\":{},\"nothing\":null}",
                     "a failed set changed the tree");
    cJSON_free(printed);
    omr_json_free(&json);
  }
}

Test(json, replaced_items_say_set_instead_of_a_line) {
  omr_json json;
  omr_error error;
  must_parse(&json, study);
  for (int i = 0; i < 20; i++) {
    cr_assert_eq(omr_json_set(&json, "vary[1].values=[3, 4, 5]", &error), OMR_OK);
    cr_assert_eq(omr_json_set(&json, "integrator.step=1 ms", &error), OMR_OK);
  }
  const cJSON *second = cJSON_GetArrayItem(omr_json_get(json.root, "vary"), 1),
              *values = omr_json_get(second, "values");
  cr_expect_eq(omr_json_line(&json, values), 0);
  omr_json_fail(&json, cJSON_GetArrayItem(values, 2), &error, "too large");
  cr_expect_str_eq(error.message, "--set vary[1].values[2]: too large");
  omr_json_fail(&json, omr_json_get(omr_json_get(json.root, "integrator"), "step"), &error,
                "too large");
  cr_expect_str_eq(error.message, "--set integrator.step: too large");
  cr_expect_eq(omr_json_line(&json, omr_json_get(second, "path")), 6,
               "the neighbours keep their lines");
  omr_json_free(&json);
}

Test(json, printed_trees_read_back_equal) {
  omr_json json, again;
  must_parse(
      &json,
      "{\"b\": 0.1, \"a\": [1, -0.0, 1e-300, 12345678901234567, 0.30000000000000004, 3e20],\n"
      "\"s\": \"\\\"\\\\\\u0001\\n\u00b5\", \"o\": {}, \"l\": [], \"t\": [true, false, null], "
      "\"n\": [{\"x\": 1}, [2]]}");
  char *text = omr_json_print(json.root);
  cr_assert_str_eq(text,
                   "{\n"
                   "  \"b\": 0.1,\n"
                   "  \"a\": [1, -0, 1e-300, 12345678901234568, 0.30000000000000004, 3e+20],\n"
                   "  \"s\": \"\\\"\\\\\\u0001\\n\u00b5\",\n"
                   "  \"o\": {},\n"
                   "  \"l\": [],\n"
                   "  \"t\": [true, false, null],\n"
                   "  \"n\": [\n"
                   "    {\n"
                   "      \"x\": 1\n"
                   "    },\n"
                   "    [2]\n"
                   "  ]\n"
                   "}\n");
  must_parse(&again, text);
  cr_assert(cJSON_Compare(json.root, again.root, true));
  char *twice = omr_json_print(again.root);
  cr_assert_str_eq(twice, text);
  free(twice);
  free(text);
  omr_json_free(&again);
  omr_json_free(&json);
}

Test(json, a_comma_locale_changes_nothing) {
  if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
    cr_skip_test("no locale with a decimal comma");
  omr_json json;
  must_parse(&json, "[0.25, 1e-3]");
  cr_expect_eq(cJSON_GetArrayItem(json.root, 0)->valuedouble, 0.25);
  char *text = omr_json_print(json.root);
  cr_expect_str_eq(text, "[0.25, 0.001]\n");
  free(text);
  omr_json_free(&json);
}
