/* The kernels' curve of the magic formula in one lane and double precision (kernels/laws/tyre.h).
 */
#include "tyre_slope.h"

#define OMR_LANES 1
#define OMR_SINGLE 0
#include "../../kernels/compat.h"

#include "../../kernels/mathfn.h"

#include "../../kernels/angle.h"

#include "../../kernels/layout.h"

#include "../../kernels/config.h"

#include "../../kernels/lists.h"

#include "../../kernels/laws/friction.h"

double omr_magic_steepness(double curvature) {
  return magic_steepness(curvature);
}
