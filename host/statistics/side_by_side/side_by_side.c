/* Results side by side: what is common to them, and how far each is from the first. */
#include "side_by_side.h"
#include "../../include/omniroll/result.h"
#include "../../lists/kinds.h"
#include "../../result/reader.h"
#include "../criteria_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };
#define ROUNDING 1e-12

static const omr_bounds no_bounds = {(double)NAN, (double)NAN};

/* READING */

static omr_status open_side(omr_side *side, omr_error *error) {
  omr_status status = omr_result_file_open_rows(side->path, &side->file, error);
  if (status == OMR_OK) status = omr_source_open(side->path, &side->rows, error);
  if (status == OMR_OK)
    status = omr_statistics_of_file(side->path, omr_result_file_head(side->file), side->rows,
                                    &side->study, &side->statistics, error);
  return status == OMR_OK
             ? omr_source_with_criteria(side->rows, side->statistics, &side->source, error)
             : status;
}

static void close_sides(omr_sides *sides) {
  for (size_t i = 0; sides->side && i < sides->count; i++) {
    omr_source_close(sides->side[i].source);
    omr_source_close(sides->side[i].rows);
    omr_result_file_close(sides->side[i].file);
    omr_statistics_destroy(sides->side[i].statistics);
    omr_study_destroy(sides->side[i].study);
  }
  free(sides->side);
  free(sides->asked);
  free(sides->value);
  omr_text_free(&sides->left_out);
  omr_text_free(&sides->unlike);
}

/* WHAT THEY HAVE IN COMMON */

/* The column of an asked item in a result's source; its number of columns where it has none. */
static size_t column_of(const omr_side *side, const omr_asked *asked) {
  const omr_statistics *s = side->statistics;
  for (size_t c = 0; asked->of_criterion && c < s->criterion_count; c++)
    if (strcmp(s->criteria[c].name, asked->name) == 0) return s->quantity_count + c;
  for (size_t q = s->parameter_count; !asked->of_criterion && q < s->quantity_count; q++)
    if (strcmp(s->quantities[q].name, asked->name) == 0 &&
        strcmp(s->quantities[q].unit, asked->unit) == 0)
      return q;
  return side->source->columns;
}

static bool is_known(const omr_sides *sides, const omr_asked *asked) {
  for (size_t i = 0; i < sides->asked_count; i++)
    if (sides->asked[i].of_criterion == asked->of_criterion &&
        strcmp(sides->asked[i].name, asked->name) == 0)
      return true;
  return false;
}

/* A criterion that a variant changes has the name of another question. */
static void note_unlike(omr_sides *sides, const omr_asked *asked) {
  bool unlike = false;
  for (size_t i = 0; i < sides->count && asked->of_criterion; i++) {
    const omr_answer *answer = sides->side[i].statistics->answer;
    for (size_t a = 0; a < answer->asked_count; a++)
      unlike |= answer->asked[a].of_criterion && strcmp(answer->asked[a].name, asked->name) == 0 &&
                strcmp(answer->asked[a].meaning, asked->meaning) != 0;
  }
  if (unlike) omr_text_print(&sides->unlike, "%s%s", sides->unlike.length ? ", " : "", asked->name);
}

/* Everything that one of the results asks and all of them have, criteria first. */
static bool choose_asked(omr_sides *sides) {
  size_t room = 1;
  for (size_t i = 0; i < sides->count; i++) room += sides->side[i].statistics->answer->asked_count;
  sides->asked = calloc(room, sizeof *sides->asked);
  for (int observables = 0; sides->asked && observables < 2; observables++) {
    for (size_t i = 0; i < sides->count; i++) {
      const omr_answer *answer = sides->side[i].statistics->answer;
      for (size_t a = 0; a < answer->asked_count; a++) {
        const omr_asked *asked = &answer->asked[a];
        size_t having = 0;
        if (asked->of_criterion == (observables == 1) || is_known(sides, asked)) continue;
        for (size_t j = 0; j < sides->count; j++)
          having += column_of(&sides->side[j], asked) < sides->side[j].source->columns;
        if (having == sides->count) {
          sides->asked[sides->asked_count++] = *asked;
          note_unlike(sides, asked);
        } else if (!sides->left_out.data || !strstr(sides->left_out.data, asked->name))
          omr_text_print(&sides->left_out, "%s%s", sides->left_out.length ? ", " : "", asked->name);
      }
    }
  }
  sides->value = calloc(sides->asked_count * sides->count + 1, sizeof *sides->value);

  return sides->asked && sides->value && !sides->left_out.failed && !sides->unlike.failed;
}

/* PAIRS */

