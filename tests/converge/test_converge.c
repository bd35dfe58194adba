/* What `omniroll converge` measures, against the exact solution of a wheelset
 * (tests/statistics/test_step_error.c): the errors that it prints are the true ones, the orders of
 * the methods show, and what it chooses is accurate enough. */
#include "../../host/converge/converge.h"
#include "../../host/study/derived.h"
#include "../../host/study/grammar/parse.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(converge, .timeout = 120);

enum { CASES = 8 };

#define WHEELSET                                                                                   \
  "{\"model\": \"wheelset\","                                                                      \
  " \"parameters\": {\"radius\": 0.15, \"half_track\": 0.3, \"left_wheel\": {\"mass\": 2, "        \
  "\"axial_inertia\": 0.02},"                                                                      \
  "                  \"rod\": {\"mass\": 3}, \"plane\": {\"slope\": 0.08, \"direction\": 0}, "     \
  "\"initial\": {\"vx\": 0.9}},"                                                                   \
  " \"vary\": [{\"path\": \"initial.yaw_rate\", \"linspace\": [1, 3, 8]}],"                        \
  " \"design\": {\"type\": \"grid\"},"                                                             \
  " \"integrator\": {\"method\": \"heun\", \"step\": 0.02, \"duration\": 2},"                      \
  " \"output\": {\"observables\": [\"final_vx\", \"path_length\"]},"                               \
  " \"engine\": {\"backend\": \"openmp\"}}"

