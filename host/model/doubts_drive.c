/* Doubts about drives and command: demands beyond motors and floor, and wheels that cannot drive.
 */
#include "doubts.h"

#include "../study/command.h"
#include "loads.h"
#include <math.h>
#include <stdio.h>

#define SLACK 0.1     /* excess over motors or floor that is reported */
#define NO_LIMIT 1e29 /* folded torques from here on mean no limit (fold.c) */

/* A velocity, or an acceleration, of the body. */
typedef struct motion {
  double x, z, yaw, time;
} motion;

/* A path that is followed without a yaw rate asks for any direction: forward stands for it, and
 * sideways. */
static bool asks_for_any(const omr_scene *s) {
  return s->study->command.kind == OMR_COMMAND_PATH && s->study->command.way.translate;
}

static size_t command_rows(const omr_scene *s) {
  if (!s->commanded) return 0;
  const omr_table *table = omr_command_rows(s->study);
  return table ? table->rows : asks_for_any(s) ? 2 : 1;
}

static motion command_row(const omr_scene *s, size_t row) {
  const omr_table *table = omr_command_rows(s->study);
  if (!table && row == 1) return (motion){0, s->vx, 0, 0};
  if (!table) return (motion){s->vx, s->vz, s->yaw_rate, 0};
  const double *v = table->value + row * table->columns;
  return (motion){v[0], v[1], v[2],
                  omr_command_time(s->study, s->values.vehicle, table->time[row])};
}

/* Wheel rate per motion of the body, with ideal massless rollers
 * (appendix/drives.md#drives). */
static double rate_of(const double *place, motion m) {
  return place[W_IDEAL_X] * m.x + place[W_IDEAL_Z] * m.z + place[W_IDEAL_YAW] * m.yaw;
}

static bool is_driven(const omr_scene *s, int wheel) {
  return s->study->drives.law[wheel] != OMR_DRIVE_NONE;
}

static bool follows(const omr_scene *s, int wheel) {
  return omr_follows_command(s->study->drives.law[wheel]);
}

static bool any_follows(const omr_scene *s) {
  for (int i = 0; i < s->wheels; i++)
    if (follows(s, i)) return true;
  return false;
}

static int count_drives(const omr_scene *s, omr_drive kind) {
  int count = 0;
  for (int i = 0; i < s->wheels; i++) count += s->study->drives.law[i] == kind;
  return count;
}

/* Largest rate that the study demands of a wheel, and its time. */
static double largest_rate(const omr_scene *s, int wheel, double *when) {
  const double *place = omr_scene_place(s, wheel);
  double most = 0;
  *when = 0;
  if (s->study->drives.law[wheel] == OMR_DRIVE_SPEED) return fabs(place[W_DRIVE_1]);
  if (!follows(s, wheel)) return 0;
  for (size_t r = 0; r < command_rows(s); r++) {
    const motion row = command_row(s, r);
    const double rate = fabs(rate_of(place, row));
    if (rate > most) *when = row.time;
    most = fmax(most, rate);
  }
  return most;
}

/* Torque at the wheel at rest per unit of its drive's output; 1 for a drive by torque. */
static double torque_per_drive(const omr_scene *s, int wheel) {
  const double *place = omr_scene_place(s, wheel);
  if (s->study->drives.by[wheel] == OMR_BY_TORQUE) return 1;
  const double volts = s->study->drives.by[wheel] == OMR_BY_DUTY ? s->params[P_SUPPLY_VOLTAGE] : 1;
  return volts * place[W_CONDUCTANCE] * fabs(place[W_PULL]);
}

