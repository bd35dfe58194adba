/* Simulation-based calibration (Talts et al. 2018, arXiv 1804.06788): parameters are drawn from the
 * prior, measured runs are made from them with noise, and the whole fit is repeated on these runs.
 * Over the repetitions the rank of the true value among the points of the posterior is uniform
 * where fit and model are right. */
#include "calibrate.h"
#include "summary.h"

#include "../study/designs/draws.h"
#include "../study/designs/special_functions.h"
#include "../study/json/json.h"
#include "../support/team.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 20, MOST_ATTEMPTS = 20, MOST_REPETITIONS = 100000, FEW = 60 };

struct omr_sbc {
  omr_pool memory; /* of the arrays */
  omr_calibrate *c;
  omr_calibrate **worker; /* [workers], of one thread each: they fit side by side */
  size_t workers;
  size_t repetitions, points;
  double *truth;   /* [repetitions][dimensions] */
  double *made;    /* [repetitions][data]: values of the truths, with noise */
  double *place;   /* [repetitions][dimensions]: rank of the truth + a draw, over points + 1 */
  size_t *redrawn; /* [repetitions]: draws of which a run failed */
  calibrate_journal *journal; /* of the places; NULL: nothing is kept */
};

/* The figures of one parameter's ranks, or of all ranks together. */
typedef struct tally {
  double covered;        /* share of truths within the middle 95 % of the posterior */
  double mean, variance; /* of the normal scores of the ranks: 0 and 1 */
  double uniform;        /* how often uniform ranks fill the bins as unevenly */
  size_t bin[BINS];
} tally;

/* ---- memory */

void omr_sbc_destroy(omr_sbc *s) {
  if (!s) return;
  calibrate_journal_close(s->journal);
  omr_calibrate_destroy(s->c);
  for (size_t w = 0; s->worker && w < s->workers; w++) omr_calibrate_destroy(s->worker[w]);
  omr_pool_free(&s->memory);
  free(s);
}

/* Fits are short: several of them at once waste less than the threads of one, which wait for each
 * other at each of its instants. A device takes all members of one at once. */
static omr_status open_workers(omr_sbc *s, omr_error *error) {
  const omr_engine_options *engine = &s->c->study->engine;
  const int threads = engine->threads > 0 ? omr_team(engine->threads) : omr_team_usual();
  const size_t most = engine->backend == OMR_BACKEND_OPENCL ? 1 : (size_t)threads;
  omr_status status = OMR_OK;
  s->worker = omr_pool_take(&s->memory, most, sizeof *s->worker);
  if (!s->worker) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (; status == OMR_OK && s->workers < most && s->workers < s->repetitions; s->workers++) {
    omr_calibrate **c = &s->worker[s->workers];
    status = calibrate_open(s->c->study, c, error);
    for (size_t r = 0; status == OMR_OK && most > 1 && r < (*c)->fitted.runs; r++)
      (*c)->fitted.run[r].compared.engine.threads = 1;
  }
  return status;
}

static omr_status open_sbc(const omr_study *study, size_t repetitions, omr_sbc **sbc,
                           omr_error *error) {
  omr_sbc *s = *sbc = calloc(1, sizeof *s);
  if (!s) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status = calibrate_open(study, &s->c, error);
  if (status != OMR_OK) return status;
  const size_t dimensions = s->c->size.dimensions;
  s->repetitions = repetitions;
  s->points = study->calibrate.points ? study->calibrate.points : study->calibrate.members;
  s->truth = omr_pool_take(&s->memory, repetitions * dimensions, sizeof *s->truth);
  s->made = omr_pool_take(&s->memory, repetitions * s->c->fitted.data, sizeof *s->made);
  s->place = omr_pool_take(&s->memory, repetitions * dimensions, sizeof *s->place);
  s->redrawn = omr_pool_take(&s->memory, repetitions, sizeof *s->redrawn);
  if (!s->memory.failed) return open_workers(s, error);
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu repetitions", repetitions);
}

/* ---- made runs */

/* Streams of the draws of a repetition: coordinates come first, then noise, one for each number,
 * and at last its seed and the tie. */
static double draw(const omr_sbc *s, size_t repetition, size_t attempt, size_t place) {
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_SBC, s->c->study->calibrate.seed, (uint64_t)attempt << 32 | repetition,
               (uint32_t)place, bits);
  return omr_draw_normal(bits);
}

