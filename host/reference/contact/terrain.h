/* Floor under compliant contacts: a height y = H(x, z) over a plane, in world axes whose y is
 * normal to that plane (appendix/reference.md#bodies). A slope of the whole
 * plane is not part of it: gravity leans instead. */
#ifndef OMR_REFERENCE_TERRAIN_H
#define OMR_REFERENCE_TERRAIN_H

#include "../multibody/vector.h"
#include "study/study.h"

/* Height over a place, its gradient along x and z, and its second derivatives xx, xz, zz. */
typedef struct omr_relief {
  double height, slope[2], bend[3];
} omr_relief;

/* amplitude sin(kx x + kz z + phase), lengths in metres. */
typedef struct omr_terrain_wave {
  double amplitude, kx, kz, phase;
} omr_terrain_wave;

/* Rises by `height` from `place` along (along[0], along[1]) on, over the way `ramp`, and goes back
 * `width` later. */
typedef struct omr_terrain_step {
  double height, place, ramp, width, along[2];
} omr_terrain_step;

/* Heights offset + scale h(u, v), with h by the nodes of the study's map and u along the direction
 * (along[0], along[1]) from `place` on, v to the right of it. */
typedef struct omr_terrain_map {
  const omr_height_map *nodes; /* of the study; NULL: none */
  double place[2], along[2], offset, scale;
} omr_terrain_map;

enum { OMR_TERRAIN_WAVES = 65 }; /* one, and the waves of the roughness */

typedef struct omr_terrain {
  int waves;
  omr_terrain_wave wave[OMR_TERRAIN_WAVES];
  omr_terrain_step step; /* height 0: none */
  omr_terrain_map map;
} omr_terrain;

/* The terrain is valid as long as the study, whose map it uses. */
void omr_terrain_read(omr_terrain *terrain, const omr_study *study, const omr_values *values);
/* terrain_map.c: adds the map's part. */
void omr_terrain_add_map(const omr_terrain_map *map, double x, double z, omr_relief *relief);
/* The direction against gravity. */
omr_vec omr_terrain_up(const omr_values *values);
/* True if the floor is the plane itself. */
bool omr_terrain_is_plane(const omr_terrain *terrain);
/* A height that no point of the floor is below, m. */
double omr_terrain_lowest(const omr_terrain *terrain);
omr_relief omr_terrain_at(const omr_terrain *terrain, double x, double z);

/* A body described by its support function touches the terrain where the height over its surface is
 * largest: there the surface's normal is the terrain's. */
typedef struct omr_support {
  double height; /* H: distance from the centre of the plane that touches; n: its unit normal */
  omr_vec point; /* the touching point, from the centre, on the side of -n */
  omr_mat turns; /* derivative of the point by n, times -1: it is symmetric */
} omr_support;
typedef struct omr_terrain_touch {
  omr_vec normal; /* of the terrain, up */
  omr_vec point;  /* of the body, from its centre */
  double depth;   /* vertical, m; negative above the floor */
} omr_terrain_touch;
/* support(self, n): of the body with its centre at `centre`. */
omr_terrain_touch omr_terrain_meet(const omr_terrain *terrain, omr_vec centre,
                                   omr_support (*support)(const void *self, omr_vec n),
                                   const void *self);

#endif
