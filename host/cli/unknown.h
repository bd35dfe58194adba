/* What stands on a command line and is not known there. */
#ifndef OMR_CLI_UNKNOWN_H
#define OMR_CLI_UNKNOWN_H

#include "cli.h"

/* What an option that the command does not have means; NULL where that is not known. */
const char *cli_option_hint(const cli_command *command, const char *name);

/* A word such as -output, which getopt would read as -o utput. OMR_OK: there is none. */
omr_status cli_refuse_single_dash(const cli_command *command, int argc, char **argv,
                                  omr_error *error);

/* operands[most] and those behind it are too many. */
omr_status cli_refuse_operands(const cli_command *command, const cli_arguments *arguments, int most,
                               int count, char **operands, omr_error *error);

#endif
