/* The solid that a turning wheel sweeps, and the overlap of two of them. */
#include "scene.h"

#include "../../../kernels/scalar_math.h"
#include <math.h>

enum { SECTIONS = 9, AROUND = 13, DIRECTIONS = 360, HEIGHTS = 9 };

/* Adds a point of a roller's section at the angle `turn` around its axis; out is radial from the
 * axle, along follows the rim, across the axle. */
static void add_point(omr_scene_wheel *w, double axial, double radius, double turn) {
  const omr_roller *r = &w->roller;
  double s, c;
  omr_math_sincos(turn, &s, &c);
  const double out = r->center + radius * c, along = axial * r->cos_psi - radius * s * r->sin_psi,
               across = axial * r->sin_psi + radius * s * r->cos_psi;
  w->outline.axial[w->outline.count] = across;
  w->outline.rim[w->outline.count++] = hypot(out, along);
  w->half_width = fmax(w->half_width, across + 0.5 * r->row_distance);
}

void omr_outline_make(omr_scene_wheel *w) {
  w->outline.count = 0;
  w->half_width = 0;
  for (int i = 0; w->rollers && i < SECTIONS; i++) {
    const double q = w->roller.alpha * (2.0 * i / (SECTIONS - 1) - 1);
    double axial, radius;
    omr_roller_profile(&w->roller, q, &axial, &radius);
    for (int j = 0; j < AROUND; j++)
      add_point(w, axial, fmax(radius, 0), PI * ((double)j / (AROUND - 1) - 0.5));
  }
  if (w->outline.count) return;
  w->outline = (omr_outline){.count = 1, .axial = {0}, .rim = {w->radius}};
}

/* Distance that the cut of a wheel at the height `up` reaches from its centre in the direction (dx,
 * dz). The solid is its own mirror image, along the axle for two rows and across it. */
static double reach(const omr_scene_wheel *w, double up, double dx, double dz) {
  double s, c, most = -HUGE_VAL;
  omr_math_sincos(w->axis_angle, &s, &c);
  const double across = fabs(dx * s + dz * c), along = fabs(dx * c - dz * s);
  for (int i = 0; i < w->outline.count; i++) {
    const double rim2 = w->outline.rim[i] * w->outline.rim[i] - (up - w->radius) * (up - w->radius);
    if (rim2 >= 0) most = fmax(most, fabs(w->outline.axial[i]) * across + sqrt(rim2) * along);
  }
  return most + 0.5 * w->roller.row_distance * across;
}

/* Two convex cuts overlap unless some direction separates them. */
static double depth_at(const omr_scene_wheel *a, const omr_scene_wheel *b, double up) {
  double least = HUGE_VAL;
  for (int i = 0; i < DIRECTIONS; i++) {
    double s, c;
    omr_math_sincos(2 * PI * i / DIRECTIONS, &s, &c);
    const double between = (b->x - a->x) * c + (b->z - a->z) * s;
    least = fmin(least, reach(a, up, c, s) + reach(b, up, c, s) - between);
    if (!(least > 0)) return 0;
  }
  return least;
}

double omr_wheels_overlap(const omr_scene_wheel *a, const omr_scene_wheel *b) {
  const double far = hypot(a->radius, a->half_width) + hypot(b->radius, b->half_width);
  double most = 0;
  if (hypot(b->x - a->x, b->z - a->z) >= far) return 0;
  for (int i = 0; i < HEIGHTS; i++) {
    const double up = a->radius + (b->radius - a->radius) * i / (HEIGHTS - 1);
    most = fmax(most, depth_at(a, b, up));
    if (a->radius == b->radius) break;
  }
  return most;
}

/* Twice the area of the triangle o, a, b of places (x, z); above 0 where a to b runs
 * counterclockwise in (z, x), x upward. */
static double turn_of(const double *o, const double *a, const double *b) {
  return (a[1] - o[1]) * (b[0] - o[0]) - (a[0] - o[0]) * (b[1] - o[1]);
}

/* Gift wrapping, since there are eight places at most. */
int omr_hull(const double (*place)[2], int count, double (*corner)[2]) {
  /* The leftmost place is a corner. */
  int first = 0, at, corners = 0;
  for (int i = 1; i < count; i++)
    if (place[i][1] < place[first][1] ||
        (place[i][1] == place[first][1] && place[i][0] < place[first][0]))
      first = i;

  /* The next corner has all places on one side; of places in line the farthest counts. */
  at = first;
  do {
    int next = at == 0 ? 1 : 0;
    corner[corners][0] = place[at][0];
    corner[corners++][1] = place[at][1];
    for (int i = 0; i < count; i++) {
      const double turn = turn_of(place[at], place[next], place[i]);
      const double far = hypot(place[i][0] - place[at][0], place[i][1] - place[at][1]),
                   near = hypot(place[next][0] - place[at][0], place[next][1] - place[at][1]);
      if (turn < -1e-12 * far * near || (turn <= 1e-12 * far * near && far > near)) next = i;
    }
    at = next;
  } while (at != first && corners < count);

  return corners < 3 ? 0 : corners;
}
