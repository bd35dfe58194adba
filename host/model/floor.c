/* The floor of an instance: its folded columns and its profile (appendix/springs.md#floors). */
#include "floor.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/draws.h"
#include <math.h>

#define REFERENCE 0.1 /* n_0 of ISO 8608, cycles per metre */
#define STAYS 1e30    /* width of a step that stays up */

/* Whether a parameter of the vehicle differs from 0 in some instance. */
static bool any(const omr_study *study, int parameter) {
  return study->base.vehicle[parameter] != 0 || omr_varies(study, false, parameter);
}

int omr_floor_bits(const omr_study *study) {
  int bits = 0;
  if (!study->contact.compliant) return 0;
  if (any(study, OMR_VP_FLOOR_SLOPE)) bits |= FLOOR_SLOPE;
  if (any(study, OMR_VP_FLOOR_STEP_HEIGHT)) bits |= FLOOR_STEP | FLOOR_PROFILE;
  if (omr_floor_waves(study)) bits |= FLOOR_PROFILE;
  if (study->floor.map.given) bits |= FLOOR_MAP | FLOOR_PROFILE;
  return bits;
}

/* Most waves of the roughness; a draw without levels can give any number. */
static int most_waves(const omr_study *study) {
  double most = study->base.vehicle[OMR_VP_FLOOR_WAVES];
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    if (v->per_wheel || v->index != OMR_VP_FLOOR_WAVES) continue;
    if (v->levels == 0) return OMR_FLOOR_WAVES - 1;
    for (size_t l = 0; l < v->levels; l++) most = fmax(most, v->values[l]);
  }
  return (int)fmin(most, OMR_FLOOR_WAVES - 1);
}

int omr_floor_waves(const omr_study *study) {
  if (!study->contact.compliant) return 0;
  if (any(study, OMR_VP_FLOOR_DEGREE)) return 1 + most_waves(study);
  return any(study, OMR_VP_FLOOR_WAVE_AMPLITUDE);
}

int omr_floor_columns(const omr_study *study) {
  return omr_floor_bits(study) ? F_COUNT + WAVE_COLUMNS * omr_floor_waves(study) : 0;
}

void omr_floor_up(const omr_values *values, double up[3]) {
  const double *p = values->vehicle;
  double ss, cs, sd, cd;
  omr_math_sincos(p[OMR_VP_FLOOR_SLOPE], &ss, &cs);
  omr_math_sincos(p[OMR_VP_FLOOR_DIRECTION], &sd, &cd);
  up[0] = ss * cd; /* a yaw of d heads along (cos d, 0, -sin d) */
  up[1] = cs;
  up[2] = -ss * sd;
}

/* A plane wave along the heading of a yaw, by wave number [rad/m]. */
static void put_wave(double *column, double amplitude, double number, double yaw, double phase) {
  double s, c;
  omr_math_sincos(yaw, &s, &c);
  column[WAVE_AMPLITUDE] = amplitude;
  column[WAVE_X] = number * c;
  column[WAVE_Z] = -number * s;
  column[WAVE_PHASE] = phase;
}

/* Plane waves in all directions whose mean square has the density C n^-2 by the wave number n
 * have the one-sided density 2 C/(pi n^2) along any line. The lengths of the band are parted in
 * equal ratios, and each wave has the mean square of its part and a length drawn within it, so
 * that the mean over all floors has that density exactly (appendix/springs.md#floors). */
static void floor_draw(const double *vehicle, int waves, double *columns) {
  const double density = 0.5 * PI * vehicle[OMR_VP_FLOOR_DEGREE] * REFERENCE * REFERENCE; /* C, m */
  const double longest = vehicle[OMR_VP_FLOOR_LONGEST], shortest = vehicle[OMR_VP_FLOOR_SHORTEST];
  const uint64_t seed = (uint64_t)vehicle[OMR_VP_FLOOR_SEED];
  const double part = omr_math_log(longest / shortest) / waves;
  for (int n = 0; n < waves; n++) {
    uint64_t place[2], turn[2];
    omr_draw_for(OMR_FOR_FLOOR, seed, (uint64_t)n, 0, place);
    omr_draw_for(OMR_FOR_FLOOR, seed, (uint64_t)n, 1, turn);
    /* the part's lengths, in equal ratios; uniform in length is n^-2 in the wave number */
    const double from = shortest * omr_math_exp(part * n),
                 to = shortest * omr_math_exp(part * (n + 1));
    const double length = from + (to - from) * omr_draw_unit(place[0]);
    put_wave(columns + WAVE_COLUMNS * n, __builtin_sqrt(2 * density * (to - from)), 2 * PI / length,
             2 * PI * omr_draw_unit(turn[0]), 2 * PI * omr_draw_unit(turn[1]));
  }
}

static void put_step(const double *p, double *f) {
  double s, c;
  omr_math_sincos(p[OMR_VP_FLOOR_STEP_DIRECTION], &s, &c);
  f[F_STEP_COS] = c;
  f[F_STEP_SIN] = s;
  f[F_STEP_PLACE] = p[OMR_VP_FLOOR_STEP_PLACE];
  f[F_STEP_HEIGHT] = p[OMR_VP_FLOOR_STEP_HEIGHT];
  f[F_STEP_INV_RAMP] = 1 / p[OMR_VP_FLOOR_STEP_RAMP];
  f[F_STEP_WIDTH] = isnan(p[OMR_VP_FLOOR_STEP_WIDTH]) ? STAYS : p[OMR_VP_FLOOR_STEP_WIDTH];
}

