/* The snakeboard of source 3, section 3.3 (appendix/small.md#models): two steered wheelsets and a
 * rotor, their angles prescribed, on a coupler that they hold.
 *
 * With (u, w) the velocity of the coupler's midpoint in its axes and r the yaw rate, a wheelset at
 * +-l does not move along its axle:
 *
 *   u sin phi_f + (w - l r) cos phi_f = 0,  u sin phi_b + (w + l r) cos phi_b = 0.
 *
 * The rest is a multiple of the cross product of the rows,
 *
 *   n = (2 cos phi_f cos phi_b, -sin(phi_f + phi_b), sin(phi_f - phi_b)/l);
 *
 * the wheelsets then move at 2 cos phi_b and 2 cos phi_f along their rolling directions. Newton's
 * and Euler's equations of all bodies are taken along n (Lagrange-d'Alembert): the terms of second
 * degree do no work along n, and a wheel's spin Omega = v_t/R adds I_a/R^2 to its mass along the
 * rolling direction. With v = P n/sqrt(m) and m = n.M n,
 *
 *   P' = -n_r/sqrt(m) (J_r psi'' + J_e (phi_f'' + phi_b'')).
 *
 * Lewis et al. (1994) have p = sqrt(m) P + n_r J_r psi' for phi_b = -phi_f, m_s = I_a = 0.
 *
 * Wheelsets that steer freely have angles that are states. A spring and a damper pull each towards
 * its gait, with the torque T_i, and J_e (r' + phi_i'') = T_i. Put into P' this leaves, with
 * sigma = P/sqrt(m) and m' the derivative of m,
 *
 *   (m - 2 J_e n_r^2) sigma' = -n_r (J_r psi'' + T_f + T_b - 2 J_e sigma n_r') - sigma m'/2. */

/* An angle of the gait, a sin(omega t + beta), and its derivatives. */
typedef struct snake_angle {
  real at, rate, acceleration, sine, cosine;
} snake_angle;

FN void snakeboard_angle(real amplitude, real frequency, real phase, real t, snake_angle *g) {
  real sine, cosine, swing = amplitude * frequency;
  sincos_real(fma_real(frequency, t, phase), &sine, &cosine);
  g->at = amplitude * sine;
  g->rate = swing * cosine;
  g->acceleration = -(swing * frequency) * sine;
}

/* The direction n, its derivative, its metric m and half of that one's derivative. */
typedef struct snake_direction {
  real u, w, yaw, du, dw, dr, m, dm;
} snake_direction;

/* The direction n that both wheelsets allow, and its change with the angles of the gait
 * (appendix/small.md#models). */
FN void snakeboard_direction(const real *p, const snake_angle *f, const snake_angle *b,
                             snake_direction *n) {
  real both = f->cosine * b->cosine, other = f->sine * b->sine, fore = f->sine * b->cosine,
       aft = f->cosine * b->sine, inv = p[SNAKE_P_INV_LENGTH];
  real rolled = R(4.0) * p[SNAKE_P_ROLLED];
  n->u = R(2.0) * both;
  n->w = -(fore + aft);
  n->yaw = (fore - aft) * inv;
  n->du = R(-2.0) * fma_real(fore, f->rate, aft * b->rate);
  n->dw = (other - both) * (f->rate + b->rate);
  n->dr = (both + other) * (f->rate - b->rate) * inv;
  real along = fma_real(n->u, n->u, n->w * n->w), change = fma_real(n->u, n->du, n->w * n->dw);
  real hold = fma_real(f->cosine, f->cosine, b->cosine * b->cosine),
       less = fma_real(f->cosine * f->sine, f->rate, b->cosine * b->sine * b->rate);
  n->m = fma_real(p[SNAKE_P_MASS], along,
                  fma_real(p[SNAKE_P_INERTIA] * n->yaw, n->yaw, rolled * hold));
  n->dm = fma_real(p[SNAKE_P_MASS], change,
                   fma_real(p[SNAKE_P_INERTIA] * n->yaw, n->dr, -(rolled * less)));
}

#include "snakeboard_path.h"

/* Derivatives of the velocities. */
typedef struct snake_change {
  real u, w;        /* of the coupler's midpoint */
  real turning;     /* of the angular momentum of coupler, wheelsets and rotor */
  real front, rear; /* of the speeds of the wheelsets */
} snake_change;

/* Lateral forces of the floor: the equations of the whole board without the direction n, solved for
 * the two forces along the axles. The rows are the constraints' with l r as third velocity
 * (appendix/small.md#models). */
