/* The differences that make two manifests different runs, down to the member of the study. */
#include "manifest.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 256, VALUE = 160 };

/* "1 ms" with its quotes; long values are cut. */
static void print_value(const cJSON *item, char *text) {
  char *printed = item ? cJSON_PrintUnformatted(item) : NULL;
  if (!item)
    snprintf(text, VALUE, "not given");
  else
    snprintf(text, VALUE, "%.*s%s", VALUE - 8, printed ? printed : "?",
             printed && strlen(printed) > VALUE - 8 ? "..." : "");
  free(printed);
}

static bool say(const char *path, const cJSON *there, const cJSON *now, char *what, size_t size) {
  char old[VALUE], new[VALUE];
  print_value(there, old);
  print_value(now, new);
  snprintf(what, size, "%s was %s and now is %s", *path ? path : "the study", old, new);
  return true;
}

static bool differ(const char *path, const cJSON *there, const cJSON *now, char *what, size_t size);

/* Where one side lacks a section, its first member is named. */
static bool members_differ(const char *path, const cJSON *there, const cJSON *now, char *what,
                           size_t size) {
  static const cJSON none = {.type = cJSON_Object};
  char inner[PATH];
  for (int pass = 0; pass < 2; pass++) {
    const cJSON *one = pass ? now : there, *other = pass ? there : now;
    if (!one) one = &none;
    for (const cJSON *item = one->child; item; item = item->next) {
      if (!*path && strcmp(item->string, "engine") == 0) continue;
      const cJSON *twin = other ? cJSON_GetObjectItemCaseSensitive(other, item->string) : NULL;
      if (pass && twin) continue;
      snprintf(inner, sizeof inner, "%.120s%s%.120s", path, *path ? "." : "", item->string);
      if (differ(inner, pass ? NULL : item, pass ? item : twin, what, size)) return true;
    }
  }
  return false;
}

static bool elements_differ(const char *path, const cJSON *there, const cJSON *now, char *what,
                            size_t size) {
  char inner[PATH];
  size_t i = 0;
  const cJSON *a = there->child, *b = now->child;
  for (; a && b; a = a->next, b = b->next, i++) {
    snprintf(inner, sizeof inner, "%.200s[%zu]", path, i);
    if (differ(inner, a, b, what, size)) return true;
  }
  if (!a && !b) return false;
  snprintf(inner, sizeof inner, "%.200s[%zu]", path, i);
  return say(inner, a, b, what, size);
}

static bool differ(const char *path, const cJSON *there, const cJSON *now, char *what,
                   size_t size) {
  const cJSON *alone = there ? there : now;
  if ((!there || !now) && cJSON_IsObject(alone) && alone->child)
    return members_differ(path, there, now, what, size);
  if (!there || !now || (there->type & 0xff) != (now->type & 0xff))
    return say(path, there, now, what, size);
  if (cJSON_IsObject(there)) return members_differ(path, there, now, what, size);
  if (cJSON_IsArray(there)) return elements_differ(path, there, now, what, size);
  return cJSON_Compare(there, now, true) &&
                 (!cJSON_IsNumber(there) || memcmp(&there->valuedouble, &now->valuedouble, 8) == 0)
             ? false
             : say(path, there, now, what, size);
}

bool omr_study_text_differs(const char *there, const char *now, char *what, size_t size) {
  cJSON *a = cJSON_Parse(there), *b = cJSON_Parse(now);
  const bool differs = a && b ? differ("", a, b, what, size) : say("", NULL, NULL, what, size);
  cJSON_Delete(a);
  cJSON_Delete(b);
  return differs;
}

static bool texts_differ(const char *name, const char *there, const char *now, char *what,
                         size_t size) {
  if (strcmp(there, now) == 0) return false;
  snprintf(what, size, "%s was %s and now is %s", name, there, now);
  return true;
}

static bool counts_differ(const char *name, size_t there, size_t now, char *what, size_t size) {
  if (there == now) return false;
  snprintf(what, size, "%s was %zu and now is %zu", name, there, now);
  return true;
}

static const char *recorded(const omr_manifest *m) {
  return m->sources[0] ? m->sources : "not recorded";
}

bool omr_manifest_same_build(const omr_manifest *there, const omr_manifest *now) {
  return strcmp(there->version, now->version) == 0 && strcmp(there->sources, now->sources) == 0;
}

omr_status omr_manifest_check_build(const omr_manifest *there, const char *folder,
                                    const char *remedy, omr_error *error) {
  omr_manifest own = {0};
  snprintf(own.version, sizeof own.version, "%s", omr_version());
  snprintf(own.sources, sizeof own.sources, "%s", omr_sources());
  if (omr_manifest_same_build(there, &own)) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO,
                  "%s was begun by omniroll %s (sources %s) and this is %s (sources %s): %s",
                  folder, there->version, recorded(there), own.version, own.sources, remedy);
}

bool omr_manifest_differs(const omr_manifest *there, const omr_manifest *now, char *what,
                          size_t size) {
  return texts_differ("the version of omniroll", there->version, now->version, what, size) ||
         texts_differ("the hash of the sources of omniroll", recorded(there), recorded(now), what,
                      size) ||
         texts_differ("engine.precision", there->precision, now->precision, what, size) ||
         texts_differ("engine.numerics", there->numerics, now->numerics, what, size) ||
         omr_study_text_differs(there->study_text, now->study_text, what, size) ||
         counts_differ("the number of instances", there->rows, now->rows, what, size) ||
         counts_differ("the number of instances in a chunk (engine.chunk)", there->chunk_rows,
                       now->chunk_rows, what, size) ||
         counts_differ("the number of chunks", there->chunks, now->chunks, what, size);
}
