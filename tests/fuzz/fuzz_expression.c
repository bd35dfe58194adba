/* Criteria as text, against the names of a study; what is read is evaluated on values that are
 * missing, infinite, zero and ordinary. */
#include "fuzz.h"
#include "study/expression/expression.h"

#include <math.h>
#include <omniroll/omniroll.h>

static const char text_of_study[] =
    "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": 1e-4, \"duration\": 1},"
    "\"vary\": [{\"path\": \"platform.mass\", \"uniform\": [1, 2]}, {\"path\": "
    "\"wheels[0].friction\", \"uniform\": [0.1, 1]}],"
    "\"design\": {\"type\": \"monte_carlo\", \"instances\": 10},"
    "\"parameters\": {\"command\": {\"type\": \"constant\", \"vx\": 1}},"
    "\"output\": {\"observables\": [\"max_deviation\", \"final_yaw\", \"max_slip\", "
    "\"vibration_peak\", \"final_yaw_rate\"]}}";

static omr_names names;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  omr_study *study = NULL;
  (void)argc, (void)argv;
  MUST(omr_study_parse(text_of_study, "s.json", NULL, 0, &study, NULL) == OMR_OK);
  omr_names_of_study(study, &names);
  MUST(!names.failed);
  omr_study_destroy(study);
  return 0;
}

static void evaluate(const omr_expression *expression) {
  static const double ordinary[] = {0.5, 0, -1, 1e300, 0, 0, 3, -0.0};
  double *values = malloc((names.columns + 1) * sizeof *values);
  MUST(values);
  for (int round = 0; round < 6; round++) {
    for (size_t c = 0; c < names.columns; c++)
      values[c] = round < 4   ? ordinary[(c + (size_t)round) % 8]
                  : round > 4 ? (double)NAN
                              : (double)INFINITY;
    values[names.columns] = round;
    if (expression->truth) {
      const int truth = omr_expression_truth(expression, values);
      MUST(truth >= -1 && truth <= 1);
      (void)omr_expression_margin(expression, values);
    } else {
      (void)omr_expression_value(expression, values);
    }
  }
  for (size_t i = 0; i < expression->count; i++) {
    size_t column;
    double threshold;
    if (omr_expression_threshold(expression, i, &column, &threshold)) MUST(column <= names.columns);
  }
  free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size};
  char *text = take_text(&in, 0);
  omr_expression *expression = NULL;
  static omr_error error;
  const omr_status status = omr_expression_parse(text, &names, &expression, &error);
  MUST((status == OMR_OK) == (expression != NULL));
  if (expression)
    evaluate(expression);
  else
    MUST(error.message[0]);
  omr_expression_destroy(expression);
  free(text);
  return 0;
}
