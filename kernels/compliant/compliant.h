/* Vehicles on compliant contacts: the platform moves in all six degrees of freedom, under the loads
 * of its rollers (compliant_contact.h; appendix/springs.md#springs). */

#if OMR_COMPLIANT

/* A symmetric tensor, from six columns of the vehicle's parameters on, times a vector. */
FN vector3 times_tensor(const real *t, vector3 a) {
  return vector_of(fma_real(t[0], a.i, fma_real(t[1], a.j, t[2] * a.k)),
                   fma_real(t[1], a.i, fma_real(t[3], a.j, t[4] * a.k)),
                   fma_real(t[2], a.i, fma_real(t[4], a.j, t[5] * a.k)));
}

/* Sums over the wheels, body axes. */
typedef struct body_sums {
  vector3 force, moment; /* of the floor, about the body origin */
  vector3 momentum;      /* of the turning wheels and rollers */
  vector3 taken;         /* part of the rate of angular momentum that wheels and rollers take */
  real lost, rollers, axles, rolling, work; /* powers */
  real most_over; /* largest depth beyond the range of the rollers looked at */
  /* Where there are forks: their and the wheels' share of the inertia against an angular
   * acceleration, and sine and cosine of the axles that swivel. */
  real xx, xz, zz, sine[WHEELS_MAX], cosine[WHEELS_MAX];
} body_sums;

FN void clear_sums(body_sums *body) {
  body->force = body->moment = body->momentum = body->taken = vector_of(R(0.0), R(0.0), R(0.0));
  body->lost = body->rollers = body->axles = body->rolling = body->work = R(0.0);
  body->most_over = R(-1.0);
  body->xx = body->xz = body->zz = R(0.0);
}

/* The contacts of one wheel added up, wheel axes. */
typedef struct wheel_sums {
  vector3 force, moment; /* about the wheel's centre */
  vector3 spun;          /* sum of the torques on rollers, along their axes */
  real on_spin[ROLLERS_LOOKED_AT];
  real deepest, lost;
  real over; /* on a profile: largest depth beyond the range of the rollers looked at */
  gripped grip[ROLLERS_LOOKED_AT]; /* only of a run with dry friction */
} wheel_sums;

/* Rates of the three rollers relative to the wheel, phi', and the sums of all rollers of the wheel
 * (appendix/bearings.md#bearings), with the whole angular velocity of the wheel in
 * place of yaw and wheel rate. */
typedef struct spinning {
  real spin[ROLLERS_LOOKED_AT], roll[ROLLERS_LOOKED_AT];
  real sine[ROLLERS_LOOKED_AT], cosine[ROLLERS_LOOKED_AT];
  real drive_a, drive_b, drive_d; /* angular velocity of the wheel in the nearest roller's frame */
  vector3 momentum;               /* sum of s_j e_j */
  vector3 bearing;                /* sum of Q_j e_j */
  real lost;
} spinning;

