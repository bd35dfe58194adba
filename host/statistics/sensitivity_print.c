/* Measures of sensitivity for people: for every observable the parameters that matter most. */
#include "sensitivity_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 5 };

static bool is_ranked(const omr_sensitivity *s, size_t quantity) {
  return s->measure == OMR_MEASURE_CORRELATION && s->rank_used[quantity] > 0;
}

/* The estimate that orders parameters: the total index, mu*, or the rank correlation where there is
 * one. */
static int ordering(const omr_sensitivity *s, size_t quantity) {
  return s->measure == OMR_MEASURE_SOBOL || is_ranked(s, quantity) ? 1 : 0;
}

static double weight_of(const omr_sensitivity *s, size_t quantity, size_t parameter) {
  const size_t at = omr_sensitivity_at(s, quantity, parameter);
  const double value = s->estimates[ordering(s, quantity)][at].value;
  return isfinite(value) ? fabs(value) : -1;
}

/* The parameter of the largest weight below (limit, last), where equal weights follow each other by
 * number; `parameters` if none. */
static size_t next_of(const omr_sensitivity *s, size_t quantity, double limit, size_t last) {
  size_t best = s->parameters;
  for (size_t i = 0; i < s->parameters; i++) {
    const double weight = weight_of(s, quantity, i);
    if (weight < 0 || weight > limit || (weight == limit && i <= last && last < s->parameters))
      continue;
    if (best == s->parameters || weight > weight_of(s, quantity, best)) best = i;
  }
  return best;
}

static void print_estimate(const omr_estimate *e, FILE *out) {
  char interval[48] = "";
  if (isfinite(e->low)) snprintf(interval, sizeof interval, "(%.4g .. %.4g)", e->low, e->high);
  fprintf(out, "  %10.4g %-27s", e->value, interval);
}

static void print_parameters(const omr_sensitivity *s, size_t quantity, FILE *out) {
  double limit = HUGE_VAL;
  size_t last = s->parameters;
  for (int shown = 0; shown < SHOWN; shown++) {
    last = next_of(s, quantity, limit, last);
    if (last == s->parameters) return;
    limit = weight_of(s, quantity, last);
    const size_t at = omr_sensitivity_at(s, quantity, last);
    fprintf(out, "    %-28s", s->info[last].name);
    print_estimate(&s->estimates[0][at], out);
    if (s->measure != OMR_MEASURE_CORRELATION || is_ranked(s, quantity))
      print_estimate(&s->estimates[1][at], out);
    if (s->measure == OMR_MEASURE_MORRIS) fprintf(out, "  %10.4g", s->sigma[at]);
    fprintf(out, "\n");
  }
  if (s->parameters > SHOWN) fprintf(out, "    and %zu that matter less\n", s->parameters - SHOWN);
}

/* Why an observable has no values at all; GIVEN where it has some. */
static omr_reason reason_of(const omr_sensitivity *s, size_t quantity) {
  for (size_t i = 0; i < s->parameters; i++)
    if (s->reason[omr_sensitivity_at(s, quantity, i)] == OMR_REASON_GIVEN) return OMR_REASON_GIVEN;
  return (omr_reason)s->reason[omr_sensitivity_at(s, quantity, 0)];
}

static void print_quantity(const omr_sensitivity *s, size_t quantity, FILE *out) {
  const omr_sample_info *info = &s->info[s->parameters + quantity];
  fprintf(out, "  %s [%s]", info->name, info->unit);

  /* the moments that the indices are parts of */
  if (s->measure == OMR_MEASURE_SOBOL) {
    const omr_estimate *mean = &s->mean[quantity];
    fprintf(out, ": mean %.5g", mean->value);
    if (isfinite(mean->low)) fprintf(out, " (%.5g .. %.5g)", mean->low, mean->high);
    fprintf(out, ", standard deviation %.4g", sqrt(s->variance[quantity].value));
  }
  const bool sobol = s->measure == OMR_MEASURE_SOBOL;

  /* say which rows were used where they are not the ok ones */
  if (s->every[quantity])
    fprintf(out, "%s of %zu %s, failed ones too", sobol ? ";" : ":", (size_t)s->used[quantity],
            omr_measures[s->measure].rows);
  else if (s->used[quantity] < s->ok)
    fprintf(out, "%s %zu %s without a value left out", sobol ? ";" : ":",
            (size_t)(s->ok - s->used[quantity]), omr_measures[s->measure].rows);

  if (is_ranked(s, quantity) && s->rank_used[quantity] < s->used[quantity])
    fprintf(out, "; ranks of %zu drawn at random", (size_t)s->rank_used[quantity]);

  fprintf(out, "\n");
  print_parameters(s, quantity, out);
}

static void print_without(const omr_sensitivity *s, FILE *out) {
  for (int reason = OMR_REASON_FEW; reason < OMR_REASON_COUNT; reason++) {
    size_t found = 0;
    for (size_t q = 0; q < s->quantities; q++)
      if ((int)reason_of(s, q) == reason)
        fprintf(out, "%s%s", found++ ? ", " : "  no value for: ", s->info[s->parameters + q].name);
    if (found) fprintf(out, " (%s)\n", omr_reasons[reason].meaning);
  }
}

