/* Paths as people give them (lines, circles, way points), made into a table of body velocities that
 * a command of type table has: the table's pose, integrated, is the path. */
#ifndef OMR_STUDY_DRIVEN_PATH_H
#define OMR_STUDY_DRIVEN_PATH_H

#include "../study.h"

/* A place to pass, from where the vehicle starts and in its axes there, m; the yaw that it has
 * there, rad, NaN where the study gives none. */
typedef struct omr_way_point {
  double forward, left, yaw;
} omr_way_point;

/* How a path is driven: never faster than `speed`, m/s; with no more than `acceleration`, m/s2,
 * along it and across; corners rounded to no less than corner_radius, m, or, where that is 0, with
 * a stop and a turn on the spot by at most turn_rate, rad/s, and turn_acceleration, rad/s2. */
typedef struct omr_driving {
  double speed, acceleration, corner_radius, turn_rate, turn_acceleration;
  bool fixed; /* the yaw stays what it is at the start; false: the vehicle heads along the path */
} omr_driving;

/* Each fills *table (columns vx, vz, yaw_rate; from rest to rest), which it frees before. False:
 * the path cannot be driven so, with the reason and a remedy in `reason`, or without memory, with
 * an empty reason. */

/* From the start through the points. Where one has a yaw, all others keep the last one given. */
bool omr_drive_points(const omr_driving *by, const omr_way_point *points, size_t count,
                      omr_table *table, char *reason, size_t size);
/* Around a square of this side, once, its first side straight ahead and the others to the left or
 * right; with rounded corners it begins in the middle of that side. It ends as it began, in place
 * and yaw. */
bool omr_drive_square(const omr_driving *by, double length, bool right, omr_table *table,
                      char *reason, size_t size);
/* Around a circle, once, to the left or right. */
bool omr_drive_circle(const omr_driving *by, double diameter, bool right, omr_table *table,
                      char *reason, size_t size);
/* Along a lemniscate of Gerono of this length, from its crossing, straight ahead; the first loop
 * lies to the left or right. */
bool omr_drive_eight(const omr_driving *by, double length, bool right, omr_table *table,
                     char *reason, size_t size);

#endif
