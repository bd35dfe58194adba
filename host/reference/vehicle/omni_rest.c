/* Rest of a vehicle on compliant contacts: the least potential energy of weight and springs over
 * height, pitch and roll, without friction, with the wheels at their initial angles. */
#include "model/fold.h"
#include "omni_compliant.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100, HALVINGS = 40 };

enum { POSE = 3, MOST = POSE + OMR_MAX_WHEELS }; /* unknowns: height, pitch, roll, travels */

/* A roller fixed in the platform, except for the travel of its wheel. */
typedef struct support {
  omr_vec center, axis; /* body axes, from the body origin */
  omr_compliant_law law;
  int wheel;
} support;

typedef struct stand {
  int count, wheels;
  bool line;    /* its wheels stand on one line */
  int unknowns; /* POSE while wheels are locked in their places, else travels too */
  support *roller;
  double weight, gravity;
  omr_vec up;        /* the direction against gravity, world axes */
  omr_vec place;     /* of the body origin on the plane */
  double heading[2]; /* cosine and sine of the yaw */
  const omr_terrain *terrain;
  omr_vec com; /* of the whole vehicle with its wheels in their places, body axes */
  double unsprung[OMR_MAX_WHEELS];
  const omr_omni_suspension *suspension;
} stand;

/* Energy in a pose, its derivatives, and the second derivatives for touching points that stay fixed
 * in the bodies. */
typedef struct valley {
  double energy, gradient[MOST], hesse[MOST * MOST];
} valley;

/* A vector of the body, turned by roll, pitch and heading, and its derivatives by pitch and roll.
 */
typedef struct turned {
  omr_vec is, by_pitch, by_roll;
} turned;

static omr_vec head(const stand *s, omr_vec v) {
  const double c = s->heading[0], d = s->heading[1];
  return omr_vec_of(c * v.x + d * v.z, v.y, c * v.z - d * v.x);
}

static turned turn(const stand *s, const double *pose, omr_vec v) {
  const double c = cos(pose[1]), d = sin(pose[1]), e = cos(pose[2]), f = sin(pose[2]);
  const double y = e * v.y - f * v.z, z = f * v.y + e * v.z;
  return (turned){head(s, omr_vec_of(c * v.x - d * y, d * v.x + c * y, z)),
                  head(s, omr_vec_of(-d * v.x - c * y, c * v.x - d * y, 0)),
                  head(s, omr_vec_of(d * z, -c * z, y))};
}

/* Adds the terms that are linear and quadratic in a wheel's travel. */
static void add_travel(const stand *s, const double *pose, int wheel, valley *at) {
  const omr_omni_suspension *spring = &s->suspension[wheel];
  const int own = POSE + wheel;
  const double weight = s->unsprung[wheel] * s->gravity, travel = pose[own];
  const turned v = turn(s, pose, omr_vec_of(0, 1, 0));
  at->energy +=
      travel * (weight * omr_dot(s->up, v.is) + spring->preload + spring->stiffness * travel / 2);
  at->gradient[1] += weight * travel * omr_dot(s->up, v.by_pitch);
  at->gradient[2] += weight * travel * omr_dot(s->up, v.by_roll);
  at->gradient[own] += weight * omr_dot(s->up, v.is) + spring->preload + spring->stiffness * travel;
  at->hesse[MOST * own + own] += spring->stiffness;
}

/* Depth of a roller, and its derivatives by the pose: the descent of its material point. */
static double depth_of(const stand *s, const support *r, const double *pose, double by[POSE + 1]) {
  const omr_vec place = omr_add(s->place, omr_vec_of(0, pose[0], 0)),
                from = omr_add(r->center, omr_vec_of(0, pose[POSE + r->wheel], 0));
  const omr_vec center = omr_add(place, turn(s, pose, from).is), e = turn(s, pose, r->axis).is;
  const omr_terrain_touch touch = omr_compliant_meet(&r->law, s->terrain, center, e, OMR_ANY_END);
  const omr_vec n = omr_scale(-1 / touch.normal.y, touch.normal);
  /* the point's arm in body axes turns as a body's vector does */
  omr_vec arm;
  const omr_vec all = omr_sub(omr_add(center, touch.point), place);
  arm.x = omr_dot(all, turn(s, pose, omr_vec_of(1, 0, 0)).is);
  arm.y = omr_dot(all, turn(s, pose, omr_vec_of(0, 1, 0)).is);
  arm.z = omr_dot(all, turn(s, pose, omr_vec_of(0, 0, 1)).is);
  const turned swings = turn(s, pose, arm);
  by[0] = n.y;
  by[1] = omr_dot(n, swings.by_pitch);
  by[2] = omr_dot(n, swings.by_roll);
  by[POSE] = omr_dot(n, turn(s, pose, omr_vec_of(0, 1, 0)).is);
  return touch.depth;
}

