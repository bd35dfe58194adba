/* A light caster below a heavy vehicle that goes straight on. */
#ifndef CASTER_H
#define CASTER_H

#include "host/result/result.h"
#include "motion.h"

/* What a trajectory has of a wheel. */
static inline double sample(const omr_result *r, int quantity, size_t time, int wheel) {
  return r->wheel_samples[quantity][time * (size_t)r->wheels + (size_t)wheel];
}

/* Three casters, of which the last begins at an angle of 2 rad. */
static const char caster_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": 1000, "
    "\"yaw_inertia\": 1e6}, \"layout\": {\"type\": \"explicit\"}, \"wheel\": {\"friction\": 0.8, "
    "\"slip_speed\": 0.01, \"disc\": {\"mass\": 1e-4, \"axial_inertia\": 1e-7, "
    "\"diametral_inertia\": 6e-8}, \"swivel\": {\"trail\": 0.05, \"mass\": 1e-4, \"inertia\": "
    "1e-7, \"bearing\": 0}, \"kind\": \"caster\", \"initial\": {\"rate\": -10}}, \"wheels\": "
    "[{\"x\": 0.3, \"z\": 0}, {\"x\": -0.2, \"z\": -0.3}, {\"x\": -0.2, \"z\": 0.3, \"initial\": "
    "{\"steer\": 2}}], \"initial\": {\"vx\": 1}}, \"integrator\": {\"tolerance\": 1e-6, "
    "\"duration\": 0.2}, \"output\": {\"trajectories\": {\"instances\": [0], \"interval\": 0.02}}}";

/* Without slip delta' = -(v/trail) sin delta, so that tan(delta/2) falls as exp(-s/trail); at the
 * first instant the fork has no rate yet. */
static inline void expect_caster_falls_in(omr_result *r) {
  const double first = log(tan(sample(r, OMR_WS_STEER, 1, 2) / 2));
  for (size_t s = 2; s < r->sample_count; s++) {
    const double fallen = log(tan(sample(r, OMR_WS_STEER, s, 2) / 2)) - first;
    cr_expect_float_eq(fallen, -(r->sample_time[s] - r->sample_time[1]) / 0.05, 1e-3, "%g: %.9g",
                       r->sample_time[s], fallen);
  }
  omr_result_destroy(r);
}

#endif
