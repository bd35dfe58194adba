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

/* Height of the floor at a place of its plane, with its slopes and their rates. */
typedef struct floor_spot {
  real height, x, z, xx, xz, zz;
} floor_spot;

/* t^2 (3 - 2 t) between 0 and 1, with its derivatives by t. */
FN real smooth_rise(real t, real *slope, real *bend) {
  mask inside = mask_and(gt(t, R(0.0)), lt(t, R(1.0)));
  real at = clamp_real(t, R(0.0), R(1.0));
  *slope = R(6.0) * at * (R(1.0) - at);
  *bend = select_real(inside, fma_real(R(-12.0), at, R(6.0)), R(0.0));
  return at * at * fma_real(R(-2.0), at, R(3.0));
}

/* A step up, and down again after its width (PHYSICS.md#19-floors). */
FN void add_step(const parameters *p, GLOBAL const int *c, real x, real z, floor_spot *f) {
  real cosine = floor_parameter(p, c, F_STEP_COS), sine = floor_parameter(p, c, F_STEP_SIN),
       inv = floor_parameter(p, c, F_STEP_INV_RAMP), high = floor_parameter(p, c, F_STEP_HEIGHT);
  real way = fma_real(x, cosine, -(z * sine)) - floor_parameter(p, c, F_STEP_PLACE);
  real up_slope, up_bend, down_slope, down_bend;
  real up = smooth_rise(way * inv, &up_slope, &up_bend);
  real down =
      smooth_rise((way - floor_parameter(p, c, F_STEP_WIDTH)) * inv, &down_slope, &down_bend);
  real slope = high * inv * (up_slope - down_slope);
  real bend = high * inv * inv * (up_bend - down_bend);
  f->height = fma_real(high, up - down, f->height);
  f->x = fma_real(slope, cosine, f->x);
  f->z = fma_real(-slope, sine, f->z);
  f->xx = fma_real(bend * cosine, cosine, f->xx);
  f->xz = fma_real(-(bend * cosine), sine, f->xz);
  f->zz = fma_real(bend * sine, sine, f->zz);
}

/* The profile at (x, z), world (PHYSICS.md#19-floors). */
FN_CALL void floor_at(const parameters *p, GLOBAL const int *c, real x, real z, floor_spot *f) {
  f->height = f->x = f->z = f->xx = f->xz = f->zz = R(0.0);
  if (SETTING(c, FLOOR) & FLOOR_STEP) add_step(p, c, x, z, f);
  for (int n = 0; n < SETTING(c, FLOOR_WAVES); n++) {
    const int wave = F_COUNT + WAVE_COLUMNS * n;
    real k_x = floor_parameter(p, c, wave + WAVE_X), k_z = floor_parameter(p, c, wave + WAVE_Z);
    real size = floor_parameter(p, c, wave + WAVE_AMPLITUDE), sine, cosine;
    sincos_real(fma_real(k_x, x, fma_real(k_z, z, floor_parameter(p, c, wave + WAVE_PHASE))), &sine,
                &cosine);
    real height = size * sine, slope = size * cosine;
    f->height = f->height + height;
    f->x = fma_real(k_x, slope, f->x);
    f->z = fma_real(k_z, slope, f->z);
    f->xx = fma_real(-(k_x * k_x), height, f->xx);
    f->xz = fma_real(-(k_x * k_z), height, f->xz);
    f->zz = fma_real(-(k_z * k_z), height, f->zz);
  }
}

#endif
