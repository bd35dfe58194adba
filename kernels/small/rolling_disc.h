/* A free disc: the penalty contact of source 4 (ObjectConnectorRollingDiscPenalty) in the axes of
 * the plane, n = (0, 1, 0); the choice of the contact; the reduced quantities. f_n of the source is
 * negative in contact; the force on the disc is N n with N = -f_n, and friction opposes the slip.
 */
#include "rolling_disc_ideal.h"
#include "rolling_disc_tyre.h"

/* N = -(k_c p_C + d_c v_C).n while p_C.n is negative, else 0 (appendix/small.md#models). */
FN real rolling_disc_load(GLOBAL const int *c, const real *p, real gap, real gap_rate) {
  real load = fma_real(-p[DISC_P_STIFFNESS], gap, -(p[DISC_P_DAMPING] * gap_rate));
  if (SETTING(c, OPTION_1) == DISC_PULL_NONE) load = max_real(load, R(0.0));
  return select_real(lt(gap, R(0.0)), load, R(0.0));
}

/* Load of friction: N as source 4 prints it, or |N| as Exudyn's code has it, so that friction
 * opposes the slip of a disc that the damper pulls at (appendix/small.md#models). */
FN real rolling_disc_grip(GLOBAL const int *c, real load) {
  if (SETTING(c, OPTION_1) == DISC_PULL_EXUDYN) load = abs_real(load);
  return load;
}

/* -N phi/|v| T D T^T v, T = [[cos, sin], [-sin, cos]], D = diag(mu + d |v|): as source 4 prints it.
 * phi/|v| is finite at rest (appendix/small.md#models). */
FN void rolling_disc_friction(const real *p, real grip, real lat, real lon, real *force_lat,
                              real *force_lon) {
  real speed = sqrt_real(fma_real(lat, lat, lon * lon)), zone = p[DISC_P_ZONE];
  real inside = min_real(speed * p[DISC_P_INV_SLIP_SPEED], R(1.0));
  real gain =
      grip * (fma_real(R(1.0) - zone, inside, zone) / max_real(speed, p[DISC_P_SLIP_SPEED]));
  real sine = p[DISC_P_FRICTION_SIN], co = p[DISC_P_FRICTION_COS];
  real along_x = fma_real(co, lat, -(sine * lon)),
       along_y = fma_real(sine, lat, co * lon); /* T^T v */
  real fx = gain * fma_real(p[DISC_P_LATERAL_VISCOUS], speed, p[DISC_P_LATERAL]) * along_x;
  real fy =
      gain * fma_real(p[DISC_P_LONGITUDINAL_VISCOUS], speed, p[DISC_P_LONGITUDINAL]) * along_y;
  *force_lat = fma_real(-co, fx, -(sine * fy));
  *force_lon = fma_real(sine, fx, -(co * fy));
}

/* Kinetic energy + gravity + contact spring. */
FN real rolling_disc_energy(const real *p, const real *y, const disc_pose *d, real gap) {
  real vx = y[DISC_Y_VX], vy = y[DISC_Y_VY], vz = y[DISC_Y_VZ], deep = min_real(gap, R(0.0));
  real moving = p[DISC_P_MASS] * fma_real(vx, vx, fma_real(vy, vy, vz * vz));
  real turning = fma_real(d->wx, y[DISC_Y_LX], fma_real(d->wy, y[DISC_Y_LY], d->wz * y[DISC_Y_LZ]));
  real high = fma_real(p[DISC_P_WEIGHT_X], y[DISC_Y_X],
                       fma_real(p[DISC_P_WEIGHT_Y], y[DISC_Y_Y], p[DISC_P_WEIGHT_Z] * y[DISC_Y_Z]));
  return R(0.5) * fma_real(p[DISC_P_STIFFNESS] * deep, deep, moving + turning) - high;
}

/* A plate that moves under a disc on penalty contact: adds the effect of its motion to the rates,
 * its work by the contact force and by the drag at the centre, and the energy with its share. */