static void put_map(const double *p, double *f) {
  double s, c;
  omr_math_sincos(p[OMR_VP_FLOOR_MAP_DIRECTION], &s, &c);
  f[F_MAP_COS] = c;
  f[F_MAP_SIN] = s;
  f[F_MAP_X] = p[OMR_VP_FLOOR_MAP_X];
  f[F_MAP_Z] = p[OMR_VP_FLOOR_MAP_Z];
  f[F_MAP_OFFSET] = p[OMR_VP_FLOOR_MAP_OFFSET];
  f[F_MAP_SCALE] = p[OMR_VP_FLOOR_MAP_SCALE];
}

/* appendix/springs.md#floors */
void omr_floor_make(const omr_study *study, const omr_values *values, omr_floor *floor) {
  /* Gravity, step and map. */
  const double *p = values->vehicle;
  double up[3], *f = floor->columns, top = 0;
  *floor = (omr_floor){.bits = omr_floor_bits(study), .waves = omr_floor_waves(study)};
  omr_floor_up(values, up);
  for (int j = 0; j < 3; j++) f[F_UP_X + j] = up[j];
  put_step(p, f);
  put_map(p, f);

  /* The single wave comes first, then the waves of the roughness. */
  if (floor->waves > 0)
    put_wave(f + F_COUNT, p[OMR_VP_FLOOR_WAVE_AMPLITUDE], 2 * PI / p[OMR_VP_FLOOR_WAVE_LENGTH],
             p[OMR_VP_FLOOR_WAVE_DIRECTION], p[OMR_VP_FLOOR_WAVE_PHASE]);
  if (floor->waves > 1) floor_draw(p, (int)p[OMR_VP_FLOOR_WAVES], f + F_COUNT + WAVE_COLUMNS);
  for (int n = 0; n < floor->waves; n++) top += f[F_COUNT + WAVE_COLUMNS * n + WAVE_AMPLITUDE];

  if (floor->bits & FLOOR_MAP) {
    floor->map = omr_floor_map_of_study(study);
    top += omr_floor_map_top(study, f);
  }
  f[F_TOP] = (top + fmax(f[F_STEP_HEIGHT], 0)) * (1 + 1e-4) + 1e-6; /* a margin for rounding */
}

void omr_floor_take(const omr_run_settings *s, const omr_batch *batch, size_t slot,
                    omr_floor *floor) {
  const int wheels = s->integers[K_WHEELS];
  floor->bits = s->integers[K_FLOOR];
  floor->waves = s->integers[K_FLOOR_WAVES];
  if (!floor->bits) return;
  for (int j = 0; j < F_COUNT + WAVE_COLUMNS * floor->waves; j++)
    floor->columns[j] = *omr_at(batch->params, batch, slot, OMR_FLOOR_COLUMN(wheels, j));
  if (floor->bits & FLOOR_MAP)
    floor->map = omr_floor_map_of_tables(s->tables + s->integers[K_FLOOR_MAP]);
}

/* t^2 (3 - 2 t) between 0 and 1, with its derivatives. */
static double smooth_rise(double t, double *slope, double *bend) {
  const bool inside = t > 0 && t < 1;
  const double at = fmin(fmax(t, 0), 1);
  *slope = 6 * at * (1 - at);
  *bend = inside ? 6 - 12 * at : 0;
  return at * at * (3 - 2 * at);
}

static void add_step(const double *f, double x, double z, omr_floor_spot *spot) {
  const double c = f[F_STEP_COS], s = f[F_STEP_SIN], inv = f[F_STEP_INV_RAMP];
  const double way = x * c - z * s - f[F_STEP_PLACE];
  double up_slope, up_bend, down_slope, down_bend;
  const double up = smooth_rise(way * inv, &up_slope, &up_bend),
               down = smooth_rise((way - f[F_STEP_WIDTH]) * inv, &down_slope, &down_bend);
  const double slope = f[F_STEP_HEIGHT] * inv * (up_slope - down_slope),
               bend = f[F_STEP_HEIGHT] * inv * inv * (up_bend - down_bend);
  spot->height += f[F_STEP_HEIGHT] * (up - down);
  spot->x += slope * c;
  spot->z -= slope * s;
  spot->xx += bend * c * c;
  spot->xz -= bend * c * s;
  spot->zz += bend * s * s;
}

/* appendix/springs.md#floors */
omr_floor_spot omr_floor_at(const omr_floor *floor, double x, double z) {
  omr_floor_spot spot = {0, 0, 0, 0, 0, 0};
  if (floor->bits & FLOOR_STEP) add_step(floor->columns, x, z, &spot);
  if (floor->bits & FLOOR_MAP) omr_floor_map_add(floor, x, z, &spot);
  for (int n = 0; n < floor->waves; n++) {
    const double *w = floor->columns + F_COUNT + WAVE_COLUMNS * n;
    double s, c;
    omr_math_sincos(w[WAVE_X] * x + w[WAVE_Z] * z + w[WAVE_PHASE], &s, &c);
    const double height = w[WAVE_AMPLITUDE] * s, slope = w[WAVE_AMPLITUDE] * c;
    spot.height += height;
    spot.x += w[WAVE_X] * slope;
    spot.z += w[WAVE_Z] * slope;
    spot.xx -= w[WAVE_X] * w[WAVE_X] * height;
    spot.xz -= w[WAVE_X] * w[WAVE_Z] * height;
    spot.zz -= w[WAVE_Z] * w[WAVE_Z] * height;
  }
  return spot;
}
