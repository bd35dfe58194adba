/* A vehicle, or one wheel on the testbench, with its state, described by the tests themselves; and
 * its way into the engine: study text, omr_study_parse, omr_prepare_instance. */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#include "host/model/prepare.h"
#include "vectors.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct machine_wheel {
  double a, b, delta, psi; /* centre, direction of the axis, roller inclination */
  double torque;
  double angle, rate, spin[OMR_MAX_ROLLERS];
} machine_wheel;

/* Dry friction of a bearing. */
typedef struct machine_bearing {
  double torque, friction, radius, end_friction, end_radius; /* N m, 1, m */
  double static_ratio, stribeck_rate, smoothing_rate;
} machine_bearing;

/* Dry friction and rolling resistance of all wheels; where there is any every rate is above 0. */
typedef struct machine_dry {
  bool any;
  machine_bearing roller, axle;
  double arm, smoothing;      /* rolling resistance: m, rad/s */
  double exponent, reference; /* of the load; N */
} machine_dry;

typedef struct machine {
  int wheels, rollers; /* one wheel: the testbench, without platform; no rollers: discs */
  double radius, center, row_distance;
  double platform_mass, platform_inertia, com_x, com_height, com_z;
  double disc_mass, disc_axial, disc_diametral;
  double roller_mass, roller_axial, roller_diametral;
  double roller_bearing, axle_bearing, gravity, friction, slip_speed;
  double x, z, yaw, vx, vz, omega;
  machine_wheel wheel[OMR_MAX_WHEELS];
  bool regularized, linear_zone; /* law 2 instead of law 1; what follows belongs to it */
  double lateral, longitudinal, lateral_viscous, longitudinal_viscous, friction_angle,
      rolling_friction;
  const char *ground; /* parameters.ground as JSON; NULL: none */
  machine_dry dry;
  double contour; /* law 1: radius of the area of contact, m */
} machine;

/* ---- the way into the engine */

static inline void print_bearing(omr_text *text, const machine_bearing *b) {
  omr_text_print(text,
                 "\"torque\": %.17g, \"friction\": %.17g, \"static_ratio\": %.17g, "
                 "\"stribeck_rate\": %.17g, \"smoothing_rate\": %.17g",
                 b->torque, b->friction, b->static_ratio, b->stribeck_rate, b->smoothing_rate);
}

/* What follows the roller's bearing, and what stands beside the roller. */
static inline void print_dry_roller(omr_text *text, const machine *m) {
  const machine_dry *d = &m->dry;
  if (!d->any) return;
  omr_text_print(text,
                 ", \"rolling_resistance\": %.17g, \"rolling_smoothing_rate\": %.17g, "
                 "\"dry\": {\"pin_radius\": %.17g, \"end_friction\": %.17g, \"end_radius\": "
                 "%.17g, ",
                 d->arm, d->smoothing, d->roller.radius, d->roller.end_friction,
                 d->roller.end_radius);
  print_bearing(text, &d->roller);
  omr_text_print(text, "}");
}

static inline void print_dry_axle(omr_text *text, const machine *m) {
  const machine_dry *d = &m->dry;
  if (!d->any) return;
  omr_text_print(text,
                 "\"dry_load\": {\"exponent\": %.17g, \"reference\": %.17g}, \"axle_dry\": "
                 "{\"radius\": %.17g, ",
                 d->exponent, d->reference, d->axle.radius);
  print_bearing(text, &d->axle);
  omr_text_print(text, "}, ");
}

static inline void print_rollers(omr_text *text, const machine *m) {
  if (!m->rollers) return;
  omr_text_print(text, "\"rollers\": %d, \"center_distance\": %.17g, \"row_distance\": %.17g,",
                 m->rollers, m->center, m->row_distance);
  omr_text_print(text,
                 "\"roller\": {\"mass\": %.17g, \"axial_inertia\": %.17g, \"diametral_inertia\": "
                 "%.17g, \"bearing\": %.17g",
                 m->roller_mass, m->roller_axial, m->roller_diametral, m->roller_bearing);
  print_dry_roller(text, m);
  omr_text_print(text, "}, ");
}

