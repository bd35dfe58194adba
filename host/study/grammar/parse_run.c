#include "../derived.h"
#include "parse.h"
#include "rules.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The step or, in its place, the tolerance; and the duration. */
static omr_status read_times(omr_reader *reader, const cJSON *integrator) {
  omr_study *study = reader->study;
  const cJSON *step = omr_json_get(integrator, "step"),
              *tolerance = omr_json_get(integrator, "tolerance"), *item;
  if (step && tolerance)
    return OMR_REFUSE(reader, tolerance,
                      "a tolerance chooses the steps: leave out \"tolerance\", or \"step\" (null "
                      "in a --set takes a member away)");

  /* A tolerance replaces the step. */
  if (tolerance) OMR_TRY(omr_read_quantity(reader, tolerance, "1", &study->time.tolerance));
  if (tolerance && !(study->time.tolerance >= omr_least_tolerance(study->model) &&
                     study->time.tolerance <= OMR_MOST_TOLERANCE))
    return OMR_REFUSE(reader, tolerance,
                      "is %.9g; expected a tolerance from %g to %g, such as 1e-3",
                      study->time.tolerance, omr_least_tolerance(study->model), OMR_MOST_TOLERANCE);
  if (!tolerance) {
    OMR_TRY(omr_require(reader, integrator, "step",
                        "\"0.2 ms\" (or \"tolerance\": 1e-3, which chooses the steps)", &item));
    OMR_TRY(omr_read_time(reader, item, &study->time.step));
  }

  /* A measured run gives the duration where the study has none. */
  item = omr_json_get(integrator, "duration");
  study->time.duration = study->measured.duration;
  if (!item && reader->measured_run) {
    item = reader->measured_run;
    OMR_TRY(omr_require_whole_steps(reader, reader->measured_interval, "an interval",
                                    study->measured.interval, &study->time.steps));
  } else {
    OMR_TRY(omr_require(reader, integrator, "duration", "\"10 s\"", &item));
    OMR_TRY(omr_read_time(reader, item, &study->time.duration));
  }

  /* Controlled steps are counted as nominal ones. */
  OMR_TRY(omr_require_whole_steps(reader, item, "a duration", study->time.duration,
                                  &study->time.steps));
  if (tolerance)
    study->time.steps =
        (uint64_t)fmin(fmax(rint(study->time.duration / OMR_NOMINAL_STEP), 1), 0x1p53);
  return OMR_OK;
}

/* Words that belong to fixed steps or to controlled ones. */
static omr_status check_words(omr_reader *reader, const cJSON *integrator) {
  const omr_study *study = reader->study;
  const cJSON *method = omr_json_get(integrator, "method"),
              *exchange = omr_json_get(integrator, "exchange");
  if (exchange && omr_small_list_of(study->model))
    return OMR_REFUSE(reader, exchange, "%s has no rollers to exchange; leave \"exchange\" out",
                      omr_model_names[study->model]);

  if (omr_controls_steps(study) && !study->time.split)
    return OMR_REFUSE(reader, exchange,
                      "\"straddle\" makes exchanges at ends of fixed steps, and a tolerance has "
                      "none; leave \"exchange\" out, or give \"step\" in place of \"tolerance\"");

  /* Pairs of methods go with a tolerance, the others with a step. */
  if (!method || omr_model_is_own(study->model) ||
      omr_is_pair(study->time.method) == (omr_controls_steps(study)))
    return OMR_OK;
  if (omr_controls_steps(study))
    return OMR_REFUSE(reader, method,
                      "\"%s\" takes fixed steps; leave \"method\" out, or give \"step\" in place "
                      "of \"tolerance\"",
                      omr_method_kinds[study->time.method].name);
  return OMR_REFUSE(reader, method,
                    "\"%s\" chooses its own steps: give \"tolerance\": 1e-3 in place of \"step\", "
                    "or another method",
                    omr_method_kinds[study->time.method].name);
}

/* A model without kernels is integrated by the reference's methods. */
static omr_status read_own_method(omr_reader *reader, const cJSON *integrator) {
  int method = 0;
  OMR_TRY(omr_read_choice(reader, integrator, "method", omr_own_methods, 2, &method));
  reader->study->time.stiff = method == 1;
  return OMR_OK;
}

omr_status omr_read_integrator(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  const cJSON *integrator;
  double method = OMR_METHOD_RK4;
  OMR_TRY(omr_read_section(reader, root, OMR_SECTION_INTEGRATOR, study, &integrator));
  if (omr_model_is_own(study->model))
    OMR_TRY(read_own_method(reader, integrator));
  else
    OMR_TRY(omr_read_member(reader, integrator, OMR_SECTION_INTEGRATOR, "method", &method));
  study->time.method = (omr_method)method;
  OMR_TRY(read_times(reader, integrator));
  OMR_TRY(check_words(reader, integrator));
  return omr_read_failures(reader, integrator);
}

