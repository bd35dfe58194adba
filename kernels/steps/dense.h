/* Extremes at dense output where an error estimate chooses the steps (controlled.h), as extremes.h
 * has them for fixed ones: the pairs' own stages tell where to look, and the equations are
 * evaluated again there, in a state that the continuous extension of the pair has inside of the
 * pass. The coming pass starts with an exact look at where this one ends, but for jumps
 * (explanation/steps.md#two-kinds-of-steps, appendix/observables.md#observables). */

/* The stages of a linearly implicit pair at the fraction x of a pass have the weights u x + w x^2,
 * w = b - u. With u the shortest vector of sum u = 1, sum u alpha = 0, sum u gamma = 0 the weights
 * of ROS34PW2 are of order 2 whatever the matrix, as the method's own weights are of order 3; a
 * decay too fast for the pass stays within 0.76 of its start. The weights of ROS2 start with the
 * slope of its embedded method and are of order 1, so that they are off by a part of the size of
 * the error estimate. */
TABLE sreal ros_u[2][4] = {{LIT(0.8142139305225975), LIT(0.2886545777846353),
                            LIT(0.5542105721327257), LIT(-0.6570790804399591)},
                           {LIT(1.0), LIT(0.0), LIT(0.0), LIT(0.0)}};

/* The state at the fraction x of an accepted pass; the last stage is the pass's increment less the
 * others. */
FN void ros_motion(GLOBAL const int *c, const motion *from, const pair_pass *pass, real tau, real x,
                   motion *to) {
  const int two = is_ros2(c), end = last_stage(c);
  const real b_end = splat(ros_tables[two].b[end]), u_end = splat(ros_u[two][end]);
  real weight[4], last = x * fma_real(x, b_end - u_end, u_end) / b_end;
  for (int stage = 0; stage < end; stage++) {
    const real b = splat(ros_tables[two].b[stage]), u = splat(ros_u[two][stage]);
    weight[stage] = tau * fma_real(-last, b, x * fma_real(x, b - u, u));
  }
  weight[3] = tau * last; /* of the change */
  FOR_MOTION(c, j) {
    if (!feeds_back(c, j)) continue;
    real sum = fma_real(weight[3], pass->change.y[j], from->y[j]);
    for (int stage = 0; stage < end; stage++)
      sum = fma_real(weight[stage], pass->rates[stage].y[j], sum);
    to->y[j] = sum;
  }
  if (!SETTING(c, BEARING)) return;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    UNROLL_DEVICE for (int j = 0; j < IDLE_COUNT; j++) {
      real sum = fma_real(weight[3], pass->change.idle[i][j], from->idle[i][j]);
      for (int stage = 0; stage < end; stage++)
        sum = fma_real(weight[stage], pass->rates[stage].idle[i][j], sum);
      to->idle[i][j] = sum;
    }
  }
}

/* As look_again of extremes.h. Constraints have the cubic through both ends and their rates; that
 * at the start is the first stage's, so that the end is evaluated before anything inside. */
FN_COLD mask look_again_at_pair(const parameters *p, GLOBAL const int *c, const held_state *held,
                                course path, const pair_pass *pass, mask at_end, mask lanes,
                                real *v) {
  const look start = look_of_start(&pass->seen.start), best = records_of(v);
  const real t = path.t, tau = path.tau, within = fma_real(R(0.5), tau, t);
  const motion *m = path.from;
  motion at = *m, rate = *m, rate1 = *m;
  outputs o;
  instant now;
  mask lifted = no_lane();
  for (int point = -1; point < LOOK_COUNT; point++) {
    real x = R(1.0);
    mask here = at_end;
    if (point < 0) {
      if (!OMR_CONSTRAINED && !any_lane(at_end)) continue;
      move_motion(c, m, path.factor, path.change, &at);
    } else {
      if (!looks_for(c, point)) continue;
      here = mask_and(lanes, beats_inside(c, &pass->seen, &start, &best, point, 1, &x));
      if (!any_lane(here)) continue;
      x = select_real(here, x, R(0.5));
      if (OMR_CONSTRAINED)
        cubic_motion(c, &path, &pass->rates[0], &rate1, x, &at);
      else
        ros_motion(c, m, pass, tau, x, &at);
    }
    real when = fma_real(x, tau, t);
    set_instant(p, c, held, when, &now);
    evaluate_aside(p, c, &now, SETTING(c, BEARING) ? at.idle : m->idle, at.y, 1, &rate, &o);
    if (OMR_CONSTRAINED && point < 0) rate1 = rate;
    lifted = mask_or(lifted, keep_look(p, c, when, within, &o, here, v));
  }
  return lifted;
}

