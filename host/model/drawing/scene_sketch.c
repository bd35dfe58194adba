/* A scene in characters: the view from above, true to scale, and its numbers. */
#include "../doubts.h"
#include "scene_block.h"
#include "scene_graph.h"

#include "../../../kernels/scalar_math.h"
#include "../../study/grammar/reader.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREES (180 / PI)
#define LEAST_INCLINED 0.05 /* rad: more inclined rollers are drawn aslant */

/* A character is twice as high as wide. */
enum { WIDE = 64, HIGH = 24, STROKES = 4 };

typedef struct sketch {
  const omr_scene *scene;
  double cell;   /* width of a column, m; a row is twice as high */
  double x0, z0; /* place of the middle */
  int rows, columns;
  char mark[HIGH + 1][WIDE + 1]; /* ' ', a letter, or 1 to STROKES */
} sketch;

/* Directions on the screen: up, rising to the right, right, falling to the right. */
static const char *const plain_strokes[STROKES] = {"|", "/", "-", "\\"};
static const char *const fine_strokes[STROKES] = {"\xe2\x94\x82", "\xe2\x95\xb1", "\xe2\x94\x80",
                                                  "\xe2\x95\xb2"};

static int column_of(const sketch *k, double z) {
  return (int)floor((z - k->z0) / k->cell + 0.5 * k->columns);
}

static int row_of(const sketch *k, double x) {
  return (int)floor((k->x0 - x) / (2 * k->cell) + 0.5 * k->rows);
}

static void put(sketch *k, int row, int column, char mark) {
  if (row >= 0 && row < k->rows && column >= 0 && column < k->columns) k->mark[row][column] = mark;
}

/* Half width of a wheel in the drawing: a wheel without rollers has none in its model. */
static double drawn_half_width(const omr_scene_wheel *w) {
  return w->half_width > 0 ? w->half_width : 0.12 * w->radius;
}

/* Half width of a leaning wheel, an ellipse from above; 0: it stands upright. */
static double leaning_half_width(const omr_scene_wheel *w) {
  const double half = w->radius * fabs(cos(w->tilt));
  return half > drawn_half_width(w) ? half : 0;
}

/* Half the extent of a wheel forward and to the right. */
static void extent_of(const omr_scene_wheel *w, double *x, double *z) {
  double s, c;
  omr_math_sincos(w->axis_angle, &s, &c);
  const double half = fmax(drawn_half_width(w), leaning_half_width(w));
  *x = w->radius * fabs(c) + half * fabs(s);
  *z = w->radius * fabs(s) + half * fabs(c);
}

static void frame(sketch *k) {
  /* The extent of all wheels. */
  const omr_scene *s = k->scene;
  double low_x = HUGE_VAL, high_x = -HUGE_VAL, low_z = HUGE_VAL, high_z = -HUGE_VAL;
  for (int i = 0; i < s->wheels; i++) {
    const omr_scene_wheel *w = &s->wheel[i];
    double x, z;
    extent_of(w, &x, &z);
    low_x = fmin(low_x, w->x - x);
    high_x = fmax(high_x, w->x + x);
    low_z = fmin(low_z, w->z - z);
    high_z = fmax(high_z, w->z + z);
  }

  /* A cell's size and the numbers of rows and columns that hold the extent. */
  k->x0 = 0.5 * (low_x + high_x);
  k->z0 = 0.5 * (low_z + high_z);

  /* The larger of both scales keeps the picture true. */
  const double high = high_x - low_x, wide = high_z - low_z;
  k->cell = fmax(high / (2 * (HIGH - 2)), wide / (WIDE - 4));
  k->rows = (int)ceil(high / (2 * k->cell)) + 1;
  k->columns = (int)ceil(wide / k->cell) + 3;
  if (k->rows > HIGH) k->rows = HIGH;
  if (k->columns > WIDE) k->columns = WIDE;

  for (int r = 0; r < k->rows; r++) memset(k->mark[r], ' ', WIDE);
}

