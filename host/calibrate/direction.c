#include "direction.h"

#include "../support/support.h"

#include <math.h>

char *omr_direction_told(const double *direction, size_t d,
                         const char *(*name)(const void *who, size_t dimension), const void *who) {
  double above = HUGE_VAL, largest = 0;
  size_t last = d;
  omr_text text = {0};
  for (;;) {
    /* The next largest part; equal parts keep their order. */
    size_t next = d;
    for (size_t k = 0; k < d; k++) {
      const double size = fabs(direction[k]);
      const bool left = size < above || (size == above && k > last);
      if (left && (next == d || size > fabs(direction[next]))) next = k;
    }

    /* Parts below a quarter of the largest are left out. */
    if (next == d || fabs(direction[next]) < 0.25 * largest) return text.data;
    const char *sign = direction[next] > 0 ? " + " : " - ";
    omr_text_print(&text, "%s%s", largest == 0 ? "" : sign, name(who, next));

    above = fabs(direction[next]);
    last = next;
    if (largest == 0) largest = above;
  }
}
