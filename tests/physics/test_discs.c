/* The model disc_vehicle: its equations against Newton and Euler written down here in space, its
 * friction, its springs. */
#include "shared/kernel.h"
#include "shared/motion.h"

#include "host/engine/run.h"
#include "host/result/result.h"

enum { MOST = OMR_MAX_WHEELS, UNKNOWNS = 6 + MOST };

/* A platform on discs in any motion, in SI; wheels[i] in the order of the study's list. */
typedef struct disc_wheel {
  double a, b, delta, psi, torque, rate, friction;
} disc_wheel;

typedef struct disc_machine {
  int wheels;
  const char *law, *saturation, *zone; /* saturation, zone: NULL leaves them out */
  double lateral, longitudinal, lateral_viscous, longitudinal_viscous,
      angle; /* lateral < 0: none of them is given */
  double stiff_across, stiff_along, shape, curvature, low_speed, rolling; /* of tyres */
  double radius, mass, axial, diametral, axle, slip_speed, gravity;
  double platform_mass, platform_inertia, com_x, com_height, com_z;
  double vx, vz, omega;
  disc_wheel wheel[MOST];
} disc_machine;

static bool is_tyre(const disc_machine *m) {
  return !strcmp(m->law, "brush") || !strcmp(m->law, "magic_formula");
}

static disc_machine draw_machine(uint64_t *s) {
  static const char *const laws[] = {"regularized_coulomb", "saturated_coulomb", "brush",
                                     "magic_formula"};
  disc_machine m = {.wheels = draw_whole(s, 3, MOST), .law = laws[draw_whole(s, 0, 3)]};
  if (m.law == laws[0]) {
    m.saturation = draw_whole(s, 0, 1) ? "whole" : "components";
    m.zone = draw_whole(s, 0, 1) ? "linear" : "quadratic";
  }
  m.lateral = m.law == laws[0] && draw_whole(s, 0, 1) ? draw(s, 0, 0.5) : -1;
  m.longitudinal = draw(s, 0, 0.5);
  m.lateral_viscous = draw(s, 0, 0.1);
  m.longitudinal_viscous = draw(s, 0, 0.1);
  m.angle = draw(s, -1, 1);
  m.stiff_across = draw(s, 1, 30);
  m.stiff_along = draw(s, 1, 30);
  m.shape = draw(s, 1, 2);
  m.curvature = draw(s, -2, 1);
  m.low_speed = draw(s, 0.01, 1);
  m.rolling = is_tyre(&m) ? draw(s, 0, 0.1) : 0;
  m.radius = draw(s, 0.05, 0.15);
  m.mass = draw(s, 0.5, 1.5);
  m.axial = draw(s, 3e-3, 8e-3);
  m.diametral = draw(s, 2e-3, 5e-3);
  m.axle = draw(s, 0, 1e-2);
  m.slip_speed = draw(s, 0.1, 2);
  m.gravity = draw(s, 9, 10);
  m.platform_mass = draw(s, 5, 15);
  m.platform_inertia = draw(s, 0.3, 0.8);
  m.com_x = draw(s, -0.05, 0.05);
  m.com_height = draw(s, 0.05, 0.2);
  m.com_z = draw(s, -0.05, 0.05);
  m.vx = draw(s, -1, 1);
  m.vz = draw(s, -1, 1);
  m.omega = draw(s, -3, 3);
  for (int i = 0; i < m.wheels; i++) {
    const double angle = 2 * M_PI * i / m.wheels + draw(s, -0.3, 0.3);
    m.wheel[i] = (disc_wheel){.a = 0.3 * sin(angle),
                              .b = 0.3 * cos(angle),
                              .delta = draw(s, -4, 4),
                              .psi = draw(s, -1.1, 1.1)};
    m.wheel[i].torque = draw(s, -2, 2);
    m.wheel[i].rate = draw(s, -8, 8);
    m.wheel[i].friction = draw(s, 0.05, 0.5);
  }
  return m;
}

