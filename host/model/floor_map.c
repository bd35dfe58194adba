/* The map of the floor's heights in the tables of a run, and its evaluation on the host
 * (appendix/springs.md#floors). */
#include "floor.h"

#include <math.h>
#include <string.h>

static size_t framed_nodes(const omr_height_map *map) {
  return (map->nodes[0] + 2) * (map->nodes[1] + 2);
}

size_t omr_floor_map_size(const omr_study *study) {
  const omr_height_map *map = &study->floor.map;
  return map->height ? MAP_NODES + framed_nodes(map) : 0;
}

double *omr_floor_map_pack(const omr_study *study, double *to) {
  const omr_height_map *map = &study->floor.map;
  to[MAP_FIRST_X] = map->first[0];
  to[MAP_FIRST_Z] = map->first[1];
  to[MAP_PER_X] = 1 / map->spacing[0];
  to[MAP_PER_Z] = 1 / map->spacing[1];
  to[MAP_ALONG] = (double)map->nodes[0];
  to[MAP_ACROSS] = (double)map->nodes[1];
  to[MAP_SMOOTH] = map->smooth;
  memcpy(to + MAP_NODES, map->height, framed_nodes(map) * sizeof *to);
  return to + omr_floor_map_size(study);
}

omr_floor_map omr_floor_map_of_study(const omr_study *study) {
  const omr_height_map *map = &study->floor.map;
  if (!map->height) return (omr_floor_map){.height = NULL};
  return (omr_floor_map){.smooth = map->smooth,
                         .nodes = {(int)map->nodes[0], (int)map->nodes[1]},
                         .first = {map->first[0], map->first[1]},
                         .per = {1 / map->spacing[0], 1 / map->spacing[1]},
                         .height = map->height};
}

omr_floor_map omr_floor_map_of_tables(const double *table) {
  return (omr_floor_map){.smooth = table[MAP_SMOOTH] != 0,
                         .nodes = {(int)table[MAP_ALONG], (int)table[MAP_ACROSS]},
                         .first = {table[MAP_FIRST_X], table[MAP_FIRST_Z]},
                         .per = {table[MAP_PER_X], table[MAP_PER_Z]},
                         .height = table + MAP_NODES};
}

/* Position of a place along an axis of the map: the node before it, and the weights of the four
 * nodes around for value, slope and its rate by the place in metres. */
typedef struct omr_map_axis {
  int node;
  double weight[3][4];
} omr_map_axis;

static omr_map_axis look_along(const omr_floor_map *map, int axis, double place) {
  const double last = map->nodes[axis] - 1, raw = (place - map->first[axis]) * map->per[axis],
               at = fmin(fmax(raw, 0), last), per = raw == at ? map->per[axis] : 0;
  omr_map_axis a = {.node = (int)fmin(at, last - 1)};
  const double t = at - a.node, line[3][4] = {{0, 1 - t, t, 0}, {0, -1, 1, 0}, {0, 0, 0, 0}};
  const double cubic[3][4] = {{-0.5 * t * (t - 1) * (t - 1), 0.5 * t * t * (3 * t - 5) + 1,
                               -0.5 * t * ((3 * t - 4) * t - 1), 0.5 * t * t * (t - 1)},
                              {-0.5 * ((3 * t - 4) * t + 1), 0.5 * t * (9 * t - 10),
                               -0.5 * ((9 * t - 8) * t - 1), 0.5 * t * (3 * t - 2)},
                              {2 - 3 * t, 9 * t - 5, 4 - 9 * t, 3 * t - 1}};
  memcpy(a.weight, map->smooth ? cubic : line, sizeof a.weight);
  for (int j = 0; j < 4; j++) {
    a.weight[1][j] *= per;
    a.weight[2][j] *= per * per;
  }
  return a;
}

/* Weighted sum of the heights around, with these orders of derivatives along both axes. */
static double sum_of(const omr_floor_map *map, const omr_map_axis *x, int x_order,
                     const omr_map_axis *z, int z_order) {
  const size_t width = (size_t)map->nodes[0] + 2;
  double sum = 0;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++)
      sum += z->weight[z_order][r] * x->weight[x_order][c] *
             map->height[(size_t)(z->node + r) * width + (size_t)(x->node + c)];
  return sum;
}

/* appendix/springs.md#floors */
void omr_floor_map_add(const omr_floor *floor, double x, double z, omr_floor_spot *spot) {
  const omr_floor_map *map = &floor->map;
  const double *f = floor->columns, c = f[F_MAP_COS], s = f[F_MAP_SIN], scale = f[F_MAP_SCALE],
               dx = x - f[F_MAP_X], dz = z - f[F_MAP_Z];
  spot->height += f[F_MAP_OFFSET];
  if (!map->height) return; /* a study stored in its result has no heights */
  const omr_map_axis a = look_along(map, 0, dx * c - dz * s),
                     b = look_along(map, 1, dx * s + dz * c);
  const double u = scale * sum_of(map, &a, 1, &b, 0), v = scale * sum_of(map, &a, 0, &b, 1),
               uu = scale * sum_of(map, &a, 2, &b, 0), uv = scale * sum_of(map, &a, 1, &b, 1),
               vv = scale * sum_of(map, &a, 0, &b, 2);
  spot->height += scale * sum_of(map, &a, 0, &b, 0);
  spot->x += u * c + v * s;
  spot->z += v * c - u * s;
  spot->xx += uu * c * c + 2 * uv * c * s + vv * s * s;
  spot->xz += (vv - uu) * c * s + uv * (c * c - s * s);
  spot->zz += uu * s * s - 2 * uv * c * s + vv * c * c;
}

double omr_floor_map_top(const omr_study *study, const double *columns) {
  const omr_height_map *map = &study->floor.map;
  const double scale = columns[F_MAP_SCALE];
  if (!map->height) return columns[F_MAP_OFFSET];
  return columns[F_MAP_OFFSET] + fmax(scale * map->low, scale * map->high);
}

/* Rate of the slopes along an axis at a node with four neighbours, times the square of the spacing:
 * on either side of it for a cubic map, at the corner otherwise. */
static double bend_at(const omr_height_map *map, const double *node, size_t step, bool ends) {
  const double *h = node, back = *(h - step), here = *h, next = h[step];
  if (!map->smooth || ends) return fabs(back - 2 * here + next);
  const double before = 2 * next - 5 * here + 4 * back - *(h - 2 * step),
               after = 2 * back - 5 * here + 4 * next - h[2 * step];
  return fmax(fabs(before), fabs(after));
}

/* The largest rate of slopes, divided by the spacing to this power. */
static double most_bent(const omr_study *study, const double *columns, int power) {
  const omr_height_map *map = &study->floor.map;
  const size_t width = map->nodes[0] + 2, step[2] = {1, width};
  double most = 0;
  if (!map->height) return 0;
  for (size_t r = 1; r <= map->nodes[1]; r++)
    for (size_t c = 1; c <= map->nodes[0]; c++) {
      const size_t at[2] = {c, r};
      for (int axis = 0; axis < 2; axis++) {
        const bool ends = at[axis] == 1 || at[axis] == map->nodes[axis];
        most = fmax(most, bend_at(map, map->height + r * width + c, step[axis], ends) /
                              pow(map->spacing[axis], power));
      }
    }
  return most * fabs(columns[F_MAP_SCALE]);
}

/* appendix/springs.md#floors */
double omr_floor_map_bend(const omr_study *study, const double *columns) {
  return most_bent(study, columns, 2);
}

double omr_floor_map_edge(const omr_study *study, const double *columns) {
  return study->floor.map.smooth ? 0 : most_bent(study, columns, 1);
}
