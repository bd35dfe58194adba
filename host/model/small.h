/* Small models: plain ordinary differential equations without rollers
 * (kernels/small/small_layout.h). Each is one entry of a table, in a file of its own (uk_wheel.c),
 * and the rest of the host uses only this interface. */
#ifndef OMR_SMALL_H
#define OMR_SMALL_H

#include "../lists/models.h"
#include "../lists/observables.h"
#include "batch.h"

#include <math.h>

typedef struct omr_small_model {
  const omr_small_list *list;   /* its lists in host/lists */
  int params, motion, extremes; /* columns (kernels/small/NAME_layout.h) */
  /* Folds the parameters and sets the initial motion and the extremes (zeroed before); false with a
   * reason where the values make no machine. The values are within their bounds. */
  bool (*prepare)(const omr_study *study, const double *values, double *p, double *y, double *e,
                  char *reason, size_t size);
  /* Energy of a state, J: kinetic, plus potential if there is one. */
  double (*energy)(const double *p, const double *y);
  /* Observables of an instance that ended at `time`; they are NaN before. */
  void (*reduce)(const omr_study *study, const double *p, const double *y, const double *e,
                 double time, double initial_energy, double *observables);
  /* Fastest decay in the model, 1/s, for the check of the step. */
  double (*fastest_rate)(const double *p);
  /* Scales of the motions, in their units: controlled steps keep the error of each motion within
   * the tolerance times its scale. */
  void (*scales)(const double *p, double *scale);
} omr_small_model;

/* Defines a small model of lists/models.def in its own file, from the functions of these names. */
#define OMR_SMALL_MODEL(ID, word)                                                                  \
  const omr_small_model omr_##word = {.list = &omr_small_lists[OMR_SMALL_##ID],                    \
                                      .params = word##_params,                                     \
                                      .motion = word##_motion,                                     \
                                      .extremes = word##_extremes,                                 \
                                      .prepare = prepare,                                          \
                                      .energy = energy,                                            \
                                      .reduce = reduce,                                            \
                                      .fastest_rate = fastest_rate,                                \
                                      .scales = scales}

/* energy_error: the missing energy over the largest energy of a run. If that is below a hundredth
 * of the mass's energy at its largest or mean speed, the machine is at rest again without losses
 * and its energies may be rounding errors: then over the latter. */
static inline double omr_energy_error(double missing, double scale, double mass, double speed) {
  const double on_the_way = 0.5 * mass * speed * speed,
               most = scale < 0.01 * on_the_way ? on_the_way : scale;
  return most > 0 ? missing / most : 0;
}

/* How a body that is pulled or driven on against friction has ended, in SI units: energies over the
 * run, and the largest speed, slip and part of the saturation limit. */
typedef struct omr_pulled {
  double mass, initial, final, lost, work, speed, slip, traction;
} omr_pulled;
/* Their observables. */
static inline void omr_reduce_pulled(const omr_pulled *end, double *o) {
  const double gained = end->final - end->initial;
  const double scale =
      fmax(fmax(fabs(end->initial), fabs(end->final)), fmax(fabs(end->lost), fabs(end->work)));
  o[OMR_OBS_MAX_SPEED] = end->speed;
  o[OMR_OBS_MAX_SLIP] = end->slip;
  o[OMR_OBS_MAX_TRACTION_RATIO] = end->traction;
  o[OMR_OBS_DISSIPATED_ENERGY] = end->lost;
  o[OMR_OBS_DRIVE_WORK] = end->work;
  o[OMR_OBS_ENERGY_ERROR] =
      omr_energy_error(gained + end->lost - end->work, scale, end->mass, end->speed);
  o[OMR_OBS_ENERGY_LOST] = end->work - gained;
}

#define OMNI(...)
#define SMALL(id, word, meaning) extern const omr_small_model omr_##word;
#include "../lists/models.def"
#undef OMNI
#undef SMALL

/* NULL for an omni model, and for a model without kernels. */
const omr_small_model *omr_small_model_of(omr_model model);
const omr_small_model *omr_small_model_numbered(int number);

/* The parts of host/model/prepare.c and host/engine for small models. */
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