static omr_text machine_study(const disc_machine *m) {
  omr_text t = {0};
  omr_text_print(&t, "{\"model\": \"disc_vehicle\", \"integrator\": {\"step\": 1e-3, \"duration\": "
                     "1}, \"parameters\": {");
  omr_text_print(
      &t, "\"gravity\": %.17g, \"layout\": {\"type\": \"explicit\"}, \"contact\": {\"law\": \"%s\"",
      m->gravity, m->law);
  if (m->saturation) omr_text_print(&t, ", \"saturation\": \"%s\"", m->saturation);
  if (m->zone) omr_text_print(&t, ", \"zone\": \"%s\"", m->zone);
  omr_text_print(&t,
                 "}, \"platform\": {\"mass\": %.17g, \"yaw_inertia\": %.17g, \"center_of_mass\": ",
                 m->platform_mass, m->platform_inertia);
  omr_text_print(&t, "{\"x\": %.17g, \"height\": %.17g, \"z\": %.17g}},", m->com_x, m->com_height,
                 m->com_z);
  omr_text_print(&t, "\"initial\": {\"vx\": %.17g, \"vz\": %.17g, \"yaw_rate\": %.17g},", m->vx,
                 m->vz, m->omega);
  omr_text_print(&t,
                 "\"wheel\": {\"radius\": %.17g, \"slip_speed\": %.17g, \"axle_bearing\": %.17g, ",
                 m->radius, m->slip_speed, m->axle);
  omr_text_print(
      &t,
      "\"drive\": {\"type\": \"constant\"}, \"disc\": {\"mass\": %.17g, \"axial_inertia\": %.17g, ",
      m->mass, m->axial);
  omr_text_print(&t, "\"diametral_inertia\": %.17g}", m->diametral);
  if (m->lateral >= 0) {
    omr_text_print(
        &t, ", \"contact\": {\"lateral_friction\": %.17g, \"longitudinal_friction\": %.17g, ",
        m->lateral, m->longitudinal);
    omr_text_print(
        &t,
        "\"lateral_viscous\": %.17g, \"longitudinal_viscous\": %.17g, \"friction_angle\": %.17g}",
        m->lateral_viscous, m->longitudinal_viscous, m->angle);
  }
  if (is_tyre(m)) {
    omr_text_print(&t, ", \"contact\": {\"rolling_friction\": %.17g}, \"tyre\": {", m->rolling);
    omr_text_print(&t,
                   "\"lateral_stiffness\": %.17g, \"longitudinal_stiffness\": %.17g, \"shape\": "
                   "%.17g, \"curvature\": %.17g, \"low_speed\": %.17g}",
                   m->stiff_across, m->stiff_along, m->shape, m->curvature, m->low_speed);
  }
  omr_text_print(&t, "}, \"wheels\": [");
  for (int i = 0; i < m->wheels; i++) {
    const disc_wheel *w = &m->wheel[i];
    omr_text_print(&t,
                   "%s{\"x\": %.17g, \"z\": %.17g, \"axis_angle\": %.17g, \"inclination\": %.17g, ",
                   i ? ", " : "", w->a, w->b, w->delta, w->psi);
    omr_text_print(
        &t, "\"friction\": %.17g, \"initial\": {\"rate\": %.17g}, \"drive\": {\"torque\": %.17g}}",
        w->friction, w->rate, w->torque);
  }
  omr_text_print(&t, "]}}");
  return t;
}

static omr_study *parse_text(const char *text, const char *const *overrides) {
  omr_study *study = NULL;
  omr_error error = {0};
  size_t count = 0;
  while (overrides && overrides[count]) count++;
  cr_assert_eq(omr_study_parse(text, "discs", overrides, count, &study, &error), OMR_OK, "%s\n%s",
               error.message, text);
  return study;
}

/* What the kernel makes of instance 0 of a study. */
static void evaluate_text(const char *text, const char *const *overrides, evaluation *e) {
  omr_study *study = parse_text(text, overrides);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  load_slot(&f, 0, e);
  derive(&f, e);
  omr_study_destroy(study);
  free_fleet(&f);
}

/* ---- Newton and Euler */

static vec axle(const disc_wheel *w) {
  return (vec){sin(w->delta), 0, cos(w->delta)};
}

/* phi of source 4 over the speed that decides. */
static double phi_over(const disc_machine *m, double speed) {
  const double x = speed / m->slip_speed;
  return (x >= 1 ? 1 : !strcmp(m->zone, "linear") ? x : (2 - x) * x) / speed;
}

