#include "keys.h"
#include "motor_sheet.h"

#include "../formulas.h"
#include "../measured/log.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NUMBER(n) #n, .number = n
#define SAY(text, n) text, .number = n
#define MUST(example_) "required", .example = example_

#define WHOLE(low_, high_) WHOLE_AS(#low_ " .. " #high_, low_, high_)
#define WHOLE_AS(text, low_, high_)                                                                \
  .kind = OMR_KEY_WHOLE, .values = text, .low = low_, .high = high_
#define WHOLE_FROM(low_)                                                                           \
  .kind = OMR_KEY_WHOLE, .values = ">= " #low_, .low = low_, .high = 0x1p53, .open_high = true
#define ABOVE(low_) ABOVE_AS("> " #low_, low_)
#define ABOVE_AS(text, low_)                                                                       \
  .kind = OMR_KEY_QUANTITY, .values = text, .low = low_, .high = OMR_INF, .open_low = true
#define AT_LEAST(low_) .kind = OMR_KEY_QUANTITY, .values = ">= " #low_, .low = low_, .high = OMR_INF
#define WITHIN(low_, high_)                                                                        \
  .kind = OMR_KEY_QUANTITY, .values = #low_ " .. " #high_, .low = low_, .high = high_
#define BELOW(low_, high_)                                                                         \
  .kind = OMR_KEY_QUANTITY, .values = #low_ " .. below " #high_, .low = low_, .high = high_,       \
  .open_high = true
#define ANY_AS(text) .kind = OMR_KEY_QUANTITY, .values = text, .low = -OMR_INF, .high = OMR_INF
#define WORDS(...)                                                                                 \
  .kind = OMR_KEY_WORD, .words = (const char *const[]) {                                           \
    __VA_ARGS__, NULL                                                                              \
  }
#define KINDS(list) .kind = OMR_KEY_WORD, .kinds = list, .count = sizeof list / sizeof *list
#define KINDS_AS(text, list) KINDS(list), .values = text
#define FLAG .kind = OMR_KEY_FLAG, .values = "true, false"
#define TEXT TEXT_AS("text in quotes")
#define TEXT_AS(expected_) .kind = OMR_KEY_TEXT, .values = "text", .expected = expected_
#define NAME_AS(text, expected_) .kind = OMR_KEY_NAME, .values = text, .expected = expected_
#define OTHER(text, json_) .kind = OMR_KEY_OTHER, .values = text, .json = json_

#define SAYS(bounds) .expected = bounds,
#define FOR(models_) .models = models_,
#define LAWS(laws_) .laws = laws_,

#define TYPE_OF(member)                                                                            \
  _Generic(((OF *)0)->member,                                                                      \
           int: OMR_KEY_INT,                                                                       \
           unsigned: OMR_KEY_INT,                                                                  \
           unsigned long: OMR_KEY_SIZE,                                                            \
           double: OMR_KEY_DOUBLE,                                                                 \
           bool: OMR_KEY_BOOL,                                                                     \
           char *: OMR_KEY_STRING)
#define TO(member) .type = TYPE_OF(member), .offset = offsetof(OF, member),
#define TO_NOT(member) .type = OMR_KEY_NOT, .offset = offsetof(OF, member),

#define X(id, name_, unit_, standard_, takes, to, meaning_)                                        \
  {.name = name_, .unit = unit_, .standard = standard_, takes, to.meaning = meaning_},

/* The struct that takes the values of each section. */
#define SECTION(id, name, type) typedef type name##_values;
#include "../../lists/sections.def"
#undef SECTION

#define LIST study
#include "key_rows.h"
#define LIST words
#include "key_rows.h"
#define LIST vary
#include "key_rows.h"
#define LIST variable
#include "key_rows.h"
#define LIST objective
#include "key_rows.h"
#define LIST design
#include "key_rows.h"
#define LIST data
#include "key_rows.h"
#define LIST data_run
#include "key_rows.h"
#define LIST data_measured
#include "key_rows.h"
#define LIST data_unknown
#include "key_rows.h"
#define LIST calibrate
#include "key_rows.h"
#define LIST excite
#include "key_rows.h"
#define LIST integrator
#include "key_rows.h"
#define LIST output
#include "key_rows.h"
#define LIST trajectories
#include "key_rows.h"
#define LIST criterion
#include "key_rows.h"
#define LIST derived
#include "key_rows.h"
#define LIST ask
#include "key_rows.h"
#define LIST statistics
#include "key_rows.h"
#define LIST stop
#include "key_rows.h"
#define LIST engine
#include "key_rows.h"
#define LIST made_of
#include "key_rows.h"
#define LIST replay
#include "key_rows.h"
#define LIST replay_column
#include "key_rows.h"
#define LIST motor_sheet
#include "key_rows.h"
#undef X

const omr_key_list omr_key_lists[OMR_SECTIONS] = {
#define SECTION(id, name_, type)                                                                   \
  [OMR_SECTION_##id] = {#name_, name_##_keys, sizeof name_##_keys / sizeof *name_##_keys},
#include "../../lists/sections.def"
#undef SECTION
};

const omr_key *omr_find_key(omr_section section, const char *name) {
  const omr_key_list *list = &omr_key_lists[section];
  for (int k = 0; k < list->count; k++)
    if (strcmp(list->keys[k].name, name) == 0) return &list->keys[k];
  return NULL;
}

const char *omr_key_word(const omr_key *key, int index) {
  if (key->kinds) return index < key->count ? key->kinds[index].name : NULL;
  for (int i = 0; key->words && i < index; i++)
    if (!key->words[i]) return NULL;
  return key->words ? key->words[index] : NULL;
}

const char *omr_key_values(const omr_key *key, char *buffer, size_t size) {
  if (key->values) return key->values;

  /* A list of words names them all. */
  *buffer = '\0';
  for (int i = 0; omr_key_word(key, i); i++)
    omr_print_more(buffer, size, "%s%s", i ? ", " : "", omr_key_word(key, i));
  return buffer;
}
