/* Instances that are traced by name: extremes run again after the run, with its bits, however the
 * run is done; the nominal vehicle stands beside them. */
#include "tests/campaign/campaign.h"

#include <math.h>

TestSuite(named, .init = set_up_campaign, .fini = tear_down, .timeout = 120);

#define NAMES                                                                                      \
  "--set", "output.trajectories={\"interval\": \"10 ms\", \"instances\": [0, 40, \"nominal\", "    \
           "\"extremes of path_length\", \"extremes of final_x\"]}"

enum { MOST = 1000 };

static size_t length_of(hid_t file, const char *name) {
  hsize_t lengths[3] = {0};
  cr_assert_geq(H5LTget_dataset_info(file, name, lengths, NULL, NULL), 0, "%s", name);
  return lengths[0];
}

static size_t read_column(hid_t file, const char *name, double *values) {
  const size_t count = length_of(file, name);
  cr_assert_leq(count, MOST);
  cr_assert_geq(H5LTread_dataset_double(file, name, values), 0, "%s", name);
  return count;
}

/* Row of the extreme among those that reached the end. */
static size_t extreme_row(const double *values, const double *status, size_t count, double sign) {
  size_t found = SIZE_MAX;
  for (size_t k = 0; k < count; k++)
    if (status[k] == 0 && !isnan(values[k]) &&
        (found == SIZE_MAX || sign * values[k] > sign * values[found]))
      found = k;
  cr_assert_neq(found, SIZE_MAX);
  return found;
}

/* The last sample of every traced instance that reached the end is what its row says. */
static void expect_ends(hid_t file) {
  static double status[MOST], x[MOST], numbers[MOST], traced[MOST], samples[MOST * 10];
  const size_t rows = read_column(file, "instances/status", status);
  read_column(file, "instances/final_x", x);
  read_column(file, "instances/instance", numbers);
  const size_t count = read_column(file, "trajectories/instance", traced),
               times = length_of(file, "trajectories/time");
  cr_assert_leq(count * times, sizeof samples / sizeof *samples);
  cr_assert_geq(H5LTread_dataset_double(file, "trajectories/x", samples), 0);
  for (size_t i = 0; i < count; i++) {
    size_t row = 0;
    cr_expect(i == 0 || traced[i] > traced[i - 1], "ascending");
    while (row < rows && numbers[row] != traced[i]) row++;
    cr_assert_lt(row, rows);
    if (status[row] != 0) continue;
    const double *last = &samples[i * times + times - 1];
    cr_expect_eq(memcmp(last, &x[row], sizeof x[row]), 0, "instance %.0f: %.17g, not %.17g",
                 traced[i], *last, x[row]);
  }
}

static bool is_traced(hid_t file, double number) {
  static double traced[MOST];
  const size_t count = read_column(file, "trajectories/instance", traced);
  for (size_t i = 0; i < count; i++)
    if (traced[i] == number) return true;
  return false;
}

/* Both ends of an observable are traced, and the file says which they are. */
static void expect_extremes(hid_t file, const char *observable) {
  static double status[MOST], values[MOST], numbers[MOST];
  char path[100], line[200], *names = NULL;
  snprintf(path, sizeof path, "instances/%s", observable);
  const size_t count = read_column(file, path, values);
  read_column(file, "instances/status", status);
  read_column(file, "instances/instance", numbers);
  cr_assert_geq(H5LTget_attribute_string(file, "/", "traced_names", (char *)&names), 0);
  for (int end = 0; end < 2; end++) {
    const double number = numbers[extreme_row(values, status, count, end ? 1 : -1)];
    cr_expect(is_traced(file, number), "%s %.0f", observable, number);
    snprintf(line, sizeof line, "%.0f %s %s", number, end ? "largest" : "smallest", observable);
    cr_expect_not_null(strstr(names, line), "%s: %s", line, names);
  }
  H5free_memory(names);
}

static void expect_named(const char *path) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0, "%s", path);
  expect_extremes(file, "path_length");
  expect_extremes(file, "final_x");
  expect_ends(file);
  cr_expect_eq(length_of(file, "nominal/instances/final_x"), 1);
  cr_expect_eq(length_of(file, "nominal/trajectories/x"), 1);
  H5Fclose(file);
}