/* Force of a tyre per unit of load, by the angle of the curve. */
static vec tyre_of(const disc_machine *m, const disc_wheel *w, vec i, vec k, vec v) {
  const double speed = hypot(m->radius * w->rate, m->low_speed);
  const vec stiff = add(scale(m->stiff_along * dot(v, i) / speed, i),
                        scale(m->stiff_across * dot(v, k) / speed, k));
  const double size = length(stiff), s = size / (3 * w->friction),
               b = size / (m->shape * w->friction);
  double force = s < 1 ? 3 * s - 3 * s * s + s * s * s : 1;
  if (!strcmp(m->law, "magic_formula"))
    force = sin(m->shape * atan(b - m->curvature * (b - atan(b))));
  return scale(-w->friction * force / size, stiff);
}

/* Force of the floor per unit of load: source 4's law in the direction d of the painted axis and
 * the direction e across it, turned by the friction angle; or law 1. */
static vec friction_of(const disc_machine *m, const disc_wheel *w) {
  const vec k = axle(w), i = cross(UP, k), yaw = scale(m->omega, UP), arm = {w->a, 0, w->b},
            down = {0, -m->radius, 0};
  const vec spin = scale(w->rate, k);
  const vec v = add(add((vec){m->vx, 0, m->vz}, cross(yaw, arm)), cross(add(spin, yaw), down));
  const double size = length(v);
  if (is_tyre(m)) return tyre_of(m, w, i, k, v);
  if (!strcmp(m->law, "saturated_coulomb"))
    return scale(-w->friction / fmax(size, m->slip_speed), v);
  const bool whole = !strcmp(m->saturation, "whole"), given = m->lateral >= 0;
  const double psi = w->psi - (given ? m->angle : 0);
  const vec d = add(scale(cos(psi), i), scale(sin(psi), k)),
            e = add(scale(-sin(psi), i), scale(cos(psi), k));
  const double along = dot(v, d), across = dot(v, e);
  const double decides_d = whole ? size : fabs(along), decides_e = whole ? size : fabs(across);
  const double mu_d = given ? m->longitudinal + m->longitudinal_viscous * decides_d : w->friction;
  const double mu_e = given ? m->lateral + m->lateral_viscous * decides_e : 0;
  return add(scale(-mu_d * phi_over(m, decides_d) * along, d),
             scale(-mu_e * phi_over(m, decides_e) * across, e));
}

/* Gauss with pivots; x receives the solution of a x = b. */
static void solve(int n, double a[UNKNOWNS][UNKNOWNS], double *b, double *x) {
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int r = c; r < n; r++)
      if (fabs(a[r][c]) > fabs(a[pivot][c])) pivot = r;
    for (int j = 0; j < n; j++) {
      const double swap = a[c][j];
      a[c][j] = a[pivot][j];
      a[pivot][j] = swap;
    }
    const double swap = b[c];
    b[c] = b[pivot];
    b[pivot] = swap;
    for (int r = c + 1; r < n; r++) {
      const double f = a[r][c] / a[c][c];
      for (int j = c; j < n; j++) a[r][j] -= f * a[c][j];
      b[r] -= f * b[c];
    }
  }
  for (int r = n - 1; r >= 0; r--) {
    double sum = b[r];
    for (int j = r + 1; j < n; j++) sum -= a[r][j] * x[j];
    x[r] = sum / a[r][r];
  }
}

/* Residuals of the six equations of the whole vehicle (force, moment about the floor point under
 * the body origin) and of each wheel about its axle, for accelerations u = (A_x, A_z of the body
 * origin, yaw, load plane (nu0, nu1, nu2), chi''_i); the load of a wheel at (a, b) is nu0 + nu1 a +
 * nu2 b. Every body by itself: r x m a and the rate of its own angular momentum. */
