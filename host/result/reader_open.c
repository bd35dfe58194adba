/* Opens a result file: finds out its kind, its study and how it ran, which columns and series it
 * has, and checks that they fit together. */
#include "../support/input.h"
#include "attributes.h"
#include "hdf5_virtual.h"
#include "hdf5_visit.h"
#include "reader_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_COUNT (SIZE_MAX / 4096) /* a length that cannot be right */

omr_status omr_reader_no_memory(const omr_result_file *f, omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", f->path);
}

static omr_status damaged(const omr_result_file *f, const char *group, const char *dataset,
                          const char *what, omr_error *error) {
  char *version = f->file >= 0 ? omr_hdf5_get_text(f->file, "omniroll_version") : NULL;
  omr_status status;
  if (version && strcmp(version, omr_version()) != 0)
    status = omr_fail_file(error, OMR_ERR_IO, f->path,
                           "%s: the dataset %s/%s %s. The file was written by omniroll %s, this is "
                           "%s: read it with that version, or write it anew with omniroll run.",
                           f->path, group, dataset, what, version, omr_version());
  else
    status = omr_fail_file(
        error, OMR_ERR_IO, f->path,
        "%s: the dataset %s/%s %s. The file is damaged; write it anew with omniroll run.", f->path,
        group, dataset, what);
  free(version);
  return status;
}

static bool is_text(hid_t object, const char *name) {
  if (H5Aexists(object, name) <= 0) return false;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  const bool text = H5Tget_class(type) == H5T_STRING;
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  return text;
}

/* Text of an attribute, "" where there is none; NULL when out of memory. */
static char *text_of(hid_t object, const char *name) {
  char *text = omr_hdf5_get_text(object, name);
  return text || is_text(object, name) ? text : strdup("");
}

static void read_record(hid_t file, omr_run_record *run) {
  /* where the run took place, and in which arithmetic */
  omr_hdf5_copy_text(file, "backend", run->backend, sizeof run->backend);
  omr_hdf5_copy_text(file, "device", run->device, sizeof run->device);
  omr_hdf5_copy_text(file, "precision", run->precision, sizeof run->precision);
  omr_hdf5_copy_text(file, "numerics", run->numerics, sizeof run->numerics);
  omr_hdf5_copy_text(file, "rounding", run->rounding, sizeof run->rounding);
  omr_hdf5_copy_text(file, "kernels", run->kernels, sizeof run->kernels);

  if (!run->numerics[0])
    snprintf(run->numerics, sizeof run->numerics, "exact"); /* older files had no other */

  /* the device */
  run->lanes = (int)omr_hdf5_get_number(file, "lanes", 0);
  run->threads = (int)omr_hdf5_get_number(file, "threads", 0);
  run->work_group = (int)omr_hdf5_get_number(file, "work_group", 0);
  run->device_checks = omr_hdf5_get_number(file, "device_checks", 0);
  run->registers = (int)omr_hdf5_get_number(file, "registers", -1);
  run->spill_bytes = (int)omr_hdf5_get_number(file, "spill_bytes", -1);
  run->private_bytes = (int)omr_hdf5_get_number(file, "private_bytes", -1);

  /* where the time went */
  run->build_seconds = omr_hdf5_get_number(file, "build_seconds", 0);
  run->prepare_seconds = omr_hdf5_get_number(file, "prepare_seconds", 0);
  run->transfer_seconds = omr_hdf5_get_number(file, "transfer_seconds", 0);
  run->kernel_seconds = omr_hdf5_get_number(file, "kernel_seconds", 0);
  run->wall_seconds = omr_hdf5_get_number(file, "wall_seconds", 0);
  run->statistics_seconds = omr_hdf5_get_number(file, "statistics_seconds", 0);
  run->write_seconds = omr_hdf5_get_number(file, "write_seconds", 0);

  /* steps, retries and the balance of energy */
  run->instance_steps = omr_hdf5_get_number(file, "instance_steps", 0);
  run->refined_steps = omr_hdf5_get_number(file, "step_error_steps", 0);
  run->retried = omr_hdf5_get_number(file, "retried_instances", 0);
  run->recovered = omr_hdf5_get_number(file, "recovered_instances", 0);
  run->unbalanced = omr_hdf5_get_number(file, "unbalanced_instances", 0);
  run->energy_error = omr_hdf5_get_number(file, "largest_energy_error", 0);
}