/* Rate that the motor reaches without load; infinite if nothing limits it. */
static double no_load_rate(const omr_scene *s, int wheel) {
  const double *place = omr_scene_place(s, wheel);
  if (s->study->drives.by[wheel] == OMR_BY_DUTY)
    return s->params[P_SUPPLY_VOLTAGE] / fabs(place[W_EMF]);
  if (s->study->drives.by[wheel] == OMR_BY_VOLTAGE)
    return place[W_TORQUE_LIMIT] / fabs(place[W_EMF]);
  return place[W_STALL_SLOPE] > 0 ? place[W_STALL] / place[W_STALL_SLOPE] : HUGE_VAL;
}

/* Largest torque at the wheel: by the controller's limit and the motor's line, or by the motor's
 * current at rest through its gear. */
static double largest_torque(const omr_scene *s, int wheel) {
  const double *place = omr_scene_place(s, wheel);
  if (s->study->drives.by[wheel] == OMR_BY_TORQUE)
    return fmin(place[W_TORQUE_LIMIT], place[W_STALL]);
  return (1 - place[W_FORWARD_PART]) * fmin(torque_per_drive(s, wheel) * place[W_TORQUE_LIMIT],
                                            place[W_CURRENT_LIMIT] * fabs(place[W_PULL]));
}

static void doubt_speed(const omr_scene *s, omr_doubts *doubts) {
  static const char *const ends[] = {
      [OMR_BY_TORQUE] = "no_load_speed over gear_ratio",
      [OMR_BY_VOLTAGE] = "voltage_limit over its constant and gear_ratio",
      [OMR_BY_DUTY] = "supply.voltage over its constant and gear_ratio"};
  /* The wheel whose demand exceeds its motor most. */
  double worst = 1, asked = 0, when = 0, no_load = 0;
  int at = -1;
  for (int i = 0; i < s->wheels; i++) {
    double time;
    const double rate = largest_rate(s, i, &time), limit = no_load_rate(s, i);
    if (!(rate > worst * limit)) continue;
    worst = rate / limit;
    asked = rate;
    when = time;
    no_load = limit;
    at = i;
  }

  /* The worst wheel stands for all. */
  if (at < 0) return;
  omr_doubt_add(doubts, OMR_DOUBT_SPEED, at, -1,
                "wheel %d is asked for %.4g rad/s at %.3g s, its motor reaches %.4g rad/s without "
                "load (%s): it stays below %.0f %% of that; ask for less, or give a faster motor "
                "or a smaller gear_ratio",
                at, asked, when, no_load, ends[s->study->drives.by[at]], floor(100 / worst));
}

/* Twice the kinetic energy of the body and its turning wheels in a motion: u.M.u, with massless
 * rollers. */
static double inertia_along(const omr_scene *s, motion u) {
  const double *p = s->params;
  const double x = u.x + u.yaw * p[P_COM_Z], z = u.z - u.yaw * p[P_COM_X];
  double sum = p[P_MASS] * (x * x + z * z) + u.yaw * u.yaw / p[P_INV_YAW];
  for (int i = 0; i < s->wheels; i++) {
    const double *place = omr_scene_place(s, i), rate = rate_of(place, u);
    const bool rated = omr_is_rated(s->study->drives.law[i]);
    sum += rated ? rate * rate * place[W_DRIVE_3] : rate * rate / place[W_INV_INERTIA];
  }
  return sum;
}

/* Share of an acceleration that the drives can reach: the demand along it, u.M.u, is at most sum
 * |rate| torque. Infinite if some torque has no limit. */
static double effort_share(const omr_scene *s, motion u) {
  double most = 0;
  const double needed = inertia_along(s, u);
  for (int i = 0; i < s->wheels; i++) {
    const double *place = omr_scene_place(s, i);
    const double torque = largest_torque(s, i);
    if (!is_driven(s, i)) continue;
    if (torque > NO_LIMIT) return HUGE_VAL;
    most += fabs(rate_of(place, u)) * torque;
  }
  return needed > 0 ? most / needed : HUGE_VAL;
}

