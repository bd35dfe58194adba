/* Passes of the lanes in which wheels rest on two rollers: the methods of methods.h with
 * resting_rates for right_hand_side (appendix/rollers.md#exchange,
 * explanation/steps.md#methods). */

/* Such a pass, for the lanes in `lanes`. */
typedef struct edge_pass {
  mask lanes;       /* where wheels rest */
  motion change;    /* as runge_kutta leaves it */
  pass_start start; /* the observers' view where it starts, and */
  grip_look grip;
  motor_sums motors;       /* of its stages */
  real second[WHEELS_MAX]; /* weighted sum of the rates of the second rollers' spins */
  real first_share,
      last_share; /* smallest share of a roller where the pass starts, and where it ends */
} edge_pass;

/* The method of such passes: the run's, or, where an error estimate chooses the steps, the
 * one whose error halving the pass shows (edge_controlled.h). */
FN int edge_method(GLOBAL const int *c) {
  if (!OMR_CONTROLLED) return SETTING(c, METHOD);
  return OMR_CONSTRAINED ? METHOD_RK4 : METHOD_ROSENBROCK;
}

/* Shares that stay above this in every stage are not looked at where the pass ends. */
#define SAFE_SHARE R(0.1)

/* Lanes in which a share may be near 0 where the pass ends. least: the smallest share of its
 * stages, last: of the last stage. */
FN mask may_run_out(GLOBAL const int *c, const edge_pass *pass, real least, real last) {
  if (edge_method(c) == METHOD_EULER) return pass->lanes; /* its stage knows nothing of the end */
  return lt(min_real(least, fma_real(R(2.0), last, -pass->first_share)), SAFE_SHARE);
}

/* The smallest share where the pass ends, at time t, in the lanes of `near`; the others keep the
 * start's. increment: factor times tau. */
FN_CALL void look_at_end(const edge_run *run, mask near, real t, real increment, edge_wheels *edge,
                         edge_terms *e, edge_balance *b, edge_pass *pass) {
  GLOBAL const int *c = run->c;
  pass->last_share = pass->first_share;
  if (!any_lane(mask_and(pass->lanes, near))) return;
  motion at = *run->m;
  real drive[WHEELS_MAX], ignored[WHEELS_MAX][IDLE_COUNT];
  move_motion(c, run->m, increment, &pass->change, &at);
  for (int i = 0; i < WHEELS(c); i++)
    edge->spin[i] = fma_real(increment, pass->second[i], run->ts[i][T_SECOND]);
  drive_torques(run->p, c, run->held, t, drive);
  find_edge_terms(run, drive, at.idle, at.y, edge, t, ignored, e);
  share_resting(run, e, edge, b);
  pass->last_share = select_real(near, least_share(c, edge, b), pass->last_share);
}

/* Looks at the start of a pass, with both rollers. */
FN void look_at_edges(const edge_run *run, const edge_terms *e, const edge_balance *b,
                      const outputs *o, pass_start *start) {
  real slip2, ratio2;
  *start = look_at_start(run->c, o);
  look_at_contacts(run->c, e, b, o, &slip2, &ratio2);
  start->slip2 = max_real(slip2, start->slip2);
  if (SETTING(run->c, OBSERVERS) & OBSERVER_RATIO) start->ratio2 = ratio2;
}

/* A pass of length tau at time t, as runge_kutta. Before it wheels that must leave do so, in the
 * lanes of `settles`. */
FN_CALL void edge_runge_kutta(const edge_run *run, mask running, mask settles, real t, real tau,
                              edge_pass *pass) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  const int method = edge_method(c);
  motion at = *run->m, rate;
  outputs o;
  edge_wheels edge;
  edge_terms e;
  edge_balance b;
  real drive[WHEELS_MAX], second[WHEELS_MAX], least = R(1.0), share = R(1.0);
#if !OMR_CONSTRAINED
  edge_matrix stiff;
