#include "parse.h"
#include "refine.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static void kind_names(const omr_kind *kinds, size_t count, const char **names) {
  for (size_t i = 0; i < count; i++) names[i] = kinds[i].name;
}

/* The step or, in its place, the tolerance; and the duration. */
static omr_status read_times(omr_reader *reader, const cJSON *integrator) {
  omr_study *study = reader->study;
  const cJSON *step = omr_json_get(integrator, "step"),
              *tolerance = omr_json_get(integrator, "tolerance"), *item;
  if (step && tolerance)
    return omr_json_fail(&reader->json, tolerance, reader->error,
                         "a tolerance chooses the steps: leave out \"tolerance\", or \"step\" "
                         "(null in a --set takes a member away)");
  if (tolerance)
    OMR_TRY(omr_json_quantity(&reader->json, tolerance, "1", &study->tolerance, reader->error));
  if (tolerance && !(study->tolerance >= omr_least_tolerance(study->model) &&
                     study->tolerance <= OMR_MOST_TOLERANCE))
    return omr_json_fail(&reader->json, tolerance, reader->error,
                         "is %.9g; expected a tolerance from %g to %g, such as 1e-3",
                         study->tolerance, omr_least_tolerance(study->model), OMR_MOST_TOLERANCE);
  if (!tolerance) {
    OMR_TRY(omr_require(reader, integrator, "step",
                        "\"0.2 ms\" (or \"tolerance\": 1e-3, which chooses the steps)", &item));
    OMR_TRY(omr_read_time(reader, item, &study->step));
  }
  item = omr_json_get(integrator, "duration");
  study->duration = study->measured.duration;
  if (!item && reader->measured_run) {
    item = reader->measured_run;
    OMR_TRY(omr_require_whole_steps(reader, reader->measured_interval, "an interval",
                                    study->measured.interval, &study->steps));
  } else {
    OMR_TRY(omr_require(reader, integrator, "duration", "\"10 s\"", &item));
    OMR_TRY(omr_read_time(reader, item, &study->duration));
  }
  OMR_TRY(omr_require_whole_steps(reader, item, "a duration", study->duration, &study->steps));
  if (tolerance)
    study->steps = (uint64_t)fmin(fmax(rint(study->duration / OMR_NOMINAL_STEP), 1), 0x1p53);
  return OMR_OK;
}

/* Words that belong to fixed steps or to controlled ones. */
static omr_status check_words(omr_reader *reader, const cJSON *integrator) {
  const omr_study *study = reader->study;
  const cJSON *method = omr_json_get(integrator, "method"),
              *exchange = omr_json_get(integrator, "exchange");
  if (exchange && omr_small_list_of(study->model))
    return omr_json_fail(&reader->json, exchange, reader->error,
                         "%s has no rollers to exchange; leave \"exchange\" out",
                         omr_model_names[study->model]);
  if (study->tolerance > 0 && !study->split)
    return omr_json_fail(&reader->json, exchange, reader->error,
                         "\"straddle\" makes exchanges at ends of fixed steps, and a tolerance has "
                         "none; leave \"exchange\" out, or give "
                         "\"step\" in place of \"tolerance\"");
  if (!method || omr_model_is_own(study->model) ||
      omr_is_pair(study->method) == (study->tolerance > 0))
    return OMR_OK;
  if (study->tolerance > 0)
    return omr_json_fail(&reader->json, method, reader->error,
                         "\"%s\" takes fixed steps; leave \"method\" out, or give \"step\" in "
                         "place of \"tolerance\"",
                         omr_method_kinds[study->method].name);
  return omr_json_fail(&reader->json, method, reader->error,
                       "\"%s\" chooses its own steps: give \"tolerance\": 1e-3 in place of "
                       "\"step\", or another method",
                       omr_method_kinds[study->method].name);
}

/* A model without kernels is integrated by the reference's methods. */
static omr_status read_own_method(omr_reader *reader, const cJSON *integrator) {
  int method = 0;
  OMR_TRY(omr_read_choice(reader, integrator, "method", omr_own_methods, 2, &method));
  reader->study->stiff = method == 1;
  return OMR_OK;
}

