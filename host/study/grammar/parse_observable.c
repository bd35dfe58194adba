/* Observables by their names. */
#include "../../lists/observables.h"
#include "hints.h"
#include "parse.h"

#include <stdio.h>
#include <string.h>

static omr_status require_observable(omr_reader *reader, const cJSON *item, int index) {
  const omr_study *study = reader->study;
  const char *name = omr_study_observable_name(study, index),
             *model = omr_model_names[study->model];
  if (omr_study_can_observe(study, index)) return OMR_OK;
  if (omr_study_lacks_springs(study, index))
    return OMR_REFUSE(reader, item,
                      "\"%s\" is an observable of compliant contact, and here the contact is "
                      "rigid; give \"contact\": {\"normal\": \"compliant\"}",
                      name);
  if (omr_observable_fits(index, OMR_MODEL_VEHICLE, -1) && study->wheels > 0)
    return OMR_REFUSE(reader, item, "\"%s\": the wheels are numbered from 0, and the study has %d",
                      name, study->wheels);
  return OMR_REFUSE(
      reader, item,
      "\"%s\" is an observable of other models; `omniroll describe %s` lists those of %s", name,
      model, model);
}

/* Whether `part` is one of the words between the underscores of a name. */
static bool has_part(const char *name, const char *part) {
  const size_t length = strlen(part);
  for (const char *at = name; length && (at = strstr(at, part)); at++)
    if ((at == name || at[-1] == '_') && (at[length] == '_' || !at[length])) return true;
  return false;
}

/* The model has many, so that a message names those that may be meant. */
static omr_status fail_unknown(omr_reader *reader, const cJSON *item, const char *word) {
  enum { MOST = 12 };
  omr_elsewhere found;
  const omr_frame_kind frame = reader->study->frame;
  if (omr_named_elsewhere(frame, reader->study->model, OMR_NAMED_OBSERVABLE, word, &found)) {
    char elsewhere[OMR_ELSEWHERE_TEXT];
    omr_elsewhere_text(frame, &found, "", elsewhere);
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_WORD, "unknown word \"%.200s\": %s", word,
                        elsewhere);
  }

  /* The message ends with the place where the names are listed. */
  const char *model = omr_model_names[reader->study->model], *names[OMR_OBS_COUNT];
  char lists[96];
  if (omr_model_is_own(reader->study->model))
    snprintf(lists, sizeof lists, "the study names its observables in system.measures");
  else
    snprintf(lists, sizeof lists, "`omniroll describe %s` lists the observables", model);

  /* A near name or a hint comes first; otherwise names that contain the word are listed. */
  size_t count = 0, shown = 0;
  omr_text like = {0};
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_study_can_observe(reader->study, i))
      names[count++] = omr_study_observable_name(reader->study, i);
  const char *near = omr_nearest(word, names, count), *hint = omr_word_hint(word, names, count);
  for (size_t i = 0; !near && !hint && i < count && shown < MOST; i++)
    if (has_part(names[i], word)) omr_text_print(&like, "%s\"%s\"", shown++ ? ", " : "", names[i]);
  if (near) omr_text_print(&like, "\"%s\"", near);

  omr_status status = OMR_ERR_MEMORY;
  if (like.failed)
    omr_fail_memory(reader);
  else
    status = OMR_MISTAKEN(reader, item, omr_unknown_name(reader->study),
                          "unknown word \"%.200s\"%s%s%s %s", word,
                          hint        ? "; "
                          : like.data ? "; did you mean "
                                      : "",
                          hint        ? hint
                          : like.data ? like.data
                                      : "",
                          !hint && like.data ? "?" : ";", lists);
  omr_text_free(&like);
  return status;
}

omr_status omr_read_observable(omr_reader *reader, const cJSON *item, const char *word,
                               int *index) {
  *index = -1; /* a name that the study gives may be that of another model's observable, too */
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (strcmp(word, omr_study_observable_name(reader->study, i)) == 0 &&
        (*index < 0 || omr_study_can_observe(reader->study, i)))
      *index = i;
  return *word && *index >= 0 ? require_observable(reader, item, *index)
                              : fail_unknown(reader, item, word);
}

omr_status omr_read_kept_observable(omr_reader *reader, const cJSON *item, const char *word,
                                    int *index) {
  OMR_TRY(omr_read_observable(reader, item, word, index));
  if (omr_observables[*index].group & OMR_ON_DEMAND) /* whoever names it means it */
    omr_observable_add(&reader->study->observables, *index);
  if (omr_study_observes(reader->study, *index)) return OMR_OK;
  return OMR_REFUSE(reader, item, "the study does not keep \"%s\"; add it to output.observables",
                    word);
}
