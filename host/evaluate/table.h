/* Candidates as they are given: rows of values and words for paths, and their groups, which have
 * the same words and so one study. */
#ifndef OMR_EVALUATE_TABLE_H
#define OMR_EVALUATE_TABLE_H

#include "../study/study.h"
#include "../support/tree.h"

typedef struct omr_candidate_table {
  cJSON *paths, *rows; /* texts; lists of numbers and texts, as a study has them */
  size_t count, columns;
  size_t *group; /* [count] */
  size_t groups;
  char **refused; /* [count] why a candidate makes no vehicle; NULL: it makes one */
} omr_candidate_table;

/* From values [count][variables] of the study's variables. Each of these makes a table for
 * omr_table_free, also after a failure. */
omr_status omr_table_of_values(const omr_study *study, const double *values, size_t count,
                               omr_candidate_table *table, omr_error *error);
omr_status omr_table_of_file(const omr_study *study, const char *path, omr_candidate_table *table,
                             omr_error *error);
/* From copies of the rows and paths of a study (paths NULL: its variables; rows NULL: one candidate
 * without values). */
omr_status omr_table_of_rows(const omr_study *study, const cJSON *paths, const cJSON *rows,
                             omr_candidate_table *table, omr_error *error);
/* Adds columns for the words in which the studies of the groups differ, from their texts [groups];
 * false: out of memory. */
bool omr_table_add_words(omr_candidate_table *table, const char *const *texts);
/* Counts rows and columns, with room for the values of each row; false: out of memory. */
bool omr_table_count(omr_candidate_table *table);
/* The word at a path of "parameters" in a study; NULL: it has none there. */
const char *omr_table_word_at(const cJSON *root, const char *path);
void omr_table_free(omr_candidate_table *table); /* all zero is allowed */

/* Whether column c has words that tell studies apart. */
bool omr_table_is_word(const omr_candidate_table *table, size_t column);
/* The changes that make the study of a group, or of one of its candidates alone (only; SIZE_MAX: of
 * all), as overrides. Candidates that are refused are left out. The caller frees each text and the
 * list. */
omr_status omr_table_overrides(const omr_candidate_table *table, size_t group, size_t only,
                               omr_text *texts, size_t *count, omr_error *error);
enum { OMR_TABLE_OVERRIDES = 64 };

#endif
