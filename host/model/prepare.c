#include "prepare.h"

#include "../../kernels/scalar_math.h"
#include "../lists/observables.h"
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

/* Whether a wheel parameter varies over the instances. */
static bool varied(const omr_study *study, int parameter) {
  for (size_t j = 0; j < study->variation_count; j++)
    if (study->variations[j].per_wheel && study->variations[j].index == parameter) return true;
  return false;
}

/* The same of a parameter of the vehicle. */
static bool varied_of_vehicle(const omr_study *study, int parameter) {
  for (size_t j = 0; j < study->variation_count; j++)
    if (!study->variations[j].per_wheel && study->variations[j].index == parameter) return true;
  return false;
}

/* Whether a wheel parameter is above 0 on some wheel of some instance. */
static bool any_above_zero(const omr_study *study, int parameter) {
  for (int i = 0; i < study->wheels; i++)
    if (study->base.wheel[i][parameter] > 0) return true;
  return varied(study, parameter);
}

/* Whether some wheel's weights are coupled, with either sign. */
static bool any_coupled(const omr_study *study) {
  for (int i = 0; i < study->wheels; i++)
    if (study->base.wheel[i][OMR_WP_WEIGHT_COUPLING] != 0) return true;
  return varied(study, OMR_WP_WEIGHT_COUPLING);
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
  if (study->command.kind == OMR_COMMAND_NONE) groups &= ~OMR_OBSERVER_COMMAND;
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

/* Corners of tables within the run, ascending: a controlled pass must end at each. */
static size_t list_corners(const omr_study *study, double *corners) {
  const omr_table *tables[2 + OMR_MAX_WHEELS];
  size_t table_count = 0, count = 0;
  /* Tables of command, drives and external force. */
  if (study->command.kind == OMR_COMMAND_TABLE) tables[table_count++] = &study->command.table;
  for (int i = 0; i < study->wheels; i++)
    if (study->drives.law[i] == OMR_DRIVE_TABLE) tables[table_count++] = &study->drives.table[i];
  if (study->external.kind == OMR_EXTERNAL_TABLE) tables[table_count++] = &study->external.table;

  /* Each corner is inserted once, in order. */
  for (size_t j = 0; j < table_count; j++) {
    for (size_t r = 0; r < tables[j]->rows; r++) {
      const double time = tables[j]->time[r];
      size_t at = count;
      if (!(time > 0 && time < study->time.duration)) continue;
      while (at > 0 && corners[at - 1] > time) at--;
      if (at > 0 && corners[at - 1] == time) continue;
      memmove(corners + at + 1, corners + at, (count - at) * sizeof *corners);
      corners[at] = time;
      count++;
    }
  }

  return count;
}

/* Rows of all tables, an upper bound of the number of corners. */
static size_t table_rows(const omr_study *study) {
  size_t rows = study->command.kind == OMR_COMMAND_TABLE ? study->command.table.rows : 0;
  for (int i = 0; i < study->wheels; i++)
    rows += study->drives.law[i] == OMR_DRIVE_TABLE ? study->drives.table[i].rows : 0;
  rows += study->external.kind == OMR_EXTERNAL_TABLE ? study->external.table.rows : 0;
  return rows;
}

/* Copies a table into the run's tables as rows of time and values. */
static double *pack_table(const omr_table *table, double *to) {
  for (size_t r = 0; r < table->rows; r++) {
    *to++ = table->time[r];
    for (size_t c = 0; c < table->columns; c++) *to++ = table->value[r * table->columns + c];
  }
  return to;
}

/* Two buckets for a row, so most buckets have one row or none. */
static size_t replay_buckets(size_t rows) {
  return 2 * rows;
}

/* Number of values of a replayed table in the run's tables (kernels/layout.h). */
static size_t replay_size(const omr_replay *replay) {
  const size_t rows = replay->table.rows, columns = replay->table.columns;
  return REPLAY_INDEX + replay_buckets(rows) + 1 + rows * (1 + REPLAY_TERMS * columns);
}

/* Copies a replayed table into the run's tables, with the row at the beginning of each bucket of
 * time. */
static double *pack_replay(const omr_replay *replay, double *to) {
  /* The head: times, numbers of buckets and rows, corners. */
  const omr_table *table = &replay->table;
  const size_t rows = table->rows, buckets = replay_buckets(rows);
  const size_t terms = REPLAY_TERMS * table->columns;
  const double first = table->time[0], last = table->time[rows - 1];
  *to++ = first;
  *to++ = last;
  *to++ = (double)buckets / (last - first);
  *to++ = (double)buckets;
  *to++ = (double)rows;
  *to++ = replay->corners;

  /* The first row of each bucket. */
  for (size_t b = 0; b < buckets; b++)
    *to++ = (double)omr_replay_row(replay, first + (double)b * (last - first) / (double)buckets);
  *to++ = (double)(rows - 2);

  /* The rows with the terms of their polynomials. */
  for (size_t r = 0; r < rows; r++) {
    *to++ = table->time[r];
    for (size_t j = 0; j < terms; j++) *to++ = r + 1 < rows ? replay->terms[r * terms + j] : 0;
  }

  return to;
}

static size_t replays_size(const omr_study *study) {
  size_t count =
      study->command.kind == OMR_COMMAND_REPLAY ? replay_size(&study->command.replay) : 0;
  for (int i = 0; i < study->wheels; i++)
    if (omr_is_replay(study->drives.law[i])) count += replay_size(&study->drives.replay[i]);
  return count;
}

static double *pack_replays(const omr_study *study, omr_run_settings *s, double *at) {
  for (int i = 0; i < study->wheels; i++) {
    if (!omr_is_replay(study->drives.law[i])) continue;
    s->integers[K_TABLE_0 + i] = (int)(at - s->tables);
    s->integers[K_ROWS_0 + i] = (int)study->drives.replay[i].table.rows;
    s->integers[K_REPLAYS] |= omr_is_rated(study->drives.law[i]) ? 2 : 1;
    at = pack_replay(&study->drives.replay[i], at);
  }
  return at;
}

static bool make_tables(const omr_study *study, omr_run_settings *s) {
  /* The room of all tables, and of the clock with controlled steps. */
  size_t count = study->command.kind == OMR_COMMAND_TABLE ? study->command.table.rows * 4 : 0;
  for (int i = 0; i < study->wheels; i++)
    if (study->drives.law[i] == OMR_DRIVE_TABLE) count += study->drives.table[i].rows * 2;
  if (study->external.kind == OMR_EXTERNAL_TABLE) count += study->external.table.rows * 7;
  count += replays_size(study) + omr_floor_map_size(study);
  const size_t clock = omr_controls_steps(study) ? 2 + table_rows(study)
                                                 : 0; /* CLOCK_PERIOD ... of kernels/time/pace.h */
  s->table_count = count + clock;
  s->tables = calloc(s->table_count + 1, sizeof *s->tables);
  if (!s->tables) return false;

  /* The command. */
  double *at = s->tables;
  if (study->command.kind == OMR_COMMAND_TABLE) {
    at = pack_table(&study->command.table, at);
    s->integers[K_COMMAND_ROWS] = (int)study->command.table.rows;
  }
  if (study->command.kind == OMR_COMMAND_REPLAY) {
    at = pack_replay(&study->command.replay, at);
    s->integers[K_COMMAND_ROWS] = (int)study->command.replay.table.rows;
  }

  /* Replays and tables of the drives. */
  at = pack_replays(study, s, at);
  for (int i = 0; i < study->wheels; i++) {
    if (study->drives.law[i] != OMR_DRIVE_TABLE) continue;
    s->integers[K_TABLE_0 + i] = (int)(at - s->tables);
    s->integers[K_ROWS_0 + i] = (int)study->drives.table[i].rows;
    at = pack_table(&study->drives.table[i], at);
  }

  /* The external force and the floor. */
  if (study->external.kind == OMR_EXTERNAL_TABLE) {
    s->integers[K_EXTERNAL_START] = (int)(at - s->tables);
    s->integers[K_EXTERNAL_ROWS] = (int)study->external.table.rows;
    at = pack_table(&study->external.table, at);
  }

  /* The floor's map. */
  if (omr_floor_map_size(study)) {
    s->integers[K_FLOOR_MAP] = (int)(at - s->tables);
    at = omr_floor_map_pack(study, at);
  }

  /* The clock with its corners comes last. */
  if (!clock) return true;
  s->integers[K_CLOCK] = (int)(at - s->tables);
  *at++ = study->drives.period;
  *at++ = study->time.duration;
  s->integers[K_CORNERS] = (int)list_corners(study, at);
  return true;
}

/* Whether some instance's supply sags; a variation of its resistance counts. */
static bool any_sag(const omr_study *study) {
  return varied_of_vehicle(study, OMR_VP_SUPPLY_RESISTANCE) ||
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

/* Settings of the loop of the heading, and of limits of the rates asked of wheels. */
static void set_outer_loops(const omr_study *study, int *k) {
  const double *base = study->base.vehicle, period = study->drives.period;
  if (study->command.hold.given) {
    const int every = (int)rint(study->command.hold.period / period),
              late = (int)rint(study->command.hold.delay / period);
    k[K_HEADING] = every;
    k[K_HEADING_LAG] = late / every;
    k[K_HEADING_PHASE] = late % every;
    k[K_GYRO_NOISE] = base[OMR_VP_GYRO_NOISE] > 0 || varied_of_vehicle(study, OMR_VP_GYRO_NOISE);
  }
  if (!isnan(base[OMR_VP_ASKED_RATE]) || !isnan(base[OMR_VP_ASKED_ACCELERATION]) ||
      varied_of_vehicle(study, OMR_VP_ASKED_RATE) ||
      varied_of_vehicle(study, OMR_VP_ASKED_ACCELERATION))
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
  if (!s->integers || !make_tables(study, s))
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

/* Sum of the squared spins of all rollers of a wheel, from the spins in memory; with bearing
 * friction they are composed of their decaying parts (kernels/exchange.h). */
static double sum_square_spins(const omr_run_settings *s, const omr_batch *batch, size_t slot,
                               int i, double now) {
  const double *p = batch->params, *t = batch->state;
#define PARAM(id) p[(size_t)OMR_PARAM_COLUMN(i, id) * batch->stride + slot]
#define STATE(id) t[(size_t)OMR_STATE_COLUMN(i, id) * batch->stride + slot]
  int most = s->integers[K_MAX_ROLLERS], n = (int)PARAM(W_ROLLERS), active = (int)STATE(T_ACTIVE);
  int times = s->integers[K_WHEELS] * most;
  /* Other rollers that carry load: the second one where the wheel rests on two
   * (kernels/edges/edge.h), and both neighbours on compliant contact. */
  int second = -1, third = -1;

  /* On compliant contact three rollers carry load. */
  double sum = STATE(T_SPIN) * STATE(T_SPIN);
  if (s->integers[K_COMPLIANT]) {
    second = (active + n - 1) % n;
    third = (active + 1) % n;
    sum += STATE(T_BEFORE) * STATE(T_BEFORE) + STATE(T_AFTER) * STATE(T_AFTER);
  }

  /* On an edge two rollers do. */
  if (fabs(STATE(T_REST)) > 1) {
    second = (active + (STATE(T_REST) > 0 ? n - 1 : 1)) % n;
    sum += STATE(T_SECOND) * STATE(T_SECOND);
  }

  /* The idle rollers; with bearing friction their spins have decayed since they were stored. */
  for (int j = 0; j < n; j++) {
    if (j == active || j == second || j == third) continue;
    int column = i * most + j;
    double spin = *omr_spin_at(s, batch, slot, column);
    if (s->integers[K_BEARING]) {
      double angle = 2 * PARAM(W_ALPHA) * (j - active),
             age = now - *omr_spin_at(s, batch, slot, times + column);
      double sine, cosine;
      omr_math_sincos(angle, &sine, &cosine);
      spin = spin * omr_math_exp(-PARAM(W_DECAY) * age) +
             PARAM(W_COS_PSI) * (cosine * STATE(T_BEARING_A) + sine * STATE(T_BEARING_B)) +
             PARAM(W_SIN_PSI) * STATE(T_BEARING_D);
    }
    sum += spin * spin;
  }

  return sum;
#undef PARAM
#undef STATE
}

/* Energy of a wheel that turns about its axle with its rotor, from half its squared rate; the
 * inverse inertia is 0 where the rate is prescribed. */
static double turning_energy(const omr_run_settings *s, const omr_batch *batch, size_t slot, int i,
                             double half_square) {
  const bool rated = omr_is_rated((omr_drive)s->integers[K_DRIVE_0 + i]);
  const int column = OMR_PARAM_COLUMN(i, rated ? W_DRIVE_3 : W_INV_INERTIA);
  const double value = batch->params[(size_t)column * batch->stride + slot];
  return rated ? half_square * value : half_square / value;
}

/* Kinetic energy of a level platform with its wheels' masses. */
static double planar_energy(const omr_batch *batch, size_t slot) {
  const double *p = batch->params, *t = batch->state;
  size_t stride = batch->stride;
#define PARAM(id) p[(size_t)(id)*stride + slot]
#define STATE(id) t[(size_t)(id)*stride + slot]
  double vx = STATE(S_VX), vz = STATE(S_VZ), omega = STATE(S_YAW_RATE), mass = PARAM(P_MASS);
  /* Velocity of the centre of mass: V + omega j x c */
  double ux = vx + omega * PARAM(P_COM_Z), uz = vz - omega * PARAM(P_COM_X);
  return 0.5 * mass * (ux * ux + uz * uz) + 0.5 * omega * omega / PARAM(P_INV_YAW);
#undef PARAM
#undef STATE
}

double omr_kinetic_energy(const omr_run_settings *s, const omr_batch *batch, size_t slot) {
  /* A small model has an energy of its own. */
  const omr_small_model *small = omr_small_model_numbered(s->integers[K_MODEL]);
  if (small) return omr_small_energy(small, batch, slot);
  const double *p = batch->params, *t = batch->state;
  size_t stride = batch->stride;
#define PARAM(id) p[(size_t)(id)*stride + slot]
#define STATE(id) t[(size_t)(id)*stride + slot]
  double now = omr_slot_time(s, batch, slot);
  double energy =
      s->integers[K_COMPLIANT] ? omr_compliant_energy(s, batch, slot) : planar_energy(batch, slot);

  /* Platform, wheels and rollers. */
  for (int i = 0; i < s->integers[K_WHEELS]; i++) {
    double rate = STATE(OMR_STATE_COLUMN(i, T_RATE));
    energy += turning_energy(s, batch, slot, i, 0.5 * rate * rate);
    energy += 0.5 * PARAM(OMR_PARAM_COLUMN(i, W_ROLLER_INERTIA)) *
              sum_square_spins(s, batch, slot, i, now);
  }

  /* Penalty contact stores energy in its springs. */
  if (s->integers[K_PENALTY]) energy += omr_heave_energy(s, batch, slot);
  return energy;
#undef PARAM
#undef STATE
}

double omr_total_yaw(const omr_batch *batch, size_t slot) {
  return batch->state[(size_t)S_YAW * batch->stride + slot] +
         2 * PI * batch->state[(size_t)S_TURNS * batch->stride + slot];
}
