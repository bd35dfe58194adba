/* The bodies of a vehicle: places of its wheels, shapes and masses of its rollers. */
#include "fold.h"

#include "../../kernels/scalar_math.h"
#include "../lists/frames.h"
#include <math.h>
#include <string.h>

bool omr_check_bounds(omr_frame_kind frame, int index, double value, int wheel, char *reason,
                      size_t size) {
  const omr_parameter *p =
      wheel >= 0 ? &omr_wheel_parameters[index] : &omr_vehicle_parameters[index];
  if (isnan(p->standard) && isnan(value)) return true; /* the study gives no value */

  /* A value must lie within its bounds and be whole where the parameter is. */
  bool low = p->flags & OMR_P_OPEN_LOW ? value > p->low : value >= p->low;
  bool whole = !(p->flags & OMR_P_INTEGER) || value == __builtin_rint(value);
  if (low && value <= p->high && whole && isfinite(value)) return true;

  /* The reason names the value with enough digits to tell it from the bound. */
  char where[32] = "";
  if (wheel >= 0) snprintf(where, sizeof where, "wheels[%d].", wheel);
  const double bound = !whole ? __builtin_rint(value) : value > p->high ? p->high : p->low;
  return omr_deny(reason, size, "%s%s = %.*g %s is %s", where,
                  omr_framed_parameter(frame, wheel >= 0, index).path,
                  omr_digits_apart(value, bound, 6),
                  omr_turned(omr_parameter_turn(frame, wheel >= 0, index), value), p->unit,
                  whole ? "outside its bounds" : "not a whole number");
}

/* The last good value of each parameter, per thread: most values are the same in all instances. */
typedef struct good_values {
  bool begun;
  double vehicle[OMR_VP_COUNT], wheel[OMR_WP_COUNT];
} good_values;

static _Thread_local good_values good;

static inline bool same_bits(const double *a, const double *b, int count) {
  uint64_t differing = 0;
  for (int i = 0; i < count; i++) {
    uint64_t x, y;
    memcpy(&x, &a[i], sizeof x);
    memcpy(&y, &b[i], sizeof y);
    differing |= x ^ y;
  }
  return differing == 0;
}

/* Compares several values at a time, most of which are known; index `replaced` does not count. */
static bool check_list(omr_frame_kind frame, const double *values, int count, int replaced,
                       int wheel, double *known, char *reason, size_t size) {
  enum { SOME = 8 };
  for (int first = 0; first < count; first += SOME) {
    const int end = count - first < SOME ? count : first + SOME;
    if (end - first == SOME && same_bits(values + first, known + first, SOME)) continue;
    for (int i = first; i < end; i++) {
      if (i == replaced || same_bits(&values[i], &known[i], 1)) continue;
      if (!omr_check_bounds(frame, i, values[i], wheel, reason, size)) return false;
      known[i] = values[i];
    }
  }
  return true;
}

static bool check_values(const omr_study *study, const omr_values *v, char *reason, size_t size) {
  if (!good.begun) memset(&good, 0xff, sizeof good); /* a NaN that no value has */
  good.begun = true;
  if (!check_list(study->frame, v->vehicle, OMR_VP_COUNT, -1, -1, good.vehicle, reason, size))
    return false;
  for (int w = 0; w < study->wheels; w++) {
    const int replaced = isnan(v->wheel[w][OMR_WP_ROLLER_MASS]) ? -1 : OMR_WP_ROLLER_DENSITY;
    if (!check_list(study->frame, v->wheel[w], OMR_WP_COUNT, replaced, w, good.wheel, reason, size))
      return false;
  }
  return true;
}

/* Nominal place of wheel i (appendix/vehicle.md#axes). */
static void place_wheel(const omr_study *study, const omr_values *v, int i, omr_wheel_body *w) {
  const double *p = v->vehicle;
  w->nominal_a = w->nominal_b = 0;
  w->nominal_delta = v->wheel[i][OMR_WP_AXIS_ANGLE];

  /* The layout places the wheels of a vehicle; a testbench has its wheel at the origin. */
  if (study->model == OMR_MODEL_WHEEL) return;
  if (study->layout == OMR_LAYOUT_RING) {
    double s, c;
    w->nominal_delta = p[OMR_VP_LAYOUT_FIRST_ANGLE] + 2 * PI * i / study->wheels;
    omr_math_sincos(w->nominal_delta, &s, &c);
    w->nominal_a = p[OMR_VP_LAYOUT_RADIUS] * s;
    w->nominal_b = p[OMR_VP_LAYOUT_RADIUS] * c;
  } else if (study->layout == OMR_LAYOUT_RECTANGLE) {
    w->nominal_delta = 0;
    w->nominal_a = i < 2 ? p[OMR_VP_LAYOUT_HALF_LENGTH] : -p[OMR_VP_LAYOUT_HALF_LENGTH];
    w->nominal_b = i % 2 == 0 ? -p[OMR_VP_LAYOUT_HALF_WIDTH] : p[OMR_VP_LAYOUT_HALF_WIDTH];
  } else {
    w->nominal_a = v->wheel[i][OMR_WP_X];
    w->nominal_b = v->wheel[i][OMR_WP_Z];
  }
}

