/* The result file: what omr_result_write puts on disk, read back with the HDF5 library, and what it
 * leaves when it fails. The expected figures are the ones that make_result puts in. */
#include "made_result.h"

#include <errno.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <sys/stat.h>

TestSuite(hdf5, .init = make_folder, .fini = remove_folder);

static hid_t write_and_open(const omr_result *result) {
  omr_error error = {0};
  cr_assert_eq(omr_result_write(result, in_folder("result.h5"), &error), OMR_OK, "%s",
               error.message);
  hid_t file = H5Fopen(in_folder("result.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0);
  return file;
}

static char *attribute_text(hid_t file, const char *object, const char *name) {
  char *text = NULL;
  hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  cr_assert_geq(attribute, 0, "%s has no attribute %s", object, name);
  hid_t type = H5Aget_type(attribute);
  cr_assert_gt(H5Tis_variable_str(type), 0, "%s of %s is no text", name, object);
  cr_assert_eq(H5Tget_cset(type), H5T_CSET_UTF8);
  cr_assert_geq(H5Aread(attribute, type, &text), 0);
  H5Tclose(type);
  H5Aclose(attribute);
  return text;
}

static void expect_text(hid_t file, const char *object, const char *name, const char *expected) {
  char *text = attribute_text(file, object, name);
  cr_expect_str_eq(text, expected, "%s of %s is %s", name, object, text);
  H5free_memory(text);
}

static double attribute_number(hid_t file, const char *name) {
  double value = (double)NAN;
  cr_assert_geq(H5LTget_attribute_double(file, "/", name, &value), 0, "no attribute %s", name);
  return value;
}

static void expect_doubles(hid_t file, const char *dataset, const double *expected, size_t count) {
  double *values = malloc(count * sizeof *values);
  cr_assert_geq(H5LTread_dataset_double(file, dataset, values), 0, "no dataset %s", dataset);
  for (size_t i = 0; i < count; i++)
    cr_assert(values[i] == expected[i] || (isnan(values[i]) && isnan(expected[i])), "%s[%zu] is %g",
              dataset, i, values[i]);
  free(values);
}

Test(hdf5, columns_come_back_bit_for_bit_with_unit_meaning_and_role) {
  omr_result *result = make_result(5);
  hid_t file = write_and_open(result);
  for (size_t c = 0; c < COLUMNS; c++) {
    const omr_column *column = &result->columns[c];
    char path[64];
    double fill = 0;
    snprintf(path, sizeof path, "/instances/%s", column->name);
    expect_doubles(file, path, column->values, 5);
    expect_text(file, path, "units", column->unit);
    expect_text(file, path, "long_name", column->meaning);
    expect_text(file, path, "role", c < PARAMETERS ? "parameter" : "observable");
    cr_assert_geq(H5LTget_attribute_double(file, path, "_FillValue", &fill), 0);
    cr_expect(isnan(fill));
  }
  H5Fclose(file);
  omr_result_destroy(result);
}

Test(hdf5, status_names_every_code_that_an_instance_can_have) {
  omr_result *result = make_result(5);
  hid_t file = write_and_open(result);
  int8_t status[5], codes[OMR_INSTANCE_STATUS_COUNT];
  cr_assert_geq(H5LTread_dataset(file, "/instances/status", H5T_NATIVE_INT8, status), 0);
  cr_expect_arr_eq(status, result->status, 5);
  cr_assert_geq(H5LTget_attribute(file, "/instances/status", "flag_values", H5T_NATIVE_INT8, codes),
                0);
  char *names = attribute_text(file, "/instances/status", "flag_meanings"), *rest = names;
  for (int i = 0; i < OMR_INSTANCE_STATUS_COUNT; i++)
    cr_expect_str_eq(strtok_r(NULL, " ", &rest), omr_instance_status_name(codes[i]));
  cr_expect_null(strtok_r(NULL, " ", &rest), "more names than codes");
  H5free_memory(names);
  expect_doubles(file, "/instances/status_time", result->status_time, 5);
  expect_text(file, "/instances/status_time", "units", "s");
  H5Fclose(file);
  omr_result_destroy(result);
}

static herr_t expect_scales(hid_t group, const char *name, const H5L_info_t *info, void *count) {
  (void)info;
  hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  int rank = H5Sget_simple_extent_ndims(space);
  char scale[32] = "";
  if (H5DSis_scale(dataset) > 0) {
    cr_expect_gt(H5DSget_scale_name(dataset, scale, sizeof scale), 0, "scale %s has no name", name);
    cr_expect_str_eq(scale, name);
  } else {
    for (int d = 0; d < rank; d++)
      cr_expect_eq(H5DSget_num_scales(dataset, (unsigned)d), 1, "%s: dimension %d has no scale",
                   name, d);
  }
  H5Sclose(space);
  H5Dclose(dataset);
  ++*(int *)count;
  return 0;
}

static int count_datasets_with_scales(hid_t file, const char *group) {
  int count = 0;
  hid_t id = H5Gopen2(file, group, H5P_DEFAULT);
  cr_assert_geq(H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, NULL, expect_scales, &count), 0);
  H5Gclose(id);
  return count;
}

Test(hdf5, every_dataset_has_a_named_scale_on_every_dimension) {
  omr_result *result = make_result(9);
  add_trajectories(result, 2, 7);
  hid_t file = write_and_open(result);
  cr_expect_eq(count_datasets_with_scales(file, "/instances"), COLUMNS + 3);
  cr_expect_eq(count_datasets_with_scales(file, "/trajectories"),
               OMR_VS_COUNT + OMR_WS_COUNT + OMR_SHAPE_COUNT + 3);
  H5Fclose(file);
  omr_result_destroy(result);
}

static void expect_shape(hid_t file, const char *dataset, int rank, const hsize_t *expected) {
  int found;
  hsize_t shape[3];
  cr_assert_geq(H5LTget_dataset_ndims(file, dataset, &found), 0, "no dataset %s", dataset);
  cr_assert_eq(found, rank, "%s has %d dimensions", dataset, found);
  H5LTget_dataset_info(file, dataset, shape, NULL, NULL);
  for (int d = 0; d < rank; d++)
    cr_expect_eq(shape[d], expected[d], "%s: dimension %d", dataset, d);
}

static void expect_sample(hid_t file, omr_sample_info info, int rank, const double *values) {
  const hsize_t shape[] = {2, 7, WHEELS};
  char path[64];
  snprintf(path, sizeof path, "/trajectories/%s", info.name);
  expect_shape(file, path, rank, shape);
  expect_doubles(file, path, values, rank == 2 ? 2 * 7 : 2 * 7 * WHEELS);
  expect_text(file, path, "units", info.unit);
  expect_text(file, path, "long_name", info.meaning);
}

static void expect_wheel_shape(hid_t file, omr_sample_info info, const double *values) {
  const hsize_t shape[] = {2, WHEELS};
  char path[64];
  snprintf(path, sizeof path, "/trajectories/%s", info.name);
  expect_shape(file, path, 2, shape);
  expect_doubles(file, path, values, 2 * WHEELS);
  expect_text(file, path, "units", info.unit);
}

Test(hdf5, trajectories_are_instance_by_time_by_wheel) {
  omr_result *result = make_result(9);
  add_trajectories(result, 2, 7);
  hid_t file = write_and_open(result);
  for (int i = 0; i < OMR_VS_COUNT; i++)
    expect_sample(file, omr_vehicle_samples[i], 2, result->vehicle_samples[i]);
  for (int i = 0; i < OMR_WS_COUNT; i++)
    expect_sample(file, omr_wheel_samples[i], 3, result->wheel_samples[i]);
  for (int i = 0; i < OMR_SHAPE_COUNT; i++)
    expect_wheel_shape(file, omr_wheel_shapes[i], result->wheel_shapes[i]);
  uint64_t traced[2];
  cr_assert_geq(H5LTread_dataset(file, "/trajectories/instance", H5T_NATIVE_UINT64, traced), 0);
  cr_expect_arr_eq(traced, result->traced, sizeof traced);
  expect_doubles(file, "/trajectories/time", result->sample_time, 7);
  H5Fclose(file);
  omr_result_destroy(result);
}

Test(hdf5, without_traced_instances_there_is_no_group_of_trajectories) {
  omr_result *result = make_result(4);
  hid_t file = write_and_open(result);
  cr_expect_eq(H5Lexists(file, "/trajectories", H5P_DEFAULT), 0);
  H5Fclose(file);
  omr_result_destroy(result);
}

Test(hdf5, the_root_says_what_ran_where_and_how_fast) {
  omr_result *result = make_result(4);
  hid_t file = write_and_open(result);
  expect_text(file, "/", "Conventions", "CF-1.10");
  expect_text(file, "/", "title", "Quadrat über Eck");
  expect_text(file, "/", "model", "omni_vehicle");
  expect_text(file, "/", "study_name", "square.json");
  expect_text(file, "/", "study_hash", result->study_hash);
  expect_text(file, "/", "seed", "18446744073709551615");
  expect_text(file, "/", "omniroll_version", omr_version());
  expect_text(file, "/", "build", omr_build_info());
  expect_text(file, "/", "backend", "openmp");
  expect_text(file, "/", "device", "avx2");
  expect_text(file, "/", "precision", "double");
  cr_expect_eq(attribute_number(file, "lanes"), 8);
  cr_expect_eq(attribute_number(file, "threads"), 2);
  cr_expect_eq(attribute_number(file, "step"), 1e-4);
  cr_expect_eq(attribute_number(file, "duration"), 2.5);
  cr_expect_eq(attribute_number(file, "steps_per_second"), 5e6 / 2.0);
  char *created = attribute_text(file, "/", "created");
  cr_expect_eq(strlen(created), strlen("2000-01-01T00:00:00Z"));
  H5free_memory(created);
  H5Fclose(file);
  omr_result_destroy(result);
}

/* An attribute in an object's header can hold 64 KiB at most. */
Test(hdf5, a_study_text_of_200_kib_is_kept_whole) {
  omr_result *result = make_result(2);
  const size_t length = 200 * 1024;
  free(result->study_text);
  result->study_text = malloc(length + 1);
  for (size_t i = 0; i < length; i++) result->study_text[i] = (char)('a' + i % 26);
  result->study_text[length] = '\0';
  hid_t file = write_and_open(result);
  expect_text(file, "/", "study", result->study_text);
  H5Fclose(file);
  omr_result_destroy(result);
}

static int filters_of(hid_t file, const char *name) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), creation = H5Dget_create_plist(dataset);
  const int filters = H5Pget_nfilters(creation);
  unsigned flags, config;
  size_t values = 0;
  cr_expect_eq(H5Pget_layout(creation), H5D_CHUNKED, "%s", name);
  cr_assert_gt(filters, 0, "%s", name);
  cr_expect_eq(
      H5Pget_filter2(creation, (unsigned)filters - 1, &flags, &values, NULL, 0, NULL, &config),
      H5Z_FILTER_FLETCHER32, "%s", name);
  H5Pclose(creation);
  H5Dclose(dataset);
  return filters;
}

