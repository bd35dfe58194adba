/* Bodies, joints and contacts of an omni vehicle or wheel in their initial state, placed by rigid
 * kinematics. */
#include "model/fold.h"
#include "omni_compliant.h"

#include <stdlib.h>

static const omr_vec axis_x = {1, 0, 0}, axis_y = {0, 1, 0}, axis_z = {0, 0, 1};

/* A rigid motion at a point of a body. */
typedef struct placing {
  double q[4];
  omr_vec r, v, w; /* a point, its velocity, the angular velocity */
} placing;

/* Motion of a point fixed in `of` at the offset (axes of `of`), with axes turned there by the
 * rotation. */
static placing placed(const placing *of, omr_vec offset, omr_vec axis, double angle) {
  omr_mat t = omr_rotation(of->q);
  omr_vec d = omr_times(&t, offset);
  double turn[4];
  placing p = {.r = omr_add(of->r, d), .v = omr_add(of->v, omr_cross(of->w, d)), .w = of->w};
  omr_quaternion(axis, angle, turn);
  omr_quaternion_product(of->q, turn, p.q);
  return p;
}

/* Adds a spin about one of its own axes. */
static void spin(placing *p, omr_vec axis, double rate) {
  omr_mat t = omr_rotation(p->q);
  p->w = omr_axpy(p->w, rate, omr_times(&t, axis));
}

static int add_body(omr_mb *mb, const char *name, double mass, omr_vec inertia, const placing *p) {
  int body = omr_mb_add_body(mb, name, mass, inertia);
  omr_mb_place(mb, body, p->r, p->q, p->v, p->w);
  return body;
}

/* Velocities are given level along the heading, and straight up; the platform turns about the
 * vertical and its own axes forward and to the right. */
static placing free_origin(const omr_omni *omni, const double rest[3]) {
  const double *p = omni->values.vehicle;
  placing o = {.r = {p[OMR_VP_INITIAL_X], rest[0], p[OMR_VP_INITIAL_Z]}};
  omr_quaternion(axis_y, p[OMR_VP_INITIAL_YAW], o.q);
  const omr_mat level = omr_rotation(o.q);
  o = placed(&o, omr_vec_of(0, 0, 0), axis_z, rest[1] + p[OMR_VP_INITIAL_PITCH]);
  o = placed(&o, omr_vec_of(0, 0, 0), axis_x, rest[2] + p[OMR_VP_INITIAL_ROLL]);
  o.v = omr_times(
      &level, omr_vec_of(p[OMR_VP_INITIAL_VX], p[OMR_VP_INITIAL_HEAVE_RATE], p[OMR_VP_INITIAL_VZ]));
  o.w = omr_vec_of(0, p[OMR_VP_INITIAL_YAW_RATE], 0);
  spin(&o, axis_x, p[OMR_VP_INITIAL_ROLL_RATE]);
  spin(&o, axis_z, p[OMR_VP_INITIAL_PITCH_RATE]);
  return o;
}

static placing body_origin(const omr_omni *omni) {
  const double *p = omni->values.vehicle;
  double c = cos(p[OMR_VP_INITIAL_YAW]), s = sin(p[OMR_VP_INITIAL_YAW]), vx = p[OMR_VP_INITIAL_VX],
         vz = p[OMR_VP_INITIAL_VZ];
  placing o = {.r = {p[OMR_VP_INITIAL_X], 0, p[OMR_VP_INITIAL_Z]},
               .v = {vx * c + vz * s, 0, vz * c - vx * s},
               .w = {0, p[OMR_VP_INITIAL_YAW_RATE], 0}};
  omr_quaternion(axis_y, p[OMR_VP_INITIAL_YAW], o.q);
  return o;
}

/* A platform that never tilts has its yaw inertia only; its diametral inertias get the same
 * value. */
static omr_vec platform_inertia(const omr_omni *omni) {
  const double *p = omni->values.vehicle, yaw = p[OMR_VP_PLATFORM_YAW_INERTIA];
  if (!omni->compliant) return omr_vec_of(yaw, yaw, yaw);
  const double roll = p[OMR_VP_PLATFORM_ROLL_INERTIA], pitch = p[OMR_VP_PLATFORM_PITCH_INERTIA];
  return omr_vec_of(isnan(roll) ? yaw / 2 : roll, yaw, isnan(pitch) ? yaw / 2 : pitch);
}

