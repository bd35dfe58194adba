/* The time and the step of every lane where an error estimate chooses the steps (controlled.h):
 * limits of a pass, how long the next one is, and by which scales its error is judged
 * (explanation/steps.md#two-kinds-of-steps). */

/* A pass no longer than this is accepted whatever its error: it crosses a jump of the equations,
 * such as the edge of a patch. */
#define LEAST_PASS R(1e-9)     /* s */
#define SHORTEST_PASS R(1e-12) /* s: none is shorter, but for the rest up to a stop */

/* Bounds of how the length of a pass changes, and how much shorter it is than the estimate allows.
 */
#define MOST_GROWTH R(5.0)
#define LEAST_GROWTH R(0.2)
#define PACE_SAFETY R(0.9)

/* Scales that the tolerance is a part of; the scales of the sums are the sums' present values, and
 * at least the constants here. */
#define SCALE_SPEED                                                                                \
  R(10.0) /* slip speeds v_s, at most FASTEST_SCALE: velocities of contacts and of the body */
#define FASTEST_SCALE R(1.0) /* m/s */
#define SCALE_LENGTH R(0.1)  /* m: paths of contacts and of the body */
#define SCALE_SHAKING                                                                              \
  R(1e-4)                    /* m^2/s^4: of the mean squared residual acceleration, (1 cm/s^2)^2   \
                              */
#define SCALE_ENERGY R(5e-4) /* m^2/s^2: of the energies per mass */
#define SHARE_OF_SUMS R(0.3) /* of the tolerance, for sums, whose errors add up */

/* A contact starts to slide at once after an exchange: the first pass changes its slip by this
 * part, at most. */
#define FIRST_SLIP R(0.2)

typedef struct pace {
  real time, low; /* s: time + low */
  real next;      /* wanted length of the coming pass, s */
  real stop;      /* the instant that the coming pass must not cross */
  real sample;    /* number of the controllers' coming sample */
  real event;     /* number of the coming corner of a table */
  real cut;       /* length of the coming pass where one beyond an edge was rejected */
  mask is_cut;
  mask fresh;    /* the coming pass follows a jump of the motion */
  mask rejected; /* the last pass was */
} pace;

/* Settings of the time, after all tables (omr_settings_make): the controllers' period, the end, the
 * corners. */
enum { CLOCK_PERIOD, CLOCK_END, CLOCK_CORNERS };

FN real clock_value(GLOBAL const int *c, GLOBAL const sreal *tables, int j) {
  return splat(tables[SETTING(c, CLOCK) + j]);
}

/* The coming corner of a table in each lane; far away behind the last. */
FN_COLD real coming_corner(GLOBAL const int *c, GLOBAL const sreal *tables, real event) {
  real corner = R(1e30);
  for (int l = 0; l < OMR_LANES; l++) {
    const int number = (int)lane_get(event, l);
    if (number < SETTING(c, CORNERS))
      lane_set(&corner, l, tables[SETTING(c, CLOCK) + CLOCK_CORNERS + number]);
  }
  return corner;
}

/* The instant that a lane's coming pass must not cross: a sample of the controllers, a corner,
 * `end`. */
FN real coming_stop(GLOBAL const int *c, GLOBAL const sreal *tables, const pace *clock, real end) {
  real stop = end;
  if (SETTING(c, CONTROL))
    stop = min_real(clock->sample * clock_value(c, tables, CLOCK_PERIOD), stop);
  if (SETTING(c, CORNERS)) stop = min_real(coming_corner(c, tables, clock->event), stop);
  return stop;
}

FN pace start_pace(GLOBAL const int *c, GLOBAL const sreal *tables, const real *v, real end) {
  pace clock;
  clock.time = v[S_TIME];
  clock.low = v[S_TIME_LOW];
  clock.next = abs_real(v[S_NEXT]);
  clock.fresh = lt(v[S_NEXT], R(0.0));
  clock.sample = v[S_SAMPLE];
  clock.event = v[S_EVENT];
  clock.cut = R(0.0);
  clock.is_cut = clock.rejected = no_lane();
  clock.stop = coming_stop(c, tables, &clock, end);
  return clock;
}

