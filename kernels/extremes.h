/* Extremes at dense output: beyond the starts of passes, where the observers look in any case, at
 * the left limit of a pass that ends with a jump (an exchange of rollers, the sample of a
 * controller, the end of the run), and inside of a pass.
 *
 * The stages' values (looks.h) only show where it is worth looking
 * (appendix/observables.md#observables). Where one beats the record so far, the equations are
 * evaluated again: at the state in which the pass ends, or at the state that the cubic through both
 * ends and their rates has inside. So every value that is kept belongs to a state on the motion,
 * and a stage that overshoots in a stiff transient costs an evaluation but reports nothing. */

/* The records so far. */
FN look records_of(const real *v) {
  look found;
  found.slip2 = v[S_MAX_SLIP2];
  found.least = v[S_MIN_LOAD];
  found.most = v[S_MAX_LOAD];
  found.servo2 = v[S_MAX_SERVO] * v[S_MAX_SERVO];
  found.square = v[S_VIB_PEAK2];
  return found;
}

/* Quantities of a look, each as one to be maximised. */
enum { LOOK_SLIP, LOOK_LEAST, LOOK_MOST, LOOK_SERVO, LOOK_SQUARE, LOOK_COUNT };

/* Constraints that are not relaxed leave no slip but the errors of steps, which an interpolation
 * between them only adds to. */
FN int slips_not(GLOBAL const int *c) {
  return OMR_CONSTRAINED && SETTING(c, LAW) != LAW_RELAXED;
}

/* Whether the run has a use for the quantity; one wheel's load is its weight, but for an external
 * force. */
FN int looks_for(GLOBAL const int *c, int quantity) {
  if (quantity == LOOK_SLIP) return (SETTING(c, OBSERVERS) & OBSERVER_SLIP) && !slips_not(c);
  if (quantity == LOOK_SQUARE) return SETTING(c, OBSERVERS) & OBSERVER_VIBRATION;
  if (!(SETTING(c, OBSERVERS) & OBSERVER_LOADS)) return 0;
  return quantity == LOOK_SERVO ? WHEELS(c) == 1 : loads_vary(c);
}

FN real look_value(const look *l, int quantity) {
  return quantity == LOOK_SLIP    ? l->slip2
         : quantity == LOOK_LEAST ? -l->least
         : quantity == LOOK_MOST  ? l->most
         : quantity == LOOK_SERVO ? l->servo2
                                  : l->square;
}

/* Without the lanes whose stages were not evaluated for the quantity: a neighbour's stages make no
 * difference to them. */
FN mask where_known(GLOBAL const int *c, const pass_view *seen, int q, mask lanes) {
  if (!chooses_loads(c) || q == LOOK_SLIP || q == LOOK_SQUARE) return lanes;
  return mask_and(lanes, seen->near_loads);
}

/* Lanes in which the parabola of quantity q over the pass has a vertex inside that is above the
 * record; the record is at least its start f0. With bend = 2 fm - f0 - f1 > 0 and rise = f1 - f0
 * the vertex is f0 + (2 bend + rise)^2/(8 bend), at the fraction 1/2 + rise/(4 bend), which
 * *fraction receives. */
FN mask beats_inside(GLOBAL const int *c, const pass_view *seen, const look *start,
                     const look *best, int q, int wanted, real *fraction) {
  real f0 = look_value(start, q), f1 = look_value(&seen->end, q), record = look_value(best, q);
  real rise = f1 - f0, bend = look_value(&seen->middle, q) - f0 - f1;
  real twice = bend + bend, slope = twice + rise;
  mask inside =
      mask_and(lt(abs_real(rise), twice), gt(slope * slope, R(4.0) * twice * (record - f0)));
  if (wanted) *fraction = fma_real(R(0.25), rise / bend, R(0.5));
  return where_known(c, seen, q, inside);
}

/* Lanes in which a stage's value at the end beats a record. Euler's method has but its start to go
 * by: it is worth it where that was one. */
FN mask beats_at_end(GLOBAL const int *c, const pass_view *seen, const look *start,
                     const look *best) {
  const int euler = SETTING(c, METHOD) == METHOD_EULER;
  mask any = lt(R(1.0), R(0.0));
  UNROLL_ALL for (int q = 0; q < LOOK_COUNT; q++) {
    if (!looks_for(c, q)) continue;
    real record = look_value(best, q);
    mask beats = gt(look_value(&seen->end, q), record);
    if (euler) beats = ge(look_value(start, q), record);
    any = mask_or(any, where_known(c, seen, q, beats));
  }
  return any;
}