static void draw_truth(omr_sbc *s, size_t k) {
  for (size_t d = 0; d < s->c->size.dimensions; d++)
    s->truth[k * s->c->size.dimensions + d] = draw(s, k, s->redrawn[k], d);
}

/* Adds an Ornstein-Uhlenbeck process of each sample's noise to the made values. */
static void add_noise(const omr_sbc *s, size_t k, double *made) {
  const omr_forward *fitted = &s->c->fitted;
  const double *truth = s->truth + k * s->c->size.dimensions;
  size_t number = s->c->size.dimensions;
  for (omr_forward_series f = {0}; omr_forward_next(fitted, &f);) {
    const omr_measured_sample *sample = &f.measured->sample[f.sample];
    omr_sensed sensed;
    omr_coordinates_sense(&s->c->layout, truth, k, fitted->run[f.run].number, &sensed);

    /* The truth may scale the stated noise, and has the noise before the first instant. */
    const double keep = omr_forward_keeps(f.measured, f.sample), share = sample->outliers;
    const double noise = sample->noise * omr_coordinates_noise(&s->c->layout, truth, f.sample);
    double here = sensed.value[OMR_UNKNOWN_START_ERROR][f.sample];

    /* Each value keeps a share of the noise before it and adds fresh noise. */
    for (size_t i = 0; i < f.count; i++) {
      const bool first = i == 0 && omr_summary_starts_alone(f.measured, f.sample);
      const double fresh = (first ? 1 : sqrt(1 - keep * keep)) *
                           (share > 0 && omr_normal_cdf(draw(s, k, s->redrawn[k], number++)) < share
                                ? OMR_OUTLIER_NOISE
                                : 1);
      here = (first ? 0 : keep * here) + fresh * noise * draw(s, k, s->redrawn[k], number++);
      made[f.at + i] += here;
    }
  }
}

/* Where clocks are unknown, runs are made at several times the instants, if steps allow it: that
 * tests how a fit reads its model between its instants. */
static size_t make_finer(const omr_sbc *s, omr_forward *finer) {
  const omr_measured *m = &s->c->study->measured;
  bool clock = m->unknowns > 0 && !omr_unknown_list[m->unknown[0].kind].of_sensor;
  size_t split = 8;
  for (size_t k = 0; k < m->samples; k++)
    clock = clock && (m->sample[k].compared == OMR_COMPARE_TRACE ||
                      m->sample[k].compared == OMR_COMPARE_END);
  while (clock && split > 1) {
    omr_error none;
    if (omr_forward_make_finer(s->c->study, &s->c->layout, split, finer, &none) == OMR_OK)
      return split;
    split /= 2;
  }
  return 1;
}

/* Runs the truths; one whose run fails is drawn again. */
static omr_status make_runs(omr_sbc *s, const calibrate_how *how, omr_error *error) {
  omr_calibrate *c = s->c;
  omr_forward finer = {0};
  const size_t split = make_finer(s, &finer), n = s->repetitions;
  omr_forward *made = split > 1 ? &finer : &c->fitted;
  const size_t data = made->data;

  /* Room for all repetitions at once. */
  omr_pool memory = {0};
  double *residuals = omr_pool_take(&memory, n * data, sizeof *residuals);
  double *off = omr_pool_take(&memory, n * data, sizeof *off);
  bool *good = omr_pool_take(&memory, n, sizeof *good);
  omr_status status = memory.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;
  size_t failed = n;

  /* Draw the truths, and draw anew those whose runs fail. */
  for (size_t k = 0; k < n; k++) draw_truth(s, k);
  for (int attempt = 0; status == OMR_OK && failed && attempt < MOST_ATTEMPTS; attempt++) {
    status = omr_forward_run_members(made, s->truth, n, how->run, residuals, off, good, error);
    failed = 0;
    for (size_t k = 0; status == OMR_OK && k < n; k++) {
      if (good[k]) continue;
      failed++;
      s->redrawn[k]++;
      draw_truth(s, k);
    }
  }

  if (status == OMR_OK && failed)
    status = omr_fail(error, OMR_ERR_FAILURES,
                      "%s: runs of %zu draws of the prior failed %d times over; narrow the "
                      "distributions of \"vary\"",
                      c->study->name, failed, MOST_ATTEMPTS);

  /* The runs, thinned to the fit's instants, get their noise. */
  for (size_t k = 0; status == OMR_OK && k < n; k++) {
    double *to = s->made + k * c->fitted.data;
    omr_forward_given(made, off + k * data, residuals);
    omr_forward_thin(made, split, residuals, &c->fitted, to);
    add_noise(s, k, to);
  }

  omr_forward_free(&finer);
  omr_pool_free(&memory);
  return status;
}