FN void store_pace(const pace *clock, real *v) {
  v[S_TIME] = clock->time;
  v[S_TIME_LOW] = clock->low;
  v[S_NEXT] = select_real(clock->fresh, -clock->next, clock->next);
  v[S_SAMPLE] = clock->sample;
  v[S_EVENT] = clock->event;
}

/* Length of the coming pass, and in *left the rest to the stop: up to it where it is near, half
 * of it where it is not far. */
FN real planned_pass(const pace *clock, real *left) {
  *left = (clock->stop - clock->time) - clock->low;
  real near = select_real(gt(clock->next, R(0.5) * *left), R(0.5) * *left, clock->next);
  real tau = select_real(gt(clock->next, PACE_SAFETY * *left), *left, near);
  return select_real(clock->is_cut, clock->cut, tau);
}

/* Where a pass of that length ends: exactly at the stop if it takes all that is left, since the sum
 * may round beyond it. */
FN real end_of_pass(const pace *clock, real planned, real left) {
  return select_real(ge(planned, left), clock->stop, clock->time + (clock->low + planned));
}

/* x^(-1/power) of a positive x: the power of two by its exponent, linear in between, which is
 * within a few per cent. Only shifts and sums. power: 4, 6 or 10, as sums of powers of 2. */
FN real inverse_root(real x, int power) {
  const ireal bits = real_bits(x), one = real_bits(R(1.0));
  ireal part, whole;
  if (power == 4) {
    part = bits >> 2;
    whole = one >> 2;
  } else if (power == 6) {
    part = (bits >> 3) + (bits >> 5) + (bits >> 7) + (bits >> 9) + (bits >> 11) + (bits >> 13) +
           (bits >> 15);
    whole =
        (one >> 3) + (one >> 5) + (one >> 7) + (one >> 9) + (one >> 11) + (one >> 13) + (one >> 15);
  } else {
    part = (bits >> 4) + (bits >> 5) + (bits >> 8) + (bits >> 9) + (bits >> 12) + (bits >> 13) +
           (bits >> 16);
    whole =
        (one >> 4) + (one >> 5) + (one >> 8) + (one >> 9) + (one >> 12) + (one >> 13) + (one >> 16);
  }
  return bits_real(one + (whole - part));
}

/* The part of its length that a pass should have had, or the next one may have, from its squared
 * error over the squared tolerance. power: twice the order of the estimate plus one, with which the
 * squared error grows. */
FN real pace_factor(real error2, int power) {
  return PACE_SAFETY * inverse_root(clamp_real(error2, R(1e-12), R(1e12)), power);
}

/* Takes the time of a pass of length tau, and from its error the length of the next one. Accepted
 * lanes that `reach` their stop stand exactly there. `free`: the pass was as long as wanted, so
 * that the next one may be shorter than wanted before. */
FN void take_pace(mask accepted, mask rejected, mask reach, real tau, real factor, pace *clock) {
  real passed = clock->low + tau, sum = clock->time + passed;
  mask stops = mask_and(accepted, reach);
  clock->low = select_real(accepted, passed - (sum - clock->time), clock->low);
  clock->low = select_real(stops, R(0.0), clock->low);
  clock->time = select_real(accepted, select_real(stops, clock->stop, sum), clock->time);
  real most = select_real(clock->rejected, R(1.0), MOST_GROWTH);
  real fits = tau * factor, grown = tau * min_real(factor, most);

  /* a pass that a stop or an edge cut short tells that the wanted length was too much, or that more
   * than its own will do */
  real next = select_real(lt(fits, clock->next), fits, max_real(grown, clock->next));
  next = select_real(lt(tau, clock->next), next, grown);
  clock->next = select_real(
      accepted, next, select_real(rejected, tau * max_real(factor, LEAST_GROWTH), clock->next));
  clock->rejected = mask_or(rejected, mask_and(clock->rejected, mask_not(accepted)));
}
