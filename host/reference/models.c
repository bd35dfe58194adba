/* The reference models there are. */
#include "reference.h"

extern const omr_reference_model omr_reference_omni_wheel, omr_reference_omni_vehicle;
extern const omr_reference_model omr_reference_disc_vehicle;
extern const omr_reference_model omr_reference_multibody;
#define SYSTEM(id, word) extern const omr_reference_model omr_reference_##word;
#include "lists/reference_systems.def"
#undef SYSTEM
extern const omr_reference_model omr_reference_sliding_block;
extern const omr_reference_model omr_reference_uk_wheel, omr_reference_elastic_wheel;

const omr_reference_model *const omr_reference_models[] = {
    &omr_reference_omni_wheel,
    &omr_reference_omni_vehicle,
    &omr_reference_disc_vehicle,
#define SYSTEM(id, word) &omr_reference_##word,
#include "lists/reference_systems.def"
#undef SYSTEM
    &omr_reference_sliding_block,
    &omr_reference_uk_wheel,
    &omr_reference_elastic_wheel,
    &omr_reference_multibody,
    NULL,
};

const omr_reference_model *omr_reference_model_of(omr_model model) {
  for (int i = 0; omr_reference_models[i]; i++)
    if (omr_reference_models[i]->model == model) return omr_reference_models[i];
  return NULL;
}
