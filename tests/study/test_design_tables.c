/* Tables of instances: they carry the values of a design exactly, whatever wrote them. */
#include "sampling_data.h"
#include "tests/skip.h"

#include <unistd.h>

static char folder[64];

static void set_up(void) {
  snprintf(folder, sizeof folder, "/tmp/omniroll-tables-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert_eq(system(command), 0);
}

TestSuite(design_tables, .init = set_up, .fini = tear_down);

static void file_path(char *path, size_t size, const char *name) {
  snprintf(path, size, "%s/%s", folder, name);
}

static void write_text(const char *name, const char *text) {
  char path[256];
  file_path(path, sizeof path, name);
  FILE *file = fopen(path, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
}

/* A study that stands in the folder and takes the table; parameters as text. */
static omr_study *with_table(const char *parameters, const char *rest) {
  char text[1024], name[256];
  omr_study *study = NULL;
  omr_error error = {0};
  snprintf(text, sizeof text,
           "{'model': 'omni_vehicle', 'integrator': {'step': 1e-3, 'duration': 0.01}, "
           "'parameters': {%s}, "
           "'design': {'type': 'table', %s}}",
           parameters, rest);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  file_path(name, sizeof name, "s.json");
  cr_assert_eq(omr_study_parse(text, name, NULL, 0, &study, &error), OMR_OK, "%s", error.message);
  return study;
}

static void expect_same(const omr_study *a, const omr_study *b) {
  cr_assert_eq(a->instances, b->instances);
  cr_assert_eq(a->variation_count, b->variation_count);
  for (size_t k = 0; k < a->instances; k++) {
    omr_values x, y;
    omr_study_values(a, k, &x, NULL);
    omr_study_values(b, k, &y, NULL);
    cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "instance %zu", k);
  }
}

#define MECANUM "'layout': {'type': 'rectangle', 'mecanum': true}"
#define SOURCE                                                                                     \
  "'parameters': {" MECANUM "}, 'vary': [" LEVELS DRAWN                                            \
  "], 'design': {'type': 'nested', 'sample': 'halton', 'per_cell': 20, 'seed': 4}"

Test(design_tables, a_table_written_as_csv_reads_back_to_the_same_bits) {
  omr_study *study = study_with(SOURCE);
  omr_error error;
  char path[256];
  file_path(path, sizeof path, "sample.csv");
  FILE *file = fopen(path, "w");
  cr_assert_eq(omr_study_sample_print(study, file, &error), OMR_OK);
  fclose(file);
  omr_study *table = with_table(MECANUM, "'file': 'sample.csv'");
  expect_same(study, table);
  omr_study_destroy(table);
  omr_study_destroy(study);
}

/* The groups are in the order of the rows, so that a table of them is the same run; what it means
 * for indices is the design's. */
Test(design_tables, tables_of_row_groups_read_back_to_the_same_bits) {
  static const char *const designs[] = {GROUPS_OF("saltelli", "'groups': 6"),
                                        GROUPS_OF("morris", "'trajectories': 6")};
  for (int d = 0; d < 2; d++) {
    omr_study *study = study_with(designs[d]);
    omr_error error;
    char path[256];
    file_path(path, sizeof path, "groups.csv");
    FILE *file = fopen(path, "w");
    cr_assert_eq(omr_study_sample_print(study, file, &error), OMR_OK);
    fclose(file);
    omr_study *table = with_table("", "'file': 'groups.csv'");
    expect_same(study, table);
    omr_study_destroy(table);
    omr_study_destroy(study);
  }
}

Test(design_tables, a_table_written_as_hdf5_reads_back_to_the_same_bits) {
  omr_study *study = study_with(SOURCE);
  omr_error error;
  omr_result *result;
  char path[256];
  file_path(path, sizeof path, "sample.h5");
  cr_assert_eq(omr_study_sample(study, &result, &error), OMR_OK);
  cr_assert_eq(omr_result_columns(result), study->variation_count);
  cr_assert_eq(omr_result_write(result, path, &error), OMR_OK, "%s", error.message);
  omr_result_destroy(result);
  omr_study *table = with_table(MECANUM, "'file': 'sample.h5'");
  expect_same(study, table);
  omr_study_destroy(table);
  omr_study_destroy(study);
}

static omr_result *run_with(const char *engine) {
  omr_study *study = NULL;
  omr_result *result = NULL;
  omr_error error = {0};
  char *text = strdup(
      "{'model': 'omni_vehicle', 'integrator': {'step': 1e-3, 'duration': 0.002}, " SOURCE "}");
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  const char *const overrides[] = {engine};
  cr_assert_eq(omr_study_parse(text, "s.json", overrides, 1, &study, &error), OMR_OK, "%s",
               error.message);
  const omr_run_options options = OMR_RUN_OPTIONS_INIT;
  const omr_status status = omr_run(study, &options, &result, &error);
  cr_assert(status == OMR_OK || status == OMR_ERR_DEVICE, "%s", error.message);
  if (status == OMR_ERR_DEVICE) skip_part("%s", error.message);
  omr_study_destroy(study);
  free(text);
  return result;
}

/* Chunks of 7 and of all instances; processor by lanes and by single values, OpenCL where there is
 * a device. */
Test(design_tables, chunks_and_backends_have_the_same_values) {
  static const char *const engines[] = {"engine={\"backend\":\"openmp\",\"chunk\":7}",
                                        "engine={\"backend\":\"scalar\"}",
                                        "engine={\"backend\":\"opencl\",\"chunk\":50}"};
  omr_result *first = run_with(engines[0]);
  cr_assert_not_null(first);
  for (int e = 1; e < 3; e++) {
    omr_result *other = run_with(engines[e]);
    if (!other) continue;
    const size_t bytes = omr_result_instances(first) * sizeof(double);
    cr_assert_eq(omr_result_columns(first), omr_result_columns(other));
    for (size_t c = 0; c < omr_result_columns(first); c++)
      cr_expect_eq(memcmp(omr_result_column(first, c), omr_result_column(other, c), bytes), 0,
                   "%s, %s", engines[e], omr_result_column_name(first, c));
    omr_result_destroy(other);
  }
  omr_result_destroy(first);
}

/* Its parameters are taken, its observables left. */
Test(design_tables, a_result_is_a_table_of_its_instances) {
  omr_study *study = study_with(
      "'vary': [{'path': 'gravity', 'uniform': [9, 10]}, {'path': 'wheels[1].friction', 'uniform': "
      "[0.1, 0.2]}], "
      "'design': {'type': 'latin_hypercube', 'instances': 5}, 'engine': {'backend': 'scalar'}");
  omr_error error;
  omr_result *result;
  omr_run_options options = OMR_RUN_OPTIONS_INIT;
  char path[256];
  file_path(path, sizeof path, "result.h5");
  cr_assert_eq(omr_run(study, &options, &result, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_result_write(result, path, &error), OMR_OK, "%s", error.message);
  omr_result_destroy(result);
  omr_study *table = with_table("", "'file': 'result.h5'");
  expect_same(study, table);
  cr_expect_str_eq(table->variations[1].path, "wheels[1].friction");
  omr_study_destroy(table);
  omr_study_destroy(study);
}

/* Columns of words that name nothing are remarks. */
Test(design_tables, a_table_made_elsewhere_may_have_units_quotes_and_remarks) {
  write_text("elsewhere.csv", "\xef\xbb\xbf# made by hand\r\n\"platform.mass [g]\", "
                              "wheel.inclination [deg] ,instance,remark,wheels[0].friction,made\r\n"
                              "\r\n 20000 ,60, 0,\"\"\"soft\"\", new\",1e-1,2026-05-01\r\n"
                              "# a remark\r\n\"30000\",45,1,INFO, .25,\r\n");
  omr_study *study = with_table("", "'file': 'elsewhere.csv'");
  double row[MOST];
  cr_assert_eq(study->instances, 2u);
  values_of(study, 0, row);
  cr_expect_float_eq(row[0], 20, 1e-14);
  cr_expect_float_eq(row[1], 4 * atan(1) / 3, 1e-15);
  cr_expect_eq(row[2], 0.1);
  values_of(study, 1, row);
  cr_expect_float_eq(row[0], 30, 1e-14);
  cr_expect_eq(row[2], 0.25);
  omr_study_destroy(study);
}

/* The text that a result keeps names the table's bytes, so that it does not run with others. */
Test(design_tables, the_kept_study_holds_the_hash_of_its_table) {
  write_text("hashed.csv", "gravity\n9\n10\n");
  omr_study *study = with_table("", "'file': 'hashed.csv'");
  char hash[33], name[256];
  omr_hash_hex("gravity\n9\n10\n", 13, hash);
  cr_expect_not_null(strstr(study->text, hash));
  file_path(name, sizeof name, "kept.json");
  omr_study *again = NULL;
  omr_error error = {0};
  cr_expect_eq(omr_study_parse(study->text, name, NULL, 0, &again, &error), OMR_OK, "%s",
               error.message);
  cr_expect_str_eq(again->hash, study->hash);
  omr_study_destroy(again);
  write_text("hashed.csv", "gravity\n9\n11\n");
  cr_expect_eq(omr_study_parse(study->text, name, NULL, 0, &again, &error), OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, "design.hash"), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "is not the one that this study was written for"));
  omr_study_destroy(study);
}

