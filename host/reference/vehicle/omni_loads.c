/* Normal loads of more than three wheels that share the weight: the limit of equal vertical
 * compliance at the contacts, in which the loads are a plane over the contact points
 * (appendix/vehicle.md#loads): N = B^T nu with column (1, -P_z, P_x) of B for each contact point.
 * So n^T N = 0 for every n in the null space of B. A wheel that rests on two rollers a and b
 * (section 11) carries N_j = w_j b_j.nu on them with w_a + w_b = 1, that is N_a + r N_b = b_a.nu
 * with the ratio r = b_a.nu/b_b.nu, which is found by solving again. Tracking wheels carry their
 * preload; one that rests on two rollers splits it so that it does not turn. */
#include "omni.h"

#include <lapacke.h>

enum { LIMIT = 50 };

/* Column of B of a roller's contact. */
static void place_contact(const omr_omni *omni, const omr_mb *mb, const omr_omni_wheel *w,
                          int roller, double column[3]) {
  omr_roller_point p = omr_roller_contact_point(mb, &w->contact[roller]);
  omr_vec r = omr_add(mb->frame[w->first_roller + roller].r, p.d);
  const omr_frame *platform = &mb->frame[omni->platform];
  column[0] = 1;
  column[1] = platform->r.z - r.z;
  column[2] = r.x - platform->r.x;
}

/* Right singular vectors of B, row-major; false if LAPACK fails. */
static bool null_space(const omr_omni *omni, const omr_mb *mb,
                       double vectors[OMR_MAX_WHEELS][OMR_MAX_WHEELS]) {
  double b[3 * OMR_MAX_WHEELS], singular[3], left[9], column[3];
  int wheel[OMR_MAX_WHEELS];
  const int wheels = omr_omni_carriers(omni, wheel);
  for (int i = 0; i < wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[wheel[i]];
    place_contact(omni, mb, w, w->active, column);
    for (int r = 0; r < 3; r++) b[r * wheels + i] = column[r];
  }
  return LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'A', 3, wheels, b, wheels, singular, left, 3, vectors[0],
                        OMR_MAX_WHEELS) == 0;
}

/* Conditions on the loads of more than three wheels, which lie in a plane
 * (appendix/reference.md#bodies). */
static int choose_loads(void *self, const omr_mb *mb, double *rows, int most) {
  const omr_omni *omni = self;
  double vectors[OMR_MAX_WHEELS][OMR_MAX_WHEELS];
  int wheel[OMR_MAX_WHEELS], wheels = omr_omni_carriers(omni, wheel), count = wheels - 3;
  if (count > most || !null_space(omni, mb, vectors)) return 0;
  for (int n = 0; n < count; n++) {
    double *row = rows + n * mb->rows;
    for (int i = 0; i < wheels; i++) {
      const omr_omni_wheel *w = &omni->wheel[wheel[i]];
      row[omr_omni_active(w)->base.first] = vectors[3 + n][i];
      if (w->edge) row[w->contact[w->second].base.first] = w->ratio * vectors[3 + n][i];
    }
  }
  return count;
}

