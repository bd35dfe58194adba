/* export, plan and analyze on results that the program wrote, against the same study run in this
 * process. The program is named by the environment variable OMNIROLL. */
#include "../../host/result/reader.h"
#include "../unit/same_files.h"
#include "program.h"

#include <cjson/cJSON.h>
#include <hdf5_hl.h>
#include <math.h>

/* All wheels slide; where the centre of mass is far too high, friction lifts a wheel and the
 * instance ends. */
#define STUDY                                                                                      \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"wheel\": {\"initial\": {\"rate\": -30}}, "     \
  "\"initial\": {\"vx\": \"2 m/s\"}},"                                                             \
  " \"vary\": [{\"path\": \"wheel.friction\", \"values\": [0.1, 0.2, 0.30000000000000004, 0.9, "   \
  "0.5]},"                                                                                         \
  "            {\"path\": \"platform.center_of_mass.height\", \"values\": [0.1, \"12 cm\", 0.1, "  \
  "3, 0.1]}],"                                                                                     \
  " \"design\": {\"type\": \"monte_carlo\", \"instances\": 40, \"seed\": \"7\"},"                  \
  " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"60 ms\", \"stability\": \"ignore\"}, "    \
  "\"engine\": {\"backend\": "                                                                     \
  "\"openmp\"},"                                                                                   \
  " \"output\": {\"observables\": [\"path_length\", \"max_slip\", \"min_weight\"],"                \
  " \"trajectories\": {\"instances\": [0, 1, 2, 3, 4, 5], \"interval\": \"5 ms\"}}}"

static omr_result *whole; /* of the same study in this process */

