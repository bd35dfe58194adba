/* Result files written in parts and read back: the same file whatever the parts, in memory that
 * does not grow with the rows, and what is left when a write fails. The expected figures are those
 * that were put in. */
#include "../../host/engine/run.h"
#include "../../host/result/reader.h"
#include "../../host/result/writer.h"
#include "../../host/statistics/statistics.h"
#include "../../host/study/part.h"
#include "made_result.h"
#include "same_files.h"

#include <errno.h>
#include <sys/stat.h>

TestSuite(writer, .init = make_folder, .fini = remove_folder);

static char one_path[128], two_path[128];

static void name_files(void) {
  snprintf(one_path, sizeof one_path, "%s/one.h5", folder);
  snprintf(two_path, sizeof two_path, "%s/two.h5", folder);
}

static void *copied(const void *from, size_t size) {
  void *to = malloc(size + 1);
  if (size) memcpy(to, from, size);
  return to;
}

/* The trajectories `from` .. `to` - 1 of a result. */
static void cut_traces(const omr_result *whole, omr_result *part, size_t from, size_t to) {
  part->traced_count = to - from;
  part->sample_count = whole->sample_count;
  part->traced = copied(whole->traced + from, (to - from) * sizeof *whole->traced);
  part->sample_time = copied(whole->sample_time, whole->sample_count * sizeof(double));
  for (size_t i = 0; i < omr_result_series_count(whole); i++) {
    const omr_series series = omr_result_series(whole, i);
    const size_t size = omr_result_series_size(whole, series) * sizeof(double);
    double **place = (double **)(uintptr_t)omr_result_series(part, i).values;
    if (*series.values) *place = copied((char *)*series.values + from * size, (to - from) * size);
  }
}

/* The rows first .. first+count-1 as a result of their own, as a run of a part makes it. */
static omr_result *cut(const omr_result *whole, size_t first, size_t count) {
  omr_result *part = make_result(count ? count : 1);
  part->instances = count;
  part->numbers = malloc((count + 1) * sizeof *part->numbers);
  for (size_t k = 0; k < count; k++) part->numbers[k] = first + k;
  for (size_t c = 0; c < COLUMNS; c++) {
    free(part->columns[c].values);
    part->columns[c].values = copied(whole->columns[c].values + first, count * sizeof(double));
  }
  memcpy(part->status, whole->status + first, count);
  memcpy(part->status_time, whole->status_time + first, count * sizeof(double));
  size_t from = 0, to = 0;
  while (from < whole->traced_count && whole->traced[from] < first) from++;
  for (to = from; to < whole->traced_count && whole->traced[to] < first + count;) to++;
  if (to > from) cut_traces(whole, part, from, to);
  return part;
}

/* Appends `whole` from row `first` on in parts of `size` rows. */
static void append_parts(omr_writer *writer, const omr_result *whole, size_t first, size_t last,
                         size_t size) {
  omr_error error = {0};
  for (size_t k = first; k < last; k += size) {
    omr_result *part = cut(whole, k, last - k < size ? last - k : size);
    cr_assert_eq(omr_writer_append(writer, part, &error), OMR_OK, "%s", error.message);
    omr_result_destroy(part);
  }
}

static omr_writer *open_writer(const char *path, const omr_result *like, size_t rows,
                               size_t traced) {
  omr_error error = {0};
  omr_writer *writer;
  cr_assert_eq(omr_writer_open(path, like, rows, traced, &writer, &error), OMR_OK, "%s",
               error.message);
  return writer;
}

static void finish(omr_writer *writer, const omr_result *whole) {
  omr_error error = {0};
  cr_assert_eq(omr_writer_finish(writer, &whole->record, &error), OMR_OK, "%s", error.message);
}

/* 70000 rows: columns of two chunks, the second one partly filled, and a chunked status; 34 x 701
 * samples with 3 wheels: chunks of several trajectories; and small ones that lie in one piece. */
