/* The loss of yaw: an empirical term, no law of contact. Measured vehicles on rollers turn less
 * than their wheels do while they go sideways, by so much for each metre and against the sense of
 * turning; its cause is not known. The contacts are at rest, then, where the platform turns by
 * omega while its wheels roll for omega + loss. */

/* Yaw rate that is lost, rad/s: (lambda_x |v_x| + lambda_z |v_z|) omega/sqrt(omega^2 + kappa^2
 * v^2). It goes with the first power of the velocities, so that a way costs the same at any speed,
 * and fades where the vehicle goes nearly straight on (appendix/laws.md#friction). */
FN real lost_yaw(const real *vehicle, real vx, real vz, real omega) {
  real per_time =
      fma_real(vehicle[P_YAW_LOSS_X], abs_real(vx), vehicle[P_YAW_LOSS_Z] * abs_real(vz));
  real speed2 = fma_real(vx, vx, vz * vz);
  real turns = fma_real(omega, omega, vehicle[P_YAW_LOSS_FADE] * speed2);
  return per_time * omega / sqrt_real(max_real(turns, R(1e-30)));
}

/* Slip of the yaw lost: the slip of the contact's place, turned about the body origin. */
typedef struct lost_slip {
  real i, k; /* along (i, k), m/s */
} lost_slip;

/* Adds it to the slip of a contact. */
FN lost_slip lose_yaw(const real *w, const contact *k, real lost, real *slip_i, real *slip_k) {
  lost_slip slip = {lost * (w[W_ACROSS] - k->offset), -(lost * w[W_ALONG])};
  *slip_i = *slip_i + slip.i;
  *slip_k = *slip_k + slip.k;
  return slip;
}

/* The force f does its work on the slip that there is, without the loss: corrects -F.v. */
FN void pay_lost_yaw(lost_slip slip, push *f) {
  f->dissipation = fma_real(f->i, slip.i, fma_real(f->k, slip.k, f->dissipation));
}