/* The stroke nearest to a direction in the plane, x up and z to the right, counted in eighths of a
 * turn. */
static int stroke_of(double x, double z) {
  return (int)floor(atan2(z, x) / (PI / 4) + 0.5);
}

/* Stroke of the rollers' axes on top of the wheel, which are visible from above: cos psi i - sin
 * psi k; for a wheel without rollers, of its own plane. Inclined rollers never look straight. */
static char wheel_stroke(const omr_scene_wheel *w) {
  double s, c, sine, cosine;
  omr_math_sincos(w->axis_angle, &s, &c);
  omr_math_sincos(w->inclination, &sine, &cosine);
  const int plane = stroke_of(c, -s);
  int at = stroke_of(cosine * c - sine * s, -cosine * s - sine * c);
  if (at == plane && fabs(w->inclination) > LEAST_INCLINED) at += w->inclination > 0 ? -1 : 1;
  return (char)(1 + ((at % STROKES) + STROKES) % STROKES);
}

static void draw_wheel(sketch *k, int number) {
  const omr_scene_wheel *w = &k->scene->wheel[number];
  const char stroke = wheel_stroke(w);
  double s, c;
  omr_math_sincos(w->axis_angle, &s, &c);
  const double half = fmax(drawn_half_width(w), k->cell * (fabs(c) + 2 * fabs(s)) * 0.75);
  const double leaning = leaning_half_width(w);
  for (int r = 0; r < k->rows; r++) {
    for (int q = 0; q < k->columns; q++) {
      const double x = k->x0 - 2 * k->cell * (r + 0.5 - 0.5 * k->rows) - w->x,
                   z = k->z0 + k->cell * (q + 0.5 - 0.5 * k->columns) - w->z;
      const double along = x * c - z * s, across = x * s + z * c;
      const bool inside =
          leaning > 0 ? hypot(along / w->radius, across / leaning) <= 1 : fabs(across) <= half;
      if (inside && fabs(along) <= w->radius) put(k, r, q, stroke);
    }
  }
  put(k, row_of(k, w->x), column_of(k, w->z), (char)('0' + number));
}

/* Draws points between two places where nothing else stands. */
static void draw_line(sketch *k, omr_scene_rod rod, char mark) {
  const int steps = (int)(hypot(rod.x1 - rod.x0, rod.z1 - rod.z0) / k->cell) + 1;
  for (int i = 0; i <= steps; i++) {
    const double share = (double)i / steps;
    const int row = row_of(k, rod.x0 + share * (rod.x1 - rod.x0)),
              column = column_of(k, rod.z0 + share * (rod.z1 - rod.z0));
    if (row >= 0 && row < k->rows && column >= 0 && column < k->columns &&
        k->mark[row][column] == ' ')
      put(k, row, column, mark);
  }
}

/* Draws stars from the body origin in the commanded direction. */
static void draw_command(sketch *k) {
  const omr_scene *s = k->scene;
  const double speed = hypot(s->vx, s->vz);
  if (!(speed > 0)) return;
  const double length = 0.25 * k->cell * fmin(2 * k->rows, k->columns), x = s->vx / speed * length,
               z = s->vz / speed * length;
  draw_line(k, (omr_scene_rod){0, 0, x, z}, '*');
}

static void draw(sketch *k) {
  const omr_scene *s = k->scene;
  frame(k);
  for (int i = 0; i < s->wheels; i++) draw_wheel(k, i);
  if (s->vehicle) put(k, row_of(k, s->com_x), column_of(k, s->com_z), '+');
  if (s->vehicle || s->wheels > 1) {
    const int row = row_of(k, 0), column = column_of(k, 0);
    if (row >= 0 && row < k->rows && column >= 0 && column < k->columns &&
        k->mark[row][column] == ' ')
      put(k, row, column, 'o');
  }
  for (int i = 0; i < s->rods; i++) draw_line(k, s->rod[i], '.');
  draw_command(k);
}

