/* Normal loads against hand statics, and all balances of momentum against the bodies in space
 * (bodies.h): whatever forces and accelerations the kernel gives must be those of Newton and Euler
 * for every body of the machine. */
#include "shared/bodies.h"
#include "shared/kernel.h"
#include "shared/rectangle.h"

enum { MACHINES = 150 };

/* ---- statics */

/* Wheels alike and symmetric: the platform's weight shifts load towards its centre of mass, a
 * quarter of it times 1 + x/0.3 m and 1 + z/0.2 m; each wheel with its rollers stands on itself. */
Test(loads, of_four_wheels_at_rest_are_those_of_hand_statics) {
  machine m = resting_rectangle();
  evaluation e;
  fleet f = evaluate_machine(&m, &e);
  double own = (m.disc_mass + 8 * m.roller_mass) * m.gravity,
         quarter = m.platform_mass * m.gravity / 4;
  for (int i = 0; i < 4; i++) {
    double share = 1 + (m.wheel[i].a > 0 ? 1 : -1) * m.com_x / 0.3 +
                   (m.wheel[i].b > 0 ? 1 : -1) * m.com_z / 0.2;
    cr_expect_float_eq(e.o.load[i], own + quarter * share, 1e-12, "wheel %d: %.15g N", i,
                       e.o.load[i]);
  }
  for (int j = Y_VX; j < Y_COUNT; j++)
    cr_expect_eq(e.rate.y[j], 0, "nothing starts to move by itself");
  free_fleet(&f);
}

static double triangle(vec a, vec b, vec c) {
  return cross(sub(b, a), sub(c, a)).y;
}

/* Three contacts carry the weight by the shares of the triangles that the centre of mass spans with
 * them, whatever the contacts' places; these stand off the rollers' middle, most of them shifted
 * sideways. */
Test(loads, of_three_wheels_at_rest_are_the_only_ones_possible) {
  uint64_t seed = 21;
  double worst = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    m.wheels = 3;
    m.platform_mass = 10;
    m.platform_inertia = 0.4;
    m.com_height = 0.1;
    m.vx = m.vz = m.omega = 0;
    for (int i = 0; i < 3; i++) {
      double angle = 2 * M_PI * i / 3;
      m.wheel[i] = (machine_wheel){0.3 * sin(angle),
                                   0.3 * cos(angle),
                                   draw(&seed, -3, 3),
                                   draw(&seed, -1, 1),
                                   0,
                                   draw(&seed, -8, 8),
                                   0,
                                   {0}};
    }
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    vec p[3], com = centre_of_mass(&m);
    for (int i = 0; i < 3; i++) p[i] = contact_point(&m, i);
    for (int i = 0; i < 3; i++) {
      double share = triangle(com, p[(i + 1) % 3], p[(i + 2) % 3]) / triangle(p[0], p[1], p[2]);
      worst = larger(worst, e.o.load[i] / (total_mass(&m) * m.gravity) - share);
    }
    free_fleet(&f);
  }
  cr_log_info("largest difference of a load %.2g of the weight", worst);
  cr_expect_lt(worst, 1e-13);
}

Test(loads, are_equal_on_symmetric_vehicles_spinning_on_the_spot) {
  for (int wheels = 3; wheels <= OMR_MAX_WHEELS; wheels++) {
    machine m = resting_rectangle();
    m.wheels = wheels;
    m.com_x = m.com_z = 0;
    m.omega = 1.5;
    for (int i = 0; i < wheels; i++) {
      machine_wheel *w = &m.wheel[i];
      *w = (machine_wheel){
          .delta = 2 * M_PI * i / wheels, .psi = 0.5, .torque = -0.8, .angle = 0.3, .rate = -4};
      w->a = 0.3 * sin(w->delta);
      w->b = 0.3 * cos(w->delta);
      for (int j = 0; j < m.rollers; j++) w->spin[j] = 2 * j - 5;
    }
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    for (int i = 0; i < wheels; i++) {
      cr_expect_float_eq(e.o.load[i], total_mass(&m) * m.gravity / wheels, 1e-12,
                         "wheel %d of %d: %.15g N", i, wheels, e.o.load[i]);
    }
    cr_expect_gt(fabs(e.rate.y[Y_OMEGA]), 0.1);
    free_fleet(&f);
  }
}

