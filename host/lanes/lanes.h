/* Lane objects: the kernel text compiled for one instruction set, precision and kind of law.
 * Objects compiled for one run contain this text too, before the kernels (compiled.h). */
#ifndef OMR_LANES_H
#define OMR_LANES_H

#include <stdbool.h>
#include <stddef.h>

/* The data of a launch: columns in the object's precision (kernels/entry.h), the uniform settings,
 * and the number of values from one column to the next. The caller owns all of it. */
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
  int fast;        /* other bits than the rest */
  int constrained; /* for laws of constraints; otherwise for laws of friction */
  int compliant;   /* friction on compliant contacts; otherwise on rigid ones */
  int mixed;       /* on rigid contacts, for wheels of several kinds; otherwise for rollers alone */
  int controlled;  /* for controlled steps; otherwise for fixed ones */
  size_t pack_bytes;
  /* Arrays in the object's precision (kernels/entry.h); `first` is the pack's first instance. */
  void (*advance)(const omr_lane_buffers *buffers, double step, double until, int first);
  void (*sample)(const void *params, const void *state, const void *tables, const int *settings,
                 double step, void *samples, int stride, int first);
  /* The yardstick (kernels/peak.h), in the general objects for friction; NULL in others. */
  double (*peak)(double start, double factor, double addend,
                 int rounds); /* mean over the lanes of the chains' sum */
  int peak_chains;
  double peak_operations;                                 /* per pack and round */
  void (*copy)(const void *from, void *to, size_t packs); /* aligned like a pack */
} omr_lane_object;

/* The i-th general object of this build, widest packs first; NULL past the last. */
const omr_lane_object *omr_lane_object_at(size_t i);

/* The lanes of an instruction set and precision with the yardstick; NULL where this build lacks the
 * set. */
const omr_lane_object *omr_lane_object_with_peak(const char *isa, bool single);

#endif
