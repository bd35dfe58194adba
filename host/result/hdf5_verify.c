/* Checks a whole result file against its checksums, whatever reads it. */
#include "../support/input.h"
#include "hdf5_read.h"
#include "hdf5_sums.h"
#include "hdf5_virtual.h"
#include "hdf5_visit.h"
#include "verified.h"

typedef struct walk {
  omr_verified *found;
  bool sealed;        /* the file has checksums */
  omr_virtual *files; /* that hold the rows */
  bool whole;         /* and are what they were */
} walk;

/* Checks the files that hold the rows. */
static void check_files(walk *w) {
  char why[512], what[100];
  const size_t count = w->files ? w->files->count : 0;
  w->whole = true;
  for (size_t i = 0; i < count; i++) {
    w->found->checked++;
    if (omr_virtual_trust(w->files, i, why, sizeof why)) continue;
    omr_verified_problem(w->found, w->files->files[i].name, why);
    w->whole = false;
  }
  snprintf(what, sizeof what, "virtual, over %zu file%s", count, count == 1 ? "" : "s");
  if (count) omr_verified_note(w->found, "/", what);
}

/* Checks a dataset or group; -1 is one that cannot be opened. Goes on after every finding. */
static bool check_object(hid_t object, const char *path, void *user) {
  walk *w = user;
  if (object < 0) {
    omr_verified_problem(w->found, path, omr_hdf5_last_cause().text);
    return true;
  }

  const htri_t there = H5Aexists(object, OMR_SUM_NAME);
  const bool has = there > 0;
  if (there < 0) {
    omr_verified_problem(w->found, path, omr_hdf5_last_cause().text);
    return true;
  }

  /* rows in files that are not what they were are named by those */
  const bool elsewhere =
      w->files && H5Iget_type(object) == H5I_DATASET && omr_hdf5_is_virtual(object);
  if (elsewhere && !w->whole) return true;

  /* count objects with and without checksum */
  if (has)
    w->found->checked++;
  else
    w->found->unchecked++;

  /* an object without one is suspicious only among others that have one */
  if (!has && w->sealed)
    omr_verified_problem(w->found, path, "has no checksum, which the file's other parts have");
  else if (has ? !omr_sum_check_over(object, elsewhere ? w->files : NULL)
               : !omr_sum_readable(object))
    omr_verified_problem(w->found, path, omr_hdf5_last_cause().text);

  return true;
}

static omr_status check_file(const char *path, hid_t file, omr_verified *found, omr_error *error) {
  const htri_t sealed = H5Aexists_by_name(file, "/", OMR_SUM_NAME, H5P_DEFAULT);
  walk w = {.found = found, .sealed = sealed > 0};
  if (sealed < 0) { /* the disk fails: there is no answer */
    omr_verified_problem(found, "/", omr_hdf5_last_cause().text);
    return OMR_OK;
  }

  /* a file without checksums has rows at least */
  if (!w.sealed && H5Lexists(file, "instances", H5P_DEFAULT) <= 0)
    return omr_fail_file(
        error, OMR_ERR_IO, path,
        "%s: is no result of omniroll: it has neither checksums nor a group /instances.", path);

  /* the files of its rows, and everything in it */
  const omr_status status = omr_virtual_open(file, path, &w.files, error);
  if (status != OMR_OK) return status;
  check_files(&w);
  omr_hdf5_visit(file, check_object, &w);
  omr_virtual_free(w.files);
  if (!w.sealed)
    omr_verified_note(
        found, "/",
        "the file has no checksums, since an older omniroll wrote it: what can be read was read");
  return OMR_OK;
}

omr_status omr_verify_result(const char *path, omr_verified *found, omr_error *error) {
  found->kind = "result";
  omr_status status = omr_check_result_file(path, error);
  if (status == OMR_OK) status = omr_hdf5_room(path, error);
  if (status == OMR_OK) status = omr_hdf5_probe(path, error);
  if (status != OMR_OK) return status;
  const omr_hdf5_report report = omr_hdf5_quiet();
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0)
    status = check_file(path, file, found, error);
  else
    omr_verified_problem(found, "/", omr_hdf5_last_cause().text);
  if (file >= 0) H5Fclose(file);
  omr_hdf5_restore(report);
  return status;
}
