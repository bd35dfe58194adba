/* The search: the demands on a study, the information of a manoeuvre, tries and their refinement.
 */
#include "excite.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/draws.h"
#include "identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Step of the differences, in deviations of the prior: the information of a run is taken across the
 * prior's width. Where rollers change in another order, traces part by an amount that does not
 * shrink with the step, and over a short step that would count as much information. */
static const double step = 1;
/* The distance of the first round from the best try, in a manoeuvre's numbers. */
static const double first_spread = 0.2;

/* ---- the demands on a study */

static bool follows_command(const omr_study *study) {
  for (int wheel = 0; wheel < study->wheels; wheel++)
    if (omr_follows_command(study->drives.law[wheel])) return true;
  return false;
}

static omr_status check_sections(const omr_study *study, omr_error *error) {
  if (study->excite.tries == 0)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s has no \"excite\", the limits of a manoeuvre; add \"excite\": "
                    "{\"duration\": \"10 s\", \"speed\": \"0.5 m/s\", \"yaw_rate\": \"90 deg/s\"}",
                    study->name);

  /* The data say which samples the run would measure. */
  if (study->measured.samples == 0)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s has no \"data\", what a run would measure; add \"data\": {\"measured\": "
                    "[{\"sample\": \"x\", \"noise\": \"2 mm\"}], \"interval\": \"0.1 s\"}",
                    study->name);

  /* A run that was measured needs no plan. */
  if (study->measured.runs > 0)
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: \"data\" has measured runs, and a manoeuvre is for one that is not "
                    "measured yet; leave \"runs\" out (--set data.runs=null)",
                    study->name);

  /* A manoeuvre is a command, which some wheel has to follow. */
  if (follows_command(study)) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY,
                  "%s: no wheel follows a command, and a manoeuvre is one; write \"drive\": "
                  "{\"type\": \"body\", \"kp\": ...} for the wheels",
                  study->name);
}

static double seconds_to_stop(const omr_manoeuvre_limits *limits) {
  return fmax(limits->speed / limits->acceleration, limits->yaw_rate / limits->yaw_acceleration);
}

static omr_status check(const omr_study *study, const omr_manoeuvre_limits *limits,
                        omr_error *error) {
  omr_status status = check_sections(study, error);
  if (status == OMR_OK) status = calibrate_check_prior_drawn(study, error);
  if (status != OMR_OK || limits->duration > 3 * seconds_to_stop(limits)) return status;
  return omr_fail(
      error, OMR_ERR_STUDY,
      "%s: a manoeuvre of %.9g s is hardly longer than the %.9g s in which the vehicle stops; "
      "lengthen excite.duration, or raise excite.acceleration or excite.yaw_acceleration",
      study->name, limits->duration, seconds_to_stop(limits));
}

/* ---- memory */

static size_t dimensions_of(const omr_excite *e) {
  return e->layout.drawn;
}

static size_t members_of(const omr_excite *e) {
  return e->study->excite.draws * 2 * dimensions_of(e);
}

static void take_try(omr_excite *e, omr_excite_try *t) {
  const size_t d = dimensions_of(e);
  t->left = omr_pool_take(&e->memory, d, sizeof *t->left);
  t->gram = omr_pool_take(&e->memory, d * d, sizeof *t->gram);
}

static omr_status take_memory(omr_excite *e, omr_error *error) {
  const omr_excite_settings *settings = &e->study->excite;
  const size_t d = dimensions_of(e);
  e->count = settings->tries + settings->rounds * EXCITE_NEAR;
  e->points = omr_pool_take(&e->memory, members_of(e) * d, sizeof *e->points);
  e->steps = omr_pool_take(&e->memory, d, sizeof *e->steps);
  e->singular = omr_pool_take(&e->memory, d + d * d, sizeof *e->singular);
  e->tried = omr_pool_take(&e->memory, e->count, sizeof *e->tried);
  take_try(e, &e->ahead);
  for (size_t k = 0; e->tried && k < e->count; k++) take_try(e, &e->tried[k]);
  return e->memory.failed
             ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu manoeuvres", e->count)
             : OMR_OK;
}

void omr_excite_destroy(omr_excite *e) {
  if (!e) return;
  omr_pool_free(&e->memory);
  free(e);
}

/* ---- draws */

/* The purposes of draws: numbers of tries, the prior, numbers near the best try. */
enum { OF_TRIES, OF_PRIOR, OF_ROUNDS };

static void draw(const omr_excite *e, uint64_t what, size_t number, size_t place,
                 uint64_t bits[2]) {
  omr_draw_for(OMR_FOR_EXCITE, e->study->excite.seed, what << 40 | number, (uint32_t)place, bits);
}

