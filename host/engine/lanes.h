/* Lane objects: the kernel text compiled for one instruction set, precision, number of wheels and kind of law. */
#ifndef OMR_LANES_H
#define OMR_LANES_H

#include <stddef.h>

typedef struct omr_lane_object {
  const char *isa;  /* "avx512", "avx2", "baseline" */
  const char *kind; /* "lanes", "scalar", and "fast": lanes with fast numerics (engine.numerics) */
  int lanes, single;
  int fast;        /* not the bits of the others */
  int wheels;      /* 0: any number */
  int constrained; /* for the laws that are constraints; otherwise for those of friction */
  size_t pack_bytes;
  /* Arrays in the object's precision (kernels/entry.h); `first` is the pack's first instance. */
  void (*advance)(const void *params, void *state, void *spins, const void *tables, const int *settings, double step,
                  double until, int stride, int first);
  void (*sample)(const void *params, const void *state, const void *tables, const int *settings, double step, void *samples,
                 int stride, int first);
} omr_lane_object;

#endif
