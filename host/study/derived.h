/* Studies made of a study: by other steps, on another engine, with more or less looked at. Nobody
 * changes a study that was read; who wants another one makes it here. Each shares all that the
 * first points to, and lasts no longer. */
#ifndef OMR_DERIVED_H
#define OMR_DERIVED_H

#include "study.h"

#define OMR_LEAST_TOLERANCE 1e-10
#define OMR_LEAST_OWN_TOLERANCE                                                                    \
  1e-14 /* of a system of the study's own: the least that double resolves at order 12 */
#define OMR_LEAST_SINGLE_TOLERANCE                                                                 \
  1e-5 /* below it single precision rounds more than the steps err */
#define OMR_MOST_TOLERANCE 0.5
#define OMR_NOMINAL_STEP                                                                           \
  1e-3 /* s: by which the work of controlled steps is weighed, for chunks and progress */

/* The least tolerance that a study of the model may ask for. */
static inline double omr_least_tolerance(omr_model model) {
  return omr_model_is_own(model) ? OMR_LEAST_OWN_TOLERANCE : OMR_LEAST_TOLERANCE;
}

/* The same study with the step halved `level` times, or the tolerance divided by ten so often:
 * times of samples, controllers and the end do not change. Steps are divided by powers of two, so
 * that all of them are exact. It is unjudged, since the longer step was judged already. */
omr_study omr_study_refined(const omr_study *study, int level);

/* The same with `parts` steps where the study has `of`, which divides omr_study_common_steps:
 * longer ones or shorter ones, in which duration, samples and controllers fit all the same; a
 * tolerance is multiplied by of/parts, up or down. */
omr_study omr_study_with_steps(const omr_study *study, uint64_t parts, uint64_t of);

/* Steps of the longest time of which duration, time between samples and controller period are whole
 * multiples. */
uint64_t omr_study_common_steps(const omr_study *study);

/* The longest time of which duration, time between samples and controller period are whole
 * multiples, s; 0 where there is none above a ten-millionth of the duration. Steps that divide it
 * fit, whether the study's own are fixed or not. */
double omr_study_common_time(const omr_study *study);

/* Whether a drive is sampled every controller_period. */
bool omr_study_has_controller(const omr_study *study);

/* The method that a tolerance goes with: the linearly implicit pair with friction of an omni model,
 * which is stiff. */
omr_method omr_study_pair(const omr_study *study);
/* Whether the study's model and law can be integrated by it. */
bool omr_study_takes(const omr_study *study, omr_method method);

/* The study by another method: with fixed steps, or with a tolerance where `step` is 0. A step
 * divides omr_study_common_time. As omr_study_refined otherwise; a budget, which counts in the unit
 * of one kind of step, is left out. */
omr_study omr_study_integrated(const omr_study *study, omr_method method, double step,
                               double tolerance);

/* The study with a time between samples: its own, or where it traces nothing about a hundredth of
 * the duration. */
omr_study omr_study_sampled(const omr_study *study);

/* The study of a measured run, with a sample at each instant that is compared; nothing is observed,
 * failures are recorded. */
omr_study omr_study_compared(const omr_study *study);
/* With so many instances, whose coordinates are known (study/part.h). */
omr_study omr_study_of_members(const omr_study *study, size_t members);

/* Only the study's first `steps`; of controlled steps nominal ones. */
omr_study omr_study_sooner(const omr_study *study, uint64_t steps);
/* The study with another engine section. */
omr_study omr_study_on(const omr_study *study, const omr_engine_options *engine);
/* Nothing is said of a step that is too long, whatever integrator.stability says. */
omr_study omr_study_unwarned(const omr_study *study);
/* The same study, whose doubts were looked for, and whose one instance may be no vehicle. */
omr_study omr_study_doubted(const omr_study *study);
/* The same; failures that would end the run are recorded. */
omr_study omr_study_recorded(const omr_study *study);
/* The same with all rows in its result. */
omr_study omr_study_with_rows(const omr_study *study);
/* The same; failures are recorded, and no step error is measured, since the study itself was. */
omr_study omr_study_unjudged(const omr_study *study);
/* The vehicle starts rolling by its wheels' rates. */
omr_study omr_study_rolling(const omr_study *study);
/* With or without a measurement of the step error, whatever integrator.step_error says. */
omr_study omr_study_measured(const omr_study *study, bool measured);
/* With one observable more (OMR_OBS_); with none, as a design without runs has it. */
omr_study omr_study_observing(const omr_study *study, int observable);
omr_study omr_study_bare(const omr_study *study);
/* With the text, its hash and the file name that a result or a folder keeps of it. */
omr_study omr_study_as_kept(const omr_study *study, char *text, char *name, const char hash[33]);
/* With an OMR_VP_ parameter at one value, varied or not. `value` and variations
 * [study->variation_count], which receives a list of its own, must last as long as the study. */
omr_study omr_study_with_value(const omr_study *study, int parameter, double *value,
                               omr_variation *variations);

/* Substeps of a level: how many steps it takes to one of the study's, where steps are fixed. */
static inline int omr_substeps(int level) {
  return 1 << level;
}

/* Whether lanes can count the steps of a level in a precision, or keep its tolerance. */
bool omr_study_resolves(const omr_study *study, omr_precision precision, int level);

#endif