/* ---- dynamics in space */

/* Accelerations that the kernel gives, for every roller. */
typedef struct motion_rates {
  double ax, az; /* of the body origin, along the body's axes */
  double vx, vz, omega, rate[OMR_MAX_WHEELS], spin[OMR_MAX_WHEELS][OMR_MAX_ROLLERS];
} motion_rates;

static motion_rates rates_of(const machine *m, const fleet *f, const evaluation *e) {
  motion_rates r = {.vx = e->rate.y[Y_VX], .vz = e->rate.y[Y_VZ], .omega = e->rate.y[Y_OMEGA]};
  r.ax = r.vx + m->omega * m->vz;
  r.az = r.vz - m->omega * m->vx;
  for (int i = 0; i < m->wheels; i++) {
    r.rate[i] = e->rate.y[Y_RATE(i)];
    for (int j = 0; j < m->rollers; j++)
      r.spin[i][j] = spin_acceleration(f, e, i, j, m->wheel[i].spin[j]);
  }
  return r;
}

/* The machine a short time later: velocities to first, configuration to second order. */
static machine moved(const machine *m, const motion_rates *r, double dt) {
  machine to = *m;
  vec v = world_of(m, m->vx, 0, m->vz), a = world_of(m, r->ax, 0, r->az);
  to.x += dt * (v.x + 0.5 * dt * a.x);
  to.z += dt * (v.z + 0.5 * dt * a.z);
  to.yaw += dt * (m->omega + 0.5 * dt * r->omega);
  to.vx += dt * r->vx;
  to.vz += dt * r->vz;
  to.omega += dt * r->omega;
  for (int i = 0; i < m->wheels; i++) {
    to.wheel[i].angle += dt * (m->wheel[i].rate + 0.5 * dt * r->rate[i]);
    to.wheel[i].rate += dt * r->rate[i];
    for (int j = 0; j < m->rollers; j++) to.wheel[i].spin[j] += dt * r->spin[i][j];
  }
  return to;
}

/* Whose momenta: all bodies; a wheel with its rollers about its centre; a roller about its own. */
typedef struct subject {
  int wheel, roller; /* -1: all */
} subject;

static momenta momenta_of(const machine *m, subject s, vec about) {
  momenta sum = {0};
  if (s.wheel < 0) return all_momenta(m, about);
  if (s.roller < 0) {
    count_wheel(&sum, m, s.wheel, wheel_centre(m, s.wheel));
  } else {
    rigid_body b = roller_body(m, s.wheel, s.roller);
    count_body(&sum, &b, b.place);
  }
  return sum;
}

