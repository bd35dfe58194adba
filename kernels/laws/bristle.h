/* The law of contact `bristle` (appendix/laws.md#friction): bristles between roller and floor
 * bend under the slip, and slide where they cannot bend further. Their deflection is a state of
 * each roller, so that a contact can hold without slip. */

#if OMR_COMPLIANT

/* Deflections of a wheel: two for each roller that is looked at. */
enum { BRISTLES = 6 };

/* Friction per load of contacts that slide steadily, g: between static and kinetic friction by the
 * slip speed (Stribeck). */
FN real sliding_friction(const real *w, real friction, real slip2) {
  if (!any_lane(gt(w[W_STATIC_RISE], R(0.0)))) return friction;
  real turn = slip2 * (w[W_INV_STRIBECK] * w[W_INV_STRIBECK]);
  return friction * fma_real(w[W_STATIC_RISE], exp_real(-turn), R(1.0));
}

/* Deflections of bristles along (i, k), m, and where their rates go. */
typedef struct deflection {
  const real *bent;
  real *bends;
} deflection;

/* Motion of bristles: the rates of their deflection along (i, k), m/s, and the friction g of steady
 * sliding. loaded: the lanes that press on ground with friction; in the others bristles spring back
 * by themselves. */
typedef struct bending {
  real i, k;
  real friction, speed; /* g; |v|, m/s */
  mask loaded;
} bending;

/* bent: deflections, m. Deflections that no motion comes to arise from a step that is too long
 * for the slip: their rates are infinite, which ends the instance as diverged
 * (appendix/laws.md#friction). */
FN bending bend_bristles(const real *w, real friction, slippage slip, mask pressed,
                         const real bent[2]) {
  bending b;
  b.friction = max_real(sliding_friction(w, friction, slip.square), R(1e-30));
  b.speed = sqrt_real(slip.square);
  b.loaded = mask_and(pressed, gt(friction, R(0.0)));
  real slides = w[W_BRISTLE_STIFFNESS] * b.speed / b.friction;
  slides = select_real(b.loaded, slides, w[W_BRISTLE_RETURN]);
  real size2 = fma_real(bent[0], bent[0], bent[1] * bent[1]);
  mask beyond = gt(size2, w[W_BRISTLE_MOST2]);
  slides = select_real(beyond, LARGEST_SLIP2 * LARGEST_SLIP2, slides);
  b.i = fma_real(-slides, bent[0], select_real(b.loaded, slip.i, R(0.0)));
  b.k = fma_real(-slides, bent[1], select_real(b.loaded, slip.k, R(0.0)));
  return b;
}

/* Force per load, as the functions of the other laws (friction.h): -(sigma_0 z + sigma_1 z' +
 * sigma_2 v), sigma_1 falling with the slip as sigma_1/(1 + sigma_1 |v|/g), which keeps the force
 * within g and every motion passive (appendix/laws.md#friction). */
FN push bristle_force(const real *w, const bending *b, slippage slip, const real bent[2]) {
  real damping =
      w[W_BRISTLE_DAMPING] * b->friction / fma_real(w[W_BRISTLE_DAMPING], b->speed, b->friction);
  real along_i = fma_real(w[W_BRISTLE_STIFFNESS], bent[0], damping * b->i);
  real along_k = fma_real(w[W_BRISTLE_STIFFNESS], bent[1], damping * b->k);
  push f;
  f.i = select_real(b->loaded, -fma_real(w[W_BRISTLE_VISCOUS], slip.i, along_i), R(0.0));
  f.k = select_real(b->loaded, -fma_real(w[W_BRISTLE_VISCOUS], slip.k, along_k), R(0.0));
  f.gain = R(1.0);
  f.dissipation = -fma_real(f.i, slip.i, f.k * slip.k);
  return f;
}

/* Of a roller that hangs in the air (appendix/laws.md#friction). */
FN void spring_back(const real *w, deflection z) {
  z.bends[0] = -(w[W_BRISTLE_RETURN] * z.bent[0]);
  z.bends[1] = -(w[W_BRISTLE_RETURN] * z.bent[1]);
}

#endif