static inline void print_wheel(omr_text *text, const machine *m) {
  omr_text_print(text, "\"wheel\": {\"radius\": %.17g, ", m->radius);
  omr_text_print(
      text, "\"disc\": {\"mass\": %.17g, \"axial_inertia\": %.17g, \"diametral_inertia\": %.17g},",
      m->disc_mass, m->disc_axial, m->disc_diametral);
  print_rollers(text, m);
  print_dry_axle(text, m);
  if (m->regularized) {
    omr_text_print(text,
                   "\"contact\": {\"lateral_friction\": %.17g, \"longitudinal_friction\": %.17g, "
                   "\"lateral_viscous\": %.17g, ",
                   m->lateral, m->longitudinal, m->lateral_viscous);
    omr_text_print(text,
                   "\"longitudinal_viscous\": %.17g, \"friction_angle\": %.17g, "
                   "\"rolling_friction\": %.17g}, ",
                   m->longitudinal_viscous, m->friction_angle, m->rolling_friction);
  }
  if (m->contour > 0)
    omr_text_print(text, "\"contact\": {\"contour_radius\": %.17g}, ", m->contour);
  omr_text_print(text, "\"axle_bearing\": %.17g, \"friction\": %.17g, \"slip_speed\": %.17g,",
                 m->axle_bearing, m->friction, m->slip_speed);
}

static inline void print_motion(omr_text *text, const machine_wheel *w) {
  omr_text_print(text,
                 "\"axis_angle\": %.17g, \"inclination\": %.17g, \"initial\": {\"angle\": %.17g, "
                 "\"rate\": %.17g}, ",
                 w->delta, w->psi, w->angle, w->rate);
  omr_text_print(text, "\"drive\": {\"type\": \"constant\", \"torque\": %.17g}", w->torque);
}

static inline void print_wheels(omr_text *text, const machine *m) {
  print_wheel(text, m);
  if (m->wheels == 1) {
    print_motion(text, &m->wheel[0]);
    omr_text_print(text, "},");
    return;
  }
  omr_text_print(text,
                 "\"drive\": {\"type\": \"constant\"}}, \"layout\": {\"type\": \"explicit\"}, "
                 "\"platform\": {\"mass\": %.17g, ",
                 m->platform_mass);
  omr_text_print(text,
                 "\"yaw_inertia\": %.17g, \"center_of_mass\": {\"x\": %.17g, \"height\": %.17g, "
                 "\"z\": %.17g}}, \"wheels\": [",
                 m->platform_inertia, m->com_x, m->com_height, m->com_z);
  for (int i = 0; i < m->wheels; i++) {
    omr_text_print(text, "%s{\"x\": %.17g, \"z\": %.17g, ", i ? ", " : "", m->wheel[i].a,
                   m->wheel[i].b);
    print_motion(text, &m->wheel[i]);
    omr_text_print(text, "}");
  }
  omr_text_print(text, "],");
}

static inline void print_spins(omr_text *text, const machine *m) {
  for (int i = 0; i < m->wheels; i++) {
    for (int j = 0; j < m->rollers; j++)
      omr_text_print(text, "%s%.17g", j ? ", " : i ? "], [" : "[[", m->wheel[i].spin[j]);
  }
  omr_text_print(text, "]]");
}

static inline const char *machine_model(const machine *m) {
  return m->wheels == 1 ? "omni_wheel" : m->rollers ? "omni_vehicle" : "disc_vehicle";
}

/* Study of the machine; `sections` are further sections of the study, each with a comma before it.
 * Free with omr_text_free. */