/* The points of all draws, two for each parameter. */
static void lay_points(omr_excite *e, double *centre) {
  const size_t d = dimensions_of(e);
  uint64_t bits[2];
  for (size_t k = 0; k < d; k++) e->steps[k] = step;
  for (size_t n = 0; n < e->study->excite.draws; n++) {
    for (size_t k = 0; k < d; k++) {
      draw(e, OF_PRIOR, n, k, bits);
      centre[k] = omr_draw_normal(bits);
    }
    omr_differences_lay(d, centre, e->steps, e->points + n * 2 * d * d);
  }
}

/* Families take turns. */
static omr_manoeuvre draw_try(const omr_excite *e, size_t number) {
  omr_manoeuvre m = {0};
  uint64_t bits[2];
  size_t count = 0, turn;
  for (int f = 0; f < OMR_MANOEUVRE_FAMILIES; f++) count += e->study->excite.family[f];
  turn = number % count;
  for (int f = 0; f < OMR_MANOEUVRE_FAMILIES; f++) {
    if (!e->study->excite.family[f]) continue;
    m.family = (omr_manoeuvre_family)f;
    if (turn-- == 0) break;
  }
  for (size_t k = 0; k < omr_manoeuvre_numbers[m.family]; k++) {
    draw(e, OF_TRIES, number, k, bits);
    m.number[k] = omr_draw_unit(bits[0]);
  }
  return m;
}

/* Folds x into 0 to 1, by mirrors at both ends. */
static double mirrored(double x) {
  const double turned = fabs(x - 2 * floor(0.5 * x));
  return turned > 1 ? 2 - turned : turned;
}

static omr_manoeuvre draw_near(const omr_excite *e, const omr_manoeuvre *best, size_t number) {
  omr_manoeuvre m = *best;
  uint64_t bits[2];
  const double spread = ldexp(first_spread, -(int)(number / EXCITE_NEAR));
  for (size_t k = 0; k < omr_manoeuvre_numbers[m.family]; k++) {
    draw(e, OF_ROUNDS, number, k, bits);
    m.number[k] = mirrored(m.number[k] + spread * omr_draw_normal(bits));
  }
  return m;
}

/* ---- the information of a manoeuvre */

/* "parameters.command={...}", as --set takes it. The caller frees it. */
static char *assignment_of(const omr_excite *e, const omr_manoeuvre *m) {
  const size_t rows = omr_manoeuvre_rows(&e->limits);
  double *table = calloc(rows * OMR_MANOEUVRE_COLUMNS, sizeof *table);
  omr_text text = {0};
  if (!table) return NULL;
  omr_manoeuvre_lay(m, &e->limits, table);
  omr_text_print(&text, "parameters.command={\"type\": \"table\", \"table\": [");
  for (size_t k = 0; k < rows; k++) {
    const double *row = table + k * OMR_MANOEUVRE_COLUMNS;
    omr_text_print(&text, "%s[%.17g, %.17g, %.17g, %.17g]", k ? ", " : "", row[0], row[1], row[2],
                   row[3]);
  }
  omr_text_print(&text, "]}");
  free(table);
  return text.data;
}

static omr_status plan(const omr_excite *e, const omr_manoeuvre *m, omr_forward *forward,
                       omr_error *error) {
  char duration[64];
  char *command = assignment_of(e, m);
  if (!command) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  snprintf(duration, sizeof duration, "integrator.duration=%.17g", e->limits.duration);
  const char *const set[] = {command, duration};
  const omr_status status =
      omr_forward_plan(e->study, &e->layout, set,
                       e->limits.duration == e->study->time.duration ? 1 : 2, forward, error);
  free(command);
  return status;
}

/* Adds the S^T S of one draw of the prior. work: [d][d], then values and directions. */
static void add_draw(const omr_excite *e, double *gram, double *work, omr_excite_try *t) {
  const size_t d = dimensions_of(e);
  const double part = 1 / (double)e->study->excite.draws;
  double *values = work, *directions = work + d;
  for (size_t k = 0; k < d * d; k++) t->gram[k] += part * gram[k];
  omr_identify(gram, d, values, directions);
  for (size_t k = 0; k < d; k++) {
    const double known = 1 + values[k] * values[k];
    t->criterion += part * omr_math_log(known);
    for (size_t a = 0; a < d; a++)
      t->left[a] += part * directions[k * d + a] * directions[k * d + a] / known;
  }
}

