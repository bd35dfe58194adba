#define _GNU_SOURCE /* sysconf's _SC_PHYS_PAGES */
#include "needs.h"
#include "../result/first_rows.h"
#include "../statistics/correlation.h"
#include "../statistics/partial/partial.h"
#include "../statistics/statistics.h"
#include "../study/chunk_rows.h"
#include "chunk_journal.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FILE_BYTES 24576.0     /* an HDF5 file without its datasets */
#define DATASET_BYTES 2048.0   /* a dataset without its values */
#define LARGE_BYTES 65536.0    /* larger datasets are compressed */
#define PACKED_BYTES 1114112.0 /* the packer of a column (hdf5_chunks.c) */
#define BUFFER_BYTES 524288.0  /* HDF5's buffer of a compressed dataset */

/* HDF5's buffer of a dataset: a chunk, where it is large enough to have chunks. */
static double buffer_bytes(double bytes) {
  return bytes > LARGE_BYTES ? fmin(bytes, BUFFER_BYTES) : 0;
}

/* Datasets, values per trajectory, and HDF5's buffers for them, as a result has them. */
static omr_status count_series(const omr_study *study, size_t *datasets, double *values,
                               double *buffers, omr_error *error) {
  static const size_t first = 0;
  const bool traces = omr_study_traces(study);

  /* An empty result has the series of a full one. */
  omr_part empty = omr_part_of(study);
  omr_result *like = NULL;
  empty.rows = 0;
  empty.traced = &first;
  empty.traced_count = traces;
  omr_status status = omr_result_make(&empty, &like, error);
  *datasets = 0;
  *values = *buffers = 0;

  /* Rare series are not counted. */
  for (size_t i = 0; status == OMR_OK && traces && i < omr_result_series_count(like); i++) {
    const omr_series series = omr_result_series(like, i);
    if (!*series.values || series.rare) continue;
    ++*datasets;
    const double size = (double)omr_result_series_size(like, series);
    *values += size;
    *buffers +=
        buffer_bytes(8 * size * (double)(study->traces.count + omr_study_runs_later(study)));
  }

  omr_result_destroy(like);
  return status;
}

static size_t columns_of(const omr_study *study) {
  size_t columns = study->variation_count + omr_observables_in(&study->observables);
  return columns;
}

static double study_bytes(const omr_study *study) {
  double bytes = (double)strlen(study->text) + 8.0 * (double)study->traces.count;
  for (size_t v = 0; v < study->variation_count; v++) {
    const bool listed = omr_design_has_rows(study->design.type);
    bytes += 8.0 * (double)(listed ? study->instances : study->variations[v].levels);
  }
  if (study->sample.strata)
    bytes += 4.0 * (double)study->sample.dimensions * (double)study->sample.points;
  return bytes;
}

/* Bytes of the group /statistics: for each quantity, and where the design is nested for each cell,
 * moments, quantiles and histogram. */
static double statistics_bytes(const omr_needs *n, double columns) {
  const omr_statistics_settings *s = &n->study->statistics;
  const double spread = (double)s->quantile_count + 2 * (double)s->bins + 20;
  return 8 * (double)(n->cells + 1) *
         (columns * spread + 8 * (double)s->criterion_count + OMR_INSTANCE_STATUS_COUNT + columns);
}

/* Rows of the file. */
static double kept_rows(const omr_needs *n) {
  const omr_study *study = n->study;
  if (!study->rows.summed) return (double)n->rows;
  return fmin((double)n->rows, (double)study->rows.sample + (double)study->traces.count);
}

/* While they are computed: held rows and a block of the others; then quantiles of the columns that
 * fit, or ranks. */
