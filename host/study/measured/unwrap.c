#include "log.h"

#include <math.h>

void omr_unwrap(double *value, size_t rows, double period) {
  double turns = 0, before = rows ? value[0] : 0;
  for (size_t row = 1; row < rows; row++) {
    const double jump = value[row] - before;
    before = value[row];
    turns -= period * rint(jump / period);
    value[row] += turns;
  }
}

omr_wraps omr_wraps_of(const double *value, size_t rows, double period) {
  omr_wraps found = {0};
  double low = value[0], high = value[0];
  bool rises = false, falls = false;

  /* Each step is split into whole periods and the rest. */
  for (size_t row = 1; row < rows; row++) {
    const double step = value[row] - value[row - 1], whole = rint(step / period),
                 rest = fabs(step - period * whole);

    /* The range and the directions tell a turning wheel from a still one. */
    low = fmin(low, value[row]);
    high = fmax(high, value[row]);
    rises = rises || step > 0;
    falls = falls || step < 0;

    /* A step of more than half a period is a jump. */
    if (whole != 0 && found.jumps++ == 0) found.first = row;
    if (whole == 0 && step != 0) found.moves++;

    /* The coarsest step has the longest rest. */
    if (rest <= found.longest) continue;
    found.longest = rest;
    found.coarse = row;
  }

  /* The caller decides by the range and the directions. */
  found.within = high - low <= period * (1 + 1e-9);
  found.turns = rises && falls;
  return found;
}

size_t omr_lone_jump(const double *value, size_t rows, double least) {
  for (size_t row = 2; row + 1 < rows; row++) {
    const double step = value[row] - value[row - 1], before = value[row - 1] - value[row - 2],
                 after = value[row + 1] - value[row];
    if (fabs(step) > least && step * before < 0 && step * after < 0 &&
        fabs(step) > 4 * fmax(fabs(before), fabs(after)))
      return row;
  }
  return 0;
}
