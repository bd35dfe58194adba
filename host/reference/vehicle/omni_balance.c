/* Checks if the normal loads would hold if the floor gave way a little (appendix/vehicle.md#loads).
 * The multibody system is linear and finds loads under any friction, also beyond Painleve's
 * paradox: there a wheel that is pressed deeper carries less, and the loads found are not a limit
 * of stiff springs. The check uses the system itself: two torques on the platform, about the axes
 * of the floor, change the tilts nu_1 and nu_2 of the plane of the loads, N = nu_0 + b_1 nu_1 + b_2
 * nu_2. With G the changes per torque, T = G^-1 is the matrix of the load equations for the tilts
 * after nu_0 is eliminated; neither of its eigenvalues is negative if det T and its trace are
 * positive. */
#include "omni.h"

#include "../multibody/multibody.h"
#include <stdlib.h>
#include <string.h>

/* The engine's value: a smaller part of the determinant without friction counts as none. */
#define LEAST_DETERMINANT 1e-6
/* Pushes count threefold in the bound below, to cover the inertia of wheels and yaw, which it
 * leaves out. */
#define MARGIN 3

/* Places of the contacts from their mean, along (-z, x), and their scatter matrix. */
typedef struct stance {
  int wheels, wheel[OMR_MAX_WHEELS]; /* that share the weight */
  double at[OMR_MAX_WHEELS][2], scatter[2][2], reach;
} stance;

static double determinant(double m[2][2]) {
  return m[0][0] * m[1][1] - m[0][1] * m[1][0];
}

static stance stance_of(const omr_omni *omni, const omr_mb *mb) {
  stance s;
  double mean[2] = {0, 0};
  memset(&s, 0, sizeof s);
  s.wheels = omr_omni_carriers(omni, s.wheel);
  for (int i = 0; i < s.wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[s.wheel[i]];
    omr_roller_point p = omr_roller_contact_point(mb, omr_omni_active(w));
    omr_vec r = omr_add(mb->frame[w->first_roller + w->active].r, p.d);
    s.at[i][0] = -r.z;
    s.at[i][1] = r.x;
    for (int j = 0; j < 2; j++) mean[j] += s.at[i][j] / s.wheels;
  }
  for (int i = 0; i < s.wheels; i++) {
    for (int j = 0; j < 2; j++) s.at[i][j] -= mean[j];
    for (int j = 0; j < 4; j++) s.scatter[j / 2][j % 2] += s.at[i][j / 2] * s.at[i][j % 2];
    s.reach += hypot(s.at[i][0], s.at[i][1]);
  }
  return s;
}

/* Largest force per load, and largest height of a centre of mass. */
static double push_and_height(const omr_omni *omni, const omr_mb *mb, const stance *s) {
  double push = 0, height = 0;
  for (int i = 0; i < s->wheels; i++) {
    omr_omni_contact c = omr_omni_contact_of(&omni->wheel[s->wheel[i]], mb);
    if (c.load != 0) push = fmax(push, hypot(c.force_i, c.force_k) / fabs(c.load));
  }
  for (int body = 1; body <= mb->bodies; body++) height = fmax(height, mb->frame[body].r.y);
  return push * height;
}

/* True if friction is so small that the loads hold for certain: a change nu of the tilts needs
 * moments of scatter nu, and friction gives at most push height sum |b nu|. */
static bool holds_anyway(const stance *s, double push_height) {
  double half = (s->scatter[0][0] + s->scatter[1][1]) / 2,
         apart = hypot((s->scatter[0][0] - s->scatter[1][1]) / 2, s->scatter[0][1]);
  return MARGIN * push_height * s->reach < half - apart;
}

/* Right side of the system for a torque on the platform only. */
static void ask(const omr_omni *omni, const omr_mb *mb, omr_vec torque, double *right) {
  omr_vec e = omr_mb_inverse_inertia(mb, omni->platform, torque);
  for (int k = 0; k < mb->rows; k++) {
    const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
    right[k] = 0;
    if (c->a == omni->platform) right[k] -= omr_dot(mb->row[k]->turn[0], e);
    if (c->b == omni->platform) right[k] -= omr_dot(mb->row[k]->turn[1], e);
  }
}

/* Column of G: tilts of the loads for the torque whose moment on the load equations is 1. */
static bool respond(const omr_omni *omni, omr_mb *mb, const stance *s, int axis, double *right,
                    double g[2][2]) {
  ask(omni, mb, axis == 0 ? omr_vec_of(-1, 0, 0) : omr_vec_of(0, 0, -1), right);
  if (omr_mb_solve_again(mb, right, right, NULL) != OMR_OK) return false;
  double moment[2] = {0, 0}, scatter[2][2], det;
  memcpy(scatter, s->scatter, sizeof scatter);
  det = determinant(scatter);
  for (int i = 0; i < s->wheels; i++) {
    double load = right[omr_omni_active(&omni->wheel[s->wheel[i]])->base.first];
    for (int j = 0; j < 2; j++) moment[j] += s->at[i][j] * load;
  }
  g[0][axis] = (scatter[1][1] * moment[0] - scatter[0][1] * moment[1]) / det;
  g[1][axis] = (scatter[0][0] * moment[1] - scatter[1][0] * moment[0]) / det;
  return true;
}

/* True for laws of friction, while every wheel stands on one roller. */
static bool is_asked(const omr_omni *omni) {
  if (omni->platform == 0 || !omr_law_is_friction(omni->study->contact.law)) return false;
  for (int i = 0; i < omni->wheels; i++)
    if (omni->wheel[i].edge != 0) return false;
  return true;
}

/* Checks the loads by the system's response to two torques (appendix/vehicle.md#loads). */
bool omr_omni_loads_hold(const omr_omni *omni, omr_mb *mb) {
  if (!is_asked(omni)) return true;
  stance s = stance_of(omni, mb);
  if (holds_anyway(&s, push_and_height(omni, mb, &s))) return true;
  double *right = malloc((size_t)mb->rows * sizeof *right), g[2][2];
  const int redundant = mb->solver.redundant;
  bool found = right && respond(omni, mb, &s, 0, right, g) && respond(omni, mb, &s, 1, right, g);
  mb->solver.redundant = redundant;
  free(right);
  if (!found) return false;
  const double det = determinant(g), free_of_friction = determinant(s.scatter);
  return det > 0 && 1 / det > LEAST_DETERMINANT * free_of_friction && g[0][0] + g[1][1] > 0;
}
