/* A study being read: values, objects and sections by the rows of their keys. Every function fails
 * with file, line and JSON path. */
#ifndef OMR_STUDY_READER_H
#define OMR_STUDY_READER_H

#include "../../lists/frames.h"
#include "../json/json.h"
#include "../own_names.h"
#include "../study.h"
#include "../units/units.h"
#include "keys.h"

#define OMR_TRY(call)                                                                              \
  do {                                                                                             \
    const omr_status omr_try_status = (call);                                                      \
    if (omr_try_status != OMR_OK) return omr_try_status;                                           \
  } while (0)

/* Failures of a reader at an item, as omr_json_fail and omr_json_mistake. */
#define OMR_REFUSE(reader, item, ...)                                                              \
  omr_json_fail(&(reader)->json, item, (reader)->error, __VA_ARGS__)
#define OMR_MISTAKEN(reader, item, kind, ...)                                                      \
  omr_json_mistake(&(reader)->json, item, kind, (reader)->error, __VA_ARGS__)

/* Fails on members of an object that are not in keys[]. */
#define OMR_CHECK_KEYS(reader, item, keys)                                                         \
  omr_json_check_keys(&(reader)->json, item, keys, sizeof(keys) / sizeof *(keys), (reader)->error)

/* A study being read. The items say who gave a value (NULL: nobody, the default stands) and so
 * where an error belongs. */
typedef struct omr_reader {
  omr_json json;
  omr_study *study; /* owned; whatever it holds is released by omr_study_destroy */
  omr_error *error;
  const cJSON *parameters; /* section; NULL if the file has none */
  const cJSON *shared;     /* parameters.wheel; NULL if absent */
  const cJSON *wheels;     /* parameters.wheels, a list of objects, one per wheel; NULL if absent */
  const cJSON *design;     /* section; NULL if absent */
  const cJSON *vehicle_item[OMR_VP_COUNT];
  const cJSON *shared_item[OMR_WP_COUNT];                /* in parameters.wheel */
  const cJSON *wheel_item[OMR_MAX_WHEELS][OMR_WP_COUNT]; /* in parameters.wheels[i], else the
                                                            inherited one of wheel */
  bool shared_drive_typed;                               /* parameters.wheel.drive names a type */
  omr_drive shared_drive;
  const char *values_file; /* design of type table: the result that has its values; NULL: the table
                              is read */
  size_t (*as_written)(const struct omr_reader *reader); /* how many instances the file has without
                              --set, 0: it cannot be read so; NULL: nothing was set */
  const cJSON *measured_run;      /* the run of "data" that is replayed; NULL: there is none */
  const cJSON *measured_interval; /* its interval, or "data" where that is the default */
  const cJSON *replay_item[OMR_MAX_WHEELS], *command_replay_item; /* objects "replay" */
  bool asks_for_goals; /* nothing else is asked, so that objectives are */
  bool mecanum;        /* rectangle layout: inclinations are multiplied by omr_mecanum_sign */
} omr_reader;

/* Words among the parameters (lists/keys/words.def): whether a model has one; reads the keys of an
 * object (NULL: all are absent) that have a place in the study, by their paths after `prefix`, such
 * as "contact."; fails on words in contact that belong to other laws than the study's. */
bool omr_word_belongs(const omr_key *word, omr_model model);
omr_status omr_read_words(omr_reader *reader, const cJSON *object, const char *prefix);
omr_status omr_check_law_words(omr_reader *reader, const cJSON *contact);

/* parse_values.c: single values. */

/* Member that must be an object, or NULL if absent. */
omr_status omr_read_object(omr_reader *reader, const cJSON *parent, const char *key,
                           const cJSON **object);
/* Fails unless the item is an array (of at least `least` members). */
omr_status omr_require_array(omr_reader *reader, const cJSON *item, int least, const char *of);
/* Member `key` as one of `count` words; an absent one leaves *choice. */
omr_status omr_read_choice(omr_reader *reader, const cJSON *parent, const char *key,
                           const char *const *words, size_t count, int *choice);
