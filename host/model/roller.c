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
    return whole ? "center_distance exceeds R cos(pi/n): the rollers would be thinner than a point"
                 : "center_distance exceeds R cos(coverage pi/n): the rollers would be thinner "
                   "than a point";
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

/* SECTIONS: of the whole profile; NEAR: of those around the deepest. */
enum { SECTIONS = 12, NEAR = 5, HALVINGS = 40 };

/* A section at the angle q, and its depth. */
typedef struct section {
  double q, axial, depth;
} section;

/* The line on which two neighbours mirror each other: they are images of each other under half a
 * turn about the radial line at an angle beta, lowered by zeta for two rows. */
typedef struct mirror_line {
  double sine, cosine, zeta;
} mirror_line;

/* Depth by which the section at q, with sine s and cosine c, crosses that line. A convex roller
 * meets its image exactly if it contains a point of the line. The radius is concave along the axis,
 * and the line's distance from it convex: the depth is concave over `axial`. */
static section section_at(const omr_roller *r, const mirror_line *l, double q, double s, double c) {
  double axial, radius;
  profile_at(r, s, c, &axial, &radius);
  double along = (axial - l->zeta * r->sin_psi) / (r->cos_psi * l->sine);
  double y = r->center - along * l->cosine,
         z = l->zeta * r->cos_psi - along * l->sine * r->sin_psi; /* across the roller's axis */
  return (section){q, axial, radius - __builtin_sqrt(y * y + z * z)};
}

/* Angles of the sections, which depend on the ends of the rollers alone. Each thread keeps the last
 * ones. */
typedef struct section_angles {
  double end, q[SECTIONS + 1], sine[SECTIONS + 1], cosine[SECTIONS + 1];
} section_angles;

static const section_angles *angles_of(double end) {
  static _Thread_local section_angles a;
  if (a.end == end) return &a;
  a.end = end;
  for (int i = 0; i <= SECTIONS; i++) {
    a.q[i] = -end + 2 * end / SECTIONS * i;
    omr_math_sincos(a.q[i], &a.sine[i], &a.cosine[i]);
  }
  return &a;
}

/* Keeps the deepest of `count` sections and its neighbours, two to each side; returns how many, and
 * where the deepest is. */
static int keep_deepest(const section *from, int count, section *near, int *at) {
  int top = 0, kept = 0;
  for (int i = 1; i < count; i++)
    if (from[i].depth > from[top].depth) top = i;
  const int first = top > 2 ? top - 2 : 0;
  for (int i = first; i < count && i <= top + 2; i++) near[kept++] = from[i];
  *at = top - first;
  return kept;
}

/* The largest depth that there may be between sections i and i+1: a concave one stays below the
 * lines through the two sections before them and the two behind. */
static double most_between(const section *near, int count, int i) {
  const section *a = &near[i], *b = &near[i + 1];
  if (i == 0 && i + 2 == count) return HUGE_VAL;
  const double width = b->axial - a->axial;
  const double up = i > 0 ? (a->depth - a[-1].depth) / (a->axial - a[-1].axial) : HUGE_VAL;
  const double down = i + 2 < count ? (b->depth - b[1].depth) / (b[1].axial - b->axial) : HUGE_VAL;

  /* The first line alone, the second alone, or where they cross. */
  const double ends = fmax(a->depth, b->depth);
  if (i + 2 == count) return fmax(ends, a->depth + up * width);
  if (i == 0) return fmax(ends, b->depth + down * width);
  if (!(up + down > 0)) return ends;
  const double t = (b->depth - a->depth + down * width) / (up + down);
  return fmax(ends, a->depth + up * fmin(fmax(t, 0), width));
}

/* Halves the distances from the deepest section to its neighbours. */
static int halve(const omr_roller *r, const mirror_line *l, section *near, int count, int *at) {
  section more[NEAR + 2];
  int made = 0;
  for (int i = 0; i < count; i++) {
    more[made++] = near[i];
    if (i + 1 == count || (i != *at && i + 1 != *at)) continue;
    const double q = 0.5 * (near[i].q + near[i + 1].q);
    double s, c;
    omr_math_sincos(q, &s, &c);
    more[made++] = section_at(r, l, q, s, c);
  }
  return keep_deepest(more, made, near, at);
}

