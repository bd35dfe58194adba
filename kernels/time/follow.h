/* The loop that follows a path of points, at samples of the wheels' controllers
 * (appendix/drives.md#drives). Looks along the legs of the path go lane by lane, only by sums,
 * products and comparisons, so that every build gives the same bits. */

/* A point of the path: so far along a leg, m. */
typedef struct way_point {
  int leg;
  sreal along;
} way_point;

/* A place, seen from a leg: so far along its line from its start, and to the left of it, m. */
typedef struct leg_view {
  sreal along, left;
} leg_view;

FN leg_view view_leg(GLOBAL const sreal *leg, sreal x, sreal z) {
  const sreal dx = x - leg[LEG_X], dz = z - leg[LEG_Z];
  const leg_view seen = {dx * leg[LEG_TO_X] + dz * leg[LEG_TO_Z],
                         dx * leg[LEG_TO_Z] - dz * leg[LEG_TO_X]};
  return seen;
}

/* The point of the path that is nearest to (x, z), from *at on, which it becomes; the search goes
 * over `ahead` of the path, and on while the nearest is where a leg ends. The start of a leg counts
 * as its own, so that rounding does not choose at corners. Returns the squared distance
 * (appendix/drives.md#drives). */
FN_COLD sreal find_nearest(GLOBAL const sreal *legs, int count, int closed, sreal ahead, sreal x,
                           sreal z, way_point *at) {
  sreal least = LIT(0.0), low = at->along, way = -at->along;
  int ends = 1, leg = at->leg;
  for (int n = 0; n < count; n++) {
    GLOBAL const sreal *row = legs + leg * LEG_NUMBERS;
    const sreal length = row[LEG_LENGTH];
    const leg_view seen = view_leg(row, x, z);
    const sreal along = seen.along < low ? low : seen.along > length ? length : seen.along;
    const sreal off = seen.along - along, square = off * off + seen.left * seen.left;
    const int nearer = ends || square < least;
    if (nearer) {
      least = square;
      at->leg = leg;
      at->along = along;
    }
    ends = nearer && along >= length;
    way += length;
    low = LIT(0.0);
    leg = leg + 1 < count ? leg + 1 : 0;
    if ((!closed && leg == 0) || (!ends && way > ahead)) break;
  }
  return least;
}

/* The first leg, from the leg of `at` on, that ends farther from (x, z) than the square root of
 * `square`; of an open path the last one goes on straight
 * (appendix/drives.md#drives). */
FN_COLD int find_exit(GLOBAL const sreal *legs, int count, int closed, sreal square, sreal x,
                      sreal z, way_point at) {
  for (int n = 0; n < count; n++) {
    GLOBAL const sreal *row = legs + at.leg * LEG_NUMBERS;
    const leg_view seen = view_leg(row, x, z);
    const sreal off = row[LEG_LENGTH] - seen.along;
    if (off * off + seen.left * seen.left >= square || (!closed && at.leg + 1 == count)) break;
    at.leg = at.leg + 1 < count ? at.leg + 1 : 0;
  }
  return at.leg;
}

/* The leg that is `ahead` farther along the path than `at`. */
FN_COLD int find_ahead(GLOBAL const sreal *legs, int count, int closed, sreal ahead, way_point at) {
  sreal way = at.along + ahead;
  for (int n = 0; n < count; n++) {
    const sreal length = legs[at.leg * LEG_NUMBERS + LEG_LENGTH];
    if (way < length || (!closed && at.leg + 1 == count)) break;
    way -= length;
    at.leg = at.leg + 1 < count ? at.leg + 1 : 0;
  }
  return at.leg;
}

/* Values that a sample of the loop sees. */
typedef struct way_sight {
  real leg, along, square, rest; /* nearest point, squared distance, way from there to the end */
  real t_x, t_z, left, off;      /* its leg's direction; the vehicle's place from there */
  real to_x, to_z, goal_left;    /* the same of the leg of the goal */
  real round;                    /* 1: it has begun the next round */
} way_sight;

