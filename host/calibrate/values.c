/* From standard normal coordinates to values of the study's variations. */
#include "calibrate.h"

#include "../study/derived.h"

#include <stdlib.h>

void calibrate_values_of(const omr_calibrate *c, const double *known, size_t n, double *values) {
  const omr_study study = omr_study_of_members(c->study, n);
  omr_part part = omr_part_of(&study);
  omr_values drawn;
  part.known = known;
  part.known_count = n;
  for (size_t j = 0; j < n; j++)
    omr_part_values(&part, j, &drawn, values + j * c->study->variation_count);
}

/* Values of the study's parameters; a parameter that each run draws has the value of another run.
 */
omr_status calibrate_find_values(omr_calibrate *c, omr_error *error) {
  const size_t drawn = c->layout.drawn, n = c->size.members;
  double *known = malloc(n * drawn * sizeof *known);
  if (!known) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t j = 0; j < n; j++)
    omr_coordinates_in_run(&c->layout, c->coordinates + j * c->size.dimensions, j,
                           c->study->measured.runs, known + j * drawn);
  calibrate_values_of(c, known, n, c->values);
  free(known);
  return OMR_OK;
}
