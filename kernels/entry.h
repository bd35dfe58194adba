/* Entries: load a pack, integrate or sample it, store it. One array per quantity, instance index
 * fastest (kernels/layout.h). */

/* Whether the run has a use for a column of the vehicle's state, or of a wheel's: columns of
 * observers and laws that it does not have stay in memory, and take no register. */
FN int uses_state(GLOBAL const int *c, int j) {
  int observers = SETTING(c, OBSERVERS);
  if (!OMR_COMPLIANT && j >= S_HEIGHT && j <= S_MIN_UP) return 0;
#define OF(first, last) (j >= (first) && j <= (last))
#define X(id, bit, columns, wheel_columns, meaning)                                                \
  if (columns) return observers & OBSERVER_##id;
#include "../host/lists/observers.def"
#undef X
  if (j >= S_BEARING_LOSS && j <= S_BEARING_LOSS_LOW) return observers & OBSERVERS_OF_MOTORS;
  if (j >= S_ROLLER_LOSS && j <= S_ROLLING_LOSS_LOW)
    return (observers & OBSERVERS_OF_MOTORS) && loses_by_parts(c);
  if (j == S_IMPACT || j == S_IMPACT_LOW) return OMR_CONSTRAINED;
  if (j == S_MIN_WEIGHT) return OMR_CONSTRAINED && SETTING(c, LAW) == LAW_RELAXED;
  if (j == S_MAX_SERVO) return WHEELS(c) == 1;
  if (j >= S_LAST_LEAST && j <= S_GROWTH_MOST) return chooses_loads(c);
  if (j >= S_LEFT_LEAST && j <= S_LEFT_SQUARE)
    return SETTING(c, CONTROL) && (observers & OBSERVERS_OF_EXTREMES);
  if (j == S_UNTIL) return SETTING(c, STEPPED);
  if (j == S_CUT) return SPLITS(c);
  if (j == S_PASSES) return SETTING(c, BUDGET) || OMR_CONTROLLED;
  if (j >= S_TIME && j <= S_TOLERANCE) return OMR_CONTROLLED;
  if (j >= S_HOLD_ERROR && j <= S_HOLD_YAW_RATE) return SETTING(c, HEADING) != 0;
  if (j >= S_HOLD_LATER_0 && j <= S_HOLD_LATER_7)
    return SETTING(c, HEADING) && j - S_HOLD_LATER_0 <= SETTING(c, HEADING_LAG);
  if (j >= S_WAY_TRUE_LEG && j <= S_WAY_TRUE_ALONG)
    return SETTING(c, WAY) && (SETTING(c, WAY_BITS) & WAY_ODOMETRY);
  if (j >= S_WAY_LEG && j <= S_WAY_TIME) return SETTING(c, WAY) != 0;
  return keeps_state(c, j);
}

FN int uses_wheel_state(GLOBAL const int *c, int j) {
  if (j >= T_BEARING_A && j <= T_BEARING_D) return SETTING(c, BEARING);
  if (j == T_EDGE) return SPLITS(c);
  if (j == T_REST) return edges_count(c);
  if (j == T_SECOND) return may_rest(c);
  if (j == T_HOLD_TORQUE || j == T_INTEGRAL) return SETTING(c, CONTROL);
  if (j == T_ASKED) return SETTING(c, ASKED_LIMIT) != 0;
  if (j == T_BEFORE || j == T_AFTER) return OMR_COMPLIANT;
  if (j == T_TRAVEL || j == T_TRAVEL_RATE) return OMR_COMPLIANT && SETTING(c, SUSPENSION);
  if (j >= T_BENT_I && j <= T_BENT_AFTER_K) return HAS_BRISTLES(c);
  if (j == T_CURRENT) return HAS_CURRENTS(c);
  if (j == T_STEER) return KINDS_OF(c) & KINDS_STEERED;
  if (!OMR_COMPLIANT && j >= T_ORDER_COS && j <= T_LIGHT_TIME) return 0;
#define X(id, bit, columns, wheel_columns, meaning)                                                \
  if (wheel_columns) return SETTING(c, OBSERVERS) & OBSERVER_##id;
#include "../host/lists/observers.def"
#undef X
#undef OF
  return 1;
}

/* Takes a quantity of the motion from its column, or puts it there. */
FN void keep(int put, real *quantity, real *column) {
  if (put)
    *column = *quantity;
  else
    *quantity = *column;
}

