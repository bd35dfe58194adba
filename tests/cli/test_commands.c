/* Every command of the program does its work once. The list is the program's own (`omniroll help
 * --json`), so that a command without a row here fails. */
#include "tests/cli/program.h"
#include "tests/unit/built_sets.h"

#include <cjson/cJSON.h>

/* Three vehicles with a criterion, in chunks of one. */
static const char vehicles[] =
    "{\"model\": \"omni_vehicle\", \"vary\": [{\"path\": \"platform.mass\", \"values\": [8, 9, "
    "10]}],"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"20 ms\"},"
    "\"engine\": {\"backend\": \"scalar\", \"chunk\": 1},"
    "\"statistics\": {\"fail\": {\"slow\": \"path_length < 1\"}}}";

static const char wheelset[] =
    "{\"model\": \"wheelset\", \"parameters\": {\"plane\": {\"slope\": 0.08}, \"initial\": "
    "{\"vx\": 0.9}}, \"vary\": [{\"path\": \"radius\", \"values\": [0.4, 0.5]}],"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"50 ms\"}}";

/* Three wheels that turn the vehicle on the spot, whose inertia is 0.5 kg m2, and its log. */
static const char turned[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"wheel\": {\"drive\": {\"type\": "
    "\"constant\", \"torque\": 0.2}}}, \"data\": {\"runs\": [{\"file\": \"turned.csv\"}], "
    "\"interval\": \"10 ms\", \"measured\": [{\"sample\": \"yaw_rate\", \"column\": \"r\", "
    "\"noise\": 0.003}]}, \"vary\": [{\"path\": \"platform.yaw_inertia\", \"normal\": [0.6, "
    "0.2]}], \"design\": {\"type\": \"monte_carlo\", \"instances\": 4}, \"calibrate\": "
    "{\"members\": 20}, \"integrator\": {\"step\": \"1 ms\"}, \"engine\": {\"backend\": "
    "\"scalar\"}}";
#define TURNED_LOG "time,r\n0,0\n0.01,-0.010\n0.02,-0.026\n0.03,-0.044\n0.04,-0.063\n0.05,-0.083\n"

#define WHEEL(name, place)                                                                         \
  "<link name='" name "'/><joint name='" name "_joint' type='continuous'><parent link='base'/>"    \
  "<child link='" name "'/><origin xyz='" place "'/><axis xyz='0 1 0'/></joint>"
#define ROBOT                                                                                      \
  "<robot name='cart'><link name='base'/>" WHEEL("wheel_1", "0.2 0.1 0")                           \
      WHEEL("wheel_2", "0.2 -0.1 0") WHEEL("wheel_3", "-0.2 0.1 0")                                \
          WHEEL("wheel_4", "-0.2 -0.1 0") "</robot>"

enum { MOST = 12 };

/* In order: a command may need what one before it wrote. "SET" stands for an instruction set that
 * this build has. */
typedef struct row {
  const char *command, *more[MOST];
  int code;
  const char *says; /* on standard output or in `file` */
  const char *file; /* NULL: standard output */
} row;

static const row rows[] = {
    {"new", {"single", "-o", "new.json"}, OMR_OK, "\"model\": \"omni_vehicle\"", "new.json"},
    {"validate", {"vehicles.json"}, OMR_OK, "3 instances", NULL},
    {"run", {"vehicles.json", "-o", "r.h5"}, OMR_OK, "3 ok, 0 failed", NULL},
    {"run", {"vehicles.json", "-o", "a.h5", "--shard", "1/2", "-q"}, OMR_OK, NULL, NULL},
    {"resume", {"a.h5"}, OMR_OK, "3 ok, 0 failed", NULL},
    {"run", {"vehicles.json", "-o", "b.h5", "--shard", "1/2", "-q"}, OMR_OK, NULL, NULL},
    {"run", {"vehicles.json", "-o", "c.h5", "--shard", "2/2", "-q"}, OMR_OK, NULL, NULL},
    {"merge", {"-o", "m.h5", "b.h5", "c.h5"}, OMR_OK, "3 ok, 0 failed", NULL},
    {"show", {"vehicles.json"}, OMR_OK, "x forward", NULL},
    {"sample", {"vehicles.json"}, OMR_OK, "platform.mass", NULL},
    {"describe", {"wheelset", "half_track"}, OMR_OK, "half_track", NULL},
    {"schema", {NULL}, OMR_OK, "2020-12", NULL},
    {"devices", {NULL}, OMR_OK, "openmp", NULL},
    {"selftest", {"--device", "SET"}, OMR_OK, "the same bits", NULL},
    {"analyze", {"r.h5"}, OMR_OK, "slow", NULL},
    {"export", {"r.h5"}, OMR_OK, "platform_mass [kg]", NULL},
    {"verify", {"r.h5"}, OMR_OK, "0 problems", NULL},
    {"plan", {"wheelset.json"}, OMR_OK, "2 instances", NULL},
    {"warm", {"vehicles.json"}, OMR_ERR_USAGE, NULL, NULL}, /* tests keep nothing */
    {"reference", {"wheelset.json", "--instances", "0"}, OMR_OK, "instance 0", NULL},
    {"compare",
     {"wheelset.json", "--instances", "0", "--backend", "scalar", "--precision", "double"},
     OMR_OK,
     "step error",
     NULL},
    {"converge", {"wheelset.json", "--budget", "0.5", "-q"}, OMR_OK, "rk4", NULL},
    {"plan", {"turned.json"}, OMR_OK, "calibrate    106 to 346 runs as long", NULL},
    {"calibrate", {"turned.json", "-q"}, OMR_OK, "platform.yaw_inertia", NULL},
    {"excite",
     {"turned.json", "-q", "--set", "data.runs=null", "--set",
      "parameters.command={\"type\": "
      "\"constant\"}",
      "--set", "parameters.wheel.drive={\"type\": \"body\", \"kp\": 0.05}", "--set",
      "excite={\"speed\": 0.5, \"yaw_rate\": 1, \"tries\": 2, \"rounds\": 0}", "--set",
      "integrator.duration=2"},
     OMR_OK,
     "platform.yaw_inertia",
     NULL},
    {"evaluate",
     {"vehicles.json", "-q", "--set", "vary=[]", "--set",
      "design={\"type\": \"candidates\", \"paths\": [\"wheel.rollers\"], \"rows\": [[8], [9]]}",
      "--set", "objectives={\"way\": {\"maximize\": \"mean(path_length)\"}}"},
     OMR_OK,
     "2 candidates of 1 vehicle",
     NULL},
    {"optimize", /* its tests: tests/analysis/test_optimize_command.py */
     {"vehicles.json", "-o", "wheelset.json"},
     OMR_ERR_USAGE,
     NULL,
     NULL},
    {"import", {"robot.urdf", "-o", "robot.json"}, OMR_OK, "GUESS", "robot.json"},
    {"export-model", {"vehicles.json", "--mjcf", "v.xml"}, OMR_OK, "<freejoint", "v.xml"},
    {"report", {"r.h5", "-o", "r.html"}, OMR_OK, "</html>", "r.html"},
    {"figures", {"--list"}, OMR_OK, "source2-fig9", NULL},
    {"bench",
     {"--quick", "--section", "backends", "--backend", "scalar", "--seconds", "0.004", "-q",
      "--instances", "8"},
     OMR_OK,
     "scalar",
     NULL},
    {"help", {"run"}, OMR_OK, "Usage: omniroll run", NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void set_up_studies(void) {
  set_up();
  write_file("vehicles.json", vehicles);
  write_file("wheelset.json", wheelset);
  write_file("turned.json", turned);
  write_file("turned.csv", TURNED_LOG);
  write_file("robot.urdf", ROBOT);
}

TestSuite(commands, .init = set_up_studies, .fini = tear_down, .timeout = 300);

/* The names of all commands, from the program; the caller deletes the root. */
static const cJSON *commands_of(cJSON **root) {
  expect(OMNIROLL("help", "--json"), OMR_OK);
  *root = cJSON_Parse(last.out);
  const cJSON *commands = cJSON_GetObjectItem(*root, "commands");
  cr_assert_gt(cJSON_GetArraySize(commands), 0, "%s", last.out);
  return commands;
}

static const char *name_of(const cJSON *command) {
  return cJSON_GetStringValue(cJSON_GetObjectItem(command, "name"));
}

static bool has_row(const char *name) {
  for (int i = 0; i < ROWS; i++)
    if (!strcmp(rows[i].command, name)) return true;
  return false;
}

Test(commands, of_the_program_all_have_a_row) {
  cJSON *root;
  const cJSON *command, *commands = commands_of(&root);
  cJSON_ArrayForEach(command, commands)
      cr_expect(has_row(name_of(command)), "no row runs `omniroll %s`", name_of(command));
  cJSON_Delete(root);
}

Test(commands, of_the_program_all_explain_themselves) {
  static char overview[TEXT];
  cJSON *root;
  const cJSON *command, *commands = commands_of(&root);
  expect(OMNIROLL("--help"), OMR_OK);
  strcpy(overview, last.out);
  cJSON_ArrayForEach(command, commands) {
    char usage[64];
    snprintf(usage, sizeof usage, "Usage: omniroll %s", name_of(command));
    char line[64];
    snprintf(line, sizeof line, "\n  %s ", name_of(command));
    expect_text(overview, line);
    expect(OMNIROLL(name_of(command), "--help"), OMR_OK);
    expect_text(last.out, usage);
    expect(OMNIROLL("help", name_of(command)), OMR_OK);
    expect_text(last.out, usage);
  }
  cJSON_Delete(root);
}

static const outcome *run_row(const row *r) {
  const char *arguments[MOST + 2] = {r->command};
  for (int i = 0; i < MOST; i++) {
    const bool is_set = r->more[i] && !strcmp(r->more[i], "SET");
    arguments[i + 1] = is_set ? any_set() : r->more[i];
  }
  return finish(start("/dev/null", arguments));
}

/* A build without the reference, or a machine without the Python packages, is held to its word. */
static bool is_not_here(const row *r, const outcome *o) {
  static const char *const may[] = {"reference", "compare", "report",
                                    "figures",   "import",  "export-model"};
  for (size_t i = 0; i < sizeof may / sizeof *may; i++) {
    if (strcmp(r->command, may[i]) != 0 || o->code != OMR_ERR_DEVICE) continue;
    skip_part("%s: %s", r->command, o->err);
    return true;
  }
  return false;
}

Test(commands, of_the_program_all_do_their_work) {
  static char text[TEXT];
  for (int i = 0; i < ROWS; i++) {
    const outcome *o = run_row(&rows[i]);
    if (is_not_here(&rows[i], o)) continue;
    cr_expect_eq(o->code, rows[i].code, "omniroll %s: exit code %d: %s", rows[i].command, o->code,
                 o->err);
    if (!rows[i].says) continue;
    if (rows[i].file) read_file(rows[i].file, text);
    cr_expect_not_null(strstr(rows[i].file ? text : o->out, rows[i].says),
                       "omniroll %s: \"%s\" is not in: %s", rows[i].command, rows[i].says, o->out);
  }
}
