/* Functions of compliant contacts for the time loop where an error estimate chooses the steps
 * (controlled.h; explanation/steps.md#two-kinds-of-steps). */

#if OMR_COMPLIANT

/* A wheel turns by a part of a roller, so that the rollers looked at go on to be all that reach the
 * floor. */
FN real bound_by_turning(const parameters *p, GLOBAL const int *c, const motion *m, real tau) {
  for (int i = 0; i < WHEELS(c); i++)
    tau = min_real(R(0.5) * p->w[i][W_ALPHA] / max_real(abs_real(m->y[Y_RATE(i)]), R(1e-9)), tau);
  return tau;
}

/* Exchanges of wheels that a pass has taken beyond an edge: they only change names. */
FN_COLD void pass_on_beyond(const parameters *p, GLOBAL const int *c, real now, mask accepted,
                            pack_state pack, held_state *held) {
  for (int i = 0; i < WHEELS(c); i++) {
    real q = pack.m->y[Y_Q(i)];
    mask hit = mask_and(accepted, gt(abs_real(q), p->w[i][W_ALPHA]));
    if (!any_lane(hit)) continue;
    exchange jump = {i, hit, hit, sign_real(q), now};
    swap_rollers(p->w[i], c, pack.spins, jump, pack.m, pack.ts[i]);
    pack.v[S_EXCHANGES] = select_real(hit, pack.v[S_EXCHANGES] + R(1.0), pack.v[S_EXCHANGES]);
    held->row[i] = pack.ts[i][T_ROW];
  }
}

/* Vertical motion over half of a pass of length tau, by the state at one of its ends
 * (appendix/observables.md#observables). */
FN void observe_half(const parameters *p, GLOBAL const int *c, const pass_start *there, real tau,
                     mask accepted, pack_state pack) {
  if (SETTING(c, OBSERVERS) & OBSERVER_HEAVE)
    observe_heave(p, c, pack.m->y, there, R(0.5) * tau, accepted, pack.v, pack.ts);
}

/* Errors of the depth add up over passes, and the observed loads follow it. */
#define SHARE_OF_SAG R(0.3)

/* Adds the compliant contacts' part of the squared errors of velocities and paths over their scales
 * (motion_error2): the depth of each wheel and its rate of change, over a part of the sag of
 * an even share of the weight and of the speed of falling through half of it; spins of the
 * neighbours of nearest rollers, at the slip's scale `speed`; bristles over their largest bend.
 */
FN void add_spring_error2(const parameters *p, GLOBAL const int *c, const real *speed,
                          const real *error, real *speed2, real *path2) {
  const real share = p->v[P_WEIGHT] * splat(LIT(1.0) / (sreal)WHEELS(c));
  const real gravity = p->v[P_WEIGHT] * p->v[P_INV_MASS];
  for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    real rises =
        fma_real(w[W_A], error[Y_PITCH_RATE], fma_real(-w[W_B], error[Y_ROLL_RATE], error[Y_VY]));
    real raised =
        fma_real(w[W_A], error[Y_PITCH], fma_real(-w[W_B], error[Y_ROLL], error[Y_HEIGHT]));
    if (SETTING(c, SUSPENSION)) {
      rises = rises + error[Y_TRAVEL_RATE(i)];
      raised = raised + error[Y_TRAVEL(i)];
    }
    real sag = share / w[W_CONTACT_STIFFNESS];
    if (SETTING(c, HERTZ)) { /* to the power 2/3 */
      real root = inverse_root(R(1.0) / sag, 6);
      sag = (root * root) * (root * root);
    }
    sag = SHARE_OF_SAG * sag;
    *speed2 = max_real(rises * rises / (SHARE_OF_SAG * (gravity * sag)), *speed2);
    real bent = raised * SCALE_LENGTH / sag;
    *path2 = max_real(bent * bent, *path2);
    real arm = (w[W_RADIUS] - w[W_CENTER]) * speed[i];
    real before = arm * error[Y_BEFORE(i)], after = arm * error[Y_AFTER(i)];
    *speed2 = max_real(fma_real(before, before, after * after), *speed2);
    if (!HAS_BRISTLES(c)) continue;
    real most = SCALE_LENGTH * w[W_BRISTLE_STIFFNESS] / max_real(w[W_FRICTION], R(1e-9));
    for (int j = 0; j < BRISTLES; j++) {
      real z = most * error[Y_BENT(i, 0) + j];
      *path2 = max_real(z * z, *path2);
    }
  }
}

#endif
