/* Brushed motors with their gears, and the supply that feeds them
 * (PHYSICS.md#12-ground-drives-controllers), in quantities at the wheel: a motor's current at its
 * terminal voltage, what gets through the gear, and the voltage that the supply has left where all
 * motors draw on it. A run without such motors has the setting MOTOR 0, and none of this. */

/* What drive i gives: a torque, a voltage at the terminals, or a duty. */
#define DRIVE_BY(c, i) OF_WHEEL(c, i, BY)
/* Whether wheel i has a motor of its own that takes current. */
#define HAS_MOTOR(c, i) (DRIVE_BY(c, i) != BY_TORQUE)

/* Voltage that drive i puts on the terminals where the supply has `bus`
 * (PHYSICS.md#12-ground-drives-controllers). */
FN real terminal_voltage(GLOBAL const int *c, int i, real asked, real bus) {
  if (DRIVE_BY(c, i) == BY_DUTY) return clamp_real(asked, R(-1.0), R(1.0)) * bus;
  return asked;
}

/* Lanes in which the drive asks for nothing and leaves the terminals open. */
FN mask motor_floats(const real *w, real asked) {
  return mask_and(eq(asked, R(0.0)), gt(w[W_COASTS], R(0.0)));
}

/* Current of the motor at a terminal voltage; *held: lanes in which it does not follow the voltage,
 * since the limit holds it or no circuit is closed (PHYSICS.md#12-ground-drives-controllers). */
FN real motor_current(const real *w, GLOBAL const int *c, real asked, real voltage, real rate,
                      mask *held) {
  mask floats = motor_floats(w, asked);
  real free = fma_real(-w[W_EMF], rate, voltage) * w[W_CONDUCTANCE], current = free;
  if (SETTING(c, CURRENT_LIMIT))
    current = clamp_real(free, -w[W_CURRENT_LIMIT], w[W_CURRENT_LIMIT]);
  *held = mask_or(floats, mask_not(eq(current, free)));
  return select_real(floats, R(0.0), current);
}

/* What a motor and its gear do with a current. */
typedef struct geared {
  real torque; /* at the wheel */
  real shaft;  /* at the gear's input, times the ratio */
  real turn;   /* the regularised sign of the rate, -1 to 1 */
  real part;   /* what the gear takes of the shaft's torque, less than 0 where it is back-driven */
} geared;

/* The gear passes on its input torque less a part of it where power goes to the wheel, more where
 * it comes from there; in both cases that costs power, and at rest there is nothing to take
 * (PHYSICS.md#12-ground-drives-controllers). */
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

/* A motor as the supply sees it at the bus voltage V: it draws |d| i with i = (|d| V - emf)/R
 * within its limit, d the duty, emf with the sign of d. */
typedef struct bus_load {
  real duty, emf, conductance, resistance, limit;
} bus_load;

FN bus_load bus_load_of(const real *w, GLOBAL const int *c, int i, real asked, real rate) {
  bus_load load;
  real duty = R(0.0);
  if (DRIVE_BY(c, i) == BY_DUTY) duty = clamp_real(asked, R(-1.0), R(1.0));
  real emf = w[W_EMF] * rate;
  load.duty = abs_real(duty);
  load.emf = select_real(lt(duty, R(0.0)), -emf, emf);
  load.conductance = w[W_CONDUCTANCE];
  load.resistance = w[W_RESISTANCE];
  load.limit = w[W_CURRENT_LIMIT];
  return load;
}

/* What the supply's equation V - V_0 + R_i I(V) = 0 comes to at a voltage. */
FN real bus_excess(const real *vehicle, GLOBAL const int *c, const bus_load *load, real bus) {
  real drawn = R(0.0);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real current = fma_real(load[i].duty, bus, -load[i].emf) * load[i].conductance;
    drawn = fma_real(load[i].duty, clamp_real(current, -load[i].limit, load[i].limit), drawn);
  }
  return fma_real(vehicle[P_SUPPLY_RESISTANCE], drawn, bus - vehicle[P_SUPPLY_VOLTAGE]);
}

/* Whether the limit holds a motor's current at the solution, from above (side 1) or below (-1): the
 * excess grows with the voltage, so that its sign where the limit begins to hold tells on which
 * side of it the solution lies (PHYSICS.md#12-ground-drives-controllers). */
FN mask limit_holds(const real *vehicle, GLOBAL const int *c, const bus_load *load, int i,
                    real side) {
  const bus_load *own = &load[i];
  mask drawn = gt(own->duty, R(0.0));
  real duty = select_real(drawn, own->duty, R(1.0));
  real edge = fma_real(side * own->limit, own->resistance, own->emf) / duty;
  return mask_and(drawn, le(side * bus_excess(vehicle, c, load, edge), R(0.0)));
}

/* Voltage that the supply has left. Its equation is linear between the voltages at which limits
 * begin to hold, so that the pieces' borders tell the piece and the piece the voltage, without
 * iteration (PHYSICS.md#12-ground-drives-controllers). */
FN real supply_voltage(const real *vehicle, const real (*w)[W_COUNT], GLOBAL const int *c,
                       const real *drive, const real *y) {
  real open = vehicle[P_SUPPLY_VOLTAGE];
  if (!SETTING(c, SAG)) return open;
  bus_load load[WHEELS_MAX];
  UNROLL for (int i = 0; i < WHEELS(c); i++) load[i] =
      bus_load_of(w[i], c, i, drive[i], y[Y_RATE(i)]);
  real slope = R(0.0), drawn = R(0.0); /* current: slope times V plus drawn */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real own = load[i].duty * load[i].conductance;
    real more = own * load[i].duty, start = -(own * load[i].emf);
    if (SETTING(c, CURRENT_LIMIT)) {
      mask above = limit_holds(vehicle, c, load, i, R(1.0));
      mask below = limit_holds(vehicle, c, load, i, R(-1.0));
      real most = load[i].duty * load[i].limit;
      start = select_real(above, most, select_real(below, -most, start));
      more = select_real(mask_or(above, below), R(0.0), more);
    }
    slope = slope + more;
    drawn = drawn + start;
  }
  real inner = vehicle[P_SUPPLY_RESISTANCE];
  real bus = fma_real(-inner, drawn, open) / fma_real(inner, slope, R(1.0));
  if (SETTING(c, RECOVERS)) return bus;
  return min_real(bus, open);
}

/* ---- the torque of a wheel's drive */

/* The torque that wheel i gets from what its drive asks for; bus: supply_voltage. *resist: how much
 * the torque falls per wheel rate at this voltage, for the matrix of the linearly implicit methods;
 * filled where the run has motors (PHYSICS.md#12-ground-drives-controllers). */
FN real wheel_torque(const real *w, GLOBAL const int *c, int i, real asked, real bus, real rate,
                     real *resist) {
  if (SETTING(c, MOTOR)) *resist = R(0.0);
  if (!SETTING(c, MOTOR) || !HAS_MOTOR(c, i)) return limited_torque(w, c, asked, rate);
  mask held;
  real current = motor_current(w, c, asked, terminal_voltage(c, i, asked, bus), rate, &held);
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
