#include "parameters.h"

const omr_parameter omr_vehicle_parameters[OMR_VP_COUNT] = {
#define X(id, ...) [OMR_VP_##id] = {__VA_ARGS__},
    OMR_VEHICLE_PARAMETERS(X)
#undef X
};

const omr_parameter omr_wheel_parameters[OMR_WP_COUNT] = {
#define X(id, ...) [OMR_WP_##id] = {__VA_ARGS__},
    OMR_WHEEL_PARAMETERS(X)
#undef X
};
