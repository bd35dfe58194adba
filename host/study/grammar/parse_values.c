#include "hints.h"
#include "reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

omr_status omr_fail_memory(omr_reader *reader) {
  return omr_fail(reader->error, OMR_ERR_MEMORY, "%s: out of memory while reading the study",
                  reader->json.name);
}

omr_status omr_read_object(omr_reader *reader, const cJSON *parent, const char *key,
                           const cJSON **object) {
  *object = parent ? omr_json_get(parent, key) : NULL;
  if (*object && !cJSON_IsObject(*object))
    return OMR_MISTAKEN(reader, *object, OMR_MISTAKE_TYPE, "expected an object: \"%s\": {...}",
                        key);
  return OMR_OK;
}

omr_status omr_require_array(omr_reader *reader, const cJSON *item, int least, const char *of) {
  if (!cJSON_IsArray(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected a list of %s: [...]", of);
  const int size = cJSON_GetArraySize(item);
  if (size < least)
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE, "has %d %s; at least %d needed", size, of,
                        least);
  return OMR_OK;
}

enum { LONG_LIST = 9 }; /* more words than a message should hold besides a better answer */

static void print_words(omr_text *text, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) omr_text_print(text, "%s\"%s\"", i ? ", " : "", words[i]);
}

omr_status omr_read_word(omr_reader *reader, const cJSON *item, const char *const *words,
                         size_t count, int *choice) {
  const char *word = cJSON_GetStringValue(item);
  for (size_t i = 0; word && i < count; i++) {
    if (strcmp(word, words[i]) == 0) {
      *choice = (int)i;
      return OMR_OK;
    }
  }

  /* The word is unknown: a hint or a near word helps, and a short list is printed whole. */
  omr_text list = {0}, help = {0};
  print_words(&list, words, count);
  const char *near = word ? omr_nearest(word, words, count) : NULL,
             *hint = word ? omr_word_hint(word, words, count) : NULL;
  if (hint || near)
    omr_text_print(&help, hint ? "%s" : "did you mean \"%s\"?", hint ? hint : near);
  else
    omr_text_print(&help, "there is: %s", list.data);
  if ((hint || near) && count <= LONG_LIST) omr_text_print(&help, " (there is: %s)", list.data);

  omr_status status;
  if (list.failed || help.failed)
    status = omr_fail_memory(reader);
  else if (!word)
    status = OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected one of %s", list.data);
  else
    status = OMR_MISTAKEN(reader, item, OMR_MISTAKE_WORD, "unknown word \"%.200s\"; %s", word,
                          help.data);
  omr_text_free(&list);
  omr_text_free(&help);
  return status;
}

omr_status omr_read_choice(omr_reader *reader, const cJSON *parent, const char *key,
                           const char *const *words, size_t count, int *choice) {
  const cJSON *item = parent ? omr_json_get(parent, key) : NULL;
  return item ? omr_read_word(reader, item, words, count, choice) : OMR_OK;
}

