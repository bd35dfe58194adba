/* Measures the peak of the processor's cores. */
#define _GNU_SOURCE /* _SC_LEVEL3_CACHE_SIZE */
#include "../lanes/lanes.h"
#include "../support/team.h"
#include "backend.h"
#include "peak.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE ((size_t)2 << 20)
#define TRY_SECONDS 5e-4 /* of a try, shorter than a time slice of other work; the best counts */
#define LEAST_TRIES 8
#define LEAST_BYTES 64e6  /* least size of the copied arrays ... */
#define CACHE_MULTIPLE 2  /* ... or this multiple of the last cache ... */
#define MEMORY_SHARE 0.05 /* ... but at most this share of the memory */

/* The flop/s of all threads together. Every thread times its own chains, all at once, so delays at
 * a thread's start do not count. *shortest: seconds of the first thread to finish. Checks the
 * chains' limit, so no operation can be skipped. */
static double rate_of_rounds(const omr_lane_object *o, int threads, int rounds, double *shortest,
                             bool *right) {
  double rate = 0, least = HUGE_VAL;
  int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : rate, wrong) reduction(min : least)
  {
#pragma omp barrier
    const double start = omr_seconds();
    const double sum = o->peak(1e-3, 0.5, 0.5, rounds);
    least = fmax(omr_seconds() - start, 1e-9);
    rate += o->peak_operations * rounds / least;
    wrong += !(fabs(sum - o->peak_chains) < 1e-3);
  }

  *shortest = least;
  *right = *right && !wrong;
  return rate;
}

static omr_status measure_fma(const omr_lane_object *o, int threads, double seconds, omr_peak *peak,
                              omr_error *error) {
  const double end = omr_seconds() + seconds;
  int rounds = 100;
  bool right = true;
  double took;
  for (; rounds < 1 << 28; rounds *= 2) {
    rate_of_rounds(o, threads, rounds, &took, &right);
    if (took > TRY_SECONDS) break;
  }
  for (int i = 0; i < LEAST_TRIES || omr_seconds() < end; i++)
    peak->fma_flops = fmax(peak->fma_flops, rate_of_rounds(o, threads, rounds, &took, &right));
  if (!right)
    return omr_fail(error, OMR_ERR_SELFTEST,
                    "%s: the chains of fused multiply-adds do not reach their limit", o->isa);
  return OMR_OK;
}

static double array_bytes(void) {
  double bytes = LEAST_BYTES,
         most = MEMORY_SHARE * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
#ifdef _SC_LEVEL3_CACHE_SIZE
  bytes = fmax(bytes, CACHE_MULTIPLE * (double)sysconf(_SC_LEVEL3_CACHE_SIZE));
#endif
  return fmin(bytes, most);
}

/* Uses large pages where the system has them: small ones would cost it more than the copies do. */
static char *array(size_t bytes) {
  char *made = aligned_alloc(LARGE_PAGE, (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
#ifdef MADV_HUGEPAGE
  if (made) madvise(made, bytes, MADV_HUGEPAGE);
#endif
  return made;
}

/* Copies with every thread on the packs that it touched first. */
static double time_copy(const omr_lane_object *o, int threads, const char *from, char *to,
                        size_t packs) {
  double start = omr_seconds();
#pragma omp parallel num_threads(threads)
  {
    const size_t n = (size_t)omp_get_num_threads(), i = (size_t)omp_get_thread_num();
    const size_t first = packs * i / n, last = packs * (i + 1) / n;
    o->copy(from + first * o->pack_bytes, to + first * o->pack_bytes, last - first);
  }
  return fmax(omr_seconds() - start, 1e-9);
}

static omr_status measure_copy(const omr_lane_object *o, int threads, double seconds,
                               omr_peak *peak, omr_error *error) {
  const size_t packs = (size_t)array_bytes() / o->pack_bytes;
  char *from = array(packs * o->pack_bytes), *to = array(packs * o->pack_bytes);
  if (!from || !to) {
    free(from);
    free(to);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the arrays of a copy");
  }

/* Each thread touches its own share first, so the pages lie near it. */
#pragma omp parallel num_threads(threads)
  {
    const size_t n = (size_t)omp_get_num_threads(), i = (size_t)omp_get_thread_num();
    const size_t first = packs * i / n * o->pack_bytes, last = packs * (i + 1) / n * o->pack_bytes;
    memset(from + first, 0, last - first);
    memset(to + first, 0, last - first);
  }

  /* The best of the copies counts. */
  const double end = omr_seconds() + seconds;
  double took = time_copy(o, threads, from, to, packs);
  do took = fmin(took, time_copy(o, threads, from, to, packs));
  while (omr_seconds() < end);
  peak->copy_bytes = 2 * (double)packs * (double)o->pack_bytes / took;

  free(from);
  free(to);
  return OMR_OK;
}

omr_status omr_openmp_peak(const char *isa, omr_precision precision, int threads, double seconds,
                           bool copy, omr_peak *peak, omr_error *error) {
  const omr_lane_object *o = omr_lane_object_with_peak(isa, precision == OMR_SINGLE_PRECISION);
  *peak = (omr_peak){0};
  if (!o || !omr_openmp_runs(isa))
    return omr_fail(error, OMR_ERR_DEVICE, "this processor or this build has no instruction set %s",
                    isa);
  peak->lanes = o->lanes;
  peak->threads = threads = omr_team(threads);
  omr_status status = measure_fma(o, threads, seconds, peak, error);
  return status == OMR_OK && copy ? measure_copy(o, threads, seconds, peak, error) : status;
}
