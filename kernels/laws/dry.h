/* Dry friction in the bearings of rollers and axles, and the moments of the floor on the rollers:
 * rolling resistance and drilling friction (appendix/bearings.md#bearings). A
 * bearing brakes with a constant torque and with one by the force that it carries; bearing loads
 * are contact forces, without the weights of wheel and roller. A roller that does not touch the
 * floor carries nothing and has only its viscous friction. SETTING(c, DRY): bits of DRY_... in
 * layout.h; 0: nothing of this. */

/* How a wheel and its roller on the floor turn, and the direction S of the friction in the bearing
 * of each. */
typedef struct dry_turns {
  real rate, roll;     /* chi' of the axle, phi' of the roller's bearing */
  real over_i, over_k; /* horizontal angular velocity of the roller along (i, k) */
  real axle, roller;   /* S(chi'), S(phi') */
  real drill, moment;  /* omega_n of the roller about the vertical; its moment per unit of load */
} dry_turns;

/* Angular velocity of the roller in contact about the vertical (appendix/laws.md#friction). */
FN real drilling_rate(const real *w, const contact *k, turning turns) {
  real roll = turns.spin - turns.omega * k->axis_up - turns.rate * w[W_SIN_PSI];
  return fma_real(roll, k->axis_up, turns.omega);
}

/* Speed u = eps |omega_n| at the edge of the area of contact, m/s; 0 without drilling friction. */
FN real drill_speed(const real *w, GLOBAL const int *c, const contact *k, turning turns) {
  if (!(SETTING(c, DRY) & DRY_DRILLING)) return R(0.0);
  return w[W_CONTOUR_RADIUS] * abs_real(drilling_rate(w, k, turns));
}

/* Moment of drilling friction over -omega_n per unit of load, for the friction coefficient, the
 * square of the slip and the speed u there; below the slip speed friction grows in proportion at
 * every place of the area, the moment by 2/5 eps^2/v_s (appendix/laws.md#friction). */
FN real drilling_gain(const real *w, real friction, real slip2, real drill) {
  drilling d = weigh_drilling(sqrt_real(slip2), drill);
  return friction * w[W_CONTOUR_RADIUS] * w[W_CONTOUR_RADIUS] *
         min_real(drilling_moment(&d), R(0.4) * w[W_INV_SLIP_SPEED]);
}

/* Effects of friction per unit of the wheel's load. */
typedef struct dry_share {
  real on_rate, on_spin; /* generalised forces on the wheel rate and the roller spin */
  real yaw;              /* yaw acceleration */
  real bracket_i;        /* after i in the rate of angular momentum, less the moment of the floor */
  real gain_x, gain_z;   /* the same along x and z, platform included */
  real rollers, axle, rolling; /* power lost in the roller's bearing, the axle, by rolling */
} dry_share;

/* S(v) = s/sqrt(1 + s^2) (1 + (sigma - 1)/(1 + (v/v_1)^2)), s = v/v_0: smoothed at v_0, sigma the
 * static friction over the kinetic one, v_1 the Stribeck rate (Hess and Soom). rise: sigma - 1. One
 * root and one division (appendix/bearings.md#bearings). */
FN real dry_direction(GLOBAL const int *c, real rate, real inv_smoothing, real rise,
                      real inv_stribeck) {
  real scaled = rate * inv_smoothing, size = sqrt_real(fma_real(scaled, scaled, R(1.0)));
  if (!(SETTING(c, DRY) & DRY_RISE)) return scaled / size;
  real far = rate * inv_stribeck, fade = fma_real(far, far, R(1.0));
  return scaled * (fade + rise) / (size * fade);
}

/* The same over v, which has a value at v = 0
 * (appendix/bearings.md#bearings). */
FN real dry_secant(GLOBAL const int *c, real rate, real inv_smoothing, real rise,
                   real inv_stribeck) {
  real scaled = rate * inv_smoothing, size = sqrt_real(fma_real(scaled, scaled, R(1.0)));
  if (!(SETTING(c, DRY) & DRY_RISE)) return inv_smoothing / size;
  real far = rate * inv_stribeck, fade = fma_real(far, far, R(1.0));
  return inv_smoothing * (fade + rise) / (size * fade);
}

/* The roller in contact turns as `turns` says (appendix/rollers.md#slip)
 * (appendix/bearings.md#bearings). */
