/* Tables of one small model. Included once for each model, with NAME (its word), SAMPLES and WORDS
 * (files of its lists) defined; cmake/lists.cmake writes the including file. It has no include
 * guard on purpose. */
#define OMR_JOIN_(a, b) a##b
#define OMR_JOIN(a, b) OMR_JOIN_(a, b)

static const omr_sample_info OMR_JOIN(NAME, _samples)[] = {
#define X(id, name, unit, meaning) {name, unit, meaning},
#include SAMPLES
#undef X
};

static const char *const OMR_JOIN(NAME, _sample_ids)[] = {
#define X(id, name, unit, meaning) #id,
#include SAMPLES
#undef X
};

/* Words and choices count in the order of their rows. */
enum {
#define WORD(id, path, under, choice) OMR_JOIN(OMR_JOIN(NAME, _word_), id),
#define CHOICE(...)
#include WORDS
#undef WORD
#undef CHOICE
  OMR_JOIN(NAME, _words_end)
};

static const omr_small_word OMR_JOIN(NAME, _words)[] = {
#define USES(...)                                                                                  \
  { __VA_ARGS__, -1 }
#define WORD(id, path_, under_, choice)                                                            \
  [OMR_JOIN(OMR_JOIN(NAME, _word_), id)].path = path_,                                             \
                                    [OMR_JOIN(OMR_JOIN(NAME, _word_), id)].under = under_,         \
                                    [OMR_JOIN(OMR_JOIN(NAME, _word_), id)].under_choice = choice,
#define CHOICE(word, id, number, name, uses, meaning)                                              \
  [OMR_JOIN(OMR_JOIN(NAME, _word_), word)].choices[number] = {name, uses, meaning},
#include WORDS
    [OMR_JOIN(OMR_JOIN(NAME, _words), _end)].path = NULL, /* behind the last one */
#undef USES
#undef WORD
#undef CHOICE
};

#undef OMR_JOIN
#undef OMR_JOIN_
#undef NAME
#undef SAMPLES
#undef WORDS