FN void snakeboard_forces(const real *p, const snake_angle *f, const snake_angle *b,
                          const snake_change *change, real *out) {
  real u = out[SNAKE_S_VX], across = out[SNAKE_S_VZ], yaw_rate = out[SNAKE_S_YAW_RATE],
       mass = p[SNAKE_P_MASS], rolled = p[SNAKE_P_ROLLED];
  /* the wheelsets, accelerated along their rolling directions */
  real fore = rolled * change->front, aft = rolled * change->rear;
  /* forces and moment that the motion asks of the floor, in the coupler's axes */
  real gu = fma_real(mass, fma_real(yaw_rate, across, change->u),
                     fma_real(fore, f->cosine, aft * b->cosine));
  real gw =
      fma_real(mass, fma_real(-yaw_rate, u, change->w), fma_real(-fore, f->sine, -(aft * b->sine)));
  real gr =
      fma_real(change->turning, p[SNAKE_P_INV_LENGTH], fma_real(fore, f->sine, -(aft * b->sine)));
  real front = fma_real(f->sine, gu, f->cosine * (gw - gr)),
       rear = fma_real(b->sine, gu, b->cosine * (gw + gr));
  real ff = fma_real(f->cosine, f->cosine, R(1.0)), bb = fma_real(b->cosine, b->cosine, R(1.0)),
       fb = f->sine * b->sine;
  real inv = R(0.5) / out[SNAKE_S_HOLD]; /* ff bb - fb^2 = 2 (cos^2 phi_f + cos^2 phi_b) */
  real pull = p[SNAKE_P_WHEELSET];
  out[SNAKE_S_FRONT_FORCE] = fma_real(bb, front, -(fb * rear)) * inv -
                             pull * out[SNAKE_S_FRONT_SPEED] * (yaw_rate + f->rate);
  out[SNAKE_S_REAR_FORCE] = fma_real(ff, rear, -(fb * front)) * inv -
                            pull * out[SNAKE_S_REAR_SPEED] * (yaw_rate + b->rate);
}

/* Velocities of the wheelsets and rates of the wheels. */
FN void snakeboard_wheels(const real *p, const snake_angle *f, const snake_angle *b, real *out) {
  real u = out[SNAKE_S_VX], across = out[SNAKE_S_VZ], yaw_rate = out[SNAKE_S_YAW_RATE],
       turn = p[SNAKE_P_HALF_LENGTH] * yaw_rate;
  real fore = across - turn, aft = across + turn, inv = p[SNAKE_P_INV_RADIUS], h = p[SNAKE_P_TRACK];
  real front = fma_real(f->cosine, u, -(f->sine * fore)),
       rear = fma_real(b->cosine, u, -(b->sine * aft));
  out[SNAKE_S_FRONT_SPEED] = front;
  out[SNAKE_S_REAR_SPEED] = rear;
  out[SNAKE_S_FRONT_SLIP] = fma_real(f->sine, u, f->cosine * fore);
  out[SNAKE_S_REAR_SLIP] = fma_real(b->sine, u, b->cosine * aft);
  out[SNAKE_S_FRONT_LEFT_RATE] = fma_real(-h, yaw_rate + f->rate, front) * inv;
  out[SNAKE_S_FRONT_RIGHT_RATE] = fma_real(h, yaw_rate + f->rate, front) * inv;
  out[SNAKE_S_REAR_LEFT_RATE] = fma_real(-h, yaw_rate + b->rate, rear) * inv;
  out[SNAKE_S_REAR_RIGHT_RATE] = fma_real(h, yaw_rate + b->rate, rear) * inv;
}

/* Torques of the servos, their power, and the kinetic energy; on free wheelsets the torques of
 * spring and damper. dr: derivative of the yaw rate
 * (appendix/small.md#models). */
