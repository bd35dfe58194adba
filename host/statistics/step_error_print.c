/* The step error for people and for programs. */
#include "number.h"
#include "step_error.h"

#include <math.h>
#include <string.h>

/* FOR PEOPLE */

static void print_range(const omr_step_estimate *e, char text[64]) {
  if (isfinite(e->low) && isfinite(e->high))
    snprintf(text, 64, "%+.3g to %+.3g", e->low, e->high);
  else
    snprintf(text, 64, "not known");
}

static void print_order(double order, char text[32]) {
  if (isnan(order))
    snprintf(text, 32, "-");
  else
    snprintf(text, 32, "%.1f", order);
}

static void print_quantity(const omr_statistics *s, size_t q, FILE *out) {
  const omr_quantity *quantity = &s->quantities[q];
  const omr_step_quantity *step = omr_step_quantity_of(s, q);
  const omr_bounds bounds = omr_mean_bounds(&quantity->moments, s->confidence);
  char chance[32] = "-", range[64], order[32];
  if (quantity->moments.used == 0) return;
  if (!isnan(bounds.low)) snprintf(chance, sizeof chance, "+-%.3g", (bounds.high - bounds.low) / 2);
  fprintf(out, "  %-28s %-10s %12.5g %12s", quantity->name, quantity->unit, quantity->moments.mean,
          chance);
  if (step->used == 0) {
    fprintf(out, " %12s\n", "not known");
    return;
  }
  print_range(&step->mean, range);
  print_order(step->order, order);
  fprintf(out, " %+12.3g %25s %6s %12.3g\n", step->mean.error, range, order, step->largest_size);
}

static void print_quantities(const omr_statistics *s, FILE *out) {
  fprintf(out, "\n  %-28s %-10s %12s %12s %12s %25s %6s %12s\n", "error of the mean", "unit",
          "mean", "by chance", "by the step", "its range", "order", "worst of one");
  for (size_t q = s->parameter_count; q < s->quantity_count; q++) print_quantity(s, q, out);
}

/* Lists "vibration_rms, max_slip and 3 more" of the observables that `wanted` selects. */
static size_t list_names(const omr_statistics *s, bool (*wanted)(const omr_statistics *, size_t),
                         char *text, size_t size) {
  enum { MOST = 6 };
  size_t found = 0, length = 0;
  text[0] = '\0';
  for (size_t q = s->parameter_count; q < s->quantity_count; q++) {
    if (!wanted(s, q) || found++ >= MOST) continue;
    length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "",
                               s->quantities[q].name);
    if (length + 100 > size) length = size - 100;
  }
  if (found > MOST) snprintf(text + length, size - length, " and %zu more", found - MOST);
  return found;
}

/* True if the error shows in the fourth digit; never for energy_error, which is an error itself,
 * nor for values that are zero but for rounding (below 1e-9 in SI units). */
static bool limited_by_step(const omr_statistics *s, size_t q) {
  const omr_moments *m = &s->quantities[q].moments;
  const double size = fmax(fabs(m->min), fabs(m->max));
  return omr_step_dominates(s, q) && strcmp(s->quantities[q].name, "energy_error") != 0 &&
         size > 1e-9 && fabs(omr_step_quantity_of(s, q)->mean.error) > 1e-4 * size;
}

static void print_source(const omr_statistics *s, FILE *out) {
  const omr_step_error *e = s->step_error;
  fprintf(out, "  by the step: %zu instance%s run again with %s", e->refined.sample.count,
          e->refined.sample.count == 1 ? "" : "s", omr_step_sample_words(&e->refined.sample));
  if (e->left_out) fprintf(out, "; %zu of them left out, since they failed", e->left_out);
  fprintf(out, "\n");
  if (omr_step_extremes_unknown(e))
    fprintf(out, "  of extremes: not known, since they may hang on instants of exchanges to 10 us, "
                 "for which integrator.tolerance has to be 1e-3 or less\n");
}

