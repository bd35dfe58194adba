/* 1 %, 50 % and 99 % of an ensemble poisoned in every way an instance can fail: the healthy ones
 * must come out with the bits that they have in a run without poison, observables, trajectories and
 * status. test_poison.c draws its poison by chance and has one parameter for it; here each kind has
 * its own and every kind must be found, in lanes beside it too. */
#include "tests/parity/parity.h"

enum { INSTANCES = 600, WIDTH = 5 };
static const char *const paths[WIDTH] = {"wheel.friction", "gravity", "initial.yaw_rate",
                                         "platform.center_of_mass.x", "wheel.initial.rate"};

/* One kind of poison each: the value of one parameter, set behind the reader's back, which refuses
 * what is none; and what becomes of the instance in double precision, as the kernels' order of
 * status says (kernels/time/integrate.h). */
static const struct {
  const char *what;
  int column;
  double value;
  int status; /* -1: any but ok; -2: any, and outside_model among them */
} poison[] = {
    {"gravity NaN", 1, (double)NAN, OMR_INSTANCE_INVALID},
    {"yaw rate 1e200", 2, 1e200, OMR_INSTANCE_DIVERGED},
    {"centre of mass 1 m ahead", 3, 1, OMR_INSTANCE_LIFTED},
    {"wheels at 1e5 rad/s", 4, 1e5, OMR_INSTANCE_CROWDED},
    {"wheels at 3000 rad/s", 4, 3000, OMR_INSTANCE_SPENT},
    {"gravity 1e8", 1, 1e8, -1},
    {"friction 8", 0, 8, -2},
    {"gravity -1", 1, -1, OMR_INSTANCE_INVALID},
    {"gravity infinite", 1, HUGE_VAL, OMR_INSTANCE_INVALID},
    {"friction NaN", 0, (double)NAN, OMR_INSTANCE_INVALID},
    {"gravity 1e300", 1, 1e300, OMR_INSTANCE_DIVERGED},
    {"centre of mass 1e6 m behind", 3, -1e6, OMR_INSTANCE_LIFTED},
};
enum { POISONS = sizeof poison / sizeof *poison };

#define HEAD                                                                                       \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"layout\": {\"type\": \"ring\", \"wheels\": "   \
  "3}, \"overlap\": \"allow\","                                                                    \
  " \"wheel\": {\"radius\": \"8 cm\", \"tip_radius\": \"1 cm\", \"slip_speed\": \"20 cm/s\","      \
  "   \"roller\": {\"density\": 4000}, \"drive\": {\"type\": \"tanh\", \"torque\": -0.4}}},"       \
  " \"integrator\": {\"step\": \"0.5 ms\", \"duration\": \"0.1 s\", \"budget\": 3, "               \
  "\"stability\": \"ignore\"},"                                                                    \
  " \"output\": {\"trajectories\": {\"instances\": \"all\", \"interval\": \"20 ms\"}}, "           \
  "\"design\": {\"type\": \"list\", "                                                              \
  "\"paths\": ["

/* Spreads numbers over 0 .. 1 evenly and without period. */
static double spread(size_t k, double from, double to) {
  const double x = (double)k * 0.6180339887498949;
  return from + (to - from) * (x - floor(x));
}

static omr_study *make_study(const engine *e) {
  omr_text text = {0};
  overrides o;
  omr_study *study;
  omr_error error = {.message = ""};
  omr_text_print(&text, HEAD);
  for (int j = 0; j < WIDTH; j++) omr_text_print(&text, "%s\"%s\"", j ? ", " : "", paths[j]);
  omr_text_print(&text, "], \"rows\": [");
  for (size_t k = 0; k < INSTANCES; k++)
    omr_text_print(&text, "%s[%.9g, 9.81, %.9g, %.9g, -40]", k ? ", " : "", spread(k, 0.2, 0.5),
                   spread(7 * k, 5, 10), spread(3 * k, -0.02, 0.02));
  omr_text_print(&text, "]}}");
  set_overrides(&o, e);
  cr_assert_eq(omr_study_parse(text.data, "poison.json", o.list, o.count, &study, &error), OMR_OK,
               "%s", error.message);
  omr_text_free(&text);
  return study;
}

/* Poisons `percent` of the instances, scattered so that healthy and poisoned ones share packs;
 * kind[k] is the kind or -1. */
static size_t scatter(int percent, omr_study *study, int *kind) {
  size_t poisoned = 0;
  for (size_t k = 0; k < INSTANCES; k++) {
    const size_t place = k * 367 % INSTANCES; /* 367 and 600 have no common factor */
    kind[k] = place * 100 < INSTANCES * (size_t)percent ? (int)(place % POISONS) : -1;
    if (kind[k] < 0) continue;
    study->variations[poison[kind[k]].column].values[k] = poison[kind[k]].value;
    poisoned++;
  }
  return poisoned;
}

