/* The time loop's part (integrate.h) where an error estimate chooses the steps: every lane its
 * own, only from its own state, so that results depend neither on its neighbours nor on how a run
 * is cut into launches (explanation/steps.md#two-kinds-of-steps). A pass ends at the samples of
 * controllers, at corners of tables, where a roller takes over, and where a contact begins or
 * ceases to slide, if that matters. */

/* Values that do not change in a launch. */
typedef struct control {
  real tolerance, inverse; /* of the lane, and one over it */
  real end;                /* s: the end of the run, or of the motion that is looked at */
  real speed[WHEELS_MAX];  /* one over the scale of the velocities of each wheel's contact, s/m */
  real slowest;            /* the largest of them */
  real most;               /* longest pass, s */
  real entry[WHEELS_MAX];  /* rate up to which a wheel that bounces may come to rest
                              (edge_controlled.h) */
  real edge; /* a wheel this far from the edge of its roller, as part of alpha, stands on it */
} control;

FN control start_control(const parameters *p, GLOBAL const int *c, const real *v, real end) {
  control limits;
  limits.tolerance = v[S_TOLERANCE];
  limits.inverse = R(1.0) / limits.tolerance;
  limits.end = end;
  limits.slowest = R(0.0);
  limits.most = R(1e30);
#if OMR_SINGLE
  limits.edge = R(1e-5);
#else
  limits.edge = clamp_real(R(1e-4) * limits.tolerance, R(1e-9), R(1e-5));
#endif
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real scale = R(0.1) * FASTEST_SCALE;
    if (!OMR_CONSTRAINED) scale = min_real(SCALE_SPEED * p->w[i][W_SLIP_SPEED], FASTEST_SCALE);
    limits.speed[i] = R(1.0) / scale;
    limits.slowest = max_real(limits.speed[i], limits.slowest);
    limits.entry[i] = slowest_entry(p->w[i], limits.speed[i], limits.tolerance);
    if (SETTING(c, BEARING))
      limits.most = min_real(R(1.0) / max_real(p->w[i][W_DECAY], R(1e-30)), limits.most);
  }
  return limits;
}

/* ---- before the length of a pass is known to be good */

/* Bounds the length of a pass by the ground's changes meanwhile: neither a change in time nor a
 * patch may pass unseen. */
FN real bound_by_ground(const parameters *p, GLOBAL const int *c, const motion *m, real t,
                        real tau) {
  if (SETTING(c, GROUND) == GROUND_CONSTANT) return tau;
  if (SETTING(c, GROUND) != GROUND_PATCHES) {
    real away = abs_real(t - p->v[P_GROUND_TIME]);
    return min_real(tau, max_real(R(0.5) * away, R(0.5) / p->v[P_GROUND_INV_WIDTH]));
  }
  real speed = sqrt_real(fma_real(m->y[Y_VX], m->y[Y_VX], m->y[Y_VZ] * m->y[Y_VZ]));
  return min_real(tau, p->v[P_PATCH_REACH] / max_real(speed, R(1e-9)));
}

/* After a jump of the motion: a contact that slides changes its slip by a part of it. */
FN real bound_by_slip(const parameters *p, GLOBAL const int *c, const motion *m,
                      const pair_pass *pass, mask fresh, real tau) {
#if OMR_COMPLIANT
  (void)pass, (void)fresh; /* nothing jumps */
  return bound_by_turning(p, c, m, tau);
#else
  (void)m;
  if (OMR_CONSTRAINED || !any_lane(fresh)) return tau;
  real shortest2 = tau * tau;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    const stiff_contact *d = &pass->stiff.contact[i];
    real change2 = fma_real(d->i_change, d->i_change, d->k_change * d->k_change);
    real slip2 = max_real(pass->o.slip2[i], p->w[i][W_SLIP_SPEED] * p->w[i][W_SLIP_SPEED]);
    shortest2 = min_real(FIRST_SLIP * FIRST_SLIP * slip2 / max_real(change2, R(1e-30)), shortest2);
  }
  return select_real(fresh, min_real(sqrt_real(shortest2), tau), tau);
#endif
}

