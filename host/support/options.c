/* Options of callers compiled with other headers. */
#include "support.h"

omr_status omr_check_size(size_t size, size_t known, const char *name, omr_error *error) {
  if (size == known) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s of %zu bytes: omniroll %s knows those of %zu; begin with their macro "
                  "(omr_run_options with OMR_RUN_OPTIONS_INIT), and compile with the headers of "
                  "this version",
                  name, size, omr_version(), known);
}
