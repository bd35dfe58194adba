#include "height_map.h"

#include <math.h>
#include <stdlib.h>

/* A place this far from a node, in spacings, is at it: positions are read from decimals. */
#define AT_NODE 1e-4

typedef struct ranked {
  double place;
  size_t row;
} ranked;

static int by_place(const void *a, const void *b) {
  const ranked *left = a, *right = b;
  if (left->place != right->place) return left->place < right->place ? -1 : 1;
  return left->row < right->row ? -1 : 1;
}

/* The nodes along an axis: as many as there are different places, at equal distances. */
static omr_map_fault find_axis(omr_height_map *map, const omr_map_rows *rows, int axis,
                               ranked *order) {
  /* The places along the axis are sorted, and equal ones counted once. */
  for (size_t n = 0; n < rows->count; n++) order[n] = (ranked){rows->place[axis][n], n};
  qsort(order, rows->count, sizeof *order, by_place);
  const double first = order[0].place, last = order[rows->count - 1].place;
  /* rounding of decimals makes no second place of one; the largest map has more nodes than this */
  const double same = 1e-9 * (last - first);
  size_t nodes = 1;
  for (size_t n = 1; n < rows->count; n++)
    if (order[n].place - order[n - 1].place > same) nodes++;

  /* The nodes give the spacing. */
  if (nodes < 2) return (omr_map_fault){.mistake = OMR_MAP_NARROW, .axis = axis};
  map->nodes[axis] = nodes;
  map->first[axis] = first;
  map->spacing[axis] = (last - first) / (double)(nodes - 1);

  /* Each place has to lie at its node. */
  size_t node = 0;
  for (size_t n = 0; n < rows->count; n++) {
    if (n > 0 && order[n].place - order[n - 1].place > same) node++;
    if (fabs(order[n].place - first - (double)node * map->spacing[axis]) >
        AT_NODE * map->spacing[axis])
      return (omr_map_fault){.mistake = OMR_MAP_UNEVEN,
                             .axis = axis,
                             .row = order[n].row,
                             .spacing = map->spacing[axis]};
  }
  return (omr_map_fault){.mistake = OMR_MAP_GOOD};
}

static size_t width_of(const omr_height_map *map) {
  return map->nodes[0] + 2;
}

/* Puts each row to its node. owner: [nodes], 0 at first, then the row plus 1. */
static omr_map_fault put_rows(omr_height_map *map, const omr_map_rows *rows, size_t *owner) {
  for (size_t n = 0; n < rows->count; n++) {
    size_t at[2];
    for (int axis = 0; axis < 2; axis++)
      at[axis] = (size_t)lround((rows->place[axis][n] - map->first[axis]) / map->spacing[axis]);
    size_t *own = &owner[at[1] * map->nodes[0] + at[0]];
    if (*own) return (omr_map_fault){.mistake = OMR_MAP_TWICE, .row = n, .other = *own - 1};
    *own = n + 1;
    map->height[(at[1] + 1) * width_of(map) + at[0] + 1] = rows->height[n];
  }
  for (size_t n = 0; n < map->nodes[0] * map->nodes[1]; n++)
    if (!owner[n])
      return (omr_map_fault){
          .mistake = OMR_MAP_HOLE,
          .place = {map->first[0] + (double)(n % map->nodes[0]) * map->spacing[0],
                    map->first[1] + (double)(n / map->nodes[0]) * map->spacing[1]}};
  return (omr_map_fault){.mistake = OMR_MAP_GOOD};
}

/* Nodes outside of the map go straight on, so that the border has the slope of the last cell. */
static void put_frame(omr_height_map *map) {
  const size_t width = width_of(map), lines = map->nodes[1] + 2;
  double *h = map->height;
  for (size_t r = 1; r + 1 < lines; r++) {
    double *line = h + r * width;
    line[0] = 2 * line[1] - line[2];
    line[width - 1] = 2 * line[width - 2] - line[width - 3];
  }
  for (size_t c = 0; c < width; c++) {
    h[c] = 2 * h[width + c] - h[2 * width + c];
    h[(lines - 1) * width + c] = 2 * h[(lines - 2) * width + c] - h[(lines - 3) * width + c];
  }
}

/* Between nodes the weights of a cubic sum up to 1, with no more than 5/4 in size, along both
 * axes: heights stay within (5/4)^2 of half the range of the sixteen nodes around. */
static void bound_cell(omr_height_map *map, size_t row, size_t column) {
  const int reach = map->smooth ? 1 : 0;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int r = 1 - reach; r <= 2 + reach; r++)
    for (int c = 1 - reach; c <= 2 + reach; c++) {
      const double height = map->height[(row + (size_t)r) * width_of(map) + column + (size_t)c];
      low = fmin(low, height);
      high = fmax(high, height);
    }
  const double beyond = map->smooth ? 0.5 * (1.25 * 1.25 - 1) * (high - low) : 0;
  map->low = fmin(map->low, low - beyond);
  map->high = fmax(map->high, high + beyond);
}

/* appendix/springs.md#floors */
omr_map_fault omr_height_map_make(omr_height_map *map, const omr_map_rows *rows) {
  omr_map_fault fault = {.mistake = OMR_MAP_NO_MEMORY};
  ranked *order = calloc(rows->count, sizeof *order);
  if (!order) return fault;

  /* Both axes have to be grids. */
  fault = find_axis(map, rows, 0, order);
  if (!fault.mistake) fault = find_axis(map, rows, 1, order);
  free(order);
  if (fault.mistake) return fault;
  /* a line across a grid has the nodes of all of it: too many holes to look for one */
  const size_t nodes = map->nodes[0] * map->nodes[1];
  if (nodes > 4 * (size_t)OMR_MAP_NODES)
    return (omr_map_fault){.mistake = OMR_MAP_HOLE, .place = {(double)NAN, (double)NAN}};

  /* Each row puts its height at its node. */
  size_t *owner = calloc(nodes, sizeof *owner);
  map->height = calloc((map->nodes[1] + 2) * width_of(map), sizeof *map->height);
  fault.mistake = OMR_MAP_NO_MEMORY;
  if (owner && map->height) fault = put_rows(map, rows, owner);
  free(owner);
  if (fault.mistake) return fault;

  /* The frame outside and the bounds of each cell follow from the heights. */
  put_frame(map);
  map->low = HUGE_VAL;
  map->high = -HUGE_VAL;
  for (size_t r = 0; r + 1 < map->nodes[1]; r++)
    for (size_t c = 0; c + 1 < map->nodes[0]; c++) bound_cell(map, r, c);
  return fault;
}

void omr_height_map_free(omr_height_map *map) {
  free(map->height);
  *map = (omr_height_map){0};
}
