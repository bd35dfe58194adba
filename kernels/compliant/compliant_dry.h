/* Dry friction of bearings and rolling resistance on compliant contacts
 * (appendix/bearings.md#bearings): the torques of dry.h, each roller under its own
 * force, with the whole angular velocities of wheel and roller. */

#if OMR_COMPLIANT

/* A roller on the floor, wheel axes; all 0 where it does not touch. */
typedef struct gripped {
  vector3 force, axis, up; /* of the floor on it; of the roller; the floor's normal */
  real load;               /* along the latter, N */
} gripped;

FN gripped no_grip(void) {
  gripped g;
  g.force = g.axis = g.up = vector_of(R(0.0), R(0.0), R(0.0));
  g.load = R(0.0);
  return g;
}

/* Dry friction of a wheel's bearings and rolling resistance, added up. */
typedef struct braking {
  vector3 moment;                             /* of the floor on the rollers */
  vector3 spun;                               /* sum of the torques on rollers, along their axes */
  real on_spin[ROLLERS_LOOKED_AT];            /* these torques */
  real axle;                                  /* torque on the wheel about its axle */
  real rollers_lost, axle_lost, rolling_lost; /* powers */
} braking;

FN braking no_braking(void) {
  braking b;
  b.moment = b.spun = vector_of(R(0.0), R(0.0), R(0.0));
  b.axle = b.rollers_lost = b.axle_lost = b.rolling_lost = R(0.0);
  for (int near = 0; near < ROLLERS_LOOKED_AT; near++) b.on_spin[near] = R(0.0);
  return b;
}

/* Torque of a roller's bearing about its axis. share: the roller's part of the wheel's load, in
 * which it has the constant torque
 * (appendix/bearings.md#bearings). */
FN real brake_roller(const real *w, GLOBAL const int *c, const gripped *g, real share, real factor,
                     real roll) {
  real axial = dot3(g->force, g->axis);
  real across = sqrt_real(max_real(fma_real(-axial, axial, dot3(g->force, g->force)), R(0.0)));
  real by_load = w[W_DRY_PIN] * across;
  if (SETTING(c, DRY) & DRY_END) by_load = fma_real(w[W_DRY_END], abs_real(axial), by_load);
  return -(fma_real(factor, by_load, share * w[W_DRY_TORQUE]) *
           dry_direction(c, roll, w[W_DRY_INV_SMOOTHING], w[W_DRY_RISE], w[W_DRY_INV_STRIBECK]));
}

/* Moment of rolling resistance on a roller that turns so
 * (appendix/bearings.md#bearings). */
FN vector3 resist_rolling(const real *w, const gripped *g, real factor, vector3 turns) {
  vector3 over = added3(turns, -dot3(turns, g->up), g->up);
  real smoothing = w[W_ROLLING_SMOOTHING];
  real gain = factor * g->load * w[W_ROLLING_ARM] /
              sqrt_real(fma_real(smoothing, smoothing, dot3(over, over)));
  return vector_of(-(gain * over.i), -(gain * over.j), -(gain * over.k));
}

/* g: the rollers of a wheel that moves like m; load: of all of them; rolls: phi' of each
 * (appendix/bearings.md#bearings). */
FN_SHARED braking brake_wheel(const real *w, GLOBAL const int *c, const wheel_motion *m,
                              const gripped g[ROLLERS_LOOKED_AT], real load,
                              const real rolls[ROLLERS_LOOKED_AT]) {
  braking b = no_braking();
  real factor = R(1.0), on_axle = w[W_AXLE_TORQUE];
  const real inverse = R(1.0) / select_real(gt(load, R(0.0)), load, R(1.0));
  if (SETTING(c, DRY) & DRY_EXPONENT) factor = dry_factor(w, load);

  for (int near = 0; near < ROLLERS_LOOKED_AT; near++) {
    real torque = R(0.0);
    if (SETTING(c, DRY) & DRY_ROLLER) {
      torque = brake_roller(w, c, &g[near], g[near].load * inverse, factor, rolls[near]);
      b.rollers_lost = fma_real(-torque, rolls[near], b.rollers_lost);
    }
    if (SETTING(c, DRY) & DRY_ROLLING) {
      vector3 turns = added3(m->turn, m->rate, vector_of(R(0.0), R(0.0), R(1.0)));
      turns = added3(turns, rolls[near], g[near].axis);
      vector3 moment = resist_rolling(w, &g[near], factor, turns);
      b.rolling_lost = b.rolling_lost - dot3(moment, turns);
      b.moment = added3(b.moment, R(1.0), moment);
      torque = torque + dot3(moment, g[near].axis);
    }
    b.on_spin[near] = torque;
    b.spun = added3(b.spun, torque, g[near].axis);
    if (SETTING(c, DRY) & DRY_AXLE_PIN) {
      real square = fma_real(g[near].force.i, g[near].force.i, g[near].force.j * g[near].force.j);
      on_axle = fma_real(factor * w[W_AXLE_PIN], sqrt_real(square), on_axle);
    }
  }

  if (SETTING(c, DRY) & DRY_AXLE) {
    b.axle = -(on_axle * dry_direction(c, m->rate, w[W_AXLE_INV_SMOOTHING], w[W_AXLE_RISE],
                                       w[W_AXLE_INV_STRIBECK]));
    b.axle_lost = -(b.axle * m->rate);
  }
  return b;
}

#endif
