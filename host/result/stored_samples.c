/* Which samples a study has. */
#include "../model/floor.h"
#include "../study/grammar/parse.h"
#include "result.h"

bool omr_has_vehicle_sample(const omr_study *study, int index) {
  switch (index) {
  case OMR_VS_SERVO: return study->model == OMR_MODEL_WHEEL;
  case OMR_VS_BUS: return omr_has_motor(study);
  case OMR_VS_HEIGHT: return study->contact.penalty || study->contact.compliant;
  case OMR_VS_PITCH:
  case OMR_VS_ROLL:
  case OMR_VS_VY: return study->contact.compliant;
  case OMR_VS_FLOOR: return omr_floor_bits(study) & FLOOR_PROFILE;
  default: return true;
  }
}

static bool swivels(const omr_study *study) {
  for (int i = 0; i < study->wheels; i++)
    if (omr_wheel_swivels(study->kind[i])) return true;
  return false;
}

bool omr_has_wheel_sample(const omr_study *study, int index) {
  switch (index) {
  case OMR_WS_WEIGHT:
  case OMR_WS_DEMAND: return study->contact.law == OMR_LAW_RELAXED;
  case OMR_WS_CURRENT: return omr_has_motor(study);
  case OMR_WS_TRAVEL: return study->contact.suspension;
  case OMR_WS_STEER: return swivels(study);
  case OMR_WS_ROLLER:
  case OMR_WS_SPIN:
  case OMR_WS_EDGE_SHARE: return omr_has_rollers(study);
  default: return true;
  }
}

bool omr_wheel_has_sample(const omr_study *study, int wheel, int index) {
  const omr_wheel_kind kind = study->kind[wheel];
  switch (index) {
  case OMR_WS_ROLLER:
  case OMR_WS_SPIN:
  case OMR_WS_EDGE_SHARE:
  case OMR_WS_CONTACT_ANGLE: return !omr_wheel_is_bare(kind);
  case OMR_WS_ANGLE: return !omr_wheel_swivels(kind); /* its column has the steering angle */
  case OMR_WS_STEER: return omr_wheel_swivels(kind);
  default: return true;
  }
}
