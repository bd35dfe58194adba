/* Statistics for people. */
#include "number.h"
#include "outcome.h"
#include "statistics.h"
#include "step_error.h"

#include <math.h>

enum { MOST_CELLS = 32, MOST_CRITERIA = 5, WIDTH = 12, SHARE = 26 };

static void print_parameters(const omr_statistics *s, FILE *out) {
  if (s->parameter_count == 0) return;
  fprintf(out, "\n  %-28s %-10s %12s %12s\n", "varied parameter", "unit", "min", "max");
  for (size_t q = 0; q < s->parameter_count; q++)
    fprintf(out, "  %-28s %-10s %12.5g %12.5g\n", s->quantities[q].name, s->quantities[q].unit,
            s->quantities[q].least, s->quantities[q].most);
}

static void print_observable(const omr_quantity *quantity, uint64_t ok, FILE *out) {
  const omr_moments *m = &quantity->moments;
  if (m->used == 0) {
    fprintf(out, "  %-28s %-10s %12s\n", quantity->name, quantity->unit, "no value");
    return;
  }
  fprintf(out, "  %-28s %-10s %12.5g %12.5g %12.5g %12.4g", quantity->name, quantity->unit, m->min,
          m->mean, m->max, m->used > 1 ? omr_deviation_of(m) : 0.0);
  if (m->used < ok) fprintf(out, "  of %llu with a value", (unsigned long long)m->used);
  fputc('\n', out);
}

static void print_observables(const omr_statistics *s, FILE *out) {
  const uint64_t ok = s->by_status[OMR_INSTANCE_OK];
  if (ok == 0) {
    fprintf(out, "\n  No instance reached the end: there are no observables to sum up.\n");
    return;
  }
  fprintf(out, "\n  %-28s %-10s %12s %12s %12s %12s\n", "observable", "unit", "min", "mean", "max",
          "std dev");
  for (size_t q = s->parameter_count; q < s->quantity_count; q++)
    print_observable(&s->quantities[q], ok, out);
  fprintf(out, "  of %llu ok instances%s\n", (unsigned long long)ok,
          ok < s->rows ? "; failed ones are left out" : "");
}

/* The instances to run again where no row is kept. */
static void print_extremes(const omr_statistics *s, FILE *out) {
  if (!s->no_rows || s->by_status[OMR_INSTANCE_OK] == 0) return;
  fprintf(out, "\n  %-28s %20s %20s\n", "extreme", "smallest in instance", "largest in instance");
  for (size_t q = s->parameter_count; q < s->quantity_count; q++) {
    const omr_quantity *quantity = &s->quantities[q];
    if (quantity->moments.used == 0) continue;
    fprintf(out, "  %-28s %20llu %20llu\n", quantity->name, (unsigned long long)quantity->min_at,
            (unsigned long long)quantity->max_at);
  }
  fprintf(out, "  run one again with its row and its trajectory: omniroll run STUDY --instance K "
               "--trace \"5 ms\"\n");
}

static void print_criterion(const omr_statistics *s, const omr_criterion *criterion, FILE *out) {
  const omr_criterion_counts *c = &criterion->counts;
  const uint64_t of = c->met + c->not_met;
  const omr_bounds bounds = omr_probability_bounds(s->interval, c->met, of, s->confidence);
  fprintf(out, "  %-28s %10llu %10llu", criterion->name, (unsigned long long)c->met,
          (unsigned long long)of);
  if (of == 0)
    fprintf(out, " %12s", "no value");
  else
    fprintf(out, " %12.4g %12.4g %12.4g", omr_probability_of(c), bounds.low, bounds.high);
  if (c->unknown) fprintf(out, "  %llu unknown", (unsigned long long)c->unknown);
  if (c->left_out) fprintf(out, "  %llu failed left out", (unsigned long long)c->left_out);
  fputc('\n', out);
}

/* Of cells each has its own; a share of all of them together would answer nothing. */
static void print_criteria(const omr_statistics *s, FILE *out) {
  if (s->criterion_count == 0 || s->cells.count > 1) return;
  char heading[64];
  snprintf(heading, sizeof heading, "%.6g %% interval", 100 * s->confidence);
  fprintf(out, "\n  %-28s %10s %10s %12s %25s\n", "criterion", "met by", "of", "probability",
          heading);
  for (size_t c = 0; c < s->criterion_count; c++) print_criterion(s, &s->criteria[c], out);
  if (s->independence[0]) fprintf(out, "  %s\n", s->independence);
}

static void print_cell(const omr_statistics *s, size_t cell, FILE *out) {
  const omr_cells *c = &s->cells;
  fprintf(out, "  %6zu", cell);
  for (size_t d = 0; d < c->design_count; d++)
    fprintf(out, " %*.6g", 2 * WIDTH, c->values[cell * c->design_count + d]);
  fprintf(out, " %*llu", WIDTH,
          (unsigned long long)c->by_status[cell * OMR_INSTANCE_STATUS_COUNT + OMR_INSTANCE_OK]);
  for (size_t i = 0; i < s->criterion_count && i < MOST_CRITERIA; i++) {
    const omr_criterion_counts *counts = &c->criteria[cell * s->criterion_count + i];
    const omr_bounds bounds = omr_probability_bounds(s->interval, counts->met,
                                                     counts->met + counts->not_met, s->confidence);
    char value[32], interval[72], text[112];
    omr_number_print(value, sizeof value, omr_probability_of(counts), omr_half_of(bounds));
    omr_interval_print(interval, sizeof interval, bounds);
    snprintf(text, sizeof text, *interval ? "%s (%s)" : "%s", value, interval);
    fprintf(out, " %*s", SHARE, text);
  }
  fputc('\n', out);
}

