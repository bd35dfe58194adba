/* Friction of the ground in time and place: the formulas of source 5, patches against a computation
 * with corners and distances, and motions across an edge. */
#include "host/result/result.h"
#include "shared/bodies.h"
#include "shared/kernel.h"
#include "shared/motion.h"

/* Friction coefficient under the first wheel of the vehicle at time t. */
static double friction_at(const char *ground, const char *law, double t) {
  omr_error error = {0};
  omr_study *study = NULL;
  const char *overrides[] = {"parameters.wheel.friction=0.7", ground, law};
  cr_assert_eq(omr_study_parse(vehicle_text, "test", overrides, 3, &study, &error), OMR_OK, "%s",
               error.message);
  fleet f = make_fleet(study, 1);
  evaluation e;
  prepare_slot(&f, study, 0);
  load_slot(&f, 0, &e);
  derive_at(&f, t, &e);
  free_fleet(&f);
  omr_study_destroy(study);
  return e.o.friction[0];
}

static const char *const laws[] = {"parameters.contact.law=saturated_coulomb",
                                   "parameters.contact.law=regularized_coulomb"};

/* Source 5, eq. (24): mu = mu_l + (mu_u - mu_l) tanh^4((t - t_s)/s_d), here mu_u = 0.7, mu_l =
 * 0.14, t_s = 1.2, s_d = 0.3. */
Test(ground, dip_is_eq_24_of_source_5) {
  for (int law = 0; law < 2; law++) {
    for (double t = 0; t < 3; t += 0.11) {
      double expected = 0.14 + (0.7 - 0.14) * pow(tanh((t - 1.2) / 0.3), 4);
      double got = friction_at(
          "parameters.ground={\"type\":\"dip\",\"factor\":0.2,\"time\":1.2,\"width\":0.3}",
          laws[law], t);
      cr_expect_float_eq(got, expected, 1e-14, "%.17g, not %.17g at %g s", got, expected, t);
    }
  }
}

/* Eq. (26) with the mean of both in front: mu = (mu_u + mu_l)/2 - (mu_u - mu_l)/2 tanh(k_m (t -
 * t_s)), k_m = 1/width. */
Test(ground, step_is_eq_26_of_source_5) {
  for (int law = 0; law < 2; law++) {
    for (double t = 0; t < 3; t += 0.11) {
      double expected = (0.7 + 0.14) / 2 - (0.7 - 0.14) / 2 * tanh((t - 1.2) / 0.3);
      double got = friction_at(
          "parameters.ground={\"type\":\"step\",\"factor\":0.2,\"time\":1.2,\"width\":0.3}",
          laws[law], t);
      cr_expect_float_eq(got, expected, 1e-14, "%.17g, not %.17g at %g s", got, expected, t);
    }
  }
}

/* ---- patches */

typedef struct patch {
  bool half_plane;
  double x, z, length, width, yaw, friction;
} patch;

static patch random_patch(uint64_t *s) {
  patch p = {draw(s, 0, 1) < 0.4, draw(s, -1, 1), draw(s, -1, 1), draw(s, 0.1, 1.5),
             draw(s, 0.1, 1.5),   draw(s, -7, 7), draw(s, 0, 0.9)};
  return p;
}

/* Distance of a point inside the line through `from` and `to`, which has its inside to the left
 * seen from above (y at the viewer): up x direction points there. */
static double inside_of(vec point, vec from, vec to) {
  vec along = sub(to, from), left = cross(UP, scale(1 / length(along), along));
  return dot(sub(point, from), left);
}

/* Distance inside the patch: its sides are lines through its corners, forward of a yaw is (cos,
 * -sin) in (x, z). */
static double inside(const patch *p, vec point) {
  vec forward = turned((vec){1, 0, 0}, UP, p->yaw), right = turned((vec){0, 0, 1}, UP, p->yaw),
      centre = {p->x, 0, p->z};
  if (p->half_plane) return inside_of(point, centre, add(centre, right));
  vec l = scale(p->length / 2, forward), w = scale(p->width / 2, right);
  vec corner[4] = {add(add(centre, l), w), sub(add(centre, l), w), sub(sub(centre, l), w),
                   add(sub(centre, l), w)};
  double least = HUGE_VAL;
  for (int i = 0; i < 4; i++) least = fmin(least, inside_of(point, corner[i], corner[(i + 1) % 4]));
  return least;
}

