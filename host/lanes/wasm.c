/* The kernels for one instance as a WebAssembly module, in double and with settings as variables:
 * what a general scalar object is to the processor. Built by cmake/wasm.cmake for each class of
 * laws; it needs no C library. */
#include <stddef.h>

#include "exact_fma.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* What the compiler calls. */
double fma(double a, double b, double c);
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);

__attribute__((noinline)) double fma(double a, double b, double c) {
  return fma_exact(a, b, c);
}

__attribute__((no_builtin)) void *memcpy(void *to, const void *from, size_t size) {
  for (size_t i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
  return to;
}

__attribute__((no_builtin)) void *memset(void *to, int value, size_t size) {
  for (size_t i = 0; i < size; i++) ((char *)to)[i] = (char)value;
  return to;
}

#define OMR_LANES 1
#define OMR_SINGLE 0
#include "../../kernels/all.cl"

/* As kernels/entry.h has them, for a batch of one; the caller lays the columns into the memory from
 * __heap_base on. */
EXPORT(advance)
void omr_wasm_advance(const double *params, double *state, double *spins, const double *tables,
                      const int *settings, double step, double until) {
  const launch_buffers buffers = {params, state, spins, tables, settings, 1};
  advance_pack(buffers, step, until, 0);
}

EXPORT(sample)
void omr_wasm_sample(const double *params, const double *state, const double *tables,
                     const int *settings, double step, double *samples) {
  sample_pack(params, state, tables, settings, step, samples, 1, 0);
}

/* The fused multiply-add alone, for tests. */
EXPORT(fma)
double omr_wasm_fma(double a, double b, double c) {
  return fma(a, b, c);
}
