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

/* S^T S of the differences by those steps, of their residuals, which are destroyed. */
static void find_gram(const omr_calibrate *c, const double *steps, double *residuals,
                      const bool *good, double *gram) {
  const size_t d = c->size.dimensions, m = omr_coordinates_of_model(&c->layout);
  memset(gram, 0, d * d * sizeof *gram);
  omr_differences_gram(d, c->size.data, residuals, good, steps, 1, gram);
  for (size_t a = 0; a < m; a++) memmove(gram + a * m, gram + a * d, m * sizeof *gram);
}

/* What a batch needs: 2 dimensions points by the steps, and as many by steps `farther`. */
typedef struct work {
  double *centre, *steps, *far_steps; /* [dimensions] */
  double *points;                     /* [4 dimensions][dimensions] */
  double *gram;                       /* [dimensions][dimensions] */
  double *residuals;                  /* [4 dimensions][data] */
  bool *good;
} work;

static omr_status find(omr_calibrate *c, const calibrate_how *how, const work *w,
                       omr_error *error) {
  const size_t d = c->size.dimensions, m = omr_coordinates_of_model(&c->layout);
  calibrate_choose_steps(c, w->centre, w->steps);
  for (size_t a = 0; a < d; a++) w->far_steps[a] = CALIBRATE_FARTHER * w->steps[a];
  omr_differences_lay(d, w->centre, w->steps, w->points);
  omr_differences_lay(d, w->centre, w->far_steps, w->points + 2 * d * d);
  const calibrate_batch batch = {w->points, 4 * d, w->residuals, NULL, w->good};
  const omr_status status = calibrate_run_members(c, &c->fitted, how, &batch, error);
  if (status != OMR_OK) return status;
  omr_forward_clip(&c->fitted, 4 * d, w->residuals);
  find_gram(c, w->far_steps, w->residuals + 2 * d * c->size.data, w->good + 2 * d, w->gram);
  for (size_t a = 0; a < m; a++) c->farther[a] = sqrt(w->gram[a * m + a]);
  find_gram(c, w->steps, w->residuals, w->good, w->gram);
  for (size_t a = 0; a < m; a++) c->sensitivity[a] = sqrt(w->gram[a * m + a]);
  omr_identify(w->gram, m, c->singular, c->singular + m);
  return OMR_OK;
}

omr_status calibrate_find_sensitivity(omr_calibrate *c, const calibrate_how *how,
                                      omr_error *error) {
  const size_t d = c->size.dimensions;
  double *room = calloc(3 * d + 5 * d * d, sizeof *room);
  work w = {.residuals = calloc(4 * d * c->size.data, sizeof *w.residuals),
            .good = calloc(4 * d, sizeof *w.good)};
  c->sensitivity = calloc(2 * d, sizeof *c->sensitivity);
  c->singular = calloc(d + d * d, sizeof *c->singular);
  omr_status status = OMR_OK;
  if (room && w.residuals && w.good && c->sensitivity && c->singular) {
    c->farther = c->sensitivity + d;
    w.centre = room;
    w.steps = w.centre + d;
    w.far_steps = w.steps + d;
    w.points = w.far_steps + d;
    w.gram = w.points + 4 * d * d;
    status = find(c, how, &w, error);
  } else {
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  free(room);
  free(w.residuals);
  free(w.good);
  return status;
}
