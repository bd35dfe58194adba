/* A stream into a file that is replaced completely or not at all. */
#include "replace.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct omr_output {
  omr_replace file;
  FILE *stream;
};

/* Opens a stream on a copy of the descriptor, since closing the stream closes the descriptor. */
static omr_status open_stream(omr_output *o, omr_error *error) {
  const int copy = dup(o->file.descriptor);
  o->stream = copy < 0 ? NULL : fdopen(copy, "w");
  if (o->stream) return OMR_OK;
  const omr_status status = omr_replace_fail(&o->file, errno, error);
  if (copy >= 0) close(copy);
  return status;
}

omr_status omr_output_open(const char *path, omr_output **output, omr_error *error) {
  *output = NULL;
  omr_output *o = calloc(1, sizeof *o);
  if (!o) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = omr_replace_open(&o->file, path, error);
  if (status != OMR_OK) {
    free(o);
    return status;
  }
  status = open_stream(o, error);
  if (status == OMR_OK)
    *output = o;
  else
    omr_output_discard(o);
  return status;
}

FILE *omr_output_stream(omr_output *output) {
  return output->stream;
}

/* Finds out why a stream failed some writes ago, since no one stored the reason: it writes to the
 * disk once more. The file is discarded afterwards. */
static int cause_of(int file) {
  static const char more[1 << 16];
  for (int i = 0; i < 2; i++)
    if (write(file, more, sizeof more) < 0) return errno;
  return EIO;
}

omr_status omr_output_finish(omr_output *output, omr_error *error) {
  errno = 0;
  const bool failed = ferror(output->stream) != 0, closed = fclose(output->stream) == 0;
  output->stream = NULL;
  if (failed || !closed) {
    const int cause = errno ? errno : cause_of(output->file.descriptor);
    const omr_status status = omr_replace_fail(&output->file, cause, error);
    omr_output_discard(output);
    return status;
  }
  const omr_status status = omr_replace_finish(&output->file, error);
  free(output);
  return status;
}

void omr_output_discard(omr_output *output) {
  if (!output) return;
  if (output->stream) fclose(output->stream);
  omr_replace_discard(&output->file);
  free(output);
}
