#include "manoeuvre.h"

#include "../../kernels/scalar_math.h"
#include "../support/support.h"

#include <math.h>

static const double degrees = 180 / PI;

const char *const omr_manoeuvre_words[] = {
#define X(id, word, ...) word,
#include "../lists/manoeuvres.def"
#undef X
};

const size_t omr_manoeuvre_numbers[] = {
#define X(id, word, numbers, meaning) numbers,
#include "../lists/manoeuvres.def"
#undef X
};

omr_manoeuvre omr_manoeuvre_ahead(void) {
  return (omr_manoeuvre){OMR_MANOEUVRE_STRAIGHT, {1, 0, 0}};
}

size_t omr_manoeuvre_rows(const omr_manoeuvre_limits *limits) {
  return (size_t)fmin(fmax(ceil(limits->duration / 0.05), 40), 1000) + 1;
}

/* ---- shapes: parts of the limits at a part of the duration */

typedef struct shares {
  double ahead, aside, yaw;
} shares;

static double sine(double angle) {
  double s, c;
  omr_math_sincos(angle, &s, &c);
  return s;
}

static shares towards(double size, double angle) {
  double s, c;
  omr_math_sincos(angle, &s, &c);
  return (shares){size * c, size * s, 0};
}

/* A whole number from 1 to `most`. */
static int count_of(double number, int most) {
  return 1 + (int)fmin(number * most, most - 1);
}

/* From 0.2 to 1. */
static double size_of(double number) {
  return 0.2 + 0.8 * number;
}

static shares straight(const double *n, double part) {
  const int legs = count_of(n[2], 4), leg = (int)fmin(part * legs, legs - 1);
  return towards((leg % 2 ? -1 : 1) * size_of(n[0]), 2 * PI * n[1]);
}

static shares circles(const double *n, double part) {
  const int parts = count_of(n[3], 4), here = (int)fmin(part * parts, parts - 1);
  shares s = towards(size_of(n[0]), 2 * PI * n[2]);
  s.yaw = ((here % 2 == 0) == (n[4] < 0.5) ? 1 : -1) * size_of(n[1]);
  return s;
}

static shares squares(const double *n, double part) {
  const double along = part * 4 * count_of(n[2], 4), side = floor(along);
  if (along - side > 1 - 0.5 * n[3]) return (shares){0, 0, 2 * n[4] - 1};
  return towards(size_of(n[0]), 2 * PI * n[1] + 0.5 * PI * side);
}

static shares sines(const double *n, double part) {
  double value[3];
  for (int a = 0; a < 3; a++)
    value[a] = n[3 * a] * sine(2 * PI * ((1 + 5 * n[3 * a + 1]) * part + n[3 * a + 2]));
  return (shares){value[0], value[1], value[2]};
}

static shares steps(const double *n, double part) {
  const int count = 1 + count_of(n[0], 7);
  const double *here = n + 1 + 3 * (int)fmin(part * count, count - 1);
  return (shares){2 * here[0] - 1, 2 * here[1] - 1, 2 * here[2] - 1};
}

/* Five parts of the same size, with harmonics that lie as far apart as they can; a third of their
 * sum is seldom above 1. */
static shares multisine(const double *n, double part) {
  static const double harmonic[] = {1, 2, 4, 7, 11};
  double value[3] = {0};
  for (int a = 0; a < 3; a++)
    for (int h = 0; h < 5; h++)
      value[a] += size_of(n[1 + a]) / 3 *
                  sine(2 * PI * (harmonic[h] * (0.5 + n[0]) * part + n[4 + 5 * a + h]));
  return (shares){value[0], value[1], value[2]};
}

static shares shares_of(const omr_manoeuvre *m, double part) {
  static shares (*const of[])(const double *, double) = {
      [OMR_MANOEUVRE_STRAIGHT] = straight, [OMR_MANOEUVRE_CIRCLES] = circles,
      [OMR_MANOEUVRE_SQUARES] = squares,   [OMR_MANOEUVRE_SINES] = sines,
      [OMR_MANOEUVRE_STEPS] = steps,       [OMR_MANOEUVRE_MULTISINE] = multisine,
  };
  return of[m->family](m->number, part);
}

/* ---- within the limits */

/* A little inside of them, for the rounding of sums. */
static const double inside = 1 - 1e-12;

static shares cut(shares s) {
  const double size = sqrt(s.ahead * s.ahead + s.aside * s.aside);
  if (size > 1) {
    s.ahead /= size;
    s.aside /= size;
  }
  s.yaw = fmin(fmax(s.yaw, -1), 1);
  return s;
}

/* From the row before towards the wanted velocity, as far as the accelerations allow: on the line
 * between two allowed velocities, and so itself allowed. */
static void approach(const double *before, const double *wanted, double speed, double yaw,
                     double *row) {
  const double x = wanted[0] - before[1], z = wanted[1] - before[2], turn = wanted[2] - before[3];
  const double length = sqrt(x * x + z * z);
  const double by = length > speed ? speed / length : 1;
  row[1] = by == 1 ? wanted[0] : before[1] + by * x;
  row[2] = by == 1 ? wanted[1] : before[2] + by * z;
  row[3] = fabs(turn) > yaw ? before[3] + (turn > 0 ? yaw : -yaw) : wanted[2];
}