static omr_result *run(int percent, const engine *e, int *kind, size_t *poisoned) {
  omr_study *study = make_study(e);
  omr_result *result;
  omr_error error = {.message = ""};
  *poisoned = scatter(percent, study, kind);
  const omr_status status = omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  return result;
}

/* Numbers of instance k in which a and b differ. */
static size_t compare_instance(const omr_result *a, const omr_result *b, size_t k) {
  const size_t samples = a->sample_count, wheels = (size_t)a->wheels;
  size_t differences =
      a->status[k] != b->status[k] || !same_bits(a->status_time[k], b->status_time[k]);
  for (size_t c = 0; c < a->column_count; c++)
    differences += !same_bits(a->columns[c].values[k], b->columns[c].values[k]);
  for (int j = 0; j < OMR_VS_COUNT; j++) {
    for (size_t s = k * samples; a->vehicle_samples[j] && s < (k + 1) * samples; s++)
      differences += !same_bits(a->vehicle_samples[j][s], b->vehicle_samples[j][s]);
  }
  for (int j = 0; j < OMR_WS_COUNT; j++) {
    for (size_t s = k * samples * wheels; a->wheel_samples[j] && s < (k + 1) * samples * wheels;
         s++)
      differences += !same_bits(a->wheel_samples[j][s], b->wheel_samples[j][s]);
  }
  return differences;
}

static void print_row(const engine *e, int percent, size_t poisoned, const size_t *counts,
                      size_t harmed) {
  printf("%-8s %-8s %2d %%: %3zu poisoned;", e->backend, e->precision, percent, poisoned);
  for (int s = 0; s < OMR_INSTANCE_STATUS_COUNT; s++)
    printf(" %s %zu", omr_instance_status_name(s), counts[s]);
  printf("; healthy ones with another bit: %zu of %zu\n", harmed, INSTANCES - poisoned);
}

static void check_share(const omr_result *clean, int percent, const engine *e) {
  int kind[INSTANCES];
  size_t poisoned, harmed = 0, counts[OMR_INSTANCE_STATUS_COUNT] = {0};
  omr_result *r = run(percent, e, kind, &poisoned);
  cr_expect_eq(poisoned * 100, (size_t)percent * INSTANCES);
  for (size_t k = 0; k < INSTANCES; k++) {
    counts[r->status[k]]++;
    if (kind[k] < 0)
      harmed += compare_instance(clean, r, k) > 0;
    else if (poison[kind[k]].status >= 0 && !strcmp(e->precision, "double"))
      cr_expect_eq(r->status[k], poison[kind[k]].status, "%s: %s", poison[kind[k]].what,
                   omr_instance_status_name(r->status[k]));
    else if (poison[kind[k]].status != -2)
      cr_expect_neq(r->status[k], OMR_INSTANCE_OK, "%s", poison[kind[k]].what);
  }
  cr_expect_eq(harmed, 0, "%s, %d %%: %zu healthy instances are not what they are without poison",
               engine_name(e), percent, harmed);
  for (int s = 0; percent > 1 && s < OMR_INSTANCE_STATUS_COUNT; s++) {
    /* in single precision what a pass at 1e5 rad/s computes overflows before it turns out to be far
     * too long */
    if (s == OMR_INSTANCE_CROWDED && strcmp(e->precision, "double")) continue;
    cr_expect_gt(counts[s], 0, "none is %s", omr_instance_status_name(s));
  }
  cr_expect_eq(r->failures.count, INSTANCES - counts[OMR_INSTANCE_OK]);
  print_row(e, percent, poisoned, counts, harmed);
  omr_result_destroy(r);
}

static void check(const engine *e) {
  int kind[INSTANCES];
  size_t poisoned;
  omr_result *clean = run(0, e, kind, &poisoned);
  if (!clean) cr_skip_test("%s is not here", e->backend);
  for (size_t k = 0; k < INSTANCES; k++)
    cr_assert_eq(clean->status[k], OMR_INSTANCE_OK, "instance %zu", k);
  cr_expect_eq(clean->failures.count, 0);
  const int shares[] = {1, 50, 99};
  for (int i = 0; i < 3; i++) check_share(clean, shares[i], e);
  omr_result_destroy(clean);
}

Test(poison_shares, in_lanes) {
  check(&(engine){.backend = "openmp", .precision = "double"});
  check(&(engine){.backend = "openmp", .precision = "single"});
}

Test(poison_shares, in_scalar_code) {
  check(&(engine){.backend = "scalar", .precision = "double"});
  check(&(engine){.backend = "scalar", .precision = "single"});
}

Test(poison_shares, on_an_opencl_device) {
  check(&(engine){.backend = "opencl", .precision = "double"});
  check(&(engine){.backend = "opencl", .precision = "single"});
}