static omr_study *read_of(const char *text, const char *const *overrides, size_t count) {
  omr_study *study;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "s.json", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static omr_study *read(const char *override) {
  return read_of(WHEELSET, &override, override != NULL);
}

static omr_converge make(const omr_study *study, const omr_converge_request *options) {
  omr_converge c;
  omr_error error = {0};
  cr_assert_eq(omr_converge_make(study, options, &c, &error), OMR_OK, "%s", error.message);
  return c;
}

/* Speed at the end of a wheelset that yaws at the rate W, and what Heun's method with a step makes
 * of it: it sums the acceleration a cos(W t) by the trapezoidal rule. */
static double rate_of(int i) {
  return 1 + 2.0 * i / (CASES - 1);
}
static double gain(double rate) {
  const double a = 7 * 9.81 * sin(0.08) / (7 + 2 * 0.02 / (0.15 * 0.15));
  return a / rate * sin(2 * rate);
}
static double heun_error(double rate, double step) {
  const double half = rate * step / 2;
  return gain(rate) * (half / tan(half) - 1);
}

static double mean_speed(void) {
  double sum = 0;
  for (int i = 0; i < CASES; i++) sum += 0.9 + gain(rate_of(i));
  return sum / CASES;
}
static double mean_size(void) {
  double sum = 0;
  for (int i = 0; i < CASES; i++) sum += fabs(0.9 + gain(rate_of(i)));
  return sum / CASES;
}
static double mean_error(double step) {
  double sum = 0;
  for (int i = 0; i < CASES; i++) sum += heun_error(rate_of(i), step);
  return fabs(sum / CASES);
}
static int ascending(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}
static void sizes(double step, double *median, double *worst) {
  double size[CASES];
  for (int i = 0; i < CASES; i++) size[i] = fabs(heun_error(rate_of(i), step));
  qsort(size, CASES, sizeof *size, ascending);
  *median = (size[CASES / 2 - 1] + size[CASES / 2]) / 2;
  *worst = size[CASES - 1];
}

static const omr_converge_row *row_of(const omr_converge *c, omr_method method,
                                      omr_precision precision, double size) {
  for (size_t i = 0; i < c->row_count; i++) {
    const omr_way *way = &c->rows[i].way;
    if (way->method == method && way->precision == precision &&
        fabs((way->tolerance > 0 ? way->tolerance : way->step) / size - 1) < 1e-9)
      return &c->rows[i];
  }
  return NULL;
}

Test(converge, prints_the_true_errors) {
  static const omr_way ways[] = {{OMR_METHOD_HEUN, OMR_DOUBLE, 0.2, 0},
                                 {OMR_METHOD_HEUN, OMR_DOUBLE, 0.1, 0},
                                 {OMR_METHOD_HEUN, OMR_DOUBLE, 0.05, 0}};
  omr_study *study = read(NULL);
  const omr_converge_request options = {.ways = ways, .way_count = 3};
  omr_converge c = make(study, &options);
  const size_t q = omr_converge_find(&c, "final_vx");
  cr_assert_lt(q, c.quantity_count);
  cr_expect_eq(c.instances, CASES);
  cr_expect_float_eq(c.quantities[q].truth, mean_speed(), 1e-9 * mean_speed());
  /* the scale is the larger of the speed's mean size and the mean speed along the path */
  const omr_converge_quantity *path = &c.quantities[omr_converge_find(&c, "path_length")];
  const double scale = fmax(mean_size(), path->truth / study->time.duration);
  cr_expect_float_eq(c.quantities[q].scale, scale, 1e-9 * scale);
  for (size_t i = 0; i < 3; i++) {
    const omr_converge_row *row = row_of(&c, OMR_METHOD_HEUN, OMR_DOUBLE, ways[i].step);
    double median, worst;
    cr_assert_not_null(row);
    sizes(ways[i].step, &median, &worst);
    const omr_converge_error *e = &row->errors[q];
    cr_expect_float_eq(e->mean * scale, mean_error(ways[i].step), 1e-4 * mean_error(ways[i].step));
    cr_expect_float_eq(e->median * scale, median, 1e-4 * median);
    cr_expect_float_eq(e->worst * scale, worst, 1e-4 * worst);
    cr_expect_gt(row->speed, 0);
    cr_expect_float_eq(row->passes, 1 / ways[i].step, 1e-6 / ways[i].step);
  }
  omr_converge_free(&c);
  omr_study_destroy(study);
}

static double order_of(const omr_converge *c, size_t q, omr_method method, double step) {
  const omr_converge_row *one = row_of(c, method, OMR_DOUBLE, step),
                         *half = row_of(c, method, OMR_DOUBLE, step / 2);
  cr_assert(one && half);
  return log2(one->errors[q].mean / half->errors[q].mean);
}

Test(converge, shows_the_orders_of_the_methods) {
  static const omr_way ways[] = {
      {OMR_METHOD_RK4, OMR_DOUBLE, 0.1, 0},
      {OMR_METHOD_RK4, OMR_DOUBLE, 0.05, 0},
      {OMR_METHOD_HEUN, OMR_DOUBLE, 0.1, 0},
      {OMR_METHOD_HEUN, OMR_DOUBLE, 0.05, 0},
      {OMR_METHOD_MIDPOINT, OMR_DOUBLE, 0.1, 0},
      {OMR_METHOD_MIDPOINT, OMR_DOUBLE, 0.05, 0},
      {OMR_METHOD_DOPRI, OMR_DOUBLE, 0, 1e-3},
      {OMR_METHOD_DOPRI, OMR_DOUBLE, 0, 1e-5},
      {OMR_METHOD_HEUN, OMR_SINGLE_PRECISION, 0.1, 0},
  };
  omr_study *study = read(NULL);
  const omr_converge_request options = {.ways = ways, .way_count = sizeof ways / sizeof *ways};
  omr_converge c = make(study, &options);
  const size_t q = omr_converge_find(&c, "final_vx");
  cr_expect_float_eq(order_of(&c, q, OMR_METHOD_HEUN, 0.1), 2, 0.02);
  cr_expect_float_eq(order_of(&c, q, OMR_METHOD_MIDPOINT, 0.1), 2, 0.02);
  cr_expect_float_eq(order_of(&c, q, OMR_METHOD_RK4, 0.1), 4, 0.05);
  const omr_converge_row *rough = row_of(&c, OMR_METHOD_DOPRI, OMR_DOUBLE, 1e-3),
                         *fine = row_of(&c, OMR_METHOD_DOPRI, OMR_DOUBLE, 1e-5);
  cr_expect_lt(fine->errors[q].worst, 0.1 * rough->errors[q].worst);
  cr_expect_gt(fine->passes, rough->passes);
  const omr_converge_row *one = row_of(&c, OMR_METHOD_HEUN, OMR_SINGLE_PRECISION, 0.1),
                         *other = row_of(&c, OMR_METHOD_HEUN, OMR_DOUBLE, 0.1);
  cr_expect_float_eq(one->errors[q].mean, other->errors[q].mean,
                     1e-5); /* rounding of 24 bits over 20 steps */
  cr_expect_neq(one->errors[q].mean, other->errors[q].mean);
  omr_converge_free(&c);
  omr_study_destroy(study);
}

/* Of heun alone the true error of the choice is known; others are held against the truth that the
 * first test has seen to be exact. */
static void expect_choice(const char *accept, double most) {
  omr_study *study = read(accept);
  const omr_converge_request options = {.budget = 10};
  omr_converge c = make(study, &options);
  const size_t q = omr_converge_find(&c, "final_vx");
  cr_expect_not(c.by_default);
  cr_expect_float_eq(c.quantities[q].most, most, 1e-12 * most);
  cr_expect(isnan(c.quantities[omr_converge_find(&c, "path_length")].most));
  cr_assert_geq(c.choice[OMR_DOUBLE], 0);
  const omr_converge_row *best = &c.rows[c.choice[OMR_DOUBLE]];
  cr_expect_leq(best->errors[q].mean * c.quantities[q].scale, most);
  for (size_t i = 0; i < c.row_count; i++) {
    const omr_converge_row *row = &c.rows[i];
    const double error = row->errors[q].mean * c.quantities[q].scale;
    if (row->way.precision == OMR_DOUBLE && row->speed > best->speed) cr_expect_not(row->accepted);
    if (error > most) cr_expect_not(row->accepted, "row %zu has %g", i, error);
    if (row->way.method != OMR_METHOD_HEUN || row->way.precision != OMR_DOUBLE) continue;
    cr_expect_float_eq(error, mean_error(row->way.step), 1e-3 * mean_error(row->way.step) + 1e-10);
    const double steps = 2 / row->way.step;
    cr_expect_float_eq(steps, round(steps), 1e-9 * steps);
  }
  cr_assert_geq(c.own, 0);
  cr_expect_eq(c.rows[c.own].way.method, OMR_METHOD_HEUN);
  cr_expect_float_eq(c.rows[c.own].way.step, 0.02, 1e-15);
  omr_converge_free(&c);
  omr_study_destroy(study);
}

Test(converge, chooses_the_cheapest_that_is_accurate_enough) {
  expect_choice("integrator.accept={\"final_vx\": \"0.1 mm/s\"}", 1e-4);
  expect_choice("integrator.accept={\"final_vx\": \"1e-3 mm/s\"}", 1e-6);
}

/* Errors of single instances above the criterion's threshold: two sides. */
Test(converge, counts_instances_whose_criterion_flips) {
  static const omr_way ways[] = {{OMR_METHOD_HEUN, OMR_DOUBLE, 0.2, 0},
                                 {OMR_METHOD_HEUN, OMR_DOUBLE, 0.02, 0}};
  double exact[CASES], rough[CASES], limit = 0;
  for (int i = 0; i < CASES; i++)
    exact[i] = 0.9 + gain(rate_of(i)), rough[i] = exact[i] + heun_error(rate_of(i), 0.2);
  limit = (exact[0] + rough[0]) / 2; /* between them, and far from the other instances' */
  int flips = 0;
  for (int i = 0; i < CASES; i++) flips += (exact[i] > limit) != (rough[i] > limit);
  cr_assert_eq(flips, 1);
  char criterion[100];
  snprintf(criterion, sizeof criterion, "statistics.fail=final_vx > %.17g m/s", limit);
  const char *const overrides[] = {criterion, "integrator.accept={\"fail\": \"10 %\"}"};
  omr_study *study = read_of(WHEELSET, overrides, 2);
  const omr_converge_request options = {.ways = ways, .way_count = 2};
  omr_converge c = make(study, &options);
  const size_t q = omr_converge_find(&c, "fail");
  cr_assert_lt(q, c.quantity_count);
  cr_expect_float_eq(row_of(&c, OMR_METHOD_HEUN, OMR_DOUBLE, 0.2)->errors[q].mean, 1.0 / CASES,
                     1e-12);
  cr_expect_float_eq(row_of(&c, OMR_METHOD_HEUN, OMR_DOUBLE, 0.02)->errors[q].mean, 0, 1e-12);
  cr_expect_not(row_of(&c, OMR_METHOD_HEUN, OMR_DOUBLE, 0.2)->accepted);
  cr_expect(row_of(&c, OMR_METHOD_HEUN, OMR_DOUBLE, 0.02)->accepted);
  omr_converge_free(&c);
  omr_study_destroy(study);
}

/* Time between samples and controllers' periods have part in it, whatever chooses the study's
 * steps. */
Test(converge, steps_divide_all_times) {
  static const char *const fixed[] = {
      "integrator.step=0.05", "integrator.duration=2.1",
      "output.trajectories={\"instances\": [0], \"interval\": 0.3}"};
  static const char *const free_ones[] = {
      "integrator={\"tolerance\": 1e-3, \"duration\": 2.1}",
      "output.trajectories={\"instances\": [0], \"interval\": 0.45}"};
  static const char *const odd[] = {
      "integrator={\"tolerance\": 1e-3, \"duration\": 2.1}",
      "output.trajectories={\"instances\": [0], \"interval\": 0.4142135623730951}"};
  omr_study *study = read_of(WHEELSET, fixed, 3);
  cr_expect_float_eq(omr_study_common_time(study), 0.3, 1e-12);
  omr_study_destroy(study);
  study = read_of(WHEELSET, free_ones, 2);
  cr_expect_float_eq(omr_study_common_time(study), 0.15, 1e-12);
  const omr_study heun = omr_study_integrated(study, OMR_METHOD_HEUN, 0.05, 0);
  cr_expect(heun.time.steps == 42 && heun.traces.stride == 9 && heun.time.tolerance == 0 &&
            heun.time.method == OMR_METHOD_HEUN);
  omr_study_destroy(study);
  study = read_of(WHEELSET, odd, 2);
  cr_expect_eq(omr_study_common_time(study), 0);
  omr_study_destroy(study);
}

Test(converge, offers_the_methods_that_a_law_allows) {
  omr_study *study = read(NULL);
  cr_expect_eq(omr_study_pair(study), OMR_METHOD_DOPRI);
  cr_expect(omr_study_takes(study, OMR_METHOD_HEUN) && omr_study_takes(study, OMR_METHOD_DOPRI));
  cr_expect_not(omr_study_takes(study, OMR_METHOD_ROSENBROCK) ||
                omr_study_takes(study, OMR_METHOD_EULER));
  omr_study_destroy(study);
  static const char vehicle[] = "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": \"1 "
                                "ms\", \"duration\": \"10 ms\"}}";
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb", "ideal_rolling",
                                     "udwadia_kalaba"};
  for (size_t i = 0; i < 4; i++) {
    char override[100];
    snprintf(override, sizeof override, "parameters.contact={\"law\": \"%s\"}", laws[i]);
    const char *const overrides[] = {override, "parameters.wheel.tip_radius=\"8 mm\""};
    study = read_of(vehicle, overrides, 2);
    cr_expect_eq(omr_study_takes(study, OMR_METHOD_ROS34PW2), i < 2, "%s", laws[i]);
    cr_expect_eq(omr_study_takes(study, OMR_METHOD_ROS2), i < 2, "%s", laws[i]);
    cr_expect_eq(omr_study_takes(study, OMR_METHOD_DOPRI), i >= 2, "%s", laws[i]);
    cr_expect_eq(omr_study_takes(study, OMR_METHOD_ROSENBROCK), i < 2, "%s", laws[i]);
    cr_expect(omr_study_takes(study, OMR_METHOD_RK4));
    omr_study_destroy(study);
  }
}