Test(writer, a_file_of_many_parts_is_that_of_one_part) {
  const struct {
    size_t rows, traced, samples, part;
  } cases[] = {
      {70000, 34, 701, 997}, {70000, 3, 11, 65536}, {9, 2, 7, 1}, {9, 2, 7, 4}, {5, 0, 0, 2}};
  name_files();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    omr_result *whole = make_result(cases[i].rows);
    if (cases[i].traced) add_trajectories(whole, cases[i].traced, cases[i].samples);
    cr_assert_eq(omr_result_write(whole, one_path, NULL), OMR_OK);
    omr_writer *writer = open_writer(two_path, whole, whole->instances, whole->traced_count);
    append_parts(writer, whole, 0, whole->instances, cases[i].part);
    finish(writer, whole);
    expect_same_files(one_path, two_path);
    omr_result_destroy(whole);
  }
}

Test(writer, fewer_rows_than_announced_make_the_file_of_those_rows) {
  const struct {
    size_t announced, rows, traced;
  } cases[] = {{200000, 9000, 3}, {9000, 70, 3}, {9000, 9000, 2}, {100000, 1, 1}, {500, 0, 0}};
  name_files();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    omr_result *whole = make_result(cases[i].announced);
    add_trajectories(whole, 5, 30);
    for (size_t t = cases[i].traced; t < 5; t++) whole->traced[t] = SIZE_MAX; /* appended never */
    omr_result *shorter = cut(whole, 0, cases[i].rows);
    omr_writer *writer = open_writer(two_path, whole, whole->instances, 5);
    append_parts(writer, whole, 0, cases[i].rows, 1000);
    finish(writer, whole);
    cr_assert_eq(omr_result_write(shorter, one_path, NULL), OMR_OK);
    expect_same_files(one_path, two_path);
    cr_expect_eq(entries(false), 2, "a temporary was left");
    omr_result_destroy(whole);
    omr_result_destroy(shorter);
  }
}

Test(writer, rows_can_be_read_while_others_are_still_to_come) {
  omr_result *whole = make_result(100000);
  double values[7], times[7];
  int8_t codes[7];
  omr_source *source;
  name_files();
  omr_writer *writer = open_writer(one_path, whole, whole->instances, 0);
  append_parts(writer, whole, 0, 66000, 4096);
  cr_assert_eq(omr_writer_source(writer, &source, NULL), OMR_OK);
  cr_expect_eq(source->rows, 66000);
  cr_expect_eq(source->columns, COLUMNS);
  cr_expect_eq(source->parameters, PARAMETERS);
  cr_expect_str_eq(source->info[2].unit, "m s-1");
  for (size_t first = 65533; first < 65994; first += 400) {
    cr_assert_eq(source->ops->read(source, 1, first, 7, values, NULL), OMR_OK);
    cr_assert_eq(source->ops->status(source, first, 7, codes, times, NULL), OMR_OK);
    cr_expect_arr_eq(values, whole->columns[1].values + first, sizeof values);
    cr_expect_arr_eq(times, whole->status_time + first, sizeof times);
    cr_expect_arr_eq(codes, whole->status + first, sizeof codes);
  }
  cr_expect_eq(source->ops->read(source, 1, 65999, 2, values, NULL), OMR_ERR_INTERNAL,
               "a row that is not there");
  omr_source_close(source);
  append_parts(writer, whole, 66000, whole->instances, 4096);
  finish(writer, whole);
  cr_assert_eq(omr_result_write(whole, two_path, NULL), OMR_OK);
  expect_same_files(one_path, two_path);
  omr_result_destroy(whole);
}

static long peak_kib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* A million rows of 3 columns and status times are 41 MB. What a chunk each of them takes is 2 MiB.
 */
Test(writer, memory_does_not_grow_with_the_rows) {
  enum { PART = 10000, PARTS = 100 };
  omr_result *part = make_result(PART);
  omr_writer *writer = NULL;
  name_files();
  long before = 0;
  writer = open_writer(one_path, part, (size_t)PART * PARTS, 0);
  for (int i = 0; i < PARTS; i++) {
    if (i == 7) before = peak_kib(); /* the first chunks were written */
    cr_assert_eq(omr_writer_append(writer, part, NULL), OMR_OK);
  }
  finish(writer, part);
  const long grown = peak_kib() - before;
#ifndef __SANITIZE_ADDRESS__ /* which keeps what is freed */
  cr_expect_lt(grown, 16 * 1024, "%ld KiB more", grown);
#endif
  cr_expect_gt(grown, -1);
  omr_result_destroy(part);
}

