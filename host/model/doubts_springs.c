/* Doubts about compliant contact: springs too soft, or too much damping for a model of the contact.
 */
#include "compliant.h"
#include "doubts.h"

#include <math.h>
#include <stdio.h>

#define SOFT 0.1    /* sag over the thickness of a roller */
#define UNTOLD 0.05 /* share of other losses, or of the speed, that dampers may take */

/* Folded parameter of a wheel. */
static double of_wheel(const omr_scene *s, int i, int column) {
  return s->params[OMR_PARAM_COLUMN(i, column)];
}

/* Sag of a wheel under its share of the weight, on one roller. */
static double sag_of(const omr_scene *s, int i) {
  const double share = s->params[P_WEIGHT] / s->wheels, k = of_wheel(s, i, W_CONTACT_STIFFNESS);
  return s->study->contact.hertz ? pow(share / k, 2.0 / 3) : share / k;
}

static void doubt_sag(const omr_scene *s, omr_doubts *doubts) {
  char sag[OMR_LENGTH_TEXT], thick[OMR_LENGTH_TEXT];
  /* The largest sag over the thickness of a roller. */
  int worst = 0;
  double most = 0;
  for (int i = 0; i < s->wheels; i++) {
    if (s->study->kind[i] == OMR_WHEEL_TRACKING) continue; /* its spring is meant to be soft */
    const double part = sag_of(s, i) / (of_wheel(s, i, W_RADIUS) - of_wheel(s, i, W_CENTER));
    if (part > most) {
      most = part;
      worst = i;
    }
  }

  if (!(most > SOFT)) return;

  const double thickness = of_wheel(s, worst, W_RADIUS) - of_wheel(s, worst, W_CENTER);
  char what[sizeof thick + 64]; /* scenes of discs have no rollers */
  snprintf(what, sizeof what,
           s->wheel[worst].rollers ? "rollers are %s thick from their axes on" : "radius is %s",
           omr_length_text(thickness, thick));
  omr_doubt_add(doubts, OMR_DOUBT_SAG, worst, -1,
                "the springs below wheel %d give way by %s under its share of the weight, and its "
                "%s: contacts that flat are no points any more; raise contact.%s",
                worst, omr_length_text(most * thickness, sag), what,
                s->study->contact.hertz ? "hertz_stiffness" : "stiffness");
}

/* The key that gives the damper of a wheel. */
static const char *damper_of(const omr_scene *s, int i) {
  return s->study->contact.kelvin_voigt && !isnan(s->values.wheel[i][OMR_WP_DAMPING]) ? "damping"
         : !isnan(s->values.wheel[i][OMR_WP_DISSIPATION]) ? "dissipation"
                                                          : "damping_ratio";
}

static void doubt_damping(const omr_scene *s, omr_doubts *doubts) {
  const double share = s->params[P_WEIGHT] / s->wheels,
               mass = share / s->values.vehicle[OMR_VP_GRAVITY];
  for (int i = 0; i < s->wheels; i++) {
    const double sag = sag_of(s, i), slope = (s->study->contact.hertz ? 1.5 : 1) * share / sag;
    const double damping = s->study->contact.kelvin_voigt ? of_wheel(s, i, W_CONTACT_DAMPING)
                                                          : of_wheel(s, i, W_CROSSLEY) * share;
    const double ratio = damping / (2 * sqrt(slope * mass));
    if (!(ratio > 1)) continue;
    omr_doubt_add(doubts, OMR_DOUBT_DAMPING, i, -1,
                  "the damping ratio below wheel %d is %.*g, above 1: a wheel that is pressed in "
                  "does not swing back but creeps; lower contact.%s",
                  i, omr_digits_apart(ratio, 1, 3), ratio, damper_of(s, i));
    return;
  }
}

/* Work of a wheel's damper as one roller comes and the other leaves, J, where the wheel turns at
 * `rate` [rad/s] and the axle keeps its height: a roller's end is d0 - R phi^2/2 deep at an angle
 * phi from straight down (appendix/springs.md#springs). */
