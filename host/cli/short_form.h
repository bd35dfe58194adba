/* The short form of run, resume and merge: its summary is the library's (omr_file_options.brief);
 * of the log it prints the lines that a user may have to act on, at their time. */
#ifndef OMR_CLI_SHORT_FORM_H
#define OMR_CLI_SHORT_FORM_H

#include "text.h"

/* Whether a line of the log waits: choices that were made for the user, which --verbose prints, and
 * warnings, which the summary has. */
bool cli_is_withheld(const char *line, size_t length);

/* The first waiting warning, in one line of 80 columns: for a run that takes long. False where
 * there is none. */
bool cli_print_first_warning(const cli_text *held, FILE *out);

/* The waiting lines: all of them after a failure; otherwise the warnings that the summary (NULL:
 * none) lacks. */
void cli_print_held(const cli_text *held, const char *summary, bool failed, FILE *out);

/* A line of the log, broken between words for a terminal of 80 columns. */
void cli_print_wrapped(const char *line, size_t length, FILE *out);

/* Lines whose first `label` characters are a label or blank: what is wider than 80 columns goes on
 * below the text, not below the label. */
void cli_print_labelled(const char *text, size_t label, FILE *out);

/* The first lines of a text. */
void cli_print_lines(const char *text, int most, FILE *out);

#endif
