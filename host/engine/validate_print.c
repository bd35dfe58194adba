/* Writes the plan of a study as text. */
#define _GNU_SOURCE /* strdup */
#include "../model/small.h"
#include "../study/accept.h"
#include "../study/designs/distributions.h"
#include "../study/grammar/reader.h"
#include "../study/own_names.h"
#include "../study/step_sample.h"
#include "forewarn.h"

#include <string.h>

/* Prints "sobol, scrambled, seed 7". */
static void print_sample(const omr_study *study, FILE *out) {
  const omr_sampling *sample = &study->sample;
  const bool sequence = sample->type == OMR_DESIGN_SOBOL || sample->type == OMR_DESIGN_HALTON;
  fprintf(out, "%s%s%s", omr_design_kinds[sample->type].name, sample->maximin ? ", maximin" : "",
          !sequence          ? ""
          : sample->scramble ? ", scrambled"
                             : ", not scrambled");
  if (!sequence || sample->scramble)
    fprintf(out, ", seed %llu", (unsigned long long)study->design.seed);
  if (sample->factor) fprintf(out, ", correlated");
}

static void print_design(const omr_study *study, FILE *out) {
  /* The number of instances, and the structure of the design that repeats samples. */
  fprintf(out, "instances  %s%zu (",
          study->design.type == OMR_DESIGN_SUBSET || study->statistics.stop.given ? "at most " : "",
          omr_study_instances(study));
  if (study->design.type == OMR_DESIGN_SUBSET)
    fprintf(out, "%zu levels of %zu, level probability 1/%zu, criterion %s: ", study->sample.levels,
            study->sample.points, study->sample.parts,
            study->statistics.criteria[study->sample.failure].name);

  /* Nested and Saltelli designs repeat points in cells or groups. */
  if (omr_design_has_cells(study->design.type))
    fprintf(out, "%s: %zu%s of %zu, %s random numbers: ", omr_design_kinds[study->design.type].name,
            study->instances / study->sample.points,
            study->design.type == OMR_DESIGN_NESTED ? " cells" : "", study->sample.points,
            study->sample.common ? "common" : "each with its own");
  if (study->design.type == OMR_DESIGN_SALTELLI)
    fprintf(out, "saltelli: %zu groups of %zu, ", study->sample.points,
            study->instances / study->sample.points);

  /* The sample itself. */
  if (study->design.type == OMR_DESIGN_MORRIS)
    fprintf(out, "morris: %zu trajectories of %zu, %zu levels, seed %llu", study->sample.points,
            study->instances / study->sample.points, study->sample.grid_levels,
            (unsigned long long)study->design.seed);
  else if (study->sample.type != OMR_DESIGN_SINGLE)
    print_sample(study, out);
  else
    fprintf(out, "%s%s%s", omr_design_kinds[study->design.type].name,
            study->design.table ? ": " : "", study->design.table ? study->design.table : "");

  fprintf(out, ")\n");
}

/* Warns about unbalanced points: between powers of two some boxes of a Sobol' net hold one point
 * more than others. */
static void print_advice(const omr_study *study, FILE *out) {
  size_t power = 1;
  while (power < study->sample.points) power *= 2;
  if (study->sample.type != OMR_DESIGN_SOBOL || power == study->sample.points) return;
  fprintf(out, "           %zu points of a Sobol' sequence are not balanced; %zu or %zu would be\n",
          study->sample.points, power / 2, power);
}

/* Prints "wheel.friction, uniform" or "wheel.rollers, 4 values". */
static void print_varied(const omr_study *study, FILE *out) {
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    fprintf(out, "%-11s%s", v == 0 ? "varied" : "", variation->path);
    if (omr_is_random(variation->draw))
      fprintf(out, ", %s\n", omr_draw_kinds[variation->draw].name);
    else
      fprintf(out, ", %zu value%s\n", variation->levels, variation->levels == 1 ? "" : "s");
  }
}

/* Prints "3 instances, the nominal vehicle, extremes of path_length, every 10 steps". */
static void print_traced(const omr_study *study, FILE *out) {
  const char *before = "";
  if (!omr_study_traces(study)) return;
  fprintf(out, "traced     ");
  if (study->traces.count) {
    fprintf(out, "%zu instances", study->traces.count);
    before = ", ";
  }
  if (study->traces.nominal) fprintf(out, "%sthe nominal vehicle", before);
  if (study->traces.nominal) before = ", ";
  for (size_t i = 0; i < study->traces.extreme_count; i++) {
    fprintf(out, "%sextremes of %s", before,
            omr_study_observable_name(study, study->traces.extremes[i]));
    before = ", ";
  }
  if (omr_controls_steps(study))
    fprintf(out, ", every %g s\n", study->traces.interval);
  else
    fprintf(out, ", every %llu steps\n", (unsigned long long)study->traces.stride);
}

