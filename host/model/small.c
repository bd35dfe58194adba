#include "small.h"

#include "../../kernels/small/small_layout.h"
#include "../lists/observables.h"
#include "fold.h"
#include <math.h>

#define FIRST_PASS 1e-3 /* s: longest first pass of controlled steps */

#define ENTRY(id, word, unused) [OMR_SMALL_##id] = &omr_##word,
static const omr_small_model *const models[OMR_SMALLS] = {SMALL_MODELS(ENTRY, )};

#define CHECK(id, name, unused)                                                                    \
  _Static_assert((int)name##_params + (int)name##_motion <= (int)SMALL_MAX_PARAMS &&               \
                     (int)name##_motion <= (int)SMALL_MAX_MOTION &&                                \
                     (int)name##_extremes <= (int)SMALL_MAX_EXTREMES &&                            \
                     (int)name##_samples <= (int)SMALL_MAX_SAMPLES,                                \
                 "kernels/small/small_layout.h has no room for " #name);
SMALL_MODELS(CHECK, )

const omr_small_model *omr_small_model_of(omr_model model) {
  const omr_small_list *list = omr_small_list_of(model);
  return list && list->number != OMR_NO_KERNELS ? models[list->number - 1] : NULL;
}

const omr_small_model *omr_small_model_numbered(int number) {
  return number > 0 && number <= OMR_SMALLS ? models[number - 1] : NULL;
}

void omr_small_settings(const omr_study *study, const omr_small_model *model, omr_run_settings *s) {
  s->integers[K_MODEL] = model->list->number;
  s->integers[K_METHOD] = (int)study->time.method;
  for (int i = 0; i < SMALL_OPTIONS; i++) s->integers[K_OPTION_0 + i] = study->options[i];
  s->param_columns = model->params + (s->controlled ? model->motion : 0);
  s->state_columns = SMALL_STATE_COUNT(model->motion, model->extremes) +
                     (s->controlled ? (int)SMALL_PACE_COUNT : 0);
  s->spin_columns = 1; /* unused, but a device has no empty buffers */
  s->sample_columns = model->list->samples;
  const int behind = SMALL_STATE_COUNT(model->motion, model->extremes);
  s->step_column = s->controlled ? behind + SMALL_TIME : SMALL_STEP;
  s->fraction_column = s->controlled ? behind + SMALL_TIME_LOW : SMALL_FRACTION;
  s->count_column = s->controlled ? behind + SMALL_PASSES : SMALL_STEP;
  s->status_column = SMALL_STATUS;
  s->substeps_column = SMALL_SUBSTEPS;
  s->tolerance_column = s->controlled ? behind + SMALL_TOLERANCE : 0;
}

/* Columns of a slot gathered into rows. */
typedef struct small_slot {
  double p[SMALL_MAX_PARAMS], y[SMALL_MAX_MOTION], e[SMALL_MAX_EXTREMES];
} small_slot;

static void gather(const omr_small_model *model, const omr_batch *batch, size_t slot,
                   small_slot *s) {
  const double *state = batch->state + slot;
  for (int j = 0; j < model->params; j++) s->p[j] = batch->params[(size_t)j * batch->stride + slot];
  for (int j = 0; j < model->motion; j++)
    s->y[j] = state[(size_t)(SMALL_FIRST + j) * batch->stride];
  for (int j = 0; j < model->extremes; j++)
    s->e[j] = state[(size_t)(SMALL_FIRST + 2 * model->motion + j) * batch->stride];
}

/* Columns of controlled steps (kernels/small/small_controlled.h). */
static void set_pace(const omr_study *study, const omr_small_model *model, const double *p,
                     omr_batch *batch, size_t slot) {
  double scale[SMALL_MAX_MOTION];
  const double pace[SMALL_PACE_COUNT] = {[SMALL_TOLERANCE] = study->time.tolerance,
                                         [SMALL_NEXT] = fmin(FIRST_PASS, study->time.duration),
                                         [SMALL_MOST_PASSES] = omr_pass_limit(study, 1)};
  model->scales(p, scale);
  for (int j = 0; j < model->motion; j++)
    *omr_at(batch->params, batch, slot, model->params + j) = 1 / scale[j];
  for (int j = 0; j < SMALL_PACE_COUNT; j++)
    *omr_at(batch->state, batch, slot, SMALL_STATE_COUNT(model->motion, model->extremes) + j) =
        pace[j];
}

bool omr_small_prepare(const omr_study *study, const omr_small_model *model,
                       const omr_values *values, omr_batch *batch, size_t slot, char *reason,
                       size_t size) {
  small_slot s = {{0}, {0}, {0}};
  /* Values must lie within their bounds before the model folds them. */
  for (int i = 0; i < OMR_VP_COUNT; i++) {
    const omr_parameter *p = &omr_vehicle_parameters[i];
    if ((p->flags & model->list->flag) &&
        !omr_check_bounds(study->frame, i, values->vehicle[i], -1, reason, size))
      return false;
  }

  if (!model->prepare(study, values->vehicle, s.p, s.y, s.e, reason, size)) return false;

  /* The state is 0 except for the motion, the extremes and the clock. */
  for (int j = 0; j < SMALL_STATE_COUNT(model->motion, model->extremes); j++)
    *omr_at(batch->state, batch, slot, j) = 0;
  *omr_at(batch->state, batch, slot, SMALL_STEPS) = (double)study->time.steps;
  *omr_at(batch->state, batch, slot, SMALL_SUBSTEPS) = 1;

  /* Columns of parameters, motion and extremes. */
  for (int j = 0; j < model->params; j++) *omr_at(batch->params, batch, slot, j) = s.p[j];
  for (int j = 0; j < model->motion; j++)
    *omr_at(batch->state, batch, slot, SMALL_FIRST + j) = s.y[j];
  for (int j = 0; j < model->extremes; j++)
    *omr_at(batch->state, batch, slot, SMALL_FIRST + 2 * model->motion + j) = s.e[j];

  /* Columns of controlled steps. */
  if (omr_controls_steps(study)) set_pace(study, model, s.p, batch, slot);
  return true;
}

double omr_small_energy(const omr_small_model *model, const omr_batch *batch, size_t slot) {
  small_slot s;
  gather(model, batch, slot, &s);
  return model->energy(s.p, s.y);
}

void omr_small_reduce(const omr_study *study, const omr_small_model *model,
                      const omr_run_settings *settings, const omr_batch *batch, size_t slot,
                      double initial_energy, double *o) {
  small_slot s;
  gather(model, batch, slot, &s);
  model->reduce(study, s.p, s.y, s.e, omr_slot_time(settings, batch, slot), initial_energy, o);
}
