#include "manifest.h"

#include "../include/omniroll/program.h"
#include "../result/hdf5_read.h"
#include "../study/output.h"
#include "folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WHAT = 700 };

typedef enum omr_occupant {
  OMR_NOBODY, /* no file, or an empty one */
  OMR_SAME_RESULT,
  OMR_OTHER_RESULT, /* of another study, precision, numerics or version */
  OMR_NO_RESULT
} omr_occupant;

static bool attribute_differs(hid_t file, const char *attribute, const char *name, const char *now,
                              char *what, size_t size) {
  char *text = omr_hdf5_get_text(file, attribute);
  const bool same = text && strcmp(text, now) == 0;
  if (!same)
    snprintf(what, size, "%s was %s and now is %s", name, text ? text : "not recorded", now);
  free(text);
  return !same;
}

/* Whether the file is a part of a run, or else of another run than `now`. */
static bool differs(hid_t file, const omr_manifest *now, char *what, size_t size) {
  if (H5Aexists(file, "coverage") > 0) {
    snprintf(what, size, "merge --partial made it of some chunks");
    return true;
  }

  if (!now) return false;
  if (attribute_differs(file, "omniroll_version", "the version of omniroll", now->version, what,
                        size) ||
      (H5Aexists(file, "sources") > 0 && /* older results lack it */
       attribute_differs(file, "sources", "the hash of the sources of omniroll", now->sources, what,
                         size)) ||
      attribute_differs(file, "precision", "engine.precision", now->precision, what, size) ||
      attribute_differs(file, "numerics", "engine.numerics", now->numerics, what, size))
    return true;

  char *study = omr_hdf5_get_text(file, "study");
  const bool differ = !study || omr_study_text_differs(study, now->study_text, what, size);
  if (!study) snprintf(what, size, "its study cannot be read");
  free(study);
  return differ;
}

/* An empty file, such as mktemp's, is nothing to lose. */
static bool is_there(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && info.st_size > 0;
}

/* Files of sample have no times, and files of `omniroll reference` are no run of the study. */
static bool is_result(hid_t file) {
  if (H5Aexists(file, "study_hash") <= 0 || H5Aexists(file, "kernel_seconds") <= 0) return false;
  char *backend = omr_hdf5_get_text(file, "backend");
  char *numerics = omr_hdf5_get_text(file, "numerics");
  const bool own = backend && strcmp(backend, "reference") != 0,
             swept = numerics && strcmp(numerics, "reference") == 0, is = own || swept;
  free(backend);
  free(numerics);
  return is;
}

/* `now` (NULL: any whole result is the same one) is what the result would be of; `what` gets what
 * differs from it. */
static omr_occupant occupant_of(const char *path, const omr_manifest *now, char *what,
                                size_t size) {
  what[0] = '\0';
  if (!is_there(path)) return OMR_NOBODY;
  omr_occupant occupant = OMR_NO_RESULT;
  omr_error crash; /* a file that crashes HDF5 is no result */
  if (omr_hdf5_probe(path, &crash) != OMR_OK) return occupant;
  const omr_hdf5_report report = omr_hdf5_quiet();
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0 && is_result(file))
    occupant = differs(file, now, what, size) ? OMR_OTHER_RESULT : OMR_SAME_RESULT;
  if (file >= 0) H5Fclose(file);
  omr_hdf5_restore(report);
  return occupant;
}

bool omr_is_result(const char *path, const omr_manifest *manifest) {
  char what[WHAT];
  return occupant_of(path, manifest, what, sizeof what) == OMR_SAME_RESULT;
}

omr_status omr_check_not_read(const char *path, const omr_manifest *now, omr_error *error) {
  char *study = omr_manifest_path(now);
  const omr_status status = study ? omr_check_reads(path, now->study_text, study, error)
                                  : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(study);
  return status;
}

omr_status omr_check_occupied(const char *path, const omr_manifest *now, bool overwrite, FILE *log,
                              omr_error *error) {
  char what[WHAT], who[WHAT + 64];
  const omr_occupant occupant = occupant_of(path, now, what, sizeof what);
  if (occupant == OMR_NOBODY) return OMR_OK;

  /* A file that the study reads is never replaced. */
  const omr_status reads = omr_check_not_read(path, now, error);
  if (reads != OMR_OK) return reads;

  /* Describe the file. */
  if (occupant == OMR_SAME_RESULT)
    snprintf(who, sizeof who, "the result of this same study");
  else if (occupant == OMR_OTHER_RESULT)
    snprintf(who, sizeof who, "the result of another run: %s", what);
  else
    snprintf(who, sizeof who, "a file that is no result of omniroll run");

  /* Only the study's own result is replaced without --overwrite. */
  if (occupant != OMR_SAME_RESULT && !overwrite)
    return omr_fail(
        error, OMR_ERR_IO,
        "%s is there, %s. Replace it with --overwrite, or choose another file with -o FILE.", path,
        who);

  if (log)
    fprintf(log, "%s is there, %s; it is replaced when the new one is complete\n", path, who);
  return OMR_OK;
}

omr_status omr_study_check_place(const omr_study *study, const char *path, omr_error *error) {
  omr_manifest now = {0};
  omr_status status = omr_manifest_make(study, 0, 0, &now, error);
  if (status == OMR_OK) status = omr_check_occupied(path, &now, false, NULL, error);
  omr_manifest_free(&now);
  return status;
}
