/* What models of the reference share: data of their own, and refusals. */
#include "reference.h"

#include <stdio.h>

bool omr_refuse(omr_reason *why, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  return false;
}

void *omr_reference_open(omr_reference *r, size_t own, omr_vec gravity, omr_reason *why) {
  r->self = omr_pool_take(&r->memory, 1, own);
  r->mb = omr_mb_create(gravity);
  if (r->self && r->mb) return r->self;
  omr_refuse(why, "out of memory");
  return NULL;
}

void omr_reference_close(omr_reference *r) {
  omr_mb_destroy(r->mb);
  omr_pool_free(&r->memory);
  omr_text_free(&r->notes);
}

double omr_vertex(const double t[3], const double f[3]) {
  const double a = t[1] - t[0], b = t[2] - t[1], s0 = (f[1] - f[0]) / a, s1 = (f[2] - f[1]) / b;
  const double bend = (s1 - s0) / (a + b), slope = (s0 * b + s1 * a) / (a + b),
               x = -slope / (2 * bend);
  return x > -a && x < b ? f[1] - slope * slope / (4 * bend) : f[2];
}
