/* Names of wheels, "name" in the entries of "wheels". They stand for the wheels' numbers wherever
 * the study names a wheel, and are replaced by them before it is read: wheels[front_left].radius
 * and front_left.radius by wheels[0].radius, front_left_torque_peak by wheel0_torque_peak, and
 * "wheel": "front_left" by 0, likewise in "odometry": {"wheels": ["front_left", ...]}. */
#include "../../lists/observables.h"
#include "parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct names {
  omr_reader *reader;
  const char *of[OMR_MAX_WHEELS]; /* NULL: the wheel has none */
  int wheels;
} names;

/* ---- the names */

static bool is_letter(char c) {
  return isalpha((unsigned char)c) || c == '_';
}

static size_t word_length(const char *text) {
  size_t length = 0;
  while (is_letter(text[length]) || (length > 0 && isdigit((unsigned char)text[length]))) length++;
  return length;
}

/* Whether the text is the path of a wheel parameter, with this sign for its dots. */
static bool is_path(const char *text, size_t length, char dot) {
  for (int i = 0; i < OMR_WP_COUNT * OMR_FRAMES; i++) {
    const char *path = omr_wheel_path((omr_frame_kind)(i % OMR_FRAMES), i / OMR_FRAMES);
    size_t at = 0;
    while (at < length && (path[at] == text[at] || (path[at] == '.' && text[at] == dot))) at++;
    if (at == length && path[at] == '\0') return true;
  }
  return false;
}

/* Whether this, behind "wheel0_", names an observable of a wheel, or a parameter of a wheel as the
 * columns of results spell it. */
static bool is_of_wheel(const char *rest, size_t length) {
  static const char prefix[] = "wheel0_";
  const size_t skip = sizeof prefix - 1;
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    const char *name = omr_observables[i].name;
    if (strncmp(name, prefix, skip) == 0 && strncmp(name + skip, rest, length) == 0 &&
        name[skip + length] == '\0')
      return true;
  }
  return is_path(rest, length, '_');
}

/* Whether the text begins with the path of a wheel parameter, which ends there. */
static bool is_wheel_path(const char *text) {
  size_t length = 0;
  while (is_letter(text[length]) || text[length] == '.') length++;
  return is_path(text, length, '.');
}

/* Whether the name means something else already: "max" of max_slip, "platform" of platform.mass. */
static bool is_taken(const char *name) {
  const size_t length = strlen(name);
  if (strncmp(name, "wheel", 5) == 0 && name[5 + strspn(name + 5, "s0123456789")] == '\0')
    return true;
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    const char *known = omr_observables[i].name;
    if (strncmp(known, name, length) == 0 && known[length] == '_' &&
        is_of_wheel(known + length + 1, strlen(known + length + 1)))
      return true;
  }
  for (int i = 0; i < OMR_VP_COUNT; i++) {
    const char *known = omr_vehicle_parameters[i].path;
    if (strncmp(known, name, length) == 0 && known[length] == '.') return true;
  }
  return false;
}

static omr_status read_name(names *all, const cJSON *item) {
  const char *name = cJSON_GetStringValue(item);
  if (!name || !*name || strlen(name) >= OMR_WHEEL_NAME || word_length(name) != strlen(name))
    return OMR_MISTAKEN(all->reader, item, OMR_MISTAKE_TYPE,
                        "expected a name of letters, digits and \"_\" that begins with a letter, "
                        "such as \"front_left\"");
  if (is_taken(name))
    return OMR_REFUSE(
        all->reader, item,
        "\"%s\" means something else in a study; call the wheel otherwise, such as \"front_left\"",
        name);
  for (int i = 0; i < all->wheels; i++)
    if (all->of[i] && strcmp(all->of[i], name) == 0)
      return OMR_REFUSE(all->reader, item, "wheel %d is called \"%s\" already", i, name);
  all->of[all->wheels] = name;
  snprintf(all->reader->study->wheel_name[all->wheels], OMR_WHEEL_NAME, "%s", name);
  return OMR_OK;
}

static omr_status read_names(names *all, const cJSON *parameters) {
  const cJSON *wheel, *shared = omr_json_get(omr_json_get(parameters, "wheel"), "name");
  if (shared)
    return OMR_REFUSE(all->reader, shared,
                      "a name is of one wheel: give it in an entry of \"wheels\"");
  cJSON_ArrayForEach(wheel, omr_json_get(parameters, "wheels")) {
    const cJSON *item = omr_json_get(wheel, "name");
    if (all->wheels == OMR_MAX_WHEELS) break; /* refused later */
    if (item) OMR_TRY(read_name(all, item));
    all->wheels++;
  }
  return OMR_OK;
}

/* ---- their uses */

/* The wheel of this name; -1: none. */
static int wheel_called(const names *all, const char *name, size_t length) {
  for (int i = 0; i < all->wheels; i++)
    if (all->of[i] && strlen(all->of[i]) == length && strncmp(all->of[i], name, length) == 0)
      return i;
  return -1;
}

static omr_status fail_name(const names *all, const cJSON *item, const char *name, size_t length) {
  omr_text list = {0};
  for (int i = 0; i < all->wheels; i++)
    if (all->of[i]) omr_text_print(&list, "%s%s", list.data ? ", " : "", all->of[i]);
  const omr_status status = OMR_REFUSE(
      all->reader, item, "no wheel is called \"%.*s\"; %s%s", (int)(length < 60 ? length : 60),
      name,
      list.data ? "the names are " : "give it a \"name\" in \"wheels\", or its number as wheels[0]",
      list.data ? list.data : "");
  omr_text_free(&list);
  return status;
}

