/* State feedback, at samples of the controllers: the drives of type feedback give a matrix
 * times the command less the state (appendix/drives.md#drives). */

/* Errors of the pose in the axes of the body, of its velocities, and of the wheels' rates, in the
 * order of the matrix' columns. The observer of the command has the commanded pose
 * (appendix/drives.md#drives). */
FN void motion_errors(GLOBAL const int *c, const command *cmd, const real *wanted, const motion *m,
                      real turns, real *error) {
  const real *y = m->y, *obs = m->obs;
  real sine, cosine;
  error[FEEDBACK_X] = error[FEEDBACK_Z] = error[FEEDBACK_YAW] = R(0.0);
  if (SETTING(c, OBSERVERS) & OBSERVER_COMMAND) {
    const real x = obs[O_COMMAND_X] - y[Y_X], z = obs[O_COMMAND_Z] - y[Y_Z];
    sincos_real(y[Y_YAW], &sine, &cosine);
    error[FEEDBACK_X] = fma_real(x, cosine, -(z * sine));
    error[FEEDBACK_Z] = fma_real(x, sine, z * cosine);
    error[FEEDBACK_YAW] = fma_real(-turns, TURN_HIGH, obs[O_COMMAND_YAW]) - y[Y_YAW];
  }
  error[FEEDBACK_VX] = cmd->vx - y[Y_VX];
  error[FEEDBACK_VZ] = cmd->vz - y[Y_VZ];
  error[FEEDBACK_YAW_RATE] = cmd->yaw_rate - y[Y_OMEGA];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) error[FEEDBACK_RATE + i] =
      wanted[i] - y[Y_RATE(i)];
}

/* Demands of the drives from a sample on; wanted: rates of the wheels
 * (appendix/drives.md#drives). */
FN_COLD void feed_back(const parameters *p, GLOBAL const int *c, command cmd, const real *wanted,
                       pack_state pack, real *given) {
  const int columns = FEEDBACK_RATE + WHEELS(c);
  real error[FEEDBACK_RATE + WHEELS_MAX];
  motion_errors(c, &cmd, wanted, pack.m, pack.v[S_TURNS], error);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    given[i] = R(0.0);
    if (DRIVE_KIND(c, i) != DRIVE_FEEDBACK) continue;
    GLOBAL const sreal *gain = p->tables + SETTING(c, GAINS) + i * columns;
    real asked = R(0.0);
    UNROLL_DEVICE for (int j = 0; j < columns; j++) asked =
        fma_real(splat(gain[j]), error[j], asked);
    const real most = p->w[i][W_TORQUE_LIMIT];
    given[i] = clamp_real(asked, -most, most);
  }
}

/* The same in the lanes of `now`, which hold it until their next sample. */
FN void hold_feedback(const parameters *p, GLOBAL const int *c, command cmd, const real *wanted,
                      mask now, held_state *held, pack_state pack) {
  real given[WHEELS_MAX];
  feed_back(p, c, cmd, wanted, pack, given);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    if (DRIVE_KIND(c, i) == DRIVE_FEEDBACK)
      held->torque[i] = select_real(now, given[i], held->torque[i]);
  }
}
