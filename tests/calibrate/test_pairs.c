/* --check names what the data cannot tell apart: ten studies, each with two parameters of which the
 * runs say only one combination, for the reason that stands there; and studies like them with none.
 * What was measured is zero throughout: it shifts the residuals and does not change how they depend
 * on the parameters. */
#include <omniroll/omniroll.h>

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 1 << 13 };

typedef struct pair {
  const char *name;
  const char *parameters; /* besides those of the vehicle below */
  const char *wheels;     /* all that turns them */
  const char *one, *other;
  const char *priors[2];
} pair;

#define TORQUES                                                                                    \
  "[{\"drive\": {\"type\": \"constant\", \"torque\": 0.3}}, {\"drive\": {\"type\": \"constant\", " \
  "\"torque\": 0.1}}, {\"drive\": {\"type\": \"constant\", \"torque\": -0.15}}]"
#define LARGE_TORQUES                                                                              \
  "[{\"drive\": {\"type\": \"constant\", \"torque\": 1.5}}, {\"drive\": {\"type\": \"constant\", " \
  "\"torque\": 0.5}}, {\"drive\": {\"type\": \"constant\", \"torque\": -1}}]"
#define VOLTAGES                                                                                   \
  "[{\"drive\": {\"type\": \"constant\", \"by\": \"voltage\", \"voltage\": 6}}, {\"drive\": "      \
  "{\"type\": \"constant\", \"by\": \"voltage\", \"voltage\": 2}}, {\"drive\": {\"type\": "        \
  "\"constant\", \"by\": \"voltage\", \"voltage\": -3}}]"
#define DUTY "{\"drive\": {\"type\": \"constant\", \"by\": \"duty\", \"duty\": 0.5}}"
#define OPEN_DUTY "{\"drive\": {\"type\": \"constant\", \"by\": \"duty\"}}"
#define RATE                                                                                       \
  "{\"drive\": {\"type\": \"replay_rate\", \"replay\": {\"columns\": {\"time\": \"time\", "        \
  "\"rate\": \"rate\"}}}}"
#define ALL(WHEEL) "[" WHEEL ", " WHEEL ", " WHEEL "]"
#define MOTOR "\"resistance\": 1, \"torque_constant\": 0.002, \"gear_ratio\": 20"

