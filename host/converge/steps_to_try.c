/* The ladders: tolerances, and steps in which all times of the study fit, of every method in both
 * precisions. */
#include "../study/derived.h"
#include "../study/grammar/reader.h"
#include "work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 8e-3 /* s: the longest step, unless the study's own is not much shorter */
#define OWN_MORE 16  /* times the study's own step is the longest */
#define ENOUGH 0.05  /* of the accepted error: shorter steps add nothing, */
#define SLOWER 10    /* nor where an accepted row is so much faster, */
#define NO_BETTER                                                                                  \
  0.7               /* nor where half the step leaves so much of the error, which rounding makes */
#define SHARE 0.125 /* of the time left: the most that a row may take */
#define SINGLE_TIME 0.6 /* of a run in double precision, as expected */
#define OTHERS 0.5      /* of the time of another method's pass */
#define LEAST 0.02      /* s that a timing takes */
enum { MOST_ROWS = 400, MOST_HALVINGS = 14 };

static const double tolerances[] = {0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6};

/* Linearly implicit methods first, which are fast where friction is stiff. */
static const omr_method methods[] = {OMR_METHOD_ROS34PW2,   OMR_METHOD_ROS2, OMR_METHOD_DOPRI,
                                     OMR_METHOD_ROSENBROCK, OMR_METHOD_RK4,  OMR_METHOD_MIDPOINT,
                                     OMR_METHOD_HEUN,       OMR_METHOD_EULER};

static double left(const work *w) {
  return w->deadline - omr_seconds();
}

/* Passes of the nearest row of the method, or of any. */
static double passes_of(const work *w, const omr_way *way) {
  const omr_converge_row *nearest = NULL;
  if (way->step > 0) return 1.2 / way->step;
  for (size_t i = 0; i < w->c->row_count; i++) {
    const omr_converge_row *row = &w->c->rows[i];
    if (row->way.method != way->method) continue;
    if (!nearest || fabs(log(row->way.tolerance / way->tolerance)) <
                        fabs(log(nearest->way.tolerance / way->tolerance)))
      nearest = row;
  }
  if (!nearest) return (double)NAN;
  const double tighter = fmax(nearest->way.tolerance / way->tolerance, 1);
  return nearest->passes * (way->method == OMR_METHOD_ROS2 ? sqrt(tighter) : cbrt(tighter));
}

/* Seconds of one core that a way is expected to take. */
static double converge_expected(const work *w, const omr_way *way) {
  const double pass =
      way->step > 0 && w->fixed_pass_seconds > 0 ? w->fixed_pass_seconds : w->pass_seconds;
  const double all = passes_of(w, way) * w->study->time.duration * (double)w->timed_count * pass;
  return way->precision == OMR_SINGLE_PRECISION ? SINGLE_TIME * all : all;
}

static const omr_converge_row *row_there(const work *w, const omr_way *way) {
  const ptrdiff_t row = converge_row_of(w->c, way);
  return row < 0 ? NULL : &w->c->rows[row];
}

static bool is_own(const omr_study *study, const omr_way *way) {
  const double own = omr_controls_steps(study) ? study->time.tolerance : study->time.step;
  return study->time.method == way->method && study->engine.precision == way->precision &&
         fabs(own / way_size(way) - 1) < 1e-9;
}

