/* Drive torques and the commanded body velocity as functions of time. Kinds are uniform over a run
 * (host/study/study.h). */

/* Piecewise-linear table of `rows` rows of `width` numbers, time first; *slope is the derivative at
 * the time `within`, which tells the two sides of a corner apart. Constant outside. */
FN real table_value(GLOBAL const sreal *table, int rows, int width, int column, real t, real within,
                    real *slope) {
  real value = splat(table[column]);
  real rate = R(0.0);
  for (int row = 0; row + 1 < rows; row++) {
    real start = splat(table[row * width]);
    real span = splat(table[(row + 1) * width]) - start;
    real gain =
        (splat(table[(row + 1) * width + column]) - splat(table[row * width + column])) / span;
    real passed = t - start;
    value = fma_real(gain, clamp_real(passed, R(0.0), span), value);
    real inside = within - start;
    rate = select_real(mask_and(ge(inside, R(0.0)), lt(inside, span)), gain, rate);
  }
  *slope = rate;
  return value;
}

typedef struct command {
  real vx, vz, yaw_rate; /* commanded body velocity */
  real ax, az; /* its derivative in body axes plus omega j x V: the acceleration of the body origin
                  it asks for */
} command;

/* At time t; at a corner of a table the acceleration comes from the side on which `within` lies. */
FN command command_at(const real *vehicle, GLOBAL const int *c, GLOBAL const sreal *tables, real t,
                      real within) {
  command cmd;
  real dvx = R(0.0), dvz = R(0.0), ignored;
  if (SETTING(c, COMMAND) == COMMAND_TABLE) {
    int rows = SETTING(c, COMMAND_ROWS);
    cmd.vx = table_value(tables, rows, 4, 1, t, within, &dvx);
    cmd.vz = table_value(tables, rows, 4, 2, t, within, &dvz);
    cmd.yaw_rate = table_value(tables, rows, 4, 3, t, within, &ignored);
  } else if (SETTING(c, COMMAND) == COMMAND_REPLAY) {
    real value[3], slope[3];
    replay_three(tables, vehicle[P_COMMAND_INV_RAMP], vehicle[P_COMMAND_SHIFT], t, within, value,
                 slope);
    cmd.vx = value[0];
    cmd.vz = value[1];
    cmd.yaw_rate = value[2];
    dvx = slope[0];
    dvz = slope[1];
  } else {
    real gain = R(1.0), gain_rate = R(0.0);
    if (SETTING(c, COMMAND) == COMMAND_TANH) {
      gain = tanh_real(t * vehicle[P_COMMAND_INV_RAMP]);
      gain_rate = (R(1.0) - gain * gain) * vehicle[P_COMMAND_INV_RAMP];
    }
    cmd.vx = vehicle[P_COMMAND_VX] * gain;
    cmd.vz = vehicle[P_COMMAND_VZ] * gain;
    cmd.yaw_rate = vehicle[P_COMMAND_YAW_RATE] * gain;
    dvx = vehicle[P_COMMAND_VX] * gain_rate;
    dvz = vehicle[P_COMMAND_VZ] * gain_rate;
  }

  /* Accelerations in the body frame, which turns. */
  cmd.ax = fma_real(cmd.yaw_rate, cmd.vz, dvx);
  cmd.az = fma_real(-cmd.yaw_rate, cmd.vx, dvz);
  return cmd;
}

/* The instant on whose side observers look at the command at time t: `within`, inside of a pass
 * that ends there, where a replayed table holds its rows. Other commands have no jumps. */
FN real seen_within(GLOBAL const int *c, GLOBAL const sreal *tables, real t, real within) {
  return SETTING(c, COMMAND) == COMMAND_REPLAY && tables[REPLAY_CORNERS] > LIT(1.5) ? within : t;
}

/* Takes the command of a path's loop (time/follow.h); v: the vehicle's state columns. */
FN void take_asked(const real *v, command *cmd) {
  cmd->vx = v[S_WAY_VX];
  cmd->vz = v[S_WAY_VZ];
  cmd->yaw_rate = v[S_WAY_YAW_RATE];
}

/* Torque that the drive of wheel i asks for at time t; of replayed ones see replay_drives. `held`
 * is the controller's torque (appendix/drives.md#drives). */
FN real drive_torque(const real *w, GLOBAL const int *c, GLOBAL const sreal *tables, int i, real t,
                     real held) {
  real torque = R(0.0), slope;
  int kind = DRIVE_KIND(c, i);
  if (kind == DRIVE_CONSTANT) {
    torque = w[W_TORQUE];
  } else if (kind == DRIVE_TANH) {
    torque = w[W_TORQUE] * tanh_real(t * w[W_DRIVE_1]);
  } else if (kind == DRIVE_SINE) {
    torque = w[W_TORQUE] * sin_turns(fma_real(w[W_DRIVE_1], t, w[W_DRIVE_2]));
  } else if (kind == DRIVE_TABLE) {
    torque =
        w[W_TORQUE] * table_value(tables + TABLE_START(c, i), TABLE_ROWS(c, i), 2, 1, t, t, &slope);
  } else if (kind == DRIVE_SPEED || kind == DRIVE_BODY || kind == DRIVE_FEEDBACK) {
    torque = held;
  }
  return torque;
}

/* The torque that the wheel gets: the torque-speed line limits every kind of drive
 * (appendix/drives.md#drives). */
FN real limited_torque(const real *w, GLOBAL const int *c, real torque, real rate) {
  if (!SETTING(c, LINE)) return torque;
  real most = max_real(fma_real(-w[W_STALL_SLOPE], rate, w[W_STALL]), R(0.0));
  real least = min_real(fma_real(-w[W_STALL_SLOPE], rate, -w[W_STALL]), R(0.0));
  return clamp_real(torque, least, most);
}

/* Rate that the command sets for a wheel's controller (appendix/drives.md#drives). */
FN real wanted_rate(const real *w, int kind, const command *cmd) {
  if (kind != DRIVE_BODY && kind != DRIVE_FEEDBACK) return w[W_DRIVE_1];
  return fma_real(w[W_IDEAL_YAW], cmd->yaw_rate,
                  fma_real(w[W_IDEAL_Z], cmd->vz, w[W_IDEAL_X] * cmd->vx));
}

/* PI controller of the wheel rate, sampled once per period: torque = kp e + I, where I grows by ki
 * e period while the torque stays within its limit (no wind-up). Updates *held and *integral
 * (appendix/drives.md#drives). */
FN void control_wheel(const real *w, real wanted, real rate, real *held, real *integral) {
  real error = wanted - rate;
  real grown = fma_real(w[W_DRIVE_3], error, *integral);
  real asked = fma_real(w[W_DRIVE_2], error, grown);
  real given = clamp_real(asked, -w[W_TORQUE_LIMIT], w[W_TORQUE_LIMIT]);
  *integral = select_real(eq(asked, given), grown, *integral);
  *held = given;
}
