/* A convergence from its options to its rows and the choice among them. */
#include "../reference/ensemble.h"
#include "../study/derived.h"
#include "../study/step_sample.h"
#include "work.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define TRIAL 1e-3       /* tolerance of the first run, by which the time of others is estimated */
#define TRUTH_SHARE 0.35 /* of the budget */
#define MORE 1.5         /* times the budget: a run is stopped after it */
#define SAFE 0.85        /* of the accepted error: the aim between two rows */
#define TRUTH 0.01       /* the truth's tolerance over the least one */
#define CUBE_OF_TRUTHS 6.8 /* cube roots of 100 and 10 */
enum { FEW = 16, REFERENCE_FEW = 4, DEVICE_MANY = 16384, ROUNDS = 3 };

/* INSTANCES */

static omr_status take(size_t **list, size_t count, omr_error *error) {
  *list = calloc(count + 1, sizeof **list);
  return *list ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

/* The instances that a run takes for its step error where they fill a pack, else as many spread
 * over the study. */
static omr_status choose_instances(work *w, omr_error *error) {
  const omr_study measured = omr_study_measured(w->study, true);
  const omr_step_sample sample = omr_step_sample_of(&measured);
  const size_t rows =
      measured.design.type == OMR_DESIGN_SUBSET ? measured.sample.points : measured.instances;
  const size_t few = w->options->reference ? REFERENCE_FEW : FEW;
  if (w->options->chosen) {
    w->instances = w->options->chosen_count;
    const omr_status status = take(&w->chosen, w->instances, error);
    if (status == OMR_OK) memcpy(w->chosen, w->options->chosen, w->instances * sizeof *w->chosen);
    return status;
  }
  const bool sampled = !w->options->reference && sample.count >= few;
  w->instances = sampled ? sample.count : rows < few ? rows : few;
  const omr_status status = take(&w->chosen, w->instances, error);
  for (size_t i = 0; status == OMR_OK && i < w->instances; i++)
    w->chosen[i] = sampled ? sample.row[i] : i * rows / w->instances;
  return status;
}

/* A device is not busy with a few instances. */
static omr_status choose_timed(work *w, omr_error *error) {
  const size_t rows = w->study->instances;
  const bool device =
      w->engine.backend == OMR_BACKEND_OPENCL && omr_opencl_has_gpu(w->study->engine.precision);
  w->timed_count = !device ? w->instances : rows < DEVICE_MANY ? rows : DEVICE_MANY;
  const omr_status status = take(&w->timed, w->timed_count, error);
  for (size_t i = 0; status == OMR_OK && i < w->timed_count; i++)
    w->timed[i] = device ? i * rows / w->timed_count : w->chosen[i];
  return status;
}

static void choose_engine(work *w) {
  w->engine = w->study->engine;
  w->engine.threads = 1;
  if (w->engine.backend != OMR_BACKEND_AUTO) return;
  w->engine.backend = OMR_BACKEND_OPENMP;
  w->engine.device = NULL;
}

static omr_status open_work(work *w, omr_error *error) {
  omr_converge *c = w->c;
  choose_engine(w);
  omr_status status = choose_instances(w, error);
  if (status == OMR_OK) status = choose_timed(w, error);
  if (status != OMR_OK) return status;
  w->used = calloc(w->instances + 1, sizeof *w->used);
  c->instances = w->instances;
  c->of = w->study->instances;
  c->timed = w->timed_count;
  c->per_device = w->engine.backend == OMR_BACKEND_OPENCL;
  return w->used ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static void close_work(work *w) {
  for (size_t i = 0; w->outcomes && i < w->c->row_count; i++) outcome_free(&w->outcomes[i]);
  for (size_t i = 0; w->margins && i < w->c->quantity_count; i++)
    if (w->c->quantities[i].of_criterion) omr_margin_free(&w->margins[i]);
  outcome_free(&w->truth);
  outcome_free(&w->doubt);
  free(w->margins);
  free(w->outcomes);
  free(w->used);
  free(w->chosen);
  free(w->timed);
}

/* THE TRUTH */

static omr_status too_slow(const work *w, double needed, omr_error *error) {
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: a run of %zu instances that is fine enough to be the truth takes longer "
                  "than the budget of %.3g s: give --budget "
                  "%.0f, fewer instances (--sample %zu), or a shorter integrator.duration",
                  w->study->name, w->instances, w->options->budget,
                  ceil(fmax(needed, 2 * w->options->budget)),
                  w->instances > 4 ? (size_t)4 : (size_t)1);
}

/* Threads that a run of the instances keeps busy, packs of eight of them. */
static double threads_of(const work *w) {
  const int threads =
      w->study->engine.threads > 0 ? w->study->engine.threads : omp_get_max_threads();
  return fmin(threads, ceil((double)w->instances / 8));
}

/* A run with a tolerance of 1e-3 shows how long the truth would take. */
static omr_status find_least(work *w, double *least, omr_error *error) {
  static const double tries[] = {1e-6, 1e-5, 1e-4};
  const omr_way trial = {omr_study_pair(w->study), OMR_DOUBLE, 0, TRIAL};
  double needed = 0;
  timing t;
  const omr_status status = converge_time(w, &trial, 0, &t, error);
  if (status == OMR_ERR_INTERRUPTED && w->late) return too_slow(w, 0, error);
  if (status != OMR_OK) return status;
  w->pass_seconds = t.passes > 0 ? t.seconds / t.passes : 0;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    needed = t.seconds / threads_of(w) * (double)w->instances / (double)w->timed_count *
             CUBE_OF_TRUTHS * cbrt(TRIAL / tries[i]);
    *least = tries[i];
    if (needed <= TRUTH_SHARE * w->options->budget) return OMR_OK;
  }
  return too_slow(w, needed / TRUTH_SHARE, error);
}

