/* The result file: what stands where in it, and how it comes into being without ever being half there. */
#include "../statistics/statistics.h"
#include "hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct omr_place {
  const char *path, *folder, *temporary;
} omr_place;

#define X(id, code, ...) code,
static const int8_t status_codes[] = {OMR_INSTANCE_STATUSES(X)};
#undef X
#define X(id, code, name, ...) name " "
static const char status_names[] = OMR_INSTANCE_STATUSES(X);
#undef X

static void write_created(omr_hdf5 *h5) {
  char text[32] = "";
  time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  omr_hdf5_text(h5, h5->file, "created", text);
}

void omr_hdf5_study(omr_hdf5 *h5, const omr_result *result) {
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)result->seed);
  omr_hdf5_text(h5, h5->file, "Conventions", "CF-1.10");
  omr_hdf5_text(h5, h5->file, "title", result->study_title);
  omr_hdf5_text(h5, h5->file, "model", result->model);
  omr_hdf5_text(h5, h5->file, "study", result->study_text);
  omr_hdf5_text(h5, h5->file, "study_hash", result->study_hash);
  if (result->first_invalid[0]) omr_hdf5_text(h5, h5->file, "first_invalid", result->first_invalid);
  omr_hdf5_text(h5, h5->file, "study_name", result->study_name);
  omr_hdf5_text(h5, h5->file, "seed", seed); /* 64 bits: more than a reader's double can hold */
  omr_hdf5_number(h5, h5->file, "step", result->step);
  omr_hdf5_number(h5, h5->file, "duration", result->duration);
}

static void write_run(omr_hdf5 *h5, const omr_run_record *run) {
  omr_hdf5_text(h5, h5->file, "omniroll_version", omr_version());
  omr_hdf5_text(h5, h5->file, "build", omr_build_info());
  omr_hdf5_text(h5, h5->file, "backend", run->backend);
  omr_hdf5_text(h5, h5->file, "device", run->device);
  omr_hdf5_text(h5, h5->file, "precision", run->precision);
  omr_hdf5_integer(h5, h5->file, "lanes", run->lanes);
  omr_hdf5_integer(h5, h5->file, "threads", run->threads);
  omr_hdf5_number(h5, h5->file, "build_seconds", run->build_seconds);
  omr_hdf5_number(h5, h5->file, "prepare_seconds", run->prepare_seconds);
  omr_hdf5_number(h5, h5->file, "transfer_seconds", run->transfer_seconds);
  omr_hdf5_number(h5, h5->file, "kernel_seconds", run->kernel_seconds);
  omr_hdf5_number(h5, h5->file, "wall_seconds", run->wall_seconds);
  omr_hdf5_number(h5, h5->file, "instance_steps", run->instance_steps);
  omr_hdf5_number(h5, h5->file, "steps_per_second", run->kernel_seconds > 0 ? run->instance_steps / run->kernel_seconds : 0.0);
}

static omr_hdf5_scale instance_scale(omr_hdf5 *h5, hid_t group, const omr_result *result) {
  const size_t count = result->instances;
  omr_hdf5_scale none = {-1, 0};
  uint64_t *index = malloc(count * sizeof *index);
  if (!index) {
    if (!h5->failed) {
      h5->failed = true;
      snprintf(h5->task, sizeof h5->task, "write dataset instance");
      snprintf(h5->cause, sizeof h5->cause, "out of memory");
    }
    return none;
  }
  for (size_t k = 0; k < count; k++) index[k] = result->numbers ? result->numbers[k] : k;
  omr_hdf5_name name = {"instance", NULL, "index of the instance"};
  omr_hdf5_scale scale = omr_hdf5_scale_make(h5, group, name, H5T_NATIVE_UINT64, count, index);
  free(index);
  return scale;
}

static void write_column(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *instance, const omr_column *column, const char *role) {
  omr_hdf5_name name = {column->name, column->unit, column->meaning};
  hid_t dataset = omr_hdf5_variable(h5, group, name, H5T_NATIVE_DOUBLE, 1, instance, column->values);
  omr_hdf5_text(h5, dataset, "role", role);
  if (dataset >= 0) H5Dclose(dataset);
}

void omr_hdf5_status(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *instance, const omr_result *result) {
  omr_hdf5_name status = {"status", NULL, "what became of the instance"};
  hid_t dataset = omr_hdf5_variable(h5, group, status, H5T_NATIVE_INT8, 1, instance, result->status);
  char meanings[sizeof status_names];
  snprintf(meanings, sizeof meanings, "%.*s", (int)sizeof status_names - 2, status_names);
  omr_hdf5_bytes(h5, dataset, "flag_values", status_codes, sizeof status_codes);
  omr_hdf5_text(h5, dataset, "flag_meanings", meanings);
  if (dataset >= 0) H5Dclose(dataset);
  omr_hdf5_name time = {"status_time", "s", "time at which the instance ended"};
  dataset = omr_hdf5_variable(h5, group, time, H5T_NATIVE_DOUBLE, 1, instance, result->status_time);
  if (dataset >= 0) H5Dclose(dataset);
}

