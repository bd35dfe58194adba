/* Implicit contact tracking (source 1, section 5.1; appendix/rollers.md#contact-point):
 * contact point and slip Jacobian only from places, axes and vector products. The same contact as
 * contact_at finds, by another computation; it costs more. */

/* A vector in the wheel's frame: i, j, k with j up and k along the axle. */
typedef struct vector3 {
  real i, j, k;
} vector3;

FN vector3 vector_of(real along_i, real along_j, real along_k) {
  vector3 vector;
  vector.i = along_i;
  vector.j = along_j;
  vector.k = along_k;
  return vector;
}

FN real dot3(vector3 a, vector3 b) {
  return fma_real(a.i, b.i, fma_real(a.j, b.j, a.k * b.k));
}

FN vector3 cross3(vector3 a, vector3 b) {
  return vector_of(fma_real(a.j, b.k, -(a.k * b.j)), fma_real(a.k, b.i, -(a.i * b.k)),
                   fma_real(a.i, b.j, -(a.j * b.i)));
}

/* a + factor b */
FN vector3 added3(vector3 a, real factor, vector3 b) {
  return vector_of(fma_real(factor, b.i, a.i), fma_real(factor, b.j, a.j),
                   fma_real(factor, b.k, a.k));
}

FN vector3 unit3(vector3 a) {
  real inverse = R(1.0) / sqrt_real(dot3(a, a));
  return vector_of(a.i * inverse, a.j * inverse, a.k * inverse);
}

/* Velocity of the contact point at `arm` from a roller's centre that moves with `centre`, the
 * roller turning with the part of `turn` across its axis: its turn about the axis is its axial
 * spin, a coordinate of its own. */
FN vector3 carried_point(vector3 centre, vector3 turn, vector3 axis, vector3 arm) {
  return added3(centre, R(1.0), cross3(added3(turn, -dot3(turn, axis), axis), arm));
}

/* w: folded parameters of the wheel; q: contact angle; row: axial displacement of the roller's row
 * (appendix/rollers.md#contact-point). */
FN contact implicit_contact(const real *w, real q, real row) {
  real sin_q, cos_q;
  sincos_small(q, &sin_q, &cos_q);

  /* known to a multibody model, the wheel's centre at the origin: places, the roller's axis e */
  vector3 up = vector_of(R(0.0), R(1.0), R(0.0)), axle = vector_of(R(0.0), R(0.0), R(1.0));
  vector3 ring = vector_of(R(0.0), R(0.0), row); /* r_A, in the plane of the roller's row */
  vector3 roller = vector_of(w[W_CENTER] * sin_q, -(w[W_CENTER] * cos_q), row);
  vector3 axis = vector_of(w[W_COS_PSI] * cos_q, w[W_COS_PSI] * sin_q, w[W_SIN_PSI]);

  vector3 spoke = unit3(added3(ring, R(-1.0), roller)); /* rho */
  vector3 across = unit3(cross3(axis, up));             /* k_2 */
  real mu =
      (w[W_RADIUS] * dot3(up, across) - w[W_CENTER] * dot3(spoke, across)) / dot3(axle, across);
  vector3 point = added3(added3(added3(roller, w[W_CENTER], spoke), -w[W_RADIUS], up), mu, axle);
  vector3 arm = added3(point, R(-1.0), roller);

  vector3 origin =
      vector_of(w[W_ALONG], R(0.0), w[W_ACROSS]); /* the wheel's centre from the body origin */
  vector3 spin = cross3(axis, arm);
  vector3 rate = carried_point(cross3(axle, roller), axle, axis, arm);
  vector3 yaw = carried_point(cross3(up, added3(origin, R(1.0), roller)), up, axis, arm);
  contact k;
  k.sin_q = dot3(cross3(up, spoke), axle); /* source 1, section 5.2 */
  k.cos_q = dot3(spoke, up);
  k.axis_up = dot3(axis, up);
  k.axis_along = axis.i;
  k.offset = -dot3(point, axle);
  k.i_spin = spin.i;
  k.k_spin = spin.k;
  k.i_rate = rate.i;
  k.k_rate = rate.k;
  k.i_yaw = yaw.i;
  k.k_yaw = yaw.k;
  return k;
}

FN contact select_contact(mask which, const contact *a, const contact *b) {
  contact k;
  k.sin_q = select_real(which, a->sin_q, b->sin_q);
  k.cos_q = select_real(which, a->cos_q, b->cos_q);
  k.axis_up = select_real(which, a->axis_up, b->axis_up);
  k.axis_along = select_real(which, a->axis_along, b->axis_along);
  k.offset = select_real(which, a->offset, b->offset);
  k.i_yaw = select_real(which, a->i_yaw, b->i_yaw);
  k.i_rate = select_real(which, a->i_rate, b->i_rate);
  k.i_spin = select_real(which, a->i_spin, b->i_spin);
  k.k_yaw = select_real(which, a->k_yaw, b->k_yaw);
  k.k_rate = select_real(which, a->k_rate, b->k_rate);
  k.k_spin = select_real(which, a->k_spin, b->k_spin);
  return k;
}

/* The contact by the tracking that the study asks for; vehicle: its folded parameters. */
FN contact tracked_contact(const real *vehicle, GLOBAL const int *c, const real *w, real q,
                           real row) {
  if (SETTING(c, TRACKING) == TRACKING_EXPLICIT) return contact_at(w, q, row);
  contact found = implicit_contact(w, q, row);
  if (SETTING(c, TRACKING) == TRACKING_BOTH) {
    contact other = contact_at(w, q, row);
    found = select_contact(gt(vehicle[P_TRACKING], R(0.5)), &found, &other);
  }
  return found;
}