/* Lanes whose wheels, going on as they start, are beyond an edge within tau. */
FN_COLD mask meets_edge(const parameters *p, GLOBAL const int *c, const motion *m,
                        const motion *rate, real tau) {
  mask near = no_lane();
  real square = R(0.5) * tau * tau;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real end = fma_real(square, rate->y[Y_RATE(i)], fma_real(tau, m->y[Y_RATE(i)], m->y[Y_Q(i)]));
    near = mask_or(near, gt(abs_real(end), p->w[i][W_ALPHA]));
  }
  return near;
}

/* The length of the pass up to where the first wheel meets an edge, going on as it starts. */
FN_COLD real bound_by_edges(const parameters *p, GLOBAL const int *c, const motion *m,
                            const motion *rate, real tau) {
  real first = tau;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real q = m->y[Y_Q(i)], turn = m->y[Y_RATE(i)], gain = R(0.5) * rate->y[Y_RATE(i)];
    real ahead = sign_real(turn) * p->w[i][W_ALPHA] - q, inverse = R(1.0) / turn;
    real x = ahead * inverse;
    for (int round = 0; round < 4; round++) x = fma_real(-(gain * x), x, ahead) * inverse;
    first = select_real(mask_and(gt(x, R(0.0)), lt(x, first)), x, first);
  }
  return first;
}

/* ---- the error */

/* The part of the mean square by the change of the acceleration within a pass: its expansion in
 * Legendre polynomials up to the second has the values at both ends and the mean. *defect: how far
 * that may be off: the last term, twice, which for a decay is more than the missing part. */
FN real square_of_pass(real start, real end, real mean, real *defect) {
  real first = R(0.5) * (end - start), second = fma_real(R(0.5), start + end, -mean);
  *defect = R(0.4) * second * second;
  return fma_real(mean, mean,
                  fma_real(R(0.33333333333333333), first * first, R(0.2) * second * second));
}

/* Squared error of the velocities and of the paths over their scales and the tolerance. */
FN_COLD real motion_error2(const parameters *p, GLOBAL const int *c, const control *limits,
                           const real *error, real tau) {
  real turn = error[Y_OMEGA], yaw = error[Y_YAW],
       body2 = fma_real(error[Y_VX], error[Y_VX], error[Y_VZ] * error[Y_VZ]);
  real speed2 = body2 * (limits->slowest * limits->slowest);
  real path2 = fma_real(error[Y_X], error[Y_X], error[Y_Z] * error[Y_Z]);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    real rate = w[W_RADIUS] * error[Y_RATE(i)],
         spin = (w[W_RADIUS] - w[W_CENTER]) * error[Y_SPIN(i)];
    real angle = w[W_RADIUS] * error[Y_Q(i)],
         arm2 = fma_real(w[W_ALONG], w[W_ALONG], w[W_ACROSS] * w[W_ACROSS]);
    if (WHEELS(c) == 1)
      arm2 = fma_real(w[W_RADIUS], w[W_RADIUS],
                      arm2); /* it turns about itself: the contact moves along the roller */
    real contact2 = fma_real(rate, rate, arm2 * (turn * turn));
    if (SETTING(c, CONTACT) == CONTACT_ROLLERS) contact2 = fma_real(spin, spin, contact2);
    speed2 = max_real(contact2 * (limits->speed[i] * limits->speed[i]), speed2);
    path2 = fma_real(angle, angle, fma_real(arm2, yaw * yaw, path2));
  }
  if (WHEELS(c) > 1 && SETTING(c, PENALTY)) {
    speed2 = fma_real(error[Y_HEAVE_RATE] * error[Y_HEAVE_RATE], limits->slowest * limits->slowest,
                      speed2);
    path2 = fma_real(error[Y_HEAVE], error[Y_HEAVE], path2);
  }
#if OMR_COMPLIANT
  add_spring_error2(p, c, limits->speed, error, &speed2, &path2);
#endif
  real scaled = tau * limits->inverse;
  real inverse_length = R(1.0) / SCALE_LENGTH;
  return max_real(speed2, path2 * (inverse_length * inverse_length)) * (scaled * scaled);
}

/* The same of the sums behind observables: of the squared acceleration, of the losses by friction
 * and bearings, of the drives' work. square, defect: of square_of_pass, both components. */
