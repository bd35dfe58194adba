/* Bodies with one or more general contacts for the tests, and their run. */
#ifndef TESTS_BODY_CONTACT_SCENE_H
#define TESTS_BODY_CONTACT_SCENE_H

#include "drift.h"
#include "reference/contact/body_contact.h"
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <string.h>

#define PI 3.14159265358979323846
#define G 9.81

static const omr_vec GRAVITY = {0, -G, 0}, NOWHERE = {0, 0, 0};
static const double LEVEL[4] = {1, 0, 0, 0};
static const omr_mb_tolerance FINE = {.relative = 1e-13, .absolute = 1e-14};

enum { MOST_CONTACTS = 8 };

typedef struct scene {
  omr_mb *mb;
  omr_mb_integrator *g;
  omr_body_contact contact[MOST_CONTACTS], *list[MOST_CONTACTS];
  omr_contact_group group;
} scene;

static inline void expect_near(const char *what, double value, double expected, double tolerance) {
  cr_expect_lt(fabs(value - expected), tolerance, "%s is %.12g, not %.12g: off by %.3g", what,
               value, expected, value - expected);
}

static inline scene *new_scene(omr_vec gravity) {
  static scene s;
  s = (scene){.mb = omr_mb_create(gravity)};
  return &s;
}

static inline omr_shape shape_at(omr_shape_kind kind, omr_vec at, double one, double two,
                                 double three) {
  return (omr_shape){.kind = kind,
                     .at = at,
                     .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                     .size = {one, two, three}};
}

static inline omr_shape shape_of(omr_shape_kind kind, double one, double two, double three) {
  return shape_at(kind, NOWHERE, one, two, three);
}

static inline int add_body(scene *s, double mass, omr_vec inertia, omr_vec r, omr_vec v,
                           omr_vec w) {
  int body = omr_mb_add_body(s->mb, "body", mass, inertia);
  omr_mb_place(s->mb, body, r, LEVEL, v, w);
  return body;
}

static inline int add_ball(scene *s, double mass, double radius, omr_vec r, omr_vec v, omr_vec w) {
  double j = 0.4 * mass * radius * radius;
  return add_body(s, mass, omr_vec_of(j, j, j), r, v, w);
}

static inline omr_body_contact *add_contact(scene *s, int a, omr_shape on_a, int b, omr_shape on_b,
                                            omr_contact_law law) {
  omr_error error = {0};
  omr_body_contact *c = &s->contact[s->group.count];
  c->shape[0] = on_a;
  c->shape[1] = on_b;
  c->law = law;
  cr_assert_eq(omr_body_contact_add(s->mb, c, "contact", a, b, &error), OMR_OK, "%s",
               error.message);
  s->list[s->group.count++] = c;
  return c;
}

#define FLOOR shape_of(OMR_SHAPE_PLANE, 0, 0, 0)
#define BALL(r) shape_of(OMR_SHAPE_SPHERE, r, 0, 0)

/* Three feet of a block below its centre of mass. */
static inline void add_feet(scene *s, double height, omr_contact_law law) {
  for (int i = 0; i < 3; i++) {
    omr_vec at = {0.2 * cos(2 * PI * i / 3), -height + 0.01, 0.2 * sin(2 * PI * i / 3)};
    add_contact(s, 0, FLOOR, 1, shape_at(OMR_SHAPE_SPHERE, at, 0.01, 0, 0), law);
  }
}

static inline void start(scene *s) {
  omr_error error = {0};
  s->group.mb = s->mb;
  s->group.contact = s->list;
  const omr_mb_switches switches = {.self = &s->group,
                                    .count = OMR_CONTACT_EVENTS * s->group.count,
                                    .values = omr_contact_values,
                                    .happen = omr_contact_happen,
                                    .begin = omr_contact_begin};
  cr_assert_eq(omr_mb_integrator_create(s->mb, &FINE, &switches, &s->g, &error), OMR_OK, "%s",
               error.message);
}

static inline void go(scene *s, double t) {
  omr_error error = {0};
  cr_assert_eq(omr_mb_advance(s->g, t, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_mb_evaluate(s->mb, NULL, &error), OMR_OK, "%s", error.message);
  note_drift(s->mb);
}

static inline void finish(scene *s) {
  omr_mb_integrator_destroy(s->g);
  omr_mb_destroy(s->mb);
}

static inline double energy_of(const scene *s) {
  double energy = omr_mb_kinetic(s->mb) + omr_mb_potential(s->mb);
  for (int i = 0; i < s->group.count; i++)
    energy += omr_body_contact_look(s->mb, s->list[i]).spring;
  return energy;
}

#endif
