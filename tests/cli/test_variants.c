/* A study that holds variants: each runs with the bits of the plain study that it stands for, and
 * the screen has their differences by pairs. */
#include "program.h"

#include <cjson/cJSON.h>

#define SECTIONS                                                                                   \
  "\"model\": \"omni_vehicle\", \"title\": \"a test\", \"vary\": [{\"path\": "                     \
  "\"platform.yaw_inertia\", \"uniform\": [0.4, 0.6]}], \"design\": {\"type\": "                   \
  "\"monte_carlo\", \"instances\": 6, \"seed\": 1}, \"integrator\": {\"step\": \"1 ms\", "         \
  "\"duration\": \"50 ms\"}, \"ask\": [\"final_yaw\"]"
#define DRIVEN(torque)                                                                             \
  "{\"wheel\": {\"drive\": {\"type\": \"constant\", \"torque\": \"" torque "\"}}}"

/* The base drives by 0.1 N m and has a gravity that the second variant takes away again. */
static const char study[] =
    "{" SECTIONS ", \"parameters\": {\"gravity\": 5, \"wheel\": {\"drive\": {\"type\": "
    "\"constant\", \"torque\": \"0.1 N m\"}}},\n\"variants\": {\n\"weak\": {},\n\"strong\": "
    "{\"parameters\": {\"gravity\": null, \"wheel\": {\"drive\": {\"torque\": \"0.3 N m\"}}}}}}";
static const char plain[] = "{" SECTIONS ", \"parameters\": " DRIVEN("0.3 N m") "}";
static const char words[] =
    "{" SECTIONS
    ", \"parameters\": " DRIVEN("0.1 N m") ", \"variants\": {\"path\": "
                                           "\"parameters.contact.law\", \"values\": "
                                           "[\"saturated_coulomb\", \"regularized_coulomb\"]}}";

static void start_up(void) {
  set_up();
  write_file("s.json", study);
  write_file("plain.json", plain);
  write_file("words.json", words);
}

TestSuite(variants, .init = start_up, .fini = tear_down, .timeout = 120);

/* RFC 7396: objects are merged, null takes away, all else takes its place. */
Test(variants, has_the_bits_of_the_study_that_its_changes_make) {
  char hash[TEXT];
  expect(OMNIROLL("run", "plain.json", "--hash", "-q"), OMR_OK);
  strcpy(hash, last.out);
  expect(OMNIROLL("run", "s.json", "--variant", "strong", "--hash", "-q"), OMR_OK);
  cr_expect_str_eq(last.out, hash);
  expect(OMNIROLL("run", "s.json", "--set", "variant=weak", "--hash", "-q"), OMR_OK);
  cr_expect_str_neq(last.out, hash);
  expect(OMNIROLL("run", "s.json", "--hash", "-q"), OMR_OK);
  expect_text(last.out, hash);
}

/* Shares of a grid's points say little; the place where a criterion changes is the answer. Constant
 * torques turn the vehicle the faster the less inertia it has. */
Test(variants, a_grid_has_the_place_where_a_criterion_changes_for_each) {
  expect(OMNIROLL("run", "s.json", "-o", "r.h5", "--set", "design={\"type\": \"grid\"}", "--set",
                  "vary=[{\"path\": \"platform.yaw_inertia\", \"linspace\": [0.1, 2, 20]}]",
                  "--set", "statistics.fail.turns=\"max_yaw_rate > 0.1\"", "--set",
                  "integrator.step=0.1 ms"),
         OMR_OK);
  expect_text(last.out, "\n  weak: turns up to platform_yaw_inertia 0.1");
  expect_text(last.out, "\n  strong: turns up to platform_yaw_inertia 0.");
}

/* The names that are made of it would hide what it is. */
Test(variants, an_output_that_is_no_file_is_refused) {
  expect(OMNIROLL("run", "s.json", "-o", ""), OMR_ERR_USAGE);
  expect(OMNIROLL("run", "s.json", "-o", "./"), OMR_ERR_IO);
  expect_text(last.err, "is a folder");
  expect(OMNIROLL("run", "plain.json", "-o", ""), OMR_ERR_USAGE);
}

