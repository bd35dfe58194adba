/* Right-hand side for the laws of friction, and the part of it that all rollers without springs
 * share: everything but contact forces (appendix/vehicle.md#motion). */

/* Motion of a vehicle without its contact forces. */
typedef struct free_body {
  external outer;       /* external force and torque */
  real bus;             /* voltage of the supply */
  load_sums loads;      /* of the load equations; without contact forces only r0, r1, r2 */
  real yaw_torque, yaw; /* torque about the centre of mass, and its acceleration */
  real lost, work;      /* powers of bearings and drives */
} free_body;

FN void start_body(const parameters *p, GLOBAL const int *c, const instant *now, const real *y,
                   free_body *body) {
  clear_loads(&body->loads);
  body->yaw_torque = body->lost = body->work = R(0.0);
  body->outer = external_at(p->v, c, p->tables, y[Y_YAW], now->t);
  carry(p->v, c, &body->outer, &body->loads);
  body->bus = bus_voltage(p->v, p->w, c, now->drive, y);
}

/* One wheel at an instant. */
typedef struct wheel_here {
  int i;
  const real *w; /* its parameters, of wheel_at */
  const contact *k;
  turning turns;
  const real *idle; /* sums over its idle rollers, and their rates */
  real *d_idle;
  dry_turns *turned; /* filled where there is dry friction */
} wheel_here;

/* Torque of the servo of wheel i on its fork; 0 of others. */
FN real servo_of(GLOBAL const int *c, int i, const real *w, const held_state *held, const real *y) {
  if (!is_steered(c, i)) return R(0.0);
  const real target = DRIVE_KIND(c, i) == DRIVE_BODY ? held->steer[i] : w[W_STEER_ANGLE];
  return steering_torque(w, target, y[Y_Q(i)], angle_rate(c, y, i));
}

/* Rollers, drive and bearings of a wheel act without any contact force
 * (appendix/vehicle.md#motion). */
FN void free_wheel(const parameters *p, GLOBAL const int *c, const instant *now, const real *y,
                   const wheel_here *here, wheel_terms *terms, free_body *body, outputs *o) {
  const int i = here->i;
  const real *w = here->w;
  const real rate = here->turns.rate, servo = servo_of(c, i, w, now->held, y);
  roller_sums sums;
  (void)p;
  o->torque[i] =
      given_torque(w, c, i, now->drive[i], body->bus, rate, CURRENT_OF(c, y, i), &o->resist[i]);
  real torque = torque_on_wheel(c, w, &body->outer, o->torque[i]);
  if (is_bare(c, i))
    sums = sum_fork(w, c, i, servo, here->turns);
  else
    sums = sum_rollers(w, here->k, here->idle, SETTING(c, BEARING), here->turns);
  /* Of a bare wheel, too, whose decay of 0 makes them 0: they are integrated. */
  if (SETTING(c, BEARING))
    idle_rates(w, here->k, here->idle, here->turns.omega, rate, here->d_idle);

  /* The bearings' constant torques brake the drive's. */
  if (SETTING(c, DRY)) {
    *here->turned = turn_dry(w, c, here->k, here->turns);
    add_dry_torques(w, c, here->k, here->turned, &sums, &torque, &body->lost);
  }

  /* Together they accelerate wheel and roller, and move the load. */
  free_share(w, here->k, &sums, torque, here->turns, terms, &body->loads, &body->yaw_torque);
  body->work = fma_real(o->torque[i], rate, body->work);
  if (swivels(c, i)) terms->free_spin = w[W_INV_ROLLER_INERTIA] * sums.bear_sin;
  if (is_steered(c, i)) body->work = fma_real(servo, angle_rate(c, y, i), body->work);
  if (is_rated(c, i)) o->torque[i] = prescribe_rate(w, now->drive[i], terms, &body->loads);
  if (SETTING(c, DRY) & DRY_FIXED) {
    terms->free_spin =
        fma_real(dry_roller_torque(w, here->turned), w[W_INV_ROLLER_INERTIA], terms->free_spin);
  }
  if (SETTING(c, BEARING) || SETTING(c, DRY)) o->rollers = o->rollers + sums.dissipation;
  body->lost = fma_real(w[W_AXLE_BEARING] * rate, rate, body->lost + sums.dissipation);
}

