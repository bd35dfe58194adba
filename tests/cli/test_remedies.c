/* What the message of a failed run says helps, applied as a user would: the run ends well. */
#include "tests/cli/program.h"

#define BEARINGS                                                                                   \
  "{\"model\": \"omni_vehicle\", \"frame\": \"ros\", \"parameters\": {"                            \
  "\"platform\": {\"mass\": \"8 kg\", \"yaw_inertia\": \"0.12 kg m2\","                            \
  " \"center_of_mass\": {\"x\": \"-3 cm\", \"height\": \"8 cm\"}}, \"layout\": {\"type\":"         \
  " \"explicit\"}, \"overlap\": \"allow\", \"wheel\": {\"radius\": \"60 mm\", \"friction\": 0.8,"  \
  " \"slip_speed\": \"1 cm/s\", \"rollers\": 12, \"tip_radius\": \"2 mm\"}, \"wheels\": ["         \
  "{\"x\": 0, \"y\": \"14 cm\", \"axis_angle\": 0, \"roller\": {\"bearing\": 0.05},"               \
  " \"drive\": {\"type\": \"speed\", \"speed\": \"8 rad/s\"}},"                                    \
  "{\"x\": 0, \"y\": \"-14 cm\", \"axis_angle\": 0, \"roller\": {\"bearing\": 0.05},"              \
  " \"drive\": {\"type\": \"speed\", \"speed\": \"10 rad/s\"}},"                                   \
  "{\"x\": \"-15 cm\", \"y\": 0, \"axis_angle\": 0, \"radius\": \"30 mm\","                        \
  " \"row_distance\": \"10 mm\"}]}, \"output\": {\"observables\": [\"final_vx\","                  \
  " \"final_yaw_rate\"]}, \"integrator\": {\"method\": \"rosenbrock\", \"step\": \"0.5 ms\","      \
  " \"duration\": \"4 s\", \"step_error\": \"off\"}}"

static void start_up(void) {
  set_up();
  write_file("held.json", BEARINGS);
}

TestSuite(remedies, .init = start_up, .fini = tear_down, .timeout = 400);

/* A change of the study that makes it fail, and what its message then says, word for word in part;
 * the change that this asks for. */
typedef struct remedy {
  const char *study, *fails[3], *status, *says, *helps[3];
} remedy;

#define HELD(wheel) "parameters.wheels[" wheel "].roller"
#define TIPS "parameters.initial.vx=1"
#define HIGH "parameters.platform.center_of_mass.height=1"
#define SLIDES TIPS
#define RUBBER "parameters.wheel.friction=5"
#define FAST "parameters.wheel.initial.rate="
#define GAINS(kp)                                                                                  \
  "parameters.wheel.drive={\"type\": \"speed\", \"speed\": 5, \"kp\": " kp ", \"ki\": 0}"
#define DRAWN(of) "vary=[{\"path\": \"gravity\", \"normal\": [" of "]}]"
#define EIGHT "design={\"type\": \"monte_carlo\", \"instances\": 8, \"seed\": 2}"
#define TURNS "parameters.initial.yaw_rate=100"
#define DRY "{\"dry\": {\"torque\": 0.5}}"
#define TOLERANCE(more) "integrator={\"tolerance\": 1e-6, \"duration\": \"1 s\"" more "}"