/* Three rows on a line of order 2, and one finer row that is worse: what came before it was luck.
 */
Test(converge, speed_at_an_accuracy_lies_on_the_power_law) {
  omr_converge_error errors[] = {
      {0.04, 0, 0}, {0.01, 0, 0}, {0.0025, 0, 0}, {0.001, 0, 0}, {0.02, 0, 0}};
  omr_converge_row rows[] = {
      {.way = {OMR_METHOD_HEUN, OMR_DOUBLE, 4e-3, 0}, .speed = 400, .errors = &errors[0]},
      {.way = {OMR_METHOD_HEUN, OMR_DOUBLE, 2e-3, 0}, .speed = 200, .errors = &errors[1]},
      {.way = {OMR_METHOD_HEUN, OMR_DOUBLE, 1e-3, 0}, .speed = 100, .errors = &errors[2]},
      {.way = {OMR_METHOD_RK4, OMR_DOUBLE, 2e-3, 0}, .speed = 5000, .errors = &errors[3]},
      {.way = {OMR_METHOD_RK4, OMR_DOUBLE, 1e-3, 0}, .speed = 2500, .errors = &errors[4]}};
  omr_converge_quantity quantity = {.name = "x"};
  const omr_converge c = {
      .rows = rows, .row_count = 5, .quantities = &quantity, .quantity_count = 1};
  ptrdiff_t best;
  cr_expect_float_eq(omr_converge_speed_at(&c, 0, 0.021, false, &best), 5000, 1e-9);
  cr_expect_eq(best, 3);
  cr_expect_float_eq(omr_converge_speed_at(&c, 0, 0.015, false, &best), 200 * sqrt(1.5), 1e-9);
  cr_expect_eq(best, 1);
  cr_expect_float_eq(omr_converge_speed_at(&c, 0, 0.005, false, &best), 100 * sqrt(2), 1e-9);
  cr_expect_eq(best, 2);
  cr_expect(isnan(omr_converge_speed_at(&c, 0, 1e-6, false, &best)) && best == -1);
}