static void start_up(void) {
  omr_study *study;
  omr_error error = {0};
  set_up();
  write_file("many.json", STUDY);
  cr_assert_eq(omr_study_load("many.json", NULL, 0, &study, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_run(study, NULL, &whole, &error), OMR_OK, "%s", error.message);
  omr_study_destroy(study);
  expect(OMNIROLL("run", "many.json", "-q", "-o", "many.h5"), 0);
}

static void clear_away(void) {
  omr_result_destroy(whole);
  tear_down();
}

TestSuite(file_commands, .init = start_up, .fini = clear_away);

/* The next field of a line, which ends at a comma or the line's end. */
static char *field(char **line) {
  char *start = *line, *end = start + strcspn(start, ",\n");
  *line = *end ? end + 1 : end;
  *end = 0;
  return start;
}

static void expect_value(const char *text, double value) {
  if (isnan(value))
    cr_expect_str_empty(text);
  else
    cr_expect(strtod(text, NULL) == value && *text, "%s is not %.17g", text, value);
}

Test(file_commands, every_instance_is_a_line_of_the_same_numbers) {
  char *line = (char *)(uintptr_t)OMNIROLL("export", "many.h5")->out;
  cr_assert_eq(last.code, 0, "%s", last.err);
  static const char header[] =
      "instance,wheel_friction,platform_center_of_mass_height [m],path_length [m],max_slip [m s-1],"
      "min_weight,status,status_time [s]\n";
  cr_assert(strncmp(line, header, strlen(header)) == 0, "%.300s", line);
  line += strlen(header);
  size_t lifted = 0;
  for (size_t k = 0; k < 40; k++) {
    cr_expect_eq((size_t)strtoul(field(&line), NULL, 10), k);
    for (size_t c = 0; c < 5; c++) expect_value(field(&line), whole->columns[c].values[k]);
    cr_expect_str_eq(field(&line), omr_instance_status_name(whole->status[k]));
    lifted += whole->status[k] == OMR_INSTANCE_LIFTED;
    expect_value(field(&line), whole->status_time[k]);
  }
  cr_expect_str_empty(line);
  cr_expect_gt(lifted, 0, "the study should have failed instances");
  expect(OMNIROLL("export", "many.h5", "-o", "many.csv"), 0);
  OMNIROLL("export", "many.h5");
  char text[TEXT];
  read_file("many.csv", text);
  cr_expect_str_eq(text, last.out, "file and standard output");
}

Test(file_commands, chosen_columns_come_in_the_order_asked_for) {
  char *line =
      (char *)(uintptr_t)OMNIROLL("export", "many.h5", "--columns", "status,max_slip")->out;
  cr_assert_eq(last.code, 0, "%s", last.err);
  cr_assert(strncmp(line, "instance,status,max_slip [m s-1]\n0,", 35) == 0, "%.80s", line);
  expect(OMNIROLL("export", "many.h5", "--columns", "max_slop"), OMR_ERR_USAGE);
  expect_text(last.err, "did you mean \"max_slip\"");
  expect(OMNIROLL("export", "short.json"), OMR_ERR_IO);
  expect_text(last.err, "short.json: is no HDF5 file");
  expect(OMNIROLL("export", "none.h5"), OMR_ERR_IO);
  expect_text(last.err, "none.h5: cannot be read");
}

/* The columns of parameters are a table that another study can run, with the same values. */
Test(file_commands, exported_parameters_are_the_table_of_a_design) {
  write_file(
      "again.json",
      "{\"model\": \"omni_vehicle\", \"design\": {\"type\": \"table\", \"file\": \"many.csv\"},"
      " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"60 ms\"}}");
  expect(OMNIROLL("export", "many.h5", "--columns", "wheel_friction,platform_center_of_mass_height",
                  "-o", "many.csv"),
         0);
  char first[TEXT];
  expect(OMNIROLL("sample", "many.json"), 0);
  strcpy(first, last.out);
  expect(OMNIROLL("sample", "again.json"), 0);
  cr_expect_str_eq(first, last.out);
}

/* One line per time until the instance's end, with the wheels beside each other. */
Test(file_commands, trajectories_are_lines_of_time) {
  char *line = (char *)(uintptr_t)OMNIROLL("export", "many.h5", "--trajectories", "--columns",
                                           "normal_load,x")
                   ->out;
  cr_assert_eq(last.code, 0, "%s", last.err);
  static const char header[] =
      "instance,time [s],normal_load_0 [N],normal_load_1 [N],normal_load_2 [N],x [m]\n";
  cr_assert(strncmp(line, header, strlen(header)) == 0, "%.300s", line);
  line += strlen(header);
  for (size_t t = 0; t < 6; t++) {
    for (size_t s = 0; s < whole->sample_count; s++) {
      const size_t at = t * whole->sample_count + s;
      if (whole->status[t] != OMR_INSTANCE_OK && whole->sample_time[s] > whole->status_time[t])
        continue;
      cr_expect_eq((size_t)strtoul(field(&line), NULL, 10), t);
      expect_value(field(&line), whole->sample_time[s]);
      for (size_t w = 0; w < 3; w++)
        expect_value(field(&line), whole->wheel_samples[OMR_WS_LOAD][at * 3 + w]);
      expect_value(field(&line), whole->vehicle_samples[OMR_VS_X][at]);
    }
  }
  cr_expect_str_empty(line);
  expect(OMNIROLL("run", "short.json", "-q"), 0);
  expect(OMNIROLL("export", "short.h5", "--trajectories"), OMR_ERR_USAGE);
  expect_text(last.err, "has no trajectories");
}

static double number(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  cr_assert(cJSON_IsNumber(item), "no number %s", name);
  return item->valuedouble;
}

static long size_of(const char *path) {
  struct stat info;
  cr_assert_eq(stat(path, &info), 0);
  return (long)info.st_size;
}

/* 40 instances in chunks of 16 are 3; 60 steps each. The file that the run made is not larger than
 * foretold. */
Test(file_commands, plan_says_what_a_run_will_take) {
  expect(OMNIROLL("plan", "many.json", "--json", "--set", "engine.chunk=16", "--shard", "1/5"), 0);
  cJSON *plan = cJSON_Parse(last.out);
  cr_assert_not_null(plan, "%s", last.out);
  cr_expect_eq(number(plan, "instances"), 40);
  cr_expect_eq(number(plan, "steps"), 60);
  cr_expect_eq(number(plan, "instance_steps"), 2400);
  cr_expect_eq(number(plan, "chunks"), 3);
  cr_expect_eq(number(plan, "chunk_instances"), 16);
  cr_expect_eq(number(plan, "trajectories"), 6);
  const cJSON *disk = cJSON_GetObjectItem(plan, "disk_bytes"),
              *measured = cJSON_GetObjectItem(plan, "measured");
  cr_expect_geq(number(disk, "result"), (double)size_of("many.h5"));
  cr_expect_leq(number(disk, "result"), 10 * (double)size_of("many.h5"));
  cr_expect_gt(number(disk, "free"), 0);
  cr_expect_gt(number(measured, "instance_steps_per_second"), 0);
  cr_expect_str_eq(cJSON_GetObjectItem(measured, "backend")->valuestring, "openmp");
  cr_expect_gt(number(plan, "estimated_seconds"), 0);
  cr_expect_gt(number(cJSON_GetObjectItem(plan, "memory_bytes"), "total"), 40 * 5 * 8);
  expect_text(last.out, "3 chunks cannot be shared among 5 processes");
  cJSON_Delete(plan);
  cr_expect_not(exists("many.h5.parts"), "a plan leaves no work behind");
}

Test(file_commands, plan_warns_of_a_long_step_and_of_too_little_disk) {
  expect(OMNIROLL("plan", "many.json", "--set", "integrator.step=0.02", "--set",
                  "output.trajectories.interval=0.02"),
         0);
  expect_text(last.out, "instances    40\n");
  expect_text(last.out, "warning: the step of 0.02 s is too long");
  expect(OMNIROLL("plan", "many.json", "--set", "design.instances=1000000000000"), 0);
  expect_text(last.out, "GB free, without which run refuses to begin");
  expect(OMNIROLL("plan", "many.json", "--set",
                  "design={\"type\":\"nested\",\"sample\":\"monte_carlo\",\"per_cell\":4}", "--set",
                  "vary[1]={\"path\":\"platform.mass\",\"uniform\":[10,20]}", "--set",
                  "output.trajectories.instances=[0]"),
         0);
  expect_text(last.out, "instances    20: 5 cells of 4\n");
  expect(OMNIROLL("plan", "many.json", "--backend", "nonsense"), OMR_ERR_STUDY);
}

/* How many of the instances that ended well have a longer path than that. */
static size_t count_longer(double limit, size_t *ok) {
  size_t count = 0;
  *ok = 0;
  for (size_t k = 0; k < 40; k++) {
    *ok += whole->status[k] == OMR_INSTANCE_OK;
    count += whole->status[k] == OMR_INSTANCE_OK && whole->columns[2].values[k] > limit;
  }
  return count;
}

Test(file_commands, analyze_applies_new_criteria_to_an_old_result) {
  size_t ok, longer;
  char criterion[96], limit[32];
  uint64_t met = 0;
  double sum = 0;
  count_longer(0, &ok);
  for (size_t k = 0; k < 40; k++)
    if (whole->status[k] == OMR_INSTANCE_OK) sum += whole->columns[2].values[k];
  snprintf(limit, sizeof limit, "%.6g", sum / (double)ok);
  longer = count_longer(strtod(limit, NULL), &ok);
  cr_assert(longer > 0 && longer < ok && ok < 40, "%zu of %zu", longer, ok);
  snprintf(criterion, sizeof criterion, "statistics.fail={\"far\":\"path_length > %s m\"}", limit);
  expect(OMNIROLL("analyze", "many.h5", "--set", criterion, "--json"), 0);
  cJSON *found = cJSON_Parse(last.out);
  cr_assert_not_null(found, "%s", last.out);
  const cJSON *far = cJSON_GetArrayItem(cJSON_GetObjectItem(found, "criteria"), 0);
  cr_expect_eq(number(far, "met"), (double)longer);
  cr_expect_eq(number(far, "not_met"), (double)(ok - longer));
  cJSON_Delete(found);
  expect(OMNIROLL("analyze", "many.h5", "--set", criterion, "-o", "new.h5"), 0);
  expect_text(last.out, "far");
  hid_t file = H5Fopen("new.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(H5LTread_dataset(file, "/statistics/met", H5T_NATIVE_UINT64, &met), 0);
  cr_expect_eq(met, longer);
  H5Fclose(file);
  omr_result *one, *two;
  cr_assert_eq(omr_result_open("many.h5", &one, NULL), OMR_OK);
  cr_assert_eq(omr_result_open("new.h5", &two, NULL), OMR_OK);
  for (size_t c = 0; c < 5; c++)
    cr_expect_arr_eq(one->columns[c].values, two->columns[c].values, 40 * sizeof(double));
  cr_expect_arr_eq(one->vehicle_samples[OMR_VS_X], two->vehicle_samples[OMR_VS_X],
                   6 * one->sample_count * sizeof(double));
  omr_result_destroy(one);
  omr_result_destroy(two);
}

/* The statistics take the place of those that were there. */
Test(file_commands, analyze_twice_makes_the_same_file) {
  expect(OMNIROLL("analyze", "many.h5", "--set", "statistics.fail=max_slip > 1", "-o", "one.h5"),
         0);
  expect(OMNIROLL("analyze", "one.h5", "--set", "statistics.quantiles=[0.1,0.2]", "-o", "two.h5"),
         0);
  expect(OMNIROLL("analyze", "two.h5", "--set", "statistics.fail=max_slip > 1", "-o", "three.h5"),
         0);
  expect_same_files("one.h5", "three.h5");
}

Test(file_commands, analyze_refuses_what_would_need_another_run) {
  expect(OMNIROLL("analyze", "many.h5", "--set", "integrator.step=1e-4"), OMR_ERR_USAGE);
  expect_text(last.err, "the run is over");
  expect(OMNIROLL("analyze", "many.h5", "--set", "statistics.fail=path_lenth > 1"), OMR_ERR_STUDY);
  expect(OMNIROLL("analyze", "short.json"), OMR_ERR_IO);
  expect(OMNIROLL("analyze", "many.h5", "-o", "many.h5"), OMR_ERR_USAGE);
  expect(OMNIROLL("sample", "many.json", "-o", "design.h5"), 0);
  expect(OMNIROLL("analyze", "design.h5"), OMR_ERR_USAGE);
  expect_text(last.err, "not run");
}

/* Its instances are no sample for another criterion; other settings do not depend on how they were
 * drawn. */
Test(file_commands, analyze_keeps_the_criterion_of_a_subset_simulation) {
  expect(OMNIROLL("run", "short.json", "-q", "--set",
                  "design={\"type\":\"subset_simulation\",\"instances\":100}", "--set",
                  "statistics={\"fail\":\"final_vx > 0.4\"}", "--set",
                  "vary=[{\"path\":\"initial.vx\",\"normal\":[0,0.2]}]"),
         0);
  expect(OMNIROLL("analyze", "short.h5", "--set", "statistics.fail=final_vx > 0.3"), OMR_ERR_USAGE);
  expect_text(last.err, "drawn towards the failure");
  expect(OMNIROLL("analyze", "short.h5", "--set", "statistics.confidence=0.9"), 0);
  expect_text(last.out, "by subset simulation");
  expect(OMNIROLL("analyze", "short.h5", "-o", "copy.h5"), 0);
  expect(OMNIROLL("verify", "copy.h5"), 0);
}

Test(file_commands, analyze_needs_no_table_any_more) {
  write_file("table.csv", "wheel.friction,platform.mass [g]\n0.25,12345\n0.5,15000\n0.75,20000\n");
  expect(OMNIROLL("run", "short.json", "-q", "--set",
                  "design={\"type\":\"table\",\"file\":\"table.csv\"}"),
         0);
  cr_assert_eq(unlink("table.csv"), 0);
  expect(OMNIROLL("analyze", "short.h5", "--set",
                  "statistics.fail=wheel.friction >= 0.5 && platform.mass > 14 kg", "--json"),
         0);
  cJSON *found = cJSON_Parse(last.out);
  cr_assert_not_null(found);
  cr_expect_eq(number(cJSON_GetArrayItem(cJSON_GetObjectItem(found, "criteria"), 0), "met"), 2);
  cJSON_Delete(found);
}

/* A pipe without a writer: whoever opens it waits for ever. */
Test(file_commands, a_pipe_is_no_result, .timeout = 60) {
  const char *const commands[] = {"verify", "analyze", "export"};
  cr_assert_eq(mkfifo("pipe.h5", 0600), 0);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    expect(OMNIROLL(commands[i], "pipe.h5"), OMR_ERR_IO);
    expect_text(last.err, "pipe.h5: is a pipe, a socket or a device; a result is a plain file");
  }
}
