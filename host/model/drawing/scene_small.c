/* Small models from above: a wheel, a disc, a wheelset, a snakeboard, a block. */
#include "scene.h"

#include "../../../kernels/scalar_math.h"

static void add_wheel(omr_scene *s, double x, double z, double axis_angle, double radius) {
  omr_scene_wheel *w = &s->wheel[s->wheels++];
  *w = (omr_scene_wheel){
      .x = x, .z = z, .axis_angle = axis_angle, .radius = radius, .tilt = 0.5 * PI};
  omr_outline_make(w);
}

static void add_rod(omr_scene *s, double x0, double z0, double x1, double z1) {
  s->rod[s->rods++] = (omr_scene_rod){x0, z0, x1, z1};
}

/* Adds two wheels on a rod whose middle stands at (x, 0), turned by `angle`. */
static void add_wheelset(omr_scene *s, double x, double angle, double half_track, double radius) {
  double sine, cosine;
  omr_math_sincos(angle, &sine, &cosine);
  const double dx = half_track * sine, dz = half_track * cosine;
  add_rod(s, x - dx, -dz, x + dx, dz);
  add_wheel(s, x - dx, -dz, angle, radius);
  add_wheel(s, x + dx, dz, angle, radius);
}

/* The angle of a gait at t = 0. */
static double at_start(double amplitude, double phase) {
  double s, c;
  omr_math_sincos(phase, &s, &c);
  return amplitude * s;
}

static void add_snakeboard(omr_scene *s, const double *p) {
  const double half = p[OMR_VP_SNAKE_HALF_LENGTH], track = p[OMR_VP_SNAKE_HALF_TRACK];
  const double radius = p[OMR_VP_SNAKE_RADIUS];
  const double front = at_start(p[OMR_VP_SNAKE_FRONT_AMPLITUDE], p[OMR_VP_SNAKE_FRONT_PHASE]),
               rear = at_start(p[OMR_VP_SNAKE_REAR_AMPLITUDE], p[OMR_VP_SNAKE_REAR_PHASE]),
               rotor = at_start(p[OMR_VP_SNAKE_ROTOR_AMPLITUDE], p[OMR_VP_SNAKE_ROTOR_PHASE]);
  double sine, cosine;
  add_wheelset(s, half, front, track, radius);
  add_wheelset(s, -half, rear, track, radius);
  add_rod(s, -half, 0, half, 0);
  omr_math_sincos(rotor, &sine, &cosine);
  add_rod(s, -0.4 * half * sine, -0.4 * half * cosine, 0.4 * half * sine, 0.4 * half * cosine);
}

void omr_scene_of_small(omr_scene *s) {
  const double *p = s->values.vehicle;
  if (s->study->model == OMR_MODEL_SNAKEBOARD) {
    add_snakeboard(s, p);
  } else if (s->study->model == OMR_MODEL_WHEELSET) {
    add_wheelset(s, 0, 0, p[OMR_VP_WSET_HALF_TRACK], p[OMR_VP_UK_RADIUS]);
  } else if (s->study->model == OMR_MODEL_ROLLING_DISC) {
    add_wheel(s, 0, 0, p[OMR_VP_DISC_HEADING], p[OMR_VP_UK_RADIUS]);
    s->wheel[0].tilt = p[OMR_VP_DISC_TILT];
  } else if (s->study->model == OMR_MODEL_SLIDING_BLOCK) {
    s->block = true;
  } else if (s->study->model == OMR_MODEL_UK_WHEEL || s->study->model == OMR_MODEL_ELASTIC_WHEEL) {
    add_wheel(s, 0, 0, 0, p[OMR_VP_UK_RADIUS]);
  }
}