/* The motion from the columns of the state, or back to them. */
FN void keep_motion(GLOBAL const int *c, int put, motion *m, real *v,
                    real ts[WHEELS_MAX][T_COUNT]) {
  const int plain[] = {S_X, S_Z, S_YAW, S_DISSIPATED, S_WORK, S_PATH, S_VX, S_VZ, S_YAW_RATE},
            observers[O_COUNT] = {S_COMMAND_X, S_COMMAND_Z,  S_COMMAND_YAW, S_ODO_X, S_ODO_Z,
                                  S_ODO_YAW,   S_VIB_SQUARE, S_VIB_X,       S_VIB_Z};
  UNROLL_DEVICE for (int j = Y_X; j <= Y_OMEGA; j++) keep(put, &m->y[j], &v[plain[j - Y_X]]);
#if OMR_COMPLIANT
  const int vertical[] = {S_HEIGHT,       S_PITCH,       S_ROLL,         S_VY,
                          S_ROLL_RATE,    S_PITCH_RATE,  S_VERTICAL_SUM, S_VERTICAL_SQUARE,
                          S_PITCH_SQUARE, S_ROLL_SQUARE, S_FEW_TIME,     S_SUSPENSION_LOSS};
  UNROLL_DEVICE for (int j = Y_HEIGHT; j <= Y_SUSPENSION_LOSS; j++)
      keep(put, &m->y[j], &v[vertical[j - Y_HEIGHT]]);
#endif
  UNROLL_DEVICE for (int j = 0; j < O_COUNT; j++) keep(put, &m->obs[j], &v[observers[j]]);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    keep(put, &m->y[Y_Q(i)], &ts[i][T_Q]);
    keep(put, &m->y[Y_RATE(i)], &ts[i][T_RATE]);
    keep(put, &m->y[Y_SPIN(i)], &ts[i][T_SPIN]);
#if OMR_COMPLIANT
    keep(put, &m->y[Y_BEFORE(i)], &ts[i][T_BEFORE]);
    keep(put, &m->y[Y_AFTER(i)], &ts[i][T_AFTER]);
    keep(put, &m->y[Y_TRAVEL(i)], &ts[i][T_TRAVEL]);
    keep(put, &m->y[Y_TRAVEL_RATE(i)], &ts[i][T_TRAVEL_RATE]);
    if (HAS_BRISTLES(c)) {
      UNROLL_DEVICE for (int j = 0; j < BRISTLES; j++)
          keep(put, &m->y[Y_BENT(i, 0) + j], &ts[i][T_BENT_I + j]);
    }
#endif
    if (HAS_CURRENTS(c)) keep(put, &m->y[Y_CURRENT(i)], &ts[i][T_CURRENT]);
    UNROLL_DEVICE for (int j = 0; j < IDLE_COUNT; j++)
        keep(put, &m->idle[i][j], &ts[i][T_IDLE_COS + j]);
  }
}

FN void load_state(GLOBAL const sreal *state, GLOBAL const int *c, int stride, motion *m, real *v,
                   real ts[WHEELS_MAX][T_COUNT]) {
  clear_motion(m);
  UNROLL_DEVICE for (int j = 0; j < S_COUNT; j++) v[j] =
      uses_state(c, j) ? load_real(state + j * stride) : R(0.0);
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) {
    UNROLL_DEVICE for (int j = 0; j < T_COUNT; j++) {
      ts[i][j] = i < WHEELS(c) && uses_wheel_state(c, j)
                     ? load_real(state + OMR_STATE_COLUMN(i, j) * stride)
                     : R(0.0);
    }
  }
  keep_motion(c, 0, m, v, ts);
}

FN void store_state(GLOBAL sreal *state, GLOBAL const int *c, int stride, motion *m, real *v,
                    real ts[WHEELS_MAX][T_COUNT]) {
  keep_motion(c, 1, m, v, ts);
  UNROLL_DEVICE for (int j = 0; j < S_COUNT; j++) {
    if (uses_state(c, j)) store_real(state + j * stride, v[j]);
  }
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    UNROLL_DEVICE for (int j = 0; j < T_COUNT; j++) {
      if (uses_wheel_state(c, j)) store_real(state + OMR_STATE_COLUMN(i, j) * stride, ts[i][j]);
    }
  }
}

/* Spins of the pack's first lane. Spins of SPIN_BLOCK instances lie together: an exchange touches
 * two rollers of a wheel, and columns of a whole batch would lie far apart, often at distances that
 * fall into the same places of a processor's caches. */
FN GLOBAL sreal *pack_spins(GLOBAL sreal *spins, GLOBAL const int *c, int first) {
  size_t block =
      (size_t)(WHEELS(c) * SETTING(c, MAX_ROLLERS) * (SETTING(c, BEARING) ? 2 : 1)) * SPIN_BLOCK;
  return spins + (size_t)(first / SPIN_BLOCK) * block + first % SPIN_BLOCK;
}

