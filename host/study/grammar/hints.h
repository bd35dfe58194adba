/* Answers to words and keys of a study that are not known there, but mean something known. NULL
 * where there is none. */
#ifndef OMR_STUDY_HINTS_H
#define OMR_STUDY_HINTS_H

#include <stdbool.h>
#include <stddef.h>

/* For a word in place of one of these. */
const char *omr_word_hint(const char *word, const char *const *known, size_t count);
/* For a key in an object that knows these. */
const char *omr_key_hint(const char *key, const char *const *known, size_t count);
/* For a key that is the name of a whole path (wheel_friction, platform.mass, integrator.step) in an
 * object that knows the path's first part: where it is to be written, in `text`; false for none. */
bool omr_path_hint(const char *key, const char *const *known, size_t count, char *text,
                   size_t size);
/* Whether a key is another word for `name`, or the name itself. */
bool omr_key_means(const char *key, const char *name);

/* Users' names of things that a study names otherwise. */

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
