/* The peak of a device: fused multiply-adds, and a copy of arrays too large for its caches. */
#ifndef OMR_PEAK_H
#define OMR_PEAK_H

#include "../study/study.h"

typedef struct omr_peak {
  char device[256]; /* OpenCL: as a run's record names it; otherwise empty */
  int lanes, threads;
  double fma_flops;  /* flop/s, an fma is two; 0: not measured */
  double copy_bytes; /* bytes read and written per second; 0: not measured */
} omr_peak;

/* Measures with `threads` threads and the packs of an instruction set. Each of the two measurements
 * repeats for about `seconds` and takes the best. */
omr_status omr_openmp_peak(const char *isa, omr_precision precision, int threads, double seconds,
                           bool copy, omr_peak *peak, omr_error *error);
/* Measures an OpenCL device, "platform:device" or part of its name. */
omr_status omr_opencl_peak(const char *device, omr_precision precision, double seconds, bool copy,
                           omr_peak *peak, omr_error *error);

/* Properties of the i-th OpenCL device; false past the last. */
typedef struct omr_opencl_info {
  char number[16]; /* "platform:device" */
  char name[128];
  bool cpu, has_double;
  int units;
  int lanes[2]; /* of its native packs, in double and single precision */
} omr_opencl_info;
bool omr_opencl_describe(size_t i, omr_opencl_info *info);

#endif