FN_COLD real sums_error2(const parameters *p, GLOBAL const int *c, const control *limits,
                         const motion *m, const pair_pass *pass, real tau, real square,
                         real defect) {
  const real *error = pass->error;
  real energy = SCALE_ENERGY * p->v[P_MASS];
  real lost =
      tau * error[Y_DISSIPATED] /
      fma_real(tau, abs_real(pass->change.y[Y_DISSIPATED]), energy + abs_real(m->y[Y_DISSIPATED]));
  real work = tau * error[Y_WORK] /
              fma_real(tau, abs_real(pass->change.y[Y_WORK]), energy + abs_real(m->y[Y_WORK]));
  real worst2 = max_real(lost * lost, work * work);
  if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) {
    const real *v = pass->shake.mean;
    real mean = sqrt_real(fma_real(v[0], v[0], v[1] * v[1]));
    real off = tau * sqrt_real(fma_real(error[Y_VX], error[Y_VX],
                                        error[Y_VZ] * error[Y_VZ])); /* of the change of velocity */
    real all = fma_real(tau, square, fma_real(SCALE_SHAKING, limits->end, m->obs[O_VIB_SQUARE]));
    real shaken = fma_real(tau, defect, R(2.0) * mean * off) / all;
    worst2 = max_real(shaken * shaken, worst2);
  }
  real scaled = limits->inverse * (R(1.0) / SHARE_OF_SUMS);
  return worst2 * (scaled * scaled);
}

/* ---- where a pass has to end */

/* Lanes of `good` in which some wheel ends beyond the edge of its roller. */
FN_COLD mask ends_beyond(const parameters *p, GLOBAL const int *c, const control *limits,
                         const motion *m, const pair_pass *pass, real tau, mask good) {
  mask beyond = no_lane();
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real alpha = p->w[i][W_ALPHA];
    beyond = mask_or(beyond, gt(abs_real(end_angle(m, &pass->change, tau, i)),
                                fma_real(limits->edge, alpha, alpha)));
  }
  return mask_and(beyond, good);
}

/* Lanes whose wheel i is beyond an edge where the pass ends, and not on its way back from it
 * (goes_beyond). */
FN mask is_beyond(const parameters *p, const control *limits, const motion *m, const motion *change,
                  real tau, int i, mask lanes) {
  real alpha = p->w[i][W_ALPHA], end = end_angle(m, change, tau, i), direction = sign_real(end);
  real rate0 = direction * m->y[Y_RATE(i)],
       rate1 = fma_real(direction * tau, change->y[Y_RATE(i)], rate0);
  mask back = ge(direction * m->y[Y_Q(i)], fma_real(-limits->edge, alpha, alpha));
  back = mask_and(back, mask_and(le(rate0, R(0.0)), lt(rate1, R(0.0))));
  return mask_and(mask_and(lanes, gt(abs_real(end), fma_real(limits->edge, alpha, alpha))),
                  mask_not(back));
}

/* Those lanes of `lanes` that have such a wheel. */
FN_COLD mask confirm_beyond(const parameters *p, GLOBAL const int *c, const control *limits,
                            const motion *m, const pair_pass *pass, real tau, mask lanes) {
  mask found = no_lane();
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) found =
      mask_or(found, is_beyond(p, limits, m, &pass->change, tau, i, lanes));
  return found;
}

/* Whether the contact of wheel i begins or ceases to slide within the pass, and its slip changes so
 * much meanwhile that the kink of friction at v_s counts. A contact that starts next to the kink
 * has just been brought there. */
FN mask passes_kink(const parameters *p, const control *limits, const pair_pass *pass, int i,
                    real tau) {
#if OMR_COMPLIANT
  (void)p, (void)limits, (void)pass, (void)i, (void)tau; /* only the error ends passes */
  return no_lane();
#else
  const stiff_contact *d = &pass->stiff.contact[i];
  real edge2 = p->w[i][W_SLIP_SPEED] * p->w[i][W_SLIP_SPEED];
  real before = pass->slip2[i] - edge2, after = pass->o.slip2[i] - edge2;
  real change2 = fma_real(d->i_change, d->i_change, d->k_change * d->k_change);
  real counts = limits->tolerance * R(8.0) / (limits->speed[i] * tau);
  mask crosses = mask_and(lt(before * after, R(0.0)), gt(abs_real(before), R(0.01) * edge2));
  return mask_and(crosses, gt(change2, counts * counts));
#endif
}

