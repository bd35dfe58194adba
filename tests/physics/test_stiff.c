/* Stiff friction under the linearly implicit method: motion against RK4 with far shorter steps,
 * energy. */
#include "shared/methods.h"
#include "tests/skip.h"

/* The same bits as lanes, and faster for one instance under sanitizers. */
#define SCALAR "engine.backend=scalar"

typedef struct stiff_case {
  const char *text, *inclination, *density;
  const char *fine, *step; /* of RK4 and of Rosenbrock */
  double bound;            /* on pose and velocities, m, rad, m/s, rad/s */
} stiff_case;

/* RK4 with steps below its own limit, so that its balance of energy closes, against Rosenbrock with
 * steps 250 to 2500 times longer. The vehicles drive 0.7 to 1 m and turn by 2 to 3 rad. What
 * differs comes from the exchanges, where slip comes and goes within a step; steep rollers have
 * more of it and need a shorter step for the same 1e-3. */
static const stiff_case stiff_cases[] = {
    {stiff_three, "parameters.wheel.inclination=0", "parameters.wheel.roller.density=1200", "1 us",
     "1 ms", 1e-3},
    {stiff_three, "parameters.wheel.inclination=0.3", "parameters.wheel.roller.density=1200",
     "1 us", "1 ms", 1e-3},
    {stiff_three, "parameters.wheel.inclination=0.3", "parameters.wheel.roller.density=200",
     "0.4 us", "0.5 ms", 1e-3},
    {stiff_four, "parameters.wheel.inclination=45 deg", "parameters.wheel.roller.density=1200",
     "1 us", "0.25 ms", 1e-3},
    {stiff_wheel, "parameters.wheel.inclination=0", "parameters.wheel.roller.density=1200", "1 us",
     "1 ms", 1e-3},
    {stiff_wheel, "parameters.wheel.inclination=45 deg", "parameters.wheel.roller.density=1200",
     "1 us", "0.5 ms", 1e-3},
};

/* The short form leaves out what steeper and heavier rollers have too. */
Test(stiff, rosenbrock_meets_rk4_with_steps_hundreds_of_times_longer, .timeout = 300) {
  const bool few = short_form();
  for (size_t i = 0; i < sizeof stiff_cases / sizeof *stiff_cases; i++) {
    if (few && i != 1 && i != 3 && i != 5) continue;
    const stiff_case *k = &stiff_cases[i];
    char fine[64], step[64];
    double exact[STATES], state[STATES], exchanges;
    snprintf(fine, sizeof fine, "integrator.step=%s", k->fine);
    snprintf(step, sizeof step, "integrator.step=%s", k->step);
    const char *time = "integrator.duration=1.95";
    omr_result *r = run_study(k->text, OVERRIDES(fine, k->inclination, k->density, time, SCALAR));
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-3, "RK4 of case %zu does not stand", i);
    for (int j = 0; j < STATES; j++) exact[j] = value_of(r, state_names[j], 0);
    omr_result_destroy(r);
    final_state(k->text,
                OVERRIDES("integrator.method=rosenbrock", step, k->inclination, k->density, time),
                state, &exchanges);
    double off = difference(state, exact, STATES);
    cr_log_info("case %zu: Rosenbrock %s, RK4 %s: difference %.1e, %g exchanges\n", i, k->step,
                k->fine, off, exchanges);
    cr_expect_lt(off, k->bound, "case %zu", i);
  }
}

/* The other laws of friction, with directions, on patches; discs on springs. As above: 1e-3 of
 * motions of 0.5 to 1 m. */
#define LAW2(zone) "\"law\": \"regularized_coulomb\", \"zone\": \"" zone "\""
#define DIRECTIONS                                                                                 \
  "parameters.wheel.contact={\"lateral_friction\": 0.4, \"lateral_viscous\": 0.05, "               \
  "\"longitudinal_viscous\": 0.02, "                                                               \
  "\"friction_angle\": 0.4, \"rolling_friction\": 0.01}"
#define ICE                                                                                        \
  "parameters.ground={\"type\": \"patches\", \"patch0\": {\"x\": 0, \"z\": 0, \"length\": 0.4, "   \
  "\"width\": 0.4, \"friction\": "                                                                 \
  "0.3}}"

Test(stiff, rosenbrock_meets_rk4_under_every_law_of_friction, .timeout = 300) {
  static const struct {
    const char *text, *contact, *wheel, *ground;
  } cases[] = {
      {stiff_three, "parameters.contact={" LAW2("quadratic") "}", DIRECTIONS, ICE},
      {stiff_three, "parameters.contact={" LAW2("linear") "}", DIRECTIONS, "title=x"},
      {stiff_discs, "parameters.contact={\"saturation\": \"components\"}", "title=x", ICE},
      {stiff_discs, "parameters.contact={\"saturation\": \"whole\"}", "title=x", "title=x"},
      {stiff_discs, "parameters.contact={\"normal\": \"penalty\"}",
       "parameters.wheel.contact={\"stiffness\": 4e4, \"damping\": 400, \"lateral_friction\": 0.1}",
       "title=x"},
  };
  const size_t every = short_form() ? 2 : 1; /* a law, a disc, springs */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i += every) {
    double exact[STATES], state[STATES];
    const char *time = "integrator.duration=1", *quiet = "integrator.stability=ignore";
    final_state(cases[i].text,
                OVERRIDES("integrator.step=1 us", cases[i].contact, cases[i].wheel, cases[i].ground,
                          time, SCALAR),
                exact, NULL);
    final_state(cases[i].text,
                OVERRIDES("integrator.method=rosenbrock", "integrator.step=0.5 ms", quiet,
                          cases[i].contact, cases[i].wheel, cases[i].ground, time),
                state, NULL);
    double off = difference(state, exact, STATES);
    cr_log_info("law %zu: difference %.1e\n", i, off);
    cr_expect_lt(off, 1e-3, "case %zu: %g", i, off);
  }
}

