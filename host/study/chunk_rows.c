#include "chunk_rows.h"

#include "own_names.h"

/* An interruption loses a chunk at most, and a process holds one in memory besides its batch: some
 * seconds of work, not more than 64 MiB of trajectories. */
#define CHUNK_STEPS 5e8
/* Of the reference, which takes seconds or minutes for an instance, a few. */
enum { REFERENCE_ROWS = 16 };
enum { LEAST_ROWS = 1024, MOST_ROWS = 65536, LEAST_TRACED_ROWS = 64, LEAST_STOP_ROWS = 64 };
enum { MOST_SUMMED_CHUNKS = 256 };

size_t omr_trajectory_bytes(const omr_study *study) {
  if (!study->traces.count) return 0;
  const size_t values = omr_small_list_of(study->model)
                            ? (size_t)omr_study_small_samples(study)
                            : (size_t)OMR_VS_COUNT + (size_t)OMR_WS_COUNT * (size_t)study->wheels;
  return omr_study_samples(study) * values * sizeof(double);
}

size_t omr_most_traced(const omr_study *study, size_t rows) {
  size_t most = 0, count = 0;
  for (size_t i = 0; i < study->traces.count; i++) {
    const bool same =
        i && study->traces.instances[i] / rows == study->traces.instances[i - 1] / rows;
    count = same ? count + 1 : 1;
    if (count > most) most = count;
  }
  return most;
}

size_t omr_piece_rows(const omr_study *study) {
  if (study->engine.backend == OMR_BACKEND_REFERENCE) return REFERENCE_ROWS;
  size_t rows = LEAST_ROWS;
  while (rows < MOST_ROWS && (double)rows * (double)study->time.steps < CHUNK_STEPS) rows *= 2;
  if (study->statistics.stop.given) /* looks come at ends of chunks: about a hundred of them */
    while (rows > LEAST_STOP_ROWS && rows * 100 > study->instances) rows /= 2;
  const size_t bytes = omr_trajectory_bytes(study);
  while (rows > LEAST_TRACED_ROWS && bytes &&
         omr_most_traced(study, rows) > OMR_TRAJECTORY_BYTES / bytes)
    rows /= 2;
  return rows;
}

/* Sums of chunks are files of their own, so that their number is bounded: a chunk is a part of the
 * run then, whatever its length. It holds whole blocks of the sums. */
static size_t summed_rows(const omr_study *study, size_t rows) {
  const size_t block = omr_partial_block(study), bytes = omr_trajectory_bytes(study);
  const size_t least = study->instances / MOST_SUMMED_CHUNKS;
  if (rows < least && !study->engine.chunk &&
      !(bytes && omr_most_traced(study, least) > OMR_TRAJECTORY_BYTES / bytes))
    rows = least;
  return (rows + block - 1) / block * block;
}

size_t omr_chunk_rows(const omr_study *study) {
  const size_t rows = study->engine.chunk ? study->engine.chunk : omr_piece_rows(study);
  return study->rows.summed ? summed_rows(study, rows) : rows;
}

size_t omr_chunk_for(const omr_study *study, size_t tasks) {
  const size_t block = study->rows.summed ? omr_partial_block(study) : 1;
  return study->instances / tasks / block * block;
}
