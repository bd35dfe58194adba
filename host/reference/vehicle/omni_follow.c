#include "omni.h"

#include <math.h>

#define ROUNDING 1e-13 /* of ways, per length of the path */

typedef struct vector {
  double x, z;
} vector;

static double dot(vector a, vector b) {
  return a.x * b.x + a.z * b.z;
}

/* The side of b as seen along a: above 0 to the left; z points to the right. */
static double left_of(vector a, vector b) {
  return b.x * a.z - b.z * a.x;
}

static vector along(double a, vector p, double b, vector q) {
  return (vector){a * p.x + b * q.x, a * p.z + b * q.z};
}

/* ---- the path by its ways */

static size_t legs_of(const omr_omni_follow *f) {
  return f->closed ? f->points->rows : f->points->rows - 1;
}

static vector point(const omr_omni_follow *f, size_t i) {
  const double *place = f->points->value + 2 * (i % f->points->rows);
  return (vector){place[0], place[1]};
}

static double way_to(const omr_omni_follow *f, size_t i) {
  return i < f->points->rows ? f->points->time[i] : f->length;
}

/* The way within the path: of a closed one in its first round, of an open one not beyond the
 * ends. */
static double within(const omr_omni_follow *f, double way) {
  if (f->closed) return way - f->length * floor(way / f->length);
  return fmin(fmax(way, 0), f->length);
}

/* But for rounding: where two legs meet it is the second one. */
static size_t leg_at(const omr_omni_follow *f, double way) {
  const double from = within(f, way) + f->length * ROUNDING;
  size_t leg = 0;
  while (leg + 1 < legs_of(f) && from >= way_to(f, leg + 1)) leg++;
  return leg;
}

static vector direction(const omr_omni_follow *f, size_t leg) {
  const double length = way_to(f, leg + 1) - way_to(f, leg);
  return along(1 / length, point(f, leg + 1), -1 / length, point(f, leg));
}

static vector place_of(const omr_omni_follow *f, double way) {
  const size_t leg = leg_at(f, way);
  return along(1, point(f, leg), within(f, way) - way_to(f, leg), direction(f, leg));
}

/* Moves *passed on to the point nearest to the place, on the legs that begin at most the look-ahead
 * farther, and on those after them as long as the nearest point is where a leg ends. Returns its
 * distance. */
static double pass(const omr_omni_follow *f, vector at, double *passed) {
  const double from = *passed;
  const size_t first = leg_at(f, from);
  double least = HUGE_VAL, begin = way_to(f, first);
  bool ends = true;
  for (size_t n = 0; n < legs_of(f); n++) {
    const size_t leg = (first + n) % legs_of(f);
    const double length = way_to(f, leg + 1) - way_to(f, leg);
    if (n > 0 && !ends && begin > from + f->look_ahead) break;
    if (n > 0 && leg == 0 && !f->closed) break;
    const vector e = along(1, at, -1, point(f, leg));
    const double before = n > 0 ? 0 : from - begin,
                 on = fmin(fmax(dot(e, direction(f, leg)), before), length);
    const vector d = along(1, e, -on, direction(f, leg));
    const double distance = sqrt(dot(d, d));
    if (ends || distance < least) {
      least = distance;
      *passed = begin + on;
      ends = on >= length;
    } else {
      ends = false;
    }
    begin += length;
  }
  return least;
}

/* ---- the laws */

/* Vector to the first point beyond the passed one that is the look-ahead away; to the passed one
 * where that is farther. */
static vector to_goal(const omr_omni_follow *f, vector at, double distance) {
  if (distance > f->look_ahead) return along(1, place_of(f, f->passed), -1, at);
  const size_t first = leg_at(f, f->passed);
  for (size_t n = 0; n < legs_of(f); n++) {
    const size_t leg = (first + n) % legs_of(f);
    const bool last = !f->closed && leg + 1 == legs_of(f);
    const vector end = along(1, point(f, leg + 1), -1, at);
    if (!last && !(dot(end, end) >= f->look_ahead * f->look_ahead)) continue;
    /* beyond the foot of the perpendicular */
    const vector t = direction(f, leg), foot = along(1, end, -dot(end, t), t);
    const double chord = f->look_ahead * f->look_ahead - dot(foot, foot);
    return along(1, foot, sqrt(fmax(chord, 0)), t);
  }
  return along(f->look_ahead, direction(f, first), 0, at);
}

