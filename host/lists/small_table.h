/* Tables of one small model. Included once for each model, with NAME (its word) and ROWS (the file
 * of its rows) defined; cmake/lists.cmake writes the including file. It has no include guard on
 * purpose. */
#define OMR_JOIN_(a, b) a##b
#define OMR_JOIN(a, b) OMR_JOIN_(a, b)

#define X(...)
#define WORD(...)
#define CHOICE(...)
static const omr_sample_info OMR_JOIN(NAME, _samples)[] = {
#define SAMPLE(id, name, unit, meaning) {name, unit, meaning},
#include ROWS
#undef SAMPLE
};

static const char *const OMR_JOIN(NAME, _sample_ids)[] = {
#define SAMPLE(id, name, unit, meaning) #id,
#include ROWS
#undef SAMPLE
#undef WORD
#undef CHOICE
#define SAMPLE(...)
};

/* Words and choices count in the order of their rows. */
enum {
#define WORD(id, path, under, choice) OMR_JOIN(OMR_JOIN(NAME, _word_), id),
#define CHOICE(...)
#include ROWS
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
#include ROWS
    [OMR_JOIN(OMR_JOIN(NAME, _words), _end)].path = NULL, /* behind the last one */
#undef USES
#undef WORD
#undef CHOICE
};

#undef OMR_JOIN
#undef OMR_JOIN_
#undef SAMPLE
#undef X
#undef NAME
#undef ROWS
