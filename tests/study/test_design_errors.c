/* Broken designs and distributions: refused with their place and a remedy. */
#include "refusals.h"

#define DESIGN(text) ",\n'design': {" text "}"
#define FRICTION "{'path': 'wheel.friction', 'uniform': [0.1, 0.5]}"
#define MASS "{'path': 'platform.mass', 'uniform': [10, 20]}"
#define SLOPE "{'path': 'wheel.inclination', 'values': [0, 0.5]}"

#define DRAW(text) V("", VARY("{'path': 'initial.x', " text "}") RANDOM)

Test(design_errors, arguments_of_distributions_are_checked) {
  EXPECT_REFUSED(
      {DRAW("'log_uniform': [0, 2]"),
       {"s.json:4: vary[0].log_uniform[0]: low is 0; it must be above 0"}},
      {DRAW("'log_uniform': [3, 2]"), {"vary[0].log_uniform: low 3 is not below high 2"}},
      {DRAW("'log_normal': [-1, 2]"),
       {"vary[0].log_normal[0]: the median is -1; it must be above 0"}},
      {DRAW("'log_normal': [1, 0]"), {"vary[0].log_normal[1]: is 0; it must be above 0"}},
      {DRAW("'log_normal': [1, '2 m']"), {"vary[0].log_normal[1]"}},
      {DRAW("'truncated_normal': [1, 2, 3]"), {"expected [mean, standard deviation, low, high]"}},
      {DRAW("'truncated_normal': [1, 0, 3, 4]"),
       {"the standard deviation is 0; it must be above 0"}},
      {DRAW("'truncated_normal': [1, 1, 4, 4]"), {"low 4 is not below high 4"}},
      {DRAW("'truncated_normal': [0, 1, 50, 60]"), {"so far from the mean that nothing"}},
      {DRAW("'triangular': [0, 3, 2]"), {"the mode 3 is not between low 0 and high 2"}},
      {DRAW("'triangular': [2, 2, 2]"), {"low 2 is not below high 2"}},
      {DRAW("'beta': [0.01, 1, 0, 1]"),
       {"vary[0].beta[0]: alpha is 0.01; it must be at least 0.05 and at most 10000"}},
      {DRAW("'beta': [1, 20000, 0, 1]"), {"vary[0].beta[1]: beta is 20000"}},
      {DRAW("'beta': [1, 1, 1, 0]"), {"low 1 is not below high 0"}},
      {DRAW("'weibull': [0, 1]"), {"vary[0].weibull[0]: the scale is 0"}},
      {DRAW("'weibull': [1, 0.01]"), {"vary[0].weibull[1]: the shape is 0.01"}},
      {DRAW("'integer': [1.5, 4]"), {"expected two whole numbers"}},
      {DRAW("'integer': [4, 4]"), {"low 4 is not below high 4"}},
      {DRAW("'integer': [0, 100000000]"), {"more than 16777216 whole numbers"}},
      {DRAW("'discrete': []"), {"has 0 pairs [value, weight]"}},
      {DRAW("'discrete': [1, 2]"), {"vary[0].discrete[0]: expected [value, weight]"}},
      {DRAW("'discrete': [[1, 0]]"), {"vary[0].discrete[0][1]: the weight 0 is not above 0"}},
      {DRAW("'discrete': [[1, 1e308], [2, 1e308]]"), {"the weights' sum is too large"}},
      {DRAW("'uniform': [0, 1], 'beta': [1, 1, 0, 1]"), {"\"uniform\" and \"beta\" are given"}},
      {DRAW("'gamma': [1, 1]"), {"vary[0].gamma"}},
      {V("", VARY("{'path': 'gravity', 'triangular': [0, 1, 2]}") RANDOM),
       {"vary[0].triangular[0]: gravity is 0 m s-2"}},
      {V("", VARY("{'path': 'gravity', 'discrete': [[0, 1]]}") RANDOM),
       {"vary[0].discrete[0][0]: gravity is 0"}},
      {V("", VARY("{'path': 'wheel.rollers', 'beta': [1, 1, 5, 9]}") RANDOM),
       {"rollers is a whole number", "\"integer\""}},
      {V("", VARY("{'path': 'wheel.rollers', 'integer': [2, 9]}") RANDOM),
       {"rollers is 2; it must be"}},
      {V("", VARY("{'path': 'gravity', 'weibull': [9, 3]}")), {"\"weibull\" draws at random"}},
      {V("", VARY("{'path': 'gravity', 'discrete': [[9, 3]]}") DESIGN("'type': 'one_at_a_time'")),
       {"vary[0]: \"discrete\" draws at random, which a design of type one_at_a_time cannot"}});
}

