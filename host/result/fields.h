/* Members of structures that are variables of a file, or members of an object of JSON. */
#ifndef OMR_FIELDS_H
#define OMR_FIELDS_H

#include "../lists/samples.h"

#include <stddef.h>

typedef enum omr_field_kind {
  OMR_FIELD_NUMBER, /* double */
  OMR_FIELD_COUNT,  /* size_t or uint64_t */
  OMR_FIELD_TRUTH,  /* bool, as 1 or 0 */
  OMR_FIELD_WORD,   /* an enumeration, as its number */
  OMR_FIELD_TEXT,   /* char * */
  OMR_FIELD_LABEL   /* the characters themselves */
} omr_field_kind;

typedef struct omr_field {
  omr_sample_info info;
  omr_field_kind kind;
  size_t at; /* bytes before it in the structure */
} omr_field;

/* A row of fields: its kind, type and member, then name, unit and meaning. */
#define OMR_FIELD(kind, type, member, ...)                                                         \
  { {__VA_ARGS__}, OMR_FIELD_##kind, offsetof(type, member) }

#endif
