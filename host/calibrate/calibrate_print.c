/* A calibration as a table, and its points as a file. */
#include "calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_parameters(const omr_calibrate *c, FILE *out) {
  fprintf(out, "\n  %-28s %-8s %12s %12s %12s %12s %10s\n", "parameter", "unit", "mean",
          "deviation", "2.5 %", "97.5 %", "of prior");

  for (size_t k = 0; k < calibrate_rows(c); k++) {
    const calibrate_row row = calibrate_row_of(c, k);
    if (row.parameter || row.sensed)
      fprintf(out, "  %-28s %-8s %12.6g %12.3g %12.6g %12.6g %9.0f%%\n", row.name, row.unit,
              row.m.mean, row.m.deviation, row.m.low, row.m.high, 100 * row.left);
  }
}

/* Unknowns that the table of parameters lacks: values of single runs, in deviations of the prior,
 * and factors of unknown noise. */
static void print_others(const omr_calibrate *c, FILE *out) {
  if (c->size.dimensions > c->layout.drawn + c->layout.sensors)
    fprintf(out, "\n  %-40s %12s %12s\n", "besides", "mean", "deviation");
  for (size_t k = c->study->variation_count; k < calibrate_rows(c); k++) {
    const calibrate_row row = calibrate_row_of(c, k);
    const double spread = OMR_NOISE_SPREAD, factor = exp(spread * row.m.mean);
    if (row.noise)
      fprintf(out, "  %-40s %12.3g %12.3g  times the stated one\n", row.name, factor,
              factor * spread * row.m.deviation);
    else if (!row.sensed)
      fprintf(out, "  %-40s %12.3g %12.3g  deviations of its prior\n", row.name, row.m.mean,
              row.m.deviation);
  }
}

static void print_identified(const omr_calibrate *c, FILE *out) {
  const size_t d = omr_coordinates_of_model(&c->layout);
  size_t unknown = 0;
  for (size_t k = 0; k < d; k++) unknown += c->singular[k] < 1;
  if (unknown)
    fprintf(out,
            "\n  of these combinations the data say less than was known before (%zu of %zu; "
            "share of the deviation left):\n",
            unknown, d);
  for (size_t k = 0; k < unknown; k++) {
    const double s = c->singular[k];
    char *told = calibrate_direction_told(c, k);
    fprintf(out, "    %3.0f %%  %s\n", 100 / sqrt(1 + s * s), told ? told : "");
    free(told);
  }
}

/* The heaviest first. */
static void print_findings(const omr_calibrate *c, FILE *out) {
  static const char *const marks[] = {
      [OMR_WEIGHS_NOTHING] = " ", [OMR_WEIGHS_DOUBT] = "?", [OMR_WEIGHS_AGAINST] = "!"};
  fprintf(out, "verdict: %s\n", calibrate_verdict_word(c));
  for (int weight = OMR_WEIGHS_AGAINST; weight >= OMR_WEIGHS_NOTHING; weight--)
    for (size_t f = 0; f < c->findings; f++)
      if ((int)c->finding[f].weight == weight)
        fprintf(out, "  %s %s\n", marks[weight], c->finding[f].text);
}

static bool end_inside(const omr_calibrate_error *e) {
  return e->end_place > 0.05 && e->end_place < 0.95;
}

static void print_errors(const omr_calibrate *c, FILE *out) {
  const omr_measured *measured = &c->study->measured;
  int wide = (int)strlen("sample");
  for (size_t s = 0; s < measured->samples; s++)
    wide = (int)fmax(wide, (double)strlen(measured->sample[s].name));
  fprintf(out, "\n  %-32s %-8s %-*s %-6s %12s %12s %12s %12s %8s %8s\n", "run", "use", wide,
          "sample", "unit", "prior rms", "rms", "of the mean", "at the end", "in 90 %", "end in");
  for (size_t i = 0; i < c->errors; i++) {
    const omr_calibrate_error *e = &c->error[i];
    const omr_measured_run *run = &measured->run[e->run];
    fprintf(out, "  %-32s %-8s %-*s %-6s %12.4g %12.4g %12.4g %12.4g %6.0f %% %8s\n", run->file,
            run->held_out ? "predict" : "fit", wide, calibrate_sample_name(c, e->sample),
            calibrate_sample_unit(c, e->sample), e->before, e->after, e->mean_after, e->end,
            100 * e->inside, end_inside(e) ? "yes" : "no");
  }
}