/* Adaptive designs: the points of the first level. */
#define ADAPTIVE                                                                                   \
  "{\"model\": \"wheelset\", \"parameters\": {\"plane\": {\"slope\": 0.08}, \"initial\": "         \
  "{\"vx\": 0.9}},"                                                                                \
  " \"vary\": [{\"path\": \"initial.yaw_rate\", \"normal\": [2, 0.3]}],"                           \
  " \"design\": {\"type\": \"subset_simulation\", \"instances\": 500},"                            \
  " \"integrator\": {\"method\": \"heun\", \"step\": 0.1, \"duration\": 2},"                       \
  " \"statistics\": {\"fail\": \"final_vx > 2 m/s\"}, \"engine\": {\"backend\": \"openmp\"}}"

Test(converge, takes_the_first_level_of_an_adaptive_design) {
  static const omr_way ways[] = {{OMR_METHOD_HEUN, OMR_DOUBLE, 0.1, 0}};
  omr_study *study = read_of(ADAPTIVE, NULL, 0);
  const omr_converge_request options = {.ways = ways, .way_count = 1};
  omr_converge c = make(study, &options);
  cr_expect_geq(c.used, 16);
  cr_expect_gt(c.rows[0].errors[omr_converge_find(&c, "final_vx")].worst, 0);
  omr_converge_free(&c);
  omr_study_destroy(study);
}

