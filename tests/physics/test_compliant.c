/* Vehicles on compliant contacts (PHYSICS.md#18-vertical-dynamics) against bodies in space: every
 * body's place, velocity and momenta are put together in world axes, their rates are differences
 * along the motion that the kernel gives, and contacts are found by a search over the profile.
 * Shares no formula with the kernels. */
#define OMR_COMPLIANT 1
#include "kernel.h"

typedef struct frame {
  vec x, y, z; /* the body's axes, world */
} frame;

/* World axes of a body at yaw, pitch and roll: turned about the vertical, then about its own z,
 * then about its own x. */
static frame frame_at(double yaw, double pitch, double roll) {
  frame f = {turned((vec){1, 0, 0}, UP, yaw), UP, turned((vec){0, 0, 1}, UP, yaw)};
  f.x = turned(f.x, f.z, pitch);
  f.y = turned(f.y, f.z, pitch);
  f.y = turned(f.y, f.x, roll);
  f.z = turned(f.z, f.x, roll);
  return f;
}

static vec in_world(const frame *f, double x, double y, double z) {
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

static vec tensor_times(const frame *f, const double inertia[3], vec w) {
  return in_world(f, inertia[0] * dot(f->x, w), inertia[1] * dot(f->y, w),
                  inertia[2] * dot(f->z, w));
}

static void add_body(momenta *all, double mass, vec place, vec velocity, vec angular, vec spin,
                     double gravity) {
  all->linear = add(all->linear, scale(mass, velocity));
  all->angular = add(all->angular, add(scale(mass, cross(place, velocity)), spin));
  all->energy +=
      0.5 * mass * dot(velocity, velocity) + 0.5 * dot(angular, spin) + mass * gravity * place.y;
}

typedef struct wheel_place {
  frame axes; /* i, j, k */
  vec centre, velocity, angular;
} wheel_place;

static wheel_place wheel_at(const machine *m, const pose *p, int i) {
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

static roller_place roller_at(const machine *m, const pose *p, int i, int j) {
  const wheel_place w = wheel_at(m, p, i);
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

static momenta momenta_of(const machine *m, const springs *k, const double platform[3],
                          const pose *p) {
  momenta all = {{0, 0, 0}, {0, 0, 0}, 0};
  const frame f = frame_at(p->yaw, p->pitch, p->roll);
  vec turn = in_world(&f, p->turn[0], p->turn[1], p->turn[2]),
      arm = in_world(&f, m->com_x, m->com_height, m->com_z);
  add_body(&all, m->platform_mass, add((vec){p->x, p->height, p->z}, arm),
           add(in_world(&f, p->v[0], p->v[1], p->v[2]), cross(turn, arm)), turn,
           tensor_times(&f, platform, turn), m->gravity);
  for (int i = 0; i < m->wheels; i++) {
    const wheel_place w = wheel_at(m, p, i);
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
static vec mass_moment(const machine *m, const springs *k, const pose *p) {
  const frame f = frame_at(p->yaw, p->pitch, p->roll);
  vec origin = {p->x, p->height, p->z};
  vec sum = scale(m->platform_mass, add(origin, in_world(&f, m->com_x, m->com_height, m->com_z)));
  for (int i = 0; i < m->wheels; i++) {
    sum = add(sum, scale(m->disc_mass + k->mass, wheel_at(m, p, i).centre));
    for (int j = 0; j < m->rollers; j++)
      sum = add(sum, scale(m->roller_mass, roller_at(m, p, i, j).centre));
  }
  return sum;
}

/* ---- contacts by search */

typedef struct shape {
  double coverage, fillet, undersize, stiffness, crossley;
  int hertz;
  springs suspension;
  bool components; /* law 2: each direction saturates by its own slip */
  bool tyre;       /* the law brush with the standard parameters in place of law 1 */
} shape;

/* Place of the profile of PHYSICS.md#2-rollers-and-the-contact-point at its parameter q, inside by
 * `inset`: along the axis, and from it. */
static void profile_at(const machine *m, double psi, double q, double inset, double *along,
                       double *radius) {
  const double h = m->radius - m->center / cos(q) - inset, foot = m->center * tan(q) / cos(psi);
  *along = -(foot + h * sin(q) * cos(psi));
  *radius = h * sqrt(1 - pow(sin(q) * cos(psi), 2));
}

/* Height over the floor of the lowest point of the ring at the profile's parameter q. */
static double ring_height(const machine *m, const roller_place *r, double psi, double q,
                          const shape *s) {
  double along, radius;
  profile_at(m, psi, q, s->fillet, &along, &radius);
  return r->centre.y + along * r->axis.y - radius * sqrt(1 - r->axis.y * r->axis.y) - s->fillet +
         s->undersize;
}

/* The deepest point of a roller, of which the profile is inset by the fillet and blown up again: by
 * golden sections over the profile. */
static vec lowest_point(const machine *m, const roller_place *r, double psi, const shape *s) {
  const double golden = 0.6180339887498949, end = s->coverage * M_PI / m->rollers;
  double low = -end, high = end;
  for (int n = 0; n < 90; n++) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (ring_height(m, r, psi, a, s) < ring_height(m, r, psi, b, s))
      high = b;
    else
      low = a;
  }
  double along, radius, q = 0.5 * (low + high);
  profile_at(m, psi, q, s->fillet, &along, &radius);
  vec down = sub(scale(r->axis.y, r->axis), UP);
  vec ring = add(add(r->centre, scale(along, r->axis)), scale(radius / length(down), down));
  return add(ring, scale(s->undersize - s->fillet, UP));
}

typedef struct found_contact {
  vec place, force;
  double depth, spring, power; /* power: of the force on the vehicle, spring: its energy */
} found_contact;

static found_contact contact_of(const machine *m, const pose *p, const shape *s, int i, int j) {
  const roller_place r = roller_at(m, p, i, j);
  found_contact c = {.place = lowest_point(m, &r, m->wheel[i].psi, s)};
  c.depth = -c.place.y;
  if (!(c.depth > 0)) {
    c.force = (vec){0, 0, 0};
    c.depth = c.spring = c.power = 0;
    return c;
  }
  vec v = add(r.velocity, cross(r.angular, sub(c.place, r.centre)));
  const double power = s->hertz ? 1.5 : 1, spring = s->stiffness * pow(c.depth, power);
  const double load = fmax(spring * (1 - s->crossley * v.y), 0);
  vec slip = {v.x, 0, v.z};
  c.force =
      add(scale(load, UP), scale(-m->friction * load / fmax(length(slip), m->slip_speed), slip));
  c.spring = spring * c.depth / (power + 1);
  c.power = dot(c.force, v);
  return c;
}

/* Force of law 2 per unit of load on a slip along (k, -i), which the friction angle turns by. */
static void regularized_push(const machine *m, const shape *s, double angle, const double slip[2],
                             double push[2]) {
  const double mu[2] = {m->lateral, m->longitudinal},
               viscous[2] = {m->lateral_viscous, m->longitudinal_viscous};
  const double axis[2][2] = {{cos(angle), -sin(angle)}, {sin(angle), cos(angle)}};
  push[0] = push[1] = 0;
  for (int a = 0; a < 2; a++) {
    const double along = axis[a][0] * slip[0] + axis[a][1] * slip[1],
                 speed = s->components ? fabs(along) : hypot(slip[0], slip[1]),
                 part = fmin(speed / m->slip_speed, 1);
    const double grip = (m->linear_zone ? part : part * (2 - part)) * (mu[a] + viscous[a] * speed);
    for (int b = 0; b < 2; b++) push[b] -= grip * along / fmax(speed, 1e-300) * axis[a][b];
  }
}

/* Force per unit of load of a brush with 15 as stiffness along and across, which rolls so fast. */
static void brush_push(const machine *m, double rolling, const double slip[2], double push[2]) {
  const double size = 15 * hypot(slip[0], slip[1]) / hypot(rolling, 0.1);
  const double share = fmin(size / (3 * m->friction), 1),
               grip = m->friction * (1 - pow(1 - share, 3));
  for (int a = 0; a < 2; a++) push[a] = -grip * slip[a] / hypot(slip[0], slip[1]);
}

/* Friction at slip v of a disc, N. */
static vec disc_friction(const machine *m, const shape *s, const wheel_place *w, double psi,
                         double load, vec v) {
  if (!m->regularized && !s->tyre)
    return scale(-m->friction * load / fmax(hypot(v.x, v.z), m->slip_speed), (vec){v.x, 0, v.z});
  const vec across = cross(UP, w->axes.z), i = scale(1 / length(across), across), k = cross(i, UP);
  const double slip[2] = {dot(v, k), -dot(v, i)};
  double push[2];
  if (s->tyre)
    brush_push(m, m->radius * dot(w->angular, w->axes.z), slip, push);
  else
    regularized_push(m, s, m->friction_angle - psi, slip, push);
  return add(scale(load * push[0], k), scale(-load * push[1], i));
}

/* The lowest point of a disc's edge, by golden sections, and what acts there. */
static found_contact disc_contact_of(const machine *m, const pose *p, const shape *s, int i) {
  const wheel_place w = wheel_at(m, p, i);
  const double golden = 0.6180339887498949;
  double low = -1, high = 1;
  for (int n = 0; n < 90; n++) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (sin(a) * w.axes.x.y - cos(a) * w.axes.y.y < sin(b) * w.axes.x.y - cos(b) * w.axes.y.y)
      high = b;
    else
      low = a;
  }
  const double q = 0.5 * (low + high);
  const vec arm = in_world(&w.axes, m->radius * sin(q), -m->radius * cos(q), 0);
  found_contact c = {.place = add(w.centre, arm), .force = {0, 0, 0}};
  if (!(c.place.y < 0)) return c;
  c.depth = -c.place.y;
  const vec v = add(w.velocity, cross(w.angular, arm));
  const double power = s->hertz ? 1.5 : 1, spring = s->stiffness * pow(c.depth, power);
  const double load = fmax(spring * (1 - s->crossley * v.y), 0);
  c.force = add(scale(load, UP), disc_friction(m, s, &w, m->wheel[i].psi, load, v));
  c.spring = spring * c.depth / (power + 1);
  c.power = dot(c.force, v);
  return c;
}

static int contacts_of(const machine *m) {
  return m->rollers ? m->rollers : 1;
}

static found_contact found_of(const machine *m, const pose *p, const shape *s, int i, int j) {
  return m->rollers ? contact_of(m, p, s, i, j) : disc_contact_of(m, p, s, i);
}

/* ---- the kernel's motion */

/* Spin of an idle roller: its decaying part, and what its bearing has made it follow. */
static double idle_spin(const fleet *f, const machine *m, const evaluation *e, int i, int j) {
  const double *w = e->p.w[i], *idle = e->at.idle[i];
  const double angle = 2 * w[W_ALPHA] * (j - e->ts[i][T_ACTIVE]);
  if (!f->settings.integers[K_BEARING]) return m->wheel[i].spin[j];
  return m->wheel[i].spin[j] +
         w[W_COS_PSI] * (cos(angle) * idle[BEARING_A] + sin(angle) * idle[BEARING_B]) +
         w[W_SIN_PSI] * idle[BEARING_D];
}

/* After `shift` seconds at the present rates. */
static pose pose_of(const fleet *f, const machine *m, const evaluation *e, double shift) {
  double y[Y_COUNT];
  pose p;
  for (int j = 0; j < Y_COUNT; j++) y[j] = e->at.y[j] + shift * e->rate.y[j];
  p.x = y[Y_X], p.height = y[Y_HEIGHT], p.z = y[Y_Z];
  p.yaw = y[Y_YAW], p.pitch = y[Y_PITCH], p.roll = y[Y_ROLL];
  p.v[0] = y[Y_VX], p.v[1] = y[Y_VY], p.v[2] = y[Y_VZ];
  p.turn[0] = y[Y_ROLL_RATE], p.turn[1] = y[Y_OMEGA], p.turn[2] = y[Y_PITCH_RATE];
  for (int i = 0; i < m->wheels; i++) {
    p.angle[i] = y[Y_Q(i)] - 2 * e->p.w[i][W_ALPHA] * e->ts[i][T_ACTIVE];
    p.rate[i] = y[Y_RATE(i)];
    p.travel[i] = y[Y_TRAVEL(i)];
    p.travel_rate[i] = y[Y_TRAVEL_RATE(i)];
    const int active = (int)e->ts[i][T_ACTIVE], n = m->rollers;
    if (!n) continue; /* a disc */
    for (int j = 0; j < n; j++) {
      p.spin[i][j] = 0;
      if (j == active) continue;
      const double spin = idle_spin(f, m, e, i, j);
      p.spin[i][j] = spin + shift * spin_acceleration(f, e, i, j, spin);
    }
    p.spin[i][active] = y[Y_SPIN(i)];
    p.spin[i][(active + n - 1) % n] = y[Y_BEFORE(i)];
    p.spin[i][(active + 1) % n] = y[Y_AFTER(i)];
  }
  return p;
}

/* A force and a torque along world axes, whatever the attitude; the force acts in the body, over
 * its origin. */
#define PUSH                                                                                       \
  "{\"type\":\"constant\",\"axes\":\"world\",\"force\":{\"x\":9,\"y\":-4,\"z\":7},"                \
  "\"torque\":{\"x\":3,\"y\":1,\"z\":-2},\"height\":0.4}"
static const vec push_force = {9, -4, 7}, push_torque = {3, 1, -2};
static const double push_height = 0.4;

static omr_study *read_compliant(const machine *m, const shape *s, const double platform[3]) {
  char text[16][160];
  const char *overrides[16];
  size_t n = 0;
  snprintf(text[n++], sizeof *text, "parameters.contact.normal=compliant");
  snprintf(text[n++], sizeof *text, "parameters.initial.height=0");
  snprintf(text[n++], sizeof *text, "parameters.contact.spring=%s", s->hertz ? "hertz" : "linear");
  snprintf(text[n++], sizeof *text, "parameters.wheel.contact.%s=%.17g",
           s->hertz ? "hertz_stiffness" : "stiffness", s->stiffness);
  snprintf(text[n++], sizeof *text, "parameters.wheel.contact.dissipation=%.17g", s->crossley);
  if (m->rollers) {
    snprintf(text[n++], sizeof *text, "parameters.wheel.roller.coverage=%.17g", s->coverage);
    snprintf(text[n++], sizeof *text, "parameters.wheel.roller.fillet=%.17g", s->fillet);
    snprintf(text[n++], sizeof *text, "parameters.wheel.roller.undersize=%.17g", s->undersize);
  } else if (m->regularized) {
    snprintf(text[n++], sizeof *text, "parameters.contact.saturation=%s",
             s->components ? "components" : "whole");
  } else {
    snprintf(text[n++], sizeof *text, "parameters.contact.law=%s",
             s->tyre ? "brush" : "saturated_coulomb");
  }
  snprintf(text[n++], sizeof *text, "parameters.platform.roll_inertia=%.17g", platform[0]);
  snprintf(text[n++], sizeof *text, "parameters.platform.pitch_inertia=%.17g", platform[2]);
  if (s->suspension.stiffness > 0) {
    const springs *k = &s->suspension;
    snprintf(text[n++], sizeof *text, "parameters.wheel.suspension.stiffness=%.17g", k->stiffness);
    snprintf(text[n++], sizeof *text, "parameters.wheel.suspension.damping=%.17g", k->damping);
    snprintf(text[n++], sizeof *text, "parameters.wheel.suspension.preload=%.17g", k->preload);
    snprintf(text[n++], sizeof *text, "parameters.wheel.suspension.mass=%.17g", k->mass);
  }
  snprintf(text[n++], sizeof *text, "parameters.external=%s", PUSH);
  for (size_t k = 0; k < n; k++) overrides[k] = text[k];
  omr_text all = machine_text(m, MACHINE_TIMES);
  omr_study *study;
  omr_error error = {0};
  const omr_status status = omr_study_parse(all.data, "machine.json", overrides, n, &study, &error);
  cr_assert_eq(status, OMR_OK, "%s\n%s", error.message, all.data);
  omr_text_free(&all);
  return study;
}

/* A machine whose wheels are in the floor by up to 2 mm, in any motion. */
static fleet throw_machine(uint64_t *s, const machine *m, const shape *how,
                           const double platform[3], evaluation *e) {
  omr_study *study = read_compliant(m, how, platform);
  fleet f = make_fleet(study, 1);
  prepare_slot(&f, study, 0);
  omr_study_destroy(study);
  load_slot(&f, 0, e);
  for (int i = 0; i < m->wheels; i++) {
    e->at.idle[i][BEARING_A] = m->roller_bearing > 0 ? draw(s, -5, 5) : 0;
    e->at.idle[i][BEARING_B] = m->roller_bearing > 0 ? draw(s, -5, 5) : 0;
    e->at.idle[i][BEARING_D] = m->roller_bearing > 0 ? draw(s, -5, 5) : 0;
  }
  for (int i = 0; how->suspension.stiffness > 0 && i < m->wheels; i++) {
    e->at.y[Y_TRAVEL(i)] = draw(s, -1e-3, 1e-3); /* a fourth roller would touch deeper in */
    e->at.y[Y_TRAVEL_RATE(i)] = draw(s, -0.3, 0.3);
  }
  e->at.y[Y_HEIGHT] = draw(s, -3e-3, 2e-3);
  e->at.y[Y_PITCH] = draw(s, -0.02, 0.02);
  e->at.y[Y_ROLL] = draw(s, -0.02, 0.02);
  e->at.y[Y_VY] = draw(s, -0.3, 0.3);
  e->at.y[Y_ROLL_RATE] = draw(s, -2, 2);
  e->at.y[Y_PITCH_RATE] = draw(s, -2, 2);
  derive(&f, e);
  return f;
}

/* Two in three with law 2. */
static machine machine_on_discs(uint64_t *s) {
  const bool regularized = draw_whole(s, 0, 2) > 0;
  machine m = {0};
  while (m.wheels < 3) m = regularized ? random_regularized(s) : random_machine(s);
  m.rollers = 0;
  m.rolling_friction = m.roller_mass = m.roller_bearing = 0;
  return m;
}

static machine machine_on_springs(uint64_t *s, bool sprung, bool discs, shape *how,
                                  double platform[3]) {
  machine m = discs ? machine_on_discs(s) : random_machine(s);
  while (m.wheels < 3) m = random_machine(s);
  platform[0] = draw(s, 0.1, 0.6);
  platform[1] = m.platform_inertia;
  platform[2] = draw(s, 0.1, 0.6);
  *how = (shape){.coverage = draw(s, 0.7, 1),
                 .fillet = draw(s, 0, 1e-3),
                 .undersize = draw(s, -2e-4, 5e-4),
                 .stiffness = draw(s, 1e4, 1e5),
                 .crossley = draw(s, 0, 1),
                 .hertz = draw(s, 0, 1) < 0.5};
  if (how->hertz) how->stiffness *= 30;
  if (discs) how->components = draw_whole(s, 0, 1);
  if (discs) how->tyre = !m.regularized && draw_whole(s, 0, 1);
  if (sprung)
    how->suspension = (springs){draw(s, 1e3, 2e4), draw(s, 0, 200), draw(s, 0, 60), draw(s, 0, 1)};
  return m;
}

/* Newton and Euler: the forces of the contacts and the weight change the momenta of the bodies, and
 * no drive's torque does; what the drives do and friction takes changes the energy. Differences
 * along the motion are good to the square of the shift. */
static void check_bodies(bool sprung, bool discs) {
  uint64_t seed = 4711;
  double worst_force = 0, worst_moment = 0, worst_energy = 0, worst_load = 0;
  int touching = 0;
  for (int n = 0; n < 200; n++) {
    shape how;
    double platform[3];
    machine m = machine_on_springs(&seed, sprung, discs, &how, platform);
    evaluation e;
    fleet f = throw_machine(&seed, &m, &how, platform, &e);
    const double step = 1e-5;
    const pose now = pose_of(&f, &m, &e, 0), past = pose_of(&f, &m, &e, -step),
               coming = pose_of(&f, &m, &e, step);
    momenta a = momenta_of(&m, &how.suspension, platform, &past),
            b = momenta_of(&m, &how.suspension, platform, &coming);
    vec force = scale(1 / (2 * step), sub(b.linear, a.linear)),
        moment = scale(1 / (2 * step), sub(b.angular, a.angular));
    double energy = (b.energy - a.energy) / (2 * step), power = 0, total_mass = m.platform_mass;
    vec expected = {0, 0, 0}, turning = {0, 0, 0};
    double spring_power = 0, most = 1, dampers = 0;
    bool steady = true; /* no roller touches down or lifts within the difference */
    for (int i = 0; i < m.wheels; i++) {
      double load = 0;
      for (int j = 0; j < contacts_of(&m); j++) {
        found_contact c = found_of(&m, &now, &how, i, j);
        expected = add(expected, c.force);
        turning = add(turning, cross(c.place, c.force));
        load += c.force.y;
        const double before = found_of(&m, &past, &how, i, j).depth,
                     after = found_of(&m, &coming, &how, i, j).depth;
        steady = steady && (c.depth > 0) == (before > 0) && (c.depth > 0) == (after > 0);
        spring_power +=
            how.stiffness * pow(c.depth, how.hertz ? 1.5 : 1) * (after - before) / (2 * step);
        power += c.power;
        touching += c.depth > 0;
      }
      worst_load = larger(worst_load, (load - e.o.load[i]) / fmax(1, load));
      most = fmax(most, load);
      total_mass += m.disc_mass + m.rollers * m.roller_mass + how.suspension.mass;
      dampers += how.suspension.damping * now.travel_rate[i] * now.travel_rate[i];
      power += m.wheel[i].torque * now.rate[i];
    }
    vec centre = mass_moment(&m, &how.suspension, &now);
    const frame body = frame_at(now.yaw, now.pitch, now.roll);
    const vec arm = scale(push_height, body.y), pushed = add((vec){now.x, now.height, now.z}, arm);
    const vec turn = in_world(&body, now.turn[0], now.turn[1], now.turn[2]);
    const vec moves = add(in_world(&body, now.v[0], now.v[1], now.v[2]), cross(turn, arm));
    expected = add(expected, push_force);
    turning = add(turning, add(push_torque, cross(pushed, push_force)));
    power += dot(push_force, moves) + dot(push_torque, turn);
    expected = add(expected, scale(-total_mass * m.gravity, UP));
    turning = add(turning, cross(centre, scale(-m.gravity, UP)));
    worst_force =
        larger(worst_force, length(sub(force, expected)) / (most + total_mass * m.gravity));
    worst_moment =
        larger(worst_moment, length(sub(moment, turning)) / (most + total_mass * m.gravity));
    /* what the kernel calls work and loss is what kinetic energy, gravity and springs gain; the
     * contacts' forces alone do what bearings leave of it */
    const double scale_of = fabs(power) + total_mass * m.gravity;
    double gained = e.rate.y[Y_WORK] - e.rate.y[Y_DISSIPATED];
    if (steady) worst_energy = larger(worst_energy, (energy + spring_power - gained) / scale_of);
    if (steady && !(m.roller_bearing > 0) && !(m.axle_bearing > 0))
      worst_energy = larger(worst_energy, (energy + dampers - power) / scale_of);
    worst_energy = larger(worst_energy, (e.rate.y[Y_SUSPENSION_LOSS] - dampers) / scale_of);
    free_fleet(&f);
  }
  cr_log_info("%d contacts; loads %.2g, forces %.2g, moments %.2g, powers %.2g", touching,
              worst_load, worst_force, worst_moment, worst_energy);
  cr_expect_gt(touching, discs ? 200 : 300);
  cr_expect_lt(worst_load, 1e-7); /* the search finds the place to 1e-8 */
  cr_expect_lt(worst_force, 1e-6);
  cr_expect_lt(worst_moment, 1e-6);
  cr_expect_lt(worst_energy, 1e-5);
}

Test(compliant, bodies_in_space_move_as_the_forces_say) {
  check_bodies(false, false);
}

/* Wheels that slide on springs and dampers in any motion, too. */
Test(compliant, bodies_on_a_suspension_move_as_the_forces_say) {
  check_bodies(true, false);
}

/* Discs in place of rollers, with each law of friction, with and without a suspension. */
Test(compliant, discs_in_space_move_as_the_forces_say) {
  check_bodies(false, true);
  check_bodies(true, true);
}