/* As look_within of extremes.h; `last`: lanes whose run ends with the pass. */
FN mask look_within_pair(const parameters *p, GLOBAL const int *c, const held_state *held,
                         course path, const pair_pass *pass, mask last, mask accepted, real *v) {
  const look start = look_of_start(&pass->seen.start), best = records_of(v);
  mask at_end =
           mask_and(pass->seen.breaks, mask_or(last, beats_at_end(c, &pass->seen, &start, &best))),
       inside = no_lane();
  real fraction;
  UNROLL_ALL for (int q = 0; q < LOOK_COUNT; q++) {
    if (looks_for(c, q))
      inside = mask_or(inside, beats_inside(c, &pass->seen, &start, &best, q, 0, &fraction));
  }
  at_end = mask_and(accepted, at_end);
  inside = mask_and(accepted, inside);
  if (!any_lane(mask_or(at_end, inside))) return accepted;
  mask lifted = look_again_at_pair(p, c, held, path, pass, at_end, inside, v);
  v[S_STATUS] = select_real(lifted, STATUS(LIFTED), v[S_STATUS]);
  return mask_and(accepted, mask_not(lifted));
}

/* Spherical Bessel functions j_0, j_1, j_2 by their series, for |z| up to about 2. */
FN void spherical_bessel(real z, real *j0, real *j1, real *j2) {
  real z2 = z * z;
  *j0 = fma_real(z2,
                 fma_real(z2, fma_real(z2, R(-1.984126984126984e-4), R(8.3333333333333333e-3)),
                          R(-0.16666666666666667)),
                 R(1.0));
  *j1 = z * fma_real(z2, fma_real(z2, R(1.1904761904761905e-3), R(-0.033333333333333333)),
                     R(0.33333333333333333));
  *j2 = z2 * fma_real(z2, fma_real(z2, R(1.3227513227513228e-4), R(-4.7619047619047619e-3)),
                      R(0.066666666666666667));
}

/* Order tracking at the exchange frequency, as observe_exchange_order, over a whole pass: the phase
 * n chi grows evenly from one end to the other, and the acceleration is its expansion in Legendre
 * polynomials, whose integrals with e^(i phase) are the spherical Bessel functions of half the
 * growth. */
FN_COLD void track_exchange_order(const parameters *p, GLOBAL const int *c, const motion *m,
                                  const pair_pass *pass, real tau, mask accepted,
                                  real ts[WHEELS_MAX][T_COUNT]) {
  const shaking *a = &pass->shake;
  real first[2], second[2];
  FOR_XZ(k) {
    first[k] = R(0.5) * (a->end[k] - a->start[k]);
    second[k] = fma_real(R(0.5), a->start[k] + a->end[k], -a->mean[k]);
  }
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real n = p->w[i][W_ROLLERS], grown = R(0.5) * n * tau * pass->change.y[Y_Q(i)], sine, cosine,
         j0, j1, j2;
    sincos_real(fma_real(n, m->y[Y_Q(i)], grown), &sine, &cosine);
    spherical_bessel(grown, &j0, &j1, &j2);
    FOR_XZ(k) {
      real *sum = &ts[i][T_VIB_COS_X + 2 * k];
      real even = tau * fma_real(a->mean[k], j0, -(second[k] * j2)), odd = tau * first[k] * j1;
      sum[0] = select_real(accepted, sum[0] + fma_real(even, cosine, -(odd * sine)), sum[0]);
      sum[1] = select_real(accepted, sum[1] + fma_real(even, sine, odd * cosine), sum[1]);
    }
  }
}