FN void snakeboard_servos(const real *p, const real *y, const snake_angle *f, const snake_angle *b,
                          const snake_angle *rotor, real dr, real *out) {
  real yaw_rate = out[SNAKE_S_YAW_RATE], steered = p[SNAKE_P_STEERED],
       momentum = y[SNAKE_Y_MOMENTUM];
  real front = steered * (dr + f->acceleration), rear = steered * (dr + b->acceleration);
  real torque = p[SNAKE_P_ROTOR] * (dr + rotor->acceleration);
  out[SNAKE_S_FRONT_TORQUE] = front;
  out[SNAKE_S_REAR_TORQUE] = rear;
  out[SNAKE_S_ROTOR_TORQUE] = torque;
  out[SNAKE_S_POWER] = fma_real(front, f->rate, fma_real(rear, b->rate, torque * rotor->rate));
  real twice = R(2.0) * yaw_rate,
       own = fma_real(f->rate, twice + f->rate, b->rate * (twice + b->rate));
  real relative = fma_real(steered, own, p[SNAKE_P_ROTOR] * rotor->rate * (twice + rotor->rate));
  out[SNAKE_S_ENERGY] = R(0.5) * fma_real(momentum, momentum, relative);
}

/* The gait at time t. */
FN void snakeboard_gait(const real *p, real t, snake_angle *f, snake_angle *b, snake_angle *rotor) {
  snakeboard_angle(p[SNAKE_P_FRONT_AMPLITUDE], p[SNAKE_P_FRONT_FREQUENCY], p[SNAKE_P_FRONT_PHASE],
                   t, f);
  snakeboard_angle(p[SNAKE_P_REAR_AMPLITUDE], p[SNAKE_P_REAR_FREQUENCY], p[SNAKE_P_REAR_PHASE], t,
                   b);
  snakeboard_angle(p[SNAKE_P_ROTOR_AMPLITUDE], p[SNAKE_P_ROTOR_FREQUENCY], p[SNAKE_P_ROTOR_PHASE],
                   t, rotor);
  sincos_real(f->at, &f->sine, &f->cosine);
  sincos_real(b->at, &b->sine, &b->cosine);
}

/* Torque of spring and damper that pull a free wheelset from the angle and rate in the state to
 * its gait's; *g is the wheelset's afterwards (appendix/small.md#models). */
FN real snakeboard_steer(const real *p, real angle, real rate, snake_angle *g) {
  real torque = fma_real(p[SNAKE_P_STEER_STIFFNESS], g->at - angle,
                         p[SNAKE_P_STEER_DAMPING] * (g->rate - rate));
  g->at = angle;
  g->rate = rate;
  sincos_real(angle, &g->sine, &g->cosine);
  return torque;
}

/* Angular accelerations of free wheelsets under their torques (appendix/small.md#models). */
FN void snakeboard_free(const real *p, real front, real rear, real rotor, real sigma,
                        const snake_direction *n, snake_angle *f, snake_angle *b) {
  real steered = p[SNAKE_P_STEERED], inverse = R(1.0) / steered, twice = R(-2.0) * steered;
  real kick = fma_real(twice * sigma, n->dr, fma_real(p[SNAKE_P_ROTOR], rotor, front + rear));
  real change = -fma_real(n->yaw, kick, sigma * n->dm) / fma_real(twice * n->yaw, n->yaw, n->m);
  real turning = fma_real(change, n->yaw, sigma * n->dr);
  f->acceleration = fma_real(front, inverse, -turning);
  b->acceleration = fma_real(rear, inverse, -turning);
}