static const pair pairs[] = {
    /* Torque n k (V - n k w)/R: their product alone, as long as the rotor has no inertia. */
    {"gear ratio against torque constant",
     "\"wheel\": {\"motor\": {" MOTOR "}}",
     VOLTAGES,
     "wheel.motor.gear_ratio",
     "wheel.motor.torque_constant",
     {"20, 2", "0.002, 2e-4"}},
    /* A wheel turns with J + n^2 J_r. */
    {"inertia of the rotor against that of the wheel",
     "\"wheel\": {\"motor\": {\"gear_ratio\": 20, \"rotor_inertia\": 5e-6}}",
     TORQUES,
     "wheel.motor.rotor_inertia",
     "wheel.disc.axial_inertia",
     {"5e-6, 1e-6", "2e-3, 4e-4"}},
    /* Friction of a bearing is mu_b N at the arm r_p. */
    {"friction of a pin against its radius",
     "\"initial\": {\"vx\": 1}, \"wheel\": {\"roller\": {\"dry\": {\"friction\": 0.2, "
     "\"pin_radius\": 1e-3}}}",
     ALL("{}"),
     "wheel.roller.dry.friction",
     "wheel.roller.dry.pin_radius",
     {"0.2, 0.02", "1e-3, 1e-4"}},
    /* Rollers that coast at speed lose mu_b r_p N to the pin and f N to the floor. */
    {"friction of a pin against rolling resistance",
     "\"layout\": {\"wheels\": 4}, \"initial\": {\"vx\": 2}, \"wheel\": {\"roller\": {\"dry\": "
     "{\"pin_radius\": 1e-3}}}",
     "[{}, {}, {}, {}]",
     "wheel.roller.dry.friction",
     "wheel.roller.rolling_resistance",
     {"0.2, 0.04", "2e-4, 4e-5"}},
    /* Three equal currents i at the duty d: R i + 3 d^2 R_i i of the supply's d V_0. */
    {"resistance of motors against that of the supply",
     "\"supply\": {\"voltage\": 12}, \"wheel\": {\"motor\": {" MOTOR "}}",
     ALL(DUTY),
     "wheel.motor.resistance",
     "supply.resistance",
     {"1, 0.15", "1, 0.15"}},
    /* A wheel that spins pushes by mu N, and N is in proportion to g. */
    {"friction against gravity",
     "\"wheel\": {\"disc\": {\"axial_inertia\": 0.02}}",
     LARGE_TORQUES,
     "wheel.friction",
     "gravity",
     {"0.3, 0.03", "9.81, 0.5"}},
    /* Wheels of known rates turn a vehicle on the spot by their radius over their distance. */
    {"radius of the wheels against their distance",
     "\"wheel\": {}",
     ALL(RATE),
     "wheel.radius",
     "layout.radius",
     {"0.05, 0.001", "0.15, 0.003"}},
    /* Where the path is seen and the heading is not: wheels that are turned about the centre. */
    {"heading against the angle of the wheels",
     "\"wheel\": {}",
     TORQUES,
     "initial.yaw",
     "layout.first_angle",
     {"0, 0.05", "0, 0.05"}},
    /* A motor whose circuit is closed brakes by (n k)^2/R w, and the axle by beta w. */
    {"braking by the motor against the axle's bearing",
     "\"initial\": {\"yaw_rate\": 5}, \"wheel\": {\"motor\": {\"resistance\": 1, "
     "\"torque_constant\": 0.0035, \"gear_ratio\": 20}}",
     ALL("{}"),
     "wheel.motor.resistance",
     "wheel.axle_bearing",
     {"1, 0.2", "5e-3, 1e-3"}},
    /* A motor gets d V_0, where the supply has no resistance. */
    {"voltage of the supply against the duty",
     "\"supply\": {\"voltage\": 12}, \"wheel\": {\"motor\": {" MOTOR "}}",
     ALL(OPEN_DUTY),
     "supply.voltage",
     "wheel.drive.duty",
     {"12, 1", "0.5, 0.04"}},
};

/* A rotor's inertia is felt by the square of the gear ratio: that parts it from the constant. And
 * what three torques tell of mass and inertia. */
static const pair controls[] = {
    {"gear ratio and torque constant of a heavy rotor",
     "\"wheel\": {\"friction\": 0.6, \"motor\": {\"resistance\": 1, \"torque_constant\": 0.004, "
     "\"gear_ratio\": 20, \"rotor_inertia\": 2e-5}}",
     VOLTAGES,
     "wheel.motor.gear_ratio",
     "wheel.motor.torque_constant",
     {"20, 4", "0.004, 8e-4"}},
    {"mass and inertia",
     "\"wheel\": {}",
     TORQUES,
     "platform.mass",
     "platform.yaw_inertia",
     {"6, 1", "0.08, 0.016"}},
};

static char folder[] = "/tmp/omniroll-pairs-XXXXXX";

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  cr_assert_eq(fclose(file), 0);
}

static void start_up(void) {
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
  write_file("log.csv", "time,zero,rate\n0,0,10\n0.3,0,10\n");
}

static void tear_down(void) {
  unlink("log.csv");
  unlink("s.json");
  rmdir(folder);
}

TestSuite(pairs, .init = start_up, .fini = tear_down, .timeout = 240);

/* The members of `more` go into those of `base`. */
static void merge(cJSON *base, const cJSON *more) {
  const cJSON *item;
  cJSON_ArrayForEach(item, more) {
    cJSON *there = cJSON_GetObjectItemCaseSensitive(base, item->string);
    if (cJSON_IsObject(there) && cJSON_IsObject(item)) {
      merge(there, item);
    } else {
      cJSON_DeleteItemFromObjectCaseSensitive(base, item->string);
      cJSON_AddItemToObject(base, item->string, cJSON_Duplicate(item, true));
    }
  }
}