static double compute_bytes(const omr_needs *n, double columns) {
  const double rows = kept_rows(n), parameters = (double)n->study->variation_count;
  const double spread = 24 * fmin(rows * fmin(columns, 16), OMR_STATISTICS_MEMORY);
  const int desks = omr_rank_desks((size_t)rows);
  const double ranks =
      fmin(rows, OMR_RANK_ROWS) * (56 * desks + 4 * parameters) + 8 * fmin(rows, 65536) * desks;
  const double held = fmin(rows * n->row_bytes, (double)OMR_HELD_BYTES);
  return held + 8 * 65536 * (columns + parameters) + fmax(spread, ranks);
}

/* Sums of a chunk, packed: bins of the quantiles above all. */
static double partial_bytes(const omr_needs *n, double columns) {
  const double cells = fmin((double)n->cells * columns, OMR_PARTIAL_CELL_NUMBERS);
  const double pairs = columns * (double)n->study->variation_count;
  /* Bins that gave up bits lie close together; 4096 values without equals need 8 bytes each. */
  const double rows = (double)omr_chunk_rows(n->study),
               bins = rows > OMR_SKETCH_BINS ? 3 * OMR_SKETCH_BINS : 8 * rows;
  if (!n->study->rows.summed) return 0;
  return columns * (bins + 200) + cells * (3 * OMR_SKETCH_CELL_BINS + 200) + pairs * 200;
}

static omr_status count_bytes(omr_needs *n, omr_error *error) {
  const omr_study *study = n->study;
  size_t series;
  double buffers;
  omr_status status = count_series(study, &series, &n->values_per_trace, &buffers, error);
  if (status != OMR_OK) return status;

  /* Bytes of a row and of a trajectory. */
  const double columns = (double)columns_of(study), datasets = columns + 3 + (double)series;
  const double row = n->row_bytes = 8 * columns + 8 + 1 + 8,
               trace = n->trace_bytes = 8 * (n->values_per_trace + 1);

  /* The result's file, and the files of its chunks. */
  const double overhead = FILE_BYTES + DATASET_BYTES * datasets;
  const double kept = kept_rows(n), sums = partial_bytes(n, columns);
  const double values = kept * row + (double)n->traced * trace + sums;
  const double text = (double)strlen(study->text);
  const double statistics = statistics_bytes(n, columns);
  n->result_bytes = values + overhead + text + statistics + 40 * DATASET_BYTES;
  n->parts_bytes = values + (double)n->chunks * (overhead + text + sums);

  /* Memory of the writer, of the statistics and of the study. */
  n->memory.writer =
      FILE_BYTES + (columns + 2) * buffer_bytes(8 * kept) + buffer_bytes(kept) + buffers;
  if (8 * kept > LARGE_BYTES)
    n->memory.writer += PACKED_BYTES * fmin(16, 4 * omp_get_max_threads());
  n->memory.statistics = statistics + compute_bytes(n, columns);
  n->memory.study = study_bytes(study) + sizeof(omr_chunk) * (double)n->chunks;
  return OMR_OK;
}

void omr_needs_together(const omr_study *study, size_t rows, omr_needs *n) {
  if (study->rows.summed) rows = omr_piece_rows(study);
  if (rows > n->rows) rows = n->rows;
  n->memory.chunks =
      3 * ((double)rows * n->row_bytes + (double)omr_most_traced(study, rows) * n->trace_bytes);
}

omr_status omr_needs_count(const omr_study *study, const omr_plan *plan, omr_needs *n,
                           omr_error *error) {
  *n = (omr_needs){.study = study, .rows = plan->whole.rows, .free_bytes = (double)NAN};
  if (omr_design_has_cells(study->design.type)) {
    n->per_cell = study->sample.points;
    n->cells = study->instances / study->sample.points;
  }
  n->chunk_rows = plan->chunk_rows;
  n->chunks = plan->chunks;
  n->at_most = plan->ops->take != NULL;
  n->traced = study->traces.count + omr_study_runs_later(study);
  const omr_status status = count_bytes(n, error);
  if (status == OMR_OK) omr_needs_together(study, n->chunk_rows, n);
  return status;
}

