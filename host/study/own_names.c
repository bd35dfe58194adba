#include "own_names.h"

#include "../lists/frames.h"
#include "formulas.h"
#include "system/graph.h"

/* The name that the study gives to place `at` of a list; NULL: it gives none. */
static const omr_graph_name *own(const omr_graph_name *list, int count, int at) {
  return at >= 0 && at < count ? &list[at] : NULL;
}

static const omr_graph_name *own_parameter(const omr_study *study, bool per_wheel, int index) {
  const omr_graph *graph = study->graph;
  return graph && !per_wheel ? own(graph->parameter, graph->parameters, index - OMR_VP_GRAPH_0)
                             : NULL;
}

static const omr_graph_name *own_observable(const omr_study *study, int index) {
  const omr_graph *graph = study->graph;
  return graph ? own(graph->measure, graph->measures, index - OMR_OBS_GRAPH_0) : NULL;
}

omr_parameter omr_study_parameter(const omr_study *study, bool per_wheel, int index) {
  omr_parameter row = omr_framed_parameter(study->frame, per_wheel, index);
  const omr_graph_name *named = own_parameter(study, per_wheel, index);
  if (!named) return row;
  row.path = named->name;
  row.unit = named->unit;
  row.meaning = named->meaning;
  return row;
}

omr_observable omr_study_observable(const omr_study *study, int index) {
  omr_observable row = omr_framed_observable(study->frame, index);
  const omr_graph_name *named = own_observable(study, index);
  const omr_formula *formula = omr_formula_of(study, index);
  if (named) return (omr_observable){named->name, named->unit, row.group, named->meaning};
  if (formula) return (omr_observable){formula->name, formula->unit, row.group, formula->meaning};
  return row;
}

const char *omr_study_path(const omr_study *study, bool per_wheel, int index) {
  return omr_study_parameter(study, per_wheel, index).path;
}

const char *omr_study_observable_name(const omr_study *study, int index) {
  return omr_study_observable(study, index).name;
}

bool omr_study_has_parameter(const omr_study *study, bool per_wheel, int index) {
  const omr_parameter *row =
      per_wheel ? &omr_wheel_parameters[index] : &omr_vehicle_parameters[index];
  return omr_parameter_belongs(row, study->model) || own_parameter(study, per_wheel, index);
}

bool omr_study_lacks_springs(const omr_study *study, int index) {
  return omr_observables[index].group & OMR_OF_COMPLIANT && omr_has_platform(study->model) &&
         !study->contact.compliant;
}

bool omr_has_rollers(const omr_study *study) {
  if (study->model == OMR_MODEL_DISC_VEHICLE) return false;
  for (int i = 0; i < study->wheels; i++)
    if (!omr_wheel_is_bare(study->kind[i])) return true;
  return false;
}

bool omr_may_lose_grip(const omr_study *study) {
  return !omr_law_has_impacts(study->contact.law) && study->model != OMR_MODEL_DISC_VEHICLE;
}

bool omr_study_can_observe(const omr_study *study, int index) {
  return (omr_observable_fits(index, study->model, study->wheels) &&
          !omr_study_lacks_springs(study, index)) ||
         own_observable(study, index) || omr_formula_of(study, index);
}

int omr_study_small_samples(const omr_study *study) {
  const omr_small_list *small = omr_small_list_of(study->model);
  return study->graph ? study->graph->samples : small ? small->samples : 0;
}

omr_sample_info omr_study_small_sample(const omr_study *study, int j) {
  if (study->graph) {
    const omr_graph_name *named = &study->graph->sample[j];
    return (omr_sample_info){named->name, named->unit, named->meaning};
  }
  const omr_small_list *small = omr_small_list_of(study->model);
  return omr_framed_sample(omr_small_sample_turn(study->frame, small->model, small->sample_ids[j]),
                           small->sample_list[j]);
}