static double friction_on(const patch *patches, int count, double edge, double own, vec point) {
  double friction = own;
  for (int i = 0; i < count; i++) {
    double d = inside(&patches[i], point),
           cover = edge > 0 ? fmin(fmax(d / edge + 0.5, 0), 1) : d > 0;
    friction += cover * (patches[i].friction - friction);
  }
  return friction;
}

static omr_text ground_text(const patch *patches, int count, double edge) {
  omr_text text = {0};
  omr_text_print(&text, "{\"type\": \"patches\", \"edge\": %.17g", edge);
  for (int i = 0; i < count; i++) {
    const patch *p = &patches[i];
    omr_text_print(&text,
                   ", \"patch%d\": {\"shape\": \"%s\", \"x\": %.17g, \"z\": %.17g, \"yaw\": %.17g, "
                   "\"friction\": %.17g",
                   i, p->half_plane ? "half_plane" : "rectangle", p->x, p->z, p->yaw, p->friction);
    if (!p->half_plane)
      omr_text_print(&text, ", \"length\": %.17g, \"width\": %.17g", p->length, p->width);
    omr_text_print(&text, "}");
  }
  omr_text_print(&text, "}");
  return text;
}

/* Random patches, poses and wheels; contact points from bodies.h. Counts wheels that stand on a
 * patch, in a transition, on none.
 */
static void check_patches(uint64_t seed, double edge, machine (*random)(uint64_t *),
                          int counts[3]) {
  double worst = 0;
  for (int n = 0; n < 300; n++) {
    machine m = random(&seed);
    patch patches[OMR_PATCHES];
    const int count = draw_whole(&seed, 1, OMR_PATCHES);
    for (int i = 0; i < count; i++) patches[i] = random_patch(&seed);
    m.x = draw(&seed, -1, 1);
    m.z = draw(&seed, -1, 1);
    omr_text text = ground_text(patches, count, edge);
    m.ground = text.data;
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    const double own = m.regularized ? fmax(m.lateral, m.longitudinal) : m.friction;
    for (int i = 0; i < m.wheels; i++) {
      double expected = friction_on(patches, count, edge, own, contact_point(&m, i)),
             got = e.o.friction[i];
      bool on_patch = false;
      for (int j = 0; j < count; j++) on_patch |= got == patches[j].friction;
      counts[got == own ? 2 : on_patch ? 0 : 1]++;
      worst = larger(worst, got - expected);
    }
    free_fleet(&f);
    omr_text_free(&text);
  }
  cr_log_info(
      "edge %g m: largest difference %.2g; %d wheels on patches, %d in transitions, %d beside",
      edge, worst, counts[0], counts[1], counts[2]);
  cr_expect_lt(worst, 1e-12);
}

Test(ground, friction_is_that_of_the_patch_under_the_contact_point) {
  int counts[3] = {0};
  check_patches(51, 0, random_machine, counts);
  cr_expect_gt(counts[0], 200);
  cr_expect_eq(counts[1], 0, "sharp edges have no transition");
  cr_expect_gt(counts[2], 200);
}

Test(ground, friction_changes_linearly_over_a_soft_edge) {
  int counts[3] = {0};
  check_patches(52, 0.3, random_machine, counts);
  cr_expect_gt(counts[0], 100);
  cr_expect_gt(counts[1], 200);
  cr_expect_gt(counts[2], 100);
}

/* Law 2: the patch gives the larger coefficient, the other and the viscous part follow in
 * proportion, rolling friction stays. */