static inline omr_text machine_text(const machine *m, const char *sections) {
  omr_text text = {0};
  omr_text_print(&text, "{\"model\": \"%s\", \"parameters\": {%s\"gravity\": %.17g,",
                 machine_model(m), m->rollers ? "\"overlap\": \"allow\", " : "", m->gravity);
  if (m->regularized)
    omr_text_print(&text, "\"contact\": {\"law\": \"regularized_coulomb\", \"zone\": \"%s\"}, ",
                   m->linear_zone ? "linear" : "quadratic");
  if (m->ground) omr_text_print(&text, "\"ground\": %s, ", m->ground);
  print_wheels(&text, m);
  omr_text_print(&text,
                 "\"initial\": {\"x\": %.17g, \"z\": %.17g, \"yaw\": %.17g, \"vx\": %.17g, \"vz\": "
                 "%.17g, \"yaw_rate\": %.17g",
                 m->x, m->z, m->yaw, m->vx, m->vz, m->omega);
  if (m->rollers) omr_text_print(&text, ", \"spins\": ");
  if (m->rollers) print_spins(&text, m);
  omr_text_print(&text, "}}%s}", sections);
  return text;
}

#define MACHINE_TIMES ", \"integrator\": {\"step\": 1e-3, \"duration\": 1}"

static inline omr_study *read_machine(const machine *m) {
  omr_text text = machine_text(m, MACHINE_TIMES);
  omr_study *study;
  omr_error error = {0};
  const omr_status status = omr_study_parse(text.data, "machine.json", NULL, 0, &study, &error);
  cr_assert_eq(status, OMR_OK, "%s\n%s", error.message, text.data);
  omr_text_free(&text);
  return study;
}

/* Columns of `slots` instances under the settings of one study. */
typedef struct fleet {
  omr_run_settings settings;
  omr_batch batch;
} fleet;

static inline fleet make_fleet(const omr_study *study, size_t slots) {
  fleet f = {.batch = {.count = slots, .stride = slots}};
  omr_error error = {0};
  cr_assert_eq(omr_settings_make(study, &f.settings, &error), OMR_OK, "%s", error.message);
  f.batch.params = omr_aligned_calloc((size_t)f.settings.param_columns * slots, sizeof(double));
  f.batch.state = omr_aligned_calloc((size_t)f.settings.state_columns * slots, sizeof(double));
  f.batch.spins = omr_aligned_calloc((size_t)f.settings.spin_columns *
                                         ((slots + OMR_PAD - 1) / OMR_PAD * OMR_PAD),
                                     sizeof(double));
  cr_assert(f.batch.params && f.batch.state && f.batch.spins);
  return f;
}

static inline void free_fleet(fleet *f) {
  free(f->batch.params);
  free(f->batch.state);
  free(f->batch.spins);
  omr_settings_free(&f->settings);
}

static inline void prepare_slot(fleet *f, const omr_study *study, size_t slot) {
  omr_values values;
  char reason[512] = "";
  omr_study_values(study, 0, &values, NULL);
  cr_assert(
      omr_prepare_instance(study, &f->settings, &values, &f->batch, slot, reason, sizeof reason),
      "%s", reason);
}

/* ---- random machines */

static inline void draw_places(uint64_t *s, machine *m) {
  double start = draw(s, 0, 6), ring = draw(s, 0.2, 0.4);
  for (int i = 0; i < m->wheels; i++) {
    machine_wheel *w = &m->wheel[i];
    double angle = start + 2 * M_PI * i / m->wheels + draw(s, -0.3, 0.3);
    w->a = ring * sin(angle) + draw(s, -0.03, 0.03);
    w->b = ring * cos(angle) + draw(s, -0.03, 0.03);
    if (m->wheels == 1) w->a = w->b = 0;
    w->delta = draw(s, -4, 4);
    w->psi = draw(s, -1.1, 1.1);
    w->torque = draw(s, -2, 2);
    w->angle = draw(s, -8, 8);
    w->rate = draw(s, -8, 8);
    for (int j = 0; j < m->rollers; j++) w->spin[j] = draw(s, -20, 20);
  }
}

/* Any number of wheels but two, rollers from 3 to 12, one row or two, each with its own
 * inclination; bearings with friction in half of them. Bodies as real as their numbers: what is
 * checked with them holds for any. */
