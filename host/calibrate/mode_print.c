/* The most likely parameters of a calibration, as a table and as JSON. */
#include "../study/json/json.h"
#include "calibrate.h"

/* Noises, which come last, are the stated ones. */
static size_t rows_of(const omr_calibrate *c) {
  return calibrate_rows(c) - (c->size.dimensions - c->mode->unknowns);
}

void calibrate_mode_print(const omr_calibrate *c, FILE *out) {
  if (!c->mode) return;
  fprintf(out, "\n  %-28s %-8s %12s %12s\n", "most likely", "unit", "value", "deviation");
  for (size_t k = 0; k < rows_of(c); k++) {
    const calibrate_row row = calibrate_row_of(c, k);
    fprintf(out, "  %-28s %-8s %12.6g %12.3g\n", row.name, row.unit, row.top, row.deviation);
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
  omr_tree_text(one, "path", name);
  omr_tree_text(one, "unit", unit);
  omr_tree_number(one, "value", value);
  omr_tree_number(one, "deviation", deviation);
  return one;
}

static cJSON *parameters_json(const omr_calibrate *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t k = 0; k < rows_of(c); k++) {
    const calibrate_row row = calibrate_row_of(c, k);
    if (row.parameter || row.sensed) add_row(list, row.name, row.unit, row.top, row.deviation);
  }
  return list;
}

/* In standard normal coordinates of the prior. */
static cJSON *coordinates_json(const omr_calibrate *c) {
  const calibrate_mode *mode = c->mode;
  cJSON *list = cJSON_CreateArray();
  for (size_t d = 0; d < mode->unknowns; d++) {
    cJSON *one = add_row(list, c->name[d], "1", mode->coordinate[d], mode->deviation[d]);
    omr_tree_add(
        one, "covariance",
        cJSON_CreateDoubleArray(mode->covariance + d * mode->unknowns, (int)mode->unknowns));
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