/* Derivatives dy and samples out at time t (appendix/small.md#models). */
FN void snakeboard_rates(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                         real *out) {
  /* The gait leaves one direction of motion that the constraints allow. */
  snake_angle f, b, rotor;
  snake_direction n;
  real front = R(0.0), rear = R(0.0), travel = R(0.0);
  const int free = SETTING(c, OPTION_2) == SNAKE_STEERING_FREE;
  snakeboard_gait(p, t, &f, &b, &rotor);
  if (SETTING(c, OPTION_0) >= SNAKE_REAR_ASTROID)
    travel = snakeboard_follow(p, y, rotor.acceleration, &f, &b);
  if (free) {
    front = snakeboard_steer(p, y[SNAKE_Y_FRONT], y[SNAKE_Y_FRONT_RATE], &f);
    rear = snakeboard_steer(p, y[SNAKE_Y_REAR], y[SNAKE_Y_REAR_RATE], &b);
  }
  snakeboard_direction(p, &f, &b, &n);
  /* The momentum along it gives the speed sigma. */
  real root = sqrt_real(n.m), inv = R(1.0) / root, sigma = y[SNAKE_Y_MOMENTUM] * inv;
  if (free) snakeboard_free(p, front, rear, rotor.acceleration, sigma, &n, &f, &b);
  /* Rotor and steering change the momentum. */
  real kick = fma_real(p[SNAKE_P_ROTOR], rotor.acceleration,
                       p[SNAKE_P_STEERED] * (f.acceleration + b.acceleration));
  real push = -(n.yaw * inv) * kick;
  real change = fma_real(-sigma, n.dm * inv, push) * inv; /* of sigma = P/sqrt(m) */
  /* The velocities are sigma times the direction; their derivatives follow by the product rule. */
  real du = fma_real(change, n.u, sigma * n.du), dw = fma_real(change, n.w, sigma * n.dw);
  real dr = fma_real(change, n.yaw, sigma * n.dr);
  real u = sigma * n.u, across = sigma * n.w, yaw_rate = sigma * n.yaw, sine, cosine;
  sincos_real(y[SNAKE_Y_YAW], &sine, &cosine);

  out[SNAKE_S_X] = y[SNAKE_Y_X];
  out[SNAKE_S_Z] = y[SNAKE_Y_Z];
  out[SNAKE_S_YAW] = y[SNAKE_Y_YAW];
  out[SNAKE_S_VX] = u;
  out[SNAKE_S_VZ] = across;
  out[SNAKE_S_YAW_RATE] = yaw_rate;
  out[SNAKE_S_MOMENTUM] = y[SNAKE_Y_MOMENTUM];
  out[SNAKE_S_FRONT_ANGLE] = f.at;
  out[SNAKE_S_REAR_ANGLE] = b.at;
  out[SNAKE_S_ROTOR_ANGLE] = rotor.at;
  out[SNAKE_S_HOLD] = fma_real(f.cosine, f.cosine, b.cosine * b.cosine);
  snakeboard_wheels(p, &f, &b, out);
  snakeboard_servos(p, y, &f, &b, &rotor, dr, out);
  /* derivatives of the speeds 2 sigma cos phi_b and 2 sigma cos phi_f */
  snake_change velocities;
  velocities.u = du;
  velocities.w = dw;
  velocities.turning = fma_real(p[SNAKE_P_INERTIA], dr, kick);
  velocities.front = R(2.0) * fma_real(change, b.cosine, -(sigma * b.sine * b.rate));
  velocities.rear = R(2.0) * fma_real(change, f.cosine, -(sigma * f.sine * f.rate));
  snakeboard_forces(p, &f, &b, &velocities, out);

  /* The velocities, turned to the axes of the ground, give the rates. */
  dy[SNAKE_Y_X] = fma_real(u, cosine, across * sine);
  dy[SNAKE_Y_Z] = fma_real(across, cosine, -(u * sine));
  dy[SNAKE_Y_YAW] = yaw_rate;
  dy[SNAKE_Y_MOMENTUM] = push;
  dy[SNAKE_Y_PATH] = sqrt_real(fma_real(u, u, across * across));
  dy[SNAKE_Y_WORK] = out[SNAKE_S_POWER];
  /* The angles of free wheelsets are states; prescribed ones stay out of them. */
  dy[SNAKE_Y_FRONT] = free ? f.rate : R(0.0);
  dy[SNAKE_Y_FRONT_RATE] = free ? f.acceleration : R(0.0);
  dy[SNAKE_Y_REAR] = free ? b.rate : R(0.0);
  dy[SNAKE_Y_TRAVEL] = travel;
  dy[SNAKE_Y_REAR_RATE] = free ? b.acceleration : R(0.0);
}

/* Below this axle_hold each axle is within about 4 deg of the coupler. */
#define SNAKE_HOLD R(0.01)

/* Lanes whose axles both lie along the coupler: the rows of the constraints depend on each other.
 */
FN mask snakeboard_outside(const real *out) {
  return lt(out[SNAKE_S_HOLD], SNAKE_HOLD);
}

FN void snakeboard_observe(const real *p, real t, const real *out, mask running, real *e) {
  (void)p, (void)t;
  real u = out[SNAKE_S_VX], across = out[SNAKE_S_VZ],
       speed = sqrt_real(fma_real(u, u, across * across));
  real force = max_real(abs_real(out[SNAKE_S_FRONT_FORCE]), abs_real(out[SNAKE_S_REAR_FORCE]));
  real steer = max_real(abs_real(out[SNAKE_S_FRONT_TORQUE]), abs_real(out[SNAKE_S_REAR_TORQUE]));
  real torque = max_real(steer, abs_real(out[SNAKE_S_ROTOR_TORQUE]));
  take_largest(running, speed, &e[SNAKE_E_SPEED]);
  take_largest(running, force, &e[SNAKE_E_FORCE]);
  take_largest(running, torque, &e[SNAKE_E_TORQUE]);
}