static bool add_platform(omr_omni *omni, omr_mb *mb, const placing *origin, omr_reason *why) {
  const double *p = omni->values.vehicle;
  double mass = p[OMR_VP_PLATFORM_MASS], inertia = p[OMR_VP_PLATFORM_YAW_INERTIA];

  /* a body without inertia has no equations of motion */
  if (!(mass > 0) || !(inertia > 0))
    return omr_refuse(
        why,
        "the reference needs a platform with mass and yaw inertia; give platform.mass and "
        "platform.yaw_inertia small values instead of %g kg and %g kg m2",
        mass, inertia);

  /* the body moves with the given origin */
  omni->com = omr_vec_of(p[OMR_VP_COM_X], p[OMR_VP_COM_HEIGHT], p[OMR_VP_COM_Z]);
  placing center = placed(origin, omni->com, axis_y, 0);
  omni->platform = add_body(mb, "platform", mass, platform_inertia(omni), &center);

  omni->yaw_loss = (omr_yaw_loss){.platform = omni->platform,
                                  .com = omni->com,
                                  .forward = p[OMR_VP_YAW_LOSS_FORWARD],
                                  .sideways = p[OMR_VP_YAW_LOSS_SIDEWAYS],
                                  .curvature = p[OMR_VP_YAW_LOSS_CURVATURE]};

  return true;
}

static double given_spin(const omr_omni *omni, const omr_omni_wheel *w, int roller) {
  return omni->study->spin_values[w->number * OMR_MAX_ROLLERS + roller];
}

/* Law of a roller's bearing: the torque on the wheel (A) is beta_r phi', on the roller -beta_r
 * phi'. */
static double bearing_law(void *self, double t, double angle, double rate) {
  const omr_omni_wheel *w = self;
  (void)t, (void)angle;
  return w->roller_bearing * rate;
}

static void join_roller(omr_mb *mb, omr_omni_wheel *w, int roller, omr_vec center, double angle,
                        double inclination) {
  char name[OMR_MB_NAME];
  omr_vec along =
      omr_vec_of(cos(inclination) * cos(angle), cos(inclination) * sin(angle), sin(inclination));
  omr_joint_place place = {w->body, w->first_roller + roller, along, center, {0, 0, 0}};
  snprintf(name, sizeof name, "wheel %d bearing %d", w->number, roller);
  if (w->roller_bearing > 0)
    omr_joint_add(
        mb, &w->bearing[roller], name, place,
        (omr_joint_law){
            .class = OMR_JOINT_FIXED_CONTROLLED, .angle = 0, .of = bearing_law, .self = w});
  else
    omr_joint_add(mb, &w->bearing[roller], name, place,
                  (omr_joint_law){.class = OMR_JOINT_FIXED_IDEAL});
}

static void touch_roller(omr_mb *mb, const omr_omni *omni, omr_omni_wheel *w, int roller,
                         const omr_roller *shape, double shift) {
  char name[OMR_MB_NAME];
  omr_roller_contact *c = &w->contact[roller];

  /* the roller's profile, and its law on the floor */
  *c = (omr_roller_contact){.radius = shape->radius,
                            .center = shape->center,
                            .cos_psi = shape->cos_psi,
                            .shift = shift,
                            .tracking = (omr_tracking)omni->values.vehicle[OMR_VP_TRACKING],
                            .surface = omr_roller_surface(shape->radius, shape->center,
                                                          shape->inclination, shape->alpha + 0.02),
                            .rolling = omni->study->contact.law == OMR_LAW_ROLLING
                                           ? OMR_CONTACT_ROLLS
                                           : OMR_CONTACT_SLIDES,
                            .baumgarte = omni->values.wheel[w->number][OMR_WP_BAUMGARTE],
                            .friction = &w->friction,
                            .dry = {.dry = w->brakes ? &w->dry : NULL,
                                    .platform = omni->platform,
                                    .factor = 1,
                                    .carries = 1},
                            .pressed = w->tracks,
                            .press = w->preload,
                            .yaw_loss = omr_loses_yaw(omni->study) ? &omni->yaw_loss : NULL};

  snprintf(name, sizeof name, "wheel %d contact %d", w->number, roller);
  omr_roller_contact_add(mb, c, name, w->body, w->first_roller + roller);
}

