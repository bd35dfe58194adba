/* Maps of the floor's heights (appendix/springs.md#floors): between their nodes, and vehicles on
 * them against floors in closed form. */
#include "model/floor.h"
#include "result/result.h"
#include "shared/motion.h"
#include "study/grammar/parse.h"
#include "study/tables/height_map.h"

#include <unistd.h>

static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {\"overlap\": \"allow\","
    "\"contact\": {\"normal\": \"compliant\"},"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.4, \"roll_inertia\": 0.2, \"pitch_inertia\": "
    "0.3, \"center_of_mass\": {\"height\": 0.16}},"
    "\"layout\": {\"type\": \"rectangle\", \"half_length\": 0.25, \"half_width\": 0.2},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"center_distance\": 0.088, \"friction\": 0.6,"
    "\"contact\": {\"stiffness\": 1e5, \"damping_ratio\": 0.2},"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"50 us\", \"duration\": \"0.1 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}}";

static char path[64];

static void remove_map(void) {
  unlink(path);
}

typedef double (*height_at)(double x, double z);

/* Nodes of -1.5 to 1.5 m at equal spacings, from last to first. */
static void write_map(height_at height, int nodes) {
  snprintf(path, sizeof path, "/tmp/omniroll-map-XXXXXX");
  FILE *out = fdopen(mkstemp(path), "w");
  cr_assert_not_null(out);
  fputs("x [m],z [m],height [m]\n", out);
  for (int n = nodes * nodes; n-- > 0;) {
    const double x = -1.5 + 3.0 * (n % nodes) / (nodes - 1),
                 z = -1.5 + 3.0 * (n / nodes) / (nodes - 1);
    fprintf(out, "%.17g,%.17g,%.17g\n", x, z, height(x, z));
  }
  fclose(out);
}

static omr_result *run_on_map(const char *members, const char *more, const char *other) {
  char floor[512];
  snprintf(floor, sizeof floor, "parameters.floor={\"map\": {\"file\": \"%s\"%s}}", path, members);
  return run_study(text, OVERRIDES(floor, more, other));
}

/* ---- the map itself */

enum { ALONG = 5, ACROSS = 4 };
static const double spacing[2] = {0.25, 0.5}, first[2] = {-0.3, 1.1};

/* A map without structure; instance: where it lies. */
static omr_floor lay(omr_study *study, bool smooth, double direction) {
  static double place[2][ALONG * ACROSS], height[ALONG * ACROSS];
  *study = (omr_study){.contact.compliant = true, .floor.map = {.given = true, .smooth = smooth}};
  for (int n = 0; n < ALONG * ACROSS; n++) {
    place[0][n] = first[0] + spacing[0] * (n % ALONG);
    place[1][n] = first[1] + spacing[1] * (n / ALONG);
    height[n] = 0.01 * sin(7.0 * n * n);
  }
  const omr_map_rows rows = {ALONG * ACROSS, {place[0], place[1]}, height};
  cr_assert_eq(omr_height_map_make(&study->floor.map, &rows).mistake, OMR_MAP_GOOD);
  double *v = study->base.vehicle;
  for (int i = 0; i < OMR_VP_COUNT; i++) v[i] = omr_vehicle_parameters[i].standard;
  v[OMR_VP_FLOOR_MAP_X] = 0.2;
  v[OMR_VP_FLOOR_MAP_Z] = -0.7;
  v[OMR_VP_FLOOR_MAP_DIRECTION] = direction;
  v[OMR_VP_FLOOR_MAP_OFFSET] = 0.05;
  v[OMR_VP_FLOOR_MAP_SCALE] = -2;
  omr_floor floor;
  omr_floor_make(study, &study->base, &floor);
  return floor;
}

/* Height at so many spacings from the map's first node. */
static double height_in(const omr_floor *floor, double direction, double along, double across) {
  const double u = first[0] + spacing[0] * along, v = first[1] + spacing[1] * across;
  return omr_floor_at(floor, 0.2 + u * cos(direction) + v * sin(direction),
                      -0.7 - u * sin(direction) + v * cos(direction))
      .height;
}

static double node(int along, int across) {
  const int n = along + ALONG * across;
  return 0.05 - 2 * 0.01 * sin(7.0 * n * n);
}

/* At nodes their heights; in the middle of cells the mean of four, and of edges of two, where the
 * map is bilinear; beyond the border what that has. */
Test(floor_map, nodes_midpoints_and_what_lies_beyond) {
  for (int smooth = 0; smooth < 2; smooth++) {
    omr_study study;
    const double turned = 0.7;
    const omr_floor floor = lay(&study, smooth, turned);
    for (int a = 0; a < ALONG; a++)
      for (int b = 0; b < ACROSS; b++)
        cr_expect_float_eq(height_in(&floor, turned, a, b), node(a, b), 1e-14);
    for (int a = 0; a + 1 < ALONG && !smooth; a++)
      for (int b = 0; b + 1 < ACROSS; b++) {
        cr_expect_float_eq(height_in(&floor, turned, a + 0.5, b + 0.5),
                           (node(a, b) + node(a + 1, b) + node(a, b + 1) + node(a + 1, b + 1)) / 4,
                           1e-14);
        cr_expect_float_eq(height_in(&floor, turned, a + 0.25, b),
                           0.75 * node(a, b) + 0.25 * node(a + 1, b), 1e-14);
      }
    cr_expect_float_eq(height_in(&floor, turned, -3, 2), node(0, 2), 1e-14);
    cr_expect_float_eq(height_in(&floor, turned, 1, 40), node(1, ACROSS - 1), 1e-14);
    cr_expect_float_eq(height_in(&floor, turned, 99, -40), node(ALONG - 1, 0), 1e-14);
    omr_height_map_free(&study.floor.map);
  }
}

/* A middle between two nodes of a cubic with slopes of the chords of neighbours is 9/16 of both
 * less 1/16 of those beyond. */
Test(floor_map, the_cubic_is_that_of_its_neighbours) {
  omr_study study;
  const omr_floor floor = lay(&study, true, 0);
  for (int b = 0; b < ACROSS; b++)
    cr_expect_float_eq(height_in(&floor, 0, 1.5, b),
                       (9 * (node(1, b) + node(2, b)) - node(0, b) - node(3, b)) / 16, 1e-14);
  omr_height_map_free(&study.floor.map);
}

/* Slopes and their rates are differences of the heights, and no height is over the top. */
Test(floor_map, slopes_are_differences_of_heights) {
  const double e = 1e-6;
  for (int smooth = 0; smooth < 2; smooth++) {
    omr_study study;
    const omr_floor floor = lay(&study, smooth, -0.4);
    for (int n = 0; n < 400; n++) {
      /* all over the map, and over its border */
      const double x = 0.2 + 0.0731 * (n % 20), z = -0.3 + 0.1237 * n / 20;
      const omr_floor_spot at = omr_floor_at(&floor, x, z), east = omr_floor_at(&floor, x + e, z),
                           west = omr_floor_at(&floor, x - e, z),
                           right = omr_floor_at(&floor, x, z + e),
                           left = omr_floor_at(&floor, x, z - e);
      cr_expect_float_eq(at.x, (east.height - west.height) / (2 * e), 1e-9);
      cr_expect_float_eq(at.z, (right.height - left.height) / (2 * e), 1e-9);
      cr_expect_float_eq(at.xx, (east.x - west.x) / (2 * e), 1e-8);
      cr_expect_float_eq(at.xz, (right.x - left.x) / (2 * e), 1e-8);
      cr_expect_float_eq(at.zz, (right.z - left.z) / (2 * e), 1e-8);
      cr_expect_leq(at.height, floor.columns[F_TOP]);
    }
    omr_height_map_free(&study.floor.map);
  }
}

/* ---- vehicles on maps */

static double flat(double x, double z) {
  (void)x;
  (void)z;
  return 0.03;
}

/* A map of one height raises everything by it. */
Test(floor_map, a_map_of_one_height_is_the_level_floor, .fini = remove_map) {
  static const char *const words[] = {", \"offset\": 0.02",
                                      ", \"offset\": 0.02, \"interpolation\": \"cubic\""};
  const char *rate = "parameters.wheel.initial.rate=-3";
  write_map(flat, 7);
  omr_result *level = run_study(text, OVERRIDES(rate));
  cr_expect_null(level->vehicle_samples[OMR_VS_FLOOR]);
  for (int j = 0; j < 2; j++) {
    omr_result *r = run_on_map(words[j], rate, "engine.threads=1");
    for (size_t n = 0; n < r->sample_count; n++) {
      cr_expect_float_eq(r->vehicle_samples[OMR_VS_FLOOR][n], 0.05, 1e-15);
      cr_expect_float_eq(r->vehicle_samples[OMR_VS_HEIGHT][n],
                         0.05 + level->vehicle_samples[OMR_VS_HEIGHT][n], 1e-12);
      cr_expect_float_eq(r->vehicle_samples[OMR_VS_X][n], level->vehicle_samples[OMR_VS_X][n],
                         1e-11);
      cr_expect_float_eq(r->wheel_samples[OMR_WS_LOAD][4 * n],
                         level->wheel_samples[OMR_WS_LOAD][4 * n], 1e-6);
    }
    omr_result_destroy(r);
  }
  omr_result_destroy(level);
}

static const double tangent = 0.07;

static double inclined(double x, double z) {
  (void)z;
  return tangent * x;
}

/* The vehicle stands and slides on an inclined map as on a slope of the same angle: turned by it,
 * at the same distance. The spring of the map's vertical gap is harder along the normal by 1/cos^2,
 * and friction as much larger. */
Test(floor_map, an_inclined_map_is_a_slope, .fini = remove_map) {
  static const int forces[] = {OMR_WS_LOAD, OMR_WS_FORCE_I, OMR_WS_FORCE_K};
  static const char *const words[] = {"", ", \"interpolation\": \"cubic\""};
  const double angle = atan(tangent), speed = 0.4, sunk = -2e-4;
  char floor[96], along[128], turned[192];
  write_map(inclined, 4);
  snprintf(floor, sizeof floor, "parameters.floor={\"slope\": %.17g}", angle);
  snprintf(along, sizeof along, "parameters.initial={\"height\": %.17g, \"vx\": %.17g}", sunk,
           speed);
  snprintf(turned, sizeof turned,
           "parameters.initial={\"height\": %.17g, \"pitch\": %.17g, \"vx\": %.17g, "
           "\"heave_rate\": %.17g}",
           sunk / cos(angle), angle, speed * cos(angle), speed * sin(angle));
  omr_result *slope = run_study(text, OVERRIDES(floor, along, "integrator.duration=\"10 ms\""));
  for (int j = 0; j < 2; j++) {
    omr_result *map = run_on_map(words[j], turned, "integrator.duration=\"10 ms\"");
    for (size_t f = 0; f < sizeof forces / sizeof *forces; f++)
      for (int i = 0; i < 4; i++)
        cr_expect_float_eq(map->wheel_samples[forces[f]][i] * cos(angle) * cos(angle),
                           slope->wheel_samples[forces[f]][i], 3e-11); /* of 20 N: 1.5e-12 */
    cr_expect_gt(slope->wheel_samples[OMR_WS_LOAD][0], 15);
    omr_result_destroy(map);
  }
  omr_result_destroy(slope);
}

#define AMPLITUDE 0.004
#define LENGTH 0.4

static double wave(double x, double z) {
  return AMPLITUDE * sin(2 * M_PI / LENGTH * (x * cos(0.3) - z * sin(0.3)));
}

#define DRIVEN "parameters.wheel.drive={\"type\": \"speed\", \"speed\": -8}"

static double height_apart(const omr_result *a, const omr_result *b) {
  double most = 0;
  for (size_t n = 0; n < a->sample_count; n++)
    most = fmax(most,
                fabs(a->vehicle_samples[OMR_VS_HEIGHT][n] - b->vehicle_samples[OMR_VS_HEIGHT][n]));
  return most;
}

/* The vehicle drives over a map of a wave as over the wave, the better the closer its nodes. */
Test(floor_map, a_map_of_a_wave_is_the_wave, .fini = remove_map) {
  static const char *const words[] = {"", ", \"interpolation\": \"cubic\""};
  static const int nodes[] = {61, 121}; /* 8 and 16 to a wave */
  static const double order[] = {2, 3};
  omr_result *exact =
      run_study(text, OVERRIDES("parameters.floor={\"wave\": {\"amplitude\": 0.004, \"length\": "
                                "0.4, \"direction\": 0.3}}",
                                DRIVEN));
  for (int j = 0; j < 2; j++) {
    double apart[2];
    for (int n = 0; n < 2; n++) {
      write_map(wave, nodes[n]);
      omr_result *map = run_on_map(words[j], DRIVEN, "engine.threads=1");
      apart[n] = height_apart(exact, map);
      omr_result_destroy(map);
      remove_map();
    }
    cr_log_info("%s heights of the vehicle: %.3g and %.3g m apart",
                j ? "cubic:" : "bilinear:", apart[0], apart[1]);
    cr_expect_gt(log2(apart[0] / apart[1]), order[j] - 0.6);
    cr_expect_lt(apart[1], j ? 1e-5 : 1e-4);
  }
  omr_result_destroy(exact);
}

/* What springs take they give back where the map has no edges. */
Test(floor_map, energy_balance_closes_on_a_smooth_map, .fini = remove_map) {
  static const char *const words[] = {", \"interpolation\": \"cubic\"", ""};
  double error[2];
  write_map(wave, 61);
  for (int j = 0; j < 2; j++) {
    omr_result *r = run_on_map(words[j], DRIVEN, "engine.threads=1");
    error[j] = value_of(r, "energy_error", 0);
    omr_result_destroy(r);
  }
  cr_log_info("energy balance: cubic %.3g, bilinear %.3g", error[0], error[1]);
  cr_expect_lt(fabs(error[0]), 1e-6);
}

/* In the frame ros the file's y is to the left, and so is the place of the map. */
Test(floor_map, both_frames_lay_it_at_the_same_place, .fini = remove_map) {
  write_map(wave, 61);
  omr_result *own = run_on_map(", \"z\": 0.2, \"direction\": 0.4",
                               "parameters.wheel.initial.rate=-3", "engine.threads=1"),
             *ros =
                 run_on_map(", \"y\": -0.2, \"direction\": 0.4, \"columns\": {\"y\": {\"column\": "
                            "\"z\", \"factor\": -1}}",
                            "parameters.wheel.initial.rate=3", "frame=ros");
  for (size_t n = 0; n < own->sample_count; n++) {
    cr_expect_eq(own->vehicle_samples[OMR_VS_HEIGHT][n], ros->vehicle_samples[OMR_VS_HEIGHT][n]);
    cr_expect_eq(own->vehicle_samples[OMR_VS_FLOOR][n], ros->vehicle_samples[OMR_VS_FLOOR][n]);
  }
  omr_result_destroy(own);
  omr_result_destroy(ros);
}

/* Instances of one run have the same nodes, each with its own place and scale. */
Test(floor_map, places_and_scales_vary, .fini = remove_map) {
  static const char *const alone[] = {", \"x\": 0.1, \"scale\": 0.5", ", \"x\": 0.3, \"scale\": 2"};
  write_map(wave, 31);
  omr_result *both =
      run_on_map("",
                 "vary=[{\"path\": \"floor.map.x\", \"values\": [0.1, 0.3]}, {\"path\": "
                 "\"floor.map.scale\", \"values\": [0.5, 2]}]",
                 "output.trajectories.instances=[0, 3]");
  for (int j = 0; j < 2; j++) {
    omr_result *one = run_on_map(alone[j], "engine.threads=1", "engine.precision=double");
    for (size_t n = 0; n < one->sample_count; n++)
      cr_expect_eq(both->vehicle_samples[OMR_VS_HEIGHT][(size_t)j * one->sample_count + n],
                   one->vehicle_samples[OMR_VS_HEIGHT][n]);
    omr_result_destroy(one);
  }
  omr_result_destroy(both);
}
