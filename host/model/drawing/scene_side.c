/* A scene in characters, seen from the right: forward points to the right, the floor is a line. */
#include "scene.h"

#include "../../../kernels/scalar_math.h"
#include <math.h>
#include <string.h>

enum { WIDE = 78, HIGH = 16 };

typedef struct side {
  double cell, x0; /* width of a column, m, and place of the left edge */
  int rows, columns;
  char mark[HIGH][WIDE + 1];
} side;

/* Half the extent of a wheel along x at a height; negative: it does not reach that height. */
static double reach_of(const omr_scene_wheel *w, double height) {
  double s, c;
  omr_math_sincos(w->axis_angle, &s, &c);
  const double half = w->half_width > 0 ? w->half_width : 0.12 * w->radius;
  const double top = w->radius * sin(w->tilt), share = height / top - 1;
  if (!(top > 0) || fabs(share) > 1) return -1;
  return half * fabs(s) + w->radius * fabs(c) * sqrt(1 - share * share);
}

static void put(side *k, int row, int column, char mark) {
  if (row >= 0 && row < k->rows && column >= 0 && column < k->columns) k->mark[row][column] = mark;
}

static int column_of(const side *k, double x) {
  return (int)floor((x - k->x0) / k->cell);
}

/* Row of a height; rows count up from the floor. */
static int row_of(const side *k, double height) {
  return (int)floor(height / (2 * k->cell));
}

/* Draws a wheel and hides everything behind it. */
static void draw_wheel(side *k, const omr_scene_wheel *w) {
  for (int r = 0; r < k->rows; r++) {
    const double half = reach_of(w, 2 * k->cell * (r + 0.5));
    if (half < 0) continue;
    const int left = column_of(k, w->x - half), right = column_of(k, w->x + half);
    for (int q = left; q <= right; q++) put(k, r, q, ' ');
    put(k, r, left, '(');
    put(k, r, right, ')');
  }
}

/* Draws wheels from the far one to the near one, so the nearest wheel's number is readable. */
static void draw(side *k, const omr_scene *s) {
  bool drawn[OMR_MAX_WHEELS] = {false};
  for (int turn = 0; turn < s->wheels; turn++) {
    int next = -1;
    for (int i = 0; i < s->wheels; i++)
      if (!drawn[i] && (next < 0 || s->wheel[i].z < s->wheel[next].z)) next = i;
    drawn[next] = true;
    const omr_scene_wheel *w = &s->wheel[next];
    draw_wheel(k, w);
    put(k, row_of(k, w->radius * sin(w->tilt)), column_of(k, w->x), (char)('0' + next));
  }
  if (s->vehicle) put(k, row_of(k, s->com_height), column_of(k, s->com_x), '+');
}

static void frame(side *k, const omr_scene *s) {
  double low = s->vehicle ? s->com_x : 0, high = low, top = s->vehicle ? s->com_height : 0;
  for (int i = 0; i < s->wheels; i++) {
    const omr_scene_wheel *w = &s->wheel[i];
    const double reach = reach_of(w, w->radius * sin(w->tilt));
    low = fmin(low, w->x - reach);
    high = fmax(high, w->x + reach);
    top = fmax(top, 2 * w->radius * sin(w->tilt));
  }
  k->x0 = low - 2.5 * k->cell;
  k->columns = (int)fmin(WIDE, ceil((high - low) / k->cell) + 5);
  k->rows = (int)fmin(HIGH, floor(top / (2 * k->cell)) + 1);
  memset(k->mark, ' ', sizeof k->mark);
}

void omr_scene_sketch_side(const omr_scene *scene, double cell, bool utf8, FILE *out) {
  side k = {.cell = cell};
  frame(&k, scene);
  draw(&k, scene);
  fprintf(out, "\n");
  for (int r = k.rows - 1; r >= 0; r--) {
    int columns = k.columns;
    while (columns > 0 && k.mark[r][columns - 1] == ' ') columns--;
    fprintf(out, "%.*s\n", columns, k.mark[r]);
  }
  for (int q = 0; q < k.columns; q++) fputs(utf8 ? "\xe2\x94\x80" : "-", out);
  fprintf(out, "> x\n");
}
