/* omniroll schema: the schema of study files. */
#include "cli.h"

omr_status cli_schema(const cli_arguments *arguments, omr_error *error) {
  char *json = NULL;
  (void)arguments;
  return cli_print_text(&json, omr_study_schema_json(&json, error));
}