Test(hdf5, only_datasets_above_64_kib_are_compressed_and_all_are_summed) {
  omr_result *result = make_result(8193); /* times 8 bytes: just above */
  add_trajectories(result, 3, 1000);      /* times 3 wheels and 8 bytes: 72 000 */
  hid_t file = write_and_open(result);
  cr_expect_eq(filters_of(file, "/instances/path_length"), 3);
  cr_expect_eq(filters_of(file, "/instances/status"), 1);
  cr_expect_eq(filters_of(file, "/trajectories/x"), 1);
  cr_expect_eq(filters_of(file, "/trajectories/normal_load"), 3);
  expect_doubles(file, "/instances/path_length", result->columns[1].values, result->instances);
  expect_doubles(file, "/trajectories/normal_load", result->wheel_samples[OMR_WS_LOAD],
                 3 * 1000 * WHEELS);
  H5Fclose(file);
  omr_result_destroy(result);
}

Test(hdf5, large_samples_of_many_instances_survive_chunking) {
  omr_result *result = make_result(300);
  add_trajectories(result, 150, 701); /* no multiple of the chunk in any dimension */
  hid_t file = write_and_open(result);
  expect_doubles(file, "/trajectories/x", result->vehicle_samples[OMR_VS_X], 150 * 701);
  expect_doubles(file, "/trajectories/force_k", result->wheel_samples[OMR_WS_FORCE_K],
                 150 * 701 * WHEELS);
  H5Fclose(file);
  omr_result_destroy(result);
}