/* to = the cubic through both ends of a pass and the rates there, at the fraction x of its length:
 * the arguments of the rates, but for the observers. */
FN void cubic_motion(GLOBAL const int *c, const course *path, const motion *rate0,
                     const motion *rate1, real x, motion *to) {
  const motion *from = path->from, *change = path->change;
  real left = R(1.0) - x, both = x * left * path->tau;
  real whole = path->factor * (x * x * fma_real(R(-2.0), x, R(3.0))), first = both * left,
       last = -(both * x);
  FOR_MOTION(c, j) {
    if (feeds_back(c, j))
      to->y[j] = fma_real(first, rate0->y[j],
                          fma_real(last, rate1->y[j], fma_real(whole, change->y[j], from->y[j])));
  }
  FOR_CURRENTS(c, i) {
    int j = Y_CURRENT(i);
    real sum = fma_real(whole, change->y[j], from->y[j]);
    to->y[j] = fma_real(first, rate0->y[j], fma_real(last, rate1->y[j], sum));
  }
  if (!SETTING(c, BEARING)) return;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    UNROLL_DEVICE for (int j = 0; j < IDLE_COUNT; j++) {
      real sum = fma_real(whole, change->idle[i][j], from->idle[i][j]);
      to->idle[i][j] = fma_real(first, rate0->idle[i][j], fma_real(last, rate1->idle[i][j], sum));
    }
  }
}

/* Takes the outputs at time t into the extremes of `lanes`; returns the lanes among them in which a
 * load is negative, which keep their extremes. within: as for command_at. */
FN mask keep_look(const parameters *p, GLOBAL const int *c, real t, real within, const outputs *o,
                  mask lanes, real *v) {
  pass_start at = look_at_start(c, o);
  if (slips_not(c)) at.slip2 = R(0.0);
  lanes = mask_and(lanes, at.solvable);
  mask lifted = loads_vary(c) ? mask_and(lanes, at.lifted) : lt(R(1.0), R(0.0));
  lanes = mask_and(lanes, mask_not(lifted));
  observe_contacts(c, &at, lanes, v);
  if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) {
    real ax = o->ax, az = o->az;
    residual_acceleration(p, c, t, within, &ax, &az);
    observe_peak(fma_real(ax, ax, az * az), lanes, v);
  }
  return lifted;
}

/* Looks at the end of the pass in the lanes of at_end and, where a quantity's vertex beats its
 * record, inside in the lanes of `lanes`; returns the lanes in which a load is negative
 * (appendix/observables.md#observables). */
FN_COLD mask look_again(const parameters *p, GLOBAL const int *c, const held_state *held,
                        course path, const pass_view *seen, mask at_end, mask lanes, real *v) {
  enum { END, START, INSIDE };
  const look start = look_of_start(&seen->start), best = records_of(v);
  const motion *m = path.from;
  motion at = *m, rate = *m, rate0 = *m, rate1 = *m;
  outputs o;
  instant now;
  real x = R(1.0);
  mask here = at_end, lifted = lt(R(1.0), R(0.0));
  for (int point = END; point < (any_lane(lanes) ? INSIDE + LOOK_COUNT : START); point++) {
    if (point == END) {
      move_motion(c, m, path.factor, path.change, &at);
    } else if (point == START) {
      rate1 = rate;
      at = *m;
      x = R(0.0);
      here = lt(R(1.0), R(0.0));
    } else {
      if (point == INSIDE) rate0 = rate;
      if (!looks_for(c, point - INSIDE)) continue;
      here = mask_and(lanes, beats_inside(c, seen, &start, &best, point - INSIDE, 1, &x));
      if (!any_lane(here)) continue;
      x = select_real(here, x, R(0.5));
      cubic_motion(c, &path, &rate0, &rate1, x, &at);
    }
    real when = fma_real(x, path.tau, path.t);
    set_instant(p, c, held, when, &now);
    evaluate_aside(p, c, &now, SETTING(c, BEARING) ? at.idle : m->idle, at.y, 1, &rate, &o);
    lifted = mask_or(lifted, keep_look(p, c, when, when, &o, here, v));
  }
  return lifted;
}

/* Looks at the state m at time t under the torques in `held`; returns the lanes in which a load is
 * negative. */
FN_COLD mask look_at_other_side(const parameters *p, GLOBAL const int *c, const held_state *held,
                                const motion *m, real t, mask lanes, real *v) {
  motion rate;
  outputs o;
  instant now;
  set_instant(p, c, held, t, &now);
  evaluate_aside(p, c, &now, m->idle, m->y, 1, &rate, &o);
  return keep_look(p, c, t, t, &o, lanes, v);
}

