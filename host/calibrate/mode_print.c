/* The most likely parameters of a calibration, as a table and as JSON. */
#include "../study/json/json.h"
#include "calibrate.h"
#include "mode.h"

#include <math.h>
#include <stdlib.h>

/* A clock's or a sensor's unknown in its unit. */
static void value_of_sensed(const omr_calibrate *c, size_t d, double *value, double *deviation) {
  const double u = c->mode->coordinate[d], step = c->mode->deviation[d];
  *value = calibrate_sensed_value(c, d, u);
  *deviation =
      0.5 * fabs(calibrate_sensed_value(c, d, u + step) - calibrate_sensed_value(c, d, u - step));
}

static void print_row(FILE *out, const char *name, const char *unit, double value,
                      double deviation) {
  fprintf(out, "  %-28s %-8s %12.6g %12.3g\n", name ? name : "", unit, value, deviation);
}

void calibrate_mode_print(const omr_calibrate *c, FILE *out) {
  const calibrate_mode *mode = c->mode;
  if (!mode) return;
  fprintf(out, "\n  %-28s %-8s %12s %12s\n", "most likely", "unit", "value", "deviation");
  for (size_t v = 0; v < c->study->variation_count; v++)
    print_row(out, c->study->variations[v].path, calibrate_unit_of(&c->study->variations[v]),
              mode->value[v], mode->value_deviation[v]);
  for (size_t d = c->layout.drawn; d < mode->unknowns; d++) {
    const bool sensed = calibrate_is_sensed(c, d);
    double value = mode->coordinate[d], deviation = mode->deviation[d];
    char *name = calibrate_name_of(c, d);
    if (sensed) value_of_sensed(c, d, &value, &deviation);
    print_row(out, name, sensed ? calibrate_sensed_unit(c, d) : "of prior", value, deviation);
    free(name);
  }
}

void calibrate_mode_print_work(const omr_calibrate *c, FILE *out) {
  const calibrate_mode *mode = c->mode;
  if (!mode) return;
  fprintf(out,
          "  polish     %zu Gauss-Newton steps; the next would be %.2g of the posterior's "
          "deviation; log evidence by Laplace %.5g%s\n",
          mode->steps, mode->left, mode->evidence,
          c->layout.noises ? ", with the stated noise" : "");
}

static cJSON *add_row(cJSON *list, const char *name, const char *unit, double value,
                      double deviation) {
  cJSON *one = omr_tree_row(list);
  omr_tree_text(one, "path", name ? name : "");
  omr_tree_text(one, "unit", unit);
  omr_tree_number(one, "value", value);
  omr_tree_number(one, "deviation", deviation);
  return one;
}

static cJSON *parameters_json(const omr_calibrate *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t v = 0; v < c->study->variation_count; v++)
    add_row(list, c->study->variations[v].path, calibrate_unit_of(&c->study->variations[v]),
            c->mode->value[v], c->mode->value_deviation[v]);
  for (size_t d = c->layout.drawn; d < c->mode->unknowns; d++) {
    if (!calibrate_is_sensed(c, d)) continue;
    double value, deviation;
    char *name = calibrate_name_of(c, d);
    value_of_sensed(c, d, &value, &deviation);
    add_row(list, name, calibrate_sensed_unit(c, d), value, deviation);
    free(name);
  }
  return list;
}

/* In standard normal coordinates of the prior. */
static cJSON *coordinates_json(const omr_calibrate *c) {
  const calibrate_mode *mode = c->mode;
  cJSON *list = cJSON_CreateArray();
  for (size_t d = 0; d < mode->unknowns; d++) {
    char *name = calibrate_name_of(c, d);
    cJSON *one = add_row(list, name, "1", mode->coordinate[d], mode->deviation[d]);
    omr_tree_add(
        one, "covariance",
        cJSON_CreateDoubleArray(mode->covariance + d * mode->unknowns, (int)mode->unknowns));
    free(name);
  }
  return list;
}

cJSON *calibrate_mode_json(const omr_calibrate *c) {
  const calibrate_mode *mode = c->mode;
  cJSON *root = cJSON_CreateObject();
  omr_tree_number(root, "steps", (double)mode->steps);
  omr_tree_bool(root, "at_rest", mode->rests);
  omr_tree_number(root, "step_left", mode->left);
  omr_tree_number(root, "log_evidence", mode->evidence);
  omr_tree_number(root, "mean_apart", mode->apart);
  omr_tree_add(root, "parameters", parameters_json(c));
  omr_tree_add(root, "coordinates", coordinates_json(c));
  return root;
}
