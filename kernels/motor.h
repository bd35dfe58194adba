/* Brushed motors with their gears, and the supply that feeds them
 * (appendix/drives.md#drives), in quantities at the wheel: a motor's current at its
 * terminal voltage, the torque behind the gear, and the voltage that the supply has left where all
 * motors draw on it. A run without such motors has the setting MOTOR 0, and none of this. */

/* Quantity that drive i gives: a torque, a voltage at the terminals, or a duty. */
#define DRIVE_BY(c, i) OF_WHEEL(c, i, BY)
/* Whether wheel i has a motor of its own that takes current. */
#define HAS_MOTOR(c, i) (DRIVE_BY(c, i) != BY_TORQUE)

/* Voltage that drive i puts on the terminals where the supply has `bus`
 * (appendix/drives.md#drives). */
FN real terminal_voltage(GLOBAL const int *c, int i, real asked, real bus) {
  if (DRIVE_BY(c, i) == BY_DUTY) return clamp_real(asked, R(-1.0), R(1.0)) * bus;
  return asked;
}

/* Lanes in which the drive asks for nothing and leaves the terminals open. */
FN mask motor_floats(const real *w, real asked) {
  return mask_and(eq(asked, R(0.0)), gt(w[W_COASTS], R(0.0)));
}

/* Current of the motor at a terminal voltage; *held: lanes in which it does not follow the voltage,
 * since the limit holds it or no circuit is closed (appendix/drives.md#drives). */
FN real motor_current(const real *w, GLOBAL const int *c, real asked, real voltage, real rate,
                      mask *held) {
  mask floats = motor_floats(w, asked);
  real free = fma_real(-w[W_EMF], rate, voltage) * w[W_CONDUCTANCE], current = free;
  if (SETTING(c, CURRENT_LIMIT))
    current = clamp_real(free, -w[W_CURRENT_LIMIT], w[W_CURRENT_LIMIT]);
  *held = mask_or(floats, mask_not(eq(current, free)));
  return select_real(floats, R(0.0), current);
}

/* The current of a motor: with inductance a state, which goes to `led`; without the current that
 * the voltage leads to at once (appendix/drives.md#drives). */
FN real winding_current(const real *w, GLOBAL const int *c, real led, real state) {
  if (!HAS_CURRENTS(c)) return led;
  return select_real(gt(w[W_FOLLOW], R(0.0)), state, led);
}

/* Voltage of the motor: the drive's at its terminals, and where its current is held
 * the voltage for the current `led` at the limit: the controller is a chopper, which lowers the
 * voltage and keeps the power (appendix/drives.md#drives). */
FN real motor_voltage(const real *w, real led, real voltage, real rate, mask held) {
  return select_real(held, fma_real(w[W_RESISTANCE], led, w[W_EMF] * rate), voltage);
}

/* Rate of the current of wheel i, L di/dt = u - R i - k_e w, A/s; 0 of a motor without inductance
 * (appendix/drives.md#drives). */
FN real current_rate(const real *w, GLOBAL const int *c, int i, real asked, real bus, real rate,
                     real state) {
  mask held;
  if (!HAS_MOTOR(c, i)) return R(0.0);
  real led = motor_current(w, c, asked, terminal_voltage(c, i, asked, bus), rate, &held);
  return w[W_FOLLOW] * (led - state);
}

/* Torques and powers of a motor and its gear at a current. */
typedef struct geared {
  real torque; /* at the wheel */
  real shaft;  /* at the gear's input, times the ratio */
  real turn;   /* the regularised sign of the rate, -1 to 1 */
  real part;   /* the gear's share of the shaft's torque, less than 0 where it is back-driven */
} geared;

/* The gear passes on its input torque less a part of it where power goes to the wheel, more where
 * it comes from there; in both cases that costs power, and at rest there is nothing to take
 * (appendix/drives.md#drives). */
FN geared through_gear(const real *w, real current, real rate) {
  geared g;
  g.turn = tanh_real(w[W_TURN_GAIN] * rate);
  g.shaft = fma_real(w[W_PULL], current, -(w[W_IDLE_TORQUE] * g.turn));
  mask drives = gt(g.shaft * g.turn, R(0.0));
  g.part = select_real(drives, w[W_FORWARD_PART], -w[W_BACK_PART]) * abs_real(g.turn);
  g.torque = fma_real(-g.part, g.shaft, g.shaft);
  return g;
}

/* ---- the supply */

/* A bus voltage beyond all others. */
#define NO_BORDER R(1e30)

