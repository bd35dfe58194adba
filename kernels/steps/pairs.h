/* Embedded pairs: methods whose stages give a solution and an estimate of its error, for steps that
 * the error chooses (controlled.h; explanation/steps.md#two-kinds-of-steps).
 *
 * Laws of friction: ROS34PW2 (J. Rang, L. Angermann, BIT Numer. Math. 45, 2005), a W-method of
 * order 3 with an embedded one of order 2, stiffly accurate and L-stable. With the matrix A of
 * rosenbrock.h,
 *
 *   (I - g h A) k_s = h f(t + c_s h, u + sum a_sl k_l) + h A sum g_sl k_l,
 *   u' = u + sum b_s k_s,  error sum e_s k_s.
 *
 * The unknowns are w_s = k_s + sum (g_sl/g) k_l, since (I - g h A) w_s = h f + sum (g_sl/g)
 * k_l. Stiffly accurate: the last k is h f at the end of the pass, up to the defect of A. It is
 * stable for A = theta f' with theta from 0.7 on.
 *
 * Laws that are constraints: the pair of orders 5 and 4 of Dormand and Prince (J. Comput. Appl.
 * Math. 6, 1980), whose last stage is f at the end of the pass.
 *
 * Laws of friction where a loose tolerance will do: ROS2 (rosenbrock.h), of order 2 with any
 * matrix, with the linearly implicit Euler method that is its first stage as embedded one of
 * order 1. A pass has half of the stages. g = (3 + sqrt 3)/6 makes it of order 3 where A = f', and
 * its amplification at infinity, 1 - 2/x + 1/(2 x^2) with x = g theta for A = theta f', stays
 * between -1 and 1 from theta = 0.32 on; it is -0.73 for A = f', so that fast slip needs some
 * passes to decay, which its error sees. */

/* Stages that there is room for. The kind of law decides, so that an object or a device has the
 * pairs of one kind. */
#define PAIR_STAGES (OMR_CONSTRAINED ? 7 : 4)
#define PAIR_INSIDE                                                                                \
  2 /* the stage whose loads and slips tell of the inside of a pass; ROS2 has none */

/* A linearly implicit pair: a_sl and g_sl/g by rows s = 1 .. 3; c, b, e of all stages. */
typedef struct ros_table {
  sreal gamma;
  sreal a[3][3], g[3][3];
  sreal c[4], b[4], e[4];
} ros_table;

TABLE ros_table ros_tables[2] = {
    {LIT(0.435866521508459),
     {{LIT(0.87173304301691801), LIT(0.0), LIT(0.0)},
      {LIT(0.84457060015369423), LIT(-0.11299064236484185), LIT(0.0)},
      {LIT(0.0), LIT(0.0), LIT(1.0)}},
     {{LIT(-2.0), LIT(0.0), LIT(0.0)},
      {LIT(-2.072608299907954), LIT(0.12430565256672007), LIT(0.0)},
      {LIT(0.5554998952959375), LIT(-2.806479790351998), LIT(1.2509798950560604)}},
     {LIT(0.0), LIT(0.87173304301691801), LIT(0.73157995778885238), LIT(1.0)},
     {LIT(0.24212380706095346), LIT(-1.2232505839045147), LIT(1.545260255335102),
      LIT(0.435866521508459)},
     {LIT(-0.13598522439724023), LIT(-1.1272082916920915), LIT(1.045260255335102),
      LIT(0.2179332607542295)}},
    {LIT(0.78867513459481288),
     {{LIT(1.0), LIT(0.0), LIT(0.0)},
      {LIT(0.0), LIT(0.0), LIT(0.0)},
      {LIT(0.0), LIT(0.0), LIT(0.0)}},
     {{LIT(-2.0), LIT(0.0), LIT(0.0)},
      {LIT(0.0), LIT(0.0), LIT(0.0)},
      {LIT(0.0), LIT(0.0), LIT(0.0)}},
     {LIT(0.0), LIT(1.0), LIT(0.0), LIT(0.0)},
     {LIT(0.5), LIT(0.5), LIT(0.0), LIT(0.0)},
     {LIT(-0.5), LIT(0.5), LIT(0.0), LIT(0.0)}}};