/* Adds a compliant contact. body: the roller's, or the wheel's if it is a disc. */
static void spring_roller(omr_mb *mb, const omr_omni *omni, omr_omni_wheel *w, int roller,
                          int body) {
  char name[OMR_MB_NAME];
  omr_compliant_contact *c = &w->soft[roller];
  *c = (omr_compliant_contact){.law = &w->spring,
                               .terrain = &omni->terrain,
                               .bristle = omr_law_is_bristle(w->friction.law) ? &w->bristle : NULL,
                               .friction = w->friction,
                               .place = w->place_on_ground,
                               .dry = w->brakes ? omr_omni_soft_dry : NULL,
                               .dry_self = w};
  if (c->friction.ground) c->friction.ground_self = &c->place;
  snprintf(name, sizeof name, "wheel %d contact %d", w->number, roller);
  omr_compliant_add(mb, c, name, w->body, body);
}

/* Roller j stands at 2 pi j/n from the first, which is straight down at wheel angle 0; of two rows
 * the even ones are at +w/2 along k. */
static void add_rollers(omr_mb *mb, const omr_omni *omni, omr_omni_wheel *w,
                        const omr_wheel_body *from, const placing *wheel) {
  const omr_roller *shape = &from->roller;
  w->roller_inertia = from->mass.axial;

  for (int j = 0; j < w->rollers; j++) {
    /* place of the roller in the wheel */
    double angle = 2 * PI * j / w->rollers, shift = (j % 2 == 0 ? 0.5 : -0.5) * shape->row_distance;
    omr_vec center = omr_vec_of(shape->center * sin(angle), -shape->center * cos(angle), shift);
    placing p = placed(wheel, center, axis_z, angle);
    p = placed(&p, omr_vec_of(0, 0, 0), axis_y, -shape->inclination);
    if (omni->study->spins == OMR_SPINS_VALUES) { /* the given spins are the whole axial spins */
      omr_mat t = omr_rotation(p.q);
      spin(&p, axis_x, given_spin(omni, w, j) - omr_dot(p.w, omr_times(&t, axis_x)));
    }

    /* the body, its bearing and its contact */
    char name[OMR_MB_NAME];
    snprintf(name, sizeof name, "wheel %d roller %d", w->number, j);
    int body =
        add_body(mb, name, from->mass.mass,
                 omr_vec_of(from->mass.axial, from->mass.diametral, from->mass.diametral), &p);
    if (j == 0) w->first_roller = body;
    join_roller(mb, w, j, center, angle, shape->inclination);

    if (w->soft)
      spring_roller(mb, omni, w, j, body);
    else
      touch_roller(mb, omni, w, j, shape, shift);
  }
}

/* Makes a wheel that is a disc its own only roller, standing on the floor itself. */
static void touch_disc(omr_mb *mb, const omr_omni *omni, omr_omni_wheel *w) {
  char name[OMR_MB_NAME];
  w->first_roller = w->body;
  if (w->soft) {
    spring_roller(mb, omni, w, 0, w->body);
    return;
  }
  w->contact[0] =
      (omr_roller_contact){.radius = w->radius,
                           .disc = true,
                           .friction = &w->friction,
                           .dry = {.dry = w->brakes ? &w->dry : NULL,
                                   .platform = w->axle.base.a,
                                   .factor = 1,
                                   .carries = 1,
                                   .disc = true},
                           .yaw_loss = omr_loses_yaw(omni->study) ? &omni->yaw_loss : NULL};
  snprintf(name, sizeof name, "wheel %d contact", w->number);
  omr_roller_contact_add(mb, &w->contact[0], name, w->body, w->body);
}

static void read_friction(const omr_omni *omni, const double *v, omr_omni_wheel *w) {
  omr_friction *f = &w->friction;
  *f = omr_friction_of(omni->study, omr_wheel_law(omni->study, w->number), v);
  w->place_on_ground.ground = &omni->ground;
  if (omni->ground.kind == OMR_GROUND_CONSTANT) return;
  f->ground = omr_ground_coefficient;
  f->ground_self = &w->place_on_ground;
}

