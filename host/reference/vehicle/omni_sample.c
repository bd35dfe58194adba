/* Samples and observables of an omni vehicle or wheel, in the engine's order, axes and signs. */
#include "omni_compliant.h"
#include "result/result.h"
#include "study/command.h"
#include "study/own_names.h"

static double yaw_of(const omr_mb *mb) {
  return omr_mb_quadratures(mb)[OMR_OMNI_YAW];
}

static void sample_vehicle(const omr_omni *omni, const omr_mb *mb, double *s) {
  omr_omni_motion m = omr_omni_motion_of(omni, mb);

  /* the motion in the plane, which every vehicle has */
  for (int j = 0; j < OMR_VS_COUNT; j++) s[j] = (double)NAN;
  s[OMR_VS_X] = m.x;
  s[OMR_VS_Z] = m.z;
  s[OMR_VS_YAW] = yaw_of(mb);
  s[OMR_VS_VX] = m.vx;
  s[OMR_VS_VZ] = m.vz;
  s[OMR_VS_YAW_RATE] = m.yaw_rate;
  if (omni->platform == 0) s[OMR_VS_SERVO] = omr_mb_multiplier(mb, &omni->servo.base, 0);

  s[OMR_VS_AX] = m.ax;
  s[OMR_VS_AZ] = m.az;
  s[OMR_VS_YAW_ACCELERATION] = m.yaw_acceleration;

  /* heave and tilt, which only springs allow */
  if (omni->compliant) {
    s[OMR_VS_HEIGHT] = m.height;
    s[OMR_VS_VY] = m.vy;
    s[OMR_VS_PITCH] = m.pitch;
    s[OMR_VS_ROLL] = m.roll;
    s[OMR_VS_FLOOR] = omr_terrain_at(&omni->terrain, m.x, m.z).height;
  }

  double drawn;
  s[OMR_VS_BUS] = omr_omni_supply_at(omni, mb, &drawn, NULL);
}

double omr_omni_friction_under(const omr_omni_wheel *w, const omr_mb *mb,
                               const omr_omni_contact *c) {
  if (w->soft) return c->friction;
  return omr_friction_coefficient(&w->friction, mb->time,
                                  omr_add(mb->frame[w->first_roller + w->active].r, c->point.d));
}

double omr_omni_friction_under_second(const omr_omni_wheel *w, const omr_mb *mb,
                                      const omr_omni_contact *c) {
  return omr_friction_coefficient(&w->second_friction, mb->time,
                                  omr_add(mb->frame[w->first_roller + w->second].r, c->point.d));
}

static void sample_wheel(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb,
                         double *s) {
  const omr_frame *roller = &mb->frame[w->first_roller + w->active];

  omr_omni_contact c = omr_omni_contact_of(w, mb);
  for (int j = 0; j < OMR_WS_COUNT; j++) s[j] = (double)NAN;

  /* the wheel and its roller in contact */
  if (!w->fork.body) s[OMR_WS_ANGLE] = omr_omni_wheel_angle(omni, w, mb);
  if (w->fork.body) s[OMR_WS_STEER] = omr_omni_steer_angle(w, mb);
  s[OMR_WS_RATE] = omr_omni_wheel_rate(w, mb);
  if (omni->study->model == OMR_MODEL_DISC_VEHICLE) {
    s[OMR_WS_CONTACT_ANGLE] = remainder(s[OMR_WS_ANGLE], 2 * w->alpha); /* a disc has no roller */
  } else if (!w->disc) {
    s[OMR_WS_ROLLER] = w->active;
    s[OMR_WS_CONTACT_ANGLE] = w->soft ? omr_omni_compliant_angle(omni, w, mb)
                                      : omr_roller_angle(mb, omr_omni_active(w), NULL);
    s[OMR_WS_SPIN] = omr_dot(roller->w, omr_times(&roller->t, omr_vec_of(1, 0, 0)));
  }

  double speed;
  if (omni->suspension[w->number].stiffness > 0)
    omr_joint_travel(mb, omr_omni_track(w), &s[OMR_WS_TRAVEL], &speed);

  /* slip and forces at the contact */
  s[OMR_WS_SLIP_I] = c.slip_i;
  s[OMR_WS_SLIP_K] = c.slip_k;
  s[OMR_WS_LOAD] = c.load;
  s[OMR_WS_FORCE_I] = c.force_i;
  s[OMR_WS_FORCE_K] = c.force_k;
  s[OMR_WS_TORQUE] = omr_omni_drive_torque(omni, w, mb, s[OMR_WS_RATE]);

  /* current of the motor, and state of relaxed constraints */
  omr_brushed_state states[OMR_MAX_WHEELS];
  double drawn;
  omr_omni_supply_at(omni, mb, &drawn, states);
  s[OMR_WS_CURRENT] = states[w->number].current;

  if (omni->study->contact.law == OMR_LAW_RELAXED) {
    s[OMR_WS_WEIGHT] = w->weight;
    s[OMR_WS_DEMAND] = w->demand;
  }

  s[OMR_WS_ACCELERATION] = omr_omni_wheel_acceleration(w, mb);
  s[OMR_WS_FRICTION] = omr_omni_friction_under(w, mb, &c);

  /* a wheel that rests on two rollers carries on both */
  if (w->edge == 0) return;
  omr_omni_contact second = omr_omni_second_of(w, mb);
  s[OMR_WS_LOAD] += second.load;
  s[OMR_WS_FORCE_I] += second.force_i;
  s[OMR_WS_FORCE_K] += second.force_k;
  s[OMR_WS_EDGE_SHARE] = omr_omni_share(w, mb);
}

