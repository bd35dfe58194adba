/* The smallest program of a stranger's project: the model's parameters and a refused study. */
#include <omniroll/omniroll.h>

int main(void) {
  omr_error error = {0};
  omr_study *study = NULL;
  puts(omr_version());
  if (omr_describe("omni_vehicle", stdout, &error) != OMR_OK)
    return fprintf(stderr, "%s\n", error.message), 1;
  if (omr_study_parse("{", "empty.json", NULL, 0, &study, &error) != OMR_ERR_STUDY) return 2;
  return error.message[0] == 0;
}