Test(variants, each_has_a_result_and_the_screen_their_differences) {
  expect(OMNIROLL("run", "s.json", "-o", "r.h5"), OMR_OK);
  cr_expect(exists("r.weak.h5") && exists("r.strong.h5") && !exists("r.h5"));
  const char *const texts[] = {
      "a test",    "instances weak 6, strong 6",       "final_yaw, rad",
      "less weak", "of pairs that met the same draws", "omniroll report r.weak.h5 r.strong.h5"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_text(last.out, texts[i]);

  /* A result is one of a plain study, which says which variant it was. */
  expect(OMNIROLL("verify", "r.strong.h5"), OMR_OK);
  expect(OMNIROLL("resume", "r.strong.h5"), OMR_OK);
  expect(OMNIROLL("run", "s.json"), OMR_OK);
  cr_expect(exists("s.weak.h5") && exists("s.strong.h5"));
  expect(OMNIROLL("run", "s.json", "--variant", "weak", "-o", "one.h5"), OMR_OK);
  cr_expect(exists("one.h5"));
}

static double number(const cJSON *row, const char *name) {
  return cJSON_GetNumberValue(cJSON_GetObjectItem(row, name));
}

/* The difference of pairs is that of the means, its interval narrower than the two of the means;
 * without common draws it is wider, and the reason is given. */
Test(variants, pairs_tell_more_than_two_samples) {
  double width[2];
  for (int apart = 0; apart < 2; apart++) {
    if (apart)
      expect(OMNIROLL("run", "s.json", "-q", "--json", "--set", "variants.strong.design.seed=2",
                      "--overwrite"),
             OMR_OK);
    else
      expect(OMNIROLL("run", "s.json", "-q", "--json", "--set", "design.instances=64"), OMR_OK);
    cJSON *json = cJSON_Parse(last.out);
    cr_assert_not_null(json, "%s", last.out);
    const cJSON *sides = cJSON_GetObjectItem(json, "side_by_side"),
                *rows = cJSON_GetObjectItem(sides, "rows"), *weak = cJSON_GetArrayItem(rows, 0),
                *strong = cJSON_GetArrayItem(rows, 1);
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(strong, "variant")), "strong");
    cr_expect_float_eq(number(strong, "difference"),
                       number(strong, "value") - number(weak, "value"), 1e-12);
    width[apart] = number(strong, "difference_high") - number(strong, "difference_low");
    cr_expect_eq(cJSON_IsTrue(cJSON_GetObjectItem(strong, "paired")), !apart);
    const char *why =
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(sides, "unpaired"), "strong"));
    cr_expect_str_eq(why ? why : "", apart ? "the seeds differ" : "");
    cJSON_Delete(json);
  }
  cr_expect_lt(width[0], 0.8 * width[1]);
}

Test(variants, a_list_of_words_makes_one_each) {
  expect(OMNIROLL("run", "words.json"), OMR_OK);
  cr_expect(exists("words.saturated_coulomb.h5") && exists("words.regularized_coulomb.h5"));
  expect(OMNIROLL("validate", "words.json", "--set", "variants.path=parametres.contact.law"),
         OMR_ERR_STUDY);
  expect_text(last.err, "words.json:1: variants.values[0]: unknown key \"parametres\"");
  expect(OMNIROLL("validate", "words.json", "--json"), OMR_OK);
  expect_text(last.out, "\"law\": \"regularized_coulomb\"");
  cJSON *json = cJSON_Parse(last.out);
  cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "variants")), 2, "%s", last.out);
  cJSON_Delete(json);
  expect(OMNIROLL("plan", "words.json", "--variant", "saturated_coulomb"), OMR_OK);
  expect(OMNIROLL("show", "words.json"), OMR_OK);
  expect_text(last.out, "regularized_coulomb\n");
}

