#include "step_sample.h"

#include "derived.h"
#include "designs/draws.h"

#include <math.h>

enum { MANY = 500, OF_FEW = 8, OF_QUICK = 16, LEAST = 16, LANES = 8, STOP_ROWS = 64, POINTS = 4 };
enum {
  DECADES = 2
};                /* a hundredth: between tolerances of 0.3 and 0.01 errors hardly fall, since
                     controllers, corners and exchanges end the passes of both */
#define SHARE 0.1 /* of the run's work */
#define ROOT_OF_TEN 2.154    /* the third one */
#define AT_ONCE 2e6          /* instance-steps: a second of one core or less */
#define QUICK 2e5            /* likewise, of nominal steps: a pass of a pair costs more */
#define LEAST_RESOLVED 1e-11 /* a tolerance below which rounding has a part */
#define SHARP 1e-5           /* a tolerance that tells instants of exchanges to some microseconds */

/* Work of an instance at all levels up to `levels`, relative to the work of one in the run. The
 * pairs' error estimates are of order 3, so that a tenth of the tolerance takes the third root of
 * ten as many passes. */
static double work_of(int decades, int levels) {
  double work = 0, of_level = 1;
  for (int level = 1; level <= levels; level++) {
    for (int i = 0; i < decades; i++) of_level *= ROOT_OF_TEN;
    work += decades ? of_level : omr_substeps(level);
  }
  return work;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Rows whose number decides how many are taken: all, or those that any run has. */
static size_t rows_for_sure(const omr_study *study) {
  const omr_stop_settings *stop = &study->statistics.stop;
  const size_t rows = study->instances;
  if (study->design.type == OMR_DESIGN_SUBSET) return study->sample.points;
  if (!stop->given) return rows;
  return least(stop->at_least > STOP_ROWS ? stop->at_least : STOP_ROWS,
               stop->instances ? least(stop->instances, rows) : rows);
}

/* Whole packs, so that they fill their lanes. */
static size_t fitting(double rows, int decades, int levels) {
  const double count = floor(SHARE * rows / work_of(decades, levels) / LANES) * LANES;
  return count > OMR_STEP_SAMPLE_MOST ? OMR_STEP_SAMPLE_MOST : (size_t)count;
}

/* Whether so many instances of few have room for all these levels: by the share, or since they are
 * done at once, by whole packs where there is a tolerance. */
static bool takes(const omr_study *study, size_t rows, const omr_step_sample *s, int levels) {
  const size_t packs = (s->count + LANES - 1) / LANES,
               count = s->decades ? packs * LANES : s->count;
  const double each = work_of(s->decades, levels);
  return (double)s->count * each <= SHARE * (double)rows ||
         (double)count * each * (double)study->time.steps <= AT_ONCE;
}

static bool tells(const omr_study *study, int decades) {
  return omr_study_resolves(study, study->engine.precision, decades) &&
         (omr_model_is_own(study->model) || decades == 1 ||
          omr_study_refined(study, decades).time.tolerance >= 0.999 * LEAST_RESOLVED);
}

/* By how many powers of ten a smaller tolerance of the run's precision tells its error; 0: none. */
static int decades_of(const omr_study *study) {
  int decades = DECADES;
  while (decades > 0 && !tells(study, decades)) decades--;
  return decades;
}

/* How many levels the run's precision resolves. */
static int levels_of(const omr_study *study, omr_step_sample *s) {
  int most = 0;
  if (omr_controls_steps(study)) {
    s->decades = decades_of(study);
    if (s->decades < DECADES || omr_model_is_own(study->model)) return s->decades > 0;
    return 1 + tells(study, 2 * DECADES);
  }
  if (omr_model_is_own(study->model)) return 1; /* its steps only look at the state */
  while (most < OMR_STEP_LEVELS && omr_study_resolves(study, study->engine.precision, most + 1))
    most++;
  return most;
}

static void choose_count(const omr_study *study, size_t rows, omr_step_sample *s) {
  /* Levels that the precision does not resolve are no use. */
  const int most = levels_of(study, s);
  if (most == 0) {
    s->why_not = omr_model_is_own(study->model)
                     ? "double precision does not resolve a tenth of the tolerance"
                 : omr_controls_steps(study)
                     ? "single precision does not resolve a tenth of the tolerance"
                     : "single precision cannot count the steps at half the step";
    return;
  }

  /* A small study takes few instances, at the levels that it can afford. */
  if (rows < MANY) {
    const double work = OF_QUICK * work_of(s->decades, 1) * (double)study->time.steps;
    s->count = least(rows, s->decades && work <= QUICK ? OF_QUICK : OF_FEW);
    s->levels = takes(study, rows, s, most) ? most : 1;
    return;
  }

  /* A large study stays within its share of the work. */
  s->levels = !s->decades && fitting((double)rows, 0, most) >= LEAST ? most : 1;
  s->count = fitting((double)rows, s->decades, s->levels);
  if (s->count < LEAST) s->count = LEAST; /* with a tolerance, up to a seventh of the run's work */
}

int omr_step_sample_parts(const omr_step_sample *s, int level) {
  int parts = 1;
  for (int i = 0; i < s->decades * level; i++) parts *= 10;
  return s->decades ? parts : omr_substeps(level);
}

/* One of the numbers of part i of `parts` equal parts of 0 .. of-1. */
static size_t drawn(const omr_study *study, uint32_t stream, size_t i, size_t parts, size_t of) {
  const size_t first = (i * of + parts - 1) / parts, end = ((i + 1) * of + parts - 1) / parts;
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_STEP_ERROR, study->design.seed, i, stream, bits);
  return first + (size_t)(omr_draw_unit(bits[0]) * (double)(end - first));
}