static const remedy remedies[] = {
    {"short.json",
     {TIPS, HIGH, "integrator.step=0.1 ms"},
     "wheel_lifted",
     "What helps: lower the centre of mass",
     {"parameters.platform.center_of_mass.height=0.1"}},
    {"short.json",
     {TIPS, HIGH, "integrator.step=1 ms"},
     "wheel_lifted",
     "; if it ends so with a stable step, lower the centre of mass",
     {"parameters.platform.center_of_mass.height=0.1", "integrator.step=0.1 ms"}},
    {"short.json",
     {FAST "3e4"},
     "diverged",
     "What helps: shorten integrator.step, use \"method\": \"rosenbrock\"",
     {"integrator.step=0.1 ms"}},
    {"short.json",
     {TURNS, "integrator.budget=1"},
     "budget_spent",
     "What helps: raise integrator.budget, or shorten",
     {"integrator.budget=4"}},
    {"short.json",
     {"parameters.initial.yaw_rate=20", TOLERANCE(", \"budget\": 20")},
     "budget_spent",
     "What helps: raise integrator.budget, or integrator.tolerance",
     {TOLERANCE(", \"budget\": 20000")}},
    {"held.json",
     {"integrator.method=rk4"},
     "wheel_lifted",
     "or hold rollers by roller.dry.torque instead, with \"method\": \"rosenbrock\"",
     {"integrator.method=rosenbrock", HELD("0") "=" DRY, HELD("1") "=" DRY}},
    {"held.json",
     {"integrator.method=rosenbrock"},
     "wheel_lifted",
     "or hold rollers by roller.dry.torque instead (steps above about",
     {HELD("0") "=" DRY, HELD("1") "=" DRY}},
    {"held.json",
     {"integrator.method=rosenbrock"},
     "wheel_lifted",
     "lower roller.bearing",
     {HELD("0") ".bearing=1e-5", HELD("1") ".bearing=1e-5"}},
    {"held.json",
     {TOLERANCE(", \"budget\": 20000")},
     "budget_spent",
     "lower roller.bearing, or hold rollers by roller.dry.torque instead (steps",
     {HELD("0") "=" DRY, HELD("1") "=" DRY}},
    {"short.json",
     {FAST "3e4"},
     "diverged",
     "What helps: shorten integrator.step, use \"method\": \"rosenbrock\"",
     {"integrator.method=rosenbrock"}},
    {"short.json",
     {GAINS("1000"), "integrator.step=0.1 ms"},
     "diverged",
     "What helps: lower kp and ki, or shorten controller_period (omniroll validate",
     {GAINS("0.1")}},
    {"short.json",
     {GAINS("1000"), FAST "3e4"},
     "too_many_exchanges",
     "What helps: lower kp and ki, or shorten controller_period (omniroll validate",
     {GAINS("0.1"), "integrator.step=0.1 ms"}},
    {"short.json",
     {GAINS("1000")},
     "wheel_lifted",
     "; if it ends so with a stable step, lower kp and ki",
     {GAINS("0.1"), "integrator.step=0.1 ms"}},
    {"short.json",
     {FAST "1e5"},
     "too_many_exchanges",
     "What helps: shorten integrator.step",
     {"integrator.step=1 us"}},
    {"short.json",
     {SLIDES, RUBBER, "integrator.step=5 us"},
     "outside_model",
     "What helps: lower the friction, and the centre of mass where that is not enough",
     {"parameters.wheel.friction=0.5"}},
    {"short.json",
     {SLIDES, RUBBER, HIGH},
     "outside_model",
     "; if it ends so with a stable step, lower the friction, and the centre of mass",
     {"parameters.wheel.friction=0.5", "parameters.platform.center_of_mass.height=0.1",
      "integrator.step=0.1 ms"}},
    {"short.json",
     {DRAWN("1, 5"), EIGHT, "integrator.on_failure=abort"},
     "invalid_parameters",
     "m s-2 is outside its bounds; integrator.on_failure",
     {DRAWN("9.81, 0.5")}},
    {"short.json",
     {DRAWN("1, 5"), EIGHT, "statistics.failed_limit=0.1"},
     "invalid_parameters",
     "Look at them, then narrow the range of what is varied",
     {DRAWN("9.81, 0.5")}},
};

static const outcome *run_with(const remedy *r, bool helped) {
  const char *arguments[MAX_ARGUMENTS] = {
      "run", r->study, "-o", "r.h5", "--overwrite", "--set", "integrator.stability=warn"};
  int count = strcmp(r->study, "short.json") == 0 ? 7 : 5;
  for (int i = 0; i < 3 && r->fails[i]; i++) {
    arguments[count++] = "--set";
    arguments[count++] = r->fails[i];
  }
  for (int i = 0; helped && i < 3 && r->helps[i]; i++) {
    arguments[count++] = "--set";
    arguments[count++] = r->helps[i];
  }
  return finish(start("/dev/null", arguments));
}

Test(remedies, of_messages_help) {
  for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++) {
    const remedy *r = &remedies[i];
    const outcome *o = run_with(r, false);
    cr_expect_eq(o->code, OMR_ERR_FAILURES, "row %zu: %s%s", i, o->out, o->err);
    expect_text(o->err, r->status);
    expect_text(o->err, r->says);
    o = run_with(r, true);
    cr_expect_eq(o->code, OMR_OK, "row %zu: %s%s", i, o->out, o->err);
  }
}

/* By kinematics the mean of 8 and 10 rad/s times 60 mm, and their difference times 60 mm over 28
 * cm: 0.54 m/s and 0.42857 rad/s. */
Test(remedies, held_rollers_drive_as_tyres_do) {
  const outcome *o = run_with(&remedies[6], true);
  const char *vx = strstr(o->out, "final_vx"), *yaw = strstr(o->out, "final_yaw_rate");
  cr_assert(vx && yaw, "%s", o->out);
  cr_expect_float_eq(atof(vx + strlen("final_vx")), 0.54, 0.002 * 0.54);
  cr_expect_float_eq(atof(yaw + strlen("final_yaw_rate")), 0.06 * 2 / 0.28, 0.002 * 0.42857);
}

/* Each method is told, before it runs, what bounds its step; a stable bearing is not told of. */
Test(remedies, stiff_bearings_are_told_for_every_method) {
  static const char *const methods[] = {"rk4", "midpoint", "heun", "semi_implicit_euler",
                                        "rosenbrock"};
  for (int i = 0; i < 5; i++) {
    char method[64];
    snprintf(method, sizeof method, "integrator.method=%s", methods[i]);
    expect_text(OMNIROLL("validate", "held.json", "--set", method)->out,
                "too long for the bearings of rollers");
  }
  const outcome *o = OMNIROLL("validate", "held.json", "--set", HELD("0") ".bearing=1e-5", "--set",
                              HELD("1") ".bearing=1e-5");
  cr_expect_null(strstr(o->out, "bearings"), "%s", o->out);
}