/* Reads the frame; older files, and files in the first frame, do not name it. */
static omr_status read_frame(omr_result_file *f, omr_error *error) {
  char word[32];
  omr_hdf5_copy_text(f->file, "frame", word, sizeof word);
  f->head->frame = OMR_FRAME_Y_UP;
  if (!word[0]) return OMR_OK;
  for (int frame = 0; frame < OMR_FRAMES; frame++) {
    if (strcmp(word, omr_frame_list[frame].name) != 0) continue;
    f->head->frame = (omr_frame_kind)frame;
    return OMR_OK;
  }
  return omr_fail(error, OMR_ERR_IO,
                  "%s: is in the frame \"%s\", which this version of omniroll does not know; open "
                  "it with the version that wrote it",
                  f->path, word);
}

static omr_status read_study(omr_result_file *f, omr_error *error) {
  omr_result *head = f->head;
  char seed[32];

  /* the study */
  head->study_name = text_of(f->file, "study_name");
  head->study_title = text_of(f->file, "title");
  head->study_text = text_of(f->file, "study");
  head->scene = text_of(f->file, "scene");
  if (H5Aexists(f->file, "coverage") > 0) head->coverage = text_of(f->file, "coverage");
  head->traced_names = text_of(f->file, "traced_names");

  omr_hdf5_copy_text(f->file, "study_hash", head->study_hash, sizeof head->study_hash);
  omr_hdf5_copy_text(f->file, "model", head->model, sizeof head->model);
  omr_hdf5_copy_text(f->file, "first_invalid", head->first_invalid, sizeof head->first_invalid);
  omr_hdf5_copy_text(f->file, "warnings", head->warnings, sizeof head->warnings);

  omr_hdf5_copy_text(f->file, "seed", seed, sizeof seed);
  head->seed = strtoull(seed, NULL, 10);

  /* counts and lengths may be damaged */
  const double wheels = omr_hdf5_get_number(f->file, "wheels", 0);
  if (wheels >= 0 && wheels <= OMR_MAX_WHEELS) head->wheels = (int)wheels;
  head->tolerance = omr_hdf5_get_number(f->file, "tolerance", 0);
  head->step = head->tolerance > 0 ? 0 : omr_hdf5_get_number(f->file, "step", (double)NAN);
  head->duration = omr_hdf5_get_number(f->file, "duration", (double)NAN);

  read_record(f->file, &head->record);
  const omr_status status = read_frame(f, error);
  if (status != OMR_OK) return status;

  return head->study_name && head->study_title && head->study_text ? OMR_OK
                                                                   : omr_reader_no_memory(f, error);
}

/* Opens a dataset and checks its number of rows and values per row; -1 with an error. */
static hid_t open_rows(const omr_result_file *f, hid_t group, const char *group_name,
                       const char *name, int rank, const hsize_t *lengths, omr_error *error) {
  const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  if (dataset < 0) {
    damaged(f, group_name, name, "is missing", error);
    return -1;
  }
  if (omr_hdf5_has_lengths(dataset, rank, lengths)) return dataset;
  damaged(f, group_name, name, "does not have the length of its scales", error);
  H5Dclose(dataset);
  return -1;
}

static omr_status read_column(omr_result_file *f, const char *name, bool parameter,
                              omr_error *error) {
  omr_result *head = f->head;
  const hsize_t length = f->row_count;
  const hid_t dataset = open_rows(f, f->rows.group, "instances", name, 1, &length, error);
  if (dataset < 0) return OMR_ERR_IO;
  f->rows.columns[f->rows.column_count++] = dataset;
  omr_column *column = &head->columns[head->column_count++];
  *column =
      (omr_column){strdup(name), text_of(dataset, "units"), text_of(dataset, "long_name"), NULL};
  if (!column->name || !column->unit || !column->meaning) return omr_reader_no_memory(f, error);
  if (!parameter) return OMR_OK;
  if (head->parameter_count++ + 1 == head->column_count) return OMR_OK;
  return damaged(f, "instances", name, "is a parameter after observables", error);
}

/* Decides by its role if a member of /instances is a column. An unknown role means damage: its
 * column would be left out without a word. */
