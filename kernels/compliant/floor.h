/* Floors below compliant contacts that are no level plane (appendix/springs.md#floors). The world's
 * y is the normal of the floor's mean plane; a slope is gravity that leans from it. */

#if OMR_COMPLIANT

/* A column of the floor's parameters. */
FN real floor_parameter(const parameters *p, GLOBAL const int *c, int column) {
  return load_real(p->from + OMR_FLOOR_COLUMN(WHEELS(c), column) * p->stride);
}

/* The direction against gravity on a slope, in level axes that point where the body does
 * (appendix/springs.md#floors). */
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

/* A step up, and down again after its width (appendix/springs.md#floors). */
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

/* Weights of four nodes in a row, of which the place lies between the second and the third, in
 * their value, and in its derivatives by the place. */
typedef struct node_weights {
  real value[4], slope[4], bend[4];
} node_weights;

/* t: place between the two in the middle, 0 to 1. A straight line between those, or the cubic
 * that has the slope of its neighbours' at each (appendix/springs.md#floors). */
FN node_weights node_weights_of(int smooth, real t) {
  node_weights of;
  if (!smooth) {
    of.value[0] = of.value[3] = of.slope[0] = of.slope[3] = R(0.0);
    of.value[1] = R(1.0) - t;
    of.value[2] = t;
    of.slope[1] = R(-1.0);
    of.slope[2] = R(1.0);
    UNROLL_DEVICE for (int j = 0; j < 4; j++) of.bend[j] = R(0.0);
    return of;
  }
  real back = t - R(1.0);
  of.value[0] = R(-0.5) * t * back * back;
  of.value[1] = fma_real(R(0.5) * t * t, fma_real(R(3.0), t, R(-5.0)), R(1.0));
  of.value[2] = R(-0.5) * t * fma_real(fma_real(R(3.0), t, R(-4.0)), t, R(-1.0));
  of.value[3] = R(0.5) * t * t * back;
  of.slope[0] = R(-0.5) * fma_real(fma_real(R(3.0), t, R(-4.0)), t, R(1.0));
  of.slope[1] = R(0.5) * t * fma_real(R(9.0), t, R(-10.0));
  of.slope[2] = R(-0.5) * fma_real(fma_real(R(9.0), t, R(-8.0)), t, R(-1.0));
  of.slope[3] = R(0.5) * t * fma_real(R(3.0), t, R(-2.0));
  of.bend[0] = fma_real(R(-3.0), t, R(2.0));
  of.bend[1] = fma_real(R(9.0), t, R(-5.0));
  of.bend[2] = fma_real(R(-9.0), t, R(4.0));
  of.bend[3] = fma_real(R(3.0), t, R(-1.0));
  return of;
}

/* Sum of four heights by their weights. */
FN real weighted(const real weight[4], const real height[4]) {
  return fma_real(weight[0], height[0], weight[1] * height[1]) +
         fma_real(weight[2], height[2], weight[3] * height[3]);
}

/* The last node, of those that have a next one, that lies no further than `place`, counted in
 * nodes. */
FN int node_before(sreal place, int nodes) {
  if (!(place >= LIT(1.0))) return 0;
  return place < (sreal)(nodes - 1) ? (int)place : nodes - 2;
}

/* The sixteen nodes around the places, counted in nodes, and the places between the inner four. */
FN void take_nodes(GLOBAL const sreal *map, real along, real across, real node[4][4], real *t_x,
                   real *t_z) {
  const int width = (int)map[MAP_ALONG] + 2;
  EACH_LANE(mask_not(no_lane()), l) {
    const sreal x = lane_get(along, l), z = lane_get(across, l);
    const int column = node_before(x, (int)map[MAP_ALONG]),
              row = node_before(z, (int)map[MAP_ACROSS]);
    GLOBAL const sreal *from = map + MAP_NODES + row * width + column;
    lane_set(t_x, l, x - (sreal)column);
    lane_set(t_z, l, z - (sreal)row);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) lane_set(&node[i][j], l, from[i * width + j]);
  }
}

