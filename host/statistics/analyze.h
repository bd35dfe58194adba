/* Statistics of a result file, computed anew from its rows and the study that is kept in it. */
#ifndef OMR_ANALYZE_H
#define OMR_ANALYZE_H

#include "../support/support.h"

typedef struct omr_analysis {
  const char *path;            /* the result */
  const char *const *settings; /* "statistics.fail=...": members of that section alone */
  size_t setting_count;
  const char *output; /* a copy of the file with the new statistics; NULL: none */
  bool json;
} omr_analysis;

/* Prints them, or writes the copy and says so. */
omr_status omr_analyze(const omr_analysis *analysis, FILE *out, omr_error *error);

#endif
