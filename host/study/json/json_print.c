#define _GNU_SOURCE
#include "json.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_value(omr_text *out, const cJSON *item, int indent);

/* Needs the C locale: the decimal point. */
static void print_number(omr_text *out, double value) {
  char buffer[40];
  if (!isfinite(value)) {
    omr_text_print(out, "null");
    return;
  }
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    if (strtod(buffer, NULL) == value) break;
  }
  omr_text_print(out, "%s", buffer);
}

static void print_string(omr_text *out, const char *string) {
  omr_text_add(out, "\"", 1);
  for (const char *p = string ? string : ""; *p; p++) {
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *special = strchr(plain, *p);
    if (special)
      omr_text_print(out, "\\%c", letters[special - plain]);
    else if ((unsigned char)*p < 0x20)
      omr_text_print(out, "\\u%04x", (unsigned)*p);
    else
      omr_text_add(out, p, 1);
  }
  omr_text_add(out, "\"", 1);
}

static void new_line(omr_text *out, int indent) {
  omr_text_print(out, "\n%*s", indent, "");
}

/* Arrays without objects and arrays in them take one line. */
static bool takes_lines(const cJSON *item) {
  if (cJSON_IsObject(item)) return item->child != NULL;
  for (const cJSON *child = item->child; child; child = child->next)
    if (cJSON_IsObject(child) || cJSON_IsArray(child)) return true;
  return false;
}

static void print_container(omr_text *out, const cJSON *item, int indent) {
  bool object = cJSON_IsObject(item), lines = takes_lines(item);
  omr_text_add(out, object ? "{" : "[", 1);
  for (const cJSON *child = item->child; child; child = child->next) {
    if (lines) new_line(out, indent + 2);
    if (object) {
      print_string(out, child->string);
      omr_text_add(out, ": ", 2);
    }
    print_value(out, child, indent + 2);
    if (child->next) omr_text_add(out, ", ", lines ? 1 : 2);
  }
  if (lines) new_line(out, indent);
  omr_text_add(out, object ? "}" : "]", 1);
}

static void print_value(omr_text *out, const cJSON *item, int indent) {
  if (cJSON_IsObject(item) || cJSON_IsArray(item))
    print_container(out, item, indent);
  else if (cJSON_IsString(item))
    print_string(out, item->valuestring);
  else if (cJSON_IsNumber(item))
    print_number(out, item->valuedouble);
  else if (cJSON_IsRaw(item))
    omr_text_print(out, "%s", item->valuestring);
  else
    omr_text_print(out, "%s", cJSON_IsTrue(item) ? "true" : cJSON_IsFalse(item) ? "false" : "null");
}

char *omr_json_print(const cJSON *root) {
  if (!omr_tree_whole(root)) return NULL;
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale) return NULL;
  locale_t before = uselocale(c_locale);
  omr_text out = {0};
  print_value(&out, root, 0);
  omr_text_add(&out, "\n", 1);
  uselocale(before);
  freelocale(c_locale);
  if (!out.failed) return out.data;
  omr_text_free(&out);
  return NULL;
}

omr_status omr_json_give(cJSON *root, char **text, omr_error *error) {
  *text = omr_json_print(root);
  cJSON_Delete(root);
  return *text ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

omr_status omr_json_format(const char *json, char **text, omr_error *error) {
  omr_json tree = {0};
  *text = NULL;
  omr_status status = omr_json_parse(&tree, json, strlen(json), "JSON", error);
  if (status == OMR_OK) *text = omr_json_print(tree.root);
  omr_json_free(&tree);
  if (status == OMR_OK && !*text) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  return status;
}

cJSON *omr_json_lines(const char *text) {
  cJSON *list = cJSON_CreateArray();
  omr_text line = {0};
  for (size_t length; list && *text; text += length + (text[length] == '\n')) {
    length = strcspn(text, "\n");
    if (!length) continue;
    line.length = 0;
    omr_text_add(&line, text, length);
    omr_tree_append(list, cJSON_CreateString(line.failed ? NULL : line.data));
  }
  omr_text_free(&line);
  return list;
}
