/* The ideal wheelset of source 3, section 3.2 (appendix/small.md#models): two wheels turn freely
 * and independently on a rod that stays parallel to the plane; both roll without slip. Forward
 * e1 = (cos yaw, 0, -sin yaw), axle to the right e3 = (sin yaw, 0, cos yaw), normal n = y.
 *
 * Constraints: the axle's middle moves only along e1 (lateral no-slip of both wheels is this one
 * condition), v = u e1, and R phi_i' = u + s_i b yaw' with s = -1 left, +1 right. The rod's spin
 * about its axis is free. With the angular velocities yaw' n - phi_i' e3 (positive phi_i' rolls
 * forward), forces F_i e1 forward, S e3 lateral and N_i n at the contacts, Newton and Euler give
 *
 *   forward      m (u' + d yaw'') = F_l + F_r + m g sin s (down.e1)
 *   yaw          m d u' + (b^2 (m_l + m_r) + sum of diametral inertias) yaw''
 *                  = b (F_r - F_l) + d m g sin s (down.e1) + T_y
 *   wheels, rod  J_i phi_i'' = T_i - R F_i,  J_s phi_s'' = T_s
 *   lateral      -m yaw' (u + d yaw') = S + m g sin s (down.e3)
 *   normal       0 = N_l + N_r - m g cos s
 *   roll         -yaw' (J_l phi_l' + J_r phi_r' + J_s phi_s')
 *                  = -b (N_r - N_l) - R S + d m g cos s
 *
 * Without F_i the first two are A u' + B yaw'' = P, B u' + C yaw'' = Q with A, B, C constant
 * (host/model/wheelset.c). Forward and lateral motion do not mix in them, since the centre of mass
 * lies on the axle. */

/* ahead = down.e1, aside = down.e3: cos and sin of the heading over the direction down. */
FN void wheelset_down(const real *p, real sine, real cosine, real *ahead, real *aside) {
  *ahead = fma_real(cosine, p[WSET_P_DOWN_COS], sine * p[WSET_P_DOWN_SIN]);
  *aside = fma_real(sine, p[WSET_P_DOWN_COS], -(cosine * p[WSET_P_DOWN_SIN]));
}

/* Kinetic energy + gravity, which counts from the plane's origin. */
FN real wheelset_energy(const real *p, const real *y, real aside) {
  real u = y[WSET_Y_SPEED], yaw_rate = y[WSET_Y_YAW_RATE], spin = y[WSET_Y_ROD_RATE];
  real twice = fma_real(p[WSET_P_INERTIA_UU] * u, u, p[WSET_P_INERTIA_WW] * yaw_rate * yaw_rate);
  twice = fma_real(R(2.0) * p[WSET_P_INERTIA_UW] * u, yaw_rate,
                   fma_real(p[WSET_P_ROD_AXIAL] * spin, spin, twice));
  real way = fma_real(p[WSET_P_DOWN_COS], y[WSET_Y_X], -(p[WSET_P_DOWN_SIN] * y[WSET_Y_Z]));
  way = fma_real(p[WSET_P_OFFSET], aside, way);
  return fma_real(R(0.5), twice, -(p[WSET_P_SLOPE] * way));
}

/* Lateral force and normal loads from the lateral, normal and roll equations
 * (appendix/small.md#models). */
FN void wheelset_loads(const real *p, real u, real yaw_rate, real aside, real *out) {
  real lateral = fma_real(-(p[WSET_P_MASS] * yaw_rate), fma_real(p[WSET_P_OFFSET], yaw_rate, u),
                          -(p[WSET_P_SLOPE] * aside));
  real momentum = fma_real(p[WSET_P_LEFT_AXIAL], out[WSET_S_LEFT_RATE],
                           p[WSET_P_RIGHT_AXIAL] * out[WSET_S_RIGHT_RATE]);
  momentum = fma_real(p[WSET_P_ROD_AXIAL], out[WSET_S_ROD_RATE], momentum);
  real roll = fma_real(p[WSET_P_OFFSET], p[WSET_P_WEIGHT],
                       fma_real(yaw_rate, momentum, -(p[WSET_P_RADIUS] * lateral)));
  real more = roll * p[WSET_P_INV_HALF_TRACK];
  out[WSET_S_LATERAL_FORCE] = lateral;
  out[WSET_S_LEFT_LOAD] = R(0.5) * (p[WSET_P_WEIGHT] - more);
  out[WSET_S_RIGHT_LOAD] = R(0.5) * (p[WSET_P_WEIGHT] + more);
}

/* Pose of the axle and of the contacts. */
FN void wheelset_pose(const real *p, const real *y, real sine, real cosine, real *out) {
  real x = y[WSET_Y_X], z = y[WSET_Y_Z], bx = p[WSET_P_HALF_TRACK] * sine,
       bz = p[WSET_P_HALF_TRACK] * cosine;
  out[WSET_S_X] = x;
  out[WSET_S_Z] = z;
  out[WSET_S_YAW] =
      fma_real(y[WSET_Y_TURNS], TURN_HIGH, fma_real(y[WSET_Y_TURNS], TURN_LOW, y[WSET_Y_YAW]));
  out[WSET_S_LEFT_X] = x - bx;
  out[WSET_S_LEFT_Z] = z - bz;
  out[WSET_S_RIGHT_X] = x + bx;
  out[WSET_S_RIGHT_Z] = z + bz;
  out[WSET_S_LEFT_ANGLE] = y[WSET_Y_LEFT_ANGLE];
  out[WSET_S_RIGHT_ANGLE] = y[WSET_Y_RIGHT_ANGLE];
  out[WSET_S_ROD_ANGLE] = y[WSET_Y_ROD_ANGLE];
}