static void print_head(const omr_sensitivity *s, FILE *out) {
  const omr_measure_info *m = &omr_measures[s->measure];
  fprintf(out, "\n%s: %zu of %zu %s", m->title, (size_t)s->ok, s->groups, m->rows);
  const char *separator = "; left out: ";
  for (int code = 1; code < OMR_INSTANCE_STATUS_COUNT; code++) {
    if (!s->failed[code]) continue;
    fprintf(out, "%s%zu %s", separator, (size_t)s->failed[code], omr_instance_status_name(code));
    separator = ", ";
  }
  if (s->rest) fprintf(out, "%s%zu instances beyond the last whole one", separator, s->rest);
  fprintf(out, "; intervals of %.4g %%", 100 * s->confidence);
  if (s->measure == OMR_MEASURE_SOBOL)
    fprintf(
        out, ", %zu bootstrap replicates\n    %s", s->bootstrap,
        "totals overlap, as each has all interactions of its parameter: their sum may exceed 1");
  if (s->measure == OMR_MEASURE_SOBOL && (double)s->ok < 0.99 * (double)s->groups)
    fprintf(out, "\n    of what is left: where failing depends on a parameter, the indices are no "
                 "longer those of its whole distribution");
  fprintf(out, "\n    %-28s  %-38s  %-38s%s\n", "", m->estimates[0],
          s->no_ranks ? "" : m->estimates[1],
          s->measure == OMR_MEASURE_MORRIS ? "       sigma" : "");
}

/* Writes "wheel_friction -0.83, wheel_inclination 0.42", the parameters that an observable goes
 * with most, as far as there is room. */
static void strongest(const omr_sensitivity *s, size_t quantity, size_t room, char *text) {
  enum { STRONGEST = 3 };
  const bool correlation = s->measure == OMR_MEASURE_CORRELATION,
             apart = correlation && !s->no_ranks && !is_ranked(s, quantity);
  double limit = HUGE_VAL;
  size_t last = s->parameters, length = 0;

  for (int shown = 0; shown < STRONGEST; shown++) {
    char one[200];

    /* the next parameter in order of weight */
    last = next_of(s, quantity, limit, last);
    if (last == s->parameters) break;
    limit = weight_of(s, quantity, last);

    const size_t at = omr_sensitivity_at(s, quantity, last);
    const omr_estimate *first = &s->estimates[0][at],
                       *rank = &s->estimates[correlation ? ordering(s, quantity) : 1][at];

    /* an interval that holds 0 is no link; show it only if there is none better */
    const bool noise = correlation && rank->low <= 0 && rank->high >= 0; /* the interval holds 0 */
    if (noise && shown > 0) break;

    int wide = snprintf(one, sizeof one, "%s%s %.2g", shown ? ", " : "", s->info[last].name,
                        correlation ? rank->value : first->value);
    if (s->measure == OMR_MEASURE_SOBOL)
      wide += snprintf(one + wide, sizeof one - (size_t)wide, " (%.2g)", rank->value);
    if (apart) wide += snprintf(one + wide, sizeof one - (size_t)wide, " (linear)");
    if (noise) snprintf(one + wide, sizeof one - (size_t)wide, " (none that differs from 0)");

    /* append it if it fits */
    if (length + strlen(one) > room) break;
    length += (size_t)snprintf(text + length, room + 1 - length, "%s", one);
  }
}

/* Prints "  max_slip          wheel_friction -0.83": the strongest rank correlations of an
 * observable. */
static void print_strongest(const omr_sensitivity *s, size_t quantity, FILE *out) {
  char text[600] = "";
  strongest(s, quantity, sizeof text - 1, text);
  fprintf(out, "  %-28s %s\n", s->info[s->parameters + quantity].name, text);
}

void omr_sensitivity_heading(const omr_sensitivity *s, size_t size, char *text) {
  if (s->measure == OMR_MEASURE_CORRELATION && s->sampled_ok && !s->no_ranks)
    snprintf(text, size,
             "rank correlations of %zu sampled instances, the strongest:", s->sampled_ok);
  else
    snprintf(text, size, "%s",
             s->measure == OMR_MEASURE_SOBOL
                 ? "Sobol' indices, first order (total). Totals overlap: their sum may exceed 1."
             : s->measure == OMR_MEASURE_MORRIS ? "elementary effects, mean size:"
             : s->no_ranks                      ? "linear correlations, the strongest:"
                                                : "rank correlations, the strongest:");
}

void omr_sensitivity_tell(const omr_sensitivity *s, const char *name, size_t room, char *text) {
  text[0] = '\0';
  for (size_t q = 0; q < s->quantities; q++)
    if (strcmp(s->info[s->parameters + q].name, name) == 0 && reason_of(s, q) == OMR_REASON_GIVEN)
      strongest(s, q, room, text);
}

void omr_sensitivity_print_brief(const omr_sensitivity *s, FILE *out) {
  if (s->measure != OMR_MEASURE_CORRELATION) {
    omr_sensitivity_print(s, out);
    return;
  }
  if (s->quantities == 0) return;
  fprintf(
      out,
      "\n  %-28s strongest %s correlations (all of them, with intervals: omniroll analyze -v)\n",
      "observable", s->no_ranks ? "linear" : "rank");
  for (size_t q = 0; q < s->quantities; q++)
    if (reason_of(s, q) == OMR_REASON_GIVEN) print_strongest(s, q, out);
}

void omr_sensitivity_print(const omr_sensitivity *s, FILE *out) {
  if (s->measure == OMR_MEASURE_NONE || s->quantities == 0) return;
  print_head(s, out);
  for (size_t q = 0; q < s->quantities; q++)
    if (reason_of(s, q) == OMR_REASON_GIVEN) print_quantity(s, q, out);
  print_without(s, out);
}

void omr_sensitivity_print_rest(const omr_sensitivity *s, FILE *out) {
  if (s->measure == OMR_MEASURE_CORRELATION) omr_sensitivity_print(s, out);
}
