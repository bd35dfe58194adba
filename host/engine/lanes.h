/* Lane objects: the kernel text compiled for one instruction set, precision, number of wheels and kind of law. */
#ifndef OMR_LANES_H
#define OMR_LANES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct omr_lane_object {
  const char *isa;  /* "avx512", "avx2", "baseline" */
  const char *kind; /* "lanes", "scalar" */
  int lanes, single;
  int wheels;      /* 0: any number */
  int constrained; /* for the laws that are constraints; otherwise for those of friction */
  size_t pack_bytes;
  /* Arrays in the object's precision (kernels/entry.h); `first` is the pack's first instance. */
  void (*advance)(const void *params, void *state, void *spins, const void *tables, const int *settings, double step,
                  double until, int stride, int first);
  void (*sample)(const void *params, const void *state, const void *tables, const int *settings, double step, void *samples,
                 int stride, int first);
  /* The yardstick (kernels/peak.h), in the objects for any number of wheels and friction; NULL in the others. */
  double (*peak)(double start, double factor, double addend, int rounds); /* mean over the lanes of the chains' sum */
  int peak_chains;
  double peak_operations;                                 /* of a pack in a round */
  void (*copy)(const void *from, void *to, size_t packs); /* aligned as a pack is */
} omr_lane_object;

/* The object of this build for that many wheels, else the one for any number; NULL where there is none. */
const omr_lane_object *omr_lane_object_find(const char *isa, const char *kind, bool single, int wheels, bool constrained);

#endif