static void write_study(const pair *p, bool heading) {
  static char text[TEXT];
  snprintf(
      text, sizeof text,
      "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": 6, \"yaw_inertia\": "
      "0.08, \"center_of_mass\": {\"height\": 0.06}}, \"layout\": {\"type\": \"ring\", \"wheels\": "
      "3, \"radius\": 0.15}, \"wheel\": {\"radius\": 0.05, \"rollers\": 12}, \"wheels\": %s}, "
      "\"integrator\": {\"method\": \"rosenbrock\", \"step\": \"1 ms\"}, \"engine\": {\"backend\": "
      "\"scalar\", "
      "\"precision\": "
      "\"double\"}, \"design\": {\"type\": \"monte_carlo\", \"instances\": 4}, \"calibrate\": "
      "{\"members\": 10}, \"vary\": [{\"path\": \"%s\", \"normal\": [%s]}, {\"path\": \"%s\", "
      "\"normal\": [%s]}], \"data\": {\"runs\": [{\"file\": \"log.csv\"}], \"origin\": \"world\", "
      "\"interval\": \"20 ms\", \"measured\": [{\"sample\": \"x\", \"column\": \"zero\", "
      "\"noise\": \"1 mm\"}, {\"sample\": \"z\", \"column\": \"zero\", \"noise\": \"1 mm\"}%s]}}",
      p->wheels, p->one, p->priors[0], p->other, p->priors[1],
      heading ? ", {\"sample\": \"yaw\", \"column\": \"zero\", \"noise\": \"1 deg\"}" : "");
  cJSON *study = cJSON_Parse(text);
  snprintf(text, sizeof text, "{%s}", p->parameters);
  cJSON *more = cJSON_Parse(text);
  cr_assert(study && more, "%s", p->name);
  merge(cJSON_GetObjectItemCaseSensitive(study, "parameters"), more);
  char *printed = cJSON_PrintUnformatted(study);
  write_file("s.json", printed);
  cJSON_free(printed);
  cJSON_Delete(study);
  cJSON_Delete(more);
}

/* What --check --json prints. */
static cJSON *check(const pair *p) {
  omr_study *study = NULL;
  omr_calibrate *c = NULL;
  omr_error error = {0};
  omr_calibrate_options options = OMR_CALIBRATE_OPTIONS_INIT;
  char *json = NULL;
  options.check = true;
  write_study(p, strcmp(p->one, "initial.yaw") != 0);
  cr_assert_eq(omr_study_load("s.json", NULL, 0, &study, &error), OMR_OK, "%s: %s", p->name,
               error.message);
  cr_assert_eq(omr_calibrate_create(study, &options, &c, &error), OMR_OK, "%s: %s", p->name,
               error.message);
  cr_assert_eq(omr_calibrate_json(c, &json, &error), OMR_OK);
  cJSON *root = cJSON_Parse(json);
  omr_text_destroy(json);
  omr_calibrate_destroy(c);
  omr_study_destroy(study);
  return root;
}

/* How many sentences name something; *named: the first of them, as long as the JSON is there. */
static int count(const cJSON *root, const char **named) {
  const cJSON *finding;
  int found = 0;
  cJSON_ArrayForEach(finding, cJSON_GetObjectItemCaseSensitive(root, "findings")) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(finding, "text"));
    if (strncmp(text, "The data cannot tell these apart: ", 34) != 0) continue;
    if (found++ == 0) *named = text;
  }
  return found;
}

Test(pairs, each_is_named_in_one_sentence) {
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const pair *p = &pairs[i];
    const char *named = "";
    cJSON *root = check(p);
    cr_expect_eq(count(root, &named), 1, "%s", p->name);
    cr_expect(strstr(named, p->one) && strstr(named, p->other), "%s: %s", p->name, named);
    cJSON_Delete(root);
  }
}

/* Their data tell each parameter, and the check is silent. */
Test(pairs, where_there_is_none_none_is_named) {
  for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
    const char *named = "";
    cJSON *root = check(&controls[i]);
    cr_expect_eq(count(root, &named), 0, "%s: %s", controls[i].name, named);
    const cJSON *direction;
    cJSON_ArrayForEach(direction, cJSON_GetObjectItemCaseSensitive(root, "directions")) {
      const cJSON *value = cJSON_GetObjectItemCaseSensitive(direction, "singular_value");
      cr_expect_gt(value->valuedouble, 1, "%s", controls[i].name);
    }
    cJSON_Delete(root);
  }
}
