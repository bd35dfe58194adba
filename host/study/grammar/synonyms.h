/* Users' names of things that a study names otherwise. */
#ifndef OMR_STUDY_SYNONYMS_H
#define OMR_STUDY_SYNONYMS_H

#include <stddef.h>

/* Each of `words`, parted by blanks, is written where `known` may stand; `hint` is the rest of the
 * message. */
typedef struct omr_synonym {
  const char *words, *known, *hint;
} omr_synonym;

/* In place of a word such as a method's or a model's; ends with words that are NULL. The first row
 * that fits counts. */
extern const omr_synonym omr_synonyms_of_words[];
/* In place of a key. */
extern const omr_synonym omr_synonyms_of_keys[];

#endif
