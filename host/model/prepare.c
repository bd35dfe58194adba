#include "prepare.h"

#include "../../kernels/scalar_math.h"
#include "../lists/observables.h"
#include "../study/command.h"
#include "../study/derived.h"
#include "../study/own_names.h"
#include "../study/tables/replay.h"
#include "compliant.h"
#include "floor.h"
#include "rolling.h"
#include "small.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether a wheel parameter is above 0 on some wheel of some instance. */
static bool any_above_zero(const omr_study *study, int parameter) {
  for (int i = 0; i < study->wheels; i++)
    if (study->base.wheel[i][parameter] > 0) return true;
  return omr_varies(study, true, parameter);
}

/* Whether some wheel's weights are coupled, with either sign. */
static bool any_coupled(const omr_study *study) {
  for (int i = 0; i < study->wheels; i++)
    if (study->base.wheel[i][OMR_WP_WEIGHT_COUPLING] != 0) return true;
  return omr_varies(study, true, OMR_WP_WEIGHT_COUPLING);
}

/* Largest number of rollers on a wheel over all instances; a draw without levels can give any
 * number. */
static int most_rollers(const omr_study *study) {
  if (study->model == OMR_MODEL_DISC_VEHICLE) return 1; /* kernels/disc.h */
  double most = 0;
  for (int i = 0; i < study->wheels; i++)
    if (!omr_wheel_is_bare(study->kind[i])) most = fmax(most, study->base.wheel[i][OMR_WP_ROLLERS]);
  if (most == 0) return 1;
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    if (!v->per_wheel || v->index != OMR_WP_ROLLERS) continue;
    if (v->levels == 0) return OMR_MAX_ROLLERS;
    for (size_t l = 0; l < v->levels; l++) most = fmax(most, v->values[l]);
  }
  return most > OMR_MAX_ROLLERS ? OMR_MAX_ROLLERS : (int)most;
}

/* The study's tracking of the contact, or both kinds where the instances differ
 * (kernels/tracking.h). */
static int wanted_tracking(const omr_study *study) {
  double tracking = study->base.vehicle[OMR_VP_TRACKING];
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    if (v->per_wheel || v->index != OMR_VP_TRACKING) continue;
    tracking = v->values[0];
    for (size_t l = 1; l < v->levels; l++)
      if (v->values[l] != tracking)
        return OMR_TRACKING_IMPLICIT + 1; /* TRACKING_BOTH of the kernels */
  }
  return tracking > 0;
}

/* Only the reference tracks the nearest points of two surfaces. */
static bool is_tracked_generally(const omr_study *study) {
  if (study->base.vehicle[OMR_VP_TRACKING] > 1) return true;
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    if (v->per_wheel || v->index != OMR_VP_TRACKING) continue;
    for (size_t l = 0; l < v->levels; l++)
      if (v->values[l] > 1) return true;
  }
  return false;
}

static int wanted_observers(const omr_study *study) {
  int groups = 0;
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_observable_in(&study->observables, i))
      groups |= omr_observables[i].group & OMR_OBSERVER_ALL;
  if (!omr_command_is_known(study)) groups &= ~OMR_OBSERVER_COMMAND;
  if (study->command.way.odometry) groups |= OMR_OBSERVER_ODOMETRY;
  if (study->command.feedback.states &
      (1u << OMR_FEEDBACK_X | 1u << OMR_FEEDBACK_Z | 1u << OMR_FEEDBACK_YAW))
    groups |= OMR_OBSERVER_COMMAND;
  if (study->model == OMR_MODEL_WHEEL) groups &= ~OMR_OBSERVER_ODOMETRY;
  if (!omr_study_has_controller(study)) groups &= ~OMR_OBSERVER_ENCODER;
  if (!study->odometry.chosen) groups &= ~OMR_OBSERVER_TRACKING;
  if (!omr_may_lose_grip(study)) groups &= ~OMR_OBSERVER_GRIP;
  if (study->external.kind)
    groups |= OMR_OBSERVER_MOTORS; /* which separate its work from the drives' */
  return groups;
}

