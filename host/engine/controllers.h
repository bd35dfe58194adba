/* Stability of the sampled controllers of wheel rates (appendix/drives.md#drives). */
#ifndef OMR_CONTROLLERS_H
#define OMR_CONTROLLERS_H

#include "../study/study.h"

/* A loop of a PI controller and an inertia, sampled: gain = kp Tc/J, reset = ki Tc^2/J. */
typedef enum { OMR_LOOP_SETTLES, OMR_LOOP_RINGS, OMR_LOOP_ALTERNATES, OMR_LOOP_UNSTABLE } omr_loop;

/* Classifies the poles of z^2 - (2 - gain - reset) z + 1 - gain = 0 (z = 1 - gain where reset is
 * 0): unstable unless gain and reset are positive and gain + reset/2 < 2; alternates: a pole below
 * -0.5; rings: a complex pair with |z| > 0.9 whose damping ratio is below 0.4. A loop without any
 * gain (both 0) settles. Thread-safe. */
omr_loop omr_judge_loop(double gain, double reset);

/* Describes the worst loop of at most 64 instances spread over the study, with the remedy; "" where
 * all settle. Thread-safe. */
void omr_judge_controllers(const omr_study *study, char *warning, size_t size);

#endif