static void expect_same_doubles(const double *a, const double *b, size_t count, const char *name) {
  cr_expect(memcmp(a, b, count * sizeof *a) == 0, "%s differs", name);
}

/* Rows first .. of `whole` are those of `read`. */
static void expect_rows(const omr_result *read, const omr_result *whole, size_t first) {
  cr_assert_eq(read->column_count, whole->column_count);
  for (size_t c = 0; c < COLUMNS; c++) {
    cr_expect_str_eq(read->columns[c].name, whole->columns[c].name);
    cr_expect_str_eq(read->columns[c].meaning, whole->columns[c].meaning);
    expect_same_doubles(read->columns[c].values, whole->columns[c].values + first, read->instances,
                        read->columns[c].name);
  }
  expect_same_doubles(read->status_time, whole->status_time + first, read->instances,
                      "status_time");
  cr_expect_arr_eq(read->status, whole->status + first, read->instances);
  for (size_t k = 0; k < read->instances; k++) cr_assert_eq(read->numbers[k], first + k);
}

static void expect_traces(const omr_result *read, const omr_result *whole, size_t from) {
  cr_expect_arr_eq(read->traced, whole->traced + from, read->traced_count * sizeof *read->traced);
  for (size_t i = 0; i < omr_result_series_count(whole); i++) {
    const omr_series a = omr_result_series(read, i), b = omr_result_series(whole, i);
    const size_t size = omr_result_series_size(whole, b);
    cr_assert_eq(*a.values != NULL, *b.values != NULL, "%s", b.info.name);
    if (*b.values)
      expect_same_doubles(*a.values, *b.values + from * size, read->traced_count * size,
                          b.info.name);
  }
}

Test(writer, a_result_comes_back_whole) {
  omr_result *whole = make_result(9000), *read = NULL;
  omr_error error = {0};
  add_trajectories(whole, 4, 50);
  free(whole->vehicle_samples[OMR_VS_SERVO]);
  whole->vehicle_samples[OMR_VS_SERVO] = NULL;
  snprintf(whole->first_invalid, sizeof whole->first_invalid, "instance 3: no mass");
  name_files();
  cr_assert_eq(omr_result_write(whole, one_path, NULL), OMR_OK);
  cr_assert_eq(omr_result_open(one_path, &read, &error), OMR_OK, "%s", error.message);
  cr_expect_eq(read->instances, 9000);
  expect_rows(read, whole, 0);
  cr_expect_eq(read->traced_count, 4);
  expect_same_doubles(read->sample_time, whole->sample_time, 50, "time");
  expect_traces(read, whole, 0);
  cr_expect_str_eq(read->study_title, whole->study_title);
  cr_expect_str_eq(read->study_text, whole->study_text);
  cr_expect_str_eq(read->first_invalid, whole->first_invalid);
  cr_expect_eq(read->seed, UINT64_MAX);
  cr_expect_eq(read->step, whole->step);
  cr_expect_eq(read->wheels, WHEELS);
  cr_expect_str_eq(read->record.backend, "openmp");
  cr_expect_eq(read->record.instance_steps, 5e6);
  cr_expect_eq(read->record.lanes, 8);
  cr_assert_eq(omr_result_write(read, two_path, NULL), OMR_OK);
  expect_same_files(one_path, two_path);
  omr_result_destroy(whole);
  omr_result_destroy(read);
}

/* Forwards, and back again. */
Test(writer, blocks_of_rows_have_their_own_trajectories) {
  const size_t firsts[] = {0, 300, 600, 150, 0, 880};
  omr_result *whole = make_result(900);
  omr_result_file *file;
  add_trajectories(whole, 400, 3); /* instances 0, 2, .. 798 */
  name_files();
  cr_assert_eq(omr_result_write(whole, one_path, NULL), OMR_OK);
  cr_assert_eq(omr_result_file_open(one_path, &file, NULL), OMR_OK);
  cr_expect_eq(omr_result_file_rows(file), 900);
  cr_expect_eq(omr_result_file_traced(file), 400);
  for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
    omr_result *read;
    const size_t count = i == 5 ? 20 : 300,
                 traced =
                     firsts[i] >= 800 ? 0 : (firsts[i] + count > 798 ? 800 - firsts[i] : count) / 2;
    cr_assert_eq(omr_result_file_read(file, firsts[i], count, &read, NULL), OMR_OK);
    expect_rows(read, whole, firsts[i]);
    cr_assert_eq(read->traced_count, traced);
    expect_traces(read, whole, firsts[i] / 2);
    omr_result_destroy(read);
  }
  omr_result_file_close(file);
  omr_result_destroy(whole);
}

