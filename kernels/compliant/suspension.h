/* Wheels that slide along the body's vertical on springs and dampers, each with a mass of its own
 * (appendix/springs.md#springs). */

#if OMR_COMPLIANT

/* Accelerations of the body origin, with gravity's taken as one of the frame, and angular
 * acceleration: six equations M x = f, of which the lower triangle is kept. */
enum { SIX = 6 };
typedef struct six_equations {
  real m[SIX][SIX], f[SIX];
} six_equations;

/* Force of the suspension on the wheel along the body's vertical: pressed in by `travel` it pushes
 * the wheel down. *lost: power of the damper (appendix/springs.md#springs). */
FN real suspension_force(const real *w, real travel, real travel_rate, real *lost) {
  real damped = w[W_SUSPENSION_DAMPING] * travel_rate;
  *lost = damped * travel_rate;
  return -(fma_real(w[W_SUSPENSION_STIFFNESS], travel, w[W_PRELOAD]) + damped);
}

/* The vehicle with its wheels locked in their travels: inertia about the body origin, less the part
 * of wheels and rotors that turns on its own; forces and moments of the contacts
 * (appendix/springs.md#springs). */
FN six_equations lock_wheels(const parameters *p, GLOBAL const int *c, const attitude *a,
                             const body_sums *body, const real *y) {
  const real *v = p->v;
  real mass = v[P_MASS];
  vector3 first = vector_of(mass * v[P_COM_X], mass * v[P_HEIGHT], mass * v[P_COM_Z]);

  /* about the origin: that about the centre of mass, and the mass there */
  real xx = fma_real(first.j, v[P_HEIGHT], fma_real(first.k, v[P_COM_Z], v[P_J_XX]));
  real yy = fma_real(first.i, v[P_COM_X], fma_real(first.k, v[P_COM_Z], v[P_J_YY]));
  real zz = fma_real(first.i, v[P_COM_X], fma_real(first.j, v[P_HEIGHT], v[P_J_ZZ]));
  real xy = fma_real(-first.i, v[P_HEIGHT], v[P_J_XY]);
  real xz = fma_real(-first.i, v[P_COM_Z], v[P_J_XZ]);
  real yz = fma_real(-first.j, v[P_COM_Z], v[P_J_YZ]);
  vector3 whirl = vector_of(R(0.0), R(0.0), R(0.0)); /* Coriolis' part */
  vector3 whirl_moment = whirl;
  for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    real mu = w[W_UNSPRUNG] * y[Y_TRAVEL(i)];
    real raised = mu * (R(2.0) * w[W_RADIUS] + y[Y_TRAVEL(i)]);
    first.j = first.j + mu;
    xx = xx + raised;
    zz = zz + raised;
    xy = fma_real(-mu, w[W_A], xy);
    yz = fma_real(-mu, w[W_B], yz);
    vector3 centre = vector_of(w[W_A], w[W_RADIUS] + y[Y_TRAVEL(i)], w[W_B]);
    real twice = R(2.0) * w[W_UNSPRUNG] * y[Y_TRAVEL_RATE(i)];
    vector3 side = vector_of(-(twice * a->turn.k), R(0.0), twice * a->turn.i); /* turn x j */
    whirl = added3(whirl, R(1.0), side);
    whirl_moment = added3(whirl_moment, R(1.0), cross3(centre, side));
  }
  const real inertia[6] = {xx, xy, xz, yy, yz, zz};
  vector3 momentum = added3(body->momentum, R(1.0), times_tensor(inertia, a->turn));
  vector3 force = added3(body->force, R(-1.0), cross3(a->turn, cross3(a->turn, first)));
  vector3 moment = added3(body->moment, R(-1.0), cross3(a->turn, momentum));
  force = added3(force, R(-1.0), whirl);
  moment = added3(added3(moment, R(-1.0), whirl_moment), R(-1.0), body->taken);
  if (KINDS_OF(c) & KINDS_SWIVEL) {
    xx = xx + body->xx;
    xz = xz + body->xz;
    zz = zz + body->zz;
  }
  for (int i = 0; i < WHEELS(c); i++) {
    if (KINDS_OF(c) & KINDS_SWIVEL) break;
    const real *w = p->w[i];
    real own = w[W_MOMENTUM] * w[W_MOMENTUM_RATIO];
    xx = fma_real(-(own * w[W_SIN]), w[W_SIN], xx);
    xz = fma_real(-(own * w[W_SIN]), w[W_COS], xz);
    zz = fma_real(-(own * w[W_COS]), w[W_COS], zz);
  }
  const real zero = R(0.0);
  six_equations e = {{{mass, zero, zero, zero, zero, zero},
                      {zero, mass, zero, zero, zero, zero},
                      {zero, zero, mass, zero, zero, zero},
                      {zero, -first.k, first.j, xx, zero, zero},
                      {first.k, zero, -first.i, xy, yy, zero},
                      {-first.j, first.i, zero, xz, yz, zz}},
                     {force.i, force.j, force.k, moment.i, moment.j, moment.k}};
  return e;
}

