/* Attitude of the platform, and the deepest points of rollers on compliant contact
 * (appendix/springs.md#springs). */
#include "compliant.h"

#include "../../kernels/scalar_math.h"
#include "triple.h"
#include <math.h>

void omr_up_of(const omr_attitude *at, double up[3]) {
  double st, ct, sp, cp;
  omr_math_sincos(at->pitch, &st, &ct);
  omr_math_sincos(at->roll, &sp, &cp);
  up[0] = st;
  up[1] = ct * cp;
  up[2] = -ct * sp;
}

void omr_in_body(const omr_attitude *at, const double level[3], double out[3]) {
  double st, ct, sp, cp;
  omr_math_sincos(at->pitch, &st, &ct);
  omr_math_sincos(at->roll, &sp, &cp);
  const double y = level[1] * ct - level[0] * st;
  out[0] = level[0] * ct + level[1] * st;
  out[1] = y * cp + level[2] * sp;
  out[2] = level[2] * cp - y * sp;
}

void omr_to_level(double yaw, const double world[3], double level[3]) {
  double s, c;
  omr_math_sincos(yaw, &s, &c);
  level[0] = world[0] * c - world[2] * s;
  level[1] = world[1];
  level[2] = world[0] * s + world[2] * c;
}

void omr_turn_fork(omr_wheel_kind kind, double angle, double w[W_COUNT]) {
  if (!omr_wheel_swivels(kind)) return;
  double s, c;
  omr_math_sincos(angle, &s, &c);
  const double sine = w[W_SIN] * c + w[W_COS] * s, cosine = w[W_COS] * c - w[W_SIN] * s;
  w[W_SIN] = sine;
  w[W_COS] = cosine;
  w[W_A] -= w[W_TRAIL] * cosine;
  w[W_B] += w[W_TRAIL] * sine;
}

/* Turns the wheel's axes i, j, k into body axes. */
static void from_wheel(const double w[W_COUNT], const double a[3], double out[3]) {
  out[0] = a[0] * w[W_COS] + a[2] * w[W_SIN];
  out[1] = a[1];
  out[2] = a[2] * w[W_COS] - a[0] * w[W_SIN];
}

/* appendix/springs.md#springs */
omr_deep_point omr_deepest(const double w[W_COUNT], double q, double row, const double up[3],
                           double height) {
  const double cos_psi = w[W_COS_PSI], end = w[W_SIN_END];
  /* Normal and roller axis in the wheel's axes. */
  double s, c, center[3], axis[3], place[3];
  omr_math_sincos(q, &s, &c);
  const double n[3] = {up[0] * w[W_COS] - up[2] * w[W_SIN], up[1],
                       up[0] * w[W_SIN] + up[2] * w[W_COS]};
  const double e[3] = {cos_psi * c, cos_psi * s, w[W_SIN_PSI]};

  /* The angle on the roller at which its surface is parallel to the floor, limited by its end. */
  const double along = omr_dot3(e, n), sine = fmin(fmax(along * w[W_INV_COS_PSI], -end), end);
  const double cosine = __builtin_sqrt(1 - sine * sine), slant = sine * cos_psi;
  const double h = w[W_RADIUS] - w[W_CENTER] / cosine - w[W_FILLET];
  const double m = w[W_CENTER] * sine / cosine * w[W_INV_COS_PSI];

  /* The way from the roller's centre to the point, along its axis and along the normal. */
  const double out = h * __builtin_sqrt((1 - slant * slant) / fmax(1 - along * along, 1e-12));
  const double by_axis = out * along - (m + h * slant),
               by_up = -out - (w[W_FILLET] - w[W_UNDERSIZE]);

  /* The same in body axes. */
  center[0] = w[W_CENTER] * s;
  center[1] = w[W_RADIUS] - w[W_CENTER] * c;
  center[2] = row;
  for (int j = 0; j < 3; j++) center[j] += by_axis * e[j] + by_up * n[j];
  from_wheel(w, center, place);
  from_wheel(w, e, axis);
  omr_deep_point point = {.place = {place[0] + w[W_A], place[1], place[2] + w[W_B]},
                          .axis = {axis[0], axis[1], axis[2]}};
  point.depth = -(height + omr_dot3(up, point.place));
  point.lever = omr_is_disc_contact(w) ? 0 : by_up; /* a disc has no spin of its own */
  return point;
}

double omr_pitch_of(const double w[W_COUNT]) {
  return w[W_ALPHA] < NO_EDGE ? 2 * w[W_ALPHA] : 0;
}

bool omr_is_disc_contact(const double w[W_COUNT]) {
  return w[W_ROLLERS] < 2;
}

void omr_leave_one(const double w[W_COUNT], omr_deep_point three[3]) {
  const double sag = omr_is_disc_contact(w) ? 0 : w[W_TRACKED_SAG]; /* a fork has its angle there */
  if (omr_is_disc_contact(w) || sag > 0) three[1].depth = three[2].depth = -HUGE_VAL;
  three[0].depth += sag;
}

void omr_deepest_three(const double w[W_COUNT], double q, double row, const double up[3],
                       double height, omr_deep_point three[3]) {
  const double pitch = omr_pitch_of(w);
  three[0] = omr_deepest(w, q, row, up, height);
  three[1] = omr_deepest(w, q - pitch, -row, up, height);
  three[2] = omr_deepest(w, q + pitch, -row, up, height);
  omr_leave_one(w, three);
}

void omr_raise_three(double travel, const double up[3], omr_deep_point three[3]) {
  for (int j = 0; j < 3; j++) {
    three[j].place[1] += travel;
    three[j].depth -= travel * up[1];
  }
}
