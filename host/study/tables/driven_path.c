/* A path is a chain of pieces whose curvature is linear in the way: straight lines, arcs, and the
 * halves of corners. A stretch of them is driven with one trapezoid of the speed, from rest to
 * rest; rows of the table stand where pieces and ramps end, and closer together where the
 * velocities are no straight lines in between. */
#include "driven_path.h"

#include <math.h>
#include <stdlib.h>

enum { EIGHT_PIECES = 256, SIMPSON = 64, TURN_ROWS = 48, RAMP_ROWS = 16 };
static const double finest = PI / 180; /* of heading between two rows: chords miss 3e-5 of an arc */

/* One piece: its length, curvature (positive to the left) at both ends, and the turn of a given yaw
 * within it, from `yaw` by `turn`. */
typedef struct piece {
  double length, from, to, yaw, turn;
} piece;

typedef struct drawer {
  const omr_driving *by;
  omr_table *table;
  size_t capacity;
  double time, direction, yaw; /* where the table ends; direction of the path */
  bool given;                  /* way points have yaws */
  bool failed;
  char *reason;
  size_t size;
} drawer;

/* Gives the reason; false. */
#define REFUSE(d, ...) omr_deny((d)->reason, (d)->size, __VA_ARGS__)

/* ROWS */

static void add_row(drawer *d, double time, double vx, double left, double yaw_rate) {
  omr_table *t = d->table;
  if (t->rows == d->capacity) {
    const size_t capacity = d->capacity ? 2 * d->capacity : 64;
    d->failed |= !omr_grow(&t->time, capacity, sizeof *t->time) ||
                 !omr_grow(&t->value, capacity, 3 * sizeof *t->value);
    if (d->failed) return;
    d->capacity = capacity;
  }
  double *value = t->value + 3 * t->rows;
  t->time[t->rows++] = time;
  value[0] = vx;
  value[1] = -left; /* z points to the right */
  value[2] = yaw_rate;
}

static void begin(drawer *d) {
  free(d->table->time);
  free(d->table->value);
  *d->table = (omr_table){.columns = 3};
  *d->reason = '\0';
  add_row(d, 0, 0, 0, 0);
}

/* A trapezoid from rest to rest over the way `whole`: ramps of the time `ramp` around a time at the
 * rate `top`. */
typedef struct trapezoid {
  double whole, top, ramp, ramp_way, time;
} trapezoid;

static trapezoid trapezoid_of(double whole, double rate, double acceleration) {
  trapezoid z = {.whole = whole, .top = fmin(rate, sqrt(acceleration * whole))};
  z.ramp = z.top / acceleration;
  z.ramp_way = 0.5 * z.top * z.ramp;
  z.time = 2 * z.ramp + fmax(whole - 2 * z.ramp_way, 0) / z.top;
  return z;
}

/* The time at which it is at `way`; *rate: how fast it is there. */
static double time_at(const trapezoid *z, double way, double *rate) {
  const double left = z->whole - way, near = fmin(way, left);
  if (near < z->ramp_way) {
    const double part = sqrt(fmax(near, 0) / z->ramp_way);
    *rate = z->top * part;
    return way < left ? z->ramp * part : z->time - z->ramp * part;
  }
  *rate = z->top;
  return z->ramp + (way - z->ramp_way) / z->top;
}

static void turn_on_the_spot(drawer *d, double angle) {
  if (fabs(angle) < 1e-12) return;
  const trapezoid z = trapezoid_of(fabs(angle), d->by->turn_rate, d->by->turn_acceleration);
  const double rate = copysign(z.top, angle);
  add_row(d, d->time + z.ramp, 0, 0, rate);
  if (z.time > 2 * z.ramp * (1 + 1e-9)) add_row(d, d->time + z.time - z.ramp, 0, 0, rate);
  d->time += z.time;
  add_row(d, d->time, 0, 0, 0);
  d->yaw += angle;
}

/* PIECES */

static double turned_by(const piece *p, double way) {
  return way * (p->from + 0.5 * (p->to - p->from) * way / p->length);
}