Test(ground, scales_the_regularized_law_as_a_whole) {
  uint64_t seed = 53;
  int counts[3] = {0};
  check_patches(54, 0.1, random_regularized, counts);
  for (int n = 0; n < 100; n++) {
    machine m = random_regularized(&seed);
    evaluation own, changed;
    fleet f = evaluate_machine(&m, &own);
    m.ground = "{\"type\": \"patches\", \"patch0\": {\"shape\": \"half_plane\", \"x\": -100, "
               "\"friction\": 0.25}}";
    fleet g = evaluate_machine(&m, &changed);
    double factor = 0.25 / fmax(m.lateral, m.longitudinal);
    for (int i = 0; i < m.wheels; i++) {
      cr_assert_float_eq(changed.o.unit_i[i], factor * own.o.unit_i[i], 1e-13);
      cr_assert_float_eq(changed.o.unit_k[i], factor * own.o.unit_k[i], 1e-13);
    }
    free_fleet(&f);
    free_fleet(&g);
  }
}

Test(ground, a_later_patch_lies_on_an_earlier_one) {
  static const char *const ground =
      "parameters.ground={\"type\":\"patches\",\"patch1\":{\"x\":0,\"length\":9,\"width\":9,"
      "\"friction\":0.11},\"patch3\":{\"shape\":\"half_plane\",\"x\":-4,\"friction\":0.22},"
      "\"patch2\":{\"shape\":\"half_plane\",\"x\":4,\"friction\":0.33}}";
  cr_expect_eq(friction_at(ground, laws[0], 0), 0.22);
}

/* ---- motions */

/* A rectangle of wheels whose discs and rollers are too heavy to be turned: a block that slides.
 * With the platform's centre of mass at the height of the axles friction on the wheels tilts
 * nothing (it is taken up by the wheels' turning), so that every wheel carries a quarter of the
 * weight. Front wheels 0.2 m before, rear wheels 0.2 m behind the body origin. */
#define BLOCK                                                                                      \
  "parameters.layout={\"type\":\"rectangle\"}", "parameters.wheels=[{},{},{},{}]",                 \
      "parameters.initial={\"vx\":4}", "parameters.wheel.inclination=0",                           \
      "parameters.wheel.disc.axial_inertia=1e12", "parameters.wheel.roller.axial_inertia=1e12",    \
      "parameters.platform.center_of_mass={\"height\":0.1}", "parameters.wheel.friction=0.5",      \
      "parameters.wheel.slip_speed=0.01"

static void slide(const char *ground, const char *duration, double *x, double *v) {
  omr_result *r =
      run_study(vehicle_text, OVERRIDES(BLOCK, ground, duration, "integrator.step=0.1 ms"));
  cr_assert_eq(omr_result_status(r)[0], 0, "%s", omr_instance_status_name(omr_result_status(r)[0]));
  *x = value_of(r, "final_x", 0);
  *v = value_of(r, "final_vx", 0);
  omr_result_destroy(r);
}

/* Exact: mu_1 g before the edge at x = 0.6 m, (mu_1 + mu_2) g/2 while the front wheels alone are
 * beyond it, mu_2 g then. */
Test(ground, a_block_that_slides_onto_another_half_plane_brakes_by_the_other_friction) {
  static const char *const ground = "parameters.ground={\"type\":\"patches\",\"edge\":0,\"patch0\":"
                                    "{\"shape\":\"half_plane\",\"x\":0.6,\"friction\":0.1}}";
  const double g = 9.81;
  double x, v, later_x, later_v;
  slide(ground, "integrator.duration=0.1", &x, &v); /* front wheels at 0.575 m */
  cr_expect_float_eq(v, 4 - 0.5 * g * 0.1, 1e-12);
  cr_expect_float_eq(x, 4 * 0.1 - 0.5 * 0.5 * g * 0.01, 1e-12);
  slide(ground, "integrator.duration=0.3", &x, &v);
  slide(ground, "integrator.duration=0.7", &later_x, &later_v);
  cr_expect_gt(x, 0.8, "both axles are across");
  cr_expect_float_eq((v - later_v) / 0.4, 0.1 * g, 1e-11);
  /* energy of the way: axles cross with the origin at 0.4 m and 0.8 m; a step of 0.1 ms straddles
   * each edge */
  double lost = g * (0.5 * 0.4 + 0.3 * 0.4 + 0.1 * (later_x - 0.8));
  cr_expect_float_eq(later_v * later_v, 16 - 2 * lost, 2 * 2 * 0.2 * g * 4 * 1e-4);
}