#endif
  load_edges(run, &edge);
  pass->lanes = mask_and(running, resting_lanes(c, &edge));
  if (!any_lane(pass->lanes)) return;
  clear_motion(&rate);
  for (int stage = 0; stage < method_stages(method); stage++) {
    real weight = stage_weight(method, stage), next = stage_reach(method, stage + 1) * tau;
    real when = fma_real(stage_reach(method, stage), tau, t);
    if (stage_moves(method, stage)) drive_torques(p, c, run->held, when, drive);
    if (stage == 0) {
      settle_edges(run, drive, mask_and(running, settles), t, rate.idle, &edge, &e, &b);
      at = *run->m;
    } else {
      find_edge_terms(run, drive, at.idle, at.y, &edge, when, rate.idle, &e);
      share_resting(run, &e, &edge, &b);
    }
    resting_rates(run, &e, &edge, &b, at.y, rate.y, second, &o);
    share = least_share(c, &edge, &b);
    least = min_real(share, least);
    if (stage == 0) {
      pass->first_share = share;
      look_at_edges(run, &e, &b, &o, &pass->start);
      look_at_grip(c, &o, &pass->grip);
    }
    if (SETTING(c, OBSERVERS)) {
      const real within = fma_real(R(0.5), tau, t);
      observer_rates(p, c, at.y, at.obs, when, within, rate.obs);
      vibration_rates(p, c, when, within, &o, rate.obs);
    }
    if (stage == 0 && (SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES)) {
      pass->start.square = rate.obs[O_VIB_SQUARE];
      pass->start.residual_x = rate.obs[O_VIB_X];
      pass->start.residual_z = rate.obs[O_VIB_Z];
    }
    if (SETTING(c, OBSERVERS) & OBSERVERS_OF_MOTORS)
      add_motors(p, c, weight, drive, at.y, &o, stage == 0, &pass->motors);
    if (method == METHOD_EULER) rates_of_positions(c, run->m, tau, rate.y);
#if !OMR_CONSTRAINED
    if (method == METHOD_ROSENBROCK && stage == 0) {
      const edge_motion moving = {at.y, rate.y, second};
      make_edge_matrix(run, &edge, &moving, &e, &b, tau, &stiff);
    }
    if (method == METHOD_ROSENBROCK) solve_edge_stage(run, &stiff, stage, rate.y, second);
#endif
    add_rates(c, weight, &rate, stage == 0, &pass->change);
    for (int i = 0; i < WHEELS(c); i++) {
      pass->second[i] = fma_real(weight, second[i], stage == 0 ? R(0.0) : pass->second[i]);
      edge.spin[i] = fma_real(next, second[i], run->ts[i][T_SECOND]);
    }
    if (stage + 1 < method_stages(method)) move_motion(c, run->m, next, &rate, &at);
  }
  pass->lanes = mask_and(running, resting_lanes(c, &edge));
  mask near = may_run_out(c, pass, least, share);
  look_at_end(run, near, t + tau, tau * method_factor(edge_method(c)), &edge, &e, &b, pass);
}

/* Puts the pass into the lanes that it is for. */
FN void take_edge_pass(GLOBAL const int *c, const edge_pass *pass, motion *change,
                       pass_view *seen) {
  mask own = pass->lanes;
  const pass_start *from = &pass->start;
  pass_start *start = &seen->start;
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES)
    seen->samples =
        mask_and(seen->samples, mask_not(own)); /* their stages have not been looked at */
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_MOTORS) {
    seen->motors.work = select_real(own, pass->motors.work, seen->motors.work);
    seen->motors.regenerated = select_real(own, pass->motors.regenerated, seen->motors.regenerated);
    seen->motors.bearings = select_real(own, pass->motors.bearings, seen->motors.bearings);
    seen->motors.rollers = select_real(own, pass->motors.rollers, seen->motors.rollers);
    seen->motors.rolling = select_real(own, pass->motors.rolling, seen->motors.rolling);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      seen->motors.square[i] = select_real(own, pass->motors.square[i], seen->motors.square[i]);
      if (!is_rated(c, i)) continue;
      seen->motors.first[i] = select_real(own, pass->motors.first[i], seen->motors.first[i]);
      seen->motors.last[i] = select_real(own, pass->motors.last[i], seen->motors.last[i]);
    }
    for (int j = 0; SETTING(c, OBSERVERS) & OBSERVER_SUPPLY && j < E_COUNT; j++)
      seen->motors.electric[j] =
          select_real(own, pass->motors.electric[j], seen->motors.electric[j]);
  }
  FOR_MOTION(c, j) change->y[j] = select_real(own, pass->change.y[j], change->y[j]);
  FOR_CURRENTS(c, i) {
    int j = Y_CURRENT(i);
    change->y[j] = select_real(own, pass->change.y[j], change->y[j]);
  }
  FOR_OBSERVED(c, j) change->obs[j] = select_real(own, pass->change.obs[j], change->obs[j]);
  FOR_IDLE(c, i, j) {
    change->idle[i][j] = select_real(own, pass->change.idle[i][j], change->idle[i][j]);
  }
  take_grip(c, own, &pass->grip, &seen->grip);
  start->slip2 = select_real(own, from->slip2, start->slip2);
  start->least_load = select_real(own, from->least_load, start->least_load);
  start->most_load = select_real(own, from->most_load, start->most_load);
  start->ratio2 = select_real(own, from->ratio2, start->ratio2);
  start->weight = select_real(own, from->weight, start->weight);
  start->servo = select_real(own, from->servo, start->servo);
  start->square = select_real(own, from->square, start->square);
  start->residual_x = select_real(own, from->residual_x, start->residual_x);
  start->residual_z = select_real(own, from->residual_z, start->residual_z);
  start->lifted = mask_or(mask_and(own, from->lifted), mask_and(mask_not(own), start->lifted));
  start->solvable =
      mask_or(mask_and(own, from->solvable), mask_and(mask_not(own), start->solvable));
}

