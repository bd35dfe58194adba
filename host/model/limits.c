/* Speeds that show an instance has left every possible motion: 1e3 times the largest that command,
 * drives, loads and initial state allow (appendix/vehicle.md#motion). */
#include "../study/command.h"
#include "fold.h"

#include <math.h>

#define BEYOND 1e3

/* Largest commanded velocity, by component; for a table, of its rows. */
typedef struct commanded {
  double vx, vz, yaw_rate;
} commanded;

static commanded largest_command(const omr_study *study, const double *p) {
  commanded c = {0, 0, 0};
  if (study->command.kind == OMR_COMMAND_NONE) return c;
  if (study->command.kind == OMR_COMMAND_PATH) {
    const double speed = p[OMR_VP_COMMAND_SPEED], turn = p[OMR_VP_COMMAND_HEADING_GAIN];
    return (commanded){2 * speed, 2 * speed,
                       !study->command.way.cross ? 2 * speed / p[OMR_VP_COMMAND_LOOK_AHEAD]
                       : isnan(turn)             ? 4 * p[OMR_VP_COMMAND_GAIN]
                                                 : turn};
  }
  const omr_table *table = omr_command_rows(study);
  if (!table)
    return (commanded){fabs(p[OMR_VP_COMMAND_VX]), fabs(p[OMR_VP_COMMAND_VZ]),
                       fabs(p[OMR_VP_COMMAND_YAW_RATE])};
  for (size_t r = 0; r < table->rows; r++) {
    const double *row = table->value + r * table->columns;
    c = (commanded){fmax(c.vx, fabs(row[0])), fmax(c.vz, fabs(row[1])),
                    fmax(c.yaw_rate, fabs(row[2]))};
  }
  return c;
}

static double largest_row(const omr_table *table) {
  double most = 0;
  for (size_t r = 0; r < table->rows; r++) most = fmax(most, fabs(table->value[r]));
  return most;
}

double omr_largest_given(const omr_study *study, int i, const double place[W_COUNT]) {
  if (omr_replays_effort(study->drives.law[i])) return study->drives.replay[i].largest;
  if (study->drives.law[i] != OMR_DRIVE_TABLE) return fabs(place[W_TORQUE]);
  return largest_row(&study->drives.table[i]) * fabs(place[W_TORQUE]);
}

/* Largest rate that a wheel's drive gives. A controller gives its target; a torque accelerates the
 * wheel's own inertia over the run, or up to the end of the motor's line; a voltage ends where the
 * motor's own matches it. */
static double driven_rate(const omr_study *study, int i, const double place[W_COUNT],
                          const double v[P_COUNT], const commanded *c) {
  if (study->drives.law[i] == OMR_DRIVE_NONE) return 0;
  if (study->drives.law[i] == OMR_DRIVE_SPEED || study->drives.law[i] == OMR_DRIVE_RATE)
    return fabs(place[W_DRIVE_1]);
  if (study->drives.law[i] == OMR_DRIVE_REPLAY_RATE) return study->drives.replay[i].largest;
  if (study->drives.law[i] == OMR_DRIVE_BODY && study->kind[i] == OMR_WHEEL_SWERVE)
    return (hypot(c->vx, c->vz) + hypot(place[W_A], place[W_B]) * c->yaw_rate) / place[W_RADIUS];
  if (omr_follows_command(study->drives.law[i]))
    return fabs(place[W_IDEAL_X]) * c->vx + fabs(place[W_IDEAL_Z]) * c->vz +
           fabs(place[W_IDEAL_YAW]) * c->yaw_rate;
  if (study->drives.by[i] != OMR_BY_TORQUE) {
    const double most = study->drives.by[i] == OMR_BY_DUTY ? v[P_SUPPLY_VOLTAGE]
                                                           : omr_largest_given(study, i, place);
    return most / fabs(place[W_EMF]);
  }
  const double rate =
      omr_largest_given(study, i, place) * place[W_INV_INERTIA] * study->time.duration;
  return place[W_STALL_SLOPE] > 0 ? fmin(rate, place[W_STALL] / place[W_STALL_SLOPE]) : rate;
}

