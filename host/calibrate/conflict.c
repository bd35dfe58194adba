/* Where the prior does not predict the data: the sample and the run that are farthest off, and a
 * plain mistake that would explain it. */
#include "calibrate.h"
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A mistake explains the data if it leaves no more of the mean square than this share. */
static const double explained = 0.1;

/* The measured values of a sample of a run, the mean prediction of the prior's members, and the
 * deviation that noise and members allow. All [count]. */
typedef struct series {
  size_t run, sample, count;
  const double *value;
  double *predicted, *allowed;
  double off; /* mean square, in allowed deviations */
} series;

/* A unit taken for the SI one: the measured values times `factor` are right. */
static const struct {
  const char *si, *told;
  double factor;
} units[] = {{"rad", "degrees that are read as radians (\"unit\": \"deg\")", PI / 180},
             {"rad", "radians that are read as degrees (\"unit\": \"rad\")", 180 / PI},
             {"rad/s", "degrees that are read as radians (\"unit\": \"deg/s\")", PI / 180},
             {"rad/s", "radians that are read as degrees (\"unit\": \"rad/s\")", 180 / PI},
             {"rad/s", "turns a minute that are read as rad/s (\"unit\": \"rpm\")", PI / 30},
             {"m", "millimetres that are read as metres (\"unit\": \"mm\")", 1e-3},
             {"m", "centimetres that are read as metres (\"unit\": \"cm\")", 1e-2},
             {"m", "metres that are read as millimetres (\"unit\": \"m\")", 1e3},
             {"m/s", "millimetres that are read as metres (\"unit\": \"mm/s\")", 1e-3},
             {"", "thousandths that are read as the whole unit", 1e-3},
             {"", "a unit that is read as its thousandth", 1e3}};

/* Mean square of factor * value - shift. */
static double left_of(const series *s, const double *value, double factor, double shift) {
  double sum = 0;
  for (size_t i = 0; i < s->count; i++) {
    const double off = (factor * value[i] - shift - s->predicted[i]) / s->allowed[i];
    sum += off * off;
  }
  return sum / (double)s->count;
}

/* The mean error of the series. */
static double shift_of(const series *s) {
  double sum = 0;
  for (size_t i = 0; i < s->count; i++) sum += (s->value[i] - s->predicted[i]) / (double)s->count;
  return sum;
}

static void look_at_units(const omr_calibrate *c, const series *s, double *best, char *told,
                          size_t size) {
  const char *si = calibrate_sample_unit(c, s->sample);
  for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
    if (*units[u].si && strcmp(units[u].si, si) != 0) continue;
    const double left = left_of(s, s->value, units[u].factor, 0);
    if (left >= *best) continue;
    *best = left;
    snprintf(told, size, " It looks like %s.", units[u].told);
  }
}

/* values: of all samples of the run, one after another, all of one length. */
static void look_at_columns(const omr_calibrate *c, const series *s, const double *values,
                            double *best, char *told, size_t size) {
  const omr_measured *m = &c->study->measured;
  for (size_t other = 0; other < m->samples; other++) {
    const double *value = values + other * s->count;
    if (other == s->sample || m->sample[other].compared != OMR_COMPARE_TRACE) continue;
    const double left = left_of(s, value, 1, 0);
    if (left >= *best) continue;
    *best = left;
    snprintf(told, size, " It looks like a wrong column: that of %s fits it.",
             calibrate_sample_name(c, other));
  }
}

/* The first instant that is off by more than four deviations. */
static void tell_parting(const omr_calibrate *c, const series *s, char *told, size_t size) {
  size_t i = 0;
  while (i + 1 < s->count && fabs(s->value[i] - s->predicted[i]) < 4 * s->allowed[i]) i++;
  const double first = (double)(c->study->measured.instants - s->count), at = (double)i + first;
  if (i > 0)
    snprintf(told, size,
             " It parts from the prediction at %.3g s of the run; look for a hole or a jump of the "
             "log there.",
             at * c->study->measured.interval);
}