Test(named, have_the_same_bits_after_kills_and_from_shards) {
  static const char *const points[] = {"chunk:2", "trace_named", "prepare:9"};
  expect(RUN("whole.h5", NAMES), OMR_OK);
  expect_named("whole.h5");
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    set_failpoint(points[i]);
    cr_assert_eq(RUN("r.h5", NAMES)->code, -1, "%s", points[i]);
    set_failpoint(NULL);
    expect(OMNIROLL("resume", "r.h5", "-q"), OMR_OK);
    expect_same(points[i], "whole.h5", "r.h5");
    cr_assert_eq(unlink("r.h5"), 0);
  }
  expect(RUN("a.h5", NAMES, "--shard", "1/2"), OMR_OK);
  expect(RUN("b.h5", NAMES, "--shard", "2/2"), OMR_OK);
  expect(OMNIROLL("merge", "-o", "m.h5", "a.h5", "b.h5", "-q"), OMR_OK);
  expect_same("merged", "whole.h5", "m.h5");
  expect(OMNIROLL("verify", "m.h5"), OMR_OK);
}

/* Where rows are not kept, those of named instances are. */
Test(named, have_the_same_bits_without_other_rows) {
  static double all[MOST * 10], none[MOST * 10];
  expect(RUN("all.h5", NAMES), OMR_OK);
  expect(RUN("none.h5", NAMES, "--set", "output.rows=none"), OMR_OK);
  expect_named("none.h5");
  const hid_t a = H5Fopen("all.h5", H5F_ACC_RDONLY, H5P_DEFAULT),
              b = H5Fopen("none.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  const size_t count = length_of(a, "trajectories/x") * length_of(a, "trajectories/time");
  cr_assert_leq(count, MOST * 10);
  cr_assert_eq(length_of(b, "trajectories/x"), length_of(a, "trajectories/x"));
  cr_assert_geq(H5LTread_dataset_double(a, "trajectories/x", all), 0);
  cr_assert_geq(H5LTread_dataset_double(b, "trajectories/x", none), 0);
  cr_expect_eq(memcmp(all, none, count * sizeof *all), 0);
  H5Fclose(a);
  H5Fclose(b);
}

#define SMALL                                                                                      \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"layout\": {\"type\": \"ring\", \"wheels\": "   \
  "3},"                                                                                            \
  " \"wheel\": {\"drive\": {\"type\": \"constant\", \"torque\": 1}}}, %s"                          \
  " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"20 ms\", \"stability\": \"ignore\","      \
  " \"step_error\": \"off\"}, \"statistics\": {\"fail\": {\"long\": \"path_length > 1 mm\"}},"     \
  " \"output\": {\"trajectories\": {\"interval\": \"10 ms\", \"instances\": [\"nominal\", "        \
  "\"extremes of path_length\", \"extremes of final_x\"]}}, \"engine\": {\"chunk\": 7}}"
#define DRAWN                                                                                      \
  "\"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.3, 0.6]},"                            \
  " {\"path\": \"platform.mass\", \"normal\": [12, 0.5]}],"
#define LEVELS                                                                                     \
  "\"vary\": [{\"path\": \"wheel.friction\", \"values\": [0.3, 0.4, 0.5]},"                        \
  " {\"path\": \"platform.mass\", \"values\": [10, 12]}],"

static const char *const designs[] = {
    "",
    LEVELS,
    LEVELS "\"design\": {\"type\": \"one_at_a_time\"},",
    "\"design\": {\"type\": \"list\", \"paths\": [\"wheel.friction\", \"platform.mass\"],"
    " \"rows\": [[0.3, 10], [0.5, 12], [0.4, 11]]},",
    "\"design\": {\"type\": \"table\", \"file\": \"t.csv\"},",
    DRAWN "\"design\": {\"type\": \"monte_carlo\", \"instances\": 20, \"seed\": 3},",
    DRAWN "\"design\": {\"type\": \"latin_hypercube\", \"instances\": 16, \"seed\": 3},",
    DRAWN "\"design\": {\"type\": \"sobol\", \"instances\": 16, \"seed\": 3},",
    DRAWN "\"design\": {\"type\": \"halton\", \"instances\": 16, \"seed\": 3},",
    "\"vary\": [{\"path\": \"platform.mass\", \"values\": [10, 12]},"
    " {\"path\": \"wheel.friction\", \"uniform\": [0.3, 0.6]}],"
    " \"design\": {\"type\": \"nested\", \"sample\": \"monte_carlo\", \"per_cell\": 5, \"seed\": "
    "3},",
    DRAWN "\"design\": {\"type\": \"saltelli\", \"groups\": 8, \"seed\": 1},",
    DRAWN "\"design\": {\"type\": \"morris\", \"trajectories\": 4, \"levels\": 4, \"seed\": 1},",
    DRAWN "\"design\": {\"type\": \"subset_simulation\", \"instances\": 100, \"levels\": 4,"
          " \"level_probability\": 0.1, \"fail\": \"long\", \"seed\": 1},"};

static void expect_hash_of_file(const char *path, const char *printed) {
  omr_result *result;
  char hex[33];
  omr_error *error = omr_error_create();
  cr_assert_eq(omr_result_open(path, &result, error), OMR_OK, "%s", omr_error_message(error));
  cr_assert_eq(omr_result_hash(result, hex, error), OMR_OK);
  cr_expect_not_null(strstr(printed, hex), "%s, in memory %s", hex, printed);
  cr_assert_not_null(omr_result_nominal(result));
  cr_expect_eq(omr_result_instances(omr_result_nominal(result)), 1);
  cr_expect_not_null(strstr(omr_result_traced_names(result), " largest final_x"));
  omr_result_destroy(result);
  omr_error_destroy(error);
}

/* In memory and into a file, on two backends. */
static void run_design(const char *backend) {
  cr_assert(unlink("d.h5") == 0 || !exists("d.h5"));
  expect(OMNIROLL("run", "d.json", "-q", "-o", "d.h5", "--backend", backend), OMR_OK);
  const hid_t file = H5Fopen("d.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_extremes(file, "path_length");
  expect_extremes(file, "final_x");
  expect_ends(file);
  H5Fclose(file);
  const outcome *o = OMNIROLL("run", "d.json", "--hash", "--backend", backend);
  expect(o, OMR_OK);
  expect_hash_of_file("d.h5", o->out);
}

static double first_value(const char *path, const char *dataset) {
  static double values[MOST];
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0, "%s", path);
  cr_assert_gt(read_column(file, dataset, values), 0);
  H5Fclose(file);
  return values[0];
}

/* --instance and --nominal alone give the bits of the whole run, which is in d.h5. */
static void run_single(const char *backend) {
  const double row = first_value("d.h5", "instances/final_x"),
               nominal = first_value("d.h5", "nominal/instances/final_x");
  const outcome *o = OMNIROLL("run", "d.json", "--instance", "0", "--trace", "-o", "i.h5",
                              "--overwrite", "--backend", backend);
  expect(o, OMR_OK);
  expect_text(o->out, "instance 0 of d.json");
  const double alone = first_value("i.h5", "instances/final_x");
  cr_expect_eq(memcmp(&alone, &row, sizeof row), 0, "%.17g, not %.17g", alone, row);
  cr_expect_eq(first_value("i.h5", "trajectories/instance"), 0);
  o = OMNIROLL("run", "d.json", "--nominal", "-o", "n.h5", "--overwrite", "--backend", backend);
  expect(o, OMR_OK);
  expect_text(o->out, "the nominal vehicle of d.json");
  const double itself = first_value("n.h5", "instances/final_x");
  cr_expect_eq(memcmp(&itself, &nominal, sizeof itself), 0, "%.17g, not %.17g", itself, nominal);
}

Test(named, are_there_in_designs_of_every_kind) {
  static char text[4000];
  write_file("t.csv", "wheel.friction,platform.mass [kg]\n0.3,10\n0.5,12\n0.4,11\n");
  for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
    snprintf(text, sizeof text, SMALL, designs[i]);
    write_file("d.json", text);
    run_design("openmp");
    run_single(i % 2 ? "openmp" : "scalar");
    if (i % 4 == 0) run_design("scalar");
  }
}

