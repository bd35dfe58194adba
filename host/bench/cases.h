/* The configurations that a bench measures. */
#ifndef OMR_BENCH_CASES_H
#define OMR_BENCH_CASES_H

#include "bench.h"

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
  int base;    /* number of the case that it is compared with; -1: none */
  size_t peak; /* what it is held against */
} bench_case;

typedef struct bench_cases {
  bench_case *list;
  size_t count;
  bool failed; /* out of memory */
} bench_cases;

/* What this machine has and the options leave. */
typedef struct bench_machine {
  const char *isas[4]; /* that run here, the widest first */
  int isa_count;
  omr_opencl_info devices[16];
  int device_count;
  int threads;
  bool openmp, scalar, opencl; /* left by the options */
  omr_backend_kind main;       /* of all sections but backends */
  char main_device[16];
} bench_machine;

/* Fails where the options name a device that is not here. */
omr_status bench_machine_find(const omr_bench_options *options, bench_machine *machine, omr_error *error);

/* All cases of the sections asked for; free(cases->list). */
void bench_cases_make(const omr_bench_options *options, const bench_machine *machine, bench_cases *cases);

/* The study that all overrides start from. */
extern const char bench_study[];

/* ---- measure.c: fills the rows of cases first .. last-1, which stay open side by side. */
typedef struct bench_progress {
  const omr_bench_options *options;
  double done, total;
} bench_progress;

omr_status bench_measure(const omr_bench_options *options, const bench_case *cases, size_t count, omr_bench_row *rows,
                         bench_progress *progress, omr_error *error);

/* ---- peaks.c */
/* The peaks that the cases are held against; sets their `peak`. */
bool bench_peaks_list(bench_cases *cases, omr_bench *bench);
void bench_peaks_measure(omr_bench *bench, double seconds, bool last);

/* ---- machine.c */
void bench_describe_machine(omr_bench *bench);

#endif