/* ---- ranks */

/* A place is a rank plus a draw from 0 to 1, so that it is uniform also where points are few and
 * bins do not divide their ranks. */
static void find_places(omr_sbc *s, size_t k, const omr_calibrate *c) {
  const size_t dimensions = c->size.dimensions, n = c->size.members;
  uint64_t bits[2];
  for (size_t d = 0; d < dimensions; d++) {
    size_t below = 0;
    for (size_t j = 0; j < n; j++)
      below += c->coordinates[j * dimensions + d] < s->truth[k * dimensions + d];
    omr_draw_for(OMR_FOR_SBC, s->c->study->calibrate.seed, (uint64_t)UINT32_MAX << 32 | k,
                 (uint32_t)d, bits);
    s->place[k * dimensions + d] = ((double)below + omr_draw_unit(bits[0])) / ((double)n + 1);
  }
}

/* Fits to the made runs. */
static omr_status fit_once(omr_sbc *s, size_t k, omr_calibrate *c, const omr_run_options *run,
                           omr_error *error) {
  const calibrate_how quiet = {.run = run};
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_SBC, s->c->study->calibrate.seed, k, UINT32_MAX, bits);
  c->seed = bits[0] >> 12;
  c->fits_anyway = true;
  omr_forward_take(&c->fitted, s->made + k * c->fitted.data);
  const omr_status status = calibrate_fit(c, &quiet, error);
  if (status == OMR_OK) find_places(s, k, c);
  return status;
}

/* Repetition k in the journal. */
static calibrate_block block_of(const omr_sbc *s, size_t k) {
  const size_t dimensions = s->c->size.dimensions, data = s->c->fitted.data;
  return (calibrate_block){.asked = s->made + k * data,
                           .asked_size = data * sizeof *s->made,
                           .part = {{s->place + k * dimensions, dimensions * sizeof *s->place}}};
}

/* Repetitions first .. last - 1, at most one for each worker; all of them go into the journal in
 * order. The first failure is reported. */
static omr_status fit_some(omr_sbc *s, size_t first, size_t last, const calibrate_how *how,
                           omr_error *error) {
  const int count = (int)(last - first);
  omr_error *errors = calloc(last - first, sizeof *errors);
  omr_status *each = calloc(last - first, sizeof *each), status = OMR_OK;
  if (!errors || !each) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

#pragma omp parallel for schedule(static, 1) num_threads(count) if (count > 1)
  for (int w = 0; w < (status == OMR_OK ? count : 0); w++)
    each[w] = fit_once(s, first + (size_t)w, s->worker[w], how->run, &errors[w]);

  /* Results go into the journal in order, until the first failure. */
  for (int w = 0; status == OMR_OK && w < count; w++) {
    const calibrate_block block = block_of(s, first + (size_t)w);
    status = each[w];
    if (status == OMR_OK)
      status = calibrate_journal_add(s->journal, &block, error);
    else if (error)
      *error = errors[w];
  }

  free(errors);
  free(each);
  return status;
}

static omr_status repeat(omr_sbc *s, const calibrate_how *how, omr_error *error) {
  omr_status status = make_runs(s, how, error);
  for (size_t k = 0, next; status == OMR_OK && k < s->repetitions; k = next) {
    const calibrate_block block = block_of(s, k);
    next = k + 1;
    if (!calibrate_journal_take(s->journal, &block)) {
      next = k + s->workers < s->repetitions ? k + s->workers : s->repetitions;
      status = fit_some(s, k, next, how, error);
    }
    if (status == OMR_OK) status = calibrate_tell(how, (double)next, (double)s->repetitions, error);
  }
  return status;
}

/* ---- the figures of the ranks */

/* The figures of the dimensions first .. last - 1. */
static tally count(const omr_sbc *s, size_t first, size_t last) {
  const double number = (double)(s->repetitions * (last - first)), each = number / BINS;
  tally t = {0};
  double squares = 0, uneven = 0;

  /* Sum over the ranks as normal scores. */
  for (size_t k = 0; k < s->repetitions; k++)
    for (size_t d = first; d < last; d++) {
      const double place = s->place[k * s->c->size.dimensions + d];
      const double score = omr_normal_quantile(place);
      t.covered += place > 0.025 && place < 0.975;
      t.mean += score;
      squares += score * score;
      t.bin[(size_t)(place * BINS)]++;
    }

  /* Moments of the scores. */
  t.covered /= number;
  t.mean /= number;
  t.variance = squares / number - t.mean * t.mean;

  /* Chi-squared of the bins against even ones. */
  for (int b = 0; b < BINS; b++) {
    const double off = (double)t.bin[b] - each;
    uneven += off * off / each;
  }
  t.uniform = calibrate_chi_tail(uneven, BINS - 1);
  return t;
}

