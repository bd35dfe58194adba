/* "excite": how a manoeuvre is looked for. */
#include "../grammar/parse.h"

#include <string.h>

/* Where no acceleration is given: the whole speed in so many seconds. */
static const double default_ramp = 0.5;

static omr_status read_families(omr_reader *reader, const cJSON *section) {
  static const char *const words[] = {
#define X(id, word, ...) word,
#include "../../lists/manoeuvres.def"
#undef X
  };
  omr_excite_settings *settings = &reader->study->excite;
  const cJSON *list = omr_json_get(section, "families"), *item;

  /* A study without a list takes all families. */
  for (int f = 0; f < OMR_MANOEUVRE_FAMILIES; f++) settings->family[f] = !list;
  if (!list) return OMR_OK;

  /* A list takes the families in it, each once. */
  OMR_TRY(omr_require_array(reader, list, 1, "families"));
  cJSON_ArrayForEach(item, list) {
    int family = 0;
    OMR_TRY(omr_read_word(reader, item, words, OMR_MANOEUVRE_FAMILIES, &family));
    if (settings->family[family])
      return OMR_REFUSE(reader, item, "\"%s\" is listed twice", words[family]);
    settings->family[family] = true;
  }
  return OMR_OK;
}

omr_status omr_read_excite(omr_reader *reader, const cJSON *root) {
  omr_excite_settings *settings = &reader->study->excite;
  omr_manoeuvre_limits *limits = &settings->limits;
  const cJSON *section;
  OMR_TRY(omr_read_object(reader, root, "excite", &section));
  if (!section) return OMR_OK;
  OMR_TRY(omr_read_keys(reader, section, OMR_SECTION_EXCITE, settings));
  if (!omr_json_get(section, "acceleration")) limits->acceleration = limits->speed / default_ramp;
  if (!omr_json_get(section, "yaw_acceleration"))
    limits->yaw_acceleration = limits->yaw_rate / default_ramp;
  return read_families(reader, section);
}