static void residual(const disc_machine *m, const double *u, double *out) {
  const vec turn = scale(m->omega, UP), grow = scale(u[2], UP);
  vec force = {0, 0, 0}, moment = {0, 0, 0};
  for (int i = -1; i < m->wheels; i++) {
    const disc_wheel *w = i < 0 ? NULL : &m->wheel[i];
    const vec r = w ? (vec){w->a, m->radius, w->b} : (vec){m->com_x, m->com_height, m->com_z};
    const double mass = w ? m->mass : m->platform_mass;
    const vec a = add((vec){u[0], 0, u[1]}, add(cross(grow, r), cross(turn, cross(turn, r))));
    force = add(force, scale(mass, add(a, scale(m->gravity, UP))));
    moment = add(moment, cross(r, scale(mass, add(a, scale(m->gravity, UP)))));
    moment = add(moment, scale((w ? m->diametral : m->platform_inertia) * u[2], UP));
    if (!w) continue;
    const vec k = axle(w), contact = {w->a, 0, w->b};
    const double load = u[3] + u[4] * w->a + u[5] * w->b;
    const vec f = add(scale(load, friction_of(m, w)), scale(load, UP));
    force = sub(force, f);
    moment = sub(moment, cross(contact, f));
    /* rolling friction at the wheel's centre, against its velocity */
    const vec flat = {r.x, 0, r.z},
              drag = scale(-m->rolling * load, add((vec){m->vx, 0, m->vz}, cross(turn, flat)));
    force = sub(force, drag);
    moment = sub(moment, cross(r, drag));
    moment = add(moment, scale(m->axial * u[6 + i], k));
    moment = add(moment, cross(turn, scale(m->axial * w->rate, k)));
    out[6 + i] = m->axial * u[6 + i] - w->torque + m->axle * w->rate -
                 dot(cross((vec){0, -m->radius, 0}, f), k);
  }
  const double six[] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
  memcpy(out, six, sizeof six);
}

/* The equations are linear in u: columns from unit vectors. */
static void accelerate(const disc_machine *m, double *u) {
  const int n = 6 + m->wheels;
  double a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS], at[UNKNOWNS], unit[UNKNOWNS] = {0};
  residual(m, unit, b);
  for (int c = 0; c < n; c++) {
    unit[c] = 1;
    residual(m, unit, at);
    unit[c] = 0;
    for (int r = 0; r < n; r++) a[r][c] = at[r] - b[r];
  }
  for (int r = 0; r < n; r++) b[r] = -b[r];
  solve(n, a, b, u);
}

Test(discs, accelerations_and_loads_are_those_of_newton_and_euler) {
  uint64_t seed = 20;
  double worst = 0;
  for (int trial = 0; trial < 200; trial++) {
    const disc_machine m = draw_machine(&seed);
    omr_text text = machine_study(&m);
    evaluation e;
    double u[UNKNOWNS];
    evaluate_text(text.data, NULL, &e);
    accelerate(&m, u);
    worst = larger(worst, (e.o.ax - u[0]) / 10);
    worst = larger(worst, (e.o.az - u[1]) / 10);
    worst = larger(worst, (e.rate.y[Y_OMEGA] - u[2]) / 10);
    for (int i = 0; i < m.wheels; i++) {
      const double load = u[3] + u[4] * m.wheel[i].a + u[5] * m.wheel[i].b;
      worst = larger(worst, (e.o.load[i] - load) / 100);
      worst = larger(worst, (e.rate.y[Y_RATE(i)] - u[6 + i]) / 1000);
    }
    omr_text_free(&text);
  }
  cr_expect_lt(worst, 1e-12, "%g", worst);
}

/* ---- motions with a known outcome. Four discs, 25 kg in all, centre of mass 20 cm high, 5 cm
 * before the middle; R = 0.1 m. */
static const char vehicle[] =
    "{\"model\": \"disc_vehicle\", \"parameters\": {\"gravity\": 10,"
    "\"platform\": {\"mass\": 21, \"yaw_inertia\": 0.8, \"center_of_mass\": {\"height\": 0.2}},"
    "\"layout\": {\"type\": \"rectangle\", \"mecanum\": true, \"half_length\": 0.25, "
    "\"half_width\": 0.2},"
    "\"wheel\": {\"radius\": 0.1, \"friction\": 0.5, \"slip_speed\": 0.02,"
    "\"disc\": {\"mass\": 1, \"axial_inertia\": 0.005, \"diametral_inertia\": 0.003}}},"
    "\"integrator\": {\"step\": \"0.2 ms\", \"duration\": \"1 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"}}";

#define TRACED "output.trajectories.instances=[0]", "output.trajectories.interval=0.01"
#define PENALTY "parameters.contact.normal=penalty"

/* Moments about the rear contacts, base L, centre of mass b before the rear axle and h high: the
 * front pair carries M g b/L - (M a h - sum J chi'')/L. */
