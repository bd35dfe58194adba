#include "terrain.h"

#include <stdbool.h>

#include "study/designs/draws.h"

enum { STEPS = 60, NEWTON = 20 };

omr_vec omr_terrain_up(const omr_values *values) {
  const double *v = values->vehicle, slope = v[OMR_VP_FLOOR_SLOPE],
               uphill = v[OMR_VP_FLOOR_DIRECTION];
  /* a vehicle heading uphill at the yaw d has its x axis along (cos d, 0, -sin d), level */
  return omr_vec_of(sin(slope) * cos(uphill), cos(slope), -sin(slope) * sin(uphill));
}

/* Adds a wave of this length that a vehicle heading along the yaw meets straight on. */
static void lay_wave(omr_terrain *t, double amplitude, double length, double yaw, double phase) {
  const double number = 2 * PI / length;
  t->wave[t->waves++] = (omr_terrain_wave){amplitude, number * cos(yaw), -number * sin(yaw), phase};
}

/* Waves of all directions. If the floor's density along any line is G (n/n_0)^-2, its mean square
 * between the wave numbers a and b, in cycles per metre, is C (1/a - 1/b): a wave that crosses the
 * line at the angle x appears as n cos x, and the mean of cos x over all waves is 2/pi, so that C =
 * pi/2 G n_0^2. Each wave has one of equal ratios of lengths, and its part of the square. */
static void lay_roughness(omr_terrain *t, const double *v) {
  const double level = PI / 2 * v[OMR_VP_FLOOR_DEGREE] * 0.1 * 0.1;
  const double ratio = v[OMR_VP_FLOOR_LONGEST] / v[OMR_VP_FLOOR_SHORTEST];
  const int count = (int)v[OMR_VP_FLOOR_WAVES];
  for (int n = 0; n < count; n++) {
    uint64_t first[2], second[2];
    omr_draw_for(OMR_FOR_FLOOR, (uint64_t)v[OMR_VP_FLOOR_SEED], (uint64_t)n, 0, first);
    omr_draw_for(OMR_FOR_FLOOR, (uint64_t)v[OMR_VP_FLOOR_SEED], (uint64_t)n, 1, second);
    const double low = v[OMR_VP_FLOOR_SHORTEST] * pow(ratio, (double)n / count),
                 high = v[OMR_VP_FLOOR_SHORTEST] * pow(ratio, (double)(n + 1) / count);
    lay_wave(t, sqrt(2 * level * (high - low)), low + (high - low) * omr_draw_unit(first[0]),
             2 * PI * omr_draw_unit(second[0]), 2 * PI * omr_draw_unit(second[1]));
  }
}

void omr_terrain_read(omr_terrain *t, const omr_study *study, const omr_values *values) {
  const double *v = values->vehicle, across = v[OMR_VP_FLOOR_STEP_DIRECTION],
               width = v[OMR_VP_FLOOR_STEP_WIDTH];

  /* a step, a wave and roughness, as far as the study has them */
  *t = (omr_terrain){.step = {.height = v[OMR_VP_FLOOR_STEP_HEIGHT],
                              .place = v[OMR_VP_FLOOR_STEP_PLACE],
                              .ramp = v[OMR_VP_FLOOR_STEP_RAMP],
                              .width = isnan(width) ? HUGE_VAL : width,
                              .along = {cos(across), -sin(across)}}};
  if (v[OMR_VP_FLOOR_WAVE_AMPLITUDE] != 0)
    lay_wave(t, v[OMR_VP_FLOOR_WAVE_AMPLITUDE], v[OMR_VP_FLOOR_WAVE_LENGTH],
             v[OMR_VP_FLOOR_WAVE_DIRECTION], v[OMR_VP_FLOOR_WAVE_PHASE]);
  if (v[OMR_VP_FLOOR_DEGREE] > 0) lay_roughness(t, v);
  const double turned = v[OMR_VP_FLOOR_MAP_DIRECTION];

  /* a map of heights, in place and direction */
  if (study->floor.map.given)
    t->map = (omr_terrain_map){.nodes = &study->floor.map,
                               .place = {v[OMR_VP_FLOOR_MAP_X], v[OMR_VP_FLOOR_MAP_Z]},
                               .along = {cos(turned), -sin(turned)},
                               .offset = v[OMR_VP_FLOOR_MAP_OFFSET],
                               .scale = v[OMR_VP_FLOOR_MAP_SCALE]};
}

bool omr_terrain_is_plane(const omr_terrain *t) {
  return t->waves == 0 && t->step.height == 0 && !t->map.nodes;
}

double omr_terrain_lowest(const omr_terrain *t) {
  double lowest = fmin(t->step.height, 0);
  for (int n = 0; n < t->waves; n++) lowest -= fabs(t->wave[n].amplitude);
  if (t->map.nodes)
    lowest +=
        t->map.offset + fmin(t->map.scale * t->map.nodes->low, t->map.scale * t->map.nodes->high);
  return lowest;
}