/* Limits for MANY repetitions; for fewer they are wider by the root of the ratio, as the scatter
 * is. A right fit has one parameter in a hundred beyond any of them. The limit of all together is
 * narrow where there are many parameters, and wider where there are fewer than ten. */
enum { MANY = 300, SEVERAL = 10 };
static const double together = 0.02, fewer = 0.04, more = 0.035, off_mean = 0.17,
                    off_variance = 0.25, uneven_by_chance = 1e-3;

/* Prints a sentence on a number outside its limits; out: NULL prints nothing. */
static size_t tell_off(const char *name, const char *what, double value, double low, double high,
                       FILE *out) {
  if (value >= low && value <= high) return 0;
  if (out)
    fprintf(out, "  ! %s: %s is %.4g, and %.4g to %.4g is right\n", name, what, value, low, high);
  return 1;
}

static size_t judge_one(const char *name, const tally *t, double wider, FILE *out) {
  return tell_off(name, "the share in 95 %", t->covered, 0.95 - fewer * wider,
                  fmin(0.95 + more * wider, 1), out) +
         tell_off(name, "the mean", t->mean, -off_mean * wider, off_mean * wider, out) +
         tell_off(name, "the variance", t->variance, 1 - off_variance * wider,
                  1 + off_variance * wider, out) +
         tell_off(name, "how often ranks are as uneven", t->uniform, uneven_by_chance, 1, out);
}

/* Counts the numbers outside their limits, with sentences on them. */
static size_t judge(const omr_sbc *s, FILE *out) {
  const size_t dimensions = s->c->size.dimensions;
  const double wider = fmax(1, sqrt(MANY / (double)s->repetitions));
  const double allowed = together * wider * fmax(1, sqrt(SEVERAL / (double)dimensions));
  const tally all = count(s, 0, dimensions);
  size_t beyond = tell_off("all", "the share in 95 %", all.covered, 0.95 - allowed,
                           fmin(0.95 + allowed, 1), out);
  for (size_t d = 0; d < dimensions; d++) {
    const tally t = count(s, d, d + 1);
    beyond += judge_one(s->c->name[d], &t, wider, out);
  }
  return beyond;
}

static bool is_right(const omr_sbc *s) {
  return judge(s, NULL) == 0;
}

omr_status omr_sbc_verdict(const omr_sbc *s, omr_error *error) {
  if (is_right(s)) return OMR_OK;
  return omr_fail(error, OMR_ERR_NEGATIVE,
                  "%s: the fit's intervals do not hold what they say; take more \"points\" or "
                  "\"members\" in \"calibrate\"",
                  s->c->study->name);
}

static void print_tally(const char *name, const tally *t, FILE *out) {
  size_t most = 1;
  for (int b = 0; b < BINS; b++)
    if (t->bin[b] > most) most = t->bin[b];
  fprintf(out, "  %-28s %8.1f %% %9.2g %9.2f %9.2f  ", name, 100 * t->covered, t->uniform, t->mean,
          t->variance);
  for (int b = 0; b < BINS; b++)
    fputc("0123456789"[(size_t)(9.0 * (double)t->bin[b] / (double)most + 0.5)], out);
  fputc('\n', out);
}

