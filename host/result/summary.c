#include "result.h"

#include <math.h>
#include <string.h>

#define WIDTH 100
#define INDENT 12

typedef struct moments {
  size_t count;
  double min, max, mean, deviation;
} moments;

/* Of the finite values of instances with the given status; any status where `status` is negative. */
static bool counts(const omr_result *result, const double *values, size_t k, int status) {
  return isfinite(values[k]) && (status < 0 || result->status[k] == status);
}

static double deviation_of(const omr_result *result, const double *values, int status, const moments *m) {
  double sum = 0;
  for (size_t k = 0; k < result->instances; k++)
    if (counts(result, values, k, status)) sum += (values[k] - m->mean) * (values[k] - m->mean);
  return m->count > 1 ? sqrt(sum / (double)(m->count - 1)) : 0.0;
}

static moments moments_of(const omr_result *result, const double *values, int status) {
  moments m = {0, HUGE_VAL, -HUGE_VAL, 0, 0};
  for (size_t k = 0; k < result->instances; k++) {
    if (!counts(result, values, k, status)) continue;
    m.count++;
    m.mean += (values[k] - m.mean) / (double)m.count; /* cannot overflow where the values do not */
    m.min = fmin(m.min, values[k]);
    m.max = fmax(m.max, values[k]);
  }
  m.deviation = deviation_of(result, values, status, &m);
  return m;
}

static size_t count_status(const omr_result *result, int status, double *earliest) {
  size_t count = 0;
  *earliest = HUGE_VAL;
  for (size_t k = 0; k < result->instances; k++) {
    if (result->status[k] != status) continue;
    count++;
    *earliest = fmin(*earliest, result->status_time[k]);
  }
  return count;
}

static size_t words_that_fit(const char *text, size_t room) {
  size_t length = strlen(text);
  if (length <= room) return length;
  size_t end = room;
  while (end > 0 && text[end] != ' ') end--;
  return end > 0 ? end : length;
}

/* "  label     text ...", the text broken between words and indented. */
static void line(FILE *out, const char *label, const char *text) {
  fprintf(out, "  %-*s", INDENT - 2, label);
  for (size_t end; *text; text += end) {
    end = words_that_fit(text, WIDTH - INDENT);
    fprintf(out, "%.*s\n", (int)end, text);
    while (text[end] == ' ') end++;
    if (text[end]) fprintf(out, "%*s", INDENT, "");
  }
}

static void print_failures(const omr_result *result, FILE *out) {
  for (int status = 1; status < OMR_INSTANCE_STATUS_COUNT; status++) {
    double earliest;
    size_t count = count_status(result, status, &earliest);
    if (count == 0) continue;
    fprintf(out, "%*s%-20s%10zu  %6.3g %%", INDENT, "", omr_instance_status_name(status), count,
            100.0 * (double)count / (double)result->instances);
    if (status != OMR_INSTANCE_INVALID) fprintf(out, ", earliest at %.4g s", earliest);
    fputc('\n', out);
  }
  if (result->first_invalid[0]) line(out, "", result->first_invalid);
}

static void print_retries(const omr_result *result, FILE *out) {
  char text[128];
  if (!result->retries || !(result->record.retried > 0)) return;
  snprintf(text, sizeof text, "%.0f run again with half the step, of which %.0f then reached the end", result->record.retried,
           result->record.recovered);
  line(out, "retries", text);
}

static void print_counts(const omr_result *result, size_t ok, FILE *out) {
  char text[128];
  size_t failed = result->instances - ok;
  const char *where = result->instances == 1 ? " (the values below are those at its end)"
                                             : " (left out of the table; the group failures of the file has their last states)";
  snprintf(text, sizeof text, "%zu: %zu ok, %zu failed%s", result->instances, ok, failed, failed ? where : "");
  line(out, "instances", text);
  print_failures(result, out);
  print_retries(result, out);
}