/* appendix/springs.md#springs */
FN spinning spin_rollers(const real *w, GLOBAL const int *c, const wheel_motion *m,
                         const real *idle, const real spin[ROLLERS_LOOKED_AT]) {
  spinning all;
  const real cos_pitch = w[W_COS_PITCH], sin_pitch = w[W_SIN_PITCH];
  roller_angles(w, m, all.sine, all.cosine);
  all.drive_a = fma_real(m->turn.i, m->cos_q, m->turn.j * m->sin_q);
  all.drive_b = fma_real(m->turn.j, m->cos_q, -(m->turn.i * m->sin_q));
  all.drive_d = m->turn.k + m->rate;
  real part[ROLLERS_LOOKED_AT]; /* the decaying part of each spin */
  for (int near = 0; near < ROLLERS_LOOKED_AT; near++) {
    real carried = fma_real(m->turn.i, all.cosine[near], m->turn.j * all.sine[near]);
    all.spin[near] = part[near] = spin[near];
    all.roll[near] = spin[near] - fma_real(w[W_COS_PSI], carried, w[W_SIN_PSI] * all.drive_d);
  }
  real along_cos = R(0.0), along_sin = R(0.0), along_sum = R(0.0);
  const real half_n = R(0.5) * w[W_ROLLERS];
  if (SETTING(c, BEARING)) {
    real a = w[W_COS_PSI] * idle[BEARING_A], b = w[W_COS_PSI] * idle[BEARING_B];
    real d = w[W_SIN_PSI] * idle[BEARING_D];
    real ahead = fma_real(a, cos_pitch, d), aside = b * sin_pitch;
    part[ROLLER_NEAREST] = (spin[ROLLER_NEAREST] - a) - d;
    part[ROLLER_BEFORE] = spin[ROLLER_BEFORE] - (ahead - aside);
    part[ROLLER_AFTER] = spin[ROLLER_AFTER] - (ahead + aside);
    along_cos = half_n * a;
    along_sin = half_n * b;
    along_sum = w[W_ROLLERS] * d;
  }
  real both = part[ROLLER_BEFORE] + part[ROLLER_AFTER];
  real own_cos = fma_real(both, cos_pitch, idle[IDLE_COS] + part[ROLLER_NEAREST]);
  real own_sin = fma_real(part[ROLLER_AFTER] - part[ROLLER_BEFORE], sin_pitch, idle[IDLE_SIN]);
  real own_sum = (idle[IDLE_SUM] + part[ROLLER_NEAREST]) + both;
  real sum_cos = own_cos + along_cos, sum_sin = own_sin + along_sin, sum = own_sum + along_sum;
  real turned_cos = fma_real(m->cos_q, sum_cos, -(m->sin_q * sum_sin));
  real turned_sin = fma_real(m->sin_q, sum_cos, m->cos_q * sum_sin);
  all.momentum =
      vector_of(w[W_COS_PSI] * turned_cos, w[W_COS_PSI] * turned_sin, w[W_SIN_PSI] * sum);
  all.bearing = vector_of(R(0.0), R(0.0), R(0.0));
  all.lost = R(0.0);
  if (SETTING(c, BEARING)) {
    const real beta = w[W_ROLLER_BEARING], part_n = half_n * w[W_COS_PSI];
    all.bearing = vector_of(-(beta * w[W_COS_PSI]) * fma_real(-part_n, m->turn.i, turned_cos),
                            -(beta * w[W_COS_PSI]) * fma_real(-part_n, m->turn.j, turned_sin),
                            -(beta * w[W_SIN_PSI]) *
                                fma_real(-(w[W_ROLLERS] * w[W_SIN_PSI]), all.drive_d, sum));
    real a = w[W_COS_PSI] * (idle[BEARING_A] - all.drive_a);
    real b = w[W_COS_PSI] * (idle[BEARING_B] - all.drive_b);
    real d = w[W_SIN_PSI] * (idle[BEARING_D] - all.drive_d);
    real cross = a * own_cos + b * own_sin + d * own_sum;
    real squares = idle[IDLE_SQUARE] + half_n * (a * a + b * b) + w[W_ROLLERS] * (d * d);
    for (int near = 0; near < ROLLERS_LOOKED_AT; near++)
      squares = fma_real(part[near], part[near], squares);
    all.lost = beta * fma_real(R(2.0), cross, squares);
  }
  return all;
}

/* The same of a fork, whose whole angular velocity about the upright is `spin`. Its bearing stands
 * for all that turns it but the floor: the servo's torque, and the couple of wheel and fork that
 * the platform's tilting turns (appendix/vehicle.md#kinds). */
FN spinning spin_fork(const real *w, const wheel_motion *m, real spin, real servo) {
  spinning all;
  const real turn = spin - m->turn.j,
             whole = fma_real(w[W_MOMENTUM], m->rate, w[W_FORK_SPREAD] * m->turn.k);
  for (int near = 0; near < ROLLERS_LOOKED_AT; near++) {
    all.spin[near] = all.roll[near] = all.sine[near] = R(0.0);
    all.cosine[near] = R(1.0);
  }
  all.spin[ROLLER_NEAREST] = spin;
  all.roll[ROLLER_NEAREST] = turn;
  all.drive_a = all.drive_b = all.drive_d = R(0.0);
  all.momentum = vector_of(R(0.0), spin, R(0.0));
  all.bearing = vector_of(
      R(0.0), fma_real(whole, m->turn.i, fma_real(-w[W_ROLLER_BEARING], turn, servo)), R(0.0));
  all.lost = w[W_ROLLER_BEARING] * turn * turn;
  return all;
}

