/* Edges under laws that are met by impacts (appendix/laws.md#rolling,
 * appendix/rollers.md#exchange): there the wheel rate jumps where the next roller takes over,
 * and may point back. Then rollers a and b take the impact in turn, at one instant, until the wheel
 * turns away from the edge. Each of these impacts is a projection in the metric of the masses, and
 * they tend to the one that meets the constraints of both rollers; they end after finitely many
 * unless the wheel rate is 0 in that limit, which is taken at once after TURNS. */

enum { TURNS = 20 };

#if OMR_CONSTRAINED
/* Exchanges back where the wheel turns back, and adds those lanes to *lanes; back[i]: the lanes of
 * wheel i. */
FN_CALL void turn_back(const edge_run *run, mask running, real t, mask *back, mask *lanes) {
  GLOBAL const int *c = run->c;
  motion *m = run->m;
  for (int i = 0; i < WHEELS(c); i++) {
    real *ts = run->ts[i], direction = sign_real(ts[T_REST]);
    back[i] = mask_and(mask_and(running, is_untried(ts)), lt(direction * m->y[Y_RATE(i)], R(0.0)));
    if (!any_lane(back[i])) continue;
    exchange jump = {i, back[i], back[i], -direction, t};
    exchange_roller(run->p->w[i], c, run->spins, jump, m, ts);
    ts[T_REST] = select_real(back[i], -ts[T_REST], ts[T_REST]);
    run->held->row[i] = ts[T_ROW];
    run->v[S_EXCHANGES] = select_real(back[i], run->v[S_EXCHANGES] + R(1.0), run->v[S_EXCHANGES]);
    *lanes = mask_or(*lanes, back[i]);
  }
}

/* Where no yaw is possible: the inverse of the yaw inertia is this much smaller. */
#define NO_YAW R_BY(1e-12, 1e-24)

/* Makes one roller of both of wheel i in the lanes of `both`: both have the mean of their spins,
 * and q twice the inertia. Returns the energy that this costs. */
FN real join_rollers(const edge_run *run, int i, mask both, real t, parameters *q) {
  const real *w = run->p->w[i];
  real *spin = &run->m->y[Y_SPIN(i)],
       side = select_real(both, -sign_real(run->ts[i][T_REST]), R(1.0)), second = *spin, decaying;
  recall_second(run, i, both, side, t, &second, &decaying);
  recount_second(w, both, side, R(-1.0), decaying, run->m->idle[i]);
  real gap = R(0.5) * (second - *spin);
  *spin = select_real(both, *spin + gap, *spin);
  q->w[i][W_INV_ROLLER_INERTIA] =
      select_real(both, R(0.5) * w[W_INV_ROLLER_INERTIA], w[W_INV_ROLLER_INERTIA]);
  return select_real(both, w[W_ROLLER_INERTIA], R(0.0)) * (gap * gap);
}

/* Two rollers again, which spin alike. */
FN void part_rollers(const edge_run *run, int i, mask both, real t) {
  const real *w = run->p->w[i];
  real side = select_real(both, -sign_real(run->ts[i][T_REST]), R(1.0));
  real decaying = run->m->y[Y_SPIN(i)] - lasting_spin(w, run->c, run->m->idle[i], side);
  store_second(run, i, both, side, t, decaying);
  recount_second(w, both, side, R(1.0), decaying, run->m->idle[i]);
}

/* The impact that meets the constraints of both rollers of the wheels in `both`, for the lanes of
 * `lanes`; rollers without mass have no spins. Both roll without slip if and only if one does, they
 * turn alike, and the vehicle does not yaw. So yaw rate and difference of the spins become 0, and
 * the constraints of one roller are met by an impact in which nothing yaws. Returns the energy
 * lost. */
FN_CALL real strike_both(const edge_run *run, mask lanes, const mask *both, real t) {
  GLOBAL const int *c = run->c;
  const real *v = run->p->v;
  parameters q = *run->p;
  real *y = run->m->y, lost = R(0.0), omega = select_real(lanes, y[Y_OMEGA], R(0.0));
  int massless = SETTING(c, LAW) != LAW_ROLLING;
  for (int i = 0; i < WHEELS(c) && !massless; i++)
    lost = lost + join_rollers(run, i, both[i], t, &q);
  lost = fma_real(R(0.5) * omega / v[P_INV_YAW], omega, lost);
  y[Y_VX] = select_real(lanes, fma_real(omega, v[P_COM_Z], y[Y_VX]),
                        y[Y_VX]); /* the centre of mass moves on */
  y[Y_VZ] = select_real(lanes, fma_real(-omega, v[P_COM_X], y[Y_VZ]), y[Y_VZ]);
  y[Y_OMEGA] = select_real(lanes, R(0.0), y[Y_OMEGA]);
  q.v[P_INV_YAW] = NO_YAW * v[P_INV_YAW];
  lost = lost + impact(&q, c, run->held, lanes, y);
  y[Y_OMEGA] = select_real(lanes, R(0.0), y[Y_OMEGA]);
  for (int i = 0; i < WHEELS(c) && !massless; i++) part_rollers(run, i, both[i], t);
  return lost;
}

/* Whether the two rollers of wheel i at its edge touch the floor in different places, so that both
 * roll only where nothing yaws.
 */
FN mask stand_apart(const edge_run *run, int i) {
  const real *w = run->p->w[i];
  real q = run->m->y[Y_Q(i)], row = run->held->row[i];
  contact one = law_contact(run->p->v, w, run->c, q, row),
          two = law_contact(run->p->v, w, run->c, -q, -row);
  return gt(abs_real(one.offset - two.offset), R(1e-6) * w[W_RADIUS]);
}

/* After an exchange and its impact, at time t: rollers take turns in the lanes `running`
 * (appendix/rollers.md#exchange). */
FN_CALL void take_turns(const edge_run *run, mask running, real t) {
  GLOBAL const int *c = run->c;
  motion *m = run->m;
  real *v = run->v;
  mask back[WHEELS_MAX], lanes = no_lane(), joint = lanes;

  /* Impacts take turns on the two rollers until no wheel turns back. */
  for (int turn = 0; turn < TURNS; turn++) {
    lanes = no_lane();
    turn_back(run, running, t, back, &lanes);
    if (!any_lane(lanes)) break;
    add_compensated(&v[S_IMPACT], &v[S_IMPACT_LOW], impact(run->p, c, run->held, lanes, m->y),
                    lanes);
  }

  /* Wheels that still turn back take the impact on both rollers at once. */
  /* All wheels have been tried now. */
  for (int i = 0; i < WHEELS(c); i++) { /* those that still turn back */
    real *ts = run->ts[i];
    back[i] = mask_and(mask_and(running, is_untried(ts)),
                       lt(sign_real(ts[T_REST]) * m->y[Y_RATE(i)], R(0.0)));
    back[i] = mask_and(back[i], stand_apart(run, i));
    joint = mask_or(joint, back[i]);
  }
  if (any_lane(joint)) {
    add_compensated(&v[S_IMPACT], &v[S_IMPACT_LOW], strike_both(run, joint, back, t), joint);
    turn_back(run, running, t, back, &lanes);
  }
  for (int i = 0; i < WHEELS(c); i++) {
    real *ts = run->ts[i];
    ts[T_REST] = select_real(mask_and(running, is_untried(ts)), sign_real(ts[T_REST]), ts[T_REST]);
  }
}
#endif
