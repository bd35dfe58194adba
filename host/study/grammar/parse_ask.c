/* "output.derived" and "ask": observables by expression, and the ones that the study asks for. */
#include "../formulas.h"
#include "../system/graph_names.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

/* DERIVED OBSERVABLES */

/* An observable by expression as the study writes it; the items are places for messages. */
typedef struct written {
  const char *name;
  const cJSON *at, *expression, *unit, *meaning; /* unit, meaning: NULL where not given */
} written;

/* The columns that an expression may use, numbered as `from` of a formula. */
static void list_terms(const omr_study *study, omr_names *names) {
  omr_names_of_study(study, names);
  for (size_t i = 0; i < names->count; i++) {
    omr_name *name = &names->list[i];
    if (name->absent) continue;
    if (name->column < study->variation_count)
      name->column += OMR_OBS_COUNT;
    else
      for (int j = 0; j < OMR_OBS_COUNT; j++)
        if (omr_study_observes(study, j) &&
            strcmp(omr_study_observable_name(study, j), name->name) == 0)
          name->column = (size_t)j;
  }
  names->columns = OMR_OBS_COUNT + study->variation_count;
}

static omr_status parse_expression(omr_reader *reader, const cJSON *item, const omr_names *names,
                                   omr_expression **expression) {
  omr_error error = {0};
  omr_expression_destroy(*expression);
  const omr_status status = omr_expression_parse(item->valuestring, names, expression, &error);
  if (status == OMR_ERR_STUDY) return OMR_REFUSE(reader, item, "%s", error.message);
  if (status != OMR_OK) return omr_fail_memory(reader);
  if ((*expression)->truth)
    return OMR_REFUSE(reader, item,
                      "\"%s\" is a condition, and an observable is a number; conditions stand in "
                      "statistics.fail",
                      item->valuestring);
  if ((*expression)->column_count <= OMR_FORMULA_TERMS) return OMR_OK;
  return OMR_REFUSE(reader, item, "uses %zu quantities, and an expression may use %d",
                    (*expression)->column_count, OMR_FORMULA_TERMS);
}

/* Reads the expression, and once more with its columns numbered from 0, so that a few values are
 * enough to evaluate it. */
static omr_status read_expression(omr_reader *reader, const cJSON *item, omr_formula *formula) {
  omr_names names;
  list_terms(reader->study, &names);
  omr_status status = names.failed ? omr_fail_memory(reader)
                                   : parse_expression(reader, item, &names, &formula->expression);
  const size_t count = status == OMR_OK ? formula->expression->column_count : 0;
  formula->from = calloc(count + 1, sizeof *formula->from);
  if (status == OMR_OK && !formula->from) status = omr_fail_memory(reader);

  for (size_t t = 0; status == OMR_OK && t < count; t++)
    formula->from[t] = formula->expression->columns[t];
  for (size_t i = 0; status == OMR_OK && i < names.count; i++)
    for (size_t t = 0; t < count; t++)
      if (!names.list[i].absent && names.list[i].column == formula->from[t]) {
        names.list[i].column = t;
        break;
      }
  if (status == OMR_OK) status = parse_expression(reader, item, &names, &formula->expression);
  omr_names_free(&names);
  return status;
}

/* "m/J" in the form of the lists, "m J-1"; a unit that is there already stays. False where it has
 * more than names, powers and strokes. */
static bool spell_unit(const char *given, char *unit, size_t size) {
  size_t length = 0;
  bool below = false;
  unit[0] = '\0';
  while (*given && length < size) {
    if (*given == '/' || *given == ' ') {
      below = below || *given++ == '/';
      continue;
    }
    const size_t name = strcspn(given, "/ ^*().-0123456789"),
                 digits = strspn(given + name, "-0123456789");
    const bool turned = given[name] == '-';
    if (name == 0 || (below && turned)) return false;
    length += (size_t)snprintf(unit + length, size - length, "%s%.*s%s%.*s", length ? " " : "",
                               (int)name, given, below ? "-" : "", digits ? (int)digits : below,
                               digits ? given + name : "1");
    below = false;
    given += name + digits;
  }
  return length > 0 && length < size && !below;
}