FN void rolling_disc_touch_carried(const real *p, const real *y, real t, const disc_pose *d,
                                   const real *force, const real *drag, real *dy, real *out) {
  disc_plate plate;
  disc_loads loads;
  real carried[3], center[3], gap = min_real(out[DISC_S_GAP], R(0.0));
  const real touched[3] = {out[DISC_S_CONTACT_X], out[DISC_S_GAP], out[DISC_S_CONTACT_Z]};
  rolling_disc_plate(p, t, &plate);
  rolling_disc_carried(p, &plate, y + DISC_Y_X, y + DISC_Y_VX, &loads);
  rolling_disc_carried_torque(p, &plate, d, &loads);
  rolling_disc_plate_velocity(p, &plate, touched, carried);
  rolling_disc_plate_velocity(p, &plate, y + DISC_Y_X, center);
  for (int i = 0; i < 3; i++) {
    dy[DISC_Y_VX + i] = ((force[i] + loads.force[i]) + drag[i]) * p[DISC_P_INV_MASS];
    dy[DISC_Y_LX + i] = dy[DISC_Y_LX + i] + loads.torque[i];
  }
  dy[DISC_Y_WORK] = rolling_disc_dot(force, carried) + rolling_disc_dot(drag, center);
  out[DISC_S_ENERGY] =
      fma_real(R(0.5) * p[DISC_P_STIFFNESS] * gap, gap,
               rolling_disc_carried_energy(p, &plate, d, y + DISC_Y_X, y + DISC_Y_VX));
}

/* Derivatives dy and samples out on the penalty contact. v_C = v + omega x r with r = R w3
 * (appendix/small.md#models). */
FN void rolling_disc_touch(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                           real *out) {
  /* The pose gives the arm r from the centre to the contact. */
  disc_pose d;
  rolling_disc_pose(p, y, &d);
  real arm = p[DISC_P_RADIUS] * d.cosine, rx = arm * d.latx, ry = -(p[DISC_P_RADIUS] * d.sine),
       rz = arm * d.latz;
  /* The contact has the velocity v_C. */
  real gap = y[DISC_Y_Y] + ry;
  real cx = y[DISC_Y_VX] + fma_real(d.wy, rz, -(d.wz * ry));
  real cy = y[DISC_Y_VY] + fma_real(d.wz, rx, -(d.wx * rz));
  real cz = y[DISC_Y_VZ] + fma_real(d.wx, ry, -(d.wy * rx));
  real lat = fma_real(cx, d.latx, cz * d.latz), lon = fma_real(cx, d.w2x, cz * d.w2z);
  /* Gap and velocity give the load, load and slip the friction. */
  real load = rolling_disc_load(c, p, gap, cy), grip = rolling_disc_grip(c, load), force_lat,
       force_lon;
  if (SETTING(c, OPTION_4) == DISC_LAW_COULOMB)
    rolling_disc_friction(p, grip, lat, lon, &force_lat, &force_lon);
  else
    rolling_disc_tyre(c, p, &d, grip, lat, lon, &force_lat, &force_lon);
  real fx = fma_real(force_lat, d.latx, force_lon * d.w2x),
       fz = fma_real(force_lat, d.latz, force_lon * d.w2z);
  real drag = p[DISC_P_ROLLING] * grip, vx = y[DISC_Y_VX], vz = y[DISC_Y_VZ];

  /* Forces accelerate the centre. */
  dy[DISC_Y_X] = vx;
  dy[DISC_Y_Y] = y[DISC_Y_VY];
  dy[DISC_Y_Z] = vz;
  rolling_disc_turn(&d, y, dy);
  dy[DISC_Y_VX] = ((fx + p[DISC_P_WEIGHT_X]) - drag * vx) * p[DISC_P_INV_MASS];
  dy[DISC_Y_VY] = (load + p[DISC_P_WEIGHT_Y]) * p[DISC_P_INV_MASS];
  dy[DISC_Y_VZ] = ((fz + p[DISC_P_WEIGHT_Z]) - drag * vz) * p[DISC_P_INV_MASS];
  /* Their moment r x F changes the angular momentum. */
  dy[DISC_Y_LX] = fma_real(ry, fz, -(rz * load));
  dy[DISC_Y_LY] = fma_real(rz, fx, -(rx * fz));
  dy[DISC_Y_LZ] = fma_real(rx, load, -(ry * fx));
  /* Power that the spring does not store is lost. */
  real spring = p[DISC_P_STIFFNESS] * min_real(gap, R(0.0));
  real power = fma_real(load + spring, cy, fma_real(force_lat, lat, force_lon * lon));
  dy[DISC_Y_LOST] = drag * fma_real(vx, vx, vz * vz) - power;
  dy[DISC_Y_AIR] = select_real(lt(gap, R(0.0)), R(0.0), R(1.0));
  dy[DISC_Y_WORK] = R(0.0);

  /* Samples follow. */
  rolling_disc_copy(y, &d, out);
  rolling_disc_rates_of_pose(p, &d, out);
  out[DISC_S_CONTACT_X] = y[DISC_Y_X] + rx;
  out[DISC_S_CONTACT_Z] = y[DISC_Y_Z] + rz;
  out[DISC_S_GAP] = gap;
  out[DISC_S_SLIP_LAT] = lat;
  out[DISC_S_SLIP_LONG] = lon;
  out[DISC_S_LOAD] = load;
  out[DISC_S_FORCE_LAT] = force_lat;
  out[DISC_S_FORCE_LONG] = force_lon;
  out[DISC_S_ENERGY] = rolling_disc_energy(p, y, &d, gap);
  if (SETTING(c, OPTION_3) == DISC_MOTION_REST) return;
  const real force[3] = {fx, load, fz}, held[3] = {-(drag * vx), R(0.0), -(drag * vz)};
  rolling_disc_touch_carried(p, y, t, &d, force, held, dy, out);
}

