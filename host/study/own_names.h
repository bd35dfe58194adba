/* Names of a study's parameters, observables and samples. Rows of the lists have their names there,
 * in the words of the study's frame; a model that takes names from its study (omr_model_is_own) has
 * places in the lists that this study names (graph.h). Everything that prints or stores a name,
 * unit or meaning by its number looks it up here. Texts live as long as the study. */
#ifndef OMR_STUDY_OWN_NAMES_H
#define OMR_STUDY_OWN_NAMES_H

#include "../lists/models.h"
#include "study.h"

/* The row of a parameter (OMR_VP_, or OMR_WP_ per wheel), and of an observable (OMR_OBS_). A place
 * that the study leaves free has the name "". */
omr_parameter omr_study_parameter(const omr_study *study, bool per_wheel, int index);
omr_observable omr_study_observable(const omr_study *study, int index);

/* Only the parameter's path, and an observable's name. */
const char *omr_study_path(const omr_study *study, bool per_wheel, int index);
const char *omr_study_observable_name(const omr_study *study, int index);

/* Whether the study's model has it (omr_parameter_belongs), or the study itself. */
bool omr_study_has_parameter(const omr_study *study, bool per_wheel, int index);
/* Whether the study can keep the observable: omr_observable_fits, or the study names it. */
bool omr_study_can_observe(const omr_study *study, int index);
/* Whether the observable is of compliant contact, which the study of an omni_vehicle does not have.
 */
bool omr_study_lacks_springs(const omr_study *study, int index);
/* Whether some wheel has rollers. */
bool omr_has_rollers(const omr_study *study);
/* Whether wheels can lose their grip: constraints that hold leave no slip to judge by, and a disc
 * of painted rollers slips as it rolls. */
bool omr_may_lose_grip(const omr_study *study);

/* Sample j of a trajectory of a small model, j < omr_study_small_samples; 0 of an omni model. */
int omr_study_small_samples(const omr_study *study);
omr_sample_info omr_study_small_sample(const omr_study *study, int j);

#endif
