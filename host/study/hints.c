/* What is meant by words that a study does not know but its writer does. */
#include "hints.h"
#include "../lists/parameters.h"
#include "statistics_settings.h"

#include <string.h>

static bool is_among(const char *word, const char *const *known, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, known[i]) == 0) return true;
  return false;
}

const char *omr_word_hint(const char *word, const char *const *known, size_t count) {
  static const struct {
    const char *word, *meant, *hint;
  } words[] = {
      {"gpu", "opencl", "GPUs are run by \"opencl\""},
      {"GPU", "opencl", "GPUs are run by \"opencl\""},
      {"cuda", "opencl", "NVIDIA's GPUs are run by \"opencl\""},
      {"cpu", "openmp", "the processor is run by \"openmp\""},
      {"CPU", "openmp", "the processor is run by \"openmp\""},
      {"float", "single", "that is \"single\""},
      {"float32", "single", "that is \"single\""},
      {"float64", "double", "that is \"double\""},
      {"coulomb", "saturated_coulomb", "that is \"saturated_coulomb\""},
      {"random", "monte_carlo", "that is \"monte_carlo\""},
      {"lhs", "latin_hypercube", "that is \"latin_hypercube\""},
      {"pid", "body",
       "PI control is \"speed\" (of a wheel's rate) and \"body\" (of the vehicle's velocity)"},
      {"euler", "semi_implicit_euler", "that is \"semi_implicit_euler\""},
      {"mecanum", "omni_vehicle",
       "mecanum wheels are those of \"omni_vehicle\" with \"layout\": {\"type\": \"rectangle\", "
       "\"mecanum\": true}; "
       "omniroll new mecanum writes such a study"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i].word) == 0 && is_among(words[i].meant, known, count))
      return words[i].hint;
  return NULL;
}

/* Whether `key` is what a path begins with. */
static bool begins(const char *path, const char *key) {
  const size_t length = strlen(key);
  return strncmp(path, key, length) == 0 && (path[length] == '.' || path[length] == '\0');
}

static bool is_parameter(const char *key) {
  if (strcmp(key, "wheel") == 0 || strcmp(key, "wheels") == 0) return true;
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (begins(omr_vehicle_parameters[i].path, key)) return true;
  return false;
}

static bool is_wheel_parameter(const char *key) {
  for (int i = 0; i < OMR_WP_COUNT; i++)
    if (begins(omr_wheel_parameters[i].path, key)) return true;
  return false;
}

static bool is_of_statistics(const char *key) {
#define X(id, name, standard, meaning)                                                             \
  if (strcmp(key, name) == 0) return true;
#include "../lists/keys_statistics.def"
#undef X
  return false;
}

const char *omr_key_hint(const char *key, const char *const *known, size_t count) {
  static const struct {
    const char *key, *section, *hint;
  } keys[] = {{"method", "integrator", "it stands in \"integrator\""},
              {"step", "integrator", "it stands in \"integrator\""},
              {"duration", "integrator", "it stands in \"integrator\""},
              {"step_error", "integrator", "it stands in \"integrator\""},
              {"accept", "integrator", "it stands in \"integrator\""},
              {"backend", "engine", "it stands in \"engine\""},
              {"device", "engine", "it stands in \"engine\""},
              {"threads", "engine", "it stands in \"engine\""},
              {"precision", "engine", "it stands in \"engine\""},
              {"instances", "design", "it stands in \"design\""},
              {"seed", "design", "it stands in \"design\""},
              {"trajectories", "output", "it stands in \"output\""},
              {"observables", "output", "it stands in \"output\""},
              {"dt", "step", "the step is called \"step\""},
              {"time_step", "step", "the step is called \"step\""},
              {"min", "uniform",
               "a range is \"uniform\": [low, high], or \"linspace\": [first, last, count]"},
              {"max", "uniform",
               "a range is \"uniform\": [low, high], or \"linspace\": [first, last, count]"},
              {"range", "uniform",
               "a range is \"uniform\": [low, high], or \"linspace\": [first, last, count]"}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(key, keys[i].key) == 0 && is_among(keys[i].section, known, count))
      return keys[i].hint;
  if (is_among("statistics", known, count) && is_of_statistics(key))
    return "it stands in \"statistics\"";
  if (is_among("parameters", known, count) && is_parameter(key) && is_wheel_parameter(key))
    return "it stands in \"parameters\", or there in \"wheel\" (--set parameters.wheel.NAME=VALUE)";
  if (is_among("parameters", known, count) && is_parameter(key))
    return "it stands in \"parameters\" (--set parameters.NAME=VALUE)";
  if (is_among("parameters", known, count) && is_wheel_parameter(key))
    return "it stands in \"parameters\", \"wheel\" (--set parameters.wheel.NAME=VALUE)";
  if (is_among("wheel", known, count) && is_wheel_parameter(key))
    return "it stands in \"wheel\", or in one of \"wheels\"";
  return NULL;
}