/* Bits of the observables with state columns of their own whose observers the run has. */
static int wanted_kept(const omr_study *study, int observers) {
  int bits = 0;
#define X(...)
#define COLUMN(...)
#define KEPT(id, ...)                                                                              \
  if (omr_study_observes(study, OMR_OBS_##id) &&                                                   \
      !(omr_observables[OMR_OBS_##id].group & OMR_OBSERVER_ALL & ~observers))                      \
    bits |= 1 << OMR_KEPT_##id;
#include "lists/observables.def"
#undef KEPT
#undef COLUMN
#undef X
  return bits;
}

/* Whether some instance's supply sags; a variation of its resistance counts. */
static bool any_sag(const omr_study *study) {
  return omr_varies(study, false, OMR_VP_SUPPLY_RESISTANCE) ||
         study->base.vehicle[OMR_VP_SUPPLY_RESISTANCE] > 0;
}

/* Settings of motors and supply; DRIVE_0 ... and BY_0 ... are already set. */
static void set_motors(const omr_study *study, int *k) {
  k[K_RECOVERS] = !study->drives.no_regeneration;
  for (int i = 0; i < study->wheels; i++) {
    if (study->drives.by[i] == OMR_BY_TORQUE) continue;
    k[K_MOTOR] = 1;
    if (study->drives.by[i] == OMR_BY_DUTY && any_sag(study)) k[K_SAG] = 1;
  }
  k[K_INDUCTANCE] = k[K_MOTOR] && any_above_zero(study, OMR_WP_INDUCTANCE);
  k[K_CURRENT_LIMIT] = k[K_MOTOR] && any_above_zero(study, OMR_WP_CURRENT_LIMIT);
}

/* Settings of the loops of heading and path, and of limits of the rates asked of wheels. */
static void set_outer_loops(const omr_study *study, int *k) {
  const double *base = study->base.vehicle, period = study->drives.period;
  if (study->command.hold.given) {
    const int every = (int)rint(study->command.hold.period / period),
              late = (int)rint(study->command.hold.delay / period);
    k[K_HEADING] = every;
    k[K_HEADING_LAG] = late / every;
    k[K_HEADING_PHASE] = late % every;
    k[K_GYRO_NOISE] = base[OMR_VP_GYRO_NOISE] > 0 || omr_varies(study, false, OMR_VP_GYRO_NOISE);
  }
  if (study->command.kind == OMR_COMMAND_PATH) {
    k[K_WAY] = (int)rint(study->command.way.period / period);
    k[K_WAY_BITS] = (study->command.way.cross ? WAY_CROSS : 0) |
                    (study->command.way.translate ? WAY_TRANSLATE : 0) |
                    (study->command.way.closed ? WAY_CLOSED : 0) |
                    (study->command.way.odometry ? WAY_ODOMETRY : 0);
  }
  if (!isnan(base[OMR_VP_ASKED_RATE]) || !isnan(base[OMR_VP_ASKED_ACCELERATION]) ||
      omr_varies(study, false, OMR_VP_ASKED_RATE) ||
      omr_varies(study, false, OMR_VP_ASKED_ACCELERATION))
    k[K_ASKED_LIMIT] = study->command.each ? ASKED_EACH : ASKED_TOGETHER;
}

/* Unit and end of the clock: steps, or seconds with controlled steps. */
static void set_clock(const omr_study *study, omr_run_settings *s) {
  s->controlled = omr_controls_steps(study);
  s->step = s->controlled ? 1 : study->time.step;
  s->end = s->controlled ? study->time.duration : (double)study->time.steps;
}

/* Settings of the kinds of wheels. */
static void set_kinds(const omr_study *study, int *k) {
  for (int i = 0; i < study->wheels; i++) {
    const omr_wheel_kind kind = study->kind[i];
    k[K_KIND_0 + i] = (int)kind;
    k[K_KINDS] |= (omr_wheel_is_bare(kind) ? KINDS_BARE : 0) |
                  (omr_wheel_swivels(kind) ? KINDS_SWIVEL : 0) |
                  (kind == OMR_WHEEL_SWERVE ? KINDS_STEERED : 0) |
                  (kind == OMR_WHEEL_TRACKING ? KINDS_TRACKED : 0);
  }
}

/* Settings of bodies, contact and floor. */
static void set_contact(const omr_study *study, int *k) {
  k[K_WHEELS] = study->wheels;
  k[K_MAX_ROLLERS] = most_rollers(study);
  set_kinds(study, k);
  k[K_CONTACT] = study->model == OMR_MODEL_DISC_VEHICLE;
  k[K_PENALTY] = study->contact.penalty;
  k[K_COMPONENTS] = study->contact.components;
  k[K_COMPLIANT] = study->contact.compliant;
  k[K_HERTZ] = study->contact.hertz;
  k[K_KELVIN_VOIGT] = study->contact.kelvin_voigt;
  k[K_SUSPENSION] = study->contact.suspension;
  k[K_FLOOR] = omr_floor_bits(study);
  k[K_FLOOR_WAVES] = omr_floor_waves(study);
  /* Exchanges change nothing for discs and classical rollers, nor where each roller carries load by
   * its own penetration. */
  k[K_SPLIT] = study->time.split && !k[K_CONTACT] && !study->contact.compliant &&
               omr_law_has_exchanges(study->contact.law);
}

/* Settings of method and law. */
static void set_law(const omr_study *study, int *k) {
  k[K_METHOD] = (int)study->time.method;
  k[K_BUDGET] = study->time.budget > 0;
  k[K_BEARING] = any_above_zero(study, OMR_WP_ROLLER_BEARING);
  k[K_LAW] = (int)study->contact.law;
  k[K_CONSTRAINED] = !omr_law_is_friction(study->contact.law);
  k[K_LINEAR_ZONE] = study->contact.linear_zone;
  k[K_WEIGHTS] = (int)study->contact.weights;
  k[K_CONTACT_WISE] = study->contact.contact_wise;
  k[K_WEIGHT_COUPLING] = study->contact.law == OMR_LAW_RELAXED && any_coupled(study);
  k[K_PASSIVE] = study->contact.passive;
  k[K_IMPACT] = study->contact.impact;
  k[K_TRACKING] = wanted_tracking(study);
  k[K_TYRE_LAW] = (int)study->contact.tyre_law;
  for (int i = 0; i < study->wheels; i++)
    k[K_ROLLING_FRICTION] |=
        omr_kind_uses(&omr_law_kinds[omr_wheel_law(study, i)], OMR_WP_ROLLING_FRICTION) &&
        any_above_zero(study, OMR_WP_ROLLING_FRICTION);
  k[K_YAW_LOSS] = omr_loses_yaw(study);
  k[K_DRY] = omr_dry_bits(study);
}

/* Numbers of the columns, and the columns of the clock; bodies and law are set. */
static void set_columns(const omr_study *study, omr_run_settings *s) {
  s->param_columns = OMR_PARAM_COUNT(study->wheels) + omr_floor_columns(study);
  s->state_columns = OMR_STATE_COUNT(study->wheels);
  s->spin_columns = study->wheels * s->integers[K_MAX_ROLLERS] * (s->integers[K_BEARING] ? 2 : 1);
  s->sample_columns = OMR_VS_COUNT + study->wheels * OMR_WS_COUNT;
  s->step_column = s->controlled ? S_TIME : S_STEP;
  s->fraction_column = s->controlled ? S_TIME_LOW : S_FRACTION;
  s->count_column = s->controlled ? S_PASSES : S_STEP;
  s->status_column = S_STATUS;
  s->substeps_column = S_SUBSTEPS;
  s->tolerance_column = S_TOLERANCE;
}

omr_status omr_settings_make(const omr_study *study, omr_run_settings *s, omr_error *error) {
  memset(s, 0, sizeof *s);
  /* A contact that only the reference tracks is refused. */
  if (study->wheels && is_tracked_generally(study))
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: contact.tracking \"general\" and \"general_differential\" are for the "
                    "reference alone (omniroll "
                    "reference); the ensembles track the contact \"explicit\" or \"implicit\"",
                    study->name);

  /* Tables and clock, which all models share. */
  s->integers = calloc(K_COUNT, sizeof *s->integers);
  if (!s->integers || !omr_make_tables(study, s))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  int *k = s->integers;
  set_clock(study, s);
  k[K_CONTROLLED] = s->controlled;

  /* Small models set the rest themselves. */
  const omr_small_model *small = omr_small_model_of(study->model);
  if (small) {
    omr_small_settings(study, small, s);
    return OMR_OK;
  }
  if (omr_model_is_own(study->model)) return OMR_OK; /* it has no columns */

  /* Bodies and law, then ground, observers and external influences. */
  set_contact(study, k);
  set_law(study, k);
  k[K_GROUND] = (int)study->floor.kind;
  for (int i = 0; i < OMR_PATCHES; i++) k[K_PATCH_0 + i] = (int)study->floor.patch[i];
  k[K_OBSERVERS] = wanted_observers(study);
  k[K_OBSERVED] = wanted_kept(study, k[K_OBSERVERS]);
  k[K_ODO_GYRO] = study->odometry.gyro;
  k[K_COMMAND] = (int)study->command.kind;
  k[K_EXTERNAL] = (int)study->external.kind;
  k[K_EXTERNAL_WORLD] = study->external.in_world;

  /* Drives and motors. */
  for (int i = 0; i < study->wheels; i++) {
    k[K_DRIVE_0 + i] = (int)(omr_replays_effort(study->drives.law[i]) ? OMR_DRIVE_REPLAY_TORQUE
                                                                      : study->drives.law[i]);
    if (omr_is_controller(study->drives.law[i])) k[K_CONTROL] = 1;
    if (omr_is_rated(study->drives.law[i])) k[K_REPLAYS] |= 2;
    if (!isnan(study->base.wheel[i][OMR_WP_STALL_TORQUE])) k[K_LINE] = 1;
    k[K_BY_0 + i] = (int)study->drives.by[i];
  }

  set_motors(study, k);
  set_outer_loops(study, k);

  /* Controllers sample every so many steps. */
  k[K_CONTROL_STEPS] = k[K_CONTROL] && !s->controlled
                           ? (int)__builtin_rint(study->drives.period / study->time.step)
                           : 1;

  set_columns(study, s);
  return OMR_OK;
}

/* Fills a slot that never runs with harmless numbers. */
static void blank_slot(const omr_run_settings *s, omr_batch *batch, size_t slot) {
  for (int j = 0; j < s->param_columns; j++) *omr_at(batch->params, batch, slot, j) = 1;
  for (int j = 0; j < s->state_columns; j++) *omr_at(batch->state, batch, slot, j) = 0;
  for (int j = 0; j < s->spin_columns; j++) *omr_spin_at(s, batch, slot, j) = 0;
  *omr_at(batch->state, batch, slot, s->substeps_column) = 1;
  *omr_at(batch->state, batch, slot, s->status_column) = OMR_INSTANCE_INVALID;
}

bool omr_prepare_instance(const omr_study *study, const omr_run_settings *settings,
                          const omr_values *values, omr_batch *batch, size_t slot, char *reason,
                          size_t size) {
  omr_vehicle_body body;
  if (omr_model_is_own(study->model)) return true; /* the reference assembles it itself */
  /* Spins that no roller has stay 0. */
  for (int j = 0; j < settings->spin_columns; j++) *omr_spin_at(settings, batch, slot, j) = 0;

  /* Small models fill the slot themselves. */
  const omr_small_model *small = omr_small_model_numbered(settings->integers[K_MODEL]);
  if (small) {
    bool made = omr_small_prepare(study, small, values, batch, slot, reason, size);
    if (!made) blank_slot(settings, batch, slot);
    return made;
  }

  /* Body, folded parameters and initial state; a failed slot gets harmless numbers. */
  omr_values rolling;
  bool good = omr_build_body(study, values, &body, reason, size);
  if (good && study->start.rolls) {
    rolling = *values;
    omr_start_rolling(study, &body, &rolling);
    values = &rolling;
  }
  good = good && omr_fold_parameters(study, values, &body, batch, slot, reason, size) &&
         omr_set_initial(study, settings, values, &body, batch, slot, reason, size);
  if (!good) blank_slot(settings, batch, slot);
  return good;
}

void omr_prepare_refined(const omr_study *study, const omr_run_settings *s, omr_batch *batch,
                         size_t slot, int level) {
  const int substeps = omr_substeps(level);
  if (s->controlled) {
    *omr_at(batch->state, batch, slot, s->tolerance_column) =
        omr_study_refined(study, level).time.tolerance;
    return;
  }
  *omr_at(batch->state, batch, slot, s->substeps_column) = substeps;
  if (s->integers[K_BUDGET])
    *omr_at(batch->params, batch, slot, P_PASS_LIMIT) = omr_pass_limit(study, substeps);
}

void omr_prepare_padding(const omr_run_settings *s, omr_batch *batch, size_t from, size_t to) {
  for (int j = 0; j < s->param_columns; j++)
    *omr_at(batch->params, batch, to, j) = *omr_at(batch->params, batch, from, j);
  for (int j = 0; j < s->state_columns; j++)
    *omr_at(batch->state, batch, to, j) = *omr_at(batch->state, batch, from, j);
  for (int j = 0; j < s->spin_columns; j++)
    *omr_spin_at(s, batch, to, j) = *omr_spin_at(s, batch, from, j);
  *omr_at(batch->state, batch, to, s->status_column) = OMR_INSTANCE_INVALID;
}

double omr_total_yaw(const omr_batch *batch, size_t slot) {
  return batch->state[(size_t)S_YAW * batch->stride + slot] +
         2 * PI * batch->state[(size_t)S_TURNS * batch->stride + slot];
}
