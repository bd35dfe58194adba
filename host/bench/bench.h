/* `omniroll bench`: instance-steps per second of this machine's backends, held against the peak of
 * the hardware, which the same run measures. */
#ifndef OMR_BENCH_H
#define OMR_BENCH_H

#include "../engine/peak.h"
#include "../study/study.h"

/* X(ENUM, "name", "heading", "head of the ratio's column") */
#define OMR_BENCH_SECTIONS(X)                                                                      \
  X(BACKENDS, "backends", "Backends, instruction sets, lane widths and precisions", "x scalar")    \
  X(THREADS, "threads", "Threads", "efficiency")                                                   \
  X(INSTANCES, "instances", "Number of instances", "of best")                                      \
  X(ROLLERS, "rollers", "Rollers per wheel, wheels at 10 rad/s, steps of 0.1 ms", "time / 4")      \
  X(WHEELS, "wheels", "Number of wheels", "time / 3")                                              \
  X(LAWS, "laws", "Laws of contact, rollers cut", "time / first")                                  \
  X(METHODS, "methods", "Methods of integration", "time / rk4")                                    \
  X(NUMERICS, "numerics", "Numerics", "x exact")                                                   \
  X(TRACKING, "tracking", "Contact tracking, testbench of source 1", "time / explicit")            \
  X(ACCURACY, "accuracy", "Accuracy per cost: 4 x 9 rollers, body control every 1 ms, 2 s", "")

typedef enum omr_bench_section {
#define X(id, ...) OMR_BENCH_##id,
  OMR_BENCH_SECTIONS(X)
#undef X
      OMR_BENCH_SECTION_COUNT
} omr_bench_section;

typedef struct omr_bench_section_info {
  const char *name, *heading, *ratio;
} omr_bench_section_info;
extern const omr_bench_section_info omr_bench_sections[OMR_BENCH_SECTION_COUNT];

extern const char *const omr_bench_backends[4]; /* [omr_backend_kind], "auto" first */
extern const char *const omr_bench_precisions[2];

typedef struct omr_bench_request {
  unsigned sections;        /* a bit for each; 0: all */
  omr_backend_kind backend; /* auto: all of them in section backends, elsewhere a GPU or openmp */
  const char *device;       /* instruction set, or an OpenCL device; NULL: any */
  bool one_precision;       /* otherwise both in sections backends and threads, elsewhere double */
  omr_precision precision;
  int threads;               /* 0: all */
  size_t instances;          /* of a row that does not vary them; 0: chosen to fill the device */
  int rounds;                /* 0: chosen */
  double seconds;            /* integrating time of a row over all rounds; 0: chosen */
  bool quick;                /* fewer rows, shorter */
  omr_progress_fn *progress; /* counts measurements; NULL allowed; returning false stops */
  void *progress_user;
} omr_bench_request;

/* Unknown numbers are NaN or -1, unknown texts "". */
typedef struct omr_bench_row {
  omr_bench_section section;
  char name[64], backend[16], device[256], isa[16], numerics[8], precision[8];
  char kernels[128]; /* as omr_run_record */
  int lanes, threads;
  char model[32];
  int wheels, rollers;
  char law[32], method[32], exchange[16];
  bool observers;
  size_t instances;
  double steps, seconds, spread, steps_per_second; /* instance-steps, integrating time of the best
                                                      round, worst's time / best's */
  double operations_per_step, flops, peak_flops, fraction_of_peak, bytes_per_step, build_seconds,
      transfer_seconds;
  double ratio;     /* to the row that its section compares with */
  double deviation; /* of the motion from the first row of its section, where all are to move alike;
                       0: the same bits */
  int registers, spill_bytes, private_bytes;
  char error[400]; /* why there are no numbers */
} omr_bench_row;

/* Measured before and after all rows; rows are held against the larger value. */
typedef struct omr_bench_peak {
  char backend[16], device[256], isa[16], precision[8];
  int lanes, threads;
  double fma_flops, copy_bytes; /* the larger; NaN where the device failed */
  double fma_first, fma_last;
  char error[400];
} omr_bench_peak;

typedef struct bench_accuracy bench_accuracy; /* accuracy.c */

struct omr_bench {
  char processor[128], os[160], date[32], compiler[64];
  int cores, threads;
  double wall_seconds;
  omr_bench_peak *peaks;
  size_t peak_count;
  omr_bench_row *rows;
  size_t row_count;
  bench_accuracy *accuracy; /* owned; NULL: not requested */
};

/* A row that cannot be measured keeps its message; errors are wrong options, lack of memory and an
 * interruption. omr_bench_release releases the bench. */
omr_status omr_bench_run(const omr_bench_request *options, omr_bench *bench, omr_error *error);
void omr_bench_release(omr_bench *bench);

/* Bits of the sections in a list separated by commas. */
omr_status omr_bench_parse_sections(const char *list, unsigned *sections, omr_error *error);

/* Whether first and last peaks (by 10 %), or the rounds of half of the rows (by 15 %), differ so
 * much that the machine did other work. */
bool omr_bench_was_busy(const omr_bench *bench);

#endif