static omr_status is_column(const omr_result_file *f, const char *name, bool *column,
                            bool *parameter, omr_error *error) {
  const hid_t dataset = H5Dopen2(f->rows.group, name, H5P_DEFAULT);
  *column = *parameter = false;
  if (dataset < 0) return damaged(f, "instances", name, "cannot be opened", error);
  const bool has = H5Aexists(dataset, "role") != 0;
  char *role = has ? omr_hdf5_get_text(dataset, "role") : NULL;
  H5Dclose(dataset);
  if (has && !role)
    return damaged(f, "instances", name, "has a role that cannot be read, or memory ran out",
                   error);
  *parameter = role && strcmp(role, "parameter") == 0;
  *column = *parameter || (role && strcmp(role, "observable") == 0);
  const bool known = !has || *column || strcmp(role, "design") == 0;
  free(role);
  if (known) return OMR_OK;
  return damaged(f, "instances", name, "has a role that there is none of", error);
}

static omr_status read_members(omr_result_file *f, const omr_members *members, omr_error *error) {
  omr_status status = OMR_OK;
  f->rows.columns = calloc(members->count + 1, sizeof *f->rows.columns);
  f->head->columns = calloc(members->count + 1, sizeof *f->head->columns);
  if (!f->rows.columns || !f->head->columns) return omr_reader_no_memory(f, error);
  for (size_t i = 0; i < members->count && status == OMR_OK; i++) {
    bool column, parameter;
    status = is_column(f, members->name[i], &column, &parameter, error);
    if (status == OMR_OK && column) status = read_column(f, members->name[i], parameter, error);
  }
  return status;
}

static omr_status read_columns(omr_result_file *f, omr_error *error) {
  omr_members members;
  if (!omr_members_of(f->rows.group, &members))
    return omr_fail_file(error, OMR_ERR_IO, f->path, "%s: cannot list /instances: %s", f->path,
                         omr_hdf5_last_cause().text);
  omr_status status = read_members(f, &members, error);
  omr_members_free(&members);
  return status;
}

/* Opens the one-dimensional scale that defines the length of everything over it. */
static omr_status scale_length(const omr_result_file *f, hid_t group, const char *group_name,
                               const char *name, hid_t *scale, size_t *length, omr_error *error) {
  hsize_t lengths[OMR_HDF5_RANK] = {0};
  *scale = H5Dopen2(group, name, H5P_DEFAULT);
  if (*scale < 0) return damaged(f, group_name, name, "is missing", error);
  if (omr_hdf5_lengths(*scale, lengths) != 1 || lengths[0] > LARGEST_COUNT)
    return damaged(f, group_name, name, "is no list of numbers", error);
  *length = lengths[0];
  return OMR_OK;
}

static omr_status read_instances(omr_result_file *f, omr_error *error) {
  f->rows.group = H5Gopen2(f->file, "instances", H5P_DEFAULT);

  if (f->rows.group < 0)
    return omr_fail_file(error, OMR_ERR_IO, f->path,
                         "%s: is no result of omniroll run or sample: it has no group /instances.",
                         f->path);

  f->rows.files = f->watch.files;
  /* the scale gives the number of rows, which every column must have */
  omr_status status = scale_length(f, f->rows.group, "instances", "instance", &f->rows.instance,
                                   &f->row_count, error);
  if (status == OMR_OK) status = read_columns(f, error);
  if (status != OMR_OK) return status;
  /* If HDF5 cannot say whether something is there, here and below, it is opened: the error is the
   * one of opening. */
  f->head->design_only = H5Lexists(f->rows.group, "status", H5P_DEFAULT) == 0;
  if (f->head->design_only) return OMR_OK;

  /* every row of a run has a status and its time */
  const hsize_t length = f->row_count;
  f->rows.status = open_rows(f, f->rows.group, "instances", "status", 1, &length, error);
  if (f->rows.status < 0) return OMR_ERR_IO;
  f->rows.status_time = open_rows(f, f->rows.group, "instances", "status_time", 1, &length, error);
  if (f->rows.status_time < 0) return OMR_ERR_IO;

  /* failures and retries are optional */
  f->has_failures = H5Lexists(f->file, "failures", H5P_DEFAULT) != 0;
  if (H5Lexists(f->rows.group, "retries", H5P_DEFAULT) == 0) return OMR_OK;
  f->rows.retries = open_rows(f, f->rows.group, "instances", "retries", 1, &length, error);
  return f->rows.retries < 0 ? OMR_ERR_IO : OMR_OK;
}

