/* One lane object: compiled once per instruction set, kind, precision, number of wheels, kind of
 * law and of steps (cmake/lanes.cmake sets OMR_ISA, OMR_KIND, OMR_LANES, OMR_SINGLE, OMR_WHEELS,
 * OMR_WHEELS_NAME, OMR_CONSTRAINED, OMR_CONTROLLED and OMR_LAW_NAME). */
#include "lanes.h"

#if defined(__GNUC__) && !defined(__clang__)
/* gcc does not see that two loops over the same number of wheels, or under the same settings, fill
 * and read the same entries. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "../../kernels/all.cl"

#define STRING_(x) #x
#define STRING(x) STRING_(x)
#if OMR_SINGLE
#define PRECISION_NAME single
#else
#define PRECISION_NAME double
#endif
#define NAME__(isa, kind, precision, wheels, law)                                                  \
  omr_lane_object_##isa##_##kind##_##precision##_##wheels##_##law
#define NAME_(isa, kind, precision, wheels, law) NAME__(isa, kind, precision, wheels, law)
#define NAME NAME_(OMR_ISA, OMR_KIND, PRECISION_NAME, OMR_WHEELS_NAME, OMR_LAW_NAME)

static void advance(const omr_lane_buffers *buffers, double step, double until, int first) {
  const launch_buffers own = {buffers->params, buffers->state,    buffers->spins,
                              buffers->tables, buffers->settings, buffers->stride};
  advance_pack(own, (sreal)step, (sreal)until, first);
}

static void sample(const void *params, const void *state, const void *tables, const int *settings,
                   double step, void *samples, int stride, int first) {
  sample_pack(params, state, tables, settings, (sreal)step, samples, stride, first);
}

/* The yardstick is in the objects for any number of wheels and friction alone: one of every
 * instruction set and precision. */
#if !defined(OMR_WHEELS) && !OMR_CONSTRAINED && !OMR_COMPLIANT && !OMR_CONTROLLED
#define HAS_PEAK 1
#else
#define HAS_PEAK 0
#endif
#if HAS_PEAK
#include "../../kernels/peak.h"

static double peak(double start, double factor, double addend, int rounds) {
  real sum = peak_chains((sreal)start, (sreal)factor, (sreal)addend, rounds);
  double all = 0;
  for (int l = 0; l < OMR_LANES; l++) all += (double)lane_get(sum, l);
  return all / OMR_LANES;
}

static void copy(const void *from, void *to, size_t packs) {
  const sreal *source = from;
  sreal *target = to;
  for (size_t i = 0; i < packs; i++)
    store_real(target + i * OMR_LANES, load_real(source + i * OMR_LANES));
}
#endif

extern const omr_lane_object NAME;
const omr_lane_object NAME = {
    .isa = STRING(OMR_ISA),
    .kind = STRING(OMR_KIND),
    .lanes = OMR_LANES,
    .single = OMR_SINGLE,
#ifdef OMR_FAST
    .fast = OMR_FAST,
#endif
#ifdef OMR_WHEELS
    .wheels = OMR_WHEELS,
#else
    .wheels = 0,
#endif
    .constrained = OMR_CONSTRAINED,
    .compliant = OMR_COMPLIANT,
    .controlled = OMR_CONTROLLED,
#ifdef OMR_PLAIN
    .plain = 1,
    .law = OMR_PLAIN_LAW,
    .method = OMR_PLAIN_METHOD,
#endif
    .pack_bytes = sizeof(real),
    .advance = advance,
    .sample = sample,
#if HAS_PEAK
    .peak = peak,
    .peak_chains = PEAK_CHAIN_COUNT,
    .peak_operations = PEAK_OPERATIONS * OMR_LANES,
    .copy = copy,
#endif
};