/* Looks along the path from (x, z) in the lanes of `due`; leg, along: nearest point so far. */
FN_COLD void look_along(const parameters *p, GLOBAL const int *c, mask due, real x, real z,
                        real leg, real along, way_sight *all) {
  GLOBAL const sreal *legs = p->tables;
  const int count = SETTING(c, COMMAND_ROWS), closed = (SETTING(c, WAY_BITS) & WAY_CLOSED) != 0;
  all->leg = all->along = all->square = all->rest = all->t_x = all->t_z = all->left = all->off =
      all->to_x = all->to_z = all->goal_left = all->round = R(0.0);
  EACH_LANE(due, l) {
    const sreal at_x = lane_get(x, l), at_z = lane_get(z, l),
                ahead = lane_get(p->v[P_WAY_AHEAD], l);
    way_point at = {(int)lane_get(leg, l), lane_get(along, l)};
    const int before = at.leg;
    const sreal square = find_nearest(legs, count, closed, ahead, at_x, at_z, &at);
    const int goal = SETTING(c, WAY_BITS) & WAY_CROSS
                         ? find_ahead(legs, count, closed, ahead, at)
                         : find_exit(legs, count, closed, ahead * ahead, at_x, at_z, at);
    GLOBAL const sreal *row = legs + at.leg * LEG_NUMBERS, *to = legs + goal * LEG_NUMBERS;
    const leg_view seen = view_leg(row, at_x, at_z);
    lane_set(&all->leg, l, (sreal)at.leg);
    lane_set(&all->along, l, at.along);
    lane_set(&all->square, l, square);
    lane_set(&all->rest, l, row[LEG_REST] + (row[LEG_LENGTH] - at.along));
    lane_set(&all->t_x, l, row[LEG_TO_X]);
    lane_set(&all->t_z, l, row[LEG_TO_Z]);
    lane_set(&all->left, l, seen.left);
    lane_set(&all->off, l, at.along - seen.along);
    lane_set(&all->to_x, l, to[LEG_TO_X]);
    lane_set(&all->to_z, l, to[LEG_TO_Z]);
    lane_set(&all->goal_left, l, view_leg(to, at_x, at_z).left);
    lane_set(&all->round, l, at.leg < before ? LIT(1.0) : LIT(0.0));
  }
}

/* How far the vehicle is to the left of the nearest point, across the direction of the goal's leg.
 */
FN real across_course(const way_sight *seen) {
  const real along = fma_real(seen->t_x, seen->to_x, seen->t_z * seen->to_z),
             beside = fma_real(seen->t_x, seen->to_z, -(seen->t_z * seen->to_x));
  return fma_real(seen->left, along, -(seen->off * beside));
}

/* Where the loop wants to go: a vector of the world, of the speed `now` along the path where the
 * law is cross_track, else to the goal. Updates *sum, the integral part
 * (appendix/drives.md#drives). */
FN void choose_course(const parameters *p, GLOBAL const int *c, const way_sight *seen, real now,
                      real *sum, real *x, real *z) {
  const real *own = p->v;
  if (SETTING(c, WAY_BITS) & WAY_CROSS) {
    const real error = across_course(seen), grown = fma_real(own[P_WAY_INTEGRAL], error, *sum);
    const real asked = fma_real(own[P_WAY_GAIN], error, grown);
    const real back = clamp_real(asked, -now, now);
    *sum = select_real(eq(asked, back), grown, *sum);
    *x = fma_real(now, seen->to_x, -(back * seen->to_z));
    *z = fma_real(now, seen->to_z, back * seen->to_x);
    return;
  }
  const real ahead2 = own[P_WAY_AHEAD] * own[P_WAY_AHEAD];
  const real reach =
      sqrt_real(max_real(fma_real(-seen->goal_left, seen->goal_left, ahead2), R(0.0)));
  const mask far = gt(seen->square, ahead2); /* then the nearest point is the goal */
  const real t_x = select_real(far, seen->t_x, seen->to_x),
             t_z = select_real(far, seen->t_z, seen->to_z),
             left = select_real(far, seen->left, seen->goal_left),
             on = select_real(far, seen->off, reach);
  *x = fma_real(on, t_x, -(left * t_z));
  *z = fma_real(on, t_z, left * t_x);
}

/* The body's velocity and yaw rate that take it on its course, at the speed `now`
 * (appendix/drives.md#drives). */
FN command steer_course(const parameters *p, GLOBAL const int *c, real now, real yaw, real x,
                        real z) {
  command cmd;
  real sine, cosine;
  const int cross = SETTING(c, WAY_BITS) & WAY_CROSS;
  sincos_real(yaw, &sine, &cosine);
  const real ahead = fma_real(x, cosine, -(z * sine)), right = fma_real(x, sine, z * cosine);
  const real length = sqrt_real(max_real(fma_real(ahead, ahead, right * right), R(1e-30)));
  cmd.yaw_rate = cmd.ax = cmd.az = R(0.0);
  if (SETTING(c, WAY_BITS) & WAY_TRANSLATE) {
    const real share = cross ? R(1.0) : now / length;
    cmd.vx = share * ahead;
    cmd.vz = share * right;
    return cmd;
  }
  /* The sine of the angle to the course, which stays 1 or -1 beyond a right angle. */
  const real side = select_real(gt(right, R(0.0)), R(-1.0), R(1.0));
  const real turn = select_real(ge(ahead, R(0.0)), -right / length, side);
  cmd.vx = now;
  cmd.vz = R(0.0);
  cmd.yaw_rate =
      cross ? p->v[P_WAY_TURN] * turn : R(2.0) * now * turn / max_real(length, p->v[P_WAY_AHEAD]);
  return cmd;
}

