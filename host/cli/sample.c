/* omniroll sample: the design of a study as a table. */
#include "cli.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool ends_in(const char *text, const char *end) {
  const size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && strcmp(text + length - wanted, end) == 0;
}

static omr_status write_hdf5(const omr_study *study, const char *path, omr_error *error) {
  omr_result *result = NULL;
  omr_status status = omr_study_sample(study, &result, error);
  if (status == OMR_OK) status = omr_result_write(result, path, error);
  omr_result_destroy(result);
  return status;
}

static omr_status print_table(const omr_study *study, bool as_json, FILE *out, omr_error *error) {
  if (!as_json) return omr_study_sample_print(study, out, error);
  FILE *json = cli_table_to_json(out);
  if (!json) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = omr_study_sample_print(study, json, error);
  fclose(json);
  return status;
}

static omr_status fail_file(const char *path, omr_error *error) {
  return omr_fail(error, OMR_ERR_IO, "cannot write %s: %s; choose another file with -o FILE", path,
                  strerror(errno));
}

/* Under a temporary name first, so that the file is whole or not there. */
static omr_status write_table(const omr_study *study, bool as_json, const char *path,
                              omr_error *error) {
  cli_text temporary = {0};
  cli_text_print(&temporary, "%s.tmp-%ld", path, (long)getpid());
  if (temporary.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  unlink(temporary.data); /* left by a killed process of the same number, or a link of others */
  FILE *out = fopen(temporary.data, "wx");
  omr_status status = out ? print_table(study, as_json, out, error) : fail_file(path, error);
  if (out && fclose(out) != 0 && status == OMR_OK) status = fail_file(path, error);
  if (status == OMR_OK && rename(temporary.data, path) != 0) status = fail_file(path, error);
  if (status != OMR_OK && out) unlink(temporary.data);
  cli_text_free(&temporary);
  return status;
}

omr_status cli_sample(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  const char *output = arguments->output;
  omr_status status = cli_check_output(arguments, error);
  if (status == OMR_OK) status = cli_load(arguments, &study, error);
  if (status == OMR_OK && !output) status = print_table(study, arguments->json, stdout, error);
  if (status == OMR_OK && output)
    status = !arguments->json && (ends_in(output, ".h5") || ends_in(output, ".hdf5"))
                 ? write_hdf5(study, output, error)
                 : write_table(study, arguments->json, output, error);
  omr_study_destroy(study);
  return status;
}
