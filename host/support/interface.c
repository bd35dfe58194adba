/* Errors and texts for callers that do not know the layout of a struct. */
#include "support.h"

#include <stdlib.h>

int omr_interface_version(void) {
  return 2;
}

/* Options of callers compiled with other headers. */
omr_status omr_check_size(size_t size, size_t known, const char *name, omr_error *error) {
  if (size == known) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "%s of %zu bytes: omniroll %s knows those of %zu; begin with their macro "
                  "(omr_run_options with OMR_RUN_OPTIONS_INIT), and compile with the headers of "
                  "this version",
                  name, size, omr_version(), known);
}

omr_error *omr_error_create(void) {
  return calloc(1, sizeof(omr_error));
}

void omr_error_destroy(omr_error *error) {
  free(error);
}

omr_status omr_error_status(const omr_error *error) {
  return error->status;
}

const char *omr_error_message(const omr_error *error) {
  return error->message;
}

void omr_text_destroy(char *text) {
  free(text);
}
