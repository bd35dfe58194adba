/* The single wheel of source 5: rolling and vertical contact as constraints, the rolling one
 * relaxed by the stiction parameter (appendix/small.md#models; equation numbers as in the
 * source). z is constant, so its row leaves the load N_c = m g. */

/* Friction coefficient of the ground: eq. (24) or eq. (26) (appendix/small.md#models). */
FN real uk_wheel_ground(GLOBAL const int *c, const real *p, real t) {
  real change = (t - p[UK_P_GROUND_TIME]) * p[UK_P_GROUND_RATE];
  real more = p[UK_P_UPPER] - p[UK_P_LOWER];
  if (SETTING(c, OPTION_0) == UK_GROUND_DIP) {
    real h = tanh_real(change), h2 = h * h;
    return fma_real(more, h2 * h2, p[UK_P_LOWER]);
  }
  if (SETTING(c, OPTION_0) == UK_GROUND_STEP) {
    real mean = R(0.5) * (p[UK_P_UPPER] + p[UK_P_LOWER]);
    return fma_real(R(-0.5) * more, tanh_real(change), mean);
  }
  return p[UK_P_UPPER];
}

/* Eq. (23), or a constant (appendix/small.md#models). */
FN real uk_wheel_drive(GLOBAL const int *c, const real *p, real t) {
  if (SETTING(c, OPTION_1) == UK_TORQUE_CONSTANT) return p[UK_P_TORQUE];
  return p[UK_P_TORQUE] * tanh_real(p[UK_P_TORQUE_RATE] * t);
}

/* Eq. (25) with the sign that opposes the rotation (appendix/small.md#models). */
FN real uk_wheel_brake(const real *p, real rate, real t) {
  real onset = R(1.0) + tanh_real(t - p[UK_P_BRAKE_TIME]);
  return -(p[UK_P_BRAKE] * onset) * tanh_real(p[UK_P_BRAKE_GAIN] * rate);
}

/* Demand T_d of drive and brake on the contact. */
FN real uk_wheel_demand(GLOBAL const int *c, real drive, real brake) {
  if (SETTING(c, OPTION_2) == UK_DEMAND_APPLIED) return abs_real(drive + brake);
  if (SETTING(c, OPTION_2) == UK_DEMAND_SUM) return abs_real(drive) + abs_real(brake);
  return abs_real(drive);
}

/* The forces of the contact, and their torque on the rolling parts. */
typedef struct uk_contact {
  real stiction, weight, friction, ideal, nonideal, force, torque;
} uk_contact;

/* M X (b - A a) + M (I - X A) M^-1 C, multiplied out (appendix/small.md#models), of a body that
 * rolls with the torque and the forward force on it. */
FN uk_contact uk_wheel_contact(GLOBAL const int *c, const real *p, real demand, real mu, real slip,
                               real torque, real force) {
  uk_contact ground;
  real limit = mu * p[UK_P_LOAD], radius = p[UK_P_RADIUS];
  /* The demand on the contact gives the weight of the constraint and the friction. */
  real h = tanh_real(p[UK_P_STICTION] * demand / mu);
  ground.stiction = fma_real(-h, h, R(1.0));
  ground.weight = ground.stiction * ground.stiction;                                     /* (21) */
  ground.friction = limit * tanh_real(p[UK_P_FRICTION] * demand / mu) * tanh_real(slip); /* (22) */

  /* The contact force is the weighted force of the constraint and friction. */
  ground.ideal =
      ground.weight * fma_real(p[UK_P_SHARE_TORQUE], torque,
                               -(p[UK_P_SHARE_FORCE] * force)); /* (20) with resistances */
  ground.nonideal = ground.friction * fma_real(-p[UK_P_SHARE_FORCE], ground.weight, R(1.0));
  real turning = ground.friction * ground.weight * p[UK_P_SHARE_FORCE] * radius; /* Q_nic(3) */
  if (SETTING(c, OPTION_3) == UK_FRICTION_PHYSICAL) {
    ground.nonideal = ground.friction * (R(1.0) - ground.weight);
    turning = -(radius * ground.nonideal);
  }
  ground.force = ground.ideal + ground.nonideal;
  ground.torque = fma_real(-radius, ground.ideal, turning);
  return ground;
}