/* The row at `way` of a piece that begins at the way `before` of its stretch. */
static void add_place(drawer *d, const trapezoid *z, const piece *p, double before, double way) {
  double rate;
  const double time = d->time + time_at(z, before + way, &rate), u = way / p->length;
  const double curvature = p->from + (p->to - p->from) * u,
               direction = d->direction + turned_by(p, way);
  const bool along = !d->by->fixed && !d->given;
  const double yaw = along ? direction : d->given ? p->yaw + p->turn * u * u * (3 - 2 * u) : 0;
  const double turning = along ? curvature : d->given ? 6 * p->turn * u * (1 - u) / p->length : 0;
  add_row(d, time, rate * cos(direction - yaw), rate * sin(direction - yaw), rate * turning);
}

/* How many parts a piece is cut into, so that its rows follow what is no straight line. */
static int parts_of(const drawer *d, const piece *p) {
  const double turn = fabs(turned_by(p, p->length));
  int parts = (int)ceil(turn / finest);
  if (d->given && p->turn != 0) parts += (int)fmax(TURN_ROWS, ceil(fabs(p->turn) / finest));
  return parts > 1 ? parts : 1;
}

/* Ways at which the ramps have rows, ascending: even in time where the stretch bends. */
static int ramp_ways(const trapezoid *z, bool bends, double *ways) {
  const int rows = bends ? RAMP_ROWS : 1;
  int count = 0;
  for (int k = 1; k <= rows; k++)
    ways[count++] = z->ramp_way * ((double)k / rows) * ((double)k / rows);
  for (int k = rows; k >= 1; k--)
    ways[count++] = z->whole - z->ramp_way * ((double)k / rows) * ((double)k / rows);
  return count;
}

/* Drives a stretch from rest to rest. */
static void drive(drawer *d, const piece *pieces, size_t count) {
  double whole = 0, before = 0, ways[2 * RAMP_ROWS];
  bool bends = false;
  for (size_t i = 0; i < count; i++) {
    whole += pieces[i].length;
    bends = bends || parts_of(d, &pieces[i]) > 1 || pieces[i].from != 0 || pieces[i].to != 0;
  }
  if (!(whole > 0)) return;
  const trapezoid z = trapezoid_of(whole, d->by->speed, d->by->acceleration);
  const int on_ramps = ramp_ways(&z, bends, ways);

  /* Rows of ramps come between those of the pieces' parts, none closer than a pace to the next. */
  const double pace = fmin(2e-3 * z.top, 1e-2 * whole / on_ramps);
  double last = 0;
  int next = 0;
  for (size_t i = 0; i < count; i++) {
    const piece *p = &pieces[i];
    const int parts = parts_of(d, p);
    for (int k = 1; k <= parts; k++) {
      const double way = before + p->length * k / parts;
      for (; next < on_ramps && ways[next] < way - pace; next++) {
        if (ways[next] < last + pace) continue;
        add_place(d, &z, p, before, ways[next] - before);
        last = ways[next];
      }
      if (k < parts || i + 1 < count) add_place(d, &z, p, before, way - before);
      last = way;
    }
    d->direction += turned_by(p, p->length);
    if (d->given) d->yaw = p->yaw + p->turn;
    before += p->length;
  }

  /* It ends at rest. */
  d->time += z.time;
  if (!d->by->fixed && !d->given) d->yaw = d->direction;
  add_row(d, d->time, 0, 0, 0);
}

/* key: what the study gives to make the curve, `ratio` times its radius. */
static bool check_curve(drawer *d, double radius, const char *whose, const char *key,
                        double ratio) {
  const double v = d->by->speed, a = d->by->acceleration;
  if (v * v <= a * radius * (1 + 1e-9)) return true;
  return REFUSE(d,
                "%s has a radius of %.4g m, on which %.4g m/s takes %.4g m/s2 across and the "
                "acceleration is %.4g m/s2: give a %s of %.4g m or more, or a speed of %.4g m/s or "
                "less",
                whose, radius, v, v * v / radius, a, key, ceil(ratio * v * v / a * 1e3) / 1e3,
                floor(sqrt(a * radius) * 1e3) / 1e3);
}

/* SHAPES */

bool omr_drive_circle(const omr_driving *by, double diameter, bool right, omr_table *table,
                      char *reason, size_t size) {
  drawer d = {.by = by, .table = table, .reason = reason, .size = size};
  const double curvature = (right ? -2 : 2) / diameter;
  const piece around = {.length = PI * diameter, .from = curvature, .to = curvature};
  begin(&d);
  if (!check_curve(&d, diameter / 2, "the circle", "size", 2)) return false;
  drive(&d, &around, 1);
  return !d.failed;
}