enum { ROWS_STREAM, CELLS_STREAM, POINTS_STREAM };

/* Every cell has the first points, and some of them, evenly spread, one more. */
static void spread_over_cells(const omr_study *study, omr_step_sample *s) {
  const size_t each = s->count / s->cells, more = s->count % s->cells, points = each + (more > 0);
  size_t count = 0;
  for (size_t cell = 0; cell < s->cells; cell++) {
    const bool one_more = (cell + 1) * more / s->cells > cell * more / s->cells;
    for (size_t point = 0; point < each + one_more; point++)
      s->row[count++] =
          cell * s->per_cell + drawn(study, POINTS_STREAM, point, points, s->per_cell);
  }
}

/* Some cells, which take turns in a few points: those with the same one can be compared. */
static void choose_cells(const omr_study *study, omr_step_sample *s) {
  const size_t points = least(s->per_cell, POINTS);
  for (size_t i = 0; i < s->count; i++)
    s->row[i] = drawn(study, CELLS_STREAM, i, s->count, s->cells) * s->per_cell +
                drawn(study, POINTS_STREAM, i % points, points, s->per_cell);
}

omr_step_sample omr_step_sample_of(const omr_study *study) {
  omr_step_sample s = {.why_not = "the study has no instances"};
  const size_t rows = rows_for_sure(study);

  /* Some studies take no sample, and the report says why. */
  if (study->step_error.off) s.why_not = "integrator.step_error is \"off\"";
  const bool oracle =
      study->engine.backend == OMR_BACKEND_REFERENCE && !omr_model_is_own(study->model);
  if (oracle) s.why_not = "the reference takes steps of its own, by its tolerance";
  if (study->step_error.off || rows == 0 || oracle) return s;

  /* The sample is drawn from the rows that every run has. */
  s.of = study->statistics.stop.given ? least(rows, STOP_ROWS) : rows;
  choose_count(study, rows, &s);
  s.blurred = s.count && s.decades && omr_study_pair(study) == OMR_METHOD_ROS34PW2 &&
              study->time.tolerance > 1.001 * SHARP * omr_step_sample_parts(&s, s.levels);
  if (omr_design_has_cells(study->design.type) && !study->statistics.stop.given) {
    s.per_cell = study->sample.points;
    s.cells = rows / s.per_cell;
    s.common = study->sample.common;
  }

  /* The rows are spread over the cells, or drawn from all of them. */
  if (s.count && s.cells && s.cells <= s.count)
    spread_over_cells(study, &s);
  else if (s.count && s.cells)
    choose_cells(study, &s);
  else
    for (size_t i = 0; i < s.count; i++) s.row[i] = drawn(study, ROWS_STREAM, i, s.count, s.of);
  return s;
}

double omr_step_sample_cost(const omr_study *study, const omr_step_sample *s) {
  const size_t rows = study->instances;
  return rows ? (double)s->count * work_of(s->decades, s->levels) / (double)rows : 0;
}

const char *omr_step_sample_words(const omr_step_sample *s) {
  if (s->decades && s->levels > 1) return "a hundredth and a ten-thousandth of the tolerance";
  if (s->decades)
    return s->decades > 1 ? "a hundredth of the tolerance" : "a tenth of the tolerance";
  return s->levels > 1 ? "half the step and a quarter" : "half the step";
}