static omr_status grow(work *w, omr_error *error) {
  const size_t count = w->c->row_count + 1;
  return omr_grow(&w->c->rows, count, sizeof *w->c->rows) &&
                 omr_grow(&w->outcomes, count, sizeof *w->outcomes)
             ? OMR_OK
             : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static void keep_timing(work *w, omr_converge_row *row, const timing *t) {
  const double speed = t->vehicle_seconds / t->seconds;
  row->seconds = t->seconds / t->runs;
  row->passes = t->passes / t->vehicle_seconds;
  row->slowest = row->rounds ? fmin(row->slowest, speed) : speed;
  row->speed = fmax(row->speed, speed);
  row->rounds++;
  if (!(t->passes > 0) || row->way.precision != OMR_DOUBLE) return;
  w->pass_seconds = t->seconds / t->passes;
  if (row->way.step > 0) w->fixed_pass_seconds = w->pass_seconds;
}

omr_status converge_round(work *w, size_t number, omr_error *error) {
  timing t;
  const omr_status status = converge_time(w, &w->c->rows[number].way, LEAST, &t, error);
  if (status == OMR_OK && t.seconds > 0) keep_timing(w, &w->c->rows[number], &t);
  return status;
}

omr_status converge_row(work *w, const omr_way *way, omr_error *error) {
  outcome found = {0};
  timing t = {0};
  omr_status status = grow(w, error);
  if (status == OMR_OK) status = converge_run(w, way, false, &found, error);
  if (status == OMR_OK) status = converge_time(w, way, LEAST, &t, error);
  if (status != OMR_OK || !(t.seconds > 0)) {
    outcome_free(&found);
    return status;
  }
  const size_t number = w->c->row_count++;
  w->outcomes[number] = found;
  w->c->rows[number] = (omr_converge_row){.way = *way, .own = is_own(w->study, way)};
  keep_timing(w, &w->c->rows[number], &t);
  return w->truth.values ? converge_judge(w, number, error) : OMR_OK;
}

/* FAMILIES */

typedef struct family {
  omr_method method;
  omr_precision precision;
  double stable; /* s: longer steps are not; infinite of a pair */
  double last;   /* error over the accepted one, of the row before; 0: none */
  bool full;     /* no further rows */
} family;

static const char *precision_of(const family *f) {
  return f->precision == OMR_SINGLE_PRECISION ? ", single precision" : "";
}

/* The method by shorter steps has no room left; said once, since single precision adds nothing to
 * that. */
static void leave_out(work *w, family *f, const omr_way *way, double seconds) {
  const double stable = f->stable < omr_study_common_time(w->study) ? f->stable : 0;
  char at[48], below[64] = "";
  f->full = true;
  if (f->precision == OMR_SINGLE_PRECISION && !w->options->one_precision) return;
  if (stable > 0) snprintf(below, sizeof below, " (stable below %.2g s)", stable);
  converge_note(w->c,
                "%s%s%s: %s and shorter steps left out, since a run takes %.2g s or more: --budget "
                "%.0f might have it",
                omr_method_kinds[f->method].name, precision_of(f), below, omr_way_at(way, at),
                seconds, ceil(w->options->budget + 2 * seconds / SHARE));
}

static double fastest_accepted(const work *w, omr_precision precision) {
  double speed = 0;
  for (size_t i = 0; i < w->c->row_count; i++) {
    const omr_converge_row *row = &w->c->rows[i];
    if (row->way.precision == precision && row->failed == 0 && row->worst <= 1)
      speed = fmax(speed, row->speed);
  }
  return speed;
}

static bool tells_nothing_more(const work *w, const family *f, const omr_converge_row *row) {
  if (row->failed || !(row->worst <= 1)) return false;
  return row->worst <= ENOUGH || row->speed < fastest_accepted(w, row->way.precision) / SLOWER ||
         (row->way.step > 0 && f->last > 0 && row->worst > NO_BETTER * f->last);
}

/* One more row; a way that cannot run ends the family, with a note. */
static omr_status climb(work *w, family *f, const omr_way *way, omr_error *error) {
  const omr_converge_row *known = row_there(w, way);
  if (known) {
    f->last = known->failed ? HUGE_VAL : known->worst;
    return OMR_OK;
  }

  /* A row must not take too large a share of the time left. */
  const double most = SHARE * left(w), expected = converge_expected(w, way);
  const double known_by = f->last > 0                 ? 1
                          : w->fixed_pass_seconds > 0 ? OTHERS
                                                      : 0; /* certain share of the expectation */
  if (expected * known_by > most || !(most > 0)) {
    leave_out(w, f, way, expected);
    return OMR_OK;
  }

  /* Run it; a long time shows only in the trial. */
  const size_t before = w->c->row_count;
  w->latest = omr_seconds() + 2 * most; /* stop it then */
  const omr_status status = converge_row(w, way, error);
  if (status == OMR_ERR_INTERRUPTED && w->late && !w->stopped) {
    w->late = false;
    leave_out(w, f, way, 2 * most);
    return OMR_OK;
  }

  /* A device may refuse the way. */
  if (status == OMR_ERR_DEVICE) {
    converge_note(w->c, "%s%s is left out: %.200s", omr_method_kinds[f->method].name,
                  precision_of(f), error->message);
    f->full = true;
    return OMR_OK;
  }

  /* The new row says whether the family goes on. */
  if (status != OMR_OK || w->c->row_count == before) return status;
  f->full = tells_nothing_more(w, f, &w->c->rows[before]);
  f->last = w->c->rows[before].failed ? HUGE_VAL : w->c->rows[before].worst;
  return OMR_OK;
}

static omr_status climb_tolerances(work *w, family *f, omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t i = 0; status == OMR_OK && !f->full && i < sizeof tolerances / sizeof *tolerances;
       i++) {
    const omr_way way = {f->method, f->precision, 0, tolerances[i]};
    if (way.tolerance < 0.999 * w->options->least_tolerance) break;
    if (f->precision == OMR_SINGLE_PRECISION && way.tolerance < 0.999 * OMR_LEAST_SINGLE_TOLERANCE)
      break;
    status = climb(w, f, &way, error);
  }
  return status;
}

