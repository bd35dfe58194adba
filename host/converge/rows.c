/* The records that all of a convergence write: notes, and rows of ways. */
#include "work.h"

#include <math.h>
#include <stdarg.h>

void converge_note(omr_converge *c, const char *format, ...) {
  va_list list;
  if (c->note_count == OMR_CONVERGE_NOTES) return;
  va_start(list, format);
  vsnprintf(c->notes[c->note_count++], OMR_CONVERGE_NOTE, format, list);
  va_end(list);
}

const char *omr_way_at(const omr_way *way, char text[48]) {
  if (way->tolerance > 0)
    snprintf(text, 48, "tolerance %.4g", way->tolerance);
  else if (way->step >= 0.1e-3)
    snprintf(text, 48, "%.6g ms", 1e3 * way->step);
  else
    snprintf(text, 48, "%.6g us", 1e6 * way->step);
  return text;
}

ptrdiff_t converge_row_of(const omr_converge *c, const omr_way *way) {
  for (size_t i = 0; i < c->row_count; i++)
    if (same_family(&c->rows[i].way, way) &&
        fabs(way_size(&c->rows[i].way) / way_size(way) - 1) < 1e-9)
      return (ptrdiff_t)i;
  return -1;
}
