/* Mass and inertia of a body: the check of a tensor, and its inverse. */
#include "multibody.h"

#include <float.h>
#include <lapacke.h>

/* Rounding error of a symmetric tensor, or of a flat body's I1 + I2 = I3. */
#define ROUNDING 1e-9

omr_mat omr_mb_inverted(const omr_mat *t) {
  omr_vec a = omr_cross(t->row[1], t->row[2]), b = omr_cross(t->row[2], t->row[0]),
          c = omr_cross(t->row[0], t->row[1]);
  double s = 1 / omr_dot(t->row[0], a);
  /* a, b and c are the columns; those of a symmetric tensor are its rows */
  return (omr_mat){{omr_scale(s, a), omr_scale(s, b), omr_scale(s, c)}};
}

static omr_status check_symmetry(const omr_mb_body *b, omr_error *error) {
  const omr_vec *r = b->tensor.row;
  double most = fmax(fmax(fabs(r[0].x), fabs(r[1].y)), fabs(r[2].z));
  double off = fmax(fmax(fabs(r[0].y - r[1].x), fabs(r[0].z - r[2].x)), fabs(r[1].z - r[2].y));
  if (off <= ROUNDING * most) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "the tensor of inertia of %s is not symmetric: xy %g and yx %g, xz %g and zx %g, "
                  "yz %g and zy %g kg m2",
                  b->name, r[0].y, r[1].x, r[0].z, r[2].x, r[1].z, r[2].y);
}

static omr_status check_tensor(const omr_mb_body *b, omr_error *error) {
  omr_status status = check_symmetry(b, error);
  if (status != OMR_OK) return status;
  const omr_vec *r = b->tensor.row;
  double a[9] = {r[0].x, r[0].y, r[0].z, r[1].x, r[1].y, r[1].z, r[2].x, r[2].y, r[2].z}, i[3];
  if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', 3, a, 3, i) != 0)
    return omr_fail(error, OMR_ERR_INTERNAL, "no principal moments of %s", b->name);
  if (!(i[0] > 4 * DBL_EPSILON * i[2]))
    return omr_fail(error, OMR_ERR_USAGE,
                    "the tensor of inertia of %s is not positive definite: its principal moments "
                    "are %g, %g, %g kg m2, and each must be above 0",
                    b->name, i[0], i[1], i[2]);
  if (i[2] > (i[0] + i[1]) * (1 + ROUNDING))
    return omr_fail(error, OMR_ERR_USAGE,
                    "no body has the inertia of %s: of its principal moments %g, %g, %g kg m2 the "
                    "largest is above the sum %g of the others",
                    b->name, i[0], i[1], i[2], i[0] + i[1]);
  return OMR_OK;
}

omr_status omr_mb_check_inertia(const omr_mb_body *b, omr_error *error) {
  if (!(b->mass > 0 && b->inertia.x > 0 && b->inertia.y > 0 && b->inertia.z > 0))
    return omr_fail(error, OMR_ERR_USAGE,
                    "the multibody reference needs mass and inertia of every body; %s has mass %g "
                    "kg and inertias %g, %g, %g kg m2",
                    b->name, b->mass, b->inertia.x, b->inertia.y, b->inertia.z);
  return b->full ? check_tensor(b, error) : OMR_OK;
}
