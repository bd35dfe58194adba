/* The ideally rolling disc (source 3, section 3.1; Borisov, Mamaev, Kilin 2003): it neither slips
 * nor leaves the plane. The angular momentum M about the contact point takes the place of L, so the
 * contact force does not appear:
 *
 *   M' = r' x (omega x m r) + W x r        M = I omega + m r x (omega x r)        v = -omega x r
 *
 * with r = R w3 from the centre to the contact point and the weight W; source 3 has W = -m g gamma
 * and the body's axes, which adds M x omega. Components 1, 2, 3 are along w1, w2, w3; these axes
 * turn with f = (heading' cos(tilt), omega_2, omega_3). */
#include "rolling_disc_ground.h"

/* Angular velocity and angular acceleration of the disc, in the axes w1, w2, w3: the latter
 * relative to these axes. */
typedef struct disc_roll {
  real w3x, w3y, w3z;
  real r1, r2, r3, f1;   /* omega and f */
  real weight1, weight2; /* W.w1, W.w2 */
  real a1, a2;           /* omega_1', omega_2' */
} disc_roll;

/* omega_i = M.w_i over I_a + m R^2, I_d + m R^2, I_d (appendix/small.md#models). */
FN void rolling_disc_turning(const real *p, const real *y, disc_pose *d, disc_roll *b) {
  b->w3x = d->cosine * d->latx;
  b->w3y = -d->sine;
  b->w3z = d->cosine * d->latz;
  real about_2 = fma_real(y[DISC_Y_LX], d->w2x, y[DISC_Y_LZ] * d->w2z);
  real about_3 =
      fma_real(y[DISC_Y_LX], b->w3x, fma_real(y[DISC_Y_LY], b->w3y, y[DISC_Y_LZ] * b->w3z));
  b->r1 = p[DISC_P_INV_SPINNING] * rolling_disc_about(y, d);
  b->r2 = p[DISC_P_INV_TIPPING] * about_2;
  b->r3 = p[DISC_P_INV_DIAMETRAL] * about_3;
  b->f1 = -(b->r3 / max_real(d->sine, R(1e-12))) * d->cosine;
  d->spin = b->r1;
  d->wx = fma_real(b->r1, d->w1x, fma_real(b->r2, d->w2x, b->r3 * b->w3x));
  d->wy = fma_real(b->r1, d->w1y, b->r3 * b->w3y);
  d->wz = fma_real(b->r1, d->w1z, fma_real(b->r2, d->w2z, b->r3 * b->w3z));
}

/* (I_a + m R^2) omega_1' = R W_2 + m R^2 omega_2 omega_3
 * (I_d + m R^2) omega_2' = -R W_1 - omega_3 ((I_a + m R^2) omega_1 - I_d f_1) */
FN void rolling_disc_speeding(const real *p, const disc_pose *d, const real *weight, disc_roll *b) {
  real radius = p[DISC_P_RADIUS], m_r2 = p[DISC_P_MASS_R2];
  b->weight1 = fma_real(weight[0], d->w1x, fma_real(weight[1], d->w1y, weight[2] * d->w1z));
  b->weight2 = fma_real(weight[0], d->w2x, weight[2] * d->w2z);
  real gyro = fma_real(p[DISC_P_AXIAL] + m_r2, b->r1, -(p[DISC_P_DIAMETRAL] * b->f1));
  b->a1 = p[DISC_P_INV_SPINNING] * fma_real(radius, b->weight2, m_r2 * (b->r2 * b->r3));
  b->a2 = p[DISC_P_INV_TIPPING] * fma_real(-radius, b->weight1, -(b->r3 * gyro));
}

/* Force of the plane: m v' - W, with v = R (-omega_2, omega_1, 0) in the axes that f turns
 * (appendix/small.md#models). */
FN void rolling_disc_reaction(const real *p, const disc_pose *d, const disc_roll *b,
                              const real *weight, real *out) {
  real m_r = p[DISC_P_MASS] * p[DISC_P_RADIUS];
  real weight3 = fma_real(weight[0], b->w3x, fma_real(weight[1], b->w3y, weight[2] * b->w3z));
  real force1 = fma_real(-m_r, fma_real(b->r3, b->r1, b->a2), -b->weight1);
  real force2 = fma_real(m_r, b->a1 - b->r3 * b->r2, -b->weight2);
  real force3 = fma_real(m_r, fma_real(b->f1, b->r1, b->r2 * b->r2), -weight3);
  out[DISC_S_LOAD] = fma_real(force1, d->cosine, -(force3 * d->sine));
  out[DISC_S_FORCE_LAT] = fma_real(force1, d->sine, force3 * d->cosine);
  out[DISC_S_FORCE_LONG] = force2;
}

/* M' = W x r - m R^2 omega_2 (omega_1 - f_1) w3; the rest of the motion follows from omega
 * (appendix/small.md#models). */
