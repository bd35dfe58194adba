/* "variants": several studies in one file. The changes of the chosen one are merged into the study
 * before it is read, so that everything else knows plain studies only. */
#include "../../support/input.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 24 }; /* characters of a name, which is a part of file names and of a table */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* ---- the names */

/* The list of words of the short form, {"path": "contact.law", "values": [...]}; NULL: changes
 * that have names. */
static const cJSON *words_of(const cJSON *variants) {
  return cJSON_IsString(omr_json_get(variants, "path")) ? omr_json_get(variants, "values") : NULL;
}

/* The first of the items that stand for a variant each: a word, or a member with its changes. */
static const cJSON *first_of(const cJSON *variants) {
  const cJSON *words = words_of(variants);
  return words ? words->child : variants->child;
}

static const char *name_of(const cJSON *item) {
  return item->string ? item->string : item->valuestring;
}

static omr_status check_name(const omr_json *json, const cJSON *item, omr_error *error) {
  const char *name = name_of(item);
  const size_t length = strlen(name);
  if (length && length <= LONGEST && !strchr("_-", *name) && strspn(name, letters) == length)
    return OMR_OK;
  return omr_json_mistake(json, item, OMR_MISTAKE_RANGE, error,
                          "\"%.60s\" is no name of a variant, which becomes a part of file names: "
                          "up to %d letters, digits, _ and -, of which the first is a letter or "
                          "digit",
                          name, LONGEST);
}

/* ---- the two forms */

static omr_status check_changes(const omr_json *json, const cJSON *variants, omr_error *error) {
  static const char *const inner[] = {"variants", "variant"};
  for (const cJSON *changes = variants->child; changes; changes = changes->next) {
    OMR_TRY(check_name(json, changes, error));
    if (!cJSON_IsObject(changes))
      return omr_json_mistake(json, changes, OMR_MISTAKE_TYPE, error,
                              "expected the changes that make this variant of the study, such as "
                              "{\"parameters\": {\"contact\": {\"law\": \"ideal_rolling\"}}}");
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
      if (omr_json_get(changes, inner[i]))
        return omr_json_fail(json, omr_json_get(changes, inner[i]), error,
                             "a variant has no variants: give every combination a name and its "
                             "changes in \"variants\" of the study");
  }
  return OMR_OK;
}

static bool is_path(const char *path) {
  const bool named = *path && *path != '.' && path[strlen(path) - 1] != '.';
  return named && !strstr(path, "..") && !strpbrk(path, "[]= ");
}

static omr_status check_words(const omr_json *json, const cJSON *variants, omr_error *error) {
  static const char *const known[] = {"path", "values"};
  const cJSON *path = omr_json_get(variants, "path"), *words = omr_json_get(variants, "values");
  OMR_TRY(omr_json_check_keys(json, variants, known, 2, error));
  if (!is_path(path->valuestring) || strncmp(path->valuestring, "variant", 7) == 0)
    return omr_json_mistake(json, path, OMR_MISTAKE_RANGE, error,
                            "expected the path of a word, as --set has it: "
                            "\"parameters.contact.law\"");
  if (!words)
    return omr_json_missing(json, variants, "values", "[\"saturated_coulomb\", \"ideal_rolling\"]",
                            error);
  if (!cJSON_IsArray(words))
    return omr_json_mistake(json, words, OMR_MISTAKE_TYPE, error, "expected a list of words");

  /* A word is the name of its variant, so each stands there once. */
  for (const cJSON *word = words->child; word; word = word->next) {
    if (!cJSON_IsString(word))
      return omr_json_mistake(json, word, OMR_MISTAKE_TYPE, error,
                              "expected a word in quotes; numbers go into \"vary\": {\"path\": "
                              "..., \"values\": [6, 9]}, other changes get names: \"variants\": "
                              "{\"short\": {...}, ...}");
    OMR_TRY(check_name(json, word, error));
    for (const cJSON *before = words->child; before != word; before = before->next)
      if (strcmp(before->valuestring, word->valuestring) == 0)
        return omr_json_mistake(json, word, OMR_MISTAKE_DUPLICATE, error,
                                "\"%s\" is there twice; remove one", word->valuestring);
  }
  return OMR_OK;
}

static omr_status check_variants(const omr_json *json, const cJSON *variants, omr_error *error) {
  if (!cJSON_IsObject(variants))
    return omr_json_mistake(json, variants, OMR_MISTAKE_TYPE, error,
                            "expected names with the changes of each, {\"NAME\": {...}, ...}, or "
                            "{\"path\": \"parameters.contact.law\", \"values\": [...]}");
  OMR_TRY(cJSON_IsString(omr_json_get(variants, "path")) ? check_words(json, variants, error)
                                                         : check_changes(json, variants, error));
  const cJSON *first = first_of(variants);
  if (first && first->next) return OMR_OK;
  return omr_json_fail(json, variants, error,
                       "two variants are the least that can be set side by side; add one, or write "
                       "its changes into the study and leave \"variants\" out");
}

/* ---- the choice */

