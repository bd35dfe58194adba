#include "failures.h"

#include "../../kernels/small/small_layout.h"
#include "../lists/frames.h"
#include "../model/small.h"
#include "../study/own_names.h"
#include "result.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct motion_column {
  const char *id, *symbol, *unit, *meaning;
} motion_column;

/* Integrated quantities of each small model, by its number in host/lists/models.def. The macro of a
 * row is X, as in the lists: a column that is called X would get another macro's name. */
#define X(id, symbol, unit, meaning) {#id, symbol, unit, meaning},
#define COLUMNS(id, word, unused) [OMR_SMALL_##id] = (const motion_column[]){id##_MOTION(X)},
static const motion_column *const motion_columns[OMR_SMALLS] = {SMALL_MODELS(COLUMNS, )};
#undef X

static void add_quantity(omr_failure_quantity *list, size_t *count, omr_framing turn,
                         omr_sample_info listed, int source) {
  const omr_sample_info info = omr_framed_sample(turn, listed);
  omr_failure_quantity *q = &list[(*count)++];
  q->negated = turn.how & OMR_TURN_NEGATED;
  snprintf(q->name, sizeof q->name, "%s", info.name);
  snprintf(q->unit, sizeof q->unit, "%s", info.unit);
  snprintf(q->meaning, sizeof q->meaning, "%s", info.meaning);
  q->source = source;
}

/* Adds the quantities that a small model integrates; its lists name the columns in capitals. */
static void add_small(const omr_study *study, const omr_small_model *small, omr_failures *f) {
  const motion_column *columns = motion_columns[small->list->number - 1];
  for (int j = 0; j < small->motion; j++) {
    const omr_sample_info info = {columns[j].id, columns[j].unit,
                                  columns[j].meaning[0] ? columns[j].meaning : columns[j].symbol};
    add_quantity(f->vehicle, &f->vehicle_count,
                 omr_small_state_turn(study->frame, study->model, columns[j].id), info, j);
    snprintf(f->vehicle[j].id, sizeof f->vehicle[j].id, "%s", columns[j].id);
    for (char *c = f->vehicle[j].name; *c; c++) *c = (char)tolower((unsigned char)*c);
  }
}

/* Adds the first samples of a study that names its own. Names that would be cut are left out, since
 * two might become equal. */
static void add_own(const omr_study *study, omr_failures *f) {
  for (int j = 0; j < omr_study_small_samples(study); j++) {
    const omr_sample_info info = omr_study_small_sample(study, j);
    if (f->vehicle_count < OMR_FAILURE_QUANTITIES && strlen(info.name) < sizeof f->vehicle->name)
      add_quantity(f->vehicle, &f->vehicle_count, (omr_framing){0, NULL, NULL}, info, j);
  }
}

static void add_vehicle(const omr_study *study, omr_failures *f) {
  static const int vehicle[] = {OMR_VS_X,        OMR_VS_Z,      OMR_VS_YAW,   OMR_VS_VX,  OMR_VS_VZ,
                                OMR_VS_YAW_RATE, OMR_VS_HEIGHT, OMR_VS_PITCH, OMR_VS_ROLL};
  static const int wheel[] = {OMR_WS_ANGLE, OMR_WS_RATE, OMR_WS_CONTACT_ANGLE, OMR_WS_ROLLER,
                              OMR_WS_SPIN};
  static const omr_sample_info passes = {
      "passes", "1", "passes taken, rejected ones too (with integrator.budget)"};
  const bool discs = study->model == OMR_MODEL_DISC_VEHICLE;

  /* the motion of the vehicle, as far as its model has it */
  for (size_t i = 0; i < sizeof vehicle / sizeof *vehicle; i++) {
    if (!omr_has_vehicle_sample(study, vehicle[i])) continue;
    add_quantity(f->vehicle, &f->vehicle_count, omr_vehicle_sample_turn(study->frame, vehicle[i]),
                 omr_vehicle_samples[vehicle[i]], vehicle[i]);
  }

  /* a run with a budget keeps the passes taken */
  if (study->time.budget > 0)
    add_quantity(f->vehicle, &f->vehicle_count, (omr_framing){0, NULL, NULL}, passes, -1);

  /* the motion of each wheel; discs have no rollers */
  f->wheels = (size_t)study->wheels;
  for (size_t i = 0; i < sizeof wheel / sizeof *wheel; i++) {
    if (discs && (wheel[i] == OMR_WS_ROLLER || wheel[i] == OMR_WS_SPIN)) continue;
    add_quantity(f->wheel, &f->wheel_count, omr_wheel_sample_turn(study->frame, wheel[i]),
                 omr_wheel_samples[wheel[i]], wheel[i]);
  }
}

