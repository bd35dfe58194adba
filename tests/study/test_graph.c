/* Multibody systems as studies write them: classes and their uses, names, units, and what is
 * refused (host/study/system/graph.h). */
#include "../../host/study/system/graph.h"
#include "refusals.h"

#include <math.h>

/* Two links, each of two wheels; wheel k of a link has the radius (k + 1) r. */
static const char nested[] =
    "{'model': 'multibody', 'integrator': {'step': 1e-3, 'duration': 1},\n"
    "'parameters': {'r': '10 cm', 'copies': 2},\n"
    "'system': {'classes': {\n"
    "  'wheel': {'parameters': {'radius': null, 'half': 'radius / 2'},\n"
    "    'bodies': {'disc': {'mass': '2 kg', 'inertia': ['radius * half * 1 kg', 1, 1]}},\n"
    "    'constraints': {'axle': {'type': 'fixed_ideal', 'between': ['holder', 'disc'],\n"
    "      'axis': [0, 0, 1], 'at': [0, 0, 0]}}},\n"
    "  'link': {'bodies': {'bar': {'mass': 1, 'inertia': [1, 1, 1]}},\n"
    "    'groups': {'wheels': {'class': 'wheel', 'count': 'copies', 'index': 'k',\n"
    "      'with': {'radius': '(k + 1) * r'}, 'ports': {'holder': 'bar'}, 'at': ['k * r', 0, "
    "0]}}}},\n"
    "'groups': {'left': {'class': 'link'}, 'right': {'class': 'link', 'at': [0, 0, 1]}},\n"
    "'measures': {'spin': {'take': 'max', 'of': 'right.wheels[1].disc.wz'},\n"
    "  'way': {'take': 'integral', 'of': 'left.bar.vx'}, 'when': {'take': 'first', 'when':\n"
    "  'left.wheels[0].axle.angle > 10 deg'}, 'how_often': {'take': 'count', 'when': 'energy > "
    "1'}}}}";

