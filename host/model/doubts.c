#include "doubts.h"

#include "../study/own_names.h"
#include "loads.h"

#include <math.h>
#include <stdio.h>

#define DENSEST 23000.0 /* kg/m3: no metal is denser */
#define LIGHTEST 20.0   /* kg/m3: foam; below it a density was given in g/cm3 */

/* Reports the worst pair for all. */
static void doubt_overlap(const omr_scene *s, omr_doubts *doubts) {
  /* The deepest overlap of any two wheels. */
  double worst = 0;
  int first = 0, second = 0, pairs = 0;
  for (int i = 0; i < s->wheels; i++) {
    for (int j = i + 1; j < s->wheels; j++) {
      const double depth = omr_wheels_overlap(&s->wheel[i], &s->wheel[j]);
      if (!(depth > 1e-6)) continue;
      pairs++;
      if (depth <= worst) continue;
      worst = depth;
      first = i;
      second = j;
    }
  }

  if (!pairs) return;

  /* One line for all pairs. */
  char deep[OMR_LENGTH_TEXT], more[48] = "";
  if (pairs > 1)
    snprintf(more, sizeof more, ", as do %d other pair%s", pairs - 1, pairs > 2 ? "s" : "");
  omr_doubt_add(doubts, OMR_DOUBT_OVERLAP, first, second,
                "wheels %d and %d run into each other by %s%s; the model lets them pass through: "
                "set them apart, or make them smaller or narrower",
                first, second, omr_length_text(worst, deep), more);
}

/* The study has no measures of the platform, which is assumed to reach from wheel to wheel. */
static void doubt_size(const omr_scene *s, omr_doubts *doubts) {
  double apart = 0;
  int largest = 0;
  for (int i = 0; i < s->wheels; i++) {
    if (s->wheel[i].radius > s->wheel[largest].radius) largest = i;
    for (int j = i + 1; j < s->wheels; j++)
      apart = fmax(apart, hypot(s->wheel[i].x - s->wheel[j].x, s->wheel[i].z - s->wheel[j].z));
  }
  char size[2][OMR_LENGTH_TEXT];
  const double diameter = 2 * s->wheel[largest].radius;
  if (!s->vehicle || !(diameter > apart)) return;
  omr_length_texts((const double[]){diameter, apart}, size);
  omr_doubt_add(doubts, OMR_DOUBT_SIZE, largest, -1,
                "wheel %d is %s high, and no two wheels stand farther apart than %s: it exceeds "
                "the platform between them; check the wheel's radius and the layout",
                largest, size[0], size[1]);
}

static void doubt_balance(const omr_scene *s, omr_doubts *doubts) {
  char out[OMR_LENGTH_TEXT], x[OMR_LENGTH_TEXT], z[OMR_LENGTH_TEXT];
  if (s->corners == 0 || s->margin >= 0) return;
  omr_doubt_add(
      doubts, OMR_DOUBT_BALANCE, -1, -1,
      "the centre of mass, %s forward and %s to the %s, stands %s outside the support polygon of "
      "the wheels: at rest a wheel lifts off; move platform.center_of_mass or the wheels",
      omr_length_text(s->com_x, x), omr_length_text(omr_scene_across(s, s->com_z), z),
      omr_scene_across(s, 1) > 0 ? "right" : "left", omr_length_text(-s->margin, out));
}

/* Loads at rest of the wheels that share the weight: without the preloads of tracking wheels, and
 * what these take off each. False where there are no such preloads, or no such loads. */
