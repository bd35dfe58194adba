/* "data.measured": the samples that were measured, and the part of each that is compared. */
#include "log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cycles of an order that a run has at least: at fewer the mean rise leaks into it. */
static const double least_cycles = 4;

/* ---- which sample */

static omr_status read_wheel(omr_reader *reader, const cJSON *item, omr_measured_sample *sample) {
  const cJSON *wheel = omr_json_get(item, "wheel");
  const char *name = omr_measured_info(reader->study->frame, sample->index).name;
  double number = 0;
  if (sample->index < OMR_VS_COUNT) {
    if (wheel)
      return OMR_REFUSE(reader, wheel, "\"%s\" is of the whole vehicle; leave \"wheel\" out", name);
    snprintf(sample->name, sizeof sample->name, "%s", name);
    return OMR_OK;
  }
  if (!wheel)
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_MISSING,
                        "\"%s\" is of a wheel; say of which one: \"wheel\": 0", name);
  OMR_TRY(omr_read_whole(reader, wheel, 0, OMR_MAX_WHEELS - 1, &number));
  sample->wheel = (int)number;
  snprintf(sample->name, sizeof sample->name, "wheels[%d].%s", sample->wheel, name);
  return OMR_OK;
}

static omr_status find_sample(omr_reader *reader, const cJSON *item, omr_measured_sample *sample) {
  const char *names[OMR_VS_COUNT + OMR_WS_COUNT];
  for (int i = 0; i < OMR_VS_COUNT + OMR_WS_COUNT; i++)
    names[i] = omr_measured_info(reader->study->frame, i).name;
  OMR_TRY(omr_read_word(reader, omr_json_get(item, "sample"), names, OMR_VS_COUNT + OMR_WS_COUNT,
                        &sample->index));
  return read_wheel(reader, item, sample);
}

/* ---- the part that is compared */

static bool is_logarithm(const omr_measured_sample *sample) {
  return sample->compared == OMR_COMPARE_SPECTRUM || sample->compared == OMR_COMPARE_ORDERS;
}

static omr_status read_noise(omr_reader *reader, const cJSON *item, const char *unit,
                             omr_measured_sample *sample) {
  const cJSON *noise, *correlation = omr_json_get(item, "correlation_time");
  const bool logarithm = is_logarithm(sample);
  OMR_TRY(omr_require(reader, item, "noise", logarithm ? "0.5" : "\"2 mm\"", &noise));
  OMR_TRY(omr_read_quantity(reader, noise, logarithm ? "1" : unit, &sample->noise));
  if (!(sample->noise > 0))
    return OMR_MISTAKEN(reader, noise, OMR_MISTAKE_RANGE,
                        "is %.9g; a standard deviation is above 0", sample->noise);
  if (sample->correlation_time == 0 || sample->compared == OMR_COMPARE_TRACE) return OMR_OK;
  return OMR_REFUSE(reader, correlation,
                    "is of noise from instant to instant, which only a trace has; leave it out, or "
                    "write \"compare\": \"trace\"");
}

static omr_status read_outliers(omr_reader *reader, const cJSON *item,
                                omr_measured_sample *sample) {
  const cJSON *outliers = omr_json_get(item, "outliers");
  if (sample->outliers == 0 || sample->correlation_time == 0) return OMR_OK;
  return OMR_REFUSE(reader, outliers,
                    "belong to noise that every instant has of its own; leave \"correlation_time\" "
                    "out, or the outliers");
}

static omr_status read_sample(omr_reader *reader, omr_log *log, const cJSON *item,
                              omr_measured_sample *sample) {
  const cJSON *column;
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected what was measured: {\"sample\": \"x\", \"column\": \"x_m\", "
                        "\"noise\": \"2 mm\"}");
  OMR_TRY(omr_read_keys(reader, item, OMR_SECTION_DATA_MEASURED, sample));
  OMR_TRY(find_sample(reader, item, sample));
  const char *unit = omr_measured_unit(sample->index);
  omr_log_want(log, sample->name, unit, (omr_framing){OMR_TURN_LISTED, NULL, NULL});
  column = omr_json_get(item, "column");
  if (!column && reader->study->measured.runs)
    OMR_TRY(omr_require(reader, item, "column", "\"x_m\"", &column));
  if (column) OMR_TRY(omr_log_read_column(log, column, &log->wanted[log->count - 1]));
  OMR_TRY(omr_check_rules(reader, item, OMR_SECTION_DATA_MEASURED, sample));
  OMR_TRY(read_noise(reader, item, unit, sample));
  return read_outliers(reader, item, sample);
}

/* ---- orders and bins, which go by another sample */

