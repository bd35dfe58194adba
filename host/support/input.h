/* What kind of thing a path is that the user gave, and messages for the wrong kind. */
#ifndef OMR_INPUT_H
#define OMR_INPUT_H

#include "support.h"

typedef enum omr_input_kind {
  OMR_INPUT_MISSING, /* errno says why */
  OMR_INPUT_FOLDER,
  OMR_INPUT_PARTS, /* a folder of an unfinished run */
  OMR_INPUT_HDF5,
  OMR_INPUT_JSON, /* text that begins with an object */
  OMR_INPUT_OTHER
} omr_input_kind;

omr_input_kind omr_input_kind_of(const char *path);

/* "nowhere/s.json" for "nowhere/s" or "nowhere/t.json": the path of a file that may be meant; ""
 * where there is none. */
void omr_find_meant(const char *path, const char *ending, char *meant, size_t size);
/* The first of a kind in a folder by the alphabet, with its path; false where there is none. */
bool omr_first_of_kind(const char *folder, omr_input_kind kind, char *found, size_t size);

/* Refuses what is no study or no result for sure: nothing, a folder, the one in place of the other.
 * The message says what it is and what to do; other damage is left to the reader. "-" is a study.
 */
omr_status omr_check_study_file(const char *path, omr_error *error);
omr_status omr_check_result_file(const char *path, omr_error *error);

#endif