TABLE sreal dopri_a[6][6] = {
    {LIT(0.2), LIT(0.0), LIT(0.0), LIT(0.0), LIT(0.0), LIT(0.0)},
    {LIT(0.075), LIT(0.225), LIT(0.0), LIT(0.0), LIT(0.0), LIT(0.0)},
    {LIT(0.9777777777777777), LIT(-3.7333333333333334), LIT(3.5555555555555554), LIT(0.0), LIT(0.0),
     LIT(0.0)},
    {LIT(2.9525986892242035), LIT(-11.595793324188385), LIT(9.822892851699436),
     LIT(-0.2908093278463649), LIT(0.0), LIT(0.0)},
    {LIT(2.8462752525252526), LIT(-10.757575757575758), LIT(8.906422717743473),
     LIT(0.2784090909090909), LIT(-0.2735313036020583), LIT(0.0)},
    {LIT(0.09114583333333333), LIT(0.0), LIT(0.44923629829290207), LIT(0.6510416666666666),
     LIT(-0.322376179245283), LIT(0.13095238095238096)}};
TABLE sreal dopri_c[7] = {LIT(0.0), LIT(0.2), LIT(0.3), LIT(0.8), LIT(0.8888888888888888),
                          LIT(1.0), LIT(1.0)};
TABLE sreal dopri_b[7] = {LIT(0.09114583333333333),
                          LIT(0.0),
                          LIT(0.44923629829290207),
                          LIT(0.6510416666666666),
                          LIT(-0.322376179245283),
                          LIT(0.13095238095238096),
                          LIT(0.0)};
TABLE sreal dopri_e[7] = {LIT(0.0012326388888888888),
                          LIT(0.0),
                          LIT(-0.0042527702905061394),
                          LIT(0.03697916666666667),
                          LIT(-0.05086379716981132),
                          LIT(0.0419047619047619),
                          LIT(-0.025)};

/* Whether the pair is ROS2; then the last of its stages, and the order of its error estimate. */
FN int is_ros2(GLOBAL const int *c) {
  return !OMR_CONSTRAINED && SETTING(c, METHOD) == METHOD_ROS2;
}
FN int last_stage(GLOBAL const int *c) {
  return OMR_CONSTRAINED ? 6 : is_ros2(c) ? 1 : 3;
}
FN int pair_estimate_order(GLOBAL const int *c) {
  return OMR_CONSTRAINED ? 4 : is_ros2(c) ? 1 : 2;
}

/* a_sl of stage s from 1 on, c_s, b_s, e_s. */
FN real pair_reach(GLOBAL const int *c, int stage, int l) {
  return splat(OMR_CONSTRAINED ? dopri_a[stage - 1][l] : ros_tables[is_ros2(c)].a[stage - 1][l]);
}
FN real pair_time(GLOBAL const int *c, int stage) {
  return splat(OMR_CONSTRAINED ? dopri_c[stage] : ros_tables[is_ros2(c)].c[stage]);
}
FN real pair_weight(GLOBAL const int *c, int stage) {
  return splat(OMR_CONSTRAINED ? dopri_b[stage] : ros_tables[is_ros2(c)].b[stage]);
}
FN real pair_defect(GLOBAL const int *c, int stage) {
  return splat(OMR_CONSTRAINED ? dopri_e[stage] : ros_tables[is_ros2(c)].e[stage]);
}

/* Where a stage stands: base plus tau times the reached sum of the rates before it, over all that
 * the rates depend on. */
FN_COLD void reach_stage(GLOBAL const int *c, const motion *base, int stage, real tau,
                         const motion *rates, motion *at) {
  FOR_MOTION(c, j) {
    if (!feeds_back(c, j)) continue;
    real sum = pair_reach(c, stage, 0) * rates[0].y[j];
    for (int l = 1; l < stage; l++) sum = fma_real(pair_reach(c, stage, l), rates[l].y[j], sum);
    at->y[j] = fma_real(tau, sum, base->y[j]);
  }
  if (SETTING(c, OBSERVERS)) {
    UNROLL_ALL for (int j = 0; j < O_COUNT; j++) {
      if (!observer_feeds_back(j)) continue;
      real sum = pair_reach(c, stage, 0) * rates[0].obs[j];
      for (int l = 1; l < stage; l++) sum = fma_real(pair_reach(c, stage, l), rates[l].obs[j], sum);
      at->obs[j] = fma_real(tau, sum, base->obs[j]);
    }
  }
  FOR_IDLE(c, i, j) {
    real sum = pair_reach(c, stage, 0) * rates[0].idle[i][j];
    for (int l = 1; l < stage; l++)
      sum = fma_real(pair_reach(c, stage, l), rates[l].idle[i][j], sum);
    at->idle[i][j] = fma_real(tau, sum, base->idle[i][j]);
  }
}