/* Their rates by central differences of fourth order along the motion. */
static momenta rates_of_momenta(const machine *m, const motion_rates *r, subject s, vec about) {
  const double dt = 1e-4;
  const double step[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  momenta sum = {0};
  for (int k = 0; k < 4; k++) {
    machine at = moved(m, r, step[k] * dt);
    momenta now = momenta_of(&at, s, about);
    double f = weight[k] / (12 * dt);
    sum.linear = add(sum.linear, scale(f, now.linear));
    sum.angular = add(sum.angular, scale(f, now.angular));
    sum.energy += f * now.energy;
  }
  return sum;
}

/* Force of the floor on wheel i. */
static vec floor_force(const machine *m, const evaluation *e, int i) {
  vec force =
      add(scale(e->o.unit_i[i], wheel_forward(m, i)), scale(e->o.unit_k[i], wheel_axis(m, i)));
  return scale(e->o.load[i], add(force, UP));
}

/* Rolling friction -mu_r N V_W at the centre of wheel i (source 4's program applies it so, without
 * a torque on the disc). */
static vec rolling_force(const machine *m, const evaluation *e, int i) {
  vec velocity = platform_velocity(m, sub(wheel_centre(m, i), body_origin(m)));
  return scale(-m->rolling_friction * e->o.load[i], velocity);
}

/* ---- dry friction, of the bodies in space */

/* Friction of a bearing against `rate`: static over kinetic friction below the Stribeck rate. */
static double direction(const machine_bearing *b, double rate) {
  return rate / hypot(rate, b->smoothing_rate) *
         (1 + (b->static_ratio - 1) / (1 + pow(rate / b->stribeck_rate, 2)));
}

/* What an exponent of the load makes of the force on wheel i's roller, for all that acts by it. */
static vec bent_force(const machine *m, const evaluation *e, int i) {
  const double factor = m->dry.any ? pow(e->o.load[i] / m->dry.reference, m->dry.exponent - 1) : 0;
  return scale(factor, floor_force(m, e, i));
}

static vec across(vec force, vec axis) {
  return sub(force, scale(dot(force, axis), axis));
}

/* Torque of the axle's bearing on wheel i, about its axis. */
static double dry_axle(const machine *m, const evaluation *e, int i) {
  const machine_bearing *b = &m->dry.axle;
  if (!m->dry.any) return 0;
  const double load = length(across(bent_force(m, e, i), wheel_axis(m, i)));
  return -(b->torque + b->friction * b->radius * load) * direction(b, m->wheel[i].rate);
}

/* Angular velocity of roller j of wheel i: of the wheel, and about its own axis as it is. */
static vec roller_turning(const machine *m, int i, int j) {
  const vec carried = add(scale(m->omega, UP), scale(m->wheel[i].rate, wheel_axis(m, i))),
            axis = roller_axis(m, i, j);
  return add(carried, scale(m->wheel[i].spin[j] - dot(carried, axis), axis));
}

/* Torque of the bearing on the roller on the floor, about its axis. */
static double dry_roller(const machine *m, const evaluation *e, int i) {
  const machine_bearing *b = &m->dry.roller;
  if (!m->dry.any) return 0;
  const int j = lowest_roller(m, i);
  const vec axis = roller_axis(m, i, j), force = bent_force(m, e, i),
            carried = add(scale(m->omega, UP), scale(m->wheel[i].rate, wheel_axis(m, i)));
  const double load = b->friction * b->radius * length(across(force, axis)) +
                      b->end_friction * b->end_radius * fabs(dot(force, axis));
  return -(b->torque + load) * direction(b, m->wheel[i].spin[j] - dot(carried, axis));
}

/* Moment of the floor against the rolling of wheel i's roller. */
static vec rolling_moment(const machine *m, const evaluation *e, int i) {
  if (!m->dry.any) return scale(0, UP);
  const vec turning = across(roller_turning(m, i, lowest_roller(m, i)), UP);
  const double load = dot(bent_force(m, e, i), UP);
  return scale(-load * m->dry.arm / hypot(length(turning), m->dry.smoothing), turning);
}

/* Moment of drilling about the vertical on wheel i's roller, by the law as it stands with the
 * quotient of both speeds (test_drilling.c holds it against the integrals). */
static vec drilling_moment_on(const machine *m, const evaluation *e, int i) {
  if (!(m->contour > 0)) return scale(0, UP);
  const double load = m->dry.any ? dot(bent_force(m, e, i), UP) : e->o.load[i],
               rate = dot(roller_turning(m, i, lowest_roller(m, i)), UP),
               u = m->contour * fabs(rate), v = hypot(e->o.slip_i[i], e->o.slip_k[i]);
  const drilling d = weigh_drilling(v, u);
  const double moment = fmin(u * drilling_moment(&d), 0.4 * u / m->slip_speed);
  return scale(-copysign(m->friction * load * m->contour * moment, rate), UP);
}

/* Force and moment about `about` of the floor, the weights and, on the testbench, its stand: the
 * servo torque along k x j and the drive's reaction along k. */
static void outer_wrench(const machine *m, const evaluation *e, vec about, vec *force,
                         vec *moment) {
  *force = scale(-total_mass(m) * m->gravity, UP);
  *moment = cross(sub(centre_of_mass(m), about), *force);
  for (int i = 0; i < m->wheels; i++) {
    vec contact_force = floor_force(m, e, i);
    *force = add(*force, contact_force);
    *moment = add(*moment, cross(sub(contact_point(m, i), about), contact_force));
    vec rolling = rolling_force(m, e, i);
    *force = add(*force, rolling);
    *moment = add(*moment, cross(sub(wheel_centre(m, i), about), rolling));
    *moment = add(*moment, rolling_moment(m, e, i));
    *moment = add(*moment, drilling_moment_on(m, e, i));
  }
  if (m->wheels > 1) return;
  const machine_wheel *w = &m->wheel[0];
  vec k = wheel_axis(m, 0);
  *moment = add(*moment, scale(e->o.servo, cross(k, UP)));
  *moment = add(*moment, scale(w->torque - m->axle_bearing * w->rate + dry_axle(m, e, 0), k));
}

/* Largest differences of the balances, relative to their own scales. */
typedef struct imbalance {
  double force, moment, wheel, roller, power;
} imbalance;

static double off(vec got, vec expected, double scale_of) {
  return length(sub(got, expected)) / fmax(1, scale_of);
}

static void check_inner_balances(const machine *m, const evaluation *e, const motion_rates *r,
                                 int i, imbalance *worst) {
  const machine_wheel *w = &m->wheel[i];
  vec k = wheel_axis(m, i), centre = wheel_centre(m, i), force = floor_force(m, e, i),
      point = contact_point(m, i);
  double torque = w->torque - m->axle_bearing * w->rate + dot(cross(sub(point, centre), force), k) +
                  dry_axle(m, e, i) + dot(rolling_moment(m, e, i), k);
  double rate = dot(rates_of_momenta(m, r, (subject){i, -1}, centre).angular, k);
  worst->wheel = larger(worst->wheel, (rate - torque) / fmax(1, fabs(torque)));
  vec carried = add(scale(m->omega, UP), scale(w->rate, k));
  for (int j = 0; j < m->rollers; j++) {
    vec axis = roller_axis(m, i, j), place = roller_centre(m, i, j);
    double bearing = -m->roller_bearing * (w->spin[j] - dot(carried, axis));
    double contact = 0;
    if (j == lowest_roller(m, i))
      contact = dot(cross(sub(point, place), force), axis) + dry_roller(m, e, i) +
                dot(add(rolling_moment(m, e, i), drilling_moment_on(m, e, i)), axis);
    rate = dot(rates_of_momenta(m, r, (subject){i, j}, place).angular, axis);
    worst->roller = larger(worst->roller, rate - bearing - contact);
  }
}

static double power(const machine *m, const evaluation *e) {
  double drive = 0;
  for (int i = 0; i < m->wheels; i++) drive += m->wheel[i].torque * m->wheel[i].rate;
  return drive - e->rate.y[Y_DISSIPATED];
}

static void check_balances(const machine *m, imbalance *worst) {
  evaluation e;
  fleet f = evaluate_machine(m, &e);
  motion_rates r = rates_of(m, &f, &e);
  vec about = body_origin(m), force,
      moment; /* a point of the world: where the body origin is now */
  momenta rate = rates_of_momenta(m, &r, (subject){-1, -1}, about);
  outer_wrench(m, &e, about, &force, &moment);
  worst->force = larger(worst->force, off(rate.linear, force, length(force)));
  worst->moment = larger(worst->moment, off(rate.angular, moment, length(moment)));
  worst->power =
      larger(worst->power, (rate.energy - power(m, &e)) / fmax(1, fabs(e.rate.y[Y_DISSIPATED])));
  for (int i = 0; i < m->wheels; i++) check_inner_balances(m, &e, &r, i, worst);
  free_fleet(&f);
}

/* Momentum and moment of momentum of the whole, each wheel about its axle, each roller about its
 * axis, and energy: together they determine every acceleration, and with them the loads up to how a
 * rigid vehicle shares them. */
static void check_machines(machine (*random)(uint64_t *), uint64_t seed) {
  imbalance worst = {0};
  for (int n = 0; n < MACHINES; n++) {
    machine m = random(&seed);
    check_balances(&m, &worst);
  }
  cr_log_info("largest imbalance: force %.2g, moment %.2g, wheel %.2g, roller %.2g, power %.2g",
              worst.force, worst.moment, worst.wheel, worst.roller, worst.power);
  cr_expect_lt(worst.force, 1e-8); /* the differences' own error */
  cr_expect_lt(worst.moment, 1e-8);
  cr_expect_lt(worst.wheel, 1e-8);
  cr_expect_lt(worst.roller, 1e-8);
  cr_expect_lt(worst.power, 1e-8);
}

Test(loads, and_accelerations_balance_every_body_in_space) {
  check_machines(random_machine, 22);
}

/* On the testbench the moment of the rolling friction about i is the stand's: the force acts at the
 * height of the stand's joint.
 */
Test(loads,
     and_accelerations_balance_every_body_in_space_with_the_regularized_law_and_rolling_friction) {
  check_machines(random_regularized, 27);
}

/* Dry friction by the forces in the bearings, its reactions, and the moment of rolling resistance;
 * an exponent of the load in half of them. */
Test(loads, and_accelerations_balance_every_body_in_space_with_dry_friction) {
  check_machines(random_dry, 29);
}

/* With the moment of drilling about the vertical, of which the roller has the part along its axis.
 */
Test(loads, and_accelerations_balance_every_body_in_space_with_drilling_friction) {
  check_machines(random_drilling, 37);
}

/* Equal compliance at the wheels: the loads lie on a plane over the contact points (least squares
 * by three normal equations would leave nothing), which four wheels or more need besides the
 * balances. */
Test(loads, of_more_than_three_wheels_are_a_plane_over_the_contacts) {
  uint64_t seed = 23;
  double worst = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    if (m.wheels < 4) continue;
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    vec p[OMR_MAX_WHEELS];
    for (int i = 0; i < m.wheels; i++) p[i] = contact_point(&m, i);
    for (int i = 3; i < m.wheels; i++) {
      double area = triangle(p[0], p[1], p[2]);
      double plane =
          (e.o.load[0] * triangle(p[i], p[1], p[2]) + e.o.load[1] * triangle(p[0], p[i], p[2]) +
           e.o.load[2] * triangle(p[0], p[1], p[i])) /
          area;
      worst = larger(worst, (e.o.load[i] - plane) / (total_mass(&m) * m.gravity));
    }
    free_fleet(&f);
  }
  cr_log_info("largest distance from the plane %.2g of the weight", worst);
  cr_expect_lt(worst, 1e-11);
}

