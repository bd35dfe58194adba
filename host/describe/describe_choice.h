/* Rows of a description that are chosen: by their names, or by a text that they contain. */
#ifndef OMR_DESCRIBE_CHOICE_H
#define OMR_DESCRIBE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct omr_row_choice {
  const char *const *names; /* a table, a section, a name or a part of one; NULL: by text */
  size_t count;
  bool *found;      /* [count]: whether a row has the name; NULL: nobody wants to know */
  const char *text; /* at the beginning of a word, in any case */
} omr_row_choice;

/* Words of the list of synonyms, from 0 on; NULL past the last. */
const char *omr_synonym(size_t index);
/* The names that stand for a word of the list of synonyms, "NAME, NAME"; NULL where it has none. */
const char *omr_synonyms_of(const char *word);

/* Whether a whole table is chosen by its key, such as "observables", "law" or "integrator". */
bool omr_choice_takes_table(const omr_row_choice *choice, const char *key);

/* Whether a row is chosen: `name` is its name, `of` the list that it belongs to (NULL: none), and
 * texts[count] are its other cells and its meaning. */
bool omr_choice_takes(const omr_row_choice *choice, const char *of, const char *name,
                      const char *const *texts, size_t count);

#endif
