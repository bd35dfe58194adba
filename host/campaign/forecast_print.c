/* A forecast as a table and as JSON. */
#include "../study/accept.h"
#include "../study/derived.h"
#include "forecast.h"
#include "jobs/job.h"

#include <math.h>

static void print_work(const omr_forecast *f, FILE *out) {
  const omr_study *study = f->study;
  fprintf(out, "%s\n", omr_study_title(study)[0] ? omr_study_title(study) : study->name);
  fprintf(out, "instances    %s%zu", f->needs.at_most ? "at most " : "", f->needs.rows);
  if (f->needs.cells) fprintf(out, ": %zu cells of %zu", f->needs.cells, f->needs.per_cell);
  if (omr_controls_steps(study))
    fprintf(out, "\nsteps        as a tolerance of %g asks for, over %g s: %.4g vehicle-seconds\n",
            study->time.tolerance, study->time.duration, f->work);
  else
    fprintf(out, "\nsteps        %llu of %g s = %g s, %.4g instance-steps\n",
            (unsigned long long)study->time.steps, study->time.step, study->time.duration, f->work);
  if (f->needs.traced)
    fprintf(out, "trajectories %zu of %.4g values\n", f->needs.traced, f->needs.values_per_trace);
  fprintf(out, "chunks       %s%zu of %zu instances\n", f->needs.at_most ? "at most " : "",
          f->needs.chunks, f->needs.chunk_rows);
}

static void print_needs(const omr_forecast *f, FILE *out) {
  const omr_needs_bytes *m = &f->needs.memory;
  char text[6][32];
  fprintf(
      out,
      "memory       at most about %s: engine %s, chunks %s, writing %s, statistics %s, study %s\n",
      omr_bytes_text(omr_needs_memory(m), text[0]), omr_bytes_text(m->engine, text[1]),
      omr_bytes_text(m->chunks, text[2]), omr_bytes_text(m->writer, text[3]),
      omr_bytes_text(m->statistics, text[4]), omr_bytes_text(m->study, text[5]));
  if (m->device > 0)
    fprintf(out, "             and %s of the device's\n", omr_bytes_text(m->device, text[0]));
  fprintf(out,
          "disk         at most about %s for the result and, until it is there, %s for the chunks",
          omr_bytes_text(f->needs.result_bytes, text[0]),
          omr_bytes_text(f->needs.parts_bytes, text[1]));
  if (!isnan(f->needs.free_bytes))
    fprintf(out, "; %s free in %s", omr_bytes_text(f->needs.free_bytes, text[2]), f->needs.folder);
  fprintf(out, "\n");
}

static void print_time(const omr_forecast *f, FILE *out) {
  char text[32];
  fprintf(out, "backend      %s, %s; precision %s, numerics %s\n", f->engine.backend,
          f->engine.device, f->engine.precision, f->engine.numerics);
  if (*f->kernels) fprintf(out, "kernels      %s\n", f->kernels);

  /* The measured speed, and the time that follows from it. */
  const bool controlled = omr_controls_steps(f->study);
  fprintf(out, "measured     %.3g %s per second, in %.2g s with %zu instance%s over %g %s\n",
          f->trial.rate, controlled ? "vehicle-seconds" : "instance-steps", f->trial.seconds,
          f->trial.instances, f->trial.instances == 1 ? "" : "s", f->trial.work,
          controlled ? "s" : "steps");
  fprintf(out,
          "time         about %s, an estimate, in one process, by that measurement; files and "
          "statistics come on top",
          omr_duration_text(f->seconds, text));

  if (f->engine.build_seconds > 0.1 * f->seconds)
    fprintf(out, "; %.2g s of it to build the kernels", f->engine.build_seconds);
  fprintf(out, "\n");

  /* The largest stable step, where there is one. */
  if (isfinite(f->largest_step))
    fprintf(out, "stable step  up to %.3g s (instance %zu); the study's is %.3g s\n",
            f->largest_step, f->stiff_instance, f->study->time.step);
}

/* Vehicle-seconds per second at a step, or at a tolerance that takes so many passes. */
static double speed_at(const omr_forecast *f, double step, double passes) {
  return omr_controls_steps(f->study) ? f->trial.rate * f->ladder.passes / passes
                                      : f->trial.rate * step;
}

static const char *step_word(const omr_forecast *f) {
  return omr_controls_steps(f->study) ? "tolerance" : "step";
}

