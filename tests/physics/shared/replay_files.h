/* Tables of measured inputs in files of their own, and the wheel that replays them. */
#ifndef REPLAY_FILES_H
#define REPLAY_FILES_H

#include "motion.h"
#include "result/result.h"

#include <unistd.h>

/* A testbench wheel without friction and inclination: J chi'' = tau - beta chi'. */
static const char wheel_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"center_distance\": 0.08, \"friction\": 0,"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"observables\": [\"energy_error\", \"drive_work\", \"torque_peak\"], "
    "\"trajectories\": {\"instances\": [0], \"interval\": \"50 ms\"}}}";

#define PI 3.14159265358979323846

static const double inertia = 0.006 + 6 * (0.11 * 0.08 * 0.08 + 7e-5);

static char path[64]; /* of the table */

/* Begins a table in a file of its own, which drive() names to the study. */
static inline FILE *begin_table(const char *header) {
  snprintf(path, sizeof path, "/tmp/omniroll-replay-XXXXXX");
  const int file = mkstemp(path);
  cr_assert_geq(file, 0);
  FILE *out = fdopen(file, "w");
  fprintf(out, "%s\n", header);
  return out;
}

static inline void remove_table(void) {
  unlink(path);
}

/* A table of rows h apart from `first` to `last` of a function of time. */
static inline void make_table(const char *header, double first, double last, double h,
                              double (*value)(double t)) {
  FILE *out = begin_table(header);
  const long rows = lrint((last - first) / h);
  for (long r = 0; r <= rows; r++) {
    const double t = first + (last - first) * (double)r / (double)rows;
    fprintf(out, "%.17g,%.17g\n", t, value(t));
  }
  fclose(out);
}

static inline const char *drive(const char *type, const char *interpolation, const char *more) {
  static char set[512];
  snprintf(set, sizeof set,
           "parameters.wheel.drive={\"type\":\"%s\",%s\"replay\":{\"file\":\"%s\","
           "\"interpolation\":\"%s\"}}",
           type, more, path, interpolation);
  return set;
}

static inline double last_sample(const omr_result *r, int quantity) {
  return r->wheel_samples[quantity][r->sample_count - 1];
}

#endif
