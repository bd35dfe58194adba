/* The texts that are compiled when a run needs them, embedded by cmake/embed_kernels.cmake with
 * what they include. */
#ifndef OMR_KERNEL_TEXT_H
#define OMR_KERNEL_TEXT_H

/* kernels/all.cl: all there is for a device. */
extern const char omr_kernel_source[];
extern const unsigned long omr_kernel_source_length;
/* What stands before and behind it in an object for the processor: lanes.h and lane_object.h. */
extern const char omr_lane_head[], omr_lane_tail[];
/* And before it, after the first, where it counts its operations; with files of its own, in
 * double and in single precision (host/bench/counting_real.h, counting.c, counting_single.c). */
extern const char omr_counting_head[], omr_counting_text[], omr_counting_single_text[];

#endif