static omr_status find_truth(work *w, double least, omr_error *error) {
  omr_converge *c = w->c;
  c->truth = (omr_way){omr_study_pair(w->study), OMR_DOUBLE, 0, TRUTH * least};
  omr_way coarser = c->truth;
  coarser.tolerance *= 10;
  c->by_reference = w->options->reference;
  if (c->by_reference) return converge_reference(w, &w->truth, error);
  omr_status status = converge_run(w, &coarser, true, &w->doubt, error);
  if (status == OMR_OK) status = converge_run(w, &c->truth, true, &w->truth, error);
  return status == OMR_ERR_INTERRUPTED && w->late ? too_slow(w, 0, error) : status;
}

/* ROWS */

/* A way that takes longer than its time is left out; an interruption is not. */
static omr_status unless_late(work *w, omr_status status) {
  if (status != OMR_ERR_INTERRUPTED || !w->late || w->stopped) return status;
  converge_note(w->c, "the time is up before everything was measured: give a longer --budget");
  w->late = false;
  return OMR_OK;
}

static omr_status run_ways(work *w, omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t i = 0; status == OMR_OK && i < w->options->way_count; i++)
    status = unless_late(w, converge_row(w, &w->options->ways[i], error));
  return status;
}

/* The row next to it of the same kind, with longer steps. */
static ptrdiff_t coarser_row(const omr_converge *c, size_t i) {
  ptrdiff_t next = -1;
  for (size_t j = 0; j < c->row_count; j++) {
    const omr_way *way = &c->rows[j].way;
    if (!same_family(way, &c->rows[i].way) || way_size(way) <= way_size(&c->rows[i].way)) continue;
    if (next < 0 || way_size(way) < way_size(&c->rows[next].way)) next = (ptrdiff_t)j;
  }
  return next;
}

static double between(double at, double x0, double y0, double x1, double y1) {
  return exp(log(y0) + log(at / x0) * log(y1 / y0) / log(x1 / x0));
}

/* Between an accepted row and the next one, which is not accepted, the power law through both; 0
 * where there is none. */
static double aim(const omr_converge *c, size_t i, double *speed) {
  const omr_converge_row *row = &c->rows[i];
  const ptrdiff_t next = coarser_row(c, i);
  *speed = row->speed;
  if (next < 0) return 0;
  const omr_converge_row *above = &c->rows[next];
  if (above->failed || !(above->worst > 1) || !(row->worst < SAFE) || !(row->worst > 0) ||
      !isfinite(above->worst))
    return 0;
  *speed = between(SAFE, row->worst, row->speed, above->worst, above->speed);
  return between(SAFE, row->worst, way_size(&row->way), above->worst, way_size(&above->way));
}

/* Two digits, downwards; of a step, a whole part of the common time. */
static double rounded(const work *w, const omr_way *way, double size) {
  const double digit = pow(10, floor(log10(size)) - 1), common = omr_study_common_time(w->study);
  return way->tolerance > 0 ? floor(size / digit * (1 + 1e-9)) * digit
                            : common / ceil(common / size);
}

