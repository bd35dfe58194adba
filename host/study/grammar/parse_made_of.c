/* "made_of": the study that a study of single vehicles was made of (single_vehicle.c). It decides
 * nothing that runs. */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

static omr_status read_text(omr_reader *reader, const cJSON *item) {
  if (cJSON_IsString(item)) return OMR_OK;
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected text in quotes");
}

static omr_status read_nominal(omr_reader *reader, const cJSON *nominal) {
  const cJSON *item;
  reader->study->made_of.nominal = true;
  if (reader->study->instances != 1)
    return OMR_REFUSE(reader, nominal,
                      "the nominal vehicle is one, and the study has %zu instances; leave "
                      "\"made_of\" out, which omniroll writes",
                      reader->study->instances);
  cJSON_ArrayForEach(item, nominal) OMR_TRY(read_text(reader, item));
  return OMR_OK;
}

static omr_status read_instances(omr_reader *reader, const cJSON *list) {
  omr_made_of *of = &reader->study->made_of;
  OMR_TRY(omr_require_array(reader, list, 1, "instance numbers"));
  if ((size_t)cJSON_GetArraySize(list) != reader->study->instances)
    return OMR_REFUSE(reader, list,
                      "has %d numbers for the %zu instances of the study; leave \"made_of\" out, "
                      "which omniroll writes",
                      cJSON_GetArraySize(list), reader->study->instances);
  of->instances = calloc(reader->study->instances, sizeof *of->instances);
  if (!of->instances) return omr_fail_memory(reader);
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    double number;
    OMR_TRY(omr_read_whole(reader, item, 0, 0x1p53, &number));
    of->instances[of->count++] = (size_t)number;
  }
  return OMR_OK;
}

omr_status omr_read_made_of(omr_reader *reader, const cJSON *root) {
  const cJSON *of, *nominal, *instances;
  OMR_TRY(omr_read_section(reader, root, OMR_SECTION_MADE_OF, &reader->study->made_of, &of));
  if (!of) return OMR_OK;
  OMR_TRY(omr_read_object(reader, of, "nominal", &nominal));
  instances = omr_json_get(of, "instances");
  if (nominal && instances)
    return OMR_REFUSE(reader, instances,
                      "a vehicle is the nominal one, or an instance; leave one of them out");
  if (nominal) return read_nominal(reader, nominal);
  if (instances) return read_instances(reader, instances);
  return omr_json_missing(&reader->json, of, "instances", "[0]", reader->error);
}