/* Wheels and instances mostly share their rollers, of which a grid has some dozens. Each thread
 * keeps its results, in a place that follows from the shape. */
typedef struct known_roller {
  omr_roller shape;
  double density, bore, overlap;
  omr_roller_mass mass;
  bool has_overlap, has_mass;
} known_roller;

enum { KNOWN_BITS = 8 };
#define OVERLAP 1e-9 /* of the radius: less is rounding */
static _Thread_local known_roller known[1 << KNOWN_BITS];

static known_roller *look_up(const omr_roller *shape) {
  const double values[] = {shape->radius, shape->inclination, shape->row_distance,
                           shape->center, shape->rollers,     shape->coverage};
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    hash = (hash ^ bits ^ bits >> 32) * 0x9e3779b97f4a7c15;
  }
  known_roller *k = &known[hash >> (64 - KNOWN_BITS)];
  const omr_roller *l = &k->shape;
  bool same = l->radius == shape->radius && l->rollers == shape->rollers &&
              l->inclination == shape->inclination && l->row_distance == shape->row_distance &&
              l->coverage == shape->coverage && l->center == shape->center;
  if (!same) *k = (known_roller){.shape = *shape};
  return k;
}

static double overlap_of(const omr_roller *shape) {
  known_roller *k = look_up(shape);
  if (!k->has_overlap) k->overlap = omr_roller_overlap(shape, OVERLAP * shape->radius);
  k->has_overlap = true;
  return k->overlap;
}

static omr_roller_mass mass_of(const omr_roller *shape, double density, double bore) {
  known_roller *k = look_up(shape);
  if (!k->has_mass || k->density != density || k->bore != bore) {
    k->mass = omr_roller_integrate(shape, density, bore);
    k->density = density;
    k->bore = bore;
    k->has_mass = true;
  }
  return k->mass;
}

/* Checks that a fillet and an undersize leave some of the profile. A spherical roller has a fillet
 * as large as its short profile, whose end lies below it by rounding: R1 end^2/2. */
static bool check_ends(const double *v, int i, const omr_roller *r, char *reason, size_t size) {
  /* The fillet must fit the ends of the rollers. */
  const double tip = r->radius - r->center / r->cos_end, middle = r->radius - r->center;
  if (v[OMR_WP_FILLET] > fmax(tip, 0) * (1 + 1e-6) + 1e-12 * r->radius) {
    const double fillet = 1e3 * v[OMR_WP_FILLET], end = 1e3 * fmax(tip, 0);
    const int digits = omr_digits_apart(fillet, end, 4);
    return omr_deny(
        reason, size,
        "wheels[%d]: a fillet of %.*g mm does not fit the ends of the rollers, which reach %.*g mm "
        "down from their axes; give a smaller fillet or a larger tip_radius",
        i, digits, fillet, digits, end);
  }

  /* The undersize must leave some thickness in the middle. */
  if (v[OMR_WP_UNDERSIZE] < middle) return true;

  /* The message shows both lengths with digits that tell them apart. */
  const int digits = omr_digits_apart(1e3 * v[OMR_WP_UNDERSIZE], 1e3 * middle, 4);
  return omr_deny(reason, size,
                  "wheels[%d]: an undersize of %.*g mm leaves nothing of rollers that are %.*g mm "
                  "thick from their axes on",
                  i, digits, 1e3 * v[OMR_WP_UNDERSIZE], digits, 1e3 * middle);
}

/* The mass of a roller: none, as given, or integrated from the density; false with a reason if it
 * has no inertia. */
