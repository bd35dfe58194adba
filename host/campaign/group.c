#include "group.h"

#include "../result/slice.h"
#include "../study/part.h"

#include <stdlib.h>

#define WORTHWHILE 1.2
#define LONGEST 10.0 /* s */

static omr_status run_all(omr_integrator *integrator, const omr_chunk_expected *chunks,
                          size_t count, omr_result **whole, omr_error *error) {
  size_t firsts[OMR_MOST_GROUPED], lasts[OMR_MOST_GROUPED];
  omr_cut cut;
  for (size_t i = 0; i < count; i++) {
    firsts[i] = chunks[i].first;
    lasts[i] = chunks[i].last;
  }
  omr_status status = count == 1 ? omr_cut_make(chunks->whole, firsts[0], lasts[0], &cut, error)
                                 : omr_cut_join(chunks->whole, firsts, lasts, count, &cut, error);
  if (status != OMR_OK) return status;
  status = omr_integrator_run(integrator, &cut.part, whole, error);
  omr_cut_free(&cut);
  return status;
}

omr_status omr_group_run(omr_integrator *integrator, const omr_chunk_expected *chunks, size_t count,
                         omr_result **results, omr_error *error) {
  omr_result *whole = NULL;
  omr_status status = run_all(integrator, chunks, count, &whole, error);

  /* A single chunk has all rows. */
  if (status == OMR_OK && count == 1) {
    results[0] = whole;
    return OMR_OK;
  }

  /* Each chunk gets a slice of the rows. */
  size_t row = 0, made = 0;
  for (; status == OMR_OK && made < count; made++) {
    const size_t rows = chunks[made].last - chunks[made].first;
    status = omr_result_slice(whole, row, rows, &results[made], error);
    row += rows;
  }

  /* A failure leaves no result. */
  if (status != OMR_OK) {
    for (size_t i = 0; i + 1 < made; i++) omr_result_destroy(results[i]);
  }
  omr_result_destroy(whole);
  return status;
}

void omr_grouping_learn(omr_grouping *g, size_t chunks, double steps, double seconds) {
  if (g->settled || chunks != g->chunks || !(seconds > 0)) return;
  const double rate = steps / seconds;
  if (rate > WORTHWHILE * g->rate && 2 * seconds <= LONGEST && g->chunks < OMR_MOST_GROUPED) {
    g->chunks *= 2;
  } else {
    g->settled = true;
    if (rate < g->rate) g->chunks = g->chunks > 1 ? g->chunks / 2 : 1;
  }
  if (rate > g->rate) g->rate = rate;
}