/* Largest magnitudes of the external force along the floor and of its torque about any axis. */
static void largest_external(const omr_study *study, const double v[P_COUNT], double *force,
                             double *torque) {
  *force = *torque = 0;
  if (study->external.kind == OMR_EXTERNAL_NONE) return;
  const double *one = &v[P_EXTERNAL_X];
  const bool table = study->external.kind == OMR_EXTERNAL_TABLE;
  for (size_t r = 0; r < (table ? study->external.table.rows : 1); r++) {
    const double *row = table ? study->external.table.value + r * 6 : one;
    *force = fmax(*force, hypot(row[0], row[2]));
    *torque = fmax(*torque, hypot(row[4], hypot(row[3], row[5])));
  }
  const double factor = table ? fabs(v[P_EXTERNAL_FACTOR]) : 1;
  *force *= factor;
  *torque = *torque * factor + fabs(v[P_EXTERNAL_ARM]) * *force;
}

/* Largest speed that they give over the run, at a wheel's contact too. */
static double pushed_speed(const omr_study *study, const double v[P_COUNT], double place[][W_COUNT],
                           double arm) {
  double force, torque;
  largest_external(study, v, &force, &torque);
  const double about = torque + force * hypot(v[P_COM_X], v[P_COM_Z]);
  double speed = force * v[P_INV_MASS] + arm * about * v[P_INV_YAW];
  if (!omr_has_platform(study->model))
    speed += place[0][W_RADIUS] * torque * place[0][W_INV_INERTIA];
  return speed * study->time.duration;
}

static double largest_spin(const omr_study *study, int i) {
  double most = 0;
  for (int j = 0; study->spins == OMR_SPINS_VALUES && j < OMR_MAX_ROLLERS; j++)
    most = fmax(most, fabs(study->spin_values[i * OMR_MAX_ROLLERS + j]));
  return most;
}

/* Whether the drive limits the rate of a wheel at any load. */
static bool has_largest_rate(const omr_study *study, int i, const double place[W_COUNT]) {
  const omr_drive drive = study->drives.law[i];
  return drive == OMR_DRIVE_SPEED || omr_follows_command(drive) || omr_is_rated(drive) ||
         study->drives.by[i] != OMR_BY_TORQUE || place[W_STALL_SLOPE] > 0;
}

/* Bristles slip fast where contacts slip fast: the slip speed considered is the sum of the speeds
 * at the start and of the drives. start: of the platform at its wheels, m/s. */
static void fold_slip(const omr_study *study, const omr_values *values, int wheels, double start,
                      const commanded *c, double place[][W_COUNT], const double v[P_COUNT]) {
  for (int i = 0; omr_law_is_bristle(study->contact.law) && i < wheels; i++) {
    double rate = fabs(values->wheel[i][OMR_WP_RATE]);
    if (has_largest_rate(study, i, place[i])) rate += driven_rate(study, i, place[i], v, c);
    place[i][W_BRISTLE_SPEED] = start + place[i][W_RADIUS] * rate;
  }
}

/* appendix/vehicle.md#motion. */
void omr_fold_limits(const omr_study *study, const omr_values *values, int wheels,
                     double place[][W_COUNT], double v[P_COUNT]) {
  /* The fastest rim, the longest arm, and the shortest of both. */
  const double *p = values->vehicle;
  const commanded c = largest_command(study, p);
  double rim = 0, arm = 0, least_radius = HUGE_VAL, least_arm = HUGE_VAL;
  for (int i = 0; i < wheels; i++) {
    const double radius = place[i][W_RADIUS],
                 reach = fmax(hypot(place[i][W_A], place[i][W_B]), radius);
    const double *own = values->wheel[i];
    const double rates =
        fabs(own[OMR_WP_RATE]) + largest_spin(study, i) + driven_rate(study, i, place[i], v, &c);
    rim = fmax(rim, radius * rates);
    arm = fmax(arm, reach);
    least_radius = fmin(least_radius, radius);
    least_arm = fmin(least_arm, reach);
  }

  /* The platform's speed at the start, by the command, by a fall and by external loads. */
  const double start =
      hypot(p[OMR_VP_INITIAL_VX], p[OMR_VP_INITIAL_VZ]) + arm * fabs(p[OMR_VP_INITIAL_YAW_RATE]);
  fold_slip(study, values, wheels, start, &c, place, v);

  /* Everything that can move the vehicle adds up. */
  const double asked = hypot(c.vx, c.vz) + arm * c.yaw_rate,
               fall = p[OMR_VP_GRAVITY] * study->time.duration;

  /* Single precision limits the columns. */
  const double speed = BEYOND * (start + asked + rim + fall + pushed_speed(study, v, place, arm));
  v[P_MOST_SPEED] = fmin(speed, 1e30);
  v[P_MOST_YAW_RATE] = fmin(speed / least_arm, 1e30);
  v[P_MOST_RATE] = fmin(speed / least_radius, 1e30);
}