/* " s" of steps. */
static const char *step_unit(const omr_forecast *f) {
  return omr_controls_steps(f->study) ? "" : " s";
}

static void print_rung(const omr_forecast *f, const omr_rung *rung, FILE *out) {
  char name[100];
  omr_accept_name(f->study, &f->study->step_error.accept[rung->worst_of], name, sizeof name);
  if (isnan(rung->worst))
    fprintf(out, "             %12.4g%s  no instance has a value at every %s\n", rung->step,
            step_unit(f), step_word(f));
  else
    fprintf(out, "             %12.4g%s  %8.3g of the accepted %s, %.3g\n", rung->step,
            step_unit(f), rung->worst, name, speed_at(f, rung->step, rung->passes));
}

static void print_ladder(const omr_forecast *f, FILE *out) {
  const omr_ladder *l = &f->ladder;
  const omr_step_error_settings *settings = &f->study->step_error;

  /* A ladder without a measurement says why. */
  if (l->why_not[0]) {
    fprintf(out, "accuracy     the %s that it needs is not measured: %s\n", step_word(f),
            l->why_not);
    return;
  }

  /* The accepted errors stand above their ladder. */
  for (size_t i = 0; i < settings->accept_count; i++) {
    char text[200];
    omr_accept_text(f->study, &settings->accept[i], text, sizeof text);
    fprintf(out, "%-13s%s\n", i ? "" : "accuracy", text);
  }
  fprintf(out, "             by the %s the error of the mean of %zu instance%s, and the speed:\n",
          step_word(f), l->instances, l->instances == 1 ? "" : "s");
  for (size_t i = 0; i < l->count; i++) print_rung(f, &l->rung[i], out);

  /* The step that they need, and its speed. */
  if (isnan(l->needed))
    fprintf(out, "needed %-6snot found: the error does not fall with the %ss above\n",
            omr_controls_steps(f->study) ? "" : "step", step_word(f));
  else
    fprintf(out, "needed %-6s%s%.4g%s%s", omr_controls_steps(f->study) ? "" : "step",
            l->extrapolated ? "less than those; by extrapolation about " : "up to ", l->needed,
            step_unit(f), omr_controls_steps(f->study) && l->extrapolated ? "\n" : ": ");
  if (!isnan(l->needed) && isfinite(speed_at(f, l->needed, l->needed_passes)))
    fprintf(out, "%.3g vehicle-seconds per second\n", speed_at(f, l->needed, l->needed_passes));
}

static void print_step_error(const omr_forecast *f, FILE *out) {
  const omr_step_sample *s = &f->sample;
  if (s->count == 0)
    fprintf(out, "step error   not measured: %s\n", s->why_not);
  else
    fprintf(out, "step error   %zu instance%s again with %s: %s%.3g %s, %.3g %% more\n", s->count,
            s->count == 1 ? "" : "s", omr_step_sample_words(s),
            s->decades ? "work as of about " : "", f->refined_work,
            s->decades ? "vehicle-seconds" : "instance-steps", 100 * f->refined_work / f->work);
  print_ladder(f, out);
}

static void print_job(const omr_forecast *f, FILE *out) {
  const omr_job job = omr_job_of(f);
  char text[2][32];
  if (!f->tasks) return;
  if (f->in_order) {
    fprintf(out,
            "tasks        cannot share the run, whose chunks depend on what came out before\n");
    return;
  }
  fprintf(out,
          "tasks        %d of at most %zu chunks, about %s each by that measurement; the last one "
          "puts the result together, about %s, an estimate\n",
          job.tasks, job.chunks, omr_duration_text(job.seconds, text[0]),
          omr_duration_text(job.assembling, text[1]));
}

static double seconds_of(const omr_forecast *f, double runs) {
  return runs * omr_study_work(f->study) / f->trial.rate;
}

static void print_fits(const omr_forecast *f, FILE *out) {
  const omr_fits_forecast fits = omr_forecast_fits(f->study);
  char text[2][32];
  if (!fits.command) return;
  fprintf(out, "%-12s ", fits.command);
  if (fits.most > fits.fewest)
    fprintf(out, "%.0f to %.0f runs as long as this one, about %s to %s by that measurement: ",
            fits.fewest, fits.most, omr_duration_text(seconds_of(f, fits.fewest), text[0]),
            omr_duration_text(seconds_of(f, fits.most), text[1]));
  else
    fprintf(out, "%.0f runs, about %s by that measurement\n", fits.most,
            omr_duration_text(seconds_of(f, fits.most), text[0]));
  if (fits.most > fits.fewest)
    fprintf(out, "the farther the data are from the prior, the more; --sbc N takes N times as "
                 "long\n");
}

