/* Roller exchange: the neighbour takes over the contact
 * (appendix/rollers.md#contact-point, appendix/bearings.md#bearings,
 * appendix/rollers.md#exchange). */

/* Which lanes exchange the roller of a wheel, when, and to which side. */
typedef struct exchange {
  int wheel;
  mask expected;  /* known before the pass: the lanes that may */
  mask hit;       /* the lanes of these that do */
  real direction; /* +1 where q passed +alpha, -1 where it passed -alpha */
  real now;       /* the time, s */
} exchange;

/* The rollers of an exchange by their numbers: the one that leaves, the one that comes, the one
 * that comes after it if the wheel goes on in the same direction. */
typedef struct roller_row {
  real active, next, later;
} roller_row;

/* A spin as memory has it: with bearing friction the decaying part, and how long ago it was stored,
 * s. */
typedef struct stored_spin {
  real spin, age;
} stored_spin;

/* Swaps the stored spins: the outgoing roller's value goes to memory with its time, the incoming
 * roller's comes back in *incoming for the lanes that exchange. */
FN_COLD void swap_spins(GLOBAL const int *c, GLOBAL sreal *spins, const exchange *jump,
                        roller_row row, real outgoing, stored_spin *incoming) {
  int rollers = SETTING(c, MAX_ROLLERS), wheel = jump->wheel;
  real now = jump->now;
  EACH_LANE(jump->expected, l) {
    if (!lane_test(jump->hit, l)) continue;
    int from = (wheel * rollers + (int)lane_get(row.active, l)) * SPIN_BLOCK + l;
    int to = (wheel * rollers + (int)lane_get(row.next, l)) * SPIN_BLOCK + l;
    PREFETCH(spins + ((wheel * rollers + (int)lane_get(row.later, l)) * SPIN_BLOCK + l));
    spins[from] = lane_get(outgoing, l);
    lane_set(&incoming->spin, l, spins[to]);
    if (SETTING(c, BEARING)) {
      int times = WHEELS(c) * rollers * SPIN_BLOCK;
      spins[times + from] = lane_get(now, l);
      lane_set(&incoming->age, l, lane_get(now, l) - spins[times + to]);
    }
  }
}

/* The roller that takes over from one of n: chi grows with the angle, the roller behind comes. */
FN real roller_behind(real active, real direction, real n) {
  real next = active - direction;
  next = select_real(lt(next, R(0.0)), next + n, next);
  return select_real(ge(next, n), next - n, next);
}

/* Exchanges the roller of a wheel: in the motion m and in the wheel's state columns ts. spins
 * points at the pack's first lane (appendix/bearings.md#bearings,
 * appendix/rollers.md#exchange). */
