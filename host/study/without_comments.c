/* Studies as JSON without comments. */
#include "../lists/models.h"
#include "study.h"
#include "json/json.h"

#include <stdlib.h>

/* The text itself: numbers stay as they were written. */
omr_status omr_json_read(const char *path, char **json, omr_error *error) {
  char *text = NULL;
  size_t length = 0;
  omr_json tree = {0};
  *json = NULL;
  omr_status status = omr_check_study_file(path, error);
  if (status == OMR_OK) status = omr_read_study_file(path, &text, &length, error);
  if (status == OMR_OK) status = omr_json_parse(&tree, text, length, path, error);
  if (status == OMR_OK) {
    *json = tree.text;
    tree.text = NULL;
  }
  omr_json_free(&tree);
  free(text);
  return status;
}

const char *omr_study_text(const omr_study *study) {
  return study->text;
}

const char *omr_study_model(const omr_study *study) {
  return omr_model_names[study->model];
}
