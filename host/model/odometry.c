/* What odometry sees: the motion by least squares over the chosen wheels, and what they do not see.
 */
#include "doubts.h"
#include "fold.h"

#include "../study/derived.h"
#include <math.h>
#include <stdio.h>

static bool is_chosen(const omr_study *study, int wheel) {
  return study->odometry.wheels >> wheel & 1 && !omr_wheel_swivels(study->kind[wheel]);
}

/* Slip along the axle of a plain wheel over its radius, per vx, vz and yaw rate: a tyre tells that
 * there is none. */
static void row_across(const omr_wheel_body *w, const double place[W_COUNT], double row[3]) {
  const double x = place[W_IDEAL_X], z = place[W_IDEAL_Z];
  row[0] = -z;
  row[1] = x;
  row[2] = -(w->nominal_a * x + w->nominal_b * z);
}

/* V = (H^T H)^-1 H^T chi' over the rows of the chosen wheels, to which plain ones add that they do
 * not go sideways; with a gyro, which takes the yaw's part off the rates, over vx and vz alone. The
 * coefficients stay NaN where the wheels do not determine the motion
 * (appendix/observables.md#observables). */
void omr_fold_odometry(const omr_study *study, const double *values, const omr_vehicle_body *body,
                       double place[][W_COUNT], double v[P_COUNT]) {
  const bool gyro = study->odometry.gyro;
  double h[OMR_MAX_WHEELS][3] = {{0}}, across[OMR_MAX_WHEELS][3] = {{0}};
  for (int i = 0; i < study->wheels; i++) {
    for (int r = 0; r < 3; r++)
      h[i][r] = is_chosen(study, i) && !(gyro && r == 2) ? place[i][W_IDEAL_X + r] : 0;
    if (is_chosen(study, i) && study->kind[i] == OMR_WHEEL_PLAIN)
      row_across(&body->wheel[i], place[i], across[i]);
  }

  /* G = H^T H. */
  double g[3][3] = {{0}};
  if (gyro) g[2][2] = 1;
  for (int i = 0; i < study->wheels; i++) {
    const int rows = gyro ? 2 : 3;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) g[r][c] += h[i][r] * h[i][c];
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < rows; c++) g[r][c] += across[i][r] * across[i][c];
  }

  /* The inverse of G by cofactors, if it has one. */
  double cof[3][3];
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      cof[r][c] = g[r1][c1] * g[r2][c2] - g[r1][c2] * g[r2][c1];
    }
  }

  double det = g[0][0] * cof[0][0] + g[0][1] * cof[0][1] + g[0][2] * cof[0][2];
  bool determined = det > 1e-12 * g[0][0] * g[1][1] * g[2][2];

  for (int i = 0; i < study->wheels; i++) {
    for (int r = 0; r < 3; r++) {
      double sum = cof[r][0] * h[i][0] + cof[r][1] * h[i][1] + cof[r][2] * h[i][2];
      place[i][W_ODO_X + r] = determined ? sum / det : (double)NAN;
    }
  }

  /* What the gyro's yaw is of the wheels' rates is no motion along, and sideways a tyre goes as it
   * is turned. */
  for (int i = 0; i < study->wheels && gyro && determined; i++)
    for (int r = 0; r < 2; r++)
      v[P_ODO_TURN_X + r] -=
          place[i][W_ODO_X + r] * place[i][W_IDEAL_YAW] +
          (cof[r][0] * across[i][0] + cof[r][1] * across[i][1]) / det * across[i][2];
  v[P_ODO_GYRO_GAIN] = 1 + values[OMR_VP_ODO_GYRO_SCALE];
  v[P_ODO_GYRO_BIAS] = values[OMR_VP_ODO_GYRO_BIAS];
}

/* The motion that no chosen wheel sees, which is across their rows: (vx, vz, yaw rate), or 0 where
 * there are several of them. */
