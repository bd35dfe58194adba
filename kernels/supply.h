/* Motors and supply as observed (appendix/observables.md#observables): where the supply's
 * energy goes, largest currents, the least voltage. Sums over a pass are by the method's own
 * quadrature over its stages, extremes are looked at in the states at both ends of a pass; nothing
 * here feeds back. Energies are powers of each part's own law, so that their balance tests the
 * laws. */

/* Energies, in the order of their state columns. */
enum { E_SUPPLY, E_SUPPLY_HEAT, E_MOTOR_HEAT, E_GEAR, E_CONTROL, E_COUNT };

/* Powers and currents at one instant. */
typedef struct electrics {
  real power[E_COUNT];
  real current[WHEELS_MAX]; /* of the motors */
  real drawn, bus;          /* current and voltage of the supply */
} electrics;

/* A motor by duty under a voltage of its own, `given` W: its converter's load on the bus. A
 * short circuit that no supply feeds heats its controller
 * (appendix/drives.md#drives).
 */
FN void draw_from_bus(real duty, real current, real given, mask held, electrics *e) {
  mask fed = gt(e->bus, R(0.0)), alone = mask_and(held, mask_not(fed));
  real converted = select_real(fed, given / e->bus, R(0.0));
  real straight = fma_real(duty, current, e->drawn);
  e->drawn = select_real(held, e->drawn + converted, straight);
  e->power[E_CONTROL] = e->power[E_CONTROL] - select_real(alone, given, R(0.0));
}

FN void add_motor_powers(const real *w, GLOBAL const int *c, int i, real asked, real rate,
                         real state, electrics *e) {
  mask held;
  real voltage = terminal_voltage(c, i, asked, e->bus);
  real led = motor_current(w, c, asked, voltage, rate, &held);
  real current = winding_current(w, c, led, state);
  geared g = through_gear(w, current, rate);
  real heat = w[W_RESISTANCE] * current * current;
  real given = motor_voltage(w, led, voltage, rate, held) * current;
  e->current[i] = current;
  e->power[E_MOTOR_HEAT] = e->power[E_MOTOR_HEAT] + heat;

  /* the motor's friction, the gear, and the difference of its two constants */
  real gear = fma_real(w[W_IDLE_TORQUE] * g.turn, rate, g.part * g.shaft * rate);
  e->power[E_GEAR] = e->power[E_GEAR] + fma_real(w[W_EMF] - w[W_PULL], current * rate, gear);
  if (DRIVE_BY(c, i) == BY_DUTY)
    draw_from_bus(clamp_real(asked, R(-1.0), R(1.0)), current, given, held, e);
  else
    e->power[E_SUPPLY] = e->power[E_SUPPLY] + given;
}

/* All of it in the state y under the drives' demands
 * (appendix/drives.md#drives). */
FN void find_electrics(const parameters *p, GLOBAL const int *c, const real *drive, const real *y,
                       electrics *e) {
  UNROLL_DEVICE for (int j = 0; j < E_COUNT; j++) e->power[j] = R(0.0);
  e->bus = bus_voltage(p->v, p->w, c, drive, y);
  e->drawn = R(0.0);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    e->current[i] = R(0.0);
    if (SETTING(c, MOTOR) && HAS_MOTOR(c, i))
      add_motor_powers(p->w[i], c, i, drive[i], y[Y_RATE(i)], CURRENT_OF(c, y, i), e);
  }
  if (!SETTING(c, RECOVERS)) { /* the controllers turn the energy that motors give back into heat */
    real back = min_real(e->drawn, R(0.0));
    e->power[E_CONTROL] = fma_real(-e->bus, back, e->power[E_CONTROL]);
    e->drawn = e->drawn - back;
  }
  e->power[E_SUPPLY] = fma_real(p->v[P_SUPPLY_VOLTAGE], e->drawn, e->power[E_SUPPLY]);
  e->power[E_SUPPLY_HEAT] = p->v[P_SUPPLY_RESISTANCE] * e->drawn * e->drawn;
}

/* Adds a stage to the weighted sums over a pass: y where it is evaluated. first: the sums start
 * with it (appendix/observables.md#observables). */
FN_COLD void add_electrics(const parameters *p, GLOBAL const int *c, real weight, const real *drive,
                           const real *y, int first, real sum[E_COUNT]) {
  electrics e;
  find_electrics(p, c, drive, y, &e);
  UNROLL_DEVICE for (int j = 0; j < E_COUNT; j++) sum[j] =
      fma_real(weight, e.power[j], first ? R(0.0) : sum[j]);
}

/* Adds a pass to the state columns of the lanes in `accepted`, as commit_motors. */
FN_COLD void commit_electrics(const real sum[E_COUNT], real factor, mask accepted, real *v) {
  UNROLL_DEVICE for (int j = 0; j < E_COUNT; j++) {
    add_compensated(&v[S_SUPPLY_ENERGY + 2 * j], &v[S_SUPPLY_ENERGY_LOW + 2 * j], factor * sum[j],
                    accepted);
  }
}

/* Largest currents and the least voltage in the state y at time t, for the lanes in `now`
 * (appendix/observables.md#observables). */
FN_COLD void observe_electrics(const parameters *p, GLOBAL const int *c, const held_state *held,
                               real t, const real *y, mask now, real *v,
                               real ts[WHEELS_MAX][T_COUNT]) {
  real drive[WHEELS_MAX];
  electrics e;
  drive_torques(p, c, held, t, drive);
  find_electrics(p, c, drive, y, &e);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++)
      take_largest(now, abs_real(e.current[i]), &ts[i][T_CURRENT_PEAK]);
  take_largest(now, e.drawn, &v[S_SUPPLY_PEAK]);
  take_smallest(now, e.bus, &v[S_SUPPLY_LEAST]);
}