/* Lanes of `good` in which some contact does. */
FN_COLD mask pass_kinks(const parameters *p, GLOBAL const int *c, const control *limits,
                        const pair_pass *pass, real tau, mask good) {
  mask kinks = no_lane();
  if (OMR_CONSTRAINED) return kinks;
  UNROLL for (int i = 0; i < WHEELS(c); i++) kinks =
      mask_or(kinks, passes_kink(p, limits, pass, i, tau));
  return mask_and(kinks, good);
}

/* The root of the crossing as fraction of the pass, 2 for the lanes that are not in `hit`. Every
 * lane comes to rest by itself: pure halving takes 27 rounds, so that their greatest number never
 * matters. */
FN_COLD real root_of_crossing(crossing *at, mask hit) {
  for (int iteration = 0; iteration < 40; iteration++) {
    improve_crossing(at);
    if (!any_lane(at->open)) break;
  }
  return crossing_fraction(at, hit);
}

/* Fraction of the pass at which the first wheel meets an edge, or the first contact the kink of its
 * friction. */
FN_COLD real first_crossing(const parameters *p, GLOBAL const int *c, const control *limits,
                            const motion *m, const pair_pass *pass, real tau, mask edges,
                            mask kinks) {
  real first = R(2.0);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real alpha = p->w[i][W_ALPHA], end = end_angle(m, &pass->change, tau, i),
         direction = sign_real(end);
    real rate0 = m->y[Y_RATE(i)], rate1 = fma_real(tau, pass->change.y[Y_RATE(i)], rate0);
    mask hit = is_beyond(p, limits, m, &pass->change, tau, i, edges);
    crossing at = start_crossing(m->y[Y_Q(i)], rate0 * tau, end, rate1 * tau, direction * alpha,
                                 direction, hit);
    first = min_real(root_of_crossing(&at, hit), first);
    if (OMR_CONSTRAINED || !any_lane(kinks)) continue;
    hit = mask_and(kinks, passes_kink(p, limits, pass, i, tau));
    real edge2 = p->w[i][W_SLIP_SPEED] * p->w[i][W_SLIP_SPEED], after = pass->o.slip2[i];
    real slide = pass->slide[i] * tau,
         rise = after -
                pass->slip2[i]; /* the parabola through both ends with the slope at the first */
    at = start_crossing(pass->slip2[i], slide, after, R(2.0) * rise - slide, edge2, sign_real(rise),
                        hit);
    first = min_real(root_of_crossing(&at, hit), first);
  }
  return first;
}

/* Wheels that stand on an edge and turn towards it exchange their rollers, in the lanes of
 * `accepted`, whose pass is over. */
FN_COLD mask exchange_at_edges(const parameters *p, GLOBAL const int *c, const control *limits,
                               real now, mask accepted, pack_state pack, int *resting) {
  motion *m = pack.m;
  real *v = pack.v;
  mask exchanged = no_lane();
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real alpha = p->w[i][W_ALPHA], q = m->y[Y_Q(i)], direction = sign_real(q);
    mask hit = mask_and(accepted, ge(abs_real(q), fma_real(-limits->edge, alpha, alpha)));
    hit = mask_and(hit, gt(direction * m->y[Y_RATE(i)], R(0.0)));
    if (!any_lane(hit)) continue;
    exchange jump = {i, hit, hit, direction, now};
    exchange_roller(p->w[i], c, pack.spins, jump, m, pack.ts[i]);
    v[S_EXCHANGES] = select_real(hit, v[S_EXCHANGES] + R(1.0), v[S_EXCHANGES]);
    exchanged = mask_or(exchanged, hit);
    if (edges_count(c) && any_lane(note_exchange(c, hit, direction, pack.ts[i]))) *resting = 1;
  }
  return exchanged;
}

/* Lanes of `accepted` in which some wheel stands on an edge. */
FN_COLD mask stands_on_edge(const parameters *p, GLOBAL const int *c, const control *limits,
                            const motion *m, mask accepted) {
  mask stands = no_lane();
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real alpha = p->w[i][W_ALPHA];
    stands = mask_or(stands, ge(abs_real(m->y[Y_Q(i)]), fma_real(-limits->edge, alpha, alpha)));
  }
  return mask_and(stands, accepted);
}

/* Lanes in which some wheel stands on an edge where the pass ends. */
FN_COLD mask ends_at_edge(const parameters *p, GLOBAL const int *c, const control *limits,
                          const motion *m, const pair_pass *pass, real tau) {
  mask stands = no_lane();
  if (!SPLITS(c)) return stands;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real alpha = p->w[i][W_ALPHA];
    stands = mask_or(stands, ge(abs_real(end_angle(m, &pass->change, tau, i)),
                                fma_real(-limits->edge, alpha, alpha)));
  }
  return stands;
}

