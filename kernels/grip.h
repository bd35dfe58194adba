/* Lost grip: the time during which the contact of a wheel slides, without the slides that an
 * exchange of rollers explains (appendix/observables.md#observables).
 *
 * A roller that comes to the floor may slide until friction has spun it up. Friction at its limit
 * mu N acts at the lever r of the roller's axis, so it takes mu N r^2/I off the slip in a second. A
 * slide is an exchange's while half of that could not yet have taken off its initial slip across
 * that axis. */

/* Contacts where a pass starts; filled where the grip is observed. */
typedef struct grip_look {
  real speed[WHEELS_MAX];                      /* slip speed, 0 without load */
  real slip_i[WHEELS_MAX], slip_k[WHEELS_MAX]; /* slip */
  real limit[WHEELS_MAX];                      /* mu N */
} grip_look;

FN void look_at_grip(GLOBAL const int *c, const outputs *o, grip_look *look) {
  if (!(SETTING(c, OBSERVERS) & OBSERVER_GRIP)) return;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    mask carries = gt(o->load[i], R(0.0));
    look->speed[i] = select_real(carries, sqrt_real(o->slip2[i]), R(0.0));
    look->slip_i[i] = o->slip_i[i];
    look->slip_k[i] = o->slip_k[i];
    look->limit[i] = o->friction[i] * o->load[i];
  }
}

/* Puts the look `from` into the lanes of `own`. */
FN void take_grip(GLOBAL const int *c, mask own, const grip_look *from, grip_look *to) {
  if (!(SETTING(c, OBSERVERS) & OBSERVER_GRIP)) return;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    to->speed[i] = select_real(own, from->speed[i], to->speed[i]);
    to->slip_i[i] = select_real(own, from->slip_i[i], to->slip_i[i]);
    to->slip_k[i] = select_real(own, from->slip_k[i], to->slip_k[i]);
    to->limit[i] = select_real(own, from->limit[i], to->limit[i]);
  }
}

/* How fast friction at its limit takes slip off the roller in contact, halved, m/s^2, of a wheel
 * with rollers; *across: the part of the slip (i, k) that the roller's spin could take off, across
 * its axis. */
FN real spin_up_rate(const real *w, real q, real row, const real slip[2], real limit,
                     real *across) {
  const contact k = contact_at(w, q, row);
  const real square = fma_real(w[W_SIN_PSI], w[W_SIN_PSI], k.axis_along * k.axis_along);
  const real lever2 = fma_real(k.i_spin, k.i_spin, k.k_spin * k.k_spin);
  const real part = fma_real(slip[0], w[W_SIN_PSI], -(slip[1] * k.axis_along));
  *across = abs_real(part) / sqrt_real(square);
  return R(0.5) * limit * lever2 * w[W_INV_ROLLER_INERTIA];
}

/* The time that the wheel has slid since its last look, by the straight line through the slip
 * speeds there and now. Where it has exchanged rollers the slip has jumped, and keeps its value.
 */
FN real time_slid(const real *own, real slip, real tau) {
  const real edge = own[T_GRIP_SPEED], before = own[T_GRIP_SLIP];
  const mask slid = gt(before, edge), slides = gt(slip, edge);
  const mask goes_on = eq(own[T_GRIP_INDEX], own[T_INDEX]);
  const real rise = abs_real(slip - before), most = max_real(slip, before);
  const mask differs = mask_and(mask_or(slid, slides), mask_not(mask_and(slid, slides)));
  const mask crosses = mask_and(goes_on, differs);
  const real part = (most - edge) / select_real(crosses, rise, R(1.0));
  return tau * select_real(crosses, part, select_real(slid, R(1.0), R(0.0)));
}

/* Takes a look where a pass starts, in the lanes of `now`
 * (appendix/observables.md#observables). */
FN void observe_grip(const parameters *p, GLOBAL const int *c, const real *y, const grip_look *look,
                     mask now, pack_state pack) {
  if (!(SETTING(c, OBSERVERS) & OBSERVER_GRIP)) return;
  real *tau = &pack.v[S_GRIP_PASS];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real *own = pack.ts[i];
    const real slip = look->speed[i], time = time_slid(own, slip, *tau);
    const mask slid = gt(own[T_GRIP_SLIP], own[T_GRIP_SPEED]);
    const mask slides = gt(slip, own[T_GRIP_SPEED]);

    /* The slide's initial slip, less the part that friction could take off since. */
    const real both[2] = {look->slip_i[i], look->slip_k[i]};
    real across;
    real rate = R(0.0);
    if (is_bare(c, i)) /* no roller excuses its slides */
      across = R(-1.0);
    else
      rate = spin_up_rate(p->w[i], y[Y_Q(i)], own[T_ROW], both, look->limit[i], &across);
    real excused = fma_real(-time, own[T_GRIP_RATE], own[T_GRIP_EXCUSED]);
    excused = select_real(slid, excused, across);
    own[T_GRIP_EXCUSED] = select_real(now, excused, own[T_GRIP_EXCUSED]);

    /* A slide that ends counts in whole, or not at all. */
    const real slide = own[T_SLIDE] + time;
    const mask counts = mask_and(mask_not(slides), lt(excused, R(0.0)));
    own[T_LOST_GRIP] =
        select_real(mask_and(now, counts), own[T_LOST_GRIP] + slide, own[T_LOST_GRIP]);
    own[T_SLIDE] = select_real(now, select_real(slides, slide, R(0.0)), own[T_SLIDE]);

    /* Start values for the next look. */
    own[T_GRIP_RATE] = select_real(now, rate, own[T_GRIP_RATE]);
    own[T_GRIP_SLIP] = select_real(now, slip, own[T_GRIP_SLIP]);
    own[T_GRIP_INDEX] = select_real(now, own[T_INDEX], own[T_GRIP_INDEX]);
  }
  *tau = select_real(now, R(0.0), *tau);
}