/* Drives stronger than friction: wheels break loose and slide; the slope of the sliding contact
 * keeps order 2 there. */
Test(stiff, wheels_that_break_loose_slide_as_with_rk4) {
  double exact[STATES], state[STATES];
  const char *loose = "parameters.wheels=[" SINE(4) "," SINE(-3) "," SINE(5) "]",
             *time = "integrator.duration=0.5";
  final_state(stiff_three, OVERRIDES("integrator.step=2.5 us", loose, time), exact, NULL);
  final_state(stiff_three,
              OVERRIDES("integrator.step=1 ms", "integrator.method=rosenbrock", loose, time), state,
              NULL);
  cr_log_info("sliding: difference %.1e\n", difference(state, exact, STATES));
  cr_expect_lt(difference(state, exact, STATES), 1e-2);
}

/* Largest growth of the kinetic energy of an undriven vehicle in one step, relative to its energy
 * at the start. */
static double largest_growth(const char *text, const char *const *overrides, int steps,
                             double *left) {
  omr_error error = {0};
  omr_study *study;
  size_t count = 0;
  while (overrides[count]) count++;
  cr_assert_eq(omr_study_parse(text, "test", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  const launch_buffers buffers = {f.batch.params,    f.batch.state,       f.batch.spins,
                                  f.settings.tables, f.settings.integers, (int)f.batch.stride};
  double first = omr_kinetic_energy(&f.settings, &f.batch, 0), last = first, growth = -1;
  for (int step = 1; step <= steps; step++) {
    advance_pack(buffers, study->time.step, step, 0);
    double energy = omr_kinetic_energy(&f.settings, &f.batch, 0);
    growth = fmax(growth, (energy - last) / first);
    last = energy;
  }
  cr_assert_eq(f.batch.state[(size_t)S_STATUS * f.batch.stride], 0);
  *left = last / first;
  free_fleet(&f);
  omr_study_destroy(study);
  return growth;
}

/* Slow vehicles, sliding at 5 mm/s or a hundred times slower, below saturation: the contacts hardly
 * move, what is left is friction, and that takes energy in every step. Following the rows of the
 * slip Jacobian as the wheels turn leaves a relative error of the square of their angle in a step,
 * v h/R. */
Test(stiff, friction_itself_never_adds_kinetic_energy) {
  const char *undriven3 = "parameters.wheels=[{},{},{}]",
             *undriven4 = "parameters.wheels=[{},{},{},{}]";
  const char *const inclinations[] = {"parameters.wheel.inclination=0",
                                      "parameters.wheel.inclination=0.3",
                                      "parameters.wheel.inclination=45 deg"};
  const char *const densities[] = {"parameters.wheel.roller.density=1200",
                                   "parameters.wheel.roller.density=50"};
  const char *const starts[] = {
      "parameters.initial={\"vx\": 4e-3, \"vz\": -3e-3, \"yaw_rate\": 0.01}",
      "parameters.initial={\"vx\": 4e-5, \"vz\": -3e-5, \"yaw_rate\": 1e-4}"};
  for (int n = 0; n < 24; n++) {
    bool four = n >= 12;
    double left,
        growth =
            largest_growth(four ? stiff_four : stiff_three,
                           OVERRIDES("integrator.method=rosenbrock", four ? undriven4 : undriven3,
                                     inclinations[n % 3], densities[n / 3 % 2], starts[n / 6 % 2]),
                           100, &left);
    cr_log_info("slow %d: largest growth in a step %.1e, left %.3f\n", n, growth, left);
    double angle = (n / 6 % 2 ? 5e-5 : 5e-3) * 1e-3 / 0.1;
    cr_expect_leq(growth, angle * angle, "case %d", n);
  }
}

/* Fast vehicles: the same error of (10 rad/s h)^2, 1e-4 for 1 ms to either side, a sixteenth of it
 * with a quarter of the step. */
Test(stiff, kinetic_energy_of_an_undriven_vehicle_grows_by_the_error_of_a_step_at_most) {
  const char *undriven3 = "parameters.wheels=[{},{},{}]",
             *undriven4 = "parameters.wheels=[{},{},{},{}]";
  const char *const inclinations[] = {"parameters.wheel.inclination=0",
                                      "parameters.wheel.inclination=0.3",
                                      "parameters.wheel.inclination=45 deg"};
  const char *const densities[] = {"parameters.wheel.roller.density=1200",
                                   "parameters.wheel.roller.density=50"};
  const char *fast = "parameters.initial={\"vx\": 0.8, \"vz\": -0.4, \"yaw_rate\": 3}";
  double most[2] = {0, 0};
  for (int n = 0; n < 24; n++) {
    bool four = n % 12 >= 6;
    const char *step = n < 12 ? "integrator.step=1 ms" : "integrator.step=0.25 ms";
    double left,
        growth =
            largest_growth(four ? stiff_four : stiff_three,
                           OVERRIDES("integrator.method=rosenbrock", four ? undriven4 : undriven3,
                                     inclinations[n % 3], densities[n / 3 % 2], fast, step),
                           n < 12 ? 1000 : 4000, &left);
    cr_log_info("undriven %d: largest growth in a step %.1e, left %.3f\n", n, growth, left);
    cr_expect_lt(left, 1);
    most[n / 12] = fmax(growth, most[n / 12]);
  }
  cr_expect_lt(most[0], 2e-4);
  cr_expect_lt(most[1], most[0] / 12);
}