#if OMR_COMPLIANT
typedef spring_matrix pair_matrix;
#else
typedef stiff_matrix pair_matrix;
#endif

/* Sum (g_sl/g) k_l of column j. */
FN real ros_push(GLOBAL const int *c, int stage, const motion *rates, int j) {
  real sum = splat(ros_tables[is_ros2(c)].g[stage - 1][0]) * rates[0].y[j];
  for (int l = 1; l < stage; l++)
    sum = fma_real(splat(ros_tables[is_ros2(c)].g[stage - 1][l]), rates[l].y[j], sum);
  return sum;
}

#if OMR_COMPLIANT
/* The rates f of a stage become k/h. */
FN_COLD void solve_stage(const parameters *p, GLOBAL const int *c, pair_matrix *a, int stage,
                         const motion *rates, real *dy) {
  real push[Y_COUNT];
  if (stage) {
    FOR_MOTION(c, j) {
      if (!has_spring_row(j)) continue;
      push[j] = ros_push(c, stage, rates, j);
      dy[j] = dy[j] + push[j];
    }
  }
  solve_spring_matrix(p, c, a, dy);
  if (stage) {
    FOR_MOTION(c, j) {
      if (has_spring_row(j)) dy[j] = dy[j] - push[j];
    }
  }
}
#else
/* The rates f of a stage of a linearly implicit pair become k/h for the velocities, the only rows
 * that A has. */
FN_COLD void solve_stage(const parameters *p, GLOBAL const int *c, const pair_matrix *a, int stage,
                         const motion *rates, real *dy) {
  real angle_rate[WHEELS_MAX], push[3 + 2 * WHEELS_MAX];
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    angle_rate[i] = stage ? dy[Y_Q(i)] + ros_push(c, stage, rates, Y_Q(i)) : dy[Y_Q(i)];
  }
  if (stage) {
    UNROLL_ALL for (int j = 0; j < VELOCITIES(c); j++) {
      push[j] = ros_push(c, stage, rates, Y_VX + j);
      dy[Y_VX + j] = dy[Y_VX + j] + push[j];
    }
  }
  solve_stiff_matrix(p, c, a, angle_rate, dy);
  if (stage) {
    UNROLL_ALL for (int j = 0; j < VELOCITIES(c); j++) dy[Y_VX + j] = dy[Y_VX + j] - push[j];
  }
}
#endif

/* The residual acceleration over a pass, from known values: at both ends, and its mean, which the
 * change of the velocities shows however fast the acceleration decays in between. */
typedef struct shaking {
  real start[2]; /* x and z at the start */
  real mean[2];  /* of its part besides the rates of the velocities */
  real end[2];   /* the same at the last stage that was evaluated; then all of it */
} shaking;
/* Both components, of which the velocities have the columns Y_VX + k. */
#define FOR_XZ(k) UNROLL_ALL for (int k = 0; k < 2; k++)

/* A pass: rates k of its stages, their weighted sum, and the error's. */
typedef struct pair_pass {
  motion rates[PAIR_STAGES];
  motion change;
  real error[Y_COUNT];
  pair_matrix stiff;
  outputs o;      /* of the last stage that was evaluated */
  pass_view seen; /* its stages' values */
  shaking shake;
  mask solvable;          /* the load equations of every stage have a solution */
  real slip2[WHEELS_MAX]; /* at the start: squared slip speed of each contact, */
  real slide[WHEELS_MAX]; /* and its rate; only for laws of friction */
} pair_pass;

/* f at one stage of the pass, where it stands at the state *at: everything but the matrix's
 * part. idle: the idle rollers there; within: a time inside the pass, where no table has a corner.
 * Leaves f in the stage's rates, and in shake.end the residual acceleration but for the
 * rates of the velocities. */
FN_COLD void evaluate_stage(const parameters *p, GLOBAL const int *c, const instant *now,
                            real within, const motion *at, const real idle[WHEELS_MAX][IDLE_COUNT],
                            int stage, pair_pass *pass) {
  const int looked_at = stage == 0 || stage == PAIR_INSIDE || stage == last_stage(c);
  motion *rate = &pass->rates[stage];
  outputs *o = &pass->o;
  evaluate_rates(p, c, now, idle, at->y, looked_at, rate, o);
  pass->shake.end[0] = pass->shake.end[1] = R(0.0);
  if (!SETTING(c, OBSERVERS)) return;
  observer_rates(p, c, at->y, at->obs, now->t, within, rate->obs);
  if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) {
    real a[2] = {o->ax, o->az};
    residual_acceleration(p, c, now->t, within, &a[0], &a[1]);
    FOR_XZ(k) pass->shake.end[k] = a[k] - rate->y[Y_VX + k];
  }
}

