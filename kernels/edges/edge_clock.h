/* Wheels on two rollers in the loop of fixed steps (clocks.h): when they are tried, and where a
 * pass ends because one leaves (appendix/rollers.md#exchange). */

/* No pass is cut shorter than this for a share, in steps: where a share jumps none is 0. */
#define SHORTEST_CUT R(1e-3)
/* After as many passes of a step the pass is halved instead: the share is no smooth function of
 * time. */
#define MANY_CUTS R(8.0)

/* After this many, wheels that rest stay to the end of the step: where wheels let each other go and
 * draw each other back in turn there is no end to it otherwise. */
#define MOST_CUTS R(32.0)

/* Before a pass at time t, in the lanes `running`: wheels that have come back over an edge come to
 * rest there if it attracts and a bounce would be over within a step, and the wheel turns no faster
 * than most[]; at the start those that stand at an edge and do not turn. */
FN_CALL void rest_at_edges(const edge_run *run, mask running, real t, real step, const real *most) {
  GLOBAL const int *c = run->c;
  edge_entry entry;
  mask found = no_lane(), starts = mask_and(running, eq(t, R(0.0)));
  for (int i = 0; i < WHEELS(c); i++) {
    real q = run->m->y[Y_Q(i)], *ts = run->ts[i];
    mask there = ge(abs_real(q), run->p->w[i][W_ALPHA] * (R(1.0) - EDGE_TOLERANCE));
    mask still = mask_and(mask_and(starts, there), eq(run->m->y[Y_RATE(i)], R(0.0)));
    mask returned = mask_and(running, is_untried(ts));
    mask slow = le(abs_real(run->m->y[Y_RATE(i)]), most[i]);
    entry.side[i] = sign_real(q);
    entry.which[i] = mask_or(mask_and(returned, slow), mask_and(still, eq(ts[T_REST], R(0.0))));
    ts[T_REST] = select_real(returned, sign_real(ts[T_REST]), ts[T_REST]);
    found = mask_or(found, entry.which[i]);
  }
  if (any_lane(found)) enter_edges(run, t, step, &entry);
}

/* Events at edges before a pass of length tau at time t in the lanes `running`, and the pass
 * of those where wheels then rest; passes: how many the step has had. */
FN_CALL void stop_at_edges(const edge_run *run, mask running, real passes, real t, real step,
                           real tau, edge_pass *pass) {
  pass->lanes = no_lane();
#if OMR_CONSTRAINED
  if (takes_turns(run->c)) {
    take_turns(run, running, t);
    return;
  }
#endif
  real most[WHEELS_MAX];
  for (int i = 0; i < WHEELS(run->c); i++) most[i] = R(1e30);
  rest_at_edges(run, running, t, step, most);
  edge_runge_kutta(run, running, lt(passes, MOST_CUTS), t, tau, pass);
}

/* Extremes where a pass of lanes with wheels at rest ends, at time t, in the lanes of `lanes`;
 * within: as for command_at. A load that is negative ends the instance. A wheel that has to leave
 * here, as by a new torque, does so where the next pass begins, and is looked at there. */
FN_COLD void look_at_rest(const parameters *p, GLOBAL const int *c, const held_state *held,
                          pack_state pack, real t, real within, mask lanes) {
  if (!(SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES) || !any_lane(lanes)) return;
  edge_copy own;
  edge_run run = lend_to_edges(p, c, held, pack, &own);
  motion rate;
  outputs o;
  real drive[WHEELS_MAX];
  clear_motion(&rate);
  drive_torques(p, c, held, t, drive);
  mask found;
  lanes = mask_and(lanes, sample_edges(&run, drive, t, &rate, &o, &found));
  lanes = mask_and(lanes, found);
  mask lifted = keep_look(p, c, t, within, &o, lanes, pack.v);
  pack.v[S_STATUS] = select_real(lifted, STATUS(LIFTED), pack.v[S_STATUS]);
}

/* Lanes of `running` whose pass must be shorter since a wheel leaves its edge within it; their next
 * pass is to end where. */
FN_COLD mask cut_at_exits(const parameters *p, GLOBAL const int *c, const edge_pass *e,
                          mask running, clocks *clock) {
  real length = clock->target - clock->done;
  mask leaving = mask_and(mask_and(running, e->lanes), lt(e->last_share, -SHARE_TOLERANCE));
  leaving = mask_and(leaving, lt(clock->passes, MOST_CUTS));
  leaving = mask_and(leaving, gt(length, R(2.0) * SHORTEST_CUT));
  if (!any_lane(leaving)) return leaving;
  real nothing[WHEELS_MAX];
  real part = fma_real(R(0.5), SHARE_TOLERANCE, e->first_share) / (e->first_share - e->last_share);
  part = select_real(gt(clock->passes, MANY_CUTS), R(0.5), clamp_real(part, R(0.0), R(1.0)));
  part = max_real(part * length, SHORTEST_CUT);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) nothing[i] = R(0.0);
  end_at_edges(p, c, leaving, clock->done + part, nothing, nothing, clock);
  clock->ends = mask_and(clock->ends, mask_not(leaving));
  return leaving;
}