static void add_roller(const stand *s, const support *r, const double *pose, valley *at) {
  double by[POSE + 1];
  const double depth = depth_of(s, r, pose, by);
  if (!(depth > 0)) return;
  const int place[POSE + 1] = {0, 1, 2, POSE + r->wheel};
  const double force = r->law.stiffness * pow(depth, r->law.exponent);
  at->energy += force * depth / (r->law.exponent + 1);
  for (int a = 0; a <= POSE; a++) {
    at->gradient[place[a]] += force * by[a];
    for (int b = 0; b <= POSE; b++)
      at->hesse[MOST * place[a] + place[b]] += r->law.exponent * force / depth * by[a] * by[b];
  }
}

static void look(const stand *s, const double *pose, valley *at) {
  const turned com = turn(s, pose, s->com);
  *at = (valley){.energy = s->weight * (pose[0] * s->up.y + omr_dot(s->up, com.is)),
                 .gradient = {s->weight * s->up.y, s->weight * omr_dot(s->up, com.by_pitch),
                              s->weight * omr_dot(s->up, com.by_roll)}};
  for (int i = 0; i < s->wheels && s->unknowns > POSE; i++) add_travel(s, pose, i, at);
  for (int j = 0; j < s->count; j++) add_roller(s, &s->roller[j], pose, at);
}

static support roller_of(const omr_omni *omni, const omr_wheel_body *from, int wheel, int j) {
  const double *v = omni->values.wheel[wheel];
  const omr_roller *shape = &from->roller;
  const bool disc = omr_omni_is_bare(omni->study, wheel); /* about the wheel's own axle */
  const double angle = v[OMR_WP_ANGLE] + 2 * PI * j / shape->rollers, lean = shape->inclination,
               shift = (j % 2 == 0 ? 0.5 : -0.5) * shape->row_distance;
  const bool swivels = omr_wheel_swivels(omni->study->kind[wheel]);
  const double heading = from->delta + (swivels ? v[OMR_WP_STEER] : 0);
  const omr_vec i = {cos(heading), 0, -sin(heading)}, k = {sin(heading), 0, cos(heading)},
                up = {0, 1, 0};
  const omr_vec hub = omr_axpy(omr_vec_of(from->a, shape->radius, from->b), -from->trail, i);
  const omr_vec out = omr_axpy(omr_scale(sin(angle), i), -cos(angle), up),
                ahead = omr_axpy(omr_scale(cos(angle), i), sin(angle), up);
  return (support){.center = disc ? hub : omr_axpy(omr_axpy(hub, shape->center, out), shift, k),
                   .axis = disc ? k : omr_axpy(omr_scale(cos(lean), ahead), sin(lean), k),
                   .law = omr_omni_spring(omni, wheel, shape),
                   .wheel = wheel};
}

/* True if no three wheels that carry span a triangle. */
static bool on_a_line(const omr_omni *omni, const omr_vehicle_body *body) {
  const omr_wheel_body *w = body->wheel;
  const omr_wheel_kind *kind = omni->study->kind;
  for (int i = 0; i < body->wheels; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++) {
        const double a[2] = {w[j].a - w[i].a, w[j].b - w[i].b},
                     b[2] = {w[k].a - w[i].a, w[k].b - w[i].b};
        if (kind[i] == OMR_WHEEL_TRACKING || kind[j] == OMR_WHEEL_TRACKING ||
            kind[k] == OMR_WHEEL_TRACKING)
          continue;
        if (fabs(a[0] * b[1] - a[1] * b[0]) > 1e-5 * hypot(a[0], a[1]) * hypot(b[0], b[1]))
          return false;
      }
  return true;
}

static int rollers_of(const omr_omni *omni, const omr_vehicle_body *body, int wheel) {
  return omr_omni_is_bare(omni->study, wheel) ? 1 : body->wheel[wheel].roller.rollers;
}

