/* The study of two spur gears (studies/spur_gear.json) beside numbers not made here: the ratio of
 * involute teeth, the textbook's contact ratio, and the transmission error of slow loaded teeth. */
#include "tests/skip.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>

#include <math.h>
#include <omniroll/omniroll.h>
#include <omniroll/reference.h>

#define PI 3.14159265358979323846

typedef struct gears {
  omr_study *study;
  omr_multibody *run;
  const omr_result *result;
} gears;

/* One instance of the study with members replaced; tolerance 0: the default, 1e-11. */
static gears run(const char *const *replaced, size_t count, double tolerance) {
  gears g = {0};
  omr_error error = {.message = ""};
  omr_multibody_options options = OMR_MULTIBODY_OPTIONS_INIT;
  options.choice.tolerance = tolerance;
  const char *set[4] = {"vary=[]"};
  for (size_t i = 0; i < count; i++) set[i + 1] = replaced[i];
  cr_assert_eq(omr_study_load("studies/spur_gear.json", set, count + 1, &g.study, &error), OMR_OK,
               "%s", error.message);
  cr_assert_eq(omr_multibody_create(g.study, &options, &g.run, &error), OMR_OK, "%s",
               error.message);
  g.result = omr_multibody_result(g.run);
  return g;
}

static void end(gears *g) {
  omr_multibody_destroy(g->run);
  omr_study_destroy(g->study);
}

static double value(const gears *g, const char *name) {
  const size_t column = omr_result_find(g->result, name);
  cr_assert_neq(column, OMR_NONE, "no column %s", name);
  return omr_result_column(g->result, column)[0];
}

static const double *samples(const gears *g, const char *name, size_t *count) {
  size_t wheels;
  const size_t quantity = omr_result_find_quantity(g->result, name);
  cr_assert_neq(quantity, OMR_NONE, "no sample %s", name);
  return omr_result_trajectory(g->result, quantity, count, &wheels);
}

/* Two gears of the module 2 mm under a tool of 20 degrees, addendum 1 module; lengths in mm. */
enum { ZA = 20, ZB = 31 };
static const double TOOL = 20 * PI / 180;
static const double RATIO = -(double)ZA / ZB;

/* Kinematics of involutes: the working pressure angle takes up a change of the centre distance.
 * Loaded, the brake's 10 N m alone would turn the wheel's 1e-3 kg m2 at 1e4 rad/s2; the teeth
 * cancel that to rounding, 1e-12 to 1e-11 rad/s2, which 1.8 s make 1e-11 rad/s of 0.3. */
Test(graph_gears, rigid_teeth_turn_by_the_numbers_of_teeth_at_two_centre_distances) {
  static const char *const distances[] = {"parameters.more=0 mm", "parameters.more=0.8 mm"};
  static const struct {
    const char *load;
    double within;
  } loads[] = {{"parameters.load=0 N m", 1e-14}, {"parameters.load=10 N m", 1e-10}};
  for (int i = 0; i < 4; i++) {
    gears g = run(
        (const char *[]){distances[i / 2], "system.contacts.mesh.teeth=rigid", loads[i % 2].load},
        3, 1e-13);
    const double off = value(&g, "ratio") - RATIO;
    cr_log_info("%s, %s: ratio less that of the teeth %.2g", distances[i / 2], loads[i % 2].load,
                off);
    cr_expect_lt(fabs(off), loads[i % 2].within, "%.3g", off);
    end(&g);
  }
}

/* The textbook's (e.g. DIN 3960): path of contact over base pitch, (sqrt(ra1^2 - rb1^2) +
 * sqrt(ra2^2 - rb2^2) - a sin(alpha)) / (pi m cos(alpha_tool)), alpha from a cos(alpha) = rb1 +
 * rb2. */
static double contact_ratio(double more) {
  const double b1 = 20 * cos(TOOL), b2 = 31 * cos(TOOL), a = 51 + more, angle = acos((b1 + b2) / a);
  return (sqrt(22.0 * 22 - b1 * b1) + sqrt(33.0 * 33 - b2 * b2) - a * sin(angle)) /
         (2 * PI * cos(TOOL));
}

/* Teeth without a deviation push wherever they are on the path of contact: the pairs that push are
 * the contact ratio on average, over the three meshes of the study (1.8 s at 0.6 s each). What is
 * left is the first step, whose teeth are not yet loaded, and the tolerance of jumps. */
Test(graph_gears, pairs_that_push_are_the_textbooks_contact_ratio_on_average) {
  static const struct {
    const char *set;
    double more;
  } cases[] = {{"parameters.more=0 mm", 0}, {"parameters.more=0.8 mm", 0.8}};
  for (int i = 0; i < 2; i++) {
    gears g = run(&cases[i].set, 1, 0);
    const double expected = contact_ratio(cases[i].more), found = value(&g, "pairs_mean");
    cr_log_info("contact ratio %.8f, textbook %.8f", found, expected);
    cr_expect_float_eq(found, expected, 1e-6, "%.9f, textbook %.9f", found, expected);
    end(&g);
  }
}