/* The unit of the expression, or one that the study gives for it. */
static omr_status read_unit(omr_reader *reader, const cJSON *item, omr_formula *formula) {
  char usual[96], unit[96], text[100], *message = NULL;
  double factor = 0;
  omr_print_usual_unit(formula->expression->unit, usual, sizeof usual);
  if (!item) return (formula->unit = strdup(usual)) ? OMR_OK : omr_fail_memory(reader);

  /* a given unit has the dimension of the expression, and no factor to it */
  if (strcmp(item->valuestring, "1") == 0)
    snprintf(unit, sizeof unit, "1");
  else if (!spell_unit(item->valuestring, unit, sizeof unit))
    return OMR_REFUSE(reader, item,
                      "\"%.60s\" is no unit as it is written here: names with powers, \"m J-1\" or "
                      "\"m/J\"",
                      item->valuestring);
  snprintf(text, sizeof text, "1 %s", unit);
  const bool same = strcmp(unit, usual) == 0,
             fits = same || omr_unit_convert(text, usual, &factor, &message);
  free(message);
  if (!fits)
    return OMR_REFUSE(reader, item,
                      "the expression is in \"%s\", which \"%.60s\" does not fit; give "
                      "that unit, or leave \"unit\" out",
                      usual, item->valuestring);
  if (!same && factor != 1)
    return OMR_REFUSE(reader, item,
                      "\"%.60s\" is %.9g %s, and results are in SI units; write \"%s\", or leave "
                      "\"unit\" out",
                      item->valuestring, factor, usual, usual);
  return (formula->unit = strdup(unit)) ? OMR_OK : omr_fail_memory(reader);
}

static omr_status check_free(omr_reader *reader, const written *w) {
  const omr_study *study = reader->study;
  OMR_TRY(omr_check_given_name(reader, w->at, w->name));
  bool taken = false;
  for (int j = 0; j < OMR_OBS_COUNT; j++)
    taken = taken || (omr_study_can_observe(study, j) &&
                      strcmp(omr_study_observable_name(study, j), w->name) == 0);
  for (size_t v = 0; v < study->variation_count; v++)
    taken = taken || strcmp(study->variations[v].column, w->name) == 0;
  if (taken)
    return OMR_REFUSE(reader, w->at,
                      "\"%s\" is already a quantity of this study; choose another name", w->name);
  if (omr_formula_first(study) + (int)study->formula_count < OMR_OBS_GRAPH_0 + OMR_FORMULA_NAMES)
    return OMR_OK;
  return OMR_REFUSE(reader, w->at,
                    "a study names at most %d observables itself; leave some of them out",
                    OMR_FORMULA_NAMES);
}

/* Appends the observable, which the study keeps from then on. */
static omr_status add_formula(omr_reader *reader, const written *w) {
  omr_study *study = reader->study;
  OMR_TRY(check_free(reader, w));
  if (!omr_grow(&study->formulas, study->formula_count + 1, sizeof *study->formulas))
    return omr_fail_memory(reader);
  omr_formula *formula = &study->formulas[study->formula_count];

  /* The expression is read before the list has the formula, which cannot use itself. */
  *formula =
      (omr_formula){.name = strdup(w->name),
                    .meaning = strdup((w->meaning ? w->meaning : w->expression)->valuestring)};
  omr_status status = formula->name && formula->meaning ? OMR_OK : omr_fail_memory(reader);
  if (status == OMR_OK) status = read_expression(reader, w->expression, formula);
  if (status == OMR_OK) status = read_unit(reader, w->unit, formula);

  const int index = omr_formula_first(study) + (int)study->formula_count++;
  if (status == OMR_OK) omr_observable_add(&study->observables, index);
  return status;
}

static omr_status read_derived(omr_reader *reader, const cJSON *item) {
  written w = {.name = item->string, .at = item, .expression = item};
  if (cJSON_IsObject(item)) {
    OMR_TRY(omr_read_keys(reader, item, OMR_SECTION_DERIVED, NULL));
    w.expression = omr_json_get(item, "expression");
    w.unit = omr_json_get(item, "unit");
    w.meaning = omr_json_get(item, "meaning");
  } else if (!cJSON_IsString(item)) {
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected an expression as text, \"final_x / drive_work\", or an object "
                        "with \"expression\", \"unit\" and \"meaning\"");
  }
  return add_formula(reader, &w);
}

/* ASK */

static bool is_asked(const omr_study *study, int observable) {
  for (size_t i = 0; i < study->ask_count; i++)
    if (study->ask[i].observable == observable) return true;
  return false;
}