/* The roller nearest to straight down. */
static int lowest_of(const omr_omni *omni, int wheel, int rollers) {
  const double turn = omni->values.wheel[wheel][OMR_WP_ANGLE], pitch = 2 * PI / rollers;
  int lowest = 0;
  for (int j = 0; j < rollers; j++)
    if (fabs(remainder(turn + pitch * j, 2 * PI)) < fabs(remainder(turn + pitch * lowest, 2 * PI)))
      lowest = j;
  return lowest;
}

static bool make_stand(const omr_omni *omni, const omr_vehicle_body *body, stand *s) {
  const double *p = omni->values.vehicle;
  double mass = p[OMR_VP_PLATFORM_MASS];
  int count = 0;

  /* room for every roller of every wheel */
  for (int i = 0; i < body->wheels; i++) count += rollers_of(omni, body, i);
  *s = (stand){.wheels = body->wheels,
               .unknowns = POSE,
               .weight = omni->weight,
               .gravity = p[OMR_VP_GRAVITY],
               .up = omr_terrain_up(&omni->values),
               .place = {p[OMR_VP_INITIAL_X], 0, p[OMR_VP_INITIAL_Z]},
               .heading = {cos(p[OMR_VP_INITIAL_YAW]), sin(p[OMR_VP_INITIAL_YAW])},
               .terrain = &omni->terrain,
               .suspension = omni->suspension,
               .roller = calloc((size_t)count, sizeof *s->roller)};
  if (!s->roller) return false;

  /* mean of all masses, with the wheels in their places */
  s->com = omr_scale(mass, omr_vec_of(p[OMR_VP_COM_X], p[OMR_VP_COM_HEIGHT], p[OMR_VP_COM_Z]));
  for (int i = 0; i < body->wheels; i++) {
    const omr_wheel_body *w = &body->wheel[i];
    s->unsprung[i] = omr_omni_wheel_mass(omni, w, i);
    s->com = omr_axpy(s->com, s->unsprung[i], omr_vec_of(w->a, w->roller.radius, w->b));
    mass += s->unsprung[i];
    const int all = rollers_of(omni, body, i), lowest = lowest_of(omni, i, all);
    const bool tracks = omni->study->kind[i] == OMR_WHEEL_TRACKING;
    for (int j = 0; j < all; j++)
      if (!tracks || j == lowest) s->roller[s->count++] = roller_of(omni, w, i, j);
  }

  s->com = omr_scale(1 / mass, s->com);
  s->line = on_a_line(omni, body);
  return true;
}

/* A step of Newton's method, halved until the energy does not grow; returns its size in metres or
 * radians. */
static double improve(const stand *s, double *pose) {
  valley here, there;
  double trial[MOST] = {0}, size = 0, part = 1;
  lapack_int pivot[MOST];
  look(s, pose, &here);
  if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, s->unknowns, 1, here.hesse, MOST, pivot, here.gradient, 1))
    return (double)NAN;
  for (int a = 0; a < s->unknowns; a++) size = fmax(size, fabs(here.gradient[a]));
  for (int n = 0; n < HALVINGS; n++, part /= 2) {
    for (int a = 0; a < s->unknowns; a++) trial[a] = pose[a] - part * here.gradient[a];
    look(s, trial, &there);
    if (there.energy <= here.energy + 1e-14 * fabs(here.energy)) break;
  }
  memcpy(pose, trial, (size_t)s->unknowns * sizeof *pose);
  return part * size;
}

/* Newton's method on the gradient, whose second derivatives are its differences: where all wheels
 * stand on one line, the weight alone holds or tips the vehicle, and its balance may be no valley.
 */
static bool balance(const stand *s, double *pose) {
  const double h = 1e-6;
  double step = 1;
  for (int n = 0; n < STEPS && step > 1e-14; n++) {
    valley here, above, below;
    double slopes[MOST * MOST];
    lapack_int pivot[MOST];
    look(s, pose, &here);
    for (int b = 0; b < s->unknowns; b++) {
      const double at = pose[b];
      pose[b] = at + h;
      look(s, pose, &above);
      pose[b] = at - h;
      look(s, pose, &below);
      pose[b] = at;
      for (int a = 0; a < s->unknowns; a++)
        slopes[MOST * a + b] = (above.gradient[a] - below.gradient[a]) / (2 * h);
    }
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, s->unknowns, 1, slopes, MOST, pivot, here.gradient, 1))
      return false;
    step = 0;
    for (int a = 0; a < s->unknowns; a++) {
      pose[a] -= fmax(-0.1, fmin(0.1, here.gradient[a]));
      step = fmax(step, fabs(here.gradient[a]));
    }
  }
  return step < 1e-12 && fabs(pose[1]) < 0.5 && fabs(pose[2]) < 0.5;
}

