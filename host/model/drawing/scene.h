/* The view of a study's vehicle at rest from above: its wheels and their rollers, its centre of
 * mass and its command. All SI, in body axes, x forward and z to the right. */
#ifndef OMR_SCENE_H
#define OMR_SCENE_H

#include "../../lists/frames.h"
#include "../floor.h"

/* Points of the solid that a turning wheel sweeps: position along the axle, and distance from it.
 */
enum { OMR_OUTLINE_POINTS = 9 * 13 };
typedef struct omr_outline {
  int count;
  double axial[OMR_OUTLINE_POINTS], rim[OMR_OUTLINE_POINTS];
} omr_outline;

/* One wheel. A wheel without rollers (a disc, a wheel of a small model) has no width in its model.
 */
typedef struct omr_scene_wheel {
  omr_wheel_kind kind;
  double x, z, axis_angle; /* centre and axis as built; k = (sin, 0, cos) of the angle */
  double radius, half_width;
  double tilt;           /* angle of the wheel's plane to the floor; pi/2 stands upright */
  int rollers;           /* 0: none */
  double inclination;    /* of the rollers' axes, or of the axes painted on a disc */
  omr_roller roller;     /* its shape, if the wheel has rollers */
  double length, widest, /* of a roller: from end to end, largest radius, */
      tip;               /* radius of its ends */
  const char *drive;     /* the drive's name; NULL: the model has none */
  omr_outline outline;
} omr_scene_wheel;

/* A straight part between two places: a rod, a coupler. */
typedef struct omr_scene_rod {
  double x0, z0, x1, z1;
} omr_scene_rod;

enum { OMR_SCENE_RODS = 4 };
typedef struct omr_scene {
  const omr_study *study;
  size_t instance; /* OMR_NONE: the nominal values */
  omr_values values;
  double misfit; /* of a vehicle that starts rolling (rolling.h) */
  int wheels;
  omr_scene_wheel wheel[OMR_MAX_WHEELS];
  bool block; /* a sliding block, which has neither wheels nor a size (scene_block.h) */
  int rods;
  omr_scene_rod rod[OMR_SCENE_RODS];
  bool vehicle; /* a platform on wheels; only then are the members below set */
  double mass, com_x, com_z, com_height;
  int corners; /* of the support polygon, in order around; 0: none */
  double corner[OMR_MAX_WHEELS][2];
  double margin; /* from the centre of mass to the nearest side of the polygon; below 0 outside */
  bool commanded;
  double vx, vz, yaw_rate, when; /* fastest command, and the first time that it is given */
  /* folded: P_COUNT, then W_COUNT a wheel, then the floor's */
  double params[OMR_PARAM_COUNT(OMR_MAX_WHEELS) + OMR_FLOOR_MOST];
} omr_scene;

/* The scene of an instance, or of the nominal values (OMR_NONE); false with a reason where they
 * make no vehicle. The study must outlive the scene. Thread-safe. */
bool omr_scene_make(const omr_study *study, size_t instance, omr_scene *scene, char *reason,
                    size_t size);

/* The same with an error: OMR_ERR_USAGE for an instance that the study does not have, OMR_ERR_STUDY
 * where there is nothing to show. */
omr_status omr_scene_open(const omr_study *study, size_t instance, omr_scene *scene,
                          omr_error *error);

/* The nominal scene as JSON in one line, for a result file; NULL where there is none, or no memory.
 * The caller frees it. */
char *omr_scene_kept(const omr_study *study);

/* scene_small.c: the scene of a small model. */
void omr_scene_of_small(omr_scene *scene);

/* scene_outline.c: the solid of a wheel with known roller, radius and rows, and its half width. */
void omr_outline_make(omr_scene_wheel *wheel);
/* Depth by which two wheels overlap, m; 0: they do not. */
double omr_wheels_overlap(const omr_scene_wheel *a, const omr_scene_wheel *b);
/* Convex hull of places [count][2], counterclockwise in (z, x); returns its number of corners, 0
 * where all places lie on a line. */
int omr_hull(const double (*place)[2], int count, double (*corner)[2]);

/* scene_side.c: the view from the right, forward to the right, at the same scale. */
void omr_scene_sketch_side(const omr_scene *scene, double cell, bool utf8, FILE *out);

/* A distance to the right, or a velocity, in the study's frame; and the name of that axis: "z", or
 * "y" where it points to the left. */
static inline double omr_scene_across(const omr_scene *scene, double z) {
  return omr_turned(omr_parameter_turn(scene->study->frame, true, OMR_WP_Z), z);
}

static inline const char *omr_scene_axis(const omr_scene *scene) {
  return omr_wheel_path(scene->study->frame, OMR_WP_Z);
}

/* Folded columns of a wheel. */
static inline const double *omr_scene_place(const omr_scene *scene, int wheel) {
  return scene->params + OMR_PARAM_COLUMN(wheel, 0);
}

#endif