omr_status omr_failures_make(const omr_study *study, omr_failures *f, omr_error *error) {
  memset(f, 0, sizeof *f);

  /* a vehicle */
  switch (study->model) {
#define OMNI(id, ...) case OMR_MODEL_##id:
#define SMALL(...)
#include "../lists/models.def"
#undef OMNI
#undef SMALL
    add_vehicle(study, f);
    return OMR_OK;
  default: break;
  }

  /* a study with its own system */
  if (omr_model_is_own(study->model)) {
    add_own(study, f);
    return OMR_OK;
  }

  /* a small model */
  const omr_small_model *small = omr_small_model_of(study->model);
  if (!small)
    return omr_fail(error, OMR_ERR_INTERNAL,
                    "model number %d has no list of the state that a failed instance keeps",
                    (int)study->model);
  add_small(study, small, f);
  return OMR_OK;
}

void omr_failures_free(omr_failures *f) {
  for (size_t i = 0; i < f->reason_count; i++) free(f->reasons[i].text);
  free(f->reasons);
  free(f->instance);
  free(f->status);
  free(f->time);
  free(f->state);
  memset(f, 0, sizeof *f);
}

/* Resizes the list at the given address to `room` entries of a size; false when out of memory. */
static bool resize(void *list, size_t room, size_t size) {
  void *grown;
  memcpy(&grown, list, sizeof grown);
  grown = realloc(grown, room * size);
  if (grown) memcpy(list, &grown, sizeof grown);
  return grown != NULL;
}

static bool make_room(omr_failures *f, size_t count) {
  if (count <= f->room) return true;
  const size_t room = count > 2 * f->room ? count : 2 * f->room, width = omr_failures_width(f);
  if (!resize(&f->instance, room, sizeof *f->instance) ||
      !resize(&f->status, room, sizeof *f->status) || !resize(&f->time, room, sizeof *f->time) ||
      !resize(&f->state, room * width + 1, sizeof *f->state))
    return false;
  f->room = room;
  return true;
}

static bool add_reason(omr_failures *f, uint64_t instance, const char *text) {
  if (!resize(&f->reasons, f->reason_count + 1, sizeof *f->reasons)) return false;
  f->reasons[f->reason_count] = (omr_failure_reason){instance, strdup(text)};
  return f->reasons[f->reason_count++].text != NULL;
}

/* Turns a state of omr_failures_width values into the frame of the study. */
static void turn_state(const omr_failures *f, double *state) {
  for (size_t j = 0; j < f->vehicle_count; j++, state++)
    if (f->vehicle[j].negated) *state = 0.0 - *state;
  for (size_t j = 0; j < f->wheel_count; j++)
    for (size_t i = 0; i < f->wheels; i++, state++)
      if (f->wheel[j].negated) *state = 0.0 - *state;
}

bool omr_failures_add(omr_failures *f, uint64_t instance, int status, double time,
                      const double *state, const char *reason) {
  const size_t at = f->count, width = omr_failures_width(f);
  if (!make_room(f, at + 1)) return false;
  f->instance[at] = instance;
  f->status[at] = (int8_t)status;
  f->time[at] = time;
  for (size_t j = 0; j < width; j++) f->state[at * width + j] = state ? state[j] : (double)NAN;
  turn_state(f, f->state + at * width);
  f->count++;
  return !reason || !reason[0] || add_reason(f, instance, reason);
}