Test(loads, sum_is_the_weight) {
  uint64_t seed = 24;
  double worst = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    double sum = 0, weight = total_mass(&m) * m.gravity;
    for (int i = 0; i < m.wheels; i++) sum += e.o.load[i];
    worst = larger(worst, (sum - weight) / weight);
    free_fleet(&f);
  }
  cr_expect_lt(worst, 1e-13);
}

Test(loads, host_energy_is_that_of_the_bodies) {
  uint64_t seed = 25;
  double worst = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    double energy = all_momenta(&m, (vec){0}).energy;
    worst = larger(worst, omr_kinetic_energy(&f.settings, &f.batch, 0) / energy - 1);
    free_fleet(&f);
  }
  cr_log_info("largest relative difference of the energy %.2g", worst);
  cr_expect_lt(worst, 1e-13);
}

/* ---- where the model ends */

/* Front wheels slide forward, rear ones backward on the floor, so that friction turns with the
 * difference of their loads. */
static machine scuffing_rectangle(double friction) {
  machine m = resting_rectangle();
  m.com_height = 0.5;
  m.com_z = 0;
  m.friction = friction;
  for (int i = 0; i < 4; i++) m.wheel[i].rate = i < 2 ? 5 : -5;
  return m;
}

/* Height of the centre of mass over the axles: friction at the floor takes along the wheels'
 * turning (R sum F = sum J chi''), so that only the rest tilts. */
