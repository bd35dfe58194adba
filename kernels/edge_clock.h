/* Wheels on two rollers in the loop of fixed steps (clocks.h): when they are tried, and where a pass ends because one leaves. */

/* A pass ends where a share is within this of 0: what a later end costs is of its square. */
#if OMR_SINGLE
#define SHARE_TOLERANCE R(1e-4)
#else
#define SHARE_TOLERANCE R(1e-7)
#endif

/* A pass this short, in steps, is cut no shorter for a share. Where a share jumps none is 0. */
#define SHORTEST_CUT R(1e-3)
/* After as many passes of a step the pass is halved instead: the share is no smooth function of time. */
#define MANY_CUTS R(8.0)

/* Wheels whose pass ended at an edge, against their last exchange, come to rest there if it attracts and a bounce would be over
 * within a step. Called before the clocks turn, at time t; takes them off the coming exchanges. Returns the lanes. */
FN_COLD mask rest_at_edges(const edge_run *run, real t, real step, mask accepted, motion *m, real *v,
                           real ts[WHEELS_MAX][T_COUNT], clocks *k) {
  GLOBAL const int *c = run->c;
  edge_entry entry;
  mask due = mask_and(accepted, k->ends), any = no_lane();
  if (!may_rest(c)) return any;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real direction = k->hit[i];
    mask there = ge(direction * m->y[Y_Q(i)], run->p->w[i][W_ALPHA] * (R(1.0) - EDGE_TOLERANCE));
    entry.side[i] = direction;
    entry.which[i] = mask_and(mask_and(due, there), eq(direction * ts[i][T_REST], R(-1.0)));
    any = mask_or(any, entry.which[i]);
  }
  if (!any_lane(any)) return any;
  any = enter_edges(run, t, step, &entry, m, v, ts);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    k->hit[i] = select_real(entry.which[i], R(0.0), k->hit[i]);
    k->limit[i] = select_real(entry.which[i], run->p->w[i][W_ALPHA], k->limit[i]);
  }
  k->resting = k->resting || any_lane(any);
  return any;
}

/* Wheels that start at an edge and do not turn come to rest at once. */
FN_COLD void start_at_edges(const edge_run *run, mask starts, motion *m, real *v, real ts[WHEELS_MAX][T_COUNT], clocks *k) {
  GLOBAL const int *c = run->c;
  edge_entry entry;
  mask any = no_lane();
  if (!may_rest(c)) return;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    mask there = ge(abs_real(m->y[Y_Q(i)]), run->p->w[i][W_ALPHA] * (R(1.0) - EDGE_TOLERANCE));
    entry.side[i] = sign_real(m->y[Y_Q(i)]);
    entry.which[i] = mask_and(mask_and(starts, there), eq(m->y[Y_RATE(i)], R(0.0)));
    any = mask_or(any, entry.which[i]);
  }
  if (!any_lane(any)) return;
  any = enter_edges(run, R(0.0), R(0.0), &entry, m, v, ts);
  k->resting = k->resting || any_lane(any);
}

/* Lanes of `running` whose pass must be shorter since a wheel leaves its edge within it; their next pass is to end where. */
FN_COLD mask cut_at_exits(const parameters *p, GLOBAL const int *c, const edge_pass *e, mask running, clocks *k) {
  real length = k->target - k->done;
  mask leaving = mask_and(mask_and(running, e->lanes), lt(e->last_share, -SHARE_TOLERANCE));
  leaving = mask_and(leaving, gt(length, SHORTEST_CUT));
  if (!any_lane(leaving)) return leaving;
  real nothing[WHEELS_MAX];
  real part = fma_real(R(0.5), SHARE_TOLERANCE, e->first_share) / (e->first_share - e->last_share);
  part = select_real(gt(k->passes, MANY_CUTS), R(0.5), clamp_real(part, R(0.0), R(1.0)));
  part = max_real(part * length, SHORTEST_CUT);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) nothing[i] = R(0.0);
  end_at_edges(p, c, leaving, k->done + min_real(part, length), nothing, nothing, k);
  k->ends = mask_and(k->ends, mask_not(leaving));
  return leaving;
}