omr_status omr_read_integrator(omr_reader *reader, const cJSON *root) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_integrator.def"
#undef X
  };
  static const char *const exchanges[] = {"split", "straddle"};
  const char *methods[OMR_METHOD_KINDS], *stabilities[OMR_STABILITY_KINDS];
  omr_study *study = reader->study;
  const cJSON *integrator, *item;
  int method = OMR_METHOD_RK4, exchange = 0, stability = OMR_STABILITY_WARN;
  kind_names(omr_method_kinds, OMR_METHOD_KINDS, methods);
  kind_names(omr_stability_kinds, OMR_STABILITY_KINDS, stabilities);
  OMR_TRY(omr_require(reader, root, "integrator",
                      "{\"method\": \"rk4\", \"step\": \"0.2 ms\", \"duration\": \"10 s\"}",
                      &item));
  OMR_TRY(omr_read_object(reader, root, "integrator", &integrator));
  OMR_TRY(omr_json_check_keys(&reader->json, integrator, keys, sizeof keys / sizeof *keys,
                              reader->error));
  if (omr_model_is_own(study->model))
    OMR_TRY(read_own_method(reader, integrator));
  else
    OMR_TRY(omr_read_choice(reader, integrator, "method", methods, OMR_METHOD_KINDS, &method));
  OMR_TRY(omr_read_choice(reader, integrator, "stability", stabilities, OMR_STABILITY_KINDS,
                          &stability));
  OMR_TRY(omr_read_choice(reader, integrator, "exchange", exchanges, 2, &exchange));
  study->split = exchange == 0;
  study->method = (omr_method)method;
  study->stability = (omr_stability)stability;
  OMR_TRY(read_times(reader, integrator));
  OMR_TRY(check_words(reader, integrator));
  return omr_read_failures(reader, integrator);
}

static omr_status check_pair(omr_reader *reader, const cJSON *method) {
  omr_study *study = reader->study;
  const omr_method wanted = omr_study_pair(study);
  if (!method) study->method = wanted;
  if (omr_is_pair(study->method) && omr_study_takes(study, study->method)) return OMR_OK;
  const char *what = omr_small_list_of(study->model) ? omr_model_names[study->model]
                                                     : omr_law_kinds[study->law].name;
  return omr_json_fail(&reader->json, method, reader->error,
                       "with a tolerance %s is integrated by \"%s\"%s; leave \"method\" out", what,
                       omr_method_kinds[wanted].name,
                       wanted == OMR_METHOD_DOPRI ? "" : " or \"ros2\"");
}

omr_status omr_check_method(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  const cJSON *item = omr_json_get(omr_json_get(root, "integrator"), "method");
  if (omr_model_is_own(study->model)) item = NULL; /* one of its own */
  if (study->tolerance > 0) return check_pair(reader, item);
  if (omr_small_list_of(study->model) &&
      (!omr_is_explicit(study->method) || omr_is_pair(study->method)))
    return omr_json_fail(
        &reader->json, item, reader->error,
        "\"%s\" is for the omni models; %s is integrated by \"rk4\", \"midpoint\" or \"heun\"",
        omr_method_kinds[study->method].name, omr_model_names[study->model]);
  if (!omr_is_implicit(study->method) || omr_law_is_friction(study->law)) return OMR_OK;
  return omr_json_fail(&reader->json, item, reader->error,
                       "\"rosenbrock\" treats friction implicitly, and the law %s is a constraint, "
                       "which is not stiff; use \"rk4\"",
                       omr_law_kinds[study->law].name);
}

static omr_status read_device(omr_reader *reader, const cJSON *engine) {
  const cJSON *item = omr_json_get(engine, "device");
  if (!item) return OMR_OK;
  if (!cJSON_IsString(item) || !*item->valuestring)
    return omr_json_fail(&reader->json, item, reader->error,
                         "expected the name of a device (`omniroll devices` lists them)");
  reader->study->engine.device = strdup(item->valuestring);
  return reader->study->engine.device ? OMR_OK : omr_fail_memory(reader);
}

static omr_status read_lanes(omr_reader *reader, const cJSON *engine) {
  const cJSON *item = omr_json_get(engine, "lanes");
  double lanes = 0;
  if (!item) return OMR_OK;
  OMR_TRY(omr_read_whole(reader, item, 1, 16, &lanes));
  const int count = (int)lanes;
  if (count & (count - 1))
    return omr_json_fail(&reader->json, item, reader->error,
                         "%d lanes; a pack has 1, 2, 4, 8 or 16", count);
  reader->study->engine.lanes = count;
  return OMR_OK;
}

