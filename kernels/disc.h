/* The usual simplification of omni and mecanum wheels: a disc without rollers. The contact stays under the wheel's centre; of
 * the roller there is left the direction of its axis, painted on the disc (physics.md section 5; source 4). */

/* Contact of a disc in the terms of kernels/geometry.h: slip V.i + R rate, V.k with V the velocity of the wheel's centre. No
 * roller: no spin turns the contact, and the wheel angle does not matter. */
FN contact disc_contact(const real *w) {
  contact c;
  c.sin_q = R(0.0);
  c.cos_q = R(1.0);
  c.axis_up = c.axis_along = c.offset = R(0.0);
  c.i_yaw = w[W_ACROSS];
  c.i_rate = w[W_RADIUS];
  c.i_spin = R(0.0);
  c.k_yaw = -w[W_ALONG];
  c.k_rate = c.k_spin = R(0.0);
  return c;
}

FN contact wheel_contact(const real *w, GLOBAL const int *c, real q, real row) {
  if (SETTING(c, CONTACT) == CONTACT_DISC) return disc_contact(w);
  return contact_at(w, q, row);
}

/* Friction of a painted roller: the regularised law of source 4 with mu along the roller's axis d = cos psi i + sin psi k and none
 * across it, -mu N phi(|v|) d (d.v)/|v|; or, with components, -mu N phi(|d.v|) d sign(d.v), so that the free rolling across d does
 * not use up the friction along it. phi is (2 - x) x, or x in the linear zone, for x = speed/v_s below 1, and 1 beyond. */
FN void painted_friction(const real *w, GLOBAL const int *c, real slip_i, real slip_k, real slip2, real *unit_i, real *unit_k) {
  real along = fma_real(w[W_COS_PSI], slip_i, w[W_SIN_PSI] * slip_k);
  real speed = sqrt_real(slip2);
  if (SETTING(c, COMPONENTS)) speed = abs_real(along);
  real gain = w[W_FRICTION] / max_real(speed, w[W_SLIP_SPEED]);
  if (!SETTING(c, LINEAR_ZONE)) gain = gain * (R(2.0) - min_real(speed / w[W_SLIP_SPEED], R(1.0)));
  *unit_i = -(gain * along * w[W_COS_PSI]);
  *unit_k = -(gain * along * w[W_SIN_PSI]);
}

/* Penalty contact of source 4: stiffness times penetration plus damping times its rate while the disc is in the floor. A floor
 * does not pull: where damping would, the load is 0. `heave` is the height of the disc's lowest point; *lost: power of the
 * damper. */
FN real penalty_load(const real *w, real heave, real heave_rate, real *lost) {
  real spring = w[W_STIFFNESS] * max_real(-heave, R(0.0));
  real load = max_real(fma_real(-w[W_DAMPING], heave_rate, spring), R(0.0));
  load = select_real(lt(heave, R(0.0)), load, R(0.0));
  *lost = (spring - load) * heave_rate;
  return load;
}
