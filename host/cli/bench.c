/* omniroll bench: how fast this machine is, and how near to its limits. */
#include "cli.h"
#include "progress.h"
#include <math.h>
#include <string.h>

/* --backend, --device, --precision and --threads come as overrides of a study, in which they are
 * words in quotes. */
static bool given(const cli_arguments *arguments, const char *path, char *value, size_t size) {
  bool found = false;
  for (size_t i = 0; i < arguments->override_count; i++) {
    const char *text = arguments->overrides[i];
    if (strncmp(text, path, strlen(path)) || text[strlen(path)] != '=') continue;
    text += strlen(path) + 1;
    const size_t quote = *text == '"', length = strlen(text);
    snprintf(value, size, "%.*s", (int)(length - 2 * quote), text + quote);
    found = true;
  }
  return found;
}

static omr_status choose_instances(const cli_arguments *arguments, omr_bench_options *options,
                                   omr_error *error) {
  char *end;
  if (!arguments->instances) return OMR_OK;
  const double count = cli_strtod(arguments->instances, &end);
  if (*end || end == arguments->instances || !(count >= 1) || !(count <= 1e8) ||
      floor(count) < count)
    return omr_fail(error, OMR_ERR_USAGE, "--instances %s: expected a whole number from 1 to 1e8",
                    arguments->instances);
  options->instances = (size_t)count;
  return OMR_OK;
}

/* Words that the options of the bench point to. */
typedef struct words {
  char backend[64], precision[64], device[128];
} words;

static omr_status choose(const cli_arguments *arguments, words *words, omr_bench_options *options,
                         omr_error *error) {
  char value[64];
  int threads = 0;
  if (given(arguments, "engine.threads", value, sizeof value) && sscanf(value, "%d", &threads) == 1)
    options->threads = threads;
  if (given(arguments, "engine.device", words->device, sizeof words->device))
    options->device = words->device;
  if (given(arguments, "engine.backend", words->backend, sizeof words->backend))
    options->backend = words->backend;
  if (given(arguments, "engine.precision", words->precision, sizeof words->precision))
    options->precision = words->precision;
  options->sections = arguments->sections;
  options->rounds = arguments->rounds;
  options->seconds = arguments->seconds;
  options->quick = arguments->quick;
  const omr_status status = choose_instances(arguments, options, error);
  return status == OMR_OK ? omr_bench_check(options, error) : status;
}

static omr_status write_all(const cli_arguments *arguments, const omr_bench *bench,
                            omr_error *error) {
  const bool to_output = arguments->json && !arguments->json_file;
  omr_status status = OMR_OK;
  if (!to_output) omr_bench_print(bench, stdout);
  if (arguments->json) status = omr_bench_write_json(bench, arguments->json_file, error);
  if (status == OMR_OK && arguments->csv)
    status = omr_bench_write_csv(bench, arguments->csv, error);
  return status;
}

omr_status cli_bench(const cli_arguments *arguments, omr_error *error) {
  cli_progress progress;
  omr_bench *bench;
  words words;

  /* Check options and outputs before the long measurement. */
  cli_progress_start(&progress, arguments->quiet, "measurements/s");
  omr_bench_options options = {
      .size = sizeof options, .progress = cli_progress_watch, .progress_user = &progress};
  omr_status status = choose(arguments, &words, &options, error);
  if (status == OMR_OK && arguments->json_file)
    status = omr_check_output(arguments->json_file, NULL, error);
  if (status == OMR_OK && arguments->csv) status = omr_check_output(arguments->csv, NULL, error);
  if (status != OMR_OK) return status;

  /* Measure, then print and write. */
  cli_catch_signals();
  status = omr_bench_create(&options, &bench, error);
  cli_progress_clear(&progress);
  if (status != OMR_OK) return status;

  status = write_all(arguments, bench, error);
  omr_bench_destroy(bench);
  return status;
}