static void print_limits(const omr_statistics *s, FILE *out) {
  char names[800];
  const size_t found = list_names(s, limited_by_step, names, sizeof names);
  if (found == 0 || s->rows < 2) return;
  fprintf(
      out,
      "  The step, not the number of instances, limits %s: a %s gains more than more instances.\n",
      names,
      s->step_error->refined.sample.decades ? "smaller integrator.tolerance"
                                            : "shorter integrator.step");
}

static void print_ranking(const char *what, const omr_step_ranking *r, FILE *out) {
  if (r->reversed == 0) return;
  fprintf(out,
          "  %s: %zu of %zu pairs of cells change places without the step's error, such as %zu and "
          "%zu\n",
          what, r->reversed, r->pairs, r->cells[0], r->cells[1]);
}

/* Counts the pairs of all rankings but energy_error's, which is an error itself. */
static void count_rankings(const omr_statistics *s, size_t *pairs, size_t *reversed) {
  const omr_step_error *e = s->step_error;
  *pairs = *reversed = 0;
  for (size_t q = 0; q < e->observable_count; q++) {
    if (strcmp(s->quantities[q + e->parameter_count].name, "energy_error") == 0) continue;
    *pairs += e->quantities[q].ranking.pairs;
    *reversed += e->quantities[q].ranking.reversed;
  }
  for (size_t c = 0; c < e->criterion_count; c++) {
    *pairs += e->criteria[c].ranking.pairs;
    *reversed += e->criteria[c].ranking.reversed;
  }
}

static void print_rankings(const omr_statistics *s, FILE *out) {
  const omr_step_error *e = s->step_error;
  size_t pairs, reversed;
  for (size_t q = 0; q < e->observable_count; q++)
    if (strcmp(s->quantities[q + e->parameter_count].name, "energy_error") != 0)
      print_ranking(s->quantities[q + e->parameter_count].name, &e->quantities[q].ranking, out);
  for (size_t c = 0; c < e->criterion_count; c++)
    print_ranking(s->criteria[c].name, &e->criteria[c].ranking, out);
  count_rankings(s, &pairs, &reversed);
  if (pairs && !reversed)
    fprintf(out,
            "  The ranking of the cells stands: none of the %zu pairs compared changes places.\n",
            pairs);
}

static void print_criterion(const omr_statistics *s, size_t number, FILE *out) {
  const omr_step_criterion *c = &s->step_error->criteria[number];
  char share[64], range[64];
  fprintf(out, "  %-28s", s->criteria[number].name);
  if (c->used == 0) {
    fprintf(out, " %12s\n", "not known");
    return;
  }
  if (c->gained + c->lost == 0 && c->flips_high > 0)
    snprintf(share, sizeof share, "below %.2g %%", 100 * c->flips_high);
  else
    snprintf(share, sizeof share, "%.3g %% (below %.2g %%)", 100 * c->flips, 100 * c->flips_high);
  print_range(&c->share, range);
  fprintf(out, " %4zu of %-4zu %25s %+12.3g %25s\n", c->gained + c->lost, c->used, share,
          c->share.error, range);
}

static void print_criteria(const omr_statistics *s, FILE *out) {
  if (s->step_error->criterion_count == 0) return;
  fprintf(out, "\n  %-28s %12s %25s %12s %25s\n", "criterion, shorter step", "change sides",
          "share", "probability", "its range");
  for (size_t c = 0; c < s->step_error->criterion_count; c++) print_criterion(s, c, out);
}

void omr_step_error_print(const omr_statistics *s, FILE *out) {
  if (!s->step_error) return;
  if (s->rows > 1) print_quantities(s, out);
  print_source(s, out);
  print_limits(s, out);
  print_criteria(s, out);
  print_rankings(s, out);
}

/* THE SHORT FORM */

static void tell(char *text, size_t size, const char *format, ...) OMR_PRINTF(3, 4);
static void tell(char *text, size_t size, const char *format, ...) {
  const size_t length = strlen(text);
  va_list args;
  va_start(args, format);
  if (length + 2 < size) {
    if (length) memcpy(text + length, "; ", 3);
    vsnprintf(text + length + (length ? 2 : 0), size - length - (length ? 2 : 0), format, args);
  }
  va_end(args);
}