/* After all wheels: the yaw acceleration without contact forces, and the external force's work. */
FN void finish_body(const parameters *p, GLOBAL const int *c, const real *y, free_body *body) {
  if (SETTING(c, EXTERNAL)) {
    body->yaw_torque = body->yaw_torque + external_yaw_torque(p->v, &body->outer);
    body->work =
        body->work + external_power(c, &body->outer, p->w[0], y[Y_VX], y[Y_VZ], turning_of(y, 0));
  }
  body->yaw = p->v[P_INV_YAW] * body->yaw_torque;
}

/* Rates of the currents of motors with inductance. */
FN void winding_rates(const parameters *p, GLOBAL const int *c, const real *drive, real bus,
                      const real *y, real *dy) {
  FOR_CURRENTS(c, i) {
    dy[Y_CURRENT(i)] = current_rate(p->w[i], c, i, drive[i], bus, y[Y_RATE(i)], y[Y_CURRENT(i)]);
  }
}

/* Adds the rolling friction of source 4: the force -mu_r N V_W against the velocity V_W of the
 * wheel's centre, which for an axis parallel to the floor equals the trail's. It acts at the
 * centre and so turns neither wheel nor roller (at the contact it would drive a rolling wheel as
 * much as it brakes the vehicle), and its moment about the floor shifts load
 * (appendix/laws.md#friction). */
FN void add_rolling_friction(const real *vehicle, GLOBAL const int *c, const wheel_here *here,
                             const real *y, load_sums *loads, wheel_terms *terms) {
  const real *w = here->w;
  const real vx = y[Y_VX], vz = y[Y_VZ], omega = y[Y_OMEGA];
  const int fork = swivels(c, here->i); /* the centre trails behind its axis */
  real body_i = fma_real(w[W_ACROSS], omega, w[W_COS] * vx - w[W_SIN] * vz);
  real body_k = fma_real(-w[W_ALONG], omega, fma_real(w[W_SIN], vx, w[W_COS] * vz));
  if (fork) body_k = fma_real(w[W_TRAIL], here->turns.spin, body_k);
  real unit_i = -(w[W_ROLLING_FRICTION] * body_i), unit_k = -(w[W_ROLLING_FRICTION] * body_k);
  real fx = fma_real(unit_i, w[W_COS], unit_k * w[W_SIN]),
       fz = fma_real(unit_k, w[W_COS], -(unit_i * w[W_SIN]));
  real on_yaw = fma_real(unit_i, w[W_ACROSS], -(unit_k * w[W_ALONG]));
  real yaw =
      vehicle[P_INV_YAW] * fma_real(vehicle[P_COM_X], fz, fma_real(-vehicle[P_COM_Z], fx, on_yaw));
  real arm = w[W_RADIUS] - vehicle[P_HEIGHT]; /* moment arm j x F less the inertia's */
  real d1 = fma_real(arm, fz, yaw * vehicle[P_TILT_X]),
       d2 = fma_real(yaw, vehicle[P_TILT_Z], -(arm * fx));
  add_load_moments(terms, d1, d2, loads);
  terms->fx = terms->fx + fx;
  terms->fz = terms->fz + fz;
  terms->yaw = terms->yaw + yaw;
  if (fork) terms->on_spin = fma_real(unit_k, w[W_TRAIL], terms->on_spin);
  terms->dissipation = terms->dissipation - fma_real(unit_i, body_i, unit_k * body_k);
}

/* Slip law of a wheel: friction coefficient under it and force per unit of its load. vehicle: its
 * folded parameters. */
FN push slip_force(const real *vehicle, GLOBAL const int *c, const wheel_here *here,
                   const place *at, outputs *o) {
  const int i = here->i;
  const real *w = here->w;
  slippage slip = {o->slip_i[i], o->slip_k[i], o->slip2[i], here->turns.rate,
                   drill_speed(w, c, here->k, here->turns)};
  o->friction[i] = ground_friction(vehicle, c, w, here->k, at);
  return law_force(law_of(c, i), w, c, o->friction[i], slip, &o->unit_i[i], &o->unit_k[i]);
}