/* Takes wheel i, whose acceleration along the body's vertical is free, out of the equations: b is
 * that acceleration per each of the six, `push` the force on it, `whirled` the acceleration
 * without them (appendix/springs.md#springs). */
FN void free_travel(const real *w, real push, real whirled, six_equations *e) {
  real mass = w[W_UNSPRUNG], rest = fma_real(-mass, whirled, push);
  e->m[1][1] = e->m[1][1] - mass;
  e->m[3][1] = fma_real(mass, w[W_B], e->m[3][1]);
  e->m[5][1] = fma_real(-mass, w[W_A], e->m[5][1]);
  e->m[3][3] = fma_real(-(mass * w[W_B]), w[W_B], e->m[3][3]);
  e->m[5][3] = fma_real(mass * w[W_A], w[W_B], e->m[5][3]);
  e->m[5][5] = fma_real(-(mass * w[W_A]), w[W_A], e->m[5][5]);
  e->f[1] = e->f[1] - rest;
  e->f[3] = fma_real(w[W_B], rest, e->f[3]);
  e->f[5] = fma_real(-w[W_A], rest, e->f[5]);
}

/* Solves the equations by L D L^T, into f. */
FN void solve_six(six_equations *e) {
  for (int j = 0; j < SIX; j++) {
    real inverse = R(1.0) / e->m[j][j];
    for (int i = j + 1; i < SIX; i++) {
      real factor = e->m[i][j] * inverse;
      for (int column = j + 1; column <= i; column++)
        e->m[i][column] = fma_real(-factor, e->m[column][j], e->m[i][column]);
      e->f[i] = fma_real(-factor, e->f[j], e->f[i]);
    }
    for (int i = j + 1; i < SIX; i++) e->m[i][j] = e->m[i][j] * inverse;
    e->m[j][j] = inverse;
  }
  for (int j = SIX - 1; j >= 0; j--) {
    e->f[j] = e->f[j] * e->m[j][j];
    for (int i = j + 1; i < SIX; i++) e->f[j] = fma_real(-e->m[i][j], e->f[i], e->f[j]);
  }
}

/* As accelerate(), with wheels on springs, whose rates it fills in dy
 * (appendix/springs.md#springs). vertical: force of the floor on each wheel along the body's
 * vertical. */
FN vector3 accelerate_sprung(const parameters *p, GLOBAL const int *c, const attitude *a,
                             body_sums *body, const real *vertical, const real *y, real *dy,
                             vector3 *origin) {
  six_equations e = lock_wheels(p, c, a, body, y);
  real own[WHEELS_MAX]; /* acceleration of each wheel without the six */
  for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    real lost, push = vertical[i] + suspension_force(w, y[Y_TRAVEL(i)], y[Y_TRAVEL_RATE(i)], &lost);
    vector3 centre = vector_of(w[W_A], w[W_RADIUS] + y[Y_TRAVEL(i)], w[W_B]);
    real whirled = cross3(a->turn, cross3(a->turn, centre)).j;
    free_travel(w, push, whirled, &e);
    own[i] = push / w[W_UNSPRUNG] - whirled;
    body->lost = body->lost + lost;
    dy[Y_TRAVEL(i)] = y[Y_TRAVEL_RATE(i)];
  }
  solve_six(&e);
  for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    dy[Y_TRAVEL_RATE(i)] = own[i] - (fma_real(e.f[5], w[W_A], -(e.f[3] * w[W_B])) + e.f[1]);
  }
  real gravity = p->v[P_WEIGHT] * p->v[P_INV_MASS];
  *origin = added3(vector_of(e.f[0], e.f[1], e.f[2]), -gravity, a->lift);
  return vector_of(e.f[3], e.f[4], e.f[5]);
}

#endif
