/* A vehicle that starts rolling: no slip along the axis of the roller below, for each wheel whose
 * rate is told, by least squares and least motion. */
#include "model/fold.h"
#include "omni.h"

#include <lapacke.h>
#include <math.h>

enum { UNKNOWNS = 3 };

/* The direction along the axis of the lowest roller, level. */
static omr_vec roller_axis(const omr_wheel_body *w) {
  const double psi = w->roller.inclination;
  const omr_vec ahead = omr_vec_of(cos(w->delta), 0, -sin(w->delta)),
                axle = omr_vec_of(sin(w->delta), 0, cos(w->delta));
  return omr_axpy(omr_scale(cos(psi), ahead), sin(psi), axle);
}

/* The wheel's rate per velocity along x and z, and per yaw rate over `arm`: the rim moves by R chi'
 * ahead, of which cos psi is along the roller's axis. */
static void condition(const omr_wheel_body *w, double arm, double row[UNKNOWNS]) {
  const omr_vec n = roller_axis(w), place = omr_vec_of(w->a, 0, w->b);
  const double per = -1 / (w->roller.radius * cos(w->roller.inclination));
  row[0] = per * n.x;
  row[1] = per * n.z;
  row[2] = per * omr_dot(n, omr_cross(omr_vec_of(0, 1, 0), place)) / arm;
}

bool omr_omni_roll_off(omr_omni *omni, const omr_vehicle_body *body, char *reason, size_t size) {
  double a[OMR_MAX_WHEELS * UNKNOWNS], rates[OMR_MAX_WHEELS], singular[UNKNOWNS], square = 0;
  const omr_study *study = omni->study;
  double *v = omni->values.vehicle;
  int told = 0, rank;
  if (!study->start.rolls) return true;
  for (int i = 0; i < body->wheels; i++)
    square += pow(hypot(body->wheel[i].a, body->wheel[i].b), 2);
  const double arm = sqrt(square / body->wheels);

  /* LAPACK takes the solution of least norm; there are as many places as unknowns */
  for (int i = 0; i < OMR_MAX_WHEELS; i++) rates[i] = 0;
  for (int i = 0; i < body->wheels; i++) {
    if (!study->start.told[i]) continue;
    condition(&body->wheel[i], arm, a + UNKNOWNS * told);
    rates[told++] = omni->values.wheel[i][OMR_WP_RATE];
  }
  if (LAPACKE_dgelsd(LAPACK_ROW_MAJOR, told, UNKNOWNS, 1, a, UNKNOWNS, rates, 1, singular, 1e-6,
                     &rank) != 0) {
    snprintf(reason, size, "LAPACK finds no motion that fits the wheels' rates at the start");
    return false;
  }
  v[OMR_VP_INITIAL_VX] = rates[0];
  v[OMR_VP_INITIAL_VZ] = rates[1];
  v[OMR_VP_INITIAL_YAW_RATE] = rates[2] / arm;

  /* the other wheels roll along */
  for (int i = 0; i < body->wheels; i++) {
    double row[UNKNOWNS];
    condition(&body->wheel[i], arm, row);
    if (!study->start.told[i])
      omni->values.wheel[i][OMR_WP_RATE] =
          row[0] * rates[0] + row[1] * rates[1] + row[2] * rates[2];
  }
  return true;
}
