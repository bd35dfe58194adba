#include "friction.h"

#include <math.h>

/* Power of friction per mu N of a contact that slides with the speed 1 and drills with w below 1 is
 * 1 + sum c_n w^(2n): c_1 and c_2 are exact, the others continue this and two derivatives to the
 * exact form beyond w = 1. Its derivatives are the moment and the force. */
static double sliding_power(double w, double *by_w) {
  static const double c[] = {1 / 10.0, 1 / 280.0, 3459 * PI / 1024 - 2971 / 280.0,
                             4427 / 280.0 - 2577 * PI / 512, 2055 * PI / 1024 - 353 / 56.0};
  double all = 1;
  *by_w = 0;
  for (int n = 1; n <= 5; n++) {
    all += c[n - 1] * pow(w, 2 * n);
    *by_w += 2 * n * c[n - 1] * pow(w, 2 * n - 1);
  }
  return all;
}

/* Force and moment/contour per mu N of a contact that slides with the speed v and drills with
 * u = contour |omega|. */
static void slide_and_drill(double v, double u, double *force, double *moment) {
  if (v > u) {
    const double power = sliding_power(u / v, moment);
    *force = power - u / v * *moment;
    return;
  }
  const double k = u > 0 ? v / u : 0;
  *force = 3 * PI / 8 * k * (1 - k * k / 4);
  *moment = 3 * PI / 16 * (1 - k * k + 3 * k * k * k * k / 8);
}

double omr_friction_drilling(const omr_friction *f, double coefficient, const omr_slipping *slip) {
  const double u = f->contour * fabs(slip->drilling);
  double force, moment;
  slide_and_drill(omr_norm(slip->v), u, &force, &moment);
  moment = fmin(moment, 2 * u / (5 * f->slip_speed));
  return -copysign(coefficient * f->contour * moment, slip->drilling);
}

double omr_friction_speed(const omr_friction *f, double slip, double drilling) {
  const double u = f->contour * fabs(drilling);
  double force, moment;
  if (!(u > 0)) return slip;
  slide_and_drill(slip, u, &force, &moment);
  return slip > 1e-6 * u ? slip / force : 8 * u / (3 * PI);
}
