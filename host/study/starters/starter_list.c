/* Starter studies for callers that know no layout of their tables. */
#include "starter.h"

const char *omr_starter_kind_name(size_t kind) {
  return kind < omr_starter_kind_count ? omr_starter_kinds[kind].name : NULL;
}

const char *omr_starter_kind_question(size_t kind) {
  return kind < omr_starter_kind_count ? omr_starter_kinds[kind].question : NULL;
}

const char *omr_starter_kind_model(size_t kind) {
  return kind < omr_starter_kind_count ? omr_starter_kinds[kind].machine : NULL;
}

const char *omr_starter_model_name(size_t model) {
  return model < omr_starter_machine_count ? omr_starter_machines[model].name : NULL;
}

const char *omr_starter_model_title(size_t model) {
  return model < omr_starter_machine_count ? omr_starter_machines[model].title : NULL;
}

const char *omr_starter_model_base(size_t model) {
  return model < omr_starter_machine_count ? omr_model_names[omr_starter_machines[model].model]
                                           : NULL;
}

omr_status omr_starter_text(const char *kind, const char *model, const omr_starter_step *steps,
                            size_t count, char **text, omr_error *error) {
  const omr_starter_kind *found;
  const omr_starter_machine *machine;
  omr_text written = {0};
  *text = NULL;
  omr_status status = omr_starter_find(kind, model, &found, &machine, error);
  if (status == OMR_OK) status = omr_starter_write(found, machine, steps, count, &written, error);
  if (status == OMR_OK)
    *text = written.data;
  else
    omr_text_free(&written);
  return status;
}