/* Rates of the idle sums of a wheel, as idle_rates (appendix/springs.md#springs). */
FN void compliant_idle_rates(const real *w, const spinning *all, const real *idle, real *d_idle) {
  const real beta = w[W_DECAY];
  d_idle[IDLE_COS] = -beta * idle[IDLE_COS];
  d_idle[IDLE_SIN] = -beta * idle[IDLE_SIN];
  d_idle[IDLE_SUM] = -beta * idle[IDLE_SUM];
  d_idle[IDLE_SQUARE] = R(-2.0) * beta * idle[IDLE_SQUARE];
  d_idle[BEARING_A] = beta * (all->drive_a - idle[BEARING_A]);
  d_idle[BEARING_B] = beta * (all->drive_b - idle[BEARING_B]);
  d_idle[BEARING_D] = beta * (all->drive_d - idle[BEARING_D]);
}

/* Depth up to which the rollers looked at are all that can touch. A platform that pitches about the
 * axle brings the next one nearer: a bound from below (appendix/springs.md#springs). */
FN real deepest_told(const real *w, const wheel_motion *m) {
  if (m->fork) return w[W_SAG_LIMIT];
  return fma_real(-(w[W_RADIUS] * w[W_SIN_PITCH]), abs_real(m->up.i), w[W_SAG_LIMIT]);
}

/* The contacts of wheel i; fills its observed values. The force along (i, k) per load belongs to
 * all its rollers together, the slip to the roller with the largest load. z: of the nearest
 * roller's bristles, behind which its neighbours' bristles stand. */
FN wheel_sums press_wheel(const parameters *p, GLOBAL const int *c, int i, const wheel_motion *m,
                          const spinning *all, const place *at, deflection z, outputs *o) {
  const real *w = m->w;
  wheel_sums sums;
  sums.force = sums.moment = sums.spun = vector_of(R(0.0), R(0.0), R(0.0));
  sums.deepest = sums.over = R(-1.0);
  sums.lost = R(0.0);
  real most = R(0.0), force_i = R(0.0), force_k = R(0.0);
  o->load[i] = o->slip_i[i] = o->slip_k[i] = o->slip2[i] = R(0.0);
  o->friction[i] = w[W_FRICTION];
  const int touching = rollers_touching(c, i), dry = SETTING(c, DRY);
  for (int near = 0; near < ROLLERS_LOOKED_AT; near++) sums.on_spin[near] = R(0.0);
  for (int near = 0; dry && near < ROLLERS_LOOKED_AT; near++) sums.grip[near] = no_grip();
  for (int near = 0; near < ROLLERS_LOOKED_AT; near++) { /* a constant bound: arrays in registers */
    if (near >= touching) break;
    const deflection own = {z.bent + 2 * near, z.bends + 2 * near};
    const real row = near == ROLLER_NEAREST ? m->row : -m->row;
    wheel_motion here = *m;
    touch t;
    if (SETTING(c, FLOOR) & FLOOR_PROFILE) {
      t = touch_profile(p, c, w, &here, all->sine[near], all->cosine[near], row);
      sums.over = max_real(t.depth - deepest_told(w, &here), sums.over);
    } else {
      t = touch_of(w, c, &here, all->sine[near], all->cosine[near], row);
    }
    sums.deepest = max_real(t.depth, sums.deepest);
    /* A neighbour mostly hangs in the air in every lane; contacts of no load add nothing. */
    if (!any_lane(gt(t.depth, R(0.0)))) {
      if (HAS_BRISTLES(c)) spring_back(w, own);
      continue;
    }
    pressing f = press(p, c, w, &here, &t, all->roll[near], at, own);
    o->load[i] = o->load[i] + f.load;
    force_i = force_i + f.force_i;
    force_k = force_k + f.force_k;
    if (dry) {
      const int whole = m->bare && !m->fork; /* nothing turns in the wheel */
      gripped g = {f.force, whole ? vector_of(R(0.0), R(0.0), R(0.0)) : t.axis, here.up, f.load};
      sums.grip[near] = g;
    }
    sums.force = added3(sums.force, R(1.0), f.force);
    sums.moment = added3(sums.moment, R(1.0), cross3(t.spot, f.force));
    sums.on_spin[near] = f.on_spin;
    sums.spun = added3(sums.spun, f.on_spin, t.axis);
    sums.lost = sums.lost + f.lost;
    mask leads = gt(f.load, most);
    most = max_real(f.load, most);
    o->slip_i[i] = select_real(leads, f.slip_i, o->slip_i[i]);
    o->slip_k[i] = select_real(leads, f.slip_k, o->slip_k[i]);
    o->slip2[i] = max_real(select_real(gt(f.load, R(0.0)), f.slip2, R(0.0)), o->slip2[i]);
    o->friction[i] = select_real(leads, f.friction, o->friction[i]);
  }
  real inverse = R(1.0) / select_real(gt(o->load[i], R(0.0)), o->load[i], R(1.0));
  o->unit_i[i] = force_i * inverse;
  o->unit_k[i] = force_k * inverse;
  return sums;
}