/* The plainest mistake that explains the series, as a sentence; "" where none does. */
static void look(const omr_calibrate *c, const series *s, const double *values, bool traces,
                 char *told, size_t size) {
  const char *unit = calibrate_sample_unit(c, s->sample);
  const bool angle = strcmp(unit, "rad") == 0;
  double best = explained * fmin(s->off, left_of(s, s->value, 0, 0));
  *told = 0; /* a factor has to explain more than 0 does */

  /* A wrong sign. */
  if (left_of(s, s->value, -1, 0) < best) {
    best = left_of(s, s->value, -1, 0);
    snprintf(told, size, " It looks like a wrong sign (\"factor\": -1).");
  }

  /* A wrong unit, or the column of another sample. */
  look_at_units(c, s, &best, told, size);
  if (traces) look_at_columns(c, s, values, &best, told, size);

  /* A constant shift, by the start or by the sensor. */
  if (s->count > 2 && left_of(s, s->value, 1, shift_of(s)) < best)
    snprintf(told, size,
             " It is off by %.4g %s all along: let \"initial\" say where the run starts, or give "
             "it a \"bias\".",
             shift_of(s) * (angle ? 180 / PI : 1), angle ? "deg" : unit);

  /* No plain mistake: say where the series part. */
  if (!*told && traces) tell_parting(c, s, told, size);
}

/* The members' [members][data] mean prediction of s, and its allowed deviation. */
static void fill(const omr_calibrate *c, const double *off, const bool *good, series *s) {
  const double noise = c->study->measured.sample[s->sample].noise *
                       (c->layout.noises ? exp(2 * OMR_NOISE_SPREAD) : 1);
  for (size_t i = 0; i < s->count; i++) {
    double sum = 0, squares = 0, count = 0;
    for (size_t j = 0; j < c->size.members; j++) {
      if (!good[j]) continue;
      const double here = off[j * c->size.data + i];
      sum += here;
      squares += here * here;
      count++;
    }
    const double mean = sum / count;
    s->predicted[i] = s->value[i] - mean;
    s->allowed[i] = sqrt(fmax(squares / count - mean * mean, 0) + noise * noise);
  }
  s->off = left_of(s, s->value, 1, 0);
}

static void tell(omr_calibrate *c, const series *s, const double *values, bool traces) {
  const omr_measured_run *run = &c->study->measured.run[s->run];
  char told[240];
  omr_text text = {0};
  look(c, s, values, traces, told, sizeof told);
  omr_text_print(&text, " Farthest off is %s of run %zu (%.200s), by %.3g times what is allowed.%s",
                 calibrate_sample_name(c, s->sample), s->run, run->file, sqrt(s->off), told);
  free(c->conflict);
  c->conflict = text.data;
}

/* room: [2 data]. */
static void find_worst(omr_calibrate *c, const double *off, const bool *good, double *room) {
  double worst = 0;
  for (omr_forward_series f = {0}; omr_forward_next(&c->fitted, &f);) {
    const omr_forward_run *run = &c->fitted.run[f.run];
    series s = {run->number, f.sample, f.count, f.value, room, room + c->size.data, 0};
    fill(c, off + f.at, good, &s);
    if (s.off <= worst) continue;

    /* Traces of one length may stand in each other's columns. */
    bool traces = f.measured->sample[f.sample].compared == OMR_COMPARE_TRACE;
    for (size_t k = 0; k < f.measured->samples; k++)
      traces = traces && omr_summary_count(f.measured, k) == omr_summary_count(f.measured, 0);
    worst = s.off;
    tell(c, &s, run->value, traces);
  }
}

omr_status calibrate_explain_conflict(omr_calibrate *c, const calibrate_how *how,
                                      omr_error *error) {
  const size_t count = c->size.members * c->size.data;
  omr_pool memory = {0};
  double *residuals = omr_pool_take(&memory, count, sizeof *residuals);
  double *off = omr_pool_take(&memory, count, sizeof *off);
  double *room = omr_pool_take(&memory, 2 * c->size.data, sizeof *room);
  bool *good = omr_pool_take(&memory, c->size.members, sizeof *good);
  const calibrate_batch batch = {c->coordinates, c->size.members, residuals, off, good};
  const omr_status status = memory.failed
                                ? omr_fail(error, OMR_ERR_MEMORY, "out of memory")
                                : calibrate_run_members(c, &c->fitted, how, &batch, error);
  if (status == OMR_OK) find_worst(c, off, good, room);
  omr_pool_free(&memory);
  return status;
}