/* Compliant teeth wind up: the wheel's angle lacks x/r_B, so that the mean ratio misses that of the
 * teeth by x_end/(r_B phi_A), phi_A = 54 degrees. */
Test(graph_gears, the_mean_ratio_misses_that_of_the_teeth_by_the_error_at_the_end) {
  gears g = run(NULL, 0, 0);
  const double wound = value(&g, "error_final") / (0.031 * cos(TOOL) * 54 * PI / 180);
  cr_expect_float_eq(value(&g, "ratio"), RATIO + wound, 1e-9);
  cr_expect_gt(wound, 5e-5);
  end(&g);
}

typedef struct meshing {
  double deviation, load, stiffness; /* m, N, N/m */
  double before, behind, pitch;      /* path of contact and base pitch, m */
} meshing;

static meshing meshing_of(double deviation) {
  const double b1 = 0.02 * cos(TOOL), b2 = 0.031 * cos(TOOL);
  return (meshing){.deviation = deviation,
                   .load = 10 / b2,
                   .stiffness = 2e8,
                   .before = sqrt(0.033 * 0.033 - b2 * b2) - b2 * tan(TOOL),
                   .behind = sqrt(0.022 * 0.022 - b1 * b1) - b1 * tan(TOOL),
                   .pitch = 2 * PI * b1 / ZA};
}

/* Balance of slow teeth: sum over pairs k max(0, x - e_i) = F. Two pairs at most are on the path.
 * Where both carry x = (e_1 + e_2)/2 + F/(2 k); where that would leave a gap at one of them the
 * other carries alone, x = e + F/k. NaN near a place where the number of pairs changes. */
static double quasi_static(const meshing *m, double roll, int *pairs) {
  double e[4] = {0}, wait = m->load / m->stiffness;
  *pairs = 0;
  for (int i = -3; i < 8; i++) {
    const double place = roll - i * m->pitch;
    if (fabs(place + m->before) < 2e-5 || fabs(place - m->behind) < 2e-5) return (double)NAN;
    if (place > -m->before && place < m->behind)
      e[(*pairs)++] = m->deviation * sin(2 * PI * place / 0.003);
  }
  if (*pairs < 2) return e[0] + wait;
  const double apart = fabs(e[0] - e[1]);
  if (fabs(apart - wait) < 0.05 * wait) return (double)NAN;
  if (apart > wait) *pairs = 1;
  return apart > wait ? fmin(e[0], e[1]) + wait : (e[0] + e[1] + wait) / 2;
}

/* From 0.2 s on the brake has its 10 N m to 1e-8. What the balance leaves out is inertia: 1.2 kg
 * at the base circle, times the deviation's 10 um (20.6 rad/s)^2: 5 mN of the 343 N. */
static void follow(const char *set, double deviation, int seen[3]) {
  gears g = run(&set, 1, 0);
  const meshing m = meshing_of(deviation);
  size_t count;
  const double *x = samples(&g, "error", &count), *roll = samples(&g, "roll", &count),
               *pairs = samples(&g, "pairs", &count), *force = samples(&g, "force", &count);
  double worst = 0;
  for (size_t i = 100; i < count; i++) {
    int expected_pairs;
    const double expected = quasi_static(&m, roll[i], &expected_pairs);
    if (isnan(expected)) continue;
    worst = fmax(worst, fabs(x[i] - expected));
    cr_expect_eq((int)pairs[i], expected_pairs, "%g pairs at %zu", pairs[i], i);
    cr_expect_float_eq(force[i], m.load, 1e-4 * m.load);
    seen[expected_pairs]++;
  }
  cr_log_info("deviation %g m: %d instants with one pair, %d with two, error within %.2g m",
              deviation, seen[1], seen[2], worst);
  cr_expect_lt(worst, 1e-4 * m.load / m.stiffness, "%.3g m", worst);
  end(&g);
}

Test(graph_gears, the_transmission_error_is_deviation_and_load_over_stiffness) {
  static const struct {
    const char *set;
    double deviation;
  } cases[] = {{"parameters.deviation=0 um", 0},
               {"parameters.deviation=5 um", 5e-6},
               {"parameters.deviation=10 um", 1e-5}};
  for (int i = short_form() ? 2 : 0; i < 3; i++) { /* the largest alone */
    int seen[3] = {0};
    follow(cases[i].set, cases[i].deviation, seen);
    cr_expect_gt(seen[1], 200);
    cr_expect_gt(seen[2], 200);
  }
}