static omr_status read_times(omr_result_file *f, omr_error *error) {
  hid_t time = -1;
  omr_status status =
      scale_length(f, f->traces, "trajectories", "time", &time, &f->head->sample_count, error);
  if (status == OMR_OK) {
    f->head->sample_time = calloc(f->head->sample_count + 1, sizeof(double));
    if (!f->head->sample_time)
      status = omr_reader_no_memory(f, error);
    else if (!omr_sum_check(time) ||
             !omr_hdf5_get(time, H5T_NATIVE_DOUBLE, 0, f->head->sample_count, f->head->sample_time))
      status = omr_hdf5_unreadable(f->path, "time", 0, f->head->sample_count, error);
  }
  if (time >= 0) H5Dclose(time);
  return status;
}

static omr_status read_wheels(omr_result_file *f, omr_error *error) {
  hid_t wheel = -1;
  size_t wheels = 0;
  if (H5Lexists(f->traces, "wheel", H5P_DEFAULT) == 0) return OMR_OK;
  omr_status status = scale_length(f, f->traces, "trajectories", "wheel", &wheel, &wheels, error);
  if (wheel >= 0) H5Dclose(wheel);
  if (status == OMR_OK && wheels > OMR_MAX_WHEELS)
    status = damaged(f, "trajectories", "wheel", "has too many wheels", error);
  f->head->wheels = (int)wheels;
  return status;
}

static omr_status read_traced(omr_result_file *f, omr_error *error) {
  omr_status status =
      scale_length(f, f->traces, "trajectories", "instance", &f->traced_id, &f->traced, error);
  if (status != OMR_OK) return status;
  f->traced_numbers = calloc(f->traced + 1, sizeof *f->traced_numbers);
  if (!f->traced_numbers) return omr_reader_no_memory(f, error);
  return omr_watch_read(&f->watch, f->traced_id, "trajectories/instance", H5T_NATIVE_UINT64, 0,
                        f->traced, f->traced_numbers, error);
}

/* True for members of the trajectories other than the samples that a study names. */
static bool is_beside_samples(const omr_result *head, const char *name) {
  static const omr_kept_name kept[] = {OMR_KEPT_TRACED, OMR_KEPT_TIME, OMR_KEPT_WHEEL};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (strcmp(name, omr_kept_info(kept[i]).name) == 0) return true;
  for (int d = 0; d < OMR_DRIFT_COUNT; d++) {
    const omr_framing turn = omr_drift_turn(head->frame, d);
    if (strcmp(name, omr_framed_sample(turn, omr_drift_samples[d]).name) == 0) return true;
  }
  return false;
}

typedef struct own_sample {
  char unit[64], meaning[1024];
} own_sample;

/* Takes the samples that the study of the file has named: every other dataset of the group, in its
 * order. */
static bool take_own_samples(omr_result_file *f) {
  omr_members members;
  if (!omr_members_of(f->traces, &members)) return false;

  omr_sample_info *list = calloc(members.count + 1, sizeof *list);
  own_sample *texts = calloc(members.count + 1, sizeof *texts);
  int count = 0;

  /* texts come from the datasets */
  for (size_t i = 0; list && texts && i < members.count; i++) {
    if (is_beside_samples(f->head, members.name[i])) continue;
    own_sample *text = &texts[count];
    const hid_t dataset = H5Dopen2(f->traces, members.name[i], H5P_DEFAULT);
    omr_hdf5_copy_text(dataset, "units", text->unit, sizeof text->unit);
    omr_hdf5_copy_text(dataset, "long_name", text->meaning, sizeof text->meaning);
    if (dataset >= 0) H5Dclose(dataset);
    list[count++] = (omr_sample_info){members.name[i], text->unit, text->meaning};
  }

  const bool taken = list && texts && omr_result_take_small_list(f->head, list, count);
  free(list);
  free(texts);
  omr_members_free(&members);
  return taken;
}

/* Names a small model's own samples, from the model or from the file. */
static bool name_samples(omr_result_file *f) {
  omr_result *head = f->head;
  const omr_small_list *small = NULL;
  for (int m = 0; m < OMR_MODELS && !small; m++)
    if (strcmp(head->model, omr_model_names[m]) == 0) small = omr_small_list_of((omr_model)m);
  if (!small) return true;
  if (omr_model_is_own(small->model)) return take_own_samples(f);
  omr_sample_info *list = calloc((size_t)small->samples, sizeof *list);
  for (int j = 0; list && j < small->samples; j++)
    list[j] =
        omr_framed_sample(omr_small_sample_turn(head->frame, small->model, small->sample_ids[j]),
                          small->sample_list[j]);
  const bool taken = list && omr_result_take_small_list(head, list, small->samples);
  free(list);
  return taken;
}