static void find_unseen(const omr_scene *s, double motion[3]) {
  const omr_study *study = s->study;
  double most = 0, longest = 0;
  for (int k = 0; k < 3; k++) motion[k] = 0;
  for (int i = 0; i < s->wheels; i++) {
    const double *a = omr_scene_place(s, i) + W_IDEAL_X;
    if (is_chosen(study, i)) longest = fmax(longest, a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int j = 0; j < s->wheels; j++) {
      if (!is_chosen(study, i) || !is_chosen(study, j)) continue;
      static const double turn[3] = {0, 0, 1};
      const double *b = study->odometry.gyro ? turn : omr_scene_place(s, j) + W_IDEAL_X;
      double across[3], size = 0;
      for (int k = 0; k < 3; k++) {
        across[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        size += across[k] * across[k];
      }
      for (int k = 0; k < 3 && size > most; k++) motion[k] = across[k];
      most = fmax(most, size);
    }
  }
  for (int k = 0; k < 3 && !(sqrt(most) > 1e-6 * longest); k++) motion[k] = 0;
}

/* "motion sideways", or "a turn about x = 1 m, z = 0 m". */
static void tell_motion(const omr_scene *s, const double motion[3], char *text, size_t size) {
  const double speed = hypot(motion[0], motion[1]), turn = motion[2];
  char x[OMR_LENGTH_TEXT], z[OMR_LENGTH_TEXT];
  if (!(speed > 0) && turn == 0) {
    snprintf(text, size, "two of the three motions, forward, sideways and yaw");
  } else if (fabs(turn) > 1e-6 * speed) {
    snprintf(text, size, "a turn about the place x = %s, %s = %s of the vehicle",
             omr_length_text(motion[1] / turn, x), omr_scene_axis(s),
             omr_length_text(omr_scene_across(s, -motion[0] / turn), z));
  } else if (fabs(motion[1]) < 1e-6 * speed) {
    snprintf(text, size, "motion forward");
  } else if (fabs(motion[0]) < 1e-6 * speed) {
    snprintf(text, size, "motion sideways");
  } else {
    const double angle = atan(-motion[1] / motion[0]) * 180 / PI;
    snprintf(text, size, "motion at %.4g deg to the %s of forward", fabs(angle),
             angle > 0 ? "left" : "right");
  }
}

static bool asks(const omr_study *study, int first) {
  for (int j = first; j < first + 2 + OMR_MAX_WHEELS; j++)
    if (omr_study_observes(study, j)) return true;
  return false;
}

/* Observables of slip that have nothing to compare rates with. */
static void doubt_slips(const omr_study *study, omr_doubts *doubts) {
  if (asks(study, OMR_OBS_ENCODER_SLIP) && !omr_study_has_controller(study))
    omr_doubt_add(doubts, OMR_DOUBT_ODOMETRY, -1, -1,
                  "encoder_slip and its like will have no value: no wheel has a controller that "
                  "asks for a rate; give wheel.drive.type \"speed\", or \"body\" with a command");
  if (asks(study, OMR_OBS_TRACKING_SLIP) && !study->odometry.chosen)
    omr_doubt_add(doubts, OMR_DOUBT_ODOMETRY, -1, -1,
                  "tracking_slip and its like will have no value: the study does not say whose "
                  "motion counts; give parameters.odometry.wheels, such as [0, 1, 2]");
}

void omr_doubt_odometry(const omr_scene *s, omr_doubts *doubts) {
  double motion[3];
  char told[160];
  doubt_slips(s->study, doubts);
  if (!s->vehicle || !(s->study->odometry.chosen || s->study->odometry.gyro)) return;
  if (!isnan(omr_scene_place(s, 0)[W_ODO_X])) return;
  find_unseen(s, motion);
  tell_motion(s, motion, told, sizeof told);
  omr_doubt_add(doubts, OMR_DOUBT_ODOMETRY, -1, -1,
                "the wheels of the odometry do not see %s, so that odometry_error, "
                "odometry_yaw_error and tracking_slip will have no value; add a wheel to "
                "odometry.wheels that turns in this motion%s",
                told,
                !s->study->odometry.gyro && motion[2] != 0
                    ? ", or let a gyro tell the yaw: \"odometry\": {\"gyro\": {}}"
                    : "");
}