/* A linear transition spends as much energy as a sharp edge in its middle; it is met to the steps'
 * order. */
Test(ground, a_soft_edge_costs_the_energy_of_its_middle) {
  static const char *const ground =
      "parameters.ground={\"type\":\"patches\",\"edge\":0.1,\"patch0\":{\"shape\":\"half_plane\","
      "\"x\":0.6,\"friction\":0.1}}";
  double x, v, g = 9.81;
  slide(ground, "integrator.duration=0.7", &x, &v);
  cr_expect_gt(x, 0.85 + 0.2);
  cr_expect_float_eq(v * v, 16 - 2 * g * (0.5 * 0.4 + 0.3 * 0.4 + 0.1 * (x - 0.8)), 1e-6);
}

/* Exact: a block on ground whose friction changes in time, v = v_0 - g (integral of mu), integral
 * of tanh(u) = ln cosh u. */
Test(ground, a_step_in_time_brakes_by_the_integral_of_friction) {
  double x, v, g = 9.81;
  slide("parameters.ground={\"type\":\"step\",\"factor\":0.2,\"time\":0.3,\"width\":0.05}",
        "integrator.duration=0.6", &x, &v);
  double integral = 0.3 * 0.6 - 0.2 * 0.05 * (log(cosh(0.3 / 0.05)) - log(cosh(-0.3 / 0.05)));
  cr_expect_float_eq(v, 4 - g * integral, 1e-10);
  slide("parameters.ground={\"type\":\"step\",\"factor\":0.2,\"time\":0.3,\"width\":0.05}",
        "integrator.duration=0.3", &x, &v);
  integral = 0.3 * 0.3 - 0.2 * 0.05 * (log(cosh(0.0)) - log(cosh(-0.3 / 0.05)));
  cr_expect_float_eq(v, 4 - g * integral, 1e-10);
}

/* Patches of the wheels' own friction, and a factor of 1, change no motion but by rounding; energy
 * is kept account of. */
Test(ground, of_the_same_friction_changes_nothing) {
  static const char patches[] =
      "parameters.ground={\"type\":\"patches\",\"patch0\":{\"friction\":0.3},\"patch1\":{"
      "\"shape\":\"half_plane\",\"friction\":0.3}}";
  static const char *const grounds[] = {"parameters.ground={\"type\":\"constant\"}",
                                        "parameters.ground={\"type\":\"dip\",\"factor\":1}",
                                        "parameters.ground={\"type\":\"step\",\"factor\":1}",
                                        patches};
  double expected = 0;
  for (int i = 0; i < 4; i++) {
    omr_result *r =
        run_study(vehicle_text, OVERRIDES("parameters.wheel.friction=0.3", "integrator.step=0.2 ms",
                                          "integrator.duration=2", grounds[i]));
    if (i == 0) expected = value_of(r, "final_x", 0);
    cr_expect_float_eq(value_of(r, "final_x", 0), expected, 1e-11);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8);
    omr_result_destroy(r);
  }
}

/* The sample "friction": the front wheels are across the edge first. */
Test(ground, is_sampled_under_every_wheel) {
  omr_result *r = run_study(
      vehicle_text, OVERRIDES(BLOCK, "integrator.duration=0.12", "integrator.step=1 ms",
                              "output.trajectories={\"instances\":\"all\",\"interval\":\"1 ms\"}",
                              "parameters.ground={\"type\":\"patches\",\"patch0\":{\"shape\":"
                              "\"half_plane\",\"x\":0.6,\"friction\":0.1}}"));
  cr_assert_eq(r->sample_count, 121);
  const double *friction = r->wheel_samples[OMR_WS_FRICTION];
  for (int i = 0; i < 4; i++) cr_expect_eq(friction[i], 0.5);
  for (int i = 0; i < 4; i++) cr_expect_float_eq(friction[120 * 4 + i], i < 2 ? 0.1 : 0.5, 1e-15);
  omr_result_destroy(r);
}
