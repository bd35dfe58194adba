/* Parameters, measures and samples that a study names itself. */
#include "graph_names.h"

#include "../../lists/samples.h"
#include "../expression/expression_units.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 48 };

/* LISTS OF NAMES */

void omr_graph_names_free(omr_graph_name *list, int count) {
  for (int i = 0; i < count; i++) {
    free(list[i].name);
    free(list[i].unit);
    free(list[i].meaning);
  }
  free(list);
}

static omr_status append(omr_reader *reader, omr_graph_name **list, int *count,
                         omr_graph_name name) {
  if (!omr_grow(list, (size_t)*count + 1, sizeof **list)) return omr_fail_memory(reader);
  omr_graph_name *added = &(*list)[(*count)++];
  *added = (omr_graph_name){strdup(name.name), strdup(name.unit),
                            strdup(name.meaning ? name.meaning : "")};
  return added->name && added->unit && added->meaning ? OMR_OK : omr_fail_memory(reader);
}

/* WORDS THAT MAY BE A NAME */

const char *const omr_graph_words[] = {
#define X(name, ...) name,
#include "../../lists/functions.def"
#undef X
    "and", "or", "not", "t", "pi", "status", NULL};

static bool is_word(const char *name) {
  size_t count = 0;
  while (omr_graph_words[count]) count++;
  return omr_is_among(name, omr_graph_words, count);
}

/* Datasets that every result has in addition to its columns and samples. */
static bool is_kept(const char *name) {
  static const char *const words[] = {"instance", "status_time", "retries",
                                      "traced",   "time",        "wheel"};
  return omr_is_among(name, words, sizeof words / sizeof *words);
}

/* Datasets next to the samples of trajectories and of the last states of failed instances. */
static bool is_beside_samples(const char *name) {
  for (int d = 0; d < OMR_DRIFT_COUNT; d++)
    if (strcmp(name, omr_drift_samples[d].name) == 0) return true;
  return strncmp(name, "status", 6) == 0 || strncmp(name, "invalid_", 8) == 0;
}

static omr_status fail_kept(omr_reader *reader, const cJSON *item, const char *name) {
  return OMR_REFUSE(reader, item,
                    "every result has a dataset \"%s\" of its own; choose another name", name);
}

static bool is_in(const char *name, const omr_graph_name *list, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(name, list[i].name) == 0) return true;
  return false;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_identifier(const char *name) {
  size_t length = 0;
  if (!is_letter(*name)) return false;
  while (is_letter(name[length]) || (name[length] >= '0' && name[length] <= '9') ||
         name[length] == '_')
    length++;
  return !name[length] && length <= LONGEST_NAME;
}

omr_status omr_check_given_name(omr_reader *reader, const cJSON *item, const char *name) {
  if (!is_identifier(name))
    return OMR_REFUSE(reader, item,
                      "\"%.100s\" is no name: one has letters, digits and underscores, a letter "
                      "first, and at most %d of them, such as \"rotor_speed\"",
                      name, LONGEST_NAME);
  if (is_kept(name)) return fail_kept(reader, item, name);
  if (!is_word(name)) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "\"%s\" is a word of expressions and names nothing else; choose another name, "
                    "such as \"%s_0\"",
                    name, name);
}

/* Parameters and measures are columns of one result, and criteria name both. */
static omr_status check_column(omr_reader *reader, const cJSON *item, const char *name) {
  const omr_graph *graph = reader->study->graph;
  OMR_TRY(omr_check_given_name(reader, item, name));
  const char *taken = is_in(name, graph->parameter, graph->parameters) ? "parameter"
                      : is_in(name, graph->measure, graph->measures)   ? "measure"
                                                                       : NULL;
  if (!taken) return OMR_OK;
  return OMR_REFUSE(reader, item, "\"%s\" is already a %s of this study; choose another name", name,
                    taken);
}

static omr_status check_room(omr_reader *reader, const cJSON *item, const char *what, int count,
                             int most) {
  if (count < most) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "this is %s number %d, and a study has at most %d; write numbers that are "
                    "never varied where they are used",
                    what, count + 1, most);
}

/* A unit in SI as the lists write it, "rad s-1" or "N"; of another kind in SI base units. */
static void print_si(const omr_measure *measure, char *unit, size_t size) {
  static const char *const listed[] = {
#define X(unit, ...) unit,
#include "../../lists/units.def"
#undef X
  };
  for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
    omr_measure known = {0};
    char *message = NULL;
    if (omr_measure_of_unit(listed[i], &known, &message) &&
        omr_dimension_equal(known.dimension, measure->dimension, true)) {
      snprintf(unit, size, "%s", listed[i]);
      return;
    }
    free(message);
  }
  omr_measure_si(measure, unit, size);
}