/* A motor as the supply sees it at the bus voltage V. Between two voltages it draws slope V +
 * drawn. Where the limit holds its current the controller is a converter, which keeps the power: it
 * draws power/V, from above `above` on the motor's power at the limit, below `below` the power that
 * it takes, or gives, at the limit of the other sign (appendix/drives.md#drives). */
typedef struct bus_load {
  real slope, drawn;
  real above, below; /* V */
  real most, least;  /* W */
} bus_load;

/* Where the limit of motor i begins to hold; emf with the sign of the duty, whose size is `duty`.
 */
FN void find_borders(const real *w, real duty, real emf, bus_load *load) {
  mask drawn = gt(duty, R(0.0));
  real divisor = select_real(drawn, duty, R(1.0)), most = w[W_RESISTANCE] * w[W_CURRENT_LIMIT];
  real above = emf + most, below = emf - most;
  load->most = w[W_CURRENT_LIMIT] * above;
  load->least = -(w[W_CURRENT_LIMIT] * below);

  /* a short circuit is held at every voltage or at none */
  real always = select_real(lt(above, R(0.0)), -NO_BORDER, NO_BORDER);
  load->above = select_real(drawn, above / divisor, always);
  always = select_real(gt(below, R(0.0)), NO_BORDER, -NO_BORDER);
  load->below = select_real(drawn, below / divisor, always);
}

/* The load of a motor whose current is a state, `signed_current` with the sign of the duty: it
 * takes its share of that, and where the limit holds the voltage the power of this. An open circuit
 * is held at its back-EMF (appendix/drives.md#drives). */
FN void load_by_state(const real *w, real duty, real emf, real signed_current, mask floats,
                      bus_load *load) {
  mask lags = gt(w[W_FOLLOW], R(0.0));
  real most = w[W_RESISTANCE] * w[W_CURRENT_LIMIT], own = signed_current;
  real above = own * select_real(floats, emf, emf + most), below = own * (emf - most);
  load->slope = select_real(lags, R(0.0), load->slope);
  load->drawn = select_real(lags, duty * own, load->drawn);
  load->most = select_real(lags, above, load->most);
  load->least = select_real(lags, below, load->least);
  mask open = mask_and(lags, floats);
  load->above = select_real(open, -NO_BORDER, load->above);
}

FN bus_load bus_load_of(const real *w, GLOBAL const int *c, int i, real asked, real rate,
                        real state) {
  bus_load load = {R(0.0), R(0.0), NO_BORDER, -NO_BORDER, R(0.0), R(0.0)};
  if (DRIVE_BY(c, i) != BY_DUTY) return load;
  real duty = clamp_real(asked, R(-1.0), R(1.0)), emf = w[W_EMF] * rate;
  mask backward = lt(duty, R(0.0)), floats = motor_floats(w, asked);
  emf = select_real(backward, -emf, emf);
  duty = abs_real(duty);
  real own = duty * w[W_CONDUCTANCE];
  load.slope = own * duty;
  load.drawn = -(own * emf);
  if (!(SETTING(c, CURRENT_LIMIT) || HAS_CURRENTS(c))) return load;
  find_borders(w, duty, emf, &load);
  load.above = select_real(floats, NO_BORDER, load.above);
  load.below = select_real(floats, -NO_BORDER, load.below);
  if (HAS_CURRENTS(c))
    load_by_state(w, duty, emf, select_real(backward, -state, state), floats, &load);
  return load;
}

/* Next border below the voltage `upper`, 0 if none (appendix/drives.md#drives). */
FN real next_border(GLOBAL const int *c, const bus_load *load, real upper) {
  real lower = R(0.0);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    take_largest(lt(load[i].above, upper), load[i].above, &lower);
    take_largest(lt(load[i].below, upper), load[i].below, &lower);
  }
  return lower;
}

/* The larger voltage that solves the supply's equation by the loads between two borders; *solves:
 * lanes in which there is one (appendix/drives.md#drives). */
