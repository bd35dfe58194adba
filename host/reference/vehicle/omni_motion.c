/* Present state of an omni vehicle or wheel. */
#include "omni_compliant.h"

static const omr_vec up = {0, 1, 0};

/* The body whose yaw is the vehicle's. The body origin is known from its centre; on the testbench
 * it is the foot of the wheel's centre. */
static const omr_frame *carrier(const omr_omni *omni, const omr_mb *mb) {
  return &mb->frame[omni->platform ? omni->platform : omni->wheel[0].body];
}

/* Direction "forward" of the body axes; on the testbench it follows from the wheel's axis k = (sin
 * delta, 0, cos delta). */
static omr_vec forward(const omr_omni *omni, const omr_frame *f) {
  if (omni->platform) return omr_times(&f->t, omr_vec_of(1, 0, 0));
  omr_vec k = omr_times(&f->t, omr_vec_of(0, 0, 1)), i = omr_cross(up, k);
  return omr_axpy(omr_scale(cos(omni->wheel[0].heading), i), sin(omni->wheel[0].heading), k);
}

omr_omni_motion omr_omni_motion_of(const omr_omni *omni, const omr_mb *mb) {
  if (omni->compliant) return omr_omni_free_motion(omni, mb);
  const omr_frame *f = carrier(omni, mb);

  const omr_acceleration *a =
      &mb->acceleration[omni->platform ? omni->platform : omni->wheel[0].body];

  /* axes of the body, and the motion of its origin */
  omr_vec x = forward(omni, f), z = omr_cross(x, up), d = omr_neg(omr_times(&f->t, omni->com));
  omr_vec r = omr_add(f->r, d), v = omr_point_velocity(f, d);
  omr_vec acceleration = omr_add(omr_add(a->a, omr_cross(a->e, d)), omr_centripetal(f, d));

  const double vx = omr_dot(v, x), vz = omr_dot(v, z);
  return (omr_omni_motion){.x = r.x,
                           .z = r.z,
                           .vx = vx,
                           .vz = vz,
                           .yaw_rate = f->w.y,
                           .ax = omr_dot(acceleration, x),
                           .az = omr_dot(acceleration, z),
                           .yaw_acceleration = a->e.y,
                           .speed = hypot(vx, vz),
                           .heading_rate = f->w.y,
                           .upright = 1};
}

static omr_omni_contact contact_of(const omr_roller_contact *c, const omr_mb *mb) {
  omr_omni_contact s = {.point = omr_roller_contact_point(mb, c), .body = c->base.b};
  s.velocity = omr_roller_contact_velocity(mb, c, &s.point);
  const omr_vec felt = omr_roller_contact_felt(mb, c, &s.point, s.velocity);
  s.slip_i = omr_dot(felt, s.point.i);
  s.slip_k = omr_dot(felt, s.point.k);
  omr_vec force = omr_mb_wrench(mb, &c->base, 1).force;
  s.load = omr_roller_contact_load(mb, c);
  if (c->disc && c->friction) /* rolling friction acts at the centre, not at the contact */
    force = omr_axpy(force, s.load * c->friction->rolling, mb->frame[c->wheel].v);
  s.force_i = omr_dot(force, s.point.i);
  s.force_k = omr_dot(force, s.point.k);
  return s;
}

omr_omni_contact omr_omni_contact_of(const omr_omni_wheel *w, const omr_mb *mb) {
  if (w->soft) return omr_omni_compliant_contact(w, mb);
  return contact_of(omr_omni_active(w), mb);
}

omr_omni_contact omr_omni_second_of(const omr_omni_wheel *w, const omr_mb *mb) {
  return contact_of(&w->contact[w->second], mb);
}

/* (e_B - e_A).k: the motion of k itself only adds a part across the relative rotation */
double omr_omni_wheel_acceleration(const omr_omni_wheel *w, const omr_mb *mb) {
  const int holder = w->axle.base.a;
  const omr_vec held = holder ? mb->acceleration[holder].e : omr_vec_of(0, 0, 0);
  omr_vec k = omr_times(&mb->frame[w->body].t, omr_vec_of(0, 0, 1));
  return omr_dot(omr_sub(mb->acceleration[w->body].e, held), k);
}

double omr_omni_wheel_angle(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb) {
  return *omr_mb_own(mb, omni->platform ? &w->axle.base : &w->drive.base);
}

void omr_omni_residual(const omr_omni *omni, const omr_mb *mb, double residual[2]) {
  omr_omni_motion m = omr_omni_motion_of(omni, mb);
  double commanded[2];
  omr_omni_command_acceleration(&omni->command, mb->time, commanded);
  residual[0] = m.ax - commanded[0];
  residual[1] = m.az - commanded[1];
}

/* Power by the true velocity, which is the slip except under a loss of yaw. */
static double lost_in_contact(const omr_omni_wheel *w, const omr_mb *mb,
                              const omr_omni_contact *s) {
  const omr_frame *wheel = &mb->frame[w->body];
  double rolling =
      s->load * w->friction.rolling * (wheel->v.x * wheel->v.x + wheel->v.z * wheel->v.z);
  return rolling - (s->force_i * omr_dot(s->velocity, s->point.i) +
                    s->force_k * omr_dot(s->velocity, s->point.k));
}

