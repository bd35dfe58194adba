/* The kernel text for counting, compiled once per number of wheels and kind of law (cmake/counting.cmake sets OMR_WHEELS,
 * OMR_WHEELS_NAME, OMR_CONSTRAINED and OMR_LAW_NAME). */
#define OMR_COUNTING 1
#include "counting_real.h"

#if !defined(OMR_WHEELS) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* as in host/engine/lanes.c */
#endif
#if OMR_CAN_COUNT
#define OMR_LANES 1
#define OMR_SINGLE 0
#include "../../kernels/all.cl"

static void advance(const void *params, void *state, void *spins, const void *tables, const int *settings, double step,
                    double until, int stride, int first) {
  advance_pack(params, state, spins, tables, settings, step, until, stride, first);
}
#endif

#define NAME__(wheels, law) omr_counting_##wheels##_##law
#define NAME_(wheels, law) NAME__(wheels, law)
#define NAME NAME_(OMR_WHEELS_NAME, OMR_LAW_NAME)

extern const omr_lane_object NAME;
const omr_lane_object NAME = {
    .isa = "counting",
    .kind = "scalar",
    .lanes = 1,
#ifdef OMR_WHEELS
    .wheels = OMR_WHEELS,
#endif
    .constrained = OMR_CONSTRAINED,
    .pack_bytes = sizeof(double),
#if OMR_CAN_COUNT
    .advance = advance,
#endif
};
