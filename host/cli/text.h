/* Growing text, numbers and time: the program sees only the library's public headers. */
#ifndef OMR_CLI_TEXT_H
#define OMR_CLI_TEXT_H

#include <omniroll/omniroll.h>

/* Zero-initialise; free with cli_text_free. data is terminated once anything was added. */
typedef struct cli_text {
  char *data;
  size_t length, capacity;
  bool failed; /* out of memory at some point */
} cli_text;

void cli_text_add(cli_text *text, const char *bytes, size_t count);
void cli_text_print(cli_text *text, const char *format, ...) OMR_FORMAT(2, 3);
void cli_text_free(cli_text *text);

/* strtod in the C locale, whatever locale the process has set; hexadecimal is no number. */
double cli_strtod(const char *text, char **end);

/* Monotonic clock, s. */
double cli_seconds(void);

#endif
