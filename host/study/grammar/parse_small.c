/* Small models: their words, and sections that they do not have. */
#include "parse.h"

#include <string.h>

static bool has_word(const omr_small_list *model, const char *path) {
  for (int w = 0; w < model->words; w++)
    if (strcmp(model->word_list[w].path, path) == 0) return true;
  return false;
}

/* Keys of the omni models that are no single parameters. */
static omr_status refuse_omni(omr_reader *reader, const omr_small_list *model) {
  static const char *const keys[] = {"wheel",   "wheels",  "layout",  "platform",
                                     "command", "contact", "overlap", "controller_period",
                                     "external"};
  const char *name = omr_model_names[model->model];
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const cJSON *item = omr_json_get(reader->parameters, keys[i]);
    if (item && !has_word(model, keys[i]))
      return OMR_REFUSE(reader, item,
                        "%s has no \"%s\": that belongs to the omni models; `omniroll describe %s` "
                        "lists its parameters",
                        name, keys[i], name);
  }
  return OMR_OK;
}

/* The item at a path of one or two keys; *parent is the object that holds it. NULL if absent. */
static omr_status find_word(omr_reader *reader, const char *path, const cJSON **parent,
                            const char **key) {
  const char *dot = strchr(path, '.');
  *parent = reader->parameters;
  *key = dot ? dot + 1 : path;
  if (!dot) return OMR_OK;
  char group[48];
  snprintf(group, sizeof group, "%.*s", (int)(dot - path), path);
  return omr_read_object(reader, reader->parameters, group, parent);
}

/* The word that leaves one without effect: that under which it stands, or one further up; NULL
 * where none does. *asked: the choice under which it would have one. */
static const omr_small_word *idle_by(const omr_reader *reader, const omr_small_list *model,
                                     const omr_small_word *word, int *asked) {
  for (; word->under; word = &model->word_list[word->under - 1]) {
    *asked = word->under_choice;
    if (reader->study->options[word->under - 1] != *asked)
      return &model->word_list[word->under - 1];
  }
  return NULL;
}

/* A word that another word leaves without effect. */
static omr_status refuse_idle_words(omr_reader *reader, const omr_small_list *model) {
  for (int w = 0; w < model->words; w++) {
    const omr_small_word *word = &model->word_list[w];
    const cJSON *parent, *item;
    const char *key;
    int asked = 0;
    const omr_small_word *other = idle_by(reader, model, word, &asked);
    if (!other) continue;
    const int chosen = reader->study->options[other - model->word_list];
    OMR_TRY(find_word(reader, word->path, &parent, &key));
    item = parent ? omr_json_get(parent, key) : NULL;
    if (item)
      return OMR_REFUSE(
          reader, item, "\"%s\" has no effect: \"%s\" is \"%s\" here, and \"%s\" uses it",
          word->path, other->path, other->choices[chosen].name, other->choices[asked].name);
  }
  return OMR_OK;
}

omr_status omr_read_small(omr_reader *reader) {
  const omr_small_list *model = omr_small_list_of(reader->study->model);
  if (!reader->parameters) return OMR_OK;
  OMR_TRY(refuse_omni(reader, model));
  for (int w = 0; w < model->words; w++) {
    const omr_small_word *word = &model->word_list[w];
    const char *names[8], *key;
    const cJSON *parent;
    for (int i = 0; i < omr_word_choices(word); i++) names[i] = word->choices[i].name;
    OMR_TRY(find_word(reader, word->path, &parent, &key));
    if (parent)
      OMR_TRY(omr_read_choice(reader, parent, key, names, (size_t)omr_word_choices(word),
                              &reader->study->options[w]));
  }
  return refuse_idle_words(reader, model);
}

bool omr_choice_uses(const omr_small_choice *choice, int index) {
  for (const int *used = choice->uses; *used >= 0; used++)
    if (*used == index) return true;
  return false;
}

omr_status omr_require_used(omr_reader *reader, const cJSON *item, int index) {
  const omr_small_list *model = omr_small_list_of(reader->study->model);
  for (int w = 0; w < model->words; w++) {
    const omr_small_word *word = &model->word_list[w];
    const omr_small_choice *chosen = &word->choices[reader->study->options[w]];
    if (omr_choice_uses(chosen, index)) continue;
    omr_text others = {0};
    for (int i = 0; i < omr_word_choices(word); i++)
      if (omr_choice_uses(&word->choices[i], index))
        omr_text_print(&others, "%s\"%s\"", others.data ? " or " : "", word->choices[i].name);
    if (!others.data) continue; /* no choice of this word needs it: it is always used */
    const omr_status status = OMR_REFUSE(
        reader, item, "\"%s\" has no effect: \"%s\" is \"%s\" here, and %s uses it",
        omr_vehicle_path(reader->study->frame, index), word->path, chosen->name, others.data);
    omr_text_free(&others);
    return status;
  }
  return OMR_OK;
}