/* Velocity along the path and back to it. */
static vector back_to_path(omr_omni_follow *f, vector at) {
  const vector t = direction(f, leg_at(f, f->passed + f->look_ahead)), left = {t.z, -t.x};
  const double error = dot(along(1, at, -1, place_of(f, f->passed)), left),
               grown = f->sum + f->period * f->integral_gain * error,
               asked = f->gain * error + grown, back = fmin(fmax(asked, -f->now), f->now);
  if (fabs(asked) <= f->now) f->sum = grown;
  return along(f->now, t, -back, left);
}

/* Velocities of the body that take it on the course. */
static void steer(omr_omni_follow *f, vector course, double yaw) {
  const vector ahead = {cos(yaw), -sin(yaw)}, right = {sin(yaw), cos(yaw)};
  const double length = sqrt(dot(course, course)), share = f->cross ? 1 : f->now / length;
  if (f->translate) {
    f->velocity[0] = share * dot(course, ahead);
    f->velocity[1] = share * dot(course, right);
    return;
  }
  double turn = left_of(ahead, course) / length;
  if (dot(course, ahead) < 0) turn = turn < 0 ? -1 : 1;
  f->velocity[0] = f->now;
  f->velocity[2] =
      f->cross ? f->heading_gain * turn : 2 * f->now * turn / fmax(length, f->look_ahead);
}

/* Speed from rest to rest. */
static void choose_speed(omr_omni_follow *f, double left) {
  f->now = fmin(f->speed, f->now + f->acceleration * f->period);
  if (!f->closed) f->now = fmin(f->now, sqrt(2 * f->acceleration * fmax(left, 0)));
}

static void sample(omr_omni_follow *f, double t, omr_omni_pose seen, omr_omni_pose is) {
  const vector at = {seen.x, seen.z};
  double distance = pass(f, at, &f->passed);
  const bool ends = f->passed >= f->length * (1 - ROUNDING);
  if (ends) f->passed = f->closed ? fmax(f->passed - f->length, 0) : f->length;

  for (int j = 0; j < 3; j++) f->velocity[j] = 0;
  choose_speed(f, f->length - f->passed);
  const vector course = f->cross ? back_to_path(f, at) : to_goal(f, at, distance);
  if (f->closed || !ends) steer(f, course, seen.yaw);

  /* what the loop does not see */
  if (f->odometry) {
    distance = pass(f, (vector){is.x, is.z}, &f->truly);
    f->truly = within(f, f->truly);
  }
  f->square += distance * distance;
  f->most = fmax(f->most, distance);
  f->looks++;
  if (ends) f->time = fmin(f->time, t);
}

void omr_follow_read(omr_omni_follow *f, const omr_study *study, const omr_values *values) {
  const double *v = values->vehicle, period = study->command.way.period;
  *f = (omr_omni_follow){.given = study->command.kind == OMR_COMMAND_PATH,
                         .cross = study->command.way.cross,
                         .translate = study->command.way.translate,
                         .closed = study->command.way.closed,
                         .odometry = study->command.way.odometry,
                         .points = &study->command.table,
                         .every = lrint(period / study->drives.period),
                         .period = period,
                         .speed = v[OMR_VP_COMMAND_SPEED],
                         .acceleration = v[OMR_VP_COMMAND_ACCELERATION],
                         .look_ahead = v[OMR_VP_COMMAND_LOOK_AHEAD],
                         .gain = v[OMR_VP_COMMAND_GAIN],
                         .integral_gain = v[OMR_VP_COMMAND_INTEGRAL],
                         .heading_gain = v[OMR_VP_COMMAND_HEADING_GAIN],
                         .time = HUGE_VAL};
  if (!f->given) return;
  if (isnan(f->look_ahead)) f->look_ahead = 0;
  if (isnan(f->heading_gain)) f->heading_gain = 4 * f->gain;
  const size_t last = f->points->rows - 1;
  f->length = f->points->time[last];
  const vector gap = along(1, point(f, 0), -1, point(f, last));
  if (f->closed) f->length += sqrt(dot(gap, gap));
}

void omr_follow_path(omr_omni_follow *f, long number, double t, omr_omni_pose seen,
                     omr_omni_pose is, double velocity[3]) {
  if (!f->given) return;
  if (number % f->every == 0 && (f->closed || t < f->time)) sample(f, t, seen, is);
  for (int j = 0; j < 3; j++) velocity[j] = f->velocity[j];
}

void omr_follow_reduce(const omr_omni_follow *f, double *o) {
  if (f->looks > 0) {
    o[OMR_OBS_PATH_ERROR] = sqrt(f->square / (double)f->looks);
    o[OMR_OBS_MAX_PATH_ERROR] = f->most;
  }
  if (f->time < HUGE_VAL) o[OMR_OBS_PATH_TIME] = f->time;
}
