/* Slip velocity and the rows of its Jacobian against the velocity of the roller's material point in
 * space (bodies.h). */
#include "shared/bodies.h"
#include "shared/kernel.h"

enum { MACHINES = 400 };

/* Scale of velocities in these machines, m/s: differences are relative to it. */
#define SPEED 1.0

static void kernel_slip(const evaluation *e, int i, double slip[2]) {
  slip[0] = e->o.slip_i[i];
  slip[1] = e->o.slip_k[i];
}

static vec slip_in_space(const machine *m, int i) {
  vec v = material_velocity(m, i, contact_point(m, i));
  return (vec){dot(v, wheel_forward(m, i)), v.y, dot(v, wheel_axis(m, i))};
}

Test(jacobian, slip_is_the_velocity_of_the_material_contact_point) {
  uint64_t seed = 11;
  double worst = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    for (int i = 0; i < m.wheels; i++) {
      vec v = slip_in_space(&m, i);
      double slip[2];
      kernel_slip(&e, i, slip);
      worst = larger(larger(worst, (slip[0] - v.x) / SPEED), (slip[1] - v.z) / SPEED);
      cr_expect_eq(lowest_roller(&m, i), (int)e.ts[i][T_ACTIVE]);
    }
    free_fleet(&f);
  }
  cr_log_info("largest difference of slip %.2g", worst);
  cr_expect_lt(worst, 1e-13);
}

/* Places of a point of the lowest roller of wheel i, given in that roller's own frame (along its
 * axis; radial towards the wheel's centre; the third), after the roller turned by `turn` about its
 * axis. */
static vec material_place(const machine *m, int i, int j, vec own, double turn) {
  vec axis = roller_axis(m, i, j), centre = roller_centre(m, i, j),
      inward = sub(row_centre(m, i, j), centre);
  vec second = scale(1 / m->center, inward), third = cross(axis, second);
  vec arm = add(scale(own.y, second), scale(own.z, third));
  return add(centre, add(scale(own.x, axis), turned(arm, axis, turn)));
}

static vec own_frame(const machine *m, int i, int j, vec point) {
  vec axis = roller_axis(m, i, j), centre = roller_centre(m, i, j);
  vec second = scale(1 / m->center, sub(row_centre(m, i, j), centre)), arm = sub(point, centre);
  return (vec){dot(arm, axis), dot(arm, second), dot(arm, cross(axis, second))};
}

/* The machine's configuration a time dt later, velocities held. */
static machine drifted(const machine *m, double dt) {
  machine r = *m;
  vec v = platform_velocity(m, (vec){0});
  r.x += v.x * dt;
  r.z += v.z * dt;
  r.yaw += m->omega * dt;
  for (int i = 0; i < m->wheels; i++) r.wheel[i].angle += m->wheel[i].rate * dt;
  return r;
}

/* Velocity of the contact's material point by central differences of its places; the roller's turn
 * relative to the wheel is what the spin leaves after the part of the wheel's angular velocity
 * along the roller's axis. */
static vec differentiated_velocity(const machine *m, int i) {
  const double dt = 1e-5;
  int j = lowest_roller(m, i);
  vec own = own_frame(m, i, j, contact_point(m, i));
  vec carried = add(scale(m->omega, UP), scale(m->wheel[i].rate, wheel_axis(m, i)));
  double turn_rate = m->wheel[i].spin[j] - dot(carried, roller_axis(m, i, j));
  machine later = drifted(m, dt), earlier = drifted(m, -dt);
  vec ahead = material_place(&later, i, j, own, turn_rate * dt),
      behind = material_place(&earlier, i, j, own, -turn_rate * dt);
  return scale(1 / (2 * dt), sub(ahead, behind));
}

Test(jacobian, slip_is_the_derivative_of_the_material_points_place) {
  uint64_t seed = 12;
  double worst = 0, vertical = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    for (int i = 0; i < m.wheels; i++) {
      vec v = differentiated_velocity(&m, i);
      worst = larger(worst, (dot(v, wheel_forward(&m, i)) - e.o.slip_i[i]) / SPEED);
      worst = larger(worst, (dot(v, wheel_axis(&m, i)) - e.o.slip_k[i]) / SPEED);
      vertical = larger(vertical, v.y);
    }
    free_fleet(&f);
  }
  cr_log_info("largest difference of slip %.2g, largest vertical velocity %.2g", worst, vertical);
  cr_expect_lt(worst, 1e-7); /* the differences' own error */
  cr_expect_lt(vertical, 1e-7);
}

Test(jacobian, contact_point_never_moves_vertically) {
  uint64_t seed = 13;
  double worst = 0, height = 0;
  for (int n = 0; n < 10 * MACHINES; n++) {
    machine m = random_machine(&seed);
    for (int i = 0; i < m.wheels; i++) {
      worst = larger(worst, slip_in_space(&m, i).y);
      height = larger(height, contact_point(&m, i).y);
    }
  }
  cr_log_info("largest vertical velocity %.2g, largest height %.2g", worst, height);
  cr_expect_lt(worst, 1e-13);
  cr_expect_lt(height, 1e-15);
}