omr_status omr_read_word(omr_reader *reader, const cJSON *item, const char *const *words,
                         size_t count, int *choice);
/* Member `key` as true or false; an absent one leaves *value. */
omr_status omr_read_bool(omr_reader *reader, const cJSON *parent, const char *key, bool *value);
omr_status omr_read_flag(omr_reader *reader, const cJSON *item, bool *value);
/* A quantity in the unit, as omr_json_quantity. */
static inline omr_status omr_read_quantity(omr_reader *reader, const cJSON *item, const char *unit,
                                           double *value) {
  return omr_json_quantity(&reader->json, item, unit, value, reader->error);
}
/* Whole number from low to high. */
omr_status omr_read_whole(omr_reader *reader, const cJSON *item, double low, double high,
                          double *value);
/* Time above zero, in seconds. */
omr_status omr_read_time(omr_reader *reader, const cJSON *item, double *seconds);
/* Member that must be there. */
omr_status omr_require(omr_reader *reader, const cJSON *parent, const char *key,
                       const char *example, const cJSON **item);
/* Fails unless time is a whole number (at least one) of fixed steps, within 1e-9 of itself; the
 * message names the nearest that is. Where steps are controlled any time will do, and *steps is 0.
 */
omr_status omr_require_whole_steps(omr_reader *reader, const cJSON *item, const char *what,
                                   double time, uint64_t *steps);
/* Rows [time, value, ...] with strictly ascending times; units has table->columns + 1 entries. */
omr_status omr_read_table(omr_reader *reader, const cJSON *item, const char *const *units,
                          omr_table *table);
omr_status omr_fail_memory(omr_reader *reader);

/* read_keys.c: sections by the rows of their keys. */

/* Reads the members of an object (NULL: all are absent) into the section's struct `to`: every key
 * of a row with a place there, an absent one as its default. Fails on other members. */
omr_status omr_read_keys(omr_reader *reader, const cJSON *object, omr_section section, void *to);
/* Fails where a rule between two keys of the section is broken (lists/rules.def). */
omr_status omr_check_rules(omr_reader *reader, const cJSON *object, omr_section section,
                           const void *in);
/* Both of the member of `parent` that has the section's name; *object is NULL where it is absent.
 */
omr_status omr_read_section(omr_reader *reader, const cJSON *parent, omr_section section, void *to,
                            const cJSON **object);
/* Fails on members that are neither keys of the section nor among `more`. */
omr_status omr_check_section(omr_reader *reader, const cJSON *object, omr_section section,
                             const char *const *more, size_t more_count);
/* The value of a row as a number: of a word its index, of a flag 0 or 1. A text is checked. */
omr_status omr_read_value(omr_reader *reader, const cJSON *item, const omr_key *key, double *value);
/* One member by its row: a number, the index of a word; an absent one leaves *value. */
omr_status omr_read_member(omr_reader *reader, const cJSON *object, omr_section section,
                           const char *name, double *value);

/* The kind of mistake of an unknown name: a word that is not in the lists, or one that does not fit
 * the rest of the study, where the study gives the names. */
static inline omr_mistake_kind omr_unknown_name(const omr_study *study) {
  return omr_model_is_own(study->model) ? OMR_MISTAKE_CONFLICT : OMR_MISTAKE_WORD;
}

/* The text behind the number that a text starts with, blanks left out; NULL: it starts with none.
 */
const char *omr_after_number(const char *text);

/* named_files.c: a file's name in a study counts from the study's folder. NULL: out of memory; else
 * the caller frees it. */
char *omr_beside_study(const char *study, const char *file);
/* A table that is not there: which file `path` was looked for, from which folder on. */
omr_status omr_fail_no_table(omr_reader *reader, const cJSON *item, const char *path);

#endif
