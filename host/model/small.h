/* Small models: plain ordinary differential equations without rollers (kernels/small_layout.h).
 * Each is one entry of a table, made in a file of its own (uk_wheel.c); the rest of the host knows
 * them by this interface alone. */
#ifndef OMR_SMALL_H
#define OMR_SMALL_H

#include "../engine/backend.h"

/* Name, unit and meaning of what is sampled. */
typedef struct omr_small_sample {
  const char *name, *unit, *meaning;
} omr_small_sample;

/* One choice of a word, the parameters (OMR_VP_) that it alone makes use of, ended by -1. */
typedef struct omr_small_choice {
  const char *name;
  int uses[16];
  const char *meaning;
} omr_small_choice;

/* A word among the parameters; choice 0 is the default, its number goes to the setting OPTION_ of
 * the word's place. A word may have an effect only where another word, number `under` counted from
 * 1, has the choice `under_choice`. */
typedef struct omr_small_word {
  const char *path;
  int count;
  const omr_small_choice *choices;
  int under, under_choice;
} omr_small_word;

typedef struct omr_small_model {
  omr_model model;
  int flag;            /* OMR_FOR_ of its parameters and observables */
  int number;          /* SMALL_ of kernels/small_layout.h */
  const char *meaning; /* one line for `describe` */
  int params, motion, extremes, samples;
  const omr_small_sample *sample_list;
  int words;
  const omr_small_word *word_list;
  /* Folded parameters, start of what is integrated and of the extremes (zeroed before); false with
   * a reason where there is no such machine. The values are within their bounds. */
  bool (*prepare)(const omr_study *study, const double *values, double *p, double *y, double *e,
                  char *reason, size_t size);
  /* Energy of a state, J: kinetic, and potential where it has one. */
  double (*energy)(const double *p, const double *y);
  /* Observables of an instance that ended at `time`; NaN before. */
  void (*reduce)(const omr_study *study, const double *p, const double *y, const double *e,
                 double time, double initial_energy, double *observables);
  /* Fastest decay in the model, 1/s, for the check of the step. */
  double (*fastest_rate)(const double *p);
  /* Scales of the motions, in their units: error-controlled steps keep the error of each within the
   * tolerance times this. */
  void (*scales)(const double *p, double *scale);
} omr_small_model;

extern const omr_small_model omr_uk_wheel, omr_rolling_disc, omr_wheelset, omr_snakeboard;

/* NULL for an omni model. */
const omr_small_model *omr_small_model_of(omr_model model);
const omr_small_model *omr_small_model_numbered(int number);

/* Whether the OMR_FOR_ bits of a parameter or an observable name the model; none: the omni models
 * alone. */
bool omr_flags_fit(int flags, omr_model model);
/* Whether a study of the model with so many wheels can have the observable (OMR_OBS_); wheels < 0:
 * of any number. */
bool omr_observable_fits(int observable, omr_model model, int wheels);
bool omr_parameter_belongs(const omr_parameter *parameter, omr_model model);
/* "a, b": the models that have it. */
void omr_parameter_models(const omr_parameter *parameter, char *text, size_t size);

/* What host/model/prepare.c and host/engine/ do for a small model. */
void omr_small_settings(const omr_study *study, const omr_small_model *model,
                        omr_run_settings *settings);
bool omr_small_prepare(const omr_study *study, const omr_small_model *model,
                       const omr_values *values, omr_batch *batch, size_t slot, char *reason,
                       size_t size);
double omr_small_energy(const omr_small_model *model, const omr_batch *batch, size_t slot);
void omr_small_reduce(const omr_study *study, const omr_small_model *model,
                      const omr_run_settings *settings, const omr_batch *batch, size_t slot,
                      double initial_energy, double *observables);

#endif