static void write_instances(omr_hdf5 *h5, const omr_result *result) {
  hid_t group = omr_hdf5_group(h5, "instances");
  omr_hdf5_scale instance = instance_scale(h5, group, result);
  for (size_t c = 0; c < result->column_count && !h5->failed; c++)
    write_column(h5, group, &instance, &result->columns[c], c < result->parameter_count ? "parameter" : "observable");
  if (!result->design_only) omr_hdf5_status(h5, group, &instance, result);
  omr_hdf5_scale_close(&instance);
  if (group >= 0) H5Gclose(group);
}

static void compose_result(omr_hdf5 *h5, const void *content) {
  const omr_result *result = content;
  if (!h5->failed) omr_hdf5_study(h5, result);
  if (!h5->failed && !result->design_only) write_run(h5, &result->record);
  if (!h5->failed) write_instances(h5, result);
  if (!h5->failed) omr_hdf5_trajectories(h5, result);
  if (!h5->failed && result->statistics) omr_statistics_write(result->statistics, h5);
}

static void folder_of(const char *path, omr_text *folder) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    omr_text_print(folder, ".");
  else
    omr_text_add(folder, path, slash == path ? 1 : (size_t)(slash - path));
}

/* A renamed file is on disk once its folder is. Some file systems cannot sync a folder and say EINVAL. */
static bool sync_folder(const char *folder) {
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES;
  bool done = fsync(descriptor) == 0 || errno == EINVAL;
  int cause = errno;
  close(descriptor);
  errno = cause;
  return done;
}

static bool write_bytes(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes += written;
    count -= (size_t)written;
  }
  return true;
}

/* False with errno; the caller removes the temporary file then. */
static bool write_and_close(int descriptor, const void *bytes, size_t count) {
  bool done = write_bytes(descriptor, bytes, count) && fsync(descriptor) == 0;
  int cause = errno;
  bool closed = close(descriptor) == 0;
  if (!done) errno = cause;
  return done && closed;
}

static omr_status replace_file(const omr_place *place, const void *bytes, size_t count, omr_error *error) {
  int descriptor = open(place->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return omr_fail(error, OMR_ERR_IO,
                    "%s: cannot create a file in the folder %s: %s. Create the folder or allow writing in it, or choose another "
                    "path.",
                    place->path, place->folder, strerror(errno));
  if (!write_and_close(descriptor, bytes, count) || rename(place->temporary, place->path) != 0) {
    int cause = errno;
    unlink(place->temporary);
    return omr_fail(error, OMR_ERR_IO,
                    "%s: cannot write the result of %zu bytes in the folder %s: %s. Nothing of it was left; make room or choose "
                    "another path.",
                    place->path, count, place->folder, strerror(cause));
  }
  if (!sync_folder(place->folder))
    return omr_fail(error, OMR_ERR_IO, "%s: written, but its folder %s cannot be synced to the disk: %s. Check the disk.",
                    place->path, place->folder, strerror(errno));
  return OMR_OK;
}

static omr_status write_in(omr_hdf5_compose *compose, const void *content, const omr_place *place, omr_error *error) {
  const void *bytes;
  size_t count;
  unlink(place->temporary); /* left by a killed process of the same number */
  omr_hdf5 h5 = omr_hdf5_create(place->temporary);
  compose(&h5, content);
  if (!h5.failed) write_created(&h5);
  omr_status status = omr_hdf5_image(&h5, &bytes, &count)
                          ? replace_file(place, bytes, count, error)
                          : omr_fail(error, OMR_ERR_IO,
                                     "%s: cannot compose the result: failed to %s: %s. If memory ran out, "
                                     "trace fewer instances or samples.",
                                     place->path, h5.task, h5.cause);
  omr_hdf5_close(&h5);
  return status;
}

/* HDF5 prints its errors unless told otherwise. */
static omr_status write_quietly(omr_hdf5_compose *compose, const void *content, const omr_place *place, omr_error *error) {
  H5E_auto2_t print;
  void *user;
  if (H5Eget_auto2(H5E_DEFAULT, &print, &user) < 0) return omr_fail(error, OMR_ERR_INTERNAL, "the HDF5 library does not start.");
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  omr_status status = write_in(compose, content, place, error);
  H5Eset_auto2(H5E_DEFAULT, print, user);
  return status;
}

omr_status omr_hdf5_write(const char *path, omr_hdf5_compose *compose, const void *content, omr_error *error) {
  struct stat there;
  if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
    return omr_fail(error, OMR_ERR_IO, "%s: is a folder. Give the name of a file, for example %s/result.h5.", path, path);
  omr_text folder = {0}, temporary = {0};
  folder_of(path, &folder);
  omr_text_print(&temporary, "%s.tmp-%ld", path, (long)getpid());
  omr_place place = {path, folder.data, temporary.data};
  omr_status status = folder.failed || temporary.failed
                          ? omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory before the result could be written.", path)
                          : write_quietly(compose, content, &place, error);
  omr_text_free(&folder);
  omr_text_free(&temporary);
  return status;
}

omr_status omr_result_write(const omr_result *result, const char *path, omr_error *error) {
  return omr_hdf5_write(path, compose_result, result, error);
}