omr_status omr_read_flag(omr_reader *reader, const cJSON *item, bool *value) {
  if (!cJSON_IsBool(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected true or false");
  *value = cJSON_IsTrue(item);
  return OMR_OK;
}

omr_status omr_read_bool(omr_reader *reader, const cJSON *parent, const char *key, bool *value) {
  const cJSON *item = parent ? omr_json_get(parent, key) : NULL;
  return item ? omr_read_flag(reader, item, value) : OMR_OK;
}

omr_status omr_read_whole(omr_reader *reader, const cJSON *item, double low, double high,
                          double *value) {
  if (!cJSON_IsNumber(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected a whole number from %.17g to %.17g", low, high);
  *value = cJSON_GetNumberValue(item);
  const bool whole = *value == rint(*value);
  if (!(*value >= low && *value <= high) || !whole)
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE,
                        "is %.*g; expected a whole number from %.17g to %.17g",
                        whole ? 17 : omr_digits_apart(*value, rint(*value), 9), *value, low, high);
  return OMR_OK;
}

omr_status omr_read_time(omr_reader *reader, const cJSON *item, double *seconds) {
  OMR_TRY(omr_read_quantity(reader, item, "s", seconds));
  if (!(*seconds > 0))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE, "is %.9g s; it must be above 0", *seconds);
  return OMR_OK;
}

omr_status omr_require(omr_reader *reader, const cJSON *parent, const char *key,
                       const char *example, const cJSON **item) {
  *item = omr_json_get(parent, key);
  if (*item) return OMR_OK;
  return omr_json_missing(&reader->json, parent, key, example, reader->error);
}

omr_status omr_require_whole_steps(omr_reader *reader, const cJSON *item, const char *what,
                                   double time, uint64_t *steps) {
  const double step = reader->study->time.step, count = rint(time / step);
  *steps = 0;
  if (omr_controls_steps(reader->study)) return OMR_OK;

  /* A double counts steps exactly up to 2^53. */
  if (count > 0x1p53)
    return OMR_REFUSE(reader, item,
                      "%s of %.9g s takes %.3g steps of %.9g s; at most 2^53 can be counted", what,
                      time, count, step);

  /* The quotient may miss a whole number by rounding only. */
  const int digits = omr_digits_apart(time, step, 9);
  if (time < step)
    return OMR_REFUSE(reader, item,
                      "%s of %.*g s is shorter than the step of %.*g s; the nearest is %.*g s, or "
                      "shorten integrator.step%s",
                      what, digits, time, digits, step, digits, step,
                      step > 0.01 ? ", which is rather \"0.2 ms\"" : "");
  if (count < 1 || fabs(time - count * step) > 1e-9 * time)
    return OMR_REFUSE(
        reader, item,
        "%s of %.12g s is not a whole number of steps of %.12g s; the nearest is %.12g s", what,
        time, step, fmax(count, 1) * step);

  *steps = (uint64_t)count;
  return OMR_OK;
}

static omr_status read_row(omr_reader *reader, const cJSON *row, const char *const *units,
                           omr_table *table) {
  const size_t columns = table->columns + 1;
  if (!cJSON_IsArray(row) || (size_t)cJSON_GetArraySize(row) != columns)
    return OMR_REFUSE(reader, row, "expected a row of %zu numbers, the time first", columns);

  /* Times ascend strictly from row to row. */
  const cJSON *cell = row->child;
  double *value = table->value + table->rows * table->columns;
  OMR_TRY(omr_read_quantity(reader, cell, units[0], &table->time[table->rows]));
  const double *time = &table->time[table->rows];
  if (table->rows > 0 && !(*time > time[-1])) {
    const int digits = omr_digits_apart(*time, time[-1], 9);
    return OMR_REFUSE(reader, cell, "time %.*g s does not come after %.*g s; times must ascend",
                      digits, *time, digits, time[-1]);
  }

  for (size_t column = 0; column < table->columns; column++) {
    cell = cell->next;
    OMR_TRY(omr_read_quantity(reader, cell, units[column + 1], &value[column]));
  }
  return OMR_OK;
}

omr_status omr_read_table(omr_reader *reader, const cJSON *item, const char *const *units,
                          omr_table *table) {
  OMR_TRY(omr_require_array(reader, item, 2, "rows"));
  const size_t rows = (size_t)cJSON_GetArraySize(item);
  free(table->time);
  free(table->value);
  table->rows = 0;
  table->time = calloc(rows, sizeof *table->time);
  table->value = calloc(rows, table->columns * sizeof *table->value);
  if (!table->time || !table->value) return omr_fail_memory(reader);
  const cJSON *row;
  cJSON_ArrayForEach(row, item) {
    OMR_TRY(read_row(reader, row, units, table));
    table->rows++;
  }
  return OMR_OK;
}