/* Prints a table of cells if criteria tell them apart. */
static void print_cells(const omr_statistics *s, FILE *out) {
  const omr_cells *c = &s->cells;
  if (c->refused)
    fprintf(out, "\n  The %zu cells of the design are too many for statistics of each.\n",
            c->refused);
  if (c->count == 0) return;

  /* too many cells, or none to tell apart: point to the file */
  if (c->count > MOST_CELLS || s->criterion_count == 0) {
    fprintf(out,
            "\n  The %zu cells of the design have the same statistics each, in the file: "
            "/statistics/cell_*\n",
            c->count);
    return;
  }

  /* headings: parameters of the grid, ok instances, criteria */
  fprintf(out, "\n  %6s", "cell");
  for (size_t d = 0; d < c->design_count; d++)
    fprintf(out, " %*.*s", 2 * WIDTH, 2 * WIDTH, s->quantities[c->design[d]].name);
  fprintf(out, " %*s", WIDTH, "ok");
  for (size_t i = 0; i < s->criterion_count && i < MOST_CRITERIA; i++)
    fprintf(out, " %*.*s", SHARE, SHARE, s->criteria[i].name);
  fputc('\n', out);

  for (size_t cell = 0; cell < c->count; cell++) print_cell(s, cell, out);
  fprintf(
      out,
      "  probability of each criterion (%.6g %% interval); means and spread of each cell in the "
      "file: /statistics/cell_*\n",
      100 * s->confidence);
  if (s->independence[0]) fprintf(out, "  %s\n", s->independence);

  /* a criterion that looks at instances that failed has none left out */
  for (size_t i = 0; i < s->criterion_count; i++)
    if (s->criteria[i].counts.left_out)
      fprintf(out, "  %s: %llu failed left out\n", s->criteria[i].name,
              (unsigned long long)s->criteria[i].counts.left_out);
}

void omr_statistics_print(const omr_statistics *statistics, FILE *out) {
  print_parameters(statistics, out);
  print_observables(statistics, out);
  print_extremes(statistics, out);
  print_criteria(statistics, out);
  omr_step_error_print(statistics, out);
  print_cells(statistics, out);
  if (statistics->sensitivity) omr_sensitivity_print_brief(statistics->sensitivity, out);
  omr_outcome_print(statistics->outcome, out);
}

/* True for an error that shows in the digits of %.5g. */
static bool exceeds_digits(double error, double value) {
  return error > 0 && (value == 0 || error > 0.5 * pow(10, floor(log10(fabs(value))) - 4));
}

static void print_spread(const omr_statistics *s, const omr_quantity *quantity, FILE *out) {
  if (quantity->moments.used == 0) {
    fprintf(out, "  %-28s %-10s %12s\n", quantity->name, quantity->unit, "no value");
    return;
  }
  const omr_bounds bounds = omr_mean_bounds(&quantity->moments, s->confidence);
  fprintf(out, "  %-28s %-10s", quantity->name, quantity->unit);
  if (quantity->moments.used > 1)
    fprintf(out, " %12.5g %12.5g", bounds.low, bounds.high);
  else
    fprintf(out, " %12s %12s", "-", "-");
  for (size_t l = 0; l < s->quantile_count; l++) fprintf(out, " %12.5g", quantity->quantiles[l]);
  fputc('\n', out);
}

/* Quantiles of rows that are not kept come from bins. Prints how far off they can be below those
 * that are not good to the digits that are shown. */
static bool print_quantile_errors(const omr_statistics *s, const omr_quantity *quantity,
                                  FILE *out) {
  size_t count = 0; /* up to the last that is seen */
  for (size_t l = 0; l < s->quantile_count; l++)
    if (exceeds_digits(quantity->quantile_errors[l], quantity->quantiles[l])) count = l + 1;
  if (count == 0) return false;
  fprintf(out, "  %-28s %-10s %25s", "", "", "quantiles +-");
  for (size_t l = 0; l < count; l++) {
    const double error = quantity->quantile_errors[l];
    if (exceeds_digits(error, quantity->quantiles[l]))
      fprintf(out, " %12.2g", error);
    else
      fprintf(out, " %12s", "");
  }
  fputc('\n', out);
  return true;
}

void omr_statistics_print_quantiles(const omr_statistics *statistics, FILE *out) {
  const omr_statistics *s = statistics;
  if (s->by_status[OMR_INSTANCE_OK] == 0) return;
  char heading[64];
  snprintf(heading, sizeof heading, "mean, %.6g %% interval", 100 * s->confidence);
  fprintf(out, "\n  %-28s %-10s %25s", "quantity", "unit", heading);
  for (size_t l = 0; l < s->quantile_count; l++) {
    snprintf(heading, sizeof heading, "%.6g %%", 100 * s->levels[l]);
    fprintf(out, " %12s", heading);
  }
  fputc('\n', out);
  bool some = false;
  for (size_t q = 0; q < s->quantity_count; q++) {
    print_spread(s, &s->quantities[q], out);
    if (s->no_rows && s->quantities[q].moments.used)
      some |= print_quantile_errors(s, &s->quantities[q], out);
  }
  if (some)
    fprintf(out, "  +-: how far off a quantile can be, as those of rows that are not kept come "
                 "from bins\n");
  if (s->sensitivity) omr_sensitivity_print_rest(s->sensitivity, out);
}
