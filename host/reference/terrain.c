#include "terrain.h"

#include <stdbool.h>

enum { STEPS = 60, NEWTON = 20 };

omr_vec omr_terrain_up(const omr_values *values) {
  const double *v = values->vehicle, slope = v[OMR_VP_FLOOR_SLOPE],
               uphill = v[OMR_VP_FLOOR_DIRECTION];
  /* what heads uphill at the yaw d has its x axis along (cos d, 0, -sin d), level */
  return omr_vec_of(sin(slope) * cos(uphill), cos(slope), -sin(slope) * sin(uphill));
}

void omr_terrain_read(omr_terrain *t, const omr_study *study, const omr_values *values) {
  (void)study, (void)values;
  *t = (omr_terrain){.waves = 0};
}

bool omr_terrain_is_plane(const omr_terrain *t) {
  return t->waves == 0;
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

omr_relief omr_terrain_at(const omr_terrain *t, double x, double z) {
  omr_relief r = {.height = 0};
  for (int n = 0; n < t->waves; n++) add_wave(&t->wave[n], x, z, &r);
  return r;
}

/* ---- where a body touches */

/* A guess of the place, and where the body's point with the terrain's normal there is. */
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
  if (!newton || !(determinant > 0.1)) return; /* no more curved than the body: else by itself */
  *x = g->x + (zz * g->miss[0] - xz * g->miss[1]) / determinant;
  *z = g->z + (xx * g->miss[1] - zx * g->miss[0]) / determinant;
}

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
