/* Entries: load a pack, integrate or sample it, store it. One array per quantity, instance index fastest (kernels/layout.h). */

/* State columns of the observers' integrals, in the order of O_COMMAND_X ... */
#define OBSERVER_COLUMNS                                                                                                         \
  { S_COMMAND_X, S_COMMAND_Z, S_COMMAND_YAW, S_ODO_X, S_ODO_Z, S_ODO_YAW, S_VIB_SQUARE, S_VIB_X, S_VIB_Z }

FN void load_parameters(GLOBAL const sreal *params, GLOBAL const int *c, int stride, parameters *p) {
  for (int j = 0; j < P_COUNT; j++) p->v[j] = load_real(params + j * stride);
  for (int i = 0; i < WHEELS(c); i++) {
    for (int j = 0; j < W_COUNT; j++) p->w[i][j] = load_real(params + OMR_PARAM_COLUMN(i, j) * stride);
  }
}

FN void load_state(GLOBAL const sreal *state, GLOBAL const int *c, int stride, motion *m, real *v, real ts[WHEELS_MAX][T_COUNT]) {
  const int observers[O_COUNT] = OBSERVER_COLUMNS;
  clear_motion(m);
  for (int j = 0; j < S_COUNT; j++) v[j] = load_real(state + j * stride);
  for (int i = 0; i < WHEELS_MAX; i++) {
    for (int j = 0; j < T_COUNT; j++) {
      ts[i][j] = i < WHEELS(c) ? load_real(state + OMR_STATE_COLUMN(i, j) * stride) : R(0.0);
    }
  }
  m->y[Y_X] = v[S_X];
  m->y[Y_Z] = v[S_Z];
  m->y[Y_YAW] = v[S_YAW];
  m->y[Y_VX] = v[S_VX];
  m->y[Y_VZ] = v[S_VZ];
  m->y[Y_OMEGA] = v[S_YAW_RATE];
  m->y[Y_DISSIPATED] = v[S_DISSIPATED];
  m->y[Y_WORK] = v[S_WORK];
  m->y[Y_PATH] = v[S_PATH];
  for (int j = 0; j < O_COUNT; j++) m->obs[j] = v[observers[j]];
  for (int i = 0; i < WHEELS(c); i++) {
    m->y[Y_Q(i)] = ts[i][T_Q];
    m->y[Y_RATE(i)] = ts[i][T_RATE];
    m->y[Y_SPIN(i)] = ts[i][T_SPIN];
    for (int j = 0; j < IDLE_COUNT; j++) m->idle[i][j] = ts[i][T_IDLE_COS + j];
  }
}

FN void store_state(GLOBAL sreal *state, GLOBAL const int *c, int stride, const motion *m, real *v,
                    real ts[WHEELS_MAX][T_COUNT]) {
  const int observers[O_COUNT] = OBSERVER_COLUMNS;
  v[S_X] = m->y[Y_X];
  v[S_Z] = m->y[Y_Z];
  v[S_YAW] = m->y[Y_YAW];
  v[S_VX] = m->y[Y_VX];
  v[S_VZ] = m->y[Y_VZ];
  v[S_YAW_RATE] = m->y[Y_OMEGA];
  v[S_DISSIPATED] = m->y[Y_DISSIPATED];
  v[S_WORK] = m->y[Y_WORK];
  v[S_PATH] = m->y[Y_PATH];
  for (int j = 0; j < O_COUNT; j++) v[observers[j]] = m->obs[j];
  for (int j = 0; j < S_COUNT; j++) store_real(state + j * stride, v[j]);
  for (int i = 0; i < WHEELS(c); i++) {
    ts[i][T_Q] = m->y[Y_Q(i)];
    ts[i][T_RATE] = m->y[Y_RATE(i)];
    ts[i][T_SPIN] = m->y[Y_SPIN(i)];
    for (int j = 0; j < IDLE_COUNT; j++) ts[i][T_IDLE_COS + j] = m->idle[i][j];
    for (int j = 0; j < T_COUNT; j++) store_real(state + OMR_STATE_COLUMN(i, j) * stride, ts[i][j]);
  }
}

FN void advance_omni(GLOBAL const sreal *params, GLOBAL sreal *state, GLOBAL sreal *spins, GLOBAL const sreal *tables,
                     GLOBAL const int *settings, sreal step, sreal until, int stride, int first) {
  parameters p;
  motion m;
  real v[S_COUNT], ts[WHEELS_MAX][T_COUNT];
  load_parameters(params + first, settings, stride, &p);
  load_state(state + first, settings, stride, &m, v, ts);
  integrate(&p, settings, tables, spins + first, stride, splat(step), splat(until), &m, v, ts);
  store_state(state + first, settings, stride, &m, v, ts);
}

