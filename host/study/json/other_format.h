/* Texts of other formats, given as a study. */
#ifndef OMR_STUDY_OTHER_FORMAT_H
#define OMR_STUDY_OTHER_FORMAT_H

#include "../../support/support.h"

/* OMR_ERR_STUDY, with the format and a remedy, where the text looks like YAML, TOML, XML, CSV, a
 * program or an archive; OMR_OK where it may be JSON: the reader of JSON reports its mistakes. */
omr_status omr_refuse_other_format(const char *text, size_t length, const char *name,
                                   omr_error *error);

#endif