void omr_omni_check_loads(const omr_omni *omni) {
  if (omni->compliant) {
    omr_omni_compliant_check(omni);
    return;
  }
  const bool vary = omni->platform || omni->external.kind; /* else the load is the weight */
  for (int i = 0; i < omni->wheels && vary; i++) {
    if (omr_omni_load_of(&omni->wheel[i], omni->reference->mb) < 0)
      omni->reference->failed = OMR_INSTANCE_LIFTED;
  }
  if (!omr_omni_loads_hold(omni, omni->reference->mb))
    omni->reference->failed = OMR_INSTANCE_OUTSIDE;
}

void omr_omni_sample(const omr_reference *reference, double *samples) {
  const omr_omni *omni = reference->self;
  sample_vehicle(omni, reference->mb, samples);
  for (int i = 0; i < omni->wheels; i++)
    sample_wheel(omni, &omni->wheel[i], reference->mb, samples + OMR_VS_COUNT + i * OMR_WS_COUNT);
  omr_omni_check_loads(omni);
}

double omr_omni_distance_to(const omr_omni *omni, const omr_mb *mb, int pose) {
  const double *q = omr_mb_quadratures(mb);
  omr_omni_motion m = omr_omni_motion_of(omni, mb);
  return hypot(m.x - q[pose], m.z - q[pose + 1]);
}

static void reduce_energy(const omr_omni *omni, const omr_mb *mb, double *o) {
  const double drives = omr_mb_quadratures(mb)[OMR_OMNI_WORK];
  const double external =
      omni->external.kind ? omr_mb_quadratures(mb)[omr_omni_external_quadrature(omni)] : 0;
  double work = drives + external, lost = omr_mb_quadratures(mb)[OMR_OMNI_DISSIPATED];
  double gained = omr_omni_energy(omni, mb) - omni->initial_energy;
  double scale = fmax(fmax(omni->initial_kinetic, omr_mb_kinetic(mb)),
                      fmax(fmax(fabs(lost), omni->impact_loss), fabs(work)));
  o[OMR_OBS_DISSIPATED_ENERGY] = lost;
  o[OMR_OBS_DRIVE_WORK] = drives;
  o[OMR_OBS_EXTERNAL_WORK] = external;
  o[OMR_OBS_IMPACT_LOSS] = omni->impact_loss;
  o[OMR_OBS_ENERGY_ERROR] = scale > 0 ? (gained + lost + omni->impact_loss - work) / scale : 0;
}

static void reduce_poses(const omr_omni *omni, const omr_mb *mb, double *o) {
  const double *q = omr_mb_quadratures(mb);
  if (omr_command_is_known(omni->study)) {
    o[OMR_OBS_DEVIATION] = omr_omni_distance_to(omni, mb, OMR_OMNI_COMMAND);
    if (omni->observed) {
      o[OMR_OBS_MAX_DEVIATION] = fmax(o[OMR_OBS_DEVIATION], omni->extremes.deviation);
      o[OMR_OBS_MAX_CROSS_TRACK] = omni->extremes.across;
    }
    o[OMR_OBS_YAW_DEVIATION] = q[OMR_OMNI_YAW] - q[OMR_OMNI_COMMAND + 2];
  }
  omr_follow_reduce(&omni->follow, o);
  if (omni->hold.given)
    o[OMR_OBS_HEADING_ERROR] = omr_heading_error(&omni->hold, mb->time, q[OMR_OMNI_YAW]);
  if (omni->platform && omni->odometry.known) {
    o[OMR_OBS_ODOMETRY_ERROR] = omr_omni_distance_to(omni, mb, OMR_OMNI_ODOMETRY);
    o[OMR_OBS_ODOMETRY_YAW_ERROR] = q[OMR_OMNI_ODOMETRY + 2] - q[OMR_OMNI_YAW];
  }
}