/* Adds dry friction and rolling resistance of a wheel under its load to the sums of its contacts
 * and to the powers; returns its part of the torque about the axle. */
FN real add_braking(const real *w, GLOBAL const int *c, const wheel_motion *m, const spinning *all,
                    real load, wheel_sums *sums, body_sums *body) {
  const braking b = brake_wheel(w, c, m, sums->grip, load, all->roll);
  sums->moment = added3(sums->moment, R(1.0), b.moment);
  sums->spun = added3(sums->spun, R(1.0), b.spun);
  for (int near = 0; near < ROLLERS_LOOKED_AT; near++)
    sums->on_spin[near] = sums->on_spin[near] + b.on_spin[near];
  body->rollers = body->rollers + b.rollers_lost;
  body->axles = body->axles + b.axle_lost;
  body->rolling = body->rolling + b.rolling_lost;
  return b.axle;
}

/* Torque about a wheel's axle of everything but the platform's angular acceleration: it equals
 * J chi'' while the platform does not turn faster (appendix/springs.md#springs). */
FN real axle_torque(const real *w, const wheel_motion *m, const spinning *all,
                    const wheel_sums *sums, real torque) {
  real gyro = fma_real(m->turn.i, all->momentum.j, -(m->turn.j * all->momentum.i));
  real rest = fma_real(-w[W_AXLE_BEARING], m->rate, torque) - all->bearing.k - sums->spun.k;
  if (m->fork)
    return fma_real(-(w[W_MOMENTUM] * all->roll[ROLLER_NEAREST]), m->turn.i, rest + sums->moment.k);
  return fma_real(-w[W_ROLLER_INERTIA], gyro, rest + sums->moment.k);
}

/* Takes off the inertia the part of a wheel that turns on its own, and adds the part of its fork
 * for its axle's direction (appendix/vehicle.md#kinds). */
FN void add_own_turning(const real *w, int fork, body_sums *body) {
  real own = -(w[W_MOMENTUM] * w[W_MOMENTUM_RATIO]);
  if (fork) own = own + w[W_FORK_SPREAD];
  body->xx = fma_real(own * w[W_SIN], w[W_SIN], body->xx);
  body->xz = fma_real(own * w[W_SIN], w[W_COS], body->xz);
  body->zz = fma_real(own * w[W_COS], w[W_COS], body->zz);
}

/* Adds a wheel to the sums of the vehicle. given: its torque about the axle, or, where its rate
 * is prescribed, its acceleration (appendix/springs.md#springs). */
FN void add_wheel(GLOBAL const int *c, const wheel_motion *m, const spinning *all,
                  const wheel_sums *sums, real given, int rated, body_sums *body) {
  const real *w = m->w;
  vector3 moment = added3(sums->moment, R(1.0), cross3(m->centre, sums->force));
  real axial = w[W_MOMENTUM] * given;
  if (!rated) axial = w[W_MOMENTUM_RATIO] * given;
  real whirl = w[W_ROLLER_INERTIA] * m->rate;
  vector3 taken = vector_of(fma_real(-whirl, all->momentum.j, all->bearing.i + sums->spun.i),
                            fma_real(whirl, all->momentum.i, all->bearing.j + sums->spun.j),
                            (all->bearing.k + sums->spun.k) + axial);
  vector3 momentum =
      vector_of(w[W_ROLLER_INERTIA] * all->momentum.i, w[W_ROLLER_INERTIA] * all->momentum.j,
                fma_real(w[W_ROLLER_INERTIA], all->momentum.k, w[W_MOMENTUM] * m->rate));
  if (m->fork) {
    const real turn = all->roll[ROLLER_NEAREST], tilts = w[W_FORK_SPREAD] * turn;
    taken.i = fma_real(w[W_MOMENTUM] * m->rate, turn, tilts * m->turn.k);
    taken.k = fma_real(tilts, m->turn.i, axial);
    momentum.k = fma_real(w[W_FORK_SPREAD], m->turn.k, momentum.k);
  }
  if (KINDS_OF(c) & KINDS_SWIVEL) add_own_turning(w, m->fork, body);
  body->force = added3(body->force, R(1.0), to_body(w, sums->force));
  body->moment = added3(body->moment, R(1.0), to_body(w, moment));
  body->momentum = added3(body->momentum, R(1.0), to_body(w, momentum));
  body->taken = added3(body->taken, R(1.0), to_body(w, taken));
}