/* Newton's method from a height in which all wheels reach the floor. */
static bool settle(const stand *s, double *pose) {
  const omr_compliant_law *law = &s->roller[0].law;
  for (int j = 0; j < s->count; j++) /* the stiffest spring */
    if (s->roller[j].law.stiffness > law->stiffness) law = &s->roller[j].law;
  double step = 1;
  memset(pose, 0, MOST * sizeof *pose);
  pose[0] = omr_terrain_lowest(s->terrain) - pow(s->weight / law->stiffness, 1 / law->exponent) -
            law->undersize;
  if (s->line) return balance(s, pose);
  for (int n = 0; n < STEPS && step > 1e-16; n++) step = improve(s, pose);
  return step < 1e-13;
}

/* Force of a wheel's rollers along the body's own vertical in a pose with the wheels in their
 * places, N. */
static double carried(const stand *s, const double *pose, int wheel) {
  double load = 0;
  for (int j = 0; j < s->count; j++) {
    valley at = {.energy = 0};
    if (s->roller[j].wheel != wheel) continue;
    add_roller(s, &s->roller[j], pose, &at);
    load -= at.gradient[POSE + wheel];
  }
  return load;
}

/* Reads the suspension of the wheels; true if preloads follow from the rest. */
static bool read_suspension(omr_omni *omni) {
  bool open = false;
  for (int i = 0; i < omni->study->wheels && omni->study->contact.suspension; i++) {
    const double *v = omni->values.wheel[i];
    omni->suspension[i] = (omr_omni_suspension){.stiffness = v[OMR_WP_SUSPENSION_STIFFNESS],
                                                .damping = v[OMR_WP_SUSPENSION_DAMPING],
                                                .preload = v[OMR_WP_SUSPENSION_PRELOAD],
                                                .mass = v[OMR_WP_SUSPENSION_MASS]};
    open = open || isnan(omni->suspension[i].preload);
  }
  return open;
}

/* Springs without a given preload carry their load at the rest with the wheels in their places or,
 * if there is no such rest, their share of the weight. */
static void preload(omr_omni *omni, const stand *s) {
  double pose[MOST];
  const bool rests = settle(s, pose);
  if (!rests) memset(pose, 0, sizeof pose);
  const double lean = omr_dot(s->up, turn(s, pose, omr_vec_of(0, 1, 0)).is);
  for (int i = 0; i < s->wheels; i++) {
    const double load = rests ? carried(s, pose, i) : s->weight / s->wheels;
    if (isnan(omni->suspension[i].preload))
      omni->suspension[i].preload = load - s->unsprung[i] * s->gravity * lean;
  }
}

/* Finds the rest of a vehicle (appendix/reference.md#bodies). */
bool omr_omni_rest(omr_omni *omni, const omr_vehicle_body *body, double rest[3], omr_reason *why) {
  const double height = omni->values.vehicle[OMR_VP_INITIAL_HEIGHT];
  const bool open = read_suspension(omni);
  double pose[MOST] = {0};
  stand s;

  /* a given height needs no rest, unless preloads follow from it */
  rest[0] = isnan(height) ? 0 : height;
  rest[1] = rest[2] = 0;
  if (!(omni->weight > 0) || (!isnan(height) && !open)) return true;

  if (!make_stand(omni, body, &s)) return omr_refuse(why, "out of memory");

  /* first the preloads, then the travels of the suspension */
  if (open) preload(omni, &s);
  if (omni->study->contact.suspension) s.unknowns = POSE + s.wheels;

  const bool good = !isnan(height) || settle(&s, pose);
  free(s.roller);
  if (!isnan(height)) return true;

  memcpy(rest, pose, POSE * sizeof *rest);
  for (int i = 0; i < omni->study->wheels; i++) omni->suspension[i].start = pose[POSE + i];
  if (good) return true;

  return omr_refuse(why, "the vehicle does not rest on its wheels: its centre of mass is not above "
                         "them; give initial.height");
}