/* Compares the values of a varied parameter row by row. */
static omr_status compare_parameter(omr_side *first, omr_side *side, size_t parameter, double *room,
                                    omr_error *error) {
  const char *name = first->rows->info[parameter].name;
  size_t other = 0;
  for (; other < side->rows->parameters; other++)
    if (strcmp(side->rows->info[other].name, name) == 0) break;
  if (other == side->rows->parameters) {
    snprintf(side->unpaired, sizeof side->unpaired, "%.60s varies in %s only", name, first->name);
    return OMR_OK;
  }

  for (size_t row = 0; row < side->rows->rows && !side->unpaired[0]; row += BLOCK) {
    const size_t left = side->rows->rows - row, count = left < BLOCK ? left : BLOCK;
    omr_status status = first->rows->ops->read(first->rows, parameter, row, count, room, error);
    if (status == OMR_OK)
      status = side->rows->ops->read(side->rows, other, row, count, room + BLOCK, error);
    if (status != OMR_OK) return status;
    if (memcmp(room, room + BLOCK, count * sizeof *room) != 0)
      snprintf(side->unpaired, sizeof side->unpaired, "the values of %.60s differ", name);
  }
  return OMR_OK;
}

/* The k-th rows of both met the same draw where everything that varies has the same values. */
static omr_status find_pairs(omr_side *first, omr_side *side, double *room, omr_error *error) {
  const bool sampled = omr_design_is_sample(first->study->design.type);
  omr_status status = OMR_OK;
  if (first->statistics->no_rows || side->statistics->no_rows)
    snprintf(side->unpaired, sizeof side->unpaired, "not all rows are kept (output.rows)");
  else if (first->rows->rows != side->rows->rows ||
           first->study->design.type != side->study->design.type)
    snprintf(side->unpaired, sizeof side->unpaired, "the designs differ");
  else if (sampled &&
           omr_result_file_head(first->file)->seed != omr_result_file_head(side->file)->seed)
    snprintf(side->unpaired, sizeof side->unpaired, "the seeds differ");
  else if (side->rows->parameters > first->rows->parameters)
    snprintf(side->unpaired, sizeof side->unpaired, "%s varies more than %s", side->name,
             first->name);
  for (size_t p = 0; status == OMR_OK && p < first->rows->parameters && !side->unpaired[0]; p++)
    status = compare_parameter(first, side, p, room, error);
  return status;
}

/* Sums over the pairs of rows that have a value on both sides. */
typedef struct pairs {
  omr_moments moments; /* of the differences */
  uint64_t gained, lost;
} pairs;

static void add_pair(pairs *p, double difference) {
  omr_moments *m = &p->moments;
  const double away = difference - m->mean;
  m->used++;
  m->mean += away / (double)m->used;
  m->squares += away * (difference - m->mean);
  p->gained += difference > 0.5;
  p->lost += difference < -0.5;
}

/* A value of a row that failed counts only for a criterion that looks at the status. */
static bool counts(const omr_side *side, size_t column, int8_t status) {
  return status == OMR_INSTANCE_OK || side->source->every[column];
}

static omr_status sum_pairs(omr_side *first, omr_side *side, const omr_asked *asked, double *room,
                            pairs *sums, omr_error *error) {
  const size_t of_first = column_of(first, asked), column = column_of(side, asked);
  int8_t status[2][BLOCK];
  omr_status done = OMR_OK;
  *sums = (pairs){0};
  for (size_t row = 0; row < side->rows->rows && done == OMR_OK; row += BLOCK) {
    const size_t left = side->rows->rows - row, count = left < BLOCK ? left : BLOCK;
    done = first->source->ops->read(first->source, of_first, row, count, room, error);
    if (done == OMR_OK)
      done = side->source->ops->read(side->source, column, row, count, room + BLOCK, error);
    if (done == OMR_OK)
      done = first->rows->ops->status(first->rows, row, count, status[0], NULL, error);
    if (done == OMR_OK)
      done = side->rows->ops->status(side->rows, row, count, status[1], NULL, error);

    for (size_t k = 0; done == OMR_OK && k < count; k++) {
      const double difference = room[BLOCK + k] - room[k];
      if (isfinite(difference) && counts(first, of_first, status[0][k]) &&
          counts(side, column, status[1][k]))
        add_pair(sums, difference);
    }
  }
  return done;
}

/* VALUES */

/* Whether intervals say how other draws would spread; the cells of a nested design share draws. */
static bool is_sample(const omr_side *side) {
  const omr_statistics *s = side->statistics;
  return !s->spread_only && s->cells.count == 0 && s->rows > 1;
}