void omr_sbc_print(const omr_sbc *s, FILE *out) {
  const size_t dimensions = s->c->size.dimensions;
  size_t redrawn = 0;
  for (size_t k = 0; k < s->repetitions; k++) redrawn += s->redrawn[k];

  /* The verdict, and a sentence on each number outside its limits. */
  fprintf(out, "simulation-based calibration of %s: %zu fits to made runs, %zu unknowns\n",
          s->c->study->name, s->repetitions, dimensions);
  fprintf(out, "verdict: %s\n",
          is_right(s) ? "the fit's intervals hold what they say"
                      : "negative: the fit's intervals do not hold what they say");
  judge(s, out);
  if (s->repetitions < FEW)
    fprintf(out, "  ? %zu repetitions tell little; take some hundred\n", s->repetitions);
  if (redrawn) fprintf(out, "  ? %zu truths were drawn again, since their runs failed\n", redrawn);

  /* A row for each unknown, then one for all together. */
  fprintf(out, "\n  %-28s %10s %9s %9s %9s  %s\n", "parameter", "in 95 %", "uniform", "mean",
          "variance", "ranks in 20 bins, 9 is the fullest");
  for (size_t d = 0; d < dimensions; d++) {
    const tally t = count(s, d, d + 1);
    print_tally(s->c->name[d], &t, out);
  }
  const tally all = count(s, 0, dimensions);
  print_tally("all", &all, out);

  /* The meaning of the columns. */
  fprintf(out, "\n  in 95 %%: how often the truth lies in the middle 95 %% of the posterior; "
               "uniform: how often uniform ranks are as\n  uneven; mean and variance of the ranks' "
               "normal scores: 0 and 1 where the fit is right\n");
}

static cJSON *tally_json(const char *name, const tally *t) {
  cJSON *one = cJSON_CreateObject();
  int bins[BINS];
  for (int b = 0; b < BINS; b++) bins[b] = (int)t->bin[b];
  omr_tree_text(one, "path", name);
  omr_tree_number(one, "covered", t->covered);
  omr_tree_number(one, "uniform", t->uniform);
  omr_tree_number(one, "mean", t->mean);
  omr_tree_number(one, "variance", t->variance);
  omr_tree_add(one, "ranks", cJSON_CreateIntArray(bins, BINS));
  return one;
}

omr_status omr_sbc_json(const omr_sbc *s, char **json, omr_error *error) {
  const size_t dimensions = s->c->size.dimensions;
  cJSON *root = cJSON_CreateObject(), *list = cJSON_CreateArray();
  omr_tree_text(root, "study", s->c->study->name);
  omr_tree_number(root, "repetitions", (double)s->repetitions);
  omr_tree_bool(root, "right", is_right(s));
  for (size_t d = 0; d < dimensions; d++) {
    const tally t = count(s, d, d + 1);
    omr_tree_append(list, tally_json(s->c->name[d], &t));
  }
  const tally all = count(s, 0, dimensions);
  omr_tree_add(root, "parameters", list);
  omr_tree_add(root, "all", tally_json("all", &all));
  return omr_json_give(root, json, error);
}

omr_status omr_sbc_write(const omr_sbc *s, const char *path, omr_error *error) {
  char *json;
  omr_output *output;
  omr_status status = omr_sbc_json(s, &json, error);
  if (status != OMR_OK) return status;
  status = omr_output_open(path, &output, error);
  if (status == OMR_OK) {
    fprintf(omr_output_stream(output), "%s\n", json);
    status = omr_output_finish(output, error);
  }
  omr_text_destroy(json);
  if (status == OMR_OK) calibrate_journal_remove(s->journal);
  return status;
}

omr_status omr_sbc_create(const omr_study *study, size_t repetitions,
                          const omr_calibrate_options *options, omr_sbc **sbc, omr_error *error) {
  static const omr_calibrate_options none = OMR_CALIBRATE_OPTIONS_INIT;
  const omr_calibrate_options *o = options ? options : &none;
  calibrate_watch watch = {.progress = o->progress, .user = o->progress_user, .total = 1};
  const omr_run_options run = calibrate_watched(&watch);
  const calibrate_how how = {&run, &watch, o->journal, CALIBRATE_KEEPS};
  char work[64];
  omr_sbc *s = NULL;
  *sbc = NULL;

  /* Check the options before anything is opened. */
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_calibrate_options", error);
  if (status == OMR_OK && (repetitions == 0 || repetitions > MOST_REPETITIONS))
    status = omr_fail(error, OMR_ERR_USAGE, "%zu repetitions; there are 1 to %d", repetitions,
                      MOST_REPETITIONS);
  if (status == OMR_OK) status = open_sbc(study, repetitions, &s, error);

  /* The journal belongs to this many fits. */
  snprintf(work, sizeof work, "%zu fits to made runs", repetitions);
  if (status == OMR_OK) status = calibrate_keep(s->c, o, work, &s->journal, error);
  if (status == OMR_OK) status = repeat(s, &how, error);
  if (status == OMR_ERR_FAILURES) calibrate_journal_remove(s->journal); /* it would fail again */

  if (status == OMR_OK)
    *sbc = s;
  else
    omr_sbc_destroy(s);
  return calibrate_interrupted(&how, status, error);
}
