#include "parse.h"
#include "rules.h"

static omr_status fail_few(omr_reader *reader, const cJSON *item, int wheels) {
  if (wheels > OMR_MAX_WHEELS)
    return OMR_REFUSE(reader, item, "%d wheels; at most %d can be simulated", wheels,
                      OMR_MAX_WHEELS);
  return OMR_REFUSE(reader, item,
                    "%d wheel%s cannot carry a platform; 3 to %d are needed, or 2 with "
                    "\"contact\": {\"normal\": \"compliant\"} (a single wheel is the model "
                    "\"omni_wheel\")",
                    wheels, wheels == 1 ? "" : "s", OMR_MAX_WHEELS);
}

omr_status omr_check_wheel_count(omr_reader *reader) {
  const omr_study *study = reader->study;
  const cJSON *layout = omr_json_get(reader->parameters, "layout");
  int sharing = 0;
  if (!omr_has_platform(study->model)) return OMR_OK;
  for (int i = 0; i < study->wheels; i++) sharing += study->kind[i] != OMR_WHEEL_TRACKING;
  if (study->wheels < 3 && !study->contact.compliant)
    return fail_few(reader, reader->wheels ? reader->wheels : omr_json_get(layout, "wheels"),
                    study->wheels);
  if (sharing > 1) return OMR_OK;
  return OMR_REFUSE(reader, reader->wheels ? reader->wheels : layout,
                    "%d of the wheels carries the platform, since tracking wheels do not; give "
                    "another one the kind roller, plain, caster or swerve",
                    sharing);
}

static omr_status read_ring(omr_reader *reader, const cJSON *layout) {
  const cJSON *item = omr_json_get(layout, "wheels");
  double wheels = 3;
  if (item) OMR_TRY(omr_read_whole(reader, item, 1, 1e6, &wheels));
  if (wheels < 2 || wheels > OMR_MAX_WHEELS) return fail_few(reader, item, (int)wheels);
  reader->study->wheels = (int)wheels;
  return OMR_OK;
}

static omr_status read_explicit(omr_reader *reader, const cJSON *layout) {
  if (!reader->wheels)
    return OMR_REFUSE(reader, layout,
                      "an explicit layout needs \"wheels\" in parameters: one object per wheel "
                      "with \"x\" and \"%s\", and \"axis_angle\" where its axis is turned",
                      omr_wheel_path(reader->study->frame, OMR_WP_Z));
  const int wheels = cJSON_GetArraySize(reader->wheels);
  if (wheels < 2 || wheels > OMR_MAX_WHEELS) return fail_few(reader, reader->wheels, wheels);
  reader->study->wheels = wheels;
  return OMR_OK;
}

static omr_status read_vehicle(omr_reader *reader, const cJSON *layout) {
  int type = OMR_LAYOUT_RING;
  OMR_TRY(omr_read_choice(reader, layout, "type", omr_layout_names, 3, &type));
  reader->study->layout = (omr_layout)type;
  OMR_TRY(omr_read_bool(reader, layout, "mecanum", &reader->mecanum));

  OMR_TRY(omr_check_stage(reader, OMR_RULES_LAYOUT));

  if (type == OMR_LAYOUT_RING) return read_ring(reader, layout);
  if (type == OMR_LAYOUT_EXPLICIT) return read_explicit(reader, layout);
  reader->study->wheels = 4;
  return OMR_OK;
}

static omr_status read_bench(omr_reader *reader, const cJSON *layout) {
  if (layout)
    return OMR_REFUSE(reader, layout,
                      "omni_wheel has one wheel and no layout; give its direction as \"wheel\": "
                      "{\"axis_angle\": ...}");
  reader->study->layout = OMR_LAYOUT_EXPLICIT;
  reader->study->wheels = 1;
  return OMR_OK;
}

static omr_status read_wheel_list(omr_reader *reader) {
  reader->wheels = omr_json_get(reader->parameters, "wheels");
  if (!reader->wheels) return OMR_OK;
  OMR_TRY(omr_require_array(reader, reader->wheels, 1, "wheels"));
  const cJSON *wheel;
  cJSON_ArrayForEach(wheel, reader->wheels) {
    if (!cJSON_IsObject(wheel))
      return OMR_REFUSE(reader, wheel,
                        "expected an object with this wheel's values; {} changes none");
  }
  return OMR_OK;
}

/* Kinds of wheels: a wheel's own, else the shared one. */
static omr_status read_kinds(omr_reader *reader) {
  const omr_key *key = omr_find_key(OMR_SECTION_WORDS, "wheel.kind");
  const cJSON *shared = omr_json_get(reader->shared, "kind");
  double kind = OMR_WHEEL_ROLLER;
  if (shared) OMR_TRY(omr_read_value(reader, shared, key, &kind));
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    const cJSON *own = omr_json_get(cJSON_GetArrayItem(reader->wheels, wheel), "kind");
    double of_wheel = kind;
    if (own) OMR_TRY(omr_read_value(reader, own, key, &of_wheel));
    if ((shared || own) && reader->study->model != OMR_MODEL_VEHICLE)
      return OMR_REFUSE(reader, own ? own : shared,
                        "\"kind\" is a word of omni_vehicle; the model of this study is %s",
                        omr_model_names[reader->study->model]);
    reader->study->kind[wheel] = (omr_wheel_kind)of_wheel;
  }
  return OMR_OK;
}

omr_status omr_read_layout(omr_reader *reader) {
  const cJSON *layout = NULL;
  if (reader->parameters) {
    OMR_TRY(omr_read_object(reader, reader->parameters, "wheel", &reader->shared));
    OMR_TRY(omr_read_object(reader, reader->parameters, "layout", &layout));
    OMR_TRY(read_wheel_list(reader));
  }
  const bool vehicle = omr_has_platform(reader->study->model);
  OMR_TRY(vehicle ? read_vehicle(reader, layout) : read_bench(reader, layout));
  const int listed = reader->wheels ? cJSON_GetArraySize(reader->wheels) : reader->study->wheels;
  if (listed != reader->study->wheels)
    return OMR_REFUSE(
        reader, reader->wheels,
        "lists %d wheels, but the %s has %d; give one object per wheel, {} where nothing differs",
        listed, vehicle ? "layout" : "omni_wheel", reader->study->wheels);
  return read_kinds(reader);
}