/* True for a series of vehicles: a small model's samples may share the names of a vehicle's samples
 * and wheel shapes, which it has not; it may have drift. */
static bool is_of_vehicle(const omr_result *head, size_t i) {
  const size_t small = (size_t)head->small_sample_count,
               drift = small + OMR_VS_COUNT + OMR_WS_COUNT;
  return small > 0 && i >= small && (i < drift || i >= drift + OMR_DRIFT_COUNT);
}

/* Opens a series that is in the file; a missing one stays -1. */
static omr_status open_series(omr_result_file *f, size_t i, omr_error *error) {
  if (is_of_vehicle(f->head, i)) return OMR_OK;
  const omr_series series = omr_result_series(f->head, i);
  hsize_t lengths[OMR_HDF5_RANK] = {f->traced};
  int rank = 1;
  if (series.over_time) lengths[rank++] = f->head->sample_count;
  if (series.over_wheels) lengths[rank++] = (hsize_t)f->head->wheels;
  if (H5Lexists(f->traces, series.info.name, H5P_DEFAULT) == 0) return OMR_OK;
  f->series[i] = open_rows(f, f->traces, "trajectories", series.info.name, rank, lengths, error);
  return f->series[i] < 0 ? OMR_ERR_IO : OMR_OK;
}

static omr_status read_trajectories(omr_result_file *f, omr_error *error) {
  if (H5Lexists(f->file, "trajectories", H5P_DEFAULT) == 0) return OMR_OK;
  f->traces = H5Gopen2(f->file, "trajectories", H5P_DEFAULT);
  if (f->traces < 0)
    return omr_fail_file(error, OMR_ERR_IO, f->path, "%s: /trajectories is no group", f->path);
  omr_status status = read_times(f, error);
  if (status == OMR_OK) status = read_wheels(f, error);
  if (status == OMR_OK) status = read_traced(f, error);
  if (status == OMR_OK && !name_samples(f)) status = omr_reader_no_memory(f, error);
  if (status != OMR_OK) return status;
  const size_t count = omr_result_series_count(f->head);
  f->series = malloc(count * sizeof *f->series);
  if (!f->series) return omr_reader_no_memory(f, error);
  for (size_t i = 0; i < count; i++) f->series[i] = -1;
  for (size_t i = 0; i < count && status == OMR_OK; i++) status = open_series(f, i, error);
  return status;
}

/* A file, or a group of one, of which nothing is open yet, so that closing is safe at any time. */
static omr_result_file *new_file(const char *path, int descriptor) {
  omr_result_file *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->disk.descriptor = descriptor;
  f->file = f->traces = f->traced_id = -1;
  f->rows = (omr_hdf5_rows)OMR_HDF5_NO_ROWS;
  f->watch.path = f->path = strdup(path);
  f->head = calloc(1, sizeof *f->head);
  return f;
}

/* Closes all but the file. */
static void close_parts(omr_result_file *f) {
  omr_hdf5_rows_close(&f->rows);
  for (size_t i = 0; f->series && i < omr_result_series_count(f->head); i++)
    if (f->series[i] >= 0) H5Dclose(f->series[i]);
  if (f->traced_id >= 0) H5Dclose(f->traced_id);
  if (f->traces >= 0) H5Gclose(f->traces);
  if (!f->nominal) return;
  close_parts(f->nominal);
  if (f->nominal->file >= 0) H5Gclose(f->nominal->file);
}

static void free_file(omr_result_file *f) {
  if (!f) return;
  free_file(f->nominal);
  omr_virtual_free(f->watch.files);
  omr_watch_free(&f->watch);
  omr_result_destroy(f->head);
  free(f->series);
  free(f->traced_numbers);
  free(f->path);
  free(f);
}

/* Opens the nominal vehicle, a result within the file. */
static omr_status open_nominal(omr_result_file *f, omr_error *error) {
  if (H5Lexists(f->file, "nominal", H5P_DEFAULT) == 0) return OMR_OK;
  omr_result_file *n = f->nominal = new_file(f->path, -1);
  if (!n || !n->path || !n->head) return omr_reader_no_memory(f, error);
  n->file = H5Gopen2(f->file, "nominal", H5P_DEFAULT);
  omr_status status = OMR_OK;
  if (n->file < 0)
    status = omr_fail_file(error, OMR_ERR_IO, f->path, "%s: /nominal is no group", f->path);
  if (status == OMR_OK) status = read_study(n, error);
  if (status == OMR_OK) status = read_instances(n, error);
  if (status == OMR_OK) status = read_trajectories(n, error);
  return status;
}