static bool find_loads(const omr_scene *s, double whole[], double taken[], int wheel[],
                       int *count) {
  const double *v = s->params;
  double place[OMR_MAX_WHEELS][2], weight[3] = {v[P_WEIGHT]}, preload[3] = {0};
  *count = 0;
  weight[1] = weight[0] * s->com_x;
  weight[2] = weight[0] * s->com_z;
  for (int i = 0; i < s->wheels; i++) {
    const double at[3] = {1, s->wheel[i].x, s->wheel[i].z},
                 own = s->values.wheel[i][OMR_WP_TRACKING_PRELOAD];
    if (s->study->kind[i] == OMR_WHEEL_TRACKING) {
      for (int k = 0; k < 3; k++) preload[k] += own * at[k];
      continue;
    }
    place[*count][0] = at[1];
    place[*count][1] = at[2];
    wheel[(*count)++] = i;
  }
  return preload[0] > 0 && omr_plane_loads((const double(*)[2])place, *count, weight, whole) &&
         omr_plane_loads((const double(*)[2])place, *count, preload, taken);
}

/* Preloads that lift a wheel which carries something without them: the remedy is the part of them
 * that leaves every wheel a load. */
static void doubt_preload(const omr_scene *s, omr_doubts *doubts) {
  double whole[OMR_MAX_WHEELS], taken[OMR_MAX_WHEELS], part = 1;
  int wheel[OMR_MAX_WHEELS], count, worst = -1;
  if (s->study->model != OMR_MODEL_VEHICLE || s->study->contact.compliant ||
      !find_loads(s, whole, taken, wheel, &count))
    return;
  for (int i = 0; i < count; i++) {
    if (!(whole[i] > 0)) return; /* it lifts off without them */
    if (!(part * taken[i] > whole[i])) continue;
    part = whole[i] / taken[i];
    worst = i;
  }
  if (worst < 0) return;
  omr_doubt_add(doubts, OMR_DOUBT_BALANCE, wheel[worst], -1,
                "the preloads of the tracking wheels take %.4g N off wheel %d, which carries %.4g "
                "N without them: at rest it lifts off; give them less than %.3g of their "
                "tracking.preload, or the platform more mass",
                taken[worst], wheel[worst], whole[worst], floor(1000 * part) / 1000);
}

/* A fork balances its wheel about the swivel axis. A light one does so from far away, with an
 * inertia that no such fork has. */
static void doubt_forks(const omr_scene *s, omr_doubts *doubts) {
  for (int i = 0; i < s->wheels; i++) {
    const double *v = s->values.wheel[i], trail = v[OMR_WP_SWIVEL_TRAIL],
                 reach = trail + s->wheel[i].radius,
                 lever = trail * v[OMR_WP_DISC_MASS] / v[OMR_WP_SWIVEL_MASS];
    char out[OMR_LENGTH_TEXT], far[OMR_LENGTH_TEXT];
    if (s->study->kind[i] != OMR_WHEEL_CASTER || !(lever > reach * (1 + 1e-9))) continue;
    omr_doubt_add(
        doubts, OMR_DOUBT_INERTIA, i, -1,
        "the fork of wheel %d balances the wheel about the swivel axis: of %.3g kg it stands %s "
        "ahead of it, farther than the %s that the wheel reaches behind, which gives both %.3g kg "
        "m2 about that axis; give a swivel.mass of %.3g kg or more, or a smaller swivel.trail",
        i, v[OMR_WP_SWIVEL_MASS], omr_length_text(lever, out), omr_length_text(reach, far),
        1 / omr_scene_place(s, i)[W_INV_ROLLER_INERTIA],
        ceil(1000 * trail * v[OMR_WP_DISC_MASS] / reach) / 1000);
    return; /* wheels are mostly alike */
  }
}

typedef struct limit {
  const char *path;
  double value, low, high; /* m; 0 is always good */
} limit;