/* In the order of OMR_VEHICLE_SAMPLES and, per wheel, OMR_WHEEL_SAMPLES. */
FN void sample_omni(GLOBAL const sreal *params, GLOBAL const sreal *state, GLOBAL const sreal *tables, GLOBAL const int *settings,
                    sreal step, GLOBAL sreal *samples, int stride, int first) {
  parameters p;
  motion m, rate;
  outputs o;
  held_state held;
  real v[S_COUNT], ts[WHEELS_MAX][T_COUNT];
  load_parameters(params + first, settings, stride, &p);
  load_state(state + first, settings, stride, &m, v, ts);
  for (int i = 0; i < WHEELS_MAX; i++) {
    held.row[i] = ts[i][T_ROW];
    held.torque[i] = ts[i][T_HOLD_TORQUE];
  }
  real t = (v[S_STEP] + v[S_FRACTION]) * splat(step);
  right_hand_side(&p, settings, tables, &held, m.idle, m.y, t, rate.y, rate.idle, &o);
  real yaw = fma_real(v[S_TURNS], TURN_HIGH, m.y[Y_YAW]);
  GLOBAL sreal *out = samples + first;
  store_real(out, m.y[Y_X]);
  store_real(out + stride, m.y[Y_Z]);
  store_real(out + 2 * stride, yaw);
  store_real(out + 3 * stride, m.y[Y_VX]);
  store_real(out + 4 * stride, m.y[Y_VZ]);
  store_real(out + 5 * stride, m.y[Y_OMEGA]);
  store_real(out + 6 * stride, o.servo);
  store_real(out + 7 * stride, o.ax);
  store_real(out + 8 * stride, o.az);
  store_real(out + 9 * stride, rate.y[Y_OMEGA]);
  for (int i = 0; i < WHEELS(settings); i++) {
    GLOBAL sreal *w = out + (10 + 12 * i) * stride;
    store_real(w, fma_real(ts[i][T_INDEX], R(2.0) * p.w[i][W_ALPHA], m.y[Y_Q(i)]));
    store_real(w + stride, m.y[Y_RATE(i)]);
    store_real(w + 2 * stride, ts[i][T_ACTIVE]);
    store_real(w + 3 * stride, m.y[Y_Q(i)]);
    store_real(w + 4 * stride, m.y[Y_SPIN(i)]);
    store_real(w + 5 * stride, o.slip_i[i]);
    store_real(w + 6 * stride, o.slip_k[i]);
    store_real(w + 7 * stride, o.load[i]);
    store_real(w + 8 * stride, o.load[i] * o.unit_i[i]);
    store_real(w + 9 * stride, o.load[i] * o.unit_k[i]);
    store_real(w + 10 * stride, o.torque[i]);
    store_real(w + 11 * stride, rate.y[Y_RATE(i)]);
  }
}

/* Integrates the pack whose first instance is `first` up to step `until`. */
FN void advance_pack(GLOBAL const sreal *params, GLOBAL sreal *state, GLOBAL sreal *spins, GLOBAL const sreal *tables,
                     GLOBAL const int *settings, sreal step, sreal until, int stride, int first) {
#if HAS_SMALL
  if (SETTING(settings, MODEL)) {
    small_advance(params + first, state + first, settings, step, until, stride);
    return;
  }
#endif
#if HAS_OMNI
  advance_omni(params, state, spins, tables, settings, step, until, stride, first);
#endif
}

/* Samples of the pack's present state. */
FN void sample_pack(GLOBAL const sreal *params, GLOBAL const sreal *state, GLOBAL const sreal *tables, GLOBAL const int *settings,
                    sreal step, GLOBAL sreal *samples, int stride, int first) {
#if HAS_SMALL
  if (SETTING(settings, MODEL)) {
    small_sample(params + first, state + first, settings, step, samples + first, stride);
    return;
  }
#endif
#if HAS_OMNI
  sample_omni(params, state, tables, settings, step, samples, stride, first);
#endif
}

#if defined(__OPENCL_C_VERSION__)
__kernel void omr_advance(__global const sreal *params, __global sreal *state, __global sreal *spins,
                          __global const sreal *tables, __global const int *settings, sreal step, sreal until, int stride,
                          int packs) {
  int pack = (int)get_global_id(0);
  if (pack < packs) advance_pack(params, state, spins, tables, settings, step, until, stride, pack * OMR_LANES);
}

__kernel void omr_sample(__global const sreal *params, __global const sreal *state, __global const sreal *tables,
                         __global const int *settings, sreal step, __global sreal *samples, int stride, int packs) {
  int pack = (int)get_global_id(0);
  if (pack < packs) sample_pack(params, state, tables, settings, step, samples, stride, pack * OMR_LANES);
}
#endif