static double height_over_axles(const machine *m) {
  return centre_of_mass(m).y - m->radius;
}

/* With D the front wheels' load less the rear wheels', sum F = -mu D and the balance of moments
 * about the axle's direction is 0.3 m D = M g c_x + mu D (H - R). */
Test(loads, of_scuffing_wheels_follow_from_one_balance) {
  for (double friction = 0; friction < 0.8; friction += 0.1) {
    machine m = scuffing_rectangle(friction);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    double weight = total_mass(&m) * m.gravity;
    double difference = weight * centre_of_mass(&m).x / (0.3 - friction * height_over_axles(&m));
    for (int i = 0; i < 4; i++) {
      cr_expect_float_eq(e.o.load[i], (weight + (i < 2 ? difference : -difference)) / 4, 1e-11,
                         "wheel %d: %.15g N", i, e.o.load[i]);
    }
    cr_expect(e.o.solvable);
    free_fleet(&f);
  }
}

static omr_result *run_machine(const machine *m, const char *sections) {
  omr_text text = machine_text(m, sections);
  omr_study *study;
  omr_result *result;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text.data, "loads.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s", error.message);
  omr_study_destroy(study);
  omr_text_free(&text);
  return result;
}

static const char *status_of(const omr_result *r, size_t instance) {
  return omr_instance_status_name(omr_result_status(r)[instance]);
}