/* The velocities one by one. */
enum { BY_VX, BY_VZ, BY_OMEGA, BY_RATE, BY_SPIN, VELOCITIES };

static void stop(machine *m) {
  m->vx = m->vz = m->omega = 0;
  for (int i = 0; i < m->wheels; i++) {
    m->wheel[i].rate = 0;
    for (int j = 0; j < m->rollers; j++) m->wheel[i].spin[j] = 0;
  }
}

static double *velocity(machine *m, int i, int which) {
  double *const of_body[3] = {&m->vx, &m->vz, &m->omega};
  if (which <= BY_OMEGA) return of_body[which];
  return which == BY_RATE ? &m->wheel[i].rate : &m->wheel[i].spin[lowest_roller(m, i)];
}

/* Row entries of the kernel for component i (0) or k (1). */
static double kernel_entry(const contact *c, const double *w, int component, int which) {
  switch (which) {
  case BY_VX: return component ? w[W_SIN] : w[W_COS];
  case BY_VZ: return component ? w[W_COS] : -w[W_SIN];
  case BY_OMEGA: return component ? c->k_yaw : c->i_yaw;
  case BY_RATE: return component ? c->k_rate : c->i_rate;
  default: return component ? c->k_spin : c->i_spin;
  }
}

Test(jacobian, rows_are_the_slip_of_each_velocity_alone) {
  uint64_t seed = 14;
  double worst = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    stop(&m);
    for (int i = 0; i < m.wheels; i++) {
      contact c = contact_at(e.p.w[i], e.at.y[Y_Q(i)], e.held.row[i]);
      for (int which = 0; which < VELOCITIES; which++) {
        machine alone = m;
        *velocity(&alone, i, which) = 1;
        vec v = slip_in_space(&alone, i);
        worst = larger(worst, kernel_entry(&c, e.p.w[i], 0, which) - v.x);
        worst = larger(worst, kernel_entry(&c, e.p.w[i], 1, which) - v.z);
      }
    }
    free_fleet(&f);
  }
  cr_log_info("largest difference of an entry %.2g", worst);
  cr_expect_lt(worst, 1e-14);
}

/* Slip for the velocities u: of the body origin, yaw rate, of wheel and roller. */
static void slip_for(const contact *k, const double *w, const double u[VELOCITIES],
                     double slip[2]) {
  contact_slip(k, w, u[0], u[1], (turning){u[2], u[3], u[4]}, &slip[0], &slip[1]);
}

Test(jacobian, slip_is_linear_in_the_velocities) {
  uint64_t seed = 15;
  double worst = 0;
  for (int n = 0; n < MACHINES; n++) {
    machine m = random_machine(&seed);
    evaluation e;
    fleet f = evaluate_machine(&m, &e);
    for (int i = 0; i < m.wheels; i++) {
      contact c = contact_at(e.p.w[i], e.at.y[Y_Q(i)], e.held.row[i]);
      double u[VELOCITIES], v[VELOCITIES], f1 = draw(&seed, -3, 3), f2 = draw(&seed, -3, 3),
                                           mixed[VELOCITIES], s[3][2];
      for (int k = 0; k < VELOCITIES; k++) {
        u[k] = draw(&seed, -2, 2);
        v[k] = draw(&seed, -2, 2);
        mixed[k] = f1 * u[k] + f2 * v[k];
      }
      slip_for(&c, e.p.w[i], u, s[0]);
      slip_for(&c, e.p.w[i], v, s[1]);
      slip_for(&c, e.p.w[i], mixed, s[2]);
      for (int k = 0; k < 2; k++) worst = larger(worst, s[2][k] - f1 * s[0][k] - f2 * s[1][k]);
    }
    free_fleet(&f);
  }
  cr_expect_lt(worst, 1e-13);
}

Test(jacobian, spins_of_idle_rollers_and_the_pose_leave_slip_alone) {
  uint64_t seed = 16;
  for (int n = 0; n < 50; n++) {
    machine m = random_machine(&seed);
    evaluation e, moved;
    fleet f = evaluate_machine(&m, &e);
    free_fleet(&f);
    m.x += 1;
    m.yaw += 2;
    for (int i = 0; i < m.wheels; i++) {
      int lowest = lowest_roller(&m, i);
      for (int j = 0; j < m.rollers; j++) m.wheel[i].spin[j] += j == lowest ? 0 : 7;
    }
    f = evaluate_machine(&m, &moved);
    free_fleet(&f);
    for (int i = 0; i < m.wheels; i++) {
      cr_expect_eq(e.o.slip_i[i], moved.o.slip_i[i]);
      cr_expect_eq(e.o.slip_k[i], moved.o.slip_k[i]);
    }
  }
}