/* ---- the loop */

/* The instant of the coming corner of a replayed table, which depends on the lane's own offset and
 * scale of time. */
FN real coming_row(const parameters *p, GLOBAL const int *c, real t) {
  real corner = R(1e30);
  if (SETTING(c, COMMAND) == COMMAND_REPLAY)
    corner = coming_replay_corner(p->tables, 3, p->v[P_COMMAND_INV_RAMP], p->v[P_COMMAND_SHIFT], t);
  if (!SETTING(c, REPLAYS)) return corner;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    if (!is_replayed(c, i)) continue;
    real next = coming_replay_corner(p->tables + TABLE_START(c, i), 1, p->w[i][W_DRIVE_1],
                                     p->w[i][W_DRIVE_2], t);
    corner = min_real(next, corner);
  }
  return corner;
}

/* Lanes that stand at a sample of the controllers take it; lanes behind a corner of a table look
 * for the next one. */
FN void pass_stops(const parameters *p, GLOBAL const int *c, const control *limits, mask open,
                   held_state *held, pack_state pack, pace *clock) {
  mask there = mask_and(open, mask_and(eq(clock->time, clock->stop), eq(clock->low, R(0.0))));
  if (!any_lane(there)) return;
  if (SETTING(c, CONTROL)) {
    mask due =
        mask_and(there, eq(clock->time, clock->sample * clock_value(c, p->tables, CLOCK_PERIOD)));
    if (any_lane(due)) run_controllers(p, c, clock->time, clock->sample, R(1.0), due, held, pack);
    clock->sample = select_real(due, clock->sample + R(1.0), clock->sample);
  }
  if (SETTING(c, CORNERS)) {
    mask corner = mask_and(there, eq(clock->time, coming_corner(c, p->tables, clock->event)));
    clock->event = select_real(corner, clock->event + R(1.0), clock->event);
  }
  real stop =
      min_real(coming_row(p, c, clock->time), coming_stop(c, p->tables, clock, limits->end));
  clock->stop = select_real(there, stop, clock->stop);
}

/* Finishes the integration of a pass: the sums of the acceleration, which do not come from the
 * stages, and its squared error over the tolerance. */
FN real judge_pass(const parameters *p, GLOBAL const int *c, const control *limits, const motion *m,
                   real tau, pair_pass *pass) {
  real square = R(0.0), defect = R(0.0), other;
  if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) {
    const shaking *a = &pass->shake;
    square = square_of_pass(a->start[0], a->end[0], a->mean[0], &defect);
    square = square + square_of_pass(a->start[1], a->end[1], a->mean[1], &other);
    defect = defect + other;
    pass->change.obs[O_VIB_SQUARE] = square;
    FOR_XZ(k) pass->change.obs[O_VIB_X + k] = a->mean[k];
  }
  return max_real(motion_error2(p, c, limits, pass->error, tau),
                  sums_error2(p, c, limits, m, pass, tau, square, defect));
}

/* Data that a loop keeps in memory. */
typedef struct stepping_room {
  control limits;
  pair_pass pass;
  edge_pair edge;
} stepping_room;

/* Where a loop is. */
typedef struct stepping {
  const control *limits;
  pace clock;
  pair_pass *pass;
  edge_pair *edge;
  real end, until;
  mask begins;
  int resting;
  /* of the coming pass: its length up to the stop; squared error over the tolerance; it ends where
   * the rejected one met the edge; all of it is finite and solvable */
  real left, error2;
  mask exact, sound;
} stepping;

FN stepping start_stepping(const parameters *p, GLOBAL const int *c, pack_state pack, real end,
                           real until, stepping_room *room, loop_pass *at) {
  real *v = pack.v;
  stepping by;
  by.begins = mask_and(lt(v[S_EVENT], R(0.0)), eq(v[S_STATUS], STATUS(OK)));
  v[S_EVENT] = select_real(by.begins, R(0.0), v[S_EVENT]);
  room->limits = start_control(p, c, v, end);
  by.limits = &room->limits;
  by.clock = start_pace(c, p->tables, v, end);
  by.clock.stop = min_real(coming_row(p, c, by.clock.time), by.clock.stop);
  by.pass = &room->pass;
  by.edge = &room->edge;
  by.end = end;
  by.until = until;
  by.resting = edges_count(c) && any_rests(p, c, eq(by.clock.time, R(0.0)), pack.ts);
  at->change = &room->pass.change;
  at->seen = &room->pass.seen;
  at->edges = &room->edge.pass;
  clear_stages(c, by.pass);
  return by;
}