static omr_status find_against(omr_reader *reader, const cJSON *item, omr_measured_sample *sample) {
  const omr_measured *measured = &reader->study->measured;
  const cJSON *against;
  OMR_TRY(omr_require(reader, item, "against", "\"wheels[0].wheel_angle\"", &against));
  if (!cJSON_IsString(against))
    return OMR_MISTAKEN(
        reader, against, OMR_MISTAKE_TYPE,
        "expected the name of another measured sample, such as \"x\" or \"wheels[0].wheel_angle\"");
  for (size_t s = 0; s < measured->samples; s++) {
    if (&measured->sample[s] == sample) continue;
    if (strcmp(measured->sample[s].name, against->valuestring) != 0) continue;
    sample->against = s;
    return OMR_OK;
  }
  return OMR_REFUSE(reader, against,
                    "\"measured\" has no other entry \"%.200s\"; add {\"sample\": ...} with its "
                    "column, or name one that is there",
                    against->valuestring);
}

static omr_status read_numbers(omr_reader *reader, const cJSON *list, int least, const char *of,
                               const char *unit, omr_measured_sample *sample) {
  const cJSON *item;
  OMR_TRY(omr_require_array(reader, list, least, of));
  const int size = cJSON_GetArraySize(list);
  if (size > OMR_MOST_NUMBERS)
    return OMR_MISTAKEN(reader, list, OMR_MISTAKE_RANGE, "has %d entries; it has %d at most", size,
                        OMR_MOST_NUMBERS);
  sample->number = calloc((size_t)size, sizeof *sample->number);
  if (!sample->number) return omr_fail_memory(reader);
  cJSON_ArrayForEach(item, list)
      OMR_TRY(omr_read_quantity(reader, item, unit, &sample->number[sample->numbers++]));
  return OMR_OK;
}

static omr_status read_orders(omr_reader *reader, const cJSON *item, omr_measured_sample *sample) {
  const cJSON *list;
  OMR_TRY(omr_require(reader, item, "orders", "[9, 18]", &list));
  OMR_TRY(read_numbers(reader, list, 1, "orders", "1", sample));
  for (size_t k = 0; k < sample->numbers; k++)
    if (!(sample->number[k] > 0))
      return OMR_MISTAKEN(reader, cJSON_GetArrayItem(list, (int)k), OMR_MISTAKE_RANGE,
                          "is %.9g; an order is above 0", sample->number[k]);
  return OMR_OK;
}

static omr_status read_edges(omr_reader *reader, const cJSON *item, omr_measured_sample *sample) {
  const int index = reader->study->measured.sample[sample->against].index;
  const cJSON *list;
  OMR_TRY(omr_require(reader, item, "edges", "[0, 1, 2]", &list));
  OMR_TRY(read_numbers(reader, list, 2, "edges", omr_measured_unit(index), sample));
  for (size_t k = 1; k < sample->numbers; k++)
    if (!(sample->number[k] > sample->number[k - 1])) {
      const int digits = omr_digits_apart(sample->number[k], sample->number[k - 1], 9);
      return OMR_REFUSE(reader, cJSON_GetArrayItem(list, (int)k),
                        "is %.*g, not above the edge before it, %.*g; edges of bins rise", digits,
                        sample->number[k], digits, sample->number[k - 1]);
    }
  return OMR_OK;
}

/* Once all samples are known. */
static omr_status read_against(omr_reader *reader, const cJSON *list) {
  omr_measured *measured = &reader->study->measured;
  for (size_t s = 0; s < measured->samples; s++) {
    omr_measured_sample *sample = &measured->sample[s];
    const cJSON *item = cJSON_GetArrayItem(list, (int)s);
    if (sample->compared != OMR_COMPARE_ORDERS && sample->compared != OMR_COMPARE_BINS) continue;
    OMR_TRY(find_against(reader, item, sample));
    OMR_TRY(sample->compared == OMR_COMPARE_ORDERS ? read_orders(reader, item, sample)
                                                   : read_edges(reader, item, sample));
  }
  return OMR_OK;
}

omr_status omr_read_samples(omr_reader *reader, omr_log *log, const cJSON *data) {
  omr_measured *measured = &reader->study->measured;
  const cJSON *list, *item;

  /* The list is an array of bounded length. */
  OMR_TRY(omr_require(reader, data, "measured",
                      "[{\"sample\": \"x\", \"column\": \"x_m\", \"noise\": \"2 mm\"}]", &list));
  OMR_TRY(omr_require_array(reader, list, 1, "measured samples"));
  if (cJSON_GetArraySize(list) > OMR_MOST_MEASURED)
    return OMR_MISTAKEN(reader, list, OMR_MISTAKE_RANGE, "has %d entries; it has %d at most",
                        cJSON_GetArraySize(list), OMR_MOST_MEASURED);

  /* Each entry is a sample; no name stands twice. */
  measured->sample = calloc((size_t)cJSON_GetArraySize(list), sizeof *measured->sample);
  if (!measured->sample) return omr_fail_memory(reader);
  cJSON_ArrayForEach(item, list) {
    omr_measured_sample *sample = &measured->sample[measured->samples];
    OMR_TRY(read_sample(reader, log, item, sample));
    for (size_t s = 0; s < measured->samples; s++)
      if (strcmp(measured->sample[s].name, sample->name) == 0)
        return OMR_REFUSE(reader, item, "\"%s\" is listed twice", sample->name);
    OMR_TRY(omr_read_unknowns(reader, item, true, measured->samples++));
  }

  /* Entries that refer to another sample are read when all samples are known. */
  return read_against(reader, list);
}