/* Takes the distance at a sample into the sums of observables; `ends`: lanes in which the end, or
 * the first round, is behind. */
FN void observe_way(real square, real t, mask due, mask ends, real *v) {
  v[S_WAY_SQUARE] = select_real(due, v[S_WAY_SQUARE] + square, v[S_WAY_SQUARE]);
  v[S_WAY_LOOKS] = select_real(due, v[S_WAY_LOOKS] + R(1.0), v[S_WAY_LOOKS]);
  v[S_WAY_MOST2] = select_real(mask_and(due, gt(square, v[S_WAY_MOST2])), square, v[S_WAY_MOST2]);
  const mask first = mask_and(mask_and(due, ends), lt(v[S_WAY_TIME], R(0.0)));
  v[S_WAY_TIME] = select_real(first, t, v[S_WAY_TIME]);
}

/* A sample of the loop at time t in the lanes of `due` (appendix/drives.md#drives). */
FN_COLD void sample_way(const parameters *p, GLOBAL const int *c, real t, mask due,
                        pack_state pack) {
  const real *y = pack.m->y, *obs = pack.m->obs, *own = p->v;
  const int bits = SETTING(c, WAY_BITS), blind = bits & WAY_ODOMETRY;
  real *v = pack.v, x, z;
  way_sight seen;
  look_along(p, c, due, blind ? obs[O_ODO_X] : y[Y_X], blind ? obs[O_ODO_Z] : y[Y_Z], v[S_WAY_LEG],
             v[S_WAY_ALONG], &seen);
  v[S_WAY_LEG] = select_real(due, seen.leg, v[S_WAY_LEG]);
  v[S_WAY_ALONG] = select_real(due, seen.along, v[S_WAY_ALONG]);

  /* From rest to rest: the way that is left bounds the speed. */
  const mask ends = bits & WAY_CLOSED ? gt(seen.round, R(0.0)) : le(seen.rest, R(0.0));
  real now = min_real(own[P_WAY_SPEED], v[S_WAY_NOW] + own[P_WAY_STEP]), sum = v[S_WAY_SUM];
  if (!(bits & WAY_CLOSED))
    now = min_real(now, sqrt_real(own[P_WAY_BRAKE] * max_real(seen.rest, R(0.0))));
  choose_course(p, c, &seen, now, &sum, &x, &z);
  const command cmd = steer_course(p, c, now, blind ? obs[O_ODO_YAW] : y[Y_YAW], x, z);
  const mask rests = bits & WAY_CLOSED ? no_lane() : ends;
  v[S_WAY_NOW] = select_real(due, now, v[S_WAY_NOW]);
  v[S_WAY_SUM] = select_real(due, sum, v[S_WAY_SUM]);
  v[S_WAY_VX] = select_real(due, select_real(rests, R(0.0), cmd.vx), v[S_WAY_VX]);
  v[S_WAY_VZ] = select_real(due, select_real(rests, R(0.0), cmd.vz), v[S_WAY_VZ]);
  v[S_WAY_YAW_RATE] = select_real(due, select_real(rests, R(0.0), cmd.yaw_rate), v[S_WAY_YAW_RATE]);

  /* How far the vehicle is from the path, which the loop does not see. */
  real square = seen.square;
  if (blind) {
    way_sight truly;
    look_along(p, c, due, y[Y_X], y[Y_Z], v[S_WAY_TRUE_LEG], v[S_WAY_TRUE_ALONG], &truly);
    v[S_WAY_TRUE_LEG] = select_real(due, truly.leg, v[S_WAY_TRUE_LEG]);
    v[S_WAY_TRUE_ALONG] = select_real(due, truly.along, v[S_WAY_TRUE_ALONG]);
    square = truly.square;
  }
  observe_way(square, t, due, ends, v);
}

/* Sample `number` of the controllers, at which the loop may be due. At the end of an open path its
 * command stays at rest (appendix/drives.md#drives). */
FN_COLD void follow_path(const parameters *p, GLOBAL const int *c, real t, real number, mask now,
                         pack_state pack) {
  real *v = pack.v, count;
  mask due = mask_and(now, is_sample(number, splat((sreal)SETTING(c, WAY)), &count));
  if (!(SETTING(c, WAY_BITS) & WAY_CLOSED)) due = mask_and(due, lt(v[S_WAY_TIME], R(0.0)));
  if (any_lane(due)) sample_way(p, c, t, due, pack);
}