static omr_study *read_text(const char *text) {
  omr_study *study = NULL;
  omr_error error = {0};
  char *copy = double_quoted(text);
  cr_assert_eq(omr_study_parse(copy, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  free(copy);
  return study;
}

static double value_of(const omr_graph *graph, const double *value, const char *body, int entry) {
  const int b = omr_graph_body_of(graph, body);
  cr_assert_geq(b, 0, "%s", body);
  return value[graph->body[b].inertia + entry];
}

Test(graph, a_class_is_used_several_times_with_numbers_of_each_use) {
  omr_study *study = read_text(nested);
  const omr_graph *graph = study->graph;
  double *value = calloc((size_t)graph->slots, sizeof *value);
  cr_assert_eq(graph->bodies, 1 + 2 * (1 + 2), "the base, two links of a bar and two wheels");
  value[0] = 0.1;
  value[1] = 2;
  omr_graph_evaluate(graph, value);
  /* radius^2/2 for the radii r and 2 r */
  cr_expect_float_eq(value_of(graph, value, "left.wheels[0].disc", 0), 0.005, 1e-17);
  cr_expect_float_eq(value_of(graph, value, "right.wheels[1].disc", 0), 0.02, 1e-17);
  value[0] = 0.3; /* of an instance that has another r */
  omr_graph_evaluate(graph, value);
  cr_expect_float_eq(value_of(graph, value, "left.wheels[1].disc", 0), 0.18, 1e-16);
  const int axle = omr_graph_element_of(graph, OMR_GRAPH_CONSTRAINT, "right.wheels[0].axle");
  cr_assert_geq(axle, 0);
  cr_expect_eq(graph->element[axle].body[0], omr_graph_body_of(graph, "right.bar"), "its port");
  cr_expect_eq(graph->element[axle].body[1], omr_graph_body_of(graph, "right.wheels[0].disc"));
  free(value);
  omr_study_destroy(study);
}

/* In every build, also in one without the reference. */
Test(graph, numbers_that_make_no_system_are_told) {
  static const char text[] =
      "{\"model\": \"multibody\", \"parameters\": {\"mass\": \"1 kg\", \"turn\": 1}, \"system\": {"
      "\"bodies\": {\"stone\": {\"mass\": \"mass\", \"inertia\": [1, 1, \"sqrt(mass * 1 kg) * 1 "
      "m^2\"]}}, \"constraints\": {\"pin\": {\"type\": \"free_ideal\", \"between\": "
      "[\"base\", "
      "\"stone\"], \"at\": [0, 0, 0], \"axis\": [0, 0, \"turn\"]}}, \"measures\": {\"top\": "
      "{\"take\": "
      "\"max\", \"of\": \"stone.y\"}}}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"10 "
      "ms\"}}";
  static const struct {
    double mass, turn;
    const char *says;
  } rows[] = {{1, 1, ""},
              {0, 1, "stone has mass 0 kg and inertias 1, 1, 0 kg m2"},
              {-1, 1, "system.bodies.stone.inertia[2]: \"sqrt(mass * 1 kg)"},
              {1, 0, "free_ideal pin: its axis has the length 0"}};
  omr_study *study = read_text(text);
  double *value = calloc((size_t)study->graph->slots, sizeof *value);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char reason[400] = "";
    value[0] = rows[i].mass;
    value[1] = rows[i].turn;
    omr_graph_evaluate(study->graph, value);
    cr_expect_eq(omr_graph_judge(study->graph, value, reason, sizeof reason), i == 0);
    cr_expect_not_null(strstr(reason, rows[i].says), "%s", reason);
  }
  free(value);
  omr_study_destroy(study);
}

Test(graph, measures_have_units_of_what_they_measure) {
  omr_study *study = read_text(nested);
  static const char *const units[] = {"rad s-1", "m", "s", "1"};
  cr_assert_eq(study->graph->measures, 4);
  for (int m = 0; m < 4; m++) cr_expect_str_eq(study->graph->measure[m].unit, units[m]);
  omr_study_destroy(study);
}

#define S(system)                                                                                  \
  "{'model': 'multibody',\n" INTEGRATOR "'parameters': {'r': '1 m', 'n': 2},\n'system': {" system  \
  "}}"
#define STONE "'bodies': {'stone': {'mass': 1, 'inertia': [1, 1, 1]}}"
#define JOINT(text) S(STONE ", 'constraints': {'pin': {" text "}}")
#define CONTACT(text) S(STONE ", 'contacts': {'floor': {'between': ['base', 'stone'], " text "}}")

Test(graph, what_no_body_can_be_is_refused) {
  EXPECT_REFUSED(
      {S(""), {"s.json:4: system", "the system has no body"}},
      {S("'bodys': {}"), {"unknown key \"bodys\" - did you mean \"bodies\"?"}},
      {S("'bodies': {'stone': {'inertia': [1, 1, 1]}}"), {"\"mass\" is missing"}},
      {S("'bodies': {'stone': {'mass': '2 m', 'inertia': [1, 1, 1]}}"),
       {"system.bodies.stone.mass", "expected a quantity in \"kg\", this is one in \"m\""}},
      {S("'bodies': {'stone': {'mass': '2 * rr', 'inertia': [1, 1, 1]}}"),
       {"unknown name \"rr\" - did you mean \"r\"?"}},
      {S("'bodies': {'stone': {'mass': 't * 1 kg/s', 'inertia': [1, 1, 1]}}"),
       {"\"t\" changes while the system moves"}},
      {S("'bodies': {'stone': {'mass': 1, 'inertia': [1, 1]}}"), {"[Ixx, Iyy, Izz]"}},
      {S("'bodies': {'stone': {'mass': 1, 'inertia': [1, 1, 1], 'turned': {'axis': [0, 1, 0]}}}"),
       {"\"angle\" is missing"}},
      {S("'bodies': {'stone': {'mass': 1, 'inertia': [1, 1, 1], 'turned': [], 'quaternion': [1, 0, "
         "0, 0]}}"),
       {"\"turned\" says the same"}},
      {S("'bodies': {'base': {'mass': 1, 'inertia': [1, 1, 1]}}"), {"choose another name"}},
      {S("'bodies': {'a b': {'mass': 1, 'inertia': [1, 1, 1]}}"), {"\"a b\" is no name"}});
}

Test(graph, an_edge_joins_two_bodies) {
  EXPECT_REFUSED(
      {JOINT("'type': 'weld'"), {"system.constraints.pin", "\"between\" is missing"}},
      {JOINT("'type': 'weld', 'between': ['stone']"), {"names of two bodies, [A, B]"}},
      {JOINT("'type': 'weld', 'between': ['stone', 'stone']"), {"an edge of the graph joins two"}},
      {JOINT("'type': 'weld', 'between': ['base', 'ston']"), {"did you mean \"stone\"?"}},
      {JOINT("'between': ['base', 'stone']"), {"\"type\" is missing"}},
      {JOINT("'type': 'wled', 'between': ['base', 'stone']"), {"did you mean \"weld\"?"}},
      {JOINT("'type': 'weld', 'between': ['base', 'stone'], 'stiffness': 3"),
       {"unknown key \"stiffness\""}},
      {JOINT("'type': 'fixed_ideal', 'between': ['base', 'stone'], 'at': [0, 0, 0]"),
       {"\"axis\" is missing"}},
      {JOINT("'type': 'fixed_ideal', 'between': ['base', 'stone'], 'axis': [0, 0, 1]"),
       {"where is the joint?"}},
      {JOINT("'type': 'fixed_ideal', 'between': ['base', 'stone'], 'axis': [0, 0, 1], 'at': [0, 0, "
             "0], 'point_a': [0, 0, 0]"),
       {"\"point_a\" and \"point_b\" say it too"}},
      {JOINT("'type': 'fixed_servo', 'between': ['base', 'stone'], 'axis': [0, 0, 1], 'at': [0, 0, "
             "0], 'acceleration': 'stone.ez'"),
       {"follows from the accelerations, which this expression decides"}},
      {JOINT(
           "'type': 'prescribed_motion', 'between': ['base', 'stone'], 'place': ['stone.x', null, "
           "null]"),
       {"follows from t and parameters alone"}},
      {JOINT("'type': 'gear', 'between': ['base', 'stone'], 'axis_a': [0, 0, 1], 'axis_b': [0, 0, "
             "1], 'ratio': -2, 'carrier': 'arm'"),
       {"pin.carrier", "there is no such body"}});
}

Test(graph, surfaces_and_laws_of_contacts_are_checked) {
  EXPECT_REFUSED(
      {CONTACT("'type': 'surface', 'normal': 'held'"), {"\"surfaces\" is missing"}},
      {CONTACT("'surfaces': [{'shape': 'plane'}]"), {"two shapes"}},
      {CONTACT("'surfaces': [{'shape': 'plane'}, {'shape': 'sphere'}]"), {"\"radius\" is missing"}},
      {CONTACT("'surfaces': [{'shape': 'plane'}, {'shape': 'box', 'half_axes': [1, 1, 1]}]"),
       {"a box is for pictures"}},
      {CONTACT("'surfaces': [{'shape': 'plane', 'radius': 1}, {'shape': 'sphere', 'radius': 1}]"),
       {"unknown key \"radius\""}},
      {CONTACT("'law': 'rols', 'surfaces': []"), {"did you mean \"rolls\"?"}});
}

#define USE(class, use) S("'classes': {'link': {" class "}}, 'groups': {'left': {" use "}}, " STONE)

Test(graph, uses_of_classes_are_checked) {
  EXPECT_REFUSED(
      {USE("", "'class': 'lnk'"), {"there is no such class"}},
      {USE("'parameters': {'a': null}", "'class': 'link'"), {"the class needs \"with\": {\"a\": "}},
      {USE("'parameters': {'a': {'value': 1}}", "'class': 'link', 'with': {'a': 2}"),
       {"classes.link.parameters.a", "or null where each use gives one"}},
      {USE("'parameters': {'a': 1}", "'class': 'link', 'with': {'b': 2}"),
       {"the class has no parameter \"b\""}},
      {USE("", "'class': 'link', 'count': 0"), {"whole number of copies from 1"}},
      {USE("", "'class': 'link', 'count': 'n / 4'"), {"this is 0.5"}},
      {USE("'groups': {'self': {'class': 'link'}}", "'class': 'link'"), {"does one use itself?"}},
      {USE("", "'class': 'link', 'ports': {'frame': 3}"), {"expected the name of a body"}});
}

/* There are as many ways from the last number to the first as Fibonacci's numbers say: 10^16. */
Test(graph, what_a_count_follows_from_is_found_once) {
  omr_text text = {0};
  omr_study *study = NULL;
  omr_error error = {0};
  omr_text_print(&text, "{\"model\": \"multibody\", \"integrator\": {\"step\": 1e-3, \"duration\": "
                        "1}, \"parameters\": {\"p\": 1}, \"system\": {\"classes\": {\"c\": "
                        "{\"parameters\": {\"a0\": \"p\", \"a1\": \"p\"");
  for (int i = 2; i < 60; i++)
    omr_text_print(&text, ", \"a%d\": \"(a%d + a%d) / 2\"", i, i - 1, i - 2);
  omr_text_print(&text,
                 "}, \"bodies\": {\"b\": {\"mass\": 1, \"inertia\": [1, 1, 1]}}, \"groups\": "
                 "{\"g\": {\"class\": \"d\", \"count\": \"a59\"}}}, \"d\": {}}, "
                 "\"groups\": {\"g\": {\"class\": \"c\"}}}}");
  cr_expect_eq(omr_study_parse(text.data, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_expect(study && study->graph->structural[0]);
  omr_study_destroy(study);
  omr_text_free(&text);
}

/* Each class uses the next one twice: 2^11 bodies and more. */
Test(graph, a_system_has_an_end) {
  omr_text text = {0};
  omr_study *study = NULL;
  omr_error error = {0};
  omr_text_print(&text, "{\"model\": \"multibody\", \"integrator\": {\"step\": 1e-3, \"duration\": "
                        "1}, \"parameters\": {\"p\": 1}, \"system\": {\"classes\": {");
  for (int c = 0; c < 11; c++) {
    omr_text_print(&text, "%s\"c%d\": {\"parameters\": {\"a\": \"p\"", c ? ", " : "", c);
    for (int i = 1; i < 10; i++) omr_text_print(&text, ", \"a%d\": \"a + p\"", i);
    omr_text_print(&text, "}, \"bodies\": {\"b\": {\"mass\": 1, \"inertia\": [1, 1, 1]}}");
    if (c < 10)
      omr_text_print(&text, ", \"groups\": {\"g\": {\"class\": \"c%d\", \"count\": 2}}", c + 1);
    omr_text_print(&text, "}");
  }
  omr_text_print(&text, "}, \"groups\": {\"g\": {\"class\": \"c0\"}}}}");
  cr_expect_eq(omr_study_parse(text.data, "s.json", NULL, 0, &study, &error), OMR_ERR_STUDY);
  cr_expect(strstr(error.message, "at most 200 bodies"), "%s", error.message);
  omr_text_free(&text);
}

Test(graph, how_many_copies_there_are_does_not_vary) {
  EXPECT_REFUSED({"{'model': 'multibody',\n" INTEGRATOR
                  "'parameters': {'n': 2},\n'system': {'classes': {'link': "
                  "{" STONE "}}, 'groups': {'left': {'class': 'link', 'count': 'n'}}}" VARY(
                      "{'path': 'n', 'values': [1, 2]}") "}",
                  {"\"n\" says how many copies a group has"}});
}

Test(graph, measures_and_samples_are_checked) {
  EXPECT_REFUSED(
      {S(STONE ", 'measures': {'top': {'take': 'max', 'of': 'stone.yy'}}"),
       {"\"stone\" has no \"yy\"; it has x, y, z"}},
      {S(STONE ", 'measures': {'top': {'take': 'max', 'of': 'stone.y > 0'}}"),
       {"expected a number, this is a condition"}},
      {S(STONE ", 'measures': {'top': {'take': 'first', 'when': 'stone.y'}}"),
       {"expected a condition"}},
      {S(STONE ", 'measures': {'top': {'take': 'max', 'of': 'stone.y + stone.vy'}}"),
       {"do not go together"}},
      {S(STONE ", 'samples': {'stone_x': 'stone.x'}"), {"\"stone_x\" is already a sample"}});
}
