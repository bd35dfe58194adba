/* The text behind the kernels in every lane object: its functions, and the object itself. An object
 * compiled for a run (OMR_COMPILED) is named omr_compiled_object. */
#define STRING_(x) #x
#define STRING(x) STRING_(x)
#if defined(OMR_COMPILED)
#define NAME omr_compiled_object
#else
#define NAME__(isa, kind, precision, law) omr_lane_object_##isa##_##kind##_##precision##_##law
#define NAME_(isa, kind, precision, law) NAME__(isa, kind, precision, law)
#define NAME NAME_(OMR_ISA, OMR_KIND, BY_PRECISION(single, double), OMR_LAW_NAME)
#endif

static void advance(const omr_lane_buffers *buffers, double step, double until, int first) {
  const launch_buffers own = {buffers->params, buffers->state,    buffers->spins,
                              buffers->tables, buffers->settings, buffers->stride};
  advance_pack(own, (sreal)step, (sreal)until, first);
}

/* Counting objects take no samples (host/bench/count.h). */
#ifndef OMR_COUNTING
static void sample(const void *params, const void *state, const void *tables, const int *settings,
                   double step, void *samples, int stride, int first) {
  sample_pack(params, state, tables, settings, (sreal)step, samples, stride, first);
}
#endif

/* The general objects for friction contain the yardstick, one for each instruction set and
 * precision. */
#ifndef OMR_MIXED
#define OMR_MIXED 0
#endif
#if !defined(OMR_COMPILED) && !OMR_CONSTRAINED && !OMR_COMPLIANT && !OMR_CONTROLLED && !OMR_MIXED
#define HAS_PEAK 1
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
    .fast = 1,
#endif
    .constrained = OMR_CONSTRAINED,
    .compliant = OMR_COMPLIANT,
    .mixed = OMR_MIXED,
    .controlled = OMR_CONTROLLED,
    .pack_bytes = sizeof(sreal) * OMR_LANES,
    .advance = advance,
#ifndef OMR_COUNTING
    .sample = sample,
#endif
#ifdef HAS_PEAK
    .peak = peak,
    .peak_chains = PEAK_CHAIN_COUNT,
    .peak_operations = PEAK_OPERATIONS * OMR_LANES,
    .copy = copy,
#endif
};
