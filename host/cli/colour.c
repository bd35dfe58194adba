/* Colour and weight of text on terminals; pipes and files get none. */
#include "cli.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_has_colour(FILE *stream) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  if (no_color && *no_color) return false; /* no-color.org: set and not empty */
  return isatty(fileno(stream)) && term && *term && strcmp(term, "dumb") != 0;
}

void cli_heading(FILE *out, const char *text) {
  const bool colour = cli_has_colour(out);
  fprintf(out, "%s%s%s\n", colour ? "\033[1m" : "", text, colour ? "\033[0m" : "");
}

void cli_print_error(const omr_error *error) {
  const bool colour = cli_has_colour(stderr);
  fprintf(stderr, "%somniroll:%s %s\n", colour ? "\033[1;31m" : "", colour ? "\033[0m" : "",
          error->message);
}