/* Weighted sum of a column of the rates over `count` stages. */
#define SUM_OF_STAGES(sum, weight, column)                                                         \
  do {                                                                                             \
    sum = weight(c, 0) * pass->rates[0].column;                                                    \
    UNROLL_ALL for (int stage = 1; stage < count; stage++) sum =                                   \
        fma_real(weight(c, stage), pass->rates[stage].column, sum);                                \
  } while (0)

/* The weighted sums of the rates of the first `count` stages, at once: each rate is loaded for them
 * once. */
FN void sum_some_stages(GLOBAL const int *c, const int count, pair_pass *pass) {
  FOR_MOTION(c, j) {
    SUM_OF_STAGES(pass->change.y[j], pair_weight, y[j]);
    SUM_OF_STAGES(pass->error[j], pair_defect, y[j]);
  }
  if (SETTING(c, OBSERVERS)) {
    FOR_OBSERVED(c, j) SUM_OF_STAGES(pass->change.obs[j], pair_weight, obs[j]);
  }
  FOR_IDLE(c, i, j) SUM_OF_STAGES(pass->change.idle[i][j], pair_weight, idle[i][j]);
}

FN_COLD void sum_stages(GLOBAL const int *c, pair_pass *pass) {
  if (is_ros2(c))
    sum_some_stages(c, 2, pass);
  else
    sum_some_stages(c, PAIR_STAGES, pass);
}

/* Rates that no stage computes. */
FN void clear_stages(GLOBAL const int *c, pair_pass *pass) {
  UNROLL_ALL for (int stage = 0; stage < PAIR_STAGES; stage++) clear_rates(c, &pass->rates[stage]);
}

/* The first stage, at time t: it does not depend on how long the pass will be. Leaves f in
 * rates[0]. within: as for command_at. */
FN void begin_pair(const parameters *p, GLOBAL const int *c, const held_state *held,
                   const motion *m, real t, real within, pair_pass *pass) {
  instant now;
  set_instant(p, c, held, t, &now);
  evaluate_stage(p, c, &now, within, m, m->idle, 0, pass);
  shaking *a = &pass->shake;
  pass->seen.start = look_at_start(c, &pass->o);
  look_at_grip(c, &pass->o, &pass->seen.grip);
  pass->solvable = pass->o.solvable;
  FOR_XZ(k) {
    a->start[k] = a->end[k] + pass->rates[0].y[Y_VX + k];
    a->mean[k] = a->end[k] * pair_weight(c, 0);
  }
  pass->seen.start.square = fma_real(a->start[0], a->start[0], a->start[1] * a->start[1]);
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_MOTORS)
    add_motors(p, c, pair_weight(c, 0), now.drive, m->y, &pass->o, 1, &pass->seen.motors);
  if (OMR_CONSTRAINED) return;
#if OMR_COMPLIANT
  place_springs(p, c, held, t, m->y, &pass->stiff);
#else
  place_stiff_contacts(p, c, held, m->y, pass->rates[0].y, &pass->stiff);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const stiff_contact *d = &pass->stiff.contact[i];
    pass->slip2[i] = pass->o.slip2[i];
    pass->slide[i] =
        R(2.0) * fma_real(pass->o.slip_i[i], d->i_change, pass->o.slip_k[i] * d->k_change);
  }
#endif
}

/* The look at the middle from those at the start, inside and at the last stage: with f at the
 * fraction x of the pass, 2 f(1/2) = f0 + f1 + (f - (1 - x) f0 - x f1)/(2 x (1 - x)). */
FN void look_at_middle(GLOBAL const int *c, const look *start, const look *end, look *twice) {
  const look inside = *twice;
  const real x = pair_time(c, PAIR_INSIDE), rest = R(1.0) - x, weight = R(0.5) / (x * rest);
  twice->slip2 = fma_real(weight, inside.slip2 - fma_real(rest, start->slip2, x * end->slip2),
                          start->slip2 + end->slip2);
  twice->least = fma_real(weight, inside.least - fma_real(rest, start->least, x * end->least),
                          start->least + end->least);
  twice->most = fma_real(weight, inside.most - fma_real(rest, start->most, x * end->most),
                         start->most + end->most);
  twice->servo2 = fma_real(weight, inside.servo2 - fma_real(rest, start->servo2, x * end->servo2),
                           start->servo2 + end->servo2);
}

