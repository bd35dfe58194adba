/* The usual simplification of omni and mecanum wheels: a disc without rollers. The contact stays
 * under the wheel's centre; of the roller there is left the direction of its axis, painted on the
 * disc: a friction angle (source 4; host/model/disc.c). */

/* Contact of a disc in the terms of kernels/geometry.h: slip V.i + R rate, V.k with V the velocity
 * of the wheel's centre. No roller: no spin turns the contact, and the wheel angle does not matter
 * (appendix/laws.md#friction). */
FN contact disc_contact(const real *w) {
  contact k;
  k.sin_q = R(0.0);
  k.cos_q = R(1.0);
  k.axis_up = k.axis_along = k.offset = R(0.0);
  k.i_yaw = w[W_ACROSS];
  k.i_rate = w[W_RADIUS];
  k.i_spin = R(0.0);
  k.k_yaw = -w[W_ALONG];
  k.k_rate = k.k_spin = R(0.0);
  return k;
}

/* Penalty contact of source 4: stiffness times penetration plus damping times its rate while the
 * disc is in the floor. A floor does not pull: where damping would, the load is 0. `heave` is the
 * height of the disc's lowest point; *lost: power of the damper (appendix/laws.md#friction). */
FN real penalty_load(const real *w, real heave, real heave_rate, real *lost) {
  real spring = w[W_STIFFNESS] * max_real(-heave, R(0.0));
  real load = max_real(fma_real(-w[W_DAMPING], heave_rate, spring), R(0.0));
  load = select_real(lt(heave, R(0.0)), load, R(0.0));
  *lost = (spring - load) * heave_rate;
  return load;
}