static void join_wheel(omr_mb *mb, const omr_omni *omni, omr_omni_wheel *w,
                       const omr_wheel_body *from) {
  char name[OMR_MB_NAME];
  double angle = omni->values.wheel[w->number][OMR_WP_ANGLE];

  /* on the testbench the drive acts between the base and the wheel */
  if (omni->platform == 0) {
    snprintf(name, sizeof name, "wheel %d drive", w->number);
    omr_wheel_drive_add(mb, &w->drive, name, w->body, angle);
    return;
  }

  omr_vec axis = omr_vec_of(from->sin_delta, 0, from->cos_delta);
  omr_vec center = omr_sub(omr_vec_of(from->a, from->roller.radius, from->b), omni->com);

  /* on a vehicle the axle is a joint, driven by a rate or by a torque */
  snprintf(name, sizeof name, "wheel %d axle", w->number);
  omr_joint_place place = {omni->platform, w->body, axis, center, {0, 0, 0}};
  if (w->fork.body)
    place = (omr_joint_place){
        w->fork.body, w->body, axis_z, {-w->fork.trail - w->fork.ahead, 0, 0}, {0, 0, 0}};
  if (omr_wheel_drive_is_rated(&w->drive))
    omr_joint_add(mb, &w->axle, name, place,
                  (omr_joint_law){.class = OMR_JOINT_FIXED_SERVO,
                                  .angle = angle,
                                  .of = omr_wheel_drive_acceleration,
                                  .self = &w->drive});
  else
    omr_joint_add(mb, &w->axle, name, place,
                  (omr_joint_law){.class = OMR_JOINT_FIXED_CONTROLLED,
                                  .angle = angle,
                                  .of = omr_wheel_drive_law,
                                  .self = &w->drive});

  /* a suspension lets it slide along the platform's vertical */
  const omr_omni_suspension *s = &omni->suspension[w->number];
  if (s->stiffness > 0 && !w->fork.body)
    omr_joint_slide_across(&w->axle,
                           (omr_joint_track){axis_y, s->preload, s->stiffness, s->damping});
}

/* Ideal kinematics of the nominal wheel: its roller forbids slip along cos psi i + sin psi k, so
 * that R chi' = -[V_W.i + tan psi V_W.k] with the velocity V_W of the wheel's centre. */
static void read_kinematics(const omr_omni *omni, omr_omni_wheel *w, const omr_wheel_body *from) {
  const omr_wheel_kind kind = omni->study->kind[w->number];
  if (omr_wheel_swivels(kind)) return; /* odometry leaves it out */
  double c = cos(from->nominal_delta), s = sin(from->nominal_delta),
         t = kind == OMR_WHEEL_PLAIN ? 0 : tan(from->roller.inclination);
  omr_vec k = {s, 0, c}, i = {c, 0, -s}, forbidden = omr_axpy(i, t, k);
  omr_vec center = {from->nominal_a, 0, from->nominal_b};
  w->ideal[0] = -forbidden.x / from->nominal_radius;
  w->ideal[1] = -forbidden.z / from->nominal_radius;
  w->ideal[2] = -omr_dot(forbidden, omr_cross(axis_y, center)) / from->nominal_radius;
  w->sideways[0] = k.x / from->nominal_radius;
  w->sideways[1] = k.z / from->nominal_radius;
  w->sideways[2] = omr_dot(k, omr_cross(axis_y, center)) / from->nominal_radius;
}

/* Geometry and bearings of a wheel, and room for its rollers; false when out of memory. */
static bool make_wheel(const omr_omni *omni, int i, const omr_wheel_body *from, omr_omni_wheel *w) {
  const double *v = omni->values.wheel[i];
  const bool disc = omr_omni_is_bare(omni->study, i);
  *w = (omr_omni_wheel){.number = i,
                        .rollers = disc ? 1 : from->roller.rollers,
                        .disc = disc,
                        .tracks = omni->study->kind[i] == OMR_WHEEL_TRACKING,
                        .preload = v[OMR_WP_TRACKING_PRELOAD],
                        .place = from->a,
                        .side = from->b,
                        .heading = from->delta,
                        .radius = from->roller.radius,
                        .center = from->roller.center,
                        .alpha = disc ? PI : from->roller.alpha,
                        .axle_bearing = v[OMR_WP_AXLE_BEARING],
                        .roller_bearing = v[OMR_WP_ROLLER_BEARING],
                        .last_step = -1};

  /* dry friction goes by the wheel's share of the weight */
  w->dry = omr_dry_of(v, omni->weight / omni->study->wheels);
  w->brakes = omr_dry_is_there(&w->dry);

  /* a bearing and a contact for each roller */
  omr_pool *memory = &omni->reference->memory;
  w->bearing = omr_pool_take(memory, (size_t)w->rollers, sizeof *w->bearing);
  if (omni->compliant)
    w->soft = omr_pool_take(memory, (size_t)w->rollers, sizeof *w->soft);
  else
    w->contact = omr_pool_take(memory, (size_t)w->rollers, sizeof *w->contact);
  return w->bearing && (w->contact || w->soft);
}