/* Largest coefficient of friction anywhere on the floor. */
static double largest_friction(const omr_scene *s) {
  const omr_study *study = s->study;
  const double *p = s->values.vehicle;
  double most = 0;
  for (int i = 0; i < s->wheels; i++) most = fmax(most, omr_scene_place(s, i)[W_FRICTION]);
  if (study->floor.kind == OMR_GROUND_DIP || study->floor.kind == OMR_GROUND_STEP)
    most *= fmax(1, p[OMR_VP_GROUND_FACTOR]);
  for (int i = 0; study->floor.kind == OMR_GROUND_PATCHES && i < OMR_PATCHES; i++)
    most = fmax(most, p[OMR_VP_PATCH0_FRICTION + i * (OMR_VP_PATCH1_X - OMR_VP_PATCH0_X)]);
  return most;
}

/* Mean rate of change of the command between two rows, or over the ramp of a tanh; false where it
 * has none, since the command starts at once or jumps. */
static bool acceleration_of(const omr_scene *s, size_t row, motion *a) {
  if (s->study->command.kind == OMR_COMMAND_TANH) {
    const double time = s->values.vehicle[OMR_VP_COMMAND_RAMP_TIME];
    const double share = 0.7616 / time; /* tanh 1: its mean over ramp_time */
    *a = (motion){share * s->vx, share * s->vz, share * s->yaw_rate, 0};
    return true;
  }
  if (!omr_command_rows(s->study) || row + 1 >= command_rows(s)) return false;
  const motion from = command_row(s, row), to = command_row(s, row + 1);
  const double time = to.time - from.time;
  if (!(time > omr_study_tick(s->study)) || from.time >= s->study->time.duration) return false;
  *a = (motion){(to.x - from.x) / time, (to.z - from.z) / time, (to.yaw - from.yaw) / time,
                from.time};
  return true;
}

static void doubt_torque(const omr_scene *s, omr_doubts *doubts) {
  /* The acceleration that the drives reach least. */
  double least = 1;
  motion worst = {0, 0, 0, 0}, a;
  for (size_t r = 0; r < command_rows(s); r++) {
    if (!acceleration_of(s, r, &a)) continue;
    const double share = effort_share(s, a);
    if (!(share < least * (1 - 1e-9))) continue;
    least = share;
    worst = a;
  }

  if (!(least * (1 + SLACK) < 1)) return;

  /* An acceleration in the plane is named first, one in yaw otherwise. */
  char what[80];
  const double speed = hypot(worst.x, worst.z);
  if (speed > 0)
    snprintf(what, sizeof what, "%.3g m/s2", speed);
  else
    snprintf(what, sizeof what, "%.3g rad/s2", fabs(worst.yaw));
  omr_doubt_add(doubts, OMR_DOUBT_EFFORT, -1, -1,
                "the command asks for %s at %.3g s, and the torques of the drives suffice for %.3g "
                "%% of that at most: the vehicle lags; take %.3g times as long to get there, or "
                "raise drive.torque_limit or motor.stall_torque",
                what, worst.time, 100 * least, 1 / least);
}

/* A free roller pushes along its axis alone, which is cos psi i + sin psi k: of mu M g in all, the
 * part along a direction is at most the largest cosine to an axis. */
static double pushing_share(const omr_scene *s, motion a) {
  double most = 0;
  if (s->study->model == OMR_MODEL_DISC_VEHICLE) return 1;
  for (int i = 0; i < s->wheels; i++)
    if (omr_wheel_is_bare(s->study->kind[i])) return 1; /* a tyre holds in both directions */
  for (int i = 0; i < s->wheels; i++) {
    const double *w = omr_scene_place(s, i);
    const double x = w[W_COS_PSI] * w[W_COS] + w[W_SIN_PSI] * w[W_SIN],
                 z = w[W_SIN_PSI] * w[W_COS] - w[W_COS_PSI] * w[W_SIN];
    most = fmax(most, fabs(x * a.x + z * a.z) / hypot(a.x, a.z));
  }
  return most;
}