double omr_needs_memory(const omr_needs_bytes *m) {
  return m->engine + m->chunks + m->writer + m->statistics + m->study;
}

double omr_machine_memory(void) {
  return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* DISK */

/* Some file systems report nothing; they have no blocks at all. */
static double free_in(const char *folder) {
  struct statvfs disk;
  return statvfs(folder, &disk) == 0 && disk.f_blocks
             ? (double)disk.f_bavail * (double)disk.f_frsize
             : (double)NAN;
}

void omr_needs_look_at_disk(const char *output, omr_needs *n) {
  const char *slash = output ? strrchr(output, '/') : NULL;
  snprintf(n->folder, sizeof n->folder, "%.*s",
           slash ? (slash == output ? 1 : (int)(slash - output)) : 1, slash ? output : ".");
  n->free_bytes = free_in(n->folder);
}

static bool are_on_one_disk(const char *a, const char *b) {
  struct stat of_a, of_b;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev;
}

#define REMEDY                                                                                     \
  "`omniroll plan` shows what the run needs. Ask for fewer instances, observables or "             \
  "trajectories, choose another folder with -o, or begin all the same with --oversize"

static omr_status refuse_disk(const omr_needs *n, double bytes, const char *what,
                              const char *folder, double there, omr_error *error) {
  return omr_fail(error, OMR_ERR_IO,
                  "%s: %zu instances in %zu chunks may need %.3g GB of disk for %s, and %s has "
                  "%.3g GB free. " REMEDY,
                  n->study->name, n->rows, n->chunks, 1e-9 * bytes, what, folder, 1e-9 * there);
}

omr_status omr_needs_check_disk(const omr_needs *n, const char *parts, double share,
                                omr_error *error) {
  struct stat there;
  const bool apart = stat(parts, &there) == 0 && !are_on_one_disk(parts, n->folder);
  const double chunks = share * n->parts_bytes, free_bytes = apart ? free_in(parts) : (double)NAN;
  if (n->at_most) return OMR_OK;
  if (apart && chunks > free_bytes)
    return refuse_disk(n, chunks, "its chunks", parts, free_bytes, error);
  const double here = n->result_bytes + (apart ? 0 : chunks);
  if (here > n->free_bytes)
    return refuse_disk(n, here, apart ? "its result" : "its result and its chunks", n->folder,
                       n->free_bytes, error);
  return OMR_OK;
}

omr_status omr_needs_check_memory(const omr_needs *n, omr_error *error) {
  const double memory = omr_machine_memory(), needed = omr_needs_memory(&n->memory);
  if (!(memory > 0) || needed <= memory) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY,
                  "%s: %zu instances in %zu chunks may need %.3g GB of memory, and this machine "
                  "has %.3g GB. `omniroll plan` shows what the run needs. Ask for fewer instances "
                  "or trajectories, change engine.chunk, or begin all the same with --oversize",
                  n->study->name, n->rows, n->chunks, 1e-9 * needed, 1e-9 * memory);
}

double omr_needs_all_in_memory(const omr_needs *n) {
  omr_needs_bytes bytes = n->memory;
  bytes.writer = 0;
  bytes.chunks = 2 * (kept_rows(n) * n->row_bytes + (double)n->traced * n->trace_bytes);
  return omr_needs_memory(&bytes);
}

omr_status omr_needs_check_all_in_memory(const omr_needs *n, omr_error *error) {
  const double memory = omr_machine_memory(), needed = omr_needs_all_in_memory(n);
  if (!(memory > 0) || needed <= memory) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY,
                  "%s: %zu instances, with their result in memory, may need %.3g GB of memory, and "
                  "this machine has %.3g GB. Run them into a file, which is written a chunk at a "
                  "time, ask for fewer instances or trajectories, or begin all the same with "
                  "--oversize",
                  n->study->name, n->rows, 1e-9 * needed, 1e-9 * memory);
}