static omr_status refuse_kind(const omr_result_file *f, omr_error *error) {
  char content[64];
  omr_hdf5_copy_text(f->file, "content", content, sizeof content);
  if (!content[0]) return OMR_OK;
  return omr_fail_file(error, OMR_ERR_IO, f->path, "%s: is a %s, no result of omniroll run.",
                       f->path, content);
}

static omr_status check_path(const char *path, omr_error *error) {
  const omr_status status = omr_check_result_file(path, error);
  if (status != OMR_OK || access(path, R_OK) == 0) return status;
  return omr_fail_file(error, OMR_ERR_IO, path, "%s: cannot be read: %s.", path, strerror(errno));
}

static hid_t open_hdf5(omr_result_file *f) {
  if (f->disk.descriptor < 0) return H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t access = omr_disk_access(&f->disk),
              file = H5Fopen("omniroll", H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

/* Checks the attributes of the file: its study, and how it was run. */
static omr_status check_head(const omr_result_file *f, omr_error *error) {
  const hid_t root = H5Gopen2(f->file, "/", H5P_DEFAULT);
  omr_status status = OMR_OK;
  if (root < 0 || !omr_sum_check(root))
    status = omr_fail_file(error, OMR_ERR_IO, f->path,
                           "%s: the attributes of the file cannot be trusted: %s. The file is "
                           "damaged, or was changed by another program; write it anew.",
                           f->path, omr_hdf5_last_cause().text);
  if (root >= 0) H5Gclose(root);
  return status;
}

static omr_status open_file(omr_result_file *f, bool traces, omr_error *error) {
  omr_status status = f->disk.descriptor < 0 ? check_path(f->path, error) : OMR_OK;
  if (status != OMR_OK) return status;
  f->file = open_hdf5(f);
  if (f->file < 0)
    return omr_fail_file(error, OMR_ERR_IO, f->path,
                         "%s: is no HDF5 file, or one that is cut short or damaged (%s). Give the "
                         "file that omniroll run wrote.",
                         f->path, omr_hdf5_last_cause().text);
  status = check_head(f, error);
  if (status == OMR_OK &&
      !omr_hdf5_get_partial(f->file, &f->head->partial, &f->head->partial_bytes))
    status = omr_fail_file(
        error, OMR_ERR_IO, f->path,
        "%s: the group /partial cannot be read: the file is damaged; write it anew", f->path);
  if (status == OMR_OK) status = refuse_kind(f, error);
  if (status == OMR_OK) status = omr_virtual_open(f->file, f->path, &f->watch.files, error);
  if (status == OMR_OK) status = read_study(f, error);
  if (status == OMR_OK) status = read_instances(f, error);
  if (status == OMR_OK && traces) status = read_trajectories(f, error);
  if (status == OMR_OK && traces) status = open_nominal(f, error);
  return status;
}

omr_status omr_reader_open(int descriptor, const char *path, bool traces, omr_result_file **file,
                           omr_error *error) {
  *file = NULL;
  omr_result_file *f = new_file(path, descriptor);
  if (!f) return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
  omr_status status = f->path && f->head
                          ? omr_hdf5_room(path, error)
                          : omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);

  /* let another process read it first, then open it */
  if (status == OMR_OK && descriptor < 0) status = omr_hdf5_probe(path, error);
  if (status == OMR_OK) {
    const omr_hdf5_report report = omr_hdf5_quiet();
    status = open_file(f, traces, error);
    omr_hdf5_restore(report);
  }

  if (status == OMR_OK)
    *file = f;
  else
    omr_result_file_close(f);
  return status;
}

omr_status omr_result_file_open(const char *path, omr_result_file **file, omr_error *error) {
  return omr_reader_open(-1, path, true, file, error);
}

omr_status omr_result_file_open_rows(const char *path, omr_result_file **file, omr_error *error) {
  return omr_reader_open(-1, path, false, file, error);
}

/* Closes the HDF5 objects. HDF5 is not called if nothing was opened: without memory it crashes in
 * every call. */
static void close_hdf5(omr_result_file *f) {
  if (f->file < 0) return;
  const omr_hdf5_report report = omr_hdf5_quiet();
  close_parts(f);
  H5Fclose(f->file);
  omr_hdf5_restore(report);
}

void omr_result_file_close(omr_result_file *f) {
  if (!f) return;
  close_hdf5(f);
  free_file(f);
}