/* The slip of a wheel's contact gives the force per unit of load; lost_turn: of lost_yaw. */
FN push contact_push(const parameters *p, GLOBAL const int *c, const wheel_here *here,
                     const place *at, const real *y, real lost_turn, outputs *o) {
  const int i = here->i;
  const real *w = here->w;
  const contact *k = here->k;
  lost_slip lost_here;
  contact_slip(k, w, y[Y_VX], y[Y_VZ], here->turns, &o->slip_i[i], &o->slip_k[i]);
  if (SETTING(c, YAW_LOSS)) lost_here = lose_yaw(w, k, lost_turn, &o->slip_i[i], &o->slip_k[i]);
  o->slip2[i] = fma_real(o->slip_i[i], o->slip_i[i], o->slip_k[i] * o->slip_k[i]);
  push f = slip_force(p->v, c, here, at, o);
  if (SETTING(c, YAW_LOSS)) pay_lost_yaw(lost_here, &f);
  return f;
}

/* Dry friction per unit of load under the force f; dry: filled where the loads are iterated. */
FN dry_torques loaded_torques(const parameters *p, GLOBAL const int *c, const wheel_here *here,
                              const push *f, real carried, const outputs *o, dry_share *dry) {
  const int i = here->i;
  const real *w = here->w;
  drill(w, c, here->k, here->turns, o->friction[i], o->slip2[i], here->turned);
  dry_torques by_load = load_dry(p->v, w, c, here->k, here->turned, f->i, f->k);
  if (bends_loads(c))
    *dry = dry_effect(p->v, w, here->k, &by_load);
  else if (SETTING(c, DRY) & DRY_EXPONENT) /* one wheel: its load is known */
    scale_dry(dry_factor(w, carried), &by_load);
  return by_load;
}

/* The testbench carries the weight on its one wheel; its servo holds the rest of the moment. */
FN real hold_testbench(const real *w, GLOBAL const int *c, const contact *k, real gain,
                       const wheel_terms *terms, const free_body *body, const outputs *o) {
  const real load = body->loads.r0;
  real bracket = fma_real(load * gain, terms->unit_bracket_i, terms->bracket_i);
  real servo = fma_real(k->offset, load, -(w[W_RADIUS] * load * o->unit_k[0])) - bracket;
  return servo_share(c, w, &body->outer, servo);
}

/* Each load scales its wheel's terms, which are per unit of it; nu: of solve_loads. Leaves the
 * rates (appendix/vehicle.md#motion). */
FN void push_vehicle(const parameters *p, GLOBAL const int *c, const real *y, const real nu[3],
                     const wheel_terms *terms, free_body *body, real *dy, outputs *o) {
  real force_x = body->outer.x, force_z = body->outer.z, force_y = R(0.0), yaw = body->yaw;
  int penalty = WHEELS(c) > 1 && SETTING(c, PENALTY);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real load = fma_real(terms[i].b1, nu[1], fma_real(terms[i].b2, nu[2], nu[0]));
    if (is_tracked(c, i)) load = p->w[i][W_TRACKED_LOAD];
    if (penalty) {
      real damped;
      load = penalty_load(p->w[i], y[Y_HEAVE], y[Y_HEAVE_RATE], &damped);
      body->lost = body->lost + damped;
      force_y = force_y + load;
    }
    real scale = load * terms[i].gain;
    o->load[i] = load;
    force_x = fma_real(scale, terms[i].fx, force_x);
    force_z = fma_real(scale, terms[i].fz, force_z);
    yaw = fma_real(scale, terms[i].yaw, yaw);
    dy[Y_Q(i)] = angle_rate(c, y, i);
    dy[Y_RATE(i)] = fma_real(scale * terms[i].on_rate, p->w[i][W_INV_INERTIA], terms[i].free_rate);
    dy[Y_SPIN(i)] =
        fma_real(scale * terms[i].on_spin, p->w[i][W_INV_ROLLER_INERTIA], terms[i].free_spin);
    body->lost = fma_real(scale, terms[i].dissipation, body->lost);
    if (SETTING(c, DRY) & DRY_LOADED) add_dry_losses(&terms[i], load, o);
    if (is_rated(c, i)) { /* the drive bears the contact force's torque */
      o->torque[i] = fma_real(-scale, terms[i].on_rate, o->torque[i]);
      body->work = fma_real(o->torque[i], y[Y_RATE(i)], body->work);
    }
  }

  /* Penalty contact moves the body up and down. */
  if (penalty) {
    dy[Y_HEAVE] = y[Y_HEAVE_RATE];
    dy[Y_HEAVE_RATE] = p->v[P_INV_MASS] * (force_y - body->loads.r0);
  }

  /* The sums of the forces accelerate the platform. */
  origin_acceleration(p->v, force_x, force_z, yaw, y[Y_OMEGA], o);
  platform_rates(y, o, yaw, dy);
  dy[Y_DISSIPATED] = body->lost;
  dy[Y_WORK] = body->work;
}