FN_COLD void exchange_roller(const real *w, GLOBAL const int *c, GLOBAL sreal *spins, exchange jump,
                             motion *m, real *ts) {
  const mask hit = jump.hit;
  const real direction = jump.direction, n = w[W_ROLLERS];
  real *q = &m->y[Y_Q(jump.wheel)], *spin = &m->y[Y_SPIN(jump.wheel)], *idle = m->idle[jump.wheel];

  /* The roller behind comes, and memory is fetched for the one after it. */
  roller_row row;
  row.active = ts[T_ACTIVE];
  row.next = roller_behind(row.active, direction, n);
  row.later = roller_behind(row.next, direction, n);
  real cos_pitch = w[W_COS_PITCH], sin_pitch = direction * w[W_SIN_PITCH];

  /* Memory keeps only the decaying part of a spin. */
  real along = R(0.0); /* part of the spin that is not the decaying one */
  real a = idle[BEARING_A], b = idle[BEARING_B];
  if (SETTING(c, BEARING)) {
    along = fma_real(w[W_COS_PSI], a, w[W_SIN_PSI] * idle[BEARING_D]);
  }
  real outgoing = *spin - along;
  stored_spin stored = {R(0.0), R(0.0)};
  swap_spins(c, spins, &jump, row, outgoing, &stored);

  /* The bearing's sums turn by a pitch, and the stored spin has decayed since it was stored. */
  real incoming = stored.spin, new_spin = incoming;
  if (SETTING(c, BEARING)) {
    real turned_a = a * cos_pitch - b * sin_pitch, turned_b = fma_real(a, sin_pitch, b * cos_pitch);
    idle[BEARING_A] = select_real(hit, turned_a, a);
    idle[BEARING_B] = select_real(hit, turned_b, b);
    incoming = incoming * exp_real(-(w[W_DECAY] * stored.age));
    new_spin = incoming + fma_real(w[W_COS_PSI], turned_a, w[W_SIN_PSI] * idle[BEARING_D]);
  }

  /* The idle sums turn by a pitch; the old roller joins them and the new one leaves them. */
  real all_cos = idle[IDLE_COS] + outgoing, all_sin = idle[IDLE_SIN];
  idle[IDLE_COS] =
      select_real(hit, (all_cos * cos_pitch - all_sin * sin_pitch) - incoming, idle[IDLE_COS]);
  idle[IDLE_SIN] =
      select_real(hit, fma_real(all_cos, sin_pitch, all_sin * cos_pitch), idle[IDLE_SIN]);
  idle[IDLE_SUM] = select_real(hit, (idle[IDLE_SUM] + outgoing) - incoming, idle[IDLE_SUM]);
  idle[IDLE_SQUARE] =
      select_real(hit, fma_real(outgoing, outgoing, idle[IDLE_SQUARE]) - incoming * incoming,
                  idle[IDLE_SQUARE]);

  /* The new roller starts at the opposite edge. */
  *spin = select_real(hit, new_spin, *spin);
  *q = select_real(hit, *q - direction * (R(2.0) * w[W_ALPHA]), *q);
  ts[T_ACTIVE] = select_real(hit, row.next, row.active);
  ts[T_INDEX] = select_real(hit, ts[T_INDEX] + direction, ts[T_INDEX]);
  ts[T_ROW] = select_real(hit, -ts[T_ROW], ts[T_ROW]);
}

#if OMR_COMPLIANT
/* Bristles go on with their rollers; the bristles of the roller that comes have sprung back
 * (appendix/laws.md#friction). y: integrated
 * quantities; hit, forward: lanes that exchange, and whose roller before is the next. */
FN_COLD void pass_on_bristles(int wheel, mask hit, mask forward, real *y) {
  for (int axis = 0; axis < 2; axis++) {
    real *nearest = &y[Y_BENT(wheel, 0) + axis], *before = nearest + 2, *after = nearest + 4;
    real next = select_real(forward, *before, *after), was = *nearest;
    *nearest = select_real(hit, next, was);
    *before = select_real(hit, select_real(forward, R(0.0), was), *before);
    *after = select_real(hit, select_real(forward, was, R(0.0)), *after);
  }
}

/* Passes the nearest roller's place to its neighbour where contacts are compliant: that one is in
 * the state already, the neighbour on the other side goes to memory, and one comes from it that
 * does not reach the floor yet (appendix/springs.md#springs). As exchange_roller. */
