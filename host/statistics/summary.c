#include "brief.h"
#include "step_error.h"
#include "wrap.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 100, INDENT = 12 };

/* "  label     text ...", the text broken between words and indented. */
static void line(FILE *out, const char *label, const char *text) {
  omr_text lines = {0};
  omr_wrap(&lines, &(omr_wrapping){label, INDENT, WIDTH, 0}, text);
  fputs(lines.failed ? text : lines.data, out);
  omr_text_free(&lines);
}

/* The first instances of a status, of a run that kept no rows. */
static void print_numbers(const omr_statistics *s, int status, FILE *out) {
  const uint64_t *numbers = s->failed[status];
  for (int i = 0; s->no_rows && i < OMR_FAILED_NUMBERS && numbers[i] != UINT64_MAX; i++)
    fprintf(out, "%s%llu", i ? ", " : "; instances ", (unsigned long long)numbers[i]);
}

static void print_failures(const omr_result *head, const omr_statistics *s, FILE *out) {
  for (int status = 1; status < OMR_INSTANCE_STATUS_COUNT; status++) {
    const size_t count = s->by_status[status];
    if (count == 0) continue;
    fprintf(out, "%*s%-20s%10zu  %6.3g %%", INDENT, "", omr_instance_status_name(status), count,
            100.0 * (double)count / (double)s->rows);
    if (status != OMR_INSTANCE_INVALID) fprintf(out, ", earliest at %.4g s", s->earliest[status]);
    print_numbers(s, status, out);
    fputc('\n', out);
  }
  if (head->first_invalid[0]) line(out, "", head->first_invalid);
}

static void print_retries(const omr_result *head, FILE *out) {
  char text[128];
  if (!(head->record.retried > 0)) return;
  snprintf(text, sizeof text,
           "%.0f run again with half the step, of which %.0f then reached the end",
           head->record.retried, head->record.recovered);
  line(out, "retries", text);
}

/* Lists "traced     instance 217: largest vibration_rms" for the first few. */
static void print_traced(const omr_result *head, FILE *out) {
  enum { MOST = 12 };
  char text[200];
  const char *start = head->traced_names ? head->traced_names : "";
  for (size_t i = 0; *start && i < MOST; i++) {
    const size_t length = strcspn(start, "\n"), digits = strspn(start, "0123456789");
    snprintf(text, sizeof text, "instance %.*s:%.*s", (int)digits, start, (int)(length - digits),
             start + digits);
    line(out, i ? "" : "traced", text);
    start += length + (start[length] == '\n');
  }
  if (*start) line(out, "", "and others");
}

static void print_warnings(const omr_result *head, FILE *out) {
  char text[OMR_WARNINGS];
  for (const char *start = head->warnings; *start; start += strspn(start, "\n")) {
    const size_t length = strcspn(start, "\n");
    snprintf(text, sizeof text, "%.*s", (int)length, start);
    line(out, "warning", text);
    start += length;
  }
}

static void print_counts(const omr_result *head, const omr_statistics *s, FILE *out) {
  char text[128];
  const size_t ok = s->by_status[OMR_INSTANCE_OK], failed = s->rows - ok;
  const char *where =
      s->no_rows ? " (left out of the table)"
      : s->rows == 1
          ? " (the values below are those at its end)"
          : " (left out of the table; the group failures of the file has their last states)";
  snprintf(text, sizeof text, "%zu: %zu ok, %zu failed%s", s->rows, ok, failed,
           failed ? where : "");
  line(out, "instances", text);
  print_failures(head, s, out);
  print_retries(head, out);
}

