/* Design "subset_simulation" (host/statistics/subset.h). */
#include "parse.h"

#include <math.h>
#include <string.h>

enum { LEAST_CHAINS = 10, MOST_PARTS = 1000, MOST_LEVELS = 1000 };

/* 1 / level probability, a whole number: so many states has a chain. */
static omr_status read_parts(omr_reader *reader) {
  const cJSON *item = omr_json_get(reader->design, "level_probability");
  double p = 0.1;
  if (item) OMR_TRY(omr_read_quantity(reader, item, "1", &p));
  const double parts = p > 0 ? nearbyint(1 / p) : 0;
  reader->study->sample.parts = (size_t)(parts <= MOST_PARTS ? parts : 0);
  if (parts >= 2 && parts <= MOST_PARTS && fabs(p * parts - 1) < 1e-3) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "is %.9g; it must be 1 over a whole number from 2 to %d: 0.1 (usual), 0.2, "
                    "0.25 or 0.5, for example",
                    p, MOST_PARTS);
}

static omr_status check_points(omr_reader *reader) {
  const omr_sampling *sample = &reader->study->sample;
  const cJSON *item = omr_json_get(reader->design, "instances");
  const size_t least = LEAST_CHAINS * sample->parts;
  if (sample->points >= least && sample->points % sample->parts == 0) return OMR_OK;
  const size_t up = (sample->points + sample->parts - 1) / sample->parts * sample->parts;
  return OMR_REFUSE(reader, item,
                    "%zu instances per level; it must be a multiple of 1/level_probability = %zu "
                    "and at least %zu, for example %zu (1000 or more are usual)",
                    sample->points, sample->parts, least, up > least ? up : least);
}

static omr_status read_levels(omr_reader *reader) {
  const cJSON *item = omr_json_get(reader->design, "levels");
  omr_study *study = reader->study;
  double levels = 10;
  if (item) OMR_TRY(omr_read_whole(reader, item, 1, MOST_LEVELS, &levels));
  study->sample.levels = (size_t)levels;
  const size_t later = study->sample.points - study->sample.points / study->sample.parts;
  study->instances = study->sample.points + (study->sample.levels - 1) * later;
  return OMR_OK;
}

/* That there is such a criterion is seen once the section "statistics" is read. */
static omr_status read_criterion(omr_reader *reader) {
  const cJSON *item = omr_json_get(reader->design, "fail");
  if (!item) return OMR_OK;
  if (!cJSON_IsString(item))
    return OMR_REFUSE(reader, item,
                      "expected the name of a criterion of \"fail\" in the section \"statistics\"");
  reader->study->sample.criterion = strdup(item->valuestring);
  return reader->study->sample.criterion ? OMR_OK : omr_fail_memory(reader);
}

omr_status omr_read_subset(omr_reader *reader) {
  OMR_TRY(read_parts(reader));
  OMR_TRY(check_points(reader));
  OMR_TRY(read_levels(reader));
  return read_criterion(reader);
}