/* Criteria with equal counts share a sentence. */
static void tell_criteria(const omr_statistics *s, char *text, size_t size) {
  const omr_step_error *e = s->step_error;
  for (size_t i = 0, next; i < e->criterion_count; i = next) {
    const omr_step_criterion *c = &e->criteria[i];
    char names[300];
    size_t length = (size_t)snprintf(names, sizeof names, "%.99s", s->criteria[i].name);
    for (next = i + 1; next < e->criterion_count; next++) {
      const omr_step_criterion *other = &e->criteria[next];
      if (other->used != c->used || other->gained + other->lost != c->gained + c->lost) break;
      if (length < 200)
        length += (size_t)snprintf(names + length, sizeof names - length, ", %.90s",
                                   s->criteria[next].name);
    }
    if (c->used == 0)
      tell(text, size, "of %s nothing is known", names);
    else
      tell(text, size, "%zu of %zu change sides (%s)", c->gained + c->lost, c->used, names);
  }
}

/* Prints the largest error of the means shown, relative to the size of their values. */
static void tell_largest(const omr_statistics *s, const size_t *shown, size_t count, char *text,
                         size_t size) {
  double largest = -1;
  size_t which = 0;

  /* the largest relative error among the observables shown */
  for (size_t i = 0; i < count; i++) {
    const omr_step_quantity *step = omr_step_quantity_of(s, shown[i]);
    const omr_moments *m = &s->quantities[shown[i]].moments;
    const double value = fmax(fabs(m->min), fabs(m->max));
    if (strcmp(s->quantities[shown[i]].name, "energy_error") == 0) continue; /* an error itself */
    if (!step || step->used == 0 || !(value > 1e-9)) continue;

    const double part = fabs(step->mean.error) / value;
    if (part > largest) {
      largest = part;
      which = shown[i];
    }
  }

  /* too small an error for digits, or the error and its observable */
  if (largest >= 0 && largest < 1e-5)
    tell(text, size, "%s are off by less than 0.001 %%", s->rows > 1 ? "means" : "values");
  else if (largest >= 0)
    tell(text, size, "%s are off by at most %.2g %% (%s)", s->rows > 1 ? "means" : "values",
         100 * largest, s->quantities[which].name);
}

static void tell_rankings(const omr_statistics *s, char *text, size_t size) {
  size_t pairs, reversed;
  count_rankings(s, &pairs, &reversed);
  if (pairs && reversed)
    tell(text, size, "%zu of %zu pairs of cells change places", reversed, pairs);
  else if (pairs)
    tell(text, size, "the ranking of the designs stands");
  else if (s->cells.refused && s->step_error->refined.sample.cells)
    tell(text, size, "the order of so many cells is not looked at");
}

void omr_step_error_tell(const omr_statistics *s, const size_t *shown, size_t count, char *text,
                         size_t size) {
  char names[800], parts[1000] = "";
  text[0] = '\0';
  if (!s->step_error || s->step_error->refined.sample.count == 0) return;
  if (s->step_error->criterion_count)
    tell_criteria(s, parts, sizeof parts);
  else
    tell_largest(s, shown, count, parts, sizeof parts);
  if (omr_step_extremes_unknown(s->step_error))
    tell(parts, sizeof parts, "of extremes nothing is known above a tolerance of 1e-3");
  tell_rankings(s, parts, sizeof parts);
  if (s->rows > 1 && list_names(s, limited_by_step, names, sizeof names))
    tell(parts, sizeof parts, "by more than chance: %s", names);
  if (parts[0])
    snprintf(text, size, "with %s %s", omr_step_sample_words(&s->step_error->refined.sample),
             parts);
}

/* FOR PROGRAMS */

static void json_estimate(FILE *out, const omr_step_estimate *e) {
  omr_print_member(out, ", ", "error", e->error);
  omr_print_member(out, ", ", "low", e->low);
  omr_print_member(out, ", ", "high", e->high);
}

