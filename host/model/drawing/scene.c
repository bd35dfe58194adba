#include "scene.h"

#include "../../study/command.h"
#include "../../study/grammar/reader.h"
#include "../../study/nominal.h"
#include "../../study/part.h"
#include "../../study/tables/replay.h"
#include "../rolling.h"
#include "../small.h"
#include <math.h>
#include <string.h>

/* Values of an instance, or with OMR_NONE the nominal ones (study/nominal.h). */
static void scene_values(const omr_study *study, size_t instance, omr_values *values) {
  if (instance != OMR_NONE) {
    omr_study_values(study, instance, values, NULL);
    return;
  }
  *values = study->base;
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    omr_nominal_source source;
    double value;
    if (omr_nominal_value(study, v, &value, &source)) omr_vary(study, v, value, values);
  }
  omr_replay_start(study, values);
}

/* The commanded velocity at one time. */
typedef struct asked {
  double vx, vz, yaw_rate, when;
} asked;

/* Compares speeds in the plane, or yaw rates where nothing moves in the plane. */
static bool is_faster(const asked *a, const asked *b) {
  const double speed = hypot(a->vx, a->vz), known = hypot(b->vx, b->vz);
  if (speed > 0 || known > 0) return speed > known * (1 + 1e-12);
  return fabs(a->yaw_rate) > fabs(b->yaw_rate) * (1 + 1e-12);
}

static void set_command(omr_scene *s) {
  /* The fastest command, and the first time that it is given. */
  const omr_study *study = s->study;
  const double *p = s->values.vehicle;
  asked most = {0, 0, 0, 0};

  /* A table commands a velocity in each row. */
  s->commanded = study->command.kind != OMR_COMMAND_NONE;
  const omr_table *table = omr_command_rows(study);
  if (table) {
    for (size_t r = 0; r < table->rows; r++) {
      const double *row = table->value + r * table->columns;
      const asked here = {row[0], row[1], row[2], omr_command_time(study, p, table->time[r])};
      if (is_faster(&here, &most)) most = here;
    }
  } else if (s->commanded) {
    most = study->command.kind == OMR_COMMAND_PATH
               ? (asked){p[OMR_VP_COMMAND_SPEED], 0, 0, 0}
               : (asked){p[OMR_VP_COMMAND_VX], p[OMR_VP_COMMAND_VZ], p[OMR_VP_COMMAND_YAW_RATE], 0};
  }

  s->vx = most.vx;
  s->vz = most.vz;
  s->yaw_rate = most.yaw_rate;
  s->when = most.when;
}

/* Length, largest radius and ends of a roller; a disc that carries the rollers' mass has none. */
static void set_roller(const omr_study *study, const double *v, omr_scene_wheel *w) {
  const bool disc = study->model == OMR_MODEL_DISC_VEHICLE || omr_wheel_is_bare(w->kind);
  double axial, radius;
  w->inclination = omr_wheel_is_bare(w->kind) ? 0 : v[OMR_WP_INCLINATION];
  if (!disc) {
    w->rollers = w->roller.rollers;
    omr_roller_profile(&w->roller, w->roller.alpha, &axial, &radius);
    w->length = 2 * axial;
    w->tip = fmax(radius, 0);
    w->widest = w->roller.radius - w->roller.center;
  }
  omr_outline_make(w);
}

static void set_wheel(omr_scene *s, const omr_wheel_body *body, int i) {
  omr_scene_wheel *w = &s->wheel[i];
  const double steer = s->values.wheel[i][OMR_WP_STEER],
               turned = body->delta + (omr_wheel_swivels(s->study->kind[i]) ? steer : 0);
  *w = (omr_scene_wheel){.x = body->a - body->trail * cos(turned),
                         .z = body->b + body->trail * sin(turned),
                         .axis_angle = turned,
                         .kind = s->study->kind[i],
                         .radius = body->roller.radius,
                         .tilt = 0.5 * PI,
                         .roller = body->roller,
                         .drive = omr_drive_kinds[s->study->drives.law[i]].name};
  set_roller(s->study, s->values.wheel[i], w);
}

/* Distance of a place from the sides of a polygon that runs counterclockwise in (z, x); negative
 * outside. */
static double margin_of(const omr_scene *s, double x, double z) {
  double least = HUGE_VAL;
  for (int i = 0; i < s->corners; i++) {
    const double *a = s->corner[i], *b = s->corner[(i + 1) % s->corners];
    const double dx = b[0] - a[0], dz = b[1] - a[1];
    least = fmin(least, (dz * (x - a[0]) - dx * (z - a[1])) / hypot(dx, dz));
  }
  return least;
}

static void set_balance(omr_scene *s) {
  double place[OMR_MAX_WHEELS][2];
  int count = 0; /* wheels of a given load carry nothing beyond that */
  for (int i = 0; i < s->wheels; i++) {
    if (s->wheel[i].kind == OMR_WHEEL_TRACKING) continue;
    place[count][0] = s->wheel[i].x;
    place[count++][1] = s->wheel[i].z;
  }
  s->mass = s->params[P_MASS];
  s->com_x = s->params[P_COM_X];
  s->com_z = s->params[P_COM_Z];
  s->com_height = s->params[P_HEIGHT];
  s->corners = omr_hull((const double(*)[2])place, count, s->corner);
  s->margin = margin_of(s, s->com_x, s->com_z);
}

static bool make_omni(omr_scene *s, char *reason, size_t size) {
  omr_vehicle_body body;
  omr_batch columns = {.count = 1, .stride = 1, .params = s->params};
  if (!omr_build_body(s->study, &s->values, &body, reason, size)) return false;
  s->misfit = omr_start_rolling(s->study, &body, &s->values);
  if (!omr_fold_parameters(s->study, &s->values, &body, &columns, 0, reason, size)) return false;
  s->wheels = body.wheels;
  for (int i = 0; i < body.wheels; i++) set_wheel(s, &body.wheel[i], i);
  s->vehicle = omr_has_platform(s->study->model);
  if (s->vehicle) set_balance(s);
  if (s->vehicle) set_command(s);
  return true;
}

bool omr_scene_make(const omr_study *study, size_t instance, omr_scene *scene, char *reason,
                    size_t size) {
  memset(scene, 0, sizeof *scene);
  scene->study = study;
  scene->instance = instance;
  scene_values(study, instance, &scene->values);
  if (study->graph) return true; /* a graph has no place in space (scene_graph.h) */
  if (!omr_small_list_of(study->model)) return make_omni(scene, reason, size);
  omr_scene_of_small(scene);
  if (omr_model_is_own(study->model))
    snprintf(reason, size, "a system of the study's own has no picture before it runs");
  else if (scene->wheels == 0 && !scene->block)
    snprintf(reason, size, "the model %s has no picture", omr_model_names[study->model]);
  return scene->wheels > 0 || scene->block;
}