/* ---- whether a run has it */

/* Each octave of a spectrum has two frequencies at least. */
static omr_status check_bands(omr_reader *reader, const cJSON *place,
                              const omr_measured_sample *sample) {
  const size_t instants = reader->study->measured.instants, least = (size_t)4 << sample->bands;
  if (instants > least) return OMR_OK;
  return OMR_REFUSE(reader, place,
                    "the run has %zu intervals, and %zu octaves of a spectrum need %zu; take fewer "
                    "\"bands\", or a shorter \"interval\"",
                    instants - 1, sample->bands, least);
}

static omr_status check_orders(omr_reader *reader, const cJSON *place,
                               const omr_measured_sample *sample) {
  const omr_measured *measured = &reader->study->measured;
  const omr_measured_sample *other = &measured->sample[sample->against];
  const double *phase = measured->value + sample->against * measured->instants;
  const double turn = omr_measured_turn(other->index);

  /* The phase's way and its longest step are counted in turns. */
  double way = 0, longest = 0;
  for (size_t i = 1; i < measured->instants; i++) {
    const double rise = fabs(phase[i] - phase[i - 1]) / turn;
    way += rise;
    longest = fmax(longest, rise);
  }

  /* Each order needs enough cycles, and instants close enough to follow them. */
  for (size_t k = 0; k < sample->numbers; k++) {
    if (!(sample->number[k] * way >= least_cycles))
      return OMR_REFUSE(reader, place,
                        "the run has %.3g cycles of the order %.9g of %s, and %g at least are "
                        "needed; take a longer run, or leave \"compare\": \"orders\" of it out",
                        sample->number[k] * way, sample->number[k], other->name, least_cycles);
    if (!(sample->number[k] * longest <= 0.5))
      return OMR_REFUSE(
          reader, place,
          "%s moves by %.3g cycles of the order %.9g from one instant to the next, and half of one "
          "is the most that can be told; take a shorter \"interval\", or a lower order",
          other->name, sample->number[k] * longest, sample->number[k]);
  }
  return OMR_OK;
}

static omr_status check_bins(omr_reader *reader, const cJSON *place,
                             const omr_measured_sample *sample) {
  const omr_measured *measured = &reader->study->measured;
  const double *by = measured->value + sample->against * measured->instants;
  for (size_t k = 0; k + 1 < sample->numbers; k++) {
    bool visited = false;
    for (size_t i = 0; i < measured->instants && !visited; i++)
      visited = by[i] >= sample->number[k] && by[i] < sample->number[k + 1];
    if (visited) continue;
    return OMR_REFUSE(reader, place,
                      "%s of the run is never from %.9g to %.9g, a bin of %s; choose \"edges\" "
                      "between which every run is",
                      measured->sample[sample->against].name, sample->number[k],
                      sample->number[k + 1], sample->name);
  }
  return OMR_OK;
}

omr_status omr_check_compared(omr_reader *reader, const cJSON *place) {
  const omr_measured *measured = &reader->study->measured;
  for (size_t s = 0; s < measured->samples; s++) {
    const omr_measured_sample *sample = &measured->sample[s];
    if (sample->compared == OMR_COMPARE_SPECTRUM) OMR_TRY(check_bands(reader, place, sample));
    if (!measured->runs) continue; /* a run that is planned has no values */
    if (sample->compared == OMR_COMPARE_ORDERS) OMR_TRY(check_orders(reader, place, sample));
    if (sample->compared == OMR_COMPARE_BINS) OMR_TRY(check_bins(reader, place, sample));
  }
  return OMR_OK;
}

omr_status omr_check_measured_wheels(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  const cJSON *list = omr_json_get(omr_json_get(root, "data"), "measured");
  for (size_t s = 0; s < study->measured.samples; s++) {
    const omr_measured_sample *sample = &study->measured.sample[s];
    if (sample->index < OMR_VS_COUNT || sample->wheel < study->wheels) continue;
    return OMR_REFUSE(reader, omr_json_get(cJSON_GetArrayItem(list, (int)s), "wheel"),
                      "there is no wheel %d: the vehicle has %d, counted from 0", sample->wheel,
                      study->wheels);
  }
  return OMR_OK;
}