/* The looks at the middle and at the end. ROS2 knows a straight line between the ends; the
 * acceleration is known by its mean. */
FN void finish_looks(GLOBAL const int *c, pair_pass *pass) {
  const look start = look_of_start(&pass->seen.start);
  look *twice = &pass->seen.middle;
  if (is_ros2(c)) {
    *twice = start;
    add_look(c, &pass->seen.end, twice);
  } else {
    look_at_middle(c, &start, &pass->seen.end, twice);
  }
  const shaking *a = &pass->shake;
  real middle[2];
  FOR_XZ(k) middle[k] = fma_real(R(1.5), a->mean[k], R(-0.25) * (a->start[k] + a->end[k]));
  twice->square = R(2.0) * fma_real(middle[0], middle[0], middle[1] * middle[1]);
  pass->seen.end.square = fma_real(a->end[0], a->end[0], a->end[1] * a->end[1]);
}

/* The rate of a velocity at the end of a pass of ROS2, whose last stage stands at u + k1: f there,
 * and the rest by A, A (u' - u - k1) = (k1 - f1 + k2 - f2)/(2 g), rates per time. */
FN real ros2_end(real rate1, real solved1, real rate2, real solved2) {
  return fma_real(splat(LIT(0.5) / ros_tables[1].gamma), (solved1 - rate1) + (solved2 - rate2),
                  rate2);
}

/* The other stages of a pass of length tau, after begin_pair: *change is the weighted sum of the
 * rates, error the sum for the error.
 */
FN void finish_pair(const parameters *p, GLOBAL const int *c, const held_state *held,
                    const motion *m, real t, real tau, pair_pass *pass) {
  motion at;
  instant now;
  const real within = fma_real(R(0.5), tau, t),
             first[2] = {pass->rates[0].y[Y_VX], pass->rates[0].y[Y_VZ]};
  const int last = last_stage(c);
  shaking *a = &pass->shake;
  real end[2] = {R(0.0), R(0.0)}; /* rates of the velocities at the last stage */

  /* Linearly implicit methods factor the matrix of the pass once. */
  if (!OMR_CONSTRAINED) {
    const real sigma = splat(ros_tables[is_ros2(c)].gamma) * tau;
#if OMR_COMPLIANT
    make_spring_matrix(p, c, &pass->o, tau, sigma, m->y, pass->rates[0].y, &pass->stiff);
#else
    make_stiff_matrix(p, c, &pass->o, tau, sigma, &pass->stiff);
#endif
    solve_stage(p, c, &pass->stiff, 0, pass->rates, pass->rates[0].y);
  }

  /* Each stage gives its rates, and the observers their values there. */
  copy_motion(c, m, &at);
  for (int stage = 1; stage <= last; stage++) {
    reach_stage(c, m, stage, tau, pass->rates, &at);
    set_instant(p, c, held, fma_real(pair_time(c, stage), tau, t), &now);
    evaluate_stage(p, c, &now, within, &at, SETTING(c, BEARING) ? at.idle : m->idle, stage, pass);
    if (stage == PAIR_INSIDE) pass->seen.middle = look_at(c, &pass->o, R(0.0));
    if (SETTING(c, OBSERVERS) & OBSERVERS_OF_MOTORS)
      add_motors(p, c, pair_weight(c, stage), now.drive, at.y, &pass->o, 0, &pass->seen.motors);
    pass->solvable = mask_and(pass->solvable, pass->o.solvable);
    FOR_XZ(k) {
      a->mean[k] = fma_real(pair_weight(c, stage), a->end[k], a->mean[k]);
      end[k] = pass->rates[stage].y[Y_VX + k];
    }
    if (!OMR_CONSTRAINED) solve_stage(p, c, &pass->stiff, stage, pass->rates, pass->rates[stage].y);
  }

  /* The change over the pass, and the observers' values at its end. */
  sum_stages(c, pass);
#if OMR_COMPLIANT
  share_time(pass->rates, last, &pass->change);
#endif
  pass->seen.end = look_at(c, &pass->o, R(0.0));

  /* Rates of the velocities at the end of the pass, and changes of the vibration's quantities. */
  FOR_XZ(k) {
    const int j = Y_VX + k;
    if (is_ros2(c))
      end[k] = ros2_end(first[k], pass->rates[0].y[j], end[k], pass->rates[1].y[j]);
    else
      end[k] = pass->rates[last].y[j];
    a->end[k] = a->end[k] + end[k];
    a->mean[k] = a->mean[k] + pass->change.y[j];
  }
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES) finish_looks(c, pass);
}