static void print_row(const char *marks, int columns, const char *const *strokes, FILE *out) {
  while (columns > 0 && marks[columns - 1] == ' ') columns--;
  for (int q = 0; q < columns; q++) {
    if (marks[q] >= 1 && marks[q] <= STROKES)
      fputs(strokes[marks[q] - 1], out);
    else
      fputc(marks[q], out);
  }
  fputc('\n', out);
}

/* scene_sketch.c: the view from above in characters, true to scale. */
static void scene_sketch(const omr_scene *scene, bool utf8, FILE *out) {
  sketch k = {.scene = scene};
  char length[OMR_LENGTH_TEXT];
  /* The arrow forward stands above the body origin. */
  draw(&k);
  int column = column_of(&k, 0);
  if (column < 0 || column >= k.columns) column = k.columns / 2;
  fprintf(out, "%*s\n", column + 1, "^");
  fprintf(out, "%*s x forward\n", column + 1, "|");

  /* Both views, then their scale and signs. */
  for (int r = 0; r < k.rows; r++)
    print_row(k.mark[r], k.columns, utf8 ? fine_strokes : plain_strokes, out);
  omr_scene_sketch_side(scene, k.cell, utf8, out);
  fprintf(out, "\nFrom above, and from the right; one character is %s wide and twice as high.\n",
          omr_length_text(k.cell, length));

  /* Explanations of the signs. */
  bool strokes = false;
  for (int i = 0; i < scene->wheels; i++) strokes = strokes || scene->wheel[i].rollers;
  if (strokes)
    fprintf(out, "Strokes: axes of the rollers on top of the wheels; on the floor they lean the "
                 "other way.\n");
  if (scene->vehicle)
    fprintf(out, "+ centre of mass, o body origin%s\n",
            hypot(scene->vx, scene->vz) > 0 ? ", *** commanded direction" : "");
}

static void print_command(const omr_scene *s, FILE *out) {
  const double speed = hypot(s->vx, s->vz), turn = atan2(s->vz, s->vx) * DEGREES;
  if (!s->commanded) return;
  fprintf(out, "command      %s: ", omr_command_kinds[s->study->command.type].name);
  if (!(speed > 0) && s->yaw_rate == 0) {
    fprintf(out, "stands still\n");
    return;
  }
  if (speed > 0) fprintf(out, "%.4g m/s ", speed);
  if (speed > 0 && fabs(turn) < 1e-9) fprintf(out, "forward");
  if (speed > 0 && fabs(fabs(turn) - 180) < 1e-9) fprintf(out, "backward");
  if (speed > 0 && fabs(turn) >= 1e-9 && fabs(fabs(turn) - 180) >= 1e-9)
    fprintf(out, "%.4g deg to the %s of forward", fabs(turn), turn > 0 ? "right" : "left");
  if (s->yaw_rate != 0)
    fprintf(out, "%sturning %.4g deg/s %s", speed > 0 ? ", " : "", fabs(s->yaw_rate) * DEGREES,
            s->yaw_rate > 0 ? "counterclockwise" : "clockwise");
  if (s->when > 0) fprintf(out, ", first at %.4g s", s->when);
  fprintf(out, "\n");
}

static void print_vehicle(const omr_scene *s, FILE *out) {
  char x[OMR_LENGTH_TEXT], z[OMR_LENGTH_TEXT], y[OMR_LENGTH_TEXT], margin[OMR_LENGTH_TEXT];
  if (!s->vehicle) return;
  fprintf(out, "mass         %.4g kg, its centre at x %s, %s %s, %s high", s->mass,
          omr_length_text(s->com_x, x), omr_scene_axis(s),
          omr_length_text(omr_scene_across(s, s->com_z), z), omr_length_text(s->com_height, y));
  if (s->corners)
    fprintf(out, "; %s %s the support polygon", omr_length_text(fabs(s->margin), margin),
            s->margin < 0 ? "outside" : "inside");
  fprintf(out, "\n");
}

