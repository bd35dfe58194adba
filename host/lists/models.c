#include "models.h"
#include "../support/support.h"

#include <stdio.h>

const char *const omr_model_names[OMR_MODELS] = {
#define OMNI(id, word, meaning) [OMR_MODEL_##id] = #word,
#define SMALL(id, word, meaning) [OMR_MODEL_##id] = #word,
#define GRAPH(id, word, meaning) [OMR_MODEL_##id] = #word,
#include "models.def"
#undef OMNI
#undef SMALL
#undef GRAPH
};

const char *const omr_model_meanings[OMR_MODELS] = {
#define OMNI(id, word, meaning) [OMR_MODEL_##id] = meaning,
#define SMALL(id, word, meaning) [OMR_MODEL_##id] = meaning,
#define GRAPH(id, word, meaning) [OMR_MODEL_##id] = meaning,
#include "models.def"
#undef OMNI
#undef SMALL
#undef GRAPH
};

#include "lists/small_tables.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

const omr_small_list omr_small_lists[OMR_SMALLS] = {
#define OMNI(...)
#define SMALL(id, word, meaning)                                                                   \
  [OMR_SMALL_##                                                                                    \
      id] = {OMR_MODEL_##id, OMR_FOR_##id,      OMR_SMALL_##id + 1, COUNT(word##_samples),         \
             word##_samples, word##_sample_ids, word##_words_end,   word##_words},
#include "models.def"
#undef OMNI
#undef SMALL
};

/* It has no lists, words and kernels: the study has its own. */
static const omr_small_list multibody_list = {
    .model = OMR_MODEL_MULTIBODY, .flag = OMR_FOR_MULTIBODY, .number = OMR_NO_KERNELS};

const char *const omr_own_methods[2] = {"adams", "bdf"};
const char *const omr_own_method_meanings[2] = {
    "Adams' methods of orders to 12 (SUNDIALS CVODE)",
    "backward differentiation of orders to 5 with Newton's method: for stiff springs and friction"};

int omr_word_choices(const omr_small_word *word) {
  int count = 0;
  while (word->choices[count].name) count++;
  return count;
}

const omr_small_list *omr_small_list_of(omr_model model) {
  for (int i = 0; i < OMR_SMALLS; i++)
    if (omr_small_lists[i].model == model) return &omr_small_lists[i];
  return omr_model_is_own(model) ? &multibody_list : NULL;
}

bool omr_flags_fit(int flags, omr_model model) {
  const omr_small_list *small = omr_small_list_of(model);
  if (small) return (flags & small->flag) != 0;
  return (flags & OMR_FOR_ALL) == 0 || (flags & OMR_FOR_OMNI);
}

/* The wheel of an observable of one wheel; -1: it is none. */
static int wheel_of(int observable) {
  static const int first[] = {OMR_OBS_WHEEL0_TORQUE_RMS,     OMR_OBS_WHEEL0_TORQUE_PEAK,
                              OMR_OBS_WHEEL0_CURRENT_PEAK,   OMR_OBS_WHEEL0_LOAD_MEAN,
                              OMR_OBS_WHEEL0_LOAD_DEVIATION, OMR_OBS_WHEEL0_LOST_GRIP_TIME,
                              OMR_OBS_WHEEL0_ENCODER_SLIP,   OMR_OBS_WHEEL0_TRACKING_SLIP};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (observable >= first[i] && observable < first[i] + OMR_MAX_WHEELS)
      return observable - first[i];
  return -1;
}

bool omr_observable_fits(int observable, omr_model model, int wheels) {
  const int most = model == OMR_MODEL_WHEEL ? 1 : wheels < 0 ? OMR_MAX_WHEELS : wheels;
  const bool sprung = omr_observables[observable].group & OMR_OF_COMPLIANT;
  if (sprung && !omr_small_list_of(model) && !omr_has_platform(model)) return false;
  return omr_flags_fit(omr_observables[observable].group, model) &&
         wheel_of(observable) < (most ? most : 1);
}

bool omr_parameter_belongs(const omr_parameter *parameter, omr_model model) {
  if (parameter->flags & OMR_P_WHEEL_ONLY && model != OMR_MODEL_WHEEL) return false;
  if (parameter->flags & OMR_P_VEHICLE_ONLY && !omr_has_platform(model)) return false;
  if (parameter->flags & OMR_P_ROLLERS_ONLY && model != OMR_MODEL_VEHICLE &&
      model != OMR_MODEL_WHEEL)
    return false;
  if (parameter->flags & OMR_P_DISC_ONLY && model != OMR_MODEL_DISC_VEHICLE) return false;
  return omr_flags_fit(parameter->flags, model);
}

void omr_parameter_models(const omr_parameter *parameter, char *text, size_t size) {
  *text = 0;
  for (int m = 0; m < OMR_MODELS; m++)
    if (omr_parameter_belongs(parameter, (omr_model)m))
      omr_print_more(text, size, "%s%s", *text ? ", " : "", omr_model_names[m]);
}
