/* Unknown words on a command line. */
#ifndef OMR_CLI_UNKNOWN_WORDS_H
#define OMR_CLI_UNKNOWN_WORDS_H

#include "cli.h"

/* The meaning of an option that the command lacks; NULL where it is not known. */
const char *cli_option_hint(const cli_command *command, const char *name);

/* A word such as -output, which getopt would read as -o utput. OMR_OK: there is none. */
omr_status cli_refuse_single_dash(const cli_command *command, int argc, char **argv,
                                  omr_error *error);

/* operands[most] and all that follow are too many. */
omr_status cli_refuse_operands(const cli_command *command, const cli_arguments *arguments, int most,
                               int count, char **operands, omr_error *error);

#endif
