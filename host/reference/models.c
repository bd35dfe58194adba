/* The reference models there are. */
#include "reference.h"

extern const omr_reference_model omr_reference_omni, omr_reference_small, omr_reference_block;
extern const omr_reference_model omr_reference_uk_wheel, omr_reference_multibody;

static const omr_reference_model *const models[OMR_MODELS] = {
    [OMR_MODEL_WHEEL] = &omr_reference_omni,
    [OMR_MODEL_VEHICLE] = &omr_reference_omni,
    [OMR_MODEL_DISC_VEHICLE] = &omr_reference_omni,
#define SYSTEM(id, word) [OMR_MODEL_##id] = &omr_reference_small,
#include "lists/reference_systems.def"
#undef SYSTEM
    [OMR_MODEL_SLIDING_BLOCK] = &omr_reference_block,
    [OMR_MODEL_UK_WHEEL] = &omr_reference_uk_wheel,
    [OMR_MODEL_ELASTIC_WHEEL] = &omr_reference_uk_wheel,
    [OMR_MODEL_MULTIBODY] = &omr_reference_multibody,
};

const omr_reference_model *omr_reference_model_of(omr_model model) {
  return models[model];
}
