/* Which peaks the rows are held against, and measuring them. */
#include "cases.h"

#include "../engine/backend.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IDLE 0.9 /* of the larger peak that the smaller must have on an idle machine */

/* The scalar build, and on x86-64 the baseline set whose fma is emulated, are held against the widest set on the same threads:
 * what the cores could do. */
static const char *peak_isa(const bench_case *c) {
  bool wide = c->backend == OMR_BACKEND_OPENMP;
#if defined(__x86_64__)
  wide = wide && strcmp(c->device, "baseline") != 0;
#endif
  if (wide) return c->device;
  for (size_t i = 0; omr_openmp_isa(i); i++)
    if (omr_openmp_runs(omr_openmp_isa(i))) return omr_openmp_isa(i);
  return c->device;
}

static omr_bench_peak peak_of(const bench_case *c) {
  omr_bench_peak p = {.fma_flops = (double)NAN, .copy_bytes = (double)NAN, .fma_first = (double)NAN, .fma_last = (double)NAN};
  const bool opencl = c->backend == OMR_BACKEND_OPENCL;
  snprintf(p.backend, sizeof p.backend, "%s", opencl ? "opencl" : "openmp");
  snprintf(p.precision, sizeof p.precision, "%s", c->precision == OMR_SINGLE_PRECISION ? "single" : "double");
  if (opencl)
    snprintf(p.device, sizeof p.device, "%s", c->device);
  else
    snprintf(p.isa, sizeof p.isa, "%s", peak_isa(c));
  p.threads = opencl ? 0 : c->threads;
  return p;
}

static bool same(const omr_bench_peak *a, const omr_bench_peak *b) {
  return !strcmp(a->backend, b->backend) && !strcmp(a->device, b->device) && !strcmp(a->isa, b->isa) &&
         !strcmp(a->precision, b->precision) && a->threads == b->threads;
}

bool bench_peaks_list(bench_cases *cases, omr_bench *bench) {
  bench->peaks = calloc(cases->count + 1, sizeof *bench->peaks);
  if (!bench->peaks) return false;
  for (size_t i = 0; i < cases->count; i++) {
    const omr_bench_peak p = peak_of(&cases->list[i]);
    size_t at = 0;
    while (at < bench->peak_count && !same(&bench->peaks[at], &p)) at++;
    if (at == bench->peak_count) bench->peaks[bench->peak_count++] = p;
    cases->list[i].peak = at;
  }
  return true;
}

/* `device` is the number that OpenCL knows it by until the last measurement, which puts its name there. */
void bench_peaks_measure(omr_bench *bench, double seconds, bool last) {
  for (size_t i = 0; i < bench->peak_count; i++) {
    omr_bench_peak *p = &bench->peaks[i];
    const omr_precision precision = strcmp(p->precision, "single") ? OMR_DOUBLE : OMR_SINGLE_PRECISION;
    omr_peak found = {0};
    omr_error error = {0};
    const bool opencl = !strcmp(p->backend, "opencl");
    omr_status status = opencl ? omr_opencl_peak(p->device, precision, seconds, !last, &found, &error)
                               : omr_openmp_peak(p->isa, precision, p->threads, seconds, !last, &found, &error);
    if (last && opencl && found.device[0]) snprintf(p->device, sizeof p->device, "%s", found.device);
    if (status != OMR_OK) {
      snprintf(p->error, sizeof p->error, "%.399s", error.message);
      continue;
    }
    p->lanes = found.lanes;
    p->threads = found.threads;
    if (last)
      p->fma_last = found.fma_flops;
    else
      p->fma_first = found.fma_flops;
    p->fma_flops = fmax(p->fma_flops, found.fma_flops); /* fmax leaves NaN aside */
    p->copy_bytes = fmax(p->copy_bytes, found.copy_bytes);
  }
}

bool omr_bench_was_busy(const omr_bench *bench) {
  for (size_t i = 0; i < bench->peak_count; i++) {
    const omr_bench_peak *p = &bench->peaks[i];
    if (fmin(p->fma_first, p->fma_last) < IDLE * fmax(p->fma_first, p->fma_last)) return true;
  }
  return false;
}
