/* The findings that a calibration's reader must know before the numbers: sentences, each with its
 * weight. A finding against makes the verdict negative. */
#include "calibrate.h"
#include "summary.h"

#include "../study/designs/special_functions.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A fit that improves a holdout by less than this does not improve it; a posterior that keeps this
 * share of the prior's deviation has learned nothing; measured values that lie within the middle 90
 * % as seldom as this are not predicted. */
static const double improvement = 0.05, nothing_learned = 0.95, seldom = 0.5, often = 0.8;
/* Points that remember more than this of their place at the start of the last temperature have not
 * moved enough for intervals. */
static const double stuck = 0.3;
/* Sensitivities by two steps that agree to this factor are taken to be the same. */
static const double agree = 2;
/* A posterior of which this share lies in a prior's outer share at one end leans on its bound. */
static const double outer = 0.05, leaning = 0.3;

static OMR_PRINTF(3, 4) void find(omr_calibrate *c, omr_weight weight, const char *format, ...) {
  char line[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  char *text = c->findings < OMR_FINDINGS ? omr_pool_text(&c->memory, line) : NULL;
  if (text) c->finding[c->findings++] = (omr_finding){weight, text};
}

/* ---- does the prior predict the data, and does the fit */

static void judge_prior(omr_calibrate *c) {
  if (calibrate_is_predicted(c)) return;
  find(c, OMR_WEIGHS_AGAINST,
       "The prior does not predict the data: they are %.3g times as far off as noise and prior "
       "allow (root mean square).%s %s the distributions of \"vary\", or enlarge \"noise\" to what "
       "the model cannot tell.%s",
       sqrt(c->prior_distance), c->conflict ? c->conflict : "",
       c->conflict ? "Otherwise widen" : "Widen",
       c->stopped ? " No fit was made."
       : c->checked_only
           ? ""
           : " The fit was made all the same: noise of twice the stated size would allow them.");
}

/* The correlated noise with which the fit was repeated. */
static void judge_correlation(omr_calibrate *c) {
  const omr_measured *measured = &c->study->measured;
  for (size_t s = 0; c->correlated && s < measured->samples; s++) {
    const double time = c->correlation[s], keep = exp(-measured->interval / time);
    double values = 0;
    if (time == 0) continue;
    for (size_t r = 0; r < c->fitted.runs; r++)
      values += (double)omr_summary_count(&c->fitted.run[r].study->measured, s);
    find(c, OMR_WEIGHS_DOUBT,
         "What the fit left of %s was correlated in time, and \"noise\" says that it is not: %.2g "
         "of it remained from one instant to the next, so that %.0f values tell what %.0f would. "
         "The fit was made anew with \"correlation_time\": \"%.2g s\", and its intervals are "
         "those. State it, as you know it best, or what the model lacks.",
         calibrate_sample_name(c, s), keep, values, fmax(values * (1 - keep) / (1 + keep), 1),
         time);
  }
}

static void judge_misfit(omr_calibrate *c) {
  const double data = (double)c->size.data, square = c->best;
  if (calibrate_chi_tail(square * data, data) < CALIBRATE_BY_CHANCE)
    find(c, OMR_WEIGHS_AGAINST,
         "The model misses what was measured by %.3g times the noise (root mean square of the best "
         "member); intervals of the parameters are then too narrow. Something is missing in the "
         "model, or \"noise\" is larger than stated.",
         sqrt(square));
  else if (calibrate_chi_tail(square * data, data) > 1 - CALIBRATE_BY_CHANCE)
    find(c, OMR_WEIGHS_DOUBT,
         "What is left is %.3g of the noise: \"noise\" is stated too large, or it is correlated in "
         "time (\"correlation_time\"); intervals of the parameters are then wrong.",
         sqrt(square));
}

/* Doubts about logs, each once, though runs may share a file. */
static void judge_logs(omr_calibrate *c) {
  const omr_forward *const forwards[] = {&c->fitted, &c->held_out};
  for (int f = 0; f < 2; f++)
    for (size_t r = 0; r < forwards[f]->runs; r++) {
      const char *line = forwards[f]->run[r].study->log_note;
      for (size_t length; line && *line; line += length + (line[length] == '\n')) {
        length = strcspn(line, "\n");
        bool told = false;
        for (size_t k = 0; k < c->findings; k++)
          told = told || strncmp(c->finding[k].text, line, length) == 0;
        if (!told) find(c, OMR_WEIGHS_DOUBT, "%.*s.", (int)length, line);
      }
    }
}

/* Errors of the start that were assumed, since the study leaves them open. */
static void judge_start(omr_calibrate *c) {
  size_t assumed = 0;
  for (size_t u = 0; u < c->layout.unknowns; u++) assumed += c->layout.unknown[u].assumed;
  if (assumed)
    find(c, OMR_WEIGHS_NOTHING,
         "Poses count from the first row of each run, which has their \"noise\" as well: each run "
         "has a \"start_error\" of that size, found with the parameters. Where the start is exact, "
         "write \"start_error\": 0 beside the \"noise\" of x, %s and yaw.",
         omr_measured_info(c->study->frame, OMR_VS_Z).name);
}

/* ---- the information gained */

static void judge_parameter(omr_calibrate *c, size_t d, const char *name) {
  const size_t n = c->size.members, dimensions = c->size.dimensions;
  double low = 0, high = 0;
  for (size_t j = 0; j < n; j++) {
    const double place = omr_normal_cdf(c->coordinates[j * dimensions + d]);
    low += place < outer;
    high += place > 1 - outer;
  }
  if (fmax(low, high) > leaning * (double)n)
    find(c, OMR_WEIGHS_DOUBT,
         "%s leans on the %s end of its prior (%.0f %% of the posterior in the outer %.0f %%): the "
         "prior decides there; widen it if more is possible.",
         name, low > high ? "lower" : "upper", 100 * fmax(low, high) / (double)n, 100 * outer);
  if (c->sensitivity[d] > 0 && calibrate_left_of_prior(c, d) >= nothing_learned)
    find(c, OMR_WEIGHS_DOUBT, "The data say nothing of %s: its posterior is its prior.", name);
}

/* A parameter's common part, where runs share nothing: no run depends on it. */
static bool is_idle(const omr_calibrate *c, size_t d) {
  bool own = false;
  for (size_t k = 0; k < c->layout.owns; k++) own = own || c->layout.own[k] == d;
  return own && c->layout.shared == 0;
}

static void judge_effect(omr_calibrate *c, size_t d, const char *name) {
  if (is_idle(c, d)) return;
  if (isnan(c->sensitivity[d]))
    find(c, OMR_WEIGHS_DOUBT,
         "Runs failed in which %s alone was changed: what the data tell of it was not found.",
         name);
  else if (c->sensitivity[d] == 0)
    find(c, OMR_WEIGHS_DOUBT,
         "%s changes no observation: the data say nothing of it. Take it out of \"%s\".", name,
         calibrate_is_sensed(c, d) ? "data" : "vary");
  else if (c->checked_only && c->sensitivity[d] < 1)
    find(c, OMR_WEIGHS_DOUBT,
         "%s changes the observations by less than the noise (%.2g of it, for a deviation of the "
         "prior): the data will say little of it.",
         name, c->sensitivity[d]);
}

/* Compares short and longer steps; 0 where a side failed. */
static void judge_step(omr_calibrate *c, size_t d, const char *name) {
  const double near = c->sensitivity[d], far = c->farther[d];
  if (near == 0 || far == 0 || fmax(near, far) < 1) return;
  if (fmax(near, far) <= agree * fmin(near, far)) return;
  find(c, OMR_WEIGHS_DOUBT,
       "How much %s changes the observations depends on the step: %.2g of the noise for a "
       "deviation of the prior, and %.2g by steps three times as long. The model is not straight "
       "or not smooth there, and what the data can tell of it is uncertain by as much.",
       name, near, far);
}

static void judge_each(omr_calibrate *c,
                       void (*judge)(omr_calibrate *c, size_t dimension, const char *name)) {
  for (size_t d = 0; d < omr_coordinates_of_model(&c->layout); d++) judge(c, d, c->name[d]);
}

static void judge_learning(omr_calibrate *c) {
  for (size_t d = 0; d < omr_coordinates_of_model(&c->layout); d++)
    if (calibrate_left_of_prior(c, d) < nothing_learned) return;
  find(c, OMR_WEIGHS_AGAINST, "No parameter was learned: each posterior is its prior.");
}

/* Parameters that count in a direction; strong: the number of them that change the observations;
 * known: whether both steps found their effects. */
static size_t parts_of(const omr_calibrate *c, size_t k, size_t *strong, bool *known) {
  const size_t dimensions = omr_coordinates_of_model(&c->layout);
  const double *direction = c->singular + (k + 1) * dimensions;
  size_t parts = 0;
  *strong = 0;
  *known = true;
  for (size_t d = 0; d < dimensions; d++) {
    if (fabs(direction[d]) < 0.25) continue;
    parts++;
    *strong += c->sensitivity[d] >= 1;
    *known = *known && c->sensitivity[d] > 0 && c->farther[d] > 0;
  }
  return parts;
}

/* A combination on which short steps find more than twice the information of longer ones: rollers
 * that change in another order may part the traces there. */
static void judge_combination(omr_calibrate *c, size_t k) {
  const double near = c->singular[k], far = c->along[k];
  size_t strong;
  bool known;
  if (near < 1 || near <= agree * far || parts_of(c, k, &strong, &known) < 2 || !known) return;
  char *told = calibrate_direction_told(c, k);
  if (told)
    find(c, OMR_WEIGHS_DOUBT,
         "How much this combination changes the observations depends on the step: %s, by %.2g of "
         "the noise for a deviation of the prior, and by %.2g by steps three times as long. The "
         "data may tell less of it than its interval says.",
         told, near, far);
  free(told);
}

/* Combinations of parameters that the data cannot tell apart, though each of them counts. */
static void judge_directions(omr_calibrate *c) {
  const size_t dimensions = omr_coordinates_of_model(&c->layout);
  for (size_t k = 0; k < dimensions; k++) judge_combination(c, k);
  for (size_t k = 0; k < dimensions && c->singular[k] < 1; k++) {
    size_t strong;
    bool known;
    if (parts_of(c, k, &strong, &known) < 2 || strong < 2) continue;
    char *told = calibrate_direction_told(c, k);
    const double s = c->singular[k];
    if (told)
      find(c, OMR_WEIGHS_DOUBT,
           "The data cannot tell these apart: %s (in deviations of the prior; %.0f %% of the "
           "prior's deviation is left).",
           told, 100 / sqrt(1 + s * s));
    free(told);
  }
}

/* ---- runs that were kept apart */

static void judge_holdout(omr_calibrate *c) {
  double before = 0, after = 0, inside = 0;
  size_t count = 0, ends = 0;
  if (c->held_out.runs == 0) {
    find(c, OMR_WEIGHS_NOTHING,
         "No run was kept apart to test the fit: give one \"use\": \"predict\".");
    return;
  }

  /* Sum over the runs that were kept apart. */
  for (size_t i = 0; i < c->errors; i++) {
    const omr_calibrate_error *e = &c->error[i];
    if (!c->study->measured.run[e->run].held_out) continue;
    const double noise = c->study->measured.sample[e->sample].noise;
    before += e->before * e->before / (noise * noise);
    after += e->after * e->after / (noise * noise);
    inside += e->inside;
    ends += e->end_place > 0.05 && e->end_place < 0.95;
    count++;
  }

  /* The fit has to make their errors smaller. */
  inside /= (double)count;
  const double gain = 1 - sqrt(after / before);
  find(c, gain < improvement ? OMR_WEIGHS_AGAINST : OMR_WEIGHS_NOTHING,
       "Runs that were kept apart: the fit makes their errors %.0f %% %s than the prior did%s.",
       100 * fabs(gain), gain < 0 ? "larger" : "smaller",
       gain < improvement ? ", which is no improvement" : "");

  /* Its predictions have to contain most of their values. */
  find(c,
       inside < seldom  ? OMR_WEIGHS_AGAINST
       : inside < often ? OMR_WEIGHS_DOUBT
                        : OMR_WEIGHS_NOTHING,
       "Of their measured values %.0f %% lie within the middle 90 %% of what is predicted, of "
       "those at the ends of runs %zu of %zu.",
       100 * inside, ends, count);
}

/* Outliers of the fitted runs, sample by sample; doubtful from four deviations above the stated
 * share on. */
static void judge_outliers(omr_calibrate *c) {
  const omr_measured *measured = &c->study->measured;
  for (size_t s = 0; s < measured->samples; s++) {
    const double share = measured->sample[s].outliers;
    size_t values = 0, outliers = 0;
    if (share == 0) continue;
    for (size_t i = 0; i < c->errors; i++) {
      if (c->error[i].sample != s || measured->run[c->error[i].run].held_out) continue;
      values += c->error[i].instants;
      outliers += c->error[i].outliers;
    }
    const double n = (double)values, most = share * n + 4 * sqrt(share * (1 - share) * n);
    find(c, (double)outliers > most ? OMR_WEIGHS_DOUBT : OMR_WEIGHS_NOTHING,
         "Of %zu measured values of %s %zu are outliers more likely than not; \"outliers\" says "
         "%.3g %%.",
         values, calibrate_sample_name(c, s), outliers, 100 * share);
  }
}

/* Points that do not move stand where few of the earlier points stood, many of them side by side:
 * fewer draws of the posterior than there are points, or none. */
static void judge_moves(omr_calibrate *c) {
  if (c->stages == 0) return;
  const omr_tempering_stage *last = &c->stage[c->stages - 1];
  if (last->remembered <= stuck) return;
  find(c, OMR_WEIGHS_DOUBT,
       "The points hardly moved: their correlation with where they came from is still %.2f after "
       "%zu moves, of which %.0f %% were taken; intervals are not to be trusted. Where runs are "
       "rough in the parameters, take a shorter step or a tolerance; else more \"points\", or a "
       "larger \"noise\".",
       last->remembered, last->moves, 100 * last->acceptance);
}

static void judge_failures(omr_calibrate *c) {
  size_t failed = 0;
  for (size_t s = 0; s < c->steps; s++) failed += c->step[s].failed;
  const double share = (double)failed / (double)(c->steps * c->study->calibrate.members);
  if (share > 0)
    find(c, share > 0.2 ? OMR_WEIGHS_DOUBT : OMR_WEIGHS_NOTHING,
         "%.2g %% of the ensemble's instances failed and were redrawn from the others.",
         100 * share);
}

/* A remaining step of Gauss and Newton, and a distance of the mean, of so many deviations. */
static const double left_over = 0.3, away = 1;

static void judge_mode(omr_calibrate *c) {
  const calibrate_mode *mode = c->mode;
  if (!mode) return;

  /* A climb that did not come to rest. */
  if (!mode->rests)
    find(c, mode->left > left_over ? OMR_WEIGHS_DOUBT : OMR_WEIGHS_NOTHING,
         "The polish did not come to rest: after %zu steps the next would be %.2g of the "
         "posterior's deviation%s.",
         mode->steps, mode->left,
         mode->steps == (size_t)c->study->calibrate.polish
             ? "; allow more by \"polish\""
             : " and makes it worse: the model is not smooth there");

  /* Unknowns without differences. */
  if (mode->blind)
    find(c, OMR_WEIGHS_DOUBT,
         "Of %zu unknowns the runs beside the most likely parameters fail to both sides: the "
         "polish takes it that the data say nothing of them.",
         mode->blind);

  /* A mean that is far from the top. */
  if (mode->apart <= away) return;
  find(c, OMR_WEIGHS_DOUBT,
       "The most likely parameters are %.2g deviations from the mean of %s: what is known of it is "
       "no bell, or there is more than one answer.",
       mode->apart, c->name[mode->apart_at]);
}

void calibrate_judge(omr_calibrate *c) {
  judge_prior(c);
  judge_logs(c);
  judge_start(c);
  if (!c->checked_only) {
    judge_correlation(c);
    judge_misfit(c);
    judge_holdout(c);
    judge_outliers(c);
    judge_learning(c);
    judge_each(c, judge_parameter);
    judge_failures(c);
    judge_moves(c);
    judge_mode(c);
  }
  judge_each(c, judge_effect);
  judge_each(c, judge_step);
  judge_directions(c);
}

omr_weight calibrate_verdict(const omr_calibrate *c) {
  omr_weight weight = OMR_WEIGHS_NOTHING;
  for (size_t f = 0; f < c->findings; f++)
    if (c->finding[f].weight > weight) weight = c->finding[f].weight;
  return weight;
}

const char *calibrate_weight_word(omr_weight weight) {
  static const char *const weights[] = {[OMR_WEIGHS_NOTHING] = "note",
                                        [OMR_WEIGHS_DOUBT] = "doubt",
                                        [OMR_WEIGHS_AGAINST] = "against"};
  return weights[weight];
}

const char *calibrate_verdict_word(const omr_calibrate *c) {
  static const char *const words[] = {[OMR_WEIGHS_NOTHING] = "good",
                                      [OMR_WEIGHS_DOUBT] = "with reservations",
                                      [OMR_WEIGHS_AGAINST] = "negative"};
  return words[calibrate_verdict(c)];
}
