/* The kernel text for counting, compiled once per precision, number of wheels and kind of law
 * (cmake/counting.cmake sets OMR_SINGLE, OMR_PRECISION_NAME, OMR_WHEELS, OMR_WHEELS_NAME,
 * OMR_CONSTRAINED and OMR_LAW_NAME). */
#if defined(__GNUC__) && !defined(__clang__)
/* As in host/engine/lanes.c; before the dialect, whose macros it is about. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define OMR_COUNTING 1
#include "counting_real.h"

#if OMR_CAN_COUNT
#define OMR_LANES 1
#include "../../kernels/all.cl"

static void advance(const omr_lane_buffers *buffers, double step, double until, int first) {
  const launch_buffers own = {buffers->params, buffers->state,    buffers->spins,
                              buffers->tables, buffers->settings, buffers->stride};
  advance_pack(own, (sreal)step, (sreal)until, first);
}
#endif

#define NAME__(precision, wheels, law) omr_counting_##precision##_##wheels##_##law
#define NAME_(precision, wheels, law) NAME__(precision, wheels, law)
#define NAME NAME_(OMR_PRECISION_NAME, OMR_WHEELS_NAME, OMR_LAW_NAME)

extern const omr_lane_object NAME;
const omr_lane_object NAME = {
    .isa = "counting",
    .kind = "scalar",
    .lanes = 1,
    .single = OMR_SINGLE,
#ifdef OMR_WHEELS
    .wheels = OMR_WHEELS,
#endif
    .constrained = OMR_CONSTRAINED,
    .compliant = OMR_COMPLIANT,
    .controlled = OMR_CONTROLLED,
    .pack_bytes = OMR_SINGLE ? sizeof(float) : sizeof(double),
#if OMR_CAN_COUNT
    .advance = advance,
#endif
};
