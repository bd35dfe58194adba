/* Deepest points of rollers on a floor with a profile, as touch_profile of
 * kernels/compliant/compliant_contact.h finds them (appendix/springs.md#floors). */
#include "compliant.h"

#include "../../kernels/scalar_math.h"
#include "triple.h"
#include <math.h>

/* PROFILE_LOOKS and PROFILE_TURNS of the kernels. */
enum { LOOKS = 2, TURNS = 4 };

/* The world's axes in body axes. */
typedef struct world_axes {
  double x[3], up[3], z[3];
} world_axes;

static world_axes axes_of(const omr_stance *s) {
  static const double along[3] = {1, 0, 0}, side[3] = {0, 0, 1};
  world_axes a;
  double level[3];
  omr_up_of(&s->attitude, a.up);
  omr_to_level(s->yaw, along, level);
  omr_in_body(&s->attitude, level, a.x);
  omr_to_level(s->yaw, side, level);
  omr_in_body(&s->attitude, level, a.z);
  return a;
}

/* The normal of a profile with these slopes, body axes. */
static void normal_of(const world_axes *a, const double slope[2], double n[3]) {
  const double flat = 1 / __builtin_sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  for (int j = 0; j < 3; j++) n[j] = flat * (a->up[j] - slope[0] * a->x[j] - slope[1] * a->z[j]);
}

static omr_deep_point deepest_here(const omr_floor *floor, const omr_stance *s, const world_axes *a,
                                   const double w[W_COUNT], double q, double row, double travel) {
  /* A roller above every part of the floor needs no profile. */
  omr_deep_point point = omr_deepest(w, q, row, a->up, s->attitude.height);
  point.place[1] += travel;
  point.depth -= travel * a->up[1];
  point.slope[0] = point.slope[1] = 0;
  point.depth += floor->columns[F_TOP];
  if (!(point.depth > 0)) return point;

  /* Each look takes the profile at the point's place, each turn fits its normal to the curvature.
   */
  for (int look = 0; look < LOOKS; look++) {
    const double x = s->x + omr_dot3(a->x, point.place), z = s->z + omr_dot3(a->z, point.place);
    const omr_floor_spot spot = omr_floor_at(floor, x, z);
    double slope[2] = {spot.x, spot.z}, height = 0;
    for (int turn = 0; turn < TURNS; turn++) {
      double n[3];
      normal_of(a, slope, n);
      point = omr_deepest(w, q, row, n, 0);
      point.place[1] += travel;
      const double dx = s->x + omr_dot3(a->x, point.place) - x,
                   dz = s->z + omr_dot3(a->z, point.place) - z,
                   bent_x = spot.xx * dx + spot.xz * dz, bent_z = spot.xz * dx + spot.zz * dz;
      slope[0] = spot.x + bent_x;
      slope[1] = spot.z + bent_z;
      height = spot.height + (spot.x + 0.5 * bent_x) * dx + (spot.z + 0.5 * bent_z) * dz;
    }

    /* The gap below the point is vertical. */
    point.slope[0] = slope[0];
    point.slope[1] = slope[1];
    point.depth = height - (omr_dot3(a->up, point.place) + s->attitude.height);
  }

  return point;
}

/* appendix/springs.md#floors */
void omr_deepest_on_floor(const omr_floor *floor, const omr_stance *s, const double w[W_COUNT],
                          double q, double row, double travel, omr_deep_point three[3]) {
  const double pitch = omr_pitch_of(w);
  if (!(floor->bits & FLOOR_PROFILE)) {
    double up[3];
    omr_up_of(&s->attitude, up);
    omr_deepest_three(w, q, row, up, s->attitude.height, three);
    if (travel != 0) omr_raise_three(travel, up, three);
    return;
  }
  const world_axes a = axes_of(s);
  three[0] = deepest_here(floor, s, &a, w, q, row, travel);
  three[1] = deepest_here(floor, s, &a, w, q - pitch, -row, travel);
  three[2] = deepest_here(floor, s, &a, w, q + pitch, -row, travel);
  omr_leave_one(w, three);
}