/* How an OpenCL device runs the kernels; elsewhere it would have no effect. */
static omr_status read_device_word(omr_reader *reader, const cJSON *engine, const char *key,
                                   double most, int *value) {
  const cJSON *item = omr_json_get(engine, key);
  double number = 0;
  if (!item) return OMR_OK;
  OMR_TRY(omr_read_whole(reader, item, 0, most, &number));
  *value = (int)number;
  if (!*value || reader->study->engine.backend == OMR_BACKEND_OPENCL) return OMR_OK;
  return omr_json_fail(&reader->json, item, reader->error,
                       "%s is for OpenCL devices; set \"backend\": \"opencl\", or leave it out",
                       key);
}

static omr_status read_sizes(omr_reader *reader, const cJSON *engine) {
  omr_engine_options *options = &reader->study->engine;
  const cJSON *item;
  double value = 0;
  if ((item = omr_json_get(engine, "threads"))) {
    OMR_TRY(omr_read_whole(reader, item, 1, 65536, &value));
    options->threads = (int)value;
  }
  if ((item = omr_json_get(engine, "chunk"))) {
    OMR_TRY(omr_read_whole(reader, item, 1, 0x1p53, &value));
    options->chunk = (size_t)value;
  }
  if ((item = omr_json_get(engine, "launch_seconds")))
    OMR_TRY(omr_read_time(reader, item, &options->launch_seconds));
  if ((item = omr_json_get(engine, "check_seconds")))
    OMR_TRY(omr_read_time(reader, item, &options->check_seconds));
  if ((item = omr_json_get(engine, "hang_seconds")))
    OMR_TRY(omr_read_time(reader, item, &options->hang_seconds));
  return OMR_OK;
}

/* A lane counts its steps in the working precision. */
static omr_status check_clock(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  const bool single = study->engine.precision == OMR_SINGLE_PRECISION;
  if (single && study->tolerance > 0 && study->tolerance < OMR_LEAST_SINGLE_TOLERANCE)
    return omr_json_fail(&reader->json, omr_json_get(omr_json_get(root, "integrator"), "tolerance"),
                         reader->error,
                         "a tolerance of %g is more than single precision resolves: use at least "
                         "%g, or \"precision\": \"double\" in engine",
                         study->tolerance, OMR_LEAST_SINGLE_TOLERANCE);
  if (!single || study->tolerance > 0 || study->steps <= (uint64_t)1 << 24) return OMR_OK;
  return omr_json_fail(&reader->json, omr_json_get(omr_json_get(root, "integrator"), "step"),
                       reader->error,
                       "%llu steps are more than the 2^24 that single precision can count; use "
                       "\"precision\": \"double\" in engine "
                       "or a longer step",
                       (unsigned long long)study->steps);
}

/* The reference integrates in double precision with an error control of its own: there is no step
 * to halve, and one kind of numerics. */
static omr_status check_reference(omr_reader *reader, const cJSON *engine) {
  const omr_study *study = reader->study;
  const cJSON *numerics = omr_json_get(engine, "numerics");
  if (study->engine.backend != OMR_BACKEND_REFERENCE) return OMR_OK;
  if (study->engine.precision == OMR_SINGLE_PRECISION)
    return omr_json_fail(&reader->json, omr_json_get(engine, "precision"), reader->error,
                         "the backend \"reference\" integrates in double precision; leave "
                         "precision out");
  if (study->engine.numerics != OMR_NUMERICS_EXACT)
    return omr_json_fail(&reader->json, numerics, reader->error,
                         "the backend \"reference\" has no fast numerics; leave numerics out");
  if (study->engine.device)
    return omr_json_fail(&reader->json, omr_json_get(engine, "device"), reader->error,
                         "the backend \"reference\" runs on the processor; leave device out");
  if (study->on_failure == OMR_FAILURE_RETRY)
    return omr_json_fail(&reader->json, omr_json_get(engine, "backend"), reader->error,
                         "the backend \"reference\" has no step that retry_half_step could halve; "
                         "set integrator.on_failure to \"record\" or \"abort\"");
  return OMR_OK;
}

/* The scalar backend is there to be compared with; fast numerics have nothing to be compared with
 * bit by bit. */
static omr_status read_numerics(omr_reader *reader, const cJSON *engine) {
  static const char *const words[] = {[OMR_NUMERICS_EXACT] = "exact", [OMR_NUMERICS_FAST] = "fast"};
  omr_engine_options *options = &reader->study->engine;
  int numerics = OMR_NUMERICS_EXACT;
  OMR_TRY(omr_read_choice(reader, engine, "numerics", words, 2, &numerics));
  options->numerics = (omr_numerics)numerics;
  if (options->numerics == OMR_NUMERICS_EXACT || options->backend != OMR_BACKEND_SCALAR)
    return OMR_OK;
  return omr_json_fail(&reader->json, omr_json_get(engine, "numerics"), reader->error,
                       "the backend \"scalar\" is the yardstick of exact numerics and has no "
                       "others; use \"openmp\" or \"opencl\", "
                       "or leave numerics out");
}