static double exchange_loss(const omr_scene *s, int i, double rate) {
  enum { PARTS = 64 };
  const double radius = of_wheel(s, i, W_RADIUS), sag = sag_of(s, i),
               part = sqrt(2 * sag / radius) / PARTS;
  double loss = 0;
  for (int n = 0; n < PARTS; n++) {
    const double angle = (n + 0.5) * part, depth = sag - 0.5 * radius * angle * angle,
                 speed = radius * angle * rate,
                 spring = omr_spring_at(of_wheel(s, i, W_CONTACT_STIFFNESS),
                                        s->study->contact.hertz, depth)
                              .force,
                 damper =
                     speed * (s->study->contact.kelvin_voigt ? of_wheel(s, i, W_CONTACT_DAMPING)
                                                             : spring * of_wheel(s, i, W_CROSSLEY));
    loss += (damper + fmin(damper, spring)) * radius * angle * part; /* it never pulls */
  }
  return loss;
}

/* Torque by which friction of the axle brakes a wheel under its share of the weight, N m. */
static double axle_torque(const omr_scene *s, int i, double rate) {
  return of_wheel(s, i, W_AXLE_BEARING) * rate + of_wheel(s, i, W_AXLE_TORQUE) +
         of_wheel(s, i, W_AXLE_PIN) * s->params[P_WEIGHT] / s->wheels;
}

double omr_damper_deceleration(const omr_scene *s, double vx, double vz, double *axles) {
  const double pi = acos(-1.0), mass = s->params[P_WEIGHT] / s->values.vehicle[OMR_VP_GRAVITY],
               speed = hypot(vx, vz);
  double power = 0;
  *axles = 0;
  if (!(speed > 0)) return 0;
  for (int i = 0; i < s->wheels; i++) {
    const double rate = fabs(of_wheel(s, i, W_IDEAL_X) * vx + of_wheel(s, i, W_IDEAL_Z) * vz);
    power += exchange_loss(s, i, rate) * s->wheel[i].rollers * rate / (2 * pi);
    *axles += axle_torque(s, i, rate) * rate / (mass * speed);
  }
  return power / (mass * speed);
}

/* A vehicle that rolls out should be slowed by its axles, or not at all. */
static void doubt_resistance(const omr_scene *s, omr_doubts *doubts) {
  const double *p = s->values.vehicle;
  /* The motion at the start, or of the command. */
  double vx = p[OMR_VP_INITIAL_VX], vz = p[OMR_VP_INITIAL_VZ], axles;
  bool driven = false;
  char of[100] = "where nothing else does";
  if (vx == 0 && vz == 0 && s->commanded) vx = s->vx, vz = s->vz;
  for (int i = 0; i < s->wheels; i++) driven = driven || s->study->drives.law[i] != OMR_DRIVE_NONE;

  /* Dampers may take a small part of the axles' losses, or of the speed over the run. */
  const double slowed = omr_damper_deceleration(s, vx, vz, &axles), speed = hypot(vx, vz),
               asked = axles > 0 ? axles
                       : driven  ? HUGE_VAL
                                 : speed / s->study->time.duration;
  if (!(slowed > UNTOLD * asked)) return;
  if (axles > 0)
    snprintf(of, sizeof of, "%.3g %% of what the friction of the axles does", 100 * slowed / axles);

  /* The message names damper and remedy. */
  omr_doubt_add(doubts, OMR_DOUBT_RESISTANCE, -1, -1,
                "the dampers below the rollers slow the vehicle by about %.2g m/s2 at %.3g m/s, "
                "since rollers come and go, %s; lower contact.%s%s",
                slowed, speed, of, damper_of(s, 0),
                axles > 0 ? ", or take it off the friction of the axles" : "");
}

/* Curvature of the profile, 1/m: the largest of wave, step and map, plus twice the rms of the
 * roughness. */
static double curvature_of(const omr_study *study, const omr_floor *floor) {
  const double *f = floor->columns, *wave = f + F_COUNT;
  double most = 0, square = 0;
  if (floor->bits & FLOOR_STEP)
    most = 6 * fabs(f[F_STEP_HEIGHT]) * f[F_STEP_INV_RAMP] * f[F_STEP_INV_RAMP];
  if (floor->bits & FLOOR_MAP) most += omr_floor_map_bend(study, f);
  for (int n = 0; n < floor->waves; n++, wave += WAVE_COLUMNS) {
    const double bend =
        wave[WAVE_AMPLITUDE] * (wave[WAVE_X] * wave[WAVE_X] + wave[WAVE_Z] * wave[WAVE_Z]);
    if (n == 0)
      most += bend;
    else
      square += 0.5 * bend * bend;
  }
  return most + 2 * sqrt(square);
}