void omr_manoeuvre_lay(const omr_manoeuvre *m, const omr_manoeuvre_limits *limits, double *table) {
  const size_t rows = omr_manoeuvre_rows(limits);
  const double each = limits->duration / (double)(rows - 1);
  const double brake =
      fmax(limits->speed / limits->acceleration, limits->yaw_rate / limits->yaw_acceleration) +
      each;
  for (int column = 0; column < OMR_MANOEUVRE_COLUMNS; column++) table[column] = 0;
  for (size_t k = 1; k < rows; k++) {
    const double time = limits->duration * (double)k / (double)(rows - 1);
    const double driven = fmax(limits->duration - brake, each);
    double *row = table + k * OMR_MANOEUVRE_COLUMNS;
    shares s = time <= driven ? cut(shares_of(m, time / driven)) : (shares){0};
    const double wanted[] = {inside * limits->speed * s.ahead, inside * limits->speed * s.aside,
                             inside * limits->yaw_rate * s.yaw};
    approach(row - OMR_MANOEUVRE_COLUMNS, wanted, inside * limits->acceleration * each,
             inside * limits->yaw_acceleration * each, row);
    row[0] = time;
  }
}

/* ---- in words, before the limits of acceleration round the corners */

static void tell_circles(omr_text *text, const double *n, const omr_manoeuvre_limits *l,
                         const char *aside) {
  const int parts = count_of(n[3], 4);
  omr_text_print(text, "circles at %.3g m/s, %.0f deg from vx to %s, turning at %s%.3g deg/s",
                 l->speed * size_of(n[0]), 360 * n[2], aside, n[4] < 0.5 ? "" : "-",
                 degrees * l->yaw_rate * size_of(n[1]));
  if (parts > 1) omr_text_print(text, ", %d parts that turn in opposite ways", parts);
}

static void tell_squares(omr_text *text, const double *n, const omr_manoeuvre_limits *l,
                         const char *aside) {
  const int count = count_of(n[2], 4);
  omr_text_print(text,
                 "%d square%s at %.3g m/s, the first side %.0f deg from vx to %s, and in %.0f %% "
                 "of each side a turn on the spot at %.3g deg/s",
                 count, count == 1 ? "" : "s", l->speed * size_of(n[0]), 360 * n[1], aside,
                 50 * n[3], degrees * l->yaw_rate * (2 * n[4] - 1));
}

static void tell_straight(omr_text *text, const double *n, const omr_manoeuvre_limits *l,
                          const char *aside) {
  const int legs = count_of(n[2], 4);
  omr_text_print(text, "straight at %.3g m/s, %.0f deg from vx to %s", l->speed * size_of(n[0]),
                 360 * n[1], aside);
  if (legs > 1) omr_text_print(text, ", there and back in %d legs", legs);
}

static void tell_sines(omr_text *text, const double *n, const omr_manoeuvre_limits *l,
                       const char *aside) {
  omr_text_print(
      text, "sines: vx %.3g m/s in %.3g cycles, %s %.3g m/s in %.3g, yaw rate %.3g deg/s in %.3g",
      l->speed * n[0], 1 + 5 * n[1], aside, l->speed * n[3], 1 + 5 * n[4],
      degrees * l->yaw_rate * n[6], 1 + 5 * n[7]);
}

static void tell_steps(omr_text *text, const double *n, const omr_manoeuvre_limits *l,
                       const char *aside) {
  const int count = 1 + count_of(n[0], 7);
  omr_text_print(text, "%d constant velocities (vx, %s in m/s, yaw rate in deg/s):", count, aside);
  for (int k = 0; k < count; k++)
    omr_text_print(text, "%s (%.2f, %.2f, %.0f)", k ? "," : "", l->speed * (2 * n[1 + 3 * k] - 1),
                   l->speed * (2 * n[2 + 3 * k] - 1),
                   degrees * l->yaw_rate * (2 * n[3 + 3 * k] - 1));
}

static void tell_multisine(omr_text *text, const double *n, const omr_manoeuvre_limits *l,
                           const char *aside) {
  omr_text_print(
      text,
      "five sines each of %.2f to %.2f cycles, of vx %.3g m/s, %s %.3g m/s, yaw rate %.3g deg/s",
      0.5 + n[0], 11 * (0.5 + n[0]), l->speed * size_of(n[1]) / 3, aside,
      l->speed * size_of(n[2]) / 3, degrees * l->yaw_rate * size_of(n[3]) / 3);
}

char *omr_manoeuvre_told(const omr_manoeuvre *m, const omr_manoeuvre_limits *limits,
                         const char *aside) {
  static void (*const tell[])(omr_text *, const double *, const omr_manoeuvre_limits *,
                              const char *) = {
      [OMR_MANOEUVRE_STRAIGHT] = tell_straight, [OMR_MANOEUVRE_CIRCLES] = tell_circles,
      [OMR_MANOEUVRE_SQUARES] = tell_squares,   [OMR_MANOEUVRE_SINES] = tell_sines,
      [OMR_MANOEUVRE_STEPS] = tell_steps,       [OMR_MANOEUVRE_MULTISINE] = tell_multisine,
  };
  omr_text text = {0};
  tell[m->family](&text, m->number, limits, aside);
  return text.data;
}
