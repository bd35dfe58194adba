/* Which samples a study has. */
#include "../model/floor.h"
#include "../study/parse.h"
#include "result.h"

bool omr_has_vehicle_sample(const omr_study *study, int index) {
  switch (index) {
  case OMR_VS_SERVO: return study->model == OMR_MODEL_WHEEL;
  case OMR_VS_BUS: return omr_has_motor(study);
  case OMR_VS_HEIGHT: return study->penalty || study->compliant;
  case OMR_VS_PITCH:
  case OMR_VS_ROLL:
  case OMR_VS_VY: return study->compliant;
  case OMR_VS_FLOOR: return omr_floor_bits(study) & FLOOR_PROFILE;
  default: return true;
  }
}
