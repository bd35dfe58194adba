#include "roller.h"

#include "../../kernels/scalar_math.h"
#include "../support/support.h"
#include <math.h>
#include <stddef.h>

/* Half angle, and centre distance from the tips or the reverse
 * (appendix/rollers.md#contact-point). */
const char *omr_roller_shape(omr_roller *r, double tip_radius, double center_distance) {
  /* Angles of the roller, of its inclination and of its end. */
  r->alpha = PI / r->rollers;
  omr_math_sincos(r->alpha, &r->sin_alpha, &r->cos_alpha);
  omr_math_sincos(r->inclination, &r->sin_psi, &r->cos_psi);
  const bool whole = !(r->coverage > 0) || r->coverage == 1;
  r->end = whole ? r->alpha : r->coverage * r->alpha;
  omr_math_sincos(r->end, &r->sin_end, &r->cos_end);

  /* The coverage must be possible. */
  if (!(r->end < PI / 2)) return "coverage pi/n is 90 deg or more: no roller reaches so far";
  if (r->coverage > 1 && !(r->row_distance > 0))
    return "a coverage above 1 makes neighbouring rollers overlap, which needs two rows "
           "(row_distance)";

  /* The distance of the rollers' centres, from the tip unless it is given. */
  double pointed = r->radius * r->cos_end;
  double axial = r->sin_end * r->cos_psi;
  double slant = __builtin_sqrt(1 - axial * axial);
  r->center =
      isnan(center_distance) ? (r->radius - tip_radius / slant) * r->cos_end : center_distance;
  if (r->center > pointed * (1 + 1e-12))
    return whole
               ? "center_distance exceeds R cos(pi/n): the rollers would be thinner than a point"
               : "center_distance exceeds R cos(coverage pi/n): the rollers would be thinner than "
                 "a point";
  if (r->center <= 0)
    return "tip_radius is too large: the roller centres would pass the wheel centre";

  /* Rollers alternate between two rows. */
  if (r->row_distance > 0 && r->rollers % 2 != 0) return "two rows need an even number of rollers";
  return NULL;
}

/* Contact index J and contact angle q of wheel angle chi
 * (appendix/rollers.md#contact-point); the rate decides on an edge. */
void omr_roller_below(double chi, double rate, double alpha, double *index, double *q) {
  *index = __builtin_rint(chi / (2 * alpha));
  *q = chi - 2 * alpha * *index;
  double tolerance = 1e-12 * alpha;
  if (rate > 0 && *q >= alpha - tolerance) {
    *index += 1;
    *q -= 2 * alpha;
  } else if (rate < 0 && *q <= -alpha + tolerance) {
    *index -= 1;
    *q += 2 * alpha;
  }
}

int omr_roller_active(const omr_roller *r, double index) {
  return (int)(-index - r->rollers * floor(-index / r->rollers));
}

double omr_roller_row(const omr_roller *r, int number) {
  return number % 2 == 0 ? 0.5 * r->row_distance : -0.5 * r->row_distance;
}

/* The profile on which the wheel has the radius R everywhere
 * (appendix/rollers.md#contact-point). */
static void profile_at(const omr_roller *r, double s, double c, double *axial, double *radius) {
  double m = r->center * s / (c * r->cos_psi);
  double h = r->radius - r->center / c;
  double up = s * r->cos_psi;
  *axial = m + h * up;
  *radius = h * __builtin_sqrt(1 - up * up);
}

/* The same by the angle itself (appendix/rollers.md#contact-point). */
void omr_roller_profile(const omr_roller *r, double q, double *axial, double *radius) {
  double s, c;
  omr_math_sincos(q, &s, &c);
  profile_at(r, s, c, axial, radius);
}

/* Depth by which the section at q crosses the line on which two neighbours mirror each other.
 * Neighbours at angle 2 beta are images of each other under half a turn about the radial line at
 * beta (lowered by zeta for two rows); a convex roller meets its image exactly if it contains a
 * point of that line. */
static double depth_of(const omr_roller *r, double axial, double radius, double sin_beta,
                       double cos_beta, double zeta) {
  double along = (axial - zeta * r->sin_psi) / (r->cos_psi * sin_beta);
  if (along <= 0) return -r->radius;
  double x = along * sin_beta, y = r->center - along * cos_beta;
  double off2 = x * x + y * y + zeta * zeta - axial * axial;
  return radius - __builtin_sqrt(off2 > 0 ? off2 : 0);
}

static double depth_at(const omr_roller *r, double q, double sin_beta, double cos_beta,
                       double zeta) {
  double axial, radius;
  omr_roller_profile(r, q, &axial, &radius);
  return depth_of(r, axial, radius, sin_beta, cos_beta, zeta);
}

enum { SECTIONS = 96 };

/* The profile at sections that serve for all neighbours. */
typedef struct sections {
  double step, axial[SECTIONS + 1], radius[SECTIONS + 1];
} sections;

/* Sines and cosines of the sections, which depend on the ends of the rollers alone. Each thread
 * keeps the last ones. */
typedef struct section_angles {
  double end, sine[SECTIONS + 1], cosine[SECTIONS + 1];
} section_angles;

