/* The machine as rigid bodies in space: platform, discs and every single roller with its place,
 * velocity and momenta in world axes, and the floor's contacts by implicit tracking (source 1,
 * section 5.1). Shares no formula with the kernels. */
#ifndef TESTS_BODIES_H
#define TESTS_BODIES_H

#include "machine.h"

typedef struct rigid_body {
  double mass;
  vec place, velocity; /* of its centre of mass */
  vec angular;         /* angular velocity */
  vec spin;            /* angular momentum about its centre of mass */
} rigid_body;

static inline vec world_of(const machine *m, double along_x, double up, double along_z) {
  return turned((vec){along_x, up, along_z}, UP, m->yaw);
}

static inline vec body_origin(const machine *m) {
  return (vec){m->x, 0, m->z};
}

/* Velocity of a point of the platform at `arm` from the body origin. */
static inline vec platform_velocity(const machine *m, vec arm) {
  return add(world_of(m, m->vx, 0, m->vz), cross(scale(m->omega, UP), arm));
}

static inline vec wheel_axis(const machine *m, int i) {
  return world_of(m, sin(m->wheel[i].delta), 0, cos(m->wheel[i].delta));
}

static inline vec wheel_forward(const machine *m, int i) {
  return cross(UP, wheel_axis(m, i));
}

static inline vec wheel_centre(const machine *m, int i) {
  return add(body_origin(m), world_of(m, m->wheel[i].a, m->radius, m->wheel[i].b));
}

/* Angular momentum of a body of revolution. */
static inline vec momentum_of(vec angular, vec axis, double axial, double diametral) {
  return add(scale(diametral, angular), scale((axial - diametral) * dot(angular, axis), axis));
}

static inline rigid_body platform_body(const machine *m) {
  vec arm = world_of(m, m->com_x, m->com_height, m->com_z), angular = scale(m->omega, UP);
  return (rigid_body){m->platform_mass, add(body_origin(m), arm), platform_velocity(m, arm),
                      angular, scale(m->platform_inertia, angular)};
}

static inline rigid_body disc_body(const machine *m, int i) {
  vec place = wheel_centre(m, i), axis = wheel_axis(m, i),
      angular = add(scale(m->omega, UP), scale(m->wheel[i].rate, axis));
  return (rigid_body){m->disc_mass, place, platform_velocity(m, sub(place, body_origin(m))),
                      angular, momentum_of(angular, axis, m->disc_axial, m->disc_diametral)};
}

/* Angle of roller j from straight down about the wheel's axis. */
static inline double roller_angle(const machine *m, int i, int j) {
  return m->wheel[i].angle + 2 * M_PI * j / m->rollers;
}

/* Axis of roller j: forward inclined by psi towards the wheel's axis, turned with the wheel. */
static inline vec roller_axis(const machine *m, int i, int j) {
  vec axis = wheel_axis(m, i), psi_axis = add(scale(cos(m->wheel[i].psi), wheel_forward(m, i)),
                                              scale(sin(m->wheel[i].psi), axis));
  return turned(psi_axis, axis, roller_angle(m, i, j));
}

/* Centre of the ring that carries roller j: the wheel's, moved along the axis to the roller's row.
 */
static inline vec row_centre(const machine *m, int i, int j) {
  return add(wheel_centre(m, i), scale((j % 2 ? -0.5 : 0.5) * m->row_distance, wheel_axis(m, i)));
}

static inline vec roller_centre(const machine *m, int i, int j) {
  return add(row_centre(m, i, j),
             turned(scale(-m->center, UP), wheel_axis(m, i), roller_angle(m, i, j)));
}

static inline rigid_body roller_body(const machine *m, int i, int j) {
  vec place = roller_centre(m, i, j), axis = roller_axis(m, i, j);
  vec carried = add(scale(m->omega, UP), scale(m->wheel[i].rate, wheel_axis(m, i)));
  vec angular = add(carried, scale(m->wheel[i].spin[j] - dot(carried, axis),
                                   axis)); /* its part along the axis is the spin */
  vec velocity = add(platform_velocity(m, sub(wheel_centre(m, i), body_origin(m))),
                     cross(carried, sub(place, wheel_centre(m, i))));
  return (rigid_body){m->roller_mass, place, velocity, angular,
                      momentum_of(angular, axis, m->roller_axial, m->roller_diametral)};
}

/* Roller nearest to straight down. */
static inline int lowest_roller(const machine *m, int i) {
  int lowest = 0;
  for (int j = 1; j < m->rollers; j++) {
    if (cos(roller_angle(m, i, j)) > cos(roller_angle(m, i, lowest))) lowest = j;
  }
  return lowest;
}

/* Contact point of the lowest roller: r_P = r_B + R1 rho - R j + mu k. */
static inline vec contact_point(const machine *m, int i) {
  int j = lowest_roller(m, i);
  vec k = wheel_axis(m, i), centre = roller_centre(m, i, j),
      rho = scale(1 / m->center, sub(row_centre(m, i, j), centre));
  vec k2 = cross(roller_axis(m, i, j), UP);
  double mu = (m->radius * dot(UP, k2) - m->center * dot(rho, k2)) / dot(k, k2);
  return add(add(centre, scale(m->center, rho)), add(scale(-m->radius, UP), scale(mu, k)));
}

/* Velocity of the roller's material point that stands at `point`. */
static inline vec material_velocity(const machine *m, int i, vec point) {
  rigid_body roller = roller_body(m, i, lowest_roller(m, i));
  return add(roller.velocity, cross(roller.angular, sub(point, roller.place)));
}

/* Linear momentum, angular momentum about a fixed point, and kinetic energy, summed over bodies. */
typedef struct momenta {
  vec linear, angular;
  double energy;
} momenta;

static inline void count_body(momenta *sum, const rigid_body *b, vec about) {
  vec p = scale(b->mass, b->velocity);
  sum->linear = add(sum->linear, p);
  sum->angular = add(sum->angular, add(b->spin, cross(sub(b->place, about), p)));
  sum->energy += 0.5 * (dot(p, b->velocity) + dot(b->spin, b->angular));
}

static inline void count_wheel(momenta *sum, const machine *m, int i, vec about) {
  rigid_body b = disc_body(m, i);
  count_body(sum, &b, about);
  for (int j = 0; j < m->rollers; j++) {
    b = roller_body(m, i, j);
    count_body(sum, &b, about);
  }
}

static inline momenta all_momenta(const machine *m, vec about) {
  momenta sum = {0};
  rigid_body b = platform_body(m);
  if (m->wheels > 1) count_body(&sum, &b, about);
  for (int i = 0; i < m->wheels; i++) count_wheel(&sum, m, i, about);
  return sum;
}

static inline double total_mass(const machine *m) {
  return (m->wheels > 1 ? m->platform_mass : 0) +
         m->wheels * (m->disc_mass + m->rollers * m->roller_mass);
}

static inline vec centre_of_mass(const machine *m) {
  vec sum = m->wheels > 1 ? scale(m->platform_mass, platform_body(m).place) : (vec){0};
  for (int i = 0; i < m->wheels; i++) {
    sum = add(sum, scale(m->disc_mass, wheel_centre(m, i)));
    for (int j = 0; j < m->rollers; j++)
      sum = add(sum, scale(m->roller_mass, roller_centre(m, i, j)));
  }
  return scale(1 / total_mass(m), sum);
}

#endif
