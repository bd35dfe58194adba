/* The short form of run, resume and merge: its summary is the library's (omr_file_options.brief);
 * of the log it tells what a user may have to act on, and when. */
#ifndef OMR_CLI_SHORT_H
#define OMR_CLI_SHORT_H

#include "text.h"

/* Whether a line of the log waits: choices that were made for the user, which --verbose tells, and
 * warnings, which the summary has. */
bool cli_is_withheld(const char *line, size_t length);

/* The first of the warnings that wait, in one line of 80 columns: for a run that takes long. False
 * where there is none. */
bool cli_print_first_warning(const cli_text *held, FILE *out);

/* What waited: all of it after a failure; otherwise the warnings that the summary (NULL: there is
 * none) does not have. */
void cli_print_held(const cli_text *held, const char *summary, bool failed, FILE *out);

/* A line of the log, broken between words for a terminal of 80 columns. */
void cli_print_wrapped(const char *line, size_t length, FILE *out);

/* The first lines of a text. */
void cli_print_lines(const char *text, int most, FILE *out);

#endif