FN_COLD void pass_on_rollers(const real *w, GLOBAL const int *c, GLOBAL sreal *spins, exchange jump,
                             motion *m, real *ts) {
  const mask hit = jump.hit, forward = gt(jump.direction, R(0.0));
  const real direction = jump.direction, n = w[W_ROLLERS];
  const real cos_pitch = w[W_COS_PITCH], sin_pitch = direction * w[W_SIN_PITCH];
  const real cos_two = fma_real(R(2.0) * cos_pitch, cos_pitch, R(-1.0));
  const real sin_two = R(2.0) * sin_pitch * cos_pitch;
  const int wheel = jump.wheel;
  real *q = &m->y[Y_Q(wheel)], *spin = &m->y[Y_SPIN(wheel)], *idle = m->idle[wheel];
  real *before = &m->y[Y_BEFORE(wheel)], *after = &m->y[Y_AFTER(wheel)];
  real next = roller_behind(ts[T_ACTIVE], direction, n);

  /* One outer roller leaves the state, and the next beyond the other side comes. */
  roller_row row;
  row.active = roller_behind(ts[T_ACTIVE], -direction, n);
  row.next = roller_behind(next, direction, n);
  row.later = roller_behind(row.next, direction, n);

  /* Memory keeps only the decaying part of a spin. */
  real a = idle[BEARING_A], b = idle[BEARING_B], along = R(0.0), coming_along = R(0.0);
  if (SETTING(c, BEARING)) {
    real turned_a = fma_real(a, cos_pitch, -(b * sin_pitch));
    real turned_b = fma_real(a, sin_pitch, b * cos_pitch);
    real steady = w[W_SIN_PSI] * idle[BEARING_D];
    along = fma_real(w[W_COS_PSI], fma_real(a, cos_pitch, b * sin_pitch), steady);
    coming_along =
        fma_real(w[W_COS_PSI], fma_real(turned_a, cos_pitch, -(turned_b * sin_pitch)), steady);
    idle[BEARING_A] = select_real(hit, turned_a, a);
    idle[BEARING_B] = select_real(hit, turned_b, b);
  }

  /* The stored spin has decayed since it was stored. */
  real outgoing = select_real(forward, *after, *before) - along;
  stored_spin stored = {R(0.0), R(0.0)};
  swap_spins(c, spins, &jump, row, outgoing, &stored);
  real incoming = stored.spin;
  if (SETTING(c, BEARING)) incoming = incoming * exp_real(-(w[W_DECAY] * stored.age));

  /* The idle sums turn by a pitch; the old roller joins them and the new one leaves them. */
  real all_cos = fma_real(outgoing, cos_pitch, idle[IDLE_COS]) - incoming * cos_two;
  real all_sin = fma_real(outgoing, sin_pitch, idle[IDLE_SIN]) + incoming * sin_two;
  idle[IDLE_COS] =
      select_real(hit, fma_real(all_cos, cos_pitch, -(all_sin * sin_pitch)), idle[IDLE_COS]);
  idle[IDLE_SIN] =
      select_real(hit, fma_real(all_cos, sin_pitch, all_sin * cos_pitch), idle[IDLE_SIN]);
  idle[IDLE_SUM] = select_real(hit, (idle[IDLE_SUM] + outgoing) - incoming, idle[IDLE_SUM]);
  idle[IDLE_SQUARE] =
      select_real(hit, fma_real(outgoing, outgoing, idle[IDLE_SQUARE]) - incoming * incoming,
                  idle[IDLE_SQUARE]);

  /* The three spins in the state move on by one place. */
  real came = incoming + coming_along, was = *spin;
  *spin = select_real(hit, select_real(forward, *before, *after), was); /* still as they were */
  *before = select_real(hit, select_real(forward, came, was), *before);
  *after = select_real(hit, select_real(forward, was, came), *after);

  /* The nearest roller starts at the opposite edge. */
  *q = select_real(hit, *q - direction * (R(2.0) * w[W_ALPHA]), *q);
  ts[T_ACTIVE] = select_real(hit, next, ts[T_ACTIVE]);
  ts[T_INDEX] = select_real(hit, ts[T_INDEX] + direction, ts[T_INDEX]);
  ts[T_ROW] = select_real(hit, -ts[T_ROW], ts[T_ROW]);
  if (HAS_BRISTLES(c)) pass_on_bristles(wheel, hit, forward, m->y);
}
#endif

/* The exchange that the run's contacts have. */
FN void swap_rollers(const real *w, GLOBAL const int *c, GLOBAL sreal *spins, exchange jump,
                     motion *m, real *ts) {
#if OMR_COMPLIANT
  pass_on_rollers(w, c, spins, jump, m, ts);
#else
  exchange_roller(w, c, spins, jump, m, ts);
#endif
}

/* A Newton step of a crossing this small leaves an error below rounding: the next one would be
 * about its square. */
#define CROSSING_STEP R_BY(1e-4, 1e-8)

/* The angle of a contact over a pass as the cubic through both its ends, and where it
 * meets an edge, as far as known. */
typedef struct crossing {
  real c0, c1, c2, c3; /* angle less the edge, as polynomial of the fraction x of the pass */
  real x, low, high;   /* the crossing lies in [low, high] */
  real direction;
  mask beyond; /* beyond the edge from the start on */
  mask open;   /* lanes that have not come to rest */
} crossing;

FN real crossing_value(const crossing *meeting, real x) {
  return fma_real(fma_real(fma_real(meeting->c3, x, meeting->c2), x, meeting->c1), x, meeting->c0);
}

/* A wheel that starts beyond the edge on its way back, such as after an exchange that came a
 * rounding too early, may get inside and out again: then the bracket starts where it turns, else it
 * is beyond from the start on. */