/* The fork of a wheel whose axis has this pose and motion, which get the steering rate. Its own
 * moments of inertia are the same about all axes. What a suspension moves besides is a mass on the
 * swivel axis, welded to it. */
static bool add_fork(omr_omni *omni, omr_mb *mb, omr_omni_wheel *w, const omr_wheel_body *from,
                     placing *pivot, omr_reason *why) {
  const double *v = omni->values.wheel[w->number], inertia = v[OMR_WP_SWIVEL_INERTIA];
  const omr_omni_suspension *s = &omni->suspension[w->number];
  omr_omni_fork *f = &w->fork;
  char name[OMR_MB_NAME];
  if (!(inertia > 0))
    return omr_refuse(why,
                      "wheels[%d].swivel.inertia: the reference needs a fork with inertia; give it "
                      "a small value instead of %g kg m2",
                      w->number, inertia);
  *f = omr_omni_read_fork(omni, from, w->number);
  spin(pivot, axis_y, v[OMR_WP_STEER_RATE]);
  const placing center = placed(pivot, omr_vec_of(f->ahead, 0, 0), axis_y, 0);
  snprintf(name, sizeof name, "wheel %d fork", w->number);
  const double mass = v[OMR_WP_SWIVEL_MASS], extra = s->mass, all = mass + extra;
  const double apart = f->ahead * all / mass, split = mass * extra / all * apart * apart;
  f->body = add_body(mb, name, all, omr_vec_of(inertia, inertia + split, inertia + split), &center);
  const omr_joint_place place = {
      omni->platform,
      f->body,
      axis_y,
      omr_sub(omr_vec_of(from->a, from->roller.radius, from->b), omni->com),
      {-f->ahead, 0, 0}};
  snprintf(name, sizeof name, "wheel %d swivel", w->number);
  omr_joint_add(mb, &f->axis, name, place,
                (omr_joint_law){.class = OMR_JOINT_FIXED_CONTROLLED,
                                .angle = v[OMR_WP_STEER],
                                .of = omr_omni_fork_law,
                                .self = f});
  if (s->stiffness > 0)
    omr_joint_slide_along(&f->axis,
                          (omr_joint_track){axis_y, s->preload, s->stiffness, s->damping});
  return true;
}