/* The buffers of a launch, one array per quantity with the instance index fastest. */
typedef struct launch_buffers {
  GLOBAL const sreal *params;
  GLOBAL sreal *state, *spins;
  GLOBAL const sreal *tables;
  GLOBAL const int *settings; /* 0 on a device, where they are macros */
  int stride;                 /* values from one column to the next */
} launch_buffers;

FN void advance_omni(launch_buffers buffers, sreal step, sreal until, int first) {
  GLOBAL const int *c = buffers.settings;
  parameters p;
  motion m;
  real v[S_COUNT], ts[WHEELS_MAX][T_COUNT];
  load_parameters(buffers.params + first, buffers.tables, c, buffers.stride, &p);
  load_state(buffers.state + first, c, buffers.stride, &m, v, ts);
  const pack_state pack = {&m, v, ts, pack_spins(buffers.spins, c, first)};
#if OMR_CONTROLLED
  integrate(&p, c, pack, splat(step), splat(until));
#else
  real end = splat(until) * v[S_SUBSTEPS];
  if (SETTING(c, STEPPED)) end = min_real(end, v[S_UNTIL]);
  integrate(&p, c, pack, substep(splat(step), v[S_SUBSTEPS]), end);
#endif
  store_state(buffers.state + first, c, buffers.stride, &m, v, ts);
}

/* Stores the next sample column. */
FN void put_sample(GLOBAL sreal **at, int stride, real value) {
  store_real(*at, value);
  *at += stride;
}

/* Replaces the samples in the lanes where wheels rest on two rollers. */
FN void sample_resting(const parameters *p, GLOBAL const int *c, const instant *now,
                       pack_state pack, motion *rate, outputs *o) {
  mask rests = no_lane();
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) rests =
      mask_or(rests, at_edge(edge_side(pack.ts[i])));
  if (!any_lane(rests)) return;
  edge_copy own;
  edge_run run = lend_to_edges(p, c, now->held, pack, &own);
  motion resting;
  outputs seen;
  real torques[WHEELS_MAX];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) torques[i] = now->drive[i];
  clear_motion(&resting);
  mask found;
  rests = sample_edges(&run, torques, now->t, &resting, &seen, &found);
  FOR_MOTION(c, j) rate->y[j] = select_real(rests, resting.y[j], rate->y[j]);
  select_outputs(c, rests, &seen, o);
}

/* All that samples are taken from. */
typedef struct sampled {
  const parameters *p;
  GLOBAL const int *c;
  pack_state pack;
  const motion *rate;
  const outputs *o;
  const electrics *e;
} sampled;

/* In the order of host/lists/samples/vehicle.def. */
FN void sample_vehicle(const sampled *all, GLOBAL sreal **at, int stride) {
  const real *y = all->pack.m->y, *v = all->pack.v;
  const outputs *o = all->o;
  put_sample(at, stride, y[Y_X]);
  put_sample(at, stride, y[Y_Z]);
  put_sample(at, stride, fma_real(v[S_TURNS], TURN_HIGH, y[Y_YAW]));
  put_sample(at, stride, y[Y_VX]);
  put_sample(at, stride, y[Y_VZ]);
  put_sample(at, stride, y[Y_OMEGA]);
  put_sample(at, stride, o->servo);
  put_sample(at, stride, o->ax);
  put_sample(at, stride, o->az);
  put_sample(at, stride, all->rate->y[Y_OMEGA]);
#if OMR_COMPLIANT
  put_sample(at, stride, y[Y_HEIGHT]);
#else
  put_sample(at, stride, y[Y_HEAVE]);
#endif
  put_sample(at, stride, all->e->bus);
#if OMR_COMPLIANT
  put_sample(at, stride, y[Y_PITCH]);
  put_sample(at, stride, y[Y_ROLL]);
  put_sample(at, stride, y[Y_VY]);
  put_sample(at, stride, floor_height(all->p, all->c, y[Y_X], y[Y_Z]));
#else
  for (int j = 0; j < 4; j++) put_sample(at, stride, R(0.0)); /* a level platform and floor */
#endif
}

