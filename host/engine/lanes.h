/* Lane objects: the kernel text compiled for one instruction set, precision, number of wheels and
 * kind of law. */
#ifndef OMR_LANES_H
#define OMR_LANES_H

#include "../../kernels/layout.h"
#include "../../kernels/plain.h"
#include "../lists/kinds.h"
#include <stdbool.h>
#include <stddef.h>

/* What a launch works on: columns in the object's precision (kernels/entry.h), the uniform
 * settings, and how many values lie from one column to the next. The caller owns all of it. */
typedef struct omr_lane_buffers {
  const void *params;
  void *state, *spins;
  const void *tables;
  const int *settings;
  int stride;
} omr_lane_buffers;

typedef struct omr_lane_object {
  const char *isa;  /* "avx512", "avx2", "baseline" */
  const char *kind; /* "lanes", "scalar", and "fast": lanes with fast numerics (engine.numerics) */
  int lanes, single;
  int fast;        /* not the bits of the others */
  int wheels;      /* 0: any number */
  int constrained; /* for the laws that are constraints; otherwise for those of friction */
  int compliant;   /* of friction: for compliant contacts; otherwise for rigid ones */
  int controlled;  /* for steps that an error estimate chooses; otherwise for fixed ones */
  int plain;       /* for the settings of kernels/plain.h alone, */
  int law;         /* and this law of contact (OMR_LAW_COULOMB ...), */
  int method;      /* and with fixed steps this method (OMR_METHOD_RK4 ...) */
  size_t pack_bytes;
  /* Arrays in the object's precision (kernels/entry.h); `first` is the pack's first instance. */
  void (*advance)(const omr_lane_buffers *buffers, double step, double until, int first);
  void (*sample)(const void *params, const void *state, const void *tables, const int *settings,
                 double step, void *samples, int stride, int first);
  /* The yardstick (kernels/peak.h), in the objects for any number of wheels and friction; NULL in
   * the others. */
  double (*peak)(double start, double factor, double addend,
                 int rounds); /* mean over the lanes of the chains' sum */
  int peak_chains;
  double peak_operations;                                 /* of a pack in a round */
  void (*copy)(const void *from, void *to, size_t packs); /* aligned as a pack is */
} omr_lane_object;

/* Whether an object for the plain case has constants that are the settings of a run; any object for
 * any case has. */
static inline bool omr_plain_suits(const omr_lane_object *o, const int *settings) {
  if (!o->plain) return true;
#define X(id, value)                                                                               \
  if (settings[K_##id] != (value)) return false;
  OMR_PLAIN_SETTINGS(X)
#undef X
  if (!o->controlled && settings[K_METHOD] != o->method) return false;
  return settings[K_LAW] == o->law && settings[K_SPLIT] == omr_law_has_exchanges((omr_law)o->law);
}

/* The i-th lane object of this build, the widest packs first; NULL past the last. */
const omr_lane_object *omr_lane_object_at(size_t i);

/* The lanes of an instruction set and precision that have the yardstick; NULL where this build has
 * no such set. */
const omr_lane_object *omr_lane_object_with_peak(const char *isa, bool single);

#endif