static void add_wave(const omr_terrain_wave *w, double x, double z, omr_relief *r) {
  const double phase = w->kx * x + w->kz * z + w->phase, sine = w->amplitude * sin(phase),
               cosine = w->amplitude * cos(phase);
  r->height += sine;
  r->slope[0] += w->kx * cosine;
  r->slope[1] += w->kz * cosine;
  r->bend[0] -= w->kx * w->kx * sine;
  r->bend[1] -= w->kx * w->kz * sine;
  r->bend[2] -= w->kz * w->kz * sine;
}

/* 3 t^2 - 2 t^3 of the passed part t of the ramp, times sign, with its derivatives. */
static void add_ramp(const omr_terrain_step *s, double from, double sign, double way,
                     double ramp[3]) {
  const double t = (way - from) / s->ramp, size = sign * s->height;
  if (t >= 1) ramp[0] += size;
  if (!(t > 0 && t < 1)) return;
  ramp[0] += size * t * t * (3 - 2 * t);
  ramp[1] += size * 6 * t * (1 - t) / s->ramp;
  ramp[2] += size * 6 * (1 - 2 * t) / (s->ramp * s->ramp);
}

static void add_step(const omr_terrain_step *s, double x, double z, omr_relief *r) {
  const double a = s->along[0], b = s->along[1], way = a * x + b * z;
  double ramp[3] = {0, 0, 0};
  add_ramp(s, s->place, 1, way, ramp);
  if (s->width < HUGE_VAL) add_ramp(s, s->place + s->width, -1, way, ramp);
  r->height += ramp[0];
  r->slope[0] += ramp[1] * a;
  r->slope[1] += ramp[1] * b;
  r->bend[0] += ramp[2] * a * a;
  r->bend[1] += ramp[2] * a * b;
  r->bend[2] += ramp[2] * b * b;
}

omr_relief omr_terrain_at(const omr_terrain *t, double x, double z) {
  omr_relief r = {.height = 0};
  for (int n = 0; n < t->waves; n++) add_wave(&t->wave[n], x, z, &r);
  if (t->step.height != 0) add_step(&t->step, x, z, &r);
  if (t->map.nodes) omr_terrain_add_map(&t->map, x, z, &r);
  return r;
}

/* ---- the touching point of a body */

/* A guess of the place, and the body's point with the terrain's normal there. */
typedef struct guess {
  double x, z;
  double miss[2]; /* that point less the place */
  double length;  /* of (-H_x, 1, -H_z) */
  omr_relief relief;
  omr_support body;
  omr_terrain_touch touch;
} guess;

static guess look(const omr_terrain *t, omr_vec centre,
                  omr_support (*support)(const void *self, omr_vec n), const void *self, double x,
                  double z) {
  guess g = {.x = x, .z = z, .relief = omr_terrain_at(t, x, z)};
  const omr_vec steep = {-g.relief.slope[0], 1, -g.relief.slope[1]};
  g.length = omr_norm(steep);
  g.touch.normal = omr_scale(1 / g.length, steep);
  g.body = support(self, g.touch.normal);
  g.touch.point = g.body.point;
  const omr_vec at = omr_add(centre, g.body.point);
  g.miss[0] = at.x - x;
  g.miss[1] = at.z - z;
  return g;
}

/* Newton's step. With the symmetric matrices B of second derivatives of the height and A of the
 * body's point by the normal, the point moves by A B/length of the place's own motion. */
static void correct(const guess *g, bool newton, double *x, double *z) {
  const double *b = g->relief.bend;
  const omr_vec *row = g->body.turns.row;
  const double xx = 1 - (row[0].x * b[0] + row[0].z * b[1]) / g->length,
               xz = -(row[0].x * b[1] + row[0].z * b[2]) / g->length,
               zx = -(row[2].x * b[0] + row[2].z * b[1]) / g->length,
               zz = 1 - (row[2].x * b[1] + row[2].z * b[2]) / g->length;
  const double determinant = xx * zz - xz * zx;
  *x = g->x + g->miss[0];
  *z = g->z + g->miss[1];
  if (!newton || !(determinant > 0.1)) return; /* too curved a floor: go by the residual */
  *x = g->x + (zz * g->miss[0] - xz * g->miss[1]) / determinant;
  *z = g->z + (xx * g->miss[1] - zx * g->miss[0]) / determinant;
}

/* Finds the touching point of a body (appendix/reference.md#bodies). */
omr_terrain_touch omr_terrain_meet(const omr_terrain *t, omr_vec centre,
                                   omr_support (*support)(const void *self, omr_vec n),
                                   const void *self) {
  const omr_support level = support(self, omr_vec_of(0, 1, 0));
  omr_terrain_touch touch = {{0, 1, 0}, level.point, level.height - centre.y};
  if (omr_terrain_is_plane(t)) return touch;
  double x = centre.x + level.point.x, z = centre.z + level.point.z;
  for (int n = 0; n < STEPS; n++) {
    const guess g = look(t, centre, support, self, x, z);
    touch = g.touch;
    correct(&g, n < NEWTON, &x, &z);
    if (fabs(x - g.x) + fabs(z - g.z) < 1e-15) break;
  }
  const omr_vec at = omr_add(centre, touch.point);
  touch.depth = omr_terrain_at(t, at.x, at.z).height - at.y;
  return touch;
}
