#include "parameters.h"

const omr_parameter omr_vehicle_parameters[OMR_VP_COUNT] = {
#define X(id, ...) [OMR_VP_##id] = {__VA_ARGS__},
#include "parameters/vehicle.def"

#include "lists/small_parameters.def"
#undef X
#define SLOT(n) [OMR_VP_GRAPH_##n] = {"", "1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_OWN, ""},
#include "slots.def"
#undef SLOT
};

const omr_parameter omr_wheel_parameters[OMR_WP_COUNT] = {
#define X(id, ...) [OMR_WP_##id] = {__VA_ARGS__},
#define KERNEL X
#include "parameters/wheel.def"
#undef KERNEL
#undef X
};

bool omr_is_drive_amount(int index) {
  return index == OMR_WP_TORQUE || index == OMR_WP_VOLTAGE || index == OMR_WP_DUTY;
}
