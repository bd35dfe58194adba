/* A vehicle that starts rolling: no slip along the axis of the roller below, for each wheel whose
 * rate is told, by least squares and least motion; then no slip along the axles of tyres, as far as
 * the rates leave it open. */
#include "model/fold.h"
#include "omni.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { UNKNOWNS = 3 };

/* Level directions of a wheel whose fork stands at `steer`: ahead, and along its axle. */
static omr_vec ahead_of(const omr_wheel_body *w, double steer) {
  return omr_vec_of(cos(w->delta + steer), 0, -sin(w->delta + steer));
}

static omr_vec axle_of(const omr_wheel_body *w, double steer) {
  return omr_vec_of(sin(w->delta + steer), 0, cos(w->delta + steer));
}

/* Velocity along n of the body at the wheel, per velocity along x and z, and per yaw rate over
 * `arm`. */
static void along(const omr_wheel_body *w, omr_vec n, double arm, double row[UNKNOWNS]) {
  row[0] = n.x;
  row[1] = n.z;
  row[2] = omr_dot(n, omr_cross(omr_vec_of(0, 1, 0), omr_vec_of(w->a, 0, w->b))) / arm;
}

/* The wheel's rate likewise: the rim moves by R chi' ahead, of which cos psi is along the axis of
 * the lowest roller. */
static void condition(const omr_wheel_body *w, double steer, double arm, double row[UNKNOWNS]) {
  const double psi = w->roller.inclination;
  along(w, omr_axpy(omr_scale(cos(psi), ahead_of(w, steer)), sin(psi), axle_of(w, steer)), arm,
        row);
  for (int k = 0; k < UNKNOWNS; k++) row[k] /= -w->roller.radius * cos(psi);
}

static double times(const double row[UNKNOWNS], const double u[UNKNOWNS]) {
  return row[0] * u[0] + row[1] * u[1] + row[2] * u[2];
}

/* The least u of those that fit a u = value best; both are overwritten, and value begins with u.
 * There are as many places as unknowns. */
static bool fit(double *a, int rows, int unknowns, double *value) {
  double singular[UNKNOWNS];
  int rank;
  return LAPACKE_dgelsd(LAPACK_ROW_MAJOR, rows, unknowns, 1, a, unknowns, value, 1, singular, 1e-6,
                        &rank) == 0;
}

/* Motions that the rows do not see, one a row of `unseen`; returns their number, -1: failed. */
static int find_unseen(double *a, int rows, double unseen[UNKNOWNS][UNKNOWNS]) {
  double singular[UNKNOWNS] = {0}, none[1], super[UNKNOWNS], v[UNKNOWNS * UNKNOWNS];
  int count = 0;
  if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', rows, UNKNOWNS, a, UNKNOWNS, singular, none, 1, v,
                     UNKNOWNS, super) != 0)
    return -1;
  for (int j = 0; j < UNKNOWNS; j++)
    if (singular[j] <= 1e-6 * singular[0])
      memcpy(unseen[count++], v + UNKNOWNS * j, sizeof unseen[0]);
  return count;
}

/* Adds to u what tyres tell of the motions that the rates do not see. */
static bool roll_ahead(const omr_omni *omni, const omr_vehicle_body *body, double arm,
                       const double (*unseen)[UNKNOWNS], int count, double u[UNKNOWNS]) {
  double a[OMR_MAX_WHEELS * UNKNOWNS], value[OMR_MAX_WHEELS] = {0}, most = 0;
  int rows = 0;
  for (int i = 0; i < body->wheels; i++) {
    const omr_wheel_kind kind = omni->study->kind[i];
    double row[UNKNOWNS];
    if (kind != OMR_WHEEL_PLAIN && kind != OMR_WHEEL_SWERVE) continue;
    along(&body->wheel[i],
          axle_of(&body->wheel[i],
                  kind == OMR_WHEEL_SWERVE ? omni->values.wheel[i][OMR_WP_STEER] : 0),
          arm, row);
    for (int k = 0; k < count; k++) {
      a[count * rows + k] = times(row, unseen[k]);
      most = fmax(most, fabs(a[count * rows + k]));
    }
    value[rows++] = -times(row, u);
  }
  if (!(most > 1e-6)) return true; /* directions are of size 1 */
  if (!fit(a, rows, count, value)) return false;
  for (int k = 0; k < count; k++)
    for (int j = 0; j < UNKNOWNS; j++) u[j] += value[k] * unseen[k][j];
  return true;
}

static double steer_of(const omr_omni *omni, int i) {
  return omr_wheel_swivels(omni->study->kind[i]) ? omni->values.wheel[i][OMR_WP_STEER] : 0;
}

/* The other wheels and forks roll along: the fork turns its wheel's centre, behind it by the trail,
 * against what the axis does along the axle. */
static void roll_along(omr_omni *omni, const omr_vehicle_body *body, double arm,
                       const double u[UNKNOWNS]) {
  const omr_study *study = omni->study;
  for (int i = 0; i < body->wheels; i++) {
    const omr_wheel_body *w = &body->wheel[i];
    double row[UNKNOWNS], *own = omni->values.wheel[i];
    condition(w, steer_of(omni, i), arm, row);
    if (!study->start.told[i]) own[OMR_WP_RATE] = times(row, u);
    if (study->kind[i] != OMR_WHEEL_CASTER || study->start.turned[i]) continue;
    along(w, axle_of(w, steer_of(omni, i)), arm, row);
    own[OMR_WP_STEER_RATE] = -times(row, u) / own[OMR_WP_SWIVEL_TRAIL] - u[2] / arm;
  }
}

bool omr_omni_roll_off(omr_omni *omni, const omr_vehicle_body *body, omr_reason *why) {
  double a[OMR_MAX_WHEELS * UNKNOWNS], same[OMR_MAX_WHEELS * UNKNOWNS],
      u[OMR_MAX_WHEELS] = {0}, unseen[UNKNOWNS][UNKNOWNS], square = 0;
  const omr_study *study = omni->study;
  double *v = omni->values.vehicle;
  int told = 0;
  if (!study->start.rolls) return true;
  for (int i = 0; i < body->wheels; i++)
    square += pow(hypot(body->wheel[i].a, body->wheel[i].b), 2);
  const double arm = sqrt(square / body->wheels);

  for (int i = 0; i < body->wheels; i++) {
    if (!study->start.told[i]) continue;
    condition(&body->wheel[i], steer_of(omni, i), arm, a + UNKNOWNS * told);
    u[told++] = omni->values.wheel[i][OMR_WP_RATE];
  }
  memcpy(same, a, sizeof a);
  const int count = fit(a, told, UNKNOWNS, u) ? find_unseen(same, told, unseen) : -1;
  if (count < 0 || !roll_ahead(omni, body, arm, unseen, count, u))
    return omr_refuse(why, "LAPACK finds no motion that fits the wheels' rates at the start");
  v[OMR_VP_INITIAL_VX] = u[0];
  v[OMR_VP_INITIAL_VZ] = u[1];
  v[OMR_VP_INITIAL_YAW_RATE] = u[2] / arm;
  roll_along(omni, body, arm, u);
  return true;
}