static void doubt_length(omr_doubts *doubts, limit l, int wheel) {
  const double size = fabs(l.value);
  char where[40] = "";
  if (!isfinite(size) || size == 0 || (size >= l.low && size <= l.high)) return;
  if (wheel >= 0) snprintf(where, sizeof where, " of wheel %d", wheel);
  if (size > l.high)
    omr_doubt_add(doubts, OMR_DOUBT_LENGTH, wheel, -1,
                  "%s%s is %.6g m, the size of a house; a number without a unit is in metres: "
                  "write \"%.6g mm\" or \"%.6g cm\" if that was meant",
                  l.path, where, l.value, l.value, l.value);
  else
    omr_doubt_add(doubts, OMR_DOUBT_LENGTH, wheel, -1,
                  "%s%s is %.6g m, less than a millimetre; a number without a unit is in metres: "
                  "give the unit with it",
                  l.path, where, l.value);
}

/* Values that are equal on all wheels are only reported for the first. */
static void doubt_wheel_lengths(const omr_scene *s, omr_doubts *doubts) {
  static const struct {
    int parameter;
    double low, high;
  } looked[] = {
      {OMR_WP_RADIUS, 1e-3, 2}, {OMR_WP_ROW_DISTANCE, 0, 2}, {OMR_WP_X, 0, 20}, {OMR_WP_Z, 0, 20}};
  for (size_t j = 0; j < sizeof looked / sizeof *looked; j++) {
    const int p = looked[j].parameter;
    for (int i = 0; i < s->wheels; i++) {
      const double value = s->values.wheel[i][p];
      const bool told = i > 0 && value == s->values.wheel[0][p];
      const limit l = {omr_wheel_path(s->study->frame, p),
                       omr_turned(omr_parameter_turn(s->study->frame, true, p), value),
                       looked[j].low, looked[j].high};
      if (!told) doubt_length(doubts, l, i);
    }
  }
}

/* Hertz' area of contact is much smaller than the bodies. */
static void doubt_contour(const omr_scene *s, omr_doubts *doubts) {
  char size[OMR_LENGTH_TEXT], radius[OMR_LENGTH_TEXT];
  for (int i = 0; i < s->wheels && s->study->model != OMR_MODEL_DISC_VEHICLE; i++) {
    const double contour = s->values.wheel[i][OMR_WP_CONTOUR_RADIUS],
                 roller = s->wheel[i].roller.radius - s->wheel[i].roller.center;
    if (omr_wheel_is_bare(s->study->kind[i]) || !(contour > roller / 2)) continue;
    omr_doubt_add(
        doubts, OMR_DOUBT_LENGTH, i, -1,
        "%s of wheel %d is %s, more than half of the %s that the roller has in its middle: no "
        "floor presses so wide an area; it is the radius of the area of contact, not of the roller",
        omr_wheel_path(s->study->frame, OMR_WP_CONTOUR_RADIUS), i, omr_length_text(contour, size),
        omr_length_text(roller, radius));
    return;
  }
}

static void doubt_lengths(const omr_scene *s, omr_doubts *doubts) {
  /* Lengths of layout and centre of mass. */
  static const struct {
    int parameter;
    double high;
  } looked[] = {{OMR_VP_LAYOUT_RADIUS, 20},
                {OMR_VP_LAYOUT_HALF_LENGTH, 20},
                {OMR_VP_LAYOUT_HALF_WIDTH, 20},
                {OMR_VP_COM_X, 20},
                {OMR_VP_COM_Z, 20},
                {OMR_VP_COM_HEIGHT, 20}};
  for (size_t j = 0; s->vehicle && j < sizeof looked / sizeof *looked; j++) {
    const int p = looked[j].parameter;
    const limit l = {
        omr_vehicle_path(s->study->frame, p),
        omr_turned(omr_parameter_turn(s->study->frame, false, p), s->values.vehicle[p]), 0,
        looked[j].high};
    doubt_length(doubts, l, -1);
  }

  /* Lengths of wheels and contacts. */
  doubt_wheel_lengths(s, doubts);
  doubt_contour(s, doubts);
}