/* The longest step for which the method is stable, by the study's static loads. */
static double stable_step(const work *w, omr_method method) {
  size_t instance;
  const omr_study study = omr_study_integrated(w->study, method, omr_study_tick(w->study), 0);
  return omr_largest_step(&study, &instance);
}

/* The next of 1, 2, 4, 5, 8, 10, 20, ..., so that steps have few digits. */
static double whole_parts(double least) {
  static const double firsts[] = {1, 2, 4, 5, 8};
  for (double ten = 1;; ten *= 10)
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
      if (firsts[i] * ten >= least * (1 - 1e-9)) return firsts[i] * ten;
}

/* In double precision: a way that was too slow there shows nothing else in single precision. */
static bool was_run(const work *w, omr_method method) {
  for (size_t i = 0; i < w->c->row_count; i++)
    if (w->c->rows[i].way.method == method && w->c->rows[i].way.precision == OMR_DOUBLE)
      return true;
  return false;
}

static omr_status climb_steps(work *w, family *f, omr_error *error) {
  const double common = omr_study_common_time(w->study);
  const double longest =
      fmax(LONGEST, omr_controls_steps(w->study) ? 0 : OWN_MORE * w->study->time.step);
  omr_status status = OMR_OK;
  if (!(common > 0) || (f->precision == OMR_SINGLE_PRECISION && !w->options->one_precision &&
                        !was_run(w, f->method)))
    return OMR_OK;
  f->stable = stable_step(w, f->method);
  double parts = whole_parts(common / longest);
  while (common / parts > f->stable && parts < 0x1p40) parts *= 2;
  for (int i = 0; status == OMR_OK && !f->full && i < MOST_HALVINGS; i++, parts *= 2) {
    const omr_way way = {f->method, f->precision, common / parts, 0};
    if (f->precision == OMR_SINGLE_PRECISION && w->study->time.duration / way.step > 0x1p24) break;
    status = climb(w, f, &way, error);
  }
  return status;
}

/* The study's own setting, for comparison. */
static omr_status own_row(work *w, omr_error *error) {
  const omr_study *study = w->study;
  const omr_way way = {study->time.method, study->engine.precision,
                       omr_controls_steps(study) ? 0 : study->time.step, study->time.tolerance};
  family f = {study->time.method, study->engine.precision, HUGE_VAL, 0, false};
  return climb(w, &f, &way, error);
}

omr_status converge_ladders(work *w, omr_error *error) {
  omr_status status = own_row(w, error);
  if (!(omr_study_common_time(w->study) > 0))
    converge_note(w->c, "fixed steps are left out: there is none in which duration, time between "
                        "samples and controller period fit");
  for (omr_precision p = OMR_DOUBLE; p <= OMR_SINGLE_PRECISION; p++) {
    if (w->options->one_precision && w->study->engine.precision != p) continue;
    for (size_t i = 0; status == OMR_OK && i < sizeof methods / sizeof *methods; i++) {
      family f = {methods[i], p, HUGE_VAL, 0, false};
      if (!omr_study_takes(w->study, f.method)) continue;
      status = omr_is_pair(f.method) ? climb_tolerances(w, &f, error) : climb_steps(w, &f, error);
    }
  }
  return status;
}