/* What is compiled for a run are lanes of the processor. */
static omr_status read_compile(omr_reader *reader, const cJSON *engine) {
  static const char *const words[] = {
      [OMR_COMPILE_AUTO] = "auto", [OMR_COMPILE_ALWAYS] = "always", [OMR_COMPILE_NEVER] = "never"};
  omr_engine_options *options = &reader->study->engine;
  int mode = OMR_COMPILE_AUTO;
  OMR_TRY(omr_read_choice(reader, engine, "compile", words, 3, &mode));
  options->compile = (omr_compile_mode)mode;
  if (mode != OMR_COMPILE_ALWAYS || options->backend == OMR_BACKEND_AUTO ||
      options->backend == OMR_BACKEND_OPENMP)
    return OMR_OK;
  return omr_json_fail(
      &reader->json, omr_json_get(engine, "compile"), reader->error,
      "\"always\" compiles the lanes of the backend \"openmp\"; use that, or leave "
      "compile out");
}

const char *omr_numerics_name(omr_numerics numerics) {
  return numerics == OMR_NUMERICS_FAST ? "fast" : "exact";
}

const char *omr_study_numerics(const omr_study *study) {
  return study->engine.backend == OMR_BACKEND_REFERENCE ? "reference"
                                                        : omr_numerics_name(study->engine.numerics);
}

/* What the reference alone has runs there. */
static omr_status choose_backend(omr_reader *reader, const cJSON *item) {
  omr_engine_options *options = &reader->study->engine;
  const omr_model model = reader->study->model;
  if (!omr_model_is_own(model)) return OMR_OK;
  if (options->backend == OMR_BACKEND_AUTO) options->backend = OMR_BACKEND_REFERENCE;
  if (options->backend == OMR_BACKEND_REFERENCE) return OMR_OK;
  return omr_json_fail(&reader->json, item, reader->error,
                       "%s has no kernels for the backend \"%s\": it is integrated by the "
                       "multibody reference alone; leave \"backend\" out, or write \"reference\"",
                       omr_model_names[model], omr_backend_kinds[options->backend].name);
}

omr_status omr_read_engine(omr_reader *reader, const cJSON *root) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_engine.def"
#undef X
  };
  const char *backends[OMR_BACKEND_KINDS];
  static const char *const precisions[] = {
      [OMR_DOUBLE] = "double", [OMR_SINGLE_PRECISION] = "single"};
  omr_engine_options *options = &reader->study->engine;
  const cJSON *engine;
  int backend = OMR_BACKEND_AUTO, precision = OMR_DOUBLE;
  options->launch_seconds = 0.25;
  options->check_seconds = 600;
  options->hang_seconds = 60;
  kind_names(omr_backend_kinds, OMR_BACKEND_KINDS, backends);
  OMR_TRY(omr_read_object(reader, root, "engine", &engine));
  if (!engine) return choose_backend(reader, NULL);
  OMR_TRY(
      omr_json_check_keys(&reader->json, engine, keys, sizeof keys / sizeof *keys, reader->error));
  OMR_TRY(omr_read_choice(reader, engine, "backend", backends, OMR_BACKEND_KINDS, &backend));
  OMR_TRY(omr_read_choice(reader, engine, "precision", precisions, 2, &precision));
  options->backend = (omr_backend_kind)backend;
  OMR_TRY(choose_backend(reader, omr_json_get(engine, "backend")));
  options->precision = (omr_precision)precision;
  options->precision_given = omr_json_get(engine, "precision") != NULL;
  OMR_TRY(read_numerics(reader, engine));
  OMR_TRY(read_compile(reader, engine));
  OMR_TRY(read_device(reader, engine));
  OMR_TRY(read_lanes(reader, engine));
  OMR_TRY(read_sizes(reader, engine));
  OMR_TRY(read_device_word(reader, engine, "max_registers", 65536, &options->max_registers));
  OMR_TRY(read_device_word(reader, engine, "work_group", 65536, &options->work_group));
  OMR_TRY(check_clock(reader, root));
  return check_reference(reader, engine);
}