static bool add_wheel(omr_omni *omni, omr_mb *mb, int i, const omr_wheel_body *from,
                      const placing *origin, omr_reason *why) {
  const double *v = omni->values.wheel[i];
  omr_omni_wheel *w = &omni->wheel[i];
  if (!make_wheel(omni, i, from, w)) return omr_refuse(why, "out of memory");

  /* laws of its contacts */
  read_friction(omni, v, w);
  read_kinematics(omni, w, from);
  if (omni->compliant) w->spring = omr_omni_spring(omni, i, &from->roller);
  w->bristle = omr_bristle_of(v, omni->values.vehicle[OMR_VP_GRAVITY]);

  /* its drive, which reads loads and supply from the system */
  omr_wheel_drive_read(&w->drive, omni->study, &omni->values, i);
  w->drive.dry = &w->dry;
  if (w->soft && w->brakes) w->drive.pressed = omr_omni_soft_axle;
  w->drive.pressed_self = w;
  w->drive.mb = mb;
  w->drive.bus = omr_omni_bus;
  w->drive.bus_self = omni;

  /* pose and motion in the platform */
  const omr_omni_suspension *s = &omni->suspension[i];
  const bool swivels = omr_wheel_swivels(omni->study->kind[i]);
  placing p = placed(origin, omr_vec_of(from->a, from->roller.radius + s->start, from->b), axis_y,
                     from->delta + (swivels ? v[OMR_WP_STEER] : 0));
  if (swivels && !add_fork(omni, mb, w, from, &p, why)) return false;
  p = placed(&p, omr_vec_of(-w->fork.trail, 0, 0), axis_z, v[OMR_WP_ANGLE]);
  spin(&p, axis_z, v[OMR_WP_RATE]);

  char name[OMR_MB_NAME];
  snprintf(name, sizeof name, "wheel %d", i);
  const bool whole = omni->study->model == OMR_MODEL_DISC_VEHICLE; /* with its rollers' mass */
  double across = whole ? from->yaw_inertia : v[OMR_WP_DISC_DIAMETRAL_INERTIA],
         axial = whole ? from->axial_inertia : v[OMR_WP_DISC_AXIAL_INERTIA];
  const double own = v[OMR_WP_DISC_MASS] + (swivels ? 0 : s->mass); /* else the fork has it */
  w->body =
      add_body(mb, name, whole ? from->total_mass : own, omr_vec_of(across, across, axial), &p);

  /* joint, winding and contacts */
  join_wheel(mb, omni, w, from);
  omr_omni_add_winding(mb, omni, w);
  if (w->disc)
    touch_disc(mb, omni, w);
  else
    add_rollers(mb, omni, w, from, &p);
  return true;
}

/* Spin of a roller that leaves the least slip at its point d: v_P + phi' e x d, its horizontal part
 * shortest. */
static bool roll(omr_mb *mb, const omr_omni_wheel *w, int body, omr_vec d, omr_vec n,
                 omr_reason *why) {
  const omr_frame roller = mb->frame[body];
  omr_vec e = omr_times(&roller.t, axis_x), v = omr_point_velocity(&roller, d),
          gain = omr_cross(e, d);
  v = omr_axpy(v, -omr_dot(v, n), n);
  gain = omr_axpy(gain, -omr_dot(gain, n), n);
  if (!(omr_norm(d) > 1e-6 * w->radius))
    return omr_refuse(why,
                      "wheels[%d]: the wheel starts on the pointed tip of a roller, which cannot "
                      "roll; change initial.angle",
                      w->number);
  omr_mb_set_velocity(mb, body, roller.v,
                      omr_axpy(roller.w, -omr_dot(v, gain) / omr_dot(gain, gain), e));
  return true;
}

static bool roll_soft(omr_mb *mb, const omr_omni_wheel *w, const omr_compliant_contact *c,
                      omr_reason *why) {
  const omr_compliant_press p = omr_compliant_at(mb, c);
  return roll(mb, w, c->base.b, p.d, p.n, why);
}

/* Rolls the roller in contact and, on springs, every other one that reaches the floor. */
static bool roll_wheel(omr_mb *mb, const omr_omni_wheel *w, omr_reason *why) {
  if (w->disc) return true;
  if (!w->soft) {
    const omr_roller_contact *c = omr_omni_active(w);
    return roll(mb, w, c->base.b, omr_roller_contact_point(mb, c).d, axis_y, why);
  }
  for (int j = 0; j < w->rollers; j++) {
    const omr_compliant_contact *c = &w->soft[j];
    if (j == w->active || w->tracks || !(omr_compliant_depth(mb, c) > 0)) continue;
    roll_soft(mb, w, c, why); /* a tip keeps its spin */
  }
  return roll_soft(mb, w, &w->soft[w->active], why);
}

bool omr_omni_start_rolling(omr_omni *omni, omr_mb *mb, omr_reason *why) {
  for (int i = 0; i < omni->wheels && omni->study->spins == OMR_SPINS_ROLLING; i++) {
    if (!roll_wheel(mb, &omni->wheel[i], why)) return false;
  }
  return true;
}

/* Adds the external force, which acts above the body origin; on the testbench above the wheel's
 * centre. */