/* In the order of host/lists/samples/wheel.def. */
FN void sample_wheel(const sampled *all, int i, GLOBAL sreal **at, int stride) {
  const real *y = all->pack.m->y, *own = all->pack.ts[i];
  const outputs *o = all->o;
  real force_i, force_k;
  contact_force(o, i, &force_i, &force_k);
  put_sample(at, stride, fma_real(own[T_INDEX], R(2.0) * all->p->w[i][W_ALPHA], y[Y_Q(i)]));
  put_sample(at, stride, y[Y_RATE(i)]);
  put_sample(at, stride, own[T_ACTIVE]);
  put_sample(at, stride, y[Y_Q(i)]);
  put_sample(at, stride, y[Y_SPIN(i)]);
  put_sample(at, stride, o->slip_i[i]);
  put_sample(at, stride, o->slip_k[i]);
  put_sample(at, stride, o->load[i]);
  put_sample(at, stride, force_i);
  put_sample(at, stride, force_k);
  put_sample(at, stride, o->torque[i]);
  put_sample(at, stride, o->weight[i]);
  put_sample(at, stride, o->demand[i]);
  put_sample(at, stride, all->rate->y[Y_RATE(i)]);
  put_sample(at, stride, o->friction[i]);
  put_sample(at, stride, o->share[i]);
  put_sample(at, stride, all->e->current[i]);
#if OMR_COMPLIANT
  put_sample(at, stride, y[Y_TRAVEL(i)]);
#else
  put_sample(at, stride, R(0.0));
#endif
  put_sample(at, stride, y[Y_Q(i)]); /* of wheels that swivel, the steering angle */
}

FN void sample_omni(GLOBAL const sreal *params, GLOBAL const sreal *state,
                    GLOBAL const sreal *tables, GLOBAL const int *settings, sreal step,
                    GLOBAL sreal *samples, int stride, int first) {
  parameters p;
  motion m, rate;
  outputs o;
  held_state held;
  replay_rows kept;
  real v[S_COUNT], ts[WHEELS_MAX][T_COUNT];
  load_parameters(params + first, tables, settings, stride, &p);
  load_state(state + first, settings, stride, &m, v, ts);
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) {
    held.row[i] = ts[i][T_ROW];
    held.torque[i] = ts[i][T_HOLD_TORQUE];
    if (KINDS_OF(settings) & KINDS_STEERED) held.steer[i] = ts[i][T_STEER];
    o.weight[i] = o.demand[i] = R(0.0); /* only relaxed constraints fill them */
    o.share[i] = STANDS_ON_ONE;
  }
  real t = OMR_CONTROLLED ? v[S_TIME] + v[S_TIME_LOW]
                          : (v[S_STEP] + v[S_FRACTION]) * substep(splat(step), v[S_SUBSTEPS]);
  instant now;
  start_replays(settings, &kept, &held);
  hold_replays(&p, settings, t, &held);
  set_instant(&p, settings, &held, t, &now);
  evaluate_aside(&p, settings, &now, m.idle, m.y, 1, &rate, &o);
  const pack_state pack = {&m, v, ts, 0};
  if (may_rest(settings)) sample_resting(&p, settings, &now, pack, &rate, &o);
  electrics e;
  find_electrics(&p, settings, now.drive, m.y, &e);
  GLOBAL sreal *at = samples + first;
  const sampled all = {&p, settings, pack, &rate, &o, &e};
  sample_vehicle(&all, &at, stride);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(settings); i++) sample_wheel(&all, i, &at, stride);
}

/* Integrates the pack whose first instance is `first` up to step `until` of the run; where an error
 * estimate chooses the steps, as long as the next pass ends no later than the time `until`, and
 * `step` is the time where the motion ends. */
FN void advance_pack(launch_buffers buffers, sreal step, sreal until, int first) {
#if HAS_SMALL
  if (SETTING(buffers.settings, MODEL)) {
    small_advance(buffers.params + first, buffers.state + first, buffers.settings, step, until,
                  buffers.stride);
    return;
  }
#endif
#if HAS_OMNI
  advance_omni(buffers, step, until, first);
#endif
}

/* Samples of the pack's present state. */
FN void sample_pack(GLOBAL const sreal *params, GLOBAL const sreal *state,
                    GLOBAL const sreal *tables, GLOBAL const int *settings, sreal step,
                    GLOBAL sreal *samples, int stride, int first) {
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
/* A compiler that does not know the size of a work-group gives out registers for the largest. */
#define STATED_GROUP __attribute__((reqd_work_group_size(OMR_GROUP, 1, 1)))

__kernel STATED_GROUP void omr_advance(__global const sreal *restrict params,
                                       __global sreal *restrict state,
                                       __global sreal *restrict spins,
                                       __global const sreal *restrict tables, sreal step,
                                       sreal until, int stride, int packs) {
  int item = (int)get_global_id(0);
  const launch_buffers buffers = {params, state, spins, tables, 0, stride};
  if (item < packs) advance_pack(buffers, step, until, item * OMR_LANES);
}

__kernel STATED_GROUP void omr_sample(__global const sreal *restrict params,
                                      __global const sreal *restrict state,
                                      __global const sreal *restrict tables, sreal step,
                                      __global sreal *restrict samples, int stride, int packs) {
  int item = (int)get_global_id(0);
  if (item < packs) sample_pack(params, state, tables, 0, step, samples, stride, item * OMR_LANES);
}
#endif
