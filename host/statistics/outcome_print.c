/* An outcome for people, in the layout of the summary. */
#include "number.h"
#include "outcome_parts.h"
#include "statistics.h"
#include "wrap.h"

#include <math.h>
#include <string.h>

static void print_unknown(const omr_outcome *o, FILE *out) {
  if (o->failed + o->without_value == 0) return;
  fprintf(out,
          "            %zu of %zu instances had no margin and were left out: %zu failed, %zu gave "
          "the criterion no value\n",
          o->found.unknown, o->found.evaluations, o->failed, o->without_value);
}

static void print_levels(const omr_subset_outcome *found, FILE *out) {
  fprintf(out, "            %5s %10s %8s %14s %12s %11s\n", "level", "instances", "no value",
          "threshold", "probability", "acceptance");
  for (size_t l = 0; l < found->levels; l++) {
    const omr_subset_level *level = &found->level[l];
    fprintf(out, "            %5zu %10zu %8zu %14.6g %12.4g", l, level->evaluations, level->unknown,
            level->threshold, level->probability);
    if (isnan(level->acceptance))
      fprintf(out, " %11s\n", "");
    else
      fprintf(out, " %11.3g\n", level->acceptance);
  }
}

static void print_rare(const omr_outcome *o, FILE *out) {
  const omr_subset_outcome *found = &o->found;
  fprintf(out, "\n  rare      probability of %s, by subset simulation\n", o->quantity);

  /* the estimate and its interval */
  if (found->failures)
    fprintf(out, "            %.4g, ", found->probability);
  else
    fprintf(out, "            no failure was found, ");
  if (isfinite(found->variation)) fprintf(out, "coefficient of variation %.3g, ", found->variation);
  fprintf(out, "%g %% interval %.4g to %.4g\n", 100 * o->confidence, found->low, found->high);

  /* say how far a simulation came that ended early */
  if (found->end != OMR_SUBSET_REACHED) {
    double reached = 1;
    for (size_t l = 0; l + 1 < found->levels; l++) reached *= found->level[l].probability;
    fprintf(out, "            it ended early: %s\n", omr_subset_ends[found->end]);
    if (found->levels > 1)
      fprintf(out,
              "            the margin is above %.6g with probability %.4g; beyond that nothing is "
              "known\n",
              found->level[found->levels - 2].threshold, reached);
  }

  print_unknown(o, out);
  print_levels(found, out);

  fprintf(out,
          "            tables are of the %zu instances of level 0, which are a sample of the "
          "distributions; later ones are\n"
          "            drawn towards failure\n",
          o->settings.points < o->rows ? o->settings.points : o->rows);
}

static const char *reason_words(const omr_outcome *o) {
  if (o->reached) return "ended by the interval's width";
  return o->rows >= o->budget ? "all instances were run, the interval is wider than asked for"
                              : "ended by wall_time";
}

static void print_stop(const omr_outcome *o, FILE *out) {
  const double width = o->bounds.high - o->bounds.low;
  fprintf(out, "\n  stop      %s\n", o->quantity);
  const char *unit = strcmp(o->unit, "1") == 0 ? "" : o->unit, *space = *unit ? " " : "";
  fprintf(out, "            %.6g%s%s, %g %% interval %.6g to %.6g from %llu instances\n",
          o->estimate, space, unit, 100 * o->confidence, o->bounds.low, o->bounds.high,
          (unsigned long long)o->used);
  fprintf(out, "            %s after %zu of %zu instances and %zu looks; ", reason_words(o),
          o->rows, o->budget, o->looks);
  if (o->asked.relative)
    fprintf(out, "%.4g of the estimate wide, %.4g asked for\n", width / fabs(o->estimate),
            o->asked.width);
  else
    fprintf(out, "%.4g%s%s wide, %.4g asked for\n", width, space, unit, o->asked.width);
}

void omr_outcome_print(const omr_outcome *outcome, FILE *out) {
  if (!outcome) return;
  if (outcome->rare)
    print_rare(outcome, out);
  else
    print_stop(outcome, out);
}

/* THE SHORT FORM */