FN void rolling_disc_change(const real *p, const real *y, const disc_pose *d, const disc_roll *b,
                            const real *weight, const real *out, real *dy) {
  real radius = p[DISC_P_RADIUS], trail = -(p[DISC_P_MASS_R2] * b->r2) * (b->r1 - b->f1);
  real x = weight[0], h = weight[1], z = weight[2];
  dy[DISC_Y_X] = out[DISC_S_VX];
  dy[DISC_Y_Z] = out[DISC_S_VZ];
  rolling_disc_turn(d, y, dy);
  dy[DISC_Y_LX] = fma_real(trail, b->w3x, radius * fma_real(h, b->w3z, -(z * b->w3y)));
  dy[DISC_Y_LY] = fma_real(trail, b->w3y, radius * fma_real(z, b->w3x, -(x * b->w3z)));
  dy[DISC_Y_LZ] = fma_real(trail, b->w3z, radius * fma_real(x, b->w3y, -(h * b->w3x)));
  dy[DISC_Y_Y] = R(0.0); /* height and velocity follow, nothing is lost, contact lasts */
  for (int j = 0; j < 3; j++) dy[DISC_Y_VX + j] = R(0.0);
  dy[DISC_Y_LOST] = R(0.0);
  dy[DISC_Y_AIR] = R(0.0);
  dy[DISC_Y_WORK] = R(0.0);
}

/* Kinetic energy omega.M/2, and gravity. */
FN real rolling_disc_roll_energy(const real *p, const real *y, const disc_pose *d, real height) {
  real moving = fma_real(d->wx, y[DISC_Y_LX], fma_real(d->wy, y[DISC_Y_LY], d->wz * y[DISC_Y_LZ]));
  real high = fma_real(p[DISC_P_WEIGHT_X], y[DISC_Y_X],
                       fma_real(p[DISC_P_WEIGHT_Y], height, p[DISC_P_WEIGHT_Z] * y[DISC_Y_Z]));
  return fma_real(R(0.5), moving, -high);
}

/* Effect of a plate that moves on a disc that rolls on it, before the accelerations are known. */
FN void rolling_disc_roll_carried(const real *p, real t, const disc_pose *d, const real *out,
                                  disc_plate *plate, disc_loads *loads) {
  rolling_disc_plate(p, t, plate);
  rolling_disc_carried(p, plate, out + DISC_S_X, out + DISC_S_VX, loads);
  rolling_disc_carried_torque(p, plate, d, loads);
}

/* The torque turns the disc too. */
FN void rolling_disc_roll_torque(const real *p, const disc_pose *d, const real *torque,
                                 disc_roll *b) {
  const real axis[3] = {d->w1x, d->w1y, d->w1z};
  b->a1 = fma_real(p[DISC_P_INV_SPINNING], rolling_disc_dot(torque, axis), b->a1);
  b->a2 = fma_real(p[DISC_P_INV_TIPPING], fma_real(torque[0], d->w2x, torque[2] * d->w2z), b->a2);
}

/* Work of a plate on a disc that rolls: the reaction times the velocity of the plate's point. */
FN void rolling_disc_roll_work(const real *p, const disc_plate *plate, const disc_pose *d,
                               const disc_loads *loads, real *dy, real *out) {
  const real touched[3] = {out[DISC_S_CONTACT_X], R(0.0), out[DISC_S_CONTACT_Z]};
  real lat = out[DISC_S_FORCE_LAT], lon = out[DISC_S_FORCE_LONG], carried[3];
  const real force[3] = {fma_real(lat, d->latx, lon * d->w2x), out[DISC_S_LOAD],
                         fma_real(lat, d->latz, lon * d->w2z)};
  rolling_disc_plate_velocity(p, plate, touched, carried);
  dy[DISC_Y_WORK] = rolling_disc_dot(force, carried);
  for (int i = 0; i < 3; i++) dy[DISC_Y_LX + i] = dy[DISC_Y_LX + i] + loads->torque[i];
  out[DISC_S_ENERGY] = rolling_disc_carried_energy(p, plate, d, out + DISC_S_X, out + DISC_S_VX);
}

/* Derivatives dy and samples out of the disc that rolls. */
FN void rolling_disc_roll(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                          real *out) {
  disc_pose d;
  disc_roll b;
  disc_plate plate;
  disc_loads loads;
  const int moving = SETTING(c, OPTION_3) == DISC_MOTION_GIVEN;
  for (int i = 0; i < 3; i++) loads.force[i] = p[DISC_P_WEIGHT_X + i];
  rolling_disc_frame(y, &d);
  rolling_disc_turning(p, y, &d, &b);
  real radius = p[DISC_P_RADIUS], zero = R(0.0);
  rolling_disc_copy(y, &d, out);
  out[DISC_S_Y] = radius * d.sine;
  out[DISC_S_VX] = radius * fma_real(b.r1, d.w2x, -(b.r2 * d.w1x));
  out[DISC_S_VY] = -(radius * (b.r2 * d.w1y));
  out[DISC_S_VZ] = radius * fma_real(b.r1, d.w2z, -(b.r2 * d.w1z));
  if (moving) rolling_disc_roll_carried(p, t, &d, out, &plate, &loads);
  rolling_disc_speeding(p, &d, loads.force, &b);
  if (moving) rolling_disc_roll_torque(p, &d, loads.torque, &b);
  rolling_disc_rates_of_pose(p, &d, out);
  rolling_disc_reaction(p, &d, &b, loads.force, out);
  out[DISC_S_CONTACT_X] = fma_real(radius, b.w3x, y[DISC_Y_X]);
  out[DISC_S_CONTACT_Z] = fma_real(radius, b.w3z, y[DISC_Y_Z]);
  out[DISC_S_GAP] = zero;
  out[DISC_S_SLIP_LAT] = zero;
  out[DISC_S_SLIP_LONG] = zero;
  out[DISC_S_ENERGY] = rolling_disc_roll_energy(p, y, &d, out[DISC_S_Y]);
  rolling_disc_change(p, y, &d, &b, loads.force, out, dy);
  if (moving) rolling_disc_roll_work(p, &plate, &d, &loads, dy, out);
}
