/* Maps of the floor's height (appendix/springs.md#floors). */
#ifndef OMR_STUDY_HEIGHT_MAP_H
#define OMR_STUDY_HEIGHT_MAP_H

#include "../study.h"

/* Most nodes of a map. */
#define OMR_MAP_NODES 1000000

/* Places of rows on a regular grid. */
typedef struct omr_map_rows {
  size_t count;
  const double *place[2], *height; /* x, z, height of each row, m */
} omr_map_rows;

/* The mistakes that rows can have. */
typedef enum omr_map_mistake {
  OMR_MAP_GOOD,
  OMR_MAP_NO_MEMORY,
  OMR_MAP_NARROW, /* one node along `axis` */
  OMR_MAP_UNEVEN, /* `row` is no whole number of spacings along `axis` from the first node */
  OMR_MAP_TWICE,  /* `row` is at the place of `other` */
  OMR_MAP_HOLE    /* there is no row at place[], NaN where too many are missing to name one */
} omr_map_mistake;
typedef struct omr_map_fault {
  omr_map_mistake mistake;
  int axis;
  size_t row, other;
  double place[2], spacing;
} omr_map_fault;

/* Fills in a map by rows in any order; map->smooth is set. */
omr_map_fault omr_height_map_make(omr_height_map *map, const omr_map_rows *rows);
void omr_height_map_free(omr_height_map *map);

#endif
