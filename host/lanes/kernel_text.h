/* The texts that are compiled when a run needs them; cmake/embed_kernels.cmake embeds them with
 * their includes. */
#ifndef OMR_KERNEL_TEXT_H
#define OMR_KERNEL_TEXT_H

/* kernels/all.cl: the complete text for a device. */
extern const char omr_kernel_source[];
extern const unsigned long omr_kernel_source_length;
/* The texts before and behind it in an object for the processor: lanes.h and lane_object.h. */
extern const char omr_lane_head[], omr_lane_tail[];
/* The text before it, after the first one, in an object that counts its operations, with files of
 * its own in double and in single precision (host/bench/counting_real.h, counting.c,
 * counting_single.c). */
extern const char omr_counting_head[], omr_counting_text[], omr_counting_single_text[];

#endif
