/* Files that a written file may not replace. */
#ifndef OMR_STUDY_OUTPUT_H
#define OMR_STUDY_OUTPUT_H

#include "../support/support.h"

/* OMR_ERR_USAGE where `path` is the file `study` or one that its text (JSON) names, whose names
 * count from the folder of `study`: by device and inode. */
omr_status omr_check_reads(const char *path, const char *text, const char *study, omr_error *error);

#endif
