/* The reference's own reading of a map of heights: curves along x through nodes of one z, and a
 * curve along z through their values (appendix/reference.md#bodies). */
#include "terrain.h"

/* A curve's height with its first two derivatives. */
typedef struct bent {
  double height, slope, bend;
} bent;

/* Height between the second and the third of four nodes, at the part t of the way: straight, or
 * Hermite's cubic with the slopes of the neighbours' chords. */
static bent between(const double h[4], double t, bool smooth) {
  const double rise = h[2] - h[1];
  if (!smooth) return (bent){h[1] + t * rise, rise, 0};
  const double first = (h[2] - h[0]) / 2, last = (h[3] - h[1]) / 2;
  const double square = 3 * rise - 2 * first - last, cube = first + last - 2 * rise;
  return (bent){h[1] + t * (first + t * (square + t * cube)),
                first + t * (2 * square + 3 * t * cube), 2 * square + 6 * t * cube};
}

/* A node; one step outside of the map its lines continue straight. */
static double node_at(const omr_height_map *m, long column, long row) {
  const long last = (long)m->nodes[0] - 1, end = (long)m->nodes[1] - 1;
  if (column < 0) return 2 * node_at(m, 0, row) - node_at(m, 1, row);
  if (column > last) return 2 * node_at(m, last, row) - node_at(m, last - 1, row);
  if (row < 0) return 2 * node_at(m, column, 0) - node_at(m, column, 1);
  if (row > end) return 2 * node_at(m, column, end) - node_at(m, column, end - 1);
  return m->height[(size_t)(row + 1) * (m->nodes[0] + 2) + (size_t)(column + 1)];
}

/* Place along an axis: its cell, the part of the way through it, and the cells per metre by which
 * that changes, 0 beyond the border. */
static long find_cell(const omr_height_map *m, int axis, double place, double *part, double *per) {
  const double cells = (double)(m->nodes[axis] - 1),
               way = (place - m->first[axis]) / m->spacing[axis];
  *per = 1 / m->spacing[axis];
  if (way < 0 || way > cells) *per = 0;
  const double inside = way < 0 ? 0 : way > cells ? cells : way;
  const double cell = inside < cells ? floor(inside) : cells - 1;
  *part = inside - cell;
  return (long)cell;
}

void omr_terrain_add_map(const omr_terrain_map *t, double x, double z, omr_relief *r) {
  const omr_height_map *m = t->nodes;
  const double a = t->along[0], b = t->along[1], dx = x - t->place[0], dz = z - t->place[1];
  double part[2], per[2], height[4], slope[4], bend[4];

  /* the cell, and curves along its first axis through four rows */
  const long column = find_cell(m, 0, a * dx + b * dz, &part[0], &per[0]),
             row = find_cell(m, 1, a * dz - b * dx, &part[1], &per[1]);
  for (int n = 0; n < 4; n++) {
    double line[4];
    for (int j = 0; j < 4; j++) line[j] = node_at(m, column + j - 1, row + n - 1);
    const bent curve = between(line, part[0], m->smooth);
    height[n] = curve.height;
    slope[n] = curve.slope * per[0];
    bend[n] = curve.bend * per[0] * per[0];
  }

  /* one curve along the other axis through their heights, slopes and bends */
  const bent heights = between(height, part[1], m->smooth),
             slopes = between(slope, part[1], m->smooth), bends = between(bend, part[1], m->smooth);
  const double u = t->scale * slopes.height, v = t->scale * heights.slope * per[1],
               uu = t->scale * bends.height, uv = t->scale * slopes.slope * per[1],
               vv = t->scale * heights.bend * per[1] * per[1];

  /* turned from the map's directions into the world's */
  r->height += t->offset + t->scale * heights.height;
  r->slope[0] += u * a - v * b;
  r->slope[1] += u * b + v * a;
  r->bend[0] += uu * a * a - 2 * uv * a * b + vv * b * b;
  r->bend[1] += uu * a * b + uv * (a * a - b * b) - vv * a * b;
  r->bend[2] += uu * b * b + 2 * uv * a * b + vv * a * a;
}