Test(discs, a_vehicle_that_accelerates_shifts_its_load_backwards) {
  evaluation e;
  evaluate_text(
      vehicle,
      OVERRIDES("parameters.platform.center_of_mass.x=0.05", "parameters.wheel.initial.rate=-1",
                "parameters.wheel.drive.type=constant", "parameters.wheel.drive.torque=-2"),
      &e);
  const double mass = 25, g = 10, base = 0.5, a = e.o.ax, height = (21 * 0.2 + 4 * 0.1) / mass,
               com = 21 * 0.05 / mass;
  double spin = 0;
  for (int i = 0; i < 4; i++)
    spin += 0.005 * e.rate.y[Y_RATE(i)]; /* reaction of the wheels' own angular momentum */
  const double front = mass * g * (base / 2 + com) / base - (mass * a * height - spin) / base;
  cr_expect_gt(a, 1);
  cr_expect_float_eq(e.o.load[0] + e.o.load[1], front, 1e-11, "%.15g, not %.15g",
                     e.o.load[0] + e.o.load[1], front);
  cr_expect_float_eq(e.o.load[2] + e.o.load[3], mass * g - front, 1e-11);
  cr_expect_float_eq(e.o.load[0], e.o.load[1], 1e-11);
}

/* Creep under a constant torque is constant once it has settled: then a = sum tau R/(M R^2 + sum
 * J). */
Test(discs, a_torque_accelerates_the_vehicle_and_its_wheels_together) {
  static const char *const torque = "parameters.wheel.drive.torque=-1";
  omr_result *a = run_study(vehicle, OVERRIDES("parameters.wheel.drive.type=constant", torque));
  omr_result *b = run_study(
      vehicle, OVERRIDES("parameters.wheel.drive.type=constant", torque, "integrator.duration=2"));
  const double gained = value_of(b, "final_vx", 0) - value_of(a, "final_vx", 0);
  cr_expect_float_eq(gained, 4 * 1 * 0.1 / (25 * 0.01 + 4 * 0.005), 1e-9, "%.15g", gained);
  cr_expect_float_eq(value_of(b, "final_z", 0), 0, 1e-12);
  omr_result_destroy(a);
  omr_result_destroy(b);
}

/* Sideways on plain discs under law 1 nothing turns: v = v0 - mu g t while |v| > v_s. */
Test(discs, a_sliding_vehicle_slows_down_by_mu_g) {
  omr_result *r = run_study(
      vehicle, OVERRIDES("parameters.contact.law=saturated_coulomb", "parameters.initial.vz=6"));
  cr_expect_float_eq(value_of(r, "final_vz", 0), 6 - 0.5 * 10 * 1, 1e-11, "%.15g",
                     value_of(r, "final_vz", 0));
  cr_expect_float_eq(value_of(r, "final_z", 0), 6 - 0.5 * 0.5 * 10, 1e-11);
  omr_result_destroy(r);
}

/* With psi = 0 painted rollers roll sideways without resistance, and forward the sliding block is
 * the same. */
Test(discs, a_painted_roller_resists_along_its_axis_alone) {
  omr_result *r = run_study(vehicle, OVERRIDES("parameters.initial.vz=6"));
  cr_expect_eq(value_of(r, "final_vz", 0), 6);
  cr_expect_eq(value_of(r, "dissipated_energy", 0), 0);
  omr_result_destroy(r);
  evaluation e;
  evaluate_text(vehicle, OVERRIDES("parameters.initial.vx=6"), &e);
  cr_expect_float_eq(e.o.ax, -0.5 * 10, 1e-12);
}

/* Along 45 degrees the whole slip halves what is left along d: |F| = mu N |d.v|/|v|, or mu N by
 * components (source 4, by hand).
 */
Test(discs, rolling_uses_up_friction_unless_components_saturate_by_themselves) {
  evaluation e;
  const double v = sqrt(3 * 3 + 1 * 1);
  const char *const motion[] = {"parameters.initial.vx=1", "parameters.initial.vz=3"};
  evaluate_text(vehicle, OVERRIDES(motion[0], motion[1]), &e);
  cr_expect_float_eq(hypot(e.o.unit_i[0], e.o.unit_k[0]), 0.5 * 1 / v, 1e-14);
  evaluate_text(vehicle,
                OVERRIDES(motion[0], motion[1], "parameters.contact.saturation=components"), &e);
  cr_expect_float_eq(hypot(e.o.unit_i[0], e.o.unit_k[0]), 0.5, 1e-14);
  cr_expect_float_eq(e.o.unit_k[0], 0, 1e-14);
}