/* The names with something between them. */
static void list_names(const cJSON *variants, const char *between, omr_text *to) {
  for (const cJSON *item = first_of(variants); item; item = item->next)
    omr_text_print(to, "%s%s", name_of(item), item->next ? between : "");
}

static omr_status fail_choice(const omr_json *json, const cJSON *variants, const cJSON *chosen,
                              omr_error *error) {
  const char *first = name_of(first_of(variants));
  omr_text names = {0};
  list_names(variants, ", ", &names);
  const char *list = names.data ? names.data : first;
  const omr_status status =
      chosen ? omr_json_mistake(json, chosen, OMR_MISTAKE_WORD, error,
                                "there is no variant \"%.60s\"; there are: %s",
                                cJSON_IsString(chosen) ? chosen->valuestring : "?", list)
             : omr_fail(error, OMR_ERR_USAGE,
                        "%s: has the variants %s, of which one is needed here: --variant %s, or "
                        "--set variant=%s; omniroll run takes all of them",
                        json->name, list, first, first);
  omr_text_free(&names);
  return status;
}

/* A word becomes the changes {"contact": {"law": word}}; NULL when out of memory. */
static cJSON *changes_of(cJSON *variants, cJSON *word) {
  const char *at = omr_json_get(variants, "path")->valuestring;
  cJSON *changes = cJSON_CreateObject(), *inner = changes;
  for (const char *dot; inner && (dot = strchr(at, '.')); at = dot + 1) {
    omr_text key = {0};
    omr_text_add(&key, at, (size_t)(dot - at));
    inner = key.failed ? NULL : cJSON_AddObjectToObject(inner, key.data);
    omr_text_free(&key);
  }
  cJSON_DetachItemViaPointer(cJSON_GetObjectItemCaseSensitive(variants, "values"), word);
  if (inner && cJSON_AddItemToObject(inner, at, word)) return changes;
  cJSON_Delete(word);
  cJSON_Delete(changes);
  return NULL;
}

omr_status omr_take_variant(omr_json *json, omr_error *error) {
  cJSON *variants = cJSON_GetObjectItemCaseSensitive(json->root, "variants");
  const cJSON *chosen = omr_json_get(json->root, "variant"), *item;

  /* A result keeps the name of its variant; on a command line it needs something to choose from. */
  if (!variants && chosen && !omr_json_line(json, chosen))
    return omr_json_fail(json, chosen, error, "the study has no variants; leave --variant out");
  if (!variants) return OMR_OK;
  OMR_TRY(check_variants(json, variants, error));
  for (item = chosen ? first_of(variants) : NULL; item; item = item->next)
    if (cJSON_IsString(chosen) && strcmp(name_of(item), chosen->valuestring) == 0) break;
  if (!item) return fail_choice(json, variants, chosen, error);

  /* Its changes go into the study, the other ones out of it. */
  omr_json_note_origin(json, item);
  cJSON *found = (cJSON *)(uintptr_t)item,
        *changes = words_of(variants) ? changes_of(variants, found)
                                      : cJSON_DetachItemViaPointer(variants, found);
  bool whole = changes && omr_json_drop(json, json->root, variants) &&
               omr_json_merge(json, json->root, changes);
  whole = changes && omr_json_put_away(json, changes) && whole;
  return whole ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", json->name);
}

bool omr_is_choice(const char *assignment) {
  const char *at = assignment + strspn(assignment, " \t\r\n");
  if (strncmp(at, "variant", 7) != 0) return false;
  at += at[7] == 's' ? 8 : 7;
  return strchr("=.[ ", *at) != NULL;
}

omr_status omr_study_variants(const char *path, const char *text, const char *const *overrides,
                              size_t count, char **names, omr_error *error) {
  omr_json json = {0};
  omr_text list = {0};
  char *read = NULL;
  size_t length = text ? strlen(text) : 0;
  *names = NULL;

  /* The text, with the assignments that are about variants. */
  omr_status status = text ? OMR_OK : omr_check_study_file(path, error);
  if (status == OMR_OK && !text) status = omr_read_study_file(path, &read, &length, error);
  const char *whole = text ? text : read;
  if (status == OMR_OK) status = omr_refuse_other_format(whole, length, path, error);
  if (status == OMR_OK) status = omr_json_parse(&json, whole, length, path, error);
  for (size_t i = 0; i < count && status == OMR_OK; i++)
    if (omr_is_choice(overrides[i])) status = omr_json_set(&json, overrides[i], error);

  /* One that is chosen is a plain study. */
  const cJSON *variants = status == OMR_OK ? omr_json_get(json.root, "variants") : NULL;
  if (variants && omr_json_get(json.root, "variant")) variants = NULL;
  if (variants) status = check_variants(&json, variants, error);
  if (status == OMR_OK && variants) list_names(variants, "\n", &list);
  *names = status == OMR_OK && !list.failed ? strdup(list.data ? list.data : "") : NULL;
  if (status == OMR_OK && !*names) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  omr_text_free(&list);
  omr_json_free(&json);
  free(read);
  return status;
}
