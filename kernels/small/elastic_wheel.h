/* The wheel of source 5 with an elastic rim (appendix/small.md#models). The wheel is cut in two:
 * the hub, which drive, brake and bearing turn, and the tread, which touches the ground. A
 * torsional spring and damper (Kelvin and Voigt) hand the torque c twist + d twist' from hub to
 * tread. The tread rolls or slips as the whole wheel of uk_wheel does, so that uk_wheel_contact()
 * gives its forces, with that torque and the inertia of the tread. Parameters and columns of
 * uk_wheel have the same places here. */

/* Derivatives dy and samples out at time t (appendix/small.md#models). */
FN void elastic_wheel_rates(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                            real *out) {
  real speed = y[RIM_Y_V], rate = y[RIM_Y_RATE], tread = y[RIM_Y_TREAD_RATE];
  real radius = p[RIM_P_RADIUS], slip = fma_real(radius, tread, -speed);
  real mu = uk_wheel_ground(c, p, t);
  real drive = uk_wheel_drive(c, p, t), brake = uk_wheel_brake(p, rate, t);
  real torque = fma_real(-p[RIM_P_BEARING], rate, drive + brake);
  real force = -(p[RIM_P_RESISTANCE] * speed) * abs_real(speed);

  /* The rim hands the torque on. */
  real turning = rate - tread;
  real rim = fma_real(p[RIM_P_STIFFNESS], y[RIM_Y_TWIST], p[RIM_P_DAMPING] * turning);
  real demand = uk_wheel_demand(c, drive, brake);
  uk_contact ground = uk_wheel_contact(c, p, demand, mu, slip, rim, force);

  dy[RIM_Y_X] = speed;
  dy[RIM_Y_V] = (force + ground.force) * p[RIM_P_INV_MASS];
  dy[RIM_Y_ANGLE] = rate;
  dy[RIM_Y_RATE] = (torque - rim) * p[RIM_P_INV_HUB_INERTIA];
  dy[RIM_Y_WORK] = drive * rate;
  dy[RIM_Y_TWIST] = turning;
  dy[RIM_Y_TREAD_RATE] = (rim + ground.torque) * p[RIM_P_INV_INERTIA];
  /* Power that resistances, brake, bearing, contact and damper take. */
  real taken = fma_real(force + ground.force, speed, ground.torque * tread);
  real lost = fma_real(p[RIM_P_DAMPING] * turning, turning, -taken);
  dy[RIM_Y_LOST] = fma_real(-(torque - drive), rate, lost);

  out[RIM_S_RIM] = radius * tread;
  out[RIM_S_SLIP] = slip;
  out[RIM_S_MU] = mu;
  out[RIM_S_DRIVE] = drive;
  out[RIM_S_BRAKE] = brake;
  uk_wheel_show(p, y, &ground, out);
  out[RIM_S_TWIST] = y[RIM_Y_TWIST];
  out[RIM_S_TWIST_RATE] = turning;
  out[RIM_S_RIM_TORQUE] = rim;
}

FN void elastic_wheel_observe(const real *p, real t, const real *out, mask running, real *e) {
  uk_wheel_observe(p, t, out, running, e);
  take_largest(running, abs_real(out[RIM_S_TWIST]), &e[RIM_E_TWIST]);
}