static void json_ranking(FILE *out, const omr_step_ranking *r) {
  fprintf(out, ", \"pairs\": %zu, \"reversed\": %zu", r->pairs, r->reversed);
  if (r->reversed) fprintf(out, ", \"cells\": [%zu, %zu]", r->cells[0], r->cells[1]);
}

/* Names are words of letters, digits and _. */
static void json_quantity(const omr_statistics *s, size_t number, FILE *out) {
  const omr_step_error *e = s->step_error;
  const omr_step_quantity *q = &e->quantities[number];

  /* error of the mean */
  fprintf(out, "\n    {\"name\": \"%s\", \"used\": %zu",
          s->quantities[e->parameter_count + number].name, q->used);
  json_estimate(out, &q->mean);

  /* errors of single instances and the order of the method */
  omr_print_member(out, ", ", "order", q->order);
  omr_print_member(out, ", ", "instance_median", q->median_size);
  omr_print_member(out, ", ", "instance_worst", q->largest_size);

  fprintf(out, ", \"dominates\": %s",
          omr_step_dominates(s, e->parameter_count + number) ? "true" : "false");
  json_ranking(out, &q->ranking);

  /* errors of the quantiles */
  fprintf(out, ", \"quantiles\": [");
  for (size_t l = 0; l < e->quantile_count; l++) {
    fprintf(out, "%s{\"level\": %.17g", l ? ", " : "", s->levels[l]);
    json_estimate(out, &q->quantiles[l]);
    fprintf(out, "}");
  }

  fprintf(out, "]}");
}

static void json_criterion(const omr_statistics *s, size_t number, FILE *out) {
  const omr_step_criterion *c = &s->step_error->criteria[number];
  fprintf(out, "\n    {\"name\": \"%s\", \"used\": %zu, \"gained\": %zu, \"lost\": %zu",
          s->criteria[number].name, c->used, c->gained, c->lost);
  omr_print_member(out, ", ", "flips", c->flips);
  omr_print_member(out, ", ", "flips_high", c->flips_high);
  json_estimate(out, &c->share);
  json_ranking(out, &c->ranking);
  fprintf(out, "}");
}

static void json_verdict(const omr_step_verdict *v, FILE *out) {
  fprintf(out, "\n    {\"name\": \"%s\"", v->label);
  omr_print_member(out, ", ", "error", v->error);
  omr_print_member(out, ", ", "accepted", v->most);
  fprintf(out, ", \"given\": %s, \"missed\": %s}", v->accept.given ? "true" : "false",
          v->missed ? "true" : "false");
}

static void json_instances(const omr_refined *r, FILE *out) {
  fprintf(out, "{\"instances\": [");
  for (size_t i = 0; i < r->sample.count; i++) fprintf(out, "%s%zu", i ? ", " : "", r->instance[i]);
  fprintf(out, "], \"substeps\": [");
  for (int level = 0; level <= r->sample.levels; level++)
    fprintf(out, "%s%d", level ? ", " : "", omr_step_sample_parts(&r->sample, level));
  fprintf(out, "]");
}

void omr_step_error_print_json(const omr_statistics *s, FILE *out) {
  const omr_step_error *e = s->step_error;

  /* nothing was measured */
  if (!e) {
    fprintf(out, "null");
    return;
  }
  json_instances(&e->refined, out);

  /* errors of observables, flips of criteria, verdicts */
  fprintf(out, ", \"left_out\": %zu,\n   \"quantities\": [", e->left_out);
  for (size_t q = 0; q < e->observable_count; q++) {
    if (q) fputc(',', out);
    json_quantity(s, q, out);
  }

  fprintf(out, "],\n   \"criteria\": [");
  for (size_t c = 0; c < e->criterion_count; c++) {
    if (c) fputc(',', out);
    json_criterion(s, c, out);
  }

  fprintf(out, "],\n   \"accept\": [");
  for (size_t i = 0; i < e->verdict_count; i++) {
    if (i) fputc(',', out);
    json_verdict(&e->verdicts[i], out);
  }

  fprintf(out, "]}");
}
