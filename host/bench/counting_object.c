/* The kernel text for counting, compiled once for the laws of friction and once for constraints (cmake/counting.cmake sets
 * OMR_CONSTRAINED and OMR_COUNTING_NAME), for any number of wheels. */
#include "counting_real.h"

#if OMR_CAN_COUNT
/* The assembler gives the compiler's own routines the names of ours, in this object alone: it defines none of these names, so
 * that binary128 stays what it is in every program that this one is linked to. */
#define RENAME(routine, ours) __asm__(".set " #routine ", " #ours)
RENAME(__addtf3, omr_counted_add);
RENAME(__subtf3, omr_counted_subtract);
RENAME(__multf3, omr_counted_multiply);
RENAME(__divtf3, omr_counted_divide);
RENAME(__eqtf2, omr_counted_equal);
RENAME(__netf2, omr_counted_equal);
RENAME(__lttf2, omr_counted_less);
RENAME(__letf2, omr_counted_less);
RENAME(__gttf2, omr_counted_greater);
RENAME(__getf2, omr_counted_greater);
RENAME(__unordtf2, omr_unordered);
RENAME(__trunctfdf2, omr_unboxed);
RENAME(__extenddftf2, omr_boxed);
RENAME(__floatsitf, omr_boxed_integer);

#define OMR_LANES 1
#define OMR_SINGLE 0
#define OMR_COUNTING 1
#include "../../kernels/all.cl"

static void advance(const void *params, void *state, void *spins, const void *tables, const int *settings, double step,
                    double until, int stride, int first) {
  advance_pack(params, state, spins, tables, settings, step, until, stride, first);
}
#endif

extern const omr_lane_object OMR_COUNTING_NAME;
const omr_lane_object OMR_COUNTING_NAME = {
    .isa = "counting",
    .kind = "scalar",
    .lanes = 1,
    .constrained = OMR_CONSTRAINED,
    .pack_bytes = sizeof(double),
#if OMR_CAN_COUNT
    .advance = advance,
#endif
};
