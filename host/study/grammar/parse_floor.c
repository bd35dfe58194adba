/* The floor below compliant contacts: parameters.floor. */
#include "parse.h"

/* path: the key of the floor as the study writes it. */
static omr_status require_compliant(omr_reader *reader, const cJSON *item, const char *path) {
  if (reader->study->contact.compliant) return OMR_OK;
  return OMR_REFUSE(
      reader, item,
      "\"%s\" belongs to compliant contact, and here the contact is %s, on a level plane; give "
      "\"contact\": {\"normal\": \"compliant\"}, or for a slope an external force with the "
      "weight's part along it at the height of the centre of mass",
      path, reader->study->contact.penalty ? "penalty" : "rigid");
}

omr_status omr_require_usable_floor(omr_reader *reader, const cJSON *item, int index) {
  return require_compliant(reader, item, omr_vehicle_path(reader->study->frame, index));
}

/* The degree of roughness by its class. */
static omr_status read_class(omr_reader *reader, const cJSON *roughness) {
  static const char *const names[] = {
#define X(id, name, degree) name,
#include "../../lists/roughness_classes.def"
#undef X
  };
  static const double degrees[] = {
#define X(id, name, degree) degree,
#include "../../lists/roughness_classes.def"
#undef X
  };

  /* A class stands for a degree, so that only one of them is given. */
  const cJSON *item = omr_json_get(roughness, "class"), *degree = omr_json_get(roughness, "degree");
  int choice = 0;
  if (!item) return OMR_OK;
  OMR_TRY(require_compliant(reader, item, "floor.roughness.class"));
  if (degree)
    return OMR_REFUSE(reader, item,
                      "the roughness has a \"degree\" and a \"class\", which stands for one; leave "
                      "one of them out");

  /* The parameter takes the degree of the class. */
  OMR_TRY(omr_read_word(reader, item, names, sizeof names / sizeof *names, &choice));
  reader->study->base.vehicle[OMR_VP_FLOOR_DEGREE] = degrees[choice];
  reader->vehicle_item[OMR_VP_FLOOR_DEGREE] = item;
  return OMR_OK;
}

omr_status omr_read_floor(omr_reader *reader) {
  const cJSON *floor, *part;
  OMR_TRY(omr_read_object(reader, reader->parameters, "floor", &floor));
  if (!floor) return OMR_OK;
  OMR_TRY(omr_read_object(reader, floor, "roughness", &part));
  if (part) OMR_TRY(read_class(reader, part));
  OMR_TRY(omr_read_object(reader, floor, "map", &part));
  if (!part) return OMR_OK;
  OMR_TRY(require_compliant(reader, part, "floor.map"));
  return omr_read_floor_map(reader, part);
}
