/* Kinds of wheels in one vehicle (host/lists/wheel_kinds.def; appendix/vehicle.md#kinds). A bare
 * wheel, a tyre or disc, has no rollers. Its contact stays under its centre, and in place of a
 * roller's spin a wheel that swivels has the rate of its fork about the upright, its angle delta in
 * place of the contact angle. A fork is balanced: with its wheel it has its centre of mass on the
 * swivel axis. */

FN int is_bare(GLOBAL const int *c, int i) {
  if (!(KINDS_OF(c) & KINDS_BARE)) return 0;
  const int kind = WHEEL_KIND(c, i);
  return kind == WHEEL_PLAIN || kind == WHEEL_CASTER || kind == WHEEL_SWERVE;
}

FN int swivels(GLOBAL const int *c, int i) {
  if (!(KINDS_OF(c) & KINDS_SWIVEL)) return 0;
  return WHEEL_KIND(c, i) == WHEEL_CASTER || WHEEL_KIND(c, i) == WHEEL_SWERVE;
}

FN int is_steered(GLOBAL const int *c, int i) {
  return (KINDS_OF(c) & KINDS_STEERED) && WHEEL_KIND(c, i) == WHEEL_SWERVE;
}

/* The law of contact of the wheel. */
FN int law_of(GLOBAL const int *c, int i) {
  return is_bare(c, i) ? SETTING(c, TYRE_LAW) : SETTING(c, LAW);
}

/* Whether the wheel carries the preload of its spring, whatever the others carry. */
FN int is_tracked(GLOBAL const int *c, int i) {
  return (KINDS_OF(c) & KINDS_TRACKED) && WHEEL_KIND(c, i) == WHEEL_TRACKING;
}

/* How many wheels share the weight. */
FN int sharing_wheels(GLOBAL const int *c) {
  int count = WHEELS(c);
  if (!(KINDS_OF(c) & KINDS_TRACKED)) return count;
  UNROLL for (int i = 0; i < WHEELS(c); i++) count -= is_tracked(c, i);
  return count;
}

/* The wheel's parameters with its axle where the angle q of its fork has it: p->w[i] where it does
 * not swivel, else a copy in `room`. The centre of the wheel trails behind the swivel axis
 * (appendix/vehicle.md#kinds). */
FN const real *wheel_at(const parameters *p, GLOBAL const int *c, int i, real q, real *room) {
  if (!swivels(c, i)) return p->w[i];
  const real *w = p->w[i];
  real sine, cosine;
  sincos_real(q, &sine, &cosine);
  UNROLL_COLUMNS for (int j = 0; j < W_COUNT; j++) room[j] = w[j];
  room[W_COS] = fma_real(w[W_COS], cosine, -(w[W_SIN] * sine));
  room[W_SIN] = fma_real(w[W_SIN], cosine, w[W_COS] * sine);
  room[W_ALONG] = fma_real(w[W_A], room[W_COS], -(w[W_B] * room[W_SIN]));
  room[W_ACROSS] = fma_real(w[W_A], room[W_SIN], w[W_B] * room[W_COS]);
  room[W_A] = fma_real(-w[W_TRAIL], room[W_COS], w[W_A]);
  room[W_B] = fma_real(w[W_TRAIL], room[W_SIN], w[W_B]);
  return room;
}

/* The contact of a wheel with rollers or without; w: of wheel_at, whose place along and across its
 * axle belongs to the swivel axis (appendix/vehicle.md#kinds). vehicle: its folded parameters. */
FN contact wheel_contact(const real *vehicle, GLOBAL const int *c, int i, const real *w, real q,
                         real row) {
  if (SETTING(c, CONTACT) == CONTACT_DISC) return disc_contact(w);
  if (!is_bare(c, i)) return tracked_contact(vehicle, c, w, q, row);
  contact k = disc_contact(w);
  if (swivels(c, i)) {
    k.axis_up = R(1.0);
    k.k_spin = w[W_TRAIL];
  }
  return k;
}

/* Rate of the integrated contact angle: the wheel's, or of the fork's angle. */
FN real angle_rate(GLOBAL const int *c, const real *y, int i) {
  return swivels(c, i) ? y[Y_SPIN(i)] - y[Y_OMEGA] : y[Y_RATE(i)];
}

/* Torque on the fork about the upright, which the platform bears: only the servo's, whose angle is
 * `target`; turn: rate of the fork's angle q. */
FN real steering_torque(const real *w, real target, real q, real turn) {
  real wanted = fma_real(w[W_STEER_STIFFNESS], target - q, -(w[W_STEER_DAMPING] * turn));
  return clamp_real(wanted, -w[W_STEER_LIMIT], w[W_STEER_LIMIT]) + w[W_STEER_TORQUE];
}

/* Below this speed of its steering axis a wheel keeps its last commanded angle, m/s. */
#define STEERING_SPEED R(1e-6)

/* The command of a steered wheel whose fork is at the angle q: the angle *target, at
 * which the wheel rolls along the velocity of its steering axis, forwards or backwards, whichever
 * is nearer; returns the wheel's rate, less by the cosine of the angle that is missing
 * (appendix/vehicle.md#kinds). */
FN real steer_wheel(const real *w, const command *cmd, real q, real *target) {
  const real pi = R(3.1415926535897932385), inv_pi = R(0.31830988618379067154);
  real vx = fma_real(cmd->yaw_rate, w[W_STEER_Z], cmd->vx);
  real vz = fma_real(-cmd->yaw_rate, w[W_STEER_X], cmd->vz);

  /* Along the wheel at delta = 0 and at a right angle to that, over the radius. */
  real along = -fma_real(w[W_IDEAL_X], vx, w[W_IDEAL_Z] * vz);
  real across = fma_real(w[W_IDEAL_X], vz, -(w[W_IDEAL_Z] * vx));
  real inverse2 = fma_real(w[W_IDEAL_X], w[W_IDEAL_X], w[W_IDEAL_Z] * w[W_IDEAL_Z]);
  mask moves =
      gt(fma_real(along, along, across * across), (STEERING_SPEED * STEERING_SPEED) * inverse2);

  /* The nearer of both angles. */
  real missing = atan2_real(across, along) - q;
  missing = fma_real(-pi, round_real(missing * inv_pi), missing);
  real wanted = q + missing, sine, cosine;
  *target = select_real(moves, wanted, *target);
  sincos_real(wanted, &sine, &cosine);
  real rate = -fma_real(along, cosine, across * sine);
  sincos_real(missing, &sine, &cosine);
  return select_real(moves, rate * cosine, R(0.0));
}
