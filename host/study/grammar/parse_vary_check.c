#include "../designs/distributions.h"
#include "parse.h"

#include <math.h>

/* The parameter that gives the same quantity in another way, where the wheel's base uses that one;
 * -1 otherwise. */
static int rival(const omr_reader *reader, int wheel, int index) {
  const double *base = reader->study->base.wheel[wheel];
  const bool mass = !isnan(base[OMR_WP_ROLLER_MASS]),
             distance = !isnan(base[OMR_WP_CENTER_DISTANCE]),
             dissipation = !isnan(base[OMR_WP_DISSIPATION]),
             damping = reader->study->contact.compliant && !isnan(base[OMR_WP_DAMPING]);
  switch (index) {
  case OMR_WP_ROLLER_DENSITY:
  case OMR_WP_ROLLER_BORE: return mass ? OMR_WP_ROLLER_MASS : -1;
  case OMR_WP_ROLLER_MASS:
  case OMR_WP_ROLLER_AXIAL_INERTIA:
  case OMR_WP_ROLLER_DIAMETRAL_INERTIA: return mass ? -1 : OMR_WP_ROLLER_DENSITY;
  case OMR_WP_TIP_RADIUS: return distance ? OMR_WP_CENTER_DISTANCE : -1;
  case OMR_WP_CENTER_DISTANCE: return distance ? -1 : OMR_WP_TIP_RADIUS;
  case OMR_WP_DAMPING_RATIO:
    return dissipation ? OMR_WP_DISSIPATION : damping ? OMR_WP_DAMPING : -1;
  case OMR_WP_BRISTLE_DAMPING_RATIO:
    return isnan(base[OMR_WP_BRISTLE_DAMPING]) ? -1 : OMR_WP_BRISTLE_DAMPING;
  default: return -1;
  }
}

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
  const int other = rival(reader, wheel, variation->index);
  if (other >= 0)
    return OMR_REFUSE(reader, item,
                      "wheel %d is given by \"%s\", so \"%s\" cannot be varied; give parameters a "
                      "base value of the same kind",
                      wheel, omr_wheel_path(frame, other), path);
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

/* Whether the weights of a relaxed law depend on the parameter. */
static bool weights_use(omr_weights weights, int index) {
  if (index == OMR_WP_WEIGHT) return weights == OMR_WEIGHTS_FIXED;
  if (index == OMR_WP_STICTION_GAIN) return weights == OMR_WEIGHTS_DEMAND;
  if (index == OMR_WP_FRICTION_GAIN || index == OMR_WP_REFERENCE_SPEED)
    return weights != OMR_WEIGHTS_TANH;
  return true;
}

/* What only rollers with mass have; their bearing is omr_check_contact's. */
static bool needs_mass(int index) {
  return index == OMR_WP_ROLLER_MASS || index == OMR_WP_ROLLER_AXIAL_INERTIA ||
         index == OMR_WP_ROLLER_DIAMETRAL_INERTIA || index == OMR_WP_ROLLER_DENSITY ||
         index == OMR_WP_ROLLER_BORE;
}

/* A study may carry parameters of other laws, so that it can be run under each; to vary one of them
 * would do nothing. */
static omr_status check_law(omr_reader *reader, const cJSON *item, const omr_variation *variation) {
  const omr_study *study = reader->study;
  const omr_kind *law = &omr_law_kinds[study->contact.law];
  const char *path = omr_wheel_path(reader->study->frame, variation->index);
  if (omr_law_is_massless(study->contact.law) && needs_mass(variation->index))
    return OMR_REFUSE(reader, item,
                      "under the law %s rollers have no mass, so \"%s\" has no effect; choose a "
                      "law with explicit rollers",
                      law->name, path);
  if (!omr_is_law_parameter(variation->index)) return OMR_OK;
  if (!omr_kind_uses(law, variation->index))
    return OMR_REFUSE(reader, item,
                      "the law %s does not use \"%s\"; vary what it uses, or choose another "
                      "\"contact\": {\"law\": ...}",
                      law->name, path);
  if (study->contact.law == OMR_LAW_RELAXED &&
      !weights_use(study->contact.weights, variation->index))
    return OMR_REFUSE(reader, item, "with weights of kind %s \"%s\" has no effect",
                      omr_weights_kinds[study->contact.weights].name, path);
  return OMR_OK;
}

omr_status omr_check_variation(omr_reader *reader, const cJSON *item,
                               const omr_variation *variation) {
  OMR_TRY(omr_check_motor_variation(reader, item, variation));
  if (!variation->per_wheel) return OMR_OK;
  OMR_TRY(check_law(reader, item, variation));
  if (variation->index == OMR_WP_ROLLERS && reader->study->spins == OMR_SPINS_VALUES)
    return OMR_REFUSE(reader, item,
                      "\"rollers\" cannot be varied while initial.spins lists one spin per roller");
  const omr_target target = {true, variation->index, variation->wheel};
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++) {
    OMR_TRY(check_own(reader, item, variation, wheel));
    OMR_TRY(check_base(reader, item, variation, wheel));
  }
  return OMR_OK;
}

static const omr_variation *variation_of(const omr_study *study, int wheel, int index) {
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    if (variation->per_wheel && variation->index == index &&
        (variation->wheel < 0 || variation->wheel == wheel))
      return variation;
  }
  return NULL;
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
    const omr_variation *rollers = variation_of(reader->study, wheel, OMR_WP_ROLLERS);
    const omr_variation *distance = variation_of(reader->study, wheel, OMR_WP_ROW_DISTANCE);
    if (rollers && distance) continue;
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
