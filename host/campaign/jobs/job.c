/* The cost of a job of tasks that share a run. */
#include "job.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Putting together: 400 000 instances of 32 columns took 2.3 s of a core, 0.2 us a value, with
 * reading and writing in memory; rounded up, and a disk of a moderate speed. */
#define SECONDS_PER_VALUE 3e-7
/* Joining sums: 1000 chunks of 1 MB took 11 s, 256 of 0.26 MB 0.85 s. */
#define SECONDS_PER_SUM 1.2e-8
#define BYTES_PER_SECOND 100e6

const char *omr_bytes_text(double count, char text[32]) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; count >= 999.5 && unit < 4; unit++) count /= 1000;
  snprintf(text, 32, "%.3g %s", count, units[unit]);
  return text;
}

const char *omr_duration_text(double seconds, char text[32]) {
  if (seconds < 120)
    snprintf(text, 32, seconds < 10 ? "%.2g s" : "%.0f s", seconds);
  else if (seconds < 7200)
    snprintf(text, 32, "%.0f min", seconds / 60);
  else if (seconds < 172800)
    snprintf(text, 32, "%.1f h", seconds / 3600);
  else
    snprintf(text, 32, "%.1f days", seconds / 86400);
  return text;
}

/* GPUs that a run takes: none where its device is a processor. */
static int count_gpus(const omr_forecast *f) {
  const omr_engine_options *engine = &f->study->engine;
  omr_device_numbers numbers;
  if (strcmp(f->engine.backend, "opencl") != 0 || !omr_opencl_has_gpu(engine->precision)) return 0;
  if (!engine->devices) return 1;
  const omr_status status = omr_opencl_numbers(engine->devices, engine->precision, &numbers, NULL);
  return status == OMR_OK ? (int)numbers.count : 1;
}

/* Threads of the processor, as many as were measured. */
static int count_threads(const omr_forecast *f) {
  if (strcmp(f->engine.backend, "opencl") != 0)
    return f->engine.threads > 0 ? f->engine.threads : 1;
  const int given = f->study->engine.threads;
  return given > 0 ? given : omp_get_max_threads();
}

omr_job omr_job_of(const omr_forecast *f) {
  const omr_needs *n = &f->needs;
  omr_job job = {.tasks = f->tasks > 0 ? f->tasks : 1};
  const size_t tasks = (size_t)job.tasks;
  job.chunks = (n->chunks + tasks - 1) / tasks;
  job.seconds = f->engine.build_seconds + f->rows_seconds * (double)job.chunks / (double)n->chunks;

  /* The chunks are read, the result is written, and each column or sum is looked at. */
  const bool summed = n->study->rows.summed;
  const double looking = summed
                             ? n->parts_bytes * SECONDS_PER_SUM
                             : n->row_bytes / sizeof(double) * (double)n->rows * SECONDS_PER_VALUE;
  job.assembling =
      f->again_seconds + (n->parts_bytes + n->result_bytes) / BYTES_PER_SECOND + looking;
  job.memory = omr_needs_memory(&n->memory);
  job.disk = n->parts_bytes + n->result_bytes;
  job.files =
      n->chunks + 2 * tasks + 2; /* a list and a lock of each task, manifest, another lock */
  job.threads = count_threads(f);
  job.gpus = count_gpus(f);
  return job;
}