/* Power lost in the bearings and contacts of a wheel. */
static double lost_power(const omr_omni_wheel *w, const omr_mb *mb) {
  if (w->soft)
    return omr_omni_bearing_power(w, mb) + omr_omni_dry_power(w, mb).rolling +
           omr_omni_compliant_lost(w, mb);
  omr_omni_contact s = omr_omni_contact_of(w, mb);
  double lost = omr_omni_bearing_power(w, mb) + omr_omni_dry_power(w, mb).rolling +
                lost_in_contact(w, mb, &s);
  if (w->edge == 0) return lost;
  s = omr_omni_second_of(w, mb);
  return lost + lost_in_contact(w, mb, &s);
}

/* Rates of a pose x, z, yaw that moves with the velocities vx, vz, yaw rate in its own axes. */
static void pose_rates(double yaw, const double velocity[3], double *rate) {
  rate[0] = velocity[0] * cos(yaw) + velocity[1] * sin(yaw);
  rate[1] = velocity[1] * cos(yaw) - velocity[0] * sin(yaw);
  rate[2] = velocity[2];
}

static void quadrature_rates(void *self, const omr_mb *mb, double *rate) {
  const omr_omni *omni = self;
  const double *pose = omr_mb_quadratures(mb);
  double command[3], odometry[3];
  omr_omni_motion m = omr_omni_motion_of(omni, mb);

  /* path, work and losses */
  rate[OMR_OMNI_YAW] = m.heading_rate;
  rate[OMR_OMNI_PATH] = m.speed;
  rate[OMR_OMNI_WORK] = rate[OMR_OMNI_DISSIPATED] = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    double turning = omr_omni_wheel_rate(w, mb);
    rate[OMR_OMNI_WORK] += turning * omr_omni_drive_torque(omni, w, mb, turning);
    rate[OMR_OMNI_WORK] += omr_omni_steer_power(w, mb);
    rate[OMR_OMNI_DISSIPATED] += lost_power(w, mb);
  }
  if (omni->compliant) rate[OMR_OMNI_DISSIPATED] += omr_omni_suspension_power(omni, mb);

  /* poses by the command and by odometry */
  omr_omni_command_at(&omni->command, mb->time, command);
  pose_rates(pose[OMR_OMNI_COMMAND + 2], command, rate + OMR_OMNI_COMMAND);
  omr_omni_odometry_motion(omni, mb, m.yaw_rate, odometry);
  pose_rates(pose[OMR_OMNI_ODOMETRY + 2], odometry, rate + OMR_OMNI_ODOMETRY);

  /* vibration, and its part at the rollers' frequency of each wheel */
  double *residual = &rate[OMR_OMNI_VIBRATION + 1];
  omr_omni_residual(omni, mb, residual);
  rate[OMR_OMNI_VIBRATION] = residual[0] * residual[0] + residual[1] * residual[1];

  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    double phase = w->rollers * omr_omni_wheel_angle(omni, w, mb),
           *order = rate + OMR_OMNI_QUADRATURES + 4 * i;
    for (int j = 0; j < 2; j++) {
      order[2 * j] = residual[j] * cos(phase);
      order[2 * j + 1] = residual[j] * sin(phase);
    }
  }

  /* quadratures that only some studies have */
  if (omni->looks_at_motors)
    omr_omni_motor_rates(omni, mb, rate + OMR_OMNI_QUADRATURES + 4 * omni->wheels);
  if (omni->external.kind)
    rate[omr_omni_external_quadrature(omni)] = omr_omni_external_power(&omni->external, mb);
  if (omni->compliant)
    omr_omni_vertical_rates(omni, mb, &m, rate + omr_omni_vertical_quadrature(omni));
  if (omr_omni_slip_quadratures(omni))
    omr_omni_slip_rates(omni, mb, odometry, rate + omr_omni_slip_quadrature(omni));
}

int omr_omni_external_quadrature(const omr_omni *omni) {
  return OMR_OMNI_QUADRATURES + 4 * omni->wheels + omr_omni_motor_quadratures(omni);
}

int omr_omni_vertical_quadrature(const omr_omni *omni) {
  return omr_omni_external_quadrature(omni) + (omni->external.kind ? 1 : 0);
}

int omr_omni_slip_quadrature(const omr_omni *omni) {
  return omr_omni_vertical_quadrature(omni) + (omni->compliant ? OMR_OMNI_VERTICALS : 0);
}

void omr_omni_add_quadratures(omr_omni *omni, omr_mb *mb) {
  const double *v = omni->values.vehicle;
  omr_omni_start_odometry(omni);
  const int motors = omr_omni_motor_quadratures(omni);
  omni->looks_at_motors = motors > 0;
  omr_mb_add_quadratures(mb, omr_omni_slip_quadrature(omni) + omr_omni_slip_quadratures(omni),
                         quadrature_rates, omni);
  if (mb->failed) return;
  double *q = omr_mb_quadratures(mb);
  q[OMR_OMNI_YAW] = v[OMR_VP_INITIAL_YAW];
  for (int start = OMR_OMNI_COMMAND; start <= OMR_OMNI_ODOMETRY; start += 3) {
    q[start] = v[OMR_VP_INITIAL_X];
    q[start + 1] = v[OMR_VP_INITIAL_Z];
    q[start + 2] = v[OMR_VP_INITIAL_YAW];
  }
}