static const section_angles *angles_of(double end) {
  static _Thread_local section_angles a;
  if (a.end == end) return &a;
  a.end = end;
  for (int i = 0; i <= SECTIONS; i++)
    omr_math_sincos(-end + 2 * end / SECTIONS * i, &a.sine[i], &a.cosine[i]);
  return &a;
}

static void cut(const omr_roller *r, sections *c) {
  const section_angles *a = angles_of(r->end);
  c->step = 2 * r->end / SECTIONS;
  for (int i = 0; i <= SECTIONS; i++)
    profile_at(r, a->sine[i], a->cosine[i], &c->axial[i], &c->radius[i]);
}

static double deepest(const omr_roller *r, const sections *cuts, double beta, double zeta,
                      double enough) {
  /* The deepest of the sections. */
  double s, c;
  omr_math_sincos(beta, &s, &c);

  double best = -r->radius, depths[SECTIONS + 1];
  int at = 0;
  for (int i = 0; i <= SECTIONS; i++) {
    double d = depths[i] = depth_of(r, cuts->axial[i], cuts->radius[i], s, c, zeta);
    if (d > best) {
      best = d;
      at = i;
    }
  }

  /* Between two sections a concave depth stays below the line through the two beside them, so that
   * it cannot reach `enough` where twice the largest rise nearby does not. */
  double rise = 0;
  for (int i = at > 2 ? at - 2 : 0; i < SECTIONS && i < at + 2; i++)
    rise = fmax(rise, fabs(depths[i + 1] - depths[i]));
  if (best + 2 * rise < enough) return best;

  /* Ternary search between its neighbours. */
  double low = -r->end + cuts->step * (at > 0 ? at - 1 : 0);
  double high = -r->end + cuts->step * (at < SECTIONS ? at + 1 : SECTIONS);
  for (int i = 0; i < 30; i++) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    double da = depth_at(r, a, s, c, zeta), db = depth_at(r, b, s, c, zeta);
    if (da > best) best = da;
    if (db > best) best = db;
    if (da < db)
      low = a;
    else
      high = b;
  }

  return best;
}

/* Depth by which neighbouring rollers pass through each other
 * (appendix/rollers.md#contact-point). */
double omr_roller_overlap(const omr_roller *r, double enough) {
  sections cuts;
  cut(r, &cuts);
  if (r->row_distance <= 0) return deepest(r, &cuts, r->alpha, 0, enough);
  double next = fmax(deepest(r, &cuts, r->alpha, r->row_distance / 2, enough),
                     deepest(r, &cuts, r->alpha, -r->row_distance / 2, enough));
  return fmax(next, deepest(r, &cuts, 2 * r->alpha, 0, enough));
}

/* Adds one section of the profile to the sums: int (r^2 - b^2), (r^4 - b^4), (r^2 - b^2) x^2 over
 * x, at q times dx/dq. */
static void add_section(const omr_roller *r, double q, double weight, double bore, double sums[3]) {
  double axial, radius, s, c;
  omr_math_sincos(q, &s, &c);
  profile_at(r, s, c, &axial, &radius);
  double h = r->radius - r->center / c;
  /* dm/dq = R1/(cos^2 q cos psi), dh/dq = -R1 sin q/cos^2 q */
  double slope =
      r->center / (c * c * r->cos_psi) + r->cos_psi * (h * c - r->center * s * s / (c * c));
  double square = radius * radius - bore * bore;
  if (square <= 0) return;
  sums[0] += weight * slope * square;
  sums[1] += weight * slope * square * (radius * radius + bore * bore);
  sums[2] += weight * slope * square * axial * axial;
}

/* Largest q at which the profile still has material around the bore. */
static double material_end(const omr_roller *r, double bore) {
  double axial, radius, low = 0, high = r->end;
  omr_roller_profile(r, high, &axial, &radius);
  if (radius >= bore) return high;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    omr_roller_profile(r, middle, &axial, &radius);
    if (radius > bore)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Mass and inertias of the profile by quadrature (appendix/rollers.md#contact-point). */
omr_roller_mass omr_roller_integrate(const omr_roller *r, double density, double bore) {
  /* Gauss-Legendre quadrature with 8 points on each panel. */
  static const double node[4] = {0.18343464249564980494, 0.52553240991632898582,
                                 0.79666647741362673959, 0.96028985649753623168};
  static const double weight[4] = {0.36268378337836198297, 0.31370664587788728734,
                                   0.22238103445337447054, 0.10122853629037625915};
  enum { PANELS = 4 };

  /* Material ends where the bore does, or at the end of the profile. */
  double end = material_end(r, bore), half = 0.5 * end / PANELS, sums[3] = {0};
  for (int panel = 0; panel < PANELS; panel++) {
    double middle = (2 * panel + 1) * half;
    for (int i = 0; i < 4; i++) {
      add_section(r, middle - half * node[i], half * weight[i], bore, sums);
      add_section(r, middle + half * node[i], half * weight[i], bore, sums);
    }
  }

  /* Full circles about the axis. */
  omr_roller_mass m;
  m.mass = 2 * PI * density * sums[0];
  m.axial = PI * density * sums[1];
  m.diametral = 0.5 * m.axial + 2 * PI * density * sums[2];

  return m;
}
