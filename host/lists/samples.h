/* Samples of traced instances, and the geometry of their wheels. */
#ifndef OMR_SAMPLES_H
#define OMR_SAMPLES_H

enum {
#define X(id, ...) OMR_VS_##id,
#include "samples/vehicle.def"
#undef X
  OMR_VS_COUNT
};
enum {
#define X(id, ...) OMR_WS_##id,
#include "samples/wheel.def"
#undef X
  OMR_WS_COUNT
};
enum {
#define X(id, ...) OMR_DRIFT_##id,
#include "samples/drift.def"
#undef X
  OMR_DRIFT_COUNT
};
enum {
#define X(id, ...) OMR_SHAPE_##id,
#include "shapes_wheel.def"
#undef X
  OMR_SHAPE_COUNT
};

typedef struct omr_sample_info {
  const char *name, *unit, *meaning;
} omr_sample_info;
extern const omr_sample_info omr_vehicle_samples[OMR_VS_COUNT];
extern const omr_sample_info omr_wheel_samples[OMR_WS_COUNT];
extern const omr_sample_info omr_wheel_shapes[OMR_SHAPE_COUNT];
extern const omr_sample_info omr_drift_samples[OMR_DRIFT_COUNT];

#endif