/* From level axes to body axes: back by pitch, then by roll. */
FN vector3 from_level(const attitude *a, vector3 level) {
  real x = fma_real(level.i, a->cos_pitch, level.j * a->sin_pitch);
  real y = fma_real(level.j, a->cos_pitch, -(level.i * a->sin_pitch));
  return vector_of(x, fma_real(y, a->cos_roll, level.k * a->sin_roll),
                   fma_real(level.k, a->cos_roll, -(y * a->sin_roll)));
}

/* Turns the attitude to a floor that is no level plane (appendix/springs.md#floors). */
FN void look_along_floor(const parameters *p, GLOBAL const int *c, real yaw, attitude *a) {
  real sine, cosine;
  sincos_real(yaw, &sine, &cosine);
  a->world_x = from_level(a, vector_of(cosine, R(0.0), sine));
  a->world_z = from_level(a, vector_of(-sine, R(0.0), cosine));
  if (SETTING(c, FLOOR) & FLOOR_SLOPE) a->lift = from_level(a, floor_up(p, c, yaw));
}

/* External force and torque: the force acts over the body origin, at its height along the body's
 * own vertical. The torque of external_at() includes the moment of that height about the centre of
 * mass in level axes, which is taken out again. Adds their share to force and moment about the body
 * origin; returns their power (appendix/drives.md#drives). */
FN real add_external(const real *vehicle, GLOBAL const int *c, const external *e, const attitude *a,
                     body_sums *body) {
  vector3 force = vector_of(e->x, e->y, e->z);
  vector3 turn = vector_of(fma_real(-vehicle[P_EXTERNAL_ARM], e->z, e->turn_x), e->turn_y,
                           fma_real(vehicle[P_EXTERNAL_ARM], e->x, e->turn_z));
  if (SETTING(c, EXTERNAL_WORLD)) {
    force = from_level(a, force);
    turn = from_level(a, turn);
  }
  vector3 over = vector_of(R(0.0), vehicle[P_HEIGHT] + vehicle[P_EXTERNAL_ARM], R(0.0));
  vector3 moment = added3(turn, R(1.0), cross3(over, force));
  body->force = added3(body->force, R(1.0), force);
  body->moment = added3(body->moment, R(1.0), moment);
  return dot3(force, a->velocity) + dot3(moment, a->turn);
}

/* Rates of pose and path from the velocities in a (appendix/springs.md#springs). */
FN void pose_rates(const attitude *a, real yaw, real *dy) {
  vector3 moves = a->velocity;
  real y = fma_real(moves.j, a->cos_roll, -(moves.k * a->sin_roll));
  real z = fma_real(moves.j, a->sin_roll, moves.k * a->cos_roll);
  real x = fma_real(moves.i, a->cos_pitch, -(y * a->sin_pitch));
  dy[Y_HEIGHT] = fma_real(moves.i, a->sin_pitch, y * a->cos_pitch);
  rotate_to_world(yaw, x, z, &dy[Y_X], &dy[Y_Z]);
  dy[Y_PATH] = sqrt_real(fma_real(x, x, z * z));
  real turn = fma_real(a->turn.j, a->cos_roll, -(a->turn.k * a->sin_roll)) / a->cos_pitch;
  dy[Y_PITCH] = fma_real(a->turn.j, a->sin_roll, a->turn.k * a->cos_roll);
  dy[Y_YAW] = turn;
  dy[Y_ROLL] = fma_real(-turn, a->sin_pitch, a->turn.i);
}