/* The plane over the loads of the last evaluation; false if LAPACK fails. */
static bool fit_plane(const omr_omni *omni, const omr_mb *mb, double nu[3]) {
  double b[3 * OMR_MAX_WHEELS], load[OMR_MAX_WHEELS];
  int wheel[OMR_MAX_WHEELS];
  const int wheels = omr_omni_carriers(omni, wheel);
  for (int i = 0; i < wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[wheel[i]];
    place_contact(omni, mb, w, w->active, b + 3 * i);
    load[i] = omr_mb_multiplier(mb, &omr_omni_active(w)->base, 0);
    if (w->edge) load[i] += w->ratio * omr_mb_multiplier(mb, &w->contact[w->second].base, 0);
  }
  if (LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', wheels, 3, 1, b, 3, load, 1) != 0) return false;
  for (int r = 0; r < 3; r++) nu[r] = load[r];
  return true;
}

static double height(const double column[3], const double nu[3]) {
  return column[0] * nu[0] + column[1] * nu[1] + column[2] * nu[2];
}

/* The ratios of the wheels that rest; *moved is the largest change. */
static bool find_ratios(omr_omni *omni, const omr_mb *mb, double *moved) {
  double nu[3], one[3], two[3];
  *moved = 0;
  if (!fit_plane(omni, mb, nu)) return false;
  for (int i = 0; i < omni->wheels; i++) {
    omr_omni_wheel *w = &omni->wheel[i];
    if (w->edge == 0 || w->tracks) continue;
    place_contact(omni, mb, w, w->active, one);
    place_contact(omni, mb, w, w->second, two);
    double ratio = height(one, nu) / height(two, nu);
    *moved = fmax(*moved, fabs(ratio - w->ratio));
    w->ratio = ratio;
  }
  return true;
}

/* Tracking wheels that rest on two rollers. */
static int resting_on_preload(const omr_omni *omni, int wheel[OMR_MAX_WHEELS]) {
  int count = 0;
  for (int i = 0; i < omni->wheels; i++)
    if (omni->wheel[i].tracks && omni->wheel[i].edge) wheel[count++] = i;
  return count;
}

static void split(omr_omni_wheel *w, double part) {
  w->split = part;
  w->contact[w->active].press = w->preload * (1 - part);
  w->contact[w->second].press = w->preload * part;
}

/* Splits preloads so that these wheels do not turn: their accelerations, of the last evaluation,
 * are linear in the parts on the second rollers. *moved: the largest change at least, unless it is
 * rounding. */
static omr_status split_preloads(omr_omni *omni, omr_mb *mb, double *moved, omr_error *error) {
  int wheel[OMR_MAX_WHEELS], pivot[OMR_MAX_WHEELS];
  const int n = resting_on_preload(omni, wheel);
  double turns[OMR_MAX_WHEELS], by[OMR_MAX_WHEELS * OMR_MAX_WHEELS];
  omr_status status = OMR_OK;
  for (int i = 0; i < n; i++) turns[i] = omr_omni_wheel_acceleration(&omni->wheel[wheel[i]], mb);
  for (int j = 0; j < n && status == OMR_OK; j++) {
    omr_omni_wheel *w = &omni->wheel[wheel[j]];
    const double part = w->split;
    split(w, part + 1);
    status = omr_mb_evaluate(mb, NULL, error);
    for (int i = 0; i < n; i++)
      by[i * n + j] = turns[i] - omr_omni_wheel_acceleration(&omni->wheel[wheel[i]], mb);
    split(w, part);
  }
  if (status != OMR_OK || n == 0) return status;
  if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, by, n, pivot, turns, 1) != 0)
    return omr_fail(error, OMR_ERR_INTERNAL, "no split of a preload keeps its wheel at rest");
  for (int i = 0; i < n; i++) {
    split(&omni->wheel[wheel[i]], omni->wheel[wheel[i]].split + turns[i]);
    if (fabs(turns[i]) > 1e-12) *moved = fmax(*moved, fabs(turns[i]));
  }
  return OMR_OK;
}

static bool any_rests(const omr_omni *omni) {
  for (int i = 0; i < omni->wheels; i++)
    if (omni->wheel[i].edge && !omni->wheel[i].tracks) return true;
  return false;
}

static omr_status settle(void *self, omr_mb *mb, omr_error *error) {
  omr_omni *omni = self;
  int wheel[OMR_MAX_WHEELS];
  const bool dry = omr_omni_dry_is_open(omni), splits = resting_on_preload(omni, wheel) > 0,
             rests = any_rests(omni) && omr_omni_carriers(omni, wheel) > (dry ? 2 : 3);
  double moved = rests || dry || splits ? 1 : 0;
  for (int round = 0; round < LIMIT && moved > 1e-14; round++) {
    omr_status status = omr_mb_evaluate(mb, NULL, error);
    if (status != OMR_OK) return status;
    moved = 0;
    if (rests && !find_ratios(omni, mb, &moved))
      return omr_fail(error, OMR_ERR_INTERNAL, "the normal loads have no plane");
    if (dry) omr_omni_settle_dry(omni, mb, &moved);
    if (splits) status = split_preloads(omni, mb, &moved, error);
    if (status != OMR_OK) return status;
  }
  return OMR_OK;
}

void omr_omni_choose_loads(omr_omni *omni, omr_mb *mb) {
  int wheel[OMR_MAX_WHEELS];
  const int carriers = omr_omni_carriers(omni, wheel);
  bool again = carriers > 3;
  for (int i = 0; i < omni->wheels; i++)
    again = again || omni->wheel[i].brakes || omni->wheel[i].tracks;
  if (omr_omni_may_rest(omni) && again) omr_mb_set_prepare(mb, settle, omni);
  if (carriers > 3) omr_mb_set_choice(mb, choose_loads, omni);
}
