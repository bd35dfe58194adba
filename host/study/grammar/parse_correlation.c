/* Rank correlations between sampled parameters: a Gaussian copula. */
#include "../../../kernels/scalar_math.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

/* The sampled parameter of a path: its dimension. */
static omr_status find_sampled(omr_reader *reader, const cJSON *item, int *dimension) {
  const omr_study *study = reader->study;
  const char *path = cJSON_GetStringValue(item);
  if (!path) return OMR_REFUSE(reader, item, "expected a path such as \"wheel.friction\"");
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    if (strcmp(variation->path, path) != 0) continue;
    *dimension = variation->dimension;
    if (*dimension >= 0) return OMR_OK;
    return OMR_REFUSE(reader, item,
                      "\"%s\" belongs to the grid and is not drawn; only what is drawn correlates",
                      path);
  }

  /* A shared path may have been expanded to the wheels. */
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    if (variation->each_wheel && strncmp(path, "wheel.", 6) == 0 &&
        strcmp(strchr(variation->path, '.') + 1, path + 6) == 0)
      return OMR_REFUSE(reader, item, "\"%s\" is drawn for each wheel; name one of them: \"%s\"",
                        path, variation->path);
  }
  return OMR_REFUSE(reader, item, "\"%.200s\" is not in \"vary\"", path);
}

/* Pearson's correlation of the normal variables whose rank correlation (Spearman's) is rho: 2
 * sin(pi rho / 6). */
static double normal_correlation(double rank) {
  double sine, cosine;
  omr_math_sincos(0.5235987755982988 * rank, &sine, &cosine);
  return 2 * sine;
}

static omr_status read_pair(omr_reader *reader, const cJSON *entry, double *matrix) {
  static const char *const keys[] = {"paths", "rank"};
  const size_t n = reader->study->sample.dimensions;
  const cJSON *paths, *item;
  int i = 0, j = 0;
  double rank;
  if (!cJSON_IsObject(entry))
    return OMR_REFUSE(reader, entry,
                      "expected an object: {\"paths\": [\"...\", \"...\"], \"rank\": 0.6}");

  /* The keys, and the two dimensions that the paths name. */
  OMR_TRY(OMR_CHECK_KEYS(reader, entry, keys));
  OMR_TRY(
      omr_require(reader, entry, "paths", "[\"wheel.friction\", \"wheel.slip_speed\"]", &paths));
  OMR_TRY(omr_require(reader, entry, "rank", "0.6", &item));
  if (!cJSON_IsArray(paths) || cJSON_GetArraySize(paths) != 2)
    return OMR_REFUSE(reader, paths, "expected two paths");
  OMR_TRY(find_sampled(reader, paths->child, &i));
  OMR_TRY(find_sampled(reader, paths->child->next, &j));
  OMR_TRY(omr_read_quantity(reader, item, "1", &rank));

  /* The matrix is symmetric and holds each pair once. */
  if (i == j) return OMR_REFUSE(reader, paths, "a parameter is not correlated with itself");
  if (!(rank > -1 && rank < 1))
    return OMR_REFUSE(reader, item, "a rank correlation of %.9g; it must be between -1 and 1",
                      rank);
  if (matrix[(size_t)i * n + (size_t)j] != 0)
    return OMR_REFUSE(reader, paths, "the correlation of these two is given twice");
  matrix[(size_t)i * n + (size_t)j] = matrix[(size_t)j * n + (size_t)i] = normal_correlation(rank);
  return OMR_OK;
}

static const char *path_of(const omr_study *study, size_t dimension) {
  for (size_t v = 0; v < study->variation_count; v++)
    if (study->variations[v].dimension == (int)dimension) return study->variations[v].path;
  return "";
}

/* Lower triangle in place, row by row; a pivot that is not above zero shows that there are no such
 * variables. */
static omr_status factorise(omr_reader *reader, const cJSON *list, double *matrix) {
  const size_t n = reader->study->sample.dimensions;

  /* Cholesky's factor replaces the lower triangle. */
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      double sum = matrix[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= matrix[i * n + k] * matrix[j * n + k];
      if (i > j) {
        matrix[i * n + j] = sum / matrix[j * n + j];
      } else if (sum > 1e-12) {
        matrix[i * n + i] = __builtin_sqrt(sum);
      } else {
        return OMR_REFUSE(reader, list,
                          "these correlations contradict each other: the matrix is not positive "
                          "definite from \"%s\" on (pivot %.3g); bring some of them nearer to 0",
                          path_of(reader->study, i), sum);
      }
    }
  }

  /* The upper triangle still holds the correlations. */
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++) matrix[i * n + j] = 0;
  return OMR_OK;
}

omr_status omr_read_correlation(omr_reader *reader) {
  omr_sampling *sample = &reader->study->sample;
  const size_t n = sample->dimensions;
  const cJSON *list = omr_json_get(reader->design, "correlation"), *entry;
  if (!list) return OMR_OK;
  OMR_TRY(omr_require_array(reader, list, 1, "correlations"));
  sample->factor = calloc(n * n, sizeof *sample->factor);
  if (!sample->factor) return omr_fail_memory(reader);
  for (size_t i = 0; i < n; i++) sample->factor[i * n + i] = 1;
  cJSON_ArrayForEach(entry, list) OMR_TRY(read_pair(reader, entry, sample->factor));
  return factorise(reader, list, sample->factor);
}
