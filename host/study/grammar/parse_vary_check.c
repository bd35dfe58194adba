#include "../designs/distributions.h"
#include "parse.h"
#include "rules.h"

#include <math.h>

static bool directions_given(const omr_reader *reader, int wheel) {
  const double *base = reader->study->base.wheel[wheel];
  return reader->study->contact.law == OMR_LAW_REGULARIZED &&
         !isnan(base[OMR_WP_LATERAL_FRICTION]) && !isnan(base[OMR_WP_LONGITUDINAL_FRICTION]);
}

/* Makes sense without a base value: no limit, or the other friction coefficient. */
static bool stands_alone(int index) {
  return index == OMR_WP_TORQUE_LIMIT || index == OMR_WP_EMF_CONSTANT ||
         index == OMR_WP_BACK_EFFICIENCY || index == OMR_WP_CURRENT_LIMIT ||
         index == OMR_WP_LATERAL_FRICTION || index == OMR_WP_LONGITUDINAL_FRICTION;
}

static omr_status check_base(omr_reader *reader, const cJSON *item, const omr_variation *variation,
                             int wheel) {
  const omr_frame_kind frame = reader->study->frame;
  const char *path = omr_wheel_path(frame, variation->index);
  if (variation->index == OMR_WP_FRICTION && reader->study->contact.law == OMR_LAW_REGULARIZED &&
      directions_given(reader, wheel))
    return OMR_REFUSE(reader, item,
                      "wheel %d has \"lateral_friction\" and \"longitudinal_friction\", which "
                      "\"friction\" is the default of; vary these",
                      wheel);
  if (isnan(reader->study->base.wheel[wheel][variation->index]) && !stands_alone(variation->index))
    return OMR_REFUSE(
        reader, item,
        "wheel %d has no \"%s\" to vary; give it in parameters, with what belongs to it", wheel,
        path);
  return OMR_OK;
}

/* A wheel's own value would be lost silently under a variation of all wheels. */
static omr_status check_own(omr_reader *reader, const cJSON *item, const omr_variation *variation,
                            int wheel) {
  const cJSON *given = reader->wheel_item[wheel][variation->index];
  const char *path = omr_wheel_path(reader->study->frame, variation->index);
  if (variation->wheel >= 0 || !given || given == reader->shared_item[variation->index])
    return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "wheels[%d] has its own \"%s\" (line %d), which this would replace; vary "
                    "\"wheels[%d].%s\" or take that value out",
                    wheel, path, omr_json_line(&reader->json, given), wheel, path);
}

/* A study may carry parameters of other laws, so that it can be run under each; to vary one of them
 * would do nothing. */
static omr_status check_law(omr_reader *reader, const cJSON *item, const omr_variation *variation) {
  const omr_study *study = reader->study;
  const omr_kind *law = &omr_law_kinds[study->contact.law];
  const omr_target target = {true, variation->index, variation->wheel};
  if (!omr_is_law_parameter(variation->index)) return OMR_OK;
  for (int i = omr_target_first(target); i < omr_target_end(reader, target); i++)
    if (omr_kind_uses(&omr_law_kinds[omr_wheel_law(study, i)], variation->index)) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "the law %s does not use \"%s\"; vary what it uses, or choose another "
                    "\"contact\": {\"law\": ...}",
                    law->name, omr_wheel_path(study->frame, variation->index));
}

omr_status omr_check_variation(omr_reader *reader, const cJSON *item,
                               const omr_variation *variation) {
  omr_target target = omr_target_of(variation);
  OMR_TRY(omr_check_stage_at(reader, OMR_RULES_VARY, item, target, true));
  if (!variation->per_wheel) return OMR_OK;
  OMR_TRY(check_law(reader, item, variation));

  /* Each wheel that the variation changes needs a base of the same kind. */
  const int end = omr_target_end(reader, target);
  for (int wheel = omr_target_first(target); wheel < end; wheel++) {
    target.wheel = wheel;
    if (variation->wheel < 0 && omr_wheel_lacks(reader->study, wheel, variation->index)) continue;
    OMR_TRY(check_own(reader, item, variation, wheel));
    OMR_TRY(omr_check_stage_at(reader, OMR_RULES_VARY_WHEEL, item, target, true));
    OMR_TRY(check_base(reader, item, variation, wheel));
  }
  return OMR_OK;
}

static bool some_odd(const omr_variation *rollers, double base) {
  if (!rollers) return fmod(base, 2) != 0;
  for (size_t level = 0; level < rollers->levels; level++)
    if (fmod(rollers->values[level], 2) != 0) return true;
  return false;
}

static bool some_distance(const omr_variation *distance, double base) {
  if (!distance) return base > 0;
  return distance->draw == OMR_DRAW_NORMAL ? distance->a > 0 : omr_draw_highest(distance) > 0;
}

/* Where both are varied the combinations decide, and a wrong one is an invalid instance. */
omr_status omr_check_rows(omr_reader *reader) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    const double *base = reader->study->base.wheel[wheel];
    const omr_variation *rollers = omr_variation_of(reader->study, true, OMR_WP_ROLLERS, wheel);
    const omr_variation *distance =
        omr_variation_of(reader->study, true, OMR_WP_ROW_DISTANCE, wheel);
    if ((rollers && distance) || omr_wheel_is_bare(reader->study->kind[wheel])) continue;
    if (!some_distance(distance, base[OMR_WP_ROW_DISTANCE]) ||
        !some_odd(rollers, base[OMR_WP_ROLLERS]))
      continue;
    const cJSON *item = reader->wheel_item[wheel][rollers ? OMR_WP_ROW_DISTANCE : OMR_WP_ROLLERS];
    return OMR_REFUSE(reader, item ? item : reader->parameters,
                      "wheel %d has two rows of rollers (row_distance above 0) and an odd number "
                      "of rollers; two rows need an even number",
                      wheel);
  }
  return OMR_OK;
}
