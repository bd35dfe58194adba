/* Observed drives and bearings (appendix/observables.md#observables): the motors' work and the part
 * that they get back, torques, losses in the bearings. Sums over a pass are by the method's own
 * quadrature over its stages; the largest torque and power are looked at in the states at both ends
 * of a pass. The torque of a wheel with a prescribed rate is the right-hand side's, in the first
 * and the last stage. Nothing here feeds back. A time loop calls add_motors at every stage,
 * commit_motors where a pass is accepted and observe_motors at its ends. */

#define OBSERVERS_OF_MOTORS (OBSERVER_MOTORS | OBSERVER_BEARINGS | OBSERVER_SUPPLY)
/* Those that look at the states at both ends of a pass. */
#define OBSERVERS_OF_ENDS (OBSERVER_MOTORS | OBSERVER_SUPPLY)

/* Weighted sums over the stages of a pass. */
typedef struct motor_sums {
  real work, regenerated;  /* positive and negative parts of the drives' powers, each drive by
                              itself; both are positive */
  real bearings;           /* power lost in the bearings */
  real rollers, rolling;   /* part of it in rollers' bearings; power lost by rolling resistance */
  real square[WHEELS_MAX]; /* squared torques */
  real electric[E_COUNT];  /* supply.h */
  real first[WHEELS_MAX], last[WHEELS_MAX]; /* torques at the first and at the last stage, N m:
                                               where rates are prescribed */
} motor_sums;

/* Whether rollers lose anything in their bearings, or by rolling. */
FN int loses_by_parts(GLOBAL const int *c) {
  return SETTING(c, BEARING) || SETTING(c, DRY);
}

/* Adds a stage: y where it is evaluated under the drives' demands, o its outputs.
 * first: the sums start with it (appendix/observables.md#observables). */
FN void add_motors(const parameters *p, GLOBAL const int *c, real weight, const real *drive,
                   const real *y, const outputs *o, int first, motor_sums *sum) {
  if (SETTING(c, OBSERVERS) & OBSERVER_SUPPLY)
    add_electrics(p, c, weight, drive, y, first, sum->electric);
  if (first) {
    sum->work = sum->regenerated = sum->bearings = sum->rollers = sum->rolling = R(0.0);
    UNROLL for (int i = 0; i < WHEELS(c); i++) sum->square[i] = R(0.0);
  }
  sum->bearings = fma_real(weight, o->bearings, sum->bearings);
  if (loses_by_parts(c)) {
    sum->rollers = fma_real(weight, o->rollers, sum->rollers);
    sum->rolling = fma_real(weight, o->rolling, sum->rolling);
  }
  if (!(SETTING(c, OBSERVERS) & OBSERVER_MOTORS)) return;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real torque = o->torque[i], power = torque * y[Y_RATE(i)];
    sum->work = fma_real(weight, max_real(power, R(0.0)), sum->work);
    sum->regenerated = fma_real(weight, max_real(-power, R(0.0)), sum->regenerated);
    sum->square[i] = fma_real(weight, torque * torque, sum->square[i]);
    if (!is_rated(c, i)) continue;
    if (first) sum->first[i] = torque;
    sum->last[i] = torque;
  }
}

/* Adds a pass to the state columns of the lanes in `accepted`; factor: length of the pass over the
 * sum of its stages' weights. */
FN void commit_motors(GLOBAL const int *c, const motor_sums *sum, real factor, mask accepted,
                      real *v, real ts[WHEELS_MAX][T_COUNT]) {
  if (SETTING(c, OBSERVERS) & OBSERVER_SUPPLY) commit_electrics(sum->electric, factor, accepted, v);
  add_compensated(&v[S_BEARING_LOSS], &v[S_BEARING_LOSS_LOW], factor * sum->bearings, accepted);
  if (loses_by_parts(c)) {
    add_compensated(&v[S_ROLLER_LOSS], &v[S_ROLLER_LOSS_LOW], factor * sum->rollers, accepted);
    add_compensated(&v[S_ROLLING_LOSS], &v[S_ROLLING_LOSS_LOW], factor * sum->rolling, accepted);
  }
  if (!(SETTING(c, OBSERVERS) & OBSERVER_MOTORS)) return;
  add_compensated(&v[S_MOTOR_WORK], &v[S_MOTOR_WORK_LOW], factor * sum->work, accepted);
  add_compensated(&v[S_REGENERATED], &v[S_REGENERATED_LOW], factor * sum->regenerated, accepted);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    add_compensated(&ts[i][T_TORQUE_SQUARE], &ts[i][T_TORQUE_SQUARE_LOW], factor * sum->square[i],
                    accepted);
  }
}

/* Largest torques, and largest power of all drives together, in the state m->y at time t, for the
 * lanes in `now`; rated: torques of the wheels whose rates are prescribed
 * (appendix/observables.md#observables). */
FN_COLD void observe_motors(const parameters *p, GLOBAL const int *c, const held_state *held,
                            real t, const real *rated, mask now, pack_state pack) {
  if (SETTING(c, OBSERVERS) & OBSERVER_SUPPLY)
    observe_electrics(p, c, held, t, pack.m->y, now, pack.v, pack.ts);
  if (!(SETTING(c, OBSERVERS) & OBSERVER_MOTORS)) return;
  real drive[WHEELS_MAX], power = R(0.0), resist;
  drive_torques(p, c, held, t, drive);
  const real bus = bus_voltage(p->v, p->w, c, drive, pack.m->y);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real rate = pack.m->y[Y_RATE(i)];
    real torque =
        given_torque(p->w[i], c, i, drive[i], bus, rate, CURRENT_OF(c, pack.m->y, i), &resist);
    if (is_rated(c, i)) torque = rated[i];
    power = fma_real(torque, rate, power);
    take_largest(now, abs_real(torque), &pack.ts[i][T_TORQUE_PEAK]);
  }
  take_largest(now, power, &pack.v[S_PEAK_POWER]);
}
