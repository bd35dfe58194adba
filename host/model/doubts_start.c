/* Doubts about the start: wheels that turn while the vehicle stands, rates that disagree. */
#include "../study/derived.h"
#include "doubts.h"
#include "rolling.h"

#include <math.h>
#include <stdio.h>

/* Part of the rates, rms, that no motion of the body makes: noise of encoders and tolerances of
 * wheels stay below, a wheel with the wrong sign is far above. */
#define DISAGREES 0.1

static bool stands(const double *p) {
  return p[OMR_VP_INITIAL_VX] == 0 && p[OMR_VP_INITIAL_VZ] == 0 && p[OMR_VP_INITIAL_YAW_RATE] == 0;
}

/* A speed without the rounding of zero. */
static double clean(double speed) {
  return speed < 1e-9 ? 0 : speed;
}

/* The fastest rim of the wheels with prescribed rates that slide on the floor from the start; -1:
 * none does. */
static int sliding_wheel(const omr_scene *s) {
  double most = 0;
  int at = -1;
  for (int i = 0; i < s->wheels; i++) {
    const double *own = s->values.wheel[i], rim = fabs(own[OMR_WP_RATE]) * s->wheel[i].radius;
    if (!omr_is_rated(s->study->drives.law[i]) || !(rim > own[OMR_WP_SLIP_SPEED]) || rim <= most)
      continue;
    most = rim;
    at = i;
  }
  return at;
}

/* The remedy is tried: its motion stands in the message. */
static void doubt_rest(const omr_scene *s, omr_doubts *doubts) {
  const omr_study rolls = omr_study_rolling(s->study);
  omr_values values = s->values;
  omr_vehicle_body body;
  char ignored[200];
  const int at = sliding_wheel(s);
  if (at < 0 || !omr_build_body(&rolls, &values, &body, ignored, sizeof ignored)) return;
  omr_start_rolling(&rolls, &body, &values);
  const double *p = values.vehicle;
  const omr_framing turn = omr_parameter_turn(s->study->frame, true, OMR_WP_RATE);
  omr_doubt_add(
      doubts, OMR_DOUBT_START, at, -1,
      "wheel %d turns at %.4g rad/s from the start, and the vehicle stands there: its wheels slide "
      "until it moves; \"initial\": \"rolling\" starts it with the motion that the wheels' rates "
      "make, %.3g m/s and %.3g rad/s of yaw, or give initial.vx and the like",
      at, omr_turned(turn, s->values.wheel[at][OMR_WP_RATE]),
      clean(hypot(p[OMR_VP_INITIAL_VX], p[OMR_VP_INITIAL_VZ])),
      clean(fabs(p[OMR_VP_INITIAL_YAW_RATE])));
}

void omr_doubt_start(const omr_scene *s, omr_doubts *doubts) {
  if (s->study->model != OMR_MODEL_VEHICLE) return;
  if (!s->study->start.rolls && stands(s->values.vehicle)) doubt_rest(s, doubts);
  if (s->misfit > DISAGREES)
    omr_doubt_add(
        doubts, OMR_DOUBT_START, -1, -1,
        "%.3g %% of the wheels' rates at the start, rms, fit no motion of the body, which starts "
        "with the motion that fits best: look at the signs of the rates, and at the radii, places "
        "and inclinations of the wheels, or let the run start where the log is steady",
        100 * s->misfit);
}