static bool weigh_roller(const omr_study *study, const double *v, int i, omr_wheel_body *w,
                         char *reason, size_t size) {
  if (omr_law_is_massless(study->contact.law)) {
    w->mass = (omr_roller_mass){0, 0, 0};
    return true;
  }
  if (!isnan(v[OMR_WP_ROLLER_MASS])) {
    w->mass = (omr_roller_mass){v[OMR_WP_ROLLER_MASS], v[OMR_WP_ROLLER_AXIAL_INERTIA],
                                v[OMR_WP_ROLLER_DIAMETRAL_INERTIA]};
  } else {
    w->mass = mass_of(&w->roller, v[OMR_WP_ROLLER_DENSITY], v[OMR_WP_ROLLER_BORE]);
  }

  /* A roller that turns needs an inertia. */
  if (!(w->mass.axial > 0))
    return omr_deny(
        reason, size,
        "wheels[%d]: the rollers have no inertia about their axis (is roller.bore too wide?)", i);

  return true;
}

static bool build_roller(const omr_study *study, const double *v, int i, omr_wheel_body *w,
                         char *reason, size_t size) {
  /* The shape of the rollers. */
  w->roller = (omr_roller){.radius = v[OMR_WP_RADIUS] + v[OMR_WP_ERROR_RADIUS],
                           .rollers = (int)v[OMR_WP_ROLLERS],
                           .inclination = v[OMR_WP_INCLINATION],
                           .row_distance = v[OMR_WP_ROW_DISTANCE],
                           .coverage = v[OMR_WP_COVERAGE]};
  if (!(w->roller.radius > 0))
    return omr_deny(reason, size, "wheels[%d]: radius and error.radius give a radius of %.6g m", i,
                    w->roller.radius);

  /* The tips, or the centre distance, complete the shape. */
  const char *why = omr_roller_shape(&w->roller, v[OMR_WP_TIP_RADIUS], v[OMR_WP_CENTER_DISTANCE]);
  if (why) return omr_deny(reason, size, "wheels[%d]: %s", i, why);

  /* Neighbours must not overlap, and the ends must have some thickness. */
  if (!study->allow_overlap) {
    double depth = overlap_of(&w->roller);
    if (depth > OVERLAP * w->roller.radius)
      return omr_deny(reason, size,
                      "wheels[%d]: neighbouring rollers run into each other by %.3g mm; use "
                      "pointed tips (tip_radius 0), two rows (row_distance), fewer or thinner "
                      "rollers,%s or \"overlap\": \"allow\"",
                      i, 1e3 * depth,
                      study->contact.compliant ? " a smaller roller.coverage," : "");
  }

  if (!check_ends(v, i, &w->roller, reason, size)) return false;

  /* Rolling constraints are singular on pointed tips. */
  bool rolls = study->contact.law == OMR_LAW_ROLLING || study->contact.law == OMR_LAW_RELAXED;
  if (rolls &&
      !(w->roller.radius * w->roller.cos_alpha - w->roller.center > 1e-6 * w->roller.radius))
    return omr_deny(reason, size,
                    "wheels[%d]: the rollers have pointed tips, where rolling constraints are "
                    "singular; give a tip_radius (in two rows, or with \"overlap\": \"allow\")",
                    i);

  return weigh_roller(study, v, i, w, reason, size);
}

/* A wheel without rollers, and what it has in the place of one: a fork, which turns on its own.
 * With its wheel it balances about the swivel axis, so that both move as a mass there
 * (appendix/vehicle.md#kinds). */
static bool build_bare(const omr_study *study, const double *v, int i, omr_wheel_body *w,
                       char *reason, size_t size) {
  if (!omr_bare_disc(v, i, w, reason, size)) return false;
  w->trail = study->kind[i] == OMR_WHEEL_CASTER ? v[OMR_WP_SWIVEL_TRAIL] : 0;
  w->roller.rollers = 1;
  w->roller.inclination = w->roller.sin_psi = 0;
  w->roller.cos_psi = 1;
  w->roller.center = w->roller.radius - w->trail;
  w->roller.alpha = NO_EDGE;
  return true;
}

/* Adds the fork: its mass, and the inertia about the swivel axis, which takes no part in the yaw.
 * Its own moments of inertia are the same about all axes. */
