/* Floors below compliant contacts that are no level plane (PHYSICS.md#19-floors). The world's y is
 * the normal of the floor's mean plane; a slope is gravity that leans from it. */

#if OMR_COMPLIANT

/* A column of the floor's parameters. */
FN real floor_parameter(const parameters *p, GLOBAL const int *c, int column) {
  return load_real(p->from + OMR_FLOOR_COLUMN(WHEELS(c), column) * p->stride);
}

/* The direction against gravity on a slope, in level axes that point where the body does. */
FN vector3 floor_up(const parameters *p, GLOBAL const int *c, real yaw) {
  real sine, cosine;
  sincos_real(yaw, &sine, &cosine);
  real x = floor_parameter(p, c, F_UP_X), z = floor_parameter(p, c, F_UP_Z);
  return vector_of(fma_real(x, cosine, -(z * sine)), floor_parameter(p, c, F_UP_Y),
                   fma_real(x, sine, z * cosine));
}

#endif
