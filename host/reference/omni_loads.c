/* Normal loads of more than three wheels: the limit of equal vertical compliance at the contacts, in which the loads are a plane
 * over the contact points (physics.md section 4): N = B^T nu with column (1, -P_z, P_x) of B for each contact point. So n^T N = 0
 * for every n in the null space of B. */
#include "omni.h"

#include <lapacke.h>

/* Right singular vectors of B, row-major; false where LAPACK fails. */
static bool null_space(const omr_omni *omni, const omr_mb *mb, double vectors[OMR_MAX_WHEELS][OMR_MAX_WHEELS]) {
  double b[3 * OMR_MAX_WHEELS], singular[3], left[9];
  const int wheels = omni->wheels;
  for (int i = 0; i < wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    omr_roller_point p = omr_roller_contact_point(mb, omr_omni_active(w));
    omr_vec r = omr_add(omr_mb_frame(mb, w->first_roller + w->active)->r, p.d);
    const omr_frame *platform = omr_mb_frame(mb, omni->platform);
    b[i] = 1;
    b[wheels + i] = platform->r.z - r.z;
    b[2 * wheels + i] = r.x - platform->r.x;
  }
  return LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'A', 3, wheels, b, wheels, singular, left, 3, vectors[0], OMR_MAX_WHEELS) == 0;
}

static int choose_loads(void *self, const omr_mb *mb, double *rows, int most) {
  const omr_omni *omni = self;
  double vectors[OMR_MAX_WHEELS][OMR_MAX_WHEELS];
  int count = omni->wheels - 3;
  if (count > most || !null_space(omni, mb, vectors)) return 0;
  for (int n = 0; n < count; n++) {
    double *row = rows + n * omr_mb_rows(mb);
    for (int i = 0; i < omni->wheels; i++) row[omr_omni_active(&omni->wheel[i])->base.first] = vectors[3 + n][i];
  }
  return count;
}

void omr_omni_choose_loads(omr_omni *omni, omr_mb *mb) {
  if (omni->wheels > 3) omr_mb_set_choice(mb, choose_loads, omni);
}
