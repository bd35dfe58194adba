/* Instances that the caller of the library chooses, on the reference. */
#include "../study/derived.h"
#include "../study/instance_list.h"
#include "../study/json/json.h"
#include "ensemble.h"
#include "result_row.h"

#include <stdlib.h>
#include <string.h>

struct omr_multibody {
  omr_study study; /* with a time between samples; shares everything else with the caller's */
  size_t *chosen, count;
  omr_mb_tolerance tolerance;
  omr_ensemble ensemble;
};

omr_status omr_instances_spread(const omr_study *study, size_t wanted, size_t **chosen,
                                size_t *count, omr_error *error) {
  *chosen = NULL;
  if (wanted < 1 || wanted > study->instances)
    return omr_fail(error, OMR_ERR_USAGE, "--sample %zu: %s has %zu instances", wanted, study->name,
                    study->instances);
  *chosen = malloc(wanted * sizeof **chosen);
  if (!*chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances", wanted);
  *count = wanted;
  const size_t last = study->instances - 1;
  for (size_t i = 0; i < wanted; i++)
    (*chosen)[i] =
        wanted == 1 ? 0 : (size_t)((double)i * (double)last / (double)(wanted - 1) + 0.5);
  return OMR_OK;
}

omr_status omr_instances_default(const omr_study *study, size_t **chosen, size_t *count,
                                 omr_error *error) {
  *count = study->traces.count ? study->traces.count : 1;
  *chosen = calloc(*count, sizeof **chosen);
  if (!*chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu instances", *count);
  if (study->traces.count) memcpy(*chosen, study->traces.instances, *count * sizeof **chosen);
  return OMR_OK;
}

omr_status omr_chosen_find(const omr_reference_choice *choice, const omr_study *study,
                           size_t **chosen, size_t *count, omr_error *error) {
  if (choice->instances)
    return omr_instances_read("--instances", choice->instances, study, chosen, count, error);
  if (choice->sample) return omr_instances_spread(study, choice->sample, chosen, count, error);
  return omr_instances_default(study, chosen, count, error);
}

omr_mb_tolerance omr_chosen_tolerance(const omr_reference_choice *choice) {
  return (omr_mb_tolerance){.method = choice->bdf ? OMR_MB_BDF : OMR_MB_ADAMS,
                            .relative = choice->tolerance,
                            .absolute = choice->tolerance / 10};
}

static omr_part part_of(const omr_multibody *m) {
  return omr_part_traced(&m->study, m->chosen, m->count);
}

/* Integrates; destroys `m` on failure. */
/* Takes the settings of `like`, whose list of instances it owns from here on. */
static omr_status integrate(omr_multibody like, const omr_multibody_options *o,
                            omr_multibody **multibody, omr_error *error) {
  const omr_ensemble_options how = {
      .tolerance = like.tolerance, .progress = o->progress, .progress_user = o->progress_user};
  omr_multibody *m = malloc(sizeof *m);
  if (!m) {
    free(like.chosen);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  *m = like;
  const omr_part part = part_of(m);
  const omr_status status = omr_ensemble_run(&part, &how, &m->ensemble, error);
  if (status == OMR_OK)
    *multibody = m;
  else
    omr_multibody_destroy(m);
  return status;
}

static const omr_multibody_options no_options = OMR_MULTIBODY_OPTIONS_INIT;

omr_status omr_multibody_create(const omr_study *study, const omr_multibody_options *options,
                                omr_multibody **multibody, omr_error *error) {
  const omr_multibody_options *o = options ? options : &no_options;
  omr_multibody m = {0};
  *multibody = NULL;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_multibody_options", error);
  if (status == OMR_OK) status = omr_chosen_find(&o->choice, study, &m.chosen, &m.count, error);
  if (status != OMR_OK) return status;
  m.study = omr_study_sampled(study);
  m.tolerance = omr_reference_tolerance(study, omr_chosen_tolerance(&o->choice));
  return integrate(m, o, multibody, error);
}

omr_status omr_multibody_again(const omr_multibody *first, const omr_multibody_options *options,
                               omr_multibody **multibody, omr_error *error) {
  const omr_multibody_options *o = options ? options : &no_options;
  *multibody = NULL;
  const omr_status status = omr_check_size(o->size, sizeof *o, "omr_multibody_options", error);
  if (status != OMR_OK) return status;

  /* the same instances at the tolerance of a second integration */
  omr_multibody m = {.study = first->study,
                     .chosen = malloc((first->count + 1) * sizeof *m.chosen),
                     .count = first->count,
                     .tolerance = omr_reference_beside(first->tolerance)};
  if (!m.chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  memcpy(m.chosen, first->chosen, first->count * sizeof *m.chosen);
  return integrate(m, o, multibody, error);
}

double omr_multibody_tolerance(const omr_multibody *multibody) {
  return multibody->tolerance.relative > 0 ? multibody->tolerance.relative : OMR_MB_RELATIVE;
}

void omr_multibody_destroy(omr_multibody *multibody) {
  if (!multibody) return;
  omr_ensemble_free(&multibody->ensemble);
  free(multibody->chosen);
  free(multibody);
}

void omr_multibody_print(const omr_multibody *multibody, FILE *out) {
  const omr_part part = part_of(multibody);
  omr_ensemble_print(&part, &multibody->ensemble, out);
}

omr_status omr_multibody_json(const omr_multibody *multibody, char **json, omr_error *error) {
  const omr_part part = part_of(multibody);
  return omr_json_give(omr_ensemble_json(&part, &multibody->ensemble), json, error);
}

const omr_result *omr_multibody_result(const omr_multibody *multibody) {
  return multibody->ensemble.result;
}
