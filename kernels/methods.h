/* Runge-Kutta methods with fixed step: one pass of every lane by a length of its own, and its increment added to what is
 * integrated (physics.md section 7). */

/* The methods have one form: stage s is evaluated at m + reach(s) tau times the rates of stage s - 1, and the increment is
 * factor times tau times the weighted sum of the rates. RK4 is the classical method of order 4. Rosenbrock is Heun's method with
 * other rates for the velocities (rosenbrock.h). */
FN int method_stages(int method) {
  return method == METHOD_RK4 ? 4 : method == METHOD_EULER ? 1 : 2;
}

FN real stage_weight(int method, int stage) {
  if (method == METHOD_RK4) return splat(stage == 0 || stage == 3 ? LIT(1.0) : LIT(2.0));
  return splat(method == METHOD_MIDPOINT && stage == 0 ? LIT(0.0) : LIT(1.0));
}

/* Whether a stage is at another time than the one before. */
FN int stage_moves(int method, int stage) {
  return !(method == METHOD_RK4 && stage == 2);
}

FN real stage_reach(int method, int stage) {
  if (method == METHOD_RK4) return splat(stage == 0 ? LIT(0.0) : stage == 3 ? LIT(1.0) : LIT(0.5));
  return splat(stage == 0 ? LIT(0.0) : method == METHOD_MIDPOINT ? LIT(0.5) : LIT(1.0));
}

FN real method_factor(GLOBAL const int *c) {
  int method = SETTING(c, METHOD);
  if (method == METHOD_RK4) return R(0.16666666666666666667);
  return splat(method == METHOD_HEUN || method == METHOD_ROSENBROCK ? LIT(0.5) : LIT(1.0));
}

/* Semi-implicit Euler: positions, the heave of discs among them, move with the velocities that the end of the pass has. */
FN_COLD void rates_of_positions(GLOBAL const int *c, const motion *m, real tau, real *dy) {
  real vx = fma_real(tau, dy[Y_VX], m->y[Y_VX]), vz = fma_real(tau, dy[Y_VZ], m->y[Y_VZ]);
  rotate_to_world(m->y[Y_YAW], vx, vz, &dy[Y_X], &dy[Y_Z]);
  dy[Y_YAW] = fma_real(tau, dy[Y_OMEGA], m->y[Y_OMEGA]);
  dy[Y_PATH] = sqrt_real(fma_real(vx, vx, vz * vz));
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) dy[Y_Q(i)] = fma_real(tau, dy[Y_RATE(i)], m->y[Y_RATE(i)]);
  if (WHEELS(c) > 1 && SETTING(c, PENALTY)) dy[Y_HEAVE] = fma_real(tau, dy[Y_HEAVE_RATE], m->y[Y_HEAVE_RATE]);
}

/* One pass of length tau from m at time t: *change receives the weighted sum of the derivatives (times tau and method_factor it
 * is the increment), *start what is looked at where it starts. edges: wheels that rest on two rollers (edge_pass.h), NULL where none
 * does. */
FN void runge_kutta(const parameters *p, GLOBAL const int *c, GLOBAL const sreal *tables, const held_state *held, const motion *m,
                    real t, real tau, motion *change, pass_start *start, edge_pass *edges) {
  const int method = SETTING(c, METHOD);
  motion at, rate;
  outputs o;
  stiff_matrix stiff;
  real drive[WHEELS_MAX];
  copy_motion(c, m, &at);
  clear_rates(c, &rate);
  for (int stage = 0; stage < method_stages(method); stage++) {
    real weight = stage_weight(method, stage);
    real next = stage_reach(method, stage + 1) * tau;
    real when = fma_real(stage_reach(method, stage), tau, t);
    if (stage_moves(method, stage)) drive_torques(p, c, tables, held, when, drive);
    right_hand_side(p, c, drive, held, SETTING(c, BEARING) ? at.idle : m->idle, at.y, when, rate.y, rate.idle, stage == 0, &o);
    if (edges) rest_at_stage(edges, drive, SETTING(c, BEARING) ? at.idle : m->idle, at.y, when, tau, stage, &o);
    if (stage == 0) *start = look_at_start(c, &o);
    if (edges && stage == 0) look_at_edges(edges, start);
    if (SETTING(c, OBSERVERS)) observer_rates(p, c, tables, at.y, at.obs, when, &o, rate.obs);
    if (edges && method != METHOD_ROSENBROCK) take_edge_rates(edges, weight, next, rate.y);
    if (method == METHOD_EULER) rates_of_positions(c, m, tau, rate.y);
    if (!OMR_CONSTRAINED && method == METHOD_ROSENBROCK && stage == 0) {
      make_stiff_matrix(p, c, held, m->y, &o, rate.y, tau, &stiff);
      first_stiff_stage(p, c, &stiff, rate.y);
    }
    if (!OMR_CONSTRAINED && method == METHOD_ROSENBROCK && stage == 1) second_stiff_stage(p, c, &stiff, rate.y);
    if (edges && method == METHOD_ROSENBROCK) take_edge_rates(edges, weight, next, rate.y);
    if (stage == 0)
      add_rates(c, weight, &rate, 1, change);
    else
      add_rates(c, weight, &rate, 0, change);
    if (stage + 1 < method_stages(method)) move_motion(c, m, next, &rate, &at);
  }
  if (edges) end_edge_pass(edges, m, change, tau * method_factor(c), t + tau);
}

/* The same where some wheel of the pack rests on two rollers. */
FN_COLD void resting_runge_kutta(const parameters *p, GLOBAL const int *c, const motion *m, real t, real tau, motion *change,
                                 pass_start *start, edge_pass *edges) {
  runge_kutta(p, c, edges->run.tables, edges->run.held, m, t, tau, change, start, edges);
}
