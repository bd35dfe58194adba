/* Springs and energy of compliant contact (appendix/springs.md#springs). */
#include "compliant.h"

#include "triple.h"

omr_spring omr_spring_at(double stiffness, bool hertz, double depth) {
  if (!(depth > 0)) return (omr_spring){0, 0, 0};
  if (!hertz) return (omr_spring){stiffness * depth, stiffness, 0.5 * stiffness * depth * depth};
  const double slope = stiffness * __builtin_sqrt(depth);
  return (omr_spring){slope * depth, 1.5 * slope, 0.4 * slope * depth * depth};
}

#define PARAM(id) batch->params[(size_t)(id)*batch->stride + slot]
#define STATE(id) batch->state[(size_t)(id)*batch->stride + slot]

static double spring_energy(const omr_run_settings *s, const omr_batch *batch, size_t slot) {
  const omr_stance stance = {
      {STATE(S_HEIGHT), STATE(S_PITCH), STATE(S_ROLL)}, STATE(S_X), STATE(S_Z), STATE(S_YAW)};
  omr_floor floor;
  double energy = 0;
  omr_floor_take(s, batch, slot, &floor);
  for (int i = 0; i < s->integers[K_WHEELS]; i++) {
    double w[W_COUNT];
    omr_deep_point three[3];
    for (int j = 0; j < W_COUNT; j++) w[j] = PARAM(OMR_PARAM_COLUMN(i, j));
    omr_turn_fork((omr_wheel_kind)s->integers[K_KIND_0 + i], STATE(OMR_STATE_COLUMN(i, T_Q)), w);
    omr_deepest_on_floor(
        &floor, &stance, w, STATE(OMR_STATE_COLUMN(i, T_Q)), STATE(OMR_STATE_COLUMN(i, T_ROW)),
        s->integers[K_SUSPENSION] ? STATE(OMR_STATE_COLUMN(i, T_TRAVEL)) : 0, three);
    for (int j = 0; j < 3; j++)
      energy += omr_spring_at(w[W_CONTACT_STIFFNESS], s->integers[K_HERTZ], three[j].depth).energy;
  }
  return energy;
}

/* Energy by the travels of sprung wheels: of their masses, whose rest position the remaining terms
 * assume, of weight and of springs. lift: the direction against gravity; velocity, rate: of the
 * body origin, body axes. */
static double travel_energy(const omr_run_settings *s, const omr_batch *batch, size_t slot,
                            const double lift[3], const double velocity[3], const double rate[3]) {
  const double gravity = PARAM(P_WEIGHT) * PARAM(P_INV_MASS);
  double energy = 0;
  for (int i = 0; i < s->integers[K_WHEELS]; i++) {
    /* The wheel at rest in the body, and raised by its travel. */
    const double travel = STATE(OMR_STATE_COLUMN(i, T_TRAVEL)),
                 mass = PARAM(OMR_PARAM_COLUMN(i, W_UNSPRUNG));
    const double place[3] = {PARAM(OMR_PARAM_COLUMN(i, W_A)), PARAM(OMR_PARAM_COLUMN(i, W_RADIUS)),
                             PARAM(OMR_PARAM_COLUMN(i, W_B))},
                 raised[3] = {place[0], place[1] + travel, place[2]};

    /* Velocities of both, along with the platform. */
    double before[3], after[3];
    omr_cross3(rate, place, before);
    omr_cross3(rate, raised, after);
    for (int j = 0; j < 3; j++) {
      before[j] += velocity[j];
      after[j] += velocity[j];
    }
    after[1] += STATE(OMR_STATE_COLUMN(i, T_TRAVEL_RATE));

    /* Kinetic energy, weight and spring. */
    energy += 0.5 * mass * (omr_dot3(after, after) - omr_dot3(before, before)) +
              mass * gravity * travel * lift[1] +
              travel * (PARAM(OMR_PARAM_COLUMN(i, W_PRELOAD)) +
                        0.5 * PARAM(OMR_PARAM_COLUMN(i, W_SUSPENSION_STIFFNESS)) * travel);
  }

  return energy;
}

