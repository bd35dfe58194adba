/* Observables and statuses of instances, the results of a run. */
#ifndef OMR_OBSERVABLES_H
#define OMR_OBSERVABLES_H

#include "parameters.h"
#include <stdbool.h>
#include <stdint.h>

/* Bits of the observers, below the bits of models (OMR_FOR_, parameters.h). */
enum {
#define X(id, bit, ...) OMR_OBSERVER_##id = 1 << bit,
#include "observers.def"
#undef X
  OMR_OBSERVER_ALL = 0
#define X(id, bit, ...) | 1 << bit
#include "observers.def"
#undef X
};
_Static_assert(OMR_OBSERVER_ALL < 1 << OMR_FOR_OMNI_BIT && !(OMR_OBSERVER_ALL & 3 << 15),
               "bits of observers are not those of models, nor those below");
#define OMR_FOR_OMNI_AND_UK (OMR_FOR_OMNI | OMR_FOR_UK_WHEELS)
#define OMR_ON_DEMAND (1 << 16)    /* off unless the study names it, or a rule of it does */
#define OMR_OF_COMPLIANT (1 << 15) /* of the omni models, only with compliant contact */
#define OMR_OF_GRIP (OMR_OBSERVER_GRIP | OMR_ON_DEMAND)
#define OMR_OF_ENCODER (OMR_OBSERVER_ENCODER | OMR_ON_DEMAND)
#define OMR_OF_TRACKING (OMR_OBSERVER_TRACKING | OMR_ON_DEMAND)
#define OMR_OF_MOTORS (OMR_OBSERVER_MOTORS | OMR_ON_DEMAND)

#define OMR_OF_HEAVE (OMR_OF_COMPLIANT | OMR_OBSERVER_HEAVE | OMR_ON_DEMAND)
#define OMR_OF_SUPPLY (OMR_OBSERVER_SUPPLY | OMR_ON_DEMAND)

enum {
#define X(id, ...) OMR_OBS_##id,
#define COLUMN(id, column, ...) X(id, __VA_ARGS__)
#define KEPT(id, quantity, columns, start, ...) X(id, __VA_ARGS__)
#include "observables.def"
#undef KEPT
#undef COLUMN
#undef X
/* Places for the observables that a study names itself (host/study/own_names.h). */
#define SLOT(n) OMR_OBS_GRAPH_##n,
#include "slots.def"
#undef SLOT
  OMR_OBS_COUNT
};

/* Observables with state columns of their own: their bits in the setting OBSERVED. */
enum {
#define X(...)
#define COLUMN(...)
#define KEPT(id, ...) OMR_KEPT_##id,
#include "observables.def"
#undef KEPT
#undef COLUMN
#undef X
  OMR_KEPT_COUNT
};
_Static_assert(OMR_KEPT_COUNT < 32, "bits of an int (kernels/observed.h)");

/* A set of observables: bit i % 64 of word i / 64 stands for observable i. It is empty when zeroed,
 * and copied by value. */
enum { OMR_OBSERVABLE_WORDS = (OMR_OBS_COUNT + 63) / 64 };
typedef struct omr_observable_set {
  uint64_t words[OMR_OBSERVABLE_WORDS];
} omr_observable_set;

static inline bool omr_observable_in(const omr_observable_set *set, int i) {
  return set->words[i / 64] >> (i % 64) & 1;
}

static inline void omr_observable_add(omr_observable_set *set, int i) {
  set->words[i / 64] |= (uint64_t)1 << (i % 64);
}

/* The number of observables in the set. */
static inline size_t omr_observables_in(const omr_observable_set *set) {
  size_t count = 0;
  for (int w = 0; w < OMR_OBSERVABLE_WORDS; w++)
    count += (size_t)__builtin_popcountll(set->words[w]);
  return count;
}

typedef struct omr_observable {
  const char *name, *unit;
  int group;
  const char *meaning;
} omr_observable;

extern const omr_observable omr_observables[OMR_OBS_COUNT];

enum {
#define X(id, code, ...) OMR_INSTANCE_##id = code,
#include "statuses.def"
#undef X
  OMR_INSTANCE_STATUS_COUNT
};

#endif
