#include "describe_choice.h"
#include "../support/support.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME = 96 };

static const struct {
  const char *word, *names;
} synonyms[] = {
#define X(word, names) {word, names},
#include "../lists/synonyms.def"
#undef X
};

const char *omr_synonym(size_t index) {
  return index < sizeof synonyms / sizeof *synonyms ? synonyms[index].word : NULL;
}

const char *omr_synonyms_of(const char *word) {
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
    if (strcasecmp(word, synonyms[i].word) == 0) return synonyms[i].names;
  return NULL;
}

/* Writes a name as a column has it: small letters, '_' for '.', and no index. */
static void plain(const char *name, char to[NAME]) {
  size_t length = 0;
  for (; *name && length + 1 < NAME; name++) {
    if (*name == '[') name += strcspn(name, "]");
    if (*name != ']' && *name)
      to[length++] = *name == '.' ? '_' : (char)tolower((unsigned char)*name);
    if (!*name) break;
  }
  to[length] = '\0';
}

/* Whether whole words of the name are the part. */
static bool has_words(const char *name, const char *part) {
  const size_t length = strlen(part);
  if (length == 0) return false;
  for (const char *at = name; (at = strstr(at, part)); at++)
    if ((at == name || at[-1] == '_') && (!at[length] || at[length] == '_')) return true;
  return false;
}

/* A path has a dot and stands for itself and all below it; a word may be any part of a name. */
static bool has_name(const char *name, const char *asked) {
  static const char *const of_wheels[] = {"wheel_", "wheels_"};
  const bool path = strchr(asked, '.') != NULL;
  char row[NAME], word[NAME];
  plain(name, row);
  plain(asked, word);

  /* parameters of wheels are listed without their first word */
  const char *forms[] = {word, NULL, NULL};
  for (size_t i = 0; i < 2; i++)
    if (strncmp(word, of_wheels[i], strlen(of_wheels[i])) == 0)
      forms[1 + i] = word + strlen(of_wheels[i]);

  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    const char *form = forms[i];
    if (!form) continue;
    const size_t length = strlen(form);
    const bool begins = length && strncmp(row, form, length) == 0 && strchr("_", row[length]);
    if (path || i > 0 ? begins : has_words(row, form)) return true;
  }
  return false;
}

/* Whether one of "NAME, NAME" fits what is tested. */
static bool any_fits(const char *tested, const char *list,
                     bool (*fits)(const char *, const char *)) {
  char one[NAME];
  for (size_t length; list && *list; list += length + strspn(list + length, ", ")) {
    length = strcspn(list, ",");
    snprintf(one, sizeof one, "%.*s", (int)length, list);
    if (fits(tested, one)) return true;
  }
  return false;
}

/* Whether a word of the text begins with the part, in any case. */
static bool contains(const char *text, const char *part) {
  const size_t length = strlen(part);
  for (const char *at = text; *at; at++)
    if (strncasecmp(at, part, length) == 0 && (at == text || !isalnum((unsigned char)at[-1])))
      return true;
  return false;
}

static bool is_key(const char *key, const char *name) {
  const size_t length = strlen(name);
  static const char *const endings[] = {"", "_keys", "s"};
  return strncmp(key, name, length) == 0 &&
         omr_is_among(key + length, endings, sizeof endings / sizeof *endings);
}

bool omr_choice_takes_table(const omr_row_choice *choice, const char *key) {
  bool taken = false;
  for (size_t i = 0; i < choice->count; i++) {
    const char *name = choice->names[i], *synonym = omr_synonyms_of(name);
    if (!is_key(key, name) && !any_fits(key, synonym, is_key)) continue;
    if (choice->found) choice->found[i] = true;
    taken = true;
  }
  return taken || (choice->text && any_fits(key, omr_synonyms_of(choice->text), is_key));
}

bool omr_choice_takes(const omr_row_choice *choice, const char *of, const char *name,
                      const char *const *texts, size_t count) {
  char qualified[2 * NAME] = "";
  bool taken = false;
  if (of) snprintf(qualified, sizeof qualified, "%s.%s", of, name);

  /* by names, of which each may stand for others */
  for (size_t i = 0; i < choice->count; i++) {
    const char *asked = choice->names[i];
    const bool has = has_name(name, asked) || (of && has_name(qualified, asked)) ||
                     any_fits(name, omr_synonyms_of(asked), has_name);
    if (has && choice->found) choice->found[i] = true;
    taken = taken || has;
  }
  if (!choice->text) return taken;

  /* by text, anywhere in the row */
  if (contains(name, choice->text) || any_fits(name, omr_synonyms_of(choice->text), has_name))
    return true;
  for (size_t i = 0; i < count; i++)
    if (contains(texts[i], choice->text)) return true;
  return false;
}
