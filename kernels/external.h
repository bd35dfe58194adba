/* An external force and torque on the vehicle, or on the wheel of the testbench: wind, a hand, the
 * remainder of the vehicle that source 1 puts in place of a wrench at the wheel's centre
 * (appendix/drives.md#drives). Kinds are uniform over a run
 * (host/lists/externals.def); without one nothing of this is in the text that runs. */

/* Body axes; the force acts over the body origin, at the height of the centre of mass (of the
 * testbench: of the wheel's centre): the torque includes the effect of its own height. */
typedef struct external {
  real x, y, z;                /* force; y is up */
  real turn_x, turn_y, turn_z; /* torque */
} external;

FN external no_external(void) {
  external none;
  none.x = none.y = none.z = none.turn_x = none.turn_y = none.turn_z = R(0.0);
  return none;
}

/* The components that the study names, in its axes, at time t. */
FN_SHARED external external_in_its_axes(const real *vehicle, GLOBAL const int *c,
                                        GLOBAL const sreal *tables, real t) {
  external e;
  real gain = R(1.0), slope;
  if (SETTING(c, EXTERNAL) == EXTERNAL_TABLE) {
    GLOBAL const sreal *table = tables + SETTING(c, EXTERNAL_START);
    int rows = SETTING(c, EXTERNAL_ROWS);
    gain = vehicle[P_EXTERNAL_FACTOR];
    e.x = gain * table_value(table, rows, 7, 1, t, t, &slope);
    e.y = gain * table_value(table, rows, 7, 2, t, t, &slope);
    e.z = gain * table_value(table, rows, 7, 3, t, t, &slope);
    e.turn_x = gain * table_value(table, rows, 7, 4, t, t, &slope);
    e.turn_y = gain * table_value(table, rows, 7, 5, t, t, &slope);
    e.turn_z = gain * table_value(table, rows, 7, 6, t, t, &slope);
    return e;
  }
  if (SETTING(c, EXTERNAL) == EXTERNAL_SINE)
    gain = sin_turns(fma_real(vehicle[P_EXTERNAL_FREQUENCY], t, vehicle[P_EXTERNAL_PHASE]));
  e.x = gain * vehicle[P_EXTERNAL_X];
  e.y = gain * vehicle[P_EXTERNAL_Y];
  e.z = gain * vehicle[P_EXTERNAL_Z];
  e.turn_x = gain * vehicle[P_EXTERNAL_TURN_X];
  e.turn_y = gain * vehicle[P_EXTERNAL_TURN_Y];
  e.turn_z = gain * vehicle[P_EXTERNAL_TURN_Z];
  return e;
}

/* At time t and yaw angle `yaw` (appendix/drives.md#drives). */
FN external external_at(const real *vehicle, GLOBAL const int *c, GLOBAL const sreal *tables,
                        real yaw, real t) {
  if (!SETTING(c, EXTERNAL)) return no_external();
  external e = external_in_its_axes(vehicle, c, tables, t);
  if (SETTING(c, EXTERNAL_WORLD)) {
    const external along = e;
    real sine, cosine;
    sincos_real(yaw, &sine, &cosine);
    e.x = fma_real(along.x, cosine, -(along.z * sine));
    e.z = fma_real(along.z, cosine, along.x * sine);
    e.turn_x = fma_real(along.turn_x, cosine, -(along.turn_z * sine));
    e.turn_z = fma_real(along.turn_z, cosine, along.turn_x * sine);
  }
  e.turn_x = fma_real(vehicle[P_EXTERNAL_ARM], e.z, e.turn_x);
  e.turn_z = fma_real(-vehicle[P_EXTERNAL_ARM], e.x, e.turn_z);
  return e;
}

/* Whether the loads of the wheels change: the one wheel of the testbench carries the weight. */
FN int loads_vary(GLOBAL const int *c) {
  return WHEELS(c) > 1 || SETTING(c, EXTERNAL);
}

/* Load that the wheels carry together (appendix/drives.md#drives). */
FN real carried_weight(const real *vehicle, GLOBAL const int *c, const external *e) {
  return SETTING(c, EXTERNAL) ? vehicle[P_WEIGHT] - e->y : vehicle[P_WEIGHT];
}

/* Its torque about the vertical through the centre of mass. */
FN real external_yaw_torque(const real *vehicle, const external *e) {
  return fma_real(vehicle[P_COM_X], e->z, fma_real(-vehicle[P_COM_Z], e->x, e->turn_y));
}

/* The testbench has no platform: there the torque about the wheel's axis turns the wheel. With the
 * drive's torque (appendix/drives.md#drives). */
FN real torque_on_wheel(GLOBAL const int *c, const real *w, const external *e, real torque) {
  if (!SETTING(c, EXTERNAL) || WHEELS(c) > 1) return torque;
  return fma_real(e->turn_x, w[W_SIN], fma_real(e->turn_z, w[W_COS], torque));
}

/* Its torque about i, which the servo of the testbench carries
 * (appendix/drives.md#drives). */
FN real servo_share(GLOBAL const int *c, const real *w, const external *e, real servo) {
  if (!SETTING(c, EXTERNAL)) return servo;
  return fma_real(e->turn_x, w[W_COS], fma_real(-e->turn_z, w[W_SIN], servo));
}

/* Its power at the velocities vx, vz and those in `turns`, which are the testbench wheel's
 * (appendix/drives.md#drives). */
FN real external_power(GLOBAL const int *c, const external *e, const real *w, real vx, real vz,
                       turning turns) {
  real power = fma_real(e->x, vx, fma_real(e->z, vz, e->turn_y * turns.omega));
  return fma_real(torque_on_wheel(c, w, e, R(0.0)), turns.rate, power);
}