static omr_status look_between(work *w, omr_precision precision, omr_error *error) {
  omr_converge *c = w->c;
  double fastest = 0, size = 0;
  size_t best = 0;

  /* Find the fastest way between two rows. */
  converge_accept(c);
  for (size_t i = 0; i < c->row_count; i++) {
    double speed;
    if (!c->rows[i].accepted || c->rows[i].way.precision != precision) continue;
    const double found = aim(c, i, &speed);
    if (speed <= fastest) continue;
    fastest = speed;
    size = found;
    best = i;
  }

  /* Round it; next to its row it would show nothing new. */
  if (!(size > 0)) return OMR_OK;
  omr_way way = c->rows[best].way;
  size = rounded(w, &way, size);
  if (size <= way_size(&way) * 1.001) return OMR_OK;

  /* Measure it. */
  if (way.tolerance > 0)
    way.tolerance = size;
  else
    way.step = size;
  return converge_row(w, &way, error);
}

/* All rows take turns, so that other work of the machine falls on all of them; the best round
 * counts. */
static omr_status more_rounds(work *w, omr_error *error) {
  omr_status status = OMR_OK;
  for (int round = 1; round < ROUNDS; round++) {
    for (size_t i = 0; status == OMR_OK && i < w->c->row_count; i++) {
      if (omr_seconds() + w->c->rows[i].seconds > w->deadline) continue;
      status = converge_round(w, i, error);
      if (status == OMR_ERR_INTERRUPTED && !w->stopped) status = OMR_OK, w->late = false;
    }
  }
  return status;
}

/* CHOOSING */

static ptrdiff_t fastest(const omr_converge *c, omr_precision precision) {
  ptrdiff_t best = -1;
  for (size_t i = 0; i < c->row_count; i++) {
    const omr_converge_row *row = &c->rows[i];
    if (row->accepted && row->way.precision == precision &&
        (best < 0 || row->speed > c->rows[best].speed))
      best = (ptrdiff_t)i;
  }
  return best;
}

/* The choice in double precision by the same steps in single precision: measured now unless the
 * ladder has it. */
static omr_status ask_single(work *w, omr_error *error) {
  omr_converge *c = w->c;
  c->single_time = c->single_difference = (double)NAN;
  if (c->choice[OMR_DOUBLE] < 0 || w->options->one_precision || w->options->ways) return OMR_OK;
  omr_way way = c->rows[c->choice[OMR_DOUBLE]].way;
  way.precision = OMR_SINGLE_PRECISION;
  if (way.tolerance > 0 && way.tolerance < 0.999 * OMR_LEAST_SINGLE_TOLERANCE) return OMR_OK;
  if (way.step > 0 && w->study->time.duration / way.step > 0x1p24) return OMR_OK;
  omr_status status = converge_row_of(c, &way) < 0 ? converge_row(w, &way, error) : OMR_OK;
  if (status == OMR_ERR_DEVICE) return OMR_OK; /* said before */
  const ptrdiff_t row = converge_row_of(c, &way);
  for (int round = 1;
       status == OMR_OK && row >= 0 && round < ROUNDS && c->rows[row].rounds < ROUNDS; round++)
    status = converge_round(w, (size_t)row, error);
  if (status != OMR_OK || row < 0) return status;
  c->single_time = c->rows[c->choice[OMR_DOUBLE]].speed / c->rows[row].speed;
  c->single_difference = converge_difference(w, (size_t)c->choice[OMR_DOUBLE], (size_t)row);
  return OMR_OK;
}

static int place_of(omr_method method) {
  const int number = (int)method;
  return omr_is_pair(method) ? number - 100 : method == OMR_METHOD_ROSENBROCK ? -1 : number;
}

static int compare_rows(const void *a, const void *b) {
  const omr_converge_row *x = a, *y = b;
  if (x->way.precision != y->way.precision) return x->way.precision < y->way.precision ? -1 : 1;
  if (x->way.method != y->way.method) { /* pairs first, then rosenbrock */
    return place_of(x->way.method) < place_of(y->way.method) ? -1 : 1;
  }
  return way_size(&x->way) > way_size(&y->way) ? -1 : 1;
}

/* After this, rows and outcomes no longer correspond. */
static void choose(omr_converge *c) {
  if (c->rows) qsort(c->rows, c->row_count, sizeof *c->rows, compare_rows);
  c->own = -1;
  for (size_t i = 0; i < c->row_count; i++)
    if (c->rows[i].own) c->own = (ptrdiff_t)i;
  for (omr_precision p = OMR_DOUBLE; p <= OMR_SINGLE_PRECISION; p++) c->choice[p] = fastest(c, p);
}