static void doubt_grip(const omr_scene *s, omr_doubts *doubts) {
  const double friction = largest_friction(s), grip = friction * s->values.vehicle[OMR_VP_GRAVITY];
  double worst = 1 + SLACK, most = 0, when = 0, allowed = grip;
  motion a;
  if (!omr_law_is_friction(s->study->contact.law)) return;

  /* The acceleration that is furthest beyond what the floor gives in its direction. */
  for (size_t r = 0; r < command_rows(s); r++) {
    if (!acceleration_of(s, r, &a) || !(hypot(a.x, a.z) > 0)) continue;
    const double limit = grip * pushing_share(s, a);
    if (!(hypot(a.x, a.z) > worst * limit * (1 + 1e-9))) continue;
    most = hypot(a.x, a.z);
    worst = most / limit;
    when = a.time;
    allowed = limit;
  }
  if (!(most > 0)) return;
  omr_doubt_add(
      doubts, OMR_DOUBT_EFFORT, -1, -1,
      "the command asks for %.3g m/s2 at %.3g s, and a friction coefficient of %.3g allows %.3g "
      "m/s2 at most: the wheels slide; take longer to get there, or raise wheel.friction",
      most, when, friction, allowed);
}

/* Only controllers are judged: motors with other laws of torque push as they will. */
static void doubt_effort(const omr_scene *s, omr_doubts *doubts) {
  const int driven = s->wheels - count_drives(s, OMR_DRIVE_NONE);
  if (driven == 0 || count_drives(s, OMR_DRIVE_BODY) != driven) return;
  doubt_torque(s, doubts);
  doubt_grip(s, doubts);
}

static bool starts_at_rest(const omr_scene *s) {
  const double *p = s->values.vehicle;
  double sum =
      fabs(p[OMR_VP_INITIAL_VX]) + fabs(p[OMR_VP_INITIAL_VZ]) + fabs(p[OMR_VP_INITIAL_YAW_RATE]);
  for (int i = 0; i < s->wheels; i++) sum += fabs(s->values.wheel[i][OMR_WP_RATE]);
  return sum == 0;
}

/* Compares the run with the times that the drives need to bring the vehicle to the command, by kp
 * only and by ki only. */
static void doubt_gain(const omr_scene *s, omr_doubts *doubts) {
  const motion u = {s->vx, s->vz, s->yaw_rate, 0};
  const bool moves = u.x != 0 || u.z != 0 || u.yaw != 0;
  double kp = 0, ki = 0;

  /* Without any drive the vehicle stays where it is. */
  if (!s->commanded || !moves) return;
  if (count_drives(s, OMR_DRIVE_NONE) == s->wheels && starts_at_rest(s)) {
    omr_doubt_add(doubts, OMR_DOUBT_GAIN, -1, -1,
                  "there is a command, but no wheel has a drive and the vehicle starts at rest: it "
                  "stays there; give wheel.drive {\"type\": \"body\"}");
    return;
  }

  /* Gains along the commanded motion. */
  if (count_drives(s, OMR_DRIVE_BODY) == 0) return;
  for (int i = 0; i < s->wheels; i++) {
    if (s->study->drives.law[i] != OMR_DRIVE_BODY) continue;
    const double *place = omr_scene_place(s, i), rate = rate_of(place, u);
    const double torque = torque_per_drive(s, i);
    kp += torque * place[W_DRIVE_2] * rate * rate;
    ki += torque * place[W_DRIVE_3] / s->study->drives.period * rate * rate;
  }

  /* The faster of both gains must need less than the run. */
  const double inertia = inertia_along(s, u), time = s->study->time.duration;
  const double by_kp = kp > 0 ? inertia / kp : HUGE_VAL,
               by_ki = ki > 0 ? sqrt(inertia / ki) : HUGE_VAL, least = fmin(by_kp, by_ki);

  /* An infinite time means no torque at all. */
  if (!(least > time)) return;
  const int digits = omr_digits_apart(least, time, 3);
  if (isinf(least))
    omr_doubt_add(doubts, OMR_DOUBT_GAIN, -1, -1,
                  "the drives of type body give no torque along the command: kp and ki are 0, or "
                  "it asks for what no wheel can do; raise drive.kp");
  else
    omr_doubt_add(doubts, OMR_DOUBT_GAIN, -1, -1,
                  "the drives of type body need about %.*g s to bring the vehicle to the commanded "
                  "speed, and the run lasts %.*g s; raise drive.kp or drive.ki",
                  digits, least, digits, time);
}