/* x = A sin u, y = A sin u cos u, turned by -45 degrees. */
bool omr_drive_eight(const omr_driving *by, double length, bool right, omr_table *table,
                     char *reason, size_t size) {
  drawer d = {.by = by, .table = table, .reason = reason, .size = size};
  const double a = length / 2, step = 2 * PI / EIGHT_PIECES;
  piece pieces[EIGHT_PIECES];
  double sharpest = 0;
  begin(&d);

  /* Curvatures at the knots, and ways between them by Simpson's rule. */
  for (int k = 0; k < EIGHT_PIECES; k++) {
    double speed[3], curvature[3];
    for (int j = 0; j < 3; j++) {
      const double u = (k + 0.5 * j) * step, dx = a * cos(u), dy = a * cos(2 * u);
      speed[j] = hypot(dx, dy);
      /* the loop where x is above 0 turns to the right */
      curvature[j] = (right ? 1 : -1) * (a * sin(u) * dy - 2 * a * sin(2 * u) * dx) /
                     (speed[j] * speed[j] * speed[j]);
      sharpest = fmax(sharpest, fabs(curvature[j]));
    }
    pieces[k] = (piece){.length = step * (speed[0] + 4 * speed[1] + speed[2]) / 6,
                        .from = curvature[0],
                        .to = curvature[2]};
  }
  if (!check_curve(&d, 1 / sharpest, "the sharpest part of the figure eight", "size",
                   length * sharpest))
    return false;
  drive(&d, pieces, EIGHT_PIECES);
  return !d.failed;
}

static double wrapped(double angle) {
  return angle - 2 * PI * rint(angle / (2 * PI));
}

/* How much of the way before and behind a corner its curve takes, per smallest radius: the curve
 * turns by `angle` in two pieces of the length |angle|, whose curvature comes up to 1 and goes back
 * (a clothoid and its mirror image). */
static double share_of_corner(double angle) {
  const double length = fabs(angle), step = 2 * length / SIMPSON;
  double x = 0, y = 0;
  for (int k = 0; k <= SIMPSON; k++) {
    const double way = k * step, weight = k == 0 || k == SIMPSON ? 1 : k % 2 ? 4 : 2;
    const double half = way < length ? way : 2 * length - way, turned = 0.5 * half * half / length,
                 direction = way < length ? turned : length - turned;
    x += weight * cos(direction);
    y += weight * sin(direction);
  }
  return step / 3 * (x - y * cos(length) / sin(length));
}

/* A corner between two sides; 0 where it is none or a stop. */
typedef struct corner {
  double angle; /* to the left */
  double share; /* of the sides that its curve takes, m */
} corner;

typedef struct side {
  double length, direction;
  double yaw, turn; /* where yaws are given */
} side;

/* The sides from point to point, the corners between them, and the yaws that the points give. */
static bool find_sides(drawer *d, const omr_way_point *points, size_t count, side *sides,
                       corner *corners) {
  omr_way_point at = {0, 0, 0};
  for (size_t i = 0; i < count; i++) {
    side *s = &sides[i];
    const double forward = points[i].forward - at.forward, left = points[i].left - at.left;
    *s = (side){.length = hypot(forward, left), .direction = atan2(left, forward), .yaw = at.yaw};
    if (!(s->length > 0))
      return REFUSE(d, "way point %zu is where the %s is; leave it out", i,
                    i ? "one before it" : "vehicle starts");
    if (isfinite(points[i].yaw)) s->turn = points[i].yaw - at.yaw;
    at = (omr_way_point){points[i].forward, points[i].left, at.yaw + s->turn};

    /* Nobody rounds a corner that goes straight back. */
    corners[i] = (corner){0};
    if (i == 0) continue;
    const double angle = wrapped(s->direction - sides[i - 1].direction), r = d->by->corner_radius;
    corners[i].angle = angle;
    if (r > 0 && fabs(angle) > 1e-9 && fabs(angle) < 170 * PI / 180)
      corners[i].share = r * share_of_corner(angle);
  }
  return true;
}

