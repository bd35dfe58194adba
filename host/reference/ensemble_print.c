/* Output of `omniroll reference`. */
#include "ensemble.h"

#include <math.h>

static void print_drift(const omr_reference_run *run, FILE *out) {
  fprintf(out, "\n  %-28s %6s  %-28s %14s %14s\n", "constraints", "number", "worst", "position",
          "velocity");
  for (int d = 0; d < run->drift_count; d++) {
    const omr_reference_drift *drift = &run->drift[d];
    fprintf(out, "  %-28s %6d  %-28s %14.3e %14.3e\n", drift->kind, drift->count, drift->worst,
            drift->position, drift->velocity);
  }
  fprintf(out, "  %-28s %6s  %-28s %14s %14s\n", "", "", "", "m or rad", "m/s or rad/s");
}

size_t omr_last_sample(const omr_result *result, size_t row) {
  const double *first =
      result->small_sample_count ? result->small_samples[0] : result->vehicle_samples[OMR_VS_X];
  size_t s = result->sample_count;
  while (s > 1 && isnan(first[row * result->sample_count + s - 1])) s--;
  return s - 1;
}

void omr_final_states(const omr_result *result, size_t row, omr_take_state *take, void *to) {
  const size_t at = row * result->sample_count + omr_last_sample(result, row),
               states = (size_t)result->small_sample_count + OMR_VS_COUNT + OMR_WS_COUNT;
  for (size_t i = 0; i < states; i++) {
    const omr_series series = omr_result_series(result, i);
    const size_t count = series.over_wheels ? (size_t)result->wheels : 1;
    const double *last = *series.values ? *series.values + at * count : NULL;
    size_t k = 0;
    while (last && k < count && isnan(last[k])) k++;
    if (last && k < count) take(to, series.info, last, count);
  }
}

/* One value for each wheel, "-" where a wheel has none. */
static void print_state(void *to, omr_sample_info info, const double *values, size_t count) {
  fprintf(to, "  %-20s", info.name);
  for (size_t i = 0; i < count; i++) {
    fprintf(to, "%s", i && i % 5 == 0 ? "\n                      " : " ");
    if (isnan(values[i]))
      fprintf(to, "%16s", "-");
    else
      fprintf(to, "%16.9g", values[i]);
  }
  fprintf(to, "  %s\n", info.unit);
}

static void print_observables(const omr_result *result, size_t row, FILE *out) {
  fprintf(out, "\n  %-28s %16s  %s\n", "observable", "value", "unit");
  for (size_t j = result->parameter_count; j < result->column_count; j++)
    if (isfinite(result->columns[j].values[row]))
      fprintf(out, "  %-28s %16.9g  %s\n", result->columns[j].name, result->columns[j].values[row],
              result->columns[j].unit);
}

static void print_instance(const omr_part *part, const omr_ensemble *e, size_t row, FILE *out) {
  const omr_reference_run *run = &e->runs[row];

  fprintf(out, "\ninstance %zu: ", omr_part_row(part, row));
  if (!run->times) {
    fprintf(out, "not run, its values make no machine\n");
    return;
  }

  /* size of the system and work of the integration */
  fprintf(out, "%s at %.9g s\n", omr_instance_status_name(run->status), run->end);
  fprintf(out,
          "  system     %d bodies, %d states, %d constraints with %d conditions, %d of them "
          "redundant\n",
          run->bodies, run->states, run->constraints, run->rows, run->redundant);
  fprintf(out, "  work       %ld steps, %ld evaluations, %ld events, %ld restarts\n",
          run->counts.steps, run->counts.evaluations, run->counts.events, run->counts.restarts);
  fprintf(out, "  time       %.4g s, %.4g s per simulated second\n", e->seconds[row],
          e->seconds[row] / run->end);

  /* drift, state at the end and observables */
  if (run->notes) fputs(run->notes, out);
  print_drift(run, out);
  fprintf(out, "\n  state at %.9g s%s\n", e->result->sample_time[omr_last_sample(e->result, row)],
          e->result->wheels > 1 ? ", wheel by wheel" : "");
  omr_final_states(e->result, row, print_state, out);
  print_observables(e->result, row, out);
}

void omr_ensemble_print(const omr_part *part, const omr_ensemble *e, FILE *out) {
  const omr_study *study = part->study;
  fprintf(out, "%s\n", study->title && study->title[0] ? study->title : study->name);
  fprintf(out, "  reference  multibody system in maximal coordinates, %g s, %zu samples\n",
          study->time.duration, e->result->sample_count);
  if (e->result->first_invalid[0]) fprintf(out, "  invalid    %s\n", e->result->first_invalid);
  for (size_t row = 0; row < e->count; row++) print_instance(part, e, row, out);
}