#define MECANUM                                                                                    \
  "parameters.wheel.inclination=\"45 deg\"",                                                       \
      "parameters.wheel.drive={\"type\": \"body\", \"kp\": 2, \"ki\": 20}",                        \
      "parameters.wheel.slip_speed=0.05", "parameters.wheel.rollers=9",                            \
      "parameters.wheel.tip_radius=0.008", "integrator.step=5e-5"

/* Commanded sideways, a mecanum vehicle moves sideways, to the side to which explicit rollers carry
 * it. */
Test(discs, a_mecanum_vehicle_moves_where_explicit_rollers_move_it) {
  static const char *const commands[] = {"vx", "vz", "yaw_rate"};
  static const char *const reached[] = {"final_vx", "final_vz", "final_yaw_rate"};
  for (int i = 0; i < 3; i++) {
    char command[64];
    snprintf(command, sizeof command, "parameters.command={\"type\": \"constant\", \"%s\": 0.4}",
             commands[i]);
    omr_result *disc =
        run_study(vehicle, OVERRIDES(MECANUM, command, "parameters.contact.saturation=components"));
    omr_result *rollers = run_study(vehicle, OVERRIDES(MECANUM, command, "model=omni_vehicle"));
    for (int j = 0; j < 3; j++) {
      cr_expect_float_eq(value_of(disc, reached[j], 0), i == j ? 0.4 : 0, 5e-3, "%s for %s: %g",
                         reached[j], commands[i], value_of(disc, reached[j], 0));
      cr_expect_float_eq(value_of(rollers, reached[j], 0), i == j ? 0.4 : 0, 5e-2,
                         "rollers: %s for %s: %g", reached[j], commands[i],
                         value_of(rollers, reached[j], 0));
    }
    omr_result_destroy(disc);
    omr_result_destroy(rollers);
  }
}

/* ---- one study for both models */

static void columns_of(const char *model, const char *overrides, double *params) {
  char set_model[64];
  snprintf(set_model, sizeof set_model, "model=%s", model);
  omr_study *study =
      parse_text(vehicle, OVERRIDES(set_model, "parameters.wheel.rollers=8",
                                    "parameters.wheel.tip_radius=0.006",
                                    "parameters.wheel.inclination=\"45 deg\"", overrides));
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  memcpy(params, f.batch.params, sizeof(double) * OMR_PARAM_COUNT(4));
  omr_study_destroy(study);
  free_fleet(&f);
}

Test(discs, given_rollers_make_a_disc_as_heavy_as_the_wheel_with_rollers) {
  static const int vehicle_columns[] = {P_MASS,   P_WEIGHT, P_COM_X, P_INV_YAW,
                                        P_HEIGHT, P_TILT_X, P_TILT_Z};
  static const int wheel_columns[] = {W_INV_INERTIA, W_MOMENTUM, W_RADIUS, W_COS_PSI,
                                      W_SIN_PSI,     W_IDEAL_Z,  W_ODO_X,  W_FRICTION};
  double rollers[OMR_PARAM_COUNT(4)], disc[OMR_PARAM_COUNT(4)];
  columns_of("omni_vehicle", "parameters.wheel.row_distance=0.03", rollers);
  columns_of("disc_vehicle", "parameters.wheel.row_distance=0.03", disc);
  for (size_t i = 0; i < sizeof vehicle_columns / sizeof *vehicle_columns; i++)
    cr_expect_eq(disc[vehicle_columns[i]], rollers[vehicle_columns[i]]);
  for (size_t i = 0; i < sizeof wheel_columns / sizeof *wheel_columns; i++)
    cr_expect_eq(disc[OMR_PARAM_COLUMN(2, wheel_columns[i])],
                 rollers[OMR_PARAM_COLUMN(2, wheel_columns[i])]);
  cr_expect_gt(disc[P_MASS], 26);
}

Test(discs, without_rollers_the_disc_is_the_whole_wheel) {
  evaluation e;
  evaluate_text(vehicle, NULL, &e);
  cr_expect_float_eq(e.p.v[P_MASS], 25, 1e-14);
  cr_expect_float_eq(1 / e.p.w[1][W_INV_INERTIA], 0.005, 1e-17);
  cr_expect_float_eq(1 / e.p.v[P_INV_YAW], 0.8 + 4 * (0.003 + 0.25 * 0.25 + 0.2 * 0.2), 1e-14);
}