static omr_status append(omr_reader *reader, int observable, omr_best best) {
  omr_study *study = reader->study;
  if (!omr_grow(&study->ask, study->ask_count + 1, sizeof *study->ask))
    return omr_fail_memory(reader);
  study->ask[study->ask_count++] = (omr_ask){.observable = observable, .best = best};
  omr_observable_add(&study->observables, observable);
  return OMR_OK;
}

omr_status omr_ask_for(omr_reader *reader, int observable, omr_best best) {
  return is_asked(reader->study, observable) ? OMR_OK : append(reader, observable, best);
}

static omr_status read_best(omr_reader *reader, const cJSON *item, omr_ask *ask) {
  const char *word = cJSON_GetStringValue(item);
  if (!item) return OMR_OK;
  ask->best = OMR_BEST_TARGET;
  if (word && strcmp(word, "smaller") == 0) ask->best = OMR_BEST_SMALLER;
  if (word && strcmp(word, "larger") == 0) ask->best = OMR_BEST_LARGER;
  if (ask->best != OMR_BEST_TARGET) return OMR_OK;

  /* A word that starts like no number is a word misspelt. */
  if (word && !omr_after_number(word))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_WORD,
                        "expected \"smaller\", \"larger\", or a number such as \"2 m\"");
  return omr_read_quantity(reader, item, omr_study_observable(reader->study, ask->observable).unit,
                           &ask->target);
}

static omr_status read_named(omr_reader *reader, const cJSON *item, const cJSON *name) {
  int index = 0;
  OMR_TRY(omr_read_observable(reader, name, name->valuestring, &index));
  if (is_asked(reader->study, index))
    return OMR_REFUSE(reader, item, "\"%s\" is listed twice", name->valuestring);
  return append(reader, index, OMR_BEST_NONE);
}

static omr_status read_entry(omr_reader *reader, const cJSON *item) {
  omr_study *study = reader->study;
  if (cJSON_IsString(item)) return read_named(reader, item, item);
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected an observable's name, or an object such as {\"name\": "
                        "\"path_length\", \"best\": \"larger\"}");
  OMR_TRY(omr_read_keys(reader, item, OMR_SECTION_ASK, NULL));
  const cJSON *name = omr_json_get(item, "name"), *unit = omr_json_get(item, "unit"),
              *meaning = omr_json_get(item, "meaning"),
              *expression = omr_json_get(item, "expression");
  const written w = {name->valuestring, name, expression, unit, meaning};

  /* An expression makes a new observable; any other name is that of one that is there. */
  if (!expression && (unit || meaning))
    return OMR_REFUSE(reader, unit ? unit : meaning,
                      "belongs to \"expression\"; an observable has its unit and meaning already");
  if (expression) {
    OMR_TRY(add_formula(reader, &w));
    OMR_TRY(
        append(reader, omr_formula_first(study) + (int)study->formula_count - 1, OMR_BEST_NONE));
  } else {
    OMR_TRY(read_named(reader, item, name));
  }
  return read_best(reader, omr_json_get(item, "best"), &study->ask[study->ask_count - 1]);
}

/* Without "ask" the study asks for the observables that it lists, in that order. */
static omr_status take_listed(omr_reader *reader, const cJSON *output) {
  const cJSON *item;
  cJSON_ArrayForEach(item, omr_json_get(output, "observables")) {
    int index = 0;
    OMR_TRY(omr_read_observable(reader, item, item->valuestring, &index));
    OMR_TRY(append(reader, index, OMR_BEST_NONE));
  }
  for (size_t i = 0; i < reader->study->formula_count; i++)
    OMR_TRY(omr_ask_for(reader, omr_formula_first(reader->study) + (int)i, OMR_BEST_NONE));
  return OMR_OK;
}

omr_status omr_read_ask(omr_reader *reader, const cJSON *root) {
  const cJSON *output = omr_json_get(root, "output"), *ask = omr_json_get(root, "ask"), *derived,
              *item;
  OMR_TRY(omr_read_object(reader, output, "derived", &derived));
  cJSON_ArrayForEach(item, derived) OMR_TRY(read_derived(reader, item));
  if (!ask) return take_listed(reader, output);
  reader->study->asks = true;
  OMR_TRY(omr_require_array(reader, ask, 1, "observables and expressions"));
  cJSON_ArrayForEach(item, ask) OMR_TRY(read_entry(reader, item));
  return OMR_OK;
}
