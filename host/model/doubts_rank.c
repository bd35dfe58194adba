/* Doubts about wheels that cannot drive the vehicle in every direction of the plane, or hardly. */
#include "doubts.h"
#include "rolling.h"

#include <math.h>
#include <stdio.h>

/* Smallest over largest singular value of wheel rates by motions, with yaw as the speed at the
 * wheels' mean distance. Below LEAST the wheels count as unable. An error of the wheels' rates, by
 * a radius or by slip, is 1/ratio times as large in the weakest motion. Usual vehicles have a ratio
 * from 1/3 (rollers at 20 deg) to 1 (45 deg on a square), so that HARDLY lies below them. */
#define LEAST 0.02
#define HARDLY 0.2

static bool is_driven(const omr_scene *s, int wheel) {
  return s->study->drives.law[wheel] != OMR_DRIVE_NONE;
}

/* Wheel rate per motion, with yaw as the speed at the distance `arm`; turned: the rollers' axes
 * have the other inclination. */
static void rates_of(const omr_scene *s, int i, double arm, bool turned, double h[3]) {
  const omr_scene_wheel *w = &s->wheel[i];
  const omr_stand at = {w->x, w->z, sin(w->axis_angle), cos(w->axis_angle), w->radius};
  for (int k = 0; k < 3; k++) h[k] = omr_scene_place(s, i)[W_IDEAL_X + k];
  if (turned) omr_ideal_rates(&at, -tan(w->inclination), h);
  h[2] /= arm;
}

/* g += h h^T of a driven wheel. A steered wheel turns both ways of the plane into rates. */
static void add_wheel(const omr_scene *s, int i, double arm, bool turned, double g[3][3]) {
  const omr_scene_wheel *w = &s->wheel[i];
  const bool steered = s->study->kind[i] == OMR_WHEEL_SWERVE;
  double h[2][3] = {{1 / w->radius, 0, w->z / (arm * w->radius)},
                    {0, 1 / w->radius, -w->x / (arm * w->radius)}};
  if (!steered) rates_of(s, i, arm, turned, h[0]);
  for (int k = 0; k < (steered ? 2 : 1); k++)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) g[r][c] += h[k][r] * h[k][c];
}

/* Direction in which the driven wheels move the vehicle least, with yaw as the speed at their mean
 * distance; returns the smallest over the largest singular value. */
static double weakest(const omr_scene *s, bool turned, double direction[3], double *arm) {
  double g[3][3] = {{0}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, square = 0;
  for (int i = 0; i < s->wheels; i++)
    square += (s->wheel[i].x * s->wheel[i].x + s->wheel[i].z * s->wheel[i].z) / s->wheels;
  *arm = sqrt(square);

  /* G = sum of h h^T over driven wheels; its eigenvalues are the squares of the singular values. */
  for (int i = 0; i < s->wheels; i++)
    if (is_driven(s, i)) add_wheel(s, i, *arm, turned, g);

  /* The weakest and the strongest direction. */
  omr_diagonalize(g, v);
  int least = 0, most = 0;
  for (int j = 1; j < 3; j++) {
    if (g[j][j] < g[least][least]) least = j;
    if (g[j][j] > g[most][most]) most = j;
  }
  for (int k = 0; k < 3; k++) direction[k] = v[k][least];
  return g[most][most] > 0 ? sqrt(fmax(0, g[least][least]) / g[most][most]) : 0;
}

static const char *direction_words(const double d[3]) {
  const double x = fabs(d[0]), z = fabs(d[1]), yaw = fabs(d[2]);
  if (yaw > 0.9) return "turn the vehicle";
  if (z > 0.9) return "drive the vehicle sideways";
  return x > 0.9 ? "drive the vehicle forward" : "drive the vehicle in one direction of the plane";
}

static bool has_mecanum(const omr_scene *s) {
  for (int i = 0; i < s->wheels; i++)
    if (is_driven(s, i) && fabs(s->wheel[i].inclination) > 5 * PI / 180) return true;
  return false;
}

/* What to change, which is tried: the other inclinations have a ratio of their own. */
static void write_remedy(const omr_scene *s, char *text, size_t size) {
  double direction[3], arm;
  const double turned = weakest(s, true, direction, &arm);
  if (turned >= HARDLY)
    snprintf(
        text, size,
        "turn the inclinations round, to the other sign, which makes the condition number %.3g",
        1 / turned);
  else if (s->study->layout == OMR_LAYOUT_RECTANGLE)
    snprintf(text, size,
             "arrange mecanum rollers as an X from above: inclination \"45 deg\" with "
             "\"mecanum\": true in the layout (+ - - +)");
  else
    snprintf(text, size, "turn their axes or their rollers apart, or drive more wheels");
}

void omr_doubt_rank(const omr_scene *s, omr_doubts *doubts) {
  double direction[3], arm;
  bool any = false;
  for (int i = 0; i < s->wheels; i++) any = any || is_driven(s, i);
  const double ratio = any ? weakest(s, false, direction, &arm) : 1;
  if (!(ratio < HARDLY) || (!has_mecanum(s) && !omr_is_asked_for(s, direction, arm))) return;

  /* The inclinations, and how far the rank is from 3. */
  char list[120] = "", remedy[200], size[80];
  for (int i = 0; i < s->wheels; i++)
    omr_print_more(list, sizeof list, "%s%+.0f", i ? ", " : "", s->wheel[i].inclination * 180 / PI);
  write_remedy(s, remedy, sizeof remedy);
  if (ratio < LEAST)
    snprintf(size, sizeof size, "a rank below 3");
  else
    snprintf(size, sizeof size, "a condition number of %.3g, by which errors of rates grow",
             1 / ratio);
  omr_doubt_add(doubts, OMR_DOUBT_RANK, -1, -1,
                "the driven wheels %s %s: with inclinations of %s deg their Jacobian has %s; %s",
                ratio < LEAST ? "cannot" : "hardly", direction_words(direction), list, size,
                remedy);
}