/* Angular acceleration by a moment about the centre of mass where axles swivel: the inertia is
 * another one in each state. Solved by L D L^T (appendix/vehicle.md#kinds). */
FN vector3 turn_with_forks(const real *v, const body_sums *body, vector3 moment) {
  const real xx = v[P_J_XX] + body->xx, xz = v[P_J_XZ] + body->xz, zz = v[P_J_ZZ] + body->zz;
  const real xy = v[P_J_XY], yz = v[P_J_YZ], inv_x = R(1.0) / xx;
  const real by_y = xy * inv_x, by_z = xz * inv_x;
  const real inv_y = R(1.0) / fma_real(-by_y, xy, v[P_J_YY]), aside = fma_real(-by_y, xz, yz);
  const real by_k = aside * inv_y;
  const real left = fma_real(-by_k, aside, fma_real(-by_z, xz, zz));
  const real y = fma_real(-by_y, moment.i, moment.j);
  const real z = fma_real(-by_k, y, fma_real(-by_z, moment.i, moment.k)) / left;
  const real second = fma_real(-by_k, z, y * inv_y);
  return vector_of(fma_real(-by_y, second, fma_real(-by_z, z, moment.i * inv_x)), second, z);
}

/* Newton and Euler for the whole vehicle: accelerations of the body origin and angular
 * acceleration, body axes (appendix/springs.md#springs). */
FN vector3 accelerate(const parameters *p, GLOBAL const int *c, const attitude *a,
                      const body_sums *body, vector3 *origin) {
  const real *v = p->v;
  vector3 com = vector_of(v[P_COM_X], v[P_HEIGHT], v[P_COM_Z]);
  vector3 moment = added3(body->moment, R(-1.0), cross3(com, body->force));
  vector3 momentum = added3(body->momentum, R(1.0), times_tensor(&v[P_J_XX], a->turn));
  moment = added3(added3(moment, R(-1.0), cross3(a->turn, momentum)), R(-1.0), body->taken);
  vector3 turned;
  if (KINDS_OF(c) & KINDS_SWIVEL)
    turned = turn_with_forks(v, body, moment);
  else
    turned = times_tensor(&v[P_TURN_XX], moment);
  vector3 weight =
      vector_of(-(v[P_WEIGHT] * a->lift.i), -(v[P_WEIGHT] * a->lift.j), -(v[P_WEIGHT] * a->lift.k));
  vector3 force = added3(body->force, R(1.0), weight);
  vector3 centre =
      vector_of(v[P_INV_MASS] * force.i, v[P_INV_MASS] * force.j, v[P_INV_MASS] * force.k);
  *origin = added3(added3(centre, R(-1.0), cross3(turned, com)), R(-1.0),
                   cross3(a->turn, cross3(a->turn, com)));
  return turned;
}

#endif

#include "suspension.h"

#if OMR_COMPLIANT

/* Rates of the integrals that observe the vertical motion, and failures: rollers deeper in the
 * floor than the rollers looked at can show, and a vehicle that has tipped over, at 60 degrees
 * (appendix/observables.md#observables). */
FN void watch_vertical(GLOBAL const int *c, const attitude *a, vector3 turned, vector3 origin,
                       const body_sums *body, real *dy, outputs *o) {
  real up = dot3(a->up, origin);
  o->vertical = up;
  o->upright = a->up.j;
  o->pitching = turned.k;
  o->rolls = turned.i;
  dy[Y_VERTICAL_SUM] = up;
  dy[Y_VERTICAL_SQUARE] = up * up;
  dy[Y_PITCH_SQUARE] = turned.k * turned.k;
  dy[Y_ROLL_SQUARE] = turned.i * turned.i;
  real loaded = R(0.0);
  for (int i = 0; i < WHEELS(c); i++)
    loaded = loaded + select_real(gt(o->load[i], R(0.0)), R(1.0), R(0.0));
  const real enough = WHEELS(c) > 2 ? R(2.5) : R(1.5);
  dy[Y_FEW_TIME] = select_real(lt(loaded, enough), R(1.0), R(0.0));
  o->solvable = mask_and(gt(a->up.j, R(0.5)), le(body->most_over, R(0.0)));
}

/* Semi-implicit Euler, as rates_of_positions: the rates of positions at the velocities that the end
 * of the pass has. */