FN void start_inside(crossing *meeting) {
  real turned = fma_real(meeting->c2, meeting->c2, -(R(3.0) * meeting->c1 * meeting->c3));
  real turn =
      -meeting->c1 / fma_real(meeting->direction, sqrt_real(max_real(turned, R(0.0))), meeting->c2);
  mask inside = mask_and(gt(turn, R(0.0)), lt(turn, R(1.0)));
  inside = mask_and(inside, lt(meeting->direction * crossing_value(meeting, turn), R(0.0)));
  mask back =
      mask_and(mask_and(meeting->beyond, inside), lt(meeting->direction * meeting->c1, R(0.0)));
  meeting->low = select_real(back, turn, meeting->low);
  meeting->x = select_real(back, R(1.0), meeting->x);
  meeting->beyond = mask_and(meeting->beyond, mask_not(back));
}

/* q0, q1: angles at both ends; d0, d1: their derivatives times the length of the pass; hit: the
 * lanes that cross. */
FN crossing start_crossing(real q0, real d0, real q1, real d1, real edge, real direction,
                           mask hit) {
  crossing meeting;
  real rise = q1 - q0;
  meeting.c0 = q0 - edge;
  meeting.c1 = d0;
  meeting.c2 = R(3.0) * rise - R(2.0) * d0 - d1;
  meeting.c3 = d0 + d1 - R(2.0) * rise;
  meeting.low = R(0.0);
  meeting.high = R(1.0);
  meeting.x = clamp_real(-meeting.c0 / rise, meeting.low, meeting.high);
  meeting.direction = direction;
  meeting.beyond = mask_and(hit, ge(direction * meeting.c0, R(0.0)));
  meeting.open = hit;
  if (any_lane(meeting.beyond)) start_inside(&meeting);
  return meeting;
}

/* A Newton step inside the shrinking bracket. Every lane comes to rest by itself, so that none sees
 * its neighbours (appendix/rollers.md#exchange). */
FN void improve_crossing(crossing *meeting) {
  real value = crossing_value(meeting, meeting->x);
  real slope = fma_real(fma_real(R(3.0) * meeting->c3, meeting->x, R(2.0) * meeting->c2),
                        meeting->x, meeting->c1);
  mask past = ge(meeting->direction * value, R(0.0));
  meeting->high = select_real(past, meeting->x, meeting->high);
  meeting->low = select_real(past, meeting->low, meeting->x);
  real x = meeting->x - value / slope;
  mask inside = mask_and(ge(x, meeting->low), le(x, meeting->high));
  x = select_real(inside, x, R(0.5) * (meeting->low + meeting->high));
  mask moved = gt(abs_real(x - meeting->x), CROSSING_STEP);
  meeting->x = select_real(meeting->open, x, meeting->x);
  meeting->open = mask_and(meeting->open, moved);
}

/* The fraction of the pass: 0 where it is beyond the edge from the start on, 2 for lanes that do
 * not cross. */
FN real crossing_fraction(const crossing *meeting, mask hit) {
  return select_real(hit, select_real(meeting->beyond, R(0.0), meeting->x), R(2.0));
}

/* Where the cubic through both ends of a pass, continued, meets an edge, in lengths of that pass
 * after its end; no number, or one below 0, where it goes elsewhere. c0: angle less the edge at the
 * end; c1: rate there times the length; rise, bend: growth of the angle and of the rate times the
 * length. A motion is hardly curved over a pass, so that every round from where the rate
 * leads gains the digits of the curvature; where they are not enough, the end of the pass misses
 * the edge, which is seen (appendix/rollers.md#exchange). */
FN real continued_crossing(real c0, real c1, real rise, real bend) {
  real inverse = R(-1.0) / c1;
  real c2 = fma_real(R(3.0), c1 - rise, -bend), c3 = fma_real(R(2.0), c1 - rise, -bend);
  real x = c0 * inverse;
  UNROLL for (int round = 0; round < 3; round++) x =
      fma_real(x * x, fma_real(c3, x, c2), c0) * inverse;
  return x;
}

/* Wheels that turn alike exchange together; a billionth of a step is far below the error of the
 * crossing time. */
#define TOGETHER R(1e-9)