static omr_status check_pair(omr_reader *reader, const cJSON *method) {
  omr_study *study = reader->study;
  const omr_method wanted = omr_study_pair(study);
  if (!method) study->time.method = wanted;
  if (omr_is_pair(study->time.method) && omr_study_takes(study, study->time.method)) return OMR_OK;
  const char *what = omr_small_list_of(study->model) ? omr_model_names[study->model]
                                                     : omr_law_kinds[study->contact.law].name;
  return OMR_REFUSE(
      reader, method, "with a tolerance %s is integrated by \"%s\"%s; leave \"method\" out", what,
      omr_method_kinds[wanted].name, wanted == OMR_METHOD_DOPRI ? "" : " or \"ros2\"");
}

omr_status omr_check_method(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  const cJSON *item = omr_json_get(omr_json_get(root, "integrator"), "method");
  if (omr_model_is_own(study->model)) item = NULL; /* one of its own */
  if (omr_controls_steps(study)) return check_pair(reader, item);
  if (omr_small_list_of(study->model) &&
      (!omr_is_explicit(study->time.method) || omr_is_pair(study->time.method)))
    return OMR_REFUSE(
        reader, item,
        "\"%s\" is for the omni models; %s is integrated by \"rk4\", \"midpoint\" or \"heun\"",
        omr_method_kinds[study->time.method].name, omr_model_names[study->model]);
  return omr_check_stage(reader, OMR_RULES_METHOD);
}

static omr_status read_lanes(omr_reader *reader, const cJSON *engine) {
  const cJSON *item = omr_json_get(engine, "lanes");
  double lanes = 0;
  if (!item) return OMR_OK;
  OMR_TRY(omr_read_whole(reader, item, 1, 16, &lanes));
  const int count = (int)lanes;
  if (count & (count - 1))
    return OMR_REFUSE(reader, item, "%d lanes; a pack has 1, 2, 4, 8 or 16", count);
  reader->study->engine.lanes = count;
  return OMR_OK;
}

/* A lane counts its steps in the working precision. */
static omr_status check_clock(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  const bool single = study->engine.precision == OMR_SINGLE_PRECISION;
  if (single && omr_controls_steps(study) && study->time.tolerance < OMR_LEAST_SINGLE_TOLERANCE)
    return OMR_REFUSE(reader, omr_json_get(omr_json_get(root, "integrator"), "tolerance"),
                      "a tolerance of %g is more than single precision resolves: use at least %g, "
                      "or \"precision\": \"double\" in engine",
                      study->time.tolerance, OMR_LEAST_SINGLE_TOLERANCE);
  if (!single || omr_controls_steps(study) || study->time.steps <= (uint64_t)1 << 24) return OMR_OK;
  return OMR_REFUSE(reader, omr_json_get(omr_json_get(root, "integrator"), "step"),
                    "%llu steps are more than the 2^24 that single precision can count; use "
                    "\"precision\": \"double\" in engine or a longer step",
                    (unsigned long long)study->time.steps);
}

const char *omr_numerics_name(omr_numerics numerics) {
  return numerics == OMR_NUMERICS_FAST ? "fast" : "exact";
}

const char *omr_study_numerics(const omr_study *study) {
  return study->engine.backend == OMR_BACKEND_REFERENCE ? "reference"
                                                        : omr_numerics_name(study->engine.numerics);
}

/* Models whose system stands in the study run in the reference only. */
static omr_status choose_backend(omr_reader *reader, const cJSON *item) {
  omr_engine_options *options = &reader->study->engine;
  const omr_model model = reader->study->model;
  if (!omr_model_is_own(model)) return OMR_OK;
  if (options->backend == OMR_BACKEND_AUTO) options->backend = OMR_BACKEND_REFERENCE;
  if (options->backend == OMR_BACKEND_REFERENCE) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "%s has no kernels for the backend \"%s\": it is integrated by the multibody "
                    "reference alone; leave \"backend\" out, or write \"reference\"",
                    omr_model_names[model], omr_backend_kinds[options->backend].name);
}

/* The reference controls its error itself: there is no step to halve. */
static omr_status check_retries(omr_reader *reader, const cJSON *engine) {
  const omr_study *study = reader->study;
  if (study->engine.backend != OMR_BACKEND_REFERENCE || study->on_failure != OMR_FAILURE_RETRY)
    return OMR_OK;
  return OMR_REFUSE(reader, omr_json_get(engine, "backend"),
                    "the backend \"reference\" has no step that retry_half_step could halve; set "
                    "integrator.on_failure to \"record\" or \"abort\"");
}

omr_status omr_read_engine(omr_reader *reader, const cJSON *root) {
  omr_engine_options *options = &reader->study->engine;
  const cJSON *engine;
  OMR_TRY(omr_read_object(reader, root, "engine", &engine));
  OMR_TRY(omr_read_keys(reader, engine, OMR_SECTION_ENGINE, options));
  OMR_TRY(choose_backend(reader, omr_json_get(engine, "backend")));
  if (!engine) return OMR_OK;
  options->precision_given = omr_json_get(engine, "precision") != NULL;
  OMR_TRY(omr_check_rules(reader, engine, OMR_SECTION_ENGINE, options));
  OMR_TRY(read_lanes(reader, engine));
  OMR_TRY(check_clock(reader, root));
  return check_retries(reader, engine);
}