/* Right-hand side for the laws of friction: the rates of y, of the idle sums where bearings
 * have friction, and the contact quantities (appendix/observables.md#observables)
 * (appendix/vehicle.md#motion). */
FN void friction_right_hand_side(const parameters *p, GLOBAL const int *c, const instant *now,
                                 const real idle[WHEELS_MAX][IDLE_COUNT], const real *y,
                                 motion *rates, outputs *o) {
  real omega = y[Y_OMEGA];
  wheel_terms terms[WHEELS_MAX];
  dry_share dry[WHEELS_MAX];
  free_body body;
  place at = place_of(c, y, now->t);
  o->servo = o->rollers = o->rolling = R(0.0);
  start_body(p, c, now, y, &body);
  const real lost_turn = SETTING(c, YAW_LOSS) ? lost_yaw(p->v, y[Y_VX], y[Y_VZ], omega) : R(0.0);

  /* Every wheel has its column of the load equations, by its force per unit of load. The force
   * comes after the free wheel: fewer values live at a time, and fewer are spilled. */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real room[W_COUNT];
    const real *w = wheel_at(p, c, i, y[Y_Q(i)], room);
    const contact k = wheel_contact(p->v, c, i, w, y[Y_Q(i)], now->held->row[i]);
    dry_turns turned;
    const wheel_here here = {i, w, &k, turning_of(y, i), idle[i], rates->idle[i], &turned};
    free_wheel(p, c, now, y, &here, &terms[i], &body, o);
    push f = contact_push(p, c, &here, &at, y, lost_turn, o);
    dry_torques by_load;
    if (SETTING(c, DRY)) {
      f = whole_push(f);
      if (SETTING(c, DRY) & DRY_LOADED)
        by_load = loaded_torques(p, c, &here, &f, body.loads.r0, o, &dry[i]);
    }
    if (is_tracked(c, i)) {
      load_sums own;
      clear_loads(&own);
      load_share_dry(p, c, w, &k, &f, &by_load, &terms[i], &own);
      if (SETTING(c, ROLLING_FRICTION)) add_rolling_friction(p->v, c, &here, y, &own, &terms[i]);
      carry_tracked(w, &own, &body.loads);
    } else {
      load_share_dry(p, c, w, &k, &f, &by_load, &terms[i], &body.loads);
      if (SETTING(c, ROLLING_FRICTION))
        add_rolling_friction(p->v, c, &here, y, &body.loads, &terms[i]);
    }
    if (WHEELS(c) == 1) o->servo = hold_testbench(p->w[i], c, &k, f.gain, &terms[i], &body, o);
  }
  o->bearings = body.lost;
  finish_body(p, c, y, &body);
  if (bends_loads(c)) { /* on a copy, so that the body stays in registers */
    load_sums loads = body.loads;
    settle_dry_loads(p, c, body.yaw, omega, dry, terms, &loads);
    body.loads = loads;
  }

  /* The balance of force and moments gives the loads; one wheel carries the weight. */
  real nu[3] = {body.loads.r0, R(0.0), R(0.0)};
  o->solvable = eq(nu[1], nu[1]);
  if (WHEELS(c) > 1 && !SETTING(c, PENALTY))
    solve_loads(p->v, &body.loads, sharing_wheels(c), body.yaw, omega, nu, &o->solvable);
  push_vehicle(p, c, y, nu, terms, &body, rates->y, o);
  winding_rates(p, c, now->drive, body.bus, y, rates->y);
}
