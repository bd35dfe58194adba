#include "samples.h"

#define X(id, name, unit, meaning) {name, unit, meaning},
const omr_sample_info omr_vehicle_samples[OMR_VS_COUNT] = {
#include "samples/vehicle.def"
};
const omr_sample_info omr_wheel_samples[OMR_WS_COUNT] = {
#include "samples/wheel.def"
};
const omr_sample_info omr_wheel_shapes[OMR_SHAPE_COUNT] = {
#include "shapes_wheel.def"
};
const omr_sample_info omr_drift_samples[OMR_DRIFT_COUNT] = {
#include "samples/drift.def"
};
#undef X