/* Commits the second rollers' spins of the accepted lanes. */
FN void commit_edges(GLOBAL const int *c, const edge_pass *pass, real increment, mask accepted,
                     real ts[WHEELS_MAX][T_COUNT]) {
  mask own = mask_and(accepted, pass->lanes);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    mask rests = mask_and(own, at_edge(edge_side(ts[i])));
    ts[i][T_SECOND] =
        select_real(rests, fma_real(increment, pass->second[i], ts[i][T_SECOND]), ts[i][T_SECOND]);
  }
}

/* Takes the outputs of the lanes in `which`. */
FN void select_outputs(GLOBAL const int *c, mask which, const outputs *from, outputs *to) {
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    to->slip_i[i] = select_real(which, from->slip_i[i], to->slip_i[i]);
    to->slip_k[i] = select_real(which, from->slip_k[i], to->slip_k[i]);
    to->load[i] = select_real(which, from->load[i], to->load[i]);
    to->unit_i[i] = select_real(which, from->unit_i[i], to->unit_i[i]);
    to->unit_k[i] = select_real(which, from->unit_k[i], to->unit_k[i]);
    to->torque[i] = select_real(which, from->torque[i], to->torque[i]);
    to->friction[i] = select_real(which, from->friction[i], to->friction[i]);
    to->share[i] = select_real(which, from->share[i], to->share[i]);
    if (!OMR_CONSTRAINED || SETTING(c, LAW) != LAW_RELAXED) continue;
    to->weight[i] = select_real(which, from->weight[i], to->weight[i]);
    to->demand[i] = select_real(which, from->demand[i], to->demand[i]);
  }
  to->servo = select_real(which, from->servo, to->servo);
  to->bearings = select_real(which, from->bearings, to->bearings);
  to->rollers = select_real(which, from->rollers, to->rollers);
  to->rolling = select_real(which, from->rolling, to->rolling);
  to->ax = select_real(which, from->ax, to->ax);
  to->az = select_real(which, from->az, to->az);
}

/* Rates and contact quantities of the present state where wheels rest; returns these lanes. *found:
 * those whose loads are. */
FN_CALL mask sample_edges(const edge_run *run, const real *drive, real t, motion *rate, outputs *o,
                          mask *found) {
  edge_wheels edge;
  edge_terms e;
  edge_balance b;
  real second[WHEELS_MAX];
  load_edges(run, &edge);
  find_edge_terms(run, drive, run->m->idle, run->m->y, &edge, t, rate->idle, &e);
  start_shares(run->c, &b);
  share_resting(run, &e, &edge, &b);
  resting_rates(run, &e, &edge, &b, run->m->y, rate->y, second, o);
  *found = shares_are_found(run->c, &edge, &b);
  return resting_lanes(run->c, &edge);
}
