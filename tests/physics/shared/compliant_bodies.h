/* The bodies of a vehicle on compliant contacts in world axes: places, velocities, momenta and
 * energy, from the numbers that are integrated. Shares no formula with the kernels. */
#ifndef TESTS_COMPLIANT_BODIES_H
#define TESTS_COMPLIANT_BODIES_H

#include "machine.h"

typedef struct frame {
  vec x, y, z; /* the body's axes, world */
} frame;

/* World axes of a body at yaw, pitch and roll: turned about the vertical, then about its own z,
 * then about its own x. */
static inline frame frame_at(double yaw, double pitch, double roll) {
  frame f = {turned((vec){1, 0, 0}, UP, yaw), UP, turned((vec){0, 0, 1}, UP, yaw)};
  f.x = turned(f.x, f.z, pitch);
  f.y = turned(f.y, f.z, pitch);
  f.y = turned(f.y, f.x, roll);
  f.z = turned(f.z, f.x, roll);
  return f;
}

static inline vec in_world(const frame *f, double x, double y, double z) {
  return add(add(scale(x, f->x), scale(y, f->y)), scale(z, f->z));
}

/* What moves, in numbers that are integrated. */
typedef struct pose {
  double x, height, z, yaw, pitch, roll, v[3], turn[3];
  double travel[OMR_MAX_WHEELS], travel_rate[OMR_MAX_WHEELS];
  double angle[OMR_MAX_WHEELS], rate[OMR_MAX_WHEELS];
  double spin[OMR_MAX_WHEELS][OMR_MAX_ROLLERS];
} pose;

/* Momenta and energy of the whole about a point at rest. */
/* The suspension of every wheel; all 0: there is none. */
typedef struct springs {
  double stiffness, damping, preload, mass;
} springs;

/* Energy holds what springs of the suspension have, too. */
typedef struct momenta {
  vec linear, angular;
  double energy; /* kinetic, and of gravity */
} momenta;

static inline vec tensor_times(const frame *f, const double inertia[3], vec w) {
  return in_world(f, inertia[0] * dot(f->x, w), inertia[1] * dot(f->y, w),
                  inertia[2] * dot(f->z, w));
}

static inline void add_body(momenta *all, double mass, vec place, vec velocity, vec angular,
                            vec spin, double gravity) {
  all->linear = add(all->linear, scale(mass, velocity));
  all->angular = add(all->angular, add(scale(mass, cross(place, velocity)), spin));
  all->energy +=
      0.5 * mass * dot(velocity, velocity) + 0.5 * dot(angular, spin) + mass * gravity * place.y;
}

typedef struct wheel_place {
  frame axes; /* i, j, k */
  vec centre, velocity, angular;
} wheel_place;

static inline wheel_place body_of_wheel(const machine *m, const pose *p, int i) {
  const frame f = frame_at(p->yaw, p->pitch, p->roll);
  const machine_wheel *w = &m->wheel[i];
  wheel_place at;
  at.axes.z = in_world(&f, sin(w->delta), 0, cos(w->delta));
  at.axes.y = f.y;
  at.axes.x = cross(at.axes.y, at.axes.z);
  vec arm = in_world(&f, w->a, m->radius + p->travel[i], w->b),
      turn = in_world(&f, p->turn[0], p->turn[1], p->turn[2]);
  at.centre = add((vec){p->x, p->height, p->z}, arm);
  at.velocity = add(in_world(&f, p->v[0], p->v[1], p->v[2]), cross(turn, arm));
  at.velocity = add(at.velocity, scale(p->travel_rate[i], f.y));
  at.angular = add(turn, scale(p->rate[i], at.axes.z));
  return at;
}

typedef struct roller_place {
  vec axis, centre, velocity, angular;
} roller_place;

static inline roller_place roller_at(const machine *m, const pose *p, int i, int j) {
  const wheel_place w = body_of_wheel(m, p, i);
  const double q = p->angle[i] + 2 * M_PI * j / m->rollers, psi = m->wheel[i].psi,
               row = (j % 2 ? -0.5 : 0.5) * m->row_distance;
  roller_place r;
  r.axis = in_world(&w.axes, cos(psi) * cos(q), cos(psi) * sin(q), sin(psi));
  vec arm = in_world(&w.axes, m->center * sin(q), -m->center * cos(q), row);
  r.centre = add(w.centre, arm);
  r.velocity = add(w.velocity, cross(w.angular, arm));
  r.angular = add(w.angular, scale(p->spin[i][j] - dot(w.angular, r.axis), r.axis));
  return r;
}

static inline momenta momenta_of(const machine *m, const springs *k, const double platform[3],
                                 const pose *p) {
  momenta all = {{0, 0, 0}, {0, 0, 0}, 0};
  const frame f = frame_at(p->yaw, p->pitch, p->roll);
  vec turn = in_world(&f, p->turn[0], p->turn[1], p->turn[2]),
      arm = in_world(&f, m->com_x, m->com_height, m->com_z);
  add_body(&all, m->platform_mass, add((vec){p->x, p->height, p->z}, arm),
           add(in_world(&f, p->v[0], p->v[1], p->v[2]), cross(turn, arm)), turn,
           tensor_times(&f, platform, turn), m->gravity);
  for (int i = 0; i < m->wheels; i++) {
    const wheel_place w = body_of_wheel(m, p, i);
    const double disc[3] = {m->disc_diametral, m->disc_diametral, m->disc_axial};
    add_body(&all, k->mass, w.centre, w.velocity, (vec){0, 0, 0}, (vec){0, 0, 0}, m->gravity);
    all.energy += p->travel[i] * (k->preload + 0.5 * k->stiffness * p->travel[i]);
    add_body(&all, m->disc_mass, w.centre, w.velocity, w.angular,
             tensor_times(&w.axes, disc, w.angular), m->gravity);
    for (int j = 0; j < m->rollers; j++) {
      const roller_place r = roller_at(m, p, i, j);
      vec spin =
          add(scale(m->roller_diametral, r.angular),
              scale((m->roller_axial - m->roller_diametral) * dot(r.angular, r.axis), r.axis));
      add_body(&all, m->roller_mass, r.centre, r.velocity, r.angular, spin, m->gravity);
    }
  }
  return all;
}

/* Sum of mass times place over the bodies. */
static inline vec mass_moment(const machine *m, const springs *k, const pose *p) {
  const frame f = frame_at(p->yaw, p->pitch, p->roll);
  vec origin = {p->x, p->height, p->z};
  vec sum = scale(m->platform_mass, add(origin, in_world(&f, m->com_x, m->com_height, m->com_z)));
  for (int i = 0; i < m->wheels; i++) {
    sum = add(sum, scale(m->disc_mass + k->mass, body_of_wheel(m, p, i).centre));
    for (int j = 0; j < m->rollers; j++)
      sum = add(sum, scale(m->roller_mass, roller_at(m, p, i, j).centre));
  }
  return sum;
}

#endif