static void print_work(const omr_calibrate *c, FILE *out) {
  fprintf(out, "  ensemble   %zu members, %zu steps, %zu numbers compared every %.9g s\n",
          c->study->calibrate.members, c->steps, c->size.data, c->study->measured.interval);
  fprintf(out, "  prior      data are %.3g times as far off as it allows (%.2g by chance)\n",
          sqrt(c->prior_distance), c->prior_predicts);
  if (c->checked_only) return;
  fprintf(out, "  misfit    ");
  for (size_t s = 0; s < c->steps; s++) fprintf(out, " %.3g", c->step[s].misfit);
  fprintf(out, " (half a mean square; 0.5 where the noise explains what is left)\n");
  calibrate_mode_print_work(c, out);
  if (c->stages == 0) return;
  const omr_tempering_stage *last = &c->stage[c->stages - 1];
  fprintf(out,
          "  posterior  %zu points, %zu temperatures, moves taken %.0f %% of the time, "
          "correlation left %.2f; log evidence %.5g\n",
          c->size.members, c->stages, 100 * last->acceptance, last->remembered, c->evidence);
}

void omr_calibrate_print(const omr_calibrate *c, FILE *out) {
  fprintf(out, "%s of %s: %zu unknowns, %zu measured runs to fit, %zu to predict\n",
          c->checked_only ? "check" : "calibration", c->study->name, c->size.dimensions,
          c->fitted.runs, c->held_out.runs);
  print_findings(c, out);
  if (!c->checked_only) {
    print_parameters(c, out);
    print_others(c, out);
    calibrate_mode_print(c, out);
  }
  print_identified(c, out);
  if (!c->checked_only) print_errors(c, out);
  fputc('\n', out);
  print_work(c, out);
}

omr_status omr_calibrate_verdict(const omr_calibrate *c, omr_error *error) {
  if (calibrate_verdict(c) != OMR_WEIGHS_AGAINST) return OMR_OK;
  for (size_t f = 0; f < c->findings; f++)
    if (c->finding[f].weight == OMR_WEIGHS_AGAINST)
      return omr_fail(error, OMR_ERR_NEGATIVE, "%s: %s", c->study->name, c->finding[f].text);
  return OMR_OK;
}

static omr_status write_csv(const omr_calibrate *c, const char *path, omr_error *error) {
  omr_output *output;
  const omr_status status = omr_output_open(path, &output, error);
  if (status != OMR_OK) return status;
  FILE *file = omr_output_stream(output);
  for (size_t v = 0; v < c->study->variation_count; v++)
    fprintf(file, "%s%s [%s]", v ? "," : "", c->study->variations[v].path,
            calibrate_unit_of(&c->study->variations[v]));
  fputc('\n', file);
  for (size_t j = 0; j < c->size.members; j++)
    for (size_t v = 0; v < c->study->variation_count; v++)
      fprintf(file, "%.17g%c", c->values[j * c->study->variation_count + v],
              v + 1 < c->study->variation_count ? ',' : '\n');
  return omr_output_finish(output, error);
}

omr_status omr_calibrate_write(const omr_calibrate *c, const char *path, omr_error *error) {
  const size_t length = strlen(path);
  const bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
  const omr_status status = c->stopped ? omr_calibrate_verdict(c, error)
                                       : (csv ? write_csv : calibrate_write_file)(c, path, error);
  if (status == OMR_OK || c->stopped) calibrate_journal_remove(c->journal);
  return status;
}