static char *slurp(const char *path, size_t *length) {
  FILE *in = fopen(path, "rb");
  cr_assert_not_null(in);
  char *data = malloc(1 << 20);
  *length = fread(data, 1, 1 << 20, in);
  fclose(in);
  return data;
}

/* The time of writing, in whole seconds, stands in the file, and a checksum covers it: two files of
 * one second are the same to the last byte. */
Test(hdf5, the_same_result_gives_the_same_file_within_a_second) {
  omr_result *result = make_result(50);
  add_trajectories(result, 2, 7);
  bool same = false;
  for (int attempt = 0; attempt < 5 && !same; attempt++) {
    size_t length[2];
    char *data[2];
    for (int i = 0; i < 2; i++) {
      cr_assert_eq(omr_result_write(result, in_folder("result.h5"), NULL), OMR_OK);
      data[i] = slurp(in_folder("result.h5"), &length[i]);
    }
    same = length[0] == length[1] && memcmp(data[0], data[1], length[0]) == 0;
    free(data[0]);
    free(data[1]);
  }
  cr_expect(same);
  omr_result_destroy(result);
}

Test(hdf5, a_success_leaves_the_result_and_nothing_else) {
  omr_result *result = make_result(3);
  char stale[128];
  snprintf(stale, sizeof stale, "%s/result.h5.tmp-%ld", folder, (long)getpid());
  fclose(fopen(stale, "w"));
  H5Fclose(write_and_open(result));
  cr_expect_eq(entries(false), 1);
  omr_result_destroy(result);
}

