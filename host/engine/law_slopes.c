/* The kernels' laws of friction in one lane and double precision (kernels/laws/friction.h). */
#include "law_slopes.h"

#define OMR_LANES 1
#define OMR_SINGLE 0
#include "../../kernels/compat.h"

#include "../../kernels/mathfn.h"

#include "../../kernels/angle.h"

#include "../../kernels/layout.h"

#include "../../kernels/config.h"

#include "../../kernels/lists.h"

#include "../../kernels/laws/friction.h"

omr_law_slopes omr_friction_slopes(const int *settings, int law, const double *wheel, double peak) {
  const steepness s = law_steepest(law, wheel, settings, peak);
  return (omr_law_slopes){.x = s.x, .y = s.y, .cosine = s.cosine, .sine = s.sine};
}
