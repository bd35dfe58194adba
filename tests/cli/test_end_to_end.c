/* From the study file through the built program to the HDF5 file, read back with the HDF5 library
 * and compared with the same study run in this process. The program is named by the environment
 * variable OMNIROLL. */
#include "tests/parity/parity.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <sys/wait.h>
#include <unistd.h>

#define STUDY "tests/parity/parity.json"

static char folder[64];

static void set_up(void) {
  cr_assert_not_null(getenv("OMNIROLL"), "set OMNIROLL to the built program");
  strcpy(folder, "/tmp/omniroll-end-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void tear_down(void) {
  char command[96];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
}

TestSuite(end_to_end, .init = set_up, .fini = tear_down, .timeout = 300);

/* Path in the test's folder, valid until the next but one call. */
static const char *in_folder(const char *name) {
  static char paths[2][128];
  static int next;
  next = !next;
  snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
  return paths[next];
}

/* Exit code of the program run on the study; its output is kept in "out". */
static int run_program(const char *options, const char *output) {
  char command[512];
  snprintf(command, sizeof command, "\"$OMNIROLL\" run %s -o %s %s >%s/out 2>&1", STUDY,
           in_folder(output), options, folder);
  int code = system(command);
  return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

static bool printed(const char *part) {
  char *text;
  size_t length;
  cr_assert_eq(omr_read_file(in_folder("out"), &text, &length, NULL), OMR_OK);
  bool found = strstr(text, part) != NULL;
  free(text);
  return found;
}

static hid_t open_result(const char *name) {
  hid_t file = H5Fopen(in_folder(name), H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0, "%s is no HDF5 file", name);
  return file;
}

static void expect_text(hid_t file, const char *object, const char *name, const char *expected) {
  char *text = NULL;
  cr_assert_gt(H5Aexists_by_name(file, object, name, H5P_DEFAULT), 0, "%s has no attribute %s",
               object, name);
  cr_assert_geq(H5LTget_attribute_string(file, object, name, (char *)&text), 0);
  cr_expect_str_eq(text, expected, "%s of %s is %s", name, object, text);
  H5free_memory(text);
}

static double number(hid_t file, const char *name) {
  double value = 0;
  cr_assert_geq(H5LTget_attribute_double(file, "/", name, &value), 0, "no attribute %s", name);
  return value;
}

static void expect_number(hid_t file, const char *name, double expected) {
  const double value = number(file, name);
  cr_expect_eq(value, expected, "%s is %.17g", name, value);
}

/* Dimensions of what is sampled, and of what stays. */
static const char *const sampled[] = {"instance", "time", "wheel"}, *const built[] = {"instance",
                                                                                      "wheel"};

/* Every dimension of a dataset has the scale of that name. */
static void expect_scales(hid_t file, const char *path, int rank, const char *const *names) {
  char scale[96];
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  cr_assert_geq(dataset, 0, "no dataset %s", path);
  for (int d = 0; d < rank; d++) {
    snprintf(scale, sizeof scale, "%.*s/%s", (int)(strrchr(path, '/') - path), path, names[d]);
    hid_t id = H5Dopen2(file, scale, H5P_DEFAULT);
    cr_assert_geq(id, 0, "no scale %s", scale);
    cr_expect_gt(H5DSis_scale(id), 0, "%s is no dimension scale", scale);
    cr_expect_gt(H5DSis_attached(dataset, id, (unsigned)d), 0, "%s is not attached to %s", scale,
                 path);
    H5Dclose(id);
  }
  H5Dclose(dataset);
}

/* A dataset with these values, this unit and scales; `lengths` of its dimensions. */
static void expect_dataset_over(hid_t file, const char *path, const char *unit,
                                const double *values, int rank, const hsize_t *lengths,
                                const char *const *names) {
  hsize_t found[3] = {0}, count = 1;
  H5T_class_t class;
  size_t size;
  int dimensions = 0;
  cr_assert_geq(H5LTget_dataset_ndims(file, path, &dimensions), 0, "no dataset %s", path);
  cr_assert_eq(dimensions, rank, "%s has %d dimensions", path, dimensions);
  cr_assert_geq(H5LTget_dataset_info(file, path, found, &class, &size), 0);
  for (int d = 0; d < rank; d++) {
    cr_assert_eq(found[d], lengths[d], "dimension %d of %s is %llu", d, path,
                 (unsigned long long)found[d]);
    count *= lengths[d];
  }
  double *read = calloc(count, sizeof *read);
  cr_assert_geq(H5LTread_dataset_double(file, path, read), 0);
  cr_expect_eq(count_differences("file", path, values, read, count), 0);
  free(read);
  expect_text(file, path, "units", unit);
  expect_scales(file, path, rank, names);
}

static void expect_dataset(hid_t file, const char *path, const char *unit, const double *values,
                           int rank, const hsize_t *lengths) {
  expect_dataset_over(file, path, unit, values, rank, lengths, sampled);
}

static void expect_instances(hid_t file, const omr_result *r) {
  const hsize_t length = r->instances;
  char path[96];
  for (size_t c = 0; c < r->column_count; c++) {
    snprintf(path, sizeof path, "/instances/%s", r->columns[c].name);
    expect_dataset(file, path, r->columns[c].unit, r->columns[c].values, 1, &length);
    expect_text(file, path, "long_name", r->columns[c].meaning);
    expect_text(file, path, "role", c < r->parameter_count ? "parameter" : "observable");
  }
  expect_dataset(file, "/instances/status_time", "s", r->status_time, 1, &length);
  expect_scales(file, "/instances/status", 1, sampled);
  int8_t *status = calloc(r->instances, sizeof *status);
  cr_assert_geq(H5LTread_dataset(file, "/instances/status", H5T_NATIVE_INT8, status), 0);
  cr_expect_arr_eq(status, r->status, r->instances);
  free(status);
}

static void expect_trajectories(hid_t file, const omr_result *r) {
  const hsize_t lengths[] = {r->traced_count, r->sample_count, (hsize_t)r->wheels};
  char path[96];
  for (int j = 0; j < OMR_VS_COUNT; j++) {
    snprintf(path, sizeof path, "/trajectories/%s", omr_vehicle_samples[j].name);
    if (r->vehicle_samples[j])
      expect_dataset(file, path, omr_vehicle_samples[j].unit, r->vehicle_samples[j], 2, lengths);
    else
      cr_expect_eq(H5Lexists(file, path, H5P_DEFAULT), 0,
                   "%s is there, though the model has no such thing", path);
  }
  for (int j = 0; j < OMR_WS_COUNT; j++) {
    snprintf(path, sizeof path, "/trajectories/%s", omr_wheel_samples[j].name);
    if (r->wheel_samples[j])
      expect_dataset(file, path, omr_wheel_samples[j].unit, r->wheel_samples[j], 3, lengths);
    else
      cr_expect_eq(H5Lexists(file, path, H5P_DEFAULT), 0,
                   "%s is there, though the law has no such thing", path);
  }
  const hsize_t across[] = {r->traced_count, (hsize_t)r->wheels};
  for (int j = 0; j < OMR_SHAPE_COUNT; j++) {
    snprintf(path, sizeof path, "/trajectories/%s", omr_wheel_shapes[j].name);
    expect_dataset_over(file, path, omr_wheel_shapes[j].unit, r->wheel_shapes[j], 2, across, built);
  }
}

/* The file of the program against a result of this process. */
static void expect_file(const char *name, const omr_result *r) {
  hid_t file = open_result(name);
  expect_text(file, "/", "backend", r->record.backend);
  expect_text(file, "/", "precision", r->record.precision);
  expect_text(file, "/", "numerics", "exact");
  expect_text(file, "/", "rounding", "correct");
  expect_text(file, "/", "study", r->study_text);
  expect_text(file, "/", "study_hash", r->study_hash);
  expect_text(file, "/", "title", r->study_title);
  expect_text(file, "/", "model", r->model);
  expect_text(file, "/", "omniroll_version", omr_version());
  expect_number(file, "step", r->step);
  expect_number(file, "duration", r->duration);
  expect_number(file, "instance_steps", r->record.instance_steps);
  expect_instances(file, r);
  expect_trajectories(file, r);
  H5Fclose(file);
}

static void check_backend(const char *options, const engine *e) {
  omr_result *expected = run_study(STUDY, e);
  if (!expected) cr_skip_test("%s is not here", e->backend);
  cr_assert_eq(run_program(options, "result.h5"), 0, "%s", options);
  char counts[64];
  size_t ok = 0;
  for (size_t k = 0; k < expected->instances; k++) ok += expected->status[k] == OMR_INSTANCE_OK;
  snprintf(counts, sizeof counts, "%zu: %zu ok, %zu failed", expected->instances, ok,
           expected->instances - ok);
  cr_expect(printed(counts), "the program does not say %s", counts);
  expect_file("result.h5", expected);
  omr_result_destroy(expected);
}

Test(end_to_end, openmp_leaves_in_the_file_what_the_library_computes) {
  check_backend("--backend openmp --threads 2",
                &(engine){.backend = "openmp", .threads = 2, .step_error = true});
}

Test(end_to_end, the_scalar_backend_leaves_in_the_file_what_the_library_computes) {
  check_backend("--backend scalar", &(engine){.backend = "scalar", .step_error = true});
}

Test(end_to_end, opencl_leaves_in_the_file_what_the_library_computes) {
  check_backend("--backend opencl --set engine.lanes=8",
                &(engine){.backend = "opencl", .lanes = 8, .step_error = true});
}

Test(end_to_end, single_precision_leaves_in_the_file_what_the_library_computes) {
  omr_result *expected =
      run_study(STUDY, &(engine){.backend = "openmp", .precision = "single", .step_error = true});
  cr_assert_eq(run_program("--backend openmp --precision single", "single.h5"), 0);
  expect_file("single.h5", expected);
  omr_result_destroy(expected);
}

Test(end_to_end, set_changes_the_study_that_runs_and_the_text_in_the_file) {
  engine e = {.backend = "openmp", .other = "parameters.platform.mass=15 kg", .step_error = true};
  omr_result *expected = run_study(STUDY, &e),
             *other = run_study(STUDY, &(engine){.backend = "openmp", .step_error = true});
  cr_assert_eq(run_program("--backend openmp --set 'parameters.platform.mass=15 kg'", "set.h5"), 0);
  expect_file("set.h5", expected);
  cr_expect(strstr(expected->study_text, "15 kg"));
  cr_expect_str_neq(expected->study_hash, other->study_hash);
  cr_expect_neq(expected->columns[expected->column_count - 2].values[0],
                other->columns[other->column_count - 2].values[0]);
  omr_result_destroy(expected);
  omr_result_destroy(other);
}

typedef struct comparison {
  hid_t other;
  int datasets;
} comparison;

/* Text of any length is read as pointers to it. */
static bool same_values(const char *a, const char *b, size_t bytes, bool text) {
  if (!text) return memcmp(a, b, bytes) == 0;
  for (size_t i = 0; i < bytes / sizeof(char *); i++)
    if (strcmp(((char *const *)a)[i], ((char *const *)b)[i]) != 0) return false;
  return true;
}

static herr_t compare_object(hid_t file, const char *path, const H5O_info_t *info, void *user) {
  comparison *c = user;
  if (info->type != H5O_TYPE_DATASET) return 0;
  hid_t a = H5Dopen2(file, path, H5P_DEFAULT), b = H5Dopen2(c->other, path, H5P_DEFAULT);
  cr_assert_geq(b, 0, "the second file has no %s", path);
  hid_t type = H5Dget_type(a), space = H5Dget_space(a), other = H5Dget_space(b);
  cr_assert_gt(H5Sextent_equal(space, other), 0, "%s", path);
  size_t bytes = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
  char *in_a = malloc(bytes), *in_b = malloc(bytes);
  cr_assert_geq(H5Dread(a, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, in_a), 0);
  cr_assert_geq(H5Dread(b, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, in_b), 0);
  const bool text = H5Tis_variable_str(type) > 0;
  cr_expect(same_values(in_a, in_b, bytes, text), "%s differs", path);
  if (text) H5Dvlen_reclaim(type, space, H5P_DEFAULT, in_a);
  if (text) H5Dvlen_reclaim(type, space, H5P_DEFAULT, in_b);
  free(in_a);
  free(in_b);
  H5Tclose(type);
  H5Sclose(space);
  H5Sclose(other);
  H5Dclose(a);
  H5Dclose(b);
  c->datasets++;
  return 0;
}

Test(end_to_end, two_runs_leave_the_same_datasets) {
  cr_assert_eq(run_program("--backend openmp --threads 1", "a.h5"), 0);
  cr_assert_eq(run_program("--backend openmp --threads 2", "b.h5"), 0);
  hid_t a = open_result("a.h5");
  comparison c = {.other = open_result("b.h5"), .datasets = 0};
  cr_assert_geq(H5Ovisit2(a, H5_INDEX_NAME, H5_ITER_INC, compare_object, &c, H5O_INFO_BASIC), 0);
  cr_expect_gt(c.datasets, 30, "only %d datasets", c.datasets);
  H5Fclose(a);
  H5Fclose(c.other);
}

/* The parts of the time that the line names are measured apart, so that with the integration they
 * are no more than the whole; what the file says of them is what the line says, but for the end
 * that was still to come. */
Test(end_to_end, a_run_says_what_part_of_its_time_it_integrated) {
  char *text;
  size_t length;
  double share, wall, part, sum;
  cr_assert_eq(run_program("--backend openmp -v", "time.h5"), 0);
  cr_assert_eq(omr_read_file(in_folder("out"), &text, &length, NULL), OMR_OK);
  const char *line = strstr(text, "\nintegrating ");
  cr_assert_not_null(line, "%s", text);
  cr_assert_eq(sscanf(line, " integrating %lf %% of %lf s", &share, &wall), 2, "%s", line);
  sum = share;
  for (const char *at = strpbrk(line + 1, "(,\n"); at && *at != '\n'; at = strpbrk(at + 1, ",)\n"))
    if (sscanf(at + 1, " %*[a-z] %lf", &part) == 1) sum += part;
  cr_expect(share > 0 && sum <= 100.3, "%s", line);
  cr_expect_null(strchr(strchr(line + 1, '\n') + 1, '%'), "it is the last but one line");
  const hid_t file = open_result("time.h5");
  const double kernels = number(file, "kernel_seconds");
  cr_expect_float_eq(100 * kernels / wall, share, 0.06 + 0.001 * share,
                     "%g s of %g s are not %g %%", kernels, wall, share);
  cr_expect_geq(number(file, "statistics_seconds"), 0);
  cr_expect_gt(number(file, "write_seconds"), 0);
  cr_expect_lt(number(file, "statistics_seconds") + number(file, "write_seconds") + kernels,
               wall * 1.001);
  H5Fclose(file);
  free(text);
  cr_assert_eq(run_program("--backend openmp -q", "quiet.h5"), 0);
  cr_expect_not(printed("integrating"));
}

Test(end_to_end, a_refused_device_leaves_no_file) {
  cr_expect_eq(run_program("--backend openmp --device avx1024", "none.h5"), OMR_ERR_DEVICE);
  cr_expect(printed("avx1024"));
  cr_expect_neq(access(in_folder("none.h5"), F_OK), 0);
}