/* Extremes within and at the end of the accepted pass; ends: lanes whose run ends with it. A load
 * that is negative there ends the instance, as one at a start does: the lanes that go on are
 * returned (appendix/observables.md#observables). */
FN mask look_within(const parameters *p, GLOBAL const int *c, const held_state *held, course path,
                    const pass_view *seen, mask ends, mask accepted, real *v) {
  if (!(SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES) || !seen->looked) return accepted;
  const look start = look_of_start(&seen->start), best = records_of(v);
  mask at_end = mask_and(seen->breaks, mask_or(ends, beats_at_end(c, seen, &start, &best)));
  mask inside = lt(R(1.0), R(0.0));
  if (looks_inside(c)) {
    real fraction;
    UNROLL_ALL for (int q = 0; q < LOOK_COUNT; q++) {
      if (looks_for(c, q))
        inside = mask_or(inside, beats_inside(c, seen, &start, &best, q, 0, &fraction));
    }
  }
  at_end = mask_and(accepted, at_end);
  inside = mask_and(accepted, inside);
  if (!any_lane(mask_or(at_end, inside))) return accepted;
  mask lifted = look_again(p, c, held, path, seen, at_end, inside, v);
  v[S_STATUS] = select_real(lifted, STATUS(LIFTED), v[S_STATUS]);
  return mask_and(accepted, mask_not(lifted));
}

/* Keeps a value of the accepted lanes, `none` in those that did no whole step. */
FN void keep_if_whole(mask whole, mask accepted, real value, real none, real *kept) {
  *kept = select_real(mask_and(accepted, whole), value, *kept);
  *kept = select_real(mask_and(accepted, mask_not(whole)), none, *kept);
}

/* After a pass: data for judge_loads at the next one, whole: lanes that did a whole step and
 * no break after it; and the stages' values before a controller's sample. */
FN void end_looks(GLOBAL const int *c, const pass_view *seen, mask whole, mask accepted, real *v) {
  if (chooses_loads(c)) {
    real least = seen->start.least_load, most = seen->start.most_load;
    keep_if_whole(whole, accepted, seen->last.least - least, R(1e35), &v[S_GROWTH_LEAST]);
    keep_if_whole(whole, accepted, most - seen->last.most, R(1e35), &v[S_GROWTH_MOST]);
    keep_if_whole(whole, accepted, least, R(1e30), &v[S_LAST_LEAST]);
    keep_if_whole(whole, accepted, most, R(-1e30), &v[S_LAST_MOST]);
  }
  if (!SETTING(c, CONTROL) || !(SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES)) return;
  mask known = mask_and(seen->samples, mask_not(seen->breaks));
  mask loads = where_known(c, seen, LOOK_MOST, known);
  v[S_LEFT_LEAST] =
      select_real(accepted, select_real(loads, seen->end.least, R(1e30)), v[S_LEFT_LEAST]);
  v[S_LEFT_MOST] =
      select_real(accepted, select_real(loads, seen->end.most, R(-1e30)), v[S_LEFT_MOST]);
  v[S_LEFT_SERVO2] =
      select_real(accepted, select_real(loads, seen->end.servo2, R(-1e30)), v[S_LEFT_SERVO2]);
  v[S_LEFT_SQUARE] =
      select_real(accepted, select_real(known, seen->end.square, R(-1e30)), v[S_LEFT_SQUARE]);
}

/* The other side of a controller's sample, where the pass just begun starts: the state is the same,
 * the torques are the ones held until then (before). Looks there in the lanes of `sampled` in which
 * the stages of the pass before beat the present record; returns the lanes of `running` that go on.
 */
FN mask look_before_sample(const parameters *p, GLOBAL const int *c, const held_state *before,
                           const motion *m, real t, mask sampled, mask running, real *v) {
  const look best = records_of(v);
  mask beats = lt(R(1.0), R(0.0));
  if (looks_for(c, LOOK_LEAST))
    beats = mask_or(lt(v[S_LEFT_LEAST], best.least), gt(v[S_LEFT_MOST], best.most));
  if (looks_for(c, LOOK_SERVO)) beats = mask_or(beats, gt(v[S_LEFT_SERVO2], best.servo2));
  if (looks_for(c, LOOK_SQUARE)) beats = mask_or(beats, gt(v[S_LEFT_SQUARE], best.square));
  beats = mask_and(beats, mask_and(sampled, running));
  if (!any_lane(beats)) return running;
  mask lifted = look_at_other_side(p, c, before, m, t, beats, v);
  v[S_STATUS] = select_real(lifted, STATUS(LIFTED), v[S_STATUS]);
  return mask_and(running, mask_not(lifted));
}