static void print_roller(const omr_scene_wheel *w, FILE *out) {
  char length[OMR_LENGTH_TEXT], widest[OMR_LENGTH_TEXT], tip[OMR_LENGTH_TEXT],
      rows[OMR_LENGTH_TEXT];
  if (!w->rollers) return;
  fprintf(out, "roller       %s long, largest radius %s, %s%s, inclined by %.4g deg",
          omr_length_text(w->length, length), omr_length_text(w->widest, widest),
          w->tip > 1e-9 ? "radius of its ends " : "pointed ends",
          w->tip > 1e-9 ? omr_length_text(w->tip, tip) : "", w->inclination * DEGREES);
  if (w->roller.row_distance > 0)
    fprintf(out, ", in two rows %s apart", omr_length_text(w->roller.row_distance, rows));
  fprintf(out, "\n");
}

/* A value without the sign of zero. */
static double clean(double value) {
  return fabs(value) < 5e-7 ? 0 : value;
}

static void print_wheels(const omr_scene *s, FILE *out) {
  fprintf(out,
          "wheel     x [m]     %s [m]  axis [deg]  radius [m]  width [m]  rollers  "
          "inclination [deg]  drive\n",
          omr_scene_axis(s));
  for (int i = 0; i < s->wheels; i++) {
    const omr_scene_wheel *w = &s->wheel[i];
    char width[16] = "-", rollers[16] = "-", inclination[24] = "-";
    if (w->half_width > 0) snprintf(width, sizeof width, "%.4g", 2 * w->half_width);
    if (w->rollers) snprintf(rollers, sizeof rollers, "%d", w->rollers);
    if (w->rollers || w->inclination != 0)
      snprintf(inclination, sizeof inclination, "%.4g", clean(w->inclination * DEGREES));
    if (w->kind != OMR_WHEEL_ROLLER)
      snprintf(rollers, sizeof rollers, "%s", omr_wheel_kinds[w->kind].name);
    fprintf(out, "%5d  %8.4g  %8.4g  %10.4g  %10.4g  %9s %8s  %17s  %s", i, clean(w->x),
            clean(omr_scene_across(s, w->z)), clean(w->axis_angle * DEGREES), w->radius, width,
            rollers, inclination, w->drive ? w->drive : "-");
    if (*s->study->wheel_name[i]) fprintf(out, "  %s", s->study->wheel_name[i]);
    fprintf(out, "\n");
  }
}

omr_status omr_study_scene_print(const omr_study *study, size_t instance, bool utf8, FILE *out,
                                 omr_error *error) {
  omr_scene scene;
  omr_doubts doubts;
  /* The head names study and values. */
  const omr_status status = omr_scene_open(study, instance, &scene, error);
  if (status != OMR_OK) return status;
  fprintf(out, "%s\n%s, ", omr_study_title(study), omr_model_names[study->model]);
  if (instance == OMR_NONE)
    fprintf(out, "at its nominal values\n\n");
  else
    fprintf(out, "instance %zu\n\n", instance);

  /* Graphs and blocks have pictures of their own. */
  if (study->graph) {
    omr_scene_print_graph(study, &scene.values, out);
    return OMR_OK;
  }
  if (scene.block) {
    omr_scene_print_block(&scene, utf8, out);
    return OMR_OK;
  }
  scene_sketch(&scene, utf8, out);
  fprintf(out, "\n");
  print_wheels(&scene, out);
  fprintf(out, "\n");
  print_roller(&scene.wheel[0], out);
  print_vehicle(&scene, out);
  print_command(&scene, out);

  /* Doubts as warnings. */
  omr_doubts_find(&scene, &doubts);
  for (int i = 0; i < doubts.count; i++)
    fprintf(out, "warning: %s: %s\n", omr_doubt_words[doubts.list[i].kind], doubts.list[i].text);
  return OMR_OK;
}