/* Whether each side has room for the curves at its ends, and yaws turn slowly enough. */
static bool check_sides(drawer *d, const side *sides, const corner *corners, size_t count) {
  bool rounded = false;
  for (size_t i = 0; i < count; i++) {
    const double next = i + 1 < count ? corners[i + 1].share : 0, taken = corners[i].share + next,
                 straight = sides[i].length - taken;
    rounded = rounded || next > 0;
    if (straight < -1e-9 * sides[i].length)
      return REFUSE(d,
                    "the curves at the ends of the side to way point %zu take %.4g m of its %.4g "
                    "m: give a corner_radius of %.4g m or less",
                    i, taken, sides[i].length,
                    floor(d->by->corner_radius * sides[i].length / taken * 1e4) / 1e4);
    const double rate =
        straight > 0 ? 1.5 * fabs(sides[i].turn) / straight * d->by->speed : HUGE_VAL;
    if (sides[i].turn != 0 && rate > d->by->turn_rate)
      return REFUSE(d,
                    "on the way to way point %zu the vehicle turns by %.4g deg in %.4g m, at up to "
                    "%.4g deg/s, and turn_rate is %.4g deg/s: give a turn_rate of %.4g deg/s or "
                    "more, or a lower speed",
                    i, sides[i].turn * 180 / PI, fmax(straight, 0), rate * 180 / PI,
                    d->by->turn_rate * 180 / PI, ceil(rate * 1800 / PI) / 10);
  }
  return !rounded ||
         check_curve(d, d->by->corner_radius, "the curve of a corner", "corner_radius", 1);
}

/* closed: a vehicle that heads along the path turns back to its first heading at the end. */
static bool drive_points(drawer d, const omr_way_point *points, size_t count, bool closed) {
  const omr_driving *by = d.by;
  side *sides = calloc(count + 1, sizeof *sides);
  corner *corners = calloc(count + 1, sizeof *corners);
  piece *pieces = calloc(3 * count + 1, sizeof *pieces);
  for (size_t i = 0; i < count; i++) d.given = d.given || isfinite(points[i].yaw);
  begin(&d);
  bool good = sides && corners && pieces && find_sides(&d, points, count, sides, corners) &&
              check_sides(&d, sides, corners, count);

  /* Sides and rounded corners make one stretch, until a corner is a stop. */
  size_t held = 0;
  for (size_t i = 0; good && i < count; i++) {
    const bool along = !by->fixed && !d.given;
    if (held == 0) {
      if (along) turn_on_the_spot(&d, wrapped(sides[i].direction - d.yaw));
      d.direction = sides[i].direction;
    }
    const double next = i + 1 < count ? corners[i + 1].share : 0;
    const double straight = sides[i].length - corners[i].share - next;
    if (straight > 0) pieces[held++] = (piece){straight, 0, 0, sides[i].yaw, sides[i].turn};
    if (next > 0) {
      const double length = fabs(corners[i + 1].angle) * by->corner_radius,
                   most = copysign(1 / by->corner_radius, corners[i + 1].angle),
                   yaw = sides[i].yaw + sides[i].turn;
      pieces[held++] = (piece){length, 0, most, yaw, 0};
      pieces[held++] = (piece){length, most, 0, yaw, 0};
      continue;
    }
    drive(&d, pieces, held);
    held = 0;
  }
  if (good && closed && !by->fixed) turn_on_the_spot(&d, wrapped(-d.yaw));

  free(sides);
  free(corners);
  free(pieces);
  return good && !d.failed;
}

bool omr_drive_points(const omr_driving *by, const omr_way_point *points, size_t count,
                      omr_table *table, char *reason, size_t size) {
  return drive_points((drawer){.by = by, .table = table, .reason = reason, .size = size}, points,
                      count, false);
}

bool omr_drive_square(const omr_driving *by, double length, bool right, omr_table *table,
                      char *reason, size_t size) {
  const double across = right ? -length : length, half = length / 2;
  const omr_way_point whole[] = {{length, 0, (double)NAN},
                                 {length, across, (double)NAN},
                                 {0, across, (double)NAN},
                                 {0, 0, (double)NAN}};
  const omr_way_point rounded[] = {{half, 0, (double)NAN},
                                   {half, across, (double)NAN},
                                   {-half, across, (double)NAN},
                                   {-half, 0, (double)NAN},
                                   {0, 0, (double)NAN}};
  const bool round = by->corner_radius > 0;
  return drive_points((drawer){.by = by, .table = table, .reason = reason, .size = size},
                      round ? rounded : whole, round ? 5 : 4, true);
}