Test(hdf5, a_missing_folder_is_named_with_its_cause) {
  omr_result *result = make_result(3);
  omr_error error = {0};
  char missing[128];
  snprintf(missing, sizeof missing, "%s/no/such", folder);
  cr_expect_eq(omr_result_write(result, in_folder("no/such/result.h5"), &error), OMR_ERR_IO);
  expect_message(&error, missing);
  expect_message(&error, strerror(ENOENT));
  omr_result_destroy(result);
}

Test(hdf5, a_folder_without_permission_is_named_with_its_cause) {
  omr_result *result = make_result(3);
  omr_error error = {0};
  cr_assert_eq(chmod(folder, 0555), 0);
  if (geteuid() == 0) cr_assert_eq(seteuid(65534), 0); /* permissions do not hold root back */
  cr_expect_eq(omr_result_write(result, in_folder("result.h5"), &error), OMR_ERR_IO);
  if (getuid() == 0) cr_assert_eq(seteuid(0), 0);
  cr_assert_eq(chmod(folder, 0755), 0);
  expect_message(&error, folder);
  expect_message(&error, strerror(EACCES));
  cr_expect_eq(entries(false), 0);
  omr_result_destroy(result);
}

Test(hdf5, a_folder_in_place_of_the_file_is_refused) {
  omr_result *result = make_result(3);
  omr_error error = {0};
  cr_expect_eq(omr_result_write(result, folder, &error), OMR_ERR_IO);
  expect_message(&error, folder);
  expect_message(&error, "is a folder");
  omr_result_destroy(result);
}

/* A file size limit stands for the full disk: the write comes back with an error part of the way.
 */
static void expect_full_disk(omr_result *result, rlim_t room) {
  omr_result *old = make_result(6);
  size_t before, after;
  omr_error error = {0};
  H5Fclose(write_and_open(old));
  char *was = slurp(in_folder("result.h5"), &before);
  signal(SIGXFSZ, SIG_IGN);
  limit_files(room);
  omr_status status = omr_result_write(result, in_folder("result.h5"), &error);
  limit_files(RLIM_INFINITY);
  cr_expect_eq(status, OMR_ERR_IO, "room for %lu bytes", (unsigned long)room);
  expect_message(&error, in_folder("result.h5"));
  expect_message(&error, strerror(EFBIG));
  char *is = slurp(in_folder("result.h5"), &after);
  cr_expect_eq(before, after);
  cr_expect_arr_eq(was, is, before, "the old result was touched");
  cr_expect_eq(entries(false), 1, "a temporary was left");
  free(was);
  free(is);
  omr_result_destroy(old);
}

Test(hdf5, a_disk_that_fills_up_leaves_the_old_result_wherever_it_happens) {
  omr_result *result = make_result(20000);
  add_trajectories(result, 3, 1000);
  const rlim_t rooms[] = {0, 1, 100, 1000, 2048, 4096, 10000, 50000, 150000, 200000};
  for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) expect_full_disk(result, rooms[i]);
  cr_expect_eq(omr_result_write(result, in_folder("result.h5"), NULL), OMR_OK,
               "and it can be written once there is room");
  omr_result_destroy(result);
}
