/* The smallest program of a stranger's project: versions, the model's parameters, a refused study,
 * options of another version, and a name that no result has. */
#include <omniroll/omniroll.h>
#include <string.h>

/* The headers are those of the library. */
static int check_version(void) {
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", OMR_VERSION_MAJOR, OMR_VERSION_MINOR,
           OMR_VERSION_PATCH);
  puts(omr_version());
  return strcmp(version, omr_version()) == 0;
}

/* Of no size, and of a newer header: refused before anything runs, with what to do. */
static int check_sizes(const omr_study *study) {
  omr_error error = {0};
  omr_result *result = NULL;
  omr_run_options options = {0};
  if (omr_run(study, &options, &result, &error) != OMR_ERR_USAGE || result) return 0;
  if (!strstr(error.message, "OMR_RUN_OPTIONS_INIT")) return 0;
  omr_file_options file = OMR_FILE_OPTIONS_INIT;
  file.size += 8;
  if (omr_run_file(study, "never.h5", &file, NULL, &error) != OMR_ERR_USAGE) return 0;
  file.size -= 8;
  file.run.size = 0;
  return omr_run_file(study, "never.h5", &file, NULL, &error) == OMR_ERR_USAGE;
}

/* What a result says of itself. */
static int check_result(const omr_result *result) {
  const size_t column = omr_result_find(result, "path_length"),
               yaw = omr_result_find_quantity(result, "yaw");
  size_t samples = 0, wheels = 0;
  char *json = NULL;
  if (column == OMR_NONE || strcmp(omr_result_column_name(result, column), "path_length")) return 0;
  if (omr_result_find(result, "path_lenght") != OMR_NONE) return 0;
  if (omr_result_column(result, OMR_NONE) || omr_result_column_unit(result, OMR_NONE)) return 0;
  if (omr_result_traced(result) != 1 || omr_result_traced_row(result, 0) != 0) return 0;
  if (omr_result_traced_row(result, 1) != OMR_NONE || yaw == OMR_NONE) return 0;
  if (!omr_result_trajectory(result, yaw, &samples, &wheels) || wheels != 1) return 0;
  if (samples != omr_result_samples(result) || samples != 3) return 0;
  if (omr_result_quantity_name(result, omr_result_quantities(result))) return 0;
  if (omr_result_failures(result) || omr_result_failure(result, 0, NULL, NULL, NULL)) return 0;
  if (omr_result_statistics_json(result, &json, NULL) != OMR_OK || json[0] != '{') return 0;
  omr_text_destroy(json);
  return 1;
}

static int check_run(const omr_study *study) {
  omr_error error = {0};
  omr_result *result = NULL;
  const omr_run_options options = OMR_RUN_OPTIONS_INIT;
  char before[33], after[33];
  if (omr_run(study, &options, &result, &error) != OMR_OK) return 0;
  int good = check_result(result) && omr_result_hash(result, before, NULL) == OMR_OK;
  if (good && omr_result_files(NULL) == OMR_OK) {
    omr_result *read = NULL;
    good = omr_result_write(result, "consumer.h5", &error) == OMR_OK &&
           omr_result_open("consumer.h5", &read, &error) == OMR_OK && check_result(read) &&
           omr_result_hash(read, after, NULL) == OMR_OK && strcmp(before, after) == 0;
    omr_result_destroy(read);
    remove("consumer.h5");
  }
  omr_result_destroy(result);
  if (error.message[0]) fprintf(stderr, "%s\n", error.message);
  return good;
}

int main(void) {
  static const char text[] =
      "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": 1e-3, \"duration\": 0.02},"
      " \"output\": {\"trajectories\": {\"instances\": [0], \"interval\": 0.01}}}";
  omr_error error = {0};
  omr_study *study = NULL;
  if (!check_version()) return 3;
  if (omr_describe("omni_vehicle", stdout, &error) != OMR_OK)
    return fprintf(stderr, "%s\n", error.message), 1;
  if (omr_study_parse("{", "empty.json", NULL, 0, &study, &error) != OMR_ERR_STUDY) return 2;
  if (error.message[0] == 0) return 1;
  if (omr_study_parse(text, "small.json", NULL, 0, &study, &error) != OMR_OK)
    return fprintf(stderr, "%s\n", error.message), 4;
  const int sizes = check_sizes(study), run = check_run(study);
  omr_study_destroy(study);
  return !sizes ? 5 : !run ? 6 : 0;
}
