/* "excite": how a manoeuvre is looked for. */
#include "parse.h"

#include <string.h>

/* Where no acceleration is given: the whole speed in so many seconds. */
static const double default_ramp = 0.5;

/* A quantity above 0; an absent one leaves *value. */
static omr_status read_limit(omr_reader *reader, const cJSON *section, const char *key,
                             const char *unit, double *value) {
  const cJSON *item = omr_json_get(section, key);
  if (!item) return OMR_OK;
  OMR_TRY(omr_json_quantity(&reader->json, item, unit, value, reader->error));
  if (*value > 0) return OMR_OK;
  return omr_json_mistake(&reader->json, item, OMR_MISTAKE_RANGE, reader->error,
                          "is %.9g; a limit is above 0", *value);
}

static omr_status read_limits(omr_reader *reader, const cJSON *section) {
  omr_manoeuvre_limits *limits = &reader->study->excite.limits;
  const cJSON *item;
  OMR_TRY(omr_require(reader, section, "speed", "\"0.5 m/s\"", &item));
  OMR_TRY(omr_require(reader, section, "yaw_rate", "\"90 deg/s\"", &item));
  OMR_TRY(read_limit(reader, section, "speed", "m s-1", &limits->speed));
  OMR_TRY(read_limit(reader, section, "yaw_rate", "rad s-1", &limits->yaw_rate));
  limits->acceleration = limits->speed / default_ramp;
  limits->yaw_acceleration = limits->yaw_rate / default_ramp;
  OMR_TRY(read_limit(reader, section, "acceleration", "m s-2", &limits->acceleration));
  OMR_TRY(read_limit(reader, section, "yaw_acceleration", "rad s-2", &limits->yaw_acceleration));
  item = omr_json_get(section, "duration");
  return item ? omr_read_time(reader, item, &limits->duration) : OMR_OK;
}

static omr_status read_families(omr_reader *reader, const cJSON *section) {
  static const char *const words[] = {
#define X(id, word, ...) word,
#include "../lists/manoeuvres.def"
#undef X
  };
  omr_excite_settings *settings = &reader->study->excite;
  const cJSON *list = omr_json_get(section, "families"), *item;
  for (int f = 0; f < OMR_MANOEUVRE_FAMILIES; f++) settings->family[f] = !list;
  if (!list) return OMR_OK;
  OMR_TRY(omr_require_array(reader, list, 1, "families"));
  cJSON_ArrayForEach(item, list) {
    int family = 0;
    OMR_TRY(omr_read_word(reader, item, words, OMR_MANOEUVRE_FAMILIES, &family));
    if (settings->family[family])
      return omr_json_fail(&reader->json, item, reader->error, "\"%s\" is listed twice",
                           words[family]);
    settings->family[family] = true;
  }
  return OMR_OK;
}

static omr_status read_count(omr_reader *reader, const cJSON *section, const char *key, double low,
                             double high, size_t *count) {
  const cJSON *item = omr_json_get(section, key);
  double value;
  if (!item) return OMR_OK;
  OMR_TRY(omr_read_whole(reader, item, low, high, &value));
  *count = (size_t)value;
  return OMR_OK;
}

omr_status omr_read_excite(omr_reader *reader, const cJSON *root) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_excite.def"
#undef X
  };
  omr_excite_settings *settings = &reader->study->excite;
  const cJSON *section;
  size_t seed = 0;
  OMR_TRY(omr_read_object(reader, root, "excite", &section));
  if (!section) return OMR_OK;
  OMR_TRY(
      omr_json_check_keys(&reader->json, section, keys, sizeof keys / sizeof *keys, reader->error));
  *settings = (omr_excite_settings){.tries = 60, .draws = 4, .rounds = 3};
  OMR_TRY(read_limits(reader, section));
  OMR_TRY(read_families(reader, section));
  OMR_TRY(read_count(reader, section, "tries", 1, 10000, &settings->tries));
  OMR_TRY(read_count(reader, section, "draws", 1, 1000, &settings->draws));
  OMR_TRY(read_count(reader, section, "rounds", 0, 100, &settings->rounds));
  OMR_TRY(read_count(reader, section, "seed", 0, 0x1p53, &seed));
  settings->seed = seed;
  return OMR_OK;
}