Test(design_errors, keys_belong_to_their_designs) {
  EXPECT_REFUSED(
      {V("", VARY(SLOPE) DESIGN("'type': 'grid', 'correlation': []")),
       {"s.json:5: design.correlation", "type grid"}},
      {V("", VARY(SLOPE) DESIGN("'type': 'one_at_a_time', 'instances': 3")),
       {"design.instances", "as its levels combine to"}},
      {V("", DESIGN("'type': 'list', 'instances': 3, 'paths': ['gravity'], 'rows': [[1]]")),
       {"as many instances as its rows"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'monte_carlo', 'instances': 3, 'scramble': 'owen'")),
       {"\"scramble\" has no use in a design of type monte_carlo"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'sobol', 'instances': 3, 'criterion': 'plain'")),
       {"design.criterion"}},
      {V("",
         VARY(FRICTION) DESIGN("'type': 'sobol', 'instances': 3, 'scramble': 'none', 'seed': 1")),
       {"a sequence without scrambling draws nothing"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'halton', 'instances': 3, 'scramble': 'full'")),
       {"\"none\", \"owen\""}},
      {V("", VARY(FRICTION) DESIGN("'type': 'sobol', 'instances': 4294967297")),
       {"a design of type sobol has at most 2^32 points"}},
      {V("", VARY(FRICTION)
                 DESIGN("'type': 'latin_hypercube', 'instances': 2000, 'criterion': 'maximin'")),
       {"design.criterion", "up to 1024 points; here are 2000"}},
      {V("", VARY(FRICTION)
                 DESIGN("'type': 'latin_hypercube', 'instances': 20, 'criterion': 'minimax'")),
       {"\"plain\", \"maximin\""}},
      {V("", VARY(SLOPE) DESIGN("'type': 'sobol'")), {"design: \"instances\" is missing"}},
      {V("", DESIGN("'type': 'sobol', 'instances': 3")), {"sobol has nothing to draw"}},
      {V("", DESIGN("'type': 'one_at_a_time'")), {"one_at_a_time has nothing to vary"}},
      {V("", VARY("{'path': 'gravity', 'linspace': [8, 9, 3]}")
                 DESIGN("'type': 'halton', 'instances': 3")),
       {"\"linspace\" is for a grid; halton draws from"}},
      {V("", VARY(SLOPE) DESIGN("'type': 'table', 'file': 'x.csv'")),
       {"s.json:4: vary", "a design of type table names what it varies"}},
      {V("", DESIGN("'type': 'table'")), {"design: \"file\" is missing"}},
      {V("", DESIGN("'type': 'table', 'file': 3")), {"design.file"}});
}

Test(design_errors, a_nested_design_needs_a_grid_and_a_sample) {
  EXPECT_REFUSED(
      {V("", VARY(SLOPE "," FRICTION) DESIGN("'type': 'nested', 'per_cell': 3")),
       {"design: \"sample\" is missing"}},
      {V("", VARY(SLOPE "," FRICTION) DESIGN("'type': 'nested', 'sample': 'sobol'")),
       {"design: \"per_cell\" is missing"}},
      {V("", VARY(SLOPE "," FRICTION) DESIGN("'type': 'nested', 'sample': 'grid', 'per_cell': 3")),
       {"design.sample", "\"halton\""}},
      {V("",
         VARY(SLOPE "," FRICTION) DESIGN("'type': 'nested', 'sample': 'sobol', 'instances': 3")),
       {"design.instances: a design of type nested has \"per_cell\" instances"}},
      {V("", VARY(SLOPE "," FRICTION) DESIGN(
                 "'type': 'nested', 'sample': 'sobol', 'per_cell': 3, 'criterion': 'maximin'")),
       {"\"criterion\" has no use where the sample is sobol"}},
      {V("", VARY(SLOPE) DESIGN("'type': 'nested', 'sample': 'sobol', 'per_cell': 3")),
       {"has a distribution to draw from"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'nested', 'sample': 'sobol', 'per_cell': 3")),
       {"has \"values\" or \"linspace\" for the grid", "type sobol"}},
      {V("", VARY(SLOPE "," FRICTION) DESIGN("'type': 'nested', 'sample': 'sobol', 'per_cell': 3, "
                                             "'scramble': 'none', 'common_random_numbers': false")),
       {"design.common_random_numbers", "the same in every cell"}},
      {V("", VARY(SLOPE "," FRICTION) DESIGN("'type': 'nested', 'sample': 'latin_hypercube', "
                                             "'per_cell': 3, 'criterion': 'maximin', "
                                             "'common_random_numbers': false")),
       {"design.criterion", "the same in every cell"}},
      {V("", VARY("{'path': 'gravity', 'linspace': [8, 9, 1000000]}," FRICTION)
                 DESIGN("'type': 'nested', 'sample': 'monte_carlo', 'per_cell': 9007199254740992")),
       {"more instances than can be counted (2^53)"}},
      {V("", VARY("{'path': 'wheel.radius', 'values': [1, 2], 'each': true}," FRICTION)
                 DESIGN("'type': 'nested', 'sample': 'sobol', 'per_cell': 3")),
       {"vary[0]: \"each\" draws at random, which a grid cannot"}});
}

#define SALTELLI(text) V("", VARY(FRICTION) DESIGN("'type': 'saltelli'" text))
#define MORRIS(text) V("", VARY(FRICTION) DESIGN("'type': 'morris'" text))

Test(design_errors, row_groups_are_counted_by_groups_and_take_independent_parameters) {
  EXPECT_REFUSED(
      {SALTELLI(""), {"s.json:5: design: \"groups\" is missing"}},
      {SALTELLI(", 'groups': 1"), {"design.groups: is 1; expected a whole number from 2"}},
      {SALTELLI(", 'groups': 4294967297"), {"a design of type saltelli has at most 2^32 groups"}},
      {SALTELLI(", 'groups': 8, 'instances': 8"),
       {"design.instances", "has \"groups\" of d + 2 instances each"}},
      {SALTELLI(", 'groups': 8, 'levels': 4"),
       {"\"levels\" has no use in a design of type saltelli"}},
      {SALTELLI(", 'groups': 8, 'scramble': 'none', 'seed': 1"),
       {"a sequence without scrambling draws nothing"}},
      {SALTELLI(", 'groups': 8, 'correlation': []"),
       {"design.correlation", "they have to be independent", "of type sobol"}},
      {V("", DESIGN("'type': 'saltelli', 'groups': 8")), {"saltelli has nothing to draw"}},
      {V("", VARY("{'path': 'gravity', 'linspace': [8, 9, 3]}")
                 DESIGN("'type': 'saltelli', 'groups': 8")),
       {"\"linspace\" is for a grid; saltelli draws from \"uniform\""}},
      {MORRIS(""), {"design: \"trajectories\" is missing"}},
      {MORRIS(", 'trajectories': 1"), {"design.trajectories: is 1"}},
      {MORRIS(", 'trajectories': 8, 'groups': 4"),
       {"design.groups", "no use in a design of type morris"}},
      {MORRIS(", 'trajectories': 8, 'levels': 5"),
       {"design.levels: is 5; the levels of a parameter are an even number"}},
      {MORRIS(", 'trajectories': 8, 'levels': 0"),
       {"design.levels: is 0; expected a whole number from 2 to 1000"}},
      {MORRIS(", 'trajectories': 9007199254740992"), {"more instances than can be counted (2^53)"}},
      {MORRIS(", 'trajectories': 8, 'scramble': 'owen'"), {"design.scramble"}},
      {MORRIS(", 'trajectories': 8, 'instances': 8"),
       {"has \"trajectories\" of d + 1 instances each"}},
      {MORRIS(", 'trajectories': 8, 'correlation': []"),
       {"a design of type morris changes one parameter"}},
      {V("",
         VARY(SLOPE "," FRICTION) DESIGN("'type': 'nested', 'sample': 'saltelli', 'per_cell': 3")),
       {"design.sample"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'sobol', 'instances': 8, 'groups': 8")),
       {"design.groups", "type sobol"}});
}

#define CORRELATED(list)                                                                           \
  V("", VARY(FRICTION "," MASS "," SLOPE)                                                          \
            DESIGN("'type': 'sobol', 'instances': 8, 'correlation': " list))
#define PAIR(a, b, r) "{'paths': ['" a "', '" b "'], 'rank': " #r "}"

Test(design_errors, correlations_name_two_drawn_parameters_and_agree) {
  EXPECT_REFUSED(
      {CORRELATED("3"), {"s.json:5: design.correlation: expected a list"}},
      {CORRELATED("[3]"), {"design.correlation[0]: expected an object"}},
      {CORRELATED("[{'paths': ['wheel.friction'], 'rank': 1}]"),
       {"design.correlation[0].paths: expected two paths"}},
      {CORRELATED("[{'rank': 1}]"), {"\"paths\" is missing"}},
      {CORRELATED("[{'paths': ['wheel.friction', 'platform.mass']}]"), {"\"rank\" is missing"}},
      {CORRELATED("[" PAIR("wheel.friction", "gravity", 0.5) "]"),
       {"paths[1]: \"gravity\" is not in \"vary\""}},
      {CORRELATED("[" PAIR("wheel.friction", "wheel.friction", 0.5) "]"),
       {"not correlated with itself"}},
      {CORRELATED("[" PAIR("wheel.friction", "platform.mass", 1) "]"),
       {"design.correlation[0].rank", "between -1 and 1"}},
      {CORRELATED("[" PAIR("wheel.friction", "platform.mass",
                           0.2) "," PAIR("platform.mass", "wheel.friction", 0.2) "]"),
       {"design.correlation[1].paths", "given twice"}},
      {CORRELATED("[" PAIR("wheel.friction", "platform.mass", 0.9) "," PAIR(
           "platform.mass", "wheel.inclination", 0.9) "," PAIR("wheel.friction",
                                                               "wheel.inclination", -0.9) "]"),
       {"design.correlation: these correlations contradict each other",
        "from \"wheel.inclination\" on", "nearer to 0"}},
      {V("", VARY(SLOPE "," FRICTION)
                 DESIGN("'type': 'nested', 'sample': 'sobol', 'per_cell': 8, 'correlation': [" PAIR(
                     "wheel.friction", "wheel.inclination", 0.5) "]")),
       {"\"wheel.inclination\" belongs to the grid and is not drawn"}},
      {V("", VARY("{'path': 'wheel.friction', 'uniform': [0, 1], 'each': true}," MASS)
                 DESIGN("'type': 'sobol', 'instances': 8, 'correlation': [" PAIR(
                     "platform.mass", "wheel.friction", 0.5) "]")),
       {"is drawn for each wheel; name one of them: \"wheels[0].friction\""}});
}

#define LIST(text) V("", DESIGN("'type': 'list', " text))

Test(design_errors, rows_of_a_list_suit_its_paths) {
  EXPECT_REFUSED({LIST("'rows': [[1]]"), {"design: \"paths\" is missing"}},
                 {LIST("'paths': ['gravity']"), {"design: \"rows\" is missing"}},
                 {LIST("'paths': [], 'rows': [[1]]"), {"design.paths: has 0 paths"}},
                 {LIST("'paths': ['gravity'], 'rows': []"), {"design.rows: has 0 rows"}},
                 {LIST("'paths': ['gravty'], 'rows': [[1]]"),
                  {"design.paths[0]: unknown parameter \"gravty\"; did you mean \"gravity\"?"}},
                 {LIST("'paths': ['gravity', 'gravity'], 'rows': [[1, 1]]"),
                  {"design.paths[1]: \"gravity\" is varied twice"}},
                 {LIST("'paths': ['gravity'], 'rows': [[1], [1, 2]]"),
                  {"design.rows[1]: expected a row of 1 values"}},
                 {LIST("'paths': ['gravity'], 'rows': [[1],\n['0 m/s2']]"),
                  {"s.json:5: design.rows[1][0]: gravity is 0 m s-2"}},
                 {LIST("'paths': ['gravity'], 'rows': [[1], [null]]"), {"design.rows[1][0]"}});
}

#define RARE(text) DESIGN("'type': 'subset_simulation', 'instances': 1000" text)
#define FAILS ",\n'statistics': {'fail': 'max_slip > 1'}"

Test(design_errors, subset_simulation_needs_levels_that_divide_and_a_criterion) {
  EXPECT_REFUSED(
      {V("", VARY(FRICTION) RARE(", 'level_probability': 0.3") FAILS),
       {"design.level_probability: is 0.3; it must be 1 over"}},
      {V("", VARY(FRICTION) RARE(", 'level_probability': 0") FAILS),
       {"design.level_probability: is 0"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'subset_simulation', 'instances': 95") FAILS),
       {"design.instances: 95 instances per level",
        "a multiple of 1/level_probability = 10 and at least 100, for example 100"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'subset_simulation', 'instances': 1005") FAILS),
       {"for example 1010"}},
      {V("", VARY(FRICTION) RARE(", 'levels': 0") FAILS), {"design.levels"}},
      {V("", VARY(FRICTION) RARE(", 'scramble': 'owen'") FAILS),
       {"\"scramble\" has no use in a design of type subset_simulation"}},
      {V("", VARY("{'path': 'wheel.friction', 'linspace': [0.1, 0.5, 3]}") RARE("") FAILS),
       {"\"linspace\" is for a grid"}},
      {V("", VARY(FRICTION) RARE("")),
       {"s.json:5: design: there is no criterion", "\"statistics\": {\"fail\":"}},
      {V("", VARY(FRICTION) RARE(", 'fail': 'slides'") FAILS),
       {"design.fail: there is no criterion \"slides\"", "but \"fail\""}},
      {V("", VARY(FRICTION) RARE(", 'fail': 3") FAILS),
       {"design.fail: expected the name of a criterion"}},
      {V("", VARY(FRICTION) RARE("") ",\n'statistics': {'fail': {'a': 'max_slip > 1', 'b': 'a'}}"),
       {"statistics.fail has 2 criteria; name the one"}},
      {V("",
         VARY(FRICTION) DESIGN("'type': 'monte_carlo', 'instances': 9, 'level_probability': 0.1")),
       {"\"level_probability\" has no use in a design of type monte_carlo"}},
      {V("",
         VARY(FRICTION) DESIGN("'type': 'nested', 'sample': 'subset_simulation', 'per_cell': 9")),
       {"design.sample"}});
}

#define CARLO DESIGN("'type': 'monte_carlo', 'instances': 1000")
#define STOP(text) ",\n'statistics': {'fail': {'slides': 'max_slip > 1'}, 'stop': {" text "}}"
#define WIDE "'quantity': 'fail.slides', 'width': 0.01"

Test(design_errors, a_run_stops_by_something_that_is_there) {
  EXPECT_REFUSED(
      {V("", VARY(FRICTION) CARLO STOP("'width': 0.01")),
       {"s.json:6: statistics.stop", "\"quantity\""}},
      {V("", VARY(FRICTION) CARLO STOP("'quantity': 'fail.lifts', 'width': 0.01")),
       {"statistics.stop.quantity: there is no criterion \"lifts\"", "\"slides\""}},
      {V("", VARY(FRICTION) CARLO STOP("'quantity': 'max_slip', 'width': 0.01")),
       {"expected \"fail.NAME\"", "\"mean OBSERVABLE\""}},
      {V("", VARY(FRICTION) CARLO STOP("'quantity': 'mean speed', 'width': 0.01")),
       {"there is no observable \"speed\""}},
      {V("", VARY(FRICTION) CARLO STOP("'quantity': 'mean wheel_friction', 'width': 0.01")),
       {"is a varied parameter"}},
      {V("", VARY(FRICTION) CARLO ",\n'output': {'observables': ['final_x']}, 'statistics': "
                                  "{'stop': {'quantity': 'mean max_slip', "
                                  "'width': 1}}"),
       {"max_slip is an observable that the study does not store"}},
      {V("", VARY(FRICTION) CARLO STOP("'quantity': 'fail.slides'")),
       {"either \"width\" or \"relative_width\""}},
      {V("", VARY(FRICTION) CARLO STOP(WIDE ", 'relative_width': 0.1")),
       {"either \"width\" or \"relative_width\""}},
      {V("", VARY(FRICTION) CARLO STOP("'quantity': 'fail.slides', 'width': 0")),
       {"statistics.stop.width: is 0"}},
      {V("", VARY(FRICTION) CARLO STOP("'quantity': 'fail.slides', 'width': 2")),
       {"never wider than 1"}},
      {V("", VARY(FRICTION) CARLO STOP("'quantity': 'mean max_slip', 'width': '1 cm'")),
       {"statistics.stop.width: \"1 cm\": a speed is expected"}},
      {V("", VARY(FRICTION) CARLO STOP(WIDE ", 'instances': 2000")), {"statistics.stop.instances"}},
      {V("", VARY(FRICTION) CARLO STOP(WIDE ", 'at_least': 2000")), {"statistics.stop.at_least"}},
      {V("", VARY(FRICTION) CARLO STOP(WIDE ", 'wall_time': 0")), {"statistics.stop.wall_time"}},
      {V("", VARY(FRICTION) CARLO STOP(WIDE ", 'until': 3")), {"until"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'latin_hypercube', 'instances': 1000") STOP(WIDE)),
       {"statistics.stop: a design of type latin_hypercube is a sample only as a whole",
        "monte_carlo, sobol and halton"}},
      {V("", VARY(SLOPE) STOP(WIDE)),
       {"statistics.stop: a design of type grid lists its instances"}},
      {V("", VARY(FRICTION) DESIGN("'type': 'saltelli', 'groups': 64") STOP(WIDE)),
       {"differ in one parameter"}},
      {V("", VARY(FRICTION ", " SLOPE) DESIGN("'type': 'nested', 'sample': 'sobol', 'per_cell': 8")
                 STOP(WIDE)),
       {"goes through its cells one after the other"}},
      {V("", VARY(FRICTION) RARE("") STOP(WIDE)), {"ends by its own rule"}});
}