static void print_run(const omr_result *result, size_t instances, FILE *out) {
  const omr_run_record *run = &result->record;
  char text[768];

  /* where it ran, and in which arithmetic */
  snprintf(text, sizeof text, "%s, %s; precision %s%s%s%s%s%s", run->backend, run->device,
           run->precision, run->numerics[0] ? ", numerics " : "", run->numerics,
           run->kernels[0] ? "; kernels " : "", run->kernels,
           strcmp(run->rounding, "device") == 0 && strcmp(run->numerics, "exact") == 0
               ? ", division and square root as the device rounds them"
               : "");
  line(out, "backend", text);

  if (run->registers >= 0) {
    snprintf(text, sizeof text, "%d registers, %d bytes spilled; work-groups of %d", run->registers,
             run->spill_bytes, run->work_group);
    line(out, "kernel", text);
  }

  /* steps of a fixed length, passes at a tolerance, or the reference's own steps */
  const bool reference = omr_record_of_reference(run), controlled = result->tolerance > 0;
  const double seconds = (double)instances * result->duration;
  int length =
      reference ? snprintf(text, sizeof text, "%.4g of the reference's own over %.6g s",
                           run->instance_steps, result->duration)
      : controlled
          ? snprintf(text, sizeof text,
                     "%.4g passes at a tolerance of %g over %.6g s, %.0f per vehicle and second",
                     run->instance_steps, result->tolerance, result->duration,
                     run->instance_steps / seconds)
          : snprintf(text, sizeof text, "%.4g instance-steps of %.4g s over %.6g s",
                     run->instance_steps, result->step, result->duration);

  if (run->refined_steps > 0)
    snprintf(text + length, sizeof text - (size_t)length,
             ", and %.4g shorter ones for the step error", run->refined_steps);
  line(out, "steps", text);

  /* where the time went */
  snprintf(text, sizeof text, "wall %.4g s: build %.3g, prepare %.3g, transfer %.3g, kernels %.4g",
           run->wall_seconds, run->build_seconds, run->prepare_seconds, run->transfer_seconds,
           run->kernel_seconds);
  line(out, "time", text);

  if (run->kernel_seconds > 0) {
    snprintf(text, sizeof text, "%.4g %s per second in the kernels", omr_steps_per_second(run),
             reference    ? "steps"
             : controlled ? "passes"
                          : "instance-steps");
    line(out, "speed", text);
  }
}

/* Prints the step error after the value of an observable. */
static void print_step_error(const omr_statistics *s, size_t q, FILE *out) {
  const omr_step_quantity *step = omr_step_quantity_of(s, q);
  if (!step) return;
  if (step->used)
    fprintf(out, " %+12.3g  %+.3g to %+.3g", step->mean.error, step->mean.low, step->mean.high);
  else
    fprintf(out, " %12s", "not known");
}

static void print_single(const omr_statistics *s, FILE *out) {
  fprintf(out, "\n  %-28s %14s  %s\n", "quantity", "value",
          s->step_error ? "unit       by the step  its range" : "unit");
  for (size_t q = 0; q < s->quantity_count; q++) {
    const omr_quantity *quantity = &s->quantities[q];
    if (isnan(quantity->first)) {
      fprintf(out, "  %-28s %14s\n", quantity->name, "no value");
      continue;
    }
    fprintf(out, "  %-28s %14.6g  %-*s", quantity->name, quantity->first,
            omr_step_quantity_of(s, q) ? 9 : 0, quantity->unit);
    print_step_error(s, q, out);
    fputc('\n', out);
  }
  omr_step_error_print(s, out);
}

void omr_summary_print(const omr_result *head, const omr_statistics *statistics, FILE *out) {
  char text[128];
  const char *title =
      head->study_title && head->study_title[0] ? head->study_title : head->study_name;
  fprintf(out, "%s\n", title ? title : "");
  snprintf(text, sizeof text, "%s, %d wheel%s", head->model, head->wheels,
           head->wheels == 1 ? "" : "s");
  if (!head->wheels) snprintf(text, sizeof text, "%s", head->model);
  line(out, "model", text);
  if (head->frame != OMR_FRAME_Y_UP) line(out, "frame", omr_frame_list[head->frame].name);
  print_counts(head, statistics, out);
  print_traced(head, out);
  print_run(head, statistics->rows, out);
  print_warnings(head, out);
  if (statistics->rows == 1)
    print_single(statistics, out);
  else
    omr_statistics_print(statistics, out);
}

/* True if the rows are the study's rows from its first on. */
static bool is_whole(const omr_result *result) {
  for (size_t k = 0; result->numbers && k < result->instances; k++)
    if (result->numbers[k] != k) return false;
  return true;
}

/* Results of omr_run have statistics. A result read from a file gets them as its study sets them;
 * chosen instances, or rows of a study that cannot be read any more, get plain ones. */
void omr_print_summary(const omr_result *result, FILE *out) {
  if (result->statistics) {
    omr_summary_print(result, result->statistics, out);
    return;
  }
  omr_source *source;
  omr_study *study = NULL;
  omr_statistics *statistics = NULL;
  if (omr_source_of_result(result, &source, NULL) != OMR_OK) return;
  if ((result->partial || is_whole(result)) && !result->design_only && result->study_text)
    omr_study_parse(result->study_text, "study", NULL, 0, &study, NULL);
  omr_status status = omr_statistics_of(study, result, source, &statistics, NULL);
  if (status != OMR_OK) status = omr_statistics_compute(NULL, source, &statistics, NULL);
  if (status == OMR_OK) omr_summary_print(result, statistics, out);
  omr_source_close(source);
  omr_statistics_destroy(statistics);
  omr_study_destroy(study);
}
