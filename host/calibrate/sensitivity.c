/* How the residuals depend on the parameters about the members' mean, by differences across lanes:
 * two members for each parameter, one step to either side. */
#include "calibrate.h"

#include "differences.h"
#include "identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the differences, in deviations of the prior. */
static const double least_step = 1e-3, most_step = 0.3;

static double step_of(const omr_calibrate *c, size_t d, double mean) {
  const size_t n = c->size.members, dimensions = c->size.dimensions;
  double squares = 0;
  for (size_t j = 0; j < n; j++) {
    const double off = c->coordinates[j * dimensions + d] - mean;
    squares += off * off;
  }
  return fmin(fmax(sqrt(squares / (double)(n - 1)), least_step), most_step);
}

void calibrate_choose_steps(const omr_calibrate *c, double *centre, double *steps) {
  const size_t n = c->size.members, dimensions = c->size.dimensions;
  for (size_t d = 0; d < dimensions; d++) {
    double mean = 0;
    for (size_t j = 0; j < n; j++) mean += c->coordinates[j * dimensions + d] / (double)n;
    centre[d] = mean;
    steps[d] = step_of(c, d, mean);
  }
}

omr_status calibrate_find_sensitivity(omr_calibrate *c, const calibrate_how *how,
                                      omr_error *error) {
  const size_t d = c->size.dimensions, data = c->size.data;
  double *points = calloc(2 * d * d + 2 * d + d * d, sizeof *points);
  double *residuals = calloc(2 * d * data, sizeof *residuals);
  bool *good = calloc(2 * d, sizeof *good);
  c->sensitivity = calloc(d, sizeof *c->sensitivity);
  c->singular = calloc(d + d * d, sizeof *c->singular);
  omr_status status = points && residuals && good && c->sensitivity && c->singular
                          ? OMR_OK
                          : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) {
    double *steps = points + 2 * d * d, *centre = steps + d, *gram = centre + d;
    calibrate_choose_steps(c, centre, steps);
    omr_differences_lay(d, centre, steps, points);
    const calibrate_batch batch = {points, 2 * d, residuals, NULL, good};
    status = calibrate_run_members(c, &c->fitted, how, &batch, error);
    if (status == OMR_OK) {
      omr_forward_clip(&c->fitted, 2 * d, residuals);
      omr_differences_gram(d, data, residuals, good, steps, 1, gram);
      const size_t m = omr_coordinates_of_model(&c->layout);
      for (size_t a = 0; a < m; a++) c->sensitivity[a] = sqrt(gram[a * d + a]);
      for (size_t a = 0; a < m; a++) memmove(gram + a * m, gram + a * d, m * sizeof *gram);
      omr_identify(gram, m, c->singular, c->singular + m);
    }
  }
  free(points);
  free(residuals);
  free(good);
  return status;
}
