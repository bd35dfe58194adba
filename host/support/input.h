/* Paths that the user gave: what base.h has of them, and messages for the wrong kind. */
#ifndef OMR_INPUT_H
#define OMR_INPUT_H

#include "support.h"

/* Refuses what is no result for sure: nothing, a folder, a study. The message says what it is and
 * what to do; other damage is left to the reader. */
omr_status omr_check_result_file(const char *path, omr_error *error);

#endif
