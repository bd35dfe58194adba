/* How far members are from what was measured, run by run and sample by sample. */
#include "calibrate.h"

#include <math.h>
#include <stdlib.h>

/* Numbers of one sample of one run: at `at` of a member's, `each` of them. */
typedef struct series {
  size_t at, each, data;
} series;

static void sum_up(const omr_calibrate *c, const double *off, const bool *good, series s,
                   bool before, omr_calibrate_error *e) {
  double squares = 0, mean_squares = 0, last = 0;
  size_t count = 0;
  for (size_t i = 0; i < s.each; i++) {
    double mean = 0;
    count = 0;
    for (size_t j = 0; j < c->size.members; j++) {
      if (!good[j]) continue;
      const double here = off[j * s.data + s.at + i];
      squares += here * here;
      mean += here;
      count++;
    }
    mean /= (double)count;
    mean_squares += mean * mean;
    last = mean;
  }
  const double rms = sqrt(squares / (double)(count * s.each));
  if (before) {
    e->before = rms;
    return;
  }
  e->after = rms;
  e->mean_after = sqrt(mean_squares / (double)s.each);
  e->end = last;
}

static void sum_runs(omr_calibrate *c, const omr_forward *forward, const double *off,
                     const bool *good, bool before) {
  const size_t samples = c->study->measured.samples;
  size_t at = 0;
  for (size_t r = 0; r < forward->runs; r++) {
    const size_t each = forward->run[r].data / samples;
    for (size_t s = 0; s < samples; s++, at += each) {
      omr_calibrate_error *e = &c->error[c->errors++];
      e->run = forward->run[r].number;
      e->sample = s;
      sum_up(c, off, good, (series){at, each, forward->data}, before, e);
    }
  }
}

omr_status calibrate_find_errors(omr_calibrate *c, omr_forward *forward, bool before,
                                 const omr_run_options *options, omr_error *error) {
  const size_t count = c->size.members * forward->data;
  double *residuals = calloc(count, sizeof *residuals), *off = calloc(count, sizeof *off);
  bool *good = calloc(c->size.members, sizeof *good);
  omr_status status =
      residuals && off && good
          ? omr_forward_run_members(forward, c->coordinates, c->size.members, options, residuals,
                                    off, good, error)
          : omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu members", c->size.members);
  if (status == OMR_OK) sum_runs(c, forward, off, good, before);
  free(residuals);
  free(off);
  free(good);
  return status;
}