Test(named, say_what_they_are) {
  static char text[4000];
  snprintf(text, sizeof text, SMALL, designs[9]);
  write_file("d.json", text);
#define WITH(value) "--set", "output.trajectories.instances=" value
  expect(OMNIROLL("run", "d.json", "-q", "-o", "c.h5", WITH("first_of_each_cell")), OMR_OK);
  const hid_t file = H5Fopen("c.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_expect_eq(length_of(file, "trajectories/instance"), 2);
  cr_expect(is_traced(file, 0) && is_traced(file, 5));
  H5Fclose(file);
  const outcome *o =
      OMNIROLL("run", "d.json", "-v", "-o", "e.h5", WITH("\"extremes of path_length\""));
  expect(o, OMR_OK);
  expect_text(o->out, ": largest path_length");
  o = OMNIROLL("run", "d.json", "-q", "-o", "n.h5", WITH("nominal"));
  expect(o, OMR_OK);
  o = OMNIROLL("export", "n.h5", "--trajectories", "--columns", "x");
  expect(o, OMR_OK);
  expect_text(o->out, "\nnominal,0.01,");
}

Test(named, an_instance_of_a_later_level_follows_from_results) {
  static char text[4000];
  snprintf(text, sizeof text, SMALL, designs[12]);
  write_file("d.json", text);
  const outcome *o = OMNIROLL("run", "d.json", "--instance", "150");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "belongs to a later level of a subset simulation");
  expect_text(o->err, "output.trajectories");
}