static omr_side_value value_of(const omr_side *side, const omr_asked *asked) {
  const omr_statistics *s = side->statistics;
  const size_t column = column_of(side, asked);
  omr_side_value v = {
      .bounds = no_bounds, .difference = (double)NAN, .apart = no_bounds, .step = (double)NAN};
  if (asked->of_criterion) {
    const omr_criterion_counts *c = &s->criteria[column - s->quantity_count].counts;
    v.value = omr_probability_of(c);
    if (is_sample(side))
      v.bounds = omr_probability_bounds(s->interval, c->met, c->met + c->not_met, s->confidence);
  } else {
    const omr_moments *m = &s->quantities[column].moments;
    v.value = m->used ? m->mean : (double)NAN;
    if (is_sample(side)) v.bounds = omr_mean_bounds(m, s->confidence);
  }

  /* The answer of all instances together has the error by the step. */
  const omr_answer *answer = s->answer;
  for (size_t i = 0; answer->rows == OMR_ANSWER_WHOLE && i < answer->asked_count; i++)
    if (answer->asked[i].of_criterion == asked->of_criterion &&
        strcmp(answer->asked[i].name, asked->name) == 0)
      v.step = omr_answer_at(answer, 0, i)->step;
  return v;
}

/* The difference of two samples of their own. */
static omr_bounds unpaired_bounds(const omr_side *first, const omr_side *side,
                                  const omr_asked *asked) {
  const omr_statistics *a = side->statistics, *b = first->statistics;
  const size_t ours = column_of(side, asked), theirs = column_of(first, asked);
  if (!asked->of_criterion)
    return omr_welch_bounds(&a->quantities[ours].moments, &b->quantities[theirs].moments,
                            b->confidence);
  return omr_newcombe_bounds(&a->criteria[ours - a->quantity_count].counts,
                             &b->criteria[theirs - b->quantity_count].counts, b->confidence);
}

static omr_status compare_value(omr_sides *sides, size_t asked, size_t at, double *room,
                                omr_error *error) {
  omr_side *first = &sides->side[0], *side = &sides->side[at];
  const omr_asked *item = &sides->asked[asked];
  const omr_side_value *base = &sides->value[asked * sides->count];
  omr_side_value *v = &sides->value[asked * sides->count + at];
  const double confidence = first->statistics->confidence;
  pairs sums;

  /* Pairs, or two samples. */
  v->step += base->step;
  v->difference = v->value - base->value;
  if (side->unpaired[0]) {
    v->apart = unpaired_bounds(first, side, item);
  } else {
    const omr_status status = sum_pairs(first, side, item, room, &sums, error);
    if (status != OMR_OK) return status;
    v->difference = sums.moments.used ? sums.moments.mean : (double)NAN;
    if (item->of_criterion && sums.moments.used) /* exact, so that shares and it round alike */
      v->difference = ((double)sums.gained - (double)sums.lost) / (double)sums.moments.used;
    v->apart = item->of_criterion
                   ? omr_tango_bounds(sums.gained, sums.lost, sums.moments.used, confidence)
                   : omr_mean_bounds(&sums.moments, confidence);
  }

  /* Rounding is no difference, and values that were chosen have no chance in them. */
  if (fabs(v->difference) <= ROUNDING * (fabs(v->value) + fabs(base->value))) {
    v->difference = 0;
    if (!item->of_criterion) v->apart = (omr_bounds){0, 0};
  }
  if (!is_sample(first) || !is_sample(side)) v->apart = no_bounds;
  return OMR_OK;
}

static omr_status compare(omr_sides *sides, omr_error *error) {
  double *room = malloc(2 * BLOCK * sizeof *room);
  omr_status status = room && choose_asked(sides)
                          ? OMR_OK
                          : omr_fail(error, OMR_ERR_MEMORY, "out of memory for a comparison");
  for (size_t i = 1; i < sides->count && status == OMR_OK; i++)
    status = find_pairs(&sides->side[0], &sides->side[i], room, error);
  for (size_t a = 0; a < sides->asked_count && status == OMR_OK; a++)
    for (size_t i = 0; i < sides->count; i++)
      sides->value[a * sides->count + i] = value_of(&sides->side[i], &sides->asked[a]);
  for (size_t a = 0; a < sides->asked_count; a++)
    for (size_t i = 1; i < sides->count && status == OMR_OK; i++)
      status = compare_value(sides, a, i, room, error);
  free(room);
  return status;
}

omr_status omr_side_by_side(const char *const *paths, const char *const *names, size_t count,
                            bool json, FILE *out, omr_error *error) {
  omr_sides sides = {.side = calloc(count, sizeof *sides.side), .count = count};
  omr_status status =
      sides.side ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for a comparison");

  /* Instances of some designs do not count alike, so that means of them say nothing. */
  for (size_t i = 0; i < count && status == OMR_OK; i++) {
    sides.side[i].name = names[i];
    sides.side[i].path = paths[i];
    status = open_side(&sides.side[i], error);
    if (status == OMR_OK && omr_design_is_weighed(sides.side[i].study->design.type))
      sides.weighed = &sides.side[i];
  }
  if (status == OMR_OK && !sides.weighed) status = compare(&sides, error);
  if (status == OMR_OK && json) status = omr_sides_print_json(&sides, out, error);
  if (status == OMR_OK && !json) omr_sides_print(&sides, out);

  close_sides(&sides);
  return status;
}
