/* manifest.json: the study that the folder of an unfinished result belongs to, and everything that
 * decides its bits. */
#ifndef OMR_MANIFEST_H
#define OMR_MANIFEST_H

#include "../study/json/json.h"
#include "../study/study.h"
#include "parts_folder.h"

enum { OMR_MANIFEST_FORMAT = 1 };

typedef struct omr_manifest {
  int format;
  char version[32];     /* of omniroll */
  char sources[33];     /* omr_sources; "": from an omniroll that did not keep it */
  char precision[8];    /* "double", "single" */
  char numerics[12];    /* omr_study_numerics */
  size_t chunk_rows;    /* rows of a chunk */
  size_t rows, chunks;  /* of a study that runs to its end */
  char *study_name;     /* as it was given */
  char *working_folder; /* its folder then: for tables that the study names */
  char *study_text, study_hash[33];
} omr_manifest;

/* The manifest that this program writes for the study. Release with omr_manifest_free. */
omr_status omr_manifest_make(const omr_study *study, size_t chunk_rows, size_t chunks,
                             omr_manifest *manifest, omr_error *error);
void omr_manifest_free(omr_manifest *manifest);

/* Written whole or not at all; where another process was faster, its manifest stays. */
omr_status omr_manifest_write(const omr_manifest *manifest, const omr_parts *parts,
                              omr_error *error);
/* *there is false, and nothing else happens, where the folder has none. */
omr_status omr_manifest_read(const omr_parts *parts, omr_manifest *manifest, bool *there,
                             omr_error *error);

/* The manifest as JSON, which the caller deletes, not whole where memory ran out (support/tree.h);
 * and read from that of `path`. */
cJSON *omr_manifest_tree(const omr_manifest *manifest);
omr_status omr_manifest_take(const cJSON *tree, const char *path, omr_manifest *manifest,
                             omr_error *error);

/* The first difference that keeps the parts of one from the other, with both values:
 * "integrator.step was \"1 ms\" and now is ..."; false where there is none. The section "engine",
 * which says where and how fast a study runs, does not matter. */
bool omr_manifest_differs(const omr_manifest *there, const omr_manifest *now, char *what,
                          size_t size);

/* The same for two study texts. */
bool omr_study_text_differs(const char *there, const char *now, char *what, size_t size);

/* Whether one omniroll made both, so that their numbers fit together. */
bool omr_manifest_same_build(const omr_manifest *there, const omr_manifest *now);
/* Fails where it is another omniroll than this one; `remedy` ends the message. */
omr_status omr_manifest_check_build(const omr_manifest *there, const char *folder,
                                    const char *remedy, omr_error *error);

/* The path of the study's file, whatever the current folder; the caller frees it, NULL: out of
 * memory. */
char *omr_manifest_path(const omr_manifest *manifest);

/* The study again, for resume; overrides of the section "engine" that do not decide bits are
 * allowed. */
omr_status omr_manifest_study(const omr_manifest *manifest, const char *const *overrides,
                              size_t count, omr_study **study, omr_error *error);

/* existing_result.c: the file in the place of a new result, and whether it may be replaced. */

/* Whether `path` is a result; where `manifest` is given, of its study, precision and version. */
bool omr_is_result(const char *path, const omr_manifest *manifest);

/* OMR_ERR_USAGE where the study reads the file at `path`. */
omr_status omr_check_not_read(const char *path, const omr_manifest *now, omr_error *error);

/* The same, and before anything is computed: OMR_ERR_IO where a file would be lost that this run
 * does not make again, unless `overwrite`. The log (NULL: none) names the file that will be
 * replaced. */
omr_status omr_check_occupied(const char *path, const omr_manifest *now, bool overwrite, FILE *log,
                              omr_error *error);

#endif
