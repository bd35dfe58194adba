/* A study that holds variants: a command line for each of them. */
#ifndef OMR_CLI_VARIANTS_H
#define OMR_CLI_VARIANTS_H

#include "cli.h"

typedef struct cli_variant {
  const char *name;
  cli_arguments arguments; /* that choose it, with an output of its own: R.h5 -> R.NAME.h5 */
  cli_text choice, output;
} cli_variant;

typedef struct cli_variants {
  cli_variant *variant;
  size_t count; /* 0: a plain study, or one whose variant is chosen */
  char *names;
} cli_variants;

omr_status cli_variants_begin(const cli_arguments *arguments, cli_variants *all, omr_error *error);
void cli_variants_end(cli_variants *all);

/* The command for each of them in turn, under its name; for a plain study, once. */
typedef omr_status cli_variant_function(const cli_arguments *arguments, omr_error *error);
omr_status cli_each_variant(const cli_arguments *arguments, cli_variant_function *function,
                            omr_error *error);

/* Whether a command that ended so has a result: beyond the study's limits it has one, too. */
bool cli_has_result(omr_status status);

#endif