static double deepest(const omr_roller *r, double beta, double zeta, double enough) {
  /* Sections of the whole profile. */
  const section_angles *a = angles_of(r->end);
  section all[SECTIONS + 1], near[NEAR];
  mirror_line l = {.zeta = zeta};
  omr_math_sincos(beta, &l.sine, &l.cosine);
  for (int i = 0; i <= SECTIONS; i++) all[i] = section_at(r, &l, a->q[i], a->sine[i], a->cosine[i]);

  /* Closer ones around the deepest, until none between them can reach `enough`. */
  int at, count = keep_deepest(all, SECTIONS + 1, near, &at);
  for (int i = 0; i < HALVINGS; i++) {
    double most = near[at].depth;
    if (at > 0) most = fmax(most, most_between(near, count, at - 1));
    if (at + 1 < count) most = fmax(most, most_between(near, count, at));
    if (most < enough || most - near[at].depth < 1e-12 * r->radius) break;
    count = halve(r, &l, near, count, &at);
  }

  return near[at].depth;
}

/* Depth by which neighbouring rollers pass through each other
 * (appendix/rollers.md#contact-point). */
double omr_roller_overlap(const omr_roller *r, double enough) {
  if (r->row_distance <= 0) return deepest(r, r->alpha, 0, enough);
  double next = fmax(deepest(r, r->alpha, r->row_distance / 2, enough),
                     deepest(r, r->alpha, -r->row_distance / 2, enough));
  return fmax(next, deepest(r, 2 * r->alpha, 0, enough));
}

/* Adds one section of the profile to the sums: int (r^2 - b^2), (r^4 - b^4), (r^2 - b^2) x^2 over
 * x, at the angle with sine s and cosine c, times dx/dq. */
static void add_section(const omr_roller *r, double s, double c, double weight, double bore,
                        double sums[3]) {
  double axial, radius;
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

/* Gauss-Legendre quadrature with 8 points on each panel of 0 .. end. */
enum { PANELS = 4, POINTS = 8 };

/* Sines and cosines of the points, and their weights; each thread keeps the last ones. */
typedef struct quadrature {
  double end, sine[PANELS * POINTS], cosine[PANELS * POINTS], weight[PANELS * POINTS];
} quadrature;

static const quadrature *quadrature_to(double end) {
  static const double node[4] = {0.18343464249564980494, 0.52553240991632898582,
                                 0.79666647741362673959, 0.96028985649753623168};
  static const double weight[4] = {0.36268378337836198297, 0.31370664587788728734,
                                   0.22238103445337447054, 0.10122853629037625915};
  static _Thread_local quadrature q = {.end = -1};
  if (q.end == end) return &q;

  q.end = end;
  const double half = 0.5 * end / PANELS;
  for (int i = 0; i < PANELS * POINTS; i++) {
    const double middle = (2 * (i / POINTS) + 1) * half, x = half * node[i % POINTS / 2];
    omr_math_sincos(i % 2 ? middle + x : middle - x, &q.sine[i], &q.cosine[i]);
    q.weight[i] = half * weight[i % POINTS / 2];
  }

  return &q;
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
  /* Material ends where the bore does, or at the end of the profile. */
  const quadrature *q = quadrature_to(material_end(r, bore));
  double sums[3] = {0};
  for (int i = 0; i < PANELS * POINTS; i++)
    add_section(r, q->sine[i], q->cosine[i], q->weight[i], bore, sums);

  /* Full circles about the axis. */
  omr_roller_mass m;
  m.mass = 2 * PI * density * sums[0];
  m.axial = PI * density * sums[1];
  m.diametral = 0.5 * m.axial + 2 * PI * density * sums[2];

  return m;
}