static omr_status run_try(const omr_excite *e, const calibrate_how *how, omr_forward *forward,
                          omr_excite_try *t, omr_error *error) {
  const size_t d = dimensions_of(e), members = members_of(e), each = 2 * d * forward->data;
  omr_pool memory = {0};
  double *residuals = omr_pool_take(&memory, members * forward->data, sizeof *residuals);
  double *gram = omr_pool_take(&memory, 2 * d * d + d, sizeof *gram);
  bool *good = omr_pool_take(&memory, members, sizeof *good);
  omr_status status = memory.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;

  /* All draws run side by side. */
  if (status == OMR_OK)
    status = omr_forward_run_members(forward, e->points, members, how->run, residuals, NULL, good,
                                     error);

  /* Each draw adds its information. */
  for (size_t n = 0; status == OMR_OK && n < e->study->excite.draws; n++) {
    memset(gram, 0, d * d * sizeof *gram);
    omr_differences_gram(d, forward->data, residuals + n * each, good + n * 2 * d, e->steps, 1,
                         gram);
    add_draw(e, gram, gram + d * d, t);
  }

  /* Count the runs that did not reach the end. */
  for (size_t j = 0; status == OMR_OK && j < members; j++) t->failed += !good[j];

  omr_pool_free(&memory);
  return status;
}

static omr_status try_it(omr_excite *e, const calibrate_how *how, omr_manoeuvre m,
                         omr_excite_try *t, omr_error *error) {
  omr_forward forward;
  t->manoeuvre = m;
  omr_status status = plan(e, &m, &forward, error);
  if (status != OMR_OK) return status;
  status = run_try(e, how, &forward, t, error);
  omr_forward_free(&forward);
  if (status != OMR_OK) return status;
  e->done++;
  return calibrate_tell(how, (double)e->done, (double)e->count + 1, error);
}

/* ---- the search */

static size_t best_of(const omr_excite *e, size_t count) {
  size_t best = 0;
  for (size_t k = 1; k < count; k++)
    if (e->tried[k].criterion > e->tried[best].criterion) best = k;
  return best;
}

/* The try with `below` tries below it; equal ones keep their order. */
static size_t ranked(const omr_excite *e, size_t below) {
  for (size_t k = 0; k < e->study->excite.tries; k++) {
    size_t less = 0;
    for (size_t j = 0; j < e->study->excite.tries; j++)
      less += e->tried[j].criterion < e->tried[k].criterion ||
              (e->tried[j].criterion == e->tried[k].criterion && j < k);
    if (less == below) return k;
  }
  return 0;
}

static omr_status search(omr_excite *e, const calibrate_how *how, omr_error *error) {
  const size_t tries = e->study->excite.tries, d = dimensions_of(e);

  /* Straight ahead is the manoeuvre that others are compared with. */
  omr_status status = try_it(e, how, omr_manoeuvre_ahead(), &e->ahead, error);

  /* Draw the tries, then refine the best of them in rounds. */
  for (size_t k = 0; status == OMR_OK && k < tries; k++)
    status = try_it(e, how, draw_try(e, k), &e->tried[k], error);
  for (size_t k = tries; status == OMR_OK && k < e->count; k++) {
    const size_t number = k - tries, so_far = tries + number / EXCITE_NEAR * EXCITE_NEAR;
    const omr_manoeuvre best = e->tried[best_of(e, so_far)].manoeuvre;
    status = try_it(e, how, draw_near(e, &best, number), &e->tried[k], error);
  }

  if (status != OMR_OK) return status;

  /* Rank the tries. */
  e->best = best_of(e, e->count);
  e->median = ranked(e, tries / 2);
  e->worst = ranked(e, 0);

  /* Find the singular directions of the best one. */
  double *gram = malloc(d * d * sizeof *gram);
  if (!gram) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  memcpy(gram, e->tried[e->best].gram, d * d * sizeof *gram);
  omr_identify(gram, d, e->singular, e->singular + d);
  free(gram);
  return OMR_OK;
}

static omr_status open_excite(const omr_study *study, omr_excite **excite, omr_error *error) {
  omr_excite *e = *excite = calloc(1, sizeof *e);
  if (!e) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  e->study = study;
  e->limits = study->excite.limits;
  if (!(e->limits.duration > 0)) e->limits.duration = study->time.duration;
  omr_status status = check(study, &e->limits, error);
  if (status != OMR_OK) return status;
  e->layout = (omr_coordinates){.drawn = study->sample.dimensions};
  status = take_memory(e, error);
  if (status == OMR_OK) lay_points(e, e->singular);
  return status;
}

omr_status omr_excite_create(const omr_study *study, const omr_excite_options *options,
                             omr_excite **excite, omr_error *error) {
  static const omr_excite_options none = OMR_EXCITE_OPTIONS_INIT;
  const omr_excite_options *o = options ? options : &none;
  calibrate_watch watch = {.progress = o->progress, .user = o->progress_user, .total = 1};
  const omr_run_options run = calibrate_watched(&watch);
  const calibrate_how how = {&run, &watch, NULL, NULL};
  omr_excite *e = NULL;
  *excite = NULL;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_excite_options", error);
  if (status == OMR_OK) status = open_excite(study, &e, error);
  if (status == OMR_OK) status = search(e, &how, error);
  if (status == OMR_OK)
    *excite = e;
  else
    omr_excite_destroy(e);
  return calibrate_interrupted(&how, status, error);
}