Test(writer, a_file_is_a_source) {
  omr_result *whole = make_result(9000);
  omr_source *source;
  double values[3];
  name_files();
  cr_assert_eq(omr_result_write(whole, one_path, NULL), OMR_OK);
  cr_assert_eq(omr_source_open(one_path, &source, NULL), OMR_OK);
  cr_expect_eq(source->rows, 9000);
  cr_assert_eq(source->ops->read(source, 2, 8997, 3, values, NULL), OMR_OK);
  cr_expect_arr_eq(values, whole->columns[2].values + 8997, sizeof values);
  omr_source_close(source);
  omr_result_destroy(whole);
}

/* As every result has them, from the rows in the file. */
static void add_statistics(omr_writer *writer, const omr_study *study) {
  omr_statistics *statistics;
  omr_source *source;
  cr_assert_eq(omr_writer_source(writer, &source, NULL), OMR_OK);
  cr_assert_eq(omr_statistics_compute(study, source, &statistics, NULL), OMR_OK);
  omr_source_close(source);
  cr_assert_eq(omr_writer_end(writer, NULL), OMR_OK);
  omr_statistics_write(statistics, omr_writer_file(writer));
  omr_statistics_destroy(statistics);
}

/* No instance is traced in the first part: what is sampled is known all the same. */
Test(writer, the_parts_of_a_run_make_the_file_of_the_run) {
  static const char *const overrides[] = {
      "design.instances=12", "output.trajectories.instances=[5,6,11]", "integrator.duration=0.05",
      "engine.backend=openmp", "integrator.step_error=off"};
  omr_study *study;
  omr_result *whole, *part;
  omr_engine *engine;
  omr_writer *writer;
  omr_error error = {0};
  name_files();
  cr_assert_eq(omr_study_load("tests/parity/parity.json", overrides, 5, &study, &error), OMR_OK,
               "%s", error.message);
  cr_assert_eq(omr_run(study, NULL, &whole, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_result_write(whole, one_path, NULL), OMR_OK);
  const omr_part whole_part = omr_part_of(study);
  cr_assert_eq(omr_engine_open(&whole_part, NULL, &engine, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_writer_open_part(two_path, &whole_part, NULL, &writer, &error), OMR_OK, "%s",
               error.message);
  for (size_t first = 0; first < 12; first += 5) {
    omr_cut rows;
    cr_assert_eq(omr_cut_make(&whole_part, first, first + 5 < 12 ? first + 5 : 12, &rows, NULL),
                 OMR_OK);
    cr_assert_eq(omr_engine_run(engine, &rows.part, &part, &error), OMR_OK, "%s", error.message);
    cr_assert_eq(omr_writer_append(writer, part, &error), OMR_OK, "%s", error.message);
    omr_result_destroy(part);
    omr_cut_free(&rows);
  }
  add_statistics(writer, study);
  cr_assert_eq(omr_writer_finish(writer, &whole->record, &error), OMR_OK, "%s", error.message);
  expect_same_files(one_path, two_path);
  omr_engine_close(engine);
  omr_result_destroy(whole);
  omr_study_destroy(study);
}

Test(writer, rows_that_do_not_fit_are_refused) {
  omr_result *whole = make_result(5);
  omr_error error = {0};
  name_files();
  omr_writer *writer = open_writer(one_path, whole, 4, 0);
  cr_expect_eq(omr_writer_append(writer, whole, &error), OMR_ERR_INTERNAL);
  expect_message(&error, one_path);
  omr_writer_discard(writer);
  cr_expect_eq(entries(false), 0);
  omr_result_destroy(whole);
}

/* A file size limit stands for the full disk. Whenever it strikes, the error names the cause,
 * nothing is left, and HDF5 lives: the same process goes on to write a file. */
Test(writer, a_disk_that_fills_up_between_parts_ends_in_an_error_and_no_file) {
  omr_result *whole = make_result(90000);
  add_trajectories(whole, 30, 500);
  name_files();
  signal(SIGXFSZ, SIG_IGN);
  for (rlim_t room = 0; room < 1600000; room = room * 3 + 3000) {
    omr_error error = {0};
    omr_writer *writer = open_writer(one_path, whole, whole->instances, whole->traced_count);
    omr_status status = OMR_OK;
    limit_files(room);
    for (size_t k = 0; k < whole->instances && status == OMR_OK; k += 30000) {
      omr_result *part = cut(whole, k, 30000);
      status = omr_writer_append(writer, part, &error);
      omr_result_destroy(part);
    }
    if (status == OMR_OK)
      status = omr_writer_finish(writer, &whole->record, &error);
    else
      omr_writer_discard(writer);
    limit_files(RLIM_INFINITY);
    if (status == OMR_OK) {
      cr_expect_gt(room, 50000, "room for %lu bytes", (unsigned long)room);
      cr_expect_eq(unlink(one_path), 0);
    } else {
      cr_expect_eq(status, OMR_ERR_IO);
      expect_message(&error, one_path);
      expect_message(&error, strerror(EFBIG));
    }
    cr_expect_eq(entries(false), 0, "something was left");
  }
  cr_expect_eq(omr_result_write(whole, one_path, NULL), OMR_OK,
               "and it can be written once there is room");
  omr_result_destroy(whole);
}

static void expect_refused(const char *path, const char *word) {
  omr_error error = {0};
  omr_source *source;
  omr_result *result;
  cr_expect_eq(omr_result_open(path, &result, &error), OMR_ERR_IO, "%s", path);
  expect_message(&error, path);
  expect_message(&error, word);
  cr_expect_null(result);
  cr_expect_eq(omr_source_open(path, &source, NULL), OMR_ERR_IO);
  cr_expect_null(source);
}

Test(writer, what_is_no_result_is_refused_by_name) {
  name_files();
  expect_refused(one_path, strerror(ENOENT));
  FILE *out = fopen(one_path, "w");
  fprintf(out, "a,b\n1,2\n");
  fclose(out);
  expect_refused(one_path, "no HDF5 file");
  hid_t file = H5Fcreate(one_path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  expect_refused(one_path, "no group /instances");
}

static char *contents(const char *path, size_t *length) {
  char *bytes;
  cr_assert_eq(omr_read_file(path, &bytes, length, NULL), OMR_OK);
  return bytes;
}

static void put_contents(const char *path, const char *bytes, size_t length) {
  FILE *out = fopen(path, "wb");
  cr_assert_eq(fwrite(bytes, 1, length, out), length);
  fclose(out);
}

Test(writer, a_file_that_is_cut_short_is_refused) {
  omr_result *whole = make_result(9000);
  size_t length;
  add_trajectories(whole, 3, 300);
  name_files();
  cr_assert_eq(omr_result_write(whole, one_path, NULL), OMR_OK);
  char *bytes = contents(one_path, &length);
  for (size_t cut_at = 0; cut_at < length; cut_at += 1 + length / 23) {
    put_contents(two_path, bytes, cut_at);
    expect_refused(two_path, "cut short");
  }
  free(bytes);
  omr_result_destroy(whole);
}

/* Place in the file of the middle of the first chunk of a dataset. */
static size_t chunk_middle(const char *path, const char *name) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT),
              dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  hsize_t start[3], size;
  haddr_t place;
  unsigned filters;
  cr_assert_geq(H5Dget_chunk_info(dataset, space, 0, start, &filters, &place, &size), 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return place + size / 2;
}

Test(writer, values_that_were_damaged_are_named) {
  omr_result *whole = make_result(9000), *result;
  omr_error error = {0};
  size_t length;
  name_files();
  cr_assert_eq(omr_result_write(whole, one_path, NULL), OMR_OK);
  char *bytes = contents(one_path, &length);
  bytes[chunk_middle(one_path, "/instances/max_slip")] ^= 16;
  put_contents(one_path, bytes, length);
  cr_expect_eq(omr_result_open(one_path, &result, &error), OMR_ERR_IO);
  expect_message(&error, one_path);
  expect_message(&error, "max_slip");
  free(bytes);
  omr_result_destroy(whole);
}