static void take_quantities(omr_failures *f, const omr_failures *from) {
  f->wheels = from->wheels;
  f->vehicle_count = from->vehicle_count;
  f->wheel_count = from->wheel_count;
  memcpy(f->vehicle, from->vehicle, sizeof f->vehicle);
  memcpy(f->wheel, from->wheel, sizeof f->wheel);
}

static void sort_reasons(omr_failures *f) {
  if (f->reason_count) qsort(f->reasons, f->reason_count, sizeof *f->reasons, omr_by_number);
  while (f->reason_count > OMR_FAILURE_REASONS) free(f->reasons[--f->reason_count].text);
}

bool omr_failures_join_between(omr_failures *f, const omr_failures *from, uint64_t first,
                               uint64_t last) {
  const size_t width = omr_failures_width(from);
  for (size_t i = 0; i < from->count; i++) {
    const uint64_t instance = from->instance[i];
    if (instance < first || instance > last) continue;
    if (f->count == 0 && omr_failures_width(f) == 0) take_quantities(f, from);
    if (!omr_failures_add(f, instance, from->status[i], from->time[i], from->state + i * width,
                          NULL))
      return false;
  }
  for (size_t i = 0; i < from->reason_count; i++) {
    const uint64_t instance = from->reasons[i].instance;
    if (instance < first || instance > last) continue;
    if (!add_reason(f, instance, from->reasons[i].text)) return false;
  }
  if (f->reason_count > OMR_FAILURE_REASONS) sort_reasons(f);
  return true;
}

bool omr_failures_join(omr_failures *f, const omr_failures *more) {
  return omr_failures_join_between(f, more, 0, UINT64_MAX);
}

static void move_failure(omr_failures *f, size_t to, size_t from) {
  const size_t width = omr_failures_width(f);
  f->instance[to] = f->instance[from];
  f->status[to] = f->status[from];
  f->time[to] = f->time[from];
  memmove(f->state + to * width, f->state + from * width, width * sizeof *f->state);
}

void omr_failures_drop(omr_failures *f, const size_t *instances, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < f->count; i++) {
    if (omr_number_place(instances, count, sizeof *instances, f->instance[i]) == count)
      move_failure(f, kept++, i);
  }
  f->count = kept;
}

typedef struct place {
  uint64_t instance;
  size_t at;
} place;

static bool is_sorted(const omr_failures *f) {
  for (size_t i = 1; i < f->count; i++) {
    if (f->instance[i] < f->instance[i - 1]) return false;
  }
  return true;
}

/* Copies the failures into new arrays in the order of `order`. */
static bool reorder(omr_failures *f, const place *order) {
  omr_failures sorted = *f;

  /* an empty list with the same quantities and room for all failures */
  const size_t width = omr_failures_width(f);
  sorted.count = sorted.room = sorted.reason_count = 0;
  sorted.instance = NULL;
  sorted.status = NULL;
  sorted.time = sorted.state = NULL;

  bool good = make_room(&sorted, f->count);
  for (size_t i = 0; good && i < f->count; i++) {
    const size_t from = order[i].at;
    good = omr_failures_add(&sorted, f->instance[from], f->status[from], f->time[from],
                            f->state + from * width, NULL);
  }

  /* keep the sorted arrays, or the old ones if memory ran out */
  omr_failures *old = good ? f : &sorted;
  free(old->instance);
  free(old->status);
  free(old->time);
  free(old->state);

  if (!good) return false;
  sorted.reason_count = f->reason_count;
  *f = sorted;
  return true;
}

bool omr_failures_sort(omr_failures *f) {
  sort_reasons(f);
  if (is_sorted(f)) return true;
  place *order = malloc(f->count * sizeof *order);
  if (!order) return false;
  for (size_t i = 0; i < f->count; i++) order[i] = (place){f->instance[i], i};
  qsort(order, f->count, sizeof *order, omr_by_number);
  const bool good = reorder(f, order);
  free(order);
  return good;
}
