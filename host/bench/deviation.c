/* How far a row's motion is from another's: the final pose of some instances after the same steps.
 * Rows of the same precision and numerics have the same bits, so theirs is 0. */
#include "../study/derived.h"
#include "cases.h"

#include <math.h>
#include <string.h>

enum { STEPS = 1000 };

static const char *const names[BENCH_POSE] = {"final_x", "final_z", "final_yaw"};

static void keep_pose(const omr_result *result, bench_poses *poses) {
  for (size_t c = 0; c < omr_result_columns(result); c++) {
    for (int j = 0; j < BENCH_POSE; j++) {
      if (strcmp(omr_result_column_name(result, c), names[j]) != 0) continue;
      memcpy(poses->value[j], omr_result_column(result, c), poses->count * sizeof(double));
    }
  }
}

omr_status bench_poses_run(omr_engine *engine, const omr_study *study, bench_poses *poses,
                           omr_error *error) {
  size_t chosen[BENCH_POSES];
  const omr_study sooner = omr_study_sooner(study, STEPS);
  omr_result *result;
  memset(poses, 0, sizeof *poses);
  for (; poses->count < BENCH_POSES && poses->count < study->instances; poses->count++)
    chosen[poses->count] = poses->count;
  const omr_part part = omr_part_choose(&sooner, chosen, poses->count);
  omr_status status = omr_engine_run(engine, &part, &result, error);
  if (status != OMR_OK) return status;
  keep_pose(result, poses);
  omr_result_destroy(result);
  return OMR_OK;
}

/* Largest difference of a coordinate over its largest magnitude. */
double bench_poses_deviation(const bench_poses *a, const bench_poses *reference) {
  double largest = 0;
  for (int j = 0; j < BENCH_POSE; j++) {
    double difference = 0, magnitude = 0;
    for (size_t k = 0; k < a->count && k < reference->count; k++) {
      const double off = fabs(a->value[j][k] - reference->value[j][k]);
      difference = off > difference || isnan(off) ? off : difference;
      magnitude = fmax(magnitude, fabs(reference->value[j][k]));
    }
    if (isnan(difference)) return difference;
    if (difference > 0) largest = fmax(largest, difference / magnitude);
  }
  return largest;
}