static void add_fork(const double *v, omr_wheel_body *w) {
  const double lever = w->trail * v[OMR_WP_DISC_MASS] / v[OMR_WP_SWIVEL_MASS];
  w->swivels = true;
  w->level = v[OMR_WP_SWIVEL_INERTIA] + v[OMR_WP_DISC_DIAMETRAL_INERTIA];
  w->spread = v[OMR_WP_DISC_AXIAL_INERTIA] - v[OMR_WP_DISC_DIAMETRAL_INERTIA] +
              v[OMR_WP_SWIVEL_MASS] * lever * lever + v[OMR_WP_DISC_MASS] * w->trail * w->trail;
  w->mass.axial = v[OMR_WP_SWIVEL_INERTIA] + v[OMR_WP_SWIVEL_MASS] * lever * lever +
                  v[OMR_WP_DISC_DIAMETRAL_INERTIA] + v[OMR_WP_DISC_MASS] * w->trail * w->trail;
  w->total_mass += v[OMR_WP_SWIVEL_MASS];
  w->yaw_inertia = 0;
}

/* Inertias of a wheel with its rollers (appendix/vehicle.md#masses). */
static void add_up_wheel(const double *v, omr_wheel_body *w) {
  const omr_roller *r = &w->roller;
  const omr_roller_mass *m = &w->mass;
  double n = r->rollers, cos2 = r->cos_psi * r->cos_psi, center2 = r->center * r->center;
  double half_row = 0.5 * r->row_distance;
  w->total_mass = v[OMR_WP_DISC_MASS] + n * m->mass + v[OMR_WP_SUSPENSION_MASS];
  w->axial_inertia = v[OMR_WP_DISC_AXIAL_INERTIA] + n * (m->mass * center2 + m->diametral * cos2);
  w->yaw_inertia = v[OMR_WP_DISC_DIAMETRAL_INERTIA] +
                   n * (0.5 * m->mass * center2 + m->diametral * (1 - 0.5 * cos2)) +
                   n * m->mass * half_row * half_row;
}

/* What turns needs an inertia: the wheel about its axle where no drive fixes its rate, and the
 * fork.
 */
static bool check_inertia(const omr_study *study, const double *v, int i, const omr_wheel_body *w,
                          char *reason, size_t size) {
  const double gear = v[OMR_WP_GEAR_RATIO],
               axial = w->axial_inertia + gear * gear * v[OMR_WP_ROTOR_INERTIA];
  const bool fork = omr_wheel_swivels(study->kind[i]) && !(w->mass.axial > 0);
  if (!fork && (axial > 0 || omr_is_rated(study->drives.law[i]))) return true;
  return omr_deny(reason, size, "wheels[%d]: %s; give a larger %s", i,
                  fork ? "fork and wheel have no inertia about the swivel axis"
                       : "the wheel has no inertia about its axle",
                  fork ? "swivel.inertia" : "disc.axial_inertia");
}

bool omr_build_body(const omr_study *study, const omr_values *values, omr_vehicle_body *body,
                    char *reason, size_t size) {
  body->wheels = study->wheels;
  memset(body->wheel, 0, (size_t)body->wheels * sizeof *body->wheel);

  /* Every parameter is checked before any of them is used. */
  if (!check_values(study, values, reason, size)) return false;
  for (int i = 0; i < study->wheels; i++) {
    const double *v = values->wheel[i];
    omr_wheel_body *w = &body->wheel[i];
    /* The wheel as it is built, with its errors. */
    place_wheel(study, values, i, w);
    w->nominal_radius = v[OMR_WP_RADIUS];
    w->a = w->nominal_a + v[OMR_WP_ERROR_X];
    w->b = w->nominal_b + v[OMR_WP_ERROR_Z];
    w->delta = w->nominal_delta + v[OMR_WP_ERROR_AXIS_ANGLE];
    omr_math_sincos(w->delta, &w->sin_delta, &w->cos_delta);

    /* Rollers or a bare disc, then masses and inertias. */
    if (study->model == OMR_MODEL_DISC_VEHICLE && !study->contact.ballast[i]) {
      if (!omr_bare_disc(v, i, w, reason, size)) return false;
    } else if (omr_wheel_is_bare(study->kind[i])) {
      if (!build_bare(study, v, i, w, reason, size)) return false;
    } else if (!build_roller(study, v, i, w, reason, size)) {
      return false;
    }
    add_up_wheel(v, w);
    if (omr_wheel_swivels(study->kind[i])) add_fork(v, w);
    if (study->model == OMR_MODEL_DISC_VEHICLE) omr_paint_disc(w);
    if (!check_inertia(study, v, i, w, reason, size)) return false;

    /* A gear must transmit something. */
    if (v[OMR_WP_GEAR_RATIO] == 0)
      return omr_deny(reason, size, "wheels[%d].motor.gear_ratio is 0", i);
  }

  return true;
}
