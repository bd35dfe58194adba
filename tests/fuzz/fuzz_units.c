/* Units: a quantity, a zero byte, the SI unit wanted. */
#include "fuzz.h"
#include "study/units/units.h"
#include "study/units/units_dimension.h"

#include <math.h>

static void dimension_of(const char *unit) {
  omr_dimension dimension, root;
  char *message = NULL, small[4], text[64];
  if (omr_unit_dimension(unit, &dimension, &message)) {
    MUST(!message);
    omr_dimension_print(dimension, small, sizeof small);
    omr_dimension_print(dimension, text, sizeof text);
    if (omr_dimension_times(dimension, dimension, 1, &root) && omr_dimension_root(root, &root))
      MUST(omr_dimension_equal(root, dimension, true));
  }
  free(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const wanted[] = {"m", "rad", "rad/s", "N m", "kg m2", "1", "s", "m s-2"};
  input in = {data, size};
  char *text = take_text(&in, 0), *unit = take_text(&in, 0), *message = NULL;
  double value = 0;
  dimension_of(text);
  dimension_of(unit);
  if (omr_unit_convert(text, unit, &value, &message)) MUST(!message && !isnan(value));
  free(message);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    message = NULL;
    if (omr_unit_convert(text, wanted[i], &value, &message)) MUST(!message && !isnan(value));
    free(message);
  }
  free(text);
  free(unit);
  return 0;
}
