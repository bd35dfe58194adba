/* Statistics for programs. */
#include "answer.h"
#include "number.h"
#include "outcome.h"
#include "statistics.h"
#include "step_error.h"

#include <math.h>

static void print_numbers(FILE *out, const double *values, size_t count) {
  fputc('[', out);
  for (size_t i = 0; i < count; i++) {
    if (i) fprintf(out, ", ");
    omr_print_number(out, values[i]);
  }
  fputc(']', out);
}

static void print_counts(FILE *out, const uint64_t *counts, size_t count) {
  fputc('[', out);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "%s%llu", i ? ", " : "", (unsigned long long)counts[i]);
  fputc(']', out);
}

static void print_fields(FILE *out, const omr_field *fields, size_t count, const void *structure) {
  for (size_t f = 0; f < count; f++) {
    const void *at = (const char *)structure + fields[f].at;
    if (fields[f].kind == OMR_FIELD_COUNT)
      fprintf(out, "%s\"%s\": %llu", f ? ", " : "", fields[f].info.name,
              (unsigned long long)*(const uint64_t *)at);
    else
      omr_print_member(out, f ? ", " : "", fields[f].info.name, *(const double *)at);
  }
}

static void print_statuses(FILE *out, const uint64_t *counts) {
  fputc('{', out);
  for (int status = 0; status < OMR_INSTANCE_STATUS_COUNT; status++)
    fprintf(out, "%s\"%s\": %llu", status ? ", " : "", omr_instance_status_name(status),
            (unsigned long long)counts[status]);
  fputc('}', out);
}

/* Rows that are kept, and the first instances of each status but ok. */
static void print_failed(const omr_statistics *s, FILE *out) {
  fprintf(out, ",\n  \"kept_rows\": %zu,\n  \"failed_instances\": {", s->kept);
  for (int status = 1; status < OMR_INSTANCE_STATUS_COUNT; status++) {
    size_t count = 0;
    while (count < OMR_FAILED_NUMBERS && s->failed[status][count] != UINT64_MAX) count++;
    fprintf(out, "%s\"%s\": ", status > 1 ? ", " : "", omr_instance_status_name(status));
    print_counts(out, s->failed[status], count);
  }
  fprintf(out, "}");
}

static void print_moments(const omr_statistics *s, const omr_moments *m, const double *quantiles,
                          FILE *out) {
  const omr_moment_numbers numbers = omr_moment_numbers_of(m, s->confidence);
  print_fields(out, omr_moment_fields, OMR_MOMENT_FIELDS, &numbers);
  fprintf(out, ", \"quantiles\": ");
  print_numbers(out, quantiles, s->quantile_count);
}

/* The instances of the extremes, and how far off quantiles from bins can be. */
static void print_unkept(const omr_statistics *s, const omr_quantity *quantity, FILE *out) {
  if (quantity->moments.used)
    fprintf(out, ", \"min_instance\": %llu, \"max_instance\": %llu",
            (unsigned long long)quantity->min_at, (unsigned long long)quantity->max_at);
  fprintf(out, ", \"quantile_errors\": ");
  print_numbers(out, quantity->quantile_errors, s->quantile_count);
}

static void print_quantity(const omr_statistics *s, const omr_quantity *quantity, bool parameter,
                           FILE *out) {
  fprintf(out, "    {\"name\": ");
  omr_print_quoted(out, quantity->name);
  fprintf(out, ", \"unit\": ");
  omr_print_quoted(out, quantity->unit);
  fprintf(out, ", \"role\": \"%s\", ", parameter ? "parameter" : "observable");
  print_moments(s, &quantity->moments, quantity->quantiles, out);
  if (s->no_rows) print_unkept(s, quantity, out);
  if (s->bins) {
    fprintf(out, ", \"histogram\": {\"edges\": ");
    print_numbers(out, quantity->edges, (size_t)s->bins + 1);
    fprintf(out, ", \"counts\": ");
    print_counts(out, quantity->histogram, (size_t)s->bins);
    fputc('}', out);
  }
  fputc('}', out);
}

static void print_counted(const omr_statistics *s, const omr_criterion_counts *c, FILE *out) {
  const omr_share_numbers numbers = omr_share_numbers_of(s, c);
  print_fields(out, omr_share_fields, OMR_SHARE_FIELDS - 2, &numbers);
  omr_print_member(out, ", ", "low", numbers.bounds.low);
  omr_print_member(out, ", ", "high", numbers.bounds.high);
}