static void print_run(const omr_result *result, FILE *out) {
  const omr_run_record *run = &result->record;
  char text[512];
  snprintf(text, sizeof text, "%s, %s; precision %s", run->backend, run->device, run->precision);
  line(out, "backend", text);
  snprintf(text, sizeof text, "%.4g instance-steps of %.4g s over %.6g s", run->instance_steps, result->step, result->duration);
  line(out, "steps", text);
  snprintf(text, sizeof text, "wall %.4g s: build %.3g, prepare %.3g, transfer %.3g, kernels %.4g", run->wall_seconds,
           run->build_seconds, run->prepare_seconds, run->transfer_seconds, run->kernel_seconds);
  line(out, "time", text);
  if (run->kernel_seconds > 0) {
    snprintf(text, sizeof text, "%.4g instance-steps per second in the kernels", run->instance_steps / run->kernel_seconds);
    line(out, "speed", text);
  }
}

static void print_single(const omr_result *result, FILE *out) {
  fprintf(out, "\n  %-28s %14s  %s\n", "quantity", "value", "unit");
  for (size_t c = 0; c < result->column_count; c++) {
    const omr_column *column = &result->columns[c];
    if (isnan(column->values[0]))
      fprintf(out, "  %-28s %14s\n", column->name, "no value");
    else
      fprintf(out, "  %-28s %14.6g  %s\n", column->name, column->values[0], column->unit);
  }
}

static void print_parameters(const omr_result *result, FILE *out) {
  if (result->parameter_count == 0) return;
  fprintf(out, "\n  %-28s %-10s %12s %12s\n", "varied parameter", "unit", "min", "max");
  for (size_t c = 0; c < result->parameter_count; c++) {
    const omr_column *column = &result->columns[c];
    moments m = moments_of(result, column->values, -1);
    fprintf(out, "  %-28s %-10s %12.5g %12.5g\n", column->name, column->unit, m.min, m.max);
  }
}

static void print_observable(const omr_result *result, const omr_column *column, size_t ok, FILE *out) {
  moments m = moments_of(result, column->values, OMR_INSTANCE_OK);
  if (m.count == 0) {
    fprintf(out, "  %-28s %-10s %12s\n", column->name, column->unit, "no value");
    return;
  }
  fprintf(out, "  %-28s %-10s %12.5g %12.5g %12.5g %12.4g", column->name, column->unit, m.min, m.mean, m.max, m.deviation);
  if (m.count < ok) fprintf(out, "  of %zu with a value", m.count);
  fputc('\n', out);
}

static void print_observables(const omr_result *result, size_t ok, FILE *out) {
  if (ok == 0) {
    fprintf(out, "\n  No instance reached the end: there are no observables to sum up.\n");
    return;
  }
  fprintf(out, "\n  %-28s %-10s %12s %12s %12s %12s\n", "observable", "unit", "min", "mean", "max", "std dev");
  for (size_t c = result->parameter_count; c < result->column_count; c++) print_observable(result, &result->columns[c], ok, out);
  fprintf(out, "  of %zu ok instances%s\n", ok, ok < result->instances ? "; failed ones are left out" : "");
}

void omr_print_summary(const omr_result *result, FILE *out) {
  double earliest;
  char text[128];
  size_t ok = count_status(result, OMR_INSTANCE_OK, &earliest);
  const char *title = result->study_title && result->study_title[0] ? result->study_title : result->study_name;
  fprintf(out, "%s\n", title ? title : "");
  snprintf(text, sizeof text, "%s, %d wheel%s", result->model, result->wheels, result->wheels == 1 ? "" : "s");
  if (!result->wheels) snprintf(text, sizeof text, "%s", result->model);
  line(out, "model", text);
  print_counts(result, ok, out);
  print_run(result, out);
  if (result->instances == 1) {
    print_single(result, out);
  } else {
    print_parameters(result, out);
    print_observables(result, ok, out);
  }
}