FN real voltage_on_piece(const real *vehicle, GLOBAL const int *c, const bus_load *load, real lower,
                         real upper, mask *solves) {
  real slope = R(0.0), drawn = R(0.0), power = R(0.0);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    mask above = ge(lower, load[i].above), below = le(upper, load[i].below);
    mask held = mask_or(above, below);
    real kept = select_real(above, load[i].most, load[i].least);
    slope = slope + select_real(held, R(0.0), load[i].slope);
    drawn = drawn + select_real(held, R(0.0), load[i].drawn);
    power = power + select_real(held, kept, R(0.0));
  }
  real inner = vehicle[P_SUPPLY_RESISTANCE];
  real a = fma_real(inner, slope, R(1.0));
  real b = fma_real(-inner, drawn, vehicle[P_SUPPLY_VOLTAGE]), product = a * (inner * power);
  real root2 = fma_real(b, b, R(-4.0) * product);
  *solves = ge(root2, R(0.0));
  real larger = (b + sqrt_real(max_real(root2, R(0.0)))) / (a + a);
  return select_real(eq(power, R(0.0)), b / a, larger);
}

/* Voltage that the supply has left: of the voltages that solve its equation the highest, to which
 * a supply comes whose load grows. Pieces lie between the voltages at which limits begin to hold;
 * looked at from above, the first one with a solution of its own has it
 * (appendix/drives.md#drives). */
FN_SHARED real supply_voltage(const real *vehicle, const real (*w)[W_COUNT], GLOBAL const int *c,
                              const real *drive, const real *y) {
  real open = vehicle[P_SUPPLY_VOLTAGE];
  if (!SETTING(c, SAG)) return open;

  /* Each motor loads the bus. */
  bus_load load[WHEELS_MAX];
  UNROLL for (int i = 0; i < WHEELS(c); i++) load[i] =
      bus_load_of(w[i], c, i, drive[i], y[Y_RATE(i)], CURRENT_OF(c, y, i));

  /* The balance of currents is in pieces: try them from the top down to the one that holds its
   * solution. */
  mask solves;
  real bus = R(0.0), upper = NO_BORDER;
  if (!(SETTING(c, CURRENT_LIMIT) || HAS_CURRENTS(c))) {
    bus = voltage_on_piece(vehicle, c, load, R(0.0), upper, &solves);
  } else {
    mask sought = eq(open, open);
    for (int piece = 0; piece <= 2 * WHEELS(c) && any_lane(sought); piece++) {
      real lower = next_border(c, load, upper);
      real found = voltage_on_piece(vehicle, c, load, lower, upper, &solves);
      mask last = le(lower, R(0.0)), own = mask_and(solves, ge(found, lower));
      mask now = mask_and(sought, mask_or(last, own));
      bus = select_real(now, found, bus);
      sought = mask_and(sought, mask_not(now));
      upper = lower;
    }
  }

  /* A supply that takes nothing back does not rise above its open voltage. */
  if (SETTING(c, RECOVERS)) return bus;
  return min_real(bus, open);
}

/* ---- the torque of a wheel's drive */

/* The torque that wheel i gets from its drive's demand; bus: supply_voltage; state: the
 * current of a motor with inductance (CURRENT_OF). *resist: how much the torque falls per wheel
 * rate at this voltage, for the matrix of the linearly implicit methods; filled where the run has
 * motors (appendix/drives.md#drives). */
FN real wheel_torque(const real *w, GLOBAL const int *c, int i, real asked, real bus, real rate,
                     real state, real *resist) {
  if (SETTING(c, MOTOR)) *resist = R(0.0);
  if (!SETTING(c, MOTOR) || !HAS_MOTOR(c, i)) return limited_torque(w, c, asked, rate);
  mask held;
  real led = motor_current(w, c, asked, terminal_voltage(c, i, asked, bus), rate, &held);
  real current = winding_current(w, c, led, state);
  if (HAS_CURRENTS(c)) held = mask_or(held, gt(w[W_FOLLOW], R(0.0)));
  geared g = through_gear(w, current, rate);
  real steep = fma_real(-g.turn, g.turn, R(1.0)) * w[W_TURN_GAIN]; /* d turn/d rate */
  real back = select_real(held, R(0.0), w[W_PULL] * w[W_EMF] * w[W_CONDUCTANCE]);
  real part = select_real(gt(g.shaft * g.turn, R(0.0)), w[W_FORWARD_PART], w[W_BACK_PART]);
  *resist = fma_real(R(1.0) - g.part, fma_real(w[W_IDLE_TORQUE], steep, back),
                     abs_real(g.shaft) * part * steep);
  return g.torque;
}

/* The bus voltage of a run; 0 without motors. */
FN real bus_voltage(const real *vehicle, const real (*w)[W_COUNT], GLOBAL const int *c,
                    const real *drive, const real *y) {
  if (!SETTING(c, MOTOR)) return R(0.0);
  return supply_voltage(vehicle, w, c, drive, y);
}
