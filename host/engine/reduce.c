#include "reduce.h"

#include "../../kernels/layout.h"
#include "../../kernels/scalar_math.h"
#include "../lists/frames.h"
#include "../model/small.h"
#include "../study/command.h"
#include "../study/own_names.h"
#include <math.h>

static double state_at(const omr_batch *batch, size_t slot, int column) {
  return batch->state[(size_t)column * batch->stride + slot];
}

double omr_end_time(const omr_run_settings *settings, const omr_batch *batch, size_t slot) {
  return omr_slot_time(settings, batch, slot);
}

/* Euclidean distance without libm, so that every build gives the same bits. */
static double distance(double x, double z) {
  return __builtin_sqrt(x * x + z * z);
}

#define STATE(id) state_at(batch, slot, id)

/* Copies the columns that the rows of lists/observables.def name. */
static void reduce_columns(const omr_run_settings *settings, const omr_batch *batch, size_t slot,
                           double *o) {
#define X(...)
#define COLUMN(id, column, ...) o[OMR_OBS_##id] = STATE(S_##column);
#define KEPT(id, ...)                                                                              \
  if (settings->integers[K_OBSERVED] >> OMR_KEPT_##id & 1 && isfinite(STATE(S_KEPT_##id)))         \
    o[OMR_OBS_##id] = STATE(S_KEPT_##id);
#include "../lists/observables.def"
#undef KEPT
#undef COLUMN
#undef X
}

/* Observables of the loop that follows a path. */
static void reduce_way(const omr_batch *batch, size_t slot, double *o) {
  const double looks = STATE(S_WAY_LOOKS), time = STATE(S_WAY_TIME);
  if (looks > 0) {
    o[OMR_OBS_PATH_ERROR] = __builtin_sqrt(STATE(S_WAY_SQUARE) / looks);
    o[OMR_OBS_MAX_PATH_ERROR] = __builtin_sqrt(STATE(S_WAY_MOST2));
  }
  if (time >= 0) o[OMR_OBS_PATH_TIME] = time;
}

/* Commanded heading less the gyro's where the run ends: from the loop's last sample on, which is
 * not one at the end, both go on (appendix/drives.md#drives). */
static double heading_error(const omr_study *study, const omr_batch *batch, size_t slot,
                            double time) {
#define OWN(id) batch->params[(size_t)id * batch->stride + slot]
  const double period = study->command.hold.period, inner = study->drives.period,
               every = rint(period / inner), last = ceil(time / inner - 1e-6) - 1;
  if (last < 0) return STATE(S_HOLD_ERROR);

  /* The command since then reaches up to the controllers' next sample. */
  const double first = floor(last / every) * every, since = time - first * inner,
               asked = STATE(S_HOLD_ERROR) - STATE(S_HOLD_BEFORE);
  const double turn = omr_total_yaw(batch, slot) - STATE(S_HOLD_YAW) - 2 * PI * STATE(S_HOLD_TURNS);
  return STATE(S_HOLD_BEFORE) + asked * since / ((last + 1 - first) * inner) -
         (OWN(P_GYRO_SCALE) * turn + OWN(P_GYRO_BIAS) / period * since);
#undef OWN
}

static void reduce_motion(const omr_study *study, const omr_batch *batch, size_t slot, double time,
                          double *o) {
  double x = STATE(S_X), z = STATE(S_Z), yaw = omr_total_yaw(batch, slot);
  o[OMR_OBS_FINAL_YAW] = yaw;
  if (omr_command_is_known(study)) {
    double deviation = distance(x - STATE(S_COMMAND_X), z - STATE(S_COMMAND_Z));
    o[OMR_OBS_DEVIATION] = deviation;
    o[OMR_OBS_MAX_DEVIATION] = fmax(deviation, __builtin_sqrt(STATE(S_MAX_DEVIATION2)));
    o[OMR_OBS_YAW_DEVIATION] = yaw - STATE(S_COMMAND_YAW);
  }
  if (study->command.kind == OMR_COMMAND_PATH) reduce_way(batch, slot, o);
  if (study->command.hold.given) o[OMR_OBS_HEADING_ERROR] = heading_error(study, batch, slot, time);
  if (omr_has_platform(study->model)) {
    o[OMR_OBS_ODOMETRY_ERROR] = distance(STATE(S_ODO_X) - x, STATE(S_ODO_Z) - z);
    o[OMR_OBS_ODOMETRY_YAW_ERROR] = STATE(S_ODO_YAW) - yaw;
  }
}

/* Observables of the residual acceleration from its integrals
 * (appendix/observables.md#observables). */
static void reduce_vibration(const omr_study *study, const omr_batch *batch, size_t slot,
                             double time, double *o) {
  size_t row;
  if (!(time > 0) || omr_command_jumps(study, &row)) return;

  /* Mean square of the residual; a free vehicle's mean acceleration is no vibration. */
  double square = STATE(S_VIB_SQUARE) / time, mx = STATE(S_VIB_X) / time,
         mz = STATE(S_VIB_Z) / time;
  if (!omr_command_is_known(study)) square -= mx * mx + mz * mz;
  o[OMR_OBS_VIBRATION_RMS] = __builtin_sqrt(square > 0 ? square : 0);
  o[OMR_OBS_VIBRATION_PEAK] = __builtin_sqrt(STATE(S_VIB_PEAK2));

  /* The largest amplitude at a wheel's exchange frequency. */
  double most = 0;
  for (int i = 0; i < study->wheels; i++) {
    if (omr_wheel_is_bare(study->kind[i])) continue;
    double cx = STATE(OMR_STATE_COLUMN(i, T_VIB_COS_X)),
           sx = STATE(OMR_STATE_COLUMN(i, T_VIB_SIN_X));
    double cz = STATE(OMR_STATE_COLUMN(i, T_VIB_COS_Z)),
           sz = STATE(OMR_STATE_COLUMN(i, T_VIB_SIN_Z));
    most = fmax(most, cx * cx + sx * sx + cz * cz + sz * sz);
  }

  if (!omr_has_rollers(study)) return; /* a disc has none to exchange */
  o[OMR_OBS_VIBRATION_EXCHANGE] = 2 / time * __builtin_sqrt(most);
}

/* The balance of energy (appendix/observables.md#observables). */
static void reduce_energy(const omr_study *study, const omr_run_settings *settings,
                          const omr_batch *batch, size_t slot, double initial, double *o) {
  /* The largest energy in the balance is the scale of its error. */
  double impact = STATE(S_IMPACT), lost = STATE(S_DISSIPATED), work = STATE(S_WORK),
         final = omr_kinetic_energy(settings, batch, slot),
         time = omr_end_time(settings, batch, slot);
  double scale = fmax(fmax(fabs(initial), fabs(final)), fmax(fmax(fabs(lost), impact), fabs(work)));

  o[OMR_OBS_EXTERNAL_WORK] = 0;
  if (study->external.kind) { /* the work in total includes the drives' work */
    o[OMR_OBS_DRIVE_WORK] = STATE(S_MOTOR_WORK) - STATE(S_REGENERATED);
    o[OMR_OBS_EXTERNAL_WORK] = work - o[OMR_OBS_DRIVE_WORK];
  }

  /* Energy that nobody accounts for, relative to the scale. */
  o[OMR_OBS_ENERGY_ERROR] = omr_energy_error(final - initial + lost + impact - work, scale,
                                             batch->params[(size_t)P_MASS * batch->stride + slot],
                                             time > 0 ? STATE(S_PATH) / time : 0);
  o[OMR_OBS_ENERGY_LOST] = work - (final - initial);

  /* Losses of bearings, rolling and contact, if they are observed. */
  if (!(settings->integers[K_OBSERVERS] & OMR_OBSERVER_BEARINGS)) return;
  o[OMR_OBS_BEARING_LOSS] = STATE(S_BEARING_LOSS);
  o[OMR_OBS_ROLLER_LOSS] = STATE(S_ROLLER_LOSS);
  o[OMR_OBS_ROLLING_LOSS] = STATE(S_ROLLING_LOSS);
  o[OMR_OBS_CONTACT_LOSS] = o[OMR_OBS_ENERGY_LOST] - STATE(S_BEARING_LOSS) - impact;
}

/* Work, power and torque of the drives (appendix/observables.md#observables). */
static void reduce_motors(const omr_study *study, const omr_batch *batch, size_t slot, double time,
                          double *o) {
  const double work = STATE(S_MOTOR_WORK), path = STATE(S_PATH), power = STATE(S_PEAK_POWER);
  o[OMR_OBS_MOTOR_WORK] = work;
  o[OMR_OBS_REGENERATED_WORK] = STATE(S_REGENERATED);
  if (path > 0) o[OMR_OBS_ENERGY_PER_METRE] = work / path;
  if (!(time > 0)) return;
  o[OMR_OBS_PEAK_POWER] = power;
  o[OMR_OBS_TORQUE_RMS] = o[OMR_OBS_TORQUE_PEAK] = 0;
  for (int i = 0; i < study->wheels; i++) {
    const double rms = __builtin_sqrt(STATE(OMR_STATE_COLUMN(i, T_TORQUE_SQUARE)) / time);
    const double peak = STATE(OMR_STATE_COLUMN(i, T_TORQUE_PEAK));
    o[OMR_OBS_WHEEL0_TORQUE_RMS + i] = rms;
    o[OMR_OBS_WHEEL0_TORQUE_PEAK + i] = peak;
    o[OMR_OBS_TORQUE_RMS] = fmax(o[OMR_OBS_TORQUE_RMS], rms);
    o[OMR_OBS_TORQUE_PEAK] = fmax(o[OMR_OBS_TORQUE_PEAK], peak);
  }
}

/* The energy in the windings of motors with inductance, L i^2/2 = R i^2/(2 R/L). */
static double magnetic_energy(const omr_study *study, const omr_batch *batch, size_t slot) {
  double energy = 0;
  for (int i = 0; i < study->wheels; i++) {
    const double current = STATE(OMR_STATE_COLUMN(i, T_CURRENT));
    const double
        follow = batch->params[(size_t)OMR_PARAM_COLUMN(i, W_FOLLOW) * batch->stride + slot],
        own = batch->params[(size_t)OMR_PARAM_COLUMN(i, W_RESISTANCE) * batch->stride + slot];
    if (follow > 0) energy += 0.5 * current * current * own / follow;
  }
  return energy;
}

/* Energy, heat and currents of motors and supply (appendix/observables.md#observables). */
static void reduce_supply(const omr_study *study, const omr_batch *batch, size_t slot, double time,
                          double *o) {
  const double least = STATE(S_SUPPLY_LEAST);

  /* Energies and losses over the whole run. */
  o[OMR_OBS_SUPPLY_ENERGY] = STATE(S_SUPPLY_ENERGY);
  o[OMR_OBS_SUPPLY_HEAT] = STATE(S_SUPPLY_HEAT);
  o[OMR_OBS_MOTOR_HEAT] = STATE(S_MOTOR_HEAT);
  o[OMR_OBS_GEAR_LOSS] = STATE(S_GEAR_LOSS);
  o[OMR_OBS_CONTROL_LOSS] = STATE(S_CONTROL_LOSS);
  o[OMR_OBS_MAGNETIC_ENERGY] = magnetic_energy(study, batch, slot);

  /* Rates need a time. */
  if (!(time > 0)) return;
  o[OMR_OBS_SUPPLY_CURRENT_PEAK] = STATE(S_SUPPLY_PEAK);
  if (isfinite(least) && least != 0) o[OMR_OBS_SUPPLY_VOLTAGE_MIN] = least;

  /* The largest current of any wheel. */
  o[OMR_OBS_CURRENT_PEAK] = 0;
  for (int i = 0; i < study->wheels; i++) {
    const double peak = STATE(OMR_STATE_COLUMN(i, T_CURRENT_PEAK));
    o[OMR_OBS_WHEEL0_CURRENT_PEAK + i] = peak;
    o[OMR_OBS_CURRENT_PEAK] = fmax(o[OMR_OBS_CURRENT_PEAK], peak);
  }
}

/* Times without grip; a slide that the run ends counts as one that ended there
 * (appendix/observables.md#observables). */
static void reduce_grip(const omr_study *study, const omr_batch *batch, size_t slot, double *o) {
  const double tau = STATE(S_GRIP_PASS);
  o[OMR_OBS_LOST_GRIP_TIME] = 0;
  for (int i = 0; i < study->wheels; i++) {
#define OF_WHEEL(id) STATE(OMR_STATE_COLUMN(i, id))
    const bool slides = OF_WHEEL(T_GRIP_SLIP) > OF_WHEEL(T_GRIP_SPEED);
    const bool counts = slides && OF_WHEEL(T_GRIP_EXCUSED) - tau * OF_WHEEL(T_GRIP_RATE) < 0;
    const double lost = OF_WHEEL(T_LOST_GRIP) + (counts ? OF_WHEEL(T_SLIDE) + tau : 0);
#undef OF_WHEEL
    o[OMR_OBS_WHEEL0_LOST_GRIP_TIME + i] = lost;
    o[OMR_OBS_LOST_GRIP_TIME] = fmax(o[OMR_OBS_LOST_GRIP_TIME], lost);
  }
}

/* Slip as encoders see it: rms and peak of a difference of rates, whose columns begin at `now`, of
 * wheel i; NaN where the odometry has no value. */
static void reduce_slip(const omr_batch *batch, size_t slot, int i, int now, double time,
                        double *rms, double *peak) {
  const double
      square = STATE(OMR_STATE_COLUMN(i, now + 1)),
      most = STATE(OMR_STATE_COLUMN(i, now + 3)),
      radius = batch->params[(size_t)OMR_PARAM_COLUMN(i, W_NOMINAL_RADIUS) * batch->stride + slot];
  *rms = radius * __builtin_sqrt(fmax(square, 0) / time);
  *peak = isfinite(square) ? radius * __builtin_sqrt(most) : (double)NAN;
  if (!isfinite(square)) *rms = (double)NAN;
}

/* Of all wheels that have it; encoders: against what controllers ask for, else against the motion
 * that odometry sees (appendix/observables.md#observables). */
static void reduce_slips(const omr_study *study, const omr_batch *batch, size_t slot, double time,
                         bool encoders, double *o) {
  const int all = encoders ? OMR_OBS_ENCODER_SLIP : OMR_OBS_TRACKING_SLIP,
            most = encoders ? OMR_OBS_MAX_ENCODER_SLIP : OMR_OBS_MAX_TRACKING_SLIP,
            single = encoders ? OMR_OBS_WHEEL0_ENCODER_SLIP : OMR_OBS_WHEEL0_TRACKING_SLIP;
  if (!(time > 0)) return;
  for (int i = 0; i < study->wheels; i++) {
    double rms, peak;
    const bool swivels = omr_wheel_swivels(study->kind[i]),
               follows = study->drives.law[i] == OMR_DRIVE_BODY;
    if (encoders && !omr_is_controller(study->drives.law[i])) continue;
    if (swivels && (!encoders || follows)) continue;
    reduce_slip(batch, slot, i, encoders ? T_ENCODER_NOW : T_TRACKING_NOW, time, &rms, &peak);
    o[single + i] = rms;
    o[all] = fmax(o[all], rms);
    o[most] = fmax(o[most], peak);
  }
}

/* Observables of a platform that heaves, pitches and rolls
 * (appendix/observables.md#observables). */
static void reduce_vertical(const omr_batch *batch, size_t slot, double time, double *o) {
  const double up = fmin(STATE(S_MIN_UP), 1);
  o[OMR_OBS_FINAL_HEIGHT] = STATE(S_HEIGHT);
  o[OMR_OBS_MAX_TILT] = omr_math_atan2(__builtin_sqrt(1 - up * up), up);
  o[OMR_OBS_FEW_WHEELS_TIME] = STATE(S_FEW_TIME);
  o[OMR_OBS_WHEEL_LIFTINGS] = STATE(S_LIFTINGS);
  o[OMR_OBS_SUSPENSION_LOSS] = STATE(S_SUSPENSION_LOSS);
  if (!(time > 0)) return;
  const double mean = STATE(S_VERTICAL_SUM) / time,
               square = STATE(S_VERTICAL_SQUARE) / time - mean * mean;
  o[OMR_OBS_VERTICAL_RMS] = __builtin_sqrt(fmax(square, 0));
  o[OMR_OBS_VERTICAL_PEAK] = __builtin_sqrt(STATE(S_MAX_VERTICAL2));
  o[OMR_OBS_PITCH_RMS] = __builtin_sqrt(STATE(S_PITCH_SQUARE) / time);
  o[OMR_OBS_ROLL_RMS] = __builtin_sqrt(STATE(S_ROLL_SQUARE) / time);
  o[OMR_OBS_PITCH_PEAK] = __builtin_sqrt(STATE(S_MAX_PITCH2));
  o[OMR_OBS_ROLL_PEAK] = __builtin_sqrt(STATE(S_MAX_ROLL2));
}

/* Amplitude over the run of two columns of a wheel, which hold a quantity times cos and sin of n
 * chi, without its mean. */
static double order_of(const omr_batch *batch, size_t slot, int wheel, int cosine, double mean,
                       double time) {
  const double c = STATE(OMR_STATE_COLUMN(wheel, cosine)) -
                   mean * STATE(OMR_STATE_COLUMN(wheel, T_ORDER_COS)),
               s = STATE(OMR_STATE_COLUMN(wheel, cosine + 1)) -
                   mean * STATE(OMR_STATE_COLUMN(wheel, T_ORDER_SIN));
  return 2 / time * distance(c, s);
}

/* Vertical motion in phase with the exchanges, and loads of wheels
 * (appendix/observables.md#observables). */
static void reduce_heave(const omr_study *study, const omr_batch *batch, size_t slot, double time,
                         double *o) {
  static const int orders[][2] = {{OMR_OBS_VERTICAL_EXCHANGE, T_HEAVE_COS},
                                  {OMR_OBS_HEIGHT_EXCHANGE, T_HEIGHT_COS},
                                  {OMR_OBS_PITCH_EXCHANGE, T_PITCH_COS},
                                  {OMR_OBS_ROLL_EXCHANGE, T_ROLL_COS}};
  if (!(time > 0)) return;

  /* Means over the run; observables of the vehicle start at 0. */
  const double height = STATE(S_HEIGHT_SUM) / time,
               share = batch->params[P_WEIGHT * batch->stride + slot] / study->wheels;
  o[OMR_OBS_LOAD_MEAN] = o[OMR_OBS_LOAD_DEVIATION] = o[OMR_OBS_LOAD_COEFFICIENT] =
      o[OMR_OBS_LIGHT_SHARE] = 0;
  for (int j = 0; j < 4; j++) o[orders[j][0]] = 0;

  /* Amplitudes at the exchange frequency: the wheel with the largest counts. */
  for (int i = 0; i < study->wheels; i++) {
    for (int j = 0; j < 4; j++) {
      const double mean = orders[j][1] == T_HEIGHT_COS ? height : 0,
                   found = order_of(batch, slot, i, orders[j][1], mean, time);
      o[orders[j][0]] = fmax(o[orders[j][0]], found);
    }

    /* Loads of the wheel, from their deviation from an equal share. */
    const double over = STATE(OMR_STATE_COLUMN(i, T_LOAD_SUM)) / time, load = share + over,
                 square = STATE(OMR_STATE_COLUMN(i, T_LOAD_SQUARE)) / time - over * over,
                 deviation = __builtin_sqrt(fmax(square, 0));
    o[OMR_OBS_WHEEL0_LOAD_MEAN + i] = load;
    o[OMR_OBS_WHEEL0_LOAD_DEVIATION + i] = deviation;
    o[OMR_OBS_LOAD_MEAN] += load / study->wheels;
    o[OMR_OBS_LOAD_DEVIATION] = fmax(o[OMR_OBS_LOAD_DEVIATION], deviation);
    if (load > 0) o[OMR_OBS_LOAD_COEFFICIENT] = fmax(o[OMR_OBS_LOAD_COEFFICIENT], deviation / load);
    o[OMR_OBS_LIGHT_SHARE] =
        fmax(o[OMR_OBS_LIGHT_SHARE], STATE(OMR_STATE_COLUMN(i, T_LIGHT_TIME)) / time);
  }
}

/* All observables, in the frame of the kernels. */
static void reduce(const omr_study *study, const omr_run_settings *settings, const omr_batch *batch,
                   size_t slot, double initial_energy, double o[OMR_OBS_COUNT]) {
  /* Instances that never ran have no observables, and small models have their own. */
  for (int i = 0; i < OMR_OBS_COUNT; i++) o[i] = (double)NAN;
  if (state_at(batch, slot, settings->status_column) == OMR_INSTANCE_INVALID) return;
  const omr_small_model *small = omr_small_model_of(study->model);
  if (small) {
    omr_small_reduce(study, small, settings, batch, slot, initial_energy, o);
    return;
  }

  /* Motion and energy, then the observables of optional observers. */
  const int observers = settings->integers[K_OBSERVERS];
  const double time = omr_end_time(settings, batch, slot);
  reduce_columns(settings, batch, slot, o);
  reduce_motion(study, batch, slot, time, o);
  reduce_energy(study, settings, batch, slot, initial_energy, o);
  if (observers & OMR_OBSERVER_VIBRATION) reduce_vibration(study, batch, slot, time, o);
  if (observers & OMR_OBSERVER_MOTORS) reduce_motors(study, batch, slot, time, o);
  if (observers & OMR_OBSERVER_SUPPLY) reduce_supply(study, batch, slot, time, o);
  if (observers & OMR_OBSERVER_GRIP) reduce_grip(study, batch, slot, o);
  if (observers & OMR_OBSERVER_ENCODER) reduce_slips(study, batch, slot, time, true, o);
  if (observers & OMR_OBSERVER_TRACKING) reduce_slips(study, batch, slot, time, false, o);
  if (study->contact.compliant) reduce_vertical(batch, slot, time, o);
  if (observers & OMR_OBSERVER_HEAVE) reduce_heave(study, batch, slot, time, o);

  /* Extremes of contact. */
  o[OMR_OBS_MAX_SLIP] = __builtin_sqrt(STATE(S_MAX_SLIP2));
  o[OMR_OBS_MAX_FORCE_RATIO] = __builtin_sqrt(STATE(S_MAX_RATIO2));
  if (study->contact.law == OMR_LAW_RELAXED) o[OMR_OBS_MIN_WEIGHT] = STATE(S_MIN_WEIGHT);

  /* Loads, where any were seen. */
  double least = STATE(S_MIN_LOAD), most = STATE(S_MAX_LOAD);
  if (isfinite(least)) o[OMR_OBS_MIN_LOAD] = least;
  if (isfinite(most)) o[OMR_OBS_MAX_LOAD] = most;

  /* Observables of single models. */
  if (study->model == OMR_MODEL_WHEEL) o[OMR_OBS_MAX_SERVO_TORQUE] = STATE(S_MAX_SERVO);
  if (!omr_has_rollers(study)) return; /* it has no exchanges */
  o[OMR_OBS_EXCHANGES] = STATE(S_EXCHANGES);
  o[OMR_OBS_EDGE_HOLDS] = STATE(S_HOLDS);
#undef STATE
}

void omr_reduce(const omr_study *study, const omr_run_settings *settings, const omr_batch *batch,
                size_t slot, double initial_energy, double o[OMR_OBS_COUNT]) {
  reduce(study, settings, batch, slot, initial_energy, o);
  omr_turn_observables(study->frame, o);
}
