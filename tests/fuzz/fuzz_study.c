/* Study text with --set: the text, then after each zero byte one override. What is refused has a
 * message and a list of mistakes that is JSON; what is read can be told. */
#include "fuzz.h"

#include <omniroll/omniroll.h>

enum { MOST = 6 };

static void tell(const omr_study *study) {
  omr_error error = {0};
  char *text = NULL;
  MUST(omr_study_title(study) && omr_study_name(study));
  (void)omr_study_tolerance(study);
  (void)omr_study_measures_step_error(study);
  if (omr_study_instances(study) > 64) return;
  FILE *out = fopen("/dev/null", "we");
  MUST(out);
  omr_study_sample_print(study, out, &error);
  fclose(out);
  omr_study_warnings(study, &text, &error);
  omr_text_destroy(text);
}

static void refuse(const omr_error *error) {
  omr_error again = {0};
  char *json = NULL, *formatted = NULL;
  MUST(error->status != OMR_OK && error->message[0]);
  MUST(memchr(error->message, 0, sizeof error->message));
  for (size_t i = 0; i < omr_error_count(error); i++)
    MUST(omr_error_text(error, i) && omr_error_pointer(error, i) && omr_error_code(error, i));
  if (omr_error_json(error, &json, &again) == OMR_OK)
    MUST(omr_json_format(json, &formatted, &again) == OMR_OK);
  omr_text_destroy(formatted);
  omr_text_destroy(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size};
  char *text = take_text(&in, 0), *overrides[MOST];
  size_t count = 0;
  while (in.left && count < MOST) overrides[count++] = take_text(&in, 0);
  static omr_error error;
  omr_study *study = NULL;
  error = (omr_error){0};
  const omr_status status =
      omr_study_parse(text, "fuzzed.json", (const char *const *)overrides, count, &study, &error);
  MUST((status == OMR_OK) == (study != NULL));
  if (study)
    tell(study);
  else
    refuse(&error);
  omr_study_destroy(study);
  for (size_t i = 0; i < count; i++) free(overrides[i]);
  free(text);
  return 0;
}