/* Whether the word is nearly the name of a wheel, and means nothing else. */
static bool is_nearly(const names *all, const char *word, size_t length) {
  char text[OMR_WHEEL_NAME];
  const char *known[OMR_MAX_WHEELS];
  size_t count = 0;
  for (int i = 0; i < all->wheels; i++)
    if (all->of[i]) known[count++] = all->of[i];
  snprintf(text, sizeof text, "%.*s", (int)length, word);
  return length < sizeof text && count > 0 && !is_taken(text) && omr_nearest(text, known, count);
}

/* Prints the word of this length, with numbers of wheels in place of their names; *used: how much
 * of the text that takes. */
static omr_status replace_word(const names *all, const cJSON *item, const char *word, size_t length,
                               omr_text *to, size_t *used) {
  *used = length;
  if (length == 6 && strncmp(word, "wheels", 6) == 0 && word[6] == '[' && is_letter(word[7])) {
    const size_t inside = word_length(word + 7);
    const int wheel = wheel_called(all, word + 7, inside);
    if (wheel < 0) return fail_name(all, item, word + 7, inside);
    *used = 7 + inside;
    omr_text_print(to, "wheels[%d", wheel);
    return OMR_OK;
  }

  /* The whole word with a path behind it, or a part with the rest of a column's name. */
  int wheel = wheel_called(all, word, length);
  if (word[length] == '.' && is_wheel_path(word + length + 1)) {
    if (wheel < 0 && is_nearly(all, word, length)) return fail_name(all, item, word, length);
    if (wheel >= 0) omr_text_print(to, "wheels[%d]", wheel);
    if (wheel >= 0) return OMR_OK;
  }
  for (size_t part = length; part-- > 1;) {
    if (word[part] != '_' || (wheel = wheel_called(all, word, part)) < 0 ||
        !is_of_wheel(word + part + 1, length - part - 1))
      continue;
    omr_text_print(to, "wheel%d%.*s", wheel, (int)(length - part), word + part);
    return OMR_OK;
  }
  for (size_t part = 1; part < length; part++)
    if (word[part] == '_' && is_of_wheel(word + part + 1, length - part - 1) &&
        is_nearly(all, word, part))
      return fail_name(all, item, word, part);
  omr_text_print(to, "%.*s", (int)length, word);
  return OMR_OK;
}

static omr_status replace_text(const names *all, cJSON *item) {
  omr_text to = {0};
  omr_status status = OMR_OK;
  const char *at = item->valuestring;
  for (char before = ' '; *at && status == OMR_OK;) {
    size_t used = 1;
    const size_t length = before == '.' || isalnum((unsigned char)before) ? 0 : word_length(at);
    if (length)
      status = replace_word(all, item, at, length, &to, &used);
    else
      omr_text_print(&to, "%c", *at);
    at += used;
    before = at[-1];
  }
  if (status == OMR_OK && to.failed) status = omr_fail_memory(all->reader);
  if (status == OMR_OK && to.data && strcmp(to.data, item->valuestring) != 0 &&
      !cJSON_SetValuestring(item, to.data))
    status = omr_fail_memory(all->reader);
  omr_text_free(&to);
  return status;
}

/* Members whose texts are not the study's: words for people, files and what is in them. */
static bool is_foreign(const cJSON *item) {
  static const char *const keys[] = {"title", "description", "name",    "file",   "hash",
                                     "table", "column",      "columns", "replay", "runs",
                                     "time",  "unit",        "system",  "made_of"};
  return item->string && omr_is_among(item->string, keys, sizeof keys / sizeof *keys);
}

/* Puts the wheel's number in place of its name. */
static omr_status replace_name(const names *all, cJSON *item) {
  const char *text = item->valuestring;
  const int wheel = wheel_called(all, text, strlen(text));
  if (wheel < 0) return fail_name(all, item, text, strlen(text));
  free(item->valuestring);
  item->valuestring = NULL;
  item->type = (item->type & ~0xff) | cJSON_Number;
  cJSON_SetNumberValue(item, wheel);
  return OMR_OK;
}

/* Lists of wheels, in which a text is a name: those of "odometry". */
static bool is_list(const cJSON *item, const cJSON *list) {
  return item->string && strcmp(item->string, "odometry") == 0 && cJSON_IsArray(list) &&
         list->string && strcmp(list->string, "wheels") == 0;
}

static omr_status replace_list(const names *all, cJSON *list) {
  cJSON *item;
  cJSON_ArrayForEach(item, list) if (cJSON_IsString(item)) OMR_TRY(replace_name(all, item));
  return OMR_OK;
}

/* Depth is bounded by the JSON reader. */
static omr_status replace_in(const names *all, cJSON *item) {
  for (cJSON *child = item->child; child; child = child->next) {
    if (is_foreign(child)) continue;
    const char *text = cJSON_GetStringValue(child);
    if (text && child->string && strcmp(child->string, "wheel") == 0 &&
        omr_json_get(item, "sample"))
      OMR_TRY(replace_name(all, child));
    else if (is_list(item, child))
      OMR_TRY(replace_list(all, child));
    else
      OMR_TRY(text ? replace_text(all, child) : replace_in(all, child));
  }
  return OMR_OK;
}

omr_status omr_replace_wheel_names(omr_reader *reader, cJSON *root) {
  names all = {.reader = reader};
  if (!omr_has_platform(reader->study->model)) return OMR_OK;
  OMR_TRY(read_names(&all, omr_json_get(root, "parameters")));
  return replace_in(&all, root);
}