/* Height of the body origin against gravity, m, and that direction in body axes. */
static double raise_on_floor(const omr_run_settings *s, const omr_batch *batch, size_t slot,
                             const omr_attitude *at, double lift[3]) {
  const int wheels = s->integers[K_WHEELS];
  double level[3];
  omr_up_of(at, lift);
  if (!(s->integers[K_FLOOR] & FLOOR_SLOPE)) return at->height;
  const double up[3] = {PARAM(OMR_FLOOR_COLUMN(wheels, F_UP_X)),
                        PARAM(OMR_FLOOR_COLUMN(wheels, F_UP_Y)),
                        PARAM(OMR_FLOOR_COLUMN(wheels, F_UP_Z))};
  omr_to_level(STATE(S_YAW), up, level);
  omr_in_body(at, level, lift);
  return up[0] * STATE(S_X) + up[1] * at->height + up[2] * STATE(S_Z);
}

/* appendix/springs.md#springs */
double omr_compliant_energy(const omr_run_settings *s, const omr_batch *batch, size_t slot) {
  const omr_attitude at = {STATE(S_HEIGHT), STATE(S_PITCH), STATE(S_ROLL)};
  const double velocity[3] = {STATE(S_VX), STATE(S_VY), STATE(S_VZ)},
               rate[3] = {STATE(S_ROLL_RATE), STATE(S_YAW_RATE), STATE(S_PITCH_RATE)},
               com[3] = {PARAM(P_COM_X), PARAM(P_HEIGHT), PARAM(P_COM_Z)};
  double lift[3], turn[3], spun[3], energy = 0;

  /* Kinetic energy of the platform with its wheels' masses. */
  omr_cross3(rate, com, turn);
  for (int j = 0; j < 3; j++) turn[j] += velocity[j];

  /* Rotation about the centre of mass. */
  spun[0] = PARAM(P_J_XX) * rate[0] + PARAM(P_J_XY) * rate[1] + PARAM(P_J_XZ) * rate[2];
  spun[1] = PARAM(P_J_XY) * rate[0] + PARAM(P_J_YY) * rate[1] + PARAM(P_J_YZ) * rate[2];
  spun[2] = PARAM(P_J_XZ) * rate[0] + PARAM(P_J_YZ) * rate[1] + PARAM(P_J_ZZ) * rate[2];
  energy = 0.5 * PARAM(P_MASS) * omr_dot3(turn, turn) + 0.5 * omr_dot3(rate, spun);

  /* Momentum of the wheels along their axles couples with the platform's rate. */
  for (int i = 0; i < s->integers[K_WHEELS]; i++) {
    const omr_wheel_kind kind = (omr_wheel_kind)s->integers[K_KIND_0 + i];
    double w[W_COUNT];
    for (int j = 0; j < W_COUNT; j++) w[j] = PARAM(OMR_PARAM_COLUMN(i, j));
    omr_turn_fork(kind, STATE(OMR_STATE_COLUMN(i, T_Q)), w);
    const double axle = rate[0] * w[W_SIN] + rate[2] * w[W_COS];
    if (omr_wheel_swivels(kind)) energy += 0.5 * w[W_FORK_SPREAD] * axle * axle;
    energy += PARAM(OMR_PARAM_COLUMN(i, W_MOMENTUM)) * STATE(OMR_STATE_COLUMN(i, T_RATE)) * axle;
  }

  /* Weight, suspension and contacts. */
  const double raised = raise_on_floor(s, batch, slot, &at, lift);
  energy += PARAM(P_WEIGHT) * (raised + omr_dot3(lift, com) - com[1]);
  if (s->integers[K_SUSPENSION]) energy += travel_energy(s, batch, slot, lift, velocity, rate);
  return energy + spring_energy(s, batch, slot);
}
