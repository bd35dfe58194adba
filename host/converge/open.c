/* Converge for callers that do not know the layout of its tables. */
#include "../reference/ensemble.h"
#include "../study/expression/criterion_names.h"
#include "../study/json/json.h"
#include "converge.h"

#include <stdlib.h>
#include <string.h>

/* Refuses a name of the list that no run of the study has. */
static omr_status check_name(const omr_names *names, const char *word, omr_error *error) {
  const omr_name *found = omr_names_find(names, word);
  if (strncmp(word, "fail", strlen("fail")) == 0 && !found)
    return OMR_OK; /* a criterion of integrator.accept */
  if (found && found->absent)
    return omr_fail(error, OMR_ERR_USAGE, "--observables: %s %s", word, found->absent);
  if (found) return OMR_OK;
  return omr_fail(
      error, OMR_ERR_USAGE,
      "--observables: the study has no observable \"%s\" (omniroll describe lists them)", word);
}

static omr_status check_observables(const char *list, const omr_study *study, omr_error *error) {
  char word[100];
  omr_names names;
  if (!list) return OMR_OK;
  omr_names_of_study(study, &names);
  omr_status status = names.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;
  for (const char *at = list; status == OMR_OK && *at; at += strcspn(at, ","), at += *at == ',') {
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
    status = check_name(&names, word, error);
  }
  omr_names_free(&names);
  return status;
}

/* No instances where the choice leaves them to the sample of the step error. */
static omr_status find_instances(const omr_reference_choice *choice, const omr_study *study,
                                 size_t **chosen, size_t *count, omr_error *error) {
  if (!choice->instances && !choice->sample) return OMR_OK;
  return omr_chosen_find(choice, study, chosen, count, error);
}

static omr_status make(const omr_study *study, const omr_converge_options *o, const size_t *chosen,
                       size_t count, omr_converge **converge, omr_error *error) {
  const omr_converge_request request = {.budget = o->budget,
                                        .reference = o->reference,
                                        .reference_tolerance = o->choice.tolerance,
                                        .reference_bdf = o->choice.bdf,
                                        .chosen = chosen,
                                        .chosen_count = count,
                                        .one_precision = o->one_precision,
                                        .progress = o->progress,
                                        .progress_user = o->progress_user};

  /* Measure; a convergence that failed is dropped. */
  omr_converge *c = malloc(sizeof *c);
  if (!c) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_error own = {0}; /* its message names omissions */
  const omr_status status = omr_converge_make(study, &request, c, error ? error : &own);

  if (status == OMR_OK)
    *converge = c;
  else
    free(c);
  return status;
}

omr_status omr_converge_create(const omr_study *study, const omr_converge_options *options,
                               omr_converge **converge, omr_error *error) {
  static const omr_converge_options none = OMR_CONVERGE_OPTIONS_INIT;
  const omr_converge_options *o = options ? options : &none;
  size_t *chosen = NULL, count = 0;
  *converge = NULL;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_converge_options", error);
  if (status == OMR_OK) status = find_instances(&o->choice, study, &chosen, &count, error);
  if (status == OMR_OK) status = check_observables(o->observables, study, error);
  if (status == OMR_OK) status = make(study, o, chosen, count, converge, error);
  free(chosen);
  return status;
}

void omr_converge_destroy(omr_converge *converge) {
  if (!converge) return;
  omr_converge_free(converge);
  free(converge);
}

omr_status omr_converge_json(const omr_converge *converge, char **json, omr_error *error) {
  return omr_json_give(omr_converge_tree(converge), json, error);
}