static void expect_refused_table(const char *csv, const char *const *expected) {
  char text[512], name[256];
  omr_study *study = NULL;
  omr_error error = {0};
  write_text("broken.csv", csv);
  snprintf(text, sizeof text,
           "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": 1e-3, \"duration\": 1},\n"
           "\"design\": {\"type\": \"table\", \"file\": \"broken.csv\"}}");
  file_path(name, sizeof name, "s.json");
  cr_expect_eq(omr_study_parse(text, name, NULL, 0, &study, &error), OMR_ERR_STUDY, "accepted: %s",
               csv);
  cr_expect_not_null(strstr(error.message, "s.json:2: design.file: "), "%s", error.message);
  for (; *expected; expected++)
    cr_expect_not_null(strstr(error.message, *expected), "\"%s\" is not in \"%s\"", *expected,
                       error.message);
  omr_study_destroy(study);
}

Test(design_tables, broken_tables_are_refused_with_line_and_column) {
  static const struct {
    const char *csv, *expected[3];
  } cases[] = {
      {"", {"is empty; a table starts with a header"}},
      {"gravity\n", {"has a header but no rows"}},
      {"gravity,\n1,2\n", {"broken.csv:1: column 2 has no name"}},
      {"gravity;platform.mass\n1;2\n", {"broken.csv:1", "parted by commas"}},
      {"gravty\n1\n", {"did you mean \"gravity\"?", "(column \"gravty\" of "}},
      {"gravity\n1\n\n0\n", {"gravity is 0 m s-2; it must be above 0", "broken.csv:4)"}},
      {"gravity\n1\n9.81 m/s2\n", {"broken.csv:3: column \"gravity\": \"9.81 m/s2\" is no number"}},
      {"gravity\n1\n\"low, for \"\"now\"\"\"\n", {"broken.csv:3: column \"gravity\": \"low, for"}},
      {"gravty\n9.81 m/s2\n", {"did you mean \"gravity\"?", "(column \"gravty\" of "}},
      {"instance,gravity\nfirst,1\n", {"broken.csv:2: column \"instance\": \"first\" is no"}},
      {"gravity\n0x10\n", {"broken.csv:2: column \"gravity\": \"0x10\" is no number"}},
      {"gravity\n0x1p3\n", {"\"0x1p3\" is no number"}},
      {"gravity\nnan(7)\n", {"\"nan(7)\" is no number"}},
      {"gravity\n-inf\n", {"-inf is no value", "broken.csv:2)"}},
      {"gravity\n\"1\"2\n", {"\"\"1\"2\" is no number"}},
      {"gravity\n\"1\n", {"\"\"1\" is no number"}},
      {"gravity\n1\nnan\n", {"is no value", "broken.csv:3)"}},
      {"gravity,platform.mass\n1,2\n3\n", {"broken.csv:3: has 1 fields; the header has 2"}},
      {"gravity,platform.mass\n1,2,3\n", {"broken.csv:2: has 3 fields; the header has 2"}},
      {"gravity [kg]\n1\n", {"the unit: ", "column \"gravity\""}},
      {"wheel.rollers\n6\n6.5\n", {"it must be a whole number", "broken.csv:3)"}},
      {"gravity,gravity\n1,2\n",
       {"columns 1 and 2 are both \"gravity\"", "give one of them another"}},
      {"instance,gravity,instance\n0,1,0\n", {"columns 1 and 3 are both \"instance\""}},
      {"instance,gravity\n0,1\n2,1\n", {"broken.csv:3: instance 2 stands where 1 is due"}},
      {"wheels[3].friction\n1\n", {"there is no such wheel"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_refused_table(cases[i].csv, cases[i].expected);
}

Test(design_tables, a_table_that_is_not_there_is_said_so) {
  omr_study *study = NULL;
  omr_error error = {0};
  cr_expect_eq(
      omr_study_parse(
          "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": 1e-3, \"duration\": 1},\n"
          "\"design\": {\"type\": \"table\", \"file\": \"/nowhere/x.csv\"}}",
          "s.json", NULL, 0, &study, &error),
      OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, "s.json:2: design.file: "), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "/nowhere/x.csv"), "%s", error.message);
}