static void print_steps(const omr_study *study, FILE *out) {
  if (omr_controls_steps(study)) {
    fprintf(out, "steps      as a tolerance of %g asks for, over %g s\n", study->time.tolerance,
            study->time.duration);
    print_traced(study, out);
    return;
  }
  fprintf(out, "steps      %llu of %g s = %g s, %.4g instance-steps\n",
          (unsigned long long)study->time.steps, study->time.step, study->time.duration,
          (double)study->time.steps * (double)study->instances);
  print_traced(study, out);
}

/* Says how the error of the step will be measured, and how large it may be. */
static void print_step_error(const omr_study *study, FILE *out) {
  const omr_step_sample sample = omr_step_sample_of(study);
  const omr_step_error_settings *settings = &study->step_error;
  if (sample.count == 0) {
    fprintf(out, "step error not measured: %s\n", sample.why_not);
    return;
  }
  const double more = omr_step_sample_cost(study, &sample);
  fprintf(out, "step error %zu instance%s again with %s: %s", sample.count,
          sample.count == 1 ? "" : "s", omr_step_sample_words(&sample),
          sample.decades ? "about " : "");
  if (more < 2)
    fprintf(out, "%.3g %% more steps\n", 100 * more);
  else
    fprintf(out, "%.3g times as many steps in all\n", 1 + more);
  for (size_t i = 0; i < settings->accept_count; i++) {
    char text[200];
    omr_accept_text(study, &settings->accept[i], text, sizeof text);
    fprintf(out, "%-11s%s\n", i ? "" : "accepted", text);
  }
  fprintf(out, "           `omniroll plan %s` measures the %s that an accuracy needs\n",
          study->name, omr_controls_steps(study) ? "tolerance" : "step");
}

/* Says that a sensor's wraps are removed from a replayed angle, which the study does not request.
 */
static void print_unwrapped(const omr_study *study, FILE *out) {
  size_t wheels = 0, rows = 0;
  for (int i = 0; i < study->wheels; i++) {
    wheels += study->drives.replay[i].wraps > 0;
    rows += study->drives.replay[i].wraps;
  }
  if (rows)
    fprintf(out,
            "unwrapped  replayed angles of %zu wheel%s, by whole turns of the sensor at %zu "
            "row%s\n",
            wheels, wheels == 1 ? "" : "s", rows, rows == 1 ? "" : "s");
}

static void print_plan(const omr_study *study, FILE *out) {
  /* Study and model. */
  fprintf(out, "%s: valid\n", study->name);
  fprintf(out, "title      %s\n", omr_study_title(study));
  fprintf(out, "model      %s", omr_model_names[study->model]);
  if (study->wheels > 1) fprintf(out, ", %d wheels", study->wheels);
  fprintf(out, "\n");
  if (study->frame != OMR_FRAME_Y_UP)
    fprintf(out, "frame      %s\n", omr_frame_list[study->frame].name);
  if (!omr_small_list_of(study->model))
    fprintf(out, "contact    %s\n", omr_law_kinds[study->contact.law].name);

  fprintf(out, "method     %s\n",
          omr_model_is_own(study->model) ? omr_own_methods[study->time.stiff]
                                         : omr_method_kinds[study->time.method].name);

  /* Design, steps and their error. */
  print_design(study, out);
  print_advice(study, out);
  print_varied(study, out);
  print_unwrapped(study, out);
  print_steps(study, out);
  print_step_error(study, out);
}

omr_status omr_study_validate_print(const omr_study *study, FILE *out, omr_error *error) {
  size_t looked_at = 0, invalid = 0;
  char reason[512];
  omr_status status = omr_study_check(study, &looked_at, &invalid, reason, sizeof reason, error);
  if (status != OMR_OK) return status;
  print_plan(study, out);
  if (invalid)
    fprintf(out, "invalid    %zu of %zu instances looked at make no vehicle and will not run; %s\n",
            invalid, looked_at, reason);
  return omr_check_study(study, out, error);
}

omr_status omr_study_warnings(const omr_study *study, char **warnings, omr_error *error) {
  char lines[OMR_WARNINGS] = "";
  *warnings = NULL;
  const omr_status status = omr_judge_study(study, lines, error);
  if (status != OMR_OK) return status;
  *warnings = strdup(lines);
  return *warnings ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}