FN void compliant_positions(GLOBAL const int *c, const real *y, real tau, real *dy) {
  attitude a = attitude_of(y);
  a.velocity = added3(a.velocity, tau, vector_of(dy[Y_VX], dy[Y_VY], dy[Y_VZ]));
  a.turn = added3(a.turn, tau, vector_of(dy[Y_ROLL_RATE], dy[Y_OMEGA], dy[Y_PITCH_RATE]));
  pose_rates(&a, y[Y_YAW], dy);
  for (int i = 0; i < WHEELS(c); i++) {
    dy[Y_Q(i)] = fma_real(tau, swivels(c, i) ? dy[Y_SPIN(i)] - dy[Y_OMEGA] : dy[Y_RATE(i)],
                          angle_rate(c, y, i));
    dy[Y_TRAVEL(i)] = fma_real(tau, dy[Y_TRAVEL_RATE(i)], y[Y_TRAVEL_RATE(i)]);
  }
}

/* Rates of the spins of the rollers of wheel i that are looked at. */
FN void spin_rates(const wheel_motion *m, int i, const spinning *all, const wheel_sums *sums,
                   real *dy) {
  const real *w = m->w;
  const int spins[ROLLERS_LOOKED_AT] = {Y_SPIN(i), Y_BEFORE(i), Y_AFTER(i)};
  for (int near = 0; near < ROLLERS_LOOKED_AT; near++)
    dy[spins[near]] =
        fma_real(sums->on_spin[near], w[W_INV_ROLLER_INERTIA], -(w[W_DECAY] * all->roll[near]));
  if (m->fork)
    dy[Y_SPIN(i)] = w[W_INV_ROLLER_INERTIA] * (sums->on_spin[ROLLER_NEAREST] + all->bearing.j);
}

/* Rates of the platform's velocities and pose, all of them along its own axes. turned: its angular
 * acceleration; origin: the acceleration of its origin. */
FN void body_rates(const attitude *a, vector3 turned, vector3 origin, real yaw, real *dy) {
  vector3 along = added3(origin, R(-1.0), cross3(a->turn, a->velocity));
  dy[Y_VX] = along.i;
  dy[Y_VY] = along.j;
  dy[Y_VZ] = along.k;
  dy[Y_ROLL_RATE] = turned.i;
  dy[Y_OMEGA] = turned.j;
  dy[Y_PITCH_RATE] = turned.k;
  pose_rates(a, yaw, dy);
}

/* The platform's angular acceleration `turned` and the torques given turn the wheels; dy has their
 * rates, and the forks', in the columns of angles. */
FN void turn_axles(const parameters *p, GLOBAL const int *c, const instant *now, vector3 turned,
                   const real *given, body_sums *body, real *dy, outputs *o) {
  for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    const int fork = swivels(c, i);
    const real sine = fork ? body->sine[i] : w[W_SIN], cosine = fork ? body->cosine[i] : w[W_COS];
    real about_axle = fma_real(turned.i, sine, turned.k * cosine);
    dy[Y_RATE(i)] = w[W_INV_INERTIA] * fma_real(-w[W_MOMENTUM], about_axle, given[i]);
    if (!is_rated(c, i)) continue;
    /* the drive bears the torques on a wheel whose rate is prescribed */
    dy[Y_RATE(i)] = now->drive[i];
    o->torque[i] =
        fma_real(w[W_DRIVE_3], now->drive[i], fma_real(w[W_MOMENTUM], about_axle, -given[i]));
    body->work = fma_real(o->torque[i], dy[Y_Q(i)], body->work);
  }
}

/* The acceleration of the origin, and where the rollers and bearings lose power. */
FN void tell_motion(vector3 origin, const body_sums *body, outputs *o) {
  o->servo = R(0.0);
  o->ax = origin.i;
  o->az = origin.k;
  o->rollers = body->rollers;
  o->rolling = body->rolling;
  o->bearings = body->rollers + body->axles;
}

