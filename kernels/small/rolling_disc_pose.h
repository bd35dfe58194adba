/* Axes, angular velocity and samples of a disc, whatever its contact, in the axes of the plane:
 * n = (0, 1, 0). */

/* Below this sine of the tilt a disc that touches lies flat: the contact point has no direction (w1
 * parallel to n). */
#define DISC_FLAT R(0.01)

/* Axes and angular velocity of a disc. w1, w2, w_lat, w3 as in source 4: x = w1 x n, w2 = x/|x|, w3
 * = w1 x w2 and w_lat = n x w2; with sin and cos of the tilt w1 = sin w_lat + cos n, w3 = cos w_lat
 * - sin n. */
typedef struct disc_pose {
  real w1x, w1y, w1z, w2x, w2z, latx, latz, sine, cosine;
  real wx, wy, wz, spin;
} disc_pose;

/* |q| does not matter: w1 is divided by it. */
FN void rolling_disc_axis(const real *y, disc_pose *d) {
  real scalar = y[DISC_Y_QW], x = y[DISC_Y_QX], q = y[DISC_Y_QY], z = y[DISC_Y_QZ];
  real ww = scalar * scalar, xx = x * x, qq = q * q, zz = z * z;
  real twice = R(-2.0) / ((ww + xx) + (qq + zz));
  d->w1x = twice * fma_real(x, z, scalar * q);
  d->w1y = twice * fma_real(q, z, -(scalar * x));
  d->w1z = R(0.5) * twice * ((ww + zz) - (xx + qq));
}

/* The other axes; w2 has no direction where the disc lies flat. */
FN void rolling_disc_frame(const real *y, disc_pose *d) {
  rolling_disc_axis(y, d);
  d->sine = sqrt_real(fma_real(d->w1x, d->w1x, d->w1z * d->w1z));
  d->cosine = d->w1y;
  real inv = R(1.0) / max_real(d->sine, R(1e-12));
  d->w2x = -(d->w1z * inv);
  d->w2z = d->w1x * inv;
  d->latx = d->w2z;
  d->latz = -d->w2x;
}

/* L.w1, also of the angular momentum about the contact point. */
FN real rolling_disc_about(const real *y, const disc_pose *d) {
  return fma_real(y[DISC_Y_LX], d->w1x, fma_real(y[DISC_Y_LY], d->w1y, y[DISC_Y_LZ] * d->w1z));
}

/* omega = L/I_d + (1/I_a - 1/I_d) (L.w1) w1 (appendix/small.md#models). */
FN void rolling_disc_pose(const real *p, const real *y, disc_pose *d) {
  rolling_disc_frame(y, d);
  real about = rolling_disc_about(y, d);
  real more = p[DISC_P_INV_EXCESS] * about, most = p[DISC_P_INV_DIAMETRAL];
  d->spin = p[DISC_P_INV_AXIAL] * about;
  d->wx = fma_real(most, y[DISC_Y_LX], more * d->w1x);
  d->wy = fma_real(most, y[DISC_Y_LY], more * d->w1y);
  d->wz = fma_real(most, y[DISC_Y_LZ], more * d->w1z);
}

/* q' = 1/2 (0, omega) q. */
FN void rolling_disc_turn(const disc_pose *d, const real *y, real *dy) {
  real scalar = y[DISC_Y_QW], x = y[DISC_Y_QX], q = y[DISC_Y_QY], z = y[DISC_Y_QZ];
  real hx = R(0.5) * d->wx, hy = R(0.5) * d->wy, hz = R(0.5) * d->wz;
  dy[DISC_Y_QW] = fma_real(
      -hx, x,
      fma_real(-hy, q, -(hz * z))); /* not -fma: compilers fuse that with another sign of zero */
  dy[DISC_Y_QX] = fma_real(hx, scalar, fma_real(hy, z, -(hz * q)));
  dy[DISC_Y_QY] = fma_real(hy, scalar, fma_real(hz, x, -(hx * z)));
  dy[DISC_Y_QZ] = fma_real(hz, scalar, fma_real(hx, q, -(hy * x)));
}

/* Samples that follow from the pose: rates of heading and tilt, the trail p_C' = v + R w3' in the
 * plane. They need the velocity that is in out. */
FN void rolling_disc_rates_of_pose(const real *p, const disc_pose *d, real *out) {
  real about_2 = fma_real(d->wx, d->w2x, d->wz * d->w2z),
       level = fma_real(d->wx, d->latx, d->wz * d->latz);
  /* omega_perp = -tilt' w2 - heading' sin w3, and w3 = cos w_lat - sin n */
  real about_3 = fma_real(d->cosine, level, -(d->sine * d->wy));
  real heading = -(about_3 / max_real(d->sine, R(1e-12)));
  real lat = p[DISC_P_RADIUS] * d->sine * about_2, lon = -(p[DISC_P_RADIUS] * d->cosine * heading);
  out[DISC_S_SPIN] = d->spin;
  out[DISC_S_PRECESSION] = heading;
  out[DISC_S_TILT_RATE] = -about_2;
  out[DISC_S_TRAIL_X] = out[DISC_S_VX] + fma_real(lat, d->latx, lon * d->w2x);
  out[DISC_S_TRAIL_Z] = out[DISC_S_VZ] + fma_real(lat, d->latz, lon * d->w2z);
}

/* Values that a trajectory copies. */
FN void rolling_disc_copy(const real *y, const disc_pose *d, real *out) {
  for (int j = 0; j < 3; j++) out[DISC_S_X + j] = y[DISC_Y_X + j];
  for (int j = 0; j < 3; j++) out[DISC_S_VX + j] = y[DISC_Y_VX + j];
  for (int j = 0; j < 4; j++) out[DISC_S_QW + j] = y[DISC_Y_QW + j];
  out[DISC_S_AXIS_X] = d->w1x;
  out[DISC_S_AXIS_Y] = d->w1y;
  out[DISC_S_AXIS_Z] = d->w1z;
  out[DISC_S_RATE_X] = d->wx;
  out[DISC_S_RATE_Y] = d->wy;
  out[DISC_S_RATE_Z] = d->wz;
}
