/* The keys of the sections of a study as rows: lists/keys/NAME.def. The reader (read_keys.c),
 * `describe`, the schema and the pages print and read these rows, so that a key is one row.
 *
 * X(ID, name, unit, default, takes, to, meaning):
 *
 * `default` is the text of the default; NUMBER(n) is the number n; SAY("text", n) is n, shown as
 * the text; MUST("example") makes the key necessary, with an example for the message.
 *
 * `takes` is WHOLE(low, high) or WHOLE_FROM(low) for whole numbers; ABOVE(low), AT_LEAST(low),
 * WITHIN(low, high) or BELOW(low, high) for numbers in the unit; WORDS("a", "b") or KINDS(list) for
 * words; FLAG; TEXT; NAME_AS(values, expected) for text that is not empty; OTHER(values, schema)
 * for values that a function reads. WHOLE_AS, ABOVE_AS and KINDS_AS begin with the text that people
 * see.
 *
 * `to` is TO(member), a member of the section's struct (lists/sections.def), or nothing where a
 * function of the section's file reads the value. SAYS("...") gives the bounds as a sentence.
 */
#ifndef OMR_STUDY_KEYS_H
#define OMR_STUDY_KEYS_H

#include "../study.h"

typedef enum omr_key_kind {
  OMR_KEY_OTHER, /* read by a function of its own */
  OMR_KEY_WHOLE,
  OMR_KEY_QUANTITY, /* a number in the key's unit, or text with a unit */
  OMR_KEY_WORD,
  OMR_KEY_FLAG,
  OMR_KEY_TEXT,
  OMR_KEY_NAME /* text that is not empty */
} omr_key_kind;

/* Type of the member that takes the value. */
typedef enum omr_key_type {
  OMR_KEY_NOWHERE,
  OMR_KEY_INT,
  OMR_KEY_SIZE,
  OMR_KEY_DOUBLE,
  OMR_KEY_BOOL,
  OMR_KEY_NOT, /* true where the value is false or the first word */
  OMR_KEY_STRING
} omr_key_type;

typedef struct omr_key {
  const char *name, *unit; /* the unit as people see it: "", "1", "s", "the sample's" */
  const char *standard;    /* text of the default */
  double number;           /* of an absent number; words start with the first one */
  const char *example;     /* of a key that has to be there; NULL: it may be left out */
  const char *meaning;
  omr_key_kind kind;
  double low, high; /* of a number */
  bool open_low, open_high;
  const char *const *words; /* the words, ended by NULL */
  const omr_kind *kinds;    /* the words, as a list with meanings */
  int count;                /* of kinds */
  const char *values;       /* how people are told which values the key takes */
  const char *expected;     /* of texts: "the name of a CSV file"; of numbers: their bounds as a
                               sentence, "a limit is above 0" */
  const char *json;         /* the schema, where the kind and bounds do not say it */
  int models;               /* words: flags of the models that have it; 0: all */
  unsigned laws;            /* words: bits of the laws of contact that it belongs to; 0: all */
  omr_key_type type;
  size_t offset;
} omr_key;

/* Sections, and the parts of them that have keys of their own. */
typedef enum omr_section {
#define SECTION(id, ...) OMR_SECTION_##id,
#include "../../lists/sections.def"
#undef SECTION
  OMR_SECTIONS
} omr_section;

typedef struct omr_key_list {
  const char *name; /* as an error names the section: "engine" */
  const omr_key *keys;
  int count;
} omr_key_list;

extern const omr_key_list omr_key_lists[OMR_SECTIONS];

/* The key of a section by its name; NULL: the section has none of the name. */
const omr_key *omr_find_key(omr_section section, const char *name);
/* The values that the key takes, as people are told: of words their list. Returns the text, which
 * is the key's or stands in the buffer. */
const char *omr_key_values(const omr_key *key, char *buffer, size_t size);

/* Values of a rule (lists/rules.def) beside bits of words. */
enum { OMR_GIVEN = 1 << 29, OMR_CHANGED = 1 << 30, OMR_UNCHANGED = OMR_GIVEN | OMR_CHANGED };

/* A rule between two keys of a section. */
typedef struct omr_key_rule {
  omr_section section;
  const char *key;
  unsigned values;
  const char *by;
  unsigned bys;
  const char *why;
} omr_key_rule;

extern const omr_key_rule omr_key_rules[];
extern const int omr_key_rule_count;

/* A word that a key takes, by its number; NULL: it has none of the number. */
const char *omr_key_word(const omr_key *key, int index);

#endif