/* Angle between a line through the middle and the ring's nearest axis of symmetry. */
static double askew_by(const omr_scene *s, double x, double z) {
  const double half = PI / s->wheels;
  const double off = s->values.vehicle[OMR_VP_LAYOUT_FIRST_ANGLE] - atan2(x, z);
  return off - half * __builtin_floor(off / half + 0.5);
}

/* Writes "forward", or another direction. */
static void line_words(double x, double z, char *text, size_t size) {
  if (fabs(z) <= 1e-9 * fabs(x))
    snprintf(text, size, "%s", x > 0 ? "forward" : "backward");
  else if (fabs(x) <= 1e-9 * fabs(z))
    snprintf(text, size, "%s", z > 0 ? "to the right" : "to the left");
  else
    snprintf(text, size, "%.3g deg %s of forward", fabs(atan2(z, x)) * 180 / PI,
             z > 0 ? "to the right" : "to the left");
}

/* Judges the first straight motion that is commanded; a ring whose forward is an axis is meant so.
 */
static void doubt_askew(const omr_scene *s, omr_doubts *doubts) {
  const double slack = 0.01 * PI / s->wheels;
  if (s->study->layout != OMR_LAYOUT_RING || fabs(askew_by(s, 1, 0)) <= slack) return;
  /* Turns and motions along an axis of symmetry are good. */
  for (size_t r = 0; r < command_rows(s); r++) {
    const motion row = command_row(s, r);
    if (!(hypot(row.x, row.z) > 0) || row.yaw != 0) continue;
    const double off = askew_by(s, row.x, row.z),
                 now = s->values.vehicle[OMR_VP_LAYOUT_FIRST_ANGLE];
    if (fabs(off) <= slack) return;

    /* The remedy is the first angle that turns the ring least. */
    const double up = off > 0 ? now - off + PI / s->wheels : now - off,
                 down = up - PI / s->wheels; /* the nearest good angles on both sides */
    const double best = fabs(up) <= fabs(down) * (1 + 1e-9) ? up : down;

    /* The message names the direction and the better angle. */
    char words[80];
    line_words(row.x, row.z, words, sizeof words);
    omr_doubt_add(doubts, OMR_DOUBT_ASKEW, -1, -1,
                  "the ring of %d wheels is commanded %s, which is no axis of its symmetry: left "
                  "and right share slip and load unequally, so that it drifts aside and turns; "
                  "layout.first_angle \"%.4g deg\" makes it one (now %.4g deg)",
                  s->wheels, words, best * 180 / PI, now * 180 / PI);
    return;
  }
}

/* Whether driven tyres would move across, or there are none. A turn about a point beside the origin
 * asks the origin to go sideways, and the tyres of one axle to roll straight on. */
static bool is_across_tyres(const omr_scene *s, const motion *m, double least) {
  bool tyres = false;
  for (int i = 0; i < s->wheels; i++) {
    const omr_scene_wheel *w = &s->wheel[i];
    if (s->study->kind[i] != OMR_WHEEL_PLAIN || !follows(s, i)) continue;
    tyres = true;
    if (fabs((m->x + m->yaw * w->z) * sin(w->axis_angle) +
             (m->z - m->yaw * w->x) * cos(w->axis_angle)) > least)
      return true;
  }
  return !tyres;
}

