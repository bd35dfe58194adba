/* Runs whose results a journal keeps: the journal's identity, and members that ran before. */
#include "calibrate.h"

#include <stdlib.h>
#include <string.h>

/* The text of a study without its section "engine", which changes bits only by its precision and
 * numerics. It holds the hashes of the files that the study reads. */
static bool add_study(const omr_study *study, omr_hash *hash) {
  cJSON *root = cJSON_Parse(study->text);
  cJSON_DeleteItemFromObjectCaseSensitive(root, "engine");
  char *text = root ? cJSON_PrintUnformatted(root) : NULL;
  if (text) omr_hash_add(hash, text, strlen(text));
  free(text);
  cJSON_Delete(root);
  return text != NULL;
}

static bool add_runs(const omr_forward *forward, omr_hash *hash) {
  for (size_t r = 0; r < forward->runs; r++)
    if (!add_study(forward->run[r].study, hash)) return false;
  return true;
}

static bool hash_studies(const omr_calibrate *c, char hex[33]) {
  omr_hash *hash = omr_hash_begin();
  if (!hash) return false;
  const bool added =
      add_study(c->study, hash) && add_runs(&c->fitted, hash) && add_runs(&c->held_out, hash);
  omr_hash_end(hash, hex);
  return added;
}

omr_status calibrate_keep(const omr_calibrate *c, const omr_calibrate_options *options,
                          const char *work, calibrate_journal **journal, omr_error *error) {
  char study[33], engine[128], numbers[64];
  const char *precision = c->study->engine.precision == OMR_SINGLE_PRECISION ? "single" : "double";
  const calibrate_journal_options how = {options->journal, options->restart,
                                         options->foreign_journal};
  *journal = NULL;
  if (!options->journal) return OMR_OK;
  if (!hash_studies(c, study)) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  snprintf(engine, sizeof engine, "omniroll %s, sources %s", omr_version(), omr_sources());
  snprintf(numbers, sizeof numbers, "%s, %s", precision, omr_study_numerics(c->study));
  const calibrate_journal_of of = {engine, numbers, study, work};
  return calibrate_journal_open(&how, &of, journal, error);
}

omr_status calibrate_run_members(omr_calibrate *c, omr_forward *forward, const calibrate_how *how,
                                 const calibrate_batch *batch, omr_error *error) {
  const size_t numbers = batch->members * forward->data * sizeof *batch->residuals;
  const double before = forward->steps;
  double steps = 0;

  /* The coordinates are the question; residuals and steps are the answer. */
  const calibrate_block block = {.asked = batch->coordinates,
                                 .asked_size = batch->members * c->size.dimensions *
                                               sizeof *batch->coordinates,
                                 .part = {{batch->residuals, numbers},
                                          {batch->errors, batch->errors ? numbers : 0},
                                          {batch->good, batch->members * sizeof *batch->good},
                                          {&steps, sizeof steps}}};

  /* A calibration that goes on takes the answer from the journal. */
  if (calibrate_journal_take(c->journal, &block)) {
    forward->steps += steps;
    return OMR_OK;
  }

  /* A new answer is added to it. */
  const omr_status status =
      omr_forward_run_members(forward, batch->coordinates, batch->members, how->run,
                              batch->residuals, batch->errors, batch->good, error);
  steps = forward->steps - before;
  return status == OMR_OK ? calibrate_journal_add(c->journal, &block, error) : status;
}