/* Whatever there is, a screen of 25 lines and 80 columns has it; the rest is counted. */
Test(variants, many_fit_on_a_screen) {
  static const int counts[] = {5, 30};
  char text[8192];
  for (int c = 0; c < 2; c++) {
    size_t length = (size_t)snprintf(text, sizeof text, "{%s, \"parameters\": %s, \"variants\": {",
                                     SECTIONS, DRIVEN("0.1 N m"));
    for (int i = 0; i < counts[c]; i++)
      length += (size_t)snprintf(text + length, sizeof text - length,
                                 "%s\"a_name_of_24_letters_%03d\": {}", i ? ", " : "", i);
    snprintf(text + length, sizeof text - length,
             "}, \"output\": {\"observables\": [\"max_slip\", "
             "\"path_length\", \"final_yaw\"]}}");
    write_file("many.json", text);
    expect(OMNIROLL("run", "many.json", "--set", "ask=null", "--set", "design.instances=2"),
           OMR_OK);
    size_t lines = 0;
    for (const char *at = last.out; *at; at += strcspn(at, "\n") + 1, lines++)
      if (!strstr(at, "omniroll report") || strchr(at, '\n') < strstr(at, "omniroll report"))
        cr_expect_leq(strcspn(at, "\n"), 80, "%.90s", at);
    cr_expect_leq(lines, 25, "%d: %zu lines:\n%s", counts[c], lines, last.out);
    expect_text(last.out, c ? "and 17 more" : "1 more without room");
  }
}

/* Places are those in the variant; --set counts for all of them, and before any runs. */
Test(variants, mistakes_have_their_place_in_the_variant) {
  expect(OMNIROLL("validate", "s.json", "--json", "--set", "parameters.wheel.rollers=2"),
         OMR_ERR_STUDY);
  expect_text(last.out, "\"pointer\": \"/parameters/wheel/rollers\"");
  char wrong[sizeof study];
  strcpy(wrong, study);
  memcpy(strstr(wrong, "0.3 N m"), "0.3 N s", 7);
  write_file("wrong.json", wrong);
  expect(OMNIROLL("validate", "wrong.json", "--json"), OMR_ERR_STUDY);
  expect_text(last.out, "\"pointer\": \"/variants/strong/parameters/wheel/drive/torque\"");
  expect(OMNIROLL("run", "wrong.json"), OMR_ERR_STUDY);
  expect_text(last.err, "the variant strong:");
  cr_expect(!exists("wrong.weak.h5"), "nothing runs where another variant has a mistake");
  expect(
      OMNIROLL("run", "s.json", "-q", "--set", "variants.strong.parameters.wheel.drive.torque=x"),
      OMR_ERR_STUDY);
  expect_text(last.err, "--set variants.strong.parameters.wheel.drive.torque: ");
}

/* A file that a later variant may not replace is found before the first one runs, and what fails
 * leaves JSON that can be read. */
Test(variants, a_file_in_the_way_stops_before_the_first_runs) {
  write_file("r.strong.h5", "mine");
  expect(OMNIROLL("run", "s.json", "-o", "r.h5"), OMR_ERR_IO);
  expect_text(last.err, "r.strong.h5 is there");
  cr_expect(!exists("r.weak.h5"));
  expect(OMNIROLL("run", "s.json", "-o", "r.h5", "--overwrite"), OMR_OK);

  expect(OMNIROLL("run", "s.json", "-q", "--json", "--hash", "--overwrite"), OMR_ERR_USAGE);
  cJSON *json = cJSON_Parse(last.out);
  cr_expect(cJSON_HasObjectItem(cJSON_GetObjectItem(json, "variants"), "weak"), "%s", last.out);
  cJSON_Delete(json);
}

/* A criterion that means something else, and a design without means, are named. */
Test(variants, the_screen_says_what_is_not_alike) {
  expect(OMNIROLL("run", "s.json", "--set",
                  "variants.weak.statistics.fail.turned=final_yaw > 0.1 rad", "--set",
                  "variants.strong.statistics.fail.turned=final_yaw > 0.2 rad"),
         OMR_OK);
  expect_text(last.out, "not the same criterion in all of them: turned");
  expect(OMNIROLL("run", "s.json", "-o", "m.h5", "--set",
                  "variants.strong.design={\"type\": \"morris\", \"trajectories\": 2, "
                  "\"instances\": null}"),
         OMR_OK);
  expect_text(last.out, "the design morris has no instances that count alike");
}
