#include "ground.h"

#include <stdbool.h>

static omr_ground_patch read_patch(const double *values, omr_patch shape) {
  double yaw = values[OMR_VP_PATCH0_YAW];
  return (omr_ground_patch){.shape = shape,
                            .x = values[OMR_VP_PATCH0_X],
                            .z = values[OMR_VP_PATCH0_Z],
                            .cos_yaw = cos(yaw),
                            .sin_yaw = sin(yaw),
                            .half_length = values[OMR_VP_PATCH0_LENGTH] / 2,
                            .half_width = values[OMR_VP_PATCH0_WIDTH] / 2,
                            .friction = values[OMR_VP_PATCH0_FRICTION]};
}

void omr_ground_read(omr_ground_friction *g, const omr_study *study, const omr_values *values) {
  const double *v = values->vehicle;
  *g = (omr_ground_friction){.kind = study->floor.kind,
                             .factor = v[OMR_VP_GROUND_FACTOR],
                             .time = v[OMR_VP_GROUND_TIME],
                             .width = v[OMR_VP_GROUND_WIDTH],
                             .edge = v[OMR_VP_GROUND_EDGE]};
  for (int p = 0; p < OMR_PATCHES; p++)
    g->patch[p] = read_patch(v + p * (OMR_VP_PATCH1_X - OMR_VP_PATCH0_X), study->floor.patch[p]);
}

/* Distance of r from the border of the patch, positive inside. Yaw turns the length from x towards
 * -z. */
static double depth(const omr_ground_patch *p, omr_vec r) {
  double dx = r.x - p->x, dz = r.z - p->z;
  double along = dx * p->cos_yaw - dz * p->sin_yaw, across = dx * p->sin_yaw + dz * p->cos_yaw;
  if (p->shape == OMR_PATCH_HALF_PLANE) return along;
  return fmin(p->half_length - fabs(along), p->half_width - fabs(across));
}

/* The patch's share of the ground at r: 0 outside, 1 inside, linear over the edge, half of which is
 * inside. */
static double cover(const omr_ground_place *place, int patch, omr_vec r) {
  if (place->zone[patch] == OMR_ZONE_OUTSIDE) return 0;
  if (place->zone[patch] == OMR_ZONE_INSIDE) return 1;
  return depth(&place->ground->patch[patch], r) / place->ground->edge + 0.5;
}

/* Factor in time: mu_l + (mu_u - mu_l) tanh^4 and (mu_u + mu_l)/2 - (mu_u - mu_l)/2 tanh of (t -
 * t_s)/s_d. */
static double factor_at(const omr_ground_friction *g, double t) {
  double shape = tanh((t - g->time) / g->width);
  if (g->kind == OMR_GROUND_DIP) return g->factor + (1 - g->factor) * shape * shape * shape * shape;
  return 0.5 * (1 + g->factor) - 0.5 * (1 - g->factor) * shape;
}

double omr_ground_coefficient(const void *self, double coefficient, double t, omr_vec r) {
  const omr_ground_place *place = self;
  const omr_ground_friction *g = place->ground;
  if (g->kind == OMR_GROUND_CONSTANT) return coefficient;
  if (g->kind != OMR_GROUND_PATCHES) return coefficient * factor_at(g, t);
  for (int p = 0; p < OMR_PATCHES; p++) { /* later patches lie on earlier ones */
    if (g->patch[p].shape == OMR_PATCH_NONE) continue;
    double part = cover(place, p, r);
    coefficient = part * g->patch[p].friction + (1 - part) * coefficient;
  }
  return coefficient;
}

void omr_ground_judge(omr_ground_place *place, omr_vec r) {
  const omr_ground_friction *g = place->ground;
  for (int p = 0; p < OMR_PATCHES; p++) {
    double in = g->kind == OMR_GROUND_PATCHES && g->patch[p].shape != OMR_PATCH_NONE
                    ? depth(&g->patch[p], r)
                    : -HUGE_VAL;
    bool on_edge = fabs(in) < g->edge / 2;
    place->zone[p] = on_edge ? OMR_ZONE_EDGE : in > 0 ? OMR_ZONE_INSIDE : OMR_ZONE_OUTSIDE;
  }
}

double omr_ground_margin(const omr_ground_place *place, int patch, omr_vec r) {
  const omr_ground_friction *g = place->ground;
  if (g->kind != OMR_GROUND_PATCHES || g->patch[patch].shape == OMR_PATCH_NONE) return 1;
  const double slack = 1e-12; /* m; keeps the border just passed from being met again */
  double in = depth(&g->patch[patch], r);
  switch (place->zone[patch]) {
  case OMR_ZONE_OUTSIDE: return -in - g->edge / 2 + slack;
  case OMR_ZONE_INSIDE: return in - g->edge / 2 + slack;
  default: return g->edge / 2 - fabs(in) + slack;
  }
}
