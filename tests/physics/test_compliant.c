/* Vehicles on compliant contacts (appendix/springs.md#springs) against bodies in space: every
 * body's place, velocity and momenta are put together in world axes, their rates are differences
 * along the motion that the kernel gives, and contacts are found by a search over the profile.
 * Shares no formula with the kernels. */
#define OMR_COMPLIANT 1
#include "shared/compliant_bodies.h"
#include "shared/kernel.h"

/* ---- contacts by search */

typedef struct shape {
  double coverage, fillet, undersize, stiffness, crossley;
  int hertz;
  springs suspension;
  bool components; /* law 2: each direction saturates by its own slip */
  bool tyre;       /* the law brush with the standard parameters in place of law 1 */
} shape;

/* Place of the profile of appendix/rollers.md#contact-point at its parameter q, inside by
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
  const wheel_place w = body_of_wheel(m, p, i);
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

/* ---- dry friction and rolling resistance, by vectors in space */

/* Direction of a bearing's friction at the rate v. */
static double dry_direction_of(const machine_bearing *b, double v) {
  const double s = v / b->smoothing_rate, far = v / b->stribeck_rate;
  return s / sqrt(1 + s * s) * (1 + (b->static_ratio - 1) / (1 + far * far));
}

/* Moment of the floor, and the power of all torques, under the contact c of roller j; part: of the
 * wheel's load that it has, factor: by the exponent of that load. */
static void brake(const machine *m, const pose *p, int i, int j, const found_contact *c,
                  double part, double factor, vec *moment, double *power) {
  const wheel_place w = body_of_wheel(m, p, i);
  const roller_place r = roller_at(m, p, i, j);
  const machine_dry *d = &m->dry;
  const vec over = {r.angular.x, 0, r.angular.z}, k = w.axes.z;
  const double axial = dot(c->force, r.axis), roll = p->spin[i][j] - dot(w.angular, r.axis);
  const double across = length(sub(c->force, scale(axial, r.axis))),
               in_plane = length(sub(c->force, scale(dot(c->force, k), k)));
  const double pin = d->roller.friction * d->roller.radius * across +
                     d->roller.end_friction * d->roller.end_radius * fabs(axial);
  const double on_roller =
                   -(part * d->roller.torque + factor * pin) * dry_direction_of(&d->roller, roll),
               on_axle = -factor * d->axle.friction * d->axle.radius * in_plane *
                         dry_direction_of(&d->axle, p->rate[i]);
  *moment = scale(
      -factor * c->force.y * d->arm / sqrt(dot(over, over) + d->smoothing * d->smoothing), over);
  *power = on_roller * roll + on_axle * p->rate[i] + dot(*moment, r.angular);
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

/* Law 1, with all parts of dry friction. */
static machine machine_with_dry(uint64_t *s) {
  machine m = random_dry(s);
  while (m.wheels < 3 || m.regularized) m = random_dry(s);
  return m;
}

typedef enum kind { ROLLERS, DISCS, DRY } kind;

static machine machine_on_springs(uint64_t *s, bool sprung, kind of, shape *how,
                                  double platform[3]) {
  machine m = of == DISCS ? machine_on_discs(s)
              : of == DRY ? machine_with_dry(s)
                          : random_machine(s);
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
  if (of == DISCS) how->components = draw_whole(s, 0, 1);
  if (of == DISCS) how->tyre = !m.regularized && draw_whole(s, 0, 1);
  if (sprung)
    how->suspension = (springs){draw(s, 1e3, 2e4), draw(s, 0, 200), draw(s, 0, 60), draw(s, 0, 1)};
  return m;
}

/* Newton and Euler: the forces of the contacts and the weight change the momenta of the bodies, and
 * no drive's torque does; what the drives do and friction takes changes the energy. Differences
 * along the motion are good to the square of the shift. */
static void check_bodies(bool sprung, kind of) {
  uint64_t seed = 4711;
  double worst_force = 0, worst_moment = 0, worst_energy = 0, worst_load = 0;
  int touching = 0;
  for (int n = 0; n < 200; n++) {
    shape how;
    double platform[3];
    machine m = machine_on_springs(&seed, sprung, of, &how, platform);
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
      for (int j = 0; j < contacts_of(&m); j++) load += found_of(&m, &now, &how, i, j).force.y;
      for (int j = 0; j < contacts_of(&m); j++) {
        found_contact c = found_of(&m, &now, &how, i, j);
        expected = add(expected, c.force);
        turning = add(turning, cross(c.place, c.force));
        if (m.dry.any && load > 0) {
          vec floor;
          double braked;
          brake(&m, &now, i, j, &c, c.force.y / load,
                pow(load / m.dry.reference, m.dry.exponent - 1), &floor, &braked);
          turning = add(turning, floor);
          power += braked;
        }
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
      if (m.dry.any)
        power -= m.dry.axle.torque * dry_direction_of(&m.dry.axle, now.rate[i]) * now.rate[i];
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
  cr_expect_gt(touching, of == DISCS ? 200 : 300);
  cr_expect_lt(worst_load, 1e-7); /* the search finds the place to 1e-8 */
  cr_expect_lt(worst_force, 1e-6);
  cr_expect_lt(worst_moment, 1e-6);
  cr_expect_lt(worst_energy, 1e-5);
}

Test(compliant, bodies_in_space_move_as_the_forces_say) {
  check_bodies(false, ROLLERS);
}

/* Wheels that slide on springs and dampers in any motion, too. */
Test(compliant, bodies_on_a_suspension_move_as_the_forces_say) {
  check_bodies(true, ROLLERS);
}

/* Discs in place of rollers, with each law of friction, with and without a suspension. */
Test(compliant, discs_in_space_move_as_the_forces_say) {
  check_bodies(false, DISCS);
  check_bodies(true, DISCS);
}

/* Dry friction of bearings, by the force on each roller, and rolling resistance. */
Test(compliant, bodies_with_dry_friction_move_as_the_torques_say) {
  check_bodies(false, DRY);
}
