#include "feedback_loop.h"

#include "../../kernels/layout.h"
#include "../model/ideal.h"
#include "../model/prepare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* States: the pose x, z, yaw and its rates; and the forces on it, which are held. */
enum { HALF = 3, STATES = 2 * HALF, WHOLE = STATES + HALF };

/* Squarings of a matrix: its powers show growth from sample to sample beyond 1e-6. */
enum { SQUARINGS = 30 };
#define GROWS (1 + 1e-6)

typedef double square[WHOLE][WHOLE];

#define PARAM(id) params[(size_t)(id)*OMR_PAD]
#define WHEEL(wheel, id) params[(size_t)OMR_PARAM_COLUMN(wheel, id) * OMR_PAD]

static void multiply(square a, square b, int n, square to) {
  square product = {{0}};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) product[i][j] += a[i][k] * b[k][j];
  memcpy(to, product, sizeof product);
}

static double largest_row(square a, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(a[i][j]);
    most = fmax(most, sum);
  }
  return most;
}

/* a becomes its exponential: the series of a part of it, squared. */
static void exponentiate(square a) {
  int halved = 0;
  square term = {{0}}, sum = {{0}};
  for (double norm = largest_row(a, WHOLE); norm > 0.5 && halved < 60; norm *= 0.5) halved++;
  for (int i = 0; i < WHOLE; i++) {
    term[i][i] = sum[i][i] = 1;
    for (int j = 0; j < WHOLE; j++) a[i][j] = ldexp(a[i][j], -halved);
  }
  for (int k = 1; k < 20; k++) {
    multiply(term, a, WHOLE, term);
    for (int i = 0; i < WHOLE; i++)
      for (int j = 0; j < WHOLE; j++) sum[i][j] += term[i][j] /= k;
  }
  for (; halved > 0; halved--) multiply(sum, sum, WHOLE, sum);
  memcpy(a, sum, sizeof sum);
}

/* The largest magnitude of the eigenvalues, by the size of a high power. */
static double spectral_radius(square a, int n) {
  double power = 0, count = 1;
  for (int k = 0; k <= SQUARINGS; k++) {
    const double norm = largest_row(a, n);
    if (!(norm > 0)) return 0;
    power += log(norm);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i][j] /= norm;
    if (k == SQUARINGS) break;
    multiply(a, a, n, a);
    power *= 2;
    count *= 2;
  }
  return exp(power / count);
}

/* Tyres do not go along their axles, which a huge mass in that direction stands for. */
static void hold_tyres(const omr_study *study, const double *params, omr_ideal *ideal) {
  for (int w = 0; w < study->wheels; w++) {
    const double s = WHEEL(w, W_SIN), c = WHEEL(w, W_COS), mass = 1e6 * PARAM(P_MASS),
                 across[HALF] = {s, c, WHEEL(w, W_B) * s - WHEEL(w, W_A) * c};
    if (study->kind[w] != OMR_WHEEL_PLAIN) continue;
    for (int i = 0; i < HALF; i++)
      for (int j = 0; j < HALF; j++) ideal->inertia[i][j] += mass * across[i] * across[j];
  }
}

static void invert(double a[HALF][HALF], double to[HALF][HALF]) {
  double det = 0;
  for (int i = 0; i < HALF; i++)
    for (int j = 0; j < HALF; j++) {
      const int r = (j + 1) % HALF, s = (j + 2) % HALF, p = (i + 1) % HALF, q = (i + 2) % HALF;
      to[i][j] = a[r][p] * a[s][q] - a[r][q] * a[s][p];
    }
  for (int j = 0; j < HALF; j++) det += a[0][j] * to[j][0];
  for (int i = 0; i < HALF; i++)
    for (int j = 0; j < HALF; j++) to[i][j] /= det;
}

/* Forces on the body per pose and velocity of the loop, and per velocity by motors and bearings. */
static void find_forces(const omr_study *study, const omr_ideal *ideal, double share,
                        double loop[HALF][STATES], double brake[HALF][HALF]) {
  memset(loop, 0, HALF * sizeof *loop);
  memset(brake, 0, HALF * sizeof *brake);
  for (int i = 0; i < study->wheels; i++) {
    const double *gain = study->command.feedback.gain[i], *rate = ideal->rate[i];
    for (int f = 0; f < HALF; f++)
      for (int j = 0; j < HALF; j++) brake[f][j] += rate[f] * ideal->resist[i] * rate[j];
    for (int j = 0; j < STATES; j++) {
      double asked = gain[j];
      for (int w = 0; j >= HALF && w < study->wheels; w++)
        asked += gain[OMR_FEEDBACK_RATE + w] * ideal->rate[w][j - HALF];
      for (int f = 0; f < HALF; f++) loop[f][j] += rate[f] * share * ideal->torque[i] * asked;
    }
  }
}

/* Leaves the velocities, and what the study names of the pose: nothing depends on the rest. */
static int leave_named(const omr_study *study, square a) {
  int kept[STATES], count = 0;
  for (int j = 0; j < STATES; j++)
    if (j >= HALF || study->command.feedback.states & 1u << j) kept[count++] = j;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) a[i][j] = a[kept[i]][kept[j]];
  return count;
}

/* appendix/drives.md#drives */
double omr_feedback_growth(const omr_study *study, const double *params, double share) {
  double inverse[HALF][HALF], loop[HALF][STATES], brake[HALF][HALF];
  const double period = study->drives.period;
  square a = {{0}};
  omr_ideal ideal;
  omr_ideal_make(study, params, OMR_PAD, &ideal);
  hold_tyres(study, params, &ideal);
  invert(ideal.inertia, inverse);
  find_forces(study, &ideal, share, loop, brake);

  /* Pose' = velocity, velocity' = M^-1 (force - brake velocity), with the force held. */
  for (int i = 0; i < HALF; i++) {
    a[i][HALF + i] = period;
    for (int j = 0; j < HALF; j++) {
      a[HALF + i][STATES + j] = period * inverse[i][j];
      for (int k = 0; k < HALF; k++) a[HALF + i][HALF + j] -= period * inverse[i][k] * brake[k][j];
    }
  }
  exponentiate(a);
  for (int i = 0; i < STATES; i++)
    for (int j = 0; j < STATES; j++)
      for (int k = 0; k < HALF; k++) a[i][j] -= a[i][STATES + k] * loop[k][j];
  const int count = leave_named(study, a);
  return spectral_radius(a, count);
}

bool omr_judge_feedback(const omr_study *study, const double *params, size_t instance, char *text,
                        size_t size) {
  if (!study->command.feedback.states) return false;
  const double growth = omr_feedback_growth(study, params, 1);
  double share = 1;
  if (growth <= GROWS) return false;
  while (share > 1e-3 && omr_feedback_growth(study, params, share) > GROWS) share *= 0.95;
  char remedy[160];
  if (share > 1e-3)
    snprintf(remedy, sizeof remedy,
             "multiply its gains by %.2g or less, or shorten controller_period", share);
  else
    snprintf(remedy, sizeof remedy,
             "no smaller gains of the same ratios settle it; look at their signs, and give "
             "velocities gains too");
  snprintf(
      text, size,
      "controller: the sampled loop of the state feedback in instance %zu is unstable: on wheels "
      "that roll ideally an error grows by a factor of %.4g in each period of %.4g ms: %s",
      instance, growth, 1e3 * study->drives.period, remedy);
  return true;
}