FN_SHARED dry_turns turn_dry(const real *w, GLOBAL const int *c, const contact *k, turning turns) {
  dry_turns d;
  d.rate = turns.rate;
  d.roll = turns.spin - turns.omega * k->axis_up - turns.rate * w[W_SIN_PSI];
  d.over_i = d.over_k = d.axle = d.roller = d.drill = d.moment = R(0.0);
  if (SETTING(c, DRY) & DRY_ROLLER)
    d.roller =
        dry_direction(c, d.roll, w[W_DRY_INV_SMOOTHING], w[W_DRY_RISE], w[W_DRY_INV_STRIBECK]);
  if (SETTING(c, DRY) & DRY_AXLE)
    d.axle =
        dry_direction(c, d.rate, w[W_AXLE_INV_SMOOTHING], w[W_AXLE_RISE], w[W_AXLE_INV_STRIBECK]);
  if (SETTING(c, DRY) & DRY_ROLLING) {
    d.over_i = d.roll * k->axis_along;
    d.over_k = fma_real(d.roll, w[W_SIN_PSI], d.rate);
  }
  return d;
}

/* Takes the constant torque of the axle from the wheel's; lost: the power that it takes. */
FN void brake_axle(const real *w, GLOBAL const int *c, real rate, real *torque, real *lost) {
  real on_axle = w[W_AXLE_TORQUE] * dry_direction(c, rate, w[W_AXLE_INV_SMOOTHING], w[W_AXLE_RISE],
                                                  w[W_AXLE_INV_STRIBECK]);
  *torque = *torque - on_axle;
  *lost = fma_real(on_axle, rate, *lost);
}

/* The constant torque of the roller's bearing, on the roller about its axis. */
FN real dry_roller_torque(const real *w, const dry_turns *d) {
  return -(w[W_DRY_TORQUE] * d->roller);
}

/* Torque of the roller's bearing per unit of load and of S: pin and end faces under the contact
 * force (unit_i, 1, unit_k) per load, across the roller's axis and along it
 * (appendix/bearings.md#bearings). */
FN real dry_roller_load(const real *w, GLOBAL const int *c, const contact *k, real unit_i,
                        real unit_k) {
  real axial = fma_real(unit_i, k->axis_along, fma_real(unit_k, w[W_SIN_PSI], k->axis_up));
  real square = fma_real(unit_i, unit_i, fma_real(unit_k, unit_k, R(1.0)));
  real across = sqrt_real(max_real(fma_real(-axial, axial, square), R(0.0)));
  if (!(SETTING(c, DRY) & DRY_END)) return w[W_DRY_PIN] * across;
  return fma_real(w[W_DRY_PIN], across, w[W_DRY_END] * abs_real(axial));
}

/* The same of the axle, under the force in the wheel's plane
 * (appendix/bearings.md#bearings). */
FN real dry_axle_load(const real *w, real unit_i) {
  return w[W_AXLE_PIN] * sqrt_real(fma_real(unit_i, unit_i, R(1.0)));
}

/* Lever arm over the smoothed horizontal angular velocity of the roller: times that it is the
 * moment of rolling resistance per load
 * (appendix/bearings.md#bearings). */
FN real rolling_gain(const real *w, const dry_turns *d) {
  real smoothing = w[W_ROLLING_SMOOTHING];
  return w[W_ROLLING_ARM] /
         sqrt_real(
             fma_real(d->over_i, d->over_i, fma_real(d->over_k, d->over_k, smoothing * smoothing)));
}

/* The moment of drilling friction per unit of load, about the vertical, of the floor on the roller,
 * for the friction coefficient and the square of the slip there (appendix/laws.md#friction). */
FN void drill(const real *w, GLOBAL const int *c, const contact *k, turning turns, real friction,
              real slip2, dry_turns *d) {
  if (!(SETTING(c, DRY) & DRY_DRILLING)) return;
  d->drill = drilling_rate(w, k, turns);
  d->moment = -(d->drill * drilling_gain(w, friction, slip2, drill_speed(w, c, k, turns)));
}

/* Torques per unit of load: on the roller about its axis, of the floor's moments too; on the wheel
 * about its axle; moments of rolling resistance along (i, k); the yaw acceleration of drilling. */