/* Samples that follow from the state, the contact, the ground and the drive. */
FN void uk_wheel_show(const real *p, const real *y, const uk_contact *ground, real *out) {
  out[UK_S_X] = y[UK_Y_X];
  out[UK_S_V] = y[UK_Y_V];
  out[UK_S_ANGLE] = y[UK_Y_ANGLE];
  out[UK_S_RATE] = y[UK_Y_RATE];
  out[UK_S_STICTION] = ground->stiction;
  out[UK_S_WEIGHT] = ground->weight;
  out[UK_S_LIMIT] = out[UK_S_MU] * p[UK_P_LOAD];
  out[UK_S_APPLIED] = out[UK_S_DRIVE] * p[UK_P_INV_RADIUS];
  out[UK_S_IDEAL] = ground->ideal;
  out[UK_S_NONIDEAL] = ground->nonideal;
  out[UK_S_CONTACT] = ground->force;
  out[UK_S_FRICTION] = ground->friction;
  out[UK_S_LOAD] = p[UK_P_LOAD];
}

/* Derivatives dy and samples out at time t (appendix/small.md#models). */
FN void uk_wheel_rates(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                       real *out) {
  /* The state gives the slip, the ground its coefficient, drive and brake their torques. */
  real speed = y[UK_Y_V], rate = y[UK_Y_RATE], radius = p[UK_P_RADIUS];
  real slip = fma_real(radius, rate, -speed);
  real mu = uk_wheel_ground(c, p, t);
  real drive = uk_wheel_drive(c, p, t), brake = uk_wheel_brake(p, rate, t);
  real torque = fma_real(-p[UK_P_BEARING], rate, drive + brake);
  real force = -(p[UK_P_RESISTANCE] * speed) * abs_real(speed);
  uk_contact ground =
      uk_wheel_contact(c, p, uk_wheel_demand(c, drive, brake), mu, slip, torque, force);

  /* Forces and torques give the rates. */
  dy[UK_Y_X] = speed;
  dy[UK_Y_V] = (force + ground.force) * p[UK_P_INV_MASS];
  dy[UK_Y_ANGLE] = rate;
  dy[UK_Y_RATE] = (torque + ground.torque) * p[UK_P_INV_INERTIA];
  dy[UK_Y_WORK] = drive * rate;
  dy[UK_Y_LOST] = -fma_real(force + ground.force, speed, (torque - drive + ground.torque) * rate);

  out[UK_S_RIM] = radius * rate;
  out[UK_S_SLIP] = slip;
  out[UK_S_MU] = mu;
  out[UK_S_DRIVE] = drive;
  out[UK_S_BRAKE] = brake;
  uk_wheel_show(p, y, &ground, out);
}

/* The wheel has stopped where its speed falls below a hundredth of its largest, unless it sets off
 * again. */
#define UK_STOPPED R(0.01)

FN void uk_wheel_observe(const real *p, real t, const real *out, mask running, real *e) {
  real speed = abs_real(out[UK_S_V]), most = max_real(speed, e[UK_E_SPEED]);
  mask slow = lt(speed, UK_STOPPED * most), first = mask_and(slow, lt(e[UK_E_STOP_TIME], R(0.0)));
  real stop = select_real(slow, select_real(first, t, e[UK_E_STOP_TIME]), R(-1.0));
  real stop_x = select_real(first, out[UK_S_X], e[UK_E_STOP_X]);
  real brake_x = select_real(le(t, p[UK_P_BRAKE_TIME]), out[UK_S_X], e[UK_E_BRAKE_X]);
  e[UK_E_SPEED] = select_real(running, most, e[UK_E_SPEED]);
  take_largest(running, abs_real(out[UK_S_SLIP]), &e[UK_E_SLIP]);
  take_smallest(running, out[UK_S_WEIGHT], &e[UK_E_WEIGHT]);
  real traction = abs_real(out[UK_S_CONTACT]) / out[UK_S_LIMIT];
  take_largest(running, traction, &e[UK_E_TRACTION]);
  e[UK_E_STOP_TIME] = select_real(running, stop, e[UK_E_STOP_TIME]);
  e[UK_E_STOP_X] = select_real(running, stop_x, e[UK_E_STOP_X]);
  e[UK_E_BRAKE_X] = select_real(running, brake_x, e[UK_E_BRAKE_X]);
}