static inline machine random_machine(uint64_t *s) {
  machine m = {.wheels = draw_whole(s, 1, OMR_MAX_WHEELS), .rollers = draw_whole(s, 3, 12)};
  if (m.wheels == 2) m.wheels = 1;
  m.radius = draw(s, 0.05, 0.15);
  m.center = m.radius * cos(M_PI / m.rollers) * draw(s, 0.6, 0.99);
  m.row_distance = m.rollers % 2 == 0 && draw(s, 0, 1) < 0.6 ? draw(s, 0.01, 0.05) : 0;
  if (m.wheels > 1) {
    m.platform_mass = draw(s, 5, 15);
    m.platform_inertia = draw(s, 0.3, 0.8);
    m.com_x = draw(s, -0.05, 0.05);
    m.com_height = draw(s, 0.05, 0.2);
    m.com_z = draw(s, -0.05, 0.05);
  }
  m.disc_mass = draw(s, 0.5, 1.5);
  m.disc_axial = draw(s, 3e-3, 8e-3);
  m.disc_diametral = draw(s, 2e-3, 5e-3);
  m.roller_mass = draw(s, 0.05, 0.2);
  m.roller_axial = draw(s, 2e-5, 8e-5);
  m.roller_diametral = draw(s, 4e-5, 2e-4);
  if (draw(s, 0, 1) < 0.5) {
    m.roller_bearing = draw(s, 1e-4, 1e-3);
    m.axle_bearing = draw(s, 1e-3, 1e-2);
  }
  m.gravity = draw(s, 9, 10);
  m.friction = draw(s, 0.05, 0.5);
  m.slip_speed = draw(s, 0.01, 0.1);
  m.x = draw(s, -3, 3);
  m.z = draw(s, -3, 3);
  m.yaw = draw(s, -3, 3);
  m.vx = draw(s, -1, 1);
  m.vz = draw(s, -1, 1);
  m.omega = draw(s, -3, 3);
  draw_places(s, &m);
  return m;
}

/* The same with the regularised law and all of its parts. */
static inline machine random_regularized(uint64_t *s) {
  machine m = random_machine(s);
  m.regularized = true;
  m.linear_zone = draw(s, 0, 1) < 0.5;
  m.lateral = draw(s, 0, 0.5);
  m.longitudinal = draw(s, 0, 0.5);
  m.lateral_viscous = draw(s, 0, 0.1);
  m.longitudinal_viscous = draw(s, 0, 0.1);
  m.friction_angle = draw(s, -4, 4);
  m.rolling_friction = draw(s, 0, 0.2);
  return m;
}

/* Either law, with all parts of dry friction and rolling resistance; an exponent of the load in
 * half of them. */
static inline machine random_dry(uint64_t *s) {
  machine m = draw(s, 0, 1) < 0.5 ? random_machine(s) : random_regularized(s);
  const double load = m.gravity * 20 / m.wheels;
  m.dry = (machine_dry){.any = true,
                        .roller = {draw(s, 0, 0.05), draw(s, 0, 0.4), draw(s, 1e-3, 4e-3),
                                   draw(s, 0, 0.4), draw(s, 1e-3, 6e-3), draw(s, 1, 2),
                                   draw(s, 2, 20), draw(s, 0.5, 10)},
                        .axle = {draw(s, 0, 0.2), draw(s, 0, 0.4), draw(s, 2e-3, 8e-3), 0, 0,
                                 draw(s, 1, 2), draw(s, 1, 5), draw(s, 0.2, 4)},
                        .arm = draw(s, 0, 1e-3),
                        .smoothing = draw(s, 1, 10),
                        .exponent = draw(s, 0, 1) < 0.5 ? 1 : draw(s, 0.6, 2.2),
                        .reference = load * draw(s, 0.5, 2)};
  return m;
}

/* Law 1 with drilling friction, on areas of contact from a point to half a roller; with all parts
 * of dry friction in half of them. */
static inline machine random_drilling(uint64_t *s) {
  machine m = random_dry(s);
  if (m.regularized) m.dry.any = false;
  m.regularized = false;
  m.rolling_friction = 0;
  m.contour = draw(s, 0, 0.02);
  return m;
}

#endif