/* Derivatives dy and samples out (appendix/small.md#models). */
FN void wheelset_rates(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                       real *out) {
  (void)c;
  (void)t;
  real sine, cosine, ahead, aside, u = y[WSET_Y_SPEED], yaw_rate = y[WSET_Y_YAW_RATE],
                                   spin = y[WSET_Y_ROD_RATE];
  sincos_real(y[WSET_Y_YAW], &sine, &cosine);
  /* The slope pulls ahead and aside. */
  wheelset_down(p, sine, cosine, &ahead, &aside);
  /* Speed and yaw rate have accelerations of their own, made of constants. */
  real a = fma_real(p[WSET_P_SLOPE_ACCELERATION], ahead, p[WSET_P_ACCELERATION]);
  real e = fma_real(p[WSET_P_SLOPE_YAW_ACCELERATION], ahead, p[WSET_P_YAW_ACCELERATION]);
  /* Rolling without slip gives the rates of both wheels. */
  real b = p[WSET_P_HALF_TRACK], inv = p[WSET_P_INV_RADIUS];
  real left_rate = fma_real(-b, yaw_rate, u) * inv, right_rate = fma_real(b, yaw_rate, u) * inv;
  real left_change = fma_real(-b, e, a) * inv, right_change = fma_real(b, e, a) * inv;
  real left_torque = p[WSET_P_LEFT_TORQUE], right_torque = p[WSET_P_RIGHT_TORQUE];

  /* The rates follow. */
  dy[WSET_Y_X] = u * cosine;
  dy[WSET_Y_Z] = -(u * sine);
  dy[WSET_Y_YAW] = yaw_rate;
  dy[WSET_Y_TURNS] = R(0.0);
  dy[WSET_Y_LEFT_ANGLE] = left_rate;
  dy[WSET_Y_RIGHT_ANGLE] = right_rate;
  dy[WSET_Y_ROD_ANGLE] = spin;
  dy[WSET_Y_SPEED] = a;
  dy[WSET_Y_YAW_RATE] = e;
  dy[WSET_Y_ROD_RATE] = p[WSET_P_ROD_ACCELERATION];
  dy[WSET_Y_PATH] = abs_real(u);
  /* The torques do work. */
  real power = fma_real(left_torque, left_rate, right_torque * right_rate);
  dy[WSET_Y_WORK] =
      fma_real(p[WSET_P_YAW_TORQUE], yaw_rate, fma_real(p[WSET_P_ROD_TORQUE], spin, power));

  /* Samples follow: forces hold the wheels to rolling, loads carry the weight. */
  out[WSET_S_SPEED] = u;
  out[WSET_S_YAW_RATE] = yaw_rate;
  out[WSET_S_LEFT_RATE] = left_rate;
  out[WSET_S_RIGHT_RATE] = right_rate;
  out[WSET_S_ROD_RATE] = spin;
  out[WSET_S_ACCELERATION] = a;
  out[WSET_S_YAW_ACCELERATION] = e;
  out[WSET_S_LEFT_ACCELERATION] = left_change;
  out[WSET_S_RIGHT_ACCELERATION] = right_change;
  out[WSET_S_LEFT_FORCE] = fma_real(-p[WSET_P_LEFT_AXIAL], left_change, left_torque) * inv;
  out[WSET_S_RIGHT_FORCE] = fma_real(-p[WSET_P_RIGHT_AXIAL], right_change, right_torque) * inv;
  out[WSET_S_ENERGY] = wheelset_energy(p, y, aside);
  wheelset_loads(p, u, yaw_rate, aside, out);
  wheelset_pose(p, y, sine, cosine, out);
}

/* Lanes with a wheel that would lift. */
FN mask wheelset_lifted(const real *out) {
  return lt(min_real(out[WSET_S_LEFT_LOAD], out[WSET_S_RIGHT_LOAD]), R(0.0));
}

/* Counts whole turns, so that a yaw of many turns keeps its digits; the sums keep their
 * compensation. */
FN void wheelset_settle(real *y, real *low, mask running) {
  mask far = mask_and(running, gt(abs_real(y[WSET_Y_YAW]), R(0.5) * TURN_HIGH));
  real turns = select_real(far, sign_real(y[WSET_Y_YAW]), R(0.0));
  y[WSET_Y_YAW] = fma_real(-turns, TURN_HIGH, y[WSET_Y_YAW]);
  low[WSET_Y_YAW] = fma_real(turns, TURN_LOW, low[WSET_Y_YAW]);
  y[WSET_Y_TURNS] = y[WSET_Y_TURNS] + turns;
}

FN void wheelset_observe(const real *p, real t, const real *out, mask running, real *e) {
  (void)p, (void)t;
  real least = min_real(out[WSET_S_LEFT_LOAD], out[WSET_S_RIGHT_LOAD]);
  real most = max_real(out[WSET_S_LEFT_LOAD], out[WSET_S_RIGHT_LOAD]);
  real speed = abs_real(out[WSET_S_SPEED]), lateral = abs_real(out[WSET_S_LATERAL_FORCE]);
  take_largest(running, speed, &e[WSET_E_SPEED]);
  take_smallest(running, least, &e[WSET_E_MIN_LOAD]);
  take_largest(running, most, &e[WSET_E_MAX_LOAD]);
  take_largest(running, lateral, &e[WSET_E_LATERAL]);
}