static bool stop_at_once(void *user, double done, double total) {
  (void)user, (void)done, (void)total;
  return false;
}

Test(converge, ends_without_a_number_where_it_cannot_have_one) {
  omr_error error = {0};
  omr_converge c;
  omr_study *study = read(NULL);
  omr_converge_request options = {.progress = stop_at_once};
  cr_expect_eq(omr_converge_make(study, &options, &c, &error), OMR_ERR_INTERRUPTED, "%s",
               error.message);
  options = (omr_converge_request){.budget = 1e-6};
  cr_expect_eq(omr_converge_make(study, &options, &c, &error), OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, "--budget"), "%s", error.message);
  omr_study_destroy(study);
  /* a disc that lies flat from the start */
  study = read_of("{\"model\": \"rolling_disc\", \"parameters\": {\"initial\": {\"tilt\": "
                  "0.0101}}, \"integrator\": {\"step\": 1e-4, "
                  "\"duration\": 0.5}, \"engine\": {\"backend\": \"openmp\"}}",
                  NULL, 0);
  options = (omr_converge_request){.budget = 20};
  cr_expect_eq(omr_converge_make(study, &options, &c, &error), OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, "none of the 1 instances reaches the end"), "%s",
                     error.message);
  omr_study_destroy(study);
}

/* Wheels that roll have no slip: what is left is rounding, which no step makes smaller. */
Test(converge, does_not_judge_what_is_rounding_alone) {
  static const char vehicle[] =
      "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\", \"contact\": "
      "{\"law\": \"ideal_rolling\"}, "
      "\"wheel\": {\"tip_radius\": \"8 mm\","
      " \"drive\": {\"type\": \"constant\", \"torque\": \"0.05 N m\"}}},"
      " \"integrator\": {\"method\": \"rk4\", \"step\": \"1 ms\", \"duration\": \"0.3 s\"}, "
      "\"engine\": {\"backend\": \"openmp\"}}";
  static const omr_way ways[] = {{OMR_METHOD_RK4, OMR_DOUBLE, 1e-3, 0},
                                 {OMR_METHOD_HEUN, OMR_DOUBLE, 1e-3, 0}};
  omr_study *study = read_of(vehicle, NULL, 0);
  const omr_converge_request options = {.ways = ways, .way_count = 2};
  omr_converge c = make(study, &options);
  cr_expect(c.by_default);
  cr_expect(isnan(c.quantities[omr_converge_find(&c, "max_slip")].most));
  cr_expect_not(isnan(c.quantities[omr_converge_find(&c, "final_yaw")].most));
  cr_assert_geq(c.note_count, 1);
  cr_expect_not_null(strstr(c.notes[0], "max_slip"), "%s", c.notes[0]);
  cr_expect_geq(c.choice[OMR_DOUBLE], 0);
  omr_converge_free(&c);
  omr_study_destroy(study);
}