static void doubt_angle(omr_doubts *doubts, const char *path, double value, int wheel) {
  char where[40] = "";
  if (!(fabs(value) > 2 * PI * (1 + 1e-9))) return;
  if (wheel >= 0) snprintf(where, sizeof where, " of wheel %d", wheel);
  omr_doubt_add(doubts, OMR_DOUBT_ANGLE, wheel, -1,
                "%s%s is %.6g rad, %.3g turns; a number without a unit is in radians: write \"%.6g "
                "deg\" if degrees were meant",
                path, where, value, fabs(value) / (2 * PI), value);
}

static void doubt_angles(const omr_scene *s, omr_doubts *doubts) {
  const omr_study *study = s->study;
  if (s->vehicle && study->layout == OMR_LAYOUT_RING)
    doubt_angle(doubts, "layout.first_angle", s->values.vehicle[OMR_VP_LAYOUT_FIRST_ANGLE], -1);
  if (s->vehicle && study->layout != OMR_LAYOUT_EXPLICIT) return;
  for (int i = 0; i < s->wheels; i++)
    doubt_angle(doubts, "axis_angle", s->values.wheel[i][OMR_WP_AXIS_ANGLE], i);
}

/* A box about the wheels, with equal heights below and above the centre of mass. */
static double platform_volume(const omr_scene *s) {
  double x = 0, z = 0, radius = 0;
  for (int i = 0; i < s->wheels; i++) {
    x = fmax(x, fabs(s->wheel[i].x));
    z = fmax(z, fabs(s->wheel[i].z));
    radius = fmax(radius, s->wheel[i].radius);
  }
  return 4 * (x + radius) * (z + radius) * 2 *
         fmax(s->values.vehicle[OMR_VP_COM_HEIGHT], 2 * radius);
}

static void doubt_mass(omr_doubts *doubts, const char *path, double mass, double volume,
                       int wheel) {
  char where[40] = "";
  if (!(mass > DENSEST * volume)) return;
  if (wheel >= 0) snprintf(where, sizeof where, " of wheel %d", wheel);
  omr_doubt_add(doubts, OMR_DOUBT_MASS, wheel, -1,
                "%s%s is %.6g kg, which in the room it has is denser than any metal (%.3g kg/m3); "
                "a number without a unit is in kilograms: write \"%.6g g\" if grams were meant",
                path, where, mass, mass / volume, mass);
}

static void doubt_wheel_masses(const omr_scene *s, omr_doubts *doubts, int i) {
  const omr_scene_wheel *w = &s->wheel[i];
  const double *v = s->values.wheel[i];
  const double width = w->rollers ? fmax(2 * w->half_width, 0.2 * w->radius) : 2 * w->radius;
  doubt_mass(doubts, "disc.mass", v[OMR_WP_DISC_MASS], PI * w->radius * w->radius * width, i);
  if (!w->rollers || omr_law_is_massless(s->study->contact.law)) return;
  const bool given = !isnan(v[OMR_WP_ROLLER_MASS]);
  if (given)
    doubt_mass(doubts, "roller.mass", v[OMR_WP_ROLLER_MASS],
               omr_roller_integrate(&w->roller, 1, 0).mass, i);
  if (given || v[OMR_WP_ROLLER_DENSITY] >= LIGHTEST) return;
  omr_doubt_add(doubts, OMR_DOUBT_MASS, i, -1,
                "roller.density of wheel %d is %.6g kg/m3, lighter than foam; write \"%.6g g/cm3\" "
                "if grams per cubic centimetre were meant",
                i, v[OMR_WP_ROLLER_DENSITY], v[OMR_WP_ROLLER_DENSITY]);
}

static void doubt_masses(const omr_scene *s, omr_doubts *doubts) {
  if (s->vehicle)
    doubt_mass(doubts, "platform.mass", s->values.vehicle[OMR_VP_PLATFORM_MASS], platform_volume(s),
               -1);
  for (int i = 0; i < s->wheels; i++) {
    const int before = doubts->count;
    doubt_wheel_masses(s, doubts, i);
    if (doubts->count > before) return; /* wheels are mostly alike */
  }
}