/* Without a command the mean acceleration is not vibration. */
static void reduce_vibration(const omr_omni *omni, const omr_mb *mb, double *o) {
  const double *q = omr_mb_quadratures(mb) + OMR_OMNI_VIBRATION;
  double time = mb->time;
  size_t row;
  if (!(time > 0) || omr_command_jumps(omni->study, &row)) return;
  double square = q[0] / time, mean = hypot(q[1], q[2]) / time;
  if (!omr_command_is_known(omni->study)) square -= mean * mean;
  o[OMR_OBS_VIBRATION_RMS] = sqrt(fmax(square, 0));
  double most = 0;
  if (!omr_has_rollers(omni->study)) return; /* no exchanges */
  for (int i = 0; i < omni->wheels; i++) {
    const double *order = omr_mb_quadratures(mb) + OMR_OMNI_QUADRATURES + 4 * i;
    if (omni->wheel[i].disc) continue;
    most = fmax(most, order[0] * order[0] + order[1] * order[1] + order[2] * order[2] +
                          order[3] * order[3]);
  }
  o[OMR_OBS_VIBRATION_EXCHANGE] = 2 / time * sqrt(most);
}

/* A slide that the run ends counts as one that ended there. */
static void reduce_grip(const omr_omni *omni, double *observables) {
  double *lost = observables + OMR_OBS_WHEEL0_LOST_GRIP_TIME, most = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_grip *g = &omni->grip[i];
    lost[i] = g->lost + (g->slip > g->speed && g->left < 0 ? g->slide : 0);
    most = fmax(most, lost[i]);
  }
  observables[OMR_OBS_LOST_GRIP_TIME] = most;
}

void omr_omni_reduce(const omr_reference *reference, double *o) {
  const omr_omni *omni = reference->self;
  const omr_omni_extremes *e = &omni->extremes;

  omr_omni_motion m = omr_omni_motion_of(omni, reference->mb);
  for (int j = 0; j < OMR_OBS_COUNT; j++) o[j] = (double)NAN;

  /* where the motion ended */
  o[OMR_OBS_FINAL_X] = m.x;
  o[OMR_OBS_FINAL_Z] = m.z;
  o[OMR_OBS_FINAL_YAW] = yaw_of(reference->mb);
  o[OMR_OBS_FINAL_VX] = m.vx;
  o[OMR_OBS_FINAL_VZ] = m.vz;
  o[OMR_OBS_FINAL_YAW_RATE] = m.yaw_rate;
  o[OMR_OBS_PATH_LENGTH] = omr_mb_quadratures(reference->mb)[OMR_OMNI_PATH];

  /* energies, motors and poses */
  reduce_energy(omni, reference->mb, o);
  omr_omni_reduce_motors(omni, reference->mb, o);
  reduce_poses(omni, reference->mb, o);
  if (omni->compliant) omr_omni_reduce_vertical(omni, reference->mb, o);

  if (omr_has_rollers(omni->study)) {
    o[OMR_OBS_EXCHANGES] = (double)omni->exchanges;
    o[OMR_OBS_EDGE_HOLDS] =
        (double)(omni->holds + (omr_omni_any_held(omni) ? 1 : 0)); /* includes the last step's */
  }

  reduce_vibration(omni, reference->mb, o);
  if (!omni->observed || !(e->least_load < HUGE_VAL))
    return; /* else they would be extremes of exchanges only */

  /* slides and extremes over the steps */
  if (omni->looks_at_grip) reduce_grip(omni, o);
  omr_omni_reduce_slips(omni, reference->mb->time,
                        omr_mb_quadratures(reference->mb) + omr_omni_slip_quadrature(omni), o);
  if (!isnan(o[OMR_OBS_VIBRATION_RMS])) o[OMR_OBS_VIBRATION_PEAK] = e->residual;
  o[OMR_OBS_MAX_SLIP] = e->slip;
  o[OMR_OBS_MAX_YAW_RATE] = e->yaw_rate;
  o[OMR_OBS_MAX_FORCE_RATIO] = e->ratio;
  if (omni->study->contact.law == OMR_LAW_RELAXED) o[OMR_OBS_MIN_WEIGHT] = e->weight;
  o[OMR_OBS_MIN_LOAD] = e->least_load;
  o[OMR_OBS_MAX_LOAD] = e->most_load;
  if (omni->platform == 0) o[OMR_OBS_MAX_SERVO_TORQUE] = e->servo;
}
