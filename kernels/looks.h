/* The observers' view of a pass, and of its stages beyond the first: loads,
 * slip and accelerations at the middle and at the end, to find where an extreme may lie between the
 * starts of passes (extremes.h).
 *
 * A time loop calls begin_looks before a pass, judge_loads after its first stage, look_at_stage at
 * the others (or fills middle and end by its own combination of stages), look_within once the pass
 * is accepted, and end_looks after that. */

typedef struct pass_view {
  pass_start start;
  grip_look grip;
  look middle, end; /* from the stages: twice the values at the middle, the values at the end */
  mask breaks;  /* lanes whose motion breaks where the pass ends: at an exchange, or with the run */
  mask samples; /* lanes in which a controller samples there, which changes only the torques */
  mask near_loads;            /* lanes whose loads are looked at in all stages */
  int looked, loaded;         /* stages are looked at; loads among it */
  look last, growth, records; /* constraints: loads where the step before started, how they had
                                 grown in it, extremes so far */
  motor_sums motors;
} pass_view;

/* Whether values inside of a pass are known well enough to interpolate: RK4's stages at 1/2 and 1,
 * the pairs' (dense.h). The other methods are of order 2 at most, as is the straight line between
 * the ends. */
FN int looks_inside(GLOBAL const int *c) {
  return OMR_CONTROLLED || SETTING(c, METHOD) == METHOD_RK4;
}

/* Whether loads are looked at only where they may come to extremes: laws that are constraints
 * compute them only for the observers, and in every stage that is a tenth of a step. A pass of a
 * pair has two looks at them in seven stages. */
FN int chooses_loads(GLOBAL const int *c) {
  return !OMR_CONTROLLED && OMR_CONSTRAINED && SETTING(c, LAW) != LAW_RELAXED &&
         (SETTING(c, OBSERVERS) & OBSERVER_LOADS);
}

/* Before a pass; breaks, samples: as in pass_view. */
FN void begin_looks(GLOBAL const int *c, mask breaks, mask samples, const real *v,
                    pass_view *seen) {
  if (!(SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES)) return;
  seen->breaks = breaks;
  seen->samples = samples;
  seen->looked = looks_inside(c) || any_lane(mask_or(breaks, samples));
  seen->loaded = seen->looked;
  seen->near_loads = breaks;
  if (!chooses_loads(c)) return;
  seen->last.least = v[S_LAST_LEAST];
  seen->last.most = v[S_LAST_MOST];
  seen->growth.least = v[S_GROWTH_LEAST];
  seen->growth.most = v[S_GROWTH_MOST];
  seen->records.least = v[S_MIN_LOAD];
  seen->records.most = v[S_MAX_LOAD];
}

/* Whether an extreme f, to be maximised, may turn near its record within the coming pass: on a
 * parabola through the starts of steps that has its vertex x steps on, 0 < x < 1, the last step's
 * growth is (1 + 2 x)/(3 + 2 x) of the one before, a third to 0.6, and x^2/(1 + 2 x) of it is left,
 * at most a third. last is far below f where there was no such step
 * (appendix/observables.md#observables). */
FN mask may_turn(real f, real last, real growth_before, real record) {
  real growth = f - last;
  return mask_and(lt(max_real(record, f) - f, growth), lt(growth, R(0.75) * growth_before));
}

/* After the first stage: which lanes' loads the others look at. */
FN void judge_loads(GLOBAL const int *c, pass_view *seen) {
  if (!chooses_loads(c) || !seen->looked) return;
  mask most =
      may_turn(seen->start.most_load, seen->last.most, seen->growth.most, seen->records.most);
  mask least = may_turn(-seen->start.least_load, -seen->last.least, seen->growth.least,
                        -seen->records.least);
  seen->near_loads = mask_or(seen->near_loads, mask_or(most, least));
  seen->loaded = any_lane(seen->near_loads);
}

/* Whether a stage's right-hand side must give loads that only the observers ask for. */
FN int wants_loads(GLOBAL const int *c, int stage, const pass_view *seen) {
  if (stage == 0) return 1;
  return chooses_loads(c) && seen->looked && seen->loaded;
}

FN void add_look(GLOBAL const int *c, const look *l, look *sum) {
  sum->slip2 = sum->slip2 + l->slip2;
  sum->square = sum->square + l->square;
  if (WHEELS(c) == 1) sum->servo2 = sum->servo2 + l->servo2;
  if (loads_vary(c)) {
    sum->least = sum->least + l->least;
    sum->most = sum->most + l->most;
  }
}

/* 2 a - b: on from b through a at the middle. */
FN look look_beyond(const look *a, const look *b) {
  look seen;
  seen.slip2 = fma_real(R(2.0), a->slip2, -b->slip2);
  seen.least = fma_real(R(2.0), a->least, -b->least);
  seen.most = fma_real(R(2.0), a->most, -b->most);
  seen.servo2 = fma_real(R(2.0), a->servo2, -b->servo2);
  seen.square = fma_real(R(2.0), a->square, -b->square);
  return seen;
}

/* Stage values of order 2 (error h^3) at the middle and the end of an RK4 pass, of order 1 at the
 * end of the others. RK4's stages at the middle, y + h/2 k1 and y + h/2 k2, miss it by -+ h^2/8 f'
 * f: their mean does not. */
FN void look_at_stage(GLOBAL const int *c, int method, int stage, const outputs *o, real square,
                      pass_view *seen) {
  look now = look_at(c, o, square);
  if (chooses_loads(c) && !seen->loaded) {
    now.least = seen->start.least_load;
    now.most = seen->start.most_load;
    now.servo2 = seen->start.servo * seen->start.servo;
  }
  if (method == METHOD_RK4) {
    if (stage == 1) seen->middle = now;
    if (stage == 2) add_look(c, &now, &seen->middle);
    if (stage == 3) seen->end = now;
  } else if (method == METHOD_MIDPOINT) {
    look start = look_of_start(&seen->start);
    seen->end = look_beyond(&now, &start);
  } else {
    seen->end = now;
  }
}

/* All of it at a stage, for runge_kutta. */
FN void look_at_pass(GLOBAL const int *c, int method, int stage, const outputs *o,
                     const real *d_obs, pass_view *seen) {
  if (stage == 0) {
    seen->start.square = d_obs[O_VIB_SQUARE];
    seen->start.residual_x = d_obs[O_VIB_X];
    seen->start.residual_z = d_obs[O_VIB_Z];
    judge_loads(c, seen);
  } else if (seen->looked) {
    look_at_stage(c, method, stage, o, d_obs[O_VIB_SQUARE], seen);
  }
}
