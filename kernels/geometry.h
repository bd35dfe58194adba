/* Roller geometry with explicit contact tracking and the slip Jacobian
 * (appendix/rollers.md#contact-point, appendix/rollers.md#slip; source 1, section 5.2).
 * Implicit tracking: tracking.h. */

/* Contact of one wheel in its present roller: geometry and the rows of the slip Jacobian. */
typedef struct contact {
  real sin_q, cos_q;
  real axis_up;    /* cos psi sin q: vertical component of the roller axis */
  real axis_along; /* cos psi cos q: its component along i */
  real offset; /* p = m sin psi - sigma w/2: the contact stands at -R j - p k from the wheel centre
                */
  real i_yaw, i_rate, i_spin; /* d v_i / d (omega, rate, s) */
  real k_yaw, k_rate, k_spin; /* d v_k / d (omega, rate, s) */
} contact;

/* w: folded parameters of the wheel; q: contact angle; row: axial displacement of the roller's row
 * (appendix/rollers.md#contact-point, appendix/rollers.md#slip). */
FN contact contact_at(const real *w, real q, real row) {
  contact k;
  sincos_small(q, &k.sin_q, &k.cos_q);
  real inv_cos = R(1.0) / k.cos_q;
  real height = w[W_RADIUS] -
                w[W_CENTER] * inv_cos; /* h: from the foot on the axis straight down to the floor */
  k.axis_up = w[W_COS_PSI] * k.sin_q;
  k.axis_along = w[W_COS_PSI] * k.cos_q;
  k.offset = fma_real(w[W_SHIFT] * k.sin_q, inv_cos, -row);
  k.i_spin = height * w[W_SIN_PSI];
  k.k_spin = -(height * k.axis_along);
  k.i_yaw = fma_real(-k.i_spin, k.axis_up, w[W_ACROSS] - k.offset);
  k.k_yaw = fma_real(-k.k_spin, k.axis_up, -w[W_ALONG]);
  k.i_rate = fma_real(-k.i_spin, w[W_SIN_PSI], w[W_RADIUS]);
  k.k_rate = -(k.k_spin * w[W_SIN_PSI]);
  return k;
}

/* How a wheel and the roller in contact turn, rad/s. */
typedef struct turning {
  real omega; /* yaw rate of the vehicle */
  real rate;  /* of the wheel about its axle */
  real spin;  /* of the roller about its axis */
} turning;

/* Slip velocity of the roller's material contact point along (i, k) for the velocity (vx, vz) of
 * the body origin (appendix/rollers.md#slip). */
FN void contact_slip(const contact *k, const real *w, real vx, real vz, turning turns, real *slip_i,
                     real *slip_k) {
  real body_i = w[W_COS] * vx - w[W_SIN] * vz;
  real body_k = fma_real(w[W_SIN], vx, w[W_COS] * vz);
  body_i = fma_real(k->i_rate, turns.rate, fma_real(k->i_yaw, turns.omega, body_i));
  body_k = fma_real(k->k_rate, turns.rate, fma_real(k->k_yaw, turns.omega, body_k));
  *slip_i = fma_real(k->i_spin, turns.spin, body_i);
  *slip_k = fma_real(k->k_spin, turns.spin, body_k);
}