/* A map, beyond its border as high as that (appendix/springs.md#floors). */
FN_CALL void add_map(const parameters *p, GLOBAL const int *c, real x, real z, floor_spot *f) {
  GLOBAL const sreal *map = p->tables + SETTING(c, FLOOR_MAP);
  real cosine = floor_parameter(p, c, F_MAP_COS), sine = floor_parameter(p, c, F_MAP_SIN),
       scale = floor_parameter(p, c, F_MAP_SCALE);
  real dx = x - floor_parameter(p, c, F_MAP_X), dz = z - floor_parameter(p, c, F_MAP_Z);
  real along =
      (fma_real(dx, cosine, -(dz * sine)) - splat(map[MAP_FIRST_X])) * splat(map[MAP_PER_X]);
  real across = (fma_real(dx, sine, dz * cosine) - splat(map[MAP_FIRST_Z])) * splat(map[MAP_PER_Z]);
  real end_x = splat(map[MAP_ALONG] - LIT(1.0)), end_z = splat(map[MAP_ACROSS] - LIT(1.0));
  mask inside_x = mask_and(ge(along, R(0.0)), le(along, end_x));
  mask inside_z = mask_and(ge(across, R(0.0)), le(across, end_z));
  real node[4][4], t_x, t_z, line[4], slope[4], bend[4];
  take_nodes(map, clamp_real(along, R(0.0), end_x), clamp_real(across, R(0.0), end_z), node, &t_x,
             &t_z);
  const int smooth = map[MAP_SMOOTH] != LIT(0.0);
  const node_weights by_x = node_weights_of(smooth, t_x), by_z = node_weights_of(smooth, t_z);
  UNROLL_DEVICE for (int i = 0; i < 4; i++) {
    line[i] = weighted(by_x.value, node[i]);
    slope[i] = weighted(by_x.slope, node[i]);
    bend[i] = weighted(by_x.bend, node[i]);
  }
  real per_x = select_real(inside_x, splat(map[MAP_PER_X]), R(0.0)),
       per_z = select_real(inside_z, splat(map[MAP_PER_Z]), R(0.0));
  real u = scale * per_x * weighted(by_z.value, slope),
       v = scale * per_z * weighted(by_z.slope, line),
       uu = scale * per_x * per_x * weighted(by_z.value, bend),
       uv = scale * per_x * per_z * weighted(by_z.slope, slope),
       vv = scale * per_z * per_z * weighted(by_z.bend, line);
  f->height =
      fma_real(scale, weighted(by_z.value, line), f->height + floor_parameter(p, c, F_MAP_OFFSET));
  f->x = fma_real(u, cosine, fma_real(v, sine, f->x));
  f->z = fma_real(v, cosine, fma_real(-u, sine, f->z));

  /* rates of the slopes along the map's axes, turned back on both sides */
  real u_x = fma_real(uu, cosine, uv * sine), v_x = fma_real(uv, cosine, vv * sine);
  real u_z = fma_real(uv, cosine, -(uu * sine)), v_z = fma_real(vv, cosine, -(uv * sine));
  f->xx = fma_real(u_x, cosine, fma_real(v_x, sine, f->xx));
  f->xz = fma_real(u_z, cosine, fma_real(v_z, sine, f->xz));
  f->zz = fma_real(v_z, cosine, fma_real(-u_z, sine, f->zz));
}

/* The profile at (x, z), world (appendix/springs.md#floors). */
FN_CALL void floor_at(const parameters *p, GLOBAL const int *c, real x, real z, floor_spot *f) {
  f->height = f->x = f->z = f->xx = f->xz = f->zz = R(0.0);
  if (SETTING(c, FLOOR) & FLOOR_STEP) add_step(p, c, x, z, f);
  if (SETTING(c, FLOOR) & FLOOR_MAP) add_map(p, c, x, z, f);
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

/* Height of the profile itself; 0 on a level plane (appendix/springs.md#floors). */
FN real floor_height(const parameters *p, GLOBAL const int *c, real x, real z) {
  floor_spot spot;
  if (!(SETTING(c, FLOOR) & FLOOR_PROFILE)) return R(0.0);
  floor_at(p, c, x, z, &spot);
  return spot.height;
}

#endif
