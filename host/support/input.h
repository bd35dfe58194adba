/* Paths from the user: the functions of base.h for them, and messages for the wrong kind. */
#ifndef OMR_INPUT_H
#define OMR_INPUT_H

#include "support.h"

/* Refuses a path that is certainly no result: nothing, a folder, a study. The message says what it
 * is and gives the remedy; other damage is left to the reader. */
omr_status omr_check_result_file(const char *path, omr_error *error);

#endif
