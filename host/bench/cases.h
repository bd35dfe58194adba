/* The configurations that a bench measures. */
#ifndef OMR_BENCH_CASES_H
#define OMR_BENCH_CASES_H

#include "../engine/run.h"
#include "bench.h"

#include <cjson/cJSON.h>

enum { BENCH_OVERRIDES = 16, BENCH_OVERRIDE = 400 };

typedef struct bench_case {
  omr_bench_section section;
  char name[64];
  char overrides[BENCH_OVERRIDES][BENCH_OVERRIDE]; /* of the base study */
  int override_count;
  omr_backend_kind backend;
  char device[16]; /* instruction set, or "platform:device" */
  omr_precision precision;
  int threads; /* openmp and scalar */
  bool fast;   /* numerics */
  int base;    /* number of the case that it is compared with; -1: none */
  size_t peak; /* the peak that it is held against */
} bench_case;

typedef struct bench_cases {
  bench_case *list;
  size_t count;
  bool failed; /* out of memory */
} bench_cases;

/* Devices of this machine that the options allow. */
typedef struct bench_machine {
  const char *isas[4]; /* that run here, the widest first */
  int isa_count;
  omr_opencl_info devices[16];
  int device_count;
  int threads;
  bool openmp, scalar, opencl; /* allowed by the options */
  omr_backend_kind main;       /* of all sections but backends */
  char main_device[16];
} bench_machine;

/* Fails where the options name a device that this machine lacks. */
omr_status bench_machine_find(const omr_bench_request *options, bench_machine *machine,
                              omr_error *error);

/* All cases of the requested sections; the caller frees cases->list. */
void bench_cases_make(const omr_bench_request *options, const bench_machine *machine,
                      bench_cases *cases);

/* The base study of all overrides. */
extern const char bench_study[];
/* The base study of section tracking: source 1's testbench as in studies/tracking_compare.json,
 * with cut tips. */
extern const char bench_tracking[];
extern const char bench_testbench[]; /* its parameters */
/* The study of section accuracy: tests/bench/yardstick.json. */
extern const char bench_yardstick[];

/* ---- operations.c */
typedef struct bench_operations bench_operations;
bench_operations *bench_operations_make(void); /* NULL: out of memory */
void bench_operations_free(bench_operations *operations);
/* Useful operations per step of a case, `study` being its study; NaN where they cannot be counted.
 */
double bench_operations_of(bench_operations *operations, const bench_case *c,
                           const omr_study *study);

/* ---- deviation.c */
enum { BENCH_POSE = 3, BENCH_POSES = 64 };
typedef struct bench_poses {
  size_t count; /* instances */
  double value[BENCH_POSE][BENCH_POSES];
} bench_poses;
omr_status bench_poses_run(omr_engine *engine, const omr_study *study, bench_poses *poses,
                           omr_error *error);
double bench_poses_deviation(const bench_poses *poses, const bench_poses *reference);

/* ---- measure.c: fills the rows of the cases, which stay open side by side. */
typedef struct bench_progress {
  const omr_bench_request *options;
  double done, total;
  bench_operations *operations;
} bench_progress;

/* A row of which nothing is known yet. */
omr_bench_row bench_row_unknown(omr_bench_section section);
omr_status bench_measure(const omr_bench_request *options, const bench_case *cases, size_t count,
                         omr_bench_row *rows, bench_progress *progress, omr_error *error);

/* ---- peaks.c */
/* Lists the peaks that the cases are held against and sets each case's `peak`. */
bool bench_peaks_list(bench_cases *cases, omr_bench *bench);
void bench_peaks_measure(omr_bench *bench, double seconds, bool last);

/* ---- tracking.c: the rows of section "tracking" that the reference measures. */
/* Appends a row for each tracking where the options want them; a row that cannot be measured says
 * why. The rows are compared with explicit tracking over the same motion, not by step. */
omr_status bench_tracking_measure(const omr_bench_request *options, omr_bench *bench,
                                  omr_error *error);

/* ---- accuracy.c: vehicle-seconds per second and core at an accuracy, on the yardstick vehicle. */
/* Measures on the machine's main backend. A failed measurement keeps its message in *accuracy;
 * errors are lack of memory and an interruption. The caller frees *accuracy in either case. */
omr_status bench_accuracy_measure(const omr_bench_request *options, const bench_machine *machine,
                                  bench_accuracy **accuracy, omr_error *error);
void bench_accuracy_free(bench_accuracy *accuracy); /* NULL here and below: not measured */
void bench_accuracy_print(const bench_accuracy *accuracy, FILE *out);
cJSON *bench_accuracy_json(const bench_accuracy *accuracy);

/* ---- machine.c */
void bench_describe_machine(omr_bench *bench);

#endif