/* Returns the lanes that have a pass to do. */
FN mask plan_pass(const parameters *p, GLOBAL const int *c, held_state *held, stepping *by,
                  loop_pass *at, pack_state pack) {
  real *v = pack.v, (*ts)[T_COUNT] = pack.ts;
  pace *clock = &by->clock;
  /* a lane at the end of the launch shows the state held until then, if a trajectory has a sample
   * there */
  const mask open =
      mask_and(eq(v[S_STATUS], STATUS(OK)), lt(clock->time, min_real(by->end, by->until)));
  pass_stops(p, c, by->limits, open, held, pack, clock);
  real planned = planned_pass(clock, &by->left), t = clock->time + clock->low;
  mask running = mask_and(open, le(end_of_pass(clock, planned, by->left), by->until));
  if (!any_lane(running)) return running;
  by->exact = clock->is_cut;
  const real tau = min_real(bound_by_ground(p, c, pack.m, t, planned), by->limits->most);
  at->t = t;
  at->tau = tau;
  hold_replays(p, c, fma_real(R(0.5), tau, t), held);

  /* Wheels may rest on two rollers, or leave them. */
  if (by->resting) {
    real at_rest = min_real(max_real(tau, SHORTEST_PASS), by->left);
    mask rested[WHEELS_MAX];
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) rested[i] = is_resting(ts[i]);
    edge_copy own;
    edge_run run = lend_to_edges(p, c, held, pack, &own);
    stop_at_edges_controlled(&run, running, may_leave(c, t, ts), t, clock->next, by->limits->entry,
                             at_rest, by->edge);
    take_from_edges(c, &own, held, pack);
    if (OMR_CONSTRAINED) note_entries(c, running, rested, t, ts);
    by->resting = any_lane(at->edges->lanes);
  }
  at->resting = by->resting;
  at->still = at->resting ? at->edges->lanes : no_lane();
  return running;
}

/* The first stage tells how long the pass may be. */
FN void make_pass(const parameters *p, GLOBAL const int *c, const held_state *held, stepping *by,
                  loop_pass *at, pack_state pack) {
  const motion *m = pack.m;
  const real t = at->t, waited = at->tau;
  pair_pass *pass = by->pass;
  begin_pair(p, c, held, m, t, fma_real(R(0.5), waited, t), pass);
  real tau = bound_by_slip(p, c, m, pass, by->clock.fresh, waited);
  if (SPLITS(c)) {
    mask near = mask_and(meets_edge(p, c, m, &pass->rates[0], tau), mask_not(by->exact));
    if (any_lane(near)) tau = select_real(near, bound_by_edges(p, c, m, &pass->rates[0], tau), tau);
  }
  if (at->resting) tau = select_real(at->still, waited, tau);
  tau = min_real(max_real(tau, SHORTEST_PASS), by->left);
  finish_pair(p, c, held, m, t, tau, pass);
  if (at->resting) take_edge_pair(c, by->edge, pass);

  const real finite = finite_zero(c, pass->change.y);
  by->error2 = judge_pass(p, c, by->limits, m, tau, pass);
  by->sound = mask_and(eq(finite, R(0.0)), pass->solvable);

  /* The shortest pass still leaves the model: it ends here. */
  const mask leaves = mask_and(mask_not(by->sound), le(tau, LEAST_PASS));
  pass->seen.start.solvable =
      mask_and(pass->seen.start.solvable, mask_not(mask_and(leaves, eq(finite, R(0.0)))));
  at->tau = at->factor = tau;
  at->within = fma_real(R(0.5), tau, t);
  at->diverged = mask_and(mask_not(eq(finite, R(0.0))), le(tau, LEAST_PASS));
  at->crowded = no_lane();
}

/* Passes end at the samples of controllers, so that none is behind. */
FN mask look_back(const parameters *p, GLOBAL const int *c, const stepping *by, const loop_pass *at,
                  mask running, pack_state pack) {
  (void)p, (void)c, (void)by, (void)at, (void)pack;
  return running;
}