/* A platform's mass lies near its wheels: a radius of gyration far beyond them, or close to 0,
 * points to a wrong mass, layout or unit. */
static void doubt_inertia(const omr_scene *s, omr_doubts *doubts) {
  const double mass = s->values.vehicle[OMR_VP_PLATFORM_MASS],
               inertia = s->values.vehicle[OMR_VP_PLATFORM_YAW_INERTIA];
  double reach = 0;
  if (!s->vehicle || !(mass > 0) || !(inertia > 0)) return;
  for (int i = 0; i < s->wheels; i++)
    reach = fmax(reach, hypot(s->wheel[i].x, s->wheel[i].z) + s->wheel[i].radius);
  const double gyration = sqrt(inertia / mass);
  char found[OMR_LENGTH_TEXT], far[OMR_LENGTH_TEXT];
  if (gyration >= 0.05 * reach && gyration <= 2 * reach) return;
  omr_doubt_add(doubts, OMR_DOUBT_INERTIA, -1, -1,
                "platform.yaw_inertia %.4g kg m2 with platform.mass %.4g kg is a radius of "
                "gyration of %s, where the wheels reach %s from the middle; a uniform platform "
                "over the wheels has about %.3g kg m2: check both values and their units",
                inertia, mass, omr_length_text(gyration, found), omr_length_text(reach, far),
                mass * reach * reach / 3);
}

/* Lost grip of wheels that have none to lose. */
static void doubt_lost_grip(const omr_study *study, omr_doubts *doubts) {
  const bool disc = study->model == OMR_MODEL_DISC_VEHICLE;
  const int last = OMR_OBS_WHEEL0_LOST_GRIP_TIME + OMR_MAX_WHEELS - 1;
  int asked = OMR_OBS_LOST_GRIP_TIME;
  while (asked <= last && !omr_study_observes(study, asked)) asked++;
  if (asked > last || omr_may_lose_grip(study)) return;
  omr_doubt_add(
      doubts, OMR_DOUBT_GRIP, -1, -1, "%s will have no value: %s; %s", omr_observables[asked].name,
      disc ? "a disc has no rollers that an exchange could make slide"
           : "contacts of this contact.law cannot slide",
      disc ? "max_slip and max_force_ratio have one" : "saturated_coulomb, the default, lets them");
}

void omr_doubts_find(const omr_scene *scene, omr_doubts *doubts) {
  doubts->count = 0;
  if (omr_small_list_of(scene->study->model)) return;
  doubt_lengths(scene, doubts);
  doubt_angles(scene, doubts);
  doubt_masses(scene, doubts);
  doubt_inertia(scene, doubts);
  doubt_overlap(scene, doubts);
  doubt_size(scene, doubts);
  doubt_balance(scene, doubts);
  if (scene->vehicle) doubt_preload(scene, doubts);
  if (scene->vehicle) doubt_forks(scene, doubts);
  doubt_lost_grip(scene->study, doubts);
  omr_doubt_odometry(scene, doubts);
  if (scene->vehicle) omr_doubt_drives(scene, doubts);
  if (scene->vehicle) omr_doubt_rank(scene, doubts);
  if (scene->vehicle) omr_doubt_start(scene, doubts);
  if (scene->study->contact.compliant) omr_doubt_springs(scene, doubts);
}

void omr_judge_vehicle(const omr_study *study, char *lines, size_t size) {
  omr_scene scene;
  omr_doubts doubts;
  char reason[400];
  lines[0] = '\0';
  if (!omr_scene_make(study, OMR_NONE, &scene, reason, sizeof reason)) return;
  omr_doubts_find(&scene, &doubts);
  for (int i = 0; i < doubts.count; i++)
    omr_print_more(lines, size, "%s%s: %s", i ? "\n" : "", omr_doubt_words[doubts.list[i].kind],
                   doubts.list[i].text);
}
