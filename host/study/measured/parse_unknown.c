/* Unknowns between model and log: distributions of a clock's offset and scale ("data"), and of a
 * sensor's bias and gain ("data.measured[i]"). */
#include "../designs/distributions.h"
#include "../grammar/parse.h"

#include <stdlib.h>

/* A clock stands still at a scale of 0; of a distribution without ends as good as nothing is beyond
 * this many deviations. */
static const double beyond = 6;

static omr_status check_scale(omr_reader *reader, const cJSON *item, const omr_variation *prior) {
  const double lowest = omr_quantile_of_normal(prior, -beyond);
  if (lowest > 0) return OMR_OK;
  return OMR_MISTAKEN(
      reader, item, OMR_MISTAKE_RANGE,
      "reaches down to %.3g; the scale of a clock is above 0, such as {\"normal\": [1, 0.001]}",
      lowest);
}

static omr_status read_prior(omr_reader *reader, const cJSON *item, omr_unknown *unknown) {
  const char *draws[OMR_DRAWS];
  double own = unknown->per_run;
  for (int draw = 0; draw < OMR_DRAWS; draw++) draws[draw] = omr_draw_kinds[draw].name;

  /* The prior is one distribution, with its own keys. */
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(
        reader, item, OMR_MISTAKE_TYPE,
        "expected what is known of it, a distribution: {\"normal\": [mean, standard deviation]}%s",
        unknown->kind == OMR_UNKNOWN_START_ERROR ? ", or 0" : "");
  OMR_TRY(omr_check_section(reader, item, OMR_SECTION_DATA_UNKNOWN, draws, OMR_DRAWS));

  /* The unknown may differ from run to run. */
  OMR_TRY(omr_read_member(reader, item, OMR_SECTION_DATA_UNKNOWN, "per", &own));
  unknown->per_run = own != 0;
  OMR_TRY(omr_read_draw(reader, item, unknown->prior));

  /* A value without a spread would be known. */
  if (!omr_is_random(unknown->prior->draw))
    return OMR_REFUSE(reader, item,
                      "\"%s\" is no distribution; what is unknown has one, such as {\"normal\": "
                      "[mean, standard deviation]}",
                      omr_draw_kinds[unknown->prior->draw].name);
  return unknown->kind == OMR_UNKNOWN_CLOCK_SCALE ? check_scale(reader, item, unknown->prior)
                                                  : OMR_OK;
}

static omr_status add_unknown(omr_reader *reader, omr_unknown_kind kind, size_t sample,
                              omr_unknown **added) {
  omr_measured *measured = &reader->study->measured;
  const omr_unknown_info *info = &omr_unknown_list[kind];

  /* The list grows by one row. */
  if (!omr_grow(&measured->unknown, measured->unknowns + 1, sizeof *measured->unknown))
    return omr_fail_memory(reader);

  /* The row starts with the standards of its kind. */
  omr_unknown *unknown = *added = &measured->unknown[measured->unknowns++];
  *unknown = (omr_unknown){.kind = kind,
                           .sample = sample,
                           .per_run = info->per_run,
                           .prior = calloc(1, sizeof *unknown->prior)};
  if (!unknown->prior) return omr_fail_memory(reader);

  /* The prior belongs to the sensor, or to the whole log. */
  unknown->prior->sensed = true;
  unknown->prior->index = (int)kind;
  unknown->prior->wheel = info->of_sensor ? measured->sample[sample].index : -1;
  unknown->prior->dimension = -1;
  return OMR_OK;
}

omr_status omr_read_unknowns(omr_reader *reader, const cJSON *object, bool of_sensor,
                             size_t sample) {
  for (int kind = 0; kind < OMR_UNKNOWNS; kind++) {
    const cJSON *item = omr_json_get(object, omr_unknown_list[kind].key);
    omr_unknown *unknown = NULL;
    if (!item || omr_unknown_list[kind].of_sensor != of_sensor) continue;
    if (kind == OMR_UNKNOWN_START_ERROR && cJSON_IsNumber(item) && item->valuedouble == 0) continue;
    OMR_TRY(add_unknown(reader, (omr_unknown_kind)kind, sample, &unknown));
    OMR_TRY(read_prior(reader, item, unknown));
  }
  return OMR_OK;
}

omr_status omr_assume_start_error(omr_reader *reader, size_t sample) {
  omr_unknown *unknown = NULL;
  OMR_TRY(add_unknown(reader, OMR_UNKNOWN_START_ERROR, sample, &unknown));
  unknown->assumed = true;
  unknown->prior->draw = OMR_DRAW_NORMAL;
  unknown->prior->b = reader->study->measured.sample[sample].noise;
  return OMR_OK;
}