static double value_of(const omr_result *r, const char *column, size_t instance) {
  for (size_t c = 0; c < omr_result_columns(r); c++) {
    if (!strcmp(omr_result_column_name(r, c), column)) return omr_result_column(r, c)[instance];
  }
  cr_assert_fail("no column %s", column);
  return 0;
}

#define ENGINE ", \"engine\": {\"backend\": \"openmp\"}"

/* The same balance has no solution at mu = 0.3 m/(H - R) and a wrong one, with the sign of its
 * determinant turned, beyond. */
Test(loads, without_a_solution_end_the_instance_outside_the_model) {
  machine m = scuffing_rectangle(0.3);
  m.com_x = 0;
  double critical = 0.3 / height_over_axles(&m);
  char sections[512];
  snprintf(
      sections, sizeof sections,
      ", \"integrator\": {\"step\": 1e-4, \"duration\": 5e-3}, \"design\": {\"type\": \"grid\"}, "
      "\"vary\": [{\"path\": \"wheel.friction\", \"values\": [0.3, %.17g, %.17g, %.17g]}]" ENGINE,
      0.99 * critical, 1.01 * critical, 5 * critical);
  omr_result *r = run_machine(&m, sections);
  for (size_t k = 0; k < 4; k++) {
    cr_expect_str_eq(status_of(r, k), k < 2 ? "ok" : "outside_model", "instance %zu is %s", k,
                     status_of(r, k));
    cr_expect_float_eq(omr_result_status_time(r)[k], k < 2 ? 5e-3 : 0, 1e-15);
  }
  omr_result_destroy(r);
}

/* All four wheels slide outwards, so that both tilts, about the axes of x and of z, are fed by
 * friction. The wheels stand at 45 deg on a ring of r: along the slip of two opposite wheels the
 * balance is r D = mu D (H - R), the same for the other two. Beyond the critical friction both
 * factors are negative, and the determinant, their product, is positive again. */