static omr_status find_rows(work *w, omr_error *error) {
  omr_status status = w->options->ways ? run_ways(w, error) : converge_ladders(w, error);
  w->latest = fmax(w->deadline, omr_seconds()) + (MORE - 1) * w->options->budget;
  for (omr_precision p = OMR_DOUBLE; p <= OMR_SINGLE_PRECISION && !w->options->ways; p++)
    if (status == OMR_OK) status = unless_late(w, look_between(w, p, error));
  if (status == OMR_OK) status = more_rounds(w, error);
  converge_accept(w->c);
  for (omr_precision p = OMR_DOUBLE; p <= OMR_SINGLE_PRECISION; p++)
    w->c->choice[p] = fastest(w->c, p);
  if (status == OMR_OK) status = unless_late(w, ask_single(w, error));
  if (status != OMR_OK) return status;
  converge_accept(w->c);
  return OMR_OK;
}

static omr_status measure(work *w, omr_converge_request *own, omr_error *error) {
  double least = own->least_tolerance;
  omr_status status = own->reference ? omr_ensemble_check(w->study, error) : OMR_OK;
  if (status == OMR_OK) status = open_work(w, error);
  if (status == OMR_OK && !(least > 0)) status = find_least(w, &least, error);
  own->least_tolerance = least;
  if (status == OMR_OK) status = find_truth(w, least, error);
  if (status == OMR_OK) status = converge_quantities_make(w, error);
  if (status == OMR_OK) status = find_rows(w, error);
  if (status == OMR_OK && w->stopped) status = omr_fail(error, OMR_ERR_INTERRUPTED, "stopped");
  return status;
}

omr_status omr_converge_make(const omr_study *study, const omr_converge_request *options,
                             omr_converge *c, omr_error *error) {
  omr_converge_request own = *options;
  if (!(own.budget > 0)) own.budget = OMR_CONVERGE_SECONDS;
  *c = (omr_converge){.study = study, .choice = {-1, -1}, .own = -1};
  work w = {.study = study, .options = &own, .c = c, .started = omr_seconds()};
  w.deadline = w.started + own.budget;
  w.latest = w.started + MORE * own.budget;
  const omr_status status = measure(&w, &own, error);
  close_work(&w);
  choose(c);
  c->seconds = omr_seconds() - w.started;
  if (status != OMR_OK) omr_converge_free(c);
  return status;
}

void omr_converge_free(omr_converge *c) {
  for (size_t i = 0; i < c->row_count; i++) free(c->rows[i].errors);
  free(c->rows);
  free(c->quantities);
  *c = (omr_converge){0};
}

/* SPEED AT AN ERROR */

size_t omr_converge_find(const omr_converge *c, const char *name) {
  size_t i = 0;
  while (i < c->quantity_count && strcmp(c->quantities[i].name, name) != 0) i++;
  return i;
}

static double error_at(const omr_converge *c, size_t row, size_t quantity, bool median) {
  const omr_converge_error *e = &c->rows[row].errors[quantity];
  return c->rows[row].failed ? (double)NAN : median ? e->median : e->mean;
}

/* This row and all finer ones of its kind. */
static bool stays_below(const omr_converge *c, size_t row, size_t quantity, double error,
                        bool median) {
  for (size_t j = 0; j < c->row_count; j++) {
    if (!same_family(&c->rows[j].way, &c->rows[row].way) ||
        way_size(&c->rows[j].way) > way_size(&c->rows[row].way))
      continue;
    if (!(error_at(c, j, quantity, median) <= error)) return false;
  }
  return true;
}

double omr_converge_speed_at(const omr_converge *c, size_t quantity, double error, bool median,
                             ptrdiff_t *best) {
  double fastest_speed = (double)NAN;
  if (best) *best = -1;

  /* A row counts with all finer ones of its kind. */
  for (size_t i = 0; i < c->row_count && quantity < c->quantity_count; i++) {
    if (c->rows[i].way.precision != OMR_DOUBLE || !stays_below(c, i, quantity, error, median))
      continue;

    /* Follow the power law towards the next row. */
    const ptrdiff_t next = coarser_row(c, i);
    double speed = c->rows[i].speed;
    if (next >= 0) {
      const double below = error_at(c, i, quantity, median),
                   above = error_at(c, (size_t)next, quantity, median);
      if (above > error && below > 0 && below < above)
        speed = between(error, below, speed, above, c->rows[next].speed);
    }

    /* Keep the fastest. */
    if (!isnan(fastest_speed) && speed <= fastest_speed) continue;
    fastest_speed = speed;
    if (best) *best = (ptrdiff_t)i;
  }
  return fastest_speed;
}
