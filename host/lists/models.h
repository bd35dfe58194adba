/* The models: their words, and the lists of each. */
#ifndef OMR_MODELS_H
#define OMR_MODELS_H

#include "observables.h"
#include "parameters.h"
#include "samples.h"

typedef enum omr_model {
#define OMNI(id, word, meaning) OMR_MODEL_##id,
#define SMALL(id, word, meaning) OMR_MODEL_##id,
#define GRAPH(id, word, meaning) OMR_MODEL_##id,
#include "models.def"
#undef OMNI
#undef SMALL
#undef GRAPH
} omr_model;

/* Numbers of all models and of the small ones. */
enum {
  OMR_MODELS = 0
#define OMNI(...) +1
#define SMALL(...) +1
#define GRAPH(...) +1
#include "models.def"
#undef OMNI
#undef SMALL
#undef GRAPH
};

/* Small models that have kernels: plain ordinary differential equations without rollers. */
enum {
#define OMNI(...)
#define SMALL(id, word, meaning) OMR_SMALL_##id,
#include "models.def"
#undef OMNI
#undef SMALL
  OMR_SMALLS
};

extern const char *const omr_model_names[OMR_MODELS];
/* One line for `describe`. */
extern const char *const omr_model_meanings[OMR_MODELS];

/* Whether the model is a platform on wheels. */
static inline bool omr_has_platform(omr_model model) {
  return model == OMR_MODEL_VEHICLE || model == OMR_MODEL_DISC_VEHICLE;
}

/* Whether the study itself lists the model's parameters, observables and samples, with their names
 * (host/study/own_names.h). */
static inline bool omr_model_is_own(omr_model model) {
  return model == OMR_MODEL_MULTIBODY;
}

/* A choice of a word, and the parameters (OMR_VP_) that only this choice uses, ended by -1. */
typedef struct omr_small_choice {
  const char *name;
  int uses[32];
  const char *meaning;
} omr_small_choice;

/* A word among the parameters; choice 0 is the default, and its number becomes the setting OPTION_
 * at the word's position. A word may depend on another one: on choice `under_choice` of word number
 * `under`, counted from 1. A choice without a name ends the list. */
enum { OMR_MOST_CHOICES = 8 };
typedef struct omr_small_word {
  const char *path;
  int under, under_choice;
  omr_small_choice choices[OMR_MOST_CHOICES + 1];
} omr_small_word;

/* Methods of integration for a model that names its own parameters, which the reference integrates:
 * "adams", the default, and "bdf" for stiff systems. */
extern const char *const omr_own_methods[2];
extern const char *const omr_own_method_meanings[2];

/* The number of choices of a word. */
int omr_word_choices(const omr_small_word *word);

enum { OMR_NO_KERNELS = 0 };

/* The lists of a small model. They are empty for a model whose lists stand in the study. */
typedef struct omr_small_list {
  omr_model model;
  int flag;   /* OMR_FOR_ of its parameters and observables */
  int number; /* the kernels' setting MODEL; OMR_NO_KERNELS: only the reference has it */
  int samples;
  const omr_sample_info *sample_list;
  const char *const *sample_ids; /* [samples]; a column that is integrated has the same id */
  int words;
  const omr_small_word *word_list;
} omr_small_list;

extern const omr_small_list omr_small_lists[OMR_SMALLS];

/* NULL for an omni model. */
const omr_small_list *omr_small_list_of(omr_model model);

/* Whether the OMR_FOR_ bits of a parameter or an observable include the model; without any bit they
 * mean the omni models. */
bool omr_flags_fit(int flags, omr_model model);
/* Whether a study of the model with this number of wheels can have the observable (OMR_OBS_), if
 * need be on compliant contact; wheels < 0: any number. */
bool omr_observable_fits(int observable, omr_model model, int wheels);
bool omr_parameter_belongs(const omr_parameter *parameter, omr_model model);
/* "a, b": the models with the parameter. */
void omr_parameter_models(const omr_parameter *parameter, char *text, size_t size);

#endif