void omr_forecast_print(const omr_forecast *f, FILE *out) {
  print_work(f, out);
  print_needs(f, out);
  print_time(f, out);
  print_job(f, out);
  print_fits(f, out);
  print_step_error(f, out);
  for (size_t i = 0; i < f->warning_count; i++) fprintf(out, "warning: %s\n", f->warnings[i]);
}

static void json_text(FILE *out, const char *name, const char *text, const char *end) {
  fprintf(out, "\"%s\": ", name);
  omr_print_quoted(out, text);
  fputs(end, out);
}

/* JSON has no infinity: null. */
static void json_number(FILE *out, const char *name, double value, const char *end) {
  if (isfinite(value))
    fprintf(out, "\"%s\": %.10g%s", name, value, end);
  else
    fprintf(out, "\"%s\": null%s", name, end);
}

static void json_memory(const omr_forecast *f, FILE *out) {
  const omr_needs_bytes *m = &f->needs.memory;
  fprintf(out, " \"memory_bytes\": {");
  json_number(out, "total", omr_needs_memory(m), ", ");
  json_number(out, "engine", m->engine, ", ");
  json_number(out, "device", m->device, ", ");
  json_number(out, "chunks", m->chunks, ", ");
  json_number(out, "writer", m->writer, ", ");
  json_number(out, "statistics", m->statistics, ", ");
  json_number(out, "study", m->study, ", ");
  json_number(out, "without_a_file", omr_needs_all_in_memory(&f->needs), "},\n");
  fprintf(out, " \"disk_bytes\": {");
  json_number(out, "result", f->needs.result_bytes, ", ");
  json_number(out, "chunks", f->needs.parts_bytes, ", ");
  json_number(out, "free", f->needs.free_bytes, ", ");
  json_text(out, "folder", f->needs.folder, "},\n");
}

static void json_measured(const omr_forecast *f, FILE *out) {
  fprintf(out, " \"measured\": {");
  json_text(out, "backend", f->engine.backend, ", ");
  json_text(out, "device", f->engine.device, ", ");
  json_text(out, "precision", f->engine.precision, ", ");
  json_text(out, "numerics", f->engine.numerics, ", ");
  json_text(out, "kernels", f->kernels, "");
  const bool controlled = omr_controls_steps(f->study);
  fprintf(out, ", \"instances\": %zu, ", f->trial.instances);
  json_number(out, controlled ? "duration" : "steps", f->trial.work, ", ");
  json_number(out, "seconds", f->trial.seconds, ", ");
  json_number(out, controlled ? "vehicle_seconds_per_second" : "instance_steps_per_second",
              f->trial.rate, ", ");
  json_number(out, "build_seconds", f->engine.build_seconds, "},\n");
}

static void json_accept(const omr_forecast *f, FILE *out) {
  const omr_step_error_settings *settings = &f->study->step_error;
  fprintf(out, "\"accept\": [");
  for (size_t i = 0; i < settings->accept_count; i++) {
    const omr_accept *accept = &settings->accept[i];
    char name[100];
    omr_accept_name(f->study, accept, name, sizeof name);
    fprintf(out, "%s{", i ? ", " : "");
    json_text(out, "name", name, ", ");
    json_number(out, "accepted", accept->most, ", ");
    json_text(out, "unit", omr_accept_unit(f->study, accept), "");
    fprintf(out, ", \"relative\": %s}", accept->relative ? "true" : "false");
  }
  fprintf(out, "],\n  ");
}

static void json_rungs(const omr_forecast *f, FILE *out) {
  const omr_ladder *l = &f->ladder;
  fprintf(out, "\"%ss\": [", step_word(f));
  for (size_t i = 0; i < l->count; i++) {
    char name[100];
    omr_accept_name(f->study, &f->study->step_error.accept[l->rung[i].worst_of], name, sizeof name);
    fprintf(out, "%s\n   {", i ? "," : "");
    json_number(out, step_word(f), l->rung[i].step, ", ");
    json_number(out, "error", l->rung[i].worst, ", ");
    json_text(out, "of", name, ", ");
    json_number(out, "vehicle_seconds_per_second", speed_at(f, l->rung[i].step, l->rung[i].passes),
                "}");
  }
  fprintf(out, "]");
}