/* The contact angle wraps at half a turn and the contact index counts turns: the wheel angle is
 * rate * time on ice. */
Test(discs, wheel_angles_count_turns) {
  omr_result *r = run_study(vehicle, OVERRIDES("parameters.wheel.friction=0",
                                               "parameters.wheel.initial.rate=-50",
                                               "parameters.wheel.initial.angle=3",
                                               "parameters.wheel.inclination=0.5", TRACED));
  double worst = 0, turned = 0;
  for (size_t s = 0; s < r->sample_count; s++) {
    worst = larger(worst, r->wheel_samples[OMR_WS_ANGLE][4 * s + 1] - (3 - 50 * r->sample_time[s]));
    turned = larger(turned, r->wheel_samples[OMR_WS_CONTACT_ANGLE][4 * s + 1]);
  }
  cr_expect_lt(worst, 1e-12, "%g", worst);
  cr_expect_leq(turned, M_PI + 50 * 2e-4);
  cr_expect_null(r->wheel_samples[OMR_WS_ROLLER]);
  cr_expect_null(r->wheel_samples[OMR_WS_SPIN]);
  cr_expect_null(r->vehicle_samples[OMR_VS_HEIGHT]);
  cr_expect(isnan(value_of(r, "exchanges", 0)) && isnan(value_of(r, "edge_holds", 0)) &&
            isnan(value_of(r, "vibration_exchange", 0)));
  cr_expect(isfinite(value_of(r, "vibration_rms", 0)) &&
            isfinite(value_of(r, "odometry_error", 0)));
  omr_result_destroy(r);
}

/* ---- penalty contact: k = 4e4 N/m and d = 200 N s/m on each of four wheels below 25 kg */
#define SPRINGS PENALTY, "parameters.wheel.contact={\"stiffness\": 4e4, \"damping\": 200}"

Test(discs, at_rest_the_springs_sag_by_m_g_over_4_k) {
  omr_result *r = run_study(vehicle, OVERRIDES(SPRINGS, TRACED));
  double worst = 0;
  for (size_t s = 0; s < r->sample_count; s++)
    worst = larger(worst, r->vehicle_samples[OMR_VS_HEIGHT][s] + 25 * 10 / (4 * 4e4));
  cr_expect_lt(worst, 1e-16, "%g", worst);
  cr_expect_float_eq(value_of(r, "min_load", 0), 62.5, 1e-11);
  cr_expect_float_eq(value_of(r, "max_load", 0), 62.5, 1e-11);
  omr_result_destroy(r);
}

/* M y'' + D y' + K y = -M g with K = 1.6e5, D = 800: from 1 mm below rest, y = y0 + exp(-D t/2M) (A
 * cos w t + B sin w t). The wheels stay on the floor: 1 mm is less than the sag of 1.5625 mm. */
Test(discs, a_free_bounce_is_that_of_a_damped_oscillator) {
  omr_result *r =
      run_study(vehicle, OVERRIDES(SPRINGS, TRACED, "parameters.initial.height=-2.5625e-3",
                                   "parameters.initial.heave_rate=0.01", "integrator.step=1e-4"));
  const double decay = 800 / 50.0, w = sqrt(1.6e5 / 25 - decay * decay), rest = -1.5625e-3,
               a = -1e-3, b = (0.01 + decay * a) / w;
  double worst = 0;
  for (size_t s = 0; s < r->sample_count; s++) {
    const double t = r->sample_time[s],
                 y = rest + exp(-decay * t) * (a * cos(w * t) + b * sin(w * t));
    worst = larger(worst, r->vehicle_samples[OMR_VS_HEIGHT][s] - y);
  }
  /* RK4's own error: (w h)^5/120 per step, times the amplitude: 3e-13 at w h = 0.008, over a few
   * hundred steps that count */
  cr_expect_lt(worst, 1e-11, "%g", worst);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-9);
  omr_result_destroy(r);
}