static void print_criterion(const omr_statistics *s, const omr_criterion *criterion, FILE *out) {
  fprintf(out, "    {\"name\": ");
  omr_print_quoted(out, criterion->name);
  fprintf(out, ", \"criterion\": ");
  omr_print_quoted(out, criterion->text);
  fprintf(out, ", ");
  print_counted(s, &criterion->counts, out);
  fputc('}', out);
}

static void print_cell(const omr_statistics *s, size_t cell, FILE *out) {
  const omr_cells *c = &s->cells;
  fprintf(out, "    {\"cell\": %zu, \"design\": {", cell);

  /* where the cell lies in the grid */
  for (size_t d = 0; d < c->design_count; d++) {
    if (d) fprintf(out, ", ");
    omr_print_quoted(out, s->quantities[c->design[d]].name);
    fprintf(out, ": ");
    omr_print_number(out, c->values[cell * c->design_count + d]);
  }

  /* how its instances ended */
  fprintf(out, "}, \"instances\": ");
  print_statuses(out, c->by_status + cell * OMR_INSTANCE_STATUS_COUNT);

  /* probabilities of the criteria */
  fprintf(out, ",\n     \"criteria\": {");
  for (size_t i = 0; i < s->criterion_count; i++) {
    if (i) fprintf(out, ", ");
    omr_print_quoted(out, s->criteria[i].name);
    fprintf(out, ": {");
    print_counted(s, &c->criteria[cell * s->criterion_count + i], out);
    fputc('}', out);
  }

  /* moments and quantiles of the quantities */
  fprintf(out, "},\n     \"quantities\": {");
  for (size_t q = 0; q < s->quantity_count; q++) {
    const size_t at = cell * s->quantity_count + q;
    if (q) fprintf(out, ",\n      ");
    omr_print_quoted(out, s->quantities[q].name);
    fprintf(out, ": {");
    print_moments(s, &c->moments[at], c->quantiles + at * s->quantile_count, out);
    fputc('}', out);
  }
  fprintf(out, "}}");
}

bool omr_statistics_print_members(const omr_statistics *statistics, FILE *out) {
  const omr_statistics *s = statistics;

  fprintf(out, "  \"rows\": %zu,\n  \"instances\": ", s->rows);
  print_statuses(out, s->by_status);
  if (s->no_rows) print_failed(s, out);
  fprintf(out, ",\n  \"confidence\": %.17g,\n  \"interval\": \"%s\",\n  \"independence\": ",
          s->confidence, omr_interval_names[s->interval]);
  omr_print_quoted(out, s->independence);
  fprintf(out, ",\n  \"quantile_levels\": ");
  print_numbers(out, s->levels, s->quantile_count);

  /* numbers of every quantity, criterion and cell */
  fprintf(out, ",\n  \"quantities\": [\n");
  for (size_t q = 0; q < s->quantity_count; q++) {
    print_quantity(s, &s->quantities[q], q < s->parameter_count, out);
    fprintf(out, "%s\n", q + 1 < s->quantity_count ? "," : "");
  }

  fprintf(out, "  ],\n  \"criteria\": [\n");
  for (size_t c = 0; c < s->criterion_count; c++) {
    print_criterion(s, &s->criteria[c], out);
    fprintf(out, "%s\n", c + 1 < s->criterion_count ? "," : "");
  }

  fprintf(out, "  ],\n  \"cells\": [\n");
  for (size_t cell = 0; cell < s->cells.count; cell++) {
    print_cell(s, cell, out);
    fprintf(out, "%s\n", cell + 1 < s->cells.count ? "," : "");
  }

  /* sensitivity, step error, answer and outcome are objects of their own */
  fprintf(out, "  ],\n  \"sensitivity\": ");
  if (!s->sensitivity)
    fprintf(out, "{}");
  else if (!omr_sensitivity_print_json(s->sensitivity, out))
    return false;

  fprintf(out, ",\n  \"step_error\": ");
  omr_step_error_print_json(s, out);
  fprintf(out, ",\n  \"answer\": ");
  omr_answer_print_json(s, out);
  fprintf(out, ",\n  \"outcome\": ");
  omr_outcome_print_json(s->outcome, out);
  return true;
}

bool omr_statistics_print_json(const omr_statistics *statistics, FILE *out) {
  fprintf(out, "{\n");
  const bool printed = omr_statistics_print_members(statistics, out);
  fprintf(out, "\n}");
  return printed;
}
