#include "forecast.h"

/* Rounds of the ensemble and batches of points, as in the ready studies and the validation book.
 * Their number depends on how far the data are from the prior. */
static const double few_rounds = 3, many_rounds = 15, few_batches = 5, many_batches = 60;

/* Manoeuvres of a round of refinement, and sides of a difference. */
enum { NEAR = 8, SIDES = 2 };

typedef struct runs {
  double fitted, kept_apart;
} runs;

static runs count_runs(const omr_measured *measured) {
  runs count = {0};
  for (size_t r = 0; r < measured->runs; r++)
    if (measured->run[r].held_out)
      count.kept_apart++;
    else
      count.fitted++;
  return count;
}

/* Groups of fitted runs, as calibrate/coordinates.h numbers them. */
static double count_groups(const omr_measured *measured) {
  double groups = 0;
  for (size_t r = 0; r < measured->runs; r++) {
    bool first = !measured->run[r].held_out;
    for (size_t k = 0; k < r; k++)
      first =
          first && (measured->run[k].held_out || measured->run[k].group != measured->run[r].group);
    groups += first;
  }
  return groups;
}

/* As calibrate/coordinates.h counts them, without unknown noises. */
static double count_unknowns(const omr_study *study, double fitted) {
  double unknowns = (double)study->sample.dimensions;
  for (size_t v = 0; v < study->variation_count; v++)
    if (study->variations[v].per_run) unknowns += count_groups(&study->measured);
  for (size_t u = 0; u < study->measured.unknowns; u++)
    unknowns += study->measured.unknown[u].per_run ? fitted : 1;
  return unknowns;
}

/* The prior's errors and the answer's in all runs, rounds and batches in the fitted ones, and
 * differences three times. */
static double runs_of_fit(const omr_study *study, double rounds, double batches) {
  const omr_calibrate_settings *settings = &study->calibrate;
  const runs count = count_runs(&study->measured);
  const double members = (double)settings->members, points = (double)settings->points;
  const double all = count.fitted + count.kept_apart;
  return members * all + (points > 0 ? points : members) * all +
         (members * rounds + points * batches + 3 * SIDES * count_unknowns(study, count.fitted)) *
             count.fitted;
}

omr_fits_forecast omr_forecast_fits(const omr_study *study) {
  const omr_excite_settings *excite = &study->excite;
  if (study->measured.runs > 0)
    return (omr_fits_forecast){"calibrate", runs_of_fit(study, few_rounds, few_batches),
                               runs_of_fit(study, many_rounds, many_batches)};
  if (excite->tries == 0) return (omr_fits_forecast){0};
  const double manoeuvres = (double)(1 + excite->tries + NEAR * excite->rounds);
  const double each = (double)(SIDES * excite->draws * study->sample.dimensions);
  return (omr_fits_forecast){"excite", manoeuvres * each, manoeuvres * each};
}
