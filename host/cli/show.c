/* omniroll show: the vehicle of a study before it runs. */
#define _GNU_SOURCE /* dup2 */
#include "variants.h"

#include <omniroll/program.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static omr_status take_instance(const char *text, size_t *instance, omr_error *error) {
  char *end = NULL;
  *instance = OMR_NONE;
  if (!text) return OMR_OK;
  errno = 0;
  const unsigned long long number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno || number >= OMR_NONE)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--instance %s: expected the number of an instance, from 0 on", text);
  *instance = (size_t)number;
  return OMR_OK;
}

/* Whether the environment names UTF-8 as the terminal's characters. */
static bool has_utf8(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && *value) return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
  }
  return false;
}

/* Python reads the scene from its standard input: a file without a name. */
static omr_status draw(const char *json, const char *output, omr_error *error) {
  const char *words[] = {"--output", output};
  FILE *file = tmpfile();
  const bool given = file && fputs(json, file) >= 0 && fflush(file) == 0 &&
                     lseek(fileno(file), 0, SEEK_SET) == 0 &&
                     dup2(fileno(file), STDIN_FILENO) == STDIN_FILENO;
  const int cause = errno;
  if (file) fclose(file);
  if (given) return cli_run_python("omniroll.show_command", 2, words, error);
  return omr_fail(error, OMR_ERR_IO, "the scene cannot be handed to Python: %s", strerror(cause));
}

static omr_status show(const omr_study *study, size_t instance, const cli_arguments *arguments,
                       omr_error *error) {
  char *json = NULL;
  if (!arguments->output && !arguments->json)
    return omr_study_scene_print(study, instance, has_utf8(), stdout, error);
  omr_status status = omr_study_scene_json(study, instance, &json, error);
  if (status == OMR_OK && arguments->output) status = draw(json, arguments->output, error);
  if (status == OMR_OK) fputs(json, stdout);
  omr_text_destroy(json);
  return status;
}

static omr_status show_one(const cli_arguments *arguments, omr_error *error) {
  omr_study *study = NULL;
  size_t instance;
  if (arguments->output && arguments->json)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--output writes a picture and --json prints the scene; give one of them");
  omr_status status = take_instance(arguments->instance, &instance, error);
  if (status == OMR_OK) status = cli_check_output(arguments, error);
  if (status == OMR_OK) status = cli_load_whole(arguments, &study, error);
  if (status == OMR_OK && arguments->output)
    status = omr_study_check_output(study, arguments->output, error);
  if (status == OMR_OK) status = show(study, instance, arguments, error);
  omr_study_destroy(study);
  return status;
}

/* Python takes the place of this process for a picture, so that there is one. */
omr_status cli_show(const cli_arguments *arguments, omr_error *error) {
  return arguments->output ? show_one(arguments, error)
                           : cli_each_variant(arguments, show_one, error);
}