Test(loads, without_a_solution_about_both_axes_end_the_instance_outside_the_model) {
  machine m = scuffing_rectangle(0.3);
  m.com_x = 0.01;
  const double ring = 0.3;
  for (int i = 0; i < 4; i++) {
    machine_wheel *w = &m.wheel[i];
    const double angle = 0.25 * M_PI + 0.5 * M_PI * i;
    w->a = ring * cos(angle);
    w->b = ring * sin(angle);
    w->delta = -angle;
    w->rate = 5;
  }
  double critical = ring / height_over_axles(&m);
  char sections[512];
  snprintf(
      sections, sizeof sections,
      ", \"integrator\": {\"step\": 1e-5, \"duration\": 2e-5}, \"design\": {\"type\": \"grid\"}, "
      "\"vary\": [{\"path\": \"wheel.friction\", \"values\": [%.17g, %.17g, %.17g]}]" ENGINE,
      0.9 * critical, 1.1 * critical, 3 * critical);
  omr_result *r = run_machine(&m, sections);
  for (size_t k = 0; k < 3; k++) {
    cr_expect_str_eq(status_of(r, k), k < 1 ? "ok" : "outside_model", "instance %zu is %s", k,
                     status_of(r, k));
    cr_expect_float_eq(omr_result_status_time(r)[k], k < 1 ? 2e-5 : 0, 1e-15);
  }
  omr_result_destroy(r);
}

/* Five vehicles that start driving, one of them (index 2) high enough to rear up: M a (H - R) > M g
 * 0.3 m once friction pulls with mu M g, for mu (H - R) > 0.3 m. Without it four. */
static omr_result *run_starting(bool with_high, double step) {
  machine m = resting_rectangle();
  m.friction = 0.9;
  for (int i = 0; i < 4; i++) m.wheel[i].torque = -4;
  char sections[512];
  snprintf(
      sections, sizeof sections,
      ", \"integrator\": {\"step\": %.17g, \"duration\": 0.1}, \"design\": {\"type\": \"grid\"}, "
      "\"vary\": [{\"path\": \"platform.center_of_mass.height\", \"values\": [0.1, 0.12, %s0.15, "
      "0.2]}]" ENGINE,
      step, with_high ? "1.2, " : "");
  return run_machine(&m, sections);
}

Test(loads, below_zero_end_the_instance_with_its_time) {
  omr_result *r = run_starting(true, 1e-4), *finer = run_starting(true, 5e-5);
  for (size_t k = 0; k < 5; k++) cr_expect_str_eq(status_of(r, k), k == 2 ? "wheel_lifted" : "ok");
  cr_expect_str_eq(status_of(finer, 2), "wheel_lifted");
  double time = omr_result_status_time(r)[2];
  cr_expect(time > 0 && time < 0.1, "lifted at %g s", time);
  cr_expect_float_eq(time, omr_result_status_time(finer)[2], 1e-4);
  /* its last good state stays: forward, with all wheels still on the floor */
  cr_expect_gt(value_of(r, "final_vx", 2), 0);
  cr_expect_geq(value_of(r, "min_load", 2), 0);
  cr_expect_float_eq(omr_result_status_time(r)[3], 0.1, 1e-15);
  omr_result_destroy(r);
  omr_result_destroy(finer);
}

Test(loads, below_zero_on_one_vehicle_leave_its_neighbours_bits_alone) {
  omr_result *r = run_starting(true, 1e-4), *without = run_starting(false, 1e-4);
  cr_assert_eq(omr_result_columns(r), omr_result_columns(without));
  cr_assert_eq(omr_result_instances(without), 4);
  for (size_t c = 0; c < omr_result_columns(r); c++) {
    const double *a = omr_result_column(r, c), *b = omr_result_column(without, c);
    cr_expect_eq(memcmp(a, b, 2 * sizeof *a), 0, "%s", omr_result_column_name(r, c));
    cr_expect_eq(memcmp(a + 3, b + 2, 2 * sizeof *a), 0, "%s", omr_result_column_name(r, c));
  }
  omr_result_destroy(r);
  omr_result_destroy(without);
}