/* Shortest length over which the profile changes, m. */
static double shortest_of(const omr_floor *floor) {
  const double *f = floor->columns, *wave = f + F_COUNT;
  double least = floor->bits & FLOOR_STEP ? 1 / f[F_STEP_INV_RAMP] : HUGE_VAL;
  for (int axis = 0; floor->map.height && axis < 2; axis++)
    least = fmin(least, 1 / floor->map.per[axis]);
  for (int n = 0; n < floor->waves; n++, wave += WAVE_COLUMNS)
    if (wave[WAVE_AMPLITUDE] > 0)
      least = fmin(least, 2 * acos(-1.0) / hypot(wave[WAVE_X], wave[WAVE_Z]));
  return least;
}

/* Over an edge between two cells a wheel's depth jumps by up to R delta^2/2
 * (appendix/springs.md#floors). */
static void doubt_edges(const omr_scene *s, const omr_floor *floor, omr_doubts *doubts) {
  char high[OMR_LENGTH_TEXT], sag[OMR_LENGTH_TEXT];
  if (!(floor->bits & FLOOR_MAP)) return;
  const double edge = omr_floor_map_edge(s->study, floor->columns);
  for (int i = 0; i < s->wheels; i++) {
    const double jump = 0.5 * of_wheel(s, i, W_RADIUS) * edge * edge;
    if (!(jump > 0.1 * sag_of(s, i))) continue;
    omr_doubt_add(doubts, OMR_DOUBT_FLOOR, i, -1,
                  "the map of the floor has edges of up to %.2g rad from cell to cell, over which "
                  "the depth of wheel %d jumps by %s, where its springs give way by %s; give "
                  "floor.map \"interpolation\": \"cubic\", or closer nodes",
                  edge, i, omr_length_text(jump, high), omr_length_text(sag_of(s, i), sag));
    return;
  }
}

/* A roller's single deepest point can only represent a floor that is flatter than the wheel. */
static void doubt_floor(const omr_scene *s, omr_doubts *doubts) {
  char curve[2][OMR_LENGTH_TEXT], passed[OMR_LENGTH_TEXT], change[OMR_LENGTH_TEXT];
  /* The largest wheel feels the sharpest curve. */
  const double *p = s->values.vehicle;
  double most = 0;
  omr_floor floor;
  omr_floor_make(s->study, &s->values, &floor);
  if (!(floor.bits & FLOOR_PROFILE)) return;
  for (int i = 0; i < s->wheels; i++) most = fmax(most, of_wheel(s, i, W_RADIUS));
  const double curvature = curvature_of(s->study, &floor), shortest = shortest_of(&floor);

  /* Curves sharper than the wheel touch it in several places. */
  omr_length_texts((const double[]){1 / curvature, most}, curve);
  if (curvature * most > 1)
    omr_doubt_add(doubts, OMR_DOUBT_FLOOR, -1, -1,
                  "the floor has curves of a radius of %s, and wheels of %s touch it in more than "
                  "one place then, of which one is found; make steps less steep (floor.step.ramp), "
                  "waves longer or a map smoother",
                  curve[0], curve[1]);

  /* A step of the run must not jump over the floor's shortest change. */
  const double speed = fmax(hypot(p[OMR_VP_INITIAL_VX], p[OMR_VP_INITIAL_VZ]),
                            hypot(p[OMR_VP_COMMAND_VX], p[OMR_VP_COMMAND_VZ])),
               way = speed * s->study->time.step;
  if (way > 0.1 * shortest)
    omr_doubt_add(
        doubts, OMR_DOUBT_FLOOR, -1, -1,
        "a step of the run covers %s, and the floor changes within %s; shorten integrator.step",
        omr_length_text(way, passed), omr_length_text(shortest, change));

  doubt_edges(s, &floor, doubts);
}

void omr_doubt_springs(const omr_scene *s, omr_doubts *doubts) {
  doubt_sag(s, doubts);
  doubt_damping(s, doubts);
  doubt_resistance(s, doubts);
  doubt_floor(s, doubts);
}