bool omr_is_asked_for(const omr_scene *s, const double d[3], double arm) {
  for (size_t r = 0; any_follows(s) && r < command_rows(s); r++) {
    const motion row = command_row(s, r);
    const double size = sqrt(row.x * row.x + row.z * row.z + arm * arm * row.yaw * row.yaw);
    if (fabs(d[0] * row.x + d[1] * row.z + d[2] * arm * row.yaw) > 0.05 * size &&
        is_across_tyres(s, &row, 0.05 * size))
      return true;
  }
  return false;
}

/* A wheel that is locked drives nothing: a foot that slides. */
static bool is_locked(const omr_scene *s, int wheel) {
  return s->study->drives.law[wheel] == OMR_DRIVE_RATE && omr_scene_place(s, wheel)[W_DRIVE_1] == 0;
}

/* Loads of all wheels at rest, or of the driven ones only; false where they cannot stand. */
static bool stands(const omr_scene *s, bool driven_alone, double *loads, int *wheels) {
  double place[OMR_MAX_WHEELS][2];
  const double weight = s->params[P_WEIGHT],
               carried[3] = {weight, weight * s->com_x, weight * s->com_z};
  *wheels = 0;
  for (int i = 0; i < s->wheels; i++) {
    if (driven_alone && (!is_driven(s, i) || is_locked(s, i))) continue;
    if (s->study->kind[i] == OMR_WHEEL_TRACKING) continue;
    place[*wheels][0] = s->wheel[i].x;
    place[(*wheels)++][1] = s->wheel[i].z;
  }
  if (*wheels < 3 || !omr_plane_loads((const double(*)[2])place, *wheels, carried, loads))
    return false;
  for (int i = 0; i < *wheels; i++)
    if (loads[i] < 0) return false;
  return true;
}

/* Wheels without a drive that the vehicle does not need to stand on, such as measuring wheels, hang
 * on soft springs; on rigid contacts they take their share of the weight. Casters are needed: the
 * driven wheels do not stand without them, so nothing is reported. Nor is a tenth of the weight, as
 * with motors and floor. */
static void doubt_passive(const omr_scene *s, omr_doubts *doubts) {
  double loads[OMR_MAX_WHEELS], driven[OMR_MAX_WHEELS], share = 0;
  int wheels, first = -1, passive = 0, standing = 0;
  /* Both sets of wheels must be able to carry the vehicle. */
  if (s->study->model != OMR_MODEL_VEHICLE || s->study->contact.compliant) return;
  if (!stands(s, true, driven, &wheels) || !stands(s, false, loads, &wheels)) return;

  /* The share of the weight on wheels without a drive. */
  for (int i = 0; i < s->wheels; i++) {
    if (s->study->kind[i] == OMR_WHEEL_TRACKING) continue;
    const double load = loads[standing++];
    if (is_driven(s, i)) continue;
    share += load / s->params[P_WEIGHT];
    passive++;
    if (first < 0) first = i;
  }

  /* A small share is not reported. */
  if (!(share > SLACK)) return;
  omr_doubt_add(doubts, OMR_DOUBT_PASSIVE, first, -1,
                "%d wheel%s without a drive carr%s %.3g %% of the weight, which the others could "
                "carry alone: rigid contacts are all as stiff; for a wheel on a soft spring give "
                "it \"kind\": \"tracking\" and \"tracking\": {\"preload\": \"5 N\"}",
                passive, passive > 1 ? "s" : "", passive > 1 ? "y" : "ies", 100 * share);
}

void omr_doubt_drives(const omr_scene *scene, omr_doubts *doubts) {
  doubt_speed(scene, doubts);
  doubt_effort(scene, doubts);
  doubt_gain(scene, doubts);
  doubt_askew(scene, doubts);
  doubt_passive(scene, doubts);
}
