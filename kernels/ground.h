/* Friction of the ground, as a function of time or of place
 * (appendix/drives.md#drives; source 5, eqs. 24 and 26). Every law takes the friction
 * coefficient under a wheel from ground_friction; on constant ground that is the wheel's own. */

/* Where and when the friction of the ground is wanted. */
typedef struct place {
  real x, z, sin_yaw, cos_yaw; /* the body origin, and where the body points; only for patches */
  real t;
} place;

/* Factor of friction at time t. dip: tanh^4 around t_s; step: from 1 to the factor
 * (appendix/drives.md#drives). */
FN real friction_in_time(const real *vehicle, GLOBAL const int *c, real t) {
  real shape = tanh_real((t - vehicle[P_GROUND_TIME]) * vehicle[P_GROUND_INV_WIDTH]);
  if (SETTING(c, GROUND) == GROUND_DIP) {
    shape = shape * shape;
    shape = shape * shape;
  }
  return fma_real(vehicle[P_GROUND_GAIN], shape, vehicle[P_GROUND_BASE]);
}

/* Lays a patch over ground with the friction coefficient `below`. vehicle: its parameters, moved on
 * so that this patch stands in the columns of patch 0. It covers the ground by 1 inside, by 0
 * outside, and changes linearly over the width of the edge
 * (appendix/drives.md#drives). */
FN real lay_patch(const real *vehicle, int shape, real inv_edge, real x, real z, real below) {
  if (shape == PATCH_NONE) return below;
  real dx = x - vehicle[P_PATCH0_X], dz = z - vehicle[P_PATCH0_Z];
  real inside = fma_real(dx, vehicle[P_PATCH0_COS], -(dz * vehicle[P_PATCH0_SIN]));
  if (shape == PATCH_RECTANGLE) {
    real across = fma_real(dx, vehicle[P_PATCH0_SIN], dz * vehicle[P_PATCH0_COS]);
    inside = min_real(vehicle[P_PATCH0_HALF_LENGTH] - abs_real(inside),
                      vehicle[P_PATCH0_HALF_WIDTH] - abs_real(across));
  }
  real cover = clamp_real(fma_real(inside, inv_edge, R(0.5)), R(0.0), R(1.0));
  return fma_real(cover, vehicle[P_PATCH0_FRICTION], (R(1.0) - cover) * below);
}

/* Friction coefficient under a wheel with contact k. vehicle: its parameters, w: the wheel's. */
FN real ground_friction(const real *vehicle, GLOBAL const int *c, const real *w, const contact *k,
                        const place *at) {
  real friction = w[W_FRICTION];
  if (SETTING(c, GROUND) == GROUND_CONSTANT) return friction;
  if (SETTING(c, GROUND) != GROUND_PATCHES) return friction * friction_in_time(vehicle, c, at->t);
  real bx = fma_real(-k->offset, w[W_SIN], w[W_A]),
       bz = fma_real(-k->offset, w[W_COS], w[W_B]); /* contact, body axes */
  real x = at->x + fma_real(bx, at->cos_yaw, bz * at->sin_yaw);
  real z = at->z + fma_real(bz, at->cos_yaw, -(bx * at->sin_yaw));
  real inv_edge = vehicle[P_GROUND_INV_EDGE];
  friction = lay_patch(vehicle, SETTING(c, PATCH_0), inv_edge, x, z, friction);
  friction =
      lay_patch(vehicle + (P_PATCH1_X - P_PATCH0_X), SETTING(c, PATCH_1), inv_edge, x, z, friction);
  friction =
      lay_patch(vehicle + (P_PATCH2_X - P_PATCH0_X), SETTING(c, PATCH_2), inv_edge, x, z, friction);
  return lay_patch(vehicle + (P_PATCH3_X - P_PATCH0_X), SETTING(c, PATCH_3), inv_edge, x, z,
                   friction);
}