static void tell(omr_text *to, const char *format, ...) OMR_PRINTF(2, 3);
static void tell(omr_text *to, const char *format, ...) {
  char text[1000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  omr_wrap(to, &(omr_wrapping){"", 2, 80, 2}, text);
}

static void tell_rare(const omr_outcome *o, omr_text *to) {
  const omr_subset_outcome *found = &o->found;
  tell(to, "probability of %s, by subset simulation:", o->quantity);
  char value[32] = "no failure was found", variation[64] = "";
  if (found->failures) snprintf(value, sizeof value, "%.3g", found->probability);
  if (isfinite(found->variation))
    snprintf(variation, sizeof variation, ", coefficient of variation %.2g", found->variation);
  tell(to, "%s, %g %% interval %.3g to %.3g%s", value, 100 * o->confidence, found->low, found->high,
       variation);
  tell(to, "%zu instances in %zu level%s", found->evaluations, found->levels,
       found->levels == 1 ? "" : "s");
  if (found->end != OMR_SUBSET_REACHED)
    tell(to, "it ended early, so that nothing is known beyond: %s", omr_subset_ends[found->end]);
  if (o->failed + o->without_value)
    tell(to, "left out, since they have no margin: %zu that failed, %zu without a value", o->failed,
         o->without_value);
}

static void tell_stop(const omr_outcome *o, omr_text *to) {
  const bool pure = strcmp(o->unit, "1") == 0;
  char value[32], interval[72];
  omr_number_print(value, sizeof value, o->estimate, omr_half_of(o->bounds));
  omr_interval_print(interval, sizeof interval, o->bounds);
  tell(to, "%s: %s%s%s, %g %% interval %s", o->quantity, value, pure ? "" : " ",
       pure ? "" : o->unit, 100 * o->confidence, interval);
  tell(to, "%s after %zu of %zu instances", reason_words(o), o->rows, o->budget);
}

void omr_outcome_tell(const omr_outcome *outcome, omr_text *to) {
  if (!outcome) return;
  if (outcome->rare)
    tell_rare(outcome, to);
  else
    tell_stop(outcome, to);
}

bool omr_outcome_is_rare(const omr_outcome *outcome) {
  return outcome && outcome->rare;
}

static void json_rare(const omr_subset_outcome *found, FILE *out) {
  omr_print_member(out, "", "probability", found->probability);
  omr_print_member(out, ", ", "probability_low", found->low);
  omr_print_member(out, ", ", "probability_high", found->high);
  omr_print_member(out, ", ", "coefficient_of_variation", found->variation);
  fprintf(out, ", \"reached\": %s, \"instances\": %zu, \"without_margin\": %zu, \"levels\": [",
          found->end == OMR_SUBSET_REACHED ? "true" : "false", found->evaluations, found->unknown);
  for (size_t l = 0; l < found->levels; l++) {
    const omr_subset_level *level = &found->level[l];
    omr_print_member(out, l ? ", {" : "{", "threshold", level->threshold);
    omr_print_member(out, ", ", "conditional_probability", level->probability);
    omr_print_member(out, ", ", "acceptance", level->acceptance);
    fprintf(out, ", \"instances\": %zu, \"without_margin\": %zu}", level->evaluations,
            level->unknown);
  }
  fputc(']', out);
}

static void json_stop(const omr_outcome *o, FILE *out) {
  omr_print_member(out, "", "estimate", o->estimate);
  omr_print_member(out, ", ", "low", o->bounds.low);
  omr_print_member(out, ", ", "high", o->bounds.high);
  fprintf(out,
          ", \"ended_by\": \"%s\", \"instances\": %zu, \"most_instances\": %zu, \"looks\": %zu",
          omr_outcome_reason(o), o->rows, o->budget, o->looks);
}

void omr_outcome_print_json(const omr_outcome *outcome, FILE *out) {
  if (!outcome) {
    fprintf(out, "null");
    return;
  }
  fprintf(out, "{\"%s\": {", outcome->rare ? "subset" : "stop");
  if (outcome->rare)
    json_rare(&outcome->found, out);
  else
    json_stop(outcome, out);
  fprintf(out, "}}");
}