static void add_external(omr_omni *omni, omr_mb *mb) {
  omr_omni_external *e = &omni->external;
  omr_omni_external_read(e, omni->study, &omni->values);
  const double center = omni->platform ? omni->com.y : omni->wheel[0].radius,
               given = omni->values.vehicle[OMR_VP_EXTERNAL_HEIGHT];
  e->heading = omni->wheel[0].heading;
  e->tilts = omni->compliant;
  e->arm = omr_vec_of(-omni->com.x, isnan(given) ? 0 : given - center, -omni->com.z);
  omr_omni_external_add(mb, e, omni->platform ? omni->platform : omni->wheel[0].body);
}

static double weight_of(const omr_omni *omni, const omr_vehicle_body *body) {
  const double *v = omni->values.vehicle;
  double mass = omr_has_platform(omni->study->model) ? v[OMR_VP_PLATFORM_MASS] : 0;
  for (int i = 0; i < body->wheels; i++) mass += omr_omni_wheel_mass(omni, &body->wheel[i], i);
  return mass * v[OMR_VP_GRAVITY];
}

/* Finds the initial place of the body origin; false with a reason if the study starts at a rest
 * that does not exist. */
static bool find_origin(omr_omni *omni, const omr_vehicle_body *body, placing *origin,
                        omr_reason *why) {
  double rest[3];
  *origin = body_origin(omni);
  if (!omni->compliant) return true;
  if (!omr_omni_rest(omni, body, rest, why)) return false;
  *origin = free_origin(omni, rest);
  return true;
}

/* False with a reason if fewer than three wheels share the weight, or all of them are on one
 * line. */
static bool stands(const omr_omni *omni, const omr_vehicle_body *body, omr_reason *why) {
  double mean[2] = {0, 0}, xx = 0, xz = 0, zz = 0;
  int count = 0;
  bool mixed = false;
  for (int i = 0; i < body->wheels; i++) {
    mixed = mixed || omni->study->kind[i] != OMR_WHEEL_ROLLER;
    if (omni->study->kind[i] == OMR_WHEEL_TRACKING) continue;
    mean[0] += body->wheel[i].a;
    mean[1] += body->wheel[i].b;
    count++;
  }
  if (!mixed || omni->compliant) return true;
  for (int i = 0; i < body->wheels; i++) {
    const double x = body->wheel[i].a - mean[0] / count, z = body->wheel[i].b - mean[1] / count;
    if (omni->study->kind[i] == OMR_WHEEL_TRACKING) continue;
    xx += x * x;
    xz += x * z;
    zz += z * z;
  }
  if (count >= 3 && xx * zz - xz * xz > 1e-12 * (xx + zz) * (xx + zz)) return true;
  return omr_refuse(why,
                    "a platform needs three wheels that carry it and are not on one line; %d "
                    "wheels carry this one, since tracking wheels do not: give another wheel the "
                    "kind roller, plain, caster or swerve",
                    count);
}

bool omr_omni_build(omr_omni *omni, omr_mb *mb, omr_reason *why) {
  omr_vehicle_body body;
  if (!omr_build_body(omni->study, &omni->values, &body, why->text, sizeof why->text)) return false;
  if (!stands(omni, &body, why)) return false;
  if (!omr_omni_roll_off(omni, &body, why)) return false;
  placing origin;

  /* floor, command and supply are shared by the wheels */
  omr_ground_read(&omni->ground, omni->study, &omni->values);
  omr_terrain_read(&omni->terrain, omni->study, &omni->values);
  omr_omni_command_read(&omni->command, omni->study, &omni->values);
  omr_follow_read(&omni->follow, omni->study, &omni->values);
  omr_heading_read(&omni->hold, omni->study, &omni->values);
  omr_asked_read(&omni->limit, omni->study, &omni->values);
  omr_supply_read(&omni->supply, omni->study, &omni->values);

  omni->wheels = body.wheels;
  omni->weight = weight_of(omni, &body);

  /* platform and wheels, where the study or their rest puts them */
  if (!find_origin(omni, &body, &origin, why)) return false;
  if (omr_has_platform(omni->study->model) && !add_platform(omni, mb, &origin, why)) return false;

  for (int i = 0; i < omni->wheels; i++) {
    if (!add_wheel(omni, mb, i, &body.wheel[i], &origin, why)) return false;
  }

  add_external(omni, mb);
  if (omni->platform == 0)
    omr_upright_servo(mb, &omni->servo, "upright", omni->wheel[0].body, axis_z);
  return true;
}
