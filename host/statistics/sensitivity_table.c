/* One cell of the table of sensitivities: no value, an interval, what rounding can make of it. */
#include "sensitivity_table.h"

#include "../study/designs/special_functions.h"
#include "correlation.h"

#include <math.h>
#include <string.h>

void omr_sensitivity_none(omr_sensitivity *s, size_t quantity, size_t parameter,
                          omr_reason reason) {
  const size_t at = omr_sensitivity_at(s, quantity, parameter);
  const omr_estimate none = {(double)NAN, (double)NAN, (double)NAN};
  s->estimates[0][at] = s->estimates[1][at] = none;
  s->reason[at] = (int8_t)reason;
}

omr_estimate omr_fisher_interval(double r, size_t count, double confidence, bool ranks) {
  if (!(fabs(r) < 1)) return (omr_estimate){r, r, r};
  if (count < 4) return (omr_estimate){r, (double)NAN, (double)NAN};
  const double variance = (ranks ? 1 + r * r / 2 : 1) / ((double)count - 3);
  const double z = atanh(r), width = omr_normal_quantile((1 + confidence) / 2) * sqrt(variance);
  return (omr_estimate){r, tanh(z - width), tanh(z + width)};
}

double omr_rounding_of(const omr_sensitivity *table, size_t quantity, double low, double high) {
  const double part = 0x1p-49, size = fmax(fabs(low), fabs(high));
  const char *unit = table->info[table->parameters + quantity].unit;
  if (table->any_scale) return part * size;
  return part * fmax(size, strpbrk(unit, "kNJWVA") ? 0x1p-20 : 1);
}
