/* The bench for callers that do not know the layout of its tables. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static omr_status choose_backend(const char *word, omr_bench_request *request, omr_error *error) {
  for (int i = 0; word && i < 4; i++) {
    request->backend = (omr_backend_kind)i;
    if (!strcmp(word, omr_bench_backends[i])) return OMR_OK;
  }
  if (!word) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "--backend %s: expected openmp, scalar or opencl (or auto: all of them)", word);
}

static omr_status choose_precision(const char *word, omr_bench_request *request, omr_error *error) {
  request->one_precision = word != NULL;
  if (!word) return OMR_OK;
  request->precision = strcmp(word, "single") ? OMR_DOUBLE : OMR_SINGLE_PRECISION;
  if (!strcmp(word, "single") || !strcmp(word, "double")) return OMR_OK;
  return omr_fail(
      error, OMR_ERR_USAGE,
      "--precision %s: expected double or single (left out: both, in the section backends)", word);
}

static omr_status read_options(const omr_bench_options *options, omr_bench_request *request,
                               omr_error *error) {
  static const omr_bench_options none = OMR_BENCH_OPTIONS_INIT;
  const omr_bench_options *o = options ? options : &none;

  /* Check the size of the caller's struct. */
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_bench_options", error);
  if (status != OMR_OK) return status;

  /* Take over the plain options. */
  *request = (omr_bench_request){.device = o->device,
                                 .threads = o->threads,
                                 .instances = o->instances,
                                 .rounds = o->rounds,
                                 .seconds = o->seconds,
                                 .quick = o->quick,
                                 .progress = o->progress,
                                 .progress_user = o->progress_user};

  /* Words become choices. */
  status = choose_backend(o->backend, request, error);
  if (status == OMR_OK) status = choose_precision(o->precision, request, error);
  if (status == OMR_OK && o->sections)
    status = omr_bench_parse_sections(o->sections, &request->sections, error);
  return status;
}

omr_status omr_bench_check(const omr_bench_options *options, omr_error *error) {
  omr_bench_request request;
  return read_options(options, &request, error);
}

omr_status omr_bench_create(const omr_bench_options *options, omr_bench **bench, omr_error *error) {
  omr_bench_request request;
  *bench = NULL;
  omr_status status = read_options(options, &request, error);
  if (status != OMR_OK) return status;
  omr_bench *made = malloc(sizeof *made);
  if (!made) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_error own = {0}; /* rows take their messages from the error */
  status = omr_bench_run(&request, made, error ? error : &own);
  if (status == OMR_OK)
    *bench = made;
  else
    free(made);
  return status;
}

void omr_bench_destroy(omr_bench *bench) {
  if (!bench) return;
  omr_bench_release(bench);
  free(bench);
}