/* A unit as dimensions are printed, "s-1 rad", as the lists write it; any other stays. */
void omr_print_usual_unit(const char *given, char *unit, size_t size) {
  omr_measure measure = {0};
  char *message = NULL, printed[64];
  snprintf(unit, size, "%s", given);
  if (!omr_measure_of_unit(given, &measure, &message)) {
    free(message);
    return;
  }
  omr_measure_si(&measure, printed, sizeof printed);
  if (strcmp(printed, given) == 0) print_si(&measure, unit, size);
}

static omr_status graph_add_parameter(omr_reader *reader, const cJSON *item, omr_graph_name name) {
  omr_graph *graph = reader->study->graph;
  OMR_TRY(check_room(reader, item, "parameter", graph->parameters, OMR_GRAPH_PARAMETERS));
  OMR_TRY(check_column(reader, item, name.name));
  return append(reader, &graph->parameter, &graph->parameters, name);
}

omr_status omr_graph_add_measure(omr_reader *reader, const cJSON *item, omr_graph_name name) {
  omr_graph *graph = reader->study->graph;
  OMR_TRY(check_room(reader, item, "measure", graph->measures, OMR_GRAPH_MEASURES));
  OMR_TRY(check_column(reader, item, name.name));
  char unit[96];
  omr_print_usual_unit(name.unit, unit, sizeof unit);
  name.unit = unit;
  return append(reader, &graph->measure, &graph->measures, name);
}

omr_status omr_graph_add_sample(omr_reader *reader, const cJSON *item, omr_graph_name name) {
  omr_graph *graph = reader->study->graph;
  OMR_TRY(omr_check_given_name(reader, item, name.name));
  if (is_in(name.name, graph->sample, graph->samples))
    return OMR_REFUSE(reader, item, "\"%s\" is already a sample of this study; choose another name",
                      name.name);
  if (is_beside_samples(name.name)) return fail_kept(reader, item, name.name);
  char unit[96];
  omr_print_usual_unit(name.unit, unit, sizeof unit);
  name.unit = unit;
  return append(reader, &graph->sample, &graph->samples, name);
}

/* PARAMETERS */

const char *omr_after_number(const char *text) {
  text += strspn(text, " \t");
  const size_t length = omr_signed_length(text);
  return length == 0 ? NULL : text + length + strspn(text + length, " \t");
}

/* The unit of a text such as "250 rpm", in SI. */
static omr_status read_unit(omr_reader *reader, const cJSON *item, char *unit, size_t size) {
  const char *given = omr_after_number(item->valuestring);
  omr_measure measure = {0};
  char *message = NULL;
  snprintf(unit, size, "1");
  if (!given || !*given) return OMR_OK; /* the conversion reports the mistake */
  if (omr_measure_of_unit(given, &measure, &message)) {
    print_si(&measure, unit, size);
    return OMR_OK;
  }
  if (!message) return omr_fail_memory(reader);
  const omr_status status =
      OMR_MISTAKEN(reader, item, OMR_MISTAKE_UNIT, "\"%.60s\": %s", item->valuestring, message);
  free(message);
  return status;
}

static omr_status read_value(omr_reader *reader, const cJSON *item, char *unit, size_t size,
                             double *value) {
  snprintf(unit, size, "1");
  if (cJSON_IsString(item)) OMR_TRY(read_unit(reader, item, unit, size));
  if (cJSON_IsString(item) || cJSON_IsNumber(item))
    return omr_read_quantity(reader, item, unit, value);
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                      "expected a number, a text with number and unit such as \"0.5 m\", or "
                      "{\"value\": ..., \"meaning\": \"...\"}");
}

static omr_status read_parameter(omr_reader *reader, const cJSON *item) {
  static const char *const keys[] = {"value", "meaning"};
  const cJSON *value = item, *meaning = NULL;
  char unit[64];
  double number = 0;

  /* A parameter is a value, or an object with its meaning. */
  if (cJSON_IsObject(item)) {
    OMR_TRY(OMR_CHECK_KEYS(reader, item, keys));
    OMR_TRY(omr_require(reader, item, "value", "\"0.5 m\"", &value));
    meaning = omr_json_get(item, "meaning");
  }
  if (meaning && !cJSON_IsString(meaning))
    return OMR_MISTAKEN(reader, meaning, OMR_MISTAKE_TYPE, "expected text in quotes");

  /* The value brings its unit. */
  OMR_TRY(read_value(reader, value, unit, sizeof unit, &number));

  /* The parameter takes the next place among the numbers of the vehicle. */
  const int place = OMR_VP_GRAPH_0 + reader->study->graph->parameters;
  OMR_TRY(graph_add_parameter(
      reader, item, (omr_graph_name){item->string, unit, meaning ? meaning->valuestring : NULL}));
  reader->study->base.vehicle[place] = number;
  reader->vehicle_item[place] = value;
  return OMR_OK;
}

omr_status omr_read_graph_parameters(omr_reader *reader, const cJSON *root) {
  const cJSON *item;
  OMR_TRY(omr_read_object(reader, root, "parameters", &reader->parameters));
  cJSON_ArrayForEach(item, reader->parameters) OMR_TRY(read_parameter(reader, item));
  return OMR_OK;
}
