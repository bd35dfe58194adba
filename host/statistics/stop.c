#include "stop.h"

#include <math.h>

static const omr_stop_settings *settings_of(const omr_stop *stop) {
  return &stop->study->statistics.stop;
}

omr_status omr_stop_make(const omr_study *study, omr_stop *stop, omr_error *error) {
  *stop = (omr_stop){.study = study, .next = study->statistics.stop.at_least};
  stop->estimate = stop->bounds.low = stop->bounds.high = (double)NAN;
  return study->statistics.stop.of_criterion
             ? omr_margin_make(study, study->statistics.stop.index, &stop->margin, error)
             : OMR_OK;
}

void omr_stop_free(omr_stop *stop) {
  omr_margin_free(&stop->margin);
}

void omr_stop_add(omr_stop *stop, double *values, int status) {
  const omr_stop_settings *settings = settings_of(stop);
  stop->rows++;
  if (settings->of_criterion) {
    const int truth = omr_margin_truth(&stop->margin, values, status);
    stop->used += truth >= 0;
    stop->met += truth == 1;
  } else if (status == OMR_INSTANCE_OK && isfinite(values[settings->index])) {
    stop->used++;
    omr_sums_add(&stop->sums, values[settings->index]);
  }
}

void omr_stop_estimate(omr_stop *stop) {
  const omr_statistics_settings *settings = &stop->study->statistics;
  const double n = (double)stop->used;
  stop->estimate = stop->bounds.low = stop->bounds.high = (double)NAN;
  if (settings->stop.of_criterion) {
    stop->bounds =
        omr_probability_bounds(settings->interval, stop->met, stop->used, settings->confidence);
    if (stop->used) stop->estimate = (double)stop->met / n;
  } else if (stop->used > 1) {
    const double half =
        omr_student_quantile(n - 1, settings->confidence) * sqrt(stop->sums.squares / (n - 1) / n);
    stop->estimate = stop->sums.mean;
    stop->bounds = (omr_bounds){stop->sums.mean - half, stop->sums.mean + half};
  }
}

static bool is_narrow(const omr_stop *stop) {
  const omr_stop_settings *settings = settings_of(stop);
  const double width = stop->bounds.high - stop->bounds.low;
  return width <= settings->width * (settings->relative ? fabs(stop->estimate) : 1) &&
         (!settings->relative || stop->estimate != 0);
}

bool omr_stop_look(omr_stop *stop) {
  if (stop->rows < stop->next) return false;
  stop->looks++;
  stop->next = stop->rows + (stop->rows + 9) / 10;
  omr_stop_estimate(stop);
  stop->reached = is_narrow(stop);
  return stop->reached;
}

size_t omr_stop_budget(const omr_study *study) {
  const size_t rows = study->instances, budget = study->statistics.stop.instances;
  return budget && budget < rows ? budget : rows;
}