/* Returns the lanes of `running` whose pass is good: no error is too large, nothing has jumped
 * within it. The others take a shorter one. */
FN mask accept_pass(const parameters *p, GLOBAL const int *c, const held_state *held, stepping *by,
                    loop_pass *at, mask running, pack_state pack) {
  const motion *m = pack.m;
  const real tau = at->tau;
  pair_pass *pass = by->pass;
  pace *clock = &by->clock;
  mask good =
      mask_and(mask_and(running, by->sound), mask_or(le(by->error2, R(1.0)), le(tau, LEAST_PASS)));
  mask rejected = mask_and(running, mask_not(good)), accepted = good;
  if (SPLITS(c)) {
    mask edges = ends_beyond(p, c, by->limits, m, pass, tau,
                             good); /* a pass up to a kink may end on either side of it */
    if (any_lane(edges)) edges = confirm_beyond(p, c, by->limits, m, pass, tau, edges);
    mask kinks = pass_kinks(p, c, by->limits, pass, tau,
                            mask_and(good, mask_not(mask_or(by->exact, at->still))));
    mask cut = mask_or(edges, kinks);
    real root = R(2.0);
    if (at->resting) cut = mask_or(cut, pass_roots(at->edges, tau, good, &root));
    accepted = mask_and(good, mask_not(cut));
    clock->is_cut = cut;
    if (any_lane(cut))
      clock->cut =
          tau * min_real(first_crossing(p, c, by->limits, m, pass, tau, edges, kinks), root);
  }
  at->ends = ge(tau, by->left);
  at->last = mask_and(at->ends, ge(clock->stop, by->end));
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES) {
    const course path = path_of(at, m);
    pass->seen.breaks = mask_or(at->ends, ends_at_edge(p, c, by->limits, m, pass, tau));
    mask others = mask_and(
        accepted, mask_not(at->still)); /* resting lanes are looked at once they are there */
    accepted = mask_or(mask_and(accepted, at->still),
                       look_within_pair(p, c, held, path, pass, at->last, others, pack.v));
  }
  real factor =
      select_real(by->sound, pace_factor(by->error2, 2 * pair_estimate_order(c) + 2), LEAST_GROWTH);
  take_pace(accepted, rejected, at->ends, tau, factor, clock);
  clock->fresh = mask_and(clock->fresh, mask_not(accepted));
  return accepted;
}

/* Vertical motion has half of the pass by its start, and half by its end. */
FN void observe_change(const parameters *p, GLOBAL const int *c, const stepping *by,
                       const loop_pass *at, mask accepted, pack_state pack) {
  if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION)
    track_exchange_order(p, c, pack.m, by->pass, at->tau, accepted, pack.ts);
#if OMR_COMPLIANT
  observe_half(p, c, &at->seen->start, at->tau, accepted, pack);
#endif
}

FN void observe_end(const parameters *p, GLOBAL const int *c, const stepping *by,
                    const loop_pass *at, mask accepted, pack_state pack) {
#if OMR_COMPLIANT
  const pass_start there = look_at_start(c, &by->pass->o);
  observe_half(p, c, &there, at->tau, accepted, pack);
#else
  (void)p, (void)c, (void)by, (void)at, (void)accepted, (void)pack;
#endif
}

FN void finish_pass(const parameters *p, GLOBAL const int *c, held_state *held, stepping *by,
                    const loop_pass *at, mask accepted, pack_state pack) {
  const real now = by->clock.time + by->clock.low;
  (void)at;
#if OMR_COMPLIANT
  pass_on_beyond(p, c, now, accepted, pack, held);
#endif
  if (!SPLITS(c)) return;
  mask stands = stands_on_edge(p, c, by->limits, pack.m, accepted);
  if (!any_lane(stands)) return;
  mask exchanged = exchange_at_edges(p, c, by->limits, now, stands, pack, &by->resting);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) held->row[i] = pack.ts[i][T_ROW];
  make_impact(p, c, held, exchanged, pack.m, pack.v);
  by->clock.fresh = mask_or(by->clock.fresh, exchanged);
}

FN void store_stepping(GLOBAL const int *c, const stepping *by, pack_state pack) {
  (void)c;
  store_pace(&by->clock, pack.v);
}