static void json_job(const omr_forecast *f, FILE *out) {
  const omr_job job = omr_job_of(f);
  if (!f->tasks) return;
  if (f->in_order) {
    fprintf(out, " \"tasks\": null,\n");
    return;
  }
  fprintf(out, " \"tasks\": {\"tasks\": %d, \"chunks\": %zu, ", job.tasks, job.chunks);
  json_number(out, "seconds", job.seconds, ", ");
  json_number(out, "assembling_seconds", job.assembling, ", ");
  json_number(out, "memory_bytes", job.memory, ", ");
  json_number(out, "disk_bytes", job.disk, ", ");
  fprintf(out, "\"files\": %zu},\n", job.files);
}

/* Errors are divided by the accepted ones. */
static void json_step_error(const omr_forecast *f, FILE *out) {
  const omr_ladder *l = &f->ladder;
  fprintf(out, " \"step_error\": {\"instances\": %zu, ", f->sample.count);
  if (!f->sample.decades) fprintf(out, "\"substeps\": %d, ", omr_substeps(f->sample.levels));
  json_number(out, f->sample.decades ? "vehicle_seconds" : "instance_steps", f->refined_work, ", ");
  json_number(out, "cost", f->refined_work / f->work, "},\n");
  fprintf(out, " \"accuracy\": {\"instances\": %zu, ", l->instances);
  json_accept(f, out);
  json_rungs(f, out);
  fprintf(out, ",\n  ");
  json_number(out, omr_controls_steps(f->study) ? "needed_tolerance" : "needed_step", l->needed,
              ", ");
  fprintf(out, "\"extrapolated\": %s, ", l->extrapolated ? "true" : "false");
  json_number(out, "vehicle_seconds_per_second", speed_at(f, l->needed, l->needed_passes), ", ");
  json_text(out, "not_measured", l->why_not, "},\n");
}

static void json_fits(const omr_forecast *f, FILE *out) {
  const omr_fits_forecast fits = omr_forecast_fits(f->study);
  if (!fits.command) return;
  fprintf(out, " \"fit\": {");
  json_text(out, "command", fits.command, ", ");
  json_number(out, "fewest_runs", fits.fewest, ", ");
  json_number(out, "most_runs", fits.most, ", ");
  json_number(out, "fewest_seconds", seconds_of(f, fits.fewest), ", ");
  json_number(out, "most_seconds", seconds_of(f, fits.most), "},\n");
}

void omr_forecast_print_json(const omr_forecast *f, FILE *out) {
  fprintf(out, "{");
  json_text(out, "study", f->study->name, "");
  fprintf(out, ",\n \"instances\": %zu, \"at_most\": %s, \"cells\": %zu, \"per_cell\": %zu,\n",
          f->needs.rows, f->needs.at_most ? "true" : "false", f->needs.cells, f->needs.per_cell);

  /* The work in steps, or in seconds where an error chooses the steps. */
  if (omr_controls_steps(f->study)) {
    fprintf(out, " ");
    json_number(out, "tolerance", f->study->time.tolerance, ", ");
    json_number(out, "vehicle_seconds", f->work, ",\n");
  } else {
    fprintf(out, " \"steps\": %llu, ", (unsigned long long)f->study->time.steps);
    json_number(out, "step", f->study->time.step, ", ");
    json_number(out, "instance_steps", f->work, ",\n");
  }

  /* Trajectories, memory and the measured speed. */
  fprintf(out, " \"trajectories\": %zu, \"chunks\": %zu, \"chunk_instances\": %zu,\n",
          f->needs.traced, f->needs.chunks, f->needs.chunk_rows);
  json_memory(f, out);
  json_measured(f, out);

  /* The estimates, and the warnings. */
  fprintf(out, " ");
  json_number(out, "estimated_seconds", f->seconds, ", ");
  json_number(out, "largest_stable_step", f->largest_step, ",\n");
  json_job(f, out);
  json_fits(f, out);
  json_step_error(f, out);

  fprintf(out, " \"warnings\": [");
  for (size_t i = 0; i < f->warning_count; i++) {
    if (i) fprintf(out, ", ");
    omr_print_quoted(out, f->warnings[i]);
  }
  fprintf(out, "]}\n");
}
