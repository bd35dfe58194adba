/* omniroll bench: how fast this machine is, and how near to its limits. */
#include "cli.h"
#include "progress.h"
#include <math.h>

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

  /* Check options and outputs before the long measurement. */
  cli_progress_start(&progress, arguments->quiet, "measurements/s");
  omr_bench_options options = {.size = sizeof options,
                               .sections = arguments->sections,
                               .backend = arguments->backend,
                               .device = arguments->device,
                               .precision = arguments->precision,
                               .threads = arguments->threads,
                               .rounds = arguments->rounds,
                               .seconds = arguments->seconds,
                               .quick = arguments->quick,
                               .progress = cli_progress_watch,
                               .progress_user = &progress};
  omr_status status = choose_instances(arguments, &options, error);
  if (status == OMR_OK) status = omr_bench_check(&options, error);
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
