/* Colour and weight of text on terminals; pipes and files get none. */
#include "cli.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Standard output itself, while stdout is the stream that shows texts. */
static FILE *plain_output;

omr_status cli_show_output(omr_error *error) {
  FILE *shown = omr_shown_stream(stdout);
  if (!shown) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  setvbuf(shown, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 1 << 16);
  plain_output = stdout;
  stdout = shown;
  /* Not before: a C++ library that came with a driver keeps stdout, and flushes it at exit. */
  atexit(cli_end_output);
  return OMR_OK;
}

void cli_end_output(void) {
  FILE *shown = stdout;
  if (!plain_output) return;
  stdout = plain_output;
  plain_output = NULL;
  fclose(shown); /* flushed earlier, where an error could be reported */
}

static FILE *plain(FILE *stream) {
  return stream == stdout && plain_output ? plain_output : stream;
}

bool cli_has_colour(FILE *stream) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  if (no_color && *no_color) return false; /* no-color.org: set and not empty */
  return isatty(fileno(plain(stream))) && term && *term && strcmp(term, "dumb") != 0;
}

void cli_heading(FILE *out, const char *text) {
  const bool colour = cli_has_colour(out);
  fflush(out);
  if (colour) fputs("\033[1m", plain(out));
  fputs(text, out);
  fflush(out);
  if (colour) fputs("\033[0m", plain(out));
  fputc('\n', out);
}

void cli_print_error(const omr_error *error) {
  const bool colour = cli_has_colour(stderr);
  fprintf(stderr, "%somniroll:%s %s\n", colour ? "\033[1;31m" : "", colour ? "\033[0m" : "",
          error->message);
}