/* Right-hand side for vehicles on compliant contacts, as friction_right_hand_side. */
FN void compliant_right_hand_side(const parameters *p, GLOBAL const int *c, const instant *now,
                                  const real idle[WHEELS_MAX][IDLE_COUNT], const real *y,
                                  motion *rates, outputs *o) {
  real *dy = rates->y, given[WHEELS_MAX], vertical[WHEELS_MAX], contacts = R(0.0);
  attitude a = attitude_of(y);
  if (SETTING(c, FLOOR)) look_along_floor(p, c, y[Y_YAW], &a);
  body_sums body;
  clear_sums(&body);
  place at = place_of(c, y, now->t);
  const external outer = external_at(p->v, c, p->tables, y[Y_YAW], now->t);
  const real bus = bus_voltage(p->v, p->w, c, now->drive, y);
  for (int i = 0; i < WHEELS(c); i++) {
    real room[W_COUNT];
    const real *w = wheel_at(p, c, i, y[Y_Q(i)], room);
    const real spin[ROLLERS_LOOKED_AT] = {y[Y_SPIN(i)], y[Y_BEFORE(i)], y[Y_AFTER(i)]};
    wheel_motion m = wheel_motion_of(w, c, &a, y, i);
    const real servo = servo_of(c, i, w, now->held, y);
    spinning all = m.fork ? spin_fork(w, &m, spin[ROLLER_NEAREST], servo)
                          : spin_rollers(w, c, &m, idle[i], spin);
    if (SETTING(c, BEARING)) compliant_idle_rates(w, &all, idle[i], rates->idle[i]);
    m.row = now->held->row[i];
    const deflection z = {&y[Y_BENT(i, ROLLER_NEAREST)], &dy[Y_BENT(i, ROLLER_NEAREST)]};
    wheel_sums sums = press_wheel(p, c, i, &m, &all, &at, z, o);
    contacts = contacts + sums.lost;
    vertical[i] = sums.force.j;
    o->torque[i] =
        given_torque(w, c, i, now->drive[i], bus, m.rate, CURRENT_OF(c, y, i), &o->resist[i]);
    real braked = R(0.0);
    if (SETTING(c, DRY)) braked = add_braking(w, c, &m, &all, o->load[i], &sums, &body);
    given[i] = axle_torque(w, &m, &all, &sums, o->torque[i]);
    if (SETTING(c, DRY)) given[i] = given[i] + braked;
    body.work = fma_real(o->torque[i], m.rate, body.work);
    if (is_steered(c, i)) body.work = fma_real(servo, all.roll[ROLLER_NEAREST], body.work);
    if (m.fork) {
      body.sine[i] = w[W_SIN];
      body.cosine[i] = w[W_COS];
    }
    add_wheel(c, &m, &all, &sums, is_rated(c, i) ? now->drive[i] : given[i], is_rated(c, i), &body);
    body.rollers = body.rollers + all.lost;
    if (!SETTING(c, SUSPENSION)) dy[Y_TRAVEL(i)] = dy[Y_TRAVEL_RATE(i)] = R(0.0);
    body.axles = fma_real(w[W_AXLE_BEARING] * m.rate, m.rate, body.axles);
    if (SETTING(c, FLOOR) & FLOOR_PROFILE)
      body.most_over = max_real(sums.over, body.most_over);
    else
      body.most_over = max_real(sums.deepest - deepest_told(w, &m), body.most_over);
    dy[Y_Q(i)] = m.rate;
    spin_rates(&m, i, &all, &sums, dy);
  }
  if (SETTING(c, EXTERNAL)) body.work = body.work + add_external(p->v, c, &outer, &a, &body);
  vector3 origin, turned;
  if (SETTING(c, SUSPENSION)) {
    turned = accelerate_sprung(p, c, &a, &body, vertical, y, dy, &origin);
    contacts = contacts + body.lost;
  } else {
    turned = accelerate(p, c, &a, &body, &origin);
  }
  dy[Y_SUSPENSION_LOSS] = body.lost;
  turn_axles(p, c, now, turned, given, &body, dy, o);
  for (int i = 0; i < WHEELS(c); i++)
    if (swivels(c, i)) dy[Y_Q(i)] = angle_rate(c, y, i);
  winding_rates(p, c, now->drive, bus, y, dy);
  tell_motion(origin, &body, o);
  body_rates(&a, turned, origin, y[Y_YAW], dy);
  dy[Y_DISSIPATED] = (contacts + o->bearings) + body.rolling;
  dy[Y_WORK] = body.work;
  watch_vertical(c, &a, turned, origin, &body, dy, o);
}

#endif