FN void rolling_disc_rates(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                           real *out) {
  if (SETTING(c, OPTION_2) == DISC_CONTACT_ROLLING)
    rolling_disc_roll(c, p, y, t, dy, out);
  else
    rolling_disc_touch(c, p, y, t, dy, out);
}

/* The samples that only a trajectory needs. */
FN void rolling_disc_complete(real *out) {
  real x = out[DISC_S_AXIS_X], z = out[DISC_S_AXIS_Z];
  out[DISC_S_TILT] = atan2_real(sqrt_real(fma_real(x, x, z * z)), out[DISC_S_AXIS_Y]);
  out[DISC_S_HEADING] =
      atan2_real(-x, -z); /* w2 = (-w1z, 0, w1x)/sin = (cos, 0, -sin) of the heading */
}

/* Lanes whose disc lies flat on the plane: outside the model. */
FN mask rolling_disc_outside(GLOBAL const int *c, const real *out) {
  real x = out[DISC_S_AXIS_X], z = out[DISC_S_AXIS_Z];
  mask flat = lt(fma_real(x, x, z * z), DISC_FLAT * DISC_FLAT);
  if (SETTING(c, OPTION_2) == DISC_CONTACT_ROLLING) return flat;
  return mask_and(flat, lt(out[DISC_S_GAP], R(0.0)));
}

/* Lanes whose disc would have to be pulled at to keep it on the plane. */
FN mask rolling_disc_lifted(GLOBAL const int *c, const real *out) {
  if (SETTING(c, OPTION_2) != DISC_CONTACT_ROLLING) return no_lane();
  return lt(out[DISC_S_LOAD], R(0.0));
}

/* Brings |q| back to 1 by one step of Newton's method; the sums keep their compensation. */
FN void rolling_disc_settle(real *y, real *low, mask running) {
  real norm = R(0.0);
  for (int j = DISC_Y_QW; j <= DISC_Y_QZ; j++) norm = fma_real(y[j], y[j], norm);
  real off = R(0.5) * (R(1.0) - norm);
  for (int j = DISC_Y_QW; j <= DISC_Y_QZ; j++) add_compensated(&y[j], &low[j], off * y[j], running);
}

FN void rolling_disc_observe(const real *p, real t, const real *out, mask running, real *e) {
  real lat = out[DISC_S_SLIP_LAT], lon = out[DISC_S_SLIP_LONG], zero = R(0.0), one = R(1.0);
  real vx = out[DISC_S_VX], vy = out[DISC_S_VY], vz = out[DISC_S_VZ], x = out[DISC_S_AXIS_X],
       z = out[DISC_S_AXIS_Z];
  mask touches = lt(out[DISC_S_GAP], zero);
  real slip = select_real(touches, sqrt_real(fma_real(lat, lat, lon * lon)), zero);
  real speed = sqrt_real(fma_real(vx, vx, fma_real(vy, vy, vz * vz))), load = out[DISC_S_LOAD];
  mask low = lt(fma_real(x, x, z * z), p[DISC_P_FALL] * p[DISC_P_FALL]);
  mask fallen = mask_and(mask_and(running, low), lt(e[DISC_E_FALL_TIME], zero));
  mask lifts = mask_and(running, mask_and(mask_not(touches), eq(e[DISC_E_TOUCHED], one)));
  take_largest(running, slip, &e[DISC_E_SLIP]);
  take_largest(running, speed, &e[DISC_E_SPEED]);
  take_smallest(running, load, &e[DISC_E_MIN_LOAD]);
  take_largest(running, load, &e[DISC_E_MAX_LOAD]);
  take_largest(running, out[DISC_S_GAP], &e[DISC_E_MAX_HEIGHT]);
  e[DISC_E_FALL_TIME] = select_real(fallen, t, e[DISC_E_FALL_TIME]);
  e[DISC_E_LIFT_OFFS] = select_real(lifts, e[DISC_E_LIFT_OFFS] + one, e[DISC_E_LIFT_OFFS]);
  e[DISC_E_TOUCHED] = select_real(running, select_real(touches, one, zero), e[DISC_E_TOUCHED]);
}