/* A run in which nothing reaches the end has no extremes, and says so. */
Test(named, extremes_of_nothing_are_a_warning) {
  static char text[4000];
  snprintf(text, sizeof text, SMALL, "");
  write_file("d.json", text);
  const outcome *o =
      OMNIROLL("run", "d.json", "-v", "-o", "f.h5", "--set", "integrator.step=10 ms", "--set",
               "parameters.wheel.drive.torque=1e300", "--set", "statistics.failed_limit=1");
  expect(o, OMR_OK);
  expect_text(o->err, "no extremes of path_length are traced: no instance reached the end");
  expect_text(o->err, "the nominal vehicle failed: it ended as");
}

/* What --set leaves out of range is dropped, what the file or --set itself asks for is not. */
Test(named, instances_that_set_put_out_of_range_are_dropped_with_a_note) {
  static char text[4000];
  snprintf(text, sizeof text, SMALL, designs[5]);
  write_file("d.json", text);
  shell("sed -i 's/\\[\"nominal\", .*final_x\"\\]/[0, 7, 19]/' d.json");
#define FEWER "--set", "design.instances=5"
  const outcome *o = OMNIROLL("run", "d.json", "-v", "-o", "d.h5", FEWER);
  expect(o, OMR_OK);
  expect_text(o->err, "warning: not traced: instances 7, 19, which output.trajectories asks for: "
                      "with --set the study has 5 instances");
  const hid_t file = H5Fopen("d.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_expect_eq(length_of(file, "trajectories/instance"), 1);
  H5Fclose(file);
  expect(OMNIROLL("analyze", "d.h5"), OMR_OK);
  shell("sed -i 's/\\[0, 7, 19\\]/[19]/' d.json");
  expect(OMNIROLL("run", "d.json", "-q", "-o", "none.h5", FEWER), OMR_OK);
  expect(OMNIROLL("analyze", "none.h5"), OMR_OK);
  o = OMNIROLL("run", "d.json", FEWER, WITH("[6]"));
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "there is no instance 6");
  shell("sed -i 's/\\[19\\]/[20]/' d.json");
  expect(OMNIROLL("run", "d.json", FEWER), OMR_ERR_STUDY);
  expect(OMNIROLL("run", "d.json"), OMR_ERR_STUDY);
}