typedef struct dry_torques {
  real roller, axle, moment_i, moment_k, yaw;
  real rollers_lost, axle_lost, rolling_lost; /* powers */
} dry_torques;

/* Dry friction and rolling resistance per unit of load under the contact force (unit_i, 1,
 * unit_k) per load (appendix/bearings.md#bearings). */
FN_SHARED dry_torques load_dry(const real *vehicle, const real *w, GLOBAL const int *c,
                               const contact *k, const dry_turns *d, real unit_i, real unit_k) {
  dry_torques t;
  t.roller = t.axle = t.moment_i = t.moment_k = t.yaw = R(0.0);
  if (SETTING(c, DRY) & DRY_ROLLER)
    t.roller = -(d->roller * dry_roller_load(w, c, k, unit_i, unit_k));
  if (SETTING(c, DRY) & DRY_AXLE_PIN) t.axle = -(d->axle * dry_axle_load(w, unit_i));
  t.rollers_lost = -(t.roller * d->roll);
  t.axle_lost = -(t.axle * d->rate);
  t.rolling_lost = R(0.0);
  if (SETTING(c, DRY) & DRY_ROLLING) {
    real gain = rolling_gain(w, d);
    t.moment_i = -(gain * d->over_i);
    t.moment_k = -(gain * d->over_k);
    t.rolling_lost = -fma_real(t.moment_i, d->over_i, t.moment_k * d->over_k);
    t.roller = fma_real(t.moment_i, k->axis_along, fma_real(t.moment_k, w[W_SIN_PSI], t.roller));
    t.axle = t.axle + t.moment_k;
  }
  if (SETTING(c, DRY) & DRY_DRILLING) { /* the vehicle has all of it, less the roller's part */
    t.roller = fma_real(d->moment, k->axis_up, t.roller);
    t.yaw = vehicle[P_INV_YAW] * d->moment;
    t.rolling_lost = fma_real(-d->moment, d->drill, t.rolling_lost);
  }
  return t;
}

/* The torques under a load whose exponent gives the factor. */
FN void scale_dry(real factor, dry_torques *t) {
  t->roller = factor * t->roller;
  t->axle = factor * t->axle;
  t->moment_i = factor * t->moment_i;
  t->moment_k = factor * t->moment_k;
  t->yaw = factor * t->yaw;
  t->rollers_lost = factor * t->rollers_lost;
  t->axle_lost = factor * t->axle_lost;
  t->rolling_lost = factor * t->rolling_lost;
}

/* Effects of torques of the bearings on roller and wheel and of a moment of the floor on the
 * roller. The moment is of the outside: no bearing hands on its part about the roller's axis, and
 * the loads balance it (appendix/bearings.md#bearings). */
FN dry_share dry_effect(const real *vehicle, const real *w, const contact *k,
                        const dry_torques *t) {
  dry_share share;
  share.on_spin = t->roller;
  share.on_rate = fma_real(-w[W_SIN_PSI], t->roller, t->axle);
  share.yaw = fma_real(-vehicle[P_INV_YAW], k->axis_up * t->roller, t->yaw);
  share.bracket_i = fma_real(k->axis_along, share.on_spin, -t->moment_i);
  real bracket_k = fma_real(w[W_MOMENTUM_RATIO], share.on_rate,
                            fma_real(w[W_SIN_PSI], share.on_spin, -t->moment_k));
  share.gain_x = fma_real(share.bracket_i, w[W_COS],
                          fma_real(bracket_k, w[W_SIN], -(share.yaw * vehicle[P_TILT_X])));
  share.gain_z = fma_real(bracket_k, w[W_COS],
                          fma_real(-share.bracket_i, w[W_SIN], -(share.yaw * vehicle[P_TILT_Z])));
  share.rollers = t->rollers_lost;
  share.axle = t->axle_lost;
  share.rolling = t->rolling_lost;
  return share;
}

/* Least load over the reference load that a power is taken of. */
#define LEAST_RATIO R_BY(1e-30, 1e-200)

/* (N/N_ref)^(p - 1), the factor of a part per unit of load by the exponent p of the load
 * (appendix/bearings.md#bearings). */
FN real dry_factor(const real *w, real load) {
  real ratio = max_real(load * w[W_DRY_INV_LOAD], LEAST_RATIO);
  return exp_real(w[W_DRY_POWER] * log_real(ratio));
}