/* Dropped from 5 cm: free fall y0 - g t^2/2 up to the floor, no load there, no lift status. */
Test(discs, a_dropped_vehicle_falls_and_bounces) {
  const double fall = sqrt(2 * 0.05 / 10);
  omr_result *r = run_study(vehicle, OVERRIDES(SPRINGS, TRACED, "parameters.initial.height=0.05",
                                               "integrator.step=1e-5"));
  bool rose = false;
  for (size_t s = 0; s < r->sample_count; s++) {
    const double t = r->sample_time[s], y = r->vehicle_samples[OMR_VS_HEIGHT][s],
                 load = r->wheel_samples[OMR_WS_LOAD][4 * s];
    if (t < fall) cr_expect_float_eq(y, 0.05 - 5 * t * t, 1e-14);
    if (y > 0) cr_expect_eq(load, 0);
    cr_expect_geq(load, 0);
    rose |= t > fall && y > 1e-3;
  }
  cr_expect(rose);
  cr_expect_eq(r->status[0], OMR_INSTANCE_OK);
  cr_expect_eq(value_of(r, "min_load", 0), 0);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-5, "%g", value_of(r, "energy_error", 0));
  omr_result_destroy(r);
}

/* Work, springs, dampers, friction, weight and axles together, on discs of different stiffness that
 * never leave the floor. */
Test(discs, energy_is_balanced_with_springs_and_with_rigid_contact) {
  static const char *const drive =
      "parameters.wheel.drive={\"type\": \"sine\", \"torque\": 2, \"frequency\": 3}";
  static const char *const angles =
      "parameters.wheels=[{\"contact\": {\"stiffness\": 5e4}}, {\"inclination\": 0.3}, {}, {}]";
  static const char *const motion =
      "parameters.initial={\"vx\": 0.5, \"vz\": 0.7, \"yaw_rate\": 2, \"heave_rate\": 0.02}";
  omr_result *r = run_study(
      vehicle, OVERRIDES(SPRINGS, drive, angles, motion, "parameters.wheel.axle_bearing=0.01",
                         "parameters.wheel.inclination=0.7", "parameters.wheel.slip_speed=0.2",
                         "integrator.step=5e-5"));
  cr_expect_gt(value_of(r, "min_load", 0), 0);
  cr_expect_gt(value_of(r, "dissipated_energy", 0), 1);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8, "%g", value_of(r, "energy_error", 0));
  omr_result_destroy(r);
  r = run_study(vehicle,
                OVERRIDES(drive, "parameters.wheels=[{}, {\"inclination\": 0.3}, {}, {}]",
                          "parameters.initial={\"vx\": 0.5, \"vz\": 0.7, \"yaw_rate\": 2}",
                          "parameters.wheel.axle_bearing=0.01", "parameters.wheel.inclination=0.7",
                          "parameters.wheel.slip_speed=0.2", "integrator.step=5e-5"));
  cr_expect_gt(value_of(r, "dissipated_energy", 0), 1);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-8, "%g", value_of(r, "energy_error", 0));
  omr_result_destroy(r);
}

/* ---- the warning about the step */

static double limit_of(const char *const *overrides) {
  omr_study *study = parse_text(vehicle, overrides);
  size_t instance;
  const double largest = omr_largest_step(study, &instance);
  omr_study_destroy(study);
  return largest;
}

/* Undamped heave turns at sqrt(K/M); RK4 is taken to be stable below 2.785 of it (its limit on the
 * imaginary axis is 2.83). */
Test(discs, stiff_springs_limit_the_step) {
  const char *const springs = "parameters.wheel.contact={\"stiffness\": 1e9, \"damping\": 0}";
  cr_expect_float_eq(limit_of(OVERRIDES(PENALTY, springs)), 2.785293563405282 / sqrt(4e9 / 25),
                     1e-12);
  const char *const dampers = "parameters.wheel.contact={\"stiffness\": 1, \"damping\": 1e7}";
  cr_expect_float_eq(limit_of(OVERRIDES(PENALTY, dampers)), 2.785293563405282 / (4e7 / 25), 1e-12);
}

/* Forward on psi = 0 the slip of all wheels together decays at mu M g/v_s (1/M + R^2/sum J), twice
 * that where the zone is quadratic. The yaw mode is somewhat faster or slower, hence the 3 %. */
Test(discs, the_quadratic_zone_is_twice_as_steep_as_the_linear_one) {
  const double together = 0.5 * 25 * 10 / 0.02 * (1 / 25.0 + 0.01 / (4 * 0.005));
  cr_expect_float_eq(limit_of(OVERRIDES("parameters.contact.zone=linear")), 2.78 / together,
                     0.03 * 2.78 / together);
  cr_expect_float_eq(limit_of(OVERRIDES("parameters.contact.zone=linear")), 2 * limit_of(NULL),
                     1e-12);
}
